// SPDX-License-Identifier: GPL-2.0-only
/*
 * lib/attr_ete.c: requests and the register values typed from the manual for
 * them; units that are refused; trace IDs.
 */
#include "tap.h"
#include "v9trace/attr.h"
// link: lib/attr_ete.c lib/attr.c

/* A unit with everything that we use, and one with nothing optional. */
static const struct v9_ete_id full = {
	.id_aa64dfr0 = 0x0000110000000010, .id_aa64mmfr0 = 0, .trbidr = 0x6,
	.trcidr = { 0x28000ea1, 0x4100fff0, 0xd0001088, 0x01700004, 0x11170004, 0x280709ff },
	.trcdevarch = 0x47705a13,
};

static const struct v9_ete_id least = {
	.id_aa64dfr0 = 0x0000110000000010, .id_aa64mmfr0 = 0, .trbidr = 0x0,
	.trcidr = { 0x280000a1, 0x4100fff0, 0x10001088, 0x00300004, 0, 0 },
	.trcdevarch = 0x47705a13,
};

#define USER 1
#define KERNEL 2

static const struct {
	const char *name;
	const struct v9_ete_id *id;
	bool at_el2;
	unsigned int who;
	uint64_t config, config3;
	int err;
	uint64_t configr, victlr, trfcr, tsctlr, ccctlr, counter;
} rows[] = {
	/* shows: ETE-R_PTVTD ETE-R_JNXJT TRBE-OW7 */
	{ "user", &full, false, USER, 0, 0, 0, 0x1, 0x00600201, 0x21, 0, 0, 0 },
	{ "kernel_at_el1", &full, false, KERNEL, 0, 0, 0, 0x1, 0x00500201, 0x22, 0, 0, 0 },
	{ "kernel_at_el2", &full, true, KERNEL, 0, 0, 0, 0x1, 0x00300201, 0x22, 0, 0, 0 },
	{ "both", &full, true, USER | KERNEL, 0, 0, 0, 0x1, 0x00200201, 0x23, 0, 0, 0 },
	{ "levels_that_exist", &least, false, USER, 0, 0, 0, 0x1, 0x00200201, 0x21, 0, 0, 0 },
	{ "neither", &full, false, 0, 0, 0, -EINVAL, 0, 0, 0, 0, 0, 0 },
	{ "return_stack", &full, false, USER, 1 << 29, 0, 0, 0x1001, 0x00600201, 0x21, 0, 0, 0 },
	{ "return_stack_absent", &least, false, USER, 1 << 29, 0, -EOPNOTSUPP, 0, 0, 0, 0, 0, 0 },
	{ "broadcast", &full, false, USER, 1 << 8, 0, 0, 0x9, 0x00600201, 0x21, 0, 0, 0 },
	{ "thread_at_el1", &full, false, USER, 1 << 14, 0, 0, 0x41, 0x00600201, 0x21, 0, 0, 0 },
	{ "thread_at_el2", &full, true, USER, 1 << 15, 0, 0, 0x8081, 0x00600201, 0x29, 0, 0, 0 },
	{ "thread_at_el2_from_el1", &full, false, USER, 1 << 15, 0, -EOPNOTSUPP, 0, 0, 0, 0, 0, 0 },
	{ "time_always", &full, false, USER, 0x10, 0, 0, 0x801, 0x00600201, 0x21, 1, 0, 0 },
	{ "time_as_before", &full, false, USER, 1 << 28, 0, 0, 0x801, 0x00600201, 0x21, 1, 0, 0 },
	/* shows: ETE-R_SBQPN */
	{ "time_each_8_cycles", &full, false, USER, 0x40, 0, 0, 0x801, 0x00600201, 0x21, 2, 0, 7 },
	{ "time_each_8192_cycles", &full, false, USER, 0xe0, 0, 0, 0x801, 0x00600201, 0x21, 2, 0,
	  8191 },
	{ "time_at_synchronization", &full, false, USER, 0xf0, 0, 0, 0x801, 0x00600201, 0x21, 0,
	  0, 0 },
	{ "time_without_counter", &least, false, USER, 0x40, 0, -EOPNOTSUPP, 0, 0, 0, 0, 0, 0 },
	{ "time_always_without_counter", &least, false, USER, 0x10, 0, 0, 0x801, 0x00200201, 0x21,
	  1, 0, 0 },
	/* shows: ETE-R_KJXDK */
	{ "cycles", &full, false, USER, 1 << 12, 0, 0, 0x11, 0x00600201, 0x21, 0, 256, 0 },
	{ "cycles_each_16", &full, false, USER, 1 << 12, 16, 0, 0x11, 0x00600201, 0x21, 0, 16, 0 },
	{ "cycles_too_often", &full, false, USER, 1 << 12, 1, 0, 0x11, 0x00600201, 0x21, 0, 4, 0 },
	{ "threshold_without_cycles", &full, false, USER, 0, 16, -EINVAL, 0, 0, 0, 0, 0, 0 },
	{ "bit_of_nothing", &full, false, USER, 1, 0, -EINVAL, 0, 0, 0, 0, 0, 0 },
	{ "bit_of_nothing_config3", &full, false, USER, 1 << 12, 1 << 12, -EINVAL, 0, 0, 0, 0, 0,
	  0 },
};

static void requests(void)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_ete_request req = {
			.config = { rows[i].config, 0, 0, rows[i].config3 },
			.user = rows[i].who & USER, .kernel = rows[i].who & KERNEL,
		};
		const char *why = NULL;
		struct v9_ete_image im;
		struct v9_ete_unit unit;
		int err;

		if (v9_ete_judge_unit(rows[i].id, rows[i].at_el2, &unit, &why)) {
			tap_ok(false, "%s", rows[i].name);
			continue;
		}
		err = v9_ete_encode_image(&unit, &req, &im, &why);
		tap_ok(err == rows[i].err && !!err == !!why &&
		       (err || (im.reg[V9_ETE_IMAGE_TRCCONFIGR] == rows[i].configr &&
				im.reg[V9_ETE_IMAGE_TRCVICTLR] == rows[i].victlr &&
				im.reg[V9_ETE_IMAGE_TRFCR] == rows[i].trfcr &&
				im.reg[V9_ETE_IMAGE_TRCTSCTLR] == rows[i].tsctlr &&
				im.reg[V9_ETE_IMAGE_TRCCCCTLR] == rows[i].ccctlr &&
				im.reg[V9_ETE_IMAGE_TRCCNTRLDVR0] == rows[i].counter &&
				(rows[i].tsctlr != 2 ||
				 (im.reg[V9_ETE_IMAGE_TRCRSCTLR2] == 0x20001 &&
				  im.reg[V9_ETE_IMAGE_TRCCNTCTLR0] == 0x10001)))),
		       "%s", rows[i].name);
		if (!err)
			tap_ok(v9_ete_needs_privilege(&im) == !!(rows[i].configr & 0xc0),
			       "%s_privilege", rows[i].name);
	}
}

static void refusals(void)
{
	struct v9_ete_unit unit;
	const char *why = NULL;
	struct v9_ete_id id;

#define REFUSED(name, error, member, value) do { \
	id = full; \
	id.member = value; \
	why = NULL; \
	tap_ok(v9_ete_judge_unit(&id, false, &unit, &why) == (error) && why, name); \
} while (0)
	/* shows: TRBE-PR1 TRBE-PR2 TRBE-PR3 TRBE-OW8 */
	REFUSED("no_trace_unit", -ENODEV, id_aa64dfr0, 0x0000110000000000);
	REFUSED("no_trace_buffer", -ENODEV, id_aa64dfr0, 0x0000010000000010);
	REFUSED("no_trace_filter", -ENXIO, id_aa64dfr0, 0x0000100000000010);
	REFUSED("owned_above", -EPERM, trbidr, 0x16);
	REFUSED("physical_only", -ENXIO, trbidr, 0x86);
	REFUSED("align_reserved", -ENXIO, trbidr, 0xc);
	REFUSED("not_ete", -ENXIO, trcdevarch, 0x47704a14);
	REFUSED("no_granule", -ENXIO, id_aa64mmfr0, 0xff000000);
}

static void ids(void)
{
	unsigned int cpu, bad = 0;
	bool used[128] = { false };

	for (cpu = 0; cpu < 111; cpu++) {
		unsigned int id = v9_ete_trace_id(cpu);

		bad += id < 1 || id > 0x6f || used[id & 127] || (cpu < 48 && id != 0x10 + 2 * cpu);
		used[id & 127] = true;
	}
	tap_eq(bad, 0, "trace_ids_differ");
	tap_ok(v9_ete_trace_id(111) >= 1 && v9_ete_trace_id(4095) <= 0x6f, "trace_ids_in_range");
}

static void table(void)
{
	const struct v9_option *o, *p;
	unsigned int i, j, bad = 0;

	for (i = 0; (o = v9_ete_option(i)); i++)
		for (j = 0; (p = v9_ete_option(j)); j++)
			bad += i != j && o->word == p->word &&
			       (v9_option_mask(o) & v9_option_mask(p));
	tap_ok(i == 7 && !bad, "options_share_no_bit");
}

int main(void)
{
	requests();
	refusals();
	ids();
	table();
	return tap_done();
}
