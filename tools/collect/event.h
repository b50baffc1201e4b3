/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Parsers of the argument of -e and of the files in a PMU's format/. They do not read files, print
 * or allocate memory.
 *
 *   EVENT := PMU '/' [TERM {',' TERM}] '/' [[':'] MODS]
 *          | NAME [':' MODS]
 *          | SYSTEM ':' TRACEPOINT [':' MODS]
 *   TERM  := NAME ['=' NUMBER]
 *   MODS  := letters of u (user), k (kernel), h (hypervisor)
 *
 * Several events are separated by commas outside slashes.
 */
#ifndef V9TRACE_COLLECT_EVENT_H
#define V9TRACE_COLLECT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define V9_EV_NAME	64
#define V9_EV_TERMS	32

enum v9_ev_kind {
	V9_EV_PMU,		/* name: the PMU; term */
	V9_EV_NAMED,		/* name: the event */
	V9_EV_TRACEPOINT,	/* name: the system; tracepoint */
};

enum {
	V9_EV_USER	= 1 << 0,
	V9_EV_KERNEL	= 1 << 1,
	V9_EV_HV	= 1 << 2,
};

struct v9_ev_term {
	char name[V9_EV_NAME];
	uint64_t value;		/* 1 if the term has no value */
	bool has_value;
};

struct v9_ev {
	enum v9_ev_kind kind;
	char name[V9_EV_NAME];
	char tracepoint[V9_EV_NAME];
	struct v9_ev_term term[V9_EV_TERMS];
	int terms;		/* number of terms, at most V9_EV_TERMS */
	unsigned int mods;	/* V9_EV_USER, V9_EV_KERNEL, V9_EV_HV; 0: no modifier */
	const char *text;	/* begin of the event in the caller's string */
	size_t len;
};

/*
 * Parse the event at *@cursor and move *@cursor after it and its comma. Returns 1; 0 at the end of
 * the text; or -EINVAL with *@why set to the reason, a phrase without a period.
 */
int v9_ev_next(const char **cursor, struct v9_ev *ev, const char **why);

/* Words of struct perf_event_attr that a file in format/ can refer to. */
enum { V9_EV_CONFIG, V9_EV_CONFIG1, V9_EV_CONFIG2, V9_EV_CONFIG3, V9_EV_CONFIG4, V9_EV_WORDS };

/* Bits of one option of a PMU: bits of its value go to the set bits of mask, lowest first. */
struct v9_ev_field {
	char name[V9_EV_NAME];
	int word;
	uint64_t mask;
};

/* Parse the text of a file in format/, such as "config:0-7,32". Returns 0 or -EINVAL. */
int v9_ev_field_parse(const char *text, struct v9_ev_field *field);

/* The largest value of the field. */
uint64_t v9_ev_field_max(const struct v9_ev_field *field);

/* Replace the bits of the field in word[]. Returns 0, or -ERANGE if the value is too large. */
int v9_ev_field_put(const struct v9_ev_field *field, uint64_t value, uint64_t word[V9_EV_WORDS]);

/*
 * Check a list of CPUs such as "0,2-3". Returns 0; -EINVAL if it is no list; or -ERANGE with *@bad
 * set to the number that is greater than @max.
 */
int v9_ev_cpu_list(const char *text, unsigned long max, unsigned long *bad);

/* Returns true if @cpu is in such a list. */
bool v9_ev_cpu_in(const char *text, unsigned long cpu);

/*
 * Parse a size such as "4K", "1M", or "16", which is in @unit bytes. K, M, G are powers of 1024.
 * Returns 0, or -EINVAL if it is no size, 0, or too large.
 */
int v9_ev_size(const char *text, size_t len, uint64_t unit, uint64_t *bytes);

#endif
