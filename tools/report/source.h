/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The text of lines of source files, which are read when they are asked for. */
#ifndef V9TRACE_REPORT_SOURCE_H
#define V9TRACE_REPORT_SOURCE_H

#include <stddef.h>

struct v9_sources {
	const char *symfs;		/* looked for below it first; NULL: none */
	struct v9_source_file *files;
	size_t nr, last;
};

/*
 * Returns line @line, from 1 on, of @file, with blanks for tabs and without blanks at its end; NULL if
 * there is no such regular file here, or it is shorter. Valid until v9_sources_free().
 */
const char *v9_source_line(struct v9_sources *s, const char *file, unsigned int line);
void v9_sources_free(struct v9_sources *s);

#endif
