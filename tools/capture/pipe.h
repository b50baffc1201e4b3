/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The layout that recorders write to a pipe, where nothing can be filled in afterwards. */
#ifndef V9TRACE_CAPTURE_PIPE_H
#define V9TRACE_CAPTURE_PIPE_H

#include "file.h"

/*
 * Attributes, ids (not sorted yet) and sections from the records that tell them. 0, or -errno with
 * f->err set.
 */
int pd_pipe_read(struct pd_file *f);

#endif
