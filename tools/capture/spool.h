/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What comes through a pipe, as a file without a name: a capture is read more than once. */
#ifndef V9TRACE_CAPTURE_SPOOL_H
#define V9TRACE_CAPTURE_SPOOL_H

/* A descriptor of a file with all that can be read from @fd, or -errno. */
int v9_spool(int fd);

#endif
