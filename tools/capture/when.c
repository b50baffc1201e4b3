// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "when.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define TS_VIRTUAL	1	/* TRFCR_EL1.TS: the counter of perf's clock */

bool v9_when_wanted(const struct v9_session *s, const struct v9_trace_unit *u)
{
	return s->syms.nr_changes && s->has_conv && u->word[PD_ETE_TS_SOURCE] == TS_VIRTUAL;
}

void v9_when_start(struct v9_when *w, const struct v9_session *s,
		   const struct v9_ete_setup *setup)
{
	v9_ete_dec_delete(w->dec);
	w->dec = v9_ete_dec_new(setup);
	if (!w->dec)
		v9_out_of_memory();
	w->s = s;
	w->open = true;
	w->has_last = false;
	w->past = false;
	w->from = 0;
	w->ctx = (struct v9_ete_context){ 0 };
	w->arrives = false;
	w->stamps = 1;
	w->p0 = w->marked = 0;
	memset(w->back, 0, sizeof(w->back));
}

size_t v9_when_epoch(const struct v9_session *s, uint64_t time)
{
	return v9_first_entries(i, s->syms.nr_changes, s->syms.changes[i] <= time);
}

/* Sets the time up to @end; merged with the last piece if no program changed in between. */
static void put(struct v9_when *w, uint64_t end, uint64_t time, bool has_time)
{
	struct v9_when_piece *before = w->nr ? &w->piece[w->nr - 1] : NULL;

	if (before && end <= before->end)
		return;
	if (before && before->has_time && has_time &&
	    v9_when_epoch(w->s, before->time) == v9_when_epoch(w->s, time)) {
		before->end = end;
		return;
	}
	if (w->nr == w->room) {
		w->room = w->room ? w->room * 2 : 16;
		w->piece = v9_realloc(w->piece, w->room * sizeof(*w->piece));
	}
	w->piece[w->nr++] = (struct v9_when_piece){ end, time, has_time };
}

/* The entry of the task that executes. Address 0 stands for none. */
static struct v9_when_back *back_of(struct v9_when *w)
{
	const uint64_t task = (uint64_t)w->ctx.vmid << 32 | w->ctx.contextid;
	struct v9_when_back *b = &w->back[(task ^ task >> 32) % V9_WHEN_TASKS];

	if (b->task != task)
		*b = (struct v9_when_back){ .task = task };
	return b;
}

/* Ends the part that has no timestamp yet. */
static void end_part(struct v9_when *w, uint64_t end)
{
	if (w->in_part)
		w->part[w->nr_parts - 1].end = end;
	w->in_part = false;
}

/*
 * The first P0 element of a part of the trace at EL0: execution continues at w->addr. If the task left EL0
 * elsewhere, it may have executed another program: its parts so far are of the program before that. Further such places
 * before the next timestamp are taken for signals.
 */
static void arrive(struct v9_when *w)
{
	struct v9_when_back *b;

	if (!w->arrives)
		return;
	w->arrives = false;
	end_part(w, w->user);
	if (w->ctx.el)
		return;
	b = back_of(w);
	if (b->addr && b->addr != w->addr && b->moved != w->stamps) {
		b->moved = w->stamps;
		for (size_t i = 0; i < w->nr_parts; i++)
			w->part[i].before |= w->part[i].task == b->task;
	}
	b->addr = 0;
	if (w->has_last || w->nr_parts == V9_WHEN_PARTS)
		return;
	w->part[w->nr_parts++] = (struct v9_when_part){ .from = w->user, .task = b->task };
	w->in_part = true;
}

/* Sets the times of the parts that began up to @until: @time, or the one before if they are before an exec. */
static void put_parts(struct v9_when *w, uint64_t until, uint64_t time, bool has_time)
{
	size_t i;

	for (i = 0; i < w->nr_parts && w->part[i].from <= until; i++) {
		const struct v9_when_part *p = &w->part[i];

		if (w->in_part && i + 1 == w->nr_parts)
			continue;		/* it goes on */
		if (p->before && w->from)
			put(w, p->end, w->from, true);
		else if (has_time)
			put(w, p->end, time, true);
	}
	w->in_part &= i < w->nr_parts;
	w->nr_parts -= i;
	memmove(w->part, w->part + i, w->nr_parts * sizeof(*w->part));
}

/*
 * A timestamp, at offset @end. It is of the last P0 element before it or before its marker: a part of the trace
 * that began later does not have its time.
 */
static void stamp(struct v9_when *w, uint64_t begin, uint64_t end, uint64_t time)
{
	const uint64_t of = w->marked ? w->marked : w->p0;

	w->marked = 0;
	put_parts(w, of, time, true);
	w->from = w->last = time;
	w->stamps++;
	if (w->in_part || (w->arrives && w->user > of)) {
		if (w->user > begin)
			put(w, w->nr_parts ? w->part[0].from : w->user, time, true);
		return;
	}
	w->has_last = true;
	if (end > begin)
		put(w, end, time, true);
}

/* Execution at EL0 begins with element @e, or with one that follows it. */
static void enter(struct v9_when *w, const struct v9_ete_elem *e)
{
	if (!w->arrives)
		w->user = e->offset;
	w->arrives = true;
}

void v9_when_feed(struct v9_when *w, const uint8_t *p, size_t n, uint64_t offset)
{
	struct v9_ete_elem e;
	uint64_t time;

	w->nr = 0;
	if (w->past)
		return;
	v9_ete_dec_feed(w->dec, p, n, offset);
	w->nr_parts = 0;
	w->in_part = false;
	while (v9_ete_dec_next(w->dec, &e) > 0) {
		switch (e.kind) {
		case V9_EL_TIMESTAMP:
			if (!e.addr || !v9_session_time(w->s, e.addr, &time))
				break;
			stamp(w, offset, e.offset, time);
			w->past = v9_when_epoch(w->s, time) == w->s->syms.nr_changes;
			if (w->past)
				return;
			break;
		case V9_EL_TRACE_ON:
		case V9_EL_OVERFLOW:
		case V9_EL_DISCARD:
		case V9_EL_LOSS:
			/*
			 * A part without a timestamp was interrupted by the kernel at its first
			 * branch, as happens by page faults at the start of a program. It gets
			 * the time of the next part.
			 */
			if (w->has_last && e.offset > offset)
				put(w, e.offset, w->last, true);
			w->has_last = false;
			enter(w, &e);
			break;
		case V9_EL_CONTEXT:
			if (w->ctx.el && !e.ctx.el)
				enter(w, &e);
			w->ctx = e.ctx;
			break;
		case V9_EL_ADDRESS:
			w->addr = e.has & V9_ETE_HAS_ADDR ? e.addr : 0;
			break;
		case V9_EL_EXCEPTION:
		case V9_EL_ATOM:
		case V9_EL_SOURCE:
		case V9_EL_Q:
			arrive(w);
			w->p0 = e.offset;
			if (e.kind == V9_EL_EXCEPTION && !w->ctx.el)
				back_of(w)->addr = e.has & V9_ETE_HAS_ADDR ? e.addr : 0;
			break;
		case V9_EL_MARKER:
			w->marked = w->p0;
			break;
		}
	}
	put_parts(w, UINT64_MAX, 0, false);
	put(w, offset + n, w->last, w->has_last);
}

void v9_when_free(struct v9_when *w)
{
	v9_ete_dec_delete(w->dec);
	free(w->piece);
	memset(w, 0, sizeof(*w));
}
