/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files without a name: a pipe is copied to one, because a capture is read more than once. */
#ifndef V9TRACE_CAPTURE_SPOOL_H
#define V9TRACE_CAPTURE_SPOOL_H

#include <stddef.h>

/* Returns a descriptor of a file with everything that can be read from @fd, or -errno. */
int v9_spool(int fd);

/* Returns a descriptor of an empty file without a name, in $TMPDIR or /var/tmp; or -errno. */
int v9_nameless(void);

/* Returns 0 or -errno. */
int v9_write_all(int fd, const void *bytes, size_t n);

#endif
