// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Routing of management events. See routing_event.h. */
#include <v9trace/routing_event.h>

/* EE fields enable reporting for values 0b10 and 0b11. */
static bool reports(unsigned int ee)
{
	return ee & 2;
}

/* Converts the fields in the registers to their Effective values. */
static struct v9_reporting effective(const struct v9_route *r, bool exc, unsigned int ee3,
				     unsigned int ee2, unsigned int ee1)
{
	struct v9_reporting p = { .ee3 = r->has_el3 ? ee3 : 1 };

	if (!exc)
		p.ee3 = 0;
	if (p.ee3)
		p.ee2 = v9_route_el2_enabled(r, v9_route_ss(r)) ? ee2 : 1;
	/* 0b01 and 0b10 are for nested virtualization and behave as 0b00 and 0b11 */
	if (p.ee2)
		p.ee1 = reports(ee1) ? 3 : 0;
	return p;
}

struct v9_reporting v9_trbe_reporting(const struct v9_route *r, bool exc,
				      const struct v9_trace_ctl *c)
{
	struct v9_reporting p;

	p = effective(r, exc && v9_self_hosted_trace(r), V9_GET(V9_MDCR_EL3_TRBEE, r->mdcr_el3),
		      V9_GET(V9_TRFCR_EL2_EE, c->trfcr_el2), V9_GET(V9_TRFCR_EL1_EE, c->trfcr_el1));
	p.ke2 = c->trfcr_el2 & V9_TRFCR_EL2_KE;
	p.ke1 = c->trfcr_el1 & V9_TRFCR_EL1_KE;
	p.owner = v9_trbe_owner(r);
	return p;
}

struct v9_reporting v9_spe_reporting(const struct v9_route *r, const struct v9_spe_ctl *c)
{
	struct v9_reporting p;

	p = effective(r, c->exc, V9_GET(V9_MDCR_EL3_PMSEE, r->mdcr_el3),
		      V9_GET(V9_PMSCR_EL2_EE, c->pmscr_el2), V9_GET(V9_PMSCR_EL1_EE, c->pmscr_el1));
	p.ke2 = c->pmscr_el2 & V9_PMSCR_EL2_KE;
	p.ke1 = c->pmscr_el1 & V9_PMSCR_EL1_KE;
	p.owner = v9_spe_owner(r);
	return p;
}

/* Returns true if a store at the owning level with the same fault would be taken to EL3. */
static bool faults_to_el3(const struct v9_route *r, enum v9_event event)
{
	switch (event) {
	case V9_EVENT_GPC:
		return true;
	case V9_EVENT_GPF_S1:
	case V9_EVENT_GPF_S2:
		return r->scr_el3 & V9_SCR_EL3_GPF;
	case V9_EVENT_EA_S1:
	case V9_EVENT_EA_S2:
		return r->scr_el3 & V9_SCR_EL3_EA;
	default:
		return false;
	}
}

/*
 * Returns true if such a store would be taken to EL2. A GPC fault is taken there if it is not taken
 * to EL3.
 */
static bool faults_to_el2(const struct v9_route *r, const struct v9_owner *o, enum v9_event event)
{
	switch (event) {
	case V9_EVENT_OTHER:
		return false;
	case V9_EVENT_S2:
	case V9_EVENT_EA_S2:
	case V9_EVENT_GPF_S2:
	case V9_EVENT_GPC:
		return true;
	case V9_EVENT_EA_S1:
		return o->el == 2 || (r->hcr_el2 & V9_HCR_EL2_TEA);
	case V9_EVENT_GPF_S1:
		return o->el == 2 || (r->hcr_el2 & V9_HCR_EL2_GPF);
	default:
		return o->el == 2;
	}
}

unsigned int v9_event_level(const struct v9_route *r, const struct v9_reporting *p,
			    enum v9_event event)
{
	if (p->ee3 == 3 || (p->ee3 == 2 && faults_to_el3(r, event)))
		return 3;
	if (p->ee2 == 3 || (p->ee2 == 2 && faults_to_el2(r, &p->owner, event)))
		return 2;
	return 1;
}

bool v9_event_stopped(const struct v9_reporting *p, unsigned int s)
{
	return (s & V9_LEVEL(1)) || ((s & V9_LEVEL(2)) && reports(p->ee2)) ||
	       ((s & V9_LEVEL(3)) && reports(p->ee3));
}

bool v9_event_interrupts(const struct v9_reporting *p)
{
	return !p->ee1;
}

/* An exception is taken to its own level only with KE, and PSTATE.PM can mask it there. */
static enum v9_pending at_own_level(const struct v9_route *r, bool enabled)
{
	if (!enabled)
		return V9_PENDING_MASKED;
	return r->pm ? V9_PENDING_PM : V9_PENDING_TAKE;
}

struct v9_profiling v9_event_exception(const struct v9_route *r, const struct v9_reporting *p,
				       unsigned int level)
{
	struct v9_profiling x = { .how = V9_PENDING_NO };
	bool here = !r->debug && p->owner.ss == v9_route_ss(r);

	switch (level) {
	case 3:
		if (!reports(p->ee3))
			return x;
		x.target = 3;
		/* independent of the owner */
		x.how = r->el < 3 && !r->debug ? V9_PENDING_TAKE : V9_PENDING_MASKED;
		return x;
	case 2:
		if (!reports(p->ee2))
			return x;
		x.target = 2;
		x.how = r->el < 2 ? V9_PENDING_TAKE :
			r->el == 2 ? at_own_level(r, p->ee2 == 3 && p->ke2) : V9_PENDING_MASKED;
		break;
	default:
		if (!p->ee1)
			return x;
		x.target = v9_route_host(r) ? 2 : 1;
		x.how = r->el == 0 ? V9_PENDING_TAKE :
			r->el == 1 ? at_own_level(r, p->ke1) : V9_PENDING_MASKED;
	}
	if (!here)
		x.how = V9_PENDING_MASKED;
	return x;
}

unsigned int v9_event_take(const struct v9_route *r, const struct v9_reporting *p,
			   unsigned int asking)
{
	unsigned int level;

	for (level = 3; level; level--) {
		struct v9_profiling x = v9_event_exception(r, p, level);

		if ((asking & V9_LEVEL(level)) && x.how == V9_PENDING_TAKE)
			return x.target;
	}
	return 0;
}

bool v9_event_redirected(const struct v9_route *r, const struct v9_reporting *p)
{
	return r->el == 2 && (r->hcr_el2 & V9_HCR_EL2_E2H) && p->ee2;
}

bool v9_spe_status_in_memory(const struct v9_route *r, const struct v9_spe_ctl *c)
{
	unsigned int nv = v9_route_nv(r);

	if (r->el != 1 || !(nv & V9_NV2))
		return false;
	return (nv & V9_NV1) || !v9_spe_reporting(r, c).ee2 ||
	       !(c->pmscr_el1 & V9_PMSCR_EL1_EE);
}

bool v9_trbe_status_in_memory(const struct v9_route *r, bool exc, const struct v9_trace_ctl *c)
{
	return r->el == 1 && v9_route_nv(r) == (V9_NV | V9_NV1 | V9_NV2) &&
	       v9_trbe_reporting(r, exc, c).ee2 && (c->trfcr_el1 & V9_TRFCR_EL1_EE);
}
