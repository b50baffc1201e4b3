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

/* A probe as sys/sdt.h of SystemTap makes it, here; @semaphore: its address, or 0 */
#define PROBE(name, semaphore) \
	__asm__ volatile("990:	nop\n" \
		"	.pushsection .note.stapsdt, \"\", %note\n" \
		"	.balign 4\n" \
		"	.4byte 992f - 991f, 994f - 993f, 3\n" \
		"991:	.asciz \"stapsdt\"\n" \
		"992:	.balign 4\n" \
		"993:	.8byte 990b, _.stapsdt.base, " semaphore "\n" \
		"	.asciz \"plane\"\n" \
		"	.asciz \"" name "\"\n" \
		"	.asciz \"\"\n" \
		"994:	.balign 4\n" \
		"	.popsection\n" \
		"	.ifndef _.stapsdt.base\n" \
		"	.pushsection .stapsdt.base, \"aG\", %progbits, .stapsdt.base, comdat\n" \
		"	.weak _.stapsdt.base\n" \
		"	.hidden _.stapsdt.base\n" \
		"_.stapsdt.base: .space 1\n" \
		"	.size _.stapsdt.base, 1\n" \
		"	.popsection\n" \
		"	.endif\n")

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
	PROBE("storm", "0");
	sum += n + (unsigned long)syscall(SYS_getppid);
}

/* Nobody calls it. */
__attribute__((noinline)) void nowhere(void)
{
	PROBE("gated", "_.stapsdt.base");
	PROBE("twice", "0");
	sum = 0;
	PROBE("twice", "0");
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
