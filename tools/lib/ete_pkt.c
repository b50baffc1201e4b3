// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Decoder and encoder of packets of the Embedded Trace Extension, including compression.
 * tables/ete.pkt defines the headers; this file has the payload formats.
 */
#define V9_ETE_DISPATCH
#include "v9trace/gen/ete_pkt.h"
#include "v9trace/gen/regs.h"
#include "v9trace/ete_reach.h"

#define EXC_BODY_UNKNOWN	0x70	/* in place of an address packet: address is UNKNOWN */
#define SYNC_ZEROS		11
#define SYNC_ZEROS_MAX		65535	/* limit, as unwritten memory can contain more zeros */

static uint64_t low_bits(unsigned int n)
{
	return n < 64 ? V9_BIT(n) - 1 : ~UINT64_C(0);
}

static bool is_reserved_exception(unsigned int type)
{
	switch (type) {
#define TYPE(value, ...) case value:
	V9_ETE_FOREACH_EXCEPTION(TYPE)
#undef TYPE
		return false;
	default:
		return true;
	}
}

/* The address of a PE Reset and of a Transaction Failure is UNKNOWN. */
static bool has_no_address(unsigned int type)
{
	return type == V9_ETE_EXC_RESET || type == V9_ETE_EXC_TX_FAILURE;
}

/* Returns true if the packet does not exist in this trace unit. */
static bool is_absent(const struct v9_ete_config *cfg, const struct v9_ete_header *h)
{
	return (h->needs == V9_ETE_NEEDS_MAXSPEC && !cfg->maxspec) ||
	       (h->needs == V9_ETE_NEEDS_TSMARK && !cfg->tsmark) ||
	       (h->needs == V9_ETE_NEEDS_ITE && !cfg->ite);
}

/* ETE-R_LMHFW: each address in the trace, including exact matches, becomes the first entry. */
static void push(struct v9_ete_base *base, uint64_t addr, uint8_t isa)
{
	for (unsigned int i = 2; i; i--) {
		/* Member by member: see ete_reach.h. */
		base->ahb[i].addr = base->ahb[i - 1].addr;
		base->ahb[i].isa = base->ahb[i - 1].isa;
	}
	base->ahb[0].addr = addr;
	base->ahb[0].isa = isa;
}

/* ETE-R_BTWGD, ETE-R_EXKEZ */
static void restart(struct v9_ete_base *base, uint32_t threshold)
{
	memset(base, 0, sizeof(*base));
	base->threshold = threshold;
	base->started = true;
}

void v9_ete_config_init(struct v9_ete_config *cfg, uint32_t idr0, uint32_t idr8, bool rme)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->maxspec = idr8;
	cfg->commopt = !idr8 || (idr0 & V9_TRCIDR0_COMMOPT);
	cfg->commtrans = idr0 & V9_TRCIDR0_COMMTRANS;
	cfg->tsmark = idr0 & V9_TRCIDR0_TSMARK;
	cfg->ite = idr0 & V9_TRCIDR0_ITE;
	cfg->nse = rme;
}

void v9_ete_pktdec_init(struct v9_ete_pktdec *dec, const struct v9_ete_config *cfg)
{
	memset(dec, 0, sizeof(*dec));
	dec->cfg = *cfg;
}

void v9_ete_pktenc_init(struct v9_ete_pktenc *enc, const struct v9_ete_config *cfg)
{
	memset(enc, 0, sizeof(*enc));
	enc->cfg = *cfg;
}

void v9_ete_pktdec_reset(struct v9_ete_pktdec *dec)
{
	memset(&dec->base, 0, sizeof(dec->base));
}

/*
 * Decoding. @err keeps the first error. After an error all reads return 0.
 */
struct reader {
	const uint8_t *p;
	size_t n, at;
	int err;
	uint8_t reason;
};

static void refuse(struct reader *r, uint8_t reason)
{
	if (r->err)
		return;
	r->err = -EBADMSG;
	r->reason = reason;
}

static uint8_t get_byte(struct reader *r)
{
	if (!r->err && r->at == r->n)
		r->err = -ENODATA;
	return r->err ? 0 : r->p[r->at++];
}

static uint32_t get_word(struct reader *r)
{
	uint32_t v = 0;

	for (unsigned int i = 0; i < 32; i += 8)
		v |= (uint32_t)get_byte(r) << i;
	return v;
}

/* U(bits): groups of seven bits; the last possible byte has the remaining bits. */
static uint32_t get_number(struct reader *r, unsigned int bits)
{
	uint32_t v = 0;
	uint8_t b;

	for (unsigned int at = 0; ; at += 7) {
		b = get_byte(r);
		if (bits - at < 8) {
			if (b >> (bits - at))
				refuse(r, V9_ETE_BAD_NUMBER);
			return v | (uint32_t)b << at;
		}
		v |= (uint32_t)(b & 0x7f) << at;
		if (!(b & 0x80))
			return v;
	}
}

/* BR(64): up to eight groups of seven bits, then a whole byte */
static void get_timestamp(struct reader *r, struct v9_ete_base *base, struct v9_ete_pkt *pkt)
{
	const bool in_reach = r->n - r->at >= 9;
	uint64_t raw = 0;
	unsigned int bits = 0;
	uint8_t b;

	do {
		b = in_reach ? r->p[r->at++] : get_byte(r);
		if (bits == 56) {
			raw |= (uint64_t)b << 56;
			bits = 64;
			break;
		}
		raw |= (uint64_t)(b & 0x7f) << bits;
		bits += 7;
	} while (b & 0x80);
	pkt->raw = raw;
	pkt->raw_bits = (uint8_t)bits;
	pkt->timestamp = (base->timestamp & ~low_bits(bits)) | raw;
	base->timestamp = pkt->timestamp;
}

static void get_short(struct reader *r, struct v9_ete_pkt *pkt, unsigned int shift)
{
	uint8_t b = get_byte(r);

	pkt->raw = (uint64_t)(b & 0x7f) << shift;
	pkt->raw_bits = 7 + shift;
	if (b & 0x80) {
		pkt->raw |= (uint64_t)get_byte(r) << (7 + shift);
		pkt->raw_bits = 15 + shift;
	}
}

/* IS0: two bytes of seven bits, A[8:2] and A[15:9]. IS1: A[7:1]. Then whole bytes. */
static void get_long(struct reader *r, struct v9_ete_pkt *pkt, unsigned int bits)
{
	unsigned int at;
	uint8_t b = get_byte(r);

	if (b & 0x80)
		refuse(r, V9_ETE_BAD_ADDRESS);
	pkt->raw = (uint64_t)b << (pkt->isa ? 1 : 2);
	b = get_byte(r);
	if (!pkt->isa && b & 0x80)
		refuse(r, V9_ETE_BAD_ADDRESS);
	pkt->raw |= (uint64_t)b << (pkt->isa ? 8 : 9);
	for (at = 16; at < bits; at += 8)
		pkt->raw |= (uint64_t)get_byte(r) << at;
	pkt->raw_bits = bits;
}

static void get_address(struct reader *r, struct v9_ete_base *base, struct v9_ete_pkt *pkt,
			unsigned int form, uint8_t header)
{
	const struct v9_ete_address *from = &base->ahb[0];

	pkt->isa = form == V9_ETE_A_S1 || form == V9_ETE_A_L32_1 || form == V9_ETE_A_L64_1;
	switch (form) {
	case V9_ETE_A_EXACT:
		pkt->ahb = header & 3;
		from = &base->ahb[pkt->ahb];
		pkt->isa = from->isa;
		break;
	case V9_ETE_A_S0:
	case V9_ETE_A_S1:
		get_short(r, pkt, pkt->isa ? 1 : 2);
		break;
	case V9_ETE_A_L32_0:
	case V9_ETE_A_L32_1:
		get_long(r, pkt, 32);
		break;
	default:
		get_long(r, pkt, 64);
		break;
	}
	pkt->addr = (from->addr & ~low_bits(pkt->raw_bits)) | pkt->raw;
	pkt->has |= V9_ETE_HAS_ADDR;
	push(base, pkt->addr, pkt->isa);
}

/* ETE-R_TKBW: fields that are not in the packet keep their value. */
static void get_context(struct reader *r, const struct v9_ete_config *cfg,
			struct v9_ete_base *base, struct v9_ete_pkt *pkt)
{
	uint8_t info = get_byte(r);

	if (info & (cfg->nse ? 0x04 : 0x0c))
		refuse(r, V9_ETE_BAD_CONTEXT);
	base->ctx.el = info & 3;
	base->ctx.nse = info & 0x08;
	base->ctx.sf = info & 0x10;
	base->ctx.ns = info & 0x20;
	if (info & 0x40) {
		base->ctx.vmid = get_word(r);
		pkt->has |= V9_ETE_HAS_VMID;
	}
	if (info & 0x80) {
		base->ctx.contextid = get_word(r);
		pkt->has |= V9_ETE_HAS_CONTEXTID;
	}
	pkt->ctx = base->ctx;
	pkt->has |= V9_ETE_HAS_CTX;
}

static void get_info(struct reader *r, struct v9_ete_base *base, struct v9_ete_pkt *pkt)
{
	uint8_t info = 0;
	uint32_t threshold = 0;

	pkt->plctl = get_byte(r);
	if (pkt->plctl & ~0x0d)
		refuse(r, V9_ETE_BAD_INFO);
	if (pkt->plctl & 1)
		info = get_byte(r);
	/* Ignore the other bits: some units set them. */
	pkt->cycle_counting = info & 0x01;
	pkt->transaction = info & 0x40;
	if (pkt->plctl & 4)
		pkt->spec = get_number(r, 32);
	if (pkt->plctl & 8)
		threshold = get_number(r, 12);
	if (pkt->cycle_counting)
		pkt->threshold = threshold;
	restart(base, pkt->threshold);
}

static void get_instrumentation(struct reader *r, struct v9_ete_pkt *pkt)
{
	uint8_t el = get_byte(r);

	if (el > 3)
		refuse(r, V9_ETE_BAD_INSTRUMENTATION);
	pkt->ctx.el = el;
	pkt->value = get_word(r);
	pkt->value |= (uint64_t)get_word(r) << 32;
}

static void get_exception(struct reader *r, const struct v9_ete_config *cfg,
			  struct v9_ete_base *base, struct v9_ete_pkt *pkt)
{
	uint8_t b = get_byte(r);
	const struct v9_ete_header *h;

	pkt->type = b >> 1 & 0x1f;
	pkt->target_first = b & 0x40;
	if ((b & 0x80) || pkt->target_first == (b & 1) || is_reserved_exception(pkt->type))
		refuse(r, V9_ETE_BAD_EXCEPTION);

	b = get_byte(r);
	if (b == EXC_BODY_UNKNOWN && has_no_address(pkt->type)) {
		push(base, 0, 0);
		return;
	}
	h = &v9_ete_headers[cfg->commopt][b];
	if (h->kind != V9_ETE_ADDRESS || pkt->type == V9_ETE_EXC_TX_FAILURE) {
		refuse(r, V9_ETE_BAD_EXCEPTION_ADDRESS);
		return;
	}
	pkt->inner = h->name;
	get_address(r, base, pkt, h->addr, b);
	if (h->parts & V9_ETE_PART_CTX)
		get_context(r, cfg, base, pkt);
	/* PE Reset: the address is only for compression; it is not the address of the exception. */
	if (pkt->type == V9_ETE_EXC_RESET)
		pkt->has &= ~V9_ETE_HAS_ADDR;
}

static void get_cycles(struct reader *r, const struct v9_ete_config *cfg,
		       const struct v9_ete_base *base, struct v9_ete_pkt *pkt,
		       const struct v9_ete_header *h)
{
	uint32_t cycles = 0;
	uint8_t b;

	if (h->parts & V9_ETE_PART_COMMIT)
		pkt->commit = get_number(r, 32);

	switch (h->name) {
	case V9_ETE_P_CYCLE_COUNT_F2_0_SMALL:
		b = get_byte(r);
		pkt->commit = (b >> 4) + 1u;
		cycles = b & 15;
		break;
	case V9_ETE_P_CYCLE_COUNT_F2_0_LARGE:
		b = get_byte(r);
		if (cfg->maxspec + (uint64_t)(b >> 4) <= 15)
			refuse(r, V9_ETE_BAD_CYCLES);
		pkt->commit = cfg->maxspec + (b >> 4) - 15;
		cycles = b & 15;
		break;
	case V9_ETE_P_CYCLE_COUNT_F2_1:
		b = get_byte(r);
		if (b >> 4 != 15)
			refuse(r, V9_ETE_BAD_CYCLES);
		cycles = b & 15;
		break;
	case V9_ETE_P_CYCLE_COUNT_F3_0:
		pkt->commit = (pkt->header >> 2 & 3) + 1u;
		cycles = pkt->header & 3;
		break;
	case V9_ETE_P_CYCLE_COUNT_F3_1:
		cycles = pkt->header & 3;
		break;
	default:
		if (!(h->parts & V9_ETE_PART_COUNT20))
			return;		/* UNKNOWN */
		cycles = get_number(r, 20);
		break;
	}
	pkt->count = base->threshold + cycles;
	if (pkt->count)			/* ETE-R_PFZXK: 0 is UNKNOWN, too */
		pkt->has |= V9_ETE_HAS_COUNT;
}

/* After header 0x00: a second byte, or the rest of an Alignment Synchronization */
static void get_extension(struct reader *r, struct v9_ete_pkt *pkt)
{
	const struct v9_ete_extension *e;
	unsigned int zeros = 1;
	uint8_t b;

	while (!(b = get_byte(r)) && !r->err)
		if (++zeros == SYNC_ZEROS_MAX)
			refuse(r, V9_ETE_BAD_ASYNC);
	for (e = v9_ete_extensions; e < v9_ete_extensions + V9_ARRAY_SIZE(v9_ete_extensions); e++)
		if (e->byte == b && (e->kind == V9_ETE_ASYNC ? zeros >= SYNC_ZEROS : zeros == 1)) {
			pkt->kind = e->kind;
			pkt->name = e->name;
			return;
		}
	refuse(r, zeros == 1 ? V9_ETE_BAD_EXTENSION : V9_ETE_BAD_ASYNC);
}

static void get_cancel(struct reader *r, struct v9_ete_pkt *pkt, const struct v9_ete_header *h)
{
	pkt->mispredict = true;
	switch (h->name) {
	case V9_ETE_P_CANCEL_F2:
		pkt->cancel = 1;
		break;
	case V9_ETE_P_CANCEL_F3:
		pkt->cancel = (pkt->header >> 1 & 3) + 2u;
		break;
	default:
		pkt->mispredict = h->name == V9_ETE_P_CANCEL_F1_MISPREDICT;
		pkt->cancel = get_number(r, 32);
		if (!pkt->cancel)
			refuse(r, V9_ETE_BAD_ZERO);
		break;
	}
}

static void get_payload(struct reader *r, const struct v9_ete_config *cfg,
			struct v9_ete_base *base, struct v9_ete_pkt *pkt,
			const struct v9_ete_header *h)
{
	switch (h->kind) {
	case V9_ETE_ASYNC:
		get_extension(r, pkt);
		return;
	case V9_ETE_INFO:
		get_info(r, base, pkt);
		return;
	case V9_ETE_EXCEPTION:
		get_exception(r, cfg, base, pkt);
		return;
	case V9_ETE_INSTRUMENTATION:
		get_instrumentation(r, pkt);
		return;
	case V9_ETE_CYCLES:
		get_cycles(r, cfg, base, pkt, h);
		return;
	case V9_ETE_CANCEL:
		get_cancel(r, pkt, h);
		return;
	case V9_ETE_EVENT:
		pkt->events = pkt->header & 15;
		return;
	case V9_ETE_MISPREDICT:
		pkt->mispredict = true;
		return;
	}
	if (h->addr)
		get_address(r, base, pkt, h->addr, pkt->header);
	if (h->name == V9_ETE_P_CONTEXT_SAME) {
		pkt->ctx = base->ctx;
		pkt->has |= V9_ETE_HAS_CTX;
	}
	if (h->parts & V9_ETE_PART_CTX)
		get_context(r, cfg, base, pkt);
	if (h->parts & V9_ETE_PART_TS)
		get_timestamp(r, base, pkt);
	if (h->parts & V9_ETE_PART_COMMIT)
		pkt->commit = get_number(r, 32);
	if (h->parts & (V9_ETE_PART_COUNT20 | V9_ETE_PART_COUNT32)) {
		pkt->count = get_number(r, h->parts & V9_ETE_PART_COUNT20 ? 20 : 32);
		pkt->has |= V9_ETE_HAS_COUNT;
		if (h->kind == V9_ETE_Q && !pkt->count)
			refuse(r, V9_ETE_BAD_ZERO);
	}
	if (h->kind == V9_ETE_COMMIT && !pkt->commit)
		refuse(r, V9_ETE_BAD_ZERO);
}

/*
 * Decode a context. @p has nine readable bytes. Returns its size, or 0 if careful_packet() must
 * decode it.
 */
static unsigned int near_context(struct v9_ete_pktdec *dec, const uint8_t *p,
				 struct v9_ete_pkt *pkt)
{
	struct v9_ete_context *to = &dec->base.ctx;
	const uint8_t info = p[0];
	unsigned int at = 1;

	if (info & (dec->cfg.nse ? 0x04 : 0x0c))
		return 0;
	/* Member by member in both structs: see ete_reach.h. */
	to->el = info & 3;
	to->nse = info & 0x08;
	to->sf = info & 0x10;
	to->ns = info & 0x20;
	pkt->ctx.el = to->el;
	pkt->ctx.nse = to->nse;
	pkt->ctx.sf = to->sf;
	pkt->ctx.ns = to->ns;
	pkt->has |= V9_ETE_HAS_CTX;
	if (info & 0x40) {
		to->vmid = v9_load_le32(p + at);
		pkt->has |= V9_ETE_HAS_VMID;
		at += 4;
	}
	if (info & 0x80) {
		to->contextid = v9_load_le32(p + at);
		pkt->has |= V9_ETE_HAS_CONTEXTID;
		at += 4;
	}
	pkt->ctx.vmid = to->vmid;
	pkt->ctx.contextid = to->contextid;
	return at;
}

/*
 * Fast decoder of addresses, contexts and exceptions. @p has at least V9_ETE_PKT_MAX bytes. On an
 * error it returns 0 and leaves @dec unchanged; careful_packet() then reports the error.
 */
static unsigned int near_packet(struct v9_ete_pktdec *dec, const uint8_t *p,
				const struct v9_ete_header *h, struct v9_ete_pkt *pkt)
{
	struct v9_ete_address *ahb = dec->base.ahb;
	unsigned int at = 0, size, sent;
	uint64_t to;

	if (h->kind == V9_ETE_EXCEPTION) {
		pkt->type = p[1] >> 1 & 0x1f;
		pkt->target_first = p[1] & 0x40;
		h = &v9_ete_headers[dec->cfg.commopt][p[2]];
		if (p[1] & 0x80 || pkt->target_first == (p[1] & 1) ||
		    is_reserved_exception(pkt->type) || has_no_address(pkt->type) ||
		    h->kind != V9_ETE_ADDRESS)
			return 0;
		pkt->inner = h->name;
		at = 2;
	}
	if (!h->addr) {
		size = near_context(dec, p + 1, pkt);
		return size ? 1 + size : 0;
	}
	to = v9_ete_target(h->addr, p + at, v9_ete_pack(&ahb[0]), v9_ete_pack(&ahb[1]),
			   v9_ete_pack(&ahb[2]), &sent, &size);
	if (!size)
		return 0;
	pkt->ahb = h->addr == V9_ETE_A_EXACT ? p[at] & 3 : 0;
	pkt->addr = to & ~UINT64_C(1);
	pkt->isa = to & 1;
	pkt->raw = pkt->addr & low_bits(sent);
	pkt->raw_bits = (uint8_t)sent;
	pkt->has = V9_ETE_HAS_ADDR;
	at += size;
	if (h->parts & V9_ETE_PART_CTX) {
		size = near_context(dec, p + at, pkt);
		if (!size)
			return 0;
		at += size;
	}
	push(&dec->base, pkt->addr, pkt->isa);
	return at;
}

static int careful_packet(struct v9_ete_pktdec *dec, const uint8_t *p, size_t n,
			  const struct v9_ete_header *h, struct v9_ete_pkt *pkt)
{
	struct reader r = { .p = p, .n = n, .at = 1 };
	struct v9_ete_base base = dec->base;

	if (h->kind == V9_ETE_RESERVED)
		refuse(&r, v9_ete_headers[!dec->cfg.commopt][*p].kind == V9_ETE_RESERVED ?
		       V9_ETE_BAD_HEADER : V9_ETE_BAD_HEADER_HERE);
	if (is_absent(&dec->cfg, h))
		refuse(&r, V9_ETE_BAD_HEADER_HERE);
	if (!r.err)
		get_payload(&r, &dec->cfg, &base, pkt, h);
	if (r.err) {
		dec->reason = r.reason;
		dec->bad_at = (uint32_t)(r.at - 1);
		return r.err;
	}
	dec->base = base;
	pkt->size = (uint32_t)r.at;
	return (int)r.at;
}

/* Set the fields of @pkt that the header determines. */
static void begin_packet(struct v9_ete_pkt *pkt, uint8_t header, const struct v9_ete_header *h)
{
	static const struct v9_ete_pkt none;

	/* Not memset(): the compiler makes an instruction of it that is slower than a few moves. */
	*pkt = none;
	pkt->header = header;
	pkt->kind = h->kind;
	pkt->name = h->name;
	pkt->natoms = h->natoms;
	pkt->atoms = h->atoms;
	pkt->size = 1;
}

int v9_ete_pkt_decode(struct v9_ete_pktdec *dec, const uint8_t *p, size_t n,
		      struct v9_ete_pkt *pkt)
{
	const struct v9_ete_header *h;

	if (!n)
		return -ENODATA;
	h = &v9_ete_headers[dec->cfg.commopt][*p];
	begin_packet(pkt, *p, h);
	if (h->kind == V9_ETE_ATOMS || h->kind == V9_ETE_TRACE_ON)
		return 1;
	if (n >= V9_ETE_PKT_MAX) {
		if (h->kind == V9_ETE_ADDRESS || h->kind == V9_ETE_SOURCE || h->kind == V9_ETE_EXCEPTION ||
		    h->name == V9_ETE_P_CONTEXT) {
			pkt->size = near_packet(dec, p, h, pkt);
			if (pkt->size)
				return (int)pkt->size;
			begin_packet(pkt, *p, h);
		} else if (h->name == V9_ETE_P_TIMESTAMP) {
			struct reader r = { .p = p, .n = n, .at = 1 };

			get_timestamp(&r, &dec->base, pkt);
			pkt->size = (uint32_t)r.at;
			return (int)r.at;
		}
	}
	return careful_packet(dec, p, n, h, pkt);
}

size_t v9_ete_find_sync(const uint8_t *p, size_t n)
{
	size_t i, zeros = 0;

	for (i = 0; i < n; i++) {
		if (p[i] == 0x80 && zeros >= SYNC_ZEROS)
			return i - SYNC_ZEROS;
		zeros = p[i] ? 0 : zeros + 1;
	}
	return n;
}

/*
 * Encoding. The packet is built in a writer. @err is set if the packet cannot be encoded.
 */
struct writer {
	uint8_t p[V9_ETE_PKT_MAX];
	size_t n;
	int err;
};

static void put_byte(struct writer *w, unsigned int b)
{
	w->p[w->n++] = (uint8_t)b;
}

static void put_bytes(struct writer *w, uint64_t v, unsigned int n)
{
	while (n--) {
		put_byte(w, v & 0xff);
		v >>= 8;
	}
}

static void put_number(struct writer *w, unsigned int bits, uint32_t v)
{
	if (v & ~low_bits(bits)) {
		w->err = -EINVAL;
		return;
	}
	for (; bits >= 8 && v >> 7; bits -= 7, v >>= 7)
		put_byte(w, 0x80 | (v & 0x7f));
	put_byte(w, v);
}

static void put_timestamp(struct writer *w, struct v9_ete_base *base,
			  const struct v9_ete_pkt *pkt)
{
	uint64_t change = pkt->timestamp ^ base->timestamp;
	unsigned int bits = pkt->name ? pkt->raw_bits : 0, at;

	if (bits > 64)
		bits = 64;
	while (bits < 64 && change >> bits)
		bits++;
	for (at = 0; at < 56; at += 7) {
		bool more = at + 7 < bits;

		put_byte(w, (pkt->timestamp >> at & 0x7f) | (more ? 0x80 : 0));
		if (!more)
			break;
	}
	if (at == 56)
		put_byte(w, pkt->timestamp >> 56);
	base->timestamp = pkt->timestamp;
}

/* Returns true if the bits from @bits on are equal to those of the last address. */
static bool agrees_above(const struct v9_ete_base *base, const struct v9_ete_pkt *pkt,
			 unsigned int bits)
{
	return !((pkt->addr ^ base->ahb[0].addr) & ~low_bits(bits));
}

/* Index of the address in the history, searched from entry @first on; or -EINVAL */
static int exact_match(const struct v9_ete_base *base, const struct v9_ete_pkt *pkt,
		       unsigned int first)
{
	for (unsigned int i = first; i < V9_ARRAY_SIZE(base->ahb); i++)
		if (base->ahb[i].addr == pkt->addr && base->ahb[i].isa == pkt->isa)
			return (int)i;
	return -EINVAL;
}

/* @sent: minimum number of low address bits to write */
static void put_address(struct writer *w, struct v9_ete_base *base, const struct v9_ete_pkt *pkt,
			unsigned int form, unsigned int sent)
{
	unsigned int isa = form == V9_ETE_A_S1 || form == V9_ETE_A_L32_1 || form == V9_ETE_A_L64_1;
	unsigned int shift = isa ? 1 : 2;
	uint64_t a = pkt->addr;
	bool two;

	if (pkt->isa > 1 || a & low_bits(pkt->isa ? 1 : 2)) {
		w->err = -EINVAL;
		return;
	}
	if (form == V9_ETE_A_EXACT) {
		push(base, a, pkt->isa);
		return;		/* the header has the index */
	}
	if (isa != pkt->isa)
		w->err = -EINVAL;
	switch (form) {
	case V9_ETE_A_S0:
	case V9_ETE_A_S1:
		if (!agrees_above(base, pkt, 15 + shift))
			w->err = -EINVAL;
		two = sent > 7 + shift || !agrees_above(base, pkt, 7 + shift);
		put_byte(w, (a >> shift & 0x7f) | (two ? 0x80 : 0));
		if (two)
			put_byte(w, a >> (7 + shift));
		break;
	default:
		if ((form == V9_ETE_A_L32_0 || form == V9_ETE_A_L32_1) &&
		    !agrees_above(base, pkt, 32))
			w->err = -EINVAL;
		put_byte(w, a >> shift & 0x7f);
		put_byte(w, a >> (7 + shift) & (isa ? 0xff : 0x7f));
		put_bytes(w, a >> 16, form == V9_ETE_A_L32_0 || form == V9_ETE_A_L32_1 ? 2 : 6);
		break;
	}
	push(base, a, pkt->isa);
}

static bool same_context(const struct v9_ete_context *a, const struct v9_ete_context *b)
{
	return a->contextid == b->contextid && a->vmid == b->vmid && a->el == b->el &&
	       a->ns == b->ns && a->nse == b->nse && a->sf == b->sf;
}

static void put_context(struct writer *w, const struct v9_ete_config *cfg,
			struct v9_ete_base *base, const struct v9_ete_pkt *pkt)
{
	const struct v9_ete_context *c = &pkt->ctx;
	bool vmid = c->vmid != base->ctx.vmid || (pkt->has & V9_ETE_HAS_VMID);
	bool contextid = c->contextid != base->ctx.contextid ||
			 (pkt->has & V9_ETE_HAS_CONTEXTID);

	if (c->el > 3 || (c->nse && !cfg->nse))
		w->err = -EINVAL;
	put_byte(w, (contextid ? 0x80 : 0) | (vmid ? 0x40 : 0) | (c->ns ? 0x20 : 0) |
		 (c->sf ? 0x10 : 0) | (c->nse ? 0x08 : 0) | c->el);
	if (vmid)
		put_bytes(w, c->vmid, 4);
	if (contextid)
		put_bytes(w, c->contextid, 4);
	base->ctx = *c;
}

static void put_info(struct writer *w, struct v9_ete_base *base, const struct v9_ete_pkt *pkt)
{
	unsigned int info = (pkt->cycle_counting ? 0x01 : 0) | (pkt->transaction ? 0x40 : 0);
	unsigned int plctl = pkt->plctl | (info ? 1 : 0) | (pkt->spec ? 4 : 0) |
			     (pkt->threshold ? 8 : 0);

	if ((plctl & ~0x0d) || (pkt->threshold && !pkt->cycle_counting))
		w->err = -EINVAL;
	put_byte(w, plctl);
	if (plctl & 1)
		put_byte(w, info);
	if (plctl & 4)
		put_number(w, 32, pkt->spec);
	if (plctl & 8)
		put_number(w, 12, pkt->threshold);
	restart(base, pkt->threshold);
}

/* Offset of the header from the first header of this packet, or -EINVAL */
static int header_bits(const struct v9_ete_config *cfg, const struct v9_ete_base *base,
		       const struct v9_ete_pkt *pkt, const struct v9_ete_header *h, bool named)
{
	uint32_t cycles = pkt->count - base->threshold;
	unsigned int first = v9_ete_first[h->name], b;

	if (h->addr == V9_ETE_A_EXACT)
		return exact_match(base, pkt, named ? pkt->ahb : 0);
	switch (h->kind) {
	case V9_ETE_EVENT:
		return pkt->events && pkt->events < 16 ? pkt->events - 1 : -EINVAL;
	case V9_ETE_CYCLES:
		if (h->name == V9_ETE_P_CYCLE_COUNT_F3_1)
			return cycles < 4 ? (int)cycles : -EINVAL;
		if (h->name != V9_ETE_P_CYCLE_COUNT_F3_0)
			return 0;
		if (cycles > 3 || pkt->commit < 1 || pkt->commit > 4)
			return -EINVAL;
		return (int)((pkt->commit - 1) << 2 | cycles);
	case V9_ETE_CANCEL:
	case V9_ETE_MISPREDICT:
	case V9_ETE_ATOMS:
		/* Headers of a packet are contiguous, except the two halves of ATOM_F5 and F6. */
		for (b = first; b < 256; b++) {
			const struct v9_ete_header *row = &v9_ete_headers[cfg->commopt][b];

			if (row->name == h->name && row->natoms == pkt->natoms &&
			    row->atoms == pkt->atoms &&
			    (h->name != V9_ETE_P_CANCEL_F3 || (b >> 1 & 3) + 2 == pkt->cancel))
				return (int)(b - first);
		}
		return -EINVAL;
	default:
		return 0;
	}
}

static void put_cycles(struct writer *w, const struct v9_ete_config *cfg,
		       const struct v9_ete_base *base, const struct v9_ete_pkt *pkt,
		       const struct v9_ete_header *h)
{
	uint32_t cycles = pkt->count - base->threshold, commit = pkt->commit;
	bool unknown = h->name == V9_ETE_P_CYCLE_COUNT_F1_0_UNKNOWN ||
		       h->name == V9_ETE_P_CYCLE_COUNT_F1_1_UNKNOWN;

	/* A form with a count can also encode the count 0, which means UNKNOWN. */
	if (!(pkt->has & V9_ETE_HAS_COUNT) != !pkt->count ||
	    (unknown ? pkt->count : pkt->count < base->threshold))
		w->err = -EINVAL;
	if (cfg->commopt && commit)
		w->err = -EINVAL;
	if (h->parts & V9_ETE_PART_NIBBLES) {
		switch (h->name) {
		case V9_ETE_P_CYCLE_COUNT_F2_0_SMALL:
			commit -= 1;
			break;
		case V9_ETE_P_CYCLE_COUNT_F2_0_LARGE:
			if (!commit)
				w->err = -EINVAL;
			commit = commit + 15 - cfg->maxspec;
			break;
		default:
			commit = 15;
			break;
		}
		if (cycles > 15 || commit > 15)
			w->err = -EINVAL;
		put_byte(w, (commit & 15) << 4 | (cycles & 15));
	}
	if (h->parts & V9_ETE_PART_COMMIT)
		put_number(w, 32, commit);
	if (h->parts & V9_ETE_PART_COUNT20)
		put_number(w, 20, cycles);
}

static void put_packet(struct writer *w, const struct v9_ete_config *cfg,
		       struct v9_ete_base *base, const struct v9_ete_pkt *pkt, uint8_t name);

/* Packet names of one type of address packet, by format. pick_address() selects the shortest. */
struct family {
	uint8_t exact, s0, s1, l32_0, l32_1, l64_0, l64_1;
};

static uint8_t pick_address(const struct v9_ete_base *base, const struct v9_ete_pkt *pkt,
			    const struct family *f)
{
	if (f->exact && exact_match(base, pkt, 0) >= 0)
		return f->exact;
	if (f->s0 && agrees_above(base, pkt, pkt->isa ? 16 : 17))
		return pkt->isa ? f->s1 : f->s0;
	if (agrees_above(base, pkt, 32))
		return pkt->isa ? f->l32_1 : f->l32_0;
	return pkt->isa ? f->l64_1 : f->l64_0;
}

static const struct family targets = {
	V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH,
	V9_ETE_P_TARGET_ADDRESS_SHORT_IS0, V9_ETE_P_TARGET_ADDRESS_SHORT_IS1,
	V9_ETE_P_TARGET_ADDRESS_32_IS0, V9_ETE_P_TARGET_ADDRESS_32_IS1,
	V9_ETE_P_TARGET_ADDRESS_64_IS0, V9_ETE_P_TARGET_ADDRESS_64_IS1,
};

static const struct family targets_with_context = {
	0, 0, 0,
	V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS0, V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS1,
	V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS0, V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS1,
};

static const struct family sources = {
	V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH,
	V9_ETE_P_SOURCE_ADDRESS_SHORT_IS0, V9_ETE_P_SOURCE_ADDRESS_SHORT_IS1,
	V9_ETE_P_SOURCE_ADDRESS_32_IS0, V9_ETE_P_SOURCE_ADDRESS_32_IS1,
	V9_ETE_P_SOURCE_ADDRESS_64_IS0, V9_ETE_P_SOURCE_ADDRESS_64_IS1,
};

/* Q has no 64-bit form: encode a Q without address, then a Target Address. */
static const struct family qs = {
	V9_ETE_P_Q_EXACT_MATCH, V9_ETE_P_Q_SHORT_IS0, V9_ETE_P_Q_SHORT_IS1,
	V9_ETE_P_Q_32_IS0, V9_ETE_P_Q_32_IS1, 0, 0,
};

static void put_exception(struct writer *w, const struct v9_ete_config *cfg,
			  struct v9_ete_base *base, const struct v9_ete_pkt *pkt)
{
	uint8_t inner = pkt->inner;

	if (is_reserved_exception(pkt->type))
		w->err = -EINVAL;
	put_byte(w, (pkt->target_first ? 0x40 : 0x01) | (pkt->type & 0x1f) << 1);
	if (has_no_address(pkt->type)) {
		if (inner)
			w->err = -EINVAL;	/* can be decoded, but is not encoded */
		put_byte(w, EXC_BODY_UNKNOWN);
		push(base, 0, 0);
		return;
	}
	if (!(pkt->has & V9_ETE_HAS_ADDR))
		w->err = -EINVAL;
	if (!inner)
		inner = pick_address(base, pkt, pkt->has & V9_ETE_HAS_CTX ?
				     &targets_with_context : &targets);
	if (inner >= V9_ETE_NAMES ||
	    v9_ete_headers[cfg->commopt][v9_ete_first[inner]].kind != V9_ETE_ADDRESS)
		w->err = -EINVAL;
	else
		put_packet(w, cfg, base, pkt, inner);
}

/* Extension packets share header 0x00. Returns true if @name is one of them. */
static bool put_extension(struct writer *w, const struct v9_ete_pkt *pkt, uint8_t name)
{
	const struct v9_ete_extension *e;

	for (e = v9_ete_extensions; e < v9_ete_extensions + V9_ARRAY_SIZE(v9_ete_extensions); e++) {
		if (e->name != name)
			continue;
		if (e->kind != pkt->kind)
			w->err = -EINVAL;
		put_bytes(w, 0, e->kind == V9_ETE_ASYNC ? SYNC_ZEROS : 1);
		put_byte(w, e->byte);
		return true;
	}
	return false;
}

static void put_packet(struct writer *w, const struct v9_ete_config *cfg,
		       struct v9_ete_base *base, const struct v9_ete_pkt *pkt, uint8_t name)
{
	const struct v9_ete_header *h = &v9_ete_headers[cfg->commopt][v9_ete_first[name]];
	bool in_exception = pkt->kind == V9_ETE_EXCEPTION && name != V9_ETE_P_EXCEPTION;
	bool named = in_exception ? pkt->inner : pkt->name;
	int bits;

	if (put_extension(w, pkt, name))
		return;

	bits = h->name == name && (h->kind == pkt->kind || in_exception) ?
	       header_bits(cfg, base, pkt, h, named) : -EINVAL;
	if (bits < 0 || is_absent(cfg, h)) {
		w->err = -EINVAL;
		return;
	}
	put_byte(w, v9_ete_first[name] + (unsigned int)bits);
	if (h->addr)
		put_address(w, base, pkt, h->addr, named ? pkt->raw_bits : 0);
	if (h->parts & V9_ETE_PART_CTX)
		put_context(w, cfg, base, pkt);
	/* Fail if the packet cannot contain the context. */
	else if (name == V9_ETE_P_CONTEXT_SAME ? !same_context(&pkt->ctx, &base->ctx) :
		 (pkt->has & V9_ETE_HAS_CTX) && name != V9_ETE_P_EXCEPTION)
		w->err = -EINVAL;

	switch (h->kind) {
	case V9_ETE_INFO:
		put_info(w, base, pkt);
		return;
	case V9_ETE_EXCEPTION:
		put_exception(w, cfg, base, pkt);
		return;
	case V9_ETE_INSTRUMENTATION:
		if (pkt->ctx.el > 3)
			w->err = -EINVAL;
		put_byte(w, pkt->ctx.el);
		put_bytes(w, pkt->value, 8);
		return;
	case V9_ETE_CYCLES:
		put_cycles(w, cfg, base, pkt, h);
		return;
	case V9_ETE_TIMESTAMP:
		if (name == V9_ETE_P_TIMESTAMP ? pkt->has & V9_ETE_HAS_COUNT :
		    !(pkt->has & V9_ETE_HAS_COUNT))
			w->err = -EINVAL;
		put_timestamp(w, base, pkt);
		break;
	case V9_ETE_COMMIT:
		if (!pkt->commit)
			w->err = -EINVAL;
		put_number(w, 32, pkt->commit);
		return;
	case V9_ETE_CANCEL:
		if ((name == V9_ETE_P_CANCEL_F1 ? pkt->mispredict : !pkt->mispredict) ||
		    (name == V9_ETE_P_CANCEL_F2 && pkt->cancel != 1))
			w->err = -EINVAL;
		if (h->parts & V9_ETE_PART_CANCEL) {
			if (!pkt->cancel)
				w->err = -EINVAL;
			put_number(w, 32, pkt->cancel);
		}
		return;
	case V9_ETE_Q:
		if (!(pkt->has & V9_ETE_HAS_COUNT) != !(h->parts & V9_ETE_PART_COUNT32) ||
		    !(pkt->has & V9_ETE_HAS_ADDR) != !h->addr ||
		    ((pkt->has & V9_ETE_HAS_COUNT) && !pkt->count))
			w->err = -EINVAL;
		break;
	}
	if (h->parts & (V9_ETE_PART_COUNT20 | V9_ETE_PART_COUNT32))
		put_number(w, h->parts & V9_ETE_PART_COUNT20 ? 20 : 32, pkt->count);
}

static uint8_t pick_cycles(const struct v9_ete_config *cfg, const struct v9_ete_base *base,
			   const struct v9_ete_pkt *pkt)
{
	uint32_t cycles = pkt->count - base->threshold;

	if (!(pkt->has & V9_ETE_HAS_COUNT))
		return cfg->commopt ? V9_ETE_P_CYCLE_COUNT_F1_1_UNKNOWN :
				      V9_ETE_P_CYCLE_COUNT_F1_0_UNKNOWN;
	if (!pkt->count)
		return V9_ETE_P_ANY;	/* a count of 0 would be decoded as UNKNOWN */
	if (cfg->commopt)
		return cycles < 4 ? V9_ETE_P_CYCLE_COUNT_F3_1 :
		       cycles < 16 ? V9_ETE_P_CYCLE_COUNT_F2_1 : V9_ETE_P_CYCLE_COUNT_F1_1;
	if (cycles < 4 && pkt->commit >= 1 && pkt->commit <= 4)
		return V9_ETE_P_CYCLE_COUNT_F3_0;
	if (cycles < 16 && pkt->commit >= 1 && pkt->commit <= 16)
		return V9_ETE_P_CYCLE_COUNT_F2_0_SMALL;
	if (cycles < 16 && pkt->commit && pkt->commit <= cfg->maxspec &&
	    cfg->maxspec - pkt->commit < 16)
		return V9_ETE_P_CYCLE_COUNT_F2_0_LARGE;
	return V9_ETE_P_CYCLE_COUNT_F1_0;
}

static uint8_t pick_cancel(const struct v9_ete_pkt *pkt)
{
	if (!pkt->mispredict)
		return pkt->natoms ? V9_ETE_P_ANY : V9_ETE_P_CANCEL_F1;
	if (pkt->cancel == 1)
		return V9_ETE_P_CANCEL_F2;
	if (pkt->cancel >= 2 && pkt->cancel <= 5)
		return V9_ETE_P_CANCEL_F3;
	return pkt->natoms ? V9_ETE_P_ANY : V9_ETE_P_CANCEL_F1_MISPREDICT;
}

static uint8_t pick_q(const struct v9_ete_base *base, const struct v9_ete_pkt *pkt)
{
	if (pkt->has & V9_ETE_HAS_ADDR)
		return pkt->has & V9_ETE_HAS_COUNT ? pick_address(base, pkt, &qs) : V9_ETE_P_ANY;
	return pkt->has & V9_ETE_HAS_COUNT ? V9_ETE_P_Q_COUNT : V9_ETE_P_Q;
}

/* The shortest packet that can encode @pkt; V9_ETE_P_ANY if there is none */
static uint8_t pick(const struct v9_ete_config *cfg, const struct v9_ete_base *base,
		    const struct v9_ete_pkt *pkt)
{
	int header;

	switch (pkt->kind) {
	case V9_ETE_ASYNC:
		return V9_ETE_P_ALIGNMENT_SYNC;
	case V9_ETE_DISCARD:
		return V9_ETE_P_DISCARD;
	case V9_ETE_OVERFLOW:
		return V9_ETE_P_OVERFLOW;
	case V9_ETE_INFO:
		return V9_ETE_P_TRACE_INFO;
	case V9_ETE_TRACE_ON:
		return V9_ETE_P_TRACE_ON;
	case V9_ETE_TIMESTAMP:
		return pkt->has & V9_ETE_HAS_COUNT ? V9_ETE_P_TIMESTAMP_COUNT : V9_ETE_P_TIMESTAMP;
	case V9_ETE_MARKER:
		return V9_ETE_P_TIMESTAMP_MARKER;
	case V9_ETE_EXCEPTION:
		return V9_ETE_P_EXCEPTION;
	case V9_ETE_TX_START:
		return V9_ETE_P_TRANSACTION_START;
	case V9_ETE_TX_COMMIT:
		return V9_ETE_P_TRANSACTION_COMMIT;
	case V9_ETE_CYCLES:
		return pick_cycles(cfg, base, pkt);
	case V9_ETE_COMMIT:
		return V9_ETE_P_COMMIT;
	case V9_ETE_CANCEL:
		return pick_cancel(pkt);
	case V9_ETE_MISPREDICT:
		return V9_ETE_P_MISPREDICT;
	case V9_ETE_INSTRUMENTATION:
		return V9_ETE_P_INSTRUMENTATION;
	case V9_ETE_IGNORE:
		return V9_ETE_P_IGNORE;
	case V9_ETE_EVENT:
		return V9_ETE_P_EVENT;
	case V9_ETE_CONTEXT:
		return same_context(&pkt->ctx, &base->ctx) &&
		       !(pkt->has & (V9_ETE_HAS_CONTEXTID | V9_ETE_HAS_VMID)) ?
		       V9_ETE_P_CONTEXT_SAME : V9_ETE_P_CONTEXT;
	case V9_ETE_ADDRESS:
		return pick_address(base, pkt, pkt->has & V9_ETE_HAS_CTX ?
				    &targets_with_context : &targets);
	case V9_ETE_Q:
		return pick_q(base, pkt);
	case V9_ETE_SOURCE:
		return pick_address(base, pkt, &sources);
	case V9_ETE_ATOMS:
		header = v9_ete_atoms_header(pkt->atoms, pkt->natoms);
		return header < 0 ? V9_ETE_P_ANY : v9_ete_headers[cfg->commopt][header].name;
	default:
		return V9_ETE_P_ANY;
	}
}

int v9_ete_atoms_header(uint32_t atoms, unsigned int natoms)
{
	unsigned int header = 0;

	if (natoms < 1 || natoms > V9_ETE_ATOMS_MAX || atoms >> natoms)
		return -EINVAL;
	if (natoms <= 5)
		header = v9_ete_few_atoms[1u << natoms | atoms];
	else if (!(~atoms & low_bits(natoms - 1)))
		header = v9_ete_many_atoms[atoms >> (natoms - 1)][natoms];
	return header ? (int)header : -EINVAL;
}

int v9_ete_pkt_encode(struct v9_ete_pktenc *enc, uint8_t *p, size_t n,
		      const struct v9_ete_pkt *pkt)
{
	struct v9_ete_base base = enc->base;
	struct writer w = { .n = 0 };
	uint8_t name = pkt->name ? pkt->name : pick(&enc->cfg, &base, pkt);
	int header;

	/* Fast path: atoms without a name */
	if (pkt->kind == V9_ETE_ATOMS && !pkt->name) {
		header = v9_ete_atoms_header(pkt->atoms, pkt->natoms);
		if (header < 0)
			return header;
		if (!n)
			return -ENOSPC;
		*p = (uint8_t)header;
		return 1;
	}
	if (!name || name >= V9_ETE_NAMES)
		return -EINVAL;
	put_packet(&w, &enc->cfg, &base, pkt, name);
	if (w.err)
		return w.err;
	if (n < w.n)
		return -ENOSPC;
	memcpy(p, w.p, w.n);
	enc->base = base;
	return (int)w.n;
}
