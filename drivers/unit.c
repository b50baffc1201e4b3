// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices, CPUs that come and go, power management, loading; see unit.h.
 */
#include <linux/acpi.h>
#include <linux/cpu_pm.h>
#include <linux/debugfs.h>
#include <linux/ctype.h>
#include <linux/device.h>
#include <linux/irq.h>
#include <linux/kernfs.h>
#include <linux/kobject.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_device.h>
#include <linux/panic_notifier.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include <asm/mmu.h>

#include "acpi.h"
#include "aux.h"
#include "compat.h"
#include "event.h"
#include "unit.h"
#include "v9trace/errata.h"

static bool runs(const struct perf_event *event)
{
	return event && !(event->hw.state & PERF_HES_STOPPED);
}

static void v9_pmu_log_failed(struct irq_work *work)
{
	struct v9_pmu_cpu *cpu = container_of(work, struct v9_pmu_cpu, failed);

	dev_err(cpu->unit->dev, "CPU%d: the unit does not answer: not used any more\n",
		smp_processor_id());
}

void v9_pmu_give_up(struct v9_pmu_cpu *cpu)
{
	cpu->ready = V9_READY_NO;
	/* Not logged here: runqueue locks may be held, and a console may wake a task. */
	irq_work_queue(&cpu->failed);
}

/* --- CPU hotplug, CPU PM, panic -------------------------------------------- */

/*
 * Do all CPUs that have been online take physical addresses (SPE-PB6, TRBE-AT3)? If none has been
 * online: true only where user space runs without the kernel's mapping, which leaves no other way.
 */
bool v9_pmu_is_physical(const struct v9_pmu *unit)
{
	bool all = arm64_kernel_unmapped_at_el0();
	int nr;

	for_each_cpu(nr, &unit->cpus) {
		const struct v9_pmu_cpu *cpu = per_cpu_ptr(unit->cpu, nr);

		if (!cpu->was_online)
			continue;
		if (!cpu->physical)
			return false;
		all = true;
	}
	return all;
}

/* Prepare this CPU's unit. Returns NULL, or why it cannot be used. */
static const char *v9_pmu_bring_up(struct v9_pmu_driver *driver, struct v9_pmu_cpu *cpu)
{
	struct v9_pmu *unit = cpu->unit;
	/* Existing buffers may be physical only if all CPUs so far support that. */
	bool physical = v9_pmu_is_physical(unit);
	const char *why;

	scoped_guard(irqsave)
		why = driver->reset(cpu) ? NULL : "a unit that does not answer";
	if (!why && !driver->no_buffer)
		why = v9_pmu_check_routing(cpu);
	if (why)
		return why;
	cpu->was_online = true;
	smp_mb();	/* v9_pmu_setup_aux() sees was_online, or registered is seen below */
	if (READ_ONCE(unit->registered) && physical && !cpu->physical)
		return "a unit that takes no physical addresses, as those of the others do";
	if (!v9_pmu_has_buffer_erratum(cpu))
		return NULL;
	if (unit->registered && !unit->map_twice && arm64_kernel_unmapped_at_el0())
		return "an erratum for which nothing helps with physical addresses";
	unit->min_pages = 4;
	unit->map_twice = true;
	return NULL;
}

/* Stop this CPU's event, hand its data to perf, turn the unit off. Nothing starts after it. */
static void v9_pmu_offline(void *data)
{
	struct v9_pmu_device *device = data;
	struct v9_pmu_cpu *cpu = *this_cpu_ptr(device->at);

	guard(irqsave)();
	if (!cpu)
		return;
	/* It is pinned to this CPU, so it does not run now. */
	hrtimer_try_to_cancel(&cpu->go_on);
	if (!cpu->ready)
		return;
	if (cpu->event)
		cpu->unit->pmu.stop(cpu->event, PERF_EF_UPDATE);
	cpu->ready = V9_READY_NO;
	if (device->driver->reset(cpu) && device->driver->release)
		device->driver->release(cpu);
}

/* Runs before perf removes its events from the CPU. */
static int v9_pmu_cpu_down(unsigned int nr, struct hlist_node *node)
{
	struct v9_pmu_device *device = hlist_entry_safe(node, struct v9_pmu_device, hotplug);

	if (!*per_cpu_ptr(device->at, nr))
		return 0;
	v9_pmu_offline(device);
	/* Also for a unit that failed: disable its interrupt before the handler is freed. */
	if (device->irq)
		disable_percpu_irq(device->irq);
	*per_cpu_ptr(device->at, nr) = NULL;
	return 0;
}

/* ->filter runs at each context switch. Skip it if all CPUs are covered. */
static void v9_pmu_set_filter(struct v9_pmu *unit)
{
	if (!cpumask_equal(&unit->cpus, cpu_possible_mask))
		v9_set_pmu_filter(&unit->pmu);
}

void v9_pmu_exclude_cpu(struct v9_pmu *unit, unsigned int nr)
{
	cpumask_clear_cpu(nr, &unit->cpus);
	smp_mb();	/* pairs with v9_pmu_publish() */
	if (READ_ONCE(unit->registered))
		v9_pmu_set_filter(unit);
}

static int v9_pmu_cpu_up(unsigned int nr, struct hlist_node *node)
{
	struct v9_pmu_device *device = hlist_entry_safe(node, struct v9_pmu_device, hotplug);
	struct v9_pmu_driver *driver = device->driver;
	struct v9_pmu_cpu *cpu;
	const char *why = NULL;

	if (!cpumask_test_cpu(nr, &device->cpus))
		return 0;
	cpu = driver->match(device, &why);
	if (!cpu)
		goto left_out;
	cpumask_set_cpu(nr, &cpu->unit->cpus);
	why = v9_pmu_bring_up(driver, cpu);
	if (why)
		goto discard;
	*per_cpu_ptr(device->at, nr) = cpu;
	cpu->is_saved = false;	/* left set if the unit failed during CPU PM */
	cpu->ready = V9_READY;
	if (device->irq)
		enable_percpu_irq(device->irq, IRQ_TYPE_NONE);
	if (!driver->online(cpu, &why))
		return 0;
	v9_pmu_cpu_down(nr, node);
discard:
	if (driver->release)
		driver->release(cpu);
	cpu->was_online = false;
	v9_pmu_exclude_cpu(cpu->unit, nr);
	driver->discard(cpu);
left_out:
	dev_warn(device->dev, "CPU%u: not used: %s\n", nr,
		 why ?: "no memory; take it offline and online to try again");
	if (why)
		cpumask_clear_cpu(nr, &device->cpus);
	return 0;
}

/*
 * Turn units off before another kernel (kexec) or firmware runs: the memory of the buffer belongs
 * to that then.
 */
static void v9_pmu_shutdown(struct platform_device *pdev)
{
	struct v9_pmu_device *device = platform_get_drvdata(pdev);

	on_each_cpu_mask(&device->cpus, v9_pmu_offline, device, true);
}

/*
 * Stop the unit of the CPU that panics. If it has a buffer, its last trace is in memory then, for
 * the crash dump; log where. Take no lock and do not call perf: either may be the cause of the
 * panic.
 */
static int v9_pmu_panic(struct notifier_block *nb, unsigned long step, void *unused)
{
	struct v9_pmu_device *device = container_of(nb, struct v9_pmu_device, panic);
	struct v9_pmu_cpu *cpu = *this_cpu_ptr(device->at);

	if (!cpu || !cpu->ready || cpu->is_saved || !runs(cpu->event))
		return NOTIFY_OK;
	device->driver->save(cpu);
	cpu->is_saved = true;
	if (v9_pmu_is_open(cpu))
		dev_emerg(device->dev,
			  "CPU%d: last trace: buffer %p, %#llx bytes, this window from %#llx to %#llx\n",
			  smp_processor_id(), cpu->buf->base, cpu->buf->size,
			  cpu->buf->w.ptr,
			  device->driver->saved_ptr(cpu) - cpu->buf->at);
	return NOTIFY_OK;
}

bool __cold v9_pmu_refresh(struct v9_pmu_cpu *cpu)
{
	struct v9_routing_facts facts;	/* unused: the same as when the CPU came online */

	if (cpu->ready != V9_READY_AFTER_RESET)
		return cpu->ready;
	if (!cpu->unit->driver->reset(cpu)) {
		v9_pmu_give_up(cpu);
		return false;
	}
	if (!cpu->unit->driver->no_buffer)
		v9_pmu_route(cpu, &facts);
	cpu->ready = hrtimer_active(&cpu->go_on) ? V9_READY_THROTTLED : V9_READY;
	return true;
}

/*
 * A CPU loses its registers in deep idle and suspend. With an event they are saved on entry and
 * restored on exit, and the window stays open. Without one the exit only lowers the interrupt, and
 * the next add() resets the unit: exits are frequent, and must be short.
 */
static int v9_pmu_cpu_pm(struct notifier_block *nb, unsigned long step, void *unused)
{
	struct v9_pmu_device *device = container_of(nb, struct v9_pmu_device, pm);
	struct v9_pmu_cpu *cpu = *this_cpu_ptr(device->at);
	const struct v9_pmu_driver *driver = device->driver;

	if (!cpu || !cpu->ready)
		return NOTIFY_OK;

	switch (step) {
	case CPU_PM_ENTER:
		v9_pmu_busy(cpu);
		if (runs(cpu->event)) {
			driver->save(cpu);
			cpu->is_saved = true;
		}
		break;
	case CPU_PM_ENTER_FAILED:
	case CPU_PM_EXIT:
		cpu->ready = V9_READY_AFTER_RESET;
		if (cpu->event) {
			if (v9_pmu_refresh(cpu) && cpu->is_saved)
				driver->restore(cpu);
		} else if (driver->quiesce) {
			driver->quiesce();
		}
		cpu->is_saved = false;
		v9_pmu_done(cpu, cpu->event);
		break;
	}
	return NOTIFY_OK;
}

/* --- the device ------------------------------------------------------------ */

int v9_pmu_refuse(struct device *dev, struct v9_pmu_driver *driver, int err, const char *why)
{
	dev_err(dev, "not used: %s\n", why);
	driver->refusal = err;
	return -ENODEV;
}

void v9_pmu_log_errata(struct v9_pmu *unit, u64 errata)
{
	const struct v9_erratum *e;
	unsigned int i;

	for (i = 0; (e = v9_erratum(i)); i++) {
		if (!(errata & e->bit))
			continue;
		dev_warn(unit->dev, "erratum %u: %s\n", e->number, e->effect);
		errata &= ~e->bit;
	}
}

/* Loading the module fails if its only device cannot be used: keep the errno. */
static int v9_pmu_probe(struct platform_device *pdev)
{
	struct platform_driver *p = to_platform_driver(pdev->dev.driver);
	struct v9_pmu_driver *driver = container_of(p, struct v9_pmu_driver, platform);
	int err = driver->probe(pdev);

	/* A device that was created after all others were probed */
	if (!err && driver->probing_done)
		err = driver->all_probed();
	if (err && err != -EPROBE_DEFER && !driver->refusal)
		driver->refusal = err;
	return err;
}

static void v9_pmu_put_irq(void *data)
{
	struct v9_pmu_device *device = data;

	free_percpu_irq(device->irq, device->at);
}

static void v9_pmu_put_hotplug(void *data)
{
	struct v9_pmu_device *device = data;

	cpuhp_state_remove_instance(device->driver->hotplug, &device->hotplug);
}

static void v9_pmu_put_pm(void *data)
{
	struct v9_pmu_device *device = data;

	cpu_pm_unregister_notifier(&device->pm);
}

static void v9_pmu_put_panic(void *data)
{
	struct v9_pmu_device *device = data;

	atomic_notifier_chain_unregister(&panic_notifier_list, &device->panic);
}

/* What to do about a conflicting in-tree driver. One that is built in cannot be unbound. */
static void v9_pmu_advise(const struct v9_pmu_driver *driver, bool built_in, char *text, size_t n)
{
	if (built_in)
		snprintf(text, n, "it is built in: boot with initcall_blacklist=%s",
			 driver->conflict_initcall);
	else
		snprintf(text, n, "unload %s", driver->conflict_module);
}

/*
 * Who holds the interrupt? If the in-tree driver is not there, firmware gives the interrupt to two
 * devices.
 */
static void v9_pmu_name_holder(const struct v9_pmu_device *device, char *why, size_t n)
{
	const struct v9_pmu_driver *driver = device->driver;
	const struct device_driver *conflict = driver_find(driver->conflict_driver,
							   &platform_bus_type);
	struct irq_data *irq = irq_get_irq_data(device->irq);
	char advice[80] = "firmware gives it to two devices";

	if (conflict)
		v9_pmu_advise(driver, !conflict->owner, advice, sizeof(advice));
	snprintf(why, n, "interrupt %lu is held by another driver; %s",
		 irq ? irqd_to_hwirq(irq) : 0, advice);
}

static int v9_pmu_get_irq(struct v9_pmu_device *device, struct platform_device *pdev)
{
	struct v9_pmu_driver *driver = device->driver;
	const struct cpumask *affinity;
	char why[144];
	int err;

	if (v9_acpi_has_none(driver, why, sizeof(why)))
		return v9_pmu_refuse(device->dev, driver, -ENXIO, why);
	device->irq = v9_get_percpu_irq(pdev, &device->cpus, &affinity);
	if (device->irq == -EPROBE_DEFER)
		return device->irq;
	if (device->irq < 0)
		return v9_pmu_refuse(device->dev, driver, device->irq,
				     "firmware names no per-CPU interrupt");
	err = v9_acpi_check_cpus(device);
	if (err)
		return err;
	err = v9_request_percpu_irq(device->irq, driver->irq, dev_name(device->dev), affinity,
				    device->at);
	if (err == -EBUSY) {
		v9_pmu_name_holder(device, why, sizeof(why));
		return v9_pmu_refuse(device->dev, driver, err, why);
	}
	if (err)
		return v9_pmu_refuse(device->dev, driver, err, "its interrupt is not per CPU");
	return devm_add_action_or_reset(device->dev, v9_pmu_put_irq, device);
}

int v9_pmu_begin(struct v9_pmu_device *device, struct v9_pmu_driver *driver,
		 struct platform_device *pdev)
{
	device->dev = &pdev->dev;
	device->driver = driver;
	platform_set_drvdata(pdev, device);

	device->at = devm_alloc_percpu(device->dev, struct v9_pmu_cpu *);
	if (!device->at)
		return -ENOMEM;
	if (driver->irq)
		return v9_pmu_get_irq(device, pdev);
	cpumask_copy(&device->cpus, cpu_possible_mask);
	return 0;
}

int v9_pmu_make(struct v9_pmu *unit, struct v9_pmu_device *device)
{
	int nr;

	unit->dev = device->dev;
	unit->driver = device->driver;
	memcpy(unit->setting, unit->driver->setting, sizeof(unit->setting));
	/* In a buffer of one page the byte that perf keeps free leaves no window. */
	unit->min_pages = 2;
	unit->cpu = __alloc_percpu(unit->driver->cpu_size, __alignof__(u64));
	if (!unit->cpu)
		return -ENOMEM;
	for_each_possible_cpu(nr) {
		struct v9_pmu_cpu *cpu = per_cpu_ptr(unit->cpu, nr);

		cpu->unit = unit;
		init_irq_work(&cpu->failed, v9_pmu_log_failed);
		v9_pmu_init_work(cpu);
	}
	return 0;
}

/**
 * struct v9_pmu_alloc_node - memory that is freed with a PMU
 * @next: list
 * @data: the memory
 */
struct v9_pmu_alloc_node {
	struct v9_pmu_alloc_node *next;
	u64 data[];
};

void *v9_pmu_alloc(struct v9_pmu *unit, size_t n, size_t size)
{
	struct v9_pmu_alloc_node *node = kzalloc(size_add(sizeof(*node), size_mul(n, size)),
						 GFP_KERNEL);

	if (!node)
		return NULL;
	node->next = unit->allocs;
	unit->allocs = node;
	return node->data;
}

void v9_pmu_unmake(struct v9_pmu *unit)
{
	struct v9_pmu_alloc_node *node, *next;
	int nr;

	debugfs_remove(unit->debug);
	if (unit->registered)
		v9_unregister_pmu(&unit->pmu);
	for_each_possible_cpu(nr) {
		struct v9_pmu_cpu *cpu = per_cpu_ptr(unit->cpu, nr);

		hrtimer_cancel(&cpu->go_on);
		irq_work_sync(&cpu->resume);
		irq_work_sync(&cpu->off);
		irq_work_sync(&cpu->failed);
	}
	for (node = unit->allocs; node; node = next) {
		next = node->next;
		kfree(node);
	}
	free_percpu(unit->cpu);
}

void v9_pmu_free(const struct v9_pmu *unit, void *whole)
{
	if (!V9_PMU_STAYS || !unit->registered)
		kfree(whole);
}

/* Is the buffer not mapped while user space runs (KPTI; SPE-CS10, TRBE 6.1)? */
static bool v9_pmu_is_hidden(const struct v9_pmu *unit)
{
	return arm64_kernel_unmapped_at_el0() && (!v9_pmu_is_physical(unit) || unit->map_twice);
}

/* Would all CPUs that have been online take physical addresses if the user permitted it? */
static bool v9_pmu_physical_unused(const struct v9_pmu *unit)
{
	bool any = false;
	int nr;

	for_each_cpu(nr, &unit->cpus) {
		const struct v9_pmu_cpu *cpu = per_cpu_ptr(unit->cpu, nr);

		if (cpu->was_online && !cpu->physical_unused)
			return false;
		any |= cpu->was_online;
	}
	return any;
}

int v9_pmu_bring_up_cpus(struct v9_pmu_device *device)
{
	int err = cpuhp_state_add_instance(device->driver->hotplug, &device->hotplug);

	if (!err)
		err = devm_add_action_or_reset(device->dev, v9_pmu_put_hotplug, device);
	if (err)
		return err;
	device->pm.notifier_call = v9_pmu_cpu_pm;
	err = cpu_pm_register_notifier(&device->pm);
	err = err ?: devm_add_action_or_reset(device->dev, v9_pmu_put_pm, device);
	if (err)
		return err;
	device->panic.notifier_call = v9_pmu_panic;
	err = atomic_notifier_chain_register(&panic_notifier_list, &device->panic);
	return err ?: devm_add_action_or_reset(device->dev, v9_pmu_put_panic, device);
}

/*
 * Has the bus "event_source" a device of this name? perf_pmu_register() would fail, too, but with a
 * stack trace in the log. The bus is not exported, so it is found as a sibling of the platform bus.
 * Its devices are found by kernfs nodes, which do not depend on where sysfs is mounted.
 */
static bool v9_pmu_is_taken(const char *name)
{
	struct kset *buses = bus_get_kset(&platform_bus_type)->kobj.kset;
	struct kobject *bus = kset_find_obj(buses, "event_source");
	struct kernfs_node *devices, *device = NULL;
	bool taken;

	if (!bus)
		return false;
	devices = kernfs_find_and_get(bus->sd, "devices");
	if (devices)
		device = kernfs_find_and_get(devices, name);
	taken = device;
	kernfs_put(device);
	kernfs_put(devices);
	kobject_put(bus);
	return taken;
}

/* There is no counter. perf requires the callback. */
static void v9_pmu_read(struct perf_event *event)
{
}

/*
 * Not PERF_PMU_CAP_ITRACE: perf would write a PERF_RECORD_ITRACE_START each time that the event is
 * scheduled in. PERF_RECORD_AUX and PERF_RECORD_SWITCH name the task, too.
 */
static void v9_pmu_set_aux(struct pmu *pmu)
{
	pmu->capabilities |= PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_AUX_PREFER_LARGE |
			     PERF_PMU_CAP_AUX_PAUSE;
	pmu->event_unmapped = v9_pmu_event_unmapped;
	pmu->setup_aux = pmu->setup_aux ?: v9_pmu_setup_aux;
	pmu->free_aux = v9_pmu_free_aux;
}

bool v9_pmu_filter(struct pmu *pmu, int cpu)
{
	return !cpumask_test_cpu(cpu, &v9_to_pmu(pmu)->cpus);
}

int v9_pmu_publish(struct v9_pmu *unit, const char *name, const char *taken, const char **why)
{
	struct pmu *pmu = &unit->pmu;
	int err;

	*why = unit->misrouted ? unit->routing.reason : NULL;
	if (*why)
		return unit->misrouted;
	if (!unit->driver->no_buffer && v9_pmu_is_hidden(unit)) {
		*why = v9_pmu_physical_unused(unit) ? unit->driver->physical_hint :
		       "kernel page-table isolation hides the buffer; boot with kpti=off";
		return -EPERM;
	}
	if (!name || !pmu->attr_groups)
		return -ENOMEM;
	pmu->module = unit->driver->platform.driver.owner;
	if (!unit->driver->no_buffer)
		v9_pmu_set_aux(pmu);
	/*
	 * This context has no limit of hardware events, and events of several PMUs run side by
	 * side.
	 */
	pmu->task_ctx_nr = perf_sw_context;
	pmu->read = pmu->read ?: v9_pmu_read;
	v9_set_pmu_parent(pmu, unit->dev);
	v9_pmu_set_filter(unit);
	err = v9_pmu_is_taken(name) ? -EEXIST : perf_pmu_register(pmu, name, -1);
	/* Pairs with the acquire in v9_pmu_check_event(). */
	smp_store_release(&unit->registered, !err);
	smp_mb();	/* pairs with v9_pmu_exclude_cpu() */
	v9_pmu_set_filter(unit);
	if (!err && !unit->driver->no_buffer)
		v9_pmu_show_routing(unit);
	if (err != -EEXIST)
		return err;
	*why = taken;
	return -EBUSY;
}

/* --- the module ------------------------------------------------------------ */

static int name_set(const char *val, const struct kernel_param *kp)
{
	size_t n = 0;

	while (val && n < 32 && isascii(val[n]) && (isalnum(val[n]) || val[n] == '_'))
		n++;
	if (!n || val[n] || isdigit(*val))
		return -EINVAL;
	return param_set_charp(val, kp);
}

const struct kernel_param_ops v9_pmu_name_ops = {
	.set = name_set,
	.get = param_get_charp,
	.free = param_free_charp,
};

struct v9_pmu_census {
	const struct platform_driver *driver;
	struct device *taken;
	bool built_in;		/* the driver of @taken is built in */
	int ours;
	int devices;
};

/* Count the devices that this driver could drive, and those that it does. */
static int v9_pmu_count(struct device *dev, void *data)
{
	struct v9_pmu_census *c = data;

	const struct platform_device_id *id = c->driver->id_table;

	while (*id->name && strcmp(to_platform_device(dev)->name, id->name))
		id++;
	if (!*id->name && !of_match_device(c->driver->driver.of_match_table, dev))
		return 0;
	c->devices++;
	device_lock(dev);
	if (dev->driver == &c->driver->driver) {
		c->ours++;
	} else if (dev->driver && !c->taken) {
		c->taken = get_device(dev);
		c->built_in = !dev->driver->owner;
	}
	device_unlock(dev);
	return 0;
}

/* Log which driver has the device, and what to do about it. */
static void v9_pmu_log_conflict(const struct v9_pmu_driver *d, const struct v9_pmu_census *c)
{
	const char *name = d->platform.driver.name, *holder = dev_driver_string(c->taken);
	char advice[80];

	if (!d->conflict_driver || strcmp(holder, d->conflict_driver)) {
		pr_err("%s: %s not used: held by driver %s%s\n", name, dev_name(c->taken), holder,
		       c->built_in ? ", which is built in" : "; unload that first");
		return;
	}
	v9_pmu_advise(d, c->built_in, advice, sizeof(advice));
	pr_err("%s: %s not used: held by driver %s; %s\n", name, dev_name(c->taken), holder,
	       advice);
}

/* Log why there is no device: firmware describes none, or the kernel makes none. */
static void v9_pmu_log_absent(const struct v9_pmu_driver *d)
{
	const char *name = d->platform.driver.name;
	struct device_node *node;

	if (!acpi_disabled)
		return;			/* v9_acpi_make_devices() has done it */
	node = of_find_matching_node(NULL, d->platform.driver.of_match_table);
	if (node)
		pr_err("%s: firmware describes a %s, but %s\n", name, d->extension,
		       v9_check_absence(of_device_is_available(node)));
	else
		pr_err("%s: firmware describes no %s\n", name, d->extension);
	of_node_put(node);
}

/* Returns 0 if the driver has a device or may get one later, else an errno. */
static int v9_pmu_account(struct v9_pmu_driver *d)
{
	struct v9_pmu_census c = { .driver = &d->platform };
	int err = 0;

	bus_for_each_dev(&platform_bus_type, NULL, &c, v9_pmu_count);
	if (!c.devices && d->gicc_at) {
		d->making = true;
		err = v9_acpi_make_devices(d);
		d->making = false;
		if (err)
			return err;
		bus_for_each_dev(&platform_bus_type, NULL, &c, v9_pmu_count);
	}
	if (c.ours)
		goto out;
	if (c.taken) {
		v9_pmu_log_conflict(d, &c);
		err = -EBUSY;
	} else if (d->refusal) {
		err = d->refusal;
	} else if (!c.devices) {
		v9_pmu_log_absent(d);
		err = -ENODEV;
	}
out:
	put_device(c.taken);
	return err;
}

/* Make the device of units that firmware does not describe. */
static int v9_pmu_make_device(struct v9_pmu_driver *driver)
{
	struct platform_device *own;

	if (driver->platform.driver.of_match_table)
		return 0;
	own = platform_device_register_simple(driver->platform.driver.name, PLATFORM_DEVID_NONE,
					      NULL, 0);
	if (IS_ERR(own))
		return PTR_ERR(own);
	driver->own[driver->nr_own++].device = own;
	return 0;
}

static void v9_pmu_remove_devices(struct v9_pmu_driver *driver)
{
	while (driver->nr_own)
		platform_device_unregister(driver->own[--driver->nr_own].device);
}

int v9_pmu_register(struct v9_pmu_driver *driver, struct module *owner)
{
	int err = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, driver->platform.driver.name,
					  v9_pmu_cpu_up, v9_pmu_cpu_down);

	if (err < 0)
		return err;
	driver->hotplug = err;

	err = v9_pmu_make_device(driver);
	if (err)
		goto remove_state;
	driver->platform.probe = v9_pmu_probe;
	driver->platform.shutdown = v9_pmu_shutdown;
	err = v9_register_driver(&driver->platform, owner);
	if (err)
		goto remove_device;
	err = v9_pmu_account(driver);
	if (!err && driver->all_probed) {
		driver->probing_done = true;
		err = driver->all_probed();
		err = err ? driver->refusal ?: err : 0;
	}
	if (err)
		goto unregister;
	WRITE_ONCE(driver->loaded, true);
	return 0;

unregister:
	platform_driver_unregister(&driver->platform);
remove_device:
	v9_pmu_remove_devices(driver);
remove_state:
	cpuhp_remove_multi_state(driver->hotplug);
	return err;
}

void v9_pmu_unregister(struct v9_pmu_driver *driver)
{
	platform_driver_unregister(&driver->platform);
	v9_pmu_remove_devices(driver);
	cpuhp_remove_multi_state(driver->hotplug);
}
