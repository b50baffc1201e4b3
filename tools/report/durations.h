/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How long calls of one function take, by the events of a trace of instructions. A thread has a
 * position, the number of its executed instructions, and clocks: cycles and time. The trace tells the
 * value of a clock at some positions only; in between the clock is taken to advance evenly with the
 * instructions. A call that begins before the first such position, or a gap, has no length by that
 * clock.
 */
#ifndef V9TRACE_REPORT_DURATIONS_H
#define V9TRACE_REPORT_DURATIONS_H

#include <stdbool.h>

#include "hist.h"

enum v9_measure { V9_BY_INSNS, V9_BY_CYCLES, V9_BY_NS, V9_MEASURES };

struct v9_long_call {
	uint64_t length[V9_MEASURES];
	uint64_t position;		/* of its thread, where it begins */
	uint64_t begin;			/* ns, if V9_BY_NS is known */
	size_t thread, node;		/* the caller's numbers */
	unsigned int known;		/* 1 << V9_BY_* */
};

struct v9_duration_thread;

struct v9_durations {
	unsigned int clocks;		/* 1 << V9_BY_*: the clocks that there are */
	enum v9_measure order;		/* of the longest calls */
	struct v9_hist hist[V9_MEASURES];
	struct v9_long_call *longest;	/* @order, descending */
	size_t nr_longest, most_longest;
	uint64_t left;			/* calls that ended by longjmp, an exception of C++, a switch */
	uint64_t lost;			/* trace was lost in them */
	uint64_t before;		/* that were running when their trace begins */
	uint64_t open;			/* not ended; set by v9_durations_finish() */
	struct v9_duration_thread *threads;
	size_t nr_threads;
};

enum v9_call_end { V9_CALL_ENDED, V9_CALL_LEFT, V9_CALL_LOST };

/* @clocks: bits V9_BY_CYCLES, V9_BY_NS. @most: longest calls to keep. */
void v9_durations_init(struct v9_durations *d, unsigned int clocks, size_t most);
void v9_durations_free(struct v9_durations *d);

/* @thread: any small number. @node: names the call among those of its thread that did not end. */
void v9_durations_enter(struct v9_durations *d, size_t thread, uint64_t position, size_t node);
void v9_durations_leave(struct v9_durations *d, size_t thread, uint64_t position, size_t node,
			enum v9_call_end how);

/* At @position the clock shows @value, cycles or ns. */
void v9_durations_clock(struct v9_durations *d, size_t thread, uint64_t position,
			enum v9_measure clock, uint64_t value);

/* What follows is not on one line with what was before: trace is missing. */
void v9_durations_gap(struct v9_durations *d, size_t thread);

/*
 * Returns the innermost of the longest calls in which the thread is at @position, index + 1, or 0 if it is in
 * none.
 */
size_t v9_durations_long_at(const struct v9_durations *d, size_t thread, uint64_t position);

/* The end of the trace: calls whose clocks are not known get no length by them. */
void v9_durations_finish(struct v9_durations *d);

#endif
