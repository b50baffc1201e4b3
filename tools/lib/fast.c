// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fast.h"

#include <string.h>

#define RUNS	128	/* maximum number per call of v9_ete_pkt_runs() */
#define AHEAD	1024	/* bytes per call: a run of atoms has no end of its own, and hits have */

void v9_fast_init(struct v9_flow *f)
{
	/* Placeholders without a P0 instruction: the fast path ends at them. */
	memset(f->no_block, 0, sizeof(f->no_block));
	for (unsigned int i = 0; i < 2; i++)
		f->no_block[i].stop = V9_STOP_NO_CODE;
	f->awaits = &f->no_block[0];
	f->nowhere = &f->no_block[1];
}

static struct v9_block *arrive(struct v9_flow *f, uint64_t addr, bool half)
{
	struct v9_block *b = v9_blocks_at(&f->blocks, addr, half);

	if (b)
		return b;
	/* The cache is full: save the position for the slow path. */
	f->addr = addr;
	f->half = half;
	f->has_addr = true;
	f->awaiting = false;
	return f->nowhere;
}

static void push(struct v9_flow *f, const struct v9_block *b)
{
	f->stack[f->top] = (struct v9_ete_address){ .addr = b->end, .isa = b->isa == V9_ISA_T32 };
	f->top = (uint8_t)((f->top + 1) % V9_FLOW_STACK);
	if (f->entries < V9_FLOW_STACK)
		f->entries++;
}

static struct v9_block *pop(struct v9_flow *f)
{
	const struct v9_ete_address *a;

	f->top = (uint8_t)((f->top + V9_FLOW_STACK - 1) % V9_FLOW_STACK);
	f->entries--;
	a = &f->stack[f->top];
	return arrive(f, a->addr, a->isa);
}

/*
 * Get the block after *at, to which *at has no pointer yet. If the target of a taken indirect
 * branch is awaited, *at becomes the block at the top of the return stack. Returns NULL if the slow
 * path has to decode the atom.
 */
static struct v9_block *follow(struct v9_flow *f, struct v9_block **at, bool taken)
{
	struct v9_block *b = *at, *next;
	bool half;

	if (b == f->awaits && f->stacked && f->entries) {
		b = *at = pop(f);
		if (b->next[taken])
			return b->next[taken];
	}
	if (b->stop != V9_STOP_P0)
		return NULL;
	/* The slow path counts unconditional A64 branches that were traced as not taken. */
	if (!taken && b->isa == V9_ISA_A64 && !(b->last.flags & V9_INSN_COND))
		return NULL;
	half = b->isa == V9_ISA_T32;
	if (taken && b->last.kind == V9_INSN_INDIRECT)
		next = f->awaits;
	else if (taken && b->last.kind == V9_INSN_DIRECT)
		next = arrive(f, b->last.target, half ^ !!(b->last.flags & V9_INSN_SWITCH));
	else
		next = arrive(f, b->end, half);
	if (f->stacked && taken && b->last.flags & V9_INSN_LINK) {
		push(f, b);
		return next;
	}
	if (next != f->nowhere)
		b->next[taken] = next;
	return next;
}

/* State of the fast path */
struct lane {
	struct v9_block *b;		/* the block to execute next */
	struct v9_flow_hit *h;
	const uint8_t *stop;		/* atom packet at which it stopped; NULL: none */
	uint8_t done;			/* decoded atoms of that packet */
	bool source;			/* the last hit is of a Source Address: no Mispredict corrects it */
};

/* Decode the atom packets from @p to @end. Returns false if it stopped before @end. */
static bool take_atoms(struct v9_flow *f, struct lane *l, const uint8_t *p, const uint8_t *end)
{
	const struct v9_flow_hit *last = f->hits + V9_FLOW_HITS - V9_ETE_ATOMS_MAX;
	struct v9_flow_hit *h = l->h;
	struct v9_block *b = l->b;
	uint64_t insns = 0;

	for (; p < end; p++) {
		const struct v9_ete_brief *a = &f->ete.brief[*p];
		const uint32_t where = (uint32_t)(p - f->hits_from);
		unsigned int bits = a->atoms, left = a->natoms;

		if (h > last) {
			l->stop = p;
			l->done = 0;
			break;
		}
		do {
			struct v9_block *next = b->next[bits & 1];

			if (__builtin_expect(!next, 0)) {
				struct v9_block *at_hand = b;

				next = follow(f, &at_hand, bits & 1);
				b = at_hand;
				if (!next) {
					l->stop = p;
					l->done = (uint8_t)(a->natoms - left);
					goto out;
				}
			}
			*h++ = (struct v9_flow_hit){ b, where, bits & 1 };
			insns += b->insns;
			b = next;
			bits >>= 1;
		} while (--left);
	}
out:
	f->counts.ranges += (uint64_t)(h - l->h);
	f->counts.insns += insns;
	l->h = h;
	l->b = b;
	return !l->stop;
}

static void account(struct v9_ete_dec *d, uint64_t atoms, uint64_t addresses, size_t bytes)
{
	d->acc.kinds[V9_ETE_ATOMS] += atoms;
	d->acc.kinds[V9_ETE_ADDRESS] += addresses;
	d->acc.packets += atoms + addresses;
	d->acc.packet_bytes += bytes;
	d->p += bytes;
	d->offset += bytes;
}

/* Decode up to RUNS runs, of AHEAD bytes. Returns false if the fast path ends in or after them. */
static bool take_lot(struct v9_flow *f, struct lane *l)
{
	struct v9_ete_dec *d = &f->ete;
	const struct v9_ete_base base = d->pkt.base;
	struct v9_ete_run runs[RUNS];
	const size_t left = (size_t)(d->end - d->p), ahead = left < AHEAD ? left : AHEAD;
	uint64_t atoms = 0;
	size_t nr, i, n, bytes;

	bytes = v9_ete_pkt_runs(&d->pkt, d->p, ahead, runs, RUNS, &nr);
	for (i = 0; i < nr; i++) {
		const struct v9_ete_run *r = &runs[i];
		const uint8_t *p = d->p + r->at;

		if (r->atoms && !take_atoms(f, l, p, p + r->atoms)) {
			atoms += (uint64_t)(l->stop - p);
			break;
		}
		atoms += r->atoms;
		if (r->size)
			l->b = arrive(f, r->addr, r->isa);
	}
	if (i == nr) {
		n = nr - (nr && !runs[nr - 1].size);
		account(d, atoms, n, bytes);
		return nr == RUNS || (ahead < left && bytes);
	}
	/* Restore the address history as it is at l->stop. */
	bytes = (size_t)(l->stop - d->p);
	d->pkt.base = base;
	v9_ete_pkt_runs(&d->pkt, d->p, ahead, runs, i, &n);
	account(d, atoms, n, bytes);
	d->done_atoms = l->done;
	return false;
}

/* Select the context in the cache. Returns the block at the current position. */
static struct v9_block *enter(struct v9_flow *f)
{
	v9_blocks_in(&f->blocks, &f->ctx);
	if (f->blocks.full || f->blocks.stale) {
		v9_blocks_flush(&f->blocks);
		v9_blocks_in(&f->blocks, &f->ctx);
	}
	return f->has_addr ? arrive(f, f->addr, f->half) : f->awaiting ? f->awaits : f->nowhere;
}

/* Save the position: execution has reached @b. The hits end at @end. */
static void leave(struct v9_flow *f, const struct v9_block *b, const struct v9_flow_hit *end)
{
	f->hit = 0;
	f->nr_hits = (size_t)(end - f->hits);
	if (f->nr_hits)
		f->lost = false;
	if (b == f->awaits) {
		f->has_addr = false;
		f->awaiting = true;
	} else if (b != f->nowhere) {
		f->addr = b->start;
		f->half = b->space & 1;
		f->has_addr = true;
		f->awaiting = false;
	}
}

bool v9_fast_run(struct v9_flow *f)
{
	struct v9_ete_dec *d = &f->ete;
	const uint8_t *from = d->p;
	struct lane l = { .h = f->hits };

	if (d->end - d->p > INT32_MAX)
		return false;
	f->hits_from = d->p;
	f->hits_at = d->offset;
	l.b = enter(f);
	while (take_lot(f, &l))
		;
	leave(f, l.b, l.h);
	return f->nr_hits || d->p != from;
}

/* The block after *b, for one atom. It may change *b or return NULL, as follow(). */
static struct v9_block *next_block(struct v9_flow *f, struct v9_block **b, bool taken)
{
	return (*b)->next[taken] ? (*b)->next[taken] : follow(f, b, taken);
}

/*
 * The direction of the branch at the end of the last hit was the other one. Returns the block that
 * follows it; NULL if the slow path has to decode that.
 */
static struct v9_block *correct(struct v9_flow *f, struct v9_flow_hit *h)
{
	struct v9_block *b = h->block, *next;

	if (b->last.kind != V9_INSN_DIRECT || b->last.flags & V9_INSN_LINK)
		return NULL;
	next = next_block(f, &b, !h->taken);
	if (next)
		h->taken ^= 1;
	return next;
}

/*
 * Take the elements from @e to @end. Returns the first that the slow path has to take, of which some atoms
 * can be taken already, or @end.
 */
static struct v9_ete_elem *take_elems(struct v9_flow *f, struct lane *l, struct v9_ete_elem *e,
				      const struct v9_ete_elem *end)
{
	const struct v9_flow_hit *last = f->hits + V9_FLOW_HITS - V9_ETE_ATOMS_MAX;
	struct v9_flow_hit *h = l->h;
	struct v9_block *b = l->b;
	uint64_t insns = 0;

	/* struct v9_flow_hit: an offset has 32 bits. */
	if (e < end && end[-1].offset - f->hits_at > UINT32_MAX)
		return e;
	for (; e < end; e++) {
		const uint32_t where = (uint32_t)(e->offset - f->hits_at);
		struct v9_block *next, *at_hand;

		if (e->kind == V9_EL_ATOM && h <= last) {
			uint64_t bits = e->addr;
			uint32_t left = e->count;

			do {
				next = b->next[bits & 1];
				if (__builtin_expect(!next, 0)) {
					at_hand = b;
					next = follow(f, &at_hand, bits & 1);
					b = at_hand;
					if (!next)
						break;
				}
				*h++ = (struct v9_flow_hit){ b, where, bits & 1 };
				insns += b->insns;
				b = next;
				bits >>= 1;
			} while (--left);
			if (left) {
				e->addr = bits;
				e->count = left;
				break;
			}
			l->source = false;
		} else if (e->kind == V9_EL_SOURCE && h <= last) {
			/* The branch at e->addr was taken. Those between here and there were not. */
			if (b->stop != V9_STOP_P0)
				break;
			at_hand = b->last_addr == e->addr ? b : v9_blocks_span(&f->blocks, b, e->addr);
			next = at_hand ? next_block(f, &at_hand, true) : NULL;
			if (!next)
				break;
			*h++ = (struct v9_flow_hit){ at_hand, where, true };
			insns += at_hand->insns;
			b = next;
			l->source = true;
		} else if (e->kind == V9_EL_ADDRESS && e->has & V9_ETE_HAS_ADDR) {
			b = arrive(f, e->addr, e->isa);
			f->entered = false;
		} else if (e->kind == V9_EL_MISPREDICT && h > f->hits && !l->source) {
			next = correct(f, h - 1);
			if (!next)
				break;
			b = next;
		} else if (e->kind != V9_EL_NONE) {
			break;
		}
	}
	f->counts.insns += insns;
	l->h = h;
	l->b = b;
	return e;
}

bool v9_fast_elems(struct v9_flow *f)
{
	struct lane l = { .b = enter(f), .h = f->hits };
	struct v9_ete_dec *d = &f->ete;
	bool any = false;

	f->hits_at = d->queue[d->head].offset;
	do {
		struct v9_ete_elem *const first = &d->queue[d->head];
		const struct v9_ete_elem *e, *end = &d->queue[d->pass];

		while (end > first && end[-1].offset >= d->until)
			end--;
		e = take_elems(f, &l, first, end);

		d->head += (size_t)(e - first);
		any |= e > first;
	} while (d->head == d->pass && v9_ete_dec_more(d));
	f->counts.ranges += (uint64_t)(l.h - f->hits);
	f->entered &= l.h == f->hits;
	f->source = l.source;
	leave(f, l.b, l.h);
	return any || l.h > f->hits;
}
