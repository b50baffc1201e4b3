// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace unit of the model: counters, sequencer, single shots, external inputs and
 * events, running and paused. Each instruction is a cycle.
 */
#include "tap.h"
#include "model_story.h"

#define BEGIN "sync info on a1000/1"
#define EXTIN V9_TRCRSCTLRn_GROUP_EXTIN
#define COUNTER V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER
#define SHOT V9_TRCRSCTLRn_GROUP_SSCC
#define SAC V9_TRCRSCTLRn_GROUP_SAC

static void cycles(struct fk *f, unsigned int n)
{
	tk_run(f, n - 1);
	tk_b(f, 0x1000);
	tk_block(f);
	tk_p0(f, TK_ISB, 0, 0x1000);	/* ends the block before it; takes a cycle */
}

/* One cycle of a counter, as in the two tables of the manual */
/* shows: ETE-R_SBQPN ETE-R_YLYPH ETE-R_KXLKC ETE-R_RBMQM */
static void counter_table(void)
{
	static const struct {
		uint8_t self, reload, down, value, after, zero;
	} t[] = {
		/* Normal mode */
		{ 0, 0, 0, 0, 0, 1 }, { 0, 0, 1, 0, 0, 1 }, { 0, 0, 0, 5, 5, 0 },
		{ 0, 0, 1, 5, 4, 0 }, { 0, 1, 0, 0, 9, 1 }, { 0, 1, 1, 0, 9, 1 },
		{ 0, 1, 0, 5, 9, 0 }, { 0, 1, 1, 5, 9, 0 },
		/* Self-reload mode */
		{ 1, 0, 0, 0, 0, 0 }, { 1, 0, 0, 5, 5, 0 }, { 1, 0, 1, 0, 9, 1 },
		{ 1, 0, 1, 5, 4, 0 }, { 1, 1, 0, 0, 9, 0 }, { 1, 1, 1, 0, 9, 0 },
		{ 1, 1, 0, 5, 9, 0 }, { 1, 1, 1, 5, 9, 0 },
	};
	unsigned int i, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_ready(0);

		fk_msr(f, V9_SYS_TRCCNTVR(0), t[i].value);
		fk_msr(f, V9_SYS_TRCCNTRLDVR(0), 9);
		fk_msr(f, V9_SYS_TRCCNTCTLR(0), (t[i].self ? V9_TRCCNTCTLRn_RLDSELF : 0) |
		       t[i].reload << 8 | t[i].down);
		/* event 0 is the counter at zero in the same cycle; event 1 counts cycles */
		tk_select(f, 2, COUNTER, 1);
		MSR(f, TRCEVENTCTL0R, 2 | 1 << 8);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		tk_stop(f);
		if (fk_mrs(f, V9_SYS_TRCCNTVR(0)) != t[i].after ||
		    tk_score(f)->extout[0] != t[i].zero || tk_score(f)->extout[1] != 1 ||
		    f->nviolations) {
			tap_note("row %u: value %u, at zero %u", i,
				 (unsigned int)fk_mrs(f, V9_SYS_TRCCNTVR(0)),
				 (unsigned int)tk_score(f)->extout[0]);
			bad++;
		}
		fk_free(f);
	}
	tap_eq(bad, 0, "counter_tables");
}

/* shows: ETE-R_YLYPH ETE-R_WPWQD ETE-R_KXLKC */
static void counter_runs(void)
{
	struct fk *f = tk_ready(0);

	/* the first counts from 2 to 0 and reloads every third cycle; the second counts reloads */
	fk_msr(f, V9_SYS_TRCCNTVR(0), 2);
	fk_msr(f, V9_SYS_TRCCNTRLDVR(0), 2);
	fk_msr(f, V9_SYS_TRCCNTCTLR(0), V9_TRCCNTCTLRn_RLDSELF | 1);
	fk_msr(f, V9_SYS_TRCCNTVR(1), 100);
	fk_msr(f, V9_SYS_TRCCNTCTLR(1), V9_TRCCNTCTLRn_CNTCHAIN);
	tk_select(f, 2, COUNTER, 1);
	MSR(f, TRCEVENTCTL0R, 2);
	tk_go(f, 0x1000);
	tk_run(f, 29);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(tk_score(f)->extout[0], 10, "at_zero_each_third_cycle");
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(1)), 90, "chained_counter_counts_reloads");
	fk_free(f);

	/* chained: it counts reloads by the event, too, in addition to its own decrements */
	f = tk_ready(0);
	fk_msr(f, V9_SYS_TRCCNTVR(0), 7);
	fk_msr(f, V9_SYS_TRCCNTRLDVR(0), 7);
	fk_msr(f, V9_SYS_TRCCNTCTLR(0), 2 << 8);	/* reloads when 1004 is executed */
	fk_msr(f, V9_SYS_TRCACVR(0), 0x1004);
	tk_select(f, 2, SAC, 1);
	fk_msr(f, V9_SYS_TRCCNTVR(1), 100);
	fk_msr(f, V9_SYS_TRCCNTCTLR(1), V9_TRCCNTCTLRn_CNTCHAIN);
	tk_go(f, 0x1000);
	tk_run(f, 3);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(1)), 99, "chained_counter_counts_reload_events");
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(0)), 7, "counter_without_events_stands");
	fk_free(f);
}

/* The states of the sequencer that are active in the cycle of a transition */
/* shows: ETE-R_HQHFT ETE-R_NPVRQ */
static void states_passed(void)
{
	static const struct {
		uint8_t from, up, down, reset, seen, to;
	} t[] = {
		{ 0, 0, 0, 0, 0x1, 0 }, { 0, 7, 0, 0, 0xf, 3 }, { 0, 3, 0, 0, 0x7, 2 },
		{ 3, 0, 7, 0, 0xf, 0 }, { 3, 0, 6, 0, 0xe, 1 }, { 1, 2, 1, 0, 0x6, 2 },
		{ 0, 7, 0, 1, 0x1, 0 }, { 3, 0, 7, 1, 0x1, 0 }, { 2, 0, 0, 0, 0x4, 2 },
	};
	unsigned int i, k, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_ready(0);
		unsigned int seen = 0;

		for (k = 0; k < 3; k++)
			fk_msr(f, V9_SYS_TRCSEQEVR(k), (t[i].up >> k & 1) |
			       (t[i].down >> k & 1) << 8);
		MSR(f, TRCSEQRSTEVR, t[i].reset);
		MSR(f, TRCSEQSTR, t[i].from);
		for (k = 0; k < 4; k++)
			tk_select(f, 2 + k, COUNTER, 0x10 << k);
		MSR(f, TRCEVENTCTL0R, 2 | 3 << 8 | 4 << 16 | 5 << 24);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		tk_stop(f);
		for (k = 0; k < 4; k++)
			seen |= !!tk_score(f)->extout[k] << k;
		if (seen != t[i].seen || MRS(f, TRCSEQSTR) != t[i].to) {
			tap_note("row %u: seen %#x", i, seen);
			bad++;
		}
		fk_free(f);
	}
	tap_eq(bad, 0, "states_passed_are_active");
}

/* shows: ETE-R_QDJVV ETE-R_SXSQT ETE-R_NRSGN */
static void constants(void)
{
	struct fk *f = tk_ready(0);

	MSR(f, TRCEVENTCTL0R, 0 | 1 << 8);
	tk_go(f, 0x1000);
	tk_run(f, 4);
	tk_b(f, 0x1000);
	tk_prohibit(f);
	tk_run(f, 7);
	tk_stop(f);
	tap_eq(tk_score(f)->extout[0], 0, "selector_0_is_false");
	tap_eq(tk_score(f)->extout[1], 5, "selector_1_is_true_while_running");
	fk_free(f);

	/* Two pairs of selectors: neither selector 4 nor the pair of 4 and 5 exists. */
	for (unsigned int i = 0; i < 3; i++) {
		static const unsigned int events[] = { 1, 4, 0x82 };
		const unsigned int event = events[i];

		f = tk_new();
		f->cfg.ete_minimal = true;
		tk_setup(f, 0);
		MSR(f, TRCEVENTCTL0R, event);
		tk_go(f, 0x1000);
		tk_run(f, 4);
		tk_b(f, 0x1000);
		tk_stop(f);
		tap_eq(tk_score(f)->extout[0], event == 1 ? 5 : 0, "minimal_unit_event_%#x", event);
		fk_free(f);
	}
}

/* shows: ETE-R_YCNCR ETE-R_RFWZB ETE-R_QPDHK */
static void inputs(void)
{
	static const struct {
		uint16_t number;
		uint8_t e2tre, seen;
	} t[] = {
		{ 0x4018, 1, 1 }, { 0x4019, 1, 1 }, { 0x401a, 1, 1 }, { 0x401b, 1, 1 },
		{ 0x400c, 1, 1 }, { 0x400d, 1, 1 }, { 0x400e, 1, 1 }, { 0x400f, 1, 1 },
		{ 0x400f, 0, 0 }, { 0x0000, 1, 0 }, { 0x0003, 1, 0 }, { 0x4010, 1, 0 },
		{ 0x4017, 1, 0 }, { 0x401c, 1, 0 },
	};
	unsigned int i, bad = 0;
	struct fk *f;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		f = tk_ready(0);
		f->pe.r.has_el2 = true;
		f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, 3);
		MSR(f, TRFCR_EL2, t[i].e2tre ? V9_TRFCR_EL2_E2TRE : 0);
		fk_msr(f, V9_SYS_TRCEXTINSELR(2), t[i].number);
		tk_select(f, 2, EXTIN, 4);
		MSR(f, TRCEVENTCTL0R, 2 << 8);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		tk_prohibit(f);
		v9_trace_input(f->m, t[i].number);
		v9_trace_input(f->m, t[i].number);
		bad += MRS(f, TRCRSR) % 16 != (t[i].seen ? 4 : 0);
		tk_permit(f);
		tk_b(f, 0x1000);
		tk_b(f, 0x1000);
		tk_stop(f);
		if (tk_score(f)->extout[1] != t[i].seen) {
			tap_note("event %#x: %u", t[i].number,
				 (unsigned int)tk_score(f)->extout[1]);
			bad++;
		}
		fk_free(f);

		/* where tracing is allowed, each has an effect; twice in a cycle counts once */
		f = tk_ready(0);
		fk_msr(f, V9_SYS_TRCEXTINSELR(2), t[i].number);
		tk_select(f, 2, EXTIN, 4);
		MSR(f, TRCEVENTCTL0R, 2 << 8);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		tk_block(f);
		v9_trace_input(f->m, t[i].number);
		v9_trace_input(f->m, t[i].number);
		tk_b(f, 0x1000);
		tk_stop(f);
		bad += tk_score(f)->extout[1] != 1;
		fk_free(f);
	}
	tap_eq(bad, 0, "inputs_where_prohibited");

	/* PMU events: each cycle, each instruction, and one that does not occur here */
	f = tk_ready(0);
	fk_msr(f, V9_SYS_TRCEXTINSELR(0), 0x11);
	fk_msr(f, V9_SYS_TRCEXTINSELR(1), 0x08);
	fk_msr(f, V9_SYS_TRCEXTINSELR(2), 0x07);
	tk_select(f, 2, EXTIN, 1);
	tk_select(f, 3, EXTIN, 2);
	tk_select(f, 4, EXTIN, 4);
	MSR(f, TRCEVENTCTL0R, 2 | 3 << 8 | 4 << 16);
	tk_go(f, 0x1000);
	tk_run(f, 9);
	tk_b(f, 0x1000);
	tk_stop(f);
	tap_eq(tk_score(f)->extout[0], 10, "cycles_as_an_input");
	tap_eq(tk_score(f)->extout[1], 10, "instructions_as_an_input");
	tap_eq(tk_score(f)->extout[2], 0, "an_event_that_never_happens");
	fk_free(f);
}

/* shows: ETE-R_XGMPN */
static void software_increments(void)
{
	static const struct {
		uint8_t el, el2, ns, hpmn;
		uint32_t counters;
		uint8_t seen;
	} t[] = {
		{ 1, 1, 1, 4, 0x08, 1 }, { 1, 1, 1, 4, 0x10, 0 }, { 0, 1, 1, 4, 0x08, 1 },
		{ 0, 1, 1, 4, 0x10, 0 }, { 2, 1, 1, 4, 0x10, 1 }, { 2, 1, 1, 4, 0x00, 0 },
		{ 1, 0, 1, 4, 0x10, 1 }, { 1, 1, 0, 4, 0x10, 1 }, { 1, 1, 1, 31, 0x40000000, 1 },
		{ 1, 1, 1, 0, 0x01, 0 },
	};
	unsigned int i, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_ready(0);

		fk_msr(f, V9_SYS_TRCEXTINSELR(0), 0);
		tk_select(f, 2, EXTIN, 1);
		MSR(f, TRCEVENTCTL0R, 2);
		f->pe.r.has_el2 = t[i].el2;
		f->pe.r.has_el3 = true;
		f->pe.r.scr_el3 = t[i].ns ? V9_SCR_EL3_NS : 0;	/* Secure: EL2 is not enabled */
		f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSTB, t[i].ns ? 3 : 1) | V9_MDCR_EL3_STE;
		f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_HPMN, t[i].hpmn);
		MSR(f, TRFCR_EL2, V9_TRFCR_EL2_E2TRE);
		tk_go(f, 0x1000);
		f->pe.r.el = t[i].el;
		fk_sync(f, V9_SYNC_CSE);
		tk_block(f);
		v9_trace_swinc(f->m, t[i].counters);
		/* all four external input selectors select event 0 */
		if (MRS(f, TRCRSR) % 16 != (t[i].seen ? 15 : 0)) {
			tap_note("row %u: %u", i, (unsigned int)MRS(f, TRCRSR) % 16);
			bad++;
		}
		fk_free(f);
	}
	tap_eq(bad, 0, "software_increments");
}

/* Pending resource events at the begin of a prohibited region are delayed, not lost. */
/* shows: ETE-R_BCMYM ETE-R_SWNFV ETE-R_PWBZK ETE-R_RDCGC ETE-R_FHYQW ETE-R_FCBLJ ETE-R_NKKSN */
static void paused(void)
{
	unsigned int seed, waited = 0, done = 0, bad = 0;

	for (seed = 0; seed < 64; seed++) {
		struct fk *f = tk_new();
		uint64_t events, pending;

		f->cfg.delay = seed ? V9_DELAY_RANDOM : V9_DELAY_MAX;
		f->cfg.seed = seed;
		tk_setup(f, 0);
		fk_msr(f, V9_SYS_TRCACVR(0), 0x1008);
		tk_select(f, 2, SAC, 1);
		tk_select(f, 3, SHOT, 1);
		MSR(f, TRCSSCCR0, 1);
		MSR(f, TRCEVENTCTL0R, 2 << 8 | 3 << 16);
		MSR(f, TRCEVENTCTL1R, 6);
		tk_go(f, 0x1000);
		tk_run(f, 2);
		tk_b(f, 0x1000);	/* at 1008: matches */
		MSR(f, TRFCR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		fk_sync(f, V9_SYNC_TSB);
		/* resources are Paused: no change */
		events = MRS(f, TRCRSR) & V9_TRCRSR_EVENT;
		pending = MRS(f, TRCSSCSR0);
		tk_run(f, 5);
		fk_sync(f, V9_SYNC_ISB);
		fk_sync(f, V9_SYNC_TSB);
		bad += (MRS(f, TRCRSR) & V9_TRCRSR_EVENT) != events;
		bad += MRS(f, TRCSSCSR0) != pending;
		/* either all events happened before, or all are pending */
		if (pending == V9_TRCSSCSRn_PENDING) {
			waited++;
			bad += events != V9_PUT(V9_TRCRSR_EVENT, 2);
			bad += tk_score(f)->extout[1] || tk_score(f)->extout[2];
		} else {
			done++;
			bad += pending != V9_TRCSSCSRn_STATUS || events;
			bad += tk_score(f)->extout[1] != 1 || tk_score(f)->extout[2] != 1;
		}
		tk_permit(f);
		f->pc = 0x3000;
		tk_b(f, 0x3000);
		tk_b(f, 0x3000);
		tk_stop(f);
		bad += tk_score(f)->extout[1] != 1 || tk_score(f)->extout[2] != 1;
		bad += MRS(f, TRCSSCSR0) != V9_TRCSSCSRn_STATUS;
		bad += (MRS(f, TRCRSR) & V9_TRCRSR_EVENT) != 0;
		bad += tk_score(f)->packets[V9_ETE_EVENT] < 1;
		fk_free(f);
	}
	tap_eq(bad, 0, "paused_resources_lose_nothing");
	tap_ok(waited > 8 && done > 8, "both_ways_were_seen");
}

/* Events and single shots that software wrote as pending, when the unit is enabled */
/* shows: ETE-R_BCMYM ETE-R_SWNFV ETE-R_KCXLF */
static void pending_at_enable(void)
{
	unsigned int status, again;
	struct fk *f = tk_ready(0);

	MSR(f, TRCRSR, V9_TRCRSR_TA | V9_PUT(V9_TRCRSR_EVENT, 0xa) | 1);
	MSR(f, TRCEVENTCTL1R, 0x8);
	fk_msr(f, V9_SYS_TRCEXTINSELR(0), 0x4018);
	tk_select(f, 2, EXTIN, 1);
	MSR(f, TRCEVENTCTL0R, 2 << 16);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_expect(f, "sync info v8 on a1000/1 EE", "event_pending_at_enable");
	tap_ok(tk_score(f)->extout[1] == 1 && tk_score(f)->extout[3] == 1 &&
	       tk_score(f)->extout[2] == 1 && !tk_score(f)->extout[0], "pending_for_one_cycle");
	tap_eq(MRS(f, TRCRSR), V9_TRCRSR_TA, "pending_bits_are_clear");
	fk_free(f);

	for (status = 0; status < 2; status++)
		for (again = 0; again < 2; again++) {
			f = tk_ready(0);
			MSR(f, TRCSSCCR0, again ? V9_TRCSSCCRn_RST : 0);
			MSR(f, TRCSSCSR0, V9_TRCSSCSRn_PENDING |
			    (status ? V9_TRCSSCSRn_STATUS : 0));
			tk_select(f, 2, SHOT, 1);
			MSR(f, TRCEVENTCTL0R, 2);
			tk_go(f, 0x1000);
			tk_b(f, 0x1000);
			tk_b(f, 0x1000);
			tk_stop(f);
			tap_eq(tk_score(f)->extout[0], again || !status,
			       "pending_shot_status_%u_rst_%u", status, again);
			tap_eq(MRS(f, TRCSSCSR0), V9_TRCSSCSRn_STATUS,
			       "pending_is_over_status_%u_rst_%u", status, again);
			fk_free(f);
		}
}

/* shows: ETE-R_YFLJT ETE-R_NKKSN ETE-R_BPTKT */
static void disabled(void)
{
	struct fk *f = tk_ready(0);
	uint64_t n;

	fk_msr(f, V9_SYS_TRCCNTVR(0), 1000);
	fk_msr(f, V9_SYS_TRCCNTCTLR(0), 1);
	MSR(f, TRCEVENTCTL0R, 1);
	tk_go(f, 0x1000);
	cycles(f, 10);
	MSR(f, TRCPRGCTLR, 0);
	fk_sync(f, V9_SYNC_ISB);
	n = tk_score(f)->bytes;
	tap_eq(MRS(f, TRCSTATR), 3, "disabled_is_idle");
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(0)), 1000 - 11, "counter_before_disabling");
	f->pc = 0x1000;
	tk_run(f, 7);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	v9_trace_input(f->m, 0x400d);
	fk_sync(f, V9_SYNC_TSB);
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(0)), 1000 - 11, "counter_stands_when_disabled");
	tap_eq(tk_score(f)->extout[0], 11, "no_events_when_disabled");
	tap_eq(MRS(f, TRCRSR) & 15, 0, "no_inputs_when_disabled");
	tap_eq(tk_score(f)->bytes, n, "no_trace_when_disabled");
	fk_free(f);
}

/* Registers that the unit changes can be read while it is enabled. */
/* shows: ETE-R_WPWWS ETE-R_WZQWC ETE-R_RBMQM */
static void readable(void)
{
	struct fk *f = tk_ready(0);

	fk_msr(f, V9_SYS_TRCCNTVR(0), 1000);
	fk_msr(f, V9_SYS_TRCCNTCTLR(0), 1);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x1000);
	tk_select(f, 2, SAC, 1);
	fk_msr(f, V9_SYS_TRCSEQEVR(0), 2);
	MSR(f, TRCSSCCR0, 1);
	tk_go(f, 0x1000);
	cycles(f, 3);
	cycles(f, 3);
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(0)), 1000 - 7, "counter_can_be_read");
	tap_eq(MRS(f, TRCSEQSTR), 1, "sequencer_can_be_read");
	tap_eq(MRS(f, TRCSSCSR0), V9_TRCSSCSRn_STATUS, "single_shot_can_be_read");
	MSR(f, TRCCLAIMSET, 4);
	tap_eq(MRS(f, TRCCLAIMCLR), 4, "claim_can_be_read");
	tk_stop(f);
	tap_eq(fk_mrs(f, V9_SYS_TRCCNTVR(0)), 1000 - 8, "counter_after_disabling");
	fk_free(f);
}

static struct fk *with_pe_inputs(void)
{
	struct fk *f = tk_new();

	f->cfg.pe_inputs = 2;
	tk_setup(f, 0);
	return f;
}

/* Comparators of the PE itself. shows: ETE-R_CNVSS ETE-R_BDWHM */
static void pe_inputs(void)
{
	struct fk *f = with_pe_inputs();
	const struct v9_trace_score *s = tk_score(f);
	uint64_t insns;

	tap_eq(V9_GET(V9_TRCIDR4_NUMPC, MRS(f, TRCIDR4)), 2, "pe_inputs_are_reported");
	MSR(f, TRCVIPCSSCTLR, ~UINT64_C(0));
	tap_eq(MRS(f, TRCVIPCSSCTLR), 0x30003, "pe_inputs_that_are_not_there");
	MSR(f, TRCVIPCSSCTLR, 0);
	tk_select(f, 2, V9_TRCRSCTLRn_GROUP_PE, 2);
	MSR(f, TRCEVENTCTL0R, 2 << 8);
	tk_go(f, 0x1000);
	tk_b(f, 0x1000);
	tk_block(f);
	v9_trace_pe_inputs(f->m, 1);		/* a comparator that is not selected */
	cycles(f, 3);
	tap_eq(s->extout[1], 0, "pe_input_not_selected");
	v9_trace_pe_inputs(f->m, 2);
	cycles(f, 3);
	tap_eq(s->extout[1], 1, "pe_input_is_an_event");
	tk_prohibit(f);
	v9_trace_pe_inputs(f->m, 2);
	tk_permit(f);
	cycles(f, 3);
	tap_eq(s->extout[1], 1, "pe_input_where_prohibited");
	tk_stop(f);
	tap_eq(f->nviolations, 0, "pe_inputs_break_no_rule");
	tk_select(f, 2, V9_TRCRSCTLRn_GROUP_PE, 4);
	tk_go(f, 0x1000);
	tap_ok(f->nviolations == 1 && !strcmp(f->violation.rule, "ETE-R_CNVSS"),
	       "pe_input_beyond_logged");
	fk_free(f);

	/* Start and stop by PE comparators */
	f = with_pe_inputs();
	s = tk_score(f);
	MSR(f, TRCVICTLR, 1);
	MSR(f, TRCVIPCSSCTLR, V9_PUT(V9_TRCVIPCSSCTLR_START, 1) | V9_PUT(V9_TRCVIPCSSCTLR_STOP, 2));
	tk_go(f, 0x1000);
	cycles(f, 3);
	tap_eq(s->insns, 0, "waits_for_a_pe_input");
	v9_trace_pe_inputs(f->m, 1);
	cycles(f, 3);
	cycles(f, 3);
	insns = s->insns;
	v9_trace_pe_inputs(f->m, 2);
	cycles(f, 3);
	tap_ok(insns >= 7 && s->insns > insns, "pe_input_starts");
	insns = s->insns;
	cycles(f, 3);
	cycles(f, 3);
	tk_stop(f);
	tap_eq(s->insns, insns, "pe_input_stops");
	fk_free(f);

	f = tk_new();
	f->cfg.pe_inputs = 9;
	tap_eq(tk_init(f), -EINVAL, "nine_pe_inputs");
	fk_free(f);
}

int main(void)
{
	counter_table();
	counter_runs();
	states_passed();
	constants();
	inputs();
	software_increments();
	paused();
	pending_at_enable();
	disabled();
	readable();
	pe_inputs();
	return tap_done();
}
