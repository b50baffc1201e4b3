// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "aggregate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "report.h"

#define SOURCES	65536

/* Sums of an instruction. The size is one cache line. */
struct hot_spot {
	struct v9_spot spot;
	uint32_t samples, n[V9_SPE_LATENCIES];
	uint64_t sum[V9_SPE_LATENCIES];
};

_Static_assert(sizeof(struct hot_spot) == 64, "one line of the cache");

static void take_spot(void *arg, void *bin)
{
	struct v9_aggregate *a = arg;
	const struct hot_spot *from = bin;
	struct v9_place place;
	struct v9_hot *hot;
	uint64_t key[3];

	pthread_mutex_lock(a->lock);
	v9_spot_place(a->syms, &from->spot, &place);
	if (place.dso && !place.func)
		place.dso->unresolved += from->samples;
	pthread_mutex_unlock(a->lock);
	key[0] = (uint64_t)(uintptr_t)place.func;
	key[1] = (uint64_t)(uintptr_t)place.dso_name;
	key[2] = from->spot.comm;
	hot = v9_bins_at(&a->hot, key, 3);
	hot->samples += from->samples;
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++) {
		hot->lat[i].n += from->n[i];
		hot->lat[i].sum += from->sum[i];
	}
}

void v9_aggregate_init(struct v9_aggregate *a, struct v9_syms *syms, pthread_mutex_t *lock)
{
	memset(a, 0, sizeof(*a));
	a->last_task = a->last_cpu = V9_NO_TASK;
	a->syms = syms;
	a->lock = lock;
	v9_spots_init(&a->spots, sizeof(struct hot_spot), syms, take_spot, a);
	v9_bins_init(&a->hot, sizeof(struct v9_hot));
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		a->lat[i] = v9_alloc(V9_LAT_VALUES * sizeof(*a->lat[i]));
	for (unsigned int byte = 0; byte < 256; byte++)
		for (unsigned int bit = 0; bit < 8; bit++)
			a->spread[byte] |= (uint64_t)(byte >> bit & 1) << 8 * bit;
}

static void note_id(struct v9_strtab *strtab, uint32_t *last, uint32_t id)
{
	char key[16];

	if (id == V9_NO_TASK || id == *last)
		return;
	snprintf(key, sizeof(key), "%u", id);
	v9_strtab_value(strtab, key);
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

static void drain_events(struct v9_aggregate *a)
{
	for (unsigned int bit = 0; bit < V9_SPE_EVENT_BITS; bit++)
		a->events[bit] += a->few_events[bit / 8] >> 8 * (bit % 8) & 0xff;
	memset(a->few_events, 0, sizeof(a->few_events));
	a->few = 0;
}

/* A branch for each event bit would be unpredictable: count eight bits at once instead. */
static void add_events(struct v9_aggregate *a, uint64_t events)
{
	a->with_events++;
	for (unsigned int i = 0; events; events >>= 8, i++)
		a->few_events[i] += a->spread[events & 0xff];
	if (++a->few == UINT8_MAX)
		drain_events(a);
}

static void add_latencies(struct v9_aggregate *a, struct hot_spot *hot, const struct v9_spe_rec *r)
{
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++) {
		const uint32_t has = !!(r->has & V9_SPE_REC_LAT(i));
		const uint32_t lat = r->lat[i] & -has;

		a->lat[i][lat] += has;
		hot->n[i] += has;
		hot->sum[i] += lat;
	}
}

static void add_op(struct v9_aggregate *a, const struct v9_spe_rec *r)
{
	const unsigned int class = r->op_class % V9_OP_CLASSES;

	a->with_op++;
	a->ops[class][r->op]++;
	if (r->has & V9_SPE_REC_LAT_TOTAL) {
		a->op_lat[class][r->op].n++;
		a->op_lat[class][r->op].sum += r->lat[V9_SPE_LAT_TOTAL];
	}
}

static void add_source(struct v9_aggregate *a, const struct v9_sampled *s)
{
	const uint32_t has = !!(s->rec->has & V9_SPE_REC_SOURCE);
	uint64_t *sources = a->sources[s->sources];

	if (!sources) {
		if (!has)
			return;
		sources = a->sources[s->sources] = v9_alloc(SOURCES * sizeof(*sources));
	}
	a->with_source += has;
	sources[s->rec->source & -has] += has;
}

static void add_cpu(struct v9_aggregate *a, const struct v9_sampled *s)
{
	struct v9_cpu_sum *sum;

	if (s->cpu >= V9_CPUS_MOST)
		return;
	if (s->cpu >= a->nr_cpus) {
		const uint32_t n = s->cpu + 64;

		a->cpu = v9_realloc(a->cpu, n * sizeof(*a->cpu));
		memset(a->cpu + a->nr_cpus, 0, (n - a->nr_cpus) * sizeof(*a->cpu));
		a->nr_cpus = n;
	}
	sum = &a->cpu[s->cpu];
	sum->samples++;
	if (s->rec->has & V9_SPE_REC_LAT_TOTAL) {
		sum->lat.n++;
		sum->lat.sum += s->rec->lat[V9_SPE_LAT_TOTAL];
	}
}

static void add(struct v9_aggregate *a, const struct v9_sampled *s, struct hot_spot *hot)
{
	const struct v9_spe_rec *r = s->rec;

	a->samples++;
	hot->samples++;
	add_latencies(a, hot, r);
	if (r->has & V9_SPE_REC_EVENTS)
		add_events(a, r->events);
	if (r->has & V9_SPE_REC_OP)
		add_op(a, r);
	add_source(a, s);
	if (r->has & V9_SPE_REC_PC) {
		a->with_pc++;
		a->el[r->pc.el]++;
	}
	add_time(a, s);
	note_id(&a->tasks, &a->last_task, s->tid);
	note_id(&a->cpus, &a->last_cpu, s->cpu);
	add_cpu(a, s);
}

void v9_aggregate_add(void *arg, struct v9_sampled *s, size_t n)
{
	struct v9_aggregate *a = arg;
	void *spots[V9_BATCH];

	v9_spots_of(&a->spots, s, n, spots);
	for (size_t i = 0; i < n; i++)
		add(a, &s[i], spots[i]);
}

void v9_aggregate_finish(struct v9_aggregate *a)
{
	v9_spots_drain(&a->spots);
	drain_events(a);
}

static void merge_sum(struct v9_sum *to, const struct v9_sum *from)
{
	to->n += from->n;
	to->sum += from->sum;
}

static void merge_counts(uint64_t *to, const uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += from[i];
}

static void merge_hot(struct v9_aggregate *a, const struct v9_aggregate *from)
{
	for (size_t i = 0; i < from->hot.used; i++) {
		const struct v9_hot *old = v9_bins_get(&from->hot, i);
		struct v9_hot *hot = v9_bins_at(&a->hot, old->key, 3);

		hot->samples += old->samples;
		for (unsigned int l = 0; l < V9_SPE_LATENCIES; l++)
			merge_sum(&hot->lat[l], &old->lat[l]);
	}
}

static void merge_ids(struct v9_strtab *to, const struct v9_strtab *from)
{
	for (size_t i = 0; i < from->room; i++)
		if (from->slot[i].text)
			v9_strtab_value(to, from->slot[i].text);
}

static void merge_cpus(struct v9_aggregate *a, const struct v9_aggregate *from)
{
	if (from->nr_cpus > a->nr_cpus) {
		a->cpu = v9_realloc(a->cpu, from->nr_cpus * sizeof(*a->cpu));
		memset(a->cpu + a->nr_cpus, 0, (from->nr_cpus - a->nr_cpus) * sizeof(*a->cpu));
		a->nr_cpus = from->nr_cpus;
	}
	for (uint32_t i = 0; i < from->nr_cpus; i++) {
		a->cpu[i].samples += from->cpu[i].samples;
		merge_sum(&a->cpu[i].lat, &from->cpu[i].lat);
	}
}

static void merge_times(struct v9_aggregate *a, const struct v9_aggregate *from)
{
	if (!from->with_time)
		return;
	if (!a->with_time || from->first < a->first)
		a->first = from->first;
	if (from->last > a->last)
		a->last = from->last;
	a->with_time += from->with_time;
}

void v9_aggregate_merge(struct v9_aggregate *a, const struct v9_aggregate *from)
{
	a->samples += from->samples;
	merge_hot(a, from);
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		merge_counts(a->lat[i], from->lat[i], V9_LAT_VALUES);
	merge_counts(a->events, from->events, V9_SPE_EVENT_BITS);
	a->with_events += from->with_events;
	a->with_op += from->with_op;
	merge_counts(a->ops[0], from->ops[0], V9_OP_CLASSES * 256);
	for (unsigned int i = 0; i < V9_OP_CLASSES; i++)
		for (unsigned int op = 0; op < 256; op++)
			merge_sum(&a->op_lat[i][op], &from->op_lat[i][op]);
	for (unsigned int i = 0; i < V9_SPE_SETS; i++) {
		if (!from->sources[i])
			continue;
		if (!a->sources[i])
			a->sources[i] = v9_alloc(SOURCES * sizeof(*a->sources[i]));
		merge_counts(a->sources[i], from->sources[i], SOURCES);
	}
	a->with_source += from->with_source;
	merge_counts(a->el, from->el, V9_ARRAY_SIZE(a->el));
	a->with_pc += from->with_pc;
	merge_times(a, from);
	merge_ids(&a->tasks, &from->tasks);
	merge_ids(&a->cpus, &from->cpus);
	merge_cpus(a, from);
}

void v9_aggregate_free(struct v9_aggregate *a)
{
	v9_spots_free(&a->spots);
	v9_bins_free(&a->hot);
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		free(a->lat[i]);
	for (unsigned int i = 0; i < V9_SPE_SETS; i++)
		free(a->sources[i]);
	v9_strtab_free(&a->tasks);
	v9_strtab_free(&a->cpus);
	free(a->cpu);
}

uint64_t v9_percentile(const uint64_t *histogram, uint64_t n, unsigned int percent)
{
	/* the rank to reach: n * percent / 100, rounded up */
	const uint64_t rank = n / 100 * percent + (n % 100 * percent + 99) / 100;
	uint64_t seen = 0;

	for (uint64_t v = 0; v < V9_LAT_VALUES; v++) {
		seen += histogram[v];
		if (seen >= rank && seen)
			return v;
	}
	return 0;
}
