/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * State of the PE that a trace or profiling unit may use. These are values only; the driver of
 * the model (the QEMU glue or a test) fills them in.
 */
#ifndef V9_MODEL_PE_H
#define V9_MODEL_PE_H

#include "v9trace/base.h"
#include "v9trace/routing.h"

/**
 * struct v9_pe_state - current state of the PE
 * @r: Exception level, Security state, controlling registers
 * @pc: address of the current instruction, for violations
 * @contextidr_el1: CONTEXTIDR_EL1
 * @contextidr_el2: CONTEXTIDR_EL2
 * @regime: a value that changes when the translation of the owner's buffer addresses changes,
 *	    e.g. a sum of TTBR1 without ASID, VTTBR_EL2, HCR_EL2 and MDCR_EL2.E2PB; 0 if not
 *	    provided. A change with undrained records is a violation.
 * @tbi: bit 0: data addresses with bit 55 clear have their top byte ignored;
 *       bit 1: those with bit 55 set
 * @sve_vq: SVE vector length in quadwords, 0 without SVE
 * @sme_vq: SME: Streaming SVE vector length in quadwords, 0 without SME
 * @oslk: the OS Lock is set: no trace
 * @pmovs: PMOVSCLR_EL0: overflow flags of the counters of the PMU
 * @pmu_counters: PMCR_EL0.N: number of event counters
 * @has_sel2: FEAT_SEL2: EL2 in Secure state, if there is an EL2
 * @t32: in AArch32 state: PSTATE.T, the instruction set is T32
 */
struct v9_pe_state {
	struct v9_route r;
	uint64_t pc;
	uint32_t contextidr_el1;
	uint32_t contextidr_el2;
	uint64_t regime;
	uint64_t pmovs;
	uint8_t pmu_counters;
	uint8_t tbi;
	uint8_t sve_vq;
	uint8_t sme_vq;
	bool oslk;
	bool has_sel2;
	bool t32;
};

/* Instruction sets */
enum v9_insn_set {
	V9_CODE_A64,
	V9_CODE_A32,
	V9_CODE_T32
};

/**
 * struct v9_pe_insn - the instruction about to execute
 * @pc: its address
 * @xt: operand of CBZ and TBZ: of A64 the value of X[op & 31] (0 for 31), of T32 that of R[op & 7]
 * @op: opcode. T32: of two bytes, or the first half word in bits 31:16
 * @nzcv: condition flags, N in bit 3 to V in bit 0
 * @code: enum v9_insn_set
 * @it: PSTATE.IT as the instruction finds it; 0 outside of IT blocks
 * @pred: of SVE and SME: the predicate register that bits 12:10 of the opcode name, a bit for each byte of a vector
 */
struct v9_pe_insn {
	uint64_t pc;
	uint64_t xt;
	uint32_t op;
	uint8_t nzcv;
	uint8_t code;
	uint8_t it;
	uint64_t pred[4];
};

/**
 * struct v9_exc - an exception that is being taken; the PE is still in its old state
 * @ret: preferred return address
 * @fault_va: faulting data address, valid if @has_va
 * @to_el: target Exception level
 * @sync: synchronous, so raised by an instruction; otherwise an interrupt or SError
 * @has_va: a synchronous data fault
 * @trapped: a control traps the call instruction (SVC, SMC), which was not executed
 * @esr: syndrome for ESR_ELx, if synchronous
 * @interrupt: enum v9_interrupt, if not synchronous
 * @debug: no exception but the entry to Debug state; @to_el is the current Exception level
 */
struct v9_exc {
	uint64_t ret;
	uint64_t fault_va;
	uint8_t to_el;
	bool sync;
	bool has_va;
	bool trapped;
	uint8_t interrupt;
	bool debug;
	uint32_t esr;
};

enum v9_interrupt {
	V9_INTERRUPT_IRQ,	/* also its virtual, NMI and superpriority forms */
	V9_INTERRUPT_FIQ,
	V9_INTERRUPT_SERROR,
	V9_INTERRUPT_PROFILING	/* Profiling exception: uses the synchronous vector */
};

/* Operations that order the unit with the PE */
enum v9_sync_kind {
	V9_SYNC_ISB,
	V9_SYNC_CSE,		/* others; the model calls it for exception entry and return */
	V9_SYNC_PSB,
	V9_SYNC_TSB,
	V9_SYNC_DSB,		/* a DSB that orders loads and stores */
	V9_SYNC_TLBI,
	V9_SYNC_TLBI_OTHER	/* broadcast from another PE, together with its DSB */
};

#endif
