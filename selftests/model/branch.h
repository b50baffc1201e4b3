/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Branches and exceptions as the units that follow the control flow of the PE see them. A branch is
 * held until the next call into the model, because only that call shows whether the branch was
 * executed and where it went.
 */
#ifndef V9_MODEL_BRANCH_H
#define V9_MODEL_BRANCH_H

#include "classify.h"

/* ETE-R_PBVZM, R_QBGXJ: flags of an instruction that is no P0 instruction. No V9_OP_* have them. */
#define V9_P0_NONE	0xffff

/*
 * Returns the V9_OP_* flags of a P0 instruction, V9_P0_NONE for others. @wait: WFE and WFI are P0
 * instructions.
 */
uint16_t v9_p0_flags(enum v9_insn_set code, uint32_t op, bool wait);

/**
 * struct v9_branch - the last P0 instruction, held until the next block, branch or exception
 * @busy: there is one
 * @taken: execution continues at @target, or where the next block begins
 * @isb: an ISB, which is a context synchronization event
 * @exchanges: if taken, execution continues in the other instruction set of AArch32 state
 * @size: bytes of the instruction
 * @flags: its V9_OP_*
 * @pc: its address
 * @target: where a direct branch goes if taken
 */
struct v9_branch {
	bool busy;
	bool taken;
	bool isb;
	bool exchanges;
	uint8_t size;
	uint16_t flags;
	uint64_t pc;
	uint64_t target;
};

/* Returns the P0 instruction @i, which is about to execute and whose flags are @flags. */
struct v9_branch v9_branch_hold(const struct v9_pe_insn *i, uint16_t flags);

/* Address of the instruction that follows the branch in memory */
static inline uint64_t v9_branch_end(const struct v9_branch *b)
{
	return b->pc + b->size;
}

/* Returns true if the branch goes to an address that is not part of its opcode. */
static inline bool v9_branch_is_indirect(const struct v9_branch *b)
{
	return b->taken && (b->flags & (V9_OP_IND | V9_OP_RET | V9_OP_ERET));
}

/* Returns true if only the next block or exception shows where execution continues. */
static inline bool v9_branch_needs_block(const struct v9_branch *b)
{
	return b->busy && (b->isb || v9_branch_is_indirect(b));
}

/* Returns true if the branch is a context synchronization event. */
static inline bool v9_branch_synchronizes(const struct v9_branch *b)
{
	return b->isb || (b->taken && (b->flags & V9_OP_ERET));
}

/* Returns true if the held branch itself caused exception @x: it was not executed. */
bool v9_branch_faulted(const struct v9_branch *b, const struct v9_exc *x);

/* Returns the type of an exception that is taken to AArch64 (Table D4-19): V9_ETE_EXC_*. */
unsigned int v9_exception_type(const struct v9_exc *x);

#endif
