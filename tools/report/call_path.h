/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Text of nodes of the call tree of a trace. */
#ifndef V9TRACE_REPORT_CALL_PATH_H
#define V9TRACE_REPORT_CALL_PATH_H

#include "flow_sum.h"
#include "report.h"

/* Returns the name of the function of a node. */
const char *v9_call_name(const struct v9_flow_sum *f, size_t node);

/* Returns the callers of a node, "main < _start". Long ones end in "...". */
const char *v9_call_path(struct v9_report *r, const struct v9_flow_sum *f, size_t node);

#endif
