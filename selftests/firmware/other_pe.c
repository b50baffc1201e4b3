// SPDX-License-Identifier: GPL-2.0-only
/*
 * TLB maintenance by another PE. When it is complete there, translated data of this PE's unit is in
 * memory, without a barrier of this PE, and the unit does not use the old tables. Runs with the
 * longest delays.
 *
 * Before that, code that one PE changes and the other executes: of the platform, not of a unit.
 */
#include "fw.h"

#define FILL 0xa5

static uint64_t asked, answered;	/* rounds */
static uint64_t there[2];		/* bytes in the first page: before and after it */

/* No barrier here: the model might complete the write at any of them. */
static uint64_t seen(uint64_t *at)
{
	return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

static void tell(uint64_t *at, uint64_t v)
{
	__atomic_store_n(at, v, __ATOMIC_RELEASE);
}

static uint64_t bytes_there(void)
{
	uint64_t i, n = 0;

	for (i = 0; i < PAGE; i++)
		n += ((volatile uint8_t *)buffer)[i] != FILL;
	return n;
}

#define CHANGES	10000
#define NOP	0xd503201f
#define B_OVER	0x14000002	/* to the second instruction after it */

static uint64_t written, executed;	/* changes */
static uint64_t stale;			/* executions of an old instruction */

uint64_t changing(void);
extern uint32_t changing_insn;

/* 0 with NOP, 1 with the branch. NOP and B may be changed while another PE executes them. */
asm(".balign 64\n"
    "changing: mov x0, #0\n"
    "changing_insn: nop\n"
    "ret\n"
    "mov x0, #1\n"
    "ret\n"
    ".balign 64\n");

/* Executes the instruction all the time. After a change is announced it must be the new one. */
static void execute_changes(void)
{
	uint64_t last = 0, now, got;

	do {
		now = seen(&written);
		isb();
		got = changing();
		if (now == last)
			continue;
		if (now <= CHANGES)
			stale += got != (now & 1);
		last = now;
		tell(&executed, now);
	} while (now <= CHANGES);
}

static void change_code(void)
{
	uint64_t i;

	for (i = 1; i <= CHANGES + 1; i++) {
		if (i <= CHANGES)
			*(volatile uint32_t *)&changing_insn = i & 1 ? B_OVER : NOP;
		asm volatile("dc cvau, %0; dsb ish; ic ivau, %0; dsb ish; isb"
			     : : "r" (&changing_insn) : "memory");
		tell(&written, i);
		while (seen(&executed) != i)
			;
	}
	note("%u of %u times an old instruction", (unsigned int)stale, CHANGES);
	result(!stale, "the_new_instruction_is_executed");
}

void other_pe_work(void)
{
	uint64_t round;

	/* of the Non-secure state */
	MSR(scr_el3, BIT(10) | BIT(8) | BIT(0));
	isb();
	execute_changes();
	for (round = 1; ; round++) {
		while (seen(&asked) != round)
			;
		there[0] = bytes_there();
		mmu_unmap_everywhere();
		there[1] = bytes_there();
		tell(&answered, round);
	}
}

static void start(unsigned int unit)
{
	if (unit == SPE) {
		WR(PMBPTR_EL1, BUF_VA);
		profiling_unit_program();
		isb();
		WR(PMSICR_EL1, 1);
		WR(PMBLIMITR_EL1, (BUF_VA + BUF_PAGES * PAGE) | V9_PMBLIMITR_EL1_E);
		isb();
		WR(PMSCR_EL1, RD(PMSCR_EL1) | V9_PMSCR_EL1_E1SPE);
	} else {
		trace_unit_program(false);
		WR(TRBBASER_EL1, BUF_VA);
		WR(TRBPTR_EL1, BUF_VA);
		WR(TRBTRG_EL1, 0);
		isb();
		WR(TRBLIMITR_EL1, (BUF_VA + BUF_PAGES * PAGE) | V9_TRBLIMITR_EL1_E |
		   PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_IGNORE));
		isb();
		trace_unit_on();
		WR(TRFCR_EL1, RD(TRFCR_EL1) | V9_TRFCR_EL1_E1TRE);
	}
	isb();
}

static void stop(void)
{
	WR(TRFCR_EL1, 0);
	WR(PMSCR_EL1, 0);
	drain();
	trace_unit_off();
	WR(TRBLIMITR_EL1, 0);
	WR(PMBLIMITR_EL1, 0);
	isb();
}

/* shows: SPE-PB23 TRBE-AT14 */
static void one(unsigned int unit)
{
	static uint64_t round;
	struct controls c = { .e2b = 3, .permit = 1, .pm = 1 };
	uint64_t written, sr;
	unsigned int i;

	for (i = 0; i < sizeof(buffer); i++)
		buffer[i] = FILL;
	control(unit, &c);
	mmu_page(~0u, 1, PAGE_OK);
	mmu_on(true);
	set_status(unit, 1, 0);
	start(unit);
	run(1, 1, prog_work_late);
	isb();
	written = (unit == SPE ? RD(PMBPTR_EL1) : RD(TRBPTR_EL1)) - BUF_VA;
	tell(&asked, ++round);
	while (seen(&answered) != round)
		;
	note("%s: pointer %u, there %u and then %u", unit_name[unit], (unsigned int)written,
	     (unsigned int)there[0], (unsigned int)there[1]);
	result(written && written < PAGE && there[1] >= written / 2 && there[1] > there[0] &&
	       bytes_there() == there[1], join(unit_name[unit], "_is_written_before_it_is_complete",
					       NULL));
	result(!there[0], join(unit_name[unit], "_waited_until_then", NULL));
	run(1, 1, prog_work_late);
	stop();
	mmu_on(false);
	sr = status(unit, 1);
	result(GET(V9_TRBSR_EL1_EC, sr) == 0x24 && (sr & 0x3f) == 0x07,
	       join(unit_name[unit], "_finds_the_new_tables", NULL));
	result(bytes_there() == there[1], join(unit_name[unit], "_leaves_the_old_page", NULL));
	set_status(unit, 1, 0);
}

void other_pe_suite(void)
{
	unsigned int u;

	suite("other_pe");
	change_code();
	for (u = 0; u < UNITS; u++)
		one(u);
	plan();
}
