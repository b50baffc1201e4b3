// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of each CPU, read when it comes online; see cpu_regs.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/arm-smccc.h>
#include <linux/capability.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/device.h>
#include <linux/init.h>
#include <linux/percpu.h>
#include <linux/sysfs.h>

#include <asm/sysreg.h>

#include "cpu_regs.h"
#include "v9trace/gen/regs.h"

/* Files below cpu<n>/v9trace. Only what the CPU has, or what firmware answers, has a file. */
enum v9_cpu_reg {
	V9_CPU_DFR0,
	V9_CPU_PMBIDR,
	V9_CPU_TRBIDR,
	V9_CPU_MDCR,
	V9_CPU_CPTR,
	V9_CPU_REGS
};

/**
 * struct v9_cpu_regs - registers of a CPU
 * @value: by enum v9_cpu_reg
 * @has: bits of enum v9_cpu_reg
 * @shown: the directory was created
 * @el3: the answer of firmware
 */
struct v9_cpu_regs {
	u64 value[V9_CPU_REGS];
	u32 has;
	bool shown;
	struct v9_el3 el3;
};

static DEFINE_PER_CPU(struct v9_cpu_regs, v9_cpu_regs);
static enum cpuhp_state v9_cpu_regs_state;

const struct v9_el3 *v9_cpu_el3(unsigned int nr)
{
	return per_cpu_ptr(&v9_cpu_regs.el3, nr);
}

/* Is the function implemented? Firmware may log calls of others. */
static bool v9_has_call(u32 function)
{
	struct arm_smccc_res res;

	arm_smccc_1_1_invoke(ARM_SMCCC_ARCH_FEATURES_FUNC_ID, function, &res);
	return (s32)res.a0 >= 0;
}

static bool v9_ask_for(unsigned long reg, u64 *mask)
{
	struct arm_smccc_res res;

	arm_smccc_1_1_invoke(V9_SMCCC_FEATURE_AVAILABILITY, reg, &res);
	if ((s32)res.a0 != SMCCC_RET_SUCCESS)
		return false;
	*mask = res.a1;
	return true;
}

/* Firmware answers for the CPU that asks. */
static struct v9_el3 v9_ask(void)
{
	/* Trusted Firmware-A 2.13 announces the call by the function of 32-bit calls. */
	const u32 small = V9_SMCCC_FEATURE_AVAILABILITY & ~BIT(ARM_SMCCC_CALL_CONV_SHIFT);
	struct v9_el3 el3 = { };

	if (arm_smccc_1_1_get_conduit() == SMCCC_CONDUIT_NONE ||
	    (!v9_has_call(V9_SMCCC_FEATURE_AVAILABILITY) && !v9_has_call(small)))
		return el3;
	el3.answered = v9_ask_for(V9_SMCCC_MDCR_EL3, &el3.mdcr) &&
		       v9_ask_for(V9_SMCCC_CPTR_EL3, &el3.cptr);
	return el3.answered ? el3 : (struct v9_el3){ };
}

static void v9_put_reg(struct v9_cpu_regs *regs, enum v9_cpu_reg reg, u64 value)
{
	regs->value[reg] = value;
	regs->has |= BIT(reg);
}

/* Runs on the CPU. PMBIDR_EL1 and TRBIDR_EL1 do not trap to EL3, whoever owns the buffers. */
static void v9_read_regs(struct v9_cpu_regs *regs)
{
	u64 dfr0 = read_sysreg_s(V9_SYS_ID_AA64DFR0_EL1);

	regs->has = 0;
	v9_put_reg(regs, V9_CPU_DFR0, dfr0);
	if (V9_GET(V9_ID_AA64DFR0_EL1_PMSVer, dfr0))
		v9_put_reg(regs, V9_CPU_PMBIDR, read_sysreg_s(V9_SYS_PMBIDR_EL1));
	if (V9_GET(V9_ID_AA64DFR0_EL1_TraceBuffer, dfr0))
		v9_put_reg(regs, V9_CPU_TRBIDR, read_sysreg_s(V9_SYS_TRBIDR_EL1));
	regs->el3 = v9_ask();
	if (regs->el3.answered) {
		v9_put_reg(regs, V9_CPU_MDCR, regs->el3.mdcr);
		v9_put_reg(regs, V9_CPU_CPTR, regs->el3.cptr);
	}
}

/* Files are 0444: reading asks for CAP_PERFMON. */
static ssize_t v9_reg_show(struct device *dev, struct device_attribute *attr, char *page);

static struct device_attribute v9_cpu_files[V9_CPU_REGS] = {
	[V9_CPU_DFR0] = __ATTR(id_aa64dfr0_el1, 0444, v9_reg_show, NULL),
	[V9_CPU_PMBIDR] = __ATTR(pmbidr_el1, 0444, v9_reg_show, NULL),
	[V9_CPU_TRBIDR] = __ATTR(trbidr_el1, 0444, v9_reg_show, NULL),
	[V9_CPU_MDCR] = __ATTR(mdcr_el3, 0444, v9_reg_show, NULL),
	[V9_CPU_CPTR] = __ATTR(cptr_el3, 0444, v9_reg_show, NULL),
};

static ssize_t v9_reg_show(struct device *dev, struct device_attribute *attr, char *page)
{
	if (!perfmon_capable())
		return -EACCES;
	return sysfs_emit(page, "0x%016llx\n",
			  per_cpu(v9_cpu_regs, dev->id).value[attr - v9_cpu_files]);
}

static struct attribute *v9_cpu_attrs[] = {
	&v9_cpu_files[V9_CPU_DFR0].attr,
	&v9_cpu_files[V9_CPU_PMBIDR].attr,
	&v9_cpu_files[V9_CPU_TRBIDR].attr,
	&v9_cpu_files[V9_CPU_MDCR].attr,
	&v9_cpu_files[V9_CPU_CPTR].attr,
	NULL
};

static umode_t v9_cpu_mode(struct kobject *kobj, struct attribute *attr, int n)
{
	return per_cpu(v9_cpu_regs, kobj_to_dev(kobj)->id).has & BIT(n) ? attr->mode : 0;
}

static const struct attribute_group v9_cpu_group = {
	.name = "v9trace",
	.attrs = v9_cpu_attrs,
	.is_visible = v9_cpu_mode,
};

/* The CPU stays usable without its files. */
static int v9_cpu_online(unsigned int nr)
{
	struct v9_cpu_regs *regs = this_cpu_ptr(&v9_cpu_regs);
	struct device *dev = get_cpu_device(nr);
	int err;

	v9_read_regs(regs);
	err = dev ? sysfs_create_group(&dev->kobj, &v9_cpu_group) : -ENODEV;
	regs->shown = !err;
	if (err)
		pr_warn("CPU%u: its registers are not shown: error %d\n", nr, err);
	return 0;
}

static int v9_cpu_offline(unsigned int nr)
{
	struct v9_cpu_regs *regs = this_cpu_ptr(&v9_cpu_regs);

	if (regs->shown)
		sysfs_remove_group(&get_cpu_device(nr)->kobj, &v9_cpu_group);
	regs->shown = false;
	return 0;
}

int __init v9_cpu_regs_init(void)
{
	int state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "v9_core", v9_cpu_online,
				      v9_cpu_offline);

	if (state < 0)
		return state;
	v9_cpu_regs_state = state;
	return 0;
}

void v9_cpu_regs_exit(void)
{
	cpuhp_remove_state(v9_cpu_regs_state);
}
