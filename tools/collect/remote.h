/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Commands that tell a recorder that runs what to do, through its socket: v9trace pause, resume, flight. */
#ifndef V9TRACE_COLLECT_REMOTE_H
#define V9TRACE_COLLECT_REMOTE_H

#include <getopt.h>
#include <stdbool.h>

#include "../ask.h"

struct v9_remote {
	const char *request, *usage;
	const struct option *longs;	/* .val: enum v9_remote_option, or 'h' */
	unsigned int wanted;		/* enum v9_recorder */
	unsigned int patience;		/* seconds without an answer */
	bool makes_file;		/* the answer is the name of one; --now has to be given */
};

enum v9_remote_option { V9_REMOTE_JSON = 256, V9_REMOTE_NOW };

/* Of the texts of --help */
#define V9_REMOTE_WHICH \
	"RECORDER is its PID, the argument of its option -o, or its socket. Without it the only one of this user\n" \
	"or of root is meant.\n"
#define V9_REMOTE_OPTIONS \
	"      --json    the answer as one line of JSON\n" \
	"  -h, --help    this\n"

/* The command, with its arguments. Returns an exit status. */
int v9_remote_run(const struct v9_remote *what, int argc, char **argv);

#endif
