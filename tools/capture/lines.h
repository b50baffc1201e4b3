/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Address -> line of the source, and the functions that the compiler inlined there, by libdw. DWARF is
 * read from the files that symbols are read from (sym.h). A file is opened when it is asked for.
 */
#ifndef V9TRACE_CAPTURE_LINES_H
#define V9TRACE_CAPTURE_LINES_H

#include "sym.h"

struct v9_src_line {
	const char *file;		/* path, valid until v9_lines_free() */
	unsigned int line;		/* from 1 on; 0: the instruction belongs to none */
	unsigned int discriminator;	/* of parts of the line, as the compiler numbers them; 0: none */
};

/* A function that contains an address; the one that was not inlined is the last. */
struct v9_inline {
	const char *name;		/* linkage name, or the name in the source; NULL: none */
	struct v9_src_line call;		/* where it was inlined; of the last: unused */
	unsigned int decl;		/* line of its name in the source; 0: not known */
	uint64_t start;			/* of the last: its first instruction; 0: not known */
};

struct v9_lines {
	struct v9_syms *syms;
	struct v9_lines_of *of;		/* objects that were asked for */
	size_t nr, last;
};

void v9_lines_init(struct v9_lines *l, struct v9_syms *syms);
void v9_lines_free(struct v9_lines *l);

/* @addr: address in the file, of the kernel the run-time address. Returns false if not known. */
bool v9_lines_find(struct v9_lines *l, const struct v9_dso *d, uint64_t addr, struct v9_src_line *line);

/* Returns the number of functions that contain @addr, innermost first; at most @most. */
size_t v9_lines_inlined(struct v9_lines *l, const struct v9_dso *d, uint64_t addr,
			struct v9_inline *frame, size_t most);

/* Returns the name as reports show it: demangled, unless opts.raw_names. NULL: none. */
const char *v9_inline_name(const struct v9_lines *l, const struct v9_dso *d,
			   const struct v9_inline *frame);

/*
 * Writes the names of the functions that were inlined at @addr, innermost first, joined by " < ", to
 * @text; without the function that was not inlined. Returns false if there is none.
 */
bool v9_lines_inlined_text(struct v9_lines *l, const struct v9_dso *d, uint64_t addr, char *text,
			   size_t size);

/* Returns the debug information of @d, or NULL. For types.c. */
struct Dwarf *v9_lines_dwarf(struct v9_lines *l, const struct v9_dso *d);

/*
 * Sets @die, a Dwarf_Die, to the compile unit of the code at *@addr, and *@addr to the address in
 * the file, from which that of the kernel differs by KASLR. Returns false if the unit is not known.
 * For types.c.
 */
bool v9_lines_unit(struct v9_lines *l, const struct v9_dso *d, uint64_t *addr, void *die);

/*
 * Returns true if libdw can look for scopes in the entries of @unit, a Dwarf_Die of @d, false if they
 * are damaged. Warns of the first such unit of a file. Used by types.c only.
 */
bool v9_lines_sound(struct v9_lines *l, const struct v9_dso *d, const void *unit);

/* Returns why there are no lines of @d although v9_lines_find() was called for it; else NULL. */
const char *v9_lines_why(const struct v9_lines *l, const struct v9_dso *d);

#endif
