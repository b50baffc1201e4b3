/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a PMU in sysfs: format/, caps/, stats/, per_cpu/, tuning/, cpumask.
 */
#ifndef V9TRACE_SYSFS_H
#define V9TRACE_SYSFS_H

#include <linux/device.h>

#include "unit.h"
#include "v9trace/attr.h"
#include "v9trace/tuning.h"

/**
 * struct v9_pmu_file - a file of the PMU in sysfs
 * @attr: attribute
 * @option: in format/: row of the option table
 * @stat: in stats/ and per_cpu/: enum v9_stat
 * @setting: in tuning/
 * @format: elsewhere: printf format of @value
 * @value: number that the file shows
 */
struct v9_pmu_file {
	struct device_attribute attr;
	const struct v9_option *option;
	enum v9_stat stat;
	enum v9_setting setting;
	const char *format;
	u64 value;
};

/**
 * struct v9_pmu_dir - a directory of such files
 * @group: attribute group, for perf
 * @file: files
 * @n: number of files
 */
struct v9_pmu_dir {
	struct attribute_group group;
	struct v9_pmu_file *file;
	unsigned int n;
};

/**
 * v9_pmu_new_dir - make an empty directory
 * @unit: PMU
 * @name: name of the directory
 * @max: most files that it will have
 *
 * Return: the directory, which is freed with the PMU; or NULL.
 */
struct v9_pmu_dir *v9_pmu_new_dir(struct v9_pmu *unit, const char *name, unsigned int max);

/* The file that an attribute belongs to */
static inline struct v9_pmu_file *v9_to_pmu_file(struct device_attribute *attr)
{
	return container_of(attr, struct v9_pmu_file, attr);
}

/**
 * v9_pmu_add_file - add a file
 * @dir: directory
 * @name: name of the file
 * @mode: its permissions
 * @show: function to read it, or NULL
 * @store: function to write it, or NULL
 *
 * Return: the file.
 */
struct v9_pmu_file *v9_pmu_add_file(struct v9_pmu_dir *dir, const char *name, umode_t mode,
				    ssize_t (*show)(struct device *, struct device_attribute *,
						    char *),
				    ssize_t (*store)(struct device *, struct device_attribute *,
						     const char *, size_t));

/**
 * v9_pmu_add_option - add a file to format/
 * @dir: directory
 * @o: option
 */
void v9_pmu_add_option(struct v9_pmu_dir *dir, const struct v9_option *o);

/**
 * v9_pmu_add_value - add a file that shows a number
 * @dir: directory
 * @name: name of the file
 * @format: printf format
 * @value: number
 */
void v9_pmu_add_value(struct v9_pmu_dir *dir, const char *name, const char *format, u64 value);

/**
 * v9_pmu_add_minimum - add a file that shows a number, or V9_MIN_INTERVAL if that is larger
 * @dir: directory
 * @name: name of the file
 * @value: number
 */
void v9_pmu_add_minimum(struct v9_pmu_dir *dir, const char *name, u64 value);

/**
 * v9_pmu_stats - make a directory of counters
 * @unit: PMU
 * @per_cpu: one line for each CPU; else the sum over CPUs
 *
 * Return: the directory, or NULL.
 */
struct v9_pmu_dir *v9_pmu_stats(struct v9_pmu *unit, bool per_cpu);

/**
 * v9_pmu_cpumask_show - show() of the file cpumask
 * @dev: device of the PMU
 * @attr: attribute
 * @page: result
 *
 * Return: bytes in @page.
 */
ssize_t v9_pmu_cpumask_show(struct device *dev, struct device_attribute *attr, char *page);

#endif
