// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sessions on CPUs of several types; see cpu_types.h.
 */
#include "v9trace/gen/regs.h"
#include "v9trace/cpu_types.h"

/* All values are powers of two or minimum sizes, so the larger one satisfies both types. */
static void enlarge(uint32_t *all, uint32_t one)
{
	if (*all < one)
		*all = one;
}

void v9_cpu_types_merge(struct v9_aux *all, const struct v9_aux *one)
{
	enlarge(&all->align, one->align);
	enlarge(&all->max_record, one->max_record);
	enlarge(&all->granule, one->granule);
	if (one->max && (!all->max || one->max < all->max))
		all->max = one->max;
	all->early &= one->early;
}

void v9_cpu_types_copy_state(struct v9_ete_reg_values *to, const struct v9_ete_reg_values *from)
{
	const uint64_t status = V9_TRCVICTLR_SSSTATUS;
	uint64_t *view = &to->reg[V9_ETE_REG_TRCVICTLR];
	unsigned int i;

	if (to->reg[V9_ETE_REG_TRCVISSCTLR])
		*view = (*view & ~status) | (from->reg[V9_ETE_REG_TRCVICTLR] & status);
	if (!from->res.keep || to->res.n != from->res.n ||
	    memcmp(to->res.reg, from->res.reg, from->res.n))
		return;
	for (i = 0; i < from->res.n; i++)
		if (v9_ete_res_moves(from->res.reg[i]))
			to->res.value[i] = from->res.value[i];
	to->reg[V9_ETE_REG_TRCRSR] = from->reg[V9_ETE_REG_TRCRSR];
}
