/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a driver makes of its situation: who owns the buffer, where events are
 * recorded, how it is told. It sees little: neither MDCR_EL3 nor, at EL1, what
 * EL2 has set. routing.h and routing_event.h have the rules as they are; that
 * what remains of them here is right for every machine is a test
 * (selftests/host/check_routing.c).
 */
#ifndef V9TRACE_CHECK_ROUTING_H
#define V9TRACE_CHECK_ROUTING_H

#include "base.h"

/**
 * struct v9_routing_facts - what one CPU shows, its unit off and reset
 * @at_el2: the kernel runs at EL2 as a host (E2H and TGE), else at EL1
 * @to_el1: at EL2: MDCR_EL2.E2PB or E2TB is not 0
 * @has_exc: FEAT_SPE_EXC or FEAT_TRBE_EXC
 * @offered: at EL2, with @has_exc: EL3 lets EL2 have Profiling exceptions
 * @ee: the EE field of the level the kernel runs at, after it was cleared
 * @not_recorded: an event was made on purpose, it stopped the unit, and no status
 *	register of the kernel's level records it
 *
 * The kernel may use the registers: whoever owns the buffer is in its Security state,
 * and not above it (SPE-OW7, TRBE-OW8).
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
	V9_DELIVERY_NONE,	/* the driver would never hear of an event */
	V9_DELIVERY_PPI,
	V9_DELIVERY_EXCEPTION
};

/**
 * struct v9_routing - the situation, judged
 * @owner: Exception level of the owning translation regime
 * @level: x of the PMBSR_ELx or TRBSR_ELx that records events; 0: none that is ours
 * @delivery: enum v9_delivery
 * @reason: why so, in words
 */
struct v9_routing {
	uint8_t owner;
	uint8_t level;
	uint8_t delivery;
	const char *reason;
};

/**
 * v9_check_routing - judge a CPU's situation
 * @facts: as looked at
 * @r: result; of use whatever is returned
 *
 * Return: 0; -EPERM if the buffer is not that of the kernel, -EOPNOTSUPP if events go
 * where no driver hears of them. Then @r->reason says it.
 */
int v9_check_routing(const struct v9_routing_facts *facts, struct v9_routing *r);

#endif
