// SPDX-License-Identifier: GPL-2.0-only
/* stats/ of v9_spe: the counters agree with what happened. */
#include "harness.h"
#include "spe.h"
#include "machine.h"
#include "work.h"

static const char *const names[] = {
	"spurious", "full", "lost", "faults", "aborts", "fatal", "interrupts", "bytes",
	"padding", "dropped", "truncated", "collisions",
};

#define DEVICE	"arm_spe_0"

static int64_t stat_of(const struct unit *unit, const char *name)
{
	char path[64], text[32], *end;
	int64_t value;

	snprintf(path, sizeof(path), "stats/%s", name);
	if (read_text(unit->dir, path, text, sizeof(text)))
		return -1;
	value = strtoll(text, &end, 10);
	return *end ? -1 : value;
}

#define NEED_STATS(unit)							\
	NEED_SESSION(unit);							\
	NEED(unit_has(&(unit), "stats"), "stats/ (v9_spe driver)")

TEST(each_file_is_a_number)
{
	NEED_STATS(unit);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		EXPECT_GE(stat_of(&unit, names[i]), 0)
			TH_LOG("stats/%s", names[i]);
	}
}

/* The unit wrote all bytes except padding. Their sum is the movement of head. */
TEST(bytes_and_padding_add_up)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	int64_t bytes, padding;

	NEED_STATS(unit);
	bytes = stat_of(&unit, "bytes");
	padding = stat_of(&unit, "padding");
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4, 0));
	for (int i = 0; i < 40; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(60000);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	DECODE(ring, recs);
	EXPECT_EQ(ring.nbytes, stat_of(&unit, "bytes") - bytes +
		  stat_of(&unit, "padding") - padding);
	EXPECT_EQ(ring.reported, stat_of(&unit, "bytes") - bytes);
	ring_close(&ring);
}

TEST(turnover_counts_interrupts)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	int64_t full, interrupts, truncated;

	NEED_STATS(unit);
	full = stat_of(&unit, "full");
	interrupts = stat_of(&unit, "interrupts");
	truncated = stat_of(&unit, "truncated");
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 2, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(1000000);
	FINISH(ring, recs);
	EXPECT_GT(stat_of(&unit, "full"), full);
	EXPECT_GE(stat_of(&unit, "interrupts") - interrupts, stat_of(&unit, "full") - full);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_GT(stat_of(&unit, "truncated"), truncated);
	ring_close(&ring);
}

/* On a machine without faults, after all tests above. */
TEST(no_faults)
{
	NEED_STATS(unit);
	EXPECT_EQ(0, stat_of(&unit, "faults"));
	EXPECT_EQ(0, stat_of(&unit, "aborts"));
	EXPECT_EQ(0, stat_of(&unit, "fatal"));
	EXPECT_EQ(0, stat_of(&unit, "dropped"));
}

/* Read counters: 0 or -errno. */
static int read_it(const struct perf_event_attr *attr)
{
	char text[32];

	(void)attr;
	return read_text("/sys/bus/event_source/devices", DEVICE "/per_cpu/bytes", text,
			 sizeof(text)) ?:
	       read_text("/sys/bus/event_source/devices", DEVICE "/stats/bytes", text,
			 sizeof(text));
}

static int read_stats(const struct perf_event_attr *attr)
{
	char text[32];

	(void)attr;
	return read_text("/sys/bus/event_source/devices", DEVICE "/stats/bytes", text,
			 sizeof(text));
}

/* The counters include what other users do. */
TEST(files_are_not_for_everybody)
{
	NEED_STATS(unit);
	NEED(!getuid(), "root");
	EXPECT_EQ(0, read_it(NULL));
	EXPECT_EQ(-EACCES, as_nobody(read_it, NULL));
	EXPECT_EQ(-EACCES, as_nobody(read_stats, NULL));
}

TEST(files_are_read_only)
{
	char path[160];

	NEED_STATS(unit);
	snprintf(path, sizeof(path), "%s/stats/bytes", unit.dir);
	EXPECT_NE(0, write_text(path, "0"));
}

TEST_HARNESS_MAIN
