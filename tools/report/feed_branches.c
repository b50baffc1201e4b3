// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "feed_branches.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/trace.h"
#include "../capture/when.h"
#include "../util.h"

struct sum {
	union {
		struct {
			uint64_t from, to, end, id;	/* id: epoch << 32 | pid */
		};
		uint64_t key[4];
	};
	uint64_t n;
};

void v9_branches_init(struct v9_branches *b)
{
	memset(b, 0, sizeof(*b));
	v9_bins_init(&b->bins, sizeof(struct sum));
}

void v9_branches_free(struct v9_branches *b)
{
	v9_bins_free(&b->bins);
	free(b->path);
}

void v9_branches_add(struct v9_branches *b, uint32_t pid, size_t epoch, uint64_t from, uint64_t to,
		     uint64_t end, uint64_t n)
{
	const uint64_t key[4] = { from, to, end, (uint64_t)epoch << 32 | pid };

	((struct sum *)v9_bins_at(&b->bins, key, 4))->n += n;
}

size_t v9_branches_epoch(struct v9_branches *b, const struct v9_session *s, uint64_t time)
{
	if (time != b->time) {
		b->time = time;
		b->epoch = v9_when_epoch(s, time);
	}
	return b->epoch;
}

/* ---- the path of a stream */

static struct v9_branch_path *path_of(struct v9_branches *b, size_t stream)
{
	while (b->nr_paths <= stream)
		v9_vec_add(b->path, b->nr_paths);
	return &b->path[stream];
}

/* Ends the path. What ran up to now is known; not where execution went from there. */
static void end_path(struct v9_branches *b, struct v9_branch_path *p)
{
	if (p->open && p->from != V9_NO_ADDR && p->to == V9_NO_ADDR)
		b->targetless++;
	else if (p->open && (p->from != V9_NO_ADDR || p->any))
		v9_branches_add(b, p->pid, p->epoch, p->from, p->to, p->any ? p->last : V9_NO_ADDR,
				1);
	p->open = false;
}

/* Execution goes on at @addr: at the target of the branch if there was one. */
static void arrive(struct v9_branches *b, struct v9_branch_path *p, const struct v9_session *s,
		   const struct v9_sampled *at, uint64_t addr)
{
	if (p->open && p->pid == at->pid && p->to != V9_NO_ADDR && p->next == addr)
		return;
	if (p->open && p->pid == at->pid && p->to == V9_NO_ADDR) {
		p->to = p->next = addr;
		return;
	}
	end_path(b, p);
	*p = (struct v9_branch_path){
		.from = V9_NO_ADDR, .to = addr, .next = addr, .pid = at->pid, .open = true,
		.epoch = v9_branches_epoch(b, s, v9_sampled_time(at)),
	};
}

/* Instructions from @start on, of which the last is at @last; @taken: a branch. */
static void run(struct v9_branches *b, struct v9_branch_path *p, const struct v9_session *s,
		const struct v9_sampled *at, uint64_t start, uint64_t last, uint64_t end,
		const struct v9_insn *insn, bool taken)
{
	arrive(b, p, s, at, start);
	if (!taken) {
		p->any = true;
		p->last = last;
		p->next = end;
		return;
	}
	v9_branches_add(b, p->pid, p->epoch, p->from, p->to, last, 1);
	p->from = last;
	p->to = V9_NO_ADDR;
	p->any = false;
	if (insn->kind == V9_INSN_DIRECT)
		p->to = p->next = insn->target;
}

static bool is_branch(const struct v9_insn *i)
{
	return i->kind == V9_INSN_DIRECT || i->kind == V9_INSN_INDIRECT;
}

void v9_branches_flow(struct v9_branches *b, const struct v9_session *s, size_t stream,
		      const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	struct v9_branch_path *p = path_of(b, stream);

	switch (rec->kind) {
	case V9_FLOW_RANGE:
		run(b, p, s, at, rec->start, rec->last_addr, rec->end, &rec->last,
		    rec->taken && is_branch(&rec->last));
		break;
	case V9_FLOW_EXCEPTION:
		/* After a branch, before an instruction was executed at its target */
		if (p->open && p->to == V9_NO_ADDR && rec->addressed)
			p->to = p->next = rec->start;
		/* What was interrupted goes on there later. */
		if (!p->open || !rec->addressed || p->next != rec->start)
			end_path(b, p);
		break;
	case V9_FLOW_GAP:
		/* The kernel, which is not traced */
		if (rec->why == V9_FLOW_FILTER && p->open && p->to != V9_NO_ADDR)
			break;
		end_path(b, p);
		break;
	case V9_FLOW_UNPLACED:
		end_path(b, p);
		break;
	}
}

void v9_branches_hits(struct v9_branches *b, const struct v9_session *s, size_t stream,
		      const struct v9_sampled *at, const struct v9_flow_batch *batch)
{
	struct v9_branch_path *p = path_of(b, stream);

	for (size_t i = 0; i < batch->n; i++) {
		const struct v9_block *k = batch->hits[i].block;

		run(b, p, s, at, k->start, k->last_addr, k->end, &k->last,
		    batch->hits[i].taken && is_branch(&k->last));
	}
}

/* ---- objects */

static void place(struct v9_export *x, const struct sum *sum, uint64_t addr,
		  struct v9_branch_end *end)
{
	const size_t epoch = sum->id >> 32;
	struct v9_syms *syms = &x->r.s.syms;
	struct v9_place p;

	*end = (struct v9_branch_end){ .known = addr != V9_NO_ADDR };
	if (!end->known)
		return;
	v9_syms_find(syms, (uint32_t)sum->id, epoch ? syms->changes[epoch - 1] : 0, addr, &p);
	end->dso = p.dso;
	end->addr = p.dso ? (p.func ? p.func->start : 0) + p.offset : addr;
}

static int order(const void *a, const void *b)
{
	const struct sum *x = *(struct sum *const *)a, *y = *(struct sum *const *)b;

	for (unsigned int i = 0; i < 4; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return 0;
}

void v9_branches_give(struct v9_branches *b, struct v9_export *x)
{
	const struct sum **all;

	for (size_t i = 0; i < b->nr_paths; i++)
		end_path(b, &b->path[i]);
	all = v9_alloc((b->bins.used + 1) * sizeof(*all));
	for (size_t i = 0; i < b->bins.used; i++)
		all[i] = v9_bins_get(&b->bins, i);
	qsort(all, b->bins.used, sizeof(*all), order);
	for (size_t i = 0; i < b->bins.used && !x->failed; i++) {
		struct v9_branch_count s = { .n = all[i]->n };

		place(x, all[i], all[i]->from, &s.from);
		place(x, all[i], all[i]->to, &s.to);
		place(x, all[i], all[i]->end, &s.end);
		x->sink->branch(x, &s);
	}
	free(all);
	if (b->targetless && x->sink->loss) {
		const struct v9_loss l = {
			.n = b->targetless, .kind = "targetless",
			.what = "branches of which the target is not known",
			.meaning = "the trace ends or has a gap after them",
		};

		x->sink->loss(x, &l);
	}
}
