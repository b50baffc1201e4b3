// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Trace Buffer Extension: windows in the AUX buffer. Usually in Fill mode:
 * the unit writes from the pointer up to the limit and stops. Long before that
 * its trigger counter interrupts: it counts bytes as soon as there was a trigger,
 * which we claim (TRBE-PT12). Nothing is lost then. A buffer that is overwritten
 * is used in Circular mode: the unit goes round and nothing happens until it is
 * stopped.
 */
#include "compat.h"
#include "ete.h"
#include "v9trace/errata.h"
#include "v9trace/gen/regs.h"
#include "v9trace/plan.h"

/* Room below which a window is not worth its interrupt: the first packets of a session. */
#define V9_TRBE_LEAST	64

int v9_trbe_open(struct v9_ete_cpu *cpu, struct perf_event *event, const struct v9_ete_unit *unit,
		 bool *wrote)
{
	u64 errata = cpu->state.errata;
	struct v9_aux aux = {
		.align = unit->align,
		.max_record = max_t(u64, unit->align, V9_TRBE_LEAST),
		.granule = unit->granule,
		.twice = true,
		.early = true,
		.spoiled = v9_trbe_may_spoil_base(errata) ? V9_TRBE_SPOILED : 0,
		.beyond = v9_trbe_may_write_beyond(errata) ? unit->granule : 0,
	};
	struct v9_window w;
	struct v9_buf *buf = v9_pmu_open(&cpu->u, event, &aux, &w, wrote);
	u64 base, mode, trigger;

	if (!buf)
		return -ENOSPC;
	base = (u64)buf->base;
	mode = buf->snapshot ? V9_TRBLIMITR_EL1_FM_CIRCULAR : V9_TRBLIMITR_EL1_FM_FILL;
	trigger = w.early ? V9_TRBLIMITR_EL1_TM_IRQ : V9_TRBLIMITR_EL1_TM_IGNORE;
	cpu->regs = (struct v9_trbe_regs) {
		.trbbaser = base + w.base,
		.trbptr = base + w.ptr,
		.trblimitr = (base + w.limit) | V9_TRBLIMITR_EL1_E |
			     V9_PUT(V9_TRBLIMITR_EL1_FM, mode) |
			     V9_PUT(V9_TRBLIMITR_EL1_TM, trigger),
		.trbsr = w.early ? V9_TRBSR_EL1_TRG : 0,
		.trbtrg = w.early,
	};
	if (buf->snapshot)
		cpu->u.handle.head += w.pad;
	return 0;
}

/* The head goes on by what was written, however often the unit went round. */
static u64 close_round(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now,
		       struct v9_judgement *j)
{
	struct v9_buf *buf = perf_get_aux(&cpu->u.handle);
	u64 limit = cpu->regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT;
	struct v9_turns turns;

	if (!j->data)
		return 0;
	if (v9_plan_turns(cpu->regs.trbptr, cpu->regs.trbbaser, limit, now->trbptr, j->wrapped,
			  &turns)) {
		j->flags |= V9_AUX_TRUNCATED;
		return 0;
	}
	cpu->u.handle.head += turns.moved;
	/* Mapped twice, so these are one piece. */
	memset(buf->base + cpu->u.handle.head % buf->size, V9_TRACE_PADDING, turns.stale);
	return turns.data;
}

void v9_trbe_close(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now, struct v9_judgement j)
{
	struct v9_buf *buf = perf_get_aux(&cpu->u.handle);
	u64 limit = cpu->regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT;
	u64 ptr = j.full ? limit : now->trbptr;		/* TRBE-PT7 */
	u64 used = 0;

	if (!buf)
		return;
	if (buf->snapshot)
		used = close_round(cpu, now, &j);
	else if (j.data && v9_plan_used(cpu->regs.trbptr, limit, ptr, &used))
		j.flags |= V9_AUX_TRUNCATED;
	v9_pmu_close(&cpu->u, used, j.flags | V9_AUX_RAW_TRACE);
}
