// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "worker.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../util.h"

/* Allocations from this size on are mappings of their own, which free() gives back */
#define MAPPED_FROM	(128 << 10)

/* Bytes of records that may wait, in those of AUX data: the state of a large machine at the begin */
#define RECORDS_TIMES	4

struct batch {
	struct batch *next;
	struct v9_blob data;
	uint64_t kept, late;		/* AUX bytes in .data, and those that were not kept */
	uint64_t records, lost;		/* bytes of records in .data, and records that were not kept */
	bool whole;
	bool last;			/* of an interval */
	bool stop;
	uint64_t end;			/* of that interval */
};

struct v9_worker {
	struct v9_worker_setup setup;
	pthread_mutex_t looked;		/* of .live, which the thread has while it reads a batch */
	struct v9_live live;
	struct v9_worker_total total;
	uint64_t lost;			/* of the interval that is read */
	pthread_t thread;
	pthread_mutex_t lock;		/* of what follows, but not of .now */
	pthread_cond_t more;
	struct batch *first, **end;	/* that wait */
	uint64_t waiting, waiting_records;	/* bytes in batches that were not read, without .now */
	uint64_t written;		/* CPU time of .write that has ended, ns */
	uint64_t write_from;		/* CPU time of the thread at which one began; UINT64_MAX: none runs */
	struct batch *now;		/* the collector's */
};

static uint64_t cpu_time(struct v9_worker *w)
{
	clockid_t clock;

	return pthread_getcpuclockid(w->thread, &clock) ? 0 : v9_clock_ns(clock);
}

static int write_profile(struct v9_worker *w)
{
	int error;

	pthread_mutex_lock(&w->lock);
	w->write_from = cpu_time(w);
	pthread_mutex_unlock(&w->lock);
	error = w->setup.write(w->setup.arg, &w->live);
	pthread_mutex_lock(&w->lock);
	w->written += cpu_time(w) - w->write_from;
	w->write_from = UINT64_MAX;
	pthread_mutex_unlock(&w->lock);
	return error;
}

uint64_t v9_worker_written(struct v9_worker *w)
{
	uint64_t ns;

	pthread_mutex_lock(&w->lock);
	ns = w->written + (w->write_from == UINT64_MAX ? 0 : cpu_time(w) - w->write_from);
	pthread_mutex_unlock(&w->lock);
	return ns;
}

static void take(struct v9_worker *w, struct batch *b)
{
	struct v9_live *l = &w->live;
	struct v9_live_profile *p = &l->profile;

	p->aux.bytes += b->late;
	p->late_bytes += b->late;
	p->lost.lost_records += b->lost;
	w->lost += b->lost;
	v9_live_read(l, b->data.data, b->data.len, b->whole);
	if (b->stop)
		v9_live_end(l);
	if (!b->last)
		return;
	p->end = b->end;
	p->maps_dropped += l->places.dropped;
	l->places.dropped = 0;
	v9_live_account(l);
	w->total.error = write_profile(w);
	if (w->total.error && !b->stop)
		return;
	w->total.profiles += !w->total.error;
	w->total.records += p->acc.records;
	w->total.bytes += p->aux.bytes;
	w->total.late_bytes += p->late_bytes;
	w->total.lost_records += w->lost;
	w->lost = 0;
	w->total.evicted += p->evicted;
	w->total.maps_dropped += p->maps_dropped;
	for (unsigned int i = 0; i < V9_SPE_SKIPS; i++)
		w->total.skipped += p->acc.skipped[i];
	v9_live_next(l);
}

static void *work(void *arg)
{
	struct v9_worker *w = arg;
	struct batch *b;
	bool stop = false;

	while (!stop) {
		pthread_mutex_lock(&w->lock);
		while (!w->first)
			pthread_cond_wait(&w->more, &w->lock);
		b = w->first;
		w->first = b->next;
		if (!w->first)
			w->end = &w->first;
		pthread_mutex_unlock(&w->lock);
		pthread_mutex_lock(&w->looked);
		take(w, b);
		pthread_mutex_unlock(&w->looked);
		pthread_mutex_lock(&w->lock);
		w->waiting -= b->kept;
		w->waiting_records -= b->records;
		pthread_mutex_unlock(&w->lock);
		stop = b->stop;
		v9_blob_free(&b->data);
		free(b);
	}
	return NULL;
}

struct v9_worker *v9_worker_start(const struct v9_worker_setup *setup)
{
	struct v9_worker *w = v9_alloc(sizeof(*w));

	/*
	 * The C library would keep memory that one thread allocates and the other frees: it has an arena for
	 * each, and raises its own limits up to 32 MiB when large allocations are freed.
	 */
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
	mallopt(M_TRIM_THRESHOLD, MAPPED_FROM);
	w->setup = *setup;
	v9_live_init(&w->live, &setup->live);
	w->end = &w->first;
	w->write_from = UINT64_MAX;
	w->now = v9_alloc(sizeof(*w->now));
	pthread_mutex_init(&w->lock, NULL);
	pthread_mutex_init(&w->looked, NULL);
	pthread_cond_init(&w->more, NULL);
	errno = pthread_create(&w->thread, NULL, work, w);
	if (!errno)
		return w;
	v9_live_free(&w->live);
	free(w->now);
	free(w);
	return NULL;
}

void v9_worker_record(struct v9_worker *w, const void *record, size_t size)
{
	uint64_t waiting;

	pthread_mutex_lock(&w->lock);
	waiting = w->waiting_records;
	pthread_mutex_unlock(&w->lock);
	if (waiting + w->now->records + size > RECORDS_TIMES * w->setup.most) {
		w->now->lost++;
		return;
	}
	v9_worker_tell(w, record, size);
}

void v9_worker_tell(struct v9_worker *w, const void *record, size_t size)
{
	w->now->records += size;
	v9_blob_put(&w->now->data, record, size);
	v9_blob_zero(&w->now->data, -size & 7);
}

uint64_t v9_worker_aux(struct v9_worker *w, const struct pd_auxtrace *aux, const uint8_t *a, size_t na,
		       const uint8_t *b, size_t nb)
{
	struct pd_auxtrace head = *aux;
	uint64_t room = w->setup.most - w->now->kept, late;

	pthread_mutex_lock(&w->lock);
	room = room > w->waiting ? room - w->waiting : 0;
	pthread_mutex_unlock(&w->lock);
	late = na + nb > room ? na + nb - room : 0;
	w->now->late += late;
	na = na > room ? room : na;
	nb = nb > room - na ? room - na : nb;
	if (!(na + nb))
		return late;
	head.header = (struct pd_event_header){ .type = PD_REC_AUXTRACE, .size = sizeof(head) };
	head.size = na + nb;
	v9_blob_put(&w->now->data, &head, sizeof(head));
	v9_blob_put(&w->now->data, a, na);
	v9_blob_put(&w->now->data, b, nb);
	v9_blob_zero(&w->now->data, -(na + nb) & 7);
	w->now->kept += na + nb;
	return late;
}

static void hand_over(struct v9_worker *w)
{
	struct batch *b = w->now;

	w->now = v9_alloc(sizeof(*w->now));
	pthread_mutex_lock(&w->lock);
	*w->end = b;
	w->end = &b->next;
	w->waiting += b->kept;
	w->waiting_records += b->records;
	pthread_cond_signal(&w->more);
	pthread_mutex_unlock(&w->lock);
}

void v9_worker_round(struct v9_worker *w, bool whole)
{
	if (!w->now->data.len && !w->now->late && !w->now->lost)
		return;
	w->now->whole = whole;
	hand_over(w);
}

void v9_worker_interval(struct v9_worker *w, uint64_t end)
{
	w->now->last = true;
	w->now->end = end;
	hand_over(w);
}

void v9_worker_look(struct v9_worker *w, void (*look)(void *arg, struct v9_live *l), void *arg)
{
	pthread_mutex_lock(&w->looked);
	look(arg, &w->live);
	pthread_mutex_unlock(&w->looked);
}

void v9_worker_stop(struct v9_worker *w, uint64_t end, struct v9_worker_total *total)
{
	w->now->stop = true;
	v9_worker_interval(w, end);
	pthread_join(w->thread, NULL);
	*total = w->total;
	v9_live_free(&w->live);
	pthread_mutex_destroy(&w->lock);
	pthread_mutex_destroy(&w->looked);
	pthread_cond_destroy(&w->more);
	free(w->now);
	free(w);
}
