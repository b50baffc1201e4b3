// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "slow.h"

#include <stdlib.h>

#include "../capture/strtab.h"
#include "spe_stream.h"

#define SECOND_NS	1000000000u
#define MILLION		1000000u

struct v9_slow_ring {
	struct v9_spe_stream stream;
	uint32_t cpu;
};

bool v9_slow_is(const struct v9_slow *s, const struct v9_spe_rec *rec)
{
	if (!(rec->has & V9_SPE_REC_LAT_TOTAL) || rec->lat[V9_SPE_LAT_TOTAL] < s->least)
		return false;
	return !(rec->has & V9_SPE_REC_TS) || rec->ts >= s->from;
}

static struct v9_slow_ring *ring_of(struct v9_slow *s, size_t ring)
{
	while (s->nr_rings <= ring)
		(void)v9_vec_add(s->rings, s->nr_rings);
	return &s->rings[ring];
}

void v9_slow_data(struct v9_slow *s, size_t ring, uint32_t cpu, uint64_t offset, const uint8_t *a, size_t na,
		  const uint8_t *b, size_t nb)
{
	struct v9_slow_ring *r = ring_of(s, ring);

	r->cpu = cpu;
	v9_spe_stream_data(&r->stream, offset, a, na, b, nb);
}

void v9_slow_cut(struct v9_slow *s, size_t ring, uint64_t offset)
{
	v9_spe_stream_cut(&ring_of(s, ring)->stream, offset);
}

/* The first trigger, looked for in the data of one CPU after the other */
struct search {
	struct v9_slow *s;
	uint32_t cpu;
	struct v9_slow_hit *hit;
	bool found;
};

static void look_at(void *arg, const struct v9_spe_rec *rec)
{
	struct search *x = arg;

	if (x->found || !v9_slow_is(x->s, rec) || ++x->s->seen < x->s->count)
		return;
	x->found = true;
	x->s->seen = 0;
	*x->hit = (struct v9_slow_hit){
		.pc = rec->pc.addr, .ts = rec->ts, .cpu = x->cpu, .latency = rec->lat[V9_SPE_LAT_TOTAL],
		.has_pc = rec->has & V9_SPE_REC_PC, .has_ts = rec->has & V9_SPE_REC_TS,
	};
}

bool v9_slow_find(struct v9_slow *s, struct v9_slow_hit *hit)
{
	struct search x = { .s = s, .hit = hit };

	for (size_t i = 0; i < s->nr_rings; i++) {
		x.cpu = s->rings[i].cpu;
		v9_spe_stream_decode(&s->rings[i].stream, look_at, &x);
	}
	return x.found;
}

void v9_slow_free(struct v9_slow *s)
{
	for (size_t i = 0; i < s->nr_rings; i++)
		v9_spe_stream_free(&s->rings[i].stream);
	free(s->rings);
	s->rings = NULL;
	s->nr_rings = 0;
}

uint32_t v9_slow_watermark(uint64_t hz, uint64_t period, uint64_t ns, uint64_t aux_bytes)
{
	const unsigned __int128 records = (unsigned __int128)hz * ns / SECOND_NS / (period ? period : 1);
	const uint64_t most = aux_bytes / 2 < UINT32_MAX ? aux_bytes / 2 : UINT32_MAX;
	unsigned __int128 bytes = (records < V9_SLOW_FEW ? V9_SLOW_FEW : records) * V9_SLOW_RECORD;

	return (uint32_t)(bytes < most ? bytes : most);
}

bool v9_slow_closes(uint64_t bytes)
{
	return bytes < V9_SLOW_FEW * V9_SLOW_RECORD;
}

uint64_t v9_slow_rest(uint64_t delay, uint64_t cost, unsigned int cpus, uint32_t ppm)
{
	const unsigned __int128 least = cpus ? (unsigned __int128)cost * MILLION / ((uint64_t)ppm * cpus) : 0;

	return least <= delay / 2 ? delay / 2 : least < UINT64_MAX ? (uint64_t)least : UINT64_MAX;
}

static bool next_time(struct v9_ete_dec *d, uint64_t *first)
{
	struct v9_ete_elem e;
	int ret;

	while ((ret = v9_ete_dec_next(d, &e)) > 0)
		if (e.kind == V9_EL_TIMESTAMP && e.addr) {
			*first = e.addr;
			return true;
		}
	if (ret < 0)
		v9_out_of_memory();
	return false;
}

bool v9_slow_first_time(const struct v9_ete_setup *unit, const uint8_t *a, size_t na, const uint8_t *b,
			size_t nb, uint64_t *first)
{
	struct v9_ete_dec *d = v9_ete_dec_new(unit);
	bool found;

	if (!d)
		v9_out_of_memory();
	v9_ete_dec_feed(d, a, na, 0);
	found = next_time(d, first);
	if (!found) {
		v9_ete_dec_feed(d, b, nb, na);
		found = next_time(d, first);
	}
	v9_ete_dec_delete(d);
	return found;
}

enum v9_slow_path v9_slow_path(const struct v9_slow_hit *hit, const uint64_t *first)
{
	if (!hit->has_ts || !first)
		return V9_SLOW_UNKNOWN;
	return *first <= hit->ts ? V9_SLOW_REACHES : V9_SLOW_OVERWRITTEN;
}
