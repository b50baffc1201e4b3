/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Features of a profiling unit or a trace unit, what a user can request of it, and the register
 * values that follow from a request.
 */
#ifndef V9TRACE_ATTR_H
#define V9TRACE_ATTR_H

#include "base.h"
#include "ete_res.h"
#include "gen/regs.h"
#include "held_regs.h"
#include "uapi.h"

/* Features of a profiling unit. @need of struct v9_option has those that an option requires. */
#define V9_SPE_HAS_FE		V9_BIT(0)	/* filter by events */
#define V9_SPE_HAS_FT		V9_BIT(1)	/* filter by operation type */
#define V9_SPE_HAS_FL		V9_BIT(2)	/* filter by latency */
#define V9_SPE_HAS_FNE		V9_BIT(3)	/* inverse filter by events */
#define V9_SPE_HAS_FDS		V9_BIT(4)	/* filter by data source */
#define V9_SPE_HAS_EFT		V9_BIT(5)	/* masks of the filters by type */
#define V9_SPE_HAS_DISCARD	V9_BIT(6)	/* discard mode: samples are counted, not written */
#define V9_SPE_HAS_COUNT12	V9_BIT(7)	/* latencies of 12 bits */
#define V9_SPE_HAS_COUNT16	V9_BIT(8)	/* latencies of 16 bits */
#define V9_SPE_HAS_FPF		V9_BIT(9)	/* filter by SIMD and floating point */

/**
 * struct v9_spe_id - ID registers of a profiling unit, and writable bits of its filter registers
 * @id_aa64dfr0: ID_AA64DFR0_EL1
 * @id_aa64mmfr0: ID_AA64MMFR0_EL1, the granule fields only
 * @pmsidr: PMSIDR_EL1
 * @pmbidr: PMBIDR_EL1
 * @events: writable bits of PMSEVFR_EL1
 * @inv_events: writable bits of PMSNEVFR_EL1
 * @sources: writable bits of PMSDSFR_EL1
 * @types: writable bits of PMSFCR_EL1 that FEAT_SPE_EFT adds
 * @closed: why only PMBIDR_EL1 was read of the unit's registers; else NULL
 *
 * v9_spe_read_id() fills it in.
 */
struct v9_spe_id {
	uint64_t id_aa64dfr0;
	uint64_t id_aa64mmfr0;
	uint64_t pmsidr;
	uint64_t pmbidr;
	uint64_t events;
	uint64_t inv_events;
	uint64_t sources;
	uint64_t types;
	const char *closed;
};

/**
 * struct v9_refusal - why a request is refused, for the user
 * @option: name of the refused option; "" if the reason is not a single option
 * @why: reason
 */
struct v9_refusal {
	const char *option;
	const char *why;
};

/**
 * struct v9_spe_unit - features of a unit, decoded from the ID registers
 * @id: ID registers
 * @features: V9_SPE_HAS_*
 * @version: ID_AA64DFR0_EL1.PMSVer: 1 is SPEv1p0
 * @max_record: bytes of the longest record
 * @align: bytes to which a first write pointer is aligned
 * @granule: bytes to which the limit is aligned: the smallest translation granule of the PE
 * @min_interval: recommended minimum of the sampling interval, in operations
 * @count_size: bits of a latency: 12 or 16
 * @max_buffer: maximum bytes from the write pointer to the limit, whole granules; 0: no maximum
 */
struct v9_spe_unit {
	struct v9_spe_id id;
	uint64_t features;
	uint64_t version;
	uint64_t max_record;
	uint64_t align;
	uint64_t granule;
	uint64_t min_interval;
	uint64_t count_size;
	uint64_t max_buffer;
};

/* Registers of struct v9_spe_reg_values; the names are without _EL1 */
#define V9_SPE_REG_OF(reg, ...)	V9_SPE_REG_##reg
enum v9_spe_reg {
	V9_SPE_REG_PMBLIMITR,	/* written first; without LIMIT and E, which belong to the window */
	V9_SPE_HELD_REGS(V9_SPE_REG_OF, V9_COMMA),
	V9_SPE_REG_PMSCR,	/* written last: it enables sampling */
	V9_SPE_REGS
};

/**
 * struct v9_spe_reg_values - register values of a session
 * @reg: value of each register, by enum v9_spe_reg
 * @features: V9_SPE_HAS_*: PMSNEVFR_EL1 exists only with V9_SPE_HAS_FNE, PMSDSFR_EL1 only with
 *	V9_SPE_HAS_FDS
 */
struct v9_spe_reg_values {
	uint64_t reg[V9_SPE_REGS];
	uint64_t features;
};

/**
 * struct v9_option - an option of an event, set by the user
 * @name: name of its file in format/
 * @word: option word: 0 for config, 1 for config1 ...
 * @lo: lowest bit in the word
 * @hi: highest bit
 * @reg: enum v9_spe_reg, or enum v9_ete_reg
 * @field: mask of the register field that it sets
 * @need: V9_SPE_HAS_* or V9_TRACE_HAS_*: features that the option requires
 * @inverted: the field holds the complement
 */
struct v9_option {
	const char *name;
	uint8_t word;
	uint8_t lo;
	uint8_t hi;
	uint8_t reg;
	uint64_t field;
	uint64_t need;
	bool inverted;
};

/**
 * struct v9_spe_cap - a file in caps/
 * @name: name
 * @value: content of the file, a number
 * @hex: the number is shown in hexadecimal
 */
struct v9_spe_cap {
	const char *name;
	uint64_t value;
	bool hex;
};

/**
 * struct v9_spe_request - a profiling session as the user requests it
 * @config: option words; those that the kernel does not have are 0
 * @period: operations between two samples; 0: the unit's recommended minimum
 * @user: profile EL0
 * @kernel: profile the kernel
 * @context: record CONTEXTIDR
 */
struct v9_spe_request {
	uint64_t config[V9_OPTION_WORDS];
	uint64_t period;
	bool user;
	bool kernel;
	bool context;
};

/**
 * v9_spe_option - row of the option table
 * @i: row
 *
 * Return: the row, or NULL after the last one.
 */
const struct v9_option *v9_spe_option(unsigned int i);

/**
 * v9_spe_has_option - check whether unit and kernel support an option
 * @unit: unit
 * @o: option
 * @words: number of option words in the kernel's struct perf_event_attr
 *
 * Return: true if both do.
 */
bool v9_spe_has_option(const struct v9_spe_unit *unit, const struct v9_option *o,
		       unsigned int words);

/**
 * v9_spe_cap - row of the table of files in caps/
 * @unit: unit
 * @i: row
 * @cap: result
 *
 * Return: false if @i is after the last row.
 */
bool v9_spe_cap(const struct v9_spe_unit *unit, unsigned int i, struct v9_spe_cap *cap);

/**
 * v9_spe_check_unit - decode the ID registers, and check whether the unit can be used
 * @id: ID registers
 * @unit: result
 * @why: reason of a refusal
 *
 * Return: 0; -ENODEV if there is no unit; -EPERM if a higher Exception level or another Security
 * state owns it; -ENXIO if an ID register has a reserved value, or the unit cannot write to
 * virtual addresses.
 */
int v9_spe_check_unit(const struct v9_spe_id *id, struct v9_spe_unit *unit, const char **why);

/**
 * v9_spe_encode_interval - PMSIRR_EL1 for a sampling period
 * @unit: unit
 * @period: operations between two samples; 0: the unit's recommended minimum
 * @pmsirr: PMSIRR_EL1: INTERVAL is replaced, other fields are kept
 *
 * The period is rounded down to a multiple of 256, and is at least 256 (SPE-SI13).
 *
 * Return: the period that the unit uses, or 0 if @period is too long.
 */
uint64_t v9_spe_encode_interval(const struct v9_spe_unit *unit, uint64_t period, uint64_t *pmsirr);

/**
 * v9_spe_encode_regs - compute the register values of a request
 * @unit: unit
 * @req: request
 * @values: result
 * @no: reason of a refusal
 *
 * Return: 0; -EINVAL for an invalid request; -EOPNOTSUPP for one that the unit does not support.
 */
int v9_spe_encode_regs(const struct v9_spe_unit *unit, const struct v9_spe_request *req,
		       struct v9_spe_reg_values *values, struct v9_refusal *no);

/**
 * v9_spe_needs_privilege - check whether records have physical addresses or physical time
 * @values: register values
 *
 * Return: true if they have either.
 */
bool v9_spe_needs_privilege(const struct v9_spe_reg_values *values);

/**
 * v9_option_mask - bits of an option in its word
 * @o: option
 *
 * Return: the mask.
 */
static inline uint64_t v9_option_mask(const struct v9_option *o)
{
	return (~UINT64_C(0) >> (63 - (o->hi - o->lo))) << o->lo;
}

/**
 * v9_smallest_granule - smallest translation granule that the PE implements
 * @mmfr0: ID_AA64MMFR0_EL1
 *
 * Return: bytes; 0 if the register reports none.
 */
static inline uint64_t v9_smallest_granule(uint64_t mmfr0)
{
	if (V9_GET(V9_ID_AA64MMFR0_EL1_TGran4, mmfr0) !=
	    V9_ID_AA64MMFR0_EL1_TGran4_NOT_IMPLEMENTED)
		return 4096;
	if (V9_GET(V9_ID_AA64MMFR0_EL1_TGran16, mmfr0) !=
	    V9_ID_AA64MMFR0_EL1_TGran16_NOT_IMPLEMENTED)
		return 16384;
	if (V9_GET(V9_ID_AA64MMFR0_EL1_TGran64, mmfr0) !=
	    V9_ID_AA64MMFR0_EL1_TGran64_NOT_IMPLEMENTED)
		return 65536;
	return 0;
}

/**
 * v9_max_buffer - maximum size of a buffer of a unit
 * @id: MaxBuffSize of PMBIDR_EL1 or TRBIDR_EL1: 0 in hardware; a hypervisor may set a limit
 * @granule: result of v9_smallest_granule()
 * @bytes: result, whole granules; 0: no maximum
 *
 * Return: false if no buffer is possible: @id is reserved, or the maximum is less than a granule.
 */
static inline bool v9_max_buffer(uint64_t id, uint64_t granule, uint64_t *bytes)
{
	uint64_t mantissa = id & 0x1ff, exponent = id >> 9 & 0x1f;
	uint64_t size = exponent ? (0x200 | mantissa) << (exponent + 11) : mantissa << 12;

	*bytes = size & ~(granule - 1);
	return !(id >> 14) && !*bytes == !size;
}

/*
 * Features of a trace unit and its kernel. @need of struct v9_option has those that an option
 * requires.
 */
#define V9_TRACE_HAS_BB		V9_BIT(0)	/* branch broadcast */
#define V9_TRACE_HAS_CC		V9_BIT(1)	/* cycle counting */
#define V9_TRACE_HAS_RS		V9_BIT(2)	/* return stack */
#define V9_TRACE_HAS_TS		V9_BIT(3)	/* timestamps */
#define V9_TRACE_HAS_COUNTER	V9_BIT(4)	/* a counter and a selector for it */
#define V9_TRACE_HAS_CID		V9_BIT(5)	/* CONTEXTIDR_EL1 in the trace */
#define V9_TRACE_HAS_VMID	V9_BIT(6)	/* CONTEXTIDR_EL2 in the trace */
#define V9_TRACE_AT_EL2		V9_BIT(7)	/* the kernel runs at EL2 */
#define V9_TRACE_HAS_FILTERS	V9_BIT(8)	/* address comparators */
#define V9_TRACE_HAS_EVENTS	V9_BIT(9)	/* ETEEvents, and selectors for them */
#define V9_TRACE_HAS_STALL	V9_BIT(10)	/* the trace unit can stall the PE */
#define V9_TRACE_HAS_NOOVERFLOW	V9_BIT(11)	/* the stall can prevent any loss of trace */
#define V9_TRACE_HAS_SYNCPR	V9_BIT(12)	/* TRCSYNCPR is writable */
#define V9_TRACE_HAS_STROBE	V9_BIT(13)	/* two counters, a sequencer, selectors */
#define V9_TRACE_HAS_MATCH	V9_BIT(14)	/* a comparator for thread IDs */
#define V9_TRACE_HAS_INPUT	V9_BIT(15)	/* external inputs, and selectors for them */
#define V9_TRACE_HAS_POINT	V9_BIT(16)	/* single-shot control of address comparators */
#define V9_TRACE_HAS_ITE	V9_BIT(17)	/* FEAT_ITE: TRCIT */
#define V9_TRACE_HAS_TRCERR	V9_BIT(18)	/* System Errors can always be traced */
#define V9_TRACE_HAS_PE_INPUT	V9_BIT(19)	/* PE comparator inputs, and selectors for them */
#define V9_TRACE_HAS_ANY_INPUT	V9_BIT(20)	/* PE comparator inputs or external inputs */
#define V9_TRACE_HAS_Q		V9_BIT(21)	/* Q elements */
#define V9_TRACE_HAS_QFILT	V9_BIT(22)	/* TRCQCTLR, and address comparators for it */

/* Size of the array of TRCIDR<n>, of which 0 to 5 and 8 are used */
#define V9_ETE_IDRS		9

/**
 * struct v9_ete_id - ID registers of trace unit and Trace Buffer Unit
 * @id_aa64dfr0: ID_AA64DFR0_EL1, the fields of tracing only
 * @id_aa64dfr1: ID_AA64DFR1_EL1, likewise
 * @id_aa64mmfr0: ID_AA64MMFR0_EL1, the granule fields only
 * @trbidr: TRBIDR_EL1
 * @trcidr: TRCIDR<n>
 * @trcdevarch: TRCDEVARCH
 * @trcauthstatus: TRCAUTHSTATUS
 * @held: a debugger has claimed the trace unit (claim tag 0)
 * @closed: why only TRBIDR_EL1 was read of the units' registers; else NULL
 */
struct v9_ete_id {
	uint64_t id_aa64dfr0;
	uint64_t id_aa64dfr1;
	uint64_t id_aa64mmfr0;
	uint64_t trbidr;
	uint64_t trcidr[V9_ETE_IDRS];
	uint64_t trcdevarch;
	uint64_t trcauthstatus;
	bool held;
	const char *closed;
};

/**
 * struct v9_ete_unit - features of a unit, decoded from the ID registers
 * @id: ID registers
 * @features: V9_TRACE_HAS_*
 * @align: bytes to which a first write pointer is aligned
 * @granule: bytes to which base and limit are aligned: the smallest translation granule
 * @cc_min: smallest threshold of cycle counting, in cycles
 * @max_buffer: maximum bytes from base to limit, whole granules; 0: no maximum
 * @comparators: number of address comparators
 * @counts: number of each other resource
 */
struct v9_ete_unit {
	struct v9_ete_id id;
	uint64_t features;
	uint64_t align;
	uint64_t granule;
	uint64_t cc_min;
	uint64_t max_buffer;
	unsigned int comparators;
	struct v9_ete_res_counts counts;
};

/* Registers of struct v9_ete_reg_values */
#define V9_ETE_REG_OF(reg, ...)	V9_ETE_REG_##reg
enum v9_ete_reg {
	V9_ETE_HELD_REGS(V9_ETE_REG_OF, V9_COMMA),
	V9_ETE_REG_TRCRSR,
	V9_ETE_REG_TRCVIIECTLR,
	V9_ETE_REG_TRCVISSCTLR,
	V9_ETE_REG_TRCITECR,	/* 0 unless instrumentation is traced */
	V9_ETE_REG_TRFCR,	/* written last: it enables tracing */
	V9_ETE_REG_NONE,	/* for options that do not set one field */
	V9_ETE_REGS = V9_ETE_REG_NONE
};

/* Maximum number of address comparators of a unit: eight pairs */
#define V9_ETE_COMPARATORS	16

/*
 * Where branch broadcasting applies, if it is enabled, or where Q elements are permitted: @bb of
 * struct v9_ete_reg_values
 */
enum v9_ete_bb {
	V9_ETE_BB_EVERYWHERE,
	V9_ETE_BB_INCLUDED,	/* in include ranges, which do not filter then */
	V9_ETE_BB_EXCLUDED,	/* in exclude ranges, which do not filter then */
	V9_ETE_BB_NOT_EXCLUDED,	/* outside exclude ranges, which do not filter then */
};

/* What triggers the buffer: @trigger of struct v9_ete_reg_values */
enum v9_ete_trigger {
	V9_ETE_TRIGGER_NONE,
	V9_ETE_TRIGGER_POINT,	/* stop filters, which do not stop tracing then */
	V9_ETE_TRIGGER_INPUT,	/* an external input (PMU event), or a PE comparator */
	V9_ETE_TRIGGER_ADDRESS,	/* execution of the instruction at @address */
};

/**
 * struct v9_ete_reg_values - register values of a session
 * @reg: value of each register, by enum v9_ete_reg
 * @key: values of the registers in V9_ETE_HELD_REGS, packed into two words, for a session without
 *	filters and resources; see v9_ete_update_key()
 * @more: the session has filters or resources, which are not in @key
 * @bb: enum v9_ete_bb
 * @q: @bb is that of Q elements
 * @trigger: enum v9_ete_trigger
 * @comparators: number of elements of @acvr and @acatr that are used
 * @after: bytes that the buffer collects after the trigger before it stops
 * @address: address of the trigger, with V9_ETE_TRIGGER_ADDRESS
 * @res: allocated resources
 * @acvr: TRCACVR<n>
 * @acatr: TRCACATR<n>
 * @features: V9_TRACE_HAS_*: V9_ETE_HELD_REGS has the feature that each register requires
 */
struct v9_ete_reg_values {
	uint64_t reg[V9_ETE_REGS];
	uint64_t key[2];
	bool more;
	uint8_t bb;
	bool q;
	uint8_t trigger;
	uint8_t comparators;
	uint32_t after;
	uint64_t address;
	struct v9_ete_res res;
	uint64_t acvr[V9_ETE_COMPARATORS];
	uint64_t acatr[V9_ETE_COMPARATORS];
	uint64_t features;
};

/**
 * v9_ete_update_key - compute the key of register values
 * @values: complete register values; @key and @more are updated
 *
 * Each register field has its own bits in the key. If two sets of values have the same key, and
 * @more is false, each register has the same effective value. A start then compares two words
 * instead of all registers.
 */
void v9_ete_update_key(struct v9_ete_reg_values *values);

/**
 * struct v9_ete_request - a tracing session as the user requests it
 * @config: option words; those that the kernel does not have are 0
 * @user: trace EL0
 * @kernel: trace the kernel
 * @threads: 0 if thread IDs are available; -EOPNOTSUPP if the kernel does not write them; -EACCES
 *	if the user is in a PID namespace and may not see those outside of it
 * @panic: address of the kernel's panic(); 0: not known
 *
 * perf requests thread IDs in the trace without an option of the user. If they are not available,
 * the trace has none, and a session that filters by thread ID is refused.
 */
struct v9_ete_request {
	uint64_t config[V9_OPTION_WORDS];
	bool user;
	bool kernel;
	int threads;
	uint64_t panic;
};

/**
 * v9_ete_option - row of the option table
 * @i: row
 *
 * Return: the row, or NULL after the last one.
 */
const struct v9_option *v9_ete_option(unsigned int i);

/**
 * v9_ete_has_option - check whether unit and kernel support an option
 * @unit: unit
 * @o: option
 * @words: number of option words in the kernel's struct perf_event_attr
 *
 * Return: true if both do.
 */
bool v9_ete_has_option(const struct v9_ete_unit *unit, const struct v9_option *o,
		       unsigned int words);

/**
 * v9_ete_check_unit - decode the ID registers, and check whether the unit can be used
 * @id: ID registers
 * @at_el2: the kernel runs at EL2
 * @unit: result
 * @why: reason of a refusal
 *
 * Return: 0; -ENODEV if there is no trace unit or no trace buffer; -EPERM if a higher Exception
 * level or another Security state owns the buffer, or firmware does not describe the trace unit;
 * -EBUSY if a debugger has claimed the trace unit; -ENXIO if an ID register has a reserved or
 * unsupported value, or the unit cannot write to virtual addresses.
 */
int v9_ete_check_unit(const struct v9_ete_id *id, bool at_el2, struct v9_ete_unit *unit,
		      const char **why);

/**
 * v9_ete_encode_regs - compute the register values of a request
 * @unit: unit
 * @request: what the user requests
 * @values: result, with its key
 * @no: reason of a refusal
 *
 * Return: 0; -EINVAL for an invalid request; -EOPNOTSUPP for one that the unit does not support;
 * -EACCES for one that filters by thread IDs which the user may not see.
 */
int v9_ete_encode_regs(const struct v9_ete_unit *unit, const struct v9_ete_request *request,
		       struct v9_ete_reg_values *values, struct v9_refusal *no);

enum v9_filter_type {
	V9_FILTER_INCLUDE,	/* trace only inside such ranges */
	V9_FILTER_EXCLUDE,	/* do not trace inside such ranges */
	V9_FILTER_START,	/* start tracing at this instruction */
	V9_FILTER_STOP,		/* stop tracing after this instruction */
};

/**
 * struct v9_filter - an address filter
 * @addr: first byte of a range, or the address of a point
 * @size: bytes of a range; 0 for a point
 * @type: enum v9_filter_type
 * @kernel: the address is in the kernel, not in a program
 * @absent: the file is not mapped yet, so the filter matches nothing
 */
struct v9_filter {
	uint64_t addr;
	uint64_t size;
	uint8_t type;
	bool kernel;
	bool absent;
};

/**
 * v9_ete_check_filters - check filters, wherever their files are mapped later
 * @unit: unit
 * @filters: filters; addresses in programs are not known yet
 * @n: number of filters
 * @why: reason of a refusal
 *
 * Return: 0; -EINVAL for an invalid filter; -EOPNOTSUPP if the unit has too few comparators.
 */
int v9_ete_check_filters(const struct v9_ete_unit *unit, const struct v9_filter *filters,
			 unsigned int n, const char **why);

/**
 * v9_ete_encode_filters - add filters to register values
 * @unit: unit
 * @filters: filters that v9_ete_check_filters() accepted, with addresses
 * @n: number of filters
 * @values: register values and their key, which are updated; without a filter everything is traced
 * @why: reason of a refusal
 *
 * Ranges and points are combined: code is traced if it is in a range while tracing is started. If
 * there are start points, tracing begins at the first of them that is executed. If @values had
 * points before, it also has the current state, started or stopped, and that is kept.
 *
 * Ranges that select branch broadcasting (@bb of @values) and points that are triggers (@trigger
 * of @values) do not filter.
 *
 * Return: 0; -EINVAL if a point is both start and stop; -EOPNOTSUPP if the trigger leaves too few
 * comparators. After an error nothing is traced.
 */
int v9_ete_encode_filters(const struct v9_ete_unit *unit, const struct v9_filter *filters,
			  unsigned int n, struct v9_ete_reg_values *values, const char **why);

/**
 * v9_ete_shows_threads - check whether a session exposes thread IDs of the initial PID namespace
 * @values: register values
 *
 * Return: true if it does.
 */
bool v9_ete_shows_threads(const struct v9_ete_reg_values *values);

/**
 * v9_ete_time - TRFCR_ELx.TS for the counter that user space can read
 * @unit: unit; V9_TRACE_AT_EL2 of its features is used
 *
 * Return: V9_TRFCR_EL1_TS_*. It is the default of events. perf converts timestamps of this
 * counter.
 */
unsigned int v9_ete_time(const struct v9_ete_unit *unit);

/**
 * v9_ete_needs_privilege - check whether timestamps are of a counter that user space cannot read
 * @unit: unit
 * @values: register values
 *
 * Return: true if they are.
 */
bool v9_ete_needs_privilege(const struct v9_ete_unit *unit, const struct v9_ete_reg_values *values);

/**
 * struct v9_brbe_id - ID registers of a unit that records branches
 * @id_aa64dfr0: ID_AA64DFR0_EL1
 * @brbidr: BRBIDR0_EL1; 0 if the unit does not exist or may not be accessed
 * @closed: why only ID_AA64DFR0_EL1 was read; else NULL
 *
 * v9_brbe_read_id() fills it in.
 */
struct v9_brbe_id {
	uint64_t id_aa64dfr0;
	uint64_t brbidr;
	const char *closed;
};

/**
 * struct v9_brbe_unit - features of a unit, decoded from the ID registers
 * @version: ID_AA64DFR0_EL1.BRBE: 1 is FEAT_BRBE, 2 FEAT_BRBEv1p1
 * @records: number of records: 8, 16, 32 or 64
 * @cycle_bits: bits of the cycle counter
 */
struct v9_brbe_unit {
	unsigned int version;
	unsigned int records;
	unsigned int cycle_bits;
};

/**
 * struct v9_brbe_request - what a user requests
 * @config: option words, from config on
 * @branch: branch_sample_type, V9_BRANCH_*
 */
struct v9_brbe_request {
	uint64_t config[V9_OPTION_WORDS];
	uint64_t branch;
};

/**
 * struct v9_brbe_reg_values - register values of a session, for a kernel at EL2 with E2H=1
 * @brbcr: BRBCR_EL2
 * @brbcr_el1: BRBCR_EL1, which counts for cycles, predictions and freezes, too
 * @brbfcr: BRBFCR_EL1
 * @event: PMU event whose counter overflows at each sample; 0 for a clock
 * @freezes: an overflow of the PMU pauses recording
 */
struct v9_brbe_reg_values {
	uint64_t brbcr;
	uint64_t brbcr_el1;
	uint64_t brbfcr;
	unsigned int event;
	bool freezes;
};

/**
 * struct v9_brbe_event - an event by name, a file in events/
 * @name: name
 * @option: name of an option
 * @value: its value
 */
struct v9_brbe_event {
	const char *name;
	const char *option;
	unsigned int value;
};

/* Row @i of the options, or NULL */
const struct v9_option *v9_brbe_option(unsigned int i);

/* Row @i of the events, or NULL */
const struct v9_brbe_event *v9_brbe_event(unsigned int i);

/**
 * v9_brbe_check_unit - decode the ID registers
 * @id: ID registers
 * @unit: result
 * @why: result: reason of a refusal
 *
 * Return: 0; -ENXIO if there is no unit; -EPERM if it may not be accessed; -EOPNOTSUPP if its
 * records have a format that is not known.
 */
int v9_brbe_check_unit(const struct v9_brbe_id *id, struct v9_brbe_unit *unit, const char **why);

/**
 * v9_brbe_encode_regs - check a request and compute the register values
 * @req: request
 * @values: result
 * @no: result: reason of a refusal
 *
 * Return: 0, -EINVAL or -EOPNOTSUPP.
 */
int v9_brbe_encode_regs(const struct v9_brbe_request *req, struct v9_brbe_reg_values *values,
			struct v9_refusal *no);

#endif
