// SPDX-License-Identifier: GPL-2.0-only
/* drivers/lib/errata.c: first and last revision of each range, and their neighbours. */
#include "tap.h"
#include "v9trace/errata.h"

#define SKIPS_A	V9_ERRATUM_2119858
#define SKIPS_N	V9_ERRATUM_2139208
#define OVERRUN_A	V9_ERRATUM_2224489
#define OVERRUN_N	V9_ERRATUM_2253138

static const struct {
	const char *name;
	uint64_t midr, bits;
} rows[] = {
	{ "1694299_n1_r0p0", 0x410fd0c0 & ~0xf00000u, V9_ERRATUM_1694299 },
	{ "1694299_n1_r3p1", 0x413fd0c1, V9_ERRATUM_1694299 },
	{ "1694299_n1_r4p0", 0x414fd0c0, V9_ERRATUM_1694299 },
	{ "1694299_n1_r4p1", 0x414fd0c1, 0 },
	{ "1694299_v2", 0x410fd4f0, 0 },
	{ "1694299_other_vendor", 0x510fd0c0, 0 },
	{ "2119858_a710_r2p0", 0x412fd470, SKIPS_A | OVERRUN_A | V9_ERRATUM_2054223 },
	{ "2119858_a710_r0p0", 0x410fd470, SKIPS_A | OVERRUN_A | V9_ERRATUM_2054223 },
	{ "2119858_a710_r2p1", 0x412fd471, SKIPS_A | OVERRUN_A | V9_ERRATUM_2054223 },
	{ "2119858_a710_last", 0x41ffd47f, SKIPS_A | OVERRUN_A | V9_ERRATUM_2054223 },
	{ "2119858_x2_r2p0", 0x412fd480, SKIPS_A | OVERRUN_A },
	{ "2224489_x2_r0p0", 0x410fd480, SKIPS_A | OVERRUN_A },
	{ "2224489_x2_r2p1", 0x412fd481, 0 },
	{ "2139208_n2_r0p3", 0x410fd493, SKIPS_N | OVERRUN_N | V9_ERRATUM_2067961 },
	{ "2253138_cobalt", 0x6d0fd490, SKIPS_N | OVERRUN_N | V9_ERRATUM_2067961 },
	{ "1902691_a510_r0p1", 0x410fd461,
	  V9_ERRATUM_1902691 | V9_ERRATUM_2038923 | V9_ERRATUM_2064142 },
	{ "2038923_a510_r0p2", 0x410fd462, V9_ERRATUM_2038923 | V9_ERRATUM_2064142 },
	{ "none_a510_r0p3", 0x410fd463, 0 },
	{ "unknown", 0x000f0510, 0 },
};

/* The workaround of each erratum */
static void remedies(void)
{
	static const struct {
		const char *name;
		uint64_t midr;
		unsigned int does;
	} cpu[] = {
		{ "a710_r2p0", 0x412fd470, 0x07 },
		{ "x2_r2p0", 0x412fd480, 0x03 },
		{ "n2_r0p0", 0x410fd490, 0x07 },
		{ "a510_r0p0", 0x410fd460, 0x38 },
		{ "a510_r0p2", 0x410fd462, 0x18 },
		{ "n1_r0p0", 0x410fd0c0, 0x00 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(cpu); i++) {
		uint64_t e = v9_errata(cpu[i].midr);

		tap_eq(v9_trbe_may_overwrite_base(e) << 0 | v9_trbe_may_overrun_limit(e) << 1 |
		       v9_trbe_needs_second_tsb(e) << 2 | v9_trbe_needs_second_drain(e) << 3 |
		       v9_trbe_needs_second_isb(e) << 4 | v9_trbe_is_broken(e) << 5,
		       cpu[i].does, "remedies_%s", cpu[i].name);
	}
}

int main(void)
{
	const struct v9_erratum *e;
	uint64_t seen = 0;
	unsigned int i, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++)
		tap_eq(v9_errata(rows[i].midr), rows[i].bits, "%s", rows[i].name);
	for (i = 0; (e = v9_erratum(i)); i++) {
		bad += !e->bit || !e->number || !e->effect || e->first > e->last ||
		       (e->part & 0x00ff000f);
		seen |= e->bit;
	}
	remedies();
	tap_eq(bad, 0, "rows_complete");
	tap_ok(seen, "rows_there");
	return tap_done();
}
