// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* JSON lines: an object for each row, with the name of its table. Unknown values are absent. */
#include <stdlib.h>

#include "rows.h"

struct json {
	struct v9_rows *rows;
};

static void put(struct v9_export *x, enum v9_rows_id id, const struct v9_rows_cell *cell)
{
	const struct v9_rows_table *t = &v9_rows_tables[id];
	struct v9_put line;
	struct v9_json j = { .put = &line };

	v9_put_begin(&line, x->f);
	v9_json_begin(&j);
	v9_json_text(&j, "table", t->name);
	for (size_t i = 0; i < t->nr; i++) {
		const char *name = t->column[i].name;

		if (!cell[i].set)
			continue;
		switch (t->column[i].type) {
		case V9_ROW_TEXT:
			v9_json_text(&j, name, cell[i].s);
			break;
		case V9_ROW_NUMBER:
			v9_json_number(&j, name, cell[i].n);
			break;
		case V9_ROW_HEX:
			v9_json_hex(&j, name, cell[i].n);
			break;
		case V9_ROW_FLAG:
			v9_json_flag(&j, name, cell[i].n);
			break;
		}
	}
	v9_json_end(&j);
	v9_put_flush(&line);
}

static bool begin(struct v9_export *x)
{
	struct json *j = v9_alloc(sizeof(*j));

	x->state = j;
	j->rows = v9_rows_new(x, put);
	return true;
}

static void free_state(struct v9_export *x)
{
	struct json *j = x->state;

	v9_rows_free(j->rows);
	free(j);
}

const struct v9_sink v9_sink_json = {
	.name = "json", .help = "the same tables as JSON, an object for each row",
	V9_ROWS_TAKES,
	.begin = begin, .free = free_state,
};
