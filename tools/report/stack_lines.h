/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Levels of a stack below its function: functions that were inlined, and the line of the source. */
#ifndef V9TRACE_REPORT_STACK_LINES_H
#define V9TRACE_REPORT_STACK_LINES_H

#include "sink.h"

#define V9_INLINED_MOST	63	/* of one instruction; those in the middle of the source are left out */

struct v9_stack_lines {
	struct v9_report *r;
	struct v9_lines lines;
	struct v9_bins places;		/* object and address -> number */
	struct v9_strtab texts;		/* what a chain consists of -> number */
	struct v9_stack_chain *chain;	/* by number; that of 0 is empty */
	size_t nr;
};

void v9_stack_lines_init(struct v9_stack_lines *l, struct v9_report *r);
void v9_stack_lines_free(struct v9_stack_lines *l);

/* Returns the number of the levels below the function at an address in @d; 0: none is known. */
uint32_t v9_stack_lines_at(struct v9_stack_lines *l, struct v9_dso *d, uint64_t addr);

/*
 * Sets the line of @level, which is a function, and appends the levels of @number: at most
 * V9_INLINED_MOST + 1. Returns how many. Their strings are valid until the report is freed.
 */
size_t v9_stack_lines_put(const struct v9_stack_lines *l, uint32_t number,
			  struct v9_stack_level *level);

#endif
