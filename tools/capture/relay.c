// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "relay.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define LOTS	16u	/* one that the decoder fills, one that the listener has, and more */
#define LEFT	4u	/* lots of the listener at which a waiting decoder is woken; to wake it takes long */
#define ITEMS	1024u	/* records and batches of hits in a lot */
#define HITS	16384u	/* about, in a lot */
/*
 * After so many drains, with less than two lots for each, the decoder calls the listener itself: to wake a thread
 * takes longer than what it does.
 */
#define DRAINS	16u

/* A call of the listener. If batch.n is not 0, it is a call with hits: those of the lot from index .hit on. */
struct item {
	size_t stream;
	struct v9_sampled at;
	struct v9_flow_batch batch;	/* .hits is not used */
	size_t hit;
};

struct lot {
	struct item *item;
	struct v9_flow_hit *hit;
	size_t nr, nr_hits, room;	/* room: for hits */
};

/* Lot i of all is lot[i % LOTS]. Those from .taken to .given - 1 are the listener's. */
struct v9_relay {
	struct v9_listener own;
	const struct v9_listener *to;
	struct lot lot[LOTS];
	uint64_t given, taken, left;	/* with .lock; left: lots that the decoder waits for */
	uint64_t drains;
	bool direct;			/* the decoder calls the listener itself */
	pthread_mutex_t lock;
	pthread_cond_t more, less;	/* .given, .taken has changed */
	pthread_t thread;
	bool end;
};

static void give(const struct v9_relay *r, const struct lot *l)
{
	/* The hits are in the cache of the decoder's CPU. */
	for (size_t i = 0; i < l->nr_hits; i += 64 / sizeof(*l->hit))
		__builtin_prefetch(&l->hit[i]);
	for (size_t i = 0; i < l->nr; i++) {
		struct item *x = &l->item[i];

		x->batch.hits = l->hit + x->hit;
		if (x->batch.n)
			r->to->hits(r->to->arg, x->stream, &x->at, &x->batch);
		else
			r->to->take(r->to->arg, x->stream, &x->at, &x->batch.rec);
	}
}

static void *run(void *arg)
{
	struct v9_relay *r = arg;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		if (r->taken < r->given) {
			pthread_mutex_unlock(&r->lock);
			give(r, &r->lot[r->taken % LOTS]);
			pthread_mutex_lock(&r->lock);
			r->taken++;
			if (r->given - r->taken <= r->left)
				pthread_cond_signal(&r->less);
		} else if (r->end) {
			break;
		} else {
			pthread_cond_wait(&r->more, &r->lock);
		}
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* Gives the current lot to the listener. If it then has @most lots or more, waits until it has @left or fewer. */
static void hand_over(struct v9_relay *r, uint64_t most, uint64_t left)
{
	pthread_mutex_lock(&r->lock);
	r->given++;
	r->left = left;
	pthread_cond_signal(&r->more);
	if (r->given - r->taken >= most)
		while (r->given - r->taken > left)
			pthread_cond_wait(&r->less, &r->lock);
	pthread_mutex_unlock(&r->lock);
	r->lot[r->given % LOTS].nr = 0;
	r->lot[r->given % LOTS].nr_hits = 0;
}

static struct item *add(struct v9_relay *r, size_t stream, const struct v9_sampled *at)
{
	struct lot *l = &r->lot[r->given % LOTS];
	struct item *x;

	if (l->nr == ITEMS || l->nr_hits > HITS) {
		hand_over(r, LOTS, LEFT);
		l = &r->lot[r->given % LOTS];
	}
	x = &l->item[l->nr++];
	x->stream = stream;
	x->at = *at;
	x->hit = l->nr_hits;
	return x;
}

static void take(void *arg, size_t stream, const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	struct v9_relay *r = arg;
	struct item *x;

	if (r->direct) {
		r->to->take(r->to->arg, stream, at, rec);
		return;
	}
	x = add(r, stream, at);
	x->batch.n = 0;
	x->batch.rec = *rec;
}

static void take_hits(void *arg, size_t stream, const struct v9_sampled *at, const struct v9_flow_batch *batch)
{
	struct v9_relay *r = arg;
	struct item *x;
	struct lot *l;

	if (r->direct) {
		r->to->hits(r->to->arg, stream, at, batch);
		return;
	}
	x = add(r, stream, at);
	l = &r->lot[r->given % LOTS];
	x->batch.n = batch->n;
	x->batch.offset = batch->offset;
	if (l->nr_hits + batch->n > l->room) {
		l->room = l->nr_hits + batch->n + HITS;
		l->hit = v9_realloc(l->hit, l->room * sizeof(*l->hit));
	}
	memcpy(l->hit + l->nr_hits, batch->hits, batch->n * sizeof(*l->hit));
	l->nr_hits += batch->n;
}

struct v9_relay *v9_relay_new(const struct v9_listener *to)
{
	struct v9_relay *r = v9_alloc(sizeof(*r));

	r->to = to;
	r->own = (struct v9_listener){ take, take_hits, r, to->by_time };
	for (size_t i = 0; i < LOTS; i++)
		r->lot[i].item = v9_alloc(ITEMS * sizeof(*r->lot[i].item));
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->more, NULL);
	pthread_cond_init(&r->less, NULL);
	if (!pthread_create(&r->thread, NULL, run, r))
		return r;
	r->end = true;
	v9_relay_free(r);
	return NULL;
}

const struct v9_listener *v9_relay_listener(struct v9_relay *r)
{
	return &r->own;
}

void v9_relay_drain(struct v9_relay *r)
{
	if (r->direct)
		return;
	hand_over(r, 0, 0);
	r->drains++;
	r->direct = r->drains >= DRAINS && r->given < 2 * r->drains;
}

void v9_relay_free(struct v9_relay *r)
{
	const bool runs = !r->end;

	if (runs) {
		v9_relay_drain(r);
		pthread_mutex_lock(&r->lock);
		r->end = true;
		pthread_cond_signal(&r->more);
		pthread_mutex_unlock(&r->lock);
		pthread_join(r->thread, NULL);
	}
	for (size_t i = 0; i < LOTS; i++) {
		free(r->lot[i].item);
		free(r->lot[i].hit);
	}
	pthread_mutex_destroy(&r->lock);
	pthread_cond_destroy(&r->more);
	pthread_cond_destroy(&r->less);
	free(r);
}
