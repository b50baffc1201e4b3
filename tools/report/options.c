// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../capture/twin.h"
#include "../util.h"
#include "kinds.h"
#include "shard.h"

#define THREADS_DEFAULT	16	/* more threads are rarely faster */
#define THREADS_MOST	1024

/* Number of CPUs in the affinity mask, at most THREADS_DEFAULT. */
static unsigned int cpus(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return n < THREADS_DEFAULT ? (unsigned int)n : THREADS_DEFAULT;
}

static void tell_waiting(const char *path)
{
	v9_warn("%s is a pipe that nobody writes to yet: waiting", path);
}

void v9_options_init(struct v9_options *o, char **argv, unsigned int makes)
{
	static char name[] = "v9trace";

	pd_waiting = tell_waiting;
	argv[0] = name;		/* the prefix of messages from getopt_long() */
	optind = 1;
	*o = (struct v9_options){
		.path = V9_DEFAULT_CAPTURE,
		.threads = cpus(),
		.makes = makes,
		.format = &v9_format_text,
	};
}

bool v9_parse_number(const char *option, const char *arg, uint64_t max, uint64_t *out)
{
	char *end;

	errno = 0;
	*out = strtoull(arg, &end, 0);
	if (!errno && end != arg && !*end && arg[0] != '-' && *out <= max)
		return true;
	v9_error("--%s %s: not a number from 0 to %" PRIu64, option, arg, max);
	return false;
}

/* Parses "THREADS" or "THREADS,BYTES"; BYTES is the size of a piece of trace. */
static bool parse_jobs(struct v9_options *o, const char *arg)
{
	const char *comma = strchr(arg, ',');
	char *count = v9_strdup(arg);
	uint64_t n = 0;
	bool good;

	if (comma)
		count[comma - arg] = '\0';
	good = v9_parse_number("jobs", count, THREADS_MOST, &n) &&
	       (!comma || v9_parse_number("jobs", comma + 1, UINT32_MAX, &o->grain));
	free(count);
	if (good && !n)
		v9_error("--jobs 0: at least one must work");
	o->threads = (unsigned int)n;
	return good && n;
}

int v9_options_take(struct v9_options *o, int opt, const char *arg)
{
	bool good = true;

	switch (opt) {
	case V9_OPT_FILTER ... V9_OPT_FILTER + V9_BY_KEYS - 1:
		good = v9_filter_take(&o->filter, opt - V9_OPT_FILTER, arg);
		break;
	case V9_OPT_SYMFS:
		o->syms.symfs = arg;
		break;
	case V9_OPT_DEBUG_DIR:
		o->syms.debug_dir = arg;
		break;
	case V9_OPT_VMLINUX:
		o->syms.vmlinux = arg;
		break;
	case V9_OPT_KALLSYMS:
		o->syms.kallsyms = arg;
		break;
	case V9_OPT_KCORE:
		o->syms.kcore = arg;
		break;
	case V9_OPT_NO_DEMANGLE:
		o->syms.raw_names = true;
		break;
	case 'i':
		o->path = arg;
		o->named = true;
		break;
	case 'j':
	case V9_OPT_JOBS:
		good = parse_jobs(o, arg);
		break;
	case V9_OPT_JSON:
	case V9_OPT_CSV:
		arg = opt == V9_OPT_JSON ? "json" : "csv";
		/* fall through */
	case V9_OPT_FORMAT:
		o->format = v9_format_find(arg, o->makes);
		good = o->format;
		break;
	case V9_OPT_NO_COLOR:
		o->no_color = true;
		break;
	case V9_OPT_WIDE:
		o->wide = true;
		break;
	default:		/* getopt_long() has printed an error */
		good = false;
	}
	return good ? 0 : v9_options_refuse(o);
}

int v9_options_refuse(struct v9_options *o)
{
	v9_filter_free(&o->filter);
	return V9_EXIT_USAGE;
}

int v9_options_file(struct v9_options *o, int argc, char **argv)
{
	if (optind < argc && !o->named)
		o->path = argv[optind++];
	if (optind < argc) {
		v9_error("one capture at a time: what is '%s'?", argv[optind]);
		return V9_EXIT_USAGE;
	}
	return 0;
}

/* Returns false after an error if a file that an option names cannot be read. */
static bool check_files(const struct v9_options *o)
{
	const struct { const char *option, *path; } files[] = {
		{ "symfs", o->syms.symfs }, { "debug-dir", o->syms.debug_dir },
		{ "vmlinux", o->syms.vmlinux }, { "kallsyms", o->syms.kallsyms },
		{ "kcore", o->syms.kcore },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(files); i++)
		if (files[i].path && access(files[i].path, R_OK)) {
			v9_error("--%s %s: %s", files[i].option, files[i].path, strerror(errno));
			return false;
		}
	return true;
}

int v9_capture_open(struct v9_session *s, struct v9_options *o, unsigned int shows)
{
	const char *why;

	if (!check_files(o))
		return V9_EXIT_FAILED;
	if (v9_shard_is(o->path)) {
		v9_error("%s is a shard: it has sums, which v9trace report, export and fdo read", o->path);
		return V9_EXIT_FAILED;
	}
	if (v9_session_open(s, o->path, &o->syms)) {
		v9_error("%s %s", o->path, s->file.err);
		return V9_EXIT_FAILED;
	}
	v9_filter_open(&o->filter, s);
	if (s->twin_why)
		v9_warn("%s has the %s half of a recording alone: %s", o->path,
			v9_twin_unit(s->file.half.unit), s->twin_why);
	why = shows ? v9_kinds_absent(s, shows) : NULL;
	if (why && s->status)
		v9_error("%s %s", o->path, s->broken[0] ? s->broken : "ends early");
	else if (why)
		v9_error("%s %s", o->path, why);
	return why ? V9_EXIT_FAILED : V9_EXIT_OK;
}

static void warn_unfinished(const struct pd_file *f, const char *path)
{
	if (f->unfinished)
		v9_warn("%s was not finished by its recorder: read to its end%s", path,
			f->no_sections ? ", names of events and build-ids are missing" : "");
	else if (f->no_sections)
		v9_warn("%s lacks sections at its end: build-ids or event names are missing", path);
}

int v9_capture_status(const struct v9_session *s, const char *path, bool printed)
{
	if (s->stopped)
		v9_warn("interrupted: the report is of what was read until then");
	if (s->status == -EBADMSG) {
		v9_error("%s %s; what comes before is read", path, s->broken);
		return V9_EXIT_FAILED;
	}
	if (s->status)
		v9_warn("%s %s: it is cut short%s", path,
			s->broken[0] ? s->broken : "ends with a whole record, but too early",
			s->file.no_sections ? ", names of events and build-ids are missing" : "");
	else
		warn_unfinished(&s->file, path);
	if (!s->status && s->twin_path)
		warn_unfinished(&s->twin, s->twin_path);
	/* Fail also if the file is cut short: scripts must be able to detect it. */
	return printed && !s->status && !s->stopped ? V9_EXIT_OK : V9_EXIT_FAILED;
}
