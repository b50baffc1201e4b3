/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Instruction decoder for trace analysis: whether an instruction is a P0 element in the trace, and
 * its branch target. It decodes A64, and also A32 and T32, which code at EL0 can use.
 *
 * The tables of masks are in a64.c. The decoder accesses neither trace nor memory.
 */
#ifndef V9TRACE_LIB_A64_H
#define V9TRACE_LIB_A64_H

#include "v9ete.h"

/* Returns true if the instruction is a P0 element. @wfx: TRCIDR2.WFXMODE */
static inline bool v9_insn_p0(const struct v9_insn *insn, bool wfx)
{
	return insn->kind != V9_INSN_OTHER && (insn->kind != V9_INSN_WAIT || wfx);
}

#endif
