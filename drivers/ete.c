// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_ete: the Embedded Trace Extension, writing to memory through the Trace
 * Buffer Extension, as a perf PMU.
 *
 * The PMU has the name and the files that stock perf looks for, so an
 * unmodified perf records with it. What decides anything is in lib/: here the
 * hardware is looked at and acted upon, and perf is told.
 *
 * A session is one event on one CPU. Its registers are compiled once, when the
 * event is made; starting it means opening a window in the AUX buffer and
 * writing the image. Everything per CPU is touched by that CPU only, with
 * interrupts off. Each window begins with the trace unit newly enabled, so a
 * decoder finds its feet at the first byte, unless it was overwritten.
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

#include "compat.h"
#include "ete.h"
#include "v9trace/errata.h"
#include "v9trace/gen/regs.h"
#include "v9trace/judge_absence.h"
#include "v9trace/kinds.h"
#include "v9trace/seq_routing.h"
#include "v9trace/uapi.h"

static char *pmu_name = V9_ETE_PMU_NAME;
module_param_cb(name, &v9_pmu_name_ops, &pmu_name, 0444);
MODULE_PARM_DESC(name, "the PMU's name (default " V9_ETE_PMU_NAME "; perf knows no other)");

static bool instrumentation;
module_param(instrumentation, bool, 0444);
MODULE_PARM_DESC(instrumentation, "offer FEAT_ITE: firmware permits it (default N)");

/* Nothing tells whether EL3 traps the registers of a trace unit: firmware does, or the user. */
static bool unlisted;
module_param(unlisted, bool, 0444);
MODULE_PARM_DESC(unlisted,
		 "use trace units that firmware does not describe: it permits that (default N)");

/* For the first steps on a new core: of the buffer's features only those that tracing needs. */
static bool plain;
module_param(plain, bool, 0444);
MODULE_PARM_DESC(plain,
		 "use the buffer in Fill mode and ignore its trigger; overwritten buffers and the option trigger are refused (default N)");

/**
 * struct v9_ete_value - one file below cpu<n>/: a number
 * @attr: the file
 * @format: how to print it
 * @value: the number
 */
struct v9_ete_value {
	struct kobj_attribute attr;
	const char *format;
	u64 value;
};

/* What perf and our tools read of each CPU's unit; the last two stand in cpu<n>/ itself. */
enum {
	V9_ETE_IDR0, V9_ETE_IDR1, V9_ETE_IDR2, V9_ETE_IDR3, V9_ETE_IDR4, V9_ETE_IDR5, V9_ETE_IDR8,
	V9_ETE_AUTHSTATUS, V9_ETE_DEVARCH,
	V9_ETE_TS_SOURCE, V9_ETE_TRFCR_TS,
	V9_ETE_VALUES
};

/**
 * struct v9_ete_look - what is asked of a CPU: those that answer alike are of one kind
 * @id: of its units
 * @errata: V9_ERRATUM_*
 */
struct v9_ete_look {
	struct v9_ete_id id;
	u64 errata;
};

/**
 * struct v9_ete_kind - CPUs whose units are alike
 * @link: to the others, once one of the CPUs can be used
 * @nr: how many there were before
 * @late: the first of its CPUs came when the PMU was there
 * @told: the log has a line about it
 * @cpus: those that were met
 * @look: what each of them answers
 * @unit: what the units can do
 * @value: the numbers in each cpu<n>/
 * @trcidr: the directory cpu<n>/trcidr
 * @mgmt: the directory cpu<n>/mgmt
 * @in_trcidr: its files
 * @in_mgmt: likewise
 */
struct v9_ete_kind {
	struct list_head link;
	unsigned int nr;
	bool late;
	bool told;
	cpumask_t cpus;
	struct v9_ete_look look;
	struct v9_ete_unit unit;
	struct v9_ete_value value[V9_ETE_VALUES];
	struct attribute_group trcidr;
	struct attribute_group mgmt;
	struct attribute *in_trcidr[V9_ETE_VALUES];
	struct attribute *in_mgmt[V9_ETE_VALUES];
};

/**
 * struct v9_ete - the PMU, of all kinds and all of firmware's devices
 * @u: what all drivers have
 * @kinds: struct v9_ete_kind, by number, as many as u.kinds says; it grows while CPUs cannot come
 *	and go. None of them goes before perf has forgotten the PMU, so who has an event, or a file
 *	of the PMU open, reads it without a lock
 * @closed: there may be events: kinds that come now are late
 * @made: perf knows the PMU, and CPUs that come get their directories
 * @format: the directory format/
 * @dir: by CPU: cpu<n>
 *
 * perf knows one PMU of this name, and reads of each CPU what its unit is: a task can be traced
 * wherever it runs.
 */
struct v9_ete {
	struct v9_pmu u;
	struct list_head kinds;
	bool closed;
	bool made;
	struct v9_pmu_dir *format;
	struct kobject **dir;
};

/**
 * struct v9_ete_session - what an event carries
 * @kinds: how many kinds of units were known when it was made
 * @image: the registers for each of them
 */
struct v9_ete_session {
	unsigned int kinds;
	struct v9_ete_image image[];
};

static struct v9_ete *to_ete(struct pmu *pmu)
{
	return container_of(pmu, struct v9_ete, u.pmu);
}

static struct v9_ete_cpu *to_cpu(struct v9_pmu_cpu *cpu)
{
	return container_of(cpu, struct v9_ete_cpu, u);
}

static struct v9_ete_image *image_of(const struct v9_ete_cpu *cpu, const struct perf_event *event)
{
	return event->pmu_private + cpu->image_at;
}

/* The image for a kind that the event knows, and whose CPUs it may come to; else NULL. */
static struct v9_ete_image *image_for(const struct v9_ete_kind *kind,
				      const struct perf_event *event)
{
	struct v9_ete_session *s = event->pmu_private;

	return kind->nr < s->kinds &&
	       (event->cpu < 0 || cpumask_test_cpu(event->cpu, &kind->cpus)) ?
	       &s->image[kind->nr] : NULL;
}

/* --- start, stop, interrupt ---------------------------------------------- */

/* KVM is told when a buffer is in use, and when it is not any more. */
static DEFINE_STATIC_KEY_FALSE(v9_ete_kvm_listens);

/* The unit does not start. */
static noinline __cold bool v9_ete_give_up(struct v9_ete_cpu *cpu)
{
	struct v9_judgement nothing = { };

	v9_tell_kvm(&v9_ete_kvm_listens, false);
	v9_pmu_give_up(&cpu->u);
	v9_trbe_close(cpu, &cpu->regs, nothing);
	return false;
}

/* Neither an event nor a buffer that was made before the first CPU of a kind came is for it. */
static noinline __cold bool v9_ete_is_older(const struct v9_ete_cpu *cpu, struct perf_event *event)
{
	const struct v9_ete_session *s = event->pmu_private;

	return cpu->late >= s->kinds || !v9_pmu_suits(event, cpu->late);
}

/* Open a window and run. False: nothing runs, and a transaction that is open has no room. */
static bool v9_ete_go(struct v9_ete_cpu *cpu, struct perf_event *event)
{
	const struct v9_ete_image *image = image_of(cpu, event);
	bool wrote;

	if (unlikely(!cpu->u.ready) || (unlikely(cpu->late) && v9_ete_is_older(cpu, event)))
		return false;
	if (unlikely(v9_trbe_open(cpu, event, image, &wrote)))
		return false;
	v9_tell_kvm(&v9_ete_kvm_listens, true);
	if (likely(v9_ete_act_start(&cpu->state, image, &cpu->regs, wrote)))
		return true;
	return v9_ete_give_up(cpu);
}

/* The event may go on where the units are of another kind. */
static noinline void v9_ete_pass_on(struct perf_event *event, const struct v9_ete_image *image)
{
	struct v9_ete_session *s = event->pmu_private;
	unsigned int i;

	for (i = 0; i < s->kinds; i++)
		if (&s->image[i] != image)
			v9_kinds_pass_on(&s->image[i], image);
}

/*
 * Was tracing between a start and a stop point? How far is a count? It goes on there, wherever the
 * event does. The unit is idle.
 */
static void v9_ete_keep(struct v9_ete_cpu *cpu, struct perf_event *event)
{
	struct v9_ete_image *image = image_of(cpu, event);

	if (likely(!image->reg[V9_ETE_IMAGE_TRCVISSCTLR] && !image->res.keep))
		return;
	if (image->reg[V9_ETE_IMAGE_TRCVISSCTLR])
		image->reg[V9_ETE_IMAGE_TRCVICTLR] = cpu->state.held.reg[V9_ETE_IMAGE_TRCVICTLR];
	if (image->res.keep)
		v9_ete_look_moved(&cpu->state, image);
	v9_ete_pass_on(event, image);
}

/* Stop, and hand out what there is. Returns what the status said. */
static struct v9_judgement v9_ete_halt(struct v9_ete_cpu *cpu, struct perf_event *event)
{
	struct v9_judgement j;

	if (likely(v9_ete_act_stop(&cpu->state, &cpu->now)))
		v9_ete_keep(cpu, event);
	else
		v9_pmu_give_up(&cpu->u);
	v9_tell_kvm(&v9_ete_kvm_listens, false);
	j = v9_trbe_judge(cpu->now.trbsr, cpu->regs.trblimitr);
	v9_trbe_close(cpu, &cpu->now, j);
	return j;
}

/* Once per CPU and event. */
static noinline __cold void v9_ete_tell_id(struct perf_event *event, unsigned int nr)
{
	event->hw.idx = nr;
	v9_report_hw_id(event, V9_TRACE_HW_ID(v9_ete_trace_id(nr), nr + 1));
}

static __always_inline void v9_ete_run(struct perf_event *event, int flags)
{
	struct v9_ete_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);
	struct hw_perf_event *hwc = &event->hw;
	unsigned int nr = smp_processor_id();

	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	/* Whoever changes filters or mappings restarts the event behind that. */
	if (unlikely(v9_pmu_is_stale(event)))
		perf_event_addr_filters_sync(event);
	if (unlikely(!v9_ete_go(cpu, event)))
		return;
	hwc->state = 0;

	/* idx counts CPUs up to the last one told. */
	if (unlikely(hwc->idx != nr))
		v9_ete_tell_id(event, nr);
}

static __always_inline void v9_ete_rest(struct perf_event *event, int flags)
{
	struct v9_ete_cpu *cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);
	struct v9_judgement j;

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	j = v9_ete_halt(cpu, event);
	if (unlikely(j.verdict != V9_VERDICT_SPURIOUS))
		cpu->u.stat[j.verdict]++;
}

static void v9_ete_start(struct perf_event *event, int flags)
{
	v9_pmu_start(event, flags, v9_ete_run);
}

static void v9_ete_stop(struct perf_event *event, int flags)
{
	v9_pmu_stop(event, flags, v9_ete_rest);
}

static int v9_ete_add(struct perf_event *event, int flags)
{
	return v9_pmu_add(event, flags, v9_ete_start);
}

static void v9_ete_del(struct perf_event *event, int flags)
{
	v9_pmu_del(event, v9_ete_stop);
}

static __always_inline irqreturn_t v9_ete_answer(struct v9_ete_cpu *cpu)
{
	struct perf_event *event = cpu->u.event;
	struct v9_judgement j;

	if (!event || (event->hw.state & PERF_HES_STOPPED)) {
		/* Nobody's event; without an answer the line would stay high. */
		if (!v9_ete_act_stop(&cpu->state, &cpu->now))
			v9_pmu_give_up(&cpu->u);
		if (cpu->now.trbsr & V9_TRBSR_EL1_IRQ)
			return IRQ_HANDLED;
		cpu->u.stat[V9_STAT_SPURIOUS]++;
		return IRQ_NONE;
	}

	/* The status can be trusted only after all that stopping does (TRBE-UN9). */
	j = v9_ete_halt(cpu, event);
	cpu->u.stat[j.verdict]++;
	trace_v9_interrupt(cpu->u.unit->pmu.name, j.verdict, cpu->now.trbsr, cpu->now.trbptr);
	if (j.verdict >= V9_VERDICT_FAULT) {
		u64 limit = cpu->regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT;

		dev_err_ratelimited(cpu->u.unit->dev,
				    "CPU%d: stopped: TRBSR_EL1 %#llx, %lld bytes into a window of %lld\n",
				    smp_processor_id(), cpu->now.trbsr,
				    cpu->now.trbptr - cpu->regs.trbptr, limit - cpu->regs.trbptr);
	}
	if (!j.resume || !v9_ete_go(cpu, event))
		v9_pmu_switch_off(&cpu->u, event, j.verdict, 0, 0);
	return IRQ_HANDLED;
}

static irqreturn_t v9_ete_irq(int irq, void *cookie)
{
	struct v9_ete_cpu *cpu = to_cpu(v9_pmu_of_irq(cookie));
	u64 since = v9_pmu_irq_enter(&cpu->u);
	irqreturn_t answer = v9_ete_answer(cpu);

	v9_pmu_irq_leave(&cpu->u, since);
	return answer;
}

/* --- perf ----------------------------------------------------------------- */

static void v9_ete_destroy(struct perf_event *event)
{
	kfree(event->pmu_private);
}

/*
 * Thread IDs count from outside of all namespaces: seen there, or by the privileged. What is
 * inherited shows what its parent may: who forks has no say, and no fork() fails.
 */
static int v9_ete_hidden_threads(struct perf_event *event, const struct v9_ete_kind *kind)
{
	if (!IS_ENABLED(CONFIG_PID_IN_CONTEXTIDR))
		return -EOPNOTSUPP;
	if (event->parent)
		return v9_ete_shows_threads(image_for(kind, event->parent)) ? 0 : -EACCES;
	return task_is_in_init_pid_ns(current) || !v9_allow_kernel(&event->attr) ? 0 : -EACCES;
}

static int v9_ete_permit(struct perf_event *event, const struct v9_ete_unit *unit,
			 const struct v9_ete_image *image)
{
	if (event->parent || !v9_ete_needs_privilege(unit, image))
		return 0;
	return v9_allow_kernel(&event->attr);
}

/*
 * An image for each kind of unit that the event may come to. If one of them can't do what is asked,
 * there would be gaps: refused, and whoever names CPUs that can gets it.
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
	struct v9_ete_kind *kind;
	struct v9_refusal no;
	int err = -ENODEV;	/* a CPU that was never online */

	list_for_each_entry_lockless(kind, &ete->kinds, link) {
		struct v9_ete_image *image = image_for(kind, event);

		if (!image)
			continue;
		req.threads = v9_ete_hidden_threads(event, kind);
		err = v9_ete_encode_image(&kind->unit, &req, image, &no);
		if (!err && plain && image->trigger) {
			no = (struct v9_refusal){ "trigger", "the module is loaded with plain=1" };
			err = -EOPNOTSUPP;
		}
		if (err)
			dev_dbg(ete->u.dev, "event refused on CPUs %*pbl: %s: %s\n",
				cpumask_pr_args(&kind->cpus), no.option, no.why);
		err = err ?: v9_ete_permit(event, &kind->unit, image);
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
	unsigned int kinds;
	int err;

	err = v9_pmu_judge_event(event);
	if (err)
		return err;

	/* What is inherited goes where the parent goes: no fork() fails for a unit that came. */
	kinds = parent ? parent->kinds : smp_load_acquire(&ete->u.kinds);
	s = kzalloc(struct_size(s, image, kinds), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	s->kinds = kinds;
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

/* The one PMU of this name: perf asks it about filters without saying for whom. */
static struct v9_ete *v9_ete_alone;

static enum v9_filter_kind kind_of(const struct perf_addr_filter *filter)
{
	switch (filter->action) {
	case PERF_ADDR_FILTER_ACTION_FILTER:
		return V9_FILTER_INCLUDE;
	case PERF_ADDR_FILTER_ACTION_START:
		return V9_FILTER_START;
	default:	/* with a size it is what perf calls tracestop */
		return filter->size ? V9_FILTER_EXCLUDE : V9_FILTER_STOP;
	}
}

/* Of what a point is made, wherever that is mapped. */
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
	struct v9_ete *ete = v9_ete_alone;
	struct v9_ete_kind *kind;
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
			.kind = kind_of(filter),
			.kernel = !filter->path.dentry,
		};
	}
	/* Which kind they are for nobody says. */
	list_for_each_entry_lockless(kind, &ete->kinds, link)
		err = err ?: v9_ete_judge_filters(&kind->unit, list, n, &why);
	if (err)
		dev_dbg(ete->u.dev, "filters refused: %s\n", why);
	return err;
}

/* Under the lock of the filters, while the event is stopped on this CPU. */
static void v9_ete_addr_filters_sync(struct perf_event *event)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);
	const struct perf_addr_filter_range *range = event->addr_filter_ranges;
	struct v9_filter list[V9_ETE_COMPARATORS];
	struct v9_ete *ete = to_ete(event->pmu);
	const struct perf_addr_filter *filter;
	struct v9_ete_kind *kind;
	unsigned int n = 0;
	const char *why;

	list_for_each_entry(filter, &head->list, entry) {
		if (n == V9_ETE_COMPARATORS)
			break;			/* validated, so it does not happen */
		list[n] = (struct v9_filter) {
			.addr = range[n].start,
			.size = range[n].size,
			.kind = kind_of(filter),
			.kernel = !filter->path.dentry,
			.absent = filter->path.dentry && !range[n].start,
		};
		n++;
	}
	list_for_each_entry_lockless(kind, &ete->kinds, link) {
		struct v9_ete_image *image = image_for(kind, event);

		if (image && v9_ete_encode_filters(&kind->unit, list, n, image, &why))
			dev_dbg(ete->u.dev, "nothing is traced: %s\n", why);
	}
}

/* --- CPUs that come, go and sleep ----------------------------------------- */

/*
 * Does firmware describe a trace unit of this CPU? Of a device tree's nodes each names its CPU; in
 * ACPI tables the CPUs have one each or none.
 */
static bool v9_ete_is_listed(int nr)
{
	struct device_node *node, *cpu;
	bool listed = unlisted;

	if (!acpi_disabled)
		return listed || acpi_dev_present("ARMHC500", NULL, -1);
	for_each_compatible_node(node, NULL, "arm,embedded-trace-extension") {
		cpu = of_parse_phandle(node, "cpu", 0);
		if (cpu && of_cpu_node_to_id(cpu) == nr && of_device_is_available(node))
			listed = true;
		of_node_put(cpu);
	}
	return listed;
}

/* On the CPU; whether its unit is listed was asked before. */
static void v9_ete_look(void *data)
{
	struct v9_ete_look *look = data;

	v9_ete_look_unit(&look->id, !look->id.unlisted);
	look->errata = v9_errata(read_cpuid_id()) & V9_ERRATA_TRACE;
}

static struct v9_ete_kind *v9_ete_kind_of(struct v9_ete *ete, const struct v9_ete_look *look)
{
	struct v9_ete_kind *kind;

	list_for_each_entry(kind, &ete->kinds, link)
		if (!memcmp(&kind->look, look, sizeof(*look)))
			return kind;
	return NULL;
}

static int v9_ete_judge_look(const struct v9_ete_look *look, struct v9_ete_unit *unit,
			     const char **why)
{
	int err = v9_ete_judge_unit(&look->id, is_kernel_in_hyp_mode(), unit, why);

	/* Nothing tells whether firmware or a hypervisor traps the register: the user knows. */
	if (!instrumentation)
		unit->features &= ~V9_TRACE_HAS_ITE;
	/* Who asks all the same hears why. */
	if (!IS_ENABLED(CONFIG_PID_IN_CONTEXTIDR))
		unit->features &= ~(V9_TRACE_HAS_CID | V9_TRACE_HAS_VMID | V9_TRACE_HAS_MATCH);
	if (!err && v9_trbe_is_broken(look->errata)) {
		*why = "nothing helps against an erratum of the buffer";
		err = -ENXIO;
	}
	return err;
}

static struct v9_ete_kind *v9_ete_new_kind(struct v9_ete *ete, const struct v9_ete_look *look,
					   const char **why);
static void v9_ete_add_kind(struct v9_ete *ete, struct v9_ete_kind *kind);
static int v9_ete_show_cpu(struct v9_ete *ete, struct v9_ete_kind *kind, unsigned int nr);

static struct v9_pmu_cpu *v9_ete_meet(struct v9_pmu_device *device, const char **why)
{
	struct v9_ete *ete = v9_ete_alone;
	struct v9_ete_kind *kind;
	struct v9_ete_look look;
	struct v9_ete_cpu *cpu;

	look.id.unlisted = !v9_ete_is_listed(smp_processor_id());
	v9_ete_look(&look);
	kind = v9_ete_kind_of(ete, &look) ?: v9_ete_new_kind(ete, &look, why);
	if (IS_ERR(kind)) {
		v9_pmu_leave_out(&ete->u, smp_processor_id());
		return NULL;
	}
	cpu = this_cpu_ptr(ete->u.cpu);
	cpu->kind = kind;
	cpu->unit = &kind->unit;
	cpu->image_at = offsetof(struct v9_ete_session, image) +
			kind->nr * sizeof(struct v9_ete_image);
	cpu->late = kind->late ? kind->nr : 0;
	return &cpu->u;
}

static int v9_ete_join(struct v9_pmu_cpu *u, const char **why)
{
	struct v9_ete_kind *kind = to_cpu(u)->kind;
	struct v9_ete *ete = container_of(u->unit, struct v9_ete, u);
	unsigned int nr = smp_processor_id();
	int err;

	cpumask_set_cpu(nr, &kind->cpus);
	if (list_empty(&kind->link))
		v9_ete_add_kind(ete, kind);
	err = ete->made ? v9_ete_show_cpu(ete, kind, nr) : 0;
	if (err)
		cpumask_clear_cpu(nr, &kind->cpus);
	return err;
}

static void v9_ete_part(struct v9_pmu_cpu *u)
{
	struct v9_ete_kind *kind = to_cpu(u)->kind;

	if (list_empty(&kind->link))
		kfree(kind);
}

static bool v9_ete_reset(struct v9_pmu_cpu *u)
{
	struct v9_ete_cpu *cpu = to_cpu(u);

	cpu->state.errata = v9_errata(read_cpuid_id());
	cpu->state.ite = cpu->unit->features & V9_TRACE_HAS_ITE;
	u->spoiled = v9_trbe_may_spoil_base(cpu->state.errata) ? V9_TRBE_SPOILED : 0;
	u->beyond = v9_trbe_may_write_beyond(cpu->state.errata) ? cpu->unit->granule : 0;
	if (!v9_ete_act_reset(&cpu->state, &cpu->unit->id, v9_ete_trace_id(smp_processor_id())))
		return false;
	u->physical = v9_trbe_act_physical();
	return true;
}

static void v9_ete_release(struct v9_pmu_cpu *u)
{
	v9_ete_act_release();
}

static bool v9_ete_rehearse(struct v9_pmu_cpu *u, u64 page)
{
	struct v9_ete_cpu *cpu = to_cpu(u);

	return v9_trbe_act_rehearse(&cpu->state, cpu->unit, page, PAGE_SIZE);
}

static void v9_ete_park(struct v9_pmu_cpu *u)
{
	struct v9_ete_cpu *cpu = to_cpu(u);

	cpu->saved = cpu->regs;
	if (v9_ete_act_stop(&cpu->state, &cpu->saved))
		v9_ete_keep(cpu, u->event);
	else
		v9_pmu_give_up(u);
}

static u64 v9_ete_parked_at(const struct v9_pmu_cpu *u)
{
	return container_of(u, struct v9_ete_cpu, u)->saved.trbptr;
}

static void v9_ete_unpark(struct v9_pmu_cpu *u)
{
	struct v9_ete_cpu *cpu = to_cpu(u);

	/*
	 * After an abort the pointer may not be used again (TRBE-UN3): restored
	 * as stopped, the interrupt comes and ends the session.
	 */
	if (cpu->saved.trbsr & V9_TRBSR_EL1_EA)
		cpu->saved.trbsr |= V9_TRBSR_EL1_S | V9_TRBSR_EL1_IRQ;
	if (!v9_ete_act_start(&cpu->state, image_of(cpu, u->event), &cpu->saved, false))
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

/* perf takes a PMU with this file for one outside of the CPUs, so only if it says something. */
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
 * Names for options that go together: a share of the trace, in pieces that still tell something, or
 * what led to a panic. All but strobe are the names of the kernel's own driver.
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

/* Do units of any kind have it? */
static bool v9_ete_any_has(const struct v9_ete *ete, const struct v9_option *o)
{
	const struct v9_ete_kind *kind;

	list_for_each_entry_lockless(kind, &ete->kinds, link)
		if (v9_ete_has_option(&kind->unit, o, V9_KERNEL_WORDS))
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
 * perf and simpleperf look here for the buffers, and put what they read into bits 31:0 of config2.
 * A unit writes to its own CPU's buffer only: each file is 0, and nothing is chosen.
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

/* format/ has the options that units and kernel have, stats/ everything. */
static const struct attribute_group **v9_ete_files(struct v9_ete *ete)
{
	/* For perf: where the ID of a thread is. Not in the table, which has each bit once. */
	static const struct v9_option alias[] = {
		{ "contextid", 0, 14, 14, 0, 0, V9_TRACE_HAS_CID },
		{ "contextid", 0, 15, 15, 0, 0, V9_TRACE_HAS_VMID },
	};
	const struct attribute_group **groups;
	struct v9_pmu_dir *format, *stats, *per_cpu, *sinks;
	const struct v9_option *o;
	unsigned int i, n;

	for (n = 0; v9_ete_option(n); n++)
		;
	format = v9_pmu_new_dir(&ete->u, "format", n + 1);
	stats = v9_pmu_stats(&ete->u, false);
	per_cpu = v9_pmu_stats(&ete->u, true);
	sinks = v9_ete_sinks(ete);
	groups = v9_pmu_alloc(&ete->u, 7, sizeof(*groups));
	if (!format || !stats || !per_cpu || !sinks || !groups)
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
	return groups;
}

static void v9_ete_fill_values(struct v9_ete_kind *kind)
{
	const struct v9_ete_id *id = &kind->look.id;
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
		/* perf converts times only where it reads this value. */
		[V9_ETE_TS_SOURCE] = { "ts_source", V9_TRFCR_EL1_TS_VIRTUAL },
		[V9_ETE_TRFCR_TS] = { "trfcr_ts", v9_ete_time(&kind->unit) },
	};
	unsigned int i, n = 0, m = 0;

	for (i = 0; i < V9_ETE_VALUES; i++) {
		struct v9_ete_value *v = &kind->value[i];

		sysfs_attr_init(&v->attr.attr);
		v->attr.attr.name = rows[i].name;
		v->attr.attr.mode = 0444;
		v->attr.show = value_show;
		v->format = i >= V9_ETE_TS_SOURCE ? "%lld\n" : "0x%llx\n";
		v->value = rows[i].value;
		if (i < V9_ETE_AUTHSTATUS)
			kind->in_trcidr[n++] = &v->attr.attr;
		else if (i < V9_ETE_TS_SOURCE)
			kind->in_mgmt[m++] = &v->attr.attr;
	}
	kind->trcidr.name = "trcidr";
	kind->trcidr.attrs = kind->in_trcidr;
	kind->mgmt.name = "mgmt";
	kind->mgmt.attrs = kind->in_mgmt;
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

/* Once per kind */
static void v9_ete_tell_kind(struct v9_ete *ete, struct v9_ete_kind *kind)
{
	kind->told = true;
	dev_info(ete->u.dev, "%s: ETEv1p%llu on CPUs %*pbl\n", pmu_name,
		 V9_GET(V9_TRCDEVARCH_REVISION, kind->look.id.trcdevarch),
		 cpumask_pr_args(&kind->cpus));
}

/* A directory per CPU beside the PMU's files: what a decoder must know of its unit. */
static int v9_ete_get_dir(struct v9_ete *ete, const struct v9_ete_kind *kind, unsigned int nr)
{
	char name[16];
	int err;

	if (ete->dir[nr])
		return 0;
	snprintf(name, sizeof(name), "cpu%u", nr);
	ete->dir[nr] = kobject_create_and_add(name, &ete->u.pmu.dev->kobj);
	if (!ete->dir[nr])
		return -ENOMEM;
	err = sysfs_create_group(ete->dir[nr], &kind->trcidr);
	err = err ?: sysfs_create_group(ete->dir[nr], &kind->mgmt);
	err = err ?: sysfs_create_file(ete->dir[nr], &v9_ete_cpu.attr);
	err = err ?: sysfs_create_file(ete->dir[nr], &kind->value[V9_ETE_TS_SOURCE].attr.attr);
	err = err ?: sysfs_create_file(ete->dir[nr], &kind->value[V9_ETE_TRFCR_TS].attr.attr);
	if (err) {
		kobject_put(ete->dir[nr]);
		ete->dir[nr] = NULL;
	}
	return err;
}

/* What units of this kind have and no other had */
static int v9_ete_add_options(struct v9_ete *ete, const struct v9_ete_kind *kind)
{
	struct v9_pmu_dir *format = ete->format;
	const struct v9_option *o;
	unsigned int i, j;
	int err = 0;

	for (i = 0; !err && (o = v9_ete_option(i)); i++) {
		for (j = 0; j < format->n && format->file[j].option != o; j++)
			;
		if (j < format->n || !v9_ete_has_option(&kind->unit, o, V9_KERNEL_WORDS))
			continue;
		v9_pmu_add_option(format, o);
		err = sysfs_add_file_to_group(&ete->u.pmu.dev->kobj, &format->file[j].attr.attr,
					      format->group.name);
		if (err)	/* to be tried again */
			format->n--;
	}
	return err;
}

/* A CPU came: its directory, and what is to be said of its kind if that is new. */
static int v9_ete_show_cpu(struct v9_ete *ete, struct v9_ete_kind *kind, unsigned int nr)
{
	int err = v9_ete_get_dir(ete, kind, nr);

	err = err ?: v9_ete_add_options(ete, kind);
	if (!err && !kind->told)
		v9_ete_tell_kind(ete, kind);
	return err;
}

/* For CPUs that come from now on, v9_ete_join() does it. */
static int v9_ete_get_dirs(struct v9_ete *ete)
{
	struct v9_ete_kind *kind;
	int nr, err;

	ete->dir = devm_kcalloc(ete->u.dev, nr_cpu_ids, sizeof(*ete->dir), GFP_KERNEL);
	if (!ete->dir)
		return -ENOMEM;
	err = devm_add_action(ete->u.dev, v9_ete_put_dirs, ete);
	if (err)
		return err;
	cpus_read_lock();
	list_for_each_entry(kind, &ete->kinds, link)
		for_each_cpu_and(nr, &kind->cpus, &ete->u.cpus)
			err = err ?: v9_ete_show_cpu(ete, kind, nr);
	ete->made = !err;
	cpus_read_unlock();
	return err;
}

/* --- the device ------------------------------------------------------------ */

/* A kind that was not met before; not among the others yet. */
static struct v9_ete_kind *v9_ete_new_kind(struct v9_ete *ete, const struct v9_ete_look *look,
					   const char **why)
{
	struct v9_ete_kind *kind = kzalloc(sizeof(*kind), GFP_KERNEL);
	int err;

	*why = NULL;
	if (!kind)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&kind->link);
	kind->look = *look;
	v9_pmu_tell_errata(&ete->u, look->errata);
	err = v9_ete_judge_look(look, &kind->unit, why);
	if (err) {
		kfree(kind);
		return ERR_PTR(err);
	}
	v9_ete_fill_values(kind);
	kind->nr = ete->u.kinds;
	kind->late = ete->closed;
	return kind;
}

/* While no CPU comes or goes, or as one comes */
static void v9_ete_add_kind(struct v9_ete *ete, struct v9_ete_kind *kind)
{
	struct v9_aux aux = {
		.align = kind->unit.align,
		.max_record = max_t(u64, kind->unit.align, V9_TRBE_LEAST),
		.granule = kind->unit.granule,
		.max = kind->unit.max_buffer,
		.early = !plain,
	};

	if (kind->nr)
		v9_kinds_join(&aux, &ete->u.aux);
	ete->u.aux = aux;
	list_add_tail_rcu(&kind->link, &ete->kinds);
	/* Who sees the number sees the kind, and what its units want of a buffer. */
	smp_store_release(&ete->u.kinds, kind->nr + 1);
}

static int v9_ete_get_kinds(struct v9_ete *ete, struct v9_pmu_device *device)
{
	const char *why, *refused = "none of its CPUs is online";
	struct v9_ete_kind *kind;
	struct v9_ete_look look;
	bool some = false;
	int nr, no = -ENXIO;

	for_each_cpu_and(nr, &device->cpus, cpu_online_mask) {
		look.id.unlisted = !v9_ete_is_listed(nr);
		if (smp_call_function_single(nr, v9_ete_look, &look, true))
			continue;
		kind = v9_ete_kind_of(ete, &look) ?: v9_ete_new_kind(ete, &look, &why);
		if (IS_ERR(kind)) {
			if (!why)
				return PTR_ERR(kind);
			refused = why;
			no = PTR_ERR(kind);
			continue;
		}
		if (list_empty(&kind->link))
			v9_ete_add_kind(ete, kind);
		some = true;
	}
	return some ? 0 : v9_pmu_refuse(device->dev, device->driver, no, refused);
}

/* No CPU has its unit any more, and none comes. */
static void v9_ete_forget(void *data)
{
	struct v9_ete_kind *kind, *next;
	struct v9_ete *ete = data;

	v9_ete_alone = NULL;
	v9_pmu_unmake(&ete->u);
	list_for_each_entry_safe(kind, next, &ete->kinds, link)
		kfree(kind);
	v9_pmu_free(&ete->u, ete);
}

/* All devices become one PMU, which the first one carries: it goes last. */
static int v9_ete_take(struct v9_pmu_device *device)
{
	struct v9_ete *ete = v9_ete_alone;
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
	INIT_LIST_HEAD(&ete->kinds);
	err = v9_pmu_make(&ete->u, device);
	if (err) {
		kfree(ete);
		return err;
	}
	v9_ete_alone = ete;
	return devm_add_action_or_reset(device->dev, v9_ete_forget, ete);
}

static struct v9_pmu_driver v9_ete_driver;

static int v9_ete_ask_kvm(struct device *dev)
{
	struct v9_kvm_judgement j = v9_judge_kvm(v9_look_at_kvm());

	if (j.why)
		return v9_pmu_refuse(dev, &v9_ete_driver, -EOPNOTSUPP, j.why);
	if (j.tell)
		static_branch_enable(&v9_ete_kvm_listens);
	return 0;
}

/* Each undone in reverse order by its own action. */
static int v9_ete_probe(struct platform_device *pdev)
{
	struct v9_pmu_device *device = devm_kzalloc(&pdev->dev, sizeof(*device), GFP_KERNEL);
	int err;

	if (!device)
		return -ENOMEM;
	err = v9_ete_ask_kvm(&pdev->dev);
	err = err ?: v9_pmu_begin(device, &v9_ete_driver, pdev);
	err = err ?: v9_ete_take(device);
	if (err)
		return err;
	cpus_read_lock();	/* a CPU of another device may come */
	err = v9_ete_get_kinds(v9_ete_alone, device);
	cpus_read_unlock();
	if (err)
		return err;
	cpumask_or(&v9_ete_alone->u.cpus, &v9_ete_alone->u.cpus, &device->cpus);
	return v9_pmu_get_cpus(device);
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
	struct v9_ete_kind *kind;
	unsigned int filters = V9_ETE_COMPARATORS;

	list_for_each_entry_lockless(kind, &ete->kinds, link)
		filters = min(filters, kind->unit.comparators);
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
	return v9_pmu_get_pmu(&ete->u, pmu_name,
			      "another driver holds the PMU's name; unload coresight, or see the parameter \"name\"",
			      why);
}

/* Only now it is known which kinds there are, and perf gets to know the PMU. */
static int v9_ete_settle(void)
{
	struct v9_ete *ete = v9_ete_alone;
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

/* The trace unit itself is no device of ours: ID registers tell of it, see v9_ete_is_listed(). */
static const struct of_device_id v9_ete_of_ids[] = {
	{ .compatible = "arm,trace-buffer-extension" },
	{ }
};
MODULE_DEVICE_TABLE(of, v9_ete_of_ids);

/* The kernel makes this device from the ACPI table MADT. */
static const struct platform_device_id v9_ete_platform_ids[] = {
	{ .name = "arm,trbe" },
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
	.settle = v9_ete_settle,
	.extension = "Trace Buffer Extension",
	.status = "TRBSR",
	.rival = "coresight_trbe",
	.rival_name = "arm_trbe",
	.rival_init = "arm_trbe_init",
	.gicc_at = V9_GICC_TRBE_INTERRUPT,
	.makes = IS_ENABLED(CONFIG_CORESIGHT_TRBE) && V9_ACPI_HAS_TRBE,
	.takes = "Linux 6.7 with CONFIG_CORESIGHT_TRBE",
	.no_stats = BIT(V9_STAT_COLLISIONS),
	.padding = V9_TRACE_PADDING,
	.nvm = V9_TRBLIMITR_EL1_nVM,
	.cpu_size = sizeof(struct v9_ete_cpu),
	.irq = v9_ete_irq,
	.meet = v9_ete_meet,
	.join = v9_ete_join,
	.part = v9_ete_part,
	.reset = v9_ete_reset,
	.release = v9_ete_release,
	.route = v9_trbe_act_route,
	.rehearse = v9_ete_rehearse,
	.quiesce = v9_ete_act_quiesce,
	.park = v9_ete_park,
	.parked_at = v9_ete_parked_at,
	.unpark = v9_ete_unpark,
};

static int __init v9_ete_init(void)
{
	v9_ete_driver.goes_round = !plain;
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
