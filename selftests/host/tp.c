// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tracepoints: fields and text of samples, by formats that are typed as tracefs prints them. Each cut of the
 * formats is damage that is said; a field that is not in the sample makes it unknown.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "tap.h"
#include "capture.h"
#include "../../tools/capture/tp.h"

#define FIELD(type, at, size, sign) "\tfield:" type ";\toffset:" #at ";\tsize:" #size ";\tsigned:" #sign ";\n"

static const char all[] =
	"name: all\nID: 300\nformat:\n" CAP_COMMON_FIELDS
	FIELD("unsigned char a", 8, 1, 0) FIELD("signed char b", 9, 1, 1) FIELD("short c", 10, 2, 1)
	FIELD("unsigned int d", 12, 4, 0) FIELD("long long e", 16, 8, 1) FIELD("void * f", 24, 8, 0)
	FIELD("char g[4]", 32, 4, 0) FIELD("u8 h[4]", 36, 4, 0) FIELD("__data_loc char[] i", 40, 4, 0)
	FIELD("__rel_loc u8[] j", 44, 4, 0) FIELD("int k", 48, 4, 1)
	"\nprint fmt: \"a=%u d=%u e=%lld f=%pS i=%s k=%d\", REC->a, REC->d, REC->e, REC->f, "
	"__get_str(i), REC->k\n";
static const char small[] = "name: small\nID: 301\nformat:\n" CAP_COMMON_FIELDS FIELD("u32 n", 8, 4, 0)
			    "\nprint fmt: \"n=%u\", REC->n\n";
static const char spare[] = "name: spare\nID: 302\nformat:\n" CAP_COMMON_FIELDS "\nprint fmt: \"nothing\"\n";

/* ID 300; a 250, b -2, c -300, d 4000000000, e -5, f in a function, g without an end, i "text", j 2 bytes, k 7 */
static const uint8_t raw[] = {
	0x2c, 1, 0, 0, 9, 0, 0, 0,
	250, 0xfe, 0xd4, 0xfe, 0x00, 0x28, 0x6b, 0xee,
	0xfb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0x08, 0x10, 0x00, 0x80, 0x00, 0x80, 0xff, 0xff,
	'g', 'h', 'i', 'j', 1, 2, 3, 4,
	52, 0, 5, 0, 9, 0, 2, 0, 7, 0, 0, 0,		/* at 52, 5 bytes; 9 behind 48, 2 bytes */
	't', 'e', 'x', 't', 0, 0xaa, 0xbb,
};

static struct cap section(void)
{
	struct cap c = { 0 };

	cap_formats(&c, 2);
	cap_put(&c, "first", 6);
	cap_u32(&c, 2);
	cap_format(&c, all);
	cap_format(&c, small);
	cap_put(&c, "second", 7);
	cap_u32(&c, 1);
	cap_format(&c, spare);
	cap_u32(&c, 4);			/* kallsyms */
	cap_put(&c, "none", 4);
	cap_u32(&c, 0);			/* printk formats */
	return c;
}

struct view {
	struct pd_file f;
	struct v9_syms syms;
	struct v9_strtab strtab;
	struct v9_tp *tp;
	char said[4096];
};

/* Keeps what is said. */
static void open_section(struct view *v, const void *p, size_t n)
{
	static const char symbols[] = "ffff800080001000 T function\nffff800080002000 T next\n";
	const int err = dup(2);
	FILE *f = tmpfile();
	size_t got;

	memset(v, 0, sizeof(*v));
	v->f.map = p;
	v->f.sections[PD_TRACING_DATA].size = n;
	v9_syms_init(&v->syms, &v->strtab, NULL);
	v9_syms_tell_kallsyms(&v->syms, symbols, sizeof(symbols) - 1);
	v9_syms_seal(&v->syms);
	fflush(stderr);
	dup2(fileno(f), 2);
	v->tp = v9_tp_open(&v->f, &v->syms);
	fflush(stderr);
	dup2(err, 2);
	close(err);
	rewind(f);
	got = fread(v->said, 1, sizeof(v->said) - 1, f);
	v->said[got] = '\0';
	fclose(f);
}

static void close_section(struct view *v)
{
	v9_tp_close(v->tp);
	v9_syms_free(&v->syms);
	v9_strtab_free(&v->strtab);
}

static char got[1024];

static void take(void *arg, const struct v9_tp_field *f)
{
	const size_t n = strlen(got);

	(void)arg;
	if (f->kind == V9_TP_TEXT) {
		snprintf(got + n, sizeof(got) - n, "%s='%s' ", f->name, f->text);
	} else if (f->kind == V9_TP_BYTES) {
		snprintf(got + n, sizeof(got) - n, "%s=%zu:%02x%02x ", f->name, f->size, f->bytes[0], f->bytes[1]);
	} else {
		snprintf(got + n, sizeof(got) - n, "%s%c%lld ", f->name, "=-@"[f->kind], (long long)f->number);
	}
}

static bool fields(struct view *v, const void *p, size_t n, const char *want)
{
	const struct pd_sample s = { .raw = p, .raw_size = (uint32_t)n };

	got[0] = '\0';
	if (v9_tp_fields(v->tp, &s, take, NULL) != !!want)
		return false;
	if (!strcmp(got, want ?: ""))
		return true;
	tap_note("%s", got);
	return false;
}

static bool text(struct view *v, const void *p, size_t n, const char *want_name, const char *want)
{
	const struct pd_sample s = { .raw = p, .raw_size = (uint32_t)n };
	const struct pd_event e = { .time = 1, .cpu = 2 };
	const char *name, *is;

	if (!v9_tp_text(v->tp, &e, &s, &name, &is))
		return !want;
	if (want && !strcmp(name, want_name) && !strcmp(is, want))
		return true;
	tap_note("%s %s", name, is);
	return false;
}

static void samples(void)
{
	static const uint8_t second[] = { 0x2d, 1, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0 }, third[] = { 0x2e, 1, 0, 0, 0, 0, 0, 0 },
			     unknown[16] = { 0x2f, 1 };
	const struct pd_sample short_one = { .raw = raw, .raw_size = 8 }, shorter = { .raw = raw, .raw_size = 7 },
			       other = { .raw = unknown, .raw_size = 16 };
	struct cap c = section();
	uint8_t *copy = malloc(sizeof(raw));	/* so that sanitizers find reads beyond it */
	struct view v;
	bool none = true;

	open_section(&v, c.b, c.n);
	tap_ok(v.tp && !v.said[0], "no_words");
	memcpy(copy, raw, sizeof(raw));
	tap_ok(fields(&v, copy, sizeof(raw), "a=250 b--2 c--300 d=4000000000 e--5 f@-140735340867576 g='ghij' "
		      "h=4:0102 i='text' j=2:aabb k-7 "), "fields");
	tap_ok(text(&v, copy, sizeof(raw), "first:all",
		    "a=250 d=4000000000 e=-5 f=function+0x8 i=text k=7"), "text");
	tap_ok(fields(&v, second, 12, "n=5 ") && text(&v, second, 12, "first:small", "n=5"), "second_format");
	tap_ok(fields(&v, third, 8, "") && text(&v, third, 8, "second:spare", "nothing"), "second_system");
	tap_ok(fields(&v, unknown, 16, NULL) && text(&v, unknown, 16, "", NULL) && !v9_tp_name(v.tp, &other), "unknown");
	tap_ok(!strcmp(v9_tp_name(v.tp, &short_one), "first:all") && !v9_tp_name(v.tp, &shorter) &&
	       !v9_tp_name(NULL, &short_one), "name_without_fields");
	for (size_t n = 0; n < sizeof(raw); n++) {
		uint8_t *part = malloc(n + 1);

		memcpy(part, raw, n);
		none &= fields(&v, part, n, NULL) && text(&v, part, n, "", NULL);
		free(part);
	}
	tap_ok(none, "each_cut_is_unknown");
	copy[42] = 6;		/* one more byte of i: it is j's first */
	tap_ok(fields(&v, copy, sizeof(raw), "a=250 b--2 c--300 d=4000000000 e--5 f@-140735340867576 g='ghij' "
		      "h=4:0102 i='text' j=2:aabb k-7 "), "end_of_text");
	copy[42] = 8;
	tap_ok(fields(&v, copy, sizeof(raw), NULL), "text_beyond_the_end");
	copy[42] = 5;
	copy[46] = 3;
	tap_ok(fields(&v, copy, sizeof(raw), NULL), "bytes_beyond_the_end");
	close_section(&v);
	free(copy);
	free(c.b);
}

/* Formats that end anywhere. What was complete before is known. */
static void cuts(void)
{
	static const char damaged[] = "the tracepoint formats in the capture are damaged";
	struct cap c = section();
	struct view v;
	bool said = true, known = true, two = false;

	for (size_t n = 1; n < c.n; n += n < 500 ? 1 : 7) {
		uint8_t *part = malloc(n);

		memcpy(part, c.b, n);
		open_section(&v, part, n);
		said &= strstr(v.said, damaged) && !strstr(v.said, "the format of");
		known &= !two || fields(&v, "\x2d\1\0\0\0\0\0\0\5\0\0\0", 12, "n=5 ");
		two |= fields(&v, "\x2d\1\0\0\0\0\0\0\5\0\0\0", 12, "n=5 ");
		close_section(&v);
		free(part);
	}
	tap_ok(said, "each_cut_is_said");
	tap_ok(known && two, "formats_before_the_cut");
	open_section(&v, c.b, 0);
	tap_ok(!v.tp && !v.said[0], "no_section");
	close_section(&v);

	c.b[0] ^= 1;
	open_section(&v, c.b, c.n);
	tap_ok(v.tp && strstr(v.said, damaged), "other_magic");
	close_section(&v);
	c.b[0] ^= 1;
	c.b[14] = 1;
	open_section(&v, c.b, c.n);
	tap_ok(v.tp && strstr(v.said, damaged), "big_endian");
	close_section(&v);
	free(c.b);
}

/* A format that cannot be parsed is named; the next one is read. */
static void bad_formats(void)
{
	static const struct { const char *text, *said; } rows[] = {
		{ "name: broken\nID: 310\nformat:\n\tfield:;\n", "the format of first:broken in the capture is damaged" },
		{ "ID: 310\n", "the format of first:an event without a name in the capture is damaged" },
		{ "", "the format of first:an event without a name in the capture is damaged" },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct cap c = { 0 };
		struct view v;

		cap_formats(&c, 1);
		cap_put(&c, "first", 6);
		cap_u32(&c, 2);
		cap_format(&c, rows[i].text);
		cap_format(&c, small);
		cap_u32(&c, 0);
		cap_u32(&c, 0);
		open_section(&v, c.b, c.n);
		tap_ok(strstr(v.said, rows[i].said) && !strstr(v.said, "formats in"), "bad_format_%zu", i);
		tap_ok(fields(&v, "\x2d\1\0\0\0\0\0\0\5\0\0\0", 12, "n=5 "), "format_behind_%zu", i);
		close_section(&v);
		free(c.b);
	}
	/* Where text is has 32 bits: 16 of its offset, 16 of its size. */
	for (unsigned int size = 4; size <= 8; size += 4) {
		static const uint8_t sample[16] = { 0x37, 1, 0, 0, 0, 0, 0, 0, 12, 0, 2, 0, 'o', 'k' };
		char text[512];
		struct cap c = { 0 };
		struct view v;

		snprintf(text, sizeof(text), "name: odd\nID: 311\nformat:\n" CAP_COMMON_FIELDS
			 "\tfield:__data_loc char[] t;\toffset:8;\tsize:%u;\tsigned:0;\n\nprint fmt: \"any\"\n", size);
		cap_formats(&c, 1);
		cap_put(&c, "first", 6);
		cap_u32(&c, 1);
		cap_format(&c, text);
		cap_u32(&c, 0);
		cap_u32(&c, 0);
		open_section(&v, c.b, c.n);
		tap_ok(fields(&v, sample, 16, size == 4 ? "t='ok' " : NULL), "where_of_%u_bytes", size);
		close_section(&v);
		free(c.b);
	}
}

int main(void)
{
	samples();
	cuts();
	bad_formats();
	return tap_done();
}
