// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "kinds.h"

#define THREADS_DEFAULT	16	/* more threads are rarely faster */
#define THREADS_MOST	1024

/* Number of CPUs in the affinity mask, at most THREADS_DEFAULT. */
static unsigned int cpus(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return n < THREADS_DEFAULT ? (unsigned int)n : THREADS_DEFAULT;
}

void v9_options_init(struct v9_options *o, char **argv, unsigned int makes)
{
	static char name[] = "v9trace";

	argv[0] = name;		/* the prefix of messages from getopt_long() */
	optind = 1;
	*o = (struct v9_options){
		.path = V9_DEFAULT_CAPTURE,
		.threads = cpus(),
		.makes = makes,
		.format = &v9_format_text,
		.filter = { .pid = V9_NO_TASK, .tid = V9_NO_TASK, .cpu = V9_NO_TASK,
			    .to = UINT64_MAX, .any_time = true, .any = true },
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

/* Converts seconds, such as "12.5", to ns. An empty string leaves *ns unchanged. */
static bool parse_seconds(const char *s, size_t n, uint64_t *ns)
{
	uint64_t v = 0, digits = 0;
	bool point = false;

	if (!n)
		return true;
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (s[i] < '0' || s[i] > '9' || v > UINT64_MAX / 100)
			return false;
		if (point && digits++ >= 9)
			continue;
		v = v * 10 + (uint64_t)(s[i] - '0');
	}
	for (; digits < 9; digits++) {
		if (v > UINT64_MAX / 10)
			return false;
		v *= 10;
	}
	*ns = v;
	return true;
}

static bool parse_time(struct v9_sample_filter *f, const char *arg)
{
	const char *comma = strchr(arg, ',');

	if (comma && parse_seconds(arg, (size_t)(comma - arg), &f->from) &&
	    parse_seconds(comma + 1, strlen(comma + 1), &f->to) && f->from < f->to) {
		f->any_time = false;
		return true;
	}
	v9_error("--time %s: give FROM,TO in seconds, such as 12.5,13 or 12.5,", arg);
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
	const uint64_t max = V9_NO_TASK - 1;
	uint64_t n = 0;
	bool good = true;

	if (opt >= V9_OPT_COMM && opt <= V9_OPT_TIME)
		o->filter.any = false;
	switch (opt) {
	case V9_OPT_COMM:
		o->filter.comm = arg;
		break;
	case V9_OPT_PID:
		good = v9_parse_number("pid", arg, max, &n);
		o->filter.pid = (uint32_t)n;
		break;
	case V9_OPT_TID:
		good = v9_parse_number("tid", arg, max, &n);
		o->filter.tid = (uint32_t)n;
		break;
	case V9_OPT_CPU:
		good = v9_parse_number("cpu", arg, max, &n);
		o->filter.cpu = (uint32_t)n;
		break;
	case V9_OPT_TIME:
		good = parse_time(&o->filter, arg);
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
	default:		/* getopt_long() has printed an error */
		good = false;
	}
	return good ? 0 : V9_EXIT_USAGE;
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

bool v9_sample_filter_pass(const struct v9_sample_filter *f, const struct v9_sampled *s)
{
	if (f->cpu != V9_NO_TASK && s->cpu != f->cpu)
		return false;
	if (f->pid != V9_NO_TASK && s->pid != f->pid)
		return false;
	if (f->tid != V9_NO_TASK && s->tid != f->tid)
		return false;
	if (f->comm && (!s->comm || strcmp(s->comm, f->comm)))
		return false;
	return f->any_time || (s->has_time && s->time >= f->from && s->time < f->to);
}

int v9_capture_open(struct v9_session *s, const struct v9_options *o, unsigned int shows)
{
	const char *why;

	if (v9_session_open(s, o->path, &o->syms)) {
		v9_error("%s %s", o->path, s->file.err);
		return V9_EXIT_FAILED;
	}
	why = shows ? v9_kinds_absent(s, shows) : NULL;
	if (why && s->status)
		v9_error("%s %s", o->path, s->broken[0] ? s->broken : "ends early");
	else if (why)
		v9_error("%s %s", o->path, why);
	return why ? V9_EXIT_FAILED : V9_EXIT_OK;
}

int v9_capture_status(const struct v9_session *s, const char *path, bool printed)
{
	if (s->status == -EBADMSG) {
		v9_error("%s %s; what comes before is read", path, s->broken);
		return V9_EXIT_FAILED;
	}
	if (s->status)
		v9_warn("%s %s: it is cut short%s", path,
			s->broken[0] ? s->broken : "ends with a whole record, but too early",
			s->file.no_sections ? ", names of events and build-ids are missing" : "");
	else if (s->file.unfinished)
		v9_warn("%s was not finished by its recorder: read to its end%s", path,
			s->file.no_sections ? ", names of events and build-ids are missing" : "");
	else if (s->file.no_sections)
		v9_warn("%s lacks sections at its end: build-ids or event names are missing", path);
	/* Fail also if the file is cut short: scripts must be able to detect it. */
	return printed && !s->status ? V9_EXIT_OK : V9_EXIT_FAILED;
}
