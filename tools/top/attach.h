/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads the sums of a running v9trace record --aggregate through its socket. The answer is checked
 * before it is used.
 */
#ifndef V9TRACE_TOP_ATTACH_H
#define V9TRACE_TOP_ATTACH_H

#include "../ask.h"
#include "../live/serve.h"

struct v9_attach {
	struct v9_ask ask;		/* .wanted is V9_RECORDER_SUMS */
	struct v9_answer head;		/* of the last answer */
};

/*
 * Asks the recorder for its sums. Returns 0; or -errno as v9_ask_dial() and v9_ask_get(), with @to and .head as they
 * were; -EPROTO: what answers is no recorder of this version.
 */
int v9_attach_look(struct v9_attach *a, struct v9_live_copy *to);

#endif
