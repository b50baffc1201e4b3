// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contents of records: decoded from memory by the packet decoder, and compared with the
 * executed operations and with the log of the model.
 */
#include "tap.h"
#include "model_fake.h"

#define IRR V9_PUT(V9_PMSIRR_EL1_INTERVAL, 100)
#define EV(n) V9_BIT(V9_SPE_EV_##n)
#define NS_EL1 (UINT64_C(1) << 63 | UINT64_C(1) << 61)
#define NS_EL0 (UINT64_C(1) << 63)
#define VA UINT64_C(0x00007f1234567010)

/* shows: SPE-CD1 SPE-CD2 SPE-CD7 SPE-CD14 SPE-PK2 SPE-PK7 SPE-PB17 */
static void loads_and_stores(void)
{
	struct fk *f = fk_started(IRR, 16, 0);
	struct fk_rec r;

	f->pc = UINT64_C(0xffff800008001000);
	fk_one(f, OP_LDR, VA);
	r = fk_last(f);
	tap_ok(fk_same(f), "load_bytes_are_the_log");
	tap_eq(r.l.pc, 0x00ff800008001000 | NS_EL1, "pc_with_state_and_level");
	tap_eq(r.l.va, VA, "data_address");
	tap_ok(r.l.op == 0x49 && r.l.opc == 0x00, "load_type");
	tap_eq(r.l.has, V9_LOG_PC | V9_LOG_OP | V9_LOG_LAT | V9_LOG_ISSUE | V9_LOG_VA | V9_LOG_XLAT | V9_LOG_DS,
	       "load_packets");
	tap_eq(r.l.ev, EV(RETIRED) | EV(L1D_ACCESS) | EV(L1D_REFILL) | EV(TLB_ACCESS) |
	       EV(TLB_WALK) | EV(LLC_ACCESS) | EV(LLC_MISS), "first_load_misses_everywhere");
	tap_eq(r.l.ds, V9_LEVEL_DRAM, "data_source_memory");
	tap_eq(r.ends[1] - r.ends[0], 64, "record_fills_its_alignment");
	fk_one(f, OP_LDR, VA);
	r = fk_last(f);
	tap_eq(r.l.ev, EV(RETIRED) | EV(L1D_ACCESS) | EV(TLB_ACCESS), "second_load_hits");
	tap_eq(r.l.ds, V9_LEVEL_L1, "data_source_l1");
	fk_one(f, OP_STR, VA);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.op == 0x49 && r.l.opc == 0x01, "store_type");
	tap_ok(!(r.l.has & V9_LOG_DS), "store_has_no_source");
	fk_one(f, OP_LDADD, VA);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.opc == 0x06 && (r.l.has & V9_LOG_DS), "atomic_type_and_source");
	fk_one(f, OP_STADD, VA);
	tap_ok(fk_same(f) && fk_last(f).l.opc == 0x07, "atomic_without_result");
	fk_one(f, OP_LDR, VA + 3);
	tap_eq(fk_last(f).l.ev, EV(RETIRED) | EV(L1D_ACCESS) | EV(TLB_ACCESS) | EV(MISALIGNED),
	       "misaligned");
	f->peer = true;
	fk_one(f, OP_STR, VA);
	tap_ok(f->peer_store, "store_takes_the_line");
	fk_one(f, OP_LDR, VA);
	r = fk_last(f);
	tap_ok(!f->peer_store && f->peer_pa == ((VA & 0xffffffff) ^ f->data_xor) && r.l.ds == 0x9 &&
	       r.l.ev == (EV(RETIRED) | EV(L1D_ACCESS) | EV(L1D_REFILL) | EV(TLB_ACCESS)),
	       "load_from_another_pe");
	f->peer = false;
	fk_one(f, OP_LDR, VA);
	tap_eq(fk_last(f).l.ds, V9_LEVEL_L1, "load_from_its_own_cache_again");
	fk_one(f, OP_NOP, 0);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.has == (V9_LOG_PC | V9_LOG_OP | V9_LOG_LAT | V9_LOG_ISSUE) && r.l.op == 0x48 &&
	       r.l.ev == EV(RETIRED), "other_operation");
	fk_one(f, OP_PRFM, VA);
	tap_ok(!(fk_last(f).l.has & (V9_LOG_DS | V9_LOG_PA)) && fk_last(f).l.op == 0x48,
	       "prefetch_is_other");
	fk_one(f, OP_LDR, 0);
	tap_ok(fk_same(f) && !(fk_last(f).l.has & V9_LOG_VA) && fk_score(f)->no_va == 1,
	       "address_not_known_is_counted");
	fk_free(f);
}

/* shows: SPE-CD7 SPE-CD8 */
static void tags(void)
{
	struct fk *f = fk_started(IRR, 16, 0);
	uint64_t low = VA | UINT64_C(0x5a) << 56, high = VA | UINT64_C(0xff80) << 48;

	fk_one(f, OP_LDR, low);
	tap_eq(fk_last(f).l.va, VA, "no_tag_without_tbi");
	f->pe.tbi = 1;
	fk_one(f, OP_LDR, low);
	tap_eq(fk_last(f).l.va, low, "tag_with_tbi");
	fk_one(f, OP_LDR, high);
	tap_eq(fk_last(f).l.va, high & V9_SPE_ADDRESS_ADDR, "tbi_of_the_other_half");
	f->pe.tbi = 2;
	fk_one(f, OP_LDR, high);
	tap_eq(fk_last(f).l.va, high, "tag_with_tbi_of_the_upper_half");
	fk_free(f);
}

/* shows: SPE-CD5 SPE-CD10 SPE-FI4 */
static void branches(void)
{
	struct fk *f = fk_started(IRR, 16, 0);
	struct fk_rec r;

	fk_arm(f);
	fk_branch(f, OP_B, 0, 0x2000);
	fk_op(f, OP_NOP, 0);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.op == 0x4a && r.l.opc == 0, "direct_branch");
	tap_eq(r.l.tgt, 0x2000 | NS_EL1, "branch_target");
	tap_eq(r.l.ev, EV(RETIRED), "branch_taken");
	fk_arm(f);
	fk_branch(f, OP_BEQ, 4, 0x3000);
	fk_op(f, OP_NOP, 0);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.opc == 1 && r.l.tgt == (0x3000 | NS_EL1), "conditional_taken");
	tap_ok(!(r.l.ev & EV(NOT_TAKEN)), "conditional_taken_event");
	fk_arm(f);
	fk_branch(f, OP_BEQ, 0, f->pc + 4);
	fk_op(f, OP_NOP, 0);
	r = fk_last(f);
	tap_ok(fk_same(f) && (r.l.ev & EV(NOT_TAKEN)) && (r.l.ev & EV(RETIRED)), "not_taken_event");
	tap_ok(!(r.l.has & V9_LOG_TGT), "not_taken_has_no_target");
	/* a taken branch to the next instruction is taken */
	fk_arm(f);
	fk_branch(f, OP_BEQ, 4, f->pc + 4);
	fk_op(f, OP_NOP, 0);
	tap_ok(!(fk_last(f).l.ev & EV(NOT_TAKEN)) && (fk_last(f).l.has & V9_LOG_TGT),
	       "taken_to_the_next");
	fk_arm(f);
	fk_branch(f, OP_BR, 0, 0x9000);
	fk_op(f, OP_NOP, 0);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.opc == 2 && r.l.tgt == (0x9000 | NS_EL1), "indirect_branch");
	fk_arm(f);
	fk_op(f, OP_CSEL, 0);		/* flags 0: eq fails */
	fk_op(f, OP_NOP, 0);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.op == 0x48 && r.l.opc == 1 && (r.l.ev & EV(NOT_TAKEN)),
	       "select_second_operand");
	fk_arm(f);
	fk_branch(f, OP_CSEL, 4, f->pc + 4);
	fk_op(f, OP_NOP, 0);
	tap_ok(!(fk_last(f).l.ev & EV(NOT_TAKEN)), "select_first_operand");
	fk_free(f);
}

/* A branch that is taken, then once not: the two-bit counter mispredicts each change. */
static void prediction(void)
{
	struct fk *f = fk_started(IRR, 16, 0);
	static const uint8_t nzcv[] = { 4, 4, 4, 0, 4, 4 };
	static const bool wrong[] = { true, false, false, true, false, false };
	unsigned int i;

	for (i = 0; i < 6; i++) {
		f->pc = 0x4000;
		fk_arm(f);
		fk_branch(f, OP_BEQ, nzcv[i], nzcv[i] ? 0x4800 : 0x4004);
		fk_op(f, OP_NOP, 0);
		tap_eq(!!(fk_last(f).l.ev & EV(MISPREDICTED)), wrong[i], "prediction_%u", i);
	}
	for (i = 0; i < 3; i++) {
		f->pc = 0x5000;
		fk_arm(f);
		fk_branch(f, OP_BR, 0, i < 2 ? 0x6000 : 0x7000);
		fk_op(f, OP_NOP, 0);
		tap_eq(!!(fk_last(f).l.ev & EV(MISPREDICTED)), i != 1, "indirect_prediction_%u", i);
	}
	fk_free(f);
}

/* shows: SPE-CD3 SPE-SI6 SPE-EN7 */
static void exceptions(void)
{
	struct fk *f = fk_started(IRR, 16, 0);
	struct v9_exc abort = { .to_el = 1, .sync = true, .has_va = true, .fault_va = VA };
	struct fk_rec r;

	/* a load that faults */
	fk_arm(f);
	abort.ret = f->pc;
	fk_op(f, OP_LDR, VA);
	fk_exception(f, &abort);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.ev == (EV(RETIRED) | EV(EXCEPTION)), "abort_event");
	tap_ok((r.l.has & V9_LOG_VA) && !(r.l.has & (V9_LOG_PA | V9_LOG_DS | V9_LOG_TGT)),
	       "abort_has_no_result");
	/* the next operation is in an unmapped page: not an exception of the branch */
	fk_arm(f);
	fk_branch(f, OP_B, 0, 0x8000);
	fk_exception(f, &(struct v9_exc){ .ret = 0x8000, .to_el = 1, .sync = true });
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.ev == EV(RETIRED) && r.l.tgt == (0x8000 | NS_EL1),
	       "abort_of_the_next_instruction");
	/* an interrupt right after a taken branch */
	fk_arm(f);
	fk_branch(f, OP_BR, 0, 0x9000);
	fk_interrupt(f, 1);
	tap_ok(fk_same(f) && fk_last(f).l.tgt == (0x9000 | NS_EL1) && fk_last(f).l.ev & EV(RETIRED) &&
	       !(fk_last(f).l.ev & EV(EXCEPTION)), "interrupt_is_no_exception_of_the_branch");
	/* SVC generates an exception of its own */
	fk_arm(f);
	fk_op(f, OP_SVC, 0);
	fk_exception(f, &(struct v9_exc){ .ret = f->pc, .to_el = 1, .sync = true });
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.ev == (EV(RETIRED) | EV(EXCEPTION)) && !(r.l.has & V9_LOG_TGT),
	       "svc_generates_an_exception");
	/* an UNDEFINED branch is no branch */
	fk_arm(f);
	abort.has_va = false;
	abort.ret = f->pc;
	fk_op(f, OP_BR, 0);
	fk_exception(f, &abort);
	tap_ok(fk_same(f) && !(fk_last(f).l.has & (V9_LOG_OP | V9_LOG_TGT)), "failed_branch_is_none");
	/* each sample is complete: the next one does not collide */
	tap_eq(fk_score(f)->collided, 0, "exception_ends_the_sample");
	fk_free(f);
}

/* shows: SPE-CD5 SPE-EN7 */
static void exception_return(void)
{
	struct fk *f = fk_started(IRR, 16, 0);
	struct v9_pe_insn i = { .op = OP_ERET };
	struct fk_rec r;

	fk_arm(f);
	i.pc = f->pc;
	fk_hook(f, &i);
	fk_eret(f, 0x400000, 0);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.op == 0x4a && r.l.opc == 2, "eret_is_a_branch");
	tap_eq(r.l.pc >> 56, NS_EL1 >> 56, "eret_source_level");
	tap_eq(r.l.tgt, 0x400000 | NS_EL0, "eret_target_level");
	/* sampled at EL0, completed by an exception to EL1 */
	fk_arm(f);
	fk_op(f, OP_LDR, VA);
	fk_interrupt(f, 1);
	tap_eq(fk_last(f).l.pc, 0x400000 | NS_EL0, "in_flight_over_the_exception");
	/* An illegal return stays at its level: the target is there, whatever SPSR names. */
	fk_arm(f);
	i.pc = f->pc;
	fk_hook(f, &i);
	v9_enter(f->m, f->cnt, f->dva, f->dvalid);
	v9_eret(f->m, 0x500000, 0, false, true);
	f->cnt = v9_leave(f->m);
	f->pc = 0x500000;
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.op == 0x4a && r.l.opc == 2, "illegal_eret_is_a_branch");
	tap_eq(r.l.tgt, 0x500000 | NS_EL1, "illegal_eret_target_level");
	fk_arm(f);
	fk_op(f, OP_NOP, 0);
	fk_op(f, OP_NOP, 0);
	tap_eq(fk_last(f).l.pc, 0x500000 | NS_EL1, "illegal_eret_then_same_level");
	fk_free(f);
}

/* shows: SPE-CD15 SPE-CD16 SPE-CD17 SPE-PK7 */
static void exposure(void)
{
	struct fk *f = fk_new();
	struct fk_rec r;

	f->pe.r.has_el2 = true;
	f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2PB, 3);
	f->pe.contextidr_el1 = 0x1111;
	f->pe.contextidr_el2 = 0x2222;
	fk_init(f);
	MSR(f, PMSCR_EL2, 0);
	fk_start(f, IRR, 16, V9_PMSCR_EL1_TS | V9_PMSCR_EL1_PA | V9_PMSCR_EL1_CX |
		 V9_PUT(V9_PMSCR_EL1_PCT, 1));
	fk_one(f, OP_LDR, VA);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.ts >= 3000000, "guest_sees_virtual_time");
	tap_ok(!(r.l.has & V9_LOG_PA), "guest_sees_no_pa");
	tap_ok((r.l.has & V9_LOG_CTX1) && r.l.ctx1 == 0x1111 && !(r.l.has & V9_LOG_CTX2),
	       "guest_context");
	MSR(f, PMSCR_EL2, V9_PMSCR_EL2_PA | V9_PMSCR_EL2_CX | V9_PUT(V9_PMSCR_EL2_PCT, 1));
	fk_one(f, OP_LDR, VA);
	r = fk_last(f);
	tap_ok(fk_same(f) && r.l.ts >= 1000000 && r.l.ts < 2000000,
	       "both_allow_physical_time");
	tap_eq(r.l.pa, (VA & 0xffffffff) | UINT64_C(1) << 63, "both_allow_pa");
	tap_ok(r.l.ctx1 == 0x1111 && r.l.ctx2 == 0x2222, "two_contexts");
	tap_eq(f->log[f->nlog - 1].size, 64, "largest_record_fits");
	f->no_pa = true;
	fk_one(f, OP_LDR, VA);
	tap_ok(fk_same(f) && !(fk_last(f).l.has & V9_LOG_PA), "untranslated_has_no_pa");
	fk_free(f);
}

/* shows: SPE-CD20 SPE-FI7: the documented formulas */
static void timing(void)
{
	struct fk *f = fk_new();
	struct fk_rec r;
	uint64_t noise;

	f->cfg.lat = V9_LAT_FULL;
	f->cfg.seed = 42;
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	f->pc = 0x1230;
	fk_one(f, OP_LDR, VA);
	r = fk_last(f);
	noise = v9_mix(42 ^ 0x1230, 1);
	tap_eq(r.l.lat_issue, 1 + noise % 8, "issue_latency");
	tap_eq(r.l.lat_xlat, 20 + (noise >> 8) % 16, "translation_latency_of_a_walk");
	tap_eq(r.l.lat_total, r.l.lat_issue + r.l.lat_xlat + 150 + (noise >> 16) % 64,
	       "total_latency_of_memory");
	f->pc = 0x1230;
	fk_one(f, OP_LDR, VA);
	r = fk_last(f);
	noise = v9_mix(42 ^ 0x1230, 2);
	tap_ok(r.l.lat_xlat == 1 && r.l.lat_total == 1 + noise % 8 + 1 + 4, "latency_of_a_hit");
	fk_one(f, OP_NOP, 0);
	tap_eq(fk_last(f).l.lat_total, fk_last(f).l.lat_issue + 1, "latency_of_other");
	fk_free(f);
}

/* shows: SPE-OW2: addresses carry the state they belong to */
static void states(void)
{
	struct fk *f = fk_new();

	f->pe.r.pe_ss = V9_SS_SECURE;
	fk_init(f);
	fk_start(f, IRR, 16, V9_PMSCR_EL1_PA);
	fk_one(f, OP_LDR, VA);
	tap_eq(fk_last(f).l.pc >> 56, 0x20, "secure_pc");
	tap_eq(fk_last(f).l.pa >> 56, 0, "secure_pa");
	fk_free(f);

	f = fk_new();
	f->pe.r.has_el3 = f->pe.r.has_rme = f->pe.r.has_el2 = true;
	f->pe.r.scr_el3 = V9_SCR_EL3_NS | V9_SCR_EL3_NSE;
	f->pe.r.mdcr_el3 = V9_MDCR_EL3_NSPBE | V9_PUT(V9_MDCR_EL3_NSPB, 3);
	f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2PB, 3);
	fk_init(f);
	MSR(f, PMSCR_EL2, V9_PMSCR_EL2_PA);
	fk_start(f, IRR, 16, V9_PMSCR_EL1_PA);
	fk_one(f, OP_LDR, VA);
	tap_eq(fk_last(f).l.pc >> 56, 0xb0, "realm_pc");
	tap_eq(fk_last(f).l.pa >> 56, 0x90, "realm_pa");
	tap_eq(f->last.ss, V9_SS_REALM, "realm_buffer");
	fk_free(f);
}

int main(void)
{
	loads_and_stores();
	tags();
	branches();
	prediction();
	exceptions();
	exception_return();
	exposure();
	timing();
	states();
	return tap_done();
}
