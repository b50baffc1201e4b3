// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading. V9_MODULES names the directory of v9_core.ko and
 * v9_spe.ko. Run last: the final test reads what the kernel had to say.
 */
#include "harness.h"

#include <fcntl.h>
#include <sys/syscall.h>

#define IN_TREE "arm_spe_pmu"

static bool loaded(const char *module)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", module);
	return !access(path, F_OK);
}

static int unload(const char *module)
{
	return syscall(__NR_delete_module, module, O_NONBLOCK) ? -errno : 0;
}

/* 0 or -errno of the kernel, whichever module it is. */
static int load(const char *module, const char *options)
{
	char path[256];
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/%s.ko", getenv("V9_MODULES"), module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (syscall(__NR_finit_module, fd, options, 0))
		err = -errno;
	close(fd);
	return err;
}

static int modprobe(const char *module)
{
	char command[128];

	snprintf(command, sizeof(command), "modprobe %s >/dev/null 2>&1", module);
	return system(command);
}

/* A short session, to see that the unit works. */
static size_t record_some(void)
{
	struct perf_event_attr attr;
	struct spe_unit unit;
	struct spe_ring ring;
	struct spe_recs recs;
	size_t n = 0;

	if (spe_find(&unit))
		return 0;
	spe_attr(&unit, &attr);
	if (spe_open(&ring, &attr, 0, -1, 64, 0))
		return 0;
	if (!spe_enable(&ring)) {
		spin(200000);
		if (!spe_disable(&ring) && !spe_drain(&ring) && !spe_records(&ring, &recs))
			n = recs.n;
	}
	spe_close(&ring);
	return n;
}

/* Whatever drives the unit stays while an event exists. */
TEST(in_use_stays)
{
	const char *driver;
	struct perf_event_attr attr;
	int fd;

	NEED_SESSION(unit);
	driver = unit.ours ? "v9_spe" : IN_TREE;
	NEED(loaded(driver), "driver as a module");
	NEED(!getuid(), "root");
	spe_attr(&unit, &attr);
	fd = spe_event(&attr, 0, -1);
	ASSERT_GE(fd, 0);
	EXPECT_EQ(-EWOULDBLOCK, unload(driver));
	close(fd);
	EXPECT_GE(record_some(), 100);
}

FIXTURE(modules)
{
	bool ready;
};

FIXTURE_SETUP(modules)
{
	struct spe_unit unit;

	if (!getenv("V9_MODULES"))
		SKIP(return, "V9_MODULES (where the modules are)");
	if (getuid())
		SKIP(return, "root");
	if (spe_find(&unit) || !unit.ours)
		SKIP(return, "v9_spe driver");
	self->ready = true;
}

FIXTURE_TEARDOWN(modules)
{
	if (!self->ready)
		return;
	if (loaded(IN_TREE))
		unload(IN_TREE);
	if (!loaded("v9_core"))
		load("v9_core", "");
	if (!loaded("v9_spe"))
		load("v9_spe", "");
}

TEST_F(modules, core_stays_while_needed)
{
	EXPECT_EQ(-EWOULDBLOCK, unload("v9_core"));
}

TEST_F(modules, unload_and_reload)
{
	struct spe_unit unit;

	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, unload("v9_spe"));
		EXPECT_EQ(-ENODEV, spe_find(&unit));
		if (i & 1) {
			ASSERT_EQ(0, unload("v9_core"));
			ASSERT_EQ(0, load("v9_core", ""));
		}
		ASSERT_EQ(0, load("v9_spe", ""));
		ASSERT_EQ(0, spe_find(&unit));
		EXPECT_STREQ("arm_spe_0", unit.name);
		EXPECT_GE(record_some(), 100);
	}
}

TEST_F(modules, second_load_refused)
{
	EXPECT_EQ(-EEXIST, load("v9_spe", ""));
}

TEST_F(modules, unknown_option_is_harmless)
{
	ASSERT_EQ(0, unload("v9_spe"));
	EXPECT_EQ(0, load("v9_spe", "no_such_option=1"));
	EXPECT_GE(record_some(), 100);
}

/* Lines of the kernel's log since the last call that contain @word. */
static int log_lines(int fd, const char *word)
{
	char line[8192];
	ssize_t n;
	int found = 0;

	while ((n = read(fd, line, sizeof(line) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue;
		line[n] = 0;
		if (strstr(line, word)) {
			fprintf(stderr, "# log: %s", strchr(line, ';') + 1);
			found++;
		}
	}
	return found;
}

/* The in-tree driver holds the unit: one clear line, EBUSY, and no harm. */
TEST_F(modules, in_tree_driver_keeps_the_unit)
{
	struct spe_unit unit;
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	ASSERT_GE(log, 0);
	ASSERT_EQ(0, unload("v9_spe"));
	if (modprobe(IN_TREE) || spe_find(&unit))
		SKIP(return, "in-tree arm_spe_pmu module");
	lseek(log, 0, SEEK_END);
	EXPECT_EQ(-EBUSY, load("v9_spe", ""));
	EXPECT_EQ(1, log_lines(log, "v9_spe"));
	EXPECT_FALSE(loaded("v9_spe"));
	EXPECT_GE(record_some(), 100);
	ASSERT_EQ(0, unload(IN_TREE));
	EXPECT_EQ(0, load("v9_spe", ""));
	EXPECT_GE(record_some(), 100);
	close(log);
}

/* Ours holds it: the other finds no device to drive, ours goes on. */
TEST_F(modules, in_tree_driver_finds_it_taken)
{
	if (modprobe(IN_TREE))
		SKIP(return, "in-tree arm_spe_pmu module");
	EXPECT_TRUE(loaded("v9_spe"));
	EXPECT_GE(record_some(), 100);
	EXPECT_EQ(0, unload(IN_TREE));
	EXPECT_GE(record_some(), 100);
}

/* The harness runs fixtures in the order of the file and plain tests before them. */
FIXTURE(kernel)
{
};

FIXTURE_SETUP(kernel)
{
}

FIXTURE_TEARDOWN(kernel)
{
}

/* Nothing the kernel complains about, since run.sh wrote its line or since boot. */
TEST_F(kernel, kernel_log_is_clean)
{
	static const char *const bad[] = {
		"WARNING:", "BUG:", "Oops", "Call trace:", "possible recursive locking",
		"possible circular locking", "inconsistent lock state", "KASAN:", "UBSAN:",
		"sleeping function called", "rcu_sched self-detected", "soft lockup",
		"irq 21: nobody cared", "unexpected IRQ trap",
	};
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC), found = 0;
	char line[8192];
	ssize_t n;

	if (log < 0)
		SKIP(return, "readable /dev/kmsg");
	while ((n = read(log, line, sizeof(line) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		if (n < 0)
			continue;
		line[n] = 0;
		if (strstr(line, "v9trace selftests begin"))
			found = 0;
		for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
			if (!strstr(line, bad[i]))
				continue;
			TH_LOG("%s", strchr(line, ';') + 1);
			found++;
			break;
		}
	}
	EXPECT_EQ(0, found);
	close(log);
}

TEST_HARNESS_MAIN
