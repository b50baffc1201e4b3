// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deep sleep: v9_sleep.ko calls the CPU PM notifiers for a CPU that enters sleep, overwrites the
 * registers of its units, and calls the notifiers for the wake-up. The session continues without
 * loss.
 */
#include "harness.h"
#include "machine.h"
#include "spe.h"
#include "work.h"

#define SLEEP	"/sys/module/v9_sleep/parameters"
#define NAPS	120

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
	if (spe_find(&self->unit) || !self->unit.ours)
		SKIP(return, "v9_spe driver");
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
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	spe_attr(&self->unit, &attr);
	for (int i = 0; i < 8; i++) {
		ASSERT_EQ(0, nap(self->cpu, 1));
		ASSERT_EQ(0, pin_to(self->cpu));
		ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(200000);
		FINISH(ring, recs);
		ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
		EXPECT_EQ(0, ring.flags & RING_LOSS);
		EXPECT_GE(spe_in_spin(&recs) + 2, 400000 / (attr.sample_period + 1));
		spe_free(&recs);
		ring_close(&ring);
	}
}

/*
 * Each sample of a known work is recorded once, through hundreds of sleeps. The window and the
 * interval counter continue where they were.
 * shows: SPE-CS3 SPE-CS8 SPE-RA1
 */
TEST_F(naps, each_sample_is_there)
{
	struct spin_job job = { .n = 15000000 };
	unsigned int naps = read_number(SLEEP, "naps"), done = 0;
	struct perf_event_attr attr;
	uint64_t want;

	NEED(self->unit.arch_inst, "ArchInst sampling");
	spe_attr(&self->unit, &attr);
	want = 2 * job.n / (attr.sample_period + 1);
	for (int i = 0; i < 50 && done < NAPS; i++) {
		struct worker worker;
		struct ring ring;
		struct spe_recs recs;

		ASSERT_EQ(0, worker_start(&worker, self->cpu, spin_work, &job));
		ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 1024, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		worker_go(&worker);
		while (!worker_done(&worker))
			ASSERT_EQ(0, nap(self->cpu, 5));
		ASSERT_EQ(0, worker_wait(&worker));
		FINISH(ring, recs);
		done = read_number(SLEEP, "naps") - naps;
		TH_LOG("%u naps, %zu of %" PRIu64 " records, flags %#" PRIx64, done, recs.n, want,
		       ring.flags);
		EXPECT_EQ(0, ring.flags & RING_LOSS);
		EXPECT_GE(recs.n, want);
		EXPECT_LE(recs.n, want + 2);
		spe_free(&recs);
		ring_close(&ring);
	}
	EXPECT_GE(done, NAPS);
}

/* The buffer becomes full in between, and is still full after the sleep. */
TEST_F(naps, small_buffer)
{
	unsigned int naps = read_number(SLEEP, "naps");
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	struct spe_recs recs;
	bool *told = new_shared(sizeof(*told));

	ASSERT_NE(NULL, told);
	ASSERT_EQ(0, worker_start(&worker, self->cpu, spin_until_told, told));
	spe_attr(&self->unit, &attr);
	attr.config = 1;
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	for (int i = 0; i < 60; i++) {
		ASSERT_EQ(0, nap(self->cpu, 5));
		ASSERT_EQ(0, ring_drain(&ring));
		ASSERT_EQ(0, ring_enable(&ring));
	}
	*told = true;
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, recs);
	TH_LOG("%lu naps, %zu records, %zu bytes", read_number(SLEEP, "naps") - naps, recs.n,
	       ring.nbytes);
	EXPECT_EQ(300, read_number(SLEEP, "naps") - naps);
	EXPECT_GE(ring.nbytes, 3 * ring.aux_size);
	spe_free(&recs);
	ring_close(&ring);
}

/* A session that stopped for lack of space stays stopped over sleeps until data is read. */
TEST_F(naps, full_buffer_stays_full)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	struct spe_recs recs;
	bool *told = new_shared(sizeof(*told));
	uint64_t head;

	ASSERT_NE(NULL, told);
	ASSERT_EQ(0, worker_start(&worker, self->cpu, spin_until_told, told));
	spe_attr(&self->unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, self->cpu, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	while (!ring_truncated(&ring))
		usleep(1000);
	head = __atomic_load_n(&ring.page->aux_head, __ATOMIC_ACQUIRE);
	ASSERT_EQ(0, nap(self->cpu, 5));
	usleep(100000);
	EXPECT_EQ(head, __atomic_load_n(&ring.page->aux_head, __ATOMIC_ACQUIRE));
	ASSERT_EQ(0, ring_drain(&ring));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 200 && ring.page->aux_head == head; i++)
		usleep(50000);
	*told = true;
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, recs);
	EXPECT_GT(ring.nbytes, head);
	spe_free(&recs);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
