// SPDX-License-Identifier: GPL-2.0-only
/*
 * Types and fields of accesses, from debug information that is written here entry by entry: the locations, qualifiers
 * and frames that a compiler writes rarely, or not for C.
 */
#include <dwarf.h>
#include <elf.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/capture/types.h"

#define REF(x)	((uint32_t)(x))
#define EX(s)	"" s, (int)sizeof(s) - 1

static uint8_t info[16384];
static size_t n, unit;

/* Abbreviations: number, tag, children, then attributes with their forms */
static const uint8_t abbrevs[] = {
#define A(number, tag, children, ...) number, tag, children, __VA_ARGS__ __VA_OPT__(,) 0, 0
	A(1, 0x11, 1, 0x11, 0x01, 0x12, 0x06),			/* unit: low_pc, high_pc */
	A(2, 0x2e, 1, 0x11, 0x01, 0x12, 0x06, 0x40, 0x18),	/* function with a frame base */
	A(3, 0x05, 0, 0x02, 0x18, 0x49, 0x13),			/* parameter: location, type */
	A(4, 0x34, 0, 0x02, 0x18, 0x49, 0x13),			/* variable */
	A(5, 0x0f, 0, 0x49, 0x13),				/* pointer */
	A(6, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b),	/* base type: name, size, encoding */
	A(7, 0x13, 1, 0x03, 0x08, 0x0b, 0x0b),			/* struct */
	A(8, 0x17, 1, 0x03, 0x08, 0x0b, 0x0b),			/* union */
	A(9, 0x02, 1, 0x03, 0x08, 0x0b, 0x0b),			/* class */
	A(10, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x38, 0x0b),	/* member: name, type, offset */
	A(11, 0x0d, 0, 0x49, 0x13, 0x38, 0x0b),			/* member without a name */
	A(12, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x6b, 0x05),	/* member at a bit */
	A(13, 0x0d, 0, 0x03, 0x08, 0x49, 0x13, 0x3f, 0x19),	/* static member of C++ */
	A(14, 0x1c, 0, 0x49, 0x13, 0x38, 0x0b),			/* base class */
	A(15, 0x16, 0, 0x03, 0x08, 0x49, 0x13),			/* typedef */
	A(16, 0x26, 0, 0x49, 0x13),				/* const */
	A(17, 0x35, 0, 0x49, 0x13),				/* volatile */
	A(18, 0x37, 0, 0x49, 0x13),				/* restrict */
	A(19, 0x47, 0, 0x49, 0x13),				/* _Atomic */
	A(20, 0x10, 0, 0x49, 0x13),				/* reference */
	A(21, 0x42, 0, 0x49, 0x13),				/* rvalue reference */
	A(22, 0x01, 1, 0x49, 0x13),				/* array */
	A(23, 0x21, 0, 0x37, 0x0b),				/* its number of elements */
	A(24, 0x39, 1),						/* namespace */
	A(25, 0x0b, 1, 0x11, 0x01, 0x12, 0x06),			/* block */
	A(26, 0x13, 1, 0x0b, 0x0b),				/* struct without a name */
	A(27, 0x0f, 0),						/* pointer to void */
	A(28, 0x13, 0, 0x03, 0x08),				/* struct that is declared only */
	A(29, 0x2e, 1),						/* function without code */
	A(30, 0x1d, 1, 0x31, 0x13, 0x11, 0x01, 0x12, 0x06),	/* inlined function */
	A(31, 0x34, 0, 0x49, 0x13),				/* variable without a location */
	A(32, 0x34, 0, 0x31, 0x13, 0x02, 0x18),			/* variable of an inlined function */
	A(33, 0x13, 0, 0x03, 0x08, 0x0b, 0x0b),			/* struct without members */
	A(34, 0x3d, 0, 0x18, 0x10),				/* imported unit, by its offset in the section */
	A(35, 0x3c, 1),						/* partial unit */
	A(36, 0x05, 0, 0x02, 0x17, 0x49, 0x13),			/* parameter: list of locations, type */
	0,
};

/*
 * One frame for 0x1040..0x1080, the CFA: sp; from 0x1044 sp+48, 0x1060 x29+16, 0x1070 by an expression sp+64, 0x1074
 * by one of two steps
 */
static const uint8_t frames[] = {
	16, 0, 0, 0, 0, 0, 0, 0, 1, 0, 4, 0x78, 30, DW_CFA_def_cfa, 31, 0, 0, 0, 0, 0,
	44, 0, 0, 0, 24, 0, 0, 0, 0x40, 0x10, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0,
	DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 48, DW_CFA_advance_loc | 7, DW_CFA_def_cfa, 29, 16,
	DW_CFA_advance_loc | 4, DW_CFA_def_cfa_expression, 3, DW_OP_breg31, 0xc0, 0,
	DW_CFA_advance_loc | 1, DW_CFA_def_cfa_expression, 3, DW_OP_breg31, 0, DW_OP_deref, 0, 0, 0, 0, 0,
	0, 0, 0, 0,
};

/* A list of locations: in the first 256 bytes of the unit the value is not available */
static const uint8_t locations[] = {
	0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
};

/* Adds an entry, or the end of children with number 0. 1, 2, 4, 8: a number of so many bytes; s: text; x: EX() */
static uint32_t die(uint8_t number, const char *forms, ...)
{
	const size_t at = n - unit;
	va_list ap;

	info[n++] = number;
	va_start(ap, forms);
	for (; *forms; forms++) {
		if (*forms == 's') {
			n += (size_t)sprintf((char *)info + n, "%s", va_arg(ap, const char *)) + 1;
		} else if (*forms == 'x') {
			const char *bytes = va_arg(ap, const char *);
			const int size = va_arg(ap, int);

			info[n++] = (uint8_t)size;
			memcpy(info + n, bytes, (size_t)size);
			n += (size_t)size;
		} else {
			const uint64_t v = *forms == '8' ? va_arg(ap, uint64_t) : va_arg(ap, uint32_t);

			memcpy(info + n, &v, (size_t)(*forms - '0'));	/* little-endian, as the file */
			n += (size_t)(*forms - '0');
		}
	}
	va_end(ap);
	return REF(at);
}

static void end(void)
{
	info[n++] = 0;
}

static void begin(uint8_t number)
{
	unit = n;
	memset(info + n, 0, 11);
	n += 4;
	info[n] = 4;			/* version */
	info[n + 6] = 8;		/* bytes of an address */
	n += 7;
	die(number, "");
}

static void begin_unit(uint64_t pc, uint32_t size)
{
	begin(1);
	memcpy(info + n, &pc, 8);
	memcpy(info + n + 8, &size, 4);
	n += 12;
}

static void end_unit(void)
{
	uint32_t size;

	end();
	size = REF(n - unit - 4);
	memcpy(info + unit, &size, 4);
}

static uint32_t array(uint32_t of, uint32_t elements)
{
	const uint32_t at = die(22, "4", of);

	die(23, "1", elements);
	end();
	return at;
}

static uint32_t arrays(uint32_t of, unsigned int count)
{
	while (count--)
		of = array(of, 1);
	return of;
}

static uint32_t pointer(uint32_t to)
{
	return die(5, "4", to);
}

static uint32_t typedefs(uint32_t of, unsigned int count)
{
	while (count--)
		of = die(15, "s4", "alias", of);
	return of;
}

/* Names of 300 bytes */
static const char *long_name(char of)
{
	static char text[2][301];
	char *t = text[of & 1];

	memset(t, of, 300);
	return t;
}

/* The only unit of another file: it has a variable at 0x20000, too. */
static void write_other(void)
{
	uint32_t of;

	n = 0;
	begin_unit(0x1000, 0x10);
	of = die(6, "s11", "short", 2, DW_ATE_signed);
	die(4, "x4", EX("\x03\0\0\2\0\0\0\0\0"), of);
	end_unit();
}

/* A unit with a variable, which imports another one. That one has so many levels. */
static void write_importing(unsigned int levels)
{
	uint32_t of, place;
	size_t at;

	n = 0;
	begin_unit(0x1000, 0x10);
	of = die(6, "s11", "short", 2, DW_ATE_signed);
	die(4, "x4", EX("\x03\0\0\2\0\0\0\0\0"), of);
	die(34, "4", 0u);
	at = n - 4;
	end_unit();
	place = REF(n) + 11;
	memcpy(info + at, &place, 4);
	begin(35);
	for (unsigned int i = 0; i < levels; i++)
		die(24, "");
	memset(info + n, 0, levels);
	n += levels;
	end_unit();
}

static void write_info(void)
{
	uint32_t character, integer, number, pair, next, many, grid, cells, inner, vol, node, plain, noname, both,
		derived, declared, wide, within, deep, abstract, its, address;

	begin_unit(0x1000, 0x200);
	character = die(6, "s11", "char", 1, DW_ATE_signed_char);
	integer = die(6, "s11", "int", 4, DW_ATE_signed);
	number = die(6, "s11", "long", 8, DW_ATE_signed);
	pair = die(7, "s1", "pair", 8);
	die(10, "s41", "lo", integer, 0);
	die(10, "s41", "hi", integer, 4);
	end();
	next = die(27, "");
	many = array(pair, 3);
	grid = array(array(integer, 3), 2);
	cells = array(array(die(16, "4", pair), 2), 2);
	inner = die(26, "1", 4);
	die(10, "s41", "in", integer, 0);
	end();
	vol = die(18, "4", die(19, "4", die(17, "4", die(15, "s4", "pair_t", die(16, "4", pair)))));
	node = die(7, "s1", "node", 136);
	die(13, "s4", "none", number);
	die(31, "4", number);		/* no member */
	die(10, "s41", "key", number, 0);
	die(10, "s41", "pair", pair, 8);
	die(10, "s41", "next", next, 16);
	die(10, "s41", "c", character, 24);
	die(10, "s41", "many", many, 28);
	die(10, "s41", "grid", grid, 52);
	die(11, "41", inner, 76);
	die(12, "s42", "bits", integer, 8 * 80 + 7);
	die(10, "s41", "vol", vol, 88);
	die(10, "s41", "cells", cells, 96);
	end();
	plain = die(15, "s4", "outer_t", die(16, "4", die(17, "4", die(15, "s4", "plain_t", inner))));
	noname = die(16, "4", inner);
	both = die(8, "s1", "both", 8);
	die(10, "s41", "first", integer, 0);
	die(10, "s41", "second", number, 0);
	end();
	derived = die(9, "s1", "derived", 16);
	die(14, "41", pair, 0);
	die(10, "s41", "own", number, 8);
	end();
	declared = die(28, "s", "declared");
	wide = die(7, "s1", long_name('b'), 4);
	die(10, "s41", long_name('b'), integer, 0);
	end();
	within = die(7, "s1", "wide", 4);
	die(10, "s41", long_name('a'), wide, 0);
	end();
	deep = integer;
	for (int i = 0; i < 17; i++) {
		const uint32_t of = deep;

		deep = die(7, "s1", "deep", 4);
		die(10, "s41", "m", of, 0);
		end();
	}

	abstract = die(29, "");
	its = die(31, "4", pair);
	end();

	die(2, "84x", UINT64_C(0x1000), 0x40, EX("\x9c"));
	die(36, "44", 0u, pointer(node));				/* not available */
	die(3, "x4", EX("\x50"), pointer(node));			/* in x0 */
	die(3, "x4", EX("\x51"), typedefs(die(16, "4", pointer(pair)), 3));
	die(3, "x4", EX("\x52"), die(20, "4", pair));
	die(3, "x4", EX("\x53"), die(21, "4", pair));
	die(3, "x4", EX("\x54"), integer);
	die(3, "x4", EX("\x55"), next);
	die(3, "x4", EX("\x56"), pointer(number));
	die(4, "x4", EX("\x77\x08\x9f"), pointer(node));		/* x7 + 8 */
	die(4, "x4", EX("\x90\x08"), pointer(node));			/* x8 as DW_OP_regx */
	die(4, "x4", EX("\x59"), pointer(declared));
	die(4, "x4", EX("\x5a"), pointer(plain));
	die(4, "x4", EX("\x5b"), pointer(noname));
	die(4, "x4", EX("\x5c"), pointer(both));
	die(4, "x4", EX("\x5d"), pointer(derived));
	die(4, "x4", EX("\x5e"), pointer(pointer(pair)));
	die(4, "x4", EX("\x5f"), integer);				/* x15, which has three variables */
	die(4, "x4", EX("\x5f"), pointer(pair));
	die(4, "x4", EX("\x5f"), pointer(node));
	die(25, "84", UINT64_C(0x1010), 0x10);
	die(4, "x4", EX("\x60"), pointer(node));
	end();
	die(4, "x4", EX("\x62"), pointer(typedefs(pair, 15)));		/* x18 */
	die(4, "x4", EX("\x63"), pointer(typedefs(pair, 16)));
	die(4, "x4", EX("\x64"), pointer(deep));
	die(4, "x4", EX("\x65"), pointer(within));
	die(4, "x4", EX("\x76\x00"), pointer(node));			/* in memory at x6 */
	die(4, "x4", EX("\x86\x00\x96"), pointer(node));		/* x22, but another operation */
	die(4, "x4", EX("\x87\x70\x9f"), pointer(pair));		/* x23 - 16 */
	die(4, "x4", EX("\x68"), typedefs(pointer(pair), 16));		/* x24 */
	die(4, "x4", EX("\x69"), pointer(die(33, "s1", "empty", 0)));
	die(31, "4", pointer(node));
	die(4, "x4", EX("\x6b"), pointer(array(typedefs(pair, 16), 2)));	/* x27 */
	die(4, "x4", EX("\x6c"), pointer(die(33, "s1", "opaque", 8)));
	die(4, "x4", EX("\x6e"), pointer(array(node, 2)));		/* x30 */
	end();

	die(2, "84x", UINT64_C(0x1040), 0x40, EX("\x9c"));		/* frame base: the CFA */
	die(4, "x4", EX("\x91\x70"), pair);				/* -16 */
	die(3, "x4", EX("\x91\x78"), integer);				/* -8 */
	die(4, "x4", EX("\x91\x7c"), declared);				/* -4 */
	die(4, "x4", EX("\x91\x60"), next);				/* -32 */
	die(31, "4", integer);
	die(4, "x4", EX("\x91\x48"), typedefs(pair, 16));		/* -56 */
	die(25, "84", UINT64_C(0x1048), 4);
	die(4, "x4", EX("\x91\x58"), number);				/* -40 */
	end();
	die(30, "484", abstract, UINT64_C(0x104c), 4);
	die(32, "4x", its, EX("\x91\x50"));				/* -48 */
	end();
	end();
	die(2, "84x", UINT64_C(0x1080), 0x10, EX("\x6d"));		/* frame base: x29 */
	die(4, "x4", EX("\x91\x10"), pair);
	end();
	die(2, "84x", UINT64_C(0x1090), 0x10, EX("\x8d\x00\x9f"));	/* two operations */
	die(4, "x4", EX("\x91\x10"), pair);
	end();
	die(2, "84x", UINT64_C(0x10a0), 0x10, EX("\x9c"));		/* without a frame */
	die(4, "x4", EX("\x91\x10"), pair);
	end();
	die(4, "x4", EX("\x61"), pointer(node));			/* x17, beyond functions */

	/* Variables at addresses, not in their order */
	die(4, "x4", EX("\x03\0\5\2\0\0\0\0\0"), integer);		/* 0x20500 */
	die(4, "x4", EX("\x03\0\0\2\0\0\0\0\0"), array(node, 4));
	die(29, "");
	die(25, "84", UINT64_C(0x1000), 4);
	die(4, "x4", EX("\x03\0\3\2\0\0\0\0\0"), pair);			/* 0x20300, static in a block */
	end();
	end();
	die(4, "x4", EX("\x03\0\6\2\0\0\0\0\0"), declared);
	die(4, "x4", EX("\x03\0\7\2\0\0\0\0\0\x9f"), integer);		/* the address is the value */
	die(3, "x4", EX("\x03\0\7\2\0\0\0\0\0"), integer);		/* a parameter */
	die(4, "x4", EX("\x03\0\xb\2\0\0\0\0\0"), die(20, "4", plain));	/* 0x20b00, a reference */
	plain = arrays(plain, 16);
	die(4, "x4", EX("\x03\0\xc\2\0\0\0\0\0"), plain);
	die(4, "x4", EX("\x03\0\xd\2\0\0\0\0\0"), array(plain, 1));
	for (int i = 1; i <= 17; i++) {
		die(24, "");
		if (i == 16)
			die(4, "x4", EX("\x03\0\x8\2\0\0\0\0\0"), integer);
		if (i == 17)
			die(4, "x4", EX("\x03\0\x9\2\0\0\0\0\0"), integer);
	}
	n += 17;
	end_unit();

	begin_unit(0x3000, 0x10);
	address = die(6, "s11", "unsigned", 4, DW_ATE_unsigned);
	die(4, "x4", EX("\x03\0\xa\2\0\0\0\0\0"), address);		/* 0x20a00, in the second unit */
	end_unit();
}

static void write_file(const char *path)
{
	static const char names[] = "\0.debug_info\0.debug_abbrev\0.eh_frame\0.shstrtab\0.debug_loc";
	const struct { uint32_t name, type; const void *bytes; size_t size; } rows[] = {
		{ 0, SHT_NULL, NULL, 0 }, { 1, SHT_PROGBITS, info, n }, { 13, SHT_PROGBITS, abbrevs, sizeof(abbrevs) },
		{ 27, SHT_PROGBITS, frames, sizeof(frames) }, { 37, SHT_STRTAB, names, sizeof(names) },
		{ 47, SHT_PROGBITS, locations, sizeof(locations) },
	};
	const Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', 2, 1, 1 }, .e_type = ET_EXEC, .e_version = 1,
		.e_machine = EM_AARCH64, .e_shoff = sizeof(e), .e_ehsize = sizeof(e),
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 6, .e_shstrndx = 4 };
	size_t at = sizeof(e) + 6 * sizeof(Elf64_Shdr);
	FILE *f = fopen(path, "w");

	if (!f || fwrite(&e, sizeof(e), 1, f) != 1)
		abort();
	for (int i = 0; i < 6; at += rows[i++].size) {
		const Elf64_Shdr s = { .sh_name = rows[i].name, .sh_type = rows[i].type, .sh_offset = at,
				       .sh_size = rows[i].size, .sh_addralign = 1 };

		fwrite(&s, sizeof(s), 1, f);
	}
	for (int i = 1; i < 6; i++)
		fwrite(rows[i].bytes, rows[i].size, 1, f);
	if (fclose(f))
		abort();
}

/* Entries that are nested deeper than any compiler nests them are damage, also in a unit that is imported. */
static void imports(void)
{
	for (unsigned int damaged = 0; damaged < 2; damaged++) {
		char path[] = "/tmp/v9trace-types.XXXXXX";
		struct v9_strtab strtab = { 0 };
		struct v9_type_hit hit;
		struct v9_types types;
		struct v9_lines lines;
		struct v9_syms s;

		if (close(mkstemp(path)))
			abort();
		write_importing(1022 + damaged);
		write_file(path);
		v9_syms_init(&s, &strtab, NULL);
		v9_syms_seal(&s);
		v9_lines_init(&lines, &s);
		v9_types_init(&types, &lines);
		tap_eq(v9_types_global(&types, v9_syms_dso(&s, path), 0x20001, &hit), !damaged, "import_%u", damaged);
		v9_types_free(&types);
		v9_lines_free(&lines);
		v9_syms_free(&s);
		v9_strtab_free(&strtab);
		unlink(path);
	}
}

struct row {
	const char *name;
	uint64_t pc;
	unsigned int base;
	int offset;
	enum v9_type_why why;
	const char *type, *field;
	unsigned int at, size;
};

static const struct row accesses[] = {
	{ "first", 0x1000, 0, 0, V9_TYPE_FOUND, "struct node", "key", 0, 136 },
	{ "end_of_first", 0x1000, 0, 7, V9_TYPE_FOUND, "struct node", "key", 0, 136 },
	{ "in_struct", 0x1000, 0, 8, V9_TYPE_FOUND, "struct node", "pair.lo", 8, 136 },
	{ "in_struct_last", 0x1000, 0, 15, V9_TYPE_FOUND, "struct node", "pair.hi", 12, 136 },
	{ "pointer", 0x103c, 0, 16, V9_TYPE_FOUND, "struct node", "next", 16, 136 },
	{ "before_padding", 0x1000, 0, 24, V9_TYPE_FOUND, "struct node", "c", 24, 136 },
	{ "padding", 0x1000, 0, 25, V9_TYPE_FOUND, "struct node", "", 25, 136 },
	{ "array", 0x1000, 0, 28, V9_TYPE_FOUND, "struct node", "many.lo", 28, 136 },
	{ "array_second", 0x1000, 0, 41, V9_TYPE_FOUND, "struct node", "many.hi", 40, 136 },
	{ "array_last", 0x1000, 0, 51, V9_TYPE_FOUND, "struct node", "many.hi", 48, 136 },
	{ "grid", 0x1000, 0, 75, V9_TYPE_FOUND, "struct node", "grid", 52, 136 },
	{ "without_name", 0x1000, 0, 77, V9_TYPE_FOUND, "struct node", "in", 76, 136 },
	{ "bits", 0x1000, 0, 83, V9_TYPE_FOUND, "struct node", "bits", 80, 136 },
	{ "qualified", 0x1000, 0, 92, V9_TYPE_FOUND, "struct node", "vol.hi", 92, 136 },
	{ "array_of_arrays", 0x1000, 0, 124, V9_TYPE_FOUND, "struct node", "cells.hi", 124, 136 },
	{ "padding_at_the_end", 0x1000, 0, 135, V9_TYPE_FOUND, "struct node", "", 135, 136 },
	{ "outside", 0x1000, 0, 136, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
	{ "below", 0x1000, 0, -1, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
	{ "typedef_of_pointer", 0x1000, 1, 4, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "reference", 0x1000, 2, 4, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "rvalue_reference", 0x1000, 3, 0, V9_TYPE_FOUND, "struct pair", "lo", 0, 8 },
	{ "no_pointer", 0x1000, 4, 0, V9_TYPE_NO_POINTER, NULL, NULL, 0, 0 },
	{ "pointer_to_void", 0x1000, 5, 0, V9_TYPE_NO_POINTER, NULL, NULL, 0, 0 },
	{ "number", 0x1000, 6, 26, V9_TYPE_FOUND, "long", NULL, 0, 8 },
	{ "sum", 0x1000, 7, 24, V9_TYPE_FOUND, "struct node", "next", 16, 136 },
	{ "sum_first", 0x1000, 7, 8, V9_TYPE_FOUND, "struct node", "key", 0, 136 },
	{ "sum_below", 0x1000, 7, 7, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
	{ "number_of_register", 0x1000, 8, 16, V9_TYPE_FOUND, "struct node", "next", 16, 136 },
	{ "declared", 0x1000, 9, 0, V9_TYPE_NO_POINTER, NULL, NULL, 0, 0 },
	{ "innermost_typedef", 0x1000, 10, 0, V9_TYPE_FOUND, "plain_t", "in", 0, 4 },
	{ "struct_without_name", 0x1000, 11, 3, V9_TYPE_FOUND, "struct [no name]", "in", 0, 4 },
	{ "union", 0x1000, 12, 4, V9_TYPE_FOUND, "union both", "second", 0, 8 },
	{ "base_class", 0x1000, 13, 4, V9_TYPE_FOUND, "derived", "hi", 4, 16 },
	{ "class", 0x1000, 13, 8, V9_TYPE_FOUND, "derived", "own", 8, 16 },
	{ "pointer_to_pointer", 0x1000, 14, 0, V9_TYPE_FOUND, "[pointer]", NULL, 0, 8 },
	{ "third_variable", 0x1000, 15, 8, V9_TYPE_FOUND, "struct node", "pair.lo", 8, 136 },
	{ "second_variable", 0x1000, 15, 0, V9_TYPE_FOUND, "struct pair", "lo", 0, 8 },
	{ "before_block", 0x100c, 16, 0, V9_TYPE_NO_VARIABLE, NULL, NULL, 0, 0 },
	{ "in_block", 0x1010, 16, 0, V9_TYPE_FOUND, "struct node", "key", 0, 136 },
	{ "around_block", 0x101c, 1, 0, V9_TYPE_FOUND, "struct pair", "lo", 0, 8 },
	{ "beyond_function", 0x1000, 17, 0, V9_TYPE_NO_VARIABLE, NULL, NULL, 0, 0 },
	{ "no_variable", 0x1000, 26, 0, V9_TYPE_NO_VARIABLE, NULL, NULL, 0, 0 },
	{ "most_typedefs", 0x1000, 18, 0, V9_TYPE_FOUND, "struct pair", "lo", 0, 8 },
	{ "too_many_typedefs", 0x1000, 19, 0, V9_TYPE_NO_POINTER, NULL, NULL, 0, 0 },
	{ "deep", 0x1000, 20, 0, V9_TYPE_FOUND, "struct deep", "m.m.m.m.m.m.m.m.m.m.m.m.m.m.m.m", 0, 4 },
	{ "another_operation", 0x1000, 22, 0, V9_TYPE_NO_VARIABLE, NULL, NULL, 0, 0 },
	{ "sum_negative", 0x1000, 23, -12, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "pointer_of_too_many_typedefs", 0x1000, 24, 0, V9_TYPE_NO_POINTER, NULL, NULL, 0, 0 },
	{ "empty", 0x1000, 25, 0, V9_TYPE_NO_POINTER, NULL, NULL, 0, 0 },
	{ "array_of_too_many_typedefs", 0x1000, 27, 0, V9_TYPE_NO_POINTER, NULL, NULL, 0, 0 },
	{ "no_members", 0x1000, 28, 3, V9_TYPE_FOUND, "struct opaque", "", 3, 8 },
	{ "pointer_to_array", 0x1000, 30, 144, V9_TYPE_FOUND, "struct node", "pair.lo", 8, 136 },
	{ "other_code", 0x2000, 0, 0, V9_TYPE_NO_DWARF, NULL, NULL, 0, 0 },

	{ "cfa_at_first", 0x1040, 31, -16, V9_TYPE_FOUND, "struct pair", "lo", 0, 8 },
	{ "cfa", 0x1044, 31, 32, V9_TYPE_FOUND, "struct pair", "lo", 0, 8 },
	{ "cfa_hi", 0x1044, 31, 39, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "cfa_parameter", 0x1044, 31, 43, V9_TYPE_FOUND, "int", NULL, 0, 4 },
	{ "cfa_declared", 0x1044, 31, 44, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "cfa_pointer", 0x1044, 31, 16, V9_TYPE_FOUND, "[pointer]", NULL, 0, 8 },
	{ "cfa_below", 0x1044, 31, 15, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "cfa_gap", 0x1044, 31, 24, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "cfa_too_many_typedefs", 0x1044, 31, -8, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "cfa_other_base", 0x1044, 29, 32, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "cfa_outside_block", 0x1044, 31, 8, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "cfa_block", 0x1048, 31, 8, V9_TYPE_FOUND, "long", NULL, 0, 8 },
	{ "cfa_around_block", 0x1048, 31, 36, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "cfa_inlined", 0x104c, 31, 4, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "cfa_around_inlined", 0x104c, 31, 36, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "cfa_frame_pointer", 0x1060, 29, 0, V9_TYPE_FOUND, "struct pair", "lo", 0, 8 },
	{ "cfa_not_sp", 0x1060, 31, 0, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "cfa_expression", 0x1070, 31, 52, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "cfa_in_memory", 0x1074, 31, -16, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "frame_register", 0x1080, 29, 20, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "frame_other_register", 0x1080, 31, 20, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "frame_two_operations", 0x1090, 29, 20, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "no_frame", 0x10a0, 31, 20, V9_TYPE_STACK, NULL, NULL, 0, 0 },
	{ "no_function", 0x10b0, 31, 20, V9_TYPE_STACK, NULL, NULL, 0, 0 },
};

/* Variables by their address */
static const struct row globals[] = {
	{ "first_global", 0x20000, 0, 0, V9_TYPE_FOUND, "struct node", "key", 0, 136 },
	{ "in_array", 0x20000 + 3 * 136 + 40, 0, 0, V9_TYPE_FOUND, "struct node", "many.hi", 40, 136 },
	{ "static_in_block", 0x20304, 0, 0, V9_TYPE_FOUND, "struct pair", "hi", 4, 8 },
	{ "plain_global", 0x20503, 0, 0, V9_TYPE_FOUND, "int", NULL, 0, 4 },
	{ "deepest_namespace", 0x20800, 0, 0, V9_TYPE_FOUND, "int", NULL, 0, 4 },
	{ "reference_global", 0x20b00, 0, 0, V9_TYPE_FOUND, "[no name]", NULL, 0, 8 },
	{ "deepest_array", 0x20c00, 0, 0, V9_TYPE_FOUND, "struct [no name]", "in", 0, 4 },
	{ "too_deep_array", 0x20d00, 0, 0, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
	{ "second_unit", 0x20a00, 0, 0, V9_TYPE_FOUND, "unsigned", NULL, 0, 4 },
	{ "below_globals", 0x1ffff, 0, 0, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
	{ "after_array", 0x20000 + 4 * 136, 0, 0, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
	{ "after_global", 0x20504, 0, 0, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
	{ "declared_global", 0x20600, 0, 0, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
	{ "value_is_address", 0x20700, 0, 0, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
	{ "too_deep_namespace", 0x20900, 0, 0, V9_TYPE_OUTSIDE, NULL, NULL, 0, 0 },
};

static void check(const struct row *r, bool found, const struct v9_type_hit *hit)
{
	const bool same = r->why != V9_TYPE_FOUND ||
		(hit->type && !strcmp(hit->type, r->type) && !hit->field == !r->field &&
		 (!r->field || !strcmp(hit->field, r->field)) && hit->offset == r->at && hit->size == r->size);

	if (!tap_ok(found == (r->why == V9_TYPE_FOUND) && same, "%s", r->name))
		tap_note("why %d, %s %s at %u of %u", hit->why, hit->type ? hit->type : "-", hit->field ? hit->field : "-",
			 (unsigned int)hit->offset, (unsigned int)hit->size);
}

/* A path is cut where its buffer of 512 bytes ends. */
static void names_that_do_not_fit(struct v9_types *types, const struct v9_dso *d)
{
	struct v9_type_hit hit = { .field = "unset", .offset = 99 };
	char want[512] = "";

	memset(want, 'a', 300);
	want[300] = '.';
	memset(want + 301, 'b', 210);
	v9_types_access(types, d, 0x1000, 0xf84002a0, &hit);	/* x21 */
	tap_ok(hit.why == V9_TYPE_FOUND && !strcmp(hit.field, want), "long_names");
}

int main(void)
{
	static const struct row short_one = { "other_file", 0, 0, 0, V9_TYPE_FOUND, "short", NULL, 0, 2 };
	char path[] = "/tmp/v9trace-types.XXXXXX", path2[] = "/tmp/v9trace-types.XXXXXX";
	struct v9_type_hit other = { .offset = 99 };
	struct v9_strtab strtab = { 0 };
	struct v9_lines lines;
	struct v9_types types;
	const struct v9_dso *d, *d2;
	struct v9_syms s;

	if (close(mkstemp(path)) || close(mkstemp(path2)))
		abort();
	write_info();
	write_file(path);
	write_other();
	write_file(path2);
	v9_syms_init(&s, &strtab, NULL);
	v9_syms_dso(&s, v9_strtab_put(&strtab, path, strlen(path)));
	v9_syms_dso(&s, v9_strtab_put(&strtab, path2, strlen(path2)));
	v9_syms_seal(&s);
	d = v9_syms_dso(&s, v9_strtab_put(&strtab, path, strlen(path)));
	d2 = v9_syms_dso(&s, v9_strtab_put(&strtab, path2, strlen(path2)));
	v9_lines_init(&lines, &s);
	v9_types_init(&types, &lines);
	for (size_t i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++) {
		const struct row *r = &accesses[i];
		/* LDUR X0, [Xn, #offset] */
		const uint32_t word = 0xf8400000 | ((uint32_t)r->offset & 0x1ff) << 12 | r->base << 5;
		struct v9_type_hit hit = { .field = "unset", .offset = 99 };

		v9_types_access(&types, d, r->pc, word, &hit);
		tap_eq(hit.why, r->why, "%s", r->name);
		check(r, hit.why == V9_TYPE_FOUND, &hit);
	}
	names_that_do_not_fit(&types, d);
	for (size_t i = 0; i < sizeof(globals) / sizeof(globals[0]); i++) {
		struct v9_type_hit hit = { .field = "unset", .offset = 99 };

		check(&globals[i], v9_types_global(&types, d, globals[i].pc, &hit), &hit);
	}
	check(&short_one, v9_types_global(&types, d2, 0x20001, &other), &other);
	tap_ok(!v9_types_global(&types, d2, 0x20300, &other), "not_of_the_other_file");
	tap_eq(types.nr, 2, "files_that_are_read_once");
	v9_types_free(&types);
	v9_lines_free(&lines);
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
	unlink(path);
	unlink(path2);
	imports();
	return tap_done();
}
