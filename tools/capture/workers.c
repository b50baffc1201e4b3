// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "workers.h"

#include <stdlib.h>
#include <string.h>

#include "../stop.h"
#include "../util.h"
#include "part.h"
#include "turns.h"
#include "walk.h"

#define GRAIN_LEAST	(UINT64_C(16) << 10)
#define GRAIN_MOST	(UINT64_C(256) << 10)
#define AROUND		(64u << 10)	/* bytes that the kernel maps around those that are read */
#define PIECES_MOST	4096
#define SHARES		16	/* pieces per thread: more of them balance the load */

/* Within this many bytes of its synchronization the state of a piece must be complete */
#define PRELUDE_MOST	4096

#define TAIL		1024	/* bytes of a step behind the end of a part */

enum state {
	IDLE,		/* not started */
	BEGUN,		/* started; the state is not complete */
	READY,		/* the state is complete; results are valid from .joint */
	NO_SYNC,	/* the state did not become complete: the piece before decodes it */
	TAKEN,		/* the piece before reached it first and continues through it */
};

struct piece {
	size_t stream, segment;		/* segment: index in that stream */
	size_t rank;			/* index in v9_trace.segments */
	uint64_t at;			/* offset in the stream */
	bool fresh;			/* the decoder is reset at the segment */
	enum state state;
	bool valid, refuted, done;
	uint64_t sync_point;
	struct v9_walk_mark *mark;	/* state at .joint */
	struct piece *successor;		/* the piece whose results continue from its end */
	void *result;
	struct v9_trace_sums sums;
};

struct workers {
	struct v9_trace *t;
	const struct v9_workers *c;
	struct piece *piece;		/* sorted by stream and offset */
	struct piece **order;		/* in the order in which they are started */
	size_t nr, next, ended;
	unsigned int busy;		/* number of pieces in progress */
	pthread_mutex_t lock;
	pthread_cond_t news;
};

/* ---- pieces */

static void add_piece(struct workers *c, size_t stream, size_t segment, uint64_t at, bool fresh)
{
	*v9_vec_add(c->piece, c->nr) = (struct piece){
		.stream = stream, .segment = segment, .at = at, .fresh = fresh, .valid = fresh,
		.rank = c->t->streams[stream].segment[segment] };
}

/* Returns the first offset from @from at which a segment can be cut, or UINT64_MAX. */
static uint64_t cut_at(const struct v9_segment *segment, uint64_t from)
{
	size_t at;

	if (from - segment->at >= segment->n)
		return UINT64_MAX;
	at = (size_t)(from - segment->at);
	at += v9_ete_find_sync(segment->p + at, segment->n - at);
	return at < segment->n ? segment->at + at : UINT64_MAX;
}

static void cut_stream(struct workers *c, size_t stream, uint64_t grain)
{
	const struct v9_stream *m = &c->t->streams[stream];
	uint64_t since = grain, at;

	for (size_t k = 0; k < m->nr_segments; k++) {
		const struct v9_segment *segment = &c->t->segments[m->segment[k]];
		uint64_t from = segment->at;

		if (segment->restart && since >= grain) {
			add_piece(c, stream, k, from, true);
			since = 0;
		}
		for (;;) {
			at = cut_at(segment, from + (since < grain ? grain - since : 1));
			if (at == UINT64_MAX)
				break;
			add_piece(c, stream, k, at, false);
			v9_session_pass(c->t->s, AROUND);
			since = 0;
			from = at;
		}
		since += segment->at + segment->n - from;
	}
}

/* By time */
static int begin_order(const void *a, const void *b)
{
	const struct piece *x = *(struct piece *const *)a, *y = *(struct piece *const *)b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return V9_ORDER(x->at, y->at);
}

/* Returns the next piece of the stream. */
static struct piece *after(const struct workers *c, struct piece *p)
{
	return p + 1 < c->piece + c->nr && p[1].stream == p->stream ? p + 1 : NULL;
}

/* ---- results; the lock is held */

static void discard(const struct workers *c, struct piece *p)
{
	if (p->result)
		c->c->discard(p->result);
	p->result = NULL;
	v9_sums_free(&p->sums);
}

static void count(const struct workers *c, struct piece *p)
{
	c->c->merge(c->c->arg, p->result);
	p->result = NULL;
	v9_sums_add(&c->t->sums, &p->sums);
	v9_sums_free(&p->sums);
}

/* Merges a finished piece if all before it is merged, and then its successor. */
static void merge_finished(const struct workers *c, struct piece *p)
{
	for (; p && p->valid && p->done; p = p->successor) {
		count(c, p);
		if (p->successor)
			p->successor->valid = true;
	}
}

static void refute(const struct workers *c, struct piece *p)
{
	p->refuted = true;
	if (p->done)
		discard(c, p);
}

/* ---- a thread */

struct worker {
	struct workers *c;
	struct v9_walk walk;
	struct v9_listener *listener;
	struct v9_trace_sums waste;	/* counters of discarded results */
};

static void leave(struct worker *h, struct piece *p, enum state state)
{
	struct workers *c = h->c;

	pthread_mutex_lock(&c->lock);
	p->state = state;
	pthread_cond_broadcast(&c->news);
	pthread_mutex_unlock(&c->lock);
}

static void begin_segment(struct worker *h, const struct piece *p, size_t segment)
{
	const struct v9_stream *m = &h->c->t->streams[p->stream];

	if (h->c->c->begin_segment)
		h->c->c->begin_segment(h->listener, m->segment[segment], p->at);
}

static void end_segment(struct worker *h)
{
	if (h->c->c->end_segment)
		h->c->c->end_segment(h->listener);
}

/* Decodes from the synchronization until the state is complete. Returns false if it is not. */
static bool find_sync_point(struct worker *h, struct piece *p)
{
	const struct v9_segment *segment = &h->c->t->segments[p->rank];
	const struct piece *next = after(h->c, p);
	uint64_t last = segment->at + segment->n;
	struct v9_walk *w = &h->walk;

	if (last - p->at > PRELUDE_MOST)
		last = p->at + PRELUDE_MOST;
	if (next && next->segment == p->segment && next->at < last)
		last = next->at;
	p->mark = v9_alloc(sizeof(*p->mark));
	v9_walk_jump(w, segment, p->at);
	while (w->pos < last && !v9_stopped()) {
		v9_walk_to(w, w->pos + 1);
		if (v9_walk_mark(w, p->mark)) {
			p->sync_point = w->pos;
			return true;
		}
	}
	return false;
}

enum way { ON, OVER };

/* At the start of the next piece: continue through it, or let its results follow. */
static enum way at_next(struct worker *h, struct piece *p, struct piece *next)
{
	struct workers *c = h->c;
	struct v9_walk_mark mark;
	enum way way = ON;

	if (v9_stopped())
		return OVER;
	pthread_mutex_lock(&c->lock);
	while (next->state == BEGUN)
		pthread_cond_wait(&c->news, &c->lock);
	if (next->state == IDLE && !p->refuted) {
		next->state = TAKEN;
		c->ended++;
	}
	if (next->state == READY && !next->refuted) {
		pthread_mutex_unlock(&c->lock);
		v9_walk_to(&h->walk, next->sync_point);
		if (!v9_stopped() && v9_walk_mark(&h->walk, &mark) && v9_walk_same_state(&mark, next->mark))
			way = OVER;
		pthread_mutex_lock(&c->lock);
		if (way == OVER)
			p->successor = next;
		else if (!p->refuted)
			refute(c, next);
	}
	/* A piece that was refuted cannot confirm others. */
	if (p->refuted)
		way = OVER;
	pthread_mutex_unlock(&c->lock);
	return way;
}

/* Decodes segments from the current position, to the end of the stream or to a successor. */
static void go(struct worker *h, struct piece *p)
{
	const struct v9_trace *t = h->c->t;
	const struct v9_stream *m = &t->streams[p->stream];
	struct piece *next = after(h->c, p);
	struct v9_walk *w = &h->walk;

	for (size_t k = p->segment; k < m->nr_segments; k++) {
		const struct v9_segment *segment = &t->segments[m->segment[k]];

		if (k != p->segment) {
			/* Pending records are output when the next segment starts. */
			begin_segment(h, p, k);
			if (next && next->segment == k && next->fresh) {
				v9_walk_close(w);
				return;
			}
			v9_walk_segment(w, segment);
		}
		for (; next && next->segment == k; next = after(h->c, next)) {
			v9_walk_to(w, next->at);
			if (at_next(h, p, next) == OVER)
				     return;
		}
		v9_walk_to(w, segment->at + segment->n);
		if (v9_stopped())
			return;
		if (k + 1 == m->nr_segments)
			v9_walk_close(w);
		end_segment(h);
	}
}

/* Drops what is left in the decoder. */
static void discard_rest(struct worker *h)
{
	h->walk.listener = NULL;
	h->walk.sums = &h->waste;
	v9_walk_close(&h->walk);
}

static void do_piece(struct worker *h, struct piece *p)
{
	struct workers *c = h->c;
	struct v9_walk *w = &h->walk;

	if (p->fresh) {
		w->listener = h->listener;
		begin_segment(h, p, p->segment);
		v9_walk_segment(w, &c->t->segments[p->rank]);
	} else if (!find_sync_point(h, p)) {
		discard_rest(h);
		pthread_mutex_lock(&c->lock);
		c->busy--;
		c->ended++;
		pthread_mutex_unlock(&c->lock);
		leave(h, p, NO_SYNC);
		return;
	}
	w->listener = h->listener;
	if (!p->fresh)
		begin_segment(h, p, p->segment);
	v9_walk_begin_sums(w);
	w->sums = &p->sums;
	leave(h, p, READY);
	go(h, p);
	v9_walk_end_sums(w);
	discard_rest(h);
	pthread_mutex_lock(&c->lock);
	p->result = c->c->result(h->listener);
	p->done = true;
	if (p->refuted)
		discard(c, p);
	else
		merge_finished(c, p);
	c->ended++;
	v9_progress_left(c->ended, c->nr, "%zu of %zu pieces", c->ended, c->nr);
	c->busy--;
	pthread_cond_broadcast(&c->news);
	pthread_mutex_unlock(&c->lock);
}

static struct piece *next_piece(struct workers *c)
{
	struct piece *p = NULL;

	if (v9_stopped())
		return NULL;
	pthread_mutex_lock(&c->lock);
	/* Wait until a piece in progress ends; if there is none, continue. */
	while (c->c->full && c->busy && c->c->full(c->c->arg))
		pthread_cond_wait(&c->news, &c->lock);
	while (c->next < c->nr && c->order[c->next]->state != IDLE)
		c->next++;
	if (c->next < c->nr) {
		p = c->order[c->next++];
		p->state = BEGUN;
		c->busy++;
	}
	pthread_mutex_unlock(&c->lock);
	return p;
}

static void *work(void *arg)
{
	struct workers *c = arg;
	struct worker h = { .c = c, .listener = c->c->create(c->c->arg) };
	struct piece *p;

	v9_walk_init(&h.walk, c->t, &h.waste);
	while ((p = next_piece(c)))
		do_piece(&h, p);
	v9_walk_free(&h.walk);
	v9_sums_free(&h.waste);
	c->c->destroy(h.listener);
	return NULL;
}

/* ---- all threads */

static uint64_t grain_of(const struct workers *c)
{
	uint64_t bytes = 0, grain;

	if (c->c->grain)
		return c->c->grain;
	for (size_t i = 0; i < c->t->nr_segments; i++)
		bytes += c->t->segments[i].n;
	grain = bytes / c->c->threads / SHARES;
	if (grain < GRAIN_LEAST)
		return GRAIN_LEAST;
	if (grain < GRAIN_MOST)
		return grain;
	/* Memory for pieces must not grow with the trace. */
	return bytes / PIECES_MOST < GRAIN_MOST ? GRAIN_MOST : bytes / PIECES_MOST;
}

static void run(struct workers *c)
{
	pthread_t *threads = v9_alloc(c->c->threads * sizeof(*threads));
	unsigned int n = 0;

	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->news, NULL);
	/* Fewer threads than requested are no error. */
	while (n + 1 < c->c->threads && n + 1 < c->nr && !pthread_create(&threads[n], NULL, work, c))
		n++;
	work(c);
	while (n)
		pthread_join(threads[--n], NULL);
	v9_progress_end();
	/* After an interrupt: results that no piece before them has confirmed */
	for (size_t i = 0; i < c->nr; i++)
		discard(c, &c->piece[i]);
	pthread_cond_destroy(&c->news);
	pthread_mutex_destroy(&c->lock);
	free(threads);
}

bool v9_workers_run(struct v9_trace *t, const struct v9_workers *workers)
{
	struct workers c = { .t = t, .c = workers };
	const uint64_t grain = workers->threads > 1 ? grain_of(&c) : 0;
	bool several;

	if (workers->threads < 2)
		   return false;
	for (size_t i = 0; i < t->nr_streams; i++)
		cut_stream(&c, i, grain);
	several = c.nr > 1;
	if (several) {
		c.order = v9_alloc(c.nr * sizeof(*c.order));
		for (size_t i = 0; i < c.nr; i++)
			c.order[i] = &c.piece[i];
		qsort(c.order, c.nr, sizeof(*c.order), begin_order);
		run(&c);
	}
	for (size_t i = 0; i < c.nr; i++)
		free(c.piece[i].mark);
	free(c.order);
	free(c.piece);
	return several;
}

/* ---- a part of a capture */

/* The turns of a stream, from its begin, for the order of what is decoded */
struct places {
	struct v9_turns turns;		/* of segment .next - 1 */
	size_t stream, next, turn;
	uint64_t time;			/* no turn comes before those that its stream has before it */
};

/* The parts of one division, in the order of their pieces */
struct division {
	struct workers c;
	struct worker h;		/* one thread, without a consumer of its own */
	unsigned int *owner;		/* of each piece */
	const struct v9_part_listener *l;
	struct places places;
	bool ordered;
};

/* Returns the number of bytes before each segment, and of all in *@bytes. */
static uint64_t *positions(const struct v9_trace *t, uint64_t *bytes)
{
	uint64_t *before = v9_alloc((t->nr_segments + 1) * sizeof(*before));

	*bytes = 0;
	for (size_t i = 0; i < t->nr_streams; i++)
		for (size_t k = 0; k < t->streams[i].nr_segments; k++) {
			before[t->streams[i].segment[k]] = *bytes;
			*bytes += t->segments[t->streams[i].segment[k]].n;
		}
	return before;
}

static bool prepare(struct division *d, struct piece *p)
{
	free(p->mark);
	return find_sync_point(&d->h, p);
}

/*
 * Gives each piece to a part. A border needs a piece that shows a complete state: one that does not
 * belongs to the part before. Each machine comes to the same result.
 */
static void divide(struct division *d, const uint64_t *before, uint64_t bytes)
{
	d->owner = v9_alloc((d->c.nr + 1) * sizeof(*d->owner));
	for (size_t i = 0; i < d->c.nr; i++) {
		struct piece *p = &d->c.piece[i];
		const bool follows = i && p[-1].stream == p->stream;

		d->owner[i] = v9_part_of(before[p->rank] + (p->at - d->c.t->segments[p->rank].at), bytes,
					 d->c.t->s->parts);
		if (!follows || p->fresh || d->owner[i] == d->owner[i - 1])
			continue;
		if (!prepare(d, p))
			d->owner[i] = d->owner[i - 1];
		discard_rest(&d->h);
	}
}

/* ---- the order of what is decoded */

static void see_turns(struct places *o, size_t n)
{
	for (; o->turn < n; o->turn++)
		if (o->turns.turn[o->turn].time > o->time)
			o->time = o->turns.turn[o->turn].time;
}

/* Reads the turns of a stream up to @segment of it. */
static void read_turns(const struct v9_trace *t, struct places *o, size_t stream, size_t segment)
{
	const struct v9_stream *m = &t->streams[stream];
	struct v9_ete_setup setup;

	if (o->stream != stream || !o->next) {
		o->stream = stream;
		o->next = o->turn = 0;
		o->time = 0;
	}
	while (o->next <= segment) {
		const struct v9_segment *g = &t->segments[m->segment[o->next]];

		if (o->next++)
			see_turns(o, o->turns.nr);
		if (g->restart) {
			v9_walk_setup(g->unit, &setup);
			v9_turns_start(&o->turns, t->s, &setup);
		}
		v9_turns_feed(&o->turns, g->p, g->n, g->at, g->st->time);
		o->turn = 0;
	}
}

/*
 * Tells the listener the place of what follows at offset @at of a segment of a stream. Returns the offset
 * up to which it has that place.
 */
static uint64_t enter_place(struct division *d, size_t stream, size_t segment, uint64_t at)
{
	const struct v9_stream *m = &d->c.t->streams[stream];
	struct places *o = &d->places;
	uint64_t end = UINT64_MAX;
	size_t n;

	if (!d->l->place)
		return UINT64_MAX;
	if (!d->ordered) {
		d->l->place(d->l->arg, m->segment[segment], stream, at);
		return UINT64_MAX;
	}
	read_turns(d->c.t, o, stream, segment);
	n = o->turn;
	while (n < o->turns.nr && o->turns.turn[n].end <= at)
		n++;
	if (n < o->turns.nr)
		end = o->turns.turn[n++].end;
	see_turns(o, n);
	o->turn = n ? n - 1 : 0;
	d->l->place(d->l->arg, o->time, stream, at);
	return end;
}

/* Decodes a segment of the stream up to @to. */
static void walk_to(struct division *d, const struct piece *p, size_t segment, uint64_t to)
{
	struct v9_walk *w = &d->h.walk;

	while (w->pos < to) {
		const uint64_t end = enter_place(d, p->stream, segment, w->pos);

		v9_walk_to(w, end < to ? end : to);
	}
}

/*
 * Decodes from the current position to the begin of @next, or to the end of the stream. Returns false
 * if the state there is not that with which the other part begins.
 */
static bool go_to(struct division *d, const struct piece *p, const struct piece *next)
{
	const struct v9_trace *t = d->c.t;
	const struct v9_stream *m = &t->streams[p->stream];
	struct v9_walk *w = &d->h.walk;
	struct v9_walk_mark mark;

	for (size_t k = p->segment; k < m->nr_segments; k++) {
		const struct v9_segment *segment = &t->segments[m->segment[k]];

		if (k != p->segment) {
			/* What the decoder still holds has the place of what follows. */
			enter_place(d, p->stream, k, segment->at);
			if (next && next->segment == k && next->fresh)
				break;
			v9_walk_segment(w, segment);
		}
		if (next && next->segment == k && !next->fresh) {
			walk_to(d, p, k, next->sync_point);
			return v9_walk_mark(w, &mark) && v9_walk_same_state(&mark, next->mark);
		}
		walk_to(d, p, k, segment->at + segment->n);
	}
	v9_walk_close(w);
	return true;
}

/* What completes the part lies behind its end. It is not counted here. */
static void complete(struct division *d, const struct piece *next)
{
	const struct v9_trace *t = d->c.t;
	const struct v9_stream *m = &t->streams[next->stream];
	struct v9_walk *w = &d->h.walk;

	v9_walk_end_sums(w);
	w->sums = &d->h.waste;
	d->l->own(d->l->arg, false);
	d->l->leave(d->l->arg, next->stream);
	for (size_t k = next->segment; k < m->nr_segments; k++) {
		const struct v9_segment *segment = &t->segments[m->segment[k]];
		const uint64_t end = segment->at + segment->n;

		if (k != next->segment || next->fresh)
			v9_walk_segment(w, segment);
		while (w->pos < end) {
			if (d->l->left(d->l->arg, next->stream))
				return;
			v9_walk_to(w, end - w->pos < TAIL ? end : w->pos + TAIL);
		}
	}
	v9_walk_close(w);
}

/* Decodes the pieces from @i to before @end, which are of one stream. */
static bool do_range(struct division *d, size_t i, size_t end)
{
	struct piece *p = &d->c.piece[i], *next = after(&d->c, &d->c.piece[end - 1]);
	const bool follows = i && p[-1].stream == p->stream;
	struct v9_walk *w = &d->h.walk;
	bool joined;

	/* What the decoder has left of another stream is not of this part. */
	w->sums = &d->h.waste;
	w->listener = NULL;
	if (p->fresh)
		v9_walk_segment(w, &d->c.t->segments[p->rank]);
	else
		prepare(d, p);
	enter_place(d, p->stream, p->segment, w->pos);
	w->listener = d->l->listener;
	w->sums = &d->c.t->sums;
	v9_walk_begin_sums(w);
	d->l->own(d->l->arg, true);
	if (follows)
		d->l->enter(d->l->arg, p->stream);
	joined = go_to(d, p, next);
	if (next && joined)
		complete(d, next);
	v9_walk_end_sums(w);
	discard_rest(&d->h);
	return joined;
}

const char *v9_trace_run_part(struct v9_trace *t, const struct v9_part_listener *listener)
{
	struct division d = { .c = { .t = t }, .l = listener, .ordered = v9_trace_has_order(t) };
	uint64_t bytes, *before = positions(t, &bytes);
	bool joined = true;

	for (size_t i = 0; i < t->nr_streams; i++)
		cut_stream(&d.c, i, bytes / t->s->parts / SHARES + 1);
	d.h.c = &d.c;
	v9_walk_init(&d.h.walk, t, &d.h.waste);
	divide(&d, before, bytes);
	free(before);
	for (size_t i = 0, end; i < d.c.nr && joined; i = end) {
		for (end = i + 1; end < d.c.nr && d.c.piece[end].stream == d.c.piece[i].stream &&
				  d.owner[end] == d.owner[i]; end++)
			;
		if (d.owner[i] == t->s->part)
			joined = do_range(&d, i, end);
	}
	v9_walk_free(&d.h.walk);
	v9_turns_free(&d.places.turns);
	v9_sums_free(&d.h.waste);
	for (size_t i = 0; i < d.c.nr; i++)
		free(d.c.piece[i].mark);
	free(d.owner);
	free(d.c.piece);
	v9_trace_count_missed(t);
	return joined ? NULL : "has a trace whose state at the border of two parts is not certain";
}
