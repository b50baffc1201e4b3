/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command that is recorded: forked early, so that events can be put on it, started late. */
#ifndef V9TRACE_COLLECT_CHILD_H
#define V9TRACE_COLLECT_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct v9_child {
	pid_t pid;		/* 0: there is none */
	int go;			/* closing it starts the command */
	int said;		/* from here comes errno if that failed */
	bool ended;
	int status;		/* as wait gives it */
};

/* The child gets the signal mask given. 0, or -errno with the message printed. */
int v9_child_prepare(struct v9_child *c, char **argv, const sigset_t *mask);

/* 0, or -errno of exec with the message printed. */
int v9_child_start(struct v9_child *c, const char *name);

/* Is it over? Does not wait. */
bool v9_child_ended(struct v9_child *c);

void v9_child_wait(struct v9_child *c);

/* Asks it to end, if it has not; waits. */
void v9_child_end(struct v9_child *c);

/* Its exit status as a shell says it: 128 + signal. */
int v9_child_exit(const struct v9_child *c);

/* It was prepared and will not be started. */
void v9_child_cancel(struct v9_child *c);

#endif
