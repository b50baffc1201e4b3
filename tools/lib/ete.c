// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ete.h"

const char *const v9_ete_skip_why[V9_ETE_SKIPS] = {
	[V9_ETE_SKIP_START]	= "before the first synchronization",
	[V9_ETE_SKIP_RESERVED]	= "reserved packet",
	[V9_ETE_SKIP_PROTOCOL]	= "impossible order of packets",
	[V9_ETE_SKIP_NO_INFO]	= "no trace info after synchronization",
	[V9_ETE_SKIP_GAP]	= "packet cut by a gap",
	[V9_ETE_SKIP_CUT]	= "packet cut at the end",
};

#define ASYNC_ZEROS	(V9_ETE_ASYNC_SIZE - 1)
#define ASYNC_END	0x80

/* Limit of uncommitted elements. No unit has so many; more mean that the stream is corrupt. */
#define QUEUE_MAX	(1u << 16)

#define NUMBER_MAX	0x7f	/* largest number of a packet whose number has one byte */

uint64_t v9_ete_account_bytes(const struct v9_ete_account *a)
{
	uint64_t sum = a->packet_bytes + a->padding;

	for (unsigned int i = 0; i < V9_ETE_SKIPS; i++)
		sum += a->skipped[i];
	return sum;
}

/* Fill the table of headers, with v9_ete_pkt_decode(). */
static void init_brief(struct v9_ete_dec *d)
{
	struct v9_ete_pktdec dec = d->pkt;
	struct v9_ete_pkt pkt;

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(d->brief); i++) {
		const uint8_t bytes[V9_ETE_PKT_MAX] = { (uint8_t)i, 1 };
		const int size = v9_ete_pkt_decode(&dec, bytes, sizeof(bytes), &pkt);
		struct v9_ete_brief *b = &d->brief[i];

		b->least = NUMBER_MAX + 1;
		if (pkt.kind == V9_ETE_TIMESTAMP || pkt.kind == V9_ETE_EXCEPTION || pkt.kind == V9_ETE_SOURCE)
			b->kind = pkt.kind;
		if (size < 0 || (pkt.kind == V9_ETE_ADDRESS && pkt.has & V9_ETE_HAS_CTX))
			continue;
		switch (pkt.kind) {
		case V9_ETE_ATOMS:
			b->least = 0;
			break;
		case V9_ETE_COMMIT:
			b->least = 1;
			d->commit = (uint8_t)i;
			break;
		case V9_ETE_CANCEL:
		case V9_ETE_MISPREDICT:
			/* In a packet of two bytes the second has the number. */
			b->cancel = size == 1 ? (uint8_t)pkt.cancel : 0;
			b->mispredict = pkt.kind == V9_ETE_MISPREDICT || pkt.mispredict;
			break;
		case V9_ETE_ADDRESS:
			break;
		default:
			continue;
		}
		b->atoms = pkt.atoms;
		b->natoms = pkt.natoms;
		b->kind = pkt.kind;
	}
}

void v9_ete_dec_reset(struct v9_ete_dec *d, const struct v9_ete_config *cfg)
{
	memset(d, 0, sizeof(*d));
	v9_ete_pktdec_init(&d->pkt, cfg);
	d->until = UINT64_MAX;
	init_brief(d);
}

void v9_ete_dec_free(struct v9_ete_dec *d)
{
	free(d->queue);
	d->queue = NULL;
	d->head = d->pass = d->tail = d->room = 0;
}

/* ---- queue of uncommitted elements */

/* Returns the number of P0 elements that @e stands for. */
static uint32_t p0s(const struct v9_ete_dec *d, const struct v9_ete_elem *e)
{
	if (e->kind == V9_EL_ATOM)
		return e->count;
	return (e->kind > V9_EL_ATOM && e->kind <= V9_EL_Q) ||
	       (e->kind == V9_EL_TX_START && !d->pkt.cfg.commtrans);
}

/*
 * Returns true if a Cancel or Discard removes the element. Events, timestamps and cycle counts are
 * not removed (R_SPBCG).
 */
static bool dies(const struct v9_ete_elem *e)
{
	return e->kind >= V9_EL_ATOM && e->kind <= V9_EL_MISPREDICT;
}

/*
 * A Trace On waits for the P0 element that follows it to be committed: if that is cancelled, the
 * Trace On may be of a wrong path, too (I_GPQZW).
 */
static bool waits(const struct v9_ete_dec *d, const struct v9_ete_elem *e)
{
	return p0s(d, e) || (e->kind == V9_EL_TRACE_ON && d->pkt.cfg.maxspec);
}

/* Release the elements that are older than all uncommitted P0 elements. */
static void release_committed(struct v9_ete_dec *d)
{
	if (d->unseen)
		return;
	while (d->pass < d->tail && !waits(d, &d->queue[d->pass]))
		d->pass++;
}

/* Make room for @n more elements. Returns false, with d->err set, if there is no memory. */
static bool reserve(struct v9_ete_dec *d, size_t n)
{
	struct v9_ete_elem *queue;
	size_t room = d->room ? d->room : 64;

	if (d->room - d->tail >= n)
		return true;
	while (room - d->tail < n)
		room *= 2;
	queue = realloc(d->queue, room * sizeof(*d->queue));
	if (!queue) {
		d->err = -ENOMEM;
		return false;
	}
	d->queue = queue;
	d->room = room;
	return true;
}

static struct v9_ete_elem *put(struct v9_ete_dec *d, uint8_t kind, uint64_t at)
{
	struct v9_ete_elem *e;

	/* The spill is never read: v9_ete_dec_next() returns -ENOMEM from now on. */
	if (d->tail == d->room && !reserve(d, 1))
		return &d->spill;
	e = &d->queue[d->tail++];
	*e = (struct v9_ete_elem){ .kind = kind, .offset = at };
	return e;
}

static void drop_unresolved(struct v9_ete_dec *d)
{
	size_t i = d->pass;

	/* What only a Trace On holds back is not after an uncommitted element. */
	while (!d->unseen && i < d->tail && !p0s(d, &d->queue[i]))
		i++;
	for (; i < d->tail; i++)
		if (dies(&d->queue[i]))
			d->queue[i].kind = V9_EL_NONE;
	d->acc.uncommitted += d->queued;
	d->queued = 0;
	d->unseen = 0;
	d->depth = 0;
	d->pass = d->tail;
}

static void lost(struct v9_ete_dec *d, enum v9_ete_skip why, uint64_t at)
{
	drop_unresolved(d);
	put(d, V9_EL_LOSS, at)->type = why;
	d->pass = d->tail;
	d->acc.skips[why]++;
	d->informed = false;		/* the Trace Info packet resets d->pkt */
}

static void lose_sync(struct v9_ete_dec *d, enum v9_ete_skip why, uint64_t at)
{
	lost(d, why, at);
	d->synced = false;
	d->why = why;
}

/* Split queue[i]: the oldest @n atoms stay in it, the others become the element behind it. */
static bool split(struct v9_ete_dec *d, size_t i, uint32_t n)
{
	struct v9_ete_elem *e;

	if (!reserve(d, 1))
		return false;
	e = &d->queue[i];
	memmove(e + 1, e, (d->tail - i) * sizeof(*e));
	d->tail++;
	e[0].count = n;
	e[1].count -= n;
	e[1].addr >>= n;
	return true;
}

/* R_PNBGQ: commit the oldest @n P0 elements. Returns false if there are fewer. */
static bool commit(struct v9_ete_dec *d, uint32_t n)
{
	const uint32_t unseen = n < d->unseen ? n : d->unseen;
	const bool enough = n - unseen <= d->queued;

	d->unseen -= unseen;
	d->depth -= n < d->depth ? n : d->depth;
	n = enough ? n - unseen : d->queued;
	d->queued -= n;
	while (n && !d->err) {
		uint32_t p0 = p0s(d, &d->queue[d->pass]);

		if (p0 > n) {
			if (!split(d, d->pass, n))
				return false;
			p0 = n;
		}
		d->pass++;
		n -= p0;
	}
	release_committed(d);
	return enough;
}

/* Returns the index behind the last P0 element before @i, or d->pass. */
static size_t behind_p0(const struct v9_ete_dec *d, size_t i)
{
	while (i > d->pass && !p0s(d, &d->queue[i - 1]))
		i--;
	return i;
}

/* R_WLTNX: cancel the youngest @n P0 elements. Returns false if there are fewer. */
static bool cancel(struct v9_ete_dec *d, uint32_t n)
{
	struct v9_ete_elem *const oldest = &d->queue[d->pass], *e = &d->queue[d->tail];
	uint32_t left = n;

	d->depth -= n < d->depth ? n : d->depth;
	d->acc.cancelled += n;
	while (left && e > oldest) {
		const uint32_t p0 = p0s(d, --e);

		if (p0 > left) {
			e->count -= left;
			left = 0;
			e++;
			break;
		}
		left -= p0;
		if (dies(e) && e + 1 == &d->queue[d->tail])
			d->tail--;
		else if (dies(e))
			e->kind = V9_EL_NONE;
	}
	d->queued -= n - left;
	for (; e > oldest && !p0s(d, e - 1); e--)
		if (e[-1].kind == V9_EL_TRACE_ON)
			e[-1].type = V9_ETE_DOUBTFUL;
	if (left > d->unseen)
		return false;
	d->unseen -= left;
	return true;
}

/* What followed the Atom that is corrected is of the wrong path. */
static void put_mispredict(struct v9_ete_dec *d, uint64_t at)
{
	for (size_t i = behind_p0(d, d->tail); i < d->tail; i++)
		if (d->queue[i].kind == V9_EL_TRACE_ON)
			d->queue[i].kind = V9_EL_NONE;
	put(d, V9_EL_MISPREDICT, at);
}

/*
 * Add a P0 element. The caller then calls limit_depth(): beyond MAXSPEC the oldest are committed
 * implicitly (R_YKLRM).
 */
static struct v9_ete_elem *put_p0(struct v9_ete_dec *d, uint8_t kind, uint64_t at)
{
	d->queued++;
	d->depth++;
	return put(d, kind, at);
}

static bool limit_depth(struct v9_ete_dec *d)
{
	const uint32_t most = d->pkt.cfg.maxspec;

	return d->depth <= most || commit(d, d->depth - most);
}

/* ---- packets to elements */

static void put_address(struct v9_ete_dec *d, const struct v9_ete_pkt *pkt, uint64_t at)
{
	struct v9_ete_elem *e = put(d, V9_EL_ADDRESS, at);

	e->addr = pkt->addr;
	e->isa = pkt->isa;
	e->has = pkt->has & V9_ETE_HAS_ADDR;
}

static void put_context(struct v9_ete_dec *d, const struct v9_ete_pkt *pkt, uint64_t at)
{
	if (pkt->has & V9_ETE_HAS_CTX || pkt->kind == V9_ETE_CONTEXT)
		put(d, V9_EL_CONTEXT, at)->ctx = pkt->ctx;
}

static void put_timestamp(struct v9_ete_dec *d, const struct v9_ete_pkt *pkt, uint64_t at)
{
	struct v9_ete_elem *e = put(d, V9_EL_TIMESTAMP, at);

	e->addr = pkt->timestamp;
	e->count = pkt->count;
	e->has = pkt->has & V9_ETE_HAS_COUNT;
}

/* Add the oldest @n of @atoms, not 0. */
static void put_p0_atoms(struct v9_ete_dec *d, uint32_t atoms, uint32_t n, uint64_t at)
{
	struct v9_ete_elem *e = put(d, V9_EL_ATOM, at);

	if (d->err)
		return;
	e->addr = atoms;
	e->count = n;
	d->queued += n;
	d->depth += n;
}

static bool put_atoms(struct v9_ete_dec *d, const struct v9_ete_pkt *pkt, uint64_t at)
{
	const unsigned int done = d->done_atoms;

	d->done_atoms = 0;
	if (pkt->natoms > done)
		put_p0_atoms(d, pkt->atoms >> done, pkt->natoms - done, at);
	return limit_depth(d);
}

static void put_exception(struct v9_ete_dec *d, const struct v9_ete_pkt *pkt, uint64_t at)
{
	struct v9_ete_elem *e;

	if (pkt->target_first)
		put_address(d, pkt, at);
	put_context(d, pkt, at);
	if (pkt->type == V9_ETE_EXC_TX_FAILURE)
		e = put(d, V9_EL_TX_FAILURE, at);
	else
		e = put_p0(d, V9_EL_EXCEPTION, at);
	e->type = pkt->type;
	e->addr = pkt->addr;
	e->isa = pkt->isa;
	e->has = pkt->has & V9_ETE_HAS_ADDR;
}

static void put_source(struct v9_ete_dec *d, const struct v9_ete_pkt *pkt, uint64_t at)
{
	struct v9_ete_elem *e = put_p0(d, V9_EL_SOURCE, at);

	e->addr = pkt->addr;
	e->isa = pkt->isa;
}

static void put_q(struct v9_ete_dec *d, const struct v9_ete_pkt *pkt, uint64_t at)
{
	struct v9_ete_elem *e = put_p0(d, V9_EL_Q, at);

	e->count = pkt->count;
	e->has = pkt->has & V9_ETE_HAS_COUNT;
}

/*
 * Each Trace Info has the number of uncommitted P0 elements. If it differs from the decoder's
 * number, packets are missing.
 */
static void take_info(struct v9_ete_dec *d, const struct v9_ete_pkt *pkt, uint64_t at)
{
	if (d->informed && d->depth != pkt->spec) {
		const struct v9_ete_base base = d->pkt.base;

		lost(d, V9_ETE_SKIP_PROTOCOL, at);
		d->pkt.base = base;
	}
	if (!d->informed)
		d->unseen = pkt->spec;
	d->depth = pkt->spec;
	d->informed = true;
	put(d, V9_EL_INFO, at);
}

/* Decode a packet to elements. Returns false if it contradicts the packets before it. */
static bool take(struct v9_ete_dec *d, const struct v9_ete_pkt *pkt, uint64_t at)
{
	struct v9_ete_elem *e;
	bool possible = true;

	switch (pkt->kind) {
	case V9_ETE_ATOMS:
		possible = put_atoms(d, pkt, at);
		break;
	case V9_ETE_ADDRESS:
		put_address(d, pkt, at);
		put_context(d, pkt, at);
		break;
	case V9_ETE_CONTEXT:
		put_context(d, pkt, at);
		break;
	case V9_ETE_EXCEPTION:
		put_exception(d, pkt, at);
		possible = limit_depth(d);
		break;
	case V9_ETE_SOURCE:
		put_source(d, pkt, at);
		possible = limit_depth(d);
		break;
	case V9_ETE_Q:
		put_q(d, pkt, at);
		possible = limit_depth(d);
		if (pkt->has & V9_ETE_HAS_ADDR)
			put_address(d, pkt, at);
		break;
	case V9_ETE_INFO:
		take_info(d, pkt, at);
		break;
	case V9_ETE_TRACE_ON:
		put(d, V9_EL_TRACE_ON, at);
		break;
	case V9_ETE_TIMESTAMP:
		put_timestamp(d, pkt, at);
		break;
	case V9_ETE_MARKER:
		put(d, V9_EL_MARKER, at);
		break;
	case V9_ETE_INSTRUMENTATION:
		e = put(d, V9_EL_INSTRUMENTATION, at);
		e->addr = pkt->value;
		e->type = pkt->ctx.el;
		break;
	case V9_ETE_EVENT:
		put(d, V9_EL_EVENT, at)->count = pkt->events;
		break;
	case V9_ETE_CYCLES:
		possible = !pkt->commit || commit(d, pkt->commit);
		e = put(d, V9_EL_CYCLES, at);
		e->count = pkt->count;
		e->has = pkt->has & V9_ETE_HAS_COUNT;
		break;
	case V9_ETE_COMMIT:
		possible = commit(d, pkt->commit);
		break;
	case V9_ETE_CANCEL:
		possible = put_atoms(d, pkt, at) && cancel(d, pkt->cancel);
		if (pkt->mispredict)
			put_mispredict(d, at);
		break;
	case V9_ETE_MISPREDICT:
		possible = put_atoms(d, pkt, at);
		put_mispredict(d, at);
		break;
	case V9_ETE_TX_START:
		if (d->pkt.cfg.commtrans)
			put(d, V9_EL_TX_START, at);
		else
			put_p0(d, V9_EL_TX_START, at);
		possible = limit_depth(d);
		break;
	case V9_ETE_TX_COMMIT:
		put(d, V9_EL_TX_COMMIT, at);
		break;
	case V9_ETE_DISCARD:
	case V9_ETE_OVERFLOW:
		drop_unresolved(d);
		put(d, pkt->kind == V9_ETE_DISCARD ? V9_EL_DISCARD : V9_EL_OVERFLOW, at);
		break;
	default:			/* Ignore */
		break;
	}
	release_committed(d);
	return possible && d->tail - d->pass <= QUEUE_MAX;
}

/* ---- the frequent packets of a unit that traces speculatively, many at a time */

#define LOT	512	/* elements that are added at a time, which stay in the cache until they are taken */
#define LOT_BEHIND	4096	/* uncommitted elements, which are all looked at after each lot */

/*
 * Returns true if take_lot() may decode: a Trace Info was decoded, no packet is incomplete, and all
 * uncommitted P0 elements are in the queue.
 */
static bool may_take_lot(const struct v9_ete_dec *d)
{
	return d->end - d->p >= V9_ETE_RUN_REACH && d->brief[*d->p].kind && d->pkt.cfg.maxspec &&
	       d->informed && !d->unseen && d->depth == d->queued && !d->done_atoms && !d->carried &&
	       d->tail - d->pass <= LOT_BEHIND;
}

/* Implicit commits (R_YKLRM); the elements pass later, in pass_committed(). */
static void commit_implied(struct v9_ete_dec *d)
{
	const uint32_t most = d->pkt.cfg.maxspec;

	d->queued = d->queued < most ? d->queued : most;
	d->depth = d->queued;
}

/* Only the youngest d->queued P0 elements are not committed: release those before them. */
static void pass_committed(struct v9_ete_dec *d)
{
	uint32_t left = d->queued;
	size_t i = d->tail;

	while (left) {
		const uint32_t p0 = p0s(d, &d->queue[--i]);

		if (p0 > left) {
			if (!split(d, i, p0 - left))
				return;
			i++;
			break;
		}
		left -= p0;
	}
	d->pass = behind_p0(d, i);
	release_committed(d);
}

/* Decode the Target Address packet at @p. Returns its size; 0 if step() has to decode it. */
static size_t take_address(struct v9_ete_dec *d, const uint8_t *p, uint64_t at)
{
	struct v9_ete_run run;
	struct v9_ete_elem *e;
	size_t nr, size;

	size = v9_ete_pkt_runs(&d->pkt, p, (size_t)(d->end - p), &run, 1, &nr);
	if (!size)
		return 0;
	e = put(d, V9_EL_ADDRESS, at);
	e->addr = run.addr;
	e->isa = run.isa;
	e->has = V9_ETE_HAS_ADDR;
	return size;
}

/* The same for a Cancel or Mispredict packet, with numbers up to 127 */
static size_t take_cancel(struct v9_ete_dec *d, const uint8_t *p, uint64_t at)
{
	const struct v9_ete_brief *b = &d->brief[*p];
	const bool follows = b->kind == V9_ETE_CANCEL && !b->cancel;
	const uint32_t n = follows ? p[1] : b->cancel;

	if (n > NUMBER_MAX || n > d->queued || (follows && !n))
		return 0;
	if (b->natoms)
		put_p0_atoms(d, b->atoms, b->natoms, at);
	commit_implied(d);
	if (n)
		cancel(d, n);
	if (b->mispredict)
		put_mispredict(d, at);
	return 1 + follows;
}

/* The same for a Timestamp, Exception or Source Address packet */
static size_t take_other(struct v9_ete_dec *d, const uint8_t *p, uint64_t at)
{
	struct v9_ete_pkt pkt;
	const int size = v9_ete_pkt_decode(&d->pkt, p, (size_t)(d->end - p), &pkt);

	if (size <= 0)
		return 0;
	if (pkt.kind == V9_ETE_TIMESTAMP)
		put_timestamp(d, &pkt, at);
	else if (pkt.kind == V9_ETE_EXCEPTION)
		put_exception(d, &pkt, at);
	else
		put_source(d, &pkt, at);
	commit_implied(d);
	return (size_t)size;
}

/* State of take_simple(), which the compiler keeps in registers */
struct simple {
	const uint8_t *p;
	struct v9_ete_elem *e;		/* the element to write next */
	uint64_t word;			/* bytes from p on */
	uint64_t zero;			/* offset in the stream of address 0 */
	uint32_t queued, most;
	uint8_t commit;
};

/*
 * Decode the packet at @s->p. Returns false if it is not a valid Atom or Commit packet. The code does not
 * branch on which of both it is, because no processor can predict that.
 */
static inline bool simple_packet(const struct v9_ete_dec *d, struct simple *s)
{
	const struct v9_ete_brief *b = &d->brief[s->word & 0xff];
	const uint32_t is_commit = (s->word & 0xff) == s->commit;
	const uint32_t n = ((uint8_t)((s->word >> 8) - 1) & -is_commit) + b->least;
	const uint32_t left = s->queued + b->natoms - n;

	/* n > NUMBER_MAX, or more than there are uncommitted P0 elements */
	if ((int32_t)(left | (NUMBER_MAX - n)) < 0)
		return false;
	*s->e = (struct v9_ete_elem){
		.kind = V9_EL_ATOM, .offset = s->zero + (uintptr_t)s->p, .addr = b->atoms, .count = b->natoms,
	};
	s->e += 1 - is_commit;
	s->queued = left < s->most ? left : s->most;
	s->p += 1 + is_commit;
	s->word >>= 8 << is_commit;
	return true;
}

/*
 * Decode Atom and Commit packets from @p on, until another packet follows. None begins after @last, and the
 * queue has at most @full elements. Packets are decoded in groups of four, so up to three that would fit can
 * be left. Returns their end. Each group is decoded from one word: the next packet waits for a shift, not for
 * memory.
 */
static const uint8_t *take_simple(struct v9_ete_dec *d, const uint8_t *p, const uint8_t *last, size_t full)
{
	struct simple s = {
		.p = p, .e = &d->queue[d->tail], .zero = d->offset - (uintptr_t)d->p,
		.queued = d->queued, .most = d->pkt.cfg.maxspec, .commit = d->commit,
	};
	const size_t pairs = (size_t)(last - p + 1) / 2, room = full - d->tail;

	for (size_t words = (pairs < room ? pairs : room) / 4; words; words--) {
		s.word = v9_load_le64(s.p);
		if (!simple_packet(d, &s) || !simple_packet(d, &s) || !simple_packet(d, &s) ||
		    !simple_packet(d, &s))
			break;
	}
	d->tail = (size_t)(s.e - d->queue);
	d->queued = s.queued;
	return s.p;
}

/*
 * Decode packets to the same elements as step() does, until there are LOT more or another packet follows.
 * Returns false if nothing was decoded.
 */
static bool take_lot(struct v9_ete_dec *d)
{
	const uint8_t *const from = d->p, *const last = d->end - V9_ETE_RUN_REACH;
	const size_t full = d->tail + LOT;
	uint64_t atoms = 0, commits, others = 0, bytes = 0;	/* bytes: of the others */
	const uint8_t *p = from;

	/* An Exception packet adds up to three elements, pass_committed() one. */
	if (!reserve(d, LOT + 3))
		return false;
	while (p <= last && d->tail < full) {
		const size_t before = d->tail;
		const struct v9_ete_brief *b;
		uint64_t at;
		size_t size = 0;

		p = take_simple(d, p, last, full);
		atoms += d->tail - before;
		b = &d->brief[*p];
		at = d->offset + (uint64_t)(p - from);
		if (b->least <= 1)
			break;
		if (b->kind == V9_ETE_ADDRESS)
			size = take_address(d, p, at);
		else if (b->kind == V9_ETE_CANCEL || b->kind == V9_ETE_MISPREDICT)
			size = take_cancel(d, p, at);
		else if (b->kind)
			size = take_other(d, p, at);
		if (!size)
			break;
		d->acc.kinds[b->kind]++;
		others++;
		bytes += size;
		p += size;
	}
	commit_implied(d);
	pass_committed(d);
	commits = ((uint64_t)(p - from) - bytes - atoms) / 2;
	d->acc.kinds[V9_ETE_ATOMS] += atoms;
	d->acc.kinds[V9_ETE_COMMIT] += commits;
	d->acc.packets += atoms + commits + others;
	d->acc.packet_bytes += (uint64_t)(p - from);
	d->offset += (uint64_t)(p - from);
	d->p = p;
	return p > from;
}

/* Returns true if the packet may be between synchronization and Trace Info (R_HMDGL, I_VQYYH). */
static bool before_info(uint8_t kind)
{
	return kind == V9_ETE_INFO || kind == V9_ETE_EVENT || kind == V9_ETE_OVERFLOW ||
	       kind == V9_ETE_DISCARD || kind == V9_ETE_IGNORE;
}

/* ---- bytes to packets */

static void count(struct v9_ete_dec *d, uint8_t kind, uint64_t bytes)
{
	d->acc.kinds[kind]++;
	if (kind == V9_ETE_IGNORE) {
		d->acc.padding += bytes;
	} else {
		d->acc.packets++;
		d->acc.packet_bytes += bytes;
	}
}

/* Not synchronized: skip one byte. Returns true after an Alignment Synchronization. */
static bool scan(struct v9_ete_dec *d, uint8_t byte)
{
	uint64_t skipped;

	if (!byte) {
		d->zeros++;
		return false;
	}
	d->synced = byte == ASYNC_END && d->zeros >= ASYNC_ZEROS;
	skipped = d->zeros + 1 - (d->synced ? V9_ETE_ASYNC_SIZE : 0);
	if (d->why == V9_ETE_SKIP_START && skipped && !d->acc.skipped[d->why])
		d->acc.skips[d->why]++;
	d->acc.skipped[d->why] += skipped;
	if (d->synced)
		count(d, V9_ETE_ASYNC, V9_ETE_ASYNC_SIZE);
	d->zeros = 0;
	return d->synced;
}

/* Read the next byte of the segment. */
static uint8_t eat(struct v9_ete_dec *d)
{
	d->offset++;
	return *d->p++;
}

static bool find_sync(struct v9_ete_dec *d)
{
	while (d->p < d->end)
		if (scan(d, eat(d)))
			return true;
	return false;
}

/*
 * Synchronized, after two zeros: decode an Alignment Synchronization with any number of zeros from
 * ASYNC_ZEROS on, or lose synchronization. Returns false if more bytes are needed.
 */
static bool zero_run(struct v9_ete_dec *d)
{
	while (d->p < d->end && !*d->p) {
		d->zeros++;
		eat(d);
	}
	if (d->p == d->end)
		return false;
	if (*d->p == ASYNC_END && d->zeros >= ASYNC_ZEROS) {
		eat(d);
		count(d, V9_ETE_ASYNC, d->zeros + 1);
	} else {
		lose_sync(d, V9_ETE_SKIP_RESERVED, d->offset - d->zeros);
		d->acc.skipped[V9_ETE_SKIP_RESERVED] += d->zeros;
	}
	d->zeros = 0;
	return true;
}

static void uncarry(struct v9_ete_dec *d, unsigned int n)
{
	d->carried -= (uint8_t)n;
	memmove(d->carry, d->carry + n, d->carried);
}

static bool begins_async(const uint8_t *p, size_t n)
{
	return n >= 2 && !p[0] && !p[1];
}

/* Decode a packet that began in the previous segment. Bytes are added to it one at a time. */
static int carried_packet(struct v9_ete_dec *d, struct v9_ete_pkt *pkt)
{
	int r;

	for (;;) {
		if (begins_async(d->carry, d->carried)) {
			uncarry(d, 2);
			d->zeros = 2;
			while (d->carried && !d->carry[0]) {
				uncarry(d, 1);
				d->zeros++;
			}
			return -EAGAIN;
		}
		r = v9_ete_pkt_decode(&d->pkt, d->carry, d->carried, pkt);
		if (r != -ENODATA)
			break;
		if (d->carried == sizeof(d->carry))
			return -EBADMSG;
		if (d->p == d->end)
			return 0;
		d->carry[d->carried++] = eat(d);
	}
	if (r > 0)
		uncarry(d, (unsigned int)r);
	return r;
}

/*
 * Decode the next packet. Returns its bytes, 0 if it needs more, -EAGAIN if it begins with two
 * zeros, or -EBADMSG.
 */
static int next_packet(struct v9_ete_dec *d, struct v9_ete_pkt *pkt)
{
	const size_t left = (size_t)(d->end - d->p);
	int r;

	if (d->carried)
		return carried_packet(d, pkt);
	if (!left)
		return 0;
	if (begins_async(d->p, left)) {
		d->zeros = 2;
		eat(d);
		eat(d);
		return -EAGAIN;
	}
	r = v9_ete_pkt_decode(&d->pkt, d->p, left, pkt);
	if (r == -ENODATA && left < sizeof(d->carry)) {
		memcpy(d->carry, d->p, left);
		d->carried = (uint8_t)left;
		d->p += left;
		d->offset += left;
		return 0;
	}
	if (r > 0) {
		d->p += r;
		d->offset += (uint32_t)r;
	}
	return r > 0 ? r : -EBADMSG;
}

/* Skip a reserved packet, and search for Alignment Synchronization from its header on. */
static void refuse(struct v9_ete_dec *d, uint64_t at)
{
	lose_sync(d, V9_ETE_SKIP_RESERVED, at);
	if (!d->carried) {
		scan(d, eat(d));
		return;
	}
	do {
		const uint8_t byte = d->carry[0];

		uncarry(d, 1);
		if (scan(d, byte))
			return;
	} while (d->carried);
}

/* Decode one packet or skip bytes. Returns false if more bytes are needed. */
static bool step(struct v9_ete_dec *d)
{
	struct v9_ete_pkt pkt;
	uint64_t at;
	int r;

	if (!d->synced)
		return find_sync(d);
	if (d->zeros && !d->carried)
		return zero_run(d);
	if (may_take_lot(d) && take_lot(d))
		return true;
	at = d->offset - d->carried;
	r = next_packet(d, &pkt);
	if (!r)
		return false;
	if (r == -EAGAIN) {
		if (!d->carried)
			return true;
		/* Other bytes were carried, too: not handled as Alignment Synchronization. */
		lose_sync(d, V9_ETE_SKIP_RESERVED, at);
		while (d->carried) {
			const uint8_t byte = d->carry[0];

			uncarry(d, 1);
			if (scan(d, byte))
				break;
		}
		return true;
	}
	if (r < 0) {
		refuse(d, at);
		return true;
	}
	if (!d->informed && !before_info(pkt.kind)) {
		d->acc.skips[V9_ETE_SKIP_NO_INFO]++;
		d->acc.skipped[V9_ETE_SKIP_NO_INFO] += (uint32_t)r;
		return true;
	}
	count(d, pkt.kind, (uint32_t)r);
	if (!take(d, &pkt, at))
		lose_sync(d, V9_ETE_SKIP_PROTOCOL, at);
	return true;
}

#define TIDY_AT	256	/* elements that were returned, before the others are moved to the front */

bool v9_ete_dec_more(struct v9_ete_dec *d)
{
	while (d->head == d->pass && !d->err) {
		if (d->head && (d->head == d->tail || d->head >= TIDY_AT)) {
			d->tail -= d->head;
			d->pass -= d->head;
			memmove(d->queue, d->queue + d->head, d->tail * sizeof(*d->queue));
			d->head = 0;
		}
		if (!step(d))
			break;
	}
	return d->head < d->pass && !d->err && d->queue[d->head].offset < d->until;
}

int v9_ete_dec_next(struct v9_ete_dec *d, struct v9_ete_elem *e)
{
	while (v9_ete_dec_more(d)) {
		struct v9_ete_elem *const q = &d->queue[d->head];

		*e = *q;
		if (q->kind == V9_EL_ATOM) {
			e->taken = q->addr & 1;
			e->addr = 0;
			e->count = 0;
			q->addr >>= 1;
			q->count--;
		}
		d->head += q->kind != V9_EL_ATOM || !q->count;
		if (e->kind != V9_EL_NONE)
			return 1;
	}
	return d->err;
}

/* Skip the bytes of an incomplete packet, for @why. Returns true if there was one. */
static bool give_up(struct v9_ete_dec *d, enum v9_ete_skip why)
{
	const bool had = d->carried || (d->zeros && d->synced);

	d->acc.skipped[d->synced ? why : d->why] += d->zeros;
	d->acc.skipped[why] += d->carried;
	d->zeros = 0;
	d->carried = 0;
	return had;
}

void v9_ete_dec_break(struct v9_ete_dec *d)
{
	const bool was = d->synced;

	give_up(d, V9_ETE_SKIP_GAP);
	if (was)
		lose_sync(d, V9_ETE_SKIP_GAP, d->offset);
}

void v9_ete_dec_feed(struct v9_ete_dec *d, const uint8_t *p, size_t n, uint64_t offset)
{
	if (d->started && offset != d->offset)
		v9_ete_dec_break(d);
	d->started = true;
	d->p = p;
	d->end = p + n;
	d->offset = offset;
}

void v9_ete_dec_end(struct v9_ete_dec *d)
{
	if (give_up(d, V9_ETE_SKIP_CUT))
		d->acc.skips[V9_ETE_SKIP_CUT]++;
	drop_unresolved(d);
	d->started = false;
	d->done_atoms = 0;
	d->synced = false;
	d->informed = false;
	d->why = V9_ETE_SKIP_START;
}
