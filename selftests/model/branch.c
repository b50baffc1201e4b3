// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Branches and exceptions. See branch.h. */
#include <v9trace/ete.h>

#include "aarch32.h"
#include "branch.h"

static bool is_isb(enum v9_insn_set code, uint32_t op)
{
	return code == V9_CODE_A64 ? (op & 0xfffff0ff) == 0xd50330df : v9_aarch32_is_isb(code, op);
}

static bool is_wait(uint32_t op)
{
	return (op & 0xffffffdf) == 0xd503205f ||	/* WFE, WFI */
	       (op & 0xffffffc0) == 0xd5031000;		/* WFET, WFIT */
}

uint16_t v9_p0_flags(enum v9_insn_set code, uint32_t op, bool wait)
{
	struct v9_class c;

	if (code != V9_CODE_A64)
		return v9_aarch32_flags(code, op, wait);
	/* branches and system instructions have this value in bits 28:26 */
	if ((op & 0x1c000000) != 0x14000000)
		return V9_P0_NONE;
	if (is_isb(code, op) || (wait && is_wait(op)))
		return 0;
	c = v9_classify(op, 0, 0);
	if (!(c.flags & V9_OP_BRANCH) || (op & 0xfffffc1f) == 0xd6bf0000)	/* not DRPS */
		return V9_P0_NONE;
	return c.flags;
}

static uint64_t sign(uint64_t v, unsigned int bits)
{
	return (v ^ V9_BIT(bits - 1)) - V9_BIT(bits - 1);
}

static uint64_t direct_target(const struct v9_pe_insn *i, uint16_t flags)
{
	if (!(flags & V9_OP_BRANCH))
		return i->pc + v9_code_size(i->code, i->op);
	if (i->code != V9_CODE_A64)
		return v9_aarch32_target(i);
	if ((i->op & 0x7c000000) == 0x14000000)
		return i->pc + 4 * sign(i->op & 0x3ffffff, 26);
	if ((i->op & 0x7e000000) == 0x36000000)
		return i->pc + 4 * sign(i->op >> 5 & 0x3fff, 14);
	return i->pc + 4 * sign(i->op >> 5 & 0x7ffff, 19);
}

struct v9_branch v9_branch_hold(const struct v9_pe_insn *i, uint16_t flags)
{
	const struct v9_class c = { .flags = flags };
	const bool a64 = i->code == V9_CODE_A64;
	const bool taken = a64 ? v9_condition_holds(i, &c) : v9_aarch32_taken(i);

	return (struct v9_branch){
		.busy = true,
		.flags = flags,
		.isb = taken && is_isb(i->code, i->op),	/* ETE-R_LMDZV */
		.exchanges = !a64 && v9_aarch32_exchanges(i->code, i->op),
		.size = v9_code_size(i->code, i->op),
		.taken = taken,
		.pc = i->pc,
		.target = direct_target(i, flags),
	};
}

bool v9_branch_faulted(const struct v9_branch *b, const struct v9_exc *x)
{
	bool simple = b->flags && !(b->flags & (V9_OP_IND | V9_OP_ERET));

	return b->busy && x->sync && x->ret == b->pc && !simple;
}

/* EC values with more than one exception type, or another type if the instruction was trapped */
#define EC_SVC32	0x11
#define EC_SMC32	0x13
#define EC_SVC		0x15
#define EC_SMC		0x17
#define EC_GPC		0x1e
#define EC_GCS		0x2d

/* A Guarded Control Stack exception: EXTYPE in bits 23:20 of the syndrome */
static unsigned int gcs_type(uint32_t esr)
{
	switch (esr >> 20 & 0xf) {
	case 0:
		return V9_ETE_EXC_DATA_FAULT;	/* data check */
	case 1:
		return V9_ETE_EXC_INST_FAULT;	/* EXLOCK */
	default:
		return V9_ETE_EXC_TRAP;		/* GCSSTR, GCSSTTR */
	}
}

/*
 * Returns true for an SVC or SMC that a control traps, and which is therefore not a call. An SMC
 * is taken to EL2 only if it is trapped.
 */
static bool is_trapped_call(const struct v9_exc *x, unsigned int ec)
{
	if (ec == EC_SMC || ec == EC_SMC32)
		return x->trapped || x->to_el == 2;
	return (ec == EC_SVC || ec == EC_SVC32) && x->trapped;
}

/* ETE-R_MKPFJ, ETE-R_GZQKS: by the class in ESR_ELx */
unsigned int v9_exception_type(const struct v9_exc *x)
{
	static const uint8_t by_class[64] = {
		[0x0d] = V9_ETE_EXC_INST_FAULT,		/* branch target */
		[0x11] = V9_ETE_EXC_CALL, [0x12] = V9_ETE_EXC_CALL, [0x13] = V9_ETE_EXC_CALL,
		[0x15] = V9_ETE_EXC_CALL, [0x16] = V9_ETE_EXC_CALL, [0x17] = V9_ETE_EXC_CALL,
		[0x1c] = V9_ETE_EXC_DATA_FAULT,		/* pointer authentication */
		[0x20] = V9_ETE_EXC_INST_FAULT, [0x21] = V9_ETE_EXC_INST_FAULT,
		[0x22] = V9_ETE_EXC_ALIGNMENT, [0x26] = V9_ETE_EXC_ALIGNMENT,
		[0x24] = V9_ETE_EXC_DATA_FAULT, [0x25] = V9_ETE_EXC_DATA_FAULT,
		[0x2f] = V9_ETE_EXC_SERROR,
		[0x30] = V9_ETE_EXC_INST_DEBUG, [0x31] = V9_ETE_EXC_INST_DEBUG,
		[0x32] = V9_ETE_EXC_INST_DEBUG, [0x33] = V9_ETE_EXC_INST_DEBUG,
		[0x34] = V9_ETE_EXC_DATA_DEBUG, [0x35] = V9_ETE_EXC_DATA_DEBUG,
		[0x38] = V9_ETE_EXC_INST_DEBUG, [0x3c] = V9_ETE_EXC_INST_DEBUG,
		[0x3d] = V9_ETE_EXC_INST_DEBUG,		/* profiling */
	};
	static const uint8_t by_interrupt[] = {
		[V9_INTERRUPT_IRQ] = V9_ETE_EXC_IRQ, [V9_INTERRUPT_FIQ] = V9_ETE_EXC_FIQ,
		[V9_INTERRUPT_SERROR] = V9_ETE_EXC_SERROR,
		[V9_INTERRUPT_PROFILING] = V9_ETE_EXC_INST_DEBUG,
	};
	unsigned int ec = x->esr >> 26;

	if (x->debug)
		return V9_ETE_EXC_DEBUG_HALT;
	if (!x->sync)
		return by_interrupt[x->interrupt];
	if (ec == EC_GCS)
		return gcs_type(x->esr);
	if (ec == EC_GPC)	/* bit 20, InD: fault of an instruction fetch */
		return x->esr >> 20 & 1 ? V9_ETE_EXC_INST_FAULT : V9_ETE_EXC_DATA_FAULT;
	return !by_class[ec] || is_trapped_call(x, ec) ? V9_ETE_EXC_TRAP : by_class[ec];
}
