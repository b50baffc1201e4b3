/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Branches of one object, for compilers and linkers: --binary, or the object with most branches. */
#ifndef V9TRACE_EXPORT_OBJECT_H
#define V9TRACE_EXPORT_OBJECT_H

#include <limits.h>

#include "../capture/lines.h"
#include "export.h"

/* In place of an address: that side of a branch is not known, or is in another object. */
#define V9_SIDE_UNKNOWN	UINT64_MAX
#define V9_SIDE_OUTSIDE	(UINT64_MAX - 1)

/* A branch of the object; see struct v9_branch_count. What ran is known if .to and .end have addresses. */
struct v9_object_branch {
	uint64_t from, to, end;		/* the key */
	uint64_t n;
};

struct v9_export_object {
	struct v9_bins objects;		/* in the capture that is read, with the sums of each */
	struct v9_dso *dso;		/* the object in that capture; NULL: no branch of it */
	struct v9_bins branches;	/* of all captures that were read: struct v9_object_branch */
	struct v9_export_note note;
};

/*
 * Lines of the object, from the file --binary alone if there is one: v9trace fdo has closed the capture
 * when it writes.
 */
struct v9_object_lines {
	struct v9_lines lines;
	struct v9_syms syms;
	struct v9_strtab strtab;
	struct v9_dso dso;
	char path[PATH_MAX];
};

void v9_object_lines_open(struct v9_object_lines *l, const struct v9_export *x,
			  const struct v9_export_object *o);
void v9_object_lines_close(struct v9_object_lines *l);
/* Says that nothing that ran has a line, and sets x->failed. */
void v9_object_lineless(struct v9_export *x, const struct v9_export_object *o,
			const struct v9_object_lines *l);

static inline bool v9_side_known(uint64_t addr)
{
	return addr < V9_SIDE_OUTSIDE;
}

/* Functions of a sink that has .write */
void v9_object_init(struct v9_export_object *o);
bool v9_object_begin(struct v9_export *x);
void v9_object_branch(struct v9_export *x, const struct v9_branch_count *s);
void v9_object_loss(struct v9_export *x, const struct v9_loss *l);
void v9_object_end(struct v9_export *x);
/* Its two steps: to choose the object and to add up its branches, to write */
void v9_object_add(struct v9_export *x);
void v9_object_finish(struct v9_export *x);
void v9_object_free(struct v9_export *x);

#define V9_OF_OBJECT \
	.takes = { [V9_KIND_SPE] = V9_SINK_BRANCHES, [V9_KIND_ETE] = V9_SINK_BRANCHES, \
		   [V9_KIND_BRANCHES] = V9_SINK_BRANCHES }, \
	.begin = v9_object_begin, .branch = v9_object_branch, .loss = v9_object_loss, \
	.end = v9_object_end, .free = v9_object_free

#endif
