// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ELF files, with libelf. Functions are from .symtab, or from .dynsym in a stripped file. Functions
 * without a symbol are found in the binary search table of .eh_frame_hdr.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../util.h"
#include "demangle.h"
#include "elf.h"
#include "plt.h"

#define NOTE_GNU_BUILD_ID	3
#define OBJECT_MOST		65536	/* maximum extent of a variable without a size */

/* The encodings of .eh_frame_hdr that linkers use: (pc|data)rel sdata4, udata4 */
#define EH_FRAME_PTR_ENC	0x1b
#define EH_FDE_COUNT_ENC	0x03
#define EH_TABLE_ENC		0x3b

struct elf {
	int fd;
	Elf *e;
};

static int elf_open(struct elf *elf, const char *path)
{
	struct stat st;

	/*
	 * The path is from the capture, which may be of another machine. On this one it may name
	 * a pipe, on which open() blocks, or a device, on which open() may have an effect.
	 */
	if (stat(path, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	elf->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (elf->fd < 0)
		return -errno;
	elf->e = elf_begin(elf->fd, ELF_C_READ_MMAP, NULL);
	if (elf->e && elf_kind(elf->e) == ELF_K_ELF)
		return 0;
	elf_end(elf->e);
	close(elf->fd);
	return -ENOEXEC;
}

/* elf_memory() takes no const pointer, but libelf does not write here. */
static int elf_image(struct elf *elf, const void *image, size_t size)
{
	elf_version(EV_CURRENT);
	elf->fd = -1;
	elf->e = elf_memory((char *)image, size);
	if (elf->e && elf_kind(elf->e) == ELF_K_ELF)
		return 0;
	elf_end(elf->e);
	return -ENOEXEC;
}

static void elf_close(struct elf *elf)
{
	elf_end(elf->e);
	if (elf->fd >= 0)
		close(elf->fd);
}

/* Finds the GNU build-id in the notes of a segment or section. */
static bool note_id(Elf_Data *data, const uint8_t **id, size_t *size)
{
	size_t at = 0, next, name, desc;
	GElf_Nhdr n;

	while (data && (next = gelf_getnote(data, at, &n, &name, &desc))) {
		if (n.n_type == NOTE_GNU_BUILD_ID && n.n_namesz == 4 &&
		    !memcmp((char *)data->d_buf + name, "GNU", 4)) {
			*id = (const uint8_t *)data->d_buf + desc;
			*size = n.n_descsz;
			return true;
		}
		at = next;
	}
	return false;
}

static bool build_id(Elf *e, const uint8_t **id, size_t *size)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Phdr ph;

	while ((scn = elf_nextscn(e, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_NOTE &&
		    note_id(elf_getdata(scn, NULL), id, size))
			return true;
	for (int i = 0; gelf_getphdr(e, i, &ph); i++)
		if (ph.p_type == PT_NOTE &&
		    note_id(elf_getdata_rawchunk(e, (int64_t)ph.p_offset, ph.p_filesz, ELF_T_NHDR),
			    id, size))
			return true;
	return false;
}

static void load_segments(struct v9_dso *dso, Elf *e)
{
	GElf_Phdr ph;

	if (dso->nr_segs)
		return;
	for (int i = 0; gelf_getphdr(e, i, &ph) && dso->nr_segs < V9_ARRAY_SIZE(dso->segs); i++)
		if (ph.p_type == PT_LOAD)
			dso->segs[dso->nr_segs++] = (struct v9_seg){
				.offset = ph.p_offset, .size = ph.p_memsz, .addr = ph.p_vaddr };
}

static bool is_function(Elf *e, const GElf_Sym *sym, const char *name)
{
	const int type = GELF_ST_TYPE(sym->st_info);
	GElf_Shdr sh;

	if (sym->st_shndx == SHN_UNDEF || !name || !name[0])
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	/* Labels of assembly. Mapping symbols ($x, $d) are not functions. */
	return type == STT_NOTYPE && name[0] != '$' && name[0] != '.' &&
	       sym->st_shndx < SHN_LORESERVE &&
	       gelf_getshdr(elf_getscn(e, sym->st_shndx), &sh) && sh.sh_flags & SHF_EXECINSTR;
}

/* Thread-local variables are excluded: samples do not have their base address. */
static bool is_object(const GElf_Sym *sym, const char *name)
{
	return sym->st_shndx != SHN_UNDEF && sym->st_shndx < SHN_LORESERVE && sym->st_size &&
	       GELF_ST_TYPE(sym->st_info) == STT_OBJECT && name && name[0];
}

static long load_table(struct v9_dso *dso, Elf *e, Elf_Scn *scn, const GElf_Shdr *sh,
		       struct v9_strtab *strtab)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Ehdr eh;
	const unsigned int machine = gelf_getehdr(e, &eh) ? eh.e_machine : EM_NONE;
	long found = 0;
	GElf_Sym sym;

	for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
		const char *name;
		struct v9_func *f;

		name = elf_strptr(e, sh->sh_link, sym.st_name);
		if (is_function(e, &sym, name)) {
			f = v9_vec_add(dso->funcs, dso->nr_funcs);
			found++;
		} else if (dso->wants_objs && is_object(&sym, name)) {
			f = v9_vec_add(dso->objs, dso->nr_objs);
		} else {
			continue;
		}
		f->start = GELF_ST_TYPE(sym.st_info) == STT_FUNC ?
			   v9_function_address(machine, sym.st_value) : sym.st_value;
		f->end = f->start + sym.st_size;
		f->name = v9_strtab_put(strtab, name, strcspn(name, "@"));
		name = dso->raw_names ? NULL : v9_demangle(strtab, f->name, strlen(f->name));
		if (name) {
			f->linkage = f->name;
			f->name = name;
		}
	}
	return found;
}

static bool has_section(Elf *e, unsigned int type)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(e, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == type)
			return true;
	return false;
}

/* Functions with an unwind entry and without a symbol; their name is their address. */
static void load_unwind(struct v9_dso *dso, Elf *e, struct v9_strtab *strtab)
{
	GElf_Phdr ph;
	Elf_Data *d;
	const uint8_t *p;
	size_t count;

	for (int i = 0; gelf_getphdr(e, i, &ph); i++) {
		if (ph.p_type != PT_GNU_EH_FRAME)
			continue;
		d = elf_getdata_rawchunk(e, (int64_t)ph.p_offset, ph.p_filesz, ELF_T_BYTE);
		p = d ? d->d_buf : NULL;
		if (!p || d->d_size < 12 || p[0] != 1 || p[1] != EH_FRAME_PTR_ENC ||
		    p[2] != EH_FDE_COUNT_ENC || p[3] != EH_TABLE_ENC)
			return;
		count = v9_load_le32(p + 8);
		if (count > (d->d_size - 12) / 8)
			count = (d->d_size - 12) / 8;
		for (size_t k = 0; k < count; k++) {
			uint64_t at = ph.p_vaddr +
				      (uint64_t)(int64_t)(int32_t)v9_load_le32(p + 12 + k * 8);
			struct v9_func *f = v9_vec_add(dso->funcs, dso->nr_funcs);
			char name[32];

			snprintf(name, sizeof(name), "fn_%llx", (unsigned long long)at);
			f->start = f->end = at;
			f->name = v9_strtab_put(strtab, name, sizeof(name));
		}
		return;
	}
}

/* A file without a build-id is accepted by its name. */
static bool other_id(const struct v9_dso *dso, Elf *e)
{
	const uint8_t *id;
	size_t size;

	return dso->build_id_size && build_id(e, &id, &size) && !v9_dso_has_id(dso, id, size);
}

int v9_elf_matches(const struct v9_dso *dso, const char *path)
{
	struct elf elf;
	GElf_Ehdr eh;
	int ret = elf_open(&elf, path);

	if (ret)
		return ret;
	if (!gelf_getehdr(elf.e, &eh) || (eh.e_machine != EM_AARCH64 && eh.e_machine != EM_ARM))
		ret = -ENOEXEC;
	else if (other_id(dso, elf.e))
		ret = -ESTALE;
	elf_close(&elf);
	return ret;
}

static long load(struct v9_dso *dso, Elf *e, struct v9_strtab *strtab)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	unsigned int type;
	long found = 0;

	if (other_id(dso, e))
		return -ESTALE;
	load_segments(dso, e);
	type = has_section(e, SHT_SYMTAB) ? SHT_SYMTAB : SHT_DYNSYM;
	while ((scn = elf_nextscn(e, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == type)
			found += load_table(dso, e, scn, &sh, strtab);
	dso->has_symtab |= type == SHT_SYMTAB && found;
	load_unwind(dso, e, strtab);
	v9_plt_load(dso, e, strtab);
	return found;
}

long v9_elf_load(struct v9_dso *dso, const char *path, struct v9_strtab *strtab)
{
	struct elf elf;
	long ret = elf_open(&elf, path);

	if (ret)
		return ret;
	ret = load(dso, elf.e, strtab);
	elf_close(&elf);
	return ret;
}

long v9_elf_load_image(struct v9_dso *dso, const void *image, size_t size, struct v9_strtab *strtab)
{
	struct elf elf;
	long ret = elf_image(&elf, image, size);

	if (ret)
		return ret;
	ret = load(dso, elf.e, strtab);
	elf_close(&elf);
	return ret;
}

int v9_elf_file_id(const char *path, uint8_t id[V9_BUILD_ID_MAX])
{
	const uint8_t *found;
	struct elf elf;
	size_t n = 0;
	int ret = elf_open(&elf, path);

	if (ret)
		return ret;
	if (!build_id(elf.e, &found, &n) || n > V9_BUILD_ID_MAX)
		n = 0;
	if (n)
		memcpy(id, found, n);
	elf_close(&elf);
	return (int)n;
}

unsigned int v9_elf_id(const void *image, size_t size, uint8_t id[V9_BUILD_ID_MAX])
{
	const uint8_t *found;
	struct elf elf;
	size_t n = 0;

	if (elf_image(&elf, image, size))
		return 0;
	if (!build_id(elf.e, &found, &n) || n > V9_BUILD_ID_MAX)
		n = 0;
	if (n)
		memcpy(id, found, n);
	elf_close(&elf);
	return (unsigned int)n;
}

unsigned int v9_elf_notes_id(const void *notes, size_t size, uint8_t id[V9_BUILD_ID_MAX])
{
	Elf_Data data = { .d_type = ELF_T_NHDR, .d_version = EV_CURRENT, .d_align = 4,
			  .d_buf = (char *)notes, .d_size = size };
	const uint8_t *found;
	size_t n;

	if (!note_id(&data, &found, &n) || n > V9_BUILD_ID_MAX)
		return 0;
	memcpy(id, found, n);
	return (unsigned int)n;
}

bool v9_elf_symbol(const char *path, const char *name, uint64_t *addr)
{
	struct elf elf;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Sym sym;
	bool found = false;

	if (elf_open(&elf, path))
		return false;
	while (!found && (scn = elf_nextscn(elf.e, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(scn, NULL);
		for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
			const char *s = elf_strptr(elf.e, sh.sh_link, sym.st_name);

			if (s && !strcmp(s, name)) {
				*addr = sym.st_value;
				found = true;
				break;
			}
		}
	}
	elf_close(&elf);
	return found;
}

/* Names of labels and clones, and names with leading underscores, are worse than others. */
static unsigned int unlikely_name(const char *s)
{
	return (!strncmp(s, "fn_", 3) ? 64 : 0) + (unsigned int)strspn(s, "_") +
	       (strchr(s, '.') ? 8 : 0);
}

static int func_order(const void *a, const void *b)
{
	const struct v9_func *x = a, *y = b;
	unsigned int ux, uy;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if ((x->end > x->start) != (y->end > y->start))
		return x->end > x->start ? -1 : 1;
	ux = unlikely_name(x->name);
	uy = unlikely_name(y->name);
	if (ux != uy)
		return ux < uy ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void sort(struct v9_func *list, size_t *nr, uint64_t most)
{
	size_t n = 0;

	if (!*nr)
		return;
	qsort(list, *nr, sizeof(*list), func_order);
	for (size_t i = 0; i < *nr; i++) {
		const struct v9_func *f = &list[i];

		/* Keep one name per address; drop unnamed functions inside named ones. */
		if (n && (list[n - 1].start == f->start ||
			  (f->start == f->end && f->start < list[n - 1].end)))
			continue;
		list[n++] = *f;
	}
	*nr = n;
	for (size_t i = 0; i < n; i++) {
		struct v9_func *f = &list[i];

		if (f->end > f->start)
			continue;
		f->end = i + 1 < n ? f[1].start : f->start + 4096;
		if (f->end - f->start > most)
			f->end = f->start + most;
	}
}

void v9_funcs_sort(struct v9_dso *dso)
{
	sort(dso->funcs, &dso->nr_funcs, UINT64_MAX);
	/* What follows the last variable of a section is not known. */
	sort(dso->objs, &dso->nr_objs, OBJECT_MOST);
}
