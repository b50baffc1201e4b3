/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Branches of one object, for compilers and linkers: --binary, or the object with most branches. */
#ifndef V9TRACE_EXPORT_OBJECT_H
#define V9TRACE_EXPORT_OBJECT_H

#include "export.h"

/* Sums of branches until the object is known. */
struct v9_export_object {
	struct v9_branch_count *sum;
	size_t nr;
	const struct v9_dso *dso;	/* after v9_object_choose() */
};

void v9_object_add(struct v9_export_object *o, const struct v9_branch_count *s);

/*
 * Chooses the object: that of x->binary, by its build-id or its name, else the one with most branches,
 * which a message names. Returns false after an error message if it has no branch.
 */
bool v9_object_choose(struct v9_export_object *o, struct v9_export *x);
void v9_object_free(struct v9_export_object *o);

static inline bool v9_object_has(const struct v9_export_object *o, const struct v9_branch_end *e)
{
	return e->known && e->dso == o->dso;
}

/* Prints what was lost as one warning: the format has no place for it. */
void v9_object_lost(struct v9_export *x, const struct v9_export_note *note);

#endif
