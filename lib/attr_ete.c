// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The options of a tracing session: one table from which follow the files in
 * format/, what is accepted, and the register image.
 */
#include "v9trace/attr.h"
#include "v9trace/gen/regs.h"

#define OPTION(name, word, lo, hi, reg, field, need) \
	{ name, word, lo, hi, V9_ETE_IMAGE_##reg, V9_##reg##_##field, need, false }
#define SPECIAL(name, word, lo, hi, need) \
	{ name, word, lo, hi, V9_ETE_IMAGE_NONE, 0, need, false }

/*
 * Positions are an ABI: stock perf and recorded files know them. perf writes
 * "contextid" for whichever of the two holds the thread's ID.
 */
static const struct v9_option options[] = {
	SPECIAL("timestamp",		0, 4, 7,	V9_TRACE_HAS_TS),
	OPTION("branch_broadcast",	0, 8, 8,	TRCCONFIGR, BB,		V9_TRACE_HAS_BB),
	OPTION("cycacc",		0, 12, 12,	TRCCONFIGR, CCI,	V9_TRACE_HAS_CC),
	OPTION("contextid1",		0, 14, 14,	TRCCONFIGR, CID,	V9_TRACE_HAS_CID),
	OPTION("contextid2",		0, 15, 15,	TRCCONFIGR, VMID,	V9_TRACE_HAS_VMID),
	OPTION("retstack",		0, 29, 29,	TRCCONFIGR, RS,		V9_TRACE_HAS_RS),
	SPECIAL("cc_threshold",		3, 0, 11,	V9_TRACE_HAS_CC),
};

/* Time stamps as older kernels have them: perf files may hold it, format/ does not. */
#define OLD_TIMESTAMP		V9_BIT(28)

/* Values of "timestamp": a stamp each 1 << (n - 1) cycles, or only where the unit must. */
#define TIMESTAMP_SYNC_ONLY	15

/* Selectors 0 and 1 are wired to FALSE and TRUE. */
#define SELECT_FALSE		0
#define SELECT_TRUE		1
#define SELECT_COUNTER		2	/* TRCRSCTLR2, which we program */
#define GROUP_COUNTERS		2	/* of resources: counter n is at zero */

#define CC_DEFAULT		256	/* cycles; fewer make more trace */

#define ARCHPART_ETE		0xa13

const struct v9_option *v9_ete_option(unsigned int i)
{
	return i < V9_ARRAY_SIZE(options) ? &options[i] : NULL;
}

bool v9_ete_has_option(const struct v9_ete_unit *unit, const struct v9_option *o,
		       unsigned int words)
{
	return o->word < words && !(o->need & ~unit->features);
}

static int refuse(const char **why, int err, const char *text)
{
	*why = text;
	return err;
}

static uint64_t features(const struct v9_ete_id *id, bool at_el2)
{
	const uint64_t *idr = id->trcidr;
	uint64_t f = 0;

	if (idr[0] & V9_TRCIDR0_TRCBB)
		f |= V9_TRACE_HAS_BB;
	if (idr[0] & V9_TRCIDR0_TRCCCI)
		f |= V9_TRACE_HAS_CC;
	if (idr[0] & V9_TRCIDR0_RETSTACK)
		f |= V9_TRACE_HAS_RS;
	if (idr[0] & V9_TRCIDR0_TSSIZE)
		f |= V9_TRACE_HAS_TS;
	if (V9_GET(V9_TRCIDR5_NUMCNTR, idr[5]) && V9_GET(V9_TRCIDR4_NUMRSPAIR, idr[4]))
		f |= V9_TRACE_HAS_COUNTER;
	if (V9_GET(V9_TRCIDR4_NUMACPAIRS, idr[4]))
		f |= V9_TRACE_HAS_FILTERS;
	if (idr[2] & V9_TRCIDR2_CIDSIZE)
		f |= V9_TRACE_HAS_CID;
	/* The thread's ID is there only for a kernel at EL2; elsewhere it is a hypervisor's. */
	if ((idr[2] & V9_TRCIDR2_VMIDSIZE) && at_el2)
		f |= V9_TRACE_HAS_VMID;
	if (at_el2)
		f |= V9_TRACE_AT_EL2;
	return f;
}

int v9_ete_judge_unit(const struct v9_ete_id *id, bool at_el2, struct v9_ete_unit *unit,
		      const char **why)
{
	uint64_t align = V9_GET(V9_TRBIDR_EL1_Align, id->trbidr);

	memset(unit, 0, sizeof(*unit));
	unit->id = *id;

	/* TRBE-PR1, TRBE-PR3, TRBE-OW8 */
	if (!V9_GET(V9_ID_AA64DFR0_EL1_TraceVer, id->id_aa64dfr0))
		return refuse(why, -ENODEV, "no trace unit (ID_AA64DFR0_EL1.TraceVer is 0)");
	if (!V9_GET(V9_ID_AA64DFR0_EL1_TraceBuffer, id->id_aa64dfr0))
		return refuse(why, -ENODEV, "no trace buffer (ID_AA64DFR0_EL1.TraceBuffer is 0)");
	if (id->trbidr & V9_TRBIDR_EL1_P)
		return refuse(why, -EPERM, "the trace buffer is owned by a higher exception level");

	if (!V9_GET(V9_ID_AA64DFR0_EL1_TraceFilt, id->id_aa64dfr0))
		return refuse(why, -ENXIO, "ID_AA64DFR0_EL1 has TraceBuffer without TraceFilt");
	if (V9_GET(V9_TRBIDR_EL1_AddrMode, id->trbidr) == V9_TRBIDR_EL1_AddrMode_PA)
		return refuse(why, -ENXIO, "the trace buffer takes physical addresses only");
	if (align > 11)
		return refuse(why, -ENXIO, "TRBIDR_EL1.Align is reserved");
	if (!(id->trcdevarch & V9_TRCDEVARCH_PRESENT) ||
	    V9_GET(V9_TRCDEVARCH_ARCHPART, id->trcdevarch) != ARCHPART_ETE)
		return refuse(why, -ENXIO, "TRCDEVARCH describes no Embedded Trace Extension");
	unit->align = V9_BIT(align);
	unit->granule = v9_smallest_granule(id->id_aa64mmfr0);
	if (!unit->granule)
		return refuse(why, -ENXIO, "ID_AA64MMFR0_EL1 names no translation granule");

	unit->features = features(id, at_el2);
	unit->cc_min = V9_GET(V9_TRCIDR3_CCITMIN, id->trcidr[3]);
	unit->comparators = 2 * V9_GET(V9_TRCIDR4_NUMACPAIRS, id->trcidr[4]);
	if (unit->comparators > V9_ETE_COMPARATORS)
		return refuse(why, -ENXIO, "TRCIDR4.NUMACPAIRS is reserved");
	return 0;
}

/* Every set bit must belong to an option, and the unit must have the option. */
static int check_words(const struct v9_ete_unit *unit, const struct v9_ete_request *req,
		       const char **why)
{
	unsigned int w, i;

	for (w = 0; w < V9_OPTION_WORDS; w++) {
		uint64_t known = 0, here = 0;

		for (i = 0; i < V9_ARRAY_SIZE(options); i++) {
			if (options[i].word != w)
				continue;
			known |= v9_option_mask(&options[i]);
			if (v9_ete_has_option(unit, &options[i], V9_OPTION_WORDS))
				here |= v9_option_mask(&options[i]);
		}
		if (!w) {
			known |= OLD_TIMESTAMP;
			if (unit->features & V9_TRACE_HAS_TS)
				here |= OLD_TIMESTAMP;
		}
		if (req->config[w] & ~known)
			return refuse(why, -EINVAL, "a bit that belongs to no option");
		if (req->config[w] & ~here)
			return refuse(why, -EOPNOTSUPP, "an option that this unit lacks");
	}
	return 0;
}

/*
 * Besides the stamps that synchronization brings, one whenever an event is
 * active: selector TRUE, or counter 0, which counts cycles down, reaches zero.
 * From N back to N are N + 1 cycles (ETE-R_VGJNL).
 */
static int encode_timestamp(const struct v9_ete_unit *unit, unsigned int n, uint64_t *reg,
			    const char **why)
{
	if (!n)
		return 0;
	reg[V9_ETE_IMAGE_TRCCONFIGR] |= V9_TRCCONFIGR_TS;
	if (n == TIMESTAMP_SYNC_ONLY)
		return 0;
	if (n == 1) {
		reg[V9_ETE_IMAGE_TRCTSCTLR] = V9_PUT(V9_TRCTSCTLR_EVENT_SEL, SELECT_TRUE);
		return 0;
	}
	if (!(unit->features & V9_TRACE_HAS_COUNTER))
		return refuse(why, -EOPNOTSUPP, "an interval of time stamps needs a counter");
	reg[V9_ETE_IMAGE_TRCTSCTLR] = V9_PUT(V9_TRCTSCTLR_EVENT_SEL, SELECT_COUNTER);
	reg[V9_ETE_IMAGE_TRCRSCTLR2] = V9_PUT(V9_TRCRSCTLRn_GROUP, GROUP_COUNTERS) |
				       V9_PUT(V9_TRCRSCTLRn_SELECT, 1);
	reg[V9_ETE_IMAGE_TRCCNTRLDVR0] = V9_BIT(n - 1) - 1;
	reg[V9_ETE_IMAGE_TRCCNTCTLR0] = V9_TRCCNTCTLRn_RLDSELF |
					V9_PUT(V9_TRCCNTCTLRn_CNTEVENT_SEL, SELECT_TRUE) |
					V9_PUT(V9_TRCCNTCTLRn_RLDEVENT_SEL, SELECT_FALSE);
	return 0;
}

/* What the unit leaves out, beside what TRFCR_EL1 forbids: every level but those wanted. */
static uint64_t encode_levels(const struct v9_ete_unit *unit, const struct v9_ete_request *req)
{
	uint64_t out = V9_TRCVICTLR_EXLEVEL_S | V9_TRCVICTLR_EXLEVEL_NS;

	if (req->user)
		out &= ~V9_TRCVICTLR_EXLEVEL_NS_EL0;
	if (req->kernel)
		out &= unit->features & V9_TRACE_AT_EL2 ? ~V9_TRCVICTLR_EXLEVEL_NS_EL2 :
							~V9_TRCVICTLR_EXLEVEL_NS_EL1;
	/* The bits of levels that the PE lacks are reserved. They stand where TRCIDR3 has them. */
	return out & unit->id.trcidr[3];
}

int v9_ete_encode_image(const struct v9_ete_unit *unit, const struct v9_ete_request *req,
			struct v9_ete_image *image, const char **why)
{
	uint64_t *reg = image->reg, cycles = req->config[3];
	unsigned int i, stamps;
	int err;

	memset(image, 0, sizeof(*image));
	image->features = unit->features;

	if (!req->user && !req->kernel)
		return refuse(why, -EINVAL, "neither user nor kernel is to be traced");
	err = check_words(unit, req, why);
	if (err)
		return err;

	reg[V9_ETE_IMAGE_TRCCONFIGR] = V9_TRCCONFIGR_RES1;
	for (i = 0; i < V9_ARRAY_SIZE(options); i++) {
		const struct v9_option *o = &options[i];

		if (o->reg != V9_ETE_IMAGE_NONE && (req->config[o->word] & v9_option_mask(o)))
			reg[o->reg] |= o->field;
	}

	/* The VMID of the trace is CONTEXTIDR_EL2, and only that with VMIDOPT (ETE-R_PTVTD). */
	if (reg[V9_ETE_IMAGE_TRCCONFIGR] & V9_TRCCONFIGR_VMID)
		reg[V9_ETE_IMAGE_TRCCONFIGR] |= V9_TRCCONFIGR_VMIDOPT;

	if (cycles && !(req->config[0] & V9_BIT(12)))
		return refuse(why, -EINVAL, "cc_threshold without cycacc");
	if (req->config[0] & V9_BIT(12)) {
		cycles = cycles ? cycles : CC_DEFAULT;
		reg[V9_ETE_IMAGE_TRCCCCTLR] = cycles < unit->cc_min ? unit->cc_min : cycles;
	}

	stamps = req->config[0] >> 4 & 15;
	if (!stamps && (req->config[0] & OLD_TIMESTAMP))
		stamps = 1;
	err = encode_timestamp(unit, stamps, reg, why);
	if (err)
		return err;

	/* Always on, started, and nothing forced (ETE 2.1); filters may change that. */
	reg[V9_ETE_IMAGE_TRCVICTLR] = V9_PUT(V9_TRCVICTLR_EVENT_SEL, SELECT_TRUE) |
				      V9_TRCVICTLR_SSSTATUS | encode_levels(unit, req);

	/*
	 * The two enables sit in the same bits of TRFCR_EL1 (E0TRE, E1TRE) and of
	 * TRFCR_EL2 (E0HTRE, E2TRE), which the name means for a kernel at EL2. EE
	 * and KE stay 0: the interrupt tells, not an exception that nobody
	 * handles. Time is the virtual counter's, which user space can read too.
	 */
	reg[V9_ETE_IMAGE_TRFCR] = V9_PUT(V9_TRFCR_EL1_TS, V9_TRFCR_EL1_TS_VIRTUAL);
	if (req->user)
		reg[V9_ETE_IMAGE_TRFCR] |= V9_TRFCR_EL1_E0TRE;
	if (req->kernel)
		reg[V9_ETE_IMAGE_TRFCR] |= V9_TRFCR_EL1_E1TRE;
	/* Without CX the VMID in the trace is 0 (ETE-R_JNXJT). */
	if (reg[V9_ETE_IMAGE_TRCCONFIGR] & V9_TRCCONFIGR_VMID)
		reg[V9_ETE_IMAGE_TRFCR] |= V9_TRFCR_EL2_CX;
	return 0;
}

bool v9_ete_needs_privilege(const struct v9_ete_image *image)
{
	return image->reg[V9_ETE_IMAGE_TRCCONFIGR] & (V9_TRCCONFIGR_CID | V9_TRCCONFIGR_VMID);
}

unsigned int v9_ete_trace_id(unsigned int cpu)
{
	cpu %= 111;
	if (cpu < 48)
		return 0x10 + 2 * cpu;		/* even ones up to 0x6e */
	if (cpu < 96)
		return 0x11 + 2 * (cpu - 48);	/* odd ones up to 0x6f */
	return 1 + cpu - 96;			/* 0x01 to 0x0f */
}
