// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine is suspended while sessions are open and running: to idle ("freeze"), woken by the
 * RTC, and to memory ("mem"), where v9_deep.ko replaces the platform's suspend. The data from
 * before and after is complete and is recorded once.
 */
#define _GNU_SOURCE
#include "watch.h"

#define POWER	"/sys/power"
#define RTC	"/sys/class/rtc/rtc0"
#define DEEP	"/sys/module/v9_deep/parameters"
#define MANY	500		/* turns */
#define SOME	100

FIXTURE(suspend)
{
	struct unit unit;
	struct watch watch;
	struct player player[WATCHED_CPUS];
	int n;
	bool deep;
};

FIXTURE_VARIANT(suspend)
{
	const struct watch_unit *of;
	const char *state;
};

FIXTURE_VARIANT_ADD(suspend, spe_to_idle)
{
	.of = &watch_spe, .state = "freeze",
};

FIXTURE_VARIANT_ADD(suspend, spe_to_memory)
{
	.of = &watch_spe, .state = "mem",
};

FIXTURE_VARIANT_ADD(suspend, ete_to_idle)
{
	.of = &watch_ete, .state = "freeze",
};

FIXTURE_VARIANT_ADD(suspend, ete_to_memory)
{
	.of = &watch_ete, .state = "mem",
};

/* Set the RTC alarm @seconds from now; 0: cancel it. */
static int alarm_in(unsigned int seconds)
{
	char text[16];
	int err = write_text(RTC "/wakealarm", "0");

	snprintf(text, sizeof(text), "+%u", seconds);
	return err || !seconds ? err : write_text(RTC "/wakealarm", text);
}

static const char *cannot_suspend(const char *state)
{
	char text[64];

	if (getuid())
		return "root";
	if (read_text(POWER, "state", text, sizeof(text)) || !strstr(text, "freeze"))
		return "kernel that sleeps";
	if (!strcmp(state, "freeze"))
		return alarm_in(60) || alarm_in(0) ? "clock that wakes the machine" : NULL;
	if (!getenv("V9_MODULES"))
		return "V9_MODULES (where the modules are)";
	/* The kernel lists "deep" even after v9_deep is unloaded, so it stays loaded. */
	if (module_loaded("v9_deep"))
		return NULL;
	if (!read_text(POWER, "mem_sleep", text, sizeof(text)) && strstr(text, "deep"))
		return "machine that cannot suspend to memory by itself";
	return module_load("selftest/v9_deep", "") ? "v9_deep.ko for this kernel" : NULL;
}

FIXTURE_SETUP(suspend)
{
	const char *missing = cannot_suspend(variant->state);

	if (missing)
		SKIP(return, "%s", missing);
	self->deep = !strcmp(variant->state, "mem");
	if (self->deep)
		ASSERT_EQ(0, write_text(POWER "/mem_sleep", "deep"));
	self->watch.of = variant->of;
	if (variant->of->find(&self->unit) || !self->unit.ours)
		SKIP(return, "%s driver", variant->of->driver);
	missing = variant->of->inexact(&self->unit);
	if (missing)
		SKIP(return, "%s", missing);
	if (self->unit.ncpus < 2)
		SKIP(return, "second CPU");
	self->n = self->unit.ncpus < WATCHED_CPUS ? self->unit.ncpus : WATCHED_CPUS;
	for (int i = 0; i < self->n; i++)
		ASSERT_EQ(0, player_start(&self->player[i], unit_cpu(&self->unit, i), false));
	variant->of->attr(&self->unit, &self->watch.attr);
}

FIXTURE_TEARDOWN(suspend)
{
	watch_close(&self->watch);
	for (int i = 0; i < self->n; i++)
		player_end(&self->player[i]);
}

/*
 * Suspend to idle until the RTC alarm. An alarm that expires while the machine is being suspended
 * aborts the suspend (-EBUSY). The next alarm is set later.
 */
static int suspend_to_idle(void)
{
	unsigned int seconds = 2;
	char count[16];
	int err;

	do {
		err = read_text(POWER, "wakeup_count", count, sizeof(count)) ?: alarm_in(seconds);
		err = err ?: write_text(POWER "/wakeup_count", count);
		err = err ?: write_text(POWER "/state", "freeze");
		seconds *= 2;
	} while ((err == -EBUSY || err == -EINVAL) && seconds <= 32);
	return err;
}

/* Suspend the machine and return after it has resumed. */
static int suspend_machine(bool deep)
{
	unsigned int was;
	int err;

	if (!deep)
		return suspend_to_idle();
	was = read_number(DEEP, "times");
	err = write_text(POWER "/state", "mem");
	return err ?: read_number(DEEP, "times") == was + 1 ? 0 : -EIO;
}

static void play_all(struct player *player, int n, uint64_t turns)
{
	for (int i = 0; i < n; i++)
		player_turns(&player[i], turns);
	for (int i = 0; i < n; i++)
		player_wait(&player[i]);
}

#define PLAY_ALL(turns)		play_all(self->player, self->n, turns)

/*
 * A task is frozen while it runs, on a CPU that is taken offline, and continues after the resume.
 * No instruction is recorded twice and none is missing.
 */
TEST_F(suspend, running_task)
{
	struct player *player = &self->player[self->n - 1];
	struct recorded got;

	ASSERT_EQ(0, ring_open(&self->watch.ring[0], &self->watch.attr, player->worker.pid, -1,
			       watch_pages(self->watch.of, &self->unit, WATCH_PAGES), 0));
	self->watch.n = 1;
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	for (int i = 0; i < 2; i++) {
		uint64_t before;

		/* More turns than it finishes before it is frozen, but the buffer holds them */
		player_turns(player, MANY);
		usleep(20000);
		ASSERT_EQ(0, suspend_machine(self->deep));
		before = player->t->done;
		player_wait(player);
		TH_LOG("%" PRIu64 " turns were left after the resume", player->t->done - before);
		ASSERT_EQ(0, watch_each(&self->watch, ring_drain));
	}
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	got = RECORDED();
	EXPECT_INSNS(2 * MANY * TURN, got.spin);
}

/*
 * Sessions of CPUs that are busy all the time. perf ends the session of a CPU that is taken
 * offline. The data recorded before that is kept, and a new session records normally.
 */
TEST_F(suspend, sessions_of_cpus)
{
	uint64_t want = 0;
	struct recorded got;

	ASSERT_EQ(0, watch_open(&self->watch, &self->unit, -1, 0));
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	for (int i = 0; i < 2; i++) {
		int staying = self->deep ? 1 : self->n;

		PLAY_ALL(20);
		want += (i ? staying : self->n) * 20 * TURN;
		ASSERT_EQ(0, suspend_machine(self->deep));
		PLAY_ALL(10);
		want += staying * 10 * TURN;
	}
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	got = RECORDED();
	EXPECT_INSNS(want, got.spin);
	watch_close(&self->watch);

	ASSERT_EQ(0, watch_open(&self->watch, &self->unit, -1, 0));
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	PLAY_ALL(20);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	got = RECORDED();
	EXPECT_INSNS(self->n * 20 * TURN, got.spin);
}

/* Sessions that are open but disabled: the driver writes lost registers before the next start. */
TEST_F(suspend, disabled_sessions)
{
	struct recorded got;

	for (int i = 0; i < self->n; i++)
		ASSERT_EQ(0, ring_open(&self->watch.ring[i], &self->watch.attr,
				       self->player[i].worker.pid, -1, WATCH_PAGES, 0));
	self->watch.n = self->n;
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	PLAY_ALL(20);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	ASSERT_EQ(0, suspend_machine(self->deep));
	PLAY_ALL(5);
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	PLAY_ALL(20);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	got = RECORDED();
	EXPECT_INSNS(40 * self->n * TURN, got.spin);
}

/*
 * The kernel is recorded while it suspends and resumes, into overwritten buffers, so the units
 * never stop. The driver saves and restores them all the time without an error, and the next
 * session is as exact as before.
 */
TEST_F(suspend, kernel_is_recorded)
{
	static const char *const wrong[] = { "faults", "aborts", "fatal", "lost", "spurious" };
	long was[ARRAY_SIZE(wrong)], bytes;
	struct recorded got;
	char path[32];

	NEED_PERFMON();
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		snprintf(path, sizeof(path), "stats/%s", wrong[i]);
		was[i] = read_number(self->unit.dir, path);
	}
	bytes = read_number(self->unit.dir, "stats/bytes");
	self->watch.attr.exclude_kernel = 0;
	ASSERT_EQ(0, watch_open(&self->watch, &self->unit, -1, RING_OVERWRITE));
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, suspend_machine(self->deep));
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	watch_close(&self->watch);
	EXPECT_GT(read_number(self->unit.dir, "stats/bytes"), bytes);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		snprintf(path, sizeof(path), "stats/%s", wrong[i]);
		EXPECT_EQ(was[i], read_number(self->unit.dir, path))
			TH_LOG("%s", path);
	}

	self->watch.attr.exclude_kernel = 1;
	ASSERT_EQ(0, watch_open(&self->watch, &self->unit, -1, 0));
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	PLAY_ALL(20);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	got = RECORDED();
	EXPECT_INSNS(self->n * 20 * TURN, got.spin);
}

/* Partial suspends by the kernel's pm_test. No data is lost. */
TEST_F(suspend, stages_of_pm_test)
{
	static const char *const levels[] = {
		"freezer", "devices", "platform", "processors", "core",
	};
	unsigned int n = self->deep ? ARRAY_SIZE(levels) : 3;
	struct recorded got;

	NEED(!access(POWER "/pm_test", W_OK), "CONFIG_PM_DEBUG");
	ASSERT_EQ(0, write_text("/sys/module/suspend/parameters/pm_test_delay", "0"));
	ASSERT_EQ(0, ring_open(&self->watch.ring[0], &self->watch.attr, self->player[0].worker.pid,
			       -1, WATCH_PAGES, 0));
	self->watch.n = 1;
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	for (unsigned int i = 0; i < n; i++) {
		player_turns(&self->player[0], SOME);
		ASSERT_EQ(0, write_text(POWER "/pm_test", levels[i]));
		EXPECT_EQ(0, write_text(POWER "/state", variant->state));
		player_wait(&self->player[0]);
		ASSERT_EQ(0, watch_each(&self->watch, ring_drain));
	}
	ASSERT_EQ(0, write_text(POWER "/pm_test", "none"));
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	got = RECORDED();
	EXPECT_INSNS(n * SOME * TURN, got.spin);
}

#include "clean_log.h"

TEST_HARNESS_MAIN
