// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader that pauses. The buffer of a CPU becomes full and the event is disabled. The reader
 * reads and enables the event once, and the session continues. One enable is sufficient however
 * early it comes, because the event must be off before the driver reports it.
 */
#include "harness.h"
#include "spe.h"
#include "work.h"

static uint64_t aux_head(const struct ring *ring)
{
	return __atomic_load_n(&ring->page->aux_head, __ATOMIC_ACQUIRE);
}

/* Returns true if head moves within 20 s. */
static bool goes_on(const struct ring *ring, uint64_t from)
{
	for (int i = 0; i < 20000 && aux_head(ring) == from; i++)
		usleep(1000);
	return aux_head(ring) != from;
}

/*
 * @pause: how long the reader sleeps after the buffer became full, in us; 0: not at all, it polls
 * for that moment.
 */
static void pauses(struct __test_metadata *_metadata, unsigned int rounds, unsigned int pause)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	struct spe_recs recs;
	unsigned int round;
	bool *stop = new_shared(sizeof(*stop));

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	NEED_PERFMON();
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), spin_until_stop, stop));
	spe_attr(&unit, &attr);
	attr.sample_period = unit.min_interval;
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, unit_cpu(&unit, 1), 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	for (round = 0; round < rounds; round++) {
		uint64_t head;

		for (int i = 0; i < 20000000 && !ring_truncated(&ring); i++)
			if (pause)
				usleep(1000);
		ASSERT_TRUE(ring_truncated(&ring));
		if (pause)
			usleep(pause);
		ASSERT_EQ(0, ring_drain(&ring));
		head = aux_head(&ring);
		ASSERT_EQ(0, ring_enable(&ring));
		if (!goes_on(&ring, head))
			break;
	}
	EXPECT_EQ(rounds, round)
		TH_LOG("silent after round %u", round);
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, recs);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	/* Each round filled most of the buffer, with samples of the busy task. */
	EXPECT_GE(ring.nbytes, rounds * ring.aux_size / 2);
	EXPECT_GE(spe_in_spin(&recs) + recs.n / 10, recs.n);
	spe_free(&recs);
	ring_close(&ring);
}

/* shows: SPE-CS5 */
TEST(reader_that_pauses)
{
	pauses(_metadata, 20, 20000);
}

TEST(reader_that_waits_for_full_buffer)
{
	struct unit unit;

	/* The in-tree driver reports before the event is off, and an early enable has no effect. */
	NEED(!spe_find(&unit) && unit.ours, "v9_spe driver");
	pauses(_metadata, 300, 0);
}

/*
 * A task is switched in and its buffer is full. The driver retries at each switch and continues
 * once there is room. The event was never off, so enabling it has no effect.
 */
TEST(full_when_task_is_scheduled)
{
	struct perf_event_attr attr;
	struct ring ring;
	uint64_t head;

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_spe driver");
	NEED(unit.ncpus > 1, "second CPU");
	/* Not CPU 0, because perf stores the CPU number in that case. */
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 1)));
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(300000);
	__atomic_store_n(&ring.page->aux_tail, aux_head(&ring) - ring.aux_size, __ATOMIC_RELEASE);
	leave_cpu();
	head = aux_head(&ring);
	EXPECT_LT(0, head);
	spin(300000);
	leave_cpu();
	EXPECT_EQ(head, aux_head(&ring));
	for (int i = 0; i < 5; i++) {
		head = aux_head(&ring);
		__atomic_store_n(&ring.page->aux_tail, head, __ATOMIC_RELEASE);
		if (!i)
			ASSERT_EQ(0, ring_enable(&ring));
		leave_cpu();
		spin(300000);
		leave_cpu();
		EXPECT_LT(head, aux_head(&ring)) TH_LOG("time %d", i);
	}
	ring_close(&ring);
}

TEST_HARNESS_MAIN
