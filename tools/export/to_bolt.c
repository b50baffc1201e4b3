// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Pre-aggregated data of BOLT (perf2bolt -pa): lines "T FROM TO END COUNT" with addresses as linked. What
 * is not known is ffffffffffffffff, what is outside of the object X:0.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "object.h"

struct bolt {
	struct v9_export_object object;
	struct v9_export_note note;
};

static bool begin(struct v9_export *x)
{
	x->state = v9_alloc(sizeof(struct bolt));
	return true;
}

static void branch(struct v9_export *x, const struct v9_branch_count *s)
{
	v9_object_add(&((struct bolt *)x->state)->object, s);
}

static void loss(struct v9_export *x, const struct v9_loss *l)
{
	v9_note_loss(&((struct bolt *)x->state)->note, l);
}

static void put(struct v9_export *x, const struct v9_export_object *o, const struct v9_branch_end *e)
{
	if (!e->known)
		fprintf(x->f, " %016" PRIx64, UINT64_MAX);
	else if (v9_object_has(o, e))
		fprintf(x->f, " %" PRIx64, e->addr);
	else
		fputs(" X:0", x->f);
}

static void end(struct v9_export *x)
{
	struct bolt *b = x->state;
	const struct v9_export_object *o = &b->object;

	if (!v9_object_choose(&b->object, x))
		return;
	for (size_t i = 0; i < o->nr; i++) {
		const struct v9_branch_count *s = &o->sum[i];
		const struct v9_branch_end none = { .known = false };
		const bool inside = v9_object_has(o, &s->to) && v9_object_has(o, &s->end);

		if (!v9_object_has(o, &s->from) && !v9_object_has(o, &s->to))
			continue;
		/* Neither the branch nor what ran is known. */
		if (!s->from.known && !inside)
			continue;
		fputc('T', x->f);
		put(x, o, &s->from);
		put(x, o, &s->to);
		put(x, o, inside ? &s->end : &none);
		fprintf(x->f, " %" PRIu64 "\n", s->n);
	}
	v9_object_lost(x, &b->note);
}

static void free_state(struct v9_export *x)
{
	struct bolt *b = x->state;

	v9_object_free(&b->object);
	v9_note_free(&b->note);
	free(b);
}

const struct v9_sink v9_sink_bolt = {
	.name = "bolt", .help = "branches of one object for perf2bolt -pa", .of_object = true,
	.takes = { [V9_KIND_SPE] = V9_SINK_BRANCHES, [V9_KIND_ETE] = V9_SINK_BRANCHES,
		   [V9_KIND_BRANCHES] = V9_SINK_BRANCHES },
	.begin = begin, .branch = branch, .loss = loss, .end = end, .free = free_state,
};
