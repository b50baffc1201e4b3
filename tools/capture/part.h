/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Parts of a capture, which several machines decode, each one part. All side-band records are read for
 * each part; of the trace bytes only those of the part, and a little of the neighbours. The sums of
 * all parts are those of the whole capture.
 *
 * The bytes of all buffers, one buffer after the other, are divided evenly. Each border moves to the
 * next place where decoding can begin: of SPE the begin of an AUX record, of ETE a reset of the decoder
 * or an Alignment Synchronization after which the state is complete. What is counted once for the
 * capture (losses that perf reports) is in the first part.
 */
#ifndef V9TRACE_CAPTURE_PART_H
#define V9TRACE_CAPTURE_PART_H

#include "trace.h"

#define V9_PARTS_MOST	100000

/*
 * Restricts the session to part @part of @parts, from 1. Returns NULL, or why the capture cannot be
 * divided.
 */
const char *v9_session_part(struct v9_session *s, unsigned int part, unsigned int parts);

/*
 * Call it after all SPE records of the part were read. Returns NULL, or why the part does not fit its
 * neighbours: a record goes over the border, or damage makes it unclear where records begin.
 */
const char *v9_session_part_torn(const struct v9_session *s);

/* Which part a position of @all bytes belongs to, from 1 */
unsigned int v9_part_of(uint64_t position, uint64_t all, unsigned int parts);

/**
 * struct v9_part_listener - what decodes a part of an ETE trace
 * @enter: what follows begins within a stream; the part before has what is not complete there
 * @leave: the part ends; the listener is told what completes that until @left returns true
 * @own: is called with false when what follows is not of this part, and with true when it is
 * @place: NULL, or is told the place of what follows in the order in which v9_trace_run() decodes for a
 *	listener with .by_time: by @time, then @stream, then @offset.
 *	@time is that of a timestamp (v9_trace_has_order()), or the number of the AUX record
 */
struct v9_part_listener {
	const struct v9_listener *listener;
	void (*enter)(void *arg, size_t stream);
	void (*leave)(void *arg, size_t stream);
	bool (*left)(void *arg, size_t stream);
	void (*own)(void *arg, bool own);
	void *arg;
	void (*place)(void *arg, uint64_t time, size_t stream, uint64_t offset);
};

/*
 * Decodes the part of the session of an ETE trace, after v9_trace_plan(). Returns NULL, or why the
 * part does not fit its neighbours.
 */
const char *v9_trace_run_part(struct v9_trace *t, const struct v9_part_listener *listener);

#endif
