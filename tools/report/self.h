/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Runs another command of v9trace with the arguments of this one: what it shows is part of it. */
#ifndef V9TRACE_REPORT_SELF_H
#define V9TRACE_REPORT_SELF_H

/*
 * Runs "v9trace COMMAND WORDS... GIVEN...". @words: ends with NULL. @given: arguments of this command
 * from the first on, @n of them. @out: descriptor of its standard output, or -1 for that of this
 * process; with it, its messages are thrown away. Returns its exit status, or -1.
 */
int v9_run_self(const char *command, const char *const *words, char *const *given, int n, int out);

#endif
