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
 * decoder finds its feet at the first byte.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu_pm.h>
#include <linux/cpuhotplug.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/kobject.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/of_device.h>
#include <linux/perf_event.h>
#include <linux/pid_namespace.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sysfs.h>

#include <asm/cputype.h>
#include <asm/mmu.h>
#include <asm/sysreg.h>
#include <asm/virt.h>

#include "compat.h"
#include "ete.h"
#include "v9trace/errata.h"
#include "v9trace/gen/regs.h"

static const char * const v9_ete_stat_name[V9_ETE_STATS] = {
	[V9_ETE_STAT_SPURIOUS] = "spurious",
	[V9_ETE_STAT_FULL] = "full",
	[V9_ETE_STAT_LOST] = "lost",
	[V9_ETE_STAT_FAULT] = "faults",
	[V9_ETE_STAT_ABORT] = "aborts",
	[V9_ETE_STAT_FATAL] = "fatal",
	[V9_ETE_STAT_INTERRUPTS] = "interrupts",
	[V9_ETE_STAT_BYTES] = "bytes",
	[V9_ETE_STAT_PADDING] = "padding",
	[V9_ETE_STAT_TRUNCATED] = "truncated",
	[V9_ETE_STAT_PARTIAL] = "partial",
};

/**
 * struct v9_ete_file - one file of the PMU in sysfs
 * @attr: the file
 * @option: in format/: its row
 * @stat: in stats/: which counter
 */
struct v9_ete_file {
	struct device_attribute attr;
	const struct v9_option *option;
	enum v9_ete_stat stat;
};

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

/* What perf reads of each CPU's unit; the last one stands in cpu<n>/ itself. */
enum {
	V9_ETE_IDR0, V9_ETE_IDR1, V9_ETE_IDR2, V9_ETE_IDR3, V9_ETE_IDR4, V9_ETE_IDR5, V9_ETE_IDR8,
	V9_ETE_AUTHSTATUS, V9_ETE_DEVARCH,
	V9_ETE_TS_SOURCE,
	V9_ETE_VALUES
};

/**
 * struct v9_ete - the PMU: the CPUs whose units are alike
 * @pmu: what perf sees
 * @dev: firmware's device
 * @cpu: state per CPU
 * @unit: what the units can do
 * @cpus: where they are
 * @irq: the per-CPU interrupt
 * @hotplug: link to the CPU hotplug state
 * @pm: link to CPU power management
 * @value: the numbers in each cpu<n>/
 * @trcidr: the directory cpu<n>/trcidr
 * @mgmt: the directory cpu<n>/mgmt
 * @in_trcidr: its files
 * @in_mgmt: likewise
 * @dir: by CPU: cpu<n>
 */
struct v9_ete {
	struct pmu pmu;
	struct device *dev;
	struct v9_ete_cpu __percpu *cpu;
	struct v9_ete_unit unit;
	cpumask_t cpus;
	int irq;
	struct hlist_node hotplug;
	struct notifier_block pm;
	struct v9_ete_value value[V9_ETE_VALUES];
	struct attribute_group trcidr;
	struct attribute_group mgmt;
	struct attribute *in_trcidr[V9_ETE_VALUES];
	struct attribute *in_mgmt[V9_ETE_VALUES];
	struct kobject **dir;
};

static struct v9_ete *to_ete(struct pmu *pmu)
{
	return container_of(pmu, struct v9_ete, pmu);
}

/* --- start, stop, interrupt ---------------------------------------------- */

/* The trace unit gave no answer. Nothing of it may be touched any more. */
static void v9_ete_give_up(struct v9_ete_cpu *cpu)
{
	cpu->ready = false;
	dev_err(cpu->ete->dev, "CPU%d: the trace unit does not answer: not used any more\n",
		smp_processor_id());
}

/* Open a window and run. False: nothing runs, and no transaction is open. */
static bool v9_ete_go(struct v9_ete_cpu *cpu, struct perf_event *event)
{
	struct v9_judgement nothing = { };
	bool wrote;

	if (!cpu->ready || v9_trbe_open(cpu, event, &cpu->ete->unit, &wrote))
		return false;
	v9_tell_kvm(true);
	if (v9_ete_act_start(event->pmu_private, &cpu->regs, wrote))
		return true;
	v9_tell_kvm(false);
	v9_ete_give_up(cpu);
	v9_trbe_close(cpu, &cpu->regs, nothing);
	return false;
}

/* Stop, and hand out what there is. Returns what the status said. */
static struct v9_judgement v9_ete_halt(struct v9_ete_cpu *cpu, struct v9_trbe_regs *now)
{
	struct v9_judgement j;

	if (!v9_ete_act_stop(now))
		v9_ete_give_up(cpu);
	v9_tell_kvm(false);
	j = v9_trbe_judge(now->trbsr);
	v9_trbe_close(cpu, now, j);
	return j;
}

static void v9_ete_start(struct perf_event *event, int flags)
{
	struct v9_ete_cpu *cpu = this_cpu_ptr(to_ete(event->pmu)->cpu);
	struct hw_perf_event *hwc = &event->hw;
	unsigned int nr = smp_processor_id();

	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!v9_ete_go(cpu, event))
		return;
	hwc->state = 0;

	/* Once per CPU and event: idx counts them up to the last one told. */
	if (hwc->idx != nr) {
		hwc->idx = nr;
		v9_report_hw_id(event, V9_TRACE_HW_ID(v9_ete_trace_id(nr), nr + 1));
	}
}

static void v9_ete_stop(struct perf_event *event, int flags)
{
	struct v9_ete_cpu *cpu = this_cpu_ptr(to_ete(event->pmu)->cpu);
	struct v9_judgement j;
	struct v9_trbe_regs now;

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	j = v9_ete_halt(cpu, &now);
	if (j.verdict != V9_VERDICT_SPURIOUS)
		cpu->stat[j.verdict]++;
}

static irqreturn_t v9_ete_irq(int irq, void *cookie)
{
	struct v9_ete_cpu *cpu = cookie;
	struct perf_event *event = cpu->event;
	struct v9_judgement j;
	struct v9_trbe_regs now;

	cpu->stat[V9_ETE_STAT_INTERRUPTS]++;
	if (!event || (event->hw.state & PERF_HES_STOPPED)) {
		/* Nobody's event; without an answer the line would stay high. */
		if (!v9_ete_act_stop(&now))
			v9_ete_give_up(cpu);
		if (now.trbsr & V9_TRBSR_EL1_IRQ)
			return IRQ_HANDLED;
		cpu->stat[V9_ETE_STAT_SPURIOUS]++;
		return IRQ_NONE;
	}

	/* The status can be trusted only after all that stopping does (TRBE-UN9). */
	j = v9_ete_halt(cpu, &now);
	cpu->stat[j.verdict]++;
	if (j.verdict >= V9_VERDICT_FAULT)
		dev_err_ratelimited(cpu->ete->dev,
				    "CPU%d: stopped: TRBSR_EL1 %#llx TRBPTR_EL1 %#llx TRBLIMITR_EL1 %#llx\n",
				    smp_processor_id(), now.trbsr, now.trbptr,
				    cpu->regs.trblimitr);
	if (!j.resume || !v9_ete_go(cpu, event)) {
		event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
		v9_disable_event(event);	/* until the consumer has read */
	}
	return IRQ_HANDLED;
}

/* --- perf ----------------------------------------------------------------- */

static int v9_ete_add(struct perf_event *event, int flags)
{
	struct v9_ete_cpu *cpu = this_cpu_ptr(to_ete(event->pmu)->cpu);

	if (!cpu->ready)
		return -ENOENT;
	if (cpu->event)
		return -EBUSY;
	cpu->event = event;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!(flags & PERF_EF_START))
		return 0;
	v9_ete_start(event, PERF_EF_RELOAD);
	if (!(event->hw.state & PERF_HES_STOPPED))
		return 0;
	cpu->event = NULL;
	return -EINVAL;
}

static void v9_ete_del(struct perf_event *event, int flags)
{
	struct v9_ete_cpu *cpu = this_cpu_ptr(to_ete(event->pmu)->cpu);

	v9_ete_stop(event, PERF_EF_UPDATE);
	if (cpu->event == event)
		cpu->event = NULL;
}

/* Nothing counts: the data is the result. */
static void v9_ete_read(struct perf_event *event)
{
}

static void v9_ete_destroy(struct perf_event *event)
{
	kfree(event->pmu_private);
}

static int v9_ete_event_init(struct perf_event *event)
{
	struct perf_event_attr *attr = &event->attr;
	struct v9_ete *ete = to_ete(event->pmu);
	struct v9_ete_request req = {
		.config = { attr->config, attr->config1, attr->config2,
			    v9_config3(attr), v9_config4(attr) },
		.user = !attr->exclude_user,
		.kernel = !attr->exclude_kernel,
	};
	struct v9_ete_image *image;
	const char *why;
	int err;

	if (attr->type != event->pmu->type)
		return -ENOENT;
	if (event->cpu >= 0 && !cpumask_test_cpu(event->cpu, &ete->cpus))
		return -ENOENT;

	/*
	 * exclude_hv and exclude_guest always hold: a kernel at EL2 is its own
	 * hypervisor and goes by exclude_kernel, a higher one and all guests
	 * are never traced (TRBE-OW3, TRBE-OW4). So exclude_host leaves nothing.
	 */
	why = attr->freq ? "sampling by frequency" :
	      attr->exclude_idle ? "exclude_idle" :
	      attr->exclude_host ? "exclude_host" :
	      has_branch_stack(event) ? "branch stacks" : NULL;
	if (why) {
		dev_dbg(ete->dev, "event refused: no %s\n", why);
		return attr->freq ? -EINVAL : -EOPNOTSUPP;
	}

	image = kzalloc(sizeof(*image), GFP_KERNEL);
	if (!image)
		return -ENOMEM;
	err = v9_ete_encode_image(&ete->unit, &req, image, &why);
	if (err) {
		dev_dbg(ete->dev, "event refused: %s\n", why);
		goto free_image;
	}

	/* Thread IDs count from outside of all namespaces: seen there, or by the privileged. */
	if (v9_ete_needs_privilege(image) && !task_is_in_init_pid_ns(current)) {
		err = v9_allow_kernel(attr);
		if (err)
			goto free_image;
	}

	event->hw.idx = -1;
	event->pmu_private = image;
	event->destroy = v9_ete_destroy;
	return 0;

free_image:
	kfree(image);
	return err;
}

/* --- CPUs that come, go and sleep ----------------------------------------- */

static enum cpuhp_state v9_ete_hotplug;

static int v9_ete_cpu_up(unsigned int nr, struct hlist_node *node)
{
	struct v9_ete *ete = hlist_entry_safe(node, struct v9_ete, hotplug);
	struct v9_ete_cpu *cpu = per_cpu_ptr(ete->cpu, nr);
	struct v9_ete_id id;

	if (!cpumask_test_cpu(nr, &ete->cpus))
		return 0;
	v9_ete_look_unit(&id);
	if (memcmp(&id, &ete->unit.id, sizeof(id))) {
		dev_warn(ete->dev, "CPU%u has a unit unlike the others: not used\n", nr);
		cpumask_clear_cpu(nr, &ete->cpus);
		return 0;
	}
	scoped_guard(irqsave)
		cpu->ready = v9_ete_act_reset(&id, v9_ete_trace_id(nr));
	if (!cpu->ready) {
		dev_warn(ete->dev, "CPU%u has a trace unit that does not answer: not used\n", nr);
		cpumask_clear_cpu(nr, &ete->cpus);
		return 0;
	}
	enable_percpu_irq(ete->irq, IRQ_TYPE_NONE);
	return 0;
}

/*
 * This runs before perf takes its events off the CPU: what was traced so far
 * is handed out here, and nothing starts afterwards.
 */
static int v9_ete_cpu_down(unsigned int nr, struct hlist_node *node)
{
	struct v9_ete *ete = hlist_entry_safe(node, struct v9_ete, hotplug);
	struct v9_ete_cpu *cpu = per_cpu_ptr(ete->cpu, nr);

	if (!cpu->ready)
		return 0;
	scoped_guard(irqsave) {
		if (cpu->event)
			v9_ete_stop(cpu->event, PERF_EF_UPDATE);
		cpu->ready = false;
		v9_ete_act_reset(&ete->unit.id, v9_ete_trace_id(nr));
	}
	disable_percpu_irq(ete->irq);
	return 0;
}

/*
 * A CPU that sleeps deeply forgets its registers. The window stays open: they
 * are taken out on the way in and put back on the way out.
 */
static int v9_ete_cpu_pm(struct notifier_block *nb, unsigned long step, void *unused)
{
	struct v9_ete *ete = container_of(nb, struct v9_ete, pm);
	struct v9_ete_cpu *cpu = this_cpu_ptr(ete->cpu);

	if (!cpu->ready)
		return NOTIFY_OK;

	switch (step) {
	case CPU_PM_ENTER:
		if (cpu->event && !(cpu->event->hw.state & PERF_HES_STOPPED)) {
			if (!v9_ete_act_stop(&cpu->saved))
				v9_ete_give_up(cpu);
			cpu->parked = true;
		}
		break;
	case CPU_PM_ENTER_FAILED:
	case CPU_PM_EXIT:
		if (!v9_ete_act_reset(&ete->unit.id, v9_ete_trace_id(smp_processor_id()))) {
			v9_ete_give_up(cpu);
			break;
		}
		if (cpu->parked) {
			/*
			 * After an abort the pointer may not be used again (TRBE-UN3):
			 * restored as stopped, the interrupt comes and ends the session.
			 */
			if (cpu->saved.trbsr & V9_TRBSR_EL1_EA)
				cpu->saved.trbsr |= V9_TRBSR_EL1_S | V9_TRBSR_EL1_IRQ;
			if (!v9_ete_act_start(cpu->event->pmu_private, &cpu->saved, false))
				v9_ete_give_up(cpu);
			cpu->parked = false;
		}
		break;
	}
	return NOTIFY_OK;
}

/* --- files ---------------------------------------------------------------- */

static struct v9_ete_file *to_file(struct device_attribute *attr)
{
	return container_of(attr, struct v9_ete_file, attr);
}

static ssize_t format_show(struct device *dev, struct device_attribute *attr, char *page)
{
	const struct v9_option *o = to_file(attr)->option;
	char word[] = "0";

	word[0] += o->word;
	if (!o->word)
		word[0] = 0;
	if (o->lo == o->hi)
		return sysfs_emit(page, "config%s:%u\n", word, o->lo);
	return sysfs_emit(page, "config%s:%u-%u\n", word, o->lo, o->hi);
}

static ssize_t stat_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct v9_ete *ete = to_ete(dev_get_drvdata(dev));
	enum v9_ete_stat stat = to_file(attr)->stat;
	u64 sum = 0;
	int nr;

	for_each_possible_cpu(nr)
		sum += READ_ONCE(per_cpu_ptr(ete->cpu, nr)->stat[stat]);
	return sysfs_emit(page, "%llu\n", sum);
}

static ssize_t value_show(struct kobject *kobj, struct kobj_attribute *attr, char *page)
{
	const struct v9_ete_value *v = container_of(attr, struct v9_ete_value, attr);

	return sysfs_emit(page, v->format, v->value);
}

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct v9_ete *ete = to_ete(dev_get_drvdata(dev));

	return cpumap_print_to_pagebuf(true, page, &ete->cpus);
}
static DEVICE_ATTR_RO(cpumask);

static struct attribute *v9_ete_attrs[] = {
	&dev_attr_cpumask.attr,
	NULL
};

/* perf takes a PMU with this file for one outside of the CPUs, so only if it says something. */
static umode_t v9_ete_cpumask_mode(struct kobject *kobj, struct attribute *attr, int n)
{
	struct v9_ete *ete = to_ete(dev_get_drvdata(kobj_to_dev(kobj)));

	return cpumask_equal(&ete->cpus, cpu_possible_mask) ? 0 : attr->mode;
}

static const struct attribute_group v9_ete_group = {
	.attrs = v9_ete_attrs,
	.is_visible = v9_ete_cpumask_mode,
};

/* Files of one directory, all with the same @show; the caller describes each. */
static struct attribute_group *v9_ete_dir(struct v9_ete *ete, const char *dir, unsigned int n,
					  struct v9_ete_file **files)
{
	struct attribute_group *g = devm_kzalloc(ete->dev, sizeof(*g), GFP_KERNEL);

	*files = devm_kcalloc(ete->dev, n, sizeof(**files), GFP_KERNEL);
	if (!g || !*files)
		return NULL;
	g->name = dir;
	g->attrs = devm_kcalloc(ete->dev, n + 1, sizeof(*g->attrs), GFP_KERNEL);
	return g->attrs ? g : NULL;
}

static void v9_ete_add_file(struct attribute_group *g, unsigned int i, struct v9_ete_file *f,
			    const char *file,
			    ssize_t (*show)(struct device *, struct device_attribute *, char *))
{
	sysfs_attr_init(&f->attr.attr);
	f->attr.attr.name = file;
	f->attr.attr.mode = 0444;
	f->attr.show = show;
	g->attrs[i] = &f->attr.attr;
}

/* format/ has the options that unit and kernel have, stats/ everything. */
static const struct attribute_group **v9_ete_files(struct v9_ete *ete)
{
	/* For perf: where the ID of a thread is. Not in the table, which has each bit once. */
	static const struct v9_option alias[] = {
		{ "contextid", 0, 14, 14, 0, 0, V9_TRACE_HAS_CID },
		{ "contextid", 0, 15, 15, 0, 0, V9_TRACE_HAS_VMID },
	};
	const struct attribute_group **groups;
	struct attribute_group *format, *stats;
	struct v9_ete_file *f;
	const struct v9_option *o;
	unsigned int i, n;

	for (n = 0; v9_ete_option(n); n++)
		;
	format = v9_ete_dir(ete, "format", n + 1, &f);
	if (!format)
		return NULL;
	for (i = n = 0; (o = v9_ete_option(i)); i++) {
		if (!v9_ete_has_option(&ete->unit, o, V9_KERNEL_WORDS))
			continue;
		f[n].option = o;
		v9_ete_add_file(format, n, &f[n], o->name, format_show);
		n++;
	}
	o = &alias[ete->unit.features & V9_TRACE_AT_EL2 ? 1 : 0];
	if (v9_ete_has_option(&ete->unit, o, V9_KERNEL_WORDS)) {
		f[n].option = o;
		v9_ete_add_file(format, n, &f[n], o->name, format_show);
	}

	stats = v9_ete_dir(ete, "stats", V9_ETE_STATS, &f);
	if (!stats)
		return NULL;
	for (i = 0; i < V9_ETE_STATS; i++) {
		f[i].stat = i;
		v9_ete_add_file(stats, i, &f[i], v9_ete_stat_name[i], stat_show);
	}

	groups = devm_kcalloc(ete->dev, 4, sizeof(*groups), GFP_KERNEL);
	if (!groups)
		return NULL;
	groups[0] = &v9_ete_group;
	groups[1] = format;
	groups[2] = stats;
	return groups;
}

static void v9_ete_fill_values(struct v9_ete *ete)
{
	const struct v9_ete_id *id = &ete->unit.id;
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
		[V9_ETE_TS_SOURCE] = { "ts_source", V9_TRFCR_EL1_TS_VIRTUAL },
	};
	unsigned int i, n = 0, m = 0;

	for (i = 0; i < V9_ETE_VALUES; i++) {
		struct v9_ete_value *v = &ete->value[i];

		sysfs_attr_init(&v->attr.attr);
		v->attr.attr.name = rows[i].name;
		v->attr.attr.mode = 0444;
		v->attr.show = value_show;
		v->format = i == V9_ETE_TS_SOURCE ? "%lld\n" : "0x%llx\n";
		v->value = rows[i].value;
		if (i < V9_ETE_AUTHSTATUS)
			ete->in_trcidr[n++] = &v->attr.attr;
		else if (i < V9_ETE_TS_SOURCE)
			ete->in_mgmt[m++] = &v->attr.attr;
	}
	ete->trcidr.name = "trcidr";
	ete->trcidr.attrs = ete->in_trcidr;
	ete->mgmt.name = "mgmt";
	ete->mgmt.attrs = ete->in_mgmt;
}

static void v9_ete_put_dirs(void *data)
{
	struct v9_ete *ete = data;
	int nr;

	for_each_possible_cpu(nr)
		kobject_put(ete->dir[nr]);
}

/* A directory per CPU beside the PMU's files: what a decoder must know of its unit. */
static int v9_ete_get_dirs(struct v9_ete *ete)
{
	int nr, err;

	v9_ete_fill_values(ete);
	ete->dir = devm_kcalloc(ete->dev, nr_cpu_ids, sizeof(*ete->dir), GFP_KERNEL);
	if (!ete->dir)
		return -ENOMEM;
	err = devm_add_action(ete->dev, v9_ete_put_dirs, ete);
	if (err)
		return err;
	for_each_cpu(nr, &ete->cpus) {
		char name[16];

		snprintf(name, sizeof(name), "cpu%d", nr);
		ete->dir[nr] = kobject_create_and_add(name, &ete->pmu.dev->kobj);
		if (!ete->dir[nr])
			return -ENOMEM;
		err = sysfs_create_group(ete->dir[nr], &ete->trcidr);
		err = err ?: sysfs_create_group(ete->dir[nr], &ete->mgmt);
		err = err ?: sysfs_create_file(ete->dir[nr],
					       &ete->value[V9_ETE_TS_SOURCE].attr.attr);
		if (err)
			return err;
	}
	return 0;
}

/* --- the device ------------------------------------------------------------ */

/* What loading the module returns if no device could be used. */
static int v9_ete_refusal;

/*
 * One line for the user. The driver core would add its own for most errors, and
 * loading would succeed all the same: so it hears -ENODEV, and v9_ete_init()
 * returns the reason.
 */
static int v9_ete_refuse(struct device *dev, int err, const char *why)
{
	dev_err(dev, "not used: %s\n", why);
	v9_ete_refusal = err;
	return -ENODEV;
}

static void v9_ete_put_irq(void *data)
{
	struct v9_ete *ete = data;

	free_percpu_irq(ete->irq, ete->cpu);
}

static void v9_ete_put_hotplug(void *data)
{
	struct v9_ete *ete = data;

	cpuhp_state_remove_instance(v9_ete_hotplug, &ete->hotplug);
}

static void v9_ete_put_pm(void *data)
{
	struct v9_ete *ete = data;

	cpu_pm_unregister_notifier(&ete->pm);
}

static void v9_ete_put_pmu(void *data)
{
	struct v9_ete *ete = data;

	perf_pmu_unregister(&ete->pmu);
}

static int v9_ete_get_irq(struct v9_ete *ete, struct platform_device *pdev)
{
	const struct cpumask *affinity;
	int err;

	ete->irq = v9_get_percpu_irq(pdev, &ete->cpus, &affinity);
	if (ete->irq == -EPROBE_DEFER)
		return ete->irq;
	if (ete->irq < 0)
		return v9_ete_refuse(ete->dev, ete->irq, "firmware names no per-CPU interrupt");
	err = v9_request_percpu_irq(ete->irq, v9_ete_irq, dev_name(ete->dev), affinity, ete->cpu);
	if (err == -EBUSY)
		return v9_ete_refuse(ete->dev, err,
				     "its interrupt is held by another driver; unload coresight_trbe");
	if (err)
		return v9_ete_refuse(ete->dev, err, "its interrupt is not per CPU");
	return devm_add_action_or_reset(ete->dev, v9_ete_put_irq, ete);
}

/* What is asked of one CPU for all. */
struct v9_ete_first {
	struct v9_ete_id id;
	u64 midr;
};

static void v9_ete_look_first(void *data)
{
	struct v9_ete_first *first = data;

	v9_ete_look_unit(&first->id);
	first->midr = read_cpuid_id();
}

static int v9_ete_get_unit(struct v9_ete *ete)
{
	const struct v9_erratum *e;
	struct v9_ete_first first;
	const char *why;
	unsigned int i;
	int err;

	if (smp_call_function_any(&ete->cpus, v9_ete_look_first, &first, true))
		return v9_ete_refuse(ete->dev, -ENXIO, "none of its CPUs is online");
	err = v9_ete_judge_unit(&first.id, is_kernel_in_hyp_mode(), &ete->unit, &why);
	if (err)
		return v9_ete_refuse(ete->dev, err, why);
	for (i = 0; (e = v9_erratum(i)); i++)
		if (v9_errata(first.midr) & e->bit & V9_ERRATA_NO_TRBE)
			return v9_ete_refuse(ete->dev, -ENXIO, e->effect);
	return 0;
}

static int v9_ete_get_cpus(struct v9_ete *ete)
{
	int err = cpuhp_state_add_instance(v9_ete_hotplug, &ete->hotplug);

	if (!err)
		err = devm_add_action_or_reset(ete->dev, v9_ete_put_hotplug, ete);
	if (err)
		return err;
	ete->pm.notifier_call = v9_ete_cpu_pm;
	err = cpu_pm_register_notifier(&ete->pm);
	return err ?: devm_add_action_or_reset(ete->dev, v9_ete_put_pm, ete);
}

static int v9_ete_get_pmu(struct v9_ete *ete)
{
	int err;

	ete->pmu = (struct pmu) {
		.module = THIS_MODULE,
		.attr_groups = v9_ete_files(ete),
		.capabilities = PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE |
				PERF_PMU_CAP_AUX_PREFER_LARGE,
		/* Beside other PMUs of a task, with no claim on their counters. */
		.task_ctx_nr = perf_sw_context,
		.event_init = v9_ete_event_init,
		.add = v9_ete_add,
		.del = v9_ete_del,
		.start = v9_ete_start,
		.stop = v9_ete_stop,
		.read = v9_ete_read,
		.setup_aux = v9_trbe_setup_aux,
		.free_aux = v9_trbe_free_aux,
	};
	if (!ete->pmu.attr_groups)
		return -ENOMEM;
	v9_set_pmu_parent(&ete->pmu, ete->dev);
	err = perf_pmu_register(&ete->pmu, V9_ETE_PMU_NAME, -1);
	if (err == -EEXIST)
		return v9_ete_refuse(ete->dev, -EBUSY,
				     "another driver holds cs_etm; unload coresight");
	if (err)
		return err;
	return devm_add_action_or_reset(ete->dev, v9_ete_put_pmu, ete);
}

static int v9_ete_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct v9_ete *ete;
	int err, nr;

	/* User space would run without a mapping of the buffer (TRBE 6.1). */
	if (arm64_kernel_unmapped_at_el0())
		return v9_ete_refuse(dev, -EPERM,
				     "kernel page-table isolation hides the buffer; boot with kpti=off");

	ete = devm_kzalloc(dev, sizeof(*ete), GFP_KERNEL);
	if (!ete)
		return -ENOMEM;
	ete->dev = dev;
	ete->cpu = devm_alloc_percpu(dev, struct v9_ete_cpu);
	if (!ete->cpu)
		return -ENOMEM;
	for_each_possible_cpu(nr)
		per_cpu_ptr(ete->cpu, nr)->ete = ete;

	/* Each undone in reverse order by its own action. */
	err = v9_ete_get_irq(ete, pdev);
	err = err ?: v9_ete_get_unit(ete);
	err = err ?: v9_ete_get_cpus(ete);
	err = err ?: v9_ete_get_pmu(ete);
	err = err ?: v9_ete_get_dirs(ete);
	if (!err)
		dev_info(dev, "%s: ETEv1p%llu on CPUs %*pbl\n", V9_ETE_PMU_NAME,
			 V9_GET(V9_TRCDEVARCH_REVISION, ete->unit.id.trcdevarch),
			 cpumask_pr_args(&ete->cpus));
	return err;
}

/* The trace unit itself needs no device: ID registers tell of it. */
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

static struct platform_driver v9_ete_driver = {
	.probe = v9_ete_probe,
	.id_table = v9_ete_platform_ids,
	.driver = {
		.name = "v9_ete",
		.of_match_table = v9_ete_of_ids,
		.suppress_bind_attrs = true,
	},
};

/* --- the module ------------------------------------------------------------ */

struct v9_ete_census {
	int ours;
	struct device *taken;
	int devices;
};

/* Whose are the devices that we could drive? */
static int v9_ete_count(struct device *dev, void *data)
{
	struct v9_ete_census *c = data;

	if (!of_match_device(v9_ete_of_ids, dev) &&
	    strcmp(to_platform_device(dev)->name, v9_ete_platform_ids[0].name))
		return 0;
	c->devices++;
	device_lock(dev);
	if (dev->driver == &v9_ete_driver.driver)
		c->ours++;
	else if (dev->driver && !c->taken)
		c->taken = get_device(dev);
	device_unlock(dev);
	return 0;
}

/* 0 if we drive something or may yet, else why not. */
static int v9_ete_account(void)
{
	struct v9_ete_census c = { };
	int err = 0;

	bus_for_each_dev(&platform_bus_type, NULL, &c, v9_ete_count);
	if (c.ours)
		goto out;
	if (c.taken) {
		pr_err("%s not used: held by driver %s; unload that first\n",
		       dev_name(c.taken), dev_driver_string(c.taken));
		err = -EBUSY;
	} else if (v9_ete_refusal) {
		err = v9_ete_refusal;
	} else if (!c.devices) {
		pr_err("firmware describes no Trace Buffer Extension\n");
		err = -ENODEV;
	}
out:
	put_device(c.taken);
	return err;
}

static int __init v9_ete_init(void)
{
	int err = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/v9_ete:online",
					  v9_ete_cpu_up, v9_ete_cpu_down);

	if (err < 0)
		return err;
	v9_ete_hotplug = err;

	err = platform_driver_register(&v9_ete_driver);
	if (err)
		goto remove_state;
	err = v9_ete_account();
	if (err)
		goto unregister;
	return 0;

unregister:
	platform_driver_unregister(&v9_ete_driver);
remove_state:
	cpuhp_remove_multi_state(v9_ete_hotplug);
	return err;
}
module_init(v9_ete_init);

static void __exit v9_ete_exit(void)
{
	platform_driver_unregister(&v9_ete_driver);
	cpuhp_remove_multi_state(v9_ete_hotplug);
}
module_exit(v9_ete_exit);

MODULE_DESCRIPTION("v9trace: Embedded Trace Extension with the Trace Buffer Extension");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(V9_NAMESPACE);
