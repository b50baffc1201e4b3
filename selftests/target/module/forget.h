/* SPDX-License-Identifier: GPL-2.0-only */
/* Loses the registers of a CPU's units, as deep sleep does. */
#ifndef V9_SELFTEST_FORGET_H
#define V9_SELFTEST_FORGET_H

#include <linux/device.h>
#include <linux/platform_device.h>

#include <asm/virt.h>

#include "hw.h"
#include "v9trace/base.h"
#include "v9trace/ete.h"
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
	/* Of all values, one that enables profiling of guests. */
	if (is_kernel_in_hyp_mode())
		hw_write(V9_SYS_PMSCR_EL12, unknown() | V9_PMSCR_EL1_E1SPE | V9_PMSCR_EL1_E0SPE);
	hw_isb();
	hw_write(V9_SYS_PMSCR_EL1, unknown());
	hw_isb();
}

/* The encoding of a register is part of the instruction. */
#define FORGET(number, i, reg)							\
	do {									\
		if ((number) > (i))						\
			hw_write(reg(i), unknown());				\
	} while (0)
#define FORGET_4(number, i, reg)						\
	do {									\
		FORGET(number, i, reg);						\
		FORGET(number, (i) + 1, reg);					\
		FORGET(number, (i) + 2, reg);					\
		FORGET(number, (i) + 3, reg);					\
	} while (0)
#define FORGET_16(number, i, reg)						\
	do {									\
		FORGET_4(number, i, reg);					\
		FORGET_4(number, (i) + 4, reg);					\
		FORGET_4(number, (i) + 8, reg);					\
		FORGET_4(number, (i) + 12, reg);				\
	} while (0)

/* Comparators and resources, of which there are as many as TRCIDR4 and TRCIDR5 say */
static void forget_resources(void)
{
	u64 id0 = hw_read(V9_SYS_TRCIDR0), id3 = hw_read(V9_SYS_TRCIDR3);
	u64 id4 = hw_read(V9_SYS_TRCIDR4), id5 = hw_read(V9_SYS_TRCIDR5);
	u64 addresses = 2 * V9_GET(V9_TRCIDR4_NUMACPAIRS, id4);
	u64 pairs = V9_GET(V9_TRCIDR4_NUMRSPAIR, id4);
	u64 selectors = pairs ? 2 * pairs + 2 : 0;

	FORGET_16(addresses, 0, V9_SYS_TRCACVR);
	FORGET_16(addresses, 0, V9_SYS_TRCACATR);
	FORGET_4(V9_GET(V9_TRCIDR4_NUMCIDC, id4), 0, V9_SYS_TRCCIDCVR);
	FORGET_4(V9_GET(V9_TRCIDR4_NUMCIDC, id4), 4, V9_SYS_TRCCIDCVR);
	FORGET_4(V9_GET(V9_TRCIDR4_NUMVMIDC, id4), 0, V9_SYS_TRCVMIDCVR);
	FORGET_4(V9_GET(V9_TRCIDR4_NUMVMIDC, id4), 4, V9_SYS_TRCVMIDCVR);
	FORGET_4(V9_GET(V9_TRCIDR4_NUMSSCC, id4), 0, V9_SYS_TRCSSCCR);
	FORGET_4(V9_GET(V9_TRCIDR4_NUMSSCC, id4), 4, V9_SYS_TRCSSCCR);
	FORGET_4(V9_GET(V9_TRCIDR4_NUMSSCC, id4), 0, V9_SYS_TRCSSCSR);
	FORGET_4(V9_GET(V9_TRCIDR4_NUMSSCC, id4), 4, V9_SYS_TRCSSCSR);
	/* Selectors 0 and 1 are constants. */
	FORGET(selectors, 2, V9_SYS_TRCRSCTLR);
	FORGET(selectors, 3, V9_SYS_TRCRSCTLR);
	FORGET_4(selectors, 4, V9_SYS_TRCRSCTLR);
	FORGET_4(selectors, 8, V9_SYS_TRCRSCTLR);
	FORGET_4(selectors, 12, V9_SYS_TRCRSCTLR);
	FORGET_16(selectors, 16, V9_SYS_TRCRSCTLR);
	FORGET_4(V9_GET(V9_TRCIDR5_NUMCNTR, id5), 0, V9_SYS_TRCCNTCTLR);
	FORGET_4(V9_GET(V9_TRCIDR5_NUMCNTR, id5), 0, V9_SYS_TRCCNTRLDVR);
	FORGET_4(V9_GET(V9_TRCIDR5_NUMCNTR, id5), 0, V9_SYS_TRCCNTVR);
	FORGET_4(V9_GET(V9_TRCIDR5_NUMEXTINSEL, id5), 0, V9_SYS_TRCEXTINSELR);
	if (V9_GET(V9_TRCIDR5_NUMSEQSTATE, id5)) {
		FORGET(3, 0, V9_SYS_TRCSEQEVR);
		FORGET(3, 1, V9_SYS_TRCSEQEVR);
		FORGET(3, 2, V9_SYS_TRCSEQEVR);
		hw_write(V9_SYS_TRCSEQRSTEVR, unknown());
		hw_write(V9_SYS_TRCSEQSTR, unknown());
	}
	if (pairs)
		hw_write(V9_SYS_TRCRSR, unknown());
	if (addresses && (id0 & V9_TRCIDR0_TRCBB))
		hw_write(V9_SYS_TRCBBCTLR, unknown());
	if (id0 & V9_TRCIDR0_TRCCCI)
		hw_write(V9_SYS_TRCCCCTLR, unknown());
	if (id3 & V9_TRCIDR3_STALLCTL)
		hw_write(V9_SYS_TRCSTALLCTLR, unknown());
	if (V9_GET(V9_TRCIDR4_NUMCIDC, id4))
		hw_write(V9_SYS_TRCCIDCCTLR0, unknown());
	if (V9_GET(V9_TRCIDR4_NUMCIDC, id4) > 4)
		hw_write(V9_SYS_TRCCIDCCTLR1, unknown());
	if (V9_GET(V9_TRCIDR4_NUMVMIDC, id4))
		hw_write(V9_SYS_TRCVMIDCCTLR0, unknown());
	if (V9_GET(V9_TRCIDR4_NUMVMIDC, id4) > 4)
		hw_write(V9_SYS_TRCVMIDCCTLR1, unknown());
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
	forget_resources();
	if (is_kernel_in_hyp_mode())
		hw_write(V9_SYS_TRFCR_EL12, unknown() | V9_TRFCR_EL1_E1TRE | V9_TRFCR_EL1_E0TRE);
	hw_isb();
}

/*
 * No register says whether EL3 traps those of branch records: v9_brbe, which the kernel must be at
 * EL2 for, has found that it does not (MDCR_EL3.SBRBE).
 */
static bool brbe_is_driven;

/* To be called before forget_units(), which is called with interrupts off: it takes a lock. */
static void find_brbe(void)
{
	brbe_is_driven = driver_find("v9_brbe", &platform_bus_type);
}

/* Likewise, except the records. */
static void forget_brbe(void)
{
	if (!brbe_is_driven)
		return;

	hw_write(V9_SYS_BRBFCR_EL1, unknown() & ~V9_BRBFCR_EL1_RES0);
	hw_write(V9_SYS_BRBCR_EL1, unknown() & ~V9_BRBCR_EL2_RES0);
	/*
	 * The enables are 0 after a reset (BRBE-BM3), but what woke the CPU can have restored
	 * others. Of all values, one that records guests.
	 */
	hw_write(V9_SYS_BRBCR_EL12, (unknown() & ~V9_BRBCR_EL1_RES0) |
		 V9_BRBCR_EL1_E1BRE | V9_BRBCR_EL1_E0BRE);
	hw_write(V9_SYS_BRBINFINJ_EL1, unknown());
	hw_write(V9_SYS_BRBSRCINJ_EL1, unknown());
	hw_write(V9_SYS_BRBTGTINJ_EL1, unknown());
	hw_isb();
}

static void forget_units(void)
{
	forget_spe();
	forget_ete();
	forget_brbe();
}

#endif
