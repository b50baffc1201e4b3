// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where v9trace record --all-cgroups finds control groups: typed lines of /proc/mounts and of
 * /proc/PID/cgroup, of both versions (cgroup-v1/cgroups.rst and cgroup-v2.rst of the kernel).
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "../../tools/util.c"
#include "../../tools/collect/cgroups.c"

void v9_writer_record(struct v9_writer *w, const void *bytes, size_t size)
{
	(void)w;
	(void)bytes;
	(void)size;
}

static void mount_is(const char *line, const char *want, bool old, const char *name)
{
	bool v1;
	char *at = v9_cgroup_mount(line, &v1);

	if (!want)
		tap_ok(!at, "mount_%s", name);
	else
		tap_ok(at && v1 == old && !strcmp(at, want), "mount_%s", name);
	free(at);
}

static void path_is(const char *line, bool v1, const char *want, const char *name)
{
	const char *path = v9_cgroup_line(line, v1);

	tap_ok(path == want || (path && want && !strcmp(path, want)), "path_%s", name);
}

int main(void)
{
	mount_is("cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nodev 0 0\n", "/sys/fs/cgroup", false, "v2");
	mount_is("none /a cgroup rw,cpu,perf_event 0 0\n", "/a", true, "v1");
	mount_is("none /a cgroup perf_event,rw 0 0\n", "/a", true, "v1_first");
	mount_is("none /a cgroup rw,cpu 0 0\n", NULL, false, "v1_of_others");
	mount_is("none /a cgroup rw,perf_events 0 0\n", NULL, false, "v1_longer_word");
	mount_is("none /a\\040b\\011c\\012d\\134e\\043 cgroup2 rw 0 0\n", "/a b\tc\nd\\e#", false, "escaped");
	mount_is("none /\\303\\251\\1040 cgroup rw,perf_event 0 0\n", "/\303\251D0", true, "escaped_v1");
	mount_is("none /a\\8x\\04 cgroup2 rw 0 0\n", "/a\\8x\\04", false, "not_escaped");
	mount_is("none /a\\400 cgroup2 rw 0 0\n", "/a\\400", false, "not_a_byte");
	mount_is("/dev/sda / ext4 rw 0 0\n", NULL, false, "of_files");
	mount_is("cgroup2", NULL, false, "cut");
	path_is("0::/user.slice/a", false, "/user.slice/a", "v2");
	path_is("4:perf_event:/docker/1", true, "/docker/1", "v1");
	path_is("4:cpu,perf_event:/d", true, "/d", "v1_joined");
	path_is("4:cpu:/d", true, NULL, "v1_other");
	path_is("0::/d", true, NULL, "v2_of_v1");
	path_is("4:perf_event:/d", false, NULL, "v1_of_v2");
	path_is("0:", false, NULL, "cut");
	return tap_done();
}
