/* SPDX-License-Identifier: GPL-2.0-only */
/* The main program of the tests that make random calls of the model. */
#ifndef V9_MODEL_WALKS_H
#define V9_MODEL_WALKS_H

/*
 * Runs @n walks, or as the arguments say: the first seed, and a number. @walk adds to *@made how much
 * the model wrote, in units of @unit, and sets *@why if an invariant is violated; it returns a hash
 * of the memory. On average a walk must write more than @least.
 */
static inline void walks(int argc, char **argv, unsigned int n, unsigned int least,
			 const char *unit,
			 uint64_t (*walk)(unsigned int seed, const char **why, uint64_t *made))
{
	unsigned int seed, first = 0, bad = 0, differ = 0;
	uint64_t made = 0, again = 0;

	if (argc > 1) {
		first = strtoul(argv[1], NULL, 0);
		n = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	}
	for (seed = first; seed < first + n; seed++) {
		const char *why = NULL, *why2 = NULL;
		uint64_t h = walk(seed, &why, &made);

		bad += !!why;
		if (seed % 8 == 0)
			differ += h != walk(seed, &why2, &again);
	}
	tap_note("%u walks, %llu %s", n, (unsigned long long)made, unit);
	tap_eq(bad, 0, "invariants_hold");
	tap_ok(made > (uint64_t)least * n || argc > 1, "walks_make_%s", unit);
	tap_eq(differ, 0, "same_seed_same_bytes");
}

#endif
