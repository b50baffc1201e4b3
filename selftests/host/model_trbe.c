// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Trace Buffer Unit of the model with bytes as input: modes, triggers, faults, order. Random
 * input is compared with a loop that implements the manual byte by byte.
 */
#include "tap.h"
#include "model_trace.h"
#include "private.h"

#define TM(x) V9_PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_##x)
#define FM(x) V9_PUT(V9_TRBLIMITR_EL1_FM, V9_TRBLIMITR_EL1_FM_##x)
#define SR(ec, rest) (V9_PUT(V9_TRBSR_EL1_EC, ec) | (rest))
#define IRQ V9_TRBSR_EL1_IRQ
#define STOP V9_TRBSR_EL1_S
#define WRAP V9_TRBSR_EL1_WRAP
#define TRG V9_TRBSR_EL1_TRG

static uint8_t next_byte;

/* Adds @n bytes of trace: 0, 1, 2, ... */
static void feed(struct fk *f, unsigned int n)
{
	while (n--) {
		v9_trbe_accept(f->m, &next_byte, 1);
		next_byte++;
	}
	v9_enter(f->m, f->cnt, 0, false);
	v9_sync(f->m, V9_SYNC_CSE);
	f->cnt = v9_leave(f->m);
}

static struct fk *started(unsigned int pages, uint64_t how)
{
	struct fk *f = tk_new();

	tk_init(f);
	tk_buffer(f, pages, how);
	next_byte = 0;
	return f;
}

/* shows: TRBE-PT3 TRBE-PT7 TRBE-EN7 TRBE-PT4 TRBE-EV2 TRBE-IR2 */
static void fill(void)
{
	struct fk *f = started(2, 0);

	feed(f, 8191);
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 8191, "one_before_full");
	tap_ok(!f->trbirq && !tk.nevent, "no_event_before_full");
	feed(f, 1);
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE, "filled_pointer_is_base");
	tap_eq(MRS(f, TRBSR_EL1), IRQ | STOP | WRAP | 1, "filled_status");
	tap_ok(f->trbirq && tk.nevent == 1, "filled_interrupt");
	tap_ok(f->mem[0] == 0 && f->mem[8191] == 0xff && !f->touched[8192], "filled_bytes");
	feed(f, 100);
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE, "stopped_does_not_move");
	tap_eq(tk_score(f)->stopped, 100, "stopped_is_counted");
	tap_eq(tk_score(f)->wraps, 1, "trb_wrap");
	MSR(f, TRBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBSR_EL1, 0);
	tap_ok(!f->trbirq, "interrupt_ends_with_its_status");
	feed(f, 10);
	tap_eq(tk_score(f)->off, 10, "disabled_is_counted");
	MSR(f, TRBSR_EL1, IRQ);
	tap_ok(f->trbirq, "software_may_raise_it");
	tap_eq(f->nviolations, 0, "fill_breaks_no_rule");
	fk_free(f);
}

/* shows: TRBE-PT8 TRBE-PT9 */
static void wrap_modes(void)
{
	struct fk *f = started(1, FM(WRAP));

	feed(f, 4096 + 10);
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 10, "wrap_continues");
	tap_eq(MRS(f, TRBSR_EL1), IRQ | WRAP, "wrap_status");
	tap_ok(f->trbirq, "wrap_interrupt");
	fk_free(f);
	f = started(1, FM(CIRCULAR));
	feed(f, 3 * 4096 + 10);
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 10, "circular_continues");
	tap_eq(MRS(f, TRBSR_EL1), WRAP, "circular_status");
	tap_ok(!f->trbirq && tk_score(f)->wraps == 3, "circular_has_no_interrupt");
	fk_free(f);
}

/* shows: TRBE-TR2 TRBE-TR3 TRBE-TR5 TRBE-TR7 TRBE-TR8 TRBE-TR9 */
static void triggers(void)
{
	struct fk *f = started(2, TM(STOP));

	feed(f, 10);
	v9_trbe_trigger(f->m);
	tap_eq(MRS(f, TRBSR_EL1), IRQ | STOP | TRG | 2, "stop_on_trigger");
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 10, "stop_on_trigger_pointer");
	fk_free(f);

	f = started(2, TM(IRQ));
	MSR(f, TRBLIMITR_EL1, 0);
	MSR(f, TRBTRG_EL1, 100);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | TM(IRQ) | 1);
	feed(f, 10);
	tap_eq(MRS(f, TRBTRG_EL1), 100, "no_trigger_no_count");
	v9_trbe_trigger(f->m);
	feed(f, 99);
	tap_eq(MRS(f, TRBTRG_EL1), 1, "counts_after_the_trigger");
	tap_eq(MRS(f, TRBSR_EL1), TRG, "trigger_status");
	feed(f, 1);
	tap_eq(MRS(f, TRBSR_EL1), TRG | IRQ, "trigger_event");
	v9_trbe_trigger(f->m);
	feed(f, 20);
	tap_eq(tk_score(f)->triggers, 1, "second_trigger_is_none");
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 130, "irq_on_trigger_continues");
	fk_free(f);

	f = started(2, TM(IGNORE));
	v9_trbe_trigger(f->m);
	tap_eq(MRS(f, TRBSR_EL1), TRG, "ignored_trigger");
	tap_eq(tk_score(f)->triggers, 1, "trb_trig_all_the_same");
	fk_free(f);

	/* the watermark: software sets TRG itself */
	f = started(2, TM(IRQ));
	MSR(f, TRBLIMITR_EL1, 0);
	MSR(f, TRBTRG_EL1, 64);
	MSR(f, TRBSR_EL1, TRG);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | TM(IRQ) | 1);
	feed(f, 63);
	tap_ok(!f->trbirq, "below_the_watermark");
	feed(f, 1);
	tap_ok(f->trbirq && !(MRS(f, TRBSR_EL1) & STOP), "watermark");
	fk_free(f);
}

/* shows: TRBE-FA2 TRBE-EV4 TRBE-EV6 TRBE-UN4 TRBE-EA2 TRBE-EA3 */
static void faults(void)
{
	static const struct {
		uint8_t kind, stage, fsc;
		uint64_t status;
		const char *name;
	} t[] = {
		{ FK_FAULT, 1, 0x07, SR(0x24, IRQ | STOP | 0x07), "stage1_translation" },
		{ FK_FAULT, 1, 0x0f, SR(0x24, IRQ | STOP | 0x0f), "stage1_permission" },
		{ FK_FAULT, 2, 0x0b, SR(0x25, IRQ | STOP | 0x0b), "stage2_access_flag" },
		{ FK_WALK_ABORT, 1, 0x15, SR(0x24, IRQ | STOP | V9_TRBSR_EL1_EA | 0x15),
		  "abort_on_a_walk" },
		{ FK_ABORT, 1, 0x10, SR(0x24, IRQ | STOP | V9_TRBSR_EL1_EA | 0x10), "abort" },
	};
	struct fk *f;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		f = started(4, 0);
		f->page[1] = (struct fk_page){ t[i].kind, t[i].stage, t[i].fsc };
		feed(f, 5000);
		tap_eq(MRS(f, TRBSR_EL1), t[i].status, "%s", t[i].name);
		tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + FK_PAGE, "%s_pointer", t[i].name);
		tap_eq(tk_score(f)->written, 4096, "%s_written", t[i].name);
		tap_eq(tk_score(f)->accepted, tk_score(f)->written + tk_score(f)->fault,
		       "%s_balance", t[i].name);
		fk_free(f);
	}
	/* a fault at the last byte of the buffer: no wrap */
	f = started(1, 0);
	feed(f, 4095);
	f->page[0] = (struct fk_page){ FK_FAULT, 1, 7 };
	feed(f, 1);
	tap_eq(MRS(f, TRBSR_EL1), SR(0x24, IRQ | STOP | 7), "fault_before_full");
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 4095, "fault_before_full_pointer");
	/* once the page is mapped, the unit continues from there */
	f->page[0].kind = FK_OK;
	MSR(f, TRBLIMITR_EL1, 0);
	MSR(f, TRBSR_EL1, 0);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + FK_PAGE) | 1);
	feed(f, 1);
	tap_eq(MRS(f, TRBSR_EL1), IRQ | STOP | WRAP | 1, "continues_after_a_fault");
	tap_eq(f->nviolations, 0, "fault_value_is_no_misuse");
	fk_free(f);

	f = started(2, 0);
	f->async = true;
	f->page[0].kind = FK_ABORT;
	feed(f, 70);
	tap_eq(MRS(f, TRBSR_EL1), SR(0x24, IRQ | STOP | V9_TRBSR_EL1_EA | 0x11), "late_abort");
	fk_free(f);
}

/* Faults that neither the tables nor the bus of this test cause. shows: TRBE-FA1 TRBE-FA2 */
static void made_up(void)
{
	static const struct {
		enum v9_inject what;
		unsigned int fsc;
		const char *name;
	} t[] = {
		{ V9_INJECT_TRBE_ALIGNMENT, 0x21, "alignment" },
		{ V9_INJECT_TRBE_TLB_CONFLICT, 0x30, "tlb_conflict" },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = started(2, 0);

		feed(f, 100);
		v9_inject(f->m, t[i].what);
		tap_ok(!MRS(f, TRBSR_EL1), "%s_waits_for_a_write", t[i].name);
		feed(f, 10);
		tap_eq(MRS(f, TRBSR_EL1), SR(0x24, IRQ | STOP | t[i].fsc), "%s", t[i].name);
		tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 100, "%s_pointer", t[i].name);
		MSR(f, TRBLIMITR_EL1, 0);
		MSR(f, TRBSR_EL1, 0);
		MSR(f, TRBLIMITR_EL1, (FK_BASE + FK_PAGE) | 1);
		feed(f, 10);
		tap_ok(MRS(f, TRBPTR_EL1) == FK_BASE + 110 && !MRS(f, TRBSR_EL1),
		       "%s_once", t[i].name);
		fk_free(f);
	}
}

/*
 * The status register keeps the first event that stopped the unit. A later event sets only bits
 * that are sticky, and no event occurs without a cause. shows: TRBE-TR7 TRBE-EV7 TRBE-EA3
 */
static void first_event_stays(void)
{
	struct fk *f = started(1, TM(STOP));

	/* a trigger, the flush of which fills the buffer */
	feed(f, 4090);
	v9_trbe_trigger(f->m);
	while (next_byte != 10) {
		v9_trbe_accept(f->m, &next_byte, 1);
		next_byte++;
	}
	feed(f, 1);
	tap_eq(MRS(f, TRBSR_EL1), IRQ | STOP | WRAP | TRG | 1,
	       "filled_by_what_the_trigger_flushed");
	tap_eq(tk.nevent, 1, "stopped_once");
	v9_inject(f->m, V9_INJECT_TRBE_ABORT);
	tap_eq(MRS(f, TRBSR_EL1), IRQ | STOP | WRAP | TRG | V9_TRBSR_EL1_EA | 1,
	       "abort_when_already_stopped");
	fk_free(f);

	f = started(1, TM(IGNORE));
	v9_inject(f->m, V9_INJECT_TRBE_IMPDEF);
	v9_inject(f->m, V9_INJECT_TRBE_ABORT);
	tap_eq(MRS(f, TRBSR_EL1), SR(0x1f, IRQ | STOP | V9_TRBSR_EL1_EA), "abort_after_impdef");
	v9_inject(f->m, V9_INJECT_TRBE_IMPDEF);
	tap_eq(MRS(f, TRBSR_EL1), SR(0x1f, IRQ | STOP | V9_TRBSR_EL1_EA), "impdef_after_both");
	fk_free(f);
}

/* A trigger that occurs when the buffer is disabled does not affect the next buffer. */
static void trigger_ends_with_its_buffer(void)
{
	struct fk *f = tk_new();
	unsigned int i;

	f->cfg.delay = V9_DELAY_MAX;
	f->cfg.cu_disable = V9_CU_DISABLE_WRITE;
	tk_init(f);
	tk_buffer(f, 2, TM(IGNORE));
	MSR(f, TRBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBTRG_EL1, 5);
	MSR(f, TRBSR_EL1, TRG);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | TM(IRQ) | 1);
	fk_sync(f, V9_SYNC_ISB);
	for (i = 0; i < 10; i++)
		v9_trbe_accept(f->m, &next_byte, 1);
	MSR(f, TRBLIMITR_EL1, 0);	/* writes bytes in flight; the counter reaches zero */
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(tk_score(f)->triggers, 1, "trigger_of_late_bytes");
	MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | TM(IRQ) | 1);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_TSB);
	fk_sync(f, V9_SYNC_ISB);
	tap_ok(!f->trbirq && !tk.nevent, "no_event_in_the_next_buffer");
	fk_free(f);
}

/*
 * The unit is programmed and enabled without a synchronization in between: whether the writes
 * precede the enable depends on the seed. shows: TRBE-UN8
 */
static void enabled_too_early(void)
{
	unsigned int seed, noted = 0, lost = 0;

	for (seed = 1; seed <= 41; seed++) {
		struct fk *f = tk_new();

		f->cfg.delay = seed == 1 ? V9_DELAY_MAX : V9_DELAY_RANDOM;
		f->cfg.seed = seed;
		tk_init(f);
		tk_buffer(f, 2, 0);
		MSR(f, TRBLIMITR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, TRBPTR_EL1, FK_BASE + 0x800);
		MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | 1);
		fk_sync(f, V9_SYNC_ISB);
		noted += f->nviolations && !strcmp(f->violation.rule, "TRBE-UN8");
		lost += MRS(f, TRBPTR_EL1) == FK_BASE;
		if (seed == 1)
			tap_ok(noted && lost, "late_pointer_is_lost_at_worst");
		fk_free(f);
	}
	tap_ok(noted == lost && noted > 5 && noted < 35, "late_pointer_is_lost_or_not");
}

/* shows: TRBE-UN1 TRBE-UN7 TRBE-UN8 TRBE-UN5 */
static void misuse(void)
{
	struct fk *f = started(2, 0);

	feed(f, 10);
	MSR(f, TRBPTR_EL1, FK_BASE + 0x100);
	tap_ok(f->nviolations == 1 && !strcmp(f->violation.rule, "TRBE-UN8"),
	       "write_while_enabled_logged");
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 10, "write_while_enabled_ignored");
	fk_free(f);

	f = started(2, 0);
	MSR(f, TRBLIMITR_EL1, 0);
	MSR(f, TRBPTR_EL1, FK_BASE + 2 * FK_PAGE);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | 1);
	feed(f, 1);
	tap_ok(f->nviolations == 1 && !strcmp(f->violation.rule, "TRBE-UN1"),
	       "pointer_at_limit_logged");
	tap_ok(!f->touched[2 * FK_PAGE] && !f->touched[0], "nothing_written_out_of_range");
	fk_free(f);

	f = tk_new();
	f->cfg.trbe_align = 6;
	tk_init(f);
	tk_buffer(f, 2, 0);
	feed(f, 10);
	MSR(f, TRBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | 1);
	feed(f, 10);
	tap_eq(f->nviolations, 0, "restart_value_may_be_unaligned");
	MSR(f, TRBLIMITR_EL1, 0);
	MSR(f, TRBPTR_EL1, FK_BASE + 4);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | 1);
	feed(f, 1);
	tap_ok(f->nviolations == 1 && !strcmp(f->violation.rule, "TRBE-UN5"),
	       "unaligned_pointer_logged");
	fk_free(f);
}

/* Number of table walks if the unit caches one translation; see model_buffer.c. */
static void translations(void)
{
	static const struct {
		const char *name;
		uint64_t block, how;
		unsigned int want;
	} t[] = {
		{ "pages", 0, 0, 2 },
		{ "block", UINT64_C(0x10000), 0, 1 },
		{ "none", 0, V9_TRBLIMITR_EL1_nVM, 1 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = started(3, t[i].how);

		f->block = t[i].block;
		feed(f, 8000);
		tap_eq(tk_score(f)->translations, t[i].want, "translations_%s", t[i].name);
		MSR(f, TRBLIMITR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		tk_buffer(f, 3, t[i].how);
		feed(f, 1);
		tap_eq(tk_score(f)->translations, t[i].want + 1, "translations_%s_enabled",
		       t[i].name);
		fk_free(f);
	}
}

/* shows: TRBE-OW2 TRBE-OW3 TRBE-OW4 TRBE-OW7 TRBE-OW8 TRBE-OW9 TRBE-AT2 */
static void owners(void)
{
	struct fk *f = tk_new();
	struct v9_trace_ctl c = { .trfcr_el1 = 3, .trfcr_el2 = 3 };
	struct v9_route r;
	uint64_t w;

	f->pe.r.has_el2 = true;
	f->pe.r.hcr_el2 = V9_HCR_EL2_E2H;
	f->pe.r.el = 2;
	tk_init(f);
	tk_buffer(f, 2, V9_TRBLIMITR_EL1_nVM);
	feed(f, 1);
	tap_ok(f->last.el == 2 && f->last.e2h && f->last.nvm, "owner_el2");
	f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, V9_MDCR_EL2_E2TB_EL1);
	feed(f, 1);
	tap_ok(f->last.el == 1 && !f->last.e2h, "owner_el1");
	tap_eq(MRS(f, TRBIDR_EL1) & V9_TRBIDR_EL1_P, 0, "owner_may_program");
	f->pe.r.mdcr_el2 = 0;
	f->pe.r.el = 1;
	tap_ok(MRS(f, TRBIDR_EL1) & V9_TRBIDR_EL1_P, "below_the_owner_may_not");
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_TRBPTR_EL1), true), V9_ACCESS_EL2, "e2tb_traps");
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_TRBIDR_EL1), false), V9_ACCESS_OK, "trbidr_not");
	f->pe.r.mdcr_el2 = V9_MDCR_EL2_TTRF;
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_TRFCR_EL1), true), V9_ACCESS_EL2, "ttrf_traps");
	f->pe.r.cpacr_el1 = V9_CPACR_EL1_TTA;
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_TRCPRGCTLR), true), V9_ACCESS_EL1, "tta_traps");
	f->pe.r.cpacr_el1 = 0;
	f->pe.r.cptr_el2 = V9_CPTR_EL2_TTA_E2H;
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_TRCPRGCTLR), true), V9_ACCESS_EL2,
	       "tta_el2_traps");
	f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, V9_MDCR_EL2_E2TB_EL1);
	f->pe.r.el = 2;
	f->pe.r.el1_a64 = false;
	v9_ete_mark(f->m, &f->pe);
	w = MRS(f, TRBPTR_EL1);
	feed(f, 3);
	tap_eq(MRS(f, TRBPTR_EL1), w, "owner_in_aarch32_nothing_written");
	fk_free(f);

	/* rows of the table of prohibited regions */
	r = (struct v9_route){ .has_el2 = true, .has_el3 = true, .has_secure = true, .a64 = true,
			       .el1_a64 = true, .el2_a64 = true,
			       .scr_el3 = V9_SCR_EL3_NS,
			       .mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSTB, 3) };
	c.trblimitr = 1;
	r.el = 3;
	tap_ok(!v9_trace_allowed(&r, &c), "el3_is_prohibited");
	r.el = 2;
	tap_ok(v9_trace_allowed(&r, &c), "owner_el2_sees_el2");
	c.trfcr_el2 = 1;
	tap_ok(!v9_trace_allowed(&r, &c), "e2tre_prohibits");
	c.trfcr_el2 = 3;
	r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, V9_MDCR_EL2_E2TB_EL1);
	tap_ok(!v9_trace_allowed(&r, &c), "owner_el1_prohibits_el2");
	r.el = 0;
	r.hcr_el2 = V9_HCR_EL2_TGE;
	tap_ok(!v9_trace_allowed(&r, &c), "owner_el1_prohibits_el0_of_the_host");
	r.hcr_el2 = 0;
	tap_ok(v9_trace_allowed(&r, &c), "owner_el1_sees_el0");
	r.scr_el3 = 0;
	r.mdcr_el3 |= V9_MDCR_EL3_STE;
	tap_ok(!v9_trace_allowed(&r, &c), "other_state_is_prohibited");
	c.trblimitr = 0;
	tap_ok(v9_trace_allowed(&r, &c), "no_buffer_no_owner");
	r.mdcr_el3 = 0;
	tap_ok(!v9_trace_allowed(&r, &c), "ste_prohibits");
}

/* Litmus tests of order, with the barrier and without */
/* shows: TRBE-SY5 TRBE-SY7 TRBE-SY8 TRBE-SY3 ETE-R_XLVQM ETE-R_RFJQN ETE-R_BFJKD */
static void order(void)
{
	unsigned int tsb, dsb, isb;

	for (tsb = 0; tsb < 2; tsb++)
		for (dsb = 0; dsb < 2; dsb++)
			for (isb = 0; isb < 2; isb++) {
				struct fk *f = tk_new();
				unsigned int n, i;
				bool in_memory, readable;

				f->cfg.delay = V9_DELAY_MAX;
				tk_init(f);
				tk_buffer(f, 2, 0);
				tk_program(f, 0);
				tk_enable(f);
				for (i = 0; i < 5; i++)
					tk_b(f, 0x1000);
				MSR(f, TRFCR_EL1, 0);
				fk_sync(f, V9_SYNC_ISB);
				n = f->nviolations;
				if (tsb)
					fk_sync(f, V9_SYNC_TSB);
				if (dsb)
					fk_sync(f, V9_SYNC_DSB);
				if (isb)
					fk_sync(f, V9_SYNC_ISB);
				in_memory = f->touched[0];
				readable = MRS(f, TRBPTR_EL1) != FK_BASE;
				tap_eq(in_memory, tsb && dsb, "bytes_tsb%u_dsb%u_isb%u", tsb, dsb,
				       isb);
				tap_eq(readable, tsb && isb, "pointer_tsb%u_dsb%u_isb%u", tsb, dsb,
				       isb);
				tap_eq(f->nviolations > n, tsb && !isb,
				       "stale_read_tsb%u_dsb%u_isb%u",
				       tsb, dsb, isb);
				fk_free(f);
			}
}

/* Event 0 of the trace unit is the trigger. Trace is flushed before collection stops. */
/* shows: TRBE-TR1 TRBE-TR6 TRBE-TR7 ETE-I_YRQCN */
static void event_trigger(void)
{
	struct fk *f = tk_new();

	tk_init(f);
	tk_buffer(f, 2, TM(STOP));
	tk_program(f, 0);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x2004);
	fk_msr(f, V9_SYS_TRCRSCTLR(2), 4 << 16 | 1);
	MSR(f, TRCEVENTCTL0R, 2);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x2000);
	tk_run(f, 2);
	tk_b(f, 0x1000);
	tk_block(f);
	tk_b(f, 0x1000);
	tap_eq(MRS(f, TRBSR_EL1), IRQ | STOP | TRG | 2, "event_stops_collection");
	tap_ok(f->mem[20] == 0x31 && f->mem[21] == 0xff, "atoms_before_it_are_there");
	tap_eq(tk_score(f)->extout[0], 1, "event_counted");
	fk_free(f);
}

/* The sink does not accept trace, and the trace unit cannot keep it: an overflow */
/* shows: ETE-R_LDDLP ETE-R_HRYKY ETE-R_DQBDH ETE-R_YFMWB TRBE-EN6 */
static void overflow(void)
{
	static const uint8_t want[] = {
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x09, 0x01, 0x04, 0x04,
		0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xf7, 0x0f,
		0x00, 0x05, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x09, 0x01, 0x04, 0x04,
		0x82, 0x00, 0x0c, 0x00, 0x00, 0x31, 0xf7, 0x0f,
	};
	struct fk *f = tk_new();
	size_t n;

	tk_init(f);
	tk_buffer(f, 2, 0);
	tk_program(f, V9_TRCCONFIGR_CCI);
	MSR(f, TRCCCCTLR, 4);
	tk_go(f, 0x1000);
	tk_b(f, 0x1400);
	tk_block(f);
	tk_run(f, 9);
	tk_p0(f, TK_ISB, 0, f->pc + 4);		/* commits the first */
	f->m->cfg.trbe_reject = 1;
	tk_b(f, 0x1800);			/* the ISB is lost */
	f->pc = 0x1800;
	tk_block(f);
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	f->m->cfg.trbe_reject = 0;
	MSR(f, TRFCR_EL1, 0);
	n = tk_stop(f);
	tap_ok(tk_score(f)->overflows == 1 && tk_score(f)->lost > 0, "overflow_counted");
	tap_ok(n == sizeof(want) && !memcmp(f->mem, want, n), "begins_anew_after_an_overflow");
	fk_free(f);
}

/* The state of the byte by byte loop of the manual */
struct loop {
	uint64_t ptr, base, lim, sr, trg, how;
	uint8_t mem[FK_SIZE];
	bool bad[FK_PAGES];
	bool due;
	uint64_t triggers, wraps;
};

static void loop_trigger(struct loop *l)
{
	l->triggers++;
	if (!(l->sr & STOP) && (l->how & V9_TRBLIMITR_EL1_TM) != TM(IGNORE))
		l->due = true;
}

static void loop_byte(struct loop *l, uint8_t b)
{
	if (l->sr & STOP)
		return;
	if (l->bad[(l->ptr - FK_BASE) / FK_PAGE]) {
		l->sr = (l->sr & (TRG | WRAP | IRQ)) | SR(0x24, IRQ | STOP | 7);
		return;
	}
	l->mem[l->ptr - FK_BASE] = b;
	if (++l->ptr == l->lim) {
		l->ptr = l->base;
		l->wraps++;
		l->sr |= WRAP;
		if ((l->how & V9_TRBLIMITR_EL1_FM) == 0)
			l->sr = (l->sr & (TRG | WRAP)) | IRQ | STOP | 1;
		else if ((l->how & V9_TRBLIMITR_EL1_FM) == FM(WRAP))
			l->sr |= IRQ;
	}
	if (l->trg && (l->sr & TRG) && !--l->trg)
		loop_trigger(l);
}

static void loop_flushed(struct loop *l)
{
	if (l->due && !(l->sr & STOP))
		l->sr = (l->how & V9_TRBLIMITR_EL1_TM) == TM(IRQ) ? l->sr | IRQ :
			(l->sr & (TRG | WRAP)) | IRQ | STOP | 2;
	l->due = false;
}

static const char *one_loop(unsigned int seed)
{
	static const uint64_t fm[] = { 0, FM(WRAP), FM(CIRCULAR) };
	static const uint64_t tm[] = { 0, TM(IRQ), TM(IGNORE) };
	static struct loop l;
	struct fk *f = tk_new();
	const char *why = NULL;
	unsigned int i, n;

	srand(seed);
	memset(&l, 0, sizeof(l));
	f->cfg.delay = seed % 3;
	f->cfg.seed = seed + 1;
	tk_init(f);
	l.base = FK_BASE;
	l.lim = FK_BASE + (1 + rand() % 3) * FK_PAGE;
	l.ptr = FK_BASE + rand() % FK_PAGE;
	l.how = fm[rand() % 3] | tm[rand() % 3];
	l.trg = rand() % 2 ? 0 : rand() % 9000;
	l.sr = rand() % 4 ? 0 : TRG;
	memset(l.mem, 0xa5, sizeof(l.mem));
	if (rand() % 4 == 0) {
		l.bad[2] = true;
		f->page[2] = (struct fk_page){ FK_FAULT, 1, 7 };
	}
	MSR(f, TRBSR_EL1, l.sr);
	MSR(f, TRBTRG_EL1, l.trg);
	MSR(f, TRBBASER_EL1, l.base);
	MSR(f, TRBPTR_EL1, l.ptr);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBLIMITR_EL1, l.lim | l.how | 1);
	fk_sync(f, V9_SYNC_ISB);
	for (i = 0; i < 60; i++) {
		if (rand() % 16 == 0) {
			/* in the delay modes, synchronize first */
			fk_sync(f, V9_SYNC_ISB);
			fk_sync(f, V9_SYNC_TSB);
			loop_flushed(&l);
			v9_trbe_trigger(f->m);
			if (!(l.sr & TRG)) {
				l.sr |= TRG;
				if (!l.trg)
					loop_trigger(&l);
			}
		}
		for (n = rand() % 300; n; n--) {
			uint8_t b = rand();

			v9_trbe_accept(f->m, &b, 1);
			loop_byte(&l, b);
		}
		fk_sync(f, V9_SYNC_ISB);
		fk_sync(f, V9_SYNC_TSB);
		loop_flushed(&l);
	}
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_TSB);
	fk_sync(f, V9_SYNC_DSB);
	fk_sync(f, V9_SYNC_ISB);
	if (MRS(f, TRBPTR_EL1) != l.ptr)
		why = "pointer";
	else if (MRS(f, TRBSR_EL1) != l.sr)
		why = "status";
	else if (MRS(f, TRBTRG_EL1) != l.trg)
		why = "trigger counter";
	else if (memcmp(l.mem, f->mem, sizeof(l.mem)))
		why = "memory";
	else if (tk_score(f)->triggers != l.triggers || tk_score(f)->wraps != l.wraps)
		why = "events";
	else if (f->trbirq != !!(l.sr & IRQ))
		why = "line";
	else if (tk_score(f)->accepted != tk_score(f)->written + tk_score(f)->fault)
		why = "balance";
	if (why)
		tap_note("seed %u: %s: ptr %#llx/%#llx sr %#llx/%#llx trg %llu/%llu", seed, why,
			 (unsigned long long)MRS(f, TRBPTR_EL1), (unsigned long long)l.ptr,
			 (unsigned long long)MRS(f, TRBSR_EL1), (unsigned long long)l.sr,
			 (unsigned long long)MRS(f, TRBTRG_EL1), (unsigned long long)l.trg);
	fk_free(f);
	return why;
}

/* shows: TRBE-PR5 TRBE-PT6 */
static void loops(void)
{
	unsigned int seed, bad = 0;

	for (seed = 0; seed < 300; seed++)
		bad += !!one_loop(seed);
	tap_eq(bad, 0, "same_as_byte_by_byte");
}

/*
 * A Warm reset of the PE disables the Trace Buffer Unit and keeps its other registers, including
 * the status; memory type and shareability only with FEAT_TRBE_EXT (D24.4.1 to D24.4.10). Of the
 * filter controls, TRFCR_EL2.TS and CX become 0 (D24.4.75).
 */
static void warm_reset(void)
{
	unsigned int ext;

	for (ext = 0; ext < 2; ext++) {
		struct fk *f = tk_new();
		unsigned int i;

		f->cfg.trbe_mpam = ext;
		f->cfg.seed = 5;
		tk_init(f);
		tk_buffer(f, 2, 0);
		next_byte = 0;
		MSR(f, TRBLIMITR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, TRBMAR_EL1, 0xff);
		MSR(f, TRBTRG_EL1, 10000);
		MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | 1);
		MSR(f, TRFCR_EL2, 0x68);
		fk_sync(f, V9_SYNC_ISB);
		feed(f, 8192);
		tap_ok(f->trbirq, "interrupt_before_reset_%u", ext);
		v9_model_reset(f->m, V9_RESET_WARM);
		tap_ok(f->trbirq, "interrupt_over_reset_%u", ext);
		tap_eq(MRS(f, TRBSR_EL1), IRQ | STOP | WRAP | 1, "status_over_reset_%u", ext);
		tap_eq(MRS(f, TRBBASER_EL1), FK_BASE, "base_over_reset_%u", ext);
		tap_eq(MRS(f, TRBPTR_EL1), FK_BASE, "pointer_over_reset_%u", ext);
		tap_eq(MRS(f, TRBTRG_EL1), 10000, "trigger_counter_over_reset_%u", ext);
		tap_eq(MRS(f, TRBLIMITR_EL1), FK_BASE + 2 * FK_PAGE, "limit_over_reset_%u", ext);
		if (ext)
			tap_eq(MRS(f, TRBMAR_EL1), 0xff, "memory_type_over_reset");
		else
			tap_ok(MRS(f, TRBMAR_EL1) != 0xff, "memory_type_is_unknown");
		tap_eq(MRS(f, TRFCR_EL2) & 0x6b, 0, "filters_after_reset_%u", ext);
		fk_free(f);

		/* After a Cold reset they are UNKNOWN, and no interrupt is pending. */
		f = tk_new();
		f->cfg.seed = 5;
		tk_init(f);
		MSR(f, TRBSR_EL1, IRQ);
		for (i = 0; i < 2; i++)
			v9_model_reset(f->m, V9_RESET_COLD);
		tap_ok(!f->trbirq && MRS(f, TRBBASER_EL1) && !(MRS(f, TRBLIMITR_EL1) & 0x41) &&
		       !(MRS(f, TRFCR_EL2) & 0x6b), "cold_reset_%u", ext);
		fk_free(f);
	}
}

/*
 * D24.4.2: values including the two examples of the manual, and reserved values.
 * shows: D24.4.2
 */
static void stated_limit(void)
{
	static const struct {
		uint16_t field;
		uint64_t bytes;
	} t[] = {
		{ 0x0001, 0x1000 }, { 0x0002, 0x2000 }, { 0x01ff, 0x1ff000 }, { 0x0200, 0x200000 },
		{ 0x0201, 0x201000 }, { 0x0400, 0x400000 }, { 0x0401, 0x402000 },
		{ 0x3fff, UINT64_C(4092) << 40 },
	};
	unsigned int i, pages;
	struct fk *f = tk_new();

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		f->cfg.buffer_limit = t[i].field;
		tap_eq(tk_init(f), 0, "limit_%x", t[i].field);
		tap_ok(!v9_store_too_large(f->m, t[i].bytes), "limit_%x_fits", t[i].field);
		tap_ok(v9_store_too_large(f->m, t[i].bytes + 1), "limit_%x_ends", t[i].field);
	}
	f->cfg.buffer_limit = 0x4000;
	tap_eq(tk_init(f), -EINVAL, "limit_4000_is_reserved");
	f->cfg.buffer_limit = 0;
	tk_init(f);
	tap_ok(!v9_store_too_large(f->m, ~UINT64_C(0)), "limit_0_is_none");
	fk_free(f);

	for (pages = 2; pages <= 4; pages++) {
		f = tk_new();
		f->cfg.buffer_limit = 3;
		tk_init(f);
		tap_eq(MRS(f, TRBIDR_EL1) >> 32 & 0xffff, 3, "limit_is_reported_%u", pages);
		tk_buffer(f, pages, 0);
		feed(f, 10);
		tap_eq(MRS(f, TRBSR_EL1), pages > 3 ? IRQ | STOP | 4 : 0, "limit_status_%u", pages);
		tap_eq(tk_score(f)->written, pages > 3 ? 0 : 10, "limit_written_%u", pages);
		tap_eq(tk_score(f)->accepted, tk_score(f)->written + tk_score(f)->fault,
		       "limit_accounted_%u", pages);
		fk_free(f);
	}
}

int main(void)
{
	fill();
	wrap_modes();
	triggers();
	faults();
	made_up();
	first_event_stays();
	trigger_ends_with_its_buffer();
	enabled_too_early();
	misuse();
	translations();
	owners();
	order();
	event_trigger();
	overflow();
	loops();
	warm_reset();
	stated_limit();
	return tap_done();
}
