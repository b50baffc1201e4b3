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

/* Without a width, digits are written where they stay. */
static void put_plain(struct v9_put *p, size_t (*digits_of)(char *, uint64_t), uint64_t n)
{
	char *at = v9_put_room(p, V9_DIGITS_MOST);

	p->n += digits_of(at, n);
}

/* Adds @n digits, filled to @width on their left. */
static void put_digits(struct v9_put *p, const char *digits, size_t n, unsigned int width, char fill)
{
	const size_t more = n < width ? width - n : 0;
	char *at = v9_put_room(p, more + n);

	memset(at, fill, more);
	memcpy(at + more, digits, n);
	p->n += more + n;
}

void v9_put_number(struct v9_put *p, uint64_t n, unsigned int width)
{
	char digits[V9_DIGITS_MOST];

	if (width)
		put_digits(p, digits, v9_decimal(digits, n), width, ' ');
	else
		put_plain(p, v9_decimal, n);
}

void v9_put_number0(struct v9_put *p, uint64_t n, unsigned int width)
{
	char digits[V9_DIGITS_MOST];

	put_digits(p, digits, v9_decimal(digits, n), width, '0');
}

void v9_put_hex(struct v9_put *p, uint64_t n, unsigned int width)
{
	char digits[V9_DIGITS_MOST];

	if (width)
		put_digits(p, digits, v9_hex(digits, n), width, ' ');
	else
		put_plain(p, v9_hex, n);
}

void v9_put_hex0(struct v9_put *p, uint64_t n, unsigned int width)
{
	char digits[V9_DIGITS_MOST];

	put_digits(p, digits, v9_hex(digits, n), width, '0');
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
