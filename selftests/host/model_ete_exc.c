// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace unit of the model: exceptions at the boundaries of traced regions, forced tracing of
 * exceptions, resets of the PE, Debug state, sleep.
 */
#include "tap.h"
#include "model_story.h"

#define BEGIN "sync info on a1000/1"
#define TA V9_TRCRSR_TA

static void serror(struct fk *f)
{
	fk_exception(f, &(struct v9_exc){ .ret = f->pc, .to_el = 1,
					  .interrupt = V9_INTERRUPT_SERROR });
	f->pc = 0x1800;
}

/* Only 2000 to 20fc is traced; execution begins at 1000. */
static struct fk *elsewhere(uint64_t more)
{
	struct fk *f = tk_ready(0);

	fk_msr(f, V9_SYS_TRCACVR(0), 0x2000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x20fc);
	MSR(f, TRCVIIECTLR, 1);
	MSR(f, TRCVICTLR, 0x201 | more);
	tk_go(f, 0x1000);
	return f;
}

/* shows: ETE-R_SJXYS ETE-R_BBBBT ETE-R_NZNDM */
static void forced_serror(void)
{
	struct fk *f = elsewhere(0);

	tk_b(f, 0x1000);
	serror(f);
	tk_expect(f, "", "serror_not_forced");
	fk_free(f);

	f = elsewhere(V9_TRCVICTLR_TRCERR);
	tk_b(f, 0x1000);
	serror(f);
	tap_ok(MRS(f, TRCRSR) & TA, "ta_after_a_forced_serror");
	tk_irq(f, 1, 0x1800);
	tk_b(f, 0x1800);
	tk_irq(f, 1, 0x1800);
	tk_expect(f, BEGIN " serror@1000 +irq@1800", "forced_serror");
	fk_free(f);

	f = elsewhere(V9_TRCVICTLR_TRCERR);
	tk_prohibit(f);
	serror(f);
	tk_expect(f, "", "nothing_is_forced_where_prohibited");
	fk_free(f);
}

static void warm_reset(struct fk *f)
{
	v9_model_reset(f->m, V9_RESET_WARM);
	f->pe.r.el = 1;
}

/* shows: ETE-R_NCXJN ETE-R_NRJGC ETE-R_YYHBF ETE-S_WVMHS ETE-R_BBBBT ETE-I_GPQZW ETE-R_NZNDM */
static void pe_reset(void)
{
	struct fk *f = tk_started(V9_TRCCONFIGR_CID, 0x1000);
	uint64_t config = MRS(f, TRCCONFIGR);

	tk_b(f, 0x1004);
	tk_run(f, 2);
	warm_reset(f);
	tk_expect_so_far(f, BEGIN " E reset", "reset_of_the_pe");
	tap_ok(MRS(f, TRCPRGCTLR) == 1 && MRS(f, TRCCONFIGR) == config && !MRS(f, TRCSTATR),
	       "trace_unit_continues_over_a_reset");
	tap_eq(MRS(f, TRFCR_EL1) & 3, 0, "reset_prohibits");
	tap_ok(!tk_on(f) && !(MRS(f, TRBLIMITR_EL1) & 1), "reset_disables_the_buffer");
	/* traced again, the stream continues without a new synchronization */
	tk_buffer(f, 8, 0);
	tk_permit(f);
	f->pc = 0x3000;
	tk_b(f, 0x3000);
	MSR(f, TRFCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_TSB);
	tap_ok(f->mem[0] == 0x04, "trace_on_after_a_reset");
	fk_free(f);

	f = elsewhere(V9_TRCVICTLR_TRCRESET);
	tk_b(f, 0x1000);
	warm_reset(f);
	tap_ok(MRS(f, TRCRSR) & TA, "ta_after_a_forced_reset");
	tk_expect_so_far(f, BEGIN " reset", "forced_reset");
	fk_free(f);
	f = elsewhere(0);
	tk_b(f, 0x1000);
	warm_reset(f);
	tk_expect_so_far(f, "", "reset_not_forced");
	fk_free(f);

	f = elsewhere(V9_TRCVICTLR_TRCRESET);
	tk_prohibit(f);
	warm_reset(f);
	tk_expect_so_far(f, "", "reset_where_prohibited");
	fk_free(f);

	f = tk_started(0, 0x1000);
	v9_model_reset(f->m, V9_RESET_COLD);
	tap_ok(!(MRS(f, TRFCR_EL1) & 3) && !(MRS(f, TRCPRGCTLR) & 1) && MRS(f, TRCSTATR) == 3,
	       "cold_reset_prohibits_and_disables");
	fk_free(f);
}

/* Fields that the registers' pages define as 0 at reset are 0 with any seed. */
static void reset_values(void)
{
	unsigned int wrong = 0;

	for (unsigned int seed = 1; seed <= 8; seed++) {
		struct fk *f = tk_new();

		f->cfg.seed = seed;
		f->cfg.trbe_mpam = true;
		tk_init(f);
		f->pe.r.has_el2 = true;
		f->pe.r.el = 2;
		wrong |= MRS(f, TRFCR_EL2) & 0x6b;		/* TS, CX, E2TRE, E0HTRE */
		wrong |= MRS(f, TRCEVENTCTL1R) & 0x2000;	/* OE */
		wrong |= !!(MRS(f, TRBMPAM_EL1) & 0x4000000);	/* EN */
		wrong |= !!MRS(f, TRCIMSPEC0) | !!MRS(f, TRCAUXCTLR);
		/* the bits for software of FEAT_NV and FEAT_NV2p1 are not implemented */
		wrong |= MRS(f, TRFCR_EL1) & 0x808;
		fk_free(f);
	}
	tap_eq(wrong, 0, "known_reset_values");
}

/* shows: ETE-R_BJQDP ETE-I_NPQLT ETE-R_XJXQS */
static void ta_is_frozen(void)
{
	struct fk *f = elsewhere(0);
	struct v9_exc halt = { .to_el = 1, .debug = true };

	tk_b(f, 0x2000);
	tk_b(f, 0x2000);		/* traced */
	tk_prohibit(f);
	tk_run(f, 4);
	tk_b(f, 0x1000);
	tap_ok(MRS(f, TRCRSR) & TA, "ta_set_where_prohibited");
	tk_permit(f);
	f->pc = 0x1000;
	tk_b(f, 0x1000);		/* not traced */
	tk_prohibit(f);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tap_ok(!(MRS(f, TRCRSR) & TA), "ta_clear_where_prohibited");
	fk_free(f);

	/* execution in Debug state does not change TA */
	f = elsewhere(0);
	tk_b(f, 0x1000);
	tk_run(f, 1);
	halt.ret = f->pc;
	fk_exception(f, &halt);
	f->pe.r.debug = true;
	f->pc = 0x2000;
	tk_run(f, 3);
	tap_ok(!(MRS(f, TRCRSR) & TA), "ta_clear_in_debug_state");
	f->pe.r.debug = false;
	fk_sync(f, V9_SYNC_CSE);
	f->pc = 0x2000;
	tk_irq(f, 1, 0x1800);		/* before the first instruction */
	tk_expect(f, "", "exception_on_leaving_debug_state_untraced");
	fk_free(f);
}

/* shows: ETE-R_XJXQS ETE-I_NPQLT ETE-R_NHDCF ETE-R_MVFYN */
static void debug_state(void)
{
	struct fk *f = tk_ready(0);
	struct v9_exc halt = { .to_el = 1, .debug = true };

	fk_msr(f, V9_SYS_TRCACVR(0), 0x1000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x2000);
	MSR(f, TRCVISSCTLR, 1 | 2 << 16);
	MSR(f, TRCVICTLR, 1);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_run(f, 2);
	halt.ret = f->pc;
	fk_exception(f, &halt);
	f->pe.r.debug = true;
	f->pc = 0x2000;			/* the stop point: no match in Debug state */
	tk_run(f, 1);
	tk_b(f, 0x2000);
	f->pe.r.debug = false;
	fk_sync(f, V9_SYNC_CSE);
	f->pc = 0x3000;
	tk_irq(f, 1, 0x1800);
	tk_b(f, 0x1800);
	tk_expect(f, BEGIN " E halt@1008 on a3000 irq@3000 a1800 E", "debug_state");
	fk_free(f);
}

/* An exception right after enabling: TRCRSR.TA is whether the code before it was traced. */
/* shows: ETE-P_D16 ETE-R_TSVKN ETE-I_NPQLT ETE-R_QHRVX */
static void first_exception(void)
{
	unsigned int ta;

	for (ta = 0; ta < 2; ta++) {
		struct fk *f = tk_ready(0);

		MSR(f, TRCRSR, ta ? TA : 0);
		tk_go(f, 0x1000);
		tk_irq(f, 1, 0x1000);
		tk_b(f, 0x1000);
		tk_expect(f, ta ? BEGIN " irq@1000 a1000 E" : BEGIN " E",
			ta ? "first_exception_ta_1" : "first_exception_ta_0");
		fk_free(f);

		/* return to a traced user program, interrupted at once */
		f = tk_ready(0);
		MSR(f, TRCRSR, ta ? TA : 0);
		tk_enable(f);
		MSR(f, TRFCR_EL1, V9_TRFCR_EL1_E0TRE);
		fk_sync(f, V9_SYNC_ISB);
		f->pc = 0xffff2000;
		tk_b(f, 0xffff3000);
		tk_eret(f, 0x1000, 0);
		tk_irq(f, 1, 0xffff1000);
		tk_b(f, 0xffff3000);
		tk_expect(f, ta ? "sync info on a1000/0 irq@1000" : "",
			ta ? "exception_behind_a_prohibited_region_ta_1" :
			     "exception_behind_a_prohibited_region_ta_0");
		fk_free(f);
	}
}

/* shows: ETE-R_CGVJD ETE-R_MVFYN */
static void exceptions_match_nothing(void)
{
	struct fk *f = tk_ready(0);

	fk_msr(f, V9_SYS_TRCACVR(0), 0x1004);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x1800);
	tk_select(f, 2, V9_TRCRSCTLRn_GROUP_SAC, 3);
	tk_select(f, 3, V9_TRCRSCTLRn_GROUP_ARC, 1);
	MSR(f, TRCEVENTCTL0R, 2 | 3 << 8);
	MSR(f, TRCVISSCTLR, 2 << 16);	/* stops at 1800 */
	tk_go(f, 0x1000);
	tk_run(f, 1);
	tk_irq(f, 1, 0x1800);		/* returns to 1004, continues at 1800, executes neither */
	tk_irq(f, 1, 0x1900);
	tk_b(f, 0x1900);
	tk_stop(f);
	tap_eq(tk_score(f)->extout[0] + tk_score(f)->extout[1], 0, "exceptions_match_nothing");
	tap_ok(MRS(f, TRCVICTLR) & V9_TRCVICTLR_SSSTATUS, "exceptions_do_not_stop");
	fk_free(f);

	f = tk_ready(0);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x1004);
	tk_select(f, 2, V9_TRCRSCTLRn_GROUP_SAC, 1);
	MSR(f, TRCEVENTCTL0R, 2);
	tk_go(f, 0x1000);
	tk_run(f, 2);
	tk_irq(f, 1, 0x1800);
	tk_stop(f);
	tap_eq(tk_score(f)->extout[0], 1, "the_instruction_itself_matches");
	fk_free(f);
}

/* Invalid instruction addresses, and tagged pointers */
/* shows: ETE-R_RJCBT ETE-R_SBCPK */
static void odd_addresses(void)
{
	struct fk *f = tk_started(0, 0x1000);
	struct v9_pe_insn i = { .pc = 0x1000, .op = TK_BR, .xt = UINT64_C(0x5600000000002000) };

	tk_p0(f, TK_BR, 0, UINT64_C(0x00ff800000002000));
	fk_exception(f, &(struct v9_exc){ .ret = f->pc, .to_el = 1, .sync = true,
					  .esr = 0x20u << 26 });
	f->pc = 0x1800;
	tk_b(f, 0x1800);
	tk_expect(f, BEGIN " E +ifault@ff800000002000 a1800 E", "invalid_address_in_full");
	fk_free(f);

	f = tk_started(0, 0x1000);
	tk_block(f);
	v9_trace_branch(f->m, &i);
	f->pc = 0x2000;			/* the actual target: the top byte is ignored */
	tk_b(f, 0x2000);
	tk_expect(f, BEGIN " E a2000 E", "tag_is_no_address");
	fk_free(f);
}

/* shows: ETE-R_CPFBS ETE-R_YCRVD ETE-R_PRNZH */
static void p0_elements(void)
{
	struct fk *f = tk_started(0, 0x1000);
	struct v9_exc undef = { .ret = 0x1004, .to_el = 1, .sync = true };

	tk_p0(f, TK_ISB, 0, 0x1004);
	tk_p0(f, TK_ERET, 0, 0x1004);	/* a P0 instruction that is UNDEFINED here */
	fk_exception(f, &undef);
	f->pc = 0x1800;
	tk_p0(f, TK_A64_BEQ(0x1800, 0x1900), 0, 0x1804);
	tk_p0(f, TK_A64_BEQ(0x1804, 0x1900), TK_Z, 0x1900);
	tk_run(f, 3);
	tk_stop(f);
	tap_eq(tk_score(f)->p0, 4, "atoms_and_exceptions_are_p0");
	tk_expect(f, BEGIN " E trap@1004 a1800 NE", "isb_and_undefined_branch");
	fk_free(f);
}

/* shows: ETE-I_MXHHN ETE-R_GFMRH ETE-R_KCXLF ETE-R_FMXFM ETE-R_LHDSS */
static void sleeping(void)
{
	struct fk *f = tk_ready(0);
	size_t n;

	fk_msr(f, V9_SYS_TRCEXTINSELR(0), 0x4018);
	tk_select(f, 2, V9_TRCRSCTLRn_GROUP_EXTIN, 1);
	MSR(f, TRCEVENTCTL0R, 2);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_run(f, 1);
	tk_p0(f, TK_WFI, 0, 0x1008);
	n = tk_score(f)->written;
	v9_trace_sleep(f->m);
	/* without a barrier or a register access, its atom is in memory */
	tap_ok(!n && tk_score(f)->written == tk_score(f)->bytes, "awake_until_all_is_reported");
	tk_expect_so_far(f, BEGIN " EE", "traced_before_sleeping");
	v9_trace_input(f->m, 0x4018);
	tap_eq(MRS(f, TRCRSR) & 15, 0, "no_inputs_asleep");
	tap_eq(MRS(f, TRCSTATR), 0, "asleep_looks_enabled");
	n = tk_score(f)->bytes;
	fk_sync(f, V9_SYNC_TSB);
	tap_eq(tk_score(f)->bytes, n, "asleep_is_silent");
	tk_irq(f, 1, 0x1800);
	v9_trace_input(f->m, 0x4018);
	tap_eq(MRS(f, TRCRSR) & 15, 1, "inputs_awake");
	tk_b(f, 0x1800);
	tk_expect(f, BEGIN " EE irq@1008 a1800 E", "on_waking_it_continues");
	tap_eq(tk_score(f)->extout[0], 1, "input_after_waking");
	fk_free(f);

	/* woken without an interrupt */
	f = tk_started(0, 0x1000);
	tk_p0(f, TK_WFI, 0, 0x1004);
	v9_trace_sleep(f->m);
	tap_ok(v9_trace_needs_block(f->m), "waking_is_to_be_told");
	tk_run(f, 1);
	tap_ok(!v9_trace_needs_block(f->m), "waking_was_told");
	tk_b(f, 0x1000);
	tk_expect(f, BEGIN " E E", "woken_without_an_interrupt");
	fk_free(f);
}

int main(void)
{
	forced_serror();
	pe_reset();
	reset_values();
	ta_is_frozen();
	debug_state();
	first_exception();
	exceptions_match_nothing();
	odd_addresses();
	p0_elements();
	sleeping();
	return tap_done();
}
