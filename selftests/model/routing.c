// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ownership, where profiling is enabled, what a record may contain, traps. See routing.h. */
#include <v9trace/routing_event.h>

enum v9_ss v9_route_ss(const struct v9_route *r)
{
	bool ns, nse;

	if (!r->has_el3)
		return r->pe_ss;
	ns = r->scr_el3 & V9_SCR_EL3_NS;
	nse = r->has_rme && (r->scr_el3 & V9_SCR_EL3_NSE);
	if (nse)
		return ns ? V9_SS_REALM : V9_SS_NONE;
	return ns ? V9_SS_NONSECURE : V9_SS_SECURE;
}

bool v9_route_el2_enabled(const struct v9_route *r, enum v9_ss ss)
{
	if (!r->has_el2)
		return false;
	if (ss == V9_SS_SECURE)
		return !r->has_el3 || (r->scr_el3 & V9_SCR_EL3_EEL2);
	return ss == V9_SS_NONSECURE || ss == V9_SS_REALM;
}

bool v9_route_host(const struct v9_route *r)
{
	return v9_route_el2_enabled(r, v9_route_ss(r)) && (r->hcr_el2 & V9_HCR_EL2_TGE);
}

unsigned int v9_route_nv(const struct v9_route *r)
{
	if (!v9_route_el2_enabled(r, v9_route_ss(r)) || !(r->hcr_el2 & V9_HCR_EL2_NV))
		return 0;
	return V9_NV | (r->hcr_el2 & V9_HCR_EL2_NV1 ? V9_NV1 : 0) |
	       (r->hcr_el2 & V9_HCR_EL2_NV2 ? V9_NV2 : 0);
}

struct v9_owner v9_route_owner(const struct v9_route *r, unsigned int ns, bool nse, bool to_el2)
{
	struct v9_owner o = { .ss = r->pe_ss, .el = 1, .e2h = false };

	nse = nse && r->has_rme;
	if (r->has_el3 && (ns & 2))
		o.ss = nse ? V9_SS_REALM : V9_SS_NONSECURE;
	else if (r->has_el3)
		o.ss = nse || !r->has_secure ? V9_SS_NONE : V9_SS_SECURE;
	if (to_el2 && v9_route_el2_enabled(r, o.ss)) {
		o.el = 2;
		o.e2h = r->hcr_el2 & V9_HCR_EL2_E2H;
	}
	return o;
}

/* SPE-OW2, SPE-OW3 */
struct v9_owner v9_spe_owner(const struct v9_route *r)
{
	return v9_route_owner(r, V9_GET(V9_MDCR_EL3_NSPB, r->mdcr_el3),
			      r->mdcr_el3 & V9_MDCR_EL3_NSPBE,
			      V9_GET(V9_MDCR_EL2_E2PB, r->mdcr_el2) == V9_MDCR_EL2_E2PB_EL2);
}

const char *v9_spe_owner_name(const struct v9_route *r)
{
	static const char *const regime[][3] = {
		[V9_SS_SECURE] = { "S_EL1_0", "S_EL2", "S_EL2_0" },
		[V9_SS_NONSECURE] = { "NS_EL1_0", "NS_EL2", "NS_EL2_0" },
		[V9_SS_ROOT] = { "RESERVED", "RESERVED", "RESERVED" },
		[V9_SS_REALM] = { "RL_EL1_0", "RL_EL2", "RL_EL2_0" },
	};
	static const char *const off[] = {
		[V9_SS_SECURE] = "DISABLED_IN_SECURE",
		[V9_SS_NONSECURE] = "DISABLED_IN_NONSECURE",
		[V9_SS_ROOT] = "RESERVED",
		[V9_SS_REALM] = "DISABLED_IN_REALM",
	};
	struct v9_owner o = v9_spe_owner(r);
	enum v9_ss ss = v9_route_ss(r);

	if (o.ss == V9_SS_NONE || ss == V9_SS_NONE)
		return "RESERVED";
	/* SPE-OW6 */
	if (o.ss != ss)
		return off[ss];
	return regime[ss][o.el == 1 ? 0 : 1 + o.e2h];
}

/*
 * Returns true if a management event has stopped profiling (SPE-ME3). S of EL2 and EL3 counts
 * only if events are reported there.
 */
static bool spe_stopped(const struct v9_route *r, const struct v9_spe_ctl *c)
{
	struct v9_reporting p;
	unsigned int s;

	if (!c->exc)
		return c->pmbsr & V9_PMBSR_EL1_S;
	s = (c->pmbsr & V9_PMBSR_EL1_S ? V9_LEVEL(1) : 0) |
	    (c->pmbsr_el2 & V9_PMBSR_EL1_S ? V9_LEVEL(2) : 0) |
	    (c->pmbsr_el3 & V9_PMBSR_EL1_S ? V9_LEVEL(3) : 0);
	p = v9_spe_reporting(r, c);
	return v9_event_stopped(&p, s);
}

bool v9_spe_buffer_enabled(const struct v9_route *r, const struct v9_spe_ctl *c)
{
	struct v9_owner o;

	/* The registers are checked first: profiling is disabled there in most cases. */
	if (!(c->pmblimitr & V9_PMBLIMITR_EL1_E) || r->debug || spe_stopped(r, c))
		return false;
	o = v9_spe_owner(r);
	return o.ss != V9_SS_NONE && o.ss == v9_route_ss(r) &&
	       (o.el == 2 ? r->el2_a64 : r->el1_a64);
}

bool v9_spe_profiling(const struct v9_route *r, const struct v9_spe_ctl *c)
{
	struct v9_owner o;
	bool host;

	if (!r->a64 || !v9_spe_buffer_enabled(r, c))
		return false;
	o = v9_spe_owner(r);
	host = v9_route_host(r);
	if (r->el > o.el || (host && o.el == 1))	/* SPE-EN3, EN4 */
		return false;
	switch (r->el) {
	case 2:
		return c->pmscr_el2 & V9_PMSCR_EL2_E2SPE;
	case 1:
		return c->pmscr_el1 & V9_PMSCR_EL1_E1SPE;
	default:
		return host ? c->pmscr_el2 & V9_PMSCR_EL2_E0HSPE :
			      c->pmscr_el1 & V9_PMSCR_EL1_E0SPE;	/* SPE-EN5 */
	}
}

bool v9_spe_nvm(const struct v9_route *r, bool has_nvm, const struct v9_spe_ctl *c)
{
	struct v9_owner o = v9_spe_owner(r);

	if (!has_nvm)
		return false;
	if (o.el == 1 && v9_route_el2_enabled(r, o.ss) && !(c->pmscr_el2 & V9_PMSCR_EL2_EnVM))
		return false;
	return c->pmblimitr & V9_PMBLIMITR_EL1_nVM;
}

/* Returns the clock that a PCT field selects. The upper bit needs FEAT_ECV. */
static unsigned int spe_pct(const struct v9_route *r, uint64_t field)
{
	return r->has_ecv ? field : field & 1;
}

unsigned int v9_spe_exposure(const struct v9_route *r, const struct v9_spe_ctl *c)
{
	struct v9_owner o = v9_spe_owner(r);
	bool owner_el2 = v9_route_el2_enabled(r, o.ss);
	bool here_el2 = v9_route_el2_enabled(r, v9_route_ss(r));
	unsigned int pct1 = spe_pct(r, V9_GET(V9_PMSCR_EL1_PCT, c->pmscr_el1));
	unsigned int pct2 = spe_pct(r, V9_GET(V9_PMSCR_EL2_PCT, c->pmscr_el2));
	bool pa1 = c->pmscr_el1 & V9_PMSCR_EL1_PA, pa2 = c->pmscr_el2 & V9_PMSCR_EL2_PA;
	unsigned int show = 0, pct;
	bool ts, pa;

	/* SPE-CD16 to CD18: the owner's control, combined with that of EL2 if enabled */
	if (o.el == 2) {
		ts = c->pmscr_el2 & V9_PMSCR_EL2_TS;
		pct = pct2;
		pa = pa2;
	} else {
		ts = c->pmscr_el1 & V9_PMSCR_EL1_TS;
		pct = owner_el2 ? pct1 & pct2 : pct1;
		/* guest physical in one field and physical in the other selects guest physical */
		if (owner_el2 && pct1 && pct2 && pct1 != pct2)
			pct = 3;
		if (!r->has_el2)
			pct = 1;	/* PMSCR_EL1.PCT is RES1 */
		pa = owner_el2 ? pa1 && pa2 : pa1;
	}
	if (ts) {
		show |= V9_SPE_SHOW_TS;
		if (pct == 1)
			show |= V9_SPE_SHOW_PHYS;
		else if (pct == 3)
			show |= V9_SPE_SHOW_GUEST;
	}
	if (pa)
		show |= V9_SPE_SHOW_PA;
	/* SPE-CD15 */
	if ((c->pmscr_el1 & V9_PMSCR_EL1_CX) && r->el != 2 && !v9_route_host(r))
		show |= V9_SPE_SHOW_CX1;
	if (here_el2 && (c->pmscr_el2 & V9_PMSCR_EL2_CX))
		show |= V9_SPE_SHOW_CX2;
	return show;
}

bool v9_spe_denied(const struct v9_route *r)
{
	struct v9_owner o = v9_spe_owner(r);

	if (r->el == 3)
		return false;
	return o.ss != v9_route_ss(r) || r->el < o.el;
}

/*
 * Returns true if MDCR_EL3.{NSPBE,NSPB} assigns the registers to another state than the current
 * one, or an enable bit of MDCR_EL3 for @feat is 0.
 */
static bool spe_trapped_el3(const struct v9_route *r, enum v9_feat feat)
{
	enum v9_ss ss = v9_route_ss(r);
	unsigned int nspb = V9_GET(V9_MDCR_EL3_NSPB, r->mdcr_el3);
	bool nspbe = r->mdcr_el3 & V9_MDCR_EL3_NSPBE;
	bool realm = ss == V9_SS_REALM;

	if (nspb != (ss == V9_SS_SECURE ? 1 : 3))
		return true;
	if (r->has_rme && nspbe != realm)
		return true;
	if (feat == V9_FEAT_SPE_FnE)
		return !(r->mdcr_el3 & V9_MDCR_EL3_EnPMSN);
	if (feat == V9_FEAT_SPE_FDS)
		return !(r->mdcr_el3 & V9_MDCR_EL3_EnPMS3);
	if (feat == V9_FEAT_SPE_nVM)
		return !(r->mdcr_el3 & V9_MDCR_EL3_EnPMS4);
	return false;
}

enum v9_access v9_nested_access(const struct v9_route *r, enum v9_trap trap)
{
	unsigned int nv = v9_route_nv(r);

	if (!nv)
		return V9_ACCESS_UNDEF;
	return trap == V9_TRAP_EL12 && nv == (V9_NV | V9_NV2) ? V9_ACCESS_MEMORY : V9_ACCESS_EL2;
}

bool v9_el12_exists(const struct v9_route *r)
{
	return r->el >= 2 && v9_route_el2_enabled(r, v9_route_ss(r)) &&
	       (r->hcr_el2 & V9_HCR_EL2_E2H);
}

/* The trap bits are the same in both registers. 0 traps. */
static uint64_t fgt2_bit(enum v9_trap trap, enum v9_feat feat)
{
	switch (feat) {
	case V9_FEAT_SPE_nVM:
		return V9_HDFGRTR2_EL2_nPMBMAR_EL1;
	case V9_FEAT_SPE_FDS:
		return V9_HDFGRTR2_EL2_nPMSDSFR_EL1;
	case V9_FEAT_TRBE_MPAM:
		return V9_HDFGRTR2_EL2_nTRBMPAM_EL1;
	case V9_FEAT_ITE:
		/* the other registers of this feature have no bit */
		return trap == V9_TRAP_EnITE ? V9_HDFGRTR2_EL2_nTRCITECR_EL1 : 0;
	default:
		return 0;
	}
}

bool v9_fgt2_trapped(const struct v9_route *r, enum v9_trap trap, enum v9_feat feat, bool write)
{
	uint64_t bit = fgt2_bit(trap, feat);

	if (!bit || !r->has_fgt2 || r->el != 1 || !r->a64 ||
	    !v9_route_el2_enabled(r, v9_route_ss(r)))
		return false;
	/* without FGTEn2 all bits are treated as 0 */
	if (r->has_el3 && !(r->scr_el3 & V9_SCR_EL3_FGTEn2))
		return true;
	return !((write ? r->hdfgwtr2_el2 : r->hdfgrtr2_el2) & bit);
}

/*
 * Returns true if EL2 may trap an instruction at EL1 or EL0. @enable: the bit of SCR_EL3 that
 * permits it
 */
static bool fine_grained(const struct v9_route *r, uint64_t enable)
{
	if (r->el > 1 || !r->a64 || !v9_route_el2_enabled(r, v9_route_ss(r)))
		return false;
	if ((r->hcr_el2 & V9_HCR_EL2_E2H) && (r->hcr_el2 & V9_HCR_EL2_TGE))
		return false;
	return !r->has_el3 || (r->scr_el3 & enable);
}

bool v9_psb_trapped(const struct v9_route *r)
{
	return (r->hfgitr_el2 & V9_HFGITR_EL2_PSBCSYNC) && fine_grained(r, V9_SCR_EL3_FGTEn);
}

bool v9_tsb_trapped(const struct v9_route *r)
{
	return r->has_fgt2 && (r->hfgitr2_el2 & V9_HFGITR2_EL2_TSBCSYNC) &&
	       fine_grained(r, V9_SCR_EL3_FGTEn2);
}

enum v9_access v9_spe_access(const struct v9_route *r, enum v9_trap trap, enum v9_feat feat)
{
	const bool from_el1 = r->el == 1 && v9_route_el2_enabled(r, v9_route_ss(r));

	if (r->el == 0 || !r->a64)
		return V9_ACCESS_UNDEF;
	switch (trap) {
	case V9_TRAP_NONE:
		return V9_ACCESS_OK;
	case V9_TRAP_EL12:
		if (r->el == 1)
			return v9_nested_access(r, trap);
		if (!v9_el12_exists(r))
			return V9_ACCESS_UNDEF;
		break;
	case V9_TRAP_EL2ONLY:
		if (r->el == 1)
			return v9_nested_access(r, trap);
		break;
	case V9_TRAP_EL3ONLY:
		return r->el == 3 ? V9_ACCESS_OK : V9_ACCESS_UNDEF;
	case V9_TRAP_TPMS:
		if (from_el1 && (r->mdcr_el2 & V9_MDCR_EL2_TPMS))
			return V9_ACCESS_EL2;
		break;
	case V9_TRAP_E2TB:
	case V9_TRAP_EnITE:
	case V9_TRAP_SBRBE:
	case V9_TRAP_TTA:
	case V9_TRAP_TTRF:
		return V9_ACCESS_UNDEF;		/* not used for SPE registers */
	case V9_TRAP_E2PB:
		if (from_el1 && !(V9_GET(V9_MDCR_EL2_E2PB, r->mdcr_el2) & 1))
			return V9_ACCESS_EL2;
		break;
	}
	if (r->has_el3 && r->el < 3 && spe_trapped_el3(r, feat))
		return V9_ACCESS_EL3;
	/* PMBSR_EL2: EL3 does not permit EL2 to use Profiling exceptions */
	if (trap == V9_TRAP_EL2ONLY && feat == V9_FEAT_SPE_EXC && r->has_el3 && r->el == 2 &&
	    !V9_GET(V9_MDCR_EL3_PMSEE, r->mdcr_el3))
		return V9_ACCESS_EL3;
	return V9_ACCESS_OK;
}
