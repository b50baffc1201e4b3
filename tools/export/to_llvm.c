// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The unsymbolized profile of llvm-profgen: the number of ranges, each as START-END:COUNT, then the
 * number of branches, each as FROM->TO:COUNT. Addresses are as linked (--use-offset=0), END is that of
 * the last instruction.
 */
#include <stdlib.h>
#include <string.h>

#include "object.h"

struct pair {
	uint64_t key[2];
	uint64_t n;
};

static void add(struct v9_bins *b, uint64_t x, uint64_t y, uint64_t n)
{
	const uint64_t key[2] = { x, y };

	if (v9_side_known(x) && v9_side_known(y))
		((struct pair *)v9_bins_at(b, key, 2))->n += n;
}

static void print(struct v9_export *x, const struct v9_bins *b, const char *between)
{
	const size_t width = strlen(between);
	void **all = v9_bins_sorted(b, 2);

	fprintf(x->f, "%zu\n", b->used);
	for (size_t i = 0; i < b->used; i++) {
		const struct pair *pair = all[i];
		char line[8 + 3 * V9_DIGITS_MOST], *p = line;

		p += v9_hex(p, pair->key[0]);
		p = mempcpy(p, between, width);
		p += v9_hex(p, pair->key[1]);
		*p++ = ':';
		p += v9_decimal(p, pair->n);
		*p++ = '\n';
		fwrite(line, 1, (size_t)(p - line), x->f);
	}
	free(all);
}

static void llvm_write(struct v9_export *x, const struct v9_export_object *o)
{
	struct v9_bins ranges, branches;

	v9_bins_init(&ranges, sizeof(struct pair));
	v9_bins_init(&branches, sizeof(struct pair));
	for (size_t i = 0; i < o->branches.used; i++) {
		const struct v9_object_branch *b = v9_bins_get(&o->branches, i);

		add(&branches, b->from, b->to, b->n);
		if (b->end >= b->to)
			add(&ranges, b->to, b->end, b->n);
	}
	print(x, &ranges, "-");
	print(x, &branches, "->");
	v9_bins_free(&ranges);
	v9_bins_free(&branches);
}

const struct v9_sink v9_sink_llvm = {
	.name = "llvm", .help = "branches of one object for llvm-profgen",
	.next = "llvm-profgen --unsymbolized-profile=FILE --use-offset=0 --binary=PROGRAM -o PROFILE",
	.write = llvm_write, V9_OF_OBJECT,
};
