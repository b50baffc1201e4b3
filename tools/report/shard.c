// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "shard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define STRING_MOST	4096	/* longer names are cut */

struct whole {
	uint64_t id;
	uint64_t parts, here, paths;
};

void v9_shard_init(struct v9_shard *s)
{
	memset(s, 0, sizeof(*s));
	v9_bins_init(&s->objects, sizeof(struct v9_shard_object));
	v9_bins_init(&s->segments, sizeof(struct v9_shard_segment));
	v9_bins_init(&s->functions, sizeof(struct v9_shard_function));
	v9_bins_init(&s->places, sizeof(struct v9_shard_place));
	v9_bins_init(&s->sources, sizeof(struct v9_shard_source));
	v9_bins_init(&s->spe, sizeof(struct v9_shard_spe));
	v9_bins_init(&s->branches, sizeof(struct v9_shard_branch));
	v9_bins_init(&s->calls, sizeof(struct v9_shard_call));
	v9_bins_init(&s->losses, sizeof(struct v9_shard_loss));
	v9_bins_init(&s->captures, sizeof(struct v9_shard_capture));
	v9_bins_init(&s->whole, sizeof(struct whole));
	v9_bins_init(&s->codes, sizeof(struct v9_shard_code));
}

void v9_shard_free(struct v9_shard *s)
{
	struct v9_bins *const all[] = {
		&s->objects, &s->segments, &s->functions, &s->places, &s->sources, &s->spe, &s->branches,
		&s->calls, &s->losses, &s->captures, &s->whole, &s->codes,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		v9_bins_free(all[i]);
	for (size_t i = 0; i < s->nr_pieces; i++)
		v9_piece_free(&s->pieces[i].calls);
	free(s->pieces);
	v9_strtab_free(&s->text);
	free(s->strings);
}

/* Sums that stay at the limit can be added in any order, too. */
static void add(uint64_t *to, uint64_t n)
{
	*to = n > UINT64_MAX - *to ? UINT64_MAX : *to + n;
}

/* Returns the bin of @key. The word after the key is its number. */
static void *numbered(struct v9_bins *b, const uint64_t *key, unsigned int words)
{
	uint64_t *bin = v9_bins_at(b, key, words);

	if (!bin[words])
		bin[words] = b->used;
	return bin;
}

uint64_t v9_shard_string(struct v9_shard *s, const char *text)
{
	size_t *number;

	if (!text)
		return 0;
	if (strlen(text) > STRING_MOST)
		text = v9_strtab_put(&s->text, text, STRING_MOST);
	number = v9_strtab_value(&s->text, text);
	if (*number)
		return *number;
	*number = s->nr_strings + 1;
	*v9_vec_add(s->strings, s->nr_strings) = v9_strtab_put(&s->text, text, STRING_MOST);
	return s->nr_strings;
}

const char *v9_shard_text(const struct v9_shard *s, uint64_t string)
{
	return string ? s->strings[string - 1] : NULL;
}

uint64_t v9_shard_object(struct v9_shard *s, const char *id, const char *name, bool kernel)
{
	const uint64_t called = v9_shard_string(s, name);
	const uint64_t key[3] = { v9_shard_string(s, id && *id ? id : NULL),
				  id && *id ? 0 : called, kernel };
	struct v9_shard_object *o = numbered(&s->objects, key, 3);

	if (!o->name || strcmp(v9_shard_text(s, called), v9_shard_text(s, o->name)) < 0)
		o->name = called;
	return o->number;
}

void v9_shard_segment(struct v9_shard *s, uint64_t object, uint64_t offset, uint64_t size,
		      uint64_t addr)
{
	const uint64_t key[4] = { object, offset, size, addr };

	v9_bins_at(&s->segments, key, 4);
}

void v9_shard_function(struct v9_shard *s, uint64_t object, uint64_t start, uint64_t end,
		       const char *name)
{
	const uint64_t key[2] = { object, start };
	struct v9_shard_function *f = v9_bins_at(&s->functions, key, 2);
	const uint64_t called = v9_shard_string(s, name);

	if (f->name && (end < f->end || (end == f->end && strcmp(v9_shard_text(s, called),
								v9_shard_text(s, f->name)) < 0)))
		return;
	f->end = end;
	f->name = called;
}

uint64_t v9_shard_place(struct v9_shard *s, uint64_t object, const char *function, uint64_t offset)
{
	const uint64_t key[3] = { object, v9_shard_string(s, function), offset };

	return ((struct v9_shard_place *)numbered(&s->places, key, 3))->number;
}

uint64_t v9_shard_source(struct v9_shard *s, const char *kind, const char *event, const char *cpu,
			 uint64_t period, uint64_t captures)
{
	const uint64_t key[4] = { v9_shard_string(s, kind), v9_shard_string(s, event),
				  v9_shard_string(s, cpu), period };
	struct v9_shard_source *source = numbered(&s->sources, key, 4);

	add(&source->captures, captures);
	return source->number;
}

void v9_shard_spe_row(struct v9_shard *s, const uint64_t key[4], const uint64_t value[V9_SHARD_SPE])
{
	struct v9_shard_spe *row = v9_bins_at(&s->spe, key, 4);

	for (unsigned int i = 0; i < V9_SHARD_SPE; i++)
		add(&row->value[i], value[i]);
}

void v9_shard_spe(struct v9_shard *s, uint64_t source, uint64_t place, const char *op,
		  const char *from, const uint64_t value[V9_SHARD_SPE])
{
	const uint64_t key[4] = { source, place, v9_shard_string(s, op), v9_shard_string(s, from) };

	v9_shard_spe_row(s, key, value);
}

void v9_shard_branch(struct v9_shard *s, uint64_t source, uint64_t from, uint64_t to, uint64_t end,
		     uint64_t n)
{
	const uint64_t key[4] = { source, from, to, end };

	add(&((struct v9_shard_branch *)v9_bins_at(&s->branches, key, 4))->n, n);
}

uint64_t v9_shard_call(struct v9_shard *s, uint64_t source, uint64_t parent, uint64_t place)
{
	const struct v9_shard_call *above = v9_shard_row(&s->calls, parent);
	const uint64_t key[3] = { source, parent, place };
	struct v9_shard_call *c;

	if (above && above->depth == V9_SHARD_DEPTH)
		return 0;
	c = numbered(&s->calls, key, 3);
	c->depth = above ? above->depth + 1 : 0;
	return c->number;
}

void v9_shard_called(struct v9_shard *s, uint64_t call, const uint64_t value[V9_SHARD_CALLS])
{
	struct v9_shard_call *c = v9_shard_row(&s->calls, call);

	for (unsigned int i = 0; i < V9_SHARD_CALLS; i++)
		add(&c->value[i], value[i]);
}

void v9_shard_loss(struct v9_shard *s, const char *kind, const char *what, const char *meaning,
		   uint64_t n)
{
	const uint64_t key[3] = { v9_shard_string(s, kind), v9_shard_string(s, what),
				  v9_shard_string(s, meaning) };

	add(&((struct v9_shard_loss *)v9_bins_at(&s->losses, key, 3))->n, n);
}

void v9_shard_time(struct v9_shard *s, uint64_t first, uint64_t last)
{
	if (!s->has_time || first < s->first)
		s->first = first;
	if (!s->has_time || last > s->last)
		s->last = last;
	s->has_time = true;
}

bool v9_shard_capture(struct v9_shard *s, const char *path, const char *id, uint64_t part,
		      uint64_t parts, bool paths)
{
	const uint64_t key[2] = { v9_shard_string(s, id), part };
	struct whole *w = v9_bins_at(&s->whole, key, 1);
	struct v9_shard_capture *c;

	if (w->parts && w->parts != parts) {
		v9_error("%s: capture %s is in %" PRIu64 " parts here and in %" PRIu64 " parts in a file "
			 "before: it would count twice", path, id, parts, w->parts);
		return false;
	}
	if (w->parts && v9_bins_find(&s->captures, key, 2)) {
		v9_error("%s: part %" PRIu64 " of %" PRIu64 " of capture %s is in a file before, too: it "
			 "would count twice", path, part, parts, id);
		return false;
	}
	if (w->parts && w->paths != paths) {
		v9_error("%s: part %" PRIu64 " of %" PRIu64 " of capture %s is with%s call paths, others "
			 "are not: give --flat for all parts or for none", path, part, parts, id,
			 paths ? "" : "out");
		return false;
	}
	w->parts = parts;
	w->paths = paths;
	w->here++;
	c = v9_bins_at(&s->captures, key, 2);
	c->parts = parts;
	c->paths = paths;
	return true;
}

void v9_shard_count(const struct v9_shard *s, uint64_t *complete, uint64_t *incomplete)
{
	*complete = *incomplete = 0;
	for (size_t i = 0; i < s->whole.used; i++) {
		const struct whole *w = v9_bins_get(&s->whole, i);

		*(w->here == w->parts ? complete : incomplete) += 1;
	}
}

bool v9_shard_divided(const struct v9_shard *s)
{
	for (size_t i = 0; i < s->whole.used; i++) {
		const struct whole *w = v9_bins_get(&s->whole, i);

		if (w->paths && w->here != w->parts)
			return true;
	}
	return false;
}

/* ---- call paths of parts */

uint64_t v9_shard_code(struct v9_shard *s, uint64_t place, uint64_t start)
{
	const uint64_t key[2] = { place, start };

	return ((struct v9_shard_code *)numbered(&s->codes, key, 2))->number;
}

void v9_shard_piece(struct v9_shard *s, const struct v9_shard_piece *p)
{
	*v9_vec_add(s->pieces, s->nr_pieces) = *p;
}

int v9_shard_piece_order(const struct v9_shard_piece *a, const struct v9_shard_piece *b)
{
	return a->time != b->time ? V9_ORDER(a->time, b->time) :
	       a->stream != b->stream ? V9_ORDER(a->stream, b->stream) :
	       a->offset != b->offset ? V9_ORDER(a->offset, b->offset) : V9_ORDER(a->part, b->part);
}

static int thread_order(const void *a, const void *b)
{
	const struct v9_shard_piece *x = a, *y = b;

	return x->capture != y->capture ? V9_ORDER(x->capture, y->capture) :
	       x->tid != y->tid ? V9_ORDER(x->tid, y->tid) : v9_shard_piece_order(x, y);
}

/* The place of callers in the middle of a path, which are left out: v9_stack of export */
static uint64_t left_out(struct v9_shard *s)
{
	return v9_shard_place(s, v9_shard_object(s, NULL, "[callers left out]", false), NULL, 0);
}

/* The functions of a path, outermost first */
struct levels {
	uint64_t *place;
	size_t nr, room;
};

static void add_path(struct v9_shard *s, uint64_t source, const struct levels *l, const struct v9_call *c)
{
	const size_t outer = V9_SHARD_DEPTH / 2, inner = V9_SHARD_DEPTH - outer - 1;
	const uint64_t value[V9_SHARD_CALLS] = { c->self, c->cycles, c->calls };
	uint64_t call;

	if (!c->self && !c->cycles && !c->calls)
		return;
	call = v9_shard_call(s, source, 0, 0);
	for (size_t i = 0; i < l->nr; i++) {
		if (l->nr > V9_SHARD_DEPTH && i == outer) {
			call = v9_shard_call(s, source, call, left_out(s));
			i = l->nr - inner;
		}
		call = v9_shard_call(s, source, call, l->place[i]);
	}
	v9_shard_called(s, call, value);
}

/* Adds the paths of a thread, depth first. Not recursive, because the depth is not limited. */
static void add_paths(struct v9_shard *s, uint64_t source, const struct v9_calls_piece *p)
{
	const struct v9_call *call = p->call;
	struct levels l = { .nr = 0 };
	size_t i = call[0].child;

	add_path(s, source, &l, &call[0]);
	while (i) {
		const struct v9_shard_code *code = v9_shard_row(&s->codes, call[i].func);

		if (l.nr == l.room) {
			l.room = l.room ? 2 * l.room : 256;
			l.place = v9_realloc(l.place, l.room * sizeof(*l.place));
		}
		l.place[l.nr++] = code ? code->place : 0;
		add_path(s, source, &l, &call[i]);
		if (call[i].child) {
			i = call[i].child;
			continue;
		}
		while (i && !call[i].next) {
			i = call[i].parent;
			l.nr -= l.nr > 0;
		}
		l.nr -= l.nr > 0;
		i = i ? call[i].next : 0;
	}
	free(l.place);
}

/* Resolves the pieces of one thread, in their order. */
static void resolve(struct v9_shard *s, struct v9_shard_piece *p, size_t n)
{
	struct v9_calls_piece all;
	const struct v9_shard_piece *last = p;
	uint64_t mixed = 0;

	v9_piece_init(&all, true);
	for (size_t i = 0; i < n; i++) {
		mixed += i && (p[i].time < last->until ||
			       (p[i].time == last->until && p[i].stream < last->stream));
		if (p[i].until >= last->until)
			last = &p[i];
		v9_piece_join(&all, &p[i].calls);
		v9_piece_free(&p[i].calls);
	}
	add_paths(s, p->source, &all);
	v9_piece_free(&all);
	if (mixed)
		v9_shard_loss(s, "calls_mixed", "pieces of threads that overlap in time",
			      "it is not known on which CPU a thread ran: its call paths may be wrong", mixed);
}

static bool all_here(struct v9_shard *s, uint64_t capture)
{
	const struct whole *w = v9_bins_at(&s->whole, &capture, 1);

	return w->parts && w->here == w->parts;
}

void v9_shard_resolve(struct v9_shard *s)
{
	size_t kept = 0;

	if (s->nr_pieces)
		qsort(s->pieces, s->nr_pieces, sizeof(*s->pieces), thread_order);
	for (size_t i = 0, n; i < s->nr_pieces; i += n) {
		for (n = 1; i + n < s->nr_pieces && s->pieces[i + n].capture == s->pieces[i].capture &&
			    s->pieces[i + n].tid == s->pieces[i].tid; n++)
			;
		if (all_here(s, s->pieces[i].capture)) {
			resolve(s, &s->pieces[i], n);
			s->resolved = true;
			continue;
		}
		memmove(&s->pieces[kept], &s->pieces[i], n * sizeof(*s->pieces));
		kept += n;
	}
	s->nr_pieces = kept;
}
