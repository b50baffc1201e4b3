/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Code that the kernel maps into 32-bit programs: their vDSO, the signal page and the page of vectors. It is the
 * same in each of them. To read it a 32-bit program is started, which is stopped before its first instruction: it would
 * be in a recording of all CPUs.
 */
#ifndef V9TRACE_COLLECT_COMPAT_H
#define V9TRACE_COLLECT_COMPAT_H

#include "sideband.h"

#define V9_COMPAT_MAPPINGS	3

struct v9_compat {
	struct v9_blob code[V9_COMPAT_MAPPINGS];	/* empty: it could not be read */
};

/* Reads them into @c, which is empty. Where no 32-bit program can run, @c stays empty. Not while events are enabled. */
void v9_compat_read(struct v9_compat *c);

/* Append these parts to the section PD_CODE in @out, and the build ID of the vDSO to @objects. */
void v9_compat_put(struct v9_blob *out, const struct v9_compat *c, struct v9_objects *objects);

void v9_compat_free(struct v9_compat *c);

#endif
