// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deep idle states: v9_sleep.ko calls the CPU PM notifiers for a CPU that enters one, overwrites the
 * registers of its units, and calls the notifiers for the exit. The session continues without loss.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "watch_unit.h"
#include "work.h"

#define SLEEP	"/sys/module/v9_sleep/parameters"
#define SLEEPS	120

FIXTURE(sleep)
{
	struct unit unit;
	struct perf_event_attr attr;
	int cpu;
	bool ready;
};

UNIT_VARIANTS(sleep, const struct watch_unit *of, &watch_spe, &watch_ete);

FIXTURE_SETUP(sleep)
{
	const char *inexact;

	if (!getenv("V9_MODULES"))
		SKIP(return, "V9_MODULES (where the modules are)");
	if (variant->of->find(&self->unit) || !self->unit.ours)
		SKIP(return, "%s driver", variant->of->driver);
	inexact = variant->of->inexact(&self->unit);
	if (inexact)
		SKIP(return, "%s", inexact);
	if (self->unit.ncpus < 2)
		SKIP(return, "second CPU");
	if (getuid())
		SKIP(return, "root");
	if (!module_loaded("v9_sleep") && module_load("selftest/v9_sleep", ""))
		SKIP(return, "v9_sleep.ko for this kernel");
	self->cpu = unit_cpu(&self->unit, 1);
	variant->of->attr(&self->unit, &self->attr);
	ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
	self->ready = true;
}

FIXTURE_TEARDOWN(sleep)
{
	if (self->ready)
		module_unload("v9_sleep");
}

/* Instructions of spin() in all data that was read so far */
static uint64_t decode(struct __test_metadata *_metadata, const struct watch_unit *of,
		       const struct unit *unit, const struct perf_event_attr *attr,
		       struct ring *ring)
{
	struct recorded recorded = { 0 };
	const char *why;

	EXPECT_EQ(0, ring_drain(ring));
	EXPECT_EQ(NULL, ring->wrong);
	why = of->decode(unit, attr, ring, &recorded);
	EXPECT_EQ(NULL, why)
		TH_LOG("%s", why);
	return recorded.spin;
}

#define RECORDED(ring)	decode(_metadata, variant->of, &self->unit, &self->attr, ring)

/* Instructions between two samples; a trace has all. */
static uint64_t interval(const struct perf_event_attr *attr)
{
	return attr->sample_period ? attr->sample_period + 1 : 0;
}

/* Start a session on a CPU that has just slept without one. */
TEST_F(sleep, session_after_sleep)
{
	const uint64_t n = 200000;
	struct ring ring;

	for (int i = 0; i < 8; i++) {
		uint64_t got;

		ASSERT_EQ(0, let_sleep(self->cpu, 1));
		ASSERT_EQ(0, pin_to(self->cpu));
		ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 64, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(n);
		ASSERT_EQ(0, ring_disable(&ring));
		got = RECORDED(&ring);
		ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
		EXPECT_EQ(0, ring.flags & RING_LOSS);
		EXPECT_GE(got + 2 * interval(&self->attr), 2 * n);
		EXPECT_LE(got, 2 * n + interval(&self->attr));
		ring_close(&ring);
	}
}

/*
 * Each sample of a known work is recorded once, and each instruction is traced once, through many
 * sleeps. The window and the interval counter continue where they were.
 * shows: SPE-CS3 SPE-CS8 SPE-RA1 TRBE-UN2 TRBE-UN5
 */
TEST_F(sleep, all_is_recorded_once)
{
	unsigned int before = read_number(SLEEP, "count"), done = 0;
	struct spin_job job = { .n = 5000000 };

	for (int i = 0; i < 50 && done < SLEEPS; i++) {
		struct worker worker;
		struct ring ring;
		uint64_t got;

		ASSERT_EQ(0, worker_start(&worker, self->cpu, spin_work, &job));
		ASSERT_EQ(0, ring_open(&ring, &self->attr, worker.pid, -1,
				       watch_pages(variant->of, &self->unit, 1024), 0));
		ASSERT_EQ(0, ring_enable(&ring));
		worker_go(&worker);
		while (!worker_done(&worker))
			ASSERT_EQ(0, let_sleep(self->cpu, 5));
		ASSERT_EQ(0, worker_wait(&worker));
		ASSERT_EQ(0, ring_disable(&ring));
		got = RECORDED(&ring);
		done = read_number(SLEEP, "count") - before;
		TH_LOG("%u sleeps, %" PRIu64 " instructions, flags %#" PRIx64, done, got,
		       ring.flags);
		EXPECT_EQ(0, ring.flags & RING_LOSS);
		/* The first and the last sample may be outside of spin(). */
		EXPECT_GE(got + 2 * interval(&self->attr), 2 * job.n);
		EXPECT_LE(got, 2 * job.n + 2 * interval(&self->attr));
		ring_close(&ring);
	}
	EXPECT_GE(done, SLEEPS);
}

/* The buffer becomes full in between, and is still full after the sleep. */
TEST_F(sleep, small_buffer)
{
	unsigned int before = read_number(SLEEP, "count");
	bool *stop = new_shared(sizeof(*stop));
	struct worker worker;
	struct ring ring;

	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, worker_start(&worker, self->cpu, spin_until_stop, stop));
	variant->of->dense(&self->unit, &self->attr);
	ASSERT_EQ(0, ring_open(&ring, &self->attr, -1, self->cpu, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	for (int i = 0; i < 60; i++) {
		ASSERT_EQ(0, let_sleep(self->cpu, 5));
		ASSERT_EQ(0, ring_drain(&ring));
		ASSERT_EQ(0, ring_enable(&ring));
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ASSERT_EQ(0, ring_disable(&ring));
	EXPECT_GT(RECORDED(&ring), 0);
	TH_LOG("%lu sleeps, %zu bytes", read_number(SLEEP, "count") - before, ring.nbytes);
	EXPECT_EQ(300, read_number(SLEEP, "count") - before);
	EXPECT_GE(ring.nbytes, 3 * ring.aux_size);
	ring_close(&ring);
}

static uint64_t head_of(const struct ring *ring)
{
	return __atomic_load_n(&ring->page->aux_head, __ATOMIC_ACQUIRE);
}

/*
 * A session that stopped for lack of space stays stopped over sleeps until data is read.
 * shows: SPE-CS6
 */
TEST_F(sleep, full_buffer_stays_full)
{
	bool *stop = new_shared(sizeof(*stop));
	struct worker worker;
	struct ring ring;
	uint64_t head;

	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, worker_start(&worker, self->cpu, spin_until_stop, stop));
	variant->of->dense(&self->unit, &self->attr);
	ASSERT_EQ(0, ring_open(&ring, &self->attr, -1, self->cpu, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	while (!ring_truncated(&ring))
		usleep(1000);
	head = head_of(&ring);
	ASSERT_EQ(0, let_sleep(self->cpu, 5));
	usleep(100000);
	EXPECT_EQ(head, head_of(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 200 && head_of(&ring) == head; i++)
		usleep(50000);
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ASSERT_EQ(0, ring_disable(&ring));
	RECORDED(&ring);
	EXPECT_GT(ring.nbytes, head);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
