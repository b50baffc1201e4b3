// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What the feeds of all kinds of trace share. */
#include "sink.h"

const struct v9_weight_row v9_weights[V9_WEIGHTS] = {
	[V9_W_SAMPLES] = { "samples", "count", V9_KIND_SPE },
	[V9_W_LATENCY] = { "latency", "cycles", V9_KIND_SPE },
	[V9_W_ISSUE] = { "issue", "cycles", V9_KIND_SPE },
	[V9_W_XLAT] = { "translation", "cycles", V9_KIND_SPE },
	[V9_W_L1_MISSES] = { "misses", "count", V9_KIND_SPE },
	[V9_W_LLC_MISSES] = { "llc-misses", "count", V9_KIND_SPE },
	[V9_W_TLB_MISSES] = { "tlb-misses", "count", V9_KIND_SPE },
	[V9_W_MISPREDICTS] = { "mispredicts", "count", V9_KIND_SPE },
	[V9_W_INSTRUCTIONS] = { "instructions", "count", V9_KIND_ETE },
	[V9_W_CYCLES] = { "cycles", "cycles", V9_KIND_ETE },
	[V9_W_CALLS] = { "calls", "count", V9_KIND_ETE },
	[V9_W_TIME] = { "time", "nanoseconds", V9_KIND_ETE },
};

void v9_level_of(struct v9_stack_level *l, const struct v9_place *place, bool kernel)
{
	*l = (struct v9_stack_level){
		.what = V9_LEVEL_FUNCTION,
		.name = place->func ? place->func->name : "[unknown]",
		.func = place->func, .dso = place->dso,
		.dso_name = place->dso_name ? place->dso_name : "[unknown]",
		.addr = place->func ? place->func->start + place->offset : place->offset,
		.addressed = place->dso, .kernel = kernel,
	};
}

void v9_export_time(struct v9_export *x, uint64_t first, uint64_t last)
{
	if (!x->has_time || first < x->first)
		x->first = first;
	if (!x->has_time || last > x->last)
		x->last = last;
	x->has_time = true;
}
