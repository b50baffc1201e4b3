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

/* Rows that differ in one bit of a key alone; the words behind the key move along. */
static void test_each_bit(void)
{
	size_t wrong = 0;

	for (unsigned int word = 0; word < 2; word++)
		for (unsigned int bit = 0; bit < 64; bit++) {
			uint64_t row[3][3] = { { 5, 5, 1 }, { 5, 5, 2 }, { 5, 5, 3 } };

			row[0][word] ^= UINT64_C(1) << bit;
			v9_sort_words(&row[0][0], 3, 3, 2);
			/* The one that differs comes first where a bit of 5 was removed. The others stay in their order. */
			if (UINT64_C(5) >> bit & 1)
				wrong += row[0][2] != 1 || row[1][2] != 2 || row[2][2] != 3;
			else
				wrong += row[0][2] != 2 || row[1][2] != 3 || row[2][2] != 1;
			wrong += row[0][word] > row[1][word] || row[1][word] > row[2][word];
		}
	tap_eq(wrong, 0, "each_bit");
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

/* Every third bin is removed, over the border of a chunk, too. */
static bool two_of_three(void *bin, void *arg)
{
	size_t *next = arg;
	const struct bin *b = bin;

	if (b->n != (*next)++)
		exit(1);		/* the order of adding */
	return b->n % 3;
}

static void test_keep(void)
{
	const size_t many = V9_BINS_CHUNK + 3000;
	size_t next = 0, wrong = 0;
	struct v9_bins b;

	v9_bins_init(&b, sizeof(struct bin));
	for (size_t i = 0; i < many; i++)
		((struct bin *)v9_bins_at(&b, (uint64_t[]){ i, 1, 2 }, 3))->n = i;
	tap_eq(v9_bins_keep(&b, 3, two_of_three, &next), (many + 2) / 3, "removed");
	tap_eq(b.used, many - (many + 2) / 3, "kept");
	for (size_t i = 0; i < many; i++) {
		const struct bin *x = v9_bins_find(&b, (uint64_t[]){ i, 1, 2 }, 3);

		wrong += i % 3 ? !x || x->n != i : !!x;
	}
	tap_eq(wrong, 0, "found_after_removal");
	for (size_t i = 1; i < b.used; i++)
		wrong += ((struct bin *)v9_bins_get(&b, i - 1))->n >= ((struct bin *)v9_bins_get(&b, i))->n;
	tap_eq(wrong, 0, "order_after_removal");
	tap_eq(((struct bin *)v9_bins_at(&b, (uint64_t[]){ 3, 1, 2 }, 3))->n, 0, "added_again");
	v9_bins_free(&b);
}

int main(void)
{
	test_sorted();
	test_each_bit();
	test_first_words();
	test_none();
	test_keep();
	return tap_done();
}
