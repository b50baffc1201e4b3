// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_resume: resumes a paused session of the writer while this CPU holds the lock of perf's
 * address filters, as an event that overflows in a non-maskable interrupt could.
 *
 *	echo PMU >/sys/module/v9_resume/parameters/resume
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/string.h>

#ifdef PERF_PMU_CAP_AUX_PAUSE
/* Runs on the CPU of the event, with interrupts off; -EAGAIN if the event is not there. */
static int resume(struct perf_event *event)
{
	struct perf_addr_filters_head *filters = perf_event_addr_filters(event);
	unsigned long flags;
	int err = -EAGAIN;

	local_irq_save(flags);
	if (READ_ONCE(event->oncpu) == smp_processor_id() && event->hw.aux_paused &&
	    event->addr_filters_gen != event->hw.addr_filters_gen) {
		raw_spin_lock(&filters->lock);
		event->hw.aux_paused = 0;
		event->pmu->start(event, PERF_EF_RESUME);
		raw_spin_unlock(&filters->lock);
		err = 0;
	}
	local_irq_restore(flags);
	return err;
}
#else
static int resume(struct perf_event *event)
{
	return -EOPNOTSUPP;
}
#endif

static int resume_set(const char *text, const struct kernel_param *kp)
{
	struct perf_event *event;
	int err = -ENOENT;

	mutex_lock(&current->perf_event_mutex);
	list_for_each_entry(event, &current->perf_event_list, owner_entry)
		if (err == -ENOENT && sysfs_streq(event->pmu->name, text))
			err = resume(event);
	mutex_unlock(&current->perf_event_mutex);
	return err;
}

static const struct kernel_param_ops resume_ops = {
	.set = resume_set,
};
module_param_cb(resume, &resume_ops, NULL, 0200);
MODULE_PARM_DESC(resume, "write a PMU's name: the writer's paused session goes on");

MODULE_DESCRIPTION("v9trace selftests: resumed under a lock");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
