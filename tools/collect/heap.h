/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record --heap: uprobes on malloc() and others, as tracepoints of a system of this process. */
#ifndef V9TRACE_COLLECT_HEAP_H
#define V9TRACE_COLLECT_HEAP_H

#include <stdbool.h>

#include "rings.h"

struct v9_heap_probes {
	bool on;
	const char *file;		/* that has malloc(); NULL: the C library */
	char *system;			/* NULL: nothing is defined */
};

/*
 * Defines the uprobes and appends their events. Removes those of recorders that were killed. Returns 0, or
 * prints an error and returns -errno.
 */
int v9_heap_define(struct v9_heap_probes *h, const struct v9_target *target, struct v9_event_spec **events,
		   int *n);

/* Removes the uprobes. Their events must be closed. */
void v9_heap_remove(struct v9_heap_probes *h);

/*
 * Looks up functions in an ELF file. @offset: of each the offset of its code in the file; 0: it has none.
 * Returns NULL, or why the file cannot be used.
 */
const char *v9_heap_offsets(const char *file, const char *const *names, int n, uint64_t *offset);

#endif
