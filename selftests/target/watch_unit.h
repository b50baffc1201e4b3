/* SPDX-License-Identifier: GPL-2.0-only */
/* What watch.h needs to know of SPE and of ETE. */
#ifndef V9_SELFTEST_WATCH_UNIT_H
#define V9_SELFTEST_WATCH_UNIT_H

#include "ring.h"

/* Recorded instructions in spin(), in other(), anywhere */
struct recorded {
	uint64_t spin, other, all;
};

/**
 * struct watch_unit - what the tests need to know of a unit
 * @driver: name of our driver
 * @find: finds the PMU; 0 or -errno
 * @missing: what prevents a session, or NULL
 * @inexact: why the number of recorded instructions says nothing, or NULL
 * @speculates: true if its data have instructions of wrong paths, which are cancelled
 * @attr: sets the attributes of an event: user space only, disabled
 * @dense: likewise, of an event that fills its buffer quickly
 * @refuses: true if buffers of so many pages, overwritten or not, are refused with -ENOMEM
 * @decode: decodes all bytes of a ring and adds its instructions to the counts;
 *	NULL or what is wrong. A trace of the kernel is not decoded and counts as one instruction
 * @interval: instructions that a record of such an event stands for; 1 if all are recorded
 * @slack: permitted error for so many instructions
 */
struct watch_unit {
	const char *driver;
	int (*find)(struct unit *unit);
	const char *(*missing)(const struct unit *unit);
	const char *(*inexact)(const struct unit *unit);
	bool (*speculates)(const struct unit *unit);
	void (*attr)(const struct unit *unit, struct perf_event_attr *attr);
	void (*dense)(const struct unit *unit, struct perf_event_attr *attr);
	bool (*refuses)(const struct unit *unit, unsigned int pages, bool overwrite);
	const char *(*decode)(const struct unit *unit, const struct perf_event_attr *attr,
			      struct ring *ring, struct recorded *recorded);
	uint64_t (*interval)(const struct perf_event_attr *attr);
	uint64_t (*slack)(uint64_t insns);
};

extern const struct watch_unit watch_spe, watch_ete;

/*
 * Pages of a buffer for what a test records: @pages, or more of a unit that speculates, whose data are some eight times
 * as large.
 */
static inline unsigned int watch_pages(const struct watch_unit *of, const struct unit *unit, unsigned int pages)
{
	return of->speculates(unit) ? 8 * pages : pages;
}

/* Like NEED_SESSION() of one unit, in a FIXTURE_SETUP(): finds the PMU of @of. */
#define NEED_SESSION_OF(of, unit)						\
	do {									\
		const char *missing_;						\
										\
		if ((of)->find(unit))						\
			SKIP(return, "PMU of %s", (of)->driver);		\
		missing_ = (of)->missing(unit);					\
		if (missing_)							\
			SKIP(return, "%s", missing_);				\
	} while (0)

#endif
