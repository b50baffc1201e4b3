// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "out.h"

#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../pager.h"
#include "../util.h"

/* To add a format, add out_<name>.c and a row here. */
static const struct v9_format *const formats[] = {
	&v9_format_text,
	&v9_format_json,
	&v9_format_csv,
};

/* Prints what @f takes, if there is such a format, and the names of those that take @makes. */
static void refuse(const char *name, const struct v9_format *f, unsigned int makes)
{
	static const char *const words[] = { "tables", "lines", "objects" };
	const char *names[V9_ARRAY_SIZE(formats)], *takes[V9_ARRAY_SIZE(words)];
	char these[128], those[128];
	size_t n = 0, k = 0;

	for (size_t i = 0; i < V9_ARRAY_SIZE(formats); i++)
		if (formats[i]->takes & makes)
			names[n++] = formats[i]->name;
	for (size_t i = 0; f && i < V9_ARRAY_SIZE(words); i++)
		if (f->takes & 1u << i)
			takes[k++] = words[i];
	v9_one_of(these, sizeof(these), names, n);
	if (f)
		v9_error("--format %s: it takes %s, which this command does not make: %s", name,
			 v9_one_of(those, sizeof(those), takes, k), these);
	else
		v9_error("--format %s: %s", name, these);
}

const struct v9_format *v9_format_find(const char *name, unsigned int makes)
{
	const struct v9_format *f = NULL;

	for (size_t i = 0; i < V9_ARRAY_SIZE(formats) && !f; i++)
		if (!strcmp(formats[i]->name, name))
			f = formats[i];
	if (f && f->takes & makes)
		return f;
	refuse(name, f, makes);
	return NULL;
}

void v9_out_init(struct v9_out *o, const struct v9_format *format, bool color)
{
	const char *columns = getenv("COLUMNS");
	const char *none = getenv("NO_COLOR");

	memset(o, 0, sizeof(*o));
	o->f = stdout;
	o->format = format;
	if (columns)
		o->width = (unsigned int)strtoul(columns, NULL, 10);
	else
		o->width = v9_stdout_width();
	/* no-color.org: set, and not empty */
	o->color = color && v9_stdout_terminal() && (!none || !*none);
}

void v9_table_row(struct v9_table *t)
{
	const size_t n = t->nr_cols;

	t->cells = v9_realloc(t->cells, (t->nr_rows + 1) * n * sizeof(*t->cells));
	memset(&t->cells[t->nr_rows * n], 0, n * sizeof(*t->cells));
	t->next = t->nr_rows++ * n;
}

static struct v9_cell *put(struct v9_table *t, bool set)
{
	struct v9_cell *c = &t->cells[t->next++];

	c->set = set;
	return c;
}

void v9_put_text(struct v9_table *t, const char *s)
{
	put(t, s)->s = s;
}

void v9_put_count(struct v9_table *t, uint64_t n)
{
	put(t, true)->n = n;
}

void v9_put_real(struct v9_table *t, double f)
{
	put(t, true)->f = f;
}

void v9_put_unknown(struct v9_table *t)
{
	put(t, false);
}

void v9_table_free(struct v9_table *t)
{
	free(t->cells);
	t->cells = NULL;
	t->nr_rows = 0;
}
