// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each management event, caused by a program that is traced or sampled at the owning Exception
 * level, with each setting of the controls: the status register that records it, and its syndrome;
 * that the other registers are unchanged; the pointer; the interrupt line; the exception.
 */
#include "cells.h"

#define SR_EC(x) PUT(V9_TRBSR_EL1_EC, x)
#define IRQ V9_TRBSR_EL1_IRQ
#define STOP V9_TRBSR_EL1_S
#define WRAP V9_TRBSR_EL1_WRAP
#define TRG V9_TRBSR_EL1_TRG
#define EA V9_TRBSR_EL1_EA
#define DL V9_PMBSR_EL1_DL

/* previous value of a register; only an event that stops the unit replaces it */
#define POISON UINT64_C(0x8000)

enum inject {
	NO_INJECT = -1, TRBE_ABORT, TRBE_IMPDEF, SPE_ABORT, SPE_IMPDEF,
	TRBE_ALIGNMENT, TRBE_TLB_CONFLICT, SPE_ALIGNMENT, SPE_TLB_CONFLICT
};

/**
 * struct event - one way to cause a management event
 * @limitr: bits of TRBLIMITR_EL1 or PMBLIMITR_EL1 besides LIMIT and E
 * @left: only the last bytes of the buffer are free
 * @trigger: event 0 of the trace unit is active
 * @status: expected value of the register that records it, without the previous value
 */
struct event {
	const char *name;
	uint8_t unit;
	uint8_t column;
	uint8_t stage, kind;
	uint64_t limitr;
	bool left, trigger;
	int inject;
	uint64_t status;
};

#define FM(x) PUT(V9_TRBLIMITR_EL1_FM, V9_TRBLIMITR_EL1_FM_##x)
#define TM(x) PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_##x)
#define QUIET TM(IGNORE)
#define T_FAULT(n, col, st, kind, ec, fsc, more) \
	{ n, TRBE, col, st, kind, QUIET, false, false, NO_INJECT, \
	  SR_EC(ec) | IRQ | STOP | (fsc) | (more) }
#define S_FAULT(n, col, st, kind, ec, fsc, more) \
	{ n, SPE, col, st, kind, 0, false, false, NO_INJECT, SR_EC(ec) | STOP | (fsc) | (more) }

/* Injected; as a fault of stage 1 at the first byte of a buffer with valid tables */
#define MADE_UP(n, unit, inject, status) { n, unit, S1, 1, PAGE_OK, \
	(unit) == TRBE ? QUIET : 0, false, false, inject, SR_EC(0x24) | STOP | (status) }

static const struct event events[] = {
	{ "fill", TRBE, OTHER, 0, 0, FM(FILL) | QUIET, true, false, NO_INJECT,
	  IRQ | STOP | WRAP | 1 },
	{ "wrap", TRBE, OTHER, 0, 0, FM(WRAP) | QUIET, true, false, NO_INJECT,
	  IRQ | WRAP | POISON },
	{ "circular", TRBE, OTHER, 0, 0, FM(CIRCULAR) | QUIET, true, false, NO_INJECT,
	  WRAP | POISON },
	{ "stop_on_trigger", TRBE, OTHER, 0, 0, TM(STOP), false, true, NO_INJECT,
	  IRQ | STOP | TRG | 2 },
	{ "irq_on_trigger", TRBE, OTHER, 0, 0, TM(IRQ), false, true, NO_INJECT,
	  IRQ | TRG | POISON },
	{ "impdef", TRBE, OTHER, 0, 0, QUIET, false, false, TRBE_IMPDEF,
	  SR_EC(0x1f) | IRQ | STOP },
	T_FAULT("s1_translation", S1, 1, PAGE_TRANSLATION, 0x24, 0x07, 0),
	T_FAULT("s1_access_flag", S1, 1, PAGE_ACCESS_FLAG, 0x24, 0x0b, 0),
	T_FAULT("s1_permission", S1, 1, PAGE_PERMISSION, 0x24, 0x0f, 0),
	T_FAULT("s1_address_size", S1, 1, PAGE_ADDRESS_SIZE, 0x24, 0x03, 0),
	MADE_UP("alignment", TRBE, TRBE_ALIGNMENT, IRQ | 0x21),
	MADE_UP("tlb_conflict", TRBE, TRBE_TLB_CONFLICT, IRQ | 0x30),
	T_FAULT("s2_translation", S2, 2, PAGE_TRANSLATION, 0x25, 0x07, 0),
	T_FAULT("s2_access_flag", S2, 2, PAGE_ACCESS_FLAG, 0x25, 0x0b, 0),
	T_FAULT("s2_permission", S2, 2, PAGE_PERMISSION, 0x25, 0x0f, 0),
	T_FAULT("s2_address_size", S2, 2, PAGE_ADDRESS_SIZE, 0x25, 0x03, 0),
	T_FAULT("abort", EA_S1, 1, PAGE_HOLE, 0x24, 0x10, EA),
	T_FAULT("abort_on_s1_walk", EA_S1, 1, PAGE_WALK, 0x24, 0x17, EA),
	T_FAULT("abort_on_s2_walk", EA_S2, 2, PAGE_WALK, 0x25, 0x17, EA),
	{ "late_abort", TRBE, EA_S1, 0, 0, QUIET, false, false, TRBE_ABORT,
	  SR_EC(0x24) | IRQ | STOP | EA | 0x11 },
	T_FAULT("gpf", GPF_S1, 1, PAGE_GPF, 0x24, 0x28, 0),
	T_FAULT("gpf_on_s1_walk", GPF_S1, 1, PAGE_WALK_GPF, 0x24, 0x27, 0),
	T_FAULT("gpf_on_s2_walk", GPF_S2, 2, PAGE_WALK_GPF, 0x25, 0x27, 0),
	T_FAULT("gpc_walk", GPC, 1, PAGE_GPC, 0x1e, 0, 0),

	{ "full", SPE, OTHER, 0, 0, 0, true, false, NO_INJECT, STOP | 1 },
	{ "impdef", SPE, OTHER, 0, 0, 0, false, false, SPE_IMPDEF, SR_EC(0x1f) | STOP },
	S_FAULT("s1_translation", S1, 1, PAGE_TRANSLATION, 0x24, 0x07, 0),
	S_FAULT("s1_access_flag", S1, 1, PAGE_ACCESS_FLAG, 0x24, 0x0b, 0),
	S_FAULT("s1_permission", S1, 1, PAGE_PERMISSION, 0x24, 0x0f, 0),
	S_FAULT("s1_address_size", S1, 1, PAGE_ADDRESS_SIZE, 0x24, 0x03, 0),
	MADE_UP("alignment", SPE, SPE_ALIGNMENT, 0x21),
	MADE_UP("tlb_conflict", SPE, SPE_TLB_CONFLICT, 0x30),
	S_FAULT("s2_translation", S2, 2, PAGE_TRANSLATION, 0x25, 0x07, 0),
	S_FAULT("s2_access_flag", S2, 2, PAGE_ACCESS_FLAG, 0x25, 0x0b, 0),
	S_FAULT("s2_permission", S2, 2, PAGE_PERMISSION, 0x25, 0x0f, 0),
	S_FAULT("s2_address_size", S2, 2, PAGE_ADDRESS_SIZE, 0x25, 0x03, 0),
	S_FAULT("abort", EA_S1, 1, PAGE_HOLE, 0x24, 0x10, EA),
	S_FAULT("abort_on_s1_walk", EA_S1, 1, PAGE_WALK, 0x24, 0x17, EA),
	S_FAULT("abort_on_s2_walk", EA_S2, 2, PAGE_WALK, 0x25, 0x17, EA),
	{ "late_abort", SPE, EA_S1, 0, 0, 0, false, false, SPE_ABORT,
	  SR_EC(0x24) | STOP | EA | DL | 0x11 },
	S_FAULT("gpf", GPF_S1, 1, PAGE_GPF, 0x24, 0x28, 0),
	S_FAULT("gpf_on_s1_walk", GPF_S1, 1, PAGE_WALK_GPF, 0x24, 0x27, 0),
	S_FAULT("gpf_on_s2_walk", GPF_S2, 2, PAGE_WALK_GPF, 0x25, 0x27, 0),
	S_FAULT("gpc_walk", GPC, 1, PAGE_GPC, 0x1e, 0, 0),
};

/* TRCSTATR is read before other accesses to the unit. */
void trace_unit_on(void)
{
	unsigned int i;

	WR(TRCPRGCTLR, 1);
	isb();
	for (i = 0; i < 100 && (RD(TRCSTATR) & V9_TRCSTATR_IDLE); i++)
		isb();
}

void trace_unit_off(void)
{
	unsigned int i;

	WR(TRCPRGCTLR, 0);
	isb();
	for (i = 0; i < 100 && !(RD(TRCSTATR) & V9_TRCSTATR_IDLE); i++)
		isb();
}

void trace_unit_program(bool event)
{
	trace_unit_off();
	WR(TRCCONFIGR, 0);
	WR(TRCEVENTCTL0R, event);	/* resource 1: always true */
	WR(TRCEVENTCTL1R, 0);
	WR(TRCRSR, V9_TRCRSR_TA);
	WR(TRCTSCTLR, 0);
	WR(TRCSYNCPR, 0);
	WR(TRCCCCTLR, 0);
	WR(TRCTRACEIDR, 1);
	WR(TRCVICTLR, 0x201);
	WR(TRCBBCTLR, 0);
	WR(TRCVIIECTLR, 0);
	WR(TRCVISSCTLR, 0);
}

void profiling_unit_program(void)
{
	WR(PMSFCR_EL1, 0);
	WR(PMSEVFR_EL1, 0);
	WR(PMSNEVFR_EL1, 0);
	WR(PMSLATFR_EL1, 0);
	WR(PMSIRR_EL1, 1 << 8);
}

static void start_trbe(const struct event *e, unsigned int owner)
{
	trace_unit_program(e->trigger);
	WR(TRBBASER_EL1, BUF_VA);
	WR(TRBPTR_EL1, e->left ? BUF_VA + PAGE - 64 : BUF_VA);
	WR(TRBTRG_EL1, 0);
	isb();
	WR(TRBLIMITR_EL1, (BUF_VA + PAGE) | e->limitr | V9_TRBLIMITR_EL1_E);
	isb();
	trace_unit_on();
	if (owner == 2)
		WR(TRFCR_EL2, RD(TRFCR_EL2) | V9_TRFCR_EL2_E2TRE);
	else
		WR(TRFCR_EL1, RD(TRFCR_EL1) | V9_TRFCR_EL1_E1TRE);
	isb();
}

static void start_spe(const struct event *e, unsigned int owner)
{
	WR(PMBPTR_EL1, e->left ? BUF_VA + PAGE - 64 : BUF_VA);
	profiling_unit_program();
	isb();
	WR(PMSICR_EL1, 0);
	WR(PMBLIMITR_EL1, (BUF_VA + PAGE) | e->limitr | V9_PMBLIMITR_EL1_E);
	isb();
	if (owner == 2)
		WR(PMSCR_EL2, RD(PMSCR_EL2) | V9_PMSCR_EL2_E2SPE);
	else
		WR(PMSCR_EL1, RD(PMSCR_EL1) | V9_PMSCR_EL1_E1SPE);
	isb();
}

/* Everything off; the registers keep the values that the event left. */
static void stop(void)
{
	/* Without EL3 this is the owner's level. */
	WR(TRFCR_EL2, RD(TRFCR_EL2) & ~V9_TRFCR_EL2_E2TRE);
	WR(PMSCR_EL2, RD(PMSCR_EL2) & ~V9_PMSCR_EL2_E2SPE);
	drain();
	trace_unit_off();
	WR(TRBLIMITR_EL1, 0);
	WR(PMBLIMITR_EL1, 0);
	isb();
}

/* Does @v report an asynchronous abort, alone or beside another event? */
static bool late(const struct event *e, uint64_t v)
{
	uint64_t lost = e->unit == SPE ? DL : 0;

	return v == ((e->status & ~V9_TRBSR_EL1_MSS) | 0x11 | lost) || v == (e->status | lost);
}

static const char *check_event(const struct event *e, const struct controls *c, unsigned int level,
			 unsigned int owner)
{
	bool requested = e->status & (e->unit == SPE ? STOP : IRQ);
	bool late_one = false;
	const char *why;
	unsigned int l;

	for (l = 1; l <= highest; l++) {
		uint64_t v = status(e->unit, l), want = l == level ? e->status : POISON;

		/* With delayed writes the abort is reported later, and its address is not known. */
		if (v != want && l == level && e->kind == PAGE_HOLE && late(e, v)) {
			late_one = true;
			continue;
		}
		if (v != want) {
			note("register of EL%u: %lx, wanted %lx", l, v, want);
			return "status";
		}
	}
	if (e->stage && !late_one) {
		uint64_t p = e->unit == SPE ? RD(PMBPTR_EL1) : RD(TRBPTR_EL1);

		if (p != BUF_VA)
			return "fault address";
	}
	if (line(e->unit) != (requested && level == 1 && cell_irq(c)))
		return "interrupt line";
	why = cell_happened(e->unit, requested ? cell_exception(c, level, owner) : '-', owner, c->pm);
	return why;
}

static const char *one(const struct event *e, const struct controls *c)
{
	unsigned int owner = c->e2b ? 1 : 2, l, level = cell_level(c, e->column);
	const char *why;

	control(e->unit, c);
	mmu_page(0, e->stage, e->kind);
	mmu_on(true);
	for (l = 1; l <= highest; l++)
		set_status(e->unit, l, POISON);
	/* A fault occurs at the first byte, which the code here may already generate. */
	if (e->inject >= 0 && e->stage)
		MSR(s3_0_c15_c15_7, e->inject);
	if (e->unit == SPE)
		start_spe(e, owner);
	else
		start_trbe(e, owner);
	if (e->inject >= 0 && !e->stage)
		MSR(s3_0_c15_c15_7, e->inject);
	/* The event is injected here, and still affects the buffer of the lower level. */
	run(owner, c->pm, prog_work);
	stop();
	why = check_event(e, c, level, owner);
	for (l = 1; l <= highest; l++)
		set_status(e->unit, l, 0);
	mmu_on(false);
	if (!why && line(e->unit))
		why = "interrupt line afterwards";
	return why;
}

/* shows: TRBE-EV1 TRBE-EV2 TRBE-EV3 TRBE-EV8 TRBE-EV9 TRBE-EV10 TRBE-FA1 TRBE-FA2 TRBE-FA7 */
/* shows: TRBE-EA2 TRBE-EA3 SPE-PB13 SPE-OW2 */
/* shows: TRBE-IM1 TRBE-PT7 TRBE-PT8 TRBE-PT9 TRBE-TR7 TRBE-TR8 TRBE-OW1 TRBE-OW3 TRBE-OW4 */
/* shows: TRBE-AT7 SPE-ME1 SPE-ME6 SPE-ME7 SPE-ME8 SPE-ME11 SPE-ME15 */
void record_suite(const char *name, bool gpc)
{
	unsigned int i, n, cells;

	suite(name);
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		const struct event *e = &events[i];
		bool ea = e->column == EA_S1 || e->column == EA_S2;
		bool granule = e->column >= GPF_S1;
		unsigned int bad = 0;

		if (granule && !gpc)
			continue;
		cells = 0;
		for (n = 0; n < 256 * STATES; n++) {
			struct controls c = {
				.ee3 = n & 3, .ee2 = n >> 2 & 3, .e2b = n >> 4 & 1 ? 3 : 0,
				.ss = n >> 8, .e2h = n >> 7 & 1, .pm = 1, .permit = 1,
			};
			const char *why;

			if (granule) {
				c.scr_gpf = n >> 5 & 1;
				c.hcr_gpf = n >> 6 & 1;
			} else if (ea) {
				c.scr_ea = n >> 5 & 1;
				c.hcr_tea = n >> 6 & 1;
			} else if (n >> 5 & 3) {
				continue;
			}
			if ((c.ss == REALM && !gpc) ||
			    (highest < 3 && (c.ee3 != 1 || c.ss || c.scr_ea)))
				continue;
			/* At EL2 with E2H the names of EL1 would access other registers. */
			if (c.e2h && (highest < 3 || c.e2b))
				continue;
			c.stage2 = e->stage == 2;
			/*
			 * There is no stage 2 below EL2; that of Secure state has tables of its
			 * own.
			 */
			if (c.stage2 && (!c.e2b || c.ss == SECURE))
				continue;
			why = one(e, &c);
			cells++;
			if (why && ++bad <= 3)
				note("%s %s: %s: EE3 %u EE2 %u E2xB %u state %u EA %u TEA %u "
				     "GPF %u %u E2H %u", unit_name[e->unit], e->name, why,
				     c.ee3, c.ee2, c.e2b, c.ss, c.scr_ea, c.hcr_tea,
				     c.scr_gpf, c.hcr_gpf, c.e2h);
		}
		note("%s %s: %u cells", unit_name[e->unit], e->name, cells);
		result(!bad && cells, join(unit_name[e->unit], "_", e->name, NULL));
	}
	plan();
}
