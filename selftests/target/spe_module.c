// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading. V9_MODULES is the directory of v9_core.ko and v9_spe.ko. Run these tests
 * last, because the final test reads the kernel log.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>

#include "machine.h"
#include "reload.h"
#include "spe.h"
#include "work.h"

#define IN_TREE "arm_spe_pmu"
#define DOWN "/sys/module/v9_down/parameters"

/* A short session. Returns the number of records. */
static size_t record_some(void)
{
	struct perf_event_attr attr;
	struct unit unit;
	struct ring ring;
	struct spe_recs recs;
	size_t n = 0;

	if (spe_find(&unit))
		return 0;
	spe_attr(&unit, &attr);
	if (ring_open(&ring, &attr, 0, -1, 64, 0))
		return 0;
	if (!ring_enable(&ring)) {
		spin(200000);
		if (!ring_disable(&ring) && !ring_drain(&ring) && !spe_records(&ring, &recs))
			n = recs.n;
	}
	ring_close(&ring);
	return n;
}

static bool records(void)
{
	return record_some() >= 100;
}

/* The driver of the unit cannot be unloaded while an event exists. */
TEST(module_in_use_stays_loaded)
{
	const char *driver;
	struct perf_event_attr attr;
	int fd;

	NEED_SESSION(unit);
	driver = unit.ours ? "v9_spe" : IN_TREE;
	NEED(module_loaded(driver), "driver as a module");
	NEED(!getuid(), "root");
	spe_attr(&unit, &attr);
	fd = ring_event(&attr, 0, -1);
	ASSERT_GE(fd, 0);
	EXPECT_EQ(-EWOULDBLOCK, module_unload(driver));
	close(fd);
	EXPECT_GE(record_some(), 100);
}

FIXTURE(modules)
{
	bool ready;
	bool with_ete;
};

FIXTURE_SETUP(modules)
{
	struct unit unit;

	if (!getenv("V9_MODULES"))
		SKIP(return, "V9_MODULES (where the modules are)");
	if (getuid())
		SKIP(return, "root");
	if (spe_find(&unit) || !unit.ours)
		SKIP(return, "v9_spe driver");
	self->ready = true;
	self->with_ete = module_loaded("v9_ete");
}

FIXTURE_TEARDOWN(modules)
{
	if (!self->ready)
		return;
	if (module_loaded(IN_TREE))
		module_unload(IN_TREE);
	if (!module_loaded("v9_core"))
		module_load("v9_core", "");
	if (!module_loaded("v9_spe"))
		module_load("v9_spe", "");
	if (self->with_ete && !module_loaded("v9_ete"))
		module_load("v9_ete", "");
}

TEST_F(modules, core_stays_while_needed)
{
	EXPECT_EQ(-EWOULDBLOCK, module_unload("v9_core"));
}

TEST_F(modules, unload_and_reload)
{
	struct unit unit;

	if (self->with_ete)
		ASSERT_EQ(0, module_unload("v9_ete"));
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, module_unload("v9_spe"));
		EXPECT_EQ(-ENODEV, spe_find(&unit));
		if (i & 1) {
			ASSERT_EQ(0, module_unload("v9_core"));
			ASSERT_EQ(0, module_load("v9_core", ""));
		}
		ASSERT_EQ(0, module_load("v9_spe", ""));
		ASSERT_EQ(0, spe_find(&unit));
		EXPECT_STREQ("arm_spe_0", unit.name);
		EXPECT_GE(record_some(), 100);
	}
}

TEST_F(modules, stays_while_a_session_runs)
{
	struct perf_event_attr attr;
	struct unit unit;
	struct ring ring;
	struct spe_recs recs;

	ASSERT_EQ(0, spe_find(&unit));
	spe_attr(&unit, &attr);
	reload_in_vain(_metadata, "v9_spe", &attr, &ring);
	COLLECT(ring, recs);
	EXPECT_GT(recs.n, 0);
	spe_free(&recs);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	ring_close(&ring);
}

TEST_F(modules, reload_under_load)
{
	reload_under_load(_metadata, "v9_spe", records);
}

/* A task that used an event of our PMU, closed it, and then opens one of another PMU. */
static void outlive(void *arg)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
	};
	struct busy *busy = arg;

	record_some();
	while (!busy->stop) {
		usleep(20);
		busy->rounds++;
	}
	if (ring_try(&attr))
		_exit(1);
}

/*
 * Kernels before 6.2 store that PMU in the task and access it later. The task opens no software
 * event while the PMU is removed, because on those kernels the two would deadlock.
 */
TEST_F(modules, task_lives_longer_than_pmu)
{
	struct busy *busy = new_shared(sizeof(*busy));
	struct worker worker;

	ASSERT_NE(NULL, busy);
	ASSERT_EQ(0, worker_start(&worker, -1, outlive, busy));
	worker_go(&worker);
	wait_rounds(busy, 1);
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, module_unload("v9_spe"));
		wait_rounds(busy, 20);
		ASSERT_EQ(0, module_load("v9_spe", ""));
	}
	busy->stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
}

TEST_F(modules, second_load_refused)
{
	EXPECT_EQ(-EEXIST, module_load("v9_spe", ""));
}

TEST_F(modules, unknown_option_is_harmless)
{
	ASSERT_EQ(0, module_unload("v9_spe"));
	EXPECT_EQ(0, module_load("v9_spe", "no_such_option=1"));
	EXPECT_GE(record_some(), 100);
}

/* v9_spe has another PMU name if a driver already uses the name that perf expects. */
TEST_F(modules, other_pmu_name)
{
	static const char *const wrong[] = {
		"name=", "name=a/b", "name=..", "name=0spe_", "name=spe-",
		"name=a_name_that_is_longer_than_32_chars",
	};
	struct unit unit;
	char text[32];

	ASSERT_EQ(0, module_unload("v9_spe"));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		EXPECT_EQ(-EINVAL, module_load("v9_spe", wrong[i]))
			TH_LOG("%s", wrong[i]);
	}
	ASSERT_EQ(0, module_load("v9_spe", "name=v9_profile_"));
	EXPECT_EQ(-ENODEV, unit_find(&unit, "arm_spe_0"));
	EXPECT_EQ(0, unit_find(&unit, "v9_profile_0"));
	ASSERT_EQ(0, read_text("/sys/module/v9_spe/parameters", "name", text, sizeof(text)));
	EXPECT_STREQ("v9_profile_", text);
	setenv("V9_PMU", "v9_profile_0", 1);
	EXPECT_GE(record_some(), 100);
	unsetenv("V9_PMU");
	ASSERT_EQ(0, module_unload("v9_spe"));
	ASSERT_EQ(0, module_load("v9_spe", ""));
	EXPECT_EQ(0, unit_find(&unit, "arm_spe_0"));
	EXPECT_GE(record_some(), 100);
}

/* The first step of kexec and reboot: recorded data is kept, and the unit writes nothing more. */
TEST_F(modules, shutdown_switches_the_unit_off)
{
	struct perf_event_attr attr;
	struct spe_recs recs;
	struct unit unit;
	struct ring ring;

	if (module_load("selftest/v9_down", ""))
		SKIP(return, "v9_down.ko for this kernel");
	ASSERT_EQ(0, spe_find(&unit));
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(200000);
	EXPECT_EQ(1, (int)read_number(DOWN, "on"));
	EXPECT_EQ(0, write_text(DOWN "/shutdown", "v9_spe"));
	EXPECT_EQ(0, (int)read_number(DOWN, "on"));
	spin(200000);
	sched_yield();
	EXPECT_EQ(0, (int)read_number(DOWN, "on"));
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	ASSERT_EQ(0, spe_records(&ring, &recs));
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	/* All of the first spin(), nothing of the second */
	EXPECT_GE(spe_in_spin(&recs) + 2, 400000 / (attr.sample_period + 1));
	EXPECT_LE(spe_in_spin(&recs), 400000 / attr.sample_period + 2);
	spe_free(&recs);
	ring_close(&ring);
	ASSERT_EQ(0, module_unload("v9_spe"));
	ASSERT_EQ(0, module_load("v9_spe", ""));
	EXPECT_GE(record_some(), 100);
	module_unload("v9_down");
}

/* The in-tree driver uses the unit: one line in the log, -EBUSY, and no other effect. */
TEST_F(modules, in_tree_driver_keeps_the_unit)
{
	struct unit unit;
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	ASSERT_GE(log, 0);
	ASSERT_EQ(0, module_unload("v9_spe"));
	if (module_probe(IN_TREE) || spe_find(&unit))
		SKIP(return, "in-tree arm_spe_pmu module");
	lseek(log, 0, SEEK_END);
	EXPECT_EQ(-EBUSY, module_load("v9_spe", ""));
	EXPECT_EQ(1, log_lines(log, "v9_spe"));
	EXPECT_FALSE(module_loaded("v9_spe"));
	EXPECT_GE(record_some(), 100);
	ASSERT_EQ(0, module_unload(IN_TREE));
	EXPECT_EQ(0, module_load("v9_spe", ""));
	EXPECT_GE(record_some(), 100);
	close(log);
}

/* v9_spe uses the unit: the in-tree driver finds no device, and v9_spe continues. */
TEST_F(modules, in_tree_driver_finds_it_taken)
{
	if (module_probe(IN_TREE))
		SKIP(return, "in-tree arm_spe_pmu module");
	EXPECT_TRUE(module_loaded("v9_spe"));
	EXPECT_GE(record_some(), 100);
	EXPECT_EQ(0, module_unload(IN_TREE));
	EXPECT_GE(record_some(), 100);
}

#include "clean_log.h"

TEST_HARNESS_MAIN
