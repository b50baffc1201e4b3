/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the kselftests of branch records: finds the PMU that samples branches, v9_brbe or that
 * of the CPU with the kernel's own driver; reads samples; a function whose path is known.
 */
#ifndef V9_SELFTEST_BRBE_H
#define V9_SELFTEST_BRBE_H

#include "ring.h"

int brbe_find(struct unit *unit);

/* A PMU event for attr.config; 0x811f is BRB_FILTRATE */
#define BRBE_RECORDS	0x811f
#define BRBE_CYCLES	0x11
#define BRBE_BRANCHES	0x21

/* User space only, any branch, disabled, a sample each @period of @event */
void brbe_attr(const struct unit *unit, struct perf_event_attr *attr, unsigned int event,
	       uint64_t period);
const char *brbe_missing(const struct unit *unit);

#define BRBE_STACK_MAX	64

struct brbe_sample {
	uint64_t ip;
	uint32_t pid, tid;
	uint32_t cpu;
	uint64_t period;
	uint64_t nr;
	struct perf_branch_entry entry[BRBE_STACK_MAX];
	uint32_t raw_size;
	const uint8_t *raw;
};

/* Samples of an event */
struct brbe_ring {
	int fd;
	struct perf_event_mmap_page *page;
	size_t size;
	uint64_t sample_type;
	uint64_t at;			/* next record, in bytes */
	unsigned int lost;
	uint64_t periods;		/* of all samples so far */
	struct brbe_sample sample;
};

int brbe_open(struct brbe_ring *ring, const struct perf_event_attr *attr, pid_t pid, int cpu);

/* Record the kernel's branches of a task until the machine ends, without a sample. */
int brbe_run_on(const struct unit *unit, pid_t pid);
bool brbe_next(struct brbe_ring *ring);	/* the next sample in @sample; false: no more */
void brbe_close(struct brbe_ring *ring);

/* branches.S */
void wander(uint64_t rounds, uint64_t seed);
extern const char wander_start[], wander_end[];

/* @n indirect jumps */
void hop_a(uint64_t n);
void hop_b(uint64_t n);
extern const char hop_a_end[], hop_b_end[];

struct brbe_step {
	uint64_t from, to;
	unsigned int type;		/* PERF_BR_* */
};

/* The branches that wander() takes in @rounds, with its return. Returns memory, or NULL. */
struct brbe_step *brbe_path(uint64_t rounds, uint64_t seed, size_t *n);

static inline bool brbe_in_wander(const struct perf_branch_entry *e)
{
	return e->from >= (uintptr_t)wander_start && e->from < (uintptr_t)wander_end;
}

/*
 * Finds the youngest branches of @s that are in wander() as a part of the path. Returns the place
 * in the path of the youngest one, from 1 on; 0 if it has none; -1 if they are no part of it. A short
 * stack can be at several places: the one that is nearest to @near is taken.
 */
long brbe_place(const struct brbe_sample *s, const struct brbe_step *path, size_t n, long near);

/*
 * Emulated machines are slow. Lifts perf's limits on the rate of samples, and the driver's on the age
 * of records, until brbe_slow_end(). Only root can
 */
void brbe_slow_begin(void);
void brbe_slow_end(void);
void brbe_max_age(const char *us);	/* what brbe_slow_begin() sets it to from here on */

#define NEED_BRBE(unit)								\
	struct unit unit;							\
										\
	NEED(!brbe_find(&(unit)), "FEAT_BRBE (no PMU with caps/branches)")

#define NEED_BRBE_SESSION(unit)							\
	NEED_BRBE(unit);							\
	const char *missing = brbe_missing(&(unit));				\
										\
	NEED(!missing, "%s", missing)

#endif
