/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by spe_late and ete_late: CPUs that come online after the driver was loaded. */
#ifndef V9_SELFTEST_LATE_H
#define V9_SELFTEST_LATE_H

#include <errno.h>
#include <stdio.h>

#include "machine.h"
#include "ring.h"
#include "work.h"

#define FAIL	"/sys/module/v9_fail/parameters"

/* Take all CPUs but 0 and 1 offline and reload the driver. Returns the first of them, or -errno. */
static inline int late_reload(const char *module)
{
	int err = pin_to(0);

	/* v9_fail recognizes only drivers that are loaded after it. */
	err = err ?: module_unload(module);
	err = err ?: module_unload("v9_core");
	for (int cpu = 2; !err && cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
		err = cpu_online(cpu) ? set_online(cpu, false) : 0;
	err = err ?: module_load("v9_core", "");
	err = err ?: module_load(module, "");
	return err ?: 2;
}

/*
 * Each call that can fail when a CPU comes online fails once. It is logged once: by the driver, which
 * does not use the CPU until a retry, or by v9_core, which does not show its registers.
 */
static inline void late_sweep(struct __test_metadata *_metadata, const char *module, int cpu,
			      unsigned int at_least, int (*session)(int cpu))
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int regs_log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	unsigned int n;

	for (n = 1; n < 200; n++) {
		char failed[64] = "", text[16];
		int not_shown, err;
		unsigned long calls;

		snprintf(text, sizeof(text), "%u", n);
		lseek(log, 0, SEEK_END);
		lseek(regs_log, 0, SEEK_END);
		ASSERT_EQ(0, write_text(FAIL "/nth", text));
		ASSERT_EQ(0, set_online(cpu, true));
		calls = read_number(FAIL, "calls");
		read_text(FAIL, "failed", failed, sizeof(failed));
		ASSERT_EQ(0, write_text(FAIL "/nth", "0"));
		if (calls < n)
			break;
		not_shown = log_lines(regs_log, "its registers are not shown");
		EXPECT_EQ(1, not_shown + log_lines(log, "not used: no memory"))
			TH_LOG("call %u, %s", n, failed);
		err = session(cpu);
		EXPECT_TRUE(not_shown ? !err : err < 0)
			TH_LOG("call %u, %s: %d", n, failed, err);
		ASSERT_EQ(0, set_online(cpu, false));
		/* The driver has used the CPU: begin anew, so that its calls are made again. */
		if (not_shown)
			ASSERT_GT(late_reload(module), 0);
	}
	close(regs_log);
	close(log);
	TH_LOG("%u calls can fail", n - 1);
	EXPECT_GE(n - 1, at_least);
	EXPECT_EQ(0, session(cpu));
}

/* Record a session on a CPU that came online late. */
static inline int late_session(const struct perf_event_attr *attr, int cpu)
{
	int err = pin_to(cpu) ?: ring_brief(attr, -1, cpu, 64);

	return pin_to(0) ?: err;
}

static inline void late_toggle(void *arg)
{
	volatile struct busy *busy = arg;
	int last = sysconf(_SC_NPROCESSORS_CONF) - 1;

	while (!busy->stop) {
		set_online(last, busy->rounds & 1);
		busy->rounds++;
	}
	set_online(last, true);
}

static inline void late_race(struct __test_metadata *_metadata, const char *module,
			     int (*session)(int cpu))
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct busy *busy = new_shared(sizeof(*busy));
	int last = sysconf(_SC_NPROCESSORS_CONF) - 1;
	struct worker worker;

	lseek(log, 0, SEEK_END);
	ASSERT_EQ(0, pin_to(0));
	/* Each time the CPU comes online as the first of its CPU type. */
	for (int cpu = 2; cpu <= last; cpu++)
		ASSERT_EQ(0, cpu_online(cpu) ? set_online(cpu, false) : 0);
	ASSERT_EQ(0, worker_start(&worker, 1, late_toggle, busy));
	worker_go(&worker);
	for (int i = 0; i < 12; i++) {
		ASSERT_EQ(0, module_unload(module));
		ASSERT_EQ(0, module_load(module, ""));
	}
	busy->stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	EXPECT_GT(busy->rounds, 4);
	EXPECT_EQ(0, log_lines(log, "not used"));
	close(log);
	EXPECT_EQ(0, session(last));
}

/* Unload the other unit's driver, because v9_fail counts the calls of all drivers. */
#define LATE_DRIVER(other_driver)							\
FIXTURE(driver)									\
{										\
	bool other;								\
};										\
										\
FIXTURE_SETUP(driver)								\
{										\
	if (!getenv("V9_LATE") || !getenv("V9_MODULES"))			\
		SKIP(return, "V9_LATE (CPUs that were never online) and V9_MODULES"); \
	self->other = module_loaded(other_driver);					\
	ASSERT_EQ(0, self->other ? module_unload(other_driver) : 0);			\
}										\
										\
FIXTURE_TEARDOWN(driver)							\
{										\
	module_unload("v9_fail");						\
	if (self->other)							\
		module_load(other_driver, "");						\
}

#endif
