/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What an instruction means to a trace analyser: does an atom stand for it, and
 * where does it go. A64, and A32 and T32 for code at EL0 that may still use them.
 *
 * Rows of masks in a64.c decide; nothing here knows trace or memory.
 */
#ifndef V9TRACE_DECODE_A64_H
#define V9TRACE_DECODE_A64_H

#include <stdbool.h>
#include <stdint.h>

enum v9_isa { V9_ISA_A64, V9_ISA_A32, V9_ISA_T32 };

enum v9_insn_kind {
	V9_INSN_OTHER,		/* no P0 element stands for it */
	V9_INSN_DIRECT,		/* branch whose target is in the opcode */
	V9_INSN_INDIRECT,	/* branch whose target is elsewhere */
	V9_INSN_ISB,		/* ISB in all its forms, and TSTART */
	V9_INSN_WAIT,		/* WFE, WFI, WFET, WFIT: P0 only with TRCIDR2.WFXMODE */
};

enum v9_insn_flag {
	V9_INSN_COND	= 1,	/* may as well not be taken */
	V9_INSN_LINK	= 2,	/* pushes the return stack if taken */
	V9_INSN_RET	= 4,	/* returns from a function */
	V9_INSN_ERET	= 8,	/* returns from an exception */
	V9_INSN_SWITCH	= 16,	/* direct branch from A32 to T32 or back */
};

struct v9_insn {
	uint64_t target;	/* of V9_INSN_DIRECT */
	uint8_t kind, flags;
	uint8_t size;		/* in bytes */
};

/*
 * The instruction at @addr, whose first bytes are @word (little-endian; of a
 * 16-bit instruction only the low half counts). T32: see v9_t32_size().
 */
void v9_insn_decode(enum v9_isa isa, uint64_t addr, uint32_t word, struct v9_insn *insn);

/* Bytes of the T32 instruction that begins with this half word: 2 or 4. */
static inline unsigned int v9_t32_size(uint16_t first)
{
	return first >= 0xe800 ? 4 : 2;
}

/* Does an atom stand for it? */
static inline bool v9_insn_p0(const struct v9_insn *insn, bool wfx)
{
	return insn->kind != V9_INSN_OTHER && (insn->kind != V9_INSN_WAIT || wfx);
}

#endif
