/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * record --aggregate: in place of a capture, profiles of intervals, or shards. What the rings give goes to
 * a thread that decodes it and adds it up (../live); the trace itself is not kept.
 */
#ifndef V9TRACE_COLLECT_PROFILES_H
#define V9TRACE_COLLECT_PROFILES_H

#include <stdbool.h>
#include <stdint.h>

#include "spec.h"
#include "switch.h"
#include "writer.h"

struct v9_live;
struct v9_worker;

/* Who looks at the sums while they are added up, in place of profiles. They are never removed then. */
struct v9_profiles_watch {
	/* The recording runs. Returns 0, or prints an error and returns -errno; then it ends. */
	int (*begin)(void *arg, struct v9_worker *w, const struct v9_event_spec *ev, int evs);
	/* All was read; in the thread that decodes */
	void (*last)(void *arg, const struct v9_live *l);
	void (*end)(void *arg);		/* after it; not without .begin */
	void *arg;
	bool silent;			/* the terminal is taken: the command has none */
};

struct v9_profiles_options {
	bool on;			/* --aggregate */
	bool lines;			/* --mem */
	bool shard;			/* --shard: shards in place of profiles */
	uint64_t memory;		/* --memory, in bytes; 0: the default */
	const struct v9_profiles_watch *watch;	/* NULL: profiles are written */
	const char *target;		/* what is recorded, for those who look at the sums: "all CPUs", a command, .. */
};

#define V9_PROFILES_MEMORY	(UINT64_C(64) << 20)
#define V9_PROFILES_LEAST	(UINT64_C(4) << 20)

/* Returns "profile" or "shard". */
static inline const char *v9_profiles_item(const struct v9_profiles_options *o)
{
	return o->shard ? "shard" : "profile";
}

/* Sums of all profiles */
struct v9_profiles_sums {
	uint64_t profiles, file_bytes;
	uint64_t records;		/* SPE records that were added up */
	uint64_t late_bytes;		/* of trace that were not decoded, because that took too long */
	uint64_t skipped_bytes;		/* of trace that are no whole record */
	uint64_t evicted;		/* sums that found no room in memory */
	uint64_t maps_dropped;
	uint64_t lost_records;		/* of the side-band, that were not read, because that took too long */
};

/* Returns 0, or prints why these events cannot be added up and returns -EINVAL. */
int v9_profiles_check(const struct v9_event_spec *ev, int evs);

/*
 * The beginning of the names of profiles: @output, or in it "v9trace" if that is a directory. The caller
 * frees it.
 */
char *v9_profiles_prefix(const char *output);

struct v9_profiles;

/*
 * Starts the thread. @prefix is valid until the end. Of @files, .ending is set, and names of profiles are
 * added in the thread. Returns NULL after an error message.
 */
struct v9_profiles *v9_profiles_start(const struct v9_profiles_options *o, const char *prefix,
				      struct v9_switch_output *files, const struct v9_event_spec *ev, int evs);

/* Calls .begin of the watch, if there is one, and returns its result. */
int v9_profiles_begin(struct v9_profiles *p);

/* Where v9_writer puts records and AUX data */
struct v9_writer_other v9_profiles_other(struct v9_profiles *p);

/* Answers requests for the sums; see v9_answer_fn in ../listen.h. @p: a struct v9_profiles */
struct v9_asker;
bool v9_profiles_answer(void *p, struct v9_asker *r, const char *request);

/* What such answers say: are the events closed? */
void v9_profiles_paused(struct v9_profiles *p, bool paused);

/* AUX data of @cpu from byte @offset on is of samples with this period. */
void v9_profiles_period(struct v9_profiles *p, int cpu, uint64_t offset, uint64_t period);

/* What recording costs in this interval and what it may cost, in millionths; see struct v9_live_cost */
void v9_profiles_cost(struct v9_profiles *p, uint32_t cost, uint32_t budget, bool interrupts);

/* Says what is in such a cost, and what is not. */
const char *v9_profiles_cost_is(bool interrupts);

/* CPU time that was spent on writing profiles, in ns */
uint64_t v9_profiles_written(struct v9_profiles *p);

/* Ends an interval. */
void v9_profiles_next(struct v9_profiles *p);

/* Ends the last one. Returns 0, or prints why its profile was not written and returns -errno. */
int v9_profiles_end(struct v9_profiles *p, struct v9_profiles_sums *sums);

#endif
