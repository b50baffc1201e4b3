/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is counted of a trace, and what one SPE record adds to it */
#ifndef V9TRACE_REPORT_WEIGHTS_H
#define V9TRACE_REPORT_WEIGHTS_H

#include <v9trace/gen/spe_pkt.h>

#include "../lib/v9spe.h"

/* Of SPE: records, and sums over records. Of ETE: what was executed. */
enum v9_weight {
	V9_W_SAMPLES,		/* records */
	V9_W_LATENCY,		/* total latency, cycles */
	V9_W_ISSUE,		/* issue latency, cycles */
	V9_W_XLAT,		/* translation latency, cycles */
	V9_W_L1_MISSES,		/* records with a refill of the level 1 data cache */
	V9_W_LLC_MISSES,	/* records that missed the last level cache */
	V9_W_TLB_MISSES,	/* records with a walk of page tables */
	V9_W_MISPREDICTS,	/* records of mispredicted branches */
	V9_W_INSTRUCTIONS,
	V9_W_CYCLES,		/* counted by the trace unit (option cycacc) */
	V9_W_CALLS,
	V9_W_TIME,		/* ns, in formats with functions that begin and end */
	V9_WEIGHTS
};

#define V9_SPE_WEIGHTS	(V9_W_MISPREDICTS + 1)

static inline void v9_weigh(const struct v9_spe_rec *r, uint64_t value[V9_SPE_WEIGHTS])
{
	value[V9_W_SAMPLES]++;
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		if (r->has & V9_SPE_REC_LAT(i))
			value[V9_W_LATENCY + i] += r->lat[i];
	if (!(r->has & V9_SPE_REC_EVENTS))
		return;
	value[V9_W_L1_MISSES] += r->events >> V9_SPE_EV_L1D_REFILL & 1;
	value[V9_W_LLC_MISSES] += r->events >> V9_SPE_EV_LLC_MISS & 1;
	value[V9_W_TLB_MISSES] += r->events >> V9_SPE_EV_TLB_WALK & 1;
	value[V9_W_MISPREDICTS] += r->events >> V9_SPE_EV_MISPREDICTED & 1;
}

/*
 * @n samples of period @period as samples of period @as, which are of as many operations: rounded to the
 * nearest number, UINT64_MAX if it does not fit. Neither period is 0.
 */
static inline uint64_t v9_weigh_period(uint64_t n, uint64_t period, uint64_t as)
{
	const unsigned __int128 product = ((unsigned __int128)n * period + as / 2) / as;

	return product > UINT64_MAX ? UINT64_MAX : (uint64_t)product;
}

#endif
