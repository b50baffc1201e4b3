/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internal to the model. Callers of the model do not use this file. */
#ifndef V9_MODEL_PRIVATE_H
#define V9_MODEL_PRIVATE_H

#include "classify.h"
#include "ete.h"
#include "model.h"
#include "timing.h"
#include <v9trace/routing_event.h>

/* Register numbers: V9_R_<name>, in the order of the table */
enum {
#define V9_REGDESC(unit, name, ...) V9_R_##name,
#include <v9trace/gen/regs_desc.h>
	V9_R_COUNT
};

_Static_assert(V9_R_COUNT <= V9_REGS_MAX, "scoreboard holds all registers");

#define V9_NOT_DUE	INT32_MAX
#define V9_FIFO		16	/* records completed and not yet written, delay modes */
#define V9_STORES	32	/* pieces translated and not yet in memory, delay modes */
#define V9_REC_MAX	72	/* longest record in bytes, without padding */
#define V9_PIECE	64	/* maximum number of trace bytes in one store */

/* A set of registers */
struct v9_regset {
	uint64_t w[(V9_REGS_MAX + 63) / 64];
};

static inline void v9_set(struct v9_regset *s, unsigned int reg)
{
	s->w[reg / 64] |= V9_BIT(reg % 64);
}

static inline void v9_clear(struct v9_regset *s, unsigned int reg)
{
	s->w[reg / 64] &= ~V9_BIT(reg % 64);
}

static inline bool v9_has(const struct v9_regset *s, unsigned int reg)
{
	return s->w[reg / 64] >> (reg % 64) & 1;
}

static inline bool v9_any(const struct v9_regset *s)
{
	return s->w[0] | s->w[1] | s->w[2] | s->w[3];
}

/**
 * struct v9_flight - the sampled operation, while it is in progress
 * @busy: there is one
 * @insn: the instruction
 * @class: its operation type for SPE
 * @passed: it passes its condition
 * @el: Exception level that executes it
 * @ss: Security state of that Exception level, enum v9_ss
 * @tbi: v9_pe_state.tbi when it was sampled
 * @show: V9_SPE_SHOW_*: what the record may contain
 * @pop: number of the operation in the sample population
 * @ts: timestamp, taken when it was sampled
 * @ctx1: CONTEXTIDR_EL1 when it was sampled
 * @ctx2: CONTEXTIDR_EL2 when it was sampled
 */
struct v9_flight {
	bool busy;
	struct v9_insn insn;
	struct v9_class class;
	bool passed;
	uint8_t el;
	uint8_t ss;
	uint8_t tbi;
	unsigned int show;
	uint64_t pop;
	uint64_t ts;
	uint32_t ctx1, ctx2;
};

/**
 * struct v9_record - a record that passed the filters
 * @log: contents of the record
 * @epoch: number of context synchronization events before the operation was sampled
 * @regime: v9_pe_state.regime when the record was completed
 * @len: length in bytes, without padding
 * @no_va: a load or store whose address is not known
 * @bytes: the packets
 */
struct v9_record {
	struct v9_spe_log log;
	uint64_t epoch;
	uint64_t regime;
	uint16_t len;
	bool no_va;
	uint8_t bytes[V9_REC_MAX];
};

struct v9_store {
	struct v9_regime g;
	uint8_t unit;		/* enum v9_unit: unit that writes */
	struct v9_place to;
	uint16_t n;
	uint8_t bytes[V9_REC_MAX];
};

/**
 * struct v9_embedded - the last translation of a unit, for v9_score.translations
 * @valid: there is one
 * @nvm: v9_regime.nvm
 * @at: first address that it translates
 * @size: size in bytes; 0: all addresses
 * @regime: v9_pe_state.regime
 */
struct v9_embedded {
	bool valid;
	bool nvm;
	uint64_t at;
	uint64_t size;
	uint64_t regime;
};

/**
 * struct v9_model - one PE's units
 * @cfg: configuration of this PE
 * @bus: operations on the environment
 * @ctx: first argument of @bus operations
 * @score: counters of the Profiling Unit
 * @val: values that direct reads return and direct writes set
 * @seen: values that the unit uses and updates; PMSICR is in @count and @ecount
 * @mask: writable bits of each register
 * @one: bits that read as one
 * @dirty: registers written and not yet synchronized to the unit
 * @udirty: registers that the unit has updated, not yet synchronized to reads
 * @ready: values of the unit at the last PSB or TSB CSYNC; visible after the next CSE
 * @ready_mask: registers that have a value in @ready
 * @stores_synced: PSB CSYNC, TSB CSYNC or TLBI was executed: the next DSB writes @stores
 * @coll_new: COLL was set in register @coll_reg; visible after the next CSE
 * @coll_reg: V9_R_ of the register in which COLL was last set
 * @epoch: number of context synchronization events so far
 * @given: countdown last returned to the caller, V9_NOT_DUE if nothing is due
 * @dva: data address of the current operation, valid if @dvalid
 * @dvalid: @dva is valid
 * @count: PMSICR_EL1.COUNT of the unit
 * @ecount: likewise for ECOUNT
 * @stopped: profiling was off at some time since the last member of the population
 * @line: level of PMBIRQ
 * @own_ptr: last value that the unit itself wrote to PMBPTR_EL1
 * @asks: by unit: V9_LEVEL() of each status register whose S (SPE) or IRQ (TRBE) is 1
 * @kept: by unit: its last translation
 * @fault_next: by unit: fault status code of the next write, 0 if none (v9_inject())
 * @mem: by unit: memory type of its last write, in the form of struct v9_place
 * @told: by unit: memory type checked and violations of it logged since the buffer was enabled
 * @busy_until: population count at which the latency of the last sample ends
 * @fl: the sampled operation in progress
 * @fifo_n: number of records in @fifo
 * @fifo: records completed and not yet written (delay modes)
 * @store_n: number of pieces in @stores
 * @stores: pieces translated and not yet in memory (delay modes)
 * @absent: registers that this trace unit does not implement
 * @programmed: registers of the trace unit that software has written since reset
 * @trace: counters of the trace unit and the Trace Buffer Unit
 * @ete: the trace unit
 * @trbe: the Trace Buffer Unit
 * @rng: state of v9_random()
 * @timing: caches and branch predictors
 */
struct v9_model {
	struct v9_config cfg;
	struct v9_bus bus;
	void *ctx;
	struct v9_score score;

	uint64_t val[V9_R_COUNT];
	uint64_t seen[V9_R_COUNT];
	uint64_t ready[V9_R_COUNT];
	uint64_t mask[V9_R_COUNT];
	uint64_t one[V9_R_COUNT];
	struct v9_regset dirty, udirty, ready_mask;
	bool stores_synced, coll_new;
	unsigned int coll_reg;
	uint64_t epoch;

	int32_t given;
	uint64_t dva;
	bool dvalid;

	uint32_t count;
	uint8_t ecount;
	bool stopped;
	bool line;
	uint64_t own_ptr;
	uint64_t busy_until;
	struct v9_flight fl;

	unsigned int fifo_n;
	struct v9_record fifo[V9_FIFO];
	unsigned int store_n;
	struct v9_store stores[V9_STORES];

	struct v9_regset absent;
	struct v9_regset programmed;
	struct v9_trace_score trace;
	struct v9_ete ete;
	struct v9_trbe trbe;

	unsigned int asks[V9_UNIT_TRBE + 1];
	struct v9_embedded kept[V9_UNIT_TRBE + 1];
	uint8_t fault_next[V9_UNIT_TRBE + 1];
	uint16_t mem[V9_UNIT_TRBE + 1];
	bool told[V9_UNIT_TRBE + 1];

	uint64_t rng;
	struct v9_timing timing;
};

/* Returns the next number of the model's generator (xorshift64*). */
uint64_t v9_random(struct v9_model *m);

static inline struct v9_pe_state v9_look(struct v9_model *m)
{
	struct v9_pe_state s;

	m->bus.look(m->ctx, &s);
	return s;
}

static inline struct v9_spe_ctl v9_seen_ctl(const struct v9_model *m)
{
	return (struct v9_spe_ctl){
		.pmscr_el1 = m->seen[V9_R_PMSCR_EL1],
		.pmscr_el2 = m->seen[V9_R_PMSCR_EL2],
		.pmblimitr = m->seen[V9_R_PMBLIMITR_EL1],
		.pmbsr = m->seen[V9_R_PMBSR_EL1],
		.pmbsr_el2 = m->seen[V9_R_PMBSR_EL2],
		.pmbsr_el3 = m->seen[V9_R_PMBSR_EL3],
		.exc = m->cfg.spe_exc,
	};
}

void v9_tell(struct v9_model *m, const char *rule, const char *reg, uint64_t value,
	     const char *what);

/* regs.c */
void v9_regs_init(struct v9_model *m);
/* @warm: registers of the trace unit keep their values. */
void v9_regs_reset(struct v9_model *m, bool warm);
bool v9_feat(const struct v9_model *m, enum v9_feat feat);
/* The unit updates one of its own registers. */
void v9_unit_write(struct v9_model *m, unsigned int reg, uint64_t v);

bool v9_later(struct v9_model *m);

/* report.c */
/* Returns the status register that records @event. */
unsigned int v9_status_of(struct v9_model *m, enum v9_unit unit, enum v9_event event);
enum v9_event v9_event_of(const struct v9_fault *f);
/* Returns true if a management event has stopped the unit. */
bool v9_stopped(struct v9_model *m, enum v9_unit unit);
/* Register @reg has the new value @v. No effect unless it is a status register. */
void v9_status_is(struct v9_model *m, unsigned int reg, uint64_t v);
/* Updates the levels of the interrupt lines. */
void v9_lines(struct v9_model *m);
/* Returns the register that the name @reg of a status register accesses in the current state. */
unsigned int v9_status_home(struct v9_model *m, unsigned int reg);

/* spe.c */
void v9_spe_reset(struct v9_model *m);
/* Completes the sampled operation, if there is one. Execution continues in sequence after it. */
void v9_spe_settle(struct v9_model *m);
/* Register @reg of the unit has a new value in m->seen. */
void v9_spe_changed(struct v9_model *m, unsigned int reg, uint64_t old);
/* Records whether profiling is off in state @s. */
void v9_spe_mark(struct v9_model *m, const struct v9_pe_state *s);
bool v9_spe_pending(const struct v9_model *m);

/* buffer.c */
void v9_buffer_put(struct v9_model *m, const struct v9_record *r);
void v9_buffer_drain(struct v9_model *m, uint64_t epoch);
void v9_buffer_flush(struct v9_model *m);
/* Returns true if @size, in bytes, exceeds MaxBuffSize. */
bool v9_buffer_too_large(const struct v9_model *m, uint64_t size);
void v9_buffer_disabled(struct v9_model *m);
void v9_buffer_poison(struct v9_model *m);
void v9_buffer_line(struct v9_model *m, bool level);
void v9_buffer_impdef(struct v9_model *m);
/*
 * Writes one piece within a page, at once or, in the delay modes, later. Returns 0, 1 with a
 * fault in @f, or -1 for an asynchronous abort.
 */
int v9_buffer_piece(struct v9_model *m, enum v9_unit unit, struct v9_regime g, uint64_t va,
		    const uint8_t *p, unsigned int n, struct v9_fault *f);

/*
 * Counts the translation of @va by the page or block of @block bytes, unless the unit has it
 * already.
 */
void v9_count_translation(struct v9_model *m, enum v9_unit unit, const struct v9_regime *g,
			  uint64_t va, uint64_t block);

/* trbe.c */

/*
 * Accepts trace from the trace unit. Returns false if it was not accepted and the trace unit has
 * to drop it.
 */
bool v9_trbe_accept(struct v9_model *m, const uint8_t *p, unsigned int n);
/* Detected Trigger (TRBE-TR1) */
void v9_trbe_trigger(struct v9_model *m);
/*
 * Write the accepted trace: all of it; or, for TSB CSYNC, at least what came before the last
 * context synchronization event.
 */
void v9_trbe_drain(struct v9_model *m);
void v9_trbe_drain_synced(struct v9_model *m);
/* Translates @va for a write. Returns 0, or 1 with a fault in @f. */
int v9_trbe_translate(struct v9_model *m, struct v9_regime g, uint64_t va, struct v9_place *to,
		      struct v9_fault *f);
/*
 * Drop the translation that the unit holds: at once; or after a DSB, at the next context
 * synchronization event.
 */
void v9_trbe_forget(struct v9_model *m);
void v9_trbe_dsb(struct v9_model *m);
void v9_trbe_synced(struct v9_model *m);
/* Handles a Trigger Event that became due during a drain. */
void v9_trbe_settle(struct v9_model *m);
void v9_trbe_changed(struct v9_model *m, unsigned int reg, uint64_t old);
void v9_trbe_abort(struct v9_model *m);
void v9_trbe_impdef(struct v9_model *m);
void v9_trbe_line(struct v9_model *m, bool level);
void v9_trbe_reset(struct v9_model *m);
/* Returns true if a direct write is ignored (TRBE-UN8). */
bool v9_trbe_ignores(struct v9_model *m, unsigned int reg, uint64_t v);
/* Returns true if a direct write reaches the unit too late and has no effect (TRBE-UN8). */
bool v9_trbe_too_late(struct v9_model *m, unsigned int reg);
/* Returns the value of @reg after a direct write of @v (TRBE-UN6). */
uint64_t v9_trbe_aligned(const struct v9_model *m, unsigned int reg, uint64_t v);

static inline struct v9_trace_ctl v9_trace_ctl(const struct v9_model *m)
{
	return (struct v9_trace_ctl){
		.trfcr_el1 = m->seen[V9_R_TRFCR_EL1],
		.trfcr_el2 = m->seen[V9_R_TRFCR_EL2],
		.trblimitr = m->seen[V9_R_TRBLIMITR_EL1],
	};
}

/* ete.c */
void v9_ete_reset(struct v9_model *m);
void v9_ete_changed(struct v9_model *m, unsigned int reg, uint64_t old);
/* Updates ->enabled and ->allowed for state @s. */
void v9_ete_mark(struct v9_model *m, const struct v9_pe_state *s);
/* An exception or exception return is taken in state @s. */
void v9_ete_exception(struct v9_model *m, const struct v9_pe_state *s, const struct v9_exc *x);
void v9_ete_eret(struct v9_model *m, const struct v9_pe_state *s);
/* A context synchronization event */
void v9_ete_synced(struct v9_model *m);
/* The PE is reset in state @s. */
void v9_ete_pe_reset(struct v9_model *m, const struct v9_pe_state *s);
/* Returns true if execution in state @s is outside prohibited regions. */
bool v9_ete_allowed(const struct v9_model *m, const struct v9_pe_state *s);
/* Flush, on TSB CSYNC or at the request of the sink: the trace unit outputs all pending trace. */
void v9_ete_flush(struct v9_model *m);
bool v9_ete_enabled(const struct v9_model *m, bool oslk);

/* ete_regs.c */
void v9_ete_regs_init(struct v9_model *m);
uint64_t v9_ete_id(const struct v9_model *m, unsigned int reg, const struct v9_pe_state *s);
/* Direct read and write of a register of the trace unit */
uint64_t v9_ete_read(struct v9_model *m, unsigned int reg, const struct v9_pe_state *s);
bool v9_ete_ignores(struct v9_model *m, unsigned int reg, uint64_t v);
void v9_ete_load(struct v9_model *m);
void v9_ete_store(struct v9_model *m);

/* ete_out.c */
/* Resets the output to the state before the first packet; @rme: contexts may be Realm. */
void v9_ete_out_reset(struct v9_model *m, bool rme);
void v9_ete_put(struct v9_model *m, const struct v9_ete_pkt *p);
bool v9_ete_stalls(struct v9_model *m);
void v9_ete_atoms_flush(struct v9_model *m);
void v9_ete_atom(struct v9_model *m, bool taken);
/* Outputs the elements that must precede a P0 element of code at e->cur. */
void v9_ete_prefix(struct v9_model *m);
void v9_ete_put_exception(struct v9_model *m, unsigned int type, uint64_t ret, bool moved);
void v9_ete_put_reset(struct v9_model *m);
void v9_ete_put_events(struct v9_model *m, unsigned int events);
void v9_ete_put_instrumentation(struct v9_model *m, unsigned int el, uint64_t value);
/* Ends an overflow, if there was one. */
void v9_ete_recover(struct v9_model *m);
/* Outputs the elements that follow a P0 element: cycle count, timestamp. */
void v9_ete_after_p0(struct v9_model *m);
void v9_ete_timestamp(struct v9_model *m);
void v9_ete_push(struct v9_model *m, uint64_t addr);
/* Instructions [@start, @end) were traced. If @taken, the sequence ends at @end. */
void v9_ete_log(struct v9_model *m, uint64_t start, uint64_t end, bool taken);
void v9_ete_log_flush(struct v9_model *m);

/* ete_check.c */
/* The unit is about to be enabled: logs a violation for each value that it must not have. */
void v9_ete_check(struct v9_model *m);

/* ete_view.c */
/* ViewInst for the block whose first instruction is @lo and last one @hi. Updates start/stop. */
bool v9_ete_view(struct v9_model *m, uint64_t lo, uint64_t hi, bool resource);
bool v9_ete_broadcast(const struct v9_model *m, uint64_t pc);
struct v9_ete_matches v9_ete_match(const struct v9_model *m, uint64_t pc);
uint8_t v9_ete_match_cid(const struct v9_model *m);
uint8_t v9_ete_match_vmid(const struct v9_model *m);

/* ete_res.c */
/* Determines which resources are in use. */
void v9_ete_res_plan(struct v9_model *m);
/* Runs @n cycles, one for each instruction from @lo. Returns true if TRCVICTLR.EVENT was active. */
bool v9_ete_res_run(struct v9_model *m, uint64_t lo, unsigned int n);
void v9_ete_res_input(struct v9_model *m, unsigned int event);

#endif
