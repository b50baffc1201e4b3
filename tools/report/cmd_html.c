// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace html: writes a page with the tables of report, mem and report --joint, and charts. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../commands.h"
#include "../util.h"
#include "annotate.h"
#include "joint_read.h"
#include "joint_tables.h"
#include "kinds.h"
#include "page.h"

#define DEFAULT_LIMIT	1000
#define DEFAULT_LISTINGS	5
#define DEFAULT_CALLS	150000
#define MOST_CALLS	1000000	/* some tens of MB in the page */
#define LINE_SHIFT	6	/* bytes of a cache line, log2 */
#define MOST_LINES	(1u << 19)	/* as v9trace mem */

struct html {
	struct v9_mem m;		/* the first member; .r is the report, too */
	struct v9_taker beside;		/* .m, of all records */
	struct v9_page_spe spe;
	struct v9_page_calls calls;
	uint64_t listings;		/* functions with a listing */
	bool any;			/* the page has something */
};

static struct html *html_of(struct v9_report *r)
{
	return (struct html *)r;
}

/* ---- what the page has beside the tables of report */

/* Loads and stores go to the tables of mem, too. */
static void take_records(void *arg, struct v9_sampled *s, size_t n)
{
	struct html *h = arg;

	v9_page_spe_add(&h->spe, s, n);
	h->beside.take(h->beside.arg, s, n);
}

static void take_calls(void *arg, const struct v9_flow_sum *sum)
{
	struct html *h = arg;

	if (h->m.r.calls)
		v9_page_calls_write(&h->calls, &h->m.r.s, sum, h->m.r.out.f);
}

static void print_capture(struct v9_report *r)
{
	const char *more = "";

	v9_page_open(r->out.f, "capture");
	fputs("{\"path\":", r->out.f);
	v9_page_text(r->out.f, r->o.path);
	fputs(",\"arch\":", r->out.f);
	v9_page_text(r->out.f, r->s.arch);
	fprintf(r->out.f, ",\"version\":\"%s\",\"filters\":%s,\"kinds\":[", V9TRACE_VERSION,
		r->o.filter.used ? "true" : "false");
	v9_for_each_present(k, &r->s) {
		fprintf(r->out.f, "%s\"%s\"", more, k->name);
		more = ",";
	}
	fputs("]}", r->out.f);
	v9_page_close(r->out.f);
}

static bool print(struct v9_report *r)
{
	struct html *h = html_of(r);
	const bool spe = !v9_kinds[V9_KIND_SPE].absent(&r->s);
	bool any;

	print_capture(r);
	v9_page_spe_init(&h->spe, &r->s.syms);
	v9_mem_init(&h->m);
	any = v9_report_kinds(r);
	if (any && spe) {
		v9_page_view("mem");
		v9_mem_print_beside(&h->m);
		v9_page_view("report");
		v9_page_spe_write(&h->spe, r->out.f);
	}
	if (any && h->listings) {
		v9_page_view("annotate");
		v9_annotate_print(r, h->listings);
		v9_page_view("report");
	}
	/* What a thread executes and what was sampled of it are compared as a whole. */
	if (any && v9_joint_possible(&r->s) && !(r->o.filter.used & V9_FILTER_OF_TRACE)) {
		v9_page_view("joint");
		r->calls = false;	/* it has no call tree */
		v9_report_joint(r);
		v9_page_view("report");
	}
	v9_mem_free(&h->m);
	v9_page_spe_free(&h->spe);
	h->any = any;
	return any;
}

/* ---- the file: under another name until it is complete */

static char *unfinished;

static void interrupted(int sig)
{
	if (unfinished)
		unlink(unfinished);
	signal(sig, SIG_DFL);
	raise(sig);
}

static char *default_path(const char *capture)
{
	return v9_format("%s.html", strcmp(capture, "-") ? v9_base_name(capture) : "v9trace");
}

/* Makes standard output that file. Returns false after an error. */
static bool begin_file(const char *path)
{
	const mode_t mask = umask(0);
	int fd;

	umask(mask);
	if (v9_is_special(path)) {
		fd = open(path, O_WRONLY);
	} else {
		unfinished = v9_format("%s.XXXXXX", path);
		fd = mkstemp(unfinished);
	}
	if (fd < 0) {
		v9_error("cannot write %s: %s", path, strerror(errno));
		return false;
	}
	if (unfinished) {
		signal(SIGINT, interrupted);
		signal(SIGTERM, interrupted);
		signal(SIGHUP, interrupted);
		fchmod(fd, 0666 & ~mask);
	}
	dup2(fd, STDOUT_FILENO);
	close(fd);
	return true;
}

/* Gives the file its name, if it is complete. Returns the exit status. */
static int end_file(const char *path, bool complete, int status)
{
	char room[16];
	struct stat st;

	if (!complete) {
		unlink(unfinished);
	} else if (fstat(STDOUT_FILENO, &st) || rename(unfinished, path)) {
		v9_error("cannot write %s: %s", path, strerror(errno));
		unlink(unfinished);
		status = V9_EXIT_FAILED;
	} else {
		fprintf(stderr, "v9trace: %s: %s\n", path, v9_bytes(room, (uint64_t)st.st_size));
	}
	free(unfinished);
	unfinished = NULL;
	return status;
}

enum { OPT_LIMIT = V9_OPT_OWN, OPT_CALLS, OPT_LISTINGS, OPT_MHZ, OPT_MOST, OPT_ERROR, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "output", required_argument, NULL, 'o' },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "calls", required_argument, NULL, OPT_CALLS },
	{ "listings", required_argument, NULL, OPT_LISTINGS },
	{ "least-mhz", required_argument, NULL, OPT_MHZ },
	{ "most-mhz", required_argument, NULL, OPT_MOST },
	{ "stamp-error", required_argument, NULL, OPT_ERROR },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace html [OPTIONS] [FILE]\n"
	       "Writes a page for a browser that needs no network: what was lost, the tables of report\n"
	       "and mem, and charts of the capture (default: " V9_DEFAULT_CAPTURE ").\n"
	       "  -o, --output OUT  write to OUT; - is standard output (default: FILE.html here)\n"
	       "  --limit N         that many rows of each table (default %d)\n"
	       "  --calls N         that many calls in the timeline, the longest (default %d)\n"
	       "  --listings N      with the instructions of the N hottest functions, as v9trace annotate has\n"
	       "                    them (default %d); 0: none\n"
	       "  --least-mhz N, --most-mhz N, --stamp-error NS\n"
	       "                    of a recording of SPE and ETE at once: as for v9trace report --joint\n"
	       V9_COMMON_HELP, DEFAULT_LIMIT, DEFAULT_CALLS, DEFAULT_LISTINGS);
}

static int write_page(struct html *h, const char *path, uint64_t most_calls)
{
	int status;

	if (strcmp(path, "-") && !begin_file(path))
		return V9_EXIT_FAILED;
	v9_page_calls_init(&h->calls, most_calls + 2);
	status = v9_report_run(&h->m.r, V9_SHOWS_TABLES, print);
	v9_page_calls_free(&h->calls);
	return unfinished ? end_file(path, h->any, status) : status;
}

int cmd_html(int argc, char **argv)
{
	struct html h = { .listings = DEFAULT_LISTINGS, .m = { .r.limit = DEFAULT_LIMIT, .by = (1u << V9_MEM_BYS) - 1,
				 .line_shift = LINE_SHIFT, .most_lines = MOST_LINES } };
	struct v9_report *r = &h.m.r;
	const struct v9_taker records = { .take = take_records, .arg = &h };
	const struct v9_report_more more = { .records = &records, .hook = &h.calls.hook,
					     .calls = take_calls, .arg = &h };
	uint64_t most = DEFAULT_CALLS;
	const char *path = NULL;
	int opt, status;
	char *beside;

	h.beside = v9_mem_beside(&h.m);
	r->sort = v9_sort_find(NULL);
	r->more = &more;
	v9_options_init(&r->o, argv, V9_TAKES_TABLES);
	r->o.format = &v9_format_page;
	r->o.syms.objects = true;
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT "o:", longopts, NULL)) != -1) {
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == 'o') {
			path = optarg;
		} else if (opt == OPT_LIMIT) {
			status = v9_parse_number("limit", optarg, UINT32_MAX, &r->limit) ?
				 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_CALLS) {
			status = v9_parse_number("calls", optarg, MOST_CALLS, &most) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_LISTINGS) {
			status = v9_parse_number("listings", optarg, UINT32_MAX, &h.listings) ?
				 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_MHZ) {
			status = v9_joint_parse("least-mhz", optarg, &r->machine.least_mhz) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_MOST) {
			status = v9_joint_parse("most-mhz", optarg, &r->machine.most_mhz) ? 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_ERROR) {
			status = v9_joint_parse("stamp-error", optarg, &r->machine.stamp_error) ? 0 : V9_EXIT_USAGE;
		} else {
			status = v9_options_take(&r->o, opt, optarg);
		}
		if (status)
			return status;
	}
	if (!r->limit) {
		v9_error("--limit 0: a page needs a limit");
		return v9_options_refuse(&r->o);
	}
	if (!v9_joint_agrees(&r->machine))
		return v9_options_refuse(&r->o);
	/* A call tree needs all that a thread executes. */
	r->calls = !(r->o.filter.used & V9_FILTER_OF_TRACE);
	status = v9_options_file(&r->o, argc, argv);
	if (status)
		return status;
	beside = path ? NULL : default_path(r->o.path);
	status = write_page(&h, path ? path : beside, most);
	free(beside);
	return status;
}
