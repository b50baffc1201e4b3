// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Transactions in the trace. No PE of the tests has FEAT_TME: a test says that one begins, succeeds or fails
 * here. The instructions of a transaction that fails stay executed.
 */
#include "private.h"

void v9_tx_enabled(struct v9_model *m)
{
	v9_ete_tx_unresolved(m);
	m->ete.tx_ss = m->ete.ss;	/* ETE-R_ZBTPF */
	m->ete.tx_shot = false;
}

void v9_tx_begin(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	if (e->tx)
		return;			/* the outer transaction alone counts (ETE-R_MMCQD) */
	e->tx = true;
	v9_tx_enabled(m);
}

/* Transactional state ends. */
void v9_tx_end(struct v9_model *m, bool success)
{
	struct v9_ete_model *e = &m->ete;

	if (!e->tx)
		return;
	if (success) {
		v9_ete_put_tx_commit(m);
	} else {
		v9_ete_put_tx_failure(m);
		e->ss = e->tx_ss;	/* ETE-R_CYQZV */
		e->needs_block = e->need_addr = true;	/* ETE-R_HLRZJ */
		e->rs_n = 0;
		v9_place_drop(m);
	}
	e->tx = e->tx_traced = e->need_tx = false;
	if (e->tx_shot && success)
		e->sscc_pending = true;	/* ETE-R_SDDWY */
	e->tx_shot = false;
}
