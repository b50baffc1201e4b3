// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stubs of a procedure linkage table, typed as linkers write them: a head, stubs with and without BTI, one of
 * a slot without a symbol, and one whose slot is before the table
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <elf.h>
#include <string.h>

#include <v9trace/base.h>

#include "tap.h"
#include "../../tools/capture/elf.h"

enum { PLT = 1, DYNSYM, DYNSTR, RELA, NAMES, SECTIONS };
enum { AT_PLT = 64, AT_SYMBOLS = 256, AT_STRINGS = 512, AT_RELAS = 640, AT_NAMES = 896, AT_SECTIONS = 1024,
       SIZE = 1536 };

#define NOP		0xd503201f
#define BTI_C		0xd503245f
#define ADRP_20		0x90000110	/* adrp x16, 0x20 pages ahead */
#define ADRP_BACK	0xf0fffff0	/* adrp x16, the page before */
#define LDR(n)		(0xf9400211 | (n) << 10)	/* ldr x17, [x16, 8 * n] */
#define BR		0xd61f0220	/* br x17 */

static const uint32_t code[] = {
	NOP, NOP, NOP, NOP, ADRP_20, LDR(3), NOP, BR, ADRP_20, LDR(4), NOP, BR, BTI_C, ADRP_20, LDR(5), BR,
	ADRP_20, LDR(6), NOP, BR, ADRP_BACK, LDR(1),
};
static const char strings[] = "\0first\0second\0third\0back";
static const uint32_t names[] = { 0, 1, 7, 14, 20 };	/* of symbols, in the strings */

static void make(uint8_t *b, const char *section, uint16_t machine, uint64_t rela_flags)
{
	const Elf64_Ehdr e = {
		.e_ident = { 0x7f, 'E', 'L', 'F', 2, 1, 1 }, .e_type = ET_DYN, .e_machine = machine, .e_version = 1,
		.e_ehsize = sizeof(e), .e_shoff = AT_SECTIONS, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS,
		.e_shstrndx = NAMES };
	static const uint64_t slots[][2] = { { 0x30020, 2 }, { 0x30018, 1 }, { 0x30030, 0 }, { 0x30028, 3 }, { 0xf008, 4 } };
	const Elf64_Shdr s[SECTIONS] = {
		[PLT] = { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = 0x10000,
			  .sh_offset = AT_PLT, .sh_size = sizeof(code) },
		[DYNSYM] = { .sh_type = SHT_DYNSYM, .sh_offset = AT_SYMBOLS, .sh_link = DYNSTR,
			     .sh_entsize = sizeof(Elf64_Sym), .sh_size = 5 * sizeof(Elf64_Sym) },
		[DYNSTR] = { .sh_type = SHT_STRTAB, .sh_offset = AT_STRINGS, .sh_size = sizeof(strings) },
		[RELA] = { .sh_type = SHT_RELA, .sh_flags = rela_flags, .sh_offset = AT_RELAS, .sh_link = DYNSYM,
			   .sh_entsize = sizeof(Elf64_Rela), .sh_size = V9_ARRAY_SIZE(slots) * sizeof(Elf64_Rela) },
		[NAMES] = { .sh_type = SHT_STRTAB, .sh_offset = AT_NAMES, .sh_size = 16 } };

	memset(b, 0, SIZE);
	memcpy(b, &e, sizeof(e));
	memcpy(b + AT_PLT, code, sizeof(code));
	for (size_t i = 0; i < 5; i++) {
		const Elf64_Sym sym = { .st_name = names[i], .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) };
		const Elf64_Rela rela = { slots[i][0], ELF64_R_INFO(slots[i][1], R_AARCH64_JUMP_SLOT), 0 };

		memcpy(b + AT_SYMBOLS + i * sizeof(sym), &sym, sizeof(sym));
		memcpy(b + AT_RELAS + i * sizeof(rela), &rela, sizeof(rela));
	}
	memcpy(b + AT_STRINGS, strings, sizeof(strings));
	strcpy((char *)b + AT_NAMES + 1, section);
	memcpy(b + AT_SECTIONS, s, sizeof(s));
}

static void is(const uint8_t *b, const char *want, const char *name)
{
	struct v9_strtab strtab = { 0 };
	struct v9_dso d = { 0 };
	char got[512] = "";
	size_t at = 0;

	v9_elf_load_image(&d, b, SIZE, &strtab);
	for (size_t i = 0; i < d.nr_funcs && at < sizeof(got); i++)
		at += (size_t)snprintf(got + at, sizeof(got) - at, "%s%llx-%llx %s", i ? ", " : "",
				       (unsigned long long)d.funcs[i].start, (unsigned long long)d.funcs[i].end, d.funcs[i].name);
	if (!tap_ok(!strcmp(got, want), "%s", name))
		tap_note("%s", got);
	free(d.funcs);
	v9_strtab_free(&strtab);
}

int main(void)
{
	static const char all[] = "10000-10010 [plt], 10010-10020 first@plt, 10020-10030 second@plt, 10030-10050 third@plt, "
				  "10050-10058 back@plt";
	uint8_t b[SIZE];

	make(b, ".plt", EM_AARCH64, SHF_ALLOC);
	is(b, all, "stubs");
	make(b, ".plt.sec", EM_AARCH64, SHF_ALLOC);
	is(b, all, "section_by_the_begin_of_its_name");
	make(b, ".text", EM_AARCH64, SHF_ALLOC);
	is(b, "", "other_section");
	make(b, ".plt", EM_ARM, SHF_ALLOC);
	is(b, "", "other_machine");
	make(b, ".plt", EM_AARCH64, 0);
	is(b, "", "relocations_for_a_linker");
	/* A stub begins the section: there is no head. */
	make(b, ".plt", EM_AARCH64, SHF_ALLOC);
	memcpy(b + AT_PLT, code + 4, 16);
	is(b, "10000-10010 first@plt, 10010-10020 first@plt, 10020-10030 second@plt, 10030-10050 third@plt, "
	   "10050-10058 back@plt", "no_head");
	/* Other registers */
	make(b, ".plt", EM_AARCH64, SHF_ALLOC);
	b[AT_PLT + 16] ^= 1;
	b[AT_PLT + 36] ^= 1;
	is(b, "10000-10030 [plt], 10030-10050 third@plt, 10050-10058 back@plt", "no_stubs");
	return tap_done();
}
