/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * record --aggregate --overhead: measures what recording costs, once a second, and changes the sampling
 * period of the SPE events (budget.h decides). Measured are the CPU time of this process, and the time in
 * the unit's interrupt handler where the driver counts it.
 */
#ifndef V9TRACE_COLLECT_OVERHEAD_H
#define V9TRACE_COLLECT_OVERHEAD_H

#include "budget.h"
#include "profiles.h"
#include "rings.h"

#define V9_OVERHEAD_MOST	(UINT64_C(1) << 24)	/* default of --max-period, in operations */

struct v9_overhead {
	uint32_t ppm;			/* --overhead, in millionths; 0: the period stays */
	uint64_t most;			/* --max-period; 0: the default */
	uint64_t interval_ns;		/* of --aggregate */
	/* of the recording: sums in .all and, since the begin of a profile, .part */
	struct v9_budget_use all, part;
	bool interrupts;		/* their time is known */
	unsigned int lowest, highest;	/* .budget.step that there was */
	/* private */
	struct v9_budget budget;
	uint64_t *least;		/* shortest period, by event; 0: no SPE event */
	int evs;
	uint64_t cpu, written, handler, time, bytes;	/* at the last measurement; ns, bytes */
	uint64_t pending;		/* CPU time of writing that no measurement has yet */
	bool stuck;			/* the period cannot be changed */
};

/* "1", "0.5" or "2%". Returns 0, or prints an error and returns -EINVAL. */
int v9_overhead_parse(struct v9_overhead *o, const char *text);

/*
 * Sets the period of SPE events, which is the shortest one of each, to the longest. Call it before they are
 * opened. Returns 0, or prints an error and returns -EINVAL.
 */
int v9_overhead_aim(struct v9_overhead *o, struct v9_event_spec *ev, int evs);

/* The events are open. */
void v9_overhead_begin(struct v9_overhead *o, const struct v9_rings *r, struct v9_profiles *p);

/* Measures the cost of the interval, reports it to @p, and changes periods if needed. @bytes: trace read so far */
void v9_overhead_measure(struct v9_overhead *o, struct v9_rings *r, struct v9_profiles *p, uint64_t bytes);

/* A profile ends: gives it its cost. */
void v9_overhead_profile(struct v9_overhead *o, struct v9_profiles *p);

/* The period of the first SPE event after @step doublings */
uint64_t v9_overhead_period(const struct v9_overhead *o, unsigned int step);

void v9_overhead_free(struct v9_overhead *o);

#endif
