/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The PE of model_fake.h with a trace unit: it executes branches, and the Trace Buffer Unit writes
 * to its memory.
 */
#ifndef V9_MODEL_TRACE_H
#define V9_MODEL_TRACE_H

#include <v9trace/ete.h>
#include <v9trace/gen/ete_pkt.h>

#include "model_fake.h"
#include "tap.h"

#define TK_A64_B(from, to)	(0x14000000u | (((to) - (from)) >> 2 & 0x3ffffff))
#define TK_A64_BL(from, to)	(0x94000000u | (((to) - (from)) >> 2 & 0x3ffffff))
#define TK_A64_BEQ(from, to)	(0x54000000u | (((to) - (from)) >> 2 & 0x7ffff) << 5)
#define TK_RET			0xd65f03c0u
#define TK_BR			0xd61f0000u
#define TK_BLR			0xd63f0000u
#define TK_ISB			0xd5033fdfu
#define TK_ERET			0xd69f03e0u
#define TK_WFI			0xd503207fu
#define TK_Z			4	/* the Z flag of v9_insn.nzcv */

#define TK_PCS 4096

/* Calls of bus operations that model_fake.h does not have */
static struct {
	uint64_t pc[TK_PCS][2];
	uint8_t as[TK_PCS];
	unsigned int npc, nevent;
	uint64_t trbsr, trbptr;
} tk;

static void tk_pclog(void *c, uint64_t start, uint64_t end, enum v9_listed as)
{
	(void)c;
	if (tk.npc < TK_PCS) {
		tk.pc[tk.npc][0] = start;
		tk.pc[tk.npc][1] = end;
		tk.as[tk.npc] = as;
	}
	tk.npc++;
}

static void tk_event(void *c, uint64_t trbsr, uint64_t trbptr)
{
	(void)c;
	tk.nevent++;
	tk.trbsr = trbsr;
	tk.trbptr = trbptr;
}

static inline int tk_init(struct fk *f)
{
	static const struct v9_bus bus = {
		.pe_state = fk_pe_state, .translate = fk_translate, .store = fk_store,
		.data = fk_data,
		.line = fk_line, .count = fk_count, .activity_changed = fk_activity,
		.violation = fk_violation, .record = fk_record, .event = fk_event,
		.trbe_event = tk_event, .pclog = tk_pclog, .serror = fk_serror,
	};
	int ret = v9_model_init(f->m, &f->cfg, &bus, f);

	if (!ret)
		f->cnt = v9_leave(f->m);
	memset(&tk, 0, sizeof(tk));
	return ret;
}

/* A PE with a trace unit, at Non-secure EL1, not initialized yet */
static inline struct fk *tk_new(void)
{
	struct fk *f = fk_new();

	f->cfg.ete = true;
	f->cfg.trbe_align = 0;
	return f;
}

/* Enables a buffer of @pages at FK_BASE. @how: mode bits of TRBLIMITR_EL1. */
static inline void tk_buffer(struct fk *f, unsigned int pages, uint64_t how)
{
	MSR(f, TRBSR_EL1, 0);
	MSR(f, TRBTRG_EL1, 0);
	MSR(f, TRBBASER_EL1, FK_BASE);
	MSR(f, TRBPTR_EL1, FK_BASE);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + pages * FK_PAGE) | how | V9_TRBLIMITR_EL1_E);
	fk_sync(f, V9_SYNC_ISB);
}

/* Programs all registers of the trace unit that have an effect, as a driver does. */
static inline void tk_program(struct fk *f, uint64_t config)
{
	unsigned int i;

	MSR(f, TRFCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRCPRGCTLR, 0);
	for (i = 0; i < 4; i++)
		fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	MSR(f, TRCCONFIGR, config);
	MSR(f, TRCEVENTCTL0R, 0);
	MSR(f, TRCEVENTCTL1R, 0);
	MSR(f, TRCRSR, V9_TRCRSR_TA);
	MSR(f, TRCTSCTLR, 0);
	MSR(f, TRCSYNCPR, 0);
	MSR(f, TRCCCCTLR, 0);
	MSR(f, TRCTRACEIDR, 1);
	MSR(f, TRCVICTLR, 0x201);
	if (!f->cfg.ete_minimal) {
		MSR(f, TRCBBCTLR, 0);
		MSR(f, TRCVIIECTLR, 0);
		MSR(f, TRCVISSCTLR, 0);
		for (i = 0; i < 3; i++)
			fk_msr(f, V9_SYS_TRCSEQEVR(i), 0);
		MSR(f, TRCSEQRSTEVR, 0);
		MSR(f, TRCSEQSTR, 0);
		for (i = 0; i < 4; i++)
			fk_msr(f, V9_SYS_TRCEXTINSELR(i), 0);
		MSR(f, TRCSSCCR0, 0);
		MSR(f, TRCSSCSR0, 0);
		for (i = 0; i < 8; i++) {
			fk_msr(f, V9_SYS_TRCACVR(i), 0);
			fk_msr(f, V9_SYS_TRCACATR(i), 0);
		}
		for (i = 2; i < 16; i++)
			fk_msr(f, V9_SYS_TRCRSCTLR(i), 0);
	}
	for (i = 0; i < (f->cfg.ete_minimal ? 1 : 2); i++) {
		fk_msr(f, V9_SYS_TRCCNTCTLR(i), 0);
		fk_msr(f, V9_SYS_TRCCNTVR(i), 0);
		fk_msr(f, V9_SYS_TRCCNTRLDVR(i), 0);
	}
}

static inline void tk_enable(struct fk *f)
{
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRCPRGCTLR, 1);
	fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	MSR(f, TRFCR_EL1, V9_TRFCR_EL1_E0TRE | V9_TRFCR_EL1_E1TRE |
	    V9_PUT(V9_TRFCR_EL1_TS, V9_TRFCR_EL1_TS_VIRTUAL));
	fk_sync(f, V9_SYNC_ISB);
}

/* Initializes the model by @f->cfg, with a buffer of eight pages, and programs the trace unit. */
static inline void tk_setup(struct fk *f, uint64_t config)
{
	tk_init(f);
	tk_buffer(f, 8, 0);
	tk_program(f, config);
}

/* Starts tracing at EL0 and EL1. The program goes on at @pc. */
static inline void tk_go(struct fk *f, uint64_t pc)
{
	tk_enable(f);
	f->pc = pc;
}

static inline void tk_start(struct fk *f, uint64_t config, uint64_t pc)
{
	tk_setup(f, config);
	tk_go(f, pc);
}

static inline struct fk *tk_started(uint64_t config, uint64_t pc)
{
	struct fk *f = tk_new();

	tk_start(f, config, pc);
	return f;
}

static inline bool tk_on(const struct fk *f)
{
	return v9_pe_activity(f->m, &f->pe) & V9_ACT_ETE;
}

/* A block of translated code begins at f->pc. */
static inline void tk_block(struct fk *f)
{
	if (tk_on(f) && v9_trace_needs_block(f->m))
		v9_trace_block(f->m, f->pc);
}

/* @n instructions without a branch */
static inline void tk_run(struct fk *f, unsigned int n)
{
	tk_block(f);
	f->pc += 4 * n;
}

/* A P0 instruction at f->pc. Execution continues at @next. */
static inline void tk_p0(struct fk *f, uint32_t op, unsigned int nzcv, uint64_t next)
{
	struct v9_pe_insn i = { .pc = f->pc, .op = op, .nzcv = nzcv };

	tk_block(f);
	if (tk_on(f))
		v9_trace_branch(f->m, &i);
	if (op == TK_ISB)
		fk_sync(f, V9_SYNC_ISB);
	f->pc = next;
}

static inline void tk_b(struct fk *f, uint64_t to)
{
	tk_p0(f, TK_A64_B(f->pc, to), 0, to);
}

static inline void tk_irq(struct fk *f, unsigned int el, uint64_t vector)
{
	fk_exception(f, &(struct v9_exc){ .ret = f->pc, .to_el = el });
	f->pc = vector;
}

/* Exception return from EL1 */
static inline void tk_eret(struct fk *f, uint64_t to, unsigned int el)
{
	struct v9_pe_insn i = { .pc = f->pc, .op = TK_ERET };

	tk_block(f);
	if (tk_on(f))
		v9_trace_branch(f->m, &i);
	fk_eret(f, to, el);
}

/* Exception return from EL1 to A32 or T32 code at EL0 */
static inline void tk_user32(struct fk *f, uint64_t to, bool t32)
{
	fk_eret_to(f, to, 0, false);
	f->pe.t32 = t32;
}

/*
 * An instruction of A32 or T32 at f->pc, with PSTATE.IT @it. Execution continues at @next; bit 0 says that it
 * does so in T32, as in an operand of BX.
 */
static inline void tk_code(struct fk *f, uint32_t op, unsigned int it, unsigned int nzcv, uint64_t next)
{
	const enum v9_insn_set code = f->pe.t32 ? V9_CODE_T32 : V9_CODE_A32;
	const struct v9_pe_insn i = { .pc = f->pc, .op = op, .nzcv = nzcv, .code = code, .it = it };

	tk_block(f);
	if (tk_on(f) && v9_trace_p0(f->m, code, op))
		v9_trace_branch(f->m, &i);
	else if (tk_on(f) && f->pe.t32 && op >> 16)
		v9_trace_wide(f->m, f->pc);
	f->pe.t32 = next & 1;
	f->pc = next & ~UINT64_C(1);
}

/* Prohibits tracing, flushes and disables, as a driver does. Returns the bytes in the buffer. */
static inline size_t tk_stop(struct fk *f)
{
	MSR(f, TRFCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_TSB);
	MSR(f, TRCPRGCTLR, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	MSR(f, TRBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_DSB);
	fk_sync(f, V9_SYNC_ISB);
	return MRS(f, TRBPTR_EL1) - FK_BASE;
}

/* Notes the @got bytes in the buffer beside the @n that are wanted. */
static inline void tk_note_bytes(const struct fk *f, size_t got, const uint8_t *want, size_t n)
{
	size_t i;

	for (i = 0; i < got || i < n; i++)
		tap_note("%3zu: got %02x want %02x", i, i < got ? f->mem[i] : 0xee,
			 i < n ? want[i] : 0xee);
}

/* A result: the @got bytes in the buffer are those, and no rule was violated. Frees @f. */
static inline void tk_is(struct fk *f, size_t got, const uint8_t *want, size_t n, const char *name)
{
	if (!tap_ok(got == n && !memcmp(f->mem, want, n) && !f->nviolations, "%s", name))
		tk_note_bytes(f, got, want, n);
	fk_free(f);
}

/* Stops tracing. All bytes must be those. */
#define TK_IS(f, name, ...) \
	tk_is(f, tk_stop(f), (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), name)

static inline const struct v9_trace_score *tk_score(const struct fk *f)
{
	return v9_model_trace_score(f->m);
}

#endif
