/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which Exception level owns the buffer, which status register records events, and how the driver
 * is notified. A driver cannot read all of the controls: it can read neither MDCR_EL3 nor, at EL1,
 * the registers of EL2. routing.h and routing_event.h have the complete rules;
 * selftests/host/check_routing.c checks that these functions agree with them on every machine.
 */
#ifndef V9TRACE_CHECK_ROUTING_H
#define V9TRACE_CHECK_ROUTING_H

#include "base.h"

/**
 * struct v9_routing_facts - what the registers of a CPU show while its unit is off and reset
 * @at_el2: the kernel runs at EL2 as a host (E2H and TGE), else at EL1
 * @to_el1: at EL2: MDCR_EL2.E2PB or E2TB is not 0
 * @has_exc: FEAT_SPE_EXC or FEAT_TRBE_EXC
 * @offered: EL3 permits Profiling exceptions at EL2; valid at EL2 with @has_exc
 * @ee: EE field of the level that the kernel runs at, read after it was cleared
 * @not_recorded: the self-test caused an event that stopped the unit, and no status register of
 *	the kernel's level recorded it
 *
 * The kernel can access the registers, so the owner of the buffer is in its Security state, and not
 * at a higher level (SPE-OW7, TRBE-OW8).
 */
struct v9_routing_facts {
	bool at_el2;
	bool to_el1;
	bool has_exc;
	bool offered;
	uint8_t ee;
	bool not_recorded;
};

enum v9_delivery {
	V9_DELIVERY_NONE,	/* the driver is not notified */
	V9_DELIVERY_PPI,
	V9_DELIVERY_EXCEPTION
};

/**
 * struct v9_routing - where events are recorded, and how the driver is notified
 * @owner: Exception level of the owning translation regime
 * @level: x of the PMBSR_ELx or TRBSR_ELx that records events; 0: none that the kernel can read
 * @delivery: enum v9_delivery
 * @reason: explanation, one line
 */
struct v9_routing {
	uint8_t owner;
	uint8_t level;
	uint8_t delivery;
	const char *reason;
};

/**
 * v9_check_routing - check whether the driver is notified of the events of a CPU
 * @facts: what the registers show
 * @r: result; valid after an error, too
 *
 * Return: 0; -EPERM if the kernel does not own the buffer; -EOPNOTSUPP if the driver is not
 * notified of events. @r->reason explains it.
 */
int v9_check_routing(const struct v9_routing_facts *facts, struct v9_routing *r);

#endif
