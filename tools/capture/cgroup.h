/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The control group (cgroup) of each thread over time. A capture has two sources:
 *
 * - A sample with PERF_SAMPLE_CGROUP has the id of the group that its thread is in. It is valid for
 *   the time before the sample, up to the previous one: a sample of a context switch is at the end of
 *   the time that the thread was on its CPU.
 * - The recorder read /proc/PID/task/TID/cgroup. This is valid from that time on.
 *
 * A thread begins in the group of the thread that created it. Names of groups are in records of
 * their own. Add entries in the order of the file; then call v9_cgroups_seal(); then look up.
 */
#ifndef V9TRACE_CAPTURE_CGROUP_H
#define V9TRACE_CAPTURE_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strtab.h"

enum v9_cgroup_how {
	V9_CGROUP_FORKED,		/* .id: thread that created it */
	V9_CGROUP_READ,			/* by the recorder, in /proc */
	V9_CGROUP_SAMPLED,		/* by the kernel, in a sample */
};

struct v9_cgroup_at {
	uint64_t time, id;		/* ns; of the group */
	uint32_t tid, seq;
	enum v9_cgroup_how how;
	const char *path;		/* NULL: not known. Equal paths are equal pointers. */
};

struct v9_cgroups {
	struct v9_cgroup_at *at;
	struct v9_cgroup_name { uint64_t id; const char *path; size_t seq; } *names;
	size_t nr, nr_names;
	uint64_t nr_read, nr_sampled;	/* entries */
	struct v9_strtab *strtab;
};

/* @n: maximum length of @path. A later name of the same id replaces an earlier one. */
void v9_cgroups_name(struct v9_cgroups *c, uint64_t id, const char *path, size_t n);
void v9_cgroups_add(struct v9_cgroups *c, uint64_t time, uint32_t tid, enum v9_cgroup_how how,
		    uint64_t id);

/* Reads section PD_CGROUPS. A section that is cut is read up to there. */
void v9_cgroups_section(struct v9_cgroups *c, const uint8_t *p, uint64_t size);
void v9_cgroups_seal(struct v9_cgroups *c);

/* Returns the path of the thread's group, or NULL if it is not known. For several threads. */
const char *v9_cgroups_path(const struct v9_cgroups *c, uint32_t tid, uint64_t time);

/* Returns the path of the thread's group if it is known and was the same all the time, otherwise NULL. */
const char *v9_cgroups_only(const struct v9_cgroups *c, uint32_t tid);

/*
 * Part of a path. @size: length of the part, 0 if there is none. The systemd unit is the innermost
 * service or scope. A container is its id, 64 hexadecimal digits, as runtimes of the Open Container
 * Initiative (OCI) name its group: "/docker/ID", "NAME-ID.scope". The group of a monitor of a
 * container ("libpod-conmon-ID.scope") is none.
 */
const char *v9_cgroup_unit(const char *path, size_t *size);
const char *v9_cgroup_container(const char *path, size_t *size);

/* Is group @path @group or below it? */
bool v9_cgroup_within(const char *path, const char *group);

void v9_cgroups_free(struct v9_cgroups *c);

#endif
