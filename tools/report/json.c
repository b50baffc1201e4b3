// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "json.h"

unsigned int v9_utf8(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;
	const unsigned int n = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 :
			       *p >= 0xe0 && *p < 0xf0 ? 3 : *p >= 0xf0 && *p < 0xf5 ? 4 : 0;

	for (unsigned int i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* An overlong encoding, a surrogate, or beyond U+10FFFF */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))
		return 0;
	return n;
}

void v9_json_string(struct v9_put *p, const char *s)
{
	const char *end = s + strlen(s);

	v9_put_char(p, '"');
	for (;;) {
		size_t n = v9_plain_bytes(s, (size_t)(end - s));

		v9_put_bytes(p, s, n);
		s += n;
		if (!*s)
			break;
		n = v9_utf8(s);
		if (!n) {
			v9_put_char(p, '?');
		} else if (*s == '"' || *s == '\\') {
			v9_put_char(p, '\\');
			v9_put_char(p, *s);
		} else if ((unsigned char)*s < ' ') {
			v9_put_bytes(p, "\\u", 2);
			v9_put_hex0(p, (unsigned char)*s, 4);
		} else {
			v9_put_bytes(p, s, n);
		}
		s += n ? n : 1;
	}
	v9_put_char(p, '"');
}

void v9_json_print(FILE *f, const char *s)
{
	struct v9_put p;

	v9_put_begin(&p, f);
	v9_json_string(&p, s);
	v9_put_flush(&p);
}

void v9_json_begin(struct v9_json *j)
{
	v9_put_char(j->put, '{');
	j->more = false;
}

void v9_json_end(struct v9_json *j)
{
	v9_put_char(j->put, '}');
	v9_put_end(j->put);
}

void v9_json_signed(struct v9_json *j, const char *key, int64_t n)
{
	v9_json_key(j, key);
	if (n < 0)
		v9_put_char(j->put, '-');
	v9_put_number(j->put, n < 0 ? -(uint64_t)n : (uint64_t)n, 0);
}

void v9_json_flag(struct v9_json *j, const char *key, bool set)
{
	v9_json_key(j, key);
	v9_put_str(j->put, set ? "true" : "false");
}

void v9_json_object(struct v9_json *j, const char *key)
{
	v9_json_key(j, key);
	v9_json_begin(j);
}

void v9_json_object_end(struct v9_json *j)
{
	v9_put_char(j->put, '}');
	j->more = true;
}

void v9_json_open(struct v9_json *j, const char *key)
{
	v9_json_key(j, key);
	v9_put_char(j->put, '[');
	j->more = false;
}

void v9_json_item(struct v9_json *j, const char *s)
{
	if (j->more)
		v9_put_char(j->put, ',');
	v9_json_string(j->put, s);
	j->more = true;
}

void v9_json_element(struct v9_json *j)
{
	if (j->more)
		v9_put_char(j->put, ',');
	v9_json_begin(j);
}

void v9_json_close(struct v9_json *j)
{
	v9_put_char(j->put, ']');
	j->more = true;
}

void v9_text_clean(struct v9_put *p, const char *s, int width)
{
	const char *begin = s, *end = s + strlen(s);
	uint64_t x;

	for (;;) {
		const char *run = s;

		for (; (size_t)(end - s) >= sizeof(x); s += sizeof(x)) {
			memcpy(&x, s, sizeof(x));
			if (v9_some_below(x, ' ') || v9_some_equal(x, 0x7f))
				break;
		}
		while ((unsigned char)*s >= ' ' && *s != 0x7f)
			s++;
		v9_put_bytes(p, run, (size_t)(s - run));
		if (!*s)
			break;
		v9_put_char(p, '?');
		s++;
	}
	if (s - begin < width)
		v9_put_right(p, "", (unsigned int)(width - (s - begin)));
}
