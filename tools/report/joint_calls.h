/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* report --joint --calls-of: how long the calls of a function take, and what was sampled in the longest. */
#ifndef V9TRACE_REPORT_JOINT_CALLS_H
#define V9TRACE_REPORT_JOINT_CALLS_H

#include "calls_of.h"
#include "joint_read.h"

struct v9_joint_calls {
	struct v9_report *r;
	struct v9_calls_of of;
	/* private */
	struct v9_lookup lookup;
	struct v9_trace t;
	struct v9_flow_sum sum;
	struct v9_bins rows;		/* samples by call, function and data source */
	/* of the last block: its thread in .sum, or NULL; is its path below a call of the function? */
	uint32_t tid, path;
	const struct v9_thread_calls *thread;
	bool below;
};

/* Reads the trace and finds the longest calls of @r->calls_of: they are known at its end only. */
void v9_joint_calls_find(struct v9_joint_calls *c, struct v9_report *r);

/* Adds a sample of @in. Counts it if all its candidates are in one of the longest calls, or all in others. */
void v9_joint_calls_take(struct v9_joint_calls *c, const struct v9_joint_read *in,
			 const struct v9_joint_window *w, const struct v9_joint_record *x,
			 const struct v9_joint_sample *s, const struct v9_joint_place *p);

/* Prints the tables of the calls, and of the samples in them. @in was read. */
void v9_joint_calls_print(struct v9_joint_calls *c, const struct v9_joint_read *in);
void v9_joint_calls_free(struct v9_joint_calls *c);

#endif
