/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads the branch stacks of a capture: selects, decodes, and gives places and functions numbers. */
#ifndef V9TRACE_REPORT_BRANCH_READ_H
#define V9TRACE_REPORT_BRANCH_READ_H

#include "branch_sum.h"
#include "filter.h"

struct v9_report;

/* An instruction. Numbers are indexes in the table, + 1. */
struct v9_branch_place {
	uint64_t key[2];		/* name of the object, address in its file */
	uint32_t number;
	uint32_t func;			/* number of its function */
	struct v9_place place;
};

/* A function, or what of an object has none. */
struct v9_branch_func {
	uint64_t key[2];		/* function or 0, name of the object */
	uint32_t number;
};

struct v9_branch_places {
	struct v9_session *s;
	struct v9_bins places, funcs;
	struct v9_bins known;		/* address and process -> number of the place; bounded */
};

void v9_branch_places_init(struct v9_branch_places *p, struct v9_session *s);
void v9_branch_places_free(struct v9_branch_places *p);

/* NULL for number 0 */
const struct v9_branch_place *v9_branch_place(const struct v9_branch_places *p, uint32_t number);
const struct v9_branch_func *v9_branch_func(const struct v9_branch_places *p, uint32_t number);

/* A sample with a stack */
struct v9_branch_sample {
	struct v9_sampled at;
	uint64_t filter;		/* V9_BRANCH_* of its event */
	unsigned int shows;		/* V9_STACK_* */
	const struct v9_step *step;
	size_t n;
};

/* Passes each stack that passes the filter of the report to @take, by time. */
void v9_branch_read(struct v9_report *r, struct v9_branch_places *places,
		    void (*take)(void *arg, const struct v9_branch_sample *s), void *arg);

/* Returns what the stacks of an event can show: V9_STACK_*. @filter: V9_BRANCH_* */
unsigned int v9_branch_shows(uint64_t filter);

/*
 * Does the filter, of which only places and levels are looked at, select the branch? By its source,
 * or by its target if the source is not known.
 */
bool v9_branch_passes(const struct v9_record_filter *f, const struct v9_branch_rec *b,
		      const struct v9_place *from, const struct v9_place *to);

/* The Exception level of a branch: 0, or -1 if it is not known. */
int v9_branch_el(const struct v9_branch_rec *b);

#endif
