// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "interval.h"

#include <string.h>

#include <v9trace/base.h>
#include <v9trace/gen/regs.h>

#include "../perfdata.h"

/* Recommended minimum by PMSIDR_EL1.Interval; other values are reserved */
static const uint16_t advised[] = {
	[V9_PMSIDR_EL1_Interval_256] = 256, [V9_PMSIDR_EL1_Interval_512] = 512,
	[V9_PMSIDR_EL1_Interval_768] = 768, [V9_PMSIDR_EL1_Interval_1024] = 1024,
	[V9_PMSIDR_EL1_Interval_1536] = 1536, [V9_PMSIDR_EL1_Interval_2048] = 2048,
	[V9_PMSIDR_EL1_Interval_3072] = 3072, [V9_PMSIDR_EL1_Interval_4096] = 4096,
};

/*
 * D17.3.4: without a random part the interval is PMSIRR_EL1.INTERVAL (in operations) plus 1. With a
 * random part the mean is the same if the unit has FEAT_SPE_ERnd, else INTERVAL plus 128.
 */
static void evaluate(struct v9_interval *v, uint64_t pmsirr, uint64_t pmsidr, uint64_t known)
{
	const uint64_t reload = pmsirr & V9_PMSIRR_EL1_INTERVAL;
	const uint64_t field = V9_GET(V9_PMSIDR_EL1_Interval, pmsidr);

	if (!reload)
		return;
	v->reload = reload;
	v->random = pmsirr & V9_PMSIRR_EL1_RND;
	v->unsure = v->random && !(known & V9_PMSIDR_EL1_ERnd);
	v->mean = reload + (v->random && !(pmsidr & known & V9_PMSIDR_EL1_ERnd) ? 128 : 1);
	if ((known & V9_PMSIDR_EL1_Interval) && field < V9_ARRAY_SIZE(advised))
		v->least = advised[field];
	v->shorter = reload < v->least;
}

void v9_interval_change(struct v9_interval *v, uint64_t period)
{
	v->mean = v->mean ? v->mean + period - v->reload : 0;
	v->reload = period;
	v->shorter = period < v->least;
}

void v9_interval_read(struct v9_interval *v, const uint8_t *section, uint64_t size)
{
	uint64_t pmsirr = 0, pmsidr = 0, known = 0;
	struct pd_registers head;
	struct pd_register r;

	if (size < sizeof(head))
		return;
	memcpy(&head, section, sizeof(head));
	if (head.version != PD_REGISTERS_VERSION)
		return;
	size = (size - sizeof(head)) / sizeof(r);
	for (uint64_t i = 0; i < head.count && i < size; i++) {
		memcpy(&r, section + sizeof(head) + i * sizeof(r), sizeof(r));
		if (r.encoding == V9_SYS_PMSIRR_EL1 && !pmsirr) {
			pmsirr = r.value & r.mask;
		} else if (r.encoding == V9_SYS_PMSIDR_EL1 && !known) {
			pmsidr = r.value;
			known = r.mask;
		}
	}
	if (known & V9_PMSIDR_EL1_ArchInst)
		v->population = pmsidr & V9_PMSIDR_EL1_ArchInst ? V9_POPULATION_INSTRUCTIONS :
								  V9_POPULATION_OPERATIONS;
	evaluate(v, pmsirr, pmsidr, known);
}
