// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums of branch stacks. Stacks and results are typed by hand. A place is its address, as each
 * address here fits; functions are hundreds.
 */
#include <string.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/report/branch_sum.h"

#define FULL	(V9_STACK_JOINS | V9_STACK_CALLS)

/* A record, oldest first in the tables below. @how: P, M or - */
struct rec {
	uint32_t from, to;
	uint8_t type;
	char how;
	uint16_t cycles;
};

enum { COND = 1, UNCOND = 2, CALL = 4, ICALL = 5, RET = 6, SYSCALL = 7, ERET = 11, IRQ = 12 };

/* @deselect: bit of each record that the filter leaves out, from the oldest on */
static void add(struct v9_branch_sum *s, const struct rec *rec, size_t n, unsigned int shows,
		unsigned int deselect)
{
	struct v9_step step[16];

	for (size_t i = 0; i < n; i++) {
		const struct rec *r = &rec[n - 1 - i];

		step[i] = (struct v9_step){
			.b = { .from = r->from, .to = r->to, .type = r->type, .cycles = r->cycles,
			       .pred = r->how == 'P' ? V9_BRANCH_PREDICTED :
				       r->how == 'M' ? V9_BRANCH_MISPREDICTED : V9_BRANCH_NOT_KNOWN },
			.from = r->from, .to = r->to, .from_func = r->from / 100, .to_func = r->to / 100,
			.counts = !(deselect >> (n - 1 - i) & 1),
		};
	}
	v9_branch_sum_add(s, step, n, shows);
}

#define ADD(s, rec, shows, deselect)	add(s, rec, V9_ARRAY_SIZE(rec), shows, deselect)

static const struct v9_branch_bin *branch(const struct v9_branch_sum *s, uint64_t from, uint64_t to,
					  uint64_t type)
{
	for (size_t i = 0; i < s->branches.used; i++) {
		const struct v9_branch_bin *b = v9_bins_get(&s->branches, i);

		if (b->key[0] == (from << 32 | to) && b->key[1] == type)
			return b;
	}
	return NULL;
}

static const struct v9_block_bin *block(const struct v9_branch_sum *s, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < s->blocks.used; i++) {
		const struct v9_block_bin *b = v9_bins_get(&s->blocks, i);

		if (b->key[0] == (start << 32 | end))
			return b;
	}
	return NULL;
}

/* Times that a block took so many cycles, called from @caller */
static uint64_t lat(const struct v9_branch_sum *s, uint64_t start, uint64_t end, uint64_t caller,
		    uint64_t cycles)
{
	for (size_t i = 0; i < s->lats.used; i++) {
		const struct v9_lat_bin *b = v9_bins_get(&s->lats, i);

		if (b->key[0] == (start << 32 | end) && b->key[1] == caller && b->key[2] == cycles)
			return b->n;
	}
	return 0;
}

/* The chain of functions @path, innermost first, 0 after its end; returns the node or NULL */
static const struct v9_caller_bin *chain(const struct v9_branch_sum *s, const uint32_t *path)
{
	const struct v9_caller_bin *found = NULL;

	for (; *path != UINT32_MAX; path++) {
		const uint64_t key = (uint64_t)(found ? found->index + 1 : 0) << 32 | *path;
		const struct v9_caller_bin *next = NULL;

		for (size_t i = 0; i < s->callers.used; i++) {
			const struct v9_caller_bin *c = v9_bins_get(&s->callers, i);

			if (c->key[0] == key)
				next = c;
		}
		if (!next)
			return NULL;
		found = next;
	}
	return found;
}

#define CHAIN(s, ...)	chain(s, (const uint32_t []){ __VA_ARGS__, UINT32_MAX })

/* A loop of three blocks, twice; then the same once more */
static void test_sums(void)
{
	static const struct rec rec[] = {
		{ 120, 200, CALL, 'P', 0 }, { 220, 130, RET, 'P', 7 }, { 140, 110, COND, 'M', 3 },
		{ 120, 200, CALL, 'P', 4 }, { 220, 130, RET, '-', 0 }, { 140, 110, COND, 'P', 3 },
	};
	const struct v9_branch_bin *b;
	const struct v9_block_bin *k;
	struct v9_branch_sum s;

	v9_branch_sum_init(&s);
	ADD(&s, rec, FULL, 0);
	ADD(&s, rec, FULL, 0);
	add(&s, rec, 0, FULL, 0);
	tap_ok(s.stacks == 2 && s.empty == 1, "stacks");
	tap_ok(s.n == 12 && s.records == 12 && s.branches.used == 3, "branches");
	tap_ok(s.pred[V9_BRANCH_PREDICTED] == 8 && s.pred[V9_BRANCH_MISPREDICTED] == 2 &&
	       s.pred[V9_BRANCH_NOT_KNOWN] == 2, "predictions");
	tap_ok(s.timed == 8 && s.limit == 0, "cycles_known");
	tap_ok(s.lengths[6] == 2 && s.lengths[0] == 1 && s.longest == 6, "lengths");
	b = branch(&s, 140, 110, COND);
	tap_ok(b && b->n[V9_BRANCH_MISPREDICTED] == 2 && b->n[V9_BRANCH_PREDICTED] == 2 &&
	       b->n[V9_BRANCH_NOT_KNOWN] == 0 && b->timed == 4 && b->cycles == 12, "one_branch");
	tap_ok(s.by_type[RET][V9_BRANCH_PREDICTED] == 2 && s.by_type[RET][V9_BRANCH_NOT_KNOWN] == 2 &&
	       s.by_type[CALL][V9_BRANCH_PREDICTED] == 4, "types");
	tap_eq(s.blocks.used, 3, "blocks");
	k = block(&s, 200, 220);
	tap_ok(k && k->n == 4 && k->timed == 2 && k->cycles == 14 && !k->limit, "block_of_the_call");
	k = block(&s, 130, 140);
	tap_ok(k && k->n == 4 && k->timed == 4 && k->cycles == 12, "block_behind_the_return");
	k = block(&s, 110, 120);
	tap_ok(k && k->n == 2 && k->timed == 2 && k->cycles == 8, "block_of_the_loop");
	/* The oldest record has no block; nothing is between records of two samples. */
	tap_ok(!block(&s, 110, 110) && s.holes == 0 && s.misfits == 0, "no_other_block");
	tap_ok(lat(&s, 200, 220, 120, 7) == 2 && lat(&s, 130, 140, V9_NO_CALLER, 3) == 4 &&
	       lat(&s, 110, 120, V9_NO_CALLER, 4) == 2,
	       "latencies_by_caller");
	v9_branch_sum_free(&s);
}

/* A selection counts some branches; the others still say where code goes on, and who calls. */
static void test_selected(void)
{
	static const struct rec rec[] = {
		{ 120, 200, CALL, 'P', 1 }, { 220, 300, CALL, 'P', 2 }, { 320, 330, COND, 'P', 3 },
	};
	struct v9_branch_sum s;

	v9_branch_sum_init(&s);
	ADD(&s, rec, FULL, 3);
	tap_ok(s.n == 1 && s.records == 3 && s.branches.used == 1, "selected_branches");
	tap_ok(s.blocks.used == 1 && block(&s, 300, 320) && lat(&s, 300, 320, 220, 3) == 1,
	       "selected_blocks");
	tap_ok(CHAIN(&s, 3, 2, 1) && CHAIN(&s, 3, 2, 1)->ends == 1, "selected_chain");
	v9_branch_sum_free(&s);
}

static void test_chains(void)
{
	/* 1 calls 2, which calls 3 and comes back, and calls 4 */
	static const struct rec calls[] = {
		{ 120, 200, CALL, 'P', 0 }, { 210, 300, ICALL, 'P', 0 }, { 310, 214, RET, 'P', 0 },
		{ 220, 400, CALL, 'P', 0 },
	};
	/* Two returns before the first call: their callers are older than the stack. */
	static const struct rec returns[] = {
		{ 310, 214, RET, 'P', 0 }, { 230, 124, RET, 'P', 0 }, { 130, 200, CALL, 'P', 0 },
	};
	/* The return goes elsewhere: what was called before it is not known to be on the stack. */
	static const struct rec astray[] = {
		{ 120, 200, CALL, 'P', 0 }, { 210, 300, CALL, 'P', 0 }, { 310, 124, RET, 'P', 0 },
	};
	/* A tail call: 3 returns to the caller of 2. */
	static const struct rec tail[] = {
		{ 120, 200, CALL, 'P', 0 }, { 210, 300, UNCOND, 'P', 0 }, { 310, 124, RET, 'P', 0 },
		{ 140, 400, CALL, 'P', 0 },
	};
	/* An interrupt, and what it calls; then back to the same instruction */
	static const struct rec irq[] = {
		{ 120, 200, CALL, 'P', 0 }, { 210, 900, IRQ, '-', 0 }, { 910, 800, CALL, 'P', 0 },
		{ 810, 914, RET, 'P', 0 }, { 920, 210, ERET, '-', 0 },
	};
	struct v9_branch_sum s;

	v9_branch_sum_init(&s);
	ADD(&s, calls, FULL, 0);
	ADD(&s, calls, FULL, 0);
	tap_ok(CHAIN(&s, 4) && CHAIN(&s, 4)->n == 2 && !CHAIN(&s, 4)->ends, "chain_leaf");
	tap_ok(CHAIN(&s, 4, 2, 1) && CHAIN(&s, 4, 2, 1)->n == 2 && CHAIN(&s, 4, 2, 1)->ends == 2,
	       "chain_without_what_returned");
	tap_ok(s.chains == 2 && s.callers.used == 3 && !s.misfits, "chain_no_other");
	v9_branch_sum_free(&s);

	v9_branch_sum_init(&s);
	ADD(&s, returns, FULL, 0);
	tap_ok(CHAIN(&s, 2, 1) && CHAIN(&s, 2, 1)->ends == 1 && s.callers.used == 2 && !s.misfits,
	       "chain_behind_returns");
	v9_branch_sum_free(&s);

	v9_branch_sum_init(&s);
	ADD(&s, astray, FULL, 0);
	tap_ok(CHAIN(&s, 1) && CHAIN(&s, 1)->ends == 1 && s.callers.used == 1 && s.misfits == 1,
	       "chain_is_not_invented");
	v9_branch_sum_free(&s);

	v9_branch_sum_init(&s);
	ADD(&s, tail, FULL, 0);
	tap_ok(CHAIN(&s, 4, 1) && s.callers.used == 2 && !s.misfits, "chain_of_a_tail_call");
	v9_branch_sum_free(&s);

	v9_branch_sum_init(&s);
	add(&s, irq, 3, FULL, 0);
	tap_ok(CHAIN(&s, 8, 9, 2, 1) && s.callers.used == 4, "chain_into_an_interrupt");
	ADD(&s, irq, FULL, 0);
	tap_ok(CHAIN(&s, 2, 1) && CHAIN(&s, 2, 1)->ends == 1 && !s.misfits, "chain_after_an_interrupt");
	v9_branch_sum_free(&s);

	/* Without types of branches calls are not known; a call stack has nothing but calls. */
	v9_branch_sum_init(&s);
	ADD(&s, calls, V9_STACK_JOINS, 0);
	tap_ok(!s.callers.used && !s.chains && s.blocks.used == 3, "no_chain_without_types");
	ADD(&s, calls, V9_STACK_NESTED, 0);
	tap_ok(CHAIN(&s, 4, 2, 3, 2, 1) && s.blocks.used == 3, "call_stack");
	v9_branch_sum_free(&s);

	/* Calls alone do not join. */
	v9_branch_sum_init(&s);
	ADD(&s, calls, V9_STACK_CALLS, 0);
	tap_ok(!s.blocks.used && CHAIN(&s, 4, 2, 1), "no_block_without_all");
	v9_branch_sum_free(&s);
}

static void test_holes(void)
{
	/* From 200 on, the next record is before it. */
	static const struct rec back[] = {
		{ 120, 200, CALL, 'P', 0 }, { 190, 300, CALL, 'P', 5 },
	};
	static const struct rec far[] = {
		{ 120, 200, CALL, 'P', 0 }, { 200 + V9_BLOCK_MOST, 300, CALL, 'P', 5 },
	};
	static const struct rec near[] = {
		{ 120, 200, CALL, 'P', 0 }, { 199 + V9_BLOCK_MOST, 300, CALL, 'P', 5 },
	};
	static const struct rec same[] = {
		{ 120, 200, CALL, 'P', 0 }, { 200, 300, CALL, 'P', 5 },
	};
	/* A system call: its target and where it came back from are not known. */
	static const struct rec visit[] = {
		{ 120, 200, CALL, 'P', 0 }, { 210, 0, SYSCALL, '-', 5 }, { 0, 214, ERET, '-', 0 },
		{ 230, 300, CALL, 'P', 6 },
	};
	static const struct rec entry[] = {
		{ 720, 700, COND, 'P', 0 }, { 710, 0, ERET, '-', 3 }, { 0, 900, SYSCALL, '-', 0 },
		{ 910, 800, CALL, 'P', 5 },
	};
	/* Only one side of a visit */
	static const struct rec half[] = {
		{ 120, 200, CALL, 'P', 0 }, { 0, 214, ERET, '-', 0 }, { 230, 300, CALL, 'P', 6 },
	};
	struct v9_branch_sum s;

	v9_branch_sum_init(&s);
	ADD(&s, back, FULL, 0);
	tap_ok(s.holes == 1 && !s.blocks.used && CHAIN(&s, 3, 1) && s.callers.used == 2, "hole_backwards");
	ADD(&s, far, FULL, 0);
	tap_ok(s.holes == 2 && !s.blocks.used, "hole_far");
	ADD(&s, near, FULL, 0);
	ADD(&s, same, FULL, 0);
	tap_ok(s.holes == 2 && s.blocks.used == 2 && block(&s, 200, 200), "no_hole");
	v9_branch_sum_free(&s);

	v9_branch_sum_init(&s);
	ADD(&s, visit, FULL, 0);
	tap_ok(!s.holes && !s.misfits && s.half == 2 && s.blocks.used == 2 && block(&s, 214, 230), "visit");
	tap_ok(CHAIN(&s, 3, 2, 1) != NULL, "chain_across_a_visit");
	v9_branch_sum_free(&s);

	/* A branch that was not taken has no target: nothing is missing. */
	v9_branch_sum_init(&s);
	v9_branch_sum_add(&s, &(struct v9_step){
			.b = { .from = 120, .type = COND, .not_taken = true }, .from = 120, .from_func = 1,
			.counts = true }, 1, FULL);
	tap_ok(s.n == 1 && s.not_taken == 1 && !s.half, "not_taken");
	v9_branch_sum_free(&s);

	/* Called from a place that is not recorded, or from before the stack: these are not the same. */
	v9_branch_sum_init(&s);
	ADD(&s, entry, FULL, 0);
	tap_ok(lat(&s, 900, 910, 0, 5) == 1 && lat(&s, 900, 910, V9_NO_CALLER, 5) == 0 &&
	       CHAIN(&s, 8, 9, 0), "called_from_where_nothing_is_recorded");
	tap_eq(lat(&s, 700, 710, V9_NO_CALLER, 3), 1, "called_before_the_stack");
	v9_branch_sum_free(&s);

	v9_branch_sum_init(&s);
	ADD(&s, half, FULL, 0);
	tap_ok(s.holes == 1 && s.half == 1 && s.blocks.used == 1 && CHAIN(&s, 3, 2) && !CHAIN(&s, 3, 2, 1),
	       "half_a_visit");
	v9_branch_sum_free(&s);
}

static void test_latencies(void)
{
	struct v9_branch_sum s;
	struct v9_lat_bin **lats;
	struct v9_lat_run run;
	const uint64_t key = 200ull << 32 | 220, first = 120, second = 130;

	v9_branch_sum_init(&s);
	/* 1 to 100 cycles, the slow ones called from 130; then one at the limit; then another block */
	for (uint16_t c = 100; c; c--) {
		const struct rec rec[] = {
			{ c > 60 ? 130 : 120, 200, CALL, 'P', 0 }, { 220, 230, COND, 'P', c },
		};

		ADD(&s, rec, FULL, 0);
	}
	{
		static const struct rec rec[] = {
			{ 120, 200, CALL, 'P', 0 }, { 220, 230, COND, 'P', 0xffff }, { 240, 200, COND, 'P', 9 },
		};

		ADD(&s, rec, FULL, 0);
	}
	tap_ok(s.limit == 1 && block(&s, 200, 220)->limit == 1 && block(&s, 200, 220)->n == 101, "at_limit");
	lats = v9_branch_lats(&s, false);
	run = v9_lat_run(&s, lats, key, NULL);
	tap_eq(run.sum, 101, "times");
	/* Of 101: the 51st, 91st, 100th and 101st; of 1.01 the 2nd */
	tap_ok(v9_lat_percentile(&run, 50) == 51 && v9_lat_percentile(&run, 90) == 91 &&
	       v9_lat_percentile(&run, 99) == 100 && v9_lat_percentile(&run, 100) == 0xffff, "percentiles");
	tap_eq(v9_lat_percentile(&run, 1), 2, "percentile_of_a_part");
	run = v9_lat_run(&s, lats, 230ull << 32 | 240, NULL);
	tap_ok(run.sum == 1 && v9_lat_percentile(&run, 50) == 9, "another_block");
	run = v9_lat_run(&s, lats, key + 1, NULL);
	tap_ok(!run.n && !run.sum && !v9_lat_percentile(&run, 50), "no_block");
	free(lats);
	lats = v9_branch_lats(&s, true);
	run = v9_lat_run(&s, lats, key, &first);
	tap_ok(run.sum == 61 && run.n == 61 && v9_lat_percentile(&run, 50) == 31, "first_caller");
	run = v9_lat_run(&s, lats, key, &second);
	tap_ok(run.sum == 40 && v9_lat_percentile(&run, 50) == 80 && v9_lat_percentile(&run, 1) == 61,
	       "second_caller");
	free(lats);
	v9_branch_sum_free(&s);
}

/* What is the same takes no more memory, however often it comes. */
static void test_bounded(void)
{
	struct v9_branch_sum s;

	v9_branch_sum_init(&s);
	for (uint32_t i = 0; i < 200000; i++) {
		const struct rec rec[] = {
			{ 120, 200 + i % 4, CALL, 'P', 0 }, { 220, 300, CALL, 'M', (uint16_t)(1 + i % 8) },
		};

		ADD(&s, rec, FULL, 0);
	}
	tap_ok(s.n == 400000 && s.branches.used == 5 && s.blocks.used == 4 && s.lats.used == 8 &&
	       s.callers.used == 3, "bounded");
	v9_branch_sum_free(&s);
}

int main(void)
{
	test_sums();
	test_selected();
	test_chains();
	test_holes();
	test_latencies();
	test_bounded();
	return tap_done();
}
