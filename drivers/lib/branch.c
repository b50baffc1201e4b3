// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* See branch.h. */
#include "v9trace/branch.h"
#include "v9trace/brbe.h"

/* Table D19-2 and TYPE of BRBINF<n>_EL1 in the words of perf, which has none for a trap */
static const struct {
	uint8_t type;		/* enum v9_branch_type */
	uint8_t new_type;	/* enum v9_branch_new */
} types[] = {
	[V9_BRBINFn_EL1_TYPE_DIRECT] = { V9_BRANCH_TYPE_UNCOND, 0 },
	[V9_BRBINFn_EL1_TYPE_INDIRECT] = { V9_BRANCH_TYPE_IND, 0 },
	[V9_BRBINFn_EL1_TYPE_DIRECT_LINK] = { V9_BRANCH_TYPE_CALL, 0 },
	[V9_BRBINFn_EL1_TYPE_INDIRECT_LINK] = { V9_BRANCH_TYPE_IND_CALL, 0 },
	[V9_BRBINFn_EL1_TYPE_RETURN] = { V9_BRANCH_TYPE_RET, 0 },
	[V9_BRBINFn_EL1_TYPE_EXCEPTION_RETURN] = { V9_BRANCH_TYPE_ERET, 0 },
	[V9_BRBINFn_EL1_TYPE_CONDITIONAL] = { V9_BRANCH_TYPE_COND, 0 },
	[V9_BRBINFn_EL1_TYPE_DEBUG_HALT] = { V9_BRANCH_TYPE_NEW, V9_BRANCH_NEW_DEBUG_HALT },
	[V9_BRBINFn_EL1_TYPE_CALL] = { V9_BRANCH_TYPE_SYSCALL, 0 },
	[V9_BRBINFn_EL1_TYPE_TRAP] = { V9_BRANCH_TYPE_IRQ, 0 },
	[V9_BRBINFn_EL1_TYPE_SERROR] = { V9_BRANCH_TYPE_SERROR, 0 },
	[V9_BRBINFn_EL1_TYPE_INST_DEBUG] = { V9_BRANCH_TYPE_NEW, V9_BRANCH_NEW_INST_DEBUG },
	[V9_BRBINFn_EL1_TYPE_DATA_DEBUG] = { V9_BRANCH_TYPE_NEW, V9_BRANCH_NEW_DATA_DEBUG },
	[V9_BRBINFn_EL1_TYPE_ALIGNMENT] = { V9_BRANCH_TYPE_NEW, V9_BRANCH_NEW_ALIGNMENT },
	[V9_BRBINFn_EL1_TYPE_INST_FAULT] = { V9_BRANCH_TYPE_NEW, V9_BRANCH_NEW_INST_FAULT },
	[V9_BRBINFn_EL1_TYPE_DATA_FAULT] = { V9_BRANCH_TYPE_NEW, V9_BRANCH_NEW_DATA_FAULT },
	[V9_BRBINFn_EL1_TYPE_IRQ] = { V9_BRANCH_TYPE_IRQ, 0 },
	[V9_BRBINFn_EL1_TYPE_FIQ] = { V9_BRANCH_TYPE_NEW, V9_BRANCH_NEW_FIQ },
	[V9_BRBINFn_EL1_TYPE_DEBUG_EXIT] = { V9_BRANCH_TYPE_NEW, V9_BRANCH_NEW_DEBUG_EXIT },
};

/* BRBE-BC3: exponent and mantissa */
uint32_t v9_branch_cycles(uint64_t inf)
{
	unsigned int e = V9_GET(V9_BRBINFn_EL1_CC_EXPONENT, inf);
	uint32_t m = V9_GET(V9_BRBINFn_EL1_CC_MANTISSA, inf);

	if (inf & V9_BRBINFn_EL1_CCU)
		return 0;
	if (!e)
		return m;
	/* A counter of 20 bits needs exponents up to 12. All ones: it has overflowed. */
	return e <= 23 ? (0x100 + m) << (e - 1) : V9_CYCLES_OVERFLOW;
}

void v9_branch_decode(const struct v9_branch_regs *rec, uint64_t branch, struct v9_branch_entry *b)
{
	bool source = rec->inf & V9_BRBINFn_EL1_VALID_SOURCE;
	bool target = rec->inf & V9_BRBINFn_EL1_VALID_TARGET;
	unsigned int type = V9_GET(V9_BRBINFn_EL1_TYPE, rec->inf);
	uint32_t cycles = v9_branch_cycles(rec->inf);

	/* BRBE-BR2: what a half record lacks reads as 0 */
	*b = (struct v9_branch_entry){ .from = source ? rec->src : 0, .to = target ? rec->tgt : 0 };
	if (!(branch & V9_BRANCH_NO_CYCLES)) {
		b->saturated = cycles > V9_CYCLES_MAX;
		b->cycles = b->saturated ? V9_CYCLES_MAX : cycles;
	}
	if (source && !(branch & V9_BRANCH_NO_FLAGS)) {
		b->mispred = rec->inf & V9_BRBINFn_EL1_MPRED;
		b->predicted = !b->mispred;
	}
	if (type < V9_ARRAY_SIZE(types)) {
		b->type = types[type].type;
		b->new_type = types[type].new_type;
	}
	if (target && branch & V9_BRANCH_PRIV_SAVE)
		b->priv = V9_GET(V9_BRBINFn_EL1_EL, rec->inf) == V9_BRBINFn_EL1_EL_EL0 ?
			  V9_BRANCH_PRIV_USER : V9_BRANCH_PRIV_KERNEL;
}

/*
 * Without freezes the kernel is a prohibited region: its branches change nothing, and a pause of
 * the driver is in time. With freezes the kernel is recorded, the handler itself, too.
 * BRBE-BZ6: PAUSED is set before the overflow can be read.
 */
enum v9_branch_validity v9_branch_check(uint64_t brbfcr, bool freezes, uint64_t age,
					uint32_t max_age, uint64_t hz)
{
	if (!freezes)
		return V9_BRANCHES_PAUSED;
	if (!(brbfcr & V9_BRBFCR_EL1_PAUSED))
		return V9_BRANCHES_RUN_ON;
	return age > max_age * hz / 1000000 ? V9_BRANCHES_STALE : V9_BRANCHES_FROZEN;
}

uint64_t v9_branch_period(uint64_t period, uint64_t ns, uint64_t hz)
{
	const uint64_t wanted = UINT64_C(1000000000) / hz;
	uint64_t next;

	if (ns / 8 >= wanted)
		next = period / 8;
	else if (wanted / 8 >= ns)
		next = period * 8;
	else
		next = period * wanted / ns;
	if (next < V9_PERIOD_MIN)
		return V9_PERIOD_MIN;
	return next < V9_PERIOD_MAX ? next : V9_PERIOD_MAX;
}
