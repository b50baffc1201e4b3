/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Data address -> object and variable, or type of memory.
 *
 * The address of an object's data follows from that of its code, since the file has their distance.
 * Heaps, stacks and mapped files are known if the recorder recorded mappings of data.
 */
#ifndef V9TRACE_CAPTURE_DATA_H
#define V9TRACE_CAPTURE_DATA_H

#include "sym.h"

#define V9_DATA_PAGE	UINT64_C(4096)	/* all addresses of a page belong to one object */

struct v9_data {
	const char *name;	/* file name, or "[heap]" and the like; NULL: not known */
	struct v9_dso *dso;	/* NULL: it has no variables */
	uint64_t bias;		/* run-time address minus address in the file */
};

/* Finds the owner of the page of @addr at @time. Needs v9_syms_opts.objects. */
void v9_syms_data(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr,
		  struct v9_data *data);

/* Returns the variable at this address of the file, or NULL. */
const struct v9_func *v9_dso_object(const struct v9_dso *d, uint64_t at);

#endif
