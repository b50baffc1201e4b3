/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A writer of lines: strings and numbers go to a buffer, which goes to a stdio stream when it is full
 * or flushed. Errors stay in the stream, for ferror(). Nothing else may write to the stream in between
 * without v9_put_flush().
 */
#ifndef V9TRACE_PUT_H
#define V9TRACE_PUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util.h"

#define V9_PUT_BYTES	(1u << 16)
#define V9_PUT_WORD	32u	/* texts are copied in units of this size; there are as many bytes behind .data */

struct v9_put {
	FILE *f;
	bool eager;			/* set by the caller: each line is written at once */
	size_t n;			/* bytes in data */
	uint64_t flushes;		/* so far */
	char data[V9_PUT_BYTES + V9_PUT_WORD];
};

static inline void v9_put_flush(struct v9_put *p)
{
	if (p->n)
		fwrite(p->data, 1, p->n, p->f);
	p->n = 0;
	p->flushes++;
}

static inline void v9_put_begin(struct v9_put *p, FILE *f)
{
	p->f = f;
	p->eager = false;
	p->n = 0;
	p->flushes = 0;
}

/* Returns room for @n bytes, at most V9_PUT_BYTES. The caller adds to ->n what it has written. */
static inline char *v9_put_room(struct v9_put *p, size_t n)
{
	if (n > V9_PUT_BYTES - p->n)
		v9_put_flush(p);
	return p->data + p->n;
}

/* Ends at @end what was written to such room. */
static inline void v9_put_to(struct v9_put *p, const char *end)
{
	p->n = (size_t)(end - p->data);
}

static inline void v9_put_char(struct v9_put *p, char c)
{
	*v9_put_room(p, 1) = c;
	p->n++;
}

void v9_put_long(struct v9_put *p, const char *s, size_t n);	/* any n */

static inline void v9_put_bytes(struct v9_put *p, const char *s, size_t n)
{
	if (n > V9_PUT_BYTES - p->n) {
		v9_put_long(p, s, n);
		return;
	}
	memcpy(p->data + p->n, s, n);
	p->n += n;
}

/* Copies a short text, without a call: @s can be read, and @to written, up to a multiple of V9_PUT_WORD. */
static inline char *v9_copy_words(char *to, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i += V9_PUT_WORD)
		memcpy(to + i, s + i, V9_PUT_WORD);
	return to + n;
}

/* As v9_put_bytes(), for a text as above. @n: at most V9_PUT_BYTES */
static inline void v9_put_words(struct v9_put *p, const char *s, size_t n)
{
	v9_copy_words(v9_put_room(p, n), s, n);
	p->n += n;
}

static inline void v9_put_str(struct v9_put *p, const char *s)
{
	v9_put_bytes(p, s, strlen(s));
}

/* Like v9_put_number() and v9_put_hex(). @fill: the character that is written before the digits */
void v9_put_number_wide(struct v9_put *p, uint64_t n, unsigned int width, char fill);
void v9_put_hex_wide(struct v9_put *p, uint64_t n, unsigned int width, char fill);

/*
 * As "%*PRIu64", "%0*PRIu64", "%*PRIx64" and "%0*PRIx64" of printf; width: 0 to 64. Inline: most widths are known to
 * the compiler.
 */
static inline void v9_put_number(struct v9_put *p, uint64_t n, unsigned int width)
{
	if (width > 1)
		v9_put_number_wide(p, n, width, ' ');
	else
		p->n += v9_decimal(v9_put_room(p, V9_DIGITS_MOST), n);
}

static inline void v9_put_number0(struct v9_put *p, uint64_t n, unsigned int width)
{
	v9_put_number_wide(p, n, width, '0');
}

static inline void v9_put_hex(struct v9_put *p, uint64_t n, unsigned int width)
{
	if (width > 1)
		v9_put_hex_wide(p, n, width, ' ');
	else
		p->n += v9_hex(v9_put_room(p, V9_DIGITS_MOST), n);
}

static inline void v9_put_hex0(struct v9_put *p, uint64_t n, unsigned int width)
{
	v9_put_hex_wide(p, n, width, '0');
}

/* As "%*s"; width: 0 to 64 */
void v9_put_right(struct v9_put *p, const char *s, unsigned int width);

/* Ends a line. */
static inline void v9_put_end(struct v9_put *p)
{
	v9_put_char(p, '\n');
	if (p->eager) {
		v9_put_flush(p);
		fflush(p->f);
	}
}

#endif
