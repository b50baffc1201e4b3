// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Pre-aggregated data of BOLT (perf2bolt -pa): lines "T FROM TO END COUNT" with addresses as linked. What
 * is not known is ffffffffffffffff, what is outside of the object X:0.
 */
#include <stdlib.h>
#include <string.h>

#include "object.h"

static char *put(char *p, uint64_t side)
{
	*p++ = ' ';
	if (v9_side_known(side))
		return p + v9_hex(p, side);
	if (side == V9_SIDE_UNKNOWN)
		return p + v9_hex(p, UINT64_MAX);
	return mempcpy(p, "X:0", 3);
}

static void bolt_write(struct v9_export *x, const struct v9_export_object *o)
{
	void **all = v9_bins_sorted(&o->branches, 3);

	for (size_t i = 0; i < o->branches.used; i++) {
		const struct v9_object_branch *b = all[i];
		char line[8 + 4 * V9_DIGITS_MOST], *p = line;

		*p++ = 'T';
		p = put(p, b->from);
		p = put(p, b->to);
		p = put(p, b->end);
		*p++ = ' ';
		p += v9_decimal(p, b->n);
		*p++ = '\n';
		fwrite(line, 1, (size_t)(p - line), x->f);
	}
	free(all);
}

const struct v9_sink v9_sink_bolt = {
	.name = "bolt", .help = "branches of one object for perf2bolt -pa",
	.next = "perf2bolt -pa -p FILE -o FDATA PROGRAM",
	.write = bolt_write, V9_OF_OBJECT,
};
