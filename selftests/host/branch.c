// SPDX-License-Identifier: GPL-2.0-only
/*
 * What branch records say, in the words of perf; what is done about the state of the unit; periods.
 * Values are typed from D24.8 (BRBINF<n>_EL1, BRBFCR_EL1), D19.1.2, and linux/perf_event.h.
 */
#include "tap.h"
#include "v9trace/branch.h"

#define INF(valid, mpred, el, type)	((uint64_t)(valid) | (mpred) << 5 | (el) << 6 | (type) << 8)
#define CC(e, m)	((uint64_t)((e) << 8 | (m)) << 32)
#define CCU		(UINT64_C(1) << 46)
#define SRC		UINT64_C(0x400100)
#define TGT		UINT64_C(0x400200)

/* TYPE of D24.8; perf's enum perf_branch type, and new_type of those with PERF_BR_EXTEND_ABI (15) */
static const struct {
	const char *name;
	unsigned int type, perf, perf_new;
} types[] = {
	{ "direct", 0x00, 2, 0 }, { "indirect", 0x01, 3, 0 }, { "direct_link", 0x02, 4, 0 },
	{ "indirect_link", 0x03, 5, 0 }, { "return", 0x05, 6, 0 }, { "eret", 0x07, 11, 0 },
	{ "conditional", 0x08, 1, 0 }, { "debug_halt", 0x21, 15, 4 }, { "call", 0x22, 7, 0 },
	{ "trap", 0x23, 12, 0 }, { "serror", 0x24, 13, 0 }, { "inst_debug", 0x26, 15, 6 },
	{ "data_debug", 0x27, 15, 7 }, { "alignment", 0x2a, 15, 0 }, { "inst_fault", 0x2b, 15, 2 },
	{ "data_fault", 0x2c, 15, 1 }, { "irq", 0x2e, 12, 0 }, { "fiq", 0x2f, 15, 3 },
	{ "impdef_el3", 0x30, 0, 0 }, { "debug_exit", 0x39, 15, 5 }, { "reserved", 0x04, 0, 0 },
	{ "after_the_last", 0x3a, 0, 0 }, { "largest", 0x3f, 0, 0 },
};

static struct v9_branch_entry decode(uint64_t inf, uint64_t branch)
{
	struct v9_branch_regs rec = { inf, SRC, TGT };
	struct v9_branch_entry b;

	memset(&b, 0xff, sizeof(b));
	v9_branch_decode(&rec, branch, &b);
	return b;
}

/* shows: BRBE-BX7 BRBE-BR1 */
static void all_types(void)
{
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(types); i++) {
		struct v9_branch_entry b = decode(INF(3, 0, 0, types[i].type), 0);

		tap_ok(b.type == types[i].perf && b.new_type == types[i].perf_new &&
		       b.from == SRC && b.to == TGT, "type_%s", types[i].name);
	}
}

/* shows: BRBE-BR2 BRBE-BC4 */
static void halves(void)
{
	struct v9_branch_entry b = decode(INF(3, 1, 0, 8), 0);

	tap_ok(b.mispred && !b.predicted, "full_mispredicted");
	b = decode(INF(3, 0, 0, 8), 0);
	tap_ok(!b.mispred && b.predicted, "full_predicted");
	/* VALID: 2 has no target, 1 no source; whatever the registers read as */
	b = decode(INF(2, 0, 0, 0x2e), 0);
	tap_ok(b.from == SRC && b.to == 0 && b.predicted && b.priv == 0, "half_source");
	b = decode(INF(1, 0, 0, 7), V9_BIT(18));
	tap_ok(b.from == 0 && b.to == TGT && !b.mispred && !b.predicted && b.priv == 1,
	       "half_target");
	b = decode(INF(2, 0, 0, 0x22), V9_BIT(18));
	tap_eq(b.priv, 0, "level_without_target");
}

/* What a session does not want */
static void wanted(void)
{
	struct v9_branch_entry b = decode(INF(3, 1, 2, 8) | CC(0, 7), V9_BIT(14));

	tap_ok(!b.mispred && !b.predicted && b.cycles == 7, "no_flags");
	b = decode(INF(3, 1, 2, 8) | CC(0, 7), V9_BIT(15));
	tap_ok(b.mispred && b.cycles == 0, "no_cycles");
	tap_eq(decode(INF(3, 0, 2, 8), 0).priv, 0, "level_unwanted");
	tap_eq(decode(INF(3, 0, 0, 8), V9_BIT(18)).priv, 1, "level_el0");
	tap_eq(decode(INF(3, 0, 1, 8), V9_BIT(18)).priv, 2, "level_el1");
	tap_eq(decode(INF(3, 0, 2, 8), V9_BIT(18)).priv, 2, "level_el2");
}

/* D24.8, CC: M if E is 0, else (256 + M) << (E - 1). shows: BRBE-BC3 */
static void cycles(void)
{
	static const struct {
		unsigned int e, m;
		uint32_t cycles;
	} of[] = {
		{ 0, 0, 0 }, { 0, 1, 1 }, { 0, 255, 255 }, { 1, 0, 256 }, { 1, 255, 511 },
		{ 2, 0, 512 }, { 2, 1, 514 }, { 3, 128, 1536 }, { 8, 255, 65408 },
		{ 9, 0, 65536 }, { 12, 255, 1046528 }, { 12, 0, 524288 },
		{ 23, 255, 2143289344 }, { 24, 0, 0xffffffff }, { 0x3f, 0xff, 0xffffffff },
	};
	struct v9_branch_entry b;

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(of); i++)
		tap_eq(v9_branch_cycles(CC(of[i].e, of[i].m)), of[i].cycles, "cycles_%u_%u",
		       of[i].e, of[i].m);
	tap_eq(v9_branch_cycles(CCU), 0, "cycles_unknown");
	tap_eq(v9_branch_cycles(CCU | CC(0, 5)), 0, "cycles_unknown");
	b = decode(INF(3, 0, 0, 8) | CC(8, 255), 0);
	tap_ok(b.cycles == 65408 && !b.saturated, "not_saturated");
	b = decode(INF(3, 0, 0, 8) | CC(9, 0), 0);
	tap_ok(b.cycles == 65535 && b.saturated, "saturated");
	b = decode(INF(3, 0, 0, 8) | CC(0x3f, 0xff), 0);
	tap_ok(b.cycles == 65535 && b.saturated, "saturated");
}

/* BRBFCR_EL1.PAUSED is bit 7. shows: BRBE-BZ3 BRBE-BZ6 */
static void validities(void)
{
	tap_eq(v9_branch_check(0x7e0000, false, 1000, 10, 1000000), V9_BRANCHES_PAUSED, "user_not_paused");
	tap_eq(v9_branch_check(0x7e0080, false, 1000, 10, 1000000), V9_BRANCHES_PAUSED, "user_paused");
	tap_eq(v9_branch_check(0x7e0000, true, 0, 10, 1000000), V9_BRANCHES_RUN_ON, "kernel_not_paused");
	tap_eq(v9_branch_check(0x7e0080, true, 10, 10, 1000000), V9_BRANCHES_FROZEN, "kernel_frozen");
	tap_eq(v9_branch_check(0x7e0080, true, 11, 10, 1000000), V9_BRANCHES_STALE, "kernel_stale");
	/* 3 us are 75 counts of 25 MHz; the last age is longer than 32 bits */
	tap_eq(v9_branch_check(0x7e0080, true, 75, 3, 25000000), V9_BRANCHES_FROZEN, "age_in_us");
	tap_eq(v9_branch_check(0x7e0080, true, 76, 3, 25000000), V9_BRANCHES_STALE, "age_in_us_over");
	tap_eq(v9_branch_check(0x7e0080, true, UINT64_C(4000000000000), 4000000000, 1000000000),
	       V9_BRANCHES_FROZEN, "age_large");
	tap_ok(v9_branch_usable(V9_BRANCHES_PAUSED) && v9_branch_usable(V9_BRANCHES_FROZEN) &&
	       !v9_branch_usable(V9_BRANCHES_STALE) && !v9_branch_usable(V9_BRANCHES_RUN_ON) &&
	       !v9_branch_usable(V9_BRANCHES_EMPTY), "usable");
}

static void periods(void)
{
	/* 1000 samples in a second: 1000000 ns each */
	tap_eq(v9_branch_period(10000, 1000000, 1000), 10000, "period_right");
	tap_eq(v9_branch_period(10000, 2000000, 1000), 5000, "period_too_long");
	tap_eq(v9_branch_period(10000, 500000, 1000), 20000, "period_too_short");
	tap_eq(v9_branch_period(80000, 100000000, 1000), 10000, "period_at_most_an_eighth");
	tap_eq(v9_branch_period(8500000, 8500000, 1000), 1062500, "period_beyond_an_eighth");
	tap_eq(v9_branch_period(80000, 8000007, 1000), 10000, "period_at_least_an_eighth");
	tap_eq(v9_branch_period(1000000000, 1000000000, 1), 1000000000, "period_of_a_second");
	tap_eq(v9_branch_period(80000000, 41666666, 3), 640000000, "period_just_eight_times");
	tap_eq(v9_branch_period(80000, 1, 1000), 640000, "period_at_most_eight_times");
	tap_eq(v9_branch_period(12000, 120000, 1000), 96000, "period_beyond_eight_times");
	tap_eq(v9_branch_period(80000, 0, 1000), 640000, "period_in_no_time");
	tap_eq(v9_branch_period(100, 100000000, 1000), 100, "period_smallest");
	tap_eq(v9_branch_period(0x7fffffff, 1, 1), 0x7fffffff, "period_largest");
	tap_eq(v9_branch_period(0x7fffffff, 999999999, 1), 0x7fffffff, "period_largest");
}

/* The layout that readers of PERF_SAMPLE_RAW know */
static void raw(void)
{
	tap_ok(sizeof(struct v9_branch_regs) == 24 && offsetof(struct v9_branch_raw, nr) == 4 &&
	       offsetof(struct v9_branch_raw, validity) == 6 &&
	       offsetof(struct v9_branch_raw, brbts) == 8 &&
	       offsetof(struct v9_branch_raw, brbcr) == 16 &&
	       offsetof(struct v9_branch_raw, brbfcr) == 24 &&
	       offsetof(struct v9_branch_raw, rec) == 32, "raw_layout");
}

int main(void)
{
	all_types();
	halves();
	wanted();
	cycles();
	validities();
	periods();
	raw();
	return tap_done();
}
