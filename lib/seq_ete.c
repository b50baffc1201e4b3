// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The order in which the registers of a trace unit are touched, its buffer's
 * among them. Rules are those of tables/rules.
 *
 * Between sessions TRFCR_EL1 prohibits tracing, the trace unit is disabled and
 * idle, and the buffer is disabled. Sink before source when starting, source
 * before sink when stopping.
 */
#include "hw.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq.h"

/* A unit that has not answered after so many looks never will. */
#define POLLS	100000

/* Wait for bits of TRCSTATR. */
static bool wait_for(uint64_t mask, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < POLLS; i++) {
		hw_isb();	/* after the write, and between two reads: ETE-S_HSXGZ */
		if ((hw_read(V9_SYS_TRCSTATR) & mask) == value)
			return true;
	}
	return false;
}

/*
 * After this nothing is traced, every byte made before is in the buffer unit,
 * and the trace unit is idle: only then may its registers be written
 * (ETE-R_RWYQD), and only then does it begin anew when enabled, with an
 * Alignment Synchronization.
 */
static bool prohibit_and_disable(void)
{
	hw_write(V9_SYS_TRFCR_EL1, 0);
	hw_isb();			/* prohibited from here: TRBE-SY2 */
	hw_tsb();			/* what was traced before is finished: TRBE-SY5 */
	hw_write(V9_SYS_TRCPRGCTLR, 0);
	return wait_for(V9_TRCSTATR_IDLE | V9_TRCSTATR_PMSTABLE,
			V9_TRCSTATR_IDLE | V9_TRCSTATR_PMSTABLE);
}

void v9_ete_look_unit(struct v9_ete_id *id)
{
	const uint64_t granules = V9_ID_AA64MMFR0_EL1_TGran4 | V9_ID_AA64MMFR0_EL1_TGran16 |
				  V9_ID_AA64MMFR0_EL1_TGran64;
	const uint64_t trace = V9_ID_AA64DFR0_EL1_TraceVer | V9_ID_AA64DFR0_EL1_TraceFilt |
			       V9_ID_AA64DFR0_EL1_TraceBuffer;

	memset(id, 0, sizeof(*id));
	id->id_aa64mmfr0 = hw_read(V9_SYS_ID_AA64MMFR0_EL1) & granules;
	id->id_aa64dfr0 = hw_read(V9_SYS_ID_AA64DFR0_EL1) & trace;
	if (!V9_GET(V9_ID_AA64DFR0_EL1_TraceVer, id->id_aa64dfr0) ||
	    !V9_GET(V9_ID_AA64DFR0_EL1_TraceBuffer, id->id_aa64dfr0))
		return;				/* the registers are UNDEFINED: TRBE-PR3 */
	id->trbidr = hw_read(V9_SYS_TRBIDR_EL1);
	if (id->trbidr & V9_TRBIDR_EL1_P)
		return;				/* the others trap: TRBE-OW9 */
	id->trcidr[0] = hw_read(V9_SYS_TRCIDR0);
	id->trcidr[1] = hw_read(V9_SYS_TRCIDR1);
	id->trcidr[2] = hw_read(V9_SYS_TRCIDR2);
	id->trcidr[3] = hw_read(V9_SYS_TRCIDR3);
	id->trcidr[4] = hw_read(V9_SYS_TRCIDR4);
	id->trcidr[5] = hw_read(V9_SYS_TRCIDR5);
	id->trcidr[8] = hw_read(V9_SYS_TRCIDR8);
	id->trcdevarch = hw_read(V9_SYS_TRCDEVARCH);
	id->trcauthstatus = hw_read(V9_SYS_TRCAUTHSTATUS);
}

/*
 * The registers that no session changes. Of comparators, sequencer and other
 * selectors nothing is used: what they hold has no effect.
 */
static void write_constants(const struct v9_ete_id *id, unsigned int trace_id)
{
	hw_write(V9_SYS_TRCAUXCTLR, 0);
	hw_write(V9_SYS_TRCSYNCPR, 12);		/* a decoder can begin every 4096 bytes */
	hw_write(V9_SYS_TRCTRACEIDR, trace_id);
	if (V9_GET(V9_TRCIDR4_NUMRSPAIR, id->trcidr[4])) {
		hw_write(V9_SYS_TRCEVENTCTL0R, 0);
		hw_write(V9_SYS_TRCEVENTCTL1R, 0);
	}
	if (id->trcidr[3] & V9_TRCIDR3_STALLCTL)
		hw_write(V9_SYS_TRCSTALLCTLR, 0);
	if (V9_GET(V9_TRCIDR4_NUMACPAIRS, id->trcidr[4])) {
		hw_write(V9_SYS_TRCBBCTLR, 0);		/* broadcast, if any, is everywhere */
		hw_write(V9_SYS_TRCVIIECTLR, 0);
		hw_write(V9_SYS_TRCVISSCTLR, 0);
	}
	if (V9_GET(V9_TRCIDR4_NUMPC, id->trcidr[4]))
		hw_write(V9_SYS_TRCVIPCSSCTLR, 0);
	if (id->trcidr[0] & V9_TRCIDR0_QFILT)
		hw_write(V9_SYS_TRCQCTLR, 0);
}

bool v9_ete_act_reset(const struct v9_ete_id *id, unsigned int trace_id)
{
	struct v9_trbe_regs regs;
	bool idle;

	/* A locked unit counts as disabled, whatever TRCPRGCTLR says (ETE-R_VBMILV). */
	hw_write(V9_SYS_OSLAR_EL1, 0);
	idle = prohibit_and_disable();
	v9_trbe_act_disable(&regs);
	if (!idle)
		return false;
	write_constants(id, trace_id);
	hw_write(V9_SYS_TRBPTR_EL1, 0);
	hw_write(V9_SYS_TRBBASER_EL1, 0);
	hw_isb();
	return true;
}

bool v9_ete_act_start(const struct v9_ete_image *image, const struct v9_trbe_regs *regs, bool wrote)
{
	const uint64_t *reg = image->reg;
	struct v9_trbe_regs ignored;

	v9_trbe_act_enable(regs, wrote);

	hw_write(V9_SYS_TRCCONFIGR, reg[V9_ETE_IMAGE_TRCCONFIGR]);
	if (image->features & V9_TRACE_HAS_CC)
		hw_write(V9_SYS_TRCCCCTLR, reg[V9_ETE_IMAGE_TRCCCCTLR]);
	if (image->features & V9_TRACE_HAS_TS)
		hw_write(V9_SYS_TRCTSCTLR, reg[V9_ETE_IMAGE_TRCTSCTLR]);
	if (image->features & V9_TRACE_HAS_COUNTER) {
		hw_write(V9_SYS_TRCRSCTLR2, reg[V9_ETE_IMAGE_TRCRSCTLR2]);
		hw_write(V9_SYS_TRCRSCTLR3, 0);		/* its pair */
		hw_write(V9_SYS_TRCCNTCTLR0, reg[V9_ETE_IMAGE_TRCCNTCTLR0]);
		hw_write(V9_SYS_TRCCNTRLDVR0, reg[V9_ETE_IMAGE_TRCCNTRLDVR0]);
		hw_write(V9_SYS_TRCCNTVR0, reg[V9_ETE_IMAGE_TRCCNTRLDVR0]);
	}
	hw_write(V9_SYS_TRCVICTLR, reg[V9_ETE_IMAGE_TRCVICTLR]);
	hw_write(V9_SYS_TRCRSR, V9_TRCRSR_TA);	/* an exception right at the start is told */
	hw_isb();			/* all of it before the unit is enabled: ETE-I_KWCGH */
	hw_write(V9_SYS_TRCPRGCTLR, V9_TRCPRGCTLR_EN);
	if (!wait_for(V9_TRCSTATR_IDLE, 0)) {
		prohibit_and_disable();
		v9_trbe_act_disable(&ignored);
		return false;
	}
	hw_write(V9_SYS_TRFCR_EL1, reg[V9_ETE_IMAGE_TRFCR]);
	/* Takes effect at the next context synchronization, at the latest our return. */
	return true;
}

bool v9_ete_act_stop(struct v9_trbe_regs *regs)
{
	bool idle = prohibit_and_disable();

	v9_trbe_act_disable(regs);
	return idle;
}
