/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fast lane of flow.c: atoms and plain target addresses where nothing is in doubt. It makes
 * hits (see flow.h), the careful lane makes records; for the same bytes both say the same. Of a
 * unit that speculates packets become elements first, and those that stand go the same way.
 */
#ifndef V9TRACE_LIB_FAST_H
#define V9TRACE_LIB_FAST_H

#include "flow.h"

/* What packets of atoms say, asked once of the one who knows. */
void v9_fast_init(struct v9_flow *f);

/* May the fast lane begin here? Costs little; true does not promise that it comes far. */
static inline bool v9_fast_may(const struct v9_flow *f)
{
	const struct v9_ete_dec *d = &f->ete;

	/* Nothing in flight, nothing half read, and in sight a packet of the right kind. */
	return d->end - d->p >= V9_ETE_RUN_REACH && *d->p >= 0x90 && d->synced && d->informed &&
	       !d->zeros && !d->carried && d->head == d->tail && !d->depth && !d->unseen &&
	       !d->pkt.cfg.maxspec && !d->done_atoms && f->has_ctx && !f->q;
}

/* As far as it comes. The last hit may still be turned round by a Mispredict. */
bool v9_fast_run(struct v9_flow *f);

/* The same of a unit that speculates, with what stands. */
static inline bool v9_fast_may_elems(const struct v9_flow *f)
{
	return f->ete.pkt.cfg.maxspec && f->has_ctx && !f->q;
}

bool v9_fast_elems(struct v9_flow *f);

#endif
