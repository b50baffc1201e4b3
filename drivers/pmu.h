/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the drivers have in common: a unit that each CPU has one of, that firmware
 * describes as one device with a per-CPU interrupt, and that becomes a perf PMU
 * with an AUX buffer. drivers/pmu.c implements the functions, in v9_core.
 *
 * Everything per CPU is touched by that CPU only, with interrupts off.
 */
#ifndef V9TRACE_PMU_H
#define V9TRACE_PMU_H

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>

#include <asm/sysreg.h>

#include "v9trace/attr.h"
#include "v9trace/fault_action.h"
#include "v9trace/check_routing.h"
#include "v9trace/plan.h"
#include "v9trace/uapi.h"
#include "v9_events.h"

/* Counters in stats/, summed over CPUs. The first ones are those of enum v9_cause. */
enum v9_stat {
	V9_STAT_SPURIOUS = V9_CAUSE_NONE,
	V9_STAT_EARLY = V9_CAUSE_EARLY,
	V9_STAT_FULL = V9_CAUSE_FULL,
	V9_STAT_TRIGGERED = V9_CAUSE_TRIGGER,
	V9_STAT_LOST = V9_CAUSE_LOST,
	V9_STAT_FAULT = V9_CAUSE_FAULT,
	V9_STAT_ABORT = V9_CAUSE_ABORT,
	V9_STAT_FATAL = V9_CAUSE_FATAL,
	V9_STAT_INTERRUPTS,
	V9_STAT_BYTES,
	V9_STAT_PADDING,
	V9_STAT_DROPPED,
	V9_STAT_TRUNCATED,
	V9_STAT_PARTIAL,
	V9_STAT_COLLISIONS,
	V9_STAT_LONGEST,	/* not a sum: the most ticks of CNTVCT_EL0 in an interrupt */
	V9_STATS
};

struct v9_pmu;
struct v9_pmu_device;
struct v9_buf;

/* Of struct v9_pmu_cpu: can the unit be used? */
enum v9_ready {
	V9_READY_NO,		/* the CPU is offline, or the unit does not answer */
	V9_READY,
	V9_READY_AFTER_RESET,	/* the CPU slept without an event: registers are UNKNOWN */
};

/**
 * struct v9_pmu_cpu - one CPU's unit; first member of what a driver has per CPU
 * @handle: the AUX transaction; open while a window is
 * @buf: its buffer
 * @event: the event between add and del
 * @unit: where it belongs
 * @was_online: hotplug has brought the unit up, at least once
 * @ready: enum v9_ready
 * @is_saved: the unit runs, but power management holds its registers
 * @no_room: the event found no room, and waits for @off; its transaction may be open
 * @busy: something of ours is under way; who pauses or resumes leaves that to it
 * @physical: the unit can be given physical addresses
 * @physical_unused: it could, but nobody said that firmware permits what that takes
 * @skip_bytes: of struct v9_aux, by erratum of this CPU
 * @overrun_bytes: likewise
 * @dead: says that the unit has given up
 * @resume: goes on with an event that was resumed where filters could not be read
 * @off: switches an event off that was started where it found no room
 * @stat: counters
 */
struct v9_pmu_cpu {
	struct perf_output_handle handle;
	struct v9_buf *buf;
	struct perf_event *event;
	struct v9_pmu *unit;
	bool was_online;
	u8 ready;
	bool is_saved;
	bool no_room;
	bool busy;
	bool physical;
	bool physical_unused;
	u32 skip_bytes;
	u32 overrun_bytes;
	struct irq_work dead;
	struct irq_work resume;
	struct irq_work off;
	u64 stat[V9_STATS];
};

/**
 * struct v9_pmu_driver - one kind of unit
 * @platform: how the driver core knows it, with names of devices
 * @probe: take a device
 * @all_probed: every device that is there has been probed; NULL if nothing waits for that. Returns 0
 *	or what to return from probe
 * @probing_done: @all_probed has been called
 * @loaded: nothing keeps the module from being loaded any more
 * @extension: the architecture's name of it
 * @status: its status registers, without _ELx
 * @conflict_module: the in-tree module that may hold its interrupt
 * @conflict_driver: its driver's name
 * @conflict_initcall: its initcall, where it is built in
 * @gicc_at: V9_GICC_*, the unit's interrupt in the ACPI table MADT
 * @makes: this kernel makes a device of that
 * @takes: what a kernel that does must have
 * @no_stats: counters in stats/ that it does not have, by bit
 * @padding: the byte that a decoder skips
 * @wraps: the unit can go on at the start of a buffer by itself
 * @nvm: the bit beside the limit that says "physical"
 * @physical_hint: why a unit is not used that could be, if the user said that firmware permits it
 * @cpu_size: bytes of what it has per CPU
 * @irq: handler; its cookie is for v9_pmu_of_irq()
 * @match: to which PMU belongs the unit of this CPU? One is made for a kind that was not met before.
 *	NULL, and what is wrong with it; or nothing is but that there is no memory
 * @online: the unit is up and can be used: perf gets to know what it does not know yet. Returns 0 or
 *	an errno, and what is wrong if that is no want of memory
 * @discard: it can't: what @match made for this CPU alone goes
 * @reset: turn this CPU's unit off, whatever state it is in; false if it does not answer
 * @quiesce: this CPU wakes up, the unit is off, and may have lost its registers: lower its
 *	interrupt. @reset and @route follow before the next start
 * @release: the unit is off, and not used any more; NULL if nobody is to know
 * @route: route events to this CPU's interrupt, after a reset; look at what comes of it
 * @self_test: fill a page, is the event unheard of? For units with Profiling exceptions
 * @save: stop this CPU's unit and keep its registers
 * @saved_ptr: the write pointer in them
 * @restore: put them back after a reset, and go on
 * @hotplug: the CPU hotplug state
 * @refusal: what loading the module returns if no device could be used
 */
struct v9_pmu_driver {
	struct platform_driver platform;
	int (*probe)(struct platform_device *pdev);
	int (*all_probed)(void);
	bool probing_done;
	bool loaded;
	const char *extension;
	const char *status;
	const char *conflict_module;
	const char *conflict_driver;
	const char *conflict_initcall;
	unsigned int gicc_at;
	bool makes;
	const char *takes;
	u32 no_stats;
	u8 padding;
	bool wraps;
	u8 nvm;
	const char *physical_hint;
	size_t cpu_size;
	irq_handler_t irq;
	struct v9_pmu_cpu *(*match)(struct v9_pmu_device *device, const char **why);
	int (*online)(struct v9_pmu_cpu *cpu, const char **why);
	void (*discard)(struct v9_pmu_cpu *cpu);
	bool (*reset)(struct v9_pmu_cpu *cpu);
	void (*quiesce)(void);
	void (*release)(struct v9_pmu_cpu *cpu);
	void (*route)(bool at_el2, struct v9_routing_facts *facts);
	bool (*self_test)(struct v9_pmu_cpu *cpu, u64 page);
	void (*save)(struct v9_pmu_cpu *cpu);
	u64 (*saved_ptr)(const struct v9_pmu_cpu *cpu);
	void (*restore)(struct v9_pmu_cpu *cpu);
	enum cpuhp_state hotplug;
	int refusal;
};

/**
 * struct v9_pmu_device - what firmware describes: CPUs, and the interrupt of their units
 * @dev: as the driver core knows it
 * @driver: whose
 * @at: by CPU: its struct, once its unit is up
 * @cpus: where firmware says that units are, without those that we leave out
 * @irq: the per-CPU interrupt
 * @hotplug: link to the CPU hotplug state
 * @pm: link to CPU power management
 * @panic: link to the end of everything
 *
 * Units need not be alike, and several PMUs can be made of them. Or one of several devices: then
 * firmware knew that they are not.
 */
struct v9_pmu_device {
	struct device *dev;
	struct v9_pmu_driver *driver;
	struct v9_pmu_cpu * __percpu *at;
	cpumask_t cpus;
	int irq;
	struct hlist_node hotplug;
	struct notifier_block pm;
	struct notifier_block panic;
};

/**
 * struct v9_pmu - one PMU
 * @pmu: what perf sees
 * @driver: whose
 * @dev: firmware's device, the first one
 * @cpu: struct v9_pmu_cpu and more, per CPU
 * @cpus: where its units are
 * @aux: what the units want of a window
 * @min_pages: pages of an AUX buffer
 * @map_twice: an erratum of one of them wants buffers mapped twice
 * @types: if its units are of several kinds: how many kinds buffers suit that are made now
 * @registered: perf knows it
 * @allocs: memory that goes with it
 * @misrouted: what v9_check_routing() returned
 * @routing: its judgement, of all CPUs
 * @facts: of what
 * @debug: its directory in debugfs
 */
struct v9_pmu {
	struct pmu pmu;
	struct v9_pmu_driver *driver;
	struct device *dev;
	void __percpu *cpu;
	cpumask_t cpus;
	struct v9_aux aux;
	int min_pages;
	bool map_twice;
	bool registered;
	unsigned int types;
	struct v9_pmu_alloc_node *allocs;
	int misrouted;
	struct v9_routing routing;
	struct v9_routing_facts facts;
	struct dentry *debug;
};

static inline struct v9_pmu *v9_to_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct v9_pmu, pmu);
}

/* In the interrupt, which is enabled only where there is one. */
static inline struct v9_pmu_cpu *v9_pmu_of_irq(void *cookie)
{
	struct v9_pmu_cpu **at = cookie;

	return *at;
}

/* --- the module ------------------------------------------------------------ */

/**
 * v9_pmu_register - module_init() of a driver
 * @driver: which
 * @owner: THIS_MODULE
 *
 * Return: 0 if it drives something or may yet, else why not, said in one line.
 */
int v9_pmu_register(struct v9_pmu_driver *driver, struct module *owner);

/**
 * v9_pmu_unregister - module_exit()
 * @driver: which
 */
void v9_pmu_unregister(struct v9_pmu_driver *driver);

/* A PMU's name or its first part, as sysfs and the syntax of perf's events bear it */
extern const struct kernel_param_ops v9_pmu_name_ops;

/* --- a device ---------------------------------------------------------------- */

/**
 * v9_pmu_refuse - a device that cannot be used: one line for the user
 * @dev: which
 * @driver: whose
 * @err: what loading the module shall return
 * @why: in words
 *
 * The driver core would add a line of its own for most errors, and loading would
 * succeed all the same: so it hears another one.
 *
 * Return: what to return from probe.
 */
int v9_pmu_refuse(struct device *dev, struct v9_pmu_driver *driver, int err, const char *why);

/**
 * v9_pmu_log_errata - one line for each erratum
 * @unit: whose
 * @errata: V9_ERRATUM_*
 */
void v9_pmu_log_errata(struct v9_pmu *unit, u64 errata);

/**
 * v9_pmu_begin - take firmware's device
 * @device: zeroed
 * @driver: whose
 * @pdev: the device
 *
 * What this and v9_pmu_bring_up_cpus() do is undone when the device goes.
 *
 * Return: 0, then dev, at, cpus and irq are there; or what to return from probe.
 */
int v9_pmu_begin(struct v9_pmu_device *device, struct v9_pmu_driver *driver,
		 struct platform_device *pdev);

/**
 * v9_pmu_make - make a PMU that has no CPUs yet
 * @unit: zeroed
 * @device: of which
 *
 * It can be made and unmade when a CPU comes, so nothing of it is tied to the device.
 *
 * Return: 0, then dev and cpu are there; or -ENOMEM.
 */
int v9_pmu_make(struct v9_pmu *unit, struct v9_pmu_device *device);

/**
 * v9_pmu_unmake - the PMU goes, and what was allocated for it
 * @unit: which; none of its CPUs is ready any more
 */
void v9_pmu_unmake(struct v9_pmu *unit);

/**
 * v9_pmu_free - the memory of a PMU, unless tasks may still look at it
 * @unit: unmade
 * @whole: what it is a part of, from kmalloc()
 */
void v9_pmu_free(const struct v9_pmu *unit, void *whole);

/**
 * v9_pmu_alloc - memory that goes with a PMU
 * @unit: whose
 * @n: how many
 * @size: bytes of each
 *
 * Return: it, zeroed, or NULL.
 */
void *v9_pmu_alloc(struct v9_pmu *unit, size_t n, size_t size);

/**
 * v9_pmu_bring_up_cpus - bring up the units of all CPUs, now and whenever one comes
 * @device: which
 *
 * Return: 0 or an errno.
 */
int v9_pmu_bring_up_cpus(struct v9_pmu_device *device);

/**
 * v9_pmu_publish - become a PMU, if the units can be used
 * @unit: which; its CPUs are up; in its pmu is what the driver alone knows
 * @name: of the PMU
 * @taken: to say if another one has the name
 * @why: result: what is wrong, or NULL
 *
 * Also when a CPU comes, with all others kept from coming and going. perf itself takes its lock of
 * PMUs then, and devices are made, so none of both waits for CPUs; 6.1, 6.12 and 7 are alike in
 * this.
 *
 * Return: 0 or an errno.
 */
int v9_pmu_publish(struct v9_pmu *unit, const char *name, const char *taken, const char **why);

/**
 * v9_pmu_give_up - a unit gave no answer: nothing of it is touched any more
 * @cpu: this CPU
 */
void v9_pmu_give_up(struct v9_pmu_cpu *cpu);

/**
 * v9_pmu_exclude_cpu - a CPU that came cannot be used: it is none of the PMU's
 * @unit: which
 * @nr: the CPU
 *
 * Pinned events of tasks wait there.
 */
void v9_pmu_exclude_cpu(struct v9_pmu *unit, unsigned int nr);

/**
 * v9_pmu_refresh - reset the unit and route its events, as when the CPU came up
 * @cpu: this CPU, interrupts off, not V9_READY
 *
 * Return: false if the unit cannot be used.
 */
bool v9_pmu_refresh(struct v9_pmu_cpu *cpu);

/* --- routing (routing.c) ------------------------------------------------------ */

/**
 * v9_pmu_route - a unit was reset: route its events
 * @cpu: this CPU, interrupts off
 * @facts: result
 */
void v9_pmu_route(struct v9_pmu_cpu *cpu, struct v9_routing_facts *facts);

/**
 * v9_pmu_check_routing - the same for a CPU that comes up: where do they really go?
 * @cpu: this CPU
 *
 * Return: NULL, or what is wrong with it: a CPU unlike the others.
 */
const char *v9_pmu_check_routing(struct v9_pmu_cpu *cpu);

/**
 * v9_pmu_show_routing - make the file routing of debugfs
 * @unit: which; its name is registered
 */
void v9_pmu_show_routing(struct v9_pmu *unit);

/* --- files ------------------------------------------------------------------- */

/**
 * struct v9_pmu_file - one file of the PMU in sysfs
 * @attr: the file
 * @option: in format/: its row
 * @stat: in stats/ and per_cpu/: which counter
 * @format: else: how to print
 * @value: what
 */
struct v9_pmu_file {
	struct device_attribute attr;
	const struct v9_option *option;
	enum v9_stat stat;
	const char *format;
	u64 value;
};

/**
 * struct v9_pmu_dir - a directory of them
 * @group: for perf
 * @file: the files
 * @n: how many
 */
struct v9_pmu_dir {
	struct attribute_group group;
	struct v9_pmu_file *file;
	unsigned int n;
};

/**
 * v9_pmu_new_dir - an empty directory
 * @unit: whose
 * @name: its name
 * @max: most files it will hold
 *
 * Return: the directory, freed with the PMU, or NULL.
 */
struct v9_pmu_dir *v9_pmu_new_dir(struct v9_pmu *unit, const char *name, unsigned int max);

/**
 * v9_pmu_add_option - add a file of format/
 * @dir: where
 * @o: its row
 */
void v9_pmu_add_option(struct v9_pmu_dir *dir, const struct v9_option *o);

/**
 * v9_pmu_add_value - add a file with a number
 * @dir: where
 * @name: of the file
 * @format: how to print it
 * @value: the number
 */
void v9_pmu_add_value(struct v9_pmu_dir *dir, const char *name, const char *format, u64 value);

/**
 * v9_pmu_stats - a directory of counters
 * @unit: whose
 * @per_cpu: of each CPU; else of them all
 *
 * Return: the directory, or NULL.
 */
struct v9_pmu_dir *v9_pmu_stats(struct v9_pmu *unit, bool per_cpu);

/**
 * v9_pmu_cpumask_show - show() of the file cpumask
 * @dev: the PMU
 * @attr: the file
 * @page: result
 *
 * Return: its length.
 */
ssize_t v9_pmu_cpumask_show(struct device *dev, struct device_attribute *attr, char *page);

/* --- perf ---------------------------------------------------------------------- */

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

/* Of struct v9_buf: has it a transaction that waits? */
enum v9_deferral {
	V9_DEFERRED_NONE,
	V9_DEFERRED,		/* yes, whoever runs next goes on with it */
	V9_DEFERRED_ENDING,		/* not any more, a moment's patience */
};

/**
 * struct v9_buf - an AUX buffer
 * @rcu: for who looks at @deferral without a transaction; first, as v9_fail knows
 * @base: its pages, one after the other: where the kernel has them anyway, if they are one run
 *	there; else mapped anew, and twice
 * @at: for the unit: an address of the kernel, or a physical one, for the start of the buffer, as
 *	the run has it that the last window is in
 * @nvm: of struct v9_pmu_driver, if it is physical
 * @run: if it is more than one run, each of @aux.run bytes: @at of each
 * @size: bytes, counted once
 * @aux: what the last window was made of
 * @w: the last window
 * @snapshot: old data is overwritten
 * @triggered: a trigger came, and so many bytes are still wanted: @left
 * @done: they came, too: nothing more is written
 * @left: see there
 * @deferral: enum v9_deferral
 * @unmapped: it is being unmapped: nothing is kept any more
 * @closing: how many CPUs are in v9_pmu_switch_off() with a transaction of it
 * @types: of struct v9_pmu, when it was made
 * @handle: the transaction that waits
 *
 * A session that wrote nothing before its task lost the CPU has nothing to tell. Its transaction
 * stays open, the window with it, and the session goes on there when the task comes back: one of
 * a long interval, or of tasks that hardly run, would open and close transactions and do nothing
 * else.
 *
 * perf documents that stop() ends the transaction, for one reason: it takes it as ended when the
 * buffer is unmapped, and stops the events that are on before. No form of it keeps a window across
 * a switch. What holds in its place, on each kernel that is supported:
 *
 * - perf calls event_unmapped() for each mapping that goes, before it stops events and frees pages.
 *   It ends the transaction that waits, and none waits later (@unmapped).
 * - The handle is ours, and perf changes nothing in it between begin and end. Only @event is put
 *   anew: the one that began it may be gone. All events that write to a ring agree in what
 *   perf_aux_output_end() asks of one.
 * - v9_pmu_reopen() asks for the buffer of a ring with a handle that has only @rb and @event, all
 *   that perf_get_aux() looks at. It takes what waits there or leaves both alone.
 *
 * spe_idle:buffer_is_unmapped_at_any_moment, spe_idle:tasks_share_a_buffer, and
 * spe_buffer:switched_off_then_unmapped show it; spe_idle:kernel_log_is_clean that perf finds no
 * reference left.
 */
struct v9_buf {
	struct rcu_head rcu;
	void *base;
	u64 at;
	u64 nvm;
	const u64 *run;
	u64 size;
	struct v9_aux aux;
	struct v9_window w;
	bool snapshot;
	bool triggered;
	bool done;
	bool unmapped;
	u32 left;
	atomic_t closing;
	unsigned int types;
	u32 deferral;
	struct perf_output_handle handle;
};

/* Of struct pmu */
void *v9_pmu_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot);
void v9_pmu_free_aux(void *aux);
void v9_pmu_event_unmapped(struct perf_event *event, struct mm_struct *mm);

/**
 * v9_pmu_buffer_suits - is the buffer of an event for units of this kind, too?
 * @event: which; interrupts are off
 * @type: number of the kind
 *
 * Return: if not, it was made before the first of them came, and they may want another one.
 */
bool v9_pmu_buffer_suits(struct perf_event *event, unsigned int type);

/* Is there a transaction? */
static inline bool v9_pmu_is_open(const struct v9_pmu_cpu *cpu)
{
	return cpu->handle.event;
}

/**
 * v9_pmu_fill - fill in padding
 * @cpu: this CPU, its transaction open
 * @at: where in the buffer
 * @n: bytes; behind its end they go on at its start
 */
void v9_pmu_fill(struct v9_pmu_cpu *cpu, u64 at, u64 n);

/**
 * v9_pmu_pad - fill in what stands between the head and the window
 * @cpu: this CPU, its transaction open
 */
void v9_pmu_pad(struct v9_pmu_cpu *cpu);

/* An erratum for which buffers are mapped twice, and each window may cost a page */
static __always_inline bool v9_pmu_has_buffer_erratum(const struct v9_pmu_cpu *cpu)
{
	return cpu->skip_bytes | cpu->overrun_bytes;
}

/**
 * v9_pmu_open - open the next window
 * @cpu: this CPU
 * @event: whose
 * @wrote: result: the CPU filled in padding, now or since the last window
 * @exact: of struct v9_aux. perf counts a byte less than is free, so that a full ring differs from
 *	an empty one; who asks v9_pmu_fills_ring() before a window is closed may use it, too
 *
 * Where to write is in @w of the buffer then. Without room for a window the
 * transaction stays open, with nothing in it, for v9_pmu_no_room() or
 * v9_pmu_switch_off(): who starts a session leaves that to v9_pmu_start() and v9_pmu_add().
 *
 * Return: the buffer, or NULL.
 */
static __always_inline struct v9_buf *v9_pmu_open(struct v9_pmu_cpu *cpu,
						  struct perf_event *event, bool *wrote,
						  bool exact)
{
	struct v9_buf *buf = perf_aux_output_begin(&cpu->handle, event);
	const struct perf_output_handle *h = &cpu->handle;

	*wrote = false;
	cpu->buf = buf;
	if (unlikely(!buf))
		return NULL;
	/* The last one may be of a CPU that wants no room. */
	if (likely(!v9_pmu_has_buffer_erratum(cpu)) &&
	    likely(v9_plan_again(&buf->aux, &buf->w, h->head, h->size + exact, h->wakeup)))
		goto out;
	buf->aux.head = h->head;
	buf->aux.free = h->size + exact;
	buf->aux.wakeup = h->wakeup;
	buf->aux.skip_bytes = cpu->skip_bytes;
	buf->aux.overrun_bytes = cpu->overrun_bytes;
	if (v9_plan_window(&buf->aux, &buf->w))
		return NULL;
	if (unlikely(buf->run))
		buf->at = buf->run[buf->w.ptr / buf->aux.run];
	if (buf->w.pad)
		v9_pmu_pad(cpu);
	/* This, or what was filled in when the last window was closed */
	*wrote = v9_plan_take_filled(&buf->aux);
out:
	trace_v9_window(cpu->unit->pmu.name, h->head, buf->w.ptr, buf->w.limit, buf->w.pad);
	return buf;
}

/**
 * v9_pmu_wait_flush - another CPU is closing the transaction that waited
 * @buf: whose
 */
void v9_pmu_wait_flush(struct v9_buf *buf);

/**
 * v9_pmu_reopen - go on with the transaction that waits, and its window
 * @cpu: this CPU
 * @event: whose
 *
 * Return: the buffer, or NULL if none waits.
 */
static __always_inline struct v9_buf *v9_pmu_reopen(struct v9_pmu_cpu *cpu,
						    struct perf_event *event)
{
	struct v9_buf *buf;

	/* With interrupts off the ring and our struct stay, even if the buffer is just going. */
	cpu->handle.rb = READ_ONCE((event->parent ?: event)->rb);
	if (unlikely(!cpu->handle.rb))
		return NULL;
	cpu->handle.event = event;
	buf = perf_get_aux(&cpu->handle);
	cpu->handle.event = NULL;
	/* If there was one, all of its end is seen before ours begins. */
	if (unlikely(!buf) || smp_load_acquire(&buf->deferral) == V9_DEFERRED_NONE)
		return NULL;
	if (unlikely(cmpxchg(&buf->deferral, V9_DEFERRED, V9_DEFERRED_NONE) != V9_DEFERRED)) {
		v9_pmu_wait_flush(buf);
		return NULL;
	}
	cpu->handle = buf->handle;
	cpu->handle.event = event;
	cpu->buf = buf;
	return buf;
}

/**
 * v9_pmu_flush - close the transaction that waits, if there is one
 * @buf: whose
 * @event: one that writes there
 *
 * Between v9_pmu_busy() and v9_pmu_done(): who is resumed in the midst of it would wait for it.
 */
void v9_pmu_flush(struct v9_buf *buf, struct perf_event *event);

/**
 * v9_pmu_defer - the unit is off and has written nothing: the transaction waits
 * @cpu: this CPU
 */
static __always_inline void v9_pmu_defer(struct v9_pmu_cpu *cpu)
{
	struct v9_buf *buf = cpu->buf;

	buf->handle = cpu->handle;
	cpu->handle.event = NULL;
	/* With all that is in it; the next one takes it with cmpxchg(). */
	smp_store_release(&buf->deferral, V9_DEFERRED);
	smp_mb();	/* either we see that it is unmapped, or who unmaps it sees us */
	if (unlikely(READ_ONCE(buf->unmapped)))
		v9_pmu_flush(buf, buf->handle.event);
}

/**
 * v9_pmu_fills_ring - would the ring be full with these bytes?
 * @cpu: this CPU, its transaction open
 * @event: whose
 * @used: bytes
 *
 * perf opens no transaction where the ring is full, so that nobody could say later that trace is
 * lost. And it says how much is free only when one begins: another one takes the place of ours.
 *
 * Return: it would; the bytes are to be closed with TRUNCATED. If meanwhile the buffer is being
 * unmapped there is no transaction any more, and nobody to read the bytes.
 */
bool v9_pmu_fills_ring(struct v9_pmu_cpu *cpu, struct perf_event *event, u64 used);

/**
 * v9_pmu_switch_off - in an interrupt: the session cannot go on
 * @cpu: this CPU, its unit at rest
 * @event: whose
 * @cause: what the interrupt meant, for the tracepoint
 * @used: bytes of the transaction that is open
 * @flags: V9_AUX_* that go with them
 *
 * The event is off before the consumer hears of it: an "enable" that comes at
 * once, from another CPU, would do nothing for an event that is still on, and
 * nobody would ask again. But who unmaps the buffer looks for transactions only
 * where events are on; then it is the other way round.
 */
void v9_pmu_switch_off(struct v9_pmu_cpu *cpu, struct perf_event *event, enum v9_cause cause,
		       u64 used, u32 flags);

/**
 * v9_pmu_count_flags - count what is told with the data
 * @cpu: this CPU
 * @flags: V9_AUX_*
 */
void v9_pmu_count_flags(struct v9_pmu_cpu *cpu, u32 flags);

/**
 * v9_pmu_drop - bytes of which nobody knows whether they are data
 * @cpu: this CPU
 * @bytes: how many, from the begin of the window to the write pointer
 *
 * Return: 0, how many are handed out.
 */
static inline u64 v9_pmu_drop(struct v9_pmu_cpu *cpu, u64 bytes)
{
	cpu->stat[V9_STAT_DROPPED] += bytes;
	return 0;
}

/**
 * v9_pmu_close - close it: the data goes to perf, with the truth about it
 * @cpu: this CPU
 * @used: bytes
 * @flags: V9_AUX_*
 *
 * In an overwritten buffer the caller has moved cpu->handle.head.
 */
static __always_inline void v9_pmu_close(struct v9_pmu_cpu *cpu, u64 used, u32 flags)
{
	cpu->stat[V9_STAT_BYTES] += used;
	if (unlikely(flags & ~V9_AUX_RAW_TRACE))
		v9_pmu_count_flags(cpu, flags);
	cpu->handle.aux_flags |= flags;
	trace_v9_data(cpu->unit->pmu.name, used, cpu->handle.aux_flags);
	perf_aux_output_end(&cpu->handle, used);
}

#endif
