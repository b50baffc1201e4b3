/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The recorded command. It is forked before the events are opened, and executed after that. */
#ifndef V9TRACE_COLLECT_CHILD_H
#define V9TRACE_COLLECT_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct v9_child {
	pid_t pid;		/* 0: there is no command */
	int go;			/* pipe: one byte starts the command, end of file cancels it */
	int exec_error;		/* pipe: errno if exec failed, else end of file */
	bool to_stderr;		/* its standard output goes there: ours is taken */
	bool silent;		/* it has no terminal: its standard input, output and errors are /dev/null */
	bool ended;
	int status;		/* of waitpid() */
};

/* Fork. @mask: signal mask of the command. Returns 0, or prints an error and returns -EAGAIN. */
int v9_child_prepare(struct v9_child *c, char **argv, const sigset_t *mask);

/* Execute the command. Returns 0, or prints an error and returns -errno of exec. */
int v9_child_start(struct v9_child *c, const char *name);

/* Returns true if the command has ended. Does not block. */
bool v9_child_ended(struct v9_child *c);

void v9_child_wait(struct v9_child *c);

/* Sends SIGTERM to the command unless it has ended, and waits for its end. */
void v9_child_end(struct v9_child *c);

/* Exit status as in a shell: that of the command, or 128 + number of the signal. */
int v9_child_exit(const struct v9_child *c);

/* End a child that was prepared and not started. */
void v9_child_cancel(struct v9_child *c);

#endif
