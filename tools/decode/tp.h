/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tracepoint samples as text, by the formats that the capture carries (libtraceevent). */
#ifndef V9TRACE_DECODE_TP_H
#define V9TRACE_DECODE_TP_H

#include "file.h"

struct v9_tp;

/* NULL if the capture has no formats or they make no sense. */
struct v9_tp *v9_tp_open(const struct pd_file *f);
void v9_tp_close(struct v9_tp *tp);

/*
 * "sched:sched_switch" and its fields as text, both valid until the next call.
 * Returns false if the sample is of no known tracepoint.
 */
bool v9_tp_text(struct v9_tp *tp, const struct pd_event *e, const struct pd_sample *s,
		const char **name, const char **text);

#endif
