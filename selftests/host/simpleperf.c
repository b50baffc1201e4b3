// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols in captures of simpleperf: both layouts, cut at each byte and changed at random. Nothing
 * of a damaged file is used, and nothing outside the section is read.
 */
#include <stdlib.h>
#include <string.h>

#include "../../tools/capture/simpleperf.c"
#include "../../tools/capture/sym.h"
#include "tap.h"

/* u32 size; "/a", type 2, address 0x2000; one symbol at 0x2004 of 8 bytes, "f"; offset 0x1000 */
static const uint8_t old[] = {
	41, 0, 0, 0, '/', 'a', 0, 2, 0, 0, 0, 0x00, 0x20, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
	0x04, 0x20, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 'f', 0, 0x00, 0x10, 0, 0, 0, 0, 0, 0,
};
/* The same; fields 9 to 11 are unknown: a number, 8 bytes, 4 bytes. */
static const uint8_t proto[] = {
	40, 0, 0, 0, 0x0a, 2, '/', 'a', 0x10, 2, 0x18, 0x80, 0x40, 0x48, 5, 0x51, 1, 2, 3, 4, 5, 6, 7, 8, 0x5d, 1, 2, 3, 4,
	0x22, 8, 0x08, 0x84, 0x40, 0x10, 8, 0x1a, 1, 'f', 0x32, 3, 0x08, 0x80, 0x20,
};
#define PROTO_BYTES (sizeof(proto))

/* The same: the address is before the type, and the offset before the symbol, whose address is its first field, too. */
static const uint8_t order[] = {
	24, 0, 0, 0, 0x0a, 2, '/', 'a', 0x18, 0x80, 0x40, 0x32, 3, 0x08, 0x80, 0x20, 0x22, 8, 0x08, 0x84, 0x40, 0x10, 8,
	0x1a, 1, 'f', 0x10, 2,
};

static struct v9_simpleperf_file last;
static struct v9_simpleperf_symbol sym;
static int files, symbols;

static void *take_file(void *arg, const struct v9_simpleperf_file *f)
{
	last = *f;
	files++;
	return arg;
}

static void take_symbol(void *arg, void *file, const struct v9_simpleperf_symbol *s)
{
	(void)file;
	(void)arg;
	sym = *s;
	symbols++;
}

static const struct v9_simpleperf_callbacks callbacks = { take_file, take_symbol, &files };

/* Reads from a copy of exact size, so that sanitizers find reads outside */
static size_t read_copy(const uint8_t *p, size_t n, bool is_proto)
{
	uint8_t *copy = malloc(n ? n : 1);
	size_t got;

	memcpy(copy, p, n);
	files = symbols = 0;
	got = (is_proto ? v9_simpleperf_read_proto : v9_simpleperf_read)(copy, n, &callbacks);
	free(copy);
	return got;
}

static void test_whole(bool is_proto)
{
	const char *name = is_proto ? "proto" : "old";
	const uint8_t *p = is_proto ? proto : old;
	uint8_t two[2 * sizeof(old)];
	size_t n = is_proto ? PROTO_BYTES : sizeof(old), got;
	int bad = -1;

	files = symbols = 0;
	got = (is_proto ? v9_simpleperf_read_proto : v9_simpleperf_read)(p, n, &callbacks);
	tap_ok(got == n && files == 1 && symbols == 1, "%s_read", name);
	tap_ok(last.type == 2 && last.address == 0x2000 && last.offset == 0x1000 &&
	       last.path_len == 2 && !memcmp(last.path, "/a", 2), "%s_file", name);
	tap_ok(sym.address == 0x2004 && sym.size == 8 && sym.name_len == 1 && *sym.name == 'f',
	       "%s_symbol", name);
	for (size_t cut = 0; cut < n; cut++)
		if (read_copy(p, cut, is_proto) == n || files)
			bad = (int)cut;
	tap_eq(bad, -1, "%s_cut_anywhere", name);
	if (is_proto)
		tap_ok(read_copy(order, sizeof(order), true) == sizeof(order) && symbols == 1 && last.offset == 0x1000 &&
		       last.address == 0x2000 && sym.address == 0x2004, "another_order");
	memcpy(two, order, sizeof(order));
	two[0] -= 2;			/* the number of the offset's field stays, without a value behind it */
	two[12] = 1;
	memmove(two + 14, two + 16, sizeof(order) - 16);
	if (is_proto)
		tap_ok(read_copy(two, sizeof(order) - 2, true) == sizeof(order) - 2 && !files, "damaged_offset");
	/* Damage inside an object affects only that object. */
	memcpy(two, p, n);
	memcpy(two + n, p, n);
	two[is_proto ? 5 : 19] = is_proto ? 100 : 2;
	tap_ok(read_copy(two, 2 * n, is_proto) == 2 * n && files == 1 && symbols == 1,
	       "%s_one_damaged", name);
}

static void test_random(bool is_proto)
{
	const uint8_t *p = is_proto ? proto : old;
	const size_t n = is_proto ? PROTO_BYTES : sizeof(old);
	uint64_t x = 1;
	uint8_t b[64];

	for (int i = 0; i < 100000; i++) {
		memcpy(b, p, n);
		for (int k = 0; k < 3; k++) {
			x = x * UINT64_C(6364136223846793005) + 1;
			b[(x >> 33) % n] = (uint8_t)(x >> 56);
		}
		read_copy(b, n, is_proto);
	}
	tap_ok(true, "%s_random", is_proto ? "proto" : "old");
}

static uint8_t section[512];
static size_t filled;

static void put(uint64_t v, size_t n)
{
	memcpy(section + filled, &v, n);
	filled += n;
}

static void put_text(const char *s)
{
	strcpy((char *)section + filled, s);
	filled += strlen(s) + 1;
}

/* Begins with the size, which end_file() writes. */
static size_t put_file(const char *path, uint32_t type, uint64_t address, uint32_t count)
{
	const size_t at = filled;

	filled += 4;
	put_text(path);
	put(type, 4);
	put(address, 8);
	put(count, 4);
	return at;
}

static void end_file(size_t at)
{
	const uint32_t n = (uint32_t)(filled - at - 4);

	memcpy(section + at, &n, 4);
}

static void put_symbol(uint64_t address, uint32_t size, const char *name)
{
	put(address, 8);
	put(size, 4);
	put_text(name);
}

static const char *name_at(struct v9_syms *s, uint64_t addr)
{
	static char got[64];
	struct v9_place p;

	v9_syms_find(s, 10, 5, addr, &p);
	snprintf(got, sizeof(got), "%s+%llx", p.func ? p.func->name : "-", (unsigned long long)p.offset);
	return got;
}

/* Symbols of the capture name code of files that are not there; else the address in the file is known. */
static void test_places(bool mapped)
{
	static const struct { uint64_t addr; const char *want; } rows[] = {
		{ 0x11004, "first+0" }, { 0x1100b, "first+7" }, { 0x1100c, "-+200c" }, { 0x1100f, "-+200f" }, { 0x11010, "second+0" },
		{ 0x11013, "second+3" }, { 0x11020, "-+2020" }, { 0x11030, "-+2030" }, { 0x30100, "other+0" }, { 0x50010, "-+10" },
		{ UINT64_C(0xffff800080000104), "kfirst+4" }, { UINT64_C(0xffff800080000200), "ksecond+0" },
	};
	struct v9_strtab strtab = { 0 };
	struct v9_syms s;
	size_t at;

	filled = 0;
	at = put_file("/no/first", V9_SIMPLEPERF_ELF, 0x2000, 4);
	put_symbol(0x2010, 4, "second");
	put_symbol(0x2004, 8, "first");
	put_symbol(0x2020, 4, "");
	put_symbol(UINT64_MAX, 4, "wraps");
	put(0x1000, 8);
	end_file(at);
	at = put_file("/no/other", V9_SIMPLEPERF_ELF, 0x100, 1);
	put_symbol(0x100, 16, "other");
	put(0x100, 8);
	end_file(at);
	/* The kernel was linked for 0xffff800010000000; without that address its symbols have run-time addresses. */
	for (unsigned int i = 0; i < 2; i++) {
		at = put_file("[kernel.kallsyms]", V9_SIMPLEPERF_KERNEL, i ? UINT64_MAX : UINT64_C(0xffff800010000000), 1);
		put_symbol(UINT64_C(0xffff800010000000) + 0x100 * (i + 1), 0x80, i ? "ksecond" : "kfirst");
		end_file(at);
	}
	at = put_file("/no/dex", V9_SIMPLEPERF_DEX, 0, 1);
	put_symbol(0x10, 16, "dex");
	put(0, 4);			/* no offsets */
	end_file(at);
	v9_syms_init(&s, &strtab, NULL);
	v9_syms_map(&s, 0, 10, 0x10000, 0x10000, 0, V9_MAP_EXEC, "/no/first", 10, NULL, 0);
	v9_syms_map(&s, 0, 10, 0x30000, 0x10000, 0, V9_MAP_EXEC, "/no/other", 10, NULL, 0);
	v9_syms_map(&s, 0, 10, 0x50000, 0x10000, 0, V9_MAP_EXEC, "/no/dex", 8, NULL, 0);
	if (mapped)
		v9_syms_map(&s, 0, V9_KERNEL_PID, UINT64_C(0xffff800080000000), 0x100000, 0, V9_MAP_EXEC,
			    "[kernel.kallsyms]_text", 23, NULL, 0);
	v9_syms_simpleperf(&s, section, filled, false);
	v9_syms_seal(&s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		/* Where the kernel ran is not known: the addresses are those for which it was linked. */
		const uint64_t moved = !mapped && rows[i].addr >> 63 ? 0x70000000 : 0;

		if (!tap_ok(!strcmp(name_at(&s, rows[i].addr - moved), rows[i].want), "place_%zu_%d", i, mapped))
			tap_note("%s", name_at(&s, rows[i].addr - moved));
	}
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
}

int main(void)
{
	for (int is_proto = 0; is_proto < 2; is_proto++) {
		test_whole(is_proto);
		test_random(is_proto);
	}
	test_places(true);
	test_places(false);
	return tap_done();
}
