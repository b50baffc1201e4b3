/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Code that is in no file: the vDSO, and the kernel, which patches itself at boot and later. The
 * kernel's code is read twice: before the events are enabled and after they are disabled. The
 * differences are the code that changed during the recording. Symbols of the kernel, by which a
 * capture can be read on another machine.
 */
#ifndef V9TRACE_COLLECT_CODE_H
#define V9TRACE_COLLECT_CODE_H

#include "../perfdata.h"
#include "compat.h"
#include "sideband.h"

struct v9_code_range {
	uint64_t start, end;
	uint8_t *before, *after;	/* bytes of the range; NULL: not read */
};

struct v9_kernel_copy {
	bool symbols_wanted, objects_wanted, code_wanted;	/* objects: variables, too */
	struct v9_code_range *range;
	int n;
	char *why;			/* reason why there is no code; NULL: there is */
	char *symbols, *modules;	/* /proc/kallsyms and /proc/modules at the end */
};

/* Read the kernel's code for the first time. Needs memory for all of the code. */
void v9_kernel_copy_begin(struct v9_kernel_copy *c);

/* Read code and symbols at the end, as far as wanted. Call it before the events are closed: that may patch code. */
void v9_kernel_copy_end(struct v9_kernel_copy *c);

/* After v9_code_section(): frees the copies for the next file, but keeps what is wanted. */
void v9_kernel_copy_next(struct v9_kernel_copy *c);

/*
 * Append the section PD_CODE to @out: the vDSO, what 32-bit programs have in its place, and what is wanted of the
 * kernel. Adds the build IDs of both vDSOs to @objects.
 */
void v9_code_section(struct v9_blob *out, const struct v9_kernel_copy *c, const struct v9_compat *compat,
		     struct v9_objects *objects);

/* Removes the kernel's code from the section PD_CODE: samples need its symbols only. */
void v9_code_drop_kernel(struct v9_blob *section);

/* Appends a part to the section PD_CODE in @out, compressed if that is shorter. */
void v9_code_part(struct v9_blob *out, enum pd_code_kind kind, uint64_t addr, const void *data,
		  size_t n);

void v9_kernel_copy_free(struct v9_kernel_copy *c);

#endif
