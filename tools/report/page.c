// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The frame of the page, its tables, and how data is written into it. */
#include "page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../util.h"
#include "json.h"

/* ---- files that are part of the program: see tools/Makefile */

#define FILE_OF_PAGE(name, path) \
	asm(".section .rodata\n" \
	    ".global v9_page_" #name "\nv9_page_" #name ":\n" \
	    ".incbin \"" V9_PAGE_DIR path "\"\n" \
	    ".byte 0\n" \
	    ".previous\n"); \
	extern const char v9_page_##name[]

FILE_OF_PAGE(html, "page.html");
FILE_OF_PAGE(css, "page.css");
FILE_OF_PAGE(js, "page.js");
FILE_OF_PAGE(uplot, "vendor/uPlot.iife.min.js");
FILE_OF_PAGE(uplot_css, "vendor/uPlot.min.css");
FILE_OF_PAGE(d3, "vendor/d3.min.js");
FILE_OF_PAGE(flamegraph, "vendor/d3-flamegraph.umd.min.js");
FILE_OF_PAGE(flamechart, "vendor/flame-chart.min.js");
FILE_OF_PAGE(notice, "vendor/NOTICE");

static const char *const styles[] = { v9_page_uplot_css, v9_page_css };
static const char *const scripts[] = {
	v9_page_uplot, v9_page_d3, v9_page_flamegraph, v9_page_flamechart, v9_page_js
};

/* ---- data */

/* In JSON these characters are in strings alone. */
static bool is_markup(char c)
{
	return c == '<' || c == '>' || c == '&';
}

void v9_page_text(FILE *f, const char *s)
{
	fputc('"', f);
	while (*s) {
		const unsigned int n = v9_utf8(s);

		if (!n)
			fputc('?', f);
		/* No markup: neither an end tag nor a comment can begin in the data. */
		else if (is_markup(*s) || (unsigned char)*s < ' ' || *s == 0x7f)
			fprintf(f, "\\u%04x", *s);
		else if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else
			fwrite(s, 1, n, f);
		s += n ? n : 1;
	}
	fputc('"', f);
}

void v9_page_open(FILE *f, const char *id)
{
	fprintf(f, "<script type=\"application/json\" id=\"%s\">", id);
}

void v9_page_close(FILE *f)
{
	fputs("</script>\n", f);
}

size_t v9_page_name(struct v9_page_names *n, const char *name)
{
	size_t *at = v9_strtab_value(&n->index, name);

	if (!*at) {
		*v9_vec_add(n->name, n->nr) = name;
		*at = n->nr;
	}
	return *at - 1;
}

void v9_page_names_write(const struct v9_page_names *n, FILE *f)
{
	fputs("\"names\":[", f);
	for (size_t i = 0; i < n->nr; i++) {
		fputs(i ? "," : "", f);
		v9_page_text(f, n->name[i]);
	}
	fputs("],", f);
}

void v9_page_names_free(struct v9_page_names *n)
{
	v9_strtab_free(&n->index);
	free(n->name);
}

/* ---- tables */

static const char *view = "report";

void v9_page_view(const char *name)
{
	view = name;
}

static void member(FILE *f, const char *key, const char *text)
{
	fprintf(f, ",\"%s\":", key);
	if (text)
		v9_page_text(f, text);
	else
		fputs("null", f);
}

static void cell(FILE *f, const struct v9_col *col, const struct v9_cell *c)
{
	if (!c->set)
		fputs("null", f);
	else if (col->type == V9_TEXT)
		v9_page_text(f, c->s);
	else if (col->type == V9_COUNT)
		fprintf(f, "%" PRIu64, c->n);
	else
		fprintf(f, "%.3f", c->f);	/* as in JSON */
}

static void page_table(struct v9_out *o, const struct v9_table *t)
{
	static const char *const shapes[] = {
		[V9_ROWS] = "rows", [V9_KEYED] = "keyed", [V9_LOSSES] = "losses" };
	static const char *const types[] = {
		[V9_TEXT] = "text", [V9_COUNT] = "count", [V9_PERCENT] = "percent", [V9_MEAN] = "mean" };

	fprintf(o->f, "<script type=\"application/json\" class=\"table\">{\"view\":\"%s\"", view);
	member(o->f, "name", t->name);
	member(o->f, "title", t->title);
	member(o->f, "of", t->of);
	fprintf(o->f, ",\"shape\":\"%s\"", shapes[t->shape]);
	member(o->f, "empty", t->empty);
	member(o->f, "note", t->note);
	fputs(",\"cols\":[", o->f);
	for (size_t i = 0; i < t->nr_cols; i++) {
		fputs(i ? ",[" : "[", o->f);
		v9_page_text(o->f, t->cols[i].name);
		fputc(',', o->f);
		if (t->cols[i].title)
			v9_page_text(o->f, t->cols[i].title);
		else
			fputs("null", o->f);
		fprintf(o->f, ",\"%s\"]", types[t->cols[i].type]);
	}
	fputs("],\"rows\":[", o->f);
	for (size_t r = 0; r < t->nr_rows; r++) {
		fputs(r ? ",\n[" : "\n[", o->f);
		for (size_t i = 0; i < t->nr_cols; i++) {
			fputs(i ? "," : "", o->f);
			cell(o->f, &t->cols[i], &t->cells[r * t->nr_cols + i]);
		}
		fputc(']', o->f);
	}
	fputs("]}", o->f);
	v9_page_close(o->f);
}

/* ---- the frame: page.html, with {{words}} that are replaced; {{data}} divides begin and end */

static char nonce[33];

static const char *frame(struct v9_out *o, const char *at)
{
	const char *mark;

	while ((mark = strstr(at, "{{"))) {
		const char *word = mark + 2;

		fwrite(at, 1, (size_t)(mark - at), o->f);
		at = strstr(mark, "}}") + 2;
		if (!strncmp(word, "data}}", 6))
			return at;
		if (!strncmp(word, "nonce}}", 7))
			fputs(nonce, o->f);
		else if (!strncmp(word, "notice}}", 8))
			fputs(v9_page_notice, o->f);
		else if (!strncmp(word, "style}}", 7))
			for (size_t i = 0; i < V9_ARRAY_SIZE(styles); i++)
				fputs(styles[i], o->f);
		else if (!strncmp(word, "script}}", 8))
			for (size_t i = 0; i < V9_ARRAY_SIZE(scripts); i++)
				fprintf(o->f, "<script nonce=\"%s\">%s</script>\n", nonce, scripts[i]);
	}
	fputs(at, o->f);
	return NULL;
}

static void page_begin(struct v9_out *o)
{
	uint8_t random[16] = { 0 };

	/* What could ever slip into the page as a script would have to know it. */
	if (getrandom(random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
		v9_warn("no random number: the page has a nonce of zeros");
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(nonce + 2 * i, 3, "%02x", random[i]);
	o->state = (void *)frame(o, v9_page_html);
}

static void page_end(struct v9_out *o)
{
	frame(o, o->state);
}

const struct v9_format v9_format_page = {
	.name = "html", .takes = V9_TAKES_TABLES, .begin = page_begin, .table = page_table,
	.end = page_end,
};
