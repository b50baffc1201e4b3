/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where a buffer's management event goes: which of the three status registers
 * records it, whether it stops the unit, and who is told, by interrupt or by
 * Profiling exception. The rules of both units are the same under other names:
 *
 *	Trace Buffer Unit	Profiling Buffer
 *	TRBSR_ELx.IRQ		PMBSR_ELx.S		asks for attention
 *	TRBSR_ELx.S		PMBSR_ELx.S		stops
 *	MDCR_EL3.TRBEE		MDCR_EL3.PMSEE		EL3's wish
 *	TRFCR_ELx.{EE,KE}	PMSCR_ELx.{EE,KE}	EL2's and EL1's
 */
#ifndef V9TRACE_ROUTING_EVENT_H
#define V9TRACE_ROUTING_EVENT_H

#include "routing.h"

/* Kinds of management event, as the columns of the manual's tables tell them apart */
enum v9_event {
	V9_EVENT_OTHER,		/* full, wrap, trigger, access not allowed: EC 0 */
	V9_EVENT_S1,		/* stage 1 abort that is none of the next */
	V9_EVENT_S2,
	V9_EVENT_EA_S1,		/* external abort */
	V9_EVENT_EA_S2,
	V9_EVENT_GPF_S1,	/* Granule Protection Fault */
	V9_EVENT_GPF_S2,
	V9_EVENT_GPC		/* other Granule Protection Check fault */
};

#define V9_EVENTS 8

/**
 * struct v9_reporting - Effective values of the controls
 * @owner: owning translation regime
 * @ee3: MDCR_EL3.TRBEE or PMSEE; 1 without EL3
 * @ee2: EE of EL2: 0 if the exceptions are not available at all, 1 without EL2
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

/* @exc: FEAT_TRBE_EXC, FEAT_SPE_EXC implemented */
struct v9_reporting v9_trbe_reporting(const struct v9_route *r, bool exc,
				      const struct v9_trace_ctl *c);
struct v9_reporting v9_spe_reporting(const struct v9_route *r, const struct v9_spe_ctl *c);

/* TRBE-EV3, SPE-ME15: x of the TRBSR_ELx or PMBSR_ELx that records the event */
unsigned int v9_event_level(const struct v9_route *r, const struct v9_reporting *p,
			    enum v9_event event);

/* A set of status registers: bit x stands for that of ELx. */
#define V9_LEVEL(x)	(1u << (x))

/* TRBE-EN3: collection is stopped; @s: registers whose S is 1 */
bool v9_event_stopped(const struct v9_reporting *p, unsigned int s);

/* TRBE-IR1: the interrupt request follows the status register of EL1; else it is LOW */
bool v9_event_interrupts(const struct v9_reporting *p);

enum v9_pending {
	V9_PENDING_NO,		/* the exception is disabled */
	V9_PENDING_MASKED,	/* C of the tables */
	V9_PENDING_PM,		/* B: masked by PSTATE.PM */
	V9_PENDING_TAKE
};

/**
 * struct v9_profiling - the Profiling exception that one status register asks for
 * @how: enum v9_pending
 * @target: Exception level it goes to, unless @how is V9_PENDING_NO
 */
struct v9_profiling {
	uint8_t how;
	uint8_t target;
};

/* TRBE-EX1 to EX5: the register of EL@level asks, the PE is where @r says */
struct v9_profiling v9_event_exception(const struct v9_route *r, const struct v9_reporting *p,
				       unsigned int level);

/*
 * The exception to take now if the registers in @asking ask: its target, or 0. Of
 * several the highest level's goes first (IMPLEMENTATION DEFINED, TRBE-EX7).
 */
unsigned int v9_event_take(const struct v9_route *r, const struct v9_reporting *p,
			   unsigned int asking);

/*
 * A name of the status register of EL1 used at r->el means that of EL2 (E2H and an
 * EE that is not 0).
 */
bool v9_event_redirected(const struct v9_route *r, const struct v9_reporting *p);

/*
 * Nested virtualization: PMBSR_EL1, or TRBSR_EL1, used at EL1 and not trapped means memory at
 * VNCR_EL2. @exc as for v9_trbe_reporting().
 */
bool v9_spe_status_in_memory(const struct v9_route *r, const struct v9_spe_ctl *c);
bool v9_trbe_status_in_memory(const struct v9_route *r, bool exc, const struct v9_trace_ctl *c);

#endif
