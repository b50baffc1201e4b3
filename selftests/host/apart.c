// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_apart_write(): a file with records of two trace units and of SPE is taken apart. Each half must be, byte
 * by byte, the file that make() builds with what belongs to the half alone, by perf.data-file-format.txt.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "tap.h"
#include "capture.h"
#include "../../tools/capture/apart.h"

#define WHOLE		(~0u)
#define ALL_OF_DESC	(~(size_t)0)

enum { ETE = 9, SPE = 8, OTHER = 1 };	/* types of PMUs */

static const struct {
	uint32_t pmu;
	const char *name;
	unsigned int nr_ids;
	uint64_t ids[2];
} events[] = {
	{ SPE, "arm_spe_0//", 1, { 102 } }, { ETE, "cs_etm//u", 2, { 100, 101 } }, { OTHER, "dummy:u", 1, { 103 } },
};

/* What of the whole file there is */
struct what {
	uint32_t unit;		/* WHOLE, or of the half */
	size_t desc;		/* bytes of the event description; at most ALL_OF_DESC */
	bool no_aux, no_index;
};

static bool has_event(const struct what *w, size_t i)
{
	return w->unit == WHOLE || events[i].pmu == OTHER || (events[i].pmu == SPE) == (w->unit == PD_AUXTRACE_ARM_SPE);
}

static bool has_unit(const struct what *w, uint32_t unit)
{
	return w->unit == WHOLE || w->unit == unit;
}

static void put_attr(struct cap *c, size_t i)
{
	const struct perf_event_attr attr = { .type = events[i].pmu, .size = CAP_ATTR, .config = 1000 + i,
					      .sample_type = CAP_SAMPLE, .sample_id_all = 1 };

	cap_put(c, &attr, CAP_ATTR);
}

/* A row of the event description goes into a half if the whole of it is there. */
static void put_desc(struct cap *c, const struct what *w)
{
	const size_t begin = c->n;
	uint32_t count = 0;
	size_t whole = 8;

	cap_u32(c, 0);
	cap_u32(c, CAP_ATTR);
	for (size_t i = 0; i < V9_ARRAY_SIZE(events); i++) {
		whole += CAP_ATTR + 4 + 4 + 64 + 8 * events[i].nr_ids;
		if (!has_event(w, i) || (w->unit != WHOLE && whole > w->desc))
			continue;
		count++;
		put_attr(c, i);
		cap_u32(c, events[i].nr_ids);
		cap_string(c, events[i].name);
		cap_put(c, events[i].ids, 8 * events[i].nr_ids);
	}
	memcpy(c->b + begin, &count, 4);
	if (w->unit == WHOLE && w->desc < c->n - begin)
		c->n = begin + w->desc;
	if (w->unit != WHOLE && w->desc < 8)
		c->n = begin;
}

static void put_id_index(struct cap *c, const struct what *w)
{
	uint64_t body[1 + 5 * 4] = { 0 };

	for (size_t i = 0; i < V9_ARRAY_SIZE(events); i++)
		for (unsigned int k = 0; has_event(w, i) && k < events[i].nr_ids; k++)
			memcpy(body + 1 + 4 * body[0]++, (uint64_t[]){ events[i].ids[k], i, k, 77 }, 32);
	/* The last id belongs to an event that the file does not have. */
	memcpy(body + 1 + 4 * body[0]++, (uint64_t[]){ 200, 9, 9, 77 }, 32);
	cap_record(c, PD_REC_ID_INDEX, 0, body, 8 + 32 * body[0]);
}

struct index {
	uint64_t count, at[8][2];
};

/* AUX data: @info as it is in the whole file, @half as it is in a half */
static void put_aux(struct cap *c, const struct what *w, struct index *x, uint32_t unit, uint32_t info, uint32_t half,
		    const char *bytes)
{
	if (!has_unit(w, unit))
		return;
	c->info = w->unit == WHOLE ? info : half;
	x->at[x->count][0] = c->n;
	x->at[x->count++][1] = sizeof(struct pd_auxtrace);
	cap_aux(c, info, CAP_NONE, 4096 * info, bytes, strlen(bytes));
}

static void put_data(struct cap *c, const struct what *w, struct index *x)
{
	const uint64_t spe[3] = { PD_AUXTRACE_ARM_SPE, SPE, 1 };

	if (!w->no_index)
		put_id_index(c, w);
	if (has_unit(w, PD_AUXTRACE_CS_ETM))
		cap_info_etmv4(c);
	if (has_unit(w, PD_AUXTRACE_ARM_SPE))
		cap_record(c, PD_REC_AUXTRACE_INFO, 0, spe, sizeof(spe));
	if (has_unit(w, PD_AUXTRACE_CS_ETM))
		cap_info_etmv4(c);
	for (size_t i = 0; i < V9_ARRAY_SIZE(events); i++)
		for (unsigned int k = 0; has_event(w, i) && k < events[i].nr_ids; k++) {
			c->id = events[i].ids[k];
			c->time = 1000 + c->id;
			cap_comm(c, 10 + (uint32_t)c->id, 20, events[i].name, 0);
		}
	if (!w->no_aux) {
		put_aux(c, w, x, PD_AUXTRACE_CS_ETM, 1, 1, "first unit");
		put_aux(c, w, x, PD_AUXTRACE_ARM_SPE, 2, 0, "records of operations");
		put_aux(c, w, x, PD_AUXTRACE_CS_ETM, 3, 2, "second unit of trace");
		put_aux(c, w, x, PD_AUXTRACE_CS_ETM, 0, 1, "no number: the first one");
		put_aux(c, w, x, PD_AUXTRACE_CS_ETM, 4, 1, "a number that is too large");
		put_aux(c, w, x, PD_AUXTRACE_ARM_SPE, 2, 0, "");
	}
	cap_record(c, PD_REC_FINISHED_ROUND, 0, NULL, 0);
}

static const struct pd_half halves[] = {
	{ .magic = PD_HALF_MAGIC, .unit = PD_AUXTRACE_CS_ETM, .session = "abcdefghijklmno", .twin = "x.spe" },
	{ .magic = PD_HALF_MAGIC, .unit = PD_AUXTRACE_ARM_SPE, .session = "abcdefghijklmno", .twin = "x" },
};

/* In ascending order of the numbers of sections */
static void make(struct cap *c, const struct what *w)
{
	static const unsigned int sections[] = { PD_ARCH, PD_EVENT_DESC, PD_AUXTRACE, PD_COMPRESSED, PD_CODE, PD_TWIN };
	struct pd_header h = { .magic = PD_MAGIC, .size = sizeof(h), .attr_size = CAP_ATTR + sizeof(struct pd_range) };
	struct pd_range ids = { .offset = sizeof(h) }, range[V9_ARRAY_SIZE(sections)] = { { 0 } };
	struct index x = { 0 };
	size_t table, n = 0;

	*c = (struct cap){ .sample_type = CAP_SAMPLE };
	cap_put(c, &h, sizeof(h));
	for (size_t i = 0; i < V9_ARRAY_SIZE(events); i++)
		if (has_event(w, i))
			cap_put(c, events[i].ids, 8 * events[i].nr_ids);
	h.attrs.offset = c->n;
	for (size_t i = 0; i < V9_ARRAY_SIZE(events); i++) {
		if (!has_event(w, i))
			continue;
		ids.size = 8 * events[i].nr_ids;
		put_attr(c, i);
		cap_put(c, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
	h.attrs.size = c->n - h.attrs.offset;
	if (w->unit != WHOLE)
		cap_put(c, &halves[w->unit == PD_AUXTRACE_ARM_SPE], sizeof(halves[0]));
	h.data.offset = c->n;
	put_data(c, w, &x);
	h.data.size = c->n - h.data.offset;

	for (size_t i = 0; i < V9_ARRAY_SIZE(sections); i++) {
		const unsigned int bit = sections[i];

		if ((bit == PD_TWIN && w->unit == WHOLE) || (bit == PD_COMPRESSED && w->unit != WHOLE) ||
		    (bit == PD_EVENT_DESC && w->desc < (w->unit == WHOLE ? 1 : 8)) || (bit == PD_AUXTRACE && !x.count))
			continue;
		h.features[bit / 64] |= UINT64_C(1) << bit % 64;
		n++;
	}
	table = c->n;
	cap_put(c, NULL, n * sizeof(range[0]));
	n = 0;
	for (size_t i = 0; i < V9_ARRAY_SIZE(sections); i++) {
		const unsigned int bit = sections[i];
		const size_t begin = c->n;

		if (!(h.features[bit / 64] >> bit % 64 & 1))
			continue;
		if (bit == PD_ARCH)
			cap_string(c, "aarch64");
		else if (bit == PD_EVENT_DESC)
			put_desc(c, w);
		else if (bit == PD_AUXTRACE)
			cap_put(c, &x, 8 + 16 * x.count);
		else if (bit == PD_COMPRESSED)
			cap_put(c, "\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\0\1\0\0", 20);
		else if (bit == PD_CODE)
			cap_put(c, "code, as it is", 14);
		range[n++] = (struct pd_range){ bit == PD_TWIN ? 0 : begin, c->n - begin };
	}
	memcpy(c->b + table, range, n * sizeof(range[0]));
	memcpy(c->b, &h, sizeof(h));
}

static void open_whole(struct pd_file *f, const struct cap *c)
{
	char path[] = "/tmp/v9trace-apart.XXXXXX";
	const int fd = mkstemp(path);

	if (fd < 0 || write(fd, c->b, c->n) != (ssize_t)c->n || pd_open(f, path))
		abort();
	close(fd);
	unlink(path);
}

/* Is each half as it has to be? Of a description that is cut, too. *@ret: what writing returned */
static bool same(const struct what *w, unsigned int which, int *ret)
{
	struct what half = *w;
	struct cap whole, want;
	struct v9_apart a;
	struct pd_file f;
	uint8_t got[8192];
	FILE *out = tmpfile();
	size_t n;
	bool is;

	half.unit = halves[which].unit;
	make(&whole, w);
	make(&want, &half);
	open_whole(&f, &whole);
	v9_apart_open(&a, &f);
	*ret = v9_apart_write(&a, &halves[which], out);
	rewind(out);
	n = fread(got, 1, sizeof(got), out);
	fclose(out);
	is = n == want.n && !memcmp(got, want.b, n) && v9_apart_has_both(&a);
	v9_apart_close(&a);
	pd_close(&f);
	free(whole.b);
	free(want.b);
	return is;
}

/* A recording of one unit has no second half. */
static void one_unit(uint32_t unit, const char *name)
{
	const struct what w = { .unit = unit, .desc = ALL_OF_DESC };
	struct v9_apart a;
	struct pd_file f;
	struct cap c;

	make(&c, &w);
	open_whole(&f, &c);
	v9_apart_open(&a, &f);
	tap_ok(!v9_apart_has_both(&a), "%s_alone", name);
	v9_apart_close(&a);
	pd_close(&f);
	free(c.b);
}

/* The file ends inside the last AUX data: what is there is written, and said. */
static void cut(void)
{
	const struct what w = { .unit = WHOLE, .desc = ALL_OF_DESC };
	struct pd_header h;
	struct v9_apart a;
	struct pd_file f;
	struct cap c;

	make(&c, &w);
	memcpy(&h, c.b, sizeof(h));
	c.n = h.data.offset + h.data.size - 20;
	open_whole(&f, &c);
	v9_apart_open(&a, &f);
	for (unsigned int i = 0; i < 2; i++) {
		FILE *out = tmpfile();

		tap_eq(v9_apart_write(&a, &halves[i], out), -ENODATA, "cut_%u", i);
		fclose(out);
	}
	v9_apart_close(&a);
	pd_close(&f);
	free(c.b);
}

int main(void)
{
	static const char *const names[] = { "ete", "spe" };
	const size_t rows = 8 + 3 * (CAP_ATTR + 8 + 64) + 4 * 8;

	for (unsigned int i = 0; i < 2; i++) {
		struct what w = { .unit = WHOLE, .desc = ALL_OF_DESC };
		bool all = true;
		int ret;

		tap_ok(same(&w, i, &ret) && !ret, "half_%s", names[i]);
		w.no_index = true;
		tap_ok(same(&w, i, &ret) && !ret, "no_index_of_ids_%s", names[i]);
		w.no_aux = true;
		tap_ok(same(&w, i, &ret) && !ret, "no_aux_data_%s", names[i]);
		for (w.desc = 0; w.desc <= rows; w.desc++)
			all &= same(&w, i, &ret) && !ret;
		tap_ok(all, "descriptions_cut_%s", names[i]);
		one_unit(halves[i].unit, names[i]);
	}
	cut();
	return tap_done();
}
