/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables on a terminal that the user walks through. The screen is that of ncurses. */
#ifndef V9TRACE_REPORT_VIEW_H
#define V9TRACE_REPORT_VIEW_H

#include "out.h"

/* Returns false after an error message if the terminal cannot show tables. Call this first. */
bool v9_view_can_show(void);

/* A format that keeps the tables and shows them at its end, until the user leaves. */
extern const struct v9_format v9_format_view;

/*
 * What "a" does with the function of a row. It may use the terminal. Returns false if the function
 * cannot be annotated. To be set before the tables are printed
 */
extern bool (*v9_view_annotate)(const char *symbol);

/* A message below the title, for example the name of the capture */
extern const char *v9_view_title;

#endif
