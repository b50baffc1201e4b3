// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "feed_branches.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/trace.h"
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
}

void v9_branches_free(struct v9_branches *b)
{
	for (size_t i = 0; i < b->nr_types; i++)
		v9_bins_free(&b->type[i].bins);
	free(b->type);
	free(b->path);
}

void v9_branches_add(struct v9_branches *b, size_t type, uint32_t pid, size_t epoch, uint64_t from,
		     uint64_t to, uint64_t end, uint64_t n)
{
	const uint64_t key[4] = { from, to, end, (uint64_t)epoch << 32 | pid };

	((struct sum *)v9_bins_at(&b->type[type].bins, key, 4))->n += n;
}

size_t v9_branches_type(struct v9_branches *b, const struct v9_session *s, uint32_t cpu)
{
	uint64_t midr = 0;
	size_t i = 0;

	if (b->nr_types && cpu == b->cpu)
		return b->cpu_type;
	v9_session_midr(s, cpu, &midr);
	while (i < b->nr_types && b->type[i].midr != midr)
		i++;
	if (i == b->nr_types) {
		v9_vec_add(b->type, b->nr_types)->midr = midr;
		v9_bins_init(&b->type[i].bins, sizeof(struct sum));
	}
	b->cpu = cpu;
	b->cpu_type = i;
	return i;
}

size_t v9_branches_epoch(struct v9_branches *b, const struct v9_session *s, uint64_t time)
{
	b->epochs.syms = &s->syms;
	return v9_epochs_at(&b->epochs, time);
}

/* ---- the path of a stream */

static struct v9_branch_path *path_of(struct v9_branches *b, size_t stream)
{
	while (b->nr_paths <= stream)
		v9_vec_add(b->path, b->nr_paths);
	return &b->path[stream];
}

void v9_branches_enter(struct v9_branches *b, size_t stream)
{
	*path_of(b, stream) = (struct v9_branch_path){ .skip = true };
}

void v9_branches_leave(struct v9_branches *b, size_t stream)
{
	path_of(b, stream)->leaving = true;
}

bool v9_branches_left(const struct v9_branches *b, size_t stream)
{
	return stream < b->nr_paths && b->path[stream].left;
}

/* Ends the path. What ran up to now is known; not where execution went from there. */
static void end_path(struct v9_branches *b, struct v9_branch_path *p)
{
	if (p->open && p->from != V9_NO_ADDR && p->to == V9_NO_ADDR)
		b->targetless++;
	else if (p->open && (p->from != V9_NO_ADDR || p->any))
		v9_branches_add(b, p->type, p->pid, p->epoch, p->from, p->to,
				p->any ? p->last : V9_NO_ADDR, 1);
	p->open = false;
}

/* Sets what the addresses of the path are of. */
static void set_place(struct v9_branches *b, struct v9_branch_path *p, const struct v9_session *s,
		      const struct v9_sampled *at)
{
	p->pid = at->pid;
	p->epoch = v9_branches_epoch(b, s, v9_sampled_time(at));
	p->type = v9_branches_type(b, s, at->cpu);
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
		.from = V9_NO_ADDR, .to = addr, .next = addr, .open = true, .leaving = p->leaving,
	};
	set_place(b, p, s, at);
}

/* Instructions from @start on, of which the last is at @last; @taken: a branch. */
static void run(struct v9_branches *b, struct v9_branch_path *p, const struct v9_session *s,
		const struct v9_sampled *at, uint64_t start, uint64_t last, uint64_t end,
		const struct v9_insn *insn, bool taken)
{
	if (p->left || (p->skip && !taken))
		return;
	if (!p->skip)
		arrive(b, p, s, at, start);
	if (!taken) {
		p->any = true;
		p->last = last;
		p->next = end;
		return;
	}
	if (!p->skip)
		v9_branches_add(b, p->type, p->pid, p->epoch, p->from, p->to, last, 1);
	p->skip = false;
	p->left = p->leaving;
	p->open = !p->left;
	/* Mappings may have changed since the path began. */
	set_place(b, p, s, at);
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

	if ((p->skip || p->left) && rec->kind != V9_FLOW_RANGE)
		return;
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

/* Finds the object at @addr; @end is that of the row before, which often has the same address. */
static void place(struct v9_export *x, uint64_t id, uint64_t addr, const uint64_t before[2],
		  struct v9_branch_end *end)
{
	const size_t epoch = id >> 32;
	struct v9_syms *syms = &x->r.s.syms;

	if (before && before[0] == id && before[1] == addr)
		return;
	*end = (struct v9_branch_end){ .known = addr != V9_NO_ADDR };
	if (end->known)
		end->dso = v9_syms_linked(syms, (uint32_t)id, epoch ? syms->changes[epoch - 1] : 0, addr,
					  &end->addr);
}

static void give_type(const struct v9_branch_type *type, enum v9_kind_id kind, struct v9_export *x)
{
	const struct v9_bins *b = &type->bins;
	struct sum *all = v9_alloc((b->used + 1) * sizeof(*all));
	struct v9_branch_count s = { .kind = kind, .midr = type->midr };

	for (size_t i = 0; i < b->used; i++)
		all[i] = *(struct sum *)v9_bins_get(b, i);
	v9_sort_words((uint64_t *)all, b->used, sizeof(*all) / sizeof(uint64_t), 4);
	for (size_t i = 0; i < b->used && !x->failed; i++) {
		const struct sum *sum = &all[i];

		place(x, sum->id, sum->from, i ? (uint64_t[]){ sum[-1].id, sum[-1].from } : NULL, &s.from);
		place(x, sum->id, sum->to, i ? (uint64_t[]){ sum[-1].id, sum[-1].to } : NULL, &s.to);
		place(x, sum->id, sum->end, i ? (uint64_t[]){ sum[-1].id, sum[-1].end } : NULL, &s.end);
		s.n = sum->n;
		x->sink->branch(x, &s);
	}
	free(all);
}

void v9_branches_give(struct v9_branches *b, enum v9_kind_id kind, struct v9_export *x)
{
	for (size_t i = 0; i < b->nr_paths; i++)
		end_path(b, &b->path[i]);
	for (size_t i = 0; i < b->nr_types; i++)
		give_type(&b->type[i], kind, x);
	if (b->targetless && x->sink->loss) {
		const struct v9_loss l = {
			.n = b->targetless, .kind = "targetless",
			.what = "branches of which the target is not known",
			.meaning = "the trace ends or has a gap after them",
		};

		x->sink->loss(x, &l);
	}
}
