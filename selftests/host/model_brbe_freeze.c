// SPDX-License-Identifier: GPL-2.0-only
/*
 * The branch record buffer of the model: pause, freeze, timestamp, reset, and when effects become
 * visible
 */
#include "tap.h"
#include "model_branches.h"

/* shows: BRBE-BZ1 */
static void pause(void)
{
	struct fk *f = bk_started();

	bk_b(f);
	bk_b(f);
	bk_run(f, 1);
	bk_pause(f);
	tap_ok(!bk_on(f), "paused_is_off");
	bk_b(f);
	bk_run(f, 1);
	tap_eq(bk_count(f), 2, "paused_records_nothing");
	tap_ok(bk_stops.n == 1 && !bk_stops.last.frozen && bk_stops.last.n == 2 &&
	       bk_stops.last.rec[0].src == bk_read(f, 0).src &&
	       bk_stops.last.rec[1].tgt == bk_read(f, 1).tgt, "pause_in_the_log");
	MSR(f, BRBFCR_EL1, BK_FCR_ALL);
	bk_isb(f);
	bk_b(f);
	bk_run(f, 1);
	tap_ok(bk_count(f) == 3 && bk_score(f)->resumed == 1, "records_after_pause");
	fk_free(f);
}

static void overflow(struct fk *f, uint64_t flags)
{
	f->pe.pmovs |= flags;
	v9_brbe_overflow(f->m);
}

/* D19.3: which flags freeze, by the controls and the range of the counter. shows: BRBE-BZ2 */
static void ranges(void)
{
	unsigned int wrong = 0, frozen = 0, cycles = 0;

	for (unsigned int n = 0; n < 8 * 2 * 7; n++) {
		bool fzp1 = n & 1, fzp2 = n & 2, el2 = n & 4, disabled = n & 8;
		unsigned int hpmn = n / 16;

		for (unsigned int i = 0; i < 7; i++) {
			struct fk *f = bk_new();
			unsigned int counter = i < 6 ? i : 31;
			bool want;

			f->pe.r.has_el2 = el2;
			f->pe.r.mdcr_el2 = hpmn;
			if (disabled) {		/* Secure state without EEL2 */
				f->pe.r.has_el3 = true;
				f->pe.r.mdcr_el3 = UINT64_C(3) << 32;
			}
			bk_init(f);
			MSR(f, BRBCR_EL2, fzp2 ? BK_CR_FZP : 0);
			bk_start(f, BK_USUAL | (fzp1 ? BK_CR_FZP : 0), BK_FCR_ALL);
			overflow(f, UINT64_C(1) << counter);
			want = counter == 31 ? false : !el2 || counter < hpmn ? fzp1 : fzp2;
			wrong += !!(MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED) != want;
			wrong += bk_score(f)->frozen != want;
			frozen += want;
			cycles += counter == 31 && bk_score(f)->frozen;
			fk_free(f);
		}
	}
	tap_eq(wrong, 0, "freeze_by_range");
	tap_eq(cycles, 0, "cycle_counter_does_not_freeze");
	tap_ok(frozen > 100, "freeze_cells");
}

/* shows: BRBE-BZ2 BRBE-BZ3 BRBE-BZ5 */
static void freeze(void)
{
	struct fk *f = bk_started();

	MSR(f, BRBCR_EL1, BK_USUAL | BK_CR_FZP);
	bk_isb(f);
	bk_b(f);
	bk_run(f, 1);
	bk_b(f);
	overflow(f, 1);
	tap_ok(!bk_on(f), "frozen_is_off");
	bk_b(f);
	bk_run(f, 1);
	/* the last branch was told, but not that it was executed */
	tap_eq(bk_count(f), 1, "frozen_records_nothing");
	tap_ok(bk_stops.n == 1 && bk_stops.last.frozen && bk_stops.last.pmovs == 1 &&
	       bk_stops.last.n == 1 && bk_stops.last.ts == MRS(f, BRBTS_EL1) &&
	       bk_stops.last.captured == 1, "freeze_in_the_log");
	/* the flag is still set: unpausing freezes at once */
	MSR(f, BRBFCR_EL1, BK_FCR_ALL);
	bk_isb(f);
	tap_ok(!bk_on(f) && (MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED) && bk_stops.n == 2,
	       "flag_still_set");
	f->pe.pmovs = 0;
	MSR(f, BRBFCR_EL1, BK_FCR_ALL);
	bk_isb(f);
	bk_b(f);
	bk_run(f, 1);
	tap_ok(bk_count(f) == 2 && !(MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED), "flag_cleared");
	/* set by software before the control */
	MSR(f, BRBCR_EL1, BK_USUAL);
	bk_isb(f);
	overflow(f, 4);
	tap_ok(bk_on(f), "no_freeze_without_fzp");
	MSR(f, BRBCR_EL1, BK_USUAL | BK_CR_FZP);
	bk_isb(f);
	tap_ok(!bk_on(f), "freeze_when_enabled");
	fk_free(f);

	/* in a prohibited region not before it is left */
	f = bk_new();
	bk_init(f);
	bk_start(f, (BK_USUAL & ~BK_CR_E) | BK_CR_FZP, BK_FCR_ALL);
	f->pe.r.el = 0;
	bk_b(f);
	bk_irq(f, 1, 0x8000);
	overflow(f, 2);
	tap_eq(MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED, 0, "no_freeze_where_prohibited");
	bk_eret(f, 0x2000, 0);
	tap_ok(MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED, "freeze_on_leaving");
	tap_eq(bk_count(f), 1, "records_before_freeze");
	fk_free(f);

	/* between an exception and its target: the exception is not recorded later either */
	f = bk_started();
	MSR(f, BRBCR_EL1, BK_USUAL | BK_CR_FZP | BK_CR_EXCEPTION);
	bk_isb(f);
	bk_b(f);
	bk_irq(f, 1, 0x8000);
	overflow(f, 1);
	f->pe.pmovs = 0;
	MSR(f, BRBFCR_EL1, BK_FCR_ALL);
	bk_isb(f);
	bk_run(f, 1);
	tap_eq(bk_count(f), 1, "frozen_before_the_target");
	fk_free(f);

	/* the overflow is told late: an exception and a register access look for themselves */
	f = bk_started();
	MSR(f, BRBCR_EL1, BK_USUAL | BK_CR_FZP | BK_CR_EXCEPTION);
	bk_isb(f);
	bk_b(f);
	f->pe.pmovs = 1;
	bk_irq(f, 1, 0x8000);
	bk_run(f, 1);
	tap_ok((MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED) && bk_count(f) == 1, "exception_sees_overflow");
	fk_free(f);
	f = bk_started();
	MSR(f, BRBCR_EL1, BK_USUAL | BK_CR_FZP);
	bk_isb(f);
	bk_b(f);
	f->pe.pmovs = 1;
	/* shows: BRBE-BZ6 */
	tap_ok(MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED, "register_shows_freeze");
	bk_b(f);
	bk_run(f, 1);
	tap_eq(bk_count(f), 1, "paused_is_final");
	fk_free(f);
}

/* Table D19-11. The clocks of the PE count from 1000, 1000000 and 2000000. shows: BRBE-BZ3 */
static void timestamps(void)
{
	static const struct {
		const char *name;
		unsigned int el2, ts2, ts1, from;
	} rows[] = {
		{ "00_01", 1, 0, 1, 1000 }, { "00_10", 1, 0, 2, 2000000 },
		{ "00_11", 1, 0, 3, 1000000 }, { "01_11", 1, 1, 3, 1000 },
		{ "01_00", 1, 1, 0, 1000 }, { "10_01", 1, 2, 1, 2000000 },
		{ "11_01", 1, 3, 1, 1000000 }, { "11_00", 1, 3, 0, 1000000 },
		{ "no_el2_01", 0, 3, 1, 1000 }, { "no_el2_11", 0, 1, 3, 1000000 },
	};

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct fk *f = bk_new();

		f->pe.r.has_el2 = rows[i].el2;
		f->pe.r.has_ecv = true;
		f->pe.r.mdcr_el2 = 6;
		bk_init(f);
		if (rows[i].el2)	/* else UNKNOWN, as after reset */
			MSR(f, BRBCR_EL2, BK_CR_TS(rows[i].ts2));
		bk_start(f, BK_CR_E | BK_CR_FZP | BK_CR_TS(rows[i].ts1), BK_FCR_ALL);
		overflow(f, 1);
		tap_ok(MRS(f, BRBTS_EL1) >= rows[i].from && MRS(f, BRBTS_EL1) < rows[i].from + 8 &&
		       !f->nviolations, "timestamp_%s", rows[i].name);
		fk_free(f);
	}
	for (unsigned int ts = 0; ts < 3; ts += 2) {
		struct fk *f = bk_started();

		MSR(f, BRBCR_EL1, BK_CR_E | BK_CR_FZP | BK_CR_TS(ts));	/* without ECV */
		bk_isb(f);
		overflow(f, 1);
		tap_ok(f->nviolations == 1 && !strcmp(f->violation.rule, "BRBE-BZ3"),
		       "timestamp_reserved_%u", ts);
		fk_free(f);
	}
}

/* BRB_FILTRATE: the record of the overflow is the last one. shows: BRBE-BZ4 BRBE-BZ7 */
static void filtrate(void)
{
	struct fk *f = bk_started();
	uint64_t src = 0;

	MSR(f, BRBCR_EL1, BK_USUAL | BK_CR_FZP | BK_CR_EXCEPTION);
	bk_isb(f);
	/* what an emulator does after each call: a counter that overflows at the seventh record */
	for (unsigned int i = 0; i < 20; i++) {
		if (bk_on(f) && bk_score(f)->captured == 6)
			src = f->pc;
		if (i == 3)
			bk_irq(f, 1, 0x8000);
		else
			bk_b(f);
		if (bk_score(f)->captured >= 7 && !f->pe.pmovs)
			overflow(f, 8);
	}
	bk_run(f, 1);
	tap_eq(bk_score(f)->captured, 7, "count_is_records");
	tap_eq(bk_count(f), 7, "records_until_overflow");
	tap_ok(bk_read(f, 0).src && bk_read(f, 0).src <= src, "own_record_is_youngest");
	fk_free(f);
}

static struct fk *delayed(unsigned int delay, uint64_t seed)
{
	struct fk *f = bk_new();

	f->cfg.delay = delay;
	f->cfg.seed = seed;
	bk_init(f);
	bk_start(f, BK_USUAL, BK_FCR_ALL);
	return f;
}

static bool noted(const struct fk *f, const char *rule)
{
	return f->nviolations && !strcmp(f->violation.rule, rule);
}

/* shows: BRBE-BB3 BRBE-BB4 BRBE-BR8 BRBE-BZ6 BRBE-BM4 */
static void visibility(void)
{
	struct fk *f = delayed(V9_DELAY_MAX, 1);
	uint64_t src = f->pc;
	struct v9_brbe_record r;

	bk_b(f);
	bk_run(f, 1);
	tap_ok(!MRS(f, BRBSRC0_EL1) && noted(f, "BRBE-BB4"), "record_not_before_sync");
	f->nviolations = 0;
	bk_isb(f);
	tap_ok(MRS(f, BRBSRC0_EL1) == src && !f->nviolations, "record_after_sync");
	for (unsigned int i = 0; i < 4; i++)
		bk_b(f);
	bk_irq(f, 1, 0x8000);		/* a context synchronization event, too */
	tap_ok(bk_count(f) == 5 && !f->nviolations, "records_after_exception");

	/* controls: a write counts after the ISB, and is read at once */
	MSR(f, BRBFCR_EL1, BK_FCR_ALL | BK_FCR_PAUSED);
	tap_ok(bk_on(f) && (MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED), "pause_not_before_sync");
	bk_isb(f);
	tap_ok(!bk_on(f), "pause_after_sync");
	fk_free(f);

	/* a bank */
	f = bk_new();
	f->cfg.delay = V9_DELAY_MAX;
	f->cfg.brbe_records = 64;
	bk_init(f);
	bk_start(f, BK_USUAL, BK_FCR_ALL);
	for (unsigned int i = 0; i < 40; i++)
		bk_b(f);
	bk_run(f, 1);
	bk_pause(f);
	r = bk_read(f, 0);
	MSR(f, BRBFCR_EL1, BK_FCR_ALL | BK_FCR_PAUSED | BK_FCR_BANK);
	tap_ok(MRS(f, BRBSRC0_EL1) == r.src && noted(f, "BRBE-BB3"), "bank_not_before_sync");
	f->nviolations = 0;
	bk_isb(f);
	tap_ok(MRS(f, BRBSRC0_EL1) == r.src - 32 * 8 && !f->nviolations, "bank_after_sync");
	fk_free(f);

	/* a freeze is read after a context synchronization event */
	f = delayed(V9_DELAY_MAX, 1);
	MSR(f, BRBCR_EL1, BK_USUAL | BK_CR_FZP);
	bk_isb(f);
	bk_b(f);
	bk_run(f, 1);
	overflow(f, 1);
	tap_ok(!bk_on(f) && !(MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED) && noted(f, "BRBE-BB4"),
	       "freeze_not_read_before_sync");
	bk_isb(f);
	f->nviolations = 0;
	tap_ok((MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED) && MRS(f, BRBTS_EL1) >= 1000 &&
	       MRS(f, BRBTS_EL1) < 1010 && !f->nviolations, "freeze_read_after_sync");
	fk_free(f);

	/* a write that is not synchronized yet survives a freeze */
	f = delayed(V9_DELAY_MAX, 1);
	MSR(f, BRBCR_EL1, BK_USUAL | BK_CR_FZP);
	bk_isb(f);
	MSR(f, BRBFCR_EL1, 0x20000);
	overflow(f, 1);
	bk_isb(f);
	tap_eq(MRS(f, BRBFCR_EL1), 0x20000 | BK_FCR_PAUSED, "freeze_keeps_a_write");
	fk_free(f);
}

/*
 * BRB IALL without context synchronization: which of the branches near it survive is not defined,
 * but those that do are the youngest. shows: BRBE-BI1
 */
static void window(void)
{
	unsigned int wrong = 0, seen[2][5] = { { 0 } };

	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct fk *f = delayed(V9_DELAY_RANDOM, seed);
		unsigned int n;
		uint64_t src;

		for (unsigned int i = 0; i < 6; i++)
			bk_b(f);
		bk_run(f, 1);
		bk_isb(f);			/* those before are gone in any case */
		bk_b(f);
		bk_b(f);
		bk_run(f, 1);
		bk_brb(f, V9_BRB_IALL);
		bk_b(f);
		src = f->pc;
		bk_b(f);
		bk_run(f, 1);
		bk_isb(f);
		n = bk_count(f);
		wrong += n > 4 || (n && bk_read(f, 0).src != src) || !noted(f, "BRBE-BI1");
		if (n <= 4)
			seen[0][n]++;
		bk_b(f);			/* those after stay in any case */
		bk_run(f, 1);
		bk_isb(f);
		wrong += bk_count(f) != n + 1;
		fk_free(f);
	}
	tap_eq(wrong, 0, "window_of_iall");
	tap_ok(seen[0][0] && seen[0][2] && seen[0][4], "window_has_each_outcome");
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct fk *f = delayed(seed & 1 ? V9_DELAY_RANDOM : V9_DELAY_MAX, seed);

		bk_b(f);
		bk_run(f, 1);
		bk_isb(f);
		bk_brb(f, V9_BRB_IALL);
		bk_isb(f);
		wrong += bk_count(f) || f->nviolations;
		fk_free(f);
	}
	tap_eq(wrong, 0, "iall_between_two_isb");
}

/* Branches between an overflow and the freeze. shows: BRBE-BZ5 BRBE-BZ6 */
static void after_overflow(void)
{
	unsigned int seen[4] = { 0 }, wrong = 0, late = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct fk *f = bk_new();
		unsigned int n;

		f->cfg.delay = V9_DELAY_RANDOM;
		f->cfg.seed = seed;
		f->cfg.brbe_after = 3;
		bk_init(f);
		bk_start(f, BK_USUAL | BK_CR_FZP, BK_FCR_ALL);
		bk_b(f);
		bk_isb(f);
		overflow(f, 1);
		for (unsigned int i = 0; i < 5; i++) {
			bk_b(f);
			bk_run(f, 1);
		}
		n = bk_score(f)->captured - 1;
		wrong += n > 3 || bk_on(f);
		if (n <= 3)
			seen[n]++;
		fk_free(f);

		f = bk_new();
		f->cfg.delay = V9_DELAY_RANDOM;
		f->cfg.seed = seed;
		f->cfg.brbe_after = 200;
		bk_init(f);
		bk_start(f, BK_USUAL | BK_CR_FZP, BK_FCR_ALL);
		overflow(f, 1);
		bk_isb(f);
		late += !(MRS(f, BRBFCR_EL1) & BK_FCR_PAUSED);
		fk_free(f);
	}
	tap_eq(wrong, 0, "freeze_within_bound");
	tap_ok(seen[0] && seen[1] && seen[2] && seen[3], "freeze_at_each_place");
	tap_eq(late, 0, "freeze_before_it_can_be_read");
}

/* shows: BRBE-BM3 */
static void reset(void)
{
	for (unsigned int version = 1; version <= 2; version++) {
		struct fk *f = bk_new();
		uint64_t src;

		f->cfg.brbe = version;
		f->pe.r.has_el2 = true;
		bk_init(f);
		MSR(f, BRBCR_EL2, 0xc0017b);
		bk_start(f, 0xc0015b, BK_FCR_ALL);
		bk_b(f);
		bk_run(f, 1);
		bk_isb(f);
		src = MRS(f, BRBSRC0_EL1);
		MSR(f, BRBTS_EL1, 0x1234);
		bk_isb(f);
		v9_model_reset(f->m, V9_RESET_WARM);
		tap_eq((MRS(f, BRBCR_EL1) | MRS(f, BRBCR_EL2)) & 3, 0, "warm_disables_%u", version);
		tap_ok(!bk_on(f), "warm_is_off_%u", version);
		tap_eq(MRS(f, BRBTS_EL1), version == 2 ? 0x1234 : 0, "warm_timestamp_%u", version);
		if (version == 2) {
			tap_ok(MRS(f, BRBCR_EL1) == 0xc00158 && MRS(f, BRBCR_EL2) == 0xc00178 &&
			       (MRS(f, BRBFCR_EL1) & 0x7f0080) == BK_FCR_ALL, "warm_keeps_controls");
		}
		MSR(f, BRBFCR_EL1, BK_FCR_PAUSED);
		bk_isb(f);
		tap_eq(f->nviolations, 0, "no_violation_before_%u", version);
		tap_eq(MRS(f, BRBSRC0_EL1), src, "warm_keeps_records_%u", version);
		tap_ok(noted(f, "BRBE-BM3"), "read_before_iall_%u", version);
		f->nviolations = 0;
		bk_brb(f, V9_BRB_IALL);
		bk_isb(f);
		tap_ok(!bk_count(f) && !f->nviolations, "read_after_iall_%u", version);
		v9_model_reset(f->m, V9_RESET_COLD);
		tap_eq((MRS(f, BRBCR_EL1) | MRS(f, BRBCR_EL2)) & 3, 0, "cold_disables_%u", version);
		fk_free(f);
	}
	/* UNKNOWN: controls and records after a Cold reset differ with the seed */
	struct fk *f = bk_new(), *g = bk_new();
	uint64_t reserved = 0;

	g->cfg.seed = 2;
	bk_init(f);
	bk_init(g);
	tap_ok(MRS(f, BRBFCR_EL1) != MRS(g, BRBFCR_EL1) &&
	       (MRS(f, BRBINF0_EL1) || MRS(g, BRBINF0_EL1)), "cold_is_unknown");
	tap_ok(!(MRS(f, BRBFCR_EL1) & ~UINT64_C(0x307f0080)), "unknown_spares_reserved_bits");
	/* CCU, CC, TYPE, EL, MPRED and VALID */
	for (unsigned int i = 0; i < 32; i++)
		reserved |= (bk_read(f, i).inf | bk_read(g, i).inf) & ~UINT64_C(0x7fff00003fe3);
	tap_eq(reserved, 0, "unknown_records_spare_reserved_bits");
	fk_free(f);
	fk_free(g);

	/* A Warm reset keeps all of BRBFCR_EL1 but BANK, which is UNKNOWN. */
	uint64_t any = 0, all = ~UINT64_C(0);

	for (unsigned int seed = 1; seed <= 16; seed++) {
		f = bk_new();
		f->cfg.brbe = 2;
		f->cfg.poison = true;
		f->cfg.seed = seed;
		bk_init(f);
		bk_start(f, BK_USUAL, BK_FCR_ALL);
		v9_model_reset(f->m, V9_RESET_WARM);
		any |= MRS(f, BRBFCR_EL1);
		all &= MRS(f, BRBFCR_EL1);
		fk_free(f);
	}
	tap_eq(any, BK_FCR_ALL | 0x30000000, "warm_bank_is_unknown");
	tap_eq(all, BK_FCR_ALL, "warm_keeps_other_fields");
}

int main(void)
{
	pause();
	ranges();
	freeze();
	timestamps();
	filtrate();
	visibility();
	window();
	after_overflow();
	reset();
	return tap_done();
}
