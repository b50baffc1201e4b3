// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fast decoder of the most frequent packets, many at a time: atom packets, and the Target Address
 * packets without context between them. v9_ete_pkt_decode() decodes all packets. Both leave the
 * same compression state; the test host/ete_runs compares them at every possible end of the input.
 */
#define V9_ETE_DISPATCH
#include "v9trace/gen/ete_pkt.h"
#include "v9trace/ete_reach.h"

#define EVERY_BYTE(b)	((b) * UINT64_C(0x0101010101010101))

#define REACH		V9_ETE_RUN_REACH

/* Number of bytes before the first that is no atom packet. Bits [7:6] of an atom packet are set. */
static unsigned int leading_atoms(uint64_t word)
{
	const uint64_t other = ~(word & word << 1) & EVERY_BYTE(0x80);

	return other ? (unsigned int)__builtin_ctzll(other) / 8 : 8;
}

/*
 * Returns the end of the atom packets at @p. It may be a few bytes after @last. Between two
 * addresses there is mostly no or one atom packet. Both cases are branches; see v9_ete_target().
 */
static const uint8_t *skip_atoms(const uint8_t *p, const uint8_t *last)
{
	unsigned int k;

	if (p[0] < V9_ETE_ATOMS_FIRST)
		return p;
	if (p[1] < V9_ETE_ATOMS_FIRST)
		return p + 1;
	do {
		k = leading_atoms(v9_load_le64(p));
		p += k;
	} while (k == 8 && p <= last);
	return p;
}

size_t v9_ete_pkt_runs(struct v9_ete_pktdec *dec, const uint8_t *p, size_t n,
		       struct v9_ete_run *runs, size_t room, size_t *nr)
{
	const uint8_t *form = v9_ete_plain[dec->cfg.commopt], *at = p, *last;
	struct v9_ete_run *r = runs;
	uint64_t first, second, third;

	*nr = 0;
	if (n < REACH || (*p < V9_ETE_ATOMS_FIRST && !form[*p]))
		return 0;
	first = v9_ete_pack(&dec->base.ahb[0]);
	second = v9_ete_pack(&dec->base.ahb[1]);
	third = v9_ete_pack(&dec->base.ahb[2]);
	/* struct v9_ete_run: an offset has 32 bits. */
	if (n > UINT32_MAX)
		n = UINT32_MAX;
	last = p + n - REACH;
	while (r < runs + room && at <= last) {
		unsigned int size = 0, sent;
		uint64_t to;

		r->at = (uint32_t)(at - p);
		at = skip_atoms(at, last);
		r->atoms = (uint32_t)(at - p) - r->at;
		if (at > last)
			to = 0;
		else
			to = v9_ete_target(form[*at], at, first, second, third, &sent, &size);
		if (!size) {
			r->size = 0;
			r->isa = 0;
			r->addr = 0;
			r += r->atoms > 0;
			break;
		}
		r->addr = to & ~UINT64_C(1);
		r->isa = to & 1;
		r->size = (uint8_t)size;
		third = second;
		second = first;
		first = to;
		at += size;
		r++;
	}
	v9_ete_unpack(&dec->base.ahb[0], first);
	v9_ete_unpack(&dec->base.ahb[1], second);
	v9_ete_unpack(&dec->base.ahb[2], third);
	*nr = (size_t)(r - runs);
	return (size_t)(at - p);
}
