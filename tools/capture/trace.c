// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include <v9trace/gen/regs.h>
#include <v9trace/uapi.h>

#include "../stop.h"
#include "../util.h"
#include "relay.h"
#include "turns.h"
#include "workers.h"
#include "walk.h"

#define AROUND		(64u << 10)

#define LOSSY (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION)

const char *const v9_trace_unread_why[V9_TRACE_UNREADS] = {
	[V9_TRACE_UNCLAIMED] = "not part of any AUX record",
	[V9_TRACE_STOPPED] = "not read: interrupted",
	[V9_TRACE_FRAMED] = "in CoreSight frames",
	[V9_TRACE_NO_UNIT] = "from a trace unit that is not described as ETE",
};

void v9_unit_config(const struct v9_trace_unit *u, struct v9_ete_config *cfg)
{
	v9_ete_config_init(cfg, (uint32_t)u->word[PD_ETE_TRCIDR0],
			   (uint32_t)u->word[PD_ETE_TRCIDR8],
			   V9_GET(V9_TRCDEVARCH_REVISION, u->word[PD_ETE_TRCDEVARCH]) >=
			   V9_TRCDEVARCH_REVISION_ETEv1p2);
}

const struct v9_trace_unit *v9_unit_of(const struct v9_session *s, uint32_t cpu)
{
	for (size_t i = 0; i < s->nr_units; i++)
		if (s->units[i].cpu == cpu && s->units[i].magic == PD_ETE_MAGIC)
			return &s->units[i];
	return NULL;
}

void v9_trace_init(struct v9_trace *t, struct v9_session *s, struct v9_lookup *lookup)
{
	memset(t, 0, sizeof(*t));
	t->s = s;
	t->lookup = lookup;
	t->streams = v9_alloc((s->nr_queues + 1) * sizeof(*t->streams));
	for (size_t i = 0; i < s->nr_queues; i++)
		if (s->queues[i].kind == V9_KIND_ETE)
			t->streams[t->nr_streams++].q = &s->queues[i];
}

const struct v9_queue *v9_trace_queue(const struct v9_trace *t, size_t stream)
{
	return t->streams[stream].q;
}

/* ---- AUX records */

/* In overwrite mode the offset is the end of the data. */
static uint64_t begin_of(const struct v9_extent *st)
{
	if (!(st->flags & PERF_AUX_FLAG_OVERWRITE))
		return st->offset;
	return st->offset > st->size ? st->offset - st->size : 0;
}

static uint64_t size_of(const struct v9_extent *st)
{
	const uint64_t begin = begin_of(st);

	if (st->flags & PERF_AUX_FLAG_OVERWRITE)
		return st->offset - begin;
	return st->size < UINT64_MAX - begin ? st->size : UINT64_MAX - begin;
}

/* Returns the number of contiguous bytes of a chunk from @at, up to @end. Chunks are sorted. */
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

/* Returns true if the data begins with an Alignment Synchronization: the unit was restarted. */
static bool starts_anew(const uint8_t *p, size_t n)
{
	unsigned int i = 0;

	while (i < n && i < V9_ETE_ASYNC_SIZE - 1 && !p[i])
		i++;
	return i == V9_ETE_ASYNC_SIZE - 1;
}

/* Returns the number of bytes in the file in [from, to), for which there is no AUX record. */
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

/* Accounts bytes between two extents: padding if it ends at an alignment, else unclaimed. */
static void pass_over(struct v9_trace *t, struct v9_stream *m, uint64_t to)
{
	const uint64_t n = held_between(m->q, m->claimed, to);

	if (to - m->claimed < (to & -to))
		t->s->aux[V9_KIND_ETE].rounding += n;
	else
		t->unread[V9_TRACE_UNCLAIMED] += n;
}

/* Adds a segment of @n bytes at @p. */
static void add_segment(struct v9_trace *t, size_t stream, const struct v9_extent *st,
			const struct v9_trace_unit *u, const uint8_t *p, size_t n, uint64_t at,
			bool first)
{
	struct v9_stream *m = &t->streams[stream];
	const bool restart = first && (!m->open || m->lossy || at != m->end || u != m->unit ||
				       starts_anew(p, n));

	t->restarts += restart;
	m->open = true;
	m->unit = u;
	m->end = at + n;
	*v9_vec_add(m->segment, m->nr_segments) = t->nr_segments;
	*v9_vec_add(t->segments, t->nr_segments) = (struct v9_segment){
		.st = st, .unit = u, .p = p, .at = at, .n = n, .stream = stream, .first = first,
		.restart = restart };
	/* Its first bytes were read, and pages around them were mapped. */
	v9_session_pass(t->s, AROUND);
}

static void segment_extent(struct v9_trace *t, size_t stream, const struct v9_extent *st)
{
	struct v9_stream *m = &t->streams[stream];
	struct v9_queue *q = m->q;
	uint64_t at = begin_of(st), end = at + size_of(st);
	const struct v9_trace_unit *u = v9_unit_of(t->s, q->cpu != V9_NO_TASK ? q->cpu : st->cpu);
	bool first = true;

	/* Count each byte once, also if AUX records overlap. */
	if (at < m->claimed)
		at = m->claimed;
	if (at >= end)
		return;
	pass_over(t, m, at);
	m->claimed = end;
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
			add_segment(t, stream, st, u, p, n, at, first);
			first = false;
		}
		at += n;
	}
	m->lossy = st->flags & LOSSY;
}

/* ---- the order of the whole */

struct turn {
	const struct v9_extent *st;
	size_t stream, seq;
};

/* AUX records of a stream keep the order of the file; streams are ordered by time. */
static int turn_order(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->st->has_time && y->st->has_time && x->st->time != y->st->time)
		return x->st->time < y->st->time ? -1 : 1;
	return V9_ORDER(x->seq, y->seq);
}

/* Returns the index of the stream, or the number of streams if there is none. */
static size_t stream_of(const struct v9_trace *t, const struct v9_extent *st)
{
	size_t of_thread = t->nr_streams;

	for (size_t i = 0; i < t->nr_streams; i++) {
		const struct v9_queue *q = t->streams[i].q;

		if (q->cpu != V9_NO_TASK && q->cpu == st->cpu)
			return i;
		if (q->cpu == V9_NO_TASK && q->tid == st->tid)
			of_thread = i;
	}
	return of_thread;
}

static int chunk_order(const void *a, const void *b)
{
	const struct v9_chunk *x = a, *y = b;

	return V9_ORDER(x->offset, y->offset);
}

/* Sorts chunks by offset and removes overlaps. */
static void sort_chunks(struct v9_trace *t)
{
	for (size_t i = 0; i < t->nr_streams; i++) {
		struct v9_queue *q = t->streams[i].q;
		uint64_t end = 0;

		q->chunk = 0;		/* the capture may have been read before */
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
 * Returns the number of bytes of padding at the end of a stream: alignment of a window that stayed
 * empty, then zeros with which the recorder rounds a chunk up to 8. Returns 0 if there are other
 * bytes.
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

/*
 * Returns true if any context at a synchronization has an id. Then id 0 in the kernel is the idle
 * task. Otherwise the kernel does not write ids.
 */
static bool tells_ids(const struct v9_segment *segment)
{
	struct v9_ete_pktdec dec;
	struct v9_ete_config cfg;
	struct v9_ete_pkt pkt;
	size_t at = 0;
	int r;

	if (!(segment->unit->word[PD_ETE_TRCCONFIGR] & (V9_TRCCONFIGR_CID | V9_TRCCONFIGR_VMID)))
		return false;
	v9_unit_config(segment->unit, &cfg);
	while ((at += v9_ete_find_sync(segment->p + at, segment->n - at)) < segment->n) {
		v9_ete_pktdec_init(&dec, &cfg);
		while ((r = v9_ete_pkt_decode(&dec, segment->p + at, segment->n - at, &pkt)) > 0) {
			at += (size_t)r;
			if (pkt.has & V9_ETE_HAS_CTX || pkt.kind == V9_ETE_CONTEXT)
				break;
		}
		if (r <= 0)
			at += at < segment->n;
		else if (pkt.ctx.contextid || pkt.ctx.vmid)
			return true;
	}
	return false;
}

/* Creates the segments in the order of time. */
void v9_trace_plan(struct v9_trace *t)
{
	struct v9_session *s = t->s;
	struct turn *turns = v9_alloc((s->nr_extents + 1) * sizeof(*turns));
	size_t n = 0;

	sort_chunks(t);
	for (size_t i = 0; i < s->nr_extents; i++) {
		size_t stream;

		if (s->extents[i].kind != V9_KIND_ETE)
			continue;
		stream = stream_of(t, &s->extents[i]);
		if (stream == t->nr_streams)
			t->missing += s->extents[i].size;
		else
			turns[n++] = (struct turn){ &s->extents[i], stream, i };
	}
	if (n)
		qsort(turns, n, sizeof(*turns), turn_order);
	for (size_t i = 0; i < n; i++)
		segment_extent(t, turns[i].stream, turns[i].st);
	free(turns);
	for (size_t i = 0; i < t->nr_streams; i++) {
		struct v9_stream *m = &t->streams[i];
		const uint64_t padding = padding_after(m->q, m->claimed);

		s->aux[V9_KIND_ETE].rounding += padding;
		t->unread[V9_TRACE_UNCLAIMED] += held_between(m->q, m->claimed, UINT64_MAX) -
						 padding;
	}
	for (size_t i = 0; i < t->nr_segments && !t->ids; i++)
		t->ids = tells_ids(&t->segments[i]);
}

static void run_alone(struct v9_trace *t, const struct v9_listener *listener)
{
	struct v9_walk *walks = v9_alloc((t->nr_streams + 1) * sizeof(*walks));
	size_t *left = v9_alloc((t->nr_streams + 1) * sizeof(*left));

	for (size_t i = 0; i < t->nr_streams; i++) {
		v9_walk_init(&walks[i], t, &t->sums);
		walks[i].listener = listener;
		left[i] = t->streams[i].nr_segments;
	}
	for (size_t i = 0; i < t->nr_segments && !v9_stopped(); i++) {
		const struct v9_segment *segment = &t->segments[i];
		struct v9_walk *w = &walks[segment->stream];

		v9_walk_segment(w, segment);
		v9_walk_to(w, segment->at + segment->n);
		if (!--left[segment->stream])
			v9_walk_close(w);
		if (!(i % 256))
			v9_progress_left(i, t->nr_segments, "%zu of %zu AUX records", i, t->nr_segments);
	}
	v9_progress_end();
	for (size_t i = 0; i < t->nr_streams; i++) {
		if (left[i])
			v9_walk_close(&walks[i]);
		v9_walk_free(&walks[i]);
	}
	free(left);
	free(walks);
}

/* ---- by time */

/* A stream, and what of it was not decoded yet */
struct line {
	struct v9_walk walk;
	struct v9_turns turns;
	size_t next, turn;	/* segment to load; index into turns.turn */
	const struct v9_segment *segment;	/* loaded; NULL: at the end */
	bool entered;
};

static void load(struct v9_trace *t, struct line *l, const struct v9_stream *m)
{
	struct v9_ete_setup setup;

	l->segment = NULL;
	l->turn = 0;
	while (l->next < m->nr_segments) {
		l->segment = &t->segments[m->segment[l->next++]];
		l->entered = false;
		if (l->segment->restart) {
			v9_walk_setup(l->segment->unit, &setup);
			v9_turns_start(&l->turns, t->s, &setup);
		}
		v9_turns_feed(&l->turns, l->segment->p, l->segment->n, l->segment->at,
			      l->segment->st->time);
		if (l->turns.nr)
			return;
		l->segment = NULL;
	}
}

bool v9_trace_has_order(const struct v9_trace *t)
{
	size_t used = 0;

	for (size_t i = 0; i < t->nr_streams; i++)
		used += t->streams[i].nr_segments > 0;
	if (used < 2 || !t->s->has_conv)
		return false;
	for (size_t i = 0; i < t->nr_segments; i++) {
		const uint64_t *word = t->segments[i].unit->word;

		if (word[PD_ETE_TS_SOURCE] != V9_TRFCR_EL1_TS_VIRTUAL ||
		    !(word[PD_ETE_TRCCONFIGR] & V9_TRCCONFIGR_TS))
			return false;
	}
	return true;
}

static void run_by_time(struct v9_trace *t, const struct v9_listener *listener)
{
	struct line *lines = v9_alloc(t->nr_streams * sizeof(*lines)), *first;
	size_t done = 0;

	for (size_t i = 0; i < t->nr_streams; i++) {
		v9_walk_init(&lines[i].walk, t, &t->sums);
		lines[i].walk.listener = listener;
		load(t, &lines[i], &t->streams[i]);
	}
	for (;;) {
		first = NULL;
		for (size_t i = 0; i < t->nr_streams; i++) {
			struct line *l = &lines[i];

			if (l->segment && (!first || l->turns.turn[l->turn].time <
						     first->turns.turn[first->turn].time))
				first = l;
		}
		if (!first || v9_stopped())
			break;
		if (!first->entered)
			v9_walk_segment(&first->walk, first->segment);
		first->entered = true;
		v9_walk_to(&first->walk, first->turns.turn[first->turn].end);
		if (++first->turn < first->turns.nr)
			continue;
		load(t, first, &t->streams[first - lines]);
		if (!first->segment)
			v9_walk_close(&first->walk);
		if (!(done++ % 256))
			v9_progress_left(done, t->nr_segments, "%zu of %zu AUX records", done, t->nr_segments);
	}
	v9_progress_end();
	for (size_t i = 0; i < t->nr_streams; i++) {
		if (lines[i].segment)
			v9_walk_close(&lines[i].walk);
		v9_walk_free(&lines[i].walk);
		v9_turns_free(&lines[i].turns);
	}
	free(lines);
}

void v9_trace_run(struct v9_trace *t, const struct v9_listener *listener,
		  const struct v9_workers *workers)
{
	v9_stop_begin();
	v9_progress_begin();
	if (t->apart && listener->hits && !workers)
		t->relay = v9_relay_new(listener);
	if (t->relay)
		listener = v9_relay_listener(t->relay);
	if (listener->by_time && v9_trace_has_order(t))
		run_by_time(t, listener);
	else if (!workers || !v9_workers_run(t, workers))
		run_alone(t, listener);
	if (t->relay)
		v9_relay_free(t->relay);
	t->relay = NULL;
	v9_stop_end();
	if (v9_stopped()) {
		t->unread[V9_TRACE_STOPPED] = t->s->aux[V9_KIND_ETE].bytes - v9_trace_bytes(t);
		t->s->stopped |= t->unread[V9_TRACE_STOPPED] > 0;
	}
	v9_trace_count_missed(t);
}

void v9_trace_count_missed(struct v9_trace *t)
{
	for (size_t i = 0; i < t->sums.nr_missed; i++) {
		const struct v9_missed *m = &t->sums.missed[i];

		if (m->object)
			m->object->code.missed += m->n;
		else
			t->lookup->code.unmapped += m->n;
	}
}

uint64_t v9_trace_bytes(const struct v9_trace *t)
{
	uint64_t sum = v9_ete_account_bytes(&t->sums.acc) + t->s->aux[V9_KIND_ETE].rounding;

	for (unsigned int i = 0; i < V9_TRACE_UNREADS; i++)
		sum += t->unread[i];
	return sum;
}

void v9_trace_free(struct v9_trace *t)
{
	for (size_t i = 0; i < t->nr_streams; i++)
		free(t->streams[i].segment);
	free(t->streams);
	free(t->segments);
	v9_sums_free(&t->sums);
	memset(t, 0, sizeof(*t));
}
