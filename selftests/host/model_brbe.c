// SPDX-License-Identifier: GPL-2.0-only
/*
 * The branch record buffer of the model: what is recorded, with values typed from D19 and D24.8;
 * filters, cycle counts, exceptions and returns, buffer and instructions
 */
#include "tap.h"
#include "model_branches.h"

/* D24.8.6, TYPE; D19.2.1, the bit of BRBFCR_EL1 that selects the class */
static const struct {
	const char *name;
	uint32_t op;
	unsigned int nzcv, type, bit;
} classes[] = {
	{ "b", BK_B, 0, 0x00, 17 },
	{ "br", BK_BR, 0, 0x01, 18 },
	{ "braa", 0xd71f0800, 0, 0x01, 18 },
	{ "brabz", 0xd61f0c1f, 0, 0x01, 18 },
	{ "ret", BK_RET, 0, 0x05, 19 },
	{ "retaa", 0xd65f0bff, 0, 0x05, 19 },
	{ "retab", 0xd65f0fff, 0, 0x05, 19 },
	{ "blr", BK_BLR, 0, 0x03, 20 },
	{ "blraa", 0xd73f0800, 0, 0x03, 20 },
	{ "blrabz", 0xd63f0c1f, 0, 0x03, 20 },
	{ "bl", BK_BL, 0, 0x02, 21 },
	{ "b_eq", BK_BEQ, BK_Z, 0x08, 22 },
	{ "bc_eq", 0x54000050, BK_Z, 0x08, 22 },
	{ "b_al", 0x5400004e, 0, 0x08, 22 },
	{ "b_nv", 0x5400004f, 0, 0x08, 22 },
	{ "cbz", 0xb4000040, 0, 0x08, 22 },
	{ "tbz", 0x36000040, 0, 0x08, 22 },
};

/* shows: BRBE-BR1 BRBE-BR3 BRBE-BF1 */
static void types(void)
{
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(classes); i++) {
		struct fk *f = bk_started();

		f->pc = 0x400000;
		bk_p0(f, classes[i].op, classes[i].nzcv, 0x400008);
		bk_run(f, 1);
		bk_pause(f);
		tap_ok(bk_count(f) == 1 &&
		       (bk_read(f, 0).inf & ~UINT64_C(0x7fff00000020)) ==
		       (BK_TYPE(classes[i].type) | BK_EL(1) | BK_FULL) &&
		       bk_read(f, 0).src == 0x400000 && bk_read(f, 0).tgt == 0x400008,
		       "type_%s", classes[i].name);
		fk_free(f);
	}
}

/* All values of the filter. shows: BRBE-BF1 BRBE-BF3 */
static void filters(void)
{
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(classes); i++) {
		unsigned int wrong = 0;

		for (unsigned int bits = 0; bits < 1 << 7; bits++) {
			struct fk *f = bk_new();
			bool eni = bits & 1, want = !(bits >> (classes[i].bit - 16) & 1) != !eni;

			bk_init(f);
			bk_start(f, BK_USUAL, (uint64_t)bits << 16);
			bk_p0(f, classes[i].op, classes[i].nzcv, f->pc + 8);
			bk_run(f, 1);
			bk_pause(f);
			wrong += bk_count(f) != want || bk_score(f)->filtered != !want;
			fk_free(f);
		}
		tap_eq(wrong, 0, "filter_%s", classes[i].name);
	}
}

/* shows: BRBE-BR1 BRBE-BR4 BRBE-BF2 */
static void not_recorded(void)
{
	struct fk *f = bk_started();
	uint64_t pc;

	bk_p0(f, BK_BEQ, 0, f->pc + 4);
	bk_p0(f, BK_WFI, 0, f->pc + 4);
	bk_p0(f, BK_ISB, 0, f->pc + 4);
	bk_run(f, 3);
	bk_pause(f);
	tap_eq(bk_count(f), 0, "not_taken_and_no_branch");
	fk_free(f);

	/* pointer authentication: the branch itself faults */
	f = bk_started();
	pc = f->pc;
	bk_b(f);
	bk_p0(f, 0xd65f0bff, 0, 0x5000);
	bk_take(f, &(struct v9_exc){ .ret = pc + 8, .to_el = 1, .sync = true, .esr = 0x72000000 },
		0x8000);
	bk_run(f, 1);
	bk_pause(f);
	tap_eq(bk_count(f), 1, "faulting_branch_is_none");
	tap_ok(bk_is(f, 0, BK_TYPE(0x00) | BK_EL(1) | BK_FULL, pc, pc + 8), "branch_before_it");
	fk_free(f);

	/* nothing is executed at the target of an indirect branch */
	f = bk_started();
	pc = f->pc;
	bk_p0(f, BK_BR, 0, 0x5000);
	bk_take(f, &(struct v9_exc){ .ret = 0x5000, .to_el = 1, .sync = true, .esr = 0x86000000 },
		0x8000);
	bk_run(f, 1);
	tap_ok(bk_is(f, 0, BK_TYPE(0x01) | BK_EL(1) | BK_MPRED | BK_FULL, pc, 0x5000),
	       "fault_at_the_target");
	fk_free(f);

	f = bk_new();
	f->cfg.brbe_isb = true;
	bk_init(f);
	bk_start(f, BK_USUAL, BK_FCR_ALL);
	f->pc = 0x7000;
	bk_p0(f, BK_ISB, 0, 0x7004);
	bk_run(f, 1);
	bk_pause(f);
	tap_ok(bk_is(f, 0, BK_TYPE(0x00) | BK_EL(1) | BK_FULL, 0x7000, 0x7004), "isb_by_choice");
	fk_free(f);
	f = bk_new();
	f->cfg.brbe_isb = true;
	bk_init(f);
	bk_start(f, BK_USUAL, BK_FCR_ALL & ~0x20000u);
	bk_p0(f, BK_ISB, 0, f->pc + 4);
	bk_run(f, 1);
	bk_pause(f);
	tap_eq(bk_count(f), 0, "isb_filtered_as_direct");
	fk_free(f);
}

/* D24.8.6, CC: cycles and the typed field. shows: BRBE-BC1 BRBE-BC3 */
static const struct {
	unsigned int cycles, cc;
} counts[] = {
	{ 1, 0x0001 }, { 2, 0x0002 }, { 255, 0x00ff }, { 256, 0x0100 }, { 257, 0x0101 },
	{ 511, 0x01ff }, { 512, 0x0200 }, { 513, 0x0200 }, { 514, 0x0201 }, { 1023, 0x02ff },
	{ 1024, 0x0300 }, { 1027, 0x0300 }, { 1028, 0x0301 }, { 2048, 0x0400 }, { 4096, 0x0500 },
	{ 65535, 0x08ff }, { 65536, 0x0900 }, { 524288, 0x0c00 }, { 1046527, 0x0cfe },
	{ 1046528, 0x0cff }, { 1048575, 0x0cff }, { 1048576, 0x3fff }, { 3000000, 0x3fff },
};

/* A record after @n cycles: blocks end with branches that are not taken. */
static struct v9_brbe_record after(struct fk *f, unsigned int n)
{
	bk_b(f);
	while (n > 1) {
		unsigned int m = n > 50000 ? 50000 : n;

		bk_run(f, m - 2);
		bk_p0(f, BK_BEQ, 0, f->pc + 4);
		n -= m - 1;
	}
	bk_b(f);
	bk_run(f, 1);
	return bk_read(f, 0);
}

static void cycle_counts(void)
{
	struct fk *f = bk_started();

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(counts); i++)
		tap_eq(after(f, counts[i].cycles).inf & UINT64_C(0x7fff00000000),
		       BK_CC(counts[i].cc), "cycles_%u", counts[i].cycles);
	fk_free(f);
}

/* The formula of the manual gives the largest multiple of 2^(E-1) that is not above the count. */
static void cycle_formula(void)
{
	struct fk *f = bk_started();
	unsigned int wrong = 0, seen = 0;

	for (unsigned int n = 3; n < 1 << 20; n += n / 7 + 1) {
		uint64_t cc = after(f, n).inf >> 32 & 0x3fff;
		unsigned int e = cc >> 8, m = cc & 0xff;
		uint64_t value = e ? (uint64_t)(256 + m) << (e - 1) : m;

		wrong += value > n || n - value >= (e ? 1u << (e - 1) : 1u);
		seen |= 1u << e;
	}
	tap_eq(wrong, 0, "cycles_rounded_to_zero");
	tap_eq(seen, 0x1fff, "cycles_of_each_exponent");
	fk_free(f);
}

static bool is_unknown(struct fk *f, unsigned int i)
{
	return (bk_read(f, i).inf & UINT64_C(0x7fff00000000)) == BK_CCU;
}

/* shows: BRBE-BC2 */
static void unknown_cycles(void)
{
	static const struct {
		const char *name;
		bool el2, secure_without;	/* EL2 implemented; disabled in this state */
		uint64_t cr1, cr2;
		bool unknown;
	} rows[] = {
		{ "neither", true, false, 0, 0, true },
		{ "el1_alone", true, false, BK_CR_CC, 0, true },
		{ "el2_alone", true, false, 0, BK_CR_CC, true },
		{ "both", true, false, BK_CR_CC, BK_CR_CC, false },
		{ "el2_disabled", true, true, BK_CR_CC, 0, true },
		{ "el2_disabled_both", true, true, BK_CR_CC, BK_CR_CC, false },
		{ "no_el2", false, false, BK_CR_CC, 0, false },
		{ "no_el2_off", false, false, 0, 0, true },
	};
	struct fk *f;

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		f = bk_new();
		f->pe.r.has_el2 = rows[i].el2;
		if (rows[i].secure_without) {
			f->pe.r.has_el3 = true;		/* Secure state without EEL2 */
			f->pe.r.mdcr_el3 = UINT64_C(3) << 32;
		}
		bk_init(f);
		MSR(f, BRBCR_EL2, rows[i].cr2);
		bk_start(f, BK_CR_E | rows[i].cr1, BK_FCR_ALL);
		bk_b(f);
		bk_b(f);
		bk_run(f, 1);
		bk_pause(f);
		tap_ok(is_unknown(f, 1), "first_unknown_%s", rows[i].name);
		tap_eq(is_unknown(f, 0), rows[i].unknown, "unknown_%s", rows[i].name);
		fk_free(f);
	}

	f = bk_started();
	bk_b(f);
	bk_b(f);
	bk_run(f, 1);
	bk_pause(f);
	MSR(f, BRBFCR_EL1, BK_FCR_ALL);
	bk_isb(f);
	bk_b(f);
	bk_b(f);
	bk_run(f, 1);
	tap_ok(is_unknown(f, 1) && !is_unknown(f, 0), "unknown_after_pause");
	bk_brb(f, V9_BRB_IALL);
	bk_isb(f);
	bk_b(f);
	bk_b(f);
	bk_run(f, 1);
	tap_ok(bk_count(f) == 2 && is_unknown(f, 1) && !is_unknown(f, 0), "unknown_after_iall");
	MSR(f, BRBCR_EL1, BK_USUAL & ~BK_CR_CC);
	bk_isb(f);
	bk_b(f);
	bk_run(f, 1);
	MSR(f, BRBCR_EL1, BK_USUAL);
	bk_isb(f);
	bk_b(f);
	bk_b(f);
	bk_run(f, 1);
	tap_ok(is_unknown(f, 2) && is_unknown(f, 1) && !is_unknown(f, 0), "unknown_after_enable");
	fk_free(f);

	/* EL1 is prohibited, and no record tells of the visit */
	f = bk_new();
	bk_init(f);
	bk_start(f, BK_USUAL & ~BK_CR_E, BK_FCR_ALL);
	f->pe.r.el = 0;
	bk_b(f);
	bk_b(f);
	bk_irq(f, 1, 0x8000);
	bk_run(f, 100);
	bk_eret(f, 0x2000, 0);
	bk_b(f);
	bk_b(f);
	bk_run(f, 1);
	tap_ok(!is_unknown(f, 2) && is_unknown(f, 1) && !is_unknown(f, 0), "unknown_after_prohibited");
	fk_free(f);
}

/* Cycles go on over an exception that is not recorded and over branches that are filtered. */
static void continued_cycles(void)
{
	struct fk *f = bk_new();

	bk_init(f);
	bk_start(f, BK_USUAL, 0x200000);	/* DIRCALL */
	bk_p0(f, BK_BL, 0, f->pc + 8);
	bk_run(f, 9);
	bk_irq(f, 1, 0x8000);
	bk_run(f, 20);
	bk_eret(f, 0x3000, 1);		/* 1 cycle */
	bk_run(f, 5);
	bk_b(f);			/* 1 cycle */
	bk_p0(f, BK_BL, 0, f->pc + 8);	/* 1 cycle */
	bk_run(f, 1);
	tap_eq(bk_read(f, 0).inf >> 32, 9 + 20 + 1 + 5 + 1 + 1, "cycles_continue");
	tap_eq(bk_count(f), 2, "filtered_are_not_there");
	fk_free(f);
}

static unsigned int mispredicted(struct fk *f, uint32_t op, unsigned int nzcv, uint64_t pc,
				 uint64_t to)
{
	f->pc = pc;
	bk_isb(f);
	bk_p0(f, BK_ISB, 0, pc);	/* a new block */
	bk_p0(f, op, nzcv, to);
	bk_run(f, 1);
	return bk_read(f, 0).inf >> 5 & 1;
}

/* Documentation/trace/model.rst: the predictor. shows: BRBE-BC4 BRBE-BC5 */
static void predictions(void)
{
	struct fk *f = bk_started();

	tap_eq(mispredicted(f, BK_BEQ, BK_Z, 0x9000, 0x9008), 1, "first_taken_is_wrong");
	tap_eq(mispredicted(f, BK_BEQ, BK_Z, 0x9000, 0x9008), 0, "second_taken_is_right");
	f->pc = 0x9000;
	bk_p0(f, BK_ISB, 0, 0x9000);
	bk_p0(f, BK_BEQ, 0, 0x9004);	/* not taken, twice: the counter is at "not taken" again */
	f->pc = 0x9000;
	bk_p0(f, BK_ISB, 0, 0x9000);
	bk_p0(f, BK_BEQ, 0, 0x9004);
	tap_eq(mispredicted(f, BK_BEQ, BK_Z, 0x9000, 0x9008), 1, "branches_not_taken_count");
	tap_eq(mispredicted(f, BK_BR, 0, 0x9100, 0xa000), 1, "indirect_not_predicted");
	tap_eq(mispredicted(f, BK_BR, 0, 0x9100, 0xa000), 0, "indirect_same_target");
	tap_eq(mispredicted(f, BK_BLR, 0, 0x9100, 0xb000), 1, "indirect_other_target");
	tap_eq(mispredicted(f, BK_B, 0, 0x9200, 0x9208), 0, "direct_predicted");
	tap_eq(mispredicted(f, BK_RET, 0, 0x9300, 0xc000), 0, "return_predicted");
	fk_free(f);

	for (unsigned int i = 0; i < 8; i++) {
		uint64_t cr1 = i & 1 ? BK_CR_MPRED : 0, cr2 = i & 2 ? BK_CR_MPRED : 0;
		bool el2 = i & 4, want = cr1 && (!el2 || cr2);

		f = bk_new();
		f->pe.r.has_el2 = el2;
		bk_init(f);
		MSR(f, BRBCR_EL2, cr2);
		bk_start(f, BK_CR_E | cr1, BK_FCR_ALL);
		tap_eq(mispredicted(f, BK_BR, 0, 0x9100, 0xa000), want, "mpred_%u%u_el2_%u", i & 1,
		       i >> 1 & 1, i >> 2);
		fk_free(f);
	}
}

/* ---- exceptions and returns ---- */

/* Table D19-2: ESR_ELx of the exception, or an interrupt; the type */
static const struct {
	const char *name;
	uint32_t esr;
	int interrupt;
	bool trapped;
	unsigned int type;
} reasons[] = {
	{ "svc", 0x15u << 26, -1, false, 0x22 },
	{ "svc_by_hfgitr", 0x15u << 26, -1, true, 0x23 },
	{ "hvc", 0x16u << 26, -1, false, 0x22 },
	{ "smc", 0x17u << 26, -1, false, 0x22 },
	{ "smc_by_tsc", 0x17u << 26, -1, true, 0x23 },
	{ "undefined", 0, -1, false, 0x23 },
	{ "wfx_trap", 0x01u << 26, -1, false, 0x23 },
	{ "msr_trap", 0x18u << 26, -1, false, 0x23 },
	{ "sme", 0x1du << 26, -1, false, 0x23 },
	{ "illegal_state", 0x0eu << 26, -1, false, 0x23 },
	{ "mops", 0x27u << 26, -1, false, 0x23 },
	{ "serror", 0, V9_INTERRUPT_SERROR, false, 0x24 },
	{ "breakpoint", 0x31u << 26, -1, false, 0x26 },
	{ "step", 0x33u << 26, -1, false, 0x26 },
	{ "brk", 0x3cu << 26, -1, false, 0x26 },
	{ "profiling", 0x3du << 26, -1, false, 0x26 },
	{ "profiling_of_a_unit", 0, V9_INTERRUPT_PROFILING, false, 0x26 },
	{ "watchpoint", 0x35u << 26, -1, false, 0x27 },
	{ "pc_alignment", 0x22u << 26, -1, false, 0x2a },
	{ "sp_alignment", 0x26u << 26, -1, false, 0x2a },
	{ "inst_abort", 0x21u << 26, -1, false, 0x2b },
	{ "branch_target", 0x0du << 26, -1, false, 0x2b },
	{ "exlock", 0x2du << 26 | 1u << 20, -1, false, 0x2b },
	{ "gpc_inst", 0x1eu << 26 | 1u << 20, -1, false, 0x2b },
	{ "gpc_data", 0x1eu << 26, -1, false, 0x2c },
	{ "gcs_data", 0x2du << 26, -1, false, 0x2c },
	{ "gcsstr", 0x2du << 26 | 2u << 20, -1, false, 0x23 },
	{ "data_abort", 0x25u << 26, -1, false, 0x2c },
	{ "pac_fail", 0x1cu << 26, -1, false, 0x2c },
	{ "irq", 0, V9_INTERRUPT_IRQ, false, 0x2e },
	{ "fiq", 0, V9_INTERRUPT_FIQ, false, 0x2f },
};

/* shows: BRBE-BX3 BRBE-BX7 BRBE-BC5 */
static void exception_types(void)
{
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(reasons); i++) {
		struct fk *f = bk_new();

		bk_init(f);
		bk_start(f, BK_USUAL | BK_CR_EXCEPTION, BK_FCR_ALL);
		f->pc = 0x6000;
		bk_run(f, 2);
		bk_take(f, &(struct v9_exc){
			.ret = 0x6008, .to_el = 1, .esr = reasons[i].esr,
			.sync = reasons[i].interrupt < 0, .trapped = reasons[i].trapped,
			.interrupt = reasons[i].interrupt < 0 ? 0 : reasons[i].interrupt,
		}, 0x8200);
		bk_run(f, 1);
		tap_ok(bk_is(f, 0, BK_TYPE(reasons[i].type) | BK_EL(1) | BK_FULL, 0x6008, 0x8200),
		       "exception_%s", reasons[i].name);
		fk_free(f);
	}
}

/* A PE with all levels in Non-secure state. EL2 is host of nothing. */
static struct fk *all_levels(unsigned int version)
{
	struct fk *f = bk_new();

	f->cfg.brbe = version;
	f->pe.r.has_el2 = f->pe.r.has_el3 = true;
	f->pe.r.scr_el3 = 1;
	f->pe.r.mdcr_el3 = UINT64_C(3) << 32;
	bk_init(f);
	return f;
}

/* Enables recording at the levels of which the bits of @levels are set. */
static void levels(struct fk *f, unsigned int levels, uint64_t cr1, uint64_t cr2)
{
	f->pe.r.mdcr_el3 = UINT64_C(3) << 32 | (levels & 8 ? UINT64_C(1) << 38 : 0);
	MSR(f, BRBCR_EL2, cr2 | (levels & 4 ? BK_CR_E : 0) | BK_CR_CC | BK_CR_MPRED);
	bk_start(f, cr1 | (levels & 1 ? BK_CR_E0 : 0) | (levels & 2 ? BK_CR_E : 0) | BK_CR_CC |
		 BK_CR_MPRED, BK_FCR_ALL);
}

/*
 * D19.1.5, D19.1.6: what an exception or return from level @from to level @to gives, by the
 * levels that record and the gate
 */
static void one_change(unsigned int from, unsigned int to, bool ret)
{
	unsigned int wrong = 0, cells = 0;

	for (unsigned int n = 0; n < 64; n++) {
		unsigned int lv = n & 15, gate_level = ret ? from : to, want, el;
		bool g1 = n & 16, g2 = n & 32, gate, source, target;
		struct fk *f = all_levels(2);
		uint64_t bit = ret ? BK_CR_ERTN : BK_CR_EXCEPTION, pc, src;
		struct v9_brbe_record r;

		levels(f, lv, g1 ? bit : 0, g2 ? bit : 0);
		gate = gate_level == 3 ? lv & 8 : gate_level == 2 ? g2 : g1;
		source = lv >> from & 1;
		target = lv >> to & 1;
		want = !gate ? 0 : (source ? BK_SOURCE : 0) | (target ? BK_TARGET : 0);
		el = want & BK_TARGET ? to : 0;
		f->pe.r.el = from;
		f->pc = 0x6000;
		bk_run(f, 3);
		pc = f->pc;
		src = want & BK_SOURCE ? pc : 0;
		if (ret)
			bk_eret(f, 0x2000, to);
		else
			bk_irq(f, to, 0x2000);
		bk_run(f, 1);
		f->pe.r.el = 3;
		r = bk_read(f, 0);
		cells++;
		wrong += bk_count(f) != !!want;
		if (want)
			wrong += (r.inf & ~UINT64_C(0x7fff00000000)) !=
				 (BK_TYPE(ret ? 0x07u : 0x2eu) | BK_EL(el) | want) ||
				 r.src != src || r.tgt != (want & BK_TARGET ? 0x2000 : 0) ||
				 /* the first record after any start has no known count */
				 (r.inf & UINT64_C(0x7fff00000000)) != BK_CCU;
		fk_free(f);
	}
	tap_ok(cells == 64 && !wrong, "%s_el%u_to_el%u", ret ? "return" : "exception", from, to);
}

/* shows: BRBE-BR2 BRBE-BX1 BRBE-BX2 BRBE-BX4 BRBE-BG2 */
static void level_changes(void)
{
	for (unsigned int from = 0; from < 4; from++)
		for (unsigned int to = 1; to < 4; to++)
			if (to >= from)
				one_change(from, to, false);
	for (unsigned int from = 1; from < 4; from++)
		for (unsigned int to = 0; to <= from; to++)
			one_change(from, to, true);
}

/* shows: BRBE-BG2 */
static void no_el3_before_v1p1(void)
{
	struct fk *f = all_levels(1);

	levels(f, 8, 0, 0);
	f->pe.r.el = 3;
	bk_b(f);
	bk_run(f, 1);
	tap_eq(bk_count(f), 0, "el3_needs_v1p1");
	fk_free(f);
	f = all_levels(2);
	levels(f, 8, 0, 0);
	f->pe.r.el = 3;
	bk_b(f);
	bk_run(f, 1);
	tap_ok(bk_is(f, 0, BK_TYPE(0) | BK_EL(3) | BK_FULL, 0x1000, 0x1008), "el3_recorded");
	/* both bits set: disabled again; the PE's register needs no call into the model */
	f->pe.r.mdcr_el3 |= UINT64_C(1) << 37;
	tap_ok(!bk_on(f), "el3_both_bits");
	fk_free(f);
}

/* Cycles of exceptions and returns, and of what follows. shows: BRBE-BC1 BRBE-BC2 */
static void change_cycles(void)
{
	struct fk *f = bk_new();

	bk_init(f);
	bk_start(f, BK_USUAL | BK_CR_EXCEPTION | BK_CR_ERTN, BK_FCR_ALL);
	f->pe.r.el = 0;
	bk_b(f);
	bk_run(f, 4);
	bk_irq(f, 1, 0x8000);
	bk_run(f, 6);
	bk_eret(f, 0x1018, 0);
	bk_run(f, 2);
	bk_b(f);
	bk_run(f, 1);
	tap_eq(bk_read(f, 2).inf >> 32, 4, "cycles_before_exception");
	tap_eq(bk_read(f, 1).inf >> 32, 7, "cycles_before_return");
	tap_eq(bk_read(f, 0).inf >> 32, 3, "cycles_after_return");
	tap_ok(bk_is(f, 1, BK_TYPE(0x07) | BK_EL(0) | BK_FULL, 0x8018, 0x1018), "return_record");
	fk_free(f);

	/* Half records: the kernel is prohibited. */
	f = bk_new();
	bk_init(f);
	bk_start(f, (BK_USUAL & ~BK_CR_E) | BK_CR_EXCEPTION | BK_CR_ERTN, BK_FCR_ALL);
	f->pe.r.el = 0;
	bk_b(f);
	bk_run(f, 4);
	bk_svc(f, 1, 0x8000);
	bk_b(f);
	bk_run(f, 6);
	bk_eret(f, 0x101c, 0);
	bk_run(f, 2);
	bk_b(f);
	bk_run(f, 1);
	tap_eq(bk_count(f), 4, "half_records");
	tap_ok(bk_is(f, 2, BK_TYPE(0x22) | BK_SOURCE, 0x101c, 0), "half_source");
	tap_eq(bk_read(f, 2).inf >> 32, 5, "half_source_has_cycles");
	tap_ok(bk_is(f, 1, BK_TYPE(0x07) | BK_EL(0) | BK_TARGET, 0, 0x101c), "half_target");
	tap_ok(is_unknown(f, 1), "half_target_has_none");
	tap_eq(bk_read(f, 0).inf >> 32, 3, "cycles_after_half_target");
	fk_free(f);
}

/* shows: BRBE-BX6 BRBE-BR5 */
static void returns(void)
{
	struct fk *f = bk_new();

	/* Illegal: the level stays, and the target is that of the branch. */
	bk_init(f);
	bk_start(f, BK_USUAL | BK_CR_EXCEPTION | BK_CR_ERTN, BK_FCR_ALL);
	f->pc = 0x6000;
	bk_return(f, 0x2000, 0, 0, false);
	/* the Illegal Execution state exception comes before any instruction there */
	bk_take(f, &(struct v9_exc){ .ret = 0x2000, .to_el = 1, .sync = true, .esr = 0x3a000000 },
		0x8000);
	bk_run(f, 1);
	tap_ok(bk_is(f, 1, BK_TYPE(0x07) | BK_EL(1) | BK_FULL, 0x6000, 0x2000), "illegal_return");
	tap_ok(bk_is(f, 0, BK_TYPE(0x23) | BK_EL(1) | BK_FULL, 0x2000, 0x8000),
	       "illegal_state_exception");
	fk_free(f);

	f = bk_new();
	bk_init(f);
	bk_start(f, BK_USUAL | BK_CR_ERTN, BK_FCR_ALL);
	f->pc = 0x6000;
	bk_return(f, 0x2000, UINT64_C(0x3a) << 56, 0, true);
	bk_run(f, 1);
	tap_ok(bk_is(f, 0, BK_TYPE(0x07) | BK_EL(0) | BK_FULL, 0x6000, 0x2000), "tag_removed");
	fk_free(f);

	/* to AArch32, which is prohibited, and nothing of it is recorded */
	f = bk_new();
	bk_init(f);
	bk_start(f, BK_USUAL | BK_CR_EXCEPTION | BK_CR_ERTN, BK_FCR_ALL);
	f->pc = 0x6000;
	bk_run(f, 1);
	v9_trace_branch(f->m, &(struct v9_pe_insn){ .pc = f->pc, .op = BK_ERET });
	v9_eret(f->m, 0x10000, 0, true, false);
	f->pe.r.el = 0;
	f->pe.r.a64 = false;
	f->pc = 0x5ec4e7;
	tap_ok(!bk_on(f), "aarch32_not_recorded");
	bk_svc(f, 1, 0x8000);
	f->pe.r.a64 = true;
	bk_run(f, 1);
	tap_ok(bk_is(f, 1, BK_TYPE(0x07) | BK_SOURCE, 0x6004, 0), "return_to_aarch32");
	tap_ok(bk_is(f, 0, BK_TYPE(0x22) | BK_EL(1) | BK_TARGET, 0, 0x8000),
	       "exception_from_aarch32");
	fk_free(f);
}

/* BRBE-BF4: the filters do not concern exceptions. shows: BRBE-BF4 */
static void filters_and_exceptions(void)
{
	struct fk *f = bk_new();

	bk_init(f);
	bk_start(f, BK_USUAL | BK_CR_EXCEPTION | BK_CR_ERTN, 0);
	bk_b(f);
	bk_irq(f, 1, 0x8000);
	bk_run(f, 1);
	bk_eret(f, 0x1008, 1);
	bk_run(f, 1);
	tap_eq(bk_count(f), 2, "exceptions_unfiltered");
	fk_free(f);
}

/* shows: BRBE-BX5 BRBE-BG1 BRBE-BJ3 */
static void debug_state(void)
{
	for (unsigned int lv = 0; lv < 2; lv++) {
		struct fk *f = bk_new();

		bk_init(f);
		/* no EXCEPTION and no ERTN: they do not matter */
		bk_start(f, (BK_USUAL & ~BK_CR_E) | (lv ? BK_CR_E : 0), BK_FCR_ALL);
		f->pc = 0x6000;
		bk_run(f, 2);
		bk_take(f, &(struct v9_exc){ .ret = f->pc, .to_el = 1, .debug = true }, 0x6008);
		tap_ok(!bk_on(f), "debug_state_off_%u", lv);
		v9_debug_exit(f->m, 0x7000);
		f->pe.r.debug = false;
		f->pc = 0x7000;
		bk_run(f, 1);
		tap_eq(bk_count(f), lv ? 2 : 0, "debug_records_%u", lv);
		if (lv) {
			tap_ok(bk_is(f, 1, BK_TYPE(0x21) | BK_SOURCE, 0x6008, 0), "debug_entry");
			tap_ok(bk_is(f, 0, BK_TYPE(0x39) | BK_EL(1) | BK_TARGET, 0, 0x7000),
			       "debug_exit");
			f->pe.r.debug = true;
			bk_brb(f, V9_BRB_IALL);
			bk_isb(f);
			tap_eq(bk_count(f), 0, "iall_in_debug_state");
			MSR(f, BRBINFINJ_EL1, BK_TYPE(0x02) | BK_EL(1) | BK_FULL);
			MSR(f, BRBSRCINJ_EL1, 0x10);
			MSR(f, BRBTGTINJ_EL1, 0x20);
			bk_brb(f, V9_BRB_INJ);
			bk_isb(f);
			tap_ok(bk_is(f, 0, BK_TYPE(0x02) | BK_EL(1) | BK_FULL, 0x10, 0x20),
			       "inj_in_debug_state");
		}
		fk_free(f);
	}
}

/* What a walk over the levels has to give, written without the model: D19.1.2 to D19.1.6 */
struct expected {
	struct v9_brbe_record rec[256];
	unsigned int n, levels, cycles;
	bool known, gate[2][3];		/* [is a return][level of the gate - 1] */
};

static void expect(struct expected *x, unsigned int type, unsigned int valid, uint64_t src,
		   uint64_t tgt, unsigned int el)
{
	struct v9_brbe_record r = {
		.inf = BK_TYPE(type) | valid | (valid & BK_TARGET ? BK_EL(el) : 0),
		.src = valid & BK_SOURCE ? src : 0,
		.tgt = valid & BK_TARGET ? tgt : 0,
	};
	unsigned int e = 0, m = x->cycles;

	while (m >= 512 || (m >= 256 && !e)) {
		m = e ? m / 2 : m;
		e++;
	}
	r.inf |= x->known ? BK_CC(e << 8 | (m & 0xff)) : BK_CCU;
	x->rec[x->n++] = r;
	x->cycles = 0;
	x->known = true;
}

static void expect_change(struct expected *x, bool ret, unsigned int from, unsigned int to,
			  uint64_t src, uint64_t tgt)
{
	bool source = x->levels >> from & 1, target = x->levels >> to & 1;
	unsigned int valid = (source ? BK_SOURCE : 0) | (target ? BK_TARGET : 0);

	if (!source)
		x->known = false;
	if (valid && x->gate[ret][(ret ? from : to) - 1])
		expect(x, ret ? 0x07 : 0x2e, valid, src, tgt, to);
}

/*
 * Random walks over all levels: addresses of prohibited regions never appear, and the records are
 * the expected ones. shows: BRBE-BG4 BRBE-BR6 BRBE-BX1 BRBE-BX2 BRBE-BX4
 */
static void walk(void)
{
	uint64_t rng = 4;
	unsigned int leaks = 0, wrong = 0, full = 0, half = 0;

	for (unsigned int run = 0; run < 400; run++) {
		struct expected x = { .levels = run & 15 };
		struct fk *f = all_levels(2);
		uint64_t cr1, cr2;

		rng = rng * UINT64_C(6364136223846793005) + 1442695040888963407;
		cr1 = rng >> 20 & 0xc00000;
		cr2 = rng >> 24 & 0xc00000;
		levels(f, x.levels, cr1, cr2);
		for (unsigned int ret = 0; ret < 2; ret++) {
			uint64_t bit = ret ? BK_CR_ERTN : BK_CR_EXCEPTION;

			x.gate[ret][0] = cr1 & bit;
			x.gate[ret][1] = cr2 & bit;
			x.gate[ret][2] = x.levels & 8;
		}
		/* each level has addresses of its own: bit 31, and its number in bits 29:28 */
		f->pc = 0x80000000u | f->pe.r.el << 28;
		for (unsigned int step = 0; step < 200; step++) {
			unsigned int el = f->pe.r.el, to, n;
			bool here = x.levels >> el & 1;
			uint64_t pc, next;

			rng = rng * UINT64_C(6364136223846793005) + 1442695040888963407;
			to = rng >> 60 & 3;
			next = 0x80000000u | to << 28 | (rng >> 41 & 0xff0);
			n = rng >> 33 & 7;
			bk_run(f, n);
			pc = f->pc;
			x.cycles += here ? n : 0;
			if (rng >> 36 & 1) {
				x.cycles += here;
				if (here)
					expect(&x, rng >> 37 & 1 ? 0x03 : 0x00, BK_FULL, pc, pc + 8,
					       el);
				bk_p0(f, rng >> 37 & 1 ? BK_BLR : BK_B, 0, pc + 8);
			} else if (to > el) {
				expect_change(&x, false, el, to, pc, next);
				bk_irq(f, to, next);
			} else if (el) {
				x.cycles += here;
				expect_change(&x, true, el, to, pc, next);
				bk_eret(f, next, to);
			}
		}
		bk_run(f, 1);
		for (unsigned int i = 0; i < 32; i++) {
			struct v9_brbe_record r = bk_read(f, i), none = { 0 };

			r.inf &= ~(uint64_t)BK_MPRED;		/* predictions() tests it */
			wrong += memcmp(&r, i < x.n ? &x.rec[x.n - 1 - i] : &none, sizeof(r)) != 0;
			full += (r.inf & 3) == BK_FULL;
			half += (r.inf & 3) == BK_SOURCE || (r.inf & 3) == BK_TARGET;
			leaks += r.src && !(x.levels >> (r.src >> 28 & 3) & 1);
			leaks += r.tgt && !(x.levels >> (r.tgt >> 28 & 3) & 1);
		}
		fk_free(f);
	}
	tap_eq(leaks, 0, "nothing_of_prohibited_regions");
	tap_eq(wrong, 0, "walks_as_expected");
	tap_ok(full > 1000 && half > 500, "walks_have_both_kinds");
	printf("# %u full and %u half records\n", full, half);
}

/* ---- buffer, instructions ---- */

/* shows: BRBE-BB1 BRBE-BB2 BRBE-BB3 BRBE-BP2 */
static void sizes(void)
{
	static const unsigned int numrec[] = { 8, 16, 32, 64 };

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(numrec); i++) {
		unsigned int n = numrec[i], made, wrong = 0;
		struct fk *f = bk_new();

		f->cfg.brbe_records = n;
		bk_init(f);
		tap_eq(MRS(f, BRBIDR0_EL1), 0x5000 | n, "brbidr0_%u", n);
		bk_start(f, BK_USUAL, BK_FCR_ALL);
		for (made = 1; made <= n + 3; made++) {
			unsigned int valid = made < n ? made : n;

			bk_b(f);
			bk_run(f, 1);
			/* index 0 is the youngest branch */
			for (unsigned int k = 0; k < 64; k++) {
				struct v9_brbe_record r = bk_read(f, k);
				uint64_t src = 0x1000 + (made - 1 - k) * 12;

				wrong += k < valid ? r.src != src || r.tgt != src + 8 ||
						     (r.inf & 3) != 3 :
						     r.inf || r.src || r.tgt;
			}
		}
		tap_eq(wrong, 0, "youngest_first_%u", n);
		MSR(f, BRBFCR_EL1, BK_FCR_ALL | 0x20000000);	/* reserved BANK */
		bk_isb(f);
		tap_eq(MRS(f, BRBINF0_EL1) | MRS(f, BRBSRC31_EL1), 0, "reserved_bank_%u", n);
		fk_free(f);
	}
}

static bool refused(unsigned int version, unsigned int records)
{
	struct fk *f = bk_new();
	int ret;

	f->cfg.brbe = version;
	f->cfg.brbe_records = records;
	ret = bk_init(f);
	fk_free(f);
	return ret == -EINVAL;
}

/* shows: BRBE-BP1 BRBE-BP2 */
static void presence(void)
{
	struct fk *f = fk_new();

	bk_init(f);
	tap_ok(!v9_reg_exists(f->m, fk_reg(V9_SYS_BRBIDR0_EL1)) &&
	       v9_reg_access(f->m, fk_reg(V9_SYS_BRBINF3_EL1), false) == V9_ACCESS_UNDEF,
	       "absent_without_brbe");
	fk_free(f);
	tap_ok(refused(3, 32) && refused(1, 0) && refused(1, 4) && refused(1, 24) &&
	       refused(1, 128 & 0xff) && !refused(2, 64), "other_sizes_refused");
	f = bk_new();
	bk_init(f);
	tap_ok(v9_reg_access(f->m, fk_reg(V9_SYS_BRBSRC31_EL1), false) == V9_ACCESS_OK &&
	       v9_reg_access(f->m, fk_reg(V9_SYS_BRBSRC31_EL1), true) == V9_ACCESS_UNDEF &&
	       v9_reg_access(f->m, fk_reg(V9_SYS_BRBIDR0_EL1), true) == V9_ACCESS_UNDEF &&
	       v9_reg_access(f->m, fk_reg(V9_SYS_BRBTS_EL1), true) == V9_ACCESS_OK,
	       "read_only_registers");
	fk_free(f);
}

/* Values after writes of all ones, typed from D24.8. shows: BRBE-BM1 */
static void reserved_bits(void)
{
	static const struct {
		const char *name;
		uint32_t enc;
		uint64_t ones;
	} rows[] = {
		{ "brbcr_el1", V9_SYS_BRBCR_EL1, 0xc0017b },
		{ "brbcr_el2", V9_SYS_BRBCR_EL2, 0xc0017b },
		{ "brbfcr", V9_SYS_BRBFCR_EL1, 0x307f0080 },
		{ "brbts", V9_SYS_BRBTS_EL1, UINT64_MAX },
		/* CCU makes CC RES0 */
		{ "brbinfinj", V9_SYS_BRBINFINJ_EL1, 0x400000003fe3 },
		{ "brbsrcinj", V9_SYS_BRBSRCINJ_EL1, UINT64_MAX },
		{ "brbtgtinj", V9_SYS_BRBTGTINJ_EL1, UINT64_MAX },
	};
	struct fk *f = all_levels(1);

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		fk_msr(f, rows[i].enc, UINT64_MAX);
		tap_eq(fk_mrs(f, rows[i].enc), rows[i].ones, "reserved_%s_ones", rows[i].name);
	}
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(rows); i++)
		fk_msr(f, rows[i].enc, 0);
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(rows); i++)
		tap_eq(fk_mrs(f, rows[i].enc), 0, "reserved_%s_zeros", rows[i].name);
	MSR(f, BRBCR_EL12, 0x49);
	tap_eq(MRS(f, BRBCR_EL1), 0x49, "brbcr_el12_is_el1");
	f->pe.r.el = 2;
	f->pe.r.hcr_el2 = UINT64_C(1) << 34;	/* E2H */
	tap_eq(v9_reg_find(&f->pe.r, V9_SYS_BRBCR_EL1), fk_reg(V9_SYS_BRBCR_EL2), "e2h_redirects");
	fk_free(f);
	f = bk_started();
	MSR(f, BRBCR_EL2, UINT64_MAX);
	tap_eq(MRS(f, BRBCR_EL2), 0, "brbcr_el2_without_el2");
	fk_free(f);
}

static void inject(struct fk *f, uint64_t inf, uint64_t src, uint64_t tgt)
{
	MSR(f, BRBINFINJ_EL1, inf);
	MSR(f, BRBSRCINJ_EL1, src);
	MSR(f, BRBTGTINJ_EL1, tgt);
	bk_brb(f, V9_BRB_INJ);
}

/* What a half record lacks reads as 0. shows: BRBE-BR2 */
static void half_registers(void)
{
	struct fk *f = bk_started();
	const uint64_t all = BK_CC(0x123) | BK_TYPE(0x2c) | BK_EL(1) | BK_MPRED;

	MSR(f, BRBSRCINJ_EL1, 0x1234);
	MSR(f, BRBTGTINJ_EL1, 0x5678);
	MSR(f, BRBINFINJ_EL1, all | BK_FULL);
	tap_ok(MRS(f, BRBINFINJ_EL1) == (all | BK_FULL) && MRS(f, BRBSRCINJ_EL1) == 0x1234 &&
	       MRS(f, BRBTGTINJ_EL1) == 0x5678, "injection_full");
	MSR(f, BRBINFINJ_EL1, all | BK_SOURCE);
	tap_ok(MRS(f, BRBINFINJ_EL1) == (BK_CC(0x123) | BK_TYPE(0x2c) | BK_MPRED | BK_SOURCE) &&
	       MRS(f, BRBSRCINJ_EL1) == 0x1234 && !MRS(f, BRBTGTINJ_EL1), "injection_source");
	MSR(f, BRBINFINJ_EL1, all | BK_TARGET);
	tap_ok(MRS(f, BRBINFINJ_EL1) == (BK_CC(0x123) | BK_TYPE(0x2c) | BK_EL(1) | BK_TARGET) &&
	       !MRS(f, BRBSRCINJ_EL1) && MRS(f, BRBTGTINJ_EL1) == 0x5678, "injection_target");
	MSR(f, BRBINFINJ_EL1, all);
	tap_ok(!MRS(f, BRBINFINJ_EL1) && !MRS(f, BRBSRCINJ_EL1) && !MRS(f, BRBTGTINJ_EL1),
	       "injection_none");
	fk_free(f);
}

/* shows: BRBE-BJ1 BRBE-BJ2 BRBE-BJ3 */
static void injection(void)
{
	struct v9_brbe_record saved[64];
	struct fk *f = bk_started(), *g = bk_new();
	unsigned int n, wrong = 0;

	for (n = 0; n < 20; n++) {
		bk_run(f, n);
		bk_b(f);
	}
	bk_irq(f, 1, 0x8000);
	bk_run(f, 1);
	bk_pause(f);
	for (n = 0; (saved[n] = bk_read(f, n)).inf & 3; n++)
		;
	tap_eq(n, 20, "saved_records");
	g->cfg.brbe_records = 8;	/* restored on a PE with fewer records, oldest first */
	bk_init(g);
	bk_start(g, 0, BK_FCR_ALL);
	for (unsigned int i = n; i--;)
		inject(g, saved[i].inf, saved[i].src, saved[i].tgt);
	bk_isb(g);
	for (unsigned int i = 0; i < 8; i++) {
		struct v9_brbe_record r = bk_read(g, i);

		wrong += memcmp(&r, &saved[i], sizeof(r)) != 0;
	}
	tap_eq(wrong, 0, "restored_youngest");
	tap_eq(bk_count(g), 8, "older_ones_lost");
	tap_eq(g->nviolations, 0, "injection_is_clean");
	tap_eq(bk_score(g)->captured, 0, "injected_are_not_captured");
	tap_eq(bk_score(g)->injected, 20, "injected_are_counted");
	tap_ok(MRS(g, BRBINFINJ_EL1) != saved[0].inf && MRS(g, BRBSRCINJ_EL1) != saved[0].src &&
	       MRS(g, BRBTGTINJ_EL1) != saved[0].tgt, "injection_registers_unknown");
	fk_free(f);
	fk_free(g);

	/* not valid: not injected here */
	f = bk_new();
	bk_init(f);
	bk_start(f, 0, BK_FCR_ALL);
	inject(f, BK_TYPE(3) | BK_FULL, 0x10, 0x20);
	inject(f, BK_TYPE(2), 0x10, 0x20);
	bk_isb(f);
	tap_ok(bk_is(f, 0, BK_TYPE(3) | BK_FULL, 0x10, 0x20) && bk_count(f) == 1 &&
	       f->nviolations == 1 && !strcmp(f->violation.rule, "BRBE-BJ2"), "inject_invalid");
	inject(f, BK_TYPE(2) | BK_MPRED | BK_TARGET, 0, 0x20);
	bk_isb(f);
	tap_ok(f->nviolations == 2 && bk_is(f, 0, BK_TYPE(2) | BK_TARGET, 0, 0x20),
	       "inject_malformed");
	fk_free(f);
	f = bk_started();
	inject(f, BK_TYPE(2) | BK_FULL, 0x10, 0x20);
	tap_eq(f->nviolations, 1, "inject_where_recorded");
	fk_free(f);

	/* What is not valid may be injected or not: in a delay mode it is not. */
	for (n = 0; n < 2; n++) {
		f = bk_new();
		f->cfg.delay = n ? V9_DELAY_MAX : V9_DELAY_OFF;
		f->cfg.poison = false;
		bk_init(f);
		bk_start(f, 0, BK_FCR_ALL);
		inject(f, BK_TYPE(2) | BK_MPRED | BK_TARGET, 0, 0x20);
		tap_eq(bk_score(f)->injected, !n, "malformed_is_injected_%u", n);
		tap_ok(!MRS(f, BRBINFINJ_EL1) && !MRS(f, BRBSRCINJ_EL1) && !MRS(f, BRBTGTINJ_EL1),
		       "injection_registers_are_0_%u", n);
		inject(f, BK_TYPE(2) | BK_TARGET, 0, 0x20);
		tap_ok(bk_score(f)->injected == !n + 1 && f->nviolations == 1, "well_formed_is_injected_%u", n);
		bk_start(f, BK_USUAL, BK_FCR_ALL);
		inject(f, BK_TYPE(2) | BK_FULL, 0x10, 0x20);
		tap_ok(bk_score(f)->injected == 2 * !n + 1 && f->nviolations == 2, "where_recorded_is_injected_%u", n);
		fk_free(f);
	}
}

/* shows: BRBE-BI1 BRBE-BR7 */
static void invalidation(void)
{
	struct fk *f = bk_started();
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 5; i++)
		bk_b(f);
	bk_run(f, 1);
	bk_isb(f);
	bk_brb(f, V9_BRB_IALL);
	bk_isb(f);
	tap_eq(bk_count(f), 0, "iall_invalidates");
	bk_b(f);
	bk_run(f, 1);
	tap_eq(bk_count(f), 1, "records_after_iall");
	tap_eq(bk_score(f)->iall, 2, "iall_counted");
	fk_free(f);

	f = bk_new();
	f->cfg.brbe_lose = 1;
	bk_init(f);
	bk_start(f, BK_USUAL, BK_FCR_ALL);
	bk_b(f);
	bk_run(f, 1);
	tap_ok(!bk_count(f) && bk_score(f)->lost == 1 && !bk_score(f)->captured, "lost_branch");
	fk_free(f);
	f = bk_new();
	f->cfg.brbe_lose = 12;
	bk_init(f);
	bk_start(f, BK_USUAL, BK_FCR_ALL);
	for (unsigned int i = 0; i < 2000; i++) {
		uint64_t lost = bk_score(f)->lost;
		unsigned int n = bk_count(f);

		bk_b(f);
		bk_run(f, 1);
		wrong += bk_count(f) != (bk_score(f)->lost > lost ? 0 : n < 32 ? n + 1 : 32);
	}
	tap_ok(!wrong && bk_score(f)->lost > 100 &&
	       bk_score(f)->captured + bk_score(f)->lost == 2000, "loss_invalidates_all");
	fk_free(f);
}

int main(void)
{
	types();
	filters();
	not_recorded();
	cycle_counts();
	cycle_formula();
	unknown_cycles();
	continued_cycles();
	predictions();
	exception_types();
	level_changes();
	no_el3_before_v1p1();
	change_cycles();
	returns();
	filters_and_exceptions();
	debug_state();
	walk();
	sizes();
	presence();
	reserved_bits();
	half_registers();
	injection();
	invalidation();
	return tap_done();
}
