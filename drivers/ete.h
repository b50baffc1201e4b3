/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * v9_ete, inside: the PMU is in ete.c, the AUX buffer and its windows in trbe.c.
 */
#ifndef V9TRACE_ETE_DRIVER_H
#define V9TRACE_ETE_DRIVER_H

#include <linux/perf_event.h>

#include "v9trace/attr.h"
#include "v9trace/judge.h"
#include "v9trace/seq.h"
#include "v9trace/uapi.h"

/* Counters in stats/, summed over CPUs. The first ones are those of enum v9_verdict. */
enum v9_ete_stat {
	V9_ETE_STAT_SPURIOUS = V9_VERDICT_SPURIOUS,
	V9_ETE_STAT_FULL = V9_VERDICT_FULL,
	V9_ETE_STAT_LOST = V9_VERDICT_LOST,
	V9_ETE_STAT_FAULT = V9_VERDICT_FAULT,
	V9_ETE_STAT_ABORT = V9_VERDICT_ABORT,
	V9_ETE_STAT_FATAL = V9_VERDICT_FATAL,
	V9_ETE_STAT_INTERRUPTS,
	V9_ETE_STAT_BYTES,
	V9_ETE_STAT_PADDING,
	V9_ETE_STAT_TRUNCATED,
	V9_ETE_STAT_PARTIAL,
	V9_ETE_STATS
};

struct v9_ete;

/**
 * struct v9_ete_cpu - one CPU's trace unit and buffer
 * @handle: the AUX transaction; open while a window is
 * @event: the event between add and del
 * @ete: where it belongs
 * @regs: the open window, as it was when it opened
 * @saved: while @parked: what moved
 * @ready: hotplug has brought the units up
 * @parked: the units run, but power management holds their registers
 * @stat: counters
 */
struct v9_ete_cpu {
	struct perf_output_handle handle;
	struct perf_event *event;
	struct v9_ete *ete;
	struct v9_trbe_regs regs;
	struct v9_trbe_regs saved;
	bool ready;
	bool parked;
	u64 stat[V9_ETE_STATS];
};

/**
 * v9_trbe_setup_aux - make an AUX buffer
 * @event: whose
 * @pages: its pages
 * @nr_pages: how many
 * @snapshot: old data would be overwritten, which is not offered
 *
 * Return: the buffer, or NULL.
 */
void *v9_trbe_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot);

/**
 * v9_trbe_free_aux - unmake it
 * @aux: the buffer
 */
void v9_trbe_free_aux(void *aux);

/**
 * v9_trbe_open - open the next window
 * @cpu: this CPU
 * @event: whose
 * @unit: what the buffer unit wants
 * @wrote: result: the CPU filled in padding
 *
 * From perf the free part of its ring, from plan.c where to write in it. On
 * success @cpu->regs holds the window. On failure the transaction is closed, and
 * perf will disable the event until the consumer has made room.
 *
 * Return: 0 or -ENOSPC.
 */
int v9_trbe_open(struct v9_ete_cpu *cpu, struct perf_event *event, const struct v9_ete_unit *unit,
		 bool *wrote);

/**
 * v9_trbe_close - close the window
 * @cpu: this CPU
 * @now: registers as the unit was left
 * @j: what they say
 *
 * Hands what the unit wrote to perf, with the truth about it.
 */
void v9_trbe_close(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now, struct v9_judgement j);

#endif
