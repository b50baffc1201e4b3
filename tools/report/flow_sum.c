// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "flow_sum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define SPOTS	(1u << 14)
#define RUNS	(1u << 12)
#define PIECES_MOST	(1u << 23)	/* nodes and steps of all pieces */

/* Cache entry: the function at an address. */
struct v9_ran_at {
	uint64_t addr, end;	/* end: of the function; UINT64_MAX: unknown */
	uint64_t start;
	uint32_t pid;
	size_t epoch;		/* the same address may be another program later */
	size_t ran;		/* index + 1; 0: empty */
};

/* Cache entry: the run of a block in a node. */
struct v9_run_at {
	const struct v9_block *block;
	uint32_t flags;		/* block->note_flags: another block may have its place later */
	size_t node, run;
};

/*
 * Compilers put rarely executed code of a function elsewhere, as NAME.cold or NAME.cold.N. Returns
 * the function that it belongs to, or NULL.
 */
static const struct v9_func *whole_of(const struct v9_func *func, const struct v9_dso *object)
{
	const char *cold = func ? strstr(func->name, ".cold") : NULL;
	const size_t n = cold ? (size_t)(cold - func->name) : 0;

	for (size_t i = 0; n && object && i < object->nr_funcs; i++) {
		const char *name = object->funcs[i].name;

		if (!strncmp(name, func->name, n) && !name[n])
			return &object->funcs[i];
	}
	return NULL;
}

static size_t ran_of(struct v9_flow_sum *f, const struct v9_func *func, struct v9_dso *object,
		     const char *dso)
{
	const struct v9_func *whole;
	size_t *index, ran;
	char key[64];

	snprintf(key, sizeof(key), "%p %p", (const void *)func, (const void *)dso);
	index = v9_strtab_value(&f->ran_ids, key);
	if (*index)
		return *index - 1;
	ran = f->nr_ran;
	*v9_vec_add(f->ran, f->nr_ran) = (struct v9_ran){
		.func = func, .object = object, .dso = dso, .whole = ran,
		.final = func && !strcmp(func->name, "_Unwind_Resume") };
	*index = f->nr_ran;
	whole = whole_of(func, object);
	if (whole) {
		const size_t at = ran_of(f, whole, object, dso);	/* may move f->ran */

		f->ran[ran].whole = at;
	}
	return ran;
}

static const struct v9_ran_at *spot_of(struct v9_flow_sum *f, const struct v9_sampled *at,
				       uint64_t addr)
{
	struct v9_ran_at *sp = &f->spots[(addr >> 1 ^ addr >> 15) % SPOTS];
	const uint64_t time = v9_sampled_time(at);
	const size_t epoch = v9_epochs_at(&f->epochs, time);
	struct v9_place place;

	if (sp->ran && sp->addr == addr && sp->pid == at->pid && sp->epoch == epoch)
		return sp;
	v9_lookup_place(f->lookup, at->pid, time, addr, &place);
	sp->addr = addr;
	sp->pid = at->pid;
	sp->epoch = epoch;
	sp->ran = ran_of(f, place.func, place.dso, place.dso_name) + 1;
	sp->start = place.func ? addr - place.offset : addr;
	sp->end = place.func ? addr + (place.func->end - place.func->start - place.offset) :
			       UINT64_MAX;
	return sp;
}

uint64_t v9_flow_sum_end_of_function(struct v9_flow_sum *f, const struct v9_sampled *at, uint64_t addr)
{
	return spot_of(f, at, addr)->end;
}

/* ---- the call tree */

/* The node of a thread below the root. Function 0 is that of the root. */
static size_t root_of(struct v9_flow_sum *f, uint32_t tid)
{
	const size_t i = f->nr_call;

	*v9_vec_add(f->call, f->nr_call) = (struct v9_call){ .tid = tid, .next = f->call[0].child };
	f->call[0].child = i;
	return i;
}

/* ---- pieces */

static struct v9_calls_piece *piece_of(const struct v9_flow_sum *f, const struct v9_thread_calls *t)
{
	return t->piece ? &f->piece[t->piece - 1].calls : NULL;
}

/* The calls of the thread, for branches, exceptions and gaps */
static struct v9_calls *calls_of(const struct v9_flow_sum *f, struct v9_thread_calls *t)
{
	return t->piece ? f->piece[t->piece - 1].calls.calls : &t->calls;
}

static void end_piece(struct v9_flow_sum *f, struct v9_thread_calls *t)
{
	struct v9_calls_piece *p = piece_of(f, t);

	if (p) {
		v9_piece_end(p);
		f->kept += p->nr + p->nr_call;
	}
	t->piece = 0;
}

/* Execution of the thread goes on at f->place. */
static void enter_place(struct v9_flow_sum *f, struct v9_thread_calls *t)
{
	struct v9_flow_piece *p = t->piece ? &f->piece[t->piece - 1] : NULL;

	if (p && !memcmp(&p->upto, &f->place, sizeof(p->upto)))
		return;
	if (!p || !f->stays(f->stays_arg, t->tid, &p->upto, &f->place)) {
		end_piece(f, t);
		p = v9_vec_add(f->piece, f->nr_pieces);
		t->piece = f->nr_pieces;
		p->tid = t->tid;
		p->from = f->place;
		v9_piece_init(&p->calls, false);
		p->calls.most = f->kept < PIECES_MOST ? PIECES_MOST - f->kept : 1;
	}
	p->upto = f->place;
}

static struct v9_thread_calls *thread_at(struct v9_flow_sum *f, size_t i)
{
	f->thread = i;
	f->threads[i].seen = true;
	if (f->pieces)
		enter_place(f, &f->threads[i]);
	return &f->threads[i];
}

static struct v9_thread_calls *thread_of(struct v9_flow_sum *f, uint32_t tid)
{
	char key[32];
	size_t *index;

	if (f->nr_threads && f->threads[f->thread].tid == tid)
		return thread_at(f, f->thread);
	snprintf(key, sizeof(key), "%u", tid);
	index = v9_strtab_value(&f->threads_ids, key);
	if (!*index) {
		v9_vec_add(f->threads, f->nr_threads)->tid = tid;
		*index = f->nr_threads;
		if (f->by_thread)
			f->threads[*index - 1].root = root_of(f, tid);
	}
	return thread_at(f, *index - 1);
}

const struct v9_thread_calls *v9_flow_sum_find(const struct v9_flow_sum *f, uint32_t tid)
{
	for (size_t n = f->nr_threads; n--; ) {
		const struct v9_thread_calls *t = &f->threads[(f->thread + n + 1) % f->nr_threads];

		if (t->tid == tid)
			return t;
	}
	return NULL;
}

/*
 * Returns the node of a function in a tree by place of the call. It is known where the call was made if
 * the last instruction is a taken branch of the function that calls, and no return.
 */
static size_t node_at(struct v9_flow_sum *f, const struct v9_thread_calls *t, const struct v9_calls *c,
		      const struct v9_frame *frame, enum v9_calls_enter how)
{
	size_t caller = 0;
	uint64_t site = 0;

	if (how == V9_CALLS_CALL && frame->back)
		caller = c->frame[c->nr - 1].user;
	else if (how == V9_CALLS_TAIL && (c->pending & V9_CALLS_BRANCH) != V9_CALLS_BY_RETURN)
		caller = t->replaced;
	if (caller && t->site) {
		const struct v9_ran_at *sp = spot_of(f, f->at, t->site);
		const struct v9_ran *ran = &f->ran[sp->ran - 1];

		if (ran->func && ran->whole == f->call[caller].func)
			site = ran->func->start + (t->site - sp->start);
	}
	return v9_call_at(&f->call, &f->nr_call, site ? caller : 0, frame->func, site, &f->cut);
}

/* Moves a function to its place in the tree: below its caller. */
static void enter(void *arg, const struct v9_calls *c, struct v9_frame *frame,
		  enum v9_calls_enter how)
{
	struct v9_flow_sum *f = arg;
	const struct v9_thread_calls *t = &f->threads[f->thread];

	if (how != V9_CALLS_RESUMED && f->by_site) {
		const size_t node = node_at(f, t, c, frame, how);

		f->call[node].calls += f->entered && how != V9_CALLS_ROOT &&
				       (how != V9_CALLS_TAIL || t->site);
		frame->user = f->call[node].same ? f->call[node].same : node;
	} else if (how != V9_CALLS_RESUMED) {
		frame->user = v9_call_child(&f->call, &f->nr_call,
					    c->nr ? c->frame[c->nr - 1].user : t->root,
					    frame->func);
		f->call[frame->user].calls += how != V9_CALLS_ROOT && how != V9_CALLS_PART;
	}
	if (f->hook)
		f->hook->enter(f->hook->arg, f, t, f->at, frame->user, how);
}

static void left(void *arg, const struct v9_calls *c, struct v9_frame *frame,
		 enum v9_calls_leave how)
{
	struct v9_flow_sum *f = arg;

	(void)c;
	f->threads[f->thread].replaced = frame->user;
	if (f->hook)
		f->hook->leave(f->hook->arg, f, &f->threads[f->thread], f->at, frame->user, how);
}

/* Execution of a thread goes on at @addr, in function @ran; @entered: it is its first byte. */
static struct v9_arrival arrival_at(const struct v9_flow_sum *f, size_t ran, bool entered, uint64_t addr)
{
	return (struct v9_arrival){
		.addr = addr, .func = f->ran[ran].whole,
		.first = entered && f->ran[ran].func && f->ran[ran].whole == ran,
		.kernel = addr & V9_KERNEL_HALF, .final = f->ran[ran].final,
	};
}

/* The number of the address space of a process: the same on each machine that reads the capture */
static uint64_t space_number(const struct v9_flow_sum *f, const struct v9_sampled *at)
{
	const struct v9_syms *syms = &f->lookup->s->syms;
	const struct v9_space *space = v9_syms_space(&f->lookup->s->syms, at->pid, v9_sampled_time(at));

	return space ? (uint64_t)(space - syms->spaces) + 1 : 0;
}

static void arrive(struct v9_flow_sum *f, struct v9_thread_calls *t, const struct v9_sampled *at,
		   size_t ran, bool entered, uint64_t addr)
{
	const struct v9_arrival a = arrival_at(f, ran, entered, addr);

	if (t->piece) {
		v9_piece_range(piece_of(f, t), &a, space_number(f, at));
		return;
	}
	f->at = at;
	f->entered = a.first;
	/* From the kernel to the first byte of a function: a signal handler, or another program. */
	if (!t->calls.any || (a.first && t->calls.pending & V9_CALLS_TRAPPED &&
			      addr != t->calls.trap)) {
		const uint64_t time = v9_sampled_time(at);
		const struct v9_space *space = v9_syms_space(&f->lookup->s->syms, at->pid, time);

		if (space != t->space)
			v9_calls_reset(&t->calls, &f->sink);
		t->space = space;
	}
	v9_calls_arrive(&t->calls, &f->sink, &a);
}

/* An exception came after a branch, before an instruction was executed at its target. */
static void arrive_at(struct v9_flow_sum *f, struct v9_thread_calls *t,
		      const struct v9_sampled *at, uint64_t addr)
{
	const struct v9_ran_at *sp = spot_of(f, at, addr);
	const struct v9_arrival a = arrival_at(f, sp->ran - 1, addr == sp->start, addr);

	if (t->piece)
		v9_piece_exception(piece_of(f, t), &a, space_number(f, at));
	else
		arrive(f, t, at, sp->ran - 1, addr == sp->start, addr);
}

void v9_flow_sum_init(struct v9_flow_sum *f, struct v9_lookup *lookup, bool tree)
{
	memset(f, 0, sizeof(*f));
	f->lookup = lookup;
	f->epochs.syms = &lookup->s->syms;
	f->tree = tree;
	f->sink = (struct v9_calls_sink){ .enter = enter, .leave = left, .arg = f };
	f->last_cpu = V9_NO_TASK;
	f->spots = v9_alloc(SPOTS * sizeof(*f->spots));
	f->run_at = v9_alloc(RUNS * sizeof(*f->run_at));
	v9_vec_add(f->ran, f->nr_ran);		/* root */
	v9_vec_add(f->call, f->nr_call);
}

/* ---- cycles of the tree */

/* The function that runs has executed @n instructions. */
static void spend(struct v9_flow_sum *f, struct v9_thread_calls *t, uint64_t n)
{
	const size_t node = t->calls.now.user;

	t->insns += n;
	if (t->piece) {
		v9_piece_spend(piece_of(f, t), n, f->counts_cycles);
		return;
	}
	f->call[node].self += n;
	if (f->counts_cycles)
		v9_spend(&t->spent, &t->nr_spent, node, n);
}

/* A count covers what was executed since the last one: each gets a share by its instructions. */
static void share_cycles(struct v9_flow_sum *f, struct v9_thread_calls *t, uint64_t cycles)
{
	t->cycles += cycles;
	if (t->piece)
		v9_piece_count(piece_of(f, t), V9_PIECE_COUNTED, cycles);
	else if (!t->unknown)
		v9_share_cycles(f->call, t->spent, t->nr_spent, cycles);
	t->nr_spent = 0;
	t->unknown = false;
}

static void lose_cycles(struct v9_flow_sum *f, struct v9_thread_calls *t)
{
	if (t->piece)
		v9_piece_count(piece_of(f, t), V9_PIECE_UNKNOWN, 0);
	t->nr_spent = 0;
	t->unknown = true;
}

/* ---- what the nodes of the tree executed */

static struct v9_ran_run *run_of(struct v9_flow_sum *f, const struct v9_sampled *at, size_t node,
				 uint64_t start, uint64_t size, uint32_t insns)
{
	const struct v9_ran_at *sp = spot_of(f, at, start);
	const struct v9_func *func = f->ran[sp->ran - 1].func;
	const uint64_t key[3] = { node, func ? func->start + (start - sp->start) : start, size };
	struct v9_ran_run *r = v9_bins_at(f->runs, key, 3);

	if (!r->number) {
		r->number = f->runs->used;
		r->insns = insns;
	}
	return r;
}

/* The function that runs has executed a block. */
static void run_block(struct v9_flow_sum *f, const struct v9_sampled *at, size_t node,
		      const struct v9_block *b)
{
	struct v9_run_at *c = &f->run_at[((uintptr_t)b >> 6 ^ node * 31) % RUNS];

	if (c->block != b || c->flags != b->note_flags || c->node != node)
		*c = (struct v9_run_at){
			b, b->note_flags, node,
			run_of(f, at, node, b->start, b->end - b->start, b->insns)->number - 1,
		};
	((struct v9_ran_run *)v9_bins_get(f->runs, c->run))->n++;
}

/* ---- counting */

static void count_branch(struct v9_flow_sum *f, struct v9_thread_calls *t, const struct v9_flow_rec *r)
{
	const struct v9_insn *i = &r->last;

	if (i->kind != V9_INSN_DIRECT && i->kind != V9_INSN_INDIRECT)
		return;
	f->n.branches++;
	f->n.conditional += !!(i->flags & V9_INSN_COND);
	if (!r->taken)
		return;
	f->n.taken++;
	f->n.indirect += i->kind == V9_INSN_INDIRECT;
	f->n.exception_returns += !!(i->flags & V9_INSN_ERET);
	if (i->flags & V9_INSN_LINK) {
		f->n.calls++;
		v9_calls_branch(calls_of(f, t), V9_CALLS_BY_CALL, r->end);
	} else if (i->flags & (V9_INSN_RET | V9_INSN_ERET)) {
		f->n.returns += !!(i->flags & V9_INSN_RET);
		v9_calls_branch(calls_of(f, t), V9_CALLS_BY_RETURN, 0);
	} else if (i->kind == V9_INSN_INDIRECT) {
		v9_calls_branch(calls_of(f, t), V9_CALLS_BY_JUMP, 0);
	}
}

static void add_range(struct v9_flow_sum *f, const struct v9_sampled *at,
		      const struct v9_flow_rec *r)
{
	const unsigned int size = r->insns && r->isa != V9_ISA_T32 ? 4 : 0;
	struct v9_thread_calls *t = thread_of(f, at->tid);
	uint64_t addr = r->start, left = r->insns;

	f->n.ranges++;
	f->n.insns += r->insns;
	f->n.el[r->ctx.el & 3] += r->insns;
	while (left) {
		const struct v9_ran_at *sp = spot_of(f, at, addr);
		uint64_t n = left;

		/* A range may cross into the next function. In T32 code it counts for the first. */
		if (size && sp->end < r->end && sp->end > addr)
			n = (sp->end - addr + size - 1) / size;
		if (n > left)
			n = left;
		f->ran[sp->ran - 1].entries += addr == sp->start;
		f->ran[sp->ran - 1].insns += n;
		if (f->tree) {
			if (v9_calls_arrives(calls_of(f, t), sp->ran - 1))
				arrive(f, t, at, sp->ran - 1, addr == sp->start, addr);
			spend(f, t, n);
			if (f->runs)
				run_of(f, at, t->calls.now.user, addr, size ? n * size : r->end - addr,
				       (uint32_t)n)->n++;
		}
		left -= n;
		addr += n * size;
		t->site = 0;
	}
	if (r->taken && (r->last.kind == V9_INSN_DIRECT || r->last.kind == V9_INSN_INDIRECT))
		t->site = r->last_addr;
	count_branch(f, t, r);
}

static void see_cpu(struct v9_flow_sum *f, uint32_t cpu)
{
	char key[32];
	size_t *seen;

	snprintf(key, sizeof(key), "%u", cpu);
	seen = v9_strtab_value(&f->cpu_ids, key);
	if (!*seen)
		*v9_vec_add(f->cpus, f->nr_cpus) = cpu;
	*seen = 1;
}

static void see_times(struct v9_flow_sum *f, uint64_t first, uint64_t last)
{
	if (!f->has_time || first < f->first)
		f->first = first;
	if (!f->has_time || last > f->last)
		f->last = last;
	f->has_time = true;
}

static void note_when_and_where(struct v9_flow_sum *f, const struct v9_sampled *at)
{
	if (at->has_time)
		see_times(f, at->time, at->time);
	if (at->cpu != f->last_cpu && at->cpu != V9_NO_TASK) {
		f->last_cpu = at->cpu;
		see_cpu(f, at->cpu);
	}
}

/* ---- ranges in batches */

/* Values of block->note_flags: what the block adds to the sums. block->note: function + 1. */
enum { ENTERED = 1, BRANCH = 2, COND = 4, LEAVES = 8, ACROSS = 16 };
#define NUMBER	5		/* shift: a number of the block */

static void note(struct v9_flow_sum *f, const struct v9_sampled *at, struct v9_block *b)
{
	const struct v9_ran_at *sp = spot_of(f, at, b->start);
	const struct v9_insn *i = &b->last;

	b->note = (uint32_t)sp->ran;
	b->note_flags = ++f->nr_noted << NUMBER | (b->start == sp->start ? ENTERED : 0) |
			(b->isa != V9_ISA_T32 && sp->end < b->end ? ACROSS : 0);
	if (i->kind != V9_INSN_DIRECT && i->kind != V9_INSN_INDIRECT)
		return;
	b->note_flags |= BRANCH | (i->flags & V9_INSN_COND ? COND : 0);
	if (i->kind == V9_INSN_INDIRECT || i->flags & (V9_INSN_LINK | V9_INSN_RET | V9_INSN_ERET))
		b->note_flags |= LEAVES;
}

/* Counts a taken branch that may leave the function. The caller counts it as a taken branch. */
static void leave(struct v9_flow_sum *f, struct v9_thread_calls *t, const struct v9_block *b)
{
	f->n.indirect += b->last.kind == V9_INSN_INDIRECT;
	f->n.exception_returns += !!(b->last.flags & V9_INSN_ERET);
	if (b->last.flags & V9_INSN_LINK) {
		f->n.calls++;
		v9_calls_branch(calls_of(f, t), V9_CALLS_BY_CALL, b->end);
	} else if (b->last.flags & (V9_INSN_RET | V9_INSN_ERET)) {
		f->n.returns += !!(b->last.flags & V9_INSN_RET);
		v9_calls_branch(calls_of(f, t), V9_CALLS_BY_RETURN, 0);
	} else {
		v9_calls_branch(calls_of(f, t), V9_CALLS_BY_JUMP, 0);
	}
}

void v9_flow_sum_hits(struct v9_flow_sum *f, const struct v9_sampled *at,
		      const struct v9_flow_batch *batch)
{
	struct v9_thread_calls *t = thread_of(f, at->tid);
	struct v9_calls *c = calls_of(f, t);
	const unsigned int el = batch->hits->block->ctx.el & 3;
	uint64_t insns = 0, branches = 0, conditional = 0, taken = 0, across = 0;

	note_when_and_where(f, at);
	for (size_t i = 0; i < batch->n; i++) {
		const struct v9_flow_hit *hit = &batch->hits[i];
		struct v9_block *b = hit->block;
		uint32_t flags;
		size_t ran;

		if (!b->note)
			note(f, at, b);
		flags = b->note_flags;
		if (flags & ACROSS) {
			struct v9_flow_rec rec;

			v9_flow_expand(batch, hit, &rec);
			add_range(f, at, &rec);
			across++;
			continue;
		}
		ran = b->note - 1;
		insns += b->insns;
		f->ran[ran].insns += b->insns;
		f->ran[ran].entries += flags & ENTERED;
		if (f->tree) {
			if (v9_calls_arrives(c, ran))
				arrive(f, t, at, ran, flags & ENTERED, b->start);
			spend(f, t, b->insns);
			if (f->runs)
				run_block(f, at, t->calls.now.user, b);
			t->site = hit->taken & flags / BRANCH ? b->last_addr : 0;
		}
		branches += flags / BRANCH & 1;
		conditional += flags / COND & 1;
		taken += hit->taken & flags / BRANCH;
		if (flags & LEAVES && hit->taken)
			leave(f, t, b);
	}
	f->n.ranges += batch->n - across;
	f->n.insns += insns;
	f->n.el[el] += insns;
	f->n.branches += branches;
	f->n.conditional += conditional;
	f->n.taken += taken;
}

static void take_exception(struct v9_flow_sum *f, const struct v9_sampled *at,
			   const struct v9_flow_rec *r)
{
	struct v9_thread_calls *t = thread_of(f, at->tid);

	f->n.exceptions[r->type % V9_EXCEPTIONS]++;
	if (!r->addressed) {
		v9_calls_gap(calls_of(f, t), false);
		return;
	}
	if (f->tree && calls_of(f, t)->pending)
		arrive_at(f, t, at, r->start);
	v9_calls_exception(calls_of(f, t), r->start);
}

static void add_mark(struct v9_flow_sum *f, const struct v9_sampled *at, const struct v9_flow_rec *r)
{
	struct v9_mark m;

	if (!v9_mark_read(f->lookup, at, r, &m))
		return;
	*v9_vec_add(f->marks, f->nr_marks) = (struct v9_marked){
		m, at->time, r->offset, at->tid, at->has_time };
	if (f->hook && f->hook->mark)
		f->hook->mark(f->hook->arg, f, thread_of(f, at->tid), at, &m);
}

void v9_flow_sum_add(struct v9_flow_sum *f, const struct v9_sampled *at,
		     const struct v9_flow_rec *r)
{
	note_when_and_where(f, at);
	switch (r->kind) {
	case V9_FLOW_RANGE:
		add_range(f, at, r);
		break;
	case V9_FLOW_UNPLACED:
		f->n.unplaced_insns += r->insns;
		v9_calls_gap(calls_of(f, thread_of(f, at->tid)), false);
		thread_of(f, at->tid)->site = 0;
		lose_cycles(f, thread_of(f, at->tid));
		break;
	case V9_FLOW_EXCEPTION:
		take_exception(f, at, r);
		break;
	case V9_FLOW_GAP:
		v9_calls_gap(calls_of(f, thread_of(f, at->tid)), r->why == V9_FLOW_FILTER);
		thread_of(f, at->tid)->site = 0;
		lose_cycles(f, thread_of(f, at->tid));
		break;
	case V9_FLOW_TIME:
		f->n.timestamps++;
		break;
	case V9_FLOW_CYCLES:
		f->n.cycle_counts++;
		if (f->tree && r->counted)
			share_cycles(f, thread_of(f, at->tid), r->cycles);
		else if (f->tree)
			lose_cycles(f, thread_of(f, at->tid));
		break;
	case V9_FLOW_EVENT:
		f->n.events++;
		break;
	case V9_FLOW_INSTRUMENTATION:
		f->n.instrumentation++;
		add_mark(f, at, r);
		break;
	case V9_FLOW_MARK:
	case V9_FLOW_MARK_CUT:
		add_mark(f, at, r);
		break;
	}
	/* ETE-R_TVWLZ: the next V9_FLOW_CYCLES includes the count of a timestamp */
	if (r->kind == V9_FLOW_CYCLES && r->counted)
		f->n.cycles += r->cycles;
}

/* ---- parts */

/* One allocation; the arrays follow the struct. */
struct v9_flow_part {
	struct v9_flow_totals n;
	uint64_t first, last;
	bool has_time;
	size_t nr_ran, nr_tids, nr_cpus, nr_marks, nr_times;
	struct v9_ran *ran;
	struct v9_marked *marks;
	struct v9_chunk_times *times;
	uint32_t *tids, *cpus;
};

/* The last one first: times of a chunk come one after the other. */
void v9_flow_sum_times(struct v9_flow_sum *f, const struct v9_chunk_times *t)
{
	size_t i = f->nr_times;

	while (i && (f->times[i - 1].stream != t->stream || f->times[i - 1].chunk != t->chunk))
		i--;
	if (!i) {
		*v9_vec_add(f->times, f->nr_times) = *t;
		return;
	}
	if (t->first < f->times[i - 1].first)
		f->times[i - 1].first = t->first;
	if (t->last > f->times[i - 1].last)
		f->times[i - 1].last = t->last;
}

struct v9_flow_part *v9_flow_sum_part(struct v9_flow_sum *f)
{
	size_t ran = 0, tids = 0;
	struct v9_flow_part *p;

	for (size_t i = 1; i < f->nr_ran; i++)
		ran += f->ran[i].insns || f->ran[i].entries;
	for (size_t i = 0; i < f->nr_threads; i++)
		tids += f->threads[i].seen;
	p = v9_alloc(sizeof(*p) + ran * sizeof(*p->ran) + f->nr_marks * sizeof(*p->marks) +
		     f->nr_times * sizeof(*p->times) +
		     (tids + f->nr_cpus) * sizeof(*p->tids));
	p->ran = (struct v9_ran *)(p + 1);
	p->marks = (struct v9_marked *)(p->ran + ran);
	p->times = (struct v9_chunk_times *)(p->marks + f->nr_marks);
	p->tids = (uint32_t *)(p->times + f->nr_times);
	p->nr_marks = f->nr_marks;
	if (f->nr_marks)
		memcpy(p->marks, f->marks, f->nr_marks * sizeof(*p->marks));
	f->nr_marks = 0;
	p->nr_times = f->nr_times;
	if (f->nr_times)
		memcpy(p->times, f->times, f->nr_times * sizeof(*p->times));
	f->nr_times = 0;
	p->cpus = p->tids + tids;
	p->n = f->n;
	p->first = f->first;
	p->last = f->last;
	p->has_time = f->has_time;
	for (size_t i = 1; i < f->nr_ran; i++) {
		if (f->ran[i].insns || f->ran[i].entries)
			p->ran[p->nr_ran++] = f->ran[i];
		f->ran[i].insns = 0;
		f->ran[i].entries = 0;
	}
	for (size_t i = 0; i < f->nr_threads; i++) {
		if (f->threads[i].seen)
			p->tids[p->nr_tids++] = f->threads[i].tid;
		f->threads[i].seen = false;
	}
	for (size_t i = 0; i < f->nr_cpus; i++)
		p->cpus[p->nr_cpus++] = f->cpus[i];
	v9_strtab_free(&f->cpu_ids);
	f->nr_cpus = 0;
	f->last_cpu = V9_NO_TASK;
	memset(&f->n, 0, sizeof(f->n));
	f->has_time = false;
	return p;
}

static void add_totals(struct v9_flow_totals *to, const struct v9_flow_totals *from)
{
	uint64_t sum[sizeof(*to) / sizeof(uint64_t)], more[sizeof(*to) / sizeof(uint64_t)];

	memcpy(sum, to, sizeof(sum));
	memcpy(more, from, sizeof(more));
	for (size_t i = 0; i < sizeof(sum) / sizeof(sum[0]); i++)
		sum[i] += more[i];
	memcpy(to, sum, sizeof(sum));
}

void v9_flow_sum_join(struct v9_flow_sum *f, const struct v9_flow_part *p)
{
	add_totals(&f->n, &p->n);
	if (p->has_time)
		see_times(f, p->first, p->last);
	for (size_t i = 0; i < p->nr_ran; i++) {
		const struct v9_ran *r = &p->ran[i];
		const size_t at = ran_of(f, r->func, r->object, r->dso);

		f->ran[at].insns += r->insns;
		f->ran[at].entries += r->entries;
	}
	for (size_t i = 0; i < p->nr_tids; i++)
		thread_of(f, p->tids[i]);
	for (size_t i = 0; i < p->nr_cpus; i++)
		see_cpu(f, p->cpus[i]);
	for (size_t i = 0; i < p->nr_marks; i++)
		*v9_vec_add(f->marks, f->nr_marks) = p->marks[i];
	for (size_t i = 0; i < p->nr_times; i++)
		v9_flow_sum_times(f, &p->times[i]);
}

void v9_flow_sum_end(struct v9_flow_sum *f)
{
	f->at = NULL;
	for (f->thread = 0; f->thread < f->nr_threads; f->thread++) {
		end_piece(f, &f->threads[f->thread]);
		v9_calls_reset(&f->threads[f->thread].calls, &f->sink);
	}
	f->thread = 0;
}

void v9_flow_sum_finish(struct v9_flow_sum *f)
{
	for (size_t i = 1; i < f->nr_ran; i++)
		if (!f->ran[i].func && f->ran[i].object)
			f->ran[i].object->unresolved += f->ran[i].insns;
	for (size_t i = 0; i < f->nr_threads; i++) {
		f->ambiguous += f->threads[i].calls.ambiguous;
		f->dropped += f->threads[i].calls.dropped;
	}
	/* Children have greater indexes than their parents. */
	for (size_t i = 0; i < f->nr_call; i++) {
		f->call[i].total = f->call[i].self;
		f->call[i].total_cycles = f->call[i].cycles;
	}
	for (size_t i = f->nr_call; i-- > 1; ) {
		f->call[f->call[i].parent].total += f->call[i].total;
		f->call[f->call[i].parent].total_cycles += f->call[i].total_cycles;
	}
}

void v9_flow_sum_free(struct v9_flow_sum *f)
{
	for (size_t i = 0; i < f->nr_threads; i++)
		v9_calls_free(&f->threads[i].calls);
	for (size_t i = 0; i < f->nr_threads; i++)
		free(f->threads[i].spent);
	for (size_t i = 0; i < f->nr_pieces; i++)
		v9_piece_free(&f->piece[i].calls);
	free(f->piece);
	v9_strtab_free(&f->ran_ids);
	v9_strtab_free(&f->threads_ids);
	v9_strtab_free(&f->cpu_ids);
	free(f->threads);
	free(f->cpus);
	free(f->spots);
	free(f->run_at);
	free(f->marks);
	free(f->times);
	free(f->call);
	free(f->ran);
	memset(f, 0, sizeof(*f));
}
