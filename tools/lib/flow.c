// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fast.h"
#include "flow.h"
#include "v9mark.h"

const char *const v9_flow_why[V9_FLOW_WHYS] = {
	[V9_FLOW_FILTER]	= "not traced",
	[V9_FLOW_OVERFLOW]	= "overflow of the trace unit",
	[V9_FLOW_DISCARD]	= "discarded",
	[V9_FLOW_LOSS]		= "trace lost",
	[V9_FLOW_NO_CODE]	= "no code at this address",
	[V9_FLOW_NO_ADDRESS]	= "address not known",
	[V9_FLOW_NO_COUNT]	= "number of instructions not known",
	[V9_FLOW_ASTRAY]	= "code does not fit the trace",
};

#define NOT_HELD	SIZE_MAX

/* Maximum number of records that wait for the final direction of a branch. */
#define WAITING_MAX	(1u << 16)

static enum v9_isa isa_of(const struct v9_flow *f)
{
	return v9_isa_of(&f->ctx, f->half);
}

/* Decode in sequence from line->start; see v9_blocks_walk(). */
static enum v9_stop walk(struct v9_flow *f, struct v9_path *line, uint64_t stop, uint32_t insns,
			 bool to_p0)
{
	return v9_blocks_walk(&f->blocks, &f->ctx, isa_of(f), line, stop, insns, to_p0);
}

/* Decode up to and including the next P0 instruction, with cached blocks. */
static enum v9_stop walk_block(struct v9_flow *f, struct v9_path *line)
{
	const struct v9_block *b;

	v9_blocks_in(&f->blocks, &f->ctx);
	if (f->blocks.full || f->blocks.stale) {
		v9_blocks_flush(&f->blocks);
		v9_blocks_in(&f->blocks, &f->ctx);
	}
	b = v9_blocks_at(&f->blocks, line->start, f->half);
	if (!b) {
		f->blocks.full = false;
		v9_blocks_flush(&f->blocks);
		v9_blocks_in(&f->blocks, &f->ctx);
		b = v9_blocks_at(&f->blocks, line->start, f->half);
	}
	*line = (struct v9_path){
		.start = b->start, .end = b->end, .last_addr = b->last_addr,
		.last = b->last, .insns = b->insns,
	};
	if (b->stop != V9_STOP_MARK)
		return b->stop;
	line->mark = f->blocks.mark[b->mark];
	return V9_STOP_P0;
}

/* ---- output */

static struct v9_flow_rec *put(struct v9_flow *f, const struct v9_ete_elem *e, uint8_t kind)
{
	struct v9_flow_rec *r;

	if (f->tail == f->room) {
		const size_t room = f->room ? f->room * 2 : 64;

		r = realloc(f->out, room * sizeof(*f->out));
		/* The spill is never read: v9_flow_next() returns -ENOMEM from now on. */
		if (!r) {
			f->err = -ENOMEM;
			return &f->spill;
		}
		f->out = r;
		f->room = room;
	}
	r = &f->out[f->tail++];
	memset(r, 0, sizeof(*r));
	r->kind = kind;
	r->offset = e->offset;
	r->ctx = f->ctx;
	r->isa = isa_of(f);
	return r;
}

/* ---- marks in the code (v9mark.h) */

/* Insert a record of a mark before out[at]. @r is the range that completes or cuts it; it may be in out[]. */
static void put_mark(struct v9_flow *f, size_t at, const struct v9_flow_rec *r, uint8_t kind,
		     uint64_t branch, uint64_t word)
{
	const struct v9_ete_elem e = { .offset = r->offset };
	struct v9_flow_rec rec = {
		.kind = kind, .offset = r->offset, .start = branch, .addressed = true, .value = word,
		.ctx = r->ctx, .isa = r->isa, .type = r->ctx.el,
	};

	put(f, &e, kind);
	if (f->err)
		return;
	memmove(&f->out[at + 1], &f->out[at], (f->tail - 1 - at) * sizeof(*f->out));
	f->out[at] = rec;
	f->counts.marks += kind == V9_FLOW_MARK;
	f->counts.marks_cut += kind == V9_FLOW_MARK_CUT;
}

/* The rest of a number is not known. @r: see put_mark() */
static void cut_number(struct v9_flow *f, size_t at, const struct v9_flow_rec *r)
{
	if (f->number.left)
		put_mark(f, at, r, V9_FLOW_MARK_CUT, f->number.branch, v9_mark_word(V9_MARK_ID, 0));
	f->number.left = 0;
}

/* The same, before an element that is not a branch of the number. No branch is held. */
static void interrupt_number(struct v9_flow *f, const struct v9_ete_elem *e)
{
	const struct v9_flow_rec here = { .offset = e->offset, .ctx = f->ctx, .isa = isa_of(f) };

	cut_number(f, f->tail, &here);
}

/* The branch @r is final. Returns true if it is the next bit of the number. */
static bool take_bit(struct v9_flow *f, const struct v9_flow_rec *r)
{
	if (r->start != f->number.at || r->insns != 1 || r->last.kind != V9_INSN_DIRECT ||
	    !(r->last.flags & V9_INSN_COND) || r->last.target != r->end)
		return false;
	f->number.value |= (uint64_t)r->taken << (V9_MARK_BITS - f->number.left);
	f->number.at = r->end;
	f->number.left--;
	return true;
}

/* The range out[at], which ends in a branch over the mark @word, or not (0), is final. */
static void mark(struct v9_flow *f, size_t at, uint64_t word)
{
	const struct v9_flow_rec r = f->out[at];

	if (f->number.left && take_bit(f, &r)) {
		if (!f->number.left)
			put_mark(f, at + 1, &r, V9_FLOW_MARK, f->number.branch,
				 v9_mark_word(V9_MARK_ID, f->number.value));
	} else if (f->number.left) {
		cut_number(f, at++, &r);
	}
	if (!word || !r.taken || f->err)
		return;
	if (word != v9_mark_word(V9_MARK_ID, 0)) {
		put_mark(f, at + 1, &r, V9_FLOW_MARK, r.last_addr, word);
		return;
	}
	f->number.value = 0;
	f->number.at = r.last.target;
	f->number.branch = r.last_addr;
	f->number.left = V9_MARK_BITS;
}

static struct v9_flow_rec *put_gap(struct v9_flow *f, const struct v9_ete_elem *e, uint8_t why)
{
	struct v9_flow_rec *r;

	interrupt_number(f, e);
	r = put(f, e, V9_FLOW_GAP);
	r->why = why;
	f->why = why;
	f->counts.gaps[why]++;
	f->has_addr = false;
	f->awaiting = false;
	f->lost = true;
	/* Untraced code can call and return: the return stack may differ from the unit's. */
	if (why != V9_FLOW_NO_COUNT)
		f->entries = 0;
	return r;
}

static void put_gap_at(struct v9_flow *f, const struct v9_ete_elem *e, uint8_t why, uint64_t addr)
{
	struct v9_flow_rec *r = put_gap(f, e, why);

	r->start = addr;
	r->addressed = true;
}

/* The same, in place of the instructions of an element. */
static void not_followed(struct v9_flow *f, const struct v9_ete_elem *e, uint8_t why,
			 uint64_t addr)
{
	put_gap_at(f, e, why, addr);
	f->counts.unfollowed[why]++;
}

static void put_range(struct v9_flow *f, const struct v9_ete_elem *e,
		      const struct v9_path *walked, bool taken)
{
	struct v9_flow_rec *r;

	if (!walked->insns)
		return;
	r = put(f, e, V9_FLOW_RANGE);
	r->start = walked->start;
	r->end = walked->end;
	r->last = walked->last;
	r->last_addr = walked->last_addr;
	r->insns = walked->insns;
	r->taken = taken;
	f->counts.ranges++;
	f->counts.insns += r->insns;
}

/* No Mispredict can invert the last branch any more. */
static void make_final(struct v9_flow *f)
{
	const struct v9_flow_rec *r;

	if (f->held == NOT_HELD)
		return;
	r = &f->out[f->held];
	if (!r->taken && r->isa == V9_ISA_A64 && !(r->last.flags & V9_INSN_COND))
		f->counts.impossible++;
	if (f->mark || f->number.left)
		mark(f, f->held, f->mark);
	f->mark = 0;
	f->held = NOT_HELD;
}

/* ---- the return stack (R_HFCTC, R_QHSBN) */

static void push(struct v9_flow *f, uint64_t addr)
{
	f->stack[f->top] = (struct v9_ete_address){ .addr = addr, .isa = f->half };
	f->top = (uint8_t)((f->top + 1) % V9_FLOW_STACK);
	if (f->entries < V9_FLOW_STACK)
		f->entries++;
}

/* Without an Address element the target of a taken indirect branch is the top entry. */
static void pop_target(struct v9_flow *f)
{
	if (!f->awaiting || !f->stacked || !f->entries)
		return;
	f->top = (uint8_t)((f->top + V9_FLOW_STACK - 1) % V9_FLOW_STACK);
	f->entries--;
	f->addr = f->stack[f->top].addr;
	f->half = f->stack[f->top].isa;
	f->has_addr = true;
	f->awaiting = false;
}

/* ---- elements */

/* Returns true if the address is known. It is valid only with its context. */
static bool placed(struct v9_flow *f)
{
	pop_target(f);
	if (!f->has_ctx)
		f->has_addr = false;
	return f->has_addr;
}

static bool ready(struct v9_flow *f, const struct v9_ete_elem *e)
{
	if (placed(f)) {
		f->lost = false;
		return true;
	}
	if (!f->lost)
		put_gap(f, e, V9_FLOW_NO_ADDRESS);
	f->counts.unplaced++;
	f->counts.unfollowed[f->why]++;
	return false;
}

/* Set the position to that after the branch at the end of @r. */
static void follow(struct v9_flow *f, const struct v9_flow_rec *r)
{
	f->half = r->isa == V9_ISA_T32;
	f->awaiting = r->taken && r->last.kind == V9_INSN_INDIRECT;
	f->has_addr = !f->awaiting;
	f->addr = r->end;
	if (r->taken && r->last.kind == V9_INSN_DIRECT) {
		f->addr = r->last.target;
		f->half ^= !!(r->last.flags & V9_INSN_SWITCH);
	}
}

static void atom(struct v9_flow *f, const struct v9_ete_elem *e)
{
	struct v9_path w = { 0 };
	enum v9_stop stop;

	if (!ready(f, e))
		return;
	w.start = f->addr;
	stop = walk_block(f, &w);
	put_range(f, e, &w, stop == V9_STOP_P0 && e->taken);
	if (f->err)
		return;
	if (stop != V9_STOP_P0) {
		not_followed(f, e, stop == V9_STOP_NO_CODE ? V9_FLOW_NO_CODE : V9_FLOW_ASTRAY,
			     w.end);
		return;
	}
	f->held = f->tail - 1;
	f->mark = w.mark;
	if (e->taken && w.last.flags & V9_INSN_LINK)
		push(f, w.end);
	follow(f, &f->out[f->held]);
}

static void mispredict(struct v9_flow *f)
{
	if (f->held == NOT_HELD)
		return;
	f->out[f->held].taken ^= 1;
	follow(f, &f->out[f->held]);
}

/* The range out[at] ends in a taken branch, and those before are not taken: all are bits of the number. */
static void take_bits(struct v9_flow *f, size_t at)
{
	const struct v9_flow_rec r = f->out[at];
	struct v9_flow_rec bit = r;

	do {
		struct v9_path one = { .start = bit.start };

		walk(f, &one, 0, 1, true);
		bit.end = one.end;
		bit.last = one.last;
		bit.insns = one.insns;
		bit.taken = bit.start == r.last_addr;
		if (!take_bit(f, &bit)) {
			cut_number(f, at, &r);
			return;
		}
		bit.start = bit.end;
	} while (f->number.left && !bit.taken);
	if (!f->number.left)
		put_mark(f, at + 1, &r, V9_FLOW_MARK, f->number.branch, v9_mark_word(V9_MARK_ID, f->number.value));
}

/* Executed up to and including the branch at e->addr; earlier ones were not taken (I_DJTGL). */
static void source(struct v9_flow *f, const struct v9_ete_elem *e)
{
	struct v9_path w = { 0 };
	struct v9_flow_rec *r;
	enum v9_stop stop;

	if (!ready(f, e))
		return;
	/* Use the current instruction set, not e->isa: a trace by Arm has T32 for A32 there. */
	w.start = f->addr;
	stop = v9_blocks_walk_to(&f->blocks, &f->ctx, isa_of(f), &w, e->addr);
	if (stop == V9_STOP_LIMIT) {
		not_followed(f, e, V9_FLOW_ASTRAY, f->addr);
		return;
	}
	put_range(f, e, &w, stop == V9_STOP_P0);
	if (f->err)
		return;
	if (stop != V9_STOP_P0) {
		not_followed(f, e, V9_FLOW_NO_CODE, w.end);
		return;
	}
	r = &f->out[f->tail - 1];
	if (r->last.flags & V9_INSN_LINK)
		push(f, r->end);
	follow(f, r);
	if (f->number.left)
		take_bits(f, f->tail - 1);
	if (w.mark)
		mark(f, f->tail - 1, w.mark);
}

/* ---- Q elements */

/* A number of executed instructions, on a path that the address behind it may show */
static void q(struct v9_flow *f, const struct v9_ete_elem *e)
{
	const bool known = ready(f, e);

	interrupt_number(f, e);
	if (known && !(e->has & V9_ETE_HAS_COUNT)) {
		not_followed(f, e, V9_FLOW_NO_COUNT, f->addr);
		return;
	}
	f->q.pending = e->has & V9_ETE_HAS_COUNT;
	f->q.known = known;
	f->q.offset = e->offset;
	f->q.start = known ? f->addr : 0;
	f->q.ctx = f->ctx;
	f->q.half = f->half;
	f->q.insns = e->count;
	f->has_addr = false;
	f->awaiting = false;
	f->lost = true;
}

#define Q_BRANCHES	64	/* most P0 instructions of a path that is found */
#define Q_STEP		16	/* cost of a P0 instruction, beside its block */
#define Q_COST		(2 * V9_LINE_MAX)	/* of a search, at most */

/**
 * struct search - the paths of a Q element
 * @to: address behind it
 * @half: its instruction set
 * @cost: instructions that may still be looked at
 * @found: number of paths; 2 stands for more, and for paths that are not known
 * @way: the path that was found: bit n is set if its P0 instruction n was taken
 */
struct search {
	uint64_t to;
	uint8_t half;
	uint32_t cost;
	unsigned int found;
	uint64_t way;
};

/* In an IT block each T32 branch is conditional, which its opcode does not say. */
static bool is_always_taken(const struct v9_flow *f, const struct v9_insn *i)
{
	return (i->kind == V9_INSN_DIRECT || i->kind == V9_INSN_INDIRECT) &&
	       !(i->flags & V9_INSN_COND) && isa_of(f) != V9_ISA_T32;
}

/* Returns the instruction set of the target of @last, a direct branch. */
static uint8_t target_half(const struct v9_flow *f, const struct v9_insn *last)
{
	return f->half ^ !!(last->flags & V9_INSN_SWITCH);
}

/* Returns true if the P0 instruction at the end of @w can be taken to where the Q element ends. */
static bool takes_to(const struct v9_flow *f, const struct v9_path *w, const struct search *s)
{
	return w->last.kind == V9_INSN_INDIRECT ||
	       (w->last.kind == V9_INSN_DIRECT && w->last.target == s->to && target_half(f, &w->last) == s->half);
}

/* Returns true if the path @w ends where the Q element does: the next instruction has the address behind it. */
static bool ends_at(const struct v9_flow *f, const struct v9_path *w, const struct search *s)
{
	return w->end == s->to && f->half == s->half;
}

/* Returns true if that can be executed next behind the P0 instruction at the end of @w. */
static bool leads_to(const struct v9_flow *f, const struct v9_path *w, const struct search *s)
{
	return takes_to(f, w, s) || (ends_at(f, w, s) && !is_always_taken(f, &w->last));
}

static void find(struct v9_flow *f, struct search *s, uint64_t start, uint32_t left, uint64_t way,
		 unsigned int n)
{
	struct v9_path w = { .start = start };
	enum v9_stop stop = V9_STOP_NO_CODE;
	const uint8_t half = f->half;

	if (n < Q_BRANCHES && left <= s->cost)
		stop = walk(f, &w, 0, left, true);
	s->cost -= w.insns + Q_STEP < s->cost ? w.insns + Q_STEP : s->cost;
	if (stop == V9_STOP_NO_CODE) {
		s->found = 2;
		return;
	}
	if (w.insns == left) {
		if (stop == V9_STOP_P0 ? !leads_to(f, &w, s) : !ends_at(f, &w, s))
			return;
		s->found++;
		s->way = way | (uint64_t)(!ends_at(f, &w, s) || is_always_taken(f, &w.last)) << n;
		return;
	}
	left -= w.insns;
	/* R_KPNGG: a taken exception return is the last instruction of a Q element. */
	if (w.last.flags & V9_INSN_ERET) {
		if (!is_always_taken(f, &w.last))
			find(f, s, w.end, left, way, n + 1);
		return;
	}
	/* Behind an indirect branch execution can go on anywhere. */
	if (w.last.kind == V9_INSN_INDIRECT) {
		s->found = 2;
		return;
	}
	if (w.last.kind == V9_INSN_DIRECT) {
		f->half = target_half(f, &w.last);
		find(f, s, w.last.target, left, way | UINT64_C(1) << n, n + 1);
		f->half = half;
	}
	if (s->found < 2 && !is_always_taken(f, &w.last))
		find(f, s, w.end, left, way, n + 1);
}

/* Put the ranges of the path that was found. */
static void put_path(struct v9_flow *f, const struct v9_ete_elem *e, uint64_t way)
{
	struct v9_path w = { .start = f->q.start };
	uint32_t left = f->q.insns;

	for (; left && !f->err; way >>= 1) {
		walk(f, &w, 0, left, true);
		if (!w.insns)		/* the caller's code is another one now */
			return;
		left -= w.insns;
		put_range(f, e, &w, way & 1 && v9_insn_p0(&w.last, f->blocks.wfx));
		if (w.mark && !f->err)
			mark(f, f->tail - 1, w.mark);
		if (way & 1 && w.last.kind == V9_INSN_DIRECT) {
			f->half = target_half(f, &w.last);
			w.start = w.last.target;
		} else {
			w.start = w.end;
		}
	}
}

/*
 * End a pending Q element. @to: the address after it; NULL if another element follows, which
 * leaves the path unknown. If only one path of so many instructions leads there, it was executed.
 */
static void finish_q(struct v9_flow *f, const struct v9_ete_elem *to)
{
	const struct v9_ete_elem e = { .offset = f->q.offset };
	const struct v9_ete_context ctx = f->ctx;
	const uint8_t half = f->half;
	/* A path, and half of it beside each of its branches */
	const uint64_t cost = (uint64_t)f->q.insns * (Q_BRANCHES / 2 + 2) + 4 * Q_BRANCHES * Q_STEP;
	struct search s = { .cost = cost < Q_COST ? (uint32_t)cost : Q_COST, .found = 2 };
	struct v9_flow_rec *r;

	if (!f->q.pending)
		return;
	f->q.pending = false;
	/* A new context may precede the address (I_BTNZC). */
	f->ctx = f->q.ctx;
	f->half = f->q.half;
	if (f->q.known && to) {
		s.to = to->addr;
		s.half = to->isa;
		s.found = 0;
		find(f, &s, f->q.start, f->q.insns, 0, 0);
	}
	if (s.found == 1) {
		put_path(f, &e, s.way);
	} else {
		f->counts.no_path += f->q.known;
		r = put(f, &e, V9_FLOW_UNPLACED);
		r->start = f->q.start;
		r->addressed = f->q.known;
		r->insns = f->q.insns;
		if (!to)
			f->why = V9_FLOW_NO_ADDRESS;
	}
	f->ctx = ctx;
	f->half = half;
}

/* The address of an exception at an invalid address may be right only in its low bits (R_HHKGB). */
#define ALWAYS_RIGHT	48

static bool same_place(uint64_t a, uint64_t b)
{
	return !((a ^ b) << (64 - ALWAYS_RIGHT));
}

static void exception(struct v9_flow *f, const struct v9_ete_elem *e)
{
	const bool addressed = e->has & V9_ETE_HAS_ADDR;
	struct v9_path w = { 0 };
	struct v9_flow_rec *r;
	enum v9_stop stop = V9_STOP_ADDRESS;
	bool there = placed(f);

	interrupt_number(f, e);
	if (there && addressed && !same_place(f->addr, e->addr)) {
		w.start = f->addr;
		stop = walk(f, &w, e->addr, V9_LINE_MAX, false);
		if (stop == V9_STOP_LIMIT)
			put_gap_at(f, e, V9_FLOW_ASTRAY, f->addr);
		else
			put_range(f, e, &w, false);
		if (stop == V9_STOP_NO_CODE)
			put_gap_at(f, e, V9_FLOW_NO_CODE, w.end);
	} else if (!there && !f->lost) {
		put_gap(f, e, V9_FLOW_NO_ADDRESS);
	}
	r = put(f, e, V9_FLOW_EXCEPTION);
	r->type = e->type;
	r->start = addressed ? e->addr : 0;
	r->addressed = addressed;
	f->counts.exceptions++;
	f->has_addr = there && addressed;
	f->entered = true;
	f->awaiting = false;
	f->lost = !f->has_addr;
	f->addr = e->addr;
	f->half = e->isa;
}

/* Record a gap. The position is unknown after it. */
static void gap(struct v9_flow *f, const struct v9_ete_elem *e, uint8_t why)
{
	f->doubt = 0;
	put_gap(f, e, why)->type = e->type;
	f->lost = false;	/* expect an address; if there is none, that is a gap, too */
	f->entries = 0;
	if (why != V9_FLOW_FILTER)
		f->has_ctx = false;
}

static void put_count(struct v9_flow *f, const struct v9_ete_elem *e, uint8_t kind)
{
	struct v9_flow_rec *r = put(f, e, kind);

	r->value = kind == V9_FLOW_TIME ? e->addr : 0;
	r->cycles = e->count;
	r->counted = e->has & V9_ETE_HAS_COUNT;
}

/* Before each element that continues execution: make the held branch and a Q element final. */
static void begin(struct v9_flow *f)
{
	f->entered = false;
	make_final(f);
	finish_q(f, NULL);
}

/*
 * Returns true if execution can go on at f->resume without a gap: it is the address behind the last P0
 * element, or that is an indirect branch whose target was traced before the Trace On, and was wrong.
 */
static bool goes_on(struct v9_flow *f)
{
	if (f->held != NOT_HELD) {
		const struct v9_flow_rec *r = &f->out[f->held];

		if (r->taken && r->last.kind == V9_INSN_INDIRECT)
			return f->has_addr;
		/* An address may be of the wrong path. */
		follow(f, r);
	}
	return f->has_addr && !f->entered && f->addr == f->resume.addr && f->half == f->resume.isa;
}

/*
 * A Trace On that is in doubt is followed by the P0 element @e. There is no gap if execution goes on, at
 * an address that was corrected behind the Trace On.
 */
static void settle(struct v9_flow *f, const struct v9_ete_elem *e)
{
	const uint8_t doubt = f->doubt;

	f->doubt = 0;
	if (doubt < 3 || !goes_on(f)) {
		begin(f);
		put_gap(f, e, V9_FLOW_FILTER);
		f->lost = false;
	}
	if (doubt == 1)
		return;
	f->addr = f->resume.addr;
	f->half = f->resume.isa;
	f->has_addr = true;
	f->awaiting = false;
}

static void take(struct v9_flow *f, const struct v9_ete_elem *e)
{
	struct v9_flow_rec *r;

	if (f->doubt && e->kind >= V9_EL_ATOM && e->kind <= V9_EL_Q)
		settle(f, e);
	switch (e->kind) {
	case V9_EL_ATOM:
		begin(f);
		atom(f, e);
		break;
	case V9_EL_EXCEPTION:
		begin(f);
		exception(f, e);
		break;
	case V9_EL_SOURCE:
		begin(f);
		source(f, e);
		break;
	case V9_EL_Q:
		begin(f);
		q(f, e);
		break;
	case V9_EL_MISPREDICT:
		mispredict(f);
		break;
	case V9_EL_ADDRESS:
		if (f->doubt) {
			f->resume = (struct v9_ete_address){ .addr = e->addr, .isa = e->isa };
			f->doubt += f->doubt < 3;
			break;
		}
		f->entered = false;
		finish_q(f, e->has & V9_ETE_HAS_ADDR ? e : NULL);
		f->addr = e->addr;
		f->half = e->isa;
		f->has_addr = e->has & V9_ETE_HAS_ADDR;
		f->awaiting = false;
		break;
	case V9_EL_CONTEXT:
		f->ctx = e->ctx;
		f->has_ctx = true;
		break;
	case V9_EL_INFO:
		if (!f->doubt)
			pop_target(f);
		f->entries = 0;
		break;
	case V9_EL_TRACE_ON:
		if (e->type == V9_ETE_DOUBTFUL && (f->held != NOT_HELD || f->has_addr)) {
			f->doubt += !f->doubt;
			break;
		}
		begin(f);
		gap(f, e, V9_FLOW_FILTER);
		break;
	case V9_EL_OVERFLOW:
		begin(f);
		gap(f, e, V9_FLOW_OVERFLOW);
		break;
	case V9_EL_DISCARD:
		begin(f);
		gap(f, e, V9_FLOW_DISCARD);
		break;
	case V9_EL_LOSS:
		begin(f);
		gap(f, e, V9_FLOW_LOSS);
		break;
	case V9_EL_TIMESTAMP:
		put_count(f, e, V9_FLOW_TIME);
		break;
	case V9_EL_CYCLES:
		put_count(f, e, V9_FLOW_CYCLES);
		break;
	case V9_EL_EVENT:
		put(f, e, V9_FLOW_EVENT)->type = (uint8_t)e->count;
		break;
	case V9_EL_MARKER:
		put(f, e, V9_FLOW_MARKER);
		break;
	case V9_EL_INSTRUMENTATION:
		r = put(f, e, V9_FLOW_INSTRUMENTATION);
		r->value = e->addr;
		r->type = e->type;
		break;
	case V9_EL_TX_START:
		put(f, e, V9_FLOW_TX_START);
		break;
	case V9_EL_TX_COMMIT:
		put(f, e, V9_FLOW_TX_COMMIT);
		break;
	case V9_EL_TX_FAILURE:
		put(f, e, V9_FLOW_TX_FAILURE);
		break;
	}
	if (f->held != NOT_HELD && f->tail - f->held > WAITING_MAX)
		make_final(f);
}

/* ---- fast and slow path */

static void expand(const struct v9_flow_hit *hit, uint64_t offset, struct v9_flow_rec *r)
{
	const struct v9_block *b = hit->block;

	*r = (struct v9_flow_rec){
		.kind = V9_FLOW_RANGE, .offset = offset + hit->at, .start = b->start, .end = b->end,
		.last = b->last, .last_addr = b->last_addr, .insns = b->insns, .ctx = b->ctx,
		.isa = b->isa, .taken = hit->taken,
	};
}

/* Convert the last hit to a held record, as the next packet may be a Mispredict. */
static void hold_last(struct v9_flow *f)
{
	const struct v9_ete_elem e = { 0 };

	if (!f->nr_hits)
		return;
	put(f, &e, V9_FLOW_RANGE);
	if (f->err)
		return;
	expand(&f->hits[--f->nr_hits], f->hits_at, &f->out[f->tail - 1]);
	f->held = f->tail - 1;
}

/* Returns false if more bytes are needed. The caller has taken all hits and final records. */
static bool advance(struct v9_flow *f)
{
	struct v9_ete_elem e;
	int r;

	if (v9_fast_may(f)) {
		if (f->held != NOT_HELD && *f->ete.p >= V9_ETE_ATOMS_FIRST) {
			make_final(f);
			return true;
		}
		if (f->held == NOT_HELD && v9_fast_run(f)) {
			hold_last(f);
			return true;
		}
	}
	if (v9_fast_may_elems(f) && v9_ete_dec_more(&f->ete)) {
		const uint8_t kind = f->ete.queue[f->ete.head].kind;

		if (f->held != NOT_HELD && (kind == V9_EL_ATOM || kind == V9_EL_SOURCE)) {
			make_final(f);
			return true;
		}
		if (f->held == NOT_HELD && v9_fast_elems(f)) {
			if (!f->source)
				hold_last(f);
			return true;
		}
	}
	r = v9_ete_dec_next(&f->ete, &e);
	if (r < 0)
		f->err = r;
	if (r <= 0)
		return false;
	take(f, &e);
	return true;
}

static bool in_out(const struct v9_flow *f)
{
	return f->head < (f->held == NOT_HELD ? f->tail : f->held);
}

/* Remove the records that were returned. */
static void tidy(struct v9_flow *f)
{
	if (!f->head)
		return;
	f->tail -= f->head;
	memmove(f->out, f->out + f->head, f->tail * sizeof(*f->out));
	if (f->held != NOT_HELD)
		f->held -= f->head;
	f->head = 0;
}

/* ---- functions of v9ete.h and flow.h */

int v9_flow_reset(struct v9_flow *f, const struct v9_ete_config *cfg, bool wfx, bool stack,
		  v9_code_fn *code, void *arg)
{
	memset(f, 0, sizeof(*f));
	v9_ete_dec_reset(&f->ete, cfg);
	v9_fast_init(f);
	f->stacked = stack;
	f->held = NOT_HELD;
	f->err = v9_blocks_init(&f->blocks, wfx, code, arg);
	f->hits = malloc(V9_FLOW_HITS * sizeof(*f->hits));
	if (!f->hits)
		f->err = -ENOMEM;
	return f->err;
}

void v9_flow_free(struct v9_flow *f)
{
	v9_ete_dec_free(&f->ete);
	v9_blocks_free(&f->blocks);
	free(f->hits);
	free(f->out);
	f->hits = NULL;
	f->out = NULL;
	f->hit = f->nr_hits = 0;
	f->head = f->tail = f->room = 0;
}

void v9_flow_forget(struct v9_flow *f)
{
	/* Flush later: hits that were not returned yet point to blocks. */
	f->blocks.stale = true;
}

bool v9_flow_until(struct v9_flow *f, uint64_t offset)
{
	const struct v9_ete_dec *d = &f->ete;

	f->ete.until = offset;
	return (d->head == d->tail || d->queue[d->head].offset >= offset) &&
	       (!d->started || d->offset - d->carried >= offset);
}

void v9_flow_feed(struct v9_flow *f, const uint8_t *p, size_t n, uint64_t offset)
{
	v9_ete_dec_feed(&f->ete, p, n, offset);
}

void v9_flow_break(struct v9_flow *f)
{
	v9_ete_dec_break(&f->ete);
}

int v9_flow_next(struct v9_flow *f, struct v9_flow_rec *rec)
{
	while (!f->err) {
		if (f->hit < f->nr_hits) {
			expand(&f->hits[f->hit++], f->hits_at, rec);
			return 1;
		}
		if (in_out(f)) {
			*rec = f->out[f->head++];
			return 1;
		}
		tidy(f);
		if (!advance(f))
			break;
	}
	return f->err;
}

int v9_flow_batch(struct v9_flow *f, struct v9_flow_batch *batch)
{
	while (!f->err) {
		batch->n = f->nr_hits - f->hit;
		if (batch->n) {
			batch->hits = f->hits + f->hit;
			batch->offset = f->hits_at;
			f->hit = f->nr_hits;
			return 1;
		}
		if (in_out(f)) {
			batch->rec = f->out[f->head++];
			return 1;
		}
		tidy(f);
		if (!advance(f))
			break;
	}
	return f->err;
}

void v9_flow_expand(const struct v9_flow_batch *batch, const struct v9_flow_hit *hit,
		    struct v9_flow_rec *rec)
{
	expand(hit, batch->offset, rec);
}

void v9_flow_end(struct v9_flow *f)
{
	struct v9_ete_elem e;

	v9_flow_until(f, UINT64_MAX);
	v9_ete_dec_end(&f->ete);
	while (v9_ete_dec_next(&f->ete, &e) > 0)
		take(f, &e);
	begin(f);
	e = (struct v9_ete_elem){ .offset = f->ete.offset };
	interrupt_number(f, &e);
	/* Reset the state for the next stream. */
	memset(&f->ctx, 0, sizeof(f->ctx));
	f->addr = 0;
	f->half = 0;
	f->has_addr = false;
	f->has_ctx = false;
	f->awaiting = false;
	f->lost = false;
	f->doubt = 0;
	f->entries = 0;
}
