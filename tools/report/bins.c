// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bins.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../capture/strtab.h"
#include "../util.h"

#define ROOM_AT_FIRST	1024
#define MANY		8192	/* bins: from here on, use huge pages for the first chunk, too */

static void *aligned(size_t size)
{
	void *p = aligned_alloc(V9_LARGE_PAGE, (size + V9_LARGE_PAGE - 1) & -(size_t)V9_LARGE_PAGE);

	if (!p)
		v9_out_of_memory();
	return p;
}

void *v9_big_alloc(size_t size)
{
	void *p = aligned(size);

	/* An optimization. It fails on kernels without transparent huge pages. */
	madvise(p, size, MADV_HUGEPAGE);
	return p;
}

/* Huge pages would waste memory with few bins: the first chunk has none until there are MANY. */
static void more_chunks(struct v9_bins *b)
{
	const size_t size = V9_BINS_CHUNK * b->size;
	unsigned char *chunk;

	if (b->used == MANY)
		madvise(b->chunk[0], size, MADV_HUGEPAGE);
	if (b->used < b->nr_chunks * V9_BINS_CHUNK)
		return;
	chunk = b->nr_chunks ? v9_big_alloc(size) : aligned(size);
	*v9_vec_add(b->chunk, b->nr_chunks) = chunk;
}

static struct v9_bins_slot *new_slots(size_t room)
{
	const size_t size = room * sizeof(struct v9_bins_slot);
	struct v9_bins_slot *slot;

	if (size < V9_LARGE_PAGE)
		return v9_alloc(size);
	slot = v9_big_alloc(size);
	memset(slot, 0, size);
	return slot;
}

void v9_bins_init(struct v9_bins *b, size_t size)
{
	*b = (struct v9_bins){ .size = size, .room = ROOM_AT_FIRST };
	b->slot = v9_alloc(b->room * sizeof(*b->slot));
}

void v9_bins_free(struct v9_bins *b)
{
	for (size_t i = 0; i < b->nr_chunks; i++)
		free(b->chunk[i]);
	free(b->chunk);
	free(b->slot);
	memset(b, 0, sizeof(*b));
}

void v9_bins_clear(struct v9_bins *b)
{
	memset(b->slot, 0, b->room * sizeof(*b->slot));
	b->used = 0;
}

static void enter(struct v9_bins *b, struct v9_bins_slot slot)
{
	size_t i = slot.tag;

	while (b->slot[i & (b->room - 1)].at)
		i++;
	b->slot[i & (b->room - 1)] = slot;
}

static void grow(struct v9_bins *b)
{
	struct v9_bins_slot *old = b->slot;
	const size_t room = b->room;

	b->room *= 2;
	b->slot = new_slots(b->room);
	for (size_t i = 0; i < room; i++)
		if (old[i].at)
			enter(b, old[i]);
	free(old);
}

void *v9_bins_add(struct v9_bins *b, const uint64_t *key, unsigned int words)
{
	uint64_t *bin;

	if (b->used == UINT32_MAX - 1)
		v9_out_of_memory();
	more_chunks(b);
	if ((b->used + 1) * 2 > b->room)
		grow(b);
	bin = v9_bins_get(b, b->used++);
	memset(bin, 0, b->size);
	memcpy(bin, key, words * sizeof(*key));
	enter(b, (struct v9_bins_slot){ .tag = v9_bins_tag(key, words), .at = (uint32_t)b->used });
	return bin;
}

void *v9_bins_find(const struct v9_bins *b, const uint64_t *key, unsigned int words)
{
	const uint32_t tag = v9_bins_tag(key, words);

	for (size_t i = tag; b->slot[i & (b->room - 1)].at; i++) {
		const struct v9_bins_slot *s = &b->slot[i & (b->room - 1)];

		if (s->tag == tag && v9_bins_is(v9_bins_get(b, s->at - 1), key, words))
			return v9_bins_get(b, s->at - 1);
	}
	return NULL;
}

size_t v9_bins_keep(struct v9_bins *b, unsigned int words, bool (*keep)(void *bin, void *arg), void *arg)
{
	const size_t before = b->used;
	size_t n = 0;

	memset(b->slot, 0, b->room * sizeof(*b->slot));
	for (size_t i = 0; i < before; i++) {
		uint64_t *bin = v9_bins_get(b, i), *to = v9_bins_get(b, n);

		if (!keep(bin, arg))
			continue;
		if (to != bin)
			memcpy(to, bin, b->size);
		enter(b, (struct v9_bins_slot){ .tag = v9_bins_tag(to, words), .at = (uint32_t)++n });
	}
	b->used = n;
	return before - n;
}

struct top {
	int (*order)(const void *a, const void *b, const void *arg);
	const void *arg;
	struct best { void *bin; size_t seq; } *heap;	/* the root is the last in order */
	size_t n;
};

static bool later(const struct top *t, const struct best *a, const struct best *b)
{
	const int r = t->order(a->bin, b->bin, t->arg);

	return r ? r > 0 : a->seq > b->seq;
}

static void sink(struct top *t, size_t i)
{
	for (;;) {
		size_t last = i;

		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < t->n; k++)
			if (later(t, &t->heap[k], &t->heap[last]))
				last = k;
		if (last == i)
			return;
		struct best b = t->heap[i];

		t->heap[i] = t->heap[last];
		t->heap[last] = b;
		i = last;
	}
}

static void rise(struct top *t, size_t i)
{
	while (i && later(t, &t->heap[i], &t->heap[(i - 1) / 2])) {
		struct best b = t->heap[i];

		t->heap[i] = t->heap[(i - 1) / 2];
		t->heap[(i - 1) / 2] = b;
		i = (i - 1) / 2;
	}
}

void **v9_bins_top(const struct v9_bins *b, size_t limit, bool (*wanted)(const void *bin),
		   int (*order)(const void *a, const void *b, const void *arg), const void *arg,
		   size_t *n)
{
	const size_t room = limit && limit < b->used ? limit : b->used;
	struct top t = { .order = order, .arg = arg,
			 .heap = v9_alloc((room + 1) * sizeof(*t.heap)) };
	void **list = v9_alloc((room + 1) * sizeof(*list));

	for (size_t i = 0; i < b->used; i++) {
		const struct best new = { v9_bins_get(b, i), i };

		if (wanted && !wanted(new.bin))
			continue;
		if (t.n < room) {
			t.heap[t.n] = new;
			rise(&t, t.n++);
		} else if (later(&t, &t.heap[0], &new)) {
			t.heap[0] = new;
			sink(&t, 0);
		}
	}
	*n = t.n;
	for (size_t i = t.n; i--;) {
		list[i] = t.heap[0].bin;
		t.heap[0] = t.heap[--t.n];
		sink(&t, 0);
	}
	free(t.heap);
	return list;
}

#define DIGIT	11	/* bits */
#define DIGITS	(1u << DIGIT)	/* their values */

/* Sorts by the digit at bit @shift of the word @word. */
static void sort_digit(const uint64_t *from, uint64_t *to, size_t n, unsigned int size, unsigned int word,
		       unsigned int shift)
{
	size_t at[DIGITS] = { 0 }, before = 0;

	for (size_t i = 0; i < n; i++)
		at[from[i * size + word] >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		const size_t count = at[i];

		at[i] = before;
		before += count;
	}
	for (size_t i = 0; i < n; i++)
		memcpy(to + at[from[i * size + word] >> shift & (DIGITS - 1)]++ * size,
		       from + i * size, size * sizeof(*to));
}

/* A radix sort, last digits first. Digits that are equal in all rows are left out. */
void v9_sort_words(uint64_t *rows, size_t n, unsigned int size, unsigned int words)
{
	uint64_t *from = rows, *to = v9_alloc((n + 1) * size * sizeof(*to)), *const room = to;

	for (unsigned int word = words; word--; ) {
		uint64_t differ = 0;

		for (size_t i = 1; i < n; i++)
			differ |= from[i * size + word] ^ from[word];
		for (unsigned int shift = 0; shift < 64; shift += DIGIT) {
			uint64_t *const sorted = to;

			if (!(differ >> shift & (DIGITS - 1)))
				continue;
			sort_digit(from, to, n, size, word, shift);
			to = from;
			from = sorted;
		}
	}
	if (from != rows)
		memcpy(rows, from, n * size * sizeof(*rows));
	free(room);
}

void **v9_bins_sorted(const struct v9_bins *b, unsigned int words)
{
	const unsigned int size = words + 1;
	uint64_t *rows = v9_alloc((b->used + 1) * size * sizeof(*rows));
	void **list = v9_alloc((b->used + 1) * sizeof(*list));

	for (size_t i = 0; i < b->used; i++) {
		void *bin = v9_bins_get(b, i);

		memcpy(rows + i * size, bin, words * sizeof(*rows));
		rows[i * size + words] = (uint64_t)(uintptr_t)bin;
	}
	v9_sort_words(rows, b->used, size, words);
	for (size_t i = 0; i < b->used; i++)
		list[i] = (void *)(uintptr_t)rows[i * size + words];
	free(rows);
	return list;
}
