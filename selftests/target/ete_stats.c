// SPDX-License-Identifier: GPL-2.0-only
/* stats/ of v9_ete: the counters agree with what happened. */
#include "harness.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "ete.h"
#include "machine.h"
#include "work.h"

static const char *const names[] = {
	"spurious", "early", "full", "triggered", "lost", "faults", "aborts", "fatal",
	"interrupts", "bytes",
	"padding", "dropped", "truncated", "partial",
};

#define DEVICE	"cs_etm"

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
	NEED(unit_has(&(unit), "stats"), "stats/ (v9_ete driver)")

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
	/* The size of a buffer depends on the page size. */
	int stretches = 40 * sysconf(_SC_PAGESIZE) / 4096;
	struct perf_event_attr attr;
	int64_t bytes, padding;
	struct ete_run run;
	struct ring ring;

	NEED_STATS(unit);
	bytes = stat_of(&unit, "bytes");
	padding = stat_of(&unit, "padding");
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4, 0));
	for (int i = 0; i < stretches; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(30000);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	DECODE(ring, attr, run);
	EXPECT_GE(ring.nbytes, ring.aux_size);
	EXPECT_EQ(ring.nbytes, stat_of(&unit, "bytes") - bytes +
		  stat_of(&unit, "padding") - padding);
	EXPECT_EQ(ring.reported, stat_of(&unit, "bytes") - bytes);
	ring_close(&ring);
}

TEST(turnover_counts_interrupts)
{
	int64_t full, interrupts, truncated;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_STATS(unit);
	full = stat_of(&unit, "full");
	interrupts = stat_of(&unit, "interrupts");
	truncated = stat_of(&unit, "truncated");
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 2, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(1000000);
	/* Without room after a task switch near the end no window becomes full: try again. */
	for (int i = 0; i < 10 && stat_of(&unit, "full") == full; i++) {
		ring_disable(&ring);
		ring_close(&ring);
		ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 2, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(1000000);
	}
	FINISH(ring, attr, run);
	EXPECT_GT(stat_of(&unit, "full"), full);
	EXPECT_GE(stat_of(&unit, "interrupts") - interrupts, stat_of(&unit, "full") - full);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_GT(stat_of(&unit, "truncated"), truncated);
	ring_close(&ring);
}

/* A session without interrupts counts only its bytes. */
TEST(quiet_session)
{
	int64_t before[ARRAY_SIZE(names)];
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_STATS(unit);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		before[i] = stat_of(&unit, names[i]);
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(10000);
	FINISH(ring, attr, run);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		int64_t want = !strcmp(names[i], "bytes") ? (int64_t)ring.reported : 0;

		if (strcmp(names[i], "padding"))
			EXPECT_EQ(want, stat_of(&unit, names[i]) - before[i])
				TH_LOG("stats/%s", names[i]);
	}
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
	EXPECT_EQ(0, stat_of(&unit, "lost"));
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

/* Call @what as nobody, with CAP_PERFMON. */
static int with_perfmon(int (*what)(const struct perf_event_attr *))
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };
	int status = 0;
	pid_t pid;

	pid = fork();
	if (!pid) {
		data[1].effective = 1u << (CAP_PERFMON - 32);
		data[1].permitted = data[1].effective;
		if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) || setresuid(65534, 65534, 65534) ||
		    syscall(__NR_capset, &head, data))
			_exit(255);
		_exit(-what(NULL));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

/* The counters include what other users do. */
TEST(files_are_not_for_everybody)
{
	NEED_STATS(unit);
	NEED(!getuid(), "root");
	EXPECT_EQ(0, read_it(NULL));
	EXPECT_EQ(-EACCES, as_nobody(read_it, NULL));
	EXPECT_EQ(-EACCES, as_nobody(read_stats, NULL));
	EXPECT_EQ(0, with_perfmon(read_it));
}

TEST(files_are_read_only)
{
	char path[160];

	NEED_STATS(unit);
	snprintf(path, sizeof(path), "%s/stats/bytes", unit.dir);
	EXPECT_NE(0, write_text(path, "0"));
}

TEST_HARNESS_MAIN
