// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace pause and resume: a recorder frees its units for another session, and takes them back. */
#include "../commands.h"
#include "remote.h"

#define PATIENCE	10	/* seconds */

static const struct option longs[] = {
	{ "json", no_argument, NULL, V9_REMOTE_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

static const struct v9_remote pausing = {
	.request = V9_ASK_PAUSE, .wanted = V9_RECORDER_ANY, .patience = PATIENCE, .longs = longs, .usage =
	"usage: v9trace pause [OPTION]... [RECORDER]\n"
	"\n"
	"Lets another session, such as perf record -e arm_spe//, have the units that a recorder has: v9trace\n"
	"record --aggregate, --flight or --control socket. It closes its events, and goes on with mappings, names\n"
	"and CPUs, so that it knows them later. The time is counted as lost.\n"
	V9_REMOTE_WHICH
	"\n"
	V9_REMOTE_OPTIONS
	"\n"
	"Exit status: 0 the units are free; 1 they are not; 2 this command line is wrong.\n",
};

static const struct v9_remote resuming = {
	.request = V9_ASK_RESUME, .wanted = V9_RECORDER_ANY, .patience = PATIENCE, .longs = longs, .usage =
	"usage: v9trace resume [OPTION]... [RECORDER]\n"
	"\n"
	"Lets a recorder that v9trace pause has paused open its events again. If another session has a unit, it\n"
	"tries again each second, until it is free or v9trace pause comes.\n"
	V9_REMOTE_WHICH
	"\n"
	V9_REMOTE_OPTIONS
	"\n"
	"Exit status: 0 it records; 1 it does not; 2 this command line is wrong; 3 a unit is busy, it tries again.\n",
};

int cmd_pause(int argc, char **argv)
{
	return v9_remote_run(&pausing, argc, argv);
}

int cmd_resume(int argc, char **argv)
{
	return v9_remote_run(&resuming, argc, argv);
}
