// SPDX-License-Identifier: GPL-2.0-only
/* Files without a name, on file systems with O_TMPFILE and on those without it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/capture/spool.h"

static bool old_file_system;

/* In place of that of the C library */
int open(const char *path, int flags, ...)
{
	va_list ap;
	int mode;

	if (old_file_system && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, int) : 0;
	va_end(ap);
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static unsigned int files_in(const char *dir)
{
	DIR *d = opendir(dir);
	unsigned int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n - 2;
}

static void nameless(const char *dir)
{
	const char *kind = old_file_system ? "old" : "new";
	struct stat st;
	char got[8] = "";
	int fd = v9_nameless();

	tap_ok(fd >= 0, "%s_is_open", kind);
	tap_eq(files_in(dir), 0, "%s_has_no_name", kind);
	tap_ok(!fstat(fd, &st) && (st.st_mode & 0777) == 0600 && !st.st_nlink, "%s_is_private", kind);
	tap_eq(fcntl(fd, F_GETFD), FD_CLOEXEC, "%s_is_closed_by_exec", kind);
	tap_ok(!v9_write_all(fd, "abc", 4) && pread(fd, got, 8, 0) == 4 && !strcmp(got, "abc"),
	       "%s_can_be_written_and_read", kind);
	close(fd);
}

static void of_a_pipe(void)
{
	char got[8] = "";
	int pipes[2], fd;

	if (pipe(pipes) || write(pipes[1], "abc", 4) != 4)
		abort();
	close(pipes[1]);
	fd = v9_spool(pipes[0]);
	tap_ok(fd >= 0 && pread(fd, got, 8, 0) == 4 && !strcmp(got, "abc"), "all_of_a_pipe");
	close(fd);
	close(pipes[0]);
}

int main(void)
{
	char dir[] = "/tmp/v9trace-spool.XXXXXX", longest[4096];

	if (!mkdtemp(dir))
		abort();
	setenv("TMPDIR", dir, 1);
	for (int i = 0; i < 2; i++) {
		old_file_system = i;
		nameless(dir);
		of_a_pipe();
	}
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	setenv("TMPDIR", longest, 1);
	tap_eq(v9_nameless(), -ENAMETOOLONG, "name_too_long");
	setenv("TMPDIR", "/nonexistent", 1);
	tap_eq(v9_nameless(), -ENOENT, "no_such_directory");
	rmdir(dir);
	return tap_done();
}
