// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include <v9trace/uapi.h>

#include "../util.h"
#include "when.h"

#define CONFIG_CID	(1u << 6)
#define CONFIG_VMID	(1u << 7)
#define CONFIG_VMIDOPT	(1u << 15)
#define DEVARCH_RME	2	/* from that revision of the architecture on */
#define TS_VIRTUAL	1	/* TRFCR_EL1.TS: the counter that perf's clock is made of */

#define LOSSY (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION)

const char *const v9_trace_unread_why[V9_TRACE_UNREADS] = {
	[V9_TRACE_UNCLAIMED] = "not part of any AUX record",
	[V9_TRACE_FRAMED] = "in CoreSight frames",
	[V9_TRACE_NO_UNIT] = "from a trace unit that is not described as ETE",
};

/* A buffer on its way through the decoder. */
struct v9_walk {
	struct v9_trace *t;
	struct v9_queue *q;
	const struct v9_unit *unit;	/* NULL: not started */
	const struct v9_stretch *now;	/* stretch at hand */
	struct v9_flow *flow;
	struct v9_when when;
	uint64_t time;			/* of what is decoded now, for look-ups */
	uint64_t end;			/* of the stretch before, in the stream */
	uint64_t claimed;		/* bytes up to there are accounted for */
	struct v9_sampled at;
	uint32_t id;			/* of the context that .at was made for */
	uint8_t el;			/* and its exception level */
	uint64_t stamp;			/* ns, of the last timestamp */
	size_t left;			/* stretches still to come */
	bool open, lossy, has_id, has_stamp;
};

void v9_unit_config(const struct v9_unit *u, struct v9_ete_config *cfg)
{
	v9_ete_config_init(cfg, (uint32_t)u->word[PD_ETE_TRCIDR0], (uint32_t)u->word[PD_ETE_TRCIDR8],
			   (u->word[PD_ETE_TRCDEVARCH] >> 16 & 15) >= DEVARCH_RME);
}

const struct v9_unit *v9_unit_of(const struct v9_session *s, uint32_t cpu)
{
	for (size_t i = 0; i < s->nr_units; i++)
		if (s->units[i].cpu == cpu && s->units[i].magic == PD_ETE_MAGIC)
			return &s->units[i];
	return NULL;
}

void v9_trace_init(struct v9_trace *t, struct v9_session *s)
{
	memset(t, 0, sizeof(*t));
	t->s = s;
	v9_code_init(&t->code, &s->syms);
	t->walks = v9_alloc((s->nr_queues + 1) * sizeof(*t->walks));
	for (size_t i = 0; i < s->nr_queues; i++) {
		struct v9_walk *w = &t->walks[t->nr_walks];

		if (s->queues[i].kind != V9_KIND_ETE)
			continue;
		w->t = t;
		w->q = &s->queues[i];
		t->nr_walks++;
	}
}

/* ---- whose instructions these are */

/* The thread by the ids in the trace, if it has them, else by the AUX record. */
static void find_task(struct v9_walk *w, const struct v9_ete_context *ctx)
{
	const uint64_t config = w->unit->word[PD_ETE_TRCCONFIGR];
	uint32_t id = 0;

	/* A host's kernel at EL2 leaves its id in what is sent as the VMID. */
	if (config & CONFIG_VMID && config & CONFIG_VMIDOPT)
		id = ctx->vmid;
	if (!id && config & CONFIG_CID)
		id = ctx->contextid;
	if (w->has_id && w->id == id && w->el == ctx->el)
		return;
	w->has_id = true;
	w->id = id;
	w->el = ctx->el;
	w->t->ids |= id;
	w->at.cpu = w->now->cpu != V9_NO_TASK ? w->now->cpu : w->q->cpu;
	w->at.pid = V9_NO_TASK;
	w->at.tid = id ? id : w->q->tid != V9_NO_TASK ? w->q->tid : w->now->tid;
	/* Where ids are traced at all, the kernel's without one is the idle task. */
	if (!id && w->t->ids && ctx->el)
		w->at.tid = 0;
	w->at.comm = v9_session_comm(w->t->s, w->at.tid, w->time, &w->at.pid);
	if (w->at.pid == V9_NO_TASK)
		w->at.pid = w->at.tid == w->now->tid ? w->now->pid : w->at.tid;
}

static const uint8_t *code(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	struct v9_walk *w = arg;

	find_task(w, ctx);
	return v9_code_at(&w->t->code, w->at.pid, w->time, addr, n);
}

/* ---- what comes out */

/* Timestamps of other counters cannot be compared with the clock of the side-band. */
static void stamp(struct v9_walk *w, const struct v9_flow_rec *rec)
{
	if (w->unit->word[PD_ETE_TS_SOURCE] != TS_VIRTUAL || !rec->value)
		return;
	w->has_stamp = v9_session_time(w->t->s, rec->value, &w->stamp);
}

/* Who and when, for what was executed in @ctx. */
static void place(struct v9_walk *w, const struct v9_ete_context *ctx)
{
	find_task(w, ctx);
	w->at.has_time = w->has_stamp || w->now->has_time;
	w->at.time = w->has_stamp ? w->stamp : w->now->time;
	/* Where programs change, names must be looked up as the code was. */
	if (w->when.open && w->now->has_time)
		w->at.time = w->time;
}

static void give(struct v9_walk *w, v9_trace_fn *take, void *arg)
{
	const size_t stream = (size_t)(w - w->t->walks);
	struct v9_flow_batch b;

	int r;

	while ((r = v9_flow_batch(w->flow, &b)) > 0) {
		if (b.n) {
			place(w, &b.hits->block->ctx);
			if (w->t->hits) {
				w->t->hits(arg, stream, &w->at, &b);
				continue;
			}
			for (size_t i = 0; i < b.n; i++) {
				v9_flow_expand(&b, &b.hits[i], &b.rec);
				take(arg, stream, &w->at, &b.rec);
			}
			continue;
		}
		if (b.rec.kind == V9_FLOW_TIME)
			stamp(w, &b.rec);
		place(w, &b.rec.ctx);
		take(arg, stream, &w->at, &b.rec);
	}
	if (r < 0)
		v9_out_of_memory();
}

static void close_stream(struct v9_walk *w, v9_trace_fn *take, void *arg)
{
	if (!w->open)
		return;
	give(w, take, arg);
	v9_flow_end(w->flow);
	give(w, take, arg);
	w->open = false;
}

/* Sums up what the decoder counted and lets it go. */
static void leave_unit(struct v9_walk *w)
{
	struct v9_ete_account *acc = &w->t->acc;
	struct v9_flow_counts *counts = &w->t->counts;
	const struct v9_ete_account *a;
	const struct v9_flow_counts *c;

	if (!w->unit)
		return;
	a = v9_flow_account(w->flow);
	c = v9_flow_sums(w->flow);
	acc->packets += a->packets;
	acc->packet_bytes += a->packet_bytes;
	acc->padding += a->padding;
	acc->cancelled += a->cancelled;
	acc->uncommitted += a->uncommitted;
	for (unsigned int i = 0; i < V9_ETE_SKIPS; i++) {
		acc->skipped[i] += a->skipped[i];
		acc->skips[i] += a->skips[i];
	}
	for (unsigned int i = 0; i < V9_ETE_KINDS; i++)
		acc->kinds[i] += a->kinds[i];
	counts->ranges += c->ranges;
	counts->insns += c->insns;
	counts->exceptions += c->exceptions;
	counts->unplaced += c->unplaced;
	counts->impossible += c->impossible;
	for (unsigned int i = 0; i < V9_FLOW_WHYS; i++)
		counts->gaps[i] += c->gaps[i];
	v9_flow_delete(w->flow);
	w->flow = NULL;
	w->unit = NULL;
}

static void make_setup(const struct v9_unit *u, struct v9_ete_setup *setup)
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

static void enter_unit(struct v9_walk *w, const struct v9_unit *u)
{
	struct v9_ete_setup setup;

	make_setup(u, &setup);
	setup.code = code;
	setup.arg = w;
	w->flow = v9_flow_new(&setup);
	if (!w->flow)
		v9_out_of_memory();
	w->unit = u;
}

/* ---- stretches of a stream */

/* In overwrite mode the offset is where the data ends. */
static uint64_t begin_of(const struct v9_stretch *st)
{
	if (!(st->flags & PERF_AUX_FLAG_OVERWRITE))
		return st->offset;
	return st->offset > st->size ? st->offset - st->size : 0;
}

static uint64_t size_of(const struct v9_stretch *st)
{
	const uint64_t begin = begin_of(st);

	if (st->flags & PERF_AUX_FLAG_OVERWRITE)
		return st->offset - begin;
	return st->size < UINT64_MAX - begin ? st->size : UINT64_MAX - begin;
}

/* Bytes from @at on that one chunk has, up to @end; chunks ascend. */
static size_t bytes_at(struct v9_queue *q, uint64_t at, uint64_t end, const uint8_t **p)
{
	const struct v9_chunk *c;

	while (q->chunk < q->nr_chunks &&
	       q->chunks[q->chunk].offset + q->chunks[q->chunk].size <= at)
		q->chunk++;
	if (q->chunk == q->nr_chunks || q->chunks[q->chunk].offset > at)
		return 0;
	c = &q->chunks[q->chunk];
	*p = c->p + (at - c->offset);
	return c->offset + c->size < end ? c->offset + c->size - at : end - at;
}

/* A unit that is started anew says so first. */
static bool starts_anew(const uint8_t *p, size_t n)
{
	unsigned int i = 0;

	while (i < n && i < V9_ETE_ASYNC_SIZE - 1 && !p[i])
		i++;
	return i == V9_ETE_ASYNC_SIZE - 1;
}

/* How many bytes of the file lie in [from, to), where no AUX record is. */
static uint64_t held_between(const struct v9_queue *q, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;

	for (size_t i = 0; from < to && i < q->nr_chunks; i++) {
		const struct v9_chunk *c = &q->chunks[i];
		const uint64_t a = c->offset > from ? c->offset : from;
		const uint64_t end = c->offset + c->size;
		const uint64_t b = end < to ? end : to;

		if (a < b)
			sum += b - a;
	}
	return sum;
}

/* From the stretch before to where the next begins: padding, if that is an alignment. */
static void pass_over(struct v9_walk *w, uint64_t to)
{
	const uint64_t n = held_between(w->q, w->claimed, to);

	if (to - w->claimed < (to & -to))
		w->t->s->aux[V9_KIND_ETE].rounding += n;
	else
		w->t->unread[V9_TRACE_UNCLAIMED] += n;
}

/* From here on it is another time: what was looked up may be something else. */
static void set_time(struct v9_walk *w, uint64_t time)
{
	if (v9_when_epoch(w->t->s, time) != v9_when_epoch(w->t->s, w->time))
		v9_flow_forget(w->flow);
	w->time = time;
	w->has_id = false;
}

static void begin_stretch(struct v9_walk *w, const struct v9_stretch *st, const uint8_t *p,
			  size_t n, uint64_t at, const struct v9_unit *u, v9_trace_fn *take,
			  void *arg)
{
	const uint32_t before = w->at.pid;
	const bool restart = !w->open || w->lossy || at != w->end || u != w->unit ||
			     starts_anew(p, n);

	if (restart) {
		close_stream(w, take, arg);
		w->t->restarts++;
	} else {
		give(w, take, arg);
	}
	if (u != w->unit) {
		leave_unit(w);
		enter_unit(w, u);
	}
	w->now = st;
	set_time(w, st->has_time ? st->time : UINT64_MAX);
	if (restart && v9_when_wanted(w->t->s, u)) {
		struct v9_ete_setup setup;

		make_setup(u, &setup);
		v9_when_start(&w->when, w->t->s, &setup);
	}
	w->has_stamp &= !restart;
	find_task(w, v9_flow_context(w->flow));
	/* The same address may now be another program. */
	if (w->at.pid != before)
		v9_flow_forget(w->flow);
	w->open = true;
}

static void walk_bytes(struct v9_walk *w, const uint8_t *p, size_t n, uint64_t at,
		       v9_trace_fn *take, void *arg)
{
	const uint64_t end = at + n;

	if (!w->when.open) {
		v9_flow_feed(w->flow, p, n, at);
		give(w, take, arg);
		return;
	}
	v9_when_feed(&w->when, p, n, at);
	for (size_t i = 0; i < w->when.nr && at < end; i++) {
		const struct v9_when_piece *piece = &w->when.piece[i];
		const size_t part = piece->end < end ? piece->end - at : end - at;

		if (piece->has_time)
			set_time(w, piece->time);
		v9_flow_feed(w->flow, p, part, at);
		give(w, take, arg);
		p += part;
		at += part;
	}
	if (w->when.past)
		v9_when_free(&w->when);
}

static void walk_stretch(struct v9_walk *w, const struct v9_stretch *st, v9_trace_fn *take,
			 void *arg)
{
	struct v9_trace *t = w->t;
	struct v9_queue *q = w->q;
	uint64_t at = begin_of(st), end = at + size_of(st);
	const struct v9_unit *u = v9_unit_of(t->s, q->cpu != V9_NO_TASK ? q->cpu : st->cpu);
	bool first = true;

	/* Each byte counts once, even if records overlap. */
	if (at < w->claimed)
		at = w->claimed;
	if (at >= end)
		return;
	pass_over(w, at);
	w->claimed = end;
	while (at < end) {
		const uint8_t *p;
		size_t n = bytes_at(q, at, end, &p);

		if (!n) {
			uint64_t next = q->chunk < q->nr_chunks ? q->chunks[q->chunk].offset : end;

			next = next < end ? next : end;
			t->missing += next - at;
			at = next;
			continue;
		}
		if ((st->flags & PD_AUX_FLAG_FORMAT) != PD_AUX_FLAG_RAW) {
			t->unread[V9_TRACE_FRAMED] += n;
		} else if (!u) {
			t->unread[V9_TRACE_NO_UNIT] += n;
		} else {
			if (first)
				begin_stretch(w, st, p, n, at, u, take, arg);
			first = false;
			walk_bytes(w, p, n, at, take, arg);
			w->end = at + n;
		}
		at += n;
	}
	w->lossy = st->flags & LOSSY;
}

/* ---- the order of the whole */

struct turn {
	const struct v9_stretch *st;
	struct v9_walk *w;
	size_t seq;
};

/* Streams are in the order of the file; among each other, time decides. */
static int turn_order(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->st->has_time && y->st->has_time && x->st->time != y->st->time)
		return x->st->time < y->st->time ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

static struct v9_walk *walk_of(struct v9_trace *t, const struct v9_stretch *st)
{
	struct v9_walk *of_thread = NULL;

	for (size_t i = 0; i < t->nr_walks; i++) {
		const struct v9_queue *q = t->walks[i].q;

		if (q->cpu != V9_NO_TASK && q->cpu == st->cpu)
			return &t->walks[i];
		if (q->cpu == V9_NO_TASK && q->tid == st->tid)
			of_thread = &t->walks[i];
	}
	return of_thread;
}

static int chunk_order(const void *a, const void *b)
{
	const struct v9_chunk *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Chunks ascend and do not overlap: what a file says twice is told once. */
static void sort_chunks(struct v9_trace *t)
{
	for (size_t i = 0; i < t->nr_walks; i++) {
		struct v9_queue *q = t->walks[i].q;
		uint64_t end = 0;

		qsort(q->chunks, q->nr_chunks, sizeof(*q->chunks), chunk_order);
		for (size_t k = 0; k < q->nr_chunks; k++) {
			struct v9_chunk *c = &q->chunks[k];
			uint64_t over = end > c->offset ? end - c->offset : 0;

			if (c->size > UINT64_MAX - c->offset)
				over = c->size;
			if (over > c->size)
				over = c->size;
			t->unread[V9_TRACE_UNCLAIMED] += over;
			c->p += over;
			c->offset += over;
			c->size -= over;
			end = c->offset + c->size;
		}
	}
}

static bool is_padding(const uint8_t *p, size_t n)
{
	while (n && *p == V9_TRACE_PADDING) {
		p++;
		n--;
	}
	return !n;
}

/*
 * Padding at the end of a stream: what was skipped to align a window that stayed empty, then the
 * zeros by which the recorder makes a piece a multiple of 8. Else 0: those bytes are not known.
 */
static uint64_t padding_after(const struct v9_queue *q, uint64_t from)
{
	const struct v9_chunk *c = q->nr_chunks ? &q->chunks[q->nr_chunks - 1] : NULL;
	uint64_t n = c ? c->offset + c->size - from : 0;
	size_t zeros = 0;

	if (!c || from < c->offset || n > c->size)
		return 0;
	while (zeros < n && zeros < 7 && !c->p[c->size - zeros - 1])
		zeros++;
	return is_padding(c->p + c->size - n, n - zeros) ? n : 0;
}

void v9_trace_run(struct v9_trace *t, v9_trace_fn *take, void *arg)
{
	struct v9_session *s = t->s;
	struct turn *turns = v9_alloc((s->nr_stretches + 1) * sizeof(*turns));
	size_t n = 0;

	sort_chunks(t);
	for (size_t i = 0; i < s->nr_stretches; i++) {
		struct v9_walk *w;

		if (s->stretches[i].kind != V9_KIND_ETE)
			continue;
		w = walk_of(t, &s->stretches[i]);
		if (!w) {
			t->missing += s->stretches[i].size;
			continue;
		}
		turns[n++] = (struct turn){ &s->stretches[i], w, i };
		w->left++;
	}
	if (n)
		qsort(turns, n, sizeof(*turns), turn_order);
	for (size_t i = 0; i < n; i++) {
		walk_stretch(turns[i].w, turns[i].st, take, arg);
		if (!--turns[i].w->left)
			close_stream(turns[i].w, take, arg);
		if (!(i % 256))
			v9_progress("%zu of %zu AUX records", i, n);
	}
	v9_progress_end();
	free(turns);
	for (size_t i = 0; i < t->nr_walks; i++) {
		struct v9_walk *w = &t->walks[i];
		const uint64_t padding = padding_after(w->q, w->claimed);

		s->aux[V9_KIND_ETE].rounding += padding;
		t->unread[V9_TRACE_UNCLAIMED] += held_between(w->q, w->claimed, UINT64_MAX) -
						 padding;
		close_stream(w, take, arg);
		leave_unit(w);
		v9_when_free(&w->when);
	}
}

uint64_t v9_trace_bytes(const struct v9_trace *t)
{
	uint64_t sum = v9_ete_account_bytes(&t->acc) + t->s->aux[V9_KIND_ETE].rounding;

	for (unsigned int i = 0; i < V9_TRACE_UNREADS; i++)
		sum += t->unread[i];
	return sum;
}

void v9_trace_free(struct v9_trace *t)
{
	v9_code_free(&t->code);
	free(t->walks);
	t->walks = NULL;
}
