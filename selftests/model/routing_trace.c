// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Ownership of the Trace Buffer Unit, prohibited regions, traps. See routing.h. */
#include <v9trace/routing.h>

bool v9_self_hosted_trace(const struct v9_route *r)
{
	bool secure;

	if (!r->tfo)
		return true;
	/* With external trace, self-hosted trace remains for states hidden from the debugger. */
	if (!r->has_el3)
		secure = r->pe_ss == V9_SS_SECURE;
	else
		secure = (r->mdcr_el3 & V9_MDCR_EL3_STE) && (!r->has_rme || r->has_secure);
	if (r->has_rme && (r->mdcr_el3 & V9_MDCR_EL3_RLTE) && !r->ext_realm)
		return true;
	return secure && !r->ext_secure;
}

/* TRBE-OW1, TRBE-OW2 */
struct v9_owner v9_trbe_owner(const struct v9_route *r)
{
	return v9_route_owner(r, V9_GET(V9_MDCR_EL3_NSTB, r->mdcr_el3),
			      r->mdcr_el3 & V9_MDCR_EL3_NSTBE,
			      V9_GET(V9_MDCR_EL2_E2TB, r->mdcr_el2) == V9_MDCR_EL2_E2TB_EL2);
}

bool v9_trbe_enabled(const struct v9_route *r, const struct v9_trace_ctl *c)
{
	if (!(c->trblimitr & V9_TRBLIMITR_EL1_E))
		return false;
	return v9_trbe_owner(r).el == 2 ? r->el2_a64 : r->el1_a64;
}

bool v9_trbe_nvm(const struct v9_route *r, bool v1p1, const struct v9_trace_ctl *c)
{
	struct v9_owner o = v9_trbe_owner(r);

	if (v1p1 && o.el == 1 && v9_route_el2_enabled(r, o.ss) && v9_self_hosted_trace(r) &&
	    (c->trfcr_el2 & V9_TRFCR_EL2_DnVM))
		return false;
	return c->trblimitr & V9_TRBLIMITR_EL1_nVM;
}

/* TRBE-OW7: returns true if EL3 permits trace in state @ss. */
static bool state_allowed(const struct v9_route *r, enum v9_ss ss)
{
	if (!r->has_el3)
		return true;
	switch (ss) {
	case V9_SS_SECURE:
		return r->mdcr_el3 & V9_MDCR_EL3_STE;
	case V9_SS_REALM:
		return r->mdcr_el3 & V9_MDCR_EL3_RLTE;
	default:
		return ss == V9_SS_NONSECURE;
	}
}

bool v9_trace_allowed(const struct v9_route *r, const struct v9_trace_ctl *c)
{
	enum v9_ss ss = v9_route_ss(r);
	bool host = v9_route_host(r);

	if (r->el == 3 || !state_allowed(r, ss))
		return false;
	/* TRBE-OW3 to OW5 */
	if (v9_trbe_enabled(r, c)) {
		struct v9_owner o = v9_trbe_owner(r);

		if (o.ss != ss || r->el > o.el || (host && o.el == 1))
			return false;
	}
	switch (r->el) {
	case 2:
		return c->trfcr_el2 & V9_TRFCR_EL2_E2TRE;
	case 1:
		return c->trfcr_el1 & V9_TRFCR_EL1_E1TRE;
	default:
		return host ? c->trfcr_el2 & V9_TRFCR_EL2_E0HTRE :
			      c->trfcr_el1 & V9_TRFCR_EL1_E0TRE;
	}
}

bool v9_instrumentation_allowed(const struct v9_route *r, const struct v9_instrumentation_ctl *c)
{
	switch (r->el) {
	case 2:
		return c->trcitecr_el2 & V9_TRCITECR_EL2_E2E;
	case 1:
		return c->trcitecr_el1 & V9_TRCITECR_EL1_E1E;
	case 0:
		return v9_route_host(r) ? c->trcitecr_el2 & V9_TRCITECR_EL2_E0HE :
					  c->trcitecr_el1 & V9_TRCITECR_EL1_E0E;
	default:
		return false;
	}
}

bool v9_trbe_denied(const struct v9_route *r)
{
	struct v9_owner o = v9_trbe_owner(r);

	/* TRBE-OW8 */
	if (r->el == 3)
		return false;
	return o.ss != v9_route_ss(r) || r->el < o.el;
}

/* TRBE-OW9 */
static bool trbe_trapped_el3(const struct v9_route *r, enum v9_feat feat)
{
	enum v9_ss ss = v9_route_ss(r);
	unsigned int nstb = V9_GET(V9_MDCR_EL3_NSTB, r->mdcr_el3);

	if (nstb != (ss == V9_SS_SECURE ? 1 : 3))
		return true;
	if (feat == V9_FEAT_TRBE_MPAM && !(r->mdcr_el3 & V9_MDCR_EL3_EnTB2))
		return true;
	return r->has_rme && !!(r->mdcr_el3 & V9_MDCR_EL3_NSTBE) != (ss == V9_SS_REALM);
}

/* Registers of the trace unit: each Exception level has one trap bit. */
static enum v9_access tta_access(const struct v9_route *r, bool el2)
{
	uint64_t cptr_el2 = r->hcr_el2 & V9_HCR_EL2_E2H ? V9_CPTR_EL2_TTA_E2H : V9_CPTR_EL2_TTA;

	if (r->el == 1 && (r->cpacr_el1 & V9_CPACR_EL1_TTA))
		return V9_ACCESS_EL1;
	if (r->el <= 2 && el2 && (r->cptr_el2 & cptr_el2))
		return V9_ACCESS_EL2;
	if (r->has_el3 && (r->cptr_el3 & V9_CPTR_EL3_TTA))
		return V9_ACCESS_EL3;
	return V9_ACCESS_OK;
}

/* Registers of the Trace Buffer Unit. TRBSR_EL2 (@el2only) also needs MDCR_EL3.TRBEE. */
static enum v9_access trbe_access(const struct v9_route *r, enum v9_feat feat, bool el2only)
{
	if (!r->has_el3 || r->el == 3)
		return V9_ACCESS_OK;
	if (trbe_trapped_el3(r, feat) || (el2only && !V9_GET(V9_MDCR_EL3_TRBEE, r->mdcr_el3)))
		return V9_ACCESS_EL3;
	return V9_ACCESS_OK;
}

static enum v9_access trfcr_access(const struct v9_route *r)
{
	return r->has_el3 && r->el < 3 && (r->mdcr_el3 & V9_MDCR_EL3_TTRF) ? V9_ACCESS_EL3 :
									     V9_ACCESS_OK;
}

static enum v9_access ite_access(const struct v9_route *r)
{
	return r->has_el3 && r->el < 3 && !(r->mdcr_el3 & V9_MDCR_EL3_EnITE) ? V9_ACCESS_EL3 :
									       V9_ACCESS_OK;
}

enum v9_access v9_trace_access(const struct v9_route *r, enum v9_trap trap, enum v9_feat feat)
{
	bool el2 = v9_route_el2_enabled(r, v9_route_ss(r));

	if (r->el == 0 || !r->a64)
		return V9_ACCESS_UNDEF;		/* ETE-R_VGVTS */
	switch (trap) {
	case V9_TRAP_TTA:
		return tta_access(r, el2);
	case V9_TRAP_E2TB:
		if (r->el == 1 && el2 && !(V9_GET(V9_MDCR_EL2_E2TB, r->mdcr_el2) & 1))
			return V9_ACCESS_EL2;
		return trbe_access(r, feat, false);
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
	case V9_TRAP_EnITE:
		break;
	case V9_TRAP_EL3ONLY:
		return r->el == 3 ? V9_ACCESS_OK : V9_ACCESS_UNDEF;
	case V9_TRAP_TTRF:
		if (r->el == 1 && el2 && (r->mdcr_el2 & V9_MDCR_EL2_TTRF))
			return V9_ACCESS_EL2;
		break;
	default:
		return V9_ACCESS_OK;
	}
	if (feat == V9_FEAT_TRBE_EXC)
		return trbe_access(r, feat, trap == V9_TRAP_EL2ONLY);
	if (feat == V9_FEAT_ITE)
		return ite_access(r);
	return trfcr_access(r);
}
