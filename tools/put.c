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

/* Puts @n digits after as many of @fill as make them @width characters. Up to seven bytes more are written. */
static void put_filled(struct v9_put *p, const char *digits, size_t n, unsigned int width, char fill)
{
	const size_t more = n < width ? width - n : 0;
	const uint64_t word = UINT64_C(0x0101010101010101) * (unsigned char)fill;
	char *at = v9_put_room(p, more + n);

	for (size_t i = 0; i < more; i += sizeof(word))
		memcpy(at + i, &word, sizeof(word));
	memcpy(at + more, digits, V9_DIGITS_MOST);
	p->n += more + n;
}

void v9_put_number_wide(struct v9_put *p, uint64_t n, unsigned int width, char fill)
{
	char digits[V9_DIGITS_MOST];
	const size_t size = v9_decimal(digits, n);

	put_filled(p, digits, size, width, fill);
}

void v9_put_hex_wide(struct v9_put *p, uint64_t n, unsigned int width, char fill)
{
	char digits[V9_DIGITS_MOST];
	const size_t size = v9_hex(digits, n);

	put_filled(p, digits, size, width, fill);
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
