// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "hist.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define BITS	5		/* of a value that are kept, below its highest one */

static size_t bucket_of(uint64_t v)
{
	const unsigned int top = v ? 63 - (unsigned int)__builtin_clzll(v) : 0;

	if (top <= BITS)
		return v;
	return ((size_t)(top - BITS) << BITS) + (v >> (top - BITS));
}

/* The smallest value of a bucket */
static uint64_t least_of(size_t bucket)
{
	const size_t octave = bucket >> BITS;

	if (octave < 2)
		return bucket;
	return ((uint64_t)(bucket & ((1u << BITS) - 1)) | 1u << BITS) << (octave - 1);
}

void v9_hist_add(struct v9_hist *h, uint64_t value, uint64_t times)
{
	const size_t bucket = bucket_of(value);

	if (!times)
		return;
	if (bucket >= h->room) {
		const size_t room = bucket + 1 + (1u << BITS);

		h->count = v9_realloc(h->count, room * sizeof(*h->count));
		memset(h->count + h->room, 0, (room - h->room) * sizeof(*h->count));
		h->room = room;
	}
	h->least = !h->n || value < h->least ? value : h->least;
	h->most = value > h->most ? value : h->most;
	h->count[bucket] += times;
	h->n += times;
	h->sum += value * times;
}

void v9_hist_join(struct v9_hist *to, const struct v9_hist *from)
{
	const uint64_t sum = to->sum + from->sum, least = from->least, most = from->most;
	const bool first = !to->n;

	if (!from->n)
		return;
	for (size_t i = 0; i < from->room; i++)
		v9_hist_add(to, least_of(i), from->count[i]);
	to->sum = sum;
	to->least = first || least < to->least ? least : to->least;
	to->most = most > to->most ? most : to->most;
}

void v9_hist_free(struct v9_hist *h)
{
	free(h->count);
	memset(h, 0, sizeof(*h));
}

uint64_t v9_hist_percentile(const struct v9_hist *h, unsigned int percent)
{
	/* the rank to reach: n * percent / 100, rounded up */
	const uint64_t rank = h->n / 100 * percent + (h->n % 100 * percent + 99) / 100;
	uint64_t seen = 0;

	if (percent >= 100)
		return h->most;
	for (size_t i = 0; i < h->room; i++) {
		seen += h->count[i];
		if (seen && seen >= rank)
			return least_of(i) > h->least ? least_of(i) : h->least;
	}
	return 0;
}

uint64_t v9_hist_between(const struct v9_hist *h, uint64_t first, uint64_t last)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < h->room; i++)
		if (least_of(i) >= first && least_of(i) <= last)
			sum += h->count[i];
	return sum;
}
