// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Trace Buffer Extension: windows in the AUX buffer. It is used in Fill
 * mode: the unit writes from the pointer up to the limit, stops, and interrupts.
 */
#include "compat.h"
#include "ete.h"
#include "v9trace/gen/regs.h"
#include "v9trace/plan.h"

/* Room below which a window is not worth its interrupt: the first packets of a session. */
#define V9_TRBE_LEAST	64

int v9_trbe_open(struct v9_ete_cpu *cpu, struct perf_event *event, const struct v9_ete_unit *unit,
		 bool *wrote)
{
	struct v9_aux aux = {
		.align = unit->align,
		.max_record = max_t(u64, unit->align, V9_TRBE_LEAST),
		.granule = unit->granule,
	};
	struct v9_window w;
	struct v9_buf *buf = v9_pmu_open(&cpu->u, event, &aux, &w, wrote);
	u64 base;

	if (!buf)
		return -ENOSPC;
	base = (u64)buf->base;
	cpu->regs = (struct v9_trbe_regs) {
		/* In Fill mode nothing is written below the pointer (TRBE-PT2, TRBE-PT7). */
		.trbbaser = round_down(base + w.ptr, unit->granule),
		.trbptr = base + w.ptr,
		.trblimitr = (base + w.limit) | V9_TRBLIMITR_EL1_E |
			     V9_PUT(V9_TRBLIMITR_EL1_FM, V9_TRBLIMITR_EL1_FM_FILL) |
			     V9_PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_IGNORE),
	};
	return 0;
}

void v9_trbe_close(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now, struct v9_judgement j)
{
	u64 limit = cpu->regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT;
	u64 ptr = j.full ? limit : now->trbptr;		/* TRBE-PT7 */
	u64 used = 0;

	if (!perf_get_aux(&cpu->u.handle))
		return;
	if (j.data && v9_plan_used(cpu->regs.trbptr, limit, ptr, &used))
		j.flags |= V9_AUX_TRUNCATED;
	v9_pmu_close(&cpu->u, used, j.flags | V9_AUX_RAW_TRACE);
}
