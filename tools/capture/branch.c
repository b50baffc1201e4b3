// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "branch.h"

#include <v9trace/base.h>

#define INSN_MOST	15	/* bytes of an instruction, of any architecture */

/* Bits of the third word of an entry */
#define AT(word, bit, width)	((word) >> (bit) & ((UINT64_C(1) << (width)) - 1))
#define MISPRED(w)	AT(w, 0, 1)
#define PREDICTED(w)	AT(w, 1, 1)
#define IN_TX(w)	AT(w, 2, 1)
#define ABORT(w)	AT(w, 3, 1)
#define CYCLES(w)	AT(w, 4, 16)
#define TYPE(w)		AT(w, 20, 4)
#define SPEC(w)		AT(w, 24, 2)
#define NEW_TYPE(w)	AT(w, 26, 4)
#define PRIV(w)		AT(w, 30, 3)
#define NOT_TAKEN(w)	AT(w, 33, 1)	/* of perf alone: reserved in linux/perf_event.h */

void v9_branch_stack_decode(const uint8_t *p, struct v9_branch_rec *b)
{
	const uint64_t w = v9_load_le64(p + 16);

	*b = (struct v9_branch_rec){
		.from = v9_load_le64(p), .to = v9_load_le64(p + 8),
		.cycles = (uint16_t)CYCLES(w),
		.type = (uint8_t)TYPE(w),
		.pred = MISPRED(w) ? V9_BRANCH_MISPREDICTED :
			PREDICTED(w) ? V9_BRANCH_PREDICTED : V9_BRANCH_NOT_KNOWN,
		.spec = (uint8_t)SPEC(w), .priv = (uint8_t)PRIV(w),
		.in_tx = IN_TX(w), .abort = ABORT(w), .not_taken = NOT_TAKEN(w),
	};
	if (b->type == V9_BRANCH_T_EXTENDED)
		b->type = (uint8_t)(V9_BRANCH_T_FAULT_ALGN + NEW_TYPE(w));
}

static const struct {
	const char *name, *arm;
	enum v9_branch_role role;
} types[V9_BRANCH_TYPES] = {
	[V9_BRANCH_T_UNKNOWN] = { "unknown", NULL, V9_BRANCH_PLAIN },
	[V9_BRANCH_T_COND] = { "cond", NULL, V9_BRANCH_PLAIN },
	[V9_BRANCH_T_UNCOND] = { "uncond", NULL, V9_BRANCH_PLAIN },
	[V9_BRANCH_T_IND] = { "ind", NULL, V9_BRANCH_PLAIN },
	[V9_BRANCH_T_CALL] = { "call", NULL, V9_BRANCH_ENTERS },
	[V9_BRANCH_T_IND_CALL] = { "ind_call", NULL, V9_BRANCH_ENTERS },
	[V9_BRANCH_T_RET] = { "ret", NULL, V9_BRANCH_RETURNS },
	[V9_BRANCH_T_SYSCALL] = { "syscall", NULL, V9_BRANCH_ENTERS },
	[V9_BRANCH_T_SYSRET] = { "sysret", NULL, V9_BRANCH_RETURNS },
	[V9_BRANCH_T_COND_CALL] = { "cond_call", NULL, V9_BRANCH_ENTERS },
	[V9_BRANCH_T_COND_RET] = { "cond_ret", NULL, V9_BRANCH_RETURNS },
	[V9_BRANCH_T_ERET] = { "eret", NULL, V9_BRANCH_RETURNS },
	[V9_BRANCH_T_IRQ] = { "irq", NULL, V9_BRANCH_ENTERS },
	[V9_BRANCH_T_SERROR] = { "serror", NULL, V9_BRANCH_ENTERS },
	[V9_BRANCH_T_NO_TX] = { "no_tx", NULL, V9_BRANCH_PLAIN },
	[V9_BRANCH_T_FAULT_ALGN] = { "fault_algn", NULL, V9_BRANCH_ENTERS },
	[V9_BRANCH_T_FAULT_DATA] = { "fault_data", NULL, V9_BRANCH_ENTERS },
	[V9_BRANCH_T_FAULT_INST] = { "fault_inst", NULL, V9_BRANCH_ENTERS },
	[V9_BRANCH_T_ARCH_1] = { "arch_1", "fiq", V9_BRANCH_ENTERS },
	[V9_BRANCH_T_ARCH_2] = { "arch_2", "debug_halt", V9_BRANCH_ENTERS },
	[V9_BRANCH_T_ARCH_3] = { "arch_3", "debug_exit", V9_BRANCH_RETURNS },
	[V9_BRANCH_T_ARCH_4] = { "arch_4", "debug_inst", V9_BRANCH_ENTERS },
	[V9_BRANCH_T_ARCH_5] = { "arch_5", "debug_data", V9_BRANCH_ENTERS },
};

const char *v9_branch_type(unsigned int type, bool arm)
{
	if (type >= V9_BRANCH_TYPES || !types[type].name)
		return "reserved";
	return arm && types[type].arm ? types[type].arm : types[type].name;
}

enum v9_branch_role v9_branch_role(unsigned int type)
{
	return type < V9_BRANCH_TYPES ? types[type].role : V9_BRANCH_PLAIN;
}

bool v9_branch_returns_to(unsigned int type, uint64_t from, uint64_t to)
{
	const bool call = type == V9_BRANCH_T_CALL || type == V9_BRANCH_T_IND_CALL ||
			  type == V9_BRANCH_T_COND_CALL;

	return to - from <= INSN_MOST && (to != from || !call);
}
