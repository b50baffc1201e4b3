// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs with different SPE units: one PMU per CPU type, arm_spe_0 and arm_spe_1. If firmware has
 * one node for all CPUs, v9_spe distinguishes the types.
 */
#include "harness.h"

#include <errno.h>

#include "machine.h"
#include "spe.h"
#include "work.h"

#define NEED_KINDS(kind)							\
	struct unit kind[2];							\
										\
	NEED(!unit_find(&(kind)[0], "arm_spe_0") &&				\
	     !unit_find(&(kind)[1], "arm_spe_1"), "two kinds of SPE units");	\
	spe_fill(&(kind)[0]);							\
	spe_fill(&(kind)[1]);							\
	NEED(!spe_missing(&(kind)[0]), "%s", spe_missing(&(kind)[0]))

static unsigned long written(const struct unit *kind)
{
	return read_number(kind->dir, "stats/bytes") + read_number(kind->dir, "stats/padding");
}

/* Each CPU is in exactly one PMU. */
TEST(every_cpu_has_a_unit)
{
	cpu_set_t both, all;

	NEED_KINDS(kind);
	CPU_AND(&both, &kind[0].cpus, &kind[1].cpus);
	CPU_OR(&all, &kind[0].cpus, &kind[1].cpus);
	EXPECT_EQ(0, CPU_COUNT(&both));
	EXPECT_EQ(sysconf(_SC_NPROCESSORS_ONLN), CPU_COUNT(&all));
	EXPECT_GT(kind[0].ncpus, 0);
	EXPECT_GT(kind[1].ncpus, 0);
	EXPECT_TRUE(CPU_ISSET(0, &kind[0].cpus));
}

/* caps/ and format/ are those of the CPU type, and an option is accepted if format/ lists it. */
TEST(options_are_those_of_the_type)
{
	NEED_KINDS(kind);
	NEED(unit_has(&kind[0], "format/discard") || unit_has(&kind[1], "format/discard"),
	     "a kind that has discard");
	EXPECT_NE(unit_has(&kind[0], "format/discard"), unit_has(&kind[1], "format/discard"));
	for (int i = 0; i < 2; i++) {
		struct perf_event_attr attr;
		char text[32];
		int fd;

		spe_attr(&kind[i], &attr);
		/* The same bit on both */
		if (read_text(kind[i].dir, "format/discard", text, sizeof(text)))
			ASSERT_EQ(0, read_text(kind[!i].dir, "format/discard", text,
					       sizeof(text)));
		ASSERT_EQ(0, strncmp(text, "config:", 7)) TH_LOG("%s", text);
		attr.config |= 1ULL << atoi(text + 7);
		fd = ring_event(&attr, 0, -1);
		EXPECT_EQ(unit_has(&kind[i], "format/discard") ? 0 : -EOPNOTSUPP, fd < 0 ? fd : 0);
		if (fd >= 0)
			close(fd);
	}
}

TEST(cpu_of_other_type_refused)
{
	NEED_KINDS(kind);
	for (int i = 0; i < 2; i++) {
		struct perf_event_attr attr;
		int fd;

		spe_attr(&kind[i], &attr);
		EXPECT_EQ(-ENOENT, ring_event(&attr, -1, unit_cpu(&kind[!i], 0)));
		fd = ring_event(&attr, -1, unit_cpu(&kind[i], 0));
		EXPECT_GE(fd, 0);
		close(fd);
	}
}

/*
 * A task with an event of each CPU type: each event samples only what ran on its CPUs. The
 * counters in stats/ are those of the CPU type.
 */
TEST(task_on_cpus_of_both_types)
{
	const uint64_t rounds[2] = { 300000, 700000 };
	struct perf_event_attr attr[2];
	unsigned long bytes[2];
	struct spe_recs recs;
	struct ring ring[2];

	NEED_KINDS(kind);
	ASSERT_EQ(0, pin_to(unit_cpu(&kind[0], 0)));
	for (int i = 0; i < 2; i++) {
		spe_attr(&kind[i], &attr[i]);
		bytes[i] = written(&kind[i]);
		ASSERT_EQ(0, ring_open(&ring[i], &attr[i], 0, -1, 256, 0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, pin_to(unit_cpu(&kind[i & 1], i % 3 % kind[i & 1].ncpus)));
		spin(rounds[i & 1] / 5);
	}
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, ring_disable(&ring[i]));
		ASSERT_EQ(0, ring_drain(&ring[i]));
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		ASSERT_EQ(0, spe_records(&ring[i], &recs)) TH_LOG("%s", recs.why);
		/* All samples of its own part, except up to an interval at each migration */
		EXPECT_GE(spe_in_spin(&recs) + 12, 2 * rounds[i] / (attr[i].sample_period + 1));
		EXPECT_LE(spe_in_spin(&recs), 2 * rounds[i] / attr[i].sample_period + 12);
		EXPECT_EQ(ring[i].nbytes, written(&kind[i]) - bytes[i]);
		spe_free(&recs);
		ring_close(&ring[i]);
	}
}

/* A pinned event does not enter the error state while its task runs on another CPU type. */
TEST(pinned_event_waits_for_its_cpus)
{
	NEED_KINDS(kind);
	for (int i = 0; i < 2; i++) {
		struct perf_event_attr attr;
		struct spe_recs recs;
		struct ring ring;
		uint64_t count;

		spe_attr(&kind[i], &attr);
		attr.pinned = 1;
		ASSERT_EQ(0, pin_to(unit_cpu(&kind[!i], 0)));
		ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(30000);
		/* Reading an event in error state returns 0 bytes. */
		EXPECT_EQ(sizeof(count), read(ring.fd, &count, sizeof(count)));
		ASSERT_EQ(0, pin_to(unit_cpu(&kind[i], 0)));
		spin(300000);
		ASSERT_EQ(0, pin_to(unit_cpu(&kind[!i], 0)));
		spin(30000);
		EXPECT_EQ(sizeof(count), read(ring.fd, &count, sizeof(count)));
		FINISH(ring, recs);
		EXPECT_GE(spe_in_spin(&recs), 600000 / (attr.sample_period + 1) - 2);
		EXPECT_LE(spe_in_spin(&recs), 600000 / attr.sample_period + 2);
		spe_free(&recs);
		ring_close(&ring);
	}
}

/* A CPU goes offline and online, and is in the same PMU again. */
TEST(cpu_rejoins_its_pmu)
{
	NEED_KINDS(kind);
	for (int i = 0; i < 2; i++) {
		int cpu = unit_cpu(&kind[i], kind[i].ncpus - 1);
		struct perf_event_attr attr;
		struct spe_recs recs;
		struct unit again;
		struct ring ring;

		NEED(cpu > 0 && !set_online(cpu, true), "removable CPU");
		ASSERT_EQ(0, pin_to(unit_cpu(&kind[!i], 0)));
		ASSERT_EQ(0, set_online(cpu, false));
		ASSERT_EQ(0, set_online(cpu, true));
		ASSERT_EQ(0, unit_find(&again, kind[i].name));
		EXPECT_TRUE(CPU_EQUAL(&again.cpus, &kind[i].cpus));
		spe_attr(&kind[i], &attr);
		ASSERT_EQ(0, ring_open(&ring, &attr, -1, cpu, 256, 0));
		ASSERT_EQ(0, pin_to(cpu));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(300000);
		FINISH(ring, recs);
		EXPECT_GE(spe_in_spin(&recs), 600000 / (attr.sample_period + 1) - 2);
		spe_free(&recs);
		ring_close(&ring);
	}
}

TEST_HARNESS_MAIN
