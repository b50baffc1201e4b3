// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where branches are recorded; traps of the Branch Record Buffer Extension. See routing.h. */
#include <v9trace/routing.h>

/* BRBE-BG2 */
bool v9_brbe_el3(const struct v9_route *r, bool v1p1)
{
	return v1p1 && r->has_el3 &&
	       !(r->mdcr_el3 & V9_MDCR_EL3_E3BREC) != !(r->mdcr_el3 & V9_MDCR_EL3_E3BREW);
}

/* BRBE-BG3: EL3 prohibits recording at EL0, EL1 and EL2 of the current Security state. */
static bool state_prohibited(const struct v9_route *r)
{
	unsigned int sbrbe = V9_GET(V9_MDCR_EL3_SBRBE, r->mdcr_el3);

	return r->has_el3 &&
	       (sbrbe == V9_MDCR_EL3_SBRBE_PROHIBITED ||
		(sbrbe == V9_MDCR_EL3_SBRBE_NOT_SECURE && v9_route_ss(r) == V9_SS_SECURE));
}

/* BRBE-BG1 to BG3 */
bool v9_brbe_prohibited(const struct v9_route *r, const struct v9_brbe_ctl *c)
{
	if (!r->a64 || r->debug)
		return true;
	if (r->el == 3)
		return !v9_brbe_el3(r, c->v1p1);
	if (state_prohibited(r))
		return true;
	switch (r->el) {
	case 2:
		return !(c->brbcr_el2 & V9_BRBCR_EL2_E2BRE);
	case 1:
		return !(c->brbcr_el1 & V9_BRBCR_EL1_E1BRE);
	default:
		return v9_route_host(r) ? !(c->brbcr_el2 & V9_BRBCR_EL2_E0HBRE) :
					  !(c->brbcr_el1 & V9_BRBCR_EL1_E0BRE);
	}
}

/* Registers and instructions; 0b01 traps in Secure state, 0b11 never */
static enum v9_access sbrbe_access(const struct v9_route *r)
{
	unsigned int sbrbe = V9_GET(V9_MDCR_EL3_SBRBE, r->mdcr_el3);

	if (!r->has_el3 || r->el == 3 || sbrbe == V9_MDCR_EL3_SBRBE_ALLOWED)
		return V9_ACCESS_OK;
	if (sbrbe == V9_MDCR_EL3_SBRBE_NOT_SECURE && v9_route_ss(r) != V9_SS_SECURE)
		return V9_ACCESS_OK;
	return V9_ACCESS_EL3;
}

enum v9_access v9_brbe_access(const struct v9_route *r, enum v9_trap trap, enum v9_feat feat)
{
	(void)feat;
	if (r->el == 0 || !r->a64)
		return V9_ACCESS_UNDEF;
	if (r->el == 1 && (trap == V9_TRAP_EL12 || trap == V9_TRAP_EL2ONLY))
		return v9_nested_access(r, trap);
	if (trap == V9_TRAP_EL12 && !v9_el12_exists(r))
		return V9_ACCESS_UNDEF;
	return sbrbe_access(r);
}

enum v9_access v9_brb_access(const struct v9_route *r)
{
	return r->el == 0 || !r->a64 ? V9_ACCESS_UNDEF : sbrbe_access(r);
}
