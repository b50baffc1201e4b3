// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers/lib/attr_ete.c: requests, and the register values for them, typed from the manual; units
 * that are refused; trace IDs.
 */
#include <string.h>

#include "tap.h"
#include "v9trace/attr.h"
#include "v9trace/uapi.h"

/* A unit with all features in use, and one without optional features */
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
	/* shows: ETE-R_PTVYD ETE-R_JNXJT TRBE-OW7 */
	{ "user", &full, false, USER, 0, 0, 0, 0x1, 0x00600201, 0x21, 0, 0, 0 },
	{ "kernel_at_el1", &full, false, KERNEL, 0, 0, 0, 0x1, 0x00500201, 0x22, 0, 0, 0 },
	{ "kernel_at_el2", &full, true, KERNEL, 0, 0, 0, 0x1, 0x00300201, 0x62, 0, 0, 0 },
	{ "both", &full, true, USER | KERNEL, 0, 0, 0, 0x1, 0x00200201, 0x63, 0, 0, 0 },
	{ "levels_that_exist", &least, false, USER, 0, 0, 0, 0x1, 0x00200201, 0x21, 0, 0, 0 },
	{ "neither", &full, false, 0, 0, 0, -EINVAL, 0, 0, 0, 0, 0, 0 },
	{ "return_stack", &full, false, USER, 1 << 29, 0, 0, 0x1001, 0x00600201, 0x21, 0, 0, 0 },
	{ "return_stack_absent", &least, false, USER, 1 << 29, 0, -EOPNOTSUPP, 0, 0, 0, 0, 0, 0 },
	{ "broadcast", &full, false, USER, 1 << 8, 0, 0, 0x9, 0x00600201, 0x21, 0, 0, 0 },
	{ "thread_at_el1", &full, false, USER, 1 << 14, 0, 0, 0x41, 0x00600201, 0x21, 0, 0, 0 },
	{ "thread_at_el2", &full, true, USER, 1 << 15, 0, 0, 0x8081, 0x00600201, 0x69, 0, 0, 0 },
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
	/* Without resource selectors there is no timestamp event: the field is RES0 (D24.4.66). */
	{ "time_without_selectors", &least, false, USER, 0x10, 0, 0, 0x801, 0x00200201, 0x21,
	  0, 0, 0 },
	/* shows: ETE-R_KJXDK */
	{ "cycles", &full, false, USER, 1 << 12, 0, 0, 0x11, 0x00600201, 0x21, 0, 256, 0 },
	{ "cycles_each_16", &full, false, USER, 1 << 12, 16, 0, 0x11, 0x00600201, 0x21, 0, 16, 0 },
	{ "cycles_too_often", &full, false, USER, 1 << 12, 1, 0, 0x11, 0x00600201, 0x21, 0, 4, 0 },
	{ "threshold_without_cycles", &full, false, USER, 0, 16, -EINVAL, 0, 0, 0, 0, 0, 0 },
	{ "bit_of_nothing", &full, false, USER, 1 << 9, 0, -EINVAL, 0, 0, 0, 0, 0, 0 },
	{ "address_of_no_trigger", &full, false, USER, 1 << 12, 1 << 12, -EINVAL, 0, 0, 0, 0, 0,
	  0 },
};

/* Value of a resource register in the register values; 0xffffffff if it is not there */
static uint32_t resource(const struct v9_ete_reg_values *im, unsigned int reg)
{
	int at = v9_ete_res_find(&im->res, reg);

	return at < 0 ? ~0u : im->res.value[at];
}

static void requests(void)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_ete_request req = {
			.config = { rows[i].config, 0, 0, rows[i].config3 },
			.user = rows[i].who & USER, .kernel = rows[i].who & KERNEL,
		};
		struct v9_refusal no;
		const char *why = NULL;
		struct v9_ete_reg_values im;
		struct v9_ete_unit unit;
		int err;

		if (v9_ete_check_unit(rows[i].id, rows[i].at_el2, &unit, &why)) {
			tap_ok(false, "%s", rows[i].name);
			continue;
		}
		err = v9_ete_encode_regs(&unit, &req, &im, &no);
		tap_ok(err == rows[i].err && !!err == !!no.why &&
		       (err || (im.reg[V9_ETE_REG_TRCCONFIGR] == rows[i].configr &&
				im.reg[V9_ETE_REG_TRCVICTLR] == rows[i].victlr &&
				im.reg[V9_ETE_REG_TRFCR] == rows[i].trfcr &&
				im.reg[V9_ETE_REG_TRCTSCTLR] == rows[i].tsctlr &&
				im.reg[V9_ETE_REG_TRCCCCTLR] == rows[i].ccctlr &&
				im.reg[V9_ETE_REG_TRCRSR] == 0x1000 && im.features == unit.features &&
				(rows[i].tsctlr != 2 ||
				 (resource(&im, V9_RES_CNTRLDVR) == rows[i].counter &&
				  resource(&im, V9_RES_RSCTLR) == 0x20001 &&
				  resource(&im, V9_RES_CNTCTLR) == 0x10001)))),
		       "%s", rows[i].name);
		if (!err)
			tap_ok(v9_ete_shows_threads(&im) == !!(rows[i].configr & 0xc0),
			       "%s_privilege", rows[i].name);
	}
}

/* Options that stock perf does not have, and their register values or resources */
#define RES(reg)	(0x100 + V9_RES_##reg)
#define REG(reg)	V9_ETE_REG_##reg

/* A unit that can stall its PE, one with three of each resource, and others */
static const struct v9_ete_id stalls = {
	.id_aa64dfr0 = 0x0000110000000010, .id_aa64mmfr0 = 0, .trbidr = 0x6,
	.trcidr = { 0x28000ea1, 0x4100fff0, 0xd0001088, 0x8d700004, 0x11170004, 0x280709ff },
	.trcdevarch = 0x47705a13,
};

/* Units with FEAT_ITE, and one where only one of the two ID fields says so */
static const struct v9_ete_id with_ite = {
	.id_aa64dfr0 = 0x0000110000000010, .id_aa64dfr1 = 0x0000100000000000, .trbidr = 0x6,
	.trcidr = { 0x28400ea1, 0x4100fff0, 0xd0001088, 0x01700004, 0x11170004, 0x280709ff },
	.trcdevarch = 0x47705a13,
};

/* Two PE comparator inputs, with and without external ones */
static const struct v9_ete_id compares = {
	.id_aa64dfr0 = 0x0000110000000010, .trbidr = 0x6,
	.trcidr = { 0x28000ea1, 0x4100fff0, 0xd0001088, 0x01700004, 0x11172004, 0x280709ff },
	.trcdevarch = 0x47705a13,
};

static const struct v9_ete_id compares_only = {
	.id_aa64dfr0 = 0x0000110000000010, .trbidr = 0x6,
	.trcidr = { 0x28000ea1, 0x4100fff0, 0xd0001088, 0x01700004, 0x11172004, 0x280701ff },
	.trcdevarch = 0x47705a13,
};

/* Q elements: TRCIDR0.QSUPP 3 and QFILT; 1; 2 */
#define WITH_Q(name, idr0) \
	static const struct v9_ete_id name = { \
		.id_aa64dfr0 = 0x0000110000000010, .id_aa64mmfr0 = 0, .trbidr = 0x6, \
		.trcidr = { idr0, 0x4100fff0, 0xd0001088, 0x01700004, 0x11170004, 0x280709ff }, \
		.trcdevarch = 0x47705a13, \
	}

WITH_Q(with_q, 0x2801cea1);
WITH_Q(q_counted, 0x28008ea1);
WITH_Q(q_uncounted, 0x28010ea1);

static const struct v9_ete_id half_ite = {
	.id_aa64dfr0 = 0x0000110000000010, .trbidr = 0x6,
	.trcidr = { 0x28400ea1, 0x4100fff0, 0xd0001088, 0x01700004, 0x11170004, 0x280709ff },
	.trcdevarch = 0x47705a13,
};

static const struct {
	const char *name;
	const struct v9_ete_id *id;
	bool at_el2;
	uint64_t config[4];
	int err;
	const char *about;		/* option that a refusal names */
	struct {
		unsigned int reg;
		uint64_t value;
	} holds[12];
} chosen[] = {
	/* shows: ETE-R_QHHSY */
	{ "sync_by_default", &full, false, { 0 }, 0, "", { { REG(TRCSYNCPR), 12 } } },
	{ "sync_each_256_bytes", &full, false, { UINT64_C(8) << 49 }, 0, "",
	  { { REG(TRCSYNCPR), 8 } } },
	{ "sync_each_mib", &full, false, { UINT64_C(20) << 49 }, 0, "",
	  { { REG(TRCSYNCPR), 20 } } },
	{ "sync_too_often", &full, false, { UINT64_C(7) << 49 }, -EINVAL, "sync_period",
	  { { 0 } } },
	{ "sync_too_rare", &full, false, { UINT64_C(21) << 49 }, -EINVAL, "sync_period",
	  { { 0 } } },
	/* shows: ETE-I_BLBJX */
	{ "physical_time", &full, false, { 0x10 | UINT64_C(3) << 56 }, 0, "",
	  { { REG(TRFCR), 0x61 } } },
	{ "guest_physical_time", &full, false, { 1 << 28 | UINT64_C(2) << 56 }, 0, "",
	  { { REG(TRFCR), 0x41 } } },
	{ "source_of_no_time", &full, false, { UINT64_C(3) << 56 }, -EINVAL, "ts_source",
	  { { 0 } } },
	/* shows: ETE-R_YSPHL */
	{ "stall", &stalls, false, { UINT64_C(5) << 58 }, 0, "", { { REG(TRCSTALLCTLR), 0x105 } } },
	{ "stall_until_nothing_is_lost", &stalls, false, { UINT64_C(15) << 58 | UINT64_C(1) << 62 },
	  0, "", { { REG(TRCSTALLCTLR), 0x210f } } },
	{ "no_overflow_without_stall", &stalls, false, { UINT64_C(1) << 62 }, -EINVAL, "nooverflow",
	  { { 0 } } },
	{ "stall_absent", &full, false, { UINT64_C(5) << 58 }, -EOPNOTSUPP, "stall", { { 0 } } },
	/* 100 of each 5000 cycles. shows: ETE-R_YLYPH ETE-R_NPVRQ */
	{ "strobe", &full, false, { 0, 50 << 16 | 100 }, 0, "",
	  { { RES(CNTCTLR), 0x10001 }, { RES(CNTRLDVR), 99 }, { RES(CNTVR), 99 },
	    { RES(CNTCTLR) + 1, 0x10002 }, { RES(CNTRLDVR) + 1, 49 }, { RES(RSCTLR), 0x20001 },
	    { RES(RSCTLR) + 1, 0x20002 }, { RES(SEQEVR), 0x0203 }, { RES(SEQSTR), 0 },
	    { RES(SEQRSTEVR), 0 }, { RES(RSCTLR) + 2, 0x20020 }, { REG(TRCVICTLR), 0x00600204 } } },
	{ "window_without_period", &full, false, { 0, 100 }, -EINVAL, "strobe_window", { { 0 } } },
	{ "period_without_window", &full, false, { 0, 50 << 16 }, -EINVAL, "strobe_period",
	  { { 0 } } },
	{ "window_all_the_time", &full, false, { 0, 1 << 16 | 100 }, -EINVAL, "strobe_window",
	  { { 0 } } },
	/* TRCCNTRLDVR<n> is one less: 5000 cycles, and 4096 windows of them. */
	{ "preset_before_others", &full, false, { 9, 10000 << 16 | 500 }, 0, "",
	  { { RES(CNTRLDVR), 4999 }, { RES(CNTVR), 4999 }, { RES(CNTRLDVR) + 1, 4095 } } },
	{ "preset_before_a_window_of_one", &full, false, { 1, 1 << 16 | 1 }, 0, "",
	  { { RES(CNTRLDVR), 4999 }, { RES(CNTRLDVR) + 1, 1 } } },
	{ "preset_of_none", &full, false, { 0, 10000 << 16 | 500 }, 0, "",
	  { { RES(CNTRLDVR), 499 }, { RES(CNTRLDVR) + 1, 9999 } } },
	{ "preset_too_high", &full, false, { 10, 10000 << 16 | 5000 }, -EINVAL, "preset",
	  { { 0 } } },
	{ "preset_of_nothing", &full, false, { 9 }, -EINVAL, "preset", { { 0 } } },
	{ "preset_of_a_window_only", &full, false, { 9, 5000 }, -EINVAL, "preset", { { 0 } } },
	{ "preset_absent", &least, false, { 9 }, -EOPNOTSUPP, "preset", { { 0 } } },
	{ "strobe_absent", &least, false, { 0, 50 << 16 | 100 }, -EOPNOTSUPP, "strobe_window",
	  { { 0 } } },
	/* Two of two counters are in use. */
	{ "strobe_and_time", &full, false, { 0x40, 50 << 16 | 100 }, -EOPNOTSUPP, "strobe_period",
	  { { 0 } } },
	/* shows: ETE-R_DCCBY */
	{ "match_at_el1", &full, false, { 0, UINT64_C(0x1234) << 32 }, 0, "",
	  { { RES(CIDCVR), 0x1234 }, { RES(CIDCCTLR), 0 }, { RES(RSCTLR), 0x60001 },
	    { REG(TRCVICTLR), 0x00600202 }, { REG(TRFCR), 0x21 } } },
	/* shows: ETE-R_RTRBM */
	{ "match_at_el2", &full, true, { 0, UINT64_C(0x1234) << 32, 1 << 2 }, 0, "",
	  { { RES(VMIDCVR), 0x1234 }, { RES(VMIDCCTLR), 1 }, { RES(RSCTLR), 0x70001 },
	    { REG(TRCVICTLR), 0x00600202 }, { REG(TRFCR), 0x69 }, { REG(TRCCONFIGR), 0x8001 } } },
	{ "mask_of_nothing", &full, false, { 0, 0, 1 << 2 }, -EINVAL, "contextid_mask", { { 0 } } },
	{ "match_absent", &least, false, { 0, UINT64_C(1) << 32 }, -EOPNOTSUPP, "contextid_match",
	  { { 0 } } },
	/* Both: a pair of selectors. shows: ETE-R_KTNJM */
	{ "match_and_strobe", &full, false, { 0, UINT64_C(7) << 32 | 50 << 16 | 100 }, 0, "",
	  { { RES(RSCTLR) + 2, 0x20020 }, { RES(RSCTLR) + 3, 0x60001 },
	    { REG(TRCVICTLR), 0x00600282 } } },
	/* shows: ETE-R_YCNCR ETE-I_YRQCN */
	{ "input_event", &full, false, { UINT64_C(1) << 48 | UINT64_C(0x11) << 32 }, 0, "",
	  { { RES(EXTINSELR), 0x11 }, { RES(RSCTLR), 0x00001 },
	    { REG(TRCEVENTCTL0R), 0x02000000 }, { REG(TRCEVENTCTL1R), 8 } } },
	{ "input_for_nothing", &full, false, { UINT64_C(0x11) << 32 }, -EINVAL, "input",
	  { { 0 } } },
	/* A unit with two. shows: ETE-R_CNVSS */
	{ "pe_input_event", &compares, false, { UINT64_C(1) << 48, 0, 2 << 8 }, 0, "",
	  { { RES(RSCTLR), 0x10002 }, { REG(TRCEVENTCTL0R), 0x02000000 },
	    { REG(TRCEVENTCTL1R), 8 } } },
	{ "pe_inputs_trigger", &compares, false, { 0, 0, 3 << 8 | 2 }, 0, "",
	  { { RES(RSCTLR), 0x10003 }, { REG(TRCEVENTCTL0R), 2 } } },
	{ "pe_input_for_nothing", &compares, false, { 0, 0, 1 << 8 }, -EINVAL, "pe_input",
	  { { 0 } } },
	{ "pe_input_beside_another", &compares, false,
	  { UINT64_C(1) << 48 | UINT64_C(0x11) << 32, 0, 1 << 8 }, -EINVAL, "pe_input", { { 0 } } },
	{ "pe_input_too_high", &compares, false, { UINT64_C(1) << 48, 0, 4 << 8 }, -EOPNOTSUPP,
	  "pe_input", { { 0 } } },
	{ "pe_input_absent", &full, false, { UINT64_C(1) << 48, 0, 1 << 8 }, -EOPNOTSUPP,
	  "pe_input", { { 0 } } },
	{ "pe_inputs_only", &compares_only, false, { UINT64_C(1) << 48 }, -EOPNOTSUPP,
	  "input_event", { { 0 } } },
	/* shows: TRBE-TR1 ETE-R_XVVYX */
	{ "trigger_at_a_point", &full, false, { 0, 0, 1 | UINT64_C(4096) << 32 }, 0, "",
	  { { RES(SSCCR), 0x1000000 }, { RES(SSCSR), 0 }, { RES(RSCTLR), 0x30001 },
	    { REG(TRCEVENTCTL0R), 2 }, { REG(TRCEVENTCTL1R), 1 } } },
	{ "trigger_by_input", &full, false, { UINT64_C(0x400c) << 32, 0, 2 }, 0, "",
	  { { RES(EXTINSELR), 0x400c }, { RES(RSCTLR), 0x00001 }, { REG(TRCEVENTCTL0R), 2 } } },
	{ "trigger_at_the_tenth", &full, false, { 0, 0, 1 | 10 << 16 }, 0, "",
	  { { RES(RSCTLR), 0x30001 }, { RES(CNTCTLR), 0x10002 }, { RES(CNTRLDVR), 9 },
	    { RES(RSCTLR) + 1, 0x20001 }, { REG(TRCEVENTCTL0R), 3 } } },
	{ "trigger_at_an_address", &full, false, { 0, 0, 3, UINT64_C(0x400b40) >> 2 << 12 }, 0, "",
	  { { RES(SSCCR), 0x1000001 }, { REG(TRCEVENTCTL0R), 2 } } },
	{ "trigger_and_input", &full, false,
	  { UINT64_C(1) << 48 | UINT64_C(0x11) << 32, 0, 2 }, 0, "",
	  { { REG(TRCEVENTCTL0R), 0x02000002 }, { REG(TRCEVENTCTL1R), 9 } } },
	{ "trigger_at_no_address", &full, false, { 0, 0, 3 }, -EINVAL, "trigger_address",
	  { { 0 } } },
	{ "after_no_trigger", &full, false, { 0, 0, UINT64_C(1) << 32 }, -EINVAL, "trigger_after",
	  { { 0 } } },
	{ "trigger_absent", &least, false, { 0, 0, 1 }, -EOPNOTSUPP, "trigger", { { 0 } } },
	/* shows: ETE-R_SJXYS ETE-R_NCXJN */
	{ "serror_is_reported", &full, false, { 0, 0, 1 << 6 }, 0, "",
	  { { REG(TRCVICTLR), 0x00600a01 } } },
	{ "serror_absent", &least, false, { 0, 0, 1 << 6 }, -EOPNOTSUPP, "trcerr", { { 0 } } },
	{ "reset_is_reported", &least, false, { 0, 0, 1 << 7 }, 0, "",
	  { { REG(TRCVICTLR), 0x00200601 } } },
	/* shows: ETE-R_FLGVJ */
	{ "instrumentation", &with_ite, false, { UINT64_C(1) << 63 }, 0, "",
	  { { REG(TRCITECR), 1 }, { REG(TRCCONFIGR), 0x1 } } },
	{ "instrumentation_at_el2", &with_ite, true, { UINT64_C(1) << 63 }, 0, "",
	  { { REG(TRCITECR), 1 } } },
	{ "instrumentation_unrequested", &with_ite, false, { 0 }, 0, "", { { REG(TRCITECR), 0 } } },
	{ "instrumentation_absent", &full, false, { UINT64_C(1) << 63 }, -EOPNOTSUPP,
	  "instrumentation", { { 0 } } },
	{ "instrumentation_of_half", &half_ite, false, { UINT64_C(1) << 63 }, -EOPNOTSUPP,
	  "instrumentation", { { 0 } } },
	/* shows: ETE-R_MHYFV */
	{ "range_of_no_broadcast", &full, false, { UINT64_C(1) << 54 }, -EINVAL, "bb_range",
	  { { 0 } } },
	{ "broadcast_but_in_ranges", &full, false, { 1 << 8 | UINT64_C(3) << 54 }, 0, "",
	  { { REG(TRCCONFIGR), 0x9 }, { REG(TRCBBCTLR), 0 } } },
	/* shows: ETE-R_SGFHP ETE-R_DTWYZ */
	{ "q_with_counts", &with_q, false, { UINT64_C(1) << 30 }, 0, "",
	  { { REG(TRCCONFIGR), 0x2001 }, { REG(TRCQCTLR), 0 } } },
	{ "q_of_both_kinds", &with_q, false, { UINT64_C(3) << 30 }, 0, "",
	  { { REG(TRCCONFIGR), 0x6001 }, { REG(TRCQCTLR), 0 } } },
	{ "q_reserved", &with_q, false, { UINT64_C(2) << 30 }, -EINVAL, "q_elements", { { 0 } } },
	{ "q_and_broadcast", &with_q, false, { UINT64_C(1) << 30 | 1 << 8 }, -EINVAL, "q_elements",
	  { { 0 } } },
	{ "q_absent", &full, false, { UINT64_C(1) << 30 }, -EOPNOTSUPP, "q_elements", { { 0 } } },
	{ "q_counted_only", &q_counted, false, { UINT64_C(3) << 30 }, -EOPNOTSUPP, "q_elements",
	  { { 0 } } },
	{ "q_counted", &q_counted, false, { UINT64_C(1) << 30 }, 0, "",
	  { { REG(TRCCONFIGR), 0x2001 } } },
	{ "q_uncounted_only", &q_uncounted, false, { UINT64_C(1) << 30 }, -EOPNOTSUPP, "q_elements",
	  { { 0 } } },
	{ "q_uncounted", &q_uncounted, false, { UINT64_C(3) << 30 }, 0, "",
	  { { REG(TRCCONFIGR), 0x6001 } } },
	{ "q_range_of_no_q", &with_q, false, { 1 << 16 }, -EINVAL, "q_range", { { 0 } } },
	{ "q_range_absent", &q_counted, false, { UINT64_C(1) << 30 | 1 << 16 }, -EOPNOTSUPP,
	  "q_range", { { 0 } } },
	{ "q_in_no_range_yet", &with_q, false, { UINT64_C(1) << 30 | 1 << 16 }, 0, "",
	  { { REG(TRCCONFIGR), 0x2001 }, { REG(TRCQCTLR), 0x100 } } },
	{ "q_but_in_ranges", &with_q, false, { UINT64_C(1) << 30 | 3 << 16 }, 0, "",
	  { { REG(TRCCONFIGR), 0x2001 }, { REG(TRCQCTLR), 0 } } },
	{ "broadcast_in_no_range_yet", &full, false, { 1 << 8 | UINT64_C(1) << 54 }, 0, "",
	  { { REG(TRCCONFIGR), 0x1 }, { REG(TRCBBCTLR), 0 } } },
};

/* Returns the first register with a wrong value, -1 if there is none. */
static int wrong_one(const struct v9_ete_reg_values *im, unsigned int row)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(chosen[row].holds); i++) {
		unsigned int reg = chosen[row].holds[i].reg;
		uint64_t value = chosen[row].holds[i].value;

		if (!reg && !value)
			continue;
		if ((reg < 0x100 ? im->reg[reg] : resource(im, reg - 0x100)) != value)
			return i;
	}
	return -1;
}

static void options(void)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(chosen); i++) {
		struct v9_ete_request req = { .user = true };
		struct v9_ete_reg_values im = { .more = false };
		struct v9_ete_unit unit;
		struct v9_refusal no;
		const char *why;
		int err;

		memcpy(req.config, chosen[i].config, sizeof(chosen[i].config));
		if (v9_ete_check_unit(chosen[i].id, chosen[i].at_el2, &unit, &why)) {
			tap_ok(false, "%s", chosen[i].name);
			continue;
		}
		err = v9_ete_encode_regs(&unit, &req, &im, &no);
		tap_ok(err == chosen[i].err && !err == !no.why &&
		       !strcmp(no.option, chosen[i].about) && (err || wrong_one(&im, i) < 0),
		       "%s", chosen[i].name);
		if (err != chosen[i].err || (err && strcmp(no.option, chosen[i].about)))
			tap_note("%d %s %s", err, no.option, no.why ? no.why : "");
		else if (!err && wrong_one(&im, i) >= 0)
			tap_note("register %d", wrong_one(&im, i));
	}
}

/* The nine presets of the in-tree driver, by number */
static void all_presets(void)
{
	static const unsigned int period[] = { 2, 4, 8, 16, 64, 128, 512, 1024, 4096 };
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	struct v9_refusal no;
	const char *why;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(period); i++) {
		struct v9_ete_request req = {
			.config = { i + 1, UINT64_C(10000) << 16 | 300 }, .user = true,
		};

		tap_ok(!v9_ete_check_unit(&full, false, &unit, &why) &&
		       !v9_ete_encode_regs(&unit, &req, &im, &no) &&
		       resource(&im, V9_RES_CNTRLDVR) == 4999 &&
		       resource(&im, V9_RES_CNTRLDVR + 1) == period[i] - 1, "preset_%u", i + 1);
	}
}

/* A trigger at the address of the kernel's panic() */
static void at_panic(void)
{
	static const struct {
		const char *name, *option;
		const struct v9_ete_id *id;
		bool user, kernel;
		uint64_t panic, config, config2, config3;
		int err;
	} cases[] = {
		{ "panic_of_the_kernel", "", &full, false, true, 0xffff800080123458, 1 << 27, 3, 0,
		  0 },
		{ "panic_of_both", "", &full, true, true, 0xffff800080123458, 1 << 27, 3, 0, 0 },
		{ "panic_of_no_kernel", "trigger_panic", &full, true, false, 0xffff800080123458,
		  1 << 27, 3, 0, -EINVAL },
		{ "panic_nobody_knows_where", "trigger_panic", &full, true, true, 0, 1 << 27, 3, 0,
		  -EINVAL },
		{ "panic_without_trigger", "trigger_panic", &full, false, true, 0xffff800080123458,
		  1 << 27, 0, 0, -EINVAL },
		{ "panic_at_another_trigger", "trigger_panic", &full, false, true,
		  0xffff800080123458, 1 << 27, 1, 0, -EINVAL },
		{ "panic_beside_an_address", "trigger_panic", &full, false, true,
		  0xffff800080123458, 1 << 27, 3, UINT64_MAX << 12, -EINVAL },
		{ "panic_absent", "trigger", &least, false, true, 0xffff800080123458, 1 << 27, 3,
		  0, -EOPNOTSUPP },
	};
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	struct v9_refusal no;
	const char *why;
	unsigned int i;
	int err;

	for (i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		struct v9_ete_request req = {
			.config = { cases[i].config, 0, cases[i].config2, cases[i].config3 },
			.user = cases[i].user, .kernel = cases[i].kernel, .panic = cases[i].panic,
		};

		err = v9_ete_check_unit(cases[i].id, false, &unit, &why);
		err = err ? err : v9_ete_encode_regs(&unit, &req, &im, &no);
		tap_ok(err == cases[i].err && !strcmp(no.option, cases[i].option) &&
		       (err || (im.trigger == 3 && im.comparators == 1 &&
				im.acvr[0] == cases[i].panic &&
				resource(&im, V9_RES_SSCCR) == 0x1000001 &&
				im.reg[V9_ETE_REG_TRCEVENTCTL0R] == 2)), "%s", cases[i].name);
		if (err != cases[i].err || strcmp(no.option, cases[i].option))
			tap_note("%d %s", err, no.option);
	}
}

/* A trigger in code that is not traced cannot occur. */
static void where_the_trigger_is(void)
{
	static const struct {
		const char *name;
		bool user, kernel, of_kernel;
	} cases[] = {
		{ "trigger_of_a_program", true, false, false },
		{ "trigger_of_the_kernel", false, true, true },
		{ "trigger_of_either", true, true, true },
		{ "trigger_of_no_program", false, true, false },
		{ "trigger_of_no_kernel", true, false, true },
	};
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	struct v9_refusal no;
	const char *why;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		bool traced = cases[i].of_kernel ? cases[i].kernel : cases[i].user;
		struct v9_ete_request req = {
			.user = cases[i].user, .kernel = cases[i].kernel,
			.config = { 0, 0, 3, (cases[i].of_kernel ? UINT64_MAX : 0x100) << 12 },
		};
		int err = v9_ete_check_unit(&full, false, &unit, &why);

		err = err ? err : v9_ete_encode_regs(&unit, &req, &im, &no);
		tap_ok(err == (traced ? 0 : -EINVAL) &&
		       (traced || !strcmp(no.option, "trigger_address")), "%s", cases[i].name);
	}
}

/* Values that the kernel writes need permission to trace the kernel. shows: ETE-R_FLGVJ */
static void trcit_levels(void)
{
	static const struct {
		const char *name;
		bool user, kernel;
		uint64_t trcitecr;
	} cases[] = {
		{ "instrumentation_of_programs", true, false, 1 },
		{ "instrumentation_of_the_kernel", false, true, 2 },
		{ "instrumentation_of_both", true, true, 3 },
	};
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	struct v9_refusal no;
	const char *why;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		struct v9_ete_request req = {
			.config = { UINT64_C(1) << 63 },
			.user = cases[i].user, .kernel = cases[i].kernel,
		};

		tap_ok(!v9_ete_check_unit(&with_ite, false, &unit, &why) &&
		       !v9_ete_encode_regs(&unit, &req, &im, &no) &&
		       im.reg[V9_ETE_REG_TRCITECR] == cases[i].trcitecr, "%s", cases[i].name);
	}
}

/* Options that show data of other tasks or of the host */
static void secrets(void)
{
	static const struct {
		const char *name;
		uint64_t config[2];
		bool threads, time;
	} cases[] = {
		{ "nothing_secret", { 0x10 }, false, false },
		{ "thread_in_the_trace", { 1 << 14 }, true, false },
		{ "thread_to_match", { 0, UINT64_C(7) << 32 }, true, false },
		{ "time_of_the_machine", { 0x10 | UINT64_C(3) << 56 }, false, true },
	};
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	struct v9_refusal no;
	/* TRFCR_ELx.TS, x the level of the kernel: requested and expected values */
	static const struct {
		const char *name;
		bool at_el2;
		uint64_t source;
		unsigned int ts;
		bool privilege;
	} times[] = {
		{ "time_at_el1", false, 0, 1, false },
		{ "virtual_time_at_el1", false, 1, 1, false },
		{ "guests_time_at_el1", false, 2, 2, true },
		{ "physical_time_at_el1", false, 3, 3, true },
		/*
		 * CNTVCT_EL0 of a host is the physical count; virtual time is that of a guest
		 * (D3.3)
		 */
		{ "time_at_el2", true, 0, 3, false },
		{ "virtual_time_at_el2", true, 1, 1, true },
		{ "guests_time_at_el2", true, 2, 2, true },
		{ "physical_time_at_el2", true, 3, 3, false },
	};
	const char *why;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		struct v9_ete_request req = {
			.config = { cases[i].config[0], cases[i].config[1] }, .user = true,
		};

		tap_ok(!v9_ete_check_unit(&full, false, &unit, &why) &&
		       !v9_ete_encode_regs(&unit, &req, &im, &no) &&
		       v9_ete_shows_threads(&im) == cases[i].threads &&
		       v9_ete_needs_privilege(&unit, &im) == cases[i].time, "%s", cases[i].name);
	}
	/*
	 * A unit stalls the PE only where tracing is permitted (R_SCLVV). So for user space alone
	 * (E0TRE without E1TRE) no privilege is needed. shows: ETE-R_SCLVV
	 */
	for (i = 0; i < 2; i++) {
		struct v9_ete_request req = {
			.config = { UINT64_C(15) << 58 | UINT64_C(1) << 62 }, .user = true,
		};

		tap_ok(!v9_ete_check_unit(&stalls, i, &unit, &why) &&
		       !v9_ete_encode_regs(&unit, &req, &im, &no) &&
		       im.reg[V9_ETE_REG_TRCSTALLCTLR] == 0x210f &&
		       (im.reg[V9_ETE_REG_TRFCR] & 3) == 1 &&
		       !v9_ete_needs_privilege(&unit, &im), "stall_of_ones_own_programs_%u", i);
	}
	for (i = 0; i < V9_ARRAY_SIZE(times); i++) {
		struct v9_ete_request req = {
			.config = { 0x10 | times[i].source << 56 }, .user = true, .kernel = true,
		};

		tap_ok(!v9_ete_check_unit(&full, times[i].at_el2, &unit, &why) &&
		       !v9_ete_encode_regs(&unit, &req, &im, &no), "%s", times[i].name);
		/* TRFCR_ELx.TS is bits 6:5 */
		tap_eq(im.reg[V9_ETE_REG_TRFCR] >> 5 & 3, times[i].ts, "%s_field", times[i].name);
		tap_eq(v9_ete_needs_privilege(&unit, &im), times[i].privilege, "%s_privilege",
		       times[i].name);
	}
}

/*
 * If thread IDs are not permitted, those that perf requests by default are left out, and options
 * that need one are refused. CID is bit 6 of TRCCONFIGR, VMID bit 7, VMIDOPT bit 15; CX bit 3 of
 * TRFCR_EL2.
 */
static void no_threads(void)
{
	static const struct {
		const char *name, *option;
		bool at_el2;
		uint64_t config[2];
		int threads, err;
	} cases[] = {
		{ "no_ids_at_el1", "", false, { 1 << 14 }, -EOPNOTSUPP, 0 },
		{ "no_ids_at_el2", "", true, { 1 << 15 }, -EOPNOTSUPP, 0 },
		{ "no_ids_both", "", true, { 3 << 14 }, -EACCES, 0 },
		{ "no_ids_to_match", "contextid_match", true, { 0, UINT64_C(7) << 32 },
		  -EOPNOTSUPP, -EOPNOTSUPP },
		{ "no_ids_to_match_in_a_namespace", "contextid_match", false,
		  { 1 << 14, UINT64_C(7) << 32 }, -EACCES, -EACCES },
	};
	const uint64_t ids = V9_TRACE_HAS_CID | V9_TRACE_HAS_VMID | V9_TRACE_HAS_MATCH;
	struct v9_ete_reg_values im;
	struct v9_ete_unit unit;
	struct v9_refusal no;
	const char *why;
	unsigned int i, offered;

	for (i = 0; i < 2 * V9_ARRAY_SIZE(cases); i++) {
		unsigned int n = i / 2;
		struct v9_ete_request req = {
			.config = { cases[n].config[0], cases[n].config[1] }, .user = true,
			.threads = cases[n].threads,
		};

		tap_ok(!v9_ete_check_unit(&full, cases[n].at_el2, &unit, &why), "%s_unit_%u",
		       cases[n].name, i % 2);
		/* offered, or not, as on a kernel that writes no thread IDs */
		offered = i % 2;
		if (!offered)
			unit.features &= ~ids;
		tap_eq(v9_ete_encode_regs(&unit, &req, &im, &no), cases[n].err, "%s_%u",
		       cases[n].name, offered);
		tap_ok(!strcmp(no.option, cases[n].option) && !cases[n].err == !no.why &&
		       (!no.why || !strstr(no.why, "namespace") == (cases[n].threads != -EACCES)) &&
		       (!no.why || strcmp(no.why, "this unit lacks it")), "%s_why_%u",
		       cases[n].name, offered);
		if (!cases[n].err)
			tap_ok(!(im.reg[V9_ETE_REG_TRCCONFIGR] & 0x80c0) &&
			       !(im.reg[V9_ETE_REG_TRFCR] & 8) && !v9_ete_shows_threads(&im),
			       "%s_image_%u", cases[n].name, offered);
	}
}

/* Two key words stand for the register values: each change of one bit changes the key. */
static void keys(void)
{
	static const struct {
		enum v9_ete_reg reg;
		uint64_t bits;
	} regs[] = {
		{ V9_ETE_REG_TRCCONFIGR, 0xf8d9 }, { V9_ETE_REG_TRCCCCTLR, 0xfff },
		{ V9_ETE_REG_TRCTSCTLR, 0x9f }, { V9_ETE_REG_TRCVICTLR, 0x77f0e9f },
		{ V9_ETE_REG_TRCSYNCPR, 0x1f }, { V9_ETE_REG_TRCEVENTCTL1R, 0xf },
		{ V9_ETE_REG_TRCBBCTLR, 0x1ff }, { V9_ETE_REG_TRCSTALLCTLR, 0x210f },
		{ V9_ETE_REG_TRCEVENTCTL0R, 0x9f9f9f9f }, { V9_ETE_REG_TRCQCTLR, 0x100 },
	};
	uint64_t seen[2] = { 0, 0 };
	struct v9_ete_reg_values im;
	unsigned int i, bit, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(regs); i++)
		for (bit = 0; bit < 32; bit++) {
			if (!(regs[i].bits >> bit & 1))
				continue;
			memset(&im, 0, sizeof(im));
			im.reg[regs[i].reg] = V9_BIT(bit);
			v9_ete_update_key(&im);
			/*
			 * exactly one bit of the key changes, and no other register bit changes the
			 * same one
			 */
			bad += __builtin_popcountll(im.key[0]) +
			       __builtin_popcountll(im.key[1]) != 1;
			bad += (im.key[0] & seen[0]) || (im.key[1] & seen[1]);
			seen[0] |= im.key[0];
			seen[1] |= im.key[1];
		}
	tap_eq(bad, 0, "each_bit_has_its_place_in_the_key");
	memset(&im, 0, sizeof(im));
	im.reg[V9_ETE_REG_TRCVIIECTLR] = 1;
	v9_ete_update_key(&im);
	tap_ok(im.key[0] && !(im.key[0] & seen[0]) && !im.key[1] && !im.more, "filters_are_in_the_key");
	im.reg[V9_ETE_REG_TRCVIIECTLR] = 0;
	im.comparators = 2;
	im.key[0] = im.key[1] = UINT64_MAX;
	v9_ete_update_key(&im);
	tap_ok(!im.key[0] && !im.key[1] && im.more, "comparators_are_more");
	im.comparators = 0;
	im.reg[V9_ETE_REG_TRCVISSCTLR] = 1;
	im.res.n = 1;
	im.res.reg[0] = V9_RES_VMIDCVR;
	v9_ete_update_key(&im);
	tap_ok(im.key[0] && im.more && v9_ete_shows_threads(&im), "resources_are_more");
	im.res.reg[0] = V9_RES_CIDCVR;
	tap_ok(v9_ete_shows_threads(&im), "context_is_a_thread");
	im.res.reg[0] = V9_RES_SSCCR;
	tap_ok(!v9_ete_shows_threads(&im), "address_is_no_thread");
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
	memset(&unit, 0xff, sizeof(unit)); \
	tap_ok(v9_ete_check_unit(&id, false, &unit, &why) == (error) && why && !unit.cc_min, name); \
} while (0)
	/* shows: TRBE-PR1 TRBE-PR2 TRBE-PR3 TRBE-OW8 */
	REFUSED("no_trace_unit", -ENODEV, id_aa64dfr0, 0x0000110000000000);
	REFUSED("no_trace_buffer", -ENODEV, id_aa64dfr0, 0x0000010000000010);
	REFUSED("no_trace_filter", -ENXIO, id_aa64dfr0, 0x0000100000000010);
	REFUSED("owned_above", -EPERM, trbidr, 0x16);
	REFUSED("held_by_a_debugger", -EBUSY, held, true);
	REFUSED("closed", -EPERM, closed, "no access");
	REFUSED("physical_only", -ENXIO, trbidr, 0x86);
	REFUSED("align_reserved", -ENXIO, trbidr, 0xc);
	REFUSED("max_size_reserved", -ENXIO, trbidr, UINT64_C(0x400100000006));
	REFUSED("not_ete", -ENXIO, trcdevarch, 0x47704a14);
	REFUSED("devarch_absent", -ENXIO, trcdevarch, 0x47605a13);
	REFUSED("nine_pairs", -ENXIO, trcidr[4], 0x11170009);
	REFUSED("no_granule", -ENXIO, id_aa64mmfr0, 0xff000000);
}

static void ids(void)
{
	unsigned int cpu, bad = 0, twice = 0;
	int last[128];

	memset(last, -1, sizeof(last));
	for (cpu = 0; cpu < 4096; cpu++) {
		unsigned int id = v9_ete_trace_id(cpu);

		bad += id < 1 || id > 0x6f || (cpu < 48 && id != 0x10 + 2 * cpu);
		twice += last[id & 127] >= 0 && (int)cpu - last[id & 127] < 111;
		last[id & 127] = (int)cpu;
	}
	tap_eq(bad, 0, "trace_ids_in_range");
	tap_eq(twice, 0, "trace_ids_differ");
}

static void table(void)
{
	const struct v9_option *o, *p;
	unsigned int i, j, bad = 0;

	for (i = 0; (o = v9_ete_option(i)); i++)
		for (j = 0; (p = v9_ete_option(j)); j++)
			bad += i != j && o->word == p->word && strncmp(o->name, "timestamp", 9) &&
			       (v9_option_mask(o) & v9_option_mask(p));
	tap_ok(i == 31 && !bad, "options_share_no_bit");
}

/* Fields of TRCIDR0, typed from the manual, each alone: the unit has that feature and no other of them. */
static void each_feature(void)
{
	static const struct {
		const char *name;
		uint64_t idr0, feature;
	} rows[] = {
		{ "broadcast", UINT64_C(1) << 5, V9_TRACE_HAS_BB },
		{ "cycles", UINT64_C(1) << 7, V9_TRACE_HAS_CC },
		{ "return_stack", UINT64_C(1) << 9, V9_TRACE_HAS_RS },
		{ "timestamps", UINT64_C(8) << 24, V9_TRACE_HAS_TS },
		{ "q_elements", UINT64_C(3) << 15, V9_TRACE_HAS_Q },
		/* The unit has no comparators, which filters of Q elements need. */
		{ "q_filter_alone", UINT64_C(1) << 14, 0 },
	};
	const uint64_t all = V9_TRACE_HAS_BB | V9_TRACE_HAS_CC | V9_TRACE_HAS_RS | V9_TRACE_HAS_TS |
			     V9_TRACE_HAS_Q | V9_TRACE_HAS_QFILT;
	const struct v9_option *o;
	struct v9_ete_unit unit;
	const char *why = "";
	bool right = true;

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_ete_id id = least;

		id.trcidr[0] = (least.trcidr[0] & ~UINT64_C(0x1f00c2a0)) | rows[i].idr0;
		tap_ok(!v9_ete_check_unit(&id, false, &unit, &why) && (unit.features & all) == rows[i].feature,
		       "only_%s", rows[i].name);
	}
	/* An option needs its word of perf's attributes and each of its features. */
	for (unsigned int i = 0; (o = v9_ete_option(i)); i++) {
		unit.features = ~UINT64_C(0);
		right = right && v9_ete_has_option(&unit, o, o->word + 1) && !v9_ete_has_option(&unit, o, o->word);
		for (uint64_t need = o->need; need; need &= need - 1) {
			unit.features = ~(need & -need);
			right = right && !v9_ete_has_option(&unit, o, o->word + 1);
		}
	}
	tap_ok(right, "options_need_word_and_features");
}

/* Each field that a feature depends on, in a unit that has all of them: the bits to invert, and the features lost. */
static void each_field(void)
{
#define NO(feature)	V9_TRACE_HAS_##feature
	static const struct {
		const char *name;
		unsigned int idr;
		uint64_t bits, lost, lost_at_el1;
	} rows[] = {
		{ "nothing", 0, 0, 0, 0 },
		{ "qfilt", 0, 1 << 14, NO(QFILT), NO(QFILT) },
		{ "qsupp", 0, 3 << 15, NO(Q) | NO(QFILT), NO(Q) | NO(QFILT) },
		{ "ite", 0, 1 << 22, NO(ITE), NO(ITE) },
		{ "cidsize", 2, 4 << 5, NO(CID), NO(CID) },
		{ "vmidsize", 2, 4 << 10, NO(VMID), 0 },
		{ "trcerr", 3, 1 << 24, NO(TRCERR), NO(TRCERR) },
		{ "syncpr", 3, 1 << 25, NO(SYNCPR), NO(SYNCPR) },
		{ "stallctl", 3, 1 << 26, NO(STALL) | NO(NOOVERFLOW), NO(STALL) | NO(NOOVERFLOW) },
		{ "sysstall", 3, 1 << 27, NO(STALL) | NO(NOOVERFLOW), NO(STALL) | NO(NOOVERFLOW) },
		{ "nooverflow", 3, UINT64_C(1) << 31, NO(NOOVERFLOW), NO(NOOVERFLOW) },
		{ "numacpairs", 4, 4, NO(FILTERS) | NO(QFILT) | NO(POINT), NO(FILTERS) | NO(QFILT) | NO(POINT) },
		{ "numpc", 4, 3 << 12, NO(PE_INPUT), NO(PE_INPUT) },
		{ "numrspair_0", 4, 7 << 16, NO(EVENTS) | NO(COUNTER) | NO(STROBE) | NO(MATCH) | NO(INPUT) | NO(PE_INPUT) |
		  NO(ANY_INPUT) | NO(POINT), NO(EVENTS) | NO(COUNTER) | NO(STROBE) | NO(MATCH) | NO(INPUT) |
		  NO(PE_INPUT) | NO(ANY_INPUT) | NO(POINT) },
		{ "numrspair_1", 4, 6 << 16, NO(STROBE), NO(STROBE) },
		{ "numrspair_2", 4, 5 << 16, 0, 0 },
		{ "numsscc", 4, 1 << 20, NO(POINT), NO(POINT) },
		{ "numcidc", 4, 1 << 24, 0, NO(MATCH) },
		{ "numvmidc", 4, 1 << 28, NO(MATCH), 0 },
		{ "numextinsel", 5, 4 << 9, NO(INPUT), NO(INPUT) },
		{ "numseqstate", 5, 4 << 25, NO(STROBE), NO(STROBE) },
		{ "numcntr_0", 5, 2 << 28, NO(COUNTER) | NO(STROBE), NO(COUNTER) | NO(STROBE) },
		{ "numcntr_1", 5, 3 << 28, NO(STROBE), NO(STROBE) },
	};
	const uint64_t all = 0x7fffff, of_el2 = V9_TRACE_HAS_VMID | V9_TRACE_AT_EL2;
	const struct v9_ete_id most = {
		.id_aa64dfr0 = 0x0000110000000010, .id_aa64dfr1 = 0x0000100000000000, .trbidr = 0xb,
		.trcidr = { 0x2841cea1, 0x4100fff0, 0xd0001088, 0x8d7f0004, 0x11173004, 0xa80709ff },
		.trcdevarch = 0x47735a13,
	};
	struct v9_ete_id id = most;
	struct v9_ete_unit unit;
	const char *why = "";

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		id = most;
		id.trcidr[rows[i].idr] ^= rows[i].bits;
		tap_ok(!v9_ete_check_unit(&id, true, &unit, &why) && unit.features == (all & ~rows[i].lost),
		       "without_%s_at_el2", rows[i].name);
		tap_ok(!v9_ete_check_unit(&id, false, &unit, &why) &&
		       unit.features == (all & ~of_el2 & ~rows[i].lost_at_el1), "without_%s", rows[i].name);
	}
	id = most;
	id.id_aa64dfr1 = 0;
	tap_ok(!v9_ete_check_unit(&id, true, &unit, &why) && unit.features == (all & ~V9_TRACE_HAS_ITE),
	       "without_ite_of_the_pe");
	id.trcidr[4] = 0x11173008;
	tap_ok(!v9_ete_check_unit(&id, true, &unit, &why) && unit.align == 2048 && unit.granule == 4096 &&
	       unit.cc_min == 4 && unit.comparators == 16 && !unit.max_buffer, "numbers_of_the_unit");
}

int main(void)
{
	requests();
	options();
	all_presets();
	at_panic();
	where_the_trigger_is();
	trcit_levels();
	secrets();
	no_threads();
	keys();
	refusals();
	ids();
	table();
	each_feature();
	each_field();
	return tap_done();
}
