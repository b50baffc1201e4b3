// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_sleep: deep sleep of a CPU, as far as its units are concerned. Calls the CPU PM notifiers for
 * the entry, fills the registers of the units with UNKNOWN values, and calls the notifiers for the
 * exit.
 *
 *	echo "CPU TIMES GAP" >/sys/module/v9_sleep/parameters/enter
 *
 * GAP: microseconds between a wake-up and the next sleep. The write returns after the last one.
 * Parameter "count" counts them. "deep=0" keeps the registers. "waking" has the time of the exit
 * notifiers in each of the newest sleeps, in ns.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu_pm.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include <asm/irq_regs.h>

#include "forget.h"

static bool deep = true;
module_param(deep, bool, 0644);
MODULE_PARM_DESC(deep, "registers are lost (default) or kept");

static unsigned int count;
module_param(count, uint, 0444);
MODULE_PARM_DESC(count, "sleeps until now");

static unsigned int waking[300];
module_param_array(waking, uint, NULL, 0444);
MODULE_PARM_DESC(waking, "nanoseconds that the newest wake-ups took");

static void enter_sleep(void *data)
{
	const struct pt_regs *regs = get_irq_regs();	/* NULL: called on the CPU of the writer */
	int *err = data;
	u64 start;

	/*
	 * The kernel itself enters sleep only from the idle task. A user's task is as suitable.
	 * Kernel code is not, because it may be using the FP registers, for example.
	 */
	*err = -EAGAIN;
	if (regs && !user_mode(regs) && !is_idle_task(current))
		return;
	*err = cpu_pm_enter();
	if (*err)
		return;
	if (deep)
		forget_units();
	start = ktime_get_ns();
	*err = cpu_pm_exit();
	waking[count++ % ARRAY_SIZE(waking)] = ktime_get_ns() - start;
}

static int cpu_pm_set(const char *text, const struct kernel_param *kp)
{
	unsigned int cpu, times, gap, tries = 0;
	int err = 0;

	if (sscanf(text, "%u %u %u", &cpu, &times, &gap) != 3 || cpu >= nr_cpu_ids)
		return -EINVAL;
	find_brbe();
	while (times && !err) {
		int result = 0;

		err = smp_call_function_single(cpu, enter_sleep, &result, true) ?: result;
		if (err == -EAGAIN && ++tries < 10000)
			err = 0;
		else
			times--;
		if (gap)
			usleep_range(gap, gap + gap / 4);
		if (signal_pending(current))
			err = -EINTR;
	}
	return err;
}

static const struct kernel_param_ops cpu_pm_ops = {
	.set = cpu_pm_set,
};
module_param_cb(enter, &cpu_pm_ops, NULL, 0200);
MODULE_PARM_DESC(enter, "write \"CPU TIMES GAP\": this CPU sleeps so often, GAP us awake in between");

MODULE_DESCRIPTION("v9trace selftests: deep sleep");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
