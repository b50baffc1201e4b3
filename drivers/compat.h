/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All differences between kernels. The sources are written for the newest one. Each entry says what
 * changed, in which kernel, and with which kernel the entry can be deleted. Features are found in
 * the kernel's headers (V9_HAVE_*, from drivers/probes), not by its version, because kernels of
 * distributions have backports.
 */
#ifndef V9TRACE_COMPAT_H
#define V9TRACE_COMPAT_H

#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>

#ifndef V9_PROBED
#error "the kernel's headers were not probed; see what awk said of drivers/probes"
#endif

#if !defined(V9_HAVE_PENDING_IRQ)
#error "v9trace needs Linux 6.1 or newer; it is tested on 6.1, 6.12 and 7.2"
#endif

#ifdef V9_HAVE_KVM_ENABLE_TRBE
#include <linux/dcache.h>	/* v9_read_kvm_facts() */
#include <linux/debugfs.h>
#include <linux/kvm_host.h>	/* v9_notify_kvm() */
#include <asm/cpufeature.h>
#include <asm/virt.h>
#endif

#include <linux/cleanup.h>	/* 6.1 has it since a stable release */

#include "v9trace/check_kvm.h"

/*
 * Symbol namespaces are named by a string.
 * 6.13. Delete with 6.12.
 */
#ifdef V9_HAVE_NAMESPACE_STRING
#define V9_NAMESPACE "V9TRACE"
#else
#define V9_NAMESPACE V9TRACE
#endif

/*
 * __platform_driver_register() takes the module's name, too, for built-in drivers.
 * 7.2. Delete with 6.12.
 */
static inline int v9_register_driver(struct platform_driver *driver, struct module *owner)
{
#ifdef V9_HAVE_DRIVER_MOD_NAME
	return __platform_driver_register(driver, owner, driver->driver.name);
#else
	return __platform_driver_register(driver, owner);
#endif
}

/*
 * A timer is initialised with its function.
 * 6.13. Delete with 6.12.
 */
static inline void v9_hrtimer_setup(struct hrtimer *timer,
				    enum hrtimer_restart (*function)(struct hrtimer *),
				    clockid_t clock, enum hrtimer_mode mode)
{
#ifdef V9_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

/*
 * perf_allow_kernel() takes no argument; before, the attributes. In 6.1 it is inline and needs
 * symbols that are not exported. Without a security module it checks the capability, or that
 * perf_event_paranoid is below 2. A module can check only the capability.
 * 7.2, and 6.12 since its 110s. Delete with 6.12.
 */
static inline int v9_allow_kernel(struct perf_event_attr *attr)
{
#if defined(V9_HAVE_PERF_ALLOW_KERNEL) && defined(V9_HAVE_PERF_ALLOW_KERNEL_VOID)
	return perf_allow_kernel();
#elif defined(V9_HAVE_PERF_ALLOW_KERNEL) && defined(V9_HAVE_PERF_ALLOW_KERNEL_ATTR)
	return perf_allow_kernel(attr);
#else
	return perfmon_capable() ? 0 : -EACCES;
#endif
}

/*
 * Option words in struct perf_event_attr: config3 since 6.3, config4 since 7.2. A perf that does
 * not have a word refuses every event of a PMU with an option in it, so such options are not
 * offered. Delete with 6.12.
 */
#ifdef V9_HAVE_CONFIG4
#define V9_KERNEL_WORDS		5
#elif defined(V9_HAVE_CONFIG3)
#define V9_KERNEL_WORDS		4
#else
#define V9_KERNEL_WORDS		3
#endif

static inline u64 v9_config3(const struct perf_event_attr *attr)
{
#if V9_KERNEL_WORDS > 3
	return attr->config3;
#else
	return 0;
#endif
}

static inline u64 v9_config4(const struct perf_event_attr *attr)
{
#if V9_KERNEL_WORDS > 4
	return attr->config4;
#else
	return 0;
#endif
}

/*
 * struct pmu.parent shows the PMU below its device in sysfs.
 * 6.12. Delete with 6.1.
 */
static inline void v9_set_pmu_parent(struct pmu *pmu, struct device *dev)
{
#ifdef V9_HAVE_PMU_PARENT
	pmu->parent = dev;
#endif
}

/*
 * A PMU's ->filter keeps its task events off CPUs that have no unit; a pinned event would be put
 * into error state for good there. Before, ->filter_match decides for each event, and an event that
 * it excludes gets no side-band of its task either (mmap, comm). So it excludes pinned events only.
 * 6.2. Delete with 6.1.
 */
bool v9_pmu_filter(struct pmu *pmu, int cpu);

#ifdef V9_HAVE_PMU_FILTER
static inline void v9_set_pmu_filter(struct pmu *pmu)
{
	pmu->filter = v9_pmu_filter;
}
#elif defined(V9_HAVE_PMU_FILTER_MATCH)
static inline int v9_filter_match(struct perf_event *event)
{
	return !event->group_leader->attr.pinned ||
	       !v9_pmu_filter(event->pmu, raw_smp_processor_id());
}

static inline void v9_set_pmu_filter(struct pmu *pmu)
{
	pmu->filter_match = v9_filter_match;
}
#else
#error "a struct pmu that nobody can ask which CPUs it is for"
#endif

/*
 * Before, a task's context points to the PMU of its first software event for the life of the task,
 * and perf reads it at each context switch. So struct pmu is not freed when the module is unloaded,
 * and neither is its per-CPU count: perf is given another one to free. A concurrent
 * perf_event_open() may have found the PMU by its number and may be about to take its module.
 * 6.2. Delete with 6.1.
 */
#ifdef V9_HAVE_PERF_PMU_CONTEXT
#define V9_PMU_STAYS	0
#else
#define V9_PMU_STAYS	1
#endif

static inline void v9_unregister_pmu(struct pmu *pmu)
{
#if V9_PMU_STAYS
	int __percpu *count = pmu->pmu_disable_count;
	int __percpu *other = alloc_percpu(int);

	if (other)
		pmu->pmu_disable_count = other;
	perf_pmu_unregister(pmu);
	if (other)
		pmu->pmu_disable_count = count;
	synchronize_rcu_tasks();	/* it may have been preempted */
#else
	perf_pmu_unregister(pmu);
#endif
}

/*
 * Reports the trace ID of an event to perf. Without it perf assumes an ID for each CPU, which is
 * the one that v9_ete_trace_id() returns.
 * Exported since 6.2. Delete with 6.1.
 */
static inline void v9_report_hw_id(struct perf_event *event, u64 hw_id)
{
#ifdef V9_HAVE_REPORT_AUX_OUTPUT_ID
	perf_report_aux_output_id(event, hw_id);
#endif
}

/*
 * KVM drains the trace buffer before it enters a guest only if it was notified that one is in use;
 * before, it reads the register. check_kvm.h says when it may be notified.
 * 6.14. Delete with 6.12.
 */
#ifdef V9_HAVE_KVM_ENABLE_TRBE
static inline struct v9_kvm_facts v9_read_kvm_facts(void)
{
	struct v9_kvm_facts facts = {
		.notify = IS_ENABLED(CONFIG_KVM),
		.at_el2 = is_kernel_in_hyp_mode(),
		.protected = cpus_have_cap(ARM64_KVM_PROTECTED_MODE),
		.debugfs = debugfs_initialized(),
	};
	u64 pfr0 = read_sanitised_ftr_reg(SYS_ID_AA64PFR0_EL1);
	struct dentry *kvm = facts.debugfs ? debugfs_lookup("kvm", NULL) : NULL;

	facts.el2 = cpuid_feature_extract_unsigned_field(pfr0, ID_AA64PFR0_EL1_EL2_SHIFT);
	if (!IS_ERR_OR_NULL(kvm)) {
		facts.runs = true;
		dput(kvm);
	}
	return facts;
}

static __always_inline void v9_notify_kvm(struct static_key_false *listens, bool in_use)
{
	if (!static_branch_unlikely(listens))
		return;
	if (in_use)
		kvm_enable_trbe();
	else
		kvm_disable_trbe();
}
#else
static inline struct v9_kvm_facts v9_read_kvm_facts(void)
{
	return (struct v9_kvm_facts){ };
}

static inline void v9_notify_kvm(struct static_key_false *listens, bool in_use)
{
}
#endif

/*
 * A PMU opts in to large pages for AUX buffers; before, they were the default.
 * 7.2. Delete with 6.12.
 */
#ifndef PERF_PMU_CAP_AUX_PREFER_LARGE
#define PERF_PMU_CAP_AUX_PREFER_LARGE 0
#endif

/*
 * __assign_str() takes the source of the string from its declaration.
 * 6.10. Delete with 6.1.
 */
#ifdef V9_HAVE_ASSIGN_STR_DST
#define v9_assign_str(dst, src)	__assign_str(dst)
#else
#define v9_assign_str(dst, src)	__assign_str(dst, src)
#endif

/*
 * One event can pause and resume the AUX data of another: perf calls stop() and start() with these
 * flags. Before, perf refuses such events.
 * 6.13, and 6.12 since a stable release of its own. Delete with 6.12.
 */
#ifdef PERF_PMU_CAP_AUX_PAUSE
static inline bool v9_is_paused(const struct perf_event *event)
{
	return READ_ONCE(event->hw.aux_paused);
}
#else
#define PERF_PMU_CAP_AUX_PAUSE	0
#define PERF_EF_PAUSE		0
#define PERF_EF_RESUME		0

static inline bool v9_is_paused(const struct perf_event *event)
{
	return false;
}
#endif

/*
 * Disable an event immediately, in an interrupt of its CPU. perf_event_disable_inatomic() is not
 * exported. It queues an irq_work of the event, and the function of that work is called here. To
 * queue the work and run all queued work is not enough: if the caller runs as irq_work itself, a
 * work that is queued behind it would not run again. The interface that perf has for drivers, AUX
 * data with TRUNCATED, wakes the reader before the event is disabled. A reader that enables the
 * event at once has no effect then, and the event stays off (spe_buffer:enabled_by_woken_reader).
 *
 * Before 6.11 the same work wakes readers, too. With PREEMPT_RT it runs in a thread, because a
 * wake-up may sleep; that part is left to the thread.
 * Delete the other branch with 6.1.
 */
static inline void v9_disable_event(struct perf_event *event)
{
#ifdef V9_HAVE_PENDING_DISABLE_IRQ
	event->pending_disable = 1;
	event->pending_disable_irq.func(&event->pending_disable_irq);
#else
	int wakeup = event->pending_wakeup;

	event->pending_wakeup = 0;
	event->pending_disable = 1;
	event->pending_irq.func(&event->pending_irq);
	if (wakeup) {
		event->pending_wakeup = wakeup;
		irq_work_queue(&event->pending_irq);
	}
#endif
}

/*
 * For AUX data with TRUNCATED perf disables the event, too. Before 6.17 it only sets
 * pending_disable, which takes effect at some later context switch, when the event may be enabled
 * again. The driver has disabled the event already, so the mark is cleared. irq_work_run()
 * completes the work that perf has queued for the record, as in-tree drivers do at the end of their
 * handlers: the reader is woken now, and no work of before is left when the event is enabled again.
 * Shown by spe_buffer:enabled_by_woken_reader and aux_pause:full_when_resumed. Delete with 6.12.
 */
static inline void v9_forget_disable(struct perf_event *event)
{
	event->pending_disable = 0;
	irq_work_run();
}

/*
 * The CPUs of a per-CPU interrupt are returned with the interrupt, and passed when it is requested.
 * Before, they are a property of the interrupt ("partition"). v9_get_percpu_irq() returns a pointer
 * that v9_request_percpu_irq() takes. For an interrupt of another driver that returns -EBUSY.
 * 7.2. Delete with 6.12.
 */
#if defined(V9_HAVE_GET_IRQ_AFFINITY) && defined(V9_HAVE_REQUEST_IRQ_AFFINITY)
#define V9_HAVE_IRQ_AFFINITY
#elif !defined(V9_HAVE_IRQ_PARTITION)
#error "nothing says which CPUs a per-CPU interrupt is for"
#endif

static inline int v9_get_percpu_irq(struct platform_device *pdev, cpumask_t *cpus,
				    const struct cpumask **affinity)
{
#ifdef V9_HAVE_IRQ_AFFINITY
	int irq = platform_get_irq_affinity(pdev, 0, affinity);

	if (irq > 0)
		cpumask_copy(cpus, *affinity ?: cpu_possible_mask);
	return irq;
#else
	int irq = platform_get_irq(pdev, 0);

	*affinity = NULL;
	if (irq > 0 && irq_get_percpu_devid_partition(irq, cpus))
		return -EINVAL;
	return irq;
#endif
}

static inline int v9_request_percpu_irq(unsigned int irq, irq_handler_t handler, const char *name,
					const struct cpumask *affinity, void __percpu *cookie)
{
#ifdef V9_HAVE_IRQ_AFFINITY
	int err = request_percpu_irq_affinity(irq, handler, name, affinity, cookie);

	/* Since 7.2 -EINVAL also says that another driver has it for some of the CPUs. */
	return err == -EINVAL && irq_is_percpu_devid(irq) ? -EBUSY : err;
#else
	return request_percpu_irq(irq, handler, name, cookie);
#endif
}

/*
 * A sample's branch stack and raw data are saved by functions of perf's header, which say so in
 * sample_flags; before, by hand. That of the stack takes counters, too, that of raw data the event.
 * 6.3, 6.8, 6.13 and 6.12 since a stable release. Delete with 6.1 and 6.12.
 */
static inline void v9_save_branches(struct perf_sample_data *data, struct perf_event *event,
				    struct perf_branch_stack *stack)
{
#if defined(V9_HAVE_SAVE_BRSTACK_COUNTERS)
	perf_sample_save_brstack(data, event, stack, NULL);
#elif defined(V9_HAVE_SAVE_BRSTACK)
	perf_sample_save_brstack(data, event, stack);
#else
	data->br_stack = stack;
	data->sample_flags |= PERF_SAMPLE_BRANCH_STACK;
#endif
}

static inline void v9_save_raw(struct perf_sample_data *data, struct perf_event *event,
			       struct perf_raw_record *raw)
{
#if defined(V9_HAVE_SAVE_RAW_EVENT)
	perf_sample_save_raw_data(data, event, raw);
#elif defined(V9_HAVE_SAVE_RAW)
	perf_sample_save_raw_data(data, raw);
#else
	data->raw = raw;
	data->sample_flags |= PERF_SAMPLE_RAW;
#endif
}

/* What perf sets hw.interrupts to when it throttles an event; no header has it. */
#define V9_MAX_INTERRUPTS_OF_PERF	(~0ULL)

/* Does a reader want a signal at each sample? */
static inline bool v9_has_fasync(const struct perf_event *event)
{
	return READ_ONCE((event->parent ?: event)->fasync) && event->pending_kill;
}

/* Does an event ask to pause or resume the AUX data of another? */
static inline bool v9_pauses_aux(const struct perf_event_attr *attr)
{
#ifdef V9_HAVE_AUX_ACTION
	return attr->aux_pause || attr->aux_resume;
#else
	return false;
#endif
}

#endif
