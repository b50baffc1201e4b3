// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Reads all SPE records of a capture and passes them to a v9_taker. */
#include <inttypes.h>

#include "../util.h"
#include "report.h"

#define PROGRESS_EVERY	(1u << 18)

static void check_account(const struct v9_report *r)
{
	const struct v9_aux_sum *aux = &r->s.aux[V9_KIND_SPE];
	const uint64_t bytes = v9_spe_account_bytes(&r->acc) + aux->rounding;

	if (bytes != aux->bytes)
		v9_warn("%" PRIu64 " AUX bytes of %" PRIu64 " are not accounted for: please report it",
			aux->bytes - bytes, aux->bytes);
}

struct batch {
	struct v9_spe_rec rec[V9_BATCH];
	struct v9_sampled at[V9_BATCH];
	size_t n;
};

static void hand_over(const struct v9_taker *listener, struct batch *b)
{
	listener->take(listener->arg, b->at, b->n);
	b->n = 0;
}

void v9_report_records(struct v9_report *r, const struct v9_taker *listener, bool first)
{
	struct batch b = { .n = 0 };
	uint64_t n = 0;

	for (size_t i = 0; i < r->s.nr_queues; i++) {
		struct v9_queue *q = &r->s.queues[i];

		if (q->kind != V9_KIND_SPE)
			continue;
		if (!first)
			v9_session_rewind(q);
		while (v9_session_next(&r->s, q, &b.rec[b.n])) {
			if (!(++n % PROGRESS_EVERY))
				v9_progress("%" PRIu64 " records", n);
			if (listener->accepts && !listener->accepts(listener->arg, &b.rec[b.n]))
				continue;
			v9_session_place(&r->s, q, &b.rec[b.n], &b.at[b.n]);
			if (v9_filter_record(&r->o.filter, &r->s, &b.at[b.n]) && ++b.n == V9_BATCH)
				hand_over(listener, &b);
		}
		if (first)
			v9_account_add(&r->acc, v9_spe_dec_account(q->dec), 1);
	}
	hand_over(listener, &b);
	v9_progress_end();
	if (first)
		check_account(r);
}
