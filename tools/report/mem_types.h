/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* v9trace mem --types: sums of loads and stores by type and field. */
#ifndef V9TRACE_REPORT_MEM_TYPES_H
#define V9TRACE_REPORT_MEM_TYPES_H

#include "../capture/code.h"
#include "../capture/types.h"
#include "mem.h"

struct v9_mem_types {
	struct v9_lines lines;
	struct v9_types types;
	struct v9_code code;
	struct v9_bins at;		/* instructions that were looked up */
	struct v9_bins fields;
	struct v9_mem_sum unknown[V9_TYPE_WHYS];
};

void v9_mem_types_init(struct v9_mem_types *t, struct v9_syms *syms);
void v9_mem_types_add(struct v9_mem_types *t, struct v9_syms *syms, const struct v9_sampled *s,
		      bool store);
void v9_mem_types_print(struct v9_mem_types *t, struct v9_mem *m);
void v9_mem_types_free(struct v9_mem_types *t);

#endif
