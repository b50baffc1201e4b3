/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* State of the trace unit and of the Trace Buffer Unit. Inside of the model only. */
#ifndef V9_MODEL_ETE_H
#define V9_MODEL_ETE_H

#include <v9trace/ete.h>

#include "model.h"

#define V9_ETE_RS_MAX	15
#define V9_ETE_CNT	4
#define V9_TRBE_FIFO	1024	/* accepted and not yet written */
#define V9_TRBE_PIECE	64	/* written at once when there is so much */

/**
 * struct v9_ete_branch - a P0 instruction that has not been followed by anything yet
 * @busy: there is one
 * @taken: it goes to @target, or to where the next block begins
 * @isb: ISB or one of its kind: it makes a context synchronization event
 * @flags: V9_OP_* of it
 * @pc: its address
 * @target: of a direct branch, taken or not
 */
struct v9_ete_branch {
	bool busy;
	bool taken;
	bool isb;
	uint16_t flags;
	uint64_t pc;
	uint64_t target;
};

/**
 * struct v9_ete - the trace unit
 * @enabled: TRCPRGCTLR.EN and no OS Lock, as far as the unit knows
 * @stage: disabled: 1 Unstable, 2 Stable, 3 Idle
 * @allowed: executing outside prohibited regions
 * @owed: the next block tells where execution is
 * @cur: address of the first instruction since the last P0 element
 * @last: the P0 instruction in hand
 * @here: the PE at cur: context, Exception level
 * @ctx: its context as trace has it
 * @need_sync: Alignment Synchronization and Trace Info
 * @need_on: Trace On: there was a gap
 * @need_ctx: Context
 * @need_addr: Target Address of cur
 * @rs_ok: ... which the return stack may replace
 * @lost: in overflow
 * @ta: TRCRSR.TA
 * @p0_seen: a P0 or Event element since the unit became operative
 * @synced: bytes since the last Alignment Synchronization
 * @ts_asked: a timestamp is due at the next opportunity
 * @ts_event: ... or some P0 elements later
 * @ts_since: P0 elements since the last timestamp
 * @cycles: since the last Cycle Count element
 * @cycles_known: they mean something
 * @left: when tracing was last left, in counter ticks
 * @enc: the packets so far
 * @atoms: those that wait, bit 0 the oldest
 * @natoms: how many
 * @rs_n: entries of the return stack
 * @rs: oldest first
 * @log_start: of the straight line that bus->pclog has yet to be told
 * @log_end: and its end, exclusive
 * @ss: TRCVICTLR.SSSTATUS
 * @seq: state of the sequencer
 * @sscc_status: TRCSSCSRn.STATUS, a bit for each
 * @sscc_pending: TRCSSCSRn.PENDING
 * @sscc_fire: single shots that fire in this cycle
 * @cnt: counters
 * @at_zero: counters whose resource is active
 * @seq_active: states whose resource is active
 * @claim: claim tags that are set
 * @extin: external inputs active in the next cycle
 * @pe: PE comparator inputs active in the next cycle
 * @pe_seen: ... that were in the block in hand
 * @events: ETEEvents that happened while resources were Paused: active in the next cycle
 * @lost_events: ... that happened in overflow
 * @res: there are resources to run
 * @pausing: what the last instruction sets off comes when resources are Paused
 * @asleep: in WFE or WFI
 * @looked: TRCSTATR was read since the last context synchronization event
 * @must_look: TRCPRGCTLR.EN was changed, and TRCSTATR not read since
 */
struct v9_ete {
	bool enabled;
	uint8_t stage;
	bool allowed;
	bool owed;
	uint64_t cur;
	struct v9_ete_branch last;
	struct v9_pe_state here;
	struct v9_ete_context ctx;

	bool need_sync, need_on, need_ctx, need_addr, rs_ok, lost, p0_seen;
	bool ta;
	uint64_t synced;
	bool ts_asked, ts_event;
	uint32_t ts_since;
	uint64_t cycles;
	bool cycles_known;
	uint64_t left;

	struct v9_ete_pktenc enc;
	uint32_t atoms;
	uint8_t natoms;
	uint8_t rs_n;
	uint64_t rs[V9_ETE_RS_MAX];
	uint64_t log_start, log_end;

	bool ss;
	bool res, pausing, asleep;
	bool looked, must_look;
	uint8_t seq;
	uint8_t extin;
	uint8_t pe, pe_seen;
	uint8_t events, lost_events;
	uint8_t sscc_status, sscc_pending, sscc_fire;
	uint16_t cnt[V9_ETE_CNT];
	uint8_t at_zero, seq_active;
	uint8_t claim;
};

/* Comparators that match an instruction */
struct v9_ete_matches {
	uint16_t sac;
	uint8_t arc;
};

/**
 * struct v9_trbe - the Trace Buffer Unit
 * @n: bytes in @fifo
 * @mark: of them, how many came before the last context synchronization event
 * @line: TRBIRQ
 * @trigger_due: the Trigger Event waits for a flush of the trace unit
 * @draining: they are being written
 * @aarch32: the owning Exception level uses it, so the unit is not enabled
 * @own_ptr: last value that the unit itself gave TRBPTR_EL1
 * @own_trg: likewise TRBTRG_EL1
 * @regime: as struct v9_pe_state has it, when the oldest byte was accepted
 * @cached: the unit keeps a translation (delay modes)
 * @page: of this page
 * @to: to this one
 * @cached_in: v9_pe_state.regime at that time
 * @cached_for: whose it is
 * @ahead: of this page the walk was done ahead; 0 none
 * @forget: a DSB has come; it is forgotten at the next context synchronization event
 * @fifo: bytes accepted and not yet written
 */
struct v9_trbe {
	unsigned int n, mark;
	bool line;
	bool trigger_due;
	bool draining;
	bool aarch32;
	uint64_t own_ptr;
	uint64_t own_trg;
	uint64_t regime;
	bool cached, forget;
	uint64_t page, cached_in, ahead;
	struct v9_place to;
	struct v9_regime cached_for;
	uint8_t fifo[V9_TRBE_FIFO];
};

#endif
