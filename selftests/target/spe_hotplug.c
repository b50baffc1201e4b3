// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that go and come back while they are profiled. */
#include "harness.h"

static int set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return spe_write_text(path, online ? "1" : "0");
}

/* Goes on until told to stop; counts its rounds. */
struct busy {
	volatile bool stop;
	volatile uint64_t rounds;
};

static void keep_busy(void *arg)
{
	struct busy *busy = arg;

	while (!busy->stop) {
		spin(10000);
		busy->rounds++;
	}
}

static void wait_rounds(struct busy *busy, uint64_t more)
{
	uint64_t until = busy->rounds + more;

	while (busy->rounds < until)
		usleep(1000);
}

/* Taking a CPU away can last long, and all the while the busy task is sampled. */
static void slow_attr(const struct spe_unit *unit, struct perf_event_attr *attr)
{
	spe_attr(unit, attr);
	attr->sample_period = 16384;
}

FIXTURE(cpu)
{
	struct spe_unit unit;
	int cpu;
	struct busy *busy;
	struct worker worker;
	bool ready;
};

FIXTURE_SETUP(cpu)
{
	if (spe_find(&self->unit))
		SKIP(return, "no SPE PMU (arm_spe_*)");
	if (!spe_perfmon_allowed())
		SKIP(return, "CAP_PERFMON missing");
	if (self->unit.ncpus < 2)
		SKIP(return, "second CPU");
	self->cpu = spe_cpu(&self->unit, self->unit.ncpus - 1);
	if (set_online(self->cpu, true))
		SKIP(return, "removable CPU");
	ASSERT_EQ(0, pin_to(spe_cpu(&self->unit, 0)));
	self->busy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->busy);
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
 * What was recorded until then is whole and nothing follows: the driver's own
 * teardown runs before perf takes the event away.
 */
TEST_F(cpu, offline_ends_cpu_session)
{
	struct perf_event_attr attr;
	struct spe_ring ring;
	struct spe_recs recs;

	slow_attr(&self->unit, &attr);
	attr.config = 1;
	ASSERT_EQ(0, spe_open(&ring, &attr, -1, self->cpu, 1024, 0));
	ASSERT_EQ(0, spe_enable(&ring));
	worker_go(&self->worker);
	wait_rounds(self->busy, 50);
	ASSERT_EQ(0, set_online(self->cpu, false));
	wait_rounds(self->busy, 5);
	ASSERT_EQ(0, spe_drain(&ring));
	DECODE(ring, recs);
	EXPECT_EQ(0, ring.flags & SPE_LOSS);
	EXPECT_GE(spe_in_spin(&recs), 50 * 20000 / (attr.sample_period + 200));
	EXPECT_EQ(ring.page->aux_head, ring.page->aux_tail);
	spe_free(&recs);

	/* Back again, the old event has nothing more to say, or goes on; never garbage. */
	ASSERT_EQ(0, set_online(self->cpu, true));
	wait_rounds(self->busy, 5);
	spe_disable(&ring);
	COLLECT(ring, recs);
	spe_close(&ring);
}

/* A new session on the CPU that came back records. */
TEST_F(cpu, online_again_records)
{
	struct perf_event_attr attr;
	struct spe_ring ring;
	struct spe_recs recs;

	worker_go(&self->worker);
	spe_attr(&self->unit, &attr);
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, set_online(self->cpu, false));
		ASSERT_EQ(0, set_online(self->cpu, true));
		ASSERT_EQ(0, spe_open(&ring, &attr, -1, self->cpu, 512, 0));
		ASSERT_EQ(0, spe_enable(&ring));
		/* The busy task has been moved away: something has to run there. */
		ASSERT_EQ(0, pin_to(self->cpu));
		spin(300000);
		ASSERT_EQ(0, pin_to(spe_cpu(&self->unit, 0)));
		FINISH(ring, recs);
		EXPECT_GE(spe_in_spin(&recs), 600000 / (attr.sample_period + 1) - 2);
		spe_free(&recs);
		spe_close(&ring);
	}
}

/* A task's session follows the task to the CPU that is left. */
TEST_F(cpu, task_session_survives)
{
	uint64_t before, after;
	struct perf_event_attr attr;
	struct spe_ring ring;
	struct spe_recs recs;

	slow_attr(&self->unit, &attr);
	ASSERT_EQ(0, spe_open(&ring, &attr, self->worker.pid, -1, 1024, 0));
	ASSERT_EQ(0, spe_enable(&ring));
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
	EXPECT_EQ(0, ring.flags & SPE_LOSS);
	if (self->unit.arch_inst) {
		EXPECT_GE(spe_in_spin(&recs) + 4, before * 20000 / (attr.sample_period + 1));
		EXPECT_LE(spe_in_spin(&recs), (after + 1) * 20000 / (attr.sample_period + 1) + 4);
	}
	spe_close(&ring);
}

/* Opening on a CPU that is away fails or waits; it must not write. */
TEST_F(cpu, session_on_absent_cpu)
{
	struct perf_event_attr attr;
	struct spe_ring ring;
	struct spe_recs recs;

	spe_attr(&self->unit, &attr);
	ASSERT_EQ(0, set_online(self->cpu, false));
	if (!spe_open(&ring, &attr, -1, self->cpu, 64, 0)) {
		spe_enable(&ring);
		spin(100000);
		EXPECT_EQ(0, ring.page->aux_head);
		spe_close(&ring);
	}
	ASSERT_EQ(0, set_online(self->cpu, true));
	ASSERT_EQ(0, spe_open(&ring, &attr, -1, self->cpu, 64, 0));
	ASSERT_EQ(0, spe_enable(&ring));
	FINISH(ring, recs);
	spe_close(&ring);
}

TEST_HARNESS_MAIN
