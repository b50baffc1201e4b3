// SPDX-License-Identifier: GPL-2.0-only
/*
 * mkprofile CAPTURE OUT N [MEMORY [FIRST SECOND]]: what v9trace record --aggregate would have written instead of a
 * capture, in N intervals. OUT.1 to OUT.N are shards, OUT.1.pb to OUT.N.pb profiles of pprof. Side-band
 * records come in the first interval, AUX data in equal parts. FIRST and SECOND are periods: that of the first
 * half of the data of each CPU, and that of its rest. Linked with the objects of v9trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/live/live.h"
#include "../../tools/live/profile.h"
#include "../../tools/util.h"

#include "midr_section.h"

static struct v9_session session;

/* As the recorder reads it of files */
static unsigned int find_id(void *arg, const char *name, bool kernel, uint8_t id[V9_LIVE_ID])
{
	(void)arg;
	for (size_t i = 0; i < session.syms.nr_dsos; i++) {
		const struct v9_dso *d = session.syms.dsos[i];

		if ((kernel ? i : strcmp(d->name, name) != 0) || d->build_id_size > V9_LIVE_ID)
			continue;
		memcpy(id, d->build_id, d->build_id_size);
		return d->build_id_size;
	}
	return 0;
}

/*
 * Appends bytes [@from, @to) of all AUX data, and the other records if @from is 0. Returns the number of
 * bytes of AUX data that there are.
 */
static uint64_t take(struct v9_blob *b, uint64_t from, uint64_t to)
{
	const uint8_t *p = session.file.map + session.file.head.data.offset;
	const uint8_t *end = p + session.file.head.data.size;
	struct pd_event_header h;
	struct pd_auxtrace a;
	uint64_t at = 0;

	for (; p < end; p += h.size) {
		uint64_t first, last, size;

		memcpy(&h, p, sizeof(h));
		if (h.type != PD_REC_AUXTRACE) {
			if (!from) {
				v9_blob_put(b, p, h.size);
				v9_blob_zero(b, -(size_t)h.size & 7);
			}
			continue;
		}
		memcpy(&a, p, sizeof(a));
		size = a.size;
		first = from > at ? from - at : 0;
		last = to - at < size ? to - at : size;
		if (to > at && first < last) {
			a.offset += first;
			a.size = last - first;
			v9_blob_put(b, &a, sizeof(a));
			v9_blob_put(b, p + h.size + first, a.size);
			v9_blob_zero(b, -a.size & 7);
		}
		at += size;
		p += size;
	}
	return at;
}

static void put_period(struct v9_blob *b, uint32_t cpu, uint64_t offset, uint64_t period)
{
	const struct v9_live_period r = {
		.header = { .type = V9_LIVE_PERIOD, .size = sizeof(r) }, .cpu = cpu, .offset = offset,
		.period = period,
	};

	v9_blob_put(b, &r, sizeof(r));
}

/* The records of V9_LIVE_PERIOD of each CPU */
static void put_periods(struct v9_blob *b, uint64_t first, uint64_t second)
{
	for (size_t i = 0; i < session.nr_queues; i++) {
		const struct v9_queue *q = &session.queues[i];
		const struct v9_chunk *last = &q->chunks[q->nr_chunks - 1];

		put_period(b, q->cpu, 0, first);
		put_period(b, q->cpu, (last->offset + last->size) / 2 & ~UINT64_C(63), second);
	}
}

static FILE *file(const char *out, unsigned int n, const char *ending)
{
	char *path = v9_format("%s.%u%s", out, n, ending);
	FILE *f = fopen(path, "w");

	free(path);
	if (!f)
		exit(1);
	return f;
}

int main(int argc, char **argv)
{
	const unsigned int n = argc > 3 ? (unsigned int)atoi(argv[3]) : 0;
	struct v9_live_setup setup = {
		.memory = argc > 4 ? strtoull(argv[4], NULL, 0) : 64 << 20, .types = true, .find_id = find_id,
	};
	struct perf_event_attr *attr;
	struct v9_blob b = { 0 };
	struct v9_live l;
	uint64_t all;

	if (!n || v9_session_open(&session, argv[1], NULL))
		return 2;
	midr_section(&session, &b);
	setup.registers = b.data;
	setup.registers_size = b.len;
	v9_live_init(&l, &setup);
	attr = v9_alloc((session.file.nr_attrs + 1) * sizeof(*attr));
	for (size_t i = 0; i < session.file.nr_attrs; i++)
		attr[i] = session.file.attrs[i].attr;
	b.len = 0;
	all = take(&b, 0, 0);
	for (unsigned int i = 0; i < n; i++) {
		FILE *f;

		b.len = 0;
		if (argc > 6 && !i)
			put_periods(&b, strtoull(argv[5], NULL, 0), strtoull(argv[6], NULL, 0));
		take(&b, all * i / n, all * (i + 1) / n);
		v9_live_read(&l, b.data, b.len, false);
		if (i + 1 == n)
			v9_live_end(&l);
		l.profile.begin = i + 1;
		l.profile.end = i + 2;
		v9_live_account(&l);
		f = file(argv[2], i + 1, "");
		v9_shard_of_profile(&l, attr, session.file.nr_attrs, f);
		if (fclose(f))
			return 1;
		f = file(argv[2], i + 1, ".pb");
		v9_profile_write(&l, f);
		if (fclose(f))
			return 1;
		v9_live_next(&l);
	}
	v9_live_free(&l);
	v9_session_close(&session);
	v9_blob_free(&b);
	free(attr);
	return 0;
}
