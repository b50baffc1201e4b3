/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A hash table of sums. A bin is a struct of the caller that begins with its key, an array of
 * uint64_t. The rest of a new bin is zero, and the caller adds to it. Bins do not move, except by
 * v9_bins_keep(). Their indexes are in the order in which they were added.
 */
#ifndef V9TRACE_REPORT_BINS_H
#define V9TRACE_REPORT_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* fuzz.sh uses less of both, so that tables of a few bins cost little. */
#ifndef V9_BINS_CHUNK
#define V9_BINS_CHUNK	65536
#endif
#ifndef V9_LARGE_PAGE
#define V9_LARGE_PAGE	((size_t)2 << 20)
#endif

struct v9_bins {
	size_t size;			/* of a bin, in bytes */
	size_t used;
	unsigned char **chunk;		/* V9_BINS_CHUNK bins each */
	size_t nr_chunks;
	struct v9_bins_slot { uint32_t tag, at; } *slot;	/* at: bin + 1; 0: free */
	size_t room;			/* slots: a power of two */
};

/* Memory in huge pages, if the kernel has them. It is not zeroed. Exits if there is no memory. */
void *v9_big_alloc(size_t size);

void v9_bins_init(struct v9_bins *b, size_t size);
void v9_bins_free(struct v9_bins *b);

/* Removes all bins and keeps the memory. */
void v9_bins_clear(struct v9_bins *b);

/*
 * Removes the bins for which @keep returns false; it is called once for each, in the order in which they
 * were added, and the others stay in that order, at other addresses. Returns the number of removed ones.
 */
size_t v9_bins_keep(struct v9_bins *b, unsigned int words, bool (*keep)(void *bin, void *arg), void *arg);

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

/* Adds a bin. @key must not be in the table. */
void *v9_bins_add(struct v9_bins *b, const uint64_t *key, unsigned int words);

/*
 * The tag of a key selects the slot to look at first. It is stored in the slot, so the table of
 * slots can grow without an access to the bins.
 */
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

/*
 * The bin of @key; it is added if there is none. @words must be the same at each call for a table.
 * @tag: v9_bins_tag() of the key.
 */
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

/* Returns the bin of @key, or NULL. */
void *v9_bins_find(const struct v9_bins *b, const uint64_t *key, unsigned int words);

/*
 * Prefetch for v9_bins_at_tag(). Large tables do not fit into the caches: call this for the slots
 * of a batch of keys, then v9_bins_bin_soon() for the bins, then look them up. v9_bins_bin_soon()
 * returns the first bin with that tag, or NULL; v9_bins_is() tells whether it is the bin of the
 * key.
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

/* Finds or adds the bins of @n keys of @words words each, which are in @key one after the other. */
#define V9_BINS_MANY	32	/* most keys of one call */
static inline void v9_bins_at_many(struct v9_bins *b, const uint64_t *key, unsigned int words, size_t n,
				   void **bin)
{
	uint32_t tag[V9_BINS_MANY];

	for (size_t i = 0; i < n; i++) {
		tag[i] = v9_bins_tag(key + i * words, words);
		v9_bins_slot_soon(b, tag[i]);
	}
	for (size_t i = 0; i < n; i++)
		bin[i] = v9_bins_bin_soon(b, tag[i]);
	for (size_t i = 0; i < n; i++)
		if (!bin[i] || !v9_bins_is(bin[i], key + i * words, words))
			bin[i] = v9_bins_at_tag(b, key + i * words, words, tag[i]);
}

/*
 * Returns an array of pointers to the first @limit bins (0: all) in the order of @order, and their
 * number in *n. The caller frees the array. Bins for which @wanted returns false are left out
 * (@wanted NULL: none). @order returns < 0 if @a comes before @b. Bins that are equal by @order
 * stay in the order in which they were added.
 */
void **v9_bins_top(const struct v9_bins *b, size_t limit, bool (*wanted)(const void *bin),
		   int (*order)(const void *a, const void *b, const void *arg), const void *arg,
		   size_t *n);

/*
 * Sorts @n rows of @size words by their first @words words, first words first. Equal rows keep their
 * order.
 */
void v9_sort_words(uint64_t *rows, size_t n, unsigned int size, unsigned int words);

/* Returns all bins in the order of their keys, first words first. The caller frees the array. */
void **v9_bins_sorted(const struct v9_bins *b, unsigned int words);

#endif
