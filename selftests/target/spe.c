// SPDX-License-Identifier: GPL-2.0-only
/* The SPE unit in sysfs, and the attributes of its events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spe.h"

void spe_fill(struct unit *unit)
{
	unit->min_interval = (unsigned int)read_number(unit->dir, "caps/min_interval");
	unit->arch_inst = read_number(unit->dir, "caps/arch_inst");
	unit->ours = !access("/sys/module/v9_spe", F_OK) &&
		     access("/sys/module/arm_spe_pmu", F_OK);
}

int spe_find(struct unit *unit)
{
	const char *want = getenv("V9_PMU");
	int err = want ? unit_find(unit, want) : unit_find_prefix(unit, "arm_spe_");

	if (!err)
		spe_fill(unit);
	return err;
}

void spe_attr(const struct unit *unit, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = unit->type;
	attr->size = sizeof(*attr);
	attr->sample_period = unit->min_interval > 1024 ? unit->min_interval : 1024;
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

const char *spe_missing(const struct unit *unit)
{
	struct perf_event_attr attr;

	spe_attr(unit, &attr);
	return ring_missing(&attr);
}

unsigned int spe_in_flight(void)
{
	const char *text = getenv("V9_IN_FLIGHT");

	return text ? atoi(text) : 1;
}
