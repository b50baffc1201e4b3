/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sums by any list of keys: --group-by of v9trace report. */
#ifndef V9TRACE_REPORT_GROUP_H
#define V9TRACE_REPORT_GROUP_H

#include "aggregate.h"
#include "out.h"

#define V9_GROUP_KEYS	10	/* that there are */

struct v9_report;

struct v9_groups {
	unsigned int key[V9_GROUP_KEYS];	/* in the order of the columns */
	unsigned int nr;			/* 0: no groups */
	bool places;				/* a key needs the function or object */
	struct v9_bins bins;
	uint64_t sum;				/* of all groups: samples or instructions */
};

/* Parses a list of keys. Returns false and prints an error if it is not valid. */
bool v9_groups_parse(struct v9_groups *g, const char *list);

void v9_groups_init(struct v9_groups *g);
void v9_groups_free(struct v9_groups *g);

/*
 * Adds @n samples or instructions to the group of a task, of Exception level @el, and of @place if
 * .places. @rec: NULL, or its operation and latencies count, too. @el: -1 if it is not known
 */
void v9_groups_add(struct v9_groups *g, const struct v9_session *s, const struct v9_sampled *at,
		   int el, const struct v9_place *place, const struct v9_spe_rec *rec, uint64_t n);

/* What a kind of trace adds to the table */
struct v9_groups_kind {
	const char *item;	/* what is counted */
	bool latencies;		/* with their columns */
	double share;		/* percent that all groups are of what was executed */
	/* adds the first rows, or NULL */
	void (*first)(void *arg, struct v9_table *t);
	void *arg;
};

/* Prints the table, largest group first. */
void v9_groups_print(struct v9_groups *g, struct v9_report *r, const struct v9_groups_kind *kind);

#endif
