/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The last look-ups of places. A look-up takes a lock and searches; most addresses of a trace occur again
 * soon. One thread uses a cache.
 */
#ifndef V9TRACE_CAPTURE_PLACE_CACHE_H
#define V9TRACE_CAPTURE_PLACE_CACHE_H

#include "lookup.h"

/* What decides about the place of an address */
struct v9_place_key {
	uint64_t addr;
	size_t epoch;
	uint32_t pid;
};

static inline bool v9_place_key_same(const struct v9_place_key *a, const struct v9_place_key *b)
{
	return a->addr == b->addr && a->epoch == b->epoch && a->pid == b->pid;
}

struct v9_place_cache {
	struct v9_lookup *lookup;
	struct v9_epochs epochs;
	struct v9_placed {
		_Alignas(64) struct v9_place_key key;	/* an entry is a cache line */
		struct v9_place place;	/* .dso_name NULL: the entry is empty */
	} *placed;
};

void v9_place_cache_init(struct v9_place_cache *c, struct v9_lookup *lookup);
void v9_place_cache_free(struct v9_place_cache *c);

/* The key of an address at what @at says of process and time */
struct v9_place_key v9_place_key(struct v9_place_cache *c, const struct v9_sampled *at, uint64_t addr);

/* Looks up the place of an address, as v9_lookup_place(). The result is valid until the next call. */
const struct v9_place *v9_place_cached(struct v9_place_cache *c, const struct v9_sampled *at, uint64_t addr);

#endif
