// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the reports write: strings in JSON and in CSV, typed from RFC 8259 and RFC 4180, and the
 * order of the pieces that several threads write.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/report/json.h"
#include "../../tools/report/order.h"
#include "../../tools/report/out.h"

/* ---- JSON */

static const struct {
	const char *name, *text, *want;
} strings[] = {
	{ "plain", "a/b c", "\"a/b c\"" },
	{ "backslash", "a\\b", "\"a\\\\b\"" },
	{ "backslash_at_the_end", "a\\", "\"a\\\\\"" },
	{ "quote", "a\"b", "\"a\\\"b\"" },
	{ "backslash_and_quote", "\\\"", "\"\\\\\\\"\"" },
	{ "newline", "a\nb", "\"a\\u000ab\"" },
	{ "escape", "\x1b[2J", "\"\\u001b[2J\"" },
	{ "last_control", "\x1f ", "\"\\u001f \"" },
	{ "utf_8", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
	  "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
	{ "not_utf_8", "a\x80\xff" "b", "\"a??b\"" },
	{ "cut_utf_8", "a\xe2\x82", "\"a??\"" },
	{ "overlong_utf_8", "\xc0\xaf", "\"??\"" },
	{ "surrogate", "\xed\xa0\x80", "\"???\"" },
};

static void json(void)
{
	char *text;
	size_t n;

	for (size_t i = 0; i < V9_ARRAY_SIZE(strings); i++) {
		struct v9_put put;
		struct v9_json j = { .put = &put };

		v9_put_begin(&put, open_memstream(&text, &n));
		v9_json_open(&j, "k");
		v9_json_item(&j, strings[i].text);
		v9_json_close(&j);
		v9_put_flush(&put);
		fclose(put.f);
		tap_ok(n > 6 && !strncmp(text, "\"k\":[", 5) && text[n - 1] == ']' &&
		       n - 6 == strlen(strings[i].want) &&
		       !memcmp(text + 5, strings[i].want, n - 6),
		       "json_%s", strings[i].name);
		free(text);
	}
}

/* ---- CSV */

static const struct {
	const char *name, *text, *want;
} fields[] = {
	{ "plain", "a b", "a b" },
	{ "empty", "", "" },
	{ "comma", "a,b", "\"a,b\"" },
	{ "quote", "a\"b", "\"a\"\"b\"" },
	{ "line_feed", "a\nb", "\"a\nb\"" },
	{ "carriage_return", "a\rb", "\"a\rb\"" },
	{ "carriage_return_at_the_end", "a\r", "\"a\r\"" },
};

static void csv(void)
{
	static const struct v9_col col = { "k", "k", V9_TEXT, false };
	char want[64], *text;
	size_t n;

	for (size_t i = 0; i < V9_ARRAY_SIZE(fields); i++) {
		struct v9_cell cell = { .set = true, .s = fields[i].text };
		const struct v9_table t = { .name = "t", .cols = &col, .nr_cols = 1, .nr_rows = 1,
					    .cells = &cell };
		struct v9_out o = { .f = open_memstream(&text, &n), .format = &v9_format_csv };

		v9_format_csv.table(&o, &t);
		fclose(o.f);
		snprintf(want, sizeof(want), "table,k\r\nt,%s\r\n", fields[i].want);
		tap_ok(!strcmp(text, want), "csv_%s", fields[i].name);
		free(text);
	}
}

/* ---- order */

static unsigned int ends;

static void mark(void *arg, const struct v9_text_mark *m)
{
	(void)arg;
	printf("<%u>", m->kind);
}

static void end(void *arg, void *own)
{
	(void)arg;
	(void)own;
	ends++;
}

/*
 * Pieces of one segment are in the order of their keys, whichever thread is first, pieces of equal
 * keys as they came. A segment waits for the ones before it.
 */
static const struct {
	const char *name;
	struct piece {
		uint8_t turn, key;
		bool through;
		const char *text;
	} piece[4][2];		/* texts in the order in which they are added */
	const char *want;
} orders[] = {
	{ "pieces_of_one_turn",
	  { { { 0, 3, false, "c" } }, { { 0, 1, false, "a" } }, { { 0, 2, true, "b" } },
	    { { 1, 0, true, "d" } } }, "cabd" },
	{ "waiting_pieces_by_key",
	  { { { 1, 3, true, "d" } }, { { 1, 1, false, "b" } }, { { 1, 2, false, "c" } },
	    { { 0, 0, true, "a" } } }, "abcd" },
	{ "equal_keys_as_they_came",
	  { { { 1, 1, false, "b" } }, { { 1, 1, false, "c" } }, { { 1, 1, true, "d" } },
	    { { 0, 9, true, "a" } } }, "abcd" },
	{ "end_before_begin",
	  { { { 1, 5, true, "c" } }, { { 0, 0, true, "a" }, { 1, 4, false, "b" } } }, "abc" },
	{ "turns_by_number",
	  { { { 2, 0, true, "c" } }, { { 1, 0, true, "b" } }, { { 0, 0, true, "a" } } }, "abc" },
};

static void order(void)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(orders); i++) {
		struct v9_order o = { .mark = mark, .end = end };
		char got[32] = "";
		int saved, pipes[2];
		unsigned int texts = 0;
		ssize_t n;

		if (pipe(pipes))
			abort();
		fflush(stdout);
		saved = dup(STDOUT_FILENO);
		dup2(pipes[1], STDOUT_FILENO);
		v9_order_init(&o, 3);
		ends = 0;
		for (unsigned int k = 0; k < 4 && orders[i].piece[k][0].text; k++) {
			struct v9_text *t = v9_text_new();

			for (unsigned int p = 0; p < 2 && orders[i].piece[k][p].text; p++) {
				const struct piece *piece = &orders[i].piece[k][p];

				v9_text_turn(t, piece->turn, piece->key);
				fputs(piece->text, v9_text_file(t));
				if (piece->through)
					v9_text_through(t);
			}
			v9_order_add(&o, t);
			texts++;
		}
		fflush(stdout);
		dup2(saved, STDOUT_FILENO);
		close(saved);
		close(pipes[1]);
		n = read(pipes[0], got, sizeof(got) - 1);
		close(pipes[0]);
		tap_ok(n >= 0 && !strcmp(got, orders[i].want) && ends == texts && !o.held,
		       "order_%s", orders[i].name);
		if (strcmp(got, orders[i].want))
			tap_note("got %s, want %s", got, orders[i].want);
		v9_order_free(&o);
	}
}

/* Widths by hand: an indent of 2 and gaps of 2; names are cut to 24, columns left out, names cut to 12. */
static const struct {
	const char *name;
	unsigned int terminal;
	size_t width[5];
} fits[] = {
	{ "no_terminal", 0, { 13, 40, 30, 5, 6 } },
	{ "terminal_of_that_width", 104, { 13, 40, 30, 5, 6 } },
	{ "widest_name_first", 98, { 13, 34, 30, 5, 6 } },
	{ "names_alike", 93, { 13, 29, 30, 5, 6 } },
	{ "names_stay_readable", 82, { 13, 24, 24, 5, 6 } },
	{ "first_column_left_out", 81, { 13, 27, 27, SIZE_MAX, 6 } },
	{ "second_column_left_out", 70, { 13, 25, 26, SIZE_MAX, SIZE_MAX } },
	{ "names_of_few_letters", 50, { 13, 15, 16, SIZE_MAX, SIZE_MAX } },
	{ "too_narrow", 20, { 13, 12, 12, SIZE_MAX, SIZE_MAX } },
};

static void narrow(void)
{
	static const struct v9_col cols[5] = {
		{ "count", "count", V9_COUNT, V9_CUT }, { "name", "name", V9_TEXT, V9_CUT },
		{ "object", "object", V9_TEXT, V9_CUT }, { "first", "first", V9_COUNT, V9_DROP(1) },
		{ "second", "second", V9_COUNT, V9_DROP(2) },
	};
	struct v9_cell cells[5] = {
		{ .set = true, .n = 1234567890 }, { .set = true, .s = "0123456789012345678901234567890123456789" },
		{ .set = true, .s = "012345678901234567890123456789" }, { .set = true, .n = 1 }, { .set = true, .n = 2 },
	};
	const struct v9_table t = { .name = "t", .cols = cols, .nr_cols = 5, .nr_rows = 1, .cells = cells };

	for (size_t i = 0; i < V9_ARRAY_SIZE(fits); i++) {
		const struct v9_out o = { .width = fits[i].terminal, .format = &v9_format_text };
		size_t width[5], bad = 0;

		v9_text_widths(&o, &t, width);
		for (size_t k = 0; k < 5; k++) {
			bad += width[k] != fits[i].width[k];
			if (width[k] != fits[i].width[k])
				tap_note("column %zu: got %zu, want %zu", k, width[k], fits[i].width[k]);
		}
		tap_eq(bad, 0, "%s", fits[i].name);
	}
}

int main(void)
{
	json();
	narrow();
	csv();
	order();
	return tap_done();
}
