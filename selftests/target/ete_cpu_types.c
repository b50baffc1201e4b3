// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs with different trace units. There is one PMU for all, because perf supports only one, and
 * a session follows its task to each CPU. cs_etm/cpu<n>/ has the ID registers of each unit.
 */
#include "harness.h"

#include <errno.h>

#include "ete.h"
#include "machine.h"
#include "work.h"

#define STALL(n)	((uint64_t)(n) << 58)

static uint64_t register_of(const struct unit *unit, int cpu, const char *name)
{
	char file[48];

	snprintf(file, sizeof(file), "cpu%d/trcidr/%s", cpu, name);
	return read_number(unit->dir, file);
}

/* The first CPU whose unit does or does not implement stalling; -1 if there is none. */
static int cpu_like(const struct unit *unit, bool stalls)
{
	for (int i = 0; i < unit->ncpus; i++) {
		int cpu = unit_cpu(unit, i);

		if (stalls == (register_of(unit, cpu, "trcidr3") >> 26 & 1))
			return cpu;
	}
	return -1;
}

#define NEED_KINDS(unit)							\
	NEED_SESSION(unit);							\
	int plain = cpu_like(&(unit), false), stalling = cpu_like(&(unit), true); \
										\
	NEED(unit.ours, "v9_ete driver");					\
	NEED(plain >= 0 && stalling >= 0, "two kinds of trace units")

TEST(each_cpu_describes_its_unit)
{
	NEED_KINDS(unit);
	EXPECT_EQ(sysconf(_SC_NPROCESSORS_ONLN), unit.ncpus);
	for (int i = 0; i < unit.ncpus; i++)
		EXPECT_NE(0, register_of(&unit, unit_cpu(&unit, i), "trcidr1"));
	EXPECT_NE(register_of(&unit, plain, "trcidr3"), register_of(&unit, stalling, "trcidr3"));
}

/* All instructions are traced, on all CPUs. */
TEST(task_on_every_cpu)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_KINDS(unit);
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 1024, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 3 * unit.ncpus; i++) {
		ASSERT_EQ(0, pin_to(unit_cpu(&unit, i * 3 % unit.ncpus)));
		spin(5000);
	}
	FINISH(ring, attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(3 * unit.ncpus * 10000, run.in_spin);
	ring_close(&ring);
}

/* An option that one CPU type lacks is refused for events that may run there. */
TEST(option_of_one_type)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_KINDS(unit);
	EXPECT_TRUE(unit_has(&unit, "format/stall"));
	ete_attr(&unit, &attr);
	attr.config |= STALL(8);
	EXPECT_EQ(-EOPNOTSUPP, ring_event(&attr, 0, -1));
	EXPECT_EQ(-EOPNOTSUPP, ring_event(&attr, 0, plain));
	EXPECT_EQ(-EOPNOTSUPP, ring_event(&attr, -1, plain));
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, stalling, 256, 0));
	ASSERT_EQ(0, pin_to(stalling));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(5000);
	FINISH(ring, attr, run);
	EXPECT_EQ(10000, run.in_spin);
	ring_close(&ring);
}

/* Filters apply on all CPUs. An event past its start point remains started on another CPU. */
static void filtered(struct __test_metadata *_metadata, const struct unit *tested, int first,
		     int second, const char *text, uint64_t spins, uint64_t others)
{
	static unsigned int hits[2];
	const struct unit unit = *tested;
	struct perf_event_attr attr;
	struct ete_run run = {
		.from = (uintptr_t)other_start, .to = (uintptr_t)other_end, .hits = hits,
	};
	struct ring ring;

	ete_attr(&unit, &attr);
	ASSERT_EQ(0, pin_to(first));
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
	ASSERT_EQ(0, ete_set_filter(&ring, text)) TH_LOG("%s", text);
	ASSERT_EQ(0, ring_enable(&ring));
	other(300);
	spin(1000);
	ASSERT_EQ(0, pin_to(second));
	other(300);
	ASSERT_EQ(0, pin_to(first));
	other(300);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	memset(hits, 0, sizeof(hits));
	ASSERT_EQ(0, ete_walk(&unit, &attr, &ring, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(spins, run.in_spin);
	EXPECT_EQ(others, hits[0] + hits[1]);
	ring_close(&ring);
}

TEST(range_on_every_cpu)
{
	char text[1024] = "";

	NEED_KINDS(unit);
	ete_add_filter(text, sizeof(text), "filter", OTHER_CODE);
	filtered(_metadata, &unit, plain, stalling, text, 0, 3 * 600);
	filtered(_metadata, &unit, stalling, plain, text, 0, 3 * 600);
}

TEST(start_point_goes_along)
{
	char text[1024] = "";

	NEED_KINDS(unit);
	ete_add_filter(text, sizeof(text), "start", spin_start, 0);
	filtered(_metadata, &unit, plain, stalling, text, 2000, 2 * 600);
	filtered(_metadata, &unit, stalling, plain, text, 2000, 2 * 600);
}

static long padding_of(const struct unit *unit, int cpu)
{
	char text[4096], line[16], *at;

	snprintf(line, sizeof(line), "\n%d ", cpu);
	if (read_text(unit->dir, "per_cpu/padding", text, sizeof(text)))
		return -1;
	at = strstr(text, line);
	return at ? atol(at + strlen(line)) : -1;
}

/*
 * On CPUs with the erratum 256 bytes of each window stay empty. A window that was opened on
 * another CPU, and into which nothing was written, is not used there.
 */
TEST(erratum_of_one_type)
{
	struct perf_event_attr attr;
	char text[1024] = "";
	struct ring ring;

	NEED_KINDS(unit);
	NEED(ete_cpu_overruns(stalling) && !ete_cpu_overruns(plain), "an erratum of the second type");
	ete_add_filter(text, sizeof(text), "filter", OTHER_CODE);
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, pin_to(plain));
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 1024, 0));
	ASSERT_EQ(0, ete_set_filter(&ring, text)) TH_LOG("%s", text);
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 8; i++) {
		long before = padding_of(&unit, stalling);

		ASSERT_EQ(0, pin_to(plain));
		spin(1000);
		ASSERT_EQ(0, pin_to(stalling));
		EXPECT_LE(256, padding_of(&unit, stalling) - before);
		EXPECT_GE(before, 0);
		other(300);
	}
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(NULL, ring.wrong);
	ring_close(&ring);
}

/* A CPU goes offline and online, and keeps its CPU type. */
TEST(cpu_comes_back)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_KINDS(unit);
	NEED(stalling > 0 && !set_online(stalling, true), "removable CPU");
	ASSERT_EQ(0, pin_to(plain));
	ASSERT_EQ(0, set_online(stalling, false));
	ASSERT_EQ(0, set_online(stalling, true));
	EXPECT_EQ(stalling, cpu_like(&unit, true));
	ete_attr(&unit, &attr);
	attr.config |= STALL(8);
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, stalling, 256, 0));
	ASSERT_EQ(0, pin_to(stalling));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(5000);
	FINISH(ring, attr, run);
	EXPECT_EQ(10000, run.in_spin);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
