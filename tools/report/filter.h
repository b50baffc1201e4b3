/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which records to select: by task, CPU, time, Exception level, place, and what an SPE record says.
 * Each option has a list; one of its words must fit. Options are joined by "and".
 */
#ifndef V9TRACE_REPORT_FILTER_H
#define V9TRACE_REPORT_FILTER_H

#include "../capture/lookup.h"

enum v9_filter_key {
	V9_BY_COMM, V9_BY_PID, V9_BY_TID, V9_BY_CPU, V9_BY_CGROUP, V9_BY_TIME, V9_BY_EL, V9_BY_DSO, V9_BY_SYMBOL,
	V9_BY_OP, V9_BY_EVENT, V9_BY_LATENCY,
	V9_BY_KEYS
};

struct v9_range {
	uint64_t first, last;		/* last: included */
};

struct v9_record_filter {
	unsigned int used;		/* 1 << V9_BY_*: options that were given */
	const char *text[V9_BY_KEYS];	/* their arguments */
	struct v9_range *range[V9_BY_KEYS];	/* of numbers, of times in ns */
	char **word[V9_BY_KEYS];	/* of names */
	size_t nr[V9_BY_KEYS];
	uint64_t events;		/* bits of V9_BY_EVENT */
	uint64_t least;			/* latency, cycles */
	const struct v9_cgroups *cgroups;	/* of the capture, from v9_filter_open() on */
	bool percent;			/* times are in 1/1000 percent, until v9_filter_open() */
	/* what SPE records had that did not fit, for v9_filter_nothing() */
	uint64_t seen_events;
	uint8_t seen_el;		/* a bit per level */
	uint32_t most;			/* latency */
	uint64_t first, last;		/* time, ns */
};

/* Options that need the function or object, and those that need an SPE record */
#define V9_FILTER_PLACES	(1u << V9_BY_DSO | 1u << V9_BY_SYMBOL)
#define V9_FILTER_SPE		(1u << V9_BY_OP | 1u << V9_BY_EVENT | 1u << V9_BY_LATENCY)
#define V9_FILTER_OF_TRACE	(V9_FILTER_PLACES | V9_FILTER_SPE | 1u << V9_BY_EL)

/* Takes the argument of an option. Returns false and prints an error if it is not valid. */
bool v9_filter_take(struct v9_record_filter *f, enum v9_filter_key key, const char *arg);

/* Must be called with the capture before the first record is selected. */
void v9_filter_open(struct v9_record_filter *f, const struct v9_session *s);

/* Task, its control group, CPU and time. For several threads. */
bool v9_filter_task(const struct v9_record_filter *f, const struct v9_sampled *s);

/* Exception level and place. For several threads. */
bool v9_filter_place(const struct v9_record_filter *f, unsigned int el, const struct v9_place *p);

/*
 * All of an SPE record, without the look-up of places that no option needs. For one thread. @lookup: NULL if no
 * other thread looks up places.
 */
bool v9_filter_record(struct v9_record_filter *f, struct v9_session *s, struct v9_lookup *lookup,
		      const struct v9_sampled *at);

/* Prints an error: nothing was selected. It says what there is. */
void v9_filter_nothing(const struct v9_record_filter *f, const struct v9_session *s, const char *path);

void v9_filter_free(struct v9_record_filter *f);

#endif
