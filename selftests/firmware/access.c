// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may reach the registers of the units from EL0, EL1 and EL2, who gets to know, and
 * which register a name means.
 */
#include "cells.h"

/* Bits of HDFGRTR_EL2 and HDFGWTR_EL2 that trap with 1 and are these units' */
#define TRAPS (V9_HDFGRTR_EL2_PMBIDR_EL1 | UINT64_C(0x01fffdffff800000))

static void flush_icache(void *p)
{
	asm volatile("dc cvau, %0; dsb ish; ic ivau, %0; dsb ish; isb" : : "r"(p) : "memory");
}

/* One MRS or MSR of @enc at @el: '.' done, 'u' UNDEFINED, digit: trapped to EL1, EL2, EL3 */
static char access_at(unsigned int el, uint32_t enc, bool write)
{
	unsigned int l;

	prog_access_slot[0] = (write ? 0xd5000000u : 0xd5200000u) | enc;
	flush_icache(prog_access_slot);
	run(el, 1, prog_access);
	for (l = 1; l <= 3; l++) {
		if (!recs[l].count)
			continue;
		if (EC(recs[l].esr) == EC_SYSREG)
			return '0' + l;
		if (EC(recs[l].esr) == 0)
			return 'u';
	}
	/* at EL0 the SMC that follows is UNDEFINED, too: ELR tells them apart */
	return '.';
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
	RW("pmbmar", PMBMAR_EL1, 3, 3, 0, 0, 0, false, "u.."),
	{ "pmbidr", V9_SYS_PMBIDR_EL1, false, 0, 0, 0, 0, 0, false, "u.." },
};

static void setup(const struct row *t)
{
	MSR(scr_el3, BIT(10) | BIT(8) | BIT(0));
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
			/* the SMC at its end is UNDEFINED at EL0: which of the two was it? */
			if (el == 0 && got[0] == 'u' &&
			    recs[1].elr != (uintptr_t)prog_access_slot)
				got[0] = '.';
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
	/* bits of the other direction, and those that trap with 0 */
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

/* TTA at three levels: the lowest that says so has the trap. */
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

/* MSR of 0 through name @enc at EL2 with E2H: which registers of @unit lost their value? */
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

/* The EL1 names at EL2 with E2H: the register of EL2 iff it is in use. */
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

	/* Of the fields that come with it one decides where nVM counts. */
	WR(TRFCR_EL2, V9_TRFCR_EL2_DnVM);
	result(v1p1 && exc && (RD(TRFCR_EL2) & V9_TRFCR_EL2_DnVM), "trbe_v1p1_has_exceptions");
	WR(TRFCR_EL2, 0);
}

void access_suite(void)
{
	suite("access");
	version();
	traps();
	fine_grained();
	trace_registers();
	aliases();
	owned();
	plan();
}
