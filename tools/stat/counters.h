/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The counters of v9_spe, v9_ete and v9_brbe in sysfs */
#ifndef V9TRACE_STAT_COUNTERS_H
#define V9TRACE_STAT_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Counters of any of these PMUs. All are sums, except that V9_COUNTER_LONGEST, the last one, is a
 * maximum.
 */
enum {
	V9_COUNTER_INTERRUPTS, V9_COUNTER_BYTES, V9_COUNTER_PADDING, V9_COUNTER_DROPPED,
	V9_COUNTER_TRUNCATED, V9_COUNTER_PARTIAL, V9_COUNTER_COLLISIONS, V9_COUNTER_EARLY,
	V9_COUNTER_FULL, V9_COUNTER_TRIGGERED, V9_COUNTER_LOST, V9_COUNTER_FAULTS,
	V9_COUNTER_ABORTS, V9_COUNTER_FATAL, V9_COUNTER_SPURIOUS,
	V9_COUNTER_THROTTLED, V9_COUNTER_THROTTLED_NS,
	/* branch stacks */
	V9_COUNTER_PAUSED, V9_COUNTER_FROZEN, V9_COUNTER_EMPTY, V9_COUNTER_STALE,
	V9_COUNTER_RUN_ON, V9_COUNTER_SATURATED, V9_COUNTER_MISSED, V9_COUNTER_FOREIGN,
	V9_COUNTER_LIMITED, V9_COUNTER_SWITCHES,
	V9_COUNTER_HANDLER, V9_COUNTER_LONGEST, V9_COUNTERS
};

extern const char *const v9_counter_name[V9_COUNTERS];

struct v9_counts {
	int cpu;			/* -1: sum of all CPUs */
	uint32_t has;			/* bit N: the PMU has counter N */
	uint64_t value[V9_COUNTERS];
};

/* One PMU */
struct v9_counted {
	char *name;
	struct v9_counts all;
	struct v9_counts *cpu;		/* of each CPU that has the unit */
	unsigned int cpus;
};

/*
 * Read the counters of all PMUs that have any, or of those in @names, sorted by name. Returns 0, or
 * prints an error and returns -1.
 */
int v9_count(struct v9_counted **list, unsigned int *n, char **names, int named);
void v9_counted_free(struct v9_counted *list, unsigned int n);

const struct v9_counted *v9_counted_find(const struct v9_counted *list, unsigned int n,
					 const char *name);

/*
 * Set @n to the increase of each counter from @before to @after, for the CPU of @after. NULL: since
 * the module was loaded. A counter that is less than before, as the module was reloaded, is copied.
 */
void v9_counts_since(struct v9_counts *n, const struct v9_counts *after,
		     const struct v9_counted *before);

/* Returns true if any counter except V9_COUNTER_LONGEST is not 0. */
bool v9_counts_any(const struct v9_counts *n);

#endif
