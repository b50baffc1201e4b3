// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Branch stacks of samples for sinks: each record is a branch. What ran after a branch is known
 * if the next branch of the stack comes after its target.
 */
#include "branch_read.h"
#include "feed_branches.h"

#define WRONG_PATH	1	/* PERF_BR_SPEC_WRONG_PATH */

struct feed {
	struct v9_export *x;
	struct v9_branches sums;
	uint64_t nested;		/* records of stacks of calls */
	uint64_t half, wrong_path, holes, empty;	/* see losses() */
};

/* Was the branch taken, to a target that is known? Branches that are left out are counted. */
static bool happened(struct feed *f, const struct v9_branch_rec *b)
{
	if (b->not_taken)
		return false;
	f->wrong_path += b->spec == WRONG_PATH;
	if (b->spec == WRONG_PATH)
		return false;
	f->half += !b->from || !b->to;
	return b->to;
}

/* Returns the last instruction that ran after @b, before the branch @next; V9_NO_ADDR: not known */
static uint64_t end_of(struct feed *f, const struct v9_branch_rec *b, const struct v9_branch_rec *next)
{
	if (!next || !next->from)
		return V9_NO_ADDR;
	if (next->from >= b->to && next->from - b->to < V9_BLOCK_MOST)
		return next->from;
	f->holes++;
	return V9_NO_ADDR;
}

static void take(void *arg, const struct v9_branch_sample *s)
{
	struct feed *f = arg;
	const size_t epoch = v9_branches_epoch(&f->sums, &f->x->r.s, v9_sampled_time(&s->at));
	const size_t type = v9_branches_type(&f->sums, &f->x->r.s, s->at.cpu);

	if (s->at.has_time)
		v9_export_time(f->x, s->at.time, s->at.time);
	f->empty += !s->n;
	/*
	 * A stack of calls has each call that has not returned yet, so a call is in many stacks:
	 * records do not count branches.
	 */
	if (s->shows & V9_STACK_NESTED) {
		f->nested += s->n;
		return;
	}
	/* The youngest branch is first: the one that follows has the index before. */
	for (size_t i = 0; i < s->n; i++) {
		const struct v9_branch_rec *b = &s->step[i].b;
		const bool joins = i && s->shows & V9_STACK_JOINS;

		if (!s->step[i].counts)
			continue;
		f->x->r.selected = true;
		if (happened(f, b))
			v9_branches_add(&f->sums, type, s->at.pid, epoch,
					b->from ? b->from : V9_NO_ADDR, b->to,
					end_of(f, b, joins ? &s->step[i - 1].b : NULL), 1);
	}
}

static void losses(struct feed *f)
{
	struct v9_table t = { .name = "lost", .shape = V9_LOSSES, .cols = v9_rep_lost,
			      .nr_cols = V9_REP_COLS };
	struct v9_report *r = &f->x->r;

	/* The first kind of data has the losses of the whole capture. */
	if (f->x->kinds == 1)
		v9_rep_losses(r, &t, NULL, NULL, NULL);
	v9_rep_loss(&t, r->s.lost.longer, "longer_samples", "samples with more than their event says",
		    "the recorder is newer than this program, or the file is damaged");
	v9_rep_loss(&t, f->empty, "empty_stacks", "samples without a branch",
		    "none was recorded before them");
	v9_rep_loss(&t, f->half, "half_branches", "branches without source or target",
		    "the other side is where nothing may be recorded");
	v9_rep_loss(&t, f->holes, "holes", "neighbours that do not join",
		    "a branch between them is missing: what ran is not known");
	v9_rep_loss(&t, f->wrong_path, "wrong_path", "branches of a wrong path",
		    "they were speculative and are left out");
	v9_rep_loss(&t, f->nested, "call_stacks", "records of stacks of calls",
		    "they are callers, not branches that were taken");
	v9_rep_table(r, &t);
}

bool v9_feed_stacks(struct v9_export *x)
{
	struct feed f = { .x = x };
	struct v9_branch_places places;

	v9_branch_places_init(&places, &x->r.s);
	v9_branches_init(&f.sums);
	v9_branch_read(&x->r, &places, take, &f);
	v9_branches_give(&f.sums, V9_KIND_BRANCHES, x);
	losses(&f);
	v9_branches_free(&f.sums);
	v9_branch_places_free(&places);
	return x->r.s.nr_branches;
}
