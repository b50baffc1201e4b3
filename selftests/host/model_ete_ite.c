// SPDX-License-Identifier: GPL-2.0-only
/*
 * FEAT_ITE in the model: the bytes that TRCIT adds to the trace, and when it adds none.
 */
#include "tap.h"
#include "model_trace.h"
#include "private.h"

#define ASYNC 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define INFO 0x01, 0x00
#define ON 0x04

/* A unit with FEAT_ITE. EL0 and EL1 are traced. @who: TRCITECR_EL1, which of them may use TRCIT */
static struct fk *started(unsigned int who, enum v9_delay delay)
{
	struct fk *f = tk_new();

	f->cfg.ite = true;
	f->cfg.delay = delay;
	tk_setup(f, 0);
	MSR(f, TRCITECR_EL1, who);
	tk_go(f, 0x1000);
	return f;
}

static void trcit(struct fk *f, uint64_t value)
{
	tk_block(f);
	v9_trace_instrument(f->m, value);
	f->pc += 4;
}

static void is(struct fk *f, const uint8_t *want, size_t n, const char *name)
{
	size_t got = tk_stop(f);

	if (!tap_ok(got == n && !memcmp(f->mem, want, n), "%s", name))
		tk_note_bytes(f, got, want, n);
	tap_eq(f->nviolations, 0, "%s_breaks_no_rule", name);
	fk_free(f);
}

#define IS(f, name, ...) \
	is(f, (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), name)

/* In program order, whole, with the Exception level. shows: ETE-R_BWHCS ETE-R_NHJLQ */
static void order(void)
{
	struct fk *f = started(3, V9_DELAY_OFF);

	tk_b(f, 0x1100);
	trcit(f, UINT64_C(0x0123456789abcdef));
	trcit(f, 7);
	tk_b(f, 0x1200);
	IS(f, "values_between_branches", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xf7,
	   0x09, 0x01, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01,
	   0x09, 0x01, 7, 0, 0, 0, 0, 0, 0, 0, 0xf7);

	/* If it comes first, synchronization is before it all the same (ETE-R_HMDGL). */
	f = started(3, V9_DELAY_OFF);
	trcit(f, 7);
	tk_b(f, 0x1200);
	IS(f, "value_before_all", ASYNC, INFO, 0x09, 0x01, 7, 0, 0, 0, 0, 0, 0, 0,
	   ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xf7);

	/* Branches that are not taken and might be left out have their Atoms before it. */
	f = tk_new();
	f->cfg.ite = true;
	f->cfg.source = 1;
	tk_setup(f, 0);
	MSR(f, TRCITECR_EL1, 3);
	tk_go(f, 0x1000);
	for (unsigned int i = 0; i < 2; i++)
		tk_p0(f, TK_A64_BEQ(f->pc, f->pc + 0x100), 0, f->pc + 4);
	trcit(f, 7);
	IS(f, "value_behind_atoms", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xd8,
	   0x09, 0x01, 7, 0, 0, 0, 0, 0, 0, 0);

	/* A Timestamp element may belong to it (ETE-R_DGTJZ). */
	for (unsigned int i = 0; i < 2; i++) {
		f = tk_new();
		f->cfg.ite = true;
		tk_setup(f, V9_TRCCONFIGR_TS);
		MSR(f, TRCITECR_EL1, 3);
		tk_go(f, 0x1000);
		if (i)
			trcit(f, 7);
		fk_sync(f, V9_SYNC_TSB);
		tap_eq(tk_score(f)->packets[V9_ETE_TIMESTAMP], i, "time_of_a_value_%u", i);
		fk_free(f);
	}
}

/* ViewInst has no effect: it filters instructions only. shows: ETE-R_BWHCS */
static void filtered(void)
{
	struct fk *f = tk_new();

	f->cfg.ite = true;
	tk_setup(f, 0);
	MSR(f, TRCVICTLR, 0x200);	/* EVENT is FALSE */
	MSR(f, TRCITECR_EL1, 2);
	tk_go(f, 0x1000);
	tk_b(f, 0x1100);
	trcit(f, 7);
	tk_b(f, 0x1200);
	IS(f, "value_where_nothing_is_traced", ASYNC, INFO, 0x09, 0x01, 7, 0, 0, 0, 0, 0, 0, 0);
}

/* shows: ETE-R_BXTXK ETE-R_JJZXW ETE-R_FLGVJ */
static void prohibited(void)
{
	static const struct {
		unsigned int el, trfcr, trcitecr, want;
		const char *name;
	} t[] = {
		{ 0, 3, 1, 1, "el0_permitted" }, { 0, 3, 2, 0, "el0_not_permitted" },
		{ 1, 3, 2, 1, "el1_permitted" }, { 1, 3, 1, 0, "el1_not_permitted" },
		{ 0, 2, 3, 0, "el0_is_not_traced" }, { 1, 1, 3, 0, "el1_is_not_traced" },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = started(t[i].trcitecr, V9_DELAY_OFF);

		MSR(f, TRFCR_EL1, t[i].trfcr);
		fk_sync(f, V9_SYNC_ISB);
		f->pe.r.el = t[i].el;
		trcit(f, 7);
		f->pe.r.el = 1;
		tap_eq(tk_score(f)->packets[V9_ETE_INSTRUMENTATION], t[i].want, "%s", t[i].name);
		fk_free(f);
	}
}

/*
 * A write of TRCITECR_ELx takes effect at the next context synchronization, as with TRFCR_ELx.
 * shows: ETE-I_CMDFW
 */
static void synchronized(void)
{
	struct fk *f = started(0, V9_DELAY_MAX);
	uint64_t before, after;

	MSR(f, TRCITECR_EL1, 2);
	trcit(f, 7);
	before = tk_score(f)->packets[V9_ETE_INSTRUMENTATION];
	fk_sync(f, V9_SYNC_ISB);
	trcit(f, 7);
	after = tk_score(f)->packets[V9_ETE_INSTRUMENTATION];
	tap_ok(!before && after == 1, "enabled_by_synchronization");
	fk_free(f);
}

/*
 * A packet that the sink rejects causes an overflow, which is traced before the next packet.
 * shows: ETE-R_VPFGH
 */
static void overflow(void)
{
	struct fk *f = started(3, V9_DELAY_OFF);
	const struct v9_trace_score *s = tk_score(f);

	tk_b(f, 0x1100);
	trcit(f, 6);
	f->m->cfg.trbe_reject = 1;
	trcit(f, 7);
	tap_eq(s->overflows, 1, "value_that_does_not_fit");
	f->m->cfg.trbe_reject = 0;
	trcit(f, 8);
	IS(f, "overflow_is_reported", ASYNC, INFO, ON, 0x82, 0x00, 0x08, 0x00, 0x00, 0x31, 0xf7,
	   0x09, 0x01, 6, 0, 0, 0, 0, 0, 0, 0,
	   0, 5, ASYNC, INFO, 0x09, 0x01, 8, 0, 0, 0, 0, 0, 0, 0);
}

/* shows: ETE-I_GRJLV */
static void absent(void)
{
	static const uint32_t regs[] = {
		V9_SYS_TRCITECR_EL1, V9_SYS_TRCITECR_EL2, V9_SYS_TRCITECR_EL12, V9_SYS_TRCITEEDCR,
	};
	struct fk *f = tk_started(0, 0x1000);
	unsigned int i, there = 0;
	size_t n;

	trcit(f, 7);
	tap_eq(tk_score(f)->packets[V9_ETE_INSTRUMENTATION], 0, "no_packet_without_ite");
	tap_ok(!(MRS(f, TRCIDR0) & V9_TRCIDR0_ITE), "without_it_nothing_is_offered");
	for (i = 0; i < V9_ARRAY_SIZE(regs); i++)
		for (size_t j = 0; v9_model_regs(&n) && j < n; j++)
			there += v9_model_regs(&n)[j].enc == regs[i] && v9_reg_exists(f->m, j);
	tap_eq(there, 0, "without_it_no_register");
	fk_free(f);

	f = started(0, V9_DELAY_OFF);
	tap_ok(MRS(f, TRCIDR0) & V9_TRCIDR0_ITE, "with_it_offered");
	tap_eq(MRS(f, TRCDEVARCH), 0x47735a13, "with_it_version_1p3");
	fk_free(f);
}

/* A reset of the PE resets its registers, but not those of the trace unit (ETE-R_YYHBF). */
static void reset(void)
{
	struct fk *f = tk_new();

	f->cfg.ite = true;
	tk_init(f);
	tap_eq(MRS(f, TRCITECR_EL1), 0, "silent_out_of_reset");
	MSR(f, TRCITECR_EL1, 3);
	MSR(f, TRCITEEDCR, 0x3f);
	fk_sync(f, V9_SYNC_ISB);
	v9_model_reset(f->m, V9_RESET_WARM);
	tap_eq(MRS(f, TRCITECR_EL1), 0, "silent_after_a_warm_reset");
	tap_eq(MRS(f, TRCITEEDCR), 0x3f, "the_debuggers_word_stays");
	fk_free(f);
}

int main(void)
{
	order();
	filtered();
	prohibited();
	synchronized();
	overflow();
	absent();
	reset();
	return tap_done();
}
