// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "out.h"

#define INDENT	2
#define GAP	2
#define READABLE	24	/* width of a name that is cut before columns are left out */
#define SHRUNK	12	/* least width of a name */

static const char *color(const struct v9_out *o, const char *code)
{
	return o->color ? code : "";
}

#define BOLD	"\033[1m"
#define RED	"\033[31m"
#define PLAIN	"\033[0m"

/* Prints 1234567 as 1,234,567. */
static void grouped(char *out, size_t size, uint64_t n)
{
	char digits[32];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	size_t k = 0;

	for (int i = 0; i < len && k + 1 < size; i++) {
		if (i && !((len - i) % 3) && k + 2 < size)
			out[k++] = ',';
		out[k++] = digits[i];
	}
	out[k] = '\0';
}

/* Text of cell @i, counted over all rows. */
static void cell_text(char *out, size_t size, const struct v9_table *t, size_t i)
{
	const struct v9_col *col = &t->cols[i % t->nr_cols];
	const struct v9_cell *c = &t->cells[i];

	if (!c->set)
		snprintf(out, size, "%s", t->blank ? "" : "-");
	else if (col->type == V9_TEXT)
		snprintf(out, size, "%s", c->s);
	else if (col->type == V9_COUNT)
		grouped(out, size, c->n);
	else
		snprintf(out, size, col->type == V9_PERCENT ? "%.2f%%" : "%.1f", c->f);
}

/* Names come from the capture: replace control characters by '?'. */
static void clean(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
}

static bool hidden(const struct v9_table *t, size_t row)
{
	return t->shape == V9_LOSSES && !t->cells[row * t->nr_cols].n;
}

/* A column is shown if it has a title and its width is not DROPPED. */
#define DROPPED	SIZE_MAX

static bool shown(const struct v9_table *t, const size_t *width, size_t i)
{
	return t->cols[i].title && width[i] != DROPPED;
}

/* The width of a row, with indent and gaps. */
static size_t total(const struct v9_table *t, const size_t *width)
{
	size_t sum = INDENT;

	for (size_t i = 0; i < t->nr_cols; i++)
		if (shown(t, width, i))
			sum += width[i] + (sum > INDENT ? GAP : 0);
	return sum;
}

/* Takes from the widest columns of text, down to @least each. Returns true if the rows fit then. */
static bool shrink(const struct v9_out *o, const struct v9_table *t, size_t *width, size_t least)
{
	while (total(t, width) > o->width) {
		size_t widest = t->nr_cols;

		for (size_t i = 0; i < t->nr_cols; i++)
			if (shown(t, width, i) && t->cols[i].type == V9_TEXT &&
			    t->cols[i].fit & V9_CUT && width[i] > least &&
			    (widest == t->nr_cols || width[i] > width[widest]))
				widest = i;
		if (widest == t->nr_cols)
			return false;
		width[widest]--;
	}
	return true;
}

/* Returns the column to leave out next, or nr_cols if all others are needed. */
static size_t least_used(const struct v9_table *t, const size_t *width)
{
	size_t found = t->nr_cols;

	for (size_t i = 0; i < t->nr_cols; i++)
		if (shown(t, width, i) && t->cols[i].fit >= V9_DROP(1u) &&
		    (found == t->nr_cols || t->cols[i].fit < t->cols[found].fit))
			found = i;
	return found;
}

/*
 * Fits the rows into the terminal: names are cut as long as they stay readable, then columns are
 * left out, then names are cut further.
 */
static void fit(const struct v9_out *o, const struct v9_table *t, size_t *width)
{
	size_t *all = v9_alloc(t->nr_cols * sizeof(*all)), drop;

	memcpy(all, width, t->nr_cols * sizeof(*all));
	while (o->width && !shrink(o, t, width, READABLE)) {
		drop = least_used(t, width);
		if (drop == t->nr_cols) {
			shrink(o, t, width, SHRUNK);
			break;
		}
		all[drop] = DROPPED;
		memcpy(width, all, t->nr_cols * sizeof(*all));
	}
	free(all);
}

static void measure(const struct v9_table *t, size_t *width)
{
	char s[1024];

	for (size_t i = 0; i < t->nr_cols; i++)
		if (t->shape == V9_ROWS && t->cols[i].title)
			width[i] = strlen(t->cols[i].title);
	for (size_t r = 0; r < t->nr_rows; r++)
		for (size_t i = 0; i < t->nr_cols && !hidden(t, r); i++) {
			cell_text(s, sizeof(s), t, r * t->nr_cols + i);
			if (strlen(s) > width[i])
				width[i] = strlen(s);
		}
}

/* Numbers are aligned right, text left. Text in the last column is not padded. */
static void print_cell(const struct v9_out *o, const struct v9_col *col, const char *s,
		       size_t width, bool last)
{
	const size_t len = strlen(s);

	if (col->type != V9_TEXT)
		fprintf(o->f, "%*s", (int)width, s);
	else if (len > width)
		/* Both ends of a name tell it from others. */
		fprintf(o->f, "%.*s~%s", (int)(width / 2), s, s + len - (width - 1 - width / 2));
	else
		fprintf(o->f, "%-*s", last ? 0 : (int)width, s);
}

/* Prints row @r, or the column heads if @r is nr_rows. */
static void print_row(const struct v9_out *o, const struct v9_table *t, const size_t *width,
		      size_t r)
{
	size_t last = t->nr_cols, gap = INDENT;
	char s[1024];

	for (size_t i = 0; i < t->nr_cols; i++)
		if (shown(t, width, i))
			last = i;
	for (size_t i = 0; i < t->nr_cols; i++) {
		if (!shown(t, width, i))
			continue;
		if (r < t->nr_rows)
			cell_text(s, sizeof(s), t, r * t->nr_cols + i);
		else
			snprintf(s, sizeof(s), "%s", t->cols[i].title);
		clean(s);
		fprintf(o->f, "%*s", (int)gap, "");
		print_cell(o, &t->cols[i], s, width[i], i == last);
		gap = GAP;
	}
}

void v9_text_widths(const struct v9_out *o, const struct v9_table *t, size_t *width)
{
	memset(width, 0, t->nr_cols * sizeof(*width));
	measure(t, width);
	fit(o, t, width);
}

void v9_text_row(const struct v9_out *o, const struct v9_table *t, const size_t *width, size_t row)
{
	print_row(o, t, width, row);
}

void v9_text_cell(char *out, size_t size, const struct v9_table *t, size_t row, size_t col)
{
	cell_text(out, size, t, row * t->nr_cols + col);
	clean(out);
}

static void print_dropped(const struct v9_out *o, const struct v9_table *t, const size_t *width)
{
	const char *before = "  not shown: ";

	for (size_t i = 0; i < t->nr_cols; i++)
		if (width[i] == DROPPED) {
			fprintf(o->f, "%s%s", before, t->cols[i].title);
			before = ", ";
		}
	if (*before == ',')
		fputs(" (--wide)\n", o->f);
}

static void text_table(struct v9_out *o, const struct v9_table *t)
{
	size_t *width, rows = 0;

	for (size_t r = 0; r < t->nr_rows; r++)
		rows += !hidden(t, r);
	if (!rows && !t->empty)
		return;
	fprintf(o->f, "%s%s%s", color(o, BOLD), t->title, color(o, PLAIN));
	if (rows && t->of)
		fprintf(o->f, "%s(%s)", o->width && strlen(t->title) + strlen(t->of) + 3 > o->width ?
			"\n  " : " ", t->of);
	fputc('\n', o->f);
	if (!rows) {
		fprintf(o->f, "%*s%s\n\n", INDENT, "", t->empty);
		return;
	}
	width = v9_alloc(t->nr_cols * sizeof(*width));
	v9_text_widths(o, t, width);
	if (t->shape == V9_ROWS) {
		print_row(o, t, width, t->nr_rows);
		fputc('\n', o->f);
	}
	for (size_t r = 0; r < t->nr_rows; r++) {
		if (hidden(t, r))
			continue;
		fputs(t->shape == V9_LOSSES ? color(o, RED) : "", o->f);
		print_row(o, t, width, r);
		fprintf(o->f, "%s\n", t->shape == V9_LOSSES ? color(o, PLAIN) : "");
	}
	if (t->note)
		fprintf(o->f, "%*s%s\n", INDENT, "", t->note);
	print_dropped(o, t, width);
	fputc('\n', o->f);
	free(width);
}

const struct v9_format v9_format_text = {
	.name = "text", .takes = V9_TAKES_TABLES | V9_TAKES_LINES, .for_people = true,
	.table = text_table,
};
