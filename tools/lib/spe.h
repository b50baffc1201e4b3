/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets -> records. One step above v9_spe_pkt_decode(), with the same verbs:
 * feed it stretches of an AUX stream, ask for the next record.
 *
 * A record is a run of packets that ends in End or Timestamp. A field that the
 * record did not carry is not zero, it is absent: each has a validity bit.
 * Every byte fed is accounted for: in a record, padding, or skipped and why.
 */
#ifndef V9TRACE_LIB_SPE_H
#define V9TRACE_LIB_SPE_H

#include "v9spe.h"

struct v9_spe_fast {
	uint64_t mask;			/* of the payload behind the header */
	uint8_t step, index, size;
};

/*
 * Units make records of a few kinds, and those of one kind have their packets at the same places:
 * if all headers are where they are in this shape, so is all else. Where the next record begins is
 * then told by the shape, not by bytes of this one.
 */
#define V9_SPE_SHAPE_WORDS	8	/* longer records have no shape */
#define V9_SPE_SHAPE_FIELDS	15
#define V9_SPE_SHAPES		8

struct v9_spe_shape {
	uint64_t mask[V9_SPE_SHAPE_WORDS], value[V9_SPE_SHAPE_WORDS];	/* of headers */
	uint64_t keep[V9_SPE_SHAPE_FIELDS];	/* bits of the payload; 0: not there */
	uint8_t at[V9_SPE_SHAPE_FIELDS];	/* where it begins */
	uint32_t has;
	uint8_t size, pad, op_class;	/* pad: bytes of padding behind it, by which units align */
};

struct v9_spe_dec {
	struct v9_spe_account acc;
	struct v9_spe_shape shape[V9_SPE_SHAPES];
	unsigned int nr_shapes, next_shape, strange;
	struct v9_spe_fast fast[256];	/* by header: what the fast lane does with it */
	struct v9_spe_rec rec;		/* being built */
	struct v9_spe_raw raw[V9_SPE_RAWS];	/* of that, or of the one before */
	size_t nr_raw;			/* all there were */
	const uint8_t *p, *end;
	uint64_t offset;		/* of p, in the stream */
	uint64_t starts;		/* all record starts ORed: what they have in common */
	unsigned int nr_starts;
	bool started, open, lost;
	uint8_t lost_why;
	size_t carried, carry_room;
	uint8_t *carry;			/* a packet that began in the stretch before */
	int err;
};

/* Start a stream. The struct may hold anything. */
void v9_spe_dec_reset(struct v9_spe_dec *d);
void v9_spe_dec_free(struct v9_spe_dec *d);

/* The other verbs are those of v9spe.h. */

#endif
