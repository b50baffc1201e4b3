// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums of SPE records while they are recorded (v9trace record --aggregate): objects by the side-band at
 * the time of each record, eviction at the bound of memory, losses, and the thread that decodes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"
#include "tap.h"
#include "../../tools/live/worker.h"
#include "../../tools/util.h"

/* ---- records. The time of a record is (count << 4) + ZERO ns: cap_time_conv(). */

#define ZERO	UINT64_C(1000000)
#define TICKS(ns)	(((ns) - ZERO) >> 4)
#define NO_TID	UINT32_MAX

static uint8_t *put(uint8_t *p, uint8_t header, uint64_t v, unsigned int n)
{
	*p++ = header;
	memcpy(p, &v, n);
	return p + n;
}

/* 64 bytes: latencies 30, 10, 3; a load that missed the level 1 cache, of @va if that is not 0 */
static void spe(uint8_t r[64], uint64_t pc, uint32_t tid, uint64_t time, uint64_t va)
{
	uint8_t *p = r;

	memset(r, 0, 64);
	p = put(p, 0xb0, (pc & 0xffffffffffffff) | UINT64_C(1) << 63 |
		(pc >> 63 ? UINT64_C(1) << 61 : 0), 8);
	if (tid != NO_TID)
		p = put(p, 0x65, tid, 4);
	p = put(p, 0x62, 0x0e, 4);
	p = put(p, 0x49, 0, 1);
	p = put(p, 0x98, 30, 2);
	p = put(p, 0x99, 10, 2);
	p = put(p, 0x9a, 3, 2);
	if (va)
		p = put(p, 0xb2, va, 8);
	put(p, 0x71, TICKS(time), 8);
}

static struct cap cap;
static uint64_t stream;		/* bytes of AUX data of CPU 0 so far */

static void batch(void)
{
	cap_open(&cap, CAP_SAMPLE);
	cap.time = 0;
	cap.cpu = 0;
}

static void hand(struct v9_live *l, bool whole)
{
	v9_live_read(l, cap.b + cap.data, cap.n - cap.data, whole);
}

static void aux(const void *p, size_t n)
{
	cap_aux(&cap, 0, CAP_NONE, stream, p, n);
	stream += n;
}

static void one(uint64_t pc, uint32_t tid, uint64_t time)
{
	uint8_t r[64];

	spe(r, pc, tid, time, 0);
	aux(r, sizeof(r));
}

static const uint8_t id_a[20] = { 0xaa, 1 }, id_b[20] = { 0xbb, 2 };

static void begin(struct v9_live *l, size_t memory, bool lines)
{
	const struct v9_live_setup setup = { .memory = memory, .lines = lines };

	v9_live_init(l, &setup);
	stream = 0;
	batch();
	cap_time_conv(&cap, ZERO);
	cap_comm(&cap, 10, 10, "a", 0);
	cap_mmap2(&cap, 10, 0x10000, 0x4000, 0x1000, "/bin/a", id_a);
}

/* Samples of an address in an object; name NULL: of no object */
static uint64_t samples(const struct v9_live *l, const char *name, uint64_t addr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->profile.sums.used; i++) {
		const struct v9_live_sum *s = v9_bins_get(&l->profile.sums, i);
		const char *of = s->object > V9_LIVE_KERNEL ? l->places.objects[s->object - 2].name :
				 s->object == V9_LIVE_KERNEL ? "kernel" : NULL;

		if (s->addr == addr && !of == !name && (!name || !strcmp(of, name)))
			sum += s->value[V9_W_SAMPLES];
	}
	return sum;
}

static uint64_t evicted(const struct v9_live *l, enum v9_weight weight)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->profile.nr_types; i++)
		sum += l->profile.types[i].evicted[weight];
	return sum;
}

static uint64_t all_samples(const struct v9_live *l)
{
	uint64_t sum = evicted(l, V9_W_SAMPLES);

	for (size_t i = 0; i < l->profile.sums.used; i++)
		sum += ((struct v9_live_sum *)v9_bins_get(&l->profile.sums, i))->value[V9_W_SAMPLES];
	return sum;
}

static void decoding(void)
{
	struct v9_live l;
	const struct v9_live_sum *s;

	begin(&l, 1 << 20, false);
	one(0x10100, 10, ZERO + 160);
	one(0x10100, 10, ZERO + 320);
	one(0x10200, 10, ZERO + 320);
	one(0xffff800080001000, 10, ZERO + 480);
	one(0x90000, 10, ZERO + 480);		/* no mapping */
	cap_mmap2(&cap, 10, 0x70000, 0x1000, 0x70000, "//anon", NULL);
	one(0x70010, 10, ZERO + 480);
	hand(&l, true);
	tap_eq(samples(&l, "/bin/a", 0x1100), 2, "sum_of_an_address");
	tap_eq(samples(&l, "/bin/a", 0x1200), 1, "sum_of_another_address");
	tap_eq(samples(&l, "kernel", 0xffff800080001000), 1, "kernel");
	tap_eq(samples(&l, NULL, 0x90000), 1, "unmapped");
	tap_eq(samples(&l, "//anon", 0x70010), 1, "memory_without_a_file");
	tap_eq(l.profile.sums.used, 5, "sums");
	s = v9_bins_get(&l.profile.sums, 0);
	tap_eq(s->value[V9_W_LATENCY], 60, "latency");
	tap_eq(s->value[V9_W_ISSUE], 20, "issue_latency");
	tap_eq(s->value[V9_W_XLAT], 6, "translation_latency");
	tap_eq(s->value[V9_W_L1_MISSES], 2, "l1_misses");
	tap_eq(s->value[V9_W_MISPREDICTS], 0, "mispredicts");
	v9_live_account(&l);
	tap_eq(l.profile.acc.records, 6, "records");
	tap_ok(l.profile.has_time, "times");
	tap_eq(l.profile.first, ZERO + 160, "first_time");
	tap_eq(l.profile.last, ZERO + 480, "last_time");
	tap_eq(v9_spe_account_bytes(&l.profile.acc), 6 * 64, "bytes_decoded");
	tap_eq(l.profile.aux.bytes, 6 * 64, "bytes_given");
	/* the next interval: the mapping stays */
	v9_live_next(&l);
	tap_eq(l.profile.sums.used, 0, "next_interval_is_empty");
	tap_ok(!l.profile.has_time && !l.profile.nr_types, "next_interval_has_no_time_yet");
	batch();
	one(0x10100, 10, ZERO + 640);
	hand(&l, true);
	v9_live_account(&l);
	tap_eq(samples(&l, "/bin/a", 0x1100), 1, "next_interval");
	tap_eq(l.profile.acc.records, 1, "records_of_next_interval");
	v9_live_free(&l);
}

/* exec, mmap over a mapping, fork, exit: each record is of what was mapped at its time. */
static void sideband(void)
{
	const struct v9_live_map *maps;
	struct v9_live l;
	uint32_t pid;
	size_t n;

	begin(&l, 1 << 20, false);
	one(0x10100, 10, ZERO + 1600);		/* before exec */
	one(0x10100, 10, ZERO + 3200);		/* after exec */
	one(0x12100, 10, ZERO + 3200);		/* not mapped over */
	one(0x11100, 10, ZERO + 4800);		/* after the third mapping */
	one(0x11100, 10, ZERO + 3200);
	one(0x10200, 10, ZERO + 4800);		/* before and behind the third */
	one(0x12200, 10, ZERO + 4800);
	/* in another order than that of time, as from the rings of several CPUs */
	cap.time = ZERO + 4000;
	cap_mmap2(&cap, 10, 0x11000, 0x1000, 0, "/lib/c", NULL);
	cap.time = ZERO + 2400;
	cap_comm(&cap, 10, 10, "b", 1);
	cap.time = ZERO + 2410;
	cap_mmap2(&cap, 10, 0x10000, 0x4000, 0, "/bin/b", id_b);
	hand(&l, true);
	tap_eq(samples(&l, "/bin/a", 0x1100), 1, "before_exec");
	tap_eq(samples(&l, "/bin/b", 0x100), 1, "after_exec");
	tap_eq(samples(&l, "/bin/b", 0x2100), 1, "beside_a_new_mapping");
	tap_eq(samples(&l, "/lib/c", 0x100), 1, "in_a_new_mapping");
	tap_eq(samples(&l, "/bin/b", 0x1100), 1, "below_it_before");
	tap_eq(samples(&l, "/bin/b", 0x200), 1, "rest_before_it");
	tap_eq(samples(&l, "/bin/b", 0x2200), 1, "rest_behind_it");
	maps = v9_live_maps(&l.places, 10, &n);
	tap_eq(n, 3, "parts");
	for (size_t i = 1; i < n; i++)
		tap_ok(maps[i - 1].end <= maps[i].start, "parts_do_not_overlap");

	/* a child has the mappings of its parent at the fork, not the later ones */
	batch();
	cap.time = ZERO + 8000;
	cap_fork(&cap, 20, 20, 10, 10);
	cap_fork(&cap, 20, 21, 20, 20);		/* its thread */
	cap.time = ZERO + 8010;
	cap_mmap2(&cap, 10, 0x10000, 0x1000, 0, "/lib/d", NULL);
	one(0x10300, 21, ZERO + 9600);
	one(0x10400, 10, ZERO + 9600);
	hand(&l, true);
	tap_eq(samples(&l, "/bin/b", 0x300), 1, "child_thread");
	tap_eq(samples(&l, "/lib/d", 0x400), 1, "parent_after_fork");

	/* trace of a process that has ended may come until the next whole batch */
	batch();
	cap.time = ZERO + 10000;
	cap_record(&cap, PERF_RECORD_EXIT, 0, (uint32_t [6]){ 20, 10, 20, 10 }, 24);
	hand(&l, false);
	tap_ok(v9_live_pid(&l.places, 20, &pid) && v9_live_pid(&l.places, 21, &pid), "a_thread_is_left");
	batch();
	cap.time = ZERO + 10000;
	cap_record(&cap, PERF_RECORD_EXIT, 0, (uint32_t [6]){ 20, 10, 21, 20 }, 24);
	hand(&l, true);
	batch();
	one(0x10500, 21, ZERO + 9700);
	hand(&l, true);
	tap_eq(samples(&l, "/bin/b", 0x500), 1, "trace_after_the_end");
	batch();
	hand(&l, true);
	tap_ok(!v9_live_pid(&l.places, 21, &pid), "thread_is_forgotten");
	batch();
	one(0x10600, 21, ZERO + 9800);
	hand(&l, true);
	tap_eq(samples(&l, NULL, 0x10600), 1, "process_is_forgotten");
	tap_ok(v9_live_find(&l.places, 10, UINT64_MAX, 0x10400) != NULL, "parent_is_not");
	/* the number of the process is used again */
	batch();
	cap.time = ZERO + 20000;
	cap_fork(&cap, 20, 20, 1, 1);
	one(0x10700, 20, ZERO + 21000);
	hand(&l, true);
	tap_eq(samples(&l, NULL, 0x10700), 1, "number_used_again");
	/* .. without a record of its end */
	batch();
	cap.time = ZERO + 30000;
	cap_fork(&cap, 20, 20, 10, 10);
	one(0x12800, 20, ZERO + 30500);
	cap.time = ZERO + 31000;
	cap_fork(&cap, 20, 20, 1, 1);
	one(0x12800, 20, ZERO + 32000);
	/* nothing is mapped yet after an exec */
	cap_fork(&cap, 40, 40, 10, 10);
	cap.time = ZERO + 33000;
	cap_comm(&cap, 40, 40, "c", 1);
	one(0x12900, 40, ZERO + 34000);
	hand(&l, true);
	tap_eq(samples(&l, "/bin/b", 0x2800), 1, "child_of_the_parent");
	tap_eq(samples(&l, NULL, 0x12800), 1, "number_used_again_without_an_end");
	tap_eq(samples(&l, NULL, 0x12900), 1, "nothing_mapped_after_exec");
	v9_live_free(&l);
}

/* Without contexts in the records: the thread that the CPU ran */
static void switches(void)
{
	struct v9_live l;

	begin(&l, 1 << 20, false);
	cap_comm(&cap, 30, 31, "b", 0);
	cap_mmap2(&cap, 30, 0x10000, 0x4000, 0, "/bin/b", id_b);
	one(0x10100, NO_TID, ZERO + 1600);
	one(0x10100, NO_TID, ZERO + 3200);
	one(0x10100, NO_TID, ZERO + 4800);
	cap_switch(&cap, 10, 10, ZERO + 800, 0);
	cap_switch(&cap, 10, 10, ZERO + 2400, PERF_RECORD_MISC_SWITCH_OUT);
	cap.time = ZERO + 2400;
	cap_switch_to(&cap, 30, 31);
	hand(&l, true);
	tap_eq(samples(&l, "/bin/a", 0x1100), 1, "thread_before_the_switch");
	tap_eq(samples(&l, "/bin/b", 0x100), 2, "thread_after_the_switch");
	for (int i = 0; i < 4; i++) {
		batch();
		one(0x10100, NO_TID, ZERO + 6400);
		hand(&l, true);
	}
	tap_eq(samples(&l, "/bin/b", 0x100), 6, "thread_still_runs");
	v9_live_free(&l);
}

static void by_line(void)
{
	struct v9_live l;
	uint8_t r[64];
	uint64_t lines[2] = { 0 };

	begin(&l, 1 << 20, true);
	for (int i = 0; i < 4; i++) {
		spe(r, 0x10100, 10, ZERO + 1600, i < 3 ? 0x5000 + 63 * (i == 1) : 0x5040);
		aux(r, sizeof(r));
	}
	hand(&l, true);
	tap_eq(l.profile.sums.used, 2, "two_lines");
	for (size_t i = 0; i < l.profile.sums.used && i < 2; i++) {
		const struct v9_live_sum *s = v9_bins_get(&l.profile.sums, i);

		lines[i] = s->line;
		tap_eq(s->value[V9_W_SAMPLES], i ? 1 : 3, "samples_of_a_line");
		tap_eq(s->pid, 10, "process_of_a_line");
	}
	tap_ok(lines[0] == 0x5000 && lines[1] == 0x5040, "addresses_of_lines");
	v9_live_free(&l);
}

/* ---- CPU types */

#define MIDR_A	0x410fd490u
#define MIDR_B	0x410fd8e0u

static void begin_types(struct v9_live *l, bool types)
{
	const struct {
		struct pd_registers head;
		struct pd_register row[3];
	} section = {
		{ PD_REGISTERS_VERSION, 3 },
		{ { .cpu = 0, .encoding = PD_MIDR_EL1, .mask = UINT64_MAX, .value = MIDR_A },
		  { .cpu = 1, .encoding = PD_MIDR_EL1, .mask = UINT64_MAX, .value = MIDR_B },
		  { .cpu = 2, .encoding = PD_MIDR_EL1, .mask = UINT64_MAX, .value = MIDR_A } },
	};
	const struct v9_live_setup setup = {
		.types = types, .registers = (const uint8_t *)&section, .registers_size = sizeof(section),
	};

	v9_live_init(l, &setup);
	batch();
	cap_time_conv(&cap, ZERO);
	cap_comm(&cap, 10, 10, "a", 0);
	cap_mmap2(&cap, 10, 0x10000, 0x4000, 0x1000, "/bin/a", id_a);
}

/* @n records of different addresses, on a CPU; @at: what its stream has before */
static void on_cpu(uint32_t cpu, uint64_t at, unsigned int n)
{
	uint8_t r[64];

	for (unsigned int i = 0; i < n; i++) {
		spe(r, 0x10000 + 4 * i, 10, ZERO + 1600, 0);
		cap_aux(&cap, cpu, CAP_NONE, at + 64 * i, r, sizeof(r));
	}
}

/* Sums by data source, of loads and stores alone, and by latency, of all records */
static uint64_t class(const struct v9_live *l, enum v9_live_what what, uint64_t midr, uint64_t of,
		      enum v9_weight weight)
{
	for (size_t i = 0; i < l->profile.classes.used; i++) {
		const struct v9_live_class *c = v9_bins_get(&l->profile.classes, i);

		if (c->what == what && c->midr == midr && c->of == of)
			return c->value[weight];
	}
	return 0;
}

static uint64_t samples_of_type(const struct v9_live *l, uint64_t midr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->profile.sums.used; i++) {
		const struct v9_live_sum *s = v9_bins_get(&l->profile.sums, i);

		sum += s->midr == midr ? s->value[V9_W_SAMPLES] : 0;
	}
	return sum;
}

static const struct v9_live_type *type_of(const struct v9_live *l, uint64_t midr)
{
	for (size_t i = 0; i < l->profile.nr_types; i++)
		if (l->profile.types[i].midr == midr)
			return &l->profile.types[i];
	return NULL;
}

/* @source UINT32_MAX: none. Without a latency if that is 0 */
static void classed(uint32_t cpu, uint64_t at, uint8_t op_class, uint32_t source, uint16_t latency)
{
	uint8_t r[64] = { 0 }, *p = r;

	p = put(p, 0xb0, 0x10100 | UINT64_C(1) << 63, 8);
	p = put(p, 0x62, 0x0e, 4);
	p = put(p, 0x48 | op_class, 0, 1);
	if (latency)
		p = put(p, 0x98, latency, 2);
	if (source != UINT32_MAX)
		p = put(p, 0x43, source, 1);
	put(p, 0x71, TICKS(ZERO + 160), 8);
	cap_aux(&cap, cpu, CAP_NONE, at, r, sizeof(r));
}

static void classes(void)
{
	struct v9_live l;

	begin_types(&l, false);
	l.setup.classes = true;
	v9_bins_init(&l.profile.classes, sizeof(struct v9_live_class));
	classed(0, 0, 1, 8, 31);
	classed(0, 64, 1, 8, 32);
	classed(1, 0, 1, 8, 63);
	classed(1, 64, 1, UINT32_MAX, 1);
	classed(1, 128, 2, UINT32_MAX, 65535);	/* a branch has none */
	classed(1, 192, 2, UINT32_MAX, 0);
	hand(&l, true);
	tap_eq(class(&l, V9_LIVE_SOURCE, MIDR_A, 8, V9_W_SAMPLES), 2, "source_of_one_type");
	tap_eq(class(&l, V9_LIVE_SOURCE, MIDR_A, 8, V9_W_LATENCY), 63, "latency_of_a_source");
	tap_eq(class(&l, V9_LIVE_SOURCE, MIDR_B, 8, V9_W_SAMPLES), 1, "source_of_another_type");
	tap_eq(class(&l, V9_LIVE_SOURCE, 0, V9_LIVE_NONE, V9_W_SAMPLES), 1, "load_without_a_source");
	tap_eq(class(&l, V9_LIVE_LATENCY, 0, 5, V9_W_SAMPLES), 1, "latencies_to_31");
	tap_eq(class(&l, V9_LIVE_LATENCY, 0, 6, V9_W_SAMPLES), 2, "latencies_to_63");
	tap_eq(class(&l, V9_LIVE_LATENCY, 0, 1, V9_W_SAMPLES), 1, "latency_of_1");
	tap_eq(class(&l, V9_LIVE_LATENCY, 0, 16, V9_W_SAMPLES), 1, "greatest_latency");
	tap_eq(class(&l, V9_LIVE_LATENCY, 0, V9_LIVE_NONE, V9_W_SAMPLES), 1, "without_a_latency");
	tap_eq(l.profile.sums.used, 1, "types_are_not_apart");
	v9_live_next(&l);
	tap_eq(l.profile.classes.used, 0, "no_classes_in_the_next_interval");
	v9_live_free(&l);
}

/* Asked for, they are added up until the end of the next interval in which nobody asks. */
static void classes_on_demand(void)
{
	struct v9_live l;

	begin_types(&l, false);
	classed(0, 0, 1, 8, 31);
	hand(&l, true);
	v9_live_ask_classes(&l);
	tap_eq(l.profile.classes.used, 0, "nothing_of_before");
	batch();
	classed(0, 64, 1, 8, 31);
	hand(&l, true);
	v9_live_ask_classes(&l);
	tap_eq(class(&l, V9_LIVE_SOURCE, MIDR_A, 8, V9_W_SAMPLES), 1, "from_then_on");
	v9_live_next(&l);
	batch();
	classed(0, 128, 1, 8, 31);
	hand(&l, true);
	tap_eq(class(&l, V9_LIVE_SOURCE, MIDR_A, 8, V9_W_SAMPLES), 1, "in_the_next_interval");
	v9_live_next(&l);
	tap_ok(!l.setup.classes, "until_nobody_asks");
	batch();
	classed(0, 192, 1, 8, 31);
	hand(&l, true);
	v9_live_ask_classes(&l);
	tap_eq(l.profile.classes.used, 0, "asked_for_again");
	v9_live_free(&l);
}

/* Sources and latencies are apart by period, as sums are. */
static void periods_of_classes(void)
{
	const struct v9_live_period period[] = {
		{ .header = { .type = V9_LIVE_PERIOD, .size = sizeof(period[0]) }, .period = 1024 },
		{ .header = { .type = V9_LIVE_PERIOD, .size = sizeof(period[0]) }, .offset = 64, .period = 4096 },
	};
	uint64_t samples[2] = { 0 };
	struct v9_live l;

	begin_types(&l, false);
	v9_live_ask_classes(&l);
	tap_eq(v9_live_period(&l), 0, "no_period_yet");
	v9_live_read(&l, (const uint8_t *)period, sizeof(period), false);
	classed(0, 0, 1, 8, 31);
	classed(0, 64, 1, 8, 31);
	classed(0, 128, 1, 8, 31);
	hand(&l, true);
	for (size_t i = 0; i < l.profile.classes.used; i++) {
		const struct v9_live_class *c = v9_bins_get(&l.profile.classes, i);

		samples[c->period == 4096] += c->what == V9_LIVE_SOURCE ? c->value[V9_W_SAMPLES] : 0;
	}
	tap_ok(samples[0] == 1 && samples[1] == 2 && l.profile.classes.used == 4, "classes_by_period");
	tap_eq(v9_live_period(&l), 4096, "period_of_the_last_data");
	v9_live_free(&l);
}

static void cpu_types(void)
{
	const unsigned int most = (unsigned int)v9_live_most(0);
	const struct v9_live_type *a, *b, *unknown;
	struct v9_live l;

	begin_types(&l, true);
	on_cpu(0, 0, 1);
	on_cpu(1, 0, 2);
	on_cpu(2, 0, 4);
	on_cpu(3, 0, 8);	/* came online later */
	hand(&l, true);
	tap_eq(l.profile.nr_types, 3, "types");
	tap_eq(samples_of_type(&l, MIDR_A), 5, "first_type");
	tap_eq(samples_of_type(&l, MIDR_B), 2, "second_type");
	tap_eq(samples_of_type(&l, 0), 8, "type_that_is_not_known");
	tap_eq(l.profile.sums.used, 4 + 2 + 8, "sums_of_types");
	v9_live_next(&l);
	batch();
	on_cpu(1, 128, 1);
	hand(&l, true);
	tap_ok(l.profile.nr_types == 1 && type_of(&l, MIDR_B), "types_of_the_next_interval");
	v9_live_next(&l);

	/* Half of the sums goes, the oldest first: all of B, and those of A that exceed its half. */
	batch();
	on_cpu(1, 192, most / 4);
	on_cpu(0, 64, most / 2);
	on_cpu(3, 512, most / 4 + 1);
	hand(&l, true);
	a = type_of(&l, MIDR_A);
	b = type_of(&l, MIDR_B);
	unknown = type_of(&l, 0);
	tap_eq(a ? a->evicted[V9_W_SAMPLES] : 0, most / 4, "evicted_of_first_type");
	tap_eq(b ? b->evicted[V9_W_SAMPLES] : 0, most / 4, "evicted_of_second_type");
	tap_ok(unknown && !unknown->evicted[V9_W_SAMPLES], "evicted_of_unknown_type");
	v9_live_free(&l);

	begin_types(&l, false);
	on_cpu(0, 0, 1);
	on_cpu(1, 0, 2);
	hand(&l, true);
	tap_eq(l.profile.sums.used, 2, "types_are_added_up");
	v9_live_free(&l);
}

/* ---- the bound */

static void eviction(void)
{
	const size_t most = v9_live_most(0);
	uint64_t given = 0, hot = 0;
	size_t highest = 0;
	struct v9_live l;

	tap_ok(v9_live_most(64 << 20) * (sizeof(struct v9_live_sum) + 40) <= 64 << 20, "bound_of_memory");
	tap_ok(v9_live_most(64 << 20) > 300000, "bound_is_used");
	begin(&l, 0, false);
	cap_mmap2(&cap, 10, 0x1000000, 0x1000000, 0, "/lib/big", NULL);
	hand(&l, true);
	for (unsigned int i = 0; i < 40; i++) {
		batch();
		for (unsigned int k = 0; k < 100; k++, given++)
			one(0x1000000 + 4 * given, 10, ZERO + 1600);
		for (unsigned int k = 0; k < 20; k++, hot++)
			one(0x10000 + 4 * (k % 10), 10, ZERO + 1600);
		hand(&l, true);
		highest = l.profile.sums.used > highest ? l.profile.sums.used : highest;
	}
	tap_ok(highest <= most && highest > most / 2, "never_more_sums");
	for (unsigned int k = 0; k < 10; k++)
		tap_eq(samples(&l, "/bin/a", 0x1000 + 4 * k), hot / 10, "hot_ones_stay");
	tap_eq(all_samples(&l), given + hot, "evicted_ones_are_counted");
	tap_eq(l.profile.evicted, given + 10 - l.profile.sums.used, "number_of_evicted");
	tap_eq(evicted(&l, V9_W_LATENCY), 30 * l.profile.evicted, "latency_of_evicted");
	tap_eq(samples(&l, "/lib/big", 4 * (given - 1)), 1, "newest_is_there");
	tap_eq(samples(&l, "/lib/big", 0), 0, "oldest_of_the_smallest_is_not");
	v9_live_next(&l);
	tap_eq(l.profile.evicted, 0, "evicted_of_next_interval");
	/* 300 sums of one sample, the others of two: half of all goes, those of one sample first. */
	for (size_t i = 0; i <= most; i++) {
		batch();
		one(0x1000000 + 4 * i, 10, ZERO + 1600);
		if (i >= 300)
			one(0x1000000 + 4 * i, 10, ZERO + 1600);
		hand(&l, true);
	}
	tap_eq(l.profile.evicted, most / 2, "half_is_evicted");
	tap_eq(evicted(&l, V9_W_SAMPLES), 300 + 2 * (most / 2 - 300), "smallest_first");
	tap_eq(l.profile.sums.used, most - most / 2 + 1, "half_is_left");
	v9_live_free(&l);
}

static const struct v9_live_space *space(const struct v9_live_places *p, uint32_t pid)
{
	const struct v9_live_node *n = p->spaces.slot[pid * 2654435761u & (p->spaces.room - 1)];

	while (n && n->key != pid)
		n = n->next;
	return (const struct v9_live_space *)n;
}

/* A process that maps again and again: perf does not say what is unmapped. */
static void many_maps(void)
{
	struct v9_live l;
	uint64_t dropped;
	size_t n;

	begin(&l, 1 << 20, false);
	for (unsigned int i = 0; i < 3 * V9_LIVE_MAPS; i++) {
		cap.time = ZERO + i;
		cap_mmap2(&cap, 10, 0x100000 + 0x2000ull * i, 0x1000, 0, "/lib/x", NULL);
	}
	hand(&l, true);
	v9_live_maps(&l.places, 10, &n);
	tap_ok(n <= V9_LIVE_MAPS, "bound_of_mappings");
	tap_eq(n + l.places.dropped, 3 * V9_LIVE_MAPS + 1, "dropped_mappings_are_counted");
	tap_ok(v9_live_find(&l.places, 10, UINT64_MAX, 0x100000 + 0x2000ull * (3 * V9_LIVE_MAPS - 1)),
	       "newest_mapping_stays");
	/* the same place again and again: old mappings are forgotten */
	dropped = l.places.dropped;
	batch();
	for (unsigned int i = 0; i < 3 * V9_LIVE_MAPS; i++)
		cap_mmap2(&cap, 10, 0x1000, 0x1000, i * 0x1000ull, "/lib/x", NULL);
	hand(&l, true);
	tap_ok(space(&l.places, 10)->nr_old <= V9_LIVE_MAPS, "bound_of_old_mappings");
	tap_eq(l.places.dropped - dropped, 3 * V9_LIVE_MAPS - 1 - space(&l.places, 10)->nr_old, "dropped_old_mappings");
	v9_live_free(&l);
}

/* Returns the index of the object that is mapped at @addr, or -1. */
static int64_t at(const struct v9_live_places *p, uint32_t pid, uint64_t time, uint64_t addr)
{
	const struct v9_live_map *m = v9_live_find(p, pid, time, addr);

	return m ? (int64_t)m->object : -1;
}

/* What a child had of its parent is kept once, with the parent, and found until it is forgotten. */
static void inherited(void)
{
	struct v9_live_places p = { .round = 0 };
	const uint32_t a = v9_live_object(&p, "/bin/a", NULL, 0), b = v9_live_object(&p, "/bin/b", NULL, 0),
		       c = v9_live_object(&p, "/lib/c", NULL, 0);

	v9_live_thread(&p, 10, 10);
	v9_live_map(&p, 100, 10, 0x1000, 0x1000, 0, a);
	v9_live_fork(&p, 200, 20, 20, 10);
	v9_live_map(&p, 210, 10, 0x1000, 0x1000, 0, b);
	v9_live_map(&p, 220, 20, 0x3000, 0x1000, 0, c);
	tap_eq(at(&p, 20, UINT64_MAX, 0x1000), a, "child_before_exec");
	v9_live_fork(&p, 240, 30, 30, 20);
	v9_live_exec(&p, 300, 20);
	v9_live_map(&p, 310, 20, 0x1000, 0x1000, 0, b);
	v9_live_exit(&p, 320, 30, 30);
	v9_live_exit(&p, 330, 10, 10);
	for (int forgot = 0; forgot < 2; forgot++) {
		tap_eq(at(&p, 20, 199, 0x1000), -1, "before_the_fork");
		tap_eq(at(&p, 20, 200, 0x1000), a, "from_the_fork_on");
		tap_eq(at(&p, 20, 299, 0x1000), a, "to_the_exec");
		tap_eq(at(&p, 20, 300, 0x1000), -1, "not_after_the_exec");
		tap_eq(at(&p, 20, 310, 0x1000), b, "mapped_after_the_exec");
		tap_eq(at(&p, 20, 219, 0x3000), -1, "before_its_own_mapping");
		tap_eq(at(&p, 20, 299, 0x3000), c, "its_own_mapping");
		tap_eq(at(&p, 30, 239, 0x1000), -1, "grandchild_before_the_fork");
		tap_eq(at(&p, 30, 319, 0x1000), a, "grandchild");
		tap_eq(at(&p, 30, 319, 0x3000), c, "grandchild_of_its_parent");
		tap_eq(at(&p, 30, 320, 0x1000), -1, "grandchild_after_the_exit");
		tap_eq(space(&p, 20)->nr_old, 1, "kept_once");
		tap_eq(space(&p, 30)->nr_old, 0, "kept_once_for_grandchild");
		v9_live_forget(&p);
	}
	tap_eq(at(&p, 20, 299, 0x1000), -1, "forgotten");
	tap_eq(space(&p, 20)->nr_inherited, 0, "forgotten_forks");
	tap_ok(!space(&p, 10) && !space(&p, 30), "forgotten_processes");

	/* At the exec, the parent's old mappings have been forgotten, so the child's copies are kept. */
	v9_live_map(&p, 400, 40, 0x1000, 0x1000, 0, a);
	v9_live_fork(&p, 410, 41, 41, 40);
	v9_live_fork(&p, 410, 42, 42, 40);
	v9_live_map(&p, 420, 40, 0x1000, 0x1000, 0, b);
	v9_live_forget(&p);
	v9_live_exec(&p, 430, 42);
	v9_live_forget(&p);
	v9_live_exec(&p, 440, 41);
	tap_eq(at(&p, 42, 429, 0x1000), a, "exec_in_the_next_round");
	tap_eq(at(&p, 41, 439, 0x1000), a, "exec_in_a_later_round");
	/* The number of a process, used again in the same round */
	v9_live_map(&p, 450, 50, 0x1000, 0x1000, 0, a);
	v9_live_fork(&p, 460, 51, 51, 50);
	v9_live_exit(&p, 470, 51, 51);
	v9_live_map(&p, 480, 50, 0x1000, 0x1000, 0, b);
	v9_live_fork(&p, 490, 51, 51, 50);
	v9_live_exit(&p, 500, 51, 51);
	tap_eq(at(&p, 51, 469, 0x1000), a, "first_of_two_with_a_number");
	tap_eq(at(&p, 51, 470, 0x1000), -1, "between_both");
	tap_eq(at(&p, 51, 490, 0x1000), b, "second_of_them");
	/* The initial state: mappings of the process have the time of its fork */
	v9_live_map(&p, 0, 70, 0x1000, 0x1000, 0, a);
	v9_live_fork(&p, 0, 71, 71, 70);
	v9_live_map(&p, 0, 71, 0x1000, 0x1000, 0, b);
	v9_live_map(&p, 0, 71, 0x5000, 0x1000, 0, c);
	v9_live_exec(&p, 505, 71);
	tap_eq(at(&p, 71, 504, 0x1000), b, "mapped_at_the_time_of_the_fork");
	tap_eq(at(&p, 71, 504, 0x5000), c, "another_one");
	/* Objects of mappings of an ancestor are kept. A look-up goes through a limited number of ancestors. */
	v9_live_map(&p, 600, 80, 0x1000, 0x1000, 0, a);
	for (uint32_t pid = 81; pid < 81 + 9; pid++)
		v9_live_fork(&p, 600 + pid, pid, pid, pid - 1);
	for (uint32_t pid = 80; pid < 81 + 9; pid++)
		v9_live_exec(&p, 700, pid);
	v9_live_collect(&p, NULL, NULL);
	v9_live_map(&p, 710, 80, 0x1000, 0x1000, 0, v9_live_object(&p, "/bin/new", NULL, 0));
	tap_eq(at(&p, 81, 699, 0x1000), a, "object_of_the_parent_stays");
	tap_eq(at(&p, 87, 699, 0x1000), a, "seven_generations");
	tap_eq(at(&p, 88, 699, 0x1000), -1, "eight_generations");
	/* A child of which some mappings were dropped keeps what it inherited. */
	v9_live_map(&p, 720, 90, 0x1000, 0x1000, 0, a);
	v9_live_fork(&p, 730, 91, 91, 90);
	v9_live_map(&p, 731, 91, 0x1000, 0x1000, 0, b);
	for (uint64_t i = 0; i < 3 * V9_LIVE_MAPS; i++)
		v9_live_map(&p, 732 + i, 91, 0x100000 + i * 0x1000, 0x1000, 0, b);
	v9_live_exec(&p, 900000, 91);
	tap_eq(at(&p, 91, 899999, 0x1000), -1, "not_the_parents_where_its_own_was_dropped");
	v9_live_exit(&p, 900000, 91, 91);
	v9_live_fork(&p, 900000, 91, 91, 90);
	v9_live_exec(&p, 900001, 91);
	tap_eq(space(&p, 91)->nr_inherited, 1, "kept_once_again");
	/* A mapping that was dropped is found at the times before. */
	v9_live_map(&p, 900001, 92, 0x1000, 0x1000, 0, a);
	v9_live_fork(&p, 900002, 93, 93, 92);
	v9_live_exec(&p, 900003, 93);
	for (uint64_t i = 0; i < V9_LIVE_MAPS; i++)
		v9_live_map(&p, 900004 + i, 92, 0x100000 + i * 0x1000, 0x1000, 0, b);
	tap_eq(at(&p, 92, UINT64_MAX, 0x1000), -1, "dropped");
	tap_eq(at(&p, 92, 900001, 0x1000), a, "before_it_was_dropped");
	tap_eq(at(&p, 93, 900002, 0x1000), a, "of_a_child_before_that");
	/* Records that cannot be: each is the parent of the other */
	v9_live_fork(&p, 510, 60, 60, 61);
	v9_live_fork(&p, 510, 61, 61, 60);
	v9_live_exec(&p, 520, 60);
	v9_live_exec(&p, 520, 61);
	tap_eq(at(&p, 60, 515, 0x1000), -1, "parents_of_each_other");
	v9_live_places_free(&p);
}

static void objects(void)
{
	struct v9_live l;
	char name[32];
	size_t n;

	begin(&l, 1 << 20, false);
	hand(&l, true);
	for (int round = 0; round < 20; round++) {
		batch();
		for (int i = 0; i < 50; i++) {
			snprintf(name, sizeof(name), "/tmp/%d-%d", round, i);
			cap_mmap2(&cap, 10, 0x100000 + 0x1000ull * i, 0x1000, 0, name, NULL);
		}
		hand(&l, true);
		batch();
		hand(&l, true);
		v9_live_next(&l);
	}
	n = l.places.nr_objects;
	tap_ok(n <= 110, "objects_that_are_unmapped_are_freed");
	tap_eq(v9_live_object(&l.places, "/bin/a", id_a, 20), 0, "object_is_found_again");
	tap_ok(v9_live_object(&l.places, "/bin/a", id_b, 20) != 0, "another_build_id");
	tap_ok(v9_live_object(&l.places, "/bin/a", NULL, 0) != 0, "no_build_id");
	v9_live_free(&l);
}

static unsigned int find_id(void *arg, const char *name, bool kernel, uint8_t id[V9_LIVE_ID])
{
	int *calls = arg;

	++*calls;
	memset(id, kernel ? 0x77 : 0x55, V9_LIVE_ID);
	return strcmp(name, "/none") ? 20 : 0;
}

static void build_ids(void)
{
	int calls = 0;
	const struct v9_live_setup setup = { .memory = 1 << 20, .find_id = find_id, .arg = &calls };
	const struct v9_live_map *m;
	struct v9_live l;

	v9_live_init(&l, &setup);
	batch();
	cap_kernel(&cap, 0xffff800080000000, 0x1000000);
	cap_mmap2(&cap, 10, 0x10000, 0x1000, 0, "/bin/a", id_a);
	cap_mmap2(&cap, 10, 0x20000, 0x1000, 0, "/bin/b", NULL);
	cap_mmap2(&cap, 10, 0x30000, 0x1000, 0, "/none", NULL);
	cap_mmap2(&cap, 10, 0x40000, 0x1000, 0, "//anon", NULL);
	cap_mmap2(&cap, 10, 0x50000, 0x1000, 0, "[vdso]", NULL);
	hand(&l, true);
	tap_eq(calls, 3, "ids_asked_for");
	m = v9_live_find(&l.places, V9_KERNEL_PID, UINT64_MAX, 0xffff800080000000);
	tap_ok(m && l.places.objects[m->object].id_size == 20 &&
	       l.places.objects[m->object].id[0] == 0x77, "id_of_the_kernel");
	for (uint64_t at = 0x10000; at <= 0x50000; at += 0x10000) {
		const struct v9_live_object *o;

		m = v9_live_find(&l.places, 10, UINT64_MAX, at);
		o = m ? &l.places.objects[m->object] : NULL;
		tap_ok(o && o->id_size == (at < 0x30000 ? 20 : 0) &&
		       (at >= 0x30000 || o->id[0] == (at == 0x10000 ? 0xaa : 0x55)), "id_of_a_file");
	}
	v9_live_free(&l);
}

/* ---- losses */

static void losses(void)
{
	uint8_t r[128];
	struct v9_live l;

	begin(&l, 1 << 20, false);
	spe(r, 0x10100, 10, ZERO + 1600, 0);
	spe(r + 64, 0x10200, 10, ZERO + 1600, 0);
	aux(r, 64 + 20);	/* cut by the unit */
	cap_aux_record(&cap, 0, 84, PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_COLLISION);
	cap_record(&cap, PERF_RECORD_LOST, 0, (uint64_t [2]){ 1, 7 }, 16);
	/* Of a CPU that was away, of a pause, and of another recorder */
	for (unsigned int i = 0; i < 3; i++) {
		const struct pd_auxtrace_error e = { .type = 1, .code = 0x7639 + i, .ip = 100 + i };

		cap_record(&cap, PD_REC_AUXTRACE_ERROR, 0, &e.type, sizeof(e) - sizeof(e.header));
	}
	hand(&l, true);
	batch();
	aux(r, 128);		/* it goes on with a record */
	cap_aux_record(&cap, 84, 128, 0);
	hand(&l, true);
	batch();
	stream += 1000;		/* bytes that are not there */
	aux(r, 128);
	aux(r, 30);
	hand(&l, true);
	v9_live_end(&l);
	v9_live_account(&l);
	tap_eq(l.profile.acc.records, 5, "records_around_losses");
	tap_eq(samples(&l, "/bin/a", 0x1100), 3, "first_address");
	tap_eq(samples(&l, "/bin/a", 0x1200), 2, "second_address");
	tap_eq(l.profile.aux.truncated, 1, "truncated");
	tap_eq(l.profile.aux.collision, 1, "collision");
	tap_eq(l.profile.lost.lost_records, 7, "lost_records");
	tap_ok(l.profile.lost.cpu_away == 1 && l.profile.lost.cpu_away_ns == 100, "cpu_away");
	tap_ok(l.profile.lost.paused == 1 && l.profile.lost.paused_ns == 101, "paused");
	tap_eq(l.profile.acc.skipped[V9_SPE_SKIP_LOSS], 20, "skipped_loss");
	/* perf's zero bytes behind a chunk are padding between records, or part of the one that is cut */
	tap_eq(v9_spe_account_bytes(&l.profile.acc), l.profile.aux.bytes, "each_byte_is_accounted_for");
	tap_ok(l.profile.acc.skipped[V9_SPE_SKIP_CUT] > 0, "skipped_cut");
	v9_live_free(&l);
}

/* Any bytes: no crash, and no byte is lost. */
static void damaged(void)
{
	uint64_t x = 1;
	uint8_t r[64];

	for (unsigned int round = 0; round < 300; round++) {
		struct v9_live l;

		begin(&l, 0, true);
		cap_fork(&cap, 20, 20, 10, 10);
		cap_switch_to(&cap, 20, 20);
		for (unsigned int i = 0; i < 20; i++) {
			spe(r, 0x10000 + i * 8, 20, ZERO + 1600 * i, 0x5000 + i);
			aux(r, sizeof(r));
			cap_aux_record(&cap, stream - 64, 64, 0);
			cap_mmap2(&cap, 20, 0x10000 + 0x800 * i, 0x1000, 0, "/lib/c", id_b);
		}
		for (unsigned int i = 0; i < 8; i++) {
			x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			cap.b[cap.data + (x >> 33) % (cap.n - cap.data)] = (uint8_t)(x >> 25);
		}
		if (round % 3 == 0)
			cap.n = cap.data + (x >> 20) % (cap.n - cap.data);
		hand(&l, true);
		hand(&l, false);
		v9_live_end(&l);
		v9_live_account(&l);
		if (v9_spe_account_bytes(&l.profile.acc) + l.profile.late_bytes != l.profile.aux.bytes ||
		    all_samples(&l) != l.profile.acc.records)
			tap_ok(false, "damaged_bytes");
		v9_live_free(&l);
	}
	tap_ok(true, "damaged_bytes");
}

/* ---- the thread */

struct writes {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int held, reached;		/* a call waits until .held is 0 */
	int fail;			/* so many calls fail */
	int calls;
	uint64_t samples[8], begin[8], end[8], bytes[8], late[8], skipped[8], lost[8], maps[8];
};

static int keep(void *arg, const struct v9_live *l)
{
	struct writes *w = arg;
	const struct v9_live_profile *p = &l->profile;

	pthread_mutex_lock(&w->lock);
	w->reached++;
	pthread_cond_broadcast(&w->changed);
	while (w->held)
		pthread_cond_wait(&w->changed, &w->lock);
	w->samples[w->calls] = all_samples(l);
	w->begin[w->calls] = p->begin;
	w->end[w->calls] = p->end;
	w->bytes[w->calls] = p->aux.bytes;
	w->late[w->calls] = p->late_bytes;
	w->lost[w->calls] = p->lost.lost_records;
	w->skipped[w->calls] = p->acc.skipped[V9_SPE_SKIP_CUT] + p->acc.skipped[V9_SPE_SKIP_GAP];
	w->maps[w->calls] = p->maps_dropped;
	w->calls++;
	pthread_mutex_unlock(&w->lock);
	if (!w->fail)
		return 0;
	w->fail--;
	return -ENOSPC;
}

static void give(struct v9_worker *w, unsigned int records)
{
	const struct pd_auxtrace a = { .offset = stream, .cpu = 0 };
	uint8_t bytes[64 * 16];

	for (unsigned int i = 0; i < records; i++)
		spe(bytes + 64 * i, 0x10100, 10, ZERO + 1600, 0);
	/* in two parts, as from the end and the begin of a ring */
	v9_worker_aux(w, &a, bytes, 24, bytes + 24, 64 * records - 24);
	stream += 64 * records;
}

static atomic_int looked;

static void look_once(void *arg, struct v9_live *l)
{
	(void)arg;
	(void)l;
	atomic_store(&looked, 1);
}

static void *look_at(void *w)
{
	v9_worker_look(w, look_once, NULL);
	return NULL;
}

static void worker(void)
{
	struct writes writes = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
	const struct v9_worker_setup setup = { .live = { .memory = 1 << 20, .begin = 100 }, .most = 64 * 10 + 32,
					       .write = keep, .arg = &writes };
	const struct pd_event_header comm[8] = { { .type = PERF_RECORD_COMM, .size = sizeof(comm) } };
	struct v9_worker_total total;
	struct v9_worker *w = v9_worker_start(&setup);
	const uint8_t *p;
	pthread_t thread;

	stream = 0;
	batch();
	cap_time_conv(&cap, ZERO);
	cap_comm(&cap, 10, 10, "a", 0);
	cap_mmap2(&cap, 10, 0x10000, 0x4000, 0x1000, "/bin/a", id_a);
	for (p = cap.b + cap.data; p < cap.b + cap.n; p += ((struct pd_event_header *)p)->size)
		v9_worker_record(w, p, ((struct pd_event_header *)p)->size);
	give(w, 3);
	v9_worker_round(w, true);
	writes.held = 1;
	v9_worker_interval(w, 200);
	/* While the profile is written, the thread reads nothing. */
	pthread_mutex_lock(&writes.lock);
	while (!writes.reached)
		pthread_cond_wait(&writes.changed, &writes.lock);
	pthread_mutex_unlock(&writes.lock);
	/* Nor does anybody look at the sums. */
	pthread_create(&thread, NULL, look_at, w);
	usleep(200000);
	tap_eq(atomic_load(&looked), 0, "looking_waits");
	give(w, 8);
	v9_worker_round(w, true);
	give(w, 4);		/* two fit, and half of one */
	v9_worker_round(w, true);
	give(w, 4);		/* none fits */
	v9_worker_round(w, true);
	for (int i = 0; i < 50; i++)
		v9_worker_record(w, comm, sizeof(comm));
	v9_worker_round(w, true);
	writes.fail = 2;
	v9_worker_interval(w, 300);
	v9_worker_interval(w, 400);
	pthread_mutex_lock(&writes.lock);
	writes.held = 0;
	pthread_cond_broadcast(&writes.changed);
	pthread_mutex_unlock(&writes.lock);
	pthread_join(thread, NULL);
	tap_eq(atomic_load(&looked), 1, "then_it_looks");
	v9_worker_stop(w, 500, &total);

	/* The first two cannot be written: the third has their sums, too. */
	tap_eq(writes.calls, 4, "profiles_tried");
	tap_eq(writes.begin[0], 100, "begin_of_interval");
	tap_eq(writes.end[0], 200, "end_of_interval");
	tap_eq(writes.samples[0], 3, "samples_of_interval");
	tap_eq(writes.begin[2], 100, "begin_after_failures");
	tap_eq(writes.end[2], 400, "end_after_failures");
	tap_eq(writes.bytes[2], 19 * 64, "bytes_after_failures");
	tap_eq(writes.samples[2], 3 + 10, "samples_after_failures");
	tap_eq(writes.late[2], 6 * 64 - 32, "late_bytes");
	/* 64 bytes each, in four times the bytes that may wait */
	tap_eq(writes.lost[2], 50 - 4 * setup.most / 64, "records_that_were_not_kept");
	tap_eq(total.lost_records, writes.lost[2], "records_that_were_not_kept_in_all");
	tap_eq(writes.begin[3], 400, "begin_of_the_last");
	tap_eq(writes.samples[3], 0, "samples_of_the_last");
	tap_eq(writes.skipped[3], 32, "cut_by_late_bytes");
	tap_eq(total.profiles, 2, "profiles_written");
	tap_eq(total.records, 13, "records_in_all");
	tap_eq(total.bytes, 19 * 64, "bytes_in_all");
	tap_eq(total.late_bytes, 6 * 64 - 32, "late_bytes_in_all");
	tap_eq(total.skipped, 32, "skipped_in_all");
	tap_eq(total.error, 0, "last_one_was_written");
}

/* Dropped mappings count in the interval in which they are, and those of one that is not written in the next, too. */
static void dropped_maps(void)
{
	struct writes writes = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .fail = 1 };
	const struct v9_worker_setup setup = {
		.live = { .memory = 1 << 20 }, .most = 4096, .write = keep, .arg = &writes,
	};
	struct v9_worker_total total;
	struct v9_worker *w = v9_worker_start(&setup);

	for (int round = 0; round < 2; round++) {
		batch();
		for (unsigned int i = 0; i <= V9_LIVE_MAPS; i++)
			cap_mmap2(&cap, 10 + round, 0x100000 + 0x2000ull * i, 0x1000, 0, "/lib/x", NULL);
		for (const uint8_t *p = cap.b + cap.data; p < cap.b + cap.n; p += ((struct pd_event_header *)p)->size)
			v9_worker_tell(w, p, ((struct pd_event_header *)p)->size);
		v9_worker_round(w, true);
		v9_worker_interval(w, 100 + round);
	}
	v9_worker_interval(w, 200);
	v9_worker_stop(w, 300, &total);
	tap_eq(writes.calls, 4, "intervals");
	tap_eq(writes.maps[0], V9_LIVE_MAPS / 4, "dropped_in_the_first");
	tap_eq(writes.maps[1], 2 * (V9_LIVE_MAPS / 4), "dropped_in_both");
	tap_ok(!writes.maps[2] && !writes.maps[3], "dropped_before");
	tap_eq(total.maps_dropped, 2 * (V9_LIVE_MAPS / 4), "dropped_in_all");
	tap_eq(total.profiles, 3, "intervals_written");
}

static uint64_t samples_of_period(const struct v9_live *l, uint64_t period)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < l->profile.sums.used; i++) {
		const struct v9_live_sum *s = v9_bins_get(&l->profile.sums, i);

		sum += s->period == period ? s->value[V9_W_SAMPLES] : 0;
	}
	return sum;
}

static void change_period(uint64_t offset, uint64_t period)
{
	const struct v9_live_period r = {
		.header = { .type = V9_LIVE_PERIOD, .size = sizeof(r) }, .offset = offset, .period = period,
	};

	memcpy(cap.b + cap.n, &r, sizeof(r));
	cap.n += sizeof(r);
}

static void some(unsigned int n)
{
	uint8_t r[64 * 8];

	for (unsigned int i = 0; i < n; i++)
		spe(r + 64 * i, 0x10100, 10, ZERO + 160, 0);
	aux(r, 64 * n);
}

/* The period of a sample is that of its place in the stream of its CPU. */
static void periods(void)
{
	struct v9_live l;

	begin(&l, 1 << 20, false);
	some(2);
	hand(&l, true);
	tap_eq(samples_of_period(&l, 0), 2, "no_period_is_known");
	tap_eq(l.profile.nr_types, 1, "one_type");
	batch();
	change_period(64 * 2, 1024);
	change_period(64 * 5, 2048);
	some(7);
	hand(&l, true);
	tap_eq(samples_of_period(&l, 0), 2, "samples_from_before");
	tap_eq(samples_of_period(&l, 1024), 3, "of_the_first_period");
	tap_eq(samples_of_period(&l, 2048), 4, "of_the_second_period");
	tap_eq(l.profile.nr_types, 3, "a_type_for_each_period");
	/* One that begins in a later batch, and one without any data before the next */
	batch();
	change_period(64 * 12, 512);
	change_period(64 * 12, 256);
	some(2);
	hand(&l, true);
	tap_eq(samples_of_period(&l, 2048), 6, "not_yet");
	batch();
	some(3);
	hand(&l, true);
	tap_eq(samples_of_period(&l, 2048), 7, "up_to_the_change");
	tap_eq(samples_of_period(&l, 512), 0, "none_of_an_empty_period");
	tap_eq(samples_of_period(&l, 256), 2, "after_the_change");
	/* The data up to a change may be missing. */
	batch();
	change_period(64 * 16, 4096);
	stream = 64 * 20;
	some(1);
	hand(&l, true);
	tap_eq(samples_of_period(&l, 4096), 1, "change_in_missing_data");
	v9_live_account(&l);
	v9_live_next(&l);
	batch();
	some(1);
	hand(&l, true);
	tap_eq(samples_of_period(&l, 4096), 1, "goes_on_in_the_next_interval");
	v9_live_free(&l);

	tap_eq(v9_weigh_period(5, 4096, 1024), 20, "weigh_multiple");
	tap_eq(v9_weigh_period(5, 1000, 1024), 5, "weigh_rounds_up");	/* 4.88 */
	tap_eq(v9_weigh_period(5, 1280, 1024), 6, "weigh_rounds_down");	/* 6.25 */
	tap_eq(v9_weigh_period(1, 1536, 1024), 2, "weigh_rounds_a_half_up");
	tap_eq(v9_weigh_period(0, 4096, 1024), 0, "weigh_nothing");
	tap_eq(v9_weigh_period(UINT64_MAX, 1024, 1024), UINT64_MAX, "weigh_most");
	tap_eq(v9_weigh_period(UINT64_MAX / 2 + 1, 2048, 1024), UINT64_MAX, "weigh_too_much");
}

/* The cost is that of an interval. */
static void cost(void)
{
	const struct v9_live_cost r = {
		.header = { .type = V9_LIVE_COST, .size = sizeof(r) }, .cost = 5000, .budget = 10000,
		.interrupts = 1,
	};
	struct v9_live l;

	begin(&l, 1 << 20, false);
	memcpy(cap.b + cap.n, &r, sizeof(r));
	cap.n += sizeof(r);
	hand(&l, true);
	tap_eq(l.profile.cost.cost, 5000, "cost");
	tap_eq(l.profile.cost.budget, 10000, "budget");
	v9_live_account(&l);
	v9_live_next(&l);
	tap_eq(l.profile.cost.budget, 0, "of_the_interval_before");
	v9_live_free(&l);
}

int main(void)
{
	decoding();
	sideband();
	switches();
	by_line();
	classes_on_demand();
	periods_of_classes();
	cpu_types();
	classes();
	periods();
	cost();
	eviction();
	many_maps();
	inherited();
	objects();
	build_ids();
	losses();
	damaged();
	worker();
	dropped_maps();
	free(cap.b);
	return tap_done();
}
