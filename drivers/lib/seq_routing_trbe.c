// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the routing of a trace buffer's events, select the interrupt, and test it, as explained in
 * seq_routing_spe.c.
 */
#include "hw.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq_routing.h"

void v9_trbe_act_exclude_guests(bool at_el2)
{
	if (at_el2)
		hw_write(V9_SYS_TRFCR_EL12, 0);		/* TRBE-OW7 */
}

void v9_trbe_act_route(bool at_el2, struct v9_routing_facts *facts)
{
	uint64_t dfr2 = hw_read(V9_SYS_ID_AA64DFR2_EL1);

	*facts = (struct v9_routing_facts){
		.at_el2 = at_el2,
		.has_exc = V9_GET(V9_ID_AA64DFR2_EL1_TRBE_EXC, dfr2),
	};
	if (at_el2)
		facts->to_el1 = V9_GET(V9_MDCR_EL2_E2TB, hw_read(V9_SYS_MDCR_EL2));
	if (at_el2 && facts->has_exc) {
		hw_write(V9_SYS_TRBSR_EL1, V9_TRBSR_EL1_WRAP);
		hw_write(V9_SYS_TRFCR_EL1, V9_PUT(V9_TRFCR_EL2_EE, 3));
		hw_isb();
		hw_write(V9_SYS_TRBSR_EL1, 0);		/* the register of EL2, if permitted */
		hw_write(V9_SYS_TRFCR_EL1, 0);
		hw_isb();
		facts->offered = hw_read(V9_SYS_TRBSR_EL1) & V9_TRBSR_EL1_WRAP;
		hw_write(V9_SYS_TRBSR_EL1, 0);
	}
	facts->ee = V9_GET(V9_TRFCR_EL1_EE, hw_read(V9_SYS_TRFCR_EL1));
}

/*
 * Executes 512 branches that are traced. The compiler must not remove them. Their directions vary:
 * a packet has five of them at most, where it has 24 of a simple loop. So any unit generates more
 * than 100 bytes, and one that speculates, with six bytes for each branch, less than a page.
 */
static void execute_loop(void)
{
	unsigned int i;

	for (i = 0; i < 256; i++) {
		hw_isb();
		if (i % 3)
			hw_isb();
	}
}

bool v9_trbe_act_self_test(struct v9_ete_state *state, const struct v9_ete_unit *unit,
			   uint64_t page, uint64_t size)
{
	/* Bytes: less than any trace generates after its first synchronization */
	uint64_t room = unit->align > 32 ? unit->align : 32;
	const struct v9_ete_request req = { .kernel = true };
	uint64_t first = page + size - room;
	uint64_t most = unit->max_buffer && unit->max_buffer < size ? unit->max_buffer : size;
	struct v9_trbe_regs regs = {
		.trbbaser = page + size - most,
		.trbptr = first,
		.trblimitr = (page + size) | V9_TRBLIMITR_EL1_E |
			     V9_PUT(V9_TRBLIMITR_EL1_FM, V9_TRBLIMITR_EL1_FM_FILL) |
			     V9_PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_IGNORE),
	};
	struct v9_ete_reg_values values;
	struct v9_refusal no;

	if (v9_ete_encode_regs(unit, &req, &values, &no) ||
	    !v9_ete_act_start(state, &values, &regs, false))
		return false;
	execute_loop();
	v9_ete_act_stop(state, &regs);

	/*
	 * The buffer was filled if the pointer wrapped to the base (TRBE-PT7). It may be beyond the
	 * base if the level that took the event let the unit continue: the loop does not fill a
	 * page.
	 */
	return regs.trbptr < first && !(regs.trbsr & (V9_TRBSR_EL1_S | V9_TRBSR_EL1_IRQ));
}
