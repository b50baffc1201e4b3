// SPDX-License-Identifier: GPL-2.0-only
/*
 * longer IN OUT N: writes a capture that is N times as long. AUX records and their data are
 * repeated with later times and stream offsets; other records are written once.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/capture/file.h"

#define ALIGN	4096

static void put(FILE *f, const void *p, size_t n)
{
	if (n && fwrite(p, 1, n, f) != n) {
		perror("longer");
		exit(1);
	}
}

/* Position of the stream offset in AUX and AUXTRACE records */
#define AUX_AT		sizeof(struct pd_event_header)
#define AUXTRACE_AT	offsetof(struct pd_auxtrace, offset)

static void again(FILE *out, const struct pd_event *e, uint64_t later, uint64_t further)
{
	const bool aux = e->type == PERF_RECORD_AUX;
	const struct pd_event_header *h = (const void *)e->p;
	uint64_t offset, time = e->time + later;
	uint8_t copy[65536];

	memcpy(copy, e->p, h->size);
	memcpy(&offset, copy + (aux ? AUX_AT : AUXTRACE_AT), sizeof(offset));
	offset += further;
	memcpy(copy + (aux ? AUX_AT : AUXTRACE_AT), &offset, sizeof(offset));
	if (aux && e->has & PD_HAS_TIME)
		memcpy(copy + e->size + (e->has & PD_HAS_TASK ? 8 : 0), &time, sizeof(time));
	put(out, copy, h->size);
	put(out, e->payload, e->payload_size);
}

/* Copies the sections, with offsets increased by @added. */
static void move_sections(FILE *out, const struct pd_file *f, uint64_t added)
{
	uint64_t at = f->end, rest;

	for (unsigned int bit = 0; bit < PD_FEATURE_BITS; bit++) {
		struct pd_range r;

		if (!(f->head.features[bit / 64] >> bit % 64 & 1))
			continue;
		memcpy(&r, f->map + at, sizeof(r));
		at += sizeof(r);
		r.offset += added;
		put(out, &r, sizeof(r));
	}
	rest = f->size - at;
	put(out, f->map + at, rest);
}

int main(int argc, char **argv)
{
	uint64_t first = UINT64_MAX, last = 0, end = 0, from, added;
	struct pd_header head;
	struct pd_event e;
	struct pd_file f;
	FILE *out;
	int times;

	if (argc != 4 || pd_open(&f, argv[1]) || f.missing || f.unfinished) {
		fprintf(stderr, "longer: %s %s\n", argc == 4 ? argv[1] : "usage", f.err);
		return 2;
	}
	times = atoi(argv[3]);
	out = fopen(argv[2], "w");
	if (!out) {
		perror(argv[2]);
		return 1;
	}
	while (pd_next(&f, &e) > 0) {
		uint64_t offset, size;

		if (e.type != PERF_RECORD_AUX)
			continue;
		memcpy(&offset, e.p + AUX_AT, sizeof(offset));
		memcpy(&size, e.p + AUX_AT + 8, sizeof(size));
		first = e.time < first ? e.time : first;
		last = e.time > last ? e.time : last;
		end = offset + size > end ? offset + size : end;
	}
	end = (end + ALIGN) & ~(uint64_t)(ALIGN - 1);
	put(out, f.map, f.end);
	from = f.end;
	for (int i = 1; i < times; i++) {
		pd_rewind(&f);
		while (pd_next(&f, &e) > 0)
			if (e.type == PERF_RECORD_AUX || e.type == PD_REC_AUXTRACE)
				again(out, &e, (last - first + 1) * (uint64_t)i, end * (uint64_t)i);
	}
	added = (uint64_t)ftell(out) - from;
	move_sections(out, &f, added);
	memcpy(&head, &f.head, sizeof(head));
	head.data.size += added;
	rewind(out);
	put(out, &head, sizeof(head));
	pd_close(&f);
	return fclose(out) ? 1 : 0;
}
