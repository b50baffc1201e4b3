// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "shard_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../capture/demangle.h"
#include "../capture/elf.h"
#include "../perfdata.h"
#include "kinds.h"
#include "stack_lines.h"
#include "weights.h"

_Static_assert(V9_SHARD_SPE == V9_W_MISPREDICTS + 1, "values of SPE records");
_Static_assert(V9_SHARD_CALLS == V9_W_CALLS - V9_W_INSTRUCTIONS + 1, "values of call paths");
_Static_assert(V9_SHARD_DEPTH <= V9_LEVELS, "a path is a stack");

/* ---- objects and functions */

static unsigned int hex_bytes(const char *text, uint8_t *bytes, size_t most)
{
	unsigned int n = 0, byte;

	while (text && n < most && sscanf(text + 2 * n, "%2x", &byte) == 1 && text[2 * n + 1])
		bytes[n++] = (uint8_t)byte;
	return n;
}

static const char *plain_name(const struct v9_syms *syms, const char *name)
{
	const char *plain = syms->opts.raw_names ? NULL :
			    v9_demangle(syms->strtab, name, strlen(name));

	return plain ? plain : name;
}

static struct v9_func func_of(const struct v9_syms *syms, const char *linkage)
{
	struct v9_func f = { .name = plain_name(syms, linkage) };

	f.linkage = f.name != linkage ? linkage : NULL;
	return f;
}

static void add_segment(const struct v9_shard_view *v, const struct v9_shard_segment *s)
{
	struct v9_dso *d = v->dso[s->object];

	if (d->nr_segs < V9_ARRAY_SIZE(d->segs))
		d->segs[d->nr_segs++] = (struct v9_seg){ s->offset, s->size, s->addr };
}

static void add_function(const struct v9_shard_view *v, const struct v9_syms *syms,
			 const struct v9_shard_function *s)
{
	struct v9_dso *d = v->dso[s->object];
	struct v9_func *f = v9_vec_add(d->funcs, d->nr_funcs);
	const uint64_t start = v9_dso_address(d, s->start);

	*f = func_of(syms, v9_shard_text(&v->shard, s->name));
	f->start = start;
	f->end = start + (s->end > s->start ? s->end - s->start : 0);
	d->loaded = true;
}

/* The segments of the file are those of the shard, if there is a file. */
static void find_symbols(struct v9_syms *syms, struct v9_dso *d)
{
	const struct v9_dso before = *d;

	d->nr_segs = 0;
	v9_syms_load(syms, d);
	if (d->nr_segs)
		return;
	memcpy(d->segs, before.segs, sizeof(d->segs));
	d->nr_segs = before.nr_segs;
}

/* Makes the objects. Where the shard has no functions of one, its file or debug file may be here. */
static void make_objects(struct v9_shard_view *v, struct v9_syms *syms)
{
	const struct v9_shard *s = &v->shard;

	v->dso = v9_alloc((s->objects.used + 1) * sizeof(*v->dso));
	for (size_t i = 0; i < s->objects.used; i++) {
		const struct v9_shard_object *o = v9_bins_get(&s->objects, i);
		uint8_t id[V9_BUILD_ID_MAX];
		const unsigned int n = hex_bytes(v9_shard_text(s, o->id), id, sizeof(id));
		const char *name = v9_shard_text(s, o->name);

		v->dso[i + 1] = v9_syms_object(syms, v9_strtab_put(syms->strtab, name, strlen(name)),
					       id, n);
	}
	for (size_t i = 0; i < s->segments.used; i++)
		add_segment(v, v9_bins_get(&s->segments, i));
	for (size_t i = 0; i < s->functions.used; i++)
		add_function(v, syms, v9_bins_get(&s->functions, i));
	for (size_t i = 1; i <= s->objects.used; i++) {
		const struct v9_shard_object *o = v9_shard_row(&s->objects, i);

		if (v->dso[i]->loaded)
			v9_funcs_sort(v->dso[i]);
		else if (o->id && !o->kernel)
			find_symbols(syms, v->dso[i]);
	}
}

/* ---- places */

static struct v9_stack_level level_of(struct v9_shard_view *v, const struct v9_syms *syms, size_t i)
{
	const struct v9_shard_place *p = v9_bins_get(&v->shard.places, i);
	const struct v9_shard_object *o = v9_shard_row(&v->shard.objects, p->object);
	struct v9_place place = { .dso = v->dso[p->object], .offset = p->offset };
	struct v9_stack_level l;

	place.dso_name = place.dso->name;
	if (p->function) {
		v->symbolic[i] = func_of(syms, v9_shard_text(&v->shard, p->function));
		place.func = &v->symbolic[i];
	} else {
		place.offset = v9_dso_address(place.dso, p->offset);
		place.func = v9_dso_func(place.dso, place.offset);
		if (place.func)
			place.offset -= place.func->start;
	}
	v9_level_of(&l, &place, o->kernel);
	l.addressed = !p->function && place.func;
	return l;
}

/* Places in one function that is not in a file share it. */
static void share_functions(struct v9_shard_view *v)
{
	const struct v9_bins *b = &v->shard.places;
	struct v9_bins seen;

	v9_bins_init(&seen, 3 * sizeof(uint64_t));
	for (size_t i = 0; i < b->used; i++) {
		const struct v9_shard_place *p = v9_bins_get(b, i);
		const uint64_t key[2] = { p->object, p->function };
		uint64_t *first;

		if (!p->function)
			continue;
		first = v9_bins_at(&seen, key, 2);
		if (!first[2])
			first[2] = i + 1;
		v->level[i + 1].func = &v->symbolic[first[2] - 1];
	}
	v9_bins_free(&seen);
}

static void make_places(struct v9_shard_view *v, const struct v9_syms *syms)
{
	const size_t n = v->shard.places.used;

	v->level = v9_alloc((n + 1) * sizeof(*v->level));
	v->symbolic = v9_alloc((n + 1) * sizeof(*v->symbolic));
	for (size_t i = 0; i < n; i++)
		v->level[i + 1] = level_of(v, syms, i);
	share_functions(v);
	for (size_t i = 0; i < v->shard.spe.used; i++) {
		const struct v9_shard_spe *row = v9_bins_get(&v->shard.spe, i);

		if (!v->level[row->place].func)
			v->level[row->place].dso->unresolved += row->value[V9_W_SAMPLES];
	}
}

/* ---- sources */

enum v9_kind_id v9_shard_kind(const struct v9_shard_view *v, uint64_t source)
{
	const struct v9_shard_source *s = v9_shard_row(&v->shard.sources, source);
	const char *name = v9_shard_text(&v->shard, s->kind);

	v9_for_each_kind(k)
		if (!strcmp(k->name, name))
			return (enum v9_kind_id)(k - v9_kinds);
	return V9_KIND_OTHER;
}

/*
 * A sample is of as many operations or events as its period. So those of different periods add up only as
 * samples of one period. A source without a period has no samples.
 */
static void find_shortest(struct v9_shard_view *v)
{
	const struct v9_bins *b = &v->shard.sources;

	v->shortest = v9_alloc((b->used + 1) * sizeof(*v->shortest));
	for (size_t i = 1; i <= b->used; i++) {
		const struct v9_shard_source *s = v9_shard_row(b, i), *least = s;

		for (size_t k = 1; k <= b->used && s->period; k++) {
			const struct v9_shard_source *other = v9_shard_row(b, k);

			if (other->kind == s->kind && other->event == s->event && other->cpu == s->cpu &&
			    other->period && other->period < least->period)
				least = other;
		}
		v->shortest[i] = least->number;
	}
}

uint64_t v9_shard_weigh(const struct v9_shard_view *v, uint64_t source, uint64_t n)
{
	const struct v9_shard_source *s = v9_shard_row(&v->shard.sources, source);
	const struct v9_shard_source *as = v9_shard_row(&v->shard.sources, v->shortest[source]);

	return s == as ? n : v9_weigh_period(n, s->period, as->period);
}

/* Sets what formats look at to learn which kinds there are. */
static void make_sources(struct v9_shard_view *v, struct v9_report *r)
{
	v->of = v9_alloc((v->shard.sources.used + 1) * sizeof(*v->of));
	for (size_t i = 0; i < v->shard.sources.used; i++) {
		const struct v9_shard_source *s = v9_bins_get(&v->shard.sources, i);
		const char *event = v9_shard_text(&v->shard, s->event);
		const char *cpu = v9_shard_text(&v->shard, s->cpu);

		v->of[i + 1] = v9_rep_keep(r, "%s%s%s on %s", v9_shard_text(&v->shard, s->kind),
					   event ? " " : "", event ? event : "",
					   cpu ? cpu : "unknown CPUs");
		if (v9_shard_kind(v, i + 1) == V9_KIND_SPE)
			*v9_vec_add(r->s.aux_types, r->s.nr_aux_types) = PD_AUXTRACE_ARM_SPE;
		else if (v9_shard_kind(v, i + 1) == V9_KIND_ETE)
			*v9_vec_add(r->s.aux_types, r->s.nr_aux_types) = PD_AUXTRACE_CS_ETM;
		else if (v9_shard_kind(v, i + 1) == V9_KIND_BRANCHES)
			r->s.nr_stacks = r->s.nr_branches = 1;
		/* The period of all sums as they are given, if they have one */
		s = v9_shard_row(&v->shard.sources, v->shortest[i + 1]);
		r->s.period = i && s->period != r->s.period ? 0 : s->period;
	}
}

/* ---- open */

static int refuse(const struct v9_report *r, const char *what)
{
	v9_error("%s is a shard, which has sums: %s needs the capture", r->o.path, what);
	return V9_EXIT_USAGE;
}

int v9_shard_open(struct v9_report *r)
{
	struct v9_shard_view *v;

	if (r->o.filter.used)
		return refuse(r, "a selection of records");
	if (r->groups.nr || v9_rep_wants_tree(r))
		return refuse(r, "--group-by, --calls, --callers, --calls-of and --waits");
	memset(&r->s, 0, sizeof(r->s));
	v9_syms_init(&r->s.syms, &r->s.strtab, &r->o.syms);
	r->shard = v = v9_alloc(sizeof(*v));
	v9_shard_init(&v->shard);
	if (!v9_shard_read(&v->shard, r->o.path))
		return V9_EXIT_FAILED;
	v9_shard_resolve(&v->shard);
	find_shortest(v);
	make_sources(v, r);
	make_objects(v, &r->s.syms);
	make_places(v, &r->s.syms);
	return V9_EXIT_OK;
}

void v9_shard_close(struct v9_report *r)
{
	struct v9_shard_view *v = r->shard;

	if (!v)
		return;
	v9_shard_free(&v->shard);
	free(v->dso);
	free(v->level);
	free(v->symbolic);
	free(v->of);
	free(v->shortest);
	free(v);
	r->shard = NULL;
}

/* ---- sinks */

unsigned int v9_shard_gives(const struct v9_shard_view *v, enum v9_kind_id kind)
{
	const struct v9_shard *s = &v->shard;
	unsigned int gives = 0;

	if (s->spe.used && kind == V9_KIND_SPE)
		gives |= V9_SINK_STACKS;
	for (size_t i = 0; i < s->calls.used && !(gives & V9_SINK_STACKS); i++) {
		const struct v9_shard_call *c = v9_bins_get(&s->calls, i);

		if (v9_shard_kind(v, c->source) == kind)
			gives |= V9_SINK_STACKS;
	}
	for (size_t i = 0; i < s->branches.used && !(gives & V9_SINK_BRANCHES); i++) {
		const struct v9_shard_branch *b = v9_bins_get(&s->branches, i);

		if (v9_shard_kind(v, b->source) == kind)
			gives |= V9_SINK_BRANCHES;
	}
	return gives;
}

uint64_t v9_shard_sums(const struct v9_shard_view *v, enum v9_kind_id kind)
{
	const struct v9_shard *s = &v->shard;
	uint64_t n = kind == V9_KIND_SPE ? s->spe.used : 0;

	for (size_t i = 0; i < s->calls.used; i++)
		n += v9_shard_kind(v, ((struct v9_shard_call *)v9_bins_get(&s->calls, i))->source) == kind;
	for (size_t i = 0; i < s->branches.used; i++)
		n += v9_shard_kind(v, ((struct v9_shard_branch *)v9_bins_get(&s->branches, i))->source) == kind;
	return n;
}

static void set_source(const struct v9_shard_view *v, struct v9_stack *s, uint64_t source)
{
	const struct v9_shard_source *of = v9_shard_row(&v->shard.sources, source);

	s->comm = v->of[source];
	s->pid = s->tid = s->cpu = V9_NO_TASK;
	s->event = v9_shard_text(&v->shard, of->event);
	s->cpu_type = v9_shard_text(&v->shard, of->cpu);
}

/* SPE: by function if the sink takes no addresses, see feed_spe.c */
#define SUM_WORDS	7
struct sum {
	uint64_t key[SUM_WORDS];	/* place, function, object, operation, data source, source, lines */
	uint64_t first;			/* a place of it */
	uint64_t value[V9_SHARD_SPE];
};

static void give_sum(struct v9_export *x, const struct v9_shard_view *v,
		     const struct v9_stack_lines *lines, const struct sum *sum, bool apart)
{
	struct v9_stack_level level[3 + V9_INLINED_MOST];
	struct v9_stack s = { .kind = &v9_kinds[V9_KIND_SPE], .level = level, .nr = 2 };

	level[1] = v->level[sum->first];
	if (!apart && level[1].func)
		level[1].addr = level[1].func->start;
	level[0] = (struct v9_stack_level){
		.what = V9_LEVEL_OBJECT, .name = level[1].dso_name, .dso = level[1].dso,
		.dso_name = level[1].dso_name, .kernel = level[1].kernel,
	};
	s.nr += v9_stack_lines_put(lines, (uint32_t)sum->key[6], &level[1]);
	memcpy(s.value, sum->value, sizeof(sum->value));
	set_source(v, &s, sum->key[5]);
	s.op = v9_shard_text(&v->shard, sum->key[3]);
	s.source = v9_shard_text(&v->shard, sum->key[4]);
	x->sink->stack(x, &s);
}

static void give_spe(struct v9_export *x, const struct v9_shard_view *v)
{
	const unsigned int takes = x->sink->takes[V9_KIND_SPE];
	const bool apart = takes & V9_SINK_ADDRESSES, labels = takes & V9_SINK_LABELS;
	struct v9_stack_lines lines;
	struct v9_bins sums;

	v9_bins_init(&sums, sizeof(struct sum));
	v9_stack_lines_init(&lines, &x->r);
	for (size_t i = 0; i < v->shard.spe.used; i++) {
		const struct v9_shard_spe *row = v9_bins_get(&v->shard.spe, i);
		const struct v9_stack_level *l = &v->level[row->place];
		const bool has_lines = takes & V9_SINK_LINES && l->addressed;
		const uint64_t key[SUM_WORDS] = {
			apart ? row->place : 0, (uint64_t)(uintptr_t)l->func,
			(uint64_t)(uintptr_t)l->dso, labels ? row->op : 0, labels ? row->from : 0,
			v->shortest[row->source], has_lines ? v9_stack_lines_at(&lines, l->dso, l->addr) : 0,
		};
		struct sum *sum = v9_bins_at(&sums, key, SUM_WORDS);

		if (!sum->first)
			sum->first = row->place;
		for (unsigned int k = 0; k < V9_SHARD_SPE; k++)
			sum->value[k] += v9_shard_weigh(v, row->source, row->value[k]);
	}
	for (size_t i = 0; i < sums.used && !x->failed; i++)
		give_sum(x, v, &lines, v9_bins_get(&sums, i), apart);
	v9_bins_free(&sums);
	v9_stack_lines_free(&lines);
}

static void give_path(struct v9_export *x, const struct v9_shard_view *v,
		      const struct v9_shard_call *c, struct v9_stack_level *level)
{
	struct v9_stack s = {
		.kind = &v9_kinds[V9_KIND_ETE], .level = level, .nr = (size_t)c->depth,
	};

	if (!c->value[0] && !c->value[1] && !c->value[2])
		return;
	memcpy(s.value + V9_W_INSTRUCTIONS, c->value, sizeof(c->value));
	set_source(v, &s, c->source);
	for (const struct v9_shard_call *at = c; at->depth;
	     at = v9_shard_row(&v->shard.calls, at->parent)) {
		struct v9_stack_level *l = &level[at->depth - 1];

		*l = v->level[at->place];
		if (l->func)
			l->addr = l->func->start;
	}
	x->sink->stack(x, &s);
}

static struct v9_branch_end end_of(const struct v9_shard_view *v, uint64_t place)
{
	const struct v9_stack_level *l = &v->level[place];
	const struct v9_shard_place *p = v9_shard_row(&v->shard.places, place);

	if (!place)
		return (struct v9_branch_end){ .known = false };
	/* An offset in a function is no address. */
	if (p->function)
		return (struct v9_branch_end){ .known = true };
	return (struct v9_branch_end){ .dso = l->dso, .addr = l->addr, .known = true };
}

bool v9_shard_feed(struct v9_export *x, const struct v9_kind *k)
{
	const struct v9_shard_view *v = x->r.shard;
	const enum v9_kind_id kind = (enum v9_kind_id)(k - v9_kinds);
	const unsigned int takes = x->sink->takes[kind];
	struct v9_stack_level *level = v9_alloc(V9_LEVELS * sizeof(*level));

	if (v->shard.has_time)
		v9_export_time(x, v->shard.first, v->shard.last);
	if (takes & V9_SINK_STACKS && kind == V9_KIND_SPE)
		give_spe(x, v);
	for (size_t i = 0; i < v->shard.calls.used && takes & V9_SINK_STACKS && !x->failed; i++) {
		const struct v9_shard_call *c = v9_bins_get(&v->shard.calls, i);

		if (v9_shard_kind(v, c->source) == kind)
			give_path(x, v, c, level);
	}
	for (size_t i = 0; i < v->shard.branches.used && takes & V9_SINK_BRANCHES && !x->failed; i++) {
		const struct v9_shard_branch *b = v9_bins_get(&v->shard.branches, i);
		const struct v9_branch_count s = {
			.from = end_of(v, b->from), .to = end_of(v, b->to), .end = end_of(v, b->end),
			.n = v9_shard_weigh(v, b->source, b->n),
		};

		if (v9_shard_kind(v, b->source) == kind)
			x->sink->branch(x, &s);
	}
	free(level);
	return true;
}
