// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "dies.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define LEVELS_MOST	1024	/* of nested entries: inlined functions and blocks of a large one are some 100 */

struct units {
	Dwarf_Die *unit;
	size_t nr;
};

/* Adds a unit if it is new. */
static void add_unit(struct v9_dies *d, struct units *todo, const Dwarf_Die *unit)
{
	Dwarf_Die die = *unit;
	char key[64];
	size_t *seen;

	/* An imported unit may be in another file. */
	snprintf(key, sizeof(key), "%p %" PRIx64, (void *)dwarf_cu_getdwarf(die.cu),
		 (uint64_t)dwarf_dieoffset(&die));
	seen = v9_strtab_value(&d->seen, key);
	if (!(*seen)++)
		*v9_vec_add(todo->unit, todo->nr) = *unit;
}

static void add_import(struct v9_dies *d, struct units *todo, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die unit;

	if (dwarf_formref_die(dwarf_attr(die, DW_AT_import, &attr), &unit))
		add_unit(d, todo, &unit);
}

/*
 * Visits the entries in the order of the file. Before it asks libdw for the sibling of an entry, it has
 * visited the children, which libdw may have to skip.
 */
static bool in_order(struct v9_dies *d, struct units *todo, const Dwarf_Die *unit)
{
	Dwarf_Die at[LEVELS_MOST] = { *unit };
	Dwarf_Off last = dwarf_dieoffset(at), now;
	size_t level = 0;

	for (;;) {
		if (dwarf_haschildren(&at[level]) > 0 && level + 1 == LEVELS_MOST)
			return false;
		if (!dwarf_child(&at[level], &at[level + 1]))
			level++;
		else
			while (level && dwarf_siblingof(&at[level], &at[level]))
				level--;
		if (!level)
			return true;
		now = dwarf_dieoffset(&at[level]);
		if (now <= last)
			return false;
		last = now;
		if (dwarf_tag(&at[level]) == DW_TAG_imported_unit)
			add_import(d, todo, &at[level]);
	}
}

bool v9_dies_sound(struct v9_dies *d, const void *unit)
{
	struct units todo = { .nr = 0 };

	if (!d->damaged)
		add_unit(d, &todo, unit);
	while (todo.nr && !d->damaged) {
		const Dwarf_Die next = todo.unit[--todo.nr];

		d->damaged = !in_order(d, &todo, &next);
	}
	free(todo.unit);
	return !d->damaged;
}

void v9_dies_free(struct v9_dies *d)
{
	v9_strtab_free(&d->seen);
	d->damaged = false;
}
