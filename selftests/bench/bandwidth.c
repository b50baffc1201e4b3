// SPDX-License-Identifier: GPL-2.0-only
/*
 * bandwidth: what one thread reads from memory and copies in memory, 256 MiB at a time, the best of five. Prints
 * gigabytes a second: read, copied.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BYTES	(256u << 20)

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(void)
{
	uint64_t *from = malloc(BYTES), *to = malloc(BYTES), sum = 0;
	double read = 1e9, copied = 1e9;

	if (!from || !to)
		return 1;
	memset(from, 1, BYTES);
	memset(to, 2, BYTES);
	for (int i = 0; i < 5; i++) {
		const double begun = now();
		double passed;

		for (size_t k = 0; k < BYTES / sizeof(*from); k++)
			sum += from[k] ^ (uint64_t)i;
		passed = now() - begun;
		read = passed < read ? passed : read;
	}
	for (int i = 0; i < 5; i++) {
		const double begun = now();
		double passed;

		memcpy(to, from, BYTES);
		passed = now() - begun;
		copied = passed < copied ? passed : copied;
		from[i] = to[BYTES / sizeof(*to) - 1];
	}
	printf("%.1f %.1f\n", BYTES / read / 1e9, BYTES / copied / 1e9);
	return sum == 1;	/* never: keeps the compiler from leaving the sum out */
}
