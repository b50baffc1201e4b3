// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trace unit of the model when it sees speculative execution: bytes typed from D5.3. Each branch is
 * predicted wrongly in the same way, with wrong paths of a given length, whose P0 elements are E Atoms.
 */
#include "tap.h"
#include "model_trace.h"

#define ASYNC 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define AT_1000 0x82, 0x00, 0x08, 0x00, 0x00, 0x31	/* Target Address with Context: EL1 */
#define BEGIN ASYNC, 0x01, 0x00, 0x04, AT_1000
#define COMMIT(n) 0x2d, n
#define N8(x) x, x, x, x, x, x, x, x

/* The unit, not enabled. @wrong: P0 elements of each wrong path */
static struct fk *unit(unsigned int maxspec, unsigned int what, int wrong, bool commopt)
{
	struct fk *f = tk_new();

	f->cfg.maxspec = maxspec;
	f->cfg.commopt = commopt;
	f->cfg.spec_rate = 1;
	f->cfg.spec_what = what;
	f->cfg.spec_wrong = wrong;
	tk_init(f);
	tk_buffer(f, 8, 0);
	return f;
}

static struct fk *started(unsigned int maxspec, unsigned int what, int wrong, uint64_t config)
{
	struct fk *f = unit(maxspec, what, wrong, true);

	tk_program(f, config);
	tk_go(f, 0x1000);
	return f;
}

static void not_taken(struct fk *f)
{
	tk_p0(f, TK_A64_BEQ(f->pc, 0x3000), 0, f->pc + 4);
}

static void taken(struct fk *f)
{
	tk_p0(f, TK_A64_BEQ(f->pc, 0x2000), TK_Z, 0x2000);
}

/* The bytes so far */
#define SO_FAR(f, name, ...) \
	tk_is(f, MRS(f, TRBPTR_EL1) - FK_BASE, (const uint8_t[]){ __VA_ARGS__ }, \
	      sizeof((const uint8_t[]){ __VA_ARGS__ }), name)

/* shows: ETE-R_GLQPL ETE-R_VVFQZ */
static void ids(void)
{
	struct fk *f = unit(0x123, 0, 0, false);

	tap_eq(MRS(f, TRCIDR8), 0x123, "maxspec_in_trcidr8");
	tap_eq(MRS(f, TRCIDR0) >> 29 & 1, 0, "commit_mode_0");
	fk_free(f);
	f = unit(1, 0, 0, true);
	tap_eq(MRS(f, TRCIDR0) >> 29 & 1, 1, "commit_mode_1");
	f->cfg.maxspec = 0;
	f->cfg.commopt = false;
	tap_eq(tk_init(f), -EINVAL, "commit_mode_0_needs_speculation");
	f->cfg.commopt = true;
	f->cfg.spec_rate = 0;
	tap_eq(tk_init(f), -EINVAL, "rate_0_is_refused");
	fk_free(f);
}

/* shows: ETE-R_PNBGQ ETE-R_YKLRM ETE-R_GLQPL ETE-R_NQPPX ETE-R_QHQLY ETE-R_XXFBC ETE-R_CKZMR */
static void commits(void)
{
	struct fk *f = started(8, 0, 0, 0);
	unsigned int i;

	not_taken(f);
	not_taken(f);
	not_taken(f);
	TK_IS(f, "committed_before_the_end", BEGIN, 0xf8, COMMIT(3));

	/* the second of four commits the first one by itself, and so on: two are left */
	f = started(2, 0, 0, 0);
	for (i = 0; i < 4; i++)
		taken(f);
	TK_IS(f, "beyond_maxspec_is_implied", BEGIN, 0xc0, COMMIT(2));

	f = started(300, 0, 0, 0);
	for (i = 0; i < 24 * 8 + 4; i++)
		taken(f);
	TK_IS(f, "commit_of_two_bytes", BEGIN, N8(0xd4), 0xc0, COMMIT(0xc4), 0x01);

	/* an ISB synchronizes: nothing of what follows it is there before it is committed */
	f = started(8, 0, 0, 0);
	not_taken(f);
	tk_p0(f, TK_ISB, 0, 0x1008);
	not_taken(f);
	TK_IS(f, "committed_behind_isb", BEGIN, 0xda, COMMIT(2), 0xf6, COMMIT(1));

	/* an exception and its return */
	f = started(8, 0, 0, 0);
	not_taken(f);
	tk_irq(f, 1, 0x1800);
	tk_eret(f, 0x1004, 1);
	not_taken(f);
	TK_IS(f, "committed_behind_exception_and_return", BEGIN, 0xf6, 0x06, 0x1d, 0x95, 0x01,
	      COMMIT(2), 0x95, 0x80, 0x0c, 0xf7, COMMIT(1), 0x91, 0xf6, COMMIT(1));

	f = started(8, 0, 0, 0);
	not_taken(f);
	tk_irq(f, 1, 0x1800);
	tk_irq(f, 1, 0x1800);
	TK_IS(f, "committed_between_exceptions", BEGIN, 0xf6, 0x06, 0x1d, 0x95, 0x01, COMMIT(2),
	      0x06, 0x5c, 0x95, 0x80, 0x0c, COMMIT(1));

	/* where tracing is prohibited, with the next flush; and when the unit is disabled */
	f = started(8, 0, 0, 0);
	not_taken(f);
	MSR(f, TRFCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_TSB);
	SO_FAR(f, "committed_by_tsb", BEGIN, 0xf6, COMMIT(1));

	f = started(8, 0, 0, 0);
	not_taken(f);
	MSR(f, TRCPRGCTLR, 0);
	fk_sync(f, V9_SYNC_ISB);
	MRS(f, TRCSTATR);
	SO_FAR(f, "committed_by_disabling", BEGIN, 0xf6, COMMIT(1));

	f = started(8, 0, 0, 0);
	not_taken(f);
	tk_p0(f, TK_WFI, 0, 0x1008);
	v9_trace_sleep(f->m);
	SO_FAR(f, "committed_before_sleep", BEGIN, 0xda, COMMIT(2));
}

/* shows: ETE-R_YJCNT ETE-R_WLTNX ETE-R_RNYNV ETE-R_ZJJKY */
static void directions(void)
{
	struct fk *f = started(8, V9_SPEC_DIRECTION, 0, 0);

	not_taken(f);
	taken(f);
	TK_IS(f, "mispredict_with_an_atom", BEGIN, 0x31, 0x33, COMMIT(2));

	f = started(8, V9_SPEC_DIRECTION, 0, 0);
	tk_b(f, 0x2000);
	TK_IS(f, "unconditional_branch_not_taken_first", BEGIN, 0x33, COMMIT(1));

	f = started(8, V9_SPEC_DIRECTION, 1, 0);
	not_taken(f);
	taken(f);
	TK_IS(f, "cancel_format_2", BEGIN, 0x36, 0xf6, 0x35, COMMIT(2));

	f = started(8, V9_SPEC_DIRECTION, 2, 0);
	not_taken(f);
	taken(f);
	TK_IS(f, "cancel_format_3_of_2", BEGIN, 0xdb, 0x39, 0xda, 0x39, COMMIT(2));

	f = started(8, V9_SPEC_DIRECTION, 5, 0);
	not_taken(f);
	TK_IS(f, "cancel_format_3_of_5", BEGIN, 0xc1, 0x3f, COMMIT(1));

	f = started(8, V9_SPEC_DIRECTION, 6, 0);
	not_taken(f);
	TK_IS(f, "cancel_format_1_with_mispredict", BEGIN, 0xc3, 0x2f, 0x06, COMMIT(1));

	f = started(255, V9_SPEC_DIRECTION, 200, 0);
	not_taken(f);
	TK_IS(f, "cancel_of_two_bytes", BEGIN, N8(0xd4), 0xc5, 0x2f, 0xc8, 0x01, COMMIT(1));

	/* one less than MAXSPEC; with all of MAXSPEC the branch that is wrong is committed first */
	f = started(3, V9_SPEC_DIRECTION, 100, 0);
	not_taken(f);
	TK_IS(f, "wrong_path_below_maxspec", BEGIN, 0xdb, 0x39, COMMIT(1));
	f = started(3, V9_SPEC_DIRECTION | V9_SPEC_LATE, 100, 0);
	not_taken(f);
	TK_IS(f, "wrong_path_of_maxspec", BEGIN, 0xff, 0x3b);

	/* an ISB has no wrong path */
	f = started(8, V9_SPEC_DIRECTION, 3, 0);
	tk_p0(f, TK_ISB, 0, 0x1004);
	TK_IS(f, "no_wrong_path_behind_isb", BEGIN, 0x33, COMMIT(1));
}

/* shows: ETE-I_HVWCN ETE-R_YMRGB ETE-R_KYGRF */
static void targets(void)
{
	struct fk *f = started(8, V9_SPEC_TARGET, 1, 0);

	/* The wrong target is in the page of the branch: 1000, an exact match. */
	tk_p0(f, TK_BR, 0, 0x2000);
	tk_b(f, 0x2000);
	TK_IS(f, "wrong_target_with_wrong_path", BEGIN, 0xf7, 0x90, 0xf7, 0x2e, 0x01,
	      0x95, 0x80, 0x10, 0xf7, COMMIT(2));

	f = started(8, V9_SPEC_TARGET, 0, 0);
	tk_p0(f, TK_BR, 0, 0x2000);
	tk_b(f, 0x2000);
	TK_IS(f, "wrong_target_alone", BEGIN, 0xf7, 0x90, 0x95, 0x80, 0x10, 0xf7, COMMIT(2));

	/* The right target is on the stack, and stays there: it is traced. */
	f = started(8, V9_SPEC_TARGET, 0, V9_TRCCONFIGR_RS);
	tk_p0(f, TK_A64_BL(f->pc, 0x2000), 0, 0x2000);
	tk_p0(f, TK_RET, 0, 0x1004);
	tk_b(f, 0x1000);
	TK_IS(f, "wrong_target_does_not_pop", BEGIN, 0xdb, 0x95, 0x80, 0x10, 0x95, 0x81, 0x08, 0xf7,
	      COMMIT(3));

	/* an exception return is a context synchronization event */
	f = started(8, V9_SPEC_TARGET, 3, 0);
	tk_eret(f, 0x2000, 1);
	tk_b(f, 0x2000);
	TK_IS(f, "no_wrong_target_of_a_return", BEGIN, 0xf7, COMMIT(1), 0x95, 0x80, 0x10, 0xf7,
	      COMMIT(1));
}

/* shows: ETE-R_WLTNX ETE-R_FVRPZ ETE-R_FFXPW ETE-R_ZCCBS */
static void again(void)
{
	struct fk *f = started(8, V9_SPEC_AFTER, 3, 0);

	not_taken(f);
	TK_IS(f, "cancel_format_1", BEGIN, 0xdc, 0x2e, 0x03, COMMIT(1));

	/* Nothing is left behind Trace Info: address and context are traced again. */
	f = started(8, V9_SPEC_AGAIN, 1, 0);
	taken(f);
	taken(f);
	TK_IS(f, "branch_cancelled_and_traced_again", BEGIN, 0xdb, 0x2e, 0x02, AT_1000, 0xff,
	      0x2e, 0x02, 0xf7, COMMIT(2));

	/* One entry is on the stack, though the call was traced twice: the second return has an address. */
	f = started(8, V9_SPEC_AGAIN, 0, V9_TRCCONFIGR_RS);
	tk_p0(f, TK_A64_BL(f->pc, 0x2000), 0, 0x2000);
	tk_p0(f, TK_RET, 0, 0x1004);
	tk_p0(f, TK_RET, 0, 0x1004);
	tk_b(f, 0x1000);
	TK_IS(f, "cancelled_call_leaves_the_stack", BEGIN,
	      0xf7, 0x2e, 0x01, AT_1000,
	      0xdb, 0x2e, 0x01, 0xdb, 0x2e, 0x01, 0xf7, 0x95, 0x01, 0xf7, 0x2e, 0x01, 0xf7, COMMIT(4));

	/* The call is not taken at first, and pushes nothing. */
	f = started(8, V9_SPEC_DIRECTION, 0, V9_TRCCONFIGR_RS);
	tk_p0(f, TK_A64_BL(f->pc, 0x2000), 0, 0x2000);
	tk_p0(f, TK_RET, 0, 0x1004);
	tk_p0(f, TK_BR, 0, 0x1004);
	TK_IS(f, "call_not_taken_at_first", BEGIN, 0x33, 0x33, 0x95, 0x01, 0x33, COMMIT(3));
}

/* shows: ETE-R_KDTVX ETE-R_NSMJF ETE-R_CTYFK ETE-R_WDWGV */
static void exceptions(void)
{
	struct fk *f = started(8, V9_SPEC_EXCEPTION, 2, 0);

	tk_run(f, 2);
	tk_irq(f, 1, 0x1800);
	TK_IS(f, "exception_behind_a_cancel", BEGIN, 0xdb, 0x2e, 0x02, AT_1000, 0x06, 0x1d, 0x95, 0x02,
	      COMMIT(1));

	f = started(8, V9_SPEC_EXCEPTION, 1, 0);
	not_taken(f);
	v9_model_reset(f->m, V9_RESET_WARM);
	SO_FAR(f, "discard_at_a_reset", BEGIN, 0xda, 0x00, 0x03,
	       0x82, 0x01, 0x08, 0x00, 0x00, 0x31, 0x06, 0x01, 0x70, COMMIT(1));
}

/* The unit merges @merge Commit elements with the next one, where it can. Cycle counts have the threshold 4. */
static struct fk *merging(unsigned int maxspec, unsigned int merge, uint64_t config)
{
	struct fk *f = unit(maxspec, V9_SPEC_EXCEPTION, 0, true);

	f->cfg.spec_merge = merge;
	tk_init(f);
	tk_buffer(f, 8, 0);
	tk_program(f, config);
	MSR(f, TRCCCCTLR, config ? 4 : 0);
	tk_go(f, 0x1000);
	return f;
}

/*
 * Commit elements wait for the next one, but not if all that may be uncommitted is, and not if they have a Cycle Count.
 * shows: ETE-I_KHYLN ETE-R_ZHWDD
 */
static void merges(void)
{
	struct fk *f;
	unsigned int i;

	for (i = 1; i < 3; i++) {
		f = merging(8, i, 0);
		for (unsigned int k = 0; k < 4; k++)
			not_taken(f);
		if (i == 1)
			TK_IS(f, "two_commits_merged", BEGIN, 0xd8, COMMIT(2), 0xd8, COMMIT(2));
		else
			TK_IS(f, "three_commits_merged", BEGIN, 0xf8, COMMIT(3), 0xf6, COMMIT(1));
	}
	f = merging(2, 3, 0);
	not_taken(f);
	not_taken(f);
	not_taken(f);
	TK_IS(f, "as_many_as_maxspec_are_not_merged", BEGIN, 0xd8, COMMIT(2), 0xf6, COMMIT(1));

	/* A Commit element that waits comes before the Discard element. */
	f = merging(8, 3, 0);
	not_taken(f);
	v9_model_reset(f->m, V9_RESET_WARM);
	SO_FAR(f, "merged_before_a_discard", BEGIN, 0xf6, COMMIT(1), 0x00, 0x03,
	       0x82, 0x01, 0x08, 0x00, 0x00, 0x31, 0x06, 0x01, 0x70, COMMIT(1));

	/* The threshold is 4: the first Commit element has a count, the second one none, and the third one has. */
	f = merging(8, 3, V9_TRCCONFIGR_CCI);
	not_taken(f);
	not_taken(f);
	tk_run(f, 4);
	not_taken(f);
	not_taken(f);
	TK_IS(f, "commit_with_a_count_is_not_merged", ASYNC, 0x01, 0x09, 0x01, 0x04, 0x04, AT_1000,
	      0xf6, COMMIT(1), 0x0f, 0xd8, COMMIT(2), 0x12, 0xf6, COMMIT(1));
}

/*
 * The start point is in the block of a P0 element that is not committed when the unit becomes disabled: it occurred, or
 * did not. shows: ETE-R_BZSXR
 */
static void start_points(void)
{
	for (unsigned int i = 0; i < 4; i++) {
		static const char *const names[] = {
			"start_point_is_kept", "start_point_is_forgotten", "resolved_start_point_is_kept",
			"resolved_start_point_is_not_forgotten",
		};
		struct fk *f = unit(8, 0, 0, true);

		f->cfg.ss_forget = i & 1;
		tk_init(f);
		tk_buffer(f, 8, 0);
		tk_program(f, 0);
		MSR(f, TRCVICTLR, 1);
		fk_msr(f, V9_SYS_TRCACVR(0), 0x1000);
		fk_msr(f, V9_SYS_TRCACATR(0), 0);
		MSR(f, TRCVISSCTLR, 1);
		tk_go(f, 0x1000);
		not_taken(f);
		if (i & 2) {
			tk_p0(f, TK_ISB, 0, f->pc + 4);
			not_taken(f);
			tk_p0(f, TK_ISB, 0, f->pc + 4);
			not_taken(f);
		}
		MSR(f, TRCPRGCTLR, 0);
		tap_eq(!!(MRS(f, TRCVICTLR) & V9_TRCVICTLR_SSSTATUS), i != 1, "%s", names[i]);
		fk_free(f);
	}
}

/* With COMMOPT 0 a Cycle Count packet has the number of P0 elements that it commits. */
/* shows: ETE-R_JMLLY */
static void cycles(bool commopt)
{
	struct fk *f = unit(2, 0, 0, commopt);
	unsigned int i;

	tk_program(f, V9_TRCCONFIGR_CCI);
	MSR(f, TRCCCCTLR, 4);
	tk_go(f, 0x1000);
	for (i = 0; i < 3; i++) {	/* the third commits the first one */
		tk_run(f, 4);
		not_taken(f);
	}
	tk_run(f, 8);
	tk_p0(f, TK_ISB, 0, f->pc + 4);	/* 9 cycles; the next one commits both, after 4 cycles */
	tk_run(f, 3);
	not_taken(f);
	/* Cycle counting: PLCTL 9, CC 1, CYCT 4 */
	if (commopt)
		TK_IS(f, "cycles_in_commit_mode_1", ASYNC, 0x01, 0x09, 0x01, 0x04, 0x04,
		   AT_1000, 0xf8, 0x0f, 0xf7, 0x0d, 0xf5, COMMIT(2), 0x10, 0xf6, COMMIT(1));
	else
		TK_IS(f, "cycles_in_commit_mode_0", ASYNC, 0x01, 0x09, 0x01, 0x04, 0x04,
		   AT_1000, 0xf8, 0x0f, 0x00, 0xf7, 0x0e, 0x00, 0x05, 0x14, 0xf6, COMMIT(1));
}

#define COUNT 1000	/* initial value of the counter */

/*
 * The unit, enabled at 1010. Selector 2 has the resources @select of @group; counter 0 counts the cycles in
 * which they are active, and each is an Event element. Address comparator 0 matches 1000, where the
 * instructions of all wrong paths are. No context ID is that of its comparator.
 */
static struct fk *watching(unsigned int maxspec, int wrong, unsigned int group, unsigned int select,
			   bool user)
{
	struct fk *f = unit(maxspec, V9_SPEC_DIRECTION, wrong, true);

	tk_program(f, 0);
	fk_msr(f, V9_SYS_TRCACVR(0), 0x1000);
	fk_msr(f, V9_SYS_TRCACVR(1), 0x1003);
	MSR(f, TRCSSCCR0, V9_TRCSSCCRn_RST | 1);
	MSR(f, TRCSSPCICR0, 0);
	MSR(f, TRCCIDCVR0, 0x1234);
	MSR(f, TRCCIDCCTLR0, 0);
	MSR(f, TRCVMIDCVR0, 0x1234);
	MSR(f, TRCVMIDCCTLR0, 0);
	fk_msr(f, V9_SYS_TRCRSCTLR(2), V9_PUT(V9_TRCRSCTLRn_GROUP, group) | select);
	fk_msr(f, V9_SYS_TRCCNTVR(0), COUNT);
	fk_msr(f, V9_SYS_TRCCNTCTLR(0), 2);
	MSR(f, TRCEVENTCTL0R, 2);
	MSR(f, TRCEVENTCTL1R, 1);
	tk_go(f, 0x1010);
	if (user)
		tk_eret(f, 0x1010, 0);
	return f;
}

/* How often the resource was active */
static unsigned int matches(struct fk *f)
{
	unsigned int n;

	tk_stop(f);
	n = COUNT - fk_mrs(f, V9_SYS_TRCCNTVR(0));
	fk_free(f);
	return n;
}

/* @n branches are predicted wrongly, with paths at random. Returns how often the IDs matched. */
static unsigned int ids_match(unsigned int group, bool user, unsigned int n)
{
	struct fk *f = watching(8, -1, group, 1, user);

	while (n--) {
		not_taken(f);
		f->pc = 0x1010;
	}
	return matches(f);
}

/* shows: ETE-I_WDJPG ETE-R_DCCBY ETE-R_RTRBM ETE-R_XVVYX */
static void comparators(void)
{
	const unsigned int sac = V9_TRCRSCTLRn_GROUP_SAC, arc = V9_TRCRSCTLRn_GROUP_ARC;
	const unsigned int shot = V9_TRCRSCTLRn_GROUP_SSCC;
	/* @times: matches on a wrong path, by depth of speculation (@maxspec) and type of the resource (@group) */
	const struct {
		unsigned int maxspec, group, select, times;
		const char *name;
	} t[] = {
		{ 8, sac, 1, 2, "address_counts_on_a_wrong_path" },
		{ 8, sac, 2, 0, "another_address_does_not" },
		{ 8, arc, 1, 2, "range_counts_on_a_wrong_path" },
		{ 0, sac, 1, 0, "without_speculation_only_what_is_executed" },
		/* The single-shot control selects the same comparator. */
		{ 8, shot, 1, 0, "single_shot_waits_for_execution" },
	};
	struct fk *f = watching(8, 2, sac, 1, false);

	/* Target Address 1010; the Atom; twice an Event and an Atom of the wrong path */
	not_taken(f);
	TK_IS(f, "address_matches_on_a_wrong_path", ASYNC, 0x01, 0x00, 0x04,
	      0x82, 0x04, 0x08, 0x00, 0x00, 0x31, 0xf7, 0x71, 0xf7, 0x71, 0x39, COMMIT(1));
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(t); i++) {
		f = watching(t[i].maxspec, 2, t[i].group, t[i].select, false);
		not_taken(f);
		tap_eq(matches(f), t[i].times, "%s", t[i].name);
	}
	f = watching(8, 2, shot, 1, false);
	not_taken(f);
	tk_b(f, 0x1000);
	not_taken(f);
	tap_eq(matches(f), 1, "single_shot_fires_when_executed");

	tap_ok(ids_match(V9_TRCRSCTLRn_GROUP_CID, false, 200) > 20, "context_id_of_a_wrong_path");
	tap_ok(ids_match(V9_TRCRSCTLRn_GROUP_VMID, false, 200) > 20, "vmid_of_a_wrong_path");
	tap_eq(ids_match(V9_TRCRSCTLRn_GROUP_CID, true, 200), 0, "no_context_id_of_el0");
}

int main(void)
{
	ids();
	commits();
	directions();
	targets();
	again();
	exceptions();
	comparators();
	merges();
	start_points();
	cycles(true);
	cycles(false);
	return tap_done();
}
