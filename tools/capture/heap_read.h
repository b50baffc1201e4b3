/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls of malloc() and others, from the samples of their uprobes in a capture. */
#ifndef V9TRACE_CAPTURE_HEAP_READ_H
#define V9TRACE_CAPTURE_HEAP_READ_H

#include "session.h"

/* Reads s->heap, at the first call. */
void v9_heap_read(struct v9_session *s);

#endif
