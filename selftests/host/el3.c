// SPDX-License-Identifier: GPL-2.0-only
/*
 * What follows from firmware's answer about EL3. Places of the bits: MDCR_EL3 and CPTR_EL3 in the Arm
 * ARM; arguments of the call: Arm DEN0028, 7.8.
 */
#include "tap.h"
#include "v9trace/el3.h"
#include "v9trace/gen/regs.h"

/* NSPB[0], TTRF, NSTB[0], EnPMS4; TTA */
#define ALL_MDCR	0x0080000001081000
#define ALL_CPTR	0x0000000000100000

static const struct v9_el3 silent = { false, 0, 0 };
static const struct v9_el3 all = { true, ALL_MDCR, ALL_CPTR };

static struct v9_el3 without(uint64_t mdcr, uint64_t cptr)
{
	return (struct v9_el3){ true, ALL_MDCR & ~mdcr, ALL_CPTR & ~cptr };
}

static bool names(const char *why, const char *field)
{
	return why && strstr(why, field);
}

static void arguments(void)
{
	tap_eq(V9_SMCCC_FEATURE_AVAILABILITY, 0xc0000003, "function");
	tap_eq(V9_SMCCC_CPTR_EL3, 0x1e1140, "argument_cptr");
	tap_eq(V9_SMCCC_MDCR_EL3, 0x1e1320, "argument_mdcr");
	/* The lowest bit of each field */
	tap_eq(V9_EL3_MDCR_SPE, V9_MDCR_EL3_NSPB & -V9_MDCR_EL3_NSPB, "place_of_nspb");
	tap_eq(V9_EL3_MDCR_TRBE, V9_MDCR_EL3_NSTB & -V9_MDCR_EL3_NSTB, "place_of_nstb");
	tap_eq(V9_EL3_MDCR_TRF, V9_MDCR_EL3_TTRF, "place_of_ttrf");
	tap_eq(V9_EL3_MDCR_PMBMAR, V9_MDCR_EL3_EnPMS4, "place_of_enpms4");
	tap_eq(V9_EL3_CPTR_TRACE, V9_CPTR_EL3_TTA, "place_of_tta");
	tap_eq(V9_EL3_MDCR_BRBE, 0x100000000, "place_of_sbrbe");
}

static void spe(void)
{
	struct v9_el3 kept = without(0x1000, 0);

	tap_ok(!v9_el3_spe_closed(&silent), "spe_without_answer");
	tap_ok(!v9_el3_spe_closed(&all), "spe_permitted");
	tap_ok(names(v9_el3_spe_closed(&kept), "MDCR_EL3.NSPB"), "spe_trapped");
	kept = without(0x0080000001080000, ALL_CPTR);
	tap_ok(!v9_el3_spe_closed(&kept), "spe_needs_nothing_else");
}

static void trace(void)
{
	struct v9_el3 kept;

	tap_ok(!v9_el3_trace_closed(&silent, true), "trace_listed");
	tap_ok(names(v9_el3_trace_closed(&silent, false), "unlisted=1"), "trace_unlisted");
	tap_ok(!v9_el3_trace_closed(&all, true), "trace_permitted");
	tap_ok(!v9_el3_trace_closed(&all, false), "trace_permitted_and_unlisted");
	for (unsigned int listed = 0; listed < 2; listed++) {
		kept = without(0x1000000, 0);
		tap_ok(names(v9_el3_trace_closed(&kept, listed), "MDCR_EL3.NSTB"), "nstb_%u", listed);
		kept = without(0, 0x100000);
		tap_ok(names(v9_el3_trace_closed(&kept, listed), "CPTR_EL3.TTA"), "tta_%u", listed);
		kept = without(0x80000, 0);
		tap_ok(names(v9_el3_trace_closed(&kept, listed), "MDCR_EL3.TTRF"), "ttrf_%u", listed);
		kept = without(0x0080000000001000, 0);
		tap_ok(!v9_el3_trace_closed(&kept, listed), "trace_needs_nothing_else_%u", listed);
	}
}

static void pmbmar(void)
{
	struct v9_el3 kept = without(0x0080000000000000, 0);

	for (unsigned int at_el2 = 0; at_el2 < 2; at_el2++) {
		tap_ok(!v9_el3_permits_pmbmar(&silent, at_el2, false), "pmbmar_unknown_%u", at_el2);
		tap_ok(v9_el3_permits_pmbmar(&silent, at_el2, true), "pmbmar_consent_%u", at_el2);
		tap_ok(!v9_el3_permits_pmbmar(&kept, at_el2, true), "pmbmar_trapped_%u", at_el2);
		tap_ok(v9_el3_permits_pmbmar(&all, at_el2, true), "pmbmar_both_%u", at_el2);
	}
	/* Of a hypervisor above a kernel at EL1 firmware says nothing. */
	tap_ok(v9_el3_permits_pmbmar(&all, true, false), "pmbmar_permitted_at_el2");
	tap_ok(!v9_el3_permits_pmbmar(&all, false, false), "pmbmar_permitted_at_el1");
}

/* MDCR_EL3.SBRBE is in bits 33:32 */
static void brbe(void)
{
	static const struct v9_el3 silent;
	struct v9_el3 kept = { .answered = true, .mdcr = ~(UINT64_C(1) << 32), .cptr = ~UINT64_C(0) };
	struct v9_el3 all = { .answered = true, .mdcr = UINT64_C(1) << 32 };

	tap_ok(!v9_el3_brbe_closed(&silent, false, false), "brbe_without_el3");
	tap_ok(names(v9_el3_brbe_closed(&silent, true, false), "sbrbe=1"), "brbe_without_answer");
	tap_ok(!v9_el3_brbe_closed(&silent, true, true), "brbe_consent");
	for (unsigned int consent = 0; consent < 2; consent++) {
		tap_ok(!v9_el3_brbe_closed(&all, true, consent), "brbe_permitted_%u", consent);
		tap_ok(names(v9_el3_brbe_closed(&kept, true, consent), "MDCR_EL3.SBRBE"),
		       "brbe_trapped_%u", consent);
	}
}

int main(void)
{
	arguments();
	spe();
	trace();
	pmbmar();
	brbe();
	return tap_done();
}
