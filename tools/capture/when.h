/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Times of parts of a trace. The program at an address changes at an exec or a new mapping, and an
 * AUX record may span many of these. Timestamps in the trace show which program an address belongs
 * to. Most units generate one after each entry to or exit from the kernel, with the next P0 element.
 * So the trace between a timestamp and the previous one, or the start of tracing, gets the time of
 * the later timestamp.
 *
 * A unit may generate it later (R_DWCYP), so that there is an exec in between. After an exec a task does not
 * continue where it entered the kernel (nor in the handler of a signal). What the trace has of that task without a
 * timestamp before the first such place gets the time of the earlier timestamp.
 *
 * This code decodes packets before the flow decoder does. It is used only for captures in which
 * programs change, up to the last change.
 */
#ifndef V9TRACE_CAPTURE_WHEN_H
#define V9TRACE_CAPTURE_WHEN_H

#include "../lib/v9ete.h"
#include "session.h"

/* The bytes of the stream before @end were executed at @time. */
struct v9_when_piece {
	uint64_t end, time;
	bool has_time;
};

/* A part of the trace at EL0, without a timestamp so far */
struct v9_when_part {
	uint64_t from, end, task;
	bool before;		/* the task did not continue where it left this part or a later one */
};

#define V9_WHEN_PARTS	256	/* further ones get the time of the next timestamp */
#define V9_WHEN_TASKS	64	/* by hash of the context; one that replaces another is not told from an exec */

struct v9_when {
	const struct v9_session *s;
	struct v9_ete_dec *dec;
	struct v9_when_piece *piece;	/* of the last feed */
	size_t nr, room;
	uint64_t last;			/* last timestamp since tracing started, ns */
	bool has_last, open;
	uint64_t from;			/* last timestamp of all, ns; 0: there was none */
	struct v9_ete_context ctx;
	uint64_t user;			/* offset of the element with which execution at EL0 began */
	bool arrives;			/* no P0 element followed yet */
	uint64_t p0, marked;		/* offsets of the last P0 element, and of that before a Timestamp Marker; or 0 */
	uint64_t addr;			/* of the last Address element */
	struct v9_when_part part[V9_WHEN_PARTS];
	size_t nr_parts;
	bool in_part;			/* the last of them goes on */
	uint64_t stamps;		/* timestamps so far, + 1 */
	/* Where tasks left EL0; .stamps when one continued elsewhere */
	struct v9_when_back { uint64_t task, addr, moved; } back[V9_WHEN_TASKS];
	bool past;			/* after the last change: times make no difference */
};

/* Returns true if programs change and the unit's timestamps can be converted to perf's clock. */
bool v9_when_wanted(const struct v9_session *s, const struct v9_trace_unit *u);

/* Starts a stream. @w is zeroed, or was used before. */
void v9_when_start(struct v9_when *w, const struct v9_session *s,
		   const struct v9_ete_setup *setup);

/*
 * Adds bytes of the stream. After that .piece[0 .. nr) cover them, up to the point at which .past
 * became true. The first ones may be of bytes before them, whose elements a unit that speculates has resolved now.
 */
void v9_when_feed(struct v9_when *w, const uint8_t *p, size_t n, uint64_t offset);

/* Returns the number of changes of programs before @time. */
size_t v9_when_epoch(const struct v9_session *s, uint64_t time);
void v9_when_free(struct v9_when *w);

#endif
