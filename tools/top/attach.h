/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads the sums of a running v9trace record --aggregate through its socket. A unit records one session at a time, so
 * v9trace top cannot record while that runs. The answer is checked before it is used.
 */
#ifndef V9TRACE_TOP_ATTACH_H
#define V9TRACE_TOP_ATTACH_H

#include "../live/serve.h"

struct v9_attach {
	/* set by the caller */
	const char *proc;		/* "/proc" but for tests */
	const char *given;		/* a socket, or a directory with one; NULL: what .proc shows */
	/* results */
	char *path;			/* the socket; NULL: none was found yet */
	int pid;			/* that answered last; 0: none did */
	int error;			/* of the last look: 0, or -errno as of v9_attach_look() */
	struct v9_answer head;		/* of the last answer */
};

/*
 * Asks the recorder for its sums. Where none was given, it looks for one of this user or of root, again after
 * each error. Returns 0; or -errno, with @to and .head as they were: -ENOENT no recorder was found, or nothing is
 * at .path; -ECONNREFUSED nobody listens there; -EACCES it is another user's; -EPROTO what answers is no recorder
 * of this version; -ETIMEDOUT there was no answer for some seconds; or what the system says.
 */
int v9_attach_look(struct v9_attach *a, struct v9_live_copy *to);

/* Returns true if the last look found no recorder; after other errors there may be an answer later. */
bool v9_attach_ended(const struct v9_attach *a);

/* Why the last look failed, as a sentence. The caller frees it. */
char *v9_attach_why(const struct v9_attach *a);

void v9_attach_free(struct v9_attach *a);

#endif
