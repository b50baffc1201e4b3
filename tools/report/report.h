/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of a report, and helpers for its tables. */
#ifndef V9TRACE_REPORT_REPORT_H
#define V9TRACE_REPORT_REPORT_H

#include "aggregate.h"
#include "group.h"
#include "options.h"
#include "out.h"

struct v9_call_hook;
struct v9_flow_rec;
struct v9_flow_sum;
struct v9_kind;
struct v9_lookup;
struct v9_shard_view;
struct v9_sort;
struct v9_trace;

struct v9_report {
	struct v9_options o;
	struct v9_session s;
	struct v9_aggregate a;
	struct v9_out out;
	const struct v9_sort *sort;
	bool sorted;			/* --sort was given */
	uint64_t limit;
	bool limited;			/* --limit was given */
	struct v9_spe_account acc;
	uint64_t unread;		/* bytes of SPE that were not read, because of an interrupt */
	size_t parts_left;		/* likewise, parts of the cache lines (mem) */
	uint64_t few_lines, few_pages;	/* records of cache lines and pages that are left out (mem) */
	struct v9_strtab text;		/* strings of the tables */
	const char *tag;		/* prefix of tables: which of two captures; or NULL */
	const struct v9_kind *part;	/* prefix of tables; NULL: the capture has only one kind */
	bool calls, callers;		/* print the call tree, its inverse, too; of branch stacks: callers */
	bool waits;			/* only waits of threads, and the paths into them */
	bool waits_shown;		/* their tables were printed */
	bool joint;			/* SPE samples on the path that ETE traced */
	struct v9_joint_machine machine;	/* of .joint */
	const char *calls_of;		/* ETE: only how long calls of this function take; or NULL */
	struct v9_groups groups;	/* --group-by */
	bool selected;			/* a record fitted the filter */
	bool refused;			/* a kind cannot be shown so, and said it */
	const struct v9_report_more *more;	/* or NULL */
	bool reads_shards;		/* the file may be a shard, see shard_view.h */
	struct v9_shard_view *shard;	/* NULL: it is a capture */
};

/* Prints the tables of all kinds. Returns false if there is nothing to print. */
bool v9_report_kinds(struct v9_report *r);

/*
 * Opens the capture, lets @print print its tables and closes it. @shows: see v9_capture_open().
 * Returns an exit status. @print returns false if there is nothing to print.
 */
int v9_report_run(struct v9_report *r, unsigned int shows, bool (*print)(struct v9_report *r));

/*
 * v9_report_records() decodes all SPE records and passes those that match the filter to @take, up
 * to V9_BATCH at a time. @accepts, if not NULL, is called for each record before that; if it returns
 * false, the record is skipped. @first is false for a further pass, which counts nothing in .acc.
 */
#define V9_BATCH	32
struct v9_taker {
	bool (*accepts)(void *arg, const struct v9_spe_rec *rec);
	void (*take)(void *arg, struct v9_sampled *s, size_t n);
	void *arg;
};

void v9_report_records(struct v9_report *r, const struct v9_taker *listener, bool first);

/*
 * The same by several threads: each passes the records of some buffers to its own @listener[i], in the
 * order of the buffers. v9_report_parts() returns how many are worth it, at least 1.
 */
unsigned int v9_report_parts(const struct v9_report *r);
void v9_report_parted(struct v9_report *r, const struct v9_taker *listener, unsigned int parts, bool first);

/*
 * Further consumers of what a report reads, each of which may be NULL: of the SPE records that are
 * in the report; of the calls of an instruction trace while they are found, and after its tables
 * were printed.
 */
struct v9_report_more {
	const struct v9_taker *records;
	const struct v9_call_hook *hook;
	void (*calls)(void *arg, const struct v9_flow_sum *sum);
	void *arg;
};

/* Decode SPE records, an ETE trace, branch stacks, and print their tables: v9_kind.report. */
bool v9_report_spe(struct v9_report *r);
bool v9_report_trace(struct v9_report *r);
bool v9_report_branches(struct v9_report *r);

/* Does the report need the calls of a trace? */
static inline bool v9_rep_wants_tree(const struct v9_report *r)
{
	return r->calls || r->callers || r->calls_of || r->waits;
}

/* Helpers for tables of all kinds. v9_rep_facts, v9_rep_lost: columns of V9_KEYED, V9_LOSSES. */
#define V9_REP_COLS	4
extern const struct v9_col v9_rep_facts[V9_REP_COLS], v9_rep_lost[V9_REP_COLS];
const char *v9_rep_keep(struct v9_report *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void v9_rep_table(struct v9_report *r, struct v9_table *t);
/* Sets the note of a table that shows @shown of @all rows because of --limit. */
void v9_rep_more(struct v9_report *r, struct v9_table *t, uint64_t all, uint64_t shown);
/* Returns the path of an object, for people only its last part. */
const char *v9_rep_object(const struct v9_report *r, const char *path);
/*
 * Adds the losses that perf counts. @collision, @truncated: what these flags mean, for the user.
 * @aux: NULL, or the losses of AUX data are among them.
 */
void v9_rep_losses(struct v9_report *r, struct v9_table *t, const struct v9_aux_sum *aux,
		   const char *collision, const char *truncated);
void v9_rep_loss(struct v9_table *t, uint64_t n, const char *kind, const char *what,
		    const char *meaning);
void v9_rep_fact(struct v9_table *t, const char *key, const char *what, const char *value);
void v9_rep_number(struct v9_report *r, struct v9_table *t, const char *key, const char *what,
		      uint64_t n, const char *unit);
void v9_rep_known(struct v9_report *r, struct v9_table *t, const char *key, const char *what,
		     uint64_t n);
void v9_rep_time(struct v9_report *r, struct v9_table *t, const char *key, const char *what,
		 uint64_t ns);
void v9_rep_spe_losses(struct v9_report *r);
/* Prints what record --check counted of the unit of a kind; @records: SPE: whole records in the capture */
void v9_rep_check(struct v9_report *r, enum v9_kind_id kind, uint64_t records);
/* Of @sum only .n.triggers and .ambiguous are used. */
void v9_rep_trace_losses(struct v9_report *r, const struct v9_trace *trace,
			 const struct v9_flow_sum *sum);
/* Prints objects whose code was needed to decode the trace but was not found. */
void v9_rep_codeless(struct v9_report *r, const struct v9_trace *trace);
/*
 * Does a record of an ETE trace fit the filter? Ranges are selected by their begin; what has no place
 * fits no option about places. For several threads.
 */
bool v9_rep_trace_passes(const struct v9_report *r, struct v9_lookup *lookup,
			 const struct v9_sampled *at, const struct v9_flow_rec *rec);
void v9_rep_mean(struct v9_table *t, const struct v9_sum *s);
/* Returns a bar of "#": @most of them has the greatest length. */
const char *v9_rep_bar(struct v9_report *r, uint64_t n, uint64_t most);
double v9_rep_percent(uint64_t part, uint64_t whole);
void v9_rep_share(struct v9_table *t, uint64_t part, uint64_t whole);

/* Adds percentiles 50, 90, 99 and the greatest value; of no value four unknown cells. */
void v9_rep_percentiles(struct v9_table *t, const struct v9_hist *h);

/* Adds the cells of a row for histogram @h. V9_REP_HISTOGRAM is their columns. */
void v9_rep_histogram(struct v9_table *t, const uint64_t *h);
#define V9_REP_HISTOGRAM \
	{ "records", "records", V9_COUNT, V9_DROP(2) }, \
	{ "mean", "mean", V9_MEAN, false }, \
	{ "p50", "p50", V9_COUNT, V9_DROP(3) }, \
	{ "p90", "p90", V9_COUNT, false }, \
	{ "p99", "p99", V9_COUNT, false }, \
	{ "max", "max", V9_COUNT, false }, \
	{ "saturated", "at limit", V9_COUNT, V9_DROP(1) }
extern const char *const v9_rep_latencies[V9_SPE_LATENCIES];
/* Adds the requested period and the interval that the unit uses. */
void v9_rep_period(struct v9_report *r, struct v9_table *t);
const char *v9_rep_seconds(struct v9_report *r, uint64_t ns);

/* Returns NULL and prints an error if there is no such order. @name NULL: the default. */
const struct v9_sort *v9_sort_find(const char *name);
const char *v9_sort_name(const struct v9_sort *sort);

#endif
