// SPDX-License-Identifier: GPL-2.0-only
/* The settings in tuning/ of v9_spe and v9_ete, and the module parameters of the same names. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "watch_unit.h"
#include "work.h"

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define PAGES		64
#define FEW_PAGES	32	/* half of them, the watermark by default, is more than 9 pages */

/* A value that the file does not accept, and what write() returns then */
struct bad {
	const char *file, *text;
	int err;
};

FIXTURE(tuning)
{
	struct unit unit;
	struct perf_event_attr attr;
	char paranoid[16];
	bool ready;
};

FIXTURE_VARIANT(tuning)
{
	const struct watch_unit *of;
	bool interval;			/* it has min_interval */
	uint64_t physical;		/* config of an event with physical time or addresses */
};

FIXTURE_VARIANT_ADD(tuning, spe)
{
	.of = &watch_spe, .interval = true, .physical = 1 << 1,
};

/* Timestamps of the guest's physical counter, which user space cannot read. */
FIXTURE_VARIANT_ADD(tuning, ete)
{
	.of = &watch_ete, .physical = 1 << 4 | 2ULL << 56,
};

static int set(const struct unit *unit, const char *file, const char *text)
{
	char path[192];

	snprintf(path, sizeof(path), "%s/tuning/%s", unit->dir, file);
	return write_text(path, text);
}

/* Compare a file's content, without the newline. */
static bool is(const struct unit *unit, const char *file, const char *want)
{
	char text[64] = "";

	read_text(unit->dir, file, text, sizeof(text));
	text[strcspn(text, "\n")] = 0;
	if (strcmp(text, want))
		fprintf(stderr, "# %s/%s: %s\n", unit->dir, file, text);
	return !strcmp(text, want);
}

static void set_defaults(const struct unit *unit, bool interval)
{
	if (interval)
		set(unit, "min_interval", "0");
	set(unit, "aux_watermark", "0");
	set(unit, "max_buffer", "0");
	set(unit, "physical_access", "perf");
	set(unit, "max_interrupts", "0");
}

FIXTURE_SETUP(tuning)
{
	if (variant->of->find(&self->unit) || !self->unit.ours)
		SKIP(return, "%s driver", variant->of->driver);
	if (getuid())
		SKIP(return, "root");
	variant->of->attr(&self->unit, &self->attr);
	ASSERT_EQ(0, read_text("/proc/sys/kernel", "perf_event_paranoid", self->paranoid,
			       sizeof(self->paranoid)));
	/* A test that an assertion ended has no teardown. */
	set_defaults(&self->unit, variant->interval);
	self->ready = true;
}

FIXTURE_TEARDOWN(tuning)
{
	if (!self->ready)
		return;
	set_defaults(&self->unit, variant->interval);
	write_text(PARANOID, self->paranoid);
}

TEST_F(tuning, defaults_change_nothing)
{
	EXPECT_EQ(variant->interval, unit_has(&self->unit, "tuning/min_interval"));
	if (variant->interval)
		EXPECT_TRUE(is(&self->unit, "tuning/min_interval", "0"));
	EXPECT_TRUE(is(&self->unit, "tuning/aux_watermark", "0"));
	EXPECT_TRUE(is(&self->unit, "tuning/max_buffer", "0"));
	EXPECT_TRUE(is(&self->unit, "tuning/physical_access", "perf"));
	EXPECT_TRUE(is(&self->unit, "tuning/max_interrupts", "0"));
}

TEST_F(tuning, bad_values_are_refused_and_change_nothing)
{
	static const struct bad bad[] = {
		{ "min_interval", "255", -EINVAL }, { "min_interval", "4294967296", -EINVAL },
		{ "min_interval", "4294967295", -EINVAL }, { "min_interval", "-256", -EINVAL },
		{ "min_interval", "", -EINVAL }, { "min_interval", "many", -EINVAL },
		{ "aux_watermark", "4294967296", -EINVAL },
		{ "aux_watermark", "18446744073709551616", -ERANGE },
		{ "aux_watermark", "1k", -EINVAL },
		{ "max_interrupts", "4294967296", -EINVAL }, { "max_interrupts", "-1", -EINVAL },
		{ "max_buffer", "1", -EINVAL }, { "max_buffer", "4095", -EINVAL },
		{ "physical_access", "all", -EINVAL }, { "physical_access", "1", -EINVAL },
		{ "physical_access", "", -EINVAL }, { "physical_access", "perfmo", -EINVAL },
		{ "reset_stats", "0", -EINVAL }, { "reset_stats", "11", -EINVAL },
	};

	for (size_t i = variant->interval ? 0 : 6; i < ARRAY_SIZE(bad); i++) {
		char path[64], before[64] = "", after[64] = "";

		snprintf(path, sizeof(path), "tuning/%s", bad[i].file);
		read_text(self->unit.dir, path, before, sizeof(before));
		/* write() of no byte does not reach the file's function. */
		if (*bad[i].text)
			EXPECT_EQ(bad[i].err, set(&self->unit, bad[i].file, bad[i].text))
				TH_LOG("%s: %s", bad[i].file, bad[i].text);
		read_text(self->unit.dir, path, after, sizeof(after));
		EXPECT_STREQ(before, after);
	}
	if (variant->interval) {
		EXPECT_EQ(0, set(&self->unit, "min_interval", "4294967040"));
		EXPECT_TRUE(is(&self->unit, "tuning/min_interval", "4294967040"));
	}
	EXPECT_EQ(0, set(&self->unit, "aux_watermark", "4294967295"));
	EXPECT_TRUE(is(&self->unit, "tuning/aux_watermark", "4294967295"));
	EXPECT_EQ(0, set(&self->unit, "max_buffer", "0x100000\n"));
	EXPECT_TRUE(is(&self->unit, "tuning/max_buffer", "1048576"));
}

static char nobodys_dir[128];

static int write_all(const struct perf_event_attr *attr)
{
	static const char *const file[] = {
		"aux_watermark", "max_buffer", "physical_access", "max_interrupts", "reset_stats",
		"min_interval",
	};

	(void)attr;
	for (size_t i = 0; i < ARRAY_SIZE(file); i++) {
		char path[192];
		int fd;

		snprintf(path, sizeof(path), "%s/tuning/%s", nobodys_dir, file[i]);
		if (access(path, F_OK))
			continue;
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd >= 0 || errno != EACCES)
			return fd >= 0 ? -EBADE : -errno;
	}
	return 0;
}

TEST_F(tuning, only_root_writes)
{
	snprintf(nobodys_dir, sizeof(nobodys_dir), "%s", self->unit.dir);
	EXPECT_EQ(0, as_nobody(write_all, NULL));
}

/* Stock perf reads caps/min_interval for its default period. */
TEST_F(tuning, min_interval_is_a_floor)
{
	struct recorded recorded = { 0 };
	struct ring ring;
	int fd;

	if (!variant->interval)
		SKIP(return, "sampling interval");
	ASSERT_EQ(0, set(&self->unit, "min_interval", "65536"));
	EXPECT_TRUE(is(&self->unit, "caps/min_interval", "65536"));
	self->attr.sample_period = 65280;
	EXPECT_EQ(-EINVAL, ring_try(&self->attr));
	self->attr.sample_period = 65535;
	EXPECT_EQ(-EINVAL, ring_try(&self->attr));
	self->attr.sample_period = 65536;
	EXPECT_EQ(0, ring_try(&self->attr));
	fd = ring_event(&self->attr, 0, -1);
	ASSERT_GE(fd, 0);
	EXPECT_NE(0, ioctl(fd, PERF_EVENT_IOC_PERIOD, &(uint64_t){ 65280 }));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(0, ioctl(fd, PERF_EVENT_IOC_PERIOD, &(uint64_t){ 131072 }));
	close(fd);

	/* An event that states no period gets this one: a known number of records. */
	if (variant->of->inexact(&self->unit))
		SKIP(return, "ArchInst sampling");
	self->attr.sample_period = 0;
	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(40 * 65537);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_EQ(NULL, variant->of->decode(&self->unit, &self->attr, &ring, &recorded));
	/* The loop has two instructions. decode() counts 1025 for each record. */
	EXPECT_GE(recorded.spin / 1025, 76);
	EXPECT_LE(recorded.spin / 1025, 81);
	ring_close(&ring);

	/* A value below the minimum of the unit has no effect. */
	ASSERT_EQ(0, set(&self->unit, "min_interval", "256"));
	EXPECT_EQ(self->unit.min_interval, read_number(self->unit.dir, "caps/min_interval"));
}

/* Record a busy task until the buffer was filled twice. Returns the largest AUX record. */
static uint64_t largest_record(struct __test_metadata *_metadata, const struct unit *unit,
			       const struct perf_event_attr *attr)
{
	struct busy *busy = new_shared(sizeof(*busy));
	struct worker worker;
	struct ring ring;
	uint64_t largest;

	EXPECT_NE(NULL, busy);
	EXPECT_EQ(0, worker_start(&worker, unit_cpu(unit, unit->ncpus - 1), keep_busy, busy));
	EXPECT_EQ(0, ring_open(&ring, attr, worker.pid, -1, FEW_PAGES, 0));
	worker_go(&worker);
	for (int i = 0; i < 20000 && ring.nbytes < 2 * ring.aux_size; i++) {
		/* A session whose buffer was full is off. */
		EXPECT_EQ(0, ring_enable(&ring));
		usleep(1000);
		EXPECT_EQ(0, ring_drain(&ring));
	}
	EXPECT_EQ(0, ring_disable(&ring));
	EXPECT_GE(ring.nbytes, 2 * ring.aux_size);
	largest = ring.largest;
	ring_close(&ring);
	busy->stop = true;
	EXPECT_EQ(0, worker_wait(&worker));
	return largest;
}

TEST_F(tuning, aux_watermark_is_for_events_that_state_none)
{
	uint32_t page = (uint32_t)sysconf(_SC_PAGESIZE);
	uint64_t by_default, by_setting, by_event;
	char text[16];

	if (variant->interval)
		self->attr.sample_period = self->unit.min_interval;
	by_default = largest_record(_metadata, &self->unit, &self->attr);
	snprintf(text, sizeof(text), "%u", 2 * page);
	ASSERT_EQ(0, set(&self->unit, "aux_watermark", text));
	by_setting = largest_record(_metadata, &self->unit, &self->attr);
	self->attr.aux_watermark = 8 * page;
	by_event = largest_record(_metadata, &self->unit, &self->attr);
	TH_LOG("largest AUX record: %" PRIu64 " by default, %" PRIu64 " with two pages, %" PRIu64
	       " with eight in the event", by_default, by_setting, by_event);
	EXPECT_LE(by_setting, 3 * page);
	EXPECT_GT(by_event, 6 * page);
	EXPECT_LE(by_event, 9 * page);
	EXPECT_GT(by_default, by_event);
}

/*
 * A record ends at any byte, and the padding up to the first write pointer of the next window
 * passes many positions of such a watermark. The reader is woken for the one after the pointer.
 */
TEST_F(tuning, aux_watermark_below_the_alignment_is_kept)
{
	uint32_t page = (uint32_t)sysconf(_SC_PAGESIZE);

	if (variant->interval)
		self->attr.sample_period = self->unit.min_interval;
	self->attr.aux_watermark = 8;
	EXPECT_LE(largest_record(_metadata, &self->unit, &self->attr), 2 * page);
}

TEST_F(tuning, max_buffer_is_a_limit)
{
	struct ring ring;
	char text[16];

	snprintf(text, sizeof(text), "%lu", PAGES * sysconf(_SC_PAGESIZE));
	ASSERT_EQ(0, set(&self->unit, "max_buffer", text));
	EXPECT_EQ(-ENOMEM, ring_open(&ring, &self->attr, 0, -1, 2 * PAGES, 0));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, PAGES, 0));

	/* The new limit applies to later buffers; a buffer that is in use keeps its size. */
	snprintf(text, sizeof(text), "%lu", sysconf(_SC_PAGESIZE) * 2);
	EXPECT_EQ(0, set(&self->unit, "max_buffer", text));
	EXPECT_EQ(0, ring_enable(&ring));
	spin(BUSY_SPIN);
	EXPECT_EQ(0, ring_disable(&ring));
	EXPECT_EQ(0, ring_drain(&ring));
	EXPECT_GT(ring.nbytes, 0);
	ring_close(&ring);
	EXPECT_EQ(-ENOMEM, ring_open(&ring, &self->attr, 0, -1, 4, 0));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 2, 0));
	ring_close(&ring);
}

/* Settings that would refuse a session are for later ones: it goes on, and its task can fork. */
TEST_F(tuning, sessions_keep_what_they_began_with)
{
	int cpu = unit_cpu(&self->unit, 0), status = -1;
	struct ring ring;
	size_t before;
	pid_t child;

	ASSERT_EQ(0, pin_to(cpu));
	if (variant->interval)
		self->attr.sample_period = self->unit.min_interval;
	self->attr.config |= variant->physical;
	self->attr.inherit = 1;
	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, cpu, PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(BUSY_SPIN);
	if (variant->interval)
		EXPECT_EQ(0, set(&self->unit, "min_interval", "1048576"));
	EXPECT_EQ(0, set(&self->unit, "aux_watermark", "4096"));
	EXPECT_EQ(0, set(&self->unit, "max_buffer", "65536"));
	EXPECT_EQ(0, set(&self->unit, "physical_access", "nobody"));
	EXPECT_GT(0, ring_try(&self->attr));
	ASSERT_EQ(0, ring_drain(&ring));
	before = ring.nbytes;
	child = fork();
	if (!child) {
		spin(BUSY_SPIN);
		_exit(0);
	}
	ASSERT_LE(0, child);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_GT(ring.nbytes, before);
	before = ring.nbytes;
	spin(BUSY_SPIN);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_GT(ring.nbytes, before);
	ring_close(&ring);
}

/* The setting restricts what perf permits, and permits nothing more. */
TEST_F(tuning, physical_access_only_narrows)
{
	static const struct {
		const char *access, *paranoid;
		int nobody, root;
	} row[] = {
		{ "perf", "2", -EACCES, 0 }, { "perf", "1", 0, 0 }, { "perf", "-1", 0, 0 },
		{ "perfmon", "2", -EACCES, 0 }, { "perfmon", "1", -EACCES, 0 },
		{ "perfmon", "-1", -EACCES, 0 },
		{ "nobody", "2", -EACCES, -EACCES }, { "nobody", "1", -EACCES, -EACCES },
		{ "nobody", "-1", -EACCES, -EACCES },
	};
	struct perf_event_attr plain = self->attr;
	struct utsname kernel;

	ASSERT_EQ(0, uname(&kernel));
	self->attr.config = variant->physical;
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		/* Modules of 6.1 cannot read perf_event_paranoid: CAP_PERFMON is required. */
		int nobody = strncmp(kernel.release, "6.1.", 4) ? row[i].nobody : -EACCES;

		ASSERT_EQ(0, set(&self->unit, "physical_access", row[i].access));
		ASSERT_EQ(0, write_text(PARANOID, row[i].paranoid));
		EXPECT_EQ(nobody, as_nobody_at(row[i].paranoid, ring_try, &self->attr))
			TH_LOG("%s, paranoid %s", row[i].access, row[i].paranoid);
		EXPECT_EQ(row[i].root, ring_try(&self->attr))
			TH_LOG("%s, paranoid %s", row[i].access, row[i].paranoid);
		EXPECT_EQ(0, as_nobody_at(row[i].paranoid, ring_try, &plain));
		EXPECT_EQ(0, ring_try(&plain));
	}
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* A task that is always busy, and its session */
struct side {
	struct busy *busy;
	struct worker worker;
	struct ring ring;
};

/* Start two busy tasks on @cpu that wait for worker_go(), each with a session that is enabled. */
static void start_sides(struct __test_metadata *_metadata, struct side *side, int cpu,
			const struct perf_event_attr *attr)
{
	for (int i = 0; i < 2; i++) {
		side[i].busy = new_shared(sizeof(*side[i].busy));
		ASSERT_NE(NULL, side[i].busy);
		ASSERT_EQ(0, worker_start(&side[i].worker, cpu, keep_busy, side[i].busy));
		ASSERT_EQ(0, ring_open(&side[i].ring, attr, side[i].worker.pid, -1, PAGES * 16, 0));
		ASSERT_EQ(0, ring_enable(&side[i].ring));
	}
}

static void go_sides(struct side *side)
{
	worker_go(&side[0].worker);
	worker_go(&side[1].worker);
}

static void stop_sides(struct __test_metadata *_metadata, struct side *side)
{
	for (int i = 0; i < 2; i++) {
		side[i].busy->stop = true;
		ASSERT_EQ(0, worker_wait(&side[i].worker));
		ring_close(&side[i].ring);
	}
}

/* Read the AUX data of the @n rings until the counter has grown by @more. */
static void read_until(struct __test_metadata *_metadata, const struct unit *unit,
		       struct side *side, int n, const char *counter, unsigned long more)
{
	unsigned long end = read_number(unit->dir, counter) + more;

	for (int i = 0; i < 20000 && read_number(unit->dir, counter) < end; i++) {
		usleep(1000);
		for (int j = 0; j < n; j++)
			ASSERT_EQ(0, ring_drain(&side[j].ring));
	}
	EXPECT_GE(read_number(unit->dir, counter), end);
}

/*
 * Two tasks share a CPU, so their events are removed and added while the unit is off. The sessions
 * continue when the second is over, and when the limit is removed. The event is never disabled.
 */
TEST_F(tuning, max_interrupts_is_a_ceiling)
{
	const unsigned long max = 4;
	int cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	unsigned long interrupts, throttled, ns, most;
	struct side side[2];
	uint64_t begin;
	char text[16];

	variant->of->dense(&self->unit, &self->attr);
	self->attr.aux_watermark = 2 * sysconf(_SC_PAGESIZE);
	start_sides(_metadata, side, cpu, &self->attr);
	snprintf(text, sizeof(text), "%lu", max);
	ASSERT_EQ(0, set(&self->unit, "max_interrupts", text));
	interrupts = read_number(self->unit.dir, "stats/interrupts");
	throttled = read_number(self->unit.dir, "stats/throttled");
	ns = read_number(self->unit.dir, "stats/throttled_ns");
	begin = now_ns();
	go_sides(side);
	read_until(_metadata, &self->unit, side, 2, "stats/throttled", 3);
	interrupts = read_number(self->unit.dir, "stats/interrupts") - interrupts;
	throttled = read_number(self->unit.dir, "stats/throttled") - throttled;
	ns = read_number(self->unit.dir, "stats/throttled_ns") - ns;
	most = max * ((now_ns() - begin) / 1000000000 + 2);
	TH_LOG("%lu interrupts, at most %lu; %lu times off, for %lu ns", interrupts, most, throttled,
	       ns);
	EXPECT_LE(interrupts, most);
	EXPECT_GE(interrupts, max * throttled);
	EXPECT_GT(ns, 0);
	EXPECT_LE(ns, now_ns() - begin + 1000000000);
	EXPECT_NE(0, (side[0].ring.flags | side[1].ring.flags) & PERF_AUX_FLAG_PARTIAL);
	EXPECT_EQ(0, (side[0].ring.flags | side[1].ring.flags) & PERF_AUX_FLAG_TRUNCATED);

	ASSERT_EQ(0, set(&self->unit, "max_interrupts", "0"));
	throttled = read_number(self->unit.dir, "stats/throttled");
	read_until(_metadata, &self->unit, side, 2, "stats/interrupts", 10 * max);
	EXPECT_EQ(throttled, read_number(self->unit.dir, "stats/throttled"));
	for (int i = 0; i < 2; i++) {
		struct recorded recorded = { 0 };

		side[i].busy->stop = true;
		ASSERT_EQ(0, worker_wait(&side[i].worker));
		ASSERT_EQ(0, ring_disable(&side[i].ring));
		ASSERT_EQ(0, ring_drain(&side[i].ring));
		EXPECT_EQ(NULL, variant->of->decode(&self->unit, &self->attr, &side[i].ring,
						    &recorded));
		EXPECT_GT(recorded.spin, 0);
		ring_close(&side[i].ring);
	}
}

/*
 * An interrupt of SPE with a full buffer disables the event, and the reader enables it again: these
 * interrupts are limited, too.
 */
TEST_F(tuning, max_interrupts_counts_full_buffers)
{
	const unsigned long max = 2;
	unsigned long interrupts, most, end;
	uint64_t begin;
	struct side side;

	variant->of->dense(&self->unit, &self->attr);
	self->attr.aux_watermark = 4 * sysconf(_SC_PAGESIZE);
	side.busy = new_shared(sizeof(*side.busy));
	ASSERT_NE(NULL, side.busy);
	ASSERT_EQ(0, worker_start(&side.worker, unit_cpu(&self->unit, self->unit.ncpus - 1),
				  keep_busy, side.busy));
	ASSERT_EQ(0, ring_open(&side.ring, &self->attr, side.worker.pid, -1, 4, 0));
	ASSERT_EQ(0, set(&self->unit, "max_interrupts", "2"));
	interrupts = read_number(self->unit.dir, "stats/interrupts");
	end = read_number(self->unit.dir, "stats/throttled") + 3;
	begin = now_ns();
	worker_go(&side.worker);
	for (int i = 0; i < 20000 && read_number(self->unit.dir, "stats/throttled") < end; i++) {
		ASSERT_EQ(0, ring_enable(&side.ring));
		usleep(1000);
		ASSERT_EQ(0, ring_drain(&side.ring));
	}
	EXPECT_GE(read_number(self->unit.dir, "stats/throttled"), end);
	interrupts = read_number(self->unit.dir, "stats/interrupts") - interrupts;
	most = max * ((now_ns() - begin) / 1000000000 + 2);
	TH_LOG("%lu interrupts, at most %lu", interrupts, most);
	EXPECT_LE(interrupts, most);
	/* A unit that interrupts before its window is full can be read in time. */
	if (variant->interval)
		EXPECT_NE(0, side.ring.flags & PERF_AUX_FLAG_TRUNCATED);
	side.busy->stop = true;
	ASSERT_EQ(0, worker_wait(&side.worker));
	ring_close(&side.ring);
}

/*
 * An event that is enabled while its unit is off starts at the end of the second. It is an event of
 * the CPU: no task switch starts it.
 */
TEST_F(tuning, enabled_while_throttled)
{
	int cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	struct side side;

	variant->of->dense(&self->unit, &self->attr);
	self->attr.aux_watermark = 2 * sysconf(_SC_PAGESIZE);
	side.busy = new_shared(sizeof(*side.busy));
	ASSERT_NE(NULL, side.busy);
	ASSERT_EQ(0, worker_start(&side.worker, cpu, keep_busy, side.busy));
	ASSERT_EQ(0, ring_open(&side.ring, &self->attr, -1, cpu, PAGES * 16, 0));
	ASSERT_EQ(0, set(&self->unit, "max_interrupts", "1"));
	worker_go(&side.worker);
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, ring_enable(&side.ring));
		read_until(_metadata, &self->unit, &side, 1, "stats/throttled", 1);
		ASSERT_EQ(0, ring_disable(&side.ring));
		ASSERT_EQ(0, ring_enable(&side.ring));
		read_until(_metadata, &self->unit, &side, 1, "stats/interrupts", 1);
		ASSERT_EQ(0, ring_disable(&side.ring));
	}
	side.busy->stop = true;
	ASSERT_EQ(0, worker_wait(&side.worker));
	ring_close(&side.ring);
}

/*
 * A CPU goes offline while its unit is off. When it is online again it is not limited. The deep
 * sleep makes the driver reset the unit.
 */
TEST_F(tuning, throttled_cpu_goes_offline)
{
	int cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	struct side side[2] = { 0 };
	unsigned long before;
	cpu_set_t only;

	NEED(self->unit.ncpus > 1, "second CPU");
	NEED(module_loaded("v9_sleep") || !module_load("selftest/v9_sleep", ""),
	     "v9_sleep.ko for this kernel");
	variant->of->dense(&self->unit, &self->attr);
	self->attr.aux_watermark = 2 * sysconf(_SC_PAGESIZE);
	ASSERT_EQ(0, set(&self->unit, "max_interrupts", "1"));
	start_sides(_metadata, side, cpu, &self->attr);
	go_sides(side);
	read_until(_metadata, &self->unit, side, 2, "stats/throttled", 1);
	ASSERT_EQ(0, set(&self->unit, "max_interrupts", "0"));
	ASSERT_EQ(0, set_online(cpu, false));
	ASSERT_EQ(0, set_online(cpu, true));
	ASSERT_EQ(0, let_sleep(cpu, 1));
	before = read_number(self->unit.dir, "stats/bytes");
	CPU_ZERO(&only);
	CPU_SET(cpu, &only);
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, sched_setaffinity(side[i].worker.pid, sizeof(only), &only));
		ASSERT_EQ(0, ring_enable(&side[i].ring));
	}
	read_until(_metadata, &self->unit, side, 2, "stats/interrupts", 4);
	EXPECT_GT(read_number(self->unit.dir, "stats/bytes"), before);
	stop_sides(_metadata, side);
	module_unload("v9_sleep");
}

/*
 * A CPU that sleeps deeply while its unit is off, and wakes, stays limited. Two tasks share it, so
 * that events are added after the sleep.
 */
TEST_F(tuning, sleep_does_not_end_the_limit)
{
	int cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	unsigned long interrupts, most;
	struct side side[2];
	uint64_t begin;

	NEED(module_loaded("v9_sleep") || !module_load("selftest/v9_sleep", ""),
	     "v9_sleep.ko for this kernel");
	variant->of->dense(&self->unit, &self->attr);
	self->attr.aux_watermark = 2 * sysconf(_SC_PAGESIZE);
	ASSERT_EQ(0, set(&self->unit, "max_interrupts", "1"));
	interrupts = read_number(self->unit.dir, "stats/interrupts");
	begin = now_ns();
	start_sides(_metadata, side, cpu, &self->attr);
	go_sides(side);
	read_until(_metadata, &self->unit, side, 2, "stats/throttled", 1);
	ASSERT_EQ(0, let_sleep(cpu, 200));
	interrupts = read_number(self->unit.dir, "stats/interrupts") - interrupts;
	most = (now_ns() - begin) / 1000000000 + 2;
	TH_LOG("%lu interrupts, at most %lu", interrupts, most);
	EXPECT_LE(interrupts, most);
	/* The sessions go on; without a limit the unit is on when the second is over. */
	read_until(_metadata, &self->unit, side, 2, "stats/throttled", 1);
	ASSERT_EQ(0, set(&self->unit, "max_interrupts", "0"));
	read_until(_metadata, &self->unit, side, 2, "stats/interrupts", 4);
	stop_sides(_metadata, side);
	module_unload("v9_sleep");
}

/*
 * The counters of all CPUs, also of those that are offline, become 0, and are counted from there.
 */
TEST_F(tuning, reset_stats)
{
	int last = unit_cpu(&self->unit, self->unit.ncpus - 1);
	struct worker worker;
	struct busy *busy;
	struct ring ring;
	unsigned long before;

	for (int i = 0; i < self->unit.ncpus; i++) {
		ASSERT_EQ(0, ring_brief(&self->attr, 0, -1, PAGES));
		ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, i)));
	}
	ASSERT_EQ(0, pin_to(last));
	ASSERT_EQ(0, ring_brief(&self->attr, 0, -1, PAGES));
	ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
	EXPECT_GT(read_number(self->unit.dir, "stats/bytes"), 0);
	if (self->unit.ncpus > 1)
		ASSERT_EQ(0, set_online(last, false));
	EXPECT_EQ(0, set(&self->unit, "reset_stats", "1"));
	if (self->unit.ncpus > 1)
		ASSERT_EQ(0, set_online(last, true));
	EXPECT_TRUE(is(&self->unit, "stats/bytes", "0"));
	EXPECT_TRUE(is(&self->unit, "stats/longest_ns", "0"));

	/* While a session runs: its later bytes are counted. */
	busy = new_shared(sizeof(*busy));
	ASSERT_NE(NULL, busy);
	ASSERT_EQ(0, worker_start(&worker, last, keep_busy, busy));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, worker.pid, -1, PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	for (int i = 0; i < 50; i++) {
		usleep(1000);
		EXPECT_EQ(0, set(&self->unit, "reset_stats", "1"));
	}
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_LE(read_number(self->unit.dir, "stats/bytes"), ring.nbytes);
	before = read_number(self->unit.dir, "stats/bytes");
	ring_close(&ring);
	busy->stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ASSERT_EQ(0, ring_brief(&self->attr, 0, -1, PAGES));
	EXPECT_GT(read_number(self->unit.dir, "stats/bytes"), before);
}

/* Settings at boot: parameters of the module, as modprobe.d gives them. */
TEST_F(tuning, module_parameters)
{
	static const char *const wrong[] = {
		"aux_watermark=4294967296", "max_buffer=1", "physical_access=all", "max_buffer=x",
		"max_interrupts=-1", "min_interval=100",
	};
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char options[128];

	NEED(getenv("V9_MODULES"), "V9_MODULES (where the modules are)");
	ASSERT_GE(log, 0);
	ASSERT_EQ(0, module_unload(variant->of->driver));
	for (size_t i = 0; i < ARRAY_SIZE(wrong) - !variant->interval; i++) {
		lseek(log, 0, SEEK_END);
		EXPECT_EQ(-EINVAL, module_load(variant->of->driver, wrong[i]))
			TH_LOG("%s", wrong[i]);
		EXPECT_EQ(1, log_lines(log, wrong[i]));
	}
	close(log);

	snprintf(options, sizeof(options),
		 "aux_watermark=8192 max_buffer=1048576 physical_access=nobody max_interrupts=7%s",
		 variant->interval ? " min_interval=8192" : "");
	ASSERT_EQ(0, module_load(variant->of->driver, options));
	EXPECT_TRUE(is(&self->unit, "tuning/aux_watermark", "8192"));
	EXPECT_TRUE(is(&self->unit, "tuning/max_buffer", "1048576"));
	EXPECT_TRUE(is(&self->unit, "tuning/physical_access", "nobody"));
	EXPECT_TRUE(is(&self->unit, "tuning/max_interrupts", "7"));
	if (variant->interval) {
		EXPECT_TRUE(is(&self->unit, "tuning/min_interval", "8192"));
		EXPECT_TRUE(is(&self->unit, "caps/min_interval", "8192"));
	}
	ASSERT_EQ(0, module_unload(variant->of->driver));
	ASSERT_EQ(0, module_load(variant->of->driver, ""));
	EXPECT_TRUE(is(&self->unit, "tuning/max_buffer", "0"));
}

#include "clean_log.h"

TEST_HARNESS_MAIN
