// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include <v9trace/gen/spe_pkt.h>

#include "spe.h"

const char *const v9_spe_skip_why[V9_SPE_SKIPS] = {
	[V9_SPE_SKIP_RESERVED]	= "reserved header",
	[V9_SPE_SKIP_ENDLESS]	= "record without an end",
	[V9_SPE_SKIP_GAP]	= "record cut by a gap",
	[V9_SPE_SKIP_LOSS]	= "record cut by lost data",
	[V9_SPE_SKIP_CUT]	= "record cut at the end",
};

#define ADDRESS_BITS	56

/* With fewer bytes the fast path is not used. */
#define FAST_ENOUGH	32

/*
 * Records may begin at any address, but real units align them with padding. After STARTS_ENOUGH
 * records with a common alignment of at least ALIGN_USEFUL bytes, the decoder resynchronizes by it.
 */
#define STARTS_ENOUGH	4
#define ALIGN_USEFUL	16

uint64_t v9_spe_canonical(uint64_t payload)
{
	/* In a translation regime with one range bit 55 is 0 in practice: zero extension. */
	return (uint64_t)((int64_t)(payload << (64 - ADDRESS_BITS)) >> (64 - ADDRESS_BITS));
}

struct v9_spe_code v9_spe_code_addr(uint64_t payload)
{
	return (struct v9_spe_code) {
		.addr = v9_spe_canonical(payload),
		.el = (uint8_t)V9_GET(V9_SPE_ADDRESS_EL, payload),
		.ns = payload & V9_SPE_ADDRESS_NS,
		.nse = payload & V9_SPE_ADDRESS_NSE,
	};
}

uint64_t v9_spe_account_bytes(const struct v9_spe_account *a)
{
	uint64_t sum = a->record_bytes + a->padding;

	for (unsigned int i = 0; i < V9_SPE_SKIPS; i++)
		sum += a->skipped[i];
	return sum;
}

/* Action of the fast path for a packet; BY_PACKET leaves it to the slow path */
enum step {
	BY_PACKET, PC, TARGET, VA, PA, PREV_TARGET, LATENCY, ALT_LATENCY, CONTEXT, OP, EVENTS, SOURCE,
	PADDING, END, TIMESTAMP,
};

static uint8_t step_of(const struct v9_spe_pkt *pkt)
{
	static const uint8_t addresses[] = {
		[V9_SPE_ADDR_PC] = PC, [V9_SPE_ADDR_TARGET] = TARGET, [V9_SPE_ADDR_VA] = VA,
		[V9_SPE_ADDR_PA] = PA, [V9_SPE_ADDR_PREV_TARGET] = PREV_TARGET };
	static const uint8_t kinds[V9_SPE_KINDS] = {
		[V9_SPE_CONTEXT] = CONTEXT, [V9_SPE_OP_TYPE] = OP, [V9_SPE_EVENTS] = EVENTS,
		[V9_SPE_DATA_SOURCE] = SOURCE, [V9_SPE_PADDING] = PADDING, [V9_SPE_END] = END,
		[V9_SPE_TIMESTAMP] = TIMESTAMP };

	if (pkt->kind == V9_SPE_ADDRESS)
		return pkt->index < V9_ARRAY_SIZE(addresses) ? addresses[pkt->index] : BY_PACKET;
	if (pkt->kind == V9_SPE_COUNTER && pkt->index == V9_SPE_CNT_ALT_ISSUE)
		return ALT_LATENCY;
	if (pkt->kind == V9_SPE_COUNTER)
		return pkt->index < V9_SPE_LATENCIES ? LATENCY : BY_PACKET;
	return kinds[pkt->kind];
}

void v9_spe_dec_reset(struct v9_spe_dec *d)
{
	struct v9_spe_pkt pkt;

	memset(d, 0, sizeof(*d));
	/* v9_spe_pkt_decode() fills the table of all headers of one byte. */
	for (unsigned int i = 0; i < 256; i++) {
		const uint8_t bytes[V9_SPE_PKT_MAX] = { (uint8_t)i };

		if (v9_spe_pkt_decode(bytes, sizeof(bytes), 0, &pkt) > 0 && pkt.header_size == 1)
			d->fast[i] = (struct v9_spe_fast){
				.mask = pkt.payload_size < 8 ? V9_BIT(8 * pkt.payload_size) - 1 :
							       ~UINT64_C(0),
				.step = step_of(&pkt), .index = pkt.index,
				.size = (uint8_t)pkt.size };
	}
}

void v9_spe_dec_free(struct v9_spe_dec *d)
{
	free(d->carry);
	d->carry = NULL;
	d->carried = d->carry_room = 0;
}

static void skip(struct v9_spe_dec *d, enum v9_spe_skip why, uint64_t bytes)
{
	d->acc.skipped[why] += bytes;
}

/* Skip an incomplete record and an incomplete packet. d->lost does not change. */
static void abandon(struct v9_spe_dec *d, enum v9_spe_skip why)
{
	if (!d->open && !d->carried)
		return;
	d->acc.skips[why]++;
	skip(d, why, (d->open ? d->rec.size : 0) + d->carried);
	d->open = false;
	d->carried = 0;
}

static void lose(struct v9_spe_dec *d, enum v9_spe_skip why)
{
	d->acc.skips[why]++;
	skip(d, why, d->open ? d->rec.size : 0);
	d->open = false;
	d->lost = true;
	d->lost_why = why;
}

void v9_spe_dec_feed(struct v9_spe_dec *d, const uint8_t *p, size_t n, uint64_t offset)
{
	if (d->started && offset != d->offset) {
		abandon(d, V9_SPE_SKIP_GAP);
		/* The bytes after a gap begin with a record. */
		d->lost = false;
	}
	d->started = true;
	d->p = p;
	d->end = p + n;
	d->offset = offset;
}

void v9_spe_dec_end(struct v9_spe_dec *d, enum v9_spe_skip why)
{
	abandon(d, why);
	d->started = false;
	d->lost = false;
}

static bool take_address(struct v9_spe_rec *r, const struct v9_spe_pkt *pkt)
{
	switch (pkt->index) {
	case V9_SPE_ADDR_PC:
		r->pc = v9_spe_code_addr(pkt->payload);
		r->has |= V9_SPE_REC_PC;
		break;
	case V9_SPE_ADDR_TARGET:
		r->target = v9_spe_code_addr(pkt->payload);
		r->has |= V9_SPE_REC_TARGET;
		break;
	case V9_SPE_ADDR_VA:
		r->va = v9_spe_canonical(pkt->payload);
		r->va_tag = (uint8_t)(pkt->payload >> ADDRESS_BITS);
		r->has |= V9_SPE_REC_VA;
		break;
	case V9_SPE_ADDR_PA:
		r->pa = pkt->payload & V9_SPE_ADDRESS_ADDR;
		r->pa_top = (uint8_t)(pkt->payload >> ADDRESS_BITS);
		r->has |= V9_SPE_REC_PA;
		break;
	case V9_SPE_ADDR_PREV_TARGET:
		r->prev_target = v9_spe_code_addr(pkt->payload);
		r->has |= V9_SPE_REC_PREV_TARGET;
		break;
	default:
		return false;
	}
	return true;
}

/* Store a packet without a meaning as it is. Beyond V9_SPE_RAWS packets are only counted. */
static void keep(struct v9_spe_dec *d, const struct v9_spe_pkt *pkt, const uint8_t *head)
{
	if (d->nr_raw < V9_SPE_RAWS) {
		struct v9_spe_raw *raw = &d->raw[d->nr_raw];

		raw->payload = pkt->payload;
		raw->header[0] = head[0];
		raw->header[1] = pkt->header_size > 1 ? head[1] : 0;
		raw->header_size = pkt->header_size;
		raw->payload_size = pkt->payload_size;
	}
	d->nr_raw++;
	d->rec.unknown = d->nr_raw < UINT8_MAX ? (uint8_t)d->nr_raw : UINT8_MAX;
}

/* Add a packet with its header at @head to the record. Returns true if it ends the record (PK2). */
static bool take(struct v9_spe_dec *d, const struct v9_spe_pkt *pkt, const uint8_t *head)
{
	struct v9_spe_rec *r = &d->rec;

	switch (pkt->kind) {
	case V9_SPE_END:
		return true;
	case V9_SPE_TIMESTAMP:
		r->ts = pkt->payload;
		r->has |= V9_SPE_REC_TS;
		return true;
	case V9_SPE_EVENTS:
		r->events = pkt->payload;
		r->has |= V9_SPE_REC_EVENTS;
		break;
	case V9_SPE_DATA_SOURCE:
		r->source = (uint16_t)pkt->payload;
		r->has |= V9_SPE_REC_SOURCE;
		break;
	case V9_SPE_CONTEXT:
		/* A record can have two Context packets, one each for EL1 and EL2. */
		r->ctx[pkt->index & 1] = (uint32_t)pkt->payload;
		r->has |= pkt->index & 1 ? V9_SPE_REC_CTX_EL2 : V9_SPE_REC_CTX_EL1;
		break;
	case V9_SPE_OP_TYPE:
		r->op_class = pkt->index;
		r->op = (uint8_t)pkt->payload;
		r->has |= V9_SPE_REC_OP;
		break;
	case V9_SPE_ADDRESS:
		if (!take_address(r, pkt))
			keep(d, pkt, head);
		break;
	case V9_SPE_COUNTER:
		if (pkt->index < V9_SPE_LATENCIES) {
			r->lat[pkt->index] = (uint16_t)pkt->payload;
			r->has |= V9_SPE_REC_LAT(pkt->index);
		} else if (pkt->index == V9_SPE_CNT_ALT_ISSUE) {
			r->lat_alt = (uint16_t)pkt->payload;
			r->has |= V9_SPE_REC_LAT_ALT;
		} else {
			keep(d, pkt, head);
		}
		break;
	case V9_SPE_UNKNOWN:
		keep(d, pkt, head);
		break;
	default:		/* Padding, Alignment */
		break;
	}
	return false;
}

/* Store the first @n bytes of a packet until the rest is fed. Returns false on -ENOMEM. */
static bool carry(struct v9_spe_dec *d, size_t n)
{
	if (d->carried + n > d->carry_room) {
		const size_t room = 2 * (d->carried + n);
		uint8_t *grown = realloc(d->carry, room);

		if (!grown) {
			d->err = -ENOMEM;
			return false;
		}
		d->carry = grown;
		d->carry_room = room;
	}
	memcpy(d->carry + d->carried, d->p, n);
	d->carried += n;
	d->p += n;
	d->offset += n;
	return true;
}

#define RESERVED_BYTES	2

/*
 * Decode the next packet, in one segment or across two. Returns the bytes of the packet, 0 if it
 * needs more (or d->err is set), or -EBADMSG. The position is then after the packet, or for
 * -EBADMSG after the two bytes of the reserved header.
 */
static int next_packet(struct v9_spe_dec *d, struct v9_spe_pkt *pkt)
{
	size_t left = (size_t)(d->end - d->p), had = d->carried;
	int r = -ENODATA;

	if (!left)
		return 0;
	if (!had) {
		r = v9_spe_pkt_decode(d->p, left, d->offset, pkt);
		if (r == -ENODATA) {
			carry(d, left);
			return 0;
		}
		d->p += r > 0 ? r : RESERVED_BYTES;
		d->offset += r > 0 ? (uint32_t)r : RESERVED_BYTES;
		return r;
	}
	/* One byte at a time: at most once per segment, and only Alignment (DDI0586A) is long. */
	while (r == -ENODATA && d->p < d->end) {
		if (!carry(d, 1))
			return 0;
		r = v9_spe_pkt_decode(d->carry, d->carried, d->offset - d->carried, pkt);
	}
	if (r == -ENODATA)
		return 0;
	d->carried = 0;
	return r;
}

/* Skip bytes until a record can begin. Returns false if more bytes are needed. */
static bool resync(struct v9_spe_dec *d)
{
	const uint64_t align = d->starts & -d->starts;
	struct v9_spe_pkt pkt;
	uint64_t n;
	int r;

	if (d->nr_starts >= STARTS_ENOUGH && align >= ALIGN_USEFUL && !d->carried) {
		n = -d->offset & (align - 1);
		if (n > (uint64_t)(d->end - d->p))
			n = (uint64_t)(d->end - d->p);
		skip(d, d->lost_why, n);
		d->p += n;
		d->offset += n;
		d->lost = d->offset & (align - 1);
		return !d->lost;
	}
	for (;;) {
		r = next_packet(d, &pkt);
		if (!r)
			return false;
		skip(d, d->lost_why, r > 0 ? (uint64_t)r : RESERVED_BYTES);
		if (r > 0 && (pkt.kind == V9_SPE_END || pkt.kind == V9_SPE_TIMESTAMP))
			break;
	}
	d->lost = false;
	return true;
}

static void count(struct v9_spe_dec *d, const struct v9_spe_rec *rec)
{
	/* The alignment that is derived from starts is at most V9_SPE_REC_MAX. */
	d->starts |= rec->offset | V9_SPE_REC_MAX;
	d->nr_starts++;
	d->acc.records++;
	d->acc.record_bytes += rec->size;
	d->acc.unknown_packets += d->nr_raw;
	if (!(rec->has & V9_SPE_REC_EVENTS))
		d->acc.no_events++;
}

static void finish(struct v9_spe_dec *d, struct v9_spe_rec *rec)
{
	count(d, &d->rec);
	d->open = false;
	*rec = d->rec;
}

static uint64_t load(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? v : __builtin_bswap64(v);
}

/* Skip the padding after the first byte of it. There can be pages of padding. */
static void swallow(struct v9_spe_dec *d)
{
	const uint8_t *p = d->p, pad = p[-1];

	while (!pad && d->end - p >= 8 && !load(p))
		p += 8;
	while (p < d->end && *p == pad)
		p++;
	d->acc.padding += (uint64_t)(p - d->p);
	d->offset += (uint64_t)(p - d->p);
	d->p = p;
}

enum {
	F_PC, F_TARGET, F_VA, F_PA, F_PREV, F_LAT, F_CTX = F_LAT + V9_SPE_LATENCIES, F_OP = F_CTX + 2,
	F_EVENTS, F_SOURCE, F_TS, F_ALT, FIELDS
};

_Static_assert(FIELDS == V9_SPE_SHAPE_FIELDS, "one place for each field of a shape");

#define SHAPE_BYTES	(8 * V9_SPE_SHAPE_WORDS)
#define STRANGE_MOST	64	/* records without a shape until a shape is replaced */

static int field_of(const struct v9_spe_fast *f)
{
	switch (f->step) {
	case PC:
		return F_PC;
	case TARGET:
		return F_TARGET;
	case VA:
		return F_VA;
	case PA:
		return F_PA;
	case PREV_TARGET:
		return F_PREV;
	case LATENCY:
		return F_LAT + f->index;
	case ALT_LATENCY:
		return F_ALT;
	case CONTEXT:
		return F_CTX + (f->index & 1);
	case OP:
		return F_OP;
	case EVENTS:
		return F_EVENTS;
	case SOURCE:
		return F_SOURCE;
	case TIMESTAMP:
		return F_TS;
	default:
		return -1;
	}
}

/* Bytes of padding after the record of @n bytes at @p, up to the alignment of earlier records. */
static size_t padding(const struct v9_spe_dec *d, const uint8_t *p, size_t n,
		      const struct v9_spe_rec *rec)
{
	const uint64_t align = d->starts & -d->starts;
	const size_t pad = -(rec->offset + n) & (align - 1);

	if (d->nr_starts < STARTS_ENOUGH || n + pad > SHAPE_BYTES ||
	    (size_t)(d->end - p) < n + pad)
		return 0;
	for (size_t i = 0; i < pad; i++)
		if (p[n + i])
			return 0;
	return pad;
}

/* Store the shape of the record of @n bytes at @p, which the fast path has just decoded. */
static void learn(struct v9_spe_dec *d, const uint8_t *p, size_t n, const struct v9_spe_rec *rec)
{
	struct v9_spe_shape *s = &d->shape[d->next_shape];
	size_t at = 0;

	if (n > SHAPE_BYTES || (d->nr_shapes == V9_SPE_SHAPES && ++d->strange < STRANGE_MOST))
		return;
	d->strange = 0;
	memset(s, 0, sizeof(*s));
	while (at < n) {
		const struct v9_spe_fast *f = &d->fast[p[at]];
		const int field = field_of(f);

		((uint8_t *)s->mask)[at] = 0xff;
		((uint8_t *)s->value)[at] = p[at];
		if (field >= 0) {
			/* Of two packets for the same field the last is used, as in take(). */
			s->keep[field] = f->mask;
			s->at[field] = (uint8_t)(at + 1);
		}
		at += f->size;
	}
	s->has = rec->has;
	s->size = (uint8_t)n;
	s->pad = (uint8_t)padding(d, p, n, rec);
	memset((uint8_t *)s->mask + n, 0xff, s->pad);
	s->op_class = rec->op_class;
	d->next_shape = (d->next_shape + 1) % V9_SPE_SHAPES;
	if (d->nr_shapes < V9_SPE_SHAPES)
		d->nr_shapes++;
}

static bool fits(const struct v9_spe_shape *s, const uint8_t *p)
{
	uint64_t other = 0;

#pragma GCC unroll 8
	for (unsigned int k = 0; k < V9_SPE_SHAPE_WORDS; k++)
		other |= (load(p + 8 * k) ^ s->value[k]) & s->mask[k];
	return !other;
}

static const struct v9_spe_shape *shape_of(const struct v9_spe_dec *d, const uint8_t *p)
{
	for (unsigned int i = 0; i < d->nr_shapes; i++)
		if (fits(&d->shape[i], p))
			return &d->shape[i];
	return NULL;
}

/* Absent fields are 0. Fields that only some operations have are loaded only if one is present. */
static void by_shape(const struct v9_spe_shape *s, const uint8_t *p, struct v9_spe_rec *rec)
{
#define FIELD(i)	(load(p + s->at[i]) & s->keep[i])
	static const struct v9_spe_code nowhere;

	rec->size = s->size;
	rec->has = s->has;
	rec->events = FIELD(F_EVENTS);
	rec->ts = FIELD(F_TS);
	rec->pc = v9_spe_code_addr(FIELD(F_PC));
	for (unsigned int i = 0; i < 2; i++)
		rec->ctx[i] = (uint32_t)FIELD(F_CTX + i);
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		rec->lat[i] = (uint16_t)FIELD(F_LAT + i);
	rec->op_class = s->op_class;
	rec->op = (uint8_t)FIELD(F_OP);
	rec->unknown = rec->reserved = 0;
	rec->lat_alt = 0;
	rec->target = rec->prev_target = nowhere;
	if (s->has & (V9_SPE_REC_TARGET | V9_SPE_REC_PREV_TARGET | V9_SPE_REC_LAT_ALT)) {
		rec->lat_alt = (uint16_t)FIELD(F_ALT);
		rec->target = v9_spe_code_addr(FIELD(F_TARGET));
		rec->prev_target = v9_spe_code_addr(FIELD(F_PREV));
	}
	rec->va = rec->pa = 0;
	rec->va_tag = rec->pa_top = 0;
	rec->source = 0;
	if (s->has & (V9_SPE_REC_VA | V9_SPE_REC_PA | V9_SPE_REC_SOURCE)) {
		const uint64_t va = FIELD(F_VA), pa = FIELD(F_PA);

		rec->va = v9_spe_canonical(va);
		rec->va_tag = (uint8_t)(va >> ADDRESS_BITS);
		rec->pa = pa & V9_SPE_ADDRESS_ADDR;
		rec->pa_top = (uint8_t)(pa >> ADDRESS_BITS);
		rec->source = (uint16_t)FIELD(F_SOURCE);
	}
#undef FIELD
}

/*
 * Fast path: decode a record that lies in one segment, while no record is incomplete. It uses a
 * table for packets with a header of one byte, which are almost all. Returns true if *rec is
 * complete. Else the slow path continues at the position that was reached, which can be within the
 * record, and decodes packets with v9_spe_pkt_decode().
 */
static bool fast(struct v9_spe_dec *d, struct v9_spe_rec *rec)
{
	const uint8_t *last = d->end - V9_SPE_PKT_MAX, *p = d->p, *from;
	uint64_t payload;
	uint32_t has = 0;

	/* Real units align records: there is often some padding. */
	while (p <= last && !*p) {
		payload = load(p);
		p += payload ? __builtin_ctzll(payload) / 8 : 8;
	}
	d->acc.padding += (uint64_t)(p - d->p);
	d->offset += (uint64_t)(p - d->p);
	d->p = from = p;
	d->nr_raw = 0;
	if (d->end - p >= SHAPE_BYTES + 8) {
		const struct v9_spe_shape *s = shape_of(d, p);

		if (s) {
			rec->offset = d->offset;
			by_shape(s, p, rec);
			d->p += s->size + s->pad;
			d->offset += s->size + s->pad;
			d->acc.padding += s->pad;
			count(d, rec);
			return true;
		}
	}
	/* Limit the record, so that the slow path detects records above V9_SPE_REC_MAX. */
	if (last - p > V9_SPE_REC_MAX - 64)
		last = p + V9_SPE_REC_MAX - 64;
	memset(rec, 0, sizeof(*rec));
	rec->offset = d->offset;
	while (p <= last) {
		const struct v9_spe_fast *f = &d->fast[*p];

		payload = load(p + 1) & f->mask;
		p += f->size;
		switch (f->step) {
		case PC:
			rec->pc = v9_spe_code_addr(payload);
			has |= V9_SPE_REC_PC;
			continue;
		case TARGET:
			rec->target = v9_spe_code_addr(payload);
			has |= V9_SPE_REC_TARGET;
			continue;
		case VA:
			rec->va = v9_spe_canonical(payload);
			rec->va_tag = (uint8_t)(payload >> ADDRESS_BITS);
			has |= V9_SPE_REC_VA;
			continue;
		case PA:
			rec->pa = payload & V9_SPE_ADDRESS_ADDR;
			rec->pa_top = (uint8_t)(payload >> ADDRESS_BITS);
			has |= V9_SPE_REC_PA;
			continue;
		case PREV_TARGET:
			rec->prev_target = v9_spe_code_addr(payload);
			has |= V9_SPE_REC_PREV_TARGET;
			continue;
		case LATENCY:
			rec->lat[f->index] = (uint16_t)payload;
			has |= V9_SPE_REC_LAT(f->index);
			continue;
		case ALT_LATENCY:
			rec->lat_alt = (uint16_t)payload;
			has |= V9_SPE_REC_LAT_ALT;
			continue;
		case CONTEXT:
			rec->ctx[f->index & 1] = (uint32_t)payload;
			has |= f->index & 1 ? V9_SPE_REC_CTX_EL2 : V9_SPE_REC_CTX_EL1;
			continue;
		case OP:
			rec->op_class = f->index;
			rec->op = (uint8_t)payload;
			has |= V9_SPE_REC_OP;
			continue;
		case EVENTS:
			rec->events = payload;
			has |= V9_SPE_REC_EVENTS;
			continue;
		case SOURCE:
			rec->source = (uint16_t)payload;
			has |= V9_SPE_REC_SOURCE;
			continue;
		case PADDING:		/* within a record: part of it */
			continue;
		case TIMESTAMP:
			rec->ts = payload;
			has |= V9_SPE_REC_TS;
			/* fall through */
		case END:
			rec->has = has;
			rec->size = (uint32_t)(p - from);
			d->p = p;
			d->offset += rec->size;
			count(d, rec);
			learn(d, from, rec->size, rec);
			return true;
		default:		/* BY_PACKET: the slow path decodes it */
			p -= f->size;
			break;
		}
		break;
	}
	if (p == from)
		return false;
	rec->has = has;
	rec->size = (uint32_t)(p - from);
	d->rec = *rec;
	d->open = true;
	d->p = p;
	d->offset += rec->size;
	return false;
}

int v9_spe_dec_next(struct v9_spe_dec *d, struct v9_spe_rec *rec)
{
	struct v9_spe_pkt pkt;
	const uint8_t *head;
	bool carried;
	uint64_t at;
	int r;

	for (;;) {
		if (d->err || (d->lost && !resync(d)))
			return d->err;
		if (!d->open && !d->carried && d->end - d->p >= FAST_ENOUGH && fast(d, rec))
			return 1;
		at = d->offset - d->carried;
		carried = d->carried;
		r = next_packet(d, &pkt);
		if (!r)
			return d->err;
		if (r < 0) {
			lose(d, V9_SPE_SKIP_RESERVED);
			skip(d, V9_SPE_SKIP_RESERVED, RESERVED_BYTES);
			continue;
		}
		if (!d->open && (pkt.kind == V9_SPE_PADDING || pkt.kind == V9_SPE_ALIGNMENT)) {
			d->acc.padding += (uint32_t)r;
			if (pkt.kind == V9_SPE_PADDING && d->p != d->end)
				swallow(d);
			continue;
		}
		if (!d->open) {
			memset(&d->rec, 0, sizeof(d->rec));
			d->rec.offset = at;
			d->nr_raw = 0;
			d->open = true;
		}
		d->rec.size += (uint32_t)r;
		head = carried ? d->carry : d->p - r;
		if (take(d, &pkt, head)) {
			finish(d, rec);
			return 1;
		}
		if (d->rec.size > V9_SPE_REC_MAX)
			lose(d, V9_SPE_SKIP_ENDLESS);
	}
}
