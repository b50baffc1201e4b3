/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Standard output on a terminal, and a pager between. */
#ifndef V9TRACE_TOOLS_PAGER_H
#define V9TRACE_TOOLS_PAGER_H

#include <stdbool.h>

/*
 * If standard output is a terminal, sends it through $V9TRACE_PAGER, else $PAGER, else less; "cat" or
 * an empty one is none. The process waits for the pager when it exits.
 */
void v9_pager_start(void);

/* Is standard output a terminal, perhaps behind a pager? */
bool v9_stdout_terminal(void);

/* Columns of that terminal; 0: it is none, or does not say */
unsigned int v9_stdout_width(void);

#endif
