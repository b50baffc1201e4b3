// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each registration of the drivers fails once: first the first one, then the
 * second and so on, until the operation succeeds. Each failure is returned to the caller, leaves
 * nothing behind, and the next attempt works.
 */
#include "harness.h"
#include "machine.h"
#include "spe.h"
#include "work.h"

#define FAIL	"/sys/module/v9_fail/parameters"

FIXTURE(nth)
{
	bool ready, had_ete, had_brbe;
};

FIXTURE_SETUP(nth)
{
	struct unit unit;

	if (!getenv("V9_MODULES"))
		SKIP(return, "V9_MODULES (where the modules are)");
	if (getuid())
		SKIP(return, "root");
	if (spe_find(&unit) || !unit.ours)
		SKIP(return, "v9_spe driver");
	self->had_ete = module_loaded("v9_ete");
	self->had_brbe = module_loaded("v9_brbe");
	/* v9_fail recognizes only drivers that are loaded after it. */
	if (module_load("selftest/v9_fail", ""))
		SKIP(return, "v9_fail.ko for this kernel (CONFIG_KPROBES)");
	self->ready = true;
	ASSERT_EQ(0, self->had_brbe ? module_unload("v9_brbe") : 0);
	ASSERT_EQ(0, self->had_ete ? module_unload("v9_ete") : 0);
	ASSERT_EQ(0, module_unload("v9_spe"));
	ASSERT_EQ(0, module_unload("v9_core"));
	ASSERT_EQ(0, module_load("v9_core", ""));
	ASSERT_EQ(0, module_load("v9_spe", ""));
}

FIXTURE_TEARDOWN(nth)
{
	if (!self->ready)
		return;
	if (!module_loaded("v9_core"))
		module_load("v9_core", "");
	if (!module_loaded("v9_spe"))
		module_load("v9_spe", "");
	if (self->had_ete)
		module_load("v9_ete", "");
	if (self->had_brbe)
		module_load("v9_brbe", "");
	module_unload("v9_fail");
}

/* Fail the n-th call from now on; 0: none. */
static int arm(unsigned int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", n);
	return write_text(FAIL "/nth", text);
}

/* Reload the driver. On error no driver is loaded. */
static int reload(void)
{
	if (module_loaded("v9_spe") && module_unload("v9_spe"))
		return -EBUSY;
	return module_load("v9_spe", "");
}

static int reload_ete(void)
{
	if (module_loaded("v9_ete") && module_unload("v9_ete"))
		return -EBUSY;
	return module_load("v9_ete", "");
}

/* A complete session; -ENODATA if it was opened but recorded nothing. */
static int session(void)
{
	struct perf_event_attr attr;
	struct unit unit;
	struct ring ring;
	struct spe_recs recs;
	int err;

	if (spe_find(&unit))
		return -ENXIO;
	spe_attr(&unit, &attr);
	err = ring_open(&ring, &attr, 0, -1, 64, 0);
	if (err)
		return err;
	err = ring_enable(&ring);
	spin(200000);
	err = err ?: ring_disable(&ring);
	err = err ?: ring_drain(&ring);
	err = err ?: spe_records(&ring, &recs);
	if (!err) {
		err = recs.n < 100 ? -ENODATA : 0;
		spe_free(&recs);
	}
	ring_close(&ring);
	return err;
}

static int session_ete(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .disabled = 1, .exclude_kernel = 1,
	};
	struct unit unit;
	struct ring ring;
	int err;

	if (unit_find(&unit, "cs_etm"))
		return -ENXIO;
	attr.type = unit.type;
	err = ring_open(&ring, &attr, 0, -1, 64, 0);
	if (err)
		return err;
	err = ring_enable(&ring);
	spin(200000);
	err = err ?: ring_disable(&ring);
	err = err ?: ring_drain(&ring);
	if (!err && ring.nbytes < 1000)
		err = -ENODATA;
	ring_close(&ring);
	return err;
}

/* Events and buffers are freed some time after their last reference is dropped: wait for that. */
static unsigned long live_at_rest(unsigned long want)
{
	unsigned long live = 0;

	for (int i = 0; i < 40; i++) {
		live = read_number(FAIL, "live");
		if (live <= want)
			break;
		usleep(50000);
	}
	return live;
}

/* Before 6.2 a PMU stays in memory after its driver is unloaded, see v9_unregister_pmu(). */
static bool stays(int (*try)(void))
{
	struct utsname name;
	int major, minor;

	return (try == reload || try == reload_ete) && !uname(&name) &&
	       sscanf(name.release, "%d.%d", &major, &minor) == 2 &&
	       (major < 6 || (major == 6 && minor < 2));
}

static void sweep(struct __test_metadata *_metadata, const char *what, int (*try)(void),
		  unsigned int at_least)
{
	unsigned long rest = live_at_rest(0);
	unsigned int n;

	for (n = 1; n < 200; n++) {
		char failed[64] = "";
		unsigned long calls, live;
		int err;

		ASSERT_EQ(0, arm(n));
		err = try();
		calls = read_number(FAIL, "calls");
		read_text(FAIL, "failed", failed, sizeof(failed));
		ASSERT_EQ(0, arm(0));
		if (calls < n) {
			EXPECT_EQ(0, err);
			break;
		}
		/*
		 * If perf_aux_output_begin() fails the driver retries when the task is switched
		 * in.
		 */
		if (strcmp(failed, "perf_aux_output_begin") &&
		    !(stays(try) && strstr(failed, "percpu"))) {
			EXPECT_NE(0, err)
				TH_LOG("%s: call %u, %s, failed without a report", what, n, failed);
		}
		TH_LOG("%s: call %u, %s: error %d", what, n, failed, -err);
		live = try == reload || try == reload_ete ? 0 : rest;
		EXPECT_TRUE(stays(try) || live == live_at_rest(live))
			TH_LOG("%s: call %u, %s, left memory behind", what, n, failed);
		EXPECT_EQ(0, try())
			TH_LOG("%s: does not work after call %u, %s, failed", what, n, failed);
	}
	TH_LOG("%s: %u calls can fail", what, n - 1);
	EXPECT_GT(n, at_least);
}

TEST_F(nth, load)
{
	struct unit unit;

	sweep(_metadata, "load", reload, 10);
	ASSERT_EQ(0, spe_find(&unit));
	/* The number of the PMU was released each time. */
	EXPECT_STREQ("arm_spe_0", unit.name);
	EXPECT_EQ(0, session());
	ASSERT_EQ(0, module_unload("v9_spe"));
	EXPECT_TRUE(stays(reload) || !live_at_rest(0));
}

/* event_init, setup_aux and the first window. A buffer that is one run is not mapped again. */
TEST_F(nth, session)
{
	sweep(_metadata, "session", session, 3);
}

TEST_F(nth, ete)
{
	if (!self->had_ete)
		SKIP(return, "v9_ete driver");
	/* One driver at a time, because memory in use is counted for all. */
	ASSERT_EQ(0, module_unload("v9_spe"));
	sweep(_metadata, "load", reload_ete, 10);
	sweep(_metadata, "session", session_ete, 3);
	ASSERT_EQ(0, module_unload("v9_ete"));
	EXPECT_TRUE(stays(reload) || !live_at_rest(0));
}

TEST_F(nth, kernel_log_is_clean)
{
	EXPECT_EQ(0, log_complaints());
}

TEST_HARNESS_MAIN
