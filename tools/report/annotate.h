/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables of v9trace annotate. */
#ifndef V9TRACE_REPORT_ANNOTATE_H
#define V9TRACE_REPORT_ANNOTATE_H

#include "report.h"

/*
 * Reads the open capture of a report again, after its tables, and prints the instructions and lines of the
 * @limit hottest functions.
 */
void v9_annotate_print(struct v9_report *r, uint64_t limit);

#endif
