/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The flight recorder: buffers that are overwritten until the hardware itself sees the trigger,
 * takes so many bytes more, and stops. What the user writes becomes options and filters of the
 * event; what it needs is in the driver's format/ (see the ABI of cs_etm).
 */
#ifndef V9TRACE_COLLECT_FLIGHT_H
#define V9TRACE_COLLECT_FLIGHT_H

#include "rings.h"

struct v9_flight {
	bool on;			/* --flight */
	const char *trigger;		/* --trigger, as written */
	const char *after;		/* --after, as written */
	uint64_t after_bytes;
	char *filter;			/* for each event; NULL: none is needed */
	bool kernel;			/* the trigger is there */
};

/* What the command line says, as far as that can be known without the events. */
int v9_flight_parse(struct v9_flight *f, size_t aux_bytes);

/* Options into the events that trace instructions. */
int v9_flight_aim(struct v9_flight *f, struct v9_event *ev, int evs, const struct v9_target *t);

/* Filters onto the open events. */
int v9_flight_arm(const struct v9_flight *f, const struct v9_rings *r);

void v9_flight_free(struct v9_flight *f);

#endif
