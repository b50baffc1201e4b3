// SPDX-License-Identifier: GPL-2.0-only
/*
 * values [print]: writes 300 values of all lengths to the trace (TRCIT X0, FEAT_ITE), with some
 * work in between. With "print" it prints them instead, on any machine.
 */
#include <stdint.h>
#include <stdio.h>

#define VALUES	300

#ifdef __aarch64__
static void write_value(uint64_t value)
{
	register uint64_t x0 __asm__("x0") = value;

	__asm__ volatile(".inst 0xd50b72e0" : : "r" (x0));
}
#else
static void write_value(uint64_t value)
{
	(void)value;
}
#endif

int main(int argc, char **argv)
{
	uint64_t x = 88172645463325252;
	volatile unsigned int work = 0;

	(void)argv;
	for (int i = 0; i < VALUES; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		if (argc > 1)
			printf("0x%llx\n", (unsigned long long)(x >> i % 64));
		else
			write_value(x >> i % 64);
		for (int k = 0; k < i; k++)
			work += k & 1 ? i : k;
	}
	return 0;
}
