/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Kinds of A64 instructions, and the loops of a function, from opcodes alone. */
#ifndef V9TRACE_REPORT_MIX_H
#define V9TRACE_REPORT_MIX_H

#include <stdbool.h>

#include "notes.h"

/* Returns the kind of an A64 instruction. An opcode that is not allocated may be of any kind. */
enum v9_note_mix v9_mix_of(uint32_t word);

/*
 * Returns true if an SVE or SME instruction has a governing predicate, by its text as LLVM prints it: an
 * operand of predicate registers other than the first one, which is a result.
 */
bool v9_mix_predicated(const char *text);

/* A loop: from the target of a branch backwards to that branch. */
struct v9_code_loop {
	uint64_t start, end;		/* end is exclusive */
};

/*
 * Finds the loops of the function whose @n opcodes begin at @start, by ascending start; several
 * branches to one address are one loop. Returns their number, at most @most.
 */
size_t v9_mix_loops(const uint32_t *word, size_t n, uint64_t start, struct v9_code_loop *loop, size_t most);

#endif
