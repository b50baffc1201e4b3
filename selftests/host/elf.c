// SPDX-License-Identifier: GPL-2.0-only
/*
 * ELF files, typed by the ELF specification and the LSB (.eh_frame_hdr): functions, variables, segments and
 * build-id, in memory and in a file
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "tap.h"
#include "../../tools/capture/elf.h"

enum { TEXT = 1, DATA, NOTES, SYMBOLS, STRINGS, SECTIONS };
enum { AT_NOTES = 512, AT_UNWIND = 640, AT_STRINGS = 1024, AT_SYMBOLS = 1536, AT_SECTIONS = 2560, SIZE = 3072 };

static const struct {
	const char *name;
	unsigned char type;
	uint16_t section;
	uint64_t value, size;
} symbols[] = {
	{ "main", STT_FUNC, TEXT, 0x1000, 0x20 }, { "_main", STT_FUNC, TEXT, 0x1000, 0x20 },
	{ "aaa.1", STT_FUNC, TEXT, 0x1000, 0x20 }, { "aa", STT_NOTYPE, TEXT, 0x1000, 0 },
	{ "chosen", STT_GNU_IFUNC, TEXT, 0x1100, 8 }, { "label", STT_NOTYPE, TEXT, 0x1200, 0 },
	{ "$x", STT_NOTYPE, TEXT, 0x1240, 0 }, { ".L1", STT_NOTYPE, TEXT, 0x1244, 0 },
	{ "in_data", STT_NOTYPE, DATA, 0x3100, 0 }, { "absolute", STT_NOTYPE, SHN_ABS, 0x1248, 0 },
	{ "undefined", STT_FUNC, SHN_UNDEF, 0x124c, 4 }, { "", STT_FUNC, TEXT, 0x1250, 4 },
	{ "memcpy@@GLIBC_2.17", STT_FUNC, TEXT, 0x1300, 4 }, { "_ZN1a1bEv", STT_FUNC, TEXT, 0x1400, 4 },
	{ "variable", STT_OBJECT, DATA, 0x3000, 8 }, { "thread_local", STT_TLS, DATA, 0x10, 8 },
	{ "no_size", STT_OBJECT, DATA, 0x3010, 0 }, { "nowhere", STT_OBJECT, SHN_ABS, 0x3020, 8 },
	{ "extern", STT_OBJECT, SHN_UNDEF, 0x3030, 8 }, { "before", STT_OBJECT, DATA, 0x2ff0, 16 },
	{ "section", STT_SECTION, TEXT, 0x1000, 0 },
};
#define FUNCTIONS 8

struct how {
	uint16_t machine;
	uint32_t table;		/* SHT_SYMTAB or SHT_DYNSYM */
	uint32_t id_size;
	uint32_t unwind;	/* entries that .eh_frame_hdr claims */
	bool bare;		/* no sections */
};

static const struct how usual = { EM_AARCH64, SHT_SYMTAB, 20, 3, false };

static void make(uint8_t *b, const struct how *how)
{
	/* At 0x1000 and 0x1010 are functions with a name. The table is relative to 0x2000. */
	static const int32_t table[] = { -0x1000, 0, -0xff0, 0, -0xb00, 0, 0x100, 0 };
	const Elf64_Ehdr e = {
		.e_ident = { 0x7f, 'E', 'L', 'F', 2, 1, 1 }, .e_type = ET_DYN, .e_machine = how->machine, .e_version = 1,
		.e_phoff = sizeof(e), .e_ehsize = sizeof(e), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 4,
		.e_shoff = how->bare ? 0 : AT_SECTIONS, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = how->bare ? 0 : SECTIONS };
	const Elf64_Phdr p[4] = {
		{ .p_type = PT_LOAD, .p_offset = 0x100, .p_vaddr = 0x1000, .p_filesz = 0x10, .p_memsz = 0x700 },
		{ .p_type = PT_NOTE, .p_offset = AT_NOTES, .p_filesz = 16 + 16 + how->id_size, .p_align = 4 },
		{ .p_type = PT_GNU_EH_FRAME, .p_offset = AT_UNWIND, .p_vaddr = 0x2000, .p_filesz = 12 + 4 * 8 },
		{ .p_type = PT_LOAD, .p_offset = 0x200, .p_vaddr = 0x3000, .p_filesz = 0x20, .p_memsz = 0x40 } };
	Elf64_Shdr s[SECTIONS] = {
		[TEXT] = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR },
		[DATA] = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_WRITE },
		[NOTES] = { .sh_type = SHT_NOTE, .sh_offset = AT_NOTES, .sh_size = 16 + 16 + how->id_size, .sh_addralign = 4 },
		[SYMBOLS] = { .sh_type = how->table, .sh_offset = AT_SYMBOLS, .sh_link = STRINGS, .sh_entsize = sizeof(Elf64_Sym),
			      .sh_size = sizeof(Elf64_Sym) * V9_ARRAY_SIZE(symbols) },
		[STRINGS] = { .sh_type = SHT_STRTAB, .sh_offset = AT_STRINGS, .sh_size = AT_SYMBOLS - AT_STRINGS } };
	uint32_t note[] = { 4, 0, NT_GNU_ABI_TAG, 0, 4, how->id_size, NT_GNU_BUILD_ID, 0 };
	uint8_t unwind[12] = { 1, 0x1b, 0x03, 0x3b };
	size_t at = 1;

	memset(b, 0, SIZE);
	memcpy(b, &e, sizeof(e));
	memcpy(b + sizeof(e), p, sizeof(p));
	memcpy(&note[3], "GNU", 4);
	memcpy(&note[7], "GNU", 4);
	memcpy(b + AT_NOTES, note, sizeof(note));
	for (unsigned int i = 0; i < how->id_size; i++)
		b[AT_NOTES + 32 + i] = (uint8_t)(0xa0 + i);
	memcpy(unwind + 8, &how->unwind, 4);
	memcpy(b + AT_UNWIND, unwind, 12);
	memcpy(b + AT_UNWIND + 12, table, sizeof(table));
	for (size_t i = 0; i < V9_ARRAY_SIZE(symbols); i++) {
		const Elf64_Sym sym = { .st_name = (uint32_t)at, .st_info = ELF64_ST_INFO(STB_GLOBAL, symbols[i].type),
			.st_shndx = symbols[i].section, .st_value = symbols[i].value, .st_size = symbols[i].size };

		strcpy((char *)b + AT_STRINGS + at, symbols[i].name);
		at += strlen(symbols[i].name) + 1;
		memcpy(b + AT_SYMBOLS + i * sizeof(sym), &sym, sizeof(sym));
	}
	if (!how->bare)
		memcpy(b + AT_SECTIONS, s, sizeof(s));
}

static void put(char *text, size_t room, const struct v9_func *f, size_t n)
{
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < n && at < room; i++)
		at += (size_t)snprintf(text + at, room - at, "%s%llx-%llx %s%s%s", i ? ", " : "", (unsigned long long)f[i].start,
				       (unsigned long long)f[i].end, f[i].name, f[i].linkage ? "=" : "", f[i].linkage ?: "");
}

static void same(const struct v9_func *f, size_t n, const char *want, const char *name)
{
	char got[1024];

	put(got, sizeof(got), f, n);
	if (!tap_ok(!strcmp(got, want), "%s", name))
		tap_note("%s", got);
}

static void drop(struct v9_dso *d)
{
	free(d->funcs);
	free(d->objs);
	memset(d, 0, sizeof(*d));
}

#define NAMED "1000-1020 main, 1100-1108 chosen, 1200-1300 label, 1300-1304 memcpy, 1400-1404 a::b()=_ZN1a1bEv"

static void loaded(void)
{
	struct v9_dso d = { .wants_objs = true };
	struct v9_strtab strtab = { 0 };
	struct how how = usual;
	_Alignas(8) uint8_t b[SIZE];

	make(b, &how);
	tap_eq(v9_elf_load_image(&d, b, SIZE, &strtab), FUNCTIONS, "functions");
	tap_ok(d.has_symtab && d.nr_segs == 2 && d.segs[0].offset == 0x100 && d.segs[0].size == 0x700 &&
	       d.segs[0].addr == 0x1000 && d.segs[1].offset == 0x200 && d.segs[1].size == 0x40 &&
	       d.segs[1].addr == 0x3000, "segments");
	tap_eq(d.nr_funcs, FUNCTIONS + 3, "with_those_of_unwind_entries");
	v9_funcs_sort(&d);
	same(d.funcs, d.nr_funcs, NAMED ", 1500-2500 fn_1500", "names");
	same(d.objs, d.nr_objs, "2ff0-3000 before, 3000-3008 variable", "variables");
	/* A debug file adds its own, and no segments. */
	tap_eq(v9_elf_load_image(&d, b, SIZE, &strtab), FUNCTIONS, "loaded_again");
	tap_eq(d.nr_segs, 2, "segments_once");
	drop(&d);

	/* The table claims more entries than there are. */
	how.unwind = 1000;
	how.table = SHT_DYNSYM;
	make(b, &how);
	d.raw_names = true;
	tap_eq(v9_elf_load_image(&d, b, SIZE, &strtab), FUNCTIONS, "dynamic");
	v9_funcs_sort(&d);
	same(d.funcs, d.nr_funcs, "1000-1020 main, 1100-1108 chosen, 1200-1300 label, 1300-1304 memcpy, 1400-1404 _ZN1a1bEv, "
	     "1500-2100 fn_1500, 2100-3100 fn_2100", "names_of_dynamic_symbols");
	tap_ok(!d.has_symtab && !d.nr_objs, "no_symbol_table");
	drop(&d);

	/* Other encodings of pointers, or another version */
	for (unsigned int i = 0; i < 4; i++) {
		make(b, &usual);
		b[AT_UNWIND + i] ^= 0x10;
		v9_elf_load_image(&d, b, SIZE, &strtab);
		tap_eq(d.nr_funcs, FUNCTIONS, "other_unwind_%u", i);
		drop(&d);
	}
	/* The table is shorter than its header, has no entry, or is beyond the file. */
	for (unsigned int i = 0; i < 3; i++) {
		Elf64_Phdr *p = (Elf64_Phdr *)(b + sizeof(Elf64_Ehdr)) + 2;

		make(b, &usual);
		p->p_filesz = i ? 12 : 11;
		p->p_offset += i == 2 ? SIZE : 0;
		v9_elf_load_image(&d, b, SIZE, &strtab);
		tap_eq(d.nr_funcs, FUNCTIONS, "cut_unwind_%u", i);
		drop(&d);
	}
	/* Thumb functions have bit 0 of their address set. */
	how = usual;
	how.machine = EM_ARM;
	how.unwind = 0;
	make(b, &how);
	b[AT_SYMBOLS + offsetof(Elf64_Sym, st_value)] |= 1;
	tap_eq(v9_elf_load_image(&d, b, SIZE, &strtab), FUNCTIONS, "thumb");
	tap_ok(d.funcs[0].start == 0x1000 && d.funcs[0].end == 0x1020, "thumb_address");
	drop(&d);
	make(b, &(struct how){ EM_AARCH64, SHT_SYMTAB, 20, 1, true });
	tap_ok(!v9_elf_load_image(&d, b, SIZE, &strtab) && d.nr_funcs == 1 && !d.has_symtab && d.nr_segs == 2, "no_sections");
	drop(&d);
	d.build_id_size = 20;
	tap_eq(v9_elf_load_image(&d, b, SIZE, &strtab), -ESTALE, "other_build_id");
	tap_ok(!d.nr_funcs && !d.nr_segs, "of_which_nothing_is_loaded");
	drop(&d);
	tap_eq(v9_elf_load_image(&d, "no ELF file, but long enough", 28, &strtab), -ENOEXEC, "no_elf");
	v9_strtab_free(&strtab);
}

static bool is_id(const uint8_t *id, unsigned int n, unsigned int want)
{
	bool same = n == want;

	for (unsigned int i = 0; i < n && same; i++)
		same = id[i] == 0xa0 + i;
	return same;
}

static void ids(void)
{
	static const uint32_t sizes[] = { 20, 8, V9_BUILD_ID_MAX, V9_BUILD_ID_MAX + 1, 0 };
	uint8_t b[SIZE], id[V9_BUILD_ID_MAX];

	for (unsigned int bare = 0; bare < 2; bare++)
		for (size_t i = 0; i < V9_ARRAY_SIZE(sizes); i++) {
			const unsigned int want = sizes[i] <= V9_BUILD_ID_MAX ? sizes[i] : 0;

			make(b, &(struct how){ EM_AARCH64, SHT_SYMTAB, sizes[i], 0, bare });
			tap_ok(is_id(id, v9_elf_id(b, SIZE, id), want), "id_%zu_%u", i, bare);
			tap_ok(is_id(id, v9_elf_notes_id(b + AT_NOTES, 32 + sizes[i], id), want), "id_of_notes_%zu_%u", i, bare);
		}
	make(b, &usual);
	tap_eq(v9_elf_notes_id(b + AT_NOTES, 51, id), 0, "cut_note");
	b[AT_NOTES + 28] = 'g';
	tap_eq(v9_elf_notes_id(b + AT_NOTES, 52, id), 0, "note_of_others");
	tap_eq(v9_elf_id(b, SIZE, id), 0, "no_id");
	tap_eq(v9_elf_id("no ELF file, but long enough", 28, id), 0, "id_of_no_elf");
}

static void files(void)
{
	char path[] = "/tmp/v9trace-elf.XXXXXX";
	struct v9_strtab strtab = { 0 };
	struct v9_dso d = { 0 };
	uint8_t b[SIZE], id[V9_BUILD_ID_MAX];
	uint64_t addr = 0;

	close(mkstemp(path));
	make(b, &usual);
	tap_write(path, b, SIZE);
	tap_eq(v9_elf_load(&d, path, &strtab), FUNCTIONS, "file");
	tap_ok(is_id(id, (unsigned int)v9_elf_file_id(path, id), 20), "id_of_a_file");
	tap_ok(v9_elf_symbol(path, "label", &addr) && addr == 0x1200, "symbol");
	tap_ok(v9_elf_symbol(path, "nowhere", &addr) && addr == 0x3020, "any_symbol");
	tap_ok(!v9_elf_symbol(path, "labe", &addr) && addr == 0x3020, "no_symbol");
	tap_eq(v9_elf_matches(&d, path), 0, "matches");
	drop(&d);
	d.build_id_size = 20;
	tap_eq(v9_elf_matches(&d, path), -ESTALE, "other_file");
	memcpy(d.build_id, id, 20);
	tap_eq(v9_elf_matches(&d, path), 0, "same_id");
	for (unsigned int i = 0; i < 2; i++) {
		struct how how = usual;

		how.machine = i ? EM_ARM : EM_X86_64;
		how.table = SHT_DYNSYM;
		make(b, &how);
		tap_write(path, b, SIZE);
		tap_eq(v9_elf_matches(&d, path), i ? 0 : -ENOEXEC, "machine_%u", i);
		tap_ok(!v9_elf_symbol(path, "label", &addr), "symbols_of_dynamic_linking_%u", i);
	}
	tap_write(path, "nothing", 7);
	tap_eq(v9_elf_load(&d, path, &strtab), -ENOEXEC, "no_elf_file");
	tap_eq(v9_elf_file_id(path, id), -ENOEXEC, "id_of_no_elf_file");
	tap_eq(v9_elf_matches(&d, path), -ENOEXEC, "no_elf_matches");
	tap_ok(!v9_elf_symbol(path, "label", &addr), "symbol_of_no_elf");
	unlink(path);
	tap_eq(v9_elf_load(&d, path, &strtab), -ENOENT, "no_file");
	v9_strtab_free(&strtab);
}

/* What has no size ends at the next one. Of variables 64 KiB at most are known. */
static void sizes(void)
{
	struct v9_func funcs[] = { { 0x9000, 0x9000, "last", NULL, NULL }, { 0x1000, 0x1000, "first", NULL, NULL } };
	struct v9_func objs[] = { { 0x100000, 0x100000, "last", NULL, NULL }, { 0x1000, 0x1000, "first", NULL, NULL },
				  { 0x20000, 0x20000, "near", NULL, NULL }, { 0x30000, 0x30000, "far", NULL, NULL } };
	struct v9_dso d = { .funcs = funcs, .nr_funcs = 2, .objs = objs, .nr_objs = 4 };

	v9_funcs_sort(&d);
	same(funcs, d.nr_funcs, "1000-9000 first, 9000-a000 last", "functions_without_sizes");
	same(objs, d.nr_objs, "1000-11000 first, 20000-30000 near, 30000-40000 far, 100000-101000 last",
	     "variables_without_sizes");
	d = (struct v9_dso){ 0 };
	v9_funcs_sort(&d);
	tap_ok(!d.nr_funcs && !d.nr_objs, "nothing_to_sort");
}

int main(void)
{
	const int null = open("/dev/null", O_RDONLY), next = dup(null);

	dup2(null, 0);
	close(next);
	loaded();
	ids();
	files();
	sizes();
	tap_eq(dup(null), next, "files_are_closed");
	tap_ok(fcntl(0, F_GETFD) >= 0, "standard_input_stays_open");
	return tap_done();
}
