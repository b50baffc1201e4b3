// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that go offline and online while they are traced. */
#include "harness.h"

#include <unistd.h>

#include "ete.h"
#include "machine.h"
#include "work.h"

FIXTURE(cpu)
{
	struct unit unit;
	int cpu;
	struct busy *busy;
	struct worker worker;
	bool ready;
};

FIXTURE_SETUP(cpu)
{
	if (ete_find(&self->unit))
		SKIP(return, "no PMU of trace units (cs_etm with ETE)");
	if (!perfmon_allowed())
		SKIP(return, "CAP_PERFMON missing");
	if (self->unit.ncpus < 2)
		SKIP(return, "second CPU");
	self->cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	if (set_online(self->cpu, true))
		SKIP(return, "removable CPU");
	ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
	self->busy = new_shared(sizeof(*self->busy));
	ASSERT_NE(NULL, self->busy);
	ASSERT_EQ(0, worker_start(&self->worker, self->cpu, keep_busy, self->busy));
	self->ready = true;
}

FIXTURE_TEARDOWN(cpu)
{
	if (!self->ready)
		return;
	set_online(self->cpu, true);
	kill(self->worker.pid, SIGKILL);
	worker_wait(&self->worker);
}

/*
 * The trace up to then is complete and nothing follows: the driver's own teardown runs before
 * perf removes the event.
 */
TEST_F(cpu, offline_ends_cpu_session)
{
	const struct unit unit = self->unit;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 2048, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&self->worker);
	wait_rounds(self->busy, 50);
	ASSERT_EQ(0, set_online(self->cpu, false));
	wait_rounds(self->busy, 5);
	COLLECT(ring, attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_GE(run.in_spin, 50 * 2 * BUSY_SPIN);
	EXPECT_EQ(ring.page->aux_head, ring.page->aux_tail);

	/* After the CPU is online again the old event records nothing, or correct data. */
	ASSERT_EQ(0, set_online(self->cpu, true));
	wait_rounds(self->busy, 5);
	ring_disable(&ring);
	COLLECT(ring, attr, run);
	ring_close(&ring);
}

/* A new session on the CPU that is online again records. */
TEST_F(cpu, online_again_records)
{
	const struct unit unit = self->unit;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	ete_attr(&unit, &attr);
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, set_online(self->cpu, false));
		ASSERT_EQ(0, set_online(self->cpu, true));
		ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 512, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		ASSERT_EQ(0, pin_to(self->cpu));
		spin(30000);
		ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
		FINISH(ring, attr, run);
		EXPECT_EQ(60000, run.in_spin);
		ring_close(&ring);
	}
}

/* The session of a task follows it to another CPU, and its trace is complete. */
TEST_F(cpu, task_session_survives)
{
	const struct unit unit = self->unit;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, self->worker.pid, -1, 4096, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&self->worker);
	for (int i = 0; i < 3; i++) {
		wait_rounds(self->busy, 20);
		ASSERT_EQ(0, set_online(self->cpu, false));
		wait_rounds(self->busy, 20);
		ASSERT_EQ(0, set_online(self->cpu, true));
	}
	self->busy->stop = true;
	ASSERT_EQ(0, worker_wait(&self->worker));
	FINISH(ring, attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(self->busy->rounds * 2 * BUSY_SPIN, run.in_spin);
	ring_close(&ring);
	self->ready = false;
}

/* Opening an event on an offline CPU fails, or the event waits. Nothing is written. */
TEST_F(cpu, session_on_absent_cpu)
{
	const struct unit unit = self->unit;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	ete_attr(&unit, &attr);
	ASSERT_EQ(0, set_online(self->cpu, false));
	if (!ring_open(&ring, &attr, -1, self->cpu, 64, 0)) {
		ring_enable(&ring);
		spin(10000);
		EXPECT_EQ(0, ring.page->aux_head);
		ring_close(&ring);
	}
	ASSERT_EQ(0, set_online(self->cpu, true));
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	FINISH(ring, attr, run);
	ring_close(&ring);
}

/* Reading an event in error state returns 0 bytes. */
static ssize_t count_of(const struct ring *ring)
{
	uint64_t count;

	return read(ring->fd, &count, sizeof(count));
}

/* A CPU comes online for the first time after the driver was loaded, and has no usable unit. */
TEST(pinned_event_waits_where_no_unit_is_used)
{
	struct perf_event_attr attr;
	int cpu = absent_cpu();
	struct ete_run run;
	struct ring ring;
	char dir[16];

	NEED_SESSION(unit);
	NEED(getenv("V9_LEFT_OUT") && cpu > 0, "V9_LEFT_OUT (an absent CPU that cannot be traced)");
	ete_attr(&unit, &attr);
	attr.pinned = 1;
	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(5000);
	ASSERT_EQ(0, set_online(cpu, true));
	snprintf(dir, sizeof(dir), "cpu%d", cpu);
	EXPECT_FALSE(unit_has(&unit, dir));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, pin_to(cpu));
		spin(5000);
		EXPECT_EQ(sizeof(uint64_t), count_of(&ring));
		ASSERT_EQ(0, pin_to(0));
		spin(5000);
	}
	FINISH(ring, attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(4 * 10000, run.in_spin);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
