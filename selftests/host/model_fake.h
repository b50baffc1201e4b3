/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A PE, memory and interrupt lines for the model. It uses only the public interface of the model,
 * as an emulator does.
 */
#ifndef V9_MODEL_FAKE_H
#define V9_MODEL_FAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/gen/spe_pkt.h>
#include <v9trace/spe.h>

#include "model.h"
#include "timing.h"

#define FK_BASE		UINT64_C(0x0000400000100000)	/* buffer addresses */
#define FK_PAGES	16
#define FK_PAGE		UINT64_C(4096)
#define FK_SIZE		(FK_PAGES * FK_PAGE)
#define FK_PA		UINT64_C(0x80000000)
#define FK_LOGS		16384

#define OP_NOP		0xd503201f
#define OP_LDR		0xf9400000	/* ldr x0, [x0] */
#define OP_STR		0xf9000000
#define OP_LDADD	0xf8200000	/* ldadd x0, x0, [x0] */
#define OP_STADD	0xf820001f
#define OP_B		0x14000000
#define OP_BEQ		0x54000000
#define OP_BNE		0x54000001
#define OP_CBZ		0xb4000000
#define OP_BR		0xd61f0000
#define OP_ERET		0xd69f03e0
#define OP_SVC		0xd4000001
#define OP_CSEL		0x9a800000	/* csel x0, x0, x0, eq */
#define OP_PRFM		0xf9800000

enum fk_kind { FK_OK, FK_FAULT, FK_WALK_ABORT, FK_ABORT };

struct fk_page {
	uint8_t kind, stage, fsc;
};

/* A record in memory, as decoded by the packet decoder */
struct fk_rec {
	struct v9_spe_log l;
	uint64_t ends[2];	/* first byte, byte after the last */
	unsigned int packets, unknown;
	bool ended, in_order;
};

struct fk {
	struct v9_model *m;
	struct v9_config cfg;
	struct v9_pe_state pe;
	int32_t cnt;
	uint64_t dva;
	bool dvalid;
	uint64_t pc, clock[V9_CLOCKS], data_xor;
	unsigned int data_how;	/* last argument of ->data */
	bool no_pa, line, async, tbi;	/* @tbi: the regime ignores the top byte */
	bool trbirq;
	bool peer;		/* result of ->peer; @peer_*: its last arguments */
	uint64_t peer_pa;
	bool peer_store;
	FILE *violations;	/* if it is not NULL: all, as "RULE REGISTER, ..." */
	uint64_t irqs, activities, stores, translations;
	uint64_t moved;		/* added to each PA, as after a change of the tables */
	uint64_t block;		/* block size of the tables in bytes; 0: pages */
	uint16_t type;		/* memory type of the tables, as in struct v9_mem_place */
	uint16_t type_of[FK_PAGES];	/* ... of a page, if not 0 */
	uint16_t stored_as[FK_PAGES];	/* memory type of the last store to a page */
	uint64_t serrors;
	bool walked[FK_PAGES];	/* with an update of the dirty state */
	uint8_t times[FK_SIZE];	/* number of stores to each byte */
	struct v9_regime last;
	struct fk_page page[FK_PAGES];
	uint8_t mem[FK_SIZE];
	bool touched[FK_SIZE];
	unsigned int nlog, nviolations, nevent;
	struct v9_spe_log log[FK_LOGS];
	struct v9_violation violation;
	uint64_t ev_pmbsr, ev_pmbptr;
};

static void fk_pe_state(void *c, struct v9_pe_state *out)
{
	struct fk *f = c;

	*out = f->pe;
	out->pc = f->pc;
}

static int fk_translate(void *c, struct v9_regime g, uint64_t va, struct v9_mem_place *to,
			struct v9_fault *ft)
{
	struct fk *f = c;
	uint64_t n;

	f->last = g;
	f->translations++;
	if (f->tbi)
		va &= V9_SPE_ADDRESS_ADDR;
	n = (va - FK_BASE) / FK_PAGE;
	if (va < FK_BASE || n >= FK_PAGES) {
		ft->stage = 1;
		ft->fsc = V9_PMBSR_EL1_FSC_TRANSLATION_L0;
		return 1;
	}
	if (f->page[n].kind == FK_FAULT || f->page[n].kind == FK_WALK_ABORT) {
		ft->stage = f->page[n].stage;
		ft->fsc = f->page[n].fsc;
		ft->external = f->page[n].kind == FK_WALK_ABORT;
		return 1;
	}
	*to = (struct v9_mem_place){
		.pa = FK_PA + (va - FK_BASE) + f->moved,
		.block = g.nvm ? 0 : f->block ? f->block : FK_PAGE,
		.mem = g.nvm ? g.mem : f->type_of[n] ? f->type_of[n] : f->type,
	};
	f->walked[n] = !g.nvm && !g.fixed;
	return 0;
}

static int fk_store(void *c, struct v9_regime g, const struct v9_mem_place *to, const void *p,
		    unsigned int n, struct v9_fault *ft)
{
	struct fk *f = c;
	uint64_t o = to->pa - FK_PA;
	unsigned int i;

	(void)g;
	f->stores++;
	if (o / FK_PAGE != (o + n - 1) / FK_PAGE || o + n > FK_SIZE)
		abort();	/* the model must not cross a page */
	if (f->page[o / FK_PAGE].kind == FK_ABORT) {
		ft->stage = 1;
		ft->fsc = V9_PMBSR_EL1_FSC_EXTERNAL_SYNC;
		ft->async = f->async;
		return 1;
	}
	f->stored_as[o / FK_PAGE] = to->mem;
	memcpy(f->mem + o, p, n);
	memset(f->touched + o, 1, n);
	for (i = 0; i < n; i++)
		f->times[o + i]++;
	return 0;
}

static bool fk_data(void *c, uint64_t va, unsigned int how, uint64_t *pa, enum v9_ss *pas)
{
	struct fk *f = c;

	f->data_how = how;
	*pa = (va & 0xffffffff) ^ f->data_xor;
	*pas = v9_route_ss(&f->pe.r);
	return !f->no_pa;
}

static void fk_line(void *c, enum v9_irq_line which, bool level)
{
	struct fk *f = c;

	if (which == V9_LINE_TRBIRQ) {
		f->trbirq = level;
		return;
	}
	f->irqs += level && !f->line;
	f->line = level;
}

static uint64_t fk_count(void *c, enum v9_clock which)
{
	struct fk *f = c;

	return f->clock[which]++;
}

static void fk_activity(void *c)
{
	struct fk *f = c;

	f->activities++;
}

static void fk_violation(void *c, const struct v9_violation *n)
{
	struct fk *f = c;

	f->violation = *n;
	f->nviolations++;
	if (f->violations)
		fprintf(f->violations, "%s%s %s", ftell(f->violations) ? ", " : "", n->rule, n->reg ? n->reg : "-");
}

static void fk_record(void *c, const struct v9_spe_log *l)
{
	struct fk *f = c;

	if (f->nlog < FK_LOGS)
		f->log[f->nlog] = *l;
	f->nlog++;
}

static void fk_event(void *c, uint64_t pmbsr, uint64_t pmbptr)
{
	struct fk *f = c;

	f->nevent++;
	f->ev_pmbsr = pmbsr;
	f->ev_pmbptr = pmbptr;
}

static void fk_serror(void *c)
{
	struct fk *f = c;

	f->serrors++;
}

static bool fk_peer(void *c, uint64_t pa, bool store)
{
	struct fk *f = c;

	f->peer_pa = pa;
	f->peer_store = store;
	return f->peer;
}

static inline int fk_init(struct fk *f)
{
	static const struct v9_bus bus = {
		.pe_state = fk_pe_state, .translate = fk_translate, .store = fk_store,
		.data = fk_data,
		.line = fk_line, .count = fk_count, .activity_changed = fk_activity,
		.violation = fk_violation, .record = fk_record, .event = fk_event,
		.serror = fk_serror,
		.peer = fk_peer,
	};
	int ret = v9_model_init(f->m, &f->cfg, &bus, f);

	if (!ret)
		f->cnt = v9_leave(f->m);
	return ret;
}

/* A PE at Non-secure EL1 without EL2 and EL3. Default configuration with a fixed latency of 10. */
static inline struct fk *fk_new(void)
{
	struct fk *f = calloc(1, sizeof(*f));

	f->m = malloc(v9_model_size());
	memset(f->m, 0xcd, v9_model_size());
	v9_config_default(&f->cfg);
	f->cfg.lat = V9_LAT_FIXED;
	f->pe.r = (struct v9_route){
		.el = 1, .pe_ss = V9_SS_NONSECURE, .a64 = true, .el1_a64 = true, .el2_a64 = true,
		.has_secure = true,
	};
	f->pc = 0x1000;
	f->clock[V9_CLOCK_VIRTUAL] = 1000;
	f->clock[V9_CLOCK_PHYSICAL] = 1000000;
	f->clock[V9_CLOCK_GUEST_PHYSICAL] = 2000000;
	f->clock[V9_CLOCK_CNTVCT] = 3000000;
	f->type = 0x3ff;
	memset(f->mem, 0xa5, sizeof(f->mem));
	return f;
}

static inline void fk_free(struct fk *f)
{
	free(f->m);
	free(f);
}

static inline unsigned int fk_reg(uint32_t enc)
{
	const struct v9_route r = { .el = 1 };
	int n = v9_reg_find(&r, enc);

	if (n < 0)
		abort();
	return n;
}

static inline void fk_msr(struct fk *f, uint32_t enc, uint64_t v)
{
	v9_enter(f->m, f->cnt, f->dva, f->dvalid);
	v9_reg_write(f->m, fk_reg(enc), v);
	f->cnt = v9_leave(f->m);
}

static inline uint64_t fk_mrs(struct fk *f, uint32_t enc)
{
	uint64_t v;

	v9_enter(f->m, f->cnt, f->dva, f->dvalid);
	v = v9_reg_read(f->m, fk_reg(enc));
	f->cnt = v9_leave(f->m);
	return v;
}

#define MSR(f, reg, v) fk_msr(f, V9_SYS_##reg, v)
#define MRS(f, reg) fk_mrs(f, V9_SYS_##reg)

static inline void fk_sync(struct fk *f, enum v9_sync_kind k)
{
	v9_enter(f->m, f->cnt, f->dva, f->dvalid);
	v9_sync(f->m, k);
	f->cnt = v9_leave(f->m);
}

static inline void fk_exception(struct fk *f, const struct v9_exc *x)
{
	v9_enter(f->m, f->cnt, f->dva, f->dvalid);
	v9_exception(f->m, x);
	f->cnt = v9_leave(f->m);
	f->pe.r.el = x->to_el;
}

static inline void fk_interrupt(struct fk *f, unsigned int to_el)
{
	fk_exception(f, &(struct v9_exc){ .ret = f->pc, .to_el = to_el });
}

static inline void fk_eret_to(struct fk *f, uint64_t target, unsigned int el, bool a64)
{
	v9_enter(f->m, f->cnt, f->dva, f->dvalid);
	v9_eret(f->m, target, el, true, a64);
	f->cnt = v9_leave(f->m);
	f->pe.r.el = el;
	f->pe.r.a64 = a64;
	f->pc = target;
}

static inline void fk_eret(struct fk *f, uint64_t target, unsigned int el)
{
	fk_eret_to(f, target, el, true);
}

/* What an emulator does before the instruction at f->pc */
static inline void fk_hook(struct fk *f, const struct v9_pe_insn *i)
{
	if (!(v9_pe_activity(f->m, &f->pe) & V9_ACT_SPE))
		return;
	if (--f->cnt < 0) {
		v9_enter(f->m, f->cnt, f->dva, f->dvalid);
		f->cnt = v9_spe_sample(f->m, i);
		f->dvalid = false;
	}
}

/* One instruction that is no branch. @va 0: no data access */
static inline void fk_op(struct fk *f, uint32_t op, uint64_t va)
{
	struct v9_pe_insn i = { .pc = f->pc, .op = op };

	fk_hook(f, &i);
	if (va) {
		f->dva = va;
		f->dvalid = true;
	}
	f->pc += 4;
}

static inline void fk_nops(struct fk *f, unsigned int n)
{
	while (n--)
		fk_op(f, OP_NOP, 0);
}

static inline void fk_branch(struct fk *f, uint32_t op, unsigned int nzcv, uint64_t next)
{
	struct v9_pe_insn i = { .pc = f->pc, .op = op, .nzcv = nzcv };

	fk_hook(f, &i);
	f->pc = next;
}

/*
 * Programs and enables profiling at EL1 and EL0. @irr: PMSIRR_EL1; @pages: size of the buffer at
 * FK_BASE; @scr: bits of PMSCR_EL1 in addition to the enables.
 */
static inline void fk_start(struct fk *f, uint64_t irr, unsigned int pages, uint64_t scr)
{
	MSR(f, PMBSR_EL1, 0);
	MSR(f, PMBPTR_EL1, FK_BASE);
	MSR(f, PMBLIMITR_EL1, (FK_BASE + pages * FK_PAGE) | V9_PMBLIMITR_EL1_E);
	MSR(f, PMSFCR_EL1, 0);
	MSR(f, PMSEVFR_EL1, 0);
	MSR(f, PMSNEVFR_EL1, 0);
	MSR(f, PMSLATFR_EL1, 0);
	MSR(f, PMSIRR_EL1, irr);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, PMSICR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, PMSCR_EL1, scr | V9_PMSCR_EL1_E1SPE | V9_PMSCR_EL1_E0SPE);
	fk_sync(f, V9_SYNC_ISB);
}

static inline struct fk *fk_started(uint64_t irr, unsigned int pages, uint64_t scr)
{
	struct fk *f = fk_new();

	fk_init(f);
	fk_start(f, irr, pages, scr);
	return f;
}

/*
 * Waits until the previous sample is complete, then presets the counter so that the next
 * instruction is sampled.
 */
static inline void fk_arm(struct fk *f)
{
	uint64_t pc = f->pc;

	MSR(f, PMSICR_EL1, 100000);
	fk_sync(f, V9_SYNC_ISB);
	fk_nops(f, 500);
	f->pc = pc;
	MSR(f, PMSICR_EL1, 1);
	fk_sync(f, V9_SYNC_ISB);
}

/* Executes one sampled instruction, and one more so that it is complete. */
static inline void fk_one(struct fk *f, uint32_t op, uint64_t va)
{
	fk_arm(f);
	fk_op(f, op, va);
	fk_op(f, OP_NOP, 0);
}

/*
 * Decodes the record at buffer address @at. Returns its length including padding up to the next
 * record or @end, or 0 if there is no valid record.
 */
static inline unsigned int fk_decode(const struct fk *f, uint64_t at, uint64_t end,
				     struct fk_rec *r)
{
	uint64_t p = at;

	memset(r, 0, sizeof(*r));
	r->ends[0] = at;
	r->in_order = true;
	while (p < end) {
		struct v9_spe_pkt k;
		int n = v9_spe_pkt_decode(f->mem + (p - FK_BASE), end - p, p, &k);

		if (n <= 0)
			return 0;
		if (r->ended && k.kind != V9_SPE_PADDING && k.kind != V9_SPE_ALIGNMENT)
			break;
		p += n;
		if (r->ended)
			continue;
		r->packets++;
		switch (k.kind) {
		case V9_SPE_ADDRESS:
			if (k.index == V9_SPE_ADDR_PC) {
				r->l.pc = k.payload;
				r->l.has |= V9_LOG_PC;
			} else if (k.index == V9_SPE_ADDR_TARGET) {
				r->l.tgt = k.payload;
				r->l.has |= V9_LOG_TGT;
			} else if (k.index == V9_SPE_ADDR_VA) {
				r->l.va = k.payload;
				r->l.has |= V9_LOG_VA;
			} else if (k.index == V9_SPE_ADDR_PA) {
				r->l.pa = k.payload;
				r->l.has |= V9_LOG_PA;
			} else {
				r->unknown++;
			}
			break;
		case V9_SPE_COUNTER:
			if (k.index == V9_SPE_CNT_TOTAL) {
				r->l.lat_total = k.payload;
				r->l.has |= V9_LOG_LAT;
			} else if (k.index == V9_SPE_CNT_ISSUE) {
				r->l.lat_issue = k.payload;
				r->l.has |= V9_LOG_ISSUE;
			} else if (k.index == V9_SPE_CNT_TRANSLATION) {
				r->l.lat_xlat = k.payload;
				r->l.has |= V9_LOG_XLAT;
			} else {
				r->unknown++;
			}
			break;
		case V9_SPE_CONTEXT:
			if (k.index) {
				r->l.ctx2 = k.payload;
				r->l.has |= V9_LOG_CTX2;
			} else {
				r->l.ctx1 = k.payload;
				r->l.has |= V9_LOG_CTX1;
			}
			break;
		case V9_SPE_OP_TYPE:
			r->l.op = 0x48 + k.index;
			r->l.opc = k.payload;
			r->l.has |= V9_LOG_OP;
			break;
		case V9_SPE_EVENTS:
			r->l.ev = k.payload;
			break;
		case V9_SPE_DATA_SOURCE:
			r->l.ds = k.payload;
			r->l.has |= V9_LOG_DS;
			break;
		case V9_SPE_TIMESTAMP:
			r->l.ts = k.payload;
			r->l.has |= V9_LOG_TS;
			r->ended = true;
			break;
		case V9_SPE_END:
			r->ended = true;
			break;
		case V9_SPE_PADDING:
			break;
		default:
			r->unknown++;
		}
	}
	r->ends[1] = p;
	return r->ended ? p - at : 0;
}

/* Decodes the last record in the log of the model from memory. */
static inline struct fk_rec fk_last(const struct fk *f)
{
	const struct v9_spe_log *l = &f->log[f->nlog - 1];
	struct fk_rec r;

	memset(&r, 0, sizeof(r));
	if (f->nlog)
		fk_decode(f, l->at, l->at + l->size, &r);
	return r;
}

/* The last record in memory is the same as in the log. */
static inline bool fk_same(const struct fk *f)
{
	const struct v9_spe_log *l = &f->log[f->nlog - 1];
	struct fk_rec r = fk_last(f);
	uint64_t low = V9_SPE_ADDRESS_ADDR;

	return r.ended && !r.unknown && r.l.has == l->has &&
	       (r.l.pc & low) == (l->has & V9_LOG_PC ? l->pc : 0) &&
	       (r.l.tgt & low) == (l->has & V9_LOG_TGT ? l->tgt : 0) &&
	       r.l.va == (l->has & V9_LOG_VA ? l->va : 0) &&
	       (r.l.pa & low) == (l->has & V9_LOG_PA ? l->pa : 0) &&
	       r.l.op == (l->has & V9_LOG_OP ? l->op : 0) &&
	       r.l.opc == (l->has & V9_LOG_OP ? l->opc : 0) && r.l.ev == l->ev &&
	       r.l.lat_total == (l->has & V9_LOG_LAT ? l->lat_total : 0) &&
	       r.l.lat_issue == (l->has & V9_LOG_ISSUE ? l->lat_issue : 0) &&
	       r.l.lat_xlat == (l->has & V9_LOG_XLAT ? l->lat_xlat : 0) &&
	       r.l.ctx1 == (l->has & V9_LOG_CTX1 ? l->ctx1 : 0) &&
	       r.l.ctx2 == (l->has & V9_LOG_CTX2 ? l->ctx2 : 0) &&
	       r.l.ds == (l->has & V9_LOG_DS ? l->ds : 0) &&
	       r.l.ts == (l->has & V9_LOG_TS ? l->ts : 0) && r.ends[1] - r.ends[0] == l->size;
}

static inline const struct v9_score *fk_score(struct fk *f)
{
	v9_enter(f->m, f->cnt, f->dva, f->dvalid);
	f->cnt = v9_leave(f->m);
	return v9_model_score(f->m);
}

#endif
