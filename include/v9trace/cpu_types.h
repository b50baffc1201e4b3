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
 * v9_cpu_types_copy_state - a session moves to a CPU of another type
 * @to: register values for that type; result: continues where @from was
 * @from: register values for the type that it leaves, as they were when it stopped
 *
 * Whether a start point was passed is copied. Counter values and the state of the sequencer are
 * copied if the same resources are used for both types; else they begin anew.
 */
void v9_cpu_types_copy_state(struct v9_ete_reg_values *to, const struct v9_ete_reg_values *from);

#endif
