/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Copies a pipe to an unlinked file, because a capture is read more than once. */
#ifndef V9TRACE_CAPTURE_SPOOL_H
#define V9TRACE_CAPTURE_SPOOL_H

/* Returns a descriptor of a file with everything that can be read from @fd, or -errno. */
int v9_spool(int fd);

#endif
