/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* State of the trace unit and of the Trace Buffer Unit. Internal to the model. */
#ifndef V9_MODEL_ETE_H
#define V9_MODEL_ETE_H

#include <v9trace/ete.h>

#include "branch.h"
#include "model.h"

#define V9_ETE_RS_MAX	15
#define V9_ETE_CNT	4
#define V9_ETE_BLOCK_MAX 0x40000	/* bytes of a block, if an emulator branches without a call into the model */
#define V9_TRBE_FIFO	1024	/* bytes accepted and not yet written */
#define V9_TRBE_PIECE	64	/* bytes in the FIFO that start a write */

/**
 * struct v9_ete_stamp - when an element was generated
 * @time: value of the clock that Timestamp elements show
 * @cycles: cycles since the last Cycle Count element before it
 * @known: @cycles is valid
 */
struct v9_ete_stamp {
	uint64_t time;
	uint64_t cycles;
	bool known;
};

/**
 * struct v9_ete_model - the trace unit
 * @enabled: TRCPRGCTLR.EN is 1 and the OS Lock is clear, as far as the unit has seen the writes
 * @stage: while disabled: 1 Unstable, 2 Stable, 3 Idle
 * @allowed: executing outside prohibited regions
 * @needs_block: the address of the next block is needed
 * @cur: address of the first instruction since the last P0 element, or since the end of a Q element
 * @start: address of the first instruction since the last P0 element
 * @code: enum v9_insn_set of the instructions from @start on
 * @wide: bit n: the T32 instruction at @start + 2 * n has four bytes
 * @wide_words: words of @wide in use; the others are 0
 * @last: the last P0 instruction, not yet traced
 * @here: state of the PE at @cur: context, Exception level
 * @ctx: the context of @here as the packets hold it
 * @need_sync: Alignment Synchronization and Trace Info are due
 * @need_on: Trace On is due: there was a gap
 * @need_ctx: Context is due
 * @need_addr: Target Address of @cur is due
 * @rs_ok: the return stack may replace that Target Address
 * @lost: the unit is in overflow
 * @lost_tx: a Transaction Failure is due: the unit went into overflow in a transaction of which a Transaction
 *	Start element was generated
 * @tx: Transactional state
 * @tx_traced: a Transaction Start element was generated, and no element that resolves the transaction
 * @need_tx: Transaction Start is due
 * @tx_ss: @ss when the transaction began, or when the unit was enabled in it
 * @tx_shot: a single-shot control has matched in the transaction
 * @ta: TRCRSR.TA
 * @p0_seen: a P0 or Event element was generated since the unit became operative
 * @synced: bytes since the last Alignment Synchronization
 * @ts_asked: a timestamp is due at the next opportunity
 * @ts_event: a timestamp is due once v9_config.ts_gap P0 elements have passed
 * @ts_since: P0 elements since the last timestamp
 * @ts_past: cycles since the last timestamp; at first v9_config.ts_cycles
 * @ts_held: a Timestamp element was put off
 * @marked: there was a Timestamp Marker element, whose Timestamp element is due
 * @last_stamp: of the last P0, Event or Instrumentation element, if v9_config.late
 * @marked_stamp: of the element that is marked
 * @cycles: cycles since the last Cycle Count element
 * @cycles_known: @cycles is valid
 * @left: physical count when execution last entered a prohibited region; 0 if @cycles was not
 *	  valid
 * @enc: the packet encoder and its state
 * @atoms: atoms not yet in a packet, bit 0 is the oldest
 * @natoms: number of @atoms
 * @q: instructions that the Q element implies that is not output yet; 0: there is none
 * @merged: P0 elements that a Commit element commits that waits for the next one
 * @merges: how many Commit elements wait
 * @q_left: blocks that may still be added to it
 * @q_open: it ends with an indirect branch
 * @q_counted: it has a count
 * @q_alone: its address is a packet of its own
 * @q_synchronizes: it ends with a context synchronization event
 * @returns_traced: during an exception return: it is to where tracing is permitted
 * @held: number of not-taken branches whose N Atom has not been generated yet (ete_source.c)
 * @depth: P0 elements in the stream that are neither committed nor cancelled
 * @new_p0: P0 elements since the last Trace Info that are not cancelled
 * @resolve: all P0 elements have to be committed before the next one
 * @committed: there was a Commit element, also an implied one, since the last Cycle Count request
 * @rs_n: entries of the return stack
 * @rs: return stack, oldest entry first
 * @log_start: start of the sequence of instructions not yet reported to bus->pclog
 * @log_end: end of that sequence, exclusive
 * @log_as: enum v9_listed of that sequence
 * @ss: TRCVICTLR.SSSTATUS
 * @ss_resolved: the same when no P0 element was uncommitted
 * @seq: state of the sequencer
 * @sscc_status: TRCSSCSR0.STATUS
 * @sscc_pending: TRCSSCSR0.PENDING
 * @sscc_fire: single-shot controls that fire in this cycle
 * @cnt: counters
 * @at_zero: counters whose resource is active
 * @seq_active: sequencer states whose resource is active
 * @claim: claim tags that are set
 * @extin: external inputs active in the next cycle
 * @pe: PE comparator inputs active in the next cycle
 * @pe_latched: PE comparator inputs that were active in the current block
 * @events: ETEEvents that occurred while resources were Paused: active in the next cycle
 * @lost_events: ETEEvents that occurred in overflow
 * @res: resources are in use and have to be run
 * @pausing: effects of the last instruction occur when resources are already Paused
 * @asleep: the PE is in WFE or WFI
 * @status_read: TRCSTATR was read since the last context synchronization event
 * @status_due: TRCPRGCTLR.EN was changed, and TRCSTATR was not read since
 */
struct v9_ete_model {
	bool enabled;
	uint8_t stage;
	bool allowed;
	bool needs_block;
	uint64_t cur, start;
	uint8_t code;
	uint64_t wide[V9_ETE_BLOCK_MAX / 2 / 64 + 1];
	uint32_t wide_words;
	struct v9_branch last;
	struct v9_pe_state here;
	struct v9_ete_context ctx;

	bool need_sync, need_on, need_ctx, need_addr, rs_ok, lost, lost_tx, p0_seen;
	bool tx, tx_traced, need_tx, tx_ss, tx_shot;
	bool ta;
	uint64_t synced;
	bool ts_asked, ts_event;
	uint32_t ts_since;
	uint64_t ts_past;
	bool ts_held, marked;
	struct v9_ete_stamp last_stamp, marked_stamp;
	uint64_t cycles;
	bool cycles_known;
	uint64_t left;

	struct v9_ete_pktenc enc;
	uint32_t atoms;
	uint8_t natoms;
	uint32_t q;
	uint16_t merged;
	uint8_t merges;
	uint16_t q_left;
	bool q_counted, q_alone, q_open, q_synchronizes;
	bool returns_traced;
	uint32_t held;
	uint32_t depth, new_p0;
	bool resolve, committed;
	uint8_t rs_n;
	struct v9_ete_address rs[V9_ETE_RS_MAX];
	uint64_t log_start, log_end;
	uint8_t log_as;

	bool ss, ss_resolved;
	bool res, pausing, asleep;
	bool status_read, status_due;
	uint8_t seq;
	uint8_t extin;
	uint8_t pe, pe_latched;
	uint8_t events, lost_events;
	bool sscc_status, sscc_pending;
	uint8_t sscc_fire;
	uint16_t cnt[V9_ETE_CNT];
	uint8_t at_zero, seq_active;
	uint8_t claim;
};

/* Comparators that match an instruction: single addresses and address ranges */
struct v9_ete_matches {
	uint16_t sac;
	uint8_t arc;
};

/**
 * struct v9_trbe - the Trace Buffer Unit
 * @n: bytes in @fifo
 * @mark: bytes in @fifo from before the last context synchronization event
 * @line: level of TRBIRQ
 * @trigger_due: a Trigger Event waits for a flush of the trace unit
 * @draining: bytes of @fifo are being written
 * @aarch32: the owning Exception level uses AArch32, so the unit is not enabled
 * @own_ptr: last value that the unit itself wrote to TRBPTR_EL1
 * @own_trg: likewise for TRBTRG_EL1
 * @regime: v9_pe_state.regime when the oldest byte was accepted
 * @cached: the unit holds a translation (delay modes)
 * @page: virtual address of the page of that translation
 * @to: its result
 * @cached_in: v9_pe_state.regime at the time of that translation
 * @cached_for: regime that it was made for
 * @ahead: page for which the walk was last done ahead; 0 if none
 * @forget: a DSB has executed: the translation is dropped at the next context synchronization
 *	    event
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
	struct v9_mem_place to;
	struct v9_regime cached_for;
	uint8_t fifo[V9_TRBE_FIFO];
};

#endif
