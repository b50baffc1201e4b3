/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the user writes behind -e, and what a PMU says about its bits. Text in,
 * values out: no file is read, nothing is printed, nothing allocated.
 *
 *   EVENT := PMU '/' [TERM {',' TERM}] '/' [MODS]
 *          | NAME [':' MODS]
 *          | SYSTEM ':' TRACEPOINT [':' MODS]
 *   TERM  := NAME ['=' NUMBER]
 *   MODS  := letters of u (user), k (kernel), h (hypervisor)
 *
 * Several events are separated by commas outside of slashes.
 */
#ifndef V9TRACE_COLLECT_EVENT_H
#define V9TRACE_COLLECT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define V9_EV_NAME	64
#define V9_EV_TERMS	32

enum v9_ev_kind {
	V9_EV_PMU,		/* name is the PMU's; terms */
	V9_EV_NAMED,		/* name */
	V9_EV_TRACEPOINT,	/* name is the system's; tracepoint */
};

enum {
	V9_EV_USER	= 1 << 0,
	V9_EV_KERNEL	= 1 << 1,
	V9_EV_HV	= 1 << 2,
};

struct v9_ev_term {
	char name[V9_EV_NAME];
	uint64_t value;		/* 1 if none was written */
	bool has_value;
};

struct v9_ev {
	enum v9_ev_kind kind;
	char name[V9_EV_NAME];
	char tracepoint[V9_EV_NAME];
	struct v9_ev_term term[V9_EV_TERMS];
	int terms;
	unsigned int mods;	/* V9_EV_USER ...; 0 if none was written */
	const char *text;	/* where it stands in the caller's string */
	size_t len;
};

/*
 * Reads the event at *cursor and moves the cursor behind it and the comma.
 * Returns 1, 0 at the end of the text, -EINVAL with *why set (a phrase, for
 * after "in 'TEXT': ") and *cursor where reading stopped.
 */
int v9_ev_next(const char **cursor, struct v9_ev *ev, const char **why);

/* The words of struct perf_event_attr that formats speak of. */
enum { V9_EV_CONFIG, V9_EV_CONFIG1, V9_EV_CONFIG2, V9_EV_CONFIG3, V9_EV_CONFIG4, V9_EV_WORDS };

/* Where a PMU keeps one option: value bits go to the set bits of mask, lowest first. */
struct v9_ev_field {
	char name[V9_EV_NAME];
	int word;
	uint64_t mask;
};

/* A file of a PMU's format/: "config:0-7,32" and the like. 0 or -EINVAL. */
int v9_ev_field_parse(const char *text, struct v9_ev_field *field);

/* The largest value the field can hold. */
uint64_t v9_ev_field_max(const struct v9_ev_field *field);

/* Replaces the field's bits in word[]. 0, or -ERANGE if the value does not fit. */
int v9_ev_field_put(const struct v9_ev_field *field, uint64_t value, uint64_t word[V9_EV_WORDS]);

/* "0,2-3": every number is at most max. 0, -EINVAL, or -ERANGE with *bad the number. */
int v9_ev_cpu_list(const char *text, unsigned long max, unsigned long *bad);

/* Is the CPU in such a list? */
bool v9_ev_cpu_in(const char *text, unsigned long cpu);

/* "4K", "1M", "16" (of unit bytes). 0 or -EINVAL. */
int v9_ev_size(const char *text, size_t len, uint64_t unit, uint64_t *bytes);

#endif
