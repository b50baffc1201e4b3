/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files from the servers in DEBUGINFOD_URLS, by elfutils' libdebuginfod. It is loaded when it is first
 * needed, so that v9trace is built and runs without it. A static program cannot load it.
 */
#ifndef V9TRACE_CAPTURE_DEBUGINFOD_H
#define V9TRACE_CAPTURE_DEBUGINFOD_H

#include <stdbool.h>

#include "sym.h"

enum v9_debuginfod_what { V9_DEBUGINFO, V9_EXECUTABLE };

/*
 * Writes the path of the file in the library's cache to @path. Returns false if no server is named or
 * none has it. What keeps it from asking is printed once; after an error of the network, no more is
 * asked. Not for several threads at once.
 */
bool v9_debuginfod_find(const struct v9_dso *d, enum v9_debuginfod_what what, char *path, size_t size);

/* Returns true if servers were asked. */
bool v9_debuginfod_asked(void);

#endif
