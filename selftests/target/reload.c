// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loading and unloading the drivers. V9_MODULES is the directory of v9_core.ko, v9_spe.ko and
 * v9_ete.ko. Run these tests last, because one of the final tests reads the kernel log.
 */
#define _GNU_SOURCE
#include "harness.h"

#include <errno.h>
#include <fcntl.h>

#include "machine.h"
#include "watch_unit.h"
#include "work.h"

#define DOWN "/sys/module/v9_down/parameters"

/**
 * struct driver - a driver and the in-tree modules that drive the same unit
 * @of: the unit; of->driver is our driver
 * @other: our driver of the other unit
 * @in_tree: in-tree modules, in the order in which they can be unloaded
 * @holder: the one of them that an event keeps loaded
 * @probe: names by which they are loaded
 * @device: exists if the in-tree modules drive a unit
 * @prefix: default of parameter "name"
 * @pmu: PMU of that name
 * @new_prefix, @new_pmu: another name
 * @env: variable that names the PMU for of->find
 * @wrong: values of "name" that are refused
 */
struct driver {
	const struct watch_unit *of;
	const char *other, *in_tree[4], *holder, *probe[3], *device;
	const char *prefix, *pmu, *new_prefix, *new_pmu, *env, *wrong[7];
};

static const struct driver spe = {
	.of = &watch_spe,
	.other = "v9_ete",
	.in_tree = { "arm_spe_pmu" },
	.holder = "arm_spe_pmu",
	.probe = { "arm_spe_pmu" },
	.device = "/sys/bus/event_source/devices/arm_spe_0",
	.prefix = "arm_spe_",
	.pmu = "arm_spe_0",
	.new_prefix = "v9_profile_",
	.new_pmu = "v9_profile_0",
	.env = "V9_PMU",
	.wrong = {
		"name=", "name=a/b", "name=..", "name=0spe_", "name=spe-",
		"name=a_name_that_is_longer_than_32_chars",
	},
};

/* Linux 6.1 makes no device of the trace buffers in ACPI tables. */
static const struct driver ete = {
	.of = &watch_ete,
	.other = "v9_spe",
	.in_tree = { "coresight_trbe", "coresight_etm4x", "coresight" },
	.holder = "coresight",
	.probe = { "coresight-etm4x", "coresight-trbe" },
	.device = "/sys/bus/coresight/devices/trbe0",
	.prefix = "cs_etm",
	.pmu = "cs_etm",
	.new_prefix = "v9_trace",
	.new_pmu = "v9_trace",
	.env = "V9_ETE_PMU",
	.wrong = {
		"name=", "name=a/b", "name=..", "name=0etm", "name=cs-etm",
		"name=a_name_that_is_longer_than_32_chars",
	},
};

/* Events release in-tree modules some time after close(). */
static int unload_in_tree(const struct driver *d)
{
	int err = 0, tries = 50;

	for (const char *const *name = d->in_tree; *name && !err; name++) {
		if (!module_loaded(*name))
			continue;
		while ((err = module_unload(*name)) == -EWOULDBLOCK && tries--)
			usleep(100000);
	}
	return err;
}

static int probe_in_tree(const struct driver *d)
{
	int err = 0;

	for (const char *const *name = d->probe; *name && !err; name++)
		err = module_probe(*name);
	return err;
}

/* A short session. Returns true if it recorded what ran. */
static bool records(const struct driver *d)
{
	struct recorded got = { 0 };
	struct perf_event_attr attr;
	struct unit unit;
	struct ring ring;
	bool good = false;

	if (d->of->find(&unit))
		return false;
	d->of->attr(&unit, &attr);
	if (ring_open(&ring, &attr, 0, -1, 64, 0))
		return false;
	if (!ring_enable(&ring)) {
		spin(100000);
		good = !ring_disable(&ring) && !ring_drain(&ring) &&
		       !d->of->decode(&unit, &attr, &ring, &got);
	}
	ring_close(&ring);
	if (d->of->interval(&attr) == 1)
		return good && got.spin == 200000;
	return good && got.all >= 100 * d->of->interval(&attr);
}

FIXTURE(in_use)
{
	struct unit unit;
	const struct driver *d;
};

UNIT_VARIANTS(in_use, const struct driver *d, &spe, &ete);

FIXTURE_SETUP(in_use)
{
	self->d = variant->d;
	NEED_SESSION_OF(self->d->of, &self->unit);
}

FIXTURE_TEARDOWN(in_use)
{
}

/* The driver of the unit, ours or the in-tree one, cannot be unloaded while an event exists. */
TEST_F(in_use, module_in_use_stays_loaded)
{
	const char *driver = self->unit.ours ? self->d->of->driver : self->d->holder;
	struct perf_event_attr attr;
	int fd;

	NEED(module_loaded(driver), "driver as a module");
	NEED(!getuid(), "root");
	self->d->of->attr(&self->unit, &attr);
	fd = ring_event(&attr, 0, -1);
	ASSERT_GE(fd, 0);
	EXPECT_EQ(-EWOULDBLOCK, module_unload(driver));
	close(fd);
	EXPECT_TRUE(records(self->d));
}

/*
 * @d if the modules may be unloaded; @ours is its name. @both: the other driver is loaded, too. @brbe:
 * v9_brbe was loaded, which would keep v9_core
 */
FIXTURE(modules)
{
	const struct driver *d;
	const char *ours;
	bool both, brbe;
};

UNIT_VARIANTS(modules, const struct driver *d, &spe, &ete);

/* Returns what prevents that the modules are unloaded, or NULL. */
static const char *cannot_reload(const struct driver *d)
{
	struct unit unit;

	if (!getenv("V9_MODULES"))
		return "V9_MODULES (where the modules are)";
	if (getuid())
		return "root";
	return d->of->find(&unit) || !unit.ours ? "our driver" : NULL;
}

static void restore(const struct driver *d, bool both)
{
	unload_in_tree(d);
	if (!module_loaded("v9_core"))
		module_load("v9_core", "");
	if (!module_loaded(d->of->driver))
		module_load(d->of->driver, "");
	if (both && !module_loaded(d->other))
		module_load(d->other, "");
}

FIXTURE_SETUP(modules)
{
	const char *why = cannot_reload(variant->d);

	if (why)
		SKIP(return, "%s", why);
	self->d = variant->d;
	self->ours = self->d->of->driver;
	self->both = module_loaded(self->d->other);
	self->brbe = module_loaded("v9_brbe");
	ASSERT_EQ(0, self->brbe ? module_unload("v9_brbe") : 0);
}

FIXTURE_TEARDOWN(modules)
{
	if (!self->d)
		return;
	restore(self->d, self->both);
	if (self->brbe && !module_loaded("v9_brbe"))
		module_load("v9_brbe", "");
}

TEST_F(modules, core_stays_while_needed)
{
	EXPECT_EQ(-EWOULDBLOCK, module_unload("v9_core"));
}

TEST_F(modules, unload_and_reload)
{
	struct unit unit;

	if (self->both)
		ASSERT_EQ(0, module_unload(self->d->other));
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, module_unload(self->ours));
		EXPECT_EQ(-ENODEV, self->d->of->find(&unit));
		if (i & 1) {
			ASSERT_EQ(0, module_unload("v9_core"));
			ASSERT_EQ(0, module_load("v9_core", ""));
		}
		ASSERT_EQ(0, module_load(self->ours, ""));
		ASSERT_EQ(0, self->d->of->find(&unit));
		EXPECT_STREQ(self->d->pmu, unit.name);
		EXPECT_TRUE(records(self->d));
	}
}

/* While a session runs the driver cannot be unloaded, nor unbound from its device. */
TEST_F(modules, stays_while_a_session_runs)
{
	bool *stop = new_shared(sizeof(*stop));
	struct recorded got = { 0 };
	struct perf_event_attr attr;
	char dir[64], unbind[72];
	struct worker worker;
	struct unit unit;
	struct ring ring;

	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, self->d->of->find(&unit));
	self->d->of->attr(&unit, &attr);
	ASSERT_EQ(0, worker_start(&worker, -1, spin_until_stop, stop));
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 1024, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	for (int i = 0; i < 20; i++) {
		EXPECT_EQ(-EWOULDBLOCK, module_unload(self->ours));
		EXPECT_EQ(-EWOULDBLOCK, module_unload("v9_core"));
		usleep(1000);
	}
	/* The driver has a directory in sysfs, and no unbind file in it. */
	snprintf(dir, sizeof(dir), "/sys/bus/platform/drivers/%s", self->ours);
	snprintf(unbind, sizeof(unbind), "%s/unbind", dir);
	EXPECT_EQ(0, access(dir, F_OK));
	EXPECT_NE(0, access(unbind, F_OK));
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_EQ(NULL, self->d->of->decode(&unit, &attr, &ring, &got));
	EXPECT_GT(got.spin, 0);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	ring_close(&ring);
}

struct recorder {
	struct busy busy;
	const struct driver *d;
};

static void keep_recording(void *arg)
{
	struct recorder *r = arg;

	while (!r->busy.stop)
		r->busy.rounds += records(r->d);
}

/* Another process opens sessions all the time; each of them records or is refused. */
TEST_F(modules, reload_under_load)
{
	struct recorder *r = new_shared(sizeof(*r));
	unsigned int refused = 0;
	struct worker worker;

	ASSERT_NE(NULL, r);
	r->d = self->d;
	ASSERT_EQ(0, worker_start(&worker, -1, keep_recording, r));
	worker_go(&worker);
	for (int i = 0; i < 20; i++) {
		int err;

		wait_rounds(&r->busy, 1);
		while ((err = module_unload(self->ours)) == -EWOULDBLOCK)
			refused++;
		ASSERT_EQ(0, err);
		ASSERT_EQ(0, module_load(self->ours, ""));
	}
	r->busy.stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	TH_LOG("%" PRIu64 " sessions, refused %u times", r->busy.rounds, refused);
	EXPECT_TRUE(records(self->d));
}

/* A task that used an event of our PMU, closed it, and then opens one of another PMU. */
static void outlive(void *arg)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr), .config = PERF_COUNT_SW_DUMMY,
	};
	struct recorder *r = arg;

	records(r->d);
	while (!r->busy.stop) {
		usleep(20);
		r->busy.rounds++;
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
	struct recorder *r = new_shared(sizeof(*r));
	struct worker worker;

	ASSERT_NE(NULL, r);
	r->d = self->d;
	ASSERT_EQ(0, worker_start(&worker, -1, outlive, r));
	worker_go(&worker);
	wait_rounds(&r->busy, 1);
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, module_unload(self->ours));
		wait_rounds(&r->busy, 20);
		ASSERT_EQ(0, module_load(self->ours, ""));
	}
	r->busy.stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
}

TEST_F(modules, second_load_refused)
{
	EXPECT_EQ(-EEXIST, module_load(self->ours, ""));
}

TEST_F(modules, unknown_option_is_harmless)
{
	ASSERT_EQ(0, module_unload(self->ours));
	EXPECT_EQ(0, module_load(self->ours, "no_such_option=1"));
	EXPECT_TRUE(records(self->d));
}

/* The drivers of SPE and ETE load in either order, and neither requires the other. */
TEST_F(modules, beside_the_other_driver)
{
	NEED(self->both, "%s driver", self->d->other);
	ASSERT_EQ(0, module_unload(self->d->other));
	EXPECT_TRUE(records(self->d));
	ASSERT_EQ(0, module_unload(self->ours));
	ASSERT_EQ(0, module_unload("v9_core"));
	ASSERT_EQ(0, module_load("v9_core", ""));
	ASSERT_EQ(0, module_load(self->ours, ""));
	ASSERT_EQ(0, module_load(self->d->other, ""));
	EXPECT_TRUE(records(self->d));
}

/* Parameter "name": another name for the PMU, where a driver already uses the one perf expects */
TEST_F(modules, other_pmu_name)
{
	char text[32], file[64], option[40];
	struct unit unit;

	snprintf(file, sizeof(file), "/sys/module/%s/parameters", self->ours);
	snprintf(option, sizeof(option), "name=%s", self->d->new_prefix);
	ASSERT_EQ(0, module_unload(self->ours));
	for (const char *const *wrong = self->d->wrong; *wrong; wrong++) {
		EXPECT_EQ(-EINVAL, module_load(self->ours, *wrong))
			TH_LOG("%s", *wrong);
	}
	ASSERT_EQ(0, module_load(self->ours, option));
	EXPECT_EQ(-ENODEV, unit_find(&unit, self->d->pmu));
	EXPECT_EQ(0, unit_find(&unit, self->d->new_pmu));
	ASSERT_EQ(0, read_text(file, "name", text, sizeof(text)));
	EXPECT_STREQ(self->d->new_prefix, text);
	setenv(self->d->env, self->d->new_pmu, 1);
	EXPECT_TRUE(records(self->d));
	unsetenv(self->d->env);
	ASSERT_EQ(0, module_unload(self->ours));
	ASSERT_EQ(0, module_load(self->ours, ""));
	ASSERT_EQ(0, read_text(file, "name", text, sizeof(text)));
	EXPECT_STREQ(self->d->prefix, text);
	EXPECT_EQ(0, unit_find(&unit, self->d->pmu));
	EXPECT_TRUE(records(self->d));
}

/* The first step of kexec and reboot: recorded data is kept, and the unit writes nothing more. */
TEST_F(modules, shutdown_switches_the_unit_off)
{
	struct recorded got = { 0 };
	struct perf_event_attr attr;
	uint64_t slack;
	struct unit unit;
	struct ring ring;

	if (module_load("selftest/v9_down", ""))
		SKIP(return, "v9_down.ko for this kernel");
	ASSERT_EQ(0, self->d->of->find(&unit));
	self->d->of->attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(200000);
	EXPECT_EQ(1, (int)read_number(DOWN, "on"));
	EXPECT_EQ(0, write_text(DOWN "/shutdown", self->ours));
	EXPECT_EQ(0, (int)read_number(DOWN, "on"));
	spin(200000);
	sched_yield();
	EXPECT_EQ(0, (int)read_number(DOWN, "on"));
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(NULL, self->d->of->decode(&unit, &attr, &ring, &got));
	/* All of the first spin(), nothing of the second */
	slack = 3 * (self->d->of->interval(&attr) - 1);
	EXPECT_GE(got.spin + slack, 400000);
	EXPECT_LE(got.spin, 400000 + slack);
	ring_close(&ring);
	ASSERT_EQ(0, module_unload(self->ours));
	ASSERT_EQ(0, module_load(self->ours, ""));
	EXPECT_TRUE(records(self->d));
	module_unload("v9_down");
}

/* The in-tree driver uses the unit: one line in the log, -EBUSY, and no other effect. */
TEST_F(modules, in_tree_driver_keeps_the_unit)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	ASSERT_GE(log, 0);
	ASSERT_EQ(0, module_unload(self->ours));
	if (probe_in_tree(self->d) || access(self->d->device, F_OK))
		SKIP(return, "in-tree driver that drives the unit");
	lseek(log, 0, SEEK_END);
	EXPECT_EQ(-EBUSY, module_load(self->ours, ""));
	EXPECT_EQ(1, log_lines(log, self->ours));
	EXPECT_FALSE(module_loaded(self->ours));
	EXPECT_TRUE(records(self->d));
	ASSERT_EQ(0, unload_in_tree(self->d));
	EXPECT_EQ(0, module_load(self->ours, ""));
	EXPECT_TRUE(records(self->d));
	close(log);
}

FIXTURE(name_of_ete)
{
	bool ready, both;
};

FIXTURE_SETUP(name_of_ete)
{
	const char *why = cannot_reload(&ete);

	if (why)
		SKIP(return, "%s", why);
	self->ready = true;
	self->both = module_loaded("v9_spe");
}

FIXTURE_TEARDOWN(name_of_ete)
{
	if (self->ready)
		restore(&ete, self->both);
}

/*
 * coresight alone takes no unit but registers the PMU's name, so the result is the same. Under
 * another name both PMUs exist, also with the in-tree driver of trace units.
 */
TEST_F(name_of_ete, in_tree_core_keeps_the_name)
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
		EXPECT_TRUE(records(&ete));
		unsetenv("V9_ETE_PMU");
		EXPECT_EQ(0, module_unload("v9_ete"));
	}
	ASSERT_EQ(0, unload_in_tree(&ete));
	EXPECT_EQ(0, module_load("v9_ete", ""));
	EXPECT_TRUE(records(&ete));
	close(log);
}

#include "clean_log.h"

FIXTURE(taken)
{
};

UNIT_VARIANTS(taken, const struct driver *d, &spe, &ete);

FIXTURE_SETUP(taken)
{
}

FIXTURE_TEARDOWN(taken)
{
}

/*
 * Our driver uses the unit: the in-tree driver of SPE finds no device, that of ETE fails to load
 * because the name is taken, and ours continues. This test follows the check of the kernel log, because the in-tree driver of ETE
 * logs a call trace then.
 */
TEST_F(taken, in_tree_driver_finds_it_taken)
{
	const struct driver *d = variant->d;
	struct unit unit;

	NEED(!getuid(), "root");
	NEED(!d->of->find(&unit) && unit.ours, "%s driver", d->of->driver);
	for (const char *const *name = d->probe; *name; name++)
		module_probe(*name);
	EXPECT_TRUE(module_loaded(d->of->driver));
	EXPECT_TRUE(records(d));
	EXPECT_EQ(0, unload_in_tree(d));
	EXPECT_TRUE(records(d));
}

TEST_HARNESS_MAIN
