/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Data address -> object and variable, or the kind of memory.
 *
 * Where the data of a program lies follows from where its code does: the file says how far they
 * are apart. Heaps, stacks and mapped files are known if the recorder told of mappings of data.
 */
#ifndef V9TRACE_CAPTURE_DATA_H
#define V9TRACE_CAPTURE_DATA_H

#include "sym.h"

#define V9_DATA_PAGE	UINT64_C(4096)	/* all of one belongs to the same */

struct v9_data {
	const char *name;	/* of a file, "[heap]" and the like; NULL: not known */
	struct v9_dso *dso;	/* NULL: it has no variables */
	uint64_t bias;		/* an address is that of the file and this */
};

/* What the page of @addr belonged to then. v9_syms_opts.objects was set from the start. */
void v9_syms_data(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr,
		  struct v9_data *data);

/* The variable at this address of the file; NULL if there is none. */
const struct v9_func *v9_dso_object(const struct v9_dso *d, uint64_t at);

#endif
