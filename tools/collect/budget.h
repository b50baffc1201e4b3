/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The sampling period that keeps the cost of recording within a budget (--overhead). Decides from values
 * that its caller measures; no clocks, files or events.
 *
 * Periods are the shortest one, doubled a number of times: each is a multiple of the others below it, so
 * samples of several periods add up without rounding.
 */
#ifndef V9TRACE_COLLECT_BUDGET_H
#define V9TRACE_COLLECT_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#define V9_BUDGET_PPM	1000000u	/* all of the time of the recorded CPUs */
#define V9_BUDGET_QUIET	3		/* cheap measurements in a row before the period is halved */
#define V9_BUDGET_LEAST	256u		/* the shortest interval of PMSIRR_EL1; periods are multiples of it */

struct v9_budget {
	uint32_t ppm;			/* the budget, in millionths of the time of the recorded CPUs; not 0 */
	unsigned int step;		/* the period is the shortest one << .step */
	unsigned int last;		/* greatest .step */
	unsigned int quiet;		/* cheap measurements in a row */
	bool mixed;			/* the next measurement is of two periods */
	uint64_t over;			/* measurements above the budget with the longest period */
};

/* What was measured in a time, all in ns but .bytes and .cpus */
struct v9_budget_use {
	uint64_t cpu;			/* CPU time of the recorder that grows with the number of samples */
	uint64_t fixed;			/* CPU time of it that does not */
	uint64_t interrupts;		/* time in the unit's interrupt handler, on all recorded CPUs */
	uint64_t time;			/* of the clock */
	uint64_t bytes;			/* of trace that were read */
	unsigned int cpus;		/* that are recorded */
};

/* Adds a measurement to those before it. The CPUs are those of the last one. */
void v9_budget_add(struct v9_budget_use *sum, const struct v9_budget_use *use);

/* Returns how often @least, not 0, can be doubled without exceeding @most. */
unsigned int v9_budget_steps(uint64_t least, uint64_t most);

/* Begins with the longest period: nothing is known of the cost yet. */
void v9_budget_init(struct v9_budget *b, uint32_t ppm, unsigned int last);

/* Returns the cost in millionths of the time of the CPUs; UINT32_MAX if it is more; 0 without a time. */
uint32_t v9_budget_cost(const struct v9_budget_use *use);

/*
 * Takes a measurement. Returns true if .step has changed: then the caller changes the periods before it
 * measures again.
 *
 * The cost, less its fixed part, is expected to halve with each doubling of the period. Above the budget the
 * period is doubled at once, as often as that needs. It is halved once after V9_BUDGET_QUIET measurements in
 * a row by which the expected cost is at most four fifths of the budget. A measurement without trace says
 * nothing about the period.
 */
bool v9_budget_take(struct v9_budget *b, const struct v9_budget_use *use);

#endif
