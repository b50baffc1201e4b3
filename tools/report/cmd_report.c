// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace report: prints losses, then the time spent by function. */
#include <stdio.h>

#include "../commands.h"
#include "../stop.h"
#include "../util.h"
#include "joint_read.h"
#include "joint_tables.h"
#include "kinds.h"
#include "report.h"

#define DEFAULT_LIMIT	25

enum {
	OPT_SORT = V9_OPT_OWN, OPT_GROUP_BY, OPT_HISTOGRAM, OPT_RANGE, OPT_CALLS, OPT_CALLERS,
	OPT_CALLS_OF, OPT_WAITS, OPT_JOINT, OPT_MHZ, OPT_MOST, OPT_ERROR, OPT_LIMIT, OPT_HELP
};

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "group-by", required_argument, NULL, OPT_GROUP_BY },
	{ "histogram", optional_argument, NULL, OPT_HISTOGRAM },
	{ "range-size", required_argument, NULL, OPT_RANGE },
	{ "calls", no_argument, NULL, OPT_CALLS },
	{ "callers", no_argument, NULL, OPT_CALLERS },
	{ "calls-of", required_argument, NULL, OPT_CALLS_OF },
	{ "waits", no_argument, NULL, OPT_WAITS },
	{ "joint", no_argument, NULL, OPT_JOINT },
	{ "least-mhz", required_argument, NULL, OPT_MHZ },
	{ "most-mhz", required_argument, NULL, OPT_MOST },
	{ "stamp-error", required_argument, NULL, OPT_ERROR },
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
	       "an SPE capture, what was executed in an instruction trace, or the branches, blocks and\n"
	       "callers in branch stacks of samples (default: " V9_DEFAULT_CAPTURE ").\n"
	       "  --sort KEY        order of functions: samples, cycles, latency, issue,\n"
	       "                    translation, symbol, dso, comm\n"
	       "  --group-by LIST   in place of functions: sums by comm, pid, tid, cpu, socket, node,\n"
	       "                    el, dso, symbol, line, inlined, op, source, range (of data), data_node,\n"
	       "                    cgroup; by record --heap: alloc, alloc_line, alloc_size, block\n"
	       "  --histogram[=KEY] with --group-by: the distribution of a latency of each group: total,\n"
	       "                    issue, translation (without --group-by: by symbol)\n"
	       "  --range-size N    bytes of a range (default 4096)\n"
	       "  --calls           of an instruction trace: the call tree, too; of branch stacks: callers\n"
	       "  --callers         likewise from the bottom up: who called each function\n"
	       "  --calls-of FUNCTION\n"
	       "                    likewise only how long the calls of this function take, and the\n"
	       "                    longest ones\n"
	       "  --waits           only how long threads waited, asleep or for a CPU, by switch records;\n"
	       "                    with an instruction trace the path into each wait\n"
	       "  --joint           of a recording of SPE and ETE at once: the samples on the path that was\n"
	       "                    traced, latencies and events by function and call path; with\n"
	       "                    --calls-of: the samples inside the longest calls\n"
	       "  --least-mhz N     with --joint: lowest frequency of the CPUs (default %d): how long a\n"
	       "                    latency may take\n"
	       "  --most-mhz N      with --joint: highest frequency of the CPUs (default %d): how long cycles\n"
	       "                    that the trace counts take at least\n"
	       "  --stamp-error NS  with --joint: by how much a unit may stamp an instruction earlier or later\n"
	       "                    than it is executed (default %d)\n"
	       "  --limit N         that many functions (default %d); 0: all\n"
	       V9_FORMAT_HELP
	       "  --wide            whole names and all columns, wider than the terminal\n"
	       V9_COMMON_HELP, V9_JOINT_MHZ, V9_JOINT_MOST_MHZ, V9_JOINT_ERROR, DEFAULT_LIMIT);
}

static bool parse_range(struct v9_groups *g, const char *arg)
{
	if (!v9_parse_number("range-size", arg, UINT64_C(1) << 40, &g->range))
		return false;
	if (!g->range)
		v9_error("--range-size 0: at least one byte");
	return g->range;
}

/* Prints an error and returns false if options do not fit --joint. */
static bool joint_fits(struct v9_report *r)
{
	const char *other = r->calls ? "calls" : r->callers ? "callers" : r->waits ? "waits" :
			    r->groups.nr ? "group-by" : r->sorted ? "sort" : NULL;

	if (!r->joint)
		return v9_joint_unused(&r->machine);
	r->reads_shards = false;
	if (other)
		v9_error("--joint: not with --%s: it has tables of its own", other);
	else if (r->o.filter.used & V9_FILTER_OF_TRACE)
		v9_error("--joint: what a thread executes and what was sampled of it are compared as a whole: "
			 "not with --el, --dso, --symbol, --op, --event or --min-latency");
	return !other && !(r->o.filter.used & V9_FILTER_OF_TRACE) && v9_joint_agrees(&r->machine);
}

int cmd_report(int argc, char **argv)
{
	struct v9_report r = { .limit = DEFAULT_LIMIT, .reads_shards = true };
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
			r.limited = true;
		} else if (opt == OPT_GROUP_BY) {
			status = v9_groups_parse(&r.groups, optarg) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_HISTOGRAM) {
			status = v9_groups_histogram(&r.groups, optarg) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_RANGE) {
			status = parse_range(&r.groups, optarg) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_CALLS) {
			r.calls = true;
		} else if (opt == OPT_CALLERS) {
			r.callers = true;
		} else if (opt == OPT_CALLS_OF) {
			r.calls_of = optarg;
		} else if (opt == OPT_WAITS) {
			r.waits = true;
		} else if (opt == OPT_JOINT) {
			r.joint = true;
		} else if (opt == OPT_MHZ) {
			status = v9_joint_parse("least-mhz", optarg, &r.machine.least_mhz) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_MOST) {
			status = v9_joint_parse("most-mhz", optarg, &r.machine.most_mhz) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_ERROR) {
			status = v9_joint_parse("stamp-error", optarg, &r.machine.stamp_error) ? 0 : V9_EXIT_USAGE;
		} else {
			status = v9_options_take(&r.o, opt, optarg);
		}
		if (status)
			return status;
	}
	if (r.groups.histogram && !r.groups.nr)
		v9_groups_parse(&r.groups, "symbol");
	if (!joint_fits(&r))
		return v9_options_refuse(&r.o);
	if (v9_rep_wants_tree(&r) && r.o.filter.used & V9_FILTER_OF_TRACE) {
		v9_error("--%s: a call tree needs all that a thread executes: not with --el, --dso, "
			 "--symbol or options of SPE",
			 r.calls ? "calls" : r.callers ? "callers" : r.waits ? "waits" : "calls-of");
		return v9_options_refuse(&r.o);
	}
	status = v9_options_file(&r.o, argc, argv);
	if (status)
		return status;
	if (r.joint)
		return v9_report_run(&r, 0, v9_report_joint);
	/* Waits come from switches, all of which are read before. */
	if (!r.waits)
		v9_stop_allow();
	return v9_report_run(&r, V9_SHOWS_TABLES, v9_report_kinds);
}
