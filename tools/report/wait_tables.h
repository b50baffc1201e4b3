/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* v9trace report --waits: how long threads waited and, if there is an ETE trace, the path into each wait. */
#ifndef V9TRACE_REPORT_WAIT_TABLES_H
#define V9TRACE_REPORT_WAIT_TABLES_H

#include "flow_sum.h"
#include "report.h"

/* The paths into waits, while a trace is read in the order of time. */
struct v9_wait_paths {
	struct v9_session *s;
	struct v9_wait_stop *stop;	/* by thread of the waits */
	size_t last;			/* that was running */
	bool clocked;			/* timestamps can be converted to perf's clock */
};

void v9_wait_paths_init(struct v9_wait_paths *p, struct v9_session *s);

/* @at executes. Before it is added to @sum. */
void v9_wait_paths_runs(struct v9_wait_paths *p, const struct v9_flow_sum *sum,
			const struct v9_sampled *at);

/* After @rec, which is no range, was added to @sum. */
void v9_wait_paths_take(struct v9_wait_paths *p, const struct v9_flow_sum *sum,
			const struct v9_sampled *at, const struct v9_flow_rec *rec);
void v9_wait_paths_free(struct v9_wait_paths *p);

/* Prints the tables, losses first. @sum: that of the paths; NULL: the capture has no trace of instructions. */
void v9_rep_waits(struct v9_report *r, const struct v9_flow_sum *sum);

/* Likewise of a kind of trace that has no paths: nothing if the capture has another one that has. */
void v9_rep_waits_alone(struct v9_report *r);

#endif
