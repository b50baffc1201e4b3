// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* P0 instructions of A32 and T32. See aarch32.h. */
#include "aarch32.h"
#include "branch.h"

#define INDIRECT	(V9_OP_BRANCH | V9_OP_IND)
#define RETURN		(INDIRECT | V9_OP_ERET)
#define ALWAYS		14
#define PC		15

static unsigned int bits(uint32_t op, unsigned int msb, unsigned int lsb)
{
	return op >> lsb & ((2u << (msb - lsb)) - 1);
}

static bool is_cp15isb(uint32_t op)
{
	return (op & 0x0fff0fff) == 0x0e070f95;		/* MCR p15, 0, Rt, c7, c5, 4 */
}

/* A32, by cond (bits 31:28) and op0 (27:25) */

static uint16_t a32_unconditional(uint32_t op)
{
	if (bits(op, 27, 25) == 5)
		return V9_OP_BRANCH | V9_OP_CALL;		/* BLX (immediate) */
	if (bits(op, 27, 25) == 4 && !bits(op, 22, 22) && bits(op, 20, 20))
		return RETURN;					/* RFE */
	return v9_aarch32_is_isb(V9_CODE_A32, op) ? 0 : V9_P0_NONE;
}

static uint16_t a32_miscellaneous(uint32_t op)
{
	const unsigned int which = bits(op, 22, 21);

	switch (bits(op, 7, 4)) {
	case 1:
		return which == 1 ? INDIRECT : V9_P0_NONE;	/* BX */
	case 2:
		return which == 1 ? INDIRECT : V9_P0_NONE;	/* BXJ */
	case 3:
		return which == 1 ? INDIRECT | V9_OP_CALL : V9_P0_NONE;	/* BLX (register) */
	case 6:
		return which == 3 ? RETURN : V9_P0_NONE;	/* ERET */
	default:
		return V9_P0_NONE;
	}
}

/* Data processing, and what shares its encodings */
static uint16_t a32_data_processing(uint32_t op, bool wait)
{
	const bool immediate = bits(op, 25, 25), sets_flags = bits(op, 20, 20);

	if (!immediate && bits(op, 7, 7) && bits(op, 4, 4))
		return V9_P0_NONE;		/* multiplies, extra loads and stores */
	if (bits(op, 24, 23) == 2) {
		/* Comparisons have no destination. In place of those that set no flags: others. */
		if (sets_flags)
			return V9_P0_NONE;
		if (!immediate)
			return a32_miscellaneous(op);
		/* hints: WFE, WFI */
		return wait && (bits(op, 23, 0) | 1) == 0x20f003 ? 0 : V9_P0_NONE;
	}
	if (bits(op, 15, 12) != PC)
		return V9_P0_NONE;
	return sets_flags ? RETURN : INDIRECT;
}

static uint16_t a32_flags(uint32_t op, bool wait)
{
	const bool load = bits(op, 20, 20);

	if (bits(op, 31, 28) == 15)
		return a32_unconditional(op);
	switch (bits(op, 27, 25)) {
	case 0:
	case 1:
		return a32_data_processing(op, wait);
	case 2:
	case 3:
		if (bits(op, 25, 25) && bits(op, 4, 4))
			return V9_P0_NONE;			/* media */
		return load && !bits(op, 22, 22) && bits(op, 15, 12) == PC ? INDIRECT : V9_P0_NONE;
	case 4:
		if (!load || !bits(op, 15, 15))
			return V9_P0_NONE;
		return bits(op, 22, 22) ? RETURN : INDIRECT;	/* LDM */
	case 5:
		return V9_OP_BRANCH | (bits(op, 24, 24) ? V9_OP_CALL : 0);
	default:
		return is_cp15isb(op) ? 0 : V9_P0_NONE;
	}
}

/* T32 of two bytes, by the six highest bits */
static uint16_t t16_flags(uint32_t op, bool wait)
{
	switch (bits(op, 15, 10)) {
	case 0x11:	/* ADD, CMP, MOV, BX, BLX with any register */
		if (bits(op, 9, 8) == 3)
			return INDIRECT | (bits(op, 7, 7) ? V9_OP_CALL : 0);
		if (bits(op, 9, 8) == 1)
			return V9_P0_NONE;			/* CMP */
		return (bits(op, 7, 7) << 3 | bits(op, 2, 0)) == PC ? INDIRECT : V9_P0_NONE;
	case 0x2c:
	case 0x2e:
		return bits(op, 8, 8) ? V9_OP_BRANCH | V9_OP_COND : V9_P0_NONE;	/* CBZ, CBNZ */
	case 0x2f:
		if (bits(op, 9, 8) == 1)
			return INDIRECT;			/* POP with PC */
		return wait && (op == 0xbf20 || op == 0xbf30) ? 0 : V9_P0_NONE;	/* WFE, WFI */
	case 0x34:
	case 0x35:
	case 0x36:
	case 0x37:
		return bits(op, 11, 8) < ALWAYS ? V9_OP_BRANCH | V9_OP_COND : V9_P0_NONE;
	case 0x38:
	case 0x39:
		return V9_OP_BRANCH;
	default:
		return V9_P0_NONE;
	}
}

/* Branches and miscellaneous control: the first half word is 11110x, the second has bit 15. */
static uint16_t t32_control(uint32_t op, bool wait)
{
	const unsigned int link = bits(op, 14, 14), other = bits(op, 12, 12);

	if (link)	/* BL, BLX. Bit 0 of BLX is 0. */
		return other || !bits(op, 0, 0) ? V9_OP_BRANCH | V9_OP_CALL : V9_P0_NONE;
	if (other)
		return V9_OP_BRANCH;
	if (bits(op, 25, 23) != 7)
		return V9_OP_BRANCH | V9_OP_COND;
	switch (bits(op, 31, 20)) {
	case 0xf3a:
		return wait && (op | 1) == 0xf3af8003 ? 0 : V9_P0_NONE;	/* WFE, WFI */
	case 0xf3b:
		return v9_aarch32_is_isb(V9_CODE_T32, op) ? 0 : V9_P0_NONE;
	case 0xf3c:
		return INDIRECT;				/* BXJ */
	case 0xf3d:
		return RETURN;					/* SUBS PC, LR; ERET */
	default:
		return V9_P0_NONE;
	}
}

/* Load and store multiple, RFE, table branches: the first half word is 1110100. */
static uint16_t t32_multiple(uint32_t op)
{
	const bool load = bits(op, 20, 20);
	const unsigned int mode = bits(op, 24, 23);

	if (bits(op, 22, 22))
		return bits(op, 31, 20) == 0xe8d && bits(op, 15, 5) == 0x780 ? INDIRECT : V9_P0_NONE;
	if (!load)
		return V9_P0_NONE;
	if (mode == 0 || mode == 3)
		return RETURN;					/* RFE */
	return bits(op, 15, 15) ? INDIRECT : V9_P0_NONE;
}

static uint16_t t32_flags(uint32_t op, bool wait)
{
	switch (bits(op, 31, 27)) {
	case 0x1d:
		if (bits(op, 26, 25) == 0)
			return t32_multiple(op);
		return is_cp15isb(op) ? 0 : V9_P0_NONE;
	case 0x1e:
		return bits(op, 15, 15) ? t32_control(op, wait) : V9_P0_NONE;
	case 0x1f:	/* LDR of a word */
		return bits(op, 26, 24) == 0 && bits(op, 22, 20) == 5 && bits(op, 15, 12) == PC ?
		       INDIRECT : V9_P0_NONE;
	default:
		return V9_P0_NONE;
	}
}

uint16_t v9_aarch32_flags(enum v9_insn_set code, uint32_t op, bool wait)
{
	if (code == V9_CODE_A32) {
		const uint16_t flags = a32_flags(op, wait);

		return flags == V9_P0_NONE || !(flags & V9_OP_BRANCH) || op >> 28 >= ALWAYS ?
		       flags : flags | V9_OP_COND;
	}
	return op >> 16 ? t32_flags(op, wait) : t16_flags(op, wait);
}

/* ETE-R_KJTCL */
bool v9_aarch32_is_isb(enum v9_insn_set code, uint32_t op)
{
	if (code == V9_CODE_A32)
		return (op & 0xfffffff0) == 0xf57ff060 || (op >> 28 != 15 && is_cp15isb(op));
	return (op & 0xfffffff0) == 0xf3bf8f60 || (op >> 28 == 14 && is_cp15isb(op));
}

bool v9_aarch32_exchanges(enum v9_insn_set code, uint32_t op)
{
	if (code == V9_CODE_A32)
		return op >> 25 == 0x7d;
	return (op & 0xf800d001) == 0xf000c000;
}

bool v9_aarch32_taken(const struct v9_pe_insn *i)
{
	const uint32_t op = i->op;
	unsigned int cond = ALWAYS;

	if (i->code == V9_CODE_A32)
		cond = op >> 28;
	else if (i->it & 15)
		cond = i->it >> 4;
	else if ((op & 0xfffff500) == 0xb100)
		return !i->xt == !(op & 0x800);		/* bit 11: CBNZ */
	else if (op >> 12 == 0xd)
		cond = bits(op, 11, 8);
	else if ((op & 0xf800d000) == 0xf0008000 && bits(op, 25, 23) != 7)
		cond = bits(op, 25, 22);
	return v9_flags_hold(cond, i->nzcv);
}

static int64_t sign(uint64_t v, unsigned int size)
{
	return (v ^ V9_BIT(size - 1)) - V9_BIT(size - 1);
}

static int64_t t16_offset(uint32_t op)
{
	if (op >> 12 == 0xb)			/* CBZ, CBNZ: forward */
		return bits(op, 9, 9) << 6 | bits(op, 7, 3) << 1;
	return op >> 12 == 0xd ? sign(bits(op, 7, 0), 8) * 2 : sign(bits(op, 10, 0), 11) * 2;
}

static int64_t t32_offset(uint32_t op)
{
	const uint64_t s = bits(op, 26, 26), j1 = bits(op, 13, 13), j2 = bits(op, 11, 11);
	const uint64_t low = bits(op, 10, 0) << 1;

	if (!(op & 0x5000))			/* B<c> */
		return sign(s << 20 | j2 << 19 | j1 << 18 | (uint64_t)bits(op, 21, 16) << 12 | low, 21);
	return sign(s << 24 | !(j1 ^ s) << 23 | !(j2 ^ s) << 22 | (uint64_t)bits(op, 25, 16) << 12 | low,
		    25);
}

uint64_t v9_aarch32_target(const struct v9_pe_insn *i)
{
	const bool exchanges = v9_aarch32_exchanges(i->code, i->op);
	uint64_t pc = i->pc + (i->code == V9_CODE_A32 ? 8 : 4);

	if (i->code == V9_CODE_A32)
		pc += sign(bits(i->op, 23, 0), 24) * 4 + (exchanges ? bits(i->op, 24, 24) * 2 : 0);
	else if (!(i->op >> 16))
		pc += t16_offset(i->op);
	else
		pc = (exchanges ? pc & ~UINT64_C(3) : pc) + t32_offset(i->op);
	return (uint32_t)pc;
}
