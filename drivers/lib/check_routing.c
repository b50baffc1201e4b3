// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The situation of a driver, see check_routing.h. What is left of the rules if
 * EE is 0 at the kernel's level: events that no higher level keeps are recorded
 * in the register of EL1, and that one interrupts (TRBE-EV3, TRBE-IR1, SPE-ME15).
 */
#include "v9trace/check_routing.h"

int v9_check_routing(const struct v9_routing_facts *facts, struct v9_routing *r)
{
	/* At EL1 the kernel may use the registers, so EL2 does not own them. */
	*r = (struct v9_routing){
		.owner = facts->at_el2 && !facts->to_el1 ? 2 : 1,
		.level = 1,
		.delivery = V9_DELIVERY_PPI,
	};

	/* A buffer of EL1 is off wherever a host at EL2 runs: SPE-OW4, TRBE-OW3 */
	if (facts->at_el2 && facts->to_el1) {
		r->delivery = V9_DELIVERY_NONE;
		r->reason = "MDCR_EL2 gives the buffer to EL1, and this kernel runs at EL2";
		return -EPERM;
	}
	/*
	 * 0b01 and 0b10 of EL1 act as 0b00 and 0b11. At EL2 any but 0b00 makes the name of
	 * EL1's status register that of EL2's.
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
