/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * record --flight --trigger latency:CYCLES: looks for slow records in the data of SPE while it is recorded
 * (live/slow.h decides). SPE's rings are ordinary ones, beside the overwritten ones of the trace unit. perf
 * hands over the data of a unit when its window ends, at the watermark; where a unit of a CPU has little, the
 * recorder ends it.
 */
#ifndef V9TRACE_COLLECT_LATENCY_H
#define V9TRACE_COLLECT_LATENCY_H

#include "flight.h"

struct v9_slow;
struct v9_latency_seen;

#define V9_LATENCY_DELAY	(UINT64_C(100) * 1000000)	/* default of --trigger-delay, in ns */
#define V9_LATENCY_PPM		10000u				/* of --overhead, in millionths */
#define V9_LATENCY_ROWS		256				/* triggers that are kept for the summary: the newest */

struct v9_latency_trigger {
	uint64_t delay_ns;		/* --trigger-delay; 0: the default */
	uint32_t ppm;			/* --overhead: CPU time of looking, in millionths; 0: the default */
	/* sums */
	uint64_t looks, closed;		/* windows that the recorder has ended */
	uint64_t cost, longest;		/* CPU time of looking and decoding; longest time between two looks: ns */
	/* private */
	struct v9_slow *slow;
	uint64_t *head;			/* of each ring, at the last look: bytes */
	unsigned int units;		/* rings of SPE */
	uint64_t began, cpu_began;	/* ns: first look; CPU time at the begin of a look */
	uint64_t looked, paid;		/* ns: last look, and .cost before it */
	uint64_t rested;		/* .cost at the end of the last look */
	struct v9_latency_seen *seen;	/* the newest triggers */
	size_t nr_seen;
	uint64_t dropped;		/* older ones */
	bool open;			/* the areas of the last one are to be read */
};

/* --trigger-delay. Returns 0, or prints an error and returns -EINVAL. */
int v9_latency_delay(struct v9_latency_trigger *l, const char *text);

/*
 * Call it before the events are opened, when their periods are set. @hz: operations a second of a busy CPU.
 * Returns 0, or prints why these events cannot have the trigger and returns -errno.
 */
int v9_latency_aim(struct v9_latency_trigger *l, const struct v9_flight *f, struct v9_event_spec *ev, int evs,
		   uint64_t hz, size_t aux_bytes);

/* See struct v9_loop_watch. */
void v9_latency_record(struct v9_latency_trigger *l, const struct v9_rings *r, const struct v9_aux_ring *ring,
		       const struct perf_event_header *record);
void v9_latency_aux(struct v9_latency_trigger *l, const struct v9_rings *r, const struct v9_aux_ring *ring,
		    const uint8_t *a, size_t na, const uint8_t *b, size_t nb);
bool v9_latency_drained(struct v9_latency_trigger *l, const struct v9_rings *r);
void v9_latency_look(struct v9_latency_trigger *l, struct v9_rings *r);
uint64_t v9_latency_rest(struct v9_latency_trigger *l);

/* The trigger that was found came too early. */
void v9_latency_forget(struct v9_latency_trigger *l);

/*
 * The overwritten areas were read after a trigger, if there was one: prints it, unless @quiet. @beside: those of another
 * recorder will be.
 */
void v9_latency_tell(struct v9_latency_trigger *l, bool beside, bool quiet);

/* A trigger */
struct v9_latency_row {
	int cpu;
	uint32_t cycles;
	const char *path;		/* "reaches", "overwritten" or "unknown" */
	bool has_delay, has_history;
	int64_t delay_ns;		/* from the record to its being seen */
	int64_t history_ns;		/* from the begin of the trace of its CPU to the record; less than 0: behind */
};

size_t v9_latency_rows(const struct v9_latency_trigger *l);
struct v9_latency_row v9_latency_row(const struct v9_latency_trigger *l, size_t i);

/* The CPU time of looking in millionths of the time of the CPUs */
uint32_t v9_latency_cost(const struct v9_latency_trigger *l);
void v9_latency_free(struct v9_latency_trigger *l);

#endif
