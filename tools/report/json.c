// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "json.h"

#include <inttypes.h>

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

void v9_json_string(FILE *f, const char *s)
{
	fputc('"', f);
	while (*s) {
		const unsigned int n = v9_utf8(s);

		if (!n)
			fputc('?', f);
		else if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			fprintf(f, "\\u%04x", *s);
		else
			fwrite(s, 1, n, f);
		s += n ? n : 1;
	}
	fputc('"', f);
}

static void member(struct v9_json *j, const char *key)
{
	fprintf(j->f, "%s\"%s\":", j->more ? "," : "", key);
	j->more = true;
}

void v9_json_begin(struct v9_json *j)
{
	fputc('{', j->f);
	j->more = false;
}

void v9_json_end(struct v9_json *j)
{
	fputs("}\n", j->f);
}

void v9_json_text(struct v9_json *j, const char *key, const char *s)
{
	member(j, key);
	v9_json_string(j->f, s);
}

void v9_json_number(struct v9_json *j, const char *key, uint64_t n)
{
	member(j, key);
	fprintf(j->f, "%" PRIu64, n);
}

void v9_json_signed(struct v9_json *j, const char *key, int64_t n)
{
	member(j, key);
	fprintf(j->f, "%" PRId64, n);
}

void v9_json_flag(struct v9_json *j, const char *key, bool set)
{
	member(j, key);
	fputs(set ? "true" : "false", j->f);
}

void v9_json_object(struct v9_json *j, const char *key)
{
	member(j, key);
	v9_json_begin(j);
}

void v9_json_object_end(struct v9_json *j)
{
	fputc('}', j->f);
	j->more = true;
}

void v9_json_hex(struct v9_json *j, const char *key, uint64_t n)
{
	member(j, key);
	fprintf(j->f, "\"0x%" PRIx64 "\"", n);
}

void v9_json_open(struct v9_json *j, const char *key)
{
	member(j, key);
	fputc('[', j->f);
	j->more = false;
}

void v9_json_item(struct v9_json *j, const char *s)
{
	if (j->more)
		fputc(',', j->f);
	v9_json_string(j->f, s);
	j->more = true;
}

void v9_json_element(struct v9_json *j)
{
	if (j->more)
		fputc(',', j->f);
	v9_json_begin(j);
}

void v9_json_close(struct v9_json *j)
{
	fputc(']', j->f);
	j->more = true;
}

void v9_text_clean(FILE *f, const char *s, int width)
{
	for (; *s; s++, width--)
		fputc((unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s, f);
	while (width-- > 0)
		fputc(' ', f);
}
