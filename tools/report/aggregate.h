/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Records -> sums. A record costs a hash look-up and some additions, and no memory. */
#ifndef V9TRACE_REPORT_AGGREGATE_H
#define V9TRACE_REPORT_AGGREGATE_H

#include <v9trace/gen/spe_source.h>

#include "../decode/session.h"
#include "../decode/spe_text.h"
#include "spots.h"

#define V9_LAT_VALUES	65536	/* a counter has 12 or 16 bits */
#define V9_OP_CLASSES	4

struct v9_sum {
	uint64_t n, sum;
};

/* One function as one thread name ran it. Names are stored once: equal ones are equal pointers. */
struct v9_hot {
	union {
		struct {
			const struct v9_func *func;	/* NULL: not known */
			const char *dso, *comm;
		};
		uint64_t key[3];
	};
	uint64_t samples;
	struct v9_sum lat[V9_SPE_LATENCIES];
};

struct v9_aggregate {
	uint64_t samples;		/* that passed the filter */
	struct v9_syms *syms;
	struct v9_spots spots;
	struct v9_bins hot;		/* struct v9_hot; complete after v9_aggregate_finish() */
	uint64_t *lat[V9_SPE_LATENCIES];	/* histograms */
	uint64_t events[V9_SPE_EVENT_BITS];	/* complete after v9_aggregate_finish(), too */
	uint64_t with_events;
	/* Events not in there yet: a byte for each bit, as many records as a byte can count. */
	uint64_t few_events[V9_SPE_EVENT_BITS / 8], spread[256];
	unsigned int few;
	uint64_t with_op;
	uint64_t ops[V9_OP_CLASSES][256];
	struct v9_sum op_lat[V9_OP_CLASSES][256];
	uint64_t *sources[V9_SPE_SETS];	/* by value; NULL: none */
	uint64_t with_source;
	uint64_t el[4];
	uint64_t with_pc;
	uint64_t first, last;		/* time, ns */
	uint64_t with_time;
	struct v9_strtab tasks, cpus;	/* which there were */
	uint32_t last_task, last_cpu;	/* known to be in there */
};

void v9_aggregate_init(struct v9_aggregate *a, struct v9_syms *syms);
void v9_aggregate_add(void *a, struct v9_sampled *s, size_t n);
void v9_aggregate_finish(struct v9_aggregate *a);
void v9_aggregate_free(struct v9_aggregate *a);

/* The smallest value that at least @percent of the @n values in the histogram do not exceed. */
uint64_t v9_percentile(const uint64_t *histogram, uint64_t n, unsigned int percent);

#endif
