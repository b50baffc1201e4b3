/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Internal to v9_ete: ete.c has the PMU, trbe.c the windows of the AUX buffer.
 */
#ifndef V9TRACE_ETE_DRIVER_H
#define V9TRACE_ETE_DRIVER_H

#include "aux.h"
#include "unit.h"
#include "v9trace/seq.h"

/**
 * struct v9_ete_cpu - one CPU's trace unit and buffer
 * @u: part that all drivers have
 * @type: CPU type
 * @unit: features of the units of that type
 * @values_offset: byte offset in struct v9_ete_session of the register values for that type
 * @late: number of the type if it was added when events could exist already, else 0
 * @regs: registers of the open window, as written
 * @now: registers of the window, as last read
 * @saved: registers that v9_ete_save() read
 * @state: what the registers of trace unit and buffer hold
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

/* Bytes: smallest useful window, the size of the first packets of a trace */
#define V9_TRBE_LEAST	64

/**
 * v9_trbe_open - open the next window
 * @cpu: this CPU
 * @event: event
 * @values: its register values, with the trigger that ends the trace
 * @wrote: result: the CPU wrote padding, now or since the last window
 *
 * perf says which part of the ring is free, and plan.c where to write in it. On success @cpu->regs
 * holds the window. On failure an AUX handle that was opened stays open, with nothing in it, for
 * v9_pmu_start() and v9_pmu_add(), or, in the interrupt handler, for v9_pmu_switch_off().
 *
 * Return: 0 or -ENOSPC.
 */
int v9_trbe_open(struct v9_ete_cpu *cpu, struct perf_event *event,
		 const struct v9_ete_reg_values *values, bool *wrote);

/**
 * v9_trbe_close - close the window
 * @cpu: this CPU
 * @now: registers of the stopped unit
 * @j: fault action that follows from them
 *
 * It hands the data to perf, with flags for what is missing. In an overwritten buffer the head
 * moves by all bytes that were written, as perf expects.
 */
void v9_trbe_close(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now,
		   struct v9_fault_action j);

#endif
