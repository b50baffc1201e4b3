// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deep sleep: v9_sleep.ko calls the CPU PM notifiers for a CPU that enters sleep, overwrites the
 * registers of its units, and calls the notifiers for the wake-up. The trace continues without
 * loss.
 */
#include "harness.h"
#include "ete.h"
#include "machine.h"
#include "work.h"

#define SLEEP	"/sys/module/v9_sleep/parameters"
#define NAPS	60

FIXTURE(naps)
{
	struct unit unit;
	int cpu;
	bool ready;
};

FIXTURE_SETUP(naps)
{
	if (!getenv("V9_MODULES"))
		SKIP(return, "V9_MODULES (where the modules are)");
	if (ete_find(&self->unit) || !self->unit.ours)
		SKIP(return, "v9_ete driver");
	if (self->unit.ncpus < 2)
		SKIP(return, "second CPU");
	if (getuid())
		SKIP(return, "root");
	if (!module_loaded("v9_sleep") && module_load("selftest/v9_sleep", ""))
		SKIP(return, "v9_sleep.ko for this kernel");
	self->cpu = unit_cpu(&self->unit, 1);
	ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
	self->ready = true;
}

FIXTURE_TEARDOWN(naps)
{
	if (self->ready)
		module_unload("v9_sleep");
}

/* Let @cpu sleep @times times, with a short time awake after each. */
static int nap(int cpu, unsigned int times)
{
	char text[32];

	snprintf(text, sizeof(text), "%d %u 300", cpu, times);
	return write_text(SLEEP "/nap", text);
}

/* Start a session on a CPU that has just slept without one. */
TEST_F(naps, session_after_a_nap)
{
	const struct unit unit = self->unit;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	ete_attr(&unit, &attr);
	for (int i = 0; i < 8; i++) {
		ASSERT_EQ(0, nap(self->cpu, 1));
		ASSERT_EQ(0, pin_to(self->cpu));
		ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(20000);
		FINISH(ring, attr, run);
		ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
		EXPECT_EQ(0, ring.flags & RING_LOSS);
		EXPECT_EQ(40000, run.in_spin);
		ring_close(&ring);
	}
}

/*
 * Each instruction of a known work is traced once, through many sleeps. The window continues
 * where it was.
 * shows: TRBE-UN2 TRBE-UN5
 */
TEST_F(naps, each_instruction_is_there)
{
	const struct unit unit = self->unit;
	struct spin_job job = { .n = 3000000 };
	unsigned int naps = read_number(SLEEP, "naps"), done = 0;
	struct perf_event_attr attr;

	ete_attr(&unit, &attr);
	for (int i = 0; i < 50 && done < NAPS; i++) {
		struct worker worker;
		struct ete_run run;
		struct ring ring;

		ASSERT_EQ(0, worker_start(&worker, self->cpu, spin_work, &job));
		ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 1024, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		worker_go(&worker);
		while (!worker_done(&worker))
			ASSERT_EQ(0, nap(self->cpu, 5));
		ASSERT_EQ(0, worker_wait(&worker));
		FINISH(ring, attr, run);
		done = read_number(SLEEP, "naps") - naps;
		TH_LOG("%u naps, %" PRIu64 " instructions, flags %#" PRIx64, done, run.in_spin,
		       ring.flags);
		EXPECT_EQ(0, ring.flags & RING_LOSS);
		EXPECT_EQ(2 * job.n, run.in_spin);
		ring_close(&ring);
	}
	EXPECT_GE(done, NAPS);
}

TEST_HARNESS_MAIN
