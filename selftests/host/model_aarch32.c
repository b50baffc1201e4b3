// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace unit of the model in AArch32 state: which instructions are P0 instructions (Tables D4-11 to D4-18;
 * encodings as an assembler gives them), and the bytes of small programs of EL0, written by hand.
 */
#include "branch.h"
#include "model_trace.h"

/* The decoder has a struct with the same name. */
#define v9_insn v9_decoded_insn
#include "../../tools/lib/a64.h"
#undef v9_insn

#define ASYNC 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define INFO 0x01, 0x00
#define ON 0x04

/* Opcodes: T32 of four bytes have the first half word in bits 31:16. */
#define A32_NOP		0xe320f000
#define A32_BX_LR	0xe12fff1e
#define A32_BXNE_LR	0x112fff1e
#define T32_NOP		0xbf00
#define T32_WIDE_NOP	0xf3af8000
#define T32_BX_LR	0x4770

/* Instructions at 0x10000 */

#define B V9_OP_BRANCH
#define C V9_OP_COND
#define I (B | V9_OP_IND)
#define L V9_OP_CALL
#define E (I | V9_OP_ERET)
#define SYNC 0			/* ISB, WFE, WFI */
#define NO V9_P0_NONE

struct row {
	const char *name;
	uint32_t op;
	uint16_t flags;
	uint32_t target;	/* of a direct branch */
};

static const struct row a32[] = {
	{ "b", 0xea000004, B, 0x10018 },
	{ "b_ne_back", 0x1afffff8, B | C, 0xffe8 },
	{ "bl", 0xeb000040, B | L, 0x10108 },
	{ "bl_eq", 0x0b000002, B | L | C, 0x10010 },
	{ "blx_half_word", 0xfb000001, B | L, 0x1000e },
	{ "blx_back", 0xfafffffe, B | L, 0x10000 },
	{ "blx_register", 0xe12fff33, I | L, 0 },
	{ "blx_ne_lr", 0x112fff3e, I | L | C, 0 },
	{ "bx_lr", A32_BX_LR, I, 0 },
	{ "bx_eq", 0x012fff11, I | C, 0 },
	{ "bxj", 0xe12fff22, I, 0 },
	{ "add_pc", 0xe08ff101, I, 0 },
	{ "mov_pc_lr", 0xe1a0f00e, I, 0 },
	{ "mvn_hi_pc", 0x81e0f002, I | C, 0 },
	{ "subs_pc_lr", 0xe25ef004, E, 0 },
	{ "ldm_pc", 0xe8928002, I, 0 },
	{ "pop_pc", 0xe8bd8010, I, 0 },
	{ "pop_pc_alone", 0xe49df004, I, 0 },
	{ "ldm_pc_return", 0xe8d08002, E, 0 },
	{ "ldr_pc", 0xe591f000, I, 0 },
	{ "ldr_ls_pc_table", 0x979ff100, I | C, 0 },
	{ "rfe", 0xf8910a00, E, 0 },
	{ "eret", 0xe160006e, E, 0 },
	{ "isb", 0xf57ff06f, SYNC, 0 },
	{ "cp15isb", 0xee070f95, SYNC, 0 },
	{ "cp15isb_ne", 0x1e070f95, SYNC, 0 },
	{ "wfe", 0xe320f002, SYNC, 0 },
	{ "wfi_ne", 0x1320f003, SYNC, 0 },
	{ "nop", A32_NOP, NO, 0 },
	{ "yield", 0xe320f001, NO, 0 },
	{ "mov_from_pc", 0xe1a0000f, NO, 0 },
	{ "cmp_pc", 0xe15f0001, NO, 0 },
	{ "mul", 0xe0010392, NO, 0 },
	{ "str_pc", 0xe581f000, NO, 0 },
	{ "ldr", 0xe59f1000, NO, 0 },
	{ "ldrb", 0xe5d21000, NO, 0 },
	{ "stm_pc", 0xe8818002, NO, 0 },
	{ "ldm_lr", 0xe8914002, NO, 0 },
	{ "svc", 0xef000000, NO, 0 },
	{ "bkpt", 0xe1200071, NO, 0 },
	{ "msr_flags", 0xe128f001, NO, 0 },
	{ "sdiv", 0xe711f312, NO, 0 },
	{ "dsb", 0xf57ff04f, NO, 0 },
	{ "cp15dsb", 0xee070f9a, NO, 0 },
	{ "vpop", 0xecbd8b02, NO, 0 },
	{ "udf", 0xe7f000f1, NO, 0 },
	{ "smc", 0xe1600070, NO, 0 },
};

static const struct row t32[] = {
	{ "beq", 0xd002, B | C, 0x10008 },
	{ "bgt_back", 0xdcfc, B | C, 0xfffc },
	{ "b_back", 0xe7ff, B, 0x10002 },
	{ "b", 0xe008, B, 0x10014 },
	{ "b_wide", 0xf001b800, B, 0x11004 },
	{ "bne_wide_back", 0xf47fa800, B | C, 0xf004 },
	{ "bne_wide_j1", 0xf040a000, B | C, 0x50004 },
	{ "bne_wide_j2", 0xf0408800, B | C, 0x90004 },
	{ "bl", 0xf000fa00, B | L, 0x10404 },
	{ "blx", 0xf000ea00, B | L, 0x10404 },
	{ "blx_back", 0xf7ffeffe, B | L, 0x10000 },
	{ "cbz", 0xb12b, B | C, 0x1000e },
	{ "cbnz", 0xbbff, B | C, 0x10082 },
	{ "bx_lr", T32_BX_LR, I, 0 },
	{ "bx", 0x4720, I, 0 },
	{ "blx_register", 0x47a8, I | L, 0 },
	{ "bxj", 0xf3c68f00, I, 0 },
	{ "pop_pc", 0xbd10, I, 0 },
	{ "pop_wide_pc", 0xe8bd8110, I, 0 },
	{ "pop_pc_alone", 0xf85dfb04, I, 0 },
	{ "ldr_pc_literal", 0xf8dff008, I, 0 },
	{ "ldr_pc_register", 0xf851f022, I, 0 },
	{ "ldmdb_pc", 0xe9118004, I, 0 },
	{ "ldm_pc", 0xe8b18004, I, 0 },
	{ "add_pc", 0x449f, I, 0 },
	{ "mov_pc", 0x46f7, I, 0 },
	{ "tbb", 0xe8dff001, I, 0 },
	{ "tbh", 0xe8d2f013, I, 0 },
	{ "rfedb", 0xe811c000, E, 0 },
	{ "rfeia", 0xe9b2c000, E, 0 },
	{ "subs_pc_lr", 0xf3de8f04, E, 0 },
	{ "isb", 0xf3bf8f6f, SYNC, 0 },
	{ "cp15isb", 0xee071f95, SYNC, 0 },
	{ "wfe", 0xbf20, SYNC, 0 },
	{ "wfi", 0xbf30, SYNC, 0 },
	{ "wfe_wide", 0xf3af8002, SYNC, 0 },
	{ "wfi_wide", 0xf3af8003, SYNC, 0 },
	{ "nop", T32_NOP, NO, 0 },
	{ "nop_wide", T32_WIDE_NOP, NO, 0 },
	{ "yield", 0xbf10, NO, 0 },
	{ "it", 0xbf08, NO, 0 },
	{ "svc", 0xdf01, NO, 0 },
	{ "udf", 0xde00, NO, 0 },
	{ "udf_wide", 0xf7f0a000, NO, 0 },
	{ "cmp_high", 0x45c8, NO, 0 },
	{ "cmp_pc", 0x4587, NO, 0 },
	{ "mov_high", 0x46c8, NO, 0 },
	{ "push_lr", 0xb510, NO, 0 },
	{ "pop", 0xbc10, NO, 0 },
	{ "pop_wide", 0xe8bd0110, NO, 0 },
	{ "stm", 0xc104, NO, 0 },
	{ "ldrex", 0xe8521f00, NO, 0 },
	{ "strex", 0xe8432100, NO, 0 },
	{ "ldrd", 0xe9d30012, NO, 0 },
	{ "srsdb", 0xe82dc013, NO, 0 },
	{ "tst_wide", 0xea110f02, NO, 0 },
	{ "cmp_wide", 0xf1b10f05, NO, 0 },
	{ "mrs", 0xf3ef8100, NO, 0 },
	{ "msr_flags", 0xf3818800, NO, 0 },
	{ "dsb", 0xf3bf8f4f, NO, 0 },
	{ "dmb", 0xf3bf8f5b, NO, 0 },
	{ "ldr_wide", 0xf8d21004, NO, 0 },
	{ "pld", 0xf891f000, NO, 0 },
	{ "ldrh_wide", 0xf8b21000, NO, 0 },
	{ "bkpt", 0xbe00, NO, 0 },
	{ "hvc", 0xf7e08001, NO, 0 },
	{ "smc", 0xf7f18000, NO, 0 },
	{ "cps", 0xb672, NO, 0 },
	{ "mov_wide", 0xea4f0809, NO, 0 },
	{ "vldr", 0xed910b00, NO, 0 },
};

static void rows(const char *set, enum v9_insn_set code, const struct row *r, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct v9_pe_insn insn = { .pc = 0x10000, .op = r[i].op, .code = code };
		const uint16_t flags = v9_p0_flags(code, r[i].op, true);
		const struct v9_branch b = v9_branch_hold(&insn, flags == NO ? SYNC : flags);
		const bool direct = r[i].target;

		if (!tap_ok(flags == r[i].flags && (!direct || b.target == r[i].target), "%s_%s", set,
			    r[i].name))
			tap_note("flags %x, not %x; target 0x%llx", flags, r[i].flags,
				 (unsigned long long)b.target);
	}
}

/* shows: ETE-R_QBGXJ */
static void waits_are_a_choice(void)
{
	static const struct { enum v9_insn_set code; uint32_t op; } wait[] = {
		{ V9_CODE_A32, 0xe320f002 }, { V9_CODE_A32, 0x1320f003 }, { V9_CODE_T32, 0xbf20 },
		{ V9_CODE_T32, 0xbf30 }, { V9_CODE_T32, 0xf3af8002 }, { V9_CODE_T32, 0xf3af8003 },
	};
	unsigned int i, p0 = 0;

	for (i = 0; i < V9_ARRAY_SIZE(wait); i++)
		p0 += v9_p0_flags(wait[i].code, wait[i].op, false) != NO;
	tap_eq(p0, 0, "waits_are_no_p0");
	tap_ok(v9_p0_flags(V9_CODE_T32, 0xf3bf8f6f, false) == SYNC, "isb_always_is");
}

/* Each condition code check, with flags N, Z, C, V (Table C1-1, by hand) */
static void conditions(void)
{
	static const struct { uint8_t cond, pass, fail; } t[] = {
		{ 0, 4, 11 }, { 1, 11, 4 }, { 2, 2, 13 }, { 3, 13, 2 }, { 4, 8, 7 }, { 5, 7, 8 },
		{ 6, 1, 14 }, { 7, 14, 1 }, { 8, 2, 6 }, { 9, 6, 2 }, { 10, 9, 8 }, { 11, 8, 9 },
		{ 12, 9, 13 }, { 13, 13, 9 },
	};
	unsigned int i, bad[3] = { 0 };

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		const uint32_t c = t[i].cond;
		const struct v9_pe_insn insn[] = {
			{ .op = c << 28 | 0x0a000000, .code = V9_CODE_A32 },
			{ .op = 0xd000 | c << 8, .code = V9_CODE_T32 },
			{ .op = 0xf0008000 | c << 22, .code = V9_CODE_T32 },
			{ .op = T32_BX_LR, .code = V9_CODE_T32, .it = c << 4 | 8 },
		};
		unsigned int k;

		for (k = 0; k < V9_ARRAY_SIZE(insn); k++) {
			struct v9_pe_insn i2 = insn[k];

			i2.nzcv = t[i].pass;
			bad[k == 3] += !v9_branch_hold(&i2, B).taken;
			i2.nzcv = t[i].fail;
			bad[k == 3] += v9_branch_hold(&i2, B).taken;
		}
	}
	tap_eq(bad[0], 0, "conditions_of_branches");
	tap_eq(bad[1], 0, "conditions_of_it");
	for (i = 0; i < 4; i++) {
		const struct v9_pe_insn insn = {
			.op = 0xb12b | (i & 1) << 11, .code = V9_CODE_T32, .xt = i & 2 ? 0x80000000 : 0,
		};

		bad[2] += v9_branch_hold(&insn, B).taken != (i == 0 || i == 3);
	}
	tap_eq(bad[2], 0, "compare_and_branch");
	tap_ok(v9_branch_hold(&(struct v9_pe_insn){ .op = 0xeb000000, .code = V9_CODE_A32 }, B).taken &&
	       v9_branch_hold(&(struct v9_pe_insn){ .op = 0xfb000000, .code = V9_CODE_A32 }, B).taken &&
	       v9_branch_hold(&(struct v9_pe_insn){ .op = 0xe7fe, .code = V9_CODE_T32 }, B).taken &&
	       v9_branch_hold(&(struct v9_pe_insn){ .op = T32_BX_LR, .it = 0xe8,
						    .code = V9_CODE_T32 }, B).taken, "always");
}

/* What the decoder of the tools says of the opcode, in the form of the model */
static uint16_t decoded(enum v9_insn_set code, uint32_t op, uint64_t *target)
{
	struct v9_decoded_insn d;
	const uint32_t word = code == V9_CODE_T32 && op >> 16 ? op << 16 | op >> 16 : op;

	v9_insn_decode(code == V9_CODE_A32 ? V9_ISA_A32 : V9_ISA_T32, 0x10000, word, &d);
	*target = d.target;
	if (d.kind == V9_INSN_OTHER)
		return NO;
	if (d.kind == V9_INSN_ISB || d.kind == V9_INSN_WAIT)
		return SYNC;
	return (d.kind == V9_INSN_INDIRECT ? I : B) | (d.flags & V9_INSN_LINK ? L : 0) |
	       (d.flags & V9_INSN_ERET ? V9_OP_ERET : 0) | (d.flags & V9_INSN_COND ? C : 0);
}

/*
 * Returns true if bits that should be 0 or 1 are not: then the instruction is CONSTRAINED UNPREDICTABLE. Of such
 * encodings the tables differ.
 */
static bool is_malformed(enum v9_insn_set code, uint32_t op)
{
	if (code == V9_CODE_T32 && (op & 0xfe500000) == 0xe8100000)
		return (op >> 23 & 3) % 3 == 0 && (op & 0xffff) != 0xc000;	/* RFE */
	if (code == V9_CODE_T32)
		return ((op & 0xfff00000) == 0xf3c00000 && (op & 0xffff) != 0x8f00) ||	/* BXJ */
		       ((op & 0xfff00000) == 0xf3d00000 && (op & 0x000fff00) != 0x000e8f00);	/* SUBS PC, LR */
	if (op >> 28 == 15)
		return (op & 0x0e500000) == 0x08100000 && (op & 0xffff) != 0x0a00;	/* RFE */
	switch (op & 0x0ff000f0) {
	case 0x01200010:	/* BX, BXJ, BLX */
	case 0x01200020:
	case 0x01200030:
		return (op & 0x000fff00) != 0x000fff00;
	case 0x01600060:	/* ERET */
		return (op & 0x000fff0f) != 0x0000000e;
	default:
		return false;
	}
}

static unsigned int differ(enum v9_insn_set code, uint32_t op)
{
	const struct v9_pe_insn insn = { .pc = 0x10000, .op = op, .code = code };
	uint16_t mine = v9_p0_flags(code, op, true);
	uint64_t target;
	const uint16_t theirs = decoded(code, op, &target);
	const bool direct = mine != NO && (mine & (B | V9_OP_IND)) == B;

	if (is_malformed(code, op))
		return 0;
	/* The decoder need not know that MOVS PC and the like, of EL1, return from an exception. */
	if (mine != NO && theirs != NO && (mine ^ theirs) == V9_OP_ERET)
		mine = theirs;
	if (mine == theirs && (!direct || v9_branch_hold(&insn, mine).target == target))
		return 0;
	tap_note("%s %08x: %x, the decoder: %x", code == V9_CODE_A32 ? "A32" : "T32", op, mine, theirs);
	return 1;
}

/*
 * Compares how the model and the decoder classify each T32 opcode of 16 bits, and random opcodes of 32 bits. They
 * have separate tables.
 */
static void agrees_with_decoder(void)
{
	unsigned int n = 0, i;
	uint64_t x = 1;

	for (i = 0; i < 0xe800; i++)
		n += differ(V9_CODE_T32, i);
	tap_eq(n, 0, "all_of_two_bytes");
	n = 0;
	for (i = 0; i < 500000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		n += differ(V9_CODE_A32, x);
		n += differ(V9_CODE_T32, 0xe8000000 + x % 0x18000000);
	}
	tap_eq(n, 0, "random_of_four_bytes");
}

/* An address of T32 code, as in an operand of BX */
#define T(a) ((a) | 1)

/* Programs of EL0. Tracing is permitted there only. */

/* The unit is programmed, but not enabled. */
static struct fk *ready(uint64_t config)
{
	struct fk *f = tk_new();

	tk_setup(f, config);
	return f;
}

static void go(struct fk *f, uint64_t pc, bool t32)
{
	tk_enable(f);
	MSR(f, TRFCR_EL1, V9_TRFCR_EL1_E0TRE | V9_PUT(V9_TRFCR_EL1_TS, V9_TRFCR_EL1_TS_VIRTUAL));
	fk_sync(f, V9_SYNC_ISB);
	f->pc = 0xffff000000001000;
	tk_user32(f, pc, t32);
}

static struct fk *user(uint64_t config, uint64_t pc, bool t32)
{
	struct fk *f = ready(config);

	go(f, pc, t32);
	return f;
}

/* An interrupt, taken to EL1 in AArch64 state, where nothing is traced */
static size_t irq(struct fk *f)
{
	tk_irq(f, 1, 0xffff000000002000);
	f->pe.r.a64 = true;
	return tk_stop(f);
}

#define USER_IS(f, name, ...) \
	tk_is(f, irq(f), (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), name)

/* SF is 0: 0x20 is Non-secure EL0 in AArch32 state (D5.3.66) */
#define T32_AT_10400 0x83, 0x00, 0x04, 0x01, 0x00, 0x20
#define A32_AT_10600 0x82, 0x00, 0x03, 0x01, 0x00, 0x20

/* shows: ETE-R_RHDMW ETE-R_FSWRC ETE-R_HFCTC ETE-R_QHSBN ETE-R_BHLTJ ETE-R_PLXGS */
static void calls(void)
{
	struct fk *f = user(V9_TRCCONFIGR_RS, 0x10400, true);

	tk_code(f, 0xf000f87e, 0, 0, T(0x10500));	/* bl: pushes 10404 */
	tk_code(f, T32_NOP, 0, 0, T(0x10502));
	tk_code(f, T32_BX_LR, 0, 0, T(0x10404));		/* on the stack */
	tk_code(f, 0xf000e8fc, 0, 0, 0x10600);	/* blx: pushes 10408 */
	tap_ok(!f->pe.t32, "blx_exchanges");
	tk_code(f, A32_NOP, 0, 0, 0x10604);
	tk_code(f, A32_BXNE_LR, 0, TK_Z, 0x10608);
	tk_code(f, A32_BX_LR, 0, 0, T(0x10408));
	tk_code(f, T32_NOP, 0, 0, T(0x1040a));
	/* EEE N (format 6, 3 and N), E; IRQ at 1040a: IS1, bits 7:1 */
	USER_IS(f, "calls_with_return_stack", ASYNC, INFO, ON, T32_AT_10400, 0xe0, 0xf7, 0x06, 0x1d,
		0x96, 0x05);

	f = user(0, 0x10400, true);
	tk_code(f, 0xf000f87e, 0, 0, T(0x10500));
	tk_code(f, T32_BX_LR, 0, 0, T(0x10404));
	tk_code(f, 0xf000e8fc, 0, 0, 0x10600);
	tk_code(f, A32_BX_LR, 0, 0, T(0x10408));
	/* EE; 10404 of IS1; EE; 10408 of IS1 comes with the exception at it */
	USER_IS(f, "calls_without", ASYNC, INFO, ON, T32_AT_10400, 0xdb, 0x96, 0x02, 0xdb, 0x06, 0x5c,
		0x96, 0x04);

	/* The stack has 10604 of A32. A T32 instruction at that address is not the same. */
	f = user(V9_TRCCONFIGR_RS, 0x10600, false);
	tk_code(f, 0xe12fff33, 0, 0, T(0x10404));	/* blx r3 */
	tk_code(f, T32_BX_LR, 0, 0, T(0x10604));
	tk_code(f, 0xe7fe, 0, 0, T(0x10604));
	/* E; 10400+4 of IS1, 15:1; E; 10604 of IS1; E; IRQ at 10604: exact match */
	USER_IS(f, "return_to_the_other_set", ASYNC, INFO, ON, A32_AT_10600, 0xf7, 0x96, 0x82, 0x04,
		0xf7, 0x96, 0x82, 0x06, 0xf7, 0x06, 0x1d, 0x90);
}

/* Branch broadcast: the target of BLX is of the other instruction set. */
static void broadcast(void)
{
	struct fk *f = user(V9_TRCCONFIGR_BB, 0x10400, true);

	tk_code(f, 0xf000e8fe, 0, 0, 0x10600);	/* blx */
	tk_code(f, 0xfafffe7e, 0, 0, T(0x10000));	/* blx 10000 */
	tk_code(f, 0xe7fe, 0, 0, T(0x10000));
	/* E; 10600 of IS0: 8:2, 16:9; E; 10000 of IS1; E; exception at the target, which is an exact match */
	USER_IS(f, "broadcast_of_blx", ASYNC, INFO, ON, T32_AT_10400, 0xf7, 0x95, 0x80, 0x83,
		0xf7, 0x96, 0x80, 0x00, 0xf7, 0x06, 0x5c, 0x90);
}

/* shows: ETE-R_PLGZG ETE-R_YVVSN ETE-R_CPFBS ETE-R_HJHHV ETE-R_TSQGH */
static void conditional(void)
{
	struct fk *f = user(0, 0x10400, true);

	tk_code(f, T32_BX_LR, 0x08, 0, T(0x10402));		/* N */
	tk_code(f, 0xf3bf8f6f, 0x08, 0, T(0x10406));	/* N: isb */
	tk_code(f, 0xf3bf8f6f, 0x18, 0, T(0x1040a));	/* E: isb */
	tk_code(f, 0xbf30, 0x08, 0, T(0x1040c));		/* N: wfi */
	tk_code(f, 0xb103, 0, 0, T(0x10410));		/* cbz r3, 0: E */
	/* NNE (format 3), NE (format 2): no packet has NNEN */
	USER_IS(f, "it_block", ASYNC, INFO, ON, T32_AT_10400, 0xfc, 0xda, 0x06, 0x1d, 0x96, 0x08);

	/* An undefined instruction that fails its condition, and is undefined still: no Atom */
	f = user(0, 0x10600, false);
	tk_code(f, 0x0160006e, 0, 0, 0x10600);	/* ereteq */
	fk_exception(f, &(struct v9_exc){ .ret = 0x10600, .to_el = 1, .sync = true });
	f->pe.r.a64 = true;
	tk_is(f, tk_stop(f), (const uint8_t[]){ ASYNC, INFO, ON, A32_AT_10600, 0x06, 0x07, 0x90 }, 24,
	      "undefined_and_conditional");
}

/* An ISB that fails its condition requests no timestamp (ETE-R_NGXNQ). */
static void failed_isb(void)
{
	struct fk *f = user(V9_TRCCONFIGR_TS, 0x10400, true);
	unsigned int i, n[3];

	for (i = 0; i < 3; i++) {
		tk_code(f, 0xf3bf8f6f, 0x08, i == 2 ? TK_Z : 0, T(f->pc + 4));
		tk_code(f, 0xd0fe, 0, 0, T(f->pc + 2));		/* beq: not taken */
		tk_code(f, 0xd0fe, 0, 0, T(f->pc + 2));
		n[i] = tk_score(f)->packets[V9_ETE_TIMESTAMP];
	}
	tap_ok(n[1] == n[0] && n[2] > n[1], "failed_isb_does_not_synchronize");
	tap_note("%u, %u and %u timestamps", n[0], n[1], n[2]);
	irq(f);
	fk_free(f);
}

/* The SVC of T32 has two bytes: the return address is behind it. */
static void system_call(void)
{
	struct fk *f = user(0, 0x10400, true);

	tk_code(f, T32_WIDE_NOP, 0, 0, T(0x10404));
	tk_code(f, 0xdf00, 0, 0, T(0x10406));
	fk_exception(f, &(struct v9_exc){ .ret = 0x10406, .to_el = 1, .sync = true, .esr = 0x11u << 26 });
	f->pe.r.a64 = true;
	tap_eq(tk_score(f)->insns, 2, "two_instructions");
	tk_is(f, tk_stop(f), (const uint8_t[]){ ASYNC, INFO, ON, T32_AT_10400, 0x06, 0x05, 0x96, 0x03 }, 25,
	      "svc_of_t32");
}

/*
 * A block of T32: two bytes at 10400, four at 10402, two at 10406, and a branch of four at 10408. Returns how
 * often the program traced it.
 */
static unsigned int block(struct fk *f)
{
	tk_code(f, T32_NOP, 0, 0, T(0x10402));
	tk_code(f, T32_WIDE_NOP, 0, 0, T(0x10406));
	tk_code(f, T32_NOP, 0, 0, T(0x10408));
	tk_code(f, 0xf000b800, 0, 0, T(0x1040c));	/* b.w */
	irq(f);
	return tk_score(f)->p0;
}

/* Start and stop points and ranges match the lowest byte of an instruction. shows: ETE-R_LLQPL */
static void filters(void)
{
	static const struct {
		const char *name;
		uint64_t first, last;
		uint64_t include, exclude, start;	/* bits of the registers */
		unsigned int traced;
	} t[] = {
		{ "excluded_block", 0x10400, 0x10408, 0, 1, 0, 0 },
		{ "excluded_but_the_branch", 0x10400, 0x10407, 0, 1, 0, 2 },
		{ "included_instruction_of_two", 0x10406, 0x10406, 1, 0, 0, 2 },
		{ "included_elsewhere", 0x1040c, 0x10410, 1, 0, 0, 0 },
		{ "start_at_an_instruction", 0x10406, 0, 0, 0, 1, 2 },
		{ "start_at_an_instruction_of_four", 0x10402, 0, 0, 0, 1, 2 },
		{ "start_at_the_branch", 0x10408, 0, 0, 0, 1, 2 },
		{ "start_inside_an_instruction", 0x10404, 0, 0, 0, 1, 0 },
		{ "start_inside_the_branch", 0x1040a, 0, 0, 0, 1, 0 },
		{ "start_between_bytes", 0x10401, 0, 0, 0, 1, 0 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = ready(0);

		fk_msr(f, V9_SYS_TRCACVR(0), t[i].first);
		fk_msr(f, V9_SYS_TRCACVR(1), t[i].last);
		MSR(f, TRCVIIECTLR, t[i].include | t[i].exclude << 16);
		MSR(f, TRCVISSCTLR, t[i].start);
		MSR(f, TRCVICTLR, t[i].start ? 1 : 0x201);
		go(f, 0x10400, true);
		tap_eq(block(f), t[i].traced, "%s", t[i].name);
		fk_free(f);
	}
}

/* Resources run a cycle for each instruction, whatever its size. */
static void resources(void)
{
	static const struct { const char *name; uint64_t at; unsigned int events; } t[] = {
		{ "comparator_at_two_bytes", 0x10406, 1 }, { "comparator_at_four_bytes", 0x10402, 1 },
		{ "comparator_at_the_branch", 0x10408, 1 }, { "comparator_inside", 0x10404, 0 },
	};
	struct fk *f;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		f = ready(0);
		fk_msr(f, V9_SYS_TRCACVR(0), t[i].at);
		fk_msr(f, V9_SYS_TRCRSCTLR(2), V9_PUT(V9_TRCRSCTLRn_GROUP, V9_TRCRSCTLRn_GROUP_SAC) | 1);
		MSR(f, TRCEVENTCTL0R, 2);
		go(f, 0x10400, true);
		block(f);
		tap_eq(tk_score(f)->extout[0], t[i].events, "%s", t[i].name);
		fk_free(f);
	}
	f = ready(0);
	go(f, 0x10400, true);
	tk_code(f, 0xe7fe, 0, 0, T(0x10400));		/* b . */
	tap_eq(block(f), 3, "two_blocks_and_an_interrupt");
	tap_eq(tk_score(f)->insns, 5, "instructions_of_both_sizes");
	fk_free(f);
}

/* The last packet of this kind in the buffer; its size is 0 if there is none */
static struct v9_ete_pkt last_of(struct fk *f, enum v9_ete_kind kind)
{
	const size_t n = MRS(f, TRBPTR_EL1) - FK_BASE;
	struct v9_ete_pkt p, last = { .size = 0 };
	struct v9_ete_config cfg;
	struct v9_ete_pktdec dec;
	size_t at;

	v9_ete_config_init(&cfg, MRS(f, TRCIDR0), MRS(f, TRCIDR8), false);
	v9_ete_pktdec_init(&dec, &cfg);
	for (at = 0; at < n && v9_ete_pkt_decode(&dec, f->mem + at, n - at, &p) > 0; at += p.size)
		if (p.kind == kind)
			last = p;
	return last;
}

/* The longest block: 256 KiB of instructions of four bytes, and a branch of four */
static void long_block(void)
{
	struct fk *f = user(0, 0x10400, true);

	while (f->pc < 0x50400)
		tk_code(f, T32_WIDE_NOP, 0, 0, T(f->pc + 4));
	tk_code(f, 0xf000b800, 0, 0, T(f->pc + 4));		/* b.w */
	irq(f);
	tap_eq(tk_score(f)->insns, 0x10001, "longest_block");
	fk_free(f);
}

static void cycles(void)
{
	struct fk *f = ready(V9_TRCCONFIGR_CCI);

	MSR(f, TRCCCCTLR, 4);
	go(f, 0x10400, true);
	tk_code(f, 0xe7fe, 0, 0, T(0x10400));
	block(f);
	tap_eq(last_of(f, V9_ETE_CYCLES).count, 4, "a_cycle_for_each_instruction");
	fk_free(f);
}

/* A Q element counts instructions, not bytes, and ends where its range does. shows: ETE-R_FPHFM */
static void q_elements(void)
{
	static const struct { const char *name; uint64_t last; uint8_t count; } t[] = {
		{ "q_of_the_block", 0x1040b, 4 }, { "q_of_three", 0x10407, 3 }, { "q_of_two", 0x10405, 2 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_new();
		struct v9_ete_pkt p;

		f->cfg.q_supp = 1;
		f->cfg.q_filter = true;
		f->cfg.q_blocks = 1;
		tk_setup(f, V9_PUT(V9_TRCCONFIGR_QE, V9_TRCCONFIGR_QE_WITH_COUNT));
		MSR(f, TRCQCTLR, V9_TRCQCTLR_MODE | 1);
		fk_msr(f, V9_SYS_TRCACVR(0), 0x10400);
		fk_msr(f, V9_SYS_TRCACVR(1), t[i].last);
		go(f, 0x10400, true);
		block(f);
		p = last_of(f, V9_ETE_Q);
		tap_eq(p.count, t[i].count, "%s", t[i].name);
		tap_ok(p.isa == 1 || !(p.has & V9_ETE_HAS_ADDR), "%s_address", t[i].name);
		fk_free(f);
	}
}

/* Levels above EL0 are not traced in AArch32 state. */
static void other_levels(void)
{
	struct fk *f = tk_started(0, 0x1000);

	f->pe.r.a64 = false;
	tap_ok(!tk_on(f), "aarch32_at_el1");
	f->pe.r.el = 0;
	tap_ok(tk_on(f), "aarch32_at_el0");
	f->pe.r.debug = true;
	tap_ok(!tk_on(f), "aarch32_in_debug_state");
	fk_free(f);
}

int main(void)
{
	rows("a32", V9_CODE_A32, a32, V9_ARRAY_SIZE(a32));
	rows("t32", V9_CODE_T32, t32, V9_ARRAY_SIZE(t32));
	waits_are_a_choice();
	conditions();
	agrees_with_decoder();
	calls();
	broadcast();
	conditional();
	failed_isb();
	system_call();
	filters();
	resources();
	cycles();
	long_block();
	q_elements();
	other_levels();
	return tap_done();
}
