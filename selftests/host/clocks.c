// SPDX-License-Identifier: GPL-2.0-only
/* v9_clocks_read() on two clocks that an interrupt separates at some of the reads */
#include "tap.h"

#include "../../tools/collect/clocks.c"

#define READS	(3 * V9_CLOCKS_TRIES)

/* Time in ns; a read takes 10. Before read number .at[] it is interrupted for .stop. */
static struct {
	uint64_t now, stop, rate;
	unsigned int reads, at[READS], nr;
} m;

static void read_one(void)
{
	m.now += 10;
	for (unsigned int i = 0; i < m.nr; i++)
		if (m.at[i] == m.reads)
			m.now += m.stop;
	m.reads++;
}

static uint64_t outer(void *arg)
{
	*(unsigned int *)arg += 1;
	read_one();
	return m.now / m.rate;
}

static uint64_t inner(void *arg)
{
	*(unsigned int *)arg += 1;
	read_one();
	return m.now + 1000000;
}

/* The difference between the clocks, without the 1,000,000 ns */
static int64_t off(void)
{
	unsigned int calls = 0;
	const struct v9_clocks c = { outer, inner, &calls };
	uint64_t o = 7, i = 7;

	m.reads = 0;
	v9_clocks_read(&c, &o, &i);
	if (calls != READS)
		return INT64_MAX;
	return (int64_t)(i - 1000000 - o * m.rate);
}

int main(void)
{
	bool good = true;

	m.rate = 1;
	m.now = 12345;
	m.stop = 7000000;
	tap_eq(off(), 0, "undisturbed");
	/* In each round all tries but one are interrupted. */
	for (unsigned int try = 0; try < V9_CLOCKS_TRIES; try++) {
		m.nr = 0;
		for (unsigned int i = 0; i < V9_CLOCKS_TRIES; i++)
			if (i != try)
				m.at[m.nr++] = 3 * i + 1 + i % 2;
		good &= off() == 0;
	}
	tap_ok(good, "the_try_without_an_interrupt");
	/* An interrupt between two tries has no effect. */
	m.nr = 0;
	for (unsigned int i = 1; i < V9_CLOCKS_TRIES; i++)
		m.at[m.nr++] = 3 * i;
	tap_eq(off(), 0, "interrupts_between_the_tries");
	/* All tries are interrupted: the error is half of the interrupt. */
	m.nr = 0;
	for (unsigned int i = 0; i < V9_CLOCKS_TRIES; i++)
		m.at[m.nr++] = 3 * i + 1;
	tap_ok(off() == 3500000, "all_interrupted");
	/* The counter is too slow to measure a try. */
	m.nr = 0;
	m.rate = 40;
	tap_ok(off() >= 0 && off() < 40, "slow_counter");
	return tap_done();
}
