/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A report is a list of tables; an output format prints tables. The report knows
 * no format and no format knows the report.
 */
#ifndef V9TRACE_REPORT_OUT_H
#define V9TRACE_REPORT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum v9_type {
	V9_TEXT,
	V9_COUNT,	/* whole number */
	V9_PERCENT,
	V9_MEAN,	/* one decimal */
};

struct v9_col {
	const char *name;	/* key in JSON, head in CSV */
	const char *title;	/* head in text; NULL: not in text */
	enum v9_type type;
	bool shrinks;		/* text that may be cut to fit the terminal */
};

struct v9_cell {
	bool set;		/* false: not known, which is not 0 */
	uint64_t n;
	double f;
	const char *s;
};

enum v9_shape {
	V9_ROWS,
	V9_KEYED,	/* columns key, what, value, number: an object in JSON, number if known */
	V9_LOSSES,	/* like rows; text hides those whose count is 0, and warns of the others */
};

struct v9_table {
	const char *name;
	const char *title;
	enum v9_shape shape;
	const struct v9_col *cols;
	size_t nr_cols, nr_rows;
	struct v9_cell *cells;	/* row by row */
	size_t next;		/* cell to be filled */
	const char *empty;	/* what text says if there is no row to show; NULL: nothing at all */
	const char *note;	/* line below the table in text, or NULL */
};

struct v9_out {
	FILE *f;
	unsigned int width;	/* of the terminal; 0: as wide as it takes */
	bool color;
	const struct v9_format *format;
	void *state;		/* of the format */
};

struct v9_format {
	const char *name;
	void (*begin)(struct v9_out *o);
	void (*table)(struct v9_out *o, const struct v9_table *t);
	void (*end)(struct v9_out *o);
};

extern const struct v9_format v9_format_text, v9_format_json, v9_format_csv;

/* NULL if there is no format of that name. */
const struct v9_format *v9_format_find(const char *name);

/* Standard output, the terminal's width if it is one. */
void v9_out_init(struct v9_out *o, const struct v9_format *format, bool color);

/* Building: start a row, fill its cells from left to right, free the lot. */
void v9_table_row(struct v9_table *t);
void v9_put_text(struct v9_table *t, const char *s);	/* kept by pointer; NULL: not known */
void v9_put_count(struct v9_table *t, uint64_t n);
void v9_put_real(struct v9_table *t, double f);
void v9_put_unknown(struct v9_table *t);
void v9_table_free(struct v9_table *t);

#endif
