// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_down: what the kernel does with a driver before kexec, without starting another kernel.
 *
 *	echo DRIVER >/sys/module/v9_down/parameters/shutdown	shut down each device of the driver
 *	cat /sys/module/v9_down/parameters/on			CPUs whose SPE or ETE is enabled
 *	cat /sys/module/v9_down/parameters/branches		CPUs that record branches
 *
 * The last one needs a kernel at EL2, and firmware that permits the registers: load with sbrbe=1.
 *
 * After that, our drivers must be reloaded before they can be used again.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include <asm/virt.h>

#include "hw.h"
#include "v9trace/base.h"
#include "v9trace/gen/regs.h"

static int shut_down(struct device *dev, void *name)
{
	if (dev->driver && sysfs_streq(dev->driver->name, name))
		platform_bus_type.shutdown(dev);
	return 0;
}

static int shutdown_set(const char *text, const struct kernel_param *kp)
{
	return bus_for_each_dev(&platform_bus_type, NULL, (void *)text, shut_down);
}

static void look(void *data)
{
	u64 dfr0 = hw_read(V9_SYS_ID_AA64DFR0_EL1);
	bool on = false;

	if (V9_GET(V9_ID_AA64DFR0_EL1_PMSVer, dfr0))
		on |= hw_read(V9_SYS_PMSCR_EL1) & (V9_PMSCR_EL1_E1SPE | V9_PMSCR_EL1_E0SPE) ||
		      hw_read(V9_SYS_PMBLIMITR_EL1) & V9_PMBLIMITR_EL1_E;
	if (V9_GET(V9_ID_AA64DFR0_EL1_TraceBuffer, dfr0))
		on |= hw_read(V9_SYS_TRBLIMITR_EL1) & V9_TRBLIMITR_EL1_E ||
		      hw_read(V9_SYS_TRCPRGCTLR) & V9_TRCPRGCTLR_EN;
	if (on)
		atomic_inc(data);
}

static bool sbrbe;
module_param(sbrbe, bool, 0444);
MODULE_PARM_DESC(sbrbe, "firmware permits the registers of branch records");

static void look_at_branches(void *data)
{
	u64 enables = V9_BRBCR_EL1_E1BRE | V9_BRBCR_EL1_E0BRE;

	if (!V9_GET(V9_ID_AA64DFR0_EL1_BRBE, hw_read(V9_SYS_ID_AA64DFR0_EL1)))
		return;
	/* After a reset the enables are 0, and PAUSED is UNKNOWN: BRBE-BM3. */
	if ((hw_read(V9_SYS_BRBCR_EL1) | hw_read(V9_SYS_BRBCR_EL12)) & enables &&
	    !(hw_read(V9_SYS_BRBFCR_EL1) & V9_BRBFCR_EL1_PAUSED))
		atomic_inc(data);
}

static int count_cpus(char *page, void (*look_at)(void *))
{
	atomic_t n = ATOMIC_INIT(0);

	on_each_cpu(look_at, &n, true);
	return sysfs_emit(page, "%d\n", atomic_read(&n));
}

static int on_get(char *page, const struct kernel_param *kp)
{
	return count_cpus(page, look);
}

static int branches_get(char *page, const struct kernel_param *kp)
{
	if (!sbrbe || !is_kernel_in_hyp_mode())
		return -EPERM;
	return count_cpus(page, look_at_branches);
}

static const struct kernel_param_ops shutdown_ops = {
	.set = shutdown_set,
};

static const struct kernel_param_ops on_ops = {
	.get = on_get,
};

static const struct kernel_param_ops branches_ops = {
	.get = branches_get,
};
module_param_cb(shutdown, &shutdown_ops, NULL, 0200);
MODULE_PARM_DESC(shutdown, "write the name of a driver: its devices are shut down");
module_param_cb(on, &on_ops, NULL, 0400);
MODULE_PARM_DESC(on, "CPUs whose SPE or ETE is on");
module_param_cb(branches, &branches_ops, NULL, 0400);
MODULE_PARM_DESC(branches, "CPUs that record branches");

MODULE_DESCRIPTION("v9trace selftests: the end of a kernel");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
