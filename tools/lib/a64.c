// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stddef.h>

#include <v9trace/base.h>

#include "a64.h"

/* Encoding of the branch target in an opcode */
enum immediate {
	NONE,
	A64_26,		/* bits 25:0, words */
	A64_19,		/* bits 23:5, words */
	A64_14,		/* bits 18:5, words */
	A64_9,		/* bits 13:5, words */
	A32_24,		/* bits 23:0, words, from the instruction + 8 */
	A32_24H,	/* the same with bit 24 as a half word: BLX to T32 */
	T16_CB,		/* bit 9, bits 7:3, half words, forward, from the instruction + 4 */
	T16_8,		/* bits 7:0 */
	T16_11,		/* bits 10:0 */
	T32_20,		/* S:J2:J1:imm6:imm11, half words */
	T32_24,		/* S:I1:I2:imm10:imm11, half words */
	T32_24W,	/* the same from the aligned instruction: BLX to A32 */
};

struct row {
	uint32_t mask, value;
	uint8_t kind, flags, imm;
};

#define D V9_INSN_DIRECT
#define I V9_INSN_INDIRECT
#define C V9_INSN_COND
#define L V9_INSN_LINK
#define R V9_INSN_RET
#define X V9_INSN_SWITCH
#define E V9_INSN_ERET

/* The first row that matches is used, in all tables. */
static const struct row a64[] = {
	{ 0xfc000000, 0x14000000, D, 0, A64_26 },	/* B */
	{ 0xfc000000, 0x94000000, D, L, A64_26 },	/* BL */
	{ 0xff000000, 0x54000000, D, C, A64_19 },	/* B.cond, BC.cond */
	{ 0x7e000000, 0x34000000, D, C, A64_19 },	/* CBZ, CBNZ */
	{ 0x7e000000, 0x36000000, D, C, A64_14 },	/* TBZ, TBNZ */
	/* FEAT_CMPBR: condition 10x in bits 23:21 is not allocated */
	{ 0x7f80c000, 0x74000000, D, C, A64_9 },	/* CB<cc> registers, ordered */
	{ 0x7fc0c000, 0x74c00000, D, C, A64_9 },	/* equal, not equal */
	{ 0xff808000, 0x74008000, D, C, A64_9 },	/* CBB<cc>, CBH<cc>, ordered */
	{ 0xffc08000, 0x74c08000, D, C, A64_9 },
	{ 0x7f804000, 0x75000000, D, C, A64_9 },	/* CB<cc> immediate, ordered */
	{ 0x7fc04000, 0x75c00000, D, C, A64_9 },
	{ 0xfffff0ff, 0xd50330df, V9_INSN_ISB, 0, NONE },
	{ 0xffffffe0, 0xd5233060, V9_INSN_ISB, 0, NONE },	/* TSTART */
	{ 0xffffffff, 0xd503205f, V9_INSN_WAIT, 0, NONE },	/* WFE */
	{ 0xffffffff, 0xd503207f, V9_INSN_WAIT, 0, NONE },	/* WFI */
	{ 0xffffffc0, 0xd5031000, V9_INSN_WAIT, 0, NONE },	/* WFET, WFIT */
	{ 0xfffffc1f, 0xd61f0000, I, 0, NONE },		/* BR */
	{ 0xfffff81f, 0xd61f081f, I, 0, NONE },		/* BRAAZ, BRABZ */
	{ 0xfffff800, 0xd71f0800, I, 0, NONE },		/* BRAA, BRAB */
	{ 0xfffffc1f, 0xd63f0000, I, L, NONE },		/* BLR */
	{ 0xfffff81f, 0xd63f081f, I, L, NONE },		/* BLRAAZ, BLRABZ */
	{ 0xfffff800, 0xd73f0800, I, L, NONE },		/* BLRAA, BLRAB */
	{ 0xfffffc1f, 0xd65f0000, I, R, NONE },		/* RET */
	{ 0xfffffbe0, 0xd65f0be0, I, R, NONE },		/* RETAA, RETAB, RETA[AB]SPPCR */
	{ 0xffc0001f, 0x5500001f, I, R, NONE },		/* RETAASPPC, RETABSPPC */
	{ 0xffffffff, 0xd69f03e0, I, E, NONE },		/* ERET */
	{ 0xfffffbff, 0xd69f0bff, I, E, NONE },		/* ERETAA, ERETAB */
};

/* A32 instructions with 15 in the condition field, bits [31:28] */
static const struct row a32_always[] = {
	{ 0xfe000000, 0xfa000000, D, L | X, A32_24H },	/* BLX immediate */
	{ 0xfffffff0, 0xf57ff060, V9_INSN_ISB, 0, NONE },
	{ 0xfe50ffff, 0xf8100a00, I, E, NONE },		/* RFE */
};

static const struct row a32[] = {
	{ 0x0f000000, 0x0a000000, D, 0, A32_24 },	/* B */
	{ 0x0f000000, 0x0b000000, D, L, A32_24 },	/* BL */
	{ 0x0fffffff, 0x012fff1e, I, R, NONE },		/* BX LR */
	{ 0x0ffffff0, 0x012fff10, I, 0, NONE },		/* BX */
	{ 0x0ffffff0, 0x012fff20, I, 0, NONE },		/* BXJ */
	{ 0x0ffffff0, 0x012fff30, I, L, NONE },		/* BLX register */
	{ 0x0fffffff, 0x0160006e, I, E, NONE },		/* ERET */
	{ 0x0fff0fff, 0x0e070f95, V9_INSN_ISB, 0, NONE },	/* CP15ISB */
	{ 0x0fffffff, 0x0320f002, V9_INSN_WAIT, 0, NONE },
	{ 0x0fffffff, 0x0320f003, V9_INSN_WAIT, 0, NONE },
	{ 0x0e508000, 0x08508000, I, E, NONE },		/* LDM with PC, ^ */
	{ 0x0fff8000, 0x08bd8000, I, R, NONE },		/* POP with PC */
	{ 0x0e108000, 0x08108000, I, 0, NONE },		/* LDM with PC */
	{ 0x0fffffff, 0x049df004, I, R, NONE },		/* POP of PC alone */
	{ 0x0e50f000, 0x0410f000, I, 0, NONE },		/* LDR to PC, immediate */
	{ 0x0e50f010, 0x0610f000, I, 0, NONE },		/* LDR to PC, register */
	{ 0x0fffffff, 0x01a0f00e, I, R, NONE },		/* MOV PC, LR */
};

static const struct row t16[] = {
	{ 0xffff, 0xbf20, V9_INSN_WAIT, 0, NONE },
	{ 0xffff, 0xbf30, V9_INSN_WAIT, 0, NONE },
	{ 0xfe00, 0xde00, V9_INSN_OTHER, 0, NONE },	/* UDF, SVC */
	{ 0xf000, 0xd000, D, C, T16_8 },		/* B<cc> */
	{ 0xf800, 0xe000, D, 0, T16_11 },		/* B */
	{ 0xf500, 0xb100, D, C, T16_CB },		/* CBZ, CBNZ */
	{ 0xffff, 0x4770, I, R, NONE },			/* BX LR */
	{ 0xff80, 0x4700, I, 0, NONE },			/* BX */
	{ 0xff80, 0x4780, I, L, NONE },			/* BLX register */
	{ 0xff00, 0xbd00, I, R, NONE },			/* POP with PC */
	{ 0xff87, 0x4487, I, 0, NONE },			/* ADD PC */
	{ 0xff87, 0x4687, I, 0, NONE },			/* MOV PC */
};

/* Masks and values have the first half word in bits [31:16]. */
static const struct row t32[] = {
	{ 0xf800d000, 0xf0009000, D, 0, T32_24 },	/* B.W */
	{ 0xf800d000, 0xf000d000, D, L, T32_24 },	/* BL */
	{ 0xf800d001, 0xf000c000, D, L | X, T32_24W },	/* BLX immediate */
	{ 0xfffffff0, 0xf3bf8f60, V9_INSN_ISB, 0, NONE },
	{ 0xffff0fff, 0xee070f95, V9_INSN_ISB, 0, NONE },	/* CP15ISB */
	{ 0xffffffff, 0xf3af8002, V9_INSN_WAIT, 0, NONE },
	{ 0xffffffff, 0xf3af8003, V9_INSN_WAIT, 0, NONE },
	{ 0xfff0ffff, 0xf3c08f00, I, 0, NONE },		/* BXJ */
	{ 0xffffff00, 0xf3de8f00, I, E, NONE },		/* ERET, SUBS PC, LR */
	{ 0xfb80d000, 0xf3808000, V9_INSN_OTHER, 0, NONE },	/* system, in place of B<cc>.W */
	{ 0xf800d000, 0xf0008000, D, C, T32_20 },	/* B<cc>.W */
	{ 0xfff0ffe0, 0xe8d0f000, I, 0, NONE },		/* TBB, TBH */
	{ 0xffffffff, 0xf85dfb04, I, R, NONE },		/* POP of PC alone */
	{ 0xff70f000, 0xf850f000, I, 0, NONE },		/* LDR to PC */
	{ 0xffff8000, 0xe8bd8000, I, R, NONE },		/* POP.W with PC */
	{ 0xffd08000, 0xe8908000, I, 0, NONE },		/* LDMIA with PC */
	{ 0xffd08000, 0xe9108000, I, 0, NONE },		/* LDMDB with PC */
	{ 0xffd0ffff, 0xe810c000, I, E, NONE },		/* RFEDB */
	{ 0xffd0ffff, 0xe990c000, I, E, NONE },		/* RFEIA */
};

static int64_t field(uint32_t op, unsigned int msb, unsigned int lsb)
{
	return (int64_t)((uint64_t)op << (63 - msb)) >> (63 - msb + lsb);
}

static uint32_t bit(uint32_t op, unsigned int n)
{
	return op >> n & 1;
}

/* S:I1:I2:imm10:imm11:0, where In is NOT(Jn EOR S) */
static int64_t t32_24(uint32_t op)
{
	const uint32_t s = bit(op, 26), i1 = !(bit(op, 13) ^ s), i2 = !(bit(op, 11) ^ s);

	return field(s << 24 | i1 << 23 | i2 << 22 | (op >> 16 & 0x3ff) << 12 | (op & 0x7ff) << 1,
		     24, 0);
}

static uint64_t target(uint64_t addr, uint32_t op, uint8_t imm)
{
	switch (imm) {
	case A64_26:
		return addr + (uint64_t)(field(op, 25, 0) * 4);
	case A64_19:
		return addr + (uint64_t)(field(op, 23, 5) * 4);
	case A64_14:
		return addr + (uint64_t)(field(op, 18, 5) * 4);
	case A64_9:
		return addr + (uint64_t)(field(op, 13, 5) * 4);
	case A32_24:
		return (uint32_t)(addr + 8 + (uint64_t)(field(op, 23, 0) * 4));
	case A32_24H:
		return (uint32_t)(addr + 8 + (uint64_t)(field(op, 23, 0) * 4) + bit(op, 24) * 2);
	case T16_CB:
		return (uint32_t)(addr + 4 + (bit(op, 9) << 6 | (op >> 3 & 0x1f) << 1));
	case T16_8:
		return (uint32_t)(addr + 4 + (uint64_t)(field(op, 7, 0) * 2));
	case T16_11:
		return (uint32_t)(addr + 4 + (uint64_t)(field(op, 10, 0) * 2));
	case T32_20:
		return (uint32_t)(addr + 4 +
				  (uint64_t)field(bit(op, 26) << 20 | bit(op, 11) << 19 |
						  bit(op, 13) << 18 | (op >> 16 & 0x3f) << 12 |
						  (op & 0x7ff) << 1, 20, 0));
	case T32_24:
		return (uint32_t)(addr + 4 + (uint64_t)t32_24(op));
	case T32_24W:
		return (uint32_t)(((addr + 4) & ~UINT64_C(3)) + (uint64_t)t32_24(op));
	default:
		return 0;
	}
}

static const struct row *find(const struct row *rows, size_t n, uint32_t op)
{
	for (size_t i = 0; i < n; i++)
		if ((op & rows[i].mask) == rows[i].value)
			return &rows[i];
	return NULL;
}

/* Returns true for a data processing instruction whose destination is the PC. */
static bool a32_writes_pc(uint32_t op)
{
	if ((op & 0x0c00f000) != 0x0000f000)
		return false;
	if (!bit(op, 25) && (op & 0x90) == 0x90)
		return false;			/* multiplies and extra loads */
	return (op >> 23 & 3) != 2;		/* TST to CMN; if S is 0: miscellaneous */
}

static const struct row *find_a32(uint32_t op)
{
	static const struct row pc = { .kind = I };
	const struct row *row;

	if (op >> 28 == 15)
		return find(a32_always, V9_ARRAY_SIZE(a32_always), op);
	row = find(a32, V9_ARRAY_SIZE(a32), op);
	return row ?: a32_writes_pc(op) ? &pc : NULL;
}

void v9_insn_decode(enum v9_isa isa, uint64_t addr, uint32_t op, struct v9_insn *insn)
{
	const struct row *row;
	bool cond = false;

	*insn = (struct v9_insn){ .size = 4 };
	switch (isa) {
	case V9_ISA_A64:
		/* Only this group has rows: branches, exceptions, system, compare and branch. */
		if ((op & 0x1c000000) != 0x14000000)
			return;
		row = find(a64, V9_ARRAY_SIZE(a64), op);
		break;
	case V9_ISA_A32:
		row = find_a32(op);
		cond = op >> 28 < 14;
		break;
	default:
		insn->size = (uint8_t)v9_t32_size((uint16_t)op);
		if (insn->size == 2) {
			op &= 0xffff;
			row = find(t16, V9_ARRAY_SIZE(t16), op);
		} else {
			op = op << 16 | op >> 16;
			row = find(t32, V9_ARRAY_SIZE(t32), op);
		}
	}
	if (!row)
		return;
	insn->kind = row->kind;
	insn->flags = row->flags;
	if (cond)
		insn->flags |= V9_INSN_COND;
	insn->target = target(addr, op, row->imm);
}
