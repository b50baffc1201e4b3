/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The bytes of the program that ran: of user space from the files that the maps
 * of the side-band name, of the kernel from a copy of its memory or, less true
 * to what ran, from vmlinux. A file with another build-id is not used.
 */
#ifndef V9TRACE_CAPTURE_CODE_H
#define V9TRACE_CAPTURE_CODE_H

#include "../lib/image.h"
#include "sym.h"

struct v9_code {
	struct v9_syms *syms;
	struct v9_image kernel;
	const char *kernel_why;		/* no kernel code: the reason */
	bool kernel_sought;
	bool kernel_kept;		/* it is what the capture holds */
	bool kernel_changed;		/* asked for where it changed while recording */
	uint64_t unmapped;		/* times that a trace led to where nothing is known to be */
};

/* @syms must be sealed. */
void v9_code_init(struct v9_code *c, struct v9_syms *syms);
void v9_code_free(struct v9_code *c);

/* Bytes from @addr on, and in @n how many there are; NULL if none is known. */
const uint8_t *v9_code_at(struct v9_code *c, uint32_t pid, uint64_t time, uint64_t addr,
			  size_t *n);

/* What is mapped there: the kernel, an object, NULL if that is not known. */
struct v9_dso *v9_code_owner(struct v9_code *c, uint32_t pid, uint64_t time, uint64_t addr);

#endif
