// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CSV, RFC 4180: a file for each table in a directory. An unknown value is empty, a flag True or False. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

struct csv {
	struct v9_rows *rows;
	FILE *f[V9_ROWS_TABLES];
};

static void cannot_write(struct v9_export *x, const char *name)
{
	v9_error("cannot write %s/%s.csv: %s", x->path, name, strerror(errno));
	x->failed = true;
}

/* Text with a comma, a quotation mark or an end of line is quoted. Readers may refuse what is not UTF-8. */
static void put_text(struct v9_put *p, const char *s)
{
	bool quoted = false, plain = true;
	size_t size;

	for (size = 0; s[size]; size++) {
		const unsigned char c = (unsigned char)s[size];

		quoted |= c == ',' || c == '"' || c == '\r' || c == '\n';
		plain &= c != '"' && c < 0x80;
	}
	if (quoted)
		v9_put_char(p, '"');
	if (plain) {
		v9_put_bytes(p, s, size);
		s += size;
	}
	while (*s) {
		const unsigned int n = v9_utf8(s);

		if (*s == '"')
			v9_put_char(p, '"');
		v9_put_bytes(p, n ? s : "?", n ? n : 1);
		s += n ? n : 1;
	}
	if (quoted)
		v9_put_char(p, '"');
}

void v9_csv_row(FILE *f, const struct v9_rows_table *t, const struct v9_rows_cell *cell)
{
	struct v9_put p;

	v9_put_begin(&p, f);
	for (size_t i = 0; i < t->nr; i++) {
		if (i)
			v9_put_char(&p, ',');
		if (!cell[i].set)
			continue;
		switch (t->column[i].type) {
		case V9_ROW_TEXT:
			put_text(&p, cell[i].s);
			break;
		case V9_ROW_NUMBER:
			v9_put_number(&p, cell[i].n, 0);
			break;
		case V9_ROW_HEX:
			v9_put_bytes(&p, "0x", 2);
			v9_put_hex(&p, cell[i].n, 0);
			break;
		case V9_ROW_FLAG:
			v9_put_str(&p, cell[i].n ? "True" : "False");
			break;
		}
	}
	v9_put_bytes(&p, "\r\n", 2);
	v9_put_flush(&p);
}

void v9_csv_head(FILE *f, const struct v9_rows_table *t)
{
	for (size_t i = 0; i < t->nr; i++)
		fprintf(f, "%s%s", i ? "," : "", t->column[i].name);
	fputs("\r\n", f);
}

static void put(struct v9_export *x, enum v9_rows_id id, const struct v9_rows_cell *cell)
{
	FILE *f = ((struct csv *)x->state)->f[id];

	v9_csv_row(f, &v9_rows_tables[id], cell);
	if (ferror(f))
		cannot_write(x, v9_rows_tables[id].name);
}

static bool begin(struct v9_export *x)
{
	struct csv *c = v9_alloc(sizeof(*c));

	x->state = c;
	c->rows = v9_rows_new(x, put);
	for (unsigned int id = 0; id < V9_ROWS_TABLES && !x->failed; id++) {
		const struct v9_rows_table *t = &v9_rows_tables[id];
		char *path;

		if (!v9_rows_has(x, id))
			continue;
		path = v9_format("%s/%s.csv", x->path, t->name);
		c->f[id] = fopen(path, "w");
		free(path);
		if (!c->f[id]) {
			cannot_write(x, t->name);
			break;
		}
		v9_csv_head(c->f[id], t);
	}
	return !x->failed;
}

static void free_state(struct v9_export *x)
{
	struct csv *c = x->state;

	for (unsigned int id = 0; id < V9_ROWS_TABLES; id++)
		if (c->f[id] && fclose(c->f[id]) && !x->failed)
			cannot_write(x, v9_rows_tables[id].name);
	v9_rows_free(c->rows);
	free(c);
}

const struct v9_sink v9_sink_csv = {
	.name = "csv", .help = "tables with the columns of Arm's spe-parser, a file for each",
	.many = true, V9_ROWS_TAKES,
	.begin = begin, .free = free_state,
};
