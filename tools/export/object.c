// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "object.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/elf.h"

/* The branches from and to an object, in the capture that is read */
struct object_sum {
	uint64_t dso;			/* its address: the key */
	uint64_t n;
	struct v9_bins branches;	/* struct v9_object_branch */
};

static void free_sums(struct v9_export_object *o)
{
	for (size_t i = 0; i < o->objects.used; i++)
		v9_bins_free(&((struct object_sum *)v9_bins_get(&o->objects, i))->branches);
	v9_bins_clear(&o->objects);
}

void v9_object_init(struct v9_export_object *o)
{
	v9_bins_init(&o->branches, sizeof(struct v9_object_branch));
	v9_bins_init(&o->objects, sizeof(struct object_sum));
}

/*
 * The sums of earlier captures are kept, for v9trace fdo; not what was read of one that could not be
 * used, and what it lost.
 */
bool v9_object_begin(struct v9_export *x)
{
	struct v9_export_object *o = x->state;

	if (!o) {
		x->state = o = v9_alloc(sizeof(*o));
		v9_object_init(o);
	}
	free_sums(o);
	v9_note_free(&o->note);
	return true;
}

static uint64_t side(const struct v9_dso *d, const struct v9_branch_end *e)
{
	return !e->known ? V9_SIDE_UNKNOWN : e->dso == d ? e->addr : V9_SIDE_OUTSIDE;
}

static void add(struct v9_export_object *o, const struct v9_dso *d, const struct v9_branch_count *s)
{
	const uint64_t object = (uint64_t)(uintptr_t)d;
	struct object_sum *sum = v9_bins_at(&o->objects, &object, 1);
	uint64_t key[3] = { side(d, &s->from), side(d, &s->to), side(d, &s->end) };
	const bool ran = v9_side_known(key[1]) && v9_side_known(key[2]);

	if (!sum->branches.size)
		v9_bins_init(&sum->branches, sizeof(struct v9_object_branch));
	sum->n += s->n;
	/* Neither the source of the branch nor what ran after it is known. */
	if (key[0] == V9_SIDE_UNKNOWN && !ran)
		return;
	if (!ran)
		key[2] = V9_SIDE_UNKNOWN;
	((struct v9_object_branch *)v9_bins_at(&sum->branches, key, 3))->n += s->n;
}

void v9_object_branch(struct v9_export *x, const struct v9_branch_count *s)
{
	const struct v9_dso *from = s->from.known ? s->from.dso : NULL, *to = s->to.known ? s->to.dso : NULL;

	if (from)
		add(x->state, from, s);
	if (to && to != from)
		add(x->state, to, s);
}

void v9_object_loss(struct v9_export *x, const struct v9_loss *l)
{
	v9_note_loss(&((struct v9_export_object *)x->state)->note, l);
}

/* Is @d the file at @path? By the build-id if both have one, else by the last part of the name. */
static bool is_file(const struct v9_dso *d, const char *path, const uint8_t *id, int size)
{
	if (size > 0 && d->build_id_size)
		return v9_dso_has_id(d, id, (size_t)size);
	return !strcmp(v9_base_name(d->name), v9_base_name(path));
}

/* NULL: no branch */
static struct object_sum *sum_of(const struct v9_export_object *o, const struct v9_dso *d)
{
	const uint64_t object = (uint64_t)(uintptr_t)d;

	return v9_bins_find(&o->objects, &object, 1);
}

/* Chooses the object of a capture. Returns false after an error message if it has no branch. */
static bool choose(struct v9_export_object *o, struct v9_export *x)
{
	uint8_t id[V9_BUILD_ID_MAX];
	const int size = x->binary ? v9_elf_file_id(x->binary, id) : 0;
	uint64_t most = 0;

	o->dso = NULL;
	for (size_t i = 0; i < x->r.s.syms.nr_dsos; i++) {
		struct v9_dso *d = x->r.s.syms.dsos[i];
		const struct object_sum *sum = !x->binary || is_file(d, x->binary, id, size) ? sum_of(o, d) : NULL;

		if (sum && sum->n > most) {
			most = sum->n;
			o->dso = d;
		}
	}
	if (!o->dso && x->binary)
		v9_error("--binary %s: %s has no branch of it; its build-id has to be that of the "
			 "file that ran", x->binary, x->r.o.path);
	else if (!o->dso)
		v9_error("%s has no branch of an object that is known", x->r.o.path);
	else if (!x->binary)
		v9_warn("--to %s is of one object: %s, which has most branches (--binary chooses)",
			x->sink->name, o->dso->name);
	return o->dso;
}

/* Adds the branches of the object in this capture to those of earlier captures. */
static void add_up(struct v9_export_object *o)
{
	struct v9_bins *from = o->dso ? &sum_of(o, o->dso)->branches : NULL;

	if (from && !o->branches.used) {
		const struct v9_bins none = o->branches;

		o->branches = *from;
		*from = none;
	} else if (from) {
		for (size_t i = 0; i < from->used; i++) {
			const struct v9_object_branch *b = v9_bins_get(from, i);

			((struct v9_object_branch *)v9_bins_at(&o->branches, &b->from, 3))->n += b->n;
		}
	}
	free_sums(o);
}

void v9_object_add(struct v9_export *x)
{
	struct v9_export_object *o = x->state;

	x->failed |= !choose(o, x);
	add_up(o);
}

void v9_object_finish(struct v9_export *x)
{
	struct v9_export_object *o = x->state;

	if (!x->more && !x->failed)
		x->sink->write(x, o);
	v9_note_lost(x, &o->note);
}

void v9_object_end(struct v9_export *x)
{
	v9_object_add(x);
	v9_object_finish(x);
}

void v9_object_lines_open(struct v9_object_lines *l, const struct v9_export *x,
			  const struct v9_export_object *o)
{
	const struct v9_syms_opts opts = x->binary ? (struct v9_syms_opts){ 0 } : x->r.s.syms.opts;
	int size;

	memset(l, 0, sizeof(*l));
	l->dso.name = x->binary ? realpath(x->binary, l->path) : o->dso->name;
	size = x->binary ? v9_elf_file_id(x->binary, l->dso.build_id) : 0;
	l->dso.build_id_size = (uint8_t)(size > 0 ? size : 0);
	v9_syms_init(&l->syms, &l->strtab, &opts);
	v9_lines_init(&l->lines, &l->syms);
}

void v9_object_lines_close(struct v9_object_lines *l)
{
	v9_lines_free(&l->lines);
	v9_syms_free(&l->syms);
	v9_strtab_free(&l->strtab);
}

void v9_object_lineless(struct v9_export *x, const struct v9_export_object *o,
			const struct v9_object_lines *l)
{
	const char *why = l->dso.name ? v9_lines_why(&l->lines, &l->dso) : NULL;

	v9_error("--binary %s: %s", x->binary ? x->binary : o->dso->name,
		 why ? why : "what ran has no line of the source");
	x->failed = true;
}

void v9_object_free(struct v9_export *x)
{
	struct v9_export_object *o = x->state;

	free_sums(o);
	v9_bins_free(&o->objects);
	v9_bins_free(&o->branches);
	v9_note_free(&o->note);
	free(o);
}
