/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What flow.c and flow32.c have in common: functions with branches and calls, the timer and its handler, the end.
 */
#ifndef FLOW_H
#define FLOW_H

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef unsigned long word;

static volatile word ticks, faults, sum;
static volatile int *volatile nowhere;

static void tick(int nr, siginfo_t *info, void *context)
{
	(void)nr;
	(void)info;
	(void)context;
	ticks++;
}

/* Deeper than any return stack; the compiler must not make a loop of it. */
__attribute__((noinline)) static word deep(unsigned int n)
{
	volatile word here = n;

	return n ? deep(n - 1) + here : here;
}

static word choose(unsigned int i)
{
	switch (i % 8) {
	case 0: return sum + 5;
	case 1: return sum ^ 3;
	case 2: return sum >> 1;
	case 3: return sum * 7;
	case 4: return deep(3);
	case 5: return sum | i;
	case 6: return ~sum;
	default: return sum - i;
	}
}

/* Begins the interrupts. */
static void start_timer(void)
{
	struct { struct { long s, us; } interval, value; } timer = { { 0, 2000 }, { 0, 2000 } };

	syscall(SYS_setitimer, 0, &timer, NULL);
}

/* Fresh pages, then what is left until there were 20 interrupts. Returns the program's exit status. */
static int finish(unsigned int turns)
{
	uint8_t *pages = mmap(NULL, 64 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	for (i = 0; i < 64; i++)
		pages[i << 12] = i;
	memset(pages, 1, 64 << 12);
	while (ticks < 20)
		sum += choose(turns++);
	return faults != 90;
}

#endif
