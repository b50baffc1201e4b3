/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The commands of v9trace; argv[0] is the command's name. Each returns an exit status. */
#ifndef V9TRACE_TOOLS_COMMANDS_H
#define V9TRACE_TOOLS_COMMANDS_H

int cmd_record(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_dump(int argc, char **argv);

#endif
