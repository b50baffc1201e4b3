// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "put.h"

#include "util.h"

void v9_put_long(struct v9_put *p, const char *s, size_t n)
{
	v9_put_flush(p);
	if (n > V9_PUT_BYTES) {
		fwrite(s, 1, n, p->f);
		return;
	}
	memcpy(p->data, s, n);
	p->n = n;
}

/* Fills a number of @n digits to @width. Returns where the digits belong, with room for V9_DIGITS_MOST bytes. */
static char *put_fill(struct v9_put *p, size_t n, unsigned int width, char fill)
{
	const size_t more = n < width ? width - n : 0;
	const uint64_t word = UINT64_C(0x0101010101010101) * (unsigned char)fill;
	char *at = v9_put_room(p, more + n);

	/* Up to seven bytes too many: the digits replace them, or the next text. */
	for (size_t i = 0; i < more; i += sizeof(word))
		memcpy(at + i, &word, sizeof(word));
	p->n += more + n;
	return at + more;
}

void v9_put_number(struct v9_put *p, uint64_t n, unsigned int width)
{
	v9_decimal(put_fill(p, v9_decimal_size(n), width, ' '), n);
}

void v9_put_number0(struct v9_put *p, uint64_t n, unsigned int width)
{
	v9_decimal(put_fill(p, v9_decimal_size(n), width, '0'), n);
}

void v9_put_hex(struct v9_put *p, uint64_t n, unsigned int width)
{
	v9_hex(put_fill(p, v9_hex_size(n), width, ' '), n);
}

void v9_put_hex0(struct v9_put *p, uint64_t n, unsigned int width)
{
	v9_hex(put_fill(p, v9_hex_size(n), width, '0'), n);
}

void v9_put_right(struct v9_put *p, const char *s, unsigned int width)
{
	const size_t n = strlen(s);

	if (n < width) {
		memset(v9_put_room(p, width - n), ' ', width - n);
		p->n += width - n;
	}
	v9_put_bytes(p, s, n);
}
