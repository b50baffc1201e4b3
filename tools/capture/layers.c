// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "layers.h"

#include <stdlib.h>

#include "../util.h"

struct row {
	uint64_t time;
	uint32_t map;			/* its index */
};

static int bound_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return V9_ORDER(*x, *y);
}

static int row_order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->time == y->time ? V9_ORDER(x->map, y->map) : V9_ORDER(x->time, y->time);
}

/* Sets .bound to the addresses at which a mapping begins or ends, each once. */
static void find_bounds(struct v9_layers *l, const struct v9_map *maps, size_t n)
{
	size_t nr = 0;

	l->bound = v9_alloc(2 * n * sizeof(*l->bound));
	for (size_t i = 0; i < n; i++) {
		l->bound[2 * i] = maps[i].start;
		l->bound[2 * i + 1] = maps[i].end;
	}
	qsort(l->bound, 2 * n, sizeof(*l->bound), bound_order);
	for (size_t i = 0; i < 2 * n; i++)
		if (!i || l->bound[i] != l->bound[i - 1])
			l->bound[nr++] = l->bound[i];
	l->nr = nr - 1;
}

/* Returns the index of the interval between two bounds that begins at @addr. */
static size_t interval_of(const struct v9_layers *l, uint64_t addr)
{
	return v9_first_entries(i, l->nr + 1, l->bound[i] < addr);
}

/*
 * Visits the nodes that together cover the mapping. Node i has the children 2 * i and 2 * i + 1; the last
 * .nr nodes are the intervals. @next: place of the next entry of each node; NULL: only count, in .first.
 */
static void cover(struct v9_layers *l, const struct v9_map *m, uint32_t map, size_t *next)
{
	size_t lo = interval_of(l, m->start) + l->nr, hi = interval_of(l, m->end) + l->nr;

	for (; lo < hi; lo >>= 1, hi >>= 1) {
		const size_t both[2] = { lo, hi - 1 };

		for (unsigned int side = 0; side < 2; side++) {
			const size_t node = both[side];

			if (!((side ? hi : lo) & 1))
				continue;
			if (next)
				l->entry[next[node]++] = map;
			else
				l->first[node + 1]++;
		}
		lo += lo & 1;
	}
}

void v9_layers_build(struct v9_layers *l, const struct v9_map *maps, size_t n)
{
	struct row *row = v9_alloc(n * sizeof(*row));
	size_t *next;

	find_bounds(l, maps, n);
	l->first = v9_alloc((2 * l->nr + 1) * sizeof(*l->first));
	for (size_t i = 0; i < n; i++) {
		row[i] = (struct row){ maps[i].time, (uint32_t)i };
		cover(l, &maps[i], 0, NULL);
	}
	for (size_t i = 0; i < 2 * l->nr; i++)
		l->first[i + 1] += l->first[i];
	qsort(row, n, sizeof(*row), row_order);
	l->entry = v9_alloc((l->first[2 * l->nr] + 1) * sizeof(*l->entry));
	next = v9_alloc((2 * l->nr + 1) * sizeof(*next));
	for (size_t i = 0; i < 2 * l->nr; i++)
		next[i] = l->first[i];
	for (size_t i = 0; i < n; i++)
		cover(l, &maps[row[i].map], row[i].map, next);
	free(next);
	free(row);
}

/* Is @m, which began at @time or before, or else is older than @best, a better answer? */
static bool is_better(const struct v9_map *m, const struct v9_map *best, uint64_t time)
{
	if (!best)
		return true;
	if (m->time <= time)
		return best->time > time || m->time > best->time || (m->time == best->time && m > best);
	return best->time > time && (m->time < best->time || (m->time == best->time && m > best));
}

/* The entry of a node that fits best: the last one up to @time, else the first one, or the last of its time */
static const struct v9_map *best_of(const struct v9_layers *l, const struct v9_map *maps, size_t node,
				    uint64_t time)
{
	const uint32_t *entry = l->entry + l->first[node];
	const size_t nr = l->first[node + 1] - l->first[node];
	size_t n;

	if (!nr)
		return NULL;
	n = v9_first_entries(i, nr, maps[entry[i]].time <= time);
	if (!n)
		n = v9_first_entries(i, nr, maps[entry[i]].time <= maps[entry[0]].time);
	return &maps[entry[n - 1]];
}

const struct v9_map *v9_layers_find(const struct v9_layers *l, const struct v9_map *maps, uint64_t addr,
				    uint64_t time)
{
	const size_t n = v9_first_entries(i, l->nr + 1, l->bound[i] <= addr);
	const struct v9_map *best = NULL, *m;

	if (!n || n > l->nr)
		return NULL;
	for (size_t node = n - 1 + l->nr; node; node >>= 1) {
		m = best_of(l, maps, node, time);
		if (m && is_better(m, best, time))
			best = m;
	}
	return best;
}

void v9_layers_free(struct v9_layers *l)
{
	free(l->bound);
	free(l->first);
	free(l->entry);
}
