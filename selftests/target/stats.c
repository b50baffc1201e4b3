// SPDX-License-Identifier: GPL-2.0-only
/* stats/ of v9_spe and v9_ete: the counters agree with what happened. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "watch_unit.h"
#include "work.h"

/* Files that only one of the units has are named in its variant. */
static const char *const common[] = {
	"spurious", "full", "lost", "faults", "aborts", "fatal", "interrupts", "bytes", "padding",
	"dropped", "truncated", "throttled", "throttled_ns", "handler_ns", "longest_ns",
};

#define ONLY_HERE	3
#define FILES		(ARRAY_SIZE(common) + ONLY_HERE)

FIXTURE(stats)
{
	struct unit unit;
	struct perf_event_attr attr;
	const char *name[FILES];
	size_t n;
};

FIXTURE_VARIANT(stats)
{
	const struct watch_unit *of;
	const char *only_here[ONLY_HERE], *absent[ONLY_HERE];
};

FIXTURE_VARIANT_ADD(stats, spe)
{
	.of = &watch_spe, .only_here = { "collisions" },
	.absent = { "early", "triggered", "partial" },
};

FIXTURE_VARIANT_ADD(stats, ete)
{
	.of = &watch_ete, .only_here = { "early", "triggered", "partial" },
	.absent = { "collisions" },
};

FIXTURE_SETUP(stats)
{
	const char *missing;

	if (variant->of->find(&self->unit) || !self->unit.ours)
		SKIP(return, "%s driver", variant->of->driver);
	missing = variant->of->missing(&self->unit);
	if (missing)
		SKIP(return, "%s", missing);
	variant->of->attr(&self->unit, &self->attr);
	for (size_t i = 0; i < ARRAY_SIZE(common); i++)
		self->name[self->n++] = common[i];
	for (size_t i = 0; i < ONLY_HERE && variant->only_here[i]; i++)
		self->name[self->n++] = variant->only_here[i];
}

FIXTURE_TEARDOWN(stats)
{
}

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

TEST_F(stats, each_file_is_a_number)
{
	for (size_t i = 0; i < self->n; i++) {
		EXPECT_GE(stat_of(&self->unit, self->name[i]), 0)
			TH_LOG("stats/%s", self->name[i]);
	}
	for (size_t i = 0; i < ONLY_HERE && variant->absent[i]; i++) {
		EXPECT_EQ(-1, stat_of(&self->unit, variant->absent[i]))
			TH_LOG("stats/%s", variant->absent[i]);
	}
}

/* All data decodes. */
static void decode(struct __test_metadata *_metadata, const struct watch_unit *of,
		   const struct unit *unit, const struct perf_event_attr *attr, struct ring *ring)
{
	struct recorded recorded = { 0 };
	const char *why = of->decode(unit, attr, ring, &recorded);

	EXPECT_EQ(NULL, ring->wrong);
	EXPECT_EQ(NULL, why)
		TH_LOG("%s", why);
	EXPECT_GT(recorded.spin, 0);
}

/*
 * The unit wrote all bytes except padding. Their sum is the movement of head.
 * shows: TRBE-PT6
 */
TEST_F(stats, bytes_and_padding_add_up)
{
	/* The size of a buffer depends on the page size. */
	int pieces = 40 * sysconf(_SC_PAGESIZE) / 4096;
	int64_t bytes = stat_of(&self->unit, "bytes"), padding = stat_of(&self->unit, "padding");
	struct ring ring;

	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 4, 0));
	for (int i = 0; i < pieces; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(40000);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	decode(_metadata, variant->of, &self->unit, &self->attr, &ring);
	EXPECT_GE(ring.nbytes, ring.aux_size);
	bytes = stat_of(&self->unit, "bytes") - bytes;
	padding = stat_of(&self->unit, "padding") - padding;
	EXPECT_EQ(ring.nbytes, bytes + padding);
	EXPECT_EQ(ring.reported, bytes);
	ring_close(&ring);
}

TEST_F(stats, full_buffer_counts_interrupts)
{
	int64_t full = stat_of(&self->unit, "full");
	int64_t interrupts = stat_of(&self->unit, "interrupts");
	int64_t truncated = stat_of(&self->unit, "truncated");
	struct ring ring;

	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 2, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(1000000);
	/* Without room after a task switch near the end no window becomes full: try again. */
	for (int i = 0; i < 10 && stat_of(&self->unit, "full") == full; i++) {
		ring_disable(&ring);
		ring_close(&ring);
		ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 2, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(1000000);
	}
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	decode(_metadata, variant->of, &self->unit, &self->attr, &ring);
	EXPECT_GT(stat_of(&self->unit, "full"), full);
	EXPECT_GE(stat_of(&self->unit, "interrupts") - interrupts,
		  stat_of(&self->unit, "full") - full);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_GT(stat_of(&self->unit, "truncated"), truncated);
	ring_close(&ring);
}

/* A session without interrupts counts only its bytes. */
TEST_F(stats, quiet_session)
{
	int64_t before[FILES];
	struct ring ring;

	for (size_t i = 0; i < self->n; i++)
		before[i] = stat_of(&self->unit, self->name[i]);
	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(10000);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	decode(_metadata, variant->of, &self->unit, &self->attr, &ring);
	for (size_t i = 0; i < self->n; i++) {
		int64_t want = !strcmp(self->name[i], "bytes") ? (int64_t)ring.reported : 0;

		if (!strcmp(self->name[i], "padding"))
			continue;
		EXPECT_EQ(want, stat_of(&self->unit, self->name[i]) - before[i])
			TH_LOG("stats/%s", self->name[i]);
	}
	ring_close(&ring);
}

/* On a machine without faults, after all tests above. */
TEST_F(stats, no_faults)
{
	EXPECT_EQ(0, stat_of(&self->unit, "faults"));
	EXPECT_EQ(0, stat_of(&self->unit, "aborts"));
	EXPECT_EQ(0, stat_of(&self->unit, "fatal"));
	EXPECT_EQ(0, stat_of(&self->unit, "dropped"));
	EXPECT_EQ(0, stat_of(&self->unit, "lost"));
}

static const char *tested_dir;

/* Read counters: 0 or -errno. */
static int read_both(const struct perf_event_attr *attr)
{
	char text[32];

	(void)attr;
	return read_text(tested_dir, "per_cpu/bytes", text, sizeof(text)) ?:
	       read_text(tested_dir, "stats/bytes", text, sizeof(text));
}

static int read_stats(const struct perf_event_attr *attr)
{
	char text[32];

	(void)attr;
	return read_text(tested_dir, "stats/bytes", text, sizeof(text));
}

/* The counters include what other users do. */
TEST_F(stats, files_need_permission)
{
	NEED(!getuid(), "root");
	tested_dir = self->unit.dir;
	EXPECT_EQ(0, read_both(NULL));
	EXPECT_EQ(-EACCES, as_nobody(read_both, NULL));
	EXPECT_EQ(-EACCES, as_nobody(read_stats, NULL));
	EXPECT_EQ(0, with_perfmon(read_both, NULL));
}

TEST_F(stats, files_are_read_only)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/stats/bytes", self->unit.dir);
	EXPECT_NE(0, write_text(path, "0"));
}

TEST_HARNESS_MAIN
