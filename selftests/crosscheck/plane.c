// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program for the flight recorder: long parts of equal work, and after each of them storm(),
 * which does nothing visible except a system call. ROUNDS parts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

unsigned long cruise(unsigned long n);
void storm(unsigned long n);
void nowhere(void);

static volatile unsigned long sum;

__attribute__((noinline)) unsigned long cruise(unsigned long n)
{
	unsigned long x = n;

	for (unsigned long i = 0; i < n; i++)
		if ((x = x * 6364136223846793005UL + 1442695040888963407UL) >> 63)
			sum += i;
	return x;
}

__attribute__((noinline)) void storm(unsigned long n)
{
	sum += n + (unsigned long)syscall(SYS_getppid);
}

/* Nobody calls it. */
__attribute__((noinline)) void nowhere(void)
{
	sum = 0;
}

/* ROUNDS [LENGTH [FILE: wait until it exists]] */
int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
	unsigned long length = argc > 2 ? strtoul(argv[2], NULL, 0) : 100000;

	while (argc > 3 && access(argv[3], F_OK))
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	for (unsigned long i = 0; i < rounds; i++) {
		sum += cruise(length);
		storm(i);
	}
	sum += cruise(length);
	return 0;
}
