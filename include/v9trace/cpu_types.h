/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One session on CPUs whose units are not alike: what holds for all of them.
 */
#ifndef V9TRACE_CPU_TYPES_H
#define V9TRACE_CPU_TYPES_H

#include "attr.h"
#include "plan.h"

/**
 * v9_cpu_types_merge - a buffer that two kinds of units write to, by turns
 * @all: what the one kind wants of a window; result: what suits both
 * @one: what the other wants
 */
void v9_cpu_types_merge(struct v9_aux *all, const struct v9_aux *one);

/**
 * v9_cpu_types_copy_state - a session moves to a unit of another kind
 * @to: what it holds there; result: goes on where @from was
 * @from: what it held here, as it was left
 *
 * Whether a start point was passed goes along. What counters and the sequencer have come to does
 * if the same ones are in use there; else they begin anew.
 */
void v9_cpu_types_copy_state(struct v9_ete_reg_values *to, const struct v9_ete_reg_values *from);

#endif
