// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CSV, RFC 4180. Each table has a header line. The first column is the name of the table. */
#include <inttypes.h>
#include <string.h>

#include "out.h"

void v9_csv_text(FILE *f, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		fputs(s, f);
		return;
	}
	fputc('"', f);
	for (; *s; s++) {
		if (*s == '"')
			fputc('"', f);
		fputc(*s, f);
	}
	fputc('"', f);
}

static void field(FILE *f, const char *s)
{
	fputc(',', f);
	v9_csv_text(f, s);
}

static void csv_table(struct v9_out *o, const struct v9_table *t)
{
	fprintf(o->f, "table");
	for (size_t i = 0; i < t->nr_cols; i++)
		field(o->f, t->cols[i].name);
	fprintf(o->f, "\r\n");
	for (size_t r = 0; r < t->nr_rows; r++) {
		fprintf(o->f, "%s", t->name);
		for (size_t i = 0; i < t->nr_cols; i++) {
			const struct v9_cell *c = &t->cells[r * t->nr_cols + i];

			if (!c->set)
				field(o->f, "");
			else if (t->cols[i].type == V9_TEXT)
				field(o->f, c->s);
			else if (t->cols[i].type == V9_COUNT)
				fprintf(o->f, ",%" PRIu64, c->n);
			else
				fprintf(o->f, ",%.3f", c->f);
		}
		fprintf(o->f, "\r\n");
	}
}

const struct v9_format v9_format_csv = {
	.name = "csv", .takes = V9_TAKES_TABLES,
	.table = csv_table,
};
