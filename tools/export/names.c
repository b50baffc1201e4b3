// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export.h"

#include <inttypes.h>
#include <stdlib.h>

const char *v9_thread_name(char *room, size_t size, const char *comm, uint32_t tid)
{
	if (tid == V9_NO_TASK)
		snprintf(room, size, "%s", comm ? comm : "[unknown]");
	else
		snprintf(room, size, "%s-%u", comm ? comm : "", tid);
	return room;
}

const char *v9_loss_text(char *room, size_t size, const struct v9_loss *l)
{
	snprintf(room, size, "%" PRIu64 " %s: %s%s%s", l->n, l->kind, l->what,
		 l->meaning ? ", " : "", l->meaning ? l->meaning : "");
	return room;
}

/* ---- notes */

static FILE *note_file(struct v9_export_note *n)
{
	if (!n->f)
		n->f = open_memstream(&n->lost, &n->size);
	if (!n->f)
		v9_out_of_memory();
	return n->f;
}

void v9_note_loss(struct v9_export_note *n, const struct v9_loss *l)
{
	FILE *f = note_file(n);
	char room[512];

	fprintf(f, "; lost: %s", v9_loss_text(room, sizeof(room), l));
}

const char *v9_note_text(struct v9_export_note *n, const struct v9_export *x)
{
	FILE *f = note_file(n);
	const bool spe = x->sink->takes[V9_KIND_SPE] && !v9_session_no_spe(&x->r.s) &&
			 (!x->sink->weights || v9_weights[x->weight].kind == V9_KIND_SPE);
	char *lost, *text;

	fflush(f);
	lost = v9_strdup(n->lost);
	text = v9_format("%s%s%s%s", x->r.o.path, spe ? "; " V9_NO_CHAIN : "",
			 *lost ? "" : "; nothing was lost", lost);
	free(lost);
	v9_note_free(n);
	fputs(text, note_file(n));
	free(text);
	fflush(n->f);
	return n->lost;
}

void v9_note_lost(struct v9_export *x, struct v9_export_note *n)
{
	if (n->f && !fflush(n->f) && *n->lost)
		v9_warn("%s: --to %s has no place for what was lost%s", x->r.o.path, x->sink->name, n->lost);
	v9_note_free(n);
}

void v9_note_free(struct v9_export_note *n)
{
	if (n->f)
		fclose(n->f);
	free(n->lost);
	*n = (struct v9_export_note){ .f = NULL };
}

/* ---- numbers */

void v9_numbers_init(struct v9_numbers *n)
{
	v9_bins_init(&n->bins, 5 * sizeof(uint64_t));
}

size_t v9_number_of(struct v9_numbers *n, const uint64_t key[4], bool *added)
{
	const size_t before = n->bins.used;
	uint64_t *bin = v9_bins_at(&n->bins, key, 4);

	*added = n->bins.used > before;
	if (*added)
		bin[4] = before;
	return bin[4];
}

void v9_numbers_free(struct v9_numbers *n)
{
	v9_bins_free(&n->bins);
}

void v9_level_key(uint64_t key[4], const struct v9_stack_level *l)
{
	key[0] = (uint64_t)(uintptr_t)(l->func ? (const void *)l->func :
				       l->what > V9_LEVEL_FUNCTION ? l->name : NULL);
	key[1] = (uint64_t)(uintptr_t)(l->dso ? (const void *)l->dso : l->dso_name);
	key[2] = l->addr;
	key[3] = (uint64_t)l->what << 1 | l->addressed;
}
