// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "mem_types.h"

#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../util.h"

/* The type that an instruction accesses */
struct known_at {
	uint64_t key[2];		/* object, address */
	bool sought;
	struct v9_type_hit hit;
};

struct field {
	union {
		struct {
			const char *type, *name;	/* name: NULL if the type has no fields */
			uint64_t size, offset;
		};
		uint64_t key[4];
	};
	struct v9_mem_sum sum;
	uint64_t writers;		/* a bit for each CPU, modulo 64 */
};

static const char *const whys[V9_TYPE_WHYS] = {
	[V9_TYPE_NO_CODE] = "the code is not known",
	[V9_TYPE_NO_DWARF] = "no debug information",
	[V9_TYPE_STACK] = "on the stack",
	[V9_TYPE_INDEXED] = "by an index register, or vectors",
	[V9_TYPE_NO_VARIABLE] = "no variable is in the base register",
	[V9_TYPE_NO_POINTER] = "the variable there points to no type",
	[V9_TYPE_OUTSIDE] = "outside of the type",
};

void v9_mem_types_init(struct v9_mem_types *t, struct v9_syms *syms)
{
	v9_lines_init(&t->lines, syms);
	v9_types_init(&t->types, &t->lines);
	v9_code_init(&t->code, syms);
	v9_bins_init(&t->at, sizeof(struct known_at));
	v9_bins_init(&t->fields, sizeof(struct field));
}

void v9_mem_types_free(struct v9_mem_types *t)
{
	v9_bins_free(&t->at);
	v9_bins_free(&t->fields);
	v9_code_free(&t->code);
	v9_types_free(&t->types);
	v9_lines_free(&t->lines);
}

static void by_global(struct v9_mem_types *t, struct v9_syms *syms, const struct v9_sampled *s,
		      struct v9_type_hit *hit)
{
	const uint64_t va = s->rec->va;
	struct v9_data data = { .name = NULL };

	if (!(s->rec->has & V9_SPE_REC_VA))
		return;
	v9_syms_data(syms, va & V9_KERNEL_HALF ? V9_KERNEL_PID : s->pid,
		     v9_sampled_time(s), va, &data);
	if (data.dso && !v9_types_global(&t->types, data.dso, va - data.bias, hit))
		hit->why = V9_TYPE_NO_CODE;
}

static void by_code(struct v9_mem_types *t, struct v9_syms *syms, const struct v9_sampled *s,
		    struct v9_type_hit *hit)
{
	struct known_at *known;
	struct v9_place place;
	const uint8_t *code;
	uint64_t addr;
	size_t n;

	if (!(s->rec->has & V9_SPE_REC_PC))
		return;
	v9_syms_find(syms, s->pid, v9_sampled_time(s), s->rec->pc.addr, &place);
	if (!place.dso)
		return;
	addr = place.func ? place.func->start + place.offset : place.offset;
	known = v9_bins_at(&t->at, (uint64_t[]){ (uint64_t)(uintptr_t)place.dso, addr }, 2);
	if (!known->sought) {
		known->sought = true;
		known->hit.why = V9_TYPE_NO_CODE;
		code = v9_code_of(&t->code, place.dso, addr, &n);
		if (code && n >= 4)
			v9_types_access(&t->types, place.dso, addr, v9_load_le32(code),
					&known->hit);
	}
	*hit = known->hit;
}

void v9_mem_types_add(struct v9_mem_types *t, struct v9_syms *syms, const struct v9_sampled *s,
		      bool store)
{
	struct v9_type_hit hit = { .why = V9_TYPE_NO_CODE };
	struct field *to;

	by_global(t, syms, s, &hit);
	if (hit.why != V9_TYPE_FOUND)
		by_code(t, syms, s, &hit);
	if (hit.why != V9_TYPE_FOUND) {
		v9_mem_sum_add(&t->unknown[hit.why], s->rec, store);
		return;
	}
	to = v9_bins_at(&t->fields, (uint64_t[]){ (uint64_t)(uintptr_t)hit.type,
			(uint64_t)(uintptr_t)hit.field, hit.size, hit.offset }, 4);
	v9_mem_sum_add(&to->sum, s->rec, store);
	if (store && s->cpu != V9_NO_TASK)
		to->writers |= UINT64_C(1) << s->cpu % 64;
}

/* ---- tables */

#define COLUMNS \
	{ "percent", "share", V9_PERCENT, false }, \
	{ "samples", "samples", V9_COUNT, false }, \
	{ "loads", "loads", V9_COUNT, V9_DROP(2) }, \
	{ "stores", "stores", V9_COUNT, V9_DROP(3) }, \
	{ "latency_total", "latency", V9_MEAN, false }, \
	{ "l1_miss_percent", "L1 miss", V9_PERCENT, false }

static uint64_t weight(const struct v9_mem_sum *s)
{
	return s->lat[V9_SPE_LAT_TOTAL].sum;
}

static void put_sums(const struct v9_mem *m, struct v9_table *t, const struct v9_mem_sum *s)
{
	v9_table_row(t);
	v9_mem_put_sum(m, t, s);
	v9_rep_mean(t, &s->lat[V9_SPE_LAT_TOTAL]);
	v9_rep_share(t, s->refills, s->accesses);
}

/* By type, then by offset */
static int place_order(const void *a, const void *b)
{
	const struct field *x = *(const struct field *const *)a, *y = *(const struct field *const *)b;
	int r = strcmp(x->type, y->type);

	if (!r)
		r = (x->size > y->size) - (x->size < y->size);
	return r ? r : (x->offset > y->offset) - (x->offset < y->offset);
}

static int field_order(const void *a, const void *b, const void *arg)
{
	const struct field *x = a, *y = b;
	const uint64_t v = weight(&x->sum), w = weight(&y->sum);

	(void)arg;
	if (v != w)
		return v < w ? 1 : -1;
	return place_order(&a, &b);
}

/* A type with its fields */
struct type {
	struct v9_mem_sum sum;
	struct field **field;
	size_t nr;
};

static int type_order(const void *a, const void *b)
{
	const struct type *x = a, *y = b;
	const uint64_t v = weight(&x->sum), w = weight(&y->sum);

	return v != w ? (v < w ? 1 : -1) : place_order(x->field, y->field);
}

static struct type *types_of(struct field **all, size_t n, size_t *nr)
{
	struct type *types = NULL;

	*nr = 0;
	for (size_t i = 0; i < n; i++) {
		const struct field *before = i ? all[i - 1] : NULL;

		if (!before || before->type != all[i]->type || before->size != all[i]->size)
			*v9_vec_add(types, *nr) = (struct type){ .field = &all[i] };
		types[*nr - 1].nr++;
		v9_mem_sum_join(&types[*nr - 1].sum, &all[i]->sum);
	}
	if (*nr)
		qsort(types, *nr, sizeof(*types), type_order);
	return types;
}

static void print_types(struct v9_mem_types *t, struct v9_mem *m, const struct type *types, size_t nr)
{
	static const struct v9_col cols[] = {
		COLUMNS,
		{ "size", "bytes", V9_COUNT, V9_DROP(1) },
		{ "type", "type", V9_TEXT, true },
	};
	struct v9_table table = { .name = "types", .title = "Types",
				  .of = "share of the sum of latencies, means in cycles",
				  .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	const uint64_t limit = m->r.limit;

	for (unsigned int why = 0; why < V9_TYPE_WHYS; why++) {
		if (!t->unknown[why].n)
			continue;
		put_sums(m, &table, &t->unknown[why]);
		v9_put_unknown(&table);
		v9_put_text(&table, v9_rep_keep(&m->r, "[not resolved: %s]", whys[why]));
	}
	for (size_t i = 0; i < nr && (!limit || i < limit); i++) {
		put_sums(m, &table, &types[i].sum);
		v9_put_count(&table, types[i].field[0]->size);
		v9_put_text(&table, types[i].field[0]->type);
	}
	if (limit)
		v9_rep_more(&m->r, &table, nr, limit);
	v9_rep_table(&m->r, &table);
}

static const char *field_name(const struct field *f)
{
	return !f->name ? NULL : *f->name ? f->name : "[padding]";
}

static void print_fields(struct v9_mem_types *t, struct v9_mem *m)
{
	static const struct v9_col cols[] = {
		COLUMNS,
		{ "writers", "writers", V9_COUNT, false },
		{ "offset", "offset", V9_COUNT, false },
		{ "field", "field", V9_TEXT, true },
		{ "type", "type", V9_TEXT, true },
	};
	struct v9_table table = { .name = "fields", .title = "Fields",
				  .of = "share of the sum of latencies; writers: CPUs whose stores were "
					"sampled",
				  .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	size_t n;
	void **top = v9_bins_top(&t->fields, m->r.limit, NULL, field_order, NULL, &n);

	for (size_t i = 0; i < n; i++) {
		const struct field *f = top[i];

		put_sums(m, &table, &f->sum);
		v9_put_count(&table, (uint64_t)__builtin_popcountll(f->writers));
		v9_put_count(&table, f->offset);
		v9_put_text(&table, field_name(f));
		v9_put_text(&table, f->type);
	}
	v9_rep_more(&m->r, &table, t->fields.used, n);
	v9_rep_table(&m->r, &table);
	free(top);
}

static bool contended(const struct field *f)
{
	return f->writers & (f->writers - 1);
}

/* Hot fields first, so that they share cache lines; those that several CPUs write last, apart. */
static int hot_order(const void *a, const void *b)
{
	const struct field *x = *(const struct field *const *)a, *y = *(const struct field *const *)b;

	if (contended(x) != contended(y))
		return contended(x) ? 1 : -1;
	if (x->sum.n != y->sum.n)
		return x->sum.n < y->sum.n ? 1 : -1;
	return place_order(a, b);
}

static void print_orders(struct v9_mem *m, const struct type *types, size_t nr)
{
	static const struct v9_col cols[] = {
		{ "type", "type", V9_TEXT, true },
		{ "order", "fields", V9_TEXT, true },
	};
	struct v9_table table = { .name = "field_orders",
				  .title = "Proposed order: hot fields first; behind |, each in a cache line "
					   "of its own, those that several CPUs write",
				  .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	const uint64_t limit = m->r.limit;

	for (size_t i = 0; i < nr && (!limit || i < limit); i++) {
		const char *text = "";

		if (types[i].nr < 2)
			continue;
		qsort(types[i].field, types[i].nr, sizeof(*types[i].field), hot_order);
		for (size_t k = 0; k < types[i].nr; k++) {
			const struct field *f = types[i].field[k];

			text = v9_rep_keep(&m->r, "%s%s%s", text, !k ? "" : contended(f) ? " | " : ", ",
					   field_name(f) ? field_name(f) : "");
		}
		v9_table_row(&table);
		v9_put_text(&table, types[i].field[0]->type);
		v9_put_text(&table, text);
	}
	v9_rep_table(&m->r, &table);
}

void v9_mem_types_print(struct v9_mem_types *t, struct v9_mem *m)
{
	const size_t n = t->fields.used;
	struct field **all = v9_alloc((n + 1) * sizeof(struct field *));
	struct type *types;
	size_t nr;

	for (size_t i = 0; i < n; i++)
		all[i] = v9_bins_get(&t->fields, i);
	qsort(all, n, sizeof(struct field *), place_order);
	types = types_of(all, n, &nr);
	print_types(t, m, types, nr);
	print_fields(t, m);
	print_orders(m, types, nr);
	free(types);
	free(all);
}
