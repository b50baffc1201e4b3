/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything about kernel versions. The sources speak the newest dialect; each
 * entry says what changed, first seen in which kernel, and when it may go. What
 * this kernel has is asked of its headers, never of its number, as kernels of
 * distributions have pieces of newer ones: V9_HAVE_* come from drivers/probes.
 */
#ifndef V9TRACE_COMPAT_H
#define V9TRACE_COMPAT_H

#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irq_work.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/perf/arm_pmu.h>	/* V9_ACPI_HAS_TRBE */
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

#include <linux/cleanup.h>	/* in 6.1 since its stable series; without it, update the kernel */

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
 * A driver is registered with its module's name, too, which matters for built-in ones only.
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
 * perf_allow_kernel() takes no argument, or the attributes. In 6.1 it is inline
 * and wants symbols that are not exported; what it decides for us without a
 * security module is the capability, or the permission that perf_event_paranoid
 * below 2 gives, and only the capability can be asked.
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
 * Option words in struct perf_event_attr: config3 since 6.3, config4 in 7.2. A
 * perf that does not know a word refuses every event of a PMU that names it, so
 * options in missing words are not offered.
 * Delete with 6.12.
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
 * A task's events of a PMU are not tried where it has no unit: a pinned one would fail for good.
 * Before, each event is asked, and who is not there hears nothing of its task either (mmap, comm):
 * so only for those that are pinned.
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
 * Before, a task remembers, as long as it lives, which PMU its first software event was of, and
 * looks at that PMU at each switch and with each later event of that sort. So it stays in memory
 * when the module goes, and so does its count, of which perf gets another one to free. And who has
 * just looked it up by its number may still be about to ask for its module.
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
 * An event can say by which ID its trace is known; without, perf assumes one
 * per CPU, and that is the one that we take.
 * Exported since 6.2. Delete with 6.1.
 */
static inline void v9_report_hw_id(struct perf_event *event, u64 hw_id)
{
#ifdef V9_HAVE_REPORT_AUX_OUTPUT_ID
	perf_report_aux_output_id(event, hw_id);
#endif
}

/*
 * KVM drains a trace buffer before it enters a guest only if it was told that
 * one is in use; before it looked by itself. check_kvm.h says when it may be told.
 * 6.14. Delete with 6.12.
 */
#ifdef V9_HAVE_KVM_ENABLE_TRBE
static inline struct v9_kvm_facts v9_read_kvm_facts(void)
{
	struct v9_kvm_facts facts = {
		.asks = IS_ENABLED(CONFIG_KVM),
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
 * A device is made of the trace buffers' interrupt in the ACPI table MADT.
 * 6.7. Delete with 6.1.
 */
#ifdef ARMV8_TRBE_PDEV_NAME
#define V9_ACPI_HAS_TRBE 1
#else
#define V9_ACPI_HAS_TRBE 0
#endif

/*
 * Large pages for AUX buffers are opt-in; before they were the rule.
 * 7.2. Delete with 6.12.
 */
#ifndef PERF_PMU_CAP_AUX_PREFER_LARGE
#define PERF_PMU_CAP_AUX_PREFER_LARGE 0
#endif

/*
 * What a tracepoint's string was made of is known since it was declared.
 * 6.10. Delete with 6.1.
 */
#ifdef V9_HAVE_ASSIGN_STR_DST
#define v9_assign_str(dst, src)	__assign_str(dst)
#else
#define v9_assign_str(dst, src)	__assign_str(dst, src)
#endif

/*
 * One event can pause and resume the AUX data of another: perf calls stop() and start() with these
 * flags. Before, it takes no event that asks for such.
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
 * Switch an event off at once, in an interrupt of its CPU. perf_event_disable_inatomic() is not
 * exported; what it queues is a work of the event's, whose function is called here. To queue that
 * work and to run all that is queued is not enough: a work that is already queued, behind the one
 * that we may be in, is not run again. The form that perf has for drivers, AUX data with
 * TRUNCATED, wakes the consumer before the event is off: an "enable" that comes at once does
 * nothing then, and the event stays off (spe_buffer:enabled_as_soon_as_told).
 *
 * Before 6.11 the work wakes up readers, too. With PREEMPT_RT it waits for a thread therefore, and
 * a wake-up may sleep: that part is left to the thread.
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
 * For AUX data marked TRUNCATED the kernel switches the event off, too. Before
 * 6.17 it only notes so, and the note stays until some later context switch, when
 * the event may long be on again. Of an event that is off, nothing needs noting.
 * Delete with 6.12.
 */
static inline void v9_forget_disable(struct perf_event *event)
{
	event->pending_disable = 0;
	irq_work_run();
}

/*
 * The CPUs of a per-CPU interrupt come with the interrupt, and are given back
 * when it is requested; before they were a property of the line ("partition").
 * v9_get_percpu_irq() also returns a pointer to keep for the request.
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
	return request_percpu_irq_affinity(irq, handler, name, affinity, cookie);
#else
	return request_percpu_irq(irq, handler, name, cookie);
#endif
}

#endif
