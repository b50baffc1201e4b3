// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Computes a fault action from PMBSR_EL1 or TRBSR_EL1. PMBSR_EL1 reports these management events:
 *
 *	event				EC	MSS		DL	EA
 *	buffer full			0	BSC 1		=	=	SPE-ME6
 *	disabled under records		0	BSC 0		1	=	SPE-ME13
 *	fault at / inside a record	10010x	FSC		any / 1	=	SPE-ME7
 *	sync abort at / inside		10010x	see below	= / 1	1	SPE-ME11
 *	sync abort on a GPT fetch	011110	0		= / 1	1	SPE-ME11
 *	async abort			10010x	10001		1	1	SPE-ME11
 *	abort when already stopped	=	=		as above 1	SPE-ME11
 *
 * "=": not changed, so still 0 after a start that wrote 0 (SPE-ME14). "any": for a fault at a
 * record boundary one rule leaves DL IMPLEMENTATION DEFINED, by another rule it is not changed.
 * With SPEv1p5 samples after a fault may be lost without DL. So the action for a fault does not
 * depend on DL: a fault ends the session with V9_AUX_TRUNCATED. The data before the pointer is
 * whole records, of which the last one may be incomplete.
 */
#include "v9trace/gen/regs.h"
#include "v9trace/fault_action.h"
#include "v9trace/uapi.h"

/* Returns what stopped the unit, except for aborts. */
static enum v9_cause cause(uint64_t pmbsr)
{
	switch (V9_GET(V9_PMBSR_EL1_EC, pmbsr)) {
	case V9_PMBSR_EL1_EC_OTHER:
		switch (V9_GET(V9_PMBSR_EL1_BSC, pmbsr)) {
		case V9_PMBSR_EL1_BSC_FILLED:
			return V9_CAUSE_FULL;
		case V9_PMBSR_EL1_BSC_NOT_STOPPED:
			return V9_CAUSE_LOST;
		/*
		 * A buffer larger than MaxBuffSize. No rule defines the pointer then, and the next
		 * window would be as large: treat it as a reserved code.
		 */
		case V9_PMBSR_EL1_BSC_SIZE:
		default:
			return V9_CAUSE_FATAL;
		}
	case V9_PMBSR_EL1_EC_STAGE_1_ABORT:
	case V9_PMBSR_EL1_EC_STAGE_2_ABORT:
	case V9_PMBSR_EL1_EC_GRANULE_PROTECTION_CHECK:
		return V9_CAUSE_FAULT;
	default:
		return V9_CAUSE_FATAL;
	}
}

/*
 * Returns true if @fsc is the code of an abort at the address in the write pointer: of the write
 * itself or of its translation table walk. TRBSR_EL1 has the same codes.
 */
static bool is_sync_code(uint64_t fsc)
{
	switch (fsc) {
	case V9_PMBSR_EL1_FSC_EXTERNAL_SYNC:
	case V9_PMBSR_EL1_FSC_EXTERNAL_WALK_LM2:
	case V9_PMBSR_EL1_FSC_EXTERNAL_WALK_LM1:
	case V9_PMBSR_EL1_FSC_EXTERNAL_WALK_L0:
	case V9_PMBSR_EL1_FSC_EXTERNAL_WALK_L1:
	case V9_PMBSR_EL1_FSC_EXTERNAL_WALK_L2:
	case V9_PMBSR_EL1_FSC_EXTERNAL_WALK_L3:
	case V9_PMBSR_EL1_FSC_PARITY_WALK_LM1:
		return true;
	default:
		return false;
	}
}

/*
 * For a status with EA set: returns true if an abort at the address in the write pointer stopped
 * the unit. A Granule Protection Check has no such code; there only an abort on the fetch of the
 * table sets EA.
 */
static bool is_sync_abort(uint64_t ec, uint64_t fsc)
{
	switch (ec) {
	case V9_PMBSR_EL1_EC_GRANULE_PROTECTION_CHECK:
		return true;
	case V9_PMBSR_EL1_EC_STAGE_1_ABORT:
	case V9_PMBSR_EL1_EC_STAGE_2_ABORT:
		return is_sync_code(fsc);
	default:
		return false;
	}
}

struct v9_fault_action v9_spe_fault_action(uint64_t pmbsr)
{
	struct v9_fault_action j = { .cause = V9_CAUSE_NONE, .data = true };

	if (pmbsr & V9_PMBSR_EL1_COLL)
		j.flags |= V9_AUX_COLLISION;
	if (pmbsr & V9_PMBSR_EL1_DL)
		j.flags |= V9_AUX_PARTIAL;
	if (pmbsr & V9_PMBSR_EL1_S)
		j.cause = cause(pmbsr);

	/*
	 * EA is set for each abort that is reported, whatever stopped the unit (SPE-ME11). After an
	 * asynchronous abort no data is valid (SPE-ME12). Without DL it was not asynchronous.
	 */
	if (pmbsr & V9_PMBSR_EL1_EA) {
		j.cause = V9_CAUSE_ABORT;
		if ((pmbsr & V9_PMBSR_EL1_DL) && !is_sync_abort(V9_GET(V9_PMBSR_EL1_EC, pmbsr),
								V9_GET(V9_PMBSR_EL1_FSC, pmbsr)))
			j.data = false;
	}

	switch (j.cause) {
	case V9_CAUSE_NONE:
		break;
	case V9_CAUSE_LOST:
	case V9_CAUSE_FULL:
		if (j.cause == V9_CAUSE_LOST)	/* data is missing, and collection can continue */
			j.flags |= V9_AUX_PARTIAL;
		j.resume = true;
		break;
	case V9_CAUSE_FATAL:
		j.data = false;			/* no rule defines the pointer */
		j.flags |= V9_AUX_TRUNCATED;
		break;
	default:
		j.flags |= V9_AUX_TRUNCATED;
	}
	return j;
}

/*
 * The same for TRBSR_EL1. Trace has no records that can be incomplete.
 *
 *	event				EC	MSS		S	EA
 *	buffer full (Fill mode)		0	BSC 1		1	=	TRBE-PT7
 *	access not allowed		0	BSC 0		1	=	TRBE-OW6
 *	fault				10010x	FSC		1	=	TRBE-FA2
 *	granule protection		011110	=		1	=	TRBE-FA2
 *	sync abort			10010x	as above	1	1	TRBE-EA2
 *	sync abort on a GPT fetch	011110	0		1	1	TRBE-EA2
 *	async abort			10010x	10001		1	1	TRBE-EA2
 *	abort when already stopped	=	=		=	1	TRBE-EA2
 *	IMPLEMENTATION DEFINED		011111	any		1	=	TRBE-IM1
 *	trigger counter at 0, TM IRQ	=	=		=	=	TRBE-TR8
 *	the same, TM STOP		0	BSC 2		1	=	TRBE-TR7
 *	wrap in Wrap mode		=	=		=	=	TRBE-PT8
 *
 * All of them set IRQ, but for the wrap in Circular mode, which only sets WRAP (TRBE-PT9).
 */
static enum v9_cause trbe_cause(uint64_t trbsr)
{
	switch (V9_GET(V9_TRBSR_EL1_EC, trbsr)) {
	case V9_TRBSR_EL1_EC_OTHER:
		switch (V9_GET(V9_TRBSR_EL1_BSC, trbsr)) {
		case V9_TRBSR_EL1_BSC_FILLED:
			return V9_CAUSE_FULL;
		case V9_TRBSR_EL1_BSC_TRIGGER:
			return V9_CAUSE_TRIGGER;
		case V9_TRBSR_EL1_BSC_SIZE:	/* as for SPE */
		default:
			return V9_CAUSE_FATAL;
		}
	case V9_TRBSR_EL1_EC_STAGE_1_ABORT:
	case V9_TRBSR_EL1_EC_STAGE_2_ABORT:
	case V9_TRBSR_EL1_EC_GRANULE_PROTECTION_CHECK:
		return V9_CAUSE_FAULT;
	default:
		return V9_CAUSE_FATAL;
	}
}

struct v9_fault_action v9_trbe_fault_action(uint64_t trbsr, uint64_t trblimitr)
{
	struct v9_fault_action j = { .cause = V9_CAUSE_NONE, .data = true };

	if (trbsr & V9_TRBSR_EL1_S)
		j.cause = trbe_cause(trbsr);
	else if ((trbsr & V9_TRBSR_EL1_IRQ) && (trbsr & V9_TRBSR_EL1_TRG))
		j.cause = V9_CAUSE_EARLY;
	j.full = j.cause == V9_CAUSE_FULL;
	/* In Wrap mode the driver uses the counter to stop the unit where no room is left. */
	if (j.cause == V9_CAUSE_TRIGGER &&
	    V9_GET(V9_TRBLIMITR_EL1_FM, trblimitr) == V9_TRBLIMITR_EL1_FM_WRAP)
		j.cause = V9_CAUSE_FULL;
	j.wrapped = trbsr & V9_TRBSR_EL1_WRAP;

	/*
	 * An abort was reported, whatever stopped the unit. It is unknown which bytes an
	 * asynchronous abort affects (TRBE-EV9). An abort that is reported beside a fault is
	 * asynchronous.
	 */
	if (trbsr & V9_TRBSR_EL1_EA) {
		j.data = (trbsr & V9_TRBSR_EL1_S) &&
			 is_sync_abort(V9_GET(V9_TRBSR_EL1_EC, trbsr),
				       V9_GET(V9_TRBSR_EL1_FSC, trbsr));
		j.cause = V9_CAUSE_ABORT;
	}

	switch (j.cause) {
	case V9_CAUSE_NONE:
	case V9_CAUSE_EARLY:
		j.resume = true;	/* the unit was not stopped, even if it interrupted */
		break;
	case V9_CAUSE_FULL:
		/* Trace that was generated until the interrupt was handled is lost (TRBE-EN7). */
		j.flags |= V9_AUX_PARTIAL;
		j.resume = true;
		break;
	case V9_CAUSE_FATAL:
		j.data = false;
		j.flags |= V9_AUX_TRUNCATED;
		break;
	default:
		j.flags |= V9_AUX_TRUNCATED;
	}
	if (!j.data)
		j.full = j.wrapped;	/* all bytes of the window are lost: TRBE-PT7 */
	return j;
}
