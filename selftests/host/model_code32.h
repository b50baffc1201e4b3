/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A random program of A32 and T32 code for EL0: memory, and what each of its instructions does. The first half
 * is A32, the second T32. Bit 0 of an address is set if the code there is T32, as in an operand of BX. To be
 * included behind a function rnd().
 */
#ifndef V9_MODEL_CODE32_H
#define V9_MODEL_CODE32_H

#define C32_BASE	UINT64_C(0x00402000)
#define C32_T32		(C32_BASE + C32_SIZE / 2)
#define C32_SIZE	1024	/* bytes */
#define C32_ALWAYS	14

enum c32_what { C32_OTHER, C32_DIRECT, C32_INDIRECT, C32_RETURN, C32_ISB, C32_WAIT, C32_IT, C32_SVC };

/**
 * struct c32_insn - what an instruction does
 * @op: opcode as in struct v9_pe_insn
 * @to: target of a direct branch
 * @what: enum c32_what
 * @cond: condition, of T32 that of the opcode: 0 EQ, 1 NE, or C32_ALWAYS
 * @size: in bytes; 0 in the middle of an instruction
 * @link: a branch with link
 * @compares: CBZ, or CBNZ if @cond is 1
 */
struct c32_insn {
	uint32_t op;
	uint64_t to;
	uint8_t what, cond, size;
	bool link, compares;
};

static struct {
	uint8_t code[C32_SIZE];
	struct c32_insn insn[C32_SIZE / 2];	/* by half word */
} c32;

static bool c32_is_user(uint64_t addr)
{
	return addr >= C32_BASE && addr < C32_BASE + C32_SIZE;
}

static uint64_t c32_address(unsigned int half)
{
	return (C32_BASE + 2 * half) | (half >= C32_SIZE / 4);
}

/* The instruction at @addr; NULL outside of the half with its instruction set */
static const struct c32_insn *c32_at(uint64_t addr, bool t32)
{
	const uint64_t start = t32 ? C32_T32 : C32_BASE;

	if (addr < start || addr - start >= C32_SIZE / 2)
		return NULL;
	return &c32.insn[(addr - C32_BASE) / 2];
}

/* The beginning of an instruction */
static uint64_t c32_somewhere_in(bool t32)
{
	unsigned int half;

	do
		half = rnd() % (C32_SIZE / 4) + (t32 ? C32_SIZE / 4 : 0);
	while (!c32.insn[half].size);
	return c32_address(half);
}

static uint64_t c32_somewhere(void)
{
	return c32_somewhere_in(rnd() % 2);
}

static uint8_t c32_cond(void)
{
	return rnd() % 3 ? rnd() % 2 : C32_ALWAYS;
}

static struct c32_insn c32_a32(uint64_t pc)
{
	struct c32_insn i = { .size = 4, .cond = c32_cond(), .to = c32_somewhere_in(false) };
	uint64_t to;

	switch (rnd() % 16) {
	case 0:
	case 1:
	case 2:
		i.what = C32_DIRECT;
		i.link = rnd() % 2;
		i.op = (i.link ? 0x0b000000 : 0x0a000000) | ((i.to - pc - 8) >> 2 & 0xffffff);
		break;
	case 3:		/* BLX: no condition */
		i.what = C32_DIRECT;
		i.link = true;
		i.cond = C32_ALWAYS;
		i.to = c32_somewhere_in(true);
		to = i.to - 1 - pc - 8;
		i.op = 0xfa000000 | (to >> 1 & 1) << 24 | (to >> 2 & 0xffffff);
		return i;
	case 4:
		i.what = C32_INDIRECT;
		i.link = true;
		i.op = 0x012fff33;		/* BLX r3 */
		break;
	case 5:
		i.what = C32_RETURN;
		i.op = rnd() % 2 ? 0x012fff1e : 0x08bd8010;	/* BX LR, POP */
		break;
	case 6:
		i.what = C32_INDIRECT;
		i.op = rnd() % 2 ? 0x059ff000 : 0x008ff101;	/* LDR PC, ADD PC */
		break;
	case 7:
		i.what = C32_ISB;
		i.cond = C32_ALWAYS;
		i.op = 0xf57ff06f;
		return i;
	case 8:
		i.what = C32_WAIT;
		i.op = 0x0320f003;
		break;
	case 9:
		i.what = C32_SVC;
		i.op = 0x0f000000;
		break;
	default:
		i.op = 0x0320f000;
	}
	i.op |= (uint32_t)i.cond << 28;
	return i;
}

static struct c32_insn c32_t16(uint64_t pc)
{
	struct c32_insn i = { .size = 2, .cond = C32_ALWAYS, .to = c32_somewhere_in(true), .op = 0xbf00 };
	const uint64_t to = i.to - 1 - pc - 4;
	const unsigned int it = rnd() % 3;

	switch (rnd() % 14) {
	case 0:
	case 1:
		if (to + 256 >= 512)
			break;
		i.what = C32_DIRECT;
		i.cond = rnd() % 2;
		i.op = 0xd000 | i.cond << 8 | (to >> 1 & 0xff);
		break;
	case 2:
		i.what = C32_DIRECT;
		i.op = 0xe000 | (to >> 1 & 0x7ff);
		break;
	case 3:
	case 4:
		if (to >= 128)
			break;
		i.what = C32_DIRECT;
		i.compares = true;
		i.cond = rnd() % 2;
		i.op = 0xb100 | i.cond << 11 | (to >> 6 & 1) << 9 | (to >> 1 & 31) << 3 | 3;
		break;
	case 5:
		i.what = C32_INDIRECT;
		i.link = true;
		i.op = 0x4798;			/* BLX r3 */
		break;
	case 6:
		i.what = C32_RETURN;
		i.op = rnd() % 2 ? 0x4770 : 0xbd10;	/* BX LR, POP */
		break;
	case 7:
	case 8:
		i.what = C32_IT;
		i.cond = rnd() % 2;
		/* IT, ITT, ITE: the mask has a bit for each condition that follows */
		i.op = 0xbf00 | i.cond << 4 | (!it ? 8 : (i.cond ^ (it == 2)) << 3 | 4);
		break;
	case 9:
		i.what = C32_WAIT;
		i.op = 0xbf30;
		break;
	case 10:
		i.what = C32_SVC;
		i.op = 0xdf00;
		break;
	}
	return i;
}

static struct c32_insn c32_t32(uint64_t pc)
{
	struct c32_insn i = { .size = 4, .cond = C32_ALWAYS, .to = c32_somewhere_in(true) };
	uint64_t to = i.to - 1 - pc - 4;
	uint32_t s = to >> 63;

	switch (rnd() % 10) {
	case 0:		/* B<c>.W */
		i.what = C32_DIRECT;
		i.cond = rnd() % 2;
		i.op = 0xf0008000 | s << 26 | (uint32_t)i.cond << 22 | s << 13 | s << 11 |
		       (to >> 12 & 0x3f) << 16 | (to >> 1 & 0x7ff);
		break;
	case 1:		/* B.W, BL: the offset is small, so J1 and J2 are 1 for both signs */
		i.what = C32_DIRECT;
		i.link = rnd() % 2;
		i.op = (i.link ? 0xf000f800 : 0xf000b800) | s << 26 | (to >> 12 & 0x3ff) << 16 |
		       (to >> 1 & 0x7ff);
		break;
	case 2:		/* BLX */
		i.what = C32_DIRECT;
		i.link = true;
		i.to = c32_somewhere_in(false);
		to = i.to - ((pc + 4) & ~UINT64_C(3));
		s = to >> 63;
		i.op = 0xf000e800 | s << 26 | (to >> 12 & 0x3ff) << 16 | (to >> 1 & 0x7fe);
		break;
	case 3:
		i.what = C32_INDIRECT;
		i.op = rnd() % 2 ? 0xe8dff001 : 0xf8dff008;	/* TBB, LDR PC */
		break;
	case 4:
		i.what = C32_RETURN;
		i.op = 0xe8bd8110;		/* POP.W */
		break;
	case 5:
		i.what = C32_ISB;
		i.op = 0xf3bf8f6f;
		break;
	default:
		i.op = 0xf3af8000;
	}
	return i;
}

static void c32_make(void)
{
	unsigned int half;

	memset(&c32, 0, sizeof(c32));
	for (half = 0; half < C32_SIZE / 2; half += c32.insn[half].size / 2)
		c32.insn[half].size = half < C32_SIZE / 4 || (half + 1 < C32_SIZE / 2 && rnd() % 3 == 0) ? 4 : 2;
	for (half = 0; half < C32_SIZE / 2; half += c32.insn[half].size / 2) {
		const uint64_t pc = C32_BASE + 2 * half;
		struct c32_insn i = half < C32_SIZE / 4 ? c32_a32(pc) :
				    c32.insn[half].size == 4 ? c32_t32(pc) : c32_t16(pc);
		const uint32_t word = half >= C32_SIZE / 4 && i.size == 4 ? i.op << 16 | i.op >> 16 : i.op;

		c32.insn[half] = i;
		memcpy(c32.code + 2 * half, &word, i.size);
	}
}

#endif
