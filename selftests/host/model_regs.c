// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of the model: existence, reserved bits, ID values, reset, access.
 */
#include <errno.h>

#include "tap.h"
#include "model_fake.h"

/* Values after writes of all ones and of zeros: SPEv1p2, 12-bit counters, no EL2, no ECV */
static const struct {
	const char *name;
	uint32_t enc;
	uint64_t ones, zeros;
} readback[] = {
	{ "pmscr_el1", V9_SYS_PMSCR_EL1, 0x7b, 0x40 },	/* PCT RES1 without EL2 */
	{ "pmsnevfr", V9_SYS_PMSNEVFR_EL1, 0x8e8, 0 },
	{ "pmsicr", V9_SYS_PMSICR_EL1, 0xff000000ffffffff, 0 },
	{ "pmsirr", V9_SYS_PMSIRR_EL1, 0xffffff01, 0 },
	{ "pmsfcr", V9_SYS_PMSFCR_EL1, 0x7000f, 0 },
	{ "pmsevfr", V9_SYS_PMSEVFR_EL1, 0x8ea, 0x2 },	/* E[1] RES1: no speculative records */
	{ "pmslatfr", V9_SYS_PMSLATFR_EL1, 0xfff, 0 },
	{ "pmblimitr", V9_SYS_PMBLIMITR_EL1, 0xfffffffffffff027, 0 },	/* with PMFZ */
	{ "pmbptr", V9_SYS_PMBPTR_EL1, 0xffffffffffffffff, 0 },
	{ "pmbsr", V9_SYS_PMBSR_EL1, 0xfc0fffff, 0 },
	{ "pmscr_el2", V9_SYS_PMSCR_EL2, 0, 0 },	/* RES0 without EL2 */
};

/* shows: SPE-FI6 SPE-FI9 SPE-CD18 SPE-PB26 SPE-RA6 */
static void reserved_bits(void)
{
	struct fk *f = fk_new();
	unsigned int i;

	fk_init(f);
	for (i = 0; i < V9_ARRAY_SIZE(readback); i++) {
		fk_msr(f, readback[i].enc, UINT64_MAX);
		tap_eq(fk_mrs(f, readback[i].enc), readback[i].ones, "%s_ones", readback[i].name);
		fk_msr(f, readback[i].enc, 0);
		tap_eq(fk_mrs(f, readback[i].enc), readback[i].zeros, "%s_zeros", readback[i].name);
	}
	fk_free(f);

	f = fk_new();
	f->cfg.spe_version = 1;
	f->cfg.ernd = false;
	f->pe.r.has_el2 = true;
	f->pe.r.has_ecv = true;
	fk_init(f);
	MSR(f, PMSEVFR_EL1, UINT64_MAX);
	tap_eq(MRS(f, PMSEVFR_EL1), 0xaa, "pmsevfr_first_version");
	MSR(f, PMSFCR_EL1, UINT64_MAX);
	tap_eq(MRS(f, PMSFCR_EL1), 0x70007, "pmsfcr_first_version");
	MSR(f, PMSICR_EL1, UINT64_MAX);
	tap_eq(MRS(f, PMSICR_EL1), 0xffffffff, "pmsicr_without_ernd");
	MSR(f, PMBLIMITR_EL1, ~UINT64_C(1));
	tap_eq(MRS(f, PMBLIMITR_EL1) & 0xfff, 0x6, "pmblimitr_first_version");
	MSR(f, PMSCR_EL2, UINT64_MAX);
	tap_eq(MRS(f, PMSCR_EL2), 0xfb, "pmscr_el2_with_ecv");
	MSR(f, PMSCR_EL1, 0);
	tap_eq(MRS(f, PMSCR_EL1), 0, "pct_free_with_el2");
	tap_ok(!v9_reg_exists(f->m, fk_reg(V9_SYS_PMSNEVFR_EL1)), "pmsnevfr_absent_in_v1p0");
	fk_free(f);
}

/* shows: SPE-RA2 SPE-RA5 SPE-OW7 */
static void identification(void)
{
	struct fk *f = fk_new();

	fk_init(f);
	tap_eq(MRS(f, PMSIDR_EL1), 0x2607f, "pmsidr");
	tap_eq(MRS(f, PMBIDR_EL1), 0x26, "pmbidr");
	MSR(f, PMSIDR_EL1, 0);
	tap_eq(MRS(f, PMSIDR_EL1), 0x2607f, "pmsidr_read_only");
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_PMSIDR_EL1), true), V9_ACCESS_UNDEF,
	       "write_of_read_only_undefined");
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_PMBPTR_EL1), true), V9_ACCESS_OK, "write_allowed");
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_PMSDSFR_EL1), false), V9_ACCESS_UNDEF,
	       "absent_register_undefined");
	f->pe.r.el = 0;
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_PMBIDR_EL1), false), V9_ACCESS_UNDEF,
	       "el0_undefined");
	f->pe.r.el = 1;
	f->pe.r.has_el2 = true;		/* E2PB 0: owned by EL2 */
	tap_eq(MRS(f, PMBIDR_EL1), 0x36, "pmbidr_p_below_owner");
	fk_free(f);

	f = fk_new();
	f->cfg.spe_version = 0;
	tap_eq(fk_init(f), 0, "no_spe_is_a_model");
	tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_PMSIDR_EL1), false), V9_ACCESS_UNDEF,
	       "without_spe_undefined");
	fk_free(f);
}

/* shows: SPE-RA4 */
static void names(void)
{
	struct fk *f = fk_new();
	struct v9_route r = { .el = 2, .hcr_el2 = V9_HCR_EL2_E2H };
	size_t n, i;
	const struct v9_regdesc *d = v9_model_regs(&n);

	f->pe.r.has_el2 = true;
	fk_init(f);
	tap_eq(v9_reg_find(&r, V9_SYS_PMSCR_EL1), fk_reg(V9_SYS_PMSCR_EL2), "e2h_redirects");
	r.el = 1;
	tap_eq(v9_reg_find(&r, V9_SYS_PMSCR_EL1), fk_reg(V9_SYS_PMSCR_EL1), "no_redirect_at_el1");
	r.el = 2;
	r.hcr_el2 = 0;
	tap_eq(v9_reg_find(&r, V9_SYS_PMSCR_EL1), fk_reg(V9_SYS_PMSCR_EL1),
	       "no_redirect_without_e2h");
	tap_eq(v9_reg_find(&r, 0x180000), -1, "foreign_encoding");
	MSR(f, PMSCR_EL12, 0x23);
	tap_eq(MRS(f, PMSCR_EL1), 0x23, "el12_is_el1");
	MSR(f, PMSCR_EL1, 0x8);
	tap_eq(MRS(f, PMSCR_EL12), 0x8, "el1_is_el12");
	for (i = 0; i < n; i++)
		if (!strcmp(d[i].name, "PMBSR_EL1"))
			break;
	tap_ok(i < n && d[i].enc == V9_SYS_PMBSR_EL1 && d[i].write &&
	       d[i].trap == V9_TRAP_E2PB, "descriptor");
	fk_free(f);
}

/* shows: SPE-RA1 */
static void reset(void)
{
	struct fk *f = fk_new(), *g = fk_new(), *h = fk_new();
	uint64_t a, b, c;

	h->cfg.seed = 2;
	fk_init(f);
	fk_init(g);
	fk_init(h);
	tap_eq(MRS(f, PMBLIMITR_EL1) & V9_PMBLIMITR_EL1_E, 0, "reset_disables");
	a = MRS(f, PMBPTR_EL1);
	b = MRS(g, PMBPTR_EL1);
	c = MRS(h, PMBPTR_EL1);
	tap_ok(a, "reset_poisons");
	tap_eq(a, b, "same_seed_same_poison");
	tap_ok(a != c, "other_seed_other_poison");
	tap_eq(MRS(f, PMSIRR_EL1) & 0xffffffff000000fe, 0, "poison_spares_reserved_bits");
	fk_start(f, V9_PUT(V9_PMSIRR_EL1_INTERVAL, 1), 1, 0);
	fk_nops(f, 300);
	MSR(f, PMBSR_EL1, V9_PMBSR_EL1_S);
	tap_ok(f->line, "line_up_before_reset");
	v9_model_reset(f->m, V9_RESET_WARM);
	f->cnt = v9_leave(f->m);
	tap_ok(!f->line, "reset_drops_the_line");
	tap_eq(f->cnt, INT32_MAX, "reset_stops_counting");
	tap_eq(MRS(f, PMBLIMITR_EL1) & V9_PMBLIMITR_EL1_E, 0, "warm_reset_disables");
	tap_eq(fk_score(f)->samples, 1, "reset_keeps_the_score");
	fk_free(f);
	fk_free(g);
	fk_free(h);
}

/* Whether a unit can have these choices, by the ranges that struct v9_config documents */
static void configurations(void)
{
#define TRY(can, name, ...) do { \
		v9_config_default(c); \
		__VA_ARGS__; \
		tap_eq(fk_init(f), can ? 0 : -EINVAL, "configuration_" #name); \
	} while (0)
	struct fk *f = fk_new();
	struct v9_config *c = &f->cfg;

	TRY(0, version_7, c->spe_version = 7, c->mixed = true);
	TRY(1, version_6, v9_config_version(c, 6));
	TRY(0, size_small, c->align = c->max_size = 5);
	TRY(1, size_largest, c->max_size = 11);
	TRY(0, size_large, c->max_size = 12);
	TRY(0, align_above_size, c->align = 7);
	TRY(1, interval, c->interval = 8);
	TRY(0, interval_large, c->interval = 9);
	TRY(1, delay, c->delay = V9_DELAY_RANDOM);
	TRY(0, delay_unknown, c->delay = V9_DELAY_RANDOM + 1);
	TRY(0, latency_unknown, c->lat = V9_LAT_FIXED + 1);
	TRY(0, return_stack_large, c->rs_depth = 16);
	TRY(1, trbe_align, c->trbe_align = 11);
	TRY(0, trbe_align_large, c->trbe_align = 12);
	TRY(1, trbe_over, c->trbe_align = 3, c->trbe_over = 8);
	TRY(0, trbe_over_alignment, c->trbe_align = 3, c->trbe_over = 9);
	TRY(1, pa_smallest, c->pa_bits = 32);
	TRY(0, pa_small, c->pa_bits = 31);
	TRY(1, pa_largest, c->pa_bits = 56);
	TRY(0, pa_large, c->pa_bits = 57);
	TRY(1, oa_48, c->oa_bits = 48);
	TRY(1, oa_52, c->oa_bits = 52);
	TRY(1, oa_56, c->oa_bits = 56);
	TRY(0, oa_50, c->oa_bits = 50);
	TRY(0, oa_below_pa, c->pa_bits = 49, c->oa_bits = 48);
	TRY(1, trbe_serror, c->trbe_ea = V9_TRBE_EA_SERROR);
	TRY(0, trbe_ea_unknown, c->trbe_ea = V9_TRBE_EA_SERROR + 1);
	TRY(1, spe_serror, c->spe_ea = V9_SPE_EA_SERROR);
	TRY(0, spe_ea_unknown, c->spe_ea = V9_SPE_EA_SERROR + 1);
	TRY(1, no_spe_what_has_it, c->spe_version = 0, c->spe_exc = true);
	TRY(1, v1p2_without_f, c->f = false);
	TRY(1, v1p3, c->f = false, v9_config_version(c, 4));
	TRY(0, v1p3_without_f, v9_config_version(c, 4), c->f = false);
	TRY(0, v1p3_reports, v9_config_version(c, 4), c->spe_ea = V9_SPE_EA_REPORTED);
	TRY(1, mixed_reports, v9_config_version(c, 4), c->spe_ea = V9_SPE_EA_REPORTED, c->mixed = true);
	TRY(0, v1p4_exc, v9_config_version(c, 5), c->spe_exc = true);
	TRY(0, v1p5_without_crr, v9_config_version(c, 6), c->crr = false);
	TRY(0, v1p5_without_exc, v9_config_version(c, 6), c->spe_exc = false);
	TRY(0, v1p5_without_nvm, v9_config_version(c, 6), c->spe_nvm = false);
	TRY(1, buffer_limit, c->buffer_limit = 0x3fff);
	TRY(0, buffer_limit_large, c->buffer_limit = 0x4000);
	TRY(1, pe_inputs, c->pe_inputs = 8, c->shot_inputs = true);
	TRY(0, pe_inputs_many, c->pe_inputs = 9);
	TRY(0, pe_inputs_minimal, c->pe_inputs = 1, c->ete_minimal = true);
	TRY(0, shot_without_inputs, c->shot_inputs = true);
	TRY(1, bare, c->ete_bare = c->ete_minimal = true);
	TRY(0, bare_not_minimal, c->ete_bare = true);
	TRY(1, commopt_0, c->maxspec = 1, c->commopt = false, c->commtrans = true);
	TRY(0, commopt_0_maxspec_0, c->commopt = false);
	TRY(0, commtrans_maxspec_0, c->commtrans = true);
	TRY(1, spec_rate, c->spec_rate = 1);
	TRY(0, spec_rate_0, c->spec_rate = 0);
	TRY(1, q, c->q_supp = 3, c->q_filter = true);
	TRY(0, q_unknown, c->q_supp = 4);
	TRY(0, q_filter_without_q, c->q_filter = true);
	TRY(1, packets, c->packets = V9_PACKETS_LONGEST);
	TRY(0, packets_unknown, c->packets = V9_PACKETS_LONGEST + 1);
	TRY(1, micro, c->spe_micro = true, c->spe_extra = 1, c->spe_vector = 16);
	TRY(0, vector_large, c->spe_micro = true, c->spe_vector = 17);
	TRY(0, extra_without_micro, c->spe_extra = 1);
	TRY(0, vector_without_micro, c->spe_vector = 1);
	TRY(1, element, c->spe_element = V9_ELEMENT_ACTIVE);
	TRY(0, element_unknown, c->spe_element = V9_ELEMENT_ACTIVE + 1);
	TRY(1, predicates, c->spe_version = 2, c->spe_predicates = true);
	TRY(0, predicates_v1p0, c->spe_version = 1, c->spe_predicates = true);
	TRY(0, tags_small, c->spe_tags = 3);
	TRY(1, tags_smallest, c->spe_tags = 4);
	TRY(1, tags_largest, c->spe_tags = 8);
	TRY(0, tags_large, c->spe_tags = 9);
	TRY(1, v1p4, v9_config_version(c, 5), c->eft = c->crr = c->fds = true, c->max_size = 7);
	TRY(0, v1p3_eft, v9_config_version(c, 4), c->eft = true);
	TRY(0, v1p3_crr, v9_config_version(c, 4), c->crr = true);
	TRY(0, v1p3_fds, v9_config_version(c, 4), c->fds = true, c->max_size = 7);
	TRY(0, fds_without_lds, v9_config_version(c, 5), c->fds = true, c->lds = false, c->max_size = 7);
	TRY(0, fds_in_64_bytes, v9_config_version(c, 5), c->fds = true);
	TRY(1, brbe, c->brbe = 2, c->brbe_records = 8);
	TRY(0, brbe_unknown, c->brbe = 3);
	TRY(1, brbe_16, c->brbe_records = 16);
	TRY(0, brbe_24, c->brbe_records = 24);
	TRY(1, brbe_64, c->brbe_records = 64);
	TRY(0, brbe_128, c->brbe_records = 128);
#undef TRY
	fk_free(f);
}

/*
 * Incorrect programming is logged once per violation, with the rule.
 * shows: SPE-PB2 SPE-PB3 SPE-SY10
 */
static void mistakes(void)
{
	struct fk *f = fk_new();

	fk_init(f);
	fk_start(f, V9_PUT(V9_PMSIRR_EL1_INTERVAL, 1), 1, 0);
	fk_nops(f, 10);
	tap_eq(f->nviolations, 0, "proper_start_is_silent");
	MSR(f, PMBPTR_EL1, FK_BASE + 64);
	tap_ok(f->nviolations == 1 && !strcmp(f->violation.rule, "SPE-SY10"),
	       "moving_a_live_buffer");
	MSR(f, PMSCR_EL1, 0);
	MSR(f, PMBPTR_EL1, FK_BASE + FK_PAGE - 32);
	tap_eq(f->nviolations, 1, "moving_a_stopped_buffer_is_silent");
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
	fk_nops(f, 1);
	tap_ok(f->nviolations == 2 && !strcmp(f->violation.rule, "SPE-PB2"),
	       "no_room_for_a_record");
	MSR(f, PMSCR_EL1, 0);
	MSR(f, PMBPTR_EL1, FK_BASE + 8);
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
	fk_nops(f, 1);
	tap_ok(f->nviolations == 3 && !strcmp(f->violation.rule, "SPE-PB3"),
	       "unaligned_first_pointer");
	tap_ok(f->violation.pc && f->violation.el == 1 && !strcmp(f->violation.reg, "PMBPTR_EL1") &&
	       f->violation.value == FK_BASE + 8, "violation_has_register_and_value");
	fk_free(f);
}

#define ABSENT	UINT64_C(0xabcd0000abcd)

/*
 * Registers of trace units after writes of all ones and of zeros (D24.4). The units: as by default; one with the
 * mandatory resources, no return stack, and speculation; one without selectors, with FEAT_ITE and markers; and one with
 * all that there is, with the OS Lock, and with Realm state.
 */
static void trace_units(void)
{
	static const struct {
		const char *name;
		uint32_t enc;
		uint64_t ones[4], zeros[4];
	} t[] = {
#define R(name, ...) { #name, V9_SYS_TRC##name, __VA_ARGS__ }
#define SAME(v) { v, v, v, v }, { v, v, v, v }		/* cannot be written */
#define NO ABSENT
		R(CONFIGR, { 0x98d9, 0x88d9, 0x498d9, 0x4f8d9 }, { 0x8001, 0x8001, 0x8001, 0x8001 }),
		R(EVENTCTL0R, { 0x9f9f9f9f, 0x9f, NO, 0x9f9f9f9f }, { 0, 0, NO, 0 }),
		R(EVENTCTL1R, { 0xf, 1, 0x2000, 0x200f }, { 0 }),
		R(RSR, { 0x1f0f, 0x1100, 0x1000, 0x1f0f }, { 0 }),
		R(TSCTLR, { 0x9f, 0x9f, 0, 0x9f }, { 0 }),
		R(SYNCPR, { 0x1f, 0x1f, 0x1f, 0x1f }, { 0 }),
		R(CCCTLR, { 0xfff, 0xfff, 0xfff, 0xfff }, { 0 }),
		R(BBCTLR, { 0x10f, NO, NO, 0x10f }, { 0, NO, NO, 0 }),
		R(TRACEIDR, { 0x7f, 0x7f, 0x7f, 0x7f }, { 0 }),
		R(QCTLR, { NO, NO, NO, 0x10f }, { NO, NO, NO, 0 }),
		R(VICTLR, { 0x300e9f, 0x300e9f, 0x300e01, 0x77f0e9f }, { 0, 0x200, 0x201, 0 }),
		R(VIIECTLR, { 0xf000f, NO, NO, 0xf000f }, { 0, NO, NO, 0 }),
		R(VISSCTLR, { 0xff00ff, NO, NO, 0xff00ff }, { 0, NO, NO, 0 }),
		R(VIPCSSCTLR, { NO, NO, NO, 0x70007 }, { NO, NO, NO, 0 }),
		R(SEQEVR0, { 0x9f9f, NO, NO, 0x9f9f }, { 0, NO, NO, 0 }),
		R(SEQEVR2, { 0x9f9f, NO, NO, 0x9f9f }, { 0, NO, NO, 0 }),
		R(SEQRSTEVR, { 0x9f, NO, NO, 0x9f }, { 0, NO, NO, 0 }),
		R(SEQSTR, { 3, NO, NO, 3 }, { 0, NO, NO, 0 }),
		R(EXTINSELR3, { 0xffff, NO, NO, 0xffff }, { 0, NO, NO, 0 }),
		R(CNTCTLR0, { 0x19f9f, 0x19f9f, NO, 0x19f9f }, { 0, 0, NO, 0 }),
		R(CNTCTLR1, { 0x39f9f, NO, NO, 0x39f9f }, { 0, NO, NO, 0 }),
		R(CNTVR1, { 0xffff, NO, NO, 0xffff }, { 0, NO, NO, 0 }),
		R(CNTVR2, { NO, NO, NO, NO }, { NO, NO, NO, NO }),
		R(RSCTLR2, { 0x3fffff, 0x3fffff, NO, 0x3fffff }, { 0, 0, NO, 0 }),
		R(RSCTLR3, { 0x1fffff, 0x1fffff, NO, 0x1fffff }, { 0, 0, NO, 0 }),
		R(RSCTLR4, { 0x3fffff, NO, NO, 0x3fffff }, { 0, NO, NO, 0 }),
		R(RSCTLR15, { 0x1fffff, NO, NO, 0x1fffff }, { 0, NO, NO, 0 }),
		R(RSCTLR16, { NO, NO, NO, NO }, { NO, NO, NO, NO }),
		R(SSCCR0, { 0x10f00ff, NO, NO, 0x10f00ff }, { 0, NO, NO, 0 }),
		R(SSCCR1, { NO, NO, NO, NO }, { NO, NO, NO, NO }),
		R(SSCSR0, { 0xc0000000, NO, NO, 0xc0000008 }, { 0, NO, NO, 8 }),
		R(SSPCICR0, { NO, NO, NO, 7 }, { NO, NO, NO, 0 }),
		R(ACVR7, { UINT64_MAX, NO, NO, UINT64_MAX }, { 0, NO, NO, 0 }),
		R(ACVR8, { NO, NO, NO, NO }, { NO, NO, NO, NO }),
		R(ACATR0, { 0x307c, NO, NO, 0x77f7c }, { 0, NO, NO, 0 }),
		R(ACATR7, { 0x307c, NO, NO, 0x77f7c }, { 0, NO, NO, 0 }),
		R(CIDCVR0, { 0xffffffff, NO, NO, 0xffffffff }, { 0, NO, NO, 0 }),
		R(CIDCVR1, { NO, NO, NO, NO }, { NO, NO, NO, NO }),
		R(CIDCCTLR0, { 0xf, NO, NO, 0xf }, { 0, NO, NO, 0 }),
		R(VMIDCVR0, { 0xffffffff, NO, NO, 0xffffffff }, { 0, NO, NO, 0 }),
		R(VMIDCCTLR0, { 0xf, NO, NO, 0xf }, { 0, NO, NO, 0 }),
		R(AUXCTLR, SAME(0)), R(IMSPEC0, SAME(0)), R(CLAIMSET, SAME(0xf)), R(CLAIMCLR, SAME(0)),
		R(STALLCTLR, { NO, NO, NO, 0x210f }, { NO, NO, NO, 0 }),
		R(OSLSR, { 0x10, 0x10, 0x10, 0x12 }, { 0x10, 0x10, 0x10, 0x12 }),
		R(IDR0, { 0x28000ea1, 0x480000a1, 0x28c002a1, 0x2841cea1 },
		  { 0x28000ea1, 0x480000a1, 0x28c002a1, 0x2841cea1 }),
		R(IDR1, SAME(0x4100fff0)),
		R(IDR2, { 0x90000088, 0x10000088, 0x90000088, 0xd0001088 },
		  { 0x90000088, 0x10000088, 0x90000088, 0xd0001088 }),
		R(IDR3, { 0x1300004, 0x1300004, 0x1300004, 0x8d7f0004 }, { 0x1300004, 0x1300004, 0x1300004, 0x8d7f0004 }),
		R(IDR4, { 0x11170004, 0x10000, 0, 0x11173004 }, { 0x11170004, 0x10000, 0, 0x11173004 }),
		R(IDR5, { 0x280709ff, 0x100701ff, 0x800701ff, 0xa80709ff },
		  { 0x280709ff, 0x100701ff, 0x800701ff, 0xa80709ff }),
		R(IDR6, { 0, 0, 0, 7 }, { 0, 0, 0, 7 }),
		R(IDR7, SAME(0)), R(IDR9, SAME(0)), R(IDR13, SAME(0)), R(DEVID, SAME(0)), R(AUTHSTATUS, SAME(0)),
		R(IDR8, { 0, 5, 0, 0 }, { 0, 5, 0, 0 }),
		R(DEVARCH, { 0x47705a13, 0x47705a13, 0x47735a13, 0x47735a13 },
		  { 0x47705a13, 0x47705a13, 0x47735a13, 0x47735a13 }),
	};

	for (unsigned int unit = 0; unit < 4; unit++) {
		struct fk *f = fk_new();
		struct v9_config *c = &f->cfg;

		c->ete = true;
		c->ite = unit >= 2;
		c->ete_minimal = unit == 1 || unit == 2;
		c->ete_bare = c->tsmark = unit == 2;
		if (unit == 1) {
			c->commopt = c->wfx = false;
			c->commtrans = true;
			c->maxspec = 5;
			c->rs_depth = 0;
		}
		if (unit == 3) {
			c->pe_inputs = c->q_supp = 3;
			c->shot_inputs = c->q_filter = c->ete_stall = true;
			f->pe.oslk = f->pe.has_sel2 = true;
			f->pe.r.has_el2 = f->pe.r.has_el3 = f->pe.r.has_rme = true;
			f->pe.r.scr_el3 = 1;
		}
		fk_init(f);
		for (unsigned int i = 0; i < V9_ARRAY_SIZE(t); i++) {
			uint64_t ones = ABSENT, zeros = ABSENT;

			if (v9_reg_exists(f->m, fk_reg(t[i].enc))) {
				fk_msr(f, t[i].enc, ~UINT64_C(0));
				ones = fk_mrs(f, t[i].enc);
				fk_msr(f, t[i].enc, 0);
				zeros = fk_mrs(f, t[i].enc);
				if (t[i].enc == V9_SYS_TRCCLAIMSET)
					tap_eq(MRS(f, TRCCLAIMCLR), 0xf, "unit_%u_claimed", unit);
			}
			if (!tap_ok(ones == t[i].ones[unit] && zeros == t[i].zeros[unit], "register_%u_of_unit_%u", i, unit)) {
				tap_note("%s: %#llx, %#llx", t[i].name, (unsigned long long)ones, (unsigned long long)zeros);
			}
		}
		fk_free(f);
	}
}

int main(void)
{
	reserved_bits();
	identification();
	names();
	reset();
	configurations();
	mistakes();
	trace_units();
	return tap_done();
}
