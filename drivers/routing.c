// SPDX-License-Identifier: GPL-2.0-only
/*
 * Routing of buffer management events: read on each CPU that comes online, checked in
 * drivers/lib/check_routing.c, shown in the file "routing" of debugfs. It must be the same on all
 * CPUs of a PMU.
 */
#include <linux/debugfs.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include <asm/virt.h>

#include "compat.h"
#include "unit.h"

void v9_pmu_route(struct v9_pmu_cpu *cpu, struct v9_routing_facts *facts)
{
	cpu->unit->driver->route(is_kernel_in_hyp_mode(), facts);
}

const char *v9_pmu_check_routing(struct v9_pmu_cpu *cpu)
{
	struct v9_pmu *unit = cpu->unit;
	struct v9_routing_facts facts;
	unsigned long page = 0;

	scoped_guard(irqsave)
		v9_pmu_route(cpu, &facts);
	/* Without memory there is no self-test, and nothing is concluded. */
	if (facts.has_exc)
		page = __get_free_page(GFP_KERNEL);
	if (page) {
		scoped_guard(irqsave)
			facts.not_recorded = unit->driver->self_test(cpu, page);
		free_page(page);
	}
	if (!unit->routing.reason) {
		unit->facts = facts;
		unit->misrouted = v9_check_routing(&facts, &unit->routing);
	}
	return memcmp(&facts, &unit->facts, sizeof(facts)) ?
	       "events that go elsewhere than those of the others" : NULL;
}

static int routing_show(struct seq_file *file, void *unused)
{
	static const char * const delivery[] = {
		[V9_DELIVERY_NONE] = "none",
		[V9_DELIVERY_PPI] = "PPI",
		[V9_DELIVERY_EXCEPTION] = "Profiling exception",
	};
	const struct v9_pmu *unit = file->private;
	const struct v9_routing *r = &unit->routing;

	/* Only EL3 can read which Security state that is. It is the one that owns the buffer. */
	seq_printf(file, "owner: EL%u, Security state of the kernel\nregime: EL%u&0\n",
		   r->owner, r->owner);
	seq_printf(file, "event register: %s_EL%u\ndelivery: %s\nreason: %s\n",
		   unit->driver->status, r->level, delivery[r->delivery], r->reason);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(routing);

static struct dentry *v9_pmu_debug;

void v9_pmu_show_routing(struct v9_pmu *unit)
{
	unit->debug = debugfs_create_dir(unit->pmu.name, v9_pmu_debug);
	debugfs_create_file("routing", 0400, unit->debug, unit, &routing_fops);
}

void __init v9_pmu_debug_init(void)
{
	v9_pmu_debug = debugfs_create_dir("v9trace", NULL);
}

void v9_pmu_debug_exit(void)
{
	debugfs_remove(v9_pmu_debug);
}
