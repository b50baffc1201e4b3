/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sums by instruction. Millions of records have only some thousand different PCs: they are added up
 * by address, and the symbol of each address is looked up only once per v9_spots_drain().
 */
#ifndef V9TRACE_REPORT_SPOTS_H
#define V9TRACE_REPORT_SPOTS_H

#include "../capture/session.h"
#include "bins.h"

/*
 * An instruction under one thread name of one process, in one epoch (struct v9_epochs). The struct is
 * small because the caller's sums follow it in the same cache line.
 */
struct v9_spot {
	union {
		struct {
			uint64_t pc, comm, id;	/* comm: pointer; id: epoch, HAS_PC, pid */
		};
		uint64_t key[3];
	};
};

struct v9_spots {
	struct v9_bins bins;
	struct v9_epochs epochs;
	uint64_t since;			/* records since the last drain */
	void (*take)(void *arg, void *spot);
	void *arg;
};

/*
 * @size: size of the caller's struct, which begins with a v9_spot. v9_spots_drain() passes each to
 * @take; v9_spots_of() drains when the table is full. No spot has 2^32 records or more.
 */
void v9_spots_init(struct v9_spots *t, size_t size, const struct v9_syms *syms,
		   void (*take)(void *arg, void *spot), void *arg);

/*
 * Finds the spots of @n records, at most V9_BATCH. They are valid until the next call. Records are
 * looked up in batches to prefetch the memory of the spots.
 */
void v9_spots_of(struct v9_spots *t, const struct v9_sampled *s, size_t n, void **spots);

/* Passes all spots to @take and removes them. */
void v9_spots_drain(struct v9_spots *t);
void v9_spots_free(struct v9_spots *t);

/* Looks up the symbol and object of a spot. */
void v9_spot_place(struct v9_syms *syms, const struct v9_spot *spot, struct v9_place *place);

#endif
