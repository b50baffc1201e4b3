// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * See check_routing.h. With EE 0 at the kernel's level, events that no higher level takes are
 * recorded in the status register of EL1, which raises the interrupt (TRBE-EV3, TRBE-IR1,
 * SPE-ME15).
 */
#include "v9trace/check_routing.h"

int v9_check_routing(const struct v9_routing_facts *facts, struct v9_routing *r)
{
	/* A kernel at EL1 that can access the registers owns the buffer; EL2 does not. */
	*r = (struct v9_routing){
		.owner = facts->at_el2 && !facts->to_el1 ? 2 : 1,
		.level = 1,
		.delivery = V9_DELIVERY_PPI,
	};

	/* A buffer that EL1 owns is disabled while a host runs at EL2: SPE-OW4, TRBE-OW3 */
	if (facts->at_el2 && facts->to_el1) {
		r->delivery = V9_DELIVERY_NONE;
		r->reason = "MDCR_EL2 gives the buffer to EL1, and this kernel runs at EL2";
		return -EPERM;
	}
	/*
	 * At EL1 the values 0b01 and 0b10 behave as 0b00 and 0b11. At EL2 with a value other than
	 * 0b00 the name of EL1's status register accesses that of EL2.
	 */
	if (facts->has_exc && (facts->at_el2 ? facts->offered && facts->ee : facts->ee & 2)) {
		r->level = facts->at_el2 ? 2 : 1;
		r->delivery = V9_DELIVERY_EXCEPTION;
		r->reason = "events would come as Profiling exceptions: EE cannot be cleared";
		return -EOPNOTSUPP;
	}
	if (facts->not_recorded) {
		r->level = 0;
		r->delivery = V9_DELIVERY_NONE;
		r->reason = "events are recorded at a higher exception level";
		return -EOPNOTSUPP;
	}

	if (!facts->has_exc)
		r->reason = "this machine has no Profiling exceptions";
	else if (!facts->at_el2)
		r->reason = "EE of EL1 is 0, so no Profiling exceptions";
	else if (facts->offered)
		r->reason = "EE of EL2 is 0, so no Profiling exceptions";
	else
		r->reason = "EL3 allows no Profiling exceptions";
	return 0;
}
