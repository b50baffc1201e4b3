// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_deep: suspend to memory, as far as trace and profiling units are concerned. The kernel
 * freezes tasks, suspends devices, takes all CPUs but one offline and calls that CPU's notifiers.
 * This module's ->enter() then fills the registers of its units with UNKNOWN values and returns
 * at once, which resumes the machine.
 *
 * Use it only on machines without suspend to memory: /sys/power/mem_sleep does not list "deep".
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/suspend.h>

#include "forget.h"

static unsigned int times;
module_param(times, uint, 0444);
MODULE_PARM_DESC(times, "how often it was in the deepest place");

static int deep_begin(suspend_state_t state)
{
	find_brbe();
	return 0;
}

static int deep_enter(suspend_state_t state)
{
	forget_units();
	times++;
	return 0;
}

static const struct platform_suspend_ops deep_ops = {
	.valid = suspend_valid_only_mem,
	.begin = deep_begin,
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
