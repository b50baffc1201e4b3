/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The trigger latency:CYCLES of the flight recorder: which SPE record is one, when the data of a unit has to
 * be handed over to be seen in time, and whether a trace of instructions reaches back to such a record. No
 * clocks, files or events: the caller gives values of the counter, in ticks.
 */
#ifndef V9TRACE_LIVE_SLOW_H
#define V9TRACE_LIVE_SLOW_H

#include "../lib/v9ete.h"
#include "../lib/v9spe.h"

#define V9_SLOW_RECORD	64u		/* bytes of a usual SPE record */
#define V9_SLOW_FEW	64u		/* records in a time, below which the recorder closes a window itself */

/* The record of a trigger */
struct v9_slow_hit {
	uint64_t pc, ts;		/* ts: ticks */
	uint32_t cpu, latency;		/* latency: in cycles */
	bool has_pc, has_ts;
};

struct v9_slow {
	uint32_t least;			/* total latency from which on a record is slow, cycles; not 0 */
	uint64_t count;			/* each so many-th slow record is a trigger; not 0 */
	uint64_t from;			/* a record with an earlier timestamp is not slow, in ticks */
	uint64_t seen;			/* slow records since the last trigger */
	struct v9_slow_ring *rings;
	size_t nr_rings;
};

/*
 * Is the record slow? One without a total latency is not. One without a timestamp is, whatever .from is: it
 * is not known when it was.
 */
bool v9_slow_is(const struct v9_slow *s, const struct v9_spe_rec *rec);

/*
 * AUX data of ring @ring, in two parts, of which the first begins at byte @offset of its stream. It is copied.
 * Data of a ring has no gaps.
 */
void v9_slow_data(struct v9_slow *s, size_t ring, uint32_t cpu, uint64_t offset, const uint8_t *a, size_t na,
		  const uint8_t *b, size_t nb);

/* Data of that ring is missing behind byte @offset: no record goes on there. */
void v9_slow_cut(struct v9_slow *s, size_t ring, uint64_t offset);

/*
 * Decodes all data that was given. Call it when the cuts in it were given, too. Returns true and the first
 * trigger if there is one; slow records behind it, which are older than the call, are not counted.
 */
bool v9_slow_find(struct v9_slow *s, struct v9_slow_hit *hit);
void v9_slow_free(struct v9_slow *s);

/*
 * The bytes after which a unit hands over its data, so that it does so each @ns: @hz operations a second, one
 * in @period is sampled. At least V9_SLOW_FEW records, at most half of the @aux_bytes of its buffer.
 */
uint32_t v9_slow_watermark(uint64_t hz, uint64_t period, uint64_t ns, uint64_t aux_bytes);

/* Does the recorder close the window of a unit that has handed over @bytes since it looked last? */
bool v9_slow_closes(uint64_t bytes);

/*
 * Returns the time until the recorder looks again, in ns: half of @delay, so that a record waits for two looks
 * at most. It is longer where looking took @cost ns of CPU time and that would be more than @ppm millionths,
 * not 0, of the time of @cpus CPUs.
 */
uint64_t v9_slow_rest(uint64_t delay, uint64_t cost, unsigned int cpus, uint32_t ppm);

/*
 * The first timestamp in the trace of a unit, in two parts, which may begin anywhere: what is behind it is
 * there. Returns false if there is none.
 */
bool v9_slow_first_time(const struct v9_ete_setup *unit, const uint8_t *a, size_t na, const uint8_t *b,
			size_t nb, uint64_t *first);

/* Does the path that a trace has reach back to a record? */
enum v9_slow_path {
	V9_SLOW_UNKNOWN,		/* one of them has no timestamp */
	V9_SLOW_REACHES,
	V9_SLOW_OVERWRITTEN,		/* the trace begins behind it */
};

/* @first: NULL: the trace has no timestamp */
enum v9_slow_path v9_slow_path(const struct v9_slow_hit *hit, const uint64_t *first);

#endif
