// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace report: prints losses, then the time spent by function. */
#include <errno.h>
#include <string.h>

#include "../commands.h"
#include "../util.h"
#include "kinds.h"
#include "report.h"

#define DEFAULT_LIMIT	25

static int run(struct v9_report *r)
{
	int status = v9_capture_open(&r->s, &r->o, V9_SHOWS_TABLES);
	unsigned int present = 0;
	bool any = false;

	if (status)
		return status;
	v9_for_each_present(k, &r->s)
		present++;
	r->out.format->begin(&r->out);
	v9_for_each_present(k, &r->s) {
		r->part = present > 1 ? k : NULL;
		if (k->report(r))
			any = true;
		else
			v9_kind_empty(k, &r->s, r->o.path);
	}
	r->part = NULL;
	v9_rep_nameless(r);
	r->out.format->end(&r->out);
	return v9_capture_status(&r->s, r->o.path, any);
}

enum { OPT_SORT = V9_OPT_OWN, OPT_CALLS, OPT_LIMIT, OPT_JSON, OPT_CSV, OPT_FORMAT, OPT_NO_COLOR, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "calls", no_argument, NULL, OPT_CALLS },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "csv", no_argument, NULL, OPT_CSV },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "no-color", no_argument, NULL, OPT_NO_COLOR },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace report [OPTIONS] [FILE]\n"
	       "Shows what was lost, then the hottest functions, latencies, operations and events of\n"
	       "an SPE capture, or what was executed in an instruction trace (default: "
	       V9_DEFAULT_CAPTURE ").\n"
	       "  --sort KEY        order of functions: samples, cycles, latency, issue,\n"
	       "                    translation, symbol, dso, comm\n"
	       "  --calls           of an instruction trace: the call tree, too\n"
	       "  --limit N         that many functions (default %d); 0: all\n"
	       "  --json, --csv     for programs instead of people; --format text, json, csv is the same\n"
	       "  --no-color        no colours on a terminal\n"
	       V9_COMMON_HELP, DEFAULT_LIMIT);
}

int cmd_report(int argc, char **argv)
{
	struct v9_report r = { .limit = DEFAULT_LIMIT };
	const struct v9_format *format = &v9_format_text;
	bool color = true;
	int opt, status;

	r.sort = v9_sort_find(NULL);
	v9_options_init(&r.o, argv);
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT, longopts, NULL)) != -1) {
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == OPT_SORT) {
			r.sort = v9_sort_find(optarg);
			status = r.sort ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_LIMIT) {
			status = v9_parse_number("limit", optarg, UINT32_MAX, &r.limit) ?
				 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_CALLS) {
			r.calls = true;
		} else if (opt == OPT_JSON) {
			format = &v9_format_json;
		} else if (opt == OPT_CSV) {
			format = &v9_format_csv;
		} else if (opt == OPT_FORMAT) {
			format = v9_format_find(optarg);
			if (!format)
				v9_error("--format %s: text, json or csv", optarg);
			status = format ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_NO_COLOR) {
			color = false;
		} else {
			status = v9_options_take(&r.o, opt, optarg);
		}
		if (status)
			return status;
	}
	status = v9_options_file(&r.o, argc, argv);
	if (status)
		return status;
	v9_out_init(&r.out, format, color);
	status = run(&r);
	v9_session_close(&r.s);
	v9_strtab_free(&r.text);
	if (fflush(stdout) || ferror(stdout)) {
		v9_error("cannot write the report: %s", strerror(errno));
		return V9_EXIT_FAILED;
	}
	return status;
}
