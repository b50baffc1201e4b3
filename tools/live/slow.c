// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "slow.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/strtab.h"
#include "../util.h"

#define SECOND_NS	1000000000u
#define MILLION		1000000u

struct v9_slow_ring {
	struct v9_spe_dec *dec;		/* NULL: there was no data yet */
	struct v9_blob data;		/* that was not decoded yet */
	uint64_t at;			/* offset of its first byte in the stream */
	uint64_t *cuts;			/* ascending */
	size_t nr_cuts;
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
	if (!r->data.len)
		r->at = offset;
	v9_blob_put(&r->data, a, na);
	v9_blob_put(&r->data, b, nb);
}

void v9_slow_cut(struct v9_slow *s, size_t ring, uint64_t offset)
{
	struct v9_slow_ring *r = ring_of(s, ring);

	*v9_vec_add(r->cuts, r->nr_cuts) = offset;
}

/* Decodes what the decoder was given. */
static bool decode(struct v9_slow *s, const struct v9_slow_ring *r, struct v9_slow_hit *hit, bool found)
{
	struct v9_spe_rec rec;
	int ret;

	while ((ret = v9_spe_dec_next(r->dec, &rec)) > 0) {
		if (found || !v9_slow_is(s, &rec) || ++s->seen < s->count)
			continue;
		found = true;
		s->seen = 0;
		*hit = (struct v9_slow_hit){
			.pc = rec.pc.addr, .ts = rec.ts, .cpu = r->cpu, .latency = rec.lat[V9_SPE_LAT_TOTAL],
			.has_pc = rec.has & V9_SPE_REC_PC, .has_ts = rec.has & V9_SPE_REC_TS,
		};
	}
	if (ret < 0)
		v9_out_of_memory();
	return found;
}

static bool find_in(struct v9_slow *s, struct v9_slow_ring *r, struct v9_slow_hit *hit, bool found)
{
	const uint64_t end = r->at + r->data.len;
	size_t done = 0, cut = 0;

	if (!r->dec && !(r->dec = v9_spe_dec_new()))
		v9_out_of_memory();
	while (done < r->data.len) {
		size_t part = r->data.len - done;

		while (cut < r->nr_cuts && r->cuts[cut] <= r->at + done)
			cut++;
		if (cut < r->nr_cuts && r->cuts[cut] < end)
			part = r->cuts[cut] - r->at - done;
		v9_spe_dec_feed(r->dec, r->data.data + done, part, r->at + done);
		found = decode(s, r, hit, found);
		done += part;
		if (cut < r->nr_cuts && r->cuts[cut] == r->at + done)
			v9_spe_dec_end(r->dec, V9_SPE_SKIP_LOSS);
	}
	r->data.len = 0;
	/* One behind the end is of data that comes yet. */
	while (cut < r->nr_cuts && r->cuts[cut] <= end)
		cut++;
	r->nr_cuts -= cut;
	if (cut && r->nr_cuts)
		memmove(r->cuts, r->cuts + cut, r->nr_cuts * sizeof(*r->cuts));
	return found;
}

bool v9_slow_find(struct v9_slow *s, struct v9_slow_hit *hit)
{
	bool found = false;

	for (size_t i = 0; i < s->nr_rings; i++)
		if (s->rings[i].data.len)
			found = find_in(s, &s->rings[i], hit, found);
	return found;
}

void v9_slow_free(struct v9_slow *s)
{
	for (size_t i = 0; i < s->nr_rings; i++) {
		v9_spe_dec_delete(s->rings[i].dec);
		v9_blob_free(&s->rings[i].data);
		free(s->rings[i].cuts);
	}
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
