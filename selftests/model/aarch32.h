/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* P0 instructions of A32 and T32 (D4.4.2, D4.4.3): which they are, where they go */
#ifndef V9_MODEL_AARCH32_H
#define V9_MODEL_AARCH32_H

#include "pe.h"

/* Size of the instruction in bytes. @op: as in struct v9_pe_insn */
static inline unsigned int v9_code_size(enum v9_insn_set code, uint32_t op)
{
	return code == V9_CODE_T32 && !(op >> 16) ? 2 : 4;
}

/*
 * Returns the V9_OP_* flags of a P0 instruction of A32 or T32, V9_P0_NONE (branch.h) for others. A branch
 * has V9_OP_COND if it is conditional by itself: the condition of an IT instruction is not part of @op.
 * @wait: WFE and WFI are P0 instructions.
 */
uint16_t v9_aarch32_flags(enum v9_insn_set code, uint32_t op, bool wait);

/* Returns true for ISB and CP15ISB. */
bool v9_aarch32_is_isb(enum v9_insn_set code, uint32_t op);

/* Returns true if the instruction passes its condition code check, and for CBZ and CBNZ if they branch. */
bool v9_aarch32_taken(const struct v9_pe_insn *i);

/* Returns the target of a direct branch. */
uint64_t v9_aarch32_target(const struct v9_pe_insn *i);

/* Returns true for BLX (immediate), which continues in the other instruction set. */
bool v9_aarch32_exchanges(enum v9_insn_set code, uint32_t op);

#endif
