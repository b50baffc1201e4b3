/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One session on CPUs of several types.
 */
#ifndef V9TRACE_CPU_TYPES_H
#define V9TRACE_CPU_TYPES_H

#include "attr.h"
#include "plan.h"

/**
 * v9_cpu_types_merge - combine what units of two CPU types require of a window
 * @all: requirements of the one type; result: requirements that satisfy both
 * @one: requirements of the other type
 */
void v9_cpu_types_merge(struct v9_aux *all, const struct v9_aux *one);

/**
 * v9_cpu_types_copy_state - continue a session on a CPU of another type
 * @to: register values for the new type, which are updated with the state of @from
 * @from: register values for the old type, as read when the session stopped
 *
 * The function copies whether tracing is started or stopped by points. It copies counter values
 * and the state of the sequencer if both types use the same resources; otherwise these start from
 * their initial values.
 */
void v9_cpu_types_copy_state(struct v9_ete_reg_values *to, const struct v9_ete_reg_values *from);

#endif
