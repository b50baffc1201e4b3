// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that were not there when v9_spe was loaded, and come while others are profiled. V9_LATE is
 * "joins" if their units are like those of the first CPU, else "stays_out".
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>

#include "machine.h"
#include "spe.h"
#include "work.h"

FIXTURE(late)
{
	struct unit unit;
	bool joins;
	int cpu, log;
	struct busy *busy;
	struct worker worker;
	struct ring ring;
};

/* A session on CPU 0, where a task is busy. */
FIXTURE_SETUP(late)
{
	struct perf_event_attr attr;

	if (!getenv("V9_LATE"))
		SKIP(return, "V9_LATE (CPUs that were never online)");
	ASSERT_EQ(0, spe_find(&self->unit));
	self->joins = !strcmp(getenv("V9_LATE"), "joins");
	self->cpu = absent_cpu();
	ASSERT_GT(self->cpu, 0);
	EXPECT_FALSE(CPU_ISSET(self->cpu, &self->unit.cpus));
	self->log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lseek(self->log, 0, SEEK_END);
	self->busy = new_shared(sizeof(*self->busy));
	ASSERT_EQ(0, worker_start(&self->worker, 0, keep_busy, self->busy));
	spe_attr(&self->unit, &attr);
	attr.sample_period = 65536;
	ASSERT_EQ(0, ring_open(&self->ring, &attr, -1, 0, 1024, 0));
	ASSERT_EQ(0, ring_enable(&self->ring));
	worker_go(&self->worker);
	wait_rounds(self->busy, 10);
	ASSERT_EQ(0, set_online(self->cpu, true));
}

FIXTURE_TEARDOWN(late)
{
	if (self->busy) {
		self->busy->stop = true;
		worker_wait(&self->worker);
		close(self->log);
	}
}

/* The session that was there goes on and loses nothing. */
static void other_session_goes_on(struct __test_metadata *_metadata, struct busy *busy,
				  struct ring *ring)
{
	uint64_t rounds = busy->rounds;
	struct spe_recs recs;

	wait_rounds(busy, 10);
	FINISH(*ring, recs);
	EXPECT_EQ(0, ring->flags & RING_LOSS);
	EXPECT_GE(spe_in_spin(&recs) + 2, rounds * 2 * BUSY_SPIN / (65536 + 256));
	spe_free(&recs);
	ring_close(ring);
}

TEST_F(late, cpu_is_used_or_left_out)
{
	struct perf_event_attr attr;
	struct spe_recs recs;
	struct unit now;
	struct ring ring;

	ASSERT_EQ(0, unit_find(&now, self->unit.name));
	EXPECT_EQ(self->joins, !!CPU_ISSET(self->cpu, &now.cpus));
	EXPECT_EQ(self->unit.ncpus + self->joins, now.ncpus);
	EXPECT_EQ(!self->joins, log_lines(self->log, "v9_spe"));
	other_session_goes_on(_metadata, self->busy, &self->ring);
	spe_attr(&self->unit, &attr);
	if (!self->joins) {
		EXPECT_EQ(-ENOENT, ring_event(&attr, -1, self->cpu));
		return;
	}
	ASSERT_EQ(0, pin_to(self->cpu));
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(300000);
	FINISH(ring, recs);
	EXPECT_GE(spe_in_spin(&recs), 600000 / (attr.sample_period + 1) - 2);
	spe_free(&recs);
	ring_close(&ring);
}

/* The next one: a session of a task follows it there, if there is a unit for it. */
TEST_F(late, task_goes_there)
{
	struct perf_event_attr attr;
	struct spe_recs recs;
	struct ring ring;

	other_session_goes_on(_metadata, self->busy, &self->ring);
	spe_attr(&self->unit, &attr);
	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, pin_to(i & 1 ? self->cpu : 0));
		spin(30000);
	}
	FINISH(ring, recs);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_GE(spe_in_spin(&recs) + 12,
		  (1 + self->joins) * 5 * 60000 / (attr.sample_period + 1));
	EXPECT_LE(spe_in_spin(&recs), (1 + self->joins) * 5 * 60000 / attr.sample_period + 12);
	spe_free(&recs);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
