// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Profiling Buffer: full, faults, aborts, the interrupt line, discard.
 */
#include "tap.h"
#include "model_fake.h"

#define IRR V9_PUT(V9_PMSIRR_EL1_INTERVAL, 1)
#define S V9_PMBSR_EL1_S
#define DL V9_PMBSR_EL1_DL
#define EA V9_PMBSR_EL1_EA
#define COLL V9_PMBSR_EL1_COLL

static uint64_t ec(unsigned int e)
{
	return V9_PUT(V9_PMBSR_EL1_EC, e);
}

/* Write @n records. */
static void records(struct fk *f, unsigned int n)
{
	while (n--)
		fk_one(f, OP_NOP, 0);
}

/* No byte of memory outside [from, to) was written. */
static bool untouched_outside(const struct fk *f, uint64_t from, uint64_t to)
{
	uint64_t i;

	for (i = 0; i < FK_SIZE; i++)
		if (f->touched[i] && (FK_BASE + i < from || FK_BASE + i >= to))
			return false;
	return true;
}

/* shows: SPE-ME6 SPE-PB15 SPE-PB16 SPE-ME1 SPE-PM9 */
static void full(void)
{
	struct fk *f = fk_started(IRR, 1, 0);

	records(f, 63);
	tap_eq(fk_score(f)->full, 0, "no_full_buffer_counted");
	tap_eq(MRS(f, PMBSR_EL1), 0, "room_for_one_more_is_not_full");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + FK_PAGE - 64, "exactly_max_left");
	records(f, 1);
	tap_eq(MRS(f, PMBSR_EL1), S | V9_PMBSR_EL1_BSC_FILLED, "buffer_full");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + FK_PAGE, "full_pointer_after_last_record");
	tap_ok(f->line && f->irqs == 1, "buffer_full_raises_the_line");
	tap_ok(f->nevent == 1 && f->ev_pmbsr == MRS(f, PMBSR_EL1) &&
	       f->ev_pmbptr == FK_BASE + FK_PAGE, "event_is_reported");
	records(f, 3);
	tap_eq(f->nlog, 64, "nothing_while_stopped");
	tap_ok(untouched_outside(f, FK_BASE, FK_BASE + FK_PAGE), "nothing_past_the_limit");
	tap_eq(fk_score(f)->bytes, FK_PAGE, "bytes_counted");
	tap_eq(fk_score(f)->full, 1, "full_buffer_counted_once");
	fk_free(f);
}

/*
 * Number of table walks if a unit caches one translation. A page has room for 64 records. A block
 * that maps all pages needs one walk, and so does a disabled stage 1. Enabling drops the cache.
 */
static void translations(void)
{
	static const struct {
		const char *name;
		uint64_t block;
		bool nvm;
		unsigned int want;
	} t[] = {
		{ "pages", 0, false, 2 },
		{ "block", UINT64_C(0x10000), false, 1 },
		{ "none", 0, true, 1 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = fk_new();

		f->cfg.spe_nvm = true;
		fk_init(f);
		f->block = t[i].block;
		fk_start(f, IRR, 1, 0);
		MSR(f, PMBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | V9_PMBLIMITR_EL1_E |
		    (t[i].nvm ? V9_PMBLIMITR_EL1_nVM : 0));
		fk_sync(f, V9_SYNC_ISB);
		records(f, 100);
		tap_eq(fk_score(f)->translations, t[i].want, "translations_%s", t[i].name);
		fk_sync(f, V9_SYNC_TLBI);
		records(f, 1);
		tap_eq(fk_score(f)->translations, t[i].want + 1, "translations_%s_tlbi", t[i].name);
		MSR(f, PMBLIMITR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, PMBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | V9_PMBLIMITR_EL1_E |
		    (t[i].nvm ? V9_PMBLIMITR_EL1_nVM : 0));
		fk_sync(f, V9_SYNC_ISB);
		records(f, 1);
		tap_eq(fk_score(f)->translations, t[i].want + 2, "translations_%s_enabled",
		       t[i].name);
		fk_free(f);
	}
}

/* Gaps of MaxSize 128 with records of 64 bytes, 32-byte aligned. shows: SPE-ME6 SPE-PB17 */
static void gaps(void)
{
	static const struct {
		const char *name;
		unsigned int start, want;	/* pointer below the limit; records until full */
	} t[] = {
		{ "gap_max", 192, 2 },		/* 192 - 64 = 128: not full; 64: full */
		{ "gap_max_less_one_unit", 191 - 31, 1 },	/* 160 - 64 = 96 < 128 */
		{ "gap_more", 256, 3 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = fk_new();
		unsigned int n = 0;

		f->cfg.max_size = 7;
		f->cfg.align = 5;
		f->pe.contextidr_el1 = 1;
		fk_init(f);
		fk_start(f, IRR, 1, V9_PMSCR_EL1_CX | V9_PMSCR_EL1_TS | V9_PMSCR_EL1_PA);
		MSR(f, PMSCR_EL1, 0);
		MSR(f, PMBPTR_EL1, FK_BASE + FK_PAGE - t[i].start);
		MSR(f, PMSCR_EL1, V9_PMSCR_EL1_CX | V9_PMSCR_EL1_TS | V9_PMSCR_EL1_PA |
		    V9_PMSCR_EL1_E1SPE);
		while (!f->line && n < 10) {
			fk_one(f, OP_LDR, 0x1000);
			n++;
		}
		tap_eq(n, t[i].want, "%s", t[i].name);
		tap_ok(f->log[0].size == 64 && !(MRS(f, PMBSR_EL1) & DL), "%s_record", t[i].name);
		fk_free(f);
	}
}

/*
 * Records are not padded. One byte of space more or less decides if the buffer is full.
 * shows: SPE-ME6
 */
static void full_to_the_byte(void)
{
	unsigned int left;

	for (left = 62; left < 67; left++) {
		struct fk *f = fk_new();

		f->cfg.align = 0;
		fk_init(f);
		fk_start(f, IRR, 1, 0);
		MSR(f, PMSCR_EL1, 0);
		/* bytes of a record of Other: PC 9, type 2, events 3, two counters 6, end 1 */
		MSR(f, PMBPTR_EL1, FK_BASE + FK_PAGE - left - 21);
		MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
		fk_one(f, OP_NOP, 0);
		tap_ok(f->log[0].size == 21 && f->line == (left < 64), "left_%u", left);
		fk_free(f);
	}
}

/* shows: SPE-ME2 SPE-ME3 */
static void line_is_status(void)
{
	struct fk *f = fk_started(IRR, 16, 0);
	uint64_t icr;

	records(f, 2);
	MSR(f, PMBSR_EL1, S);
	tap_ok(f->line, "software_raises_the_line");
	icr = MRS(f, PMSICR_EL1);
	fk_nops(f, 1000);
	tap_eq(MRS(f, PMSICR_EL1), icr, "counter_frozen_while_s");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + 128, "pointer_frozen_while_s");
	tap_ok(!(v9_pe_activity(f->m, &f->pe) & V9_ACT_SPE), "inactive_while_s");
	MSR(f, PMBSR_EL1, S | 5);
	tap_ok(f->line, "line_stays_up");
	MSR(f, PMBSR_EL1, 5);
	tap_ok(!f->line, "software_drops_the_line");
	tap_eq(MRS(f, PMBSR_EL1), 5, "other_bits_as_written");
	records(f, 1);
	tap_eq(f->nlog, 3, "resumes_when_cleared");
	tap_eq(fk_score(f)->irq_raised, 1, "one_edge");
	fk_free(f);
}

/* Sticky bits survive an event. shows: SPE-ME1 SPE-ME6 SPE-ME14 */
static void sticky_bits(void)
{
	struct fk *f = fk_started(IRR, 1, 0);

	records(f, 62);
	MSR(f, PMSCR_EL1, 0);
	MSR(f, PMBSR_EL1, COLL | DL | EA | ec(0x24) | 0x3f);
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
	records(f, 2);
	tap_eq(MRS(f, PMBSR_EL1), S | COLL | DL | EA | 1, "full_leaves_the_rest");
	fk_free(f);

	f = fk_new();
	f->cfg.lat_total = 300;		/* every second sample collides */
	fk_init(f);
	fk_start(f, IRR, 1, 0);
	while (!f->line)
		fk_nops(f, 1);
	tap_eq(MRS(f, PMBSR_EL1), S | COLL | 1, "full_leaves_a_collision");
	fk_free(f);
}

/* shows: SPE-ME7 SPE-ME8 SPE-PB13 SPE-PB20 */
static void faults_at_record_start(void)
{
	static const struct {
		const char *name;
		uint8_t stage, fsc, ec;
	} t[] = {
		{ "translation_l0", 1, 0x04, 0x24 }, { "translation_l3", 1, 0x07, 0x24 },
		{ "address_size", 1, 0x00, 0x24 }, { "access_flag", 1, 0x0b, 0x24 },
		{ "permission", 1, 0x0f, 0x24 }, { "alignment", 1, 0x21, 0x24 },
		{ "tlb_conflict", 1, 0x30, 0x24 }, { "stage2_translation", 2, 0x06, 0x25 },
		{ "stage2_permission", 2, 0x0f, 0x25 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = fk_started(IRR, 16, 0);

		f->page[1] = (struct fk_page){ FK_FAULT, t[i].stage, t[i].fsc };
		records(f, 64);
		tap_ok(!f->line, "before_%s", t[i].name);
		records(f, 1);
		tap_eq(MRS(f, PMBSR_EL1), S | ec(t[i].ec) | t[i].fsc, "fault_%s", t[i].name);
		tap_ok(MRS(f, PMBPTR_EL1) == FK_BASE + FK_PAGE && f->nlog == 64 && f->line,
		       "pointer_%s", t[i].name);
		tap_ok(fk_score(f)->discarded == 1 && fk_score(f)->passed == 65,
		       "counted_%s", t[i].name);
		tap_eq(fk_score(f)->full, 0, "no_full_buffer_by_a_fault_%s", t[i].name);
		/* CS4: once the page is mapped, the unit continues where it stopped */
		f->page[1].kind = FK_OK;
		MSR(f, PMBSR_EL1, 0);
		records(f, 1);
		tap_eq(f->log[64].at, FK_BASE + FK_PAGE, "restart_%s", t[i].name);
		fk_free(f);
	}
}

/*
 * A record that crosses a page boundary. Only records without padding do.
 * shows: SPE-ME7 SPE-ME12 SPE-CS2
 */
static void fault_inside_a_record(void)
{
	struct fk *f = fk_new();
	unsigned int whole;
	struct fk_rec r;

	f->cfg.align = 0;
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	f->page[1] = (struct fk_page){ FK_FAULT, 1, 0x07 };
	while (!f->line)
		records(f, 1);
	whole = f->nlog;
	tap_ok(FK_PAGE % 21 && whole == FK_PAGE / 21, "whole_records_first");
	tap_eq(MRS(f, PMBSR_EL1), S | DL | ec(0x24) | 0x07, "fault_inside_loses_data");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + FK_PAGE, "fault_address_in_the_pointer");
	tap_ok(fk_decode(f, f->log[whole - 1].at, FK_BASE + whole * 21, &r),
	       "earlier_records_good");
	tap_ok(untouched_outside(f, FK_BASE, FK_BASE + FK_PAGE), "nothing_in_the_bad_page");
	fk_free(f);
}

/*
 * The last record that fits would fill the buffer, but faults: the fault is reported.
 * shows: SPE-ME5
 */
static void priority(void)
{
	struct fk *f = fk_started(IRR, 2, 0);

	records(f, 64 + 63);
	f->page[1] = (struct fk_page){ FK_FAULT, 1, 0x0f };
	records(f, 1);
	tap_eq(MRS(f, PMBSR_EL1), S | ec(0x24) | 0x0f, "fault_before_full");
	fk_free(f);
	f = fk_started(IRR, 2, 0);
	records(f, 64 + 63);
	f->page[1].kind = FK_ABORT;
	records(f, 1);
	tap_eq(MRS(f, PMBSR_EL1), S | EA | ec(0x24) | 0x10, "abort_before_full");
	fk_free(f);

	/* A record of 21 bytes in two pages: its first part aborts, its second part faults. */
	f = fk_new();
	f->cfg.align = 0;
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	records(f, FK_PAGE / 21);
	f->page[0].kind = FK_ABORT;
	f->page[1] = (struct fk_page){ FK_FAULT, 1, 0x0f };
	records(f, 1);
	tap_eq(MRS(f, PMBSR_EL1), S | DL | ec(0x24) | 0x0f, "fault_before_abort");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + FK_PAGE, "fault_before_abort_pointer");
	fk_free(f);
}

/* shows: SPE-ME10 SPE-ME11 SPE-ME12 SPE-ME4 */
static void aborts(void)
{
	struct fk *f = fk_started(IRR, 16, 0);

	f->page[0].kind = FK_ABORT;
	records(f, 1);
	tap_eq(MRS(f, PMBSR_EL1), S | EA | ec(0x24) | 0x10, "sync_abort_at_start");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE, "sync_abort_pointer");
	fk_free(f);

	f = fk_new();
	f->cfg.align = 0;
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	f->page[1].kind = FK_ABORT;
	while (!f->line)
		records(f, 1);
	tap_eq(MRS(f, PMBSR_EL1), S | EA | DL | ec(0x24) | 0x10, "sync_abort_inside");
	tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + FK_PAGE, "sync_abort_inside_pointer");
	fk_free(f);

	f = fk_started(IRR, 16, 0);
	f->page[0] = (struct fk_page){ FK_WALK_ABORT, 2, 0x15 };
	records(f, 1);
	tap_eq(MRS(f, PMBSR_EL1), S | EA | ec(0x25) | 0x15, "abort_on_a_stage_2_walk");
	fk_free(f);

	f = fk_new();
	f->cfg.async_abort = true;
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	f->page[0].kind = FK_ABORT;
	records(f, 1);
	tap_eq(MRS(f, PMBSR_EL1), S | EA | DL | ec(0x24) | 0x11, "async_abort");
	fk_free(f);

	/* an abort that arrives after the buffer filled */
	f = fk_started(IRR, 1, 0);
	records(f, 64);
	v9_enter(f->m, f->cnt, 0, false);
	v9_spe_abort(f->m);
	f->cnt = v9_leave(f->m);
	tap_eq(MRS(f, PMBSR_EL1), S | EA | DL | 1, "abort_after_full");
	tap_eq(fk_score(f)->events, 1, "abort_after_full_is_no_second_event");
	MSR(f, PMBSR_EL1, 0);
	v9_enter(f->m, f->cnt, 0, false);
	v9_spe_abort(f->m);
	f->cnt = v9_leave(f->m);
	tap_ok(MRS(f, PMBSR_EL1) == (S | EA | DL | ec(0x24) | 0x11) && f->line,
	       "late_abort_is_an_event");
	fk_free(f);
}

/*
 * From SPEv1p3 on the unit does not report external aborts of writes and continues; one of
 * a walk is a fault all the same (D17.8.4). shows: SPE-ME10
 */
static void unreported_aborts(void)
{
	static const struct {
		const char *name;
		uint8_t version, ea, id;
	} t[] = {
		{ "v1p2", 3, V9_SPE_EA_REPORTED, 0 }, { "v1p2_ignored", 3, V9_SPE_EA_IGNORED, 1 },
		{ "v1p3", 4, V9_SPE_EA_IGNORED, 1 }, { "v1p3_serror", 4, V9_SPE_EA_SERROR, 2 },
		{ "v1p5", 6, V9_SPE_EA_IGNORED, 1 }, { "v1p5_serror", 6, V9_SPE_EA_SERROR, 2 },
	};
	unsigned int i, delay;

	for (delay = V9_DELAY_OFF; delay <= V9_DELAY_MAX; delay++)
		for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
			bool reported = t[i].ea == V9_SPE_EA_REPORTED;
			struct fk *f = fk_new();

			f->cfg.spe_ea = t[i].ea;
			v9_config_version(&f->cfg, t[i].version);
			f->cfg.delay = delay;
			tap_eq(fk_init(f), 0, "aborts_%s_delay%u", t[i].name, delay);
			tap_eq(MRS(f, PMBIDR_EL1) >> 8 & 15, t[i].id, "pmbidr_%s_delay%u",
			       t[i].name, delay);
			fk_start(f, IRR, 16, 0);
			f->page[0].kind = FK_ABORT;
			records(f, 70);
			fk_sync(f, V9_SYNC_PSB);
			fk_sync(f, V9_SYNC_DSB);
			fk_sync(f, V9_SYNC_ISB);
			fk_sync(f, V9_SYNC_PSB);
			fk_sync(f, V9_SYNC_ISB);
			tap_eq(!!(MRS(f, PMBSR_EL1) & S), reported, "abort_%s_status_delay%u",
			       t[i].name, delay);
			tap_eq(f->serrors > 0, t[i].ea == V9_SPE_EA_SERROR,
			       "abort_%s_exception_delay%u", t[i].name, delay);
			if (reported) {
				fk_free(f);
				continue;
			}
			tap_ok(!MRS(f, PMBSR_EL1) && f->touched[FK_PAGE + 6 * 64 - 1] && !f->line &&
			       MRS(f, PMBPTR_EL1) == FK_BASE + 70 * 64,
			       "abort_%s_continues_delay%u", t[i].name, delay);
			/* an abort that arrives later is not reported, either */
			f->serrors = 0;
			v9_enter(f->m, f->cnt, 0, false);
			v9_spe_abort(f->m);
			f->cnt = v9_leave(f->m);
			tap_ok(!MRS(f, PMBSR_EL1) && f->serrors == (t[i].ea == V9_SPE_EA_SERROR),
			       "abort_%s_later_delay%u", t[i].name, delay);
			f->serrors = 0;
			f->page[1] = (struct fk_page){ FK_WALK_ABORT, 1, 0x17 };
			records(f, 1);
			fk_sync(f, V9_SYNC_ISB);
			fk_sync(f, V9_SYNC_PSB);
			fk_sync(f, V9_SYNC_ISB);
			tap_ok((MRS(f, PMBSR_EL1) & ~EA) == (S | ec(0x24) | 0x17) && !f->serrors,
			       "abort_%s_of_a_walk_delay%u", t[i].name, delay);
			fk_free(f);
		}
}

/* Faults that neither the tables nor the bus of this test cause. shows: SPE-ME7 */
static void made_up(void)
{
	static const struct {
		enum v9_inject what;
		unsigned int fsc;
		const char *name;
	} t[] = {
		{ V9_INJECT_SPE_ALIGNMENT, 0x21, "alignment" },
		{ V9_INJECT_SPE_TLB_CONFLICT, 0x30, "tlb_conflict" },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = fk_started(IRR, 16, 0);

		records(f, 2);
		v9_inject(f->m, t[i].what);
		tap_ok(!f->line, "%s_waits_for_a_record", t[i].name);
		records(f, 1);
		tap_eq(MRS(f, PMBSR_EL1), S | ec(0x24) | t[i].fsc, "%s", t[i].name);
		tap_eq(MRS(f, PMBPTR_EL1), FK_BASE + 2 * 64, "%s_pointer", t[i].name);
		MSR(f, PMBSR_EL1, 0);
		records(f, 1);
		tap_ok(MRS(f, PMBPTR_EL1) == FK_BASE + 3 * 64 && !f->line, "%s_once", t[i].name);
		fk_free(f);
	}
}

/* shows: SPE-PB5 SPE-PM2 SPE-PM3 SPE-PM7 */
static void discard_mode(void)
{
	struct fk *f = fk_started(IRR, 16, 0);

	MSR(f, PMSCR_EL1, 0);
	MSR(f, PMBPTR_EL1, 0x1234567);		/* garbage is allowed */
	MSR(f, PMBLIMITR_EL1, V9_PMBLIMITR_EL1_E | V9_PUT(V9_PMBLIMITR_EL1_FM, 2));
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
	records(f, 10);
	tap_ok(f->nlog == 0 && !f->stores && !f->line && !f->nviolations, "discard_writes_nothing");
	tap_eq(MRS(f, PMBPTR_EL1), 0x1234567, "discard_moves_nothing");
	tap_ok(fk_score(f)->samples == 10 && fk_score(f)->passed == 10 &&
	       fk_score(f)->discarded == 10, "discard_counts");
	fk_free(f);
}

/* Pointers that leave no room. shows: SPE-PB4 SPE-PB2 */
static void bad_pointers(void)
{
	static const struct {
		const char *name;
		uint64_t ptr;
	} t[] = {
		{ "at_limit", FK_BASE + FK_PAGE }, { "past_limit", FK_BASE + FK_PAGE * 3 },
		{ "just_below", FK_BASE + FK_PAGE - 8 }, { "other_top_byte", UINT64_C(1) << 60 },
		{ "wraps", ~UINT64_C(0) - 8 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = fk_started(IRR, 1, 0);

		MSR(f, PMSCR_EL1, 0);
		MSR(f, PMBPTR_EL1, t[i].ptr);
		MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
		records(f, 3);
		tap_ok(f->nviolations == 1 && f->line && !f->stores && !f->nlog, "pointer_%s",
		       t[i].name);
		fk_free(f);
	}
}

/* shows: SPE-PB17 SPE-PK3 SPE-PK4 SPE-PK8 SPE-PK10 */
static void padding(void)
{
	unsigned int align, cmd;

	for (align = 0; align <= 6; align++)
		for (cmd = 0; cmd < 2; cmd++) {
			struct fk *f = fk_new();
			uint64_t at = FK_BASE;
			unsigned int n = 0;
			bool ok = true;

			f->cfg.align = align;
			f->cfg.pad_align = cmd;
			fk_init(f);
			fk_start(f, IRR, 16, 0);
			records(f, 20);
			while (at < MRS(f, PMBPTR_EL1)) {
				struct fk_rec r;
				unsigned int len = fk_decode(f, at, MRS(f, PMBPTR_EL1), &r);

				ok &= len && f->log[n].at == at && f->log[n].size == len &&
				      len % (1u << align) == 0 && len <= 64 &&
				      r.l.pc << 8 == f->log[n].pc << 8;
				n++;
				if (!len)
					break;
				at += len;
			}
			tap_ok(ok && n == 20, "align_%u%s", align, cmd ? "_command" : "");
			fk_free(f);
		}
}

/* shows: SPE-OW4 SPE-OW5 SPE-PB7 */
static void regime(void)
{
	struct fk *f = fk_new();

	f->pe.r.has_el2 = true;
	f->pe.r.mdcr_el2 = 0;
	f->pe.r.hcr_el2 = V9_HCR_EL2_E2H;
	f->pe.r.el = 2;
	fk_init(f);
	MSR(f, PMSCR_EL2, V9_PMSCR_EL2_E2SPE);
	fk_start(f, IRR, 16, 0);
	fk_one(f, OP_NOP, 0);
	tap_ok(f->nlog == 1 && f->last.el == 2 && f->last.e2h && !f->last.nvm, "owner_el2_vhe");
	f->pe.r.el = 1;		/* a guest that its host profiles */
	fk_one(f, OP_NOP, 0);
	tap_ok(f->nlog == 2 && f->last.el == 2, "guest_records_through_the_owner");
	f->pe.r.hcr_el2 = 0;
	fk_one(f, OP_NOP, 0);
	tap_ok(f->nlog == 3 && f->last.el == 2 && !f->last.e2h, "owner_el2_nvhe");
	f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2PB, 3);
	fk_one(f, OP_NOP, 0);
	tap_ok(f->nlog == 4 && f->last.el == 1 && !f->last.e2h, "owner_el1");
	fk_free(f);
}

/*
 * Pointer and limit with a tag in the top byte: whether it is ignored depends on the translation
 * regime. shows: SPE-PB7
 */
static void tagged(void)
{
	const uint64_t tag = UINT64_C(0x5a) << 56;
	unsigned int tbi;

	for (tbi = 0; tbi < 2; tbi++) {
		struct fk *f = fk_started(IRR, 1, 0);

		f->tbi = tbi;
		MSR(f, PMSCR_EL1, 0);
		MSR(f, PMBPTR_EL1, FK_BASE | tag);
		MSR(f, PMBLIMITR_EL1, (FK_BASE + FK_PAGE) | tag | V9_PMBLIMITR_EL1_E);
		MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
		records(f, 1);
		if (tbi)
			tap_ok(f->nlog == 1 && !f->line && f->touched[0] &&
			       MRS(f, PMBPTR_EL1) == ((FK_BASE + 64) | tag),
			       "tagged_pointer_ignored");
		else
			tap_ok(f->line && !f->nlog && MRS(f, PMBPTR_EL1) == (FK_BASE | tag) &&
			       V9_GET(V9_PMBSR_EL1_EC, MRS(f, PMBSR_EL1)) == 0x24,
			       "tagged_pointer_faults");
		tap_eq(f->nviolations, 0, "tagged_pointer_is_no_mistake");
		fk_free(f);
	}
}

/* shows: SPE-MT1 */
static void two_cpus(void)
{
	struct fk *a = fk_started(IRR, 1, 0), *b = fk_started(IRR, 16, 0);

	records(a, 64);
	tap_ok(a->line && !b->line && MRS(b, PMBPTR_EL1) == FK_BASE && !MRS(b, PMBSR_EL1),
	       "cpus_do_not_share");
	fk_free(a);
	fk_free(b);
}

/* D24.7.1, D24.7.5. shows: D24.7.1 */
static void stated_limit(void)
{
	unsigned int pages;

	for (pages = 2; pages <= 4; pages++) {
		struct fk *f = fk_new();

		f->cfg.buffer_limit = 3;
		fk_init(f);
		tap_eq(MRS(f, PMBIDR_EL1) >> 32 & 0xffff, 3, "limit_is_reported_%u", pages);
		fk_start(f, IRR, pages, 0);
		records(f, 3);
		tap_eq(MRS(f, PMBSR_EL1), pages > 3 ? S | 4 : 0, "limit_status_%u", pages);
		tap_eq(f->nlog, pages > 3 ? 0 : 3, "limit_records_%u", pages);
		tap_eq(fk_score(f)->discarded, pages > 3, "limit_discarded_%u", pages);
		tap_ok(f->line == (pages > 3), "limit_line_%u", pages);
		fk_free(f);
	}
}

int main(void)
{
	full();
	gaps();
	translations();
	full_to_the_byte();
	line_is_status();
	sticky_bits();
	faults_at_record_start();
	fault_inside_a_record();
	priority();
	aborts();
	unreported_aborts();
	stated_limit();
	made_up();
	discard_mode();
	bad_pointers();
	padding();
	regime();
	tagged();
	two_cpus();
	return tap_done();
}
