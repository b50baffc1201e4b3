// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the routing of buffer management events, select the interrupt where there is a choice, and
 * test it. Each function begins and ends with the unit off. seq_routing_trbe.c does the same for
 * the trace buffer.
 *
 * In a host at EL2 the names of EL1's control registers access those of EL2, and the EL12 names
 * those of EL1 (SPE-RA4).
 *
 * Whether EL3 permits Profiling exceptions at EL2 is in MDCR_EL3, which only EL3 can read; the
 * names PMBSR_EL2 and TRBSR_EL2 trap to EL3 if it does not. In that case EE is treated as 0.
 * Otherwise, with EE set, the name of EL1's status register accesses that of EL2. So the function
 * sets a bit without effect, sets EE, writes 0, clears EE, and reads whether the bit is still set.
 * While EE is set, no exception is taken at EL2, because KE is 0, whatever the value of its status
 * register was (TRBE-EX2). That value is cleared. The last write takes effect at the next context
 * synchronization, which precedes a start and the entry of a guest.
 */
#include "hw.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq_routing.h"

void v9_spe_act_exclude_guests(bool at_el2)
{
	if (at_el2)
		hw_write(V9_SYS_PMSCR_EL12, 0);		/* SPE-EN3 */
}

void v9_spe_act_route(bool at_el2, struct v9_routing_facts *facts)
{
	uint64_t dfr2 = hw_read(V9_SYS_ID_AA64DFR2_EL1);

	*facts = (struct v9_routing_facts){
		.at_el2 = at_el2,
		.has_exc = V9_GET(V9_ID_AA64DFR2_EL1_SPE_EXC, dfr2),
	};
	if (at_el2)
		facts->to_el1 = V9_GET(V9_MDCR_EL2_E2PB, hw_read(V9_SYS_MDCR_EL2));
	if (at_el2 && facts->has_exc) {
		hw_write(V9_SYS_PMBSR_EL1, V9_PMBSR_EL1_COLL);
		hw_write(V9_SYS_PMSCR_EL1, V9_PUT(V9_PMSCR_EL2_EE, 3));
		hw_isb();
		hw_write(V9_SYS_PMBSR_EL1, 0);		/* the register of EL2, if permitted */
		hw_write(V9_SYS_PMSCR_EL1, 0);
		hw_isb();
		facts->offered = hw_read(V9_SYS_PMBSR_EL1) & V9_PMBSR_EL1_COLL;
		hw_write(V9_SYS_PMBSR_EL1, 0);
	}
	facts->ee = V9_GET(V9_PMSCR_EL1_EE, hw_read(V9_SYS_PMSCR_EL1));
}

/*
 * If EL3, or EL2 above a kernel at EL1, takes events, the kernel can detect this only by an event
 * that it does not receive. The self-test fills a buffer of a few bytes with records of this loop.
 */
static void execute_loop(void)
{
	unsigned int i;

	for (i = 0; i < 4096; i++)
		hw_isb();		/* the compiler must not remove it */
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
	execute_loop();
	v9_spe_act_stop(state, &regs);

	/* The buffer is full when another record may not fit: SPE-ME6 */
	return limit - regs.pmbptr < unit->max_record && !(regs.pmbsr & V9_PMBSR_EL1_S);
}
