/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tasks that are recorded: those that the user named, and the processes that these forked. The kernel gives the number
 * of a task that has ended to another one, so the time of its start is part of what it is.
 */
#ifndef V9TRACE_COLLECT_FAMILY_H
#define V9TRACE_COLLECT_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

struct v9_member {
	int id;				/* PID, or TID of a thread */
	uint64_t born;			/* ticks since boot; 0: it had ended already */
};

struct v9_family {
	const char *proc;		/* "/proc" */
	bool threads;			/* members are threads; else processes, with all their threads */
	struct v9_member *member;
	int n, named;			/* the first .named ones are those of the user */
	int look;			/* number of members at which those that have ended are dropped */
};

/* The time of the start in a line of /proc/PID/stat; 0: there is none */
uint64_t v9_task_born(const char *stat);

/* Begins with the @n tasks at @id. */
void v9_family_begin(struct v9_family *f, const char *proc, const int *id, int n, bool threads);
void v9_family_free(struct v9_family *f);

/* A member has forked the process @pid. */
void v9_family_add(struct v9_family *f, int pid);

/* Drops processes that have ended, but none that the user named. */
void v9_family_drop(struct v9_family *f);

/* Returns true if @id is still what it was when it became a member. */
bool v9_family_has(const struct v9_family *f, int id);

/* Sets *@tid to the threads of all that have not ended. Returns their number. The caller frees the array. */
int v9_family_tasks(const struct v9_family *f, int **tid);

#endif
