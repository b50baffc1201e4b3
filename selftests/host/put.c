// SPDX-License-Identifier: GPL-2.0-only
/* Lines that are written by tools/put.c and tools/report/json.c, against printf(). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "../../tools/put.h"
#include "../../tools/report/json.h"

/* What was written through the writer, and what printf() wrote */
struct both {
	struct v9_put put;
	FILE *want;
	char *bytes[2];
	size_t n[2];
};

static void begin(struct both *b)
{
	v9_put_begin(&b->put, open_memstream(&b->bytes[0], &b->n[0]));
	b->want = open_memstream(&b->bytes[1], &b->n[1]);
}

/* Also frees both. */
static bool same(struct both *b)
{
	bool equal;

	v9_put_flush(&b->put);
	fclose(b->put.f);
	fclose(b->want);
	equal = b->n[0] == b->n[1] && !memcmp(b->bytes[0], b->bytes[1], b->n[0]);
	if (!equal)
		printf("# %.300s\n# not\n# %.300s\n", b->bytes[0], b->bytes[1]);
	free(b->bytes[0]);
	free(b->bytes[1]);
	return equal;
}

static void put_number(struct both *b, uint64_t n, unsigned int width)
{
	v9_put_number(&b->put, n, width);
	v9_put_char(&b->put, ' ');
	v9_put_number0(&b->put, n, width);
	v9_put_char(&b->put, ' ');
	v9_put_hex(&b->put, n, width);
	v9_put_char(&b->put, ' ');
	v9_put_hex0(&b->put, n, width);
	v9_put_end(&b->put);
	fprintf(b->want, "%*" PRIu64 " %0*" PRIu64 " %*" PRIx64 " %0*" PRIx64 "\n", (int)width, n,
		(int)width, n, (int)width, n, (int)width, n);
}

/* Each number of digits, at its ends, with each width */
static void numbers(void)
{
	struct both b;

	begin(&b);
	for (unsigned int width = 0; width <= 64; width++) {
		uint64_t power = 1;

		for (unsigned int i = 0; i < 20; i++, power *= 10) {
			put_number(&b, power - 1, width);
			put_number(&b, power, width);
		}
		for (unsigned int i = 0; i < 64; i++) {
			put_number(&b, (UINT64_C(1) << i) - 1, width);
			put_number(&b, UINT64_C(1) << i, width);
		}
		put_number(&b, UINT64_MAX, width);
	}
	tap_ok(same(&b), "numbers");
}

static void widths(void)
{
	struct both b;

	begin(&b);
	for (unsigned int width = 0; width <= 64; width++) {
		v9_put_right(&b.put, "", width);
		v9_put_right(&b.put, "-", width);
		v9_put_right(&b.put, "a longer one", width);
		v9_text_clean(&b.put, "comm", (int)width);
		v9_put_char(&b.put, '|');
		fprintf(b.want, "%*s%*s%*s%-*s|", (int)width, "", (int)width, "-", (int)width, "a longer one",
			(int)width, "comm");
	}
	tap_ok(same(&b), "widths");
}

/* Strings that fit, fit exactly, do not fit, and are longer than the buffer; numbers across its end */
static void ends_of_the_buffer(void)
{
	static const size_t sizes[] = { 1, V9_PUT_BYTES - 1, V9_PUT_BYTES, V9_PUT_BYTES + 1, 3 * V9_PUT_BYTES };
	char *text = malloc(3 * V9_PUT_BYTES + 1);
	struct both b;

	begin(&b);
	for (size_t before = 0; before < 3; before++) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			for (size_t k = 0; k < sizes[i]; k++)
				text[k] = (char)('a' + k % 26);
			text[sizes[i]] = '\0';
			v9_put_bytes(&b.put, "....", before);
			v9_put_str(&b.put, text);
			fprintf(b.want, "%.*s%s", (int)before, "....", text);
		}
	}
	for (unsigned int left = 0; left < 70; left++) {
		memset(text, '.', V9_PUT_BYTES);
		v9_put_flush(&b.put);
		v9_put_bytes(&b.put, text, V9_PUT_BYTES - left);
		fprintf(b.want, "%.*s", (int)(V9_PUT_BYTES - left), text);
		put_number(&b, 1234567, 64);
		v9_put_right(&b.put, "right", 64);
		fprintf(b.want, "%64s", "right");
	}
	tap_ok(same(&b), "ends_of_the_buffer");
	free(text);
}

/* Nothing stays behind at the end of a line that is to be seen at once. */
static void lines_at_once(void)
{
	struct v9_put p;
	char *bytes;
	size_t n;
	FILE *f = open_memstream(&bytes, &n);

	v9_put_begin(&p, f);
	v9_put_str(&p, "one");
	v9_put_end(&p);
	fflush(f);
	tap_ok(n == 0, "lines_together");
	p.eager = true;
	v9_put_str(&p, "two");
	v9_put_end(&p);
	tap_ok(n == 8 && !memcmp(bytes, "one\ntwo\n", 8), "lines_at_once");
	fclose(f);
	free(bytes);
}

/* As RFC 8259 has it: quotation mark, reverse solidus and control characters are escaped. */
static void json(void)
{
	struct both b;
	struct v9_json j = { .put = &b.put };

	begin(&b);
	v9_json_begin(&j);
	v9_json_text(&j, "text", "a\"b\\c\n\x01\x1f\x7f \xc3\xa9\xff\xe2\x82");
	v9_json_number(&j, "number", UINT64_MAX);
	v9_json_signed(&j, "least", INT64_MIN);
	v9_json_signed(&j, "minus", -1);
	v9_json_signed(&j, "plus", INT64_MAX);
	v9_json_hex(&j, "hex", UINT64_MAX);
	v9_json_flag(&j, "yes", true);
	v9_json_flag(&j, "no", false);
	v9_json_open(&j, "list");
	v9_json_item(&j, "");
	v9_json_item(&j, "x");
	v9_json_close(&j);
	v9_json_open(&j, "objects");
	v9_json_element(&j);
	v9_json_number(&j, "a", 0);
	v9_json_object_end(&j);
	v9_json_element(&j);
	v9_json_object_end(&j);
	v9_json_close(&j);
	v9_json_object(&j, "inner");
	v9_json_object_end(&j);
	v9_json_end(&j);
	fputs("{\"text\":\"a\\\"b\\\\c\\u000a\\u0001\\u001f\x7f \xc3\xa9???\",\"number\":18446744073709551615,"
	      "\"least\":-9223372036854775808,\"minus\":-1,\"plus\":9223372036854775807,"
	      "\"hex\":\"0xffffffffffffffff\",\"yes\":true,\"no\":false,\"list\":[\"\",\"x\"],"
	      "\"objects\":[{\"a\":0},{}],\"inner\":{}}\n", b.want);
	tap_ok(same(&b), "json");
}

static void clean(void)
{
	struct both b;

	begin(&b);
	v9_text_clean(&b.put, "a\x1b[0m\x7f\n\xc3\xa9", 0);
	v9_text_clean(&b.put, "longer than it", 3);
	fputs("a?[0m??\xc3\xa9longer than it", b.want);
	tap_ok(same(&b), "text_for_a_terminal");
}

int main(void)
{
	numbers();
	widths();
	ends_of_the_buffer();
	lines_at_once();
	json();
	clean();
	return tap_done();
}
