/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * When pieces of a trace were executed. An address means another program after an
 * exec or another map, and an AUX record may span many of these; timestamps in the
 * trace say which. The unit makes one after each way into or out of the kernel, as
 * soon as something was executed behind it: so what stands before a timestamp, back
 * to the one before or to where tracing began, is of the same time.
 *
 * This runs through the packets ahead of the decoder of the flow. It is only for
 * captures in which programs change at all, and up to the last change.
 */
#ifndef V9TRACE_CAPTURE_WHEN_H
#define V9TRACE_CAPTURE_WHEN_H

#include "../lib/v9ete.h"
#include "session.h"

/* Bytes of the stream up to @end are of @time. */
struct v9_when_piece {
	uint64_t end, time;
	bool has_time;
};

struct v9_when {
	const struct v9_session *s;
	struct v9_ete_dec *dec;
	struct v9_when_piece *piece;	/* of what was fed last */
	size_t nr, room;
	uint64_t last;			/* the latest timestamp since tracing began, ns */
	bool has_last, open;
	bool past;			/* the last change: all that follows is of one time */
};

/* Times can only be told if the unit's timestamps are of the clock of the side-band. */
bool v9_when_wanted(const struct v9_session *s, const struct v9_trace_unit *u);

/* Start a stream. @w is zero, or was used before. */
void v9_when_start(struct v9_when *w, const struct v9_session *s,
		   const struct v9_ete_setup *setup);

/*
 * The next stretch of the stream; then .piece[0 .. nr) cover it, up to where .past became true: of
 * what follows, the time makes no difference.
 */
void v9_when_feed(struct v9_when *w, const uint8_t *p, size_t n, uint64_t offset);

/* How many changes of programs lie before that time. */
size_t v9_when_epoch(const struct v9_session *s, uint64_t time);
void v9_when_free(struct v9_when *w);

#endif
