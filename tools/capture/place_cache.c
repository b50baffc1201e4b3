// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "place_cache.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES	(1u << 12)

_Static_assert(sizeof(struct v9_placed) == 64, "an entry is a cache line");

void v9_place_cache_init(struct v9_place_cache *c, struct v9_lookup *lookup)
{
	*c = (struct v9_place_cache){ .lookup = lookup, .epochs.syms = &lookup->s->syms,
				      .placed = aligned_alloc(_Alignof(struct v9_placed), ENTRIES * sizeof(*c->placed)) };
	if (!c->placed)
		v9_out_of_memory();
	memset(c->placed, 0, ENTRIES * sizeof(*c->placed));
}

void v9_place_cache_free(struct v9_place_cache *c)
{
	free(c->placed);
	c->placed = NULL;
}

struct v9_place_key v9_place_key(struct v9_place_cache *c, const struct v9_sampled *at, uint64_t addr)
{
	return (struct v9_place_key){ .addr = addr, .epoch = v9_epochs_at(&c->epochs, v9_sampled_time(at)),
				      .pid = at->pid };
}

const struct v9_place *v9_place_cached(struct v9_place_cache *c, const struct v9_sampled *at, uint64_t addr)
{
	const struct v9_place_key key = v9_place_key(c, at, addr);
	struct v9_placed *p = &c->placed[(addr >> 2 ^ addr >> 14) % ENTRIES];

	if (!p->place.dso_name || !v9_place_key_same(&p->key, &key)) {
		p->key = key;
		v9_lookup_place(c->lookup, at->pid, v9_sampled_time(at), addr, &p->place);
	}
	return &p->place;
}
