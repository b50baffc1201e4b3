/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A thread that decodes beside the collector. The collector gives it records and AUX data, and a round
 * at a time is handed over. What waits is bounded: AUX data beyond that is not kept, but counted.
 */
#ifndef V9TRACE_LIVE_WORKER_H
#define V9TRACE_LIVE_WORKER_H

#include "live.h"

struct v9_worker_setup {
	struct v9_live_setup live;
	size_t most;			/* AUX bytes that may wait; of records, four times as many */
	/* Writes .profile, in the thread. Returns 0 or -errno: its sums then go into the next one. */
	int (*write)(void *arg, const struct v9_live *l);
	void *arg;
};

/* Sums of all intervals */
struct v9_worker_total {
	uint64_t profiles;		/* written */
	uint64_t records, bytes;	/* decoded SPE records; AUX bytes, decoded or not */
	uint64_t late_bytes, skipped, evicted, maps_dropped;
	uint64_t lost_records;		/* that were not kept, because too many waited */
	int error;			/* of the last profile: -errno, or 0 */
};

struct v9_worker;

/* Returns NULL with errno set if no thread can be started. */
struct v9_worker *v9_worker_start(const struct v9_worker_setup *setup);

/* A record of a capture, without AUX data. Too many are not kept, but counted as lost. */
void v9_worker_record(struct v9_worker *w, const void *record, size_t size);

/* A record of enum v9_live_record, which is always kept */
void v9_worker_tell(struct v9_worker *w, const void *record, size_t size);

/* Returns the CPU time, in ns, that the thread has spent on writing profiles (.write). */
uint64_t v9_worker_written(struct v9_worker *w);

/* AUX data in two parts. Returns how many bytes at its end were not kept. */
uint64_t v9_worker_aux(struct v9_worker *w, const struct pd_auxtrace *aux, const uint8_t *a, size_t na,
		       const uint8_t *b, size_t nb);

/* Ends a round. @whole: see v9_live_read(). */
void v9_worker_round(struct v9_worker *w, bool whole);

/* Ends an interval at @end, ns since 1970, after a round: what was given so far is one profile. */
void v9_worker_interval(struct v9_worker *w, uint64_t end);

/*
 * Calls @look between two batches, in the thread of the caller. Decoding waits meanwhile. @look may call
 * v9_live_account(), v9_live_next(), v9_live_tidy() and v9_live_ask_classes().
 */
void v9_worker_look(struct v9_worker *w, void (*look)(void *arg, struct v9_live *l), void *arg);

/* Ends the last interval, waits for its profile, and frees @w. */
void v9_worker_stop(struct v9_worker *w, uint64_t end, struct v9_worker_total *total);

#endif
