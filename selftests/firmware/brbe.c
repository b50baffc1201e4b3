// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch records: who may access the registers, where branches are recorded, what a record says,
 * and freezes. Bits and values are those of D19 and D24.8.
 */
#include "fw.h"

#define UNKNOWN_CYCLES	BIT(46)
#define PAUSED		BIT(7)
#define ANY		BIT(16)		/* BRBFCR_EL1.EnI alone: each branch */
#define FULL		3
#define HALF_SOURCE	2
#define HALF_TARGET	1

/* Controls of BRBCR_EL1 and BRBCR_EL2 */
#define E0		BIT(0)
#define E1		BIT(1)		/* E2BRE in BRBCR_EL2 */
#define CC		BIT(3)
#define MPRED		BIT(4)
#define PHYSICAL	(UINT64_C(3) << 5)
#define FZP		BIT(8)
#define ERTN		BIT(22)
#define EXCEPTION	BIT(23)

enum type {
	DIRECT = 0x00, INDIRECT = 0x01, CALL = 0x02, IND_CALL = 0x03, RETURN = 0x05, ERET = 0x07,
	COND = 0x08, SYSCALL = 0x22,
};

/*
 * Programs. brbe_walk has a branch of each class. brbe_choice, 0 or 4, is added to the target of
 * its indirect branch.
 */
asm(".text\n"
    ".globl brbe_walk, brbe_direct, brbe_call, brbe_call_back, brbe_ind_call, brbe_ind_back\n"
    ".globl brbe_ind, brbe_ind_to, brbe_cond, brbe_cond_to, brbe_end, brbe_leaf, brbe_ret\n"
    ".globl brbe_walk_end, brbe_choice\n"
    "brbe_walk:\n"
    "	isb\n"
    "brbe_direct:\n"
    "	b	brbe_call\n"
    "	nop\n"
    "brbe_call:\n"
    "	bl	brbe_leaf\n"
    "brbe_call_back:\n"
    "	adr	x10, brbe_leaf\n"
    "brbe_ind_call:\n"
    "	blr	x10\n"
    "brbe_ind_back:\n"
    "	adr	x12, brbe_choice\n"
    "	ldr	x12, [x12]\n"
    "	adr	x11, brbe_ind_to\n"
    "	add	x11, x11, x12\n"
    "brbe_ind:\n"
    "	br	x11\n"
    "brbe_ind_to:\n"
    "	nop\n"
    "	cmp	x12, x12\n"
    "	b.ne	brbe_cond_to\n"
    "brbe_cond:\n"
    "	b.eq	brbe_cond_to\n"
    "	nop\n"
    "brbe_cond_to:\n"
    "	isb\n"
    "brbe_end:\n"
    "	b	leave\n"
    "brbe_leaf:\n"
    "	nop\n"
    "brbe_ret:\n"
    "	ret\n"
    "brbe_walk_end:\n"
    "	.balign	8\n"
    "brbe_choice:\n"
    "	.quad	0\n"
    /* At EL1: an exception return to EL0, then an SVC, which is taken to EL1 */
    ".globl brbe_down, brbe_eret, brbe_down_to, brbe_svc_back\n"
    "brbe_down:\n"
    "	adr	x0, brbe_down_to\n"
    "	msr	elr_el1, x0\n"
    "	mov	x0, #0x3c0\n"
    "	msr	spsr_el1, x0\n"
    "	isb\n"
    "brbe_eret:\n"
    "	eret\n"
    "brbe_down_to:\n"
    "	nop\n"
    "	svc	#1\n"
    "brbe_svc_back:\n"
    "	nop\n"
    /*
     * Between two branches the event counter 0 is incremented by PMSWINC_EL0. Whether branches near
     * an overflow are recorded is not defined (BRBE-BZ5), but an ISB follows the first branch.
     */
    ".globl brbe_count, brbe_count_first\n"
    "brbe_count:\n"
    "	isb\n"
    "brbe_count_first:\n"
    "	b	1f\n"
    "1:	isb\n"
    "	mov	x0, #1\n"
    "	msr	pmswinc_el0, x0\n"
    "	isb\n"
    "	b	leave\n"
    /* A call at EL3 */
    ".globl brbe_el3, brbe_el3_call\n"
    "brbe_el3:\n"
    "	stp	x29, x30, [sp, #-16]!\n"
    "	isb\n"
    "brbe_el3_call:\n"
    "	bl	brbe_leaf\n"
    "	isb\n"
    "	ldp	x29, x30, [sp], #16\n"
    "	ret\n");
extern char brbe_walk[], brbe_direct[], brbe_call[], brbe_call_back[], brbe_ind_call[];
extern char brbe_ind_back[], brbe_ind[], brbe_ind_to[], brbe_cond[], brbe_cond_to[], brbe_end[];
extern char brbe_leaf[], brbe_ret[], brbe_walk_end[], leave[];
extern char brbe_down[], brbe_eret[], brbe_down_to[], brbe_svc_back[], vectors_el1[];
extern char brbe_count[], brbe_count_first[], brbe_el3_call[];
extern volatile uint64_t brbe_choice;
void brbe_el3(void);

#define AT(label) ((uint64_t)(uintptr_t)(label))
#define PROGRAM(label) ((void (*)(void))(uintptr_t)(label))

struct record {
	uint64_t inf, src, tgt;
};

/* Number of branches that brbe_walk takes */
#define WALK	8

/* BRB IALL and BRB INJ */
#define OP_IALL	0xd509729fu
#define OP_INJ	0xd50972bfu

static void iall(void)
{
	asm volatile(".inst %0" : : "i"(OP_IALL) : "memory");
}

static void inj(void)
{
	asm volatile(".inst %0" : : "i"(OP_INJ) : "memory");
}

/* Records 0 to 15 of the bank */
#define RECORDS 16
#define ONE(n) r[n] = (struct record){ RD(BRBINF##n##_EL1), RD(BRBSRC##n##_EL1), \
				       RD(BRBTGT##n##_EL1) }

static void read_bank(struct record *r, unsigned int bank)
{
	WR(BRBFCR_EL1, PAUSED | (uint64_t)bank << 28);
	isb();
	ONE(0); ONE(1); ONE(2); ONE(3); ONE(4); ONE(5); ONE(6); ONE(7);
	ONE(8); ONE(9); ONE(10); ONE(11); ONE(12); ONE(13); ONE(14); ONE(15);
}

/* Sets the Security state, MDCR_EL3.SBRBE to @sbrbe, and other bits of MDCR_EL3 and HCR_EL2. */
static void levels(bool secure, unsigned int sbrbe, uint64_t mdcr_el3, uint64_t hcr)
{
	if (highest == 3) {
		/* FGTEn2, EEL2, RW, HCE, NS */
		MSR(scr_el3, BIT(59) | BIT(18) | BIT(10) | BIT(8) | (secure ? 0 : BIT(0)));
		MSR(mdcr_el3, (uint64_t)sbrbe << 32 | mdcr_el3);
	}
	MSR(hcr_el2, BIT(31) | hcr);
	MSR(mdcr_el2, GET(UINT64_C(0x1f) << 11, MRS(pmcr_el0)));
	isb();
}

/* Pauses recording and empties the buffer. */
static void quiet(void)
{
	WR(BRBFCR_EL1, PAUSED);
	isb();
	iall();
	isb();
}

static void begin(uint64_t cr1, uint64_t cr2, uint64_t fcr)
{
	quiet();
	WR(BRBCR_EL1, cr1);
	WR(BRBCR_EL2, cr2);
	isb();
	WR(BRBFCR_EL1, fcr);
	isb();
}

/* Runs @program at @el, then reads the records of bank 0. */
static void records_of(unsigned int el, char *program, struct record *r)
{
	run(el, 0, PROGRAM(program));
	read_bank(r, 0);
}

static bool is_empty(const struct record *r)
{
	return !r->inf && !r->src && !r->tgt;
}

static bool in_walk(uint64_t address)
{
	return address >= AT(brbe_walk) && address < AT(brbe_walk_end);
}

/* --- who may access --------------------------------------------------------- */

struct access {
	const char *name;
	uint32_t enc;
	bool reads, writes;
	unsigned int lowest;		/* lowest Exception level that may access the register */
	unsigned int fgt;		/* bit of HDFGRTR_EL2 and HDFGWTR_EL2; 0: none */
};

static const struct access accesses[] = {
	{ "brbcr", V9_SYS_BRBCR_EL1, true, true, 1, 60 },
	{ "brbcr_el2", V9_SYS_BRBCR_EL2, true, true, 2 },
	{ "brbfcr", V9_SYS_BRBFCR_EL1, true, true, 1, 60 },
	{ "brbts", V9_SYS_BRBTS_EL1, true, true, 1, 61 },
	{ "brbinfinj", V9_SYS_BRBINFINJ_EL1, true, true, 1, 61 },
	{ "brbsrcinj", V9_SYS_BRBSRCINJ_EL1, true, true, 1, 61 },
	{ "brbtgtinj", V9_SYS_BRBTGTINJ_EL1, true, true, 1, 61 },
	{ "brbidr0", V9_SYS_BRBIDR0_EL1, true, false, 1, 59 },
	{ "brbinf0", V9_SYS_BRBINF0_EL1, true, false, 1, 61 },
	{ "brbsrc17", V9_SYS_BRBSRC17_EL1, true, false, 1, 61 },
	{ "brbtgt31", V9_SYS_BRBTGT31_EL1, true, false, 1, 61 },
};

/* Are the results at EL0, EL1 and EL2 the three characters of @want? */
static bool results_are(const char *name, const char got[3], const char *want)
{
	bool ok = true;

	for (unsigned int el = 0; el < 3; el++) {
		if (got[el] != want[el])
			note("%s at EL%u: got %c, want %c", name, el, got[el], want[el]);
		ok &= got[el] == want[el];
	}
	return ok;
}

/* @want: results of access_at() */
static bool is(const char *name, uint32_t enc, bool write, const char *want)
{
	char got[3];

	for (unsigned int el = 0; el < 3; el++)
		got[el] = access_at(el, enc, write);
	return results_are(name, got, want);
}

/*
 * The results for a register at EL0, EL1 and EL2. MDCR_EL3.SBRBE traps to EL3: 0b00 and 0b10 in
 * both Security states, 0b01 in Secure state, 0b11 in neither.
 */
static const char *want_of(const struct access *a, bool secure, unsigned int sbrbe)
{
	bool traps = sbrbe == 0 || sbrbe == 2 || (sbrbe == 1 && secure);

	if (a->lowest == 2)
		return traps ? "uu3" : "uu.";
	return traps ? "u33" : "u..";
}

/* shows: BRBE-BM1 */
static void traps(void)
{
	for (unsigned int i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++) {
		const struct access *a = &accesses[i];
		bool ok = true;

		for (unsigned int n = 0; n < 8; n++) {
			const bool secure = n & 1;
			const char *want = want_of(a, secure, n >> 1);

			levels(secure, n >> 1, 0, 0);
			ok &= is(a->name, a->enc, false, a->reads ? want : "uuu");
			ok &= is(a->name, a->enc, true, a->writes ? want : "uuu");
		}
		result(ok, join("access_", a->name, NULL));
	}
	levels(false, 3, 0, 0);
	result(is("brbcr_el12", V9_SYS_BRBCR_EL12, false, "uuu"), "access_brbcr_el12_no_e2h");
	for (unsigned int n = 0; n < 4; n++) {
		const bool open = n == 1 || n == 3;

		levels(false, n, 0, BIT(34));
		result(is("brbcr_el12", V9_SYS_BRBCR_EL12, false, open ? "uu." : "uu3") &&
		       is("brbcr_el12", V9_SYS_BRBCR_EL12, true, open ? "uu." : "uu3"),
		       join("access_brbcr_el12_", n == 0 ? "0" : n == 1 ? "1" : n == 2 ? "2" : "3",
			    NULL));
	}
}

/* Writes the injection registers: source @src, target @src + 0x100, unknown cycle count. */
static void prepare_injection(uint64_t src)
{
	WR(BRBINFINJ_EL1, UNKNOWN_CYCLES | FULL);
	WR(BRBSRCINJ_EL1, src);
	WR(BRBTGTINJ_EL1, src + 0x100);
	isb();
}

/* @want: results of insn_at(); the injected record is valid */
static bool insn_is(const char *name, uint32_t op, const char *want)
{
	char got[3];

	for (unsigned int el = 0; el < 3; el++) {
		prepare_injection(0x1000);
		got[el] = insn_at(el, op, EC_SYSREG);
	}
	return results_are(name, got, want);
}

/*
 * Traps of BRB IALL and BRB INJ: by MDCR_EL3.SBRBE, and by HFGITR_EL2.nBRBIALL, bit 56, and
 * nBRBINJ, bit 55, where 0 traps. shows: BRBE-BM1
 */
static void instructions(void)
{
	static const struct {
		const char *name;
		uint32_t op;
		unsigned int bit;
	} t[] = { { "iall", OP_IALL, 56 }, { "inj", OP_INJ, 55 } };

	for (unsigned int i = 0; i < 2; i++) {
		bool ok = true;

		for (unsigned int n = 0; n < 8; n++) {
			bool secure = n & 1;
			unsigned int sbrbe = n >> 1;

			levels(secure, sbrbe, 0, 0);
			ok &= insn_is(t[i].name, t[i].op,
				      sbrbe == 3 || (sbrbe == 1 && !secure) ? "u.." : "u33");
		}
		result(ok, join("instruction_", t[i].name, NULL));
		levels(false, 3, 0, 0);
		MSR(scr_el3, MRS(scr_el3) | BIT(27));	/* FGTEn */
		MSR(s3_4_c1_c1_6, BIT(t[i].bit));
		isb();
		ok = insn_is(t[i].name, t[i].op, "u..");
		MSR(s3_4_c1_c1_6, BIT(56) ^ BIT(55) ^ BIT(t[i].bit));
		isb();
		ok &= insn_is(t[i].name, t[i].op, "u2.");
		MSR(scr_el3, MRS(scr_el3) & ~BIT(27));
		isb();
		ok &= insn_is(t[i].name, t[i].op, "u..");
		MSR(s3_4_c1_c1_6, 0);
		result(ok, join("fine_", t[i].name, NULL));
	}
}

/*
 * HDFGRTR_EL2 traps reads at EL1 to EL2, HDFGWTR_EL2 writes: each register that has its bit 0
 * there. Without SCR_EL3.FGTEn they do not trap. shows: BRBE-BM1
 */
static void fine_grained(void)
{
	const uint64_t all = BIT(61) | BIT(60) | BIT(59);

	for (unsigned int i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++) {
		const struct access *a = &accesses[i];
		bool ok = true;

		for (unsigned int write = 0; write < 2 && a->fgt; write++) {
			if (write && !a->writes)
				continue;
			levels(false, 3, 0, 0);
			MSR(scr_el3, MRS(scr_el3) | BIT(27));
			MSR(s3_4_c3_c1_4, write ? 0 : BIT(a->fgt));
			MSR(s3_4_c3_c1_5, write ? BIT(a->fgt) : 0);
			isb();
			ok &= is(a->name, a->enc, write, "u..");
			MSR(s3_4_c3_c1_4, write ? all : all & ~BIT(a->fgt));
			MSR(s3_4_c3_c1_5, write ? all & ~BIT(a->fgt) : all);
			isb();
			ok &= is(a->name, a->enc, write, "u2.");
			MSR(scr_el3, MRS(scr_el3) & ~BIT(27));
			isb();
			ok &= is(a->name, a->enc, write, "u..");
		}
		if (a->fgt)
			result(ok, join("fine_", a->name, NULL));
	}
	MSR(s3_4_c3_c1_4, V9_HDFGRTR_EL2_nPMSNEVFR_EL1);
	MSR(s3_4_c3_c1_5, V9_HDFGWTR_EL2_nPMSNEVFR_EL1);
	isb();
}

/*
 * Whether BRBCR_EL1, BRBCR_EL12 and BRBCR_EL2, written at EL2, are the register of EL1 or of EL2:
 * with and without HCR_EL2.E2H. shows: BRBE-BM1
 */
static void names(void)
{
	static const struct {
		const char *name;
		uint32_t enc;
		bool e2h;
		unsigned int writes;
	} t[] = {
		{ "el1", V9_SYS_BRBCR_EL1, false, 1 },
		{ "el1_in_a_host", V9_SYS_BRBCR_EL1, true, 2 },
		{ "el12_in_a_host", V9_SYS_BRBCR_EL12, true, 1 },
		{ "el2", V9_SYS_BRBCR_EL2, false, 2 },
		{ "el2_in_a_host", V9_SYS_BRBCR_EL2, true, 2 },
	};

	for (unsigned int i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		levels(false, 3, 0, t[i].e2h ? BIT(34) : 0);
		WR(BRBCR_EL1, E1);
		WR(BRBCR_EL2, E1);
		isb();
		access_at(2, t[i].enc, true);
		result(RD(BRBCR_EL1) == (t[i].writes == 1 ? 0 : E1) &&
		       RD(BRBCR_EL2) == (t[i].writes == 2 ? 0 : E1),
		       join("register_of_", t[i].name, NULL));
	}
	WR(BRBCR_EL1, 0);
	WR(BRBCR_EL2, 0);
	levels(false, 3, 0, 0);
}

/* --- where branches are recorded ----------------------------------------------- */

/* All settings that permit or prohibit the recording of EL0 to EL2. shows: BRBE-BG3 BRBE-BG4 */
static void regions(void)
{
	unsigned int wrong = 0, leaks = 0, allowed = 0;
	struct record r[RECORDS];

	for (unsigned int n = 0; n < 1 << 10; n++) {
		const unsigned int el = n & 3, sbrbe = n >> 2 & 3, cr1 = n >> 4 & 3, cr2 = n >> 6 & 3;
		const bool secure = n >> 8 & 1, tge = n >> 9;
		const bool state = highest == 2 || sbrbe >= 2 || (sbrbe == 1 && !secure);
		unsigned int found = 0;
		bool want;

		if (el >= highest || (tge && el) || (highest == 2 && (sbrbe || secure)))
			continue;
		/*
		 * This code runs at the highest level. Where that is EL2, its own branches would be
		 * recorded.
		 */
		if (highest == 2 && (cr2 & 2))
			continue;
		want = state && (el == 2 ? cr2 >> 1 : el == 1 ? cr1 >> 1 : tge ? cr2 & 1 : cr1 & 1);
		levels(secure, sbrbe, 0, tge ? BIT(27) : 0);
		begin(cr1, cr2, ANY);
		records_of(el, brbe_walk, r);
		for (unsigned int i = 0; i < RECORDS; i++) {
			found += in_walk(r[i].src);
			leaks += !want && (in_walk(r[i].src) || in_walk(r[i].tgt));
		}
		allowed += want;
		if (found == (want ? WALK : 0))
			continue;
		if (++wrong <= 3)
			note("EL%u SBRBE %u BRBCR %u %u secure %u TGE %u: %u records", el, sbrbe, cr1,
			     cr2, secure, tge, found);
	}
	result(!wrong && allowed > (highest == 3 ? 100 : 10), "regions");
	result(!leaks, "nothing_of_prohibited_regions");
	levels(false, 3, 0, 0);
}

/*
 * BRBEv1p1: EL3 is recorded if E3BREC, bit 38, and E3BREW, bit 37, of MDCR_EL3 differ.
 * shows: BRBE-BG2
 */
static void el3(void)
{
	const bool v1p1 = GET(UINT64_C(0xf) << 52, RD(ID_AA64DFR0_EL1)) == 2;
	struct record r[RECORDS];

	for (unsigned int n = 0; n < 4; n++) {
		const bool want = v1p1 && (n == 1 || n == 2);
		bool found = false;

		levels(false, 3, (uint64_t)n << 37, 0);
		begin(E0 | E1, E0 | E1, ANY);
		brbe_el3();
		read_bank(r, 0);
		for (unsigned int i = 0; i < RECORDS; i++)
			found |= r[i].src == AT(brbe_el3_call) && r[i].tgt == AT(brbe_leaf) &&
				 (r[i].inf & ~(UNKNOWN_CYCLES | BIT(5))) == (CALL << 8 | 3 << 6 | FULL);
		result(found == want, join("el3_", n == 0 ? "0" : n == 1 ? "write" : n == 2 ? "cold" :
					   "both", NULL));
	}
	levels(false, 3, 0, 0);
}

/* --- what a record says -------------------------------------------------------- */

/* The branches of brbe_walk, oldest first */
static const struct {
	char *src, *tgt;
	enum type type;
	unsigned int filter;		/* bit of BRBFCR_EL1 */
} walked[WALK] = {
	{ brbe_direct, brbe_call, DIRECT, 17 },
	{ brbe_call, brbe_leaf, CALL, 21 },
	{ brbe_ret, brbe_call_back, RETURN, 19 },
	{ brbe_ind_call, brbe_leaf, IND_CALL, 20 },
	{ brbe_ret, brbe_ind_back, RETURN, 19 },
	{ brbe_ind, brbe_ind_to, INDIRECT, 18 },
	{ brbe_cond, brbe_cond_to, COND, 22 },
	{ brbe_end, leave, DIRECT, 17 },
};

/*
 * Are the records of brbe_walk those of the branches that @filter, a value of BRBFCR_EL1, selects?
 */
static bool walk_is(const struct record *r, unsigned int el, uint64_t filter)
{
	unsigned int i = 0;

	while (i < RECORDS && !in_walk(r[i].src))
		i++;
	for (unsigned int n = WALK; n--;) {
		const uint64_t tgt = AT(walked[n].tgt) + (n == 5 ? brbe_choice : 0);

		if (!(filter >> walked[n].filter & 1) == !(filter & ANY))
			continue;
		if (i == RECORDS || r[i].src != AT(walked[n].src) || r[i].tgt != tgt ||
		    r[i].inf != (UNKNOWN_CYCLES | walked[n].type << 8 | el << 6 | FULL)) {
			note("branch %u at EL%u: %lx %lx %lx", n, el, (unsigned long)r[i % RECORDS].inf,
			     (unsigned long)r[i % RECORDS].src, (unsigned long)r[i % RECORDS].tgt);
			return false;
		}
		i++;
	}
	/* No record is older than the first branch of brbe_walk. */
	return i == RECORDS || is_empty(&r[i]);
}

/* shows: BRBE-BR1 BRBE-BR3 BRBE-BB1 BRBE-BB2 */
static void types(void)
{
	static const char *const name[] = { "types_at_el0", "types_at_el1", "types_at_el2" };
	struct record r[RECORDS];

	for (unsigned int el = 0; el < highest; el++) {
		begin(el == 0 ? E0 : el == 1 ? E1 : 0, el == 2 ? E1 : 0, ANY);
		records_of(el, brbe_walk, r);
		result(walk_is(r, el, ANY), name[el]);
	}
}

/* shows: BRBE-BF1 BRBE-BF3 */
static void filters(void)
{
	unsigned int wrong = 0;
	struct record r[RECORDS];

	/* Each set of CONDDIR 22, DIRCALL 21, INDCALL 20, RTN 19, INDIRECT 18, DIRECT 17 and EnI 16 */
	for (uint64_t n = 0; n < 1 << 7; n++) {
		begin(E0, 0, n << 16);
		records_of(0, brbe_walk, r);
		wrong += !walk_is(r, 0, n << 16);
	}
	result(!wrong, "filters");
}

/* CC and MPRED have to be 1 in both BRBCR_EL1 and BRBCR_EL2. shows: BRBE-BC2 BRBE-BC4 */
static void cycles_and_predictions(void)
{
	struct record r[RECORDS];
	bool cycles = true, first = true, none = true, some = false;

	for (unsigned int n = 0; n < 16; n++) {
		const bool cc = (n & 3) == 3, mpred = (n >> 2 & 3) == 3;
		bool wrong = false;
		unsigned int i = 0, seen = 0;

		/* The indirect branch alternates between two targets, so that it is mispredicted. */
		brbe_choice = n & 1 ? 4 : 0;
		begin(E0 | (n & 1 ? CC : 0) | (n & 4 ? MPRED : 0), (n & 2 ? CC : 0) | (n & 8 ? MPRED : 0),
		      ANY);
		records_of(0, brbe_walk, r);
		for (i = 0; i < RECORDS; i++) {
			const bool known = !(r[i].inf & UNKNOWN_CYCLES);

			if (!in_walk(r[i].src))
				continue;
			wrong |= r[i].inf >> 5 & 1;
			/* CC, bits 45:32, is 0 if it is unknown. */
			if (++seen == WALK)
				first &= !known;
			else
				cycles &= known == cc && !(r[i].inf >> 32 & 0x3fff) == !cc;
		}
		first &= seen == WALK;
		none &= mpred || !wrong;
		some |= mpred && wrong;
	}
	brbe_choice = 0;
	result(cycles, "cycles_need_both_registers");
	result(first, "cycles_of_the_first_unknown");
	result(none && some, "predictions_need_both_registers");
}

/* Is @want the only record of @type, or is there none if not @is? */
static bool has_one(const struct record *r, enum type type, bool is, struct record want)
{
	unsigned int n = 0;
	bool same = true;

	for (unsigned int i = 0; i < RECORDS; i++) {
		if ((r[i].inf >> 8 & 0x3f) != type || !r[i].inf)
			continue;
		n++;
		same &= r[i].inf == want.inf && r[i].src == want.src && r[i].tgt == want.tgt;
		if (!same)
			note("type %u: %lx %lx %lx", type, (unsigned long)r[i].inf,
			     (unsigned long)r[i].src, (unsigned long)r[i].tgt);
	}
	if (n != is)
		note("type %u: %u records", type, n);
	return n == is && same;
}

/*
 * An exception or exception return to @el. @gate: BRBCR_ELx enables its @type. @from and @to:
 * recording is permitted at its source and its target. A prohibited side is 0 in the record;
 * without @gate, or with both sides prohibited, there is no record.
 */
static bool record_is(const struct record *r, enum type type, bool gate, bool from, bool to,
		      struct record want, unsigned int el)
{
	const unsigned int valid = (from ? HALF_SOURCE : 0) | (to ? HALF_TARGET : 0);

	want.inf = UNKNOWN_CYCLES | type << 8 | (to ? el << 6 : 0) | valid;
	want.src = from ? want.src : 0;
	want.tgt = to ? want.tgt : 0;
	return has_one(r, type, gate && valid, want);
}

/*
 * From EL1 to EL0 and back. The source of an exception is the preferred return address.
 * shows: BRBE-BX1 BRBE-BX2 BRBE-BX3 BRBE-BX4
 */
static void visits(void)
{
	const struct record eret = { .src = AT(brbe_eret), .tgt = AT(brbe_down_to) };
	const struct record svc = { .src = AT(brbe_svc_back), .tgt = AT(vectors_el1) + 0x400 };
	struct record r[RECORDS];
	bool returns = true, exceptions = true;

	for (unsigned int n = 0; n < 16; n++) {
		const bool e0 = n & 1, e1 = n >> 1 & 1, ertn = n >> 2 & 1, exception = n >> 3;

		begin((e0 ? E0 : 0) | (e1 ? E1 : 0) | (ertn ? ERTN : 0) | (exception ? EXCEPTION : 0), 0,
		      ANY);
		records_of(1, brbe_down, r);
		returns &= record_is(r, ERET, ertn, e1, e0, eret, 0);
		exceptions &= record_is(r, SYSCALL, exception, e0, e1, svc, 1);
	}
	result(returns, "exception_returns");
	result(exceptions, "exceptions");
}

/* --- the buffer ----------------------------------------------------------------- */

/*
 * BRB INJ at a prohibited level, both banks, BRB IALL.
 * shows: BRBE-BP2 BRBE-BJ1 BRBE-BB1 BRBE-BB3 BRBE-BI1
 */
static void buffer_of_records(void)
{
	const unsigned int size = RD(BRBIDR0_EL1) & 0xff, all = 40;
	struct record r[RECORDS];
	bool order = true, second = true, gone = true;

	/* CC, bits 15:12, is 5; FORMAT is 0. */
	result(RD(BRBIDR0_EL1) == (5 << 12 | 64), "brbidr0");
	begin(0, 0, PAUSED);
	for (unsigned int n = 0; n < all; n++) {
		prepare_injection(0x1000 + n * 4);
		inj();
	}
	isb();
	read_bank(r, 0);
	for (unsigned int i = 0; i < RECORDS; i++)
		order &= r[i].inf == (UNKNOWN_CYCLES | FULL) && r[i].src == 0x1000 + (all - 1 - i) * 4 &&
			 r[i].tgt == r[i].src + 0x100;
	read_bank(r, 1);
	for (unsigned int i = 0; i < RECORDS; i++)
		second &= i + 32 < all && size == 64 ?
			  r[i].src == 0x1000 + (all - 33 - i) * 4 : is_empty(&r[i]);
	result(order, "injected_youngest_first");
	result(second, "second_bank");
	read_bank(r, 0);
	iall();
	isb();
	read_bank(r, 0);
	for (unsigned int i = 0; i < RECORDS; i++)
		gone &= is_empty(&r[i]);
	result(gone, "iall");
}

/* --- freezes ---------------------------------------------------------------------- */

/*
 * Event counter 0 counts writes to PMSWINC_EL0, starting at @first. @hpmn: MDCR_EL2.HPMN, the
 * number of event counters that EL1 has; the others belong to EL2.
 */
static void counters(uint64_t first, unsigned int hpmn)
{
	MSR(pmcr_el0, 0);
	MSR(pmcntenclr_el0, UINT32_MAX);
	MSR(pmintenclr_el1, UINT32_MAX);
	MSR(pmovsclr_el0, UINT32_MAX);
	MSR(mdcr_el2, BIT(7) | hpmn);		/* HPME */
	MSR(pmevtyper0_el0, 0);			/* SW_INCR */
	MSR(pmevcntr0_el0, first);
	MSR(pmcntenset_el0, 1);
	MSR(pmcr_el0, 1);
	isb();
}

/* With BRBCR_EL1.FZP an overflow sets PAUSED and writes BRBTS_EL1. shows: BRBE-BZ2 BRBE-BZ3 */
static void freeze_by_overflow(void)
{
	static const char *const name[] = {
		"overflow_without_fzp", "overflow_freezes", "no_overflow_no_freeze",
	};

	for (unsigned int n = 0; n < 3; n++) {
		struct record r[RECORDS];
		uint64_t before, after, ts;
		unsigned int first = 0, paused;

		levels(false, 3, 0, 0);
		counters(n == 2 ? 0 : UINT32_MAX, 1);
		begin(E1 | (n ? FZP : 0), PHYSICAL, ANY);
		WR(BRBTS_EL1, 0);
		isb();
		before = MRS(cntpct_el0);
		run(1, 0, PROGRAM(brbe_count));
		paused = !!(RD(BRBFCR_EL1) & PAUSED);
		ts = RD(BRBTS_EL1);
		after = MRS(cntpct_el0);
		read_bank(r, 0);
		for (unsigned int i = 0; i < RECORDS; i++)
			first += r[i].src == AT(brbe_count_first);
		if (paused != (n == 1) || first != 1)
			note("paused %u, first %u", paused, first);
		result(paused == (n == 1) && first == 1 &&
		       (n == 1 ? ts >= before && ts <= after : !ts), name[n]);
		counters(0, 1);
	}
}

/*
 * An overflow flag that is 1 before recording starts. BRBCR_EL1.FZP freezes for event counters
 * below MDCR_EL2.HPMN, BRBCR_EL2.FZP for the others, neither for the cycle counter, bit 31. In a
 * prohibited region there is no freeze. shows: BRBE-BZ1 BRBE-BZ2
 */
static void freeze_by_flag(void)
{
	static const unsigned int flag[] = { 0, 1, 2, 31 };
	unsigned int wrong = 0, early = 0;

	for (unsigned int n = 0; n < 4 * 4; n++) {
		const bool fzp1 = n & 1, fzp2 = n >> 1 & 1;
		const unsigned int bit = flag[n >> 2], hpmn = 2;
		const bool want = bit != 31 && (bit < hpmn ? fzp1 : fzp2);
		struct record r[RECORDS];
		unsigned int found = 0, paused;

		levels(false, 3, 0, 0);
		counters(0, hpmn);
		begin(E1 | PHYSICAL | (fzp1 ? FZP : 0), PHYSICAL | (fzp2 ? FZP : 0), ANY);
		MSR(pmovsset_el0, BIT(bit));
		isb();
		early += !!(RD(BRBFCR_EL1) & PAUSED);
		run(1, 0, PROGRAM(brbe_walk));
		paused = !!(RD(BRBFCR_EL1) & PAUSED);
		read_bank(r, 0);
		for (unsigned int i = 0; i < RECORDS; i++)
			found += in_walk(r[i].src);
		counters(0, hpmn);
		if (paused == want && found == (want ? 0 : WALK))
			continue;
		if (++wrong <= 3)
			note("flag %u FZP %u %u: paused %u, %u records", bit, fzp1, fzp2, paused, found);
	}
	result(!wrong, "freeze_by_range");
	result(!early, "no_freeze_where_prohibited");
	levels(false, 3, 0, 0);
}

/* Software sets PAUSED: nothing is recorded. shows: BRBE-BZ1 */
static void pauses(void)
{
	struct record r[RECORDS];
	unsigned int found = 0;

	begin(E0 | E1, 0, ANY | PAUSED);
	records_of(1, brbe_walk, r);
	for (unsigned int i = 0; i < RECORDS; i++)
		found += r[i].inf != 0;
	result(!found, "paused");
}

void brbe_suite(void)
{
	suite("brbe");
	if (!(RD(ID_AA64DFR0_EL1) >> 52 & 0xf)) {
		skip("present", "no FEAT_BRBE");
		plan();
		return;
	}
	levels(false, 3, 0, 0);
	quiet();
	if (highest == 3) {
		traps();
		instructions();
		fine_grained();
		names();
		el3();
	}
	quiet();
	regions();
	types();
	filters();
	cycles_and_predictions();
	visits();
	buffer_of_records();
	pauses();
	freeze_by_overflow();
	freeze_by_flag();
	quiet();
	WR(BRBCR_EL1, 0);
	WR(BRBCR_EL2, 0);
	isb();
	plan();
}
