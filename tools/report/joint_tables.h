/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* report --joint: SPE samples by the functions and call paths that ETE traced. */
#ifndef V9TRACE_REPORT_JOINT_TABLES_H
#define V9TRACE_REPORT_JOINT_TABLES_H

#include "report.h"

/* Prints the tables. Returns false, after an error message, if the capture cannot be shown so. */
bool v9_report_joint(struct v9_report *r);

#endif
