// SPDX-License-Identifier: GPL-2.0-only
/*
 * Windows of the Trace Buffer Extension in the AUX buffer.
 *
 * Usually the unit runs in Fill mode: it writes from the pointer up to the limit and stops. Well
 * before that its trigger counter interrupts. The counter counts bytes after a trigger; the driver
 * sets TRBSR_EL1.TRG at the start, so it counts from there (TRBE-PT12). Then nothing is lost.
 *
 * An overwritten buffer is used in Circular mode: the unit wraps without an interrupt until it is
 * stopped.
 *
 * A buffer that is one run of memory is given by its linear mapping, with the large pages that this
 * has, or by its physical address. If the free part of the ring continues at the start of the
 * buffer, the unit runs in Wrap mode: it interrupts at the end of the buffer, continues at its
 * start, and stops where the trigger counter ends, before unread data.
 *
 * An event with a trigger needs the counter for the bytes that follow the trigger. It is meant for
 * overwritten buffers: in another one trace is lost whenever a window is full.
 */
#include "compat.h"
#include "ete.h"
#include "v9trace/errata.h"
#include "v9trace/gen/regs.h"
#include "v9trace/plan.h"

/*
 * Let the unit stop by itself, a number of bytes after the trigger. If the task leaves the CPU in
 * between, the rest of that number is kept in struct v9_buf; events that share the buffer share the
 * trigger.
 */
static noinline void aim(struct v9_ete_cpu *cpu, const struct v9_ete_reg_values *values)
{
	struct v9_buf *buf = cpu->u.buf;

	cpu->regs.trblimitr &= ~V9_TRBLIMITR_EL1_TM;
	/* Fill mode: in Wrap mode the unit would need the counter to stop before unread data. */
	if (buf->w.stop)
		cpu->regs.trblimitr &= ~V9_TRBLIMITR_EL1_FM;
	cpu->regs.trblimitr |= V9_PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_STOP);
	cpu->regs.trbsr = buf->triggered ? V9_TRBSR_EL1_TRG : 0;
	/* A pointer that the unit left need not be aligned (TRBE-UN5). */
	cpu->regs.trbtrg = buf->triggered ? buf->left :
					    v9_plan_counter(values->after, cpu->u.unit->aux.align);
}

/*
 * Read how many bytes are left. Another event may have stopped the unit before the trigger event.
 */
static noinline void read_trigger(struct v9_buf *buf, const struct v9_trbe_regs *now,
				  struct v9_fault_action j)
{
	buf->triggered = now->trbsr & V9_TRBSR_EL1_TRG;
	buf->left = now->trbtrg;
	buf->done = j.cause == V9_CAUSE_TRIGGER || (buf->triggered && !buf->left);
}

int v9_trbe_open(struct v9_ete_cpu *cpu, struct perf_event *event,
		 const struct v9_ete_reg_values *values, bool *wrote)
{
	struct v9_buf *buf = v9_pmu_open(&cpu->u, event, wrote, false);
	const struct v9_window *w;
	u64 base, mode, trigger;

	if (unlikely(!buf) || unlikely(buf->done))
		return -ENOSPC;
	w = &buf->w;
	base = buf->at;
	mode = buf->snapshot ? V9_TRBLIMITR_EL1_FM_CIRCULAR :
	       w->stop ? V9_TRBLIMITR_EL1_FM_WRAP : V9_TRBLIMITR_EL1_FM_FILL;
	trigger = w->early ? V9_TRBLIMITR_EL1_TM_IRQ :
		  w->stop ? V9_TRBLIMITR_EL1_TM_STOP : V9_TRBLIMITR_EL1_TM_IGNORE;
	cpu->regs.trbbaser = base + w->base;
	cpu->regs.trbptr = base + w->ptr;
	cpu->regs.trblimitr = (base + w->limit) | buf->nvm | V9_TRBLIMITR_EL1_E |
			      V9_PUT(V9_TRBLIMITR_EL1_FM, mode) |
			      V9_PUT(V9_TRBLIMITR_EL1_TM, trigger);
	cpu->regs.trbtrg = w->early ?: w->stop;
	cpu->regs.trbsr = cpu->regs.trbtrg ? V9_TRBSR_EL1_TRG : 0;
	if (unlikely(buf->snapshot))
		cpu->u.handle.head += w->pad;
	if (unlikely(values->trigger))
		aim(cpu, values);
	return 0;
}

/*
 * Move the head by the bytes written, however often the unit wrapped, and by padding to a multiple
 * of 8 bytes. In a full buffer the padding replaces the oldest bytes.
 */
static noinline u64 close_round(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now,
				struct v9_fault_action *j)
{
	struct v9_buf *buf = cpu->u.buf;
	u64 limit = cpu->regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT;
	struct v9_wrapped wrapped_data;
	struct v9_closed closed;

	if (v9_plan_wrapped(cpu->regs.trbptr, cpu->regs.trbbaser, limit, now->trbptr, j->wrapped,
			    &wrapped_data)) {
		j->flags |= V9_AUX_TRUNCATED;
		return 0;
	}
	v9_plan_closed(&wrapped_data, j->data, buf->size, &closed);
	cpu->u.handle.head += closed.moved;
	v9_pmu_fill(&cpu->u, cpu->u.handle.head % buf->size, closed.fill);
	cpu->u.handle.head += closed.pad;
	v9_pmu_drop(&cpu->u, closed.dropped);
	return closed.used;
}

/* At most one wrap: the counter stops the unit before a second one. */
static noinline u64 close_triggered(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now,
				    struct v9_fault_action *j)
{
	u64 limit = cpu->regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT;
	struct v9_wrapped wrapped_data;

	if (v9_plan_wrapped(cpu->regs.trbptr, cpu->regs.trbbaser, limit, now->trbptr, j->wrapped,
			    &wrapped_data) || wrapped_data.moved > wrapped_data.data) {
		j->flags |= V9_AUX_TRUNCATED;
		return 0;
	}
	return j->data ? wrapped_data.data : v9_pmu_drop(&cpu->u, wrapped_data.data);
}

void v9_trbe_close(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now, struct v9_fault_action j)
{
	u64 limit = cpu->regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT;
	u64 fm = V9_GET(V9_TRBLIMITR_EL1_FM, cpu->regs.trblimitr);
	u64 ptr = j.full ? limit : now->trbptr;		/* TRBE-PT7 */
	u64 used = 0;

	if (unlikely(!v9_pmu_is_open(&cpu->u)))
		return;
	if (unlikely(V9_GET(V9_TRBLIMITR_EL1_TM, cpu->regs.trblimitr) ==
		     V9_TRBLIMITR_EL1_TM_STOP && fm != V9_TRBLIMITR_EL1_FM_WRAP))
		read_trigger(cpu->u.buf, now, j);
	if (unlikely(fm == V9_TRBLIMITR_EL1_FM_WRAP))
		used = close_triggered(cpu, now, &j);
	else if (unlikely(cpu->u.buf->snapshot))
		used = close_round(cpu, now, &j);
	else if (v9_plan_used(cpu->regs.trbptr, limit, ptr, &used))
		j.flags |= V9_AUX_TRUNCATED;
	else if (unlikely(!j.data))
		used = v9_pmu_drop(&cpu->u, used);
	v9_pmu_close(&cpu->u, used, j.flags | V9_AUX_RAW_TRACE);
}
