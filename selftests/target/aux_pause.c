// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events of a group pause and resume the AUX data of the group's leader (Linux 6.13, and 6.12 since
 * a stable release). While paused nothing is recorded. Stopping the event, migration and deep sleep
 * while it is paused lose no other data. Two rare system calls are the events that pause and
 * resume.
 */
#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "work.h"

#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#define TRACEPOINT	"/sys/kernel/tracing/events/syscalls/sys_enter_"
#define START_PAUSED	1u
#define PAUSE		2u
#define RESUME		4u
#define SPIN		100000	/* the trace of so many rounds fits into the buffer, with wrong paths, too */

/* Older headers call the word reserved. */
static void set_action(struct perf_event_attr *attr, uint32_t action)
{
	memcpy((char *)attr + offsetof(struct perf_event_attr, aux_sample_size) + 4, &action,
	       sizeof(action));
}

static void trigger_resume(void)
{
	syscall(__NR_getppid);
}

static void trigger_pause(void)
{
	syscall(__NR_getpgid, 0);
}

FIXTURE(pause)
{
	struct unit unit;
	struct perf_event_attr attr;
	struct ring ring;
	int fd[2];
};

UNIT_VARIANTS(pause, const char *unit, "arm_spe_0", "cs_etm");

FIXTURE_SETUP(pause)
{
	struct perf_event_attr *attr = &self->attr;

	self->ring.fd = -1;
	self->fd[0] = -1;
	self->fd[1] = -1;
	if (getuid())
		SKIP(return, "root");
	if (unit_find(&self->unit, variant->unit))
		SKIP(return, "PMU %s", variant->unit);
	attr->size = sizeof(*attr);
	attr->type = self->unit.type;
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	if (strcmp(variant->unit, "cs_etm"))
		attr->sample_period = 1024;
}

FIXTURE_TEARDOWN(pause)
{
	for (int i = 0; i < 2; i++)
		if (self->fd[i] >= 0)
			close(self->fd[i]);
	ring_close(&self->ring);
}

static int join(struct ring *ring, const char *call, uint32_t action, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT, .sample_period = 1,
	};
	char dir[96];
	int fd;

	snprintf(dir, sizeof(dir), TRACEPOINT "%s", call);
	attr.config = read_number(dir, "id");
	if (!attr.config)
		return -ENODATA;
	set_action(&attr, action);
	fd = syscall(__NR_perf_event_open, &attr, pid, cpu, ring->fd, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* The leader and both others */
static int begin(struct ring *ring, int *fd, struct perf_event_attr *attr, uint32_t first,
		 pid_t pid, int cpu, unsigned int pages)
{
	int err;

	set_action(attr, first);
	err = ring_open(ring, attr, pid, cpu, pages, 0);
	if (err)
		return err;
	fd[0] = join(ring, "getppid", RESUME, pid, cpu);
	fd[1] = fd[0] < 0 ? -1 : join(ring, "getpgid", PAUSE, pid, cpu);
	return fd[0] < 0 ? fd[0] : fd[1] < 0 ? fd[1] : 0;
}

/* Returns 0 or the -errno of opening an event that begins paused. */
static int refusal(const struct perf_event_attr *attr)
{
	struct perf_event_attr paused = *attr;
	int fd;

	set_action(&paused, START_PAUSED);
	fd = ring_event(&paused, 0, -1);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

#define NEED_PAUSE()								\
	do {									\
		NEED(!refusal(&self->attr), "kernel that pauses (Linux 6.13)");	\
		NEED(!access(TRACEPOINT "getppid/id", F_OK),			\
		     "tracepoints of system calls");				\
	} while (0)

/* What came since the last call */
static size_t fresh(struct ring *ring)
{
	size_t before = ring->nbytes;

	ring_drain(ring);
	return ring->nbytes - before;
}

TEST_F(pause, begins_paused)
{
	NEED_PAUSE();
	ASSERT_EQ(0, begin(&self->ring, self->fd, &self->attr, START_PAUSED, 0, -1, 64));
	ASSERT_EQ(0, ring_enable(&self->ring));
	spin(SPIN);
	ASSERT_EQ(0, ring_disable(&self->ring));
	EXPECT_EQ(0, fresh(&self->ring));
	/* It is still paused after a disable and enable, and after a task switch. */
	ASSERT_EQ(0, ring_enable(&self->ring));
	leave_cpu();
	spin(SPIN);
	EXPECT_EQ(0, fresh(&self->ring));
	trigger_resume();
	spin(SPIN);
	ASSERT_EQ(0, ring_disable(&self->ring));
	EXPECT_LT(1000, fresh(&self->ring));
	EXPECT_EQ(0, self->ring.flags & RING_LOSS);
}

/* Data from before the pause is reported; nothing is recorded after it. */
TEST_F(pause, nothing_while_paused)
{
	size_t first;

	NEED_PAUSE();
	ASSERT_EQ(0, begin(&self->ring, self->fd, &self->attr, 0, 0, -1, 64));
	ASSERT_EQ(0, ring_enable(&self->ring));
	spin(SPIN);
	trigger_pause();
	first = fresh(&self->ring);
	EXPECT_LT(1000, first);
	spin(SPIN);
	trigger_pause();
	leave_cpu();
	spin(SPIN);
	EXPECT_EQ(0, fresh(&self->ring));
	trigger_resume();
	spin(SPIN);
	trigger_resume();
	trigger_pause();
	/* As much as the first time, but for what is between the calls and the work */
	EXPECT_LT(first / 2, fresh(&self->ring));
	ASSERT_EQ(0, ring_disable(&self->ring));
	EXPECT_EQ(0, fresh(&self->ring));
	EXPECT_EQ(NULL, self->ring.wrong);
}

/* The small buffer wraps many times, while two tasks alternate. */
TEST_F(pause, paused_half_of_the_time)
{
	struct busy *other = new_shared(sizeof(*other));
	size_t half = 0, all = 0;
	struct worker worker;
	int cpu;

	NEED_PAUSE();
	cpu = unit_cpu(&self->unit, 0);
	ASSERT_EQ(0, pin_to(cpu));
	ASSERT_EQ(0, worker_start(&worker, cpu, keep_busy, other));
	worker_go(&worker);
	for (int paused = 0; paused < 2; paused++) {
		ASSERT_EQ(0, begin(&self->ring, self->fd, &self->attr, 0, 0, -1, 16));
		ASSERT_EQ(0, ring_enable(&self->ring));
		for (int i = 0; i < 120; i++) {
			trigger_resume();
			spin(10000);
			if (paused)
				trigger_pause();
			spin(10000);
			ring_drain(&self->ring);
			if (i % 8 == 0)
				sched_yield();
		}
		ASSERT_EQ(0, ring_disable(&self->ring));
		ring_drain(&self->ring);
		*(paused ? &half : &all) = self->ring.nbytes;
		EXPECT_EQ(NULL, self->ring.wrong);
		EXPECT_EQ(0, self->ring.flags & PERF_AUX_FLAG_PARTIAL);
		close(self->fd[0]);
		close(self->fd[1]);
		ring_close(&self->ring);
	}
	self->fd[0] = -1;
	self->fd[1] = -1;
	other->stop = true;
	worker_wait(&worker);
	munmap(other, sizeof(*other));
	EXPECT_LT(all * 3 / 10, half)
		TH_LOG("%zu of %zu", half, all);
	EXPECT_GT(all * 7 / 10, half)
		TH_LOG("%zu of %zu", half, all);
}

/* A whole CPU */
TEST_F(pause, cpu)
{
	size_t first;
	int cpu;

	NEED_PAUSE();
	cpu = unit_cpu(&self->unit, 0);
	ASSERT_EQ(0, pin_to(cpu));
	ASSERT_EQ(0, begin(&self->ring, self->fd, &self->attr, START_PAUSED, -1, cpu, 64));
	ASSERT_EQ(0, ring_enable(&self->ring));
	spin(SPIN);
	EXPECT_EQ(0, fresh(&self->ring));
	trigger_resume();
	spin(SPIN);
	trigger_pause();
	first = fresh(&self->ring);
	EXPECT_LT(1000, first);
	spin(SPIN);
	ASSERT_EQ(0, ring_disable(&self->ring));
	EXPECT_EQ(0, fresh(&self->ring));
}

/* The event is resumed while its buffer, with a deferred AUX handle, is being unmapped. */
TEST_F(pause, resumed_while_unmapped)
{
	struct perf_event_attr probe = {
		.size = sizeof(probe), .sample_period = 1,
		.kprobe_func = (uintptr_t)"perf_aux_output_end",
	};

	NEED_PAUSE();
	probe.type = read_number("/sys/bus/event_source/devices/kprobe", "type");
	NEED(probe.type, "PMU kprobe");
	set_action(&probe, RESUME);
	if (self->attr.sample_period)
		self->attr.sample_period = 1 << 23;
	set_action(&self->attr, 0);
	ASSERT_EQ(0, ring_open(&self->ring, &self->attr, 0, -1, 64, 0));
	self->fd[0] = join(&self->ring, "getpgid", PAUSE, 0, -1);
	ASSERT_GE(self->fd[0], 0);
	self->fd[1] = syscall(__NR_perf_event_open, &probe, 0, -1, self->ring.fd,
			      PERF_FLAG_FD_CLOEXEC);
	ASSERT_GE(self->fd[1], 0);
	for (int i = 0; i < 20; i++) {
		ASSERT_EQ(0, ring_enable(&self->ring));
		trigger_pause();
		ring_unmap_aux(&self->ring);
		ASSERT_EQ(0, ring_disable(&self->ring));
		ASSERT_EQ(0, ring_map_aux(&self->ring, 64, 0));
	}
}

/*
 * The event is resumed while perf holds the lock of the address filters, which have changed. It
 * continues as soon as interrupts are on.
 */
TEST_F(pause, resumed_under_the_lock_of_filters)
{
	char path[256] = "", filter[300];
	size_t first;

	NEED_PAUSE();
	NEED(unit_has(&self->unit, "per_cpu"), "v9_ete driver");
	NEED(unit_has(&self->unit, "nr_addr_filters"), "address filters");
	NEED(getenv("V9_MODULES") && (module_loaded("v9_resume") ||
				      !module_load("selftest/v9_resume", "")),
	     "v9_resume.ko for this kernel");
	/*
	 * Not a path below /proc: perf resolves the name under a lock, for which lockdep reports
	 * the order of locks that a look-up in /proc takes.
	 */
	ASSERT_LT(0, readlink("/proc/self/exe", path, sizeof(path) - 1));
	snprintf(filter, sizeof(filter), "filter 0/0x400000@%s", path);
	set_action(&self->attr, 0);
	ASSERT_EQ(0, ring_open(&self->ring, &self->attr, 0, -1, 64, 0));
	self->fd[0] = join(&self->ring, "getpgid", PAUSE, 0, -1);
	ASSERT_GE(self->fd[0], 0);
	ASSERT_EQ(0, ioctl(self->ring.fd, PERF_EVENT_IOC_SET_FILTER, filter));
	ASSERT_EQ(0, ring_enable(&self->ring));
	spin(SPIN);
	trigger_pause();
	first = fresh(&self->ring);
	EXPECT_LT(1000, first);
	/* While it is paused nobody reads them. */
	ASSERT_EQ(0, ioctl(self->ring.fd, PERF_EVENT_IOC_SET_FILTER, filter));
	spin(SPIN);
	EXPECT_EQ(0, fresh(&self->ring));
	ASSERT_EQ(0, write_text("/sys/module/v9_resume/parameters/resume", variant->unit));
	spin(SPIN);
	ASSERT_EQ(0, ring_disable(&self->ring));
	EXPECT_LT(first / 2, fresh(&self->ring));
	module_unload("v9_resume");
}

/*
 * The buffer is full when the event is resumed. The event is off then, so that a reader that has
 * read the data can enable it. Not on CPU 0, because perf stores the CPU number in that case.
 */
TEST_F(pause, full_when_resumed)
{
	struct perf_event_mmap_page *page;
	int cpu;

	NEED_PAUSE();
	NEED(unit_has(&self->unit, "per_cpu"), "v9_spe, v9_ete driver");
	NEED(self->unit.ncpus > 1, "second CPU");
	cpu = unit_cpu(&self->unit, 1);
	ASSERT_EQ(0, pin_to(cpu));
	ASSERT_EQ(0, begin(&self->ring, self->fd, &self->attr, 0, -1, cpu, 64));
	page = self->ring.page;
	ASSERT_EQ(0, ring_enable(&self->ring));
	for (int i = 0; i < 5; i++) {
		spin(SPIN);
		trigger_pause();
		EXPECT_LT(1000, fresh(&self->ring)) TH_LOG("time %d", i);
		__atomic_store_n(&page->aux_tail, self->ring.nbytes - self->ring.aux_size,
				 __ATOMIC_RELEASE);
		trigger_resume();
		spin(SPIN);
		EXPECT_EQ(self->ring.nbytes, page->aux_head);
		__atomic_store_n(&page->aux_tail, self->ring.nbytes, __ATOMIC_RELEASE);
		ASSERT_EQ(0, ring_enable(&self->ring));
	}
	ASSERT_EQ(0, ring_disable(&self->ring));
}

/*
 * A kernel that supports pausing accepts such events from our drivers, too; an older one refuses
 * them.
 */
TEST_F(pause, accepted_or_refused)
{
	struct utsname u;
	int err = refusal(&self->attr);

	NEED(unit_has(&self->unit, "per_cpu"), "v9_spe, v9_ete driver");
	uname(&u);
	EXPECT_EQ(!strncmp(u.release, "6.1.", 4) ? -EINVAL : 0, err);
}

TEST_F(pause, kernel_log_is_clean)
{
	EXPECT_EQ(0, log_complaints());
}

TEST_HARNESS_MAIN
