// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "shard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define STRING_MOST	4096	/* longer names are cut */

struct whole {
	uint64_t id;
	uint64_t parts, here;
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
}

void v9_shard_free(struct v9_shard *s)
{
	struct v9_bins *const all[] = {
		&s->objects, &s->segments, &s->functions, &s->places, &s->sources, &s->spe, &s->branches,
		&s->calls, &s->losses, &s->captures, &s->whole,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		v9_bins_free(all[i]);
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
		      uint64_t parts)
{
	const uint64_t key[2] = { v9_shard_string(s, id), part };
	struct whole *w = v9_bins_at(&s->whole, key, 1);

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
	w->parts = parts;
	w->here++;
	((struct v9_shard_capture *)v9_bins_at(&s->captures, key, 2))->parts = parts;
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
