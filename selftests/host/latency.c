// SPDX-License-Identifier: GPL-2.0-only
/*
 * record --flight --trigger latency:CYCLES: what the recorder does with the data of rings that the test fills, at
 * times that the test sets. slow.c has what it asks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "messages.h"
#include "tap.h"

static uint64_t set_clock_ns(clockid_t clock);
#define v9_clock_ns set_clock_ns
#include "../../tools/collect/budget.c"
#include "../../tools/collect/latency.c"
#undef v9_clock_ns

/* ---- the clocks of the test, ns; the counter, ticks of 16 ns */

static uint64_t monotonic, cpu, counter;

static uint64_t set_clock_ns(clockid_t clock)
{
	return clock == CLOCK_MONOTONIC ? monotonic : cpu;
}

void v9_jits_clock(struct pd_clock *clock)
{
	*clock = (struct pd_clock){ .count = counter };
}

/* ---- the rest of the recorder */

const char *v9_pmu_root = "pmus";
static struct perf_event_mmap_page page = { .time_mult = 16 << 4, .time_shift = 4 };
static int flushed[3];

const struct perf_event_mmap_page *v9_rings_page(const struct v9_rings *r)
{
	(void)r;
	return &page;
}

void v9_ring_flush(struct v9_aux_ring *ring)
{
	flushed[ring->idx]++;
}

bool v9_etm_file(int of, const char *file, uint64_t *v)
{
	(void)of;
	*v = !strcmp(file, "mgmt/trcdevarch") ? 0x47705a13 : 0;
	return true;
}

int v9_flight_time(const char *option, const char *text, uint64_t *ns)
{
	(void)option;
	*ns = strtoull(text, NULL, 10);
	return *ns ? 0 : -EINVAL;
}

/* ---- two SPE rings and one of a trace unit, CPUs 0, 1, 1 */

static const struct v9_aux_kind spe = { .auxtrace = PD_AUXTRACE_ARM_SPE }, ete = { .auxtrace = PD_AUXTRACE_CS_ETM };
static char spe_label[] = "arm_spe_0/jitter/", ete_label[] = "cs_etm//";
static struct v9_event_spec ev[2];
static struct perf_event_mmap_page pages[3];
static struct v9_aux_ring rings[3];
static struct v9_target target = { .kind = V9_TARGET_CPUS };
static struct v9_rings all = { .ev = ev, .evs = 2, .aux = rings, .auxs = 3, .target = &target };

static void begin(struct v9_latency_trigger *l, uint32_t cycles, uint64_t nth)
{
	const struct v9_flight f = { .trigger = "latency:", .latency = cycles, .nth = nth };

	memset(ev, 0, sizeof(ev));
	memset(pages, 0, sizeof(pages));
	memset(flushed, 0, sizeof(flushed));
	ev[0] = (struct v9_event_spec){ .label = spe_label, .aux = &spe, .attr.a.sample_period = 10000 };
	ev[1] = (struct v9_event_spec){ .label = ete_label, .aux = &ete, .overwrite = true };
	for (int i = 0; i < 3; i++)
		rings[i] = (struct v9_aux_ring){ .ev = &ev[i == 2], .cpu = i ? 1 : 0, .idx = (uint32_t)i,
						 .page = &pages[i] };
	all.paused = all.stopped = false;
	monotonic = cpu = 1000000000;
	counter = 5000;
	*l = (struct v9_latency_trigger){ .delay_ns = 100000000 };
	tap_eq(v9_latency_aim(l, &f, ev, 2, 2000000000, 4 << 20), 0, "aims");
}

/* A record: PC, total latency, timestamp in ticks */
static const uint8_t *record(uint16_t cycles, uint16_t ts)
{
	static uint8_t r[21];
	const uint8_t bytes[sizeof(r)] = {
		0xb0, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80,
		0x98, (uint8_t)cycles, (uint8_t)(cycles >> 8),
		0x71, (uint8_t)ts, (uint8_t)(ts >> 8), 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	};

	memcpy(r, bytes, sizeof(r));
	return r;
}

static void give(struct v9_latency_trigger *l, int ring, uint16_t cycles, uint16_t ts)
{
	const uint8_t *r = record(cycles, ts);

	/* The area wraps in the middle of it. */
	v9_latency_aux(l, &all, &rings[ring], r, 10, r + 10, 11);
	rings[ring].tail += 21;
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

static void aims(void)
{
	struct v9_latency_trigger l = { .delay_ns = 0 };
	struct v9_flight f = { .trigger = "latency:4096", .latency = 4096, .nth = 1 };
	struct v9_event_spec none = { .label = ete_label, .aux = &ete };

	tap_eq(v9_latency_delay(&l, "1999999"), -EINVAL, "delay_below_2_ms");
	tap_ok(!v9_latency_delay(&l, "2000000") && l.delay_ns == 2000000, "least_delay");
	tap_eq(v9_latency_delay(&l, "60000000000"), 0, "greatest_delay");
	tap_eq(v9_latency_delay(&l, "60000000001"), -EINVAL, "delay_above_a_minute");
	tap_eq(v9_latency_delay(&l, "x"), -EINVAL, "no_delay");
	l.delay_ns = 0;
	tap_eq(v9_latency_aim(&l, &f, &none, 1, 1, 4096), -EINVAL, "no_spe");
	mkdir("pmus", 0700);
	mkdir("pmus/arm_spe_0", 0700);
	mkdir("pmus/arm_spe_0/caps", 0700);
	write_text("pmus/arm_spe_0/caps/count_size", "12\n");
	begin(&l, 4095, 1);
	/* 200,000 records a second, 10,000 in half of the delay, of 64 bytes */
	tap_eq(ev[0].attr.a.aux_watermark, 640000, "watermark");
	tap_eq(ev[1].attr.a.aux_watermark, 0, "no_watermark_of_a_trace");
	tap_eq(l.ppm, 10000, "default_budget");
	v9_latency_free(&l);
	l = (struct v9_latency_trigger){ .delay_ns = 0 };
	tap_eq(v9_latency_aim(&l, &f, ev, 2, 1, 4 << 20), -ERANGE, "beyond_12_bits");
	tap_eq(l.delay_ns, 100000000, "default_delay");
	write_text("pmus/arm_spe_0/caps/count_size", "16\n");
	tap_eq(v9_latency_aim(&l, &f, ev, 2, 1, 4 << 20), 0, "within_16_bits");
	v9_latency_free(&l);
}

static void triggers(void)
{
	/* Timestamps 4000 and 4001 of a trace that is read behind the trigger */
	static const uint8_t trace[] = {
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x00, 0xf7, 0x02, 0xa0, 0x1f, 0x02, 0xa1, 0x1f,
	};
	struct v9_latency_trigger l;
	struct v9_latency_row row;

	begin(&l, 500, 2);
	tap_ok(!v9_latency_drained(&l, &all), "nothing_yet");
	give(&l, 1, 499, 4200);
	give(&l, 1, 500, 4300);
	tap_ok(!v9_latency_drained(&l, &all), "the_first_of_two");
	/* Data of a trace unit is no record of SPE. */
	v9_latency_aux(&l, &all, &rings[2], record(900, 4350), 21, NULL, 0);
	tap_ok(!v9_latency_drained(&l, &all), "trace_is_not_searched");
	give(&l, 1, 700, 4400);
	all.stopped = true;
	tap_ok(!v9_latency_drained(&l, &all), "not_at_the_end");
	all.stopped = false;
	tap_ok(v9_latency_drained(&l, &all), "the_second");
	tap_ok(!v9_latency_drained(&l, &all), "one_at_a_time");
	row = v9_latency_row(&l, 0);
	tap_ok(v9_latency_rows(&l) == 1 && row.cpu == 1 && row.cycles == 700, "what_was_slow");
	/* 5000 - 4400 ticks of 16 ns */
	tap_ok(row.has_delay && row.delay_ns == 9600, "delay");
	tap_ok(!row.has_history && !strcmp(row.path, "unknown"), "no_trace_yet");
	rings[2].cpu = 0;
	v9_latency_aux(&l, &all, &rings[2], trace, sizeof(trace), NULL, 0);
	tap_ok(!v9_latency_row(&l, 0).has_history, "trace_of_another_cpu");
	rings[2].cpu = 1;
	v9_latency_aux(&l, &all, &rings[2], trace, 16, trace + 16, sizeof(trace) - 16);
	row = v9_latency_row(&l, 0);
	tap_ok(row.has_history && row.history_ns == 400 * 16 && !strcmp(row.path, "reaches"), "history");
	counter = 6000;
	v9_latency_tell(&l, false, true);
	give(&l, 1, 700, 5999);
	give(&l, 1, 700, 5999);
	tap_ok(!v9_latency_drained(&l, &all), "slow_while_the_areas_were_read");
	counter = 6001;
	give(&l, 0, 700, 6001);
	give(&l, 0, 701, 6002);
	tap_ok(v9_latency_drained(&l, &all), "the_next");
	v9_latency_aux(&l, &all, &rings[2], trace, sizeof(trace), NULL, 0);
	row = v9_latency_row(&l, 1);
	/* It was seen at the tick 6001, before its timestamp: clocks of CPUs that differ */
	tap_ok(v9_latency_rows(&l) == 2 && row.cpu == 0 && row.cycles == 701 && !row.has_delay, "delay_that_cannot_be");
	v9_latency_forget(&l);
	tap_eq(v9_latency_rows(&l), 1, "forgotten");
	give(&l, 0, 700, 6000);
	give(&l, 0, 700, 6000);
	tap_ok(!v9_latency_drained(&l, &all), "slow_before_the_forgotten_one");
	give(&l, 0, 700, 6003);
	give(&l, 0, 702, 6004);
	tap_ok(v9_latency_drained(&l, &all) && v9_latency_row(&l, 1).cycles == 702, "found_again");
	l.seen[1].first = 7000;
	l.seen[1].has_first = true;
	row = v9_latency_row(&l, 1);
	tap_ok(row.has_history && row.history_ns == -996 * 16 && !strcmp(row.path, "overwritten"), "trace_begins_behind");
	l.seen[1].mult = 0;
	tap_ok(!v9_latency_row(&l, 1).has_history, "no_conversion");
	v9_latency_free(&l);
}

/* A record does not go on behind lost data. */
static void cuts(void)
{
	struct {
		struct perf_event_header header;
		uint64_t offset, size, flags;
	} aux = { .header.type = PERF_RECORD_AUX, .size = 12 };
	struct v9_latency_trigger l;

	for (int lost = 0; lost < 3; lost++) {
		begin(&l, 500, 1);
		aux.flags = (const uint64_t []){ 0, PERF_AUX_FLAG_TRUNCATED, PERF_AUX_FLAG_PARTIAL }[lost];
		v9_latency_record(&l, &all, &rings[0], &aux.header);
		v9_latency_record(&l, &all, &rings[2], &aux.header);	/* of the trace unit: no matter */
		v9_latency_aux(&l, &all, &rings[0], record(700, 4000), 21, NULL, 0);
		tap_eq(v9_latency_drained(&l, &all), !lost, "record_across_a_loss");
		v9_latency_free(&l);
	}
}

/* Only the newest are kept for the summary, and the others are counted. */
static void rows(void)
{
	struct v9_latency_trigger l;
	unsigned int found = 0;

	begin(&l, 500, 1);
	for (uint16_t i = 0; i < V9_LATENCY_ROWS + 2; i++) {
		counter = 5000 + i;
		give(&l, 0, 600 + i, 5000 + i);
		found += v9_latency_drained(&l, &all);
		v9_latency_tell(&l, false, true);
	}
	tap_eq(found, V9_LATENCY_ROWS + 2, "each_is_found");
	tap_eq(v9_latency_rows(&l), V9_LATENCY_ROWS, "rows_are_bounded");
	tap_eq(l.dropped, 2, "dropped_rows_are_counted");
	tap_eq(v9_latency_row(&l, 0).cycles, 602, "oldest_row");
	tap_eq(v9_latency_row(&l, V9_LATENCY_ROWS - 1).cycles, 600 + V9_LATENCY_ROWS + 1, "newest_row");
	v9_latency_free(&l);
}

static void looks(void)
{
	struct v9_latency_trigger l;

	begin(&l, 500, 1);
	v9_latency_look(&l, &all);
	tap_ok(flushed[0] == 1 && flushed[1] == 1 && !flushed[2] && l.closed == 2, "empty_windows_are_closed");
	tap_eq(l.units, 2, "units");
	cpu += 400000;
	/* 0.4 ms of two CPUs are less than a percent of 50 ms. */
	tap_eq(v9_latency_rest(&l), 50000000, "half_of_the_delay");
	pages[0].aux_head = 4096;
	pages[1].aux_head = 4095;
	monotonic += 50000000;
	v9_latency_look(&l, &all);
	tap_ok(flushed[0] == 1 && flushed[1] == 2, "only_few_records_are_fetched");
	cpu += 4000000;
	/* 4 ms are one percent of 200 ms of two CPUs */
	tap_eq(v9_latency_rest(&l), 200000000, "longer_for_the_budget");
	/* Since the first look: 0.4 ms in 50 ms of two CPUs */
	tap_eq(v9_latency_cost(&l), 4000, "cost");
	pages[0].aux_head = pages[1].aux_head = 4096 + 4095;
	monotonic += 200000000;
	target.kind = V9_TARGET_PID;
	v9_latency_look(&l, &all);
	tap_ok(flushed[0] == 1 && flushed[1] == 2, "not_of_tasks");
	target.kind = V9_TARGET_CPUS;
	all.paused = true;
	v9_latency_look(&l, &all);
	all.paused = false;
	tap_ok(flushed[0] == 1 && flushed[1] == 2, "not_while_it_is_paused");
	tap_eq(l.longest, 200000000, "longest_time");
	tap_eq(l.looks, 4, "looks");
	/* 4.4 ms in 250 ms of two CPUs */
	tap_eq(v9_latency_cost(&l), 8800, "cost_of_both");
	v9_latency_look(&l, &all);
	tap_ok(flushed[0] == 2 && flushed[1] == 3, "bytes_since_the_last_look");
	v9_latency_free(&l);
}

int main(void)
{
	char dir[] = "/tmp/v9-latency.XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 2;
	messages_begin();
	aims();
	triggers();
	cuts();
	rows();
	looks();
	messages_are("latency", NULL);
	tap_remove(dir);
	return tap_done();
}
