/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the ETE kselftests: finds the unit, decodes AUX bytes to executed instructions. */
#ifndef V9_SELFTEST_ETE_H
#define V9_SELFTEST_ETE_H

#include "../../tools/lib/flow.h"
#include "ring.h"
#include "work.h"

/* Options of the event, at their bits in format/ */
#define ETE_TIMESTAMP(n)	((uint64_t)(n) << 4)
#define ETE_BROADCAST		(1ULL << 8)
#define ETE_CYCLES		(1ULL << 12)
#define ETE_CONTEXTID1		(1ULL << 14)
#define ETE_CONTEXTID2		(1ULL << 15)
#define ETE_OLD_TIMESTAMP	(1ULL << 28)
#define ETE_RETSTACK		(1ULL << 29)

int ete_find(struct unit *unit);

/* Sets the attributes of an event: user space only, no option, disabled. */
void ete_attr(const struct unit *unit, struct perf_event_attr *attr);

/* Likewise, with branch broadcast: each round of spin() takes some bytes of trace, not a bit. */
void ete_dense_attr(const struct unit *unit, struct perf_event_attr *attr);
const char *ete_missing(const struct unit *unit);

/* Reads an ID register from the directory of the unit's first CPU; @file as "trcidr/trcidr0". */
uint64_t ete_register(const struct unit *unit, const char *file);

/*
 * Returns true if the unit sees speculative execution (TRCIDR8.MAXSPEC). Its trace has the packets of wrong
 * paths, too, and its address and context comparators may match there (ETE-I_WDJPG).
 */
bool ete_speculates(const struct unit *unit);

/* Pages of a buffer for what takes @pages on a unit that does not see speculative execution */
unsigned int ete_pages(const struct unit *unit, unsigned int pages);

/* Returns the option that traces the ID of a thread; 0 if the unit has none. */
uint64_t ete_thread_option(const struct unit *unit);

/* Returns true if the kernel runs at EL2. */
bool ete_kernel_at_el2(const struct unit *unit);

/*
 * Return true if a TRBE overwrites the beginning of a full buffer and writes behind its end, on
 * @cpu or on any CPU of the unit: errata 2119858 and 2224489, on Neoverse N2 2139208 and 2253138.
 * On such CPUs a buffer has at least four pages, and part of each window stays empty.
 */
bool ete_cpu_overruns(int cpu);
bool ete_overruns(const struct unit *unit);
/* The module was loaded with plain=1 (V9_PLAIN): Fill mode, no trigger. */
bool ete_plain(void);

/* The hypervisor limits the buffer of the unit to fewer than @pages pages (V9_BUFFER_LIMIT). */
bool ete_limited_below(unsigned int pages);

#define WITHOUT_ERRATUM "CPUs without errata 2119858 and 2139208"

#define SPIN_CODE	spin_start, spin_end - spin_start
#define OTHER_CODE	other_start, other_end - other_start

/* Appends an address filter "ACTION OFFSET[/SIZE]@FILE" to @text, for code of this program. */
void ete_add_filter(char *text, size_t room, const char *action, const void *at, size_t size);
int ete_set_filter(struct ring *ring, const char *text);

/* What the trace of a session contains. The code is that of the calling process. */
struct ete_run {
	/* set by the caller, or 0: count executions of each instruction in a range */
	uint64_t from, to;
	unsigned int *hits;

	uint64_t insns, in_spin;
	uint64_t unplaced;		/* instructions of Q elements whose path is not known */
	uint64_t exceptions, by_type[32];
	uint64_t above;			/* records above EL0: ranges, unplaced, gaps without code */
	uint64_t gaps[V9_FLOW_WHYS];
	uint64_t times, first_time, last_time;
	bool time_goes_back;
	uint64_t cycles, counts;	/* sum of cycles, number of counts that had a value */
	uint64_t threads[4];		/* different IDs: vmid << 32 | contextid */
	unsigned int nthreads;
	uint64_t events[4], event_at[4]; /* number of each, byte position of the first */
	uint64_t spin_before[4];	/* in_spin at the last event */
	struct {			/* instrumentation (TRCIT) */
		uint64_t value, spin_before;
		unsigned int el;
	} values[64];
	unsigned int nvalues;		/* may exceed ARRAY_SIZE(values) */
	struct v9_ete_account acc;
	const char *why;		/* reason of the failure, or NULL */
	uint64_t bad_at;
};

int ete_walk(const struct unit *unit, const struct perf_event_attr *attr, const struct ring *ring,
	     struct ete_run *run);

/*
 * Like ete_walk(), for @n bytes without AUX records. @bytes may begin at any point of the trace;
 * decoding starts at the first synchronization.
 */
int ete_walk_bytes(const struct unit *unit, const struct perf_event_attr *attr,
		   const uint8_t *bytes, size_t n, struct ete_run *run);

#define NEED_UNIT(unit)								\
	struct unit unit;							\
										\
	NEED(!ete_find(&(unit)), "no PMU of trace units (cs_etm with ETE)")

/* Like NEED_UNIT(). Also skips if the caller may not open such an event or lock its buffer. */
#define NEED_SESSION(unit)							\
	NEED_UNIT(unit);							\
	const char *missing = ete_missing(&(unit));				\
										\
	NEED(!missing, "%s", missing)

/*
 * End a session: stop it, collect and decode its data, and check what holds for each session
 * whatever it recorded.
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
