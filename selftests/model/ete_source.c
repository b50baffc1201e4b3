// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Source Address elements. The unit may leave out the N Atoms of branches that are not taken: then it traces
 * the address of the next one that is taken, instead of its Atom (ETE-R_FWCQR, R_DCHPQ, R_WVBQW). It also
 * traces taken branches so that follow another P0 element (I_KDTRV). The N Atoms are held until it is known
 * whether such a branch follows before any other element.
 */
#include "private.h"

/* Returns true once in v9_config.source calls. */
static bool chosen(struct v9_model *m)
{
	return m->cfg.source && v9_random(m) % m->cfg.source == 0;
}

/* Outputs what has to precede the P0 element of a branch, unless N Atoms are held and nothing is due. */
static void prepare(struct v9_model *m)
{
	const struct v9_ete_model *e = &m->ete;

	if (!e->held || e->need_on || e->need_sync || e->need_ctx || e->need_addr || e->need_tx ||
	    e->lost)
		v9_ete_prefix(m);
}

bool v9_source_hold(struct v9_model *m, const struct v9_branch *b)
{
	if (b->taken || !chosen(m))
		return false;
	prepare(m);
	m->ete.held++;
	return true;
}

bool v9_source_put(struct v9_model *m, const struct v9_branch *b, bool broadcast)
{
	if (!b->taken || !chosen(m))
		return false;
	prepare(m);
	m->ete.held = 0;
	v9_ete_put_source(m, b->pc);
	if ((b->flags & V9_OP_CALL) && !broadcast)
		v9_ete_push(m, v9_branch_end(b));
	return true;
}
