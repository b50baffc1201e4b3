/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The public interface of the hardware model. There is one struct v9_model per PE. Only the thread
 * of that PE accesses it.
 *
 * How to drive the model
 * ----------------------
 * For each CPU there are three frequently used values outside the model: cnt, dva, dvalid. While
 * v9_pe_activity() has V9_ACT_SPE, do this before each A64 instruction:
 *
 *	if (--cnt < 0) {
 *		v9_enter(m, cnt, dva, dvalid);
 *		cnt = v9_spe_sample(m, &insn);
 *		dvalid = false;
 *	}
 *
 * Each data access stores its lowest address: dva = address, dvalid = true. If an instruction makes
 * several accesses, only the first one does. Every other call into the model that reads or changes
 * the counters is bracketed in the same way:
 *
 *	v9_enter(m, cnt, dva, dvalid); v9_reg_write(...); cnt = v9_leave(m);
 *
 * These are v9_reg_read, v9_reg_write, v9_sync, v9_exception, v9_eret, v9_spe_abort and
 * v9_model_score. cnt may be INT32_MAX: then nothing is due. If an instruction is about to be
 * executed a second time without having completed (restart of an atomic), undo its count with
 * cnt += 1, whether it was sampled or not.
 *
 * Tracing and the recording of branches need fewer calls. While v9_pe_activity() has V9_ACT_ETE or
 * V9_ACT_BRBE, for code of each instruction set:
 *
 *	at the beginning of each translated block, before its first instruction:
 *		v9_trace_block(m, pc);
 *	before each instruction with v9_trace_p0(m, code, op), whether it passes its condition or not
 *	(flags and registers as the instruction finds them):
 *		v9_trace_branch(m, &insn);
 *	before each other instruction of T32 that has four bytes:
 *		v9_trace_wide(m, pc);
 *
 * The model derives from @insn whether a branch is taken, and the target of a direct branch. After
 * an indirect branch, ISB or exception return a new block must begin. The model takes the target
 * of these from the next v9_trace_block(), or from v9_exception() if no instruction was executed
 * there. v9_trace_needs_block() returns whether the model needs the beginning of a block: true after
 * an indirect branch, ISB, exception, exception return, and whenever tracing may have started
 * again. Emitted code may skip v9_trace_block() while it is false. An additional call has no effect.
 *
 * A branch that itself faults (pointer authentication, a trapped ERET or WFI) is undone when
 * v9_exception() is called with @ret at that branch. Blocks and branches that an emulator starts a
 * second time need no special handling, as long as no instruction for which v9_trace_branch() was
 * called is executed twice.
 *
 * Call v9_exception() and v9_eret() for each exception and return, traced or not. v9_trace_block()
 * and v9_trace_branch() do not need v9_enter() and v9_leave(). Flags derived from v9_pe_activity()
 * must be up to date at the beginning of each block. They change with a register write (registers
 * of the model, MDCR_ELx, HCR_EL2, SCR_EL3, the OS Lock), with the Exception level, or by the
 * model itself (activity_changed()). Call v9_sync(m, V9_SYNC_TSB) for each TSB CSYNC. ISB and DSB
 * are needed only while V9_ACT_SYNC. Call v9_trace_sleep() when WFE or WFI, executed and not
 * trapped, stops the PE.
 *
 * v9_model_reset(V9_RESET_WARM) is the reset of the PE itself. Call it while the PE is still in the
 * state before the reset: the trace unit keeps its state and may trace the reset.
 */
#ifndef V9_MODEL_H
#define V9_MODEL_H

#include "bus.h"

/* When effects of the unit and of register writes become visible */
enum v9_delay {
	V9_DELAY_OFF,		/* at once, in order */
	V9_DELAY_MAX,		/* as late as the architecture permits */
	V9_DELAY_RANDOM		/* at any permitted time, selected by the seed */
};

enum v9_lat {
	V9_LAT_FULL,		/* the timing model of Documentation/trace/model.rst */
	V9_LAT_FIXED		/* constants, for tests that predict every byte */
};

/* Choices that the architecture leaves to the implementation (CONSTRAINED UNPREDICTABLE) */
enum v9_cu_filter {
	V9_CU_FILTER_IGNORE,	/* an enabled filter with an empty selector has no effect */
	V9_CU_FILTER_DROP	/* it discards all records */
};

enum v9_cu_disable {
	V9_CU_DISABLE_WRITE,	/* pending records at a disabled buffer: still written */
	V9_CU_DISABLE_DROP,	/* discarded, no event */
	V9_CU_DISABLE_EVENT	/* discarded, with a management event "data lost, not full" */
};

/* Which address a record has of a contiguous SVE load or store (R_NHSYR) */
enum v9_element {
	V9_ELEMENT_LOWEST,	/* that of the lowest element, also if it is Inactive */
	V9_ELEMENT_LOWEST_IF_ACTIVE,	/* the same, and none if it is Inactive */
	V9_ELEMENT_ACTIVE	/* that of the lowest Active element */
};

/* Handling of external aborts of the Trace Buffer Unit's writes (TRBE-EA1) */
enum v9_trbe_ea {
	V9_TRBE_EA_REPORTED,	/* reported to the unit: a management event */
	V9_TRBE_EA_IGNORED,
	V9_TRBE_EA_SERROR	/* SError exception of the PE; the unit keeps running (TRBE-EA5) */
};

/* Handling of external aborts of the Profiling Buffer's writes (D17.8.4) */
enum v9_spe_ea {
	V9_SPE_EA_REPORTED,	/* reported to the unit: a management event; before SPEv1p3 only */
	V9_SPE_EA_IGNORED,
	V9_SPE_EA_SERROR	/* SError exception of the PE; the unit keeps running */
};

/* Bits of v9_config.spec_what */
#define V9_SPEC_DIRECTION	1	/* whether a branch is taken */
#define V9_SPEC_TARGET		2	/* where an indirect branch goes */
#define V9_SPEC_AFTER		4	/* nothing; what follows a branch is cancelled and executed again */
#define V9_SPEC_AGAIN		8	/* nothing; a branch, too, is cancelled and executed again */
#define V9_SPEC_EXCEPTION	16	/* that no exception is taken */
#define V9_SPEC_LATE		32	/* with DIRECTION: the branch may be committed before it is corrected */
#define V9_SPEC_ALL		63

/* v9_config.packets: longest: no more than one Atom in a packet */
enum v9_packets {
	V9_PACKETS_SHORTEST,
	V9_PACKETS_RANDOM,
	V9_PACKETS_LONGEST
};

/**
 * struct v9_config - the PE's implementation choices that the architecture permits
 * @seed: seed of all random numbers
 * @delay: enum v9_delay
 * @lat: enum v9_lat
 * @spe_version: ID_AA64DFR0_EL1.PMSVer: 0 none, 1 SPEv1p0, 2 SPEv1p1 ... 6 SPEv1p5
 * @max_size: PMSIDR_EL1.MaxSize: records of at most 1 << max_size bytes, 6 to 11. At least 7 with
 *	      @fds, whose longest record has 65 bytes
 * @align: PMBIDR_EL1.Align, 0 to @max_size
 * @interval: PMSIDR_EL1.Interval, the advertised minimum interval, 0 to 8
 * @ernd: PMSIDR_EL1.ERnd
 * @lds: PMSIDR_EL1.LDS: Data Source packets
 * @fds: PMSIDR_EL1.FDS: filter by data source, whose payload then has two bytes; needs SPEv1p4
 *	 and @lds
 * @eft: PMSIDR_EL1.EFT and FPF: additional filters by operation type; needs SPEv1p4
 * @crr: PMSIDR_EL1.CRR: records of branches identify calls and returns; needs SPEv1p4
 * @count16: PMSIDR_EL1.CountSize: latencies have 16 bits, otherwise 12
 * @f: PMBIDR_EL1.F: the walk updates Access flag and dirty state, if the tables enable it
 * @poison: UNKNOWN reset values are random, otherwise 0
 * @pad_align: use the older format (DDI0586A, 2017): pad with an Alignment command and random
 *	       bytes where it fits. Otherwise use Padding packets, the only method in DDI0487
 * @fault_dl: a fault at the first byte of a record also sets PMBSR_ELx.DL
 * @async_abort: external aborts on buffer writes are reported asynchronously
 * @cu_filter: enum v9_cu_filter
 * @cu_disable: enum v9_cu_disable
 * @lat_dram: cycles of a load from memory (V9_LAT_FULL)
 * @lat_total: total latency of every operation, in cycles (V9_LAT_FIXED)
 * @spe_micro: the sample population is micro-operations (PMSIDR_EL1.ArchInst is 0): each access of a load or
 *	       store of two registers, and each update of a base register, is one
 * @spe_wrong: on average, one in this many operations to be sampled is of a wrong path, and a member of the
 *	       population. 0: none is
 * @spe_extra: on average, one in this many instructions has a micro-operation before it that belongs to no
 *	       instruction, and is a member of the population (D17.2.1). 0: none has; else only with @spe_micro
 * @spe_vector: with @spe_micro: a micro-operation of SVE computes this many quadwords of its vectors. 0: all
 * @spe_element: enum v9_element
 * @spe_predicates: events of SVE predicates (E[17], E[18]), in an Events packet of four bytes
 * @spe_sme: loads and stores of SME are of the type of SVE and SME, else of unspecified registers (SPE-CD26)
 * @spe_tags: an access to an Allocation Tag is one to its whole Tag Granule, so that the address is the lowest
 *	      address that the tags cover (D17.6.4.1): log2 of the bytes that LDGM and STGM access. 0: it is the
 *	      address of the instruction
 * @has_mte: FEAT_MTE2: physical addresses in records say which accesses were checked against their tag
 * @spe_prefetch: prefetches of SVE have the type of SVE data processing, else "other" (D17.6.6)
 * @spe_lean: the unit leaves out what it may: events of the last level cache, and the issue latency, which is constant
 * @spe_order: packets of a record are in random order, with padding in between
 * @spe_impdef: IMPLEMENTATION DEFINED events are set at random
 * @clock_step: timestamps of SPE and ETE are multiples of this many ticks. 0 is 1
 * @spe_stamp: the timestamp of a sample is taken at a random cycle of its total latency (D17.6), this many cycles
 *	       to a tick. 0: when it is sampled
 * @ete: a trace unit and a Trace Buffer Unit are present (FEAT_ETE, FEAT_TRBE, FEAT_TRF)
 * @ete_minimal: the trace unit has only the mandatory resources and those of the timestamp event
 * @ete_bare: with @ete_minimal: no resource selectors, so no timestamp event
 * @wfx: TRCIDR2.WFXMODE: WFE and WFI are traced as branches
 * @rs_depth: number of return stack entries, 0 to 15
 * @ts_gap: minimum number of P0 elements before the timestamp event causes another timestamp
 * @ts_cycles: minimum number of cycles between two Timestamp elements, but for those of a flush: before, the unit
 *	       has no capacity for another one (ETE-R_DWCYP)
 * @ts_offset: timestamps of ETE less those of SPE, in ticks, as where their clocks are not the same counter
 * @maxspec: TRCIDR8.MAXSPEC: maximum number of uncommitted P0 elements. 0: the trace unit sees no
 *	     speculative execution
 * @commopt: TRCIDR0.COMMOPT; true if @maxspec is 0
 * @commtrans: TRCIDR0.COMMTRANS: Transaction Start is no P0 element; false if @maxspec is 0
 * @spec_rate: on average, the trace unit sees a wrong prediction at one in this many branches and
 *	       exceptions; at least 1. No effect if @maxspec is 0
 * @spec_what: V9_SPEC_*: what is predicted wrongly, or cancelled
 * @spec_wrong: P0 elements of each wrong path; -1: a random number. If it is not -1, nothing is
 *		random: each is an E Atom, packets are the shortest, and P0 elements are committed
 *		only when they have to be
 * @spec_merge: Commit elements are merged: up to this many with the next one (ETE-I_KHYLN). If it is not 0, and
 *	       @spec_wrong is not -1, each P0 element is committed by an element of its own
 * @ss_forget: when the unit becomes disabled, start and stop points behind the last resolved P0 element did not occur
 *	       (ETE-R_BZSXR)
 * @q_supp: TRCIDR0.QSUPP: the trace unit can make Q elements, 1 with counts, 2 without, 3 both
 * @q_filter: TRCIDR0.QFILT: TRCQCTLR says where; needs @q_supp
 * @q_blocks: blocks of each Q element, whose packets are the shortest; -1: all is random
 * @q_eret: Q elements may imply an exception return
 * @packets: enum v9_packets: which packet the trace unit chooses where several can encode an element
 * @source: the trace unit makes Source Address elements instead of Atoms: of branches that are not taken it
 *	    leaves out one in this many, and of those that are taken it traces one in this many so. 0: none
 * @tsmark: TRCIDR0.TSMARK: the trace unit makes Timestamp Marker elements (FEAT_ETEv1p1)
 * @late: the trace unit puts off all but one in this many opportunities for a Timestamp element, and one in
 *	  this many Cycle Count elements. 0: none; 1: Timestamp elements are output by a flush alone
 * @trbe_align: TRBIDR_EL1.Align, 0 to 11
 * @trbe_f: TRBIDR_EL1.F
 * @trbe_ignore: writes to an enabled Trace Buffer Unit are ignored (TRBE-UN8)
 * @pa_bits: size of a physical address in bits, 32 to 56. Without translation (nVM) a larger
 *	     buffer address is an Address Size fault
 * @oa_bits: size in bits of the largest address that tables can hold, OAMax + 1: 48, 52 or 56. 0:
 *	     the smallest of these that is not below @pa_bits
 * @oa_ignore: without translation, address bits from @oa_bits on are treated as 0 (SPE-PB12,
 *	       TRBE-AT6)
 * @trbe_ahead: the walk for a write is also done for the next page of the buffer (TRBE-AT10)
 * @trbe_mpam: FEAT_TRBE_MPAM
 * @trbe_ea: enum v9_trbe_ea, shown in TRBIDR_EL1.EA
 * @mis_speculated: on average, one in this many branches is mis-speculated: the unit generated
 *		    trace for instructions that are not executed, which shows as an Ignore packet
 *		    (TRBE-SY11). 0: never
 * @trbe_raz: in a value that software writes to TRBPTR_EL1 or TRBTRG_EL1, the low bits that
 *	      @trbe_align gives are cleared (TRBE-UN6), unless it is the last value that the unit
 *	      produced
 * @trbe_over: a trigger reduces the Trigger Counter by up to this many bytes ahead of the data,
 *	       at most the alignment (TRBE-TR4)
 * @trbe_reject: on average, one in this many packets is not accepted at once. The trace unit
 *		 cannot hold it and overflows. 0: never
 * @ete_stall: the trace unit can stall the PE to prevent an overflow (TRCIDR3.STALLCTL, SYSSTALL,
 *	       NOOVERFLOW)
 * @pe_inputs: TRCIDR4.NUMPC: number of PE comparator inputs, 0 to 8; see v9_trace_pe_inputs()
 * @shot_inputs: single-shot control 0 can select PE comparator inputs (TRCSSCSR0.PC)
 * @ite: FEAT_ITE: TRCIT writes values to the trace
 * @trbe_exc: FEAT_TRBE_EXC and FEAT_TRBEv1p1: Profiling exceptions, three status registers
 * @spe_exc: FEAT_SPE_EXC, part of SPEv1p5
 * @spe_nvm: FEAT_SPE_nVM
 * @spe_ea: enum v9_spe_ea, shown in PMBIDR_EL1.EA
 * @buffer_limit: MaxBuffSize of both buffers, encoded as in PMBIDR_EL1[47:32] and
 *		  TRBIDR_EL1[47:32]. 0: no limit, the only value that hardware has; other values
 *		  are set by a hypervisor
 * @brbe: ID_AA64DFR0_EL1.BRBE: 0 none, 1 FEAT_BRBE, 2 FEAT_BRBEv1p1
 * @brbe_records: BRBIDR0_EL1.NUMREC: 8, 16, 32 or 64 records
 * @brbe_isb: ISB is recorded as a direct branch (BRBE-BF2)
 * @brbe_lose: on average, one in this many records cannot be captured, which invalidates all
 *	       records (BRBE-BR7). 0: never
 * @brbe_after: up to this many branches are recorded between an overflow and the freeze
 *		(BRBE-BZ5), in the delay modes
 * @mixed: do not check that the features of the Profiling Unit are a combination that a product
 *	   can have (A2.3), so that one unit can show what otherwise takes two
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
	bool spe_micro;
	uint8_t spe_wrong;
	uint8_t spe_extra;
	uint8_t spe_vector;
	uint8_t spe_element;
	bool spe_predicates;
	bool spe_sme;
	bool spe_prefetch;
	bool spe_lean;
	uint8_t spe_tags;
	bool has_mte;
	bool spe_order;
	bool spe_impdef;
	uint16_t clock_step;
	uint8_t spe_stamp;
	bool ete;
	bool ete_minimal;
	bool ete_bare;
	bool wfx;
	uint8_t rs_depth;
	uint16_t ts_gap;
	uint16_t ts_cycles;
	uint64_t ts_offset;
	uint16_t maxspec;
	bool commopt;
	bool commtrans;
	uint16_t spec_rate;
	uint8_t spec_what;
	int16_t spec_wrong;
	uint8_t spec_merge;
	bool ss_forget;
	uint8_t q_supp;
	bool q_filter;
	int16_t q_blocks;
	bool q_eret;
	uint8_t packets;
	uint8_t source;
	bool tsmark;
	uint8_t late;
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
	uint8_t brbe;
	uint8_t brbe_records;
	bool brbe_isb;
	uint16_t brbe_lose;
	uint8_t brbe_after;
	bool mixed;
};

#define V9_REGS_MAX 512
#define V9_ETE_EVENTS 4

/**
 * struct v9_trace_score - the ground truth of the trace unit and the Trace Buffer Unit
 * @insns: instructions traced: the sum over all calls of bus->pclog
 * @p0: P0 elements
 * @bytes: bytes generated by the trace unit
 * @accepted: of @bytes: accepted by the Trace Buffer Unit while running
 * @written: of @accepted: written to memory
 * @off: of @bytes: discarded because the Trace Buffer Unit was disabled
 * @out: of @off: sent to the other output: TRCEVENTCTL1R.OE
 * @stopped: of @bytes: discarded because collection was stopped
 * @fault: of @accepted: discarded because of a management event, an abort, a reset or a disabled
 *	   buffer
 * @translations: as in struct v9_score
 * @lost: of @bytes: not accepted: the trace unit overflowed
 * @packets: number of packets, by enum v9_ete_kind
 * @on: Trace On elements
 * @overflows: overflows of the trace unit
 * @stalls: how often the PE was stalled and an overflow prevented
 * @syncs: Trace Info elements, periodic and others
 * @events: management events of the Trace Buffer Unit
 * @wraps: TRB_WRAP
 * @triggers: TRB_TRIG
 * @extout: number of cycles in which ETEEvent n was active
 * @irq_raised: low to high transitions of TRBIRQ
 * @tsb: TSB CSYNC instructions executed
 * @busy_writes: writes to trace registers that were ignored because the unit was not idle
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
 * struct v9_brbe_score - the ground truth of the branch record buffer
 * @captured: records captured (BRB_FILTRATE)
 * @filtered: taken branches whose class is not selected
 * @lost: records that could not be captured
 * @injected: records injected by BRB INJ
 * @iall: BRB IALL instructions executed
 * @frozen: BRBE freeze events
 * @resumed: how often software ended a pause with valid records in the buffer
 */
struct v9_brbe_score {
	uint64_t captured;
	uint64_t filtered;
	uint64_t lost;
	uint64_t injected;
	uint64_t iall;
	uint64_t frozen;
	uint64_t resumed;
};

/*
 * PMU events of SPEv1p2 that count samples by class, in the order of their numbers: SAMPLE_FEED_DS (0x8122),
 * SAMPLE_FEED_BR (0x812a) and the next five, SAMPLE_FEED_FP (0x8348), SAMPLE_FEED_SIMD
 */
enum v9_feed {
	V9_FEED_DS,
	V9_FEED_BR,
	V9_FEED_LD,
	V9_FEED_ST,
	V9_FEED_OP,
	V9_FEED_EVENT,
	V9_FEED_LAT,
	V9_FEED_FP,
	V9_FEED_SIMD,
	V9_FEEDS
};

/**
 * struct v9_score - the ground truth of the Profiling Unit, counted since v9_model_init()
 * @pop: operations in the sample population (SAMPLE_POP)
 * @samples: samples taken (SAMPLE_FEED)
 * @feed: by enum v9_feed: samples of branches, loads, stores, FP and SIMD operations, and samples that the
 *	  filters by type, event and latency would keep, whether they are enabled or not; loads that the
 *	  filter by data source would keep (0 without it). 0 before SPEv1p2
 * @collided: samples lost because the one before was still in progress (SAMPLE_COLLISION)
 * @filtered: completed records that the filters discarded
 * @passed: completed records that passed (SAMPLE_FILTRATE)
 * @written: records written completely to memory
 * @bytes: bytes of the @written records, including padding
 * @full: management events because the buffer was full (SAMPLE_BUFFER_FULL)
 * @discarded: records that passed but were not written: Discard mode, management event, disabled
 *	       buffer
 * @dropped: samples that ended without a record because the PE was reset
 * @no_va: written loads and stores whose data address was not known
 * @translations: translations of a page or block of the tables that a unit would request if it
 *		  holds the last one until it is enabled again or TLB maintenance occurs
 * @events: management events
 * @irq_raised: low to high transitions of PMBIRQ
 * @psb: PSB CSYNC instructions executed
 * @isb: ISB instructions passed to the model (only while V9_ACT_SYNC)
 * @dsb: DSB instructions passed to the model (only while V9_ACT_SYNC)
 * @tlbi: TLB maintenance passed to the model
 * @violations: violations logged
 * @rd: direct reads, by register number
 * @wr: direct writes, by register number
 */
struct v9_score {
	uint64_t pop;
	uint64_t samples;
	uint64_t feed[V9_FEEDS];
	uint64_t collided;
	uint64_t filtered;
	uint64_t passed;
	uint64_t written;
	uint64_t bytes;
	uint64_t full;
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
 * @write: MSR exists (otherwise UNDEFINED)
 * @trap: enum v9_trap
 * @feat: enum v9_feat
 * @unit: enum v9_unit
 *
 * PMSCR_EL12 also has an entry. v9_reg_read() and v9_reg_write() treat it as another name of
 * PMSCR_EL1. The caller redirects the *name* PMSCR_EL1 to PMSCR_EL2 at EL2 with E2H=1 (QEMU has a
 * table for this). v9_reg_find() does it for callers without such a table.
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
	V9_RESET_COLD,		/* score kept, all other state UNKNOWN or defined */
	V9_RESET_WARM		/* the same, except trace unit (ETE-R_YYHBF) and trace buffer */
};

/* Flags returned by v9_pe_activity() */
#define V9_ACT_SPE	0x1	/* profiling is enabled here: emit the counting hook */
#define V9_ACT_SYNC	0x2	/* pass ISB and DSB to the model */
#define V9_ACT_ETE	0x4	/* tracing is allowed here: pass blocks and branches to the model */
/* nested virtualization: at EL1 these names access memory if the flag is set */
#define V9_ACT_PMBSR_NV	0x8
#define V9_ACT_TRBSR_NV	0x10
#define V9_ACT_BRBE	0x20	/* branches are recorded here: pass blocks and branches to the model */

struct v9_model;

/*
 * Size of the memory for one model, in bytes. It needs no initialization and the alignment of
 * uint64_t.
 */
size_t v9_model_size(void);

/* Default configuration: SPEv1p2, 64-byte records, seed 1, no delays */
void v9_config_default(struct v9_config *c);

/* Configures a Profiling Unit of this version with all its mandatory features (A2.3). */
void v9_config_version(struct v9_config *c, unsigned int version);

/*
 * Returns 0, or -EINVAL for a configuration that the architecture does not permit. @c and @b are
 * copied.
 */
int v9_model_init(struct v9_model *m, const struct v9_config *c, const struct v9_bus *b, void *ctx);

void v9_model_reset(struct v9_model *m, enum v9_reset kind);

/* The PE stops for good: reports what the model holds of records and traced instructions. */
void v9_model_end(struct v9_model *m);

const struct v9_score *v9_model_score(const struct v9_model *m);

/*
 * Registers. The number of a register is its index in v9_model_regs(). v9_reg_exists() returns
 * whether this PE has it; access to an absent one is UNDEFINED.
 */
const struct v9_regdesc *v9_model_regs(size_t *n);
bool v9_reg_exists(const struct v9_model *m, unsigned int reg);
/*
 * Returns the number of the register that @enc encodes in state @r, including the effect of E2H;
 * -1 if there is none.
 */
int v9_reg_find(const struct v9_route *r, uint32_t enc);
/*
 * Returns the result of the access. Includes the traps of FEAT_FGT2; the caller handles those of
 * FEAT_FGT.
 */
enum v9_access v9_reg_access(struct v9_model *m, unsigned int reg, bool write);
uint64_t v9_reg_read(struct v9_model *m, unsigned int reg);
void v9_reg_write(struct v9_model *m, unsigned int reg, uint64_t v);

/* Bracket for calls into the model; see above. */
void v9_enter(struct v9_model *m, int32_t cnt, uint64_t dva, bool dvalid);
int32_t v9_leave(struct v9_model *m);
unsigned int v9_pe_activity(const struct v9_model *m, const struct v9_pe_state *s);

/*
 * The countdown expired before @i: completes the last sample, counts and selects. Returns the new
 * countdown.
 */
int32_t v9_spe_sample(struct v9_model *m, const struct v9_pe_insn *i);

/*
 * What an instruction does beside its access at dva: to be called while it executes, sampled or not. Calls of an
 * instruction that is not sampled have no effect.
 */
/* Memory Copy reads at @from, where dva is the address that it writes. Only the first call counts. */
void v9_spe_reads(struct v9_model *m, uint64_t from);
/* An access was checked against its Allocation Tag. @store: a write */
void v9_spe_checked(struct v9_model *m, bool store);
/*
 * One element of an SVE gather load or scatter store. To be called for each, in order, also for Inactive ones. These
 * instructions have no dva.
 */
void v9_spe_element(struct v9_model *m, uint64_t va, bool active);

/* An exception is taken. Call it for each one, before the PE changes state. */
void v9_exception(struct v9_model *m, const struct v9_exc *e);

/*
 * An exception return. Call it before the PE changes state. An illegal return keeps the EL. @a64:
 * the PE continues in AArch64 state.
 */
void v9_eret(struct v9_model *m, uint64_t target, unsigned int new_el, bool legal, bool a64);

/* Exit from Debug state to @target. Call it while v9_pe_state.r.debug is still set. */
void v9_debug_exit(struct v9_model *m, uint64_t target);

/* BRB IALL, BRB INJ. For their traps see v9_brb_access(). */
enum v9_brb {
	V9_BRB_IALL,
	V9_BRB_INJ
};

void v9_brb(struct v9_model *m, enum v9_brb what);

/* An overflow flag of the PMU was set: v9_pe_state.pmovs has a new value. */
void v9_brbe_overflow(struct v9_model *m);

void v9_sync(struct v9_model *m, enum v9_sync_kind k);
/* For V9_SYNC_PSB, V9_SYNC_TSB: returns true if the instruction is trapped to EL2 with EC 0x0a. */
bool v9_sync_trapped(struct v9_model *m, enum v9_sync_kind k);

/* Returns true if V9_SYNC_TLBI_OTHER may have an effect now or before the next call. */
bool v9_model_late(const struct v9_model *m);

/* An external abort of an earlier buffer write is reported now (SPE-ME4). */
void v9_spe_abort(struct v9_model *m);

/* Events that the model does not generate by itself */
enum v9_inject {
	V9_INJECT_TRBE_ABORT,	/* asynchronous external abort of a write to the buffer */
	V9_INJECT_TRBE_IMPDEF,	/* IMPLEMENTATION DEFINED event (TRBE-IM1) */
	V9_INJECT_SPE_ABORT,
	V9_INJECT_SPE_IMPDEF,
	V9_INJECT_TRBE_ALIGNMENT,	/* the next buffer write has this stage 1 fault */
	V9_INJECT_TRBE_TLB_CONFLICT,
	V9_INJECT_SPE_ALIGNMENT,
	V9_INJECT_SPE_TLB_CONFLICT
};

void v9_inject(struct v9_model *m, enum v9_inject what);

/*
 * Call this when registers of the PE that the interrupt lines depend on may have changed:
 * MDCR_EL3, SCR_EL3, MDCR_EL2. Does not need v9_enter().
 */
void v9_poll(struct v9_model *m);

/*
 * Returns the target Exception level of the Profiling exception to take before the next
 * instruction, with its syndrome (ESR_ELx) in @esr, or 0. Depends on PSTATE and on the same
 * registers as v9_poll().
 */
unsigned int v9_profiling_exception(const struct v9_model *m, const struct v9_pe_state *s,
				    uint32_t *esr);

/*
 * Tracing and recording of branches; see above. v9_trace_p0() depends on the opcode and the
 * configuration only.
 */
bool v9_trace_p0(const struct v9_model *m, enum v9_insn_set code, uint32_t op);
void v9_trace_block(struct v9_model *m, uint64_t pc);
void v9_trace_branch(struct v9_model *m, const struct v9_pe_insn *i);
void v9_trace_wide(struct v9_model *m, uint64_t pc);
bool v9_trace_needs_block(const struct v9_model *m);

/*
 * PMU event number @event occurred. It is an external input of the trace unit. Do not call it for
 * INST_RETIRED and CPU_CYCLES, which the model counts, nor for TRB_WRAP and TRB_TRIG, which the
 * model generates.
 */
void v9_trace_input(struct v9_model *m, unsigned int event);

/*
 * Comparators of the PE match the next instruction: bit n for PE comparator input n. What they
 * compare is IMPLEMENTATION DEFINED.
 */
void v9_trace_pe_inputs(struct v9_model *m, uint8_t inputs);

/* TRCIT is executed with this value. The result of v9_trace_needs_block() may change. */
void v9_trace_instrument(struct v9_model *m, uint64_t value);

/*
 * As if a transaction (FEAT_TME) began here, or ended. Nothing that the PE executed is undone: where a
 * transaction fails, execution goes on at the next call of v9_trace_block().
 */
enum v9_transaction {
	V9_TX_START,
	V9_TX_COMMIT,
	V9_TX_FAIL
};

void v9_trace_transaction(struct v9_model *m, enum v9_transaction what);

/* PMSWINC_EL0 is written; @counters: bits written that select an implemented counter */
void v9_trace_swinc(struct v9_model *m, uint32_t counters);

/* WFE or WFI stops the PE now. */
void v9_trace_sleep(struct v9_model *m);

/*
 * Memory type of the units' last buffer writes, in the form of struct v9_mem_place: TRBE in the
 * lower half, SPE in the upper half
 */
uint32_t v9_model_memory(const struct v9_model *m);

const struct v9_trace_score *v9_model_trace_score(const struct v9_model *m);

const struct v9_brbe_score *v9_model_branch_score(const struct v9_model *m);

#endif
