/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* v9trace script for ETE traces. */
#ifndef V9TRACE_REPORT_SCRIPT_TRACE_H
#define V9TRACE_REPORT_SCRIPT_TRACE_H

#include "../capture/trace.h"
#include "options.h"
#include "order.h"

enum v9_script_how {
	V9_SCRIPT_BRANCHES,	/* a line per taken branch */
	V9_SCRIPT_INSN,		/* a line per instruction */
	V9_SCRIPT_RANGES,	/* a line per range of instructions without a taken branch */
};

struct v9_script_trace {
	struct v9_session *s;
	const struct v9_options *o;
	enum v9_script_how how;
	bool json;
	/* prints other records up to @time, in ns; UINT64_MAX: all that are left */
	void (*others)(void *arg, uint64_t time);
	void *arg;
	uint64_t packets;		/* number of decoded packets */
	struct v9_trace t;
	struct v9_order order;
	bool broken;			/* writing to stdout failed */
};

/* Prints the trace. Losses are reported on stderr. */
void v9_script_trace(struct v9_script_trace *x);

#endif
