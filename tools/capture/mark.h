/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Marks of programs (lib/v9mark.h), from their code or among the values of instrumentation. */
#ifndef V9TRACE_CAPTURE_MARK_H
#define V9TRACE_CAPTURE_MARK_H

#include "../lib/v9ete.h"
#include "../lib/v9mark.h"
#include "lookup.h"

struct v9_mark {
	enum v9_mark_kind kind;
	uint64_t id;		/* V9_MARK_ID, if not cut */
	bool cut;		/* bits of the number are not known */
	const char *text;	/* other kinds; "[unknown]" if no file here has the text */
};

extern const char *const v9_mark_kinds[];	/* by enum v9_mark_kind */

/*
 * Reads the mark of a record at @at. Returns false if it is none: a program may write values of its own
 * with TRCIT.
 */
bool v9_mark_read(struct v9_lookup *l, const struct v9_sampled *at, const struct v9_flow_rec *rec,
		  struct v9_mark *m);

#endif
