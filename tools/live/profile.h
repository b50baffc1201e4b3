/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The forms in which sums are written. tools/export has them, for the collector. */
#ifndef V9TRACE_LIVE_PROFILE_H
#define V9TRACE_LIVE_PROFILE_H

#include <stdio.h>

struct perf_event_attr;
struct v9_live;

/* Endings of the names of the files */
#define V9_PROFILE_ENDING	".pb.gz"
#define V9_SHARD_ENDING		".shard"

/* What is in the cost of a recording (@interrupts: those of the unit, too), and what is not */
#define V9_LIVE_COST_IS(interrupts) ((interrupts) ? \
	"own CPU time and the unit's interrupts; not in it: memory traffic of the trace, memory of the buffers, " \
	"the kernel's side-band records" : \
	"own CPU time; not in it: interrupts (of which only v9_spe counts the time), memory traffic of the trace, " \
	"memory of the buffers, the kernel's side-band records")

/*
 * Writes .profile for pprof, with the names of functions as far as the files of objects are there. What
 * was lost is in its comments. Errors of @f are its caller's to look for.
 */
void v9_profile_write(const struct v9_live *l, FILE *f);

/*
 * Writes .profile as a shard that is a capture of its own, with the sums of each CPU type apart. @attr: of
 * the SPE events, @n of them. Operations, data sources and branches are not known.
 */
void v9_shard_of_profile(const struct v9_live *l, const struct perf_event_attr *attr, size_t n, FILE *f);

#endif
