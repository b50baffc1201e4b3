/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Code that the kernel maps into 32-bit programs: their vDSO, the signal page and the page of vectors. It is the
 * same in each of them. To read it a 32-bit program is started, which is stopped before its first instruction.
 */
#ifndef V9TRACE_COLLECT_COMPAT_H
#define V9TRACE_COLLECT_COMPAT_H

#include "sideband.h"

/*
 * Append these parts to the section PD_CODE in @out, and the build ID of the vDSO to @objects. Appends nothing
 * where no 32-bit program can run.
 */
void v9_compat_code(struct v9_blob *out, struct v9_objects *objects);

#endif
