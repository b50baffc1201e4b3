/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The stubs of a procedure linkage table: code of the linker, without symbols, that jumps to a
 * function of another object. A stub loads the function's address from a slot; the relocation of
 * the slot has the function's name.
 */
#ifndef V9TRACE_CAPTURE_PLT_H
#define V9TRACE_CAPTURE_PLT_H

#include <gelf.h>

#include "sym.h"

/*
 * Adds the stubs of an ELF file of A64 code to @dso, as NAME@plt, and what is before the first one
 * as [plt].
 */
void v9_plt_load(struct v9_dso *dso, Elf *e, struct v9_strtab *strtab);

#endif
