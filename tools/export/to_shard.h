/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sinks that add the sums of a capture to a shard: x->state is a struct v9_shard_sink. */
#ifndef V9TRACE_EXPORT_TO_SHARD_H
#define V9TRACE_EXPORT_TO_SHARD_H

#include "../report/shard.h"
#include "export.h"

struct v9_shard_sink {
	struct v9_shard *shard;
	bool flat;			/* without call paths */
	/* of the capture that is read */
	char *id;
	char *event[V9_KINDS];
	uint64_t period[V9_KINDS];
	struct { uint64_t midr, period, number; } last[V9_KINDS];	/* the source of the last sum */
	struct v9_bins objects;		/* object and name -> number in the shard */
	struct v9_bins places;		/* address, function, object and name -> number in the shard */
	uint64_t *numbered;		/* v9_stack.place -> number in the shard; 0: not looked up yet */
	size_t nr_numbered;
	struct v9_bins labels;		/* v9_stack.labels -> source, operation, data source in the shard */
	struct v9_branch_end from;	/* of the branch before: they come in the order of these */
	uint64_t from_number;		/* of its place in the shard; 0: none */
};

extern const struct v9_sink v9_sink_shard, v9_sink_shard_flat;

/*
 * Sums of SPE records without a capture, of the events x->r.s.file.attrs: begins a capture with that id,
 * counts it for a CPU type (0: not known) and a period (0: that of the event), and adds a sum of these.
 */
void v9_shard_sink_live(struct v9_export *x, const char *id);
void v9_shard_sink_type(struct v9_export *x, uint64_t midr, uint64_t period);
void v9_shard_sink_sum(struct v9_export *x, uint64_t midr, uint64_t period, const struct v9_stack *s);

/* Call it after each capture. */
void v9_shard_sink_clear(struct v9_shard_sink *k);

#endif
