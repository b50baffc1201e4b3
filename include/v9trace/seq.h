/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Ordered steps on the hardware. Every function works on the CPU it runs on,
 * which the caller keeps (interrupts off, or bound to it).
 */
#ifndef V9TRACE_SEQ_H
#define V9TRACE_SEQ_H

#include "attr.h"

/* Of PMBMAR_EL1 and TRBMAR_EL1: Normal, Write-Back, both allocating, inner and outer */
#define V9_ATTR_WRITE_BACK	0xff

/**
 * struct v9_spe_regs - the registers that move while a session runs
 * @pmbptr: PMBPTR_EL1
 * @pmblimitr: PMBLIMITR_EL1, complete
 * @pmbsr: PMBSR_EL1: 0 to start, or the saved value to continue
 * @pmsicr: PMSICR_EL1: 0 in a new session, then only saved and restored (SPE-SI14)
 */
struct v9_spe_regs {
	uint64_t pmbptr;
	uint64_t pmblimitr;
	uint64_t pmbsr;
	uint64_t pmsicr;
};

/**
 * struct v9_spe_state - what the registers of one CPU's unit hold between sessions
 * @known: false: anything
 * @reg: by enum v9_spe_reg, but for PMBLIMITR_EL1 and PMSCR_EL1, which turn it on
 * @pmbptr: PMBPTR_EL1
 * @pmsicr: PMSICR_EL1
 *
 * Only these functions write the registers, and only a session moves the last two: what
 * a register holds needs no writing. PMBSR_EL1 holds 0 between sessions.
 */
struct v9_spe_state {
	bool known;
	uint64_t reg[V9_SPE_REGS];
	uint64_t pmbptr;
	uint64_t pmsicr;
};

/**
 * v9_spe_read_id - read the ID registers of this CPU's unit
 * @id: result; registers that are absent or out of reach read as 0
 * @words: option words of the kernel's struct perf_event_attr
 *
 * The unit must be idle: the filters are written to see which bits stay.
 *
 * A register whose option needs a word that is not there is left alone. Firmware and the kernel at
 * EL2 open PMSNEVFR_EL1 and PMSDSFR_EL1 for kernels that want them (MDCR_EL3.EnPMSN, EnPMS3 and
 * the fine-grained traps): an older kernel may run where an access ends in EL3.
 */
void v9_spe_read_id(struct v9_spe_id *id, unsigned int words);

/**
 * v9_spe_act_reset - turn the unit off, whatever state it was left in
 * @state: this CPU's; result
 *
 * For a CPU that comes up: nearly every register is UNKNOWN then.
 */
void v9_spe_act_reset(struct v9_spe_state *state);

/**
 * v9_spe_act_quiesce - the unit is off, but its registers may be UNKNOWN: lower its interrupt
 *
 * After a Warm reset PMBLIMITR_EL1.E is 0: nothing is sampled, whatever PMSCR_EL1 holds. Before the
 * next start there has to be a reset.
 */
void v9_spe_act_quiesce(void);

/**
 * v9_spe_has_physical - does this CPU's unit take physical addresses?
 *
 * Return: it does, or intermediate ones below a hypervisor. ID registers say so; what
 * v9_spe_act_physical() writes they do not speak of.
 */
bool v9_spe_has_physical(void);

/**
 * v9_spe_act_physical - say what memory is where no tables say it
 * @permitted: firmware (MDCR_EL3.EnPMS4) and, for a kernel at EL1, the hypervisor
 *	(HDFGWTR2_EL2.nPMBMAR_EL1) let the kernel have PMBMAR_EL1; if not, it is not accessed
 *
 * After a reset. What the kernel's own mapping says: Normal, Write-Back, Inner Shareable.
 *
 * Return: a window may have physical addresses, or intermediate ones below a hypervisor.
 */
bool v9_spe_act_physical(bool permitted);

/**
 * v9_spe_act_start - start, or continue, from a stopped unit
 * @state: this CPU's
 * @values: what to sample
 * @regs: where to write, and where in the interval to go on
 * @wrote: the CPU filled in padding just before
 *
 * The same image on the same CPU again costs nothing but the window.
 */
void v9_spe_act_start(struct v9_spe_state *state, const struct v9_spe_reg_values *values,
		      const struct v9_spe_regs *regs, bool wrote);

/**
 * v9_spe_act_stop - stop, and wait until every record is in memory
 * @state: this CPU's
 * @regs: result; the status in it is the caller's to judge, none stays behind. Its
 *        pmblimitr is left alone: the window has not moved
 */
void v9_spe_act_stop(struct v9_spe_state *state, struct v9_spe_regs *regs);

/**
 * v9_spe_read_status - in the interrupt: see what happened
 * @regs: status and write pointer, with the records that count in memory
 */
void v9_spe_read_status(struct v9_spe_regs *regs);

/**
 * v9_spe_act_resume - in the interrupt: a new window, and run
 * @regs: the window; its status is 0
 * @wrote: the CPU filled in padding just before
 *
 * PMBSR_EL1.S must be set: it holds the unit while the window changes.
 */
void v9_spe_act_resume(const struct v9_spe_regs *regs, bool wrote);

/**
 * struct v9_trbe_regs - the registers of a trace buffer that move
 * @trbbaser: TRBBASER_EL1
 * @trbptr: TRBPTR_EL1
 * @trblimitr: TRBLIMITR_EL1, complete
 * @trbsr: TRBSR_EL1: 0 to start, TRG to have bytes counted, or the saved value to continue
 * @trbtrg: TRBTRG_EL1: how many bytes; 0 if TRBLIMITR_EL1.TM says ignore
 */
struct v9_trbe_regs {
	uint64_t trbbaser;
	uint64_t trbptr;
	uint64_t trblimitr;
	uint64_t trbsr;
	uint64_t trbtrg;
};

/**
 * struct v9_ete_state - what is known of a CPU's trace unit and buffer
 * @errata: V9_ERRATUM_* of the CPU
 * @ite: TRCITECR_EL1 is there and in reach
 * @held: what the registers hold that a session leaves as they are
 * @trbbaser: likewise
 * @trbsr: likewise
 * @known: @held can be trusted
 *
 * The caller sets @errata and @ite, the functions below the rest, which begins as 0.
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
 * v9_trbe_act_physical - as v9_spe_act_physical(), with TRBMAR_EL1, which needs no permission
 *
 * Return: likewise.
 */
bool v9_trbe_act_physical(void);

/**
 * v9_trbe_act_enable - give the unit a window
 * @state: this CPU's
 * @regs: the window
 * @wrote: the CPU filled in padding just before
 *
 * Tracing must be prohibited and the unit disabled.
 */
void v9_trbe_act_enable(struct v9_ete_state *state, const struct v9_trbe_regs *regs, bool wrote);

/**
 * v9_trbe_act_disable - take the window away, with every byte in memory
 * @state: this CPU's
 * @regs: result: pointer, counter and status. The status is the caller's to judge, and no
 *	event stays behind
 *
 * Tracing must be prohibited and TSB CSYNC done.
 */
void v9_trbe_act_disable(struct v9_ete_state *state, struct v9_trbe_regs *regs);

/**
 * v9_ete_read_id - read the ID registers of this CPU's trace unit and buffer
 * @id: result; registers that are absent or out of reach read as 0
 * @listed: firmware describes the trace unit, or the user does. Else its registers are left alone:
 *	EL3 may trap them (CPTR_EL3.TTA), and no register tells
 */
void v9_ete_read_id(struct v9_ete_id *id, bool listed);

/**
 * v9_ete_act_reset - turn trace unit and buffer off, whatever state they were left in
 * @state: this CPU's
 * @id: this CPU's, as looked at
 * @trace_id: for TRCTRACEIDR
 *
 * For a CPU that comes up: nearly every register is UNKNOWN then. Also writes
 * the registers that no session changes, and claims the unit first: a debugger that looks leaves
 * it alone until v9_ete_act_release().
 *
 * Return: false if the trace unit does not become idle, or if a debugger has it: then nothing of it
 * was written.
 */
bool v9_ete_act_reset(struct v9_ete_state *state, const struct v9_ete_id *id,
		      unsigned int trace_id);

/**
 * v9_ete_act_quiesce - the units are off, but registers may be UNKNOWN: lower the interrupt
 *
 * After a Warm reset TRBLIMITR_EL1.E is 0, and after a Trace unit reset TRCPRGCTLR.EN is 0. Before
 * the next start there has to be a reset.
 */
void v9_ete_act_quiesce(void);

/**
 * v9_ete_act_release - the trace unit is off, and not claimed any more
 */
void v9_ete_act_release(void);

/**
 * v9_ete_act_start - start, or continue, from a stopped unit
 * @state: this CPU's; registers that hold the right value are not written
 * @values: what to trace
 * @regs: where to write
 * @wrote: the CPU filled in padding just before
 *
 * Return: false if the trace unit does not start; it is off then.
 */
bool v9_ete_act_start(struct v9_ete_state *state, const struct v9_ete_reg_values *values,
		      const struct v9_trbe_regs *regs, bool wrote);

/**
 * v9_ete_act_stop - stop, and wait until every byte is in memory
 * @state: this CPU's; its TRCVICTLR then says whether a start point was passed last
 * @regs: result: pointer, counter and status. The status is the caller's to judge, and no
 *	event stays behind
 *
 * Return: false if the trace unit does not become idle: it must not be used again.
 */
bool v9_ete_act_stop(struct v9_ete_state *state, struct v9_trbe_regs *regs);

/**
 * v9_ete_read_moved - the unit was stopped: what have its resources come to?
 * @state: this CPU's
 * @values: that it ran with, whose resources are to be kept; result: begins there next time
 */
void v9_ete_read_moved(struct v9_ete_state *state, struct v9_ete_reg_values *values);

#endif
