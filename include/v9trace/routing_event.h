/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routing of buffer management events: which of the three status registers records an event,
 * whether it stops the unit, and whether it causes an interrupt or a Profiling exception. The
 * rules of both units are the same; the names differ:
 *
 *	Trace Buffer Unit	Profiling Buffer
 *	TRBSR_ELx.IRQ		PMBSR_ELx.S		requests an interrupt or exception
 *	TRBSR_ELx.S		PMBSR_ELx.S		stops the unit
 *	MDCR_EL3.TRBEE		MDCR_EL3.PMSEE		control of EL3
 *	TRFCR_ELx.{EE,KE}	PMSCR_ELx.{EE,KE}	controls of EL2 and EL1
 */
#ifndef V9TRACE_ROUTING_EVENT_H
#define V9TRACE_ROUTING_EVENT_H

#include "routing.h"

/* Types of management event, as distinguished by the columns of the manual's tables */
enum v9_event {
	V9_EVENT_OTHER,		/* full, wrap, trigger, access not allowed: EC 0 */
	V9_EVENT_S1,		/* stage 1 abort other than those below */
	V9_EVENT_S2,
	V9_EVENT_EA_S1,		/* external abort */
	V9_EVENT_EA_S2,
	V9_EVENT_GPF_S1,	/* Granule Protection Fault */
	V9_EVENT_GPF_S2,
	V9_EVENT_GPC		/* other Granule Protection Check fault */
};

#define V9_EVENTS 8

/**
 * struct v9_reporting - Effective values of the controls of reporting
 * @owner: owning translation regime
 * @ee3: MDCR_EL3.TRBEE or PMSEE; 1 without EL3
 * @ee2: EE of EL2: 0 if Profiling exceptions are not available, 1 without EL2
 * @ee1: EE of EL1: 0 or 3
 * @ke2: KE of EL2
 * @ke1: KE of EL1
 */
struct v9_reporting {
	struct v9_owner owner;
	uint8_t ee3;
	uint8_t ee2;
	uint8_t ee1;
	bool ke2;
	bool ke1;
};

/* Compute the Effective values. @exc: FEAT_TRBE_EXC is implemented */
struct v9_reporting v9_trbe_reporting(const struct v9_route *r, bool exc,
				      const struct v9_trace_ctl *c);
struct v9_reporting v9_spe_reporting(const struct v9_route *r, const struct v9_spe_ctl *c);

/* TRBE-EV3, SPE-ME15: x of the TRBSR_ELx or PMBSR_ELx that records the event */
unsigned int v9_event_level(const struct v9_route *r, const struct v9_reporting *p,
			    enum v9_event event);

/* A set of status registers: bit x is the register of ELx. */
#define V9_LEVEL(x)	(1u << (x))

/* TRBE-EN3: returns true if collection is stopped. @s: set of registers whose S is 1 */
bool v9_event_stopped(const struct v9_reporting *p, unsigned int s);

/*
 * TRBE-IR1: returns true if the interrupt request follows the status register of EL1. Otherwise it
 * is LOW.
 */
bool v9_event_interrupts(const struct v9_reporting *p);

enum v9_pending {
	V9_PENDING_NO,		/* the exception is disabled */
	V9_PENDING_MASKED,	/* masked: C in the manual's tables */
	V9_PENDING_PM,		/* masked by PSTATE.PM: B in the tables */
	V9_PENDING_TAKE
};

/**
 * struct v9_profiling - the Profiling exception that one status register requests
 * @how: enum v9_pending
 * @target: Exception level that takes it, unless @how is V9_PENDING_NO
 */
struct v9_profiling {
	uint8_t how;
	uint8_t target;
};

/* TRBE-EX1 to EX5: the exception that the register of EL@level requests, with the PE in state @r */
struct v9_profiling v9_event_exception(const struct v9_route *r, const struct v9_reporting *p,
				       unsigned int level);

/*
 * Returns the target of the exception that the PE takes if the registers in @asking request one,
 * or 0. Of several, that of the highest level is taken first (IMPLEMENTATION DEFINED, TRBE-EX7).
 */
unsigned int v9_event_take(const struct v9_route *r, const struct v9_reporting *p,
			   unsigned int asking);

/*
 * Returns true if the name of the status register of EL1 accesses that of EL2 at r->el (with E2H
 * and an EE that is not 0).
 */
bool v9_event_redirected(const struct v9_route *r, const struct v9_reporting *p);

/*
 * Return true if, with nested virtualization, an access to PMBSR_EL1 or TRBSR_EL1 at EL1 that is
 * not trapped accesses memory at VNCR_EL2. @exc: as for v9_trbe_reporting().
 */
bool v9_spe_status_in_memory(const struct v9_route *r, const struct v9_spe_ctl *c);
bool v9_trbe_status_in_memory(const struct v9_route *r, bool exc, const struct v9_trace_ctl *c);

#endif
