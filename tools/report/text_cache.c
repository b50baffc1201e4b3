// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "text_cache.h"

#include <stdlib.h>

#include "../util.h"

void v9_text_cache_init(struct v9_text_cache *c, unsigned int order)
{
	c->kept = v9_alloc(((size_t)1 << order) * sizeof(*c->kept));
	c->shift = 64 - order;
}

void v9_text_cache_free(struct v9_text_cache *c)
{
	for (size_t i = 0; c->kept && i >> (64 - c->shift) == 0; i++)
		free(c->kept[i].text);
	free(c->kept);
	c->kept = NULL;
}

struct v9_text_begin v9_text_begin(struct v9_put *p)
{
	/* A shorter text is not divided by a flush. */
	v9_put_room(p, V9_TEXT_MOST);
	return (struct v9_text_begin){ p->n, p->flushes };
}

void v9_text_keep(struct v9_text_cache *c, const struct v9_text_key *k, const struct v9_put *p,
		  struct v9_text_begin begin)
{
	struct v9_kept_text *t = v9_text_entry(c, k);
	const size_t n = p->n - begin.at;

	if (p->flushes != begin.flushes || n > V9_TEXT_MOST)
		return;
	if (n >= t->room) {
		t->room = (uint32_t)((n / V9_PUT_WORD + 1) * V9_PUT_WORD);
		t->text = v9_realloc(t->text, t->room);
	}
	memcpy(t->text, p->data + begin.at, n);
	t->key = *k;
	t->n = (uint32_t)n;
}
