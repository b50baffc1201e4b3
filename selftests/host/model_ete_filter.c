// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace unit of the model: filtering by comparators and ViewInst, return stack, branch
 * broadcast of a minimal unit, and programming that is a violation.
 */
#include "tap.h"
#include "model_story.h"

#define BEGIN "sync info on a1000/1"
#define SAC V9_TRCRSCTLRn_GROUP_SAC
#define ARC V9_TRCRSCTLRn_GROUP_ARC
#define CID V9_TRCRSCTLRn_GROUP_CID
#define VMID V9_TRCRSCTLRn_GROUP_VMID

static void address(struct fk *f, unsigned int n, uint64_t at)
{
	fk_msr(f, V9_SYS_TRCACVR(n), at);
}

/* ViewInst is the AND of four inputs, and 0 where tracing is prohibited. */
/* shows: ETE-R_GQFSB ETE-R_LWYJR ETE-R_BQNWP ETE-R_QDJVV */
static void view_inst(void)
{
	unsigned int i, bad = 0;

	for (i = 0; i < 32; i++) {
		bool start = i & 1, include = i & 2, level = i & 4, event = i & 8, allowed = i & 16;
		struct fk *f = tk_ready(0);

		address(f, 0, include ? 0x1000 : 0x9000);
		address(f, 1, include ? 0x1000 : 0x9000);
		MSR(f, TRCVIIECTLR, 1);
		MSR(f, TRCVICTLR, (start ? V9_TRCVICTLR_SSSTATUS : 0) | event |
		    (level ? 0 : 1 << 21));
		tk_go(f, 0x1000);
		if (!allowed)
			tk_prohibit(f);
		tk_b(f, 0x1000);
		tk_stop(f);
		if (tk_score(f)->p0 != (i == 31) || f->nviolations) {
			tap_note("inputs %#x: %u P0 elements", i,
				 (unsigned int)tk_score(f)->p0);
			bad++;
		}
		fk_free(f);
	}
	tap_eq(bad, 0, "view_inst_is_the_and");
}

/* If one instruction is selected, its block is traced, from P0 element to P0 element. */
/* shows: ETE-R_BZXFH ETE-R_KHDNX ETE-R_BQTBL ETE-R_WNGDH ETE-R_GLTKQ */
static void blocks(void)
{
	struct fk *f = tk_ready(0);

	address(f, 0, 0x1008);
	address(f, 1, 0x1008);
	MSR(f, TRCVIIECTLR, 1);
	tk_go(f, 0x1000);
	tk_run(f, 1);
	tk_b(f, 0x1008);		/* 1000, 1004: not */
	tk_run(f, 3);
	tk_b(f, 0x2000);		/* 1008 to 1014: all, though only the first is selected */
	tk_run(f, 1);
	tk_b(f, 0x1004);		/* not */
	tk_run(f, 1);
	tk_b(f, 0x2000);		/* 1004, 1008 */
	tk_expect(f, "sync info on a1008/1 E on a1004 E", "whole_blocks");
	tap_eq(tk_score(f)->insns, 4 + 2, "instructions_of_whole_blocks");
	tap_ok(tk.npc >= 4 && tk.pc[1][0] == 0x1008 && tk.pc[1][1] == 0x1018, "block_is_logged");
	fk_free(f);

	/* an exception ends a block; instructions after it are another block */
	f = tk_ready(0);
	address(f, 0, 0x1004);
	address(f, 1, 0x1004);
	MSR(f, TRCVIIECTLR, 1);
	tk_go(f, 0x1000);
	tk_run(f, 3);
	tk_irq(f, 1, 0x1800);
	tk_eret(f, 0x100c, 1);
	tk_run(f, 1);
	tk_b(f, 0x1000);
	tk_expect(f, BEGIN " irq@100c", "exception_ends_a_block");
	fk_free(f);
}

/* A block is excluded if all its instructions are, and included if one of them is. */
/* shows: ETE-R_RNPWD ETE-R_SKZHH */
static void excluded(void)
{
	struct fk *f = tk_ready(0);

	address(f, 0, 0x1004);
	address(f, 1, 0x100c);
	MSR(f, TRCVIIECTLR, 1 << 16);
	tk_go(f, 0x1000);
	tk_run(f, 1);
	tk_b(f, 0x1004);		/* 1000, 1004: the first is not excluded */
	tk_run(f, 2);
	tk_b(f, 0x1008);		/* 1004 to 100c: all of them are */
	tk_run(f, 2);
	tk_b(f, 0x1000);		/* 1008 to 1010: the last is not */
	tk_expect(f, BEGIN " E on a1008 E", "excluded_as_a_whole");
	fk_free(f);

	/* both: an included range without an excluded part */
	f = tk_ready(0);
	address(f, 0, 0x1000);
	address(f, 1, 0x10fc);
	address(f, 2, 0x1080);
	address(f, 3, 0x1080);
	MSR(f, TRCVIIECTLR, 1 | 2 << 16);
	tk_go(f, 0x1000);
	tk_b(f, 0x1080);
	tk_b(f, 0x10fc);		/* excluded */
	tk_b(f, 0x1100);
	tk_b(f, 0x1000);		/* not included */
	tk_b(f, 0x1000);
	tk_expect(f, BEGIN " E on a10fc E on a1000 E", "included_and_excluded");
	fk_free(f);
}

/* A counter enables ViewInst in one cycle of four. Each instruction is a block here. */
/* shows: ETE-R_BQNWP ETE-R_GRSVY */
static void gated(void)
{
	struct fk *f = tk_ready(0);
	unsigned int i;

	fk_msr(f, V9_SYS_TRCCNTRLDVR(0), 3);
	fk_msr(f, V9_SYS_TRCCNTVR(0), 3);
	fk_msr(f, V9_SYS_TRCCNTCTLR(0), V9_TRCCNTCTLRn_RLDSELF | 1);
	tk_select(f, 2, V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER, 1);
	MSR(f, TRCVICTLR, 0x202);
	tk_go(f, 0x1000);
	for (i = 0; i < 41; i++)
		tk_b(f, 0x1000);
	/* prohibited: the counter does not run */
	tk_prohibit(f);
	for (i = 0; i < 9; i++)
		tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(tk_score(f)->p0, 10, "one_block_of_four");
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(0)), 2, "counter_stands_where_prohibited");
	/* enabled again without programming, it continues from there */
	MSR(f, TRBPTR_EL1, FK_BASE);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + FK_PAGE) | 1);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(0)), 0, "counter_continues_after_enabling");
	fk_free(f);
}

/* shows: ETE-R_GRSVY */
static void state_is_kept(void)
{
	struct fk *f = tk_ready(0);
	unsigned int i;

	address(f, 0, 0x1000);
	MSR(f, TRCVISSCTLR, 1);
	MSR(f, TRCVICTLR, 1);
	fk_msr(f, V9_SYS_TRCSEQEVR(0), 2);
	tk_select(f, 2, SAC, 1);
	tk_go(f, 0x1000);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tk_stop(f);
	for (i = 0; i < 2; i++) {
		tap_ok(MRS(f, TRCVICTLR) & V9_TRCVICTLR_SSSTATUS, "start_stop_is_preserved");
		tap_eq(MRS(f, TRCSEQSTR), 1, "sequencer_is_preserved");
		tk_go(f, 0x2000);
		tk_b(f, 0x2000);
		tk_stop(f);
	}
	tap_eq(tk_score(f)->p0, 2 + 2, "start_stop_continues_after_enabling");
	fk_free(f);
}

/* No comparator matches where tracing is prohibited, nor in Debug state. */
/* shows: ETE-R_KTMLZ ETE-R_MVFYN ETE-R_FCBLJ */
static void comparators_off(void)
{
	unsigned int debug;

	for (debug = 0; debug < 2; debug++) {
		struct fk *f = tk_ready(0);

		f->pe.r.has_el2 = true;
		MSR(f, TRFCR_EL2, V9_TRFCR_EL2_CX);
		f->pe.contextidr_el1 = 5;
		f->pe.contextidr_el2 = 6;
		address(f, 0, 0x2000);
		address(f, 1, 0x20fc);
		fk_msr(f, V9_SYS_TRCCIDCVR(0), 7);
		fk_msr(f, V9_SYS_TRCVMIDCVR(0), 8);
		MSR(f, TRCCIDCCTLR0, 0);
		MSR(f, TRCVMIDCCTLR0, 0);
		MSR(f, TRCSSCCR0, 1);
		tk_select(f, 2, SAC, 1);
		tk_select(f, 3, ARC, 1);
		tk_select(f, 4, CID, 1);
		tk_select(f, 5, VMID, 1);
		MSR(f, TRCEVENTCTL0R, 2 | 3 << 8 | 4 << 16 | 5 << 24);
		MSR(f, TRCVISSCTLR, 1);
		MSR(f, TRCVICTLR, 1);
		f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, 3);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		if (debug) {
			fk_exception(f, &(struct v9_exc){ .ret = f->pc, .to_el = 1,
							  .debug = true });
			f->pe.r.debug = true;
		} else {
			tk_prohibit(f);
		}
		f->pe.contextidr_el1 = 7;
		f->pe.contextidr_el2 = 8;
		f->pc = 0x2000;
		tk_run(f, 3);
		tk_b(f, 0x2000);
		fk_sync(f, V9_SYNC_ISB);
		fk_sync(f, V9_SYNC_TSB);
		tap_eq(tk_score(f)->extout[0] + tk_score(f)->extout[1] + tk_score(f)->extout[2] +
		       tk_score(f)->extout[3], 0, "no_match_%s",
		       debug ? "in_debug_state" : "where_prohibited");
		tap_ok(!(MRS(f, TRCSSCSR0) & V9_TRCSSCSRn_STATUS) &&
		       !(MRS(f, TRCVICTLR) & V9_TRCVICTLR_SSSTATUS), "no_start_%s",
		       debug ? "in_debug_state" : "where_prohibited");
		f->pe.r.debug = false;
		tk_permit(f);
		f->pc = 0x2000;
		tk_run(f, 1);
		tk_b(f, 0x3000);
		tk_stop(f);
		tap_ok(tk_score(f)->extout[0] == 1 && tk_score(f)->extout[1] == 2 &&
		       tk_score(f)->extout[2] == 2 && tk_score(f)->extout[3] == 2,
		       "match_%s", debug ? "after_debug_state" : "where_allowed");
		fk_free(f);
	}
}

/* Context conditions of an address comparator */
/* shows: ETE-R_YCRNP ETE-R_HMYMX ETE-R_RTRBM ETE-R_DCCBY */
static void contexts(void)
{
	static const struct {
		uint64_t acatr;
		uint32_t cid, vmid;
		uint8_t matches;
		const char *name;
	} t[] = {
		{ 0, 0, 0, 1, "address_alone" },
		{ 1 << 13, 0, 0, 0, "address_not_at_el1" },
		{ 1 << 12, 0, 0, 1, "address_not_at_el0" },
		{ 1 << 2, 0x11223344, 0, 1, "address_and_context_id" },
		{ 1 << 2, 0x11223345, 0, 0, "address_and_other_context_id" },
		{ 2 << 2, 0, 0x55667788, 1, "address_and_vmid" },
		{ 2 << 2, 0, 0x55667789, 0, "address_and_other_vmid" },
		{ 3 << 2, 0x11223344, 0x55667788, 1, "address_and_both" },
		{ 3 << 2, 0x11223345, 0x55667788, 0, "address_and_vmid_only" },
		{ 3 << 2, 0x11223344, 0x55667789, 0, "address_and_context_id_only" },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_ready(0);

		f->pe.r.has_el2 = true;
		f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, 3);
		MSR(f, TRFCR_EL2, V9_TRFCR_EL2_CX);
		f->pe.contextidr_el1 = t[i].cid;
		f->pe.contextidr_el2 = t[i].vmid;
		/* two comparators and a range match at once: one event for each instruction */
		address(f, 0, 0x1004);
		address(f, 1, 0x1004);
		fk_msr(f, V9_SYS_TRCACATR(0), t[i].acatr);
		fk_msr(f, V9_SYS_TRCACATR(1), t[i].acatr);
		fk_msr(f, V9_SYS_TRCCIDCVR(0), 0x11223344);
		fk_msr(f, V9_SYS_TRCVMIDCVR(0), 0x55667788);
		MSR(f, TRCCIDCCTLR0, 0);
		MSR(f, TRCVMIDCCTLR0, 0);
		tk_select(f, 2, SAC, 3);
		tk_select(f, 3, ARC, 1);
		MSR(f, TRCEVENTCTL0R, 2 | 3 << 8);
		tk_go(f, 0x1000);
		tk_run(f, 3);
		tk_b(f, 0x1000);
		tk_stop(f);
		tap_ok(tk_score(f)->extout[0] == t[i].matches &&
		       tk_score(f)->extout[1] == t[i].matches && !f->nviolations, "%s", t[i].name);
		fk_free(f);
	}
}

/* shows: ETE-R_RTRBM ETE-R_JNXJT ETE-R_PTVYD ETE-R_MKKZN */
static void vmids(void)
{
	static const struct {
		uint32_t vmid;
		uint8_t ignored, cx, matches;
	} t[] = {
		{ 0x12345678, 0, 1, 1 }, { 0x12345679, 0, 1, 0 }, { 0x12345679, 1, 1, 1 },
		{ 0x12005678, 4, 1, 1 }, { 0x02345678, 8, 1, 1 }, { 0x12345678, 0, 0, 0 },
		{ 0, 15, 0, 0 },
	};
	struct fk *f;
	unsigned int i, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		f = tk_ready(0);
		f->pe.r.has_el2 = true;
		f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, 3);
		MSR(f, TRFCR_EL2, t[i].cx ? V9_TRFCR_EL2_CX : 0);
		f->pe.contextidr_el2 = t[i].vmid;
		fk_msr(f, V9_SYS_TRCVMIDCVR(0), 0x12345678);
		MSR(f, TRCVMIDCCTLR0, t[i].ignored);
		tk_select(f, 2, VMID, 1);
		MSR(f, TRCVICTLR, 0x202);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		tk_stop(f);
		if (tk_score(f)->p0 != t[i].matches) {
			tap_note("row %u", i);
			bad++;
		}
		fk_free(f);
	}
	tap_eq(bad, 0, "vmid_comparator");

	for (i = 0; i < 2; i++) {
		f = tk_ready(V9_TRCCONFIGR_CID | V9_TRCCONFIGR_VMID);
		f->pe.r.has_el2 = true;
		f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, 3);
		MSR(f, TRFCR_EL2, i ? V9_TRFCR_EL2_CX : 0);
		f->pe.contextidr_el1 = 0x89abcdef;
		f->pe.contextidr_el2 = 0x12345678;
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		tk_expect(f, i ? BEGIN ":89abcdef:12345678 E" : BEGIN ":89abcdef E",
			i ? "contexts_of_both" : "vmid_hidden");
		fk_free(f);
	}
	f = tk_started(V9_TRCCONFIGR_CID | V9_TRCCONFIGR_VMID, 0x1000);
	tap_eq(MRS(f, TRCIDR2) & (V9_TRCIDR2_VMIDSIZE | V9_TRCIDR2_VMIDOPT), 0,
	       "no_vmid_without_el2");
	f->pe.contextidr_el2 = 9;
	tk_b(f, 0x1000);
	tk_expect(f, BEGIN " E", "no_vmid_traced_without_el2");
	fk_free(f);
}

/* shows: ETE-R_XSVSX */
static void broadcast_everywhere(void)
{
	struct fk *f = tk_new();

	f->cfg.ete_minimal = true;
	tk_setup(f, V9_TRCCONFIGR_BB);
	tap_ok(!v9_reg_exists(f->m, fk_reg(V9_SYS_TRCBBCTLR)), "unit_without_trcbbctlr");
	tk_go(f, 0x1000);
	tk_b(f, 0x2000);
	tk_b(f, 0x70000);
	tk_p0(f, TK_A64_BEQ(f->pc, f->pc + 8), 0, f->pc + 4);
	tk_b(f, 0x1000);
	tk_expect(f, BEGIN " E a2000 E a70000 NE", "broadcast_everywhere");
	fk_free(f);
}

/* shows: ETE-R_HNDJJ ETE-R_GZSSX ETE-R_SBZJB */
static void return_stack(void)
{
	unsigned int depth, i;

	for (depth = 0; depth <= 15; depth += 5) {
		struct fk *f = tk_new();

		f->cfg.rs_depth = depth;
		tk_setup(f, V9_TRCCONFIGR_RS);
		tap_eq(!!(MRS(f, TRCIDR0) & V9_TRCIDR0_RETSTACK), !!depth, "stack_%u_in_idr0",
		       depth);
		tk_go(f, 0x1000);
		for (i = 0; i < 17; i++)
			tk_p0(f, TK_A64_BL(f->pc, 0x2000 + 0x100 * i), 0, 0x2000 + 0x100 * i);
		for (i = 17; i--; )
			tk_p0(f, TK_RET, 0, i ? 0x2004 + 0x100 * (i - 1) : 0x1004);
		tk_b(f, 0x1000);
		tk_stop(f);
		/* the first, and one for each return that is not on the stack */
		tap_eq(tk_score(f)->packets[V9_ETE_ADDRESS], 1 + 17 - depth, "stack_of_%u", depth);
		fk_free(f);
	}
	for (i = 0; i < 2; i++) {
		struct fk *f = tk_ready(V9_TRCCONFIGR_RS);
		unsigned int k;

		/* Trace Info empties the stack: only entries pushed after it match */
		MSR(f, TRCSYNCPR, 8);
		tk_go(f, 0x1000);
		tk_p0(f, TK_A64_BL(f->pc, 0x2000), 0, 0x2000);
		for (k = 0; tk_score(f)->syncs < 2; k++)
			tk_p0(f, TK_BR, 0, 0x2000 + k % 7 * 0x10000);
		tk_p0(f, TK_BR, 0, 0x2000);
		tk_p0(f, i ? TK_A64_BL(f->pc, 0x3000) : TK_A64_B(f->pc, 0x3000), 0, 0x3000);
		tk_p0(f, TK_BR, 0, 0x9000);
		k = tk_score(f)->packets[V9_ETE_ADDRESS];
		tk_p0(f, TK_RET, 0, i ? 0x2004 : 0x1004);
		tk_b(f, 0x1000);
		tk_b(f, 0x1000);
		/* that of 9000 and that of the return */
		tap_eq(tk_score(f)->packets[V9_ETE_ADDRESS] - k, i ? 1 : 2, "stack_%s_trace_info",
		       i ? "after" : "before");
		fk_free(f);
	}
}

/* Programming that a driver must not do. Each violation has the ID of its rule. */
/* shows: ETE-R_KTNJM ETE-R_KJXDK ETE-R_PCXJC ETE-R_MHYFV ETE-R_WZVDQ */
static void noted(void)
{
	static const struct {
		const char *name, *rule;
		uint64_t config;
		struct {
			uint32_t enc;
			uint64_t v;
		} reg[5];
	} t[] = {
		{ "nothing_special", NULL, 0, { { 0, 0 } } },
		{ "reserved_pair_a", "ETE-R_KTNJM", 0,
		  { { V9_SYS_TRCRSCTLR(2), 4 << 16 | 1 },
		    { V9_SYS_TRCRSCTLR(3), V9_TRCRSCTLRn_INV | 4 << 16 | 2 },
		    { V9_SYS_TRCVICTLR, 0x281 } } },
		{ "reserved_pair_b", "ETE-R_KTNJM", 0,
		  { { V9_SYS_TRCRSCTLR(2), V9_TRCRSCTLRn_INV | V9_TRCRSCTLRn_PAIRINV | 4 << 16 },
		    { V9_SYS_TRCRSCTLR(3), 4 << 16 | 2 }, { V9_SYS_TRCVICTLR, 0x281 } } },
		{ "pair_of_constants", "ETE-R_KTNJM", 0, { { V9_SYS_TRCVICTLR, 0x280 } } },
		{ "pair_not_used", NULL, 0,
		  { { V9_SYS_TRCRSCTLR(2), 4 << 16 | 1 },
		    { V9_SYS_TRCRSCTLR(3), V9_TRCRSCTLRn_INV | 4 << 16 | 2 } } },
		{ "group_that_is_reserved", "ETE-R_WZVDQ", 0,
		  { { V9_SYS_TRCRSCTLR(2), 8 << 16 | 1 }, { V9_SYS_TRCVICTLR, 0x202 } } },
		{ "range_backwards", "ETE-R_MXCGD", 0,
		  { { V9_SYS_TRCACVR(0), 0x2000 }, { V9_SYS_TRCACVR(1), 0x1000 },
		    { V9_SYS_TRCVIIECTLR, 1 } } },
		{ "range_with_two_minds", "ETE-R_MXCGD", 0,
		  { { V9_SYS_TRCACVR(1), 0x1000 }, { V9_SYS_TRCACATR(1), 1 << 13 },
		    { V9_SYS_TRCVIIECTLR, 1 << 16 } } },
		{ "range_not_used", NULL, 0, { { V9_SYS_TRCACVR(0), 0x2000 } } },
		{ "start_is_stop", "ETE-R_XHFYQ", 0, { { V9_SYS_TRCVISSCTLR, 1 << 16 | 1 } } },
		{ "start_at_the_address_of_stop", "ETE-R_XHFYQ", 0,
		  { { V9_SYS_TRCACVR(0), 0x1000 }, { V9_SYS_TRCACVR(2), 0x1000 },
		    { V9_SYS_TRCVISSCTLR, 4 << 16 | 1 } } },
		{ "points_not_in_order", "ETE-R_XHFYQ", 0,
		  { { V9_SYS_TRCACVR(0), 0x3000 }, { V9_SYS_TRCACVR(2), 0x1000 },
		    { V9_SYS_TRCVISSCTLR, 4 << 16 | 1 } } },
		{ "points_in_order", NULL, 0,
		  { { V9_SYS_TRCACVR(0), 0x1000 }, { V9_SYS_TRCACVR(2), 0x3000 },
		    { V9_SYS_TRCVISSCTLR, 4 << 16 | 1 } } },
		{ "threshold_too_small", "ETE-R_KJXDK", V9_TRCCONFIGR_CCI,
		  { { V9_SYS_TRCCCCTLR, 3 } } },
		{ "threshold_smallest", NULL, V9_TRCCONFIGR_CCI, { { V9_SYS_TRCCCCTLR, 4 } } },
		{ "broadcast_nowhere", "ETE-R_MHYFV", V9_TRCCONFIGR_BB,
		  { { V9_SYS_TRCBBCTLR, V9_TRCBBCTLR_MODE } } },
		{ "period_reserved", "ETE-R_QHHSY", 0, { { V9_SYS_TRCSYNCPR, 7 } } },
		{ "comparator_never_programmed", "ETE-R_PCXJC", 0,
		  { { V9_SYS_TRCRSCTLR(2), 6 << 16 | 1 }, { V9_SYS_TRCVICTLR, 0x202 } } },
		{ "comparator_of_a_comparator_never_programmed", "ETE-R_PCXJC", 0,
		  { { V9_SYS_TRCACATR(0), 8 }, { V9_SYS_TRCACATR(1), 8 },
		    { V9_SYS_TRCVIIECTLR, 1 } } },
	};
	struct fk *f;
	unsigned int i, k;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		f = tk_ready(t[i].config);
		for (k = 0; k < V9_ARRAY_SIZE(t[i].reg) && t[i].reg[k].enc; k++)
			fk_msr(f, t[i].reg[k].enc, t[i].reg[k].v);
		tk_enable(f);
		tap_ok(t[i].rule ? f->nviolations && !strcmp(f->violation.rule, t[i].rule) :
		       !f->nviolations, "%s",
		       t[i].name);
		fk_free(f);
	}
	f = tk_new();
	f->cfg.poison = false;
	tk_init(f);
	MSR(f, TRCPRGCTLR, 1);
	fk_sync(f, V9_SYNC_ISB);
	tap_ok(f->nviolations == 9 && !strcmp(f->violation.rule, "ETE-R_PCXJC"),
	       "nothing_programmed");
	fk_free(f);
}

/* A unit whose registers were never written, but for those that are always needed */
enum unit { FULL, MINIMAL, BARE, STALLS, INPUTS, COUNTS_OF_Q, NO_COUNTS_OF_Q, ALL_OF_Q, UNITS };

static struct fk *blank(enum unit unit)
{
	static const uint8_t q_supp[UNITS] = { [COUNTS_OF_Q] = 1, [NO_COUNTS_OF_Q] = 2, [ALL_OF_Q] = 3 };
	struct fk *f = tk_new();

	f->cfg.poison = false;
	f->cfg.ete_minimal = unit == MINIMAL || unit == BARE;
	f->cfg.ete_bare = unit == BARE;
	f->cfg.ete_stall = unit == STALLS;
	f->cfg.pe_inputs = unit == INPUTS ? 3 : 0;
	f->cfg.shot_inputs = unit == INPUTS;
	f->cfg.q_supp = q_supp[unit];
	f->cfg.q_filter = q_supp[unit];
	tk_init(f);
	return f;
}

#define SELECTOR(n)	V9_SYS_TRCRSCTLR(n)
#define GROUP(g, select)	((g) << 16 | (select))
#define USES(n)		{ V9_SYS_TRCVICTLR, 0x200 | (n) }	/* ViewInst depends on this event */

/* Each violation when a unit is enabled: each register that has an effect has to be programmed. */
static void needed(void)
{
	static const struct {
		const char *name, *want;
		enum unit unit;
		uint64_t config;
		struct {
			uint32_t enc;
			uint64_t v;
		} reg[6];
	} t[] = {
		{ "no_option", "", FULL, 0, { { 0, 0 } } },
		{ "cycles", "PCXJC CCCTLR, KJXDK CCCTLR", FULL, V9_TRCCONFIGR_CCI, { { 0, 0 } } },
		{ "times", "PCXJC TSCTLR", FULL, V9_TRCCONFIGR_TS, { { 0, 0 } } },
		{ "times_by_event", "PCXJC RSCTLR9", FULL, V9_TRCCONFIGR_TS, { { V9_SYS_TRCTSCTLR, 9 } } },
		{ "broadcast", "PCXJC BBCTLR", FULL, V9_TRCCONFIGR_BB, { { 0, 0 } } },
		{ "broadcast_of_a_minimal_unit", "", MINIMAL, V9_TRCCONFIGR_BB, { { 0, 0 } } },
		{ "broadcast_in_a_range", "PCXJC ACVR2, PCXJC ACATR2, PCXJC ACVR3, PCXJC ACATR3", FULL,
		  V9_TRCCONFIGR_BB, { { V9_SYS_TRCBBCTLR, V9_TRCBBCTLR_MODE | 2 } } },
		{ "stall", "PCXJC STALLCTLR", STALLS, 0, { { 0, 0 } } },
		{ "stall_off", "", STALLS, 0, { { V9_SYS_TRCSTALLCTLR, 0 } } },
		{ "stall_without_overflow", "", STALLS, 0, { { V9_SYS_TRCSTALLCTLR, 1 << 13 | 1 << 8 } } },
		{ "no_overflow_without_stall", "YSPHL STALLCTLR", STALLS, 0, { { V9_SYS_TRCSTALLCTLR, 1 << 13 } } },
		{ "period_smallest", "", FULL, 0, { { V9_SYS_TRCSYNCPR, 8 } } },
		{ "period_largest", "", FULL, 0, { { V9_SYS_TRCSYNCPR, 20 } } },
		{ "period_large", "QHHSY SYNCPR", FULL, 0, { { V9_SYS_TRCSYNCPR, 21 } } },
		/* TRCIDR0.QSUPP and TRCCONFIGR.QE */
		{ "q_1_1", "PCXJC QCTLR", COUNTS_OF_Q, 1 << 13, { { 0, 0 } } },
		{ "q_1_3", "SGFHP CONFIGR, PCXJC QCTLR", COUNTS_OF_Q, 3 << 13, { { 0, 0 } } },
		{ "q_2_0", "", NO_COUNTS_OF_Q, 0, { { 0, 0 } } },
		{ "q_2_1", "SGFHP CONFIGR", NO_COUNTS_OF_Q, 1 << 13, { { V9_SYS_TRCQCTLR, 0 } } },
		{ "q_2_3", "", NO_COUNTS_OF_Q, 3 << 13, { { V9_SYS_TRCQCTLR, 0 } } },
		{ "q_3_1", "", ALL_OF_Q, 1 << 13, { { V9_SYS_TRCQCTLR, 0 } } },
		{ "q_3_2", "SGFHP CONFIGR", ALL_OF_Q, 2 << 13, { { V9_SYS_TRCQCTLR, 0 } } },
		{ "q_3_3", "", ALL_OF_Q, 3 << 13, { { V9_SYS_TRCQCTLR, 0 } } },
		{ "q_in_a_range", "PCXJC ACVR0, PCXJC ACATR0, PCXJC ACVR1, PCXJC ACATR1", ALL_OF_Q, 3 << 13,
		  { { V9_SYS_TRCQCTLR, 1 } } },
		{ "q_and_broadcast", "SGFHP CONFIGR", ALL_OF_Q, 3 << 13 | V9_TRCCONFIGR_BB,
		  { { V9_SYS_TRCQCTLR, 0 }, { V9_SYS_TRCBBCTLR, 0 } } },
		/* events */
		{ "selector_first", "PCXJC RSCTLR2", FULL, 0, { USES(2) } },
		{ "selector_last", "PCXJC RSCTLR15", FULL, 0, { USES(15) } },
		{ "selector_16", "", FULL, 0, { USES(16) } },
		{ "selector_31", "", FULL, 0, { USES(31) } },
		{ "pair_first", "PCXJC RSCTLR2, PCXJC RSCTLR3", FULL, 0, { USES(0x81) } },
		{ "pair_last", "PCXJC RSCTLR14, PCXJC RSCTLR15", FULL, 0, { USES(0x87) } },
		{ "pair_8", "", FULL, 0, { USES(0x88) } },
		{ "pair_0", "KTNJM -", FULL, 0, { USES(0x80) } },
		{ "four_events", "PCXJC RSCTLR2, PCXJC RSCTLR3, PCXJC RSCTLR4, PCXJC RSCTLR5", FULL, 0,
		  { { V9_SYS_TRCEVENTCTL0R, 0x05040302 } } },
		{ "event_twice", "PCXJC RSCTLR2", FULL, 0, { USES(2), { V9_SYS_TRCEVENTCTL0R, 0x02000002 } } },
		{ "one_event", "PCXJC RSCTLR2", MINIMAL, 0, { { V9_SYS_TRCEVENTCTL0R, 0x05040302 } } },
		{ "no_event", "", BARE, 0, { USES(2) } },
		/* resources */
		{ "inputs", "PCXJC EXTINSELR0, PCXJC EXTINSELR3", FULL, 0, { USES(2), { SELECTOR(2), GROUP(0, 0x19) } } },
		{ "input_1", "PCXJC EXTINSELR1", FULL, 0, { USES(2), { SELECTOR(2), GROUP(0, 2) } } },
		{ "pe_inputs", "PCXJC VIPCSSCTLR", INPUTS, 0, { USES(2), { SELECTOR(2), GROUP(1, 7) } } },
		{ "pe_inputs_not_there", "PCXJC VIPCSSCTLR, CNVSS RSCTLR2", INPUTS, 0,
		  { USES(2), { SELECTOR(2), GROUP(1, 8) } } },
		{ "counter_0", "PCXJC CNTVR0, PCXJC CNTCTLR0, PCXJC CNTRLDVR0", FULL, 0,
		  { USES(2), { SELECTOR(2), GROUP(2, 1) } } },
		{ "counter_1_by_events", "PCXJC CNTVR1, PCXJC CNTRLDVR1, PCXJC RSCTLR5, PCXJC RSCTLR3", FULL, 0,
		  { USES(2), { SELECTOR(2), GROUP(2, 2) }, { V9_SYS_TRCCNTCTLR(1), 0x0305 } } },
		{ "counter_1", "PCXJC CNTVR1, PCXJC CNTCTLR1, PCXJC CNTRLDVR1", FULL, 0,
		  { USES(2), { SELECTOR(2), GROUP(2, 2) } } },
		{ "counter_1_chained", "PCXJC CNTVR1, PCXJC CNTRLDVR1, PCXJC CNTVR0, PCXJC CNTCTLR0, PCXJC CNTRLDVR0",
		  FULL, 0, { USES(2), { SELECTOR(2), GROUP(2, 2) }, { V9_SYS_TRCCNTCTLR(1), 1 << 17 } } },
		{ "counters_not_there", "", FULL, 0, { USES(2), { SELECTOR(2), GROUP(2, 12) } } },
		{ "counter_by_itself", "PCXJC CNTVR0, PCXJC CNTRLDVR0", FULL, 0,
		  { USES(2), { SELECTOR(2), GROUP(2, 1) }, { V9_SYS_TRCCNTCTLR(0), 2 } } },
		{ "sequencer", "PCXJC SEQSTR, PCXJC SEQRSTEVR, PCXJC SEQEVR0, PCXJC SEQEVR1, PCXJC SEQEVR2", FULL, 0,
		  { USES(2), { SELECTOR(2), GROUP(2, 0x80) } } },
		{ "sequencer_by_events", "PCXJC RSCTLR3, PCXJC RSCTLR4, PCXJC RSCTLR5, PCXJC RSCTLR7, PCXJC RSCTLR6, "
		  "PCXJC SEQEVR2", FULL, 0,
		  { { V9_SYS_TRCEVENTCTL0R, 9 }, { SELECTOR(9), GROUP(2, 0x10) }, { V9_SYS_TRCSEQSTR, 0 },
		    { V9_SYS_TRCSEQRSTEVR, 3 }, { V9_SYS_TRCSEQEVR(0), 0x0504 }, { V9_SYS_TRCSEQEVR(1), 0x0607 } } },
		{ "shot", "PCXJC SSCCR0, PCXJC SSCSR0", FULL, 0, { USES(2), { SELECTOR(2), GROUP(3, 1) } } },
		{ "no_shot", "", FULL, 0, { USES(2), { SELECTOR(2), GROUP(3, 2) } } },
		{ "shot_by_inputs", "PCXJC VIPCSSCTLR, PCXJC SSCSR0, PCXJC SSPCICR0", INPUTS, 0,
		  { USES(2), { SELECTOR(2), GROUP(3, 1) }, { V9_SYS_TRCSSCCR0, 0 } } },
		{ "shot_at_addresses", "PCXJC SSCSR0, PCXJC ACVR7, PCXJC ACATR7, PCXJC ACVR2, PCXJC ACATR2, "
		  "PCXJC ACVR3, PCXJC ACATR3", FULL, 0,
		  { USES(2), { SELECTOR(2), GROUP(3, 1) }, { V9_SYS_TRCSSCCR0, 2 << 16 | 0x80 } } },
		{ "comparators", "PCXJC ACVR0, PCXJC ACATR0, PCXJC ACVR7, PCXJC ACATR7", FULL, 0,
		  { USES(2), { SELECTOR(2), GROUP(4, 0x181) } } },
		{ "ranges", "PCXJC ACVR0, PCXJC ACATR0, PCXJC ACVR1, PCXJC ACATR1, PCXJC ACVR6, PCXJC ACATR6, "
		  "PCXJC ACVR7, PCXJC ACATR7", FULL, 0, { USES(2), { SELECTOR(2), GROUP(5, 0x19) } } },
		{ "range_twice", "PCXJC ACATR0, PCXJC ACVR1, PCXJC ACATR1, MXCGD ACVR0", FULL, 0,
		  { { V9_SYS_TRCVIIECTLR, 1 << 16 | 1 }, USES(2), { SELECTOR(2), GROUP(5, 1) },
		    { V9_SYS_TRCACVR(0), 4 } } },
		{ "context", "PCXJC CIDCVR0, PCXJC CIDCCTLR0", FULL, 0, { USES(2), { SELECTOR(2), GROUP(6, 1) } } },
		{ "context_of_another", "", FULL, 0, { USES(2), { SELECTOR(2), GROUP(6, 2) } } },
		{ "vmid", "PCXJC VMIDCVR0, PCXJC VMIDCCTLR0", FULL, 0, { USES(2), { SELECTOR(2), GROUP(7, 1) } } },
		{ "vmid_of_another", "", FULL, 0, { USES(2), { SELECTOR(2), GROUP(7, 2) } } },
		{ "group_8", "WZVDQ RSCTLR2", FULL, 0, { USES(2), { SELECTOR(2), GROUP(8, 1) } } },
		{ "address_in_a_context", "PCXJC ACVR0, PCXJC CIDCVR0, PCXJC CIDCCTLR0", FULL, 0,
		  { USES(2), { SELECTOR(2), GROUP(4, 1) }, { V9_SYS_TRCACATR(0), 1 << 2 } } },
		{ "address_in_a_vm", "PCXJC ACVR0, PCXJC VMIDCVR0, PCXJC VMIDCCTLR0", FULL, 0,
		  { USES(2), { SELECTOR(2), GROUP(4, 1) }, { V9_SYS_TRCACATR(0), 2 << 2 } } },
		{ "points", "PCXJC ACATR0, PCXJC ACVR1, PCXJC ACATR1, PCXJC ACATR5, XHFYQ ACVR1", FULL, 0,
		  { { V9_SYS_TRCVISSCTLR, 0x20 << 16 | 3 }, { V9_SYS_TRCACVR(0), 4 }, { V9_SYS_TRCACVR(5), 8 } } },
		{ "point_twice", "PCXJC ACATR0, XHFYQ VISSCTLR", FULL, 0,
		  { { V9_SYS_TRCVISSCTLR, 1 << 16 | 1 }, { V9_SYS_TRCACVR(0), 4 } } },
		{ "point_1_twice", "PCXJC ACATR1, XHFYQ VISSCTLR", FULL, 0,
		  { { V9_SYS_TRCVISSCTLR, 2 << 16 | 2 }, { V9_SYS_TRCACVR(1), 4 } } },
		{ "point_at_0", "PCXJC ACATR0", FULL, 0, { { V9_SYS_TRCVISSCTLR, 1 }, { V9_SYS_TRCACVR(0), 0 } } },
		{ "range_with_two_types", "PCXJC ACVR2, PCXJC ACVR3, PCXJC ACATR3, MXCGD ACATR2", FULL, 0,
		  { { V9_SYS_TRCVIIECTLR, 2 }, { V9_SYS_TRCACATR(2), 1 << 13 } } },
		/* what two selectors select is looked at once */
		{ "counter_twice", "PCXJC CNTVR1, PCXJC CNTCTLR1, PCXJC CNTRLDVR1", FULL, 0,
		  { USES(0x81), { SELECTOR(2), GROUP(2, 2) }, { SELECTOR(3), GROUP(2, 2) } } },
		{ "counter_0_twice", "PCXJC CNTVR0, PCXJC CNTCTLR0, PCXJC CNTRLDVR0", FULL, 0,
		  { USES(0x81), { SELECTOR(2), GROUP(2, 1) }, { SELECTOR(3), GROUP(2, 1) } } },
		{ "counter_after_another", "PCXJC CNTVR0, PCXJC CNTCTLR0, PCXJC CNTRLDVR0, PCXJC CNTVR1, PCXJC CNTCTLR1, "
		  "PCXJC CNTRLDVR1", FULL, 0, { USES(0x81), { SELECTOR(2), GROUP(2, 1) }, { SELECTOR(3), GROUP(2, 2) } } },
		{ "sequencer_twice", "PCXJC SEQSTR, PCXJC SEQRSTEVR, PCXJC SEQEVR0, PCXJC SEQEVR1, PCXJC SEQEVR2", FULL, 0,
		  { USES(0x81), { SELECTOR(2), GROUP(2, 0x80) }, { SELECTOR(3), GROUP(2, 0x80) } } },
		{ "shot_twice", "PCXJC SSCCR0, PCXJC SSCSR0", FULL, 0,
		  { USES(0x81), { SELECTOR(2), GROUP(3, 1) }, { SELECTOR(3), GROUP(3, 1) } } },
		{ "comparator_twice", "PCXJC ACVR1, PCXJC ACATR1", FULL, 0,
		  { USES(0x81), { SELECTOR(2), GROUP(4, 2) }, { SELECTOR(3), GROUP(4, 2) } } },
		{ "context_twice", "PCXJC CIDCVR0, PCXJC CIDCCTLR0", FULL, 0,
		  { USES(0x81), { SELECTOR(2), GROUP(6, 1) }, { SELECTOR(3), GROUP(6, 1) } } },
		{ "vmid_twice", "PCXJC VMIDCVR0, PCXJC VMIDCCTLR0", FULL, 0,
		  { USES(0x81), { SELECTOR(2), GROUP(7, 1) }, { SELECTOR(3), GROUP(7, 1) } } },
	};
	static const uint32_t always[] = {
		V9_SYS_TRCEVENTCTL0R, V9_SYS_TRCEVENTCTL1R, V9_SYS_TRCRSR, V9_SYS_TRCSYNCPR, V9_SYS_TRCTRACEIDR,
	};

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = blank(t[i].unit);
		char got[4096] = "", *from, *to;
		unsigned int k;

		f->violations = fmemopen(got, sizeof(got), "w");
		MSR(f, TRCCONFIGR, t[i].config);
		for (k = 0; k < V9_ARRAY_SIZE(always); k++)
			fk_msr(f, always[k], 0);
		MSR(f, TRCVICTLR, 0x201);
		if (!f->cfg.ete_minimal) {
			MSR(f, TRCVIIECTLR, 0);
			MSR(f, TRCVISSCTLR, 0);
		}
		for (k = 0; k < V9_ARRAY_SIZE(t[i].reg) && t[i].reg[k].enc; k++)
			fk_msr(f, t[i].reg[k].enc, t[i].reg[k].v);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, TRCPRGCTLR, 1);
		fk_sync(f, V9_SYNC_ISB);
		fclose(f->violations);
		/* without what all names begin with */
		for (from = to = got; *from; *to++ = *from++)
			from += !strncmp(from, "ETE-R_", 6) ? 6 : !strncmp(from, "TRC", 3) ? 3 : 0;
		*to = 0;
		if (!tap_ok(!strcmp(got, t[i].want), "needed_%s", t[i].name))
			tap_note("%s", got);
		fk_free(f);
	}
}

int main(void)
{
	view_inst();
	blocks();
	excluded();
	gated();
	state_is_kept();
	comparators_off();
	contexts();
	vmids();
	broadcast_everywhere();
	return_stack();
	noted();
	needed();
	return tap_done();
}
