// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Decoder and encoder of packets of the Statistical Profiling Extension. tables/spe.pkt defines the
 * headers; this file has the payload formats.
 */
#define V9_SPE_DISPATCH
#include "v9trace/gen/spe_pkt.h"

/* Bytes of an Alignment command (DDI0586A, 2017) at @offset, including its filler (SPE-PK8) */
static uint32_t alignment_size(uint64_t offset, unsigned int size)
{
	uint64_t mask = V9_BIT(size + 1) - 1;

	return (uint32_t)(((offset + 2 + mask) & ~mask) - offset);
}

int v9_spe_pkt_decode(const uint8_t *p, size_t n, uint64_t offset, struct v9_spe_pkt *pkt)
{
	const struct v9_spe_header *h;
	unsigned int prefix = 0;

	if (!n)
		return -ENODATA;
	h = &v9_spe_byte0[p[0]];
	pkt->header_size = 1;
	pkt->kind = h->kind;
	pkt->index = h->index;

	if (h->kind == V9_SPE_PREFIX) {
		if (n < 2)
			return -ENODATA;
		prefix = p[0] & 0x1f;
		h = &v9_spe_byte1[p[1]];
		pkt->header_size = 2;
		pkt->kind = prefix & h->fixed ? V9_SPE_UNKNOWN : h->kind;
		pkt->index = 0;
		if (pkt->kind != V9_SPE_UNKNOWN)
			pkt->index = (uint8_t)(prefix << h->shift | h->index);
	}
	if (h->size == V9_SPE_NO_SIZE)
		return -EBADMSG;

	pkt->payload_size = h->size;
	pkt->size = (uint32_t)pkt->header_size + h->size;
	if (pkt->kind == V9_SPE_ALIGNMENT) {
		pkt->index = 0;
		if (prefix)
			pkt->size = alignment_size(offset, prefix);
		else		/* SIZE 0 is reserved, but its size is defined (SPE-PK5) */
			pkt->kind = V9_SPE_UNKNOWN;
	}
	if (n < pkt->size)
		return -ENODATA;

	pkt->payload = pkt->kind == V9_SPE_ALIGNMENT ? prefix :
		       v9_load_le(p + pkt->header_size, h->size);
	return (int)pkt->size;
}

/* The first, and therefore shortest, header that can encode this packet */
static const struct v9_spe_how *find_header(const struct v9_spe_pkt *pkt, unsigned int index)
{
	const struct v9_spe_how *how;
	bool sized = pkt->kind == V9_SPE_EVENTS || pkt->kind == V9_SPE_DATA_SOURCE;

	for (how = v9_spe_how; how < v9_spe_how + V9_ARRAY_SIZE(v9_spe_how); how++)
		if (how->kind == pkt->kind && index >= how->first &&
		    index < (unsigned int)how->first + how->count &&
		    (!sized || how->size == pkt->payload_size))
			return how;
	return NULL;
}

int v9_spe_pkt_encode(uint8_t *p, size_t n, uint64_t offset, const struct v9_spe_pkt *pkt)
{
	const struct v9_spe_how *how;
	bool align = pkt->kind == V9_SPE_ALIGNMENT;
	unsigned int index = pkt->index;
	size_t header, size;

	if (align) {
		if (index || pkt->payload < 1 || pkt->payload > 15)
			return -EINVAL;
		index = (unsigned int)pkt->payload;
	}
	how = find_header(pkt, index);
	if (!how)
		return -EINVAL;
	if (!align && how->size < 8 && pkt->payload >> (8 * how->size))
		return -EINVAL;

	header = how->prefix ? 2 : 1;
	size = align ? alignment_size(offset, index) : header + how->size;
	if (n < size)
		return -ENOSPC;

	index -= how->first;
	if (how->prefix)
		*p++ = (uint8_t)(how->prefix | index >> how->shift);
	*p++ = (uint8_t)(how->header | (index & ((1u << how->shift) - 1)));
	if (align)
		memset(p, 0, size - header);
	else
		v9_store_le(p, how->size, pkt->payload);
	return (int)size;
}
