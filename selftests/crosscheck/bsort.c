// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose layout an optimizer can improve: bubble sort by many small functions, each with
 * an unlikely path in its middle, so that the usual path has a jump.
 *
 * 	bsort [NUMBERS]
 */
#include <stdio.h>
#include <stdlib.h>

#define SMALL __attribute__((noinline))

struct row {
	int n;
	int moves;
	int bad;
	int v[8192];
};

static SMALL int refuse(struct row *r, int i)
{
	if (r->bad++ > 100)
		fprintf(stderr, "bsort: %d is not in the row\n", i);
	return 0;
}

static SMALL int is_in(struct row *r, int i)
{
	if (i < 0)
		return refuse(r, i);
	if (i >= r->n)
		return refuse(r, i);
	return 1;
}

static SMALL int get(struct row *r, int i)
{
	if (!is_in(r, i)) {
		r->bad++;
		return -1;
	}
	return r->v[i];
}

static SMALL void put(struct row *r, int i, int x)
{
	if (!is_in(r, i)) {
		r->bad++;
		return;
	}
	r->v[i] = x;
}

static SMALL int is_wrong(struct row *r, int i)
{
	int a = get(r, i), b = get(r, i + 1);

	if (r->bad)
		return 0;
	return a > b;
}

static SMALL void change(struct row *r, int i)
{
	int a = get(r, i);

	put(r, i, get(r, i + 1));
	put(r, i + 1, a);
	r->moves++;
}

static SMALL int pass(struct row *r, int end)
{
	int before = r->moves, i;

	for (i = 0; i + 1 < end; i++) {
		if (!is_wrong(r, i))
			continue;
		change(r, i);
		if (r->bad)
			return 0;
	}
	return r->moves != before;
}

int main(int argc, char **argv)
{
	static struct row r = { .n = 300 };
	unsigned int x = 1;
	int i;

	if (argc > 1)
		r.n = atoi(argv[1]);
	if (r.n < 1 || r.n > 8192)
		return 2;
	for (i = 0; i < r.n; i++) {
		x = x * 1664525 + 1013904223;
		r.v[i] = x >> 8;
	}
	for (i = r.n; pass(&r, i); i--)
		;
	for (i = 0; i + 1 < r.n; i++)
		if (is_wrong(&r, i))
			return 1;
	printf("bsort: %d numbers, %d moves\n", r.n, r.moves);
	return r.bad != 0;
}
