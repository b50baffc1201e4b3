/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sums by key. A bin is a struct that begins with its key, some words; the rest is zero at first
 * and whoever asks for the bin adds to it. Bins stay where they are, and have an order: that in
 * which they came.
 */
#ifndef V9TRACE_REPORT_BINS_H
#define V9TRACE_REPORT_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define V9_BINS_CHUNK	65536

struct v9_bins {
	size_t size;			/* of a bin */
	size_t used;
	unsigned char **chunk;		/* V9_BINS_CHUNK bins each */
	size_t nr_chunks;
	struct v9_bins_slot { uint32_t tag, at; } *slot;	/* at: 1 more than the bin, 0: none */
	size_t room;			/* slots: a power of two */
};

/* Memory for many small things, in large pages where there are such; its contents are not zero. */
void *v9_big_alloc(size_t size);

void v9_bins_init(struct v9_bins *b, size_t size);
void v9_bins_free(struct v9_bins *b);

/* None is left, but room for as many. */
void v9_bins_clear(struct v9_bins *b);

static inline void *v9_bins_get(const struct v9_bins *b, size_t i)
{
	return b->chunk[i / V9_BINS_CHUNK] + i % V9_BINS_CHUNK * b->size;
}

static inline uint64_t v9_bins_hash(const uint64_t *key, unsigned int words)
{
	uint64_t h = 0;

	for (unsigned int i = 0; i < words; i++) {
		h = (h ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 32;
	}
	return h;
}

/* A new one; the key was not there. */
void *v9_bins_add(struct v9_bins *b, const uint64_t *key, unsigned int words);

/* Where it is sought first, and what is compared there: so slots can move without their bins. */
static inline uint32_t v9_bins_tag(const uint64_t *key, unsigned int words)
{
	return (uint32_t)(v9_bins_hash(key, words) >> 32);
}

static inline bool v9_bins_is(const uint64_t *bin, const uint64_t *key, unsigned int words)
{
	uint64_t other = 0;

#pragma GCC unroll 4
	for (unsigned int k = 0; k < words; k++)
		other |= bin[k] ^ key[k];
	return !other;
}

/* The bin of the key, which has the same number of words at each call; @tag is of the key. */
static inline void *v9_bins_at_tag(struct v9_bins *b, const uint64_t *key, unsigned int words,
				   uint32_t tag)
{
	for (size_t i = tag;; i++) {
		const struct v9_bins_slot *s = &b->slot[i & (b->room - 1)];
		uint64_t *bin;

		if (!s->at)
			return v9_bins_add(b, key, words);
		if (s->tag != tag)
			continue;
		bin = v9_bins_get(b, s->at - 1);
		if (v9_bins_is(bin, key, words))
			return bin;
	}
}

static inline void *v9_bins_at(struct v9_bins *b, const uint64_t *key, unsigned int words)
{
	return v9_bins_at_tag(b, key, words, v9_bins_tag(key, words));
}

/*
 * A bin will be asked for soon. Of many thousands none is in a near cache: told some dozen
 * records before, first of the slot, then of the bin, the memory works while others are added.
 * The bin is most likely the one returned (v9_bins_is()), if any.
 */
static inline void v9_bins_slot_soon(const struct v9_bins *b, uint32_t tag)
{
	__builtin_prefetch(&b->slot[tag & (b->room - 1)]);
}

static inline void *v9_bins_bin_soon(const struct v9_bins *b, uint32_t tag)
{
	const struct v9_bins_slot *s = &b->slot[tag & (b->room - 1)];
	unsigned char *bin;

	for (size_t i = tag; s->at && s->tag != tag; i++)
		s = &b->slot[i & (b->room - 1)];
	if (!s->at)
		return NULL;
	bin = v9_bins_get(b, s->at - 1);
	for (size_t at = 0; at < b->size; at += 64)
		__builtin_prefetch(bin + at, 1);
	__builtin_prefetch(bin + b->size - 1, 1);
	return bin;
}

/*
 * The @limit first (0: all) by @order, of those that pass @wanted (NULL: all), as pointers, which
 * the caller frees; how many there are in *n. @order returns < 0 if @a comes before @b; of two
 * that are equal by it, the one that came first does.
 */
void **v9_bins_top(const struct v9_bins *b, size_t limit, bool (*wanted)(const void *bin),
		   int (*order)(const void *a, const void *b, const void *arg), const void *arg,
		   size_t *n);

#endif
