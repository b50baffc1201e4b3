// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "aggregate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define SOURCES	65536

/* An instruction, until all are in. */
struct hot_spot {
	struct v9_spot spot;
	uint64_t samples;
	struct v9_sum lat[V9_SPE_LATENCIES];
};

static void take_spot(void *arg, void *bin)
{
	struct v9_aggregate *a = arg;
	const struct hot_spot *from = bin;
	struct v9_place place;
	struct v9_hot *hot;
	uint64_t key[3];

	v9_spot_place(a->syms, &from->spot, &place);
	if (place.dso && !place.func)
		place.dso->unresolved += from->samples;
	key[0] = (uint64_t)(uintptr_t)place.func;
	key[1] = (uint64_t)(uintptr_t)place.dso_name;
	key[2] = from->spot.comm;
	hot = v9_bins_at(&a->hot, key, 3);
	hot->samples += from->samples;
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++) {
		hot->lat[i].n += from->lat[i].n;
		hot->lat[i].sum += from->lat[i].sum;
	}
}

void v9_aggregate_init(struct v9_aggregate *a, struct v9_syms *syms)
{
	memset(a, 0, sizeof(*a));
	a->last_task = a->last_cpu = V9_NO_TASK;
	a->syms = syms;
	v9_spots_init(&a->spots, sizeof(struct hot_spot), syms, take_spot, a);
	v9_bins_init(&a->hot, sizeof(struct v9_hot));
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		a->lat[i] = v9_alloc(V9_LAT_VALUES * sizeof(*a->lat[i]));
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

void v9_aggregate_add(struct v9_aggregate *a, const struct v9_sampled *s)
{
	const struct v9_spe_rec *r = s->rec;
	struct hot_spot *hot = v9_spots_at(&a->spots, s);
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
		if (!a->sources[s->sources])
			a->sources[s->sources] = v9_alloc(SOURCES * sizeof(**a->sources));
		a->sources[s->sources][r->source]++;
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
	v9_spots_drain(&a->spots);
}

void v9_aggregate_free(struct v9_aggregate *a)
{
	v9_spots_free(&a->spots);
	v9_bins_free(&a->hot);
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		free(a->lat[i]);
	for (unsigned int i = 0; i < V9_SPE_SETS; i++)
		free(a->sources[i]);
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
