// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Converts address filters of perf to address comparators.
 *
 * Comparators come in pairs. A range uses a pair, a point uses one comparator. Ranges come first,
 * then points in the order of their addresses, which the architecture requires (ETE-R_XHFYQ). Both
 * comparators of a range have the same attributes (ETE-R_MXCGD).
 */
#include "v9trace/attr.h"
#include "v9trace/gen/regs.h"

#define SELECT_FALSE	0

#define EVENT		(V9_TRCVICTLR_EVENT_TYPE | V9_TRCVICTLR_EVENT_SEL)

static int refuse(const char **why, int err, const char *text)
{
	*why = text;
	return err;
}

static bool is_range(const struct v9_filter *f)
{
	return f->type == V9_FILTER_INCLUDE || f->type == V9_FILTER_EXCLUDE;
}

int v9_ete_check_filters(const struct v9_ete_unit *unit, const struct v9_filter *filters,
			 unsigned int n, const char **why)
{
	unsigned int i, needed = 0;

	for (i = 0; i < n; i++) {
		const struct v9_filter *f = &filters[i];

		needed += is_range(f) ? 2 : 1;
		if (is_range(f) && !f->size)
			return refuse(why, -EINVAL, "a range of no bytes");
		if (!is_range(f) && f->size)
			return refuse(why, -EINVAL, "a start point with a size");
		if (f->size && f->addr + f->size - 1 < f->addr)
			return refuse(why, -EINVAL, "a range beyond the last address");
		/* The kernel is A64 code. Programs can have T32 code. */
		if (!is_range(f) && (f->addr & (f->kernel ? 3 : 1)))
			return refuse(why, -EINVAL, "a point that is no instruction's address");
	}
	if (needed > unit->comparators)
		return refuse(why, -EOPNOTSUPP,
			      "more filters than address comparators (two for a range)");
	return 0;
}

/* TRCACATR: match at EL0, or at the level of the kernel. */
static uint64_t attributes(const struct v9_ete_unit *unit, bool kernel)
{
	uint64_t levels = V9_TRCVICTLR_EXLEVEL_S | V9_TRCVICTLR_EXLEVEL_NS;

	if (!kernel)
		levels &= ~V9_TRCVICTLR_EXLEVEL_NS_EL0;
	else if (unit->features & V9_TRACE_AT_EL2)
		levels &= ~V9_TRCVICTLR_EXLEVEL_NS_EL2;
	else
		levels &= ~V9_TRCVICTLR_EXLEVEL_NS_EL1;
	/*
	 * Bits of levels that the PE does not implement are reserved. TRCIDR3 has the same layout.
	 */
	levels &= unit->id.trcidr[3];
	return V9_PUT(V9_TRCACATRn_EXLEVEL_S, V9_GET(V9_TRCVICTLR_EXLEVEL_S, levels)) |
	       V9_PUT(V9_TRCACATRn_EXLEVEL_NS, V9_GET(V9_TRCVICTLR_EXLEVEL_NS, levels));
}

/* Appends a comparator and returns its index. The count may exceed the number of the unit. */
static unsigned int put_comparator(struct v9_ete_reg_values *values, uint64_t addr, uint64_t attr)
{
	unsigned int at = values->comparators++;

	if (at < V9_ETE_COMPARATORS) {
		values->acvr[at] = addr;
		values->acatr[at] = attr;
	}
	return at;
}

/* Returns true if ranges of this type do not filter, but belong to bb_range or q_range. */
static bool is_for_option(const struct v9_ete_reg_values *values, uint8_t type)
{
	return type == V9_FILTER_INCLUDE ? values->bb == V9_ETE_BB_INCLUDED :
					   values->bb > V9_ETE_BB_INCLUDED;
}

static void put_ranges(const struct v9_ete_unit *unit, const struct v9_filter *filters,
		       unsigned int n, struct v9_ete_reg_values *values)
{
	uint64_t *reg = values->reg, attr, pair;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct v9_filter *f = &filters[i];

		if (!is_range(f) || f->absent || !f->size)
			continue;
		attr = attributes(unit, f->kernel);
		pair = V9_BIT(put_comparator(values, f->addr, attr) / 2);
		put_comparator(values, f->addr + f->size - 1, attr);	/* inclusive */
		/* RANGE is the same field in both registers. */
		if (is_for_option(values, f->type))
			reg[values->q ? V9_ETE_REG_TRCQCTLR : V9_ETE_REG_TRCBBCTLR] |=
				V9_PUT(V9_TRCBBCTLR_RANGE, pair);
		else if (f->type == V9_FILTER_INCLUDE)
			reg[V9_ETE_REG_TRCVIIECTLR] |= V9_PUT(V9_TRCVIIECTLR_INCLUDE, pair);
		else
			reg[V9_ETE_REG_TRCVIIECTLR] |= V9_PUT(V9_TRCVIIECTLR_EXCLUDE, pair);
	}
}

/* Broadcasting with no range selected is reserved (ETE-R_MHYFV): disable it instead. */
static void put_broadcast(struct v9_ete_reg_values *values)
{
	uint64_t *reg = values->reg;

	if (values->bb == V9_ETE_BB_EVERYWHERE || values->q)
		return;
	reg[V9_ETE_REG_TRCCONFIGR] |= V9_TRCCONFIGR_BB;
	if (values->bb == V9_ETE_BB_NOT_EXCLUDED)
		return;
	if (reg[V9_ETE_REG_TRCBBCTLR])
		reg[V9_ETE_REG_TRCBBCTLR] |= V9_TRCBBCTLR_MODE;
	else
		reg[V9_ETE_REG_TRCCONFIGR] &= ~V9_TRCCONFIGR_BB;
}

/* In include mode with no range there are no Q elements (D24.4.53). */
static void put_q(struct v9_ete_reg_values *values)
{
	if (values->q && values->bb != V9_ETE_BB_NOT_EXCLUDED)
		values->reg[V9_ETE_REG_TRCQCTLR] |= V9_TRCQCTLR_MODE;
}

/* A stop point that is used as a trigger does not stop tracing. */
static bool is_trigger(const struct v9_ete_reg_values *values, const struct v9_filter *f)
{
	return f->type == V9_FILTER_STOP && values->trigger == V9_ETE_TRIGGER_POINT;
}

/*
 * Returns the next point in the order of addresses, after *@last if that is not NULL. Points with
 * the same address are merged.
 */
static const struct v9_filter *next_point(const struct v9_filter *filters, unsigned int n,
					  const struct v9_ete_reg_values *values,
					  const struct v9_filter *last)
{
	const struct v9_filter *best = NULL;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct v9_filter *f = &filters[i];

		if (is_range(f) || f->absent || is_trigger(values, f))
			continue;
		if (last && f->addr <= last->addr)
			continue;
		if (!best || f->addr < best->addr)
			best = f;
	}
	return best;
}

/*
 * Returns true if another point has the same address, but another type: a point that both starts
 * and stops is invalid.
 */
static bool contradicts(const struct v9_filter *filters, unsigned int n, const struct v9_filter *p)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!is_range(&filters[i]) && !filters[i].absent && filters[i].addr == p->addr &&
		    filters[i].type != p->type)
			return true;
	return false;
}

static int put_points(const struct v9_ete_unit *unit, const struct v9_filter *filters,
		      unsigned int n, struct v9_ete_reg_values *values)
{
	bool triggers = values->trigger == V9_ETE_TRIGGER_POINT;
	const struct v9_filter *p = NULL;

	while ((p = next_point(filters, n, values, p))) {
		unsigned int at;

		if (!triggers && contradicts(filters, n, p))
			return -EINVAL;
		at = put_comparator(values, p->addr, attributes(unit, p->kernel));
		values->reg[V9_ETE_REG_TRCVISSCTLR] |=
			V9_PUT(p->type == V9_FILTER_START ? V9_TRCVISSCTLR_START :
							    V9_TRCVISSCTLR_STOP, V9_BIT(at));
	}
	return 0;
}

/* Append points that are triggers. They need no order. */
static void put_triggers(const struct v9_ete_unit *unit, const struct v9_filter *filters,
			 unsigned int n, struct v9_ete_reg_values *values)
{
	int at = v9_ete_res_find(&values->res, V9_RES_SSCCR);
	uint32_t points = 0;
	unsigned int i;

	if (at < 0)
		return;
	for (i = 0; i < n; i++)
		if (is_trigger(values, &filters[i]) && !filters[i].absent)
			points |= 1u << put_comparator(values, filters[i].addr,
						       attributes(unit, filters[i].kernel));
	if (values->trigger == V9_ETE_TRIGGER_ADDRESS)
		points |= 1u << put_comparator(values, values->address,
					       attributes(unit, values->address >> 63));
	values->res.value[at] = V9_TRCSSCCRn_RST | V9_PUT(V9_TRCSSCCRn_SAC, points);
}

/* Remove all references to comparators, because the unit does not have enough of them. */
static void forget_comparators(struct v9_ete_reg_values *values)
{
	int at = v9_ete_res_find(&values->res, V9_RES_SSCCR);

	values->reg[V9_ETE_REG_TRCVIIECTLR] = 0;
	values->reg[V9_ETE_REG_TRCVISSCTLR] = 0;
	values->reg[V9_ETE_REG_TRCBBCTLR] = 0;
	values->reg[V9_ETE_REG_TRCQCTLR] &= ~V9_TRCQCTLR_RANGE;
	if (at >= 0)
		values->res.value[at] = V9_TRCSSCCRn_RST;
	values->comparators = 0;
}

int v9_ete_encode_filters(const struct v9_ete_unit *unit, const struct v9_filter *filters,
			  unsigned int n, struct v9_ete_reg_values *values, const char **why)
{
	uint64_t *reg = values->reg, *view = &reg[V9_ETE_REG_TRCVICTLR];
	bool had_points = reg[V9_ETE_REG_TRCVISSCTLR];
	unsigned int i, include = 0, start = 0;
	int err;

	reg[V9_ETE_REG_TRCVIIECTLR] = 0;
	reg[V9_ETE_REG_TRCVISSCTLR] = 0;
	reg[V9_ETE_REG_TRCBBCTLR] = 0;
	reg[V9_ETE_REG_TRCQCTLR] = 0;
	values->comparators = 0;
	put_ranges(unit, filters, n, values);
	put_broadcast(values);
	put_q(values);
	err = put_points(unit, filters, n, values);
	if (err)
		refuse(why, err, "a point that both starts and stops");
	put_triggers(unit, filters, n, values);
	if (values->comparators > unit->comparators) {
		err = refuse(why, -EOPNOTSUPP, "the trigger leaves too few address comparators");
		forget_comparators(values);
	}

	for (i = 0; i < n; i++) {
		include += filters[i].type == V9_FILTER_INCLUDE &&
			   !is_for_option(values, V9_FILTER_INCLUDE);
		start += filters[i].type == V9_FILTER_START;
	}
	if (!had_points || !reg[V9_ETE_REG_TRCVISSCTLR]) {
		*view |= V9_TRCVICTLR_SSSTATUS;
		if (start)
			*view &= ~V9_TRCVICTLR_SSSTATUS;
	}

	/*
	 * With no range in TRCVIIECTLR.INCLUDE the unit traces everything. If there are include
	 * filters, but none is mapped, trace nothing.
	 */
	*view &= ~EVENT;
	if (err || (include && !V9_GET(V9_TRCVIIECTLR_INCLUDE, reg[V9_ETE_REG_TRCVIIECTLR])))
		*view |= SELECT_FALSE;
	else
		*view |= values->res.view;
	v9_ete_update_key(values);
	return err;
}
