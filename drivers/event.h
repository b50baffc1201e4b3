/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf calls for an event: start(), stop(), add(), del(), and pausing.
 */
#ifndef V9TRACE_EVENT_H
#define V9TRACE_EVENT_H

#include <linux/perf_event.h>

#include <asm/sysreg.h>

#include "compat.h"
#include "unit.h"

/**
 * v9_pmu_check_event - what no unit honours
 * @event: a new event
 *
 * exclude_hv and exclude_guest always hold: a kernel at EL2 is its own hypervisor
 * and goes by exclude_kernel, a higher one and all guests are never seen (SPE-EN3,
 * SPE-EN4, TRBE-OW3, TRBE-OW4). So exclude_host leaves nothing.
 *
 * Return: 0; -ENOENT if it is not for this PMU; -EINVAL, -EOPNOTSUPP.
 */
int v9_pmu_check_event(struct perf_event *event);

/* The work of struct v9_pmu_cpu: @resume and @off */
void v9_pmu_init_work(struct v9_pmu_cpu *cpu);

/* Of hw.state: perf wants it to run, but another event has paused it. */
#define V9_HES_PAUSED	PERF_HES_ARCH

/* Does what runs differ from what shall? */
static __always_inline bool v9_pmu_pause_pending(const struct perf_event *event)
{
	return v9_is_paused(event) ? !(event->hw.state & PERF_HES_STOPPED) :
				     event->hw.state & V9_HES_PAUSED;
}

/* Have its filters or mappings changed since the event read them? */
static __always_inline bool v9_pmu_is_stale(const struct perf_event *event)
{
	return READ_ONCE(event->addr_filters_gen) != event->hw.addr_filters_gen;
}

/**
 * v9_pmu_apply_pause - pause or resume, if what runs differs from what shall
 * @event: the event, of this CPU
 *
 * perf may hold the lock of the filters on this CPU, since an event that resumes can overflow
 * anywhere. A stale event stays paused until an interrupt can be taken: then nobody here has it.
 */
void v9_pmu_apply_pause(struct perf_event *event);

/**
 * v9_pmu_busy - something of ours begins on this CPU
 * @cpu: this CPU
 *
 * The event that pauses can overflow anywhere: in a non-maskable interrupt, or in a tracepoint
 * that is met in the midst of a start. Then nothing is done there but by perf, which notes what it
 * wants; who is busy finds the note when done.
 */
static __always_inline void v9_pmu_busy(struct v9_pmu_cpu *cpu)
{
	if (!PERF_PMU_CAP_AUX_PAUSE)
		return;
	WRITE_ONCE(cpu->busy, true);
	barrier();
}

/**
 * v9_pmu_done - and ends
 * @cpu: this CPU
 * @event: NULL, or who may have been paused or resumed meanwhile
 */
static __always_inline void v9_pmu_done(struct v9_pmu_cpu *cpu, struct perf_event *event)
{
	if (!PERF_PMU_CAP_AUX_PAUSE)
		return;
	barrier();
	WRITE_ONCE(cpu->busy, false);
	if (event && unlikely(v9_pmu_pause_pending(event)))
		v9_pmu_apply_pause(event);
}

/**
 * v9_pmu_irq_enter - an interrupt of the unit
 * @cpu: this CPU
 *
 * Return: for v9_pmu_irq_leave().
 */
static __always_inline u64 v9_pmu_irq_enter(struct v9_pmu_cpu *cpu)
{
	v9_pmu_busy(cpu);
	cpu->stat[V9_STAT_INTERRUPTS]++;
	return read_sysreg(cntvct_el0);
}

/**
 * v9_pmu_irq_leave - and its end
 * @cpu: this CPU
 * @since: when it began
 */
static __always_inline void v9_pmu_irq_leave(struct v9_pmu_cpu *cpu, u64 since)
{
	u64 ticks = read_sysreg(cntvct_el0) - since;

	if (unlikely(ticks > cpu->stat[V9_STAT_LONGEST]))
		cpu->stat[V9_STAT_LONGEST] = ticks;
	v9_pmu_done(cpu, cpu->event);
}

/* It was to start, and found no room or a unit that gave up; who is paused just waits. */
static __always_inline bool v9_pmu_lacks_room(const struct perf_event *event)
{
	return (event->hw.state & (PERF_HES_STOPPED | V9_HES_PAUSED)) == PERF_HES_STOPPED;
}

/**
 * v9_pmu_no_room - tell the consumer that there was no room for a window
 * @cpu: this CPU
 *
 * perf disables the event until the consumer has read.
 */
void v9_pmu_no_room(struct v9_pmu_cpu *cpu);

/* The event is switched off as soon as interrupts are on: under perf's locks it cannot be. */
static inline void v9_pmu_off_soon(struct v9_pmu_cpu *cpu)
{
	cpu->no_room = true;
	irq_work_queue(&cpu->off);
}

/**
 * v9_pmu_start - start() of struct pmu
 * @event: the event
 * @flags: PERF_EF_*
 * @start: of the driver; leaves in hw.state whether it runs, and if there was no room the
 *	transaction as v9_pmu_open() did
 */
static __always_inline void v9_pmu_start(struct perf_event *event, int flags,
					 void (*start)(struct perf_event *event, int flags))
{
	struct v9_pmu_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);

	if (unlikely(flags & PERF_EF_RESUME)) {
		if (!READ_ONCE(cpu->busy))
			v9_pmu_apply_pause(event);
		return;
	}
	v9_pmu_busy(cpu);
	if (unlikely(v9_is_paused(event)))
		event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE | V9_HES_PAUSED;
	else
		start(event, flags);
	/* Full: who adds it tells perf, who resumes or restarts it does not. */
	if (unlikely(!(flags & PERF_EF_START)) && unlikely(v9_pmu_lacks_room(event)))
		v9_pmu_off_soon(cpu);
	v9_pmu_done(cpu, event);
}

/**
 * v9_pmu_stop - stop() of struct pmu
 * @event: the event
 * @flags: PERF_EF_*
 * @stop: of the driver; nothing happens if the event is stopped
 */
static __always_inline void v9_pmu_stop(struct perf_event *event, int flags,
					void (*stop)(struct perf_event *event, int flags))
{
	struct v9_pmu_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);

	if (unlikely(flags & PERF_EF_PAUSE)) {
		if (!READ_ONCE(cpu->busy))
			v9_pmu_apply_pause(event);
		return;
	}
	v9_pmu_busy(cpu);
	stop(event, flags);
	/* Who unmaps the buffer wants it closed now. */
	if (unlikely(cpu->no_room)) {
		cpu->no_room = false;
		v9_pmu_no_room(cpu);
	}
	event->hw.state &= ~V9_HES_PAUSED;
	v9_pmu_done(cpu, NULL);
}

/**
 * v9_pmu_add_no_room - an event was added, and there was no room
 * @cpu: this CPU
 * @event: the event
 *
 * A task's event is added again when the task comes back. Nothing brings back that of a CPU: perf
 * takes no turns with events in perf_sw_context, and to switch on what is not off does nothing. So
 * it counts as added, and @off switches it off when interrupts are on: a reader who makes room and
 * switches it on again, as perf does after each read, has it back.
 *
 * With PREEMPT_RT that of a task, too. A thread wakes up readers there: told at each switch to the
 * task, it would take the CPU from the task each time, and the task would not get on.
 *
 * Return: what add() returns.
 */
int v9_pmu_add_no_room(struct v9_pmu_cpu *cpu, struct perf_event *event);

/**
 * v9_pmu_add - add() of struct pmu
 * @event: the event
 * @flags: PERF_EF_*
 * @start: start() of the same
 *
 * Here, like all that runs at each task switch, to become one piece with what calls it.
 *
 * Return: 0 or an errno.
 */
static __always_inline int v9_pmu_add(struct perf_event *event, int flags,
				      void (*start)(struct perf_event *event, int flags))
{
	struct v9_pmu_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);

	if (unlikely(cpu->ready != V9_READY) && !v9_pmu_refresh(cpu))
		return -ENOENT;
	if (unlikely(cpu->event))
		return -EBUSY;
	cpu->event = event;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!(flags & PERF_EF_START))
		return 0;
	start(event, PERF_EF_START);
	return likely(!v9_pmu_lacks_room(event)) ? 0 : v9_pmu_add_no_room(cpu, event);
}

/**
 * v9_pmu_del - del() of struct pmu
 * @event: the event
 * @stop: stop() of the same
 */
static __always_inline void v9_pmu_del(struct perf_event *event,
				       void (*stop)(struct perf_event *event, int flags))
{
	struct v9_pmu_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);

	stop(event, PERF_EF_UPDATE);
	if (likely(cpu->event == event))
		cpu->event = NULL;
}

#endif
