// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace unit of the model: small programs, and the bytes of trace that they must give,
 * written by hand.
 */
#include "tap.h"
#include "model_trace.h"

#define ASYNC 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define INFO 0x01, 0x00
#define ON 0x04

/* Stops tracing and compares all bytes that were written. */
static void is(struct fk *f, const uint8_t *want, size_t n, const char *name)
{
	size_t got = tk_stop(f);

	if (!tap_ok(got == n && !memcmp(f->mem, want, n), "%s", name))
		tk_note_bytes(f, got, want, n);
	if (f->nviolations)
		tap_note("note: %s %s", f->violation.rule, f->violation.what);
	tap_eq(f->nviolations, 0, "%s_breaks_no_rule", name);
	fk_free(f);
}

#define IS(f, name, ...) \
	is(f, (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), name)

/* The example session of the manual, at Non-secure EL0 */
/* shows: ETE-R_QZRMQ ETE-R_NHDCF ETE-R_KMFKP ETE-R_TJLYH ETE-R_XCJGD ETE-R_SFYMW */
static void golden(void)
{
	struct fk *f = tk_new();

	f->pe.r.el = 0;
	tk_init(f);
	f->pe.r.el = 1;
	tk_buffer(f, 8, 0);
	tk_program(f, 0);
	tk_enable(f);
	fk_eret(f, 0x1000, 0);
	tk_b(f, 0x2000);
	tk_run(f, 3);
	tk_p0(f, TK_A64_BEQ(f->pc, 0x3000), 0, f->pc + 4);
	tk_run(f, 1);
	MSR(f, TRFCR_EL1, V9_TRFCR_EL1_E0TRE);
	fk_sync(f, V9_SYNC_ISB);
	tk_irq(f, 1, 0xffff0000);
	IS(f, "golden_session", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x30, 0xd9,
	   0x06, 0x1d, 0x95, 0x85, 0x10);
}

/* Indirect branches, with and without the return stack */
/* shows: ETE-R_HFCTC ETE-R_QHSBN ETE-R_HLRZJ ETE-R_BPRDC ETE-R_SLDXR ETE-R_LMHFW */
static void calls(void)
{
	struct fk *f = tk_started(V9_TRCCONFIGR_RS, 0x1000);

	tk_p0(f, TK_A64_BL(f->pc, 0x2000), 0, 0x2000);
	tk_run(f, 1);
	tk_p0(f, TK_RET, 0, 0x1004);	/* E without an address: it is on the stack */
	tk_p0(f, TK_BLR, 0, 0x3000);	/* pushes 1008 */
	tk_p0(f, TK_RET, 0, 0x1000);	/* not on the stack: exact match of the first address */
	tk_b(f, 0x1000);
	IS(f, "return_stack", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31,
	   0xff, 0x95, 0x80, 0x18, 0xf7, 0x91, 0xf7);

	f = tk_started(0, 0x1000);
	tk_p0(f, TK_A64_BL(f->pc, 0x2000), 0, 0x2000);
	tk_p0(f, TK_RET, 0, 0x1004);
	tk_b(f, 0x1000);
	IS(f, "no_return_stack", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31,
	   0xdb, 0x95, 0x01, 0xf7);
}

/* An interrupt at a branch target: the packet implies the target first (E=0b10). */
/* shows: ETE-I_PCMYT ETE-R_XGXKK ETE-R_HXNXF */
static void exceptions(void)
{
	struct fk *f = tk_started(V9_TRCCONFIGR_CID, 0x1000);

	tk_p0(f, TK_BR, 0, 0x2000);
	tk_irq(f, 1, 0x1800);
	tk_b(f, 0x1000);
	IS(f, "irq_at_an_indirect_target", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31,
	   0xf7, 0x06, 0x5c, 0x95, 0x80, 0x10, 0x95, 0x80, 0x0c, 0xf7);

	/* the same after an exception return: context and target in one packet */
	f = tk_started(V9_TRCCONFIGR_CID, 0x1000);
	f->pe.contextidr_el1 = 7;
	tk_eret(f, 0x2000, 0);
	tk_irq(f, 1, 0x1800);
	tk_b(f, 0x1000);
	IS(f, "irq_at_the_target_of_a_return", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00,
	   0xb1, 0x07, 0x00, 0x00, 0x00, 0xf7, 0x06, 0x5c, 0x82, 0x00, 0x10, 0x00, 0x00, 0x30,
	   0x82, 0x00, 0x0c, 0x00, 0x00, 0x31, 0xf7);

	/* an ISB synchronizes the new context; then an interrupt */
	f = tk_started(V9_TRCCONFIGR_CID, 0x1000);
	tk_run(f, 1);
	f->pe.contextidr_el1 = 0x11223344;
	tk_p0(f, TK_ISB, 0, 0x1008);
	tk_irq(f, 1, 0x1800);
	tk_b(f, 0x1000);
	IS(f, "isb_then_irq", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xf7,
	   0x81, 0xb1, 0x44, 0x33, 0x22, 0x11, 0x06, 0x1d, 0x95, 0x02, 0x95, 0x80, 0x0c, 0xf7);

	/* a call (SVC): no atom; the address is that of the next instruction */
	f = tk_started(0, 0x1000);
	tk_run(f, 2);
	fk_exception(f, &(struct v9_exc){ .ret = f->pc, .to_el = 1, .sync = true,
					  .esr = 0x15u << 26 });
	f->pc = 0x1800;
	tk_b(f, 0x1000);
	IS(f, "call", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0x06, 0x05, 0x95, 0x02,
	   0x95, 0x80, 0x0c, 0xf7);

	/* the branch itself faults: it was not executed */
	f = tk_started(0, 0x1000);
	tk_run(f, 1);
	tk_p0(f, TK_RET, 0, 0x1004);
	fk_exception(f, &(struct v9_exc){ .ret = 0x1004, .to_el = 1, .sync = true,
					  .esr = 0x1cu << 26 });
	f->pc = 0x1800;
	tk_b(f, 0x1000);
	IS(f, "branch_that_faults", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31,
	   0x06, 0x19, 0x95, 0x01, 0x95, 0x80, 0x0c, 0xf7);
}

/*
 * Table D4-19, with the EC of each reason, and bits of the ISS where they matter. Types are the
 * numbers in a packet.
 */
static void exception_types(void)
{
	enum { DEBUG_HALT = 1, CALL, TRAP, SERROR, INST_DEBUG = 6, DATA_DEBUG, ALIGNMENT = 10,
	       INST_FAULT, DATA_FAULT, IRQ = 14, FIQ };
	static const struct {
		const char *reason;
		uint8_t ec;
		uint32_t iss;
		uint8_t to_el;
		bool trapped;
		uint8_t type;
	} sync[] = {
		{ "branch target", 0x0d, 0, 1, false, INST_FAULT },
		{ "breakpoint from below", 0x30, 0, 1, false, INST_DEBUG },
		{ "breakpoint", 0x31, 0, 1, false, INST_DEBUG },
		{ "SME functionality", 0x1d, 0, 1, false, TRAP },
		{ "EXLOCK", 0x2d, 1 << 20, 1, false, INST_FAULT },
		{ "GPC of data", 0x1e, 0, 3, false, DATA_FAULT },
		{ "GPC of an instruction", 0x1e, 1 << 20, 3, false, INST_FAULT },
		{ "GCS data check", 0x2d, 0, 1, false, DATA_FAULT },
		{ "HVC", 0x16, 0, 2, false, CALL },
		{ "illegal execution state", 0x0e, 0, 1, false, TRAP },
		{ "instruction abort from below", 0x20, 0, 1, false, INST_FAULT },
		{ "instruction abort", 0x21, 0, 1, false, INST_FAULT },
		{ "WFI, WFE", 0x01, 0, 1, false, TRAP },
		{ "SIMD and floating point", 0x07, 0, 1, false, TRAP },
		{ "pointer authentication instruction", 0x09, 0, 2, false, TRAP },
		{ "LD64B", 0x0a, 0, 1, false, TRAP },
		{ "MSR, MRS", 0x18, 0, 1, false, TRAP },
		{ "SVE", 0x19, 0, 1, false, TRAP },
		{ "ERET", 0x1a, 0, 2, false, TRAP },
		{ "MSRR, MRRS", 0x14, 0, 1, false, TRAP },
		{ "floating point exception", 0x2c, 0, 1, false, TRAP },
		{ "MemCopy, MemSet", 0x27, 0, 1, false, TRAP },
		{ "misaligned PC", 0x22, 0, 1, false, ALIGNMENT },
		{ "PAC fail", 0x1c, 0, 1, false, DATA_FAULT },
		{ "PMU exception", 0x3d, 0, 1, false, INST_DEBUG },
		{ "SError", 0x2f, 0, 1, false, SERROR },
		{ "SMC by HCR_EL2.TSC", 0x17, 0, 2, true, TRAP },
		{ "SMC", 0x17, 0, 3, false, CALL },
		{ "SVC by HFGITR_EL2.SVC_EL0 or SVC_EL1", 0x15, 0, 2, true, TRAP },
		{ "SVC", 0x15, 0, 1, false, CALL },
		{ "SVC by HCR_EL2.TGE", 0x15, 0, 2, false, CALL },
		{ "BRK", 0x3c, 0, 1, false, INST_DEBUG },
		{ "software step from below", 0x32, 0, 1, false, INST_DEBUG },
		{ "software step", 0x33, 0, 1, false, INST_DEBUG },
		{ "misaligned SP", 0x26, 0, 1, false, ALIGNMENT },
		{ "data abort from below", 0x24, 0, 1, false, DATA_FAULT },
		{ "data abort", 0x25, 0, 1, false, DATA_FAULT },
		{ "GCSSTR, GCSSTTR", 0x2d, 2 << 20, 1, false, TRAP },
		{ "UNDEFINED", 0x00, 0, 1, true, TRAP },
		{ "watchpoint from below", 0x34, 0, 1, false, DATA_DEBUG },
		{ "watchpoint", 0x35, 0, 1, false, DATA_DEBUG },
	};
	static const struct {
		const char *reason;
		uint8_t interrupt;
		bool debug;
		uint8_t type;
	} others[] = {
		{ "FIQ", V9_INTERRUPT_FIQ, false, FIQ },
		{ "Halting debug event", V9_INTERRUPT_IRQ, true, DEBUG_HALT },
		{ "IRQ", V9_INTERRUPT_IRQ, false, IRQ },
		{ "PMU exception", V9_INTERRUPT_PROFILING, false, INST_DEBUG },
		{ "SError", V9_INTERRUPT_SERROR, false, SERROR },
	};
	unsigned int i, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(sync) + V9_ARRAY_SIZE(others); i++) {
		struct fk *f = tk_started(0, 0x1000);
		struct v9_exc x = { .ret = 0x1004 };
		const char *reason;
		unsigned int type;

		if (i < V9_ARRAY_SIZE(sync)) {
			x.sync = true;
			x.to_el = sync[i].to_el;
			x.trapped = sync[i].trapped;
			x.esr = (uint32_t)sync[i].ec << 26 | sync[i].iss;
			reason = sync[i].reason;
			type = sync[i].type;
		} else {
			unsigned int n = i - V9_ARRAY_SIZE(sync);

			x.to_el = 1;
			x.interrupt = others[n].interrupt;
			x.debug = others[n].debug;
			reason = others[n].reason;
			type = others[n].type;
		}
		tk_run(f, 1);
		fk_exception(f, &x);
		f->pe.r.el = 1;
		tk_stop(f);
		if (f->mem[22] >> 1 != type || f->mem[21] != 0x06) {
			tap_note("%s: %02x %02x", reason, f->mem[21], f->mem[22]);
			bad++;
		}
		fk_free(f);
	}
	tap_eq(bad, 0, "exception_types");
}

/* A user program with system calls. The kernel is not traced. */
/* shows: ETE-R_THBVD ETE-R_FFVYM ETE-R_RXMJF ETE-R_XRWPV ETE-R_HYZLQ */
static void user_only(void)
{
	struct fk *f = tk_new();

	tk_setup(f, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRCPRGCTLR, 1);
	fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	MSR(f, TRFCR_EL1, V9_TRFCR_EL1_E0TRE);
	fk_sync(f, V9_SYNC_ISB);
	tk_run(f, 5);
	tk_b(f, 0x7000);
	fk_sync(f, V9_SYNC_TSB);
	tap_eq(tk_score(f)->bytes, 0, "nothing_from_a_prohibited_region");
	tk_eret(f, 0x1000, 0);
	tk_run(f, 1);
	fk_exception(f, &(struct v9_exc){ .ret = 0x1004, .to_el = 1, .sync = true,
					  .esr = 0x15u << 26 });
	f->pc = 0xffff1000;
	tk_b(f, 0xffff2000);
	tk_eret(f, 0x1004, 0);
	tk_b(f, 0x1004);
	tk_irq(f, 1, 0xffff0000);
	IS(f, "user_only", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x30, 0x06, 0x05, 0x95,
	   0x01, ON, 0x90, 0xf7, 0x06, 0x1d, 0x90);
}

/* shows: ETE-R_QHHSY ETE-R_VMPYW ETE-R_BTWGD */
static void periodic(void)
{
	struct fk *f = tk_started(0, 0x1000);
	unsigned int i, syncs = 0;
	size_t n, at, last = 0, far = 0;

	MSR(f, TRFCR_EL1, 0);
	tk_program(f, 0);
	MSR(f, TRCSYNCPR, 8);
	tk_enable(f);
	for (i = 0; i < 2000; i++)
		tk_p0(f, TK_BR, 0, 0x1000 + i % 7 * 0x10000);
	n = tk_stop(f);
	for (at = 0; at < n; at += V9_ETE_ASYNC_SIZE) {
		at += v9_ete_find_sync(f->mem + at, n - at);
		if (at == n)
			break;
		if (syncs++ && at - last > far)
			far = at - last;
		last = at;
	}
	tap_ok(n > 3000 && syncs > n / 300, "syncs_as_requested");
	tap_ok(far >= 256 && far < 290, "sync_distance");
	fk_free(f);
	f = tk_started(0, 0x1000);
	for (i = 0; i < 2000; i++)
		tk_p0(f, TK_BR, 0, 0x1000 + i % 7 * 0x10000);
	tk_stop(f);
	tap_eq(tk_score(f)->syncs, 1, "no_sync_unrequested");
	fk_free(f);
}

/* shows: ETE-R_YYWTR ETE-R_CWHHW ETE-I_BLBJX */
static void timestamps(void)
{
	struct fk *f;

	/* the clock is 1000 at the first P0 element, 1001 at the interrupt */
	f = tk_started(V9_TRCCONFIGR_TS, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_irq(f, 1, 0x1800);
	tk_b(f, 0x1000);
	MSR(f, TRFCR_EL1, 0);
	IS(f, "timestamps", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xf7,
	   0x02, 0xe8, 0x07, 0xf7, 0x06, 0x1d, 0x90, 0x02, 0x69, 0x95, 0x80, 0x0c, 0xf7);

	/* a counter requests one every other cycle; ts_gap allows one per three P0 elements */
	f = tk_new();
	f->cfg.ts_gap = 3;
	tk_setup(f, V9_TRCCONFIGR_TS);
	fk_msr(f, V9_SYS_TRCCNTRLDVR(0), 1);
	fk_msr(f, V9_SYS_TRCCNTVR(0), 1);
	fk_msr(f, V9_SYS_TRCCNTCTLR(0), V9_TRCCNTCTLRn_RLDSELF | 1);
	fk_msr(f, V9_SYS_TRCRSCTLR(2), 2 << 16 | 1);
	MSR(f, TRCTSCTLR, 2);
	tk_go(f, 0x1000);
	for (int i = 0; i < 7; i++)
		tk_b(f, 0x1000);
	tk_irq(f, 1, 0x1000);
	tk_stop(f);
	tap_eq(tk_score(f)->packets[V9_ETE_TIMESTAMP], 4, "timestamp_event");
	fk_free(f);
}

/* shows: ETE-R_JMLLY ETE-R_YFMWB ETE-R_BMVKB */
static void cycles(void)
{
	struct fk *f = tk_new();

	tk_setup(f, V9_TRCCONFIGR_CCI);
	MSR(f, TRCCCCTLR, 4);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);			/* UNKNOWN */
	tk_b(f, 0x1000);			/* 1 */
	tk_run(f, 4);
	tk_b(f, 0x1000);			/* 6 = threshold + 2 */
	tk_run(f, 100);
	tk_b(f, 0x1000);			/* 101 */
	IS(f, "cycle_counts", ASYNC, 0x01, 0x09, 0x01, 0x04, ON, 0x82, 0x00, 0x08, 0x00, 0x00,
	   0x31, 0xf7, 0x0f, 0xdb, 0x12, 0xf7, 0x0e, 0x61);
}

/* shows: ETE-R_MHYFV ETE-R_VQTVR */
static void broadcast(void)
{
	struct fk *f = tk_started(V9_TRCCONFIGR_BB | V9_TRCCONFIGR_RS, 0x1000);

	tk_p0(f, TK_A64_BL(f->pc, 0x1100), 0, 0x1100);
	tk_p0(f, TK_A64_BEQ(f->pc, 0x2000), 0, 0x1104);
	tk_p0(f, TK_RET, 0, 0x1004);
	tk_b(f, 0x1000);
	IS(f, "branch_broadcast", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xf7,
	   0x95, 0x40, 0xda, 0x95, 0x01, 0xf7);
}

/* shows: ETE-R_SKZHH ETE-R_RNPWD ETE-R_LLQPL ETE-R_NHDCF */
static void ranges(void)
{
	struct fk *f = tk_new();

	tk_setup(f, 0);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x2000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x20fc);
	MSR(f, TRCVIIECTLR, 1);
	tk_go(f, 0x1000);
	tk_b(f, 0x2000);
	tk_run(f, 1);
	tk_b(f, 0x20fc);	/* in */
	tk_b(f, 0x2100);	/* in: the last address of the range */
	tk_b(f, 0x2000);	/* out */
	tk_b(f, 0x3000);	/* in */
	tk_irq(f, 1, 0x4000);	/* traced: the block before it was */
	tk_irq(f, 1, 0x4000);	/* likewise */
	tk_run(f, 1);
	tk_irq(f, 1, 0x4000);	/* not: an instruction out of range was executed */
	tk_b(f, 0x4000);
	tk_irq(f, 1, 0x4000);	/* not, likewise */
	IS(f, "include_range", ASYNC, INFO, ON, 0x82, 0x00, 0x10, 0x00, 0x00, 0x31, 0xdb,
	   ON, 0x90, 0xf7, 0x06, 0x1d, 0x95, 0x80, 0x18, 0x06, 0x5c, 0x95, 0x80, 0x20);
}

/* shows: ETE-R_BFSWZ ETE-R_QHRVX */
static void exception_after_nothing_traced(void)
{
	struct fk *f = tk_new();

	tk_setup(f, 0);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x2000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x20fc);
	MSR(f, TRCVIIECTLR, 1);
	tk_go(f, 0x2000);
	tk_b(f, 0x3000);
	tk_b(f, 0x3000);
	tk_irq(f, 1, 0x4000);
	tk_stop(f);
	tap_eq(tk_score(f)->p0, 1, "exception_after_nothing_traced");
	tap_eq(MRS(f, TRCRSR) & V9_TRCRSR_TA, 0, "ta_can_be_read");
	fk_free(f);
}

/* Once, or each time */
/* shows: ETE-R_XVVYX ETE-R_KJBCH */
static void single_shot(bool again)
{
	struct fk *f = tk_new();

	tk_setup(f, 0);
	fk_msr(f, V9_SYS_TRCACVR(2), 0x1000);
	MSR(f, TRCSSCCR0, 4 | (again ? V9_TRCSSCCRn_RST : 0));
	fk_msr(f, V9_SYS_TRCRSCTLR(2), 3 << 16 | 1);
	MSR(f, TRCVICTLR, 0x202);
	tk_go(f, 0x1000);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tk_b(f, 0x1000);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tk_stop(f);
	tap_eq(tk_score(f)->p0, again ? 2 : 1, "single_shot_%s", again ? "again" : "once");
	fk_free(f);
}

/* shows: ETE-R_KCYTR ETE-R_PTTKL ETE-R_PBFMY */
static void start_stop(void)
{
	struct fk *f = tk_new();

	tk_setup(f, 0);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x2000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x3004);
	MSR(f, TRCVISSCTLR, 1 | 2 << 16);
	MSR(f, TRCVICTLR, 0x1);
	tk_go(f, 0x1000);
	tk_b(f, 0x2000);
	tk_b(f, 0x1000);	/* starts */
	tk_b(f, 0x3000);
	tk_run(f, 2);
	tk_b(f, 0x1000);	/* stops, but this block is traced */
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(tk_score(f)->p0, 3, "start_to_stop");
	tap_eq(tk_score(f)->insns, 5, "start_to_stop_instructions");
	tap_ok(!(MRS(f, TRCVICTLR) & V9_TRCVICTLR_SSSTATUS), "stopped_can_be_read");
	fk_free(f);
}

/* shows: ETE-R_LWYJR ETE-R_DCCBY */
static void who(void)
{
	struct fk *f = tk_new();

	tk_setup(f, V9_TRCCONFIGR_CID);
	MSR(f, TRCVICTLR, 0x200201);	/* not EL1 */
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_eret(f, 0x2000, 0);
	tk_b(f, 0x2000);
	tk_irq(f, 1, 0x1000);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(tk_score(f)->p0, 2, "excluded_exception_level");
	fk_free(f);

	f = tk_new();
	tk_setup(f, 0);
	fk_msr(f, V9_SYS_TRCCIDCVR(0), 0x12345678);
	MSR(f, TRCCIDCCTLR0, 1);	/* ignore the lowest byte */
	fk_msr(f, V9_SYS_TRCRSCTLR(2), 6 << 16 | 1);
	MSR(f, TRCVICTLR, 0x202);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	f->pe.contextidr_el1 = 0x12345600;
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	tk_b(f, 0x1000);
	f->pe.contextidr_el1 = 0x02345678;
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(tk_score(f)->p0, 2, "context_id_comparator");
	fk_free(f);
}

/* shows: ETE-R_KKLYB ETE-R_SMLVB ETE-R_XVVYX ETE-R_QYNJH ETE-R_WPWQD ETE-R_WZVDQ */
static void resources(void)
{
	struct fk *f = tk_new();
	unsigned int i;

	/* ETEEvent 1 when 1004 is executed */
	tk_setup(f, 0);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x1004);
	fk_msr(f, V9_SYS_TRCRSCTLR(2), 4 << 16 | 1);
	MSR(f, TRCEVENTCTL0R, 2 << 8);
	MSR(f, TRCEVENTCTL1R, 2);
	tk_go(f, 0x1000);
	tk_run(f, 2);
	tk_b(f, 0x1000);
	IS(f, "event_packet", ASYNC, INFO, 0x72, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xf7);

	/* once: a single shot moves the sequencer, and ViewInst depends on its state */
	f = tk_new();
	tk_setup(f, 0);
	fk_msr(f, V9_SYS_TRCACVR(2), 0x1000);
	MSR(f, TRCSSCCR0, 4);
	fk_msr(f, V9_SYS_TRCRSCTLR(2), 3 << 16 | 1);		/* single shot */
	fk_msr(f, V9_SYS_TRCSEQEVR(0), 2);
	fk_msr(f, V9_SYS_TRCRSCTLR(3), 2 << 16 | 0x20);		/* sequencer state 1 */
	MSR(f, TRCVICTLR, 0x203);
	tk_go(f, 0x2000);
	tk_b(f, 0x2000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tk_stop(f);
	tap_eq(tk_score(f)->p0, 2, "single_shot_to_sequencer_to_view");
	tap_eq(MRS(f, TRCSEQSTR), 1, "sequencer_state_is_preserved");
	tap_ok(MRS(f, TRCSSCSR0) & V9_TRCSSCSRn_STATUS, "single_shot_status_is_preserved");
	fk_free(f);

	/* a 32-bit counter of two: 12340000 becomes 1233ffff */
	f = tk_new();
	tk_setup(f, 0);
	for (i = 0; i < 2; i++)
		fk_msr(f, V9_SYS_TRCCNTRLDVR(i), 0xffff);
	fk_msr(f, V9_SYS_TRCCNTVR(0), 0);
	fk_msr(f, V9_SYS_TRCCNTVR(1), 0x1234);
	fk_msr(f, V9_SYS_TRCCNTCTLR(0), V9_TRCCNTCTLRn_RLDSELF | 1);
	fk_msr(f, V9_SYS_TRCCNTCTLR(1), V9_TRCCNTCTLRn_CNTCHAIN);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(0)), 0xfffe, "counter_low");
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(1)), 0x1233, "counter_high");
	fk_free(f);
}

/* Pairs of selectors: all legal combinations of two inputs */
/* shows: ETE-R_KTNJM ETE-R_WZVDQ */
static void pairs(void)
{
	static const uint8_t legal[] = { 0, 1, 2, 5, 6, 7 };	/* bits: A.INV, PAIRINV, B.INV */
	unsigned int i, in, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(legal); i++)
		for (in = 0; in < 4; in++) {
			bool inva = legal[i] & 1, invb = legal[i] & 4, pinv = legal[i] & 2;
			bool a = in & 1, b = in & 2, want = ((a ^ inva) && (b ^ invb)) ^ pinv;
			struct fk *f = tk_new();

			tk_setup(f, 0);
			fk_msr(f, V9_SYS_TRCACVR(0), a ? 0x1000 : 0x5000);
			fk_msr(f, V9_SYS_TRCCIDCVR(0), b ? 0 : 1);
			MSR(f, TRCCIDCCTLR0, 0);
			fk_msr(f, V9_SYS_TRCRSCTLR(2), (pinv ? V9_TRCRSCTLRn_PAIRINV : 0) |
			       (inva ? V9_TRCRSCTLRn_INV : 0) | 4 << 16 | 1);
			fk_msr(f, V9_SYS_TRCRSCTLR(3),
			       (invb ? V9_TRCRSCTLRn_INV : 0) | 6 << 16 | 1);
			MSR(f, TRCVICTLR, 0x281);
			tk_go(f, 0x1000);
			tk_b(f, 0x1000);
			tk_stop(f);
			if (tk_score(f)->p0 != want) {
				tap_note("inversions %u inputs %u: %u", legal[i], in, want);
				bad++;
			}
			fk_free(f);
		}
	tap_eq(bad, 0, "selector_pairs");
}

/* The next state of the sequencer: up as far as possible, else down as far as possible. */
static unsigned int next_state(unsigned int s, unsigned int up, unsigned int down, bool reset)
{
	unsigned int from = s;

	if (reset)
		return 0;
	for (; s < 3 && (up >> s & 1); s++)
		;
	if (s == from)
		for (; s && (down >> (s - 1) & 1) && !(up >> (s - 1) & 1); s--)
			;
	return s;
}

/* shows: ETE-R_NPVRQ ETE-R_QYNJH */
static void sequencer(void)
{
	unsigned int n, i, bad = 0;

	for (n = 0; n < 4 * 64 * 2; n++) {
		unsigned int state = n & 3, up = n >> 2 & 7, down = n >> 5 & 7, reset = n >> 8;
		struct fk *f = tk_new();

		tk_setup(f, 0);
		for (i = 0; i < 3; i++)
			fk_msr(f, V9_SYS_TRCSEQEVR(i), (up >> i & 1) | (down >> i & 1) << 8);
		MSR(f, TRCSEQRSTEVR, reset);
		MSR(f, TRCSEQSTR, state);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		tk_stop(f);
		if (MRS(f, TRCSEQSTR) != next_state(state, up, down, reset)) {
			tap_note("state %u up %u down %u reset %u: %u", state, up, down, reset,
				 (unsigned int)MRS(f, TRCSEQSTR));
			bad++;
		}
		fk_free(f);
	}
	tap_eq(bad, 0, "sequencer_moves");
}

/* External inputs stay pending while resources are Paused. */
/* shows: ETE-R_KCXLF ETE-R_YCNCR */
static void inputs(void)
{
	struct fk *f = tk_new();

	tk_setup(f, 0);
	fk_msr(f, V9_SYS_TRCEXTINSELR(1), 0x4018);
	fk_msr(f, V9_SYS_TRCRSCTLR(2), 2);	/* external input 1 */
	MSR(f, TRCVICTLR, 0x202);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	MSR(f, TRFCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	v9_trace_input(f->m, 0x4018);
	v9_trace_input(f->m, 0x4019);
	tap_eq(MRS(f, TRCRSR) & 15, 2, "input_waits");
	MSR(f, TRFCR_EL1, 3);
	fk_sync(f, V9_SYNC_ISB);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(tk_score(f)->p0, 1, "input_for_one_cycle");
	tap_eq(MRS(f, TRCRSR) & 15, 0, "input_is_over");
	fk_free(f);
}

/* shows: ETE-R_QBGXJ */
static void waits(void)
{
	struct fk *f = tk_started(0, 0x1000);

	tap_ok(v9_trace_p0(f->m, V9_CODE_A64, TK_WFI) &&
	       v9_trace_p0(f->m, V9_CODE_A64, 0xd503205f), "wfx_is_p0");
	tap_ok(!v9_trace_p0(f->m, V9_CODE_A64, OP_NOP) &&
	       !v9_trace_p0(f->m, V9_CODE_A64, OP_SVC) &&
	       !v9_trace_p0(f->m, V9_CODE_A64, 0xd6bf03e0), "others_are_not");
	tk_p0(f, TK_WFI, 0, 0x1004);
	tk_irq(f, 1, 0x1000);
	IS(f, "wfi_then_irq", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xf7,
	   0x06, 0x1d, 0x95, 0x01);
	f = tk_new();
	f->cfg.wfx = false;
	tk_init(f);
	tap_ok(!v9_trace_p0(f->m, V9_CODE_A64, TK_WFI), "wfx_is_not_p0");
	tap_eq(MRS(f, TRCIDR2) >> 31, 0, "wfx_mode_can_be_read");
	fk_free(f);
}

/* shows: ETE-R_WMGGP ETE-R_VBMLV ETE-R_RWYQD ETE-R_BPTKT ETE-I_WCXDT */
static void states(void)
{
	struct fk *f = tk_new();
	unsigned int n;

	f->cfg.delay = V9_DELAY_MAX;
	tk_setup(f, 0);
	tap_eq(MRS(f, TRCSTATR), 3, "idle");
	tk_enable(f);
	tap_eq(MRS(f, TRCSTATR), 0, "running");
	n = f->nviolations;
	MSR(f, TRCCONFIGR, V9_TRCCONFIGR_TS);
	fk_sync(f, V9_SYNC_ISB);
	tap_ok(f->nviolations == n + 1 && !strcmp(f->violation.rule, "ETE-R_RWYQD"),
	       "busy_write_logged");
	tap_eq(tk_score(f)->busy_writes, 1, "busy_write_counted");
	tap_eq(MRS(f, TRCCONFIGR) & V9_TRCCONFIGR_TS, 0, "busy_write_ignored");
	MSR(f, TRCPRGCTLR, 0);
	tap_eq(MRS(f, TRCSTATR), 0, "still_running");
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, TRCSTATR), 0, "unstable");
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, TRCSTATR), 2, "stable");
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, TRCSTATR), 3, "idle_again");
	fk_free(f);

	f = tk_started(0, 0x1000);
	f->pe.oslk = true;
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRCCLAIMSET, 2);
	tap_eq(MRS(f, TRCSTATR), 3, "os_lock_disables");
	tap_eq(MRS(f, TRCOSLSR), 0x12, "os_lock_can_be_read");
	tap_eq(MRS(f, TRCCLAIMCLR), 2, "claim_tag");
	MSR(f, TRCCLAIMCLR, 2);
	tap_eq(MRS(f, TRCCLAIMCLR), 0, "claim_tag_released");
	f->pe.oslk = false;
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRCCLAIMSET, 0);
	tap_eq(MRS(f, TRCSTATR), 0, "os_unlock_enables");
	fk_free(f);

	f = tk_new();
	f->cfg.ete_minimal = true;
	tk_init(f);
	tap_ok(!v9_reg_exists(f->m, fk_reg(V9_SYS_TRCACVR0)) &&
	       !v9_reg_exists(f->m, fk_reg(V9_SYS_TRCSEQSTR)) &&
	       v9_reg_exists(f->m, fk_reg(V9_SYS_TRCCNTVR0)) &&
	       !v9_reg_exists(f->m, fk_reg(V9_SYS_TRCCNTVR1)), "minimal_unit");
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_TRCACVR0), false), V9_ACCESS_UNDEF,
	       "absent_is_undefined");
	fk_free(f);

	/* No resource selectors; TRCEVENTCTL1R is always implemented (D24.4.29). */
	f = tk_new();
	f->cfg.ete_minimal = f->cfg.ete_bare = true;
	tk_init(f);
	tap_ok(!v9_reg_exists(f->m, fk_reg(V9_SYS_TRCEVENTCTL0R)) &&
	       !v9_reg_exists(f->m, fk_reg(V9_SYS_TRCRSCTLR(2))) &&
	       !v9_reg_exists(f->m, fk_reg(V9_SYS_TRCCNTVR0)) &&
	       v9_reg_exists(f->m, fk_reg(V9_SYS_TRCTSCTLR)) &&
	       v9_reg_access(f->m, fk_reg(V9_SYS_TRCEVENTCTL1R), true) == V9_ACCESS_OK,
	       "unit_without_selectors");
	tap_ok(!(MRS(f, TRCIDR0) & 0xc00) && !MRS(f, TRCIDR4) && !(MRS(f, TRCIDR5) & 0x7e000000),
	       "ids_without_selectors");
	MSR(f, TRCEVENTCTL1R, ~UINT64_C(0));
	MSR(f, TRCTSCTLR, ~UINT64_C(0));
	MSR(f, TRCRSR, ~UINT64_C(0));
	MSR(f, TRCVICTLR, 0);
	tap_ok(!MRS(f, TRCEVENTCTL1R) && !MRS(f, TRCTSCTLR) && MRS(f, TRCRSR) == 0x1000 &&
	       MRS(f, TRCVICTLR) == 0x201, "fields_without_selectors");
	fk_free(f);

	/* Single-shot control 0 never has PE comparator inputs (D24.4.61). */
	f = tk_new();
	f->cfg.pe_inputs = 2;
	tk_init(f);
	tap_ok(!v9_reg_exists(f->m, fk_reg(V9_SYS_TRCSSPCICR0)) &&
	       !(MRS(f, TRCSSCSR0) & 8), "no_inputs_of_single_shots");
	fk_free(f);
	f = tk_new();
	f->cfg.pe_inputs = 2;
	f->cfg.shot_inputs = true;
	tk_init(f);
	tap_ok(MRS(f, TRCSSCSR0) & 8, "inputs_of_single_shots");
	MSR(f, TRCSSPCICR0, ~UINT64_C(0));
	MSR(f, TRCSSCSR0, 0);
	tap_ok(MRS(f, TRCSSPCICR0) == 3 && (MRS(f, TRCSSCSR0) & 8) &&
	       !v9_reg_exists(f->m, fk_reg(V9_SYS_TRCSSPCICR1)), "inputs_of_single_shot_0");
	fk_free(f);
}

/*
 * Implemented ELs and Security states, and the architecture version of the trace unit: FEAT_RME
 * requires ETEv1p2. Values as in D24.4.26, D24.4.38, D24.4.41, filters as in D24.4.11 and D24.4.67.
 */
static void levels(void)
{
	static const struct {
		const char *name;
		bool el2, el3, sel2, secure, rme, ite;
		uint64_t idr3, idr6, devarch;
	} t[] = {
		{ "el1", false, false, false, true, false, false, 0x00300000, 0, 0x47705a13 },
		{ "el2", true, false, true, true, false, false, 0x00700000, 0, 0x47705a13 },
		{ "el3", true, true, false, true, false, false, 0x007b0000, 0, 0x47705a13 },
		{ "secure_el2", true, true, true, true, false, false, 0x007f0000, 0, 0x47705a13 },
		{ "no_el2", false, true, true, true, false, false, 0x003b0000, 0, 0x47705a13 },
		{ "realms", true, true, true, true, true, false, 0x007f0000, 7, 0x47725a13 },
		{ "no_secure_state", true, true, true, false, true, false, 0x00780000, 7,
		  0x47725a13 },
		{ "realms_v1p3", true, true, true, true, true, true, 0x007f0000, 7, 0x47735a13 },
		{ "v1p3", true, true, true, true, false, true, 0x007f0000, 0, 0x47735a13 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_new();
		uint64_t filters = (t[i].idr3 & 0x7f0000) | t[i].idr6 << 24;

		f->cfg.ite = t[i].ite;
		f->pe.r.has_el2 = t[i].el2;
		f->pe.r.has_el3 = t[i].el3;
		f->pe.r.has_rme = t[i].rme;
		f->pe.r.has_secure = t[i].secure;
		f->pe.r.scr_el3 = V9_SCR_EL3_NS;
		f->pe.has_sel2 = t[i].sel2;
		tk_init(f);
		tap_ok((MRS(f, TRCIDR3) & 0x7f0000) == t[i].idr3 && MRS(f, TRCIDR6) == t[i].idr6 &&
		       MRS(f, TRCDEVARCH) == t[i].devarch, "levels_of_%s", t[i].name);
		MSR(f, TRCVICTLR, 0x07ff0000);
		MSR(f, TRCACATR0, 0x77f00);
		tap_ok((MRS(f, TRCVICTLR) & 0x0fff0000) == filters &&
		       (MRS(f, TRCACATR0) & 0xfff00) == filters >> 8, "filters_of_%s", t[i].name);
		fk_free(f);
	}
}

/*
 * The context of an address packet in Secure and in Realm state, at EL1: NSE is bit 3, SF bit 4, NS
 * bit 5 (D4.5).
 */
static void security_states(void)
{
	unsigned int realm;

	for (realm = 0; realm < 2; realm++) {
		struct fk *f = tk_new();

		f->pe.r.has_el2 = f->pe.r.has_el3 = true;
		f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, 3);
		if (realm) {
			f->pe.r.has_rme = f->pe.r.ext_realm = true;
			f->pe.r.scr_el3 = UINT64_C(1) << 62 | V9_SCR_EL3_NS;
			f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSTB, 3) | V9_MDCR_EL3_NSTBE |
					   V9_MDCR_EL3_RLTE;
		} else {
			f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSTB, 1) | V9_MDCR_EL3_STE;
		}
		tk_setup(f, 0);
		MSR(f, TRCVICTLR, 0x201);
		MSR(f, TRFCR_EL2, 0);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		if (realm)
			IS(f, "context_in_realm_state", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00,
			   0x00, 0x39, 0xf7);
		else
			IS(f, "context_in_secure_state", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00,
			   0x00, 0x11, 0xf7);
	}
}

/* In Realm state an EL is not traced if its bits for Realm and Non-secure state differ. */
static void realm_filters(void)
{
	unsigned int el, ns, rl, by, bad = 0;

	for (el = 0; el < 2; el++)
		for (ns = 0; ns < 2; ns++)
			for (rl = 0; rl < 2; rl++)
				for (by = 0; by < 2; by++) {
					struct fk *f = tk_new();
					bool traced;

					f->pe.r.has_el2 = f->pe.r.has_el3 = f->pe.r.has_rme = true;
					f->pe.r.scr_el3 = UINT64_C(1) << 62 | V9_SCR_EL3_NS;
					f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSTB, 3) |
							   V9_MDCR_EL3_NSTBE | V9_MDCR_EL3_RLTE;
					f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, 3);
					f->pe.r.ext_realm = true;
					tk_setup(f, 0);
					MSR(f, TRFCR_EL2, 0);
					if (by) {	/* filter by a start address comparator */
						fk_msr(f, V9_SYS_TRCACVR(0), 0x2000);
						fk_msr(f, V9_SYS_TRCACATR(0),
						       (uint64_t)ns << (12 + el) |
						       (uint64_t)rl << (16 + el));
						MSR(f, TRCVISSCTLR, 1);
						MSR(f, TRCVICTLR, 1);
					} else {
						MSR(f, TRCVICTLR, 0x201 |
						    (uint64_t)ns << (20 + el) |
						    (uint64_t)rl << (24 + el));
					}
					tk_enable(f);
					f->pe.r.el = el;
					fk_sync(f, V9_SYNC_CSE);
					f->pc = 0x2000;
					tk_b(f, 0x2000);
					tk_b(f, 0x2000);
					tk_b(f, 0x2000);
					f->pe.r.el = 1;
					tk_stop(f);
					traced = tk_score(f)->p0;
					if (traced != (ns == rl)) {
						tap_note("EL%u NS %u RL %u, %s", el, ns, rl,
							 by ? "comparator" : "view");
						bad++;
					}
					fk_free(f);
				}
	tap_eq(bad, 0, "filters_of_realm_state");
}

/* The ID registers that the in-tree drivers check when they probe the unit */
static void identity(void)
{
	struct fk *f = tk_new();

	f->pe.r.has_el2 = true;
	tk_init(f);
	tap_eq(MRS(f, TRCDEVARCH), 0x47705a13, "devarch");
	tap_eq(MRS(f, TRCIDR0), 0x28000ea1, "idr0");
	tap_eq(MRS(f, TRCIDR1), 0x4100fff0, "idr1");
	tap_eq(MRS(f, TRCIDR2), 0xd0001088, "idr2");
	tap_eq(MRS(f, TRCIDR3), 0x01700004, "idr3");
	tap_eq(MRS(f, TRCIDR4), 0x11170004, "idr4");
	tap_eq(MRS(f, TRCIDR5), 0x280709ff, "idr5");
	tap_eq(MRS(f, TRCIDR8), 0, "idr8");
	fk_free(f);
}

int main(void)
{
	golden();
	calls();
	exceptions();
	exception_types();
	user_only();
	periodic();
	timestamps();
	cycles();
	broadcast();
	ranges();
	exception_after_nothing_traced();
	single_shot(false);
	single_shot(true);
	start_stop();
	who();
	resources();
	pairs();
	sequencer();
	inputs();
	waits();
	states();
	identity();
	levels();
	security_states();
	realm_filters();
	return tap_done();
}
