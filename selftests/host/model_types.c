// SPDX-License-Identifier: GPL-2.0-only
/*
 * Additions of later SPE versions: filters by SIMD, floating point and their masks, filters by data
 * source, more events, wider latencies, longer records. Expected results are from a second
 * implementation of the rules in this file.
 */
#include "tap.h"
#include "model_fake.h"

#define IRR V9_PUT(V9_PMSIRR_EL1_INTERVAL, 100)

enum { B = 1, LD = 2, ST = 4, FP = 8, SIMD = 16 };

/* One operation of each kind, its types, and its payload with PMSIDR_EL1.FPF and CRR */
static const struct {
	const char *name;
	uint32_t op;
	uint8_t types;
	uint8_t payload;
} kinds[] = {
	{ "nop", OP_NOP, 0, 0x00 },
	{ "csel", OP_CSEL, 0, 0x01 },
	{ "ldr", OP_LDR, LD, 0x00 },
	{ "str", OP_STR, ST, 0x01 },
	{ "ldadd", OP_LDADD, LD | ST, 0x06 },
	{ "prfm", OP_PRFM, 0, 0x00 },
	/* D17.5.1: FP is scalar and not Q; Q, structures and replicated elements are SIMD */
	{ "ldr_q", 0x3dc00000, LD | SIMD, 0x04 },
	{ "str_q", 0x3d800000, ST | SIMD, 0x05 },
	{ "ldr_b", 0x3d400000, LD | FP, 0x04 },
	{ "ldr_h", 0x7d400000, LD | FP, 0x04 },
	{ "ldr_s", 0xbd400000, LD | FP, 0x04 },
	{ "ldr_d", 0xfd400000, LD | FP, 0x04 },
	{ "str_d_post", 0xfc008400, ST | FP, 0x05 },
	{ "ldr_d_reg", 0xfc616800, LD | FP, 0x04 },
	{ "ldur_q", 0x3cc00000, LD | SIMD, 0x04 },
	{ "ldr_literal_s", 0x1c000040, LD | FP, 0x04 },
	{ "ldr_literal_d", 0x5c000040, LD | FP, 0x04 },
	{ "ldr_literal_q", 0x9c000040, LD | SIMD, 0x04 },
	{ "ldp_s", 0x2d400400, LD | FP, 0x04 },
	{ "stp_d_pre", 0x6dbf0400, ST | FP, 0x05 },
	{ "ldnp_d", 0x6c400400, LD | FP, 0x04 },
	{ "ldp_q", 0xad400400, LD | SIMD, 0x04 },
	{ "stp_q", 0xad000400, ST | SIMD, 0x05 },
	{ "ldapur_d", 0xdd400800, LD | FP, 0x12 },
	{ "stlur_s", 0x9d000800, ST | FP, 0x13 },
	{ "ldapur_q", 0x1dc00800, LD | SIMD, 0x12 },
	{ "ld1_2d", 0x4c407c00, LD | SIMD, 0x04 },
	{ "st4_8b", 0x0c000000, ST | SIMD, 0x05 },
	{ "ld1_lane_d", 0x4d408400, LD | SIMD, 0x04 },
	{ "ldap1", 0x4d418400, LD | SIMD, 0x12 },
	{ "ld1r", 0x4d40c000, LD | SIMD, 0x04 },
	{ "ld4r_post", 0x0dffe000, LD | SIMD, 0x04 },
	{ "sve_ld1d", 0xa5e0a000, LD | SIMD, 0x2c },
	{ "sve_str_z", 0xe5804000, ST | SIMD, 0x29 },
	{ "fadd", 0x1e602800, FP, 0x02 },
	{ "fmadd", 0x1f420820, FP, 0x02 },
	{ "fcsel", 0x1e621c20, FP, 0x03 },
	{ "scvtf", 0x9e620020, FP, 0x02 },
	{ "add_4s", 0x4ea18420, SIMD, 0x04 },
	{ "mla_element", 0x6f820020, SIMD, 0x04 },
	{ "sqxtn", 0x0ea14820, SIMD, 0x04 },
	{ "urecpe", 0x4ea1c820, SIMD, 0x04 },
	{ "addv", 0x4eb1b820, SIMD, 0x04 },
	{ "aese", 0x4e284820, SIMD, 0x04 },
	{ "sha512su0", 0xcec08020, SIMD, 0x04 },
	{ "movi", 0x4f000420, SIMD, 0x04 },
	{ "fadd_4s", 0x4e21d420, SIMD | FP, 0x06 },
	{ "fadd_8h", 0x4e411420, SIMD | FP, 0x06 },
	{ "fadd_d_pair", 0x7e70d820, SIMD | FP, 0x06 },
	{ "fmla_element", 0x4f821020, SIMD | FP, 0x06 },
	{ "fmul_element", 0x4f829020, SIMD | FP, 0x06 },
	{ "fabs_4s", 0x4ea0f820, SIMD | FP, 0x06 },
	{ "fcvtn", 0x0e616820, SIMD | FP, 0x06 },
	{ "frecpe", 0x4ea1d820, SIMD | FP, 0x06 },
	{ "fmaxv", 0x6e30f820, SIMD | FP, 0x06 },
	{ "sve_add", 0x04a00000, SIMD, 0x28 },
	{ "sve_fadd", 0x65800000, SIMD | FP, 0x2a },
	{ "b", OP_B, B, 0x18 },
	{ "b_eq", OP_BEQ, B, 0x19 },
	{ "bl", 0x94000000, B, 0x08 },
	{ "br", OP_BR, B, 0x1a },
	{ "blr", 0xd63f0000, B, 0x0a },
	{ "ret", 0xd65f03c0, B, 0x12 },
};

static struct fk *rich(void)
{
	struct fk *f = fk_new();

	v9_config_version(&f->cfg, 6);
	f->cfg.max_size = f->cfg.align = 7;
	f->cfg.fds = f->cfg.eft = f->cfg.count16 = true;
	f->pe.sve_vq = 1;
	return f;
}

static struct fk *rich_started(uint64_t scr)
{
	struct fk *f = rich();

	fk_init(f);
	fk_start(f, IRR, 16, scr);
	return f;
}

/* Samples the next instruction. Returns true if its record was kept. */
static bool kept(struct fk *f, unsigned int kind)
{
	unsigned int before = f->nlog;
	bool data = kinds[kind].types & (LD | ST);

	MSR(f, PMSICR_EL1, 1);
	MSR(f, PMBPTR_EL1, FK_BASE);
	fk_sync(f, V9_SYNC_ISB);
	fk_op(f, kinds[kind].op, data ? 0x10000 + kind * 64 : 0);
	fk_op(f, OP_NOP, 0);
	return f->nlog != before;
}

/* Types and masks have this order in PMSFCR_EL1. */
static uint64_t fcr_of(unsigned int types, unsigned int masks)
{
	return V9_PMSFCR_EL1_FT | (uint64_t)types << 16 | (uint64_t)masks << 48;
}

/*
 * A record is kept if each type with a mask has the selected value, and if it has at least one of
 * the selected types without a mask, if there are any.
 */
static bool wanted(unsigned int types, unsigned int masks, unsigned int has)
{
	bool asked = false, one = false;
	unsigned int t;

	for (t = 1; t <= SIMD; t <<= 1) {
		if (masks & t) {
			if (!(types & t) != !(has & t))
				return false;
		} else if (types & t) {
			asked = true;
			one |= has & t;
		}
	}
	return one || !asked;
}

/*
 * All 1024 settings, each with all kinds. No type and no mask keeps everything, whatever the unit
 * makes of other empty filters. shows: SPE-FI13 SPE-FI2
 */
static void types(void)
{
	unsigned int t, masks, k, bad = 0, cases = 0;
	struct fk *f = rich();

	f->cfg.cu_filter = V9_CU_FILTER_DROP;
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	/* Software must not move the pointer while running; here it saves buffer space. */
	for (t = 0; t < 32; t++)
		for (masks = 0; masks < 32; masks++) {
			MSR(f, PMSFCR_EL1, fcr_of(t, masks));
			for (k = 0; k < V9_ARRAY_SIZE(kinds); k++, cases++)
				if (kept(f, k) != wanted(t, masks, kinds[k].types) && bad++ < 10)
					tap_note("types %02x masks %02x: %s", t, masks,
						 kinds[k].name);
		}
	tap_note("%u cases", cases);
	tap_eq(bad, 0, "types_and_masks");
	fk_free(f);
}

/* shows: SPE-FI13 */
static void without_feature(void)
{
	struct fk *f = fk_new();

	v9_config_version(&f->cfg, 6);
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	MSR(f, PMSFCR_EL1, UINT64_MAX);
	tap_eq(MRS(f, PMSFCR_EL1), 0x7000f, "no_masks_without_the_feature");
	MSR(f, PMSFCR_EL1, 0);
	tap_ok(!v9_reg_exists(f->m, fk_reg(V9_SYS_PMSDSFR_EL1)), "no_source_filter_without");
	fk_free(f);

	f = rich();
	fk_init(f);
	MSR(f, PMSFCR_EL1, UINT64_MAX);
	tap_eq(MRS(f, PMSFCR_EL1), 0x1f0000001f001f, "masks_with_the_feature");
	MSR(f, PMSLATFR_EL1, UINT64_MAX);
	tap_eq(MRS(f, PMSLATFR_EL1), 0xffff, "minimum_of_16_bits");
	tap_eq(MRS(f, PMSIDR_EL1), 0xe0370ff, "pmsidr_with_all");
	MSR(f, PMSEVFR_EL1, UINT64_MAX);
	tap_eq(MRS(f, PMSEVFR_EL1), 0x180bfe, "events_of_v1p4");
	MSR(f, PMSNEVFR_EL1, UINT64_MAX);
	tap_eq(MRS(f, PMSNEVFR_EL1), 0x180bfc, "unwanted_events_of_v1p4");
	fk_free(f);
}

/* Payloads of the Operation Type packet, each in a record of its own */
static void payloads(void)
{
	struct fk *f = rich_started(0);
	unsigned int k;

	for (k = 0; k < V9_ARRAY_SIZE(kinds); k++) {
		struct fk_rec r;

		kept(f, k);
		fk_decode(f, FK_BASE, FK_BASE + 128, &r);
		if (!tap_eq(r.l.opc, kinds[k].payload, "payload_%s", kinds[k].name))
			tap_note("%02x %02x", r.l.op, r.l.opc);
	}
	fk_free(f);
}

/*
 * J1.1.1.87: SAMPLE_FEED_FP and SAMPLE_FEED_SIMD count the samples of their types, whatever the filter by type
 * selects, and whether it drops them or not. shows: SPE-PM7
 */
static void feeds_of_types(void)
{
	const uint64_t filters[] = { 0, fcr_of(B, 0), fcr_of(FP | SIMD, FP) };
	struct fk *f = rich_started(0);
	unsigned int i, k, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(filters); i++) {
		MSR(f, PMSFCR_EL1, filters[i]);
		for (k = 0; k < V9_ARRAY_SIZE(kinds); k++) {
			const uint64_t fp = fk_score(f)->feed[V9_FEED_FP], simd = fk_score(f)->feed[V9_FEED_SIMD];

			kept(f, k);
			if ((fk_score(f)->feed[V9_FEED_FP] - fp != !!(kinds[k].types & FP) ||
			     fk_score(f)->feed[V9_FEED_SIMD] - simd != !!(kinds[k].types & SIMD)) && bad++ < 10)
				tap_note("filter %#llx: %s", (unsigned long long)filters[i], kinds[k].name);
		}
	}
	tap_eq(bad, 0, "feed_fp_and_simd");
	fk_free(f);
}

/*
 * J1.1.1.84: SAMPLE_FEED_DS counts loads whose data source is selected in PMSDSFR_EL1, whether the filter is
 * enabled or not, on units that have it. The first load comes from memory, the second one from the level 1
 * cache; the store has no data source. shows: SPE-PM7
 */
static void feeds_of_sources(void)
{
	static const struct {
		const char *name;
		uint64_t selected, fcr, counts;
		bool filters;
	} rows[] = {
		{ "none", 0, V9_PMSFCR_EL1_FDS, 0, true },
		{ "memory", V9_BIT(V9_LEVEL_DRAM), V9_PMSFCR_EL1_FDS, 1, true },
		{ "other_source", V9_BIT(V9_LEVEL_LLC), V9_PMSFCR_EL1_FDS, 0, true },
		{ "of_what_has_no_source", V9_BIT(63), V9_PMSFCR_EL1_FDS, 0, true },
		{ "not_enabled", V9_BIT(V9_LEVEL_DRAM) | V9_BIT(V9_LEVEL_L1), 0, 2, true },
		{ "without_the_filter", 0, 0, 0, false },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct fk *f = rich();

		f->cfg.fds = rows[i].filters;
		f->cfg.poison = !rows[i].filters;	/* a register that is not there selects nothing */
		fk_init(f);
		fk_start(f, IRR, 16, 0);
		if (rows[i].filters)
			MSR(f, PMSDSFR_EL1, rows[i].selected);
		MSR(f, PMSFCR_EL1, rows[i].fcr);
		fk_one(f, OP_LDR, 0x123400);
		fk_one(f, OP_LDR, 0x123400);
		fk_one(f, OP_STR, 0x123400);
		tap_eq(fk_score(f)->feed[V9_FEED_DS], rows[i].counts, "feed_ds_%s", rows[i].name);
		fk_free(f);
	}
}

/*
 * The data source is memory at the first access, then the level 1 cache. The filter does not drop
 * records without a source. shows: SPE-FI14
 */
static void sources(void)
{
	static const struct {
		const char *name;
		uint64_t keeps;
		bool enabled, memory, first_level, store;
	} rows[] = {
		{ "off", 0, false, true, true, true },
		{ "none", 0, true, false, false, true },
		{ "memory", V9_BIT(V9_LEVEL_DRAM), true, true, false, true },
		{ "first_level", V9_BIT(V9_LEVEL_L1), true, false, true, true },
		{ "all", UINT64_MAX, true, true, true, true },
		{ "others", ~(V9_BIT(V9_LEVEL_DRAM) | V9_BIT(V9_LEVEL_L1)), true, false, false,
		  true },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct fk *f = rich_started(0);
		unsigned int n = 0;
		bool got[3];

		MSR(f, PMSDSFR_EL1, rows[i].keeps);
		MSR(f, PMSFCR_EL1, rows[i].enabled ? V9_PMSFCR_EL1_FDS : 0);
		fk_one(f, OP_LDR, 0x123400);
		got[0] = f->nlog != n;
		n = f->nlog;
		fk_one(f, OP_LDR, 0x123400);
		got[1] = f->nlog != n;
		n = f->nlog;
		fk_one(f, OP_STR, 0x987600);
		got[2] = f->nlog != n;
		tap_ok(got[0] == rows[i].memory && got[1] == rows[i].first_level &&
		       got[2] == rows[i].store, "sources_%s", rows[i].name);
		tap_eq(MRS(f, PMSDSFR_EL1), rows[i].keeps, "sources_%s_read_back", rows[i].name);
		fk_free(f);
	}
}

/* Events since SPEv1p4, and the filters on them. shows: SPE-FI6 */
static void events(void)
{
	const uint64_t cold = 0x18033e, warm = 0x16;
	struct fk *f = rich_started(0);
	struct fk_rec r;

	fk_one(f, OP_LDR, 0x123400);
	fk_one(f, OP_LDR, 0x123400);
	tap_eq(f->log[0].ev, cold, "events_of_a_miss");
	tap_eq(f->log[1].ev, warm, "events_of_a_hit");
	fk_decode(f, FK_BASE, FK_BASE + 128, &r);
	tap_eq(r.l.ev, cold, "events_in_four_bytes");
	MSR(f, PMSEVFR_EL1, V9_BIT(V9_SPE_EV_L2D_MISS));
	MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FE);
	fk_one(f, OP_LDR, 0x123400);
	tap_eq(f->nlog, 2, "a_hit_is_no_miss");
	fk_one(f, OP_LDR, 0x7654300);
	tap_eq(f->nlog, 3, "a_miss_is_preserved");
	MSR(f, PMSNEVFR_EL1, V9_BIT(V9_SPE_EV_L2D_ACCESS));
	MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FnE);
	fk_one(f, OP_LDR, 0x3210000);
	tap_eq(f->nlog, 3, "an_access_is_dropped");
	fk_one(f, OP_LDR, 0x3210000);
	tap_eq(f->nlog, 4, "without_it_is_not");
	fk_free(f);

	f = fk_new();
	v9_config_version(&f->cfg, 4);
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	fk_one(f, OP_LDR, 0x123400);
	tap_eq(f->log[0].ev, cold & 0xffff, "no_such_events_before");
	MSR(f, PMSEVFR_EL1, UINT64_MAX);
	tap_eq(MRS(f, PMSEVFR_EL1), 0x8ea, "events_of_v1p3");
	fk_free(f);
}

/* shows: SPE-CD20 SPE-FI7 */
static void wide_latencies(void)
{
	static const struct {
		uint16_t cycles;
		bool wide;
		uint16_t shown;
	} rows[] = {
		{ 0xfff, true, 0xfff }, { 0x1000, true, 0x1000 }, { 0xffff, true, 0xffff },
		{ 0x1000, false, 0xfff }, { 0xffff, false, 0xfff },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct fk *f = rich();

		f->cfg.lat_total = rows[i].cycles;
		f->cfg.count16 = rows[i].wide;
		fk_init(f);
		fk_start(f, IRR, 16, 0);
		MSR(f, PMSLATFR_EL1, rows[i].shown);
		MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FL);
		fk_one(f, OP_NOP, 0);
		tap_ok(f->nlog == 1 && f->log[0].lat_total == rows[i].shown,
		       "latency_%x_%s", rows[i].cycles, rows[i].wide ? "wide" : "narrow");
		if (rows[i].wide && rows[i].cycles < 0xffff) {
			MSR(f, PMSLATFR_EL1, rows[i].cycles + 1);
			fk_one(f, OP_NOP, 0);
			tap_eq(f->nlog, 1, "latency_%x_below_the_minimum", rows[i].cycles);
		}
		fk_free(f);
	}
}

/* The longest record exceeds 64 bytes. shows: SPE-PK10 SPE-PB17 */
static void long_records(void)
{
	static const uint8_t aligns[] = { 0, 6, 7 };
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(aligns); i++) {
		struct fk *f = rich();
		struct fk_rec r;
		unsigned int n;

		f->cfg.align = aligns[i];
		f->pe.r.has_el2 = true;
		f->pe.r.mdcr_el2 = V9_MDCR_EL2_E2PB;
		fk_init(f);
		MSR(f, PMSCR_EL2, V9_PMSCR_EL2_CX | V9_PMSCR_EL2_PA | V9_PMSCR_EL2_PCT);
		fk_start(f, IRR, 16, V9_PMSCR_EL1_CX | V9_PMSCR_EL1_TS | V9_PMSCR_EL1_PA);
		fk_one(f, OP_LDR, 0x123400);
		n = MRS(f, PMBPTR_EL1) - FK_BASE;
		fk_decode(f, FK_BASE, FK_BASE + 128, &r);
		tap_ok(r.ended && !r.unknown && r.l.ds == V9_LEVEL_DRAM &&
		       (r.l.has & (V9_LOG_CTX1 | V9_LOG_CTX2 | V9_LOG_PA | V9_LOG_DS)) ==
		       (V9_LOG_CTX1 | V9_LOG_CTX2 | V9_LOG_PA | V9_LOG_DS),
		       "long_record_whole_align_%u", aligns[i]);
		tap_eq(n, aligns[i] ? 128 : 65, "long_record_size_align_%u", aligns[i]);
		fk_free(f);
	}
}

/*
 * Valid configurations: A2.3 has FEAT_SPE_EXC in SPEv1p5 only, with FEAT_SPE_CRR and FEAT_SPE_nVM;
 * from SPEv1p3 on external aborts are not reported (D17.8.4) and flags are updated (D17.8.3.1).
 */
static void configurations(void)
{
	static const struct {
		const char *name;
		uint8_t version, spe_ea;
		bool f, lds, fds, eft, crr, exc, nvm;
		uint8_t max_size;
		bool product, mixed;	/* is it accepted without and with cfg.mixed? */
	} rows[] = {
		{ "v1p0", 1, 0, false, true, false, false, false, false, false, 6, true, true },
		{ "v1p2", 3, 0, true, true, false, false, false, false, false, 6, true, true },
		{ "v1p2_ignores", 3, 1, true, true, false, false, false, false, false, 6, true, true },
		{ "v1p2_nvm", 3, 0, true, true, false, false, false, false, true, 6, true, true },
		{ "v1p2_exc", 3, 0, true, true, false, false, false, true, false, 6, false, true },
		{ "v1p2_eft", 3, 0, true, true, false, true, false, false, false, 6, false, false },
		{ "v1p2_crr", 3, 0, true, true, false, false, true, false, false, 6, false, false },
		{ "v1p3", 4, 1, true, true, false, false, false, false, false, 6, true, true },
		{ "v1p3_serror", 4, 2, true, true, false, false, false, false, false, 6, true, true },
		{ "v1p3_ea_3", 4, 3, true, true, false, false, false, false, false, 6, false, false },
		{ "v1p3_reports", 4, 0, true, true, false, false, false, false, false, 6, false, true },
		{ "v1p3_no_flags", 4, 1, false, true, false, false, false, false, false, 6, false,
		  true },
		{ "v1p4", 5, 1, true, true, false, false, false, false, false, 6, true, true },
		{ "v1p4_rich", 5, 1, true, true, true, true, true, false, true, 7, true, true },
		{ "v1p4_exc", 5, 1, true, true, false, false, true, true, true, 6, false, true },
		{ "v1p4_short_sources", 5, 1, true, true, true, false, false, false, false, 6, false,
		  false },
		{ "v1p4_no_sources", 5, 1, true, false, true, false, false, false, false, 7, false,
		  false },
		{ "v1p5", 6, 1, true, true, false, false, true, true, true, 6, true, true },
		{ "v1p5_rich", 6, 2, true, true, true, true, true, true, true, 7, true, true },
		{ "v1p5_reports", 6, 0, true, true, false, false, true, true, true, 6, false, true },
		{ "v1p5_no_crr", 6, 1, true, true, false, false, false, true, true, 6, false, true },
		{ "v1p5_no_exc", 6, 1, true, true, false, false, true, false, true, 6, false, true },
		{ "v1p5_no_nvm", 6, 1, true, true, false, false, true, true, false, 6, false, true },
		{ "v1p6", 7, 1, true, true, false, false, true, true, true, 6, false, false },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct fk *f = fk_new();

		f->cfg.spe_version = rows[i].version;
		f->cfg.spe_ea = rows[i].spe_ea;
		f->cfg.f = rows[i].f;
		f->cfg.lds = rows[i].lds;
		f->cfg.fds = rows[i].fds;
		f->cfg.eft = rows[i].eft;
		f->cfg.crr = rows[i].crr;
		f->cfg.spe_exc = rows[i].exc;
		f->cfg.spe_nvm = rows[i].nvm;
		f->cfg.max_size = rows[i].max_size;
		tap_eq(fk_init(f) == 0, rows[i].product, "product_%s", rows[i].name);
		f->cfg.mixed = true;
		tap_eq(fk_init(f) == 0, rows[i].mixed, "mixed_%s", rows[i].name);
		fk_free(f);
	}
	for (i = 1; i <= 6; i++) {
		struct fk *f = fk_new();

		v9_config_version(&f->cfg, i);
		tap_eq(fk_init(f), 0, "version_%u_is_a_product", i);
		tap_eq(MRS(f, PMBIDR_EL1) >> 8 & 15, i >= 4, "version_%u_in_pmbidr", i);
		fk_free(f);
	}
}

int main(void)
{
	types();
	without_feature();
	payloads();
	feeds_of_types();
	feeds_of_sources();
	sources();
	events();
	wide_latencies();
	long_records();
	configurations();
	return tap_done();
}
