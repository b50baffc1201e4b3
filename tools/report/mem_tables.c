// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of v9trace mem, in the order in which they are printed. */
#include "mem.h"
#include "mem_types.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define MOST_USERS	8	/* users printed for a line, without --limit 0 */
#define MOST_PARTS	4	/* offsets printed for a user of a line */

/* Orders of the tables. The first is the default. */
static const struct v9_mem_sort {
	const char *name;
	enum { BY_CYCLES, BY_SAMPLES, BY_STORES, BY_MISSES, BY_WALKS, BY_MEAN } how;
	unsigned int lat;
} sorts[] = {
	{ "cycles", BY_CYCLES, V9_SPE_LAT_TOTAL },
	{ "samples", BY_SAMPLES, 0 },
	{ "stores", BY_STORES, 0 },
	{ "misses", BY_MISSES, 0 },
	{ "walks", BY_WALKS, 0 },
	{ "latency", BY_MEAN, V9_SPE_LAT_TOTAL },
	{ "issue", BY_MEAN, V9_SPE_LAT_ISSUE },
	{ "translation", BY_MEAN, V9_SPE_LAT_XLAT },
};

const struct v9_mem_sort *v9_mem_sort_find(const char *name)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(sorts); i++)
		if (!strcmp(sorts[i].name, name))
			return &sorts[i];
	v9_error("--sort %s: cycles, samples, stores, misses, walks, latency, issue or translation",
		 name);
	return NULL;
}

static double weight(const struct v9_mem_sum *s, const struct v9_mem_sort *sort)
{
	const struct v9_sum *lat = &s->lat[sort->lat];

	switch (sort->how) {
	case BY_CYCLES:
		return (double)lat->sum;
	case BY_SAMPLES:
		return (double)s->n;
	case BY_STORES:
		return (double)s->stores;
	case BY_MISSES:
		return (double)s->refills;
	case BY_WALKS:
		return (double)s->walks;
	case BY_MEAN:
		return lat->n ? (double)lat->sum / (double)lat->n : -1;
	}
	return 0;
}

static int sum_order(const struct v9_mem_sum *a, const struct v9_mem_sum *b,
		     const struct v9_mem_sort *sort)
{
	const double x = weight(a, sort ? sort : &sorts[0]), y = weight(b, sort ? sort : &sorts[0]);

	if (x != y)
		return x > y ? -1 : 1;
	return (b->n > a->n) - (b->n < a->n);
}

static uint64_t all_cycles(const struct v9_mem *m)
{
	uint64_t sum = 0;

	for (unsigned int op = 0; op < V9_MEM_OPS; op++)
		sum += m->cycles[op];
	return sum;
}

#define OF	"share of the sum of latencies, means in cycles"

#define SUM_COLS \
	{ "percent", "share", V9_PERCENT, false }, \
	{ "samples", "samples", V9_COUNT, false }, \
	{ "loads", "loads", V9_COUNT, V9_DROP(6) }, \
	{ "stores", "stores", V9_COUNT, V9_DROP(7) }

void v9_mem_put_sum(const struct v9_mem *m, struct v9_table *t, const struct v9_mem_sum *s)
{
	v9_rep_share(t, s->lat[V9_SPE_LAT_TOTAL].sum, all_cycles(m));
	v9_put_count(t, s->n);
	v9_put_count(t, s->n - s->stores);
	v9_put_count(t, s->stores);
}

static void print_summary(struct v9_mem *m)
{
	static const struct { const char *key, *what; } ops[V9_MEM_OPS] = {
		[V9_MEM_LOAD] = { "loads", "loads" },
		[V9_MEM_STORE] = { "stores", "stores" },
		[V9_MEM_ATOMIC] = { "atomics", "atomic operations" },
	};
	static const struct { const char *key, *what; } shared[] = {
		[V9_SHARED_READ] = { "lines_read", "lines that threads share to read" },
		[V9_SHARED_TRUE] = { "lines_true", "lines that threads share and write" },
		[V9_SHARED_FALSE] = { "lines_false", "lines that threads share falsely" },
	};
	struct v9_table t = { .name = "summary", .title = "Summary", .shape = V9_KEYED,
			      .cols = v9_rep_facts, .nr_cols = V9_REP_COLS };
	uint64_t lines = 0;
	struct v9_report *r = &m->r;

	v9_rep_number(r, &t, "records", "records", r->acc.records, "");
	for (unsigned int op = 0; op < V9_MEM_OPS; op++)
		v9_rep_number(r, &t, ops[op].key, ops[op].what, m->ops[op], "");
	v9_rep_period(r, &t);
	v9_rep_number(r, &t, "without_address", "without a data address", m->no_address, "");
	v9_rep_number(r, &t, "cycles", "cycles, all latencies", all_cycles(m), "");
	if (m->by & 1 << V9_MEM_BY_LINE) {
		for (unsigned int i = 0; i < V9_SHARINGS; i++)
			lines += m->nr_lines[i];
		v9_rep_number(r, &t, "lines", "cache lines", lines, "");
		for (unsigned int i = V9_SHARED_READ; i < V9_ARRAY_SIZE(shared); i++)
			v9_rep_number(r, &t, shared[i].key, shared[i].what, m->nr_lines[i], "");
	}
	v9_rep_table(r, &t);
}

static int source_order(const void *a, const void *b, const void *arg)
{
	const struct v9_mem_source *x = a, *y = b;

	return sum_order(&x->sum, &y->sum, arg);
}

static void print_sources(struct v9_mem *m)
{
	static const struct v9_col cols[] = {
		SUM_COLS,
		{ "latency_total", "latency", V9_MEAN, false },
		{ "value", "value", V9_TEXT, false },
		{ "source", "source", V9_TEXT, false },
		{ "where", "where", V9_TEXT, true },
	};
	struct v9_table t = { .name = "sources", .title = "Where the data was", .of = OF,
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	void **top;
	size_t n;

	top = v9_bins_top(&m->sources, 0, NULL, source_order, m->sort, &n);
	for (size_t i = 0; i < n; i++) {
		const struct v9_mem_source *s = top[i];
		const bool has_source = s->source != V9_MEM_NO_SOURCE;
		const unsigned int set = (unsigned int)(s->source >> 16);
		const char *name = has_source ? v9_spe_source(set, (uint16_t)s->source) : NULL;

		v9_table_row(&t);
		v9_mem_put_sum(m, &t, &s->sum);
		v9_rep_mean(&t, &s->sum.lat[V9_SPE_LAT_TOTAL]);
		v9_put_text(&t, has_source ? v9_rep_keep(&m->r, "0x%x", (unsigned int)s->source & 0xffff) :
				       NULL);
		v9_put_text(&t, name);
		v9_put_text(&t, name ? v9_spe_source_text(set, (uint16_t)s->source) :
				       v9_mem_event_words[s->events]);
	}
	free(top);
	v9_rep_table(&m->r, &t);
}

static void print_latencies(struct v9_mem *m)
{
	static const struct v9_col cols[] = {
		{ "operation", "", V9_TEXT, false },
		{ "latency", "", V9_TEXT, false },
		V9_REP_HISTOGRAM,
	};
	static const char *const ops[V9_MEM_OPS] = { "load", "store", "atomic" };
	struct v9_table t = { .name = "latencies", .title = "Latencies, in cycles",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };

	for (unsigned int op = 0; op < V9_MEM_OPS; op++)
		for (unsigned int i = 0; i < V9_SPE_LATENCIES && m->ops[op]; i++) {
			v9_table_row(&t);
			v9_put_text(&t, ops[op]);
			v9_put_text(&t, v9_rep_latencies[i]);
			v9_rep_histogram(&t, m->lat[op][i]);
		}
	v9_rep_table(&m->r, &t);
}

static const char *func_name(const struct v9_func *f)
{
	return f ? f->name : "[unknown]";
}

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int func_order(const void *a, const void *b, const void *arg)
{
	const struct v9_mem_func *x = a, *y = b;
	int r = sum_order(&x->sum, &y->sum, arg);

	if (!r)
		r = text_order(func_name(x->func), func_name(y->func));
	if (!r)
		r = text_order(x->dso, y->dso);
	return r ? r : text_order(x->comm, y->comm);
}

static void print_symbols(struct v9_mem *m)
{
	static const struct v9_col cols[] = {
		SUM_COLS,
		{ "latency_total", "latency", V9_MEAN, false },
		{ "latency_issue", "issue", V9_MEAN, V9_DROP(2) },
		{ "latency_translation", "transl", V9_MEAN, V9_DROP(1) },
		{ "l1_miss_percent", "L1 miss", V9_PERCENT, V9_DROP(4) },
		{ "comm", "command", V9_TEXT, V9_CUT | V9_DROP(3) },
		{ "dso", "object", V9_TEXT, true },
		{ "symbol", "symbol", V9_TEXT, true },
	};
	struct v9_table t = { .name = "symbols", .title = "Functions that waited for memory", .of = OF,
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	void **top;
	size_t n;

	top = v9_bins_top(&m->funcs, m->r.limit, NULL, func_order, m->sort, &n);
	for (size_t i = 0; i < n; i++) {
		const struct v9_mem_func *f = top[i];

		v9_table_row(&t);
		v9_mem_put_sum(m, &t, &f->sum);
		for (unsigned int k = 0; k < V9_SPE_LATENCIES; k++)
			v9_rep_mean(&t, &f->sum.lat[k]);
		v9_rep_share(&t, f->sum.refills, f->sum.accesses);
		v9_put_text(&t, f->comm);
		v9_put_text(&t, v9_rep_object(&m->r, f->dso));
		v9_put_text(&t, func_name(f->func));
	}
	v9_rep_more(&m->r, &t, m->funcs.used, n);
	free(top);
	v9_rep_table(&m->r, &t);
}

/* Returns the name of a variable, or the site of heap blocks; NULL: a page */
static const char *name_of(const struct v9_mem_data *d)
{
	return d->object ? d->object->name : d->site ? d->site->name : NULL;
}

int v9_mem_data_order(const void *a, const void *b, const void *arg)
{
	const struct v9_mem_data *x = a, *y = b;
	int r = sum_order(&x->sum, &y->sum, arg);

	if (r)
		return r;
	if (name_of(x) && name_of(y))
		return text_order(name_of(x), name_of(y));
	if (name_of(x) || name_of(y))
		return name_of(x) ? -1 : 1;
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(x->key); i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return 0;
}

/* Text of a pid; "-" if it is unknown. */
static const char *space(struct v9_mem *m, uint64_t pid)
{
	return pid == V9_NO_TASK ? "-" : v9_rep_keep(&m->r, "%" PRIu64, pid);
}

static void put_data(struct v9_mem *m, struct v9_table *t, const struct v9_mem_data *d)
{
	v9_table_row(t);
	v9_mem_put_sum(m, t, &d->sum);
	v9_rep_mean(t, &d->sum.lat[V9_SPE_LAT_TOTAL]);
	v9_rep_mean(t, &d->sum.lat[V9_SPE_LAT_XLAT]);
	v9_rep_share(t, d->sum.refills, d->sum.accesses);
	v9_put_text(t, name_of(d) || d->key[1] == V9_KERNEL_PID ? NULL : space(m, d->key[1]));
	v9_put_text(t, v9_rep_object(&m->r, d->where.name));
	v9_put_text(t, d->site ? v9_rep_keep(&m->r, "allocated by %s", d->site->name) : d->object ?
		       d->object->name : v9_rep_keep(&m->r, "page 0x%" PRIx64, d->key[0]));
	if (!m->r.s.heap.recorded)
		return;
	v9_put_text(t, d->site ? v9_rep_object(&m->r, d->site->line) : NULL);
	for (unsigned int k = 0; k < 2; k++)
		if (d->site)
			v9_put_count(t, k ? d->most : d->least);
		else
			v9_put_unknown(t);
}

static void print_data(struct v9_mem *m)
{
	static const struct v9_col cols[] = {
		SUM_COLS,
		{ "latency_total", "latency", V9_MEAN, false },
		{ "latency_translation", "transl", V9_MEAN, V9_DROP(1) },
		{ "l1_miss_percent", "L1 miss", V9_PERCENT, V9_DROP(3) },
		{ "pid", "process", V9_TEXT, V9_DROP(2) },
		{ "dso", "object", V9_TEXT, true },
		{ "data", "data", V9_TEXT, true },
		{ "alloc_line", "line", V9_TEXT, V9_CUT | V9_DROP(5) },
		{ "least_size", "size from", V9_COUNT, V9_DROP(8) },
		{ "most_size", "to", V9_COUNT, V9_DROP(8) },
	};
	struct v9_table t = { .name = "data", .title = "Data", .of = OF, .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols) - (m->r.s.heap.recorded ? 0 : 3),
			      .empty = "no record has a data address" };
	size_t pages, objects, page = 0, object = 0, shown = 0;
	void **by_page, **by_object;

	by_page = v9_bins_top(&m->top_pages, m->r.limit, NULL, v9_mem_data_order, m->sort, &pages);
	by_object = v9_bins_top(&m->objects, m->r.limit, NULL, v9_mem_data_order, m->sort,
				&objects);
	while ((page < pages || object < objects) && (!m->r.limit || shown < m->r.limit)) {
		const void *p = page < pages ? by_page[page] : NULL;
		const void *o = object < objects ? by_object[object] : NULL;

		if (!o || (p && v9_mem_data_order(p, o, m->sort) < 0))
			put_data(m, &t, by_page[page++]);
		else
			put_data(m, &t, by_object[object++]);
		shown++;
	}
	v9_rep_more(&m->r, &t, m->nr_pages + m->objects.used, shown);
	free(by_page);
	free(by_object);
	v9_rep_table(&m->r, &t);
}

static struct v9_mem_sum sum_of(const struct v9_mem_line *l)
{
	return (struct v9_mem_sum){ .n = l->n, .stores = l->stores, .refills = l->refills,
				    .lat[V9_SPE_LAT_TOTAL] = { l->timed, l->cycles } };
}

static bool contended(const struct v9_mem_line *l)
{
	return l->sharing == V9_SHARED_TRUE || l->sharing == V9_SHARED_FALSE;
}

/* Without --sort, contended lines come first. */
int v9_mem_line_order(const void *a, const void *b, const void *arg)
{
	const struct v9_mem_line *x = a, *y = b;
	const struct v9_mem_sum sx = sum_of(x), sy = sum_of(y);
	int r = 0;

	if (!arg)
		r = contended(y) - contended(x);
	if (!r)
		r = sum_order(&sx, &sy, arg);
	if (!r)
		r = (x->line > y->line) - (x->line < y->line);
	return r ? r : (x->pid > y->pid) - (x->pid < y->pid);
}

static int u64_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static size_t distinct(uint64_t *list, size_t n)
{
	size_t kinds = 0;

	qsort(list, n, sizeof(*list), u64_order);
	for (size_t i = 0; i < n; i++)
		kinds += !i || list[i] != list[i - 1];
	return kinds;
}

/* Adds two cells: the object, and the variable as "counter+0x8", or the heap block; "-" if unknown. */
static void put_what(struct v9_mem *m, struct v9_table *t, const struct v9_mem_line *l,
		     uint64_t addr)
{
	const struct v9_heap_block *b = v9_heap_find(&m->r.s.heap, &m->r.s.syms, (uint32_t)l->pid,
						     l->time, addr);
	const struct v9_func *object = NULL;
	struct v9_data d;

	if (b) {
		v9_put_text(t, "[heap]");
		v9_put_text(t, v9_rep_keep(&m->r, "0x%" PRIx64 " of %" PRIu64 " bytes by %s",
					   addr - b->start, b->size, b->site.name));
		return;
	}
	v9_syms_data(&m->r.s.syms, (uint32_t)l->pid, l->time, addr, &d);
	if (d.dso)
		object = v9_dso_object(d.dso, addr - d.bias);
	v9_put_text(t, v9_rep_object(&m->r, d.name));
	v9_put_text(t, object ? v9_rep_keep(&m->r, "%s+0x%" PRIx64, object->name,
					    addr - d.bias - object->start) : NULL);
}

static uint64_t parts(const struct v9_mem_user *u)
{
	return u->loaded | u->stored;
}

static uint64_t line_start(const struct v9_mem *m, const struct v9_mem_line *l)
{
	return l->line << m->line_shift;
}

static uint64_t at_part(const struct v9_mem *m, const struct v9_mem_line *l, uint64_t parts)
{
	return line_start(m, l) + ((uint64_t)__builtin_ctzll(parts) << m->part_shift);
}

static void put_line(struct v9_mem *m, struct v9_table *t, const struct v9_mem_line *l)
{
	static const char *const words[] = {
		[V9_SHARED_NOT] = "no", [V9_SHARED_READ] = "read", [V9_SHARED_TRUE] = "true",
		[V9_SHARED_FALSE] = "false" };
	const struct v9_mem_user *u = v9_mem_users(l);
	const size_t room = (size_t)1 << l->room;
	uint64_t *list[3], used = 0;
	const struct v9_mem_sum sum = sum_of(l);
	size_t n[3] = { 0 };

	for (unsigned int k = 0; k < V9_ARRAY_SIZE(list); k++)
		list[k] = v9_alloc(l->nr_users * sizeof(**list));
	for (size_t i = 0; i < room; i++) {
		if (!u[i].loads && !u[i].stores)
			continue;
		used |= parts(&u[i]);
		if (u[i].tid != V9_NO_TASK)
			list[0][n[0]++] = u[i].tid;
		if (u[i].cpu != V9_NO_TASK)
			list[1][n[1]++] = u[i].cpu;
		list[2][n[2]++] = u[i].pc;
	}
	v9_table_row(t);
	v9_mem_put_sum(m, t, &sum);
	v9_rep_mean(t, &sum.lat[V9_SPE_LAT_TOTAL]);
	v9_put_count(t, l->refills);
	v9_put_text(t, words[l->sharing]);
	for (unsigned int k = 0; k < V9_ARRAY_SIZE(list); k++) {
		if (n[k])
			v9_put_count(t, distinct(list[k], n[k]));
		else
			v9_put_unknown(t);
		free(list[k]);
	}
	v9_put_text(t, v9_rep_keep(&m->r, "0x%" PRIx64, line_start(m, l)));
	v9_put_text(t, l->pid == V9_KERNEL_PID ? NULL : space(m, l->pid));
	put_what(m, t, l, at_part(m, l, used));
}

static int user_order(const void *a, const void *b)
{
	const struct v9_mem_user *const *x = a, *const *y = b;
	const uint64_t nx = (uint64_t)(*x)->loads + (*x)->stores;
	const uint64_t ny = (uint64_t)(*y)->loads + (*y)->stores;

	if ((*x)->stores != (*y)->stores)
		return (*x)->stores > (*y)->stores ? -1 : 1;
	if (nx != ny)
		return nx > ny ? -1 : 1;
	if ((*x)->pc != (*y)->pc)
		return (*x)->pc < (*y)->pc ? -1 : 1;
	if ((*x)->tid != (*y)->tid)
		return (*x)->tid < (*y)->tid ? -1 : 1;
	return ((*x)->cpu > (*y)->cpu) - ((*x)->cpu < (*y)->cpu);
}

static void put_user(struct v9_mem *m, struct v9_table *t, const struct v9_mem_line *l,
		     const struct v9_mem_user *u)
{
	uint64_t left = parts(u);
	struct v9_place place;
	uint32_t pid = (uint32_t)l->pid;
	const char *comm = u->tid == V9_NO_TASK ? NULL :
			   v9_session_comm(&m->r.s, u->tid, u->first ? u->first : UINT64_MAX, &pid);
	char offsets[64];
	size_t at = 0;

	for (unsigned int i = 0; left && i < MOST_PARTS; i++, left &= left - 1)
		at += (size_t)snprintf(offsets + at, sizeof(offsets) - at, "%s0x%x", at ? "," : "",
				       (unsigned int)__builtin_ctzll(left) << m->part_shift);
	v9_syms_find(&m->r.s.syms, pid, l->time, u->pc, &place);
	v9_table_row(t);
	v9_put_text(t, v9_rep_keep(&m->r, "0x%" PRIx64, line_start(m, l)));
	v9_put_text(t, v9_rep_keep(&m->r, "%s%s", offsets, left ? ",..." : ""));
	v9_put_count(t, u->loads);
	v9_put_count(t, u->stores);
	v9_put_text(t, u->cpu == V9_NO_TASK ? NULL : v9_rep_keep(&m->r, "%u", u->cpu));
	v9_put_text(t, u->tid == V9_NO_TASK ? NULL : v9_rep_keep(&m->r, "%u", u->tid));
	v9_put_text(t, comm);
	put_what(m, t, l, at_part(m, l, parts(u)));
	v9_put_text(t, place.func ? v9_rep_keep(&m->r, "%s+0x%" PRIx64, place.func->name,
						place.offset) :
				    v9_rep_keep(&m->r, "0x%" PRIx64, u->pc));
}

static void put_users(struct v9_mem *m, struct v9_table *t, const struct v9_mem_line *l)
{
	const struct v9_mem_user *u = v9_mem_users(l), **list;
	const size_t room = (size_t)1 << l->room;
	size_t n = 0;

	list = v9_alloc(l->nr_users * sizeof(*list));
	for (size_t i = 0; i < room; i++)
		if (u[i].loads || u[i].stores)
			list[n++] = &u[i];
	qsort(list, n, sizeof(*list), user_order);
	for (size_t i = 0; i < n && (!m->r.limit || i < MOST_USERS); i++)
		put_user(m, t, l, list[i]);
	if (m->r.limit && n > MOST_USERS)
		t->note = "of each line the busiest (--limit 0 shows all)";
	free(list);
}

static void print_lines(struct v9_mem *m)
{
	static const struct v9_col cols[] = {
		SUM_COLS,
		{ "latency_total", "latency", V9_MEAN, V9_DROP(9) },
		{ "l1_misses", "L1 misses", V9_COUNT, V9_DROP(4) },
		{ "sharing", "shared", V9_TEXT, false },
		{ "threads", "threads", V9_COUNT, V9_DROP(8) },
		{ "cpus", "CPUs", V9_COUNT, V9_DROP(5) },
		{ "instructions", "places", V9_COUNT, V9_DROP(2) },
		{ "line", "line", V9_TEXT, false },
		{ "pid", "process", V9_TEXT, V9_DROP(1) },
		{ "dso", "object", V9_TEXT, V9_CUT | V9_DROP(3) },
		{ "data", "data", V9_TEXT, true },
	};
	static const struct v9_col user_cols[] = {
		{ "line", "line", V9_TEXT, false },
		{ "offsets", "offsets", V9_TEXT, false },
		{ "loads", "loads", V9_COUNT, false },
		{ "stores", "stores", V9_COUNT, false },
		{ "cpu", "CPU", V9_TEXT, V9_DROP(4) },
		{ "tid", "thread", V9_TEXT, false },
		{ "comm", "command", V9_TEXT, V9_CUT | V9_DROP(3) },
		{ "dso", "object", V9_TEXT, V9_CUT | V9_DROP(1) },
		{ "data", "data", V9_TEXT, V9_CUT | V9_DROP(2) },
		{ "symbol", "instruction", V9_TEXT, true },
	};
	struct v9_table t = { .name = "lines", .title = "Cache lines", .of = OF,
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .empty = "no record has a data address" };
	struct v9_table users = { .name = "line_users", .title = "Who contends for those lines",
				  .cols = user_cols, .nr_cols = V9_ARRAY_SIZE(user_cols) };
	size_t n, all = 0;
	void **top;

	top = v9_bins_top(&m->top_lines, m->r.limit, NULL, v9_mem_line_order, m->sort, &n);
	for (unsigned int i = 0; i < V9_SHARINGS; i++)
		all += m->nr_lines[i];
	for (size_t i = 0; i < n; i++) {
		put_line(m, &t, top[i]);
		if (contended(top[i]))
			put_users(m, &users, top[i]);
	}
	v9_rep_more(&m->r, &t, all, n);
	free(top);
	v9_rep_table(&m->r, &t);
	v9_rep_table(&m->r, &users);
}

void v9_mem_print(struct v9_mem *m)
{
	static void (*const print[V9_MEM_BYS])(struct v9_mem *m) = {
		[V9_MEM_BY_SOURCE] = print_sources,
		[V9_MEM_BY_LATENCY] = print_latencies,
		[V9_MEM_BY_SYMBOL] = print_symbols,
		[V9_MEM_BY_DATA] = print_data,
		[V9_MEM_BY_LINE] = print_lines,
	};

	v9_rep_spe_losses(&m->r);
	print_summary(m);
	for (unsigned int i = 0; i < V9_MEM_BYS; i++)
		if (m->by & 1 << i)
			print[i](m);
	if (m->types)
		v9_mem_types_print(m->types, m);
}
