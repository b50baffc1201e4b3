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
 * Recording is paused, and was synchronized since: BRBE-BR6. The ISB at the end is that of BRB
 * IALL, too (BRBE-BI1): no branch is between the last write and it.
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

/*
 * The register is encoded in the instruction, so each record needs instructions of its own.
 */
#define READ_RECORD(n) \
	case n: \
		r->inf = hw_read(V9_SYS_BRBINF(n)); \
		r->src = hw_read(V9_SYS_BRBSRC(n)); \
		r->tgt = hw_read(V9_SYS_BRBTGT(n)); \
		break

/* Returns false if the record is not valid: then no older one is (BRBE-BB2). */
static bool read_record(unsigned int n, struct v9_branch_regs *r)
{
	switch (n) {
	READ_RECORD(0);
	READ_RECORD(1);
	READ_RECORD(2);
	READ_RECORD(3);
	READ_RECORD(4);
	READ_RECORD(5);
	READ_RECORD(6);
	READ_RECORD(7);
	READ_RECORD(8);
	READ_RECORD(9);
	READ_RECORD(10);
	READ_RECORD(11);
	READ_RECORD(12);
	READ_RECORD(13);
	READ_RECORD(14);
	READ_RECORD(15);
	READ_RECORD(16);
	READ_RECORD(17);
	READ_RECORD(18);
	READ_RECORD(19);
	READ_RECORD(20);
	READ_RECORD(21);
	READ_RECORD(22);
	READ_RECORD(23);
	READ_RECORD(24);
	READ_RECORD(25);
	READ_RECORD(26);
	READ_RECORD(27);
	READ_RECORD(28);
	READ_RECORD(29);
	READ_RECORD(30);
	READ_RECORD(31);
	default:
		return false;
	}
	return r->inf & V9_BRBINFn_EL1_VALID;
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
	hw_isb();			/* all records up to here are invalidated, ... */
	hw_brb_iall();
	hw_isb();			/* ... of none from here on: BRBE-BI1 */
}

void v9_brbe_act_exclude_guest(void)
{
	const uint64_t allowed = V9_HFGITR_EL2_nBRBIALL | V9_HFGITR_EL2_nBRBINJ;
	uint64_t fgt;

	if (!(hw_read(V9_SYS_ID_AA64DFR0_EL1) & V9_ID_AA64DFR0_EL1_BRBE))
		return;				/* perhaps no HFGITR_EL2 either */
	fgt = hw_read(V9_SYS_HFGITR_EL2);
	if (fgt & allowed)
		hw_write(V9_SYS_HFGITR_EL2, fgt & ~allowed);
}
