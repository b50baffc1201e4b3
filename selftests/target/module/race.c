// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_race: makes a rare race of two CPUs occur. One CPU unmaps an AUX buffer while the other one,
 * in its interrupt, stops the event whose AUX handle is open in that buffer. The first CPU to
 * arrive waits for the other.
 *
 *	echo 1 >/sys/module/v9_race/parameters/at	the event is off, then the buffer is
 *							unmapped
 *	echo 2 >/sys/module/v9_race/parameters/at	event_unmapped() has run, then the event
 *							is stopped
 *	waits	a CPU is waiting
 *	occurred	the race has occurred
 *
 * It probes the v9_core that was loaded before it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/string.h>

enum order { NEVER, OFF_FIRST, UNMAPPED_FIRST };

static int at, waits, occurred;
static bool other;		/* the second CPU has arrived */

/* Busy-wait for @flag, at most 2 s. Does not schedule or change the interrupt mask. */
static bool wait_for(const bool *flag)
{
	unsigned int i;

	WRITE_ONCE(waits, 1);
	for (i = 0; i < 2000 && !READ_ONCE(*flag); i++)
		mdelay(1);
	WRITE_ONCE(waits, 0);
	return READ_ONCE(*flag);
}

/* Wait as long as it takes to unmap a buffer. */
static void while_it_is_unmapped(void)
{
	WRITE_ONCE(occurred, 1);
	mdelay(200);
}

/* Probe of perf_aux_output_end() on the CPU that stops the event, which is off or still on */
static int on_end(struct kprobe *p, struct pt_regs *regs)
{
	const struct perf_output_handle *handle = (void *)regs->regs[0];
	const struct perf_event *event = handle->event;
	bool off = READ_ONCE(event->oncpu) == -1;

	if (!in_hardirq() || !event->pmu->name || strncmp(event->pmu->name, "arm_spe", 7))
		return 0;
	/* Ignore a window that is closed to open the next one. */
	if (!(READ_ONCE(event->hw.state) & PERF_HES_STOPPED))
		return 0;
	switch (READ_ONCE(at)) {
	case OFF_FIRST:
		if (off && !READ_ONCE(occurred) && wait_for(&other))
			while_it_is_unmapped();
		break;
	case UNMAPPED_FIRST:
		if (!READ_ONCE(waits))
			break;
		WRITE_ONCE(occurred, 1);
		WRITE_ONCE(other, true);
		if (off)
			while_it_is_unmapped();
		break;
	}
	return 0;
}

/* Probes of v9_pmu_event_unmapped() on the CPU that unmaps: at its entry and at its return */
static int on_unmap(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (READ_ONCE(at) == OFF_FIRST && READ_ONCE(waits))
		WRITE_ONCE(other, true);
	return 0;
}

static int on_unmapped(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (READ_ONCE(at) == UNMAPPED_FIRST && !READ_ONCE(occurred))
		wait_for(&other);
	return 0;
}

static struct kprobe end = {
	.symbol_name = "perf_aux_output_end",
	.pre_handler = on_end,
};

static struct kretprobe unmapped = {
	.kp.symbol_name = "v9_pmu_event_unmapped",
	.entry_handler = on_unmap,
	.handler = on_unmapped,
	.maxactive = 8,
};

static int at_set(const char *text, const struct kernel_param *kp)
{
	int n, err = kstrtoint(text, 0, &n);

	if (err || n < NEVER || n > UNMAPPED_FIRST)
		return err ?: -EINVAL;
	WRITE_ONCE(at, NEVER);
	WRITE_ONCE(occurred, 0);
	WRITE_ONCE(other, false);
	WRITE_ONCE(at, n);
	return 0;
}

static const struct kernel_param_ops at_ops = {
	.set = at_set,
	.get = param_get_int,
};
module_param_cb(at, &at_ops, &at, 0600);
MODULE_PARM_DESC(at, "0: never, 1: the event is off, then unmap, 2: the other way round");
module_param(waits, int, 0444);
MODULE_PARM_DESC(waits, "one of the two CPUs waits for the other");
module_param(occurred, int, 0444);
MODULE_PARM_DESC(occurred, "it has happened since at was written");

static int __init v9_race_init(void)
{
	int err = register_kprobe(&end);

	if (err)
		return err;
	err = register_kretprobe(&unmapped);
	if (err)
		unregister_kprobe(&end);
	return err;
}
module_init(v9_race_init);

static void __exit v9_race_exit(void)
{
	unregister_kretprobe(&unmapped);
	unregister_kprobe(&end);
}
module_exit(v9_race_exit);

MODULE_DESCRIPTION("v9trace selftests: a buffer that goes while its event is switched off");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
