// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads all SPE records of a capture and passes them to a v9_taker, or parts of them to several. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "../stop.h"
#include "../util.h"
#include "report.h"

#define STOP_EVERY	(1u << 16)	/* records, from one look at v9_stopped() to the next */
#define PROGRESS_EVERY	(1u << 18)	/* records, from one line of progress to the next */
#define LEAST_PART	(UINT64_C(1) << 20)	/* bytes that another thread is worth */

static void check_account(struct v9_report *r)
{
	const struct v9_aux_sum *aux = &r->s.aux[V9_KIND_SPE];
	const uint64_t bytes = v9_spe_account_bytes(&r->acc) + aux->rounding;

	if (v9_stopped())
		r->unread = aux->bytes - bytes;
	else if (bytes != aux->bytes)
		v9_warn("%" PRIu64 " AUX bytes of %" PRIu64 " are not accounted for: please report it",
			aux->bytes - bytes, aux->bytes);
}

struct batch {
	struct v9_spe_rec rec[V9_BATCH];
	struct v9_sampled at[V9_BATCH];
	size_t n;
};

static void hand_over(const struct v9_taker *listener, struct batch *b)
{
	listener->take(listener->arg, b->at, b->n);
	b->n = 0;
}

/* Buffers from @from to @to, read by one thread */
struct part {
	struct v9_report *r;
	struct v9_session *s, own;	/* own: the capture's, with other caches, if there are several parts */
	const struct v9_taker *listener;
	struct v9_spe_account acc;
	size_t from, to;
	uint64_t n;			/* records read by this thread */
	uint64_t all, *done;		/* bytes to read and, from time to time, read by all threads */
	bool first, shows;		/* shows: progress, by this thread */
	bool stopped;			/* not all was read */
	pthread_t thread;
};

/* Adds what was read of a buffer since the last time to what was read of all, and returns that. */
static uint64_t advance(const struct part *p, const struct v9_queue *q, uint64_t *before)
{
	const uint64_t bytes = v9_spe_account_bytes(v9_spe_dec_account(q->dec)), more = bytes - *before;

	*before = bytes;
	return __atomic_add_fetch(p->done, more, __ATOMIC_RELAXED);
}

static bool goes_on(const struct part *p, const struct v9_queue *q, uint64_t *before)
{
	char room[2][16];
	uint64_t done;

	if (p->n % STOP_EVERY)
		return true;
	done = advance(p, q, before);
	if (p->shows && p->n && !(p->n % PROGRESS_EVERY))
		v9_progress_left(done, p->all, "%s of %s", v9_bytes(room[0], done), v9_bytes(room[1], p->all));
	return !v9_stopped();
}

static void read_queue(struct part *p, struct v9_queue *q, struct batch *b)
{
	const struct v9_taker *listener = p->listener;
	uint64_t before = 0;
	bool on;

	if (!p->first)
		v9_session_rewind(q);
	while ((on = goes_on(p, q, &before)) && v9_session_next(p->s, q, &b->rec[b->n])) {
		p->n++;
		if (listener->accepts && !listener->accepts(listener->arg, &b->rec[b->n]))
			continue;
		v9_session_place(p->s, q, &b->rec[b->n], &b->at[b->n]);
		if (v9_filter_record(&p->r->o.filter, p->s, NULL, &b->at[b->n]) && ++b->n == V9_BATCH)
			hand_over(listener, b);
	}
	p->stopped |= !on;
	advance(p, q, &before);
	if (p->first)
		v9_account_add(&p->acc, v9_spe_dec_account(q->dec), 1);
}

static void *read_part(void *arg)
{
	struct part *p = arg;
	struct batch b = { .n = 0 };

	for (size_t i = p->from; i < p->to; i++)
		if (p->r->s.queues[i].kind == V9_KIND_SPE)
			read_queue(p, &p->r->s.queues[i], &b);
	hand_over(p->listener, &b);
	return NULL;
}

static uint64_t bytes_of(const struct v9_queue *q)
{
	uint64_t n = 0;

	for (size_t i = 0; q->kind == V9_KIND_SPE && i < q->nr_chunks; i++)
		n += q->chunks[i].size;
	return n;
}

/* Returns the buffer after the last one of the part that begins at @from and has about @want bytes. */
static size_t end_of_part(const struct v9_session *s, size_t from, uint64_t want)
{
	uint64_t n = 0;

	while (from < s->nr_queues) {
		const uint64_t more = bytes_of(&s->queues[from]);

		if (n && n + more / 2 > want)
			break;
		n += more;
		from++;
	}
	return from;
}

/* A filter notes what it sees, and looks for symbols: its records are for one thread. */
unsigned int v9_report_parts(const struct v9_report *r)
{
	uint64_t bytes = 0, parts;
	size_t queues = 0;

	for (size_t i = 0; i < r->s.nr_queues; i++) {
		bytes += bytes_of(&r->s.queues[i]);
		queues += r->s.queues[i].kind == V9_KIND_SPE;
	}
	parts = bytes / (r->o.grain ? r->o.grain : LEAST_PART);
	if (parts > queues)
		parts = queues;
	if (parts > r->o.threads)
		parts = r->o.threads;
	return parts < 2 || r->o.filter.used ? 1 : (unsigned int)parts;
}

void v9_report_parted(struct v9_report *r, const struct v9_taker *listener, unsigned int parts, bool first)
{
	struct part *part = v9_alloc(parts * sizeof(*part));
	uint64_t all = 0, done = 0, left;
	size_t next = 0;

	for (size_t i = 0; i < r->s.nr_queues; i++)
		all += bytes_of(&r->s.queues[i]);
	left = all;
	v9_stop_begin();
	v9_progress_begin();
	for (unsigned int i = 0; i < parts; i++) {
		struct part *p = &part[i];

		*p = (struct part){ .r = r, .s = &r->s, .listener = &listener[i], .from = next,
				    .all = all, .done = &done, .first = first, .shows = !i };
		/* A single part can have a filter, which may add objects to the capture. */
		if (parts > 1) {
			p->own = r->s;
			p->s = &p->own;
		}
		p->to = i + 1 == parts ? r->s.nr_queues : end_of_part(&r->s, next, left / (parts - i));
		for (next = p->from; next < p->to; next++)
			left -= bytes_of(&r->s.queues[next]);
	}
	for (unsigned int i = 1; i < parts; i++)
		if (pthread_create(&part[i].thread, NULL, read_part, &part[i]))
			v9_out_of_memory();
	read_part(&part[0]);
	for (unsigned int i = 1; i < parts; i++)
		pthread_join(part[i].thread, NULL);
	v9_progress_end();
	v9_stop_end();
	for (unsigned int i = 0; i < parts; i++)
		r->s.stopped |= part[i].stopped;
	for (unsigned int i = 0; first && i < parts; i++)
		v9_account_add(&r->acc, &part[i].acc, 1);
	free(part);
	if (first)
		check_account(r);
}

void v9_report_records(struct v9_report *r, const struct v9_taker *listener, bool first)
{
	v9_report_parted(r, listener, 1, first);
}
