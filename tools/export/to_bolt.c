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
	void **all = v9_bins_sorted(&o->branches, 3);

	for (size_t i = 0; i < o->branches.used; i++) {
		const struct v9_object_branch *b = all[i];

		fputc('T', x->f);
		put(x->f, b->from);
		put(x->f, b->to);
		put(x->f, b->end);
		fprintf(x->f, " %" PRIu64 "\n", b->n);
	}
	free(all);
}

const struct v9_sink v9_sink_bolt = {
	.name = "bolt", .help = "branches of one object for perf2bolt -pa",
	.next = "perf2bolt -pa -p FILE -o FDATA PROGRAM",
	.write = bolt_write, V9_OF_OBJECT,
};
