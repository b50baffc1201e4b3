/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Address packets of the Embedded Trace Extension that lie within the bytes at hand, so that nobody
 * has to ask for each byte whether it is there. For the fast lanes of tools/lib/ete_pkt.c and
 * tools/lib/ete_runs.c, which include gen/ete_pkt.h with its tables before.
 *
 * An address is a number here, whose bit 0, which no packet sends, says IS1. As struct it is stored
 * in two parts and loaded as one before these have come as far as the cache: that takes longer
 * than a packet.
 */
#ifndef V9TRACE_ETE_REACH_H
#define V9TRACE_ETE_REACH_H

#include "ete.h"

static inline uint64_t v9_ete_pack(const struct v9_ete_address *a)
{
	return a->addr | a->isa;
}

static inline void v9_ete_unpack(struct v9_ete_address *a, uint64_t packed)
{
	a->addr = packed & ~UINT64_C(1);
	a->isa = packed & 1;
}

static inline uint64_t v9_ete_load(const uint8_t *p)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
#else
	return v9_load_le(p, 8);
#endif
}

/**
 * v9_ete_target - an address packet
 * @form: what its header says: V9_ETE_A_...
 * @p: its header; nine bytes may be read
 * @last: history
 * @second: the one before
 * @third: and before that
 * @sent: result: how many low bits of it were in the packet
 * @size: result: bytes; 0 if the careful decoder would refuse it
 *
 * Which form, and which size of a short one, are branches: where the next packet begins then does
 * not wait for the bytes of this one, if the processor's guess is right.
 *
 * Return: the address.
 */
static inline uint64_t v9_ete_target(unsigned int form, const uint8_t *p, uint64_t last,
				     uint64_t second, uint64_t third, unsigned int *sent,
				     unsigned int *size)
{
	const uint64_t word = v9_ete_load(p + 1);

	switch (form) {
	case V9_ETE_A_EXACT:
		*sent = 0;
		*size = 1;
		return !(*p & 3) ? last : (*p & 3) == 1 ? second : third;
	case V9_ETE_A_S0:
		*size = 2;
		*sent = 9;
		if (!(word & 0x80))
			return (last & ~(V9_BIT(9) - 1)) | (word & 0x7f) << 2;
		*size = 3;
		*sent = 17;
		return (last & ~(V9_BIT(17) - 1)) | (word & 0xff00) << 1 | (word & 0x7f) << 2;
	case V9_ETE_A_S1:
		*size = 2;
		*sent = 8;
		if (!(word & 0x80))
			return (last & ~(V9_BIT(8) - 1)) | (word & 0x7f) << 1 | 1;
		*size = 3;
		*sent = 16;
		return (last & ~(V9_BIT(16) - 1)) | (word & 0xff00) | (word & 0x7f) << 1 | 1;
	case V9_ETE_A_L32_0:
		*size = word & 0x8080 ? 0 : 5;
		*sent = 32;
		return (last & ~(V9_BIT(32) - 1)) | (word & 0x7f) << 2 | (word & 0x7f00) << 1 |
		       (word & 0xffff0000);
	case V9_ETE_A_L32_1:
		*size = word & 0x80 ? 0 : 5;
		*sent = 32;
		return (last & ~(V9_BIT(32) - 1)) | (word & 0x7f) << 1 | (word & 0xffffff00) | 1;
	case V9_ETE_A_L64_0:
		*size = word & 0x8080 ? 0 : 9;
		*sent = 64;
		return (word & 0x7f) << 2 | (word & 0x7f00) << 1 | (word & ~(V9_BIT(16) - 1));
	case V9_ETE_A_L64_1:
		*size = word & 0x80 ? 0 : 9;
		*sent = 64;
		return (word & 0x7f) << 1 | (word & ~(V9_BIT(8) - 1)) | 1;
	default:
		*size = 0;
		*sent = 0;
		return 0;
	}
}

#endif
