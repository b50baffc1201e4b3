// SPDX-License-Identifier: GPL-2.0-only
/*
 * "marks" calls two functions that write marks (lib/v9mark.h).
 *
 * "marks print" writes no mark. It prints the marks that v9trace script must show of the other run,
 * and runs on any machine.
 */
#include <stdio.h>

#include "../../tools/lib/v9mark.h"

static volatile unsigned int work;

__attribute__((noinline)) static void request(unsigned int n, int print)
{
	if (print)
		printf("id %u\nbegin request\nbegin parse one\nend parse one\n", n);
	if (print && n % 3 == 0)
		printf("point third\n");
	if (print) {
		printf("end request\n");
		return;
	}
	v9_mark_id(n);
	v9_mark_begin("request");
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
