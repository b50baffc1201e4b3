/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The common options of report, mem and script: capture, filter, paths of symbols. */
#ifndef V9TRACE_REPORT_OPTIONS_H
#define V9TRACE_REPORT_OPTIONS_H

#include <getopt.h>

#include "../commands.h"
#include "filter.h"
#include "out.h"

/*
 * What the user says of the machine, for --joint; 0: the default
 * @least_mhz: lowest frequency of a CPU, which latencies are converted with
 * @most_mhz: highest frequency of a CPU, which cycles that the trace counts are converted with
 * @stamp_error: ns by which a unit may stamp an instruction earlier or later than it is executed, beyond what is
 *	measured. The architecture has no limit: an instruction retires, and is traced, when all older ones have,
 *	and one of these may wait for memory
 */
struct v9_joint_machine {
	uint64_t least_mhz, most_mhz;
	uint64_t stamp_error;
};

struct v9_options {
	const char *path;
	bool named;			/* path was given with -i */
	struct v9_record_filter filter;
	struct v9_syms_opts syms;
	unsigned int threads;
	uint64_t grain;			/* bytes of trace in a piece for a thread; 0: automatic */
	unsigned int makes;		/* V9_TAKES_*: what a format must take */
	const struct v9_format *format;
	bool no_color;
	bool wide;			/* text: nothing is cut or left out */
};

#define V9_DEFAULT_CAPTURE	"perf.data"

/* Greater than any char: options without a short form. */
enum {
	V9_OPT_FILTER = 256,		/* + enum v9_filter_key */
	V9_OPT_SYMFS = V9_OPT_FILTER + V9_BY_KEYS, V9_OPT_DEBUG_DIR, V9_OPT_VMLINUX, V9_OPT_KALLSYMS, V9_OPT_KCORE, V9_OPT_NO_DEMANGLE,
	V9_OPT_JOBS,
	V9_OPT_JSON, V9_OPT_CSV, V9_OPT_FORMAT, V9_OPT_NO_COLOR, V9_OPT_WIDE, V9_OPT_OWN
};

#define V9_COMMON_OPTIONS \
	{ "comm", required_argument, NULL, V9_OPT_FILTER + V9_BY_COMM }, \
	{ "pid", required_argument, NULL, V9_OPT_FILTER + V9_BY_PID }, \
	{ "tid", required_argument, NULL, V9_OPT_FILTER + V9_BY_TID }, \
	{ "cpu", required_argument, NULL, V9_OPT_FILTER + V9_BY_CPU }, \
	{ "cgroup", required_argument, NULL, V9_OPT_FILTER + V9_BY_CGROUP }, \
	{ "time", required_argument, NULL, V9_OPT_FILTER + V9_BY_TIME }, \
	{ "el", required_argument, NULL, V9_OPT_FILTER + V9_BY_EL }, \
	{ "dso", required_argument, NULL, V9_OPT_FILTER + V9_BY_DSO }, \
	{ "symbol", required_argument, NULL, V9_OPT_FILTER + V9_BY_SYMBOL }, \
	{ "op", required_argument, NULL, V9_OPT_FILTER + V9_BY_OP }, \
	{ "event", required_argument, NULL, V9_OPT_FILTER + V9_BY_EVENT }, \
	{ "min-latency", required_argument, NULL, V9_OPT_FILTER + V9_BY_LATENCY }, \
	{ "symfs", required_argument, NULL, V9_OPT_SYMFS }, \
	{ "debug-dir", required_argument, NULL, V9_OPT_DEBUG_DIR }, \
	{ "vmlinux", required_argument, NULL, V9_OPT_VMLINUX }, \
	{ "kallsyms", required_argument, NULL, V9_OPT_KALLSYMS }, \
	{ "kcore", required_argument, NULL, V9_OPT_KCORE }, \
	{ "no-demangle", no_argument, NULL, V9_OPT_NO_DEMANGLE }, \
	{ "jobs", required_argument, NULL, V9_OPT_JOBS }

#define V9_FORMAT_OPTIONS \
	{ "json", no_argument, NULL, V9_OPT_JSON }, \
	{ "csv", no_argument, NULL, V9_OPT_CSV }, \
	{ "format", required_argument, NULL, V9_OPT_FORMAT }

/* The help of V9_FORMAT_OPTIONS and V9_OPT_NO_COLOR */
#define V9_FORMAT_HELP \
	"  --json, --csv     for programs instead of people; --format text, json, csv is the same\n" \
	"  --no-color        no colours on a terminal\n"

#define V9_COMMON_SHORT	"hi:j:"

#define V9_COMMON_HELP \
	"  --comm LIST       only threads of these names\n" \
	"  --pid LIST, --tid LIST, --cpu LIST\n" \
	"                    only these processes, threads, CPUs, such as 1,3-5\n" \
	"  --cgroup LIST     only threads in these control groups or below, such as /user.slice\n" \
	"  --time FROM,TO    only records in [FROM, TO), seconds; either may be left out; or\n" \
	"                    parts of the capture, such as 10%%-20%%\n" \
	"  --el LIST         only these Exception levels\n" \
	"  --dso LIST, --symbol LIST\n" \
	"                    only code of these objects, of these functions\n" \
	"  --op LIST, --event LIST, --min-latency N\n" \
	"                    only SPE records of these operations, with one of these events, of\n" \
	"                    that many cycles or more\n" \
	"  --symfs DIR       look for the recorded files below DIR\n" \
	"  --debug-dir DIR   look for files by build-id in DIR/.build-id (as in ~/.debug),\n" \
	"                    or in an archive of 'v9trace archive'\n" \
	"  --kallsyms FILE   kernel symbols from a copy of /proc/kallsyms; default: the capture's,\n" \
	"                    or this machine's if it runs the recorded kernel\n" \
	"  --vmlinux FILE    kernel symbols, and code to follow a trace, from this file\n" \
	"  --kcore FILE      kernel code from a copy of /proc/kcore, as it ran\n" \
	"  --no-demangle     names of C++ and Rust as the linker knows them\n" \
	"  -i FILE           that capture; - is standard input, which may be a pipe\n" \
	"  -j, --jobs N      that many threads (default: one for each CPU, up to 16)\n" \
	"  -h, --help        this\n"

/*
 * Sets the defaults and prepares getopt_long() for @argv; changes argv[0]. @makes: V9_TAKES_*, what
 * the command can make for a format.
 */
void v9_options_init(struct v9_options *o, char **argv, unsigned int makes);

/*
 * Parses a common option or one about the format. Returns 0, or prints an error and returns
 * V9_EXIT_USAGE.
 */
int v9_options_take(struct v9_options *o, int opt, const char *arg);

/* Frees the filter after an error in the command line. Returns V9_EXIT_USAGE. */
int v9_options_refuse(struct v9_options *o);

/* Takes the name of the capture after the options. Returns V9_EXIT_USAGE if there are several. */
int v9_options_file(struct v9_options *o, int argc, char **argv);

/* Parses an integer from 0 to @max. Returns false and prints an error if it is not one. */
bool v9_parse_number(const char *option, const char *arg, uint64_t max, uint64_t *out);

/*
 * Opens the capture. Returns V9_EXIT_OK, or V9_EXIT_FAILED after an error message if it cannot be
 * read or has no data to show what @shows requires (V9_SHOWS_*; 0: it may have any content).
 */
int v9_capture_open(struct v9_session *s, struct v9_options *o, unsigned int shows);

/*
 * Returns the exit status after the capture was read: V9_EXIT_OK if @printed is true and the file
 * was not cut short. Warns if the file was cut short or has no end.
 */
int v9_capture_status(const struct v9_session *s, const char *path, bool printed);

#endif
