/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* v9trace report --calls-of: how long the calls of one function take. */
#ifndef V9TRACE_REPORT_CALLS_OF_H
#define V9TRACE_REPORT_CALLS_OF_H

#include "durations.h"
#include "flow_sum.h"
#include "report.h"

struct v9_calls_of {
	struct v9_durations d;
	struct v9_call_hook hook;
	const char *name;
	struct v9_session *s;
};

/* Makes @sum tell of calls of @r->calls_of. */
void v9_calls_of_init(struct v9_calls_of *c, struct v9_report *r, struct v9_flow_sum *sum);

/* Tells of a record that was added to @sum: clocks and gaps. */
void v9_calls_of_take(struct v9_calls_of *c, struct v9_flow_sum *sum, const struct v9_sampled *at,
		      const struct v9_flow_rec *rec);

/* Prints its tables, after v9_flow_sum_end(). */
void v9_calls_of_print(struct v9_calls_of *c, struct v9_report *r, const struct v9_flow_sum *sum);

/* Returns false after an error message if there was no such call. */
bool v9_calls_of_any(const struct v9_calls_of *c, const struct v9_report *r);
void v9_calls_of_free(struct v9_calls_of *c);

#endif
