// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events between the trace unit and the PMU. The PMU counts wraps, triggers and external outputs of the trace
 * unit. Software increments and events of the PMU are external inputs of the trace unit. A test selects an input
 * as an external output, which the PMU counts.
 *
 * Transactions in the trace. The PE does not implement FEAT_TME; a write to a register of the model makes the trace
 * unit generate the elements of a transaction.
 */
#include "fw.h"

#define TRB_WRAP	0x400c
#define TRB_TRIG	0x400e
#define PMU_OVFS	0x400d
#define PMU_HOVFS	0x400f
#define TRCEXTOUT(n)	(0x4010 + (n))
#define SW_INCR		0x0000

#define QUIET PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_IGNORE)
#define ROUND PUT(V9_TRBLIMITR_EL1_FM, V9_TRBLIMITR_EL1_FM_CIRCULAR)

/* Offsets in prog_work: an instruction of each second iteration, and one of each iteration */
#define WORK_ODD	0x24
#define WORK_EACH	0x2c

/* Increments counters 0 and 1, and executes some more instructions. */
asm(".text\n"
    ".globl prog_swinc\n"
    "prog_swinc:\n"
    "	mov	x0, #3\n"
    "	msr	pmswinc_el0, x0\n"
    "	isb\n"
    "	nop\n"
    "	nop\n"
    "	b	1f\n"
    "1:	isb\n"
    "	hint	#18\n"
    "	dsb	sy\n"
    "	isb\n"
    "	smc	#1\n");
extern void prog_swinc(void);

/* A transaction with a branch that succeeds, and one that fails. */
asm(".text\n"
    ".globl prog_transactions\n"
    "prog_transactions:\n"
    "	mov	x0, #0x200\n"
    "	msr	s3_0_c15_c15_7, x0\n"
    "	b	1f\n"
    "1:	mov	x0, #0x201\n"
    "	msr	s3_0_c15_c15_7, x0\n"
    "	mov	x0, #0x200\n"
    "	msr	s3_0_c15_c15_7, x0\n"
    "	b	2f\n"
    "2:	mov	x0, #0x202\n"
    "	msr	s3_0_c15_c15_7, x0\n"
    "	b	3f\n"
    "3:	hint	#18\n"
    "	dsb	sy\n"
    "	isb\n"
    "	smc	#1\n");
extern void prog_transactions(void);

/*
 * The trace unit with event 1 from selector 2, which is set to @rsctlr; @input is selected by its
 * input selector 0.
 */
static void start(unsigned int el, uint64_t rsctlr, uint64_t address, unsigned int input,
		  unsigned int event0)
{
	unsigned int i;

	WR(TRCPRGCTLR, 0);
	isb();
	for (i = 0; i < 100 && !(RD(TRCSTATR) & V9_TRCSTATR_IDLE); i++)
		isb();
	WR(TRCCONFIGR, 0);
	WR(TRCEVENTCTL0R, event0 | 2 << 8);
	WR(TRCEVENTCTL1R, 0);
	WR(TRCRSR, V9_TRCRSR_TA);
	WR(TRCTSCTLR, 0);
	WR(TRCSYNCPR, 0);
	WR(TRCTRACEIDR, 1);
	WR(TRCVICTLR, 0x201);
	WR(TRCVIIECTLR, 0);
	WR(TRCVISSCTLR, 0);
	WR(TRCRSCTLR2, rsctlr);
	WR(TRCRSCTLR3, 0);
	WR(TRCACVR0, address);
	WR(TRCACATR0, 0);
	WR(TRCEXTINSELR0, input);
	WR(TRBBASER_EL1, BUF_VA);
	WR(TRBPTR_EL1, BUF_VA);
	WR(TRBTRG_EL1, 0);
	set_status(TRBE, 1, 0);
	isb();
	WR(TRBLIMITR_EL1, (BUF_VA + PAGE) | QUIET | ROUND | V9_TRBLIMITR_EL1_E);
	isb();
	WR(TRCPRGCTLR, 1);
	isb();
	RD(TRCSTATR);
	if (el == 2)
		WR(TRFCR_EL2, V9_TRFCR_EL2_E2TRE);
	else
		WR(TRFCR_EL1, V9_TRFCR_EL1_E1TRE);
	isb();
}

static void stop(void)
{
	WR(TRFCR_EL1, 0);
	WR(TRFCR_EL2, 0);
	drain();
	WR(TRCPRGCTLR, 0);
	isb();
	RD(TRCSTATR);
	WR(TRBLIMITR_EL1, 0);
	isb();
}

/*
 * Counter 0 counts @event at EL1 and EL2, from 0; counter 1 counts software increments, from
 * @first.
 */
static void count(unsigned int event, uint64_t first, bool tell, unsigned int hpmn)
{
	MSR(pmcr_el0, 0);
	MSR(pmcntenclr_el0, UINT32_MAX);
	MSR(pmintenclr_el1, UINT32_MAX);
	MSR(pmovsclr_el0, UINT32_MAX);
	MSR(mdcr_el2, MRS(mdcr_el2) & ~UINT64_C(31));
	MSR(mdcr_el2, MRS(mdcr_el2) | (hpmn ? hpmn : GET(UINT64_C(0x1f) << 11, MRS(pmcr_el0))));
	/* Not at EL3, for which the filter bit is inverted. */
	MSR(pmevtyper0_el0, event | BIT(27) | BIT(26));
	MSR(pmevtyper1_el0, SW_INCR | BIT(27) | BIT(26));
	MSR(pmevcntr0_el0, 0);
	MSR(pmevcntr1_el0, first);
	MSR(pmcntenset_el0, 3);
	if (tell)
		MSR(pmintenset_el1, 2);
	MSR(mdcr_el2, MRS(mdcr_el2) | BIT(7));	/* HPME */
	MSR(pmcr_el0, 1);
	isb();
}

static uint64_t counted(void)
{
	isb();
	return MRS(pmevcntr0_el0);
}

static bool is(uint64_t got, uint64_t want)
{
	if (got != want)
		note("%lx, wanted %lx", got, want);
	return got == want;
}

static void set_up(unsigned int el)
{
	const struct controls c = { .e2b = el == 1 ? 3 : 0, .ss = NONSECURE, .pm = 1, .permit = 1 };

	control(TRBE, &c);
	mmu_page(0, 0, PAGE_OK);
	mmu_on(true);
}

/* shows: TRBE-PM1 TRBE-PT11 TRBE-PT9 */
static void wraps(void)
{
	uint64_t before = BUF_VA, now, n = 0;
	unsigned int i;

	set_up(1);
	count(TRB_WRAP, 0, false, 0);
	start(1, 4 << 16 | 1, 0, 0, 0);
	/*
	 * Less than a page each time, so that the pointer shows the number of bytes; and nothing at
	 * EL3, where no counter counts
	 */
	for (i = 0; i < 100; i++) {
		WR(TRFCR_EL1, RD(TRFCR_EL1) | V9_TRFCR_EL1_E1TRE);
		isb();
		run(1, 1, prog_work_quiet);
		drain();
		now = RD(TRBPTR_EL1);
		n += now < before;
		before = now;
	}
	stop();
	note("%u wraps", (unsigned int)n);
	result(n > 2 && is(counted(), n), "pmu_counts_wraps");
}

/* shows: TRBE-PM3 TRBE-TR9 TRBE-TR5 */
static void triggers(void)
{
	set_up(1);
	count(TRB_TRIG, 0, false, 0);
	start(1, 4 << 16 | 1, 0, 0, 1);		/* event 0: always */
	run(1, 1, prog_work);
	stop();
	result(is(counted(), 1), "pmu_counts_triggers");
}

/* shows: TRBE-PM5 ETE-I_YRQCN */
static void outputs(void)
{
	static const struct {
		uint16_t offset, times;
		const char *name;
	} t[] = {
		{ 0, 1, "pmu_counts_an_output_once" },
		{ WORK_ODD, 100, "pmu_counts_an_output_each_second_round" },
		{ WORK_EACH, 200, "pmu_counts_an_output_each_round" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		set_up(1);
		count(TRCEXTOUT(1), 0, false, 0);
		start(1, 4 << 16 | 1, (uint64_t)prog_work + t[i].offset, 0, 0);
		run(1, 1, prog_work);
		stop();
		result(is(counted(), t[i].times), t[i].name);
	}
	set_up(1);
	count(TRCEXTOUT(2), 0, false, 0);
	start(1, 4 << 16 | 1, (uint64_t)prog_work, 0, 0);
	run(1, 1, prog_work);
	stop();
	result(is(counted(), 0), "pmu_counts_no_other_output");
}

/* shows: ETE-R_YCNCR ETE-R_XGMPN TRBE-PM2 TRBE-PM4 */
static void inputs(void)
{
	static const struct {
		uint8_t el, hpmn;
		bool tell;
		uint64_t first;
		uint16_t input;
		uint8_t seen;
		const char *name;
	} t[] = {
		{ 1, 0, false, 0, SW_INCR, 1, "software_increments_are_an_input" },
		{ 1, 1, false, 0, SW_INCR, 1, "those_of_the_guest_counters_too" },
		{ 1, 0, false, 0, PMU_OVFS, 0, "no_overflow_no_input" },
		{ 1, 0, true, 0xffffffff, PMU_OVFS, 1, "overflow_is_an_input" },
		{ 1, 0, false, 0xffffffff, PMU_OVFS, 0, "overflow_that_nobody_is_told_of" },
		{ 2, 0, true, 0xffffffff, PMU_OVFS, 1, "overflow_at_el2" },
		{ 2, 1, true, 0xffffffff, PMU_OVFS, 0, "overflow_of_el2_is_no_pmu_ovfs" },
		{ 2, 1, true, 0xffffffff, PMU_HOVFS, 1, "overflow_of_the_hypervisor" },
		{ 2, 0, true, 0xffffffff, PMU_HOVFS, 0, "overflow_that_is_not_the_hypervisors" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		set_up(t[i].el);
		count(TRCEXTOUT(1), t[i].first, t[i].tell, t[i].hpmn);
		start(t[i].el, 0 << 16 | 1, 0, t[i].input, 0);
		run(t[i].el, 1, prog_swinc);
		stop();
		result(is(counted(), t[i].seen), t[i].name);
	}
}

/* Atom, Transaction Commit, Transaction Start, Atom, Transaction Failure (D5.3.71 to 73) */
/* shows: ETE-R_KMNXW ETE-R_TWNQP ETE-R_MHBCG */
static void transactions(void)
{
	static const uint8_t want[] = { 0xf7, 0x0b, 0x0a, 0xf7, 0x06, 0x31, 0x70 };
	uint64_t n, at, k, found = 0;

	set_up(1);
	start(1, 4 << 16 | 1, 0, 0, 0);
	run(1, 1, prog_transactions);
	stop();
	n = RD(TRBPTR_EL1) - BUF_VA;
	for (at = 0; at + sizeof(want) <= n; at++) {
		for (k = 0; k < sizeof(want) && buffer[at + k] == want[k]; k++)
			;
		found += k == sizeof(want);
	}
	note("%u bytes", (unsigned int)n);
	result(found == 1, "transactions_by_injection");
}

/* Events 0x400d and 0x400f are inputs of the trace unit only, according to PMCEID. */
/* shows: TRBE-PM1 TRBE-PM2 TRBE-PM3 TRBE-PM4 TRBE-PM5 */
static void identification(void)
{
	uint64_t id = MRS(pmceid0_el0);

	result((id >> 44 & 1) && (id >> 46 & 1) && (id >> 48 & 15) == 15,
	       "pmceid_has_trace_events");
	result(!(id >> 45 & 1) && !(id >> 47 & 1), "pmceid_has_no_overflow_events");
}

void inputs_suite(void)
{
	uint64_t pmcr = MRS(pmcr_el0);

	suite("inputs");
	identification();
	wraps();
	triggers();
	outputs();
	inputs();
	transactions();
	MSR(pmcr_el0, pmcr & ~UINT64_C(1));
	MSR(pmcntenclr_el0, UINT32_MAX);
	MSR(pmintenclr_el1, UINT32_MAX);
	MSR(pmovsclr_el0, UINT32_MAX);
	mmu_on(false);
	plan();
}
