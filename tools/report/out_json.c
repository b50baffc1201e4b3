// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One JSON object with a member for each table: an array with an object for each row, or an object
 * if the table is V9_KEYED. Unknown values are null.
 */
#include <json-c/json.h>

#include "json.h"
#include "out.h"

/* Names in a capture may be invalid UTF-8: replace such bytes by '?'. */
static struct json_object *text(const char *s)
{
	char clean[1024];
	size_t n = 0;

	while (*s && n + 4 < sizeof(clean)) {
		unsigned int size = v9_utf8(s);

		if (!size)
			clean[n++] = '?';
		for (unsigned int i = 0; i < size; i++)
			clean[n++] = s[i];
		s += size ? size : 1;
	}
	return json_object_new_string_len(clean, (int)n);
}

static struct json_object *value(const struct v9_col *col, const struct v9_cell *c)
{
	char digits[32];

	if (!c->set)
		return NULL;
	switch (col->type) {
	case V9_TEXT:
		return text(c->s);
	case V9_COUNT:
		return json_object_new_uint64(c->n);
	default:
		/* json-c would print 17 digits of a double: print three decimals. */
		snprintf(digits, sizeof(digits), "%.3f", c->f);
		return json_object_new_double_s(c->f, digits);
	}
}

static void json_begin(struct v9_out *o)
{
	o->state = json_object_new_object();
}

static void json_table(struct v9_out *o, const struct v9_table *t)
{
	struct json_object *all = t->shape == V9_KEYED ? json_object_new_object() :
							 json_object_new_array();

	for (size_t r = 0; r < t->nr_rows; r++) {
		const struct v9_cell *c = &t->cells[r * t->nr_cols];
		struct json_object *row;

		if (t->shape == V9_KEYED) {
			const size_t i = c[3].set ? 3 : 2;

			json_object_object_add(all, c[0].s, value(&t->cols[i], &c[i]));
			continue;
		}
		row = json_object_new_object();
		for (size_t i = 0; i < t->nr_cols; i++)
			json_object_object_add(row, t->cols[i].name, value(&t->cols[i], &c[i]));
		json_object_array_add(all, row);
	}
	json_object_object_add(o->state, t->name, all);
}

static void json_end(struct v9_out *o)
{
	/* Plain: the pretty format differs between versions of json-c. */
	fprintf(o->f, "%s\n", json_object_to_json_string_ext(o->state, JSON_C_TO_STRING_PLAIN |
							     JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o->state);
}

const struct v9_format v9_format_json = {
	.name = "json", .takes = V9_TAKES_TABLES | V9_TAKES_OBJECTS,
	.begin = json_begin, .table = json_table, .end = json_end,
};
