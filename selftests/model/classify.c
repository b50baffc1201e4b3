// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Maps A64 opcodes to SPE operation types. One table; the first match is used. Encodings that the
 * architecture does not allocate may match a row. They are UNDEFINED when executed, so their
 * operation type is never recorded.
 */
#include "classify.h"

/* How load and store are distinguished */
enum dir {
	DIR_NONE,	/* not a data access, or given by the row's flags */
	DIR_L22,	/* bit 22 set: load */
	DIR_OPC,	/* bits 23:22 zero: store */
	DIR_OPC_V,	/* SIMD&FP: bit 22 set: load */
	DIR_TAG		/* memory tags: bit 22 set and bits 11:10 zero: load */
};

/* How acquire and release are recognized */
enum ar {
	AR_NO,
	AR_YES,
	AR_15,
	AR_22,
	AR_15_22,
	AR_22_23
};

/* How the alignment (log2) of an aligned access is derived */
enum size {
	SIZE_1,
	SIZE_8,
	SIZE_16,
	SIZE_64,
	SIZE_31,	/* bits 31:30 */
	SIZE_31_V,	/* bits 31:30; SIMD&FP with bit 23: 16 bytes */
	SIZE_LIT,	/* literal: bits 31:30 count words, doublewords, quadwords */
	SIZE_PAIR,	/* one register of a pair */
	SIZE_PAIR_ALL,	/* both registers, by bit 30 */
	SIZE_10		/* bits 11:10 */
};

struct row {
	uint32_t mask, value;
	uint32_t flags;
	uint8_t dir, ar, size;
};

#define BR		V9_OP_BRANCH
#define LD		V9_OP_LD
#define ST		V9_OP_ST
#define RMW		(V9_OP_LD | V9_OP_ST | V9_OP_ATOMIC)

static const struct row rows[] = {
	/* branches and exception returns */
	{ 0xff000000, 0x54000000, BR | V9_OP_COND, 0, 0, 0 },			/* B.cond BC.cond */
	{ 0x7c000000, 0x34000000, BR | V9_OP_COND, 0, 0, 0 },			/* CBZ TBZ ... */
	{ 0xfc000000, 0x14000000, BR, 0, 0, 0 },				/* B */
	{ 0xfc000000, 0x94000000, BR | V9_OP_CALL, 0, 0, 0 },			/* BL */
	{ 0xfee00000, 0xd6000000, BR | V9_OP_IND, 0, 0, 0 },			/* BR BRAA */
	{ 0xfee00000, 0xd6200000, BR | V9_OP_IND | V9_OP_CALL, 0, 0, 0 },	/* BLR BLRAA */
	{ 0xffe00000, 0xd6400000, BR | V9_OP_IND | V9_OP_RET, 0, 0, 0 },	/* RET RETAA */
	{ 0xffe00000, 0xd6800000, BR | V9_OP_IND | V9_OP_ERET, 0, 0, 0 },	/* ERET ERETAA */

	/* system */
	{ 0xff000000, 0xd4000000, V9_OP_EXCGEN, 0, 0, 0 },
	{ 0xffffffdf, 0xd503205f, V9_OP_WAIT, 0, 0, 0 },			/* WFE WFI */
	{ 0xfffff09f, 0xd503309f, V9_OP_BARRIER, 0, 0, 0 },			/* DSB DMB */
	{ 0xfffff0ff, 0xd50330df, V9_OP_BARRIER, 0, 0, 0 },			/* ISB */
	{ 0xffd00000, 0xd5100000, V9_OP_SYSREG, 0, 0, 0 },			/* MRS MSR */
	{ 0xffffffe0, 0xd50b7420, ST, DIR_NONE, AR_NO, SIZE_1 },		/* DC ZVA */
	{ 0xffffffe0, 0xd50b7460, ST, DIR_NONE, AR_NO, SIZE_1 },		/* DC GVA */
	{ 0xffffffe0, 0xd50b7480, ST, DIR_NONE, AR_NO, SIZE_1 },		/* DC GZVA */

	/* conditional data processing */
	{ 0x1fe00000, 0x1a800000, V9_OP_COND, 0, 0, 0 },			/* CSEL CSINC ... */
	{ 0x1fe00000, 0x1a400000, V9_OP_COND, 0, 0, 0 },			/* CCMP CCMN */
	{ 0xff200c00, 0x1e200c00, V9_OP_COND, 0, 0, 0 },			/* FCSEL */
	{ 0xff200c00, 0x1e200400, V9_OP_COND, 0, 0, 0 },			/* FCCMP */

	/* prefetch: neither load nor store (SPE-CD11) */
	{ 0xff000000, 0xd8000000, 0, 0, 0, 0 },
	{ 0xffc00000, 0xf9800000, 0, 0, 0, 0 },
	{ 0xffe00c00, 0xf8800000, 0, 0, 0, 0 },
	{ 0xffe00c00, 0xf8a00800, 0, 0, 0, 0 },

	/* exclusive, ordered, compare and swap */
	{ 0x3fa00000, 0x08000000, V9_OP_EXCL, DIR_L22, AR_15, SIZE_31 },	/* LDXR STXR */
	{ 0xbfa00000, 0x88200000, V9_OP_EXCL, DIR_L22, AR_15, SIZE_PAIR_ALL },	/* LDXP STXP */
	{ 0xbfa00000, 0x08200000, RMW, DIR_NONE, AR_15_22, SIZE_PAIR_ALL },	/* CASP */
	{ 0x3fa00000, 0x08800000, 0, DIR_L22, AR_YES, SIZE_31 },		/* LDAR STLR */
	{ 0x3fa00000, 0x08a00000, RMW, DIR_NONE, AR_15_22, SIZE_31 },		/* CAS */
	{ 0x3f200c00, 0x19000000, 0, DIR_OPC, AR_YES, SIZE_31 },		/* LDAPUR STLUR */
	{ 0x3f200c00, 0x1d000800, V9_OP_SIMD, DIR_OPC_V, AR_YES, SIZE_31_V },	/* ... SIMD&FP */
	{ 0x3f200c00, 0x19000800, 0, DIR_L22, AR_YES, SIZE_PAIR_ALL },		/* LDIAPP STILP */
	{ 0xff200c00, 0x19200000, RMW, DIR_NONE, AR_22_23, SIZE_16 },		/* LSE128 */

	/* memory copy and set: own payloads from SPEv1p3 on, before that as a store */
	{ 0x3bc00c00, 0x19c00400, ST, DIR_NONE, AR_NO, SIZE_1 },		/* SET* */
	{ 0x3b200c00, 0x19000400, LD | ST | V9_OP_COPY, DIR_NONE, AR_NO, SIZE_1 }, /* CPY* */

	{ 0xff200000, 0xd9200000, V9_OP_TAG, DIR_TAG, AR_NO, SIZE_16 },		/* STG LDG ... */

	/* SME: ZA and its parts */
	{ 0xfe200000, 0xe0200000, ST, DIR_NONE, AR_NO, SIZE_1 },
	{ 0xfe200000, 0xe0000000, LD, DIR_NONE, AR_NO, SIZE_1 },

	/* LDRAA, and loads and stores whose encodings lie among the atomics */
	{ 0xff200400, 0xf8200400, LD, DIR_NONE, AR_NO, SIZE_8 },
	{ 0x3fe0fc00, 0x38a0c000, LD, DIR_NONE, AR_YES, SIZE_31 },		/* LDAPR */
	{ 0xfffffc00, 0xf83fd000, LD, DIR_NONE, AR_NO, SIZE_64 },		/* LD64B */
	{ 0xfffffc00, 0xf83f9000, ST, DIR_NONE, AR_NO, SIZE_64 },		/* ST64B */
	{ 0xffe0ec00, 0xf820a000, ST, DIR_NONE, AR_NO, SIZE_64 },		/* ST64BV ST64BV0 */
	{ 0x3fa08c1f, 0x3820001f, ST | V9_OP_ATOMIC, DIR_NONE, AR_22, SIZE_31 }, /* STADD ... */
	{ 0x3f208c00, 0x38200000, RMW, DIR_NONE, AR_22_23, SIZE_31 },		/* LDADD ... */
	{ 0x3f20fc00, 0x38208000, RMW, DIR_NONE, AR_22_23, SIZE_31 },		/* SWP */

	/* plain loads and stores */
	{ 0x3f000000, 0x1c000000, LD | V9_OP_SIMD, DIR_NONE, AR_NO, SIZE_LIT },
	{ 0x3f000000, 0x18000000, LD, DIR_NONE, AR_NO, SIZE_LIT },
	{ 0x3e000000, 0x2c000000, V9_OP_SIMD, DIR_L22, AR_NO, SIZE_PAIR },
	{ 0x3e000000, 0x28000000, 0, DIR_L22, AR_NO, SIZE_PAIR },
	{ 0x3e000000, 0x3c000000, V9_OP_SIMD, DIR_OPC_V, AR_NO, SIZE_31_V },
	{ 0x3e000000, 0x38000000, 0, DIR_OPC, AR_NO, SIZE_31 },
	{ 0xbf9ffc00, 0x0d018400, V9_OP_SIMD, DIR_L22, AR_YES, SIZE_8 },	/* LDAP1 STL1 */
	{ 0xbf000000, 0x0d000000, V9_OP_SIMD, DIR_L22, AR_NO, SIZE_1 },		/* one structure */
	{ 0xbf000000, 0x0c000000, V9_OP_SIMD, DIR_L22, AR_NO, SIZE_10 },	/* several */
};

/* SVE accesses: the form of the address determines gather and scatter. */
#define SVE_PRED	0x1
#define SVE_GATHER	0x2
#define SVE_PREFETCH	0x4

static const struct {
	uint32_t mask, value;
	uint32_t flags;
	uint8_t how;
} sve_rows[] = {
	{ 0xffc08010, 0x85c00000, 0, SVE_PREFETCH },
	{ 0xfe60e010, 0x8400c000, 0, SVE_PREFETCH },
	{ 0xfe60e010, 0x8400e000, 0, SVE_PREFETCH },
	{ 0xffa08010, 0x84200000, 0, SVE_PREFETCH },
	{ 0xffa08010, 0xc4200000, 0, SVE_PREFETCH },
	{ 0xffe08010, 0xc4608000, 0, SVE_PREFETCH },
	{ 0xfe60e010, 0xc400e000, 0, SVE_PREFETCH },
	{ 0xffc0a000, 0x85800000, LD, 0 },		/* LDR of a vector or predicate */
	{ 0xffc0a000, 0xe5800000, ST, 0 },		/* STR of a vector or predicate */
	{ 0xfe408000, 0x84408000, LD, SVE_PRED },	/* LD1R: one element to all lanes */
	{ 0xfe000000, 0x84000000, LD, SVE_PRED | SVE_GATHER },
	{ 0xfe000000, 0xa4000000, LD, SVE_PRED },
	{ 0xfe000000, 0xc4000000, LD, SVE_PRED | SVE_GATHER },
	{ 0xfe00e000, 0xe4002000, ST, SVE_PRED | SVE_GATHER },
	{ 0xfe008000, 0xe4000000, ST, SVE_PRED },
	{ 0xfe00e000, 0xe400e000, ST, SVE_PRED },
	{ 0xfe000000, 0xe4000000, ST, SVE_PRED | SVE_GATHER },
};

/* Code in the EVL or ETS field: 0 for 32 bits, plus 1 for each doubling */
static unsigned int sve_length(unsigned int vq)
{
	unsigned int e = 2;

	while (e < 7 && (128u << (e - 2)) < vq * 128)
		e++;
	return e;
}

/* SVE data processing that writes a vector under a Governing predicate, which merges or zeroes */
static const struct {
	uint32_t mask, value;
} sve_predicated[] = {
	{ 0xff3ee000, 0x04102000 },	/* MOVPRFX */
	{ 0xff20e000, 0x04000000 },	/* integer, two operands */
	{ 0xff206000, 0x04004000 },	/* integer multiply and add */
	{ 0xff20e000, 0x04008000 },	/* shifts */
	{ 0xff20e000, 0x0400a000 },	/* integer, one operand */
	{ 0xff30c000, 0x05104000 },	/* CPY of an immediate, zeroing */
	{ 0xff308000, 0x05100000 },	/* CPY, FCPY of an immediate */
	{ 0xff3fe000, 0x0520a000 }, { 0xff3fe000, 0x05208000 },	/* CPY of a register */
	{ 0xff3ce000, 0x05248000 },	/* REVB, REVH, REVW, RBIT */
	{ 0xff20c000, 0x44008000 },	/* SVE2 integer */
	{ 0xff208000, 0x64000000 },	/* FCMLA */
	{ 0xff3ee000, 0x64008000 },	/* FCADD */
	{ 0xff3ce000, 0x6408a000 },	/* conversions of precision */
	{ 0xff20e000, 0x65008000 },	/* floating point, two operands */
	{ 0xff20e000, 0x6500a000 },	/* floating point, one operand */
	{ 0xff200000, 0x65200000 },	/* floating point multiply and add */
};

static bool is_predicated(uint32_t op)
{
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(sve_predicated); i++)
		if ((op & sve_predicated[i].mask) == sve_predicated[i].value)
			return true;
	return false;
}

/* log2 of the bytes that the elements of LD1 take in the register, and those that they have in memory, by dtype */
static const uint8_t dtype_step[] = { 0, 1, 2, 3, 3, 1, 2, 3, 3, 2, 2, 3, 3, 2, 1, 3 };
static const uint8_t dtype_size[] = { 0, 0, 0, 0, 2, 1, 1, 1, 1, 1, 2, 2, 0, 0, 0, 3 };

/* Sets what the elements of the access @op look like. */
static void sve_elements(uint32_t op, struct v9_class *c)
{
	const unsigned int form = op >> 13 & 7, msz = op >> 23 & 3, n = op >> 21 & 3;
	const bool load = c->flags & LD;

	if (c->flags & V9_OP_GATHER) {
		c->step = load ? ((op & 0x40000000) ? 3 : 2) : (n == 2 && form != 5) || n == 3 ? 2 : 3;
	} else if ((op & 0xfe000000) == 0xa4000000 && (form == 2 || form == 3 || form == 5)) {
		c->step = dtype_step[op >> 21 & 15];
		c->unit = 1u << dtype_size[op >> 21 & 15];
	} else if (load ? (op & 0xfe000000) == 0xa4000000 && form >= 6 : form == 3 || (form == 7 && (op & 0x100000))) {
		c->step = msz;
		c->unit = (n + 1) << msz;
	} else if (!load && (form == 2 || form == 7)) {
		c->step = n;
		c->unit = 1u << msz;
	}
}

static struct v9_class classify_sve(uint32_t op, unsigned int version, unsigned int vq)
{
	struct v9_class c = { .flags = V9_OP_SVE, .op = 0x48 };
	unsigned int i;

	if (!(op & 0x80000000)) {
		/* Data processing, identified from SPEv1p1 on. 0x64 and 0x65 are floating point. */
		if ((op & 0xfe000000) == 0x64000000)
			c.flags |= V9_OP_FP;
		if (is_predicated(op)) {
			c.flags |= V9_OP_PRED;
			c.step = op >> 22 & 3;
		}
		if (version >= 2 && vq)
			c.opc = 0x08 | sve_length(vq) << 4 | (c.flags & V9_OP_FP ? 2 : 0) |
				(c.flags & V9_OP_PRED ? 4 : 0);
		return c;
	}
	for (i = 0; i < V9_ARRAY_SIZE(sve_rows); i++)
		if ((op & sve_rows[i].mask) == sve_rows[i].value)
			break;
	if (i == V9_ARRAY_SIZE(sve_rows) || sve_rows[i].how == SVE_PREFETCH)
		return c;
	c.flags |= sve_rows[i].flags | (sve_rows[i].how & SVE_PRED ? V9_OP_PRED : 0) |
		   (sve_rows[i].how & SVE_GATHER ? V9_OP_GATHER : 0);
	c.op = 0x49;
	if (c.flags & V9_OP_PRED)
		sve_elements(op, &c);
	if (version >= 2 && vq)
		c.opc = 0x08 | sve_length(vq) << 4 | (c.flags & V9_OP_PRED ? 4 : 0) |
			(c.flags & V9_OP_GATHER ? 0x80 : 0);
	else
		c.opc = version >= 2 ? 0x10 : 0x04;
	c.opc |= c.flags & V9_OP_ST ? 1 : 0;
	return c;
}

uint8_t v9_class_length(uint8_t opc, unsigned int vq)
{
	return (opc & ~0x70) | sve_length(vq) << 4;
}

static bool is_load(uint32_t op, unsigned int dir)
{
	switch (dir) {
	case DIR_L22:
		return op & 0x00400000;
	case DIR_OPC:
		return op & 0x00c00000;
	case DIR_OPC_V:
		return op & 0x00400000;
	default:
		return (op & 0x00400000) && !(op & 0x00000c00);
	}
}

static bool is_ordered(uint32_t op, unsigned int ar)
{
	static const uint32_t bits[] = {
		[AR_NO] = 0,
		[AR_YES] = 0xffffffff,
		[AR_15] = 0x00008000,
		[AR_22] = 0x00400000,
		[AR_15_22] = 0x00408000,
		[AR_22_23] = 0x00c00000,
	};

	return op & bits[ar];
}

/* STGP: its encoding is that of LDPSW as a store. */
static bool is_stgp(uint32_t op)
{
	return (op & 0xfe400000) == 0x68000000;
}

static unsigned int access_size(uint32_t op, unsigned int size)
{
	bool simd = op & 0x04000000;
	unsigned int top = op >> 30;

	switch (size) {
	case SIZE_8:
		return 3;
	case SIZE_16:
		return 4;
	case SIZE_64:
		return 6;
	case SIZE_31:
		return top;
	case SIZE_31_V:
		return (op & 0x00800000) ? 4 : top;
	case SIZE_LIT:
		return simd ? 2 + top : (top == 1 ? 3 : 2);
	case SIZE_PAIR:
		return simd ? 2 + top : top == 2 || is_stgp(op) ? 3 : 2;
	case SIZE_PAIR_ALL:
		return (op & 0x40000000) ? 4 : 3;
	case SIZE_10:
		return op >> 10 & 3;
	default:
		return 0;
	}
}

/* LDG, STG, ST2G, LDGM and STGM access tags alone. STZG, STZ2G and STZGM write data, too. */
static bool is_tag_alone(uint32_t op)
{
	return op & 0x00000c00 ? !(op & 0x00400000) : op & 0x00c00000;
}

/* Load/store payloads that are neither plain nor extended, or -1 */
static int special_payload(uint32_t op, unsigned int version)
{
	const bool v1p3 = version >= 4;
	const unsigned int unspecified = version >= 2 ? 0x10 : 0;

	if ((op & 0x3bc00c00) == 0x19c00400)
		return v1p3 ? 0x25 : unspecified | 1;
	if ((op & 0x3b200c00) == 0x19000400)
		return v1p3 ? 0x21 : unspecified | 1;
	if ((op & 0xff200000) == 0xd9200000)
		return (v1p3 && is_tag_alone(op) ? 0x14 : unspecified) | !is_load(op, DIR_TAG);
	if ((op & 0xff000000) == 0xd5000000)
		return unspecified | 1;
	if ((op & 0xfe000000) == 0xe0000000)
		return unspecified | !!(op & 0x00200000);
	return -1;
}

static uint8_t payload(uint32_t op, const struct v9_class *c, unsigned int version)
{
	int special;
	bool store = !(c->flags & V9_OP_LD);	/* an atomic with a result is a load */

	if (c->op == 0x4a)
		return (c->flags & V9_OP_IND ? 2 : 0) | (c->flags & V9_OP_COND ? 1 : 0);
	if (c->op == 0x48)
		return c->flags & V9_OP_COND ? 1 : 0;
	special = special_payload(op, version);
	if (special >= 0)
		return special;
	if (c->flags & (V9_OP_ATOMIC | V9_OP_EXCL | V9_OP_AR))
		return 0x02 | store | (c->flags & V9_OP_ATOMIC ? 0x04 : 0) |
		       (c->flags & V9_OP_EXCL ? 0x08 : 0) | (c->flags & V9_OP_AR ? 0x10 : 0);
	return store | (c->flags & V9_OP_SIMD ? 0x04 : 0);
}

/* Returns true if Advanced SIMD computes in floating point, by the groups of encodings. */
static bool vector_fp(uint32_t op)
{
	unsigned int opcode = op >> 12 & 31;

	if ((op & 0x01200400) == 0x00200400)		/* three registers, same type */
		return (op >> 11 & 31) >= 0x18;
	if ((op & 0x0160c400) == 0x00400400)		/* likewise, half precision */
		return true;
	if ((op & 0x013e0c00) == 0x00200800) {		/* two registers */
		if (!(op & 0x00800000))
			return opcode >= 0x16;
		return (opcode >= 0x0c && opcode <= 0x0f) || (opcode >= 0x16 && opcode != 0x1c);
	}
	if ((op & 0x013e0c00) == 0x00300800)		/* across lanes, pairs */
		return opcode >= 0x0c && opcode <= 0x0f;
	if ((op & 0x01000400) == 0x01000000)		/* by element */
		return (opcode & 15) == 9 || (!(op & 0x20000000) && (opcode & 11) == 1);
	return false;
}

/*
 * An access to SIMD&FP registers (D17.5.1): one register or a pair of at most 8 bytes each is
 * floating point; Q registers, structures and replicated elements are Advanced SIMD.
 */
static uint32_t simd_access(uint32_t op, const struct v9_class *c)
{
	if (!(c->flags & V9_OP_SIMD))
		return 0;
	if ((op & 0xbe000000) == 0x0c000000)	/* structures, replicated elements */
		return V9_OP_ASE;
	return c->size == 4 ? V9_OP_ASE : V9_OP_FP;
}

/* Data processing with SIMD&FP registers: V9_OP_FP, V9_OP_ASE or both */
static uint32_t vector_flags(uint32_t op)
{
	if ((op & 0x0e000000) != 0x0e000000)
		return 0;
	if ((op & 0x50000000) == 0x10000000)
		return V9_OP_FP;
	return V9_OP_ASE | (vector_fp(op) ? V9_OP_FP : 0);
}

/* LD1, ST1, LDR and STR of ZA, and not those of ZT0 */
static bool is_sme_vector(uint32_t op)
{
	return (op & 0xff000000) == 0xe0000000 || (op & 0xffc00000) == 0xe1c00000 ||
	       (op & 0xffdf9c10) == 0xe1000000;
}

static void sme_elements(uint32_t op, struct v9_class *c)
{
	if ((op & 0xffdf9c10) == 0xe1000000)
		return;
	c->flags |= V9_OP_PRED;
	c->step = op & 0x01000000 ? 4 : op >> 22 & 3;
	c->unit = 1u << c->step;
}

uint8_t v9_class_detail(const struct v9_class *c, bool fpf, bool crr)
{
	uint8_t opc = c->opc;

	if (c->op == 0x48 && fpf && !(c->flags & V9_OP_SVE))
		opc |= (c->flags & V9_OP_FP ? 2 : 0) | (c->flags & V9_OP_ASE ? 4 : 0);
	if (c->op == 0x4a && crr)
		opc |= (c->flags & V9_OP_CALL ? 1 : c->flags & V9_OP_RET ? 2 : 3) << 3;
	return opc;
}

struct v9_class v9_classify(uint32_t op, unsigned int version, unsigned int vq)
{
	struct v9_class c = { .op = 0x48 };
	const struct row *r;

	if ((op & 0x1e000000) == 0x04000000)
		return classify_sve(op, version, vq);
	for (r = rows; r < rows + V9_ARRAY_SIZE(rows); r++)
		if ((op & r->mask) == r->value)
			break;
	if (r == rows + V9_ARRAY_SIZE(rows)) {
		c.flags = vector_flags(op);
		return c;
	}
	c.flags = r->flags | vector_flags(op);
	if (r->dir)
		c.flags |= is_load(op, r->dir) ? V9_OP_LD : V9_OP_ST;
	if (is_ordered(op, r->ar))
		c.flags |= V9_OP_AR;
	c.op = c.flags & V9_OP_BRANCH ? 0x4a : c.flags & (LD | ST) ? 0x49 : 0x48;
	c.size = access_size(op, r->size);
	if (is_sme_vector(op)) {
		c.flags |= V9_OP_SME;
		sme_elements(op, &c);
	}
	c.flags |= simd_access(op, &c);
	c.opc = payload(op, &c, version);
	return c;
}

uint8_t v9_class_sme(const struct v9_class *c, unsigned int vq)
{
	return 0x08 | sve_length(vq) << 4 | (c->flags & V9_OP_PRED ? 4 : 0) | (c->opc & 1);
}

bool v9_flags_hold(unsigned int cond, unsigned int nzcv)
{
	bool n = nzcv & 8, z = nzcv & 4, cf = nzcv & 2, v = nzcv & 1;
	bool r;

	switch (cond >> 1) {
	case 0:
		r = z;
		break;
	case 1:
		r = cf;
		break;
	case 2:
		r = n;
		break;
	case 3:
		r = v;
		break;
	case 4:
		r = cf && !z;
		break;
	case 5:
		r = n == v;
		break;
	case 6:
		r = n == v && !z;
		break;
	default:
		return true;
	}
	return (cond & 1) ? !r : r;
}

bool v9_condition_holds(const struct v9_pe_insn *i, const struct v9_class *c)
{
	uint32_t op = i->op;
	bool zero;

	if (!(c->flags & V9_OP_COND))
		return true;
	if (!(c->flags & V9_OP_BRANCH))
		return v9_flags_hold(op >> 12 & 15, i->nzcv);
	if ((op & 0xff000000) == 0x54000000)
		return v9_flags_hold(op & 15, i->nzcv);
	if (op & 0x02000000)	/* TBZ, TBNZ */
		zero = !(i->xt >> ((op >> 31 << 5) | (op >> 19 & 31)) & 1);
	else
		zero = !((op & 0x80000000) ? i->xt : (uint32_t)i->xt);
	return (op & 0x01000000) ? !zero : zero;
}
