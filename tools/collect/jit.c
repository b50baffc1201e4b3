// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "jit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clocks.h"
#include "code.h"
#include "files.h"

#define DUMPS_MAX	256	/* open files */

/* Returns the user of a task, and its PID in its innermost PID namespace. */
static struct v9_jit_task about(int pid)
{
	struct v9_jit_task t = { .pid = pid, .inner = pid, .uid = geteuid() };
	char path[64], *all, *line;
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (!stat(path, &st))
		t.uid = st.st_uid;
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	all = v9_read_file(path, NULL);
	line = all ? strstr(all, "\nNSpid:") : NULL;
	if (line) {
		line[1 + strcspn(line + 1, "\n")] = '\0';
		t.inner = strrchr(line, '\t') ? atoi(strrchr(line, '\t') + 1) : pid;
	}
	free(all);
	return t;
}

static bool may_use(const struct stat *st, uid_t uid)
{
	return !st->st_uid || st->st_uid == geteuid() || st->st_uid == uid;
}

/*
 * Opens a file by the name that it has for a task. If the task has ended, or ends meanwhile, opens @here, a
 * name in the mount namespace of this process: that of the task cannot be reached any more.
 */
static int open_file(const struct v9_task_map *m, const char *here, struct stat *st)
{
	int fd, why;

	if (v9_files_where(m->pid) != V9_GONE) {
		fd = v9_file_of(m, st);
		why = errno;
		if (fd >= 0 || v9_files_where(m->pid) != V9_GONE) {
			errno = why;
			return fd;
		}
	}
	fd = open(here, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd >= 0 && (fstat(fd, st) || !S_ISREG(st->st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

static void add_dump(struct v9_jits *j, const struct v9_task_map *m)
{
	struct stat st;
	int fd;

	for (int i = 0; i < j->nr_dumps; i++)
		if (j->dumps[i].pid == m->pid)
			return;
	fd = j->nr_dumps < DUMPS_MAX ? open_file(m, m->name, &st) : -1;
	if (fd < 0 || !may_use(&st, about(m->pid).uid)) {
		j->unread++;
		if (fd >= 0)
			close(fd);
		return;
	}
	j->dumps = v9_realloc(j->dumps, (size_t)(j->nr_dumps + 1) * sizeof(*j->dumps));
	j->dumps[j->nr_dumps++] = (struct v9_jit_dump){ m->pid, fd };
}

void v9_jits_map(struct v9_jits *j, const struct v9_task_map *m)
{
	if (v9_mapping_is_jitdump(m->name, strlen(m->name)))
		add_dump(j, m);
	if (v9_mapping_has_file(m->name) || *m->name == '[')
		return;
	for (int i = j->nr_tasks; i--; )
		if (j->tasks[i].pid == m->pid)
			return;
	j->tasks = v9_realloc(j->tasks, (size_t)(j->nr_tasks + 1) * sizeof(*j->tasks));
	j->tasks[j->nr_tasks++] = about(m->pid);
}

#ifdef __aarch64__
static uint64_t read_count(void *arg)
{
	uint64_t count;

	(void)arg;
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (count) : : "memory");
	return count;
}

static uint64_t read_monotonic(void *arg)
{
	(void)arg;
	return v9_clock_ns(CLOCK_MONOTONIC);
}
#endif

void v9_jits_clock(struct pd_clock *clock)
{
#ifdef __aarch64__
	static const struct v9_clocks both = { read_count, read_monotonic, NULL };
	uint64_t count, monotonic;

	v9_clocks_read(&both, &count, &monotonic);
	*clock = (struct pd_clock){ .count = count, .monotonic = monotonic };
#else
	*clock = (struct pd_clock){ 0 };
#endif
}

/* The name has the PID in the task's namespace; @here has the PID in that of this process. */
static int open_perf_map(const struct v9_jit_task *t, struct stat *st)
{
	char there[64], here[64];

	snprintf(there, sizeof(there), "/tmp/perf-%d.map", t->inner);
	snprintf(here, sizeof(here), "/tmp/perf-%d.map", t->pid);
	return open_file(&(struct v9_task_map){ .pid = t->pid, .name = there }, here, st);
}

static void put_file(struct v9_jits *j, struct v9_blob *out, uint64_t *left, enum pd_code_kind kind,
		     int pid, int fd)
{
	const struct v9_file f = { .fd = fd };
	const uint64_t most = *left < PD_CODE_PART_MAX ? *left : PD_CODE_PART_MAX;
	struct stat st;
	size_t n = 0;
	uint8_t *p = v9_file_read(&f, most, &n);

	if (p) {
		v9_code_part(out, kind, (uint32_t)pid, p, n);
		*left -= n;
	} else if (!fstat(fd, &st) && st.st_size) {
		j->unstored++;
	}
	free(p);
}

void v9_jits_put(struct v9_jits *j, struct v9_blob *out, uint64_t *left)
{
	for (int i = 0; i < j->nr_dumps; i++)
		put_file(j, out, left, PD_CODE_JITDUMP, j->dumps[i].pid, j->dumps[i].fd);
	if (j->nr_dumps && j->clock[0].count)
		v9_code_part(out, PD_CODE_CLOCKS, 0, j->clock, sizeof(j->clock));
	for (int i = 0; i < j->nr_tasks; i++) {
		struct stat st;
		const int fd = open_perf_map(&j->tasks[i], &st);

		/* Most tasks have none. */
		if (fd < 0) {
			j->unread += errno == ELOOP;
			continue;
		}
		if (may_use(&st, j->tasks[i].uid))
			put_file(j, out, left, PD_CODE_PERF_MAP, j->tasks[i].pid, fd);
		else
			j->unread++;
		close(fd);
	}
}

void v9_jits_free(struct v9_jits *j)
{
	for (int i = 0; i < j->nr_dumps; i++)
		close(j->dumps[i].fd);
	free(j->dumps);
	free(j->tasks);
	*j = (struct v9_jits){ 0 };
}
