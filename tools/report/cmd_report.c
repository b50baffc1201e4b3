// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace report: prints losses, then the time spent by function. */
#include <stdio.h>

#include "../commands.h"
#include "../util.h"
#include "kinds.h"
#include "report.h"

#define DEFAULT_LIMIT	25

enum { OPT_SORT = V9_OPT_OWN, OPT_GROUP_BY, OPT_CALLS, OPT_LIMIT, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "group-by", required_argument, NULL, OPT_GROUP_BY },
	{ "calls", no_argument, NULL, OPT_CALLS },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	V9_FORMAT_OPTIONS,
	{ "no-color", no_argument, NULL, V9_OPT_NO_COLOR },
	{ "wide", no_argument, NULL, V9_OPT_WIDE },
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
	       "  --group-by LIST   in place of functions: sums by comm, pid, tid, cpu, socket, node,\n"
	       "                    el, dso, symbol, op\n"
	       "  --calls           of an instruction trace: the call tree, too\n"
	       "  --limit N         that many functions (default %d); 0: all\n"
	       "  --json, --csv     for programs instead of people; --format text, json, csv is the same\n"
	       "  --no-color        no colours on a terminal\n"
	       "  --wide            whole names and all columns, wider than the terminal\n"
	       V9_COMMON_HELP, DEFAULT_LIMIT);
}

int cmd_report(int argc, char **argv)
{
	struct v9_report r = { .limit = DEFAULT_LIMIT };
	int opt, status;

	r.sort = v9_sort_find(NULL);
	v9_options_init(&r.o, argv, V9_TAKES_TABLES);
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT, longopts, NULL)) != -1) {
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == OPT_SORT) {
			r.sort = v9_sort_find(optarg);
			r.sorted = true;
			status = r.sort ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_LIMIT) {
			status = v9_parse_number("limit", optarg, UINT32_MAX, &r.limit) ?
				 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_GROUP_BY) {
			status = v9_groups_parse(&r.groups, optarg) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_CALLS) {
			r.calls = true;
		} else {
			status = v9_options_take(&r.o, opt, optarg);
		}
		if (status)
			return status;
	}
	if (r.calls && r.o.filter.used & V9_FILTER_OF_TRACE) {
		v9_error("--calls: a call tree needs all that a thread executes: not with --el, --dso, "
			 "--symbol or options of SPE");
		return V9_EXIT_USAGE;
	}
	status = v9_options_file(&r.o, argc, argv);
	return status ? status : v9_report_run(&r, V9_SHOWS_TABLES, v9_report_kinds);
}
