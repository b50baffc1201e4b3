/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What perf calls for an event: start(), stop(), add(), del(), and pausing.
 */
#ifndef V9TRACE_EVENT_H
#define V9TRACE_EVENT_H

#include <linux/perf_event.h>

#include <asm/sysreg.h>

#include "compat.h"
#include "tuning.h"
#include "unit.h"

/**
 * v9_pmu_check_event - refuse what no unit supports
 * @event: new event
 *
 * exclude_hv and exclude_guest are treated as set. A kernel at EL2 is its own hypervisor, for which
 * exclude_kernel counts; a hypervisor above the kernel and all guests are never profiled or traced
 * (SPE-EN3, SPE-EN4, TRBE-OW3, TRBE-OW4). So with exclude_host nothing is left.
 *
 * Return: 0; -ENOENT if the event is not for this PMU or CPU; -ENODEV while the module is loading;
 * -EINVAL or -EOPNOTSUPP if it is not supported.
 */
int v9_pmu_check_event(struct perf_event *event);

/* Initialise @resume, @off and @go_on of struct v9_pmu_cpu. */
void v9_pmu_init_work(struct v9_pmu_cpu *cpu);

/* In hw.state: the event is on, but another event of its group has paused it. */
#define V9_HES_PAUSED	PERF_HES_ARCH

/* Is a pause or resume requested that is not carried out yet? */
static __always_inline bool v9_pmu_pause_pending(const struct perf_event *event)
{
	return v9_is_paused(event) ? !(event->hw.state & PERF_HES_STOPPED) :
				     event->hw.state & V9_HES_PAUSED;
}

/* Have filters or mappings changed since the event read them? */
static __always_inline bool v9_pmu_is_stale(const struct perf_event *event)
{
	return READ_ONCE(event->addr_filters_gen) != event->hw.addr_filters_gen;
}

/**
 * v9_pmu_apply_pause - carry out a pause or resume that is requested
 * @event: event of this CPU
 *
 * The event that requests it can overflow anywhere, also while perf holds the lock of the address
 * filters on this CPU. So an event with changed filters stays paused until an irq_work can run:
 * the lock is not held on this CPU then.
 */
void v9_pmu_apply_pause(struct perf_event *event);

/**
 * v9_pmu_busy - code of the driver begins on this CPU
 * @cpu: this CPU
 *
 * The event that pauses or resumes can overflow anywhere: in a non-maskable interrupt, or in a
 * tracepoint inside start(). While @cpu->busy is set, such a request only changes hw.aux_paused of
 * the event; v9_pmu_done() carries it out.
 */
static __always_inline void v9_pmu_busy(struct v9_pmu_cpu *cpu)
{
	if (!PERF_PMU_CAP_AUX_PAUSE)
		return;
	WRITE_ONCE(cpu->busy, true);
	barrier();
}

/**
 * v9_pmu_done - code of the driver ends on this CPU
 * @cpu: this CPU
 * @event: event that may have been paused or resumed meanwhile, or NULL
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
 * v9_pmu_irq_enter - begin of the interrupt handler
 * @cpu: this CPU
 *
 * Return: time in ticks of CNTVCT_EL0, for v9_pmu_irq_leave().
 */
static __always_inline u64 v9_pmu_irq_enter(struct v9_pmu_cpu *cpu)
{
	v9_pmu_busy(cpu);
	cpu->stat[V9_STAT_INTERRUPTS]++;
	return read_sysreg(cntvct_el0);
}

/**
 * v9_pmu_irq_leave - end of the interrupt handler
 * @cpu: this CPU
 * @since: return value of v9_pmu_irq_enter()
 */
static __always_inline void v9_pmu_irq_leave(struct v9_pmu_cpu *cpu, u64 since)
{
	u64 ticks = read_sysreg(cntvct_el0) - since;

	cpu->stat[V9_STAT_HANDLER] += ticks;
	if (unlikely(ticks > cpu->stat[V9_STAT_LONGEST]))
		cpu->stat[V9_STAT_LONGEST] = ticks;
	v9_pmu_done(cpu, cpu->event);
}

/*
 * Did start() fail: no room in the buffer, or a unit that failed or is throttled? A paused event
 * did not fail.
 */
static __always_inline bool v9_pmu_start_failed(const struct perf_event *event)
{
	return (event->hw.state & (PERF_HES_STOPPED | V9_HES_PAUSED)) == PERF_HES_STOPPED;
}

/**
 * v9_pmu_no_room - report to the reader that there was no room for a window
 * @cpu: this CPU
 *
 * The AUX record is empty and marked as truncated. perf disables the event until the reader enables
 * it again.
 */
void v9_pmu_no_room(struct v9_pmu_cpu *cpu);

/**
 * v9_pmu_end_halt - the event was stopped: set @halt of struct v9_pmu_cpu to V9_HALT_NONE
 * @cpu: this CPU, its @halt is not V9_HALT_NONE
 */
void v9_pmu_end_halt(struct v9_pmu_cpu *cpu);

/**
 * v9_pmu_do_throttle - v9_pmu_throttle() for a limit that is not 0
 * @cpu: this CPU
 * @max: the limit
 *
 * Return: as v9_pmu_throttle().
 */
bool v9_pmu_do_throttle(struct v9_pmu_cpu *cpu, u64 max);

/**
 * v9_pmu_throttle - in the interrupt handler of an event: are there too many interrupts?
 * @cpu: this CPU
 *
 * Until the second of tuning/max_interrupts ends no event is started on this CPU. An event that
 * could go on is put off, see v9_pmu_put_off(). Interrupts that disable their event are counted,
 * too: a reader can enable it at once.
 *
 * Return: true if there are; the caller turns the unit off.
 */
static __always_inline bool v9_pmu_throttle(struct v9_pmu_cpu *cpu)
{
	u64 max = v9_setting(cpu->unit, V9_MAX_INTERRUPTS);

	return unlikely(max) && v9_pmu_do_throttle(cpu, max);
}

/**
 * v9_pmu_put_off - the event should run, but the unit is throttled
 * @cpu: this CPU, its AUX handle closed, its @ready is V9_READY_THROTTLED
 * @event: event
 *
 * The event stays on, and is started when the second ends. An empty AUX record with the flag
 * PARTIAL says that data is missing. The flag TRUNCATED would wake the reader at each context
 * switch. Without an AUX buffer there is no record.
 */
void v9_pmu_put_off(struct v9_pmu_cpu *cpu, struct perf_event *event);

/**
 * v9_pmu_not_started - start() failed
 * @cpu: this CPU
 * @event: event
 *
 * If the unit is throttled the event is started later. Else it is disabled as soon as interrupts
 * are on: it cannot be disabled under perf's locks.
 */
void v9_pmu_not_started(struct v9_pmu_cpu *cpu, struct perf_event *event);

/**
 * v9_pmu_start - start() of struct pmu
 * @event: event
 * @flags: PERF_EF_*
 * @start: start function of the driver. It clears hw.state if the event runs. If there was no room
 *	it leaves the AUX handle as v9_pmu_open() left it
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
	/* Only add() reports a full buffer by its return value. */
	if (unlikely(!(flags & PERF_EF_START)) && unlikely(v9_pmu_start_failed(event)))
		v9_pmu_not_started(cpu, event);
	v9_pmu_done(cpu, event);
}

/**
 * v9_pmu_stop - stop() of struct pmu
 * @event: event
 * @flags: PERF_EF_*
 * @stop: stop function of the driver. It does nothing if the event is stopped already
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
	if (unlikely(cpu->halt))
		v9_pmu_end_halt(cpu);
	event->hw.state &= ~V9_HES_PAUSED;
	v9_pmu_done(cpu, NULL);
}

/**
 * v9_pmu_add_no_room - add() found no room for a window, or a unit that is throttled
 * @cpu: this CPU
 * @event: event
 *
 * A unit that is throttled starts the event later, and add() succeeds.
 *
 * A task's event is added again when the task is scheduled in next, so add() fails.
 *
 * A CPU's event may not be added again: perf of 6.1 does not rotate events of perf_sw_context,
 * later ones do by a timer, and enabling an event that is not off does nothing. So add() succeeds,
 * and @cpu->off disables the event when interrupts are on. A reader that makes room and enables
 * the event, as perf does after each read, restarts it.
 *
 * With PREEMPT_RT the same is done for a task's event. A thread wakes readers there.
 * Woken at each schedule-in of the task, it would preempt the task each time, and the task would
 * make no progress.
 *
 * Return: what add() returns.
 */
int v9_pmu_add_no_room(struct v9_pmu_cpu *cpu, struct perf_event *event);

/**
 * v9_pmu_add - add() of struct pmu
 * @event: event
 * @flags: PERF_EF_*
 * @start: start() of the same PMU
 *
 * It is inline, like all that runs at each task switch, so that the compiler merges it with its
 * caller.
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
	return likely(!v9_pmu_start_failed(event)) ? 0 : v9_pmu_add_no_room(cpu, event);
}

/**
 * v9_pmu_del - del() of struct pmu
 * @event: event
 * @stop: stop() of the same PMU
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
