// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace view: the tables of report and mem on a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../commands.h"
#include "../util.h"
#include "kinds.h"
#include "mem.h"
#include "self.h"
#include "view.h"

#define DEFAULT_LIMIT	1000
#define LINE_SHIFT	6	/* bytes of a cache line, log2 */
#define MOST_LINES	(1u << 19)	/* as v9trace mem */

static char **given;		/* the arguments of view */
static int nr_given;

/* Runs "v9trace annotate" with the arguments of view, for one function. Returns its success. */
static bool run_annotate(const char *symbol)
{
	char *option = v9_format("--symbol=%s", symbol);
	const char *const words[] = { option, NULL };
	const int status = v9_run_self("annotate", words, given + 1, nr_given - 1, -1);

	free(option);
	if (!status) {
		fputs("Enter: back to the tables", stdout);
		fflush(stdout);
		while (getchar() != '\n' && !feof(stdin))
			;
	}
	return !status;
}

static bool print(struct v9_report *r)
{
	struct v9_mem *m = (struct v9_mem *)r;
	bool any;

	v9_mem_init(m);
	any = v9_report_kinds(r);
	if (any && !v9_kinds[V9_KIND_SPE].absent(&r->s))
		v9_mem_print_beside(m);
	v9_mem_free(m);
	return any;
}

enum { OPT_LIMIT = V9_OPT_OWN, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace view [OPTIONS] [FILE]\n"
	       "Shows the tables of report and mem on a terminal (default: " V9_DEFAULT_CAPTURE ").\n"
	       "Keys: arrows, Page Up and Down: rows; Tab: the next table; Enter: zoom into a call, or all\n"
	       "that is known of a row; Backspace: back; / n N: search; s: sort by the next column;\n"
	       "a: v9trace annotate of the function; q: back, and in the end quit.\n"
	       "  --limit N         that many rows of each table (default %d); 0: all\n"
	       V9_COMMON_HELP, DEFAULT_LIMIT);
}

int cmd_view(int argc, char **argv)
{
	struct v9_mem m = { .r.limit = DEFAULT_LIMIT, .by = (1u << V9_MEM_BYS) - 1,
			    .line_shift = LINE_SHIFT, .most_lines = MOST_LINES };
	const struct v9_taker records = v9_mem_beside(&m);
	const struct v9_report_more more = { .records = &records };
	struct v9_report *r = &m.r;
	int opt, status;

	r->sort = v9_sort_find(NULL);
	r->more = &more;
	given = v9_alloc((size_t)argc * sizeof(*given));
	memcpy(given, argv, (size_t)argc * sizeof(*given));
	nr_given = argc;
	v9_options_init(&r->o, argv, V9_TAKES_TABLES);
	r->o.format = &v9_format_view;
	r->o.syms.objects = true;
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT, longopts, NULL)) != -1) {
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == OPT_LIMIT) {
			status = v9_parse_number("limit", optarg, UINT32_MAX, &r->limit) ?
				 0 : V9_EXIT_USAGE;
		} else {
			status = v9_options_take(&r->o, opt, optarg);
		}
		if (status)
			return status;
	}
	status = v9_options_file(&r->o, argc, argv);
	if (status)
		return status;
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
		v9_error("view needs a terminal: v9trace report and v9trace mem print the same tables");
		return v9_options_refuse(&r->o);
	}
	if (!v9_view_can_show())
		return V9_EXIT_FAILED;
	/* A call tree needs all that a thread executes. */
	r->calls = !(r->o.filter.used & V9_FILTER_OF_TRACE);
	v9_view_annotate = run_annotate;
	v9_view_title = r->o.path;
	status = v9_report_run(r, V9_SHOWS_TABLES, print);
	free(given);
	return status;
}
