// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_trcit: writes a value into the trace from the kernel (TRCIT, FEAT_ITE), or activates PE
 * comparator inputs of the trace unit, which only the reference platform supports (v9-inject=on).
 *
 *	echo VALUE >/sys/module/v9_trcit/parameters/value
 *	echo VALUE >/sys/module/v9_trcit/parameters/value_after_sleep	the same after a short sleep
 *	echo MASK >/sys/module/v9_trcit/parameters/pe
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>

#include <asm/sysreg.h>

#include "v9trace/gen/regs.h"

#define TRCIT	sys_insn(1, 3, 7, 2, 7)
#define INJECT	sys_reg(3, 0, 15, 15, 7)
#define INPUTS	0x100

static int write_value(const char *text, bool sleep)
{
	u64 value;
	int err = kstrtou64(text, 0, &value);

	/* TRCIT is UNDEFINED without FEAT_ITE. */
	if (!err && !V9_GET(V9_ID_AA64DFR1_EL1_ITE, read_sysreg_s(V9_SYS_ID_AA64DFR1_EL1)))
		err = -EOPNOTSUPP;
	if (err)
		return err;
	if (sleep)
		schedule_timeout_uninterruptible(1);
	write_sysreg_s(value, TRCIT);
	return 0;
}

static int value_set(const char *text, const struct kernel_param *kp)
{
	return write_value(text, false);
}

static const struct kernel_param_ops value_ops = {
	.set = value_set,
};
module_param_cb(value, &value_ops, NULL, 0200);
MODULE_PARM_DESC(value, "write a number: the kernel executes TRCIT with it");

static int value_after_sleep_set(const char *text, const struct kernel_param *kp)
{
	return write_value(text, true);
}

static const struct kernel_param_ops value_after_sleep_ops = {
	.set = value_after_sleep_set,
};
module_param_cb(value_after_sleep, &value_after_sleep_ops, NULL, 0200);
MODULE_PARM_DESC(value_after_sleep, "likewise, behind a switch to another task and back");

static int pe_set(const char *text, const struct kernel_param *kp)
{
	u64 inputs;
	int err = kstrtou64(text, 0, &inputs);

	if (!err)
		write_sysreg_s(INPUTS | (inputs & 0xff), INJECT);
	return err;
}

static const struct kernel_param_ops pe_ops = {
	.set = pe_set,
};
module_param_cb(pe, &pe_ops, NULL, 0200);
MODULE_PARM_DESC(pe, "write a mask: these PE comparator inputs are active");

MODULE_DESCRIPTION("v9trace selftests: the kernel says something");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
