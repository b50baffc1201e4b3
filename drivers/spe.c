// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_spe: the Statistical Profiling Extension as a perf PMU.
 *
 * The PMU has the name and the files that stock perf looks for, so an unmodified perf records with
 * it. Decisions are functions of drivers/lib; this file reads and writes the hardware and calls
 * perf.
 *
 * The register values of an event are computed when it is created. To start it means to open a
 * window in the AUX buffer and to write the registers. Everything per CPU is touched by that CPU
 * only, with interrupts off.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/device.h>
#include <linux/idr.h>
#include <linux/list.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sysfs.h>

#include <asm/cputype.h>
#include <asm/sysreg.h>
#include <asm/virt.h>

#include "compat.h"
#include "aux.h"
#include "cpu_regs.h"
#include "event.h"
#include "sysfs.h"
#include "tuning.h"
#include "unit.h"
#include "v9trace/attr.h"
#include "v9trace/errata.h"
#include "v9trace/gen/regs.h"
#include "v9trace/fault_action.h"
#include "v9trace/check_absence.h"
#include "v9trace/plan.h"
#include "v9trace/seq.h"
#include "v9trace/seq_routing.h"
#include "v9trace/uapi.h"

static char *name = V9_SPE_PMU_PREFIX;

module_param_cb(name, &v9_pmu_name_ops, &name, 0444);
MODULE_PARM_DESC(name, "first part of the PMU's name, a number follows (default " V9_SPE_PMU_PREFIX
		 "; perf knows no other)");

/*
 * No register says whether firmware or a hypervisor traps PMBMAR_EL1, so the user has to, unless
 * firmware answers.
 */
static bool physical_attributes;
module_param(physical_attributes, bool, 0444);
MODULE_PARM_DESC(physical_attributes,
		 "use PMBMAR_EL1, for buffers by physical address: firmware permits it (default N)");

static struct v9_pmu_driver v9_spe_driver;

module_param_cb(min_interval, &v9_setting_ops, &v9_spe_driver.setting[V9_MIN_INTERVAL], 0444);
MODULE_PARM_DESC(min_interval,
		 "smallest sampling interval, a multiple of 256 (default 0: no limit)");
module_param_cb(aux_watermark, &v9_setting_ops, &v9_spe_driver.setting[V9_AUX_WATERMARK], 0444);
MODULE_PARM_DESC(aux_watermark,
		 "bytes between wakeups for events that state none (default 0: half of the buffer)");
module_param_cb(max_buffer, &v9_setting_ops, &v9_spe_driver.setting[V9_MAX_BUFFER], 0444);
MODULE_PARM_DESC(max_buffer, "bytes of the largest AUX buffer (default 0: no limit)");
module_param_cb(physical_access, &v9_setting_ops, &v9_spe_driver.setting[V9_PHYSICAL_ACCESS], 0444);
MODULE_PARM_DESC(physical_access,
		 "who may record physical addresses and time: perf (default), perfmon, nobody");
module_param_cb(max_interrupts, &v9_setting_ops, &v9_spe_driver.setting[V9_MAX_INTERRUPTS], 0444);
MODULE_PARM_DESC(max_interrupts,
		 "most interrupts of each CPU in a second (default 0: no limit)");

/**
 * struct v9_spe_cpu - one CPU's unit
 * @u: part that all drivers have
 * @regs: registers of the open window, as written
 * @now: registers of the window, as last read
 * @saved: registers that v9_spe_save() read
 * @state: what the unit's registers hold
 */
struct v9_spe_cpu {
	struct v9_pmu_cpu u;
	struct v9_spe_regs regs;
	struct v9_spe_regs now;
	struct v9_spe_regs saved;
	struct v9_spe_state state;
};

/**
 * struct v9_spe_device - a device of firmware
 * @d: part that all drivers have
 * @types: its PMUs, struct v9_spe; protected by the CPU hotplug lock
 * @made: the PMUs of all CPUs that were online at probe are registered
 */
struct v9_spe_device {
	struct v9_pmu_device d;
	struct list_head types;
	bool made;
};

/**
 * struct v9_spe_type_key - what makes a CPU type: CPUs with the same key have one PMU
 * @id: ID registers of the unit
 * @errata: V9_ERRATUM_*
 */
struct v9_spe_type_key {
	struct v9_spe_id id;
	u64 errata;
};

/**
 * struct v9_spe - the PMU of one CPU type
 * @u: part that all drivers have
 * @type: entry in the list @types of @device
 * @device: device that the units belong to
 * @key: key of the CPU type
 * @unit: features of the units
 * @id: number <n> of the name arm_spe_<n>; -1 if it has no name yet
 */
struct v9_spe {
	struct v9_pmu u;
	struct list_head type;
	struct v9_spe_device *device;
	struct v9_spe_type_key key;
	struct v9_spe_unit unit;
	int id;
};

/**
 * struct v9_spe_session - what an event keeps from one start to the next
 * @values: register values
 * @period: sampling period in @values, in operations
 * @pmsicr: interval counter, saved while stopped; 0 for a new event
 */
struct v9_spe_session {
	struct v9_spe_reg_values values;
	u64 period;
	u64 pmsicr;
};

static struct v9_spe *to_spe(struct pmu *pmu)
{
	return container_of(pmu, struct v9_spe, u.pmu);
}

static struct v9_spe_cpu *to_cpu(struct v9_pmu_cpu *cpu)
{
	return container_of(cpu, struct v9_spe_cpu, u);
}

static const struct v9_spe_unit *unit_of(const struct v9_spe_cpu *cpu)
{
	return &container_of(cpu->u.unit, struct v9_spe, u)->unit;
}

static bool writes_buffer(const struct v9_spe_reg_values *values)
{
	return V9_GET(V9_PMBLIMITR_EL1_FM, values->reg[V9_SPE_REG_PMBLIMITR]) ==
	       V9_PMBLIMITR_EL1_FM_FILL;
}

/* --- the window ---------------------------------------------------------- */

static __always_inline void v9_spe_set_window(struct v9_spe_cpu *cpu, const struct v9_buf *buf,
					      const struct v9_spe_reg_values *values)
{
	u64 base = buf->at;

	cpu->regs.pmbptr = base + buf->w.ptr;
	cpu->regs.pmblimitr = (base + buf->w.limit) | buf->nvm | values->reg[V9_SPE_REG_PMBLIMITR] |
			      V9_PMBLIMITR_EL1_E;
}

/*
 * Open the next window. Returns 0, with the window in cpu->regs, and in *wrote whether the CPU
 * wrote padding; or -ENOSPC. An event that writes no buffer gets an empty window.
 */
static noinline int v9_spe_open(struct v9_spe_cpu *cpu, struct perf_event *event, bool *wrote)
{
	const struct v9_spe_session *s = event->pmu_private;
	struct v9_buf *buf;

	cpu->regs.pmbsr = 0;
	if (!writes_buffer(&s->values)) {
		cpu->regs.pmbptr = 0;
		cpu->regs.pmblimitr = s->values.reg[V9_SPE_REG_PMBLIMITR] | V9_PMBLIMITR_EL1_E;
		*wrote = false;
		return 0;
	}
	buf = v9_pmu_open(&cpu->u, event, wrote, true);
	if (unlikely(!buf))
		return -ENOSPC;
	v9_spe_set_window(cpu, buf, &s->values);
	return 0;
}

/*
 * In an overwritten buffer the oldest data follows the window. Its first bytes may be the rest of a
 * torn record (SPE-PB15). Padding replaces them, because a decoder can start after padding. If the
 * data of the window is dropped, padding replaces all of it.
 */
static noinline void v9_spe_close_snapshot(struct v9_spe_cpu *cpu, bool data, u64 used)
{
	struct v9_buf *buf = cpu->u.buf;
	u64 head = cpu->regs.pmbptr + used - buf->at;

	v9_pmu_fill(&cpu->u, head, v9_plan_torn(&buf->aux, &buf->w, head, data));
	cpu->u.handle.head = head;
}

/* Close the window and hand its data to perf, with flags for what is missing. */
static __always_inline void v9_spe_close(struct v9_spe_cpu *cpu, bool data, u32 flags)
{
	u64 used = 0;

	if (unlikely(!v9_pmu_is_open(&cpu->u)))
		return;
	if (v9_plan_used(cpu->regs.pmbptr, cpu->regs.pmblimitr & V9_PMBLIMITR_EL1_LIMIT,
			 cpu->now.pmbptr, &used))
		flags |= V9_AUX_TRUNCATED;
	if (unlikely(!data))
		used = v9_pmu_drop(&cpu->u, used);
	if (unlikely(cpu->u.buf->snapshot))
		v9_spe_close_snapshot(cpu, data, used);
	v9_pmu_close(&cpu->u, used, flags);
}

/*
 * The unit stopped because another record has no room. Write padding to the rest of the window, so
 * that the next one begins where this one was planned to end. Returns true if the ring would be
 * full with it.
 */
static noinline bool v9_spe_fill_up(struct v9_spe_cpu *cpu, struct perf_event *event)
{
	u64 limit = cpu->regs.pmblimitr & V9_PMBLIMITR_EL1_LIMIT, used;
	struct v9_buf *buf = cpu->u.buf;

	if (!v9_pmu_is_open(&cpu->u) || buf->snapshot ||
	    v9_plan_used(cpu->regs.pmbptr, limit, cpu->now.pmbptr, &used))
		return false;
	v9_pmu_fill(&cpu->u, cpu->now.pmbptr - buf->at, limit - cpu->now.pmbptr);
	cpu->u.stat[V9_STAT_PADDING] += limit - cpu->now.pmbptr;
	cpu->now.pmbptr = limit;
	return v9_pmu_fills_ring(&cpu->u, event, limit - cpu->regs.pmbptr);
}

/* --- start, stop, interrupt ---------------------------------------------- */

/* PERF_EVENT_IOC_PERIOD */
static noinline __cold void v9_spe_new_period(struct perf_event *event)
{
	struct v9_spe_session *s = event->pmu_private;

	s->period = v9_spe_encode_interval(&to_spe(event->pmu)->unit, event->hw.sample_period,
					   &s->values.reg[V9_SPE_REG_PMSIRR]);
	event->hw.sample_period = s->period;
	s->pmsicr = 0;
}

static __always_inline void v9_spe_do_start(struct perf_event *event, int flags)
{
	struct v9_spe_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);
	struct v9_spe_session *s = event->pmu_private;
	struct hw_perf_event *hwc = &event->hw;
	bool wrote = false;
	struct v9_buf *buf;

	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (unlikely(!(cpu->u.ready & V9_READY)))
		return;
	buf = v9_pmu_reopen(&cpu->u, event);
	if (buf) {
		cpu->regs.pmbsr = 0;
		v9_spe_set_window(cpu, buf, &s->values);
	} else if (unlikely(v9_spe_open(cpu, event, &wrote))) {
		return;
	}
	if (unlikely(s->period != hwc->sample_period))
		v9_spe_new_period(event);
	cpu->regs.pmsicr = s->pmsicr;
	hwc->state = 0;
	v9_spe_act_start(&cpu->state, &s->values, &cpu->regs, wrote);
}

/* Stop the unit and save the interval counter in the event. Registers are in cpu->now. */
static __always_inline void v9_spe_halt(struct v9_spe_cpu *cpu, struct perf_event *event)
{
	struct v9_spe_session *s = event->pmu_private;

	v9_spe_act_stop(&cpu->state, &cpu->now);
	s->pmsicr = cpu->now.pmsicr;
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

/* Close the window of a unit that recorded an event before it was stopped. */
static noinline __cold void v9_spe_close_with_status(struct v9_spe_cpu *cpu,
						     struct perf_event *event)
{
	struct v9_fault_action j = v9_spe_fault_action(cpu->now.pmbsr);
	bool last;

	if (j.cause != V9_CAUSE_NONE)
		cpu->u.stat[j.cause]++;
	last = j.cause == V9_CAUSE_FULL && v9_spe_fill_up(cpu, event);
	v9_spe_close(cpu, j.data, j.flags | (last ? V9_AUX_TRUNCATED : 0));
	/*
	 * perf has marked the event to be disabled when it is scheduled out next. But the event is
	 * started again, or added when its task is scheduled in, and may find room then.
	 */
	if (last)
		event->pending_disable = 0;
}

static __always_inline void v9_spe_do_stop(struct perf_event *event, int flags)
{
	struct v9_spe_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	v9_spe_halt(cpu, event);
	if (unlikely(cpu->now.pmbsr))
		v9_spe_close_with_status(cpu, event);
	else if (cpu->now.pmbptr == cpu->regs.pmbptr && v9_pmu_is_open(&cpu->u))
		v9_pmu_defer(&cpu->u);
	else
		v9_spe_close(cpu, true, 0);
}

static void v9_spe_start(struct perf_event *event, int flags)
{
	v9_pmu_start(event, flags, v9_spe_do_start);
}

static void v9_spe_stop(struct perf_event *event, int flags)
{
	v9_pmu_stop(event, flags, v9_spe_do_stop);
}

static int v9_spe_add(struct perf_event *event, int flags)
{
	return v9_pmu_add(event, flags, v9_spe_start);
}

static void v9_spe_del(struct perf_event *event, int flags)
{
	v9_pmu_del(event, v9_spe_stop);
}

static __always_inline irqreturn_t v9_spe_handle_irq(struct v9_spe_cpu *cpu)
{
	struct perf_event *event = cpu->u.event;
	struct v9_fault_action j;
	bool wrote, throttled;
	u64 used = 0;
	u32 flags = 0;

	v9_spe_read_status(&cpu->now);
	j = v9_spe_fault_action(cpu->now.pmbsr);
	cpu->u.stat[j.cause]++;
	trace_v9_interrupt(cpu->u.unit->pmu.name, j.cause, cpu->now.pmbsr, cpu->now.pmbptr);
	if (j.cause == V9_CAUSE_NONE)
		return IRQ_NONE;

	if (!event || (event->hw.state & PERF_HES_STOPPED)) {
		/* No event is active. Clear the status, or the interrupt stays asserted. */
		v9_spe_act_stop(&cpu->state, &cpu->now);
		return IRQ_HANDLED;
	}
	if (j.cause >= V9_CAUSE_FAULT) {
		u64 limit = cpu->regs.pmblimitr & V9_PMBLIMITR_EL1_LIMIT;

		dev_err_ratelimited(cpu->u.unit->dev,
				    "CPU%d: profiling stopped: PMBSR_EL1 %#llx, %lld bytes into a window of %lld\n",
				    smp_processor_id(), cpu->now.pmbsr,
				    cpu->now.pmbptr - cpu->regs.pmbptr, limit - cpu->regs.pmbptr);
	}

	throttled = v9_pmu_throttle(&cpu->u);
	if (j.cause == V9_CAUSE_FULL && v9_spe_fill_up(cpu, event)) {
		used = cpu->now.pmbptr - cpu->regs.pmbptr;
		flags = j.flags;
	} else {
		v9_spe_close(cpu, j.data, j.flags);
		if (j.resume && throttled) {
			v9_spe_halt(cpu, event);
			v9_pmu_put_off(&cpu->u, event);
			return IRQ_HANDLED;
		}
		if (j.resume && !v9_spe_open(cpu, event, &wrote)) {
			v9_spe_act_resume(&cpu->regs, wrote);
			return IRQ_HANDLED;
		}
	}
	v9_spe_halt(cpu, event);
	v9_pmu_switch_off(&cpu->u, event, j.cause, used, flags);
	return IRQ_HANDLED;
}

static irqreturn_t v9_spe_irq(int irq, void *cookie)
{
	struct v9_spe_cpu *cpu = to_cpu(v9_pmu_of_irq(cookie));
	u64 since = v9_pmu_irq_enter(&cpu->u);
	irqreturn_t ret = v9_spe_handle_irq(cpu);

	v9_pmu_irq_leave(&cpu->u, since);
	return ret;
}

/* --- perf ----------------------------------------------------------------- */

static int v9_spe_check_period(struct perf_event *event, u64 period)
{
	struct v9_spe *spe = to_spe(event->pmu);
	u64 pmsirr = 0;

	if (period < v9_setting(&spe->u, V9_MIN_INTERVAL))
		return -EINVAL;
	return v9_spe_encode_interval(&spe->unit, period, &pmsirr) ? 0 : -EINVAL;
}

static void v9_spe_destroy(struct perf_event *event)
{
	kfree(event->pmu_private);
}

static int v9_spe_event_init(struct perf_event *event)
{
	const struct v9_spe_session *parent = event->parent ? event->parent->pmu_private : NULL;
	struct perf_event_attr *attr = &event->attr;
	struct v9_spe *spe = to_spe(event->pmu);
	struct v9_spe_request req = {
		.config = { attr->config, attr->config1, attr->config2,
			    v9_config3(attr), v9_config4(attr) },
		.period = event->hw.sample_period,
		.user = !attr->exclude_user,
		.kernel = !attr->exclude_kernel,
	};
	struct v9_spe_session *s;
	struct v9_refusal no;
	u64 minimum;
	int err;

	err = v9_pmu_check_event(event);
	if (err)
		return err;
	minimum = parent ? 0 : v9_setting(&spe->u, V9_MIN_INTERVAL);
	if (!req.period)
		req.period = max(spe->unit.min_interval, minimum);
	if (req.period < minimum) {
		dev_dbg(spe->u.dev, "event refused: period below tuning/min_interval\n");
		return -EINVAL;
	}

	/*
	 * CONTEXTIDR has thread IDs of the initial PID namespace. They are recorded for users who
	 * may profile the kernel (SPE-CD19). An inherited event does as its parent does, whoever
	 * calls fork(), so that fork() does not fail.
	 */
	req.context = IS_ENABLED(CONFIG_PID_IN_CONTEXTIDR) &&
		      (parent ? parent->values.reg[V9_SPE_REG_PMSCR] & V9_PMSCR_EL1_CX :
				!v9_allow_kernel(attr));

	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	err = v9_spe_encode_regs(&spe->unit, &req, &s->values, &no);
	if (err) {
		dev_dbg(spe->u.dev, "event refused: %s: %s\n", no.option, no.why);
		goto free_session;
	}
	if (!parent && v9_spe_needs_privilege(&s->values)) {
		err = v9_pmu_allow_physical(&spe->u, attr);
		if (err)
			goto free_session;
	}

	s->period = s->values.reg[V9_SPE_REG_PMSIRR] & V9_PMSIRR_EL1_INTERVAL;
	event->hw.sample_period = s->period;
	event->pmu_private = s;
	event->destroy = v9_spe_destroy;
	return 0;

free_session:
	kfree(s);
	return err;
}

/* --- callbacks of unit.c --------------------------------------------------- */

static void v9_spe_read_key(void *data)
{
	struct v9_spe_type_key *key = data;

	v9_spe_read_id(&key->id, V9_KERNEL_WORDS,
		       v9_el3_spe_closed(v9_cpu_el3(smp_processor_id())));
	key->errata = v9_errata(read_cpuid_id()) & V9_ERRATA_SPE;
}

static struct v9_spe *v9_spe_find_type(struct v9_spe_device *device,
				       const struct v9_spe_type_key *key)
{
	struct v9_spe *spe;

	list_for_each_entry(spe, &device->types, type)
		if (!memcmp(&spe->key, key, sizeof(*key)))
			return spe;
	return NULL;
}

static int v9_spe_new_type(struct v9_spe_device *device, const struct v9_spe_type_key *key,
			   const char **why);

static struct v9_pmu_cpu *v9_spe_match(struct v9_pmu_device *d, const char **why)
{
	struct v9_spe_device *device = container_of(d, struct v9_spe_device, d);
	struct v9_spe_type_key key;
	struct v9_spe *spe;

	v9_spe_read_key(&key);
	spe = v9_spe_find_type(device, &key);
	if (!spe && !v9_spe_new_type(device, &key, why))
		spe = v9_spe_find_type(device, &key);
	return spe ? this_cpu_ptr(spe->u.cpu) : NULL;
}

static bool v9_spe_reset(struct v9_pmu_cpu *cpu)
{
	bool permitted = v9_el3_permits_pmbmar(v9_cpu_el3(smp_processor_id()),
					       is_kernel_in_hyp_mode(), physical_attributes);

	v9_spe_act_reset(&to_cpu(cpu)->state);
	v9_spe_act_exclude_guests(is_kernel_in_hyp_mode());
	cpu->physical = v9_spe_act_physical(permitted);
	cpu->physical_unused = !permitted && v9_spe_has_physical();
	return true;
}

static bool v9_spe_self_test(struct v9_pmu_cpu *u, u64 page)
{
	struct v9_spe_cpu *cpu = to_cpu(u);

	return v9_spe_act_self_test(&cpu->state, unit_of(cpu), page, PAGE_SIZE);
}

static void v9_spe_save(struct v9_pmu_cpu *u)
{
	struct v9_spe_cpu *cpu = to_cpu(u);

	cpu->saved.pmblimitr = cpu->regs.pmblimitr;
	v9_spe_act_stop(&cpu->state, &cpu->saved);
}

static u64 v9_spe_saved_ptr(const struct v9_pmu_cpu *u)
{
	return container_of(u, struct v9_spe_cpu, u)->saved.pmbptr;
}

static void v9_spe_restore(struct v9_pmu_cpu *u)
{
	struct v9_spe_cpu *cpu = to_cpu(u);
	struct v9_spe_session *s = u->event->pmu_private;

	/*
	 * After an abort or a loss of data the write pointer must not be used again (SPE-CS2).
	 * Restore the unit as stopped: its interrupt then opens a new window.
	 */
	if (cpu->saved.pmbsr & (V9_PMBSR_EL1_EA | V9_PMBSR_EL1_DL))
		cpu->saved.pmbsr |= V9_PMBSR_EL1_S;
	v9_spe_act_start(&cpu->state, &s->values, &cpu->saved, false);
}

/* --- files ---------------------------------------------------------------- */

static struct device_attribute v9_spe_cpumask = __ATTR(cpumask, 0444, v9_pmu_cpumask_show, NULL);

static struct attribute *v9_spe_attrs[] = {
	&v9_spe_cpumask.attr,
	NULL
};

static const struct attribute_group v9_spe_group = {
	.attrs = v9_spe_attrs,
};

/* format/ has the options that both unit and kernel support. */
static const struct attribute_group **v9_spe_files(struct v9_spe *spe)
{
	const struct attribute_group **groups;
	struct v9_pmu_dir *format, *caps, *stats, *per_cpu, *tuning;
	const struct v9_option *o;
	struct v9_spe_cap cap;
	unsigned int i, n;

	for (n = 0; v9_spe_option(n); n++)
		;
	format = v9_pmu_new_dir(&spe->u, "format", n);
	for (n = 0; v9_spe_cap(&spe->unit, n, &cap); n++)
		;
	caps = v9_pmu_new_dir(&spe->u, "caps", n);
	stats = v9_pmu_stats(&spe->u, false);
	per_cpu = v9_pmu_stats(&spe->u, true);
	tuning = v9_pmu_tuning(&spe->u, true);
	groups = v9_pmu_alloc(&spe->u, 7, sizeof(*groups));
	if (!format || !caps || !stats || !per_cpu || !tuning || !groups)
		return NULL;

	for (i = 0; (o = v9_spe_option(i)); i++)
		if (v9_spe_has_option(&spe->unit, o, V9_KERNEL_WORDS))
			v9_pmu_add_option(format, o);
	for (i = 0; v9_spe_cap(&spe->unit, i, &cap); i++)
		if (!strcmp(cap.name, v9_setting_name(V9_MIN_INTERVAL)))
			v9_pmu_add_minimum(caps, cap.name, cap.value);
		else
			v9_pmu_add_value(caps, cap.name, cap.hex ? "0x%llx\n" : "%llu\n",
					 cap.value);
	groups[0] = &v9_spe_group;
	groups[1] = &format->group;
	groups[2] = &caps->group;
	groups[3] = &stats->group;
	groups[4] = &per_cpu->group;
	groups[5] = &tuning->group;
	return groups;
}

/* --- the device ------------------------------------------------------------ */

static DEFINE_IDA(v9_spe_ids);

static void v9_spe_remove_type(struct v9_spe *spe)
{
	list_del(&spe->type);
	v9_pmu_unmake(&spe->u);
	if (spe->id >= 0)
		ida_free(&v9_spe_ids, spe->id);
	v9_pmu_free(&spe->u, spe);
}

/* devm action: no unit is up, and no CPU comes online for this device any more. */
static void v9_spe_remove_types(void *data)
{
	struct v9_spe_device *device = data;
	struct v9_spe *spe, *next;

	list_for_each_entry_safe(spe, next, &device->types, type)
		v9_spe_remove_type(spe);
}

static int v9_spe_new_type(struct v9_spe_device *device, const struct v9_spe_type_key *key,
			   const char **why)
{
	struct v9_spe *spe = kzalloc(sizeof(*spe), GFP_KERNEL);
	int err;

	*why = NULL;
	if (!spe)
		return -ENOMEM;
	spe->device = device;
	spe->key = *key;
	spe->id = -1;
	err = v9_spe_check_unit(&key->id, &spe->unit, why);
	err = err ?: v9_pmu_make(&spe->u, &device->d);
	if (err) {
		kfree(spe);
		return err;
	}
	v9_pmu_log_errata(&spe->u, key->errata);
	spe->u.aux = (struct v9_aux) {
		.align = spe->unit.align,
		.max_record = spe->unit.max_record,
		.granule = spe->unit.granule,
		.max = spe->unit.max_buffer,
		.exact = true,
	};
	list_add_tail(&spe->type, &device->types);
	return 0;
}

/* Make a PMU for each CPU type that can be used, in the order of CPUs. */
static int v9_spe_find_types(struct v9_spe_device *device)
{
	const char *why, *refused = "none of its CPUs is online";
	struct v9_spe_type_key key;
	int nr, err, no = -ENXIO;

	for_each_cpu_and(nr, &device->d.cpus, cpu_online_mask) {
		if (smp_call_function_single(nr, v9_spe_read_key, &key, true) ||
		    v9_spe_find_type(device, &key))
			continue;
		err = v9_spe_new_type(device, &key, &why);
		if (err && !why)
			return err;
		if (err) {
			refused = why;
			no = err;
		}
	}
	return list_empty(&device->types) ?
	       v9_pmu_refuse(device->d.dev, device->d.driver, no, refused) : 0;
}

static char *v9_spe_pmu_name(struct v9_spe *spe)
{
	size_t n = strlen(name) + sizeof("2147483647");
	char *pmu_name;

	spe->id = ida_alloc(&v9_spe_ids, GFP_KERNEL);
	if (spe->id < 0)
		return NULL;
	pmu_name = v9_pmu_alloc(&spe->u, n, 1);
	if (pmu_name)
		snprintf(pmu_name, n, "%s%d", name, spe->id);
	return pmu_name;
}

static int v9_spe_get_pmu(struct v9_spe *spe, const char **why)
{
	char *pmu_name = v9_spe_pmu_name(spe);
	int err;

	spe->u.pmu = (struct pmu) {
		.attr_groups = v9_spe_files(spe),
		.event_init = v9_spe_event_init,
		.check_period = v9_spe_check_period,
		.add = v9_spe_add,
		.del = v9_spe_del,
		.start = v9_spe_start,
		.stop = v9_spe_stop,
	};
	err = v9_pmu_publish(&spe->u, pmu_name,
			     "another driver holds the PMU's name; see the parameter \"name\"",
			     why);
	if (!err)
		dev_info(spe->u.dev, "%s: SPEv1p%llu on CPUs %*pbl, records up to %llu bytes\n",
			 pmu_name, spe->unit.version - 1, cpumask_pr_args(&spe->u.cpus),
			 spe->unit.max_record);
	return err;
}

/* The first CPU of a type that was offline at probe: register its PMU. */
static int v9_spe_online(struct v9_pmu_cpu *cpu, const char **why)
{
	struct v9_spe *spe = container_of(cpu->unit, struct v9_spe, u);

	return spe->device->made && !spe->u.registered ? v9_spe_get_pmu(spe, why) : 0;
}

static void v9_spe_discard(struct v9_pmu_cpu *cpu)
{
	struct v9_spe *spe = container_of(cpu->unit, struct v9_spe, u);

	if (spe->device->made && !spe->u.registered)
		v9_spe_remove_type(spe);
}

/* The next PMU that is not registered. If there is none, v9_spe_online() registers later ones. */
static struct v9_spe *v9_spe_unknown(struct v9_spe_device *device)
{
	struct v9_spe *spe, *found = NULL;

	cpus_read_lock();
	list_for_each_entry(spe, &device->types, type)
		if (!found && !spe->u.registered)
			found = spe;
	device->made = !found;
	cpus_read_unlock();
	return found;
}

static int v9_spe_get_pmus(struct v9_spe_device *device)
{
	struct v9_spe *spe;
	const char *why;
	int err;

	while ((spe = v9_spe_unknown(device))) {
		err = v9_spe_get_pmu(spe, &why);
		if (err)
			return why ? v9_pmu_refuse(spe->u.dev, spe->u.driver, err, why) : err;
	}
	return 0;
}

/* devm actions undo each step in reverse order. */
static int v9_spe_probe(struct platform_device *pdev)
{
	struct v9_spe_device *device = devm_kzalloc(&pdev->dev, sizeof(*device), GFP_KERNEL);
	int err;

	if (!device)
		return -ENOMEM;
	INIT_LIST_HEAD(&device->types);
	err = v9_pmu_begin(&device->d, &v9_spe_driver, pdev);
	err = err ?: devm_add_action(device->d.dev, v9_spe_remove_types, device);
	err = err ?: v9_spe_find_types(device);
	err = err ?: v9_pmu_bring_up_cpus(&device->d);
	return err ?: v9_spe_get_pmus(device);
}

static const struct of_device_id v9_spe_of_ids[] = {
	{ .compatible = "arm,statistical-profiling-extension-v1" },
	{ }
};
MODULE_DEVICE_TABLE(of, v9_spe_of_ids);

/* The kernel, or v9_core, creates these devices from the ACPI MADT. */
static const struct platform_device_id v9_spe_platform_ids[] = {
	{ .name = "arm,spe-v1" },
	{ .name = "v9_spe" },
	{ }
};
MODULE_DEVICE_TABLE(platform, v9_spe_platform_ids);

static struct v9_pmu_driver v9_spe_driver = {
	.platform = {
		.id_table = v9_spe_platform_ids,
		.driver = {
			.name = "v9_spe",
			.of_match_table = v9_spe_of_ids,
			.suppress_bind_attrs = true,
		},
	},
	.probe = v9_spe_probe,
	.extension = "Statistical Profiling Extension",
	.status = "PMBSR",
	.conflict_module = "arm_spe_pmu",
	.conflict_driver = "arm_spe_pmu",
	.conflict_initcall = "arm_spe_pmu_init",
	.gicc_at = V9_GICC_SPE_INTERRUPT,
	.no_stats = V9_STATS_OF_BRANCHES |
		    BIT(V9_STAT_EARLY) | BIT(V9_STAT_TRIGGERED) | BIT(V9_STAT_PARTIAL),
	.padding = 0,
	.nvm = V9_PMBLIMITR_EL1_nVM,
	.physical_hint =
		"KPTI hides the buffer: kpti=off, or physical_attributes=1 if MDCR_EL3.EnPMS4 is 1",
	.cpu_size = sizeof(struct v9_spe_cpu),
	.irq = v9_spe_irq,
	.match = v9_spe_match,
	.online = v9_spe_online,
	.discard = v9_spe_discard,
	.reset = v9_spe_reset,
	.route = v9_spe_act_route,
	.self_test = v9_spe_self_test,
	.quiesce = v9_spe_act_quiesce,
	.save = v9_spe_save,
	.saved_ptr = v9_spe_saved_ptr,
	.restore = v9_spe_restore,
};

static int __init v9_spe_init(void)
{
	return v9_pmu_register(&v9_spe_driver, THIS_MODULE);
}
module_init(v9_spe_init);

static void __exit v9_spe_exit(void)
{
	v9_pmu_unregister(&v9_spe_driver);
}
module_exit(v9_spe_exit);

MODULE_DESCRIPTION("v9trace: Statistical Profiling Extension");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(V9_NAMESPACE);
