/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The last look-ups of places. A look-up takes a lock and searches; most addresses of a trace occur again
 * soon, or are of the object of the one before. One thread uses a cache.
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

/* A place, with the sizes of its names */
struct v9_placed {
	_Alignas(64) struct v9_place_key key;	/* an entry is a cache line */
	struct v9_place place;		/* .dso_name NULL: the entry is empty */
	/*
	 * Bytes of the function's name, or of "[unknown]", and of the object's name, and its last ones without the
	 * directory. All three are 0 if a name is long, or has a character to escape, in JSON or for a terminal.
	 */
	uint16_t func_size, dso_size, base_size;
};

struct v9_place_cache {
	struct v9_lookup *lookup;
	struct v9_epochs epochs;
	const struct v9_map *sole;	/* v9_syms_sole_map() of the last address that was looked up, or NULL */
	struct v9_place_key sole_key;
	const char *dso;		/* the last object's name, with the sizes of its places */
	uint16_t dso_size, base_size;
	struct v9_placed *placed;
	void *memory;			/* of .placed */
	unsigned int shift;		/* 64 - log2 of the number of entries */
};

#define V9_NO_FUNC	"[unknown]"
#define V9_PLACES_ORDER	12		/* of a cache of most addresses of a trace */
#define V9_PLACED_MOST	512u		/* bytes of both names, if they have sizes */

/* @order: log2 of the number of entries, 1 to 31 */
void v9_place_cache_init(struct v9_place_cache *c, struct v9_lookup *lookup, unsigned int order);
void v9_place_cache_free(struct v9_place_cache *c);

/* The key of an address at what @at says of process and time */
struct v9_place_key v9_place_key(struct v9_place_cache *c, const struct v9_sampled *at, uint64_t addr);

/* Looks up the place of an address, as v9_lookup_place(). The result is valid until the next call. */
const struct v9_placed *v9_placed(struct v9_place_cache *c, const struct v9_sampled *at, uint64_t addr);

static inline const struct v9_place *v9_place_cached(struct v9_place_cache *c, const struct v9_sampled *at,
						     uint64_t addr)
{
	return &v9_placed(c, at, addr)->place;
}

#endif
