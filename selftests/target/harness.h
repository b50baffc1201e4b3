/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's harness, and the few sentences every SPE test begins with. */
#ifndef V9_SELFTEST_HARNESS_H
#define V9_SELFTEST_HARNESS_H

#include "kselftest_harness.h"

#include <inttypes.h>

#include "spe.h"

/* Emulated machines are slow; a time limit is there to end a hang, not to measure. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 180

#define NEED(cond, ...)								\
	do {									\
		if (!(cond))							\
			SKIP(return, __VA_ARGS__);				\
	} while (0)

#define NEED_UNIT(unit)								\
	struct spe_unit unit;							\
										\
	NEED(!spe_find(&(unit)), "no SPE PMU (arm_spe_*)")

/* To record, too: whoever may not open such an event or lock its buffer is told so. */
#define NEED_SESSION(unit)							\
	NEED_UNIT(unit);							\
	const char *missing = spe_missing(&(unit));				\
										\
	NEED(!missing, "%s", missing)

#define NEED_PERFMON()								\
	NEED(spe_perfmon_allowed(), "CAP_PERFMON missing")

/*
 * End a session: stop, collect, decode, and hold what must hold for any
 * session whatever was recorded.
 */
#define FINISH(ring, recs)							\
	do {									\
		ASSERT_EQ(0, spe_disable(&(ring)));				\
		COLLECT(ring, recs);						\
	} while (0)

#define COLLECT(ring, recs)							\
	do {									\
		ASSERT_EQ(0, spe_drain(&(ring)));				\
		DECODE(ring, recs);						\
	} while (0)

#define DECODE(ring, recs)							\
	do {									\
		EXPECT_EQ(NULL, (ring).wrong)					\
			TH_LOG("%s", (ring).wrong);				\
		ASSERT_EQ(0, spe_records(&(ring), &(recs)))			\
			TH_LOG("%s at AUX position %zu of %zu", (recs).why,	\
			       (recs).bad_at, (ring).nbytes);			\
	} while (0)

#endif
