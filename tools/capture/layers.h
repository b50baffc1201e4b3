/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Mappings that overlap: which one has an address at a time. A capture can have any number of mappings
 * over one address, so that a look-up must not try each of them. A segment tree over the addresses at
 * which mappings begin or end: each node has the mappings that cover its addresses, by time.
 */
#ifndef V9TRACE_CAPTURE_LAYERS_H
#define V9TRACE_CAPTURE_LAYERS_H

#include "sym.h"

/* @maps must not change from now on. */
void v9_layers_build(struct v9_layers *l, const struct v9_map *maps, size_t n);

/*
 * Returns the latest mapping of @addr that began at @time or before; if there is none, the oldest one;
 * NULL if no mapping has the address. Of several that began at one time: the last one in @maps.
 */
const struct v9_map *v9_layers_find(const struct v9_layers *l, const struct v9_map *maps, uint64_t addr,
				    uint64_t time);

void v9_layers_free(struct v9_layers *l);

#endif
