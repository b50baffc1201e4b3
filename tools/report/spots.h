/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sums by place in the code. Millions of records are of some thousand instructions: so they are
 * added up by address, and each address is looked up once, when all are in.
 */
#ifndef V9TRACE_REPORT_SPOTS_H
#define V9TRACE_REPORT_SPOTS_H

#include "../decode/session.h"
#include "bins.h"

/*
 * An instruction as one thread name of one process ran it, between two changes of programs; no
 * more than that, for what the caller adds up stands behind it and shares a line of the cache.
 */
struct v9_spot {
	union {
		struct {
			uint64_t pc, comm, id;	/* comm: a pointer; id: epoch, has_pc, process */
		};
		uint64_t key[3];
	};
};

struct v9_spots {
	struct v9_bins bins;
	const struct v9_syms *syms;
	uint64_t from, to;		/* of the epoch that was asked for last */
	size_t epoch;
	uint64_t since;			/* records since they were handed over */
	void (*take)(void *arg, void *spot);
	void *arg;
};

/*
 * @size: of the caller's struct, which begins with a v9_spot; @take gets each when it is full. None
 * is of 2^32 records or more.
 */
void v9_spots_init(struct v9_spots *t, size_t size, const struct v9_syms *syms,
		   void (*take)(void *arg, void *spot), void *arg);

/*
 * Those of @n records, V9_BATCH at most; they are good until it is called again. So many at a time
 * that the memory of one comes while others are sought.
 */
void v9_spots_of(struct v9_spots *t, const struct v9_sampled *s, size_t n, void **spots);

/* Hand over all of them; none is left. */
void v9_spots_drain(struct v9_spots *t);
void v9_spots_free(struct v9_spots *t);

/* What was executed there. */
void v9_spot_place(struct v9_syms *syms, const struct v9_spot *spot, struct v9_place *place);

/* How many changes of programs lie before that time. */
size_t v9_spots_epoch(struct v9_spots *t, uint64_t time);

#endif
