/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Text of A64 instructions, by the C interface of LLVM 14 or later. The library is loaded when the
 * first instruction is asked for: no other command needs it, and v9trace is built without it.
 */
#ifndef V9TRACE_CAPTURE_DISASM_H
#define V9TRACE_CAPTURE_DISASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct v9_disasm {
	bool tried;
	const char *why;		/* why there is no text, or NULL */
	char version[32];		/* name of the library that is used */
	void *context;
	size_t (*insn)(void *context, uint8_t *bytes, uint64_t size, uint64_t pc, char *out,
		       size_t room);
	void (*dispose)(void *context);
};

/*
 * Gets the text of the instruction with the opcode @word at virtual address @addr: the mnemonic, a
 * tab and the operands; ".inst" and the opcode in hexadecimal if LLVM does not know it. What an
 * operand refers to by an offset from the PC is an absolute address, in *@target, too. *@target is
 * UINT64_MAX if there is none. Returns false, and the opcode as 8 digits, if there is no LLVM
 * (@d->why).
 */
bool v9_disasm_text(struct v9_disasm *d, uint64_t addr, uint32_t word, char *out, size_t room,
		    uint64_t *target);

/* Returns the address that the operand of an instruction refers to; UINT64_MAX if to none. */
uint64_t v9_disasm_target(uint64_t addr, uint32_t word);

void v9_disasm_free(struct v9_disasm *d);

#endif
