/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A unit: each CPU has one, and they become a perf PMU. unit.c has the device, CPUs that come and
 * go, and power management; event.h what perf calls, aux.h the AUX buffer, sysfs.h the files.
 *
 * Firmware describes the units of all CPUs as one device with a per-CPU interrupt. A unit needs
 * neither of them, nor an AUX buffer: see of_match_table, @irq and @no_buffer of struct
 * v9_pmu_driver.
 *
 * Everything per CPU is touched by that CPU only, with interrupts off.
 */
#ifndef V9TRACE_UNIT_H
#define V9TRACE_UNIT_H

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>

#include "v9trace/check_absence.h"
#include "v9trace/check_routing.h"
#include "v9trace/fault_action.h"
#include "v9trace/plan.h"
#include "v9trace/tuning.h"
#include "v9trace/uapi.h"

/* Counters in stats/, summed over CPUs. The first ones count interrupts by enum v9_cause. */
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
	V9_STAT_THROTTLED,	/* times that tuning/max_interrupts has stopped the unit */
	V9_STAT_THROTTLED_TIME,	/* how long, in ns */
	V9_STAT_HANDLER,	/* ticks of CNTVCT_EL0 in all interrupts */
	V9_STAT_LONGEST,	/* maximum, not a sum: ticks of CNTVCT_EL0 in one interrupt */
	/* branch stacks; the first ones by enum v9_branch_validity */
	V9_STAT_PAUSED,
	V9_STAT_FROZEN = V9_STAT_PAUSED + V9_BRANCHES_FROZEN,
	V9_STAT_STALE = V9_STAT_PAUSED + V9_BRANCHES_STALE,
	V9_STAT_RUN_ON = V9_STAT_PAUSED + V9_BRANCHES_RUN_ON,
	V9_STAT_EMPTY = V9_STAT_PAUSED + V9_BRANCHES_EMPTY,
	V9_STAT_SATURATED,	/* branches with more cycles than perf's stacks can have */
	V9_STAT_MISSED,		/* samples that came amid a start or stop */
	V9_STAT_FOREIGN,	/* overflows while no session ran on the CPU */
	V9_STAT_LIMITED,	/* times that perf has stopped a counter with too many overflows */
	V9_STAT_SWITCHES,	/* records that were invalidated at the switch of tasks */
	V9_STATS
};

/* Counters of units with an AUX buffer, and of those with branch stacks */
#define V9_STATS_OF_BUFFER	(GENMASK(V9_STAT_COLLISIONS, 0) | BIT(V9_STAT_THROTTLED) | \
				 BIT(V9_STAT_THROTTLED_TIME) | BIT(V9_STAT_HANDLER) | \
				 BIT(V9_STAT_LONGEST))
#define V9_STATS_OF_BRANCHES	GENMASK(V9_STATS - 1, V9_STAT_PAUSED)

struct v9_pmu;
struct v9_pmu_device;
struct v9_buf;

/* Whether a unit can be used, in struct v9_pmu_cpu. start() tests bit 0. */
enum v9_ready {
	V9_READY_NO,		/* the CPU is offline, or the unit failed */
	V9_READY,
	V9_READY_THROTTLED,	/* too many interrupts: off until @go_on runs */
	V9_READY_AFTER_RESET,	/* after deep idle without an event: registers are UNKNOWN */
};

/* Why an event that perf has started does not run, in struct v9_pmu_cpu */
enum v9_halt {
	V9_HALT_NONE,
	V9_HALT_NO_ROOM,	/* no room in its buffer, and @off is queued; @handle may be open */
	V9_HALT_THROTTLED,	/* @go_on will start it */
};

/**
 * struct v9_pmu_cpu - one CPU's unit; the first member of a driver's per-CPU struct
 * @handle: AUX handle; @handle.event is NULL while no transaction is open
 * @buf: AUX buffer of @handle
 * @event: event between add() and del(); else NULL
 * @unit: PMU that this unit belongs to
 * @was_online: the unit was brought up at least once
 * @ready: enum v9_ready
 * @is_saved: an event is active, and @save has stopped the unit for CPU PM or a panic
 * @halt: enum v9_halt, why @event does not run. stop() clears it
 * @busy: code of the driver runs for @event on this CPU. A pause or resume that comes meanwhile is
 *	carried out by v9_pmu_done()
 * @physical: the unit can be given physical addresses
 * @physical_unused: the unit could be given physical addresses, but the parameter that says that
 *	firmware permits it is not set
 * @skip_bytes: member of struct v9_aux, by erratum of this CPU
 * @overrun_bytes: likewise
 * @failed: logs that the unit failed
 * @resume: resumes an event whose filters could not be read at the time of the resume
 * @off: disables an event that was started without room in its buffer
 * @go_on: ends V9_READY_THROTTLED
 * @rate: interrupts, counted if their number is limited
 * @stat: counters, by enum v9_stat
 */
struct v9_pmu_cpu {
	struct perf_output_handle handle;
	struct v9_buf *buf;
	struct perf_event *event;
	struct v9_pmu *unit;
	bool was_online;
	u8 ready;
	bool is_saved;
	u8 halt;
	bool busy;
	bool physical;
	bool physical_unused;
	u32 skip_bytes;
	u32 overrun_bytes;
	struct irq_work failed;
	struct irq_work resume;
	struct irq_work off;
	struct hrtimer go_on;
	struct v9_rate rate;
	u64 stat[V9_STATS];
};

/**
 * struct v9_pmu_own - a device that a driver has made
 * @device: device
 * @gsi: its interrupt, as ACPI numbers it; 0 if it has none
 */
struct v9_pmu_own {
	struct platform_device *device;
	unsigned int gsi;
};

/**
 * struct v9_pmu_driver - a driver: v9_spe or v9_ete
 * @platform: platform driver, with the ids of its devices; one of them is the driver's name, for
 *	@own. If of_match_table is NULL, firmware does not describe the unit: loading the module
 *	makes one device for all CPUs
 * @own: devices that loading the module has made, at most one for each PPI
 * @nr_own: number of them
 * @making: they are being made
 * @probe: probe a device
 * @all_probed: optional: called once when all devices that exist have been probed, and again for
 *	each later device. Returns 0 or the errno for probe
 * @probing_done: @all_probed has been called
 * @loaded: loading the module cannot fail any more; events are accepted from here on
 * @extension: name of the extension in the Arm architecture
 * @status: name of the status registers, without _ELx
 * @conflict_module: in-tree module that may have the device or its interrupt; NULL if there is none
 * @conflict_driver: name of its driver
 * @conflict_initcall: its initcall, for a kernel that has it built in
 * @gicc_at: V9_GICC_*, offset of the unit's interrupt in a GICC structure of the ACPI MADT
 * @no_stats: bits of enum v9_stat: counters that this unit does not have
 * @samples: its events are samples with branch stacks, at a period or a frequency
 * @no_buffer: the unit has no AUX buffer. @status, @padding, @wraps, @nvm, @physical_hint, @route,
 *	@self_test and @saved_ptr are not used
 * @padding: byte that decoders skip
 * @wraps: the unit can continue at the start of a buffer by itself
 * @nvm: bit of the limit register that selects physical addresses
 * @physical_hint: reason of a refusal where physical addresses would help but are not permitted;
 *	NULL if the unit needs no permission
 * @cpu_size: bytes of the driver's per-CPU struct
 * @irq: interrupt handler; v9_pmu_of_irq() gives the unit of its cookie. NULL if the unit has no
 *	interrupt
 * @match: return the unit of this CPU in the PMU that it belongs to; a PMU is made for a CPU type
 *	that is new. NULL on failure, with the reason in *why, or with *why NULL for -ENOMEM
 * @online: this CPU's unit is up; publish what perf does not have yet. Returns 0 or an errno, with
 *	the reason in *why unless -ENOMEM
 * @discard: this CPU's unit cannot be used; free what @match made for it alone
 * @reset: turn this CPU's unit off from any state. Returns false if it does not respond
 * @quiesce: optional: lower the interrupt of a unit that is off and may have lost its registers.
 *	@reset and @route follow before the next start
 * @release: optional: this CPU's unit is off and no longer used
 * @route: after a reset: route buffer management events to this CPU's interrupt, and read back
 *	what the registers hold
 * @self_test: fill @page; returns true if the resulting event is not visible at this EL. Only for
 *	units with Profiling exceptions
 * @save: stop this CPU's unit and save its registers
 * @saved_ptr: the write pointer that @save read
 * @restore: restore the registers after a reset, and start
 * @setting: first values of the settings of each PMU
 * @hotplug: CPU hotplug state
 * @refusal: what loading the module returns if no device could be used
 */
struct v9_pmu_driver {
	struct platform_driver platform;
	struct v9_pmu_own own[V9_PPIS];
	unsigned int nr_own;
	bool making;
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
	u32 no_stats;
	bool samples;
	bool no_buffer;
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
	u64 setting[V9_SETTINGS];
	enum cpuhp_state hotplug;
	int refusal;
};

/**
 * struct v9_pmu_device - a device: CPUs, and the interrupt of their units
 * @dev: device
 * @driver: its driver
 * @at: per CPU: the unit, once it is up
 * @cpus: CPUs that have a unit according to firmware, without those that were excluded
 * @irq: per-CPU interrupt, 0 if the unit has none
 * @hotplug: node of the CPU hotplug state
 * @pm: CPU PM notifier
 * @panic: panic notifier
 *
 * The units of one device may differ: SPE makes one PMU for each CPU type. ETE makes one PMU of all
 * devices.
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
 * @pmu: as registered with perf
 * @driver: its driver
 * @dev: first device of firmware that it was made of
 * @cpu: per CPU: struct v9_pmu_cpu, and what the driver has behind it
 * @cpus: CPUs whose units belong to it
 * @aux: what the units require of a window
 * @setting: what the administrator has set, by enum v9_setting
 * @min_pages: fewest pages of an AUX buffer
 * @map_twice: an erratum of one of the units requires buffers that are mapped twice
 * @types: number of CPU types that the buffers made now suit, if units differ
 * @registered: @pmu is registered with perf
 * @allocs: memory that is freed with the PMU
 * @misrouted: return value of v9_check_routing()
 * @routing: its result, the same for all CPUs
 * @facts: what it was computed from
 * @debug: directory in debugfs
 */
struct v9_pmu {
	struct pmu pmu;
	struct v9_pmu_driver *driver;
	struct device *dev;
	void __percpu *cpu;
	cpumask_t cpus;
	struct v9_aux aux;
	u64 setting[V9_SETTINGS];
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

/* The unit that interrupts. An interrupt is enabled only on CPUs whose unit is up. */
static inline struct v9_pmu_cpu *v9_pmu_of_irq(void *cookie)
{
	struct v9_pmu_cpu **at = cookie;

	return *at;
}

/* --- the module ------------------------------------------------------------ */

/**
 * v9_pmu_register - module_init() of a driver
 * @driver: the driver
 * @owner: THIS_MODULE
 *
 * Return: 0 if the driver has a device or may get one later; else an errno, with one line in the
 * log that gives the reason.
 */
int v9_pmu_register(struct v9_pmu_driver *driver, struct module *owner);

/**
 * v9_pmu_unregister - module_exit() of a driver
 * @driver: the driver
 */
void v9_pmu_unregister(struct v9_pmu_driver *driver);

/* Module parameter: a PMU's name, or its first part; valid in sysfs and in perf's event syntax */
extern const struct kernel_param_ops v9_pmu_name_ops;

/* --- a device ---------------------------------------------------------------- */

/**
 * v9_pmu_refuse - log one line about a device that cannot be used
 * @dev: the device
 * @driver: its driver
 * @err: errno that loading the module shall return
 * @why: reason
 *
 * For most errnos the driver core logs a line of its own, and loading the module succeeds in any
 * case. So probe returns -ENODEV, and @err is kept in @driver->refusal.
 *
 * Return: what probe returns.
 */
int v9_pmu_refuse(struct device *dev, struct v9_pmu_driver *driver, int err, const char *why);

/**
 * v9_pmu_log_errata - log one line for each erratum
 * @unit: PMU
 * @errata: V9_ERRATUM_* of its CPUs
 */
void v9_pmu_log_errata(struct v9_pmu *unit, u64 errata);

/**
 * v9_pmu_begin - set up a device in probe
 * @device: zeroed
 * @driver: its driver
 * @pdev: the platform device
 *
 * devm undoes what this function and v9_pmu_bring_up_cpus() do.
 *
 * Return: 0, with dev, at, cpus and irq of @device valid; else what probe returns.
 */
int v9_pmu_begin(struct v9_pmu_device *device, struct v9_pmu_driver *driver,
		 struct platform_device *pdev);

/**
 * v9_pmu_make - make a PMU without CPUs
 * @unit: zeroed
 * @device: device that it is made of
 *
 * A PMU can be made and removed when a CPU comes online, so none of it is managed by devm.
 *
 * Return: 0, with dev and cpu of @unit valid; or -ENOMEM.
 */
int v9_pmu_make(struct v9_pmu *unit, struct v9_pmu_device *device);

/**
 * v9_pmu_unmake - unregister a PMU and free its memory
 * @unit: the PMU; none of its units is up
 */
void v9_pmu_unmake(struct v9_pmu *unit);

/**
 * v9_pmu_free - free the struct of a PMU, unless the kernel may still read it
 * @unit: PMU after v9_pmu_unmake()
 * @whole: kmalloc()ed struct that contains @unit
 */
void v9_pmu_free(const struct v9_pmu *unit, void *whole);

/**
 * v9_pmu_alloc - allocate memory that is freed with a PMU
 * @unit: PMU
 * @n: number of elements
 * @size: bytes of each
 *
 * Return: zeroed memory, or NULL.
 */
void *v9_pmu_alloc(struct v9_pmu *unit, size_t n, size_t size);

/**
 * v9_pmu_bring_up_cpus - bring up the units of all online CPUs, and of each that comes online later
 * @device: device
 *
 * Return: 0 or an errno.
 */
int v9_pmu_bring_up_cpus(struct v9_pmu_device *device);

/**
 * v9_pmu_publish - register a PMU with perf, if its units can be used
 * @unit: PMU; its units are up, and what only the driver knows is set in @unit->pmu
 * @name: name of the PMU
 * @taken: reason of a refusal if another PMU has this name
 * @why: result: reason of a refusal, or NULL
 *
 * It may run with the CPU hotplug lock held, when a CPU comes online. perf takes its lock of PMUs
 * inside then and makes devices; neither of the two waits for CPU hotplug, on 6.1, 6.12 and 7.
 *
 * Return: 0 or an errno.
 */
int v9_pmu_publish(struct v9_pmu *unit, const char *name, const char *taken, const char **why);

/**
 * v9_pmu_give_up - stop using a unit that does not respond
 * @cpu: this CPU
 */
void v9_pmu_give_up(struct v9_pmu_cpu *cpu);

/**
 * v9_pmu_exclude_cpu - remove a CPU from a PMU
 * @unit: PMU
 * @nr: CPU; it came online, and its unit cannot be used
 *
 * The PMU's events are not scheduled on that CPU. A pinned event of a task does not enter the error
 * state there.
 */
void v9_pmu_exclude_cpu(struct v9_pmu *unit, unsigned int nr);

/* Do all CPUs of the PMU that were online take physical addresses? */
bool v9_pmu_is_physical(const struct v9_pmu *unit);

/**
 * v9_pmu_refresh - reset the unit and route its events, as when the CPU came online
 * @cpu: this CPU, interrupts off, @cpu->ready is not V9_READY
 *
 * Return: false if the unit cannot be used. A unit that is throttled can be used later.
 */
bool v9_pmu_refresh(struct v9_pmu_cpu *cpu);

/* --- routing (routing.c) ------------------------------------------------------ */

/**
 * v9_pmu_route - route the buffer management events of a unit that was reset to its interrupt
 * @cpu: this CPU, interrupts off
 * @facts: result: what the registers of routing hold
 */
void v9_pmu_route(struct v9_pmu_cpu *cpu, struct v9_routing_facts *facts);

/**
 * v9_pmu_check_routing - for a CPU that comes online: route events, run the self-test, check both
 * @cpu: this CPU
 *
 * Return: NULL, or how this CPU differs from the others of its PMU.
 */
const char *v9_pmu_check_routing(struct v9_pmu_cpu *cpu);

/**
 * v9_pmu_show_routing - create the file "routing" in debugfs
 * @unit: PMU; its name is registered
 */
void v9_pmu_show_routing(struct v9_pmu *unit);

/* Create and remove the directory of debugfs. */
void v9_pmu_debug_init(void);
void v9_pmu_debug_exit(void);

#endif
