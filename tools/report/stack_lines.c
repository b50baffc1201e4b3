// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "stack_lines.h"

#include <stdlib.h>
#include <string.h>

struct v9_stack_chain {
	struct v9_src_line line;	/* in the function */
	struct v9_chain_level {
		const char *name;
		struct v9_src_line line;
	} *inlined;			/* outermost first */
	size_t nr;
	const char *text;		/* of the innermost line, FILE:LINE; NULL: not known */
};

struct at {
	uint64_t key[2];
	uint32_t number;
};

void v9_stack_lines_init(struct v9_stack_lines *l, struct v9_report *r)
{
	memset(l, 0, sizeof(*l));
	l->r = r;
	v9_lines_init(&l->lines, &r->s.syms);
	v9_bins_init(&l->places, sizeof(struct at));
	v9_vec_add(l->chain, l->nr);
}

void v9_stack_lines_free(struct v9_stack_lines *l)
{
	v9_lines_free(&l->lines);
	v9_bins_free(&l->places);
	v9_strtab_free(&l->texts);
	for (size_t i = 0; i < l->nr; i++)
		free(l->chain[i].inlined);
	free(l->chain);
}

static const char *keep(struct v9_report *r, const char *s)
{
	return s ? v9_strtab_put(&r->text, s, strlen(s)) : NULL;
}

static struct v9_src_line kept(struct v9_report *r, const struct v9_src_line *line)
{
	return (struct v9_src_line){ .file = keep(r, line->file), .line = line->line };
}

/* The line of the innermost function, as FILE:LINE without the directory */
static const char *text_of(struct v9_report *r, const struct v9_src_line *line)
{
	if (!line->file || !line->line)
		return NULL;
	return v9_rep_keep(r, "%s:%u", v9_base_name(line->file), line->line);
}

/* Returns the number of @c, which equal chains share. @c->inlined is kept or freed. */
static uint32_t number_of(struct v9_stack_lines *l, struct v9_stack_chain *c)
{
	size_t size, *number;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		v9_out_of_memory();
	/* Equal strings have one address. */
	fprintf(f, "%p:%u", (const void *)c->line.file, c->line.line);
	for (size_t i = 0; i < c->nr; i++)
		fprintf(f, "|%p@%p:%u", (const void *)c->inlined[i].name,
			(const void *)c->inlined[i].line.file, c->inlined[i].line.line);
	fclose(f);
	number = v9_strtab_value(&l->texts, text);
	free(text);
	if (*number) {
		free(c->inlined);
		return (uint32_t)*number;
	}
	*number = l->nr;
	*v9_vec_add(l->chain, l->nr) = *c;
	return (uint32_t)(l->nr - 1);
}

static uint32_t look_up(struct v9_stack_lines *l, struct v9_dso *d, uint64_t addr)
{
	struct v9_inline frame[V9_INLINED_MOST + 1];
	const size_t n = v9_lines_inlined(&l->lines, d, addr, frame, V9_ARRAY_SIZE(frame));
	struct v9_src_line line = { .file = NULL };
	struct v9_stack_chain c = { .nr = n ? n - 1 : 0 };

	if (!v9_lines_find(&l->lines, d, addr, &line) && !c.nr)
		return 0;
	c.inlined = v9_alloc((c.nr + 1) * sizeof(*c.inlined));
	/* A level is at the call of the next one; the innermost at the line of the instruction. */
	c.line = kept(l->r, c.nr ? &frame[c.nr - 1].call : &line);
	for (size_t i = 0; i < c.nr; i++) {
		const size_t k = c.nr - 1 - i;
		const char *name = v9_inline_name(&l->lines, d, &frame[k]);

		c.inlined[i].name = keep(l->r, name ? name : "[unknown]");
		c.inlined[i].line = kept(l->r, k ? &frame[k - 1].call : &line);
	}
	c.text = text_of(l->r, &line);
	return number_of(l, &c);
}

uint32_t v9_stack_lines_at(struct v9_stack_lines *l, struct v9_dso *d, uint64_t addr)
{
	const uint64_t key[2] = { (uint64_t)(uintptr_t)d, addr };
	const size_t before = l->places.used;
	struct at *at = v9_bins_at(&l->places, key, 2);

	if (l->places.used > before)
		at->number = look_up(l, d, addr);
	return at->number;
}

size_t v9_stack_lines_put(const struct v9_stack_lines *l, uint32_t number,
			  struct v9_stack_level *level)
{
	const struct v9_stack_chain *c = &l->chain[number];
	size_t n = 0;

	level->file = c->line.file;
	level->line = c->line.line;
	for (size_t i = 0; i < c->nr; i++) {
		struct v9_stack_level *to = &level[++n];

		*to = level[0];
		to->what = V9_LEVEL_INLINED;
		to->name = c->inlined[i].name;
		to->func = NULL;
		to->file = c->inlined[i].line.file;
		to->line = c->inlined[i].line.line;
	}
	if (c->text) {
		level[n + 1] = level[n];
		level[++n].what = V9_LEVEL_LINE;
		level[n].name = c->text;
		level[n].func = NULL;
	}
	return n;
}
