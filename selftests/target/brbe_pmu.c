// SPDX-License-Identifier: GPL-2.0-only
/* The PMU v9_brbe in sysfs, and which events it accepts or refuses, and from whom. */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "brbe.h"
#include "machine.h"
#include "work.h"

#define CLOCK		(1 << 16)
#define BOUNDARIES	(1 << 17)

#define NEED_OURS(unit)				\
	NEED_BRBE_SESSION(unit);		\
	NEED(unit.ours, "v9_brbe")

TEST(files)
{
	static const struct {
		const char *name, *text;
	} want[] = {
		{ "format/event", "config:0-15" }, { "format/clock", "config:16" },
		{ "format/boundaries", "config:17" },
		{ "events/cycles", "event=0x11" }, { "events/instructions", "event=0x8" },
		{ "events/branches", "event=0x21" }, { "events/records", "event=0x811f" },
		{ "events/clock", "clock=1" }, { "caps/cycle_bits", "20" },
	};
	unsigned long records;
	char text[64];

	NEED_OURS(unit);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		ASSERT_EQ(0, read_text(unit.dir, want[i].name, text, sizeof(text)))
			TH_LOG("no %s", want[i].name);
		EXPECT_STREQ(want[i].text, text);
	}
	records = read_number(unit.dir, "caps/branches");
	EXPECT_TRUE(records == 8 || records == 16 || records == 32 || records == 64);
	EXPECT_TRUE(unit_has(&unit, "caps/version"));
	EXPECT_GT(unit.ncpus, 0);
	EXPECT_FALSE(unit_has(&unit, "nr_addr_filters"));
}

TEST(accepted)
{
	struct perf_event_attr attr;

	NEED_OURS(unit);
	brbe_attr(&unit, &attr, BRBE_CYCLES, 100003);
	EXPECT_EQ(0, ring_try(&attr));
	attr.config = 0;			/* cycles */
	EXPECT_EQ(0, ring_try(&attr));
	attr.config = BRBE_RECORDS | BOUNDARIES;
	EXPECT_EQ(0, ring_try(&attr));
	attr.config = CLOCK;
	EXPECT_EQ(0, ring_try(&attr));
	attr.config = 0;
	attr.sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_TIME;
	attr.branch_sample_type |= PERF_SAMPLE_BRANCH_HW_INDEX | PERF_SAMPLE_BRANCH_PRIV_SAVE;
	EXPECT_EQ(0, ring_try(&attr));
	attr.inherit = 1;
	attr.wakeup_events = 1;
	EXPECT_EQ(0, ring_try(&attr));
}

TEST(refused_filters)
{
	static const uint64_t filters[] = {
		PERF_SAMPLE_BRANCH_ABORT_TX, PERF_SAMPLE_BRANCH_IN_TX, PERF_SAMPLE_BRANCH_NO_TX,
		PERF_SAMPLE_BRANCH_CALL_STACK,
		PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_CALL_STACK,
		0,				/* no type at all */
	};
	struct perf_event_attr attr;

	NEED_OURS(unit);
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		brbe_attr(&unit, &attr, BRBE_CYCLES, 100003);
		attr.branch_sample_type = filters[i] | PERF_SAMPLE_BRANCH_USER;
		/* perf itself refuses a stack without a type. */
		EXPECT_EQ(filters[i] ? -EOPNOTSUPP : -EINVAL, ring_try(&attr))
			TH_LOG("filter %#" PRIx64, filters[i]);
	}
}

TEST(refused_attributes)
{
	struct perf_event_attr good, attr;

	NEED_OURS(unit);
	brbe_attr(&unit, &good, BRBE_CYCLES, 100003);
#define REFUSED(err, change)							\
	do {									\
		attr = good;							\
		change;								\
		EXPECT_EQ(err, ring_try(&attr)) TH_LOG("%s", #change);		\
	} while (0)
	REFUSED(-EOPNOTSUPP, attr.sample_type &= ~PERF_SAMPLE_BRANCH_STACK);
	REFUSED(-EINVAL, attr.sample_period = 0);
	REFUSED(-EINVAL, attr.config = BRBE_CYCLES | CLOCK);
	REFUSED(-EINVAL, attr.config |= 1 << 18);
	REFUSED(-EINVAL, attr.config1 = 1);
	REFUSED(-EINVAL, attr.config2 = 1);
	REFUSED(-EOPNOTSUPP, attr.precise_ip = 1);
	REFUSED(-EOPNOTSUPP, attr.exclude_idle = 1);
	REFUSED(-EOPNOTSUPP, attr.exclude_host = 1);
	REFUSED(-EOPNOTSUPP, attr.sigtrap = 1; attr.remove_on_exec = 1);
	REFUSED(-EINVAL, attr.config = CLOCK; attr.sample_period = 99999);
	REFUSED(-EINVAL, attr.config = CLOCK; attr.freq = 1; attr.sample_freq = 10001);
	if (perfmon_allowed())
		REFUSED(-EOPNOTSUPP, attr.config = CLOCK; attr.exclude_kernel = 0;
			attr.branch_sample_type |= PERF_SAMPLE_BRANCH_KERNEL);
}

/* A fixed period: sessions share counters. */
TEST(period_cannot_be_changed)
{
	struct perf_event_attr attr;
	uint64_t period = 200003;
	int fd;

	NEED_OURS(unit);
	brbe_attr(&unit, &attr, BRBE_CYCLES, 100003);
	fd = ring_event(&attr, 0, -1);
	ASSERT_GE(fd, 0);
	EXPECT_NE(0, ioctl(fd, PERF_EVENT_IOC_PERIOD, &period));
	close(fd);
}

/* With CAP_PERFMON. Debian's kernels want more of everybody at level 3, which is their default. */
static int with_perfmon_at_2(int (*what)(const struct perf_event_attr *),
			     const struct perf_event_attr *attr)
{
	static const char paranoid[] = "/proc/sys/kernel/perf_event_paranoid";
	char before[16];
	int err;

	if (read_text("/proc/sys/kernel", "perf_event_paranoid", before, sizeof(before)))
		return -ENODATA;
	write_text(paranoid, "2");
	err = with_perfmon(what, attr);
	write_text(paranoid, before);
	return err;
}

/* Who may not see the kernel gets no branch of it, nor an address. */
TEST(permissions)
{
	struct perf_event_attr attr;

	NEED_OURS(unit);
	NEED(!getuid(), "root");
	brbe_attr(&unit, &attr, BRBE_CYCLES, 100003);
	EXPECT_EQ(0, as_nobody(ring_try, &attr));
	attr.config |= BOUNDARIES;
	EXPECT_EQ(0, as_nobody(ring_try, &attr));
	attr.branch_sample_type |= PERF_SAMPLE_BRANCH_KERNEL;
	EXPECT_EQ(-EACCES, as_nobody(ring_try, &attr));
	EXPECT_EQ(0, as_nobody_at("1", ring_try, &attr));
	EXPECT_EQ(0, with_perfmon_at_2(ring_try, &attr));
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HV |
				  PERF_SAMPLE_BRANCH_USER;
	EXPECT_EQ(-EACCES, as_nobody(ring_try, &attr));
	brbe_attr(&unit, &attr, BRBE_CYCLES, 100003);
	attr.exclude_kernel = 0;
	EXPECT_EQ(-EACCES, as_nobody(ring_try, &attr));
}

static int try_cpu(const struct perf_event_attr *attr)
{
	int fd = ring_event(attr, -1, 0);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

TEST(permission_for_a_cpu)
{
	struct perf_event_attr attr;

	NEED_OURS(unit);
	NEED(!getuid(), "root");
	brbe_attr(&unit, &attr, BRBE_CYCLES, 100003);
	EXPECT_EQ(0, try_cpu(&attr));
	EXPECT_EQ(-EACCES, as_nobody(try_cpu, &attr));
	EXPECT_EQ(0, with_perfmon_at_2(try_cpu, &attr));
}

static int kernel_addresses(const struct perf_event_attr *attr)
{
	struct brbe_ring ring;
	size_t n = 0, kernel = 0;
	int err = brbe_open(&ring, attr, 0, -1);

	if (err)
		return err;
	brbe_slow_begin();
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 3000; i++) {
		getppid();
		wander(3, i + 1);
	}
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	brbe_slow_end();
	while (brbe_next(&ring)) {
		const struct brbe_sample *s = &ring.sample;

		n++;
		kernel += s->ip >> 63;
		for (uint64_t i = 0; i < s->nr; i++)
			kernel += (s->entry[i].from >> 63) + (s->entry[i].to >> 63);
	}
	brbe_close(&ring);
	return n < 10 ? -ENODATA : kernel ? -EFAULT : 0;
}

/* The interrupt of a short period or of a clock comes while the kernel runs, too. */
TEST(no_kernel_address)
{
	static const struct {
		uint64_t config, period;
	} of[] = { { BRBE_CYCLES, 3001 }, { BRBE_CYCLES | BOUNDARIES, 3001 }, { CLOCK, 100000 } };
	struct perf_event_attr attr;

	NEED_OURS(unit);
	NEED(!getuid(), "root");
	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		brbe_attr(&unit, &attr, of[i].config, of[i].period);
		EXPECT_EQ(0, as_nobody(kernel_addresses, &attr))
			TH_LOG("config %#" PRIx64, of[i].config);
	}
}

/* Counters of the CPU's PMU that are taken, and are given back */
TEST(counters_are_given_back)
{
	struct perf_event_attr attr;
	int fd[3];

	NEED_OURS(unit);
	NEED(!getuid(), "root");
	for (int i = 0; i < 3; i++) {
		brbe_attr(&unit, &attr, i ? BRBE_BRANCHES : BRBE_CYCLES, 100003 + i);
		fd[i] = ring_event(&attr, 0, -1);
	}
	EXPECT_GE(fd[0], 0);
	EXPECT_GE(fd[1], 0);
	EXPECT_EQ(-EBUSY, fd[2]);		/* the parameter "counters" is 2 */
	brbe_attr(&unit, &attr, BRBE_CYCLES, 100003);
	EXPECT_EQ(0, ring_try(&attr));		/* shares that of fd[0] */
	close(fd[1]);
	brbe_attr(&unit, &attr, BRBE_BRANCHES, 100005);
	EXPECT_EQ(0, ring_try(&attr));
	close(fd[0]);
	brbe_attr(&unit, &attr, CLOCK, 100000);
	EXPECT_EQ(0, ring_try(&attr));
}

/* Two events of a CPU take its counters, not those of another CPU. */
TEST(counters_of_one_cpu)
{
	struct perf_event_attr attr;
	int fd[4];

	NEED_OURS(unit);
	NEED(!getuid(), "root");
	NEED(unit.ncpus > 1, "two CPUs");
	for (int i = 0; i < 4; i++) {
		brbe_attr(&unit, &attr, BRBE_BRANCHES, 100003 + i);
		fd[i] = ring_event(&attr, -1, unit_cpu(&unit, i / 2));
		EXPECT_GE(fd[i], 0);
	}
	brbe_attr(&unit, &attr, BRBE_BRANCHES, 100007);
	EXPECT_EQ(-EBUSY, ring_event(&attr, -1, unit_cpu(&unit, 0)));
	for (int i = 0; i < 4; i++)
		close(fd[i]);
}

/* The event ends after as many samples as the reader asks for. */
TEST(refresh_limits_samples)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;
	int n = 0;

	NEED_OURS(unit);
	brbe_attr(&unit, &attr, BRBE_CYCLES, 20011);
	ASSERT_EQ(0, brbe_open(&ring, &attr, 0, -1));
	ASSERT_EQ(0, ioctl(ring.fd, PERF_EVENT_IOC_REFRESH, 3));
	wander(40000, 1);
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	while (brbe_next(&ring))
		n++;
	EXPECT_EQ(3, n);
	brbe_close(&ring);
}

static volatile sig_atomic_t signals;

static void on_signal(int sig)
{
	(void)sig;
	signals = signals + 1;
}

/* O_ASYNC: a signal for each sample */
TEST(signal_at_each_sample)
{
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct perf_event_attr attr;
	struct brbe_ring ring;

	NEED_OURS(unit);
	ASSERT_EQ(0, sigaction(SIGIO, &act, NULL));
	brbe_attr(&unit, &attr, BRBE_CYCLES, 100003);
	ASSERT_EQ(0, brbe_open(&ring, &attr, 0, -1));
	ASSERT_EQ(0, fcntl(ring.fd, F_SETOWN, getpid()));
	ASSERT_EQ(0, fcntl(ring.fd, F_SETFL, fcntl(ring.fd, F_GETFL) | O_ASYNC));
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	wander(40000, 1);
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	EXPECT_GT(signals, 3);
	brbe_close(&ring);
}

/* stats/ counts what was found. */
TEST(stats)
{
	unsigned long before;
	struct perf_event_attr attr;

	NEED_OURS(unit);
	NEED_PERFMON();
	before = read_number(unit.dir, "stats/paused");
	brbe_attr(&unit, &attr, BRBE_CYCLES, 20011);
	ASSERT_EQ(0, kernel_addresses(&attr));
	EXPECT_GE(read_number(unit.dir, "stats/paused"), before + 10);
	EXPECT_EQ(0, read_number(unit.dir, "stats/run_on"));
	EXPECT_FALSE(unit_has(&unit, "stats/bytes"));
}

#include "clean_log.h"

TEST_HARNESS_MAIN
