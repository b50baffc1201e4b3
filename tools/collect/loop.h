/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A recording between its start and its end: sleeps until a ring or a signal
 * has something, brings what the rings hold to the file, and counts each byte.
 */
#ifndef V9TRACE_COLLECT_LOOP_H
#define V9TRACE_COLLECT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "child.h"
#include "cpus.h"
#include "rings.h"
#include "sideband.h"
#include "writer.h"

struct v9_loop {
	struct v9_rings *rings;
	struct v9_writer *out;
	struct v9_counts *counts;
	struct v9_objects *objects;
	struct v9_child *child;
	const struct v9_target *target;
	int signals;		/* signalfd */
	bool progress;		/* to be shown */
	bool interrupted;	/* by a signal */
	/* own */
	int attached;		/* pidfd of the process attached to; -1: none */
	int messages;		/* socket: CPUs go and come; -1: none */
	struct v9_cpus cpus;
	uint64_t began;		/* ns */
	bool ticks;		/* some ring has nothing that would wake us */
	uint64_t drained_ms;	/* when all rings were drained last */
	uint64_t round_start;	/* counts->records at the last finished round */
};

/* First of all, with what is above "own" filled in. */
void v9_loop_prepare(struct v9_loop *l);

/* Until the command or what was attached to has ended, a signal came, or the file takes no more. */
void v9_loop_run(struct v9_loop *l);

/* Switches the events off and brings what all rings hold to the file. */
void v9_loop_stop(struct v9_loop *l);

/* Behind the end of the file and of the command: what is in the rings all the same is counted. */
void v9_loop_late(struct v9_loop *l);

#endif
