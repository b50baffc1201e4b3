/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets -> records. This layer is above v9_spe_pkt_decode(): feed segments of an AUX stream, get
 * the next record.
 *
 * A record is a sequence of packets that ends with an End or Timestamp packet. A field can be
 * absent from a record, which differs from 0: each field has a validity bit. Each byte that was fed
 * is counted: in a record, as padding, or as skipped with a reason.
 */
#ifndef V9TRACE_LIB_SPE_H
#define V9TRACE_LIB_SPE_H

#include "v9spe.h"

struct v9_spe_fast {
	uint64_t mask;			/* of the payload, in the 8 bytes after the header */
	uint8_t step, index, size;
};

/*
 * Shape: the layout of a record. A unit writes records of a few shapes. If the headers of a record
 * match a shape, its fields are at the positions in the shape. The size of the record is known from
 * the shape, so decoding of the next record does not wait for the bytes of this one.
 */
#define V9_SPE_SHAPE_WORDS	8	/* of 8 bytes; longer records have no shape */
#define V9_SPE_SHAPE_FIELDS	15
#define V9_SPE_SHAPES		16

struct v9_spe_shape {
	uint64_t mask[V9_SPE_SHAPE_WORDS], value[V9_SPE_SHAPE_WORDS];	/* of header bytes */
	uint64_t keep[V9_SPE_SHAPE_FIELDS];	/* mask of the payload; 0: absent */
	uint8_t at[V9_SPE_SHAPE_FIELDS];	/* byte offset of the payload */
	uint32_t has;
	uint8_t size, pad, op_class;	/* pad: bytes of padding after the record, for alignment */
};

struct v9_spe_dec {
	struct v9_spe_account acc;
	struct v9_spe_shape shape[V9_SPE_SHAPES];
	unsigned int nr_shapes, next_shape, strange;
	struct v9_spe_fast fast[256];	/* by header byte: action of the fast path */
	struct v9_spe_rec rec;		/* incomplete record */
	struct v9_spe_raw raw[V9_SPE_RAWS];	/* of rec, or of the record before */
	size_t nr_raw;			/* packets without a meaning; can exceed V9_SPE_RAWS */
	const uint8_t *p, *end;
	uint64_t offset;		/* byte offset of p in the stream */
	uint64_t starts;		/* all record offsets ORed: shows their alignment */
	unsigned int nr_starts;
	bool started, open, lost;
	uint8_t lost_why;
	size_t carried, carry_room;
	uint8_t *carry;			/* an incomplete packet from the previous segment */
	int err;
};

/* Start a stream. The memory may have any content. */
void v9_spe_dec_reset(struct v9_spe_dec *d);
void v9_spe_dec_free(struct v9_spe_dec *d);

/* v9spe.h declares the other functions. */

#endif
