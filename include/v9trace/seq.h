/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sequences of register accesses. Each function accesses the units of the CPU that it runs on. The
 * caller disables interrupts or is bound to the CPU.
 */
#ifndef V9TRACE_SEQ_H
#define V9TRACE_SEQ_H

#include "attr.h"

/*
 * Attr of PMBMAR_EL1 and TRBMAR_EL1: Normal memory, inner and outer Write-Back, read- and write-
 * allocate
 */
#define V9_ATTR_WRITE_BACK	0xff

/**
 * struct v9_spe_regs - the registers that the unit changes while a session runs
 * @pmbptr: PMBPTR_EL1
 * @pmblimitr: PMBLIMITR_EL1, complete
 * @pmbsr: PMBSR_EL1: 0 to start, or the saved value to continue
 * @pmsicr: PMSICR_EL1: 0 for a new session, else the saved value (SPE-SI14)
 */
struct v9_spe_regs {
	uint64_t pmbptr;
	uint64_t pmblimitr;
	uint64_t pmbsr;
	uint64_t pmsicr;
};

/**
 * struct v9_spe_state - values that the registers of a CPU's unit hold between sessions
 * @known: the members below are valid
 * @reg: value of each register, by enum v9_spe_reg, except PMBLIMITR_EL1 and PMSCR_EL1, which are
 *	written at each start
 * @pmbptr: PMBPTR_EL1
 * @pmsicr: PMSICR_EL1
 *
 * Only the functions below write these registers, and the unit changes only PMBPTR_EL1 and
 * PMSICR_EL1. A register that holds the right value is not written. PMBSR_EL1 is 0 between
 * sessions.
 */
struct v9_spe_state {
	bool known;
	uint64_t reg[V9_SPE_REGS];
	uint64_t pmbptr;
	uint64_t pmsicr;
};

/**
 * v9_spe_read_id - read the ID registers of this CPU's unit
 * @id: result; registers that do not exist or may not be accessed read as 0
 * @words: number of option words in the kernel's struct perf_event_attr
 * @closed: why no register of the unit but PMBIDR_EL1 is to be accessed, or NULL;
 *	v9_el3_spe_closed()
 *
 * The unit must be off: filter registers are written to find their writable bits.
 *
 * A register is not accessed if its option is in a word that the kernel does not have. Firmware and
 * EL2 permit access to PMSNEVFR_EL1 and PMSDSFR_EL1 for kernels that use them (MDCR_EL3.EnPMSN,
 * EnPMS3 and fine-grained traps); under an older kernel an access may trap to EL3.
 */
void v9_spe_read_id(struct v9_spe_id *id, unsigned int words, const char *closed);

/**
 * v9_spe_act_reset - disable the unit, whatever its state is
 * @state: of this CPU; result
 *
 * For a CPU that comes online: nearly all registers are UNKNOWN then.
 */
void v9_spe_act_reset(struct v9_spe_state *state);

/**
 * v9_spe_act_quiesce - deassert the interrupt of a unit that has lost its registers
 *
 * After a Warm reset PMBLIMITR_EL1.E is 0, so the unit is off, and other registers are UNKNOWN.
 * Nothing is sampled, whatever PMSCR_EL1 holds. v9_spe_act_reset() must be called before the next
 * start.
 */
void v9_spe_act_quiesce(void);

/**
 * v9_spe_has_physical - check whether this CPU's unit can write to physical addresses
 *
 * Return: true if it can; under a hypervisor these are intermediate physical addresses. The ID
 * registers do not show whether v9_spe_act_physical() may write PMBMAR_EL1.
 */
bool v9_spe_has_physical(void);

/**
 * v9_spe_act_physical - set the memory attributes for physical addresses
 * @permitted: firmware (MDCR_EL3.EnPMS4) and, for a kernel at EL1, the hypervisor
 *	(HDFGWTR2_EL2.nPMBMAR_EL1) permit access to PMBMAR_EL1; else it is not accessed
 *
 * Call it after a reset. The attributes are those of the kernel's own mapping: Normal, Write-Back,
 * Inner Shareable.
 *
 * Return: true if a window may have physical addresses.
 */
bool v9_spe_act_physical(bool permitted);

/**
 * v9_spe_act_start - start a stopped unit, for a new session or to continue one
 * @state: of this CPU
 * @values: register values of the session
 * @regs: window, status, and interval counter
 * @wrote: the CPU has written padding since the last DSB
 *
 * If the registers already hold @values, only those of the window are written.
 */
void v9_spe_act_start(struct v9_spe_state *state, const struct v9_spe_reg_values *values,
		      const struct v9_spe_regs *regs, bool wrote);

/**
 * v9_spe_act_stop - stop the unit, and wait until all records are in memory
 * @state: of this CPU
 * @regs: result; @pmblimitr is not changed. PMBSR_EL1 itself is cleared; the caller handles the
 *	status in @regs
 */
void v9_spe_act_stop(struct v9_spe_state *state, struct v9_spe_regs *regs);

/**
 * v9_spe_read_status - in the interrupt handler: read status and write pointer
 * @regs: result; the records up to the write pointer are in memory
 */
void v9_spe_read_status(struct v9_spe_regs *regs);

/**
 * v9_spe_act_resume - in the interrupt handler: continue in a new window
 * @regs: window, with status 0
 * @wrote: the CPU has written padding since the last DSB
 *
 * PMBSR_EL1.S must be set: it stops the unit while the window is changed.
 */
void v9_spe_act_resume(const struct v9_spe_regs *regs, bool wrote);

/**
 * struct v9_trbe_regs - registers of a trace buffer: window, status and trigger counter
 * @trbbaser: TRBBASER_EL1
 * @trbptr: TRBPTR_EL1
 * @trblimitr: TRBLIMITR_EL1, complete
 * @trbsr: TRBSR_EL1: 0 to start; TRG to start the trigger counter; or the saved value to continue
 * @trbtrg: TRBTRG_EL1, bytes; 0 if TRBLIMITR_EL1.TM is "ignore"
 */
struct v9_trbe_regs {
	uint64_t trbbaser;
	uint64_t trbptr;
	uint64_t trblimitr;
	uint64_t trbsr;
	uint64_t trbtrg;
};

/**
 * struct v9_ete_state - values that the registers of a CPU's trace unit and buffer hold
 * @errata: V9_ERRATUM_* of the CPU
 * @ite: TRCITECR_EL1 exists and may be accessed
 * @held: values of the registers that a start does not write if they have the right value
 * @trbbaser: likewise, TRBBASER_EL1
 * @trbsr: likewise, TRBSR_EL1
 * @known: @held is valid
 *
 * The caller sets @errata and @ite. The other members are 0 at first; the functions below set
 * them.
 */
struct v9_ete_state {
	uint64_t errata;
	bool ite;
	struct v9_ete_reg_values held;
	uint64_t trbbaser;
	uint64_t trbsr;
	bool known;
};

/**
 * v9_trbe_act_physical - set the memory attributes for physical addresses, in TRBMAR_EL1
 *
 * As v9_spe_act_physical(), but no permission is needed.
 *
 * Return: true if a window may have physical addresses.
 */
bool v9_trbe_act_physical(void);

/**
 * v9_trbe_act_enable - enable the buffer with a window
 * @state: of this CPU
 * @regs: window
 * @wrote: the CPU has written padding since the last DSB
 *
 * Tracing must be prohibited and the trace unit disabled.
 */
void v9_trbe_act_enable(struct v9_ete_state *state, const struct v9_trbe_regs *regs, bool wrote);

/**
 * v9_trbe_act_disable - disable the buffer, with all trace in memory
 * @state: of this CPU
 * @regs: result: pointer, counter and status. The register TRBSR_EL1 is cleared; the caller handles
 *	the status in @regs
 *
 * Tracing must be prohibited, and TSB CSYNC done.
 */
void v9_trbe_act_disable(struct v9_ete_state *state, struct v9_trbe_regs *regs);

/**
 * v9_ete_read_id - read the ID registers of this CPU's trace unit and buffer
 * @id: result; registers that do not exist or may not be accessed read as 0
 * @closed: why no register of the units but TRBIDR_EL1 is to be accessed, or NULL;
 *	v9_el3_trace_closed()
 */
void v9_ete_read_id(struct v9_ete_id *id, const char *closed);

/**
 * v9_ete_act_reset - disable trace unit and buffer, whatever their state is
 * @state: of this CPU
 * @id: result of v9_ete_read_id() for this CPU
 * @trace_id: value of TRCTRACEIDR
 *
 * For a CPU that comes online: nearly all registers are UNKNOWN then. The function claims the
 * trace unit first, so that debuggers do not use it until v9_ete_act_release(). It also writes the
 * registers that have the same value for all sessions.
 *
 * Return: false if the trace unit does not become idle, or if a debugger has claimed it. In the
 * latter case nothing is written.
 */
bool v9_ete_act_reset(struct v9_ete_state *state, const struct v9_ete_id *id,
		      unsigned int trace_id);

/**
 * v9_ete_act_quiesce - deassert the interrupt of a trace buffer that has lost its registers
 *
 * After a Warm reset TRBLIMITR_EL1.E is 0, and after a Trace unit reset TRCPRGCTLR.EN is 0, so both
 * are off, and other registers are UNKNOWN. v9_ete_act_reset() must be called before the next
 * start.
 */
void v9_ete_act_quiesce(void);

/**
 * v9_ete_act_release - withdraw the claim on the trace unit, which is off
 */
void v9_ete_act_release(void);

/**
 * v9_ete_act_start - start a stopped unit, for a new session or to continue one
 * @state: of this CPU; registers that hold the right value are not written
 * @values: register values of the session
 * @regs: window
 * @wrote: the CPU has written padding since the last DSB
 *
 * Return: false if the trace unit does not start. It is off then.
 */
bool v9_ete_act_start(struct v9_ete_state *state, const struct v9_ete_reg_values *values,
		      const struct v9_trbe_regs *regs, bool wrote);

/**
 * v9_ete_act_stop - stop the unit, and wait until all trace is in memory
 * @state: of this CPU; its TRCVICTLR is read if the session has start or stop points
 * @regs: result: pointer, counter and status. The register TRBSR_EL1 is cleared; the caller handles
 *	the status in @regs
 *
 * Return: false if the trace unit does not become idle. It must not be used again then.
 */
bool v9_ete_act_stop(struct v9_ete_state *state, struct v9_trbe_regs *regs);

/**
 * v9_ete_read_moved - after a stop: read the resources that hardware changes
 * @state: of this CPU
 * @values: register values of the session that ran; updated with what was read, so that the
 *	session continues with these at its next start
 */
void v9_ete_read_moved(struct v9_ete_state *state, struct v9_ete_reg_values *values);

/**
 * v9_brbe_read_id - read the ID registers of this CPU's branch records
 * @id: result
 * @closed: why no register but ID_AA64DFR0_EL1 is to be accessed, or NULL; v9_el3_brbe_closed()
 */
void v9_brbe_read_id(struct v9_brbe_id *id, const char *closed);

/**
 * v9_brbe_act_reset - stop recording and invalidate all records, whatever the state of the unit is
 *
 * For a CPU that comes online: the registers are UNKNOWN then.
 */
void v9_brbe_act_reset(void);

/**
 * v9_brbe_act_start - start recording, without records of before
 * @values: register values of the session
 *
 * The unit is stopped: after v9_brbe_act_reset() or v9_brbe_act_stop().
 */
void v9_brbe_act_start(const struct v9_brbe_reg_values *values);

/* Stop recording. Records stay until the next start. */
void v9_brbe_act_stop(void);

/**
 * struct v9_branch_found - what was found in a unit
 * @brbfcr: BRBFCR_EL1, before recording was paused
 * @brbts: BRBTS_EL1
 */
struct v9_branch_found {
	uint64_t brbfcr;
	uint64_t brbts;
};

/**
 * v9_brbe_act_pause - in an interrupt handler: pause recording, so that records can be read
 * @found: result
 */
void v9_brbe_act_pause(struct v9_branch_found *found);

/**
 * v9_brbe_act_read - read the records of a unit that is paused
 * @rec: result, youngest first
 * @max: number of records that the unit has, up to V9_BRANCHES_MAX
 *
 * Return: number of records.
 */
unsigned int v9_brbe_act_read(struct v9_branch_regs *rec, unsigned int max);

/**
 * v9_brbe_act_resume - record again, without records of before
 * @values: register values of the session that was paused
 */
void v9_brbe_act_resume(const struct v9_brbe_reg_values *values);

/* Invalidate all records. Recording goes on. */
void v9_brbe_act_forget(void);

/**
 * v9_brbe_act_exclude_guest - let BRB IALL and BRB INJ trap in the guest that is entered next
 *
 * The kernel is at EL2, and the fine-grained traps are those of the guest already.
 */
void v9_brbe_act_exclude_guest(void);

#endif
