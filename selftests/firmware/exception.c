// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables D6-8 to D6-10, cell by cell: a status register requests an exception, and a program at EL0
 * to EL3 takes it before its first instruction, or does not.
 */
#include "cells.h"

static void put_request(unsigned int unit, unsigned int level, bool on)
{
	set_status(unit, level, !on ? 0 : unit == SPE ? V9_PMBSR_EL1_S : V9_TRBSR_EL1_IRQ);
	isb();
}

static const char *one(unsigned int unit, unsigned int level, const struct controls *c,
		       unsigned int el)
{
	char cell = cell_exception(c, level, el);
	void (*prog)(void) = el ? prog_wait : prog_wait_el0;
	const char *why;

	put_request(unit, level, true);
	if (line(unit) != (level == 1 && cell_irq(c)))
		return "interrupt line";
	if (el == 3) {
		/* Not at this level: the exception would end the firmware. */
		asm volatile("nop; nop; isb");
		return NULL;
	}
	run(el, c->pm, prog);
	why = cell_happened(unit, cell, el, c->pm);
	/* The preferred return address is that of the instruction that was not executed. */
	if (!why && cell >= '1' && cell <= '3' && recs[cell - '0'].elr != (uintptr_t)prog)
		why = "another return address";
	return why;
}

/* shows: TRBE-EX1 TRBE-EX2 TRBE-EX3 TRBE-EX4 TRBE-EX5 TRBE-EX7 TRBE-EX8 TRBE-IR1 */
/* shows: SPE-ME2 SPE-ME15 */
static void tables(unsigned int unit, unsigned int level)
{
	static const char *const names[] = { "", "_el1", "_el2", "_el3" };
	unsigned int n, el, bad = 0, cells = 0;

	for (n = 0; n < 4096; n++) {
		struct controls c = {
			.ee3 = n & 3, .ee2 = n >> 2 & 3, .ee1 = n >> 4 & 3, .ke1 = n >> 6 & 1,
			.ke2 = n >> 7 & 1, .pm = n >> 8 & 1, .tge = n >> 9 & 1,
			.ss = n >> 10 & 1, .e2h = n >> 11, .e2b = 3,
		};

		/* Fields that have no effect on this register: test them once only */
		if (highest < 3 && (c.ee3 != 1 || c.ss || c.e2h))
			continue;
		if ((level == 1 && c.ke2) || (level > 1 && (c.ee1 || c.ke1)))
			continue;
		control(unit, &c);
		for (el = 0; el <= highest; el++) {
			const char *why;

			if (cell_exception(&c, level, el) == 'n')
				continue;
			why = one(unit, level, &c, el);
			put_request(unit, level, false);
			cells++;
			if (!why && line(unit))
				why = "interrupt line afterwards";
			if (why && ++bad <= 3)
				note("%s register of EL%u: %s: EE3 %u EE2 %u KE2 %u EE1 %u KE1 %u "
				     "PM %u TGE %u E2H %u state %u at EL%u", unit_name[unit],
				     level, why, c.ee3, c.ee2, c.ke2, c.ee1, c.ke1, c.pm, c.tge,
				     c.e2h, c.ss, el);
		}
	}
	note("%s register of EL%u: %u cells", unit_name[unit], level, cells);
	result(!bad, join(unit_name[unit], names[level], NULL));
}

/* The line follows each of its inputs while the request remains. */
/* shows: TRBE-IR1 TRBE-IR2 TRBE-IR4 */
static void line_inputs(unsigned int unit)
{
	struct controls c = { .ee3 = 0, .e2b = 3 };
	bool up[6];

	control(unit, &c);
	put_request(unit, 1, true);
	up[0] = line(unit);
	c.ee3 = 1;
	c.ee2 = 1;
	c.ee1 = 3;
	control(unit, &c);
	up[1] = line(unit);
	c.ee2 = 0;
	control(unit, &c);
	up[2] = line(unit);
	/* Secure state without Secure EL2: TRFCR_EL2 has no effect. */
	MSR(scr_el3, BIT(10) | BIT(8));
	isb();
	up[3] = line(unit);
	MSR(scr_el3, BIT(10) | BIT(8) | BIT(18));
	isb();
	up[4] = line(unit);
	put_request(unit, 1, false);
	up[5] = line(unit);
	result(up[0] && !up[1] && up[2] && !up[3] && up[4] && !up[5],
	       join(unit_name[unit], "_line_follows_its_inputs", NULL));
}

/* A Security state other than the owner's, and a request that the program itself makes */
/* shows: TRBE-EX2 TRBE-EX3 TRBE-EX6 TRBE-EX9 */
static void places(void)
{
	struct controls c = { .ee3 = 1, .ee2 = 3, .ee1 = 3, .ke1 = 1, .e2b = 3 };
	bool taken;

	control(TRBE, &c);
	put_request(TRBE, 2, true);
	MSR(mdcr_el3, (MRS(mdcr_el3) & ~V9_MDCR_EL3_NSTB) | PUT(V9_MDCR_EL3_NSTB, 1));
	isb();
	run(1, 0, prog_wait);
	taken = EC(recs[2].esr) == EC_PROFILING;
	result(!taken, "trbe_masked_outside_the_owning_state");
	put_request(TRBE, 2, false);

	control(TRBE, &c);
	run(1, 0, prog_raise);
	result(EC(recs[1].esr) == EC_PROFILING && recs[1].elr >= (uintptr_t)prog_raising &&
	       recs[1].elr <= (uintptr_t)prog_raised && recs[1].vector == 0x200,
	       "trbe_taken_by_the_isb");
	result(recs[3].count == 1 && EC(recs[3].esr) == 0x17, "trbe_taken_once");
	put_request(TRBE, 1, false);

	/* Both units request an exception: one is taken, the other one stays pending. */
	c.ee2 = 1;
	control(TRBE, &c);
	MSR(mdcr_el3, MRS(mdcr_el3) | PUT(V9_MDCR_EL3_PMSEE, 2));
	isb();
	put_request(SPE, 3, true);
	put_request(TRBE, 1, true);
	run(1, 0, prog_wait);
	result((EC(recs[1].esr) == EC_PROFILING) + (EC(recs[3].esr) == EC_PROFILING) >= 1,
	       "both_units_one_is_taken");
	result(status(SPE, 3) == V9_PMBSR_EL1_S && status(TRBE, 1) == V9_TRBSR_EL1_IRQ,
	       "both_units_both_still_ask");
	put_request(SPE, 3, false);
	put_request(TRBE, 1, false);
}

void exception_suite(void)
{
	unsigned int u, level;

	suite("exception");
	for (u = 0; u < UNITS; u++) {
		for (level = 1; level <= highest; level++)
			tables(u, level);
		if (highest == 3)
			line_inputs(u);
	}
	if (highest == 3)
		places();
	plan();
}
