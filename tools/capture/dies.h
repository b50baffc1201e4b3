/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Checks the entries of a unit of DWARF before libdw looks for scopes in them. libdw calls itself for
 * each level of nesting, and takes the word of each entry for where the next one is: a damaged unit
 * can make it use up the stack, or visit entries again and again.
 */
#ifndef V9TRACE_CAPTURE_DIES_H
#define V9TRACE_CAPTURE_DIES_H

#include <stdbool.h>
#include <stddef.h>

#include "strtab.h"

/* The units of an object that were checked; { 0 }: none */
struct v9_dies {
	struct v9_strtab seen;		/* by offset */
	bool damaged;			/* one of them */
};

/*
 * Returns true if each entry of the unit, and of the units that it imports, is after the entries before
 * it, and if they are not nested too deeply. @unit: Dwarf_Die. Once it has returned false for a unit of an
 * object, it does so for all.
 */
bool v9_dies_sound(struct v9_dies *d, const void *unit);

void v9_dies_free(struct v9_dies *d);

#endif
