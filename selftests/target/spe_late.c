// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that were offline when v9_spe was loaded, and come online while others are profiled.
 * V9_LATE is "joins" if their units match the CPU type of the first CPU, else "new_kind": the
 * first of them adds a PMU, arm_spe_1, which the others use as well.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>

#include "late.h"
#include "machine.h"
#include "spe.h"
#include "work.h"

FIXTURE(late)
{
	struct unit unit;
	bool joins, brings;
	int cpu, log;
	struct busy *busy;
	struct worker worker;
	struct ring ring;
};

/* A session on CPU 0 with a busy task. */
FIXTURE_SETUP(late)
{
	struct perf_event_attr attr;
	struct unit other;

	if (!getenv("V9_LATE"))
		SKIP(return, "V9_LATE (CPUs that were never online)");
	ASSERT_EQ(0, unit_find(&self->unit, "arm_spe_0"));
	spe_fill(&self->unit);
	self->joins = !strcmp(getenv("V9_LATE"), "joins");
	self->brings = !self->joins && unit_find(&other, "arm_spe_1");
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

/* The existing session continues without loss. */
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

/* The PMU of the CPU that came online */
static int its_unit(struct unit *unit, const struct unit *first, bool joins)
{
	int err = unit_find(unit, joins ? first->name : "arm_spe_1");

	if (!err)
		spe_fill(unit);
	return err;
}

TEST_F(late, cpu_is_used)
{
	struct perf_event_attr attr;
	struct unit first, its;
	struct spe_recs recs;
	struct ring ring;

	ASSERT_EQ(0, unit_find(&first, self->unit.name));
	ASSERT_EQ(0, its_unit(&its, &first, self->joins));
	EXPECT_TRUE(CPU_ISSET(self->cpu, &its.cpus));
	EXPECT_EQ(self->unit.ncpus + self->joins, first.ncpus);
	EXPECT_EQ(self->brings, log_lines(self->log, "v9_spe"));
	other_session_goes_on(_metadata, self->busy, &self->ring);
	if (!self->joins) {
		spe_attr(&first, &attr);
		EXPECT_EQ(-ENOENT, ring_event(&attr, -1, self->cpu));
		EXPECT_NE(unit_has(&first, "format/discard"), unit_has(&its, "format/discard"));
	}
	spe_attr(&its, &attr);
	ASSERT_EQ(0, pin_to(self->cpu));
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(300000);
	FINISH(ring, recs);
	EXPECT_GE(spe_in_spin(&recs), 600000 / (attr.sample_period + 1) - 2);
	spe_free(&recs);
	ring_close(&ring);
}

/* On the next CPU: a task that runs there, with an event of each PMU if there are two. */
TEST_F(late, task_moves_to_the_cpu)
{
	struct unit unit[2] = { self->unit };
	struct perf_event_attr attr[2];
	struct spe_recs recs;
	struct ring ring[2];
	int n = 2 - self->joins;

	other_session_goes_on(_metadata, self->busy, &self->ring);
	ASSERT_EQ(0, pin_to(0));
	ASSERT_EQ(0, n == 1 ? 0 : its_unit(&unit[1], &unit[0], false));
	for (int i = 0; i < n; i++) {
		spe_attr(&unit[i], &attr[i]);
		ASSERT_EQ(0, ring_open(&ring[i], &attr[i], 0, -1, 256, 0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, pin_to(i & 1 ? self->cpu : 0));
		spin(30000);
	}
	for (int i = 0; i < n; i++) {
		FINISH(ring[i], recs);
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		EXPECT_GE(spe_in_spin(&recs) + 12, 2 / n * 5 * 60000 / (attr[i].sample_period + 1));
		EXPECT_LE(spe_in_spin(&recs), 2 / n * 5 * 60000 / attr[i].sample_period + 12);
		spe_free(&recs);
		ring_close(&ring[i]);
	}
}

static bool known(const char *name)
{
	struct unit unit;

	return !unit_find(&unit, name);
}

/* Record a session on the CPU that came online, with its PMU. */
static int session_at(int cpu)
{
	struct perf_event_attr attr;
	struct unit unit;
	int err = unit_find(&unit, known("arm_spe_1") ? "arm_spe_1" : "arm_spe_0");

	if (err)
		return err;
	spe_fill(&unit);
	spe_attr(&unit, &attr);
	return late_session(&attr, cpu);
}

LATE_DRIVER("v9_ete")

/*
 * After an allocation has failed a CPU has no PMU until it goes offline and online. Unloading
 * removes all PMUs.
 */
TEST_F(driver, cpu_online_without_memory)
{
	bool joins;
	int cpu;

	if (module_load("selftest/v9_fail", ""))
		SKIP(return, "v9_fail.ko for this kernel (CONFIG_KPROBES)");
	joins = !strcmp(getenv("V9_LATE"), "joins");
	cpu = late_reload("v9_spe");
	ASSERT_GT(cpu, 0) TH_LOG("%d", cpu);
	EXPECT_FALSE(known("arm_spe_1"));
	late_sweep(_metadata, "v9_spe", cpu, joins ? 0 : 8, session_at);
	EXPECT_EQ(!joins, known("arm_spe_1"));
	ASSERT_EQ(0, module_unload("v9_spe"));
	EXPECT_FALSE(known("arm_spe_0"));
	EXPECT_FALSE(known("arm_spe_1"));
	ASSERT_EQ(0, module_load("v9_spe", ""));
	EXPECT_EQ(!joins, known("arm_spe_1"));
	EXPECT_EQ(0, session_at(cpu));
}

/* The driver is loaded and unloaded while CPUs go online and offline. */
TEST_F(driver, cpu_online_during_reload)
{
	late_race(_metadata, "v9_spe", session_at);
}

TEST_F(driver, kernel_log_is_clean)
{
	EXPECT_EQ(0, log_complaints());
}

TEST_HARNESS_MAIN
