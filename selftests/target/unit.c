// SPDX-License-Identifier: GPL-2.0-only
/*
 * A unit needs no AUX buffer, no interrupt and no node in firmware: v9_tick.ko is a PMU of such
 * units, made with the interface of v9_core.ko. It counts ticks of CNTVCT_EL0.
 */
#include "harness.h"

#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine.h"
#include "ring.h"
#include "work.h"

#define PMU	"/sys/bus/event_source/devices/v9_tick"
#define DEVICE	"/sys/bus/platform/devices/v9_tick"
#define COUNTERS "/sys/module/v9_tick/parameters"
#define ONLINE	"/sys/devices/system/cpu"

static long number(const char *dir, const char *file)
{
	char text[32];

	return read_text(dir, file, text, sizeof(text)) ? -1 : strtol(text, NULL, 0);
}

/* Opens an event of v9_tick, disabled. Returns its descriptor or -errno. */
static int tick_open(pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = number(PMU, "type"), .disabled = 1,
	};

	return ring_event(&attr, pid, cpu);
}

static uint64_t count_of(int fd)
{
	uint64_t n = 0;

	return read(fd, &n, sizeof(n)) == sizeof(n) ? n : UINT64_MAX;
}

FIXTURE(tick)
{
	bool ready;
};

FIXTURE_SETUP(tick)
{
	if (!getenv("V9_MODULES"))
		SKIP(return, "V9_MODULES (where the modules are)");
	if (getuid())
		SKIP(return, "root");
	if (!module_loaded("v9_core"))
		SKIP(return, "v9_core driver");
	if (module_load("selftest/v9_tick", ""))
		SKIP(return, "v9_tick.ko for this kernel");
	self->ready = true;
}

FIXTURE_TEARDOWN(tick)
{
	if (self->ready)
		EXPECT_EQ(0, module_unload("v9_tick"));
}

/* The module makes a device and a PMU of all CPUs, and unloading it removes both. */
TEST_F(tick, device_unbound_and_bound)
{
	char cpus[64], online[64];

	EXPECT_EQ(0, access(DEVICE, F_OK));
	ASSERT_EQ(0, read_text(PMU, "cpumask", cpus, sizeof(cpus)));
	ASSERT_EQ(0, read_text(ONLINE, "online", online, sizeof(online)));
	EXPECT_STREQ(online, cpus);
	ASSERT_EQ(0, module_unload("v9_tick"));
	EXPECT_NE(0, access(DEVICE, F_OK));
	EXPECT_NE(0, access(PMU, F_OK));
	ASSERT_EQ(0, module_load("selftest/v9_tick", ""));
	EXPECT_EQ(0, access(PMU, F_OK));
}

/* An event of a task counts while the task runs, and only then. */
TEST_F(tick, counts_a_task)
{
	int fd = tick_open(0, -1);
	uint64_t n;

	ASSERT_GE(fd, 0);
	EXPECT_EQ(0, count_of(fd));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	spin(200000);
	n = count_of(fd);
	EXPECT_LT(0, n);
	spin(200000);
	EXPECT_LT(n, count_of(fd));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	n = count_of(fd);
	spin(200000);
	EXPECT_EQ(n, count_of(fd));
	close(fd);
}

/* Without a buffer there is no AUX area; the PMU does not sample and has no routing. */
TEST_F(tick, has_no_buffer)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = number(PMU, "type"), .sample_period = 4096,
	};
	const long page = sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *ring;
	int fd = tick_open(0, -1);

	ASSERT_GE(fd, 0);
	ring = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, ring);
	ring->aux_offset = 2 * page;
	ring->aux_size = 2 * page;
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
				   2 * page));
	EXPECT_EQ(EOPNOTSUPP, errno);
	munmap(ring, 2 * page);
	close(fd);
	EXPECT_EQ(-EINVAL, ring_event(&attr, 0, -1));
	EXPECT_NE(0, access("/sys/kernel/debug/v9trace/v9_tick", F_OK));
}

/* A CPU that goes offline takes its unit with it; one that comes back has it again. */
TEST_F(tick, unit_follows_cpu_hotplug)
{
	long resets = number(COUNTERS, "resets");
	int cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1, fd;

	NEED(cpu > 0 && !set_online(cpu, true), "removable CPU");
	ASSERT_EQ(0, set_online(cpu, false));
	EXPECT_EQ(resets + 1, number(COUNTERS, "resets"));
	EXPECT_EQ(-ENODEV, tick_open(-1, cpu));
	ASSERT_EQ(0, set_online(cpu, true));
	EXPECT_EQ(resets + 2, number(COUNTERS, "resets"));
	fd = tick_open(-1, cpu);
	ASSERT_GE(fd, 0);
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	usleep(1000);
	EXPECT_LT(0, count_of(fd));
	close(fd);
}

/* Deep sleep saves and restores an event that runs; without one the unit is reset when it starts. */
TEST_F(tick, survives_deep_sleep)
{
	int cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1, fd;
	long resets;
	uint64_t n;

	NEED(module_loaded("v9_sleep") || !module_load("selftest/v9_sleep", ""),
	     "v9_sleep.ko for this kernel");
	fd = tick_open(-1, cpu);
	ASSERT_GE(fd, 0);
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_EQ(0, let_sleep(cpu, 3));
	EXPECT_EQ(3, number(COUNTERS, "saves"));
	EXPECT_EQ(3, number(COUNTERS, "restores"));
	n = count_of(fd);
	usleep(1000);
	EXPECT_LT(n, count_of(fd));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));

	resets = number(COUNTERS, "resets");
	ASSERT_EQ(0, let_sleep(cpu, 3));
	EXPECT_EQ(3, number(COUNTERS, "saves"));
	EXPECT_EQ(resets, number(COUNTERS, "resets"));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_EQ(resets + 1, number(COUNTERS, "resets"));
	close(fd);
	module_unload("v9_sleep");
}

#include "clean_log.h"

TEST_HARNESS_MAIN
