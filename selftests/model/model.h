/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The public interface of the hardware model: one struct v9_model per PE,
 * touched by that PE's thread only.
 *
 * How to drive it
 * ---------------
 * Per CPU there are three hot values outside the model: cnt, dva, dvalid. While
 * v9_pe_activity() has V9_ACT_SPE, before each A64 instruction:
 *
 *	if (--cnt < 0) {
 *		v9_enter(m, cnt, dva, dvalid);
 *		cnt = v9_spe_sample(m, &insn);
 *		dvalid = false;
 *	}
 *
 * and each data access stores its lowest address: dva = address, dvalid = true
 * (only the first of an instruction if it makes several).
 * Every other call into the model that can see or move the counters is
 * bracketed alike:
 *
 *	v9_enter(m, cnt, dva, dvalid); v9_reg_write(...); cnt = v9_leave(m);
 *
 * (v9_reg_read, v9_reg_write, v9_sync, v9_exception, v9_eret, v9_spe_abort,
 * v9_model_score). cnt may be INT32_MAX: nothing is due.
 * An instruction about to be executed a second time without having completed
 * (restart of an atomic) is undone by cnt += 1, whether it was sampled or not.
 *
 * Tracing needs less. While v9_pe_activity() has V9_ACT_ETE, for A64 code:
 *
 *	at the beginning of each translated block, before its first instruction:
 *		v9_trace_block(m, pc);
 *	before each instruction with v9_trace_p0(m, op), once its condition is known
 *	(flags and registers as the instruction finds them):
 *		v9_trace_branch(m, &insn);
 *
 * Taken or not, and the target of a direct branch, the model finds out from @insn.
 * After an indirect branch, ISB or exception return a new block must begin: from the
 * next v9_trace_block() the model learns where these went (or from v9_exception(), if
 * nothing was executed there).
 * Whether a block's beginning is needed is in v9_trace_owed(): true after an
 * indirect branch, ISB, exception, exception return, and whenever tracing may have
 * begun anew. Emitted code may skip v9_trace_block() while it is false; calling it
 * too often does no harm.
 *
 * A branch that faults itself (pointer authentication, a trapped ERET or WFI) is
 * taken back when v9_exception() comes with @ret at that branch. Blocks and branches
 * that an emulator starts a second time need no care, as long as no instruction for
 * which v9_trace_branch() was called is executed twice.
 *
 * v9_exception() and v9_eret() come for each exception and return, traced or not.
 * Neither of the two functions above needs v9_enter() and v9_leave(). Flags derived
 * from v9_pe_activity() must be fresh at each beginning of a block; what changes
 * them is a register write (registers of the model, MDCR_ELx, HCR_EL2, SCR_EL3, the
 * OS Lock), an Exception level, or the model itself (activity_changed()).
 * TSB CSYNC: v9_sync(m, V9_SYNC_TSB), always. ISB and DSB while V9_ACT_SYNC.
 * v9_trace_sleep() when WFE or WFI, executed and not trapped, stops the PE.
 *
 * v9_model_reset(V9_RESET_WARM) is the PE's own reset, to be called while the PE still
 * is where it was: the trace unit stays as it is, and may tell of it.
 */
#ifndef V9_MODEL_H
#define V9_MODEL_H

#include "bus.h"

/* How late effects of the unit and of register writes become visible. */
enum v9_delay {
	V9_DELAY_OFF,		/* at once, in order */
	V9_DELAY_MAX,		/* as late as the architecture allows */
	V9_DELAY_RANDOM		/* at any legal moment, chosen by the seed */
};

enum v9_lat {
	V9_LAT_FULL,		/* the timing model of Documentation/trace/model.rst */
	V9_LAT_FIXED		/* constants, for tests that predict every byte */
};

/* Choices that the architecture leaves open (CONSTRAINED UNPREDICTABLE). */
enum v9_cu_filter {
	V9_CU_FILTER_IGNORE,	/* an enabled filter with an empty selector is as if off */
	V9_CU_FILTER_DROP	/* it drops everything */
};

enum v9_cu_disable {
	V9_CU_DISABLE_WRITE,	/* pending records at a disabled buffer: written anyway */
	V9_CU_DISABLE_DROP,	/* silently dropped */
	V9_CU_DISABLE_EVENT	/* dropped, with a management event "data lost, not full" */
};

/* What becomes of external aborts of the Trace Buffer Unit's writes (TRBE-EA1) */
enum v9_trbe_ea {
	V9_TRBE_EA_REPORTED,	/* to the unit: a management event */
	V9_TRBE_EA_IGNORED,
	V9_TRBE_EA_SERROR	/* an exception of the PE; the unit goes on (TRBE-EA5) */
};

/* What becomes of external aborts of the Profiling Buffer's writes (D17.8.4) */
enum v9_spe_ea {
	V9_SPE_EA_REPORTED,	/* to the unit: a management event; before SPEv1p3 only */
	V9_SPE_EA_IGNORED,
	V9_SPE_EA_SERROR	/* an exception of the PE; the unit goes on */
};

/**
 * struct v9_config - the PE's choice among what the architecture permits
 * @seed: of everything random
 * @delay: enum v9_delay
 * @lat: enum v9_lat
 * @spe_version: ID_AA64DFR0_EL1.PMSVer: 0 none, 1 SPEv1p0, 2 SPEv1p1 ... 6 SPEv1p5
 * @max_size: PMSIDR_EL1.MaxSize: records of at most 1 << max_size bytes, 6 to 11; 7 at
 *	      least with @fds, whose longest record has 65 bytes
 * @align: PMBIDR_EL1.Align, 0 to max_size
 * @interval: PMSIDR_EL1.Interval, the advertised minimum
 * @ernd: PMSIDR_EL1.ERnd
 * @lds: PMSIDR_EL1.LDS: Data Source packets
 * @fds: PMSIDR_EL1.FDS: filter by data source, which takes two bytes then; SPEv1p4, @lds
 * @eft: PMSIDR_EL1.EFT and FPF: more filters by type; SPEv1p4
 * @crr: PMSIDR_EL1.CRR: branches tell calls and returns; SPEv1p4
 * @count16: PMSIDR_EL1.CountSize: latencies of 16 bits, else 12
 * @f: PMBIDR_EL1.F: the walk updates Access flag and dirty state, if the tables ask for it
 * @poison: UNKNOWN reset values are random, else 0
 * @pad_align: the older format (DDI0586A, 2017): fill up with an Alignment command and noise where it
 *             fits; else Padding packets, the one way that DDI0487 has
 * @fault_dl: a fault at the first byte of a record sets PMBSR_ELx.DL, too
 * @async_abort: external aborts on buffer writes are reported asynchronously
 * @cu_filter: enum v9_cu_filter
 * @cu_disable: enum v9_cu_disable
 * @lat_dram: cycles of a load served by memory (V9_LAT_FULL)
 * @lat_total: total latency of everything (V9_LAT_FIXED)
 * @ete: a trace unit and a Trace Buffer Unit (FEAT_ETE, FEAT_TRBE, FEAT_TRF)
 * @ete_minimal: it has only what no trace unit may lack (and a timestamp event's parts)
 * @ete_bare: with @ete_minimal: not even these: no resource selectors
 * @wfx: TRCIDR2.WFXMODE: WFE and WFI are traced as branches
 * @rs_depth: return stack entries, 0 to 15
 * @ts_gap: the timestamp event is served after at least so many P0 elements
 * @trbe_align: TRBIDR_EL1.Align, 0 to 11
 * @trbe_f: TRBIDR_EL1.F
 * @trbe_ignore: writes to an enabled Trace Buffer Unit are ignored (TRBE-UN8)
 * @pa_bits: size of a physical address, 32 to 56: without translation (nVM) a buffer
 *	     address beyond it is an Address Size fault
 * @oa_bits: size of the largest that tables could hold, OAMax + 1: 48, 52 or 56; 0: the
 *	     least of these that is not below @pa_bits
 * @oa_ignore: without translation address bits from @oa_bits on count as 0 (SPE-PB12, TRBE-AT6)
 * @trbe_ahead: the walk for writing is done for the next page of the buffer, too (TRBE-AT10)
 * @trbe_mpam: FEAT_TRBE_MPAM
 * @trbe_ea: enum v9_trbe_ea; TRBIDR_EL1.EA says it
 * @mis_speculated: one in so many branches is predicted wrong, and trace was generated for what is not
 *	      executed: an Ignore packet (TRBE-SY11); 0 never
 * @trbe_raz: low bits of TRBPTR_EL1 and TRBTRG_EL1, as @trbe_align has it, that software
 *	      makes up itself are dropped (TRBE-UN6); values that the unit made stay whole
 * @trbe_over: a trigger takes so many bytes off the Trigger Counter ahead of the data, at
 *	       most the alignment (TRBE-TR4)
 * @trbe_reject: one in so many pieces of trace is not accepted at once and the trace
 *		unit, which cannot keep it, overflows; 0 never
 * @ete_stall: the trace unit can hold up the PE instead (TRCIDR3.STALLCTL, SYSSTALL, NOOVERFLOW)
 * @pe_inputs: TRCIDR4.NUMPC: PE comparator inputs, 0 to 8; see v9_trace_pe_inputs()
 * @shot_inputs: single-shot control 0 can have some of them (TRCSSCSR0.PC)
 * @ite: FEAT_ITE: TRCIT puts values into the trace
 * @trbe_exc: FEAT_TRBE_EXC and FEAT_TRBEv1p1: Profiling exceptions, three status registers
 * @spe_exc: FEAT_SPE_EXC, which is of SPEv1p5
 * @spe_nvm: FEAT_SPE_nVM
 * @spe_ea: enum v9_spe_ea; PMBIDR_EL1.EA says it
 * @buffer_limit: MaxBuffSize of both buffers, encoded as in PMBIDR_EL1[47:32] and TRBIDR_EL1[47:32]: 0
 *		  is no limit, and the one value that hardware has; others are of a hypervisor
 * @mixed: features of the Profiling Unit as they stand here, also a mix that no product has (A2.3),
 *	   so that one unit shows what takes two
 */
struct v9_config {
	uint64_t seed;
	uint8_t delay;
	uint8_t lat;
	uint8_t spe_version;
	uint8_t max_size;
	uint8_t align;
	uint8_t interval;
	bool ernd;
	bool lds;
	bool fds;
	bool eft;
	bool crr;
	bool count16;
	bool f;
	bool poison;
	bool pad_align;
	bool fault_dl;
	bool async_abort;
	uint8_t cu_filter;
	uint8_t cu_disable;
	uint16_t lat_dram;
	uint16_t lat_total;
	bool ete;
	bool ete_minimal;
	bool ete_bare;
	bool wfx;
	uint8_t rs_depth;
	uint16_t ts_gap;
	uint8_t trbe_align;
	bool trbe_f;
	bool trbe_ahead;
	bool trbe_mpam;
	uint8_t trbe_ea;
	bool trbe_ignore;
	uint8_t pa_bits;
	uint8_t oa_bits;
	bool oa_ignore;
	uint16_t mis_speculated;
	bool trbe_raz;
	uint16_t trbe_over;
	uint16_t trbe_reject;
	bool ete_stall;
	uint8_t pe_inputs;
	bool shot_inputs;
	bool ite;
	bool trbe_exc;
	bool spe_exc;
	bool spe_nvm;
	uint8_t spe_ea;
	uint16_t buffer_limit;
	bool mixed;
};

#define V9_REGS_MAX 256
#define V9_ETE_EVENTS 4

/**
 * struct v9_trace_score - the ground truth of trace unit and Trace Buffer Unit
 * @insns: instructions traced: the sum over bus->pclog
 * @p0: P0 elements
 * @bytes: generated by the trace unit
 * @accepted: of them, taken by the Trace Buffer Unit while running
 * @written: of them, in memory
 * @off: discarded: the Trace Buffer Unit was disabled
 * @out: of these, those that left by the other output: TRCEVENTCTL1R.OE
 * @stopped: discarded: collection was stopped
 * @fault: discarded: accepted, but a management event came before they were written
 * @translations: as in struct v9_score
 * @lost: generated but not accepted: the trace unit overflowed
 * @packets: by enum v9_ete_type
 * @on: Trace On elements
 * @overflows: of the trace unit
 * @stalls: times that the PE waited, and nothing overflowed
 * @syncs: periodic and other Trace Info elements
 * @events: management events of the Trace Buffer Unit
 * @wraps: TRB_WRAP
 * @triggers: TRB_TRIG
 * @extout: ETEEvent n was active in so many cycles
 * @irq_raised: TRBIRQ went from low to high
 * @tsb: TSB CSYNC executed
 * @busy_writes: writes to trace registers that were not idle, and so ignored
 */
struct v9_trace_score {
	uint64_t insns;
	uint64_t p0;
	uint64_t bytes;
	uint64_t accepted;
	uint64_t written;
	uint64_t off;
	uint64_t out;
	uint64_t stopped;
	uint64_t fault;
	uint64_t translations;
	uint64_t lost;
	uint64_t packets[32];
	uint64_t on;
	uint64_t overflows;
	uint64_t stalls;
	uint64_t syncs;
	uint64_t events;
	uint64_t wraps;
	uint64_t triggers;
	uint64_t extout[V9_ETE_EVENTS];
	uint64_t irq_raised;
	uint64_t tsb;
	uint64_t busy_writes;
};

/**
 * struct v9_score - the ground truth, counted since v9_model_init()
 * @pop: operations in the sample population (SAMPLE_POP)
 * @samples: samples taken (SAMPLE_FEED)
 * @collided: samples that met one in flight (SAMPLE_COLLISION)
 * @filtered: completed records that the filters dropped
 * @passed: completed records that passed (SAMPLE_FILTRATE)
 * @written: records written completely to memory
 * @bytes: their bytes, padding included
 * @discarded: passed but not written: Discard mode, management event, disabled buffer
 * @dropped: samples that ended without a record: the PE was reset
 * @no_va: written loads and stores whose data address was not known
 * @translations: asked for, if the unit keeps one, of a page or block as the tables have it,
 *	until it is enabled anew or TLB maintenance comes
 * @events: management events
 * @irq_raised: PMBIRQ went from low to high
 * @psb: PSB CSYNC executed
 * @isb: ISB seen (only while V9_ACT_SYNC)
 * @dsb: DSB seen (only while V9_ACT_SYNC)
 * @tlbi: TLB maintenance told to the model
 * @violations: violations
 * @rd: direct reads, by register number
 * @wr: direct writes, by register number
 */
struct v9_score {
	uint64_t pop;
	uint64_t samples;
	uint64_t collided;
	uint64_t filtered;
	uint64_t passed;
	uint64_t written;
	uint64_t bytes;
	uint64_t discarded;
	uint64_t dropped;
	uint64_t no_va;
	uint64_t translations;
	uint64_t events;
	uint64_t irq_raised;
	uint64_t psb;
	uint64_t isb;
	uint64_t dsb;
	uint64_t tlbi;
	uint64_t violations;
	uint64_t rd[V9_REGS_MAX];
	uint64_t wr[V9_REGS_MAX];
};

/**
 * struct v9_regdesc - one register of the model
 * @name: as in the manual
 * @enc: V9_SYS_<name>: op0 << 19 | op1 << 16 | CRn << 12 | CRm << 8 | op2 << 5
 * @write: MSR exists (else UNDEFINED)
 * @trap: enum v9_trap
 * @feat: enum v9_feat
 * @unit: enum v9_unit
 *
 * PMSCR_EL12 is a row too: another name of PMSCR_EL1, as v9_reg_read() and
 * v9_reg_write() know. The redirection of the *name* PMSCR_EL1 to PMSCR_EL2 at
 * EL2 with E2H=1 is the caller's (QEMU has a table for it); v9_reg_find() offers
 * it to callers without one.
 */
struct v9_regdesc {
	const char *name;
	uint32_t enc;
	bool write;
	uint8_t trap;
	uint8_t feat;
	uint8_t unit;
};

enum v9_reset {
	V9_RESET_COLD,		/* scoreboard kept, everything else UNKNOWN or defined */
	V9_RESET_WARM		/* likewise, but for trace unit (ETE-R_YYHBF) and trace buffer */
};

/* v9_pe_activity() */
#define V9_ACT_SPE	0x1	/* profiling on here: emit the counting hook */
#define V9_ACT_SYNC	0x2	/* tell ISB and DSB */
#define V9_ACT_ETE	0x4	/* traced here: tell blocks and branches */
/* nested virtualization: these names at EL1 mean memory, where 1 */
#define V9_ACT_PMBSR_NV	0x8
#define V9_ACT_TRBSR_NV	0x10

struct v9_model;

/* Memory for one model, zeroed or not, aligned as for uint64_t. */
size_t v9_model_size(void);

/* Defaults: SPEv1p2, 64-byte records, seed 1, no delays. */
void v9_config_default(struct v9_config *c);

/* A Profiling Unit of this version, and what no unit of it may lack (A2.3) */
void v9_config_version(struct v9_config *c, unsigned int version);

/* 0, or -EINVAL for a configuration that the architecture forbids. @c and @b are copied. */
int v9_model_init(struct v9_model *m, const struct v9_config *c, const struct v9_bus *b, void *ctx);

void v9_model_reset(struct v9_model *m, enum v9_reset kind);

const struct v9_score *v9_model_score(const struct v9_model *m);

/*
 * Registers. A register's number is its index in v9_model_regs(). Whether it
 * exists on this PE: v9_reg_exists(); an absent one is UNDEFINED.
 */
const struct v9_regdesc *v9_model_regs(size_t *n);
bool v9_reg_exists(const struct v9_model *m, unsigned int reg);
/* Number of the register that encoding @enc means in state @r, E2H considered; -1: none. */
int v9_reg_find(const struct v9_route *r, uint32_t enc);
/* What the access does. Traps of FEAT_FGT are the caller's, those of FEAT_FGT2 are in it. */
enum v9_access v9_reg_access(struct v9_model *m, unsigned int reg, bool write);
uint64_t v9_reg_read(struct v9_model *m, unsigned int reg);
void v9_reg_write(struct v9_model *m, unsigned int reg, uint64_t v);

/* Hot state; see above. */
void v9_enter(struct v9_model *m, int32_t cnt, uint64_t dva, bool dvalid);
int32_t v9_leave(struct v9_model *m);
unsigned int v9_pe_activity(const struct v9_model *m, const struct v9_pe_state *s);

/* The countdown expired before @i: complete, count, select. Returns the new countdown. */
int32_t v9_spe_sample(struct v9_model *m, const struct v9_insn *i);

/* An exception is taken, before the PE changes state. Call it for each one. */
void v9_exception(struct v9_model *m, const struct v9_exc *e);

/* An exception return, before the PE changes state. Illegal returns keep the EL. */
void v9_eret(struct v9_model *m, uint64_t target, unsigned int new_el, bool legal);

void v9_sync(struct v9_model *m, enum v9_sync_kind k);
/* V9_SYNC_PSB, V9_SYNC_TSB: the instruction is trapped to EL2 instead, with EC 0x0a. */
bool v9_sync_trapped(struct v9_model *m, enum v9_sync_kind k);

/* Is there anything, or may there be before the next call, that V9_SYNC_TLBI_OTHER is for? */
bool v9_model_late(const struct v9_model *m);

/* An external abort of an earlier buffer write arrives now (SPE-ME4). */
void v9_spe_abort(struct v9_model *m);

/* Events that nothing in this model makes by itself */
enum v9_inject {
	V9_INJECT_TRBE_ABORT,	/* asynchronous external abort of a write to the buffer */
	V9_INJECT_TRBE_IMPDEF,	/* IMPLEMENTATION DEFINED event (TRBE-IM1) */
	V9_INJECT_SPE_ABORT,
	V9_INJECT_SPE_IMPDEF,
	V9_INJECT_TRBE_ALIGNMENT,	/* the next write to the buffer meets this stage 1 fault */
	V9_INJECT_TRBE_TLB_CONFLICT,
	V9_INJECT_SPE_ALIGNMENT,
	V9_INJECT_SPE_TLB_CONFLICT
};

void v9_inject(struct v9_model *m, enum v9_inject what);

/*
 * Registers of the PE that the interrupt lines depend on may have changed:
 * MDCR_EL3, SCR_EL3, MDCR_EL2. No v9_enter() needed.
 */
void v9_poll(struct v9_model *m);

/*
 * The Profiling exception to take before the next instruction: its target Exception
 * level and syndrome (ESR_ELx), or 0. Depends on PSTATE and on what v9_poll() depends on.
 */
unsigned int v9_profiling_exception(const struct v9_model *m, const struct v9_pe_state *s,
				    uint32_t *esr);

/* Tracing; see above. v9_trace_p0() is a property of the opcode and the configuration. */
bool v9_trace_p0(const struct v9_model *m, uint32_t op);
void v9_trace_block(struct v9_model *m, uint64_t pc);
void v9_trace_branch(struct v9_model *m, const struct v9_insn *i);
bool v9_trace_owed(const struct v9_model *m);

/*
 * A PMU event number happened: external input of the trace unit. Not for INST_RETIRED and
 * CPU_CYCLES, which the model counts itself, nor TRB_WRAP and TRB_TRIG, which it makes.
 */
void v9_trace_input(struct v9_model *m, unsigned int event);

/*
 * Comparators of the PE match the next instruction: bit n for PE comparator input n. What they
 * compare is IMPLEMENTATION DEFINED.
 */
void v9_trace_pe_inputs(struct v9_model *m, uint8_t inputs);

/* TRCIT is executed, with this value. v9_trace_owed() may be another then. */
void v9_trace_instrument(struct v9_model *m, uint64_t value);

/* PMSWINC_EL0 is written; @counters: bits written that stand for an implemented counter */
void v9_trace_swinc(struct v9_model *m, uint32_t counters);

/* WFE or WFI stops the PE now. */
void v9_trace_sleep(struct v9_model *m);

/*
 * Memory type of the unit's last write to its buffer, as struct v9_place has it: TRBE in the lower,
 * SPE in the upper half
 */
uint32_t v9_model_memory(const struct v9_model *m);

const struct v9_trace_score *v9_model_trace_score(const struct v9_model *m);

#endif
