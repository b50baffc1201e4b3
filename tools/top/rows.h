/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What v9trace top shows, from the sums of SPE records: rows of a group, their order, and their text.
 * Functions without side effects; names come from a callback.
 */
#ifndef V9TRACE_TOP_ROWS_H
#define V9TRACE_TOP_ROWS_H

#include "../live/copy.h"

enum v9_top_by {
	V9_TOP_FUNCTION, V9_TOP_SRCLINE, V9_TOP_OBJECT, V9_TOP_DATA, V9_TOP_SOURCE, V9_TOP_LATENCY, V9_TOP_BYS
};

/* Each but V9_TOP_AVERAGE is a weight of which there are shares. */
enum v9_top_sort {
	V9_TOP_SAMPLES, V9_TOP_CYCLES, V9_TOP_AVERAGE, V9_TOP_L1, V9_TOP_LLC, V9_TOP_TLB, V9_TOP_BRANCH, V9_TOP_SORTS
};

extern const char *const v9_top_by_name[V9_TOP_BYS], *const v9_top_sort_name[V9_TOP_SORTS];

/* Returns the index of @name in @names, or @n. */
size_t v9_top_find(const char *const *names, size_t n, const char *name);

/* Where a sum belongs. Sums of one row have the same key. */
struct v9_top_place {
	uint64_t key[2];
	const char *object, *name;	/* valid as long as the rows; .object may be "" */
};

struct v9_top_row {
	uint64_t key[2];
	const char *object, *name;
	uint64_t value[V9_SPE_WEIGHTS];
};

typedef void (*v9_top_place_fn)(void *arg, const struct v9_live_sum *sum, struct v9_top_place *place);
typedef void (*v9_top_class_fn)(void *arg, const struct v9_live_class *class, struct v9_top_place *place);

struct v9_top_rows {
	struct v9_bins bins;			/* struct v9_top_row */
	uint64_t total[V9_SPE_WEIGHTS];		/* of all rows, filtered or not */
	uint64_t period;			/* of the samples of rows; 0: none is known */
	const struct v9_top_row **row;		/* those to show, in their order */
	size_t nr;
};

void v9_top_rows_init(struct v9_top_rows *r);
void v9_top_rows_free(struct v9_top_rows *r);

/* What a user has chosen */
struct v9_top_choice {
	enum v9_top_by by;
	enum v9_top_sort sort;
	const char *filter;		/* part of a name or object, in upper or lower case; "": all */
};

/*
 * Adds up the rows of .by, in samples of the shortest period. By data, sums without a data address are left out;
 * what was evicted is a row, but not by source and latency, from which nothing is evicted.
 */
void v9_top_group(struct v9_top_rows *r, const struct v9_live_copy *s, enum v9_top_by by, v9_top_place_fn place,
		  v9_top_class_fn class, void *arg);

/*
 * Sets .row to the rows that contain the text of the filter, sorted by .sort. Rows of the table of latencies
 * are sorted by latency instead.
 */
void v9_top_order(struct v9_top_rows *r, const struct v9_top_choice *c);

/* Share of the weight that .sort chooses, in percent of all rows */
double v9_top_share(const struct v9_top_rows *r, const struct v9_top_row *row, enum v9_top_sort sort);

/* Average latency in cycles */
double v9_top_average(const struct v9_top_row *row);

/* What is above the rows. Times are seconds. */
struct v9_top_head {
	const char *event, *target;	/* what is recorded, and of what */
	uint64_t period;		/* one in so many operations; 0: not known */
	double up, rate, cost;		/* time; records a second; own share of a CPU in percent */
	int pid;			/* of the recorder that it is attached to; 0: it records itself */
	double recorder;		/* share of a CPU of that, in percent */
	uint32_t spent, budget;		/* of all recorded CPUs, in millionths; .budget 0: there is none */
	const char *why;		/* what is shown is old, and why; NULL: it is not */
	bool paused;			/* no new rows are shown */
	bool stopped;			/* v9trace pause has closed the recorder's events */
};

#define V9_TOP_HEAD	4		/* most lines */

/*
 * Text of at most @width columns, 0: as long as it is. Control characters of names become '?'. The caller
 * frees the results. Lines of the head: the first says what was lost, if anything was; then what is recorded,
 * what is shown, and the titles of columns.
 */
char *v9_top_line(const struct v9_top_rows *r, const struct v9_top_row *row, const struct v9_top_choice *c,
		  unsigned int width);
size_t v9_top_head(char *line[V9_TOP_HEAD], const struct v9_top_head *h, const struct v9_live_copy *s,
		   const struct v9_top_rows *r, const struct v9_top_choice *c, unsigned int width);

#endif
