// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "copy.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/strtab.h"
#include "../util.h"

const struct v9_live_loss_name v9_live_loss_name[V9_LIVE_LOSSES] = {
	[V9_LOSS_TRUNCATED] = { "truncated", "times trace (buffer full, truncated)" },
	[V9_LOSS_COLLISION] = { "collided", "times samples (collision)" },
	[V9_LOSS_PARTIAL] = { "partial", "times trace (partial)" },
	[V9_LOSS_LOST_RECORDS] = { "lost_records", "side-band records" },
	[V9_LOSS_LOST_SAMPLES] = { "lost_samples", "samples of other events" },
	[V9_LOSS_CPU_AWAY] = { "cpu_away", "times a CPU (offline, or not there at the start)" },
	[V9_LOSS_PAUSED] = { "paused_ms", "ms (v9trace pause)" },
	[V9_LOSS_LATE] = { "undecoded_trace_bytes", "bytes of trace not decoded (too slow: a longer period)" },
	[V9_LOSS_SKIPPED] = { "skipped_trace_bytes", "bytes of trace that are no whole record" },
	[V9_LOSS_MAPS] = { "maps_dropped", "mappings of processes with very many" },
};

static void copy_bins(void **to, size_t *n, size_t *room, const struct v9_bins *b)
{
	if (b->used > *room) {
		*room = b->used + b->used / 4;
		*to = v9_realloc(*to, *room * b->size);
	}
	for (size_t i = 0; i < b->used; i += V9_BINS_CHUNK) {
		const size_t part = b->used - i < V9_BINS_CHUNK ? b->used - i : V9_BINS_CHUNK;

		memcpy((char *)*to + i * b->size, v9_bins_get(b, i), part * b->size);
	}
	*n = b->used;
}

static void free_objects(struct v9_live_copy *s)
{
	for (size_t i = 0; i < s->nr_objects; i++)
		free(s->objects[i].name);
	free(s->objects);
}

static void copy_objects(struct v9_live_copy *s, const struct v9_live_places *p)
{
	free_objects(s);
	s->nr_objects = p->nr_objects;
	s->objects = v9_alloc((p->nr_objects + 1) * sizeof(*s->objects));
	for (size_t i = 0; i < p->nr_objects; i++) {
		const struct v9_live_object *o = &p->objects[i];

		if (!o->name)
			continue;
		s->objects[i] = (struct v9_live_object){ .name = v9_strdup(o->name), .id_size = o->id_size,
							.file = o->file };
		memcpy(s->objects[i].id, o->id, sizeof(o->id));
	}
}

static void copy_losses(struct v9_live_copy *s, const struct v9_live *l)
{
	const struct v9_live_profile *p = &l->profile;
	uint64_t skipped = 0;

	for (unsigned int i = 0; i < V9_SPE_SKIPS; i++)
		skipped += p->acc.skipped[i];
	memcpy(s->lost, (const uint64_t [V9_LIVE_LOSSES]){
		[V9_LOSS_TRUNCATED] = p->aux.truncated,
		[V9_LOSS_COLLISION] = p->aux.collision,
		[V9_LOSS_PARTIAL] = p->aux.partial,
		[V9_LOSS_LOST_RECORDS] = p->lost.lost_records,
		[V9_LOSS_LOST_SAMPLES] = p->lost.lost_samples,
		[V9_LOSS_CPU_AWAY] = p->lost.cpu_away,
		[V9_LOSS_PAUSED] = p->lost.paused_ns / 1000000,
		[V9_LOSS_LATE] = p->late_bytes,
		[V9_LOSS_SKIPPED] = skipped,
		[V9_LOSS_MAPS] = l->places.dropped,
	}, sizeof(s->lost));
}

static void copy_types(struct v9_live_copy *s, const struct v9_live_profile *p)
{
	s->nr_types = 0;
	for (size_t i = 0; i < p->nr_types; i++)
		*v9_vec_add(s->types, s->nr_types) = p->types[i];
}

/* Copies the @most sums with the most samples. There are more. */
static void copy_largest(struct v9_live_copy *s, const struct v9_bins *sums, size_t most)
{
	struct v9_live_least least;

	if (s->room_sums < most) {
		s->room_sums = most;
		s->sums = v9_realloc(s->sums, most * sizeof(*s->sums));
	}
	s->nr_sums = 0;
	v9_live_least(&least, sums, sums->used - most);
	for (size_t i = 0; i < sums->used; i++) {
		const struct v9_live_sum *sum = v9_bins_get(sums, i);

		if (!v9_live_is_least(&least, sum)) {
			s->sums[s->nr_sums++] = *sum;
			continue;
		}
		s->evicted++;
		v9_live_evicted(&s->types, &s->nr_types, sum);
	}
}

void v9_live_copy_take(struct v9_live_copy *s, struct v9_live *l, size_t most)
{
	const struct v9_live_profile *p = &l->profile;
	const struct v9_live_map *m;

	v9_live_tidy(l);
	v9_live_account(l);
	copy_types(s, p);
	s->evicted = p->evicted;
	if (most && p->sums.used > most)
		copy_largest(s, &p->sums, most);
	else
		copy_bins((void **)&s->sums, &s->nr_sums, &s->room_sums, &p->sums);
	if (l->setup.classes)
		copy_bins((void **)&s->classes, &s->nr_classes, &s->room_classes, &p->classes);
	s->records = p->acc.records;
	s->trace_bytes = p->aux.bytes;
	copy_losses(s, l);
	copy_objects(s, &l->places);
	m = v9_live_maps(&l->places, V9_KERNEL_PID, &s->nr_kernel);
	s->kernel = v9_realloc(s->kernel, (s->nr_kernel + 1) * sizeof(*m));
	if (s->nr_kernel)
		memcpy(s->kernel, m, s->nr_kernel * sizeof(*m));
}

void v9_live_copy_free(struct v9_live_copy *s)
{
	free_objects(s);
	free(s->sums);
	free(s->classes);
	free(s->types);
	free(s->kernel);
	*s = (struct v9_live_copy){ .records = 0 };
}
