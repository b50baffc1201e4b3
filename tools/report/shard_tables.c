// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace report of a shard: what was lost, what it is made of, its functions. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "branch_sum.h"
#include "kinds.h"
#include "shard_view.h"


struct function {
	union {
		struct {
			uint64_t source, func, dso;
		};
		uint64_t key[3];
	};
	uint64_t place;			/* one of it */
	uint64_t spe[V9_SHARD_SPE];
	uint64_t blocks, insns;		/* of branches and what ran after them */
	uint64_t calls, cycles;		/* of call paths */
};

struct sums {
	const struct v9_shard_view *v;
	struct v9_bins functions;	/* struct function */
	struct total { uint64_t samples, insns, blocks; } *total;	/* by source */
	/* By source: those of functions, which are weighed, see v9_shard_weigh() */
	struct total *whole;
};

void v9_shard_losses(struct v9_report *r)
{
	struct v9_table t = { .name = "lost", .title = "Lost", .shape = V9_LOSSES,
			      .cols = v9_rep_lost, .nr_cols = V9_REP_COLS,
			      .empty = "nothing, in none of the captures" };
	const struct v9_shard *s = &r->shard->shard;
	uint64_t complete, incomplete, full = 0;

	v9_shard_count(s, &complete, &incomplete);
	for (size_t i = 0; i < s->losses.used; i++) {
		const struct v9_shard_loss *l = v9_bins_get(&s->losses, i);

		v9_rep_loss(&t, l->n, v9_shard_text(s, l->kind), v9_shard_text(s, l->what),
			    v9_shard_text(s, l->meaning));
	}
	for (size_t i = 0; i < s->spe.used; i++)
		for (unsigned int k = 0; k < V9_SHARD_SPE; k++)
			full += ((struct v9_shard_spe *)v9_bins_get(&s->spe, i))->value[k] == UINT64_MAX;
	for (size_t i = 0; i < s->branches.used; i++)
		full += ((struct v9_shard_branch *)v9_bins_get(&s->branches, i))->n == UINT64_MAX;
	for (size_t i = 0; i < s->calls.used; i++)
		for (unsigned int k = 0; k < V9_SHARD_CALLS; k++)
			full += ((struct v9_shard_call *)v9_bins_get(&s->calls, i))->value[k] == UINT64_MAX;
	v9_rep_loss(&t, incomplete, "incomplete_captures", "captures of which parts are missing",
		    v9_shard_divided(s) ?
		    "not all shards of v9trace merge --part were merged: their call paths are missing, too" :
		    "not all shards of v9trace merge --part were merged");
	v9_rep_loss(&t, full, "full_sums", "sums that do not fit into 64 bits",
		    "they stay at the greatest number");
	v9_rep_table(r, &t);
}

/* ---- sums by function */

static struct function *function_of(struct sums *sums, uint64_t source, const struct v9_func *func,
				    const struct v9_dso *dso, uint64_t place)
{
	const uint64_t key[3] = { source, (uint64_t)(uintptr_t)func, (uint64_t)(uintptr_t)dso };
	struct function *f = v9_bins_at(&sums->functions, key, 3);

	if (!f->place)
		f->place = place;
	return f;
}

static void add(uint64_t *to, uint64_t n)
{
	*to = n > UINT64_MAX - *to ? UINT64_MAX : *to + n;
}

static void add_spe(struct sums *sums)
{
	const struct v9_shard *s = &sums->v->shard;

	for (size_t i = 0; i < s->spe.used; i++) {
		const struct v9_shard_spe *row = v9_bins_get(&s->spe, i);
		const struct v9_stack_level *l = &sums->v->level[row->place];
		const uint64_t source = sums->v->shortest[row->source];
		struct function *f = function_of(sums, source, l->func, l->dso, row->place);

		for (unsigned int k = 0; k < V9_SHARD_SPE; k++)
			add(&f->spe[k], v9_shard_weigh(sums->v, row->source, row->value[k]));
		add(&sums->total[row->source].samples, row->value[V9_W_SAMPLES]);
		add(&sums->whole[source].samples,
		    v9_shard_weigh(sums->v, row->source, row->value[V9_W_SAMPLES]));
	}
}

/* Returns where the function @func at @at, or the gap between two functions, ends; at most @end. */
static uint64_t border(const struct v9_dso *d, const struct v9_func *func, uint64_t at, uint64_t end)
{
	const size_t after = v9_first_entries(i, d->nr_funcs, d->funcs[i].start <= at);

	if (func)
		return func->end < end ? func->end : end;
	return after < d->nr_funcs && d->funcs[after].start < end ? d->funcs[after].start : end;
}

/*
 * Adds the instructions that ran in a range, which may go through several functions. One that is longer
 * than code without a branch counts for the function of its begin: time is bounded on damaged files.
 */
static void add_range(struct sums *sums, const struct v9_shard_branch *b)
{
	const struct v9_stack_level *to = &sums->v->level[b->to], *end = &sums->v->level[b->end];
	const bool ete = v9_shard_kind(sums->v, b->source) == V9_KIND_ETE;
	const struct v9_shard_place *p = v9_shard_row(&sums->v->shard.places, b->to);
	const struct v9_shard_place *q = v9_shard_row(&sums->v->shard.places, b->end);
	const uint64_t source = sums->v->shortest[b->source], blocks = v9_shard_weigh(sums->v, b->source, b->n);
	struct function *f = function_of(sums, source, to->func, to->dso, b->to);
	uint64_t at = to->addr, last = end->addr;

	add(&f->blocks, blocks);
	add(&sums->total[b->source].blocks, b->n);
	add(&sums->whole[source].blocks, blocks);
	if (!ete || to->dso != end->dso || p->function != q->function || last < at)
		return;
	while (at <= last) {
		const struct v9_func *func = p->function ? to->func : v9_dso_func(to->dso, at);
		uint64_t next = last + 4, n;

		if (!p->function && last - to->addr < V9_BLOCK_MOST)
			next = border(to->dso, func, at, next);
		if (__builtin_mul_overflow((next - at + 3) / 4, b->n, &n))
			n = UINT64_MAX;
		f = function_of(sums, source, func, to->dso, func == to->func ? b->to : b->end);
		add(&f->insns, n);
		add(&sums->total[b->source].insns, n);
		add(&sums->whole[source].insns, n);
		at = next;
	}
}

static void add_branches(struct sums *sums)
{
	const struct v9_shard *s = &sums->v->shard;

	for (size_t i = 0; i < s->branches.used; i++) {
		const struct v9_shard_branch *b = v9_bins_get(&s->branches, i);

		if (b->to && b->end && v9_shard_kind(sums->v, b->source) != V9_KIND_SPE)
			add_range(sums, b);
	}
}

static void add_calls(struct sums *sums)
{
	const struct v9_shard *s = &sums->v->shard;

	for (size_t i = 0; i < s->calls.used; i++) {
		const struct v9_shard_call *c = v9_bins_get(&s->calls, i);
		const struct v9_stack_level *l = &sums->v->level[c->place];
		struct function *f;

		if (!c->place)
			continue;
		f = function_of(sums, c->source, l->func, l->dso, c->place);
		add(&f->cycles, c->value[V9_W_CYCLES - V9_W_INSTRUCTIONS]);
		add(&f->calls, c->value[V9_W_CALLS - V9_W_INSTRUCTIONS]);
	}
}

/* ---- tables */

static void print_summary(struct v9_report *r)
{
	struct v9_table t = { .name = "summary", .title = "Summary", .shape = V9_KEYED,
			      .cols = v9_rep_facts, .nr_cols = V9_REP_COLS };
	const struct v9_shard *s = &r->shard->shard;
	uint64_t complete, incomplete;

	v9_shard_count(s, &complete, &incomplete);
	v9_rep_number(r, &t, "captures", "captures", complete, "");
	if (incomplete)
		v9_rep_number(r, &t, "incomplete", "captures of which parts are missing", incomplete, "");
	v9_rep_number(r, &t, "objects", "objects", s->objects.used, "");
	v9_rep_number(r, &t, "places", "places", s->places.used, "");
	if (s->has_time) {
		v9_rep_time(r, &t, "first_ns", "first record", s->first);
		v9_rep_time(r, &t, "covered_ns", "time covered", s->last - s->first);
	}
	v9_rep_table(r, &t);
}

static void put_source(struct v9_table *t, const struct v9_shard_view *v, uint64_t source)
{
	const struct v9_shard_source *s = v9_shard_row(&v->shard.sources, source);

	v9_put_text(t, v9_shard_text(&v->shard, s->kind));
	v9_put_text(t, v9_shard_text(&v->shard, s->cpu));
	v9_put_text(t, v9_shard_text(&v->shard, s->event));
}

#define SOURCE_COLUMNS(drop) \
	{ "kind", "kind", V9_TEXT, V9_DROP(drop) }, { "cpu_type", "CPU type", V9_TEXT, V9_DROP(drop) }, \
	{ "event", "event", V9_TEXT, V9_DROP(drop) | V9_CUT }

static void print_sources(struct v9_report *r, const struct sums *sums)
{
	static const struct v9_col cols[] = {
		SOURCE_COLUMNS(0),
		{ "period", "period", V9_COUNT, false },
		{ "captures", "captures", V9_COUNT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "blocks", "blocks", V9_COUNT, false },
		{ "instructions", "instructions", V9_COUNT, false },
	};
	struct v9_table t = { .name = "sources", .title = "What was recorded where", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols) };
	const struct v9_shard_view *v = r->shard;

	for (size_t i = 1; i <= v->shard.sources.used; i++) {
		const struct v9_shard_source *s = v9_shard_row(&v->shard.sources, i);
		const enum v9_kind_id kind = v9_shard_kind(v, i);

		v9_table_row(&t);
		put_source(&t, v, i);
		s->period ? v9_put_count(&t, s->period) : v9_put_unknown(&t);
		v9_put_count(&t, s->captures);
		kind == V9_KIND_SPE ? v9_put_count(&t, sums->total[i].samples) : v9_put_unknown(&t);
		kind != V9_KIND_SPE ? v9_put_count(&t, sums->total[i].blocks) : v9_put_unknown(&t);
		kind == V9_KIND_ETE ? v9_put_count(&t, sums->total[i].insns) : v9_put_unknown(&t);
	}
	v9_rep_table(r, &t);
}

/* What decides the order of functions */
static uint64_t weight(const struct function *f)
{
	return f->spe[V9_W_SAMPLES] ? f->spe[V9_W_SAMPLES] : f->insns ? f->insns : f->blocks;
}

static int by_weight(const void *a, const void *b, const void *arg)
{
	const struct function *x = a, *y = b;

	(void)arg;
	return V9_ORDER(weight(y), weight(x));
}

static bool has_samples(const void *bin)
{
	return ((const struct function *)bin)->spe[V9_W_SAMPLES];
}

static bool has_blocks(const void *bin)
{
	const struct function *f = bin;

	return f->blocks || f->insns || f->calls || f->cycles;
}

static void put_function(struct v9_report *r, struct v9_table *t, const struct function *f)
{
	const struct v9_stack_level *l = &r->shard->level[f->place];
	const struct v9_func *func = (const struct v9_func *)(uintptr_t)f->func;

	v9_table_row(t);
	v9_put_text(t, func ? func->name : "[unknown]");
	v9_put_text(t, v9_rep_object(r, l->dso_name));
}

static void mean_of(struct v9_table *t, uint64_t sum, uint64_t n)
{
	v9_put_real(t, n ? (double)sum / (double)n : 0);
}

static void print_samples(struct v9_report *r, const struct sums *sums)
{
	static const struct v9_col cols[] = {
		{ "symbol", "function", V9_TEXT, V9_CUT }, { "dso", "object", V9_TEXT, V9_CUT },
		{ "samples", "samples", V9_COUNT, false }, { "share", "share", V9_PERCENT, false },
		{ "latency", "latency", V9_MEAN, V9_DROP(4) }, { "issue", "issue", V9_MEAN, V9_DROP(2) },
		{ "translation", "translation", V9_MEAN, V9_DROP(2) },
		{ "misses", "L1 misses", V9_COUNT, V9_DROP(3) },
		{ "llc_misses", "LLC misses", V9_COUNT, V9_DROP(3) },
		{ "tlb_misses", "TLB walks", V9_COUNT, V9_DROP(3) },
		{ "mispredicts", "mispredicts", V9_COUNT, V9_DROP(3) },
		SOURCE_COLUMNS(1),
	};
	struct v9_table t = { .name = "functions", .title = "Functions", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols),
			      .of = "shares: of the samples of a CPU type and event; latencies: cycles a sample; "
				    "of several periods: as samples of the shortest" };
	uint64_t all = 0;
	void **top;
	size_t n;

	for (size_t i = 0; i < sums->functions.used; i++)
		all += has_samples(v9_bins_get(&sums->functions, i));
	if (!all)
		return;
	top = v9_bins_top(&sums->functions, r->limit, has_samples, by_weight, NULL, &n);
	for (size_t i = 0; i < n; i++) {
		const struct function *f = top[i];

		put_function(r, &t, f);
		v9_put_count(&t, f->spe[V9_W_SAMPLES]);
		v9_rep_share(&t, f->spe[V9_W_SAMPLES], sums->whole[f->source].samples);
		for (unsigned int k = V9_W_LATENCY; k <= V9_W_XLAT; k++)
			mean_of(&t, f->spe[k], f->spe[V9_W_SAMPLES]);
		for (unsigned int k = V9_W_L1_MISSES; k <= V9_W_MISPREDICTS; k++)
			v9_put_count(&t, f->spe[k]);
		put_source(&t, sums->v, f->source);
	}
	free(top);
	v9_rep_more(r, &t, all, n);
	v9_rep_table(r, &t);
}

static void print_executed(struct v9_report *r, const struct sums *sums)
{
	static const struct v9_col cols[] = {
		{ "symbol", "function", V9_TEXT, V9_CUT }, { "dso", "object", V9_TEXT, V9_CUT },
		{ "instructions", "instructions", V9_COUNT, false },
		{ "share", "share", V9_PERCENT, false },
		{ "blocks", "blocks", V9_COUNT, V9_DROP(4) },
		{ "calls", "calls", V9_COUNT, V9_DROP(3) }, { "cycles", "cycles", V9_COUNT, V9_DROP(2) },
		SOURCE_COLUMNS(1),
	};
	struct v9_table t = { .name = "executed", .title = "Executed", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols),
			      .of = "blocks: runs without a taken branch that begin there; calls, cycles: "
				    "of call paths" };
	uint64_t all = 0;
	void **top;
	size_t n;

	for (size_t i = 0; i < sums->functions.used; i++)
		all += has_blocks(v9_bins_get(&sums->functions, i));
	if (!all)
		return;
	top = v9_bins_top(&sums->functions, r->limit, has_blocks, by_weight, NULL, &n);
	for (size_t i = 0; i < n; i++) {
		const struct function *f = top[i];
		const struct total *whole = &sums->whole[f->source];
		const bool ete = v9_shard_kind(sums->v, f->source) == V9_KIND_ETE;

		put_function(r, &t, f);
		ete ? v9_put_count(&t, f->insns) : v9_put_unknown(&t);
		v9_rep_share(&t, ete ? f->insns : f->blocks, ete ? whole->insns : whole->blocks);
		v9_put_count(&t, f->blocks);
		f->calls ? v9_put_count(&t, f->calls) : v9_put_unknown(&t);
		f->cycles ? v9_put_count(&t, f->cycles) : v9_put_unknown(&t);
		put_source(&t, sums->v, f->source);
	}
	free(top);
	v9_rep_more(r, &t, all, n);
	v9_rep_table(r, &t);
}

bool v9_shard_report(struct v9_report *r)
{
	struct sums sums = { .v = r->shard };

	v9_bins_init(&sums.functions, sizeof(struct function));
	sums.total = v9_alloc((sums.v->shard.sources.used + 1) * sizeof(*sums.total));
	sums.whole = v9_alloc((sums.v->shard.sources.used + 1) * sizeof(*sums.whole));
	add_spe(&sums);
	add_branches(&sums);
	add_calls(&sums);
	v9_shard_losses(r);
	print_summary(r);
	print_sources(r, &sums);
	print_samples(r, &sums);
	print_executed(r, &sums);
	free(sums.total);
	free(sums.whole);
	v9_bins_free(&sums.functions);
	return true;
}
