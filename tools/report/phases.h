/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Phases: the times between marks of a program (lib/v9mark.h). */
#ifndef V9TRACE_REPORT_PHASES_H
#define V9TRACE_REPORT_PHASES_H

#include "flow_sum.h"

struct v9_phase {
	const char *text;
	uint64_t begun;			/* how often it began */
	uint64_t points;		/* how often it marked a moment */
	uint64_t timed, total, longest;	/* phases of which both times are known; ns */
	uint64_t open;			/* phases without an end or without a begin in the trace */
};

/*
 * Sorts @marks, and returns the phases of all threads by text, longest total first; their number in
 * *@n. An end belongs to the last begin with its text in its thread. The caller frees the result.
 */
struct v9_phase *v9_phases(struct v9_marked *marks, size_t nr, size_t *n);

#endif
