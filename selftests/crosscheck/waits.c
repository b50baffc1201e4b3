// SPDX-License-Identifier: GPL-2.0-only
/*
 * waits FILE: waits at three call sites, and writes down each wait. A second thread ends those in
 * site_pipe() and site_lock(). Both run on one CPU, so that the first one is off it when the second one
 * sees it asleep. A line of FILE:
 *
 *	SITE START SEEN BEFORE AFTER END	ns of CLOCK_MONOTONIC_RAW; 0: none
 *
 * START, END: in the first thread, around the wait. SEEN: the second one saw the first asleep; BEFORE,
 * AFTER: around the system call that woke it.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TIMES	5
#define SITE	__attribute__((noinline, noipa))

static char state_file[64];
static int ends[2];
static volatile int lock, wanted;	/* wanted: 1: end site_pipe(), 2: site_lock(), 3: no more */
static uint64_t seen, before, after;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void nap(long ns)
{
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

SITE void site_sleep(void)
{
	nap(3000000);
}

SITE void site_pipe(void)
{
	char byte;

	if (read(ends[0], &byte, 1) != 1)
		abort();
}

SITE void site_lock(void)
{
	while (lock)
		syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
}

SITE void wakes_pipe(void)
{
	if (write(ends[1], "", 1) != 1)
		abort();
}

SITE void wakes_lock(void)
{
	lock = 0;
	syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* "PID (COMM) STATE ..." */
static int asleep(void)
{
	char text[256];
	const int fd = open(state_file, O_RDONLY);
	const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	char *end;

	if (n <= 0)
		abort();
	close(fd);
	text[n] = '\0';
	end = strrchr(text, ')');
	return end && end[2] == 'S';
}

static void *helper(void *arg)
{
	while (wanted != 3) {
		if (!wanted || !asleep()) {
			nap(500000);
			continue;
		}
		seen = now();
		nap(2000000);
		before = now();
		if (wanted == 1)
			wakes_pipe();
		else
			wakes_lock();
		after = now();
		wanted = 0;
	}
	return arg;
}

/* The helper has written down its times, and waits for the next turn. */
static void settle(void)
{
	while (wanted)
		sched_yield();
}

int main(int argc, char **argv)
{
	FILE *f = argc > 1 ? fopen(argv[1], "w") : NULL;
	pthread_t thread;
	cpu_set_t one;
	uint64_t start, end;

	CPU_ZERO(&one);
	CPU_SET(1, &one);
	snprintf(state_file, sizeof(state_file), "/proc/self/task/%ld/stat", syscall(SYS_gettid));
	if (!f || pipe(ends) || sched_setaffinity(0, sizeof(one), &one) ||
	    pthread_create(&thread, NULL, helper, NULL))
		return 1;
	for (int i = 0; i < TIMES; i++) {
		start = now();
		site_sleep();
		end = now();
		fprintf(f, "site_sleep %llu 0 0 0 %llu\n", (unsigned long long)start, (unsigned long long)end);
		for (int site = 1; site <= 2; site++) {
			lock = 1;
			start = now();
			wanted = site;
			if (site == 1)
				site_pipe();
			else
				site_lock();
			end = now();
			settle();
			fprintf(f, "%s %llu %llu %llu %llu %llu\n", site == 1 ? "site_pipe" : "site_lock",
				(unsigned long long)start, (unsigned long long)seen,
				(unsigned long long)before, (unsigned long long)after,
				(unsigned long long)end);
		}
	}
	wanted = 3;
	pthread_join(thread, NULL);
	return fclose(f) != 0;
}
