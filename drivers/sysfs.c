// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files of a PMU; see sysfs.h.
 */
#include <linux/capability.h>
#include <linux/math64.h>
#include <linux/sysfs.h>

#include <asm/sysreg.h>

#include "sysfs.h"
#include "tuning.h"

static ssize_t option_show(struct device *dev, struct device_attribute *attr, char *page)
{
	const struct v9_option *o = v9_to_pmu_file(attr)->option;
	char word[] = "0";

	word[0] += o->word;
	if (!o->word)
		word[0] = 0;
	if (o->lo == o->hi)
		return sysfs_emit(page, "config%s:%u\n", word, o->lo);
	return sysfs_emit(page, "config%s:%u-%u\n", word, o->lo, o->hi);
}

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *page)
{
	return sysfs_emit(page, v9_to_pmu_file(attr)->format, v9_to_pmu_file(attr)->value);
}

static ssize_t minimum_show(struct device *dev, struct device_attribute *attr, char *page)
{
	const struct v9_pmu *unit = v9_to_pmu(dev_get_drvdata(dev));

	return sysfs_emit(page, "%llu\n",
			  max(v9_to_pmu_file(attr)->value, v9_setting(unit, V9_MIN_INTERVAL)));
}

/*
 * Counters show what other users record, and when. Their files have mode 0444, so that they can be
 * opened; show() requires CAP_PERFMON.
 */
static bool v9_pmu_may_count(void)
{
	return perfmon_capable();
}

static u64 v9_pmu_stat_of(struct v9_pmu *unit, int nr, enum v9_stat stat)
{
	const struct v9_pmu_cpu *cpu = per_cpu_ptr(unit->cpu, nr);
	u64 value = READ_ONCE(cpu->stat[stat]);

	return stat == V9_STAT_LONGEST || stat == V9_STAT_HANDLER ?
	       mul_u64_u64_div_u64(value, NSEC_PER_SEC, read_sysreg(cntfrq_el0)) : value;
}

static ssize_t stat_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct v9_pmu *unit = v9_to_pmu(dev_get_drvdata(dev));
	enum v9_stat stat = v9_to_pmu_file(attr)->stat;
	u64 sum = 0, value;
	int nr;

	if (!v9_pmu_may_count())
		return -EACCES;
	for_each_possible_cpu(nr) {
		value = v9_pmu_stat_of(unit, nr, stat);
		sum = stat == V9_STAT_LONGEST ? max(sum, value) : sum + value;
	}
	return sysfs_emit(page, "%llu\n", sum);
}

/* One line for each CPU, as many as fit in the page. */
static ssize_t per_cpu_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct v9_pmu *unit = v9_to_pmu(dev_get_drvdata(dev));
	enum v9_stat stat = v9_to_pmu_file(attr)->stat;
	char line[32];
	int nr, n = 0;

	if (!v9_pmu_may_count())
		return -EACCES;
	for_each_cpu(nr, &unit->cpus) {
		int len = scnprintf(line, sizeof(line), "%d %llu\n", nr,
				    v9_pmu_stat_of(unit, nr, stat));

		if (n + len >= PAGE_SIZE)
			break;
		n += sysfs_emit_at(page, n, "%s", line);
	}
	return n;
}

ssize_t v9_pmu_cpumask_show(struct device *dev, struct device_attribute *attr, char *page)
{
	struct v9_pmu *unit = v9_to_pmu(dev_get_drvdata(dev));

	return sysfs_emit(page, "%*pbl\n", cpumask_pr_args(&unit->cpus));
}

struct v9_pmu_dir *v9_pmu_new_dir(struct v9_pmu *unit, const char *name, unsigned int max)
{
	struct v9_pmu_dir *dir = v9_pmu_alloc(unit, 1, sizeof(*dir));

	if (!dir)
		return NULL;
	dir->group.name = name;
	dir->file = v9_pmu_alloc(unit, max, sizeof(*dir->file));
	dir->group.attrs = v9_pmu_alloc(unit, max + 1, sizeof(*dir->group.attrs));
	return dir->file && dir->group.attrs ? dir : NULL;
}

struct v9_pmu_file *v9_pmu_add_file(struct v9_pmu_dir *dir, const char *name, umode_t mode,
				    ssize_t (*show)(struct device *, struct device_attribute *,
						    char *),
				    ssize_t (*store)(struct device *, struct device_attribute *,
						     const char *, size_t))
{
	struct v9_pmu_file *f = &dir->file[dir->n];

	sysfs_attr_init(&f->attr.attr);
	f->attr.attr.name = name;
	f->attr.attr.mode = mode;
	f->attr.show = show;
	f->attr.store = store;
	dir->group.attrs[dir->n++] = &f->attr.attr;
	return f;
}

static struct v9_pmu_file *add(struct v9_pmu_dir *dir, const char *name,
			       ssize_t (*show)(struct device *, struct device_attribute *, char *))
{
	return v9_pmu_add_file(dir, name, 0444, show, NULL);
}

void v9_pmu_add_option(struct v9_pmu_dir *dir, const struct v9_option *o)
{
	add(dir, o->name, option_show)->option = o;
}

void v9_pmu_add_value(struct v9_pmu_dir *dir, const char *name, const char *format, u64 value)
{
	struct v9_pmu_file *f = add(dir, name, value_show);

	f->format = format;
	f->value = value;
}

void v9_pmu_add_minimum(struct v9_pmu_dir *dir, const char *name, u64 value)
{
	add(dir, name, minimum_show)->value = value;
}

struct v9_pmu_dir *v9_pmu_stats(struct v9_pmu *unit, bool per_cpu)
{
	static const char * const name[V9_STATS] = {
		[V9_STAT_SPURIOUS] = "spurious",
		[V9_STAT_EARLY] = "early",
		[V9_STAT_FULL] = "full",
		[V9_STAT_TRIGGERED] = "triggered",
		[V9_STAT_LOST] = "lost",
		[V9_STAT_FAULT] = "faults",
		[V9_STAT_ABORT] = "aborts",
		[V9_STAT_FATAL] = "fatal",
		[V9_STAT_INTERRUPTS] = "interrupts",
		[V9_STAT_BYTES] = "bytes",
		[V9_STAT_PADDING] = "padding",
		[V9_STAT_DROPPED] = "dropped",
		[V9_STAT_TRUNCATED] = "truncated",
		[V9_STAT_PARTIAL] = "partial",
		[V9_STAT_COLLISIONS] = "collisions",
		[V9_STAT_THROTTLED] = "throttled",
		[V9_STAT_THROTTLED_TIME] = "throttled_ns",
		[V9_STAT_HANDLER] = "handler_ns",
		[V9_STAT_LONGEST] = "longest_ns",
		[V9_STAT_PAUSED] = "paused",
		[V9_STAT_FROZEN] = "frozen",
		[V9_STAT_STALE] = "stale",
		[V9_STAT_RUN_ON] = "run_on",
		[V9_STAT_EMPTY] = "empty",
		[V9_STAT_SATURATED] = "saturated",
		[V9_STAT_MISSED] = "missed",
		[V9_STAT_FOREIGN] = "foreign",
		[V9_STAT_LIMITED] = "limited",
		[V9_STAT_SWITCHES] = "switches",
	};
	struct v9_pmu_dir *dir = v9_pmu_new_dir(unit, per_cpu ? "per_cpu" : "stats", V9_STATS);
	unsigned int i;

	for (i = 0; dir && i < V9_STATS; i++)
		if (!(unit->driver->no_stats >> i & 1))
			add(dir, name[i], per_cpu ? per_cpu_show : stat_show)->stat = i;
	return dir;
}
