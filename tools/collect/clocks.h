/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads two clocks at the same time, as nearly as a task can that may be interrupted between them. */
#ifndef V9TRACE_COLLECT_CLOCKS_H
#define V9TRACE_COLLECT_CLOCKS_H

#include <stdint.h>

#define V9_CLOCKS_TRIES	10

/**
 * struct v9_clocks - two clocks
 * @outer: reads the clock in whose units the time between two reads is measured
 * @inner: reads the other one
 * @arg: argument of both
 */
struct v9_clocks {
	uint64_t (*outer)(void *arg);
	uint64_t (*inner)(void *arg);
	void *arg;
};

/**
 * v9_clocks_read - read both
 * @c: clocks
 * @outer: result: value of the first
 * @inner: result: value of the second at that time
 *
 * An interrupt between two reads would make the values of different times. Of V9_CLOCKS_TRIES the one is
 * taken that was shortest by @outer, and of that its middle.
 */
void v9_clocks_read(const struct v9_clocks *c, uint64_t *outer, uint64_t *inner);

#endif
