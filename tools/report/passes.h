/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Counts how often a block was executed since its function was called: the number of the iteration, if the
 * block is in a loop. No input or output. Memory grows with blocks by depth of calls, up to a limit.
 */
#ifndef V9TRACE_REPORT_PASSES_H
#define V9TRACE_REPORT_PASSES_H

#include "bins.h"
#include "calls.h"

#define V9_PASSES_MOST	(1u << 20)	/* blocks; with more, counting begins anew with new calls */

struct v9_passes {
	struct v9_passes_thread {
		/* calls that did not end, innermost last */
		struct v9_passes_call { uint64_t serial; bool whole; } *call;
		size_t nr;
		uint64_t calls;		/* so far */
	} *threads;
	size_t nr_threads, most;
	struct v9_bins bins;
};

void v9_passes_init(struct v9_passes *p, size_t most);
void v9_passes_free(struct v9_passes *p);

/* A call of a thread begins, ends. @thread: any number that is not large */
void v9_passes_enter(struct v9_passes *p, size_t thread, enum v9_calls_enter how);
void v9_passes_leave(struct v9_passes *p, size_t thread);

/* Something of a thread was not traced. */
void v9_passes_gap(struct v9_passes *p, size_t thread);

/*
 * The call that runs executes the block at @pc. Returns for which time, from 1 on; or 0 if that is not known,
 * because the call began before the trace, or trace was lost since.
 */
uint64_t v9_passes_count(struct v9_passes *p, size_t thread, uint64_t pc);

#endif
