// SPDX-License-Identifier: GPL-2.0-only
/*
 * The litmus tests of the trace unit and the Trace Buffer Unit, with the longest delays that the
 * architecture allows. With all barriers, a test must have the guaranteed outcome. Without one of
 * them, it must have the other outcome, or it would detect nothing.
 */
#include "tap.h"
#include "model_story.h"
#include "private.h"

#define LIMIT (FK_BASE + 2 * FK_PAGE)
static struct fk *late(void)
{
	struct fk *f = tk_new();

	f->cfg.delay = V9_DELAY_MAX;
	tk_init(f);
	tk_buffer(f, 2, 0);
	tk_program(f, 0);
	tk_go(f, 0x1000);
	return f;
}

/* The traced instructions "A": some branches with an address each */
static void traced(struct fk *f)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		tk_p0(f, TK_BR, 0, 0x1000 + i * 0x10000);
	tk_block(f);
}

static void cse(struct fk *f, bool really)
{
	if (really)
		fk_sync(f, V9_SYNC_ISB);
}

/* The end of each test: all barriers, as in a correct driver */
static void all_barriers(struct fk *f)
{
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_TSB);
	fk_sync(f, V9_SYNC_DSB);
	fk_sync(f, V9_SYNC_ISB);
}

/* MSR X; CSE; A: the trace of A uses the new X, and its indirect write of X comes later. */
/* shows: TRBE-L1 TRBE-UN9 TRBE-SY1 ETE-R_BFJKD */
static void l1(void)
{
	unsigned int barrier;

	for (barrier = 0; barrier < 2; barrier++) {
		struct fk *f = late();
		uint64_t moved;

		traced(f);
		MSR(f, TRFCR_EL1, 0);
		all_barriers(f);
		MSR(f, TRBLIMITR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		moved = MRS(f, TRBPTR_EL1);
		tk_permit(f);
		MSR(f, TRBPTR_EL1, FK_BASE + 0x800);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, TRBLIMITR_EL1, LIMIT | 1);
		cse(f, barrier);
		f->pc = 0x1000;
		traced(f);
		tap_eq(tk_score(f)->off > 0, !barrier, "l1_%s_dropped",
		       barrier ? "synchronized_is_not" : "unsynchronized_is");
		all_barriers(f);
		MSR(f, TRFCR_EL1, 0);
		all_barriers(f);
		if (barrier)
			tap_ok(moved > FK_BASE && MRS(f, TRBPTR_EL1) > FK_BASE + 0x800,
			       "l1_pointer_moves_on_from_the_write");
		fk_free(f);
	}
}

/* Number of bytes in memory from @from of trace of mis-speculated instructions */
static unsigned int mis_speculated(const struct fk *f, uint64_t from)
{
	unsigned int i, n = 0;

	for (i = from - FK_BASE; i < FK_SIZE; i++)
		n += f->touched[i] && f->mem[i] == 0x70;
	return n;
}

/* MSR X; CSE; A, then S, which is mis-speculated: the trace of S uses the new X, too. */
/* shows: TRBE-L6 TRBE-SY11 */
static void l6(void)
{
	unsigned int barrier;

	for (barrier = 0; barrier < 2; barrier++) {
		struct fk *f = late();
		uint64_t made, moved;

		traced(f);
		MSR(f, TRFCR_EL1, 0);
		all_barriers(f);
		MSR(f, TRBLIMITR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		moved = mis_speculated(f, FK_BASE);
		made = tk_score(f)->packets[V9_ETE_IGNORE];
		tk_permit(f);
		f->m->cfg.mis_speculated = 1;
		MSR(f, TRBPTR_EL1, FK_BASE + 0x800);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, TRBLIMITR_EL1, LIMIT | 1);
		cse(f, barrier);
		f->pc = 0x1000;
		traced(f);
		all_barriers(f);
		MSR(f, TRFCR_EL1, 0);
		all_barriers(f);
		made = tk_score(f)->packets[V9_ETE_IGNORE] - made;
		tap_ok(!moved && made >= 4 &&
		       (mis_speculated(f, FK_BASE + 0x800) == made) == barrier,
		       "l6_%s_dropped", barrier ? "synchronized_is_not" : "unsynchronized_is");
		if (barrier)
			tap_ok(MRS(f, TRBPTR_EL1) >= FK_BASE + 0x800 + made &&
			       mis_speculated(f,
					      FK_BASE) == made, "l6_pointer_moves_on_from_the_write");
		fk_free(f);
	}
}

/* A, then S; CSE to a prohibited region; TSB; DSB; load: the trace of S is in memory. */
/* shows: TRBE-L7 TRBE-SY11 */
static void l7(void)
{
	unsigned int tsb, dsb;

	for (tsb = 0; tsb < 2; tsb++)
		for (dsb = 0; dsb < 2; dsb++) {
			struct fk *f = late();
			uint64_t made;

			f->m->cfg.mis_speculated = 1;
			traced(f);
			MSR(f, TRFCR_EL1, 0);
			fk_sync(f, V9_SYNC_ISB);
			made = tk_score(f)->packets[V9_ETE_IGNORE];
			if (tsb)
				fk_sync(f, V9_SYNC_TSB);
			if (dsb)
				fk_sync(f, V9_SYNC_DSB);
			tap_ok(made >= 3 && (mis_speculated(f, FK_BASE) == made) == (tsb && dsb),
			       "l7_tsb%u_dsb%u", tsb, dsb);
			fk_free(f);
		}
}

/* A; CSE; TSB; MSR X: the trace of A used the old X, and the write is the last one. */
/* shows: TRBE-L2 TRBE-L8 TRBE-SY5 TRBE-UN10 */
static void l2(void)
{
	unsigned int tsb;

	for (tsb = 0; tsb < 2; tsb++) {
		struct fk *f = late();
		unsigned int n;

		f->m->cfg.cu_disable = V9_CU_DISABLE_DROP;
		traced(f);
		MSR(f, TRFCR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		if (tsb)
			fk_sync(f, V9_SYNC_TSB);
		n = f->nviolations;
		MSR(f, TRBLIMITR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, TRBPTR_EL1, FK_BASE + 0x800);
		all_barriers(f);
		tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 0x800, "l2_write_is_last_tsb%u", tsb);
		tap_eq(f->touched[0], tsb, "l2_trace_used_the_old_pointer_tsb%u", tsb);
		tap_eq(f->touched[0x800], 0, "l2_nothing_at_the_new_one_tsb%u", tsb);
		tap_eq(f->nviolations - n, !tsb, "l2_logged_tsb%u", tsb);
		fk_free(f);
	}
}

/* Change of tables; TLBI; DSB; CSE; A: the trace of A uses the new tables. */
/* shows: TRBE-L4 TRBE-AT14 TRBE-AT11 */
static void l4(void)
{
	unsigned int seed, dsb, isb;

	for (dsb = 0; dsb < 2; dsb++)
		for (isb = 0; isb < 2; isb++) {
			unsigned int old = 0, new = 0;

			for (seed = 0; seed < 80; seed++) {
				struct fk *f = tk_new();

				f->cfg.delay = V9_DELAY_RANDOM;
				f->cfg.seed = seed;
				tk_init(f);
				tk_buffer(f, 2, 0);
				tk_program(f, 0);
				tk_go(f, 0x1000);
				traced(f);
				fk_sync(f, V9_SYNC_ISB);
				fk_sync(f, V9_SYNC_TSB);	/* the page is in use */
				f->moved = 8 * FK_PAGE;
				fk_sync(f, V9_SYNC_TLBI);
				if (dsb)
					fk_sync(f, V9_SYNC_DSB);
				if (isb)
					fk_sync(f, V9_SYNC_ISB);
				memset(f->touched, 0, sizeof(f->touched));
				traced(f);
				traced(f);
				MSR(f, TRFCR_EL1, 0);
				all_barriers(f);
				if (memchr(f->touched, 1, FK_PAGE))
					old++;
				if (memchr(f->touched + 8 * FK_PAGE, 1, FK_PAGE))
					new++;
				fk_free(f);
			}
			tap_ok(dsb && isb ? !old : old > 0, "l4_old_page_dsb%u_isb%u", dsb, isb);
			tap_ok(new > 0, "l4_new_page_dsb%u_isb%u", dsb, isb);
		}
}

/* A cached translation is not used with other tables. */
/* shows: TRBE-AT11 */
static void other_tables(void)
{
	struct fk *f = late();

	traced(f);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_TSB);
	f->pe.regime = 7;
	f->moved = 8 * FK_PAGE;
	traced(f);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(f->nviolations, 0, "nothing_logged_yet");
	fk_sync(f, V9_SYNC_TSB);
	fk_sync(f, V9_SYNC_DSB);
	tap_ok(memchr(f->touched + 8 * FK_PAGE, 1, FK_PAGE), "looked_up_in_the_new_tables");
	fk_free(f);
}

/* A, with an external abort; CSE; TSB; DSB; CSE; MRS TRBSR: the abort is visible. */
/* shows: TRBE-L10 TRBE-SY9 TRBE-SY4 TRBE-EA3 */
static void l10(void)
{
	static const struct {
		const char *name;
		uint8_t sync[3];
		bool seen;
	} t[] = {
		{ "tsb_dsb_cse", { V9_SYNC_TSB, V9_SYNC_DSB, V9_SYNC_ISB }, true },
		{ "tsb_cse_dsb", { V9_SYNC_TSB, V9_SYNC_ISB, V9_SYNC_DSB }, false },
		{ "tsb_cse", { V9_SYNC_TSB, V9_SYNC_ISB, V9_SYNC_ISB }, false },
		{ "dsb_cse", { V9_SYNC_DSB, V9_SYNC_ISB, V9_SYNC_ISB }, false },
	};
	unsigned int i, k;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = late();

		f->page[0].kind = FK_ABORT;
		traced(f);
		MSR(f, TRFCR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		for (k = 0; k < 3; k++)
			fk_sync(f, t[i].sync[k]);
		tap_eq(!!(MRS(f, TRBSR_EL1) & V9_TRBSR_EL1_EA), t[i].seen, "l10_%s", t[i].name);
		fk_free(f);
	}
}

/* A; entry to Debug state; TSB; DSB: the entry synchronizes as an ISB does. */
/* shows: TRBE-L11 TRBE-SY12 */
static void l11(void)
{
	unsigned int entry;

	for (entry = 0; entry < 2; entry++) {
		struct fk *f = late();

		traced(f);
		if (entry) {
			fk_exception(f, &(struct v9_exc){ .ret = f->pc, .to_el = 1,
							  .debug = true });
			f->pe.r.debug = true;
		}
		fk_sync(f, V9_SYNC_TSB);
		fk_sync(f, V9_SYNC_DSB);
		tap_eq(f->touched[0], entry, "l11_%s_debug_entry", entry ? "with" : "without");
		fk_free(f);
	}
}

/* A; CSE; B; TSB while tracing continues: all trace of A is written, that of B need not be. */
/* shows: TRBE-L12 TRBE-SY4 */
static void l12(void)
{
	struct fk *f = late();
	uint64_t before;

	traced(f);
	fk_sync(f, V9_SYNC_ISB);
	before = tk_score(f)->bytes;
	traced(f);
	fk_sync(f, V9_SYNC_TSB);
	tap_ok(before > 20 && tk_score(f)->written == before, "l12_what_came_before_the_cse");
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_TSB);
	tap_ok(tk_score(f)->written > before, "l12_the_rest_after_the_next");
	fk_free(f);
}

/* TSB CSYNC is executed again after an interrupt: it has no more effect. */
/* shows: TRBE-SY6 TRBE-SY10 TRBE-SY3 */
static void again(void)
{
	struct fk *f = late();
	uint64_t ptr, n;

	traced(f);
	MSR(f, TRFCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_TSB);
	n = tk_score(f)->written;
	tap_ok(n && n == tk_score(f)->bytes, "tsb_leaves_nothing");
	tk_irq(f, 1, 0x1800);
	tk_run(f, 3);
	fk_eret(f, 0x1000, 1);
	fk_sync(f, V9_SYNC_TSB);
	fk_sync(f, V9_SYNC_DSB);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(tk_score(f)->written, n, "tsb_again_writes_nothing");
	ptr = MRS(f, TRBPTR_EL1);
	tap_eq(ptr, FK_BASE + n, "pointer_after_both");
	/* enabled again where tracing is prohibited: no trace until the end of the region */
	MSR(f, TRCPRGCTLR, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	MSR(f, TRCPRGCTLR, 1);
	fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	traced(f);
	all_barriers(f);
	tap_eq(MRS(f, TRBPTR_EL1), ptr, "enabled_where_prohibited_is_silent");
	tk_permit(f);
	traced(f);
	MSR(f, TRFCR_EL1, 0);
	all_barriers(f);
	tap_ok(MRS(f, TRBPTR_EL1) > ptr, "and_begins_where_allowed");
	tap_eq(f->nviolations, 0, "breaks_no_rule");
	fk_free(f);
}

int main(void)
{
	l1();
	l2();
	l6();
	l7();
	l4();
	other_tables();
	l10();
	l11();
	l12();
	again();
	return tap_done();
}
