// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perf calls for an event; see event.h.
 */
#include <linux/perf_event.h>

#include "aux.h"
#include "event.h"

void v9_pmu_apply_pause(struct perf_event *event)
{
	struct v9_pmu_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);
	const struct pmu *pmu = event->pmu;

	/* What comes to be wanted meanwhile is left to us by whoever wants it. */
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

/* See v9_pmu_apply_pause(). Who is busy comes back to the event. */
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

/* See v9_pmu_off_soon(). Whoever stops or removes the event comes before. */
static void v9_pmu_off(struct irq_work *work)
{
	struct v9_pmu_cpu *cpu = container_of(work, struct v9_pmu_cpu, off);
	struct perf_event *event = cpu->event;

	if (!cpu->no_room || !event)
		return;
	cpu->no_room = false;
	v9_pmu_busy(cpu);
	v9_pmu_switch_off(cpu, event, V9_CAUSE_FULL, 0, 0);
	v9_pmu_done(cpu, NULL);
}

void v9_pmu_init_work(struct v9_pmu_cpu *cpu)
{
	/* Of this CPU's state, which tasks do not touch with interrupts on */
	cpu->resume = IRQ_WORK_INIT_HARD(v9_pmu_resume);
	cpu->off = IRQ_WORK_INIT_HARD(v9_pmu_off);
}

int v9_pmu_check_event(struct perf_event *event)
{
	struct v9_pmu *unit = v9_to_pmu(event->pmu);
	struct perf_event_attr *attr = &event->attr;
	const char *why;

	if (attr->type != event->pmu->type)
		return -ENOENT;
	/* Until perf_pmu_register() is over perf itself has not filled in all that it needs. */
	if (!smp_load_acquire(&unit->registered))
		return -ENODEV;
	/* Loading may still fail, and perf takes no notice of who has a PMU that goes. */
	if (!READ_ONCE(unit->driver->loaded))
		return -ENODEV;
	/* What is inherited waits there in vain, as its parent does: no fork() fails. */
	if (!event->parent && event->cpu >= 0 && !cpumask_test_cpu(event->cpu, &unit->cpus))
		return -ENOENT;

	why = attr->freq ? "sampling by frequency" :
	      attr->exclude_idle ? "exclude_idle" :
	      attr->exclude_host ? "exclude_host" :
	      has_branch_stack(event) ? "branch stacks" : NULL;
	if (!why)
		return 0;
	dev_dbg(unit->dev, "event refused: no %s\n", why);
	return attr->freq ? -EINVAL : -EOPNOTSUPP;
}

int v9_pmu_add_no_room(struct v9_pmu_cpu *cpu, struct perf_event *event)
{
	bool returns = event->attach_state & PERF_ATTACH_TASK && !IS_ENABLED(CONFIG_PREEMPT_RT);

	if (cpu->ready && !returns) {
		v9_pmu_off_soon(cpu);
		return 0;
	}
	v9_pmu_no_room(cpu);
	cpu->event = NULL;
	/* If it is full perf noted so, and would switch it off after it was on again. */
	event->pending_disable = 0;
	return -EINVAL;
}
