// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Options of a session that records branches, and the register values that follow from them. */
#include "v9trace/attr.h"
#include "v9trace/brbe.h"

/* Bit positions are ABI: recorded files contain them. */
static const struct v9_option options[] = {
	{ .name = "event", .word = 0, .lo = 0, .hi = 15 },
	{ .name = "clock", .word = 0, .lo = 16, .hi = 16 },
	{ .name = "boundaries", .word = 0, .lo = 17, .hi = 17 },
};

#define EVENT		UINT64_C(0xffff)
#define CLOCK		V9_BIT(16)
#define BOUNDARIES	V9_BIT(17)

/* PMU events (D13) that an Armv9 CPU has, except the last one, which comes with BRBE */
#define CPU_CYCLES	0x11

static const struct v9_brbe_event events[] = {
	{ "cycles", "event", CPU_CYCLES },
	{ "instructions", "event", 0x08 },	/* INST_RETIRED */
	{ "branches", "event", 0x21 },		/* BR_RETIRED */
	{ "records", "event", 0x811f },		/* BRB_FILTRATE */
	{ "clock", "clock", 1 },
};

#define EVERY_BRANCH	(V9_BRBFCR_EL1_CONDDIR | V9_BRBFCR_EL1_DIRCALL | V9_BRBFCR_EL1_INDCALL | \
			 V9_BRBFCR_EL1_RTN | V9_BRBFCR_EL1_INDIRECT | V9_BRBFCR_EL1_DIRECT)

/* BRBE-BF1: the classes of branches that a filter of perf selects */
static const struct {
	uint64_t branch;
	uint64_t brbfcr;
} filters[] = {
	{ V9_BRANCH_ANY, EVERY_BRANCH },
	{ V9_BRANCH_ANY_CALL, V9_BRBFCR_EL1_DIRCALL | V9_BRBFCR_EL1_INDCALL },
	{ V9_BRANCH_ANY_RETURN, V9_BRBFCR_EL1_RTN },
	{ V9_BRANCH_IND_CALL, V9_BRBFCR_EL1_INDCALL },
	{ V9_BRANCH_COND, V9_BRBFCR_EL1_CONDDIR },
	{ V9_BRANCH_IND_JUMP, V9_BRBFCR_EL1_INDIRECT },
	{ V9_BRANCH_CALL, V9_BRBFCR_EL1_DIRCALL },
};

/* What a unit cannot do */
static const struct {
	uint64_t branch;
	const char *name;
	const char *why;
} refused[] = {
	{ V9_BRANCH_ABORT_TX, "abort_tx", "there are no transactions" },
	{ V9_BRANCH_IN_TX, "in_tx", "there are no transactions" },
	{ V9_BRANCH_NO_TX, "no_tx", "there are no transactions" },
	{ V9_BRANCH_CALL_STACK, "call_stack", "records of calls that have returned stay" },
	{ V9_BRANCH_COUNTERS, "counter", "records have no counts of events" },
};

#define LEVELS	(V9_BRANCH_USER | V9_BRANCH_KERNEL | V9_BRANCH_HV)
#define KNOWN	(LEVELS | V9_BRANCH_NO_FLAGS | V9_BRANCH_NO_CYCLES | V9_BRANCH_TYPE_SAVE | \
		 V9_BRANCH_HW_INDEX | V9_BRANCH_PRIV_SAVE)

const struct v9_option *v9_brbe_option(unsigned int i)
{
	return i < V9_ARRAY_SIZE(options) ? &options[i] : NULL;
}

const struct v9_brbe_event *v9_brbe_event(unsigned int i)
{
	return i < V9_ARRAY_SIZE(events) ? &events[i] : NULL;
}

static int refuse(struct v9_refusal *no, int err, const char *option, const char *why)
{
	no->option = option;
	no->why = why;
	return err;
}

int v9_brbe_check_unit(const struct v9_brbe_id *id, struct v9_brbe_unit *unit, const char **why)
{
	*why = "no CPU has branch records (ID_AA64DFR0_EL1.BRBE)";
	unit->version = V9_GET(V9_ID_AA64DFR0_EL1_BRBE, id->id_aa64dfr0);
	/* BRBE-BP1. 0b1111 would be a unit of another kind. */
	if (!unit->version || unit->version == 0xf)
		return -ENXIO;
	*why = id->closed;
	if (id->closed)
		return -EPERM;
	/* BRBE-BP2 */
	*why = "branch records of a format that is not known (BRBIDR0_EL1)";
	unit->records = V9_GET(V9_BRBIDR0_EL1_NUMREC, id->brbidr);
	unit->cycle_bits = 20;
	if (V9_GET(V9_BRBIDR0_EL1_FORMAT, id->brbidr) != V9_BRBIDR0_EL1_FORMAT_0 ||
	    V9_GET(V9_BRBIDR0_EL1_CC, id->brbidr) != V9_BRBIDR0_EL1_CC_20_BIT)
		return -EOPNOTSUPP;
	switch (unit->records) {
	case V9_BRBIDR0_EL1_NUMREC_8:
	case V9_BRBIDR0_EL1_NUMREC_16:
	case V9_BRBIDR0_EL1_NUMREC_32:
	case V9_BRBIDR0_EL1_NUMREC_64:
		*why = NULL;
		return 0;
	default:
		return -EOPNOTSUPP;
	}
}

/* The PMU event or clock that samples, and whether exceptions are wanted of user space */
static int check_config(const struct v9_brbe_request *req, struct v9_brbe_reg_values *values,
			struct v9_refusal *no)
{
	uint64_t config = req->config[0], unknown = config & ~(EVENT | CLOCK | BOUNDARIES);

	for (unsigned int i = 1; i < V9_OPTION_WORDS; i++)
		unknown |= req->config[i];
	if (unknown)
		return refuse(no, -EINVAL, "", "an unknown option");
	if (config & CLOCK && config & EVENT)
		return refuse(no, -EINVAL, "clock", "beside an event");
	values->event = config & CLOCK ? 0 : config & EVENT ?: CPU_CYCLES;
	if (values->freezes && !values->event)
		return refuse(no, -EOPNOTSUPP, "clock",
			      "a clock does not freeze: the kernel's branches would be its own");
	return 0;
}

static int check_filters(const struct v9_brbe_request *req, struct v9_brbe_reg_values *values,
			 struct v9_refusal *no)
{
	uint64_t known = KNOWN;

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(refused); i++)
		if (req->branch & refused[i].branch)
			return refuse(no, -EOPNOTSUPP, refused[i].name, refused[i].why);
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(filters); i++) {
		known |= filters[i].branch;
		if (req->branch & filters[i].branch)
			values->brbfcr |= filters[i].brbfcr;
	}
	if (req->branch & ~known)
		return refuse(no, -EOPNOTSUPP, "", "an unknown branch filter");
	if (!values->brbfcr)
		return refuse(no, -EOPNOTSUPP, "", "no type of branches (any, any_call, ...)");
	/* The hypervisor of a kernel at EL2 is the kernel. */
	if (!(req->branch & (V9_BRANCH_USER | V9_BRANCH_KERNEL)))
		return refuse(no, -EOPNOTSUPP, "", "branches of neither user space nor kernel");
	return 0;
}

int v9_brbe_encode_regs(const struct v9_brbe_request *req, struct v9_brbe_reg_values *values,
			struct v9_refusal *no)
{
	bool kernel = req->branch & V9_BRANCH_KERNEL;
	uint64_t common;
	int err;

	*values = (struct v9_brbe_reg_values){ .freezes = kernel };
	err = check_filters(req, values, no);
	if (!err)
		err = check_config(req, values, no);
	if (err)
		return err;

	/*
	 * BRBE-BC2, BC4, BZ2: these count in both registers, and in BRBCR_EL1 for all counters if
	 * EL2 has none of its own (MDCR_EL2.HPMN). BRBE-BZ3: at EL2 the time is that of the
	 * physical counter, whatever offset KVM has loaded.
	 */
	common = V9_PUT(V9_BRBCR_EL2_TS, V9_BRBCR_EL2_TS_PHYSICAL);
	if (!(req->branch & V9_BRANCH_NO_CYCLES))
		common |= V9_BRBCR_EL2_CC;
	if (!(req->branch & V9_BRANCH_NO_FLAGS))
		common |= V9_BRBCR_EL2_MPRED;
	if (values->freezes)
		common |= V9_BRBCR_EL2_FZP;
	/* BRBE-BG3: BRBCR_EL1 enables guests, which are never recorded. */
	values->brbcr_el1 = common;
	values->brbcr = common;
	if (req->branch & V9_BRANCH_USER)
		values->brbcr |= V9_BRBCR_EL2_E0HBRE;
	if (kernel)
		values->brbcr |= V9_BRBCR_EL2_E2BRE;

	/*
	 * BRBE-BX1, BX4: exceptions and returns are branches of the kernel. Without the kernel the
	 * option adds half records of what enters and leaves it, without its addresses (BRBE-BX2).
	 */
	if ((kernel && req->branch & (V9_BRANCH_ANY | V9_BRANCH_ANY_CALL)) ||
	    req->config[0] & BOUNDARIES)
		values->brbcr |= V9_BRBCR_EL2_EXCEPTION;
	if ((kernel && req->branch & (V9_BRANCH_ANY | V9_BRANCH_ANY_RETURN)) ||
	    req->config[0] & BOUNDARIES)
		values->brbcr |= V9_BRBCR_EL2_ERTN;
	return 0;
}
