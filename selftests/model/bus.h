/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a unit may do to the world around it. No function here may call back
 * into the model. Each gets the pointer given to v9_model_init().
 */
#ifndef V9_MODEL_BUS_H
#define V9_MODEL_BUS_H

#include "pe.h"

/**
 * struct v9_regime - whose translation a buffer write uses
 * @ss: enum v9_ss
 * @el: 1 (EL1&0, with stage 2 if EL2 is enabled and HCR_EL2.VM) or 2
 * @e2h: with el 2: regime EL2&0
 * @nvm: stage 1 off: addresses are PAs, or IPAs if there is a stage 2
 * @fixed: the walk leaves the Access flag and dirty state of the tables alone
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
 * struct v9_place - where a buffer address leads
 * @pa: physical address
 * @block: bytes of the page or block that the walk ended at, 0 for none: what is around is
 *	   translated likewise
 * @mem: memory type, of both stages, in the form of PMBMAR_EL1 and TRBMAR_EL1: SH, Attr
 */
struct v9_place {
	uint64_t pa;
	uint64_t block;
	uint16_t mem;
};

enum v9_gpc {
	V9_GPC_NONE,
	V9_GPC_FAULT,		/* Granule Protection Fault: the granule is not of this PAS */
	V9_GPC_OTHER		/* the table itself: walk, address size, abort */
};

/**
 * struct v9_fault - why a buffer write failed
 * @stage: 1 or 2
 * @fsc: fault status code in the long-descriptor form (V9_PMBSR_EL1_FSC_*)
 * @gpc: enum v9_gpc: a Granule Protection Check fault
 * @external: an external abort, also on a walk
 * @async: it was asynchronous (store only)
 */
struct v9_fault {
	uint8_t stage;
	uint8_t fsc;
	uint8_t gpc;
	bool external;
	bool async;
};

enum v9_line {
	V9_LINE_PMBIRQ,
	V9_LINE_TRBIRQ
};

enum v9_clock {
	V9_CLOCK_VIRTUAL,	/* physical minus CNTVOFF_EL2, at every Exception level: trace */
	V9_CLOCK_PHYSICAL,
	V9_CLOCK_GUEST_PHYSICAL,	/* physical minus CNTPOFF_EL2, where that counts */
	V9_CLOCK_CNTVCT,	/* as CNTVCT_EL0 reads at the current level: profiling */
	V9_CLOCKS
};

/**
 * struct v9_offsets - what counters are less than the physical count
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

/* How much the clock is less than the physical count, for the PE as @r has it. */
uint64_t v9_clock_offset(const struct v9_route *r, const struct v9_offsets *o,
			 enum v9_clock which);

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
#define V9_LOG_LAT	0x400	/* total and issue latency */

/**
 * struct v9_spe_log - one record as written, the model's own account
 * @n: number of the record on this PE, from 0
 * @pc: as in the packets, without the byte that holds NS and EL
 * @tgt: likewise
 * @va: with the tag in its top byte if there is one
 * @pa: without the byte that holds NS
 * @ts: timestamp
 * @at: buffer address of its first byte
 * @ev: payload of the Events packet
 * @ctx1: CONTEXTIDR_EL1
 * @ctx2: CONTEXTIDR_EL2
 * @lat_total: counters, as in the packets: of the whole operation,
 * @lat_issue: until it was issued,
 * @lat_xlat: and of the translation of its address
 * @ds: data source
 * @has: V9_LOG_*
 * @size: bytes written, padding included
 * @op: header of the Operation Type packet, 0x48 to 0x4a
 * @opc: its payload
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

/**
 * struct v9_violation - software did what it may not rely on
 * @rule: key of the ledger, e.g. "SPE-PB2"
 * @reg: register concerned, or NULL
 * @what: one stable line
 * @pc: where
 * @value: value written or seen
 * @el: Exception level
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
	/* The PE now. Called at each decision; must be cheap. */
	void (*look)(void *ctx, struct v9_pe_state *out);
	/*
	 * Translate a buffer address for a privileged write of the regime, with
	 * PAN as 0 and no exception. Valid up to the end of the 4 KiB piece.
	 * 0, or 1 with the fault described.
	 */
	int (*translate)(void *ctx, struct v9_regime g, uint64_t va, struct v9_place *to,
			 struct v9_fault *f);
	/* Write within one 4 KiB piece. 0, or 1 with the external abort described. */
	int (*store)(void *ctx, struct v9_regime g, const struct v9_place *to, const void *p,
		     unsigned int n, struct v9_fault *f);
	/*
	 * Physical address of the data access that the PE just made at @va in its
	 * current regime, and the Security state of that address. False if there
	 * is none. No side effects on the program.
	 */
	bool (*data)(void *ctx, uint64_t va, bool store, uint64_t *pa, enum v9_ss *pas);
	void (*line)(void *ctx, enum v9_line which, bool level);
	uint64_t (*count)(void *ctx, enum v9_clock which);
	/* v9_pe_activity() may have changed: rebuild what was derived from it. */
	void (*activity_changed)(void *ctx);
	/* The next ones tell the world; any of them may be NULL. */
	/*
	 * A sampled access to @pa: true if another PE made the newest sampled store to that line. After
	 * a store it is this PE.
	 */
	bool (*peer)(void *ctx, uint64_t pa, bool store);
	/* An external abort of a buffer write, as SError exception; see v9_config.trbe_ea. */
	void (*serror)(void *ctx);
	void (*violation)(void *ctx, const struct v9_violation *n);
	void (*record)(void *ctx, const struct v9_spe_log *l);
	void (*event)(void *ctx, uint64_t pmbsr, uint64_t pmbptr);
	/* Likewise of the Trace Buffer Unit: registers after its management event. */
	void (*trbe_event)(void *ctx, uint64_t trbsr, uint64_t trbptr);
	/*
	 * Trace was generated for the instructions from @start up to @end, exclusive,
	 * all executed in sequence. {0, 0}: a gap; what follows does not continue it.
	 */
	void (*pclog)(void *ctx, uint64_t start, uint64_t end);
};

#endif
