/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Control groups of a recording (--all-cgroups): their names, and which ones the tasks are in. AUX data
 * has no id of a group, and no record says that a task moved. So there are two sources: an event that
 * samples each context switch with the id, if this user may have it; and /proc/PID/task/TID/cgroup, read
 * when the recording begins and after each exec.
 */
#ifndef V9TRACE_COLLECT_CGROUPS_H
#define V9TRACE_COLLECT_CGROUPS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "../util.h"
#include "writer.h"

struct v9_cgroup_log {
	char *mount;			/* where the hierarchy is mounted; NULL: nowhere */
	bool v1;			/* that of perf_event in version 1 */
	uint32_t count;
	struct v9_blob rows;		/* struct pd_cgroup */
};

/* Find the hierarchy of groups, and write the names of all. Without this call nothing is read. */
void v9_cgroup_log_begin(struct v9_cgroup_log *log, struct v9_writer *w);

/* Read the group that a thread is in, valid from @time on (0: from the start). */
void v9_cgroup_log_thread(struct v9_cgroup_log *log, int pid, int tid, uint64_t time);

/* Look at a record of the kernel: after an exec, read the group again. */
void v9_cgroup_log_look(struct v9_cgroup_log *log, const struct perf_event_header *h, uint64_t time);

/* Append PD_CGROUPS to @out, and free all. */
void v9_cgroup_log_end(struct v9_cgroup_log *log, struct v9_blob *out);

/*
 * Find where a line of /proc/mounts has the hierarchy of groups that perf uses. Returns the mount point,
 * which the caller frees, or NULL if it is another file system.
 */
char *v9_cgroup_mount(const char *line, bool *v1);

/* Find the path in a line of /proc/PID/cgroup of the same hierarchy; NULL: another one. */
const char *v9_cgroup_line(const char *line, bool v1);

#endif
