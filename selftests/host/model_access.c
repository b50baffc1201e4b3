// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traps of register accesses and barriers by controls of later features. Expected results follow
 * the pseudocode of each register's page, written here with its bit numbers.
 */
#include "tap.h"
#include "model_fake.h"

#define BIT(n) (UINT64_C(1) << (n))

static const char letters[] = {
	[V9_ACCESS_OK] = '.', [V9_ACCESS_UNDEF] = 'u', [V9_ACCESS_EL1] = '1',
	[V9_ACCESS_EL2] = '2', [V9_ACCESS_EL3] = '3', [V9_ACCESS_MEMORY] = 'm',
};

static struct fk *all_features(void)
{
	struct fk *f = fk_new();

	f->cfg.spe_version = 6;
	f->cfg.mixed = f->cfg.spe_exc = f->cfg.spe_nvm = true;
	f->cfg.lds = f->cfg.fds = true;
	f->cfg.max_size = 7;
	f->cfg.ete = f->cfg.ite = f->cfg.trbe_exc = f->cfg.trbe_mpam = true;
	fk_init(f);
	f->pe.r.has_el2 = f->pe.r.has_el3 = true;
	return f;
}

/* The control of EL2 for a register, besides the fine-grained trap */
enum control { NONE, E2PB_X0, E2TB_X0, TPMS_1 };

static const struct reg {
	const char *name;
	uint32_t enc;		/* op0 << 19 | op1 << 16 | CRn << 12 | CRm << 8 | op2 << 5 */
	unsigned int fgt2;	/* bit of HDFGRTR2_EL2 and HDFGWTR2_EL2 */
	unsigned int el3;	/* bit of MDCR_EL3 */
	enum control control;
	unsigned int nsb;	/* low bit of NSPB, NSTB; 0: not checked */
	unsigned int nsbe;
} regs[] = {
	{ "pmbmar", 3 << 19 | 0 << 16 | 9 << 12 | 10 << 8 | 5 << 5, 24, 55, E2PB_X0, 12, 11 },
	{ "pmsdsfr", 3 << 19 | 0 << 16 | 9 << 12 | 10 << 8 | 4 << 5, 19, 42, TPMS_1, 12, 11 },
	{ "trbmpam", 3 << 19 | 0 << 16 | 9 << 12 | 11 << 8 | 5 << 5, 22, 39, E2TB_X0, 24, 26 },
	{ "trcitecr", 3 << 19 | 0 << 16 | 1 << 12 | 2 << 8 | 3 << 5, 20, 47, NONE, 0, 0 },
};

struct cell {
	unsigned int el, ns, nse, eel2, fgten2, en, nsb, nsbe, e2b, tpms;
	bool has_el2, has_el3, has_rme, has_fgt2, bit, write;
};

/* CheckMDCR_EL3_NSPBTrap(), CheckMDCR_EL3_NSTBTrap() */
static bool nsb_trap(const struct cell *c)
{
	if (!(c->nsb & 1) || c->nsb >> 1 != c->ns)
		return true;
	return c->has_rme && c->nsbe != c->nse;
}

static char wanted(const struct reg *g, const struct cell *c)
{
	bool el2 = c->has_el2 && (!c->has_el3 || c->ns || c->eel2);
	bool control = g->control == TPMS_1 ? c->tpms : g->control != NONE && !(c->e2b & 1);

	switch (c->el) {
	case 0:
		return 'u';
	case 1:
		if (el2 && c->has_fgt2 && ((c->has_el3 && !c->fgten2) || !c->bit))
			return '2';
		if (el2 && control)
			return '2';
		/* fall through */
	case 2:
		if (c->has_el3 && !c->en)
			return '3';
		if (c->has_el3 && g->nsb && nsb_trap(c))
			return '3';
		/* fall through */
	default:
		return '.';
	}
}

static unsigned int lot(unsigned int n)
{
	static uint64_t s = 1;

	s = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (s >> 33) % n;
}

static void traps(struct fk *f, const struct reg *g)
{
	unsigned int i, bad = 0, seen[128] = { 0 };

	for (i = 0; i < 200000; i++) {
		struct v9_route *r = &f->pe.r;
		struct cell c = {
			.el = lot(4), .ns = lot(2), .eel2 = lot(2), .fgten2 = lot(2), .en = lot(2),
			.nsb = lot(4), .nsbe = lot(2), .e2b = (unsigned int[]){ 0, 2, 3 }[lot(3)],
			.tpms = lot(2), .has_el2 = lot(4), .has_el3 = lot(4), .has_fgt2 = lot(2),
			.bit = lot(2), .write = lot(2),
		};
		char want, got;

		if (c.el == 3 && !c.has_el3)
			continue;
		c.has_rme = c.has_el3 && c.has_el2 && lot(2);
		c.nse = c.has_rme && c.ns && lot(2);
		if (lot(2)) {		/* the Security state of the owner */
			c.nsb = c.ns * 2 + 1;
			c.nsbe = c.nse;
		}
		if (c.has_rme && c.nsbe && !(c.nsb & 2))
			continue;	/* reserved value */
		if (c.el == 2 && !(c.has_el2 && (!c.has_el3 || c.ns || c.eel2)))
			continue;
		r->el = c.el;
		r->has_el2 = c.has_el2;
		r->has_el3 = c.has_el3;
		r->has_rme = c.has_rme;
		r->has_fgt2 = c.has_fgt2;
		r->scr_el3 = c.ns | (uint64_t)c.nse << 62 | c.eel2 << 18 | (uint64_t)c.fgten2 << 59;
		r->mdcr_el3 = (uint64_t)c.en << g->el3;
		if (g->nsb)
			r->mdcr_el3 |= (uint64_t)c.nsb << g->nsb | (uint64_t)c.nsbe << g->nsbe;
		r->mdcr_el2 = c.e2b << 12 | c.e2b << 24 | c.tpms << 14;
		/* only this bit has an effect, in the register for reads or the one for writes */
		r->hdfgrtr2_el2 = !c.write == c.bit ? BIT(g->fgt2) : ~BIT(g->fgt2);
		r->hdfgwtr2_el2 = ~r->hdfgrtr2_el2;
		want = wanted(g, &c);
		got = letters[v9_reg_access(f->m, fk_reg(g->enc), c.write)];
		seen[(unsigned char)want]++;
		if (got == want)
			continue;
		if (!bad++)
			tap_note("%s %s at EL%u: %c, not %c: EL2 %u EL3 %u NS %u NSE %u EEL2 %u "
				 "FGT2 %u FGTEn2 %u bit %u enable %u NSB %u NSBE %u E2B %u TPMS %u",
				 c.write ? "MSR" : "MRS", g->name, c.el, got, want, c.has_el2,
				 c.has_el3, c.ns, c.nse, c.eel2, c.has_fgt2, c.fgten2, c.bit, c.en,
				 c.nsb, c.nsbe, c.e2b, c.tpms);
	}
	tap_eq(bad, 0, "traps_of_%s", g->name);
	tap_ok(seen['.'] && seen['u'] && seen['2'] && seen['3'], "every_outcome_of_%s", g->name);
}

/* The controls have no effect on other registers. */
static void others(struct fk *f)
{
	static const uint32_t enc[] = {
		V9_SYS_PMBPTR_EL1, V9_SYS_PMSCR_EL1, V9_SYS_TRBPTR_EL1, V9_SYS_TRBMAR_EL1,
		V9_SYS_TRFCR_EL1, V9_SYS_TRCITEEDCR,
	};
	unsigned int i, bad = 0;

	f->pe.r = (struct v9_route){
		.el = 1, .a64 = true, .el1_a64 = true, .el2_a64 = true, .has_secure = true,
		.has_el2 = true, .has_el3 = true, .has_fgt2 = true, .scr_el3 = 1,
		.mdcr_el3 = 3 << 12 | 3 << 24, .mdcr_el2 = 3 << 12 | 3 << 24,
	};
	for (i = 0; i < V9_ARRAY_SIZE(enc); i++)
		bad += v9_reg_access(f->m, fk_reg(enc[i]), true) != V9_ACCESS_OK;
	tap_eq(bad, 0, "no_other_register");
}

/*
 * HCR_EL2.<NV2,NV1,NV> from 0b000 to 0b111 at EL1. NV1 without NV is CONSTRAINED UNPREDICTABLE; the
 * model behaves as if both were 0.
 */
static void nested(struct fk *f)
{
	static const struct {
		uint32_t enc;
		const char *name, *want;
	} t[] = {
		{ V9_SYS_PMSCR_EL12, "pmscr_el12", "u2u2umu2" },
		{ V9_SYS_PMBSR_EL12, "pmbsr_el12", "u2u2umu2" },
		{ V9_SYS_TRBSR_EL12, "trbsr_el12", "u2u2umu2" },
		{ V9_SYS_TRFCR_EL12, "trfcr_el12", "u2u2umu2" },
		{ V9_SYS_TRCITECR_EL12, "trcitecr_el12", "u2u2umu2" },
		{ V9_SYS_PMSCR_EL2, "pmscr_el2", "u2u2u2u2" },
		{ V9_SYS_PMBSR_EL2, "pmbsr_el2", "u2u2u2u2" },
		{ V9_SYS_TRBSR_EL2, "trbsr_el2", "u2u2u2u2" },
		{ V9_SYS_TRFCR_EL2, "trfcr_el2", "u2u2u2u2" },
		{ V9_SYS_TRCITECR_EL2, "trcitecr_el2", "u2u2u2u2" },
		{ V9_SYS_PMBSR_EL3, "pmbsr_el3", "uuuuuuuu" },
		{ V9_SYS_TRBSR_EL3, "trbsr_el3", "uuuuuuuu" },
	};
	unsigned int i, nv;

	/* no trap to EL3: no bit of MDCR_EL3 is set */
	f->pe.r.mdcr_el3 = 0;
	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		char got[9] = "";

		for (nv = 0; nv < 8; nv++) {
			f->pe.r.hcr_el2 = (uint64_t)(nv >> 2) << 45 |
					  (uint64_t)(nv >> 1 & 1) << 43 | (uint64_t)(nv & 1) << 42;
			got[nv] = letters[v9_reg_access(f->m, fk_reg(t[i].enc), true)];
		}
		if (!tap_ok(!strcmp(got, t[i].want), "nested_%s", t[i].name))
			tap_note("got %s, want %s", got, t[i].want);
	}
	f->pe.r.hcr_el2 = 0;
}

/* At EL3, EL12 names are defined if EL2 is enabled: SCR_EL3.{NS,EEL2} are not 0b00. */
static void at_el3(struct fk *f)
{
	static const uint32_t enc[] = {
		V9_SYS_PMSCR_EL12, V9_SYS_PMBSR_EL12, V9_SYS_TRBSR_EL12, V9_SYS_TRFCR_EL12,
		V9_SYS_TRCITECR_EL12,
	};
	unsigned int i, n, bad = 0;

	f->pe.r.el = 3;
	for (i = 0; i < V9_ARRAY_SIZE(enc); i++)
		for (n = 0; n < 8; n++) {
			bool ns = n & 1, eel2 = n & 2, e2h = n & 4;
			char want = e2h && (ns || eel2) ? '.' : 'u';

			f->pe.r.scr_el3 = ns | (uint64_t)eel2 << 18;
			f->pe.r.hcr_el2 = (uint64_t)e2h << 34;
			bad += letters[v9_reg_access(f->m, fk_reg(enc[i]), false)] != want;
		}
	tap_eq(bad, 0, "el12_names_at_el3");
}

/* HFGITR_EL2.PSBCSYNC, bit 63, by SCR_EL3.FGTEn, bit 27; HFGITR2_EL2.TSBCSYNC, bit 0, by 59 */
static void barriers(struct fk *f)
{
	unsigned int n, bad[2] = { 0 };

	for (n = 0; n < 4096; n++) {
		unsigned int el = n & 3;
		bool ns = n >> 2 & 1, eel2 = n >> 3 & 1, fgten = n >> 4 & 1, fgten2 = n >> 5 & 1;
		bool e2h = n >> 6 & 1, tge = n >> 7 & 1, psb = n >> 8 & 1, tsb = n >> 9 & 1;
		bool has_el3 = n >> 10 & 1, has_fgt2 = n >> 11 & 1;
		bool el2 = !has_el3 || ns || eel2, fine = el < 2 && el2 && !(e2h && tge);
		struct v9_route *r = &f->pe.r;

		if ((el == 3 && !has_el3) || (el == 2 && !el2))
			continue;
		r->el = el;
		r->has_el3 = has_el3;
		r->has_fgt2 = has_fgt2;
		r->scr_el3 = ns | eel2 << 18 | fgten << 27 | (uint64_t)fgten2 << 59;
		r->hcr_el2 = (uint64_t)e2h << 34 | tge << 27;
		r->hfgitr_el2 = psb ? BIT(63) : ~BIT(63);
		r->hfgitr2_el2 = tsb ? BIT(0) : ~BIT(0);
		bad[0] += v9_sync_trapped(f->m, V9_SYNC_PSB) !=
			  (fine && psb && (!has_el3 || fgten));
		bad[1] += v9_sync_trapped(f->m, V9_SYNC_TSB) !=
			  (fine && tsb && has_fgt2 && (!has_el3 || fgten2));
		if (v9_sync_trapped(f->m, V9_SYNC_ISB) || v9_sync_trapped(f->m, V9_SYNC_DSB))
			bad[0]++;
	}
	tap_eq(bad[0], 0, "psb_csync");
	tap_eq(bad[1], 0, "tsb_csync");
}

/* The bits have no effect before SPEv1p5 and FEAT_TRBEv1p1. */
static void barriers_of_old(void)
{
	struct fk *f = fk_new();

	f->cfg.spe_version = 5;
	f->cfg.mixed = f->cfg.ete = true;
	fk_init(f);
	f->pe.r.has_el2 = f->pe.r.has_fgt2 = true;
	f->pe.r.hfgitr_el2 = f->pe.r.hfgitr2_el2 = ~UINT64_C(0);
	tap_ok(!v9_sync_trapped(f->m, V9_SYNC_PSB), "psb_csync_of_spev1p4");
	tap_ok(!v9_sync_trapped(f->m, V9_SYNC_TSB), "tsb_csync_of_trbev1p0");
	fk_free(f);
}

int main(void)
{
	struct fk *f = all_features();
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(regs); i++)
		traps(f, &regs[i]);
	others(f);
	nested(f);
	at_el3(f);
	barriers(f);
	fk_free(f);
	barriers_of_old();
	return tap_done();
}
