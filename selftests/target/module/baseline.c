// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_baseline: PMUs without a unit. The cost of a task switch with one of their events is perf's
 * own part, the minimum for each driver:
 *
 *	v9_baseline_none	the event is switched, nothing else
 *	v9_baseline_aux		an AUX handle is opened and closed as well, without data
 *	v9_baseline_data	it is closed with 64 bytes, which adds a PERF_RECORD_AUX
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

struct baseline {
	struct pmu pmu;
	const char *name;
	bool aux;
	unsigned long size;
};

static struct baseline baselines[] = {
	{ .name = "v9_baseline_none" },
	{ .name = "v9_baseline_aux", .aux = true },
	{ .name = "v9_baseline_data", .aux = true, .size = 64 },
};

static DEFINE_PER_CPU(struct perf_output_handle [ARRAY_SIZE(baselines)], handles);

static struct baseline *to_baseline(struct perf_event *event)
{
	return container_of(event->pmu, struct baseline, pmu);
}

static struct perf_output_handle *to_handle(struct perf_event *event)
{
	return &(*this_cpu_ptr(&handles))[to_baseline(event) - baselines];
}

static void baseline_start(struct perf_event *event, int flags)
{
	if (to_baseline(event)->aux && !perf_aux_output_begin(to_handle(event), event))
		return;
	event->hw.state = 0;
}

static void baseline_stop(struct perf_event *event, int flags)
{
	if (event->hw.state & PERF_HES_STOPPED)
		return;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (to_baseline(event)->aux)
		perf_aux_output_end(to_handle(event), to_baseline(event)->size);
}

static int baseline_add(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		baseline_start(event, PERF_EF_RELOAD);
	return event->hw.state & PERF_HES_STOPPED ? -EINVAL : 0;
}

static void baseline_del(struct perf_event *event, int flags)
{
	baseline_stop(event, PERF_EF_UPDATE);
}

static void baseline_read(struct perf_event *event)
{
}

static int baseline_event_init(struct perf_event *event)
{
	return event->attr.type == event->pmu->type ? 0 : -ENOENT;
}

static void *baseline_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot)
{
	return kzalloc(sizeof(long), GFP_KERNEL);
}

static void baseline_free_aux(void *aux)
{
	kfree(aux);
}

static void leave(unsigned int n)
{
	while (n--)
		perf_pmu_unregister(&baselines[n].pmu);
}

static int __init v9_baseline_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(baselines); i++) {
		baselines[i].pmu = (struct pmu) {
			.module = THIS_MODULE,
			.capabilities = PERF_PMU_CAP_EXCLUSIVE,
			.task_ctx_nr = perf_sw_context,
			.event_init = baseline_event_init,
			.add = baseline_add,
			.del = baseline_del,
			.start = baseline_start,
			.stop = baseline_stop,
			.read = baseline_read,
			.setup_aux = baseline_setup_aux,
			.free_aux = baseline_free_aux,
		};
		err = perf_pmu_register(&baselines[i].pmu, baselines[i].name, -1);
		if (err) {
			leave(i);
			return err;
		}
	}
	return 0;
}
module_init(v9_baseline_init);

static void __exit v9_baseline_exit(void)
{
	leave(ARRAY_SIZE(baselines));
}
module_exit(v9_baseline_exit);

MODULE_DESCRIPTION("v9trace selftests: what perf itself costs");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
