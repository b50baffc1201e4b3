/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef V9TRACE_CAPTURE_ELF_H
#define V9TRACE_CAPTURE_ELF_H

#include "sym.h"

/*
 * Functions and segments of the ELF file at @path, added to @dso. With a
 * build-id in @dso, a file with another one is refused. Returns how many
 * functions came, or a negative errno: -ENOENT no such file, -ESTALE another
 * build-id, -ENOEXEC not an ELF file of a known kind.
 */
long v9_elf_load(struct v9_dso *dso, const char *path, struct v9_strtab *strtab);

/*
 * May the code of @dso be read from the ELF file at @path? 0, -ENOENT, -ESTALE
 * another build-id, -ENOEXEC not an ELF file for Arm.
 */
int v9_elf_matches(const struct v9_dso *dso, const char *path);

/* The same of an ELF file that stands in memory. */
long v9_elf_load_image(struct v9_dso *dso, const void *image, size_t size,
		       struct v9_strtab *strtab);

/* The build-id of an ELF file in memory: how many bytes of @id; 0: it has none. */
unsigned int v9_elf_id(const void *image, size_t size, uint8_t id[V9_BUILD_ID_MAX]);

/* Address of a symbol in an ELF file; false if it has none of that name. */
bool v9_elf_symbol(const char *path, const char *name, uint64_t *addr);

/* Puts functions and variables into order and gives those without a size the room up to the next. */
void v9_funcs_sort(struct v9_dso *dso);

#endif
