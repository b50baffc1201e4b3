/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Strings stored once: equal text has one address, so comparing is comparing pointers. */
#ifndef V9TRACE_CAPTURE_STRTAB_H
#define V9TRACE_CAPTURE_STRTAB_H

#include <stddef.h>

struct v9_strtab {
	struct v9_strtab_slot {
		char *text;
		size_t value;
	} *slot;
	size_t used, room;	/* room: a power of two */
};

/* The one copy of the text; it lives as long as the pool. @n bytes, up to a zero. */
const char *v9_strtab_put(struct v9_strtab *p, const char *s, size_t n);

/* The number that belongs to the text, 0 at first; the address is good until the next put. */
size_t *v9_strtab_value(struct v9_strtab *p, const char *s);
void v9_strtab_free(struct v9_strtab *p);

/* Room for one more in an array that doubles; the new element is zero. */
void *v9_vec_grow(void *vec, size_t used, size_t size);
#define v9_vec_add(vec, used) \
	((vec) = v9_vec_grow(vec, used, sizeof(*(vec))), &(vec)[(used)++])

#endif
