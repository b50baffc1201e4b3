/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Commands to a recording that runs, as perf record --control takes them: a line each, answered by
 * "ack" where a second pipe is given.
 */
#ifndef V9TRACE_COLLECT_CONTROL_H
#define V9TRACE_COLLECT_CONTROL_H

#include <stdbool.h>
#include <stddef.h>

enum v9_command {
	V9_COMMAND_NONE,
	V9_COMMAND_ENABLE, V9_COMMAND_DISABLE, V9_COMMAND_SNAPSHOT, V9_COMMAND_STOP, V9_COMMAND_PING,
	V9_COMMAND_OTHER		/* unknown: .line */
};

struct v9_control {
	int in, out;			/* -1: none */
	bool opened;			/* they are closed at the end */
	char line[64];			/* of the last command, or its beginning */
	size_t n;			/* characters of the next line */
};

/*
 * Parse the argument of --control, "fifo:COMMANDS[,ACK]" or "fd:NUMBER[,NUMBER]", and open the pipes.
 * Returns 0, or prints an error and returns -errno.
 */
int v9_control_open(struct v9_control *c, const char *arg);
void v9_control_close(struct v9_control *c);

/* Returns the next command that is there; V9_COMMAND_NONE: there is none yet. Does not block. */
enum v9_command v9_control_next(struct v9_control *c);

/* Says that the last command was executed. */
void v9_control_ack(const struct v9_control *c);

#endif
