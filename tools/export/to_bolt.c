// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Pre-aggregated data of BOLT (perf2bolt -pa): lines "T FROM TO END COUNT" with addresses as linked. What
 * is not known is ffffffffffffffff, what is outside of the object X:0.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "object.h"

static void put(FILE *f, uint64_t side)
{
	if (side == V9_SIDE_UNKNOWN)
		fprintf(f, " %016" PRIx64, UINT64_MAX);
	else if (v9_side_known(side))
		fprintf(f, " %" PRIx64, side);
	else
		fputs(" X:0", f);
}

static void bolt_write(struct v9_export *x, const struct v9_export_object *o)
{
	const struct v9_object_branch **all = v9_object_sorted(o);

	for (size_t i = 0; i < o->branches.used; i++) {
		fputc('T', x->f);
		put(x->f, all[i]->from);
		put(x->f, all[i]->to);
		put(x->f, all[i]->end);
		fprintf(x->f, " %" PRIu64 "\n", all[i]->n);
	}
	free(all);
}

const struct v9_sink v9_sink_bolt = {
	.name = "bolt", .help = "branches of one object for perf2bolt -pa",
	.next = "perf2bolt -pa -p FILE -o FDATA PROGRAM",
	.write = bolt_write, V9_OF_OBJECT,
};
