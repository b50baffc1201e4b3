// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where v9trace record --all-cgroups finds control groups: typed lines of /proc/mounts and of
 * /proc/PID/cgroup, of both versions (cgroup-v1/cgroups.rst and cgroup-v2.rst of the kernel). And what it writes of
 * them: groups are directories that the test makes, files of /proc are below another one.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "descriptors.h"
#include "tap.h"

#include "../../tools/util.c"

#define BELOW "/tmp/v9cgroup.XXXXXX"
#include "below.h"

#define fopen fopen_below
#include "../../tools/collect/cgroups.c"
#undef fopen

/* The records that were written */
static uint8_t written[8192];
static size_t written_len;

void v9_writer_record(struct v9_writer *w, const void *bytes, size_t size)
{
	tap_ok(w == (struct v9_writer *)root, "writer");
	if (size <= sizeof(written) - written_len)
		memcpy(written + written_len, bytes, size);
	written_len += size;
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

static void shell(const char *format, ...)
{
	char command[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(command, sizeof(command), format, ap);
	va_end(ap);
	if (system(command))
		exit(1);
}

static uint64_t number_of(const char *group)
{
	struct stat st;
	char *path = v9_format("%s/cg%s", root, group);

	if (stat(path, &st))
		exit(1);
	free(path);
	return st.st_ino;
}

/* The record of a group: header, ID, name, and five words and a half of sample ID, which are 0 */
static void record_is(const char *group, size_t size, const char *name)
{
	const struct v9_sample_id no_id = { .pid = 0 };
	size_t at = 0;

	while (at < written_len) {
		struct perf_event_header h;
		uint64_t id;
		const char *text = (const char *)written + at + 16;

		memcpy(&h, written + at, sizeof(h));
		memcpy(&id, written + at + sizeof(h), sizeof(id));
		if (h.size < 24)
			break;
		if (!strcmp(text, group)) {
			tap_ok(h.type == 19 && !h.misc && h.size == 16 + size + sizeof(no_id), "group_%s_head", name);
			tap_eq(id, number_of(strcmp(group, "/") ? group : ""), "group_%s_id", name);
			tap_ok(!memcmp(written + at + 16 + size, &no_id, sizeof(no_id)), "group_%s_sample_id", name);
			for (size_t i = strlen(group); i < size; i++)
				tap_eq(text[i], 0, "group_%s_padding", name);
			return;
		}
		at += h.size;
	}
	tap_ok(false, "group_%s", name);
}

static void row_is(const struct v9_blob *b, size_t i, const struct pd_cgroup *want, const char *name)
{
	tap_ok(b->len >= 8 + (i + 1) * sizeof(*want) && !memcmp(b->data + 8 + i * sizeof(*want), want, sizeof(*want)),
	       "row_%s", name);
}

static void test_log(void)
{
	struct v9_cgroup_log log = { .mount = NULL };
	struct v9_writer *w = (struct v9_writer *)root;
	struct v9_blob out = { 0 };
	struct { struct perf_event_header h; int pid, tid; } comm = {
		{ .type = PERF_RECORD_COMM, .misc = PERF_RECORD_MISC_COMM_EXEC }, 30, 31 };
	uint32_t head[2];

	/* Nothing is mounted: it says so, and goes on. */
	shell("mkdir -p %s/proc/self %s/cg/sevench %s/cg/b/c", root, root, root);
	v9_cgroup_log_begin(&log, w);
	tap_ok(!log.mount && !written_len, "nothing_mounted");
	v9_cgroup_log_thread(&log, 10, 11, 5);
	v9_cgroup_log_end(&log, &out);
	tap_eq(out.len, 0, "nothing_to_say");

	/* Version 1 comes first, wherever it is in the list. */
	shell("cd %s; { echo 'none /x cgroup2 rw 0 0'; echo \"none $PWD/cg cgroup rw,perf_event 0 0\"; "
	      "echo 'cgroup2 /y cgroup2 rw 0 0'; } >proc/self/mounts; touch cg/file", root);
	v9_cgroup_log_begin(&log, w);
	tap_ok(log.mount && log.v1 && !strcmp(log.mount + strlen(root), "/cg"), "v1_stays");
	v9_cgroup_log_end(&log, &out);
	tap_ok(!log.mount && !log.v1, "end_forgets");
	shell("cd %s; { echo 'none /x tmpfs rw 0 0'; echo \"none $PWD/cg cgroup2 rw 0 0\"; echo 'none /y cgroup2 rw 0 "
		"0'; } >proc/self/mounts", root);
	written_len = 0;
	v9_cgroup_log_begin(&log, w);
	tap_ok(log.mount && !log.v1 && !strcmp(log.mount + strlen(root), "/cg"), "first_of_v2");
	record_is("/", 8, "root");
	record_is("/sevench", 16, "of_nine_bytes");
	record_is("/b", 8, "of_three_bytes");
	record_is("/b/c", 8, "of_five_bytes");
	tap_eq(written_len, 4 * (16 + sizeof(struct v9_sample_id)) + 3 * 8 + 16, "groups_alone");

	/* Threads: one line each, others and what is outside the namespace left out */
	shell("cd %s/proc; mkdir -p 10/task/11 10/task/12 30/task/31; echo '1:name=systemd:/b\n0::/b/c' >10/task/11/cgroup; "
	      "echo 0::/../b >10/task/12/cgroup; printf 0::/ >30/task/31/cgroup", root);
	v9_cgroup_log_thread(&log, 10, 11, 1ull << 40);
	v9_cgroup_log_thread(&log, 10, 12, 6);
	v9_cgroup_log_thread(&log, 10, 13, 7);
	v9_cgroup_log_look(&log, &comm.h, 8);
	comm.h.misc = 0;
	v9_cgroup_log_look(&log, &comm.h, 9);
	comm.h = (struct perf_event_header){ .type = PERF_RECORD_EXIT, .misc = PERF_RECORD_MISC_COMM_EXEC };
	v9_cgroup_log_look(&log, &comm.h, 10);
	shell("echo 0::/gone >%s/proc/10/task/12/cgroup", root);
	v9_cgroup_log_thread(&log, 10, 12, 11);
	v9_cgroup_log_end(&log, &out);
	tap_eq(out.len, 8 + 2 * sizeof(struct pd_cgroup), "rows");
	memcpy(head, out.data, sizeof(head));
	tap_ok(head[0] == 1 && head[1] == 2, "rows_head");
	row_is(&out, 0, &(struct pd_cgroup){ .time = 1ull << 40, .id = number_of("/b/c"), .pid = 10, .tid = 11 }, "first");
	row_is(&out, 1, &(struct pd_cgroup){ .time = 8, .id = number_of(""), .pid = 30, .tid = 31 }, "exec");
	v9_blob_free(&out);
}

int main(void)
{
	const int open_before = descriptors();

	if (!mkdtemp(root))
		return 1;
	test_log();
	tap_eq(descriptors(), open_before, "all_is_closed");
	tap_remove(root);
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
