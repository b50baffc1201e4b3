// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where events go: looked at on each CPU that comes up, judged in lib/, shown in
 * the file routing. All CPUs of a PMU are alike in this, too.
 */
#include <linux/device.h>
#include <linux/gfp.h>
#include <linux/sysfs.h>

#include <asm/virt.h>

#include "compat.h"
#include "pmu.h"

void v9_pmu_route(struct v9_pmu_cpu *cpu, struct v9_routing_facts *facts)
{
	cpu->unit->driver->route(is_kernel_in_hyp_mode(), facts);
}

const char *v9_pmu_meet_routing(struct v9_pmu_cpu *cpu)
{
	struct v9_pmu *unit = cpu->unit;
	struct v9_routing_facts facts;
	unsigned long page = 0;

	scoped_guard(irqsave)
		v9_pmu_route(cpu, &facts);
	/* Without it nothing is concluded. */
	if (facts.has_exc)
		page = __get_free_page(GFP_KERNEL);
	if (page) {
		scoped_guard(irqsave)
			facts.unheard = unit->driver->rehearse(cpu, page);
		free_page(page);
	}
	if (!unit->routing.reason) {
		unit->facts = facts;
		unit->misrouted = v9_judge_routing(&facts, &unit->routing);
	}
	return memcmp(&facts, &unit->facts, sizeof(facts)) ?
	       "events that go elsewhere than those of the others" : NULL;
}

static ssize_t routing_show(struct device *dev, struct device_attribute *attr, char *page)
{
	static const char * const delivery[] = {
		[V9_DELIVERY_NONE] = "none",
		[V9_DELIVERY_PPI] = "PPI",
		[V9_DELIVERY_EXCEPTION] = "Profiling exception",
	};
	const struct v9_pmu *unit = v9_to_pmu(dev_get_drvdata(dev));
	const struct v9_routing *r = &unit->routing;

	/* Which Security state that is only EL3 can tell; that it is the owner's is certain. */
	return sysfs_emit(page, "owner: EL%u, Security state of the kernel\nregime: EL%u&0\n"
			  "event register: %s_EL%u\ndelivery: %s\nreason: %s\n",
			  r->owner, r->owner, unit->driver->status, r->level,
			  delivery[r->delivery], r->reason);
}

struct device_attribute v9_pmu_routing = __ATTR(routing, 0444, routing_show, NULL);
