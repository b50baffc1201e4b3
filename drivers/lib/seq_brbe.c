// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sequences of accesses to the registers of branch records, with the reason for each barrier.
 * include/v9trace/tables/rules has the rules that comments cite.
 *
 * The kernel runs at EL2 with E2H=1: the name BRBCR_EL1 accesses BRBCR_EL2, and the name BRBCR_EL12
 * BRBCR_EL1 (BRBE-BM1).
 *
 * The unit sees a write of its registers after the next context synchronization (BRBE-BM4), which
 * is an ISB, an exception or an exception return. A read sees the records of what precedes the last
 * one (BRBE-BB4).
 */
#include "hw.h"
#include "v9trace/brbe.h"
#include "v9trace/seq.h"

void v9_brbe_read_id(struct v9_brbe_id *id, const char *closed)
{
	memset(id, 0, sizeof(*id));
	id->id_aa64dfr0 = hw_read(V9_SYS_ID_AA64DFR0_EL1) & V9_ID_AA64DFR0_EL1_BRBE;
	if (!id->id_aa64dfr0)
		return;				/* the registers are UNDEFINED: BRBE-BP1 */
	id->closed = closed;
	if (!closed)
		id->brbidr = hw_read(V9_SYS_BRBIDR0_EL1);
}

/* No branch is recorded after this function. */
static void pause(void)
{
	hw_write(V9_SYS_BRBFCR_EL1, V9_BRBFCR_EL1_PAUSED);
	hw_isb();			/* nothing more is recorded: BRBE-BZ1 */
}

/*
 * Recording is paused, and was synchronized since: BRBE-BR6. The ISB at the end is that of BRB IALL,
 * too (BRBE-BI1): no branch is between the last write and it.
 */
static void restart(uint64_t brbfcr)
{
	hw_write(V9_SYS_BRBFCR_EL1, brbfcr);
	hw_isb();			/* recorded from here on */
}

void v9_brbe_act_reset(void)
{
	pause();
	hw_write(V9_SYS_BRBCR_EL1, 0);
	hw_write(V9_SYS_BRBCR_EL12, 0);
	hw_brb_iall();			/* records of before the reset: BRBE-BM3 */
	hw_isb();
	/* A guest that may execute BRB INJ injects nothing: BRBE-BJ2 */
	hw_write(V9_SYS_BRBINFINJ_EL1, 0);
	hw_write(V9_SYS_BRBSRCINJ_EL1, 0);
	hw_write(V9_SYS_BRBTGTINJ_EL1, 0);
}

void v9_brbe_act_start(const struct v9_brbe_reg_values *values)
{
	hw_brb_iall();
	hw_write(V9_SYS_BRBCR_EL12, values->brbcr_el1);
	hw_write(V9_SYS_BRBCR_EL1, values->brbcr);
	restart(values->brbfcr);
}

void v9_brbe_act_stop(void)
{
	hw_write(V9_SYS_BRBCR_EL1, 0);
	pause();
}

void v9_brbe_act_pause(struct v9_branch_found *found)
{
	/* After what has read the overflow, and with all records up to here: BRBE-BZ6, BRBE-BB4 */
	hw_isb();
	found->brbfcr = hw_read(V9_SYS_BRBFCR_EL1);
	found->brbts = hw_read(V9_SYS_BRBTS_EL1);
	pause();
}

/* Registers have their numbers in the instruction. BRBE-BB2: the first invalid record ends. */
static bool read_record(unsigned int n, struct v9_branch_regs *r)
{
#define RECORD(n) case n: \
		r->inf = hw_read(V9_SYS_BRBINF(n)); \
		if (!(r->inf & V9_BRBINFn_EL1_VALID)) \
			return false; \
		r->src = hw_read(V9_SYS_BRBSRC(n)); \
		r->tgt = hw_read(V9_SYS_BRBTGT(n)); \
		return true;
#define RECORDS_4(n) RECORD(n) RECORD((n) + 1) RECORD((n) + 2) RECORD((n) + 3)
	switch (n) {
	RECORDS_4(0) RECORDS_4(4) RECORDS_4(8) RECORDS_4(12)
	RECORDS_4(16) RECORDS_4(20) RECORDS_4(24) RECORDS_4(28)
	default:
		return false;
	}
}

unsigned int v9_brbe_act_read(struct v9_branch_regs *rec, unsigned int max)
{
	unsigned int n = 0;

	while (n < max && read_record(n % V9_BRBE_BANK, &rec[n]))
		if (++n == V9_BRBE_BANK && n < max) {
			hw_write(V9_SYS_BRBFCR_EL1, V9_BRBFCR_EL1_PAUSED |
				 V9_PUT(V9_BRBFCR_EL1_BANK, V9_BRBFCR_EL1_BANK_32_TO_63));
			hw_isb();	/* the bank is selected: BRBE-BB3 */
		}
	return n;
}

void v9_brbe_act_resume(const struct v9_brbe_reg_values *values)
{
	hw_brb_iall();
	restart(values->brbfcr);
}

void v9_brbe_act_forget(void)
{
	hw_isb();			/* records of all branches up to here are invalidated, ... */
	hw_brb_iall();
	hw_isb();			/* ... of none from here on: BRBE-BI1 */
}
