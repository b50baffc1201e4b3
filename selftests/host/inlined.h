/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that GCC inlines with -O2, twice() into add(). For programs of annotate.sh and
 * captures.sh
 */
static inline int twice(int x) { return x * x % 77; }
static inline int add(int a, int b)
{
	if (b & 1)
		a += twice(b);
	return a + b;
}
