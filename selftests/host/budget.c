// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling period that keeps the cost of recording within a budget: measurements typed here, and a
 * machine on which the cost falls as the period grows.
 */
#include "tap.h"
#include "../../tools/collect/budget.c"

#define SECOND	UINT64_C(1000000000)

/* A second of 4 CPUs in which the recorder took @ppm millionths of their time, of which @fixed is fixed */
static struct v9_budget_use second_with(uint64_t ppm, uint64_t fixed)
{
	return (struct v9_budget_use){
		.cpu = (ppm - fixed) * 4000, .fixed = fixed * 4000, .time = SECOND, .bytes = 64, .cpus = 4,
	};
}

static struct v9_budget_use second_of(uint64_t ppm)
{
	return second_with(ppm, 0);
}

static bool take_with(struct v9_budget *b, uint64_t ppm, uint64_t fixed)
{
	const struct v9_budget_use use = second_with(ppm, fixed);

	return v9_budget_take(b, &use);
}

static bool take(struct v9_budget *b, uint64_t ppm)
{
	return take_with(b, ppm, 0);
}

/* One that has no change behind it */
static struct v9_budget at(unsigned int step)
{
	struct v9_budget b;

	v9_budget_init(&b, 10000, 14);
	b.step = step;
	return b;
}

static void steps(void)
{
	tap_eq(v9_budget_steps(1024, 1 << 24), 14, "from_1024_to_16777216");
	tap_eq(v9_budget_steps(1024, 1024), 0, "one_period");
	tap_eq(v9_budget_steps(1024, 2047), 0, "below_the_next");
	tap_eq(v9_budget_steps(1024, 2048), 1, "the_next");
	tap_eq(v9_budget_steps(3072, 1 << 24), 12, "from_3072");
	tap_eq(v9_budget_steps(1, UINT64_MAX), 63, "all");
	tap_eq(v9_budget_steps(2048, 1024), 0, "most_below_least");
}

static void cost(void)
{
	struct v9_budget_use use = { .cpu = 20000000, .interrupts = 20000000, .time = SECOND, .cpus = 4 };

	tap_eq(v9_budget_cost(&use), 10000, "one_percent_of_four_cpus");
	use.cpus = 1;
	tap_eq(v9_budget_cost(&use), 40000, "four_percent_of_one");
	use.interrupts = 0;
	tap_eq(v9_budget_cost(&use), 20000, "without_interrupts");
	use.fixed = 10000000;
	tap_eq(v9_budget_cost(&use), 30000, "with_a_fixed_part");
	use.time = 0;
	tap_eq(v9_budget_cost(&use), 0, "no_time");
	use.time = 1;
	use.cpu = use.fixed = use.interrupts = UINT64_MAX;
	tap_eq(v9_budget_cost(&use), UINT32_MAX, "too_much");
	use.time = UINT64_MAX;
	use.cpus = UINT32_MAX;
	tap_eq(v9_budget_cost(&use), 0, "of_very_much");
	use.cpus = 1;
	tap_eq(v9_budget_cost(&use), 3000000, "three_times_all");
}

static void rises(void)
{
	struct v9_budget b = at(3);

	tap_ok(!take(&b, 10000) && b.step == 3, "at_the_budget");
	tap_ok(take(&b, 10001) && b.step == 4, "just_above");
	tap_ok(!take(&b, 40000) && b.step == 4, "a_second_of_two_periods");
	b = at(3);
	tap_ok(take(&b, 20000) && b.step == 4, "twice");
	b = at(3);
	tap_ok(take(&b, 20002) && b.step == 5, "above_twice");
	b = at(3);
	tap_ok(take(&b, 80000) && b.step == 6, "eight_times");
	/* 6000 and 12000: 6000 + 6000 is too much, 6000 + 3000 is not */
	b = at(3);
	tap_ok(take_with(&b, 18000, 6000) && b.step == 5, "fixed_part_stays");
	b = at(3);
	tap_ok(take_with(&b, 11000, 11000) && b.step == 14, "fixed_part_is_over");
	b = at(12);
	tap_ok(take(&b, 1000000) && b.step == 14, "not_beyond_the_last");
	b = at(14);
	tap_ok(!take(&b, 20000) && b.step == 14 && b.over == 1, "longest_is_over");
	tap_ok(!take(&b, 20000) && b.over == 2, "each_is_counted");
	tap_ok(!take(&b, 10000) && b.over == 2, "but_not_one_within");
	b = at(0);
	b.last = 0;
	tap_ok(!take(&b, 20000) && b.step == 0 && b.over == 1, "one_period_only");
}

static void falls(void)
{
	struct v9_budget b = at(3);

	tap_ok(!take(&b, 4000) && !take(&b, 4000) && b.step == 3, "not_at_once");
	tap_ok(take(&b, 4000) && b.step == 2, "after_three");
	tap_ok(!take(&b, 0) && !take(&b, 0) && !take(&b, 0) && take(&b, 0) && b.step == 1, "and_on");
	b = at(3);
	take(&b, 4000);
	take(&b, 4000);
	take(&b, 4001);
	tap_ok(!take(&b, 4000) && !take(&b, 4000) && take(&b, 4000) && b.step == 2, "three_in_a_row");
	b = at(3);
	take(&b, 4000);
	take(&b, 4000);
	tap_ok(take(&b, 10001) && b.step == 4, "rises_between");
	take(&b, 0);
	tap_ok(!take(&b, 4000) && !take(&b, 4000) && take(&b, 4000) && b.step == 3, "and_counts_anew");
	b = at(0);
	for (int i = 0; i < 10; i++)
		tap_ok(!take(&b, 0) && b.step == 0, "not_below_the_shortest");
	/* Of 6000 ppm 4000 are fixed: with half the period 4000 + 2 * 2000, four fifths of 10000. */
	b = at(3);
	tap_ok(!take_with(&b, 6000, 4000) && !take_with(&b, 6000, 4000) && take_with(&b, 6000, 4000) &&
	       b.step == 2, "fixed_part_does_not_grow");
	b = at(3);
	for (int i = 0; i < 10; i++)
		tap_ok(!take_with(&b, 6001, 4000) && b.step == 3, "with_it_not_enough_room");
}

static void nothing(void)
{
	struct v9_budget b = at(3);
	struct v9_budget_use use = second_of(0);

	use.bytes = 0;
	for (int i = 0; i < 10; i++)
		tap_ok(!v9_budget_take(&b, &use) && b.step == 3, "idle");
	use = second_of(50000);
	use.bytes = 0;
	tap_ok(!v9_budget_take(&b, &use) && b.step == 3 && !b.over, "cost_without_trace");
	use = second_of(50000);
	use.time = 0;
	tap_ok(!v9_budget_take(&b, &use) && b.step == 3, "without_time");
	use = second_of(50000);
	use.cpus = 0;
	tap_ok(!v9_budget_take(&b, &use) && b.step == 3, "without_cpus");
	/* Neither is the measurement after a change. */
	for (int i = 0; i < 2; i++) {
		b = at(3);
		take(&b, 20000);
		use = second_of(50000);
		use.time = i ? 0 : SECOND;
		use.cpus = i ? 4 : 0;
		v9_budget_take(&b, &use);
		tap_ok(!take(&b, 20000) && b.step == 4, "change_is_remembered");
	}
	b = at(3);
	use = (struct v9_budget_use){ UINT64_MAX, UINT64_MAX, UINT64_MAX, 1, UINT64_MAX, 1 };
	tap_ok(v9_budget_take(&b, &use) && b.step == 14, "too_much_to_measure");
	use = (struct v9_budget_use){ 0, 0, 0, UINT64_MAX, UINT64_MAX, UINT32_MAX };
	tap_ok(!v9_budget_take(&b, &use) && b.step == 14, "after_it");
	v9_budget_init(&b, 10000, 14);
	tap_ok(b.step == 14, "begins_with_the_longest");
}

/* A machine: a cost that does not depend on the period, and one that halves as it doubles */
struct plant {
	uint64_t fixed, hidden, at_shortest;	/* ppm; hidden: fixed, but not known to be */
	uint64_t noise;			/* percent, up and down in turn */
};

static uint64_t cost_of(const struct plant *p, unsigned int step, unsigned int second)
{
	const uint64_t ppm = p->fixed + p->hidden + (p->at_shortest >> step);

	return second % 2 ? ppm + ppm * p->noise / 100 : ppm - ppm * p->noise / 100;
}

/* Number of changes in an hour, after ten minutes; *@step: the last one */
static unsigned int changes(const struct plant *p, unsigned int *step, uint64_t *worst)
{
	struct v9_budget b;
	unsigned int n = 0;

	v9_budget_init(&b, 10000, 14);
	*worst = 0;
	for (unsigned int s = 0; s < 4200; s++) {
		const uint64_t ppm = cost_of(p, b.step, s);
		const bool changed = take_with(&b, ppm, p->fixed);

		if (s < 600)
			continue;
		n += changed;
		*worst = ppm > *worst ? ppm : *worst;
	}
	*step = b.step;
	return n;
}

static void steady(void)
{
	static const struct {
		struct plant plant;
		unsigned int step;
	} rows[] = {
		{ { 0, 0, 8000, 0 }, 0 },		/* the shortest period costs less than the budget */
		{ { 0, 0, 100000, 0 }, 4 },		/* 6250; the next would be 12500 */
		{ { 0, 0, 100000, 15 }, 4 },
		{ { 3000, 0, 100000, 0 }, 5 },		/* 3000 + 3125; the next would be above 8000 */
		{ { 0, 0, 64000, 0 }, 3 },		/* 8000 */
		{ { 7000, 0, 1000000, 0 }, 10 },	/* 7000 + 976 */
		{ { 0, 3000, 100000, 0 }, 6 },		/* 3000 + 1562: it is taken for 9124 */
		{ { 0, 0, 3000000000, 0 }, 14 },	/* the longest period is not enough */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned int step;
		uint64_t worst;

		tap_eq(changes(&rows[i].plant, &step, &worst), 0, "no_oscillation_%zu", i);
		tap_eq(step, rows[i].step, "step_%zu", i);
		if (step < 14)
			tap_ok(worst <= 10000, "within_the_budget_%zu", i);
	}
}

/* The cost of a sample becomes eight times as high, and later what it was before */
static void follows(void)
{
	struct v9_budget b;
	unsigned int over = 0;

	v9_budget_init(&b, 10000, 14);
	for (unsigned int s = 0; s < 300; s++) {
		const struct plant p = { 0, 100, s >= 100 && s < 200 ? 400000 : 50000, 10 };
		const uint64_t ppm = cost_of(&p, b.step, s);

		take(&b, ppm);
		over += s >= 100 && ppm > 10000;
		if (s == 99)
			tap_eq(b.step, 3, "before");
		if (s == 199)
			tap_eq(b.step, 6, "with_load");
		if (s == 299)
			tap_eq(b.step, 3, "after");
	}
	tap_ok(over >= 1 && over <= 2, "two_seconds_at_most_over_the_budget");
}

static void sums(void)
{
	static const struct v9_budget_use one = { 1, 20, 300, 4000, 50000, 8 },
					  two = { 7, 60, 500, 4000, 30000, 6 };
	struct v9_budget_use sum = { 0 };

	v9_budget_add(&sum, &one);
	v9_budget_add(&sum, &two);
	tap_ok(sum.cpu == 8 && sum.fixed == 80 && sum.interrupts == 800 && sum.time == 8000 &&
	       sum.bytes == 80000, "measurements_add_up");
	tap_eq(sum.cpus, 6, "cpus_are_the_last");
}

int main(void)
{
	sums();
	steps();
	cost();
	rises();
	falls();
	nothing();
	steady();
	follows();
	return tap_done();
}
