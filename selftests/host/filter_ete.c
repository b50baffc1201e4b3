// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers/lib/filter_ete.c: filters and the comparator values for them, typed from the manual;
 * refusals; each combination of ranges and points that a unit can hold.
 */
#include "tap.h"
#include "v9trace/attr.h"

static const struct v9_ete_id id = {
	.id_aa64dfr0 = 0x0000110000000010, .id_aa64mmfr0 = 0, .trbidr = 0x6,
	.trcidr = { 0x2801cea1, 0x4100fff0, 0xd0001088, 0x01700004, 0x11170004, 0x280709ff },
	.trcdevarch = 0x47705a13,
};

#define INCLUDE(a, s)	{ a, s, V9_FILTER_INCLUDE, false, false }
#define EXCLUDE(a, s)	{ a, s, V9_FILTER_EXCLUDE, false, false }
#define START(a)	{ a, 0, V9_FILTER_START, false, false }
#define STOP(a)		{ a, 0, V9_FILTER_STOP, false, false }
#define KERNEL_START(a)	{ a, 0, V9_FILTER_START, true, false }
#define IN_KERNEL(a, s)	{ a, s, V9_FILTER_INCLUDE, true, false }
#define ABSENT(type)	{ 0, type < V9_FILTER_START ? 16 : 0, type, false, true }

/* EXLEVEL bits that exclude all levels of the unit (Non-secure EL0 to EL2) except one */
#define AT_EL0	0x6000
#define AT_EL1	0x5000
#define AT_EL2	0x3000

static const struct {
	const char *name;
	bool at_el2;
	struct v9_filter f[8];
	unsigned int n;
	unsigned int event, ssstatus;	/* of TRCVICTLR */
	uint32_t viiectlr, vissctlr;
	unsigned int comparators;
	uint64_t acvr[8], acatr;	/* TRCACATR of all of them */
} rows[] = {
	{ "none", false, { INCLUDE(0, 0) }, 0, 1, 1, 0, 0, 0, { 0 }, 0 },
	/* shows: ETE-R_LLQPL ETE-R_MXCGD ETE-R_SKZHH */
	{ "include", false, { INCLUDE(0x400b40, 0x3c) }, 1, 1, 1, 0x1, 0, 2,
	  { 0x400b40, 0x400b7b }, AT_EL0 },
	{ "include_two", false, { INCLUDE(0x2000, 0x10), INCLUDE(0x1000, 4) }, 2, 1, 1, 0x3, 0, 4,
	  { 0x2000, 0x200f, 0x1000, 0x1003 }, AT_EL0 },
	{ "exclude", false, { EXCLUDE(0x400b40, 0x3c) }, 1, 1, 1, 0x10000, 0, 2,
	  { 0x400b40, 0x400b7b }, AT_EL0 },
	{ "include_and_exclude", false, { EXCLUDE(0x1010, 0x10), INCLUDE(0x1000, 0x40) }, 2, 1, 1,
	  0x10002, 0, 4, { 0x1010, 0x101f, 0x1000, 0x103f }, AT_EL0 },
	{ "kernel_at_el1", false, { IN_KERNEL(0xffff800080010000, 0x100) }, 1, 1, 1, 0x1, 0, 2,
	  { 0xffff800080010000, 0xffff8000800100ff }, AT_EL1 },
	{ "kernel_at_el2", true, { IN_KERNEL(0xffff800080010000, 0x100) }, 1, 1, 1, 0x1, 0, 2,
	  { 0xffff800080010000, 0xffff8000800100ff }, AT_EL2 },
	/* shows: ETE-R_XHFYQ ETE-S_MLDYK */
	{ "start_and_stop", false, { START(0x2000), STOP(0x1000) }, 2, 1, 0, 0, 0x00010002, 2,
	  { 0x1000, 0x2000 }, AT_EL0 },
	{ "points_in_order", false, { STOP(0x3000), START(0x2000), STOP(0x4000), START(0x1000) }, 4,
	  1, 0, 0, 0x000c0003, 4, { 0x1000, 0x2000, 0x3000, 0x4000 }, AT_EL0 },
	{ "the_same_point_twice", false, { START(0x2000), START(0x2000) }, 2, 1, 0, 0, 0x1, 1,
	  { 0x2000 }, AT_EL0 },
	{ "stop_only", false, { STOP(0x1000) }, 1, 1, 1, 0, 0x00010000, 1, { 0x1000 }, AT_EL0 },
	{ "ranges_before_points", false, { START(0x1004), INCLUDE(0x1000, 0x100), STOP(0x1008) }, 3,
	  1, 0, 0x1, 0x00080004, 4, { 0x1000, 0x10ff, 0x1004, 0x1008 }, AT_EL0 },
	/* An include filter without a range would trace everything. shows: ETE-R_SKZHH */
	{ "range_not_mapped_yet", false, { ABSENT(V9_FILTER_INCLUDE) }, 1, 0, 1, 0, 0, 0, { 0 },
	 0 },
	{ "one_of_two_mapped", false, { ABSENT(V9_FILTER_INCLUDE), INCLUDE(0x1000, 8) }, 2, 1, 1,
	  0x1, 0, 2, { 0x1000, 0x1007 }, AT_EL0 },
	{ "start_not_mapped_yet", false, { ABSENT(V9_FILTER_START) }, 1, 1, 0, 0, 0, 0, { 0 }, 0 },
	{ "exclude_not_mapped_yet", false, { ABSENT(V9_FILTER_EXCLUDE) }, 1, 1, 1, 0, 0, 0, { 0 },
	  0 },
};

static void prepare(struct v9_ete_unit *unit, struct v9_ete_reg_values *image, bool at_el2)
{
	struct v9_ete_request req = { .user = true, .kernel = true };
	struct v9_refusal no;
	const char *why;

	if (v9_ete_check_unit(&id, at_el2, unit, &why) ||
	    v9_ete_encode_regs(unit, &req, image, &no))
		tap_ok(false, "prepared");
}

static void typed(void)
{
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	unsigned int i, c, bad;
	const char *why;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		uint64_t victlr;

		prepare(&unit, &im, rows[i].at_el2);
		bad = v9_ete_check_filters(&unit, rows[i].f, rows[i].n, &why) ||
		      v9_ete_encode_filters(&unit, rows[i].f, rows[i].n, &im, &why);
		victlr = im.reg[V9_ETE_REG_TRCVICTLR];
		bad += (victlr & 0xff) != rows[i].event || (victlr >> 9 & 1) != rows[i].ssstatus;
		bad += im.reg[V9_ETE_REG_TRCVIIECTLR] != rows[i].viiectlr;
		bad += im.reg[V9_ETE_REG_TRCVISSCTLR] != rows[i].vissctlr;
		bad += im.comparators != rows[i].comparators;
		for (c = 0; c < rows[i].comparators; c++)
			bad += im.acvr[c] != rows[i].acvr[c] || im.acatr[c] != rows[i].acatr;
		tap_ok(!bad, "%s", rows[i].name);
	}
}

static const struct {
	const char *name;
	struct v9_filter f[9];
	unsigned int n;
	int err;
} refused[] = {
	{ "four_ranges_fit", { INCLUDE(0, 4), INCLUDE(8, 4), EXCLUDE(16, 4), EXCLUDE(24, 4) }, 4,
	 0 },
	{ "five_ranges", { INCLUDE(0, 4), INCLUDE(8, 4), INCLUDE(16, 4), INCLUDE(24, 4),
			   INCLUDE(32, 4) }, 5, -EOPNOTSUPP },
	{ "eight_points_fit", { START(0), START(4), START(8), START(12), START(16), START(20),
				START(24), START(28) }, 8, 0 },
	{ "nine_points", { START(0), START(4), START(8), START(12), START(16), START(20),
			   START(24), START(28), START(32) }, 9, -EOPNOTSUPP },
	{ "three_ranges_two_points_fit", { INCLUDE(0, 4), INCLUDE(8, 4), INCLUDE(16, 4), START(0),
					   STOP(8) }, 5, 0 },
	{ "three_ranges_three_points", { INCLUDE(0, 4), INCLUDE(8, 4), INCLUDE(16, 4), START(0),
					 STOP(8), STOP(12) }, 6, -EOPNOTSUPP },
	/* shows: ETE-R_MXCGD */
	{ "empty_range", { INCLUDE(0x1000, 0) }, 1, -EINVAL },
	{ "start_with_a_size", { { 0x1000, 4, V9_FILTER_START, false, false } }, 1, -EINVAL },
	{ "range_over_the_top", { IN_KERNEL(0xfffffffffffff000, 0x1001) }, 1, -EINVAL },
	{ "range_to_the_top", { IN_KERNEL(0xfffffffffffff000, 0x1000) }, 1, 0 },
	{ "point_between_instructions", { START(0x1001) }, 1, -EINVAL },
	{ "point_at_a_half_word", { START(0x1002) }, 1, 0 },
	{ "point_of_the_kernel", { KERNEL_START(0xffff800080010004) }, 1, 0 },
	{ "point_at_a_half_word_of_the_kernel", { KERNEL_START(0xffff800080010002) }, 1, -EINVAL },
};

static void refusals(void)
{
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	unsigned int i;

	prepare(&unit, &im, false);
	for (i = 0; i < V9_ARRAY_SIZE(refused); i++) {
		const char *why = NULL;
		int err = v9_ete_check_filters(&unit, refused[i].f, refused[i].n, &why);

		tap_ok(err == refused[i].err && !err == !why, "%s", refused[i].name);
	}
}

/* A start and a stop point at one address are UNPREDICTABLE: they are refused. */
static void contradiction(void)
{
	const struct v9_filter f[] = { START(0x1000), STOP(0x1000) };
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	const char *why = NULL;

	prepare(&unit, &im, false);
	/* shows: ETE-R_XHFYQ */
	tap_ok(v9_ete_encode_filters(&unit, f, 2, &im, &why) == -EINVAL && why,
	       "start_is_stop_refused");
	tap_eq(im.reg[V9_ETE_REG_TRCVICTLR] & 0xff, 0, "start_is_stop_traces_nothing");
}

/* Filters that are added, removed and changed, with the state of start and stop points */
static void again(void)
{
	const struct v9_filter points[] = { START(0x1000), STOP(0x2000) };
	const struct v9_filter moved[] = { START(0x5000), STOP(0x6000) };
	const struct v9_filter away[] = { ABSENT(V9_FILTER_START), ABSENT(V9_FILTER_STOP) };
	struct v9_ete_reg_values im, before;
	struct v9_ete_unit unit;
	const char *why;

#define STARTED (im.reg[V9_ETE_REG_TRCVICTLR] >> 9 & 1)
	prepare(&unit, &im, false);
	before = im;
	v9_ete_encode_filters(&unit, points, 2, &im, &why);
	/* shows: ETE-R_GRSVY */
	tap_eq(STARTED, 0, "waits_for_start");
	im.reg[V9_ETE_REG_TRCVICTLR] |= 1 << 9;		/* the unit has set it */
	v9_ete_encode_filters(&unit, moved, 2, &im, &why);
	tap_ok(STARTED && im.acvr[0] == 0x5000, "started_stays");
	v9_ete_encode_filters(&unit, away, 2, &im, &why);
	tap_eq(STARTED, 0, "another_program_begins_anew");
	v9_ete_encode_filters(&unit, NULL, 0, &im, &why);
	tap_ok(!memcmp(im.reg, before.reg, sizeof(im.reg)) && !im.comparators,
	       "no_filters_are_as_before");
}

/* The same with an option for which some filters have another meaning */
static void prepare_option(struct v9_ete_unit *unit, struct v9_ete_reg_values *image,
			   uint64_t config,
			   uint64_t config2, uint64_t config3)
{
	struct v9_ete_request req = {
		.config = { config, 0, config2, config3 }, .user = true, .kernel = true,
	};
	struct v9_refusal no;
	const char *why;

	if (v9_ete_check_unit(&id, false, unit, &why) ||
	    v9_ete_encode_regs(unit, &req, image, &no))
		tap_ok(false, "prepared_option");
}

#define BB(range)	(1 << 8 | (uint64_t)(range) << 54)

/* Ranges for branch broadcast, typed. shows: ETE-R_MHYFV */
static void broadcast(void)
{
	const struct v9_filter f[] = { EXCLUDE(0x2000, 0x100), INCLUDE(0x1000, 0x1000) };
	static const struct {
		const char *name;
		unsigned int range;
		uint32_t configr, bbctlr, viiectlr;
	} cases[] = {
		{ "broadcast_everywhere", 0, 0x9, 0x000, 0x10002 },
		{ "broadcast_in_included", 1, 0x9, 0x102, 0x10000 },
		{ "broadcast_in_excluded", 2, 0x9, 0x101, 0x00002 },
		{ "broadcast_but_in_excluded", 3, 0x9, 0x001, 0x00002 },
	};
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	const char *why;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		prepare_option(&unit, &im, BB(cases[i].range), 0, 0);
		tap_ok(!v9_ete_encode_filters(&unit, f, 2, &im, &why) &&
		       im.reg[V9_ETE_REG_TRCCONFIGR] == cases[i].configr &&
		       im.reg[V9_ETE_REG_TRCBBCTLR] == cases[i].bbctlr &&
		       im.reg[V9_ETE_REG_TRCVIIECTLR] == cases[i].viiectlr &&
		       (im.reg[V9_ETE_REG_TRCVICTLR] & 0x9f) == 1, "%s", cases[i].name);
	}
	/* No such range, or no longer: no broadcast, and everything is traced. */
	prepare_option(&unit, &im, BB(1), 0, 0);
	v9_ete_encode_filters(&unit, f, 2, &im, &why);
	v9_ete_encode_filters(&unit, f, 1, &im, &why);
	tap_ok(im.reg[V9_ETE_REG_TRCCONFIGR] == 1 && !im.reg[V9_ETE_REG_TRCBBCTLR] &&
	       (im.reg[V9_ETE_REG_TRCVICTLR] & 0x9f) == 1, "broadcast_nowhere");
	v9_ete_encode_filters(&unit, f, 2, &im, &why);
	tap_eq(im.reg[V9_ETE_REG_TRCCONFIGR], 9, "broadcast_again");
}

/* Ranges for Q elements, typed. shows: ETE-R_DTWYZ */
static void q_elements(void)
{
	const struct v9_filter f[] = { EXCLUDE(0x2000, 0x100), INCLUDE(0x1000, 0x1000) };
	static const struct {
		const char *name;
		unsigned int range;
		uint32_t qctlr, viiectlr;
	} cases[] = {
		{ "q_everywhere", 0, 0x000, 0x10002 },
		{ "q_in_included", 1, 0x102, 0x10000 },
		{ "q_in_excluded", 2, 0x101, 0x00002 },
		{ "q_but_in_excluded", 3, 0x001, 0x00002 },
	};
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	const char *why;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		prepare_option(&unit, &im, UINT64_C(1) << 30 | cases[i].range << 16, 0, 0);
		tap_ok(!v9_ete_encode_filters(&unit, f, 2, &im, &why) &&
		       im.reg[V9_ETE_REG_TRCCONFIGR] == 0x2001 && !im.reg[V9_ETE_REG_TRCBBCTLR] &&
		       im.reg[V9_ETE_REG_TRCQCTLR] == cases[i].qctlr &&
		       im.reg[V9_ETE_REG_TRCVIIECTLR] == cases[i].viiectlr &&
		       (im.reg[V9_ETE_REG_TRCVICTLR] & 0x9f) == 1, "%s", cases[i].name);
	}
	/* No such range any more: there are none. */
	prepare_option(&unit, &im, UINT64_C(1) << 30 | 1 << 16, 0, 0);
	v9_ete_encode_filters(&unit, f, 2, &im, &why);
	v9_ete_encode_filters(&unit, f, 1, &im, &why);
	tap_eq(im.reg[V9_ETE_REG_TRCQCTLR], 0x100, "q_nowhere");
}

static uint32_t sscc(const struct v9_ete_reg_values *im)
{
	int at = v9_ete_res_find(&im->res, V9_RES_SSCCR);

	return at < 0 ? 0 : im->res.value[at];
}

/* Points that are triggers use the comparators after all others. shows: ETE-R_XVVYX TRBE-TR1 */
static void triggers(void)
{
	const struct v9_filter f[] = { STOP(0x3000), START(0x4000), INCLUDE(0x1000, 0x1000),
				       STOP(0x800) };
	const struct v9_filter same[] = { START(0x4000), STOP(0x4000) };
	const struct v9_filter all[] = { INCLUDE(0, 4), INCLUDE(8, 4), INCLUDE(16, 4),
					 INCLUDE(24, 4) };
	const struct v9_filter away[] = { ABSENT(V9_FILTER_STOP) };
	const struct v9_filter many[] = { INCLUDE(0, 4), INCLUDE(8, 4), EXCLUDE(16, 4), START(0x1000), STOP(0x2000) };
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	const char *why = NULL;

	prepare_option(&unit, &im, 0, 1, 0);
	tap_ok(!v9_ete_encode_filters(&unit, f, 4, &im, &why) && im.comparators == 5 &&
	       im.acvr[2] == 0x4000 && im.acvr[3] == 0x3000 && im.acvr[4] == 0x800 &&
	       im.reg[V9_ETE_REG_TRCVISSCTLR] == 4 && sscc(&im) == 0x1000018 &&
	       im.acatr[4] == AT_EL0, "stop_points_are_triggers");
	tap_ok(!v9_ete_encode_filters(&unit, same, 2, &im, &why) && sscc(&im) == 0x1000002 &&
	       im.reg[V9_ETE_REG_TRCVISSCTLR] == 1, "it_may_start_there_too");
	v9_ete_encode_filters(&unit, away, 1, &im, &why);
	tap_ok(sscc(&im) == 0x1000000 && (im.reg[V9_ETE_REG_TRCVICTLR] & 0x9f) == 1,
	       "no_trigger_yet_traces_all");

	prepare_option(&unit, &im, 0, 3, UINT64_C(0x400b40) >> 2 << 12);
	tap_ok(im.comparators == 1 && im.acvr[0] == 0x400b40 && im.acatr[0] == AT_EL0 &&
	       sscc(&im) == 0x1000001 && im.more, "address_of_a_program");
	tap_ok(!v9_ete_encode_filters(&unit, f, 4, &im, &why) && im.comparators == 6 &&
	       im.acvr[5] == 0x400b40 && sscc(&im) == 0x1000020 &&
	       im.reg[V9_ETE_REG_TRCVISSCTLR] == 0xc0010, "beside_stop_points_that_stop");
	tap_ok(v9_ete_encode_filters(&unit, all, 4, &im, &why) == -EOPNOTSUPP && why &&
	       !(im.reg[V9_ETE_REG_TRCVICTLR] & 0x9f) && !im.reg[V9_ETE_REG_TRCVIIECTLR] &&
	       sscc(&im) == 0x1000000, "no_comparator_left_traces_nothing");
	tap_ok(v9_ete_encode_filters(&unit, many, 5, &im, &why) == -EOPNOTSUPP && !im.comparators &&
	       !im.reg[V9_ETE_REG_TRCVISSCTLR], "no_comparator_left_for_points");
	tap_ok(!v9_ete_encode_filters(&unit, many + 1, 3, &im, &why) && im.comparators == 6 &&
	       im.reg[V9_ETE_REG_TRCVISSCTLR] == 0x10 && im.reg[V9_ETE_REG_TRCVIIECTLR] == 0x20001 &&
	       (im.reg[V9_ETE_REG_TRCVICTLR] & 0x29f) == 1, "enough_comparators_again");
	prepare_option(&unit, &im, 0, 3, UINT64_C(0x3f800080010000) >> 2 << 12);
	tap_ok(im.acvr[0] == 0xffff800080010000 && im.acatr[0] == AT_EL1, "address_of_the_kernel");
}

/* Each combination of up to eight: comparators sorted, pairs with equal types, or refused. */
static void sweep(void)
{
	unsigned int mix, bad = 0, held = 0, full = 0;
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	const char *why;

	prepare(&unit, &im, false);
	for (mix = 0; mix < 1 << 16; mix += 7) {
		struct v9_filter f[8];
		unsigned int i, wanted = 0;
		uint64_t last = 0, points, ranges;

		for (i = 0; i < 8; i++) {
			uint8_t type = mix >> 2 * i & 3;

			f[i] = (struct v9_filter){ .addr = 0x1000 + (i * 5 + mix) % 8 * 0x100,
						   .size = type < V9_FILTER_START ? 0x80 : 0,
						   .type = type };
			wanted += type < V9_FILTER_START ? 2 : 1;
			if (wanted > 8)
				break;
		}
		full += i < 8;
		bad += v9_ete_check_filters(&unit, f, i, &why) != 0;
		bad += v9_ete_encode_filters(&unit, f, i, &im, &why) != 0;
		held += im.comparators;
		points = im.reg[V9_ETE_REG_TRCVISSCTLR] | im.reg[V9_ETE_REG_TRCVISSCTLR] >> 16;
		ranges = im.reg[V9_ETE_REG_TRCVIIECTLR] | im.reg[V9_ETE_REG_TRCVIIECTLR] >> 16;
		bad += im.comparators > 8;
		for (i = 0; i < im.comparators; i++) {
			bool range = ranges >> i / 2 & 1, point = points >> i & 1;

			bad += range == point;
			if (range && !(i & 1))
				bad += im.acvr[i] >= im.acvr[i + 1] || im.acatr[i] != im.acatr[i +
				       1];
			if (point)
				bad += im.acvr[i] <= last;
			if (point)
				last = im.acvr[i];
		}
	}
	/* shows: ETE-R_XHFYQ ETE-R_MXCGD */
	tap_eq(bad, 0, "every_mix_is_held_rightly");
	tap_ok(held > 10000 && full > 1000, "mixes_were_made");
}

int main(void)
{
	typed();
	refusals();
	contradiction();
	again();
	broadcast();
	q_elements();
	triggers();
	sweep();
	return tap_done();
}
