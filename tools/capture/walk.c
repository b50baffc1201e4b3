// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "walk.h"

#include <stdlib.h>
#include <string.h>

#include <v9trace/gen/regs.h>

#include "../lib/flow.h"
#include "../stop.h"
#include "../util.h"
#include "relay.h"

#define STEP	(UINT64_C(1) << 20)	/* bytes per feed: limits memory */

/* ---- tasks */

/* A kernel at EL2 writes the thread id to CONTEXTIDR_EL2, which is traced as the VMID. */
static uint32_t id_of(const struct v9_trace_unit *u, const struct v9_ete_context *ctx)
{
	const uint64_t config = u->word[PD_ETE_TRCCONFIGR];
	uint32_t id = 0;

	if (config & V9_TRCCONFIGR_VMID && config & V9_TRCCONFIGR_VMIDOPT)
		id = ctx->vmid;
	if (!id && config & V9_TRCCONFIGR_CID)
		id = ctx->contextid;
	return id;
}

/* Finds the thread by the id in the trace, else by the AUX record. */
static void find_task(struct v9_walk *w, const struct v9_ete_context *ctx)
{
	const struct v9_queue *q = w->t->streams[w->stream].q;
	const struct v9_extent *st = w->segment->st;
	const uint32_t id = id_of(w->unit, ctx);

	if (w->has_id && w->id == id && w->el == ctx->el)
		return;
	w->has_id = true;
	w->id = id;
	w->el = ctx->el;
	w->ids |= id != 0;
	w->at.cpu = st->cpu != V9_NO_TASK ? st->cpu : q->cpu;
	w->at.pid = V9_NO_TASK;
	w->at.tid = id ? id : q->tid != V9_NO_TASK ? q->tid : st->tid;
	/* With ids in the trace, id 0 in the kernel is the idle task. */
	if (!id && w->ids && ctx->el)
		w->at.tid = 0;
	w->at.comm = v9_lookup_comm(w->t->lookup, w->at.tid, w->time, &w->at.pid);
	if (w->at.pid == V9_NO_TASK)
		w->at.pid = w->at.tid == st->tid ? st->pid : w->at.tid;
}

static const uint8_t *code(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	struct v9_walk *w = arg;

	find_task(w, ctx);
	return v9_lookup_code(w->t->lookup, w->at.pid, w->time, addr, n);
}

/* ---- output */

/* Timestamps of other counters cannot be converted to perf's clock. */
static void stamp(struct v9_walk *w, const struct v9_flow_rec *rec)
{
	if (w->unit->word[PD_ETE_TS_SOURCE] != V9_TRFCR_EL1_TS_VIRTUAL || !rec->value)
		return;
	w->has_stamp = v9_session_time(w->t->s, rec->value, &w->stamp);
}

/* Returns the time of the last exec or mapping in the capture, in ns. There is one. */
static uint64_t last_change(const struct v9_session *s)
{
	return s->syms.changes[s->syms.nr_changes - 1];
}

/* Sets task and time for instructions in @ctx. */
static void place(struct v9_walk *w, const struct v9_ete_context *ctx)
{
	const struct v9_extent *st = w->segment->st;

	find_task(w, ctx);
	w->at.has_time = w->has_stamp || st->has_time;
	w->at.time = w->has_stamp ? w->stamp : st->time;
	w->at.stamped = w->has_stamp;
	/* The last range before the timestamp that ended .when is given behind it, when its branch is final. */
	if (w->has_stamp && !w->when.open && !w->nr_later && v9_when_wanted(w->t->s, w->unit) &&
	    w->at.time < last_change(w->t->s))
		w->at.time = last_change(w->t->s);
	/* While programs change, names are looked up with the time of the code. */
	if ((w->when.open || w->nr_later) && st->has_time && w->time != UINT64_MAX)
		w->at.time = w->time;
}

static void count_missed(struct v9_trace_sums *s, struct v9_dso *object, uint64_t n)
{
	for (size_t i = 0; i < s->nr_missed; i++)
		if (s->missed[i].object == object) {
			s->missed[i].n += n;
			return;
		}
	*v9_vec_add(s->missed, s->nr_missed) = (struct v9_missed){ object, n };
}

static void take_record(struct v9_walk *w, const struct v9_flow_rec *rec)
{
	if (rec->kind == V9_FLOW_TIME)
		stamp(w, rec);
	place(w, &rec->ctx);
	if (!w->listener)
		return;
	if (rec->kind == V9_FLOW_GAP && rec->why == V9_FLOW_NO_CODE)
		count_missed(w->sums, v9_lookup_owner(w->t->lookup, w->at.pid, w->time, rec->start),
			     1);
	w->listener->take(w->listener->arg, w->stream, &w->at, rec);
}

static void take_hits(struct v9_walk *w, struct v9_flow_batch *b)
{
	place(w, &b->hits->block->ctx);
	if (!w->listener)
		return;
	if (w->listener->hits) {
		w->listener->hits(w->listener->arg, w->stream, &w->at, b);
		return;
	}
	for (size_t i = 0; i < b->n; i++) {
		v9_flow_expand(b, &b->hits[i], &b->rec);
		w->listener->take(w->listener->arg, w->stream, &w->at, &b->rec);
	}
}

static void give(struct v9_walk *w)
{
	struct v9_flow_batch b;
	int r;

	while ((r = v9_flow_batch(w->flow, &b)) > 0) {
		if (b.n)
			take_hits(w, &b);
		else
			take_record(w, &b.rec);
	}
	if (r < 0)
		v9_out_of_memory();
}

/* Sets the time for look-ups, and drops cached code if programs changed. */
static void set_time(struct v9_walk *w, uint64_t time)
{
	if (v9_when_epoch(w->t->s, time) != v9_when_epoch(w->t->s, w->time))
		v9_flow_forget(w->flow);
	w->time = time;
	w->has_id = false;
}

static void apply(struct v9_walk *w, const struct v9_walk_later *l)
{
	const uint32_t before = w->at.pid;

	set_time(w, l->time);
	if (!l->record)
		return;
	find_task(w, v9_flow_context(w->flow));
	/* Another process may have other code at the same address. */
	if (w->at.pid != before)
		v9_flow_forget(w->flow);
}

/*
 * Sets the time of what is traced from .pos on. If programs change there, older elements that are not
 * committed yet have the time before it. The decoder has given all that it can.
 */
static void set_time_here(struct v9_walk *w, uint64_t time, bool record)
{
	const struct v9_walk_later l = { w->pos, time, record };
	const bool change = v9_when_epoch(w->t->s, time) != v9_when_epoch(w->t->s, w->time);

	if (!w->nr_later && (!change || v9_flow_until(w->flow, w->pos)))
		apply(w, &l);
	else
		*v9_vec_add(w->later, w->nr_later) = l;
	if (!w->nr_later)
		v9_flow_until(w->flow, UINT64_MAX);
}

/* Takes what the decoder can give, each with its time. */
static void give_all(struct v9_walk *w)
{
	size_t i;

	for (i = 0; i < w->nr_later; i++) {
		v9_flow_until(w->flow, w->later[i].at);
		give(w);
		if (!v9_flow_until(w->flow, w->later[i].at))
			break;
		apply(w, &w->later[i]);
	}
	w->nr_later -= i;
	if (w->nr_later) {
		memmove(w->later, w->later + i, w->nr_later * sizeof(*w->later));
		return;
	}
	v9_flow_until(w->flow, UINT64_MAX);
	give(w);
}

void v9_walk_close(struct v9_walk *w)
{
	if (!w->open)
		return;
	give_all(w);
	w->nr_later = 0;
	v9_flow_end(w->flow);
	give(w);
	w->open = false;
	v9_when_free(&w->when);
}

/* ---- sums */

/* Adds structs that consist of uint64_t counters, less those of @less. */
static void add_words(void *to, const void *from, const void *less, size_t size)
{
	for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
		uint64_t sum, more, off;

		memcpy(&sum, (char *)to + i, sizeof(sum));
		memcpy(&more, (const char *)from + i, sizeof(more));
		memcpy(&off, (const char *)less + i, sizeof(off));
		sum += more - off;
		memcpy((char *)to + i, &sum, sizeof(sum));
	}
}

void v9_walk_begin_sums(struct v9_walk *w)
{
	if (!w->unit)
		return;
	w->acc = *v9_flow_account(w->flow);
	w->counts = *v9_flow_sums(w->flow);
}

void v9_walk_end_sums(struct v9_walk *w)
{
	if (!w->unit)
		return;
	add_words(&w->sums->acc, v9_flow_account(w->flow), &w->acc, sizeof(w->acc));
	add_words(&w->sums->counts, v9_flow_sums(w->flow), &w->counts, sizeof(w->counts));
	v9_walk_begin_sums(w);
}

void v9_sums_add(struct v9_trace_sums *to, const struct v9_trace_sums *from)
{
	static const struct v9_trace_sums none;

	add_words(&to->acc, &from->acc, &none.acc, sizeof(to->acc));
	add_words(&to->counts, &from->counts, &none.counts, sizeof(to->counts));
	for (size_t i = 0; i < from->nr_missed; i++)
		count_missed(to, from->missed[i].object, from->missed[i].n);
}

void v9_sums_free(struct v9_trace_sums *s)
{
	free(s->missed);
	memset(s, 0, sizeof(*s));
}

/* ---- units, segments, bytes */

void v9_walk_setup(const struct v9_trace_unit *u, struct v9_ete_setup *setup)
{
	*setup = (struct v9_ete_setup){
		.size = sizeof(*setup),
		.trcidr0 = (uint32_t)u->word[PD_ETE_TRCIDR0],
		.trcidr2 = (uint32_t)u->word[PD_ETE_TRCIDR2],
		.trcidr8 = (uint32_t)u->word[PD_ETE_TRCIDR8],
		.trcdevarch = (uint32_t)u->word[PD_ETE_TRCDEVARCH],
		.trcconfigr = (uint32_t)u->word[PD_ETE_TRCCONFIGR],
	};
}

/* Another thread may have hits, which point to blocks. */
static void drain(void *arg)
{
	const struct v9_walk *w = arg;

	if (w->t->relay)
		v9_relay_drain(w->t->relay);
}

static void leave_unit(struct v9_walk *w)
{
	drain(w);
	v9_walk_end_sums(w);
	v9_flow_delete(w->flow);
	w->flow = NULL;
	w->unit = NULL;
}

static void enter_unit(struct v9_walk *w, const struct v9_trace_unit *u)
{
	struct v9_ete_setup setup;

	if (u == w->unit)
		return;
	leave_unit(w);
	v9_walk_setup(u, &setup);
	setup.code = code;
	setup.arg = w;
	w->flow = v9_flow_new(&setup);
	if (!w->flow)
		v9_out_of_memory();
	w->flow->blocks.before_flush = drain;
	w->unit = u;
	v9_walk_begin_sums(w);
}

void v9_walk_init(struct v9_walk *w, const struct v9_trace *t, struct v9_trace_sums *sums)
{
	memset(w, 0, sizeof(*w));
	w->t = t;
	w->sums = sums;
}

void v9_walk_free(struct v9_walk *w)
{
	leave_unit(w);
	v9_when_free(&w->when);
	free(w->later);
}

static uint64_t time_of(const struct v9_segment *segment)
{
	return segment->st->has_time ? segment->st->time : UINT64_MAX;
}

static void start_anew(struct v9_walk *w, const struct v9_segment *segment)
{
	v9_walk_close(w);
	enter_unit(w, segment->unit);
	w->stream = segment->stream;
	w->segment = segment;
	w->has_stamp = false;
	w->ids = w->t->ids;
	w->open = true;
}

void v9_walk_segment(struct v9_walk *w, const struct v9_segment *segment)
{
	struct v9_ete_setup setup;

	if (segment->restart)
		start_anew(w, segment);
	else if (segment->first)
		give_all(w);
	w->segment = segment;
	w->pos = segment->at;
	if (segment->first)
		set_time_here(w, time_of(w->segment), true);
	if (segment->restart && v9_when_wanted(w->t->s, segment->unit)) {
		v9_walk_setup(segment->unit, &setup);
		v9_when_start(&w->when, w->t->s, &setup);
	}
	if (w->when.open)
		v9_when_feed(&w->when, segment->p, segment->n, segment->at);
	w->piece = 0;
	w->in_piece = false;
}

void v9_walk_jump(struct v9_walk *w, const struct v9_segment *segment, uint64_t at)
{
	start_anew(w, segment);
	w->pos = at;
	set_time_here(w, time_of(w->segment), true);
}

/* Returns the end of the current piece. After the last change of programs it is @to. */
static uint64_t enter_piece(struct v9_walk *w, uint64_t to)
{
	while (w->when.open) {
		const struct v9_when_piece *piece = &w->when.piece[w->piece];

		if (w->piece == w->when.nr) {
			v9_when_free(&w->when);
			set_time_here(w, time_of(w->segment), false);
			break;
		}
		if (w->pos >= piece->end) {
			w->piece++;
			w->in_piece = false;
			continue;
		}
		if (!w->in_piece && piece->has_time)
			set_time_here(w, piece->time, false);
		w->in_piece = true;
		return piece->end < to ? piece->end : to;
	}
	return to;
}

void v9_walk_to(struct v9_walk *w, uint64_t to)
{
	const struct v9_segment *segment = w->segment;

	while (w->pos < to && !v9_stopped()) {
		const uint64_t end = enter_piece(w, to - w->pos < STEP ? to : w->pos + STEP);
		const uint8_t *p = segment->p + (w->pos - segment->at);

		v9_flow_feed(w->flow, p, end - w->pos, w->pos);
		give_all(w);
		v9_session_pass(w->t->s, end - w->pos);
		w->pos = end;
	}
}

/* ---- comparison of states */

/* Returns true if a timestamp was decoded, if the unit has them, and is after all changes. */
static bool knows_time(const struct v9_walk *w)
{
	const bool wanted = v9_when_wanted(w->t->s, w->unit);

	if (w->when.open || w->nr_later)
		return false;
	if (!w->has_stamp)
		return !wanted && (!(w->unit->word[PD_ETE_TRCCONFIGR] & V9_TRCCONFIGR_TS) ||
				   w->unit->word[PD_ETE_TS_SOURCE] != V9_TRFCR_EL1_TS_VIRTUAL ||
				   !w->t->s->has_conv);
	return !wanted || v9_when_epoch(w->t->s, w->stamp) == w->t->s->syms.nr_changes;
}

bool v9_walk_mark(const struct v9_walk *w, struct v9_walk_mark *m)
{
	if (!knows_time(w) || !v9_flow_mark(w->flow, &m->flow))
		return false;
	m->at = w->at;
	m->time = w->time;
	m->stamp = w->has_stamp ? w->stamp : 0;
	m->id = w->id;
	m->el = w->el;
	m->has_id = w->has_id;
	m->has_stamp = w->has_stamp;
	m->ids = w->ids;
	return true;
}

bool v9_walk_same_state(const struct v9_walk_mark *a, const struct v9_walk_mark *b)
{
	/* Names are in one string table, so equal names have the same address. */
	return v9_flow_same_state(&a->flow, &b->flow) && a->time == b->time &&
	       a->stamp == b->stamp &&
	       a->id == b->id && a->el == b->el && a->has_id == b->has_id &&
	       a->has_stamp == b->has_stamp && a->ids == b->ids && a->at.cpu == b->at.cpu &&
	       a->at.pid == b->at.pid && a->at.tid == b->at.tid && a->at.comm == b->at.comm;
}
