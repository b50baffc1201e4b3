// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "branch_sum.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

void v9_branch_sum_init(struct v9_branch_sum *s)
{
	memset(s, 0, sizeof(*s));
	v9_bins_init(&s->branches, sizeof(struct v9_branch_bin));
	v9_bins_init(&s->blocks, sizeof(struct v9_block_bin));
	v9_bins_init(&s->lats, sizeof(struct v9_lat_bin));
	v9_bins_init(&s->callers, sizeof(struct v9_caller_bin));
	s->open = v9_alloc(V9_STACK_MOST * sizeof(*s->open));
}

void v9_branch_sum_free(struct v9_branch_sum *s)
{
	v9_bins_free(&s->branches);
	v9_bins_free(&s->blocks);
	v9_bins_free(&s->lats);
	v9_bins_free(&s->callers);
	free(s->open);
}

static uint64_t pair(uint32_t a, uint32_t b)
{
	return (uint64_t)a << 32 | b;
}

static void add_branch(struct v9_branch_sum *s, const struct v9_step *step)
{
	const struct v9_branch_rec *b = &step->b;
	const uint64_t key[2] = { pair(step->from, step->to), b->type };
	struct v9_branch_bin *bin = v9_bins_at(&s->branches, key, 2);

	bin->n[b->pred]++;
	s->n++;
	s->pred[b->pred]++;
	s->by_type[b->type][b->pred]++;
	s->half += !b->not_taken && (!b->from || !b->to);
	s->not_taken += b->not_taken;
	s->in_tx += b->in_tx;
	s->aborts += b->abort;
	s->wrong_path += b->spec == 1;	/* PERF_BR_SPEC_WRONG_PATH */
	if (!b->cycles)
		return;
	bin->timed++;
	bin->cycles += b->cycles;
	s->timed++;
	s->limit += b->cycles == V9_BRANCH_CYCLES_MOST;
}

/* @caller: place of the call that is not returned from, or V9_NO_CALLER */
static void add_block(struct v9_branch_sum *s, const struct v9_step *before,
		      const struct v9_step *step, uint32_t caller)
{
	const uint64_t key[3] = { pair(before->to, step->from), caller, step->b.cycles };
	struct v9_block_bin *block = v9_bins_at(&s->blocks, key, 1);

	block->n++;
	if (!step->b.cycles)
		return;
	block->timed++;
	block->cycles += step->b.cycles;
	block->limit += step->b.cycles == V9_BRANCH_CYCLES_MOST;
	((struct v9_lat_bin *)v9_bins_at(&s->lats, key, 3))->n++;
}

/* What is between two records */
enum between { BLOCK, NOTHING_KNOWN, HOLE };

static enum between between(const struct v9_branch_rec *before, const struct v9_branch_rec *after)
{
	/* Both unknown: the other side of a visit that may not be recorded. It comes back itself. */
	if (!before->to || !after->from)
		return !before->to && !after->from ? NOTHING_KNOWN : HOLE;
	return after->from >= before->to && after->from - before->to < V9_BLOCK_MOST ? BLOCK : HOLE;
}

/* Updates the calls that are open, and returns their number. */
static size_t follow(struct v9_branch_sum *s, const struct v9_step *step, size_t open,
		     unsigned int shows)
{
	const enum v9_branch_role role = shows & V9_STACK_NESTED ? V9_BRANCH_ENTERS :
					 v9_branch_role(step->b.type);

	if (role == V9_BRANCH_ENTERS) {
		s->open[open] = (struct v9_open){ step->from, step->from_func, step->b.from,
						  step->b.type };
		return open + 1;
	}
	/* The call of a return without one is older than the stack. */
	if (role != V9_BRANCH_RETURNS || !open)
		return open;
	if (v9_branch_returns_to(s->open[open - 1].type, s->open[open - 1].from, step->b.to))
		return open - 1;
	s->misfits++;
	return 0;
}

static void add_chain(struct v9_branch_sum *s, uint32_t leaf, size_t open)
{
	struct v9_caller_bin *node = NULL;
	uint32_t func = leaf;

	for (;;) {
		const uint64_t key = pair(node ? node->index + 1 : 0, func);

		node = v9_bins_at(&s->callers, &key, 1);
		if (!node->n++)
			node->index = (uint32_t)(s->callers.used - 1);
		if (!open)
			break;
		func = s->open[--open].func;
	}
	node->ends++;
	s->chains++;
}

void v9_branch_sum_add(struct v9_branch_sum *s, const struct v9_step *step, size_t n,
		       unsigned int shows)
{
	const bool calls = shows & (V9_STACK_CALLS | V9_STACK_NESTED);
	size_t open = 0;

	s->records += n;
	s->lengths[n]++;
	if (n > s->longest)
		s->longest = (unsigned int)n;
	if (!n) {
		s->empty++;
		return;
	}
	s->stacks++;
	/* From the oldest on, as they were executed */
	for (size_t i = n; i--;) {
		const struct v9_step *before = i + 1 < n ? &step[i + 1] : NULL;

		if (before && shows & V9_STACK_JOINS) {
			const enum between what = between(&before->b, &step[i].b);

			if (what == HOLE) {
				s->holes++;
				open = 0;
			} else if (what == BLOCK && step[i].counts) {
				add_block(s, before, &step[i], open ? s->open[open - 1].place :
									   V9_NO_CALLER);
			}
		}
		if (step[i].counts)
			add_branch(s, &step[i]);
		if (calls)
			open = follow(s, &step[i], open, shows);
	}
	if (calls)
		add_chain(s, step[0].to_func, open);
}

/* ---- latencies */

static int order(const struct v9_lat_bin *x, const struct v9_lat_bin *y, bool by_caller)
{
	const unsigned int caller = by_caller ? 1 : 2;

	if (x->key[0] != y->key[0])
		return x->key[0] < y->key[0] ? -1 : 1;
	if (x->key[caller] != y->key[caller])
		return x->key[caller] < y->key[caller] ? -1 : 1;
	return (x->key[2] > y->key[2]) - (x->key[2] < y->key[2]);
}

static int by_block(const void *a, const void *b)
{
	return order(*(struct v9_lat_bin *const *)a, *(struct v9_lat_bin *const *)b, false);
}

static int by_block_and_caller(const void *a, const void *b)
{
	return order(*(struct v9_lat_bin *const *)a, *(struct v9_lat_bin *const *)b, true);
}

struct v9_lat_bin **v9_branch_lats(const struct v9_branch_sum *s, bool by_caller)
{
	struct v9_lat_bin **lats = v9_alloc((s->lats.used + 1) * sizeof(struct v9_lat_bin *));

	for (size_t i = 0; i < s->lats.used; i++)
		lats[i] = v9_bins_get(&s->lats, i);
	qsort(lats, s->lats.used, sizeof(*lats), by_caller ? by_block_and_caller : by_block);
	return lats;
}

struct v9_lat_run v9_lat_run(const struct v9_branch_sum *s, struct v9_lat_bin **lats, uint64_t key,
			     const uint64_t *caller)
{
	const struct v9_lat_bin first = { .key = { key, caller ? *caller : 0, 0 } };
	size_t lo = 0, hi = s->lats.used, end;
	uint64_t sum = 0;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (order(lats[mid], &first, caller) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (end = lo; end < s->lats.used && lats[end]->key[0] == key &&
		       (!caller || lats[end]->key[1] == *caller); end++)
		sum += lats[end]->n;
	return (struct v9_lat_run){ lats + lo, end - lo, sum };
}

uint64_t v9_lat_percentile(const struct v9_lat_run *run, unsigned int percent)
{
	/* the rank to reach: sum * percent / 100, rounded up */
	const uint64_t rank = run->sum / 100 * percent + (run->sum % 100 * percent + 99) / 100;
	uint64_t seen = 0;

	for (size_t i = 0; i < run->n; i++) {
		seen += run->lat[i]->n;
		if (seen >= rank)
			return run->lat[i]->key[2];
	}
	return 0;
}
