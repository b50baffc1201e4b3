// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Q elements: one P0 element for several executed blocks, without what their branches did. Where
 * TRCCONFIGR.QE and TRCQCTLR permit them the unit takes them at random. A Q element is output when the address
 * behind it is needed, because that is traced with it (ETE-R_FZTZP).
 *
 * It ends before each change of the context, behind an ISB or an exception return, and before exceptions, which have
 * elements of their own (ETE-R_XWBMW, R_KPNGG). An exception return to where nothing is traced has no address, so that
 * it is not implied. It implies nothing outside the region where it is permitted (ETE-R_FPHFM, R_DTWYZ), although a
 * block of which one instruction is inside may be implied as a whole (R_RBPJF).
 */
#include "private.h"

#define WITHOUT_COUNT	2	/* TRCIDR0.QSUPP */
#define USUAL	16	/* most blocks of nearly all Q elements */
#define LONG	300

static unsigned int enabled(const struct v9_model *m)
{
	return V9_GET(V9_TRCCONFIGR_QE, m->seen[V9_R_TRCCONFIGR]);
}

static bool exact(const struct v9_model *m)
{
	return m->cfg.q_blocks >= 0;
}

/* As v9_maybe(), and never if a setting decides what happens. */
static bool maybe(struct v9_model *m, unsigned int n)
{
	return !exact(m) && v9_maybe(m, n);
}

/* Number of blocks of the next Q element; 0: there is none now */
static unsigned int choose(struct v9_model *m)
{
	if (exact(m))
		return m->cfg.q_blocks;
	if (!maybe(m, 4))
		return 0;
	return 1 + v9_random(m) % (maybe(m, 64) ? LONG : USUAL);
}

/* Without a count if the unit has no others, or at random. QE 01 permits only those with counts. */
static bool counted(struct v9_model *m)
{
	if (m->cfg.q_supp == WITHOUT_COUNT)
		return false;
	return enabled(m) == V9_TRCCONFIGR_QE_WITH_COUNT || !maybe(m, 4);
}

/* The unit makes an exception return part of a Q element. */
static bool implies_return(struct v9_model *m)
{
	return m->cfg.q_eret && m->ete.returns_traced && (exact(m) || v9_maybe(m, 2));
}

/* The Q element implies the next @n instructions, up to @end. */
static void add(struct v9_model *m, unsigned int n, uint64_t end, bool taken)
{
	struct v9_ete_model *e = &m->ete;

	e->q += n;
	v9_ete_log(m, e->cur, end, taken);
}

bool v9_q_block(struct v9_model *m, const struct v9_branch *b)
{
	struct v9_ete_model *e = &m->ete;
	const unsigned int all = v9_block_insns(e, e->cur, v9_branch_end(b));
	uint64_t end = e->cur;
	unsigned int n, i;

	if (!enabled(m))
		return false;
	if (e->q && (!e->q_left || e->need_ctx || e->need_on))
		v9_ete_put_held(m);
	n = v9_ete_q_permitted(m, e->cur, all);
	if (n == all && maybe(m, 8))
		n = v9_random(m) % all;
	else if (n == all && (b->flags & V9_OP_ERET) && !implies_return(m))
		n = 0;
	if (!n)
		return false;
	if (!e->q) {
		e->q_left = choose(m);
		if (!e->q_left)
			return false;
		e->q_counted = counted(m);
		e->q_alone = maybe(m, 4);
		v9_ete_prefix(m);
	}
	e->q_left--;
	for (i = 0; i < n; i++)
		end = v9_block_next(e, end);
	add(m, n, end, n == all && b->taken);
	if (n < all) {
		e->cur = end;
		v9_ete_put_held(m);
		return false;
	}
	e->q_open = v9_branch_is_indirect(b);
	if (v9_branch_synchronizes(b)) {
		e->q_synchronizes = true;
		e->q_left = 0;
	}
	return true;
}
