/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sums by any list of keys: --group-by of v9trace report. */
#ifndef V9TRACE_REPORT_GROUP_H
#define V9TRACE_REPORT_GROUP_H

#include "../capture/lines.h"
#include "aggregate.h"
#include "hist.h"
#include "out.h"

#define V9_GROUP_KEYS	20	/* that there are */

struct v9_report;

/* What debug information says of an address. Equal names are equal pointers. */
struct v9_group_line {
	const char *file, *inlined;		/* NULL: not known; no function was inlined */
	uint64_t line;
};

struct v9_groups {
	unsigned int key[V9_GROUP_KEYS];	/* in the order of the columns */
	unsigned int nr;			/* 0: no groups */
	bool places;				/* a key needs the function or object */
	bool by_line;				/* a key needs struct v9_group_line */
	bool by_block;				/* a key needs heap blocks: v9_heap_read() */
	bool histogram;				/* keep the distribution of a latency, of SPE */
	unsigned int latency;			/* enum v9_spe_latency */
	uint64_t range;				/* bytes of a range of data addresses */
	struct v9_lines lines;
	struct v9_bins line_at;			/* lines that were looked up */
	struct v9_strtab files;
	struct v9_bins bins;
	uint64_t sum;				/* of all groups: samples or instructions */
};

/* Parses a list of keys. Returns false and prints an error if it is not valid. */
bool v9_groups_parse(struct v9_groups *g, const char *list);

/* Parses the name of a latency. Returns false and prints an error if there is none. */
bool v9_groups_histogram(struct v9_groups *g, const char *latency);

void v9_groups_init(struct v9_groups *g, struct v9_syms *syms);
void v9_groups_free(struct v9_groups *g);

/* Returns what is known of an address of an object; valid as long as the groups. */
const struct v9_group_line *v9_groups_line(struct v9_groups *g, const struct v9_place *place);

/*
 * Adds @n samples or instructions to the group of a task, of Exception level @el, and of @place if
 * .places, of @line if .by_line. @rec: NULL, or its operation, latencies, data address and source count,
 * too. @el: -1 if it is not known
 */
void v9_groups_add(struct v9_groups *g, const struct v9_session *s, const struct v9_sampled *at,
		   int el, const struct v9_place *place, const struct v9_group_line *line,
		   const struct v9_spe_rec *rec, uint64_t n);

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
