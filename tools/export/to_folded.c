// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Folded stacks, a line for each: THREAD;LEVEL;LEVEL WEIGHT. The format has no escape: a semicolon
 * in a name becomes a colon, a control character a space. Lines that begin with # say what was
 * lost; readers ignore them, since no number follows a space in them.
 */
#include "export.h"

#include <inttypes.h>

static void name(FILE *f, const char *s)
{
	for (; *s; s++)
		fputc(*s == ';' ? ':' : (unsigned char)*s < ' ' || *s == 0x7f ? ' ' : *s, f);
}

static void folded_stack(struct v9_export *x, const struct v9_stack *s)
{
	const uint64_t n = s->value[x->weight];
	char room[64];

	if (!n)
		return;
	name(x->f, v9_thread_name(room, sizeof(room), s->comm, s->tid));
	for (size_t i = 0; i < s->nr; i++) {
		fputc(';', x->f);
		name(x->f, s->level[i].name);
	}
	fprintf(x->f, " %" PRIu64 "\n", n);
}

static void folded_loss(struct v9_export *x, const struct v9_loss *l)
{
	fprintf(x->f, "# lost: %s=%" PRIu64 "\n", l->kind, l->n);
}

const struct v9_sink v9_sink_folded = {
	.name = "folded", .help = "folded stacks: FlameGraph, inferno, speedscope",
	.takes = { [V9_KIND_SPE] = V9_SPE_STACKS, [V9_KIND_ETE] = V9_SINK_STACKS },
	.weights = V9_STACK_WEIGHTS,
	.stack = folded_stack, .loss = folded_loss,
};
