// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "piece.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/strtab.h"
#include "../util.h"

/* ---- cycles */

void v9_share_cycles(struct v9_call *call, const struct v9_spent *spent, size_t nr, uint64_t cycles)
{
	uint64_t insns = 0, given = 0, seen = 0;

	for (size_t i = 0; i < nr; i++)
		insns += spent[i].insns;
	for (size_t i = 0; i < nr && insns; i++) {
		uint64_t upto;
		double share;

		seen += spent[i].insns;
		share = (double)cycles * (double)seen / (double)insns + 0.5;
		upto = share < 0x1p63 ? (uint64_t)share : cycles;
		call[spent[i].node].cycles += upto - given;
		given = upto;
	}
}

void v9_spend(struct v9_spent **spent, size_t *nr, size_t node, uint64_t insns)
{
	if (!*nr || (*spent)[*nr - 1].node != node)
		*v9_vec_add(*spent, *nr) = (struct v9_spent){ .node = node };
	(*spent)[*nr - 1].insns += insns;
}

static bool counted(const struct v9_calls_piece *p)
{
	return p->whole || p->count != V9_PIECE_OPEN;
}

static void spend(struct v9_calls_piece *p, size_t node, uint64_t insns)
{
	if (counted(p))
		v9_spend(&p->spent, &p->nr_spent, node, insns);
	else
		v9_spend(&p->head, &p->nr_head, node, insns);
}

void v9_piece_spend(struct v9_calls_piece *p, uint64_t n, bool cycles)
{
	p->call[p->calls->now.user].self += n;
	if (cycles)
		spend(p, p->calls->now.user, n);
}

void v9_piece_count(struct v9_calls_piece *p, enum v9_piece_count count, uint64_t cycles)
{
	if (!counted(p)) {
		p->count = count;
		p->cycles = count == V9_PIECE_COUNTED ? cycles : 0;
	} else if (count == V9_PIECE_COUNTED && !p->unknown) {
		v9_share_cycles(p->call, p->spent, p->nr_spent, cycles);
	}
	p->nr_spent = 0;
	p->unknown = count == V9_PIECE_UNKNOWN;
}

/* ---- the machine */

static void enter(void *arg, const struct v9_calls *c, struct v9_frame *f, enum v9_calls_enter how)
{
	struct v9_calls_piece *p = arg;

	if (how == V9_CALLS_RESUMED)
		return;
	f->user = v9_call_child(&p->call, &p->nr_call, c->nr ? c->frame[c->nr - 1].user : p->root, f->func);
	p->call[f->user].calls += how != V9_CALLS_ROOT && how != V9_CALLS_PART;
}

static void set_high(struct v9_calls_piece *p, size_t high)
{
	if (p->nr && high > p->step[p->nr - 1].high)
		p->step[p->nr - 1].high = high;
}

static void reset(struct v9_calls_piece *p)
{
	v9_calls_reset(p->calls, &(struct v9_calls_sink){ .enter = enter, .arg = p });
}

/* Do all calls end if the address space is another one? At a signal handler, or another program. */
static bool asks_space(const struct v9_calls *c, const struct v9_arrival *a)
{
	return !c->any || (a->first && c->pending & V9_CALLS_TRAPPED && a->addr != c->trap);
}

/* Does the piece know what happens at this arrival? */
static bool decides(const struct v9_calls_piece *p, const struct v9_arrival *a, uint64_t space)
{
	if (p->whole || p->alone)
		return true;
	return v9_calls_decides(p->calls, a) &&
	       (!asks_space(p->calls, a) || (p->has_space && p->space == space));
}

static void arrive_in(struct v9_calls_piece *p, const struct v9_arrival *a, uint64_t space)
{
	const struct v9_calls_sink sink = { .enter = enter, .arg = p };

	if (asks_space(p->calls, a)) {
		if (!p->has_space || p->space != space)
			reset(p);
		p->space = space;
		p->has_space = true;
	}
	v9_calls_arrive(p->calls, &sink, a);
	set_high(p, p->calls->nr);
}

/* ---- steps */

static struct v9_frame *copy_frames(const struct v9_frame *f, size_t n)
{
	struct v9_frame *copy = v9_alloc(n * sizeof(*copy));

	if (n)
		memcpy(copy, f, n * sizeof(*copy));
	return copy;
}

/* Copies the open frames and the stacks that were left to the last step, which ends. */
static void end_step(struct v9_calls_piece *p)
{
	struct v9_piece_step *s = p->nr ? &p->step[p->nr - 1] : NULL;
	struct v9_calls *c = p->calls;

	if (!s || s->when == V9_PIECE_END)
		return;
	if (c->any) {
		s->nr = c->nr + 1;
		s->frame = v9_alloc(s->nr * sizeof(*s->frame));
		if (c->nr)
			memcpy(s->frame, c->frame, c->nr * sizeof(*s->frame));
		s->frame[c->nr] = c->now;
		s->replaced = s->frame[0].user != s->base;
	}
	s->nr_left = c->nr_left;
	s->left = v9_alloc(s->nr_left * sizeof(*s->left));
	for (size_t i = 0; i < s->nr_left; i++)
		s->left[i] = (struct v9_left){ copy_frames(c->left[i].frame, c->left[i].nr),
					       c->left[i].nr };
}

static size_t add_root(struct v9_calls_piece *p)
{
	v9_vec_add(p->call, p->nr_call);
	return p->nr_call - 1;
}

/* What is pending before a step, without what says nothing */
static struct v9_piece_step step_of(const struct v9_calls *c, enum v9_piece_when when)
{
	return (struct v9_piece_step){
		.when = when, .pending = c->pending,
		.back = (c->pending & V9_CALLS_BRANCH) == V9_CALLS_BY_CALL ? c->back : 0,
		.trap = c->pending & V9_CALLS_TRAPPED ? c->trap : 0,
	};
}

/* Begins a step: after it the function at @a runs, and nothing is known of its callers. */
static void begin_step(struct v9_calls_piece *p, enum v9_piece_when when, const struct v9_arrival *a,
		       uint64_t space)
{
	const bool certain = when != V9_PIECE_PENDING ||
			     (p->calls->pending && !(p->calls->pending & V9_CALLS_BEFORE));
	const bool asked = certain && a->first && p->calls->pending & V9_CALLS_TRAPPED &&
			   a->addr != p->calls->trap;
	struct v9_piece_step step = step_of(p->calls, when);

	end_step(p);
	step.at = *a;
	step.space = space;
	step.base = add_root(p);
	p->root = add_root(p);
	p->call[step.base].func = certain ? a->func : 0;
	*v9_vec_add(p->step, p->nr) = step;
	reset(p);
	p->calls->any = certain;
	p->calls->now = (struct v9_frame){ .func = a->func, .user = step.base, .kernel = a->kernel,
					  .final = a->final };
	p->alone = when == V9_PIECE_CUT;
	/* An address space that was not asked for stays the one before. */
	if (asked || p->alone) {
		p->space = space;
		p->has_space = true;
	}
}

static void arrive_or_begin(struct v9_calls_piece *p, enum v9_piece_when when, const struct v9_arrival *a,
			    uint64_t space)
{
	if (decides(p, a, space)) {
		arrive_in(p, a, space);
	} else if (p->most && p->nr_call + p->nr >= p->most) {
		p->cut++;
		begin_step(p, V9_PIECE_CUT, a, space);
	} else {
		begin_step(p, when, a, space);
	}
}

void v9_piece_range(struct v9_calls_piece *p, const struct v9_arrival *a, uint64_t space)
{
	if (v9_calls_arrives(p->calls, a->func))
		arrive_or_begin(p, V9_PIECE_RANGE, a, space);
}

void v9_piece_exception(struct v9_calls_piece *p, const struct v9_arrival *a, uint64_t space)
{
	if (p->calls->pending)
		arrive_or_begin(p, V9_PIECE_PENDING, a, space);
}

void v9_piece_init(struct v9_calls_piece *p, bool whole)
{
	memset(p, 0, sizeof(*p));
	p->whole = whole;
	p->calls = v9_alloc(sizeof(*p->calls));
	p->calls->pending = whole ? 0 : V9_CALLS_BEFORE;
	add_root(p);
}

static void free_machine(struct v9_calls_piece *p)
{
	if (p->calls)
		v9_calls_free(p->calls);
	free(p->calls);
	p->calls = NULL;
}

static void free_steps(struct v9_calls_piece *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		for (size_t k = 0; k < p->step[i].nr_left; k++)
			free(p->step[i].left[k].frame);
		free(p->step[i].left);
		free(p->step[i].frame);
	}
	free(p->step);
}

void v9_piece_free(struct v9_calls_piece *p)
{
	free_steps(p);
	free_machine(p);
	free(p->call);
	free(p->head);
	free(p->spent);
	memset(p, 0, sizeof(*p));
}

void v9_piece_end(struct v9_calls_piece *p)
{
	const uint32_t nothing = p->nr ? 0 : V9_CALLS_BEFORE;
	struct v9_piece_step step = step_of(p->calls, V9_PIECE_END);

	end_step(p);
	free_machine(p);
	if (step.pending == nothing)
		return;
	step.base = add_root(p);
	add_root(p);
	*v9_vec_add(p->step, p->nr) = step;
}

/* ---- joining */

static void set_pending(struct v9_calls *c, const struct v9_piece_step *s)
{
	if (s->pending & V9_CALLS_BEFORE) {
		c->pending |= s->pending & ~(uint32_t)V9_CALLS_BEFORE;
		return;
	}
	c->pending = s->pending;
	c->back = s->back;
	c->trap = s->trap;
}

static struct v9_frame mapped(const struct v9_frame *f, const size_t *map)
{
	struct v9_frame to = *f;

	to.user = map[f->user];
	return to;
}

/* Adds what followed the arrival of a step. The nodes of @next are there up to @end. */
static void add_step(struct v9_calls_piece *p, const struct v9_calls_piece *next,
		     const struct v9_piece_step *s, size_t end, size_t *map)
{
	struct v9_calls *c = p->calls;

	if (!s->nr)
		return;
	set_high(p, c->nr + s->high);
	map[s->base] = c->now.user;
	map[s->base + 1] = c->nr ? c->frame[c->nr - 1].user : p->root;
	for (size_t i = s->base; i < end; i++) {
		const struct v9_call *from = &next->call[i];

		if (i > s->base + 1)
			map[i] = v9_call_child(&p->call, &p->nr_call, map[from->parent], from->func);
		p->call[map[i]].self += from->self;
		p->call[map[i]].calls += from->calls;
		p->call[map[i]].cycles += from->cycles;
	}
	if (c->nr + s->high > V9_CALLS_DEPTH)
		v9_calls_shed(c);
	if (s->replaced) {
		const uint64_t back = c->now.back;

		c->now = mapped(&s->frame[0], map);
		if (s->when != V9_PIECE_CUT)
			c->now.back = back;
	}
	for (size_t i = 1; i < s->nr; i++) {
		const struct v9_frame f = mapped(&s->frame[i], map);

		v9_calls_push(c, &f);
	}
	for (size_t i = 0; i < s->nr_left; i++) {
		struct v9_frame *f = v9_alloc(s->left[i].nr * sizeof(*f));

		for (size_t k = 0; k < s->left[i].nr; k++)
			f[k] = mapped(&s->left[i].frame[k], map);
		v9_calls_keep(c, f, s->left[i].nr);
		free(f);
	}
}

static bool arrives(const struct v9_calls *c, const struct v9_piece_step *s)
{
	return s->when == V9_PIECE_PENDING ? c->pending : v9_calls_arrives(c, s->at.func);
}

static void add_arrival(struct v9_calls_piece *p, const struct v9_piece_step *s)
{
	const bool room = p->whole || p->calls->nr + 1 + s->high <= V9_CALLS_OWN;

	set_pending(p->calls, s);
	if (s->when == V9_PIECE_END)
		return;
	if (s->when == V9_PIECE_CUT && p->whole) {
		reset(p);
		p->has_space = false;
	} else if (s->when == V9_PIECE_CUT || (!room && !p->alone)) {
		begin_step(p, s->when, &s->at, s->space);
		return;
	}
	if (arrives(p->calls, s))
		arrive_or_begin(p, s->when, &s->at, s->space);
}

void v9_piece_join(struct v9_calls_piece *p, const struct v9_calls_piece *next)
{
	size_t *map = v9_alloc((next->nr_call + 1) * sizeof(*map));

	for (size_t i = 0; i < next->nr; i++) {
		add_arrival(p, &next->step[i]);
		add_step(p, next, &next->step[i],
			 i + 1 < next->nr ? next->step[i + 1].base : next->nr_call, map);
	}
	for (size_t i = 0; i < next->nr_head; i++)
		spend(p, map[next->head[i].node], next->head[i].insns);
	if (next->count != V9_PIECE_OPEN)
		v9_piece_count(p, next->count, next->cycles);
	for (size_t i = 0; i < next->nr_spent; i++)
		spend(p, map[next->spent[i].node], next->spent[i].insns);
	if (next->count != V9_PIECE_OPEN)
		p->unknown = next->unknown;
	p->cut += next->cut;
	free(map);
}
