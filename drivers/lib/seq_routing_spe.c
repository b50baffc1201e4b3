// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Look at the routing of a buffer's events, choose the interrupt where there is a
 * choice, and try it. Each function begins and ends with the unit off. The same for
 * the trace buffer: seq_routing_trbe.c.
 *
 * In a host at EL2 the names of EL1's control registers mean those of EL2, and the
 * EL12 names those of EL1 (SPE-RA4).
 *
 * Whether EL3 lets EL2 have Profiling exceptions is in MDCR_EL3, which only EL3
 * can read, and the name PMBSR_EL2 or TRBSR_EL2 traps to EL3 if not. But then EE
 * counts as 0; and if it does not, the name of EL1's status register means that of
 * EL2. So: set a bit without effect, ask for all events, write 0, and see whether the
 * bit is still there. With KE=0 nothing is taken at EL2 meanwhile, whatever was left in
 * its status (TRBE-EX2), and what was left is gone then. What is written last takes
 * effect at the next context synchronization, which comes before a start, and before a
 * guest.
 */
#include "hw.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq_routing.h"

void v9_spe_act_route(bool at_el2, struct v9_routing_facts *facts)
{
	uint64_t dfr2 = hw_read(V9_SYS_ID_AA64DFR2_EL1);

	*facts = (struct v9_routing_facts){
		.at_el2 = at_el2,
		.has_exc = V9_GET(V9_ID_AA64DFR2_EL1_SPE_EXC, dfr2),
	};
	if (at_el2) {
		facts->to_el1 = V9_GET(V9_MDCR_EL2_E2PB, hw_read(V9_SYS_MDCR_EL2));
		hw_write(V9_SYS_PMSCR_EL12, 0);		/* no guest: SPE-EN3 */
	}
	if (at_el2 && facts->has_exc) {
		hw_write(V9_SYS_PMBSR_EL1, V9_PMBSR_EL1_COLL);
		hw_write(V9_SYS_PMSCR_EL1, V9_PUT(V9_PMSCR_EL2_EE, 3));
		hw_isb();
		hw_write(V9_SYS_PMBSR_EL1, 0);		/* that of EL2, if offered */
		hw_write(V9_SYS_PMSCR_EL1, 0);
		hw_isb();
		facts->offered = hw_read(V9_SYS_PMBSR_EL1) & V9_PMBSR_EL1_COLL;
		hw_write(V9_SYS_PMBSR_EL1, 0);
	}
	facts->ee = V9_GET(V9_PMSCR_EL1_EE, hw_read(V9_SYS_PMSCR_EL1));
}

/*
 * What EL3, or EL2 above a kernel at EL1, keeps to itself shows only in that nothing
 * is here although there must be something. So a buffer with room for next to nothing
 * is filled, by a loop of the kernel's own.
 */
static void be_watched(void)
{
	unsigned int i;

	for (i = 0; i < 4096; i++)
		hw_isb();		/* no compiler leaves it out */
}

bool v9_spe_act_self_test(struct v9_spe_state *state, const struct v9_spe_unit *unit,
			  uint64_t page, uint64_t size)
{
	const struct v9_spe_request req = { .period = 256, .kernel = true };
	uint64_t limit = page + size;
	struct v9_spe_regs regs = { .pmbptr = limit - 2 * unit->max_record };
	struct v9_spe_reg_values values;
	struct v9_refusal no;

	if (v9_spe_encode_regs(unit, &req, &values, &no))
		return false;
	regs.pmblimitr = values.reg[V9_SPE_REG_PMBLIMITR] | limit | V9_PMBLIMITR_EL1_E;
	v9_spe_act_start(state, &values, &regs, false);
	be_watched();
	v9_spe_act_stop(state, &regs);

	/* Full as soon as another record might not fit: SPE-ME6 */
	return limit - regs.pmbptr < unit->max_record && !(regs.pmbsr & V9_PMBSR_EL1_S);
}
