/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings of a PMU: the files in tuning/, and module parameters for their first values. A setting
 * is read when an event or a buffer is made, and max_interrupts in an interrupt. None is read at a
 * context switch.
 */
#ifndef V9TRACE_TUNING_FILES_H
#define V9TRACE_TUNING_FILES_H

#include <linux/moduleparam.h>

#include "sysfs.h"
#include "unit.h"
#include "v9trace/tuning.h"

/*
 * Operations of the module parameters that are settings. The argument of such a parameter points to
 * the setting's first value in struct v9_pmu_driver.
 */
extern const struct kernel_param_ops v9_setting_ops;

/**
 * v9_setting - read a setting
 * @unit: PMU
 * @setting: setting
 *
 * Return: its value.
 */
static inline u64 v9_setting(const struct v9_pmu *unit, enum v9_setting setting)
{
	return READ_ONCE(unit->setting[setting]);
}

/**
 * v9_pmu_tuning - make the directory tuning/
 * @unit: PMU
 * @interval: the unit has the setting V9_MIN_INTERVAL
 *
 * Return: the directory, or NULL.
 */
struct v9_pmu_dir *v9_pmu_tuning(struct v9_pmu *unit, bool interval);

/**
 * v9_pmu_allow_physical - may the caller record physical addresses or time?
 * @unit: PMU
 * @attr: attributes of the event
 *
 * The setting only narrows what perf allows.
 *
 * Return: 0 or an errno.
 */
int v9_pmu_allow_physical(const struct v9_pmu *unit, struct perf_event_attr *attr);

#endif
