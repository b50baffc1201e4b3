// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sequences of accesses to the registers of a Trace Buffer Unit. include/v9trace/tables/rules has
 * the rules that comments cite.
 *
 * The unit observes a register write after the next context synchronization (ISB, TRBE-SY1). A
 * read observes what the unit does after TSB CSYNC, DSB and ISB, in this order. seq_ete.c executes
 * the TSB CSYNC when it stops tracing.
 */
#include "hw.h"
#include "v9trace/errata.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq.h"

bool v9_trbe_act_physical(void)
{
	/* The attributes of the kernel's mapping; others would be mismatched: TRBE-AT4 */
	hw_write(V9_SYS_TRBMAR_EL1, V9_PUT(V9_TRBMAR_EL1_SH, V9_TRBMAR_EL1_SH_INNER_SHAREABLE) |
		 V9_PUT(V9_TRBMAR_EL1_Attr, V9_ATTR_WRITE_BACK));
	/* EL2 may make nVM ineffective (TRBE-AT3). A reserved value is treated as no support. */
	return V9_GET(V9_TRBIDR_EL1_AddrMode, hw_read(V9_SYS_TRBIDR_EL1)) ==
	       V9_TRBIDR_EL1_AddrMode_VA_PA;
}

void v9_trbe_act_enable(struct v9_ete_state *state, const struct v9_trbe_regs *regs, bool wrote)
{
	if (regs->trbsr != state->trbsr)
		hw_write(V9_SYS_TRBSR_EL1, regs->trbsr);
	/*
	 * TRBTRG_EL1 counts down (TRBE-TR3), so it is written at each start that uses it. The
	 * value 0 is for a trigger that stops the unit at once.
	 */
	if (regs->trbtrg || V9_GET(V9_TRBLIMITR_EL1_TM, regs->trblimitr) ==
			    V9_TRBLIMITR_EL1_TM_STOP)
		hw_write(V9_SYS_TRBTRG_EL1, regs->trbtrg);
	if (regs->trbbaser != state->trbbaser)
		hw_write(V9_SYS_TRBBASER_EL1, regs->trbbaser);
	state->trbbaser = regs->trbbaser;
	hw_write(V9_SYS_TRBPTR_EL1, regs->trbptr);
	if (wrote)
		hw_dsb();		/* the padding before bytes of the unit: TRBE-SY13 */
	hw_isb();	/* an enabled unit may ignore the writes above: TRBE-UN8 */
	hw_write(V9_SYS_TRBLIMITR_EL1, regs->trblimitr);
	hw_isb();			/* enabled before the first byte of trace: TRBE-SY1 */
	if (v9_trbe_needs_second_isb(state->errata))
		hw_isb();
}

void v9_trbe_act_disable(struct v9_ete_state *state, struct v9_trbe_regs *regs)
{
	hw_write(V9_SYS_TRBLIMITR_EL1, 0);
	if (v9_trbe_needs_second_drain(state->errata))
		hw_tsb();		/* followed by the DSB below, as required */
	hw_dsb();			/* trace from before the TSB CSYNC is in memory: TRBE-SY8 */
	hw_isb();		/* aborts visible: TRBE-SY9; buffer off: TRBE-UN8 */
	if (v9_trbe_needs_second_isb(state->errata))
		hw_isb();
	regs->trbptr = hw_read(V9_SYS_TRBPTR_EL1);
	regs->trbtrg = hw_read(V9_SYS_TRBTRG_EL1);
	regs->trbsr = hw_read(V9_SYS_TRBSR_EL1);

	/*
	 * Clear the status, or the unit stays stopped when it is enabled again (TRBE-EN3). TRG may
	 * stay set: most sessions start the trigger counter.
	 */
	state->trbsr = regs->trbsr;
	if (regs->trbsr & ~V9_TRBSR_EL1_TRG) {
		state->trbsr = 0;
		hw_write(V9_SYS_TRBSR_EL1, 0);
		hw_isb();	/* the interrupt is deasserted before interrupts are enabled */
	}
}
