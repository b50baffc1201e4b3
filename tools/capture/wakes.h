/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Wake-ups of threads, from samples of the tracepoint sched:sched_waking in a capture. */
#ifndef V9TRACE_CAPTURE_WAKES_H
#define V9TRACE_CAPTURE_WAKES_H

#include "session.h"

/* Adds the wake-ups to s->waits, and pairs them with the waits. */
void v9_wakes_read(struct v9_session *s);

#endif
