// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places of samples in the flow of a trace: typed flows with typed places, and random programs whose
 * execution is known. Of those: what is called exact is the sampled execution; one call path is the path
 * of the sampled execution; the sampled execution, or the gap that hides it, is always a candidate.
 */
#include <errno.h>
#include <string.h>

#include "tap.h"

#include "../../tools/joint/window.h"
#include "../../tools/util.h"

#define NOWHERE	((size_t)-1)
#define ANY_EL	0xf

/* --- typed ------------------------------------------------------------------------ */

#define BRANCH		(V9_JOINT_BRANCH | V9_JOINT_TARGET)
#define TAKEN		(BRANCH | V9_JOINT_TAKEN)
#define TIMED		V9_JOINT_TIME

static const struct v9_joint_clocks exact_clocks = {
	.trace_step = 1, .sample_step = 1, .least_hz = 1000000000, .most_hz = 1000000000,
};

/* Levels that the gaps at the ends of the trace hide */
static uint8_t ends;

/* A loop of two blocks, 0x100 to 0x110 and 0x200 to 0x208; a gap after the third pass */
static size_t loop(struct v9_joint_block *b)
{
	static const struct v9_joint_block flow[] = {
		{ .n = 0 },
		{ .pc = 0x100, .n = 4, .has = TAKEN | TIMED, .target = 0x200, .time = 100, .path = 1 },
		{ .pc = 0x200, .n = 2, .has = TAKEN, .target = 0x100, .path = 2 },
		{ .pc = 0x100, .n = 4, .has = TAKEN | TIMED, .target = 0x200, .time = 200, .path = 1 },
		{ .pc = 0x200, .n = 2, .has = BRANCH, .target = 0x100, .path = 2 },
		{ .pc = 0x208, .n = 3, .has = TAKEN | TIMED, .target = 0x100, .time = 300, .path = 1 },
		{ .pc = 0x100, .n = 4, .has = TAKEN | TIMED, .target = 0x200, .time = 400, .path = 1 },
		{ .hides = 1 << 1 },
		{ .pc = 0x200, .n = 2, .has = TAKEN | TIMED, .target = 0x100, .time = 600, .path = 3 },
		{ .n = 0 },
	};

	memcpy(b, flow, sizeof(flow));
	b[0].hides = b[9].hides = ends;
	tap_eq(v9_joint_times(b, 10, &exact_clocks), 0, "no_time_is_ignored");
	return 10;
}

static struct v9_joint_place place_one(const struct v9_joint_sample *s, const struct v9_joint_clocks *c)
{
	struct v9_joint_block b[10];
	struct v9_joint_place p;

	v9_joint_place(b, loop(b), s, 1, c, &p);
	return p;
}

#define PLACE(...)	place_one(&(struct v9_joint_sample){ .retired = true, __VA_ARGS__ }, &exact_clocks)
#define NOT_EXECUTED(...)	place_one(&(struct v9_joint_sample){ __VA_ARGS__ }, &exact_clocks)

static void times(void)
{
	struct v9_joint_block b[10];

	loop(b);
	tap_eq(b[1].least, 0, "least_of_the_first");
	tap_eq(b[1].most, 101, "most_is_the_next_time");
	tap_eq(b[2].least, 100, "least_is_the_time_before");
	tap_eq(b[2].most, 201, "most_is_the_next_time");
	tap_eq(b[3].least, 100, "least_is_the_time_before");
	tap_eq(b[5].least, 200, "least_is_the_time_before");
	tap_eq(b[7].least, 400, "gap_begins_with_the_time_before");
	tap_eq(b[7].most, 601, "gap_ends_with_the_next_time");
	tap_eq(b[9].least, 600, "end");
	tap_eq(b[9].most, UINT64_MAX, "end");
	b[6].time = 299;
	b[6].has |= TIMED;
	tap_eq(v9_joint_times(b, 10, &exact_clocks), 1, "time_that_goes_back_is_ignored");
	tap_eq(b[7].least, 300, "time_that_goes_back_is_ignored");
	tap_eq(v9_joint_times(b, 9, &exact_clocks), -EINVAL, "no_gap_at_the_end");
	tap_eq(v9_joint_times(b + 1, 9, &exact_clocks), -EINVAL, "no_gap_at_the_beginning");
	tap_eq(v9_joint_times(b, 0, &exact_clocks), -EINVAL, "no_blocks");
}

/* Five blocks, the outer ones with a time, at 1 GHz: cycles are nanoseconds. */
static void cycles(void)
{
	struct v9_joint_clocks c = exact_clocks;
	struct v9_joint_block b[] = {
		{ .hides = ANY_EL },
		{ .pc = 0x100, .n = 4, .has = V9_JOINT_CYCLES | TIMED, .time = 1000 },
		{ .pc = 0x110, .n = 4 },
		{ .pc = 0x120, .n = 4, .has = V9_JOINT_CYCLES, .cycles = 30 },
		{ .pc = 0x130, .n = 4, .has = V9_JOINT_CYCLES, .cycles = 40 },
		{ .pc = 0x140, .n = 4, .has = V9_JOINT_CYCLES | TIMED, .cycles = 20, .time = 1100 },
		{ .pc = 0x150, .n = 4, .has = V9_JOINT_CYCLES, .cycles = 15 },
		{ .hides = ANY_EL },
		{ .pc = 0x160, .n = 4, .has = V9_JOINT_CYCLES, .cycles = 25 },
		{ .pc = 0x170, .n = 4, .has = V9_JOINT_CYCLES | TIMED, .cycles = 35, .time = 1200 },
		{ .hides = ANY_EL },
	};

	v9_joint_times(b, 11, &c);
	tap_eq(b[2].least, 1000, "begins_at_the_count_before");
	tap_eq(b[2].most, 1101 - 60, "ends_before_what_is_counted_behind");
	tap_eq(b[3].least, 1000, "begins_at_the_count_before");
	tap_eq(b[4].least, 1030, "cycles_pass");
	tap_eq(b[4].most, 1101 - 20, "ends_before_what_is_counted_behind");
	tap_eq(b[5].least, 1070, "cycles_pass");
	tap_eq(b[7].least, 1115, "cycles_pass_behind_the_last_time");
	tap_eq(b[9].least, 1140, "cycles_pass_in_a_gap");
	tap_eq(b[8].most, 1201 - 35, "count_behind_a_gap");
	c.most_hz = 0;
	v9_joint_times(b, 11, &c);
	tap_eq(b[4].least, 1000, "no_frequency_no_cycles");
	tap_eq(b[4].most, 1101, "no_frequency_no_cycles");
	c.most_hz = 2000000000;
	v9_joint_times(b, 11, &c);
	tap_eq(b[4].least, 1015, "cycles_at_2_ghz");
	c.count_error = 5;
	v9_joint_times(b, 11, &c);
	tap_eq(b[4].least, 1010, "counts_have_an_error_at_the_begin");
	tap_eq(b[4].most, 1101 - 5, "counts_have_an_error_at_the_end");
	c.count_error = 0;
	b[4].cycles = 0;
	v9_joint_times(b, 11, &c);
	tap_eq(b[5].least, 1015, "unknown_count_is_none");
	tap_eq(b[3].most, 1101 - 10, "nothing_is_known_before_an_unknown_count");
}

/* Two timestamps between counts, with cycles since the count before */
static void cycles_of_times(void)
{
	struct v9_joint_clocks c = exact_clocks;
	struct v9_joint_block b[] = {
		{ .hides = ANY_EL },
		{ .pc = 0x100, .n = 4, .has = V9_JOINT_CYCLES },
		{ .has = TIMED | V9_JOINT_COUNT, .time = 1000, .least_count = 10, .most_count = 10 },
		{ .pc = 0x110, .n = 4, .has = V9_JOINT_CYCLES, .cycles = 30 },
		{ .pc = 0x120, .n = 4 },
		{ .pc = 0x130, .n = 4, .has = V9_JOINT_CYCLES, .cycles = 40 },
		{ .has = TIMED | V9_JOINT_COUNT, .time = 1100, .least_count = 7, .most_count = 7 },
		{ .hides = ANY_EL },
	};

	v9_joint_times(b, 8, &c);
	tap_eq(b[4].least, 1020, "cycles_since_a_time");
	tap_eq(b[4].most, 1101 - 7, "cycles_up_to_a_time");
	tap_eq(b[3].most, 1101 - 47, "cycles_up_to_a_time_before_the_count");
	b[2].has &= (uint8_t)~V9_JOINT_COUNT;
	v9_joint_times(b, 8, &c);
	tap_eq(b[4].least, 1000, "place_of_a_time_is_between_counts");
	/* The timestamp is of an instruction before the last count. That count has 40 cycles. */
	b[6].least_count = -40;
	b[6].most_count = 0;
	v9_joint_times(b, 8, &c);
	tap_eq(b[3].most, 1101, "time_may_be_before_the_count");
	b[2].has |= V9_JOINT_COUNT;
	b[2].least_count = b[2].most_count = -200;
	v9_joint_times(b, 8, &c);
	tap_eq(b[4].least, 1030, "before_the_first_count");
}

/* A timestamp with 2000 cycles since the last count, and behind a gap a count that is not known */
static void cycles_before_an_unknown_count(void)
{
	struct v9_joint_block b[] = {
		{ .hides = ANY_EL },
		{ .pc = 0x100, .n = 4, .has = V9_JOINT_CYCLES | TIMED, .time = 1000 },
		{ .pc = 0x110, .n = 4 },
		{ .has = TIMED | V9_JOINT_COUNT, .time = 4000, .least_count = 2000, .most_count = 2000 },
		{ .hides = ANY_EL },
		{ .pc = 0x120, .n = 4, .has = V9_JOINT_CYCLES | TIMED, .time = 5000 },
		{ .hides = ANY_EL },
	};

	v9_joint_times(b, 7, &exact_clocks);
	/* The latest possible time is that of the timestamp. */
	tap_eq(b[2].most, 4001, "any_time_before_an_unknown_count");
	b[5].cycles = 2500;
	v9_joint_times(b, 7, &exact_clocks);
	tap_eq(b[2].most, 4001, "any_time_before_a_later_count");
}

static void classes(void)
{
	struct v9_joint_place p;

	p = PLACE(.pc = 0x104);
	tap_eq(p.class, V9_JOINT_PATH, "no_time_one_path");
	tap_eq(p.n, 3, "no_time_one_path");
	tap_eq(p.first, 1, "first_candidate");
	tap_eq(p.last, 6, "last_candidate");
	p = PLACE(.pc = 0x104, .has = TIMED, .time = 150);
	tap_eq(p.class, V9_JOINT_EXACT, "time");
	tap_eq(p.first, 3, "time");
	tap_eq(PLACE(.pc = 0x104, .has = TIMED, .time = 150, .latency = 48).class, V9_JOINT_EXACT,
	       "latency_reaches_no_other");
	tap_eq(PLACE(.pc = 0x104, .has = TIMED, .time = 150, .latency = 49).n, 2, "latency_reaches_another");
	tap_eq(PLACE(.pc = 0x208).class, V9_JOINT_EXACT, "address");
	/* A clock that reads 199 may be at 200 nearly. */
	tap_eq(PLACE(.pc = 0x208, .has = TIMED, .time = 199).class, V9_JOINT_EXACT, "earliest_time");
	tap_eq(PLACE(.pc = 0x208, .has = TIMED, .time = 198).class, V9_JOINT_NOWHERE, "too_early");
	tap_eq(PLACE(.pc = 0x208, .has = TIMED, .time = 301).class, V9_JOINT_EXACT, "latest_time");
	tap_eq(PLACE(.pc = 0x208, .has = TIMED, .time = 302).class, V9_JOINT_NOWHERE, "too_late");
	tap_eq(PLACE(.pc = 0x200).class, V9_JOINT_AMBIGUOUS, "two_paths");
	tap_eq(NOT_EXECUTED(.pc = 0x20c).class, V9_JOINT_NOT_EXECUTED, "not_executed");
	tap_eq(PLACE(.pc = 0x300, .has = TIMED, .time = 250).class, V9_JOINT_NOWHERE, "nowhere");
	tap_eq(PLACE(.pc = 0x102, .has = TIMED, .time = 150).class, V9_JOINT_NOWHERE, "no_instruction");
	tap_eq(PLACE(.pc = 0x300, .has = TIMED, .time = 2500).class, V9_JOINT_NOWHERE, "never_outside");
	ends = ANY_EL;
	tap_eq(PLACE(.pc = 0x300, .has = TIMED, .time = 2500).class, V9_JOINT_OUTSIDE, "outside");
	tap_eq(PLACE(.pc = 0x104, .has = TIMED, .time = 50).class, V9_JOINT_AMBIGUOUS, "or_outside");
	tap_eq(PLACE(.pc = 0x104, .has = TIMED, .time = 50).gaps, 1, "or_outside");
	tap_eq(PLACE(.pc = 0x208).class, V9_JOINT_AMBIGUOUS, "or_outside");
	ends = 0;
	/* only EL1 can be in the gap in the middle */
	tap_eq(PLACE(.pc = 0x300, .has = TIMED, .time = 500, .el = 1).class, V9_JOINT_IN_GAP, "in_the_gap");
	tap_eq(PLACE(.pc = 0x300, .has = TIMED, .time = 500).class, V9_JOINT_NOWHERE, "not_in_the_gap");
	tap_eq(PLACE(.pc = 0x104, .has = TIMED, .time = 150, .el = 1).class, V9_JOINT_NOWHERE, "another_level");
}

static void branches(void)
{
	tap_eq(PLACE(.pc = 0x204, .has = BRANCH).first, 4, "not_taken");
	tap_eq(PLACE(.pc = 0x204, .has = BRANCH).class, V9_JOINT_EXACT, "not_taken");
	tap_eq(PLACE(.pc = 0x204, .has = TAKEN, .target = 0x100).n, 2, "taken");
	tap_eq(PLACE(.pc = 0x204, .has = TAKEN, .target = 0x104).class, V9_JOINT_NOWHERE, "another_target");
	tap_eq(PLACE(.pc = 0x200, .has = TAKEN, .target = 0x100).class, V9_JOINT_NOWHERE,
	       "taken_and_not_the_last");
	tap_eq(PLACE(.pc = 0x204, .has = V9_JOINT_BRANCH | V9_JOINT_TAKEN).n, 2, "no_target_in_the_sample");
}

/* Targets of the branch that was taken before (D17.6.3.1 of DDI0487) */
static void branches_before(void)
{
	struct v9_joint_place p;

#define BEFORE(AT, TARGET)	PLACE(.pc = (AT), .has = V9_JOINT_BEFORE, .before = (TARGET))
	/* Block 4, which ends with a branch that is not taken, comes from block 3. */
	tap_eq(BEFORE(0x20c, 0x200).class, V9_JOINT_EXACT, "before_a_branch_not_taken");
	tap_eq(BEFORE(0x20c, 0x100).class, V9_JOINT_NOWHERE, "target_of_another_branch_before");
	/* Before block 8 there is a gap. */
	p = BEFORE(0x204, 0x100);
	tap_eq(p.class, V9_JOINT_EXACT, "before_a_gap_not_known");
	tap_eq(p.first, 8, "before_a_gap_not_known");
	tap_eq(BEFORE(0x204, 0x200).n, 3, "branch_before_agrees");
	/* Nor is it known what was before the trace: block 1. */
	tap_eq(BEFORE(0x10c, 0x500).n, 1, "before_the_trace_not_known");
	tap_eq(BEFORE(0x10c, 0x100).n, 3, "branch_before_agrees");
	/* An ISB may be a branch to the next instruction. */
	tap_eq(BEFORE(0x20c, 0x20c).class, V9_JOINT_EXACT, "isb_before");
	tap_eq(BEFORE(0x20c, 0x204).class, V9_JOINT_EXACT, "isb_in_the_block_before");
	tap_eq(BEFORE(0x20c, 0x210).class, V9_JOINT_NOWHERE, "no_isb_behind");
	tap_eq(BEFORE(0x20c, 0x1fc).class, V9_JOINT_NOWHERE, "no_isb_before_the_branch");
}

/* A branch to the next instruction may be an ISB; where the flow does not go on, there was an exception. */
static void odd_branches_before(void)
{
	struct v9_joint_block b[] = {
		{ .hides = 0 },
		{ .pc = 0x300, .n = 2, .has = TAKEN, .target = 0x400 },
		{ .pc = 0x400, .n = 1, .has = TAKEN, .target = 0x404 },
		{ .hides = 0, .has = TIMED, .time = 100 },
		{ .pc = 0x404, .n = 2, .has = V9_JOINT_BRANCH | V9_JOINT_TAKEN, .target = 0x500 },
		{ .pc = 0x500, .n = 2, .has = TAKEN, .target = 0x600 },
		{ .pc = 0x600, .n = 2 },
		{ .pc = 0x800, .n = 2, .has = TAKEN, .target = 0x900 },
		{ .pc = 0x700, .n = 2 },
		{ .hides = 0 },
	};
	static const struct { uint64_t pc, before; size_t n; const char *name; } rows[] = {
		{ 0x408, 0x404, 1, "branch_to_the_next" },
		{ 0x408, 0x400, 1, "isb_is_no_branch" },
		{ 0x408, 0x300, 0, "branch_behind_a_timestamp" },
		{ 0x504, 0x300, 1, "target_not_known" },
		{ 0x604, 0x300, 0, "branch_of_the_block_before" },
		{ 0x704, 0x300, 1, "branch_that_went_elsewhere" },
		{ 0x804, 0x300, 1, "flow_that_does_not_go_on" },
	};

	v9_joint_times(b, 10, &exact_clocks);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct v9_joint_sample s = { .pc = rows[i].pc, .before = rows[i].before,
						   .has = V9_JOINT_BEFORE, .retired = true };
		struct v9_joint_place p;

		v9_joint_place(b, 10, &s, 1, &exact_clocks, &p);
		tap_eq(p.n, rows[i].n, "%s", rows[i].name);
	}
}

static void context(void)
{
	struct v9_joint_block b[] = {
		{ .hides = 0 },
		{ .pc = 0x100, .n = 4, .has = V9_JOINT_CTX1, .ctx = { 7 } },
		{ .pc = 0x100, .n = 4, .has = V9_JOINT_CTX1 | V9_JOINT_CTX2, .ctx = { 8, 9 } },
		{ .hides = 0 },
	};
	struct v9_joint_sample s = { .pc = 0x108, .retired = true, .ctx = { 8, 3 } };
	struct v9_joint_place p;

	v9_joint_times(b, 4, &exact_clocks);
	v9_joint_place(b, 4, &s, 1, &exact_clocks, &p);
	tap_eq(p.n, 2, "context_of_the_sample_unknown");
	s.has = V9_JOINT_CTX1;
	v9_joint_place(b, 4, &s, 1, &exact_clocks, &p);
	tap_eq(p.n, 1, "contextidr_el1");
	tap_eq(p.first, 2, "contextidr_el1");
	s.has = V9_JOINT_CTX2;
	v9_joint_place(b, 4, &s, 1, &exact_clocks, &p);
	tap_eq(p.n, 1, "contextidr_el2");
	tap_eq(p.first, 1, "contextidr_el2");
}

/* Without times: the order alone */
static void order(void)
{
	struct v9_joint_clocks c = exact_clocks;
	struct v9_joint_block b[10];
	struct v9_joint_sample s[] = {
		{ .pc = 0x104, .retired = true },
		{ .pc = 0x208, .retired = true },	/* once, in block 5 */
		{ .pc = 0x300, .retired = true },	/* nowhere */
		{ .pc = 0x104, .retired = true },
	};
	struct v9_joint_place p[4];
	const size_t n = loop(b);

	v9_joint_place(b, n, s, 4, &c, p);
	tap_eq(p[0].n, 3, "without_order");
	tap_eq(p[3].n, 3, "without_order");
	c.ordered = true;
	v9_joint_place(b, n, s, 4, &c, p);
	tap_eq(p[0].n, 2, "before_the_next_one");
	tap_eq(p[0].last, 3, "before_the_next_one");
	tap_eq(p[1].class, V9_JOINT_EXACT, "between");
	tap_eq(p[2].class, V9_JOINT_NOWHERE, "contradiction_narrows_nothing");
	tap_eq(p[3].class, V9_JOINT_EXACT, "behind_the_one_before");
	tap_eq(p[3].first, 6, "behind_the_one_before");
	/* within a block: the second one cannot be in a pass that the first one is behind in */
	s[0] = (struct v9_joint_sample){ .pc = 0x20c, .retired = true };
	s[1] = (struct v9_joint_sample){ .pc = 0x208, .retired = true };
	v9_joint_place(b, n, s, 2, &c, p);
	tap_eq(p[1].class, V9_JOINT_NOWHERE, "order_within_a_block");
	s[1].pc = 0x210;
	v9_joint_place(b, n, s, 2, &c, p);
	tap_eq(p[1].class, V9_JOINT_EXACT, "order_within_a_block");
	/* the first one cannot be in the last pass that the second one can be in */
	s[0] = (struct v9_joint_sample){ .pc = 0x10c, .retired = true };
	s[1] = (struct v9_joint_sample){ .pc = 0x104, .retired = true, .has = TIMED, .time = 150 };
	v9_joint_place(b, n, s, 2, &c, p);
	tap_eq(p[0].class, V9_JOINT_EXACT, "order_within_the_last_block");
	tap_eq(p[0].first, 1, "order_within_the_last_block");
}

static void offset(void)
{
	struct v9_joint_clocks c = exact_clocks, known;
	struct v9_joint_block b[10];
	struct v9_joint_sample s[] = {
		{ .pc = 0x104, .retired = true, .has = TIMED, .time = 1 },	/* three times: no help */
		{ .pc = 0x208, .retired = true, .has = TIMED, .time = 1250, .latency = 10 },
		{ .pc = 0x20c, .retired = true, .has = TIMED, .time = 1290, .latency = 10 },
		{ .pc = 0x210, .has = TIMED, .time = 9000 },			/* not executed */
	};
	size_t n;

	ends = ANY_EL;
	n = loop(b);
	c.offset_least = INT64_MIN;
	c.offset_most = INT64_MAX;
	known = c;
	tap_eq(v9_joint_offset(b, n, s, 3, false, &known), 0, "may_be_from_outside");
	tap_ok(known.offset_least == INT64_MIN && known.offset_most == INT64_MAX, "may_be_from_outside");
	known = c;
	tap_eq(v9_joint_offset(b, n, s, 4, true, &known), 2, "two_are_used");
	/* Block 5 is at 200 to 301: 200 - 10 - 1250 - 1, 301 + 10 - 1290 */
	tap_eq(known.offset_least, (int64_t)-1061, "offset_least");
	tap_eq(known.offset_most, (int64_t)-979, "offset_most");
	s[2].time = 2290;
	known = c;
	tap_eq(v9_joint_offset(b, n, s, 3, true, &known), -ERANGE, "no_constant_offset");
	s[2].el = s[1].el = 1;
	tap_eq(v9_joint_offset(b, n, s, 3, true, &known), 0, "may_be_in_a_gap");
	tap_eq(v9_joint_offset(b, n, s, 0, true, &known), 0, "no_samples");
}

static void offset_near(void)
{
	struct v9_joint_clocks c = exact_clocks, found;
	struct v9_joint_block b[10];
	const struct v9_joint_sample s[] = {
		{ .pc = 0x104, .retired = true, .has = TIMED, .time = 250 },	/* three times */
		{ .pc = 0x208, .retired = true, .has = TIMED, .time = 260, .latency = 10 },
	};

	c.offset_least = -1000;
	c.offset_most = 1000;
	ends = ANY_EL;
	found = c;
	tap_eq(v9_joint_offset_near(b, loop(b), s, 2, &c, &found), 0, "may_be_in_a_gap_near");
	tap_eq(found.offset_most, (int64_t)1000, "may_be_in_a_gap_near");
	ends = 0;
	tap_eq(v9_joint_offset_near(b, loop(b), s, 2, &c, &found), 1, "one_is_used");
	/* Block 5 is at 200 to 301: 200 - 10 - 260 - 1, 301 + 10 - 260 */
	tap_eq(found.offset_least, (int64_t)-71, "offset_least");
	tap_eq(found.offset_most, (int64_t)51, "offset_most");
	/* The first one was executed once in 150 to 156, the second one not. */
	c.offset_least = -100;
	c.offset_most = -95;
	found = c;
	tap_eq(v9_joint_offset_near(b, loop(b), s, 2, &c, &found), 1, "near_means_within");
	/* Nothing but the gap at the end is at 2000. */
	ends = ANY_EL;
	found = c = exact_clocks;
	tap_eq(v9_joint_offset_near(b, loop(b), &(struct v9_joint_sample){
		.pc = 0x104, .retired = true, .has = TIMED, .time = 2000 }, 1, &c, &found), 0, "in_a_gap_near");
}

/*
 * A block, a loop of five passes, a block. Instructions are numbered from 0; samples are of 1, 10, 19 and 28. A
 * lost sample makes the distance wrong, and nothing likely.
 */
static void likely(void)
{
	struct v9_joint_block b[] = {
		{ .hides = 0 },
		{ .pc = 0x50, .n = 4 },
		{ .pc = 0x100, .n = 4, .index = 4 },
		{ .pc = 0x100, .n = 4, .index = 8 },
		{ .pc = 0x100, .n = 4, .index = 12 },
		{ .pc = 0x100, .n = 4, .index = 16 },
		{ .pc = 0x100, .n = 4, .index = 20 },
		{ .pc = 0x900, .n = 8, .index = 24 },
		{ .hides = 0 },
	};
	struct v9_joint_sample s[] = {
		{ .pc = 0x54, .number = 7, .retired = true },
		{ .pc = 0x108, .number = 8, .retired = true },
		{ .pc = 0x10c, .number = 9, .retired = true },
		{ .pc = 0x910, .number = 10, .retired = true },
	};
	struct v9_joint_clocks c = exact_clocks;
	struct v9_joint_place p[4];

	v9_joint_times(b, 9, &c);
	v9_joint_place(b, 9, s, 4, &c, p);
	tap_eq(p[1].likely, 0, "no_interval_nothing_likely");
	c.interval = 9;
	v9_joint_place(b, 9, s, 4, &c, p);
	tap_eq(p[0].likely, 0, "exact_is_not_likely");
	tap_eq(p[1].class, V9_JOINT_PATH, "likely_is_not_exact");
	tap_eq(p[1].likely, 3, "likely");
	tap_eq(p[2].likely, 5, "likely_at_twice_the_interval");
	s[2].pc = 0x108;
	v9_joint_place(b, 9, s, 4, &c, p);
	tap_eq(p[2].likely, 0, "no_candidate_at_the_interval");
	s[3].number = 11;
	v9_joint_place(b, 9, s, 4, &c, p);
	tap_eq(p[1].likely, 0, "another_distance_nothing_likely");
	s[3].number = 10;
	v9_joint_place(b, 9, s, 3, &c, p);
	tap_eq(p[1].likely, 0, "no_exact_one_behind");
}

/* --- random ------------------------------------------------------------------------ */

#define FUNCTIONS	6
#define PARTS		5		/* blocks of a function */
#define DEPTH		4
#define BLOCKS		6000
#define SAMPLES		4000
#define PATHS		4096

static uint64_t state;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

static uint64_t between(uint64_t a, uint64_t b)
{
	return a + rnd() % (b - a + 1);
}

static struct {
	struct { uint64_t pc; uint32_t n; } part[FUNCTIONS][PARTS];
	struct v9_joint_block block[BLOCKS];
	struct v9_joint_sample sample[SAMPLES];
	size_t truth[SAMPLES];		/* block or gap */
	uint32_t path_of[SAMPLES];
	struct { uint32_t parent; uint64_t site; } path[PATHS];
	unsigned int paths;
	size_t blocks, samples;
	/* the PE */
	uint64_t ps, cycle, hz;
	uint64_t counted, stamped;	/* cycles at the last count, and the last time */
	uint64_t count_hz, count_error;	/* counts are up to half of @count_error ns early or late, at @count_hz */
	bool count_known;
	int64_t offset;			/* time of the trace less that of samples, in ns */
	uint64_t until;			/* instructions until the next sample */
	uint64_t interval;		/* 0: at random */
	uint64_t insns;			/* in the trace */
	uint64_t before;		/* target of the last branch that was taken; 0: not known */
} w;

static uint32_t path_below(uint32_t parent, uint64_t site)
{
	unsigned int i;

	for (i = 1; i < w.paths; i++)
		if (w.path[i].parent == parent && w.path[i].site == site)
			return i;
	if (i == PATHS)
		exit(2);
	w.path[i].parent = parent;
	w.path[i].site = site;
	w.paths++;
	return i;
}

static void run_cycles(uint64_t n)
{
	w.cycle += n;
	w.ps += n * 1000000000000 / w.hz;
}

static uint64_t reading(uint64_t ps, int64_t offset, uint64_t step)
{
	const uint64_t ns = ps / 1000 + (uint64_t)offset;

	return ns - ns % step;
}

/* The sampled operation is executed now. */
static struct v9_joint_sample *take_sample(uint64_t pc, unsigned int el, size_t truth, uint32_t path,
					   const struct v9_joint_clocks *c)
{
	const uint32_t latency = (uint32_t)(rnd() % 8 ? between(1, 40) : between(40, 500));
	const uint64_t ps = (uint64_t)latency * 1000000000000 / w.hz, before = rnd() % (ps + 1);
	struct v9_joint_sample *s = &w.sample[w.samples];

	if (w.samples == SAMPLES)
		return NULL;
	*s = (struct v9_joint_sample){
		.pc = pc, .el = (uint8_t)el, .latency = latency, .retired = true,
		/* chosen at -before, complete at +ps - before; the stamp is of any time between */
		.time = reading(w.ps - before + rnd() % (ps + 1), -w.offset, c->sample_step),
		.number = w.samples, .has = V9_JOINT_TIME | (rnd() % 2 ? V9_JOINT_CTX1 : 0), .ctx = { 1 },
	};
	s->before = w.before;
	if (w.before && w.samples % 2)
		s->has |= V9_JOINT_BEFORE;
	if (rnd() % 50 == 0) {
		s->retired = false;
		s->pc = w.part[rnd() % FUNCTIONS][rnd() % PARTS].pc;
		truth = NOWHERE;
	}
	w.truth[w.samples] = truth;
	w.path_of[w.samples++] = path;
	w.until = w.interval ? w.interval - 1 : between(20, 300);
	return s;
}

static void gap(unsigned int hides)
{
	if (w.blocks && !w.block[w.blocks - 1].n)
		w.block[w.blocks - 1].hides |= (uint8_t)hides;
	else
		w.block[w.blocks++] = (struct v9_joint_block){ .hides = (uint8_t)hides };
	/* A unit that is off begins anew. Where it only must not trace, it counts (ETE-R_SZRZR). */
	if (hides == ANY_EL || rnd() % 2)
		w.count_known = false;
}

/* The count of cycles now, as a unit may see it */
static uint64_t cycle_seen(void)
{
	const uint64_t late = w.count_error * w.count_hz / 2000000000;

	return late ? w.cycle - late + rnd() % (2 * late + 1) : w.cycle;
}

/* The last block gets a time. */
static void stamp(const struct v9_joint_clocks *c)
{
	struct v9_joint_block *b = &w.block[w.blocks - 1];

	if (!b->n)
		return;
	b->has |= V9_JOINT_TIME;
	b->time = reading(w.ps, 0, c->trace_step);
	w.stamped = w.cycle;
	if (!(b->has & V9_JOINT_CYCLES) && w.count_known) {
		const int64_t cycles = (int64_t)(cycle_seen() - w.counted);

		b->has |= V9_JOINT_COUNT;
		b->least_count = b->most_count = cycles < 0 ? 0 : (int32_t)cycles;
	}
}

/* Executes a block. @lost: it is in a gap of the trace. */
static void execute(uint64_t pc, uint32_t n, uint32_t path, unsigned int has, uint64_t target, bool lost,
		    const struct v9_joint_clocks *c)
{
	const size_t at = lost ? w.blocks - 1 : w.blocks;
	struct v9_joint_block *b = &w.block[at];

	for (uint32_t i = 0; i < n; i++) {
		run_cycles(rnd() % 3 ? rnd() % 2 : rnd() % 40 ? 2 : between(20, 300));
		if (!w.until--) {
			struct v9_joint_sample *s = take_sample(pc + 4 * i, 0, at, path, c);

			if (s && i == n - 1 && has & V9_JOINT_BRANCH) {
				s->has |= (uint8_t)(has & (BRANCH | V9_JOINT_TAKEN));
				s->target = target;
			}
		}
	}
	w.before = has & V9_JOINT_TAKEN ? target : w.before;
	if (lost)
		return;
	*b = (struct v9_joint_block){
		.pc = pc, .n = n, .path = path, .has = (uint8_t)has | V9_JOINT_CTX1, .ctx = { 1 },
		.target = target, .index = w.insns,
	};
	w.insns += n;
	w.blocks++;
	if (!w.count_known || w.cycle >= w.counted + 64 + w.count_error * w.count_hz / 1000000000) {
		const uint64_t now = cycle_seen();

		b->has |= V9_JOINT_CYCLES;
		b->cycles = w.count_known ? (uint32_t)(now - w.counted) : 0;
		w.count_known = true;
		w.counted = now;
	}
	/* At an exception, behind it (ETE-R_YYWTR), and now and then */
	if (!w.stamped || w.cycle - w.stamped >= 4096)
		stamp(c);
}

/* An exception to EL1, which is not traced */
static void enter_kernel(const struct v9_joint_clocks *c)
{
	stamp(c);
	gap(1 << 1);
	w.before = 0;
	for (uint64_t left = between(100, 2000); left--; ) {
		run_cycles(rnd() % 2);
		if (!w.until--)
			take_sample(0xffff000000001000 + 4 * (left % 500), 1, w.blocks - 1, 0, c);
	}
	w.ps += rnd() % 5 ? 0 : between(1000, 20000000);	/* asleep: time without cycles */
	w.hz = between(c->least_hz, c->most_hz);
	w.stamped = 0;
}

/* The PE sleeps for longer than clocks may differ, between two times of the trace. */
static void sleep_long(const struct v9_joint_clocks *c)
{
	stamp(c);
	gap(1 << 1);
	w.ps += UINT64_C(4000000000);
	w.stamped = 0;
	execute(0x70000, 10, 0, 0, 0, false, c);
}

/*
 * A program, its execution, and the samples. It begins with instructions that it executes once. If
 * @lossy it begins before the trace, ends after it, and the trace has gaps in which the program was
 * executed.
 */
static void run_program(unsigned int seed, bool lossy, const struct v9_joint_clocks *c)
{
	struct { unsigned int f, part; uint32_t path; } at = { 0, 0, 0 }, stack[DEPTH];
	unsigned int depth = 0, lost = 0;

	state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	memset(&w, 0, sizeof(w));
	w.paths = 1;
	w.ps = between(1000000, 1000000000) * 1000;
	w.hz = w.count_hz = c->least_hz;
	w.count_error = c->count_error;
	w.offset = (int64_t)(rnd() % 1000000) - 500000;
	w.until = 100;
	w.interval = c->interval;
	for (unsigned int f = 0, i; f < FUNCTIONS; f++) {
		uint64_t pc = 0x10000 + 0x1000 * f;

		for (i = 0; i < PARTS; i++) {
			w.part[f][i].pc = pc;
			w.part[f][i].n = (uint32_t)between(1, 12);
			pc += 4 * w.part[f][i].n;
		}
	}
	gap(ANY_EL);
	for (unsigned int i = 0; lossy && i < 200; i++)
		execute(0x10000 + 40 * i, 10, 0, 0, 0, true, c);
	if (!lossy) {
		execute(0x70000, 10, 0, 0, 0, false, c);
		sleep_long(c);
	}
	for (unsigned int i = 0; i < 1000; i++)
		execute(0x80000 + 40 * i, 10, 0, 0, 0, false, c);
	while (w.blocks < BLOCKS - 10) {
		const bool last = at.part == PARTS - 1, calls = !last && rnd() % 4 == 0 && depth < DEPTH;
		const unsigned int kind = last || calls ? TAKEN : rnd() % 3 ? TAKEN : BRANCH;
		const unsigned int f = at.f, part = at.part;
		const uint32_t path = at.path;

		if (rnd() % 300 == 0)
			enter_kernel(c);
		if (lossy && !lost && rnd() % 2000 == 0) {
			lost = (unsigned int)between(1, 300);
			gap(ANY_EL);
		}
		if (calls) {
			stack[depth].f = at.f;
			stack[depth].part = at.part + 1;
			stack[depth++].path = at.path;
			at.path = path_below(at.path, w.part[f][part].pc);
			at.f = (unsigned int)(rnd() % FUNCTIONS);
			at.part = 0;
		} else if (last && depth) {
			at.f = stack[--depth].f;
			at.part = stack[depth].part;
			at.path = stack[depth].path;
		} else if (last) {
			at.part = 0;
		} else if (kind == TAKEN) {
			at.part = rnd() % 3 ? at.part : (unsigned int)(rnd() % PARTS);
		} else {
			at.part++;
		}
		execute(w.part[f][part].pc, w.part[f][part].n, path, kind, w.part[at.f][at.part].pc, lost, c);
		lost -= lost > 0;
	}
	if (!lossy)
		sleep_long(c);
	gap(ANY_EL);
	for (unsigned int i = 0; lossy && i < 500; i++)
		execute(0x10000 + 40 * (i % 50), 10, 0, 0, 0, true, c);
}

/* Returns what is wrong about the place of a sample, or NULL. */
static const char *wrong(size_t k, const struct v9_joint_place *p)
{
	const size_t truth = w.truth[k];

	if (truth == NOWHERE)
		return p->class == V9_JOINT_NOT_EXECUTED ? NULL : "not executed, and has a place";
	if (!v9_joint_candidate(w.block, truth, &w.sample[k], p))
		return "the sampled execution is no candidate";
	if (p->class == V9_JOINT_EXACT && (p->first != truth || p->last != truth || p->n != 1))
		return "exact is wrong";
	if (p->class == V9_JOINT_PATH && (!w.block[truth].n || w.block[p->first].path != w.path_of[k]))
		return "the path is wrong";
	if (p->class >= V9_JOINT_NOT_EXECUTED && w.block[truth].n)
		return "it is in the trace";
	if (p->class == V9_JOINT_NOWHERE || p->class == V9_JOINT_NOT_EXECUTED)
		return "it is somewhere";
	if (p->class == V9_JOINT_OUTSIDE && truth && truth != w.blocks - 1)
		return "it is not outside";
	return NULL;
}

/* Numbers of samples by class, of programs with these clocks */
static void run(const struct v9_joint_clocks *of, bool measured, bool counts, bool targets,
		size_t class[V9_JOINT_CLASSES], const char **why)
{
	static struct v9_joint_place place[SAMPLES];
	int64_t spread = 0;

	memset(class, 0, V9_JOINT_CLASSES * sizeof(*class));
	for (unsigned int seed = 0; seed < 6; seed++) {
		struct v9_joint_clocks c = *of;

		run_program(seed, !measured, of);
		for (size_t i = 0; i < w.blocks && !counts; i++)
			w.block[i].has &= (uint8_t)~(V9_JOINT_CYCLES | V9_JOINT_COUNT);
		for (size_t i = 0; i < w.samples && !targets; i++)
			w.sample[i].has &= (uint8_t)~V9_JOINT_BEFORE;
		if (v9_joint_times(w.block, w.blocks, &c))
			*why = "a time goes back";
		c.offset_least = measured ? INT64_MIN : w.offset;
		c.offset_most = measured ? INT64_MAX : w.offset;
		if (measured && v9_joint_offset(w.block, w.blocks, w.sample, w.samples, true, &c) < 1)
			*why = "no offset";
		if (c.offset_least > w.offset || c.offset_most < w.offset)
			*why = "another offset";
		spread += c.offset_most - c.offset_least;
		v9_joint_place(w.block, w.blocks, w.sample, w.samples, &c, place);
		for (size_t k = 0; k < w.samples; k++) {
			const char *bad = wrong(k, &place[k]);

			class[place[k].class]++;
			if (!bad)
				continue;
			if (!*why)
				tap_note("seed %u, sample %zu of %zu, class %u, truth %zd: %s", seed, k,
					 w.samples, place[k].class, (ssize_t)w.truth[k], bad);
			*why = bad;
		}
	}
	if (measured)
		tap_note("offset known to %lld ns in the mean", (long long)spread / 6);
}

static void programs(void)
{
	static const uint64_t steps[] = { 1, 8, 40 };
	size_t exact[3][2][2][2], all[V9_JOINT_CLASSES] = { 0 };
	const char *why = NULL;

	for (unsigned int i = 0; i < 9; i++) {
		for (unsigned int how = 0; how < 8; how++) {
			struct v9_joint_clocks c = {
				.trace_step = steps[i / 3], .sample_step = steps[i % 3],
				.least_hz = 1000000000, .most_hz = 3000000000, .ordered = how & 1,
			};
			size_t class[V9_JOINT_CLASSES], n = 0;

			run(&c, false, how & 2, how & 4, class, &why);
			for (unsigned int k = 0; k < V9_JOINT_CLASSES; k++) {
				n += class[k];
				all[k] += class[k];
			}
			if (i % 3 != i / 3)
				continue;
			exact[i / 3][how & 1][how >> 1 & 1][how >> 2] = class[V9_JOINT_EXACT];
			tap_note("steps of %llu ns%s%s%s: %zu samples, %zu%% exact, %zu%% path exact, "
				 "%zu%% ambiguous, %zu in gaps",
				 (unsigned long long)c.trace_step,
				 c.ordered ? ", order" : "", how & 2 ? ", cycles" : "",
				 how & 4 ? ", targets before" : "", n,
				 class[V9_JOINT_EXACT] * 100 / n, class[V9_JOINT_PATH] * 100 / n,
				 class[V9_JOINT_AMBIGUOUS] * 100 / n, class[V9_JOINT_IN_GAP]);
		}
	}
	tap_ok(!why, "truth_is_among_the_candidates");
	for (unsigned int i = 0; i < 3; i++) {
		struct v9_joint_clocks c = {
			.trace_step = steps[i], .sample_step = steps[i],
			.least_hz = 1000000000, .most_hz = 3000000000, .ordered = true,
		};
		size_t class[V9_JOINT_CLASSES];

		run(&c, true, true, true, class, &why);
		tap_ok(class[V9_JOINT_EXACT] > 100, "exact_with_a_measured_offset");
	}
	tap_ok(!why, "offset_is_measured");
	for (unsigned int k = 0; k < V9_JOINT_CLASSES; k++)
		if (k != V9_JOINT_NOWHERE)
			tap_ok(all[k] > 20, "samples_of_class_%u", k);
	for (unsigned int i = 0; i < 3; i++) {
		for (unsigned int k = 0; k < 8; k++) {
			const unsigned int order = k & 1, cycles = k >> 1 & 1, targets = k >> 2;
			const size_t n = exact[i][order][cycles][targets];

			tap_ok(!order || n > exact[i][0][cycles][targets], "order_makes_more_exact");
			tap_ok(!cycles || n > exact[i][order][0][targets], "cycles_make_more_exact");
			tap_ok(!targets || n > exact[i][order][cycles][0], "targets_before_make_more_exact");
		}
	}
}

/* A unit with a fixed interval: what is called likely is the sampled execution. */
static void spaced(void)
{
	static struct v9_joint_place place[SAMPLES];
	size_t right = 0, not_right = 0, several = 0;

	for (unsigned int seed = 0; seed < 6; seed++) {
		struct v9_joint_clocks c = {
			.trace_step = 8, .sample_step = 8, .least_hz = 1000000000, .most_hz = 3000000000,
			.ordered = true, .interval = 97,
		};

		run_program(seed, true, &c);
		v9_joint_times(w.block, w.blocks, &c);
		c.offset_least = c.offset_most = w.offset;
		v9_joint_place(w.block, w.blocks, w.sample, w.samples, &c, place);
		for (size_t k = 0; k < w.samples; k++) {
			several += place[k].n > 1;
			right += place[k].likely && place[k].likely == w.truth[k];
			not_right += place[k].likely && place[k].likely != w.truth[k];
		}
	}
	tap_note("of %zu samples with several candidates %zu have the right likely one, %zu a wrong one", several,
		 right, not_right);
	tap_ok(right > several / 4, "many_have_a_likely_candidate");
	tap_eq(not_right, 0, "likely_is_right");
}

/* --- the same with few blocks in memory ------------------------------------------------ */

static struct {
	size_t got, placed, class[V9_JOINT_CLASSES], most_blocks;
	const char *why;
} seen;

static bool give_sample(void *arg, struct v9_joint_sample *s)
{
	(void)arg;
	if (seen.got == w.samples)
		return false;
	*s = w.sample[seen.got++];
	if (seen.got - seen.placed > V9_JOINT_BATCH + 1)
		seen.why = "more samples than were promised";
	return true;
}

/* As wrong(). The index of a block in memory is that of w.block. */
static const char *wrong_in(const struct v9_joint_window *in, size_t k, const struct v9_joint_sample *s,
			    const struct v9_joint_place *p)
{
	const size_t truth = w.truth[k];
	bool among = false;

	if (truth == NOWHERE)
		return p->class == V9_JOINT_NOT_EXECUTED ? NULL : "not executed, and has a place";
	for (size_t i = p->from; i < p->to; i++) {
		const struct v9_joint_block *b = &in->block[i];

		if (v9_joint_candidate(in->block, i, s, p))
			among |= b->n ? b->index == truth : !w.block[truth].n || b->hides == ANY_EL;
	}
	if (!among)
		return "the sampled execution is no candidate";
	if (p->class == V9_JOINT_EXACT && (in->block[p->first].index != truth || p->n != 1))
		return "exact is wrong";
	if (p->class == V9_JOINT_PATH && in->block[p->first].path != w.path_of[k])
		return "the path is wrong";
	return NULL;
}

static void see_place(void *arg, const struct v9_joint_window *in, const struct v9_joint_sample *s,
		      const struct v9_joint_place *p)
{
	const size_t k = seen.placed++;
	const char *bad = wrong_in(in, k, s, p);

	(void)arg;
	seen.class[p->class]++;
	if (bad && !seen.why)
		tap_note("sample %zu of %zu, class %u, truth %zd: %s", k, w.samples, p->class,
			 (ssize_t)w.truth[k], bad);
	if (bad)
		seen.why = bad;
}

/*
 * The count and the time at the end of a block, in either order. A unit may count the cycles of the timestamp from that
 * count or from the one before.
 */
static void add_times(struct v9_joint_window *in, const struct v9_joint_block *b, bool marks)
{
	const bool first = b->index % 2, counted = b->has & V9_JOINT_CYCLES;
	const uint32_t cycles = counted ? first && b->index % 4 == 1 ? 0 : b->cycles : (uint32_t)b->least_count;

	if (counted && first)
		v9_joint_window_count(in, b->cycles);
	if (b->has & V9_JOINT_TIME && marks)
		v9_joint_window_marker(in, true);
	else if (b->has & V9_JOINT_TIME)
		v9_joint_window_time(in, b->time, counted ? b->cycles : b->has & V9_JOINT_COUNT, cycles);
	if (counted && !first)
		v9_joint_window_count(in, b->cycles);
}

/* @marks: each timestamp comes one block late, and has a marker */
static void read_program(struct v9_joint_window *in, bool marks)
{
	uint64_t late = 0;
	bool late_counts = false;
	uint32_t late_count = 0;

	in->marks = marks;
	for (size_t i = 0; i < w.blocks; i++) {
		struct v9_joint_block b = w.block[i];

		b.index = i;
		if (b.n)
			v9_joint_window_add(in, &b);
		else
			v9_joint_window_gap(in, b.hides);
		if (late)
			v9_joint_window_time(in, late, late_counts, late_count);
		late = 0;
		add_times(in, &b, marks);
		if (b.has & V9_JOINT_TIME && marks) {
			late = b.time;
			late_counts = b.has & V9_JOINT_COUNT;
			late_count = (uint32_t)b.least_count;
		} else if (marks && i % 7 == 0) {
			v9_joint_window_time(in, UINT64_C(1) << 62, false, 0);	/* it belongs nowhere */
		}
		seen.most_blocks = in->nr > seen.most_blocks ? in->nr : seen.most_blocks;
	}
	v9_joint_window_end(in);
}

static const struct v9_joint_sample *typed;
static struct v9_joint_place typed_place;

static bool give_typed(void *arg, struct v9_joint_sample *s)
{
	(void)arg;
	if (!typed)
		return false;
	*s = *typed;
	typed = NULL;
	return true;
}

static void see_typed(void *arg, const struct v9_joint_window *in, const struct v9_joint_sample *s,
		      const struct v9_joint_place *p)
{
	(void)arg;
	(void)in;
	(void)s;
	typed_place = *p;
}

/*
 * A block, a gap, a timestamp of 100, a block of 200. The first timestamp may be that of the first block,
 * or of a time behind the gap. If @again, an exception came behind the gap.
 */
static enum v9_joint_class around_a_gap(uint64_t pc, uint64_t time, bool again)
{
	const struct v9_joint_user user = { give_typed, see_typed, NULL };
	const struct v9_joint_sample s = { .pc = pc, .time = time, .has = TIMED, .retired = true };
	struct v9_joint_window in;

	typed = &s;
	v9_joint_window_init(&in, &exact_clocks, 64, &user);
	v9_joint_window_add(&in, &(struct v9_joint_block){ .pc = 0x400, .n = 4 });
	v9_joint_window_time(&in, 50, false, 0);
	v9_joint_window_add(&in, &(struct v9_joint_block){ .pc = 0x100, .n = 4 });
	v9_joint_window_gap(&in, ANY_EL);
	if (again)
		v9_joint_window_element(&in);
	v9_joint_window_time(&in, 100, false, 0);
	v9_joint_window_add(&in, &(struct v9_joint_block){ .pc = 0x200, .n = 4 });
	v9_joint_window_time(&in, 200, false, 0);
	v9_joint_window_end(&in);
	v9_joint_window_free(&in);
	return typed_place.class;
}

/* Bounds of the blocks at 0x100, 0x200 ... when the window ended */
static struct { uint64_t least, most; } bounds[8];

static void see_bounds(void *arg, const struct v9_joint_window *in, const struct v9_joint_sample *s,
		       const struct v9_joint_place *p)
{
	(void)arg;
	(void)s;
	(void)p;
	for (size_t i = 0; i < in->nr; i++)
		if (in->block[i].n) {
			bounds[in->block[i].pc >> 8].least = in->block[i].least;
			bounds[in->block[i].pc >> 8].most = in->block[i].most;
		}
}

static void next_block(struct v9_joint_window *in, uint64_t pc, uint32_t cycles)
{
	v9_joint_window_add(in, &(struct v9_joint_block){ .pc = pc, .n = 4 });
	v9_joint_window_count(in, cycles);
}

/* Counts beside a timestamp, at 1 GHz */
static void counts_beside_times(void)
{
	const struct v9_joint_user user = { give_typed, see_bounds, NULL };
	const struct v9_joint_sample s = { .pc = 0x100, .retired = true };
	struct v9_joint_window in;

	/* The time is that of the block at 0x300, which was executed before the count of 40. */
	v9_joint_window_init(&in, &exact_clocks, 64, &user);
	next_block(&in, 0x100, 0);
	next_block(&in, 0x200, 50);
	next_block(&in, 0x300, 40);
	v9_joint_window_time(&in, 1000, true, 0);
	typed = &s;
	v9_joint_window_end(&in);
	tap_eq(bounds[2].most, 1001, "time_of_what_was_before_the_count");
	tap_eq(bounds[1].most, 951, "time_of_what_was_before_the_block");
	v9_joint_window_free(&in);
	/* It may be that of something behind the gap, so that it is not known what was counted since. */
	v9_joint_window_init(&in, &exact_clocks, 64, &user);
	next_block(&in, 0x100, 0);
	v9_joint_window_gap(&in, ANY_EL);
	v9_joint_window_time(&in, 1000, true, 5);
	next_block(&in, 0x200, 30);
	next_block(&in, 0x300, 30);
	typed = &s;
	v9_joint_window_end(&in);
	tap_eq(bounds[3].least, 1000, "time_behind_a_gap");
	v9_joint_window_free(&in);
	/* 20 cycles of the count behind the timestamp, then 20. */
	v9_joint_window_init(&in, &exact_clocks, 64, &user);
	next_block(&in, 0x100, 0);
	v9_joint_window_add(&in, &(struct v9_joint_block){ .pc = 0x200, .n = 4 });
	v9_joint_window_time(&in, 1000, true, 10);
	v9_joint_window_count(&in, 30);
	next_block(&in, 0x300, 20);
	next_block(&in, 0x400, 20);
	typed = &s;
	v9_joint_window_end(&in);
	tap_eq(bounds[3].least, 1020, "count_behind_a_time");
	tap_eq(bounds[4].least, 1040, "count_behind_a_time");
	v9_joint_window_free(&in);
}

static void typed_windows(void)
{
	tap_eq(around_a_gap(0x200, 150, false), V9_JOINT_AMBIGUOUS, "a_gap_may_be_behind_a_time");
	tap_eq(around_a_gap(0x100, 150, false), V9_JOINT_IN_GAP, "a_gap_may_be_behind_a_time");
	tap_eq(around_a_gap(0x100, 75, false), V9_JOINT_AMBIGUOUS, "a_gap_may_be_before_a_time");
	tap_eq(around_a_gap(0x200, 150, true), V9_JOINT_EXACT, "an_element_has_the_time");
	tap_eq(around_a_gap(0x100, 150, true), V9_JOINT_NOWHERE, "an_element_has_the_time");
	tap_eq(around_a_gap(0x400, 20, false), V9_JOINT_AMBIGUOUS, "the_begin_is_not_known");
	tap_eq(around_a_gap(0x200, 300, false), V9_JOINT_OUTSIDE, "the_end_is_not_known");
}

/*
 * Returns the number of exact samples of programs with at most @most blocks in memory. @counts: with cycle counts,
 * which are wrong by up to 20 ns
 */
static size_t parts(size_t most, bool marks, bool counts)
{
	const struct v9_joint_user user = { give_sample, see_place, NULL };
	size_t exact = 0, placed = 0, samples = 0;

	for (unsigned int seed = 0; seed < 6; seed++) {
		struct v9_joint_clocks c = {
			.trace_step = 8, .sample_step = 40, .least_hz = 1000000000, .ordered = true,
		};
		struct v9_joint_window in;
		const char *why = seen.why;

		c.most_hz = 3000000000;
		c.count_error = 20;
		run_program(seed, true, &c);
		c.most_hz = counts ? c.most_hz : 0;
		c.offset_least = c.offset_most = w.offset;
		memset(&seen, 0, sizeof(seen));
		seen.why = why;
		v9_joint_window_init(&in, &c, most, &user);
		read_program(&in, marks);
		exact += seen.class[V9_JOINT_EXACT];
		placed += seen.placed;
		samples += w.samples;
		/* The gap at the end, and one try in eighths of it */
		if (seen.most_blocks > most + most / 8 + 8)
			seen.why = "too many blocks";
		if (in.ahead || in.nr_samples)
			seen.why = "a sample is left";
		v9_joint_window_free(&in);
	}
	tap_note("%zu blocks%s%s: %zu of %zu samples exact", most, marks ? ", markers" : "",
		 counts ? ", cycles" : "", exact, samples);
	if (placed != samples)
		seen.why = "not each sample was placed";
	return exact;
}

static void windows(void)
{
	const struct v9_joint_user user = { give_sample, see_place, NULL };
	size_t all, used = 0;

	seen.why = NULL;
	all = parts(4 * BLOCKS, false, false);
	tap_ok(parts(2048, false, false) > all * 95 / 100, "nearly_all_are_exact_with_few_blocks");
	tap_ok(parts(64, false, false) < all, "too_few_blocks_make_fewer_exact");
	tap_ok(parts(2048, true, false) > all * 95 / 100, "markers");
	tap_ok(parts(2048, false, true) > all, "cycles_make_more_exact");
	tap_ok(parts(2048, true, true) > all, "cycles_make_more_exact_with_markers");
	tap_ok(!seen.why, "truth_is_among_the_candidates_in_memory");
	if (seen.why)
		tap_note("%s", seen.why);
	for (unsigned int seed = 0; seed < 6; seed++) {
		struct v9_joint_clocks c = {
			.trace_step = 8, .sample_step = 8, .least_hz = 1000000000, .most_hz = 3000000000,
			.ordered = true, .offset_least = -1000000, .offset_most = 1000000,
		}, found = c;
		struct v9_joint_window in;

		run_program(seed, false, &c);
		memset(&seen, 0, sizeof(seen));
		c.most_hz = 0;
		v9_joint_window_init(&in, &c, 4 * BLOCKS, &user);
		in.measured = &found;
		read_program(&in, false);
		used += in.used;
		v9_joint_window_free(&in);
		tap_ok(found.offset_least <= w.offset && found.offset_most >= w.offset &&
		       found.offset_most - found.offset_least < 2000, "offset_is_measured");
		tap_note("from %lld to %lld, offset %lld", (long long)found.offset_least,
			 (long long)found.offset_most, (long long)w.offset);
	}
	tap_note("from %zu samples", used);
	tap_ok(used > 120, "from_many_samples");
}

int main(void)
{
	times();
	cycles();
	cycles_of_times();
	cycles_before_an_unknown_count();
	classes();
	branches();
	branches_before();
	odd_branches_before();
	context();
	order();
	offset();
	offset_near();
	likely();
	programs();
	spaced();
	typed_windows();
	counts_beside_times();
	windows();
	return tap_done();
}
