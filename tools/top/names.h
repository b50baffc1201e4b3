/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Names of what has sums: functions and source lines by the files of objects, data by the mappings that the
 * process has at the moment, data sources by the CPU type. Files are read when a name of them is needed.
 */
#ifndef V9TRACE_TOP_NAMES_H
#define V9TRACE_TOP_NAMES_H

#include "../capture/lines.h"
#include "rows.h"

struct v9_top_names {
	const char *proc;		/* "/proc" but for tests */
	const char *symfs;		/* prefix of paths of objects, or NULL */
	struct v9_syms syms;
	struct v9_strtab strtab;
	struct v9_lines lines;
	size_t nr_kernel;		/* mappings of the kernel that .syms has */
	bool begun;
	enum v9_top_by by;		/* of the rows that are made */
	const struct v9_live_copy *state;
	struct v9_dso **dso;		/* of each object of .state; NULL: it is no file, or was not asked for */
	struct v9_bins known;		/* source lines that were looked up */
	struct v9_bins processes;	/* whose mappings were read, of these rows */
};

void v9_top_names_init(struct v9_top_names *n, const char *proc, const char *symfs);
void v9_top_names_free(struct v9_top_names *n);

/*
 * Before v9_top_group(), with @n as its argument. Rows of before lose their names: memory of a set of names
 * that has become large is freed.
 */
void v9_top_names_begin(struct v9_top_names *n, const struct v9_live_copy *s, enum v9_top_by by);

/* Callbacks of v9_top_group() */
void v9_top_place_of(void *names, const struct v9_live_sum *sum, struct v9_top_place *place);
void v9_top_class_of(void *names, const struct v9_live_class *class, struct v9_top_place *place);

#endif
