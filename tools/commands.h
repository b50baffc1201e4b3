/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The commands of v9trace. argv[0] is the name of the command. Each returns an exit status. */
#ifndef V9TRACE_TOOLS_COMMANDS_H
#define V9TRACE_TOOLS_COMMANDS_H

/* Exit statuses. record can also return that of the recorded command (see v9trace.1). */
enum {
	V9_EXIT_OK,		/* success, possibly with warnings on stderr */
	V9_EXIT_FAILED,		/* failed, or incomplete */
	V9_EXIT_USAGE,		/* the command line is wrong */
	V9_EXIT_UNSEEN,		/* doctor: it cannot be seen */
	V9_EXIT_WAITS = V9_EXIT_UNSEEN,	/* resume: the unit is busy, and the recorder tries again */
	V9_EXIT_CANNOT_RUN = 126,	/* record, top: cannot execute the command, as in a shell */
	V9_EXIT_NOT_FOUND = 127,	/* record, top: command not found */
};

int cmd_record(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_pause(int argc, char **argv);
int cmd_resume(int argc, char **argv);
int cmd_flight(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_annotate(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_mem(int argc, char **argv);
int cmd_view(int argc, char **argv);
int cmd_html(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_fdo(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_archive(int argc, char **argv);
int cmd_join(int argc, char **argv);
int cmd_split(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_driver(int argc, char **argv);

#endif
