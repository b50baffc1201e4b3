/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Branch stacks of samples (PERF_SAMPLE_BRANCH_STACK): of BRBE, of x86's LBR, and those that perf
 * makes of a trace. The words are those of struct perf_branch_entry, the bits those of
 * linux/perf_event.h.
 */
#ifndef V9TRACE_CAPTURE_BRANCH_H
#define V9TRACE_CAPTURE_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define V9_BRANCH_CYCLES_MOST	0xffff	/* a counter that is at its limit */

/* The values of PERF_BR_*, then those of PERF_BR_NEW_* from V9_BRANCH_NEW on */
enum v9_stack_type {
	V9_BRANCH_T_UNKNOWN, V9_BRANCH_T_COND, V9_BRANCH_T_UNCOND, V9_BRANCH_T_IND,
	V9_BRANCH_T_CALL, V9_BRANCH_T_IND_CALL, V9_BRANCH_T_RET, V9_BRANCH_T_SYSCALL,
	V9_BRANCH_T_SYSRET, V9_BRANCH_T_COND_CALL, V9_BRANCH_T_COND_RET, V9_BRANCH_T_ERET,
	V9_BRANCH_T_IRQ, V9_BRANCH_T_SERROR, V9_BRANCH_T_NO_TX, V9_BRANCH_T_EXTENDED,
	V9_BRANCH_T_FAULT_ALGN, V9_BRANCH_T_FAULT_DATA, V9_BRANCH_T_FAULT_INST,
	V9_BRANCH_T_ARCH_1, V9_BRANCH_T_ARCH_2, V9_BRANCH_T_ARCH_3, V9_BRANCH_T_ARCH_4,
	V9_BRANCH_T_ARCH_5,
	V9_BRANCH_TYPES = V9_BRANCH_T_FAULT_ALGN + 16
};

enum v9_branch_pred { V9_BRANCH_NOT_KNOWN, V9_BRANCH_PREDICTED, V9_BRANCH_MISPREDICTED };

/* What a branch is in a chain of calls */
enum v9_branch_role { V9_BRANCH_PLAIN, V9_BRANCH_ENTERS, V9_BRANCH_RETURNS };

struct v9_branch_rec {
	uint64_t from, to;		/* 0: not known */
	uint16_t cycles;		/* since the record before it; 0: not known */
	uint8_t type;			/* enum v9_stack_type */
	uint8_t pred;			/* enum v9_branch_pred */
	uint8_t spec;			/* PERF_BR_SPEC_*: 0: not known */
	uint8_t priv;			/* PERF_BR_PRIV_*: 0: not known */
	bool in_tx, abort;
	bool not_taken;			/* perf sets it in stacks that it makes of an SPE trace */
};

/* Decodes an entry of PD_BRANCH_BYTES bytes. */
void v9_branch_stack_decode(const uint8_t *p, struct v9_branch_rec *b);

/* Returns the name of a type, lower case. @arm: that of Arm for PERF_BR_NEW_ARCH_*. */
const char *v9_branch_type(unsigned int type, bool arm);

enum v9_branch_role v9_branch_role(unsigned int type);

/*
 * Is @to where the return that belongs to the call or exception at @from goes? Behind the call, or,
 * for an exception, to the instruction itself or the next. An instruction has up to 15 bytes.
 */
bool v9_branch_returns_to(unsigned int type, uint64_t from, uint64_t to);

#endif
