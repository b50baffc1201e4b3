/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by bench_drivers and brbe_bench, which define BENCH, the name in error messages: the
 * measured unit and CPU, and two tasks that alternate.
 */
#ifndef V9_SELFTEST_BENCH_H
#define V9_SELFTEST_BENCH_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ring.h"

static struct unit unit;
static int cpu;
static unsigned long rounds;

static void fail(const char *what, int err)
{
	fprintf(stderr, BENCH ": %s: %s\n", what, strerror(err < 0 ? -err : err));
	exit(1);
}

#define MUST(call)								\
	do {									\
		int err_ = (call);						\
										\
		if (err_ < 0)							\
			fail(#call, err_);					\
	} while (0)

/* The pipes of two tasks that exchange a byte: serve() and reply(), @rounds times each way */
struct pair {
	int to[2], back[2];
};

static void serve(void *arg)
{
	struct pair *p = arg;
	char c = 0;

	for (unsigned long i = 0; i < rounds; i++)
		if (write(p->to[1], &c, 1) != 1 || read(p->back[0], &c, 1) != 1)
			_exit(1);
}

static void reply(void *arg)
{
	struct pair *p = arg;
	char c;

	for (unsigned long i = 0; i < rounds; i++)
		if (read(p->to[0], &c, 1) != 1 || write(p->back[1], &c, 1) != 1)
			_exit(1);
}

#endif
