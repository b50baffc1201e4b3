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
#ifndef V9TRACE_DECODE_ETE_H
#define V9TRACE_DECODE_ETE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <v9trace/ete.h>

enum v9_el_kind {
	V9_EL_NONE,		/* cancelled */
	/* P0 elements */
	V9_EL_ATOM,		/* taken */
	V9_EL_EXCEPTION,	/* type; addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_SOURCE,		/* addr, isa */
	V9_EL_Q,		/* count if has V9_ETE_HAS_COUNT */
	V9_EL_TX_START,		/* P0 if TRCIDR0.COMMTRANS is 0 */
	/* others that a Cancel takes with it */
	V9_EL_TX_FAILURE,	/* addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_ADDRESS,		/* addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_CONTEXT,		/* ctx */
	V9_EL_TRACE_ON,
	V9_EL_MISPREDICT,
	/* others that stay */
	V9_EL_TX_COMMIT,
	V9_EL_INFO,
	V9_EL_EVENT,		/* count: bit n is ETEEvent n */
	V9_EL_CYCLES,		/* count if has V9_ETE_HAS_COUNT */
	V9_EL_TIMESTAMP,	/* addr is the value; count if has V9_ETE_HAS_COUNT */
	V9_EL_MARKER,
	V9_EL_INSTRUMENTATION,	/* addr is the value; type the exception level that said it */
	V9_EL_DISCARD,
	V9_EL_OVERFLOW,
	V9_EL_LOSS,		/* type: enum v9_ete_skip. Made by the decoder: bytes are missing */
};

struct v9_ete_elem {
	uint64_t offset;		/* of its packet in the stream */
	uint64_t addr;
	struct v9_ete_context ctx;
	uint32_t count;
	uint8_t kind, isa, type, has;
	bool taken;
};

/* Why bytes were given up. */
enum v9_ete_skip {
	V9_ETE_SKIP_START,	/* before the first Alignment Synchronization */
	V9_ETE_SKIP_RESERVED,	/* what no packet says, and on to the next synchronization */
	V9_ETE_SKIP_PROTOCOL,	/* packets that cannot follow each other */
	V9_ETE_SKIP_NO_INFO,	/* packets between synchronization and Trace Info */
	V9_ETE_SKIP_GAP,	/* a packet whose end lies in bytes that are not there */
	V9_ETE_SKIP_CUT,	/* a packet cut by the end of the stream */
	V9_ETE_SKIPS
};

extern const char *const v9_ete_skip_why[V9_ETE_SKIPS];

struct v9_ete_account {
	uint64_t packets, packet_bytes;	/* without Ignore */
	uint64_t padding;			/* Ignore */
	uint64_t skipped[V9_ETE_SKIPS];		/* bytes */
	uint64_t skips[V9_ETE_SKIPS];		/* how often */
	uint64_t kinds[V9_ETE_KINDS];		/* packets */
	uint64_t cancelled;			/* P0 elements taken back */
	uint64_t uncommitted;			/* P0 elements whose fate is not told */
};

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

/**
 * v9_ete_dec_feed - the next stretch of the stream
 * @offset: its position in the AUX stream. If that is not where the stretch
 *          before ended, bytes are missing: V9_EL_LOSS, then a new synchronization.
 * @p must stay until v9_ete_dec_next() has returned 0.
 */
void v9_ete_dec_feed(struct v9_ete_dec *d, const uint8_t *p, size_t n, uint64_t offset);

/* The stream goes on, but not where it was left (lost data): as with a gap. */
void v9_ete_dec_break(struct v9_ete_dec *d);

/* Returns 1 and the next element, 0 if that needs more bytes, or -ENOMEM from then on. */
int v9_ete_dec_next(struct v9_ete_dec *d, struct v9_ete_elem *e);

/* No more bytes. What may still come out is to be asked for with v9_ete_dec_next(). */
void v9_ete_dec_end(struct v9_ete_dec *d);

/* All bytes ever fed; equals the sum of what the account lists. */
uint64_t v9_ete_account_bytes(const struct v9_ete_account *a);

#endif
