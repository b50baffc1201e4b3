// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perf calls for an event; see event.h.
 */
#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/perf_event.h>

#include "aux.h"
#include "event.h"
#include "tuning.h"

void v9_pmu_apply_pause(struct perf_event *event)
{
	struct v9_pmu_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);
	const struct pmu *pmu = event->pmu;

	/*
	 * A request that comes meanwhile sees @busy, and is carried out by the next turn of the
	 * loop.
	 */
	while (v9_pmu_pause_pending(event)) {
		if (event->hw.state & V9_HES_PAUSED) {
			if (unlikely(v9_pmu_is_stale(event))) {
				irq_work_queue(&cpu->resume);
				return;
			}
			event->hw.state &= ~V9_HES_PAUSED;
			pmu->start(event, 0);
		} else {
			pmu->stop(event, PERF_EF_UPDATE);
			event->hw.state |= V9_HES_PAUSED;
		}
	}
}

/* See v9_pmu_apply_pause(). If @busy is set, v9_pmu_done() resumes the event. */
static void v9_pmu_resume(struct irq_work *work)
{
	struct v9_pmu_cpu *cpu = container_of(work, struct v9_pmu_cpu, resume);
	struct perf_event *event = cpu->event;

	if (READ_ONCE(cpu->busy) || !event || !(event->hw.state & V9_HES_PAUSED))
		return;
	v9_pmu_busy(cpu);
	perf_event_addr_filters_sync(event);
	v9_pmu_done(cpu, event);
}

/* See v9_pmu_not_started(). Nothing is left to do if the event was stopped or removed before. */
static void v9_pmu_off(struct irq_work *work)
{
	struct v9_pmu_cpu *cpu = container_of(work, struct v9_pmu_cpu, off);
	struct perf_event *event = cpu->event;

	if (cpu->halt != V9_HALT_NO_ROOM)
		return;
	cpu->halt = V9_HALT_NONE;
	/* Another event may have been added and started since. */
	if (!event || !(event->hw.state & PERF_HES_STOPPED))
		return;
	v9_pmu_busy(cpu);
	v9_pmu_switch_off(cpu, event, V9_CAUSE_FULL, 0, 0);
	v9_pmu_done(cpu, NULL);
}

void v9_pmu_end_halt(struct v9_pmu_cpu *cpu)
{
	u8 halt = cpu->halt;

	cpu->halt = V9_HALT_NONE;
	/* The caller may be unmapping the buffer: close the AUX handle now. */
	if (halt == V9_HALT_NO_ROOM)
		v9_pmu_no_room(cpu);
}

void __cold v9_pmu_put_off(struct v9_pmu_cpu *cpu, struct perf_event *event)
{
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	cpu->halt = V9_HALT_THROTTLED;
	if (v9_pmu_reopen(cpu, event) || perf_aux_output_begin(&cpu->handle, event))
		v9_pmu_close(cpu, 0, V9_AUX_PARTIAL);
}

bool __cold v9_pmu_do_throttle(struct v9_pmu_cpu *cpu, u64 max)
{
	u64 now = read_sysreg(cntvct_el0), second = read_sysreg(cntfrq_el0);
	u64 wait = v9_rate_wait(&cpu->rate, now, second, max);

	if (!wait || cpu->ready != V9_READY)
		return false;
	wait = mul_u64_u64_div_u64(wait, NSEC_PER_SEC, second);
	cpu->ready = V9_READY_THROTTLED;
	cpu->stat[V9_STAT_THROTTLED]++;
	cpu->stat[V9_STAT_THROTTLED_TIME] += wait;
	hrtimer_start(&cpu->go_on, ns_to_ktime(wait), HRTIMER_MODE_REL_PINNED_HARD);
	return true;
}

static enum hrtimer_restart v9_pmu_go_on(struct hrtimer *timer)
{
	struct v9_pmu_cpu *cpu = container_of(timer, struct v9_pmu_cpu, go_on);

	if (cpu->ready == V9_READY_THROTTLED)
		cpu->ready = V9_READY;
	if (cpu->halt == V9_HALT_THROTTLED) {
		cpu->halt = V9_HALT_NONE;
		cpu->event->pmu->start(cpu->event, 0);
	}
	return HRTIMER_NORESTART;
}

void __cold v9_pmu_not_started(struct v9_pmu_cpu *cpu, struct perf_event *event)
{
	if (cpu->ready == V9_READY_THROTTLED) {
		v9_pmu_put_off(cpu, event);
		return;
	}
	cpu->halt = V9_HALT_NO_ROOM;
	irq_work_queue(&cpu->off);
}

void v9_pmu_init_work(struct v9_pmu_cpu *cpu)
{
	/*
	 * Hard: they change the state of this CPU, which needs interrupts off, also with
	 * PREEMPT_RT.
	 */
	cpu->resume = IRQ_WORK_INIT_HARD(v9_pmu_resume);
	cpu->off = IRQ_WORK_INIT_HARD(v9_pmu_off);
	v9_hrtimer_setup(&cpu->go_on, v9_pmu_go_on, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
}

int v9_pmu_check_event(struct perf_event *event)
{
	struct v9_pmu *unit = v9_to_pmu(event->pmu);
	struct perf_event_attr *attr = &event->attr;
	const char *why;
	bool frequency;

	if (attr->type != event->pmu->type)
		return -ENOENT;
	/* perf_pmu_register() sets members of the PMU that perf needs after this point. */
	if (!smp_load_acquire(&unit->registered))
		return -ENODEV;
	/* Loading may still fail, and perf unregisters a PMU without regard to its events. */
	if (!READ_ONCE(unit->driver->loaded))
		return -ENODEV;
	/*
	 * An inherited event is accepted and never runs, like its parent, so that fork() does not
	 * fail.
	 */
	if (!event->parent && event->cpu >= 0 && !cpumask_test_cpu(event->cpu, &unit->cpus))
		return -ENOENT;

	frequency = attr->freq && !unit->driver->samples;
	why = frequency ? "sampling by frequency" :
	      attr->exclude_idle ? "exclude_idle" :
	      attr->exclude_host ? "exclude_host" :
	      has_branch_stack(event) && !unit->driver->samples ? "branch stacks" : NULL;
	if (why) {
		dev_dbg(unit->dev, "event refused: no %s\n", why);
		return frequency ? -EINVAL : -EOPNOTSUPP;
	}
	if (!unit->driver->no_buffer)
		attr->aux_watermark = attr->aux_watermark ?: v9_setting(unit, V9_AUX_WATERMARK);
	return 0;
}

int v9_pmu_add_no_room(struct v9_pmu_cpu *cpu, struct perf_event *event)
{
	bool returns = event->attach_state & PERF_ATTACH_TASK && !IS_ENABLED(CONFIG_PREEMPT_RT);

	if (cpu->ready == V9_READY_THROTTLED || (cpu->ready && !returns)) {
		v9_pmu_not_started(cpu, event);
		return 0;
	}
	v9_pmu_no_room(cpu);
	cpu->event = NULL;
	/* It may have been paused, and resumed meanwhile: then @off is queued. */
	cpu->halt = V9_HALT_NONE;
	/*
	 * perf may have recorded that the ring is full, and would disable the event at its next
	 * stop (spe_pause:full_when_task_is_scheduled).
	 */
	event->pending_disable = 0;
	return -EINVAL;
}
