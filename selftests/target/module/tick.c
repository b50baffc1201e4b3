// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_tick: a PMU of v9_core's interface whose unit has no AUX buffer, no interrupt and no node in
 * firmware. It counts ticks of CNTVCT_EL0 while its event runs. Its parameters count callbacks.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include <asm/sysreg.h>

#include "compat.h"
#include "event.h"
#include "sysfs.h"
#include "unit.h"

static unsigned int resets, saves, restores;
module_param(resets, uint, 0444);
MODULE_PARM_DESC(resets, "calls of reset()");
module_param(saves, uint, 0444);
MODULE_PARM_DESC(saves, "calls of save()");
module_param(restores, uint, 0444);
MODULE_PARM_DESC(restores, "calls of restore()");

static struct {
	struct v9_pmu u;
	struct v9_pmu_device d;
} tick;

static void tick_update(struct perf_event *event)
{
	u64 now = read_sysreg(cntvct_el0);

	local64_add(now - local64_xchg(&event->hw.prev_count, now), &event->count);
}

static void tick_do_start(struct perf_event *event, int flags)
{
	local64_set(&event->hw.prev_count, read_sysreg(cntvct_el0));
	event->hw.state = 0;
}

static void tick_do_stop(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return;
	tick_update(event);
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static void tick_start(struct perf_event *event, int flags)
{
	v9_pmu_start(event, flags, tick_do_start);
}

static void tick_stop(struct perf_event *event, int flags)
{
	v9_pmu_stop(event, flags, tick_do_stop);
}

static int tick_add(struct perf_event *event, int flags)
{
	return v9_pmu_add(event, flags, tick_do_start);
}

static void tick_del(struct perf_event *event, int flags)
{
	v9_pmu_del(event, tick_do_stop);
}

static void tick_read(struct perf_event *event)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		tick_update(event);
}

static int tick_event_init(struct perf_event *event)
{
	int err = v9_pmu_check_event(event);

	if (!err && is_sampling_event(event))
		err = -EINVAL;
	return err;
}

/* The callbacks of struct v9_pmu_driver */

static struct v9_pmu_cpu *tick_match(struct v9_pmu_device *device, const char **why)
{
	return this_cpu_ptr(tick.u.cpu);
}

static int tick_online(struct v9_pmu_cpu *cpu, const char **why)
{
	return 0;
}

static void tick_discard(struct v9_pmu_cpu *cpu)
{
}

static bool tick_reset(struct v9_pmu_cpu *cpu)
{
	resets++;
	return true;
}

static void tick_save(struct v9_pmu_cpu *cpu)
{
	saves++;
	tick_update(cpu->event);
}

static void tick_restore(struct v9_pmu_cpu *cpu)
{
	restores++;
	local64_set(&cpu->event->hw.prev_count, read_sysreg(cntvct_el0));
}

static struct device_attribute tick_cpumask = __ATTR(cpumask, 0444, v9_pmu_cpumask_show, NULL);

static struct attribute *tick_attrs[] = {
	&tick_cpumask.attr,
	NULL
};

static const struct attribute_group tick_group = { .attrs = tick_attrs };
static const struct attribute_group *tick_groups[] = { &tick_group, NULL };

static void tick_unmake(void *unused)
{
	v9_pmu_unmake(&tick.u);
}

static struct v9_pmu_driver tick_driver;

static int tick_probe(struct platform_device *pdev)
{
	const char *why = NULL;
	int err = v9_pmu_begin(&tick.d, &tick_driver, pdev);

	err = err ?: v9_pmu_make(&tick.u, &tick.d);
	err = err ?: devm_add_action_or_reset(&pdev->dev, tick_unmake, NULL);
	err = err ?: v9_pmu_bring_up_cpus(&tick.d);
	if (err)
		return err;
	tick.u.pmu = (struct pmu) {
		.attr_groups = tick_groups,
		.event_init = tick_event_init,
		.add = tick_add,
		.del = tick_del,
		.start = tick_start,
		.stop = tick_stop,
		.read = tick_read,
	};
	err = v9_pmu_publish(&tick.u, "v9_tick", "the name is taken", &why);
	return err && why ? v9_pmu_refuse(&pdev->dev, &tick_driver, err, why) : err;
}

static const struct platform_device_id tick_ids[] = {
	{ .name = "v9_tick" },
	{ }
};

static struct v9_pmu_driver tick_driver = {
	.platform = {
		.id_table = tick_ids,
		.driver = { .name = "v9_tick", .suppress_bind_attrs = true },
	},
	.probe = tick_probe,
	.extension = "CNTVCT_EL0",
	.no_buffer = true,
	.cpu_size = sizeof(struct v9_pmu_cpu),
	.match = tick_match,
	.online = tick_online,
	.discard = tick_discard,
	.reset = tick_reset,
	.save = tick_save,
	.restore = tick_restore,
};

static int __init tick_module_init(void)
{
	return v9_pmu_register(&tick_driver, THIS_MODULE);
}
module_init(tick_module_init);

static void __exit tick_module_exit(void)
{
	v9_pmu_unregister(&tick_driver);
}
module_exit(tick_module_exit);

MODULE_DESCRIPTION("v9trace selftests: a unit without buffer, interrupt and node");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(V9_NAMESPACE);
