/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What an instruction means to a trace analyser: does an atom stand for it, and
 * where does it go. A64, and A32 and T32 for code at EL0 that may still use them.
 *
 * Rows of masks in a64.c decide; nothing here knows trace or memory.
 */
#ifndef V9TRACE_LIB_A64_H
#define V9TRACE_LIB_A64_H

#include "v9ete.h"

/* Does an atom stand for it? */
static inline bool v9_insn_p0(const struct v9_insn *insn, bool wfx)
{
	return insn->kind != V9_INSN_OTHER && (insn->kind != V9_INSN_WAIT || wfx);
}

#endif
