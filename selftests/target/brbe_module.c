// SPDX-License-Identifier: GPL-2.0-only
/* v9_brbe: CPUs that go and come, deep idle, loading and unloading. V9_MODULES is where it is. */
#include "harness.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "brbe.h"
#include "machine.h"
#include "work.h"

static size_t samples_on(struct brbe_ring *ring, int cpu)
{
	size_t n = 0;

	while (brbe_next(ring))
		n += (int)ring->sample.cpu == cpu && ring->sample.nr;
	return n;
}

/*
 * Adds branches of the kernel to an event. The period is longer than a debug kernel needs for one
 * interrupt: else it would do nothing but handle interrupts.
 */
static void with_kernel(struct perf_event_attr *attr)
{
	attr->sample_period = 2000003;
	attr->exclude_kernel = attr->exclude_hv = 0;
	attr->branch_sample_type |= PERF_SAMPLE_BRANCH_KERNEL;
}

/* Does a session of this task get samples, on whichever CPU it runs? */
static bool records(void)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;
	struct unit unit;
	size_t n = 0;

	if (brbe_find(&unit) || !unit.ours)
		return false;
	brbe_attr(&unit, &attr, BRBE_CYCLES, 50021);
	if (brbe_open(&ring, &attr, 0, -1))
		return false;
	brbe_slow_begin();
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	/* A busy host gives the guest little time. */
	for (int i = 0; i < 100 && n <= 3; i++) {
		wander(20000, 1);
		while (brbe_next(&ring))
			n += ring.sample.nr != 0;
	}
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	brbe_slow_end();
	brbe_close(&ring);
	return n > 3;
}

FIXTURE(brbe)
{
	struct unit unit;
	int cpu;
};

FIXTURE_SETUP(brbe)
{
	if (getuid())
		SKIP(return, "root");
	if (brbe_find(&self->unit) || !self->unit.ours)
		SKIP(return, "v9_brbe");
	self->cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	brbe_slow_begin();
}

FIXTURE_TEARDOWN(brbe)
{
	brbe_slow_end();
}

/* An event of a task, on all CPUs: it gets a new counter on a CPU that was offline. */
TEST_F(brbe, cpu_that_comes_back_is_sampled)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;
	size_t n = 0;
	int fd[2];

	NEED(self->cpu > 0, "removable CPU");
	brbe_attr(&self->unit, &attr, BRBE_CYCLES, 50021);
	ASSERT_EQ(0, brbe_open(&ring, &attr, 0, -1));
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	ASSERT_EQ(0, pin_to(0));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, set_online(self->cpu, false));
		wander(2000, 1);
		ASSERT_EQ(0, set_online(self->cpu, true));
	}
	ASSERT_EQ(0, pin_to(self->cpu));
	/* The counter is made in the background. */
	for (int i = 0; i < 100 && !n; i++) {
		wander(20000, 1);
		n = samples_on(&ring, self->cpu);
	}
	EXPECT_GT(n, 0);
	brbe_close(&ring);
	/* All of them are free again, of which a CPU has two for sessions. */
	for (int i = 0; i < 2; i++) {
		brbe_attr(&self->unit, &attr, BRBE_BRANCHES, 100003 + i);
		fd[i] = ring_event(&attr, -1, self->cpu);
		EXPECT_GE(fd[i], 0);
	}
	for (int i = 0; i < 2; i++)
		close(fd[i]);
}

/* A CPU goes while it is recorded. Its event ends, as all that perf has of a CPU. */
TEST_F(brbe, cpu_goes_while_it_is_recorded)
{
	struct perf_event_attr attr;
	struct busy *busy = new_shared(sizeof(*busy));
	struct worker worker;
	struct brbe_ring ring;
	size_t n;

	NEED(self->cpu > 0, "removable CPU");
	ASSERT_NE(NULL, busy);
	for (int kernel = 0; kernel < 2; kernel++) {
		busy->stop = false;
		brbe_attr(&self->unit, &attr, BRBE_CYCLES, 50021);
		if (kernel)
			with_kernel(&attr);
		ASSERT_EQ(0, brbe_open(&ring, &attr, -1, self->cpu));
		ASSERT_EQ(0, worker_start(&worker, self->cpu, keep_busy, busy));
		ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
		worker_go(&worker);
		n = 0;
		for (int i = 0; i < 100 && !n; i++) {
			wait_rounds(busy, 20);
			n = samples_on(&ring, self->cpu);
		}
		ASSERT_EQ(0, set_online(self->cpu, false));
		ASSERT_EQ(0, set_online(self->cpu, true));
		busy->stop = true;
		ASSERT_EQ(0, worker_wait(&worker));
		EXPECT_GT(n, 0);
		brbe_close(&ring);
		EXPECT_TRUE(records());
	}
}

/* Deep idle loses the registers: recording goes on afterwards, and begins anew. */
TEST_F(brbe, survives_deep_sleep)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;

	NEED(self->cpu > 0 && getenv("V9_MODULES") &&
	     (module_loaded("v9_sleep") || !module_load("selftest/v9_sleep", "")),
	     "v9_sleep.ko for this kernel");
	brbe_attr(&self->unit, &attr, BRBE_CYCLES, 50021);
	ASSERT_EQ(0, brbe_open(&ring, &attr, -1, self->cpu));
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 3; i++) {
		struct spin_job job = { 400000 };
		struct worker worker;

		ASSERT_EQ(0, let_sleep(self->cpu, 3));
		ASSERT_EQ(0, worker_start(&worker, self->cpu, spin_work, &job));
		samples_on(&ring, self->cpu);
		worker_go(&worker);
		ASSERT_EQ(0, worker_wait(&worker));
		EXPECT_GT(samples_on(&ring, self->cpu), 0);
	}
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	brbe_close(&ring);
	/* asleep without an event */
	ASSERT_EQ(0, let_sleep(self->cpu, 3));
	EXPECT_TRUE(records());
	module_unload("v9_sleep");
}

/* Events of many tasks come and go while CPUs do. */
TEST_F(brbe, opened_while_cpus_go)
{
	pid_t pid;
	int status;

	NEED(self->cpu > 0, "removable CPU");
	pid = fork();
	if (!pid) {
		struct perf_event_attr attr;

		brbe_attr(&self->unit, &attr, BRBE_CYCLES, 50021);
		attr.inherit = 1;
		for (;;) {
			int fd = ring_event(&attr, 0, -1);

			if (fd >= 0) {
				ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
				if (!fork())
					_exit(0);
				wait(NULL);
				close(fd);
			}
		}
	}
	for (int i = 0; i < 10; i++) {
		EXPECT_EQ(0, set_online(self->cpu, false));
		EXPECT_EQ(0, set_online(self->cpu, true));
	}
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(records());
}

TEST_F(brbe, module_in_use_stays_loaded)
{
	struct perf_event_attr attr;
	int fd;

	NEED(getenv("V9_MODULES"), "V9_MODULES (where the modules are)");
	brbe_attr(&self->unit, &attr, BRBE_CYCLES, 100003);
	fd = ring_event(&attr, 0, -1);
	ASSERT_GE(fd, 0);
	EXPECT_EQ(-EWOULDBLOCK, module_unload("v9_brbe"));
	close(fd);
	EXPECT_TRUE(records());
}

/* An event that was closed just before holds nothing of the module. */
TEST_F(brbe, unload_and_load)
{
	NEED(getenv("V9_MODULES"), "V9_MODULES (where the modules are)");
	for (int i = 0; i < 5; i++) {
		int err;

		EXPECT_TRUE(records());
		/* A reference may be put late. */
		for (int n = 0; (err = module_unload("v9_brbe")) == -EWOULDBLOCK && n < 100; n++)
			usleep(10000);
		ASSERT_EQ(0, err);
		EXPECT_NE(0, access("/sys/bus/event_source/devices/v9_brbe", F_OK));
		ASSERT_EQ(0, module_load("v9_brbe", ""));
	}
	EXPECT_TRUE(records());
}

/*
 * A counter of another session overflows: that of a task that does not run here, which perf has
 * started again after deep sleep. The session that runs gets no sample of it, and the counter
 * stops.
 */
TEST_F(brbe, overflow_of_another_session)
{
	struct perf_event_attr attr, other;
	unsigned long foreign;
	struct brbe_ring ring;
	size_t n = 0;
	pid_t pid;
	int fd;

	NEED(getenv("V9_MODULES") &&
	     (module_loaded("v9_sleep") || !module_load("selftest/v9_sleep", "")),
	     "v9_sleep.ko for this kernel");
	foreign = read_number(self->unit.dir, "stats/foreign");
	pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	brbe_attr(&self->unit, &other, BRBE_RECORDS, 509);
	brbe_attr(&self->unit, &attr, BRBE_RECORDS, 1009);
	fd = ring_event(&other, pid, -1);
	ASSERT_GE(fd, 0);
	ASSERT_EQ(0, brbe_open(&ring, &attr, 0, -1));
	ASSERT_EQ(0, pin_to(self->cpu));
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	ASSERT_EQ(0, let_sleep(self->cpu, 1));
	wander(20000, 1);
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	while (brbe_next(&ring)) {
		EXPECT_EQ(1009, ring.sample.period);
		n++;
	}
	EXPECT_GT(n, 20);
	EXPECT_GT(read_number(self->unit.dir, "stats/foreign"), foreign);
	close(fd);
	brbe_close(&ring);
	kill(pid, SIGKILL);
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
	module_unload("v9_sleep");
}

#define DOWN "/sys/module/v9_down/parameters"

/* No CPU records without a session, nor after the first step of kexec and reboot. */
TEST_F(brbe, shutdown_switches_the_unit_off)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;
	size_t n = 0;

	NEED(getenv("V9_MODULES") && !module_load("selftest/v9_down", "sbrbe=1"),
	     "v9_down.ko for this kernel");
	brbe_attr(&self->unit, &attr, BRBE_CYCLES, 50021);
	with_kernel(&attr);
	ASSERT_EQ(0, brbe_open(&ring, &attr, 0, -1));
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 1000 && n < 4; i++) {
		wander(20000, 1);
		while (brbe_next(&ring))
			n++;
	}
	EXPECT_GT(n, 3);
	EXPECT_GT(read_number(DOWN, "branches"), 0);
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	EXPECT_EQ(0, read_number(DOWN, "branches"));
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	EXPECT_GT(read_number(DOWN, "branches"), 0);
	EXPECT_EQ(0, write_text(DOWN "/shutdown", "v9_brbe"));
	EXPECT_EQ(0, read_number(DOWN, "branches"));
	while (brbe_next(&ring))
		;
	for (int i = 0; i < 20; i++)
		wander(20000, 1);
	sched_yield();
	EXPECT_EQ(0, read_number(DOWN, "branches"));
	EXPECT_FALSE(brbe_next(&ring));
	brbe_close(&ring);
	EXPECT_EQ(0, module_unload("v9_down"));
	for (int i = 0; i < 100 && module_unload("v9_brbe") == -EWOULDBLOCK; i++)
		usleep(10000);
	ASSERT_EQ(0, module_load("v9_brbe", ""));
	EXPECT_TRUE(records());
}

/* Where the kernel has a driver of its own, ours does not load. */
TEST(kernel_has_a_driver)
{
	struct unit unit;

	NEED(!getuid() && getenv("V9_MODULES"), "root, and V9_MODULES (where the modules are)");
	NEED(!brbe_find(&unit) && !unit.ours, "the kernel's own driver");
	NEED(module_loaded("v9_core"), "v9_core");
	EXPECT_EQ(-EBUSY, module_load("v9_brbe", ""));
}

#include "clean_log.h"

TEST_HARNESS_MAIN
