/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the files of an object are sought by its build-id: in --debug-dir, in the distribution's
 * directory of debug files, in perf's cache, and by servers (debuginfod.h). Two layouts are known:
 *
 *	DIR/.build-id/XX/YYYY.debug, DIR/.build-id/XX/YYYY	files (distributions)
 *	DIR/.build-id/XX/YYYY/elf, debug, vdso, kallsyms	a directory (perf)
 *
 * --debug-dir can be an archive of either layout.
 */
#ifndef V9TRACE_CAPTURE_FIND_H
#define V9TRACE_CAPTURE_FIND_H

#include "sym.h"

enum v9_find_what {
	V9_FIND_SYMBOLS		= 1,	/* ELF files, those with debug information first */
	V9_FIND_CODE		= 2,	/* ELF files that have the code */
	V9_FIND_KALLSYMS	= 4,	/* copies of /proc/kallsyms */
};

/* A search. The caller sets the first three members. */
struct v9_find {
	struct v9_syms *syms;
	const struct v9_dso *dso;
	enum v9_find_what what;
	unsigned int at;
	char path[8192];
};

/* Returns the path of the next regular file, valid until the next call; NULL: there is no more. */
const char *v9_find_next(struct v9_find *f);

#endif
