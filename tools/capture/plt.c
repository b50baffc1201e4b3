// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

/* Instructions of a stub: bti c; adrp x16, PAGE; ldr x17, [x16, OFFSET]; add; br x17 */
#define BTI_C		0xd503245fu
#define ADRP_X16	0x90000010u
#define ADRP_MASK	0x9f00001fu
#define LDR_X17_X16	0xf9400211u
#define LDR_MASK	0xffc003ffu

#define SLOTS_MOST	(1u << 20)

struct slot {
	uint64_t at;
	const char *name;
};

static int slot_order(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return V9_ORDER(x->at, y->at);
}

/* Adds the slots of a section of relocations that name a symbol. */
static void add_slots(struct slot **slots, size_t *nr, Elf *e, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Scn *table = elf_getscn(e, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *symbols = table ? elf_getdata(table, NULL) : NULL;
	const size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	GElf_Shdr link;
	GElf_Rela rela;
	GElf_Sym sym;

	if (!data || !symbols || !gelf_getshdr(table, &link))
		return;
	for (size_t i = 0; i < n && i < SLOTS_MOST; i++) {
		const char *name;

		if (!gelf_getrela(data, (int)i, &rela))
			break;
		if (!gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym))
			continue;
		name = elf_strptr(e, link.sh_link, sym.st_name);
		if (name && *name)
			*v9_vec_add(*slots, *nr) = (struct slot){ rela.r_offset, name };
	}
}

static void add(struct v9_dso *dso, struct v9_strtab *strtab, uint64_t start, uint64_t end,
		const char *name)
{
	*v9_vec_add(dso->funcs, dso->nr_funcs) = (struct v9_func){
		.start = start, .end = end, .name = v9_strtab_put(strtab, name, strlen(name)) };
}

/* The address that ADRP at @at computes: bits 30:29 and 23:5 are a page relative to its own */
static uint64_t page_of(uint64_t at, uint32_t word)
{
	const uint64_t pages = (word >> 29 & 3) | (uint64_t)(word >> 5 & 0x7ffff) << 2;

	return (at & ~UINT64_C(0xfff)) + ((pages ^ 0x100000) - 0x100000) * 4096;
}

/* Adds the stubs of a section. */
static void add_stubs(struct v9_dso *dso, struct v9_strtab *strtab, Elf_Data *data, uint64_t addr,
		      const struct slot *slots, size_t nr)
{
	const uint8_t *p = data->d_buf;
	uint64_t open = addr;	/* start of the stub before */
	const char *name = "[plt]";
	char text[512];

	for (size_t i = 0; i + 8 <= data->d_size; i += 4) {
		const uint32_t adrp = v9_load_le32(p + i);
		const uint32_t ldr = v9_load_le32(p + i + 4);
		struct slot key;
		const struct slot *found;
		uint64_t start = addr + i;

		if ((adrp & ADRP_MASK) != ADRP_X16 || (ldr & LDR_MASK) != LDR_X17_X16)
			continue;
		key.at = page_of(start, adrp) + (ldr >> 10 & 0xfff) * 8;
		found = nr ? bsearch(&key, slots, nr, sizeof(*slots), slot_order) : NULL;
		if (!found)
			continue;
		if (i >= 4 && v9_load_le32(p + i - 4) == BTI_C)
			start -= 4;
		if (start > open)
			add(dso, strtab, open, start, name);
		snprintf(text, sizeof(text), "%s@plt", found->name);
		name = text;
		open = start;
	}
	if (name == text)
		add(dso, strtab, open, addr + data->d_size, name);
}

void v9_plt_load(struct v9_dso *dso, Elf *e, struct v9_strtab *strtab)
{
	struct slot *slots = NULL;
	Elf_Scn *scn = NULL;
	size_t nr = 0, names;
	GElf_Ehdr eh;
	GElf_Shdr sh;

	if (!gelf_getehdr(e, &eh) || eh.e_machine != EM_AARCH64 || elf_getshdrstrndx(e, &names))
		return;
	while ((scn = elf_nextscn(e, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA && sh.sh_flags & SHF_ALLOC)
			add_slots(&slots, &nr, e, scn, &sh);
	if (nr)
		qsort(slots, nr, sizeof(*slots), slot_order);
	for (scn = NULL; (scn = elf_nextscn(e, scn)); ) {
		const char *name;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_PROGBITS ||
		    !(sh.sh_flags & SHF_EXECINSTR))
			continue;
		name = elf_strptr(e, names, sh.sh_name);
		if (!name || strncmp(name, ".plt", 4))
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_buf)
			add_stubs(dso, strtab, data, sh.sh_addr, slots, nr);
	}
	free(slots);
}
