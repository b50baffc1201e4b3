// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may reach the registers of the units from EL0, EL1 and EL2, who gets to know, and
 * which register a name means.
 */
#include "cells.h"

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

void access_suite(void)
{
	suite("access");
	traps();
	aliases();
	owned();
	plan();
}
