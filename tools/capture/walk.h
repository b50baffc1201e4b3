/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decoding of one stream, segment by segment, with the task and time of each record, and counters.
 * trace.c and workers.c determine the order of segments and the thread that decodes them.
 */
#ifndef V9TRACE_CAPTURE_WALK_H
#define V9TRACE_CAPTURE_WALK_H

#include "trace.h"
#include "when.h"

/* Decodable bytes of one AUX record that are contiguous in the file */
struct v9_segment {
	const struct v9_extent *st;
	const struct v9_trace_unit *unit;
	const uint8_t *p;
	uint64_t at;			/* offset in the stream */
	size_t n;
	size_t stream;
	bool first;			/* the first segment of its AUX record */
	bool restart;			/* the decoder is reset before it */
};

/* A buffer and its segments */
struct v9_stream {
	struct v9_queue *q;
	size_t *segment;			/* indices into v9_trace.segments */
	size_t nr_segments;
	/* used by v9_trace_plan() */
	const struct v9_trace_unit *unit;
	uint64_t end, claimed;
	bool open, lossy;
};

struct v9_walk {
	const struct v9_trace *t;
	const struct v9_listener *listener;	/* NULL: results are dropped */
	struct v9_trace_sums *sums;
	size_t stream;
	const struct v9_trace_unit *unit;	/* NULL: no decoder */
	const struct v9_segment *segment;	/* current segment */
	uint64_t pos;			/* offset in the stream up to which it was decoded */
	struct v9_flow *flow;
	struct v9_when when;
	size_t piece;			/* current index into .when.piece */
	bool in_piece;
	uint64_t time;			/* time for look-ups */
	/* What was traced from .at on has .time. Kept until all older elements are committed. */
	struct v9_walk_later {
		uint64_t at, time;
		bool record;		/* a new AUX record begins there */
	} *later;
	size_t nr_later;
	struct v9_sampled at;
	uint32_t id;			/* id of the context that .at was set from */
	uint8_t el;			/* Exception level of that context */
	uint64_t stamp;			/* last timestamp, ns */
	bool open, has_id, has_stamp, ids;
	struct v9_ete_account acc;	/* counters of the decoder at v9_walk_begin_sums() */
	struct v9_flow_counts counts;
};

/* The state that determines the results for the following bytes */
struct v9_walk_mark {
	struct v9_flow_mark flow;
	struct v9_sampled at;
	uint64_t time, stamp;
	uint32_t id;
	uint8_t el;
	bool has_id, has_stamp, ids;
};

/* Gets the setup of a decoder for @u, without code. */
void v9_walk_setup(const struct v9_trace_unit *u, struct v9_ete_setup *setup);

void v9_walk_init(struct v9_walk *w, const struct v9_trace *t, struct v9_trace_sums *sums);
void v9_walk_free(struct v9_walk *w);

/* Starts the next segment of the stream, after the last one was decoded completely. */
void v9_walk_segment(struct v9_walk *w, const struct v9_segment *segment);

/* Starts at an Alignment Synchronization at @at of any segment, with a reset decoder. */
void v9_walk_jump(struct v9_walk *w, const struct v9_segment *segment, uint64_t at);

/* Decodes the segment up to the offset @to of the stream. Returns earlier if v9_stopped() becomes true. */
void v9_walk_to(struct v9_walk *w, uint64_t to);

/* Ends the stream and outputs pending records. */
void v9_walk_close(struct v9_walk *w);

/* What the decoder counts between these two calls is added to the sums of the stream. */
void v9_walk_begin_sums(struct v9_walk *w);
void v9_walk_end_sums(struct v9_walk *w);

/* Gets the state. Returns false if states cannot be compared here. */
bool v9_walk_mark(const struct v9_walk *w, struct v9_walk_mark *m);
bool v9_walk_same_state(const struct v9_walk_mark *a, const struct v9_walk_mark *b);

void v9_sums_add(struct v9_trace_sums *to, const struct v9_trace_sums *from);
void v9_sums_free(struct v9_trace_sums *s);

#endif
