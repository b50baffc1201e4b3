/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decoding of ETE address packets if enough bytes are readable, so that the length need not be
 * checked for each byte. The fast paths of tools/lib/ete_pkt.c and tools/lib/ete_runs.c use it.
 * They include gen/ete_pkt.h with its tables before this header.
 *
 * An address is a single number here. Its bit 0, which no packet contains, is 1 for IS1. A struct
 * v9_ete_address is stored in two parts and soon after loaded as a whole. The load then waits
 * until both stores have reached the cache, which takes longer than decoding a packet.
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

/**
 * v9_ete_target - decode an address packet
 * @form: form of the packet, V9_ETE_A_..., which depends on its header
 * @p: header of the packet; nine bytes must be readable
 * @last: latest address in the history
 * @second: the address before @last
 * @third: the address before @second
 * @sent: result: number of low bits of the address that the packet contains
 * @size: result: bytes of the packet; 0 if v9_ete_pkt_decode() would refuse it
 *
 * The form, and the size of a short form, are selected by branches. If the processor predicts
 * these correctly, decoding of the next packet does not wait for the bytes of this one.
 *
 * Return: the address.
 */
static inline uint64_t v9_ete_target(unsigned int form, const uint8_t *p, uint64_t last,
				     uint64_t second, uint64_t third, unsigned int *sent,
				     unsigned int *size)
{
	const uint64_t word = v9_load_le64(p + 1);

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
