// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace unit of the model: timestamps, cycle counts, synchronization, overflow,
 * flush, and when it is enabled and disabled.
 */
#include "tap.h"
#include "model_story.h"
#include "private.h"

#define BEGIN "sync info on a1000/1"
#define SAC V9_TRCRSCTLRn_GROUP_SAC

/* Timestamps are from the fake clock, which starts at 0x3e8 and increments at each read. */

/* shows: ETE-R_YYWTR ETE-R_RMSVV ETE-R_DGTJZ ETE-R_CWHHW ETE-R_NGXNQ */
static void requests(void)
{
	struct fk *f = tk_started(V9_TRCCONFIGR_TS, 0x1000);

	tk_b(f, 0x1000);			/* of the Trace Info */
	tk_b(f, 0x1000);
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	tk_b(f, 0x1000);
	tk_irq(f, 1, 0x1000);
	tk_eret(f, 0x1000, 1);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	MSR(f, TRFCR_EL1, 0);
	tk_expect(f, BEGIN " E t3e8 EE t3e9 E irq@1000 t3ea a1000 E a1000 E t3eb E",
		"each_request_has_its_timestamp");
	fk_free(f);

	/* requests while nothing is traced: one timestamp, with the next traced element */
	f = tk_ready(V9_TRCCONFIGR_TS);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x2000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x20fc);
	MSR(f, TRCVIIECTLR, 1);
	tk_go(f, 0x2000);
	tk_b(f, 0x2000);
	tk_b(f, 0x1000);
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	MSR(f, TRFCR_EL1, 0);
	tk_expect(f, "sync info on a2000/1 E t3e8 E on a2000 E t3e9 E", "requests_out_of_view");
	fk_free(f);

	f = tk_started(0, 0x1000);
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	tk_irq(f, 1, 0x1000);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(tk_score(f)->packets[V9_ETE_TIMESTAMP], 0, "no_timestamps_unrequested");
	fk_free(f);
}

/* shows: ETE-R_XMJGY ETE-R_YYWTR ETE-R_XLVQM */
static void request_where_prohibited(void)
{
	unsigned int tsb;

	for (tsb = 0; tsb < 2; tsb++) {
		struct fk *f = tk_started(V9_TRCCONFIGR_TS, 0x1000);

		tk_b(f, 0x1000);
		tk_b(f, 0x1000);
		tk_prohibit(f);
		tk_story(f);
		if (tsb)
			fk_sync(f, V9_SYNC_TSB);
		tk_expect_so_far(f, tsb ? BEGIN " E t3e8 E" : BEGIN " E t3e8",
			       tsb ? "tsb_tells_no_time" : "atom_waits");
		tk_run(f, 10);
		tk_permit(f);
		f->pc = 0x2000;
		tk_b(f, 0x2000);
		tk_b(f, 0x2000);
		MSR(f, TRFCR_EL1, 0);
		tk_expect(f, tsb ? BEGIN " E t3e8 E on a2000 E t3e9 E" :
				 BEGIN " E t3e8 E on a2000 EE",
			tsb ? "time_after_a_tsb" : "no_time_without_a_tsb");
		fk_free(f);
	}
}

/* Is EL2 implemented, and enabled? */
enum { NO_EL2, SECURE_WITHOUT_EL2, EL2 };

/*
 * The clock of timestamps: selected by TRFCR_EL2.TS if EL2 is implemented, else by TRFCR_EL1.TS.
 * Values as in Table D3-2; 0b00 in TRFCR_EL1 is reserved.
 */
/* shows: ETE-I_BLBJX */
static void clocks(void)
{
	static const uint8_t by_field[] = {
		[1] = V9_CLOCK_VIRTUAL, [2] = V9_CLOCK_GUEST_PHYSICAL, [3] = V9_CLOCK_PHYSICAL,
	};
	unsigned int el2, ts1, ts2, bad = 0;

	for (el2 = NO_EL2; el2 <= EL2; el2++)
		for (ts2 = 0; ts2 < 4; ts2++)
			for (ts1 = 1; ts1 < 4; ts1++) {
				unsigned int which = by_field[ts2 && el2 != NO_EL2 ? ts2 : ts1];
				struct fk *f = tk_ready(V9_TRCCONFIGR_TS);
				uint64_t before;

				f->pe.r.has_el2 = el2 != NO_EL2;
				f->pe.r.has_el3 = el2 == SECURE_WITHOUT_EL2;
				f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, 3);
				f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSTB, 1) | V9_MDCR_EL3_STE;
				MSR(f, TRFCR_EL2, ts2 << 5);
				fk_sync(f, V9_SYNC_ISB);
				MSR(f, TRCPRGCTLR, 1);
				fk_sync(f, V9_SYNC_ISB);
				MRS(f, TRCSTATR);
				MSR(f, TRFCR_EL1, 3 | ts1 << 5);
				fk_sync(f, V9_SYNC_ISB);
				f->pc = 0x1000;
				before = f->clock[which];
				tk_b(f, 0x1000);
				tk_b(f, 0x1000);
				tk_story(f);
				tk_stop(f);
				if (f->clock[which] != before + 1 ||
				    tk_score(f)->packets[V9_ETE_TIMESTAMP] != 1) {
					tap_note("EL2 %u, TS %u and %u", el2, ts2, ts1);
					bad++;
				}
				fk_free(f);
			}
	tap_eq(bad, 0, "clock_of_the_timestamps");
}

/*
 * Clocks that are less ideal: an offset from that of SPE, steps, and a unit that has no capacity for a timestamp
 * in the first cycles behind one. Each branch is a cycle.
 */
/* shows: ETE-R_RMSVV */
static void poor_clocks(void)
{
	struct fk *f = tk_new();

	f->cfg.ts_offset = 0x5000;
	f->cfg.clock_step = 0x10;
	f->cfg.ts_cycles = 4;
	tk_start(f, V9_TRCCONFIGR_TS, 0x1000);
	tk_b(f, 0x1000);	/* of the Trace Info: there is capacity */
	tk_irq(f, 1, 0x1000);	/* a request, which waits */
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	MSR(f, TRFCR_EL1, 0);
	tk_expect(f, BEGIN " E t53e0 irq@1000 a1000 EEEE t53e0 E", "timestamps_need_capacity");
	fk_free(f);
}

/*
 * The unit traces a branch when it sees the next one, or the next block if it needs that. Where a timestamp may come
 * with the branch it needs it: the time is that of the branch, although the next block is long.
 */
/* shows: ETE-R_DGTJZ */
static void time_of_a_branch(void)
{
	struct fk *f = tk_started(V9_TRCCONFIGR_TS, 0x1000);

	tk_b(f, 0x1000);
	tap_ok(v9_trace_needs_block(f->m), "requested_timestamp_is_of_the_branch");
	tk_b(f, 0x1000);
	tap_ok(!v9_trace_needs_block(f->m), "without_a_request_a_branch_waits");
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	tap_ok(v9_trace_needs_block(f->m), "isb_requests_one");
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tap_ok(!v9_trace_needs_block(f->m), "request_is_served");
	tk_stop(f);
	fk_free(f);

	f = tk_started(0, 0x1000);
	tk_b(f, 0x1000);
	tap_ok(!v9_trace_needs_block(f->m), "without_timestamps_a_branch_waits");
	tk_stop(f);
	fk_free(f);
}

/* shows: ETE-R_SZRZR ETE-R_BZQWX ETE-R_JMLLY ETE-R_BMVKB ETE-R_TVWLZ ETE-R_ZMQLT */
static void cycle_counts(void)
{
	struct fk *f = tk_ready(V9_TRCCONFIGR_CCI | V9_TRCCONFIGR_TS);
	uint64_t before, after;
	char want[128];

	MSR(f, TRCCCCTLR, 8);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);		/* unknown; the timestamp has no earlier count */
	tk_run(f, 4);
	tk_b(f, 0x1000);		/* 5: less than the threshold */
	tk_run(f, 4);
	tk_b(f, 0x1000);		/* 10 since the last count */
	tk_run(f, 2);
	tk_p0(f, TK_ISB, 0, 0x1000);	/* 3 in the timestamp; the next count includes it */
	tk_run(f, 6);
	tk_b(f, 0x1000);		/* 10 again */
	MSR(f, TRFCR_EL1, 0);
	tk_expect(f, BEGIN " E y? t3e8+0 EE y10 E t3e9+3 E y10", "cycles_between_counts");
	fk_free(f);

	/* A count that is equal to the threshold is written, one less is not. */
	f = tk_ready(V9_TRCCONFIGR_CCI);
	MSR(f, TRCCCCTLR, 8);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);		/* unknown */
	tk_run(f, 7);
	tk_b(f, 0x1000);		/* 8 */
	tk_run(f, 6);
	tk_b(f, 0x1000);		/* 7 */
	tk_b(f, 0x1000);		/* 8 since the last count */
	MSR(f, TRFCR_EL1, 0);
	tk_expect(f, BEGIN " E y? E y8 EE y8", "cycles_equal_to_the_threshold");
	fk_free(f);

	/* in a prohibited region cycles follow the physical clock */
	f = tk_ready(V9_TRCCONFIGR_CCI);
	MSR(f, TRCCCCTLR, 4);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_prohibit(f);
	before = f->clock[V9_CLOCK_PHYSICAL];
	f->clock[V9_CLOCK_PHYSICAL] += 1000;
	tk_run(f, 3);
	tk_permit(f);
	after = f->clock[V9_CLOCK_PHYSICAL];
	f->pc = 0x1000;
	tk_run(f, 2);
	tk_b(f, 0x1000);
	MSR(f, TRFCR_EL1, 0);
	snprintf(want, sizeof(want), BEGIN " E y? on a1000 E y%u",
		 (unsigned int)(after - before + 3));
	tk_expect(f, want, "cycles_where_prohibited");
	fk_free(f);
}

/* shows: ETE-R_PGHPW ETE-R_DLPYX ETE-R_SVGNN ETE-R_SPYTT ETE-R_SMLVB */
static void synchronization(void)
{
	struct fk *f = tk_ready(0);
	unsigned int i, infos = 0, complete = 0;
	const char *s;

	MSR(f, TRCSYNCPR, 8);
	tk_go(f, 0x1000);
	for (i = 0; i < 300; i++)
		tk_p0(f, TK_BR, 0, 0x1000 + i % 7 * 0x10000);
	tk_stop(f);
	s = tk_story(f);
	tap_ok(!strstr(s, "bad"), "periodic_sync_can_be_decoded");
	for (; (s = strstr(s, "sync info ")); s++) {
		infos++;
		/* only Trace On may precede the address with context */
		s += strlen("sync info ");
		if (!strncmp(s, "on ", 3))
			s += 3;
		complete += s[0] == 'a' && strcspn(s, "/") < strcspn(s, " ");
	}
	tap_ok(infos > 3 && complete == infos, "each_trace_info_has_context_and_address");
	fk_free(f);

	/* nothing selected: only events and synchronization; then context and address follow */
	f = tk_ready(0);
	MSR(f, TRCSYNCPR, 8);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x9000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x9000);
	MSR(f, TRCVIIECTLR, 1);
	MSR(f, TRCEVENTCTL0R, 1 << 8 | 1 << 16);
	MSR(f, TRCEVENTCTL1R, 2);
	tk_go(f, 0x1000);
	tk_run(f, 300);
	tk_b(f, 0x9000);
	tk_b(f, 0x1000);
	tk_stop(f);
	s = tk_story(f);
	tap_ok(!strncmp(s, "sync info v2 v2 v2", 18), "events_out_of_view");
	tap_eq(tk_score(f)->packets[V9_ETE_EVENT], 302, "one_event_packet_for_each_cycle");
	tap_eq(tk_score(f)->packets[V9_ETE_ADDRESS], 1, "no_address_out_of_view");
	s = strrchr(s, 'v');
	tap_ok(s && !strcmp(s, "v2 on a9000/1 E"), "context_and_address_with_the_next_trace_on");
	tap_eq(tk_score(f)->syncs, 2, "synchronized_out_of_view");
	fk_free(f);

	/* an event is traced with the P0 element of its block, never after the next one */
	f = tk_ready(0);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x2004);
	tk_select(f, 2, SAC, 1);
	MSR(f, TRCEVENTCTL0R, 2 << 8);
	MSR(f, TRCEVENTCTL1R, 2);
	tk_go(f, 0x1000);
	tk_b(f, 0x2000);
	tk_run(f, 3);
	tk_b(f, 0x3000);
	tk_b(f, 0x3000);
	tk_expect(f, BEGIN " E v2 EE", "event_between_its_p0_elements");
	fk_free(f);
}

/* The sink does not accept trace: the effects of an overflow */
/* shows: ETE-R_SHYMY ETE-R_TMPZZ ETE-R_PQGXB ETE-R_QZPJD ETE-R_ZVNKV ETE-R_MVFYN ETE-R_HRYKY */
static void overflow(void)
{
	struct fk *f = tk_ready(0);

	fk_msr(f, V9_SYS_TRCACVR(0), 0x1000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x2004);
	tk_select(f, 2, SAC, 2);
	MSR(f, TRCEVENTCTL0R, 2 << 8 | 2 << 16);
	MSR(f, TRCEVENTCTL1R, 2);
	fk_msr(f, V9_SYS_TRCCNTVR(0), 100);
	fk_msr(f, V9_SYS_TRCCNTCTLR(0), 1);
	MSR(f, TRCVISSCTLR, 1);
	MSR(f, TRCVICTLR, 1);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x2000);
	tk_p0(f, TK_BR, 0, 0x2000);
	tk_block(f);				/* commits: one atom is lost with its address */
	f->m->cfg.trbe_reject = 1;
	tk_p0(f, TK_BR, 0, 0x2000);
	tk_block(f);
	tk_run(f, 2);				/* the event at 2004 */
	tk_b(f, 0x2008);
	tk_block(f);
	tk_p0(f, TK_A64_BEQ(f->pc, 0x2000), 0, f->pc + 4);
	tap_ok(f->m->ete.lost, "in_overflow");
	tap_ok(MRS(f, TRCRSR) & V9_TRCRSR_TA, "ta_is_preserved_in_overflow");
	f->m->cfg.trbe_reject = 0;
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_ok(strstr(tk_story(f), " v2 overflow sync info on a") &&
	       !strstr(tk_story(f), "bad"), "event_of_the_overflow_comes_before_it");
	tap_eq(tk_score(f)->overflows, 1, "one_overflow");
	tap_eq(tk_score(f)->extout[2], 1, "event_counted_in_overflow");
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(0)), 100 - 11, "counter_runs_in_overflow");
	tap_ok(MRS(f, TRCVICTLR) & V9_TRCVICTLR_SSSTATUS, "started_all_the_same");
	fk_free(f);

	/* the overflow is traced before a flush completes, and before the unit is idle */
	f = tk_started(0, 0x1000);
	tk_b(f, 0x1000);
	f->m->cfg.trbe_reject = 1;
	tk_p0(f, TK_BR, 0, 0x2000);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tk_prohibit(f);
	fk_sync(f, V9_SYNC_TSB);
	tap_ok(f->m->ete.lost, "still_in_overflow");
	f->m->cfg.trbe_reject = 0;
	fk_sync(f, V9_SYNC_TSB);
	tk_expect_so_far(f, "overflow", "overflow_before_a_flush_is_answered");
	tk_expect(f, "overflow", "overflow_once");
	fk_free(f);
	f = tk_started(0, 0x1000);
	f->m->cfg.trbe_reject = 1;
	tk_p0(f, TK_BR, 0, 0x2000);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tk_prohibit(f);
	f->m->cfg.trbe_reject = 0;
	MSR(f, TRCPRGCTLR, 0);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, TRCSTATR), 3, "idle_after_an_overflow");
	tk_expect_so_far(f, "overflow", "overflow_before_idle");
	fk_free(f);
}

/* Queued trace is output at TSB CSYNC where prohibited, when disabled, and by a flush request. */
/* shows: ETE-R_JLRQH ETE-R_HGYLG ETE-R_ZDTLK ETE-R_RFJQN ETE-R_WDWGV ETE-R_ZJJKY */
static void flushes(void)
{
	unsigned int how;

	for (how = 0; how < 4; how++) {
		static const char *const name[] = {
			"no_flush", "flush_by_tsb", "flush_by_disabling", "flush_by_trigger",
		};
		struct fk *f = tk_started(0, 0x1000);

		tk_b(f, 0x1000);
		tk_b(f, 0x1000);
		tk_block(f);
		switch (how) {
		case 1:
			tk_prohibit(f);
			fk_sync(f, V9_SYNC_TSB);
			break;
		case 2:
			MSR(f, TRCPRGCTLR, 0);
			fk_sync(f, V9_SYNC_ISB);
			MRS(f, TRCSTATR);
			break;
		case 3:
			v9_trbe_trigger(f->m);
			fk_sync(f, V9_SYNC_ISB);
			break;
		}
		/* no Commit, no Discard: no P0 element is unresolved. A trigger does not output the
		 * last branch, because execution continues. */
		tk_expect_so_far(f, !how ? BEGIN : how == 3 ? BEGIN " E" : BEGIN " EE", name[how]);
		fk_free(f);
	}
}

/*
 * Trace uses the other output, TRCEVENTCTL1R.OE, only if the Trace Buffer Unit is disabled. If OE
 * is 0, too, the model discards it.
 */
/* shows: ETE-R_HBBDV ETE-R_RPHPJ ETE-R_FTSZG ETE-R_PJYKY ETE-R_MMCKW */
static void other_output(void)
{
	static const struct {
		const char *name;
		bool v1p3, oe, buffer, out;
	} cases[] = {
		{ "no_other_output", false, true, false, false },
		{ "other_output_disabled", true, false, false, false },
		{ "other_output_enabled", true, true, false, true },
		{ "buffer_before_other_output", true, true, true, false },
		{ "buffer_alone", true, false, true, false },
	};
	struct fk *f;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		const struct v9_trace_score *s;

		f = tk_new();
		f->cfg.ite = cases[i].v1p3;
		tk_init(f);
		tk_buffer(f, 8, 0);
		if (!cases[i].buffer)
			MSR(f, TRBLIMITR_EL1, 0);
		tap_eq(MRS(f, TRCIDR5) >> 31, cases[i].v1p3, "%s_idr5", cases[i].name);
		tk_program(f, 0);
		MSR(f, TRCEVENTCTL1R, (uint64_t)cases[i].oe << 13);
		tap_eq(MRS(f, TRCEVENTCTL1R), cases[i].v1p3 && cases[i].oe ? 0x2000 : 0,
		       "%s_control", cases[i].name);
		tk_go(f, 0x1000);
		tk_p0(f, TK_BR, 0, 0x2000);
		tk_b(f, 0x1000);
		tk_stop(f);
		s = tk_score(f);
		tap_ok(s->bytes && s->out == (cases[i].out ? s->bytes : 0) &&
		       s->off == (cases[i].buffer ? 0 : s->bytes), "%s", cases[i].name);
		fk_free(f);
	}
	/* A Trace unit reset disables it. */
	f = tk_new();
	f->cfg.ite = true;
	tk_init(f);
	MSR(f, TRCEVENTCTL1R, 0x2000);
	fk_sync(f, V9_SYNC_ISB);
	v9_model_reset(f->m, V9_RESET_COLD);
	tap_eq(MRS(f, TRCEVENTCTL1R) & 0x2000, 0, "other_output_after_reset");
	fk_free(f);
}

/* shows: ETE-R_NLSSL ETE-R_SVDBD TRBE-EN10 TRBE-EN8 */
static void no_buffer(void)
{
	struct fk *f = tk_new();

	tk_init(f);
	MSR(f, TRBLIMITR_EL1, 0);
	tk_program(f, 0);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_p0(f, TK_BR, 0, 0x2000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_prohibit(f);
	MSR(f, TRCPRGCTLR, 0);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, TRCSTATR), 3, "idle_without_a_buffer");
	tap_ok(tk_score(f)->bytes > 20 && tk_score(f)->off == tk_score(f)->bytes &&
	       !tk_score(f)->accepted && !f->stores && !tk_score(f)->overflows,
	       "all_of_it_is_dropped_without_a_buffer");
	fk_free(f);

	other_output();
	f = tk_started(0, 0x1000);
	tk_p0(f, TK_BR, 0, 0x2000);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_ok(!tk_score(f)->off && tk_score(f)->written == tk_score(f)->bytes,
	       "all_of_it_is_in_the_buffer");
	fk_free(f);
}

/* Writes take effect at the next context synchronization event, and not before. */
/* shows: ETE-I_KWCGH ETE-R_MDZDN ETE-R_ZVNKV ETE-R_GLTKQ */
static void enabling(void)
{
	struct fk *f = tk_new();
	unsigned int n;

	f->cfg.delay = V9_DELAY_MAX;
	tk_setup(f, 0);
	fk_sync(f, V9_SYNC_ISB);
	tk_permit(f);
	MSR(f, TRCPRGCTLR, 1);
	f->pc = 0x2000;
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tap_ok(!tk_on(f) && !tk_score(f)->p0, "not_enabled_before_isb");
	fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	f->pc = 0x1000;
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_expect(f, BEGIN " EE", "enabled_after_isb");
	fk_free(f);

	/* enabled again before it is idle */
	f = tk_new();
	f->cfg.delay = V9_DELAY_MAX;
	tk_start(f, 0, 0x1000);
	tk_prohibit(f);
	fk_sync(f, V9_SYNC_TSB);
	MSR(f, TRCPRGCTLR, 0);
	fk_sync(f, V9_SYNC_ISB);
	n = f->nviolations;
	tap_eq(MRS(f, TRCSTATR), 0, "not_stable_yet");
	MSR(f, TRCPRGCTLR, 1);
	tap_ok(f->nviolations == n + 1 && !strcmp(f->violation.rule, "ETE-R_MDZDN"),
	       "enabled_before_it_was_idle");
	fk_free(f);
}

/* TRCSTATR must be read once between context synchronization events, before other accesses. */
/* shows: ETE-S_HSXGZ */
static void looking(void)
{
	struct fk *f = tk_started(0, 0x1000);

	fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	tap_eq(f->nviolations, 0, "looked_at_with_isb");
	MRS(f, TRCSTATR);
	tap_ok(f->nviolations == 1 && !strcmp(f->violation.rule, "ETE-S_HSXGZ"),
	       "looked_at_without_isb");
	fk_free(f);
	f = tk_ready(0);
	MSR(f, TRCPRGCTLR, 1);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(f->nviolations, 0, "enabled_and_not_looked_at");
	MRS(f, TRCCONFIGR);
	tap_ok(f->nviolations == 1 && !strcmp(f->violation.rule, "ETE-S_HSXGZ"),
	       "other_register_first");
	fk_free(f);
	f = tk_ready(0);
	MSR(f, TRCPRGCTLR, 0);		/* no change */
	MRS(f, TRCCONFIGR);
	tap_eq(f->nviolations, 0, "nothing_changed_nothing_to_look_at");
	fk_free(f);
}

/*
 * Accesses while the unit is idle, and the violations. r and w read and write: s TRCSTATR, c TRCCONFIGR,
 * f TRFCR_EL1, F TRFCR_EL2, t TRCITECR_EL1, T TRCITECR_EL2, 1 and 0 TRCPRGCTLR, + TRCCLAIMSET, - TRCCLAIMCLR.
 * | is an ISB.
 */
static void accesses(void)
{
	static const struct {
		const char *name, *does, *want;
		bool late;
	} t[] = {
		{ "idle_twice", "rs rs", "", false },
		{ "claimed_and_idle_twice", "w+ rs rs", "", false },
		{ "unclaimed_and_idle_twice", "w- rs rs", "", false },
		{ "written_and_idle_twice", "wc rs rs | rs rs", "ETE-S_HSXGZ TRCSTATR", false },
		{ "register_first", "w1 | rc rc", "ETE-S_HSXGZ TRCCONFIGR", false },
		{ "written_first", "w1 | w+ w-", "ETE-S_HSXGZ TRCCLAIMSET", false },
		{ "disabled_register_first", "w1 | rs w0 | rc", "ETE-S_HSXGZ TRCCONFIGR", false },
		{ "registers_of_the_pe", "w1 | rf rF rt rT wf wF wt wT rs", "", false },
		{ "same_value", "w0 rc | wc", "", false },
		{ "enabled_twice", "w1 | rs rs", "ETE-S_HSXGZ TRCSTATR", false },
		{ "enabled_in_turn", "w1 | rs | rs | rs", "", false },
		{ "disabled_and_idle_twice", "w1 | rs w0 | rs rs", "", false },
		{ "not_idle_twice", "w1 | rs w0 | rs rs", "ETE-S_HSXGZ TRCSTATR", true },
		{ "enabled_before_idle", "w1 | rs w0 | rs w1", "ETE-R_MDZDN TRCPRGCTLR", true },
		{ "disabled_before_idle", "w1 | rs w0 | rs w0 | | |", "", true },
		{ "enabled_when_idle", "w1 | rs w0 | | | rs w1", "", true },
		{ "busy", "w1 | rs wc", "ETE-R_RWYQD TRCCONFIGR", false },
		{ "busy_by_a_write", "w1 wc", "ETE-S_HSXGZ TRCCONFIGR, ETE-R_RWYQD TRCCONFIGR", false },
	};
	static const char letters[] = "scfFtT10+-";
	static const uint32_t enc[] = {
		V9_SYS_TRCSTATR, V9_SYS_TRCCONFIGR, V9_SYS_TRFCR_EL1, V9_SYS_TRFCR_EL2, V9_SYS_TRCITECR_EL1,
		V9_SYS_TRCITECR_EL2, V9_SYS_TRCPRGCTLR, V9_SYS_TRCPRGCTLR, V9_SYS_TRCCLAIMSET, V9_SYS_TRCCLAIMCLR,
	};

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_new();
		char got[512] = "";

		f->cfg.ite = true;
		f->cfg.delay = t[i].late ? V9_DELAY_MAX : V9_DELAY_OFF;
		f->pe.r.has_el2 = true;
		tk_setup(f, 0);
		fk_sync(f, V9_SYNC_ISB);
		f->violations = fmemopen(got, sizeof(got), "w");
		for (const char *c = t[i].does; *c; c++) {
			uint32_t reg;

			if (*c == '|')
				fk_sync(f, V9_SYNC_ISB);
			if (*c != 'r' && *c != 'w')
				continue;
			reg = enc[strchr(letters, c[1]) - letters];
			if (*c == 'r')
				fk_mrs(f, reg);
			else
				fk_msr(f, reg, c[1] == '1');
			c++;
		}
		fclose(f->violations);
		f->violations = NULL;
		if (!tap_ok(!strcmp(got, t[i].want), "accesses_%s", t[i].name))
			tap_note("%s", got);
		fk_free(f);
	}
}

/*
 * A change of the filter takes effect at some moment up to the next context
 * synchronization event, once: what is traced is a beginning, or an end, of the run.
 */
/* shows: ETE-R_NRLDV TRBE-L9 TRBE-SY2 */
static void switched_once(void)
{
	unsigned int seed, on, early[2] = { 0, 0 }, late[2] = { 0, 0 }, bad = 0;

	for (on = 0; on < 2; on++)
		for (seed = 0; seed < 60; seed++) {
			struct fk *f = tk_new();
			uint64_t n;
			unsigned int i;

			f->cfg.delay = V9_DELAY_RANDOM;
			f->cfg.seed = seed;
			tk_start(f, 0, 0x1000);
			if (on)
				tk_prohibit(f);
			MSR(f, TRFCR_EL1, on ? 3 : 0);
			f->pc = 0x1000;
			for (i = 0; i < 10; i++)
				tk_p0(f, TK_BR, 0, 0x1000);
			tk_block(f);
			n = tk_score(f)->p0;
			bad += n != 0 && n != 10;
			if (n == (on ? 10 : 0))
				early[on]++;
			else
				late[on]++;
			fk_sync(f, V9_SYNC_ISB);
			f->pc = 0x1000;
			for (i = 0; i < 10; i++)
				tk_p0(f, TK_BR, 0, 0x1000);
			tk_block(f);
			bad += tk_score(f)->p0 != n + (on ? 10 : 0);
			fk_free(f);
		}
	tap_eq(bad, 0, "filter_switches_once");
	tap_ok(early[0] && late[0] && early[1] && late[1], "filter_switches_early_and_late");
}

/* Two PEs have two units, which are independent. */
/* shows: ETE-R_KBZTZ */
static void two_units(void)
{
	struct fk *a = tk_started(0, 0x1000), *b;

	tk_b(a, 0x1000);
	tk_b(a, 0x2000);
	b = tk_started(V9_TRCCONFIGR_CID, 0x5000);
	b->pe.contextidr_el1 = 9;
	tk_b(b, 0x5000);
	tap_eq(MRS(a, TRCCONFIGR) & V9_TRCCONFIGR_CID, 0, "registers_are_of_their_pe");
	tk_b(a, 0x2000);
	tk_expect(a, BEGIN " EEE", "stream_of_one_pe");
	tk_expect(b, "sync info on a5000/1:9 E", "stream_of_the_other");
	fk_free(a);
	fk_free(b);
}

/* A unit that may stall the PE does so instead of an overflow. shows: ETE-R_SCLVV ETE-R_YSPHL */
static void stalling(void)
{
	static const struct {
		const char *name;
		uint64_t ctl;
		bool lost, waits;
	} cases[] = {
		{ "no_stall", 0, true, false },
		{ "stall_at_no_level", V9_TRCSTALLCTLR_ISTALL, true, false },
		{ "stall_sometimes", V9_TRCSTALLCTLR_ISTALL | 8, true, true },
		{ "stall_until_nothing_is_lost",
		  V9_TRCSTALLCTLR_ISTALL | V9_TRCSTALLCTLR_NOOVERFLOW, false, true },
	};
	struct fk *f;
	unsigned int i, k;

	for (i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		f = tk_new();
		f->cfg.ete_stall = true;
		tk_setup(f, 0);
		MSR(f, TRCSTALLCTLR, cases[i].ctl);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		f->m->cfg.trbe_reject = 1;
		for (k = 0; k < 50; k++) {
			tk_p0(f, TK_BR, 0, 0x2000 + 64 * k);
			tk_block(f);
		}
		f->m->cfg.trbe_reject = 0;
		tk_stop(f);
		tap_ok(!!tk_score(f)->lost == cases[i].lost &&
		       !!tk_score(f)->overflows == cases[i].lost &&
		       !!tk_score(f)->stalls == cases[i].waits &&
						!f->nviolations, "%s", cases[i].name);
		fk_free(f);
	}

	f = tk_new();
	f->cfg.ete_stall = true;
	tk_init(f);
	tap_eq(MRS(f, TRCIDR3) & 0x8c000000, 0x8c000000, "stall_is_reported");
	tk_buffer(f, 8, 0);
	tk_program(f, 0);
	MSR(f, TRCSTALLCTLR, V9_TRCSTALLCTLR_NOOVERFLOW);
	tk_enable(f);
	tap_ok(f->nviolations == 1 && !strcmp(f->violation.rule, "ETE-R_YSPHL"),
	       "no_overflow_without_stall_logged");
	fk_free(f);
}

/*
 * The unit, which is to trace 2000 to 20fc alone, and traced one branch there. It may have 8 P0 elements that are not
 * committed. It ran @n times 200 instructions and a branch elsewhere since, and is back.
 */
static struct fk *far_away(unsigned int n)
{
	struct fk *f = tk_new();

	f->cfg.maxspec = 8;
	f->cfg.spec_what = 0;
	f->cfg.spec_wrong = 0;
	tk_setup(f, V9_TRCCONFIGR_CCI | V9_TRCCONFIGR_TS);
	MSR(f, TRCCCCTLR, 4);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x2000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x20fc);
	MSR(f, TRCVIIECTLR, 1);
	tk_go(f, 0x2000);
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	tk_b(f, 0x1000);
	while (n--) {
		tk_run(f, 200);
		tk_b(f, 0x1000);
	}
	tk_b(f, 0x2000);
	tk_p0(f, TK_ISB, 0, f->pc + 4);
	tk_b(f, 0x2000);
	MSR(f, TRFCR_EL1, 0);
	return f;
}

#define FAR "sync info on a2000/1 E t3e8 k1 y? E on a2000"

/*
 * A Timestamp element has no count before the first Cycle Count element, and neither of the two has one of more than 20
 * bits. The Timestamp element of an ISB precedes the Commit element. shows: ETE-R_JNSWW ETE-R_PFZXK
 */
static void unknown_counts(void)
{
	struct fk *f = far_away(0);

	tk_expect(f, FAR " E t3e9+2 k2 E k1", "time_before_the_first_count");
	fk_free(f);
	f = far_away(5000);
	/* 201 cycles each, and 2 or 3 */
	tk_expect(f, FAR " E t3e9+1005002 k2 y1005003 E k1", "count_of_20_bits");
	fk_free(f);
	f = far_away(6000);
	tk_expect(f, FAR " E t3e9 k2 y? E k1", "count_of_more_than_20_bits");
	fk_free(f);
}

int main(void)
{
	unknown_counts();
	requests();
	request_where_prohibited();
	clocks();
	poor_clocks();
	time_of_a_branch();
	cycle_counts();
	synchronization();
	overflow();
	flushes();
	no_buffer();
	enabling();
	looking();
	accesses();
	switched_once();
	two_units();
	stalling();
	return tap_done();
}
