// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counters of a PE: offsets from the physical counter, steps */
#include "bus.h"

/* Returns true if HCR_EL2 makes the current Exception level part of a host. */
static bool in_host(const struct v9_route *r)
{
	if (!v9_route_el2_enabled(r, v9_route_ss(r)) || !(r->hcr_el2 & V9_HCR_EL2_E2H))
		return false;
	return r->el == 2 || (!r->el && (r->hcr_el2 & V9_HCR_EL2_TGE));
}

/* Returns true if CNTPOFF_EL2 applies, in the same way for trace and for profiling. */
static bool has_physical_offset(const struct v9_route *r, const struct v9_offsets *o)
{
	if (!r->has_el2 || !o->has_poff || !o->ecv)
		return false;
	if (!r->has_el3)
		return true;
	if (v9_route_ss(r) == V9_SS_NONSECURE && !(r->scr_el3 & V9_SCR_EL3_RW))
		return false;
	return r->scr_el3 & V9_SCR_EL3_ECVEn;
}

uint64_t v9_clock_offset(const struct v9_route *r, const struct v9_offsets *o,
			 enum v9_clock which)
{
	switch (which) {
	case V9_CLOCK_VIRTUAL:
		return r->has_el2 ? o->cntvoff_el2 : 0;
	case V9_CLOCK_CNTVCT:
		return r->has_el2 && !in_host(r) ? o->cntvoff_el2 : 0;
	case V9_CLOCK_GUEST_PHYSICAL:
		return has_physical_offset(r, o) ? o->cntpoff_el2 : 0;
	default:
		return 0;
	}
}

uint64_t v9_clock_step(uint64_t count, unsigned int step)
{
	return step ? count - count % step : count;
}
