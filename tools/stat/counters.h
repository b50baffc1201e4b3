/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The counters of v9_spe and v9_ete, as sysfs has them. */
#ifndef V9TRACE_STAT_COUNTERS_H
#define V9TRACE_STAT_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/* All that any of our PMUs has; the last one is not a sum but the most that there was. */
enum {
	V9_COUNTER_INTERRUPTS, V9_COUNTER_BYTES, V9_COUNTER_PADDING, V9_COUNTER_DROPPED,
	V9_COUNTER_TRUNCATED, V9_COUNTER_PARTIAL, V9_COUNTER_COLLISIONS, V9_COUNTER_EARLY,
	V9_COUNTER_FULL, V9_COUNTER_TRIGGERED, V9_COUNTER_LOST, V9_COUNTER_FAULTS,
	V9_COUNTER_ABORTS, V9_COUNTER_FATAL, V9_COUNTER_SPURIOUS, V9_COUNTER_LONGEST, V9_COUNTERS
};

extern const char *const v9_counter_name[V9_COUNTERS];

struct v9_counts {
	int cpu;			/* -1: all */
	uint32_t has;			/* bit N: there is a counter N */
	uint64_t value[V9_COUNTERS];
};

/* One PMU */
struct v9_counted {
	char *name;
	struct v9_counts all;
	struct v9_counts *cpu;		/* those that have the unit */
	unsigned int cpus;
};

/*
 * The PMUs that count, or those of them that are named, in order of their names. 0, or -1 with
 * the message printed.
 */
int v9_count(struct v9_counted **list, unsigned int *n, char **names, int named);
void v9_counted_free(struct v9_counted *list, unsigned int n);

const struct v9_counted *v9_counted_find(const struct v9_counted *list, unsigned int n,
					 const char *name);

/*
 * What has come since @before, of the same CPU; NULL: since ever. A module that was loaded anew
 * begins anew.
 */
void v9_counts_since(struct v9_counts *n, const struct v9_counts *after,
		     const struct v9_counted *before);

/* Is there any but the last? */
bool v9_counts_any(const struct v9_counts *n);

#endif
