/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tracepoint samples as text, by the formats that the capture carries (libtraceevent). */
#ifndef V9TRACE_CAPTURE_TP_H
#define V9TRACE_CAPTURE_TP_H

#include "file.h"
#include "sym.h"

struct v9_tp;

/* NULL if the capture has no formats; what is wrong with them is said. @syms: names of the kernel. */
struct v9_tp *v9_tp_open(const struct pd_file *f, struct v9_syms *syms);
void v9_tp_close(struct v9_tp *tp);

/*
 * "sched:sched_switch" and its fields as text, both valid until the next call.
 * Returns false if the sample is of no known tracepoint.
 */
bool v9_tp_text(struct v9_tp *tp, const struct pd_event *e, const struct pd_sample *s,
		const char **name, const char **text);

/* The name alone, valid until the next call: also of a sample that its format does not fit. */
const char *v9_tp_name(struct v9_tp *tp, const struct pd_sample *s);

/* What a field of an event is. */
struct v9_tp_field {
	const char *name;
	enum { V9_TP_UNSIGNED, V9_TP_SIGNED, V9_TP_ADDRESS, V9_TP_TEXT, V9_TP_BYTES } kind;
	uint64_t number;		/* also of SIGNED, extended to 64 bits */
	const char *text;		/* TEXT: with a zero behind it */
	const uint8_t *bytes;		/* BYTES: an array of anything */
	size_t size;
};

/* Each field that is the event's own; false as v9_tp_text(). */
bool v9_tp_fields(struct v9_tp *tp, const struct pd_sample *s,
		  void (*take)(void *arg, const struct v9_tp_field *field), void *arg);

#endif
