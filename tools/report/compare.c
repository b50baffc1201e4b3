// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "compare.h"

#include <math.h>

#define EXACT_MOST	20000	/* samples of the kind in both; more are approximated */

/* Logarithm of the number of ways to choose @k of @n */
static double choose(uint64_t n, uint64_t k)
{
	return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

static double exact(uint64_t k1, uint64_t n1, uint64_t k2, uint64_t n2)
{
	const uint64_t k = k1 + k2, least = k > n2 ? k - n2 : 0, most = k < n1 ? k : n1;
	const double all = choose(n1 + n2, k);
	const double seen = choose(n1, k1) + choose(n2, k2) - all;
	double sum = 0;

	for (uint64_t i = least; i <= most; i++) {
		const double p = choose(n1, i) + choose(n2, k - i) - all;

		/* As likely as what was seen, or less; lgamma() is not exact. */
		if (p <= seen + 1e-7)
			sum += exp(p);
	}
	return sum < 1 ? sum : 1;
}

double v9_chance(uint64_t k1, uint64_t n1, uint64_t k2, uint64_t n2)
{
	double share, spread;

	if (!n1 || !n2)
		return 1;
	if (k1 + k2 <= EXACT_MOST)
		return exact(k1, n1, k2, n2);
	share = (double)(k1 + k2) / (double)(n1 + n2);
	spread = sqrt(share * (1 - share) * (1 / (double)n1 + 1 / (double)n2));
	if (!(spread > 0))
		return 1;
	return erfc(fabs((double)k1 / (double)n1 - (double)k2 / (double)n2) / spread / sqrt(2));
}
