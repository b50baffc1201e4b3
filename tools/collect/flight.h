/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The flight recorder (--flight): overwritten buffers. If there is a trigger, the trace unit
 * detects it, the TRBE writes a number of bytes more, and stops. The arguments of --trigger and
 * --after become options and filters of the event. The driver's format/ has these options (see the
 * ABI of cs_etm). Triggers of the recorder's own are a ping that is missed, and an SPE record (latency.h).
 */
#ifndef V9TRACE_COLLECT_FLIGHT_H
#define V9TRACE_COLLECT_FLIGHT_H

#include "rings.h"

struct v9_flight {
	bool on;			/* --flight */
	bool beside;			/* --aggregate: the trace is that of another recorder (snapper.h) */
	const char *trigger;		/* argument of --trigger; NULL: none */
	const char *after;		/* argument of --after; NULL: none */
	uint64_t after_bytes;
	uint64_t silence_ns;		/* of the trigger ping:MS; 0: it is another one */
	uint32_t latency;		/* of the trigger latency:CYCLES; 0: it is another one */
	uint64_t nth;			/* of a trigger with #N: N, else 1 */
	uint64_t arm_ns;		/* --arm-after */
	uint64_t wanted;		/* --snapshots; 0: one, at which the recording ends */
	uint64_t snapshots;		/* that there were; with .beside: triggers that were not ignored */
	uint64_t taken;			/* with .beside: snapshots that there are or that are waited for */
	uint64_t ignored;		/* triggers in the time of .arm_ns; with .beside: and those behind the last one */
	bool own;			/* the last one was found by the recorder */
	char *filter;			/* of each event; NULL: none */
	bool kernel;			/* the trigger is an address in the kernel */
	uint64_t fired;			/* times that a trigger fired, before; UINT64_MAX: not known */
};

/*
 * Check the options and set @after_bytes. @aux_bytes: size of an AUX area. Returns 0, or prints an
 * error and returns -EINVAL.
 */
int v9_flight_parse(struct v9_flight *f, size_t aux_bytes);

/*
 * The argument of @option: seconds, or a time with ms, s, m, h. Returns 0, or prints an error and returns
 * -EINVAL.
 */
int v9_flight_time(const char *option, const char *text, uint64_t *ns);

/* Set the options of the events that trace instructions. Returns 0, or prints an error: -errno. */
int v9_flight_aim(struct v9_flight *f, struct v9_event_spec *ev, int evs,
		  const struct v9_target *t);

/* Set the filter of the open events, and @fired. Returns 0, or prints an error: -errno. */
int v9_flight_arm(struct v9_flight *f, const struct v9_rings *r);

/* Why an overwritten buffer was read */
enum v9_flight_end {
	V9_FLIGHT_END,		/* the recording ended; nothing stopped the buffer */
	V9_FLIGHT_FIRED,	/* the trigger */
	V9_FLIGHT_STOPPED,	/* no room for a buffer, or a fault */
};

/* What the recorder does at a trigger */
enum v9_flight_step {
	V9_FLIGHT_STOP,		/* end the recording, which reads the areas */
	V9_FLIGHT_KEEP,		/* write a snapshot, and go on */
	V9_FLIGHT_FORGET,	/* go on without: it came too early, and has stopped an area */
	V9_FLIGHT_IGNORE,	/* go on: it came too early, or behind the last one that is wanted, and has stopped none */
	V9_FLIGHT_ASK,		/* ask another recorder for its trace, and go on */
};

/* A trigger came; @own: the recorder has found it. @early: in the time of .arm_ns. Counts it. */
enum v9_flight_step v9_flight_take(struct v9_flight *f, const struct v9_rings *r, bool own, bool early);

/* Call it before such a snapshot is written, or such a trigger is forgotten. */
void v9_flight_again(struct v9_flight *f);

/* After the recording, or at a trigger. @f: v9_flight_arm() was called for it before. */
enum v9_flight_end v9_flight_ended(const struct v9_flight *f, const struct v9_rings *r);

#endif
