// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trigger latency:CYCLES: which SPE record it is, when a window has to end, and whether the trace reaches
 * back. The bytes of SPE records are typed from D18.2 of the manual (Counter, Address, Timestamp and End
 * packets), those of trace from D5.3 (Alignment Synchronization, Trace Info and Timestamp packets).
 */
#include <string.h>

#include "tap.h"

#include "../../tools/live/slow.h"

#define SIZE	21	/* bytes of a record of record() */

/* PC 0x1000 at EL0, total latency, timestamp */
static const uint8_t *record(uint16_t cycles, uint8_t ts)
{
	static uint8_t r[SIZE];
	const uint8_t bytes[SIZE] = {
		0xb0, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80,
		0x98, (uint8_t)cycles, (uint8_t)(cycles >> 8),
		0x71, ts, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	};

	memcpy(r, bytes, sizeof(r));
	return r;
}

static void test_is(void)
{
	static const struct {
		const char *name;
		uint32_t has;
		uint16_t latency;
		uint64_t ts;
		bool slow;
	} rows[] = {
		{ "at_the_limit", V9_SPE_REC_LAT_TOTAL | V9_SPE_REC_TS, 500, 100, true },
		{ "below_it", V9_SPE_REC_LAT_TOTAL | V9_SPE_REC_TS, 499, 100, false },
		{ "greatest", V9_SPE_REC_LAT_TOTAL | V9_SPE_REC_TS, 65535, 100, true },
		{ "of_before", V9_SPE_REC_LAT_TOTAL | V9_SPE_REC_TS, 500, 99, false },
		{ "without_a_time", V9_SPE_REC_LAT_TOTAL, 500, 0, true },
		{ "without_a_latency", V9_SPE_REC_TS, 500, 100, false },
		{ "of_another_latency", V9_SPE_REC_LAT_ISSUE | V9_SPE_REC_TS, 500, 100, false },
	};
	const struct v9_slow s = { .least = 500, .count = 1, .from = 100 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct v9_spe_rec rec = { .has = rows[i].has, .ts = rows[i].ts, .lat = { rows[i].latency } };

		tap_eq(v9_slow_is(&s, &rec), rows[i].slow, "record_%s", rows[i].name);
	}
}

static void test_find(void)
{
	struct v9_slow s = { .least = 300, .count = 1 };
	struct v9_slow_hit hit = { .ts = 0 };

	tap_ok(!v9_slow_find(&s, &hit), "nothing_was_read");
	v9_slow_data(&s, 2, 5, 0, record(299, 1), SIZE, NULL, 0);
	tap_ok(!v9_slow_find(&s, &hit), "none_is_slow");
	/* Of two slow ones the first; one that wraps at the end of the area */
	v9_slow_data(&s, 2, 5, SIZE, record(300, 2), 10, record(300, 2) + 10, SIZE - 10);
	v9_slow_data(&s, 2, 5, 2 * SIZE, record(900, 3), SIZE, NULL, 0);
	tap_ok(v9_slow_find(&s, &hit) && hit.cpu == 5 && hit.latency == 300 && hit.ts == 2 && hit.has_ts &&
	       hit.pc == 0x1000 && hit.has_pc, "the_first_slow_one");
	tap_ok(!v9_slow_find(&s, &hit), "each_is_found_once");
	/* A record that is in two drains */
	v9_slow_data(&s, 2, 5, 3 * SIZE, record(700, 4), 12, NULL, 0);
	tap_ok(!v9_slow_find(&s, &hit), "a_record_goes_on");
	v9_slow_data(&s, 2, 5, 3 * SIZE + 12, record(700, 4) + 12, SIZE - 12, NULL, 0);
	tap_ok(v9_slow_find(&s, &hit) && hit.latency == 700, "in_the_next_drain");
	v9_slow_free(&s);

	/* The third one, of all rings together; then it counts anew. */
	s = (struct v9_slow){ .least = 1, .count = 3 };
	v9_slow_data(&s, 0, 0, 0, record(10, 1), SIZE, NULL, 0);
	v9_slow_data(&s, 1, 1, 0, record(11, 2), SIZE, NULL, 0);
	tap_ok(!v9_slow_find(&s, &hit), "two_of_three");
	v9_slow_data(&s, 0, 0, SIZE, record(12, 3), SIZE, NULL, 0);
	tap_ok(v9_slow_find(&s, &hit) && hit.latency == 12 && !hit.cpu && !s.seen, "the_third");
	v9_slow_free(&s);
}

/*
 * A window ended in the middle of a record, behind its counter. The rest of the record is lost, so the next
 * data begins a record. Without the cut its first byte would go on with the old one.
 */
static void test_cut(void)
{
	struct v9_slow s = { .least = 300, .count = 1 };
	struct v9_slow_hit hit;
	const uint8_t next[] = { 0x71, 7, 0, 0, 0, 0, 0, 0, 0 };

	v9_slow_data(&s, 0, 0, 100, record(300, 1), 12, NULL, 0);
	v9_slow_cut(&s, 0, 112);
	v9_slow_data(&s, 0, 0, 112, next, sizeof(next), NULL, 0);
	tap_ok(!v9_slow_find(&s, &hit), "cut_inside");
	v9_slow_data(&s, 0, 0, 121, record(300, 1), 12, NULL, 0);
	v9_slow_cut(&s, 0, 133);
	tap_ok(!v9_slow_find(&s, &hit), "cut_at_the_end");
	v9_slow_data(&s, 0, 0, 133, next, sizeof(next), NULL, 0);
	tap_ok(!v9_slow_find(&s, &hit), "cut_before_more");
	/* One that is told before its data */
	v9_slow_cut(&s, 0, 154);
	v9_slow_data(&s, 0, 0, 142, record(1, 1), 0, NULL, 0);
	tap_ok(!v9_slow_find(&s, &hit), "cut_without_data");
	v9_slow_data(&s, 0, 0, 142, record(300, 1), 12, next, sizeof(next));
	tap_ok(!v9_slow_find(&s, &hit), "cut_that_came_first");
	/* The same bytes without a cut are a slow record. */
	v9_slow_data(&s, 0, 0, 163, record(300, 1), 12, next, sizeof(next));
	tap_ok(v9_slow_find(&s, &hit) && hit.ts == 7, "no_cut");
	v9_slow_free(&s);
}

static void test_watermark(void)
{
	static const struct {
		const char *name;
		uint64_t hz, period, ns, aux;
		uint32_t bytes;
	} rows[] = {
		/* 2 GHz, one in 10000: 200,000 records a second, 10,000 in 50 ms, of 64 bytes */
		{ "of_rate_and_time", 2000000000, 10000, 50000000, 4 << 20, 640000 },
		{ "half_of_the_area", 2000000000, 10000, 50000000, 1 << 20, 1 << 19 },
		/* 64 records in 50 ms are 1280 a second */
		{ "as_few", 1280000, 1000, 50000000, 4 << 20, 4096 },
		{ "one_more", 1300000, 1000, 50000000, 4 << 20, 4160 },
		{ "fewer", 1000000, 1000, 50000000, 4 << 20, 4096 },
		{ "small_area", 2000000000, 10000, 50000000, 4096, 2048 },
		{ "no_period", 100, 0, 1000000000, 4 << 20, 6400 },
		{ "huge", UINT64_MAX, 1, UINT64_MAX, UINT64_MAX, UINT32_MAX },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_eq(v9_slow_watermark(rows[i].hz, rows[i].period, rows[i].ns, rows[i].aux), rows[i].bytes,
		       "watermark_%s", rows[i].name);
	tap_ok(v9_slow_closes(0) && v9_slow_closes(4095) && !v9_slow_closes(4096), "closes_below_64_records");
}

static void test_rest(void)
{
	static const struct {
		const char *name;
		uint64_t delay, cost;
		unsigned int cpus;
		uint32_t ppm;
		uint64_t rest;
	} rows[] = {
		{ "half_of_the_delay", 100000000, 0, 2, 10000, 50000000 },
		/* 1 ms of 2 CPUs is one percent of 50 ms. */
		{ "as_much_as_the_budget", 100000000, 1000000, 2, 10000, 50000000 },
		{ "above_it", 100000000, 1000100, 2, 10000, 50005000 },
		{ "far_above_it", 100000000, 50000000, 1, 10000, 5000000000 },
		{ "no_cpu", 100000000, 50000000, 0, 10000, 50000000 },
		{ "no_cpu_and_no_delay", 1, 50000000, 0, 10000, 0 },
		{ "huge", 100000000, UINT64_MAX, 1, 1, UINT64_MAX },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_eq(v9_slow_rest(rows[i].delay, rows[i].cost, rows[i].cpus, rows[i].ppm), rows[i].rest,
		       "rest_%s", rows[i].name);
}

static void test_path(void)
{
	static const uint8_t trace[] = {
		0x02, 0x05,						/* before a synchronization */
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x00,	/* Alignment Synchronization, Trace Info */
		0xf7, 0x02, 0xe8, 0x07,					/* an atom; Timestamp 1000 */
		0x02, 0xe9, 0x07,					/* 1001 */
	};
	const struct v9_ete_setup unit = { .size = sizeof(unit) };
	const struct v9_slow_hit at = { .ts = 1000, .has_ts = true }, before = { .ts = 999, .has_ts = true };
	const struct v9_slow_hit no_time = { .ts = 1000 };
	uint64_t first = 0;
	unsigned int bad = 0;

	/* The area can wrap anywhere. */
	for (size_t i = 0; i <= sizeof(trace); i++) {
		first = 0;
		bad += !v9_slow_first_time(&unit, trace, i, trace + i, sizeof(trace) - i, &first) || first != 1000;
	}
	tap_eq(bad, 0, "first_timestamp");
	tap_ok(!v9_slow_first_time(&unit, trace, 18, NULL, 0, &first), "no_timestamp");
	tap_ok(!v9_slow_first_time(&unit, trace, 2, NULL, 0, &first), "no_synchronization");
	first = 1000;
	tap_eq(v9_slow_path(&at, &first), V9_SLOW_REACHES, "path_begins_there");
	tap_eq(v9_slow_path(&before, &first), V9_SLOW_OVERWRITTEN, "path_begins_behind");
	tap_eq(v9_slow_path(&at, NULL), V9_SLOW_UNKNOWN, "path_without_a_time");
	tap_eq(v9_slow_path(&no_time, &first), V9_SLOW_UNKNOWN, "record_without_a_time");
}

int main(void)
{
	test_is();
	test_find();
	test_cut();
	test_watermark();
	test_rest();
	test_path();
	return tap_done();
}
