// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "out.h"

#define INDENT	2
#define GAP	2
#define SHRUNK	12	/* least width of a column that is truncated */

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

/* The width of a row, with indent and gaps. */
static size_t total(const struct v9_table *t, const size_t *width)
{
	size_t sum = INDENT;

	for (size_t i = 0; i < t->nr_cols; i++)
		if (t->cols[i].title)
			sum += width[i] + (sum > INDENT ? GAP : 0);
	return sum;
}

static void fit(const struct v9_out *o, const struct v9_table *t, size_t *width)
{
	while (o->width && total(t, width) > o->width) {
		size_t widest = t->nr_cols;

		for (size_t i = 0; i < t->nr_cols; i++)
			if (t->cols[i].title && t->cols[i].shrinks && width[i] > SHRUNK &&
			    (widest == t->nr_cols || width[i] > width[widest]))
				widest = i;
		if (widest == t->nr_cols)
			return;
		width[widest]--;
	}
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
		fprintf(o->f, "%.*s~", (int)width - 1, s);
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
		if (t->cols[i].title)
			last = i;
	for (size_t i = 0; i < t->nr_cols; i++) {
		if (!t->cols[i].title)
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

static void text_table(struct v9_out *o, const struct v9_table *t)
{
	size_t *width, shown = 0;

	for (size_t r = 0; r < t->nr_rows; r++)
		shown += !hidden(t, r);
	if (!shown && !t->empty)
		return;
	fprintf(o->f, "%s%s%s\n", color(o, BOLD), t->title, color(o, PLAIN));
	if (!shown) {
		fprintf(o->f, "%*s%s\n\n", INDENT, "", t->empty);
		return;
	}
	width = v9_alloc(t->nr_cols * sizeof(*width));
	measure(t, width);
	fit(o, t, width);
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
	fputc('\n', o->f);
	free(width);
}

const struct v9_format v9_format_text = {
	.name = "text", .takes = V9_TAKES_TABLES | V9_TAKES_LINES, .for_people = true,
	.table = text_table,
};
