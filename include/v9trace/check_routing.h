/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which Exception level owns the buffer, which status register records events, and how the driver
 * is notified, as far as a driver can read it: neither MDCR_EL3 nor, at EL1, what EL2 has set.
 * routing.h and routing_event.h have the complete rules; selftests/host/check_routing.c shows that
 * these functions agree with them on every machine.
 */
#ifndef V9TRACE_CHECK_ROUTING_H
#define V9TRACE_CHECK_ROUTING_H

#include "base.h"

/**
 * struct v9_routing_facts - what one CPU's registers show, its unit off and reset
 * @at_el2: the kernel runs at EL2 as a host (E2H and TGE), else at EL1
 * @to_el1: at EL2: MDCR_EL2.E2PB or E2TB is not 0
 * @has_exc: FEAT_SPE_EXC or FEAT_TRBE_EXC
 * @offered: at EL2, with @has_exc: EL3 permits Profiling exceptions at EL2
 * @ee: EE field of the level that the kernel runs at, read after it was cleared
 * @not_recorded: the self-test stopped the unit by an event, and no status register of the kernel's
 *	level recorded it
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
 * struct v9_routing - where events go
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
 * v9_check_routing - can the driver be notified of this CPU's events?
 * @facts: what the registers show
 * @r: result; valid whatever is returned
 *
 * Return: 0; -EPERM if the kernel does not own the buffer; -EOPNOTSUPP if the driver is not
 * notified of events. @r->reason explains it.
 */
int v9_check_routing(const struct v9_routing_facts *facts, struct v9_routing *r);

#endif
