/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Operations that a unit performs on its environment. None of them may call back into the model.
 * The first argument is the pointer given to v9_model_init().
 */
#ifndef V9_MODEL_BUS_H
#define V9_MODEL_BUS_H

#include "pe.h"

/**
 * struct v9_regime - translation regime of a buffer write
 * @ss: enum v9_ss
 * @el: 1 (EL1&0, with stage 2 if EL2 is enabled and HCR_EL2.VM) or 2
 * @e2h: with el 2: regime EL2&0
 * @nvm: stage 1 is off: addresses are PAs, or IPAs if there is a stage 2
 * @fixed: the walk does not update the Access flag and dirty state in the tables
 * @mem: with @nvm: the memory type of stage 1, in the form of PMBMAR_EL1 and TRBMAR_EL1
 */
struct v9_regime {
	uint8_t ss;
	uint8_t el;
	bool e2h;
	bool nvm;
	bool fixed;
	uint16_t mem;
};

/**
 * struct v9_mem_place - result of the translation of a buffer address
 * @pa: physical address
 * @block: size in bytes of the page or block that maps the address; the same translation applies
 *	   to all of it. 0 if there is none
 * @mem: memory type, stages 1 and 2 combined, in the form of PMBMAR_EL1 and TRBMAR_EL1: SH, Attr
 */
struct v9_mem_place {
	uint64_t pa;
	uint64_t block;
	uint16_t mem;
};

enum v9_gpc {
	V9_GPC_NONE,
	V9_GPC_FAULT,		/* Granule Protection Fault: the granule belongs to another PAS */
	V9_GPC_OTHER		/* a fault on the table itself: walk, address size, abort */
};

/**
 * struct v9_fault - cause of a failed buffer write
 * @stage: 1 or 2
 * @fsc: fault status code in the long-descriptor form (V9_PMBSR_EL1_FSC_*)
 * @gpc: enum v9_gpc: Granule Protection Check fault
 * @external: external abort, also on a table walk
 * @async: the external abort is asynchronous (set by ->store only)
 */
struct v9_fault {
	uint8_t stage;
	uint8_t fsc;
	uint8_t gpc;
	bool external;
	bool async;
};

/* A data access of the PE. Its regime is the current one, or that of EL2 (FEAT_NV2). */
#define V9_DATA_STORE	1
#define V9_DATA_EL2	2

enum v9_irq_line {
	V9_LINE_PMBIRQ,
	V9_LINE_TRBIRQ
};

enum v9_clock {
	V9_CLOCK_VIRTUAL,	/* physical minus CNTVOFF_EL2 at every Exception level: trace */
	V9_CLOCK_PHYSICAL,
	V9_CLOCK_GUEST_PHYSICAL,	/* physical minus CNTPOFF_EL2, where that offset applies */
	V9_CLOCK_CNTVCT,	/* CNTVCT_EL0 as read at the current Exception level: SPE */
	V9_CLOCKS
};

/**
 * struct v9_offsets - controls of the offset from the physical counter
 * @cntvoff_el2: CNTVOFF_EL2
 * @cntpoff_el2: CNTPOFF_EL2
 * @ecv: CNTHCTL_EL2.ECV
 * @has_poff: FEAT_ECV_POFF implemented
 */
struct v9_offsets {
	uint64_t cntvoff_el2;
	uint64_t cntpoff_el2;
	bool ecv;
	bool has_poff;
};

/* Returns the offset to subtract from the physical count for clock @which in PE state @r. */
uint64_t v9_clock_offset(const struct v9_route *r, const struct v9_offsets *o,
			 enum v9_clock which);

/* Returns the last multiple of @step that @count has passed; @step 0: @count. */
uint64_t v9_clock_step(uint64_t count, unsigned int step);

/* Which members of struct v9_spe_log are present */
#define V9_LOG_TGT	0x001
#define V9_LOG_VA	0x002
#define V9_LOG_PA	0x004
#define V9_LOG_XLAT	0x008
#define V9_LOG_CTX1	0x010
#define V9_LOG_CTX2	0x020
#define V9_LOG_DS	0x040
#define V9_LOG_TS	0x080
#define V9_LOG_PC	0x100
#define V9_LOG_OP	0x200
#define V9_LOG_LAT	0x400	/* total latency */
#define V9_LOG_INSN	0x800
#define V9_LOG_ISSUE	0x1000

/* Of a sequence of traced instructions: instruction set; T32: the bytes of each instruction */
enum v9_listed {
	V9_LIST_A64,
	V9_LIST_T32,		/* two */
	V9_LIST_A32,
	V9_LIST_T32_WIDE	/* four */
};

/**
 * struct v9_spe_log - one record as written, logged by the model independently of the packets
 * @n: number of the record on this PE, from 0
 * @pc: as in the packets, without the byte that holds NS and EL
 * @tgt: branch target, likewise without that byte
 * @va: includes the tag in the top byte, if there is one
 * @pa: without the byte that holds NS
 * @ts: timestamp
 * @at: buffer address of the first byte
 * @ev: payload of the Events packet
 * @insn: index of the instruction among those that ->pclog reports, from 0; not there if it was not
 *	  traced
 * @ctx1: CONTEXTIDR_EL1
 * @ctx2: CONTEXTIDR_EL2
 * @lat_total: latency of the whole operation, counter value as in the packets
 * @lat_issue: latency until issue, likewise
 * @lat_xlat: latency of the address translation, likewise
 * @ds: payload of the Data Source packet
 * @has: V9_LOG_*: members that are present
 * @size: bytes written, including padding
 * @op: header of the Operation Type packet, 0x48 to 0x4a
 * @opc: payload of the Operation Type packet
 * @el: Exception level of the operation
 */
struct v9_spe_log {
	uint64_t n;
	uint64_t pc;
	uint64_t tgt;
	uint64_t va;
	uint64_t pa;
	uint64_t ts;
	uint64_t at;
	uint64_t ev;
	uint64_t insn;
	uint32_t ctx1;
	uint32_t ctx2;
	uint16_t lat_total;
	uint16_t lat_issue;
	uint16_t lat_xlat;
	uint16_t ds;
	uint16_t has;
	uint16_t size;
	uint8_t op;
	uint8_t opc;
	uint8_t el;
};

/* A branch record, as BRBINF<n>_EL1, BRBSRC<n>_EL1 and BRBTGT<n>_EL1 contain it */
struct v9_brbe_record {
	uint64_t inf, src, tgt;
};

/**
 * struct v9_brbe_stop - the branch record buffer when recording was paused
 * @frozen: by a BRBE freeze event, otherwise by software
 * @captured: number of records captured on this PE so far
 * @ts: BRBTS_EL1
 * @pmovs: overflow flags of the PMU
 * @n: number of valid records
 * @rec: these records, youngest first
 */
struct v9_brbe_stop {
	bool frozen;
	uint64_t captured;
	uint64_t ts;
	uint64_t pmovs;
	unsigned int n;
	struct v9_brbe_record rec[64];
};

/**
 * struct v9_violation - software relied on behaviour that the architecture does not guarantee
 * @rule: key in include/v9trace/tables/rules, e.g. "SPE-PB2"
 * @reg: register concerned, or NULL
 * @what: description: one line that does not change between versions
 * @pc: address of the current instruction
 * @value: value written or seen
 * @el: current Exception level
 */
struct v9_violation {
	const char *rule;
	const char *reg;
	const char *what;
	uint64_t pc;
	uint64_t value;
	uint8_t el;
};

struct v9_bus {
	/* Reads the current state of the PE. Called at each decision, so it must be cheap. */
	void (*pe_state)(void *ctx, struct v9_pe_state *out);
	/*
	 * Translates a buffer address for a privileged write in regime @g, with PAN as 0 and
	 * without an exception. The result is valid up to the end of the 4 KiB page. Returns 0,
	 * or 1 with the fault in @f.
	 */
	int (*translate)(void *ctx, struct v9_regime g, uint64_t va, struct v9_mem_place *to,
			 struct v9_fault *f);
	/* Writes within one 4 KiB page. Returns 0, or 1 with the external abort in @f. */
	int (*store)(void *ctx, struct v9_regime g, const struct v9_mem_place *to, const void *p,
		     unsigned int n, struct v9_fault *f);
	/*
	 * Stores in @pa the physical address of the data access that the PE just made at @va, and in @pas
	 * the Security state of that address. @how: V9_DATA_*. Returns false if there is no translation.
	 * Has no side effects on the program.
	 */
	bool (*data)(void *ctx, uint64_t va, unsigned int how, uint64_t *pa, enum v9_ss *pas);
	void (*line)(void *ctx, enum v9_irq_line which, bool level);
	uint64_t (*count)(void *ctx, enum v9_clock which);
	/* v9_pe_activity() may have changed: the callee must rebuild what it derived from it. */
	void (*activity_changed)(void *ctx);
	/* The following operations only report; any of them may be NULL. */
	/*
	 * Called for a sampled access to @pa. Returns true if another PE made the newest sampled
	 * store to that cache line. If @store, this PE becomes that PE.
	 */
	bool (*peer)(void *ctx, uint64_t pa, bool store);
	/*
	 * Raises an external abort of a buffer write as an SError exception; see trbe_ea and
	 * spe_ea of struct v9_config.
	 */
	void (*serror)(void *ctx);
	void (*violation)(void *ctx, const struct v9_violation *n);
	/*
	 * A record was written. If there is ->pclog this is called only when the trace unit has
	 * decided about the instruction, which is when a branch or exception follows.
	 */
	void (*record)(void *ctx, const struct v9_spe_log *l);
	void (*event)(void *ctx, uint64_t pmbsr, uint64_t pmbptr);
	/* A management event of the Trace Buffer Unit occurred: its registers after it */
	void (*trbe_event)(void *ctx, uint64_t trbsr, uint64_t trbptr);
	/* Recording of branches was paused. */
	void (*branches)(void *ctx, const struct v9_brbe_stop *s);
	/*
	 * Trace was generated for the instructions from @start up to @end, exclusive, all
	 * executed in sequence. {0, 0} reports a gap: what follows does not continue what was
	 * before. A sequence of T32 has instructions of one size.
	 */
	void (*pclog)(void *ctx, uint64_t start, uint64_t end, enum v9_listed as);
};

#endif
