/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * record --check: events of the PMU that units generate, and what they count beside what was recorded. No
 * driver of a unit writes these counters. Pure functions: the collector and the reports use them.
 */
#ifndef V9TRACE_TOOLS_UNIT_CHECK_H
#define V9TRACE_TOOLS_UNIT_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfdata.h"

/* An event of the PMU */
struct v9_check_event {
	uint32_t number;
	uint32_t unit;			/* PD_AUXTRACE_*: the unit that generates it */
	uint32_t filter;		/* PD_FILTER_*: counted only beside this filter; 0: always */
	const char *name;		/* of the manual */
	const char *file;		/* in events/ of a PMU that has it; NULL: that of SAMPLE_FEED, if the unit has FEAT_SPEv1p2 */
};

#define V9_CHECK_EVENTS	8

/* The events of --check. Where the PMU has too few counters, the last ones are not counted. */
extern const struct v9_check_event v9_check_events[V9_CHECK_EVENTS];

/*
 * A unit loses the records that it holds when its buffer becomes full, and nothing says so (SPE-ME3). How many
 * that are is IMPLEMENTATION DEFINED. Units hold few.
 */
#define V9_CHECK_HELD	16

/*
 * Where the kernel is recorded, operations of perf's context switch that can lie between the start of a counter
 * and that of the unit.
 */
#define V9_CHECK_SWITCH	4096

/* What was recorded of a unit */
struct v9_check_unit {
	uint32_t unit;			/* PD_AUXTRACE_* */
	uint64_t records;		/* SPE: whole records in the file */
	uint64_t pieces;		/* AUX records */
	uint64_t collided;		/* AUX records with the flag of collisions */
};

enum v9_check_verdict {
	V9_CHECK_FITS,
	V9_CHECK_FEWER,			/* counted than can be */
	V9_CHECK_MORE,
	V9_CHECK_UNUSED,		/* the event was not counted, or not all the time */
	V9_CHECK_VERDICTS
};

struct v9_check_row {
	const struct v9_check_event *event;
	enum v9_check_verdict verdict;
	const char *why;		/* unused: why; else NULL, and these: */
	const char *what;		/* what .recorded is */
	uint64_t counted, recorded;
	uint64_t least, most;		/* bounds of .counted; .most UINT64_MAX: none */
};

/*
 * Compares. @head and @count, of @n events, are of PD_COUNTS. Writes a row for each event of the unit that has
 * a meaning, and returns their number.
 */
size_t v9_check_rows(const struct v9_check_unit *u, const struct pd_counts *head, const struct pd_count *count,
		     size_t n, struct v9_check_row row[V9_CHECK_EVENTS]);

static inline bool v9_check_misfits(const struct v9_check_row *r)
{
	return r->verdict == V9_CHECK_FEWER || r->verdict == V9_CHECK_MORE;
}

/* Returns a line for people, which the caller frees. */
char *v9_check_text(const struct v9_check_row *r);

/* "fits", "fewer", "more", "not counted" */
extern const char *const v9_check_verdicts[V9_CHECK_VERDICTS];

/* Reads PD_COUNTS. Returns the number of events, of which @count gets at most @most; 0 if there are none. */
size_t v9_check_read(const uint8_t *section, uint64_t size, struct pd_counts *head, struct pd_count *count,
		     size_t most);

#endif
