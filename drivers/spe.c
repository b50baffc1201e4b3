// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_spe: the Statistical Profiling Extension as a perf PMU.
 *
 * The PMU has the name and the files that stock perf looks for, so an
 * unmodified perf records with it. What decides anything is in lib/: here the
 * hardware is looked at and acted upon, and perf is told.
 *
 * A session is one event on one CPU. Its registers are compiled once, when the
 * event is made; starting it means opening a window in the AUX buffer and
 * writing the image. Everything per CPU is touched by that CPU only, with
 * interrupts off.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu_pm.h>
#include <linux/cpuhotplug.h>
#include <linux/device.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/of_device.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>

#include <asm/cputype.h>
#include <asm/mmu.h>
#include <asm/sysreg.h>

#include "compat.h"
#include "v9trace/attr.h"
#include "v9trace/errata.h"
#include "v9trace/gen/regs.h"
#include "v9trace/judge.h"
#include "v9trace/plan.h"
#include "v9trace/seq.h"
#include "v9trace/uapi.h"

static_assert(V9_AUX_TRUNCATED == PERF_AUX_FLAG_TRUNCATED);
static_assert(V9_AUX_PARTIAL == PERF_AUX_FLAG_PARTIAL);
static_assert(V9_AUX_COLLISION == PERF_AUX_FLAG_COLLISION);

static char *name = V9_SPE_PMU_PREFIX;
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "first part of the PMU's name, a number follows (default " V9_SPE_PMU_PREFIX
		 "; perf knows no other)");

/* Counters in stats/, summed over CPUs. The first ones are those of enum v9_verdict. */
enum v9_spe_stat {
	V9_STAT_SPURIOUS = V9_VERDICT_SPURIOUS,
	V9_STAT_FULL = V9_VERDICT_FULL,
	V9_STAT_LOST = V9_VERDICT_LOST,
	V9_STAT_FAULT = V9_VERDICT_FAULT,
	V9_STAT_ABORT = V9_VERDICT_ABORT,
	V9_STAT_FATAL = V9_VERDICT_FATAL,
	V9_STAT_INTERRUPTS,
	V9_STAT_BYTES,
	V9_STAT_PADDING,
	V9_STAT_TRUNCATED,
	V9_STAT_COLLISIONS,
	V9_STATS
};

static const char * const v9_spe_stat_name[V9_STATS] = {
	[V9_STAT_SPURIOUS] = "spurious",
	[V9_STAT_FULL] = "full",
	[V9_STAT_LOST] = "lost",
	[V9_STAT_FAULT] = "faults",
	[V9_STAT_ABORT] = "aborts",
	[V9_STAT_FATAL] = "fatal",
	[V9_STAT_INTERRUPTS] = "interrupts",
	[V9_STAT_BYTES] = "bytes",
	[V9_STAT_PADDING] = "padding",
	[V9_STAT_TRUNCATED] = "truncated",
	[V9_STAT_COLLISIONS] = "collisions",
};

struct v9_spe;

/**
 * struct v9_spe_cpu - one CPU's unit
 * @handle: the AUX transaction; open while a window is
 * @event: the event between add and del
 * @spe: where it belongs
 * @regs: the open window, as it was when it opened
 * @saved: while @parked: what moved
 * @ready: hotplug has brought the unit up
 * @parked: the unit runs, but power management holds its registers
 * @stat: counters
 */
struct v9_spe_cpu {
	struct perf_output_handle handle;
	struct perf_event *event;
	struct v9_spe *spe;
	struct v9_spe_regs regs;
	struct v9_spe_regs saved;
	bool ready;
	bool parked;
	u64 stat[V9_STATS];
};

/**
 * struct v9_spe_file - one file of the PMU in sysfs
 * @attr: the file
 * @option: in format/: its row
 * @cap: in caps/: its value
 * @stat: in stats/: which counter
 */
struct v9_spe_file {
	struct device_attribute attr;
	const struct v9_option *option;
	struct v9_spe_cap cap;
	enum v9_spe_stat stat;
};

/**
 * struct v9_spe - one PMU: the CPUs whose units are alike
 * @pmu: what perf sees
 * @dev: firmware's device
 * @cpu: state per CPU
 * @unit: what the units can do
 * @cpus: where they are
 * @irq: the per-CPU interrupt
 * @id: number in the name
 * @hotplug: link to the CPU hotplug state
 * @pm: link to CPU power management
 */
struct v9_spe {
	struct pmu pmu;
	struct device *dev;
	struct v9_spe_cpu __percpu *cpu;
	struct v9_spe_unit unit;
	cpumask_t cpus;
	int irq;
	int id;
	struct hlist_node hotplug;
	struct notifier_block pm;
};

/**
 * struct v9_spe_buf - an AUX buffer
 * @base: its pages, one after the other
 * @size: bytes
 * @snapshot: old data is overwritten
 */
struct v9_spe_buf {
	void *base;
	u64 size;
	bool snapshot;
};

/**
 * struct v9_spe_session - what an event carries from one start to the next
 * @image: its registers
 * @period: the period in @image
 * @pmsicr: the interval counter, saved while stopped; 0 in a new session
 */
struct v9_spe_session {
	struct v9_spe_image image;
	u64 period;
	u64 pmsicr;
};

static struct v9_spe *to_spe(struct pmu *pmu)
{
	return container_of(pmu, struct v9_spe, pmu);
}

static bool writes_buffer(const struct v9_spe_image *image)
{
	return V9_GET(V9_PMBLIMITR_EL1_FM, image->reg[V9_IMAGE_PMBLIMITR]) ==
	       V9_PMBLIMITR_EL1_FM_FILL;
}

/* --- the window ---------------------------------------------------------- */

/*
 * Open the next window: from perf the free part of its ring, from plan.c where
 * to write in it. On success cpu->regs holds the window and *wrote whether the
 * CPU filled in padding. On failure the transaction is closed, and perf will
 * disable the event until the consumer has made room.
 */
static int v9_spe_open(struct v9_spe_cpu *cpu, struct perf_event *event, bool *wrote)
{
	const struct v9_spe_session *s = event->pmu_private;
	const struct v9_spe_unit *unit = &cpu->spe->unit;
	struct v9_window w;
	struct v9_spe_buf *buf;
	struct v9_aux aux;
	u64 base;

	*wrote = false;
	cpu->regs.pmbsr = 0;
	cpu->regs.pmblimitr = s->image.reg[V9_IMAGE_PMBLIMITR] | V9_PMBLIMITR_EL1_E;
	cpu->regs.pmbptr = 0;
	if (!writes_buffer(&s->image))
		return 0;

	buf = perf_aux_output_begin(&cpu->handle, event);
	if (!buf)
		return -ENOSPC;

	aux = (struct v9_aux) {
		.size = buf->size,
		.head = cpu->handle.head,
		.free = cpu->handle.size,
		.wakeup = cpu->handle.wakeup,
		.align = unit->align,
		.max_record = unit->max_record,
		.granule = unit->granule,
		.snapshot = buf->snapshot,
	};
	if (v9_plan_window(&aux, &w)) {
		cpu->stat[V9_STAT_TRUNCATED]++;
		perf_aux_output_flag(&cpu->handle, PERF_AUX_FLAG_TRUNCATED);
		perf_aux_output_end(&cpu->handle, 0);
		return -ENOSPC;
	}

	if (w.pad) {
		memset(buf->base + w.pad_at, 0, w.pad);		/* Padding packets */
		cpu->stat[V9_STAT_PADDING] += w.pad;
		if (!buf->snapshot)
			perf_aux_output_skip(&cpu->handle, w.pad);
		*wrote = true;
	}
	base = (u64)buf->base;
	cpu->regs.pmbptr = base + w.ptr;
	cpu->regs.pmblimitr |= base + w.limit;
	return 0;
}

/* Close the window: hand what the unit wrote to perf, with the truth about it. */
static void v9_spe_close(struct v9_spe_cpu *cpu, const struct v9_spe_regs *now,
			 struct v9_judgement j)
{
	struct v9_spe_buf *buf = perf_get_aux(&cpu->handle);
	u64 limit = cpu->regs.pmblimitr & V9_PMBLIMITR_EL1_LIMIT;
	u64 used = 0;

	if (!buf)
		return;
	if (j.data && v9_plan_used(cpu->regs.pmbptr, limit, now->pmbptr, &used))
		j.flags |= V9_AUX_TRUNCATED;

	cpu->stat[V9_STAT_BYTES] += used;
	if (j.flags & V9_AUX_TRUNCATED)
		cpu->stat[V9_STAT_TRUNCATED]++;
	if (j.flags & V9_AUX_COLLISION)
		cpu->stat[V9_STAT_COLLISIONS]++;

	if (buf->snapshot) {
		u64 head = cpu->regs.pmbptr + used - (u64)buf->base;
		u64 rest = limit - (u64)buf->base - head;

		/*
		 * What follows is the oldest data, and its first bytes may be
		 * anything (SPE-PB15): a decoder finds its feet after padding.
		 */
		memset(buf->base + head, 0, min(rest, cpu->spe->unit.max_record));
		cpu->handle.head = head;
	}
	perf_aux_output_flag(&cpu->handle, j.flags);
	perf_aux_output_end(&cpu->handle, used);
}

/* --- start, stop, interrupt ---------------------------------------------- */

static void v9_spe_start(struct perf_event *event, int flags)
{
	struct v9_spe *spe = to_spe(event->pmu);
	struct v9_spe_cpu *cpu = this_cpu_ptr(spe->cpu);
	struct v9_spe_session *s = event->pmu_private;
	struct hw_perf_event *hwc = &event->hw;
	bool wrote;

	hwc->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!cpu->ready || v9_spe_open(cpu, event, &wrote))
		return;

	if (s->period != hwc->sample_period) {		/* PERF_EVENT_IOC_PERIOD */
		s->period = v9_spe_encode_interval(&spe->unit, hwc->sample_period,
						   &s->image.reg[V9_IMAGE_PMSIRR]);
		hwc->sample_period = s->period;
		s->pmsicr = 0;
	}
	cpu->regs.pmsicr = s->pmsicr;
	hwc->state = 0;
	v9_spe_act_start(&s->image, &cpu->regs, wrote);
}

/* Stop the unit and keep the session's phase. *now: as the unit was left. */
static void v9_spe_halt(struct v9_spe_cpu *cpu, struct perf_event *event, struct v9_spe_regs *now)
{
	struct v9_spe_session *s = event->pmu_private;

	v9_spe_act_stop(now);
	s->pmsicr = now->pmsicr;
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static void v9_spe_stop(struct perf_event *event, int flags)
{
	struct v9_spe_cpu *cpu = this_cpu_ptr(to_spe(event->pmu)->cpu);
	struct v9_judgement j;
	struct v9_spe_regs now;

	if (event->hw.state & PERF_HES_STOPPED)
		return;
	v9_spe_halt(cpu, event, &now);
	j = v9_spe_judge(now.pmbsr);
	if (j.verdict != V9_VERDICT_SPURIOUS)
		cpu->stat[j.verdict]++;
	v9_spe_close(cpu, &now, j);
}

static irqreturn_t v9_spe_irq(int irq, void *cookie)
{
	struct v9_spe_cpu *cpu = cookie;
	struct perf_event *event = cpu->event;
	struct v9_judgement j;
	struct v9_spe_regs now;
	bool wrote;

	v9_spe_look_event(&now);
	j = v9_spe_judge(now.pmbsr);
	cpu->stat[V9_STAT_INTERRUPTS]++;
	cpu->stat[j.verdict]++;
	if (j.verdict == V9_VERDICT_SPURIOUS)
		return IRQ_NONE;

	if (!event || (event->hw.state & PERF_HES_STOPPED)) {
		/* Nobody's event; without an answer the line would stay high. */
		v9_spe_act_stop(&now);
		return IRQ_HANDLED;
	}
	if (j.verdict >= V9_VERDICT_FAULT)
		dev_err_ratelimited(cpu->spe->dev,
				    "CPU%d: profiling stopped: PMBSR_EL1 %#llx PMBPTR_EL1 %#llx PMBLIMITR_EL1 %#llx\n",
				    smp_processor_id(), now.pmbsr, now.pmbptr,
				    cpu->regs.pmblimitr);

	v9_spe_close(cpu, &now, j);
	if (j.resume && !v9_spe_open(cpu, event, &wrote)) {
		v9_spe_act_resume(&cpu->regs, wrote);
	} else {
		v9_spe_halt(cpu, event, &now);
		/*
		 * Off until the consumer has read, and off before this handler ends: the
		 * consumer's "enable", sent from another CPU, must not come first and be
		 * undone by a disable that was still queued.
		 */
		v9_disable_event(event);
		irq_work_run();
	}
	return IRQ_HANDLED;
}

/* --- perf ----------------------------------------------------------------- */

static int v9_spe_add(struct perf_event *event, int flags)
{
	struct v9_spe *spe = to_spe(event->pmu);
	struct v9_spe_cpu *cpu = this_cpu_ptr(spe->cpu);

	if (!cpu->ready)
		return -ENOENT;
	if (cpu->event)
		return -EBUSY;
	cpu->event = event;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (!(flags & PERF_EF_START))
		return 0;
	v9_spe_start(event, PERF_EF_RELOAD);
	if (!(event->hw.state & PERF_HES_STOPPED))
		return 0;
	cpu->event = NULL;
	return -EINVAL;
}

static void v9_spe_del(struct perf_event *event, int flags)
{
	struct v9_spe_cpu *cpu = this_cpu_ptr(to_spe(event->pmu)->cpu);

	v9_spe_stop(event, PERF_EF_UPDATE);
	if (cpu->event == event)
		cpu->event = NULL;
}

/* Nothing counts: the data is the result. */
static void v9_spe_read(struct perf_event *event)
{
}

static void *v9_spe_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot)
{
	struct page **list;
	struct v9_spe_buf *buf;
	int i;

	/* One page would leave no window once perf holds a byte back as free. */
	if (nr_pages < 2)
		return NULL;

	list = kvmalloc_array(nr_pages, sizeof(*list), GFP_KERNEL);
	buf = kzalloc(sizeof(*buf), GFP_KERNEL);
	if (list && buf) {
		for (i = 0; i < nr_pages; i++)
			list[i] = virt_to_page(pages[i]);
		buf->base = vmap(list, nr_pages, VM_MAP, PAGE_KERNEL);
	}
	kvfree(list);
	if (!buf || !buf->base) {
		kfree(buf);
		return NULL;
	}
	buf->size = (u64)nr_pages << PAGE_SHIFT;
	buf->snapshot = snapshot;
	return buf;
}

static void v9_spe_free_aux(void *aux)
{
	struct v9_spe_buf *buf = aux;

	vunmap(buf->base);
	kfree(buf);
}

static int v9_spe_check_period(struct perf_event *event, u64 period)
{
	u64 pmsirr = 0;

	return v9_spe_encode_interval(&to_spe(event->pmu)->unit, period, &pmsirr) ? 0 : -EINVAL;
}

static void v9_spe_destroy(struct perf_event *event)
{
	kfree(event->pmu_private);
}

static int v9_spe_event_init(struct perf_event *event)
{
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
	const char *why;
	int err;

	if (attr->type != event->pmu->type)
		return -ENOENT;
	if (event->cpu >= 0 && !cpumask_test_cpu(event->cpu, &spe->cpus))
		return -ENOENT;

	/*
	 * exclude_hv and exclude_guest always hold: a kernel at EL2 is its own
	 * hypervisor and goes by exclude_kernel, a higher one and all guests
	 * are never profiled (SPE-EN3, SPE-EN4). So exclude_host leaves nothing.
	 */
	why = attr->freq ? "sampling by frequency" :
	      attr->exclude_idle ? "exclude_idle" :
	      attr->exclude_host ? "exclude_host" :
	      has_branch_stack(event) ? "branch stacks" : NULL;
	if (why) {
		dev_dbg(spe->dev, "event refused: no %s\n", why);
		return attr->freq ? -EINVAL : -EOPNOTSUPP;
	}

	/* Thread IDs of all namespaces are visible to those who may see the kernel (SPE-CD19). */
	req.context = IS_ENABLED(CONFIG_PID_IN_CONTEXTIDR) && !v9_allow_kernel(attr);

	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		return -ENOMEM;
	err = v9_spe_encode_image(&spe->unit, &req, &s->image, &why);
	if (err) {
		dev_dbg(spe->dev, "event refused: %s\n", why);
		goto free_session;
	}
	if (v9_spe_needs_privilege(&s->image)) {
		err = v9_allow_kernel(attr);
		if (err)
			goto free_session;
	}

	s->period = s->image.reg[V9_IMAGE_PMSIRR] & V9_PMSIRR_EL1_INTERVAL;
	event->hw.sample_period = s->period;
	event->pmu_private = s;
	event->destroy = v9_spe_destroy;
	return 0;

free_session:
	kfree(s);
	return err;
}

/* --- CPUs that come, go and sleep ----------------------------------------- */

static enum cpuhp_state v9_spe_hotplug;

static int v9_spe_cpu_up(unsigned int nr, struct hlist_node *node)
{
	struct v9_spe *spe = hlist_entry_safe(node, struct v9_spe, hotplug);
	struct v9_spe_cpu *cpu = per_cpu_ptr(spe->cpu, nr);
	struct v9_spe_id id;

	if (!cpumask_test_cpu(nr, &spe->cpus))
		return 0;
	v9_spe_look_unit(&id);
	if (memcmp(&id, &spe->unit.id, sizeof(id))) {
		dev_warn(spe->dev, "CPU%u has a unit unlike the others: not used\n", nr);
		cpumask_clear_cpu(nr, &spe->cpus);
		return 0;
	}
	v9_spe_act_reset();
	cpu->ready = true;
	enable_percpu_irq(spe->irq, IRQ_TYPE_NONE);
	return 0;
}

/*
 * This runs before perf takes its events off the CPU: what was profiled so far
 * is handed out here, and nothing starts afterwards.
 */
static int v9_spe_cpu_down(unsigned int nr, struct hlist_node *node)
{
	struct v9_spe *spe = hlist_entry_safe(node, struct v9_spe, hotplug);
	struct v9_spe_cpu *cpu = per_cpu_ptr(spe->cpu, nr);

	if (!cpu->ready)
		return 0;
	scoped_guard(irqsave) {
		cpu->ready = false;
		if (cpu->event)
			v9_spe_stop(cpu->event, PERF_EF_UPDATE);
		v9_spe_act_reset();
	}
	disable_percpu_irq(spe->irq);
	return 0;
}

/*
 * A CPU that sleeps deeply forgets its registers. The window stays open: they
 * are taken out on the way in and put back on the way out.
 */
static int v9_spe_cpu_pm(struct notifier_block *nb, unsigned long step, void *unused)
{
	struct v9_spe *spe = container_of(nb, struct v9_spe, pm);
	struct v9_spe_cpu *cpu = this_cpu_ptr(spe->cpu);
	struct v9_spe_session *s;

	if (!cpu->ready)
		return NOTIFY_OK;

	switch (step) {
	case CPU_PM_ENTER:
		if (cpu->event && !(cpu->event->hw.state & PERF_HES_STOPPED)) {
			v9_spe_act_stop(&cpu->saved);
			cpu->parked = true;
		}
		break;
	case CPU_PM_ENTER_FAILED:
	case CPU_PM_EXIT:
		v9_spe_act_reset();
		if (cpu->parked) {
			/*
			 * After an abort or a loss the pointer may not be used again
			 * (SPE-CS2): restored as stopped, the interrupt comes and
			 * opens a new window.
			 */
			if (cpu->saved.pmbsr & (V9_PMBSR_EL1_EA | V9_PMBSR_EL1_DL))
				cpu->saved.pmbsr |= V9_PMBSR_EL1_S;
			s = cpu->event->pmu_private;
			v9_spe_act_start(&s->image, &cpu->saved, false);
			cpu->parked = false;
		}
		break;
	}
	return NOTIFY_OK;
}

/* --- files ---------------------------------------------------------------- */

static struct v9_spe_file *to_file(struct device_attribute *attr)
{
	return container_of(attr, struct v9_spe_file, attr);
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

static ssize_t cap_show(struct device *dev, struct device_attribute *attr, char *page)
{
	const struct v9_spe_cap *cap = &to_file(attr)->cap;

	return sysfs_emit(page, cap->hex ? "0x%llx\n" : "%llu\n", cap->value);
}

static ssize_t stat_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct v9_spe *spe = to_spe(dev_get_drvdata(dev));
	enum v9_spe_stat stat = to_file(attr)->stat;
	u64 sum = 0;
	int nr;

	for_each_possible_cpu(nr)
		sum += READ_ONCE(per_cpu_ptr(spe->cpu, nr)->stat[stat]);
	return sysfs_emit(page, "%llu\n", sum);
}

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct v9_spe *spe = to_spe(dev_get_drvdata(dev));

	return cpumap_print_to_pagebuf(true, page, &spe->cpus);
}
static DEVICE_ATTR_RO(cpumask);

static struct attribute *v9_spe_attrs[] = {
	&dev_attr_cpumask.attr,
	NULL
};

static const struct attribute_group v9_spe_group = {
	.attrs = v9_spe_attrs,
};

/* Files of one directory, all with the same @show; the caller describes each. */
static struct attribute_group *v9_spe_dir(struct v9_spe *spe, const char *dir, unsigned int n,
					  struct v9_spe_file **files)
{
	struct attribute_group *g = devm_kzalloc(spe->dev, sizeof(*g), GFP_KERNEL);

	*files = devm_kcalloc(spe->dev, n, sizeof(**files), GFP_KERNEL);
	if (!g || !*files)
		return NULL;
	g->name = dir;
	g->attrs = devm_kcalloc(spe->dev, n + 1, sizeof(*g->attrs), GFP_KERNEL);
	return g->attrs ? g : NULL;
}

static void v9_spe_add_file(struct attribute_group *g, unsigned int i, struct v9_spe_file *f,
			    const char *file,
			    ssize_t (*show)(struct device *, struct device_attribute *, char *))
{
	sysfs_attr_init(&f->attr.attr);
	f->attr.attr.name = file;
	f->attr.attr.mode = 0444;
	f->attr.show = show;
	g->attrs[i] = &f->attr.attr;
}

/* format/ has the options that unit and kernel have, caps/ and stats/ everything. */
static const struct attribute_group **v9_spe_files(struct v9_spe *spe)
{
	const struct attribute_group **groups;
	struct attribute_group *format, *caps, *stats;
	struct v9_spe_file *f;
	const struct v9_option *o;
	struct v9_spe_cap cap;
	unsigned int i, n;

	for (n = 0; v9_spe_option(n); n++)
		;
	format = v9_spe_dir(spe, "format", n, &f);
	if (!format)
		return NULL;
	for (i = n = 0; (o = v9_spe_option(i)); i++) {
		if (!v9_spe_has_option(&spe->unit, o, V9_KERNEL_WORDS))
			continue;
		f[n].option = o;
		v9_spe_add_file(format, n, &f[n], o->name, format_show);
		n++;
	}

	for (n = 0; v9_spe_cap(&spe->unit, n, &cap); n++)
		;
	caps = v9_spe_dir(spe, "caps", n, &f);
	if (!caps)
		return NULL;
	for (i = 0; i < n; i++) {
		v9_spe_cap(&spe->unit, i, &f[i].cap);
		v9_spe_add_file(caps, i, &f[i], f[i].cap.name, cap_show);
	}

	stats = v9_spe_dir(spe, "stats", V9_STATS, &f);
	if (!stats)
		return NULL;
	for (i = 0; i < V9_STATS; i++) {
		f[i].stat = i;
		v9_spe_add_file(stats, i, &f[i], v9_spe_stat_name[i], stat_show);
	}

	groups = devm_kcalloc(spe->dev, 5, sizeof(*groups), GFP_KERNEL);
	if (!groups)
		return NULL;
	groups[0] = &v9_spe_group;
	groups[1] = format;
	groups[2] = caps;
	groups[3] = stats;
	return groups;
}

/* --- the device ------------------------------------------------------------ */

static DEFINE_IDA(v9_spe_ids);

/* What loading the module returns if no device could be used. */
static int v9_spe_refusal;

/*
 * One line for the user. The driver core would add its own for most errors, and
 * loading would succeed all the same: so it hears -ENODEV, and v9_spe_init()
 * returns the reason.
 */
static int v9_spe_refuse(struct device *dev, int err, const char *why)
{
	dev_err(dev, "not used: %s\n", why);
	v9_spe_refusal = err;
	return -ENODEV;
}

static void v9_spe_put_id(void *data)
{
	struct v9_spe *spe = data;

	ida_free(&v9_spe_ids, spe->id);
}

static void v9_spe_put_irq(void *data)
{
	struct v9_spe *spe = data;

	free_percpu_irq(spe->irq, spe->cpu);
}

static void v9_spe_put_hotplug(void *data)
{
	struct v9_spe *spe = data;

	cpuhp_state_remove_instance(v9_spe_hotplug, &spe->hotplug);
}

static void v9_spe_put_pm(void *data)
{
	struct v9_spe *spe = data;

	cpu_pm_unregister_notifier(&spe->pm);
}

static void v9_spe_put_pmu(void *data)
{
	struct v9_spe *spe = data;

	perf_pmu_unregister(&spe->pmu);
}

static int v9_spe_get_id(struct v9_spe *spe)
{
	spe->id = ida_alloc(&v9_spe_ids, GFP_KERNEL);
	if (spe->id < 0)
		return spe->id;
	return devm_add_action_or_reset(spe->dev, v9_spe_put_id, spe);
}

static int v9_spe_get_irq(struct v9_spe *spe, struct platform_device *pdev)
{
	const struct cpumask *affinity;
	int err;

	spe->irq = v9_get_percpu_irq(pdev, &spe->cpus, &affinity);
	if (spe->irq == -EPROBE_DEFER)
		return spe->irq;
	if (spe->irq < 0)
		return v9_spe_refuse(spe->dev, spe->irq, "firmware names no per-CPU interrupt");
	err = v9_request_percpu_irq(spe->irq, v9_spe_irq, dev_name(spe->dev), affinity, spe->cpu);
	if (err == -EBUSY)
		return v9_spe_refuse(spe->dev, err,
				     "its interrupt is held by another driver; unload arm_spe_pmu");
	if (err)
		return v9_spe_refuse(spe->dev, err, "its interrupt is not per CPU");
	return devm_add_action_or_reset(spe->dev, v9_spe_put_irq, spe);
}

/* What is asked of one CPU for all. */
struct v9_spe_first {
	struct v9_spe_id id;
	u64 midr;
};

static void v9_spe_look_first(void *data)
{
	struct v9_spe_first *first = data;

	v9_spe_look_unit(&first->id);
	first->midr = read_cpuid_id();
}

static int v9_spe_get_unit(struct v9_spe *spe)
{
	const struct v9_erratum *e;
	struct v9_spe_first first;
	const char *why;
	unsigned int i;
	int err;

	if (smp_call_function_any(&spe->cpus, v9_spe_look_first, &first, true))
		return v9_spe_refuse(spe->dev, -ENXIO, "none of its CPUs is online");
	err = v9_spe_judge_unit(&first.id, &spe->unit, &why);
	if (err)
		return v9_spe_refuse(spe->dev, err, why);
	for (i = 0; (e = v9_erratum(i)); i++)
		if (v9_errata(first.midr) & e->bit)
			dev_warn(spe->dev, "erratum %u: %s\n", e->number, e->effect);
	return 0;
}

static int v9_spe_get_cpus(struct v9_spe *spe)
{
	int err = cpuhp_state_add_instance(v9_spe_hotplug, &spe->hotplug);

	if (!err)
		err = devm_add_action_or_reset(spe->dev, v9_spe_put_hotplug, spe);
	if (err)
		return err;
	spe->pm.notifier_call = v9_spe_cpu_pm;
	err = cpu_pm_register_notifier(&spe->pm);
	return err ?: devm_add_action_or_reset(spe->dev, v9_spe_put_pm, spe);
}

static int v9_spe_get_pmu(struct v9_spe *spe)
{
	char *pmu_name = devm_kasprintf(spe->dev, GFP_KERNEL, "%s%d", name, spe->id);
	int err;

	spe->pmu = (struct pmu) {
		.module = THIS_MODULE,
		.attr_groups = v9_spe_files(spe),
		.capabilities = PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE |
				PERF_PMU_CAP_AUX_PREFER_LARGE,
		/* Beside other PMUs of a task, with no claim on their counters. */
		.task_ctx_nr = perf_sw_context,
		.event_init = v9_spe_event_init,
		.check_period = v9_spe_check_period,
		.add = v9_spe_add,
		.del = v9_spe_del,
		.start = v9_spe_start,
		.stop = v9_spe_stop,
		.read = v9_spe_read,
		.setup_aux = v9_spe_setup_aux,
		.free_aux = v9_spe_free_aux,
	};
	if (!pmu_name || !spe->pmu.attr_groups)
		return -ENOMEM;
	v9_set_pmu_parent(&spe->pmu, spe->dev);
	err = perf_pmu_register(&spe->pmu, pmu_name, -1);
	if (err == -EEXIST)
		return v9_spe_refuse(spe->dev, -EBUSY,
				     "another driver holds the PMU's name; see the parameter \"name\"");
	if (err)
		return err;
	dev_info(spe->dev, "%s: SPEv1p%llu on CPUs %*pbl, records up to %llu bytes\n", pmu_name,
		 spe->unit.version - 1, cpumask_pr_args(&spe->cpus), spe->unit.max_record);
	return devm_add_action_or_reset(spe->dev, v9_spe_put_pmu, spe);
}

static int v9_spe_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct v9_spe *spe;
	int err, nr;

	/* User space would run without a mapping of the buffer (SPE-CS10). */
	if (arm64_kernel_unmapped_at_el0())
		return v9_spe_refuse(dev, -EPERM,
				     "kernel page-table isolation hides the buffer; boot with kpti=off");

	spe = devm_kzalloc(dev, sizeof(*spe), GFP_KERNEL);
	if (!spe)
		return -ENOMEM;
	spe->dev = dev;
	spe->cpu = devm_alloc_percpu(dev, struct v9_spe_cpu);
	if (!spe->cpu)
		return -ENOMEM;
	for_each_possible_cpu(nr)
		per_cpu_ptr(spe->cpu, nr)->spe = spe;

	/* Each undone in reverse order by its own action. */
	err = v9_spe_get_id(spe);
	err = err ?: v9_spe_get_irq(spe, pdev);
	err = err ?: v9_spe_get_unit(spe);
	err = err ?: v9_spe_get_cpus(spe);
	return err ?: v9_spe_get_pmu(spe);
}

static const struct of_device_id v9_spe_of_ids[] = {
	{ .compatible = "arm,statistical-profiling-extension-v1" },
	{ }
};
MODULE_DEVICE_TABLE(of, v9_spe_of_ids);

/* The kernel makes this device from the ACPI table MADT. */
static const struct platform_device_id v9_spe_platform_ids[] = {
	{ .name = "arm,spe-v1" },
	{ }
};
MODULE_DEVICE_TABLE(platform, v9_spe_platform_ids);

static struct platform_driver v9_spe_driver = {
	.probe = v9_spe_probe,
	.id_table = v9_spe_platform_ids,
	.driver = {
		.name = "v9_spe",
		.of_match_table = v9_spe_of_ids,
		.suppress_bind_attrs = true,
	},
};

/* --- the module ------------------------------------------------------------ */

struct v9_spe_census {
	int ours;
	struct device *taken;
	int devices;
};

/* Whose are the devices that we could drive? */
static int v9_spe_count(struct device *dev, void *data)
{
	struct v9_spe_census *c = data;

	if (!of_match_device(v9_spe_of_ids, dev) &&
	    strcmp(to_platform_device(dev)->name, v9_spe_platform_ids[0].name))
		return 0;
	c->devices++;
	device_lock(dev);
	if (dev->driver == &v9_spe_driver.driver)
		c->ours++;
	else if (dev->driver && !c->taken)
		c->taken = get_device(dev);
	device_unlock(dev);
	return 0;
}

/* 0 if we drive something or may yet, else why not. */
static int v9_spe_account(void)
{
	struct v9_spe_census c = { };
	int err = 0;

	bus_for_each_dev(&platform_bus_type, NULL, &c, v9_spe_count);
	if (c.ours)
		goto out;
	if (c.taken) {
		pr_err("%s not used: held by driver %s; unload that first\n",
		       dev_name(c.taken), dev_driver_string(c.taken));
		err = -EBUSY;
	} else if (v9_spe_refusal) {
		err = v9_spe_refusal;
	} else if (!c.devices) {
		pr_err("firmware describes no Statistical Profiling Extension\n");
		err = -ENODEV;
	}
out:
	put_device(c.taken);
	return err;
}

static int __init v9_spe_init(void)
{
	int err = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/v9_spe:online",
					  v9_spe_cpu_up, v9_spe_cpu_down);

	if (err < 0)
		return err;
	v9_spe_hotplug = err;

	err = platform_driver_register(&v9_spe_driver);
	if (err)
		goto remove_state;
	err = v9_spe_account();
	if (err)
		goto unregister;
	return 0;

unregister:
	platform_driver_unregister(&v9_spe_driver);
remove_state:
	cpuhp_remove_multi_state(v9_spe_hotplug);
	return err;
}
module_init(v9_spe_init);

static void __exit v9_spe_exit(void)
{
	platform_driver_unregister(&v9_spe_driver);
	cpuhp_remove_multi_state(v9_spe_hotplug);
}
module_exit(v9_spe_exit);

MODULE_DESCRIPTION("v9trace: Statistical Profiling Extension");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(V9_NAMESPACE);
