/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* v9trace report --waits: how long threads waited and, if there is an ETE trace, the path into each wait. */
#ifndef V9TRACE_REPORT_WAIT_TABLES_H
#define V9TRACE_REPORT_WAIT_TABLES_H

#include "flow_sum.h"
#include "report.h"

/* Finds the path into each wait while a trace is read in the order of time. */
struct v9_wait_paths {
	struct v9_session *s;
	struct v9_wait_stop *stop;	/* by index of the thread in the waits */
	size_t last;			/* index of the thread of the last record */
	size_t *by_waker;		/* indices of the wake-ups, by waker, then by time */
	bool clocked;			/* timestamps can be converted to perf's clock */
};

void v9_wait_paths_init(struct v9_wait_paths *p, struct v9_session *s);

/*
 * Notes where a thread left its CPU, when it runs again. Must be called before each record is
 * added to @sum. @at: task, CPU and time of the record
 */
void v9_wait_paths_runs(struct v9_wait_paths *p, const struct v9_flow_sum *sum,
			const struct v9_sampled *at);

/*
 * Sets the paths of the waits that have ended. Must be called after each record that is no range
 * was added to @sum.
 */
void v9_wait_paths_take(struct v9_wait_paths *p, const struct v9_flow_sum *sum,
			const struct v9_sampled *at, const struct v9_flow_rec *rec);
void v9_wait_paths_free(struct v9_wait_paths *p);

/*
 * Prints the tables, losses first. @sum: of the ETE trace; NULL: the capture has none, so no
 * paths.
 */
void v9_rep_waits(struct v9_report *r, const struct v9_flow_sum *sum);

/*
 * Prints them for SPE records and branch stacks, which have no paths. Prints nothing if the
 * capture has an ETE trace, or if the tables were printed.
 */
void v9_rep_waits_alone(struct v9_report *r);

#endif
