// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sequences of accesses to the registers of a trace unit. include/v9trace/tables/rules has the
 * rules that comments cite.
 *
 * Between sessions TRFCR_EL1 prohibits tracing, the trace unit is disabled and idle, and the buffer
 * is disabled. A start enables the sink before the source, a stop disables the source before the
 * sink.
 */
#include "hw.h"
#include "v9trace/errata.h"
#include "v9trace/ete.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq.h"

/* Claim tag 0 is for external debuggers, tag 1 for software on the machine, as in Linux. */
#define CLAIM_DEBUGGER	1u
#define CLAIM_OURS	2u

/*
 * Timeout for the trace unit, in microseconds. The in-tree drivers have the same timeout, also
 * with interrupts off. The status is read POLLS times at least, because the clock also advances
 * while a hypervisor does not run this CPU.
 */
#define POLL_US	100
#define POLLS	100
#define POLLS_AT_ONCE	16	/* reads before the clock is read: nearly always enough */

static bool status_is(uint64_t mask, uint64_t value)
{
	hw_isb();	/* after the write, and between two reads: ETE-S_HSXGZ */
	return (hw_read(V9_SYS_TRCSTATR) & mask) == value;
}

static V9_NOINLINE bool wait_longer(uint64_t mask, uint64_t value)
{
	uint64_t start = hw_us();
	unsigned int i;

	for (i = 0; i < POLLS || hw_us() - start < POLL_US; i++)
		if (status_is(mask, value))
			return true;
	return false;
}

/* Wait until bits of TRCSTATR have a value. Returns false on timeout. */
static bool wait_for(uint64_t mask, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < POLLS_AT_ONCE; i++)
		if (status_is(mask, value))
			return true;
	return wait_longer(mask, value);
}

/*
 * After this function nothing is traced, all trace is in the buffer unit, and the trace unit is
 * idle. Only then may its registers be written (ETE-R_RWYQD), and only then does the trace begin
 * with an Alignment Synchronization when the unit is enabled again. Other fields of TRFCR_EL1 are
 * kept: trace up to the ISB has the timestamps and context of the session (D3.3).
 */
static bool prohibit_and_disable(const struct v9_ete_state *state)
{
	hw_write(V9_SYS_TRFCR_EL1, state->held.reg[V9_ETE_REG_TRFCR] &
				   ~(V9_TRFCR_EL1_E1TRE | V9_TRFCR_EL1_E0TRE));
	hw_isb();			/* tracing is prohibited from here on: TRBE-SY2 */
	hw_tsb();			/* earlier trace is complete: TRBE-SY5 */
	if (v9_trbe_needs_second_tsb(state->errata))
		hw_tsb();
	hw_write(V9_SYS_TRCPRGCTLR, 0);
	return wait_for(V9_TRCSTATR_IDLE | V9_TRCSTATR_PMSTABLE,
			V9_TRCSTATR_IDLE | V9_TRCSTATR_PMSTABLE);
}

void v9_ete_read_id(struct v9_ete_id *id, const char *closed)
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
	id->id_aa64dfr1 = hw_read(V9_SYS_ID_AA64DFR1_EL1) & V9_ID_AA64DFR1_EL1_ITE;
	id->trbidr = hw_read(V9_SYS_TRBIDR_EL1);
	if (id->trbidr & V9_TRBIDR_EL1_P)
		return;				/* the others trap: TRBE-OW9 */
	/*
	 * Whether nVM is effective depends on EL2 or its reset value, not on the unit (TRBE-AT3).
	 * Keep AddrMode only if it excludes virtual addresses, for v9_ete_check_unit().
	 */
	if (V9_GET(V9_TRBIDR_EL1_AddrMode, id->trbidr) != V9_TRBIDR_EL1_AddrMode_PA)
		id->trbidr &= ~V9_TRBIDR_EL1_AddrMode;
	id->closed = closed;
	if (closed)
		return;
	id->trcidr[0] = hw_read(V9_SYS_TRCIDR0);
	id->trcidr[1] = hw_read(V9_SYS_TRCIDR1);
	id->trcidr[2] = hw_read(V9_SYS_TRCIDR2);
	id->trcidr[3] = hw_read(V9_SYS_TRCIDR3);
	id->trcidr[4] = hw_read(V9_SYS_TRCIDR4);
	id->trcidr[5] = hw_read(V9_SYS_TRCIDR5);
	id->trcidr[8] = hw_read(V9_SYS_TRCIDR8);
	id->trcdevarch = hw_read(V9_SYS_TRCDEVARCH);
	id->trcauthstatus = hw_read(V9_SYS_TRCAUTHSTATUS);
	id->held = hw_read(V9_SYS_TRCCLAIMCLR) & CLAIM_DEBUGGER;
}

/*
 * Write the registers that have the same value for all sessions. Comparators, counters, selectors
 * and others have no effect while nothing refers to them.
 */
static void write_constants(const struct v9_ete_id *id, unsigned int trace_id)
{
	hw_write(V9_SYS_TRCAUXCTLR, 0);
	hw_write(V9_SYS_TRCTRACEIDR, trace_id);
	/* Sessions do not write TRCSTALLCTLR if the unit supports external stalling only. */
	if (id->trcidr[3] & V9_TRCIDR3_STALLCTL)
		hw_write(V9_SYS_TRCSTALLCTLR, 0);
	if (V9_GET(V9_TRCIDR4_NUMPC, id->trcidr[4]))
		hw_write(V9_SYS_TRCVIPCSSCTLR, 0);
	/* Sessions write TRCQCTLR only if the unit has address comparators for it. */
	if ((id->trcidr[0] & V9_TRCIDR0_QFILT) && !V9_GET(V9_TRCIDR4_NUMACPAIRS, id->trcidr[4]))
		hw_write(V9_SYS_TRCQCTLR, 0);
	/* TRCSSPCICR0 exists only under all of these conditions; otherwise it is UNDEFINED. */
	if (V9_GET(V9_TRCIDR4_NUMSSCC, id->trcidr[4]) && V9_GET(V9_TRCIDR4_NUMPC, id->trcidr[4]) &&
	    (hw_read(V9_SYS_TRCSSCSR(0)) & V9_TRCSSCSRn_PC))
		hw_write(V9_SYS_TRCSSPCICR(0), 0);
}

/*
 * Claim the unit: set the driver's tag, then read that of debuggers, and withdraw if it is set.
 * Debuggers use the same protocol. A unit without claim tags ignores the write, and no tag reads
 * as set.
 */
static bool claim(void)
{
	hw_write(V9_SYS_TRCCLAIMSET, CLAIM_OURS);
	hw_isb();
	if (!(hw_read(V9_SYS_TRCCLAIMCLR) & CLAIM_DEBUGGER))
		return true;
	v9_ete_act_release();
	return false;
}

void v9_ete_act_release(void)
{
	hw_write(V9_SYS_TRCCLAIMCLR, CLAIM_OURS);
}

bool v9_ete_act_reset(struct v9_ete_state *state, const struct v9_ete_id *id,
		      unsigned int trace_id)
{
	struct v9_trbe_regs regs;
	bool idle;

	/*
	 * While the OS Lock is set the unit is disabled, whatever the value of TRCPRGCTLR is
	 * (ETE-R_VBMLV).
	 */
	hw_write(V9_SYS_OSLAR_EL1, 0);
	if (!claim())
		return false;
	idle = prohibit_and_disable(state);
	v9_trbe_act_disable(state, &regs);
	state->known = false;
	state->held.reg[V9_ETE_REG_TRCITECR] = 0;
	if (state->ite)
		hw_write(V9_SYS_TRCITECR_EL1, 0);
	if (!idle) {
		v9_ete_act_release();
		return false;
	}
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

void v9_ete_act_quiesce(void)
{
	/* With EE 0 the interrupt follows the status register of this level. */
	hw_write(V9_SYS_TRFCR_EL1, 0);
	hw_isb();
	hw_write(V9_SYS_TRBSR_EL1, 0);		/* lowers the interrupt if it is asserted */
	hw_isb();
	/*
	 * A Trace unit reset has cleared the claim. Debuggers must not use the unit until the next
	 * v9_ete_act_reset().
	 */
	hw_write(V9_SYS_TRCCLAIMSET, CLAIM_OURS);
}

/* Returns true if register @i must be written, and sets its held value. */
static bool differs(struct v9_ete_state *state, const struct v9_ete_reg_values *values,
		    enum v9_ete_reg i)
{
	if (state->known && state->held.reg[i] == values->reg[i])
		return false;
	state->held.reg[i] = values->reg[i];
	return true;
}

/*
 * The register is encoded in the instruction, so each comparator needs an instruction of its own.
 */
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

/* Comparators after the last used one may hold any value: nothing refers to them. */
static void write_comparators(struct v9_ete_state *state, const struct v9_ete_reg_values *values)
{
	struct v9_ete_reg_values *held = &state->held;
	unsigned int i;

	if (!state->known)
		held->comparators = 0;
	for (i = 0; i < values->comparators; i++) {
		if (i < held->comparators && held->acvr[i] == values->acvr[i] &&
		    held->acatr[i] == values->acatr[i])
			continue;
		held->acvr[i] = values->acvr[i];
		held->acatr[i] = values->acatr[i];
		write_comparator(i, values->acvr[i], values->acatr[i]);
	}
	if (held->comparators < values->comparators)
		held->comparators = values->comparators;
}

#define WRITE_RESOURCE(which, enc) \
	case which: \
		hw_write(enc, value); \
		break

static void write_resource(unsigned int reg, uint32_t value)
{
	switch (reg) {
	WRITE_RESOURCE(V9_RES_RSCTLR + 0, V9_SYS_TRCRSCTLR(2));
	WRITE_RESOURCE(V9_RES_RSCTLR + 1, V9_SYS_TRCRSCTLR(3));
	WRITE_RESOURCE(V9_RES_RSCTLR + 2, V9_SYS_TRCRSCTLR(4));
	WRITE_RESOURCE(V9_RES_RSCTLR + 3, V9_SYS_TRCRSCTLR(5));
	WRITE_RESOURCE(V9_RES_RSCTLR + 4, V9_SYS_TRCRSCTLR(6));
	WRITE_RESOURCE(V9_RES_RSCTLR + 5, V9_SYS_TRCRSCTLR(7));
	WRITE_RESOURCE(V9_RES_RSCTLR + 6, V9_SYS_TRCRSCTLR(8));
	WRITE_RESOURCE(V9_RES_RSCTLR + 7, V9_SYS_TRCRSCTLR(9));
	WRITE_RESOURCE(V9_RES_RSCTLR + 8, V9_SYS_TRCRSCTLR(10));
	WRITE_RESOURCE(V9_RES_RSCTLR + 9, V9_SYS_TRCRSCTLR(11));
	WRITE_RESOURCE(V9_RES_RSCTLR + 10, V9_SYS_TRCRSCTLR(12));
	WRITE_RESOURCE(V9_RES_RSCTLR + 11, V9_SYS_TRCRSCTLR(13));
	WRITE_RESOURCE(V9_RES_RSCTLR + 12, V9_SYS_TRCRSCTLR(14));
	WRITE_RESOURCE(V9_RES_RSCTLR + 13, V9_SYS_TRCRSCTLR(15));
	WRITE_RESOURCE(V9_RES_RSCTLR + 14, V9_SYS_TRCRSCTLR(16));
	WRITE_RESOURCE(V9_RES_RSCTLR + 15, V9_SYS_TRCRSCTLR(17));
	WRITE_RESOURCE(V9_RES_CNTCTLR + 0, V9_SYS_TRCCNTCTLR(0));
	WRITE_RESOURCE(V9_RES_CNTCTLR + 1, V9_SYS_TRCCNTCTLR(1));
	WRITE_RESOURCE(V9_RES_CNTCTLR + 2, V9_SYS_TRCCNTCTLR(2));
	WRITE_RESOURCE(V9_RES_CNTCTLR + 3, V9_SYS_TRCCNTCTLR(3));
	WRITE_RESOURCE(V9_RES_CNTRLDVR + 0, V9_SYS_TRCCNTRLDVR(0));
	WRITE_RESOURCE(V9_RES_CNTRLDVR + 1, V9_SYS_TRCCNTRLDVR(1));
	WRITE_RESOURCE(V9_RES_CNTRLDVR + 2, V9_SYS_TRCCNTRLDVR(2));
	WRITE_RESOURCE(V9_RES_CNTRLDVR + 3, V9_SYS_TRCCNTRLDVR(3));
	WRITE_RESOURCE(V9_RES_CNTVR + 0, V9_SYS_TRCCNTVR(0));
	WRITE_RESOURCE(V9_RES_CNTVR + 1, V9_SYS_TRCCNTVR(1));
	WRITE_RESOURCE(V9_RES_CNTVR + 2, V9_SYS_TRCCNTVR(2));
	WRITE_RESOURCE(V9_RES_CNTVR + 3, V9_SYS_TRCCNTVR(3));
	WRITE_RESOURCE(V9_RES_EXTINSELR + 0, V9_SYS_TRCEXTINSELR(0));
	WRITE_RESOURCE(V9_RES_EXTINSELR + 1, V9_SYS_TRCEXTINSELR(1));
	WRITE_RESOURCE(V9_RES_EXTINSELR + 2, V9_SYS_TRCEXTINSELR(2));
	WRITE_RESOURCE(V9_RES_EXTINSELR + 3, V9_SYS_TRCEXTINSELR(3));
	WRITE_RESOURCE(V9_RES_SEQEVR + 0, V9_SYS_TRCSEQEVR(0));
	WRITE_RESOURCE(V9_RES_SEQEVR + 1, V9_SYS_TRCSEQEVR(1));
	WRITE_RESOURCE(V9_RES_SEQEVR + 2, V9_SYS_TRCSEQEVR(2));
	WRITE_RESOURCE(V9_RES_SEQRSTEVR, V9_SYS_TRCSEQRSTEVR);
	WRITE_RESOURCE(V9_RES_SEQSTR, V9_SYS_TRCSEQSTR);
	WRITE_RESOURCE(V9_RES_SSCCR, V9_SYS_TRCSSCCR(0));
	WRITE_RESOURCE(V9_RES_SSCSR, V9_SYS_TRCSSCSR(0));
	WRITE_RESOURCE(V9_RES_CIDCVR, V9_SYS_TRCCIDCVR(0));
	WRITE_RESOURCE(V9_RES_VMIDCVR, V9_SYS_TRCVMIDCVR(0));
	WRITE_RESOURCE(V9_RES_CIDCCTLR, V9_SYS_TRCCIDCCTLR0);
	WRITE_RESOURCE(V9_RES_VMIDCCTLR, V9_SYS_TRCVMIDCCTLR0);
	}
}

/* Read a register that hardware changes, see v9_ete_res_moves(). */
static uint32_t read_resource(unsigned int reg)
{
	switch (reg) {
	case V9_RES_CNTVR:
		return hw_read(V9_SYS_TRCCNTVR(0));
	case V9_RES_CNTVR + 1:
		return hw_read(V9_SYS_TRCCNTVR(1));
	case V9_RES_CNTVR + 2:
		return hw_read(V9_SYS_TRCCNTVR(2));
	case V9_RES_CNTVR + 3:
		return hw_read(V9_SYS_TRCCNTVR(3));
	case V9_RES_SSCSR:
		return hw_read(V9_SYS_TRCSSCSR(0));
	default:
		return hw_read(V9_SYS_TRCSEQSTR);
	}
}

/*
 * Write all registers of the resources. If they already hold the same list, write none; counters
 * and the others then continue from their current values. In a session without resources these
 * registers have no effect.
 */
static void write_resources(struct v9_ete_state *state, const struct v9_ete_res *res)
{
	struct v9_ete_res *held = &state->held.res;
	bool same = state->known && held->n == res->n;
	unsigned int i;

	for (i = 0; same && i < res->n; i++)
		same = held->reg[i] == res->reg[i] && held->value[i] == res->value[i];
	if (same)
		return;
	for (i = 0; i < res->n; i++)
		write_resource(res->reg[i], res->value[i]);
	*held = *res;
}

/* Returns true if all registers hold their values. Usually the last session had the same values. */
static bool holds(const struct v9_ete_state *state, const struct v9_ete_reg_values *values)
{
	const uint64_t *a = state->held.key, *b = values->key;

	return state->known && !values->more && !((a[0] ^ b[0]) | (a[1] ^ b[1]));
}

static void write_filters(struct v9_ete_state *state, const struct v9_ete_reg_values *values)
{
	write_comparators(state, values);
	if (differs(state, values, V9_ETE_REG_TRCVIIECTLR))
		hw_write(V9_SYS_TRCVIIECTLR, values->reg[V9_ETE_REG_TRCVIIECTLR]);
	if (differs(state, values, V9_ETE_REG_TRCVISSCTLR))
		hw_write(V9_SYS_TRCVISSCTLR, values->reg[V9_ETE_REG_TRCVISSCTLR]);
}

static V9_NOINLINE void write_values(struct v9_ete_state *state,
				     const struct v9_ete_reg_values *values)
{
	if (values->features & V9_TRACE_HAS_FILTERS)
		write_filters(state, values);
	write_resources(state, &values->res);
#define WRITE_OF(name, need, ...) do { \
	if ((!(need) || (values->features & (need))) && differs(state, values, V9_ETE_REG_##name)) \
		hw_write(V9_SYS_##name, values->reg[V9_ETE_REG_##name]); \
	} while (0)

	V9_ETE_HELD_REGS(WRITE_OF, ;);
	state->held.key[0] = values->key[0];
	state->held.key[1] = values->key[1];
	state->known = true;
}

/* Permit TRCIT for Exception levels, only while a session that requests it runs. */
static void allow_instrumentation(struct v9_ete_state *state, uint64_t levels)
{
	if (state->held.reg[V9_ETE_REG_TRCITECR] == levels)
		return;
	hw_write(V9_SYS_TRCITECR_EL1, levels);
	state->held.reg[V9_ETE_REG_TRCITECR] = levels;
}

bool v9_ete_act_start(struct v9_ete_state *state, const struct v9_ete_reg_values *values,
		      const struct v9_trbe_regs *regs, bool wrote)
{
	struct v9_trbe_regs ignored;

	if (!holds(state, values))
		write_values(state, values);
	hw_write(V9_SYS_TRCRSR, values->reg[V9_ETE_REG_TRCRSR]);
	allow_instrumentation(state, values->reg[V9_ETE_REG_TRCITECR]);

	/*
	 * v9_trbe_act_enable() ends with an ISB, so all writes above precede the enable of the
	 * trace unit (ETE-I_KWCGH).
	 */
	v9_trbe_act_enable(state, regs, wrote);
	hw_write(V9_SYS_TRCPRGCTLR, V9_TRCPRGCTLR_EN);
	if (!wait_for(V9_TRCSTATR_IDLE, 0)) {
		prohibit_and_disable(state);
		allow_instrumentation(state, 0);
		v9_trbe_act_disable(state, &ignored);
		return false;
	}
	state->held.reg[V9_ETE_REG_TRFCR] = values->reg[V9_ETE_REG_TRFCR];
	hw_write(V9_SYS_TRFCR_EL1, values->reg[V9_ETE_REG_TRFCR]);
	/*
	 * The write takes effect at the next context synchronization, for user mode at the
	 * exception return at the latest. After a task switch the kernel runs without a context
	 * synchronization (TRBE-L9).
	 */
	if (values->reg[V9_ETE_REG_TRFCR] & V9_TRFCR_EL1_E1TRE)
		hw_isb();
	return true;
}

bool v9_ete_act_stop(struct v9_ete_state *state, struct v9_trbe_regs *regs)
{
	bool idle = prohibit_and_disable(state);

	allow_instrumentation(state, 0);
	/* Start and stop points change TRCVICTLR (ETE-R_PBFMY). */
	if (idle && state->held.reg[V9_ETE_REG_TRCVISSCTLR])
		state->held.reg[V9_ETE_REG_TRCVICTLR] = hw_read(V9_SYS_TRCVICTLR);
	v9_trbe_act_disable(state, regs);
	return idle;
}

void v9_ete_read_moved(struct v9_ete_state *state, struct v9_ete_reg_values *values)
{
	struct v9_ete_res *res = &values->res, *held = &state->held.res;
	unsigned int i;

	for (i = 0; i < res->n; i++)
		if (v9_ete_res_moves(res->reg[i])) {
			res->value[i] = read_resource(res->reg[i]);
			held->value[i] = res->value[i];
		}
	/* Events that occur while the unit stops are traced at the next start (ETE-R_SWBRL). */
	values->reg[V9_ETE_REG_TRCRSR] = V9_TRCRSR_TA |
		(hw_read(V9_SYS_TRCRSR) & (V9_TRCRSR_EVENT | V9_TRCRSR_EXTIN));
}
