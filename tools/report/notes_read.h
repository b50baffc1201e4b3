/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fills the sums of instructions from a capture. */
#ifndef V9TRACE_REPORT_NOTES_READ_H
#define V9TRACE_REPORT_NOTES_READ_H

#include "../capture/trace.h"
#include "notes.h"
#include "report.h"

struct v9_noted {
	struct v9_report *r;
	struct v9_notes notes;		/* objects are struct v9_dso */
	struct v9_lookup lookup;
	bool has[V9_KINDS];		/* kinds that the capture has */
	uint64_t samples, placeless;	/* SPE: records, and those without a PC or object */
	uint64_t executed;		/* ETE: instructions */
	uint64_t followed, unfollowed[V9_FLOW_WHYS];	/* branches, as in struct v9_flow_counts */
	unsigned int places;		/* V9_FILTER_PLACES: options that were given */
	bool first;			/* nothing has read the capture before */
};

/*
 * Reads all kinds of trace of the open capture @r->s. @first: and prints the tables of what was lost; else
 * another report has done that, and its sums stay as they are. The function or object of an instruction
 * plays no role for the filter of @r.
 */
void v9_noted_read(struct v9_noted *n, struct v9_report *r, bool first);

/* Returns true if --symbol and --dso, if given, select that function of an object. */
bool v9_noted_wants(const struct v9_noted *n, const struct v9_dso *d, const struct v9_func *func);

/* Returns the function at @addr of @object, NULL if not known. */
const struct v9_func *v9_noted_func(struct v9_noted *n, const void *object, uint64_t addr);

/* Adds a row for each reason why branches could not be followed; @put adds all its cells. */
void v9_noted_unfollowed(struct v9_noted *n, void (*put)(void *arg, double percent,
							 const char *what, uint64_t branches),
			 void *arg);

/* Returns the share of @executed instructions of all that was executed, in percent. */
double v9_noted_share(const struct v9_noted *n, uint64_t executed);
void v9_noted_free(struct v9_noted *n);

#endif
