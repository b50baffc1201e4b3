/* SPDX-License-Identifier: GPL-2.0-only */
/* The PE of model_fake.h with a branch record buffer: it executes branches. */
#ifndef V9_MODEL_BRANCHES_H
#define V9_MODEL_BRANCHES_H

#include <v9trace/brbe.h>

#include "model_fake.h"

/* A64 opcodes; direct branches have an offset of 8 bytes */
#define BK_B		0x14000002u
#define BK_BL		0x94000002u
#define BK_BEQ		0x54000040u
#define BK_BR		0xd61f0000u
#define BK_BLR		0xd63f0000u
#define BK_RET		0xd65f03c0u
#define BK_ISB		0xd5033fdfu
#define BK_ERET		0xd69f03e0u
#define BK_WFI		0xd503207fu
#define BK_Z		4	/* the Z flag of v9_pe_insn.nzcv */

/* Fields of the registers, typed from D24.8 */
#define BK_CR_E0	0x1u	/* E0BRE, E0HBRE */
#define BK_CR_E		0x2u	/* E1BRE, E2BRE */
#define BK_CR_CC	0x8u
#define BK_CR_MPRED	0x10u
#define BK_CR_TS(n)	((n) << 5)
#define BK_CR_FZP	0x100u
#define BK_CR_ERTN	0x400000u
#define BK_CR_EXCEPTION	0x800000u
#define BK_FCR_PAUSED	0x80u
#define BK_FCR_ENI	0x10000u
#define BK_FCR_ALL	0x7e0000u	/* all classes */
#define BK_FCR_BANK	0x10000000u

/* BRBINF<n>_EL1 */
#define BK_FULL		3u
#define BK_SOURCE	2u
#define BK_TARGET	1u
#define BK_CCU		(UINT64_C(1) << 46)
#define BK_CC(n)	((uint64_t)(n) << 32)
#define BK_MPRED	0x20u
#define BK_EL(n)	((n) << 6)
#define BK_TYPE(n)	((n) << 8)

/* Calls of the bus operation that model_fake.h does not have */
static struct {
	unsigned int n;
	struct v9_brbe_stop last;
} bk_stops;

static void bk_branches(void *c, const struct v9_brbe_stop *s)
{
	(void)c;
	bk_stops.n++;
	bk_stops.last = *s;
}

static inline int bk_init(struct fk *f)
{
	static const struct v9_bus bus = {
		.pe_state = fk_pe_state, .translate = fk_translate, .store = fk_store,
		.data = fk_data, .line = fk_line, .count = fk_count,
		.activity_changed = fk_activity, .violation = fk_violation,
		.branches = bk_branches,
	};

	memset(&bk_stops, 0, sizeof(bk_stops));
	return v9_model_init(f->m, &f->cfg, &bus, f);
}

/* A PE with a branch record buffer, at Non-secure EL1 without EL2 and EL3, not initialized yet */
static inline struct fk *bk_new(void)
{
	struct fk *f = fk_new();

	f->cfg.spe_version = 0;
	f->cfg.brbe = 1;
	f->pe.pmu_counters = 6;
	return f;
}

static inline void bk_brb(struct fk *f, enum v9_brb what)
{
	v9_brb(f->m, what);
}

static inline void bk_isb(struct fk *f)
{
	fk_sync(f, V9_SYNC_ISB);
}

/* Starts recording as a driver does. */
static inline void bk_start(struct fk *f, uint64_t cr, uint64_t fcr)
{
	MSR(f, BRBFCR_EL1, BK_FCR_PAUSED);
	MSR(f, BRBCR_EL1, cr);
	bk_isb(f);
	bk_brb(f, V9_BRB_IALL);
	bk_isb(f);
	MSR(f, BRBFCR_EL1, fcr);
	bk_isb(f);
	bk_stops.n = 0;
}

static inline void bk_pause(struct fk *f)
{
	MSR(f, BRBFCR_EL1, MRS(f, BRBFCR_EL1) | BK_FCR_PAUSED);
	bk_isb(f);
}

#define BK_USUAL (BK_CR_E | BK_CR_E0 | BK_CR_CC | BK_CR_MPRED | BK_CR_TS(1))

/* Records all branches at EL0 and EL1. */
static inline struct fk *bk_started(void)
{
	struct fk *f = bk_new();

	bk_init(f);
	bk_start(f, BK_USUAL, BK_FCR_ALL);
	return f;
}

static inline bool bk_on(const struct fk *f)
{
	return v9_pe_activity(f->m, &f->pe) & V9_ACT_BRBE;
}

static inline void bk_block(struct fk *f)
{
	if (bk_on(f) && v9_trace_needs_block(f->m))
		v9_trace_block(f->m, f->pc);
}

/* @n instructions without a branch */
static inline void bk_run(struct fk *f, unsigned int n)
{
	bk_block(f);
	f->pc += 4 * n;
}

/* A P0 instruction at f->pc. Execution continues at @next. */
static inline void bk_p0(struct fk *f, uint32_t op, unsigned int nzcv, uint64_t next)
{
	struct v9_pe_insn i = { .pc = f->pc, .op = op, .nzcv = nzcv };

	bk_block(f);
	if (bk_on(f))
		v9_trace_branch(f->m, &i);
	if (op == BK_ISB)
		bk_isb(f);
	f->pc = next;
}

/* A branch to f->pc + 8 */
static inline void bk_b(struct fk *f)
{
	bk_p0(f, BK_B, 0, f->pc + 8);
}

static inline void bk_take(struct fk *f, const struct v9_exc *x, uint64_t vector)
{
	fk_exception(f, x);
	f->pe.r.debug = x->debug;
	f->pc = vector;
}

static inline void bk_irq(struct fk *f, unsigned int el, uint64_t vector)
{
	bk_take(f, &(struct v9_exc){ .ret = f->pc, .to_el = el }, vector);
}

static inline void bk_svc(struct fk *f, unsigned int el, uint64_t vector)
{
	bk_take(f, &(struct v9_exc){ .ret = f->pc + 4, .to_el = el, .sync = true,
				     .esr = 0x56000000 }, vector);
}

/* @tag: bits that the target in ELR has in addition to the address */
static inline void bk_return(struct fk *f, uint64_t to, uint64_t tag, unsigned int el, bool legal)
{
	struct v9_pe_insn i = { .pc = f->pc, .op = BK_ERET };

	bk_block(f);
	if (bk_on(f))
		v9_trace_branch(f->m, &i);
	v9_eret(f->m, to | tag, el, legal, true);
	if (legal)
		f->pe.r.el = el;
	f->pc = to;
}

static inline void bk_eret(struct fk *f, uint64_t to, unsigned int el)
{
	bk_return(f, to, 0, el, true);
}

/* Record @i; @fcr: value of BRBFCR_EL1 without BANK */
static inline struct v9_brbe_record bk_read(struct fk *f, unsigned int i)
{
	uint64_t fcr = MRS(f, BRBFCR_EL1);
	struct v9_brbe_record r;

	if (i / 32 != (fcr >> 28 & 3)) {
		MSR(f, BRBFCR_EL1, (fcr & ~UINT64_C(0x30000000)) | (uint64_t)(i / 32) << 28);
		bk_isb(f);
	}
	r.inf = fk_mrs(f, V9_SYS_BRBINF(i % 32));
	r.src = fk_mrs(f, V9_SYS_BRBSRC(i % 32));
	r.tgt = fk_mrs(f, V9_SYS_BRBTGT(i % 32));
	return r;
}

static inline unsigned int bk_count(struct fk *f)
{
	unsigned int n;

	for (n = 0; n < 64 && (bk_read(f, n).inf & 3); n++)
		;
	return n;
}

/* Record @i without its cycle count */
static inline bool bk_is(struct fk *f, unsigned int i, uint64_t inf, uint64_t src, uint64_t tgt)
{
	struct v9_brbe_record r = bk_read(f, i);

	r.inf &= ~UINT64_C(0x7fff00000000);
	return r.inf == inf && r.src == src && r.tgt == tgt;
}

static inline const struct v9_brbe_score *bk_score(const struct fk *f)
{
	return v9_model_branch_score(f->m);
}

#endif
