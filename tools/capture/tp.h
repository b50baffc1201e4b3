/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Formats tracepoint samples, by the event formats in the capture (libtraceevent). */
#ifndef V9TRACE_CAPTURE_TP_H
#define V9TRACE_CAPTURE_TP_H

#include "file.h"
#include "sym.h"

struct v9_tp;

/* Returns NULL if the capture has no formats. Prints errors in them. @syms: kernel symbols. */
struct v9_tp *v9_tp_open(const struct pd_file *f, struct v9_syms *syms);
void v9_tp_close(struct v9_tp *tp);

/*
 * Gets the name of the tracepoint ("sched:sched_switch") and its fields as text, both valid until
 * the next call. Returns false if the tracepoint is unknown.
 */
bool v9_tp_text(struct v9_tp *tp, const struct pd_event *e, const struct pd_sample *s,
		const char **name, const char **text);

/* Returns the name, valid until the next call, also if the sample does not match its format. */
const char *v9_tp_name(struct v9_tp *tp, const struct pd_sample *s);

/* A field of an event */
struct v9_tp_field {
	const char *name;
	enum { V9_TP_UNSIGNED, V9_TP_SIGNED, V9_TP_ADDRESS, V9_TP_TEXT, V9_TP_BYTES } kind;
	uint64_t number;		/* SIGNED: sign-extended to 64 bits */
	const char *text;		/* TEXT: terminated */
	const uint8_t *bytes;		/* BYTES: any other array */
	size_t size;
};

/* Passes each field of the event to @take. Returns false if the tracepoint is unknown. */
bool v9_tp_fields(struct v9_tp *tp, const struct pd_sample *s,
		  void (*take)(void *arg, const struct v9_tp_field *field), void *arg);

#endif
