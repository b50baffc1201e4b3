/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Several threads on one trace. It is cut into pieces, where decoding begins anew by itself and at
 * synchronizations in between. Who begins at one of these says nothing until it knows as much as
 * the one that comes from before; that one goes on to the same place, and if both know the same
 * there, the second takes over. Else the first goes on and what the second says is forgotten. So
 * what comes out does not depend on how many they are or where the cuts lie.
 */
#ifndef V9TRACE_DECODE_CREW_H
#define V9TRACE_DECODE_CREW_H

#include "trace.h"

/**
 * struct v9_crew - who decodes, and what becomes of it
 * @threads: how many
 * @grain: bytes of trace in a piece, about; 0: as seems best
 * @arg: of hire and join
 * @hire: for each thread one who is told; may be called from any thread
 * @turn: what he is told next is of that strip; parts of one strip follow each other by @key; or
 *        NULL
 * @through: the strip is at its end; or NULL
 * @part: what he was told since the last time
 * @join: a part that counts; one at a time, in any order
 * @forget: a part that does not
 * @full: so much was joined and forgotten nowhere that none should begin with more; or NULL
 * @dismiss: the last word
 */
struct v9_crew {
	unsigned int threads;
	uint64_t grain;
	void *arg;
	struct v9_listener *(*hire)(void *arg);
	void (*turn)(struct v9_listener *taker, size_t strip, uint64_t key);
	void (*through)(struct v9_listener *taker);
	void *(*part)(struct v9_listener *taker);
	void (*join)(void *arg, void *part);
	void (*forget)(void *part);
	bool (*full)(void *arg);
	void (*dismiss)(struct v9_listener *taker);
};

/* The strips of @t. False, and nothing was done, if one thread does as well. */
bool v9_crew_run(struct v9_trace *t, const struct v9_crew *crew);

#endif
