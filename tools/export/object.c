// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "object.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/elf.h"

void v9_object_add(struct v9_export_object *o, const struct v9_branch_count *s)
{
	*v9_vec_add(o->sum, o->nr) = *s;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Is @d the file at @path? By the build-id if both have one, else by the last part of the name. */
static bool is_file(const struct v9_dso *d, const char *path, const uint8_t *id, int size)
{
	if (size > 0 && d->build_id_size)
		return v9_dso_has_id(d, id, (size_t)size);
	return !strcmp(last_part(d->name), last_part(path));
}

static uint64_t branches_of(const struct v9_export_object *o, const struct v9_dso *d)
{
	uint64_t n = 0;

	for (size_t i = 0; i < o->nr; i++)
		if ((o->sum[i].from.known && o->sum[i].from.dso == d) ||
		    (o->sum[i].to.known && o->sum[i].to.dso == d))
			n += o->sum[i].n;
	return n;
}

bool v9_object_choose(struct v9_export_object *o, struct v9_export *x)
{
	uint8_t id[V9_BUILD_ID_MAX];
	const int size = x->binary ? v9_elf_file_id(x->binary, id) : 0;
	uint64_t most = 0;

	for (size_t i = 0; i < x->r.s.syms.nr_dsos; i++) {
		const struct v9_dso *d = x->r.s.syms.dsos[i];
		const uint64_t n = !x->binary || is_file(d, x->binary, id, size) ?
				   branches_of(o, d) : 0;

		if (n > most) {
			most = n;
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
	x->failed |= !o->dso;
	return o->dso;
}

void v9_object_free(struct v9_export_object *o)
{
	free(o->sum);
}

void v9_object_lost(struct v9_export *x, const struct v9_export_note *note)
{
	if (note->f && !fflush(note->f) && *note->lost)
		v9_warn("--to %s has no place for what was lost%s", x->sink->name, note->lost);
}
