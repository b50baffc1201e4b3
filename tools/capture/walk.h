/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One buffer's way through the decoder, segment by segment: who ran, when, and what is counted. The
 * order of segments and who walks them is the business of trace.c and workers.c.
 */
#ifndef V9TRACE_CAPTURE_WALK_H
#define V9TRACE_CAPTURE_WALK_H

#include "trace.h"
#include "when.h"

/* Bytes of one AUX record that lie together in the file, and are a trace that can be decoded. */
struct v9_segment {
	const struct v9_extent *st;
	const struct v9_trace_unit *unit;
	const uint8_t *p;
	uint64_t at;			/* in the stream */
	size_t n;
	size_t stream;
	bool first;			/* of its AUX record */
	bool restart;			/* what came before says nothing about it */
};

/* A buffer, and which segments are its. */
struct v9_stream {
	struct v9_queue *q;
	size_t *segment;			/* into v9_trace.segments */
	size_t nr_segments;
	/* while the segments are made */
	const struct v9_trace_unit *unit;
	uint64_t end, claimed;
	bool open, lossy;
};

struct v9_walk {
	const struct v9_trace *t;
	const struct v9_listener *listener;	/* NULL: nobody listens yet */
	struct v9_trace_sums *sums;
	size_t stream;
	const struct v9_trace_unit *unit;	/* NULL: no decoder */
	const struct v9_segment *segment;	/* at hand */
	uint64_t pos;			/* in the stream: decoded up to here */
	struct v9_flow *flow;
	struct v9_when when;
	size_t piece;			/* of .when, at hand */
	bool in_piece;
	uint64_t time;			/* of what is decoded now, for look-ups */
	struct v9_sampled at;
	uint32_t id;			/* of the context that .at was made for */
	uint8_t el;			/* and its exception level */
	uint64_t stamp;			/* ns, of the last timestamp */
	bool open, has_id, has_stamp, ids;
	struct v9_ete_account acc;	/* what the decoder had counted before the sums were ours */
	struct v9_flow_counts counts;
};

/* All that decides what a walk will say of the bytes to come. */
struct v9_walk_mark {
	struct v9_flow_mark flow;
	struct v9_sampled at;
	uint64_t time, stamp;
	uint32_t id;
	uint8_t el;
	bool has_id, has_stamp, ids;
};

void v9_walk_init(struct v9_walk *w, const struct v9_trace *t, struct v9_trace_sums *sums);
void v9_walk_free(struct v9_walk *w);

/* The next segment of the stream; the one before must have been walked to its end. */
void v9_walk_segment(struct v9_walk *w, const struct v9_segment *segment);

/* A segment of any stream, from an Alignment Synchronization at @at on, as if nothing was known. */
void v9_walk_jump(struct v9_walk *w, const struct v9_segment *segment, uint64_t at);

/* Through the segment, up to @to in the stream. */
void v9_walk_to(struct v9_walk *w, uint64_t to);

/* The stream ends here: what was held back is said. */
void v9_walk_close(struct v9_walk *w);

/* From here on counts count; up to here they go into the sums. */
void v9_walk_begin_sums(struct v9_walk *w);
void v9_walk_end_sums(struct v9_walk *w);

/* False: this is no place to compare. */
bool v9_walk_mark(const struct v9_walk *w, struct v9_walk_mark *m);
bool v9_walk_same_state(const struct v9_walk_mark *a, const struct v9_walk_mark *b);

void v9_sums_add(struct v9_trace_sums *to, const struct v9_trace_sums *from);
void v9_sums_free(struct v9_trace_sums *s);

#endif
