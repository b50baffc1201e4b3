// SPDX-License-Identifier: GPL-2.0-only
/*
 * The delay modes of the strict model: no effect is visible before the architecture guarantees it,
 * and a read that is too early is a violation.
 */
#include "tap.h"
#include "model_fake.h"
#include "v9trace/fault_action.h"
#include "v9trace/uapi.h"

#define IRR V9_PUT(V9_PMSIRR_EL1_INTERVAL, 1)
#define S V9_PMBSR_EL1_S
#define DL V9_PMBSR_EL1_DL
#define EA V9_PMBSR_EL1_EA

static struct fk *delay(unsigned int pages)
{
	struct fk *f = fk_new();

	f->cfg.delay = V9_DELAY_MAX;
	fk_init(f);
	fk_start(f, IRR, pages, 0);
	return f;
}

/* Executes the operations for @n records, without a barrier */
static void run(struct fk *f, unsigned int n)
{
	fk_nops(f, 257 * n);
}

static unsigned int touched(const struct fk *f)
{
	unsigned int i, n = 0;

	for (i = 0; i < FK_SIZE; i++)
		n += f->touched[i];
	return n;
}

static bool noted(const struct fk *f, const char *rule)
{
	return f->nviolations && !strcmp(f->violation.rule, rule);
}

/* The stop sequence of a driver, up to the reads */
static void stop(struct fk *f)
{
	MSR(f, PMSCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_PSB);
	fk_sync(f, V9_SYNC_DSB);
	MSR(f, PMBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
}

/* shows: SPE-SY3 SPE-EN6 SPE-SY1 */
static void writes_need_a_cse(void)
{
	struct fk *f = delay(16);

	MSR(f, PMSCR_EL1, 0);
	tap_ok(v9_pe_activity(f->m, &f->pe) & V9_ACT_SPE, "disable_not_yet_seen");
	tap_eq(MRS(f, PMSCR_EL1), 0x40, "own_write_reads_back");	/* PCT RES1 */
	fk_sync(f, V9_SYNC_ISB);
	tap_ok(!(v9_pe_activity(f->m, &f->pe) & V9_ACT_SPE), "disable_seen_after_isb");
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E0SPE);
	fk_eret(f, 0x8000, 0);
	tap_ok(v9_pe_activity(f->m, &f->pe) & V9_ACT_SPE, "enable_seen_after_eret");
	fk_interrupt(f, 1);
	MSR(f, PMSIRR_EL1, V9_PUT(V9_PMSIRR_EL1_INTERVAL, 4));
	fk_interrupt(f, 1);
	MSR(f, PMSICR_EL1, 0);
	fk_eret(f, 0x8000, 0);
	fk_nops(f, 1024 + 1);
	fk_interrupt(f, 1);
	tap_eq(fk_score(f)->samples, 1, "interval_seen_after_exception");
	tap_eq(f->nviolations, 0, "proper_order_is_silent");
	fk_free(f);
}

/* shows: SPE-SY4 SPE-SY7 SPE-SY5 SPE-CS1 */
static void draining(void)
{
	struct fk *f = delay(16);

	run(f, 3);
	tap_ok(!f->nlog && !touched(f), "records_wait");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE, "pointer_is_old");
	fk_sync(f, V9_SYNC_PSB);
	tap_eq(f->nlog, 0, "psb_without_cse_misses");
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(f->nlog, 0, "cse_alone_drains_nothing");
	fk_sync(f, V9_SYNC_PSB);
	tap_eq(f->nlog, 3, "psb_after_cse_drains");
	tap_eq(touched(f), 2 * 64, "memory_still_old_but_for_the_poison");
	tap_eq(f->nviolations, 0, "no_wrong_reads_so_far");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE, "read_before_cse_is_old");
	tap_ok(noted(f, "SPE-SY5"), "read_before_cse_logged");
	fk_sync(f, V9_SYNC_DSB);
	tap_eq(touched(f), 4 * 64, "dsb_completes_the_writes");
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + 3 * 64, "read_after_cse_is_new");
	fk_free(f);

	f = delay(16);
	run(f, 3);
	stop(f);
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + 3 * 64, "stop_sequence_pointer");
	tap_eq(MRS(f, PMSICR_EL1), 256, "stop_sequence_counter");
	tap_ok(f->nlog == 3 && f->nviolations == 0, "stop_sequence_complete_and_silent");
	fk_free(f);

	/* the same without DSB: the bytes are not in memory */
	f = delay(16);
	run(f, 3);
	MSR(f, PMSCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_PSB);
	MSR(f, PMBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(f->mem[0], MRS(f, PMBPTR_EL1) ? 0xa5 : 0, "without_dsb_bytes_are_missing");
	fk_free(f);
}

/* shows: SPE-SY6 */
static void direct_write_after_psb(void)
{
	struct fk *f = delay(16);

	run(f, 2);
	MSR(f, PMSCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_PSB);
	MSR(f, PMBPTR_EL1, FK_BASE + 0x800);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + 0x800, "write_after_psb_sticks");
	tap_eq(f->nviolations, 0, "write_after_psb_is_silent");
	fk_free(f);

	f = delay(16);
	run(f, 2);
	MSR(f, PMBPTR_EL1, FK_BASE + 0x800);
	tap_ok(f->nviolations, "write_before_psb_logged");
	fk_free(f);
}

/* shows: SPE-ME13 SPE-SY10 */
static void disabled_with_records(void)
{
	static const char *const name[] = { "written", "dropped", "event" };
	unsigned int how;

	for (how = V9_CU_DISABLE_WRITE; how <= V9_CU_DISABLE_EVENT; how++) {
		struct fk *f = fk_new();
		uint64_t sr;

		f->cfg.delay = V9_DELAY_MAX;
		f->cfg.cu_disable = how;
		fk_init(f);
		fk_start(f, IRR, 16, 0);
		run(f, 3);
		MSR(f, PMBLIMITR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		tap_ok(noted(f, "SPE-ME13"), "disabled_logged_%s", name[how]);
		fk_sync(f, V9_SYNC_PSB);
		fk_sync(f, V9_SYNC_DSB);
		fk_sync(f, V9_SYNC_ISB);
		sr = MRS(f, PMBSR_EL1);
		tap_ok(f->nlog == (how == V9_CU_DISABLE_WRITE ? 3 : 0) &&
		       sr == (how == V9_CU_DISABLE_EVENT ? (S | DL) : 0) &&
		       fk_score(f)->written + fk_score(f)->discarded == 3,
		       "disabled_records_%s", name[how]);
		fk_free(f);
	}
}

/*
 * Records are queued when the Security state changes or MDCR_EL3 gets a reserved value: written
 * in the owner's state, dropped, or dropped with an Access not allowed event (R_VCYWL,
 * R_QJWVQ; D17.8.5). Nothing else may happen. shows: SPE-ME13
 */
static void state_changed_under_records(void)
{
	static const char *const name[] = { "written", "dropped", "event" };
	unsigned int how, reserved;

	for (reserved = 0; reserved < 2; reserved++)
		for (how = V9_CU_DISABLE_WRITE; how <= V9_CU_DISABLE_EVENT; how++) {
			struct fk *f = fk_new();
			uint64_t sr;

			f->cfg.delay = V9_DELAY_MAX;
			f->cfg.cu_disable = how;
			f->pe.r.has_el3 = true;
			f->pe.r.has_rme = reserved;
			f->pe.r.scr_el3 = V9_SCR_EL3_NS;
			f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSPB, 3);
			fk_init(f);
			fk_start(f, IRR, 16, 0);
			run(f, 3);
			tap_eq(f->nlog, 0, "state_%u_%s_waits", reserved, name[how]);
			if (reserved)	/* 0b0x with NSPBE: reserved */
				f->pe.r.mdcr_el3 = V9_MDCR_EL3_NSPBE |
						   V9_PUT(V9_MDCR_EL3_NSPB, 1);
			else
				f->pe.r.scr_el3 = 0;
			fk_sync(f, V9_SYNC_ISB);
			fk_sync(f, V9_SYNC_PSB);
			fk_sync(f, V9_SYNC_DSB);
			fk_sync(f, V9_SYNC_ISB);
			sr = MRS(f, PMBSR_EL1);
			tap_ok(f->nlog == (how == V9_CU_DISABLE_WRITE ? 3 : 0) &&
			       sr == (how == V9_CU_DISABLE_EVENT ? 0xa0000 : 0) &&
			       fk_score(f)->written + fk_score(f)->discarded == 3,
			       "state_%u_%s", reserved, name[how]);
			if (how == V9_CU_DISABLE_WRITE && !reserved)
				tap_eq(f->last.ss, V9_SS_NONSECURE, "state_written_as_the_owner");
			fk_free(f);
		}
}

/* The buffer up to @end has only complete records. */
static bool whole_up_to(const struct fk *f, uint64_t end)
{
	uint64_t at = FK_BASE;
	struct fk_rec r;
	unsigned int n;

	while (at < end) {
		n = fk_decode(f, at, end, &r);
		if (!n || r.unknown)
			return false;
		at += n;
	}
	return at == end;
}

/*
 * R_WVKFM, R_THGCR: a fault stops profiling before the next sample, but from SPEv1p5 on samples
 * after it may be lost without DL. Data below the pointer is complete, and v9_spe_fault_action()
 * keeps it. The line is up at the fault of an older unit. shows: SPE-ME4 SPE-ME7
 */
static void samples_behind_a_fault(void)
{
	static const struct {
		const char *name;
		uint8_t version;
		bool sync, dl;
	} t[] = {
		{ "v1p2", 3, true, false }, { "v1p4", 5, true, false },
		{ "v1p5", 6, false, false }, { "v1p5_dl", 6, false, true },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = fk_new();
		struct v9_fault_action j;
		uint64_t sr;

		v9_config_version(&f->cfg, t[i].version);
		f->cfg.delay = V9_DELAY_MAX;
		f->cfg.fault_dl = t[i].dl;
		fk_init(f);
		fk_start(f, IRR, 16, 0);
		MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE | V9_PMSCR_EL1_E0SPE);
		fk_sync(f, V9_SYNC_ISB);
		f->page[1] = (struct fk_page){ FK_FAULT, 1, 0x07 };
		run(f, 64 + 1);
		fk_nops(f, 2);
		tap_eq(f->line, t[i].sync, "%s_fault_at_once", t[i].name);
		run(f, 10);
		stop(f);
		sr = MRS(f, PMBSR_EL1);
		tap_eq(sr, 0x90020007 | (t[i].dl ? 1 << 19 : 0), "%s_fault_status", t[i].name);
		tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + FK_PAGE, "%s_fault_pointer", t[i].name);
		tap_eq(fk_score(f)->samples, t[i].sync ? 65 : 75, "%s_samples", t[i].name);
		tap_eq(fk_score(f)->discarded, t[i].sync ? 1 : 11, "%s_lost", t[i].name);
		if (!t[i].sync && !t[i].dl)	/* shows: SPE-ME3 */
			tap_eq(fk_score(f)->discarded, 11, "queued_records_are_dropped");
		tap_ok(f->nlog == 64 && whole_up_to(f, FK_BASE + FK_PAGE), "%s_whole_before",
		       t[i].name);
		j = v9_spe_fault_action(sr);
		tap_ok(j.cause == V9_CAUSE_FAULT && j.data && !j.resume &&
		       (j.flags & V9_AUX_TRUNCATED) && !(j.flags & V9_AUX_PARTIAL) == !t[i].dl,
		       "%s_checked", t[i].name);
		fk_free(f);
	}
}

/* The full event is synchronous in all versions: no sample is taken without space for it. */
static void nothing_behind_full(void)
{
	unsigned int version;

	for (version = 1; version <= 6; version++) {
		struct fk *f = fk_new();

		v9_config_version(&f->cfg, version);
		f->cfg.delay = V9_DELAY_MAX;
		fk_init(f);
		fk_start(f, IRR, 1, 0);
		run(f, 64 + 20);
		tap_ok(f->line && fk_score(f)->samples == 64 && !fk_score(f)->discarded,
		       "full_at_once_version_%u", version);
		fk_free(f);
	}
}

/* shows: SPE-ME3 SPE-ME2 SPE-SY5 */
static void stopped_with_records(void)
{
	struct fk *f = delay(1);

	run(f, 64 + 16);
	tap_ok(f->line, "line_rises_at_once");
	tap_eq(MRS(f, PMBSR_EL1), 0, "handler_read_too_early");
	tap_ok(noted(f, "SPE-SY5"), "handler_read_too_early_logged");
	fk_sync(f, V9_SYNC_PSB);
	fk_sync(f, V9_SYNC_DSB);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, PMBSR_EL1), S | 1, "handler_reads_full");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + FK_PAGE, "handler_reads_pointer");
	tap_eq(fk_score(f)->written, 64, "full_buffer_is_all_there");
	tap_eq(fk_score(f)->passed, 64, "nothing_is_sampled_behind_full");
	/* restart: pointers, ISB, status last */
	MSR(f, PMBPTR_EL1, FK_BASE);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, PMBSR_EL1, 0);
	tap_ok(f->line, "line_may_stay_until_the_cse");
	fk_sync(f, V9_SYNC_ISB);
	tap_ok(!f->line, "line_falls_with_the_cse");
	run(f, 2);
	stop(f);
	tap_ok(MRS(f, PMBPTR_EL1) == FK_BASE + 2 * 64 || MRS(f, PMBPTR_EL1) == FK_BASE + 64,
	       "runs_again");
	fk_free(f);
}

/* shows: SPE-SI16 */
static void collision_visible(void)
{
	struct fk *f = fk_new();

	f->cfg.delay = V9_DELAY_MAX;
	f->cfg.lat_total = 4000;
	f->cfg.poison = false;
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	run(f, 3);
	tap_eq(MRS(f, PMBSR_EL1), 0, "coll_not_before_cse");
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, PMBSR_EL1), V9_PMBSR_EL1_COLL, "coll_after_cse");
	MSR(f, PMBSR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	run(f, 3);
	MSR(f, PMBSR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, PMBSR_EL1), 0, "coll_before_a_write_of_zero");
	run(f, 3);
	v9_model_reset(f->m, V9_RESET_WARM);
	f->cnt = v9_leave(f->m);
	MSR(f, PMSIRR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	tap_ok(!(MRS(f, PMBSR_EL1) & V9_PMBSR_EL1_COLL), "coll_before_a_reset");
	fk_free(f);
}

/* shows: SPE-SY8 SPE-ME12 */
static void abort_at_dsb(void)
{
	struct fk *f = delay(16);

	f->page[0].kind = FK_ABORT;
	run(f, 3);
	MSR(f, PMSCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_PSB);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, PMBSR_EL1), 0, "abort_not_before_the_write");
	fk_sync(f, V9_SYNC_DSB);
	fk_sync(f, V9_SYNC_PSB);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, PMBSR_EL1), S | EA | DL | V9_PUT(V9_PMBSR_EL1_EC, 0x24) | 0x11,
	       "abort_after_the_write");
	fk_free(f);
}

/* shows: SPE-PB15 */
static void poison(void)
{
	struct fk *f = delay(16);
	unsigned int i, junk = 0;
	struct fk_rec r;

	run(f, 5);
	stop(f);
	for (i = 0; i < 64; i++)
		junk += f->touched[5 * 64 + i];
	tap_eq(junk, 64, "bytes_past_the_pointer_are_junk");
	for (i = 0; i < 5; i++)
		if (!fk_decode(f, FK_BASE + i * 64, FK_BASE + (i + 1) * 64, &r))
			break;
	tap_eq(i, 5, "bytes_before_it_are_records");
	fk_free(f);
}

/* shows: SPE-PB22 */
static void tlb_maintenance(void)
{
	struct fk *f = delay(16);

	run(f, 3);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_PSB);
	fk_sync(f, V9_SYNC_DSB);
	run(f, 18);	/* two leave the queue: translated, not stored yet */
	tap_eq(touched(f), 3 * 64 + 64, "translated_records_wait");
	fk_sync(f, V9_SYNC_TLBI);
	fk_sync(f, V9_SYNC_DSB);
	tap_eq(touched(f), 5 * 64, "tlbi_and_dsb_push_them_out");
	fk_free(f);
}

/* shows: SPE-CS9 */
static void regime_change(void)
{
	struct fk *f = delay(16);

	f->pe.regime = 1;
	run(f, 3);
	f->pe.regime = 2;
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_PSB);
	tap_ok(noted(f, "SPE-CS9"), "regime_change_logged");
	fk_free(f);
}

/*
 * A read without a barrier returns the old value, but only once, because an interrupt handler
 * that begins with the status would be entered again and again. shows: SPE-SY1
 */
static void stale_but_not_for_ever(void)
{
	unsigned int seed, stale = 0, late = 0;

	for (seed = 1; seed <= 50; seed++) {
		struct fk *f = fk_new();
		unsigned int i;

		f->cfg.delay = V9_DELAY_RANDOM;
		f->cfg.seed = seed;
		fk_init(f);
		fk_start(f, IRR, 1, 0);
		run(f, 200);		/* far more than the buffer holds */
		for (i = 0; i < 10 && !(MRS(f, PMBSR_EL1) & S); i++)
			;
		stale += i > 0;
		late += i > 1;
		fk_free(f);
	}
	tap_ok(stale > 5, "old_status_is_read_first");
	tap_eq(late, 0, "new_status_is_read_next");
}

/* A synchronized program gives the same records in all modes, with many seeds. */
static void modes_agree(void)
{
	struct fk *base = fk_started(IRR, 16, 0);
	unsigned int seed, i, bad = 0;

	run(base, 100);
	stop(base);
	for (seed = 0; seed < 50; seed++) {
		struct fk *f = fk_new();

		f->cfg.delay = seed ? V9_DELAY_RANDOM : V9_DELAY_MAX;
		f->cfg.seed = seed;
		fk_init(f);
		fk_start(f, IRR, 16, 0);
		for (i = 0; i < 10; i++) {
			run(f, 10);
			fk_sync(f, V9_SYNC_ISB);
			fk_sync(f, V9_SYNC_PSB);
			fk_sync(f, V9_SYNC_DSB);
		}
		stop(f);
		bad += f->nlog != base->nlog || f->nviolations ||
		       MRS(f, PMBPTR_EL1) != MRS(base, PMBPTR_EL1) ||
		       memcmp(f->mem, base->mem, base->nlog * 64);
		fk_free(f);
	}
	tap_eq(bad, 0, "modes_agree");
	fk_free(base);
}

int main(void)
{
	writes_need_a_cse();
	draining();
	direct_write_after_psb();
	disabled_with_records();
	state_changed_under_records();
	samples_behind_a_fault();
	nothing_behind_full();
	stopped_with_records();
	collision_visible();
	abort_at_dsb();
	poison();
	tlb_maintenance();
	regime_change();
	stale_but_not_for_ever();
	modes_agree();
	return tap_done();
}
