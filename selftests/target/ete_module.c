// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading. V9_MODULES is the directory of v9_core.ko and v9_ete.ko. Run these tests
 * last, because one of the final tests reads the kernel log.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>

#include "ete.h"
#include "machine.h"
#include "reload.h"
#include "work.h"

#define DOWN "/sys/module/v9_down/parameters"

/* In the order in which they can be unloaded. Events release them some time after close(). */
static const char *const in_tree[] = { "coresight_trbe", "coresight_etm4x", "coresight" };

static int unload_in_tree(void)
{
	int err = 0, tries = 50;

	for (size_t i = 0; i < ARRAY_SIZE(in_tree); i++) {
		if (!module_loaded(in_tree[i]))
			continue;
		while ((err = module_unload(in_tree[i])) == -EWOULDBLOCK && tries--)
			usleep(100000);
		if (err)
			break;
	}
	return err;
}

/* A short session. Returns true if the trace is complete. */
static bool records(void)
{
	struct perf_event_attr attr;
	struct ete_run run = { 0 };
	struct unit unit;
	struct ring ring;
	bool good = false;

	if (ete_find(&unit))
		return false;
	ete_attr(&unit, &attr);
	if (ring_open(&ring, &attr, 0, -1, 64, 0))
		return false;
	if (!ring_enable(&ring)) {
		spin(20000);
		good = !ring_disable(&ring) && !ring_drain(&ring) &&
		       !ete_walk(&unit, &attr, &ring, &run) && run.in_spin == 40000;
	}
	ring_close(&ring);
	return good;
}

/* The driver of the unit cannot be unloaded while an event exists. */
TEST(module_in_use_stays_loaded)
{
	const char *driver;
	struct perf_event_attr attr;
	int fd;

	NEED_SESSION(unit);
	driver = unit.ours ? "v9_ete" : "coresight";
	NEED(module_loaded(driver), "driver as a module");
	NEED(!getuid(), "root");
	ete_attr(&unit, &attr);
	fd = ring_event(&attr, 0, -1);
	ASSERT_GE(fd, 0);
	EXPECT_EQ(-EWOULDBLOCK, module_unload(driver));
	close(fd);
	EXPECT_TRUE(records());
}

FIXTURE(modules)
{
	bool ready;
};

FIXTURE_SETUP(modules)
{
	struct unit unit;

	if (!getenv("V9_MODULES"))
		SKIP(return, "V9_MODULES (where the modules are)");
	if (getuid())
		SKIP(return, "root");
	if (ete_find(&unit) || !unit.ours)
		SKIP(return, "v9_ete driver");
	self->ready = true;
}

FIXTURE_TEARDOWN(modules)
{
	if (!self->ready)
		return;
	unload_in_tree();
	if (!module_loaded("v9_core"))
		module_load("v9_core", "");
	if (!module_loaded("v9_ete"))
		module_load("v9_ete", "");
}

TEST_F(modules, core_stays_while_needed)
{
	EXPECT_EQ(-EWOULDBLOCK, module_unload("v9_core"));
}

TEST_F(modules, unload_and_reload)
{
	struct unit unit;

	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, module_unload("v9_ete"));
		EXPECT_EQ(-ENODEV, ete_find(&unit));
		ASSERT_EQ(0, module_load("v9_ete", ""));
		ASSERT_EQ(0, ete_find(&unit));
		EXPECT_TRUE(records());
	}
}

TEST_F(modules, stays_while_a_session_runs)
{
	struct perf_event_attr attr;
	struct unit unit;
	struct ring ring;
	struct ete_run run;

	ASSERT_EQ(0, ete_find(&unit));
	ete_attr(&unit, &attr);
	reload_in_vain(_metadata, "v9_ete", &attr, &ring);
	COLLECT(ring, attr, run);
	EXPECT_GT(run.in_spin, 0);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	ring_close(&ring);
}

TEST_F(modules, reload_under_load)
{
	reload_under_load(_metadata, "v9_ete", records);
}

TEST_F(modules, second_load_refused)
{
	EXPECT_EQ(-EEXIST, module_load("v9_ete", ""));
}

/* SPE and ETE load in either order, and neither requires the other. */
TEST_F(modules, beside_v9_spe)
{
	bool both = module_loaded("v9_spe");

	if (both) {
		ASSERT_EQ(0, module_unload("v9_spe"));
		EXPECT_TRUE(records());
		ASSERT_EQ(0, module_unload("v9_ete"));
		ASSERT_EQ(0, module_unload("v9_core"));
		ASSERT_EQ(0, module_load("v9_core", ""));
		ASSERT_EQ(0, module_load("v9_ete", ""));
		ASSERT_EQ(0, module_load("v9_spe", ""));
	}
	EXPECT_TRUE(records());
}

/* The first step of kexec and reboot: recorded data is kept, and the unit writes nothing more. */
TEST_F(modules, shutdown_switches_the_unit_off)
{
	struct perf_event_attr attr;
	struct ete_run run = { 0 };
	struct unit unit;
	struct ring ring;

	if (module_load("selftest/v9_down", ""))
		SKIP(return, "v9_down.ko for this kernel");
	ASSERT_EQ(0, ete_find(&unit));
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(20000);
	EXPECT_EQ(1, (int)read_number(DOWN, "on"));
	EXPECT_EQ(0, write_text(DOWN "/shutdown", "v9_ete"));
	EXPECT_EQ(0, (int)read_number(DOWN, "on"));
	spin(20000);
	sched_yield();
	EXPECT_EQ(0, (int)read_number(DOWN, "on"));
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(0, ete_walk(&unit, &attr, &ring, &run));
	/* All of the first spin(), nothing of the second */
	EXPECT_EQ(40000, (int)run.in_spin);
	ring_close(&ring);
	ASSERT_EQ(0, module_unload("v9_ete"));
	ASSERT_EQ(0, module_load("v9_ete", ""));
	EXPECT_TRUE(records());
	module_unload("v9_down");
}

/* The in-tree driver uses the unit: one line in the log, -EBUSY, and no other effect. */
TEST_F(modules, in_tree_driver_keeps_the_unit)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	ASSERT_GE(log, 0);
	ASSERT_EQ(0, module_unload("v9_ete"));
	if (module_probe("coresight-etm4x") || module_probe("coresight-trbe"))
		SKIP(return, "in-tree coresight-etm4x and coresight-trbe modules");
	/* Linux 6.1 makes no device of the trace buffers in ACPI tables. */
	if (access("/sys/bus/coresight/devices/trbe0", F_OK)) {
		ASSERT_EQ(0, unload_in_tree());
		ASSERT_EQ(0, module_load("v9_ete", ""));
		SKIP(return, "a device for coresight-trbe");
	}
	lseek(log, 0, SEEK_END);
	EXPECT_EQ(-EBUSY, module_load("v9_ete", ""));
	EXPECT_EQ(1, log_lines(log, "v9_ete"));
	EXPECT_FALSE(module_loaded("v9_ete"));
	EXPECT_TRUE(records());
	ASSERT_EQ(0, unload_in_tree());
	EXPECT_EQ(0, module_load("v9_ete", ""));
	EXPECT_TRUE(records());
	close(log);
}

/* Another name for the PMU */
TEST_F(modules, other_pmu_name)
{
	static const char *const wrong[] = {
		"name=", "name=a/b", "name=..", "name=0etm", "name=cs-etm",
		"name=a_name_that_is_longer_than_32_chars",
	};
	struct unit unit;
	char text[32];

	ASSERT_EQ(0, module_unload("v9_ete"));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		EXPECT_EQ(-EINVAL, module_load("v9_ete", wrong[i]))
			TH_LOG("%s", wrong[i]);
	}
	ASSERT_EQ(0, module_load("v9_ete", "name=v9_trace"));
	EXPECT_EQ(-ENODEV, unit_find(&unit, "cs_etm"));
	ASSERT_EQ(0, read_text("/sys/module/v9_ete/parameters", "name", text, sizeof(text)));
	EXPECT_STREQ("v9_trace", text);
	setenv("V9_ETE_PMU", "v9_trace", 1);
	EXPECT_TRUE(records());
	unsetenv("V9_ETE_PMU");
	ASSERT_EQ(0, module_unload("v9_ete"));
	ASSERT_EQ(0, module_load("v9_ete", ""));
	ASSERT_EQ(0, read_text("/sys/module/v9_ete/parameters", "name", text, sizeof(text)));
	EXPECT_STREQ("cs_etm", text);
	EXPECT_TRUE(records());
}

/*
 * coresight alone takes no unit but registers the PMU's name, so the result is the same. Under
 * another name both PMUs exist, also with the in-tree driver of trace units.
 */
TEST_F(modules, in_tree_core_keeps_the_name)
{
	struct unit unit;
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	ASSERT_GE(log, 0);
	ASSERT_EQ(0, module_unload("v9_ete"));
	if (module_probe("coresight"))
		SKIP(return, "in-tree coresight module");
	lseek(log, 0, SEEK_END);
	EXPECT_EQ(-EBUSY, module_load("v9_ete", ""));
	EXPECT_EQ(1, log_lines(log, "v9_ete"));
	EXPECT_FALSE(module_loaded("v9_ete"));
	if (!module_probe("coresight-etm4x")) {
		setenv("V9_ETE_PMU", "v9_trace", 1);
		EXPECT_EQ(0, module_load("v9_ete", "name=v9_trace"));
		EXPECT_EQ(0, unit_find(&unit, "cs_etm"));
		EXPECT_TRUE(records());
		unsetenv("V9_ETE_PMU");
		EXPECT_EQ(0, module_unload("v9_ete"));
	}
	ASSERT_EQ(0, unload_in_tree());
	EXPECT_EQ(0, module_load("v9_ete", ""));
	EXPECT_TRUE(records());
	close(log);
}

#include "clean_log.h"

FIXTURE(taken)
{
};

FIXTURE_SETUP(taken)
{
}

FIXTURE_TEARDOWN(taken)
{
}

/*
 * v9_ete uses the unit: the in-tree driver fails to register the name, and v9_ete continues. This
 * test follows the check of the kernel log, because the in-tree driver logs a call trace then.
 */
TEST_F(taken, in_tree_driver_finds_it_taken)
{
	struct unit unit;

	NEED(!getuid(), "root");
	NEED(!ete_find(&unit) && unit.ours, "v9_ete driver");
	module_probe("coresight-etm4x");
	module_probe("coresight-trbe");
	EXPECT_TRUE(module_loaded("v9_ete"));
	EXPECT_TRUE(records());
	EXPECT_EQ(0, unload_in_tree());
	EXPECT_TRUE(records());
}

TEST_HARNESS_MAIN
