// SPDX-License-Identifier: GPL-2.0-only
/* Texts of flame graphs: what XML has no character for, and names that are cut to the width of their box. */
#define _GNU_SOURCE
#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/export/to_svg.c"

/* What other functions of to_svg.c need */
const struct v9_weight_row v9_weights[V9_WEIGHTS] = { [0 ... V9_WEIGHTS - 1] = { .name = "" } };

const char *v9_loss_text(char *room, size_t size, const struct v9_loss *l)
{
	(void)size;
	(void)l;
	return room;
}

const char *v9_thread_name(char *room, size_t size, const char *comm, uint32_t tid)
{
	(void)size;
	(void)comm;
	(void)tid;
	return room;
}

#define ALL	1000

static const struct {
	const char *text;
	size_t most;
	const char *want;
} rows[] = {
	{ "", 3, "" },
	{ "a<b>&\"'", ALL, "a&lt;b&gt;&amp;&quot;'" },
	{ "\x1f \x7f~\n", ALL, "? ?~?" },
	/* U+FFFD, and U+FFFE and U+FFFF, which XML does not have */
	{ "\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf.", ALL, "\xef\xbf\xbd??." },
	{ "\xc3\xa4\xff\xe2\x82\xac\xe2\x82", ALL, "\xc3\xa4?\xe2\x82\xac??" },
	{ "\xf0\x9f\x98\x80", ALL, "\xf0\x9f\x98\x80" },
	{ "abcdef", 6, "abcdef" },
	{ "abcdefg", 6, "abcd.." },
	{ "abcdefg", 3, "a.." },
	{ "abc", 2, ".." },
	{ "\xc3\xa4\xc3\xb6\xc3\xbc", 3, "\xc3\xa4\xc3\xb6\xc3\xbc" },
	{ "\xc3\xa4\xc3\xb6\xc3\xbc" "de", 4, "\xc3\xa4\xc3\xb6.." },
	{ "\xff\xff\xff\xff", 3, "?.." },
};

int main(void)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		char *got;
		size_t n;
		FILE *f = open_memstream(&got, &n);

		put_cut(f, rows[i].text, rows[i].most);
		fclose(f);
		if (!tap_ok(!strcmp(got, rows[i].want), "text_%zu", i))
			tap_note("%s", got);
		free(got);
	}
	return tap_done();
}
