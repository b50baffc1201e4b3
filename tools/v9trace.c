// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The v9trace command: a table of its subcommands. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "pager.h"
#include "util.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "record", cmd_record, "record SPE, instructions or other events of a command, a process, CPUs" },
	{ "top", cmd_top, "functions, lines, objects, data with most SPE samples now, on a terminal" },
	{ "pause", cmd_pause, "let another session have the units of a recorder that runs" },
	{ "resume", cmd_resume, "let that recorder have them again" },
	{ "flight", cmd_flight, "a snapshot of a flight recorder that runs, now" },
	{ "report", cmd_report, "hottest functions, latencies, operations, events, calls of a recording" },
	{ "annotate", cmd_annotate, "instructions and source lines with what was measured of each" },
	{ "diff", cmd_diff, "what changed from one recording to another, by function or line" },
	{ "mem", cmd_mem, "what loads and stores of an SPE recording met, by place, data, cache line" },
	{ "view", cmd_view, "the tables of report and mem on a terminal: zoom, search, annotate" },
	{ "html", cmd_html, "a page for a browser: tables, flame graph, timeline, heat maps" },
	{ "script", cmd_script, "one line per sample, record, tracepoint, branch or instruction" },
	{ "export", cmd_export, "a recording in the format of another program" },
	{ "fdo", cmd_fdo, "recordings of a program for BOLT, LLVM or GCC" },
	{ "merge", cmd_merge, "sums of many recordings or machines as one file, of parts of a large one" },
	{ "dump", cmd_dump, "the records of the file and the packets in them" },
	{ "archive", cmd_archive, "pack the files that a recording names, for another machine" },
	{ "join", cmd_join, "the two files of a recording of SPE and ETE as one, to hand it on" },
	{ "split", cmd_split, "the two files of it again, for perf" },
	{ "list", cmd_list, "what can be recorded on this machine" },
	{ "doctor", cmd_doctor, "which units of this machine can be used, why not, what to do" },
	{ "stat", cmd_stat, "what the drivers count, live: bytes, interrupts, what was lost and why" },
	{ "driver", cmd_driver, "which driver has SPE and ETE, ours or the in-tree one; change it" },
};

static void help(FILE *f)
{
	fputs("usage: v9trace [--no-pager] COMMAND [ARG]...    (v9trace COMMAND --help says more)\n\n", f);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		fprintf(f, "  %-8s %s\n", commands[i].name, commands[i].help);
}

/* Commands whose output may be long: it goes through a pager if a terminal shows it. */
static bool pages(const char *name)
{
	static const char *const names[] = { "report", "mem", "script", "dump", "annotate", "diff" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static int run(size_t i, int argc, char **argv, bool pager)
{
	/* A reader that closes the pipe is no error, even if the parent process ignores SIGPIPE. */
	if (commands[i].run != cmd_record)
		signal(SIGPIPE, SIG_DFL);
	if (pager && pages(commands[i].name))
		v9_pager_start();
	return commands[i].run(argc, argv);
}

int main(int argc, char **argv)
{
	const bool pager = argc < 2 || strcmp(argv[1], "--no-pager");
	const char *name;

	argc -= !pager;
	argv += !pager;
	name = argc > 1 ? argv[1] : "";
	if (!*name) {
		help(stderr);
		return V9_EXIT_USAGE;
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
		help(stdout);
		return 0;
	}
	if (!strcmp(name, "--version")) {
		v9_version();
		return 0;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(commands[i].name, name))
			return run(i, argc - 1, argv + 1, pager);
	v9_error("'%s' is not a command (v9trace --help)", name);
	return V9_EXIT_USAGE;
}
