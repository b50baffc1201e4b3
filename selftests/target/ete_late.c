// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that were offline when v9_ete was loaded, and come online while others are traced. V9_LATE
 * is "joins" if their units match the CPU type of the first CPU, else "new_kind": their units
 * implement stalling. A session older than the first of them does not run there; all others do.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>

#include "ete.h"
#include "late.h"
#include "machine.h"
#include "work.h"

#define STALL(n)	((uint64_t)(n) << 58)

FIXTURE(late)
{
	struct unit unit;
	bool joins, follows;
	int cpu, log;
	struct perf_event_attr attr;
	struct ring ring;
};

/* A session of this task, on CPU 0. */
FIXTURE_SETUP(late)
{
	char dir[64];

	if (!getenv("V9_LATE"))
		SKIP(return, "V9_LATE (CPUs that were never online)");
	ASSERT_EQ(0, ete_find(&self->unit));
	self->joins = !strcmp(getenv("V9_LATE"), "joins");
	self->follows = self->joins || unit_has(&self->unit, "format/stall");
	self->cpu = absent_cpu();
	ASSERT_GT(self->cpu, 0);
	snprintf(dir, sizeof(dir), "cpu%d", self->cpu);
	EXPECT_FALSE(unit_has(&self->unit, dir));
	self->log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	lseek(self->log, 0, SEEK_END);
	ASSERT_EQ(0, pin_to(0));
	ete_attr(&self->unit, &self->attr);
	ASSERT_EQ(0, ring_open(&self->ring, &self->attr, 0, -1, 1024, 0));
	ASSERT_EQ(0, ring_enable(&self->ring));
	spin(5000);
	ASSERT_EQ(0, set_online(self->cpu, true));
	spin(5000);
	EXPECT_TRUE(unit_has(&self->unit, dir));
	EXPECT_EQ(!self->joins, unit_has(&self->unit, "format/stall"));
}

FIXTURE_TEARDOWN(late)
{
	if (self->cpu)
		close(self->log);
}

/* The session loses no data. It follows the task if it was opened with the CPU type known. */
TEST_F(late, session_follows)
{
	const struct unit unit = self->unit;
	struct ete_run run;

	/* No CPU of the new type has been online before this test, the first one. */
	EXPECT_EQ(self->joins, self->follows);
	for (int i = 0; i < 6; i++) {
		ASSERT_EQ(0, pin_to(i & 1 ? self->cpu : 0));
		spin(5000);
	}
	FINISH(self->ring, self->attr, run);
	EXPECT_EQ(0, self->ring.flags & RING_LOSS);
	EXPECT_EQ(2 * 10000 + (1 + self->follows) * 3 * 10000, run.in_spin);
	ring_close(&self->ring);
	EXPECT_EQ(!self->follows, log_lines(self->log, "v9_ete"));
}

/* On the next CPU: a session of the CPU, and a new session of a task, which runs everywhere. */
TEST_F(late, cpu_is_used)
{
	const struct unit unit = self->unit;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	FINISH(self->ring, self->attr, run);
	EXPECT_EQ(2 * 10000, run.in_spin);
	ring_close(&self->ring);
	attr = self->attr;
	if (!self->joins) {
		attr.config |= STALL(8);
		EXPECT_EQ(-EOPNOTSUPP, ring_event(&attr, 0, -1));
		EXPECT_EQ(-EOPNOTSUPP, ring_event(&attr, -1, 0));
	}
	ASSERT_EQ(0, pin_to(self->cpu));
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(5000);
	FINISH(ring, attr, run);
	EXPECT_EQ(10000, run.in_spin);
	ring_close(&ring);

	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 1024, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 6; i++) {
		ASSERT_EQ(0, pin_to(i & 1 ? self->cpu : 0));
		spin(5000);
	}
	FINISH(ring, self->attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(6 * 10000, run.in_spin);
	ring_close(&ring);
}

/* Record a session on the CPU that came online. */
static int session_at(int cpu)
{
	struct perf_event_attr attr;
	struct unit unit;
	int err = ete_find(&unit);

	if (err)
		return err;
	ete_attr(&unit, &attr);
	return late_session(&attr, cpu);
}

LATE_DRIVER("v9_spe")

/* After an allocation has failed a CPU is not used until it goes offline and online. */
TEST_F(driver, cpu_online_without_memory)
{
	struct unit unit;
	bool joins;
	int cpu;

	if (module_load("selftest/v9_fail", ""))
		SKIP(return, "v9_fail.ko for this kernel (CONFIG_KPROBES)");
	joins = !strcmp(getenv("V9_LATE"), "joins");
	cpu = late_reload("v9_ete");
	ASSERT_GT(cpu, 0) TH_LOG("%d", cpu);
	ASSERT_EQ(0, ete_find(&unit));
	EXPECT_FALSE(unit_has(&unit, "format/stall"));
	late_sweep(_metadata, "v9_ete", cpu, joins ? 3 : 5, session_at);
	EXPECT_EQ(!joins, unit_has(&unit, "format/stall"));
	ASSERT_EQ(0, module_unload("v9_ete"));
	EXPECT_NE(0, ete_find(&unit));
	ASSERT_EQ(0, module_load("v9_ete", ""));
	EXPECT_EQ(0, session_at(cpu));
}

/* The driver is loaded and unloaded while CPUs go online and offline. */
TEST_F(driver, cpu_online_during_reload)
{
	late_race(_metadata, "v9_ete", session_at);
}

TEST_F(driver, kernel_log_is_clean)
{
	EXPECT_EQ(0, log_complaints());
}

TEST_HARNESS_MAIN
