// SPDX-License-Identifier: GPL-2.0-only
/* Bins in the order of their keys. */
#include <stdlib.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/report/bins.h"

struct bin {
	uint64_t key[3];
	uint64_t n;
};

/* In the order of all three words, which is neither that of adding nor that of two of them */
static const uint64_t ordered[][3] = {
	{ 0, 0, 1 }, { 0, 0, UINT64_MAX }, { 0, 7, 0 }, { 1, 0, 5 }, { 1, 2, 3 }, { 1, 2, 4 },
	{ 1, UINT64_MAX, 0 }, { 0x100000000, 0, 0 }, { UINT64_MAX, 0, 0 },
};

static const size_t added[] = { 5, 1, 8, 4, 0, 7, 3, 6, 2 };

static void test_sorted(void)
{
	bool good = true;
	struct v9_bins b;
	void **all;

	v9_bins_init(&b, sizeof(struct bin));
	for (size_t i = 0; i < V9_ARRAY_SIZE(added); i++)
		((struct bin *)v9_bins_at(&b, ordered[added[i]], 3))->n = added[i];
	all = v9_bins_sorted(&b, 3);
	for (size_t i = 0; i < V9_ARRAY_SIZE(ordered); i++)
		good &= ((struct bin *)all[i])->n == i;
	tap_ok(good && b.used == V9_ARRAY_SIZE(ordered), "sorted");
	free(all);
	v9_bins_free(&b);
}

static void test_first_words(void)
{
	struct v9_bins b;
	void **all;

	v9_bins_init(&b, sizeof(struct bin));
	((struct bin *)v9_bins_at(&b, (uint64_t[]){ 2, 1 }, 2))->n = 1;
	((struct bin *)v9_bins_at(&b, (uint64_t[]){ 2, 0 }, 2))->n = 9;
	all = v9_bins_sorted(&b, 1);
	tap_ok(((struct bin *)all[0])->n == 1 && ((struct bin *)all[1])->n == 9,
	       "equal_in_the_order_of_adding");
	free(all);
	v9_bins_free(&b);
}

static void test_none(void)
{
	struct v9_bins b;

	v9_bins_init(&b, sizeof(struct bin));
	free(v9_bins_sorted(&b, 3));
	tap_ok(!b.used, "none");
	v9_bins_free(&b);
}

int main(void)
{
	test_sorted();
	test_first_words();
	test_none();
	return tap_done();
}
