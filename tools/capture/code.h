/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Code of traced programs. User space: from the files that the mappings in the side-band name.
 * Kernel: from a copy of its memory, or from vmlinux, which lacks run-time patches. A file with
 * another build-id is not used.
 */
#ifndef V9TRACE_CAPTURE_CODE_H
#define V9TRACE_CAPTURE_CODE_H

#include "../lib/image.h"
#include "sym.h"

struct v9_code {
	struct v9_syms *syms;
	struct v9_image kernel;
	const char *kernel_why;		/* why there is no kernel code */
	bool kernel_sought;
	bool kernel_kept;		/* it is from the capture */
	bool kernel_changed;		/* code was read that changed while recording */
	uint64_t unmapped;		/* number of reads from addresses without a mapping */
};

/* @syms must be sealed. */
void v9_code_init(struct v9_code *c, struct v9_syms *syms);
void v9_code_free(struct v9_code *c);

/* Returns the code at @addr, with the number of bytes in @n; NULL if it is not known. */
const uint8_t *v9_code_at(struct v9_code *c, uint32_t pid, uint64_t time, uint64_t addr,
			  size_t *n);

/*
 * Returns the code of an object at the address @addr of its file (of the kernel: the run-time
 * address), with the number of bytes in @n; NULL if it is not known (@d->code.why).
 */
const uint8_t *v9_code_of(struct v9_code *c, struct v9_dso *d, uint64_t addr, size_t *n);

/* Returns the object that is mapped at @addr, which may be the kernel; NULL if not known. */
struct v9_dso *v9_code_owner(struct v9_code *c, uint32_t pid, uint64_t time, uint64_t addr);

#endif
