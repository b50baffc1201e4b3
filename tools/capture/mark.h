/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Marks of programs (lib/v9mark.h) among the values of instrumentation. */
#ifndef V9TRACE_CAPTURE_MARK_H
#define V9TRACE_CAPTURE_MARK_H

#include "../lib/v9mark.h"
#include "lookup.h"

struct v9_mark {
	enum v9_mark_kind kind;
	uint64_t id;		/* V9_MARK_ID */
	const char *text;	/* other kinds; "[unknown]" if no file here has the text */
};

extern const char *const v9_mark_kinds[];	/* by enum v9_mark_kind */

/*
 * Reads a value that was written at @at. Returns false if it is no mark: another program may write
 * values of its own.
 */
bool v9_mark_read(struct v9_lookup *l, const struct v9_sampled *at, uint64_t value, struct v9_mark *m);

#endif
