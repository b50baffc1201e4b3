/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets -> elements that stand. One step above v9_ete_pkt_decode(), with the
 * same verbs as the other decoders: feed it stretches of an AUX stream, ask for
 * the next element.
 *
 * A trace unit may say what it only guesses and take it back later. Elements
 * come out here once they are committed; what was cancelled never comes out.
 * Which instructions they stand for is decided one step above, in flow.h.
 * Every byte fed is accounted for: in a packet, padding, or skipped and why.
 */
#ifndef V9TRACE_LIB_ETE_H
#define V9TRACE_LIB_ETE_H

#include "v9ete.h"

struct v9_ete_dec {
	struct v9_ete_account acc;
	struct v9_ete_pktdec pkt;
	const uint8_t *p, *end;
	uint64_t offset;		/* of p, in the stream */
	uint64_t zeros;			/* of an Alignment Synchronization that may have begun */
	uint32_t depth;			/* P0 elements sent and not resolved */
	uint32_t unseen;		/* of these, sent before decoding began */
	bool started, synced, informed, lost;
	uint8_t why, carried;
	uint8_t done_atoms;		/* of the packet at p, by who was faster */
	int err;
	uint8_t carry[32];		/* a packet that began in the stretch before */
	struct v9_ete_elem *queue;	/* from head to pass: may come out; to tail: not yet */
	size_t head, pass, tail, room;
	uint32_t queued;		/* P0 elements from pass to tail */
	struct v9_ete_elem spill;	/* there was no memory for it */
};

/* Start a stream. The struct may hold anything. */
void v9_ete_dec_reset(struct v9_ete_dec *d, const struct v9_ete_config *cfg);
void v9_ete_dec_free(struct v9_ete_dec *d);

/* Is there an element at d->head that may come out? Decodes packets until there is. */
bool v9_ete_dec_more(struct v9_ete_dec *d);

/* The other verbs are those of v9ete.h. */

#endif
