/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The parts of a stream in which one task ran, with their times: for consumers that want what a
 * thread executed in its order, also after the thread moved to another CPU. A part begins where
 * tracing begins (Trace On, as after each return from a kernel that is not traced) and where the
 * context has another id. Its time is that of its first timestamp: the unit generates one after
 * each entry to or exit from the kernel. A part without a timestamp was interrupted at its first
 * branch, and gets the time of the next one.
 *
 * This code decodes packets before the flow decoder does; branches and addresses are skipped in runs.
 */
#ifndef V9TRACE_CAPTURE_TURNS_H
#define V9TRACE_CAPTURE_TURNS_H

#include "../lib/v9ete.h"
#include "session.h"

struct v9_turn {
	uint64_t end, time;	/* the bytes before offset @end; ns */
};

struct v9_turns {
	const struct v9_session *s;
	struct v9_ete_pktdec dec;
	bool synced;		/* after an Alignment Synchronization */
	uint64_t next;		/* offset after the last feed */
	uint8_t held[64];	/* end of the last feed: an incomplete packet */
	size_t nr_held;
	struct v9_turn *turn;	/* of the last feed */
	size_t nr, room;
	uint64_t time;		/* first timestamp of the current part, ns; 0: none yet */
	uint32_t contextid, vmid;
};

/* Starts a stream. @t is zeroed, or was used before. */
void v9_turns_start(struct v9_turns *t, const struct v9_session *s,
		    const struct v9_ete_setup *setup);

/* Adds bytes of the stream, recorded at @time. After that .turn[0 .. nr) cover them. */
void v9_turns_feed(struct v9_turns *t, const uint8_t *p, size_t n, uint64_t offset, uint64_t time);
void v9_turns_free(struct v9_turns *t);

#endif
