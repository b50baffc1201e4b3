// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histograms, lengths of calls, and call trees from the bottom up, with typed values. A clock is known
 * at some positions of a thread only; in between it advances evenly.
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "../../tools/report/call_tree.h"
#include "../../tools/report/durations.h"

static void histogram(void)
{
	struct v9_hist h = { 0 }, more = { 0 };

	tap_eq(v9_hist_percentile(&h, 50), 0, "hist_empty");
	for (uint64_t v = 1; v <= 50; v++)
		v9_hist_add(&h, v, 1);
	v9_hist_add(&h, 60, 0);
	tap_eq(h.n, 50, "hist_n");
	tap_eq(h.sum, 1275, "hist_sum");
	tap_eq(v9_hist_percentile(&h, 50), 25, "hist_exact_below_64");
	tap_eq(v9_hist_percentile(&h, 90), 45, "hist_exact_below_64");
	tap_eq(v9_hist_percentile(&h, 99), 50, "hist_exact_below_64");
	tap_eq(v9_hist_percentile(&h, 0), 1, "hist_least");
	tap_eq(v9_hist_between(&h, 0, 1), 1, "hist_between_0_and_1");
	tap_eq(v9_hist_between(&h, 16, 31), 16, "hist_between");
	tap_eq(v9_hist_between(&h, 32, 63), 19, "hist_between_at_the_end");
	/* 1000 has its bucket from 992 to 1007, 2^40 + 1 from 2^40 on. */
	v9_hist_add(&more, 1000, 150);
	v9_hist_add(&more, (1ull << 40) + 1, 1);
	v9_hist_join(&h, &more);
	tap_eq(h.n, 201, "hist_joined");
	tap_eq(h.sum, 1275 + 150000 + (1ull << 40) + 1, "hist_joined_sum");
	tap_eq(v9_hist_percentile(&h, 50), 992, "hist_bucket_of_six_bits");
	tap_eq(v9_hist_percentile(&h, 100), (1ull << 40) + 1, "hist_most_is_exact");
	tap_eq(h.least, 1, "hist_least_of_both");
	tap_eq(v9_hist_between(&h, 512, 1023), 150, "hist_between_large");
	tap_eq(v9_hist_between(&h, 1ull << 40, (2ull << 40) - 1), 1, "hist_between_very_large");
	v9_hist_free(&h);
	v9_hist_add(&h, UINT64_MAX, 2);
	v9_hist_add(&h, 3, 1);
	tap_eq(v9_hist_percentile(&h, 50), UINT64_MAX - (UINT64_MAX >> 6), "hist_largest_value");
	v9_hist_free(&h);
	v9_hist_free(&more);
}

/* Two calls, one in the other, without a clock */
static void by_instructions(void)
{
	struct v9_durations d;

	v9_durations_init(&d, 0, 2);
	v9_durations_enter(&d, 0, 100, 7);
	v9_durations_enter(&d, 0, 110, 8);
	v9_durations_leave(&d, 0, 115, 8, V9_CALL_ENDED);
	v9_durations_leave(&d, 0, 140, 7, V9_CALL_ENDED);
	v9_durations_enter(&d, 1, 5, 7);	/* another thread */
	v9_durations_enter(&d, 0, 200, 7);
	v9_durations_leave(&d, 0, 203, 7, V9_CALL_ENDED);
	v9_durations_leave(&d, 0, 210, 9, V9_CALL_ENDED);	/* began before the trace */
	v9_durations_enter(&d, 0, 300, 7);
	v9_durations_leave(&d, 0, 310, 7, V9_CALL_LEFT);
	v9_durations_enter(&d, 0, 312, 7);
	v9_durations_leave(&d, 0, 313, 7, V9_CALL_LEFT);
	v9_durations_enter(&d, 0, 300, 7);
	v9_durations_leave(&d, 0, 310, 7, V9_CALL_LOST);
	v9_durations_finish(&d);
	tap_eq(d.hist[V9_BY_INSNS].n, 3, "calls_that_ended");
	tap_eq(d.hist[V9_BY_INSNS].sum, 40 + 5 + 3, "lengths");
	tap_eq(d.hist[V9_BY_NS].n, 0, "no_clock");
	tap_eq(d.nr_longest, 2, "longest_are_limited");
	tap_eq(d.longest[0].length[V9_BY_INSNS], 40, "longest_first");
	tap_eq(d.longest[0].node, 7, "longest_first");
	tap_eq(d.longest[0].position, 100, "longest_begins");
	tap_eq(d.longest[1].length[V9_BY_INSNS], 5, "second");
	tap_eq(v9_durations_long_at(&d, 0, 99), 0, "in_no_call_before");
	tap_eq(v9_durations_long_at(&d, 0, 100), 1, "in_a_call_at_its_begin");
	tap_eq(v9_durations_long_at(&d, 0, 109), 1, "in_the_outer_call");
	tap_eq(v9_durations_long_at(&d, 0, 110), 2, "in_the_inner_call");
	tap_eq(v9_durations_long_at(&d, 0, 114), 2, "in_the_inner_call_at_its_end");
	tap_eq(v9_durations_long_at(&d, 0, 115), 1, "in_the_outer_call_again");
	tap_eq(v9_durations_long_at(&d, 0, 139), 1, "in_a_call_at_its_end");
	tap_eq(v9_durations_long_at(&d, 0, 140), 0, "in_no_call_behind");
	tap_eq(v9_durations_long_at(&d, 0, 201), 0, "in_a_call_that_is_not_long");
	tap_eq(v9_durations_long_at(&d, 0, UINT64_MAX), 0, "position_not_known");
	tap_eq(v9_durations_long_at(&d, 1, 110), 0, "in_no_call_of_its_thread");
	tap_eq(d.open, 1, "not_ended");
	tap_eq(d.before, 1, "began_before");
	tap_eq(d.left, 2, "left_by_longjmp");
	tap_eq(d.lost, 1, "trace_was_lost");
	v9_durations_free(&d);
}

/* ns 1000 at 100 and 2000 at 200: 10 ns for an instruction. */
static void by_time(void)
{
	struct v9_durations d;

	v9_durations_init(&d, 1u << V9_BY_NS, 4);
	v9_durations_enter(&d, 0, 90, 1);	/* before the clock is known */
	v9_durations_clock(&d, 0, 100, V9_BY_NS, 1000);
	v9_durations_leave(&d, 0, 110, 1, V9_CALL_ENDED);
	v9_durations_enter(&d, 0, 120, 2);
	v9_durations_leave(&d, 0, 130, 2, V9_CALL_ENDED);
	v9_durations_enter(&d, 0, 150, 3);	/* over the next reading */
	tap_eq(d.hist[V9_BY_NS].n, 0, "waits_for_the_clock");
	v9_durations_clock(&d, 0, 200, V9_BY_NS, 2000);
	tap_eq(d.hist[V9_BY_NS].n, 1, "length_by_time");
	tap_eq(d.hist[V9_BY_NS].sum, 100, "length_by_time");
	v9_durations_leave(&d, 0, 220, 3, V9_CALL_ENDED);
	v9_durations_clock(&d, 0, 300, V9_BY_NS, 2500);	/* 5 ns for an instruction */
	tap_eq(d.hist[V9_BY_NS].sum, 100 + 2100 - 1500, "length_over_a_reading");
	tap_eq(d.longest[0].node, 3, "longest_by_time");
	tap_eq(d.longest[0].begin, 1500, "begin_of_the_longest");
	v9_durations_enter(&d, 0, 310, 4);
	v9_durations_gap(&d, 0);
	v9_durations_leave(&d, 0, 320, 4, V9_CALL_ENDED);
	v9_durations_clock(&d, 0, 330, V9_BY_NS, 9000);
	v9_durations_enter(&d, 0, 340, 5);
	v9_durations_leave(&d, 0, 350, 5, V9_CALL_ENDED);
	v9_durations_clock(&d, 0, 360, V9_BY_NS, 8000);	/* goes back */
	v9_durations_enter(&d, 0, 370, 6);
	v9_durations_leave(&d, 0, 375, 6, V9_CALL_ENDED);	/* no reading after it */
	v9_durations_finish(&d);
	tap_eq(d.hist[V9_BY_NS].n, 2, "unknown_times_are_not_counted");
	tap_eq(d.hist[V9_BY_INSNS].n, 6, "instructions_are_known");
	tap_eq(d.hist[V9_BY_INSNS].sum, 20 + 10 + 70 + 10 + 10 + 5, "instructions_are_known");
	tap_eq(d.longest[1].node, 2, "known_lengths_come_first");
	tap_eq(d.longest[2].known, 1u << V9_BY_INSNS, "then_unknown_ones");
	v9_durations_free(&d);
}

/* Both clocks: a call is counted when both are known. */
static void by_cycles(void)
{
	struct v9_durations d;

	v9_durations_init(&d, 1u << V9_BY_NS | 1u << V9_BY_CYCLES, 4);
	v9_durations_clock(&d, 2, 0, V9_BY_CYCLES, 0);
	v9_durations_clock(&d, 2, 0, V9_BY_NS, 500);
	v9_durations_enter(&d, 2, 10, 1);
	v9_durations_clock(&d, 2, 20, V9_BY_CYCLES, 40);	/* 2 cycles for an instruction */
	v9_durations_leave(&d, 2, 20, 1, V9_CALL_ENDED);
	v9_durations_clock(&d, 2, 30, V9_BY_CYCLES, 100);
	tap_eq(d.hist[V9_BY_CYCLES].n, 0, "waits_for_the_other_clock");
	v9_durations_clock(&d, 2, 100, V9_BY_NS, 1500);
	tap_eq(d.hist[V9_BY_CYCLES].n, 1, "both_are_known");
	tap_eq(d.hist[V9_BY_CYCLES].sum, 20, "length_by_cycles");
	tap_eq(d.hist[V9_BY_NS].sum, 100, "length_by_ns");
	tap_eq(d.order, V9_BY_CYCLES, "cycles_come_first");
	v9_durations_free(&d);
}

static size_t add(struct v9_call **t, size_t *n, size_t parent, size_t func, uint64_t self,
		  uint64_t calls, uint64_t cycles)
{
	const size_t i = v9_call_child(t, n, parent, func);

	(*t)[i].self += self;
	(*t)[i].calls += calls;
	(*t)[i].cycles += cycles;
	return i;
}

static size_t child(const struct v9_call *t, size_t node, size_t func)
{
	for (size_t i = t[node].child; i; i = t[i].next)
		if (t[i].func == func)
			return i;
	return 0;
}

/* 1 calls 2 and 3, both call 4, which calls itself. */
static void inverse(void)
{
	struct v9_call *t = calloc(1, sizeof(*t)), *u;
	size_t n = 1, nu, a, b, c, d, i;

	a = add(&t, &n, 0, 1, 10, 0, 20);
	b = add(&t, &n, a, 2, 20, 1, 0);
	c = add(&t, &n, a, 3, 30, 2, 0);
	tap_eq(add(&t, &n, b, 4, 5, 7, 3), 4, "child_is_added");
	d = add(&t, &n, c, 4, 6, 8, 4);
	add(&t, &n, d, 4, 100, 9, 0);
	tap_eq(add(&t, &n, b, 4, 0, 0, 0), 4, "child_is_found");
	u = v9_call_invert(t, n, &nu);
	i = child(u, 0, 4);
	tap_eq(u[i].total, 111, "own_instructions_of_all_paths");
	tap_eq(u[i].calls, 24, "calls_of_all_paths");
	tap_eq(u[i].total_cycles, 7, "cycles_of_all_paths");
	tap_eq(u[child(u, i, 2)].total, 5, "for_one_caller");
	tap_eq(u[child(u, i, 3)].total, 6, "for_another_caller");
	tap_eq(u[child(u, i, 4)].total, 100, "for_itself");
	tap_eq(child(u, child(u, i, 4), 4), 0, "calls_itself_once");
	tap_eq(u[child(u, child(u, i, 3), 1)].total, 6, "caller_of_the_caller");
	tap_eq(u[child(u, child(u, i, 3), 1)].self, 6, "ends_where_no_caller_is_known");
	tap_eq(u[i].self, 0, "has_callers");
	tap_eq(u[child(u, 0, 1)].self, 10, "root_has_no_caller");
	tap_eq(u[child(u, 0, 1)].total_cycles, 20, "cycles_of_the_root");
	free(u);
	free(t);
}

/* A tree by place: 1 calls 2 at 10 and at 20, 2 calls 1 at 30. */
static void places(void)
{
	struct v9_call *t = calloc(1, sizeof(*t));
	size_t n = 1, a, b, c, d, last;
	uint64_t cut = 0;

	a = v9_call_at(&t, &n, 0, 1, 0, &cut);
	b = v9_call_at(&t, &n, a, 2, 10, &cut);
	tap_ok(v9_call_at(&t, &n, a, 2, 20, &cut) != b, "another_place_is_another_node");
	tap_eq(v9_call_at(&t, &n, a, 2, 10, &cut), b, "the_same_place_is_the_same_node");
	tap_eq(t[b].parent, a, "node_has_its_caller");
	c = v9_call_at(&t, &n, b, 1, 30, &cut);
	tap_eq(t[c].same, 0, "first_time_stands_for_itself");
	d = v9_call_at(&t, &n, c, 2, 10, &cut);
	tap_eq(t[d].same, b, "second_time_is_the_first");
	tap_eq(t[d].parent, c, "call_counts_where_it_was_made");
	tap_eq(v9_call_at(&t, &n, c, 2, 10, &cut), d, "again_the_same_node");
	last = v9_call_at(&t, &n, c, 2, 20, &cut);
	tap_eq(t[last].same, 0, "another_place_is_not_the_first");
	for (size_t i = 0; i < V9_SITES_MOST - 4; i++)
		last = v9_call_at(&t, &n, last, 3, 100 + i, &cut);
	tap_eq(cut, 0, "most_callers");
	tap_eq(t[v9_call_at(&t, &n, last, 4, 90, &cut)].parent, last, "most_callers_are_known");
	last = v9_call_at(&t, &n, last, 3, 91, &cut);
	tap_eq(cut, 0, "most_callers_are_not_cut");
	tap_eq(t[v9_call_at(&t, &n, last, 4, 90, &cut)].parent, 0, "one_more_has_none");
	tap_eq(cut, 1, "one_more_is_counted");
	tap_eq(t[v9_call_at(&t, &n, last, 3, 100, &cut)].same != 0, true, "no_recursion_is_cut");
	tap_eq(cut, 1, "no_recursion_is_counted");
	free(t);
}

int main(void)
{
	histogram();
	by_instructions();
	by_time();
	by_cycles();
	inverse();
	places();
	return tap_done();
}
