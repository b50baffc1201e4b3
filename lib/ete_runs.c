// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The packets that are almost all of a trace, many at a time: atoms, and the plain target
 * addresses between them. The fast lane beside v9_ete_pkt_decode(), which takes everything;
 * both leave the same base behind (host/ete_runs compares them at every cut).
 */
#define V9_ETE_DISPATCH
#include "v9trace/gen/ete_pkt.h"

#define EVERY_BYTE(b)	((b) * UINT64_C(0x0101010101010101))

#define REACH		V9_ETE_RUN_REACH

static uint64_t load(const uint8_t *p)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
#else
	return v9_load_le(p, 8);
#endif
}

/* Bytes before the first that is no packet of atoms; their two upper bits are set. */
static unsigned int leading_atoms(uint64_t word)
{
	const uint64_t other = ~(word & word << 1) & EVERY_BYTE(0x80);

	return other ? (unsigned int)__builtin_ctzll(other) / 8 : 8;
}

static uint64_t below(unsigned int bits)
{
	return V9_BIT(bits) - 1;
}

/*
 * The address packet at @p, which is in reach. Returns its size, 0 if it is another packet or one
 * that the careful decoder would refuse.
 */
static unsigned int get_target(const struct v9_ete_header *h, const uint8_t *p,
			       const struct v9_ete_address *history, struct v9_ete_address *to)
{
	const uint64_t word = load(p + 1);
	unsigned int shift, more;
	uint64_t low;

	to->isa = 0;
	switch (h->addr) {
	case V9_ETE_A_EXACT:
		*to = history[*p & 3];
		return 1;
	case V9_ETE_A_S0:
	case V9_ETE_A_S1:
		to->isa = h->addr == V9_ETE_A_S1;
		shift = to->isa ? 1 : 2;
		more = (unsigned int)(word >> 7 & 1);
		low = (word & 0x7f) | (word >> 8 & 0xff & -(uint64_t)more) << 7;
		to->addr = (history->addr & ~below((more ? 15 : 7) + shift)) | low << shift;
		return 2 + more;
	case V9_ETE_A_L32_0:
		if (word & 0x8080)
			return 0;
		to->addr = (history->addr & ~below(32)) | (word & 0x7f) << 2 |
			   (word & 0x7f00) << 1 | (word & 0xffff0000);
		return 5;
	case V9_ETE_A_L32_1:
		if (word & 0x80)
			return 0;
		to->isa = 1;
		to->addr = (history->addr & ~below(32)) | (word & 0x7f) << 1 | (word & 0xffffff00);
		return 5;
	case V9_ETE_A_L64_0:
		if (word & 0x8080)
			return 0;
		to->addr = (word & 0x7f) << 2 | (word & 0x7f00) << 1 | (word & ~below(16));
		return 9;
	case V9_ETE_A_L64_1:
		if (word & 0x80)
			return 0;
		to->isa = 1;
		to->addr = (word & 0x7f) << 1 | (word & ~below(8));
		return 9;
	default:
		return 0;
	}
}

size_t v9_ete_pkt_runs(struct v9_ete_pktdec *dec, const uint8_t *p, size_t n,
		       struct v9_ete_run *runs, size_t room, size_t *nr)
{
	const struct v9_ete_header *headers = v9_ete_headers[dec->cfg.commopt];
	struct v9_ete_address history[3] = { dec->base.ahb[0], dec->base.ahb[1], dec->base.ahb[2] };
	struct v9_ete_run *r = runs;
	size_t at = 0;

	/* An offset has 32 bits. */
	if (n > UINT32_MAX)
		n = UINT32_MAX;
	while (r < runs + room && n - at >= REACH) {
		const struct v9_ete_header *h;
		struct v9_ete_address to;
		unsigned int k;

		r->at = (uint32_t)at;
		do {
			k = leading_atoms(load(p + at));
			at += k;
		} while (k == 8 && n - at >= REACH);
		r->atoms = (uint32_t)at - r->at;
		r->size = 0;
		r->isa = 0;
		r->addr = 0;
		if (k < 8 && n - at >= REACH) {
			h = &headers[p[at]];
			if (h->kind == V9_ETE_ADDRESS && !h->parts)
				r->size = (uint8_t)get_target(h, p + at, history, &to);
		}
		if (!r->size) {
			r += r->atoms > 0;
			/* As long as there are atoms something more may follow them. */
			if (k == 8)
				continue;
			break;
		}
		r->addr = to.addr;
		r->isa = to.isa;
		history[2] = history[1];
		history[1] = history[0];
		history[0] = to;
		at += r->size;
		r++;
	}
	memcpy(dec->base.ahb, history, sizeof(history));
	*nr = (size_t)(r - runs);
	return at;
}
