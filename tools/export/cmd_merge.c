// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace merge: sums of captures and shards as one shard. */
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../capture/part.h"
#include "../commands.h"
#include "../report/kinds.h"
#include "to_shard.h"

enum { OPT_PART = V9_OPT_OWN, OPT_FLAT, OPT_HELP };

static const struct option longopts[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "part", required_argument, NULL, OPT_PART },
	{ "flat", no_argument, NULL, OPT_FLAT },
	{ "symfs", required_argument, NULL, V9_OPT_SYMFS },
	{ "debug-dir", required_argument, NULL, V9_OPT_DEBUG_DIR },
	{ "kallsyms", required_argument, NULL, V9_OPT_KALLSYMS },
	{ "vmlinux", required_argument, NULL, V9_OPT_VMLINUX },
	{ "kcore", required_argument, NULL, V9_OPT_KCORE },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace merge -o SHARD [OPTIONS] FILE...\n"
	       "Adds up captures and shards. A shard has sums by build-id, place, event and CPU type:\n"
	       "SPE records, branches, call paths, and what was lost. Of equal files in any order and\n"
	       "in any number of steps each byte of the result is the same. v9trace report, export and\n"
	       "fdo read it.\n"
	       "  -o, --output FILE write there; - is standard output\n"
	       "  --part K/N        of one capture: part K of N, which another machine can make. The\n"
	       "                    sum of all parts is that of the capture\n"
	       "  --flat            without call paths of a trace of instructions\n"
	       "  --symfs DIR       look for the recorded files below DIR\n"
	       "  --debug-dir DIR   look for files by build-id in DIR/.build-id (as in ~/.debug),\n"
	       "                    or in an archive of 'v9trace archive'\n"
	       "  --kallsyms FILE   kernel symbols from a copy of /proc/kallsyms; default: the capture's,\n"
	       "                    or this machine's if it runs the recorded kernel\n"
	       "  --vmlinux FILE    kernel symbols, and code to follow a trace, from this file\n"
	       "  --kcore FILE      kernel code from a copy of /proc/kcore, as it ran\n"
	       "  -h, --help        this\n");
}

struct merge {
	struct v9_export x;
	struct v9_shard shard;
	struct v9_shard_sink sink;
	unsigned int part, parts;	/* 0: no part */
};

static bool parse_part(struct merge *m, const char *arg)
{
	const char *s = arg;
	uint64_t part, parts;

	if (!v9_take_number(&s, 10, V9_PARTS_MOST, &part) || *s++ != '/' ||
	    !v9_take_number(&s, 10, V9_PARTS_MOST, &parts) || *s || !part || part > parts) {
		v9_error("--part %s: K/N, part K of N, such as 1/4", arg);
		return false;
	}
	m->part = (unsigned int)part;
	m->parts = (unsigned int)parts;
	return true;
}

/* Returns V9_EXIT_OK, -1 after the help, or another status after an error message. */
static int parse(struct merge *m, int argc, char **argv)
{
	struct v9_export *x = &m->x;
	int opt, status = V9_EXIT_OK;

	memset(&x->r, 0, sizeof(x->r));
	v9_options_init(&x->r.o, argv, V9_TAKES_TABLES);
	x->r.o.format = &v9_export_losses;
	optind = 1;
	while (!status && (opt = getopt_long(argc, argv, "ho:", longopts, NULL)) != -1) {
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return -1;
		} else if (opt == 'o') {
			x->path = optarg;
		} else if (opt == OPT_PART) {
			status = parse_part(m, optarg) ? V9_EXIT_OK : V9_EXIT_USAGE;
		} else if (opt == OPT_FLAT) {
			m->sink.flat = true;
		} else {
			status = v9_options_take(&x->r.o, opt, optarg);
		}
	}
	return status;
}

static struct merge *merge_of(struct v9_report *r)
{
	return (struct merge *)((char *)r - offsetof(struct merge, x.r));
}

/* Adds a capture. A part of it may hold nothing. */
static bool add_capture(struct v9_report *r)
{
	struct merge *m = merge_of(r);
	struct v9_export *x = &m->x;
	const char *why = m->parts > 1 ? v9_session_part(&r->s, m->part, m->parts) : NULL;

	if (why) {
		v9_error("--part %u/%u: %s %s", m->part, m->parts, r->o.path, why);
		x->failed = true;
	}
	if (x->failed || !x->sink->begin(x))
		return false;
	v9_for_each_present(k, &r->s) {
		x->kinds++;
		if (!k->feed(x) && !r->refused && m->parts < 2)
			v9_warn("%s holds no %s", r->o.path, k->item);
	}
	why = v9_session_part_torn(&r->s);
	if (why && !x->failed) {
		v9_error("--part %u/%u: %s %s: merge it as a whole", m->part, m->parts, r->o.path, why);
		x->failed = true;
	}
	return !x->failed;
}

/* Returns an exit status. After V9_EXIT_FAILED without x.failed the sums are there, but not all. */
static int add(struct merge *m, const char *path)
{
	struct v9_export *x = &m->x;
	int status;

	if (v9_shard_is(path)) {
		if (m->parts) {
			v9_error("--part %u/%u: %s is a shard: only a capture has parts", m->part, m->parts,
				 path);
			x->failed = true;
			return V9_EXIT_USAGE;
		}
		x->failed = !v9_shard_read(&m->shard, path);
		return x->failed ? V9_EXIT_FAILED : V9_EXIT_OK;
	}
	x->r.o.path = path;
	x->kinds = 0;
	status = v9_report_run(&x->r, V9_SHOWS_TABLES, add_capture);
	v9_shard_sink_clear(&m->sink);
	/* Without any kind of trace it could not be opened. */
	x->failed |= !x->kinds;
	return x->failed && !status ? V9_EXIT_FAILED : status;
}

static int run(struct merge *m, int argc, char **argv)
{
	const char *const path = strcmp(m->x.path, "-") ? m->x.path : NULL;
	const int first = optind;
	struct v9_export *x = &m->x;
	int status = V9_EXIT_OK;

	x->sink = m->sink.flat ? &v9_sink_shard_flat : &v9_sink_shard;
	x->state = &m->sink;
	for (int i = first; i < argc && !x->failed; i++) {
		int one;

		/* v9_report_run() has freed the options. */
		if (i > first)
			parse(m, argc, argv);
		x->path = path;
		one = add(m, argv[i]);
		if (one)
			status = one;
	}
	x->path = path;
	if (!x->failed && !v9_export_open(x))
		x->failed = true;
	if (x->failed)
		return status ? status : V9_EXIT_FAILED;
	v9_shard_resolve(&m->shard);
	v9_shard_write(&m->shard, x->f);
	return v9_export_close(x) ? status : V9_EXIT_FAILED;
}

static int check(const struct merge *m, int argc)
{
	if (!m->x.path)
		v9_error("merge: where to? -o SHARD");
	else if (optind == argc)
		v9_error("merge: of which captures and shards?");
	else if (m->parts && optind + 1 < argc)
		v9_error("--part %u/%u: of one capture", m->part, m->parts);
	else
		return V9_EXIT_OK;
	return V9_EXIT_USAGE;
}

int cmd_merge(int argc, char **argv)
{
	struct merge m = { .part = 0 };
	int status;

	v9_shard_init(&m.shard);
	m.sink.shard = &m.shard;
	status = parse(&m, argc, argv);
	if (!status)
		status = check(&m, argc);
	if (!status)
		status = run(&m, argc, argv);
	v9_shard_free(&m.shard);
	return status < 0 ? V9_EXIT_OK : status;
}
