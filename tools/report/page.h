/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * v9trace html: a page in one file. The page has the tables of report and mem, and data of charts.
 * All of it is JSON in elements that a browser does not run; page/page.js makes what is shown.
 */
#ifndef V9TRACE_REPORT_PAGE_H
#define V9TRACE_REPORT_PAGE_H

#include "flow_sum.h"
#include "mem.h"

#include "../capture/lines.h"

/* Latencies by powers of two, each in two halves: 0, 1, 2, 3, 4, 6, 8, 12, ... 49152 */
#define V9_PAGE_LATENCIES	32

/*
 * Latency by address and time. A cell is a range of addresses of a process during a time. Both ranges
 * are doubled when there are too many cells, rows or columns, so memory is limited.
 */
struct v9_heat {
	struct v9_bins cells;
	struct v9_bins rows, columns;	/* those that occur */
	unsigned int addr_shift, time_shift;
	uint64_t without;		/* records without address, time or latency */
};

struct v9_page_names;

#define V9_PAGE_BARS	20000
#define V9_PAGE_FLAGS	2000

/*
 * Marks of a program (lib/v9mark.h) by thread and position: bars are phases and numbers, flags are moments. If
 * there are more than V9_PAGE_BARS, the shortest are dropped; of more than V9_PAGE_FLAGS each second one. What
 * is dropped is counted.
 */
struct v9_page_marks {
	struct v9_page_marked *thread;
	struct v9_page_bar *bar;
	struct v9_page_flag *flag;
	size_t nr_threads, nr_bars, nr_flags;
	uint64_t marks, flags;		/* so far */
	uint64_t apart, least;		/* one of so many flags, instructions of a bar, that are kept */
};

void v9_page_marks_init(struct v9_page_marks *p);
/* @thread: a number of the caller's; @at: the instructions that it has executed */
void v9_page_marks_take(struct v9_page_marks *p, uint32_t thread, uint64_t at, const struct v9_mark *m);
/* The thread ends: so do its open bars. */
void v9_page_marks_end(struct v9_page_marks *p, uint32_t thread, uint64_t at);
void v9_page_marks_sort(struct v9_page_marks *p);
/* Writes members of an object for the thread. */
void v9_page_marks_write(struct v9_page_marks *p, uint32_t thread, struct v9_page_names *names, FILE *f);
void v9_page_marks_free(struct v9_page_marks *p);

/* What an SPE capture has beside its tables */
struct v9_page_spe {
	struct v9_syms *syms;
	struct v9_heat heat;
	struct v9_spots spots;
	struct v9_bins funcs;		/* latencies of a function */
	struct v9_bins nodes;		/* of the icicle, down to instructions */
	struct v9_bins lines;		/* the same, down to source lines */
	struct v9_strtab text;		/* names of inlined functions, of lines */
};

void v9_page_spe_init(struct v9_page_spe *p, struct v9_syms *syms);
void v9_page_spe_add(struct v9_page_spe *p, struct v9_sampled *s, size_t n);
void v9_page_spe_write(struct v9_page_spe *p, FILE *f);
void v9_page_spe_free(struct v9_page_spe *p);

/*
 * The calls of each thread, by the instructions that it had executed when they began and ended. If
 * there are too many, the shortest are dropped and counted.
 */
struct v9_page_calls {
	struct v9_call_hook hook;
	struct v9_page_thread *thread;
	size_t nr_threads;
	struct v9_page_call *call;
	size_t nr_calls, most;
	uint64_t least;			/* instructions of a call that is kept */
	struct v9_page_marks marks;
};

/* @most: calls to keep */
void v9_page_calls_init(struct v9_page_calls *p, size_t most);
void v9_page_calls_write(struct v9_page_calls *p, struct v9_session *s, const struct v9_flow_sum *sum,
			 FILE *f);
void v9_page_calls_free(struct v9_page_calls *p);

/* ---- writing */

/* Names of a chart: each is written once, and used by its number. */
struct v9_page_names {
	struct v9_strtab index;
	const char **name;
	size_t nr;
};

size_t v9_page_name(struct v9_page_names *n, const char *name);
void v9_page_names_write(const struct v9_page_names *n, FILE *f);	/* "names":[...], */
void v9_page_names_free(struct v9_page_names *n);

/* A string of JSON. Invalid UTF-8 becomes '?'. */
void v9_page_text(FILE *f, const char *s);

/* Begins and ends an element with the data of a chart. */
void v9_page_open(FILE *f, const char *id);
void v9_page_close(FILE *f);

/* The format of the page. Its tables belong to a view: "report", "mem", "annotate" or "joint". */
extern const struct v9_format v9_format_page;
void v9_page_view(const char *view);

#endif
