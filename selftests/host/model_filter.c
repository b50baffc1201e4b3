// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which records the filters keep: all combinations of filters for a stream of operations. The
 * expected result is from a second implementation of the rule in this file.
 */
#include "tap.h"
#include "model_fake.h"

#define IRR V9_PUT(V9_PMSIRR_EL1_INTERVAL, 100)

/* One operation of each kind, and its types in the manual */
static const struct {
	const char *name;
	uint32_t op;
	bool data, b, ld, st;
} kinds[] = {
	{ "nop", OP_NOP, false, false, false, false },
	{ "ldr", OP_LDR, true, false, true, false },
	{ "str", OP_STR, true, false, false, true },
	{ "ldadd", OP_LDADD, true, false, true, true },
	{ "stadd", OP_STADD, true, false, false, true },
	{ "b", OP_B, false, true, false, false },
	{ "br", OP_BR, false, true, false, false },
	{ "prfm", OP_PRFM, true, false, false, false },
	{ "csel", OP_CSEL, false, false, false, false },
};

/* shows: SPE-FI2 SPE-FI3 SPE-FI4 SPE-CD11 */
static void types(void)
{
	unsigned int mask, k;

	for (mask = 1; mask < 8; mask++) {
		struct fk *f = fk_started(IRR, 16, 0);
		unsigned int bad = 0;

		MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FT | (mask & 1 ? V9_PMSFCR_EL1_B : 0) |
		    (mask & 2 ? V9_PMSFCR_EL1_LD : 0) | (mask & 4 ? V9_PMSFCR_EL1_ST : 0));
		for (k = 0; k < V9_ARRAY_SIZE(kinds); k++) {
			unsigned int before = f->nlog;
			bool want = ((mask & 1) && kinds[k].b) || ((mask & 2) && kinds[k].ld) ||
				    ((mask & 4) && kinds[k].st);

			fk_one(f, kinds[k].op, kinds[k].data ? 0x10000 + k * 64 : 0);
			if ((f->nlog != before) != want) {
				bad++;
				tap_note("mask %u: %s", mask, kinds[k].name);
			}
		}
		tap_eq(bad, 0, "types_mask_%u", mask);
		fk_free(f);
	}
}

/*
 * All filters at once: for each of the 16 enables and each of a set of selectors,
 * the stream of kinds above at two latencies. shows: SPE-FI1 SPE-FI6 SPE-FI7 SPE-FI10 SPE-PM3
 */
static void combinations(void)
{
	static const uint64_t evs[] = { 0x2, 0x8, 0x28, 0x40 };
	unsigned int en, e, ne, lat, bad = 0, cases = 0;

	for (en = 0; en < 16; en++)
	for (e = 0; e < 4; e++)
	for (ne = 0; ne < 4; ne++)
	for (lat = 9; lat < 12; lat++) {
		struct fk *f = fk_new();
		unsigned int k, kept = 0;

		f->cfg.lat_total = 10;
		fk_init(f);
		fk_start(f, IRR, 16, 0);
		MSR(f, PMSFCR_EL1, (en & 1 ? V9_PMSFCR_EL1_FE : 0) |
		    (en & 2 ? V9_PMSFCR_EL1_FT : 0) |
		    (en & 4 ? V9_PMSFCR_EL1_FL : 0) | (en & 8 ? V9_PMSFCR_EL1_FnE : 0) |
		    V9_PMSFCR_EL1_LD | V9_PMSFCR_EL1_B);
		MSR(f, PMSEVFR_EL1, evs[e]);
		MSR(f, PMSNEVFR_EL1, evs[ne]);
		MSR(f, PMSLATFR_EL1, lat);
		for (k = 0; k < V9_ARRAY_SIZE(kinds); k++) {
			unsigned int before = f->nlog;
			uint64_t ev;
			bool want = true;

			fk_one(f, kinds[k].op, kinds[k].data ? 0x10000 * (k + 1) : 0);
			/* first access to a page misses, csel fails, PRFM has no data */
			ev = kinds[k].ld || kinds[k].st ? 0x33e : 0x2;
			if (kinds[k].op == OP_CSEL)
				ev |= 0x40;
			if (kinds[k].op == OP_BR)
				ev |= 0x80;
			if (en & 1)
				want &= (ev & (evs[e] | 2)) == (evs[e] | 2);
			if (en & 2)
				want &= kinds[k].ld || kinds[k].b;
			if (en & 4)
				want &= 10 >= lat;
			if ((en & 8) && (evs[ne] & ~UINT64_C(2)))
				want &= !(ev & evs[ne] & ~UINT64_C(2));
			cases++;
			kept += want;
			if ((f->nlog != before) != want) {
				bad++;
				if (bad < 10)
					tap_note("enables %x events %llx not %llx latency %u: %s",
						 en,
						 (unsigned long long)evs[e],
						 (unsigned long long)evs[ne], lat, kinds[k].name);
			}
		}
		if (fk_score(f)->passed != kept || fk_score(f)->written != kept ||
		    fk_score(f)->samples != V9_ARRAY_SIZE(kinds) ||
		    fk_score(f)->filtered != V9_ARRAY_SIZE(kinds) - kept ||
		    MRS(f, PMBPTR_EL1) != FK_BASE + kept * 64)
			bad++;
		fk_free(f);
	}
	tap_note("%u cases", cases);
	tap_eq(bad, 0, "all_combinations");
}

/* The counts of the PMU events from 0x812a on are these, in the order of their numbers. */
static bool feeds_are(struct fk *f, uint64_t br, uint64_t ld, uint64_t st, uint64_t op, uint64_t ev, uint64_t lat)
{
	const uint64_t want[] = { br, ld, st, op, ev, lat }, *feed = fk_score(f)->feed + V9_FEED_BR;
	bool ok = true;

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(want); i++) {
		if (feed[i] != want[i])
			tap_note("event %#x: %llu, want %llu", 0x812a + i, (unsigned long long)feed[i],
				 (unsigned long long)want[i]);
		ok &= feed[i] == want[i];
	}
	return ok;
}

/* Samples a load, a store, both in one, a branch and another operation. Each has a latency of 10. */
static void feed(struct fk *f)
{
	fk_one(f, OP_LDR, 0x10000);
	fk_one(f, OP_STR, 0x10000);
	fk_one(f, OP_LDADD, 0x10000);
	fk_arm(f);
	fk_branch(f, 0x14000001, 0, f->pc + 4);
	fk_op(f, OP_NOP, 0);
	fk_one(f, OP_NOP, 0);
}

/* shows: SPE-PM7 */
static void feeds(void)
{
	struct fk *f = fk_started(V9_PUT(V9_PMSIRR_EL1_INTERVAL, 100), 16, 0);

	feed(f);
	tap_ok(feeds_are(f, 1, 2, 2, 0, 5, 5), "feed_without_selection");
	/* loads; L1D refill (E[3]), which the first access had; 11 cycles: no filter is enabled */
	MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_LD);
	MSR(f, PMSEVFR_EL1, 0x8);
	MSR(f, PMSLATFR_EL1, 11);
	fk_sync(f, V9_SYNC_ISB);
	fk_one(f, OP_LDR, 0x11040);
	feed(f);
	tap_ok(feeds_are(f, 2, 5, 4, 3, 6, 5) && fk_score(f)->filtered == 0, "feed_of_what_is_selected");
	/* all are enabled, and drop everything but are counted; loads, or not retired: none */
	MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_LD | V9_PMSFCR_EL1_FT | V9_PMSFCR_EL1_FL | V9_PMSFCR_EL1_FnE);
	MSR(f, PMSEVFR_EL1, 0);
	MSR(f, PMSNEVFR_EL1, 0x8);
	MSR(f, PMSLATFR_EL1, 11);
	fk_sync(f, V9_SYNC_ISB);
	feed(f);
	tap_ok(feeds_are(f, 3, 7, 6, 5, 11, 5) && fk_score(f)->filtered == 5, "feed_of_what_is_dropped");
	fk_free(f);

	f = fk_new();
	v9_config_version(&f->cfg, 2);
	fk_init(f);
	fk_start(f, V9_PUT(V9_PMSIRR_EL1_INTERVAL, 100), 16, 0);
	feed(f);
	tap_ok(feeds_are(f, 0, 0, 0, 0, 0, 0) && fk_score(f)->passed == 5, "no_feed_before_v1p2");
	fk_free(f);
}

/* shows: SPE-FI8 */
static void empty_selectors(void)
{
	static const struct {
		const char *name;
		uint64_t fcr;
	} e[] = {
		{ "types", V9_PMSFCR_EL1_FT }, { "latency", V9_PMSFCR_EL1_FL },
		{ "not_events", V9_PMSFCR_EL1_FnE },
	};
	unsigned int i, drop;

	for (i = 0; i < V9_ARRAY_SIZE(e); i++)
		for (drop = 0; drop < 2; drop++) {
			struct fk *f = fk_new();

			f->cfg.cu_filter = drop ? V9_CU_FILTER_DROP : V9_CU_FILTER_IGNORE;
			fk_init(f);
			fk_start(f, IRR, 16, 0);
			MSR(f, PMSFCR_EL1, e[i].fcr);
			fk_one(f, OP_LDR, 0x1000);
			tap_eq(f->nlog, !drop, "empty_%s_%s", e[i].name,
			       drop ? "drops" : "ignored");
			fk_free(f);
		}
}

/* shows: SPE-FI7 SPE-CD20 */
static void saturated_latency(void)
{
	struct fk *f = fk_new();

	f->cfg.lat_total = 0xffff;
	fk_init(f);
	fk_start(f, IRR, 16, 0);
	MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FL);
	MSR(f, PMSLATFR_EL1, 0xfff);
	fk_one(f, OP_NOP, 0);
	tap_eq(f->nlog, 1, "saturated_passes_the_largest_minimum");
	fk_free(f);
}

int main(void)
{
	types();
	combinations();
	feeds();
	empty_selectors();
	saturated_latency();
	return tap_done();
}
