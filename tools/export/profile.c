// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sums that were added up while they were recorded, through the sinks of pprof and of shards */
#include "../live/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../live/live.h"
#include "../report/kinds.h"
#include "to_shard.h"

typedef void take_fn(struct v9_export *x, uint64_t midr, uint64_t period, const struct v9_stack *s);

/* Functions are looked up by offset in a file: in place of a process, each file is mapped as a whole. */
#define WHOLE	(UINT64_C(1) << 48)

static void map_object(struct v9_syms *syms, const struct v9_live_object *o, uint32_t pid, uint64_t start,
		       uint64_t size, uint64_t pgoff)
{
	v9_syms_map(syms, 0, pid, start, size, pgoff, V9_MAP_EXEC, o->name, strlen(o->name) + 1,
		    o->id_size ? o->id : NULL, o->id_size);
}

static void map_all(struct v9_syms *syms, const struct v9_live *l)
{
	const struct v9_live_map *m;
	size_t n;

	m = v9_live_maps(&l->places, V9_KERNEL_PID, &n);
	for (size_t i = 0; i < n; i++)
		map_object(syms, &l->places.objects[m[i].object], V9_KERNEL_PID, m[i].start,
			   m[i].end - m[i].start, m[i].pgoff);
	for (size_t i = 0; i < l->places.nr_objects; i++)
		if (l->places.objects[i].name && l->places.objects[i].file)
			map_object(syms, &l->places.objects[i], (uint32_t)i, 0, WHOLE, 0);
	v9_syms_seal(syms);
}

static void find(struct v9_export *x, const struct v9_live *l, const struct v9_live_sum *s,
		 struct v9_place *place)
{
	const struct v9_live_object *o = s->object > V9_LIVE_KERNEL ?
					 &l->places.objects[s->object - V9_LIVE_KERNEL - 1] : NULL;

	*place = (struct v9_place){ .dso_name = o ? o->name : "[unknown]", .offset = s->addr };
	if (o && !o->file)
		place->dso = v9_syms_dso(&x->r.s.syms, v9_strtab_put(&x->r.s.strtab, o->name, strlen(o->name)));
	else if (s->object != V9_LIVE_UNKNOWN)
		v9_syms_find(&x->r.s.syms, o ? (uint32_t)(o - l->places.objects) : V9_KERNEL_PID, 0,
			     s->addr, place);
}

static void give(struct v9_export *x, const struct v9_live *l, const struct v9_live_sum *s, take_fn *take)
{
	struct v9_stack_level level;
	struct v9_stack stack = {
		.kind = &v9_kinds[V9_KIND_SPE], .pid = (uint32_t)s->pid, .tid = V9_NO_TASK, .cpu = V9_NO_TASK,
		.level = &level, .nr = 1,
	};
	struct v9_place place;
	char line[32];

	find(x, l, s, &place);
	v9_level_of(&level, &place, s->object == V9_LIVE_KERNEL);
	memcpy(stack.value, s->value, sizeof(s->value));
	if (s->line != V9_LIVE_NO_LINE) {
		snprintf(line, sizeof(line), "%#" PRIx64, s->line);
		stack.cache_line = line;
	}
	take(x, s->midr, s->period, &stack);
}

static void give_evicted(struct v9_export *x, const struct v9_live_type *t, take_fn *take)
{
	const struct v9_func func = { .name = "[evicted]" };
	const struct v9_place place = { .func = &func };
	struct v9_stack_level level;
	struct v9_stack stack = {
		.kind = &v9_kinds[V9_KIND_SPE], .pid = V9_NO_TASK, .tid = V9_NO_TASK, .cpu = V9_NO_TASK,
		.level = &level, .nr = 1,
	};

	if (!t->evicted[V9_W_SAMPLES])
		return;
	v9_level_of(&level, &place, false);
	memcpy(stack.value, t->evicted, sizeof(t->evicted));
	take(x, t->midr, t->period, &stack);
}

static void give_all(struct v9_export *x, const struct v9_live *l, take_fn *take)
{
	const struct v9_live_profile *p = &l->profile;

	for (size_t i = 0; i < p->sums.used; i++)
		give(x, l, v9_bins_get(&p->sums, i), take);
	for (size_t i = 0; i < p->nr_types; i++)
		give_evicted(x, &p->types[i], take);
}

static void give_losses(struct v9_export *x, const struct v9_live_profile *p)
{
	const struct v9_loss own[] = {
		{ "not_decoded", "AUX bytes that were not decoded",
		  "decoding was too slow: use a longer period, or more --memory", p->late_bytes },
		{ "evicted", "addresses with few samples",
		  "there was no room: their sum is [evicted]; use more --memory", p->evicted },
		{ "maps_dropped", "mappings of processes with very many", "their samples are [unknown]",
		  p->maps_dropped },
	};

	x->r.acc = p->acc;
	x->r.s.aux[V9_KIND_SPE] = p->aux;
	x->r.s.lost = p->lost;
	x->r.out.format = &v9_export_losses;
	v9_rep_spe_losses(&x->r);
	for (size_t i = 0; i < V9_ARRAY_SIZE(own); i++)
		if (own[i].n)
			x->sink->loss(x, &own[i]);
}

static void begin(struct v9_export *x, const struct v9_live *l)
{
	v9_syms_init(&x->r.s.syms, &x->r.s.strtab, NULL);
	map_all(&x->r.s.syms, l);
}

static void end(struct v9_export *x)
{
	v9_syms_free(&x->r.s.syms);
	v9_strtab_free(&x->r.s.strtab);
	v9_strtab_free(&x->r.text);
}

/* A profile has one period. Samples of longer ones are given as so many of the shortest. */
static void to_pprof(struct v9_export *x, uint64_t midr, uint64_t period, const struct v9_stack *s)
{
	struct v9_stack weighed = *s;

	(void)midr;
	for (unsigned int i = 0; i < V9_SPE_WEIGHTS && period; i++)
		weighed.value[i] = v9_weigh_period(s->value[i], period, x->r.s.interval.reload);
	x->sink->stack(x, &weighed);
}

/* The shortest period of the interval; 0: none is known */
static uint64_t shortest(const struct v9_live_profile *p)
{
	uint64_t least = 0;

	for (size_t i = 0; i < p->nr_types; i++)
		if (p->types[i].period && (!least || p->types[i].period < least))
			least = p->types[i].period;
	return least;
}

static uint64_t samples_of(const struct v9_live_profile *p, uint64_t period)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->sums.used; i++) {
		const struct v9_live_sum *s = v9_bins_get(&p->sums, i);

		n += s->period == period ? s->value[V9_W_SAMPLES] : 0;
	}
	for (size_t i = 0; i < p->nr_types; i++)
		n += p->types[i].period == period ? p->types[i].evicted[V9_W_SAMPLES] : 0;
	return n;
}

static bool is_first(const struct v9_live_profile *p, size_t type)
{
	for (size_t i = 0; i < type; i++)
		if (p->types[i].period == p->types[type].period)
			return false;
	return true;
}

/* The budget, and how many samples were taken with each period */
static void give_periods(struct v9_export *x, const struct v9_live_profile *p)
{
	char *text;

	if (p->cost.budget) {
		text = v9_format("overhead: %.2f %% of the time of the recorded CPUs, budget %.2f %%: %s",
				 p->cost.cost / 1e4, p->cost.budget / 1e4,
				 V9_LIVE_COST_IS(p->cost.interrupts));
		v9_pprof_comment(x, text);
		free(text);
	}
	for (size_t i = 0; i < p->nr_types; i++) {
		const uint64_t period = p->types[i].period, as = x->r.s.interval.reload;

		if (!period || !is_first(p, i))
			continue;
		text = period == as ? v9_format("period %" PRIu64 ": %" PRIu64 " samples", period, samples_of(p, period)) :
		       v9_format("period %" PRIu64 ": %" PRIu64 " samples, each given as %.4g of period %" PRIu64,
				 period, samples_of(p, period), (double)period / (double)as, as);
		v9_pprof_comment(x, text);
		free(text);
	}
}

void v9_profile_write(const struct v9_live *l, FILE *f)
{
	const struct v9_live_profile *p = &l->profile;
	uint32_t type = PD_AUXTRACE_ARM_SPE;
	struct v9_export x = { .sink = &v9_sink_pprof, .f = f };

	x.r.s.aux_types = &type;
	x.r.s.nr_aux_types = 1;
	x.r.s.interval = p->interval;
	x.r.s.period = shortest(p);
	if (x.r.s.period)
		v9_interval_change(&x.r.s.interval, x.r.s.period);
	v9_export_time(&x, p->begin, p->end);
	begin(&x, l);
	x.sink->begin(&x);
	give_all(&x, l, to_pprof);
	give_periods(&x, p);
	give_losses(&x, p);
	x.sink->end(&x);
	x.sink->free(&x);
	end(&x);
}

/* ---- shards */

/* Two intervals, of whatever machines, must not have the same. */
static char *id_of(const struct v9_live_profile *p)
{
	uLong crc = crc32(0, (const Bytef *)&p->acc, sizeof(p->acc));

	for (size_t i = 0; i < p->sums.used; i++)
		crc = crc32(crc, v9_bins_get(&p->sums, i), sizeof(struct v9_live_sum));
	return v9_format("%" PRIx64 ".%" PRIx64 ".%" PRIx64 ".%08lx", p->begin, p->end, p->aux.bytes, crc);
}

void v9_shard_of_profile(const struct v9_live *l, const struct perf_event_attr *attr, size_t n, FILE *f)
{
	const struct v9_live_profile *p = &l->profile;
	struct v9_shard shard;
	struct v9_shard_sink sink = { .shard = &shard, .flat = true };
	struct v9_export x = { .sink = &v9_sink_shard_flat, .f = f, .state = &sink };
	char *id = id_of(p);

	x.r.s.file.attrs = v9_alloc((n + 1) * sizeof(*x.r.s.file.attrs));
	x.r.s.file.nr_attrs = n;
	for (size_t i = 0; i < n; i++)
		x.r.s.file.attrs[i] = (struct pd_attr){ .attr = attr[i], .name = "arm_spe" };
	if (p->has_time)
		v9_export_time(&x, p->first, p->last);
	begin(&x, l);
	v9_shard_init(&shard);
	v9_shard_sink_live(&x, id);
	for (size_t i = 0; i < p->nr_types; i++)
		v9_shard_sink_type(&x, p->types[i].midr, p->types[i].period);
	give_all(&x, l, v9_shard_sink_sum);
	give_losses(&x, p);
	x.sink->end(&x);
	v9_shard_write(&shard, f);
	v9_shard_sink_clear(&sink);
	v9_shard_free(&shard);
	end(&x);
	free(x.r.s.file.attrs);
	free(id);
}
