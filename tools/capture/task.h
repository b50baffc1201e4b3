/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Names and processes of threads over time, and the threads that each CPU ran. Add entries in the
 * order of the file, which is not that of time; then call v9_tasks_seal(); then look up.
 */
#ifndef V9TRACE_CAPTURE_TASK_H
#define V9TRACE_CAPTURE_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strtab.h"

#define V9_NO_TASK	UINT32_MAX
#define V9_LAST_LIVES	16u

/* From @time, thread @tid belongs to process @pid and has the name @comm. */
struct v9_life {
	uint64_t time;
	uint32_t tid, pid;
	uint32_t parent;	/* thread that it inherits the name from if comm is NULL */
	uint32_t seq;
	const char *comm;
};

/* From @time, CPU @cpu runs @tid (V9_NO_TASK: not known). */
struct v9_run {
	uint64_t time;
	uint32_t cpu, tid, pid;
	uint32_t seq;
};

struct v9_tasks {
	struct v9_life *lives;
	struct v9_run *runs;
	size_t nr_lives, nr_runs;
	struct v9_strtab *strtab;
	size_t last_life[V9_LAST_LIVES];	/* results of the last look-ups, by thread; .nr_lives: none */
	size_t last_run;		/* result of the last look-up */
};

void v9_tasks_comm(struct v9_tasks *t, uint64_t time, uint32_t pid, uint32_t tid,
		   const char *comm, size_t n);
void v9_tasks_fork(struct v9_tasks *t, uint64_t time, uint32_t pid, uint32_t tid, uint32_t ptid);
void v9_tasks_run(struct v9_tasks *t, uint64_t time, uint32_t cpu, uint32_t pid, uint32_t tid);
void v9_tasks_seal(struct v9_tasks *t);

/* Returns NULL if the thread is unknown. */
const struct v9_life *v9_tasks_life(struct v9_tasks *t, uint32_t tid, uint64_t time);

/* Returns NULL if the thread that the CPU ran is unknown. */
const struct v9_run *v9_tasks_running(struct v9_tasks *t, uint32_t cpu, uint64_t time);

void v9_tasks_free(struct v9_tasks *t);

#endif
