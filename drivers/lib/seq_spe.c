// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sequences of accesses to the registers of a profiling unit, with the reason for each barrier.
 * include/v9trace/tables/rules has the rules that comments cite.
 *
 * The unit runs in parallel to the program. It observes a register write after the next context
 * synchronization (ISB, SPE-SY3). A read observes what the unit does only after PSB CSYNC, which
 * flushes the records of all that precedes the last ISB (SPE-SY4), DSB, which waits until their
 * bytes are in memory (SPE-SY7), and another ISB (SPE-SY5).
 */
#include "hw.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq.h"

/* The writable bits of a filter are found by writing all of them (SPE-FI6). */
#define READ_WRITABLE(reg, bits) do { \
	hw_write(reg, ~UINT64_C(0)); \
	(bits) = hw_read(reg); \
	hw_write(reg, 0); \
} while (0)

void v9_spe_read_id(struct v9_spe_id *id, unsigned int words, const char *closed)
{
	const uint64_t types = V9_PMSFCR_EL1_FP | V9_PMSFCR_EL1_SIMD | V9_PMSFCR_EL1_Bm |
			       V9_PMSFCR_EL1_LDm | V9_PMSFCR_EL1_STm | V9_PMSFCR_EL1_FPm |
			       V9_PMSFCR_EL1_SIMDm;
	const uint64_t granules = V9_ID_AA64MMFR0_EL1_TGran4 | V9_ID_AA64MMFR0_EL1_TGran16 |
				  V9_ID_AA64MMFR0_EL1_TGran64;

	memset(id, 0, sizeof(*id));
	id->id_aa64mmfr0 = hw_read(V9_SYS_ID_AA64MMFR0_EL1) & granules;
	id->id_aa64dfr0 = hw_read(V9_SYS_ID_AA64DFR0_EL1) & V9_ID_AA64DFR0_EL1_PMSVer;
	if (!id->id_aa64dfr0)
		return;				/* the registers are UNDEFINED: SPE-RA2 */
	id->pmbidr = hw_read(V9_SYS_PMBIDR_EL1);
	if (id->pmbidr & V9_PMBIDR_EL1_P)
		return;				/* the registers trap: SPE-OW7 */
	id->closed = closed;
	if (closed)
		return;
	/*
	 * Whether nVM is effective depends on EL2 or its reset value, not on the unit (SPE-PB6).
	 * Keep AddrMode only if it excludes virtual addresses, for v9_spe_check_unit().
	 */
	if (V9_GET(V9_PMBIDR_EL1_AddrMode, id->pmbidr) != V9_PMBIDR_EL1_AddrMode_PA)
		id->pmbidr &= ~V9_PMBIDR_EL1_AddrMode;
	id->pmsidr = hw_read(V9_SYS_PMSIDR_EL1);

	if (id->pmsidr & V9_PMSIDR_EL1_FE)
		READ_WRITABLE(V9_SYS_PMSEVFR_EL1, id->events);
	if ((id->pmsidr & V9_PMSIDR_EL1_FnE) && words > 3)
		READ_WRITABLE(V9_SYS_PMSNEVFR_EL1, id->inv_events);
	if ((id->pmsidr & V9_PMSIDR_EL1_FDS) && words > 4)
		READ_WRITABLE(V9_SYS_PMSDSFR_EL1, id->sources);
	if (id->pmsidr & V9_PMSIDR_EL1_EFT)
		READ_WRITABLE(V9_SYS_PMSFCR_EL1, id->types);
	id->types &= types;
}

/*
 * After this function no operation is sampled, all records of earlier ones are in memory, and the
 * buffer is disabled. SPE-SY9, SPE-SY10.
 */
static void drain_and_disable(void)
{
	hw_write(V9_SYS_PMSCR_EL1, 0);
	hw_isb();				/* no more samples after here: SPE-EN6 */
	hw_psb();				/* earlier records are complete: SPE-SY4 */
	hw_dsb();				/* and in memory: SPE-SY7 */
	hw_write(V9_SYS_PMBLIMITR_EL1, 0);
	hw_isb();			/* the buffer is off, status and pointer are final */
}

void v9_spe_act_reset(struct v9_spe_state *state)
{
	state->known = false;
	/* Only PMBLIMITR_EL1.E has a reset value; PMSCR_EL1 may enable sampling (SPE-RA1). */
	drain_and_disable();
	hw_write(V9_SYS_PMBPTR_EL1, 0);
	hw_write(V9_SYS_PMBSR_EL1, 0);		/* deasserts the interrupt: SPE-ME2 */
	hw_isb();
}

void v9_spe_act_quiesce(void)
{
	/* With EE 0 the interrupt follows the status register of this level (SPE-RA4). */
	hw_write(V9_SYS_PMSCR_EL1, 0);
	hw_isb();
	hw_write(V9_SYS_PMBSR_EL1, 0);		/* deasserts the interrupt: SPE-ME2 */
	hw_isb();
}

bool v9_spe_has_physical(void)
{
	uint64_t dfr2 = hw_read(V9_SYS_ID_AA64DFR2_EL1);

	if (!V9_GET(V9_ID_AA64DFR2_EL1_SPE_nVM, dfr2))
		return false;
	/* EL2 may make nVM ineffective (SPE-PB6). A reserved value is treated as no support. */
	return V9_GET(V9_PMBIDR_EL1_AddrMode, hw_read(V9_SYS_PMBIDR_EL1)) ==
	       V9_PMBIDR_EL1_AddrMode_VA_PA;
}

bool v9_spe_act_physical(bool permitted)
{
	/* No register shows whether EL3 or EL2 traps PMBMAR_EL1. */
	if (!permitted || !v9_spe_has_physical())
		return false;
	/* The attributes of the kernel's mapping; others would be mismatched: SPE-PB10 */
	hw_write(V9_SYS_PMBMAR_EL1, V9_PUT(V9_PMBMAR_EL1_SH, V9_PMBMAR_EL1_SH_INNER_SHAREABLE) |
		 V9_PUT(V9_PMBMAR_EL1_Attr, V9_ATTR_WRITE_BACK));
	return true;
}

/* Returns true if all registers hold their values. Usually the last session had the same values. */
static bool holds(const struct v9_spe_state *state, const struct v9_spe_reg_values *values)
{
#define DIFFERENCE_OF(name, ...) (state->reg[V9_SPE_REG_##name] ^ values->reg[V9_SPE_REG_##name])
	return state->known && !(V9_SPE_HELD_REGS(DIFFERENCE_OF, V9_OR));
}

/* Returns true if the register must be written, and sets its held value. */
static bool changes(struct v9_spe_state *state, const struct v9_spe_reg_values *values,
		    enum v9_spe_reg reg)
{
	if (state->known && state->reg[reg] == values->reg[reg])
		return false;
	state->reg[reg] = values->reg[reg];
	return true;
}

/*
 * PMSICR_EL1 is written separately: if it is 0, the unit loads its counter from PMSIRR_EL1, random
 * part included, when profiling becomes enabled and not before (SPE-SI8).
 */
static V9_NOINLINE void write_values(struct v9_spe_state *state,
				     const struct v9_spe_reg_values *values)
{
#define WRITE_OF(name, need) do { \
	if ((!(need) || (values->features & (need))) && changes(state, values, V9_SPE_REG_##name)) \
		hw_write(V9_SYS_##name##_EL1, values->reg[V9_SPE_REG_##name]); \
	} while (0)

	V9_SPE_HELD_REGS(WRITE_OF, ;);
}

void v9_spe_act_start(struct v9_spe_state *state, const struct v9_spe_reg_values *values,
		      const struct v9_spe_regs *regs, bool wrote)
{
	/*
	 * Buffer first, sampling last: the registers have no effect before PMSCR_EL1 is written.
	 * The status must be 0, because events do not clear bits (SPE-ME14). It is 0 unless the
	 * session continues with a status that was saved.
	 */
	if (regs->pmbsr)
		hw_write(V9_SYS_PMBSR_EL1, regs->pmbsr);
	if (!state->known || state->pmbptr != regs->pmbptr)
		hw_write(V9_SYS_PMBPTR_EL1, regs->pmbptr);
	hw_write(V9_SYS_PMBLIMITR_EL1, regs->pmblimitr);

	if (!holds(state, values))
		write_values(state, values);
	if (!state->known || state->pmsicr != regs->pmsicr)
		hw_write(V9_SYS_PMSICR_EL1, regs->pmsicr);
	state->known = true;

	if (wrote)
		hw_dsb();		/* the padding before records of the unit: SPE-SY2 */
	hw_isb();			/* all of the above before the first sample: SPE-SY3 */
	hw_write(V9_SYS_PMSCR_EL1, values->reg[V9_SPE_REG_PMSCR]);
	/*
	 * The write takes effect at the next context synchronization, for user mode at the
	 * exception return at the latest. After a task switch the kernel runs without a context
	 * synchronization (SPE-SY3).
	 */
	if (values->reg[V9_SPE_REG_PMSCR] & V9_PMSCR_EL1_E1SPE)
		hw_isb();
}

void v9_spe_act_stop(struct v9_spe_state *state, struct v9_spe_regs *regs)
{
	drain_and_disable();
	regs->pmbptr = hw_read(V9_SYS_PMBPTR_EL1);
	regs->pmbsr = hw_read(V9_SYS_PMBSR_EL1);
	regs->pmsicr = hw_read(V9_SYS_PMSICR_EL1);
	state->pmbptr = regs->pmbptr;
	state->pmsicr = regs->pmsicr;

	/*
	 * The caller handles an event that occurred during the stop. Clear it for the next session.
	 */
	if (regs->pmbsr) {
		hw_write(V9_SYS_PMBSR_EL1, 0);
		hw_isb();		/* deasserted before interrupts are enabled */
	}
}

void v9_spe_read_status(struct v9_spe_regs *regs)
{
	/*
	 * The event has stopped the unit, and taking the interrupt was the context synchronization
	 * that PSB CSYNC needs. An asynchronous abort of bytes that are being written is visible
	 * only after the DSB (SPE-SY8).
	 */
	hw_psb();
	hw_dsb();
	hw_isb();
	regs->pmbsr = hw_read(V9_SYS_PMBSR_EL1);
	regs->pmbptr = hw_read(V9_SYS_PMBPTR_EL1);
}

void v9_spe_act_resume(const struct v9_spe_regs *regs, bool wrote)
{
	hw_write(V9_SYS_PMBPTR_EL1, regs->pmbptr);
	hw_write(V9_SYS_PMBLIMITR_EL1, regs->pmblimitr);
	if (wrote)
		hw_dsb();		/* the padding before records of the unit: SPE-SY2 */
	hw_isb();			/* the new window before it becomes enabled: SPE-PB2 */
	hw_write(V9_SYS_PMBSR_EL1, regs->pmbsr);	/* 0: the unit runs */
}
