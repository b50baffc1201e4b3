/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The commands of v9trace; argv[0] is the command's name. Each returns an exit status. */
#ifndef V9TRACE_TOOLS_COMMANDS_H
#define V9TRACE_TOOLS_COMMANDS_H

/* The same for all; record has its command's own besides (see v9trace.1). */
enum {
	V9_EXIT_OK,		/* done; what is missing is said on stderr */
	V9_EXIT_FAILED,		/* not done, or not all of it */
	V9_EXIT_USAGE,		/* the command line is wrong */
	V9_EXIT_CANNOT_RUN = 126,	/* record: as a shell says it of a command */
	V9_EXIT_NOT_FOUND = 127,
};

int cmd_record(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_mem(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_stat(int argc, char **argv);

#endif
