// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "strtab.h"

static size_t hash(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	while (n--)
		h = (h ^ (uint8_t)*s++) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

static struct v9_strtab_slot *find(struct v9_strtab *p, const char *s, size_t n)
{
	size_t i = hash(s, n);

	for (;; i++) {
		struct v9_strtab_slot *slot = &p->slot[i & (p->room - 1)];

		if (!slot->text || (!strncmp(slot->text, s, n) && !slot->text[n]))
			return slot;
	}
}

static void grow(struct v9_strtab *p)
{
	const struct v9_strtab old = *p;

	p->room = old.room ? old.room * 2 : 256;
	p->slot = v9_alloc(p->room * sizeof(*p->slot));
	for (size_t i = 0; i < old.room; i++)
		if (old.slot[i].text)
			*find(p, old.slot[i].text, strlen(old.slot[i].text)) = old.slot[i];
	free(old.slot);
}

static struct v9_strtab_slot *put(struct v9_strtab *p, const char *s, size_t n)
{
	struct v9_strtab_slot *slot;

	if (p->used * 2 >= p->room)
		grow(p);
	slot = find(p, s, n);
	if (!slot->text) {
		slot->text = v9_alloc(n + 1);
		memcpy(slot->text, s, n);
		p->used++;
	}
	return slot;
}

const char *v9_strtab_put(struct v9_strtab *p, const char *s, size_t n)
{
	return put(p, s, strnlen(s, n))->text;
}

size_t *v9_strtab_value(struct v9_strtab *p, const char *s)
{
	return &put(p, s, strlen(s))->value;
}

void v9_strtab_free(struct v9_strtab *p)
{
	for (size_t i = 0; i < p->room; i++)
		free(p->slot[i].text);
	free(p->slot);
	*p = (struct v9_strtab){ 0 };
}

void *v9_vec_grow(void *vec, size_t used, size_t size)
{
	if (!(used & (used - 1)))	/* capacities are 1, 2, 4, 8 ... */
		vec = v9_realloc(vec, (used ? used * 2 : 1) * size);
	memset((char *)vec + used * size, 0, size);
	return vec;
}
