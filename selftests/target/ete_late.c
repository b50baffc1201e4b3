// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that were not there when v9_ete was loaded, and come while others are traced. V9_LATE is
 * "joins" if their units are like those of the first CPU, else "stays_out".
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>

#include "ete.h"
#include "machine.h"
#include "work.h"

FIXTURE(late)
{
	struct unit unit;
	bool joins;
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
	EXPECT_EQ(self->joins, unit_has(&self->unit, dir));
}

FIXTURE_TEARDOWN(late)
{
	if (self->cpu)
		close(self->log);
}

/* The session goes on, and loses nothing; it goes to the CPU with the task, if there is a unit. */
TEST_F(late, session_follows)
{
	const struct unit unit = self->unit;
	struct ete_run run;

	for (int i = 0; i < 6; i++) {
		ASSERT_EQ(0, pin_to(i & 1 ? self->cpu : 0));
		spin(5000);
	}
	FINISH(self->ring, self->attr, run);
	EXPECT_EQ(0, self->ring.flags & RING_LOSS);
	EXPECT_EQ(2 * 10000 + (1 + self->joins) * 3 * 10000, run.in_spin);
	ring_close(&self->ring);
	EXPECT_EQ(!self->joins, log_lines(self->log, "v9_ete"));
}

/* The next one: a session of its own. */
TEST_F(late, cpu_is_used_or_left_out)
{
	const struct unit unit = self->unit;
	struct ete_run run;
	struct ring ring;

	FINISH(self->ring, self->attr, run);
	EXPECT_EQ(2 * 10000, run.in_spin);
	ring_close(&self->ring);
	if (!self->joins) {
		EXPECT_EQ(-ENOENT, ring_event(&self->attr, -1, self->cpu));
		return;
	}
	ASSERT_EQ(0, pin_to(self->cpu));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, -1, self->cpu, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(5000);
	FINISH(ring, self->attr, run);
	EXPECT_EQ(10000, run.in_spin);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
