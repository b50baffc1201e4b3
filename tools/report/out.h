/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A command makes tables, or records one by one. A format says which of them it takes, and prints
 * tables. Neither depends on the other.
 */
#ifndef V9TRACE_REPORT_OUT_H
#define V9TRACE_REPORT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum v9_type {
	V9_TEXT,
	V9_COUNT,	/* integer */
	V9_PERCENT,
	V9_MEAN,	/* one decimal */
};

struct v9_col {
	const char *name;	/* key in JSON, column head in CSV */
	const char *title;	/* column head in text; NULL: not in text */
	enum v9_type type;
	unsigned int fit;	/* V9_CUT (true), V9_DROP() */
};

/* What a narrow terminal does to a column: text is cut in the middle; left out, those with 1 first. */
#define V9_CUT		1u
#define V9_DROP(order)	((order) << 1)

struct v9_cell {
	bool set;		/* false: unknown, as opposed to 0 */
	uint64_t n;
	double f;
	const char *s;
};

enum v9_shape {
	V9_ROWS,
	V9_KEYED,	/* columns key, what, value, number; JSON: { key: number or value } */
	V9_LOSSES,	/* like V9_ROWS; text omits rows with count 0, others are red */
};

struct v9_table {
	const char *name;
	const char *title;
	const char *of;		/* what shares are of, and units, or NULL; only for people */
	enum v9_shape shape;
	const struct v9_col *cols;
	size_t nr_cols, nr_rows;
	struct v9_cell *cells;	/* nr_rows * nr_cols */
	size_t next;		/* index of the next cell to fill */
	const char *empty;	/* printed as text if there is no row; NULL: omit the table */
	bool blank;		/* unknown cells are empty in text, not "-" */
	const char *note;	/* line below the table in text, or NULL */
};

struct v9_out {
	FILE *f;
	unsigned int width;	/* of the terminal, in columns; 0: unlimited */
	bool color;
	const struct v9_format *format;
	void *state;		/* private to the format */
};

/* What commands make. The words for messages are in out.c. */
enum {
	V9_TAKES_TABLES = 1,
	V9_TAKES_LINES = 2,		/* a line of text for each record */
	V9_TAKES_OBJECTS = 4,		/* a JSON object for each record */
};

/**
 * struct v9_format - a form of output
 * @name: the argument of --format
 * @takes: V9_TAKES_*
 * @for_people: cells are for people: short paths, trees indented
 * @begin: called before the first table, or NULL
 * @table: prints a table
 * @end: called after the last table, or NULL
 */
struct v9_format {
	const char *name;
	unsigned int takes;
	bool for_people;
	void (*begin)(struct v9_out *o);
	void (*table)(struct v9_out *o, const struct v9_table *t);
	void (*end)(struct v9_out *o);
};

/* Prints the text of a field, in quotes if it needs them. */
void v9_csv_text(FILE *f, const char *s);

extern const struct v9_format v9_format_text, v9_format_json, v9_format_csv;

/*
 * Parts of the text format. v9_text_widths() lays out the columns for o->width; row nr_rows is the
 * heads. v9_text_row() prints no newline.
 */
void v9_text_widths(const struct v9_out *o, const struct v9_table *t, size_t *width);
void v9_text_row(const struct v9_out *o, const struct v9_table *t, const size_t *width, size_t row);
void v9_text_cell(char *out, size_t size, const struct v9_table *t, size_t row, size_t col);

/*
 * Returns the format of that name. Returns NULL and prints an error if there is none, or if it does
 * not take what the command makes (@makes: V9_TAKES_*, one of them is enough).
 */
const struct v9_format *v9_format_find(const char *name, unsigned int makes);

/* Output to stdout. The width is $COLUMNS, or that of the terminal if stdout is one. */
void v9_out_init(struct v9_out *o, const struct v9_format *format, bool color);

/* Build a table: start a row, then fill its cells from left to right. */
void v9_table_row(struct v9_table *t);
void v9_put_text(struct v9_table *t, const char *s);	/* @s is not copied; NULL: unknown */
void v9_put_count(struct v9_table *t, uint64_t n);
void v9_put_real(struct v9_table *t, double f);
void v9_put_unknown(struct v9_table *t);
void v9_table_free(struct v9_table *t);

#endif
