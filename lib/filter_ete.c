// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Where to trace: filters of perf become address comparators.
 *
 * Comparators come in pairs. A range takes a pair, a point one comparator; the
 * ranges come first and the points behind them in the order of their addresses,
 * which the unit wants (ETE-R_XHFYQ). Both of a pair that is a range get the same
 * attributes (ETE-R_MXCGD).
 */
#include "v9trace/attr.h"
#include "v9trace/gen/regs.h"

#define SELECT_FALSE	0
#define SELECT_TRUE	1

static int refuse(const char **why, int err, const char *text)
{
	*why = text;
	return err;
}

static bool is_range(const struct v9_filter *f)
{
	return f->kind == V9_FILTER_INCLUDE || f->kind == V9_FILTER_EXCLUDE;
}

int v9_ete_judge_filters(const struct v9_ete_unit *unit, const struct v9_filter *filters,
			 unsigned int n, const char **why)
{
	unsigned int i, wanted = 0;

	for (i = 0; i < n; i++) {
		const struct v9_filter *f = &filters[i];

		wanted += is_range(f) ? 2 : 1;
		if (is_range(f) && !f->size)
			return refuse(why, -EINVAL, "a range of no bytes");
		if (!is_range(f) && f->size)
			return refuse(why, -EINVAL, "a start point with a size");
		if (f->size && f->addr + f->size - 1 < f->addr)
			return refuse(why, -EINVAL, "a range beyond the last address");
		if (!is_range(f) && (f->addr & 3))
			return refuse(why, -EINVAL, "a point that is no instruction's address");
	}
	if (wanted > unit->comparators)
		return refuse(why, -EOPNOTSUPP,
			      "more filters than address comparators (two for a range)");
	return 0;
}

/* Where a comparator matches: at EL0, or where the kernel runs. */
static uint64_t attributes(const struct v9_ete_unit *unit, bool kernel)
{
	uint64_t levels = V9_TRCVICTLR_EXLEVEL_S | V9_TRCVICTLR_EXLEVEL_NS;

	if (!kernel)
		levels &= ~V9_TRCVICTLR_EXLEVEL_NS_EL0;
	else if (unit->features & V9_TRACE_AT_EL2)
		levels &= ~V9_TRCVICTLR_EXLEVEL_NS_EL2;
	else
		levels &= ~V9_TRCVICTLR_EXLEVEL_NS_EL1;
	/* The bits of levels that the PE lacks are reserved. They stand where TRCIDR3 has them. */
	levels &= unit->id.trcidr[3];
	return V9_PUT(V9_TRCACATRn_EXLEVEL_S, V9_GET(V9_TRCVICTLR_EXLEVEL_S, levels)) |
	       V9_PUT(V9_TRCACATRn_EXLEVEL_NS, V9_GET(V9_TRCVICTLR_EXLEVEL_NS, levels));
}

static void put_ranges(const struct v9_ete_unit *unit, const struct v9_filter *filters,
		       unsigned int n, struct v9_ete_image *image)
{
	unsigned int i, at = 0;

	for (i = 0; i < n; i++) {
		const struct v9_filter *f = &filters[i];

		if (!is_range(f) || f->absent || !f->size)
			continue;
		image->acvr[at] = f->addr;
		image->acvr[at + 1] = f->addr + f->size - 1;	/* the last one is in it */
		image->acatr[at] = attributes(unit, f->kernel);
		image->acatr[at + 1] = image->acatr[at];
		image->reg[V9_ETE_IMAGE_TRCVIIECTLR] |=
			V9_PUT(f->kind == V9_FILTER_INCLUDE ? V9_TRCVIIECTLR_INCLUDE :
							      V9_TRCVIIECTLR_EXCLUDE,
			       V9_BIT(at / 2));
		at += 2;
	}
	image->comparators = at;
}

/* The next point in order of addresses, behind *@last if that is one. */
static const struct v9_filter *next_point(const struct v9_filter *filters, unsigned int n,
					  const struct v9_filter *last)
{
	const struct v9_filter *best = NULL;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct v9_filter *f = &filters[i];

		if (is_range(f) || f->absent)
			continue;
		if (last && f->addr <= last->addr)
			continue;
		if (!best || f->addr < best->addr)
			best = f;
	}
	return best;
}

/* The same point twice is one; one that starts and stops has no meaning. */
static bool contradicts(const struct v9_filter *filters, unsigned int n, const struct v9_filter *p)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!is_range(&filters[i]) && !filters[i].absent && filters[i].addr == p->addr &&
		    filters[i].kind != p->kind)
			return true;
	return false;
}

static int put_points(const struct v9_ete_unit *unit, const struct v9_filter *filters,
		      unsigned int n, struct v9_ete_image *image)
{
	const struct v9_filter *p = NULL;

	while ((p = next_point(filters, n, p))) {
		unsigned int at = image->comparators++;

		if (contradicts(filters, n, p))
			return -EINVAL;
		image->acvr[at] = p->addr;
		image->acatr[at] = attributes(unit, p->kernel);
		image->reg[V9_ETE_IMAGE_TRCVISSCTLR] |=
			V9_PUT(p->kind == V9_FILTER_START ? V9_TRCVISSCTLR_START :
							    V9_TRCVISSCTLR_STOP, V9_BIT(at));
	}
	return 0;
}

int v9_ete_encode_filters(const struct v9_ete_unit *unit, const struct v9_filter *filters,
			  unsigned int n, struct v9_ete_image *image, const char **why)
{
	uint64_t *reg = image->reg, *view = &reg[V9_ETE_IMAGE_TRCVICTLR];
	bool had_points = reg[V9_ETE_IMAGE_TRCVISSCTLR];
	unsigned int i, include = 0, start = 0;
	int err;

	reg[V9_ETE_IMAGE_TRCVIIECTLR] = 0;
	reg[V9_ETE_IMAGE_TRCVISSCTLR] = 0;
	put_ranges(unit, filters, n, image);
	err = put_points(unit, filters, n, image);

	for (i = 0; i < n; i++) {
		include += filters[i].kind == V9_FILTER_INCLUDE;
		start += filters[i].kind == V9_FILTER_START;
	}
	if (!had_points || !reg[V9_ETE_IMAGE_TRCVISSCTLR]) {
		*view |= V9_TRCVICTLR_SSSTATUS;
		if (start)
			*view &= ~V9_TRCVICTLR_SSSTATUS;
	}

	/* No range to include means everything to the unit; here it means nothing, yet. */
	*view &= ~V9_TRCVICTLR_EVENT_SEL;
	if (err || (include && !V9_GET(V9_TRCVIIECTLR_INCLUDE, reg[V9_ETE_IMAGE_TRCVIIECTLR])))
		*view |= V9_PUT(V9_TRCVICTLR_EVENT_SEL, SELECT_FALSE);
	else
		*view |= V9_PUT(V9_TRCVICTLR_EVENT_SEL, SELECT_TRUE);
	return err ? refuse(why, err, "a point that both starts and stops") : 0;
}
