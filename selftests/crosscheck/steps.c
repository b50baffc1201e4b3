// SPDX-License-Identifier: GPL-2.0-only
/*
 * Some thousand instructions that are the same each time: all kinds of branches, calls and system
 * calls, without libraries and variable data. Short enough to end between two interrupts.
 */
#include <stdint.h>
#include <sys/syscall.h>

static volatile uint64_t sum;

static long call(long nr, long arg)
{
	register long x8 asm("x8") = nr;
	register long x0 asm("x0") = arg;

	asm volatile("svc #0" : "+r"(x0) : "r"(x8) : "memory");
	return x0;
}

static uint64_t add(uint64_t x) { return x + 1; }
static uint64_t twice(uint64_t x) { return x * 2; }
static uint64_t less(uint64_t x) { return x - 3; }
static uint64_t (*const table[])(uint64_t) = { add, twice, less };

/* Deeper than any return stack; the compiler must not make a loop of it. */
__attribute__((noinline)) static uint64_t deep(unsigned int n)
{
	volatile uint64_t here = n;

	return n ? deep(n - 1) + here : here;
}

__attribute__((noinline)) static uint64_t choose(unsigned int i)
{
	switch (i % 6) {
	case 0: return sum + 5;
	case 1: return sum ^ 3;
	case 2: return deep(3);
	case 3: return i & 8 ? sum * 7 : sum >> 1;
	case 4: return table[i % 3](sum);
	default: return ~sum;
	}
}

__attribute__((noreturn)) void _start(void);
__attribute__((noreturn)) void _start(void)
{
	unsigned int i;

	for (i = 0; i < 110; i++) {
		sum += choose(i);
		if (i % 30 == 0)
			sum += deep(30) + (call(SYS_getppid, 0) < 0);
	}
	for (;;)
		call(SYS_exit, 0);
}
