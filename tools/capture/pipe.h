/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The pipe layout of perf.data: a pipe has no header that could be completed afterwards. */
#ifndef V9TRACE_CAPTURE_PIPE_H
#define V9TRACE_CAPTURE_PIPE_H

#include "file.h"

/*
 * Reads attributes, ids (not sorted) and sections from the records that carry them. Returns 0, or
 * -errno with f->err set.
 */
int pd_pipe_read(struct pd_file *f);

#endif
