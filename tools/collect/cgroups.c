// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "cgroups.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sideband.h"

#define PATH_BYTES	4096
#define OPEN_MOST	32	/* directories that nftw() keeps open */

static bool is_octal(const char *p)
{
	return p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' &&
	       p[3] >= '0' && p[3] <= '7';
}

/* The kernel writes a space, tab, newline, backslash or # of a path as a backslash and three octal digits. */
static char *decoded(const char *p, size_t n)
{
	char *path = v9_alloc(n + 1);
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		path[to] = p[i];
		if (is_octal(p + i)) {
			path[to] = (char)((p[i + 1] - '0') << 6 | (p[i + 2] - '0') << 3 | (p[i + 3] - '0'));
			i += 3;
		}
		to++;
	}
	return path;
}

/* "cgroup2 /sys/fs/cgroup cgroup2 rw,..." or "cgroup /sys/fs/cgroup/perf_event cgroup rw,perf_event" */
char *v9_cgroup_mount(const char *line, bool *v1)
{
	const char *at = strchr(line, ' '), *type;
	size_t n;

	if (!at)
		return NULL;
	n = strcspn(++at, " ");
	type = at + n;
	*v1 = !strncmp(type, " cgroup ", 8);
	if (!*v1)
		return !strncmp(type, " cgroup2 ", 9) ? decoded(at, n) : NULL;
	for (const char *word = type + 8; *word; word += strcspn(word, ", \n")) {
		word += strspn(word, ", \n");
		if (strcspn(word, ", \n") == 10 && !strncmp(word, "perf_event", 10))
			return decoded(at, n);
	}
	return NULL;
}

/* "0::/user.slice" of version 2, "4:perf_event:/docker" of version 1 */
const char *v9_cgroup_line(const char *line, bool v1)
{
	const char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;

	if (!path)
		return NULL;
	if (!v1)
		return path == names + 1 ? path + 1 : NULL;
	for (const char *word = names + 1; word < path; word += strcspn(word, ",:") + 1)
		if (strcspn(word, ",:") == 10 && !strncmp(word, "perf_event", 10))
			return path + 1;
	return NULL;
}

static void find_mount(struct v9_cgroup_log *log)
{
	FILE *f = fopen("/proc/self/mounts", "re");
	char line[PATH_BYTES];

	/* Where both versions are mounted, perf's hierarchy is that of version 1. */
	while (f && fgets(line, sizeof(line), f)) {
		bool v1;
		char *at = v9_cgroup_mount(line, &v1);

		if (!at || (log->mount && !v1)) {
			free(at);
			continue;
		}
		free(log->mount);
		log->mount = at;
		log->v1 = v1;
	}
	if (f)
		fclose(f);
}

/* nftw() has no argument for its callback. */
static struct { struct v9_writer *w; size_t prefix; } walk;

/* The inode number of a group's directory is its id, on machines of 64 bits. */
static int name_group(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct perf_event_header h = { .type = PERF_RECORD_CGROUP };
	const char *name = path + walk.prefix;
	const struct v9_sample_id id = { .pid = 0 };
	struct v9_blob b = { 0 };
	size_t len;

	(void)ftw;
	if (type != FTW_D)
		return 0;
	name = *name ? name : "/";
	len = strlen(name) + 1;
	h.size = (uint16_t)(sizeof(h) + 8 + ((len + 7) & ~(size_t)7) + sizeof(id));
	v9_blob_put(&b, &h, sizeof(h));
	v9_blob_u64(&b, st->st_ino);
	v9_blob_put(&b, name, len);
	v9_blob_zero(&b, -len & 7);
	v9_blob_put(&b, &id, sizeof(id));
	if (len < PATH_BYTES)
		v9_writer_record(walk.w, b.data, b.len);
	v9_blob_free(&b);
	return 0;
}

void v9_cgroup_log_thread(struct v9_cgroup_log *log, int pid, int tid, uint64_t time)
{
	char line[PATH_BYTES], *path;
	FILE *f;

	if (!log->mount)
		return;
	path = v9_format("/proc/%d/task/%d/cgroup", pid, tid);
	f = fopen(path, "re");
	free(path);
	while (f && fgets(line, sizeof(line), f)) {
		const char *group = v9_cgroup_line(line, log->v1);
		struct stat st;
		char *dir;
		int err;

		/* A path that begins with "/.." is outside of this process's cgroup namespace. */
		if (!group || !strncmp(group, "/..", 3))
			continue;
		line[strcspn(line, "\n")] = '\0';
		dir = v9_format("%s%s", log->mount, group);
		err = stat(dir, &st);
		free(dir);
		if (err)
			continue;
		v9_blob_put(&log->rows, &(struct pd_cgroup){ .time = time, .id = st.st_ino,
			    .pid = (uint32_t)pid, .tid = (uint32_t)tid }, sizeof(struct pd_cgroup));
		log->count++;
	}
	if (f)
		fclose(f);
}

void v9_cgroup_log_begin(struct v9_cgroup_log *log, struct v9_writer *w)
{
	find_mount(log);
	if (!log->mount) {
		v9_warn("--all-cgroups: no control groups are mounted (mount -t cgroup2 nodev "
			"/sys/fs/cgroup)");
		return;
	}
	walk.w = w;
	walk.prefix = strlen(log->mount);
	nftw(log->mount, name_group, OPEN_MOST, FTW_PHYS | FTW_MOUNT);
}

void v9_cgroup_log_look(struct v9_cgroup_log *log, const struct perf_event_header *h, uint64_t time)
{
	const int *task = (const int *)(h + 1);

	if (h->type == PERF_RECORD_COMM && h->misc & PERF_RECORD_MISC_COMM_EXEC)
		v9_cgroup_log_thread(log, task[0], task[1], time);
}

void v9_cgroup_log_end(struct v9_cgroup_log *log, struct v9_blob *out)
{
	if (log->count) {
		v9_blob_u32(out, PD_CGROUPS_VERSION);
		v9_blob_u32(out, log->count);
		v9_blob_put(out, log->rows.data, log->rows.len);
	}
	v9_blob_free(&log->rows);
	free(log->mount);
	*log = (struct v9_cgroup_log){ 0 };
}
