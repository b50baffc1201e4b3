// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The unsymbolized profile of llvm-profgen: the number of ranges, each as START-END:COUNT, then the
 * number of branches, each as FROM->TO:COUNT. Addresses are as linked (--use-offset=0), END is that of
 * the last instruction.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "object.h"

struct pair {
	uint64_t key[2];
	uint64_t n;
};

struct llvm {
	struct v9_export_object object;
	struct v9_export_note note;
};

static bool begin(struct v9_export *x)
{
	x->state = v9_alloc(sizeof(struct llvm));
	return true;
}

static void branch(struct v9_export *x, const struct v9_branch_count *s)
{
	v9_object_add(&((struct llvm *)x->state)->object, s);
}

static void loss(struct v9_export *x, const struct v9_loss *l)
{
	v9_note_loss(&((struct llvm *)x->state)->note, l);
}

static void add(const struct v9_export_object *o, struct v9_bins *b, const struct v9_branch_end *x,
		const struct v9_branch_end *y, uint64_t n)
{
	const uint64_t key[2] = { x->addr, y->addr };

	if (v9_object_has(o, x) && v9_object_has(o, y))
		((struct pair *)v9_bins_at(b, key, 2))->n += n;
}

static int by_address(const void *a, const void *b)
{
	const struct pair *x = *(struct pair *const *)a, *y = *(struct pair *const *)b;

	for (unsigned int i = 0; i < 2; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return 0;
}

static void print(struct v9_export *x, const struct v9_bins *b, const char *between)
{
	const struct pair **all = v9_alloc((b->used + 1) * sizeof(*all));

	for (size_t i = 0; i < b->used; i++)
		all[i] = v9_bins_get(b, i);
	qsort(all, b->used, sizeof(*all), by_address);
	fprintf(x->f, "%zu\n", b->used);
	for (size_t i = 0; i < b->used; i++)
		fprintf(x->f, "%" PRIx64 "%s%" PRIx64 ":%" PRIu64 "\n", all[i]->key[0], between,
			all[i]->key[1], all[i]->n);
	free(all);
}

static void end(struct v9_export *x)
{
	struct llvm *l = x->state;
	const struct v9_export_object *o = &l->object;
	struct v9_bins ranges, branches;

	if (!v9_object_choose(&l->object, x))
		return;
	v9_bins_init(&ranges, sizeof(struct pair));
	v9_bins_init(&branches, sizeof(struct pair));
	for (size_t i = 0; i < o->nr; i++) {
		const struct v9_branch_count *s = &o->sum[i];

		add(o, &branches, &s->from, &s->to, s->n);
		if (s->end.addr >= s->to.addr)
			add(o, &ranges, &s->to, &s->end, s->n);
	}
	print(x, &ranges, "-");
	print(x, &branches, "->");
	v9_bins_free(&ranges);
	v9_bins_free(&branches);
	v9_object_lost(x, &l->note);
}

static void free_state(struct v9_export *x)
{
	struct llvm *l = x->state;

	v9_object_free(&l->object);
	v9_note_free(&l->note);
	free(l);
}

const struct v9_sink v9_sink_llvm = {
	.name = "llvm", .help = "branches of one object for llvm-profgen", .of_object = true,
	.takes = { [V9_KIND_SPE] = V9_SINK_BRANCHES, [V9_KIND_ETE] = V9_SINK_BRANCHES,
		   [V9_KIND_BRANCHES] = V9_SINK_BRANCHES },
	.begin = begin, .branch = branch, .loss = loss, .end = end, .free = free_state,
};
