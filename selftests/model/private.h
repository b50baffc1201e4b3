/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Internal to the model. Callers of the model do not use this file. */
#ifndef V9_MODEL_PRIVATE_H
#define V9_MODEL_PRIVATE_H

#include "brbe.h"
#include "classify.h"
#include "ete.h"
#include "model.h"
#include "timing.h"
#include <v9trace/routing_event.h>
#include <v9trace/spe.h>

/* Register numbers: V9_R_<name>, in the order of the table */
enum {
#define V9_REGDESC(unit, name, ...) V9_R_##name,
#include <v9trace/gen/regs_desc.h>
	V9_R_COUNT
};

_Static_assert(V9_R_COUNT <= V9_REGS_MAX, "scoreboard holds all registers");

#define V9_NOT_DUE	INT32_MAX
#define V9_FIFO		16	/* records completed and not yet written, delay modes */
#define V9_HELD		256	/* samples in the longest block that the trace unit sees: V9_ETE_BLOCK_MAX */
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
	uint64_t any = 0;

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(s->w); i++)
		any |= s->w[i];
	return any;
}

/**
 * struct v9_insn_place - where a sampled instruction is in the list of traced instructions
 * @pc: its address
 * @insn: index in the list, if the place is known
 * @state: V9_PLACE_NONE: it was not traced. V9_PLACE_NEXT: it belongs to the block behind the branch
 *	   that the trace unit holds. V9_PLACE_BLOCK: to the block that begins at v9_ete_model.cur, which
 *	   the trace unit has not decided about. V9_PLACE_KNOWN: it was traced
 */
struct v9_insn_place {
	uint64_t pc;
	uint64_t insn;
	enum { V9_PLACE_NONE, V9_PLACE_NEXT, V9_PLACE_BLOCK, V9_PLACE_KNOWN } state;
};

/**
 * struct v9_sampled_op - the sampled operation, while it is in progress
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
 * @place: where it is in the list of traced instructions
 * @has: V9_LOG_*: of a wrong path, what its record may have
 * @offset: of the address of its access from that of the instruction, in bytes
 * @vq: vector length in quadwords, of the whole instruction
 * @first: SVE: number of its first element among those of the instruction
 * @count: SVE: how many elements it has, 0: all
 * @told: how many elements of the instruction v9_spe_element() has told
 * @element: address of one of them, chosen at random, which is Active if @active
 * @chosen: there is one
 * @reads: Memory Copy: its source is sampled, not its destination
 * @source: address of the source, valid if @has_source
 * @checked: its access was checked against its Allocation Tag
 * @el2: profiling at EL2 is enabled
 */
struct v9_sampled_op {
	bool busy;
	struct v9_pe_insn insn;
	struct v9_class class;
	bool passed;
	uint8_t el;
	uint8_t ss;
	uint8_t tbi;
	unsigned int show;
	uint64_t pop;
	uint64_t ts;
	uint32_t ctx1, ctx2;
	struct v9_insn_place place;
	uint16_t has;
	uint16_t offset;
	uint8_t vq;
	uint8_t first, count;
	uint16_t told, chosen;
	uint64_t element;
	bool active;
	bool reads;
	uint64_t source;
	bool has_source;
	bool checked;
	bool el2;
};

/**
 * struct v9_spe_packets - the packets of one record, in the order of the sections of the format
 * @n: number of packets
 * @p: the packets; the last one is a Timestamp or an End
 */
struct v9_spe_packets {
	unsigned int n;
	struct v9_spe_pkt p[16];
};

/**
 * struct v9_record - a record that passed the filters
 * @log: contents of the record
 * @place: where its instruction is in the list of traced instructions
 * @epoch: number of context synchronization events before the operation was sampled
 * @regime: v9_pe_state.regime when the record was completed
 * @len: length in bytes, without padding
 * @no_va: a load or store whose address is not known
 * @bytes: the packets
 */
struct v9_record {
	struct v9_spe_log log;
	struct v9_insn_place place;
	uint64_t epoch;
	uint64_t regime;
	uint16_t len;
	bool no_va;
	uint8_t bytes[V9_REC_MAX];
};

/* A record in memory that is not logged yet, because its place is open */
struct v9_held {
	struct v9_spe_log log;
	struct v9_insn_place place;
};

struct v9_store {
	struct v9_regime g;
	uint8_t unit;		/* enum v9_unit: unit that writes */
	struct v9_mem_place to;
	uint16_t n;
	uint8_t bytes[V9_REC_MAX];
};

/**
 * struct v9_translation - the last translation of a unit, for v9_score.translations
 * @valid: there is one
 * @nvm: v9_regime.nvm
 * @at: first address that it translates
 * @size: size in bytes; 0: all addresses
 * @regime: v9_pe_state.regime
 */
struct v9_translation {
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
 * @countdown: countdown last returned to the caller, V9_NOT_DUE if nothing is due
 * @dva: data address of the current operation, valid if @dvalid
 * @dvalid: @dva is valid
 * @count: PMSICR_EL1.COUNT of the unit
 * @ecount: likewise for ECOUNT
 * @stopped: profiling was off at some time since the last member of the population
 * @line: level of PMBIRQ
 * @own_ptr: last value that the unit itself wrote to PMBPTR_EL1
 * @requests: by unit: V9_LEVEL() of each status register whose S (SPE) or IRQ (TRBE) is 1
 * @translation: by unit: its last translation
 * @fault_next: by unit: fault status code of the next write, 0 if none (v9_inject())
 * @mem: by unit: memory type of its last write, in the form of struct v9_mem_place
 * @mem_checked: by unit: memory type checked, and violations of it logged, since the buffer was
 *	enabled
 * @busy_until: population count at which the latency of the last sample ends
 * @fl: the sampled operation in progress
 * @fifo_n: number of records in @fifo
 * @fifo: records completed and not yet written (delay modes)
 * @held_n: number of records in @held
 * @held: records written and not yet logged
 * @store_n: number of pieces in @stores
 * @stores: pieces translated and not yet in memory (delay modes)
 * @absent: registers that this trace unit does not implement
 * @programmed: registers of the trace unit that software has written since reset
 * @trace: counters of the trace unit and the Trace Buffer Unit
 * @ete: the trace unit
 * @trbe: the Trace Buffer Unit
 * @branches: counters of the branch record buffer
 * @brbe: the branch record buffer
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

	int32_t countdown;
	uint64_t dva;
	bool dvalid;

	uint32_t count;
	uint8_t ecount;
	bool stopped;
	bool line;
	uint64_t own_ptr;
	uint64_t busy_until;
	struct v9_sampled_op fl;

	unsigned int fifo_n;
	struct v9_record fifo[V9_FIFO];
	unsigned int held_n;
	struct v9_held held[V9_HELD];
	unsigned int store_n;
	struct v9_store stores[V9_STORES];

	struct v9_regset absent;
	struct v9_regset programmed;
	struct v9_trace_score trace;
	struct v9_ete_model ete;
	struct v9_trbe trbe;
	struct v9_brbe_score branches;
	struct v9_brbe brbe;

	unsigned int requests[V9_UNITS];
	struct v9_translation translation[V9_UNITS];
	uint8_t fault_next[V9_UNITS];
	uint16_t mem[V9_UNITS];
	bool mem_checked[V9_UNITS];

	uint64_t rng;
	struct v9_timing timing;
};

/* common.c */
bool v9_feat(const struct v9_model *m, enum v9_feat feat);
/* Returns the next number of the model's generator (xorshift64*). */
uint64_t v9_random(struct v9_model *m);

/* Returns true at random, on average once in @n calls; never if @n is 0. */
bool v9_maybe(struct v9_model *m, unsigned int n);
/* Returns true if an effect that may be delayed is delayed now. */
bool v9_later(struct v9_model *m);

static inline struct v9_pe_state v9_pe(struct v9_model *m)
{
	struct v9_pe_state s;

	m->bus.pe_state(m->ctx, &s);
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

void v9_violate(struct v9_model *m, const char *rule, const char *reg, uint64_t value,
		const char *what);

/* model.c */

/**
 * struct v9_unit_buffer - what is specific to a unit that writes to a buffer in memory
 * @status: its status registers, by Exception level; level 0 is unused
 * @el12: the EL12 name of its status register
 * @stop: bit of a status register: the unit is stopped
 * @request: bit of a status register: an interrupt is requested
 * @exc: feature of its Profiling exceptions, with which it has three status registers
 * @fsc: FSC in the syndrome of its Profiling exception
 * @mar: name of the register with the memory type
 * @reserved: rule about reserved memory types
 * @mismatched: rule about memory types that the PE does not use for this memory
 * @device: rule about Device memory
 * @too_high: rule about physical addresses that no table can hold
 * @reporting: returns what determines where its events are recorded and which of them stop it
 * @line: its interrupt line has this level
 * @abort: reports an asynchronous external abort of an earlier write
 * @impdef: reports an IMPLEMENTATION DEFINED event
 * @translate: translates @va for a write; returns 0, or 1 with a fault in @f
 * @ea: returns what happens to an external abort: 0 reported, 1 ignored, 2 SError
 */
struct v9_unit_buffer {
	uint16_t status[4];
	uint16_t el12;
	uint64_t stop, request;
	uint8_t exc, fsc;
	const char *mar, *reserved, *mismatched, *device, *too_high;
	struct v9_reporting (*reporting)(const struct v9_model *m, const struct v9_route *r);
	void (*line)(struct v9_model *m, bool level);
	void (*abort)(struct v9_model *m);
	void (*impdef)(struct v9_model *m);
	int (*translate)(struct v9_model *m, struct v9_regime g, uint64_t va,
			 struct v9_mem_place *to, struct v9_fault *f);
	unsigned int (*ea)(const struct v9_config *c);
};

/**
 * struct v9_model_unit - one unit
 * @buffer: its buffer in memory, NULL if it has none
 * @control: control registers with the field EE, by Exception level
 * @ee: EE in each of them
 * @stale_rule: rule about reading a register that the unit has updated
 * @stale: text of its violation
 * @access: outcome of an access to a register
 * @sync_trapped: returns true if its PSB or TSB CSYNC is trapped to EL2
 * @regs_init: sets m->mask and m->one of its registers
 * @survives: returns true if a Warm reset does not reset @reg, with its new value in @v. @noise
 *	      replaces what becomes UNKNOWN.
 * @reset_begins: a Warm reset begins in state @s
 * @reset: the PE was reset and the registers have their new values
 * @ignores: returns true if a direct write of @v has no effect
 * @written: returns the value of @reg after a direct write of @v
 * @read: returns true if a direct read of @reg does not return m->val but @v
 * @value: returns the unit's own value of @reg; NULL: m->seen
 * @too_late: returns true if a written value reaches the unit too late to take effect
 * @changed: a written value took effect: m->seen[@reg] was @old
 * @complete: completes pending work that is not to be delayed
 * @mark: execution continues in state @s
 * @needs_block: returns true if the unit needs the beginning of the next block
 * @block: a block begins at @pc
 * @branch: P0 instruction @i is about to execute
 * @exception: an exception is taken in state @s
 * @eret: an exception return to @el is executed in state @s
 * @changed_level: an exception or exception return was synchronized; execution continues in
 *		   state @s
 * @drain: PSB or TSB CSYNC was executed
 * @dsb: DSB was executed; @aborted: it reported an abort of an earlier write to the unit
 * @synced: a context synchronization event occurred
 * @forget: translations that the unit holds are invalid
 * @flush: outputs all pending trace, at the request of the sink
 * @stall: returns true if the PE is stalled until the sink accepts the trace
 * @input: PMU event number @event occurred
 * @activity: returns the V9_ACT_* flags that it needs in state @s
 * @late: returns true if maintenance of translations by another PE may concern it
 *
 * @reg is always one of the unit's registers. Each operation but @access may be NULL.
 */
struct v9_model_unit {
	const struct v9_unit_buffer *buffer;
	uint16_t control[3];
	uint64_t ee[3];
	const char *stale_rule, *stale;
	enum v9_access (*access)(const struct v9_route *r, enum v9_trap trap, enum v9_feat feat);
	bool (*sync_trapped)(const struct v9_model *m, const struct v9_route *r);
	void (*regs_init)(struct v9_model *m);
	bool (*survives)(struct v9_model *m, unsigned int reg, uint64_t noise, uint64_t *v);
	void (*reset_begins)(struct v9_model *m, const struct v9_pe_state *s);
	void (*reset)(struct v9_model *m, bool warm);
	bool (*ignores)(struct v9_model *m, unsigned int reg, uint64_t v);
	uint64_t (*written)(struct v9_model *m, const struct v9_pe_state *s, unsigned int reg,
			    uint64_t v);
	bool (*read)(struct v9_model *m, unsigned int reg, uint64_t *v);
	uint64_t (*value)(const struct v9_model *m, unsigned int reg);
	bool (*too_late)(struct v9_model *m, unsigned int reg);
	void (*changed)(struct v9_model *m, unsigned int reg, uint64_t old);
	void (*complete)(struct v9_model *m);
	void (*mark)(struct v9_model *m, const struct v9_pe_state *s);
	bool (*needs_block)(const struct v9_model *m);
	void (*block)(struct v9_model *m, uint64_t pc);
	void (*branch)(struct v9_model *m, const struct v9_pe_insn *i);
	void (*exception)(struct v9_model *m, const struct v9_pe_state *s, const struct v9_exc *x);
	void (*eret)(struct v9_model *m, const struct v9_pe_state *s, uint64_t target,
		     unsigned int el);
	void (*changed_level)(struct v9_model *m, const struct v9_pe_state *s);
	void (*drain)(struct v9_model *m);
	void (*dsb)(struct v9_model *m, bool aborted);
	void (*synced)(struct v9_model *m);
	void (*forget)(struct v9_model *m);
	void (*flush)(struct v9_model *m);
	bool (*stall)(struct v9_model *m);
	void (*input)(struct v9_model *m, unsigned int event);
	unsigned int (*activity)(const struct v9_model *m, const struct v9_pe_state *s);
	bool (*late)(const struct v9_model *m);
};

extern const struct v9_model_unit v9_model_spe, v9_model_trbe, v9_model_ete, v9_model_brbe;

/* By enum v9_unit. Operations are called in this order. */
extern const struct v9_model_unit *const v9_units[V9_UNITS];

#define v9_for_each_unit(u, op)	\
	for (unsigned int u = 0; u < V9_UNITS; u++) \
		if (v9_units[u]->op)

/* Execution continues in state @s. */
static inline void v9_mark(struct v9_model *m, const struct v9_pe_state *s)
{
	v9_for_each_unit(u, mark)
		v9_units[u]->mark(m, s);
}

/* regs.c */
void v9_regs_init(struct v9_model *m);
void v9_regs_reset(struct v9_model *m, bool warm);
/* The unit updates one of its own registers. */
void v9_unit_write(struct v9_model *m, unsigned int reg, uint64_t v);
/* The values of the unit's registers become visible at the next context synchronization event. */
void v9_make_ready(struct v9_model *m, enum v9_unit unit);

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

/* store.c */
/*
 * Writes one piece within a page, at once or, in the delay modes, later. Returns 0, 1 with a
 * fault in @f, or -1 for an asynchronous abort.
 */
int v9_store_piece(struct v9_model *m, enum v9_unit unit, struct v9_regime g, uint64_t va,
		   const uint8_t *p, unsigned int n, struct v9_fault *f);
/* Writes the translated pieces to memory (SPE-SY7). Returns 1 << unit of each abort reported. */
unsigned int v9_store_flush(struct v9_model *m);
/* An earlier write had an external abort. Returns true if it is reported to the unit. */
bool v9_store_abort(struct v9_model *m, enum v9_unit unit);
/* The buffer was disabled: the unit holds no translation, and its memory type is checked again. */
void v9_store_disabled(struct v9_model *m, enum v9_unit unit);
/* Returns true if @size, in bytes, exceeds MaxBuffSize. */
bool v9_store_too_large(const struct v9_model *m, uint64_t size);
/*
 * Returns true, and holds it, if the unit has not already the translation of @va by a page or
 * block of @block bytes.
 */
bool v9_store_translates(struct v9_model *m, enum v9_unit unit, const struct v9_regime *g,
			 uint64_t va, uint64_t block);

static inline bool v9_is_device(uint16_t mem)
{
	return !(mem & 0xf0);
}

/* place.c */

/* Returns the place of instruction @i, which is sampled and about to execute. */
struct v9_insn_place v9_place_begin(const struct v9_model *m, const struct v9_pe_insn *i);
/* A record was written: it is logged now, or when its place is decided. */
void v9_place_written(struct v9_model *m, const struct v9_spe_log *l, const struct v9_insn_place *p);
/*
 * The instructions from v9_ete_model.cur up to @end, exclusive, were executed. To be called before
 * they are logged.
 */
void v9_place_block(struct v9_model *m, uint64_t end, bool traced);
/* The block behind the held branch begins. */
void v9_place_next(struct v9_model *m);
/* No instruction that is not decided about will be traced. */
void v9_place_drop(struct v9_model *m);

/* spe_choice.c */
/* Number of members of the sample population that the instruction is. @vq: vector length in quadwords */
unsigned int v9_spe_parts(const struct v9_model *m, uint32_t op, unsigned int vq);
/* @f is part number @part of its instruction. */
void v9_spe_part(const struct v9_model *m, struct v9_sampled_op *f, unsigned int part);
/* Memory Copy reads and writes: chooses which of the two @f samples. */
void v9_spe_copy(struct v9_model *m, struct v9_sampled_op *f);
/**
 * struct v9_spe_access - the data access that a record is of
 * @va: its address
 * @known: that address is in the record
 * @done: the access was performed
 */
struct v9_spe_access {
	uint64_t va;
	bool known, done;
};

/* @va, @known: the address that the emulator told of the whole instruction */
struct v9_spe_access v9_spe_access_of(const struct v9_model *m, const struct v9_sampled_op *f, uint64_t va, bool known);
/* E[17] and E[18]: the Governing predicate of @f has an Inactive element, and no Active one */
uint64_t v9_spe_predicate_events(const struct v9_model *m, const struct v9_sampled_op *f);
/* Payload of the Operation Type packet, as the unit chooses it */
uint8_t v9_spe_payload(const struct v9_model *m, const struct v9_sampled_op *f);
/* Returns true if the member of the population that is to be sampled is of a wrong path. */
bool v9_spe_is_wrong(struct v9_model *m);
/* Makes @f, which is the next instruction of the right path, an operation of a wrong path. */
void v9_spe_wrong_path(struct v9_model *m, struct v9_sampled_op *f);
/* Returns true if a micro-operation that belongs to no instruction is executed before the next instruction. */
bool v9_spe_has_extra(struct v9_model *m);
/* Makes @f such a micro-operation. */
void v9_spe_extra(struct v9_model *m, struct v9_sampled_op *f);
/* Events that may be set at random in each record, as in the Events packet */
uint64_t v9_spe_impdef_events(const struct v9_model *m);
/* Returns true if events @ev pass the filters PMSEVFR_EL1 and, if @inverse, PMSNEVFR_EL1 with the value @want. */
bool v9_spe_events_pass(const struct v9_model *m, uint64_t ev, uint64_t want, bool inverse);
/* Writes the packets @l to the record @r. */
void v9_spe_write(struct v9_model *m, struct v9_record *r, struct v9_spe_packets *l);

/* buffer.c */
extern const struct v9_unit_buffer v9_spe_buffer;
void v9_buffer_put(struct v9_model *m, const struct v9_record *r);
void v9_buffer_drain(struct v9_model *m);
void v9_buffer_disabled(struct v9_model *m);

/* trbe.c */

/*
 * Accepts trace from the trace unit. Returns false if it was not accepted and the trace unit has
 * to drop it.
 */
bool v9_trbe_accept(struct v9_model *m, const uint8_t *p, unsigned int n);
/* Detected Trigger (TRBE-TR1) */
void v9_trbe_trigger(struct v9_model *m);
/* Writes all accepted trace. */
void v9_trbe_drain(struct v9_model *m);
/* Handles a Trigger Event that became due during a drain. */
void v9_trbe_complete(struct v9_model *m);

static inline struct v9_trace_ctl v9_trace_ctl(const struct v9_model *m)
{
	return (struct v9_trace_ctl){
		.trfcr_el1 = m->seen[V9_R_TRFCR_EL1],
		.trfcr_el2 = m->seen[V9_R_TRFCR_EL2],
		.trblimitr = m->seen[V9_R_TRBLIMITR_EL1],
	};
}

/* ete.c */
/* Updates ->enabled and ->allowed for state @s. */
void v9_ete_mark(struct v9_model *m, const struct v9_pe_state *s);
bool v9_ete_enabled(const struct v9_model *m, bool oslk);

/* ete_regs.c */
void v9_ete_regs_init(struct v9_model *m);
uint64_t v9_ete_id(const struct v9_model *m, unsigned int reg, const struct v9_pe_state *s);
/* Direct read and write of a register of the trace unit */
bool v9_ete_read(struct v9_model *m, unsigned int reg, uint64_t *v);
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
void v9_ete_put_trace_on(struct v9_model *m);
/* Outputs a Target Address, with the context of the block if @context. */
void v9_ete_put_address(struct v9_model *m, struct v9_ete_address to, bool context);
/* An exception that the PE does not take. @ret: its return address */
void v9_ete_put_fault(struct v9_model *m, uint64_t ret);
/* Outputs Alignment Synchronization and Trace Info if they are due. Returns true if they were. */
bool v9_ete_synchronize(struct v9_model *m);
/* Returns true if that outputs something. */
bool v9_ete_sync_due(const struct v9_model *m);
/* Commits the oldest @n P0 elements. */
void v9_ete_commit(struct v9_model *m, uint32_t n);
/* The same, or the next call of the two commits them, too. */
void v9_ete_commit_soon(struct v9_model *m, uint32_t n);
/*
 * Cancels the youngest @n P0 elements, and then corrects the last Atom if @mispredict. Of the atoms not
 * yet in a packet, the last @natoms become part of this one. @name: V9_ETE_P_*, or V9_ETE_PKT_ANY
 */
void v9_ete_cancel(struct v9_model *m, uint32_t n, bool mispredict, unsigned int natoms,
		   uint8_t name);
/* Discards all uncommitted P0 elements. */
void v9_ete_discard(struct v9_model *m);
/* Outputs a Source Address: the branch at @addr is taken. */
void v9_ete_put_source(struct v9_model *m, uint64_t addr);
void v9_ete_put_events(struct v9_model *m, unsigned int events);
void v9_ete_put_instrumentation(struct v9_model *m, unsigned int el, uint64_t value);
/* Ends an overflow, if there was one. */
void v9_ete_recover(struct v9_model *m);
/* If the start of the transaction was traced: outputs that it succeeded, or that it failed or has no known result. */
void v9_ete_put_tx_commit(struct v9_model *m);
void v9_ete_put_tx_failure(struct v9_model *m);
/* The trace has no result of the transaction. If it goes on, its start is due again. */
void v9_ete_tx_unresolved(struct v9_model *m);
/* Outputs what is held: a Q element, and the address behind it, or N Atoms. */
void v9_ete_put_held(struct v9_model *m);
/* Outputs the elements that follow a P0 element: cycle count, timestamp. */
void v9_ete_after_p0(struct v9_model *m);
void v9_ete_timestamp(struct v9_model *m);
/* The branch is a call that is traced: pushes its return address. */
void v9_ete_push(struct v9_model *m, uint64_t addr);
/* Instructions [@start, @end) were traced. If @taken, the sequence ends at @end. */
void v9_ete_log(struct v9_model *m, uint64_t start, uint64_t end, bool taken);
void v9_ete_log_flush(struct v9_model *m);

/* ete_block.c */
/* Execution continues at @pc. */
void v9_block_begin(struct v9_ete_model *e, uint64_t pc);
/* The instruction at @pc, which is to execute, has four bytes. */
void v9_block_wide(struct v9_ete_model *e, uint64_t pc);
/* Of the instruction at @pc: bytes, address of the next one */
unsigned int v9_block_size(const struct v9_ete_model *e, uint64_t pc);
uint64_t v9_block_next(const struct v9_ete_model *e, uint64_t pc);
/* Number of instructions of [@start, @end) */
unsigned int v9_block_insns(const struct v9_ete_model *e, uint64_t start, uint64_t end);
/* Address of the instruction that ends at @end */
uint64_t v9_block_last(const struct v9_ete_model *e, uint64_t end);
/* Returns true if an instruction of the block begins at @pc, which is in it. */
bool v9_block_is_insn(const struct v9_ete_model *e, uint64_t pc);

static inline struct v9_ete_address v9_ete_at(const struct v9_ete_model *e, uint64_t addr)
{
	return (struct v9_ete_address){ .addr = addr, .isa = e->code == V9_CODE_T32 };
}

/* ete_form.c */
/* Chooses the packet that encodes @p, as v9_config.packets says. */
void v9_form_choose(struct v9_model *m, struct v9_ete_pkt *p);
/* Returns true if what one packet can hold is to be in several, or what is there already is repeated. */
bool v9_form_split(struct v9_model *m);

/* ete_source.c */
/* Branch @b was executed and is traced. Returns true if it was not taken, and its N Atom is held. */
bool v9_source_hold(struct v9_model *m, const struct v9_branch *b);
/* Likewise. Returns true if it was taken, and traced by its address. @broadcast: its target is traced */
bool v9_source_put(struct v9_model *m, const struct v9_branch *b, bool broadcast);

/* ete_q.c */
/*
 * The block that ends with branch @b was executed and is traced. Returns true if a Q element implies it.
 * Otherwise one may imply its first instructions: e->cur is behind them.
 */
bool v9_q_block(struct v9_model *m, const struct v9_branch *b);

/* ete_tx.c */
/* The unit becomes enabled. */
void v9_tx_enabled(struct v9_model *m);
void v9_tx_begin(struct v9_model *m);
void v9_tx_end(struct v9_model *m, bool success);

/* ete_spec.c */
/*
 * Outputs the Atom of branch @b, with what was wrongly predicted about it. @broadcast: its target is
 * traced. Returns true if a wrong target was predicted, so that the return stack does not replace the
 * right one.
 */
bool v9_spec_branch(struct v9_model *m, const struct v9_branch *b, bool broadcast);
/* A branch was executed that is not traced: comparators may match what was wrongly predicted behind it. */
void v9_spec_untraced(struct v9_model *m, bool synchronizes);
/* A traced exception is taken at the end of the block: outputs what was predicted instead. */
void v9_spec_exception(struct v9_model *m);
/* The PE is reset: P0 elements may remain unresolved, and are discarded. */
void v9_spec_reset(struct v9_model *m);
/* A P0 element was output. @synchronizes: it is a context synchronization event */
void v9_spec_settle(struct v9_model *m, bool synchronizes);

/* ete_check.c */
/* The unit is about to be enabled: logs a violation for each value that it must not have. */
void v9_ete_check(struct v9_model *m);

/* ete_view.c */
/* Returns true if execution in state @s is outside prohibited regions. */
bool v9_ete_allowed(const struct v9_model *m, const struct v9_pe_state *s);
/* ViewInst for the block whose first instruction is at @lo and last one at @hi. Updates start/stop. */
bool v9_ete_view(struct v9_model *m, uint64_t lo, uint64_t hi, bool resource);
bool v9_ete_broadcast(const struct v9_model *m, uint64_t pc);
/* Of @n instructions from @lo, the number of first ones where TRCQCTLR permits Q elements */
unsigned int v9_ete_q_permitted(const struct v9_model *m, uint64_t lo, unsigned int n);
struct v9_ete_matches v9_ete_match(const struct v9_model *m, uint64_t pc);
uint8_t v9_ete_match_cid(const struct v9_model *m);
uint8_t v9_ete_match_vmid(const struct v9_model *m);

/* ete_res.c */
/* Determines which resources are in use. */
void v9_ete_res_plan(struct v9_model *m);
/* Runs a cycle for each instruction of [@lo, @end). Returns true if TRCVICTLR.EVENT was active. */
bool v9_ete_res_run(struct v9_model *m, uint64_t lo, uint64_t end);
/*
 * Runs a cycle with the instruction at @pc, which is on a wrong path. @ids: that path changed the context
 * IDs, so that their comparators match
 */
void v9_ete_res_cancelled(struct v9_model *m, uint64_t pc, bool ids);
void v9_ete_res_input(struct v9_model *m, unsigned int event);

#endif
