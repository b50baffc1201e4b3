// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The order in which the registers of a profiling unit are touched, and why
 * each barrier stands where it stands. Rules are those of tables/rules.
 *
 * The unit works beside the program. What we write reaches it at the next
 * context synchronization (ISB, SPE-SY3); what it does reaches our reads only
 * after PSB CSYNC, which flushes the records of everything before the last ISB
 * (SPE-SY4), DSB, which waits until their bytes are in memory (SPE-SY7), and
 * another ISB (SPE-SY5).
 */
#include "hw.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq.h"

/* Which bits of a filter exist is told only by those that stay (SPE-FI6). */
#define LOOK_WHAT_STAYS(reg, bits) do { \
	hw_write(reg, ~UINT64_C(0)); \
	(bits) = hw_read(reg); \
	hw_write(reg, 0); \
} while (0)

void v9_spe_read_id(struct v9_spe_id *id, unsigned int words)
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
		return;				/* or trap: SPE-OW7 */
	/*
	 * Whether nVM counts EL2 says, or its reset: not the unit (SPE-PB6). Only that virtual
	 * addresses are not possible is left for v9_spe_check_unit().
	 */
	if (V9_GET(V9_PMBIDR_EL1_AddrMode, id->pmbidr) != V9_PMBIDR_EL1_AddrMode_PA)
		id->pmbidr &= ~V9_PMBIDR_EL1_AddrMode;
	id->pmsidr = hw_read(V9_SYS_PMSIDR_EL1);

	if (id->pmsidr & V9_PMSIDR_EL1_FE)
		LOOK_WHAT_STAYS(V9_SYS_PMSEVFR_EL1, id->events);
	if ((id->pmsidr & V9_PMSIDR_EL1_FnE) && words > 3)
		LOOK_WHAT_STAYS(V9_SYS_PMSNEVFR_EL1, id->inv_events);
	if ((id->pmsidr & V9_PMSIDR_EL1_FDS) && words > 4)
		LOOK_WHAT_STAYS(V9_SYS_PMSDSFR_EL1, id->sources);
	if (id->pmsidr & V9_PMSIDR_EL1_EFT)
		LOOK_WHAT_STAYS(V9_SYS_PMSFCR_EL1, id->types);
	id->types &= types;
}

/*
 * After this no operation is sampled, every record of an earlier one is in
 * memory, and the buffer is disabled. SPE-SY9, SPE-SY10.
 */
static void drain_and_disable(void)
{
	hw_write(V9_SYS_PMSCR_EL1, 0);
	hw_isb();				/* no more samples after here: SPE-EN6 */
	hw_psb();				/* and those before are complete: SPE-SY4 */
	hw_dsb();				/* and written: SPE-SY7 */
	hw_write(V9_SYS_PMBLIMITR_EL1, 0);
	hw_isb();			/* the buffer is off, status and pointer are final */
}

void v9_spe_act_reset(struct v9_spe_state *state)
{
	state->known = false;
	/* Only PMBLIMITR_EL1.E has a reset value; PMSCR_EL1 may sample (SPE-RA1). */
	drain_and_disable();
	hw_write(V9_SYS_PMBPTR_EL1, 0);
	hw_write(V9_SYS_PMBSR_EL1, 0);		/* lowers a line left high: SPE-ME2 */
	hw_isb();
}

void v9_spe_act_quiesce(void)
{
	/* With EE=0 the status is the one that the interrupt is made of (SPE-RA4). */
	hw_write(V9_SYS_PMSCR_EL1, 0);
	hw_isb();
	hw_write(V9_SYS_PMBSR_EL1, 0);		/* lowers a line left high: SPE-ME2 */
	hw_isb();
}

bool v9_spe_has_physical(void)
{
	uint64_t dfr2 = hw_read(V9_SYS_ID_AA64DFR2_EL1);

	if (!V9_GET(V9_ID_AA64DFR2_EL1_SPE_nVM, dfr2))
		return false;
	/* EL2 may have it count for nothing (SPE-PB6); a reserved value promises nothing. */
	return V9_GET(V9_PMBIDR_EL1_AddrMode, hw_read(V9_SYS_PMBIDR_EL1)) ==
	       V9_PMBIDR_EL1_AddrMode_VA_PA;
}

bool v9_spe_act_physical(bool permitted)
{
	/* No register tells whether EL3 or EL2 traps PMBMAR_EL1. */
	if (!permitted || !v9_spe_has_physical())
		return false;
	/* As the kernel maps its memory, or there are mismatched attributes: SPE-PB10 */
	hw_write(V9_SYS_PMBMAR_EL1, V9_PUT(V9_PMBMAR_EL1_SH, V9_PMBMAR_EL1_SH_INNER_SHAREABLE) |
		 V9_PUT(V9_PMBMAR_EL1_Attr, V9_ATTR_WRITE_BACK));
	return true;
}

/* Do all registers hold their values? Usually a session like this one ran last. */
static bool holds(const struct v9_spe_state *state, const struct v9_spe_reg_values *values)
{
#define DIFFERENCE_OF(name, need) | (state->reg[V9_SPE_REG_##name] ^ values->reg[V9_SPE_REG_##name])
	return state->known && !(0 V9_SPE_HELD_REGS(DIFFERENCE_OF));
}

/* Does a register have another value than it will hold? */
static bool changes(struct v9_spe_state *state, const struct v9_spe_reg_values *values,
		    enum v9_spe_reg reg)
{
	if (state->known && state->reg[reg] == values->reg[reg])
		return false;
	state->reg[reg] = values->reg[reg];
	return true;
}

/*
 * PMSICR_EL1 is written apart: with 0 in it the unit loads its counter from PMSIRR_EL1, random part
 * included, when profiling becomes enabled and not before (SPE-SI8).
 */
static V9_NOINLINE void write_values(struct v9_spe_state *state,
				     const struct v9_spe_reg_values *values)
{
#define WRITE_OF(name, need) \
	if ((!(need) || (values->features & (need))) && changes(state, values, V9_SPE_REG_##name)) \
		hw_write(V9_SYS_##name##_EL1, values->reg[V9_SPE_REG_##name]);
	V9_SPE_HELD_REGS(WRITE_OF)
}

void v9_spe_act_start(struct v9_spe_state *state, const struct v9_spe_reg_values *values,
		      const struct v9_spe_regs *regs, bool wrote)
{
	/*
	 * Buffer first, sampling last: until PMSCR_EL1 is written nothing uses
	 * what stands here. The status must be clean, since events leave old
	 * bits alone (SPE-ME14): it is, unless a session goes on that had one.
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
		hw_dsb();		/* our padding before its records: SPE-SY2 */
	hw_isb();			/* all of the above before the first sample: SPE-SY3 */
	hw_write(V9_SYS_PMSCR_EL1, values->reg[V9_SPE_REG_PMSCR]);
	/*
	 * Takes effect at the next context synchronization: for users at the latest our return. A
	 * task that is switched to goes on in the kernel without any (SPE-SY3).
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

	/* An event that came in on the way is the caller's to judge, not the next session's. */
	if (regs->pmbsr) {
		hw_write(V9_SYS_PMBSR_EL1, 0);
		hw_isb();			/* the line is low before interrupts open */
	}
}

void v9_spe_read_status(struct v9_spe_regs *regs)
{
	/*
	 * The event disabled the buffer, and taking the interrupt was the context
	 * synchronization that PSB needs. An asynchronous abort of bytes already
	 * under way shows only after the DSB (SPE-SY8).
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
		hw_dsb();		/* our padding before its records: SPE-SY2 */
	hw_isb();			/* the new window before it becomes enabled: SPE-PB2 */
	hw_write(V9_SYS_PMBSR_EL1, regs->pmbsr);	/* 0: it runs, and the line drops */
}
