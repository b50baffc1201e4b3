/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a PMU in sysfs: format/, caps/, stats/, per_cpu/, cpumask.
 */
#ifndef V9TRACE_SYSFS_H
#define V9TRACE_SYSFS_H

#include <linux/device.h>

#include "unit.h"
#include "v9trace/attr.h"

/**
 * struct v9_pmu_file - one file of the PMU in sysfs
 * @attr: the file
 * @option: in format/: its row
 * @stat: in stats/ and per_cpu/: which counter
 * @format: else: how to print
 * @value: what
 */
struct v9_pmu_file {
	struct device_attribute attr;
	const struct v9_option *option;
	enum v9_stat stat;
	const char *format;
	u64 value;
};

/**
 * struct v9_pmu_dir - a directory of them
 * @group: for perf
 * @file: the files
 * @n: how many
 */
struct v9_pmu_dir {
	struct attribute_group group;
	struct v9_pmu_file *file;
	unsigned int n;
};

/**
 * v9_pmu_new_dir - an empty directory
 * @unit: whose
 * @name: its name
 * @max: most files it will hold
 *
 * Return: the directory, freed with the PMU, or NULL.
 */
struct v9_pmu_dir *v9_pmu_new_dir(struct v9_pmu *unit, const char *name, unsigned int max);

/**
 * v9_pmu_add_option - add a file of format/
 * @dir: where
 * @o: its row
 */
void v9_pmu_add_option(struct v9_pmu_dir *dir, const struct v9_option *o);

/**
 * v9_pmu_add_value - add a file with a number
 * @dir: where
 * @name: of the file
 * @format: how to print it
 * @value: the number
 */
void v9_pmu_add_value(struct v9_pmu_dir *dir, const char *name, const char *format, u64 value);

/**
 * v9_pmu_stats - a directory of counters
 * @unit: whose
 * @per_cpu: of each CPU; else of them all
 *
 * Return: the directory, or NULL.
 */
struct v9_pmu_dir *v9_pmu_stats(struct v9_pmu *unit, bool per_cpu);

/**
 * v9_pmu_cpumask_show - show() of the file cpumask
 * @dev: the PMU
 * @attr: the file
 * @page: result
 *
 * Return: its length.
 */
ssize_t v9_pmu_cpumask_show(struct device *dev, struct device_attribute *attr, char *page);

#endif
