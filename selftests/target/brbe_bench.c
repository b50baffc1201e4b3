// SPDX-License-Identifier: GPL-2.0-only
/*
 * What branch stacks cost: instructions with a session and without.
 *
 *	brbe_bench CPU switch ROUNDS	two tasks alternate, each with a session without a sample
 *	brbe_bench CPU sample ROUNDS	a busy task is sampled; 32 records are in each stack
 *
 * The driver is v9_brbe or the kernel's own. Prints "traced=N base=N n=N": instructions with and
 * without sessions, and the switches or samples. With QEMU's -icount shift=0 a nanosecond is an
 * instruction of some CPU; the others are idle. The instruction counter of the CPU's PMU would not
 * do: perf stops it while it changes events of that PMU, to which those of the kernel's own driver
 * belong.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define BENCH "brbe_bench"
#include "bench.h"
#include "brbe.h"
#include "work.h"

static uint64_t instructions(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t switches(bool traced)
{
	struct perf_event_attr attr;
	struct brbe_ring ring[2];
	struct worker worker[2];
	struct pair pair;
	uint64_t before;

	if (pipe(pair.to) || pipe(pair.back))
		fail("pipe", errno);
	MUST(worker_start(&worker[0], cpu, reply, &pair));
	MUST(worker_start(&worker[1], cpu, serve, &pair));
	brbe_attr(&unit, &attr, BRBE_CYCLES, UINT64_C(1) << 31);
	for (int i = 0; traced && i < 2; i++) {
		MUST(brbe_open(&ring[i], &attr, worker[i].pid, cpu));
		MUST(ioctl(ring[i].fd, PERF_EVENT_IOC_ENABLE, 0));
	}
	usleep(100000);
	before = instructions();
	worker_go(&worker[0]);
	worker_go(&worker[1]);
	if (worker_wait(&worker[0]) || worker_wait(&worker[1]))
		fail("worker", ECHILD);
	before = instructions() - before;
	for (int i = 0; traced && i < 2; i++)
		brbe_close(&ring[i]);
	return before;
}

static void busy(void *arg)
{
	(void)arg;
	for (unsigned long i = 0; i < rounds; i++)
		wander(1000, i + 1);
}

static uint64_t samples(bool traced, size_t *n)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;
	struct worker worker;
	uint64_t before;

	MUST(worker_start(&worker, cpu, busy, NULL));
	brbe_attr(&unit, &attr, BRBE_CYCLES, 100003);
	if (traced) {
		MUST(brbe_open(&ring, &attr, worker.pid, cpu));
		MUST(ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0));
	}
	usleep(100000);
	before = instructions();
	worker_go(&worker);
	if (worker_wait(&worker))
		fail("worker", ECHILD);
	before = instructions() - before;
	if (traced) {
		while (brbe_next(&ring))
			*n += ring.sample.nr != 0;
		brbe_close(&ring);
	}
	return before;
}

int main(int argc, char **argv)
{
	uint64_t traced, base;
	size_t n = 0;

	if (argc != 4) {
		fprintf(stderr, "usage: brbe_bench CPU switch|sample ROUNDS\n");
		return 2;
	}
	cpu = atoi(argv[1]);
	rounds = strtoul(argv[3], NULL, 0);
	MUST(brbe_find(&unit));
	brbe_slow_begin();
	if (!strcmp(argv[2], "switch")) {
		switches(false);			/* warm up */
		base = switches(false);
		traced = switches(true);
		n = 2 * rounds;
	} else {
		samples(false, &n);
		base = samples(false, &n);
		traced = samples(true, &n);
	}
	brbe_slow_end();
	printf("%s traced=%" PRIu64 " base=%" PRIu64 " n=%zu\n", argv[2], traced, base, n);
	return 0;
}
