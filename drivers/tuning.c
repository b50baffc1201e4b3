// SPDX-License-Identifier: GPL-2.0-only
/*
 * Settings of a PMU; see tuning.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/cpu.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "compat.h"
#include "tuning.h"

static int parse(enum v9_setting setting, const char *text, u64 *value, const char **why)
{
	const char *const *words = v9_setting_words(setting);
	int err = 0;

	*why = "not a number of up to 64 bits";
	if (words) {
		for (*value = 0; words[*value] && !sysfs_streq(words[*value], text); ++*value)
			;
	} else {
		err = kstrtou64(text, 0, value);
	}
	if (err)
		return err;
	*why = v9_setting_check(setting, *value, PAGE_SIZE);
	return *why ? -EINVAL : 0;
}

static int print(enum v9_setting setting, u64 value, char *page)
{
	const char *const *words = v9_setting_words(setting);

	return words ? sysfs_emit(page, "%s\n", words[value]) : sysfs_emit(page, "%llu\n", value);
}

/* --- module parameters ----------------------------------------------------- */

static enum v9_setting setting_of(const struct kernel_param *kp)
{
	enum v9_setting i = 0;

	while (strcmp(kp->name, v9_setting_name(i)))
		i++;
	return i;
}

static int param_set(const char *text, const struct kernel_param *kp)
{
	const char *why;
	u64 value;
	int err = parse(setting_of(kp), text, &value, &why);

	if (err)
		pr_err("%s: %s=%s: %s\n", kp->mod->name, kp->name, text, why);
	else
		*(u64 *)kp->arg = value;
	return err;
}

static int param_get(char *page, const struct kernel_param *kp)
{
	return print(setting_of(kp), *(u64 *)kp->arg, page);
}

const struct kernel_param_ops v9_setting_ops = {
	.set = param_set,
	.get = param_get,
};

/* --- files ----------------------------------------------------------------- */

static ssize_t setting_show(struct device *dev, struct device_attribute *attr, char *page)
{
	enum v9_setting setting = v9_to_pmu_file(attr)->setting;

	return print(setting, v9_setting(v9_to_pmu(dev_get_drvdata(dev)), setting), page);
}

static ssize_t setting_store(struct device *dev, struct device_attribute *attr, const char *text,
			     size_t n)
{
	struct v9_pmu *unit = v9_to_pmu(dev_get_drvdata(dev));
	enum v9_setting setting = v9_to_pmu_file(attr)->setting;
	const char *why;
	u64 value;
	int err = parse(setting, text, &value, &why);

	if (err) {
		dev_dbg(unit->dev, "tuning/%s refused: %s\n", v9_setting_name(setting), why);
		return err;
	}
	WRITE_ONCE(unit->setting[setting], value);
	return n;
}

/* Counters are changed by their CPU with interrupts off, so that CPU clears them. */
static void clear_stats(void *data)
{
	struct v9_pmu *unit = data;
	struct v9_pmu_cpu *cpu = this_cpu_ptr(unit->cpu);

	memset(cpu->stat, 0, sizeof(cpu->stat));
}

static ssize_t reset_stats_store(struct device *dev, struct device_attribute *attr,
				 const char *text, size_t n)
{
	struct v9_pmu *unit = v9_to_pmu(dev_get_drvdata(dev));
	int nr;

	if (!sysfs_streq(text, "1"))
		return -EINVAL;
	cpus_read_lock();
	for_each_possible_cpu(nr) {
		struct v9_pmu_cpu *cpu = per_cpu_ptr(unit->cpu, nr);

		if (!cpu_online(nr))
			memset(cpu->stat, 0, sizeof(cpu->stat));
	}
	on_each_cpu(clear_stats, unit, true);
	cpus_read_unlock();
	return n;
}

struct v9_pmu_dir *v9_pmu_tuning(struct v9_pmu *unit, bool interval)
{
	struct v9_pmu_dir *dir = v9_pmu_new_dir(unit, "tuning", V9_SETTINGS + 1);
	enum v9_setting i;

	if (!dir)
		return NULL;
	for (i = interval ? 0 : V9_MIN_INTERVAL + 1; i < V9_SETTINGS; i++)
		v9_pmu_add_file(dir, v9_setting_name(i), 0644, setting_show,
				setting_store)->setting = i;
	v9_pmu_add_file(dir, "reset_stats", 0200, NULL, reset_stats_store);
	return dir;
}

int v9_pmu_allow_physical(const struct v9_pmu *unit, struct perf_event_attr *attr)
{
	u64 access = v9_setting(unit, V9_PHYSICAL_ACCESS);

	if (access == V9_PHYSICAL_NOBODY || (access == V9_PHYSICAL_PERFMON && !perfmon_capable())) {
		dev_dbg(unit->dev, "event refused: physical addresses or time, see tuning/physical_access\n");
		return -EACCES;
	}
	return v9_allow_kernel(attr);
}
