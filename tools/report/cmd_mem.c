// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace mem: prints losses, then the time spent in loads and stores. */
#include <malloc.h>
#include <string.h>

#include "../commands.h"
#include "../stop.h"
#include "../util.h"
#include "kinds.h"
#include "mem.h"
#include "mem_types.h"

#define DEFAULT_LIMIT	20
#define DEFAULT_LINE	64
#define PARTS		64	/* of a cache line, at most: one bit each */
#define MOST_LINES	(1u << 19)	/* to keep at once: some tens of MB */
#define MOST_PASSES	4
#define LARGE		(1 << 20)	/* bytes: allocations that go back to the kernel when they are freed */

enum { OPT_BY = V9_OPT_OWN, OPT_TYPES, OPT_SORT, OPT_LIMIT, OPT_LINE, OPT_AT_ONCE, OPT_PASSES, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "by", required_argument, NULL, OPT_BY },
	{ "types", no_argument, NULL, OPT_TYPES },
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "line-size", required_argument, NULL, OPT_LINE },
	{ "at-once", required_argument, NULL, OPT_AT_ONCE },
	{ "passes", required_argument, NULL, OPT_PASSES },
	V9_FORMAT_OPTIONS,
	{ "no-color", no_argument, NULL, V9_OPT_NO_COLOR },
	{ "wide", no_argument, NULL, V9_OPT_WIDE },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace mem [OPTIONS] [FILE]\n"
	       "Shows what was lost, then what loads and stores of an SPE capture (default:\n"
	       V9_DEFAULT_CAPTURE ") met: where their data was, how long they took, which functions\n"
	       "and which data waited, which cache lines several threads use.\n"
	       "  --by LIST         only these: source, latency, symbol, data, line\n"
	       "  --types           only which types and fields of them, by debug information; with --by: too\n"
	       "  --sort KEY        order of each: cycles (default), samples, stores, misses, walks,\n"
	       "                    latency, issue, translation\n"
	       "  --limit N         that many rows of each (default %d); 0: all\n"
	       "  --line-size N     bytes of a cache line (default %d)\n"
	       "  --at-once N       keep so many cache lines in memory (default %d); if there are more,\n"
	       "                    the records are gone through again\n"
	       "  --passes N        go through them about so often (default %d); if that is not enough, lines\n"
	       "                    and pages whose counter of records is low are left out; 0: no limit\n"
	       V9_FORMAT_HELP
	       "  --wide            whole names and all columns, wider than the terminal\n"
	       V9_COMMON_HELP, DEFAULT_LIMIT, DEFAULT_LINE,
	       MOST_LINES, MOST_PASSES);
}

static bool parse_by(struct v9_mem *m, const char *list)
{
	static const char *const names[V9_MEM_BYS] = {
		"source", "latency", "symbol", "data", "line" };

	m->by = 0;
	while (*list) {
		const size_t n = strcspn(list, ",");
		unsigned int i;

		for (i = 0; i < V9_MEM_BYS; i++)
			if (strlen(names[i]) == n && !strncmp(list, names[i], n))
				break;
		if (i == V9_MEM_BYS) {
			v9_error("--by %.*s: source, latency, symbol, data or line", (int)n, list);
			return false;
		}
		m->by |= 1u << i;
		list += n + (list[n] == ',');
	}
	if (!m->by)
		v9_error("--by: source, latency, symbol, data or line");
	return m->by;
}

static bool parse_line(struct v9_mem *m, const char *arg)
{
	uint64_t n;

	if (!v9_parse_number("line-size", arg, 4096, &n))
		return false;
	if (n < 16 || n & (n - 1)) {
		v9_error("--line-size %s: a power of two from 16 to 4096", arg);
		return false;
	}
	m->line_shift = (unsigned int)__builtin_ctzll(n);
	m->part_shift = n > PARTS ? m->line_shift - (unsigned int)__builtin_ctzll(PARTS) : 0;
	return true;
}

int cmd_mem(int argc, char **argv)
{
	struct v9_mem_types types = { .at.used = 0 };
	struct v9_mem m = { .r.limit = DEFAULT_LIMIT, .by = (1u << V9_MEM_BYS) - 1,
			    .line_shift = __builtin_ctz(DEFAULT_LINE), .most_lines = MOST_LINES,
			    .most_passes = MOST_PASSES };
	int opt, status;
	bool good, chosen = false;

	v9_options_init(&m.r.o, argv, V9_TAKES_TABLES);
	m.r.o.syms.objects = true;
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT, longopts, NULL)) != -1) {
		good = true;
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == OPT_BY) {
			good = parse_by(&m, optarg);
			chosen = true;
		} else if (opt == OPT_TYPES) {
			m.types = &types;
		} else if (opt == OPT_SORT) {
			m.sort = v9_mem_sort_find(optarg);
			good = m.sort;
		} else if (opt == OPT_LIMIT) {
			good = v9_parse_number("limit", optarg, UINT32_MAX, &m.r.limit);
		} else if (opt == OPT_LINE) {
			good = parse_line(&m, optarg);
		} else if (opt == OPT_AT_ONCE) {
			good = v9_parse_number("at-once", optarg, UINT32_MAX, &m.most_lines);
			if (good && !m.most_lines) {
				v9_error("--at-once 0: at least one cache line has to be kept");
				good = false;
			}
		} else if (opt == OPT_PASSES) {
			good = v9_parse_number("passes", optarg, UINT32_MAX, &m.most_passes);
		} else {
			status = v9_options_take(&m.r.o, opt, optarg);
		}
		if (!good || status)
			return V9_EXIT_USAGE;
	}
	if (m.types && !chosen)
		m.by = 0;
	status = v9_options_file(&m.r.o, argc, argv);
	v9_stop_allow();
	/* The C library keeps memory of its heap that is free. Large allocations are mapped, and unmapped when freed. */
	mallopt(M_MMAP_THRESHOLD, LARGE);
	return status ? status : v9_report_run(&m.r, V9_SHOWS_MEM, v9_mem_report);
}
