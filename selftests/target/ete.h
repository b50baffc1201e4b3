/* SPDX-License-Identifier: GPL-2.0-only */
/* What the ETE kselftests share: the unit, and AUX bytes to what was executed. */
#ifndef V9_SELFTEST_ETE_H
#define V9_SELFTEST_ETE_H

#include "../../tools/decode/flow.h"
#include "ring.h"
#include "work.h"

/* Options, where format/ has them. */
#define ETE_TIMESTAMP(n)	((uint64_t)(n) << 4)
#define ETE_BROADCAST		(1ULL << 8)
#define ETE_CYCLES		(1ULL << 12)
#define ETE_CONTEXTID1		(1ULL << 14)
#define ETE_CONTEXTID2		(1ULL << 15)
#define ETE_OLD_TIMESTAMP	(1ULL << 28)
#define ETE_RETSTACK		(1ULL << 29)

int ete_find(struct unit *unit);

/* User space only, no option, disabled until asked. */
void ete_attr(const struct unit *unit, struct perf_event_attr *attr);
const char *ete_missing(const struct unit *unit);

/* A register as the files of a CPU's unit have it, "trcidr/trcidr0". */
uint64_t ete_register(const struct unit *unit, const char *file);

/* The option that puts the ID of a thread into the trace; 0 if the unit has none. */
uint64_t ete_thread_option(const struct unit *unit);

/* The kernel runs at EL2. */
bool ete_kernel_at_el2(const struct unit *unit);

/*
 * A full buffer overwrites its beginning, and what follows its end, on this CPU or any of the unit:
 * errata 2119858 and 2224489, of Neoverse N2 2139208 and 2253138. Such buffers have four pages at
 * least, and part of each window stays empty.
 */
bool ete_cpu_spoils(int cpu);
bool ete_spoils(const struct unit *unit);
#define WITHOUT_ERRATUM "CPUs without errata 2119858 and 2139208"

#define SPIN_CODE	spin_start, spin_end - spin_start
#define OTHER_CODE	other_start, other_end - other_start

/* Adds "ACTION OFFSET[/SIZE]@FILE" to @text, for a piece of this program. */
void ete_add_filter(char *text, size_t room, const char *action, const void *at, size_t size);
int ete_set_filter(struct ring *ring, const char *text);

/* What a session's trace says was executed. Code is the caller's own. */
struct ete_run {
	/* to be set before, or 0: count how often each instruction of a piece of code ran */
	uint64_t from, to;
	unsigned int *hits;

	uint64_t insns, in_spin;
	uint64_t exceptions, by_type[32];
	uint64_t above;			/* things at an exception level above that of users */
	uint64_t gaps[V9_FLOW_WHYS];
	uint64_t times, first_time, last_time;
	bool time_goes_back;
	uint64_t cycles, counts;	/* sum, and how many that had a number */
	uint64_t threads[4];		/* IDs met: vmid << 32 | contextid */
	unsigned int nthreads;
	uint64_t events[4], event_at[4]; /* how often, where in the bytes first */
	uint64_t spin_before[4];	/* in_spin at the last one */
	struct {			/* what was said with TRCIT */
		uint64_t value, spin_before;
		unsigned int el;
	} said[64];
	unsigned int nsaid;		/* may be more than are kept */
	struct v9_ete_account acc;
	const char *why;		/* what is wrong, if it failed */
	uint64_t bad_at;
};

int ete_walk(const struct unit *unit, const struct perf_event_attr *attr, const struct ring *ring,
	     struct ete_run *run);

/*
 * The same of bytes without records: @n of them, from position @at on, that may
 * begin in the middle of anything.
 */
int ete_walk_bytes(const struct unit *unit, const struct perf_event_attr *attr,
		   const uint8_t *bytes, size_t n, struct ete_run *run);

#define NEED_UNIT(unit)								\
	struct unit unit;							\
										\
	NEED(!ete_find(&(unit)), "no PMU of trace units (cs_etm with ETE)")

/* To record, too: whoever may not open such an event or lock its buffer is told so. */
#define NEED_SESSION(unit)							\
	NEED_UNIT(unit);							\
	const char *missing = ete_missing(&(unit));				\
										\
	NEED(!missing, "%s", missing)

/*
 * End a session: stop, collect, decode, and hold what must hold for any
 * session whatever was recorded.
 */
#define FINISH(ring, attr, run)							\
	do {									\
		ASSERT_EQ(0, ring_disable(&(ring)));				\
		COLLECT(ring, attr, run);					\
	} while (0)

#define COLLECT(ring, attr, run)						\
	do {									\
		ASSERT_EQ(0, ring_drain(&(ring)));				\
		DECODE(ring, attr, run);					\
	} while (0)

#define DECODE(ring, attr, run)							\
	do {									\
		memset(&(run), 0, sizeof(run));					\
		EXPECT_EQ(NULL, (ring).wrong)					\
			TH_LOG("%s", (ring).wrong);				\
		ASSERT_EQ(0, ete_walk(&unit, &(attr), &(ring), &(run)))		\
			TH_LOG("%s at AUX position %" PRIu64 " of %zu",		\
			       (run).why, (run).bad_at, (ring).nbytes);		\
	} while (0)

#endif
