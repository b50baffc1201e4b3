// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probability that two shares differ by chance. Values of small counts are sums of binomial
 * coefficients, exactly, in Python; of large ones its erfc() of the difference in standard deviations.
 */
#include <math.h>

#include "tap.h"

#include "../../tools/report/compare.h"

static const struct {
	const char *name;
	uint64_t k1, n1, k2, n2;
	double chance;
} cases[] = {
	{ "tea", 3, 4, 1, 4, 0.4857142857142857 },		/* Fisher's own example */
	{ "one_of_twelve", 1, 12, 9, 12, 0.0027594561852200836 },
	{ "none_of_a_hundred", 0, 100, 5, 100, 0.059383210468586585 },
	{ "the_same", 20, 100, 20, 100, 1 },
	{ "thousands", 30, 1000, 60, 1100, 0.006715398409716061 },
	{ "few_of_the_other", 7, 50, 0, 3, 1 },
	{ "large", 50000, 100000, 50500, 100000, 0.025345488077531172 },
	{ "large_and_rare", 15000, 1000000, 15400, 1000000, 0.02078902434164989 },
	{ "no_samples", 0, 0, 5, 10, 1 },
	{ "no_others", 5, 10, 0, 0, 1 },
	{ "all", 30000, 30000, 40000, 40000, 1 },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const double p = v9_chance(cases[i].k1, cases[i].n1, cases[i].k2, cases[i].n2);
		const double q = v9_chance(cases[i].k2, cases[i].n2, cases[i].k1, cases[i].n1);

		tap_ok(fabs(p - cases[i].chance) < 1e-7 * cases[i].chance, "chance_%s", cases[i].name);
		tap_ok(fabs(p - q) < 1e-9, "chance_in_the_other_order_%s", cases[i].name);
	}
	return tap_done();
}
