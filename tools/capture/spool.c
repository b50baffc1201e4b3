// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* O_TMPFILE */
#endif
#include "spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Not /tmp, which is often in memory */
#define PLACE	"/var/tmp"

int v9_nameless(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	if (!dir || !*dir)
		dir = PLACE;
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* Not all file systems support O_TMPFILE. */
	if (snprintf(path, sizeof(path), "%s/v9trace.XXXXXX", dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

int v9_write_all(int fd, const void *bytes, size_t n)
{
	const char *p = bytes;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno != EINTR)
			return -errno;
		p += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
	return 0;
}

int v9_spool(int fd)
{
	static char part[1 << 16];
	int err = 0, to = v9_nameless();
	ssize_t n;

	if (to < 0)
		return to;
	while (!err && (n = read(fd, part, sizeof(part)))) {
		if (n > 0)
			err = v9_write_all(to, part, (size_t)n);
		else if (errno != EINTR)
			err = -errno;
	}
	if (err) {
		close(to);
		return err;
	}
	return to;
}
