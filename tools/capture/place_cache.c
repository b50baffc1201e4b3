// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "place_cache.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

_Static_assert(sizeof(struct v9_placed) == 64, "an entry is a cache line");

void v9_place_cache_init(struct v9_place_cache *c, struct v9_lookup *lookup, unsigned int order)
{
	const uintptr_t align = _Alignof(struct v9_placed);

	*c = (struct v9_place_cache){ .lookup = lookup, .epochs.syms = &lookup->s->syms,
				      .shift = 64 - order };
	/* Zeroed by the kernel: entries that are not used need no memory. */
	c->memory = v9_alloc((sizeof(*c->placed) << order) + align);
	c->placed = (struct v9_placed *)(((uintptr_t)c->memory + align - 1) & ~(align - 1));
}

void v9_place_cache_free(struct v9_place_cache *c)
{
	free(c->memory);
	c->memory = NULL;
}

struct v9_place_key v9_place_key(struct v9_place_cache *c, const struct v9_sampled *at, uint64_t addr)
{
	return (struct v9_place_key){ .addr = addr, .epoch = v9_epochs_at(&c->epochs, v9_sampled_time(at)),
				      .pid = at->pid };
}

/* Sets the bytes of a name. Returns false if it is long, or has a character to escape. */
static bool plain_size(uint16_t *size, const char *name)
{
	const size_t n = strlen(name);

	*size = (uint16_t)n;
	return n <= V9_PLACED_MOST / 2 && v9_plain_bytes(name, n) == n;
}

/* Most places are of the same object as the one before, whose sizes are kept. */
static void set_sizes(struct v9_place_cache *c, struct v9_placed *p)
{
	const char *dso = p->place.dso_name;

	if (dso != c->dso) {
		c->dso = dso;
		if (!plain_size(&c->dso_size, dso))
			c->dso_size = 0;
		c->base_size = c->dso_size ? (uint16_t)(c->dso_size - (v9_base_name(dso) - dso)) : 0;
	}
	p->dso_size = c->dso_size;
	p->base_size = c->base_size;
	if (!plain_size(&p->func_size, p->place.func ? p->place.func->name : V9_NO_FUNC) || !p->dso_size)
		p->func_size = p->dso_size = p->base_size = 0;
}

static void look_up(struct v9_place_cache *c, const struct v9_sampled *at, const struct v9_place_key *k,
		    struct v9_place *place)
{
	const struct v9_map *m = c->sole;
	const uint64_t time = v9_sampled_time(at);

	if (m && k->addr >= m->start && k->addr < m->end && k->epoch == c->sole_key.epoch && k->pid == c->sole_key.pid) {
		v9_map_place(m, k->addr, place);
		return;
	}
	v9_lookup_place(c->lookup, at->pid, time, k->addr, place);
	c->sole = v9_lookup_sole_map(c->lookup, at->pid, time, k->addr);
	c->sole_key = *k;
}

const struct v9_placed *v9_placed(struct v9_place_cache *c, const struct v9_sampled *at, uint64_t addr)
{
	const struct v9_place_key key = v9_place_key(c, at, addr);
	struct v9_placed *p = &c->placed[addr * UINT64_C(0x9e3779b97f4a7c15) >> c->shift];

	if (!p->place.dso_name || !v9_place_key_same(&p->key, &key)) {
		p->key = key;
		look_up(c, at, &key, &p->place);
		set_sizes(c, p);
	}
	return p;
}
