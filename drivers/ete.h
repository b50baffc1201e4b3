/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * v9_ete, inside: the PMU is in ete.c, the windows of the AUX buffer in trbe.c.
 */
#ifndef V9TRACE_ETE_DRIVER_H
#define V9TRACE_ETE_DRIVER_H

#include "aux.h"
#include "unit.h"
#include "v9trace/seq.h"

/**
 * struct v9_ete_cpu - one CPU's trace unit and buffer
 * @u: what all drivers have
 * @type: of which
 * @unit: what they can do, which all of the CPU's kind can
 * @values_offset: of what an event carries, where the image for that kind begins: bytes
 * @late: 0, or the number of the kind: it came when there may have been events already
 * @regs: the open window, as it was when it opened
 * @now: the unit as it was left when it was last looked at
 * @saved: while parked: what moved
 * @state: what the registers hold
 */
struct v9_ete_cpu {
	struct v9_pmu_cpu u;
	struct v9_ete_type *type;
	const struct v9_ete_unit *unit;
	size_t values_offset;
	unsigned int late;
	struct v9_ete_state state;
	struct v9_trbe_regs regs;
	struct v9_trbe_regs now;
	struct v9_trbe_regs saved;
};

/* Room below which a window is not worth its interrupt: the first packets of a session. */
#define V9_TRBE_LEAST	64

/**
 * v9_trbe_open - open the next window
 * @cpu: this CPU
 * @event: whose
 * @values: what it traces, and which trigger ends that
 * @wrote: result: the CPU filled in padding, now or since the last window
 *
 * From perf the free part of its ring, from plan.c where to write in it. On
 * success @cpu->regs holds the window. On failure a transaction that perf has
 * begun stays open, with nothing in it, for v9_pmu_start() and v9_pmu_add(), or,
 * in the interrupt, for v9_pmu_switch_off().
 *
 * Return: 0 or -ENOSPC.
 */
int v9_trbe_open(struct v9_ete_cpu *cpu, struct perf_event *event,
		 const struct v9_ete_reg_values *values, bool *wrote);

/**
 * v9_trbe_close - close the window
 * @cpu: this CPU
 * @now: registers as the unit was left
 * @j: what they say
 *
 * Hands what the unit wrote to perf, with the truth about it. In an overwritten
 * buffer the head goes up by all that was written, as perf expects.
 */
void v9_trbe_close(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now,
		   struct v9_fault_action j);

#endif
