// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../util.h"
#include "demangle.h"
#include "dies.h"
#include "elf.h"
#include "find.h"

#define AT_DISCRIMINATOR	0x2136	/* DW_AT_GNU_discriminator, which dwarf.h lacks */

/* Addresses of a compile unit. Not each compiler writes .debug_aranges. */
struct unit_range {
	uint64_t start, end;
	size_t unit;			/* index of the unit */
};

struct v9_lines_of {
	const struct v9_dso *dso;
	uint64_t shift;			/* of the kernel: run-time address - link address */
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	Dwarf_Die *units;
	size_t nr_units;
	struct unit_range *ranges;	/* by .start */
	size_t nr_ranges;
	struct v9_dies dies;
	const char *why;
};

void v9_lines_init(struct v9_lines *l, struct v9_syms *syms)
{
	memset(l, 0, sizeof(*l));
	l->syms = syms;
}

static void close_one(struct v9_lines_of *o)
{
	if (o->dwarf)
		dwarf_end(o->dwarf);
	if (o->elf)
		elf_end(o->elf);
	if (o->fd >= 0)
		close(o->fd);
	free(o->units);
	free(o->ranges);
	o->dwarf = NULL;
	o->elf = NULL;
	o->fd = -1;
}

void v9_lines_free(struct v9_lines *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		close_one(&l->of[i]);
		v9_dies_free(&l->of[i].dies);
	}
	free(l->of);
	memset(l, 0, sizeof(*l));
}

static int range_order(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return V9_ORDER(x->start, y->start);
}

/* Reads the addresses of all compile units. Returns false if there is none. */
static bool read_units(struct v9_lines_of *o)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, sub;
	uint8_t type;

	while (!dwarf_get_units(o->dwarf, cu, &cu, NULL, &type, &die, &sub)) {
		Dwarf_Addr base, start, end;
		ptrdiff_t at = 0;
		size_t ranges = 0;

		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		/* A linker drops functions and leaves their ranges at address 0. */
		while ((at = dwarf_ranges(&die, at, &base, &start, &end)) > 0)
			if (start && start < end) {
				*v9_vec_add(o->ranges, o->nr_ranges) = (struct unit_range){
					start, end, o->nr_units };
				ranges++;
			}
		if (ranges)
			*v9_vec_add(o->units, o->nr_units) = die;
	}
	if (o->nr_ranges)
		qsort(o->ranges, o->nr_ranges, sizeof(*o->ranges), range_order);
	return o->nr_ranges;
}

/* Takes the DWARF of the ELF file that is open as @o->elf. Returns false if it has none. */
static bool take_dwarf(struct v9_lines_of *o)
{
	o->dwarf = o->elf ? dwarf_begin_elf(o->elf, DWARF_C_READ, NULL) : NULL;
	if (o->dwarf && read_units(o))
		return true;
	close_one(o);
	o->units = NULL;
	o->ranges = NULL;
	o->nr_units = o->nr_ranges = 0;
	return false;
}

/* Returns 0, or a negative errno if it is another file; -ENODATA: it has no DWARF. */
static int try_file(struct v9_lines_of *o, const char *path)
{
	int err = v9_elf_matches(o->dso, path);

	if (err)
		return err;
	o->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (o->fd < 0)
		return -errno;
	o->elf = elf_begin(o->fd, ELF_C_READ_MMAP, NULL);
	return take_dwarf(o) ? 0 : -ENODATA;
}

static void open_one(struct v9_lines *l, struct v9_lines_of *o)
{
	const struct v9_syms_opts *opts = &l->syms->opts;
	struct v9_find find = { .syms = l->syms, .dso = o->dso, .what = V9_FIND_SYMBOLS };
	const bool kernel = o->dso == l->syms->dsos[0];
	const char *found;
	const uint8_t *image;
	int err = -ENOENT;
	char path[8192];
	size_t size;

	elf_version(EV_CURRENT);
	image = kernel ? NULL : v9_syms_image(l->syms, o->dso, &size);
	if (image) {
		o->elf = elf_memory((char *)image, size);	/* which does not write here */
		if (take_dwarf(o))
			return;
		err = -ENODATA;
	}
	if (kernel && opts->vmlinux) {
		err = try_file(o, opts->vmlinux);
		o->shift = v9_syms_kernel_shift(l->syms, opts->vmlinux);
	} else if (o->dso->name[0] == '/') {
		snprintf(path, sizeof(path), "%s%s", opts->symfs ? opts->symfs : "", o->dso->name);
		err = try_file(o, path);
	}
	while (err && (found = v9_find_next(&find))) {
		const int other = try_file(o, found);

		if (!other || err == -ENOENT)
			err = other;
		if (!other && kernel)
			o->shift = v9_syms_kernel_shift(l->syms, found);
	}
	if (err)
		o->why = err == -ENODATA ? "its files have no debug information (-g, --debug-dir)" :
			 err == -ESTALE ? "the file here has another build-id (--symfs, --debug-dir)" :
			 err == -ENOEXEC ? "not an ELF file of this architecture" :
			 "no such file here (--symfs, --debug-dir)";
}

static struct v9_lines_of *lines_of(struct v9_lines *l, const struct v9_dso *d)
{
	if (l->last < l->nr && l->of[l->last].dso == d)
		return &l->of[l->last];
	for (l->last = 0; l->last < l->nr; l->last++)
		if (l->of[l->last].dso == d)
			return &l->of[l->last];
	*v9_vec_add(l->of, l->nr) = (struct v9_lines_of){ .dso = d, .fd = -1 };
	open_one(l, &l->of[l->last]);
	return &l->of[l->last];
}

/* Units do not overlap. */
static Dwarf_Die *unit_at(struct v9_lines_of *o, uint64_t addr)
{
	const size_t n = v9_first_entries(i, o->nr_ranges, o->ranges[i].start <= addr);

	return n && addr < o->ranges[n - 1].end ? &o->units[o->ranges[n - 1].unit] : NULL;
}

/* Looks up a line of a jitdump. The last line of a function ends with the function. */
static bool jit_line(const struct v9_dso *d, uint64_t addr, struct v9_src_line *line)
{
	const size_t n = v9_first_entries(i, d->nr_lines, d->lines[i].addr <= addr);

	if (!n || v9_dso_func(d, d->lines[n - 1].addr) != v9_dso_func(d, addr))
		return false;
	*line = (struct v9_src_line){ .file = d->lines[n - 1].file, .line = d->lines[n - 1].line };
	return true;
}

struct Dwarf *v9_lines_dwarf(struct v9_lines *l, const struct v9_dso *d)
{
	return lines_of(l, d)->dwarf;
}

static bool sound(struct v9_lines_of *o, const Dwarf_Die *unit)
{
	const bool before = o->dies.damaged;
	const bool is = v9_dies_sound(&o->dies, unit);

	if (!is && !before)
		v9_warn("%s: its debug information is damaged: the rest of its inlined functions and types "
			"is not known", o->dso->name);
	return is;
}

bool v9_lines_sound(struct v9_lines *l, const struct v9_dso *d, const void *unit)
{
	return sound(lines_of(l, d), unit);
}

bool v9_lines_unit(struct v9_lines *l, const struct v9_dso *d, uint64_t *addr, void *die)
{
	struct v9_lines_of *o = lines_of(l, d);
	const Dwarf_Die *unit = unit_at(o, *addr - o->shift);

	*addr -= o->shift;
	if (!unit || !sound(o, unit))
		return false;
	memcpy(die, unit, sizeof(*unit));
	return true;
}

bool v9_lines_find(struct v9_lines *l, const struct v9_dso *d, uint64_t addr, struct v9_src_line *line)
{
	struct v9_lines_of *o;
	Dwarf_Die *unit;
	Dwarf_Line *found;
	int number = 0;

	if (d->jit)
		return jit_line(d, addr, line);
	o = lines_of(l, d);
	addr -= o->shift;
	unit = unit_at(o, addr);
	found = unit ? dwarf_getsrc_die(unit, addr) : NULL;
	line->file = found ? dwarf_linesrc(found, NULL, NULL) : NULL;
	if (!line->file || dwarf_lineno(found, &number) || number < 0)
		return false;
	line->line = (unsigned int)number;
	line->discriminator = 0;
	dwarf_linediscriminator(found, &line->discriminator);
	return true;
}

/* Where an inlined function was called */
static void call_site(Dwarf_Die *unit, Dwarf_Die *die, struct v9_src_line *line)
{
	Dwarf_Word file = 0, number = 0, discriminator = 0;
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	size_t n;

	*line = (struct v9_src_line){ 0 };
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &number) ||
	    dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &file) ||
	    dwarf_getsrcfiles(unit, &files, &n) || file >= n)
		return;
	line->file = dwarf_filesrc(files, file, NULL, NULL);
	line->line = (unsigned int)number;
	dwarf_formudata(dwarf_attr(die, AT_DISCRIMINATOR, &attr), &discriminator);
	line->discriminator = (unsigned int)discriminator;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name;

	name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
	return name ? name : dwarf_diename(die);
}

size_t v9_lines_inlined(struct v9_lines *l, const struct v9_dso *d, uint64_t addr,
			struct v9_inline *frame, size_t most)
{
	struct v9_lines_of *o = lines_of(l, d);
	Dwarf_Die *unit, *scopes = NULL, inner;
	Dwarf_Addr start;
	bool whole = false;
	size_t found = 0;
	int n, decl;

	addr -= o->shift;
	unit = unit_at(o, addr);
	n = unit && sound(o, unit) ? dwarf_getscopes(unit, addr, &scopes) : 0;
	if (n <= 0)
		return 0;
	/* Beyond an inlined function these are the scopes in which it is defined, not its callers. */
	inner = scopes[0];
	free(scopes);
	scopes = NULL;
	n = dwarf_getscopes_die(&inner, &scopes);
	for (int i = 0; i < n && found < most && !whole; i++) {
		const int tag = dwarf_tag(&scopes[i]);

		whole = tag == DW_TAG_subprogram;
		if (!whole && tag != DW_TAG_inlined_subroutine)
			continue;
		frame[found].name = name_of(&scopes[i]);
		frame[found].call = (struct v9_src_line){ 0 };
		frame[found].decl = dwarf_decl_line(&scopes[i], &decl) || decl < 0 ? 0 : (unsigned int)decl;
		frame[found].start = 0;
		if (!whole)
			call_site(unit, &scopes[i], &frame[found].call);
		else if (!dwarf_entrypc(&scopes[i], &start))
			frame[found].start = start + o->shift;
		found++;
	}
	free(scopes);
	return found;
}

const char *v9_inline_name(const struct v9_lines *l, const struct v9_dso *d,
			   const struct v9_inline *frame)
{
	const char *raw = frame->name;
	const char *name = raw && !d->raw_names ? v9_demangle(l->syms->strtab, raw, strlen(raw)) : NULL;

	return name ? name : raw;
}

bool v9_lines_inlined_text(struct v9_lines *l, const struct v9_dso *d, uint64_t addr, char *text,
			   size_t size)
{
	struct v9_inline frame[16];
	const size_t n = v9_lines_inlined(l, d, addr, frame, V9_ARRAY_SIZE(frame));
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i + 1 < n; i++) {
		const char *name = v9_inline_name(l, d, &frame[i]);
		const int len = snprintf(text + at, size - at, "%s%s", i ? " < " : "",
					 name ? name : "?");

		if (len < 0 || (size_t)len >= size - at)
			break;
		at += (size_t)len;
	}
	return at;
}

const char *v9_lines_why(const struct v9_lines *l, const struct v9_dso *d)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->of[i].dso == d)
			return l->of[i].why;
	return NULL;
}
