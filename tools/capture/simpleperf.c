// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simpleperf.h"

#include <stdbool.h>
#include <string.h>

#include <v9trace/base.h>

struct bytes {
	const uint8_t *p, *end;
	bool bad;
};

static uint64_t number(struct bytes *b, unsigned int n)
{
	uint64_t v;

	if (b->bad || (size_t)(b->end - b->p) < n) {
		b->bad = true;
		return 0;
	}
	v = v9_load_le(b->p, n);
	b->p += n;
	return v;
}

static const char *text(struct bytes *b, size_t *len)
{
	const uint8_t *at = b->p;
	const uint8_t *zero = b->bad ? NULL : memchr(at, 0, (size_t)(b->end - at));

	if (!zero) {
		b->bad = true;
		*len = 0;
		return "";
	}
	b->p = zero + 1;
	*len = (size_t)(zero - at);
	return (const char *)at;
}

/*
 * Layout: u32 size of the rest; path; u32 type; u64 address; u32 number of symbols, for each u64
 * address, u32 size, name. DEX files continue with u32 count and so many u64, others with u64
 * offset or nothing.
 */
static bool one_file(struct bytes b, const struct v9_simpleperf_callbacks *t, bool check)
{
	struct v9_simpleperf_file f = { .offset = V9_SIMPLEPERF_UNKNOWN };
	struct v9_simpleperf_symbol sym;
	struct bytes rest;
	uint64_t count;
	void *file;

	f.path = text(&b, &f.path_len);
	f.type = number(&b, 4);
	f.address = number(&b, 8);
	count = number(&b, 4);
	rest = b;
	for (uint64_t i = 0; i < count && !rest.bad; i++) {
		number(&rest, 8);
		number(&rest, 4);
		text(&rest, &sym.name_len);
	}
	if (f.type != V9_SIMPLEPERF_DEX && !rest.bad && rest.p < rest.end)
		f.offset = number(&rest, 8);
	if (rest.bad || check)
		return !rest.bad;
	file = t->file(t->arg, &f);
	for (uint64_t i = 0; file && i < count; i++) {
		sym.address = number(&b, 8);
		sym.size = number(&b, 4);
		sym.name = text(&b, &sym.name_len);
		t->symbol(t->arg, file, &sym);
	}
	return true;
}

static uint64_t varint(struct bytes *b)
{
	uint64_t v = 0;

	for (unsigned int shift = 0; shift < 64; shift += 7) {
		const uint64_t byte = number(b, 1);

		v |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	b->bad = true;
	return 0;
}

/* Reads a field of a message: its number, and its value or its bytes. Returns false at the end. */
static bool field(struct bytes *b, uint64_t *which, uint64_t *value, struct bytes *in)
{
	uint64_t key;

	*in = (struct bytes){ b->p, b->p, false };
	*value = 0;
	if (b->bad || b->p == b->end)
		return false;
	key = varint(b);
	*which = key >> 3;
	switch (key & 7) {
	case 0:
		*value = varint(b);
		break;
	case 1:
		*value = number(b, 8);
		break;
	case 2:
		*value = varint(b);
		if (b->bad || *value > (uint64_t)(b->end - b->p)) {
			b->bad = true;
			break;
		}
		*in = (struct bytes){ b->p, b->p + *value, false };
		b->p += *value;
		break;
	case 5:
		*value = number(b, 4);
		break;
	default:
		b->bad = true;
	}
	return !b->bad;
}

enum { FILE_PATH = 1, FILE_TYPE, FILE_ADDRESS, FILE_SYMBOL, FILE_DEX, FILE_ELF, FILE_MODULE };
enum { SYMBOL_ADDRESS = 1, SYMBOL_SIZE, SYMBOL_NAME };
enum { ELF_OFFSET = 1 };

static bool one_symbol(struct bytes b, struct v9_simpleperf_symbol *sym)
{
	uint64_t which = 0, value;
	struct bytes in;

	*sym = (struct v9_simpleperf_symbol){ .name = "" };
	while (field(&b, &which, &value, &in))
		switch (which) {
		case SYMBOL_ADDRESS:
			sym->address = value;
			break;
		case SYMBOL_SIZE:
			sym->size = value;
			break;
		case SYMBOL_NAME:
			sym->name = (const char *)in.p;
			sym->name_len = (size_t)(in.end - in.p);
			break;
		}
	return !b.bad;
}

/* Fields are in any order; fields with value 0 are absent. */
static bool one_message(struct bytes b, const struct v9_simpleperf_callbacks *t, bool check)
{
	struct v9_simpleperf_file f = { .path = "", .offset = V9_SIMPLEPERF_UNKNOWN };
	struct bytes again = b, in, inner;
	struct v9_simpleperf_symbol sym;
	uint64_t which = 0, value, unused;
	void *file;

	while (field(&b, &which, &value, &in))
		switch (which) {
		case FILE_PATH:
			f.path = (const char *)in.p;
			f.path_len = (size_t)(in.end - in.p);
			break;
		case FILE_TYPE:
			f.type = value;
			break;
		case FILE_ADDRESS:
			f.address = value;
			break;
		case FILE_SYMBOL:
			b.bad |= !one_symbol(in, &sym);
			break;
		case FILE_ELF:
		case FILE_MODULE:
			f.offset = 0;
			while (field(&in, &unused, &value, &inner))
				if (unused == ELF_OFFSET)
					f.offset = value;
			b.bad |= in.bad;
			break;
		}
	if (b.bad || check)
		return !b.bad;
	file = t->file(t->arg, &f);
	while (file && field(&again, &which, &value, &in))
		if (which == FILE_SYMBOL && one_symbol(in, &sym))
			t->symbol(t->arg, file, &sym);
	return true;
}

static size_t read_section(const uint8_t *section, size_t n, const struct v9_simpleperf_callbacks *t,
			   bool (*one)(struct bytes b, const struct v9_simpleperf_callbacks *t,
				       bool check))
{
	size_t at = 0;

	while (n - at >= 4) {
		const uint64_t size = v9_load_le32(section + at);
		struct bytes b;

		if (size > n - at - 4)
			break;
		b = (struct bytes){ section + at + 4, section + at + 4 + size, false };
		/* Check the object completely before any symbol is passed on. */
		if (one(b, t, true))
			one(b, t, false);
		at += 4 + size;
	}
	return at;
}

size_t v9_simpleperf_read(const uint8_t *section, size_t n, const struct v9_simpleperf_callbacks *t)
{
	return read_section(section, n, t, one_file);
}

size_t v9_simpleperf_read_proto(const uint8_t *section, size_t n, const struct v9_simpleperf_callbacks *t)
{
	return read_section(section, n, t, one_message);
}
