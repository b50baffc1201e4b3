/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A copy of the sums of SPE records at a time, so that decoding waits for the copy alone. */
#ifndef V9TRACE_TOP_STATE_H
#define V9TRACE_TOP_STATE_H

#include "../live/live.h"

enum v9_top_loss {
	V9_TOP_TRUNCATED, V9_TOP_COLLISION, V9_TOP_PARTIAL, V9_TOP_LOST_RECORDS, V9_TOP_LOST_SAMPLES,
	V9_TOP_CPU_AWAY, V9_TOP_LATE, V9_TOP_SKIPPED, V9_TOP_MAPS, V9_TOP_LOSSES
};

/* "N TEXT" */
extern const struct v9_top_loss_name { const char *key, *text; } v9_top_loss_name[V9_TOP_LOSSES];

struct v9_top_object {
	char *name;			/* NULL: a free entry */
	uint8_t id[V9_LIVE_ID], id_size;
	bool file;
};

struct v9_top_state {
	struct v9_live_sum *sums;
	size_t nr_sums, room_sums;
	struct v9_live_class *classes;
	size_t nr_classes, room_classes;
	uint64_t evicted_value[V9_SPE_WEIGHTS], evicted;
	uint64_t records, trace_bytes;
	uint64_t lost[V9_TOP_LOSSES];
	struct v9_top_object *objects;	/* by index, as in struct v9_live_sum */
	size_t nr_objects;
	struct v9_live_map *kernel;	/* its mappings */
	size_t nr_kernel;
};

/* Copies what there is now. Memory of @s is used again. Objects that have no sum any more are removed. */
void v9_top_copy(struct v9_top_state *s, struct v9_live *l);
void v9_top_state_free(struct v9_top_state *s);

#endif
