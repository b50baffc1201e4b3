/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Code that programs generate: their jitdumps and perf maps, which go into the recording. They are
 * looked up where the task looks, which may be a container. A file that belongs neither to the user
 * of the task, nor to this user or root, is not taken: names and code would be another user's choice.
 */
#ifndef V9TRACE_COLLECT_JIT_H
#define V9TRACE_COLLECT_JIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../perfdata.h"
#include "../util.h"

struct v9_task_map;

struct v9_jits {
	struct v9_jit_dump {
		int pid, fd;
	} *dumps;			/* jitdumps, open since they were mapped */
	struct v9_jit_task {
		int pid, inner;		/* @inner: the PID in the task's own namespace */
		uid_t uid;
	} *tasks;			/* that have executable memory without a file */
	int nr_dumps, nr_tasks;
	struct pd_clock clock[2];	/* at the start and the end of the recording; 0: not known */
	uint64_t unread;		/* files of other users, or that could not be opened */
	uint64_t unstored;		/* files that exceed the limits of a recording */
};

/* Looks at an executable mapping of a task. */
void v9_jits_map(struct v9_jits *j, const struct v9_task_map *m);

/* Reads CNTVCT_EL0 and CLOCK_MONOTONIC together. On machines other than arm64 both are 0. */
void v9_jits_clock(struct pd_clock *clock);

/* Appends the files and clocks to PD_CODE in @out: at most *@left bytes, which it reduces. */
void v9_jits_put(struct v9_jits *j, struct v9_blob *out, uint64_t *left);
void v9_jits_free(struct v9_jits *j);

#endif
