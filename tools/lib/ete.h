/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets -> committed elements. This layer is above v9_ete_pkt_decode(), and has the same calls as
 * the other decoders: feed segments of an AUX stream, get the next element.
 *
 * A trace unit may trace speculatively and cancel elements later. The decoder returns elements
 * after they are committed, and never returns cancelled elements. The layer above it, flow.h, maps
 * elements to instructions. Each byte that was fed is counted: in a packet, as padding, or as
 * skipped with a reason.
 */
#ifndef V9TRACE_LIB_ETE_H
#define V9TRACE_LIB_ETE_H

#include "v9ete.h"

/**
 * struct v9_ete_brief - what the header of a frequent packet says
 * @atoms: bit 0 is the oldest; 1 E, 0 N
 * @natoms: number of atoms
 * @kind: Atom, Commit, Cancel, Mispredict, or Target Address without context; 0 for another packet
 * @least: least number of P0 elements that the packet can commit: 0 for an Atom packet, 1 for a Commit
 *	   packet. For all others 128, which is larger than any valid number
 * @cancel: number of P0 elements to cancel; 0 in a Cancel packet if the next byte has it
 * @mispredict: a Mispredict element follows
 */
struct v9_ete_brief {
	uint32_t atoms;
	uint8_t natoms, kind, least, cancel : 7, mispredict : 1;
};

struct v9_ete_dec {
	struct v9_ete_account acc;
	struct v9_ete_pktdec pkt;
	struct v9_ete_brief brief[256];	/* by header */
	uint8_t commit;			/* header of Commit */
	const uint8_t *p, *end;
	uint64_t offset;		/* byte offset of p in the stream */
	uint64_t zeros;			/* bytes of a possible Alignment Synchronization */
	uint32_t depth;			/* P0 elements neither committed nor cancelled */
	uint32_t unseen;		/* those of depth that were traced before decoding began */
	bool started, synced, informed, lost;
	uint8_t why, carried;
	uint8_t done_atoms;		/* atoms of the packet at p decoded by the fast path */
	int err;
	uint8_t carry[32];		/* an incomplete packet from the previous segment */
	/*
	 * head to pass: for the caller; pass to tail: not yet. An Atom element stands here for count
	 * atoms of a packet. Their directions are in addr, the oldest in bit 0.
	 */
	struct v9_ete_elem *queue;
	size_t head, pass, tail, room;
	uint32_t queued;		/* P0 elements from pass to tail */
	uint64_t until;			/* elements from this offset on stay in the queue */
	struct v9_ete_elem spill;	/* written instead of queue[] after -ENOMEM */
};

/* Start a stream. The memory may have any content. */
void v9_ete_dec_reset(struct v9_ete_dec *d, const struct v9_ete_config *cfg);
void v9_ete_dec_free(struct v9_ete_dec *d);

/*
 * Decode packets until an element can be returned, at d->head; its kind may be V9_EL_NONE. Returns
 * false if more bytes are needed, the element is not before d->until, or d->err is set.
 */
bool v9_ete_dec_more(struct v9_ete_dec *d);

/* v9ete.h declares the other functions. */

#endif
