/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A copy of the sums of SPE records at a time, so that decoding waits for the copy alone. */
#ifndef V9TRACE_LIVE_COPY_H
#define V9TRACE_LIVE_COPY_H

#include "live.h"

enum v9_live_loss {
	V9_LOSS_TRUNCATED, V9_LOSS_COLLISION, V9_LOSS_PARTIAL, V9_LOSS_LOST_RECORDS, V9_LOSS_LOST_SAMPLES,
	V9_LOSS_CPU_AWAY, V9_LOSS_PAUSED, V9_LOSS_LATE, V9_LOSS_SKIPPED, V9_LOSS_MAPS,
	V9_LIVE_LOSSES
};

/* "N TEXT" */
extern const struct v9_live_loss_name { const char *key, *text; } v9_live_loss_name[V9_LIVE_LOSSES];

struct v9_live_copy {
	struct v9_live_sum *sums;
	size_t nr_sums, room_sums;
	struct v9_live_class *classes;
	size_t nr_classes, room_classes;
	struct v9_live_type *types;	/* .evicted: of what .sums leaves out */
	size_t nr_types;
	uint64_t evicted;		/* sums that .sums leaves out */
	uint64_t records, trace_bytes;
	uint64_t lost[V9_LIVE_LOSSES];
	struct v9_live_object *objects;	/* by index, as in struct v9_live_sum */
	size_t nr_objects;
	struct v9_live_map *kernel;	/* its mappings */
	size_t nr_kernel;
};

/*
 * Copies what there is now: at most @most sums, those with the most samples; 0: all. Memory of @s is used again.
 * Objects that have no sum any more are removed.
 */
void v9_live_copy_take(struct v9_live_copy *s, struct v9_live *l, size_t most);
void v9_live_copy_free(struct v9_live_copy *s);

#endif
