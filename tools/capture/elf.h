/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef V9TRACE_CAPTURE_ELF_H
#define V9TRACE_CAPTURE_ELF_H

#include "sym.h"

/*
 * Adds functions and segments of the ELF file at @path to @dso. With a build-id in @dso, a file
 * with another one is refused. Returns the number of functions, or a negative errno: -ENOENT no such
 * file, -ESTALE another build-id, -ENOEXEC not an ELF file of a supported type.
 */
long v9_elf_load(struct v9_dso *dso, const char *path, struct v9_strtab *strtab);

/*
 * Checks whether the code of @dso can be read from the ELF file at @path. Returns 0, -ENOENT,
 * -ESTALE for another build-id, -ENOEXEC if it is not an ELF file for Arm.
 */
int v9_elf_matches(const struct v9_dso *dso, const char *path);

/* As v9_elf_load(), for an ELF file in memory */
long v9_elf_load_image(struct v9_dso *dso, const void *image, size_t size,
		       struct v9_strtab *strtab);

/* Gets the build-id of an ELF file. Returns its size in bytes, 0 if it has none, or -errno. */
int v9_elf_file_id(const char *path, uint8_t id[V9_BUILD_ID_MAX]);

/* Gets the build-id of an ELF file in memory. Returns its size in bytes, 0 if it has none. */
unsigned int v9_elf_id(const void *image, size_t size, uint8_t id[V9_BUILD_ID_MAX]);

/* Gets the build-id in notes, as in /sys/kernel/notes. Returns its size in bytes, 0 if none. */
unsigned int v9_elf_notes_id(const void *notes, size_t size, uint8_t id[V9_BUILD_ID_MAX]);

/* Gets the address of a symbol of an ELF file. Returns false if there is no such symbol. */
bool v9_elf_symbol(const char *path, const char *name, uint64_t *addr);

/* Sorts functions and variables. One without a size extends to the next one. */
void v9_funcs_sort(struct v9_dso *dso);

#endif
