// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_deep: a machine that can be suspended to memory, as far as its trace and profiling units can
 * tell. The kernel does all that it does then: tasks, devices, all CPUs but one, and that one's
 * notifiers. In the deepest place the registers of the units are filled with what nobody wrote,
 * and it wakes up at once.
 *
 * Only for machines that cannot do it themselves: /sys/power/mem_sleep has no word "deep".
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/suspend.h>

#include "forget.h"

static unsigned int times;
module_param(times, uint, 0444);
MODULE_PARM_DESC(times, "how often it was in the deepest place");

static int deep_enter(suspend_state_t state)
{
	forget_spe();
	forget_ete();
	times++;
	return 0;
}

static const struct platform_suspend_ops deep_ops = {
	.valid = suspend_valid_only_mem,
	.enter = deep_enter,
};

static int __init deep_init(void)
{
	suspend_set_ops(&deep_ops);
	return 0;
}
module_init(deep_init);

static void __exit deep_exit(void)
{
	suspend_set_ops(NULL);
}
module_exit(deep_exit);

MODULE_DESCRIPTION("v9trace selftests: suspend to memory");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
