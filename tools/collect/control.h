/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Commands to a recording that runs: by a pipe, as perf record --control takes them, a line each, answered by "ack" where
 * a second pipe is given; and by the socket of the recorder (../listen.h), answered by a struct v9_reply.
 */
#ifndef V9TRACE_COLLECT_CONTROL_H
#define V9TRACE_COLLECT_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

#include "../ask.h"

enum v9_command {
	V9_COMMAND_NONE,
	V9_COMMAND_ENABLE, V9_COMMAND_DISABLE, V9_COMMAND_SNAPSHOT, V9_COMMAND_STOP, V9_COMMAND_PING,
	V9_COMMAND_PAUSE, V9_COMMAND_RESUME, V9_COMMAND_NOW,
	V9_COMMAND_OTHER		/* unknown: .line */
};

struct v9_control {
	int in, out;			/* -1: none */
	bool opened;			/* they are closed at the end */
	bool socket;			/* --control socket */
	int requests;			/* v9_listen_requests(); -1: none */
	int asker;			/* where the last command came from: a connection; -1: the pipe */
	enum v9_command last;
	char line[64];			/* of the last command by the pipe, or its beginning */
	char request[16];		/* the last command by the socket */
	size_t n;			/* characters of the next line */
};

#define V9_CONTROL_NONE	{ .in = -1, .out = -1, .requests = -1, .asker = -1 }

/*
 * Parse the argument of --control, "fifo:COMMANDS[,ACK]", "fd:NUMBER[,NUMBER]" or "socket", and open the pipes.
 * Returns 0, or prints an error and returns -errno.
 */
int v9_control_open(struct v9_control *c, const char *arg);
void v9_control_close(struct v9_control *c);

/* Returns the next command that is there; V9_COMMAND_NONE: there is none yet. Does not block. */
enum v9_command v9_control_next(struct v9_control *c);

/* Says what came of the last command. .form is set here. */
void v9_control_answer(struct v9_control *c, const struct v9_reply *r);

#endif
