// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace unit that overflows because the TRBE does not take its data in time, and the option to
 * stall the CPU instead. On the reference platform the buffer then rejects one in so many
 * packets. Other machines may never overflow, and these tests do not require it.
 */
#include "harness.h"

#include "ete.h"
#include "machine.h"
#include "work.h"

#define STALL(n)	((uint64_t)(n) << 58)
#define NOOVERFLOW	(1ULL << 62)

static int overflows(struct __test_metadata *_metadata, const struct unit *tested,
		     uint64_t config, struct ete_run *run)
{
	const struct unit unit = *tested;
	struct perf_event_attr attr;
	struct ring ring;

	ete_attr(&unit, &attr);
	attr.config = config;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(100000);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_EQ(NULL, ring.wrong) TH_LOG("%s", ring.wrong);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	/* The first synchronization may have been lost. */
	memset(run, 0, sizeof(*run));
	ASSERT_EQ(0, ete_walk_bytes(&unit, &attr, ring.bytes, ring.nbytes, run))
		TH_LOG("%s at %" PRIu64, run->why, run->bad_at);
	ring_close(&ring);
	return run->gaps[V9_FLOW_OVERFLOW];
}

/* shows: ETE-R_SCLVV ETE-R_YSPHL */
TEST(nothing_is_lost)
{
	struct ete_run run;
	int free_running, some;

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_ete driver");
	NEED(unit_has(&unit, "format/stall"), "stall");
	NEED(unit_has(&unit, "format/nooverflow"), "nooverflow");
	free_running = overflows(_metadata, &unit, 0, &run);
	some = overflows(_metadata, &unit, STALL(8), &run);
	EXPECT_EQ(0, overflows(_metadata, &unit, STALL(1) | NOOVERFLOW, &run));
	EXPECT_EQ(200000, run.in_spin);
	TH_LOG("overflows: %d, %d with stall=8", free_running, some);
	if (free_running > 20) {
		EXPECT_LT(some, free_running * 3 / 4);
		EXPECT_GT(some, 0);
	}
	/* The script that boots the machine sets V9_REJECT if the buffer rejects packets. */
	if (getenv("V9_REJECT"))
		EXPECT_GT(free_running, 20);
}

/* Unprivileged users may set it for their own programs, but not with the kernel. */
TEST(permitted_to_unprivileged)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	NEED(!getuid(), "root");
	NEED(unit_has(&unit, "format/nooverflow"), "nooverflow");
	ete_attr(&unit, &attr);
	attr.config = STALL(15) | NOOVERFLOW;
	attr.exclude_kernel = 1;
	EXPECT_EQ(0, as_nobody(ring_try, &attr));
	attr.exclude_kernel = 0;
	EXPECT_EQ(-EACCES, as_nobody(ring_try, &attr));
}

/* The next session of the CPU is not stalled. */
TEST(next_session_is_not_stalled)
{
	struct ete_run run;

	NEED_SESSION(unit);
	NEED(getenv("V9_REJECT"), "a buffer that refuses");
	EXPECT_EQ(0, overflows(_metadata, &unit, STALL(1) | NOOVERFLOW, &run));
	EXPECT_GT(overflows(_metadata, &unit, 0, &run), 20);
}

TEST_HARNESS_MAIN
