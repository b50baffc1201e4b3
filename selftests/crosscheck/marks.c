// SPDX-License-Identifier: GPL-2.0-only
/*
 * marks [print]: handles 50 requests and marks their phases in the trace (tools/lib/v9mark.h). With
 * "print" it executes no mark, and prints the lines that v9trace script must show for them.
 */
#include <stdio.h>

#include "../../tools/lib/v9mark.h"

#define NUMBERS	((UINT64_C(1) << 52) - 1)

static volatile unsigned int work;

/* A number of 52 bits, none of which is always the same */
static uint64_t token(unsigned int n)
{
	return n % 2 ? n * UINT64_C(0x9e3779b97f4a7c15) & NUMBERS : NUMBERS - n;
}

__attribute__((noinline)) static void request(unsigned int n, int print)
{
	if (print)
		printf("id %u\nbegin request\nid %llu\nbegin parse one\nend parse one\n", n,
		       (unsigned long long)token(n));
	if (print && n % 3 == 0)
		printf("point third\n");
	if (print) {
		printf("end request\n");
		return;
	}
	v9_mark_id(n);
	v9_mark_begin("request");
	v9_mark_id(token(n));
	v9_mark_begin("parse one");
	for (unsigned int i = 0; i < 100 * n; i++)
		work += i;
	v9_mark_end("parse one");
	if (n % 3 == 0)
		v9_mark_point("third");
	v9_mark_end("request");
}

int main(int argc, char **argv)
{
	(void)argv;
	for (unsigned int n = 1; n <= 50; n++)
		request(n, argc > 1);
	return 0;
}
