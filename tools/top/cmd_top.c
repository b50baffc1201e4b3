// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace top: sums of SPE records of what runs now, on a terminal. */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../capture/strtab.h"
#include "../collect/record.h"
#include "../commands.h"
#include "../pager.h"
#include "../report/options.h"
#include "../report/view.h"
#include "../util.h"
#include "attach.h"
#include "top.h"

#define DELAY	2		/* seconds */
#define LIMIT	40		/* rows of --batch */

static const char usage[] =
	"usage: v9trace top [OPTION]... [-a | -C CPUS | -p PIDS | -t TIDS | [--] COMMAND [ARG]...]\n"
	"\n"
	"Shows which functions, lines, objects, data, data sources or latencies have most SPE samples now.\n"
	"Without a terminal, as with --batch. Default: all CPUs; the sums of a recorder of profiles if one runs.\n"
	"\n"
	"  -a, --all-cpus      all CPUs\n"
	"  -C, --cpu CPUS      these CPUs, such as 0,2-3\n"
	"  -p, --pid PIDS      processes that run, such as 12,34, with threads and later children\n"
	"  -t, --tid TIDS      threads\n"
	"      --attach[=PATH] the sums of a recorder of profiles: the first one found, or that with this socket\n"
	"                      or directory\n"
	"  -e, --event EVENT   arm_spe_0/OPTION=VALUE,.../; repeatable; default each arm_spe_<n>//\n"
	"  -c, --count N       sample one in N operations\n"
	"  -m, --mmap-pages [DATA][,AUX]\n"
	"                      buffers per CPU, as v9trace record\n"
	"      --memory SIZE   memory for what is added up and shown; default 64M\n"
	"      --by WHAT       rows: function (default), line, object, data, source, latency\n"
	"      --mem           samples by cache line of the data, too, so that 'data' can be chosen later\n"
	"      --sort WHAT     order: samples (default), latency, average, l1, llc, tlb, branch\n"
	"      --filter TEXT   only rows with this text in their name or object\n"
	"  -d, --delay SEC     time between two looks; default 2\n"
	"      --duration SEC  stop after so many seconds\n"
	"  -b, --batch         print the rows again and again, without a screen\n"
	"  -n, --iterations N  with it: so many times\n"
	"      --limit N       with it: so many rows; default 40; 0: all\n"
	"      --json          with it: a line of JSON each time\n"
	"      --symfs DIR     look for objects below DIR\n"
	"  -h, --help          this\n"
	"\n"
	"Keys: q quit; arrows, Page Up and Down: rows; Left, Right, Tab: other rows (--by); s S: order;\n"
	"P T A M: order by samples, latency, average, L1 misses; / filter; z zero; space: pause; d delay; h help.\n"
	"\n"
	"Exit status: 0 it ran until COMMAND, its time or the user ended it; 1 it failed;\n"
	"2 this command line is wrong; 126, 127 COMMAND cannot be run, is not found.\n";

enum { OPT_MEMORY = 256, OPT_BY, OPT_MEM, OPT_SORT, OPT_FILTER, OPT_DURATION, OPT_LIMIT, OPT_JSON, OPT_SYMFS,
       OPT_ATTACH };

static const struct option longs[] = {
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "attach", optional_argument, NULL, OPT_ATTACH },
	{ "event", required_argument, NULL, 'e' },
	{ "count", required_argument, NULL, 'c' },
	{ "mmap-pages", required_argument, NULL, 'm' },
	{ "memory", required_argument, NULL, OPT_MEMORY },
	{ "by", required_argument, NULL, OPT_BY },
	{ "mem", no_argument, NULL, OPT_MEM },
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "filter", required_argument, NULL, OPT_FILTER },
	{ "delay", required_argument, NULL, 'd' },
	{ "duration", required_argument, NULL, OPT_DURATION },
	{ "batch", no_argument, NULL, 'b' },
	{ "iterations", required_argument, NULL, 'n' },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "symfs", required_argument, NULL, OPT_SYMFS },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

struct top {
	struct v9_top t;
	char **args;			/* of v9trace record */
	size_t nr_args;
	const char *records;		/* an option that is for a recording alone; NULL: none was given */
	char *target;
	bool targeted;			/* by an option */
	bool iterates;
	bool attaches;			/* --attach */
	struct v9_attach attach;
	char *duration;			/* --duration */
};

static void give(struct top *o, char *arg)
{
	*v9_vec_add(o->args, o->nr_args) = arg;
}

static void give_option(struct top *o, const char *option, char *value)
{
	o->records = option;
	give(o, (char *)option);
	if (value)
		give(o, value);
}

static void set_target(struct top *o, const char *what, const char *which)
{
	free(o->target);
	o->target = v9_format("%s%s", what, which ? which : "");
	o->targeted = true;
}

static bool take_name(const char *option, const char *const *names, size_t n, const char *arg, unsigned int *to)
{
	char room[128];

	*to = (unsigned int)v9_top_find(names, n, arg);
	if (*to < n)
		return true;
	v9_error("%s %s: wanted is %s", option, arg, v9_one_of(room, sizeof(room), names, n));
	return false;
}

static bool take_delay(const char *arg, double *to)
{
	if (v9_top_parse_delay(arg, to))
		return true;
	v9_error("-d %s: wanted are seconds from 0.1 to 86400", arg);
	return false;
}

/* Returns false after an error message. */
static bool take_option(struct top *o, int opt, char *arg)
{
	struct v9_top *t = &o->t;
	unsigned int n = 0;

	switch (opt) {
	case 'a':
		give_option(o, "-a", NULL);
		set_target(o, "all CPUs", NULL);
		return true;
	case 'C':
		give_option(o, "-C", arg);
		set_target(o, "CPUs ", arg);
		return true;
	case 'p':
		give_option(o, "-p", arg);
		set_target(o, "PID ", arg);
		return true;
	case 't':
		give_option(o, "-t", arg);
		set_target(o, "TID ", arg);
		return true;
	case 'e':
		give_option(o, "-e", arg);
		return true;
	case 'c':
		give_option(o, "-c", arg);
		return true;
	case 'm':
		give_option(o, "-m", arg);
		return true;
	case OPT_MEMORY:
		give_option(o, "--memory", arg);
		return true;
	case OPT_DURATION:
		o->duration = arg;
		return true;
	case OPT_ATTACH:
		o->attaches = true;
		o->attach.ask.given = arg;
		return true;
	case OPT_BY:
		if (!take_name("--by", v9_top_by_name, V9_TOP_BYS, arg, &n))
			return false;
		t->choice.by = n;
		return true;
	case OPT_SORT:
		if (!take_name("--sort", v9_top_sort_name, V9_TOP_SORTS, arg, &n))
			return false;
		t->choice.sort = n;
		return true;
	case OPT_MEM:
		t->lines = true;
		return true;
	case OPT_FILTER:
		snprintf(t->filter, sizeof(t->filter), "%s", arg);
		return true;
	case 'd':
		return take_delay(arg, &t->delay);
	case 'b':
		t->batch = true;
		return true;
	case 'n':
		o->iterates = true;
		return v9_parse_number("iterations", arg, UINT32_MAX, &t->iterations);
	case OPT_LIMIT:
		return v9_parse_number("limit", arg, UINT32_MAX, &t->limit);
	case OPT_JSON:
		t->json = true;
		return true;
	case OPT_SYMFS:
		t->symfs = arg;
		return true;
	case ':':
		v9_error("an argument is missing (v9trace top --help)");
		return false;
	default:
		v9_error("no such option (v9trace top --help)");
		return false;
	}
}

static int begin(void *arg, struct v9_worker *w, const struct v9_event_spec *ev, int evs)
{
	struct top *o = arg;
	int err;

	for (int i = 0; i < evs && !o->t.event; i++)
		if (ev[i].aux) {
			o->t.event = ev[i].label;
			o->t.period = ev[i].attr.a.sample_period;
		}
	err = v9_top_begin(&o->t, w);
	if (err)
		v9_error("no thread: %s", strerror(err));
	return -err;
}

static void last(void *arg, const struct v9_live *l)
{
	v9_top_last(&((struct top *)arg)->t, l);
}

static void end(void *arg)
{
	v9_top_end(&((struct top *)arg)->t);
}

/* As by Ctrl-C: the loop of the recording takes it, and ends the command. */
static void stop(void)
{
	kill(getpid(), SIGINT);
}

static int run(struct top *o, v9_top_record_fn record)
{
	struct v9_profiles_watch watch = {
		.begin = begin, .last = last, .end = end, .arg = o, .silent = !o->t.batch,
	};
	char **argv;
	int ret;

	o->t.target = o->target;
	argv = v9_alloc((o->nr_args + 1) * sizeof(*argv));
	memcpy(argv, o->args, o->nr_args * sizeof(*argv));
	ret = record((int)o->nr_args, argv, &watch);
	free(argv);
	return ret;
}

/* ---- attached to a recorder */

static struct v9_top *shown;

static void on_signal(int signal)
{
	(void)signal;
	shown->ended = true;
}

static void take_signals(struct v9_top *t)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGALRM };
	const struct sigaction end = { .sa_handler = on_signal }, ignore = { .sa_handler = SIG_IGN };

	shown = t;
	for (size_t i = 0; i < V9_ARRAY_SIZE(ends); i++)
		sigaction(ends[i], &end, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

/* The first look was taken. Returns an exit status. */
static int attached(struct top *o)
{
	struct v9_top *t = &o->t;
	uint64_t ns = 0, us;

	if (o->attach.ask.error) {
		char *why = v9_ask_why(&o->attach.ask);

		v9_error("--attach: %s", why);
		free(why);
		return V9_EXIT_FAILED;
	}
	if (t->lines && !o->attach.head.lines) {
		v9_error("the recorder (PID %d) has no sums by cache line of the data: leave out --mem and --by data "
			 "(v9trace record --aggregate --mem makes them)", o->attach.ask.pid);
		return V9_EXIT_FAILED;
	}
	if (o->duration && v9_record_duration(o->duration, &ns))
		return V9_EXIT_USAGE;
	us = (ns + 999) / 1000;
	t->attach = &o->attach;
	take_signals(t);
	/* 0: no timer */
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value = {
		.tv_sec = (time_t)(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000) } }, NULL);
	return v9_top_attached(t) ? V9_EXIT_OK : V9_EXIT_FAILED;
}

/* After a recording failed: if a recorder runs, says that it has the unit and that --attach shows its sums. */
static void tell_recorder(struct top *o)
{
	struct v9_live_copy copy = { .records = 0 };

	if (!v9_attach_look(&o->attach, &copy))
		v9_warn("PID %d adds up SPE records: 'v9trace top --attach' shows its sums", o->attach.ask.pid);
	v9_live_copy_free(&copy);
}

/* Returns 0, or an exit status after an error message. */
static int check(struct top *o)
{
	struct v9_top *t = &o->t;

	if ((o->iterates || t->json) && !t->batch && isatty(STDOUT_FILENO)) {
		v9_error("%s: give --batch, too", t->json ? "--json" : "-n");
		return V9_EXIT_USAGE;
	}
	t->batch |= !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO);
	if (t->batch)
		t->width = getenv("COLUMNS") ? (unsigned int)strtoul(getenv("COLUMNS"), NULL, 10) : v9_stdout_width();
	else if (!v9_view_can_show())
		return V9_EXIT_FAILED;
	return 0;
}

static int top(struct top *o, int argc, char **argv, v9_top_record_fn record)
{
	const bool command = optind < argc;
	int ret;

	if (o->attaches && (command || o->records)) {
		v9_error("--attach: %s: the recorder has events, a target and buffers of its own: leave it out",
			 command ? argv[optind] : o->records);
		return V9_EXIT_USAGE;
	}
	if (!command && !o->records && (!v9_attach_look(&o->attach, &o->t.state) || o->attaches))
		return attached(o);
	if (o->duration)
		give_option(o, "--duration", o->duration);
	if (!o->targeted && !command)
		take_option(o, 'a', NULL);
	else if (!o->targeted)
		set_target(o, argv[optind], NULL);
	if (o->t.lines)
		give_option(o, "--mem", NULL);
	if (command)
		give(o, (char *)"--");
	while (optind < argc)
		give(o, argv[optind++]);
	ret = run(o, record);
	if (ret == V9_EXIT_FAILED)
		tell_recorder(o);
	return ret;
}

int v9_top_run(int argc, char **argv, v9_top_record_fn record)
{
	struct top o = { .t = { .delay = DELAY, .limit = LIMIT, .stop = stop, .proc = "/proc" },
			 .attach.ask = { .proc = "/proc", .wanted = V9_RECORDER_SUMS } };
	int opt, ret;

	give(&o, (char *)"record");
	give(&o, (char *)"-q");
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "+:aC:p:t:e:c:m:d:bn:h", longs, NULL)) >= 0) {
		if (opt == 'h') {
			fputs(usage, stdout);
			ret = V9_EXIT_OK;
			goto free_options;
		}
		if (!take_option(&o, opt, optarg)) {
			ret = V9_EXIT_USAGE;
			goto free_options;
		}
	}
	o.t.lines |= o.t.choice.by == V9_TOP_DATA;
	ret = check(&o);
	if (!ret)
		ret = top(&o, argc, argv, record);
free_options:
	v9_live_copy_free(&o.t.state);
	v9_ask_free(&o.attach.ask);
	free(o.args);
	free(o.target);
	return ret;
}

int cmd_top(int argc, char **argv)
{
	return v9_top_run(argc, argv, v9_record_watch);
}
