// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers/lib/cpu_types.c: a window with the requirements of two CPU types is valid for both; and
 * the state that a session takes from one CPU type to the other.
 */
#include "tap.h"
#include "v9trace/gen/regs.h"
#include "v9trace/cpu_types.h"

/* Values of TRBIDR_EL1.Align and of the granule: SPE-PB1, TRBE-PT1 */
static const struct v9_aux kinds[] = {
	{ .align = 1, .max_record = 64, .granule = 4096, .early = true },
	{ .align = 64, .max_record = 64, .granule = 4096, .early = true },
	{ .align = 2048, .max_record = 2048, .granule = 4096, .early = true },
	{ .align = 1, .max_record = 64, .granule = 16384, .early = true },
	{ .align = 64, .max_record = 128, .granule = 65536, .early = false },
	/* A hypervisor may limit the size: TRBIDR_EL1.MaxBuffSize */
	{ .align = 64, .max_record = 64, .granule = 4096, .early = true, .max = 0x21000 },
	{ .align = 64, .max_record = 64, .granule = 16384, .early = true, .max = 0x40000 },
};

#define KINDS	V9_ARRAY_SIZE(kinds)

static bool suits(const struct v9_aux *kind, const struct v9_window *w)
{
	return w->ptr % kind->align == 0 && w->limit % kind->granule == 0 &&
	       w->limit - w->ptr >= kind->max_record && w->early % kind->align == 0 &&
	       (kind->early || !w->early) && (!kind->max || w->limit - w->base <= kind->max);
}

static void windows_suit_both(void)
{
	unsigned long bad = 0, windows = 0;

	for (size_t a = 0; a < KINDS; a++)
		for (size_t b = 0; b < KINDS; b++) {
			struct v9_aux all = kinds[a];

			v9_cpu_types_merge(&all, &kinds[b]);
			all.size = 1 << 19;
			all.twice = true;
			for (all.head = 0; all.head < 2 * all.size; all.head += 1021)
				for (all.free = 5000; all.free < all.size; all.free += 65521) {
					struct v9_window w;

					all.wakeup = all.head + all.free / 2;
					if (v9_plan_window(&all, &w))
						continue;
					windows++;
					bad += !suits(&kinds[a], &w) || !suits(&kinds[b], &w);
				}
		}
	tap_ok(windows > 100000 && !bad, "windows_suit_both");
}

static void order_does_not_matter(void)
{
	bool same = true;

	for (size_t a = 0; a < KINDS; a++)
		for (size_t b = 0; b < KINDS; b++) {
			struct v9_aux x = kinds[a], y = kinds[b];

			v9_cpu_types_merge(&x, &kinds[b]);
			v9_cpu_types_merge(&y, &kinds[a]);
			same &= !memcmp(&x, &y, sizeof(x));
		}
	tap_ok(same, "order_does_not_matter");
}

static struct v9_ete_reg_values image(bool points, unsigned int first)
{
	struct v9_ete_reg_values i = { .res = { .n = 3, .keep = true } };

	i.reg[V9_ETE_REG_TRCVISSCTLR] = points ? 0x10002 : 0;
	i.reg[V9_ETE_REG_TRCVICTLR] = 0x6001;
	i.res.reg[0] = first;
	i.res.reg[1] = V9_RES_SEQSTR;
	i.res.reg[2] = V9_RES_CNTVR + 1;
	return i;
}

static void start_point_goes_along(void)
{
	struct v9_ete_reg_values from = image(true, V9_RES_RSCTLR), to = from;

	from.reg[V9_ETE_REG_TRCVICTLR] |= V9_TRCVICTLR_SSSTATUS;
	to.reg[V9_ETE_REG_TRCVICTLR] = 0x5001;
	v9_cpu_types_copy_state(&to, &from);
	tap_ok(to.reg[V9_ETE_REG_TRCVICTLR] == (0x5001 | V9_TRCVICTLR_SSSTATUS),
	       "start_point_goes_along");
	from.reg[V9_ETE_REG_TRCVICTLR] &= ~V9_TRCVICTLR_SSSTATUS;
	v9_cpu_types_copy_state(&to, &from);
	tap_ok(to.reg[V9_ETE_REG_TRCVICTLR] == 0x5001, "stop_point_goes_along");
	to = image(false, V9_RES_RSCTLR);
	from.reg[V9_ETE_REG_TRCVICTLR] |= V9_TRCVICTLR_SSSTATUS;
	v9_cpu_types_copy_state(&to, &from);
	tap_ok(to.reg[V9_ETE_REG_TRCVICTLR] == 0x6001, "nothing_without_points");
}

/* State that hardware changes is copied; the selection of resources is not. */
static void counts_go_along(void)
{
	struct v9_ete_reg_values from = image(false, V9_RES_RSCTLR), to = from;

	from.res.value[0] = 9;
	to.res.value[0] = 7;
	from.res.value[1] = 2;
	from.res.value[2] = 12345;
	from.reg[V9_ETE_REG_TRCRSR] = 0x1302;
	/* Nothing is behind the last one. */
	from.res.reg[3] = V9_RES_CNTVR;
	from.res.value[3] = 5;
	v9_cpu_types_copy_state(&to, &from);
	tap_ok(to.res.value[0] == 7 && to.res.value[1] == 2 && to.res.value[2] == 12345 && !to.res.value[3] &&
	       to.reg[V9_ETE_REG_TRCRSR] == 0x1302, "counts_go_along");
	from.res.reg[0] = to.res.reg[0] = V9_RES_CNTVR;
	v9_cpu_types_copy_state(&to, &from);
	tap_ok(to.res.value[0] == 9, "first_count_goes_along");
	from.res.reg[0] = V9_RES_RSCTLR;
	to = image(false, V9_RES_RSCTLR + 1);
	v9_cpu_types_copy_state(&to, &from);
	tap_ok(!to.res.value[1] && !to.res.value[2], "other_resources_begin_anew");
	to = image(false, V9_RES_RSCTLR);
	from.res.keep = false;
	v9_cpu_types_copy_state(&to, &from);
	tap_ok(!to.res.value[1] && !to.res.value[2], "what_is_not_kept_begins_anew");
}

int main(void)
{
	windows_suit_both();
	order_does_not_matter();
	start_point_goes_along();
	counts_go_along();
	return tap_done();
}
