// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that go offline and online while they are recorded. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "watch_unit.h"
#include "work.h"

#define PERIOD	16384		/* taking a CPU offline is slow if its task is sampled often */

FIXTURE(cpu)
{
	struct unit unit;
	struct perf_event_attr attr;
	int cpu;
	struct busy *busy;
	struct worker worker;
	bool ready;
};

UNIT_VARIANTS(cpu, const struct watch_unit *of, &watch_spe, &watch_ete);

FIXTURE_SETUP(cpu)
{
	const char *missing;

	if (variant->of->find(&self->unit))
		SKIP(return, "PMU of %s", variant->of->driver);
	if (!perfmon_allowed())
		SKIP(return, "CAP_PERFMON missing");
	missing = variant->of->missing(&self->unit);
	if (missing)
		SKIP(return, "%s", missing);
	if (self->unit.ncpus < 2)
		SKIP(return, "second CPU");
	self->cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	if (set_online(self->cpu, true))
		SKIP(return, "removable CPU");
	variant->of->attr(&self->unit, &self->attr);
	if (self->attr.sample_period)
		self->attr.sample_period = PERIOD;
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

/* SPE samples at the begin and end of a session */
static uint64_t tolerance(const struct unit *unit, const struct perf_event_attr *attr, uint64_t insns)
{
	if (!attr->sample_period)
		return 0;
	return unit->arch_inst ? insns / 50 + 4 * (attr->sample_period + 1) : insns;
}

/*
 * The data recorded up to then is complete and nothing follows: the driver's own teardown runs
 * before perf removes the event.
 */
TEST_F(cpu, offline_ends_cpu_session)
{
	const uint64_t least = 50 * 2 * BUSY_SPIN;
	struct ring ring;
	struct unit now;

	ASSERT_EQ(0, ring_open(&ring, &self->attr, -1, self->cpu, 2048, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&self->worker);
	wait_rounds(self->busy, 50);
	ASSERT_EQ(0, set_online(self->cpu, false));
	wait_rounds(self->busy, 5);
	EXPECT_GE(RECORDED(&ring) + tolerance(&self->unit, &self->attr, least), least);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(ring.page->aux_head, ring.page->aux_tail);

	/* After the CPU is online again the old event records nothing, or correct data. */
	ASSERT_EQ(0, set_online(self->cpu, true));
	wait_rounds(self->busy, 5);
	ring_disable(&ring);
	RECORDED(&ring);
	ring_close(&ring);

	/* The CPU belongs to the PMU again. */
	ASSERT_EQ(0, variant->of->find(&now));
	EXPECT_TRUE(CPU_EQUAL(&self->unit.cpus, &now.cpus));
}

/* A new session on the CPU that is online again records. */
TEST_F(cpu, online_again_records)
{
	const uint64_t n = 150000;
	struct ring ring;

	for (int i = 0; i < 3; i++) {
		uint64_t got;

		ASSERT_EQ(0, set_online(self->cpu, false));
		ASSERT_EQ(0, set_online(self->cpu, true));
		ASSERT_EQ(0, ring_open(&ring, &self->attr, -1, self->cpu, 512, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		ASSERT_EQ(0, pin_to(self->cpu));
		spin(n);
		ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
		ASSERT_EQ(0, ring_disable(&ring));
		got = RECORDED(&ring);
		EXPECT_GE(got + tolerance(&self->unit, &self->attr, 2 * n), 2 * n);
		EXPECT_LE(got, 2 * n + tolerance(&self->unit, &self->attr, 2 * n));
		ring_close(&ring);
	}
}

/* The session of a task follows it to another CPU. */
TEST_F(cpu, task_session_survives)
{
	struct ring ring;
	uint64_t want, got;

	NEED(self->unit.ncpus == sysconf(_SC_NPROCESSORS_ONLN), "PMU of all CPUs");
	ASSERT_EQ(0, ring_open(&ring, &self->attr, self->worker.pid, -1, 4096, 0));
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
	self->ready = false;
	ASSERT_EQ(0, ring_disable(&ring));
	got = RECORDED(&ring);
	want = self->busy->rounds * 2 * BUSY_SPIN;
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_GE(got + tolerance(&self->unit, &self->attr, want), want);
	EXPECT_LE(got, want + tolerance(&self->unit, &self->attr, want));
	ring_close(&ring);
}

/* Opening an event on an offline CPU fails, or the event waits. Nothing is written. */
TEST_F(cpu, session_on_absent_cpu)
{
	struct ring ring;

	ASSERT_EQ(0, set_online(self->cpu, false));
	if (!ring_open(&ring, &self->attr, -1, self->cpu, 64, 0)) {
		ring_enable(&ring);
		spin(100000);
		EXPECT_EQ(0, ring.page->aux_head);
		ring_close(&ring);
	}
	ASSERT_EQ(0, set_online(self->cpu, true));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, -1, self->cpu, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	ASSERT_EQ(0, ring_disable(&ring));
	RECORDED(&ring);
	ring_close(&ring);
}

/* Reading an event in error state returns 0 bytes. */
static ssize_t bytes_of_count(const struct ring *ring)
{
	uint64_t count;

	return read(ring->fd, &count, sizeof(count));
}

/* A CPU comes online for the first time after the driver was loaded, and has no usable unit. */
TEST(pinned_event_waits_where_no_unit_is_used)
{
	struct perf_event_attr attr;
	int cpu = absent_cpu();
	struct unit unit;
	struct ring ring;
	char dir[16];

	NEED(getenv("V9_LEFT_OUT") && cpu > 0, "V9_LEFT_OUT (an absent CPU that cannot be traced)");
	ASSERT_EQ(0, watch_ete.find(&unit));
	watch_ete.attr(&unit, &attr);
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
		EXPECT_EQ(sizeof(uint64_t), bytes_of_count(&ring));
		ASSERT_EQ(0, pin_to(0));
		spin(5000);
	}
	ASSERT_EQ(0, ring_disable(&ring));
	EXPECT_EQ(4 * 10000, decode(_metadata, &watch_ete, &unit, &attr, &ring));
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	ring_close(&ring);
}

/* v9_core shows registers of CPUs that are online, and reads them again when they come back. */
TEST_F(cpu, registers_are_of_online_cpus)
{
	char dir[64], before[32], after[32];

	NEED(module_loaded("v9_core"), "v9_core");
	snprintf(dir, sizeof(dir), "/sys/devices/system/cpu/cpu%d/v9trace", self->cpu);
	ASSERT_EQ(0, read_text(dir, "id_aa64dfr0_el1", before, sizeof(before)));
	ASSERT_EQ(0, set_online(self->cpu, false));
	EXPECT_EQ(-ENOENT, read_text(dir, "id_aa64dfr0_el1", after, sizeof(after)));
	ASSERT_EQ(0, set_online(self->cpu, true));
	ASSERT_EQ(0, read_text(dir, "id_aa64dfr0_el1", after, sizeof(after)));
	EXPECT_STREQ(before, after);
}

TEST_HARNESS_MAIN
