/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Parts of lines that were printed before. Few values make most lines: the text of one is made once and
 * copied from then on. One thread uses a cache.
 *
 *	if (!v9_text_again(cache, key, put)) {
 *		begin = v9_text_begin(put);
 *		(print it)
 *		v9_text_keep(cache, key, put, begin);
 *	}
 */
#ifndef V9TRACE_REPORT_TEXT_CACHE_H
#define V9TRACE_REPORT_TEXT_CACHE_H

#include "../put.h"

#define V9_TEXT_WORDS	4
#define V9_TEXT_MOST	1024u	/* bytes of a text that is kept */

/* What decides about a text. Equal keys must have equal texts. */
struct v9_text_key {
	uint64_t word[V9_TEXT_WORDS];
};

struct v9_text_cache {
	struct v9_kept_text {
		struct v9_text_key key;
		uint32_t n;		/* bytes */
		uint32_t room;		/* of .text, a multiple of V9_PUT_WORD; 0: the entry is empty */
		char *text;
	} *kept;
	unsigned int shift;		/* 64 - log2 of the number of entries */
};

/* A place in the output: the begin of a text to keep */
struct v9_text_begin {
	size_t at;
	uint64_t flushes;
};

/* @order: log2 of the number of entries, 1 to 31 */
void v9_text_cache_init(struct v9_text_cache *c, unsigned int order);
void v9_text_cache_free(struct v9_text_cache *c);

/* As v9_text_find() with a key whose other words are 0, of a cache that has only such keys */
static inline const struct v9_kept_text *v9_text_find_word(const struct v9_text_cache *c, uint64_t word)
{
	const struct v9_kept_text *t = &c->kept[word * UINT64_C(0x9e3779b97f4a7c15) >> c->shift];

	return t->key.word[0] == word && t->room ? t : NULL;
}

static inline struct v9_kept_text *v9_text_entry(const struct v9_text_cache *c, const struct v9_text_key *k)
{
	const uint64_t hash = k->word[0] * UINT64_C(0x9e3779b97f4a7c15) ^
			      k->word[1] * UINT64_C(0xc2b2ae3d27d4eb4f) ^
			      k->word[2] * UINT64_C(0x165667b19e3779f9) ^
			      k->word[3] * UINT64_C(0xd6e8feb86659fd93);

	return &c->kept[hash >> c->shift];
}

/* Returns the text of the key, for v9_put_words(), valid until the next is kept; NULL if it is not kept. */
static inline const struct v9_kept_text *v9_text_find(const struct v9_text_cache *c, const struct v9_text_key *k)
{
	const struct v9_kept_text *t = v9_text_entry(c, k);

	/* One word after the other: @k was written just now, by words. */
	for (unsigned int i = 0; i < V9_TEXT_WORDS; i++)
		if (t->key.word[i] != k->word[i])
			return NULL;
	return t->room ? t : NULL;
}

/* Prints the text of the key and returns it. NULL, without effect, if it is not kept. */
static inline const struct v9_kept_text *v9_text_again(const struct v9_text_cache *c, const struct v9_text_key *k,
						       struct v9_put *p)
{
	const struct v9_kept_text *t = v9_text_find(c, k);

	if (t)
		v9_put_words(p, t->text, t->n);
	return t;
}

struct v9_text_begin v9_text_begin(struct v9_put *p);

/* Keeps what was printed since @begin, unless it is longer than V9_TEXT_MOST. */
void v9_text_keep(struct v9_text_cache *c, const struct v9_text_key *k, const struct v9_put *p,
		  struct v9_text_begin begin);

#endif
