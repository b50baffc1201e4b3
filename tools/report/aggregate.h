/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sums of SPE records. Memory does not grow with their number, but with that of functions. */
#ifndef V9TRACE_REPORT_AGGREGATE_H
#define V9TRACE_REPORT_AGGREGATE_H

#include <pthread.h>

#include <v9trace/gen/spe_source.h>

#include "../capture/session.h"
#include "../lib/spe_text.h"
#include "spots.h"

#define V9_LAT_VALUES	65536	/* a counter has 12 or 16 bits */
#define V9_OP_CLASSES	4

struct v9_sum {
	uint64_t n, sum;
};

/* A function under one thread name. Names are stored once: equal names are equal pointers. */
struct v9_hot {
	union {
		struct {
			const struct v9_func *func;	/* NULL: unknown */
			const char *dso, *comm;
		};
		uint64_t key[3];
	};
	uint64_t samples;
	struct v9_sum lat[V9_SPE_LATENCIES];
};

/* Records of a CPU */
struct v9_cpu_sum {
	uint64_t samples;
	struct v9_sum lat;		/* total latency */
};

struct v9_aggregate {
	pthread_mutex_t *lock;		/* held for look-ups of symbols */
	uint64_t samples;		/* records that passed the filter */
	struct v9_syms *syms;
	struct v9_spots spots;
	struct v9_bins hot;		/* struct v9_hot; complete after v9_aggregate_finish() */
	uint64_t *lat[V9_SPE_LATENCIES];	/* histograms, V9_LAT_VALUES entries each */
	uint64_t events[V9_SPE_EVENT_BITS];	/* complete after v9_aggregate_finish() */
	uint64_t with_events;
	/* Counts not added to events[] yet: one byte for each event bit, of at most 255 records. */
	uint64_t few_events[V9_SPE_EVENT_BITS / 8], spread[256];
	unsigned int few;
	uint64_t with_op;
	uint64_t ops[V9_OP_CLASSES][256];
	struct v9_sum op_lat[V9_OP_CLASSES][256];
	uint64_t *sources[V9_SPE_SETS];	/* count by value; NULL: no record */
	uint64_t with_source;
	uint64_t el[4];
	uint64_t with_pc;
	uint64_t first, last;		/* time of a record, ns */
	uint64_t with_time;
	struct v9_strtab tasks, cpus;	/* IDs that occurred */
	uint32_t last_task, last_cpu;	/* added last to tasks, cpus */
	struct v9_cpu_sum *cpu;		/* of CPUs below @nr_cpus */
	uint32_t nr_cpus;
};

/* @lock: one for all threads that look up symbols in @syms */
void v9_aggregate_init(struct v9_aggregate *a, struct v9_syms *syms, pthread_mutex_t *lock);
void v9_aggregate_add(void *a, struct v9_sampled *s, size_t n);
void v9_aggregate_finish(struct v9_aggregate *a);

/* Adds the sums of @from, of later buffers. Both are finished. */
void v9_aggregate_merge(struct v9_aggregate *a, const struct v9_aggregate *from);
void v9_aggregate_free(struct v9_aggregate *a);

/* The smallest value v such that at least @percent of the @n values are not greater than v. */
uint64_t v9_percentile(const uint64_t *histogram, uint64_t n, unsigned int percent);

#endif
