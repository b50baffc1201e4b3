/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The report: what was summed up, and how to show it. */
#ifndef V9TRACE_REPORT_REPORT_H
#define V9TRACE_REPORT_REPORT_H

#include "aggregate.h"
#include "options.h"
#include "out.h"

struct v9_sort;

/* Of a capture that holds both: whose table it is. */
struct v9_part {
	const char *name, *title;
};

struct v9_report {
	struct v9_options o;
	struct v9_session s;
	struct v9_aggregate a;
	struct v9_out out;
	const struct v9_sort *sort;
	uint64_t limit;
	struct v9_spe_account acc;
	struct v9_strtab text;		/* strings made for tables */
	const struct v9_part *part;	/* NULL: there is only one */
	bool calls;			/* of a trace: the call tree too */
};

/*
 * Decodes all SPE records and hands over those that pass the filter, some dozen at a time; first
 * @wants (or NULL) is asked of each. Without @first it is done once more, and nothing is counted
 * again.
 */
#define V9_BATCH	32
struct v9_taker {
	bool (*wants)(void *arg, const struct v9_spe_rec *rec);
	void (*take)(void *arg, struct v9_sampled *s, size_t n);
	void *arg;
};

void v9_report_records(struct v9_report *r, const struct v9_taker *listener, bool first);

/* The tables of SPE records, which were summed up. */
void v9_report_print(struct v9_report *r);

/* Decodes a trace of instructions and prints its tables. False: it holds not one packet. */
bool v9_report_trace(struct v9_report *r);

/* Parts that tables of both kinds are made of. */
const char *v9_rep_keep(struct v9_report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void v9_rep_table(struct v9_report *r, struct v9_table *t);
void v9_rep_losses(struct v9_report *r, struct v9_table *t, bool trace);
void v9_rep_loss(struct v9_table *t, uint64_t n, const char *kind, const char *what,
		    const char *meaning);
void v9_rep_fact(struct v9_table *t, const char *key, const char *what, const char *value);
void v9_rep_number(struct v9_report *r, struct v9_table *t, const char *key, const char *what,
		      uint64_t n, const char *unit);
void v9_rep_known(struct v9_report *r, struct v9_table *t, const char *key, const char *what,
		     uint64_t n);
void v9_rep_spe_losses(struct v9_report *r);
void v9_rep_mean(struct v9_table *t, const struct v9_sum *s);
void v9_rep_share(struct v9_table *t, uint64_t part, uint64_t whole);

/* The cells of a histogram's row, and their columns. */
void v9_rep_histogram(struct v9_table *t, const uint64_t *h);
#define V9_REP_HISTOGRAM \
	{ "records", "records", V9_COUNT, false }, \
	{ "mean", "mean", V9_MEAN, false }, \
	{ "p50", "p50", V9_COUNT, false }, \
	{ "p90", "p90", V9_COUNT, false }, \
	{ "p99", "p99", V9_COUNT, false }, \
	{ "max", "max", V9_COUNT, false }, \
	{ "saturated", "at limit", V9_COUNT, false }
extern const char *const v9_rep_latencies[V9_SPE_LATENCIES];
/* What was asked for, and what the unit does. */
void v9_rep_period(struct v9_report *r, struct v9_table *t);
const char *v9_rep_seconds(struct v9_report *r, uint64_t ns);
void v9_rep_nameless(struct v9_report *r);

/* NULL, with the message printed, if there is no such order; the default for NULL. */
const struct v9_sort *v9_sort_find(const char *name);

#endif
