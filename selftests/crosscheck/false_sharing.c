// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads, each with a counter of its own: in one cache line, or each in its own.
 *
 *   false_sharing 1|0 [TIMES]
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct one_line {
	volatile long first;
	volatile long second;
} __attribute__((aligned(64)));

struct two_lines {
	volatile long first __attribute__((aligned(64)));
	volatile long second __attribute__((aligned(64)));
};

static struct one_line shared;
static struct two_lines apart;
static bool one_line;
static long times = 10000000;

static void *count_first(void *unused)
{
	volatile long *first = one_line ? &shared.first : &apart.first;
	long i;

	for (i = 0; i < times; i++)
		++*first;	/* the first */
	return unused;
}

static void *count_second(void *unused)
{
	volatile long *second = one_line ? &shared.second : &apart.second;
	long i;

	for (i = 0; i < times; i++)
		++*second;	/* the second */
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t first, second;

	one_line = argc > 1 && atoi(argv[1]);
	if (argc > 2)
		times = atol(argv[2]);
	if (pthread_create(&first, NULL, count_first, NULL) ||
	    pthread_create(&second, NULL, count_second, NULL))
		return 1;
	pthread_join(first, NULL);
	pthread_join(second, NULL);
	printf("false_sharing: %ld and %ld\n", one_line ? shared.first : apart.first,
	       one_line ? shared.second : apart.second);
	return 0;
}
