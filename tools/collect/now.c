// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace flight --now: a snapshot of a flight recorder that runs. */
#include "../commands.h"
#include "remote.h"

#define WRITING	120	/* seconds that a file may take */

static const struct option longs[] = {
	{ "now", no_argument, NULL, V9_REMOTE_NOW },
	{ "json", no_argument, NULL, V9_REMOTE_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

static const struct v9_remote snapping = {
	.request = V9_ASK_NOW, .wanted = V9_RECORDER_FLIGHT, .patience = WRITING, .makes_file = true, .longs = longs, .usage =
	"usage: v9trace flight --now [OPTION]... [RECORDER]\n"
	"\n"
	"Writes the newest trace that v9trace record --flight keeps to a file of its own, whose name is printed:\n"
	"FILE.TIMESTAMP, complete, and readable while the recorder goes on.\n"
	V9_REMOTE_WHICH
	"\n"
	"      --now     at once; there is no other time\n"
	V9_REMOTE_OPTIONS
	"\n"
	"Exit status: 0 the file is written; 1 it is not; 2 this command line is wrong.\n",
};

int cmd_flight(int argc, char **argv)
{
	return v9_remote_run(&snapping, argc, argv);
}
