// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The order in which the registers of a Trace Buffer Unit are touched. Rules
 * are those of tables/rules.
 *
 * What we write reaches the unit at the next context synchronization (ISB,
 * TRBE-SY1). What it does reaches us after TSB CSYNC, DSB and ISB, in this
 * order; the TSB CSYNC is where tracing stops, in seq_ete.c.
 */
#include "hw.h"
#include "v9trace/errata.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq.h"

bool v9_trbe_act_physical(void)
{
	/* As the kernel maps its memory, or there are mismatched attributes: TRBE-AT4 */
	hw_write(V9_SYS_TRBMAR_EL1, V9_PUT(V9_TRBMAR_EL1_SH, V9_TRBMAR_EL1_SH_INNER_SHAREABLE) |
		 V9_PUT(V9_TRBMAR_EL1_Attr, V9_ATTR_WRITE_BACK));
	/* EL2 may have it count for nothing (TRBE-AT3); a reserved value promises nothing. */
	return V9_GET(V9_TRBIDR_EL1_AddrMode, hw_read(V9_SYS_TRBIDR_EL1)) ==
	       V9_TRBIDR_EL1_AddrMode_VA_PA;
}

void v9_trbe_act_enable(struct v9_ete_state *state, const struct v9_trbe_regs *regs, bool wrote)
{
	if (regs->trbsr != state->trbsr)
		hw_write(V9_SYS_TRBSR_EL1, regs->trbsr);
	state->trbsr = regs->trbsr;
	/* Counts down: TRBE-TR3. To be stopped by a trigger with nothing behind it is 0, too. */
	if (regs->trbtrg || V9_GET(V9_TRBLIMITR_EL1_TM, regs->trblimitr) ==
			    V9_TRBLIMITR_EL1_TM_STOP)
		hw_write(V9_SYS_TRBTRG_EL1, regs->trbtrg);
	if (regs->trbbaser != state->trbbaser)
		hw_write(V9_SYS_TRBBASER_EL1, regs->trbbaser);
	state->trbbaser = regs->trbbaser;
	hw_write(V9_SYS_TRBPTR_EL1, regs->trbptr);
	if (wrote)
		hw_dsb();		/* our padding before its bytes: TRBE-SY13 */
	hw_isb();	/* once enabled the unit may ignore the above: TRBE-UN8 */
	hw_write(V9_SYS_TRBLIMITR_EL1, regs->trblimitr);
	hw_isb();			/* enabled before the first byte comes: TRBE-SY1 */
	if (v9_trbe_needs_second_isb(state->errata))
		hw_isb();
}

void v9_trbe_act_disable(struct v9_ete_state *state, struct v9_trbe_regs *regs)
{
	hw_write(V9_SYS_TRBLIMITR_EL1, 0);
	if (v9_trbe_needs_second_drain(state->errata))
		hw_tsb();		/* the DSB that must follow does */
	hw_dsb();			/* bytes of before the TSB are in memory: TRBE-SY8 */
	hw_isb();		/* aborts show after the DSB: TRBE-SY9; off: TRBE-UN8 */
	if (v9_trbe_needs_second_isb(state->errata))
		hw_isb();
	regs->trbptr = hw_read(V9_SYS_TRBPTR_EL1);
	regs->trbtrg = hw_read(V9_SYS_TRBTRG_EL1);
	regs->trbsr = hw_read(V9_SYS_TRBSR_EL1);

	/*
	 * All of it, or the unit stays stopped when it is enabled again (TRBE-EN3);
	 * but that bytes are counted may stay, most sessions want it.
	 */
	state->trbsr = regs->trbsr;
	if (regs->trbsr & ~V9_TRBSR_EL1_TRG) {
		state->trbsr = 0;
		hw_write(V9_SYS_TRBSR_EL1, 0);
		hw_isb();			/* the line is low before interrupts open */
	}
}
