// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access to the registers of the units from EL0, EL1 and EL2: whether it is permitted, where it
 * traps, and which register a name accesses.
 */
#include "cells.h"

/* Bits of HDFGRTR_EL2 and HDFGWTR_EL2 for these units that trap with the value 1 */
#define TRAPS (V9_HDFGRTR_EL2_PMBIDR_EL1 | UINT64_C(0x01fffdffff800000))

static void flush_icache(void *p)
{
	asm volatile("dc cvau, %0; dsb ish; ic ivau, %0; dsb ish; isb" : : "r"(p) : "memory");
}

char insn_at(unsigned int el, uint32_t op, unsigned int ec)
{
	unsigned int l;

	prog_access_slot[0] = op;
	flush_icache(prog_access_slot);
	run(el, 1, prog_access);
	for (l = 1; l <= 3; l++) {
		if (!recs[l].count)
			continue;
		if (EC(recs[l].esr) == ec)
			return '0' + l;
		/* At EL0 the SMC after @op is UNDEFINED, too. ELR shows which one was executed. */
		if (EC(recs[l].esr) == 0 && (el || recs[l].elr == (uintptr_t)prog_access_slot))
			return 'u';
	}
	return '.';
}

/* One MRS or MSR of @enc */
char access_at(unsigned int el, uint32_t enc, bool write)
{
	return insn_at(el, (write ? 0xd5000000u : 0xd5200000u) | enc, EC_SYSREG);
}

bool has_fgt2(void)
{
	return GET(V9_ID_AA64MMFR0_EL1_FGT, RD(ID_AA64MMFR0_EL1)) == V9_ID_AA64MMFR0_EL1_FGT_FGT2;
}

/* @want: at EL0, EL1, EL2 */
struct row {
	const char *name;
	uint32_t enc;
	bool write;
	unsigned int nsb, e2b, ee3;
	uint64_t mdcr_el2, mdcr_el3;
	bool e2h;
	const char *want;
};

/* MDCR_EL3.EnPMS4, and all other bits that permit access at lower levels */
#define ENPMS4 BIT(55)
#define EL3_OPEN (BIT(55) | BIT(47) | BIT(42) | BIT(39) | BIT(36) | UINT64_C(3) << 32)

#define RW(n, reg, ...) { n "_read", V9_SYS_##reg, false, __VA_ARGS__ }, \
			{ n "_write", V9_SYS_##reg, true, __VA_ARGS__ }

static const struct row rows[] = {
	RW("trbptr", TRBPTR_EL1, 3, 3, 0, 0, 0, false, "u.."),
	RW("trbptr_e2tb_2", TRBPTR_EL1, 3, 2, 0, 0, 0, false, "u2."),
	RW("trbptr_e2tb_0", TRBPTR_EL1, 3, 0, 0, 0, 0, false, "u2."),
	RW("trbptr_nstb_2", TRBPTR_EL1, 2, 3, 0, 0, 0, false, "u33"),
	RW("trbptr_nstb_secure", TRBPTR_EL1, 1, 3, 0, 0, 0, false, "u33"),
	RW("trbptr_el2_first", TRBPTR_EL1, 2, 0, 0, 0, 0, false, "u23"),
	RW("trbsr", TRBSR_EL1, 3, 3, 0, 0, 0, false, "u.."),
	RW("trbsr_el2", TRBSR_EL2, 3, 3, 1, 0, 0, false, "uu."),
	RW("trbsr_el2_kept_by_el3", TRBSR_EL2, 3, 3, 0, 0, 0, false, "uu3"),
	RW("trbsr_el2_nstb_2", TRBSR_EL2, 2, 3, 1, 0, 0, false, "uu3"),
	RW("trbsr_el3", TRBSR_EL3, 3, 3, 3, 0, 0, true, "uuu"),
	RW("trbsr_el12", TRBSR_EL12, 3, 3, 1, 0, 0, true, "uu."),
	RW("trbsr_el12_no_e2h", TRBSR_EL12, 3, 3, 1, 0, 0, false, "uuu"),
	{ "trbidr", V9_SYS_TRBIDR_EL1, false, 0, 0, 0, 0, 0, false, "u.." },
	{ "trbidr_is_read_only", V9_SYS_TRBIDR_EL1, true, 3, 3, 0, 0, 0, false, "uuu" },
	RW("trfcr", TRFCR_EL1, 3, 3, 0, 0, 0, false, "u.."),
	RW("trfcr_ttrf_el2", TRFCR_EL1, 3, 3, 0, V9_MDCR_EL2_TTRF, 0, false, "u2."),
	RW("trfcr_ttrf_el3", TRFCR_EL1, 3, 3, 0, 0, V9_MDCR_EL3_TTRF, false, "u33"),
	RW("trfcr_el2", TRFCR_EL2, 3, 3, 0, 0, 0, false, "uu."),
	RW("trfcr_el12", TRFCR_EL12, 3, 3, 0, 0, 0, true, "uu."),

	RW("pmbptr", PMBPTR_EL1, 3, 3, 0, 0, 0, false, "u.."),
	RW("pmbptr_e2pb_2", PMBPTR_EL1, 3, 2, 0, 0, 0, false, "u2."),
	RW("pmbptr_e2pb_0", PMBPTR_EL1, 3, 0, 0, 0, 0, false, "u2."),
	RW("pmbptr_nspb_2", PMBPTR_EL1, 2, 3, 0, 0, 0, false, "u33"),
	RW("pmscr", PMSCR_EL1, 3, 3, 0, 0, 0, false, "u.."),
	RW("pmscr_tpms", PMSCR_EL1, 3, 3, 0, V9_MDCR_EL2_TPMS, 0, false, "u2."),
	RW("pmscr_nspb_secure", PMSCR_EL1, 1, 3, 0, 0, 0, false, "u33"),
	RW("pmsnevfr", PMSNEVFR_EL1, 3, 3, 0, 0, 0, false, "u33"),
	RW("pmscr_el2", PMSCR_EL2, 3, 3, 0, 0, 0, false, "uu."),
	RW("pmbsr_el2", PMBSR_EL2, 3, 3, 1, 0, 0, false, "uu."),
	RW("pmbsr_el2_kept_by_el3", PMBSR_EL2, 3, 3, 0, 0, 0, false, "uu3"),
	RW("pmbsr_el3", PMBSR_EL3, 3, 3, 3, 0, 0, true, "uuu"),
	RW("pmbsr_el12", PMBSR_EL12, 3, 3, 1, 0, 0, true, "uu."),
	RW("pmbmar", PMBMAR_EL1, 3, 3, 0, 0, ENPMS4, false, "u.."),
	RW("pmbmar_without_enpms4", PMBMAR_EL1, 3, 3, 0, 0, ~ENPMS4 & EL3_OPEN, false, "u33"),
	RW("pmbmar_e2pb_2", PMBMAR_EL1, 3, 2, 0, 0, ENPMS4, false, "u2."),
	RW("pmbmar_el2_first", PMBMAR_EL1, 3, 0, 0, 0, 0, false, "u23"),
	RW("pmbmar_nspb_2", PMBMAR_EL1, 2, 3, 0, 0, ENPMS4, false, "u33"),
	{ "pmbidr", V9_SYS_PMBIDR_EL1, false, 0, 0, 0, 0, 0, false, "u.." },
};

static void setup(const struct row *t)
{
	MSR(scr_el3, BIT(59) | BIT(10) | BIT(8) | BIT(0));	/* with FGTEn2, if there is one */
	MSR(mdcr_el3, PUT(V9_MDCR_EL3_NSTB, t->nsb) | PUT(V9_MDCR_EL3_NSPB, t->nsb) |
	    PUT(V9_MDCR_EL3_TRBEE, t->ee3) | PUT(V9_MDCR_EL3_PMSEE, t->ee3) | t->mdcr_el3);
	MSR(mdcr_el2, PUT(V9_MDCR_EL2_E2TB, t->e2b) | PUT(V9_MDCR_EL2_E2PB, t->e2b) | t->mdcr_el2);
	MSR(hcr_el2, BIT(31) | PUT(V9_HCR_EL2_E2H, t->e2h));
	WR(TRFCR_EL1, 0);
	WR(TRFCR_EL2, 0);
	WR(PMSCR_EL1, 0);
	WR(PMSCR_EL2, 0);
	isb();
}

/* shows: TRBE-OW8 TRBE-OW9 SPE-RA3 SPE-RA4 SPE-EN8 */
static void traps(void)
{
	unsigned int i, el;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char got[4] = "";

		for (el = 0; el < 3; el++) {
			setup(&rows[i]);
			got[el] = access_at(el, rows[i].enc, rows[i].write);
		}
		if (got[0] != rows[i].want[0] || got[1] != rows[i].want[1] ||
		    got[2] != rows[i].want[2])
			note("%s: got %s, want %s", rows[i].name, got, rows[i].want);
		result(got[0] == rows[i].want[0] && got[1] == rows[i].want[1] &&
		       got[2] == rows[i].want[2], join("access_", rows[i].name, NULL));
	}
}

/* Fine-grained traps: the bit of HDFGRTR_EL2 and of HDFGWTR_EL2; 0: none */
struct fine {
	const char *name;
	uint32_t enc;
	uint64_t read, write;
	bool reverse;		/* 0 traps */
};

#define FINE(n, reg, bit) { n, V9_SYS_##reg, V9_HDFGRTR_EL2_##bit, V9_HDFGWTR_EL2_##bit, false }
#define FINE_R(n, reg, bit) { n, V9_SYS_##reg, V9_HDFGRTR_EL2_##bit, 0, false }

static const struct fine fines[] = {
	FINE("trbtrg", TRBTRG_EL1, TRBTRG_EL1),
	FINE("trbsr", TRBSR_EL1, TRBSR_EL1),
	FINE("trbptr", TRBPTR_EL1, TRBPTR_EL1),
	FINE("trbmar", TRBMAR_EL1, TRBMAR_EL1),
	FINE("trblimitr", TRBLIMITR_EL1, TRBLIMITR_EL1),
	FINE("trbbaser", TRBBASER_EL1, TRBBASER_EL1),
	FINE_R("trbidr", TRBIDR_EL1, TRBIDR_EL1),
	{ "trfcr", V9_SYS_TRFCR_EL1, 0, V9_HDFGWTR_EL2_TRFCR_EL1, false },
	FINE("pmslatfr", PMSLATFR_EL1, PMSLATFR_EL1),
	FINE("pmsirr", PMSIRR_EL1, PMSIRR_EL1),
	FINE_R("pmsidr", PMSIDR_EL1, PMSIDR_EL1),
	FINE("pmsicr", PMSICR_EL1, PMSICR_EL1),
	FINE("pmsfcr", PMSFCR_EL1, PMSFCR_EL1),
	FINE("pmsevfr", PMSEVFR_EL1, PMSEVFR_EL1),
	FINE("pmscr", PMSCR_EL1, PMSCR_EL1),
	FINE("pmbsr", PMBSR_EL1, PMBSR_EL1),
	FINE("pmbptr", PMBPTR_EL1, PMBPTR_EL1),
	FINE("pmblimitr", PMBLIMITR_EL1, PMBLIMITR_EL1),
	FINE_R("pmbidr", PMBIDR_EL1, PMBIDR_EL1),
	{ "pmsnevfr", V9_SYS_PMSNEVFR_EL1, V9_HDFGRTR_EL2_nPMSNEVFR_EL1,
	  V9_HDFGWTR_EL2_nPMSNEVFR_EL1, true },
	FINE("trcvictlr", TRCVICTLR, TRCVICTLR),
	FINE_R("trcstatr", TRCSTATR, TRCSTATR),
	FINE("trcseqstr", TRCSEQSTR, TRCSEQSTR),
	FINE("trcprgctlr", TRCPRGCTLR, TRCPRGCTLR),
	FINE("trcimspec", TRCIMSPEC0, TRCIMSPECn),
	FINE("trccntvr", TRCCNTVR0, TRCCNTVRn),
	FINE("trcclaimset", TRCCLAIMSET, TRCCLAIM),
	FINE("trcauxctlr", TRCAUXCTLR, TRCAUXCTLR),
	FINE("trcconfigr", TRCCONFIGR, TRC),
	FINE_R("trcidr", TRCIDR4, TRCID),
	FINE_R("trcauthstatus", TRCAUTHSTATUS, TRCAUTHSTATUS),
};

static bool fine_one(const struct fine *t, bool write)
{
	uint64_t bit = write ? t->write : t->read, others = ~bit;
	/* Bits for the other direction, and those that trap with the value 0 */
	uint64_t open = V9_HDFGRTR_EL2_nPMSNEVFR_EL1;
	bool ok = true;

	if (!bit)
		return true;
	/* only this bit, then all but this one */
	MSR(s3_4_c3_c1_4, write ? open : t->reverse ? 0 : open | bit);
	MSR(s3_4_c3_c1_5, !write ? open : t->reverse ? 0 : open | bit);
	isb();
	ok &= access_at(1, t->enc, write) == '2';
	MSR(s3_4_c3_c1_4, write ? open : t->reverse ? open : (others & TRAPS) | open);
	MSR(s3_4_c3_c1_5, !write ? open : t->reverse ? open : (others & TRAPS) | open);
	isb();
	ok &= access_at(1, t->enc, write) == '.';
	/* not for EL2 itself */
	MSR(s3_4_c3_c1_4, bit | open);
	MSR(s3_4_c3_c1_5, bit | open);
	isb();
	ok &= access_at(2, t->enc, write) == '.';
	return ok;
}

/* shows: TRBE-OW9 SPE-RA3 ETE-R_VGVTS */
static void fine_grained(void)
{
	struct row open = { .nsb = 3, .e2b = 3, .ee3 = 1, .mdcr_el3 = V9_MDCR_EL3_EnPMSN };
	unsigned int i;

	for (i = 0; i < sizeof(fines) / sizeof(fines[0]); i++) {
		bool ok;

		setup(&open);
		MSR(scr_el3, MRS(scr_el3) | BIT(27));		/* FGTEn */
		isb();
		ok = fine_one(&fines[i], false) && fine_one(&fines[i], true);
		result(ok, join("fine_", fines[i].name, NULL));
	}
	MSR(s3_4_c3_c1_4, V9_HDFGRTR_EL2_nPMSNEVFR_EL1);
	MSR(s3_4_c3_c1_5, V9_HDFGWTR_EL2_nPMSNEVFR_EL1);
	isb();
}

/* TTA at three levels: the lowest level whose bit is set takes the trap. */
/* shows: ETE-R_VGVTS */
static void trace_registers(void)
{
	struct row open = { .nsb = 3, .e2b = 3 };
	unsigned int n, el, bad = 0;

	for (n = 0; n < 16; n++) {
		bool at1 = n & 1, at2 = n >> 1 & 1, at3 = n >> 2 & 1, e2h = n >> 3;

		for (el = 0; el < 3; el++) {
			char want = el == 0 ? 'u' : el == 1 && at1 ? '1' : at2 ? '2' :
				    at3 ? '3' : '.';
			char got;

			open.e2h = e2h;
			setup(&open);
			MSR(cpacr_el1, at1 ? V9_CPACR_EL1_TTA : 0);
			MSR(cptr_el3, at3 ? V9_CPTR_EL3_TTA : 0);
			MSR(cptr_el2, e2h ? (at2 ? V9_CPTR_EL2_TTA_E2H : 0) :
			    (0x33ff & ~(1u << 10)) | (at2 ? V9_CPTR_EL2_TTA : 0));
			isb();
			got = access_at(el, V9_SYS_TRCPRGCTLR, false);
			MSR(cptr_el3, 0);
			if (got != want && ++bad <= 3)
				note("TTA %u %u %u E2H %u at EL%u: got %c, want %c", at1, at2, at3,
				     e2h, el, got, want);
		}
	}
	MSR(cpacr_el1, 0);
	open.e2h = false;
	setup(&open);
	MSR(cptr_el2, 0x33ff & ~(1u << 10));
	isb();
	result(!bad, "access_tta");
}

/* MSR of 0 to the name @enc at EL2 with E2H. Returns which registers of @unit became 0. */
static unsigned int cleared_by(unsigned int unit, uint32_t enc, unsigned int ee3, unsigned int ee2)
{
	struct row t = { .nsb = 3, .e2b = 0, .ee3 = ee3, .e2h = true };
	unsigned int l, gone = 0;

	setup(&t);
	WR(TRFCR_EL2, PUT(V9_TRFCR_EL2_EE, ee2));
	WR(PMSCR_EL2, PUT(V9_PMSCR_EL2_EE, ee2));
	isb();
	for (l = 1; l <= 3; l++)
		set_status(unit, l, 0x40 + l);
	access_at(2, enc, true);
	for (l = 1; l <= 3; l++)
		gone |= (status(unit, l) == 0) << l;
	return gone;
}

/* At EL2 with E2H the EL1 names access the register of EL2 if Profiling exceptions are in use. */
/* shows: TRBE-EX2 SPE-ME15 */
static void aliases(void)
{
	unsigned int ee3, ee2, bad = 0, bad12 = 0;

	for (ee3 = 0; ee3 < 4; ee3++)
		for (ee2 = 0; ee2 < 4; ee2++) {
			unsigned int want = ee3 && ee2 ? 4 : 2;

			bad += cleared_by(TRBE, V9_SYS_TRBSR_EL1, ee3, ee2) != want;
			bad += cleared_by(SPE, V9_SYS_PMBSR_EL1, ee3, ee2) != want;
			bad12 += cleared_by(TRBE, V9_SYS_TRBSR_EL12, ee3, ee2) != 2;
			bad12 += cleared_by(SPE, V9_SYS_PMBSR_EL12, ee3, ee2) != 2;
		}
	result(!bad, "alias_of_the_el1_names");
	result(!bad12, "alias_of_the_el12_names");
}

/* TRBIDR_EL1.P and PMBIDR_EL1.P as EL1 and EL2 read them: by owner */
/* shows: TRBE-OW8 SPE-OW7 */
static void owned(void)
{
	static const struct {
		unsigned int nsb, e2b;
		bool p[3];	/* at EL1, EL2, EL3 */
		const char *name;
	} t[] = {
		{ 3, 3, { false, false, false }, "el1" },
		{ 3, 0, { true, false, false }, "el2" },
		{ 1, 3, { true, true, false }, "secure" },
	};
	static const uint32_t ids[UNITS] = { V9_SYS_TRBIDR_EL1, V9_SYS_PMBIDR_EL1 };
	extern uint64_t prog_access_value;
	unsigned int i, el, u;

	for (i = 0; i < 3; i++)
		for (u = 0; u < UNITS; u++) {
			bool ok = true;

			for (el = 1; el < 3; el++) {
				struct row r = { .nsb = t[i].nsb, .e2b = t[i].e2b };

				setup(&r);
				access_at(el, ids[u], false);
				ok &= !!(prog_access_value & V9_TRBIDR_EL1_P) == t[i].p[el - 1];
			}
			ok &= !(RD(TRBIDR_EL1) & V9_TRBIDR_EL1_P);
			result(ok, join("owner_", t[i].name, "_told_by_", unit_name[u], NULL));
		}
}

/* FEAT_TRBEv1p1 and FEAT_TRBE_EXC imply each other. shows: TRBE-PR4 */
static void version(void)
{
	bool v1p1 = GET(V9_ID_AA64DFR0_EL1_TraceBuffer, RD(ID_AA64DFR0_EL1)) == 2;
	bool exc = GET(V9_ID_AA64DFR2_EL1_TRBE_EXC, RD(ID_AA64DFR2_EL1));

	/* One of the fields that it adds controls where nVM has an effect. */
	WR(TRFCR_EL2, V9_TRFCR_EL2_DnVM);
	result(v1p1 && exc && (RD(TRFCR_EL2) & V9_TRFCR_EL2_DnVM), "trbe_v1p1_has_exceptions");
	WR(TRFCR_EL2, 0);
}

/* HDFGRTR2_EL2 and HDFGWTR2_EL2, in which the value 1 permits the access */
static void open_fgt2(uint64_t read, uint64_t write)
{
	if (!has_fgt2())
		return;
	MSR(s3_4_c3_c1_0, read);
	MSR(s3_4_c3_c1_1, write);
	isb();
}

/* FEAT_FGT2. shows: TRBE-OW9 SPE-RA3 */
static void fine_grained_2(void)
{
	static const struct {
		const char *name;
		uint32_t enc;
		unsigned int bit;
	} t[] = {
		{ "pmbmar", V9_SYS_PMBMAR_EL1, 24 },
		{ "trcitecr", V9_SYS_TRCITECR_EL1, 20 },
		{ "pmsdsfr", V9_SYS_PMSDSFR_EL1, 19 },
		{ "trbmpam", V9_SYS_TRBMPAM_EL1, 22 },
	};
	static const uint32_t own[] = {
		3 << 19 | 4 << 16 | 3 << 12 | 1 << 8 | 0 << 5,
		3 << 19 | 4 << 16 | 3 << 12 | 1 << 8 | 1 << 5,
		3 << 19 | 4 << 16 | 3 << 12 | 1 << 8 | 2 << 5,
		3 << 19 | 4 << 16 | 3 << 12 | 1 << 8 | 3 << 5,
		3 << 19 | 4 << 16 | 3 << 12 | 1 << 8 | 7 << 5,
	};
	struct row open = { .nsb = 3, .e2b = 3, .mdcr_el3 = EL3_OPEN };
	unsigned int i, write;
	bool ok = true;

	setup(&open);
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		char want = has_fgt2() ? '.' : 'u';

		ok &= access_at(1, own[i], false) == 'u' && access_at(1, own[i], true) == 'u';
		ok &= access_at(2, own[i], false) == want && access_at(2, own[i], true) == want;
		if (!has_fgt2())
			continue;
		MSR(scr_el3, MRS(scr_el3) & ~BIT(59));
		isb();
		ok &= access_at(2, own[i], false) == '3' && access_at(2, own[i], true) == '3';
		setup(&open);
	}
	result(ok, "fine_2_registers");
	for (i = 0; has_fgt2() && i < sizeof(t) / sizeof(t[0]); i++) {
		ok = true;
		for (write = 0; write < 2; write++) {
			uint64_t bit = BIT(t[i].bit);

			setup(&open);
			open_fgt2(write ? 0 : bit, write ? bit : 0);
			ok &= access_at(1, t[i].enc, write) == '.';
			open_fgt2(write ? ~UINT64_C(0) : ~bit, write ? ~bit : ~UINT64_C(0));
			ok &= access_at(1, t[i].enc, write) == '2';
			ok &= access_at(2, t[i].enc, write) == '.';
			/* With FGTEn2 0 all bits are treated as 0; EL3 is checked after EL2. */
			open_fgt2(~UINT64_C(0), ~UINT64_C(0));
			MSR(scr_el3, MRS(scr_el3) & ~BIT(59));
			MSR(mdcr_el3, MRS(mdcr_el3) & ~EL3_OPEN);
			isb();
			ok &= access_at(1, t[i].enc, write) == '2';
			ok &= access_at(2, t[i].enc, write) == '3';
		}
		result(ok, join("fine_2_", t[i].name, NULL));
	}
	setup(&open);
	open_fgt2(~UINT64_C(0), ~UINT64_C(0));
}

#define EC_OTHER 0x0a

/* A barrier at EL0, EL1 and EL2; @iss: ISS of ESR_EL2 if it is trapped */
static bool barrier_is(uint32_t op, const char *want, unsigned int iss)
{
	char got[4] = "";
	unsigned int el;
	bool ok = true;

	for (el = 0; el < 3; el++) {
		got[el] = insn_at(el, op, EC_OTHER);
		if (got[el] == '2')
			ok &= recs[2].esr == (0x0au << 26 | BIT(25) | iss) &&
			      recs[2].elr == (uintptr_t)prog_access_slot;
		ok &= got[el] == want[el];
	}
	if (!ok)
		note("barrier %u: got %s, want %s, ESR_EL2 %lx", iss, got, want, recs[2].esr);
	return ok;
}

/* HFGITR_EL2.PSBCSYNC and HFGITR2_EL2.TSBCSYNC; the first one does not exist before SPEv1p5. */
static void barriers(void)
{
	const uint32_t psb = 0xd503223f, tsb = 0xd503225f;
	bool v1p5 = GET(V9_ID_AA64DFR0_EL1_PMSVer, RD(ID_AA64DFR0_EL1)) == 6, ok;
	struct row open = { .nsb = 3, .e2b = 3 };

	setup(&open);
	MSR(scr_el3, MRS(scr_el3) | BIT(27));		/* FGTEn */
	MSR(s3_4_c1_c1_6, BIT(63));
	isb();
	ok = barrier_is(psb, v1p5 ? "22." : "...", 4) && barrier_is(tsb, "...", 3);
	MSR(scr_el3, MRS(scr_el3) & ~BIT(27));
	isb();
	ok &= barrier_is(psb, "...", 4);
	MSR(s3_4_c1_c1_6, 0);
	MSR(scr_el3, MRS(scr_el3) | BIT(27));
	isb();
	ok &= barrier_is(psb, "...", 4);
	result(ok, "fine_psb_csync");
	if (!has_fgt2())
		return;
	MSR(s3_4_c3_c1_7, BIT(0));
	isb();
	ok = barrier_is(tsb, "22.", 3) && barrier_is(psb, "...", 4);
	MSR(scr_el3, MRS(scr_el3) & ~BIT(59));
	isb();
	ok &= barrier_is(tsb, "...", 3);
	MSR(s3_4_c3_c1_7, 0);
	setup(&open);
	ok &= barrier_is(tsb, "...", 3);
	result(ok, "fine_tsb_csync");
}

/*
 * Nested virtualization: HCR_EL2.<NV2,NV1,NV> = 0b001, 0b011, 0b101, 0b111. Results of an access at
 * EL1: r the register, m memory at VNCR_EL2, 2 trapped to EL2.
 */
static const struct {
	const char *name;
	uint32_t enc;
	unsigned int offset;
	const char *want;
	unsigned int ee3, ee2, ee1;
} nested[] = {
	{ "pmblimitr", V9_SYS_PMBLIMITR_EL1, 0x800, "rrmm" },
	{ "pmbptr", V9_SYS_PMBPTR_EL1, 0x810, "rrmm" },
	{ "pmbsr", V9_SYS_PMBSR_EL1, 0x820, "rrmm" },
	{ "pmbsr_of_el1_alone", V9_SYS_PMBSR_EL1, 0x820, "rrmm", 0, 3, 3 },
	{ "pmbsr_of_el2_alone", V9_SYS_PMBSR_EL1, 0x820, "rrmm", 1, 3, 0 },
	{ "pmbsr_of_both", V9_SYS_PMBSR_EL1, 0x820, "rrrm", 1, 1, 1 },
	{ "pmscr", V9_SYS_PMSCR_EL1, 0x828, "rrrm" },
	{ "pmsevfr", V9_SYS_PMSEVFR_EL1, 0x830, "rrmm" },
	{ "pmsicr", V9_SYS_PMSICR_EL1, 0x838, "rrmm" },
	{ "pmsirr", V9_SYS_PMSIRR_EL1, 0x840, "rrmm" },
	{ "pmslatfr", V9_SYS_PMSLATFR_EL1, 0x848, "rrmm" },
	{ "pmsnevfr", V9_SYS_PMSNEVFR_EL1, 0x850, "rrmm" },
	{ "pmsdsfr", V9_SYS_PMSDSFR_EL1, 0x858, "rrmm" },
	{ "trbsr", V9_SYS_TRBSR_EL1, 0x860, "rrrr" },
	{ "trbsr_of_el1_alone", V9_SYS_TRBSR_EL1, 0x860, "rrrr", 0, 3, 3 },
	{ "trbsr_of_el2_alone", V9_SYS_TRBSR_EL1, 0x860, "rrrr", 1, 3, 0 },
	{ "trbsr_of_both", V9_SYS_TRBSR_EL1, 0x860, "rrrm", 1, 1, 1 },
	{ "trfcr", V9_SYS_TRFCR_EL1, 0x880, "rrrm" },
	{ "trcitecr", V9_SYS_TRCITECR_EL1, 0x888, "rrrm" },
	{ "brbcr", V9_SYS_BRBCR_EL1, 0x8e0, "rrrm" },
	{ "brbfcr", V9_SYS_BRBFCR_EL1, 0x8e0, "rrrr" },
	{ "brbcr_el12", V9_SYS_BRBCR_EL12, 0x8e0, "22m2" },
	{ "brbcr_el2", V9_SYS_BRBCR_EL2, 0x8e0, "2222" },
	{ "pmscr_el12", V9_SYS_PMSCR_EL12, 0x828, "22m2" },
	{ "pmbsr_el12", V9_SYS_PMBSR_EL12, 0x820, "22m2" },
	{ "trbsr_el12", V9_SYS_TRBSR_EL12, 0x860, "22m2" },
	{ "trfcr_el12", V9_SYS_TRFCR_EL12, 0x880, "22m2" },
	{ "trcitecr_el12", V9_SYS_TRCITECR_EL12, 0x888, "22m2" },
	{ "pmscr_el2", V9_SYS_PMSCR_EL2, 0x828, "2222" },
	{ "pmbsr_el2", V9_SYS_PMBSR_EL2, 0x820, "2222" },
	{ "trbsr_el2", V9_SYS_TRBSR_EL2, 0x860, "2222" },
	{ "trfcr_el2", V9_SYS_TRFCR_EL2, 0x880, "2222" },
	{ "hdfgrtr2", V9_SYS_HDFGRTR2_EL2, 0x1a0, "22mm" },
	{ "hdfgwtr2", V9_SYS_HDFGWTR2_EL2, 0x1b0, "22mm" },
	{ "hfgitr2", V9_SYS_HFGITR2_EL2, 0x310, "22mm" },
};

static void nested_virtualization(void)
{
	static uint64_t page[512] __attribute__((aligned(4096)));
	static const uint64_t nvx[] = {
		BIT(42), BIT(43) | BIT(42), BIT(45) | BIT(42), BIT(45) | BIT(43) | BIT(42),
	};
	const uint64_t mark = 0x5a5a5a5a5a5a5a5a;
	extern uint64_t prog_access_value;
	unsigned int i, n, write;

	MSR(s3_4_c2_c2_0, (uintptr_t)page);	/* VNCR_EL2 */
	for (i = 0; i < sizeof(nested) / sizeof(nested[0]); i++) {
		volatile uint64_t *slot = &page[nested[i].offset / 8];
		struct row r = { .nsb = 3, .e2b = 3, .ee3 = nested[i].ee3, .mdcr_el3 = EL3_OPEN };
		char got[2][5] = { "", "" };
		bool ok = true;

		r.e2h = true;
		setup(&r);
		if (access_at(2, nested[i].enc, false) == 'u')
			continue;	/* not on this machine */
		r.e2h = false;
		for (write = 0; write < 2; write++)
			for (n = 0; n < 4; n++) {
				setup(&r);
				WR(TRFCR_EL2, PUT(V9_TRFCR_EL2_EE, nested[i].ee2));
				WR(PMSCR_EL2, PUT(V9_PMSCR_EL2_EE, nested[i].ee2));
				WR(TRFCR_EL1, PUT(V9_TRFCR_EL1_EE, nested[i].ee1));
				WR(PMSCR_EL1, PUT(V9_PMSCR_EL1_EE, nested[i].ee1));
				MSR(hcr_el2, MRS(hcr_el2) | nvx[n]);
				isb();
				*slot = mark;
				asm volatile("dsb sy" : : : "memory");
				got[write][n] = access_at(1, nested[i].enc, write);
				if (got[write][n] == '.')
					got[write][n] = (write ? *slot != mark :
							 prog_access_value == mark) ? 'm' : 'r';
				ok &= got[write][n] == nested[i].want[n];
			}
		if (!ok)
			note("%s: read %s, write %s, want %s", nested[i].name, got[0], got[1],
			     nested[i].want);
		result(ok, join("nested_", nested[i].name, NULL));
	}
	{
		struct row r = { .nsb = 3, .e2b = 3 };

		setup(&r);
	}
}

void access_suite(void)
{
	suite("access");
	version();
	open_fgt2(~UINT64_C(0), ~UINT64_C(0));
	traps();
	fine_grained();
	fine_grained_2();
	barriers();
	nested_virtualization();
	trace_registers();
	aliases();
	owned();
	plan();
}
