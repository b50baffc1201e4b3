// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "aggregate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define SOURCES	65536

void v9_aggregate_init(struct v9_aggregate *a)
{
	memset(a, 0, sizeof(*a));
	a->last_task = a->last_cpu = V9_NO_TASK;
	a->room = 1024;
	a->hot = v9_alloc(a->room * sizeof(*a->hot));
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		a->lat[i] = v9_alloc(V9_LAT_VALUES * sizeof(*a->lat[i]));
	a->sources = v9_alloc(SOURCES * sizeof(*a->sources));
}

static uint64_t mix(uint64_t h, const void *p)
{
	h = (h ^ (uintptr_t)p) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

/* Names are stored once, so equal names are equal pointers. */
static struct v9_hot *find(struct v9_hot *hot, size_t room, const struct v9_hot *key)
{
	size_t i = (size_t)mix(mix(mix(0, key->func), key->dso), key->comm);

	for (;; i++) {
		struct v9_hot *h = &hot[i & (room - 1)];

		if (!h->samples || (h->func == key->func && h->dso == key->dso &&
				    h->comm == key->comm))
			return h;
	}
}

static struct v9_hot *find_hot(struct v9_aggregate *a, const struct v9_hot *key)
{
	struct v9_hot *h = find(a->hot, a->room, key);

	if (h->samples)
		return h;
	if (++a->nr_hot * 2 > a->room) {
		struct v9_hot *grown = v9_alloc(a->room * 2 * sizeof(*grown));

		for (size_t i = 0; i < a->room; i++)
			if (a->hot[i].samples)
				*find(grown, a->room * 2, &a->hot[i]) = a->hot[i];
		free(a->hot);
		a->hot = grown;
		a->room *= 2;
		h = find(a->hot, a->room, key);
	}
	*h = *key;
	return h;
}

static void note_id(struct v9_pool *pool, uint32_t *last, uint32_t id)
{
	char key[16];

	if (id == V9_NO_TASK || id == *last)
		return;
	snprintf(key, sizeof(key), "%u", id);
	v9_pool_value(pool, key);
	*last = id;
}

static void add_time(struct v9_aggregate *a, const struct v9_sampled *s)
{
	if (!s->has_time)
		return;
	if (!a->with_time++ || s->time < a->first)
		a->first = s->time;
	if (s->time > a->last)
		a->last = s->time;
}

void v9_aggregate_add(struct v9_aggregate *a, const struct v9_sampled *s,
		      const struct v9_place *place)
{
	const struct v9_spe_rec *r = s->rec;
	const struct v9_hot key = { .func = place->func, .dso = place->dso_name, .comm = s->comm };
	struct v9_hot *hot = find_hot(a, &key);
	uint64_t events = r->has & V9_SPE_HAS_EVENTS ? r->events : 0;

	a->samples++;
	hot->samples++;
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++) {
		if (!(r->has & V9_SPE_HAS_LAT(i)))
			continue;
		a->lat[i][r->lat[i]]++;
		hot->lat[i].n++;
		hot->lat[i].sum += r->lat[i];
	}
	a->with_events += !!(r->has & V9_SPE_HAS_EVENTS);
	for (; events; events &= events - 1)
		a->events[__builtin_ctzll(events)]++;
	if (r->has & V9_SPE_HAS_OP) {
		const unsigned int class = r->op_class % V9_OP_CLASSES;

		a->with_op++;
		a->ops[class][r->op]++;
		if (r->has & V9_SPE_HAS_LAT_TOTAL) {
			a->op_lat[class][r->op].n++;
			a->op_lat[class][r->op].sum += r->lat[V9_SPE_LAT_TOTAL];
		}
	}
	if (r->has & V9_SPE_HAS_SOURCE) {
		a->with_source++;
		a->sources[r->source]++;
	}
	if (r->has & V9_SPE_HAS_PC) {
		a->with_pc++;
		a->el[r->pc.el]++;
	}
	add_time(a, s);
	note_id(&a->tasks, &a->last_task, s->tid);
	note_id(&a->cpus, &a->last_cpu, s->cpu);
}

void v9_aggregate_finish(struct v9_aggregate *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->room; i++)
		if (a->hot[i].samples)
			a->hot[n++] = a->hot[i];
}

void v9_aggregate_free(struct v9_aggregate *a)
{
	free(a->hot);
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		free(a->lat[i]);
	free(a->sources);
	v9_pool_free(&a->tasks);
	v9_pool_free(&a->cpus);
}

uint64_t v9_percentile(const uint64_t *histogram, uint64_t n, unsigned int percent)
{
	/* n * percent / 100, rounded up: the rank that has to be reached */
	const uint64_t rank = n / 100 * percent + (n % 100 * percent + 99) / 100;
	uint64_t seen = 0;

	for (uint64_t v = 0; v < V9_LAT_VALUES; v++) {
		seen += histogram[v];
		if (seen >= rank && seen)
			return v;
	}
	return 0;
}
