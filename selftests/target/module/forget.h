/* SPDX-License-Identifier: GPL-2.0-only */
/* Loses the registers of a CPU's trace and profiling units, as deep sleep does. */
#ifndef V9_SELFTEST_FORGET_H
#define V9_SELFTEST_FORGET_H

#include "hw.h"
#include "v9trace/base.h"
#include "v9trace/gen/regs.h"

/* An UNKNOWN value, which differs each time: all ones, all zeros, or neither. */
static u64 unknown(void)
{
	static u64 seed = 1;

	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	switch (seed >> 61) {
	case 0:
		return 0;
	case 1:
		return ~0ULL;
	default:
		return seed ^ seed >> 29;
	}
}

/* Only the enable bit of the buffer has a reset value (SPE-RA1). */
static void forget_spe(void)
{
	u64 id;

	if (!(hw_read(V9_SYS_ID_AA64DFR0_EL1) & V9_ID_AA64DFR0_EL1_PMSVer) ||
	    (hw_read(V9_SYS_PMBIDR_EL1) & V9_PMBIDR_EL1_P))
		return;
	id = hw_read(V9_SYS_PMSIDR_EL1);

	hw_write(V9_SYS_PMSCR_EL1, 0);
	hw_isb();
	hw_psb();
	hw_dsb();
	hw_write(V9_SYS_PMBLIMITR_EL1, unknown() & ~V9_PMBLIMITR_EL1_E);
	hw_isb();
	hw_write(V9_SYS_PMBPTR_EL1, unknown());
	hw_write(V9_SYS_PMBSR_EL1, unknown());
	hw_write(V9_SYS_PMSFCR_EL1, unknown());
	hw_write(V9_SYS_PMSEVFR_EL1, unknown());
	if (id & V9_PMSIDR_EL1_FnE)
		hw_write(V9_SYS_PMSNEVFR_EL1, unknown());
	if (id & V9_PMSIDR_EL1_FDS)
		hw_write(V9_SYS_PMSDSFR_EL1, unknown());
	hw_write(V9_SYS_PMSLATFR_EL1, unknown());
	hw_write(V9_SYS_PMSIRR_EL1, unknown());
	hw_write(V9_SYS_PMSICR_EL1, unknown());
	hw_isb();
	hw_write(V9_SYS_PMSCR_EL1, unknown());
	hw_isb();
}

/* Likewise. In the trace unit, the enable bit and the registers that require it to be 0. */
static void forget_ete(void)
{
	u64 id = hw_read(V9_SYS_ID_AA64DFR0_EL1);

	if (!(id & V9_ID_AA64DFR0_EL1_TraceVer) || !(id & V9_ID_AA64DFR0_EL1_TraceBuffer) ||
	    (hw_read(V9_SYS_TRBIDR_EL1) & V9_TRBIDR_EL1_P))
		return;

	hw_write(V9_SYS_TRFCR_EL1, 0);
	hw_isb();
	hw_tsb();
	hw_dsb();
	hw_write(V9_SYS_TRCPRGCTLR, 0);
	hw_isb();
	while (!(hw_read(V9_SYS_TRCSTATR) & V9_TRCSTATR_IDLE))
		cpu_relax();
	hw_write(V9_SYS_TRBLIMITR_EL1, unknown() & ~V9_TRBLIMITR_EL1_E);
	hw_isb();
	hw_write(V9_SYS_TRBPTR_EL1, unknown());
	hw_write(V9_SYS_TRBBASER_EL1, unknown());
	hw_write(V9_SYS_TRBTRG_EL1, unknown());
	hw_write(V9_SYS_TRBSR_EL1, unknown());
	hw_write(V9_SYS_TRCCONFIGR, unknown());
	hw_write(V9_SYS_TRCTRACEIDR, unknown());
	hw_write(V9_SYS_TRCVICTLR, unknown());
	hw_write(V9_SYS_TRCSYNCPR, unknown());
	if (V9_GET(V9_TRCIDR0_TSSIZE, hw_read(V9_SYS_TRCIDR0)))
		hw_write(V9_SYS_TRCTSCTLR, unknown());
	id = hw_read(V9_SYS_TRCIDR4);
	if (V9_GET(V9_TRCIDR4_NUMRSPAIR, id)) {
		hw_write(V9_SYS_TRCEVENTCTL0R, unknown());
		hw_write(V9_SYS_TRCEVENTCTL1R, unknown());
	}
	if (V9_GET(V9_TRCIDR4_NUMACPAIRS, id)) {
		hw_write(V9_SYS_TRCVIIECTLR, unknown());
		hw_write(V9_SYS_TRCVISSCTLR, unknown());
	}
	hw_isb();
}

#endif
