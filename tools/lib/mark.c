// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Mark: the state of a flow decoder on which its later output depends. Earlier output, counters and
 * cached code are not part of it. If the marks of two decoders are equal, both return the same for
 * all bytes that follow. Threads can thus decode the parts of a trace in parallel, with the result
 * of one decoder.
 */
#include <string.h>

#include "flow.h"

/* Words beyond V9_FLOW_MARK_WORDS are only counted. The mark is then not valid. */
static void put(struct v9_flow_mark *m, uint64_t word)
{
	if (m->n < V9_FLOW_MARK_WORDS)
		m->word[m->n] = word;
	m->n++;
}

static void put_context(struct v9_flow_mark *m, const struct v9_ete_context *ctx)
{
	put(m, (uint64_t)ctx->contextid << 32 | ctx->vmid);
	put(m, (uint64_t)ctx->el << 3 | (uint64_t)ctx->ns << 2 | (uint64_t)ctx->nse << 1 |
	       (uint64_t)ctx->sf);
}

static void put_insn(struct v9_flow_mark *m, const struct v9_insn *i)
{
	put(m, i->target);
	put(m, (uint64_t)i->kind << 16 | (uint64_t)i->flags << 8 | i->size);
}

static void put_record(struct v9_flow_mark *m, const struct v9_flow_rec *r)
{
	put(m, r->offset);
	put(m, r->start);
	put(m, r->end);
	put(m, r->value);
	put(m, r->last_addr);
	put_insn(m, &r->last);
	put_context(m, &r->ctx);
	put(m, (uint64_t)r->insns << 32 | r->cycles);
	put(m, (uint64_t)r->kind << 32 | (uint64_t)r->isa << 24 | (uint64_t)r->type << 16 |
	       (uint64_t)r->why << 8 | (uint64_t)r->taken << 2 | (uint64_t)r->addressed << 1 |
	       (uint64_t)r->counted);
}

static void put_element(struct v9_flow_mark *m, const struct v9_ete_elem *e)
{
	put(m, e->offset);
	put(m, e->addr);
	put_context(m, &e->ctx);
	put(m, e->count);
	put(m, (uint64_t)e->kind << 32 | (uint64_t)e->isa << 24 | (uint64_t)e->type << 16 |
	       (uint64_t)e->has << 8 | (uint64_t)e->taken);
}

/*
 * The elements of queue[i] up to @end, and their number. Each atom is put: how many of them an element
 * has can depend on the sizes of feeds.
 */
static void put_elements(struct v9_flow_mark *m, const struct v9_ete_dec *d, size_t i, size_t end)
{
	uint64_t n = 0;

	for (; i < end; i++) {
		struct v9_ete_elem e = d->queue[i];
		uint32_t left = e.kind == V9_EL_ATOM ? e.count : 1;

		for (; left; left--, n++) {
			struct v9_ete_elem one = e;

			if (e.kind == V9_EL_ATOM) {
				one.addr = e.addr & 1;
				one.count = 1;
				e.addr >>= 1;
			}
			put_element(m, &one);
		}
	}
	put(m, n);
}

static void put_packets(struct v9_flow_mark *m, const struct v9_ete_dec *d)
{
	const struct v9_ete_base *base = &d->pkt.base;

	for (unsigned int i = 0; i < sizeof(base->ahb) / sizeof(base->ahb[0]); i++) {
		put(m, base->ahb[i].addr);
		put(m, base->ahb[i].isa);
	}
	put(m, base->timestamp);
	put_context(m, &base->ctx);
	put(m, base->threshold);
	put(m, base->started);
	put(m, d->offset);
	put(m, (uint64_t)d->depth << 32 | d->queued);
	put_elements(m, d, d->head, d->pass);
	put_elements(m, d, d->pass, d->tail);
}

/*
 * Returns true if the state is complete: the position in the program is known, and no packet, Q
 * element or hit is incomplete or pending.
 */
static bool is_complete(const struct v9_flow *f)
{
	const struct v9_ete_dec *d = &f->ete;

	return !f->err && d->synced && d->informed && d->p == d->end && !d->zeros && !d->carried &&
	       !d->unseen && !d->done_atoms && f->hit == f->nr_hits && f->has_ctx && !f->q.pending &&
	       (f->has_addr || f->awaiting) && f->held != SIZE_MAX && f->head == 0;
}

bool v9_flow_mark(const struct v9_flow *f, struct v9_flow_mark *m)
{
	m->n = 0;
	if (!is_complete(f))
		return false;
	put_packets(m, &f->ete);
	put_context(m, &f->ctx);
	put(m, f->has_addr ? f->addr : 0);
	put(m, (uint64_t)f->doubt << 4 | (uint64_t)f->half << 3 | (uint64_t)f->has_addr << 2 |
	       (uint64_t)f->awaiting << 1 | (uint64_t)f->lost);
	/* The address behind a doubtful Trace On, if there was one */
	put(m, f->doubt > 1 ? f->resume.addr : 0);
	put(m, f->doubt > 1 ? f->resume.isa : 0);
	/* The entries of the return stack are only used if TRCCONFIGR.RS is set. */
	put(m, f->stacked ? f->entries : 0);
	for (unsigned int i = 1; f->stacked && i <= f->entries; i++) {
		const struct v9_ete_address *a =
			&f->stack[(f->top + V9_FLOW_STACK - i) % V9_FLOW_STACK];

		put(m, a->addr);
		put(m, a->isa);
	}
	put(m, f->held);
	put(m, f->mark);
	put(m, f->number.left);
	if (f->number.left) {
		put(m, f->number.value);
		put(m, f->number.at);
		put(m, f->number.branch);
	}
	for (size_t i = f->head; i < f->tail; i++)
		put_record(m, &f->out[i]);
	return m->n <= V9_FLOW_MARK_WORDS;
}

bool v9_flow_same_state(const struct v9_flow_mark *a, const struct v9_flow_mark *b)
{
	return a->n && a->n <= V9_FLOW_MARK_WORDS && a->n == b->n &&
	       !memcmp(a->word, b->word, a->n * sizeof(a->word[0]));
}
