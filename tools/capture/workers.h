/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Several threads on one trace. It is cut into pieces, where decoding begins anew by itself and at
 * synchronizations in between. Who begins at one of these says nothing until it knows as much as
 * the one that comes from before; that one goes on to the same place, and if both know the same
 * there, the second takes over. Else the first goes on and what the second says is forgotten. So
 * what comes out does not depend on how many they are or where the cuts lie.
 */
#ifndef V9TRACE_CAPTURE_WORKERS_H
#define V9TRACE_CAPTURE_WORKERS_H

#include "trace.h"

/**
 * struct v9_workers - who decodes, and what becomes of it
 * @threads: how many
 * @grain: bytes of trace in a piece, about; 0: as seems best
 * @arg: of hire and join
 * @create: for each thread one who is told; may be called from any thread
 * @begin_segment: what he is told next is of that segment; parts of one segment follow each other by @key; or
 *        NULL
 * @end_segment: the segment is at its end; or NULL
 * @result: what he was told since the last time
 * @merge: a part that counts; one at a time, in any order
 * @discard: a part that does not
 * @full: so much was joined and forgotten nowhere that none should begin with more; or NULL
 * @destroy: the last word
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

/* The segments of @t. False, and nothing was done, if one thread does as well. */
bool v9_workers_run(struct v9_trace *t, const struct v9_workers *workers);

#endif
