/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A string table. Equal strings have the same address, so that pointers can be compared. */
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

/* Returns the copy of the string, which is valid as long as the table. @n: maximum length. */
const char *v9_strtab_put(struct v9_strtab *p, const char *s, size_t n);

/* Returns the number of the string, initially 0. The address is valid until the next put. */
size_t *v9_strtab_value(struct v9_strtab *p, const char *s);
void v9_strtab_free(struct v9_strtab *p);

/* Grows an array by one zeroed element; capacities are powers of two. */
void *v9_vec_grow(void *vec, size_t used, size_t size);
#define v9_vec_add(vec, used) \
	((vec) = v9_vec_grow(vec, used, sizeof(*(vec))), &(vec)[(used)++])

#endif
