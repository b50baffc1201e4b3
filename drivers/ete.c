// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_ete: the Embedded Trace Extension, writing to memory through the Trace
 * Buffer Extension, as a perf PMU.
 *
 * The PMU has the name and the files that stock perf looks for, so an unmodified perf records with
 * it. Decisions are functions of drivers/lib; this file reads and writes the hardware and calls
 * perf.
 *
 * The register values of an event are computed when it is created. To start it means to open a
 * window in the AUX buffer and to write the registers. Everything per CPU is touched by that CPU
 * only, with interrupts off. The trace unit is enabled anew for each window, so a decoder can begin
 * at the first byte of a window, unless that is overwritten.
 */
#include <linux/acpi.h>
#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/jump_label.h>
#include <linux/kobject.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/panic.h>
#include <linux/perf_event.h>
#include <linux/pid_namespace.h>
#include <linux/platform_device.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sysfs.h>

#include <asm/cputype.h>
#include <asm/sysreg.h>
#include <asm/virt.h>

#include "acpi.h"
#include "compat.h"
#include "cpu_regs.h"
#include "ete.h"
#include "event.h"
#include "sysfs.h"
#include "tuning.h"
#include "v9trace/errata.h"
#include "v9trace/gen/regs.h"
#include "v9trace/check_absence.h"
#include "v9trace/cpu_types.h"
#include "v9trace/seq_routing.h"
#include "v9trace/uapi.h"

static char *pmu_name = V9_ETE_PMU_NAME;
module_param_cb(name, &v9_pmu_name_ops, &pmu_name, 0444);
MODULE_PARM_DESC(name, "the PMU's name (default " V9_ETE_PMU_NAME "; perf knows no other)");

static bool instrumentation;
module_param(instrumentation, bool, 0444);
MODULE_PARM_DESC(instrumentation, "offer FEAT_ITE: firmware permits it (default N)");

/*
 * No register says whether EL3 traps those of the trace unit. Firmware answers, or describes the
 * units, or the user says so.
 */
static bool unlisted;
module_param(unlisted, bool, 0444);
MODULE_PARM_DESC(unlisted,
		 "use trace units that firmware does not describe: it permits that (default N)");

/* For bring-up on a new core: use only those features of the buffer that tracing needs. */
static bool plain;
module_param(plain, bool, 0444);
MODULE_PARM_DESC(plain,
		 "use the buffer in Fill mode and ignore its trigger; overwritten buffers and the option trigger are refused (default N)");

static struct v9_pmu_driver v9_ete_driver;

module_param_cb(aux_watermark, &v9_setting_ops, &v9_ete_driver.setting[V9_AUX_WATERMARK], 0444);
MODULE_PARM_DESC(aux_watermark,
		 "bytes between wakeups for events that state none (default 0: half of the buffer)");
module_param_cb(max_buffer, &v9_setting_ops, &v9_ete_driver.setting[V9_MAX_BUFFER], 0444);
MODULE_PARM_DESC(max_buffer, "bytes of the largest AUX buffer (default 0: no limit)");
module_param_cb(physical_access, &v9_setting_ops, &v9_ete_driver.setting[V9_PHYSICAL_ACCESS], 0444);
MODULE_PARM_DESC(physical_access,
		 "who may record physical addresses and time: perf (default), perfmon, nobody");
module_param_cb(max_interrupts, &v9_setting_ops, &v9_ete_driver.setting[V9_MAX_INTERRUPTS], 0444);
MODULE_PARM_DESC(max_interrupts,
		 "most interrupts of each CPU in a second (default 0: no limit)");

/**
 * struct v9_ete_value - a file below cpu<n>/ that shows a number
 * @attr: attribute
 * @format: printf format
 * @value: number
 */
struct v9_ete_value {
	struct kobj_attribute attr;
	const char *format;
	u64 value;
};

/* Files that describe a CPU's unit to perf and v9trace; the last two are in cpu<n>/ itself. */
enum {
	V9_ETE_IDR0, V9_ETE_IDR1, V9_ETE_IDR2, V9_ETE_IDR3, V9_ETE_IDR4, V9_ETE_IDR5, V9_ETE_IDR8,
	V9_ETE_AUTHSTATUS, V9_ETE_DEVARCH,
	V9_ETE_TS_SOURCE, V9_ETE_TRFCR_TS,
	V9_ETE_VALUES
};

/**
 * struct v9_ete_type_key - what makes a CPU type: CPUs with the same key have units that are alike
 * @id: ID registers of trace unit and buffer
 * @errata: V9_ERRATUM_*
 */
struct v9_ete_type_key {
	struct v9_ete_id id;
	u64 errata;
};

/**
 * struct v9_ete_type - a CPU type
 * @link: list of @types in struct v9_ete; empty until one of the CPUs can be used
 * @nr: number of the type, from 0
 * @late: its first CPU came online when the PMU was registered already
 * @logged: a line about it is in the log
 * @cpus: CPUs of this type that have been online
 * @key: key of the type
 * @unit: features of the units
 * @value: files in each cpu<n>/
 * @trcidr: directory cpu<n>/trcidr
 * @mgmt: directory cpu<n>/mgmt
 * @in_trcidr: files of @trcidr
 * @in_mgmt: files of @mgmt
 */
struct v9_ete_type {
	struct list_head link;
	unsigned int nr;
	bool late;
	bool logged;
	cpumask_t cpus;
	struct v9_ete_type_key key;
	struct v9_ete_unit unit;
	struct v9_ete_value value[V9_ETE_VALUES];
	struct attribute_group trcidr;
	struct attribute_group mgmt;
	struct attribute *in_trcidr[V9_ETE_VALUES];
	struct attribute *in_mgmt[V9_ETE_VALUES];
};

/**
 * struct v9_ete - the PMU, of all CPU types and all devices of firmware
 * @u: part that all drivers have
 * @types: list of struct v9_ete_type, ascending by number, @u.types of them. Elements are added
 *	under the CPU hotplug lock, and freed after the PMU is unregistered. So the holder of an
 *	event or of an open file of the PMU walks the list without a lock
 * @closed: events may exist: CPU types that are added from here on are late
 * @made: the PMU is registered, and v9_ete_online() creates the directories of later CPUs
 * @format: directory format/
 * @dir: by CPU: directory cpu<n>
 *
 * perf looks for a single PMU of this name and reads in cpu<n>/ what each CPU's unit is, so that a
 * task can be traced on any CPU.
 */
struct v9_ete {
	struct v9_pmu u;
	struct list_head types;
	bool closed;
	bool made;
	struct v9_pmu_dir *format;
	struct kobject **dir;
};

/**
 * struct v9_ete_session - what an event keeps
 * @types: number of CPU types when it was created
 * @values: register values for each type
 */
struct v9_ete_session {
	unsigned int types;
	struct v9_ete_reg_values values[];
};

static struct v9_ete *to_ete(struct pmu *pmu)
{
	return container_of(pmu, struct v9_ete, u.pmu);
}

static struct v9_ete_cpu *to_cpu(struct v9_pmu_cpu *cpu)
{
	return container_of(cpu, struct v9_ete_cpu, u);
}

static struct v9_ete_reg_values *values_of(const struct v9_ete_cpu *cpu,
					   const struct perf_event *event)
{
	return event->pmu_private + cpu->values_offset;
}

/* Register values for a CPU type; NULL if the event has none, or cannot run on its CPUs. */
static struct v9_ete_reg_values *values_for(const struct v9_ete_type *type,
					    const struct perf_event *event)
{
	struct v9_ete_session *s = event->pmu_private;

	return type->nr < s->types &&
	       (event->cpu < 0 || cpumask_test_cpu(event->cpu, &type->cpus)) ?
	       &s->values[type->nr] : NULL;
}

/* --- start, stop, interrupt ---------------------------------------------- */

/* KVM has to be notified when a buffer comes into use and when it no longer is. */
static DEFINE_STATIC_KEY_FALSE(v9_ete_kvm_notify);

/* The unit does not start: stop using it. */
static noinline __cold bool v9_ete_give_up(struct v9_ete_cpu *cpu)
{
	struct v9_fault_action nothing = { };

	v9_notify_kvm(&v9_ete_kvm_notify, false);
	v9_pmu_give_up(&cpu->u);
	v9_trbe_close(cpu, &cpu->regs, nothing);
	return false;
}

/* Was the event or its buffer made before the first CPU of this late type came online? */
static noinline __cold bool v9_ete_is_older(const struct v9_ete_cpu *cpu, struct perf_event *event)
{
	const struct v9_ete_session *s = event->pmu_private;

	return cpu->late >= s->types || !v9_pmu_buffer_suits(event, cpu->late);
}

/* Open a window and start. On false nothing runs; an AUX handle that is open has no room. */
static bool v9_ete_open_and_start(struct v9_ete_cpu *cpu, struct perf_event *event)
{
	const struct v9_ete_reg_values *values = values_of(cpu, event);
	bool wrote;

	/* PERF_EVENT_IOC_SET_OUTPUT may have given the event another buffer since add(). */
	if (unlikely(!(cpu->u.ready & V9_READY)) ||
	    (unlikely(cpu->late) && v9_ete_is_older(cpu, event)))
		return false;
	if (unlikely(v9_trbe_open(cpu, event, values, &wrote)))
		return false;
	v9_notify_kvm(&v9_ete_kvm_notify, true);
	if (likely(v9_ete_act_start(&cpu->state, values, &cpu->regs, wrote)))
		return true;
	return v9_ete_give_up(cpu);
}

/* The event may continue on a CPU of another type. */
static noinline void v9_ete_copy_state(struct perf_event *event,
				       const struct v9_ete_reg_values *values)
{
	struct v9_ete_session *s = event->pmu_private;
	unsigned int i;

	for (i = 0; i < s->types; i++)
		if (&s->values[i] != values)
			v9_cpu_types_copy_state(&s->values[i], values);
}

/*
 * Save what the event continues with at its next start: whether tracing is between a start and a
 * stop point, counters and sequencer state. The unit is idle.
 */
static void v9_ete_save_state(struct v9_ete_cpu *cpu, struct perf_event *event)
{
	struct v9_ete_reg_values *values = values_of(cpu, event);

	if (likely(!values->reg[V9_ETE_REG_TRCVISSCTLR] && !values->res.keep))
		return;
	if (values->reg[V9_ETE_REG_TRCVISSCTLR])
		values->reg[V9_ETE_REG_TRCVICTLR] = cpu->state.held.reg[V9_ETE_REG_TRCVICTLR];
	if (values->res.keep)
		v9_ete_read_moved(&cpu->state, values);
	v9_ete_copy_state(event, values);
}

/* Stop and hand the data to perf. Returns what follows from the status. */
static struct v9_fault_action v9_ete_halt(struct v9_ete_cpu *cpu, struct perf_event *event)
{
	struct v9_fault_action j;

	if (likely(v9_ete_act_stop(&cpu->state, &cpu->now)))
		v9_ete_save_state(cpu, event);
	else
		v9_pmu_give_up(&cpu->u);
	v9_notify_kvm(&v9_ete_kvm_notify, false);
	j = v9_trbe_fault_action(cpu->now.trbsr, cpu->regs.trblimitr);
	v9_trbe_close(cpu, &cpu->now, j);
	return j;
}

/* Not inline: it runs once for each CPU and event. */
static noinline __cold void v9_ete_report_id(struct perf_event *event, unsigned int nr)
{
	event->hw.idx = nr;
	v9_report_hw_id(event, V9_TRACE_HW_ID(v9_ete_trace_id(nr), nr + 1));
}

static __always_inline void v9_ete_do_start(struct perf_event *event, int flags)
{
	struct v9_ete_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);
	struct hw_perf_event *hwc = &event->hw;
	unsigned int nr = smp_processor_id();

	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	/* perf restarts the event after each change of filters or mappings. */
	if (unlikely(v9_pmu_is_stale(event)))
		perf_event_addr_filters_sync(event);
	if (unlikely(!v9_ete_open_and_start(cpu, event)))
		return;
	hwc->state = 0;

	/* hw.idx is the CPU whose trace ID was reported last. */
	if (unlikely(hwc->idx != nr))
		v9_ete_report_id(event, nr);
}

static __always_inline void v9_ete_do_stop(struct perf_event *event, int flags)
{
	struct v9_ete_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);
	struct v9_fault_action j;

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	j = v9_ete_halt(cpu, event);
	if (unlikely(j.cause != V9_CAUSE_NONE))
		cpu->u.stat[j.cause]++;
}

static void v9_ete_start(struct perf_event *event, int flags)
{
	v9_pmu_start(event, flags, v9_ete_do_start);
}

static void v9_ete_stop(struct perf_event *event, int flags)
{
	v9_pmu_stop(event, flags, v9_ete_do_stop);
}

static int v9_ete_add(struct perf_event *event, int flags)
{
	struct v9_ete_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);

	/* It waits for another CPU. There is room: v9_pmu_add() would have perf disable it. */
	if (unlikely(cpu->late) && v9_ete_is_older(cpu, event))
		return -EINVAL;
	return v9_pmu_add(event, flags, v9_ete_start);
}

static void v9_ete_del(struct perf_event *event, int flags)
{
	v9_pmu_del(event, v9_ete_stop);
}

static __always_inline irqreturn_t v9_ete_handle_irq(struct v9_ete_cpu *cpu)
{
	struct perf_event *event = cpu->u.event;
	struct v9_fault_action j;
	bool throttled;

	if (!event || (event->hw.state & PERF_HES_STOPPED)) {
		/* No event is active. Clear the status, or the interrupt stays asserted. */
		if (!v9_ete_act_stop(&cpu->state, &cpu->now))
			v9_pmu_give_up(&cpu->u);
		if (cpu->now.trbsr & V9_TRBSR_EL1_IRQ)
			return IRQ_HANDLED;
		cpu->u.stat[V9_STAT_SPURIOUS]++;
		return IRQ_NONE;
	}

	/* The status is reliable only after the complete stop sequence (TRBE-UN9). */
	j = v9_ete_halt(cpu, event);
	cpu->u.stat[j.cause]++;
	trace_v9_interrupt(cpu->u.unit->pmu.name, j.cause, cpu->now.trbsr, cpu->now.trbptr);
	if (j.cause >= V9_CAUSE_FAULT) {
		u64 limit = cpu->regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT;

		dev_err_ratelimited(cpu->u.unit->dev,
				    "CPU%d: stopped: TRBSR_EL1 %#llx, %lld bytes into a window of %lld\n",
				    smp_processor_id(), cpu->now.trbsr,
				    cpu->now.trbptr - cpu->regs.trbptr, limit - cpu->regs.trbptr);
	}
	throttled = v9_pmu_throttle(&cpu->u);
	if (j.resume && throttled)
		v9_pmu_put_off(&cpu->u, event);
	else if (!j.resume || !v9_ete_open_and_start(cpu, event))
		v9_pmu_switch_off(&cpu->u, event, j.cause, 0, 0);
	return IRQ_HANDLED;
}

static irqreturn_t v9_ete_irq(int irq, void *cookie)
{
	struct v9_ete_cpu *cpu = to_cpu(v9_pmu_of_irq(cookie));
	u64 since = v9_pmu_irq_enter(&cpu->u);
	irqreturn_t ret = v9_ete_handle_irq(cpu);

	v9_pmu_irq_leave(&cpu->u, since);
	return ret;
}

/* --- perf ----------------------------------------------------------------- */

static void v9_ete_destroy(struct perf_event *event)
{
	kfree(event->pmu_private);
}

/*
 * CONTEXTIDR has thread IDs of the initial PID namespace. They are shown to users in that namespace
 * and to privileged ones. An inherited event does as its parent does, whoever calls fork(), so that
 * fork() does not fail. Returns 0 or why they are not available.
 */
static int v9_ete_hidden_threads(struct perf_event *event, const struct v9_ete_type *type)
{
	if (!IS_ENABLED(CONFIG_PID_IN_CONTEXTIDR))
		return -EOPNOTSUPP;
	if (event->parent)
		return v9_ete_shows_threads(values_for(type, event->parent)) ? 0 : -EACCES;
	return task_is_in_init_pid_ns(current) || !v9_allow_kernel(&event->attr) ? 0 : -EACCES;
}

static int v9_ete_permit(struct perf_event *event, const struct v9_ete_unit *unit,
			 const struct v9_ete_reg_values *values)
{
	if (event->parent || !v9_ete_needs_privilege(unit, values))
		return 0;
	return v9_pmu_allow_physical(v9_to_pmu(event->pmu), &event->attr);
}

/*
 * Compute register values for each CPU type that the event may run on. If one of them does not
 * support the event it is refused, because its trace would have gaps. An event that is opened for
 * CPUs which support it is accepted.
 */
static int v9_ete_encode(struct v9_ete *ete, struct perf_event *event)
{
	struct perf_event_attr *attr = &event->attr;
	struct v9_ete_request req = {
		.config = { attr->config, attr->config1, attr->config2,
			    v9_config3(attr), v9_config4(attr) },
		.user = !attr->exclude_user,
		.kernel = !attr->exclude_kernel,
		.panic = (u64)panic,
	};
	struct v9_ete_type *type;
	struct v9_refusal no;
	int err = -ENODEV;	/* if the event is for a CPU that has never been online */

	list_for_each_entry_lockless(type, &ete->types, link) {
		struct v9_ete_reg_values *values = values_for(type, event);

		if (!values)
			continue;
		req.threads = v9_ete_hidden_threads(event, type);
		err = v9_ete_encode_regs(&type->unit, &req, values, &no);
		if (!err && plain && values->trigger) {
			no = (struct v9_refusal){ "trigger", "the module is loaded with plain=1" };
			err = -EOPNOTSUPP;
		}
		if (err)
			dev_dbg(ete->u.dev, "event refused on CPUs %*pbl: %s: %s\n",
				cpumask_pr_args(&type->cpus), no.option, no.why);
		err = err ?: v9_ete_permit(event, &type->unit, values);
		if (err)
			break;
	}
	return err;
}

static int v9_ete_event_init(struct perf_event *event)
{
	const struct v9_ete_session *parent = event->parent ? event->parent->pmu_private : NULL;
	struct v9_ete *ete = to_ete(event->pmu);
	struct v9_ete_session *s;
	unsigned int types;
	int err;

	err = v9_pmu_check_event(event);
	if (err)
		return err;

	/*
	 * An inherited event has the CPU types of its parent, so that fork() does not fail for a
	 * new one.
	 */
	types = parent ? parent->types : smp_load_acquire(&ete->u.types);
	s = kzalloc(struct_size(s, values, types), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	s->types = types;
	event->pmu_private = s;
	err = v9_ete_encode(ete, event);
	if (err) {
		kfree(s);
		return err;
	}
	event->hw.idx = -1;
	event->destroy = v9_ete_destroy;
	return 0;
}

/* --- filters --------------------------------------------------------------- */

/* The only PMU. perf validates filters without naming the PMU or the event. */
static struct v9_ete *v9_ete_pmu;

static enum v9_filter_type filter_type(const struct perf_addr_filter *filter)
{
	switch (filter->action) {
	case PERF_ADDR_FILTER_ACTION_FILTER:
		return V9_FILTER_INCLUDE;
	case PERF_ADDR_FILTER_ACTION_START:
		return V9_FILTER_START;
	default:	/* with a size: the action "tracestop" of perf */
		return filter->size ? V9_FILTER_EXCLUDE : V9_FILTER_STOP;
	}
}

/* Are both points in the same file at the same offset? */
static bool same_place(const struct perf_addr_filter *a, const struct perf_addr_filter *b)
{
	return a->offset == b->offset && !a->path.dentry == !b->path.dentry &&
	       (!a->path.dentry || d_inode(a->path.dentry) == d_inode(b->path.dentry));
}

static bool contradicts(struct list_head *filters, const struct perf_addr_filter *a)
{
	const struct perf_addr_filter *b;

	list_for_each_entry(b, filters, entry)
		if (!a->size && !b->size && a->action != b->action && same_place(a, b))
			return true;
	return false;
}

static int v9_ete_addr_filters_validate(struct list_head *filters)
{
	struct v9_filter list[V9_ETE_COMPARATORS];
	const struct perf_addr_filter *filter;
	struct v9_ete *ete = v9_ete_pmu;
	struct v9_ete_type *type;
	unsigned int n = 0;
	const char *why;
	int err = 0;

	list_for_each_entry(filter, filters, entry) {
		if (n == V9_ETE_COMPARATORS) {
			why = "too many filters";
			err = -EOPNOTSUPP;
			break;
		}
		if (contradicts(filters, filter)) {
			why = "a point that both starts and stops";
			err = -EINVAL;
			break;
		}
		list[n++] = (struct v9_filter) {
			.addr = filter->offset,
			.size = filter->size,
			.type = filter_type(filter),
			.kernel = !filter->path.dentry,
		};
	}
	/* The event may run on any CPU type, and perf does not say which. */
	list_for_each_entry_lockless(type, &ete->types, link)
		err = err ?: v9_ete_check_filters(&type->unit, list, n, &why);
	if (err)
		dev_dbg(ete->u.dev, "filters refused: %s\n", why);
	return err;
}

/* Runs under the lock of the filters, while the event is stopped on this CPU. */
static void v9_ete_addr_filters_sync(struct perf_event *event)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);
	const struct perf_addr_filter_range *range = event->addr_filter_ranges;
	struct v9_filter list[V9_ETE_COMPARATORS];
	struct v9_ete *ete = to_ete(event->pmu);
	const struct perf_addr_filter *filter;
	struct v9_ete_type *type;
	unsigned int n = 0;
	const char *why;

	list_for_each_entry(filter, &head->list, entry) {
		if (n == V9_ETE_COMPARATORS)
			break;			/* not reached: validated before */
		list[n] = (struct v9_filter) {
			.addr = range[n].start,
			.size = range[n].size,
			.type = filter_type(filter),
			.kernel = !filter->path.dentry,
			.absent = filter->path.dentry && !range[n].start,
		};
		n++;
	}
	list_for_each_entry_lockless(type, &ete->types, link) {
		struct v9_ete_reg_values *values = values_for(type, event);

		if (values && v9_ete_encode_filters(&type->unit, list, n, values, &why))
			dev_dbg(ete->u.dev, "nothing is traced: %s\n", why);
	}
}

/* --- callbacks of unit.c --------------------------------------------------- */

/*
 * Does firmware describe a trace unit of this CPU? In a device tree each node names its CPU. In
 * ACPI tables the device lies below that of the processor.
 */
static bool v9_ete_is_listed(int nr)
{
	struct device_node *node, *cpu;
	bool listed = unlisted;

	if (!acpi_disabled)
		return listed || v9_acpi_has_child(nr, "ARMHC500");
	for_each_compatible_node(node, NULL, "arm,embedded-trace-extension") {
		cpu = of_parse_phandle(node, "cpu", 0);
		if (cpu && of_cpu_node_to_id(cpu) == nr && of_device_is_available(node))
			listed = true;
		of_node_put(cpu);
	}
	return listed;
}

/* May registers of the CPU's units be accessed? Returns the reason if not. */
static const char *v9_ete_closed(int nr)
{
	return v9_el3_trace_closed(v9_cpu_el3(nr), v9_ete_is_listed(nr));
}

/* Runs on the CPU. The caller has set @id.closed. */
static void v9_ete_read_key(void *data)
{
	struct v9_ete_type_key *key = data;

	v9_ete_read_id(&key->id, key->id.closed);
	key->errata = v9_errata(read_cpuid_id()) & V9_ERRATA_TRACE;
}

static struct v9_ete_type *v9_ete_find_type(struct v9_ete *ete, const struct v9_ete_type_key *key)
{
	struct v9_ete_type *type;

	list_for_each_entry(type, &ete->types, link)
		if (!memcmp(&type->key, key, sizeof(*key)))
			return type;
	return NULL;
}

static int v9_ete_check_key(const struct v9_ete_type_key *key, struct v9_ete_unit *unit,
			    const char **why)
{
	int err = v9_ete_check_unit(&key->id, is_kernel_in_hyp_mode(), unit, why);

	/*
	 * No register says whether firmware or a hypervisor traps TRCITECR_EL1, so the user has to.
	 */
	if (!instrumentation)
		unit->features &= ~V9_TRACE_HAS_ITE;
	/* The option is refused with a reason. */
	if (!IS_ENABLED(CONFIG_PID_IN_CONTEXTIDR))
		unit->features &= ~(V9_TRACE_HAS_CID | V9_TRACE_HAS_VMID | V9_TRACE_HAS_MATCH);
	if (!err && v9_trbe_is_broken(key->errata)) {
		*why = "nothing helps against an erratum of the buffer";
		err = -ENXIO;
	}
	return err;
}

static struct v9_ete_type *v9_ete_new_type(struct v9_ete *ete, const struct v9_ete_type_key *key,
					   const char **why);
static void v9_ete_add_type(struct v9_ete *ete, struct v9_ete_type *type);
static int v9_ete_show_cpu(struct v9_ete *ete, struct v9_ete_type *type, unsigned int nr);

static struct v9_pmu_cpu *v9_ete_match(struct v9_pmu_device *device, const char **why)
{
	struct v9_ete *ete = v9_ete_pmu;
	struct v9_ete_type *type;
	struct v9_ete_type_key key;
	struct v9_ete_cpu *cpu;

	key.id.closed = v9_ete_closed(smp_processor_id());
	v9_ete_read_key(&key);
	type = v9_ete_find_type(ete, &key) ?: v9_ete_new_type(ete, &key, why);
	if (IS_ERR(type)) {
		v9_pmu_exclude_cpu(&ete->u, smp_processor_id());
		return NULL;
	}
	cpu = this_cpu_ptr(ete->u.cpu);
	cpu->type = type;
	cpu->unit = &type->unit;
	cpu->values_offset = offsetof(struct v9_ete_session, values) +
			     type->nr * sizeof(struct v9_ete_reg_values);
	cpu->late = type->late ? type->nr : 0;
	return &cpu->u;
}

static int v9_ete_online(struct v9_pmu_cpu *u, const char **why)
{
	struct v9_ete_type *type = to_cpu(u)->type;
	struct v9_ete *ete = container_of(u->unit, struct v9_ete, u);
	unsigned int nr = smp_processor_id();
	int err;

	cpumask_set_cpu(nr, &type->cpus);
	if (list_empty(&type->link))
		v9_ete_add_type(ete, type);
	err = ete->made ? v9_ete_show_cpu(ete, type, nr) : 0;
	if (err)
		cpumask_clear_cpu(nr, &type->cpus);
	return err;
}

static void v9_ete_discard(struct v9_pmu_cpu *u)
{
	struct v9_ete_type *type = to_cpu(u)->type;

	if (list_empty(&type->link))
		kfree(type);
}

static bool v9_ete_reset(struct v9_pmu_cpu *u)
{
	struct v9_ete_cpu *cpu = to_cpu(u);

	cpu->state.errata = v9_errata(read_cpuid_id());
	cpu->state.ite = cpu->unit->features & V9_TRACE_HAS_ITE;
	u->skip_bytes = v9_trbe_may_overwrite_base(cpu->state.errata) ? V9_TRBE_SKIP_BYTES : 0;
	u->overrun_bytes = v9_trbe_may_overrun_limit(cpu->state.errata) ? cpu->unit->granule : 0;
	if (!v9_ete_act_reset(&cpu->state, &cpu->unit->id, v9_ete_trace_id(smp_processor_id())))
		return false;
	v9_trbe_act_exclude_guests(is_kernel_in_hyp_mode());
	u->physical = v9_trbe_act_physical();
	return true;
}

static void v9_ete_release(struct v9_pmu_cpu *u)
{
	v9_ete_act_release();
}

static bool v9_ete_self_test(struct v9_pmu_cpu *u, u64 page)
{
	struct v9_ete_cpu *cpu = to_cpu(u);

	return v9_trbe_act_self_test(&cpu->state, cpu->unit, page, PAGE_SIZE);
}

static void v9_ete_save(struct v9_pmu_cpu *u)
{
	struct v9_ete_cpu *cpu = to_cpu(u);

	cpu->saved = cpu->regs;
	if (v9_ete_act_stop(&cpu->state, &cpu->saved))
		v9_ete_save_state(cpu, u->event);
	else
		v9_pmu_give_up(u);
}

static u64 v9_ete_saved_ptr(const struct v9_pmu_cpu *u)
{
	return container_of(u, struct v9_ete_cpu, u)->saved.trbptr;
}

static void v9_ete_restore(struct v9_pmu_cpu *u)
{
	struct v9_ete_cpu *cpu = to_cpu(u);

	/*
	 * After an abort the write pointer must not be used again (TRBE-UN3). Restore the unit as
	 * stopped: its interrupt then disables the event.
	 */
	if (cpu->saved.trbsr & V9_TRBSR_EL1_EA)
		cpu->saved.trbsr |= V9_TRBSR_EL1_S | V9_TRBSR_EL1_IRQ;
	if (!v9_ete_act_start(&cpu->state, values_of(cpu, u->event), &cpu->saved, false))
		v9_pmu_give_up(u);
}

/* --- files ---------------------------------------------------------------- */

static ssize_t value_show(struct kobject *kobj, struct kobj_attribute *attr, char *page)
{
	const struct v9_ete_value *v = container_of(attr, struct v9_ete_value, attr);

	return sysfs_emit(page, v->format, v->value);
}

static ssize_t cpu_show(struct kobject *kobj, struct kobj_attribute *attr, char *page)
{
	return sysfs_emit(page, "%s\n", kobject_name(kobj) + strlen("cpu"));
}

static struct kobj_attribute v9_ete_cpu = __ATTR_RO(cpu);

static struct device_attribute v9_ete_cpumask = __ATTR(cpumask, 0444, v9_pmu_cpumask_show, NULL);

static struct attribute *v9_ete_attrs[] = {
	&v9_ete_cpumask.attr,
	NULL
};

/* perf treats a PMU that has this file as an uncore PMU, so show it only if CPUs are missing. */
static umode_t v9_ete_cpumask_mode(struct kobject *kobj, struct attribute *attr, int n)
{
	struct v9_ete *ete = to_ete(dev_get_drvdata(kobj_to_dev(kobj)));

	return attr == &v9_ete_cpumask.attr && cpumask_equal(&ete->u.cpus, cpu_possible_mask) ?
	       0 : attr->mode;
}

static const struct attribute_group v9_ete_group = {
	.attrs = v9_ete_attrs,
	.is_visible = v9_ete_cpumask_mode,
};

/*
 * Aliases of sets of options: strobing, which records a part of the trace in useful pieces, and the
 * trace before a panic. All but "strobe" have the names of the in-tree driver.
 */
struct v9_ete_alias {
	struct device_attribute attr;
	const char *terms;
	struct v9_option needs;
};

static ssize_t alias_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, "%s\n", container_of(attr, struct v9_ete_alias, attr)->terms);
}

static struct v9_ete_alias v9_ete_aliases[] = {
	{ __ATTR(strobe, 0444, alias_show, NULL), "strobe_window=5000,strobe_period=10",
	  { .need = V9_TRACE_HAS_STROBE } },
	{ __ATTR(autofdo, 0444, alias_show, NULL), "strobe_window=5000,strobe_period=10000",
	  { .need = V9_TRACE_HAS_STROBE } },
	{ __ATTR(panicstop, 0444, alias_show, NULL), "trigger=3,trigger_panic=1",
	  { .need = V9_TRACE_HAS_EVENTS | V9_TRACE_HAS_POINT } },
};

static struct attribute *v9_ete_events[] = {
	&v9_ete_aliases[0].attr.attr,
	&v9_ete_aliases[1].attr.attr,
	&v9_ete_aliases[2].attr.attr,
	NULL
};

/* Does any CPU type have the option? */
static bool v9_ete_any_has(const struct v9_ete *ete, const struct v9_option *o)
{
	const struct v9_ete_type *type;

	list_for_each_entry_lockless(type, &ete->types, link)
		if (v9_ete_has_option(&type->unit, o, V9_KERNEL_WORDS))
			return true;
	return false;
}

static umode_t v9_ete_alias_mode(struct kobject *kobj, struct attribute *attr, int n)
{
	struct v9_ete *ete = to_ete(dev_get_drvdata(kobj_to_dev(kobj)));

	return v9_ete_any_has(ete, &v9_ete_aliases[n].needs) ? attr->mode : 0;
}

static const struct attribute_group v9_ete_event_group = {
	.name = "events",
	.attrs = v9_ete_events,
	.is_visible = v9_ete_alias_mode,
};

/*
 * perf and simpleperf look for buffers here, and put the number in the file into config2[31:0]. A
 * unit writes to the buffer of its own CPU only, so each file shows 0, which selects nothing.
 */
static struct v9_pmu_dir *v9_ete_sinks(struct v9_ete *ete)
{
	unsigned int n = cpumask_weight(&ete->u.cpus);
	struct v9_pmu_dir *sinks = v9_pmu_new_dir(&ete->u, "sinks", n);
	char (*name)[16] = v9_pmu_alloc(&ete->u, n, sizeof(*name));
	int nr;

	if (!sinks || !name)
		return NULL;
	for_each_cpu(nr, &ete->u.cpus) {
		snprintf(*name, sizeof(*name), "trbe%d", nr);
		v9_pmu_add_value(sinks, *name++, "0x%llx\n", 0);
	}
	return sinks;
}

/* format/ has the options that both a CPU type and the kernel support. */
static const struct attribute_group **v9_ete_files(struct v9_ete *ete)
{
	/*
	 * For perf: the bit that traces thread IDs. Not in the option table, which has each bit
	 * once.
	 */
	static const struct v9_option alias[] = {
		{ "contextid", 0, 14, 14, 0, 0, V9_TRACE_HAS_CID },
		{ "contextid", 0, 15, 15, 0, 0, V9_TRACE_HAS_VMID },
	};
	const struct attribute_group **groups;
	struct v9_pmu_dir *format, *stats, *per_cpu, *sinks, *tuning;
	const struct v9_option *o;
	unsigned int i, n;

	for (n = 0; v9_ete_option(n); n++)
		;
	format = v9_pmu_new_dir(&ete->u, "format", n + 1);
	stats = v9_pmu_stats(&ete->u, false);
	per_cpu = v9_pmu_stats(&ete->u, true);
	sinks = v9_ete_sinks(ete);
	tuning = v9_pmu_tuning(&ete->u, false);
	groups = v9_pmu_alloc(&ete->u, 8, sizeof(*groups));
	if (!format || !stats || !per_cpu || !sinks || !tuning || !groups)
		return NULL;
	ete->format = format;

	for (i = 0; (o = v9_ete_option(i)); i++)
		if (v9_ete_any_has(ete, o))
			v9_pmu_add_option(format, o);
	o = &alias[is_kernel_in_hyp_mode()];
	if (v9_ete_any_has(ete, o))
		v9_pmu_add_option(format, o);
	groups[0] = &v9_ete_group;
	groups[1] = &format->group;
	groups[2] = &stats->group;
	groups[3] = &per_cpu->group;
	groups[4] = &v9_ete_event_group;
	groups[5] = &sinks->group;
	groups[6] = &tuning->group;
	return groups;
}

static void v9_ete_fill_values(struct v9_ete_type *type)
{
	const struct v9_ete_id *id = &type->key.id;
	const struct {
		const char *name;
		u64 value;
	} rows[V9_ETE_VALUES] = {
		[V9_ETE_IDR0] = { "trcidr0", id->trcidr[0] },
		[V9_ETE_IDR1] = { "trcidr1", id->trcidr[1] },
		[V9_ETE_IDR2] = { "trcidr2", id->trcidr[2] },
		[V9_ETE_IDR3] = { "trcidr3", id->trcidr[3] },
		[V9_ETE_IDR4] = { "trcidr4", id->trcidr[4] },
		[V9_ETE_IDR5] = { "trcidr5", id->trcidr[5] },
		[V9_ETE_IDR8] = { "trcidr8", id->trcidr[8] },
		[V9_ETE_AUTHSTATUS] = { "trcauthstatus", id->trcauthstatus },
		[V9_ETE_DEVARCH] = { "trcdevarch", id->trcdevarch },
		/* perf converts timestamps only if the file has this value. */
		[V9_ETE_TS_SOURCE] = { "ts_source", V9_TRFCR_EL1_TS_VIRTUAL },
		[V9_ETE_TRFCR_TS] = { "trfcr_ts", v9_ete_time(&type->unit) },
	};
	unsigned int i, n = 0, m = 0;

	for (i = 0; i < V9_ETE_VALUES; i++) {
		struct v9_ete_value *v = &type->value[i];

		sysfs_attr_init(&v->attr.attr);
		v->attr.attr.name = rows[i].name;
		v->attr.attr.mode = 0444;
		v->attr.show = value_show;
		v->format = i >= V9_ETE_TS_SOURCE ? "%lld\n" : "0x%llx\n";
		v->value = rows[i].value;
		if (i < V9_ETE_AUTHSTATUS)
			type->in_trcidr[n++] = &v->attr.attr;
		else if (i < V9_ETE_TS_SOURCE)
			type->in_mgmt[m++] = &v->attr.attr;
	}
	type->trcidr.name = "trcidr";
	type->trcidr.attrs = type->in_trcidr;
	type->mgmt.name = "mgmt";
	type->mgmt.attrs = type->in_mgmt;
}

static void v9_ete_put_dirs(void *data)
{
	struct v9_ete *ete = data;
	int nr;

	cpus_read_lock();
	ete->made = false;
	cpus_read_unlock();
	for_each_possible_cpu(nr)
		kobject_put(ete->dir[nr]);
}

/* Once for each CPU type. */
static void v9_ete_log_type(struct v9_ete *ete, struct v9_ete_type *type)
{
	type->logged = true;
	dev_info(ete->u.dev, "%s: ETEv1p%llu on CPUs %*pbl\n", pmu_name,
		 V9_GET(V9_TRCDEVARCH_REVISION, type->key.id.trcdevarch),
		 cpumask_pr_args(&type->cpus));
}

/* Create cpu<n>/, which describes the CPU's unit to decoders. */
static int v9_ete_get_dir(struct v9_ete *ete, const struct v9_ete_type *type, unsigned int nr)
{
	char name[16];
	int err;

	if (ete->dir[nr])
		return 0;
	snprintf(name, sizeof(name), "cpu%u", nr);
	ete->dir[nr] = kobject_create_and_add(name, &ete->u.pmu.dev->kobj);
	if (!ete->dir[nr])
		return -ENOMEM;
	err = sysfs_create_group(ete->dir[nr], &type->trcidr);
	err = err ?: sysfs_create_group(ete->dir[nr], &type->mgmt);
	err = err ?: sysfs_create_file(ete->dir[nr], &v9_ete_cpu.attr);
	err = err ?: sysfs_create_file(ete->dir[nr], &type->value[V9_ETE_TS_SOURCE].attr.attr);
	err = err ?: sysfs_create_file(ete->dir[nr], &type->value[V9_ETE_TRFCR_TS].attr.attr);
	if (err) {
		kobject_put(ete->dir[nr]);
		ete->dir[nr] = NULL;
	}
	return err;
}

/* Add the options that this CPU type has and no earlier one. */
static int v9_ete_add_options(struct v9_ete *ete, const struct v9_ete_type *type)
{
	struct v9_pmu_dir *format = ete->format;
	const struct v9_option *o;
	unsigned int i, j;
	int err = 0;

	for (i = 0; !err && (o = v9_ete_option(i)); i++) {
		for (j = 0; j < format->n && format->file[j].option != o; j++)
			;
		if (j < format->n || !v9_ete_has_option(&type->unit, o, V9_KERNEL_WORDS))
			continue;
		v9_pmu_add_option(format, o);
		err = sysfs_add_file_to_group(&ete->u.pmu.dev->kobj, &format->file[j].attr.attr,
					      format->group.name);
		if (err)	/* the next CPU of this type tries again */
			format->n--;
	}
	return err;
}

/* Create the directory of a CPU, and the options of its type if that is new. */
static int v9_ete_show_cpu(struct v9_ete *ete, struct v9_ete_type *type, unsigned int nr)
{
	int err = v9_ete_get_dir(ete, type, nr);

	err = err ?: v9_ete_add_options(ete, type);
	if (!err && !type->logged)
		v9_ete_log_type(ete, type);
	return err;
}

/* For CPUs that are online. v9_ete_online() does the same for later ones. */
static int v9_ete_get_dirs(struct v9_ete *ete)
{
	struct v9_ete_type *type;
	int nr, err;

	ete->dir = devm_kcalloc(ete->u.dev, nr_cpu_ids, sizeof(*ete->dir), GFP_KERNEL);
	if (!ete->dir)
		return -ENOMEM;
	err = devm_add_action(ete->u.dev, v9_ete_put_dirs, ete);
	if (err)
		return err;
	cpus_read_lock();
	list_for_each_entry(type, &ete->types, link)
		for_each_cpu_and(nr, &type->cpus, &ete->u.cpus)
			err = err ?: v9_ete_show_cpu(ete, type, nr);
	ete->made = !err;
	cpus_read_unlock();
	return err;
}

/* --- the device ------------------------------------------------------------ */

/* Make a CPU type. The caller adds it to the list. */
static struct v9_ete_type *v9_ete_new_type(struct v9_ete *ete, const struct v9_ete_type_key *key,
					   const char **why)
{
	struct v9_ete_type *type = kzalloc(sizeof(*type), GFP_KERNEL);
	int err;

	*why = NULL;
	if (!type)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&type->link);
	type->key = *key;
	v9_pmu_log_errata(&ete->u, key->errata);
	err = v9_ete_check_key(key, &type->unit, why);
	if (err) {
		kfree(type);
		return ERR_PTR(err);
	}
	v9_ete_fill_values(type);
	type->nr = ete->u.types;
	type->late = ete->closed;
	return type;
}

/* Under the CPU hotplug lock, or when a CPU comes online. */
static void v9_ete_add_type(struct v9_ete *ete, struct v9_ete_type *type)
{
	struct v9_aux aux = {
		.align = type->unit.align,
		.max_record = max_t(u64, type->unit.align, V9_TRBE_LEAST),
		.granule = type->unit.granule,
		.max = type->unit.max_buffer,
		.early = !plain,
	};

	if (type->nr)
		v9_cpu_types_merge(&aux, &ete->u.aux);
	ete->u.aux = aux;
	list_add_tail_rcu(&type->link, &ete->types);
	/* Release: a reader of the number sees the type, and what its units require of a buffer. */
	smp_store_release(&ete->u.types, type->nr + 1);
}

static int v9_ete_find_types(struct v9_ete *ete, struct v9_pmu_device *device)
{
	const char *why, *refused = "none of its CPUs is online";
	struct v9_ete_type *type;
	struct v9_ete_type_key key;
	bool some = false;
	int nr, no = -ENXIO;

	for_each_cpu_and(nr, &device->cpus, cpu_online_mask) {
		key.id.closed = v9_ete_closed(nr);
		if (smp_call_function_single(nr, v9_ete_read_key, &key, true))
			continue;
		type = v9_ete_find_type(ete, &key) ?: v9_ete_new_type(ete, &key, &why);
		if (IS_ERR(type)) {
			if (!why)
				return PTR_ERR(type);
			refused = why;
			no = PTR_ERR(type);
			continue;
		}
		if (list_empty(&type->link))
			v9_ete_add_type(ete, type);
		some = true;
	}
	return some ? 0 : v9_pmu_refuse(device->dev, device->driver, no, refused);
}

/* devm action: no unit is up, and no CPU comes online for the devices any more. */
static void v9_ete_free(void *data)
{
	struct v9_ete_type *type, *next;
	struct v9_ete *ete = data;

	v9_ete_pmu = NULL;
	v9_pmu_unmake(&ete->u);
	list_for_each_entry_safe(type, next, &ete->types, link)
		kfree(type);
	v9_pmu_free(&ete->u, ete);
}

/* All devices form one PMU, which belongs to the first device. Device links keep that one last. */
static int v9_ete_use_device(struct v9_pmu_device *device)
{
	struct v9_ete *ete = v9_ete_pmu;
	int err;

	if (ete && ete->closed)
		return v9_pmu_refuse(device->dev, device->driver, -EBUSY,
				     "the PMU was made before it came");
	if (ete)
		return device_link_add(device->dev, ete->u.dev, DL_FLAG_AUTOREMOVE_CONSUMER) ?
		       0 : -ENOMEM;
	ete = kzalloc(sizeof(*ete), GFP_KERNEL);
	if (!ete)
		return -ENOMEM;
	INIT_LIST_HEAD(&ete->types);
	err = v9_pmu_make(&ete->u, device);
	if (err) {
		kfree(ete);
		return err;
	}
	v9_ete_pmu = ete;
	return devm_add_action_or_reset(device->dev, v9_ete_free, ete);
}

static int v9_ete_check_kvm(struct device *dev)
{
	struct v9_kvm_action j = v9_check_kvm(v9_read_kvm_facts());

	if (j.why)
		return v9_pmu_refuse(dev, &v9_ete_driver, -EOPNOTSUPP, j.why);
	if (j.notify)
		static_branch_enable(&v9_ete_kvm_notify);
	return 0;
}

/* devm actions undo each step in reverse order. */
static int v9_ete_probe(struct platform_device *pdev)
{
	struct v9_pmu_device *device = devm_kzalloc(&pdev->dev, sizeof(*device), GFP_KERNEL);
	int err;

	if (!device)
		return -ENOMEM;
	err = v9_ete_check_kvm(&pdev->dev);
	err = err ?: v9_pmu_begin(device, &v9_ete_driver, pdev);
	err = err ?: v9_ete_use_device(device);
	if (err)
		return err;
	cpus_read_lock();	/* CPUs of another device may come online */
	err = v9_ete_find_types(v9_ete_pmu, device);
	cpus_read_unlock();
	if (err)
		return err;
	cpumask_or(&v9_ete_pmu->u.cpus, &v9_ete_pmu->u.cpus, &device->cpus);
	return v9_pmu_bring_up_cpus(device);
}

static void *v9_ete_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot)
{
	if (!plain || !snapshot)
		return v9_pmu_setup_aux(event, pages, nr_pages, snapshot);
	dev_dbg(to_ete(event->pmu)->u.dev, "buffer refused: overwritten, and plain=1\n");
	return NULL;
}

static int v9_ete_get_pmu(struct v9_ete *ete, const char **why)
{
	struct v9_ete_type *type;
	unsigned int filters = V9_ETE_COMPARATORS;

	list_for_each_entry_lockless(type, &ete->types, link)
		filters = min(filters, type->unit.comparators);
	ete->u.pmu = (struct pmu) {
		.attr_groups = v9_ete_files(ete),
		.event_init = v9_ete_event_init,
		.add = v9_ete_add,
		.del = v9_ete_del,
		.start = v9_ete_start,
		.stop = v9_ete_stop,
		.setup_aux = v9_ete_setup_aux,
		.nr_addr_filters = filters,
		.addr_filters_validate = v9_ete_addr_filters_validate,
		.addr_filters_sync = v9_ete_addr_filters_sync,
	};
	return v9_pmu_publish(&ete->u, pmu_name,
			      "another driver holds the PMU's name; unload coresight, or see the parameter \"name\"",
			      why);
}

/* All devices are probed, so all CPU types that are online are known: register the PMU. */
static int v9_ete_all_probed(void)
{
	struct v9_ete *ete = v9_ete_pmu;
	const char *why;
	int err;

	if (!ete || ete->closed)
		return 0;
	cpus_read_lock();
	ete->closed = true;
	cpus_read_unlock();
	err = v9_ete_get_pmu(ete, &why);
	if (err)
		return why ? v9_pmu_refuse(ete->u.dev, ete->u.driver, err, why) : err;
	return v9_ete_get_dirs(ete);
}

/* Only the buffer is a device here. The trace unit is found by ID registers, v9_ete_is_listed(). */
static const struct of_device_id v9_ete_of_ids[] = {
	{ .compatible = "arm,trace-buffer-extension" },
	{ }
};
MODULE_DEVICE_TABLE(of, v9_ete_of_ids);

/* The kernel, or v9_core, creates these devices from the ACPI MADT. */
static const struct platform_device_id v9_ete_platform_ids[] = {
	{ .name = "arm,trbe" },
	{ .name = "v9_ete" },
	{ }
};
MODULE_DEVICE_TABLE(platform, v9_ete_platform_ids);

static struct v9_pmu_driver v9_ete_driver = {
	.platform = {
		.id_table = v9_ete_platform_ids,
		.driver = {
			.name = "v9_ete",
			.of_match_table = v9_ete_of_ids,
			.suppress_bind_attrs = true,
		},
	},
	.probe = v9_ete_probe,
	.all_probed = v9_ete_all_probed,
	.extension = "Trace Buffer Extension",
	.status = "TRBSR",
	.conflict_module = "coresight_trbe",
	.conflict_driver = "arm_trbe",
	.conflict_initcall = "arm_trbe_init",
	.gicc_at = V9_GICC_TRBE_INTERRUPT,
	.no_stats = V9_STATS_OF_BRANCHES | BIT(V9_STAT_COLLISIONS),
	.padding = V9_TRACE_PADDING,
	.nvm = V9_TRBLIMITR_EL1_nVM,
	.cpu_size = sizeof(struct v9_ete_cpu),
	.irq = v9_ete_irq,
	.match = v9_ete_match,
	.online = v9_ete_online,
	.discard = v9_ete_discard,
	.reset = v9_ete_reset,
	.release = v9_ete_release,
	.route = v9_trbe_act_route,
	.self_test = v9_ete_self_test,
	.quiesce = v9_ete_act_quiesce,
	.save = v9_ete_save,
	.saved_ptr = v9_ete_saved_ptr,
	.restore = v9_ete_restore,
};

static int __init v9_ete_init(void)
{
	v9_ete_driver.wraps = !plain;
	return v9_pmu_register(&v9_ete_driver, THIS_MODULE);
}
module_init(v9_ete_init);

static void __exit v9_ete_exit(void)
{
	v9_pmu_unregister(&v9_ete_driver);
}
module_exit(v9_ete_exit);

MODULE_DESCRIPTION("v9trace: Embedded Trace Extension with the Trace Buffer Extension");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(V9_NAMESPACE);
