// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that go offline and online while they are profiled. */
#include "harness.h"
#include "machine.h"
#include "spe.h"
#include "work.h"

/* Fewer samples, because taking a CPU offline can be slow while the busy task is sampled. */
static void slow_attr(const struct unit *unit, struct perf_event_attr *attr)
{
	spe_attr(unit, attr);
	attr->sample_period = 16384;
}

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
	if (spe_find(&self->unit))
		SKIP(return, "FEAT_SPE (no PMU arm_spe_*)");
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
 * The data recorded up to then is complete and nothing follows: the driver's own teardown runs
 * before perf removes the event.
 */
TEST_F(cpu, offline_ends_cpu_session)
{
	struct perf_event_attr attr;
	struct spe_recs recs;
	struct unit now;
	struct ring ring;

	slow_attr(&self->unit, &attr);
	attr.config = 1;
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 1024, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&self->worker);
	wait_rounds(self->busy, 50);
	ASSERT_EQ(0, set_online(self->cpu, false));
	wait_rounds(self->busy, 5);
	ASSERT_EQ(0, ring_drain(&ring));
	DECODE(ring, recs);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_GE(spe_in_spin(&recs), 50 * 20000 / (attr.sample_period + 200));
	EXPECT_EQ(ring.page->aux_head, ring.page->aux_tail);
	spe_free(&recs);

	/* After the CPU is online again the old event records nothing, or correct data. */
	ASSERT_EQ(0, set_online(self->cpu, true));
	wait_rounds(self->busy, 5);
	ring_disable(&ring);
	COLLECT(ring, recs);
	ring_close(&ring);

	/* The CPU is in the cpumask again. */
	ASSERT_EQ(0, spe_find(&now));
	EXPECT_TRUE(CPU_EQUAL(&self->unit.cpus, &now.cpus));
}

/* A new session on the CPU that is online again records. */
TEST_F(cpu, online_again_records)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	worker_go(&self->worker);
	spe_attr(&self->unit, &attr);
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, set_online(self->cpu, false));
		ASSERT_EQ(0, set_online(self->cpu, true));
		ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 512, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		/* The busy task was moved to another CPU, so run something here. */
		ASSERT_EQ(0, pin_to(self->cpu));
		spin(300000);
		ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
		FINISH(ring, recs);
		EXPECT_GE(spe_in_spin(&recs), 600000 / (attr.sample_period + 1) - 2);
		spe_free(&recs);
		ring_close(&ring);
	}
}

/* The session of a task follows it to another CPU. */
TEST_F(cpu, task_session_survives)
{
	uint64_t before, after;
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	slow_attr(&self->unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, self->worker.pid, -1, 1024, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&self->worker);
	for (int i = 0; i < 3; i++) {
		wait_rounds(self->busy, 20);
		ASSERT_EQ(0, set_online(self->cpu, false));
		wait_rounds(self->busy, 20);
		ASSERT_EQ(0, set_online(self->cpu, true));
	}
	before = self->busy->rounds;
	FINISH(ring, recs);
	after = self->busy->rounds;
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	if (self->unit.arch_inst) {
		EXPECT_GE(spe_in_spin(&recs) + 4, before * 20000 / (attr.sample_period + 1));
		EXPECT_LE(spe_in_spin(&recs), (after + 1) * 20000 / (attr.sample_period + 1) + 4);
	}
	ring_close(&ring);
}

/* Opening an event on an offline CPU fails, or the event waits. Nothing is written. */
TEST_F(cpu, session_on_absent_cpu)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	spe_attr(&self->unit, &attr);
	ASSERT_EQ(0, set_online(self->cpu, false));
	if (!ring_open(&ring, &attr, -1, self->cpu, 64, 0)) {
		ring_enable(&ring);
		spin(100000);
		EXPECT_EQ(0, ring.page->aux_head);
		ring_close(&ring);
	}
	ASSERT_EQ(0, set_online(self->cpu, true));
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	FINISH(ring, recs);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
