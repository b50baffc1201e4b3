// SPDX-License-Identifier: GPL-2.0-only
/*
 * record --overhead: its argument, the periods that it begins with, what it measures, and which events get another
 * period. Clocks, the rings and the profiles are those of this file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "messages.h"
#include "said.h"
#include "tap.h"

static uint64_t mono, cpu_time;

static uint64_t fake_clock(int clock);
#define v9_clock_ns(clock) fake_clock(clock)
#include "../../tools/collect/overhead.c"
#include "../../tools/collect/budget.c"
#undef v9_clock_ns

#define SECOND	UINT64_C(1000000000)

static char root[] = "/tmp/v9overhead.XXXXXX";
const char *v9_pmu_root = root;

static uint64_t fake_clock(int clock)
{
	return clock == CLOCK_PROCESS_CPUTIME_ID ? cpu_time : mono;
}

static struct v9_profiles *profiles = (struct v9_profiles *)&said;	/* it is only compared */

void v9_profiles_period(struct v9_profiles *p, int cpu, uint64_t offset, uint64_t period)
{
	say("%s%d:%llu:%llu ", p == profiles ? "" : "other ", cpu, (unsigned long long)offset, (unsigned long long)period);
}

void v9_profiles_cost(struct v9_profiles *p, uint32_t cost, uint32_t budget, bool interrupts)
{
	say("%scost %u of %u%s ", p == profiles ? "" : "other ", cost, budget, interrupts ? " interrupts" : "");
}

static uint64_t written;

uint64_t v9_profiles_written(struct v9_profiles *p)
{
	return p == profiles ? written : 0;
}

static int refusal;

int v9_rings_period(struct v9_rings *r, struct v9_event_spec *ev, uint64_t period, v9_period_fn changed, void *ctx)
{
	say("event %d: ", (int)(ev - r->ev));
	if (!refusal)
		changed(ctx, 7, 640, period);
	return refusal;
}

static void file(const char *name, const char *text)
{
	char path[256], *slash;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0755);
		*slash = '/';
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		exit(1);
	close(fd);
}

static void test_parse(void)
{
	static const struct {
		const char *text;
		uint32_t ppm;	/* 0: refused */
	} cases[] = {
		{ "1", 10000 }, { "2%", 20000 }, { "0.5", 5000 }, { "0.01", 100 }, { "0.01%", 100 }, { "100", 1000000 },
		{ "100%", 1000000 }, { "0.12345", 1235 }, { "0.12344", 1234 }, { "9", 90000 }, { "0.5e1", 50000 },
		{ "", 0 }, { "%", 0 }, { "0.0099", 0 }, { "100.001", 0 }, { "1%%", 0 }, { "1 %", 0 }, { " 1", 0 }, { "+1", 0 },
		{ "-1", 0 }, { "nan", 0 }, { "1e-400", 0 }, { "0", 0 }, { ".5", 0 }, { ":", 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct v9_overhead o = { .ppm = 0 };
		int ret;

		errno = ERANGE;	/* of an earlier call */
		ret = v9_overhead_parse(&o, cases[i].text);

		tap_eq(ret, cases[i].ppm ? 0 : -EINVAL, "parse_%zu", i);
		tap_eq(o.ppm, cases[i].ppm, "parsed_%zu", i);
	}
}

static const struct v9_aux_kind spe = { .auxtrace = 4 };
static struct v9_event_spec ev[4];

static void events(void)
{
	memset(ev, 0, sizeof(ev));
	ev[0].label = "cpu-clock";
	ev[0].attr.a.sample_period = 99;
	ev[1].label = "arm_spe_0//";
	ev[1].aux = &spe;
	ev[1].attr.a.sample_period = 1000;	/* 768 of the unit */
	ev[1].aux_interval = 512;
	ev[2].label = "arm_spe_1/ts_enable=1/";
	ev[2].aux = &spe;
	ev[2].attr.a.sample_period = 255;
	ev[3].label = "arm_spe_2//";
	ev[3].aux = &spe;
	ev[3].attr.a.sample_period = 300;
	ev[3].aux_interval = 1024;
}

static void test_aim(void)
{
	static const struct {
		uint64_t most;
		int ret;
		unsigned int last;
	} cases[] = { { 0, 0, 14 }, { 4096, 0, 2 }, { 3071, 0, 1 }, { 1024, 0, 0 }, { 1023, -EINVAL, 0 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct v9_overhead o = { .ppm = 20000, .most = cases[i].most };
		const unsigned int last = cases[i].last;

		events();
		tap_eq(v9_overhead_aim(&o, ev, 4), cases[i].ret, "aim_%zu", i);
		if (!cases[i].ret) {
			tap_eq(ev[0].attr.a.sample_period, 99, "aim_%zu_other", i);
			tap_eq(ev[1].attr.a.sample_period, UINT64_C(768) << last, "aim_%zu_first", i);
			tap_eq(ev[2].attr.a.sample_period, UINT64_C(256) << last, "aim_%zu_second", i);
			tap_eq(ev[3].attr.a.sample_period, UINT64_C(1024) << last, "aim_%zu_third", i);
			tap_ok(o.lowest == last && o.highest == last && o.budget.step == last && o.budget.last == last &&
			       o.budget.ppm == 20000, "aim_%zu_budget", i);
			tap_eq(v9_overhead_period(&o, 3), 768 << 3, "aim_%zu_period", i);
		}
		v9_overhead_free(&o);
	}
	/* One event, the last of all, and none */
	for (int n = 1; n <= 2; n++) {
		struct v9_overhead o = { .ppm = 1 };

		events();
		v9_overhead_aim(&o, ev, n);
		tap_eq(v9_overhead_period(&o, 1), n == 1 ? 0 : 768 << 1, "period_of_%d", n);
		v9_overhead_free(&o);
	}
}

static void test_measure(void)
{
	struct v9_overhead o = { .ppm = 10000, .most = 4096, .interval_ns = 10 * SECOND };
	struct v9_aux_ring ring[2] = { { .ev = &ev[1], .cpu = 3 }, { .ev = &ev[3], .cpu = 5 } };
	struct v9_rings r = { .ev = ev, .evs = 4, .aux = ring, .auxs = 2 };

	events();
	v9_overhead_aim(&o, ev, 4);
	file("arm_spe_0/stats/handler_ns", "7000\n");
	file("arm_spe_1/stats/handler_ns", "100\n");
	file("arm_spe_2/stats/handler_ns", "10\n");
	mono = 5 * SECOND;
	cpu_time = SECOND;
	written = 400000000;
	v9_overhead_begin(&o, &r, profiles);
	expect_said("begin", "3:0:3072 5:0:4096 ");
	tap_ok(!o.all.cpu && !o.all.time && !o.pending && o.interrupts, "begin_measures_nothing");

	/* 0.3 s of CPU time, of which 0.1 s wrote: of that a tenth of the interval counts now. */
	mono += SECOND;
	cpu_time += 300000000;
	written += 100000000;
	file("arm_spe_1/stats/handler_ns", "1100\n");
	file("arm_spe_2/stats/handler_ns", "210\n");
	v9_overhead_measure(&o, &r, profiles, 640);
	tap_eq(o.all.cpu, 200000000, "cpu");
	tap_eq(o.all.fixed, 10000000, "fixed");
	tap_eq(o.all.interrupts, 1200, "interrupts");
	tap_eq(o.all.time, SECOND, "time");
	tap_eq(o.all.bytes, 640, "bytes");
	tap_eq(o.all.cpus, 2, "cpus");
	tap_eq(o.pending, 90000000, "pending");
	expect_said("above", "cost 105000 of 10000 interrupts ");	/* the longest period already */
	tap_eq(o.budget.over, 1, "over");

	/* A driver does not count. Longer than an interval: all that waits counts. More was written than used. */
	v9_pmu_root = "/nonexistent";
	mono += 10 * SECOND;
	cpu_time += 50000000;
	written += 60000000;
	v9_overhead_measure(&o, &r, profiles, 1280);
	tap_eq(o.all.cpu, 200000000, "cpu_below_written");
	tap_eq(o.all.fixed, 10000000 + 150000000, "fixed_all");
	tap_eq(o.all.interrupts, 1200, "interrupts_not_known");
	tap_eq(o.all.bytes, 1280, "bytes_sum");
	tap_eq(o.pending, 0, "nothing_pends");
	tap_ok(!o.interrupts, "one_does_not_count");
	/* (0.2 + 0.16 s + 1200 ns) of 11 s of 2 CPUs */
	expect_said("both_in_a_profile", "cost 16363 of 10000 ");
	v9_overhead_profile(&o, profiles);
	expect_said("profile", "cost 16363 of 10000 ");
	tap_ok(!o.part.time && !o.part.cpu && o.all.time == 11 * SECOND, "profile_begins");

	/* The measurement above was a cheap one, and two more follow: half the period. Not while paused. */
	v9_pmu_root = root;
	for (int i = 0; i < 5; i++) {
		mono += SECOND;
		cpu_time += 1000000;
		r.paused = i < 3;
		v9_overhead_measure(&o, &r, profiles, 2000 + (uint64_t)i);
		if (i < 4) {
			tap_eq(o.budget.step, 2, "quiet_%d", i);
			say_nothing();
		}
	}
	expect_said("change", "cost 500 of 10000 interrupts event 1: 7:640:1536 event 2: 7:640:512 event 3: 7:640:2048 ");
	tap_ok(o.lowest == 1 && o.highest == 2, "lowest");

	/* The driver refuses: nothing is changed any more. */
	refusal = -EINVAL;
	for (int i = 0; i < 8; i++) {
		mono += SECOND;
		v9_overhead_measure(&o, &r, profiles, 3000 + (uint64_t)i);
		if (i == 3) {
			expect_said("refused", "cost 278 of 10000 interrupts event 1: event 2: event 3: ");
			tap_ok(o.stuck, "stuck");
		}
		say_nothing();
	}
	tap_eq(o.budget.step, 0, "no_more_steps");
	tap_ok(o.lowest == 0 && o.highest == 2, "lowest_at_the_end");
	v9_overhead_free(&o);
}

/* What is above the budget at once makes the period longer. */
static void test_longer(void)
{
	struct v9_overhead o = { .ppm = 10000, .most = 4096, .interval_ns = 10 * SECOND };
	struct v9_aux_ring ring[1] = { { .ev = &ev[1], .cpu = 3 } };
	struct v9_rings r = { .ev = ev, .evs = 2, .aux = ring, .auxs = 1 };

	events();
	refusal = 0;
	mono = cpu_time = 0;
	v9_overhead_aim(&o, ev, 2);
	o.budget.step = o.lowest = o.highest = 0;
	v9_overhead_begin(&o, &r, profiles);
	say_nothing();
	mono = SECOND;
	cpu_time = 30000000;
	v9_overhead_measure(&o, &r, profiles, 64);
	expect_said("longer", "cost 30000 of 10000 interrupts event 1: 7:640:3072 ");
	tap_ok(o.lowest == 0 && o.highest == 2, "highest");
	v9_overhead_free(&o);
}

int main(void)
{
	if (!mkdtemp(root))
		return 1;
	messages_begin();
	test_parse();
	test_aim();
	test_measure();
	test_longer();
	messages_are("record_overhead", NULL);
	tap_remove(root);
	return tap_done();
}
