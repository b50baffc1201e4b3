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
#include "v9trace/errata.h"
#include "v9trace/ete.h"
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
static bool prohibit_and_disable(const struct v9_ete_state *state)
{
	hw_write(V9_SYS_TRFCR_EL1, 0);
	hw_isb();			/* prohibited from here: TRBE-SY2 */
	hw_tsb();			/* what was traced before is finished: TRBE-SY5 */
	if (v9_trbe_needs_second_tsb(state->errata))
		hw_tsb();
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
	/* That nVM counts for nothing EL2 may say, or its reset: not the unit (TRBE-AT3). */
	if (V9_GET(V9_TRBIDR_EL1_AddrMode, id->trbidr) == V9_TRBIDR_EL1_AddrMode_VA)
		id->trbidr &= ~V9_TRBIDR_EL1_AddrMode;
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
 * The registers that no session changes. Comparators that nothing refers to, the
 * sequencer and other selectors are not used: what they hold has no effect.
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
	if (V9_GET(V9_TRCIDR4_NUMACPAIRS, id->trcidr[4]))
		hw_write(V9_SYS_TRCBBCTLR, 0);		/* broadcast, if any, is everywhere */
	if (V9_GET(V9_TRCIDR4_NUMPC, id->trcidr[4]))
		hw_write(V9_SYS_TRCVIPCSSCTLR, 0);
	if (id->trcidr[0] & V9_TRCIDR0_QFILT)
		hw_write(V9_SYS_TRCQCTLR, 0);
}

bool v9_ete_act_reset(struct v9_ete_state *state, const struct v9_ete_id *id,
		      unsigned int trace_id)
{
	struct v9_trbe_regs regs;
	bool idle;

	/* A locked unit counts as disabled, whatever TRCPRGCTLR says (ETE-R_VBMILV). */
	hw_write(V9_SYS_OSLAR_EL1, 0);
	idle = prohibit_and_disable(state);
	v9_trbe_act_disable(state, &regs);
	state->known = false;
	if (!idle)
		return false;
	write_constants(id, trace_id);
	hw_write(V9_SYS_TRBPTR_EL1, 0);
	hw_write(V9_SYS_TRBBASER_EL1, 0);
	hw_write(V9_SYS_TRBTRG_EL1, 0);
	hw_write(V9_SYS_TRBSR_EL1, 0);
	state->trbbaser = 0;
	state->trbsr = 0;
	hw_isb();
	return true;
}

/* Does register @i of the image have to be written? It is written then. */
static bool differs(struct v9_ete_state *state, const struct v9_ete_image *image,
		    enum v9_ete_image_reg i)
{
	if (state->known && state->held.reg[i] == image->reg[i])
		return false;
	state->held.reg[i] = image->reg[i];
	return true;
}

/* Encodings are part of the instruction, so each comparator has its own. */
#define WRITE_COMPARATOR(n) \
	case n: \
		hw_write(V9_SYS_TRCACVR(n), acvr); \
		hw_write(V9_SYS_TRCACATR(n), acatr); \
		break

static void write_comparator(unsigned int i, uint64_t acvr, uint64_t acatr)
{
	switch (i) {
	WRITE_COMPARATOR(0);
	WRITE_COMPARATOR(1);
	WRITE_COMPARATOR(2);
	WRITE_COMPARATOR(3);
	WRITE_COMPARATOR(4);
	WRITE_COMPARATOR(5);
	WRITE_COMPARATOR(6);
	WRITE_COMPARATOR(7);
	WRITE_COMPARATOR(8);
	WRITE_COMPARATOR(9);
	WRITE_COMPARATOR(10);
	WRITE_COMPARATOR(11);
	WRITE_COMPARATOR(12);
	WRITE_COMPARATOR(13);
	WRITE_COMPARATOR(14);
	WRITE_COMPARATOR(15);
	}
}

/* Those behind the last one used may hold anything: nothing refers to them. */
static void write_comparators(struct v9_ete_state *state, const struct v9_ete_image *image)
{
	struct v9_ete_image *held = &state->held;
	unsigned int i;

	if (!state->known)
		held->comparators = 0;
	for (i = 0; i < image->comparators; i++) {
		if (i < held->comparators && held->acvr[i] == image->acvr[i] &&
		    held->acatr[i] == image->acatr[i])
			continue;
		held->acvr[i] = image->acvr[i];
		held->acatr[i] = image->acatr[i];
		write_comparator(i, image->acvr[i], image->acatr[i]);
	}
	if (held->comparators < image->comparators)
		held->comparators = image->comparators;
}

/* What the image wants is there already: most sessions begin where one like it ended. */
static bool holds(const struct v9_ete_state *state, const struct v9_ete_image *image)
{
	const uint64_t *a = state->held.reg, *b = image->reg;

	return state->known && !image->comparators &&
	       !((a[V9_ETE_IMAGE_TRCCONFIGR] ^ b[V9_ETE_IMAGE_TRCCONFIGR]) |
		 (a[V9_ETE_IMAGE_TRCCCCTLR] ^ b[V9_ETE_IMAGE_TRCCCCTLR]) |
		 (a[V9_ETE_IMAGE_TRCTSCTLR] ^ b[V9_ETE_IMAGE_TRCTSCTLR]) |
		 (a[V9_ETE_IMAGE_TRCRSCTLR2] ^ b[V9_ETE_IMAGE_TRCRSCTLR2]) |
		 (a[V9_ETE_IMAGE_TRCCNTCTLR0] ^ b[V9_ETE_IMAGE_TRCCNTCTLR0]) |
		 (a[V9_ETE_IMAGE_TRCCNTRLDVR0] ^ b[V9_ETE_IMAGE_TRCCNTRLDVR0]) |
		 (a[V9_ETE_IMAGE_TRCVIIECTLR] ^ b[V9_ETE_IMAGE_TRCVIIECTLR]) |
		 (a[V9_ETE_IMAGE_TRCVISSCTLR] ^ b[V9_ETE_IMAGE_TRCVISSCTLR]) |
		 (a[V9_ETE_IMAGE_TRCVICTLR] ^ b[V9_ETE_IMAGE_TRCVICTLR]));
}

static V9_NOINLINE void write_image(struct v9_ete_state *state, const struct v9_ete_image *image)
{
	const uint64_t *reg = image->reg;

	if (differs(state, image, V9_ETE_IMAGE_TRCCONFIGR))
		hw_write(V9_SYS_TRCCONFIGR, reg[V9_ETE_IMAGE_TRCCONFIGR]);
	if ((image->features & V9_TRACE_HAS_CC) && differs(state, image, V9_ETE_IMAGE_TRCCCCTLR))
		hw_write(V9_SYS_TRCCCCTLR, reg[V9_ETE_IMAGE_TRCCCCTLR]);
	if ((image->features & V9_TRACE_HAS_TS) && differs(state, image, V9_ETE_IMAGE_TRCTSCTLR))
		hw_write(V9_SYS_TRCTSCTLR, reg[V9_ETE_IMAGE_TRCTSCTLR]);
	if (image->features & V9_TRACE_HAS_COUNTER) {
		if (!state->known)
			hw_write(V9_SYS_TRCRSCTLR3, 0);		/* of the pair of selector 2 */
		if (differs(state, image, V9_ETE_IMAGE_TRCRSCTLR2))
			hw_write(V9_SYS_TRCRSCTLR2, reg[V9_ETE_IMAGE_TRCRSCTLR2]);
		if (differs(state, image, V9_ETE_IMAGE_TRCCNTCTLR0))
			hw_write(V9_SYS_TRCCNTCTLR0, reg[V9_ETE_IMAGE_TRCCNTCTLR0]);
		if (differs(state, image, V9_ETE_IMAGE_TRCCNTRLDVR0)) {
			hw_write(V9_SYS_TRCCNTRLDVR0, reg[V9_ETE_IMAGE_TRCCNTRLDVR0]);
			hw_write(V9_SYS_TRCCNTVR0, reg[V9_ETE_IMAGE_TRCCNTRLDVR0]);
		}
	}
	if (image->features & V9_TRACE_HAS_FILTERS) {
		write_comparators(state, image);
		if (differs(state, image, V9_ETE_IMAGE_TRCVIIECTLR))
			hw_write(V9_SYS_TRCVIIECTLR, reg[V9_ETE_IMAGE_TRCVIIECTLR]);
		if (differs(state, image, V9_ETE_IMAGE_TRCVISSCTLR))
			hw_write(V9_SYS_TRCVISSCTLR, reg[V9_ETE_IMAGE_TRCVISSCTLR]);
	}
	if (differs(state, image, V9_ETE_IMAGE_TRCVICTLR))
		hw_write(V9_SYS_TRCVICTLR, reg[V9_ETE_IMAGE_TRCVICTLR]);
	state->known = true;
}

bool v9_ete_act_start(struct v9_ete_state *state, const struct v9_ete_image *image,
		      const struct v9_trbe_regs *regs, bool wrote)
{
	struct v9_trbe_regs ignored;

	if (!holds(state, image))
		write_image(state, image);
	hw_write(V9_SYS_TRCRSR, V9_TRCRSR_TA);	/* an exception right at the start is told */

	/* Ends with an ISB: all of that before the unit is enabled, too (ETE-I_KWCGH). */
	v9_trbe_act_enable(state, regs, wrote);
	hw_write(V9_SYS_TRCPRGCTLR, V9_TRCPRGCTLR_EN);
	if (!wait_for(V9_TRCSTATR_IDLE, 0)) {
		prohibit_and_disable(state);
		v9_trbe_act_disable(state, &ignored);
		return false;
	}
	hw_write(V9_SYS_TRFCR_EL1, image->reg[V9_ETE_IMAGE_TRFCR]);
	/* Takes effect at the next context synchronization, at the latest our return. */
	return true;
}

bool v9_ete_act_stop(struct v9_ete_state *state, struct v9_trbe_regs *regs)
{
	bool idle = prohibit_and_disable(state);

	/* Points that were passed have changed it (ETE-R_ZBFWI). */
	if (idle && state->held.reg[V9_ETE_IMAGE_TRCVISSCTLR])
		state->held.reg[V9_ETE_IMAGE_TRCVICTLR] = hw_read(V9_SYS_TRCVICTLR);
	v9_trbe_act_disable(state, regs);
	return idle;
}
