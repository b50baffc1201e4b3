/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What runs and is in no file: the vDSO, and the kernel, which patches itself
 * while it boots and while it runs. The kernel is read twice, before events are
 * switched on and after they are off: what differs is known to have changed.
 */
#ifndef V9TRACE_COLLECT_CODE_H
#define V9TRACE_COLLECT_CODE_H

#include "sideband.h"

struct v9_code_range {
	uint64_t start, end;
	uint8_t *before, *after;	/* NULL: not read */
};

struct v9_kernel_copy {
	struct v9_code_range *range;
	int n;
	char *why;			/* there is none: the reason */
	char *symbols, *modules;	/* /proc/kallsyms and /proc/modules at the end */
};

/* First look at the kernel; @c is empty. Takes memory for all of its code. */
void v9_kernel_copy_begin(struct v9_kernel_copy *c);

/* Second look, and names, while the events still exist: closing them may patch the kernel. */
void v9_kernel_copy_end(struct v9_kernel_copy *c);

/* The section; @c may be NULL: the kernel was not recorded. Also tells the vDSO's build-id. */
void v9_code_section(struct v9_buf *out, const struct v9_kernel_copy *c,
		     struct v9_objects *objects);
void v9_kernel_copy_free(struct v9_kernel_copy *c);

#endif
