/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fast path of flow.c, for atoms and Target Address packets without context while the state is
 * complete. It produces hits (struct v9_flow_hit), the slow path produces records. For the same
 * bytes both produce the same ranges. If the unit traces speculatively (TRCIDR8.MAXSPEC is not 0),
 * packets are decoded to elements first, and the fast path uses the committed elements.
 */
#ifndef V9TRACE_LIB_FAST_H
#define V9TRACE_LIB_FAST_H

#include "flow.h"

/* Set up the blocks at which the fast path ends. */
void v9_fast_init(struct v9_flow *f);

/* Quick check. If it returns true, v9_fast_run() may still decode nothing. */
static inline bool v9_fast_may(const struct v9_flow *f)
{
	const struct v9_ete_dec *d = &f->ete;

	/*
	 * No uncommitted element, no incomplete packet, no limit, and a header of an address, Q or
	 * atom packet.
	 */
	return d->end - d->p >= V9_ETE_RUN_REACH && *d->p >= 0x90 && d->synced && d->informed &&
	       !d->zeros && !d->carried && d->head == d->tail && !d->depth && !d->unseen &&
	       !d->pkt.cfg.maxspec && d->until == UINT64_MAX && !d->done_atoms && f->has_ctx &&
	       !f->q.pending && !f->number.left;
}

/*
 * Decode packets to hits. Returns true if anything was decoded. A Mispredict may still invert the
 * last hit.
 */
bool v9_fast_run(struct v9_flow *f);

/*
 * The fast path of a unit that traces speculatively: v9_fast_elems() converts committed elements to
 * hits. Returns true if anything was decoded.
 */
static inline bool v9_fast_may_elems(const struct v9_flow *f)
{
	return f->ete.pkt.cfg.maxspec && f->has_ctx && !f->q.pending && !f->number.left && !f->doubt;
}

bool v9_fast_elems(struct v9_flow *f);

#endif
