/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a profiling unit or a trace unit can do, what a user may ask of it, and
 * the register image that a request becomes.
 */
#ifndef V9TRACE_ATTR_H
#define V9TRACE_ATTR_H

#include "base.h"
#include "ete_res.h"
#include "gen/regs.h"
#include "uapi.h"

/* Features, from the ID registers. An option names the ones that it needs. */
#define V9_SPE_HAS_FE		V9_BIT(0)	/* filter by events */
#define V9_SPE_HAS_FT		V9_BIT(1)	/* filter by operation type */
#define V9_SPE_HAS_FL		V9_BIT(2)	/* filter by latency */
#define V9_SPE_HAS_FNE		V9_BIT(3)	/* inverse filter by events */
#define V9_SPE_HAS_FDS		V9_BIT(4)	/* filter by data source */
#define V9_SPE_HAS_EFT		V9_BIT(5)	/* masks of the filters by type */
#define V9_SPE_HAS_DISCARD	V9_BIT(6)	/* count samples, write nothing */
#define V9_SPE_HAS_COUNT12	V9_BIT(7)	/* latencies of 12 bits */
#define V9_SPE_HAS_COUNT16	V9_BIT(8)	/* latencies of 16 bits */
#define V9_SPE_HAS_FPF		V9_BIT(9)	/* filter by SIMD and floating point */

/**
 * struct v9_spe_id - a unit as it describes itself; see v9_spe_read_id()
 * @id_aa64dfr0: ID_AA64DFR0_EL1
 * @id_aa64mmfr0: ID_AA64MMFR0_EL1, the granule fields only
 * @pmsidr: PMSIDR_EL1
 * @pmbidr: PMBIDR_EL1
 * @events: bits that PMSEVFR_EL1 keeps
 * @inv_events: bits that PMSNEVFR_EL1 keeps
 * @sources: bits that PMSDSFR_EL1 keeps
 * @types: bits that PMSFCR_EL1 keeps, of those that FEAT_SPE_EFT adds
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
};

/**
 * struct v9_refusal - why not, for the user
 * @option: which option, "" if it is about none
 * @why: what about it
 */
struct v9_refusal {
	const char *option;
	const char *why;
};

/**
 * struct v9_spe_unit - the same, understood
 * @id: registers
 * @features: V9_SPE_HAS_*
 * @version: PMSVer: 1 is SPEv1p0
 * @max_record: bytes of the longest record
 * @align: bytes to which a first write pointer is aligned
 * @granule: bytes to which the limit is aligned: the smallest translation granule
 * @min_interval: advised lower bound of the sampling interval
 * @count_size: bits of a latency
 * @max_buffer: bytes from the write pointer to the limit, whole granules; 0: any number
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

/*
 * Registers that stay as they are from one session to the next if their values are the same, and
 * the feature without which each does not exist (0: none), in the order in which they are written.
 */
#define V9_SPE_HELD_REGS(R) \
	R(PMSFCR, 0) \
	R(PMSEVFR, 0) \
	R(PMSNEVFR, V9_SPE_HAS_FNE) \
	R(PMSDSFR, V9_SPE_HAS_FDS) \
	R(PMSLATFR, 0) \
	R(PMSIRR, 0)

/* Registers that have values, less _EL1 */
#define V9_SPE_REG_OF(reg, need)	V9_SPE_REG_##reg,
enum v9_spe_reg {
	V9_SPE_REG_PMBLIMITR,	/* written first; without LIMIT and E, which belong to the window */
	V9_SPE_HELD_REGS(V9_SPE_REG_OF)
	V9_SPE_REG_PMSCR,	/* written last: it turns sampling on */
	V9_SPE_REGS
};

/**
 * struct v9_spe_reg_values - what the registers of one session hold
 * @reg: by enum v9_spe_reg
 * @features: V9_SPE_HAS_*: PMSNEVFR_EL1 and PMSDSFR_EL1 exist only with theirs
 */
struct v9_spe_reg_values {
	uint64_t reg[V9_SPE_REGS];
	uint64_t features;
};

/**
 * struct v9_option - one name that a user may write in an event
 * @name: name in format/
 * @word: 0 for config, 1 for config1 ...
 * @lo: lowest bit in it
 * @hi: highest bit
 * @reg: enum v9_spe_reg, or enum v9_ete_reg
 * @field: where its value goes there
 * @need: V9_SPE_HAS_* or V9_TRACE_HAS_* without which the unit lacks it
 * @inverted: the register wants the complement
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
 * struct v9_spe_cap - one file in caps/
 * @name: its name
 * @value: its value
 * @hex: print it in hexadecimal
 */
struct v9_spe_cap {
	const char *name;
	uint64_t value;
	bool hex;
};

/**
 * struct v9_spe_request - what a user asks for
 * @config: option words; those the kernel lacks are 0
 * @period: operations between two samples; 0: as advised by the unit
 * @user: profile EL0
 * @kernel: profile the kernel
 * @context: put CONTEXTIDR into each record
 */
struct v9_spe_request {
	uint64_t config[V9_OPTION_WORDS];
	uint64_t period;
	bool user;
	bool kernel;
	bool context;
};

/**
 * v9_spe_option - walk the option table
 * @i: row
 *
 * Return: the row, NULL after the last.
 */
const struct v9_option *v9_spe_option(unsigned int i);

/**
 * v9_spe_has_option - can this option be offered?
 * @unit: the unit
 * @o: the option
 * @words: option words of the kernel's struct perf_event_attr
 *
 * Return: true if it can.
 */
bool v9_spe_has_option(const struct v9_spe_unit *unit, const struct v9_option *o,
		       unsigned int words);

/**
 * v9_spe_cap - walk the capability table
 * @unit: the unit
 * @i: row
 * @cap: result
 *
 * Return: false after the last row.
 */
bool v9_spe_cap(const struct v9_spe_unit *unit, unsigned int i, struct v9_spe_cap *cap);

/**
 * v9_spe_check_unit - understand a unit's ID registers, or refuse it
 * @id: registers
 * @unit: result
 * @why: reason of a refusal, for the user
 *
 * Return: 0; -ENODEV if there is no unit; -EPERM if it belongs to a higher
 * Exception level; -ENXIO if it describes itself in reserved words or cannot
 * write to virtual addresses.
 */
int v9_spe_check_unit(const struct v9_spe_id *id, struct v9_spe_unit *unit, const char **why);

/**
 * v9_spe_encode_interval - the reload register of a sampling period
 * @unit: the unit
 * @period: operations between two samples; 0: as advised by the unit
 * @pmsirr: PMSIRR_EL1: its INTERVAL is replaced, the rest kept
 *
 * The period is rounded down to a multiple of 256, and is 256 at least
 * (SPE-SI13).
 *
 * Return: the period taken, or 0 for one that is too long.
 */
uint64_t v9_spe_encode_interval(const struct v9_spe_unit *unit, uint64_t period, uint64_t *pmsirr);

/**
 * v9_spe_encode_regs - turn a request into register values
 * @unit: the unit
 * @req: what is asked for
 * @values: result
 * @no: reason of a refusal
 *
 * Return: 0; -EINVAL for a request without meaning; -EOPNOTSUPP for one that
 * this unit cannot honour.
 */
int v9_spe_encode_regs(const struct v9_spe_unit *unit, const struct v9_spe_request *req,
		       struct v9_spe_reg_values *values, struct v9_refusal *no);

/**
 * v9_spe_needs_privilege - does it reveal physical addresses or time?
 * @values: the image
 *
 * Return: true if it does.
 */
bool v9_spe_needs_privilege(const struct v9_spe_reg_values *values);

/**
 * v9_option_mask - the bits of an option in its word
 * @o: the option
 *
 * Return: the mask.
 */
static inline uint64_t v9_option_mask(const struct v9_option *o)
{
	return (~UINT64_C(0) >> (63 - (o->hi - o->lo))) << o->lo;
}

/**
 * v9_smallest_granule - the smallest translation granule that the PE implements
 * @mmfr0: ID_AA64MMFR0_EL1
 *
 * Return: bytes; 0 if it names none.
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
 * v9_max_buffer - how large a buffer a unit takes
 * @id: MaxBuffSize, of PMBIDR_EL1 or TRBIDR_EL1: hardware reads 0, a hypervisor may say more
 * @granule: of v9_smallest_granule()
 * @bytes: result, whole granules; 0: any size
 *
 * Return: false if no buffer can be made: a reserved value, or less than a granule.
 */
static inline bool v9_max_buffer(uint64_t id, uint64_t granule, uint64_t *bytes)
{
	uint64_t mantissa = id & 0x1ff, exponent = id >> 9 & 0x1f;
	uint64_t size = exponent ? (0x200 | mantissa) << (exponent + 11) : mantissa << 12;

	*bytes = size & ~(granule - 1);
	return !(id >> 14) && !*bytes == !size;
}

/* Features of a trace unit and its kernel. An option names the ones that it needs. */
#define V9_TRACE_HAS_BB		V9_BIT(0)	/* branch broadcast */
#define V9_TRACE_HAS_CC		V9_BIT(1)	/* cycle counting */
#define V9_TRACE_HAS_RS		V9_BIT(2)	/* return stack */
#define V9_TRACE_HAS_TS		V9_BIT(3)	/* time stamps */
#define V9_TRACE_HAS_COUNTER	V9_BIT(4)	/* a counter and a selector for it */
#define V9_TRACE_HAS_CID		V9_BIT(5)	/* CONTEXTIDR_EL1 in the trace */
#define V9_TRACE_HAS_VMID	V9_BIT(6)	/* CONTEXTIDR_EL2 in the trace */
#define V9_TRACE_AT_EL2		V9_BIT(7)	/* the kernel runs at EL2 */
#define V9_TRACE_HAS_FILTERS	V9_BIT(8)	/* address comparators */
#define V9_TRACE_HAS_EVENTS	V9_BIT(9)	/* ETEEvents, and selectors for them */
#define V9_TRACE_HAS_STALL	V9_BIT(10)	/* the PE can be held up */
#define V9_TRACE_HAS_NOOVERFLOW	V9_BIT(11)	/* ... until nothing is lost */
#define V9_TRACE_HAS_SYNCPR	V9_BIT(12)	/* the distance of synchronization is ours */
#define V9_TRACE_HAS_STROBE	V9_BIT(13)	/* two counters, a sequencer, selectors */
#define V9_TRACE_HAS_MATCH	V9_BIT(14)	/* a comparator for what holds the thread's ID */
#define V9_TRACE_HAS_INPUT	V9_BIT(15)	/* external inputs, and selectors for them */
#define V9_TRACE_HAS_POINT	V9_BIT(16)	/* single-shot control of address comparators */
#define V9_TRACE_HAS_ITE	V9_BIT(17)	/* FEAT_ITE: TRCIT */
#define V9_TRACE_HAS_TRCERR	V9_BIT(18)	/* System Errors can be traced always */
#define V9_TRACE_HAS_PE_INPUT	V9_BIT(19)	/* PE comparator inputs, and selectors for them */
#define V9_TRACE_HAS_ANY_INPUT	V9_BIT(20)	/* those or external inputs */

/* TRCIDR0 to TRCIDR5 and TRCIDR8 are kept; the rest says nothing that is used. */
#define V9_ETE_IDRS		9

/**
 * struct v9_ete_id - trace unit and Trace Buffer Unit as they describe themselves
 * @id_aa64dfr0: ID_AA64DFR0_EL1, the fields of tracing only
 * @id_aa64dfr1: ID_AA64DFR1_EL1, likewise
 * @id_aa64mmfr0: ID_AA64MMFR0_EL1, the granule fields only
 * @trbidr: TRBIDR_EL1
 * @trcidr: TRCIDR<n>
 * @trcdevarch: TRCDEVARCH
 * @trcauthstatus: TRCAUTHSTATUS
 * @held: a debugger has the trace unit, by its claim tag
 * @unlisted: firmware says nothing of the trace unit, and nobody said that its registers may be
 *	touched
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
	bool unlisted;
};

/**
 * struct v9_ete_unit - the same, understood
 * @id: registers
 * @features: V9_TRACE_HAS_*
 * @align: bytes to which a first write pointer is aligned
 * @granule: bytes to which base and limit are aligned: the smallest translation granule
 * @cc_min: smallest threshold of cycle counting
 * @max_buffer: bytes from base to limit, whole granules; 0: any number
 * @comparators: address comparators
 * @counts: other resources
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

/*
 * Registers that stay as they are from one session to the next if their values are the same, in the
 * order in which they are written: the name, the feature without which the register does not exist
 * (0: none), and word and first bit of its field in struct v9_ete_reg_values.key.
 */
#define V9_ETE_HELD_REGS(R) \
	R(TRCCONFIGR, 0, 0, 0) \
	R(TRCCCCTLR, V9_TRACE_HAS_CC, 0, 16) \
	R(TRCTSCTLR, V9_TRACE_HAS_TS, 0, 28) \
	R(TRCSYNCPR, V9_TRACE_HAS_SYNCPR, 1, 0) \
	R(TRCSTALLCTLR, V9_TRACE_HAS_STALL, 1, 18) \
	R(TRCEVENTCTL0R, V9_TRACE_HAS_EVENTS, 1, 32) \
	R(TRCEVENTCTL1R, 0, 1, 5) \
	R(TRCBBCTLR, V9_TRACE_HAS_FILTERS, 1, 9) \
	R(TRCVICTLR, 0, 0, 36)

/* Registers that have values */
#define V9_ETE_REG_OF(reg, need, word, bit)	V9_ETE_REG_##reg,
enum v9_ete_reg {
	V9_ETE_HELD_REGS(V9_ETE_REG_OF)
	V9_ETE_REG_TRCRSR,
	V9_ETE_REG_TRCVIIECTLR,
	V9_ETE_REG_TRCVISSCTLR,
	V9_ETE_REG_TRCITECR,	/* 0: the register is not accessed */
	V9_ETE_REG_TRFCR,	/* written last: it turns tracing on */
	V9_ETE_REG_NONE,	/* an option that sets no single field */
	V9_ETE_REGS = V9_ETE_REG_NONE
};

/* Address comparators that a unit can have: eight pairs. */
#define V9_ETE_COMPARATORS	16

/* Where branches are broadcast, if they are: V9_ETE_BB_* of v9_ete_reg_values.bb */
enum v9_ete_bb {
	V9_ETE_BB_EVERYWHERE,
	V9_ETE_BB_INCLUDED,	/* in the ranges to include, which limit nothing else */
	V9_ETE_BB_EXCLUDED,	/* in the ranges to exclude, which limit nothing else */
	V9_ETE_BB_NOT_EXCLUDED,	/* everywhere else than in those */
};

/* What makes the buffer's trigger: V9_ETE_TRIGGER_* of v9_ete_reg_values.trigger */
enum v9_ete_trigger {
	V9_ETE_TRIGGER_NONE,
	V9_ETE_TRIGGER_POINT,	/* stop points of the filters, which stop nothing */
	V9_ETE_TRIGGER_INPUT,	/* a PMU event, or a comparator of the PE's own */
	V9_ETE_TRIGGER_ADDRESS,	/* one instruction's address */
};

/**
 * struct v9_ete_reg_values - what the registers of one session hold
 * @reg: by enum v9_ete_reg
 * @key: what of it a session without filters and resources writes; see v9_ete_update_key()
 * @more: there is more than that
 * @bb: enum v9_ete_bb
 * @trigger: enum v9_ete_trigger
 * @comparators: how many of the two below are used, from the first on
 * @after: bytes that the buffer shall take after the trigger
 * @address: V9_ETE_TRIGGER_ADDRESS: that
 * @res: resources
 * @acvr: TRCACVR<n>
 * @acatr: TRCACATR<n>
 * @features: V9_TRACE_HAS_*: some registers exist only with theirs
 */
struct v9_ete_reg_values {
	uint64_t reg[V9_ETE_REGS];
	uint64_t key[2];
	bool more;
	uint8_t bb;
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
 * v9_ete_update_key - put what is looked at again and again into two words
 * @values: its registers are final
 *
 * Two images that have the same two words, and not @more, hold the same in every register that has
 * an effect: each field has bits of its own in them.
 */
void v9_ete_update_key(struct v9_ete_reg_values *values);

/**
 * struct v9_ete_request - what a user asks for
 * @config: option words; those the kernel lacks are 0
 * @user: trace EL0
 * @kernel: trace the kernel
 * @threads: 0, or why thread IDs are not to be had: -EOPNOTSUPP: the kernel writes none; -EACCES:
 *	the user is in a PID namespace, and may not know those outside of it
 * @panic: address of the kernel's panic(); 0: not known
 *
 * perf asks for the IDs in the trace by itself: without them the trace is made all the same. A
 * session that goes by an ID is refused.
 */
struct v9_ete_request {
	uint64_t config[V9_OPTION_WORDS];
	bool user;
	bool kernel;
	int threads;
	uint64_t panic;
};

/**
 * v9_ete_option - walk the option table
 * @i: row
 *
 * Return: the row, NULL after the last.
 */
const struct v9_option *v9_ete_option(unsigned int i);

/**
 * v9_ete_has_option - can this option be offered?
 * @unit: the unit
 * @o: the option
 * @words: option words of the kernel's struct perf_event_attr
 *
 * Return: true if it can.
 */
bool v9_ete_has_option(const struct v9_ete_unit *unit, const struct v9_option *o,
		       unsigned int words);

/**
 * v9_ete_check_unit - understand ID registers, or refuse what they describe
 * @id: registers
 * @at_el2: the kernel runs at EL2
 * @unit: result
 * @why: reason of a refusal, for the user
 *
 * Return: 0; -ENODEV if there is no trace unit or no trace buffer; -EPERM if it
 * belongs to a higher Exception level; -ENXIO if it describes itself in
 * reserved words or cannot write to virtual addresses.
 */
int v9_ete_check_unit(const struct v9_ete_id *id, bool at_el2, struct v9_ete_unit *unit,
		      const char **why);

/**
 * v9_ete_encode_regs - turn a request into register values
 * @unit: the unit
 * @req: what is asked for
 * @values: result, with its key
 * @no: reason of a refusal
 *
 * Return: 0; -EINVAL for a request without meaning; -EOPNOTSUPP for one that
 * this unit cannot honour; -EACCES for one that takes thread IDs which are not to be known.
 */
int v9_ete_encode_regs(const struct v9_ete_unit *unit, const struct v9_ete_request *req,
		       struct v9_ete_reg_values *values, struct v9_refusal *no);

enum v9_filter_type {
	V9_FILTER_INCLUDE,	/* only what is in such a range is traced */
	V9_FILTER_EXCLUDE,	/* what is in such a range is not */
	V9_FILTER_START,	/* tracing starts at this instruction */
	V9_FILTER_STOP,		/* and stops behind this one */
};

/**
 * struct v9_filter - a wish where to trace
 * @addr: first byte of a range, or the point
 * @size: bytes of a range; nothing for a point
 * @type: enum v9_filter_type
 * @kernel: an address of the kernel, not of a program
 * @absent: in no mapping yet: nothing matches it
 */
struct v9_filter {
	uint64_t addr;
	uint64_t size;
	uint8_t type;
	bool kernel;
	bool absent;
};

/**
 * v9_ete_check_filters - can the unit hold these filters, wherever they will be mapped?
 * @unit: the unit
 * @filters: the wishes; addresses of programs are not known yet
 * @n: how many
 * @why: reason of a refusal
 *
 * Return: 0; -EINVAL for a wish without meaning; -EOPNOTSUPP for too many.
 */
int v9_ete_check_filters(const struct v9_ete_unit *unit, const struct v9_filter *filters,
			 unsigned int n, const char **why);

/**
 * v9_ete_encode_filters - put filters into an image
 * @unit: the unit
 * @filters: the wishes, judged, with addresses
 * @n: how many
 * @values: changed, with its key; without a filter everything is traced
 * @why: reason of a refusal
 *
 * Ranges and points apply together: traced is what is in a range, while started.
 * If there are start points, tracing waits for one. Whether it has started
 * already stays as the image says, as long as it has points.
 *
 * Ranges that say where to broadcast (@bb of the image) and points that are triggers (@trigger)
 * are that and nothing else.
 *
 * Return: 0; else nothing is traced: -EINVAL if a point both starts and stops; -EOPNOTSUPP if
 * the trigger leaves too few comparators.
 */
int v9_ete_encode_filters(const struct v9_ete_unit *unit, const struct v9_filter *filters,
			  unsigned int n, struct v9_ete_reg_values *values, const char **why);

/**
 * v9_ete_shows_threads - does it reveal thread IDs of all namespaces?
 * @values: the image
 *
 * Return: true if it does.
 */
bool v9_ete_shows_threads(const struct v9_ete_reg_values *values);

/**
 * v9_ete_time - the TS field of TRFCR_ELx that gives the counter which user space can read
 * @unit: the unit, and where its kernel runs
 *
 * Return: V9_TRFCR_EL1_TS_*: what an event uses that does not choose, and what perf converts.
 */
unsigned int v9_ete_time(const struct v9_ete_unit *unit);

/**
 * v9_ete_needs_privilege - are its time stamps of a counter that user space cannot read?
 * @unit: the unit
 * @values: the image
 *
 * Return: true if they are.
 */
bool v9_ete_needs_privilege(const struct v9_ete_unit *unit, const struct v9_ete_reg_values *values);

#endif
