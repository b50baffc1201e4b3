/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decoding with several threads. The trace is cut into pieces: at decoder resets, and at Alignment
 * Synchronizations in between. A thread that starts at a synchronization produces no results until
 * its state is complete. The thread of the piece before continues to the same offset. If both have
 * the same state there, the results of the second are used from that offset. Otherwise the first
 * continues, and the results of the second are discarded. So the result does not depend on the
 * number of threads or on the cuts.
 */
#ifndef V9TRACE_CAPTURE_WORKERS_H
#define V9TRACE_CAPTURE_WORKERS_H

#include "trace.h"

/**
 * struct v9_workers - parallel decoding
 * @threads: number of threads
 * @grain: approximate size of a piece in bytes; 0: chosen automatically
 * @arg: argument of @create, @merge and @full
 * @create: creates the consumer of a thread; may be called from any thread
 * @begin_segment: the following records are of that segment; parts of one segment are ordered by
 *	@key. May be NULL
 * @end_segment: the segment is complete. May be NULL
 * @result: returns the results of a consumer since the last call
 * @merge: adds a part of the results; called for one part at a time, in any order
 * @discard: frees a part that is not used
 * @full: returns true if no thread should start another piece, because too many results are
 *	pending. May be NULL
 * @destroy: frees a consumer
 */
struct v9_workers {
	unsigned int threads;
	uint64_t grain;
	void *arg;
	struct v9_listener *(*create)(void *arg);
	void (*begin_segment)(struct v9_listener *listener, size_t segment, uint64_t key);
	void (*end_segment)(struct v9_listener *listener);
	void *(*result)(struct v9_listener *listener);
	void (*merge)(void *arg, void *result);
	void (*discard)(void *result);
	bool (*full)(void *arg);
	void (*destroy)(struct v9_listener *listener);
};

/* Decodes the segments of @t. Returns false, without effect, if one thread is sufficient. */
bool v9_workers_run(struct v9_trace *t, const struct v9_workers *workers);

#endif
