/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decoding and encoding of packets of the Statistical Profiling Extension.
 *
 * The stream is little-endian. tables/spe.pkt has the packet headers and the payload layouts;
 * gen/spe_pkt.h has the meanings of events and operation types. tools/lib/spe_pkt.c implements the
 * functions.
 */
#ifndef V9TRACE_SPE_H
#define V9TRACE_SPE_H

#include "base.h"

enum v9_spe_kind {
	V9_SPE_PADDING,
	V9_SPE_END,
	V9_SPE_TIMESTAMP,
	V9_SPE_EVENTS,
	V9_SPE_DATA_SOURCE,
	V9_SPE_CONTEXT,
	V9_SPE_OP_TYPE,
	V9_SPE_ADDRESS,
	V9_SPE_COUNTER,
	V9_SPE_ALIGNMENT,	/* of the format of 2017 (DDI0586A); DDI0487 has none */
	V9_SPE_UNKNOWN,		/* valid header without a defined meaning: skip size bytes */
	V9_SPE_KINDS
};

/**
 * struct v9_spe_pkt - one packet
 * @payload: payload, an unsigned little-endian number; 0 if there is none. For V9_SPE_ALIGNMENT the
 *           SIZE field (1 to 15)
 * @size: bytes in the stream, with header and Alignment filler
 * @kind: enum v9_spe_kind
 * @index: Address and Counter: which one (0..31); Context: 0 for EL1, 1 for EL2;
 *         Operation Type: class (0 other, 1 load/store/atomic, 2 branch);
 *         else 0
 * @header_size: 1 or 2
 * @payload_size: 0, 1, 2, 4 or 8
 */
struct v9_spe_pkt {
	uint64_t payload;
	uint32_t size;
	uint8_t kind;
	uint8_t index;
	uint8_t header_size;
	uint8_t payload_size;
};

#define V9_SPE_PKT_MAX 10	/* bytes of the longest packet, except Alignment */

/**
 * v9_spe_pkt_decode - decode the packet at @p
 * @p: bytes
 * @n: number of bytes
 * @offset: buffer address of @p, or offset modulo 64 KiB; Alignment needs it (SPE-PK8)
 * @pkt: result; undefined on error
 *
 * Return: bytes consumed (> 0); -ENODATA if the packet is longer than @n; -EBADMSG for a reserved
 * header without a defined size, after which the decoder has to resynchronize.
 */
int v9_spe_pkt_decode(const uint8_t *p, size_t n, uint64_t offset, struct v9_spe_pkt *pkt);

/**
 * v9_spe_pkt_encode - write one packet
 * @p: buffer
 * @n: bytes of the buffer
 * @offset: buffer address of @p, for Alignment
 * @pkt: kind, index, payload; payload_size for Events and Data Source (others have a fixed size and
 *       ignore it). The Alignment filler is written as 0
 *
 * Return: bytes written (> 0); -ENOSPC if @n is too small; -EINVAL if the format has no such
 * packet.
 */
int v9_spe_pkt_encode(uint8_t *p, size_t n, uint64_t offset, const struct v9_spe_pkt *pkt);

#endif
