// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "types.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define DEPTH_MOST	16	/* of members in members, of typedefs: damaged DWARF may have a circle */
#define SP		31
#define FP		29

/* ---- instructions: DDI0487, C4.1.94, "Loads and stores" */

static int64_t sign(uint32_t v, unsigned int bits)
{
	return (int64_t)((uint64_t)v << (64 - bits)) >> (64 - bits);
}

static uint32_t bits(uint32_t word, unsigned int hi, unsigned int lo)
{
	return word >> lo & ((1u << (hi - lo + 1)) - 1);
}

/* LDR, STR of one register: bits 29:27 are 111 */
static bool one_register(uint32_t w, struct v9_operand *a)
{
	const unsigned int scale = bits(w, 26, 26) ? bits(w, 23, 23) << 2 | bits(w, 31, 30) : bits(w, 31, 30);

	if (bits(w, 25, 24) == 1) {
		a->offset = (int64_t)bits(w, 21, 10) << scale;
		return true;
	}
	if (bits(w, 25, 24))
		return false;
	if (!bits(w, 21, 21)) {
		/* post-index: the offset is added to the base after the access */
		a->offset = bits(w, 11, 10) == 1 ? 0 : sign(bits(w, 20, 12), 9);
		return true;
	}
	a->offset = 0;
	return bits(w, 11, 10) == 0 && !bits(w, 26, 26);	/* atomic operations */
}

/* LDP, STP: bits 29:27 are 101. The address is that of the first register. */
static bool pair(uint32_t w, struct v9_operand *a)
{
	const unsigned int scale = 2 + (bits(w, 26, 26) ? bits(w, 31, 30) : bits(w, 31, 31));

	a->offset = bits(w, 24, 23) == 1 ? 0 : sign(bits(w, 21, 15), 7) * (1 << scale);
	return !bits(w, 25, 25);
}

bool v9_access_of(uint32_t w, struct v9_operand *a)
{
	a->base = bits(w, 9, 5);
	a->offset = 0;
	if (bits(w, 29, 27) == 7)
		return one_register(w, a);
	if (bits(w, 29, 27) == 5)
		return pair(w, a);
	return bits(w, 29, 24) == 8;	/* exclusive, ordered, compare and swap */
}

/* ---- types */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), type);
}

/* Follows typedefs and qualifiers to the type that they refer to. */
static bool peel(Dwarf_Die *type)
{
	for (int i = 0; i < DEPTH_MOST; i++)
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (!type_of(type, type))
				return false;
			break;
		default:
			return true;
		}
	return false;
}

static bool size_of(Dwarf_Die *type, uint64_t *size)
{
	Dwarf_Word n;

	if (dwarf_aggregate_size(type, &n) || !n)
		return false;
	*size = n;
	return true;
}

/* Replaces an array by its element at byte *@offset, and *@offset by the offset in that. */
static bool into_array(Dwarf_Die *type, uint64_t *offset)
{
	uint64_t size;

	for (int i = 0; i < DEPTH_MOST && dwarf_tag(type) == DW_TAG_array_type; i++) {
		if (!type_of(type, type) || !peel(type))
			return false;
		if (dwarf_tag(type) != DW_TAG_array_type) {
			if (!size_of(type, &size))
				return false;
			*offset %= size;
		}
	}
	return dwarf_tag(type) != DW_TAG_array_type;
}

static bool has_members(Dwarf_Die *type)
{
	const int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Finds the member of @type that has byte @offset. */
static bool member_at(Dwarf_Die *type, uint64_t offset, Dwarf_Die *member, Dwarf_Die *its, uint64_t *at)
{
	Dwarf_Attribute attr;
	Dwarf_Word start;
	uint64_t size;

	if (dwarf_child(type, member))
		return false;
	do {
		const int tag = dwarf_tag(member);

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !type_of(member, its) ||
		    !size_of(its, &size))
			continue;
		if (dwarf_attr(member, DW_AT_external, &attr))
			continue;		/* a static member of C++ */
		if (dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attr), &start)) {
			Dwarf_Word bit;

			start = dwarf_formudata(dwarf_attr(member, DW_AT_data_bit_offset, &attr), &bit) ?
				0 : bit / 8;
		}
		if (offset >= start && offset - start < size) {
			*at = start;
			return true;
		}
	} while (!dwarf_siblingof(member, member));
	return false;
}

/*
 * Writes the member at @offset as "list.next", the outer one first. Returns the offset of that member in
 * @type.
 */
static uint64_t path_of(Dwarf_Die type, uint64_t offset, char *text, size_t size)
{
	uint64_t base = 0, start;
	Dwarf_Die member, its;
	size_t n = 0;

	text[0] = '\0';
	for (int i = 0; i < DEPTH_MOST && has_members(&type); i++) {
		const char *name;
		int len;

		if (!member_at(&type, offset, &member, &its, &start))
			return base + offset;		/* padding */
		name = dwarf_diename(&member);
		base += start;
		offset -= start;
		len = name ? snprintf(text + n, size - n, "%s%s", n ? "." : "", name) : 0;
		if (len < 0 || (size_t)len >= size - n)
			return base;
		n += (size_t)len;
		type = its;
		if (!peel(&type))
			return base;
		if (dwarf_tag(&type) == DW_TAG_array_type) {
			uint64_t in = offset;

			if (!into_array(&type, &in) || !has_members(&type))
				return base;
			base += offset - in;
			offset = in;
		}
	}
	return base;
}

static const char *keep(struct v9_types *t, const char *text)
{
	return v9_strtab_put(&t->names, text, strlen(text));
}

/* Returns the name of the innermost typedef: struct { } of typedef struct { } NAME has no other. */
static const char *alias_of(Dwarf_Die type)
{
	const char *name = NULL;

	for (int i = 0; i < DEPTH_MOST; i++) {
		const int tag = dwarf_tag(&type);

		if (tag == DW_TAG_typedef)
			name = dwarf_diename(&type);
		else if (tag != DW_TAG_const_type && tag != DW_TAG_volatile_type &&
			 tag != DW_TAG_array_type)
			return name;
		if (!type_of(&type, &type))
			return name;
	}
	return name;
}

/* Fills in the name of @type and the field at byte @offset. @pointed: a pointer points to @type. */
static void resolve(struct v9_types *t, Dwarf_Die type, uint64_t offset, bool pointed,
		    struct v9_type_hit *hit)
{
	const char *alias = alias_of(type), *name, *kind = "";
	char text[512];

	hit->why = V9_TYPE_NO_POINTER;
	if (!peel(&type) || !into_array(&type, &offset) || !size_of(&type, &hit->size))
		return;
	/* A pointer to a number may point into an array. Structs are not taken for arrays. */
	if (pointed && !has_members(&type))
		offset %= hit->size;
	hit->why = V9_TYPE_OUTSIDE;
	if (offset >= hit->size)
		return;
	name = dwarf_diename(&type);
	if (dwarf_tag(&type) == DW_TAG_structure_type)
		kind = "struct ";
	else if (dwarf_tag(&type) == DW_TAG_union_type)
		kind = "union ";
	else if (dwarf_tag(&type) == DW_TAG_pointer_type)
		name = "[pointer]";
	if (!name && alias) {
		name = alias;
		kind = "";
	}
	snprintf(text, sizeof(text), "%s%s", kind, name ? name : "[no name]");
	hit->type = keep(t, text);
	hit->field = NULL;
	hit->offset = 0;
	if (has_members(&type)) {
		hit->offset = path_of(type, offset, text, sizeof(text));
		hit->field = keep(t, text);
	}
	hit->why = V9_TYPE_FOUND;
}

/* ---- global variables */

struct v9_global {
	uint64_t start, end;
	Dwarf_Die type;
};

struct v9_globals {
	const struct v9_dso *dso;
	struct v9_global *var;		/* by address */
	size_t nr;
	Dwarf_CFI *cfi;			/* of .eh_frame; NULL: there is none */
};

static int global_order(const void *a, const void *b)
{
	const struct v9_global *x = a, *y = b;

	return V9_ORDER(x->start, y->start);
}

static void add_global(struct v9_globals *g, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	uint64_t size;
	Dwarf_Die type;
	size_t n;

	if (dwarf_getlocation(dwarf_attr(die, DW_AT_location, &attr), &op, &n) || n != 1 ||
	    op[0].atom != DW_OP_addr || !type_of(die, &type) || !size_of(&type, &size))
		return;
	*v9_vec_add(g->var, g->nr) = (struct v9_global){ op[0].number, op[0].number + size, type };
}

/* Variables of files, of namespaces, and static ones of functions and blocks */
static void add_globals(struct v9_globals *g, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MOST || dwarf_child(parent, &die))
		return;
	do {
		const int tag = dwarf_tag(&die);

		if (tag == DW_TAG_variable)
			add_global(g, &die);
		else if (tag == DW_TAG_namespace || tag == DW_TAG_subprogram ||
			 tag == DW_TAG_lexical_block)
			add_globals(g, &die, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

static struct v9_globals *globals_of(struct v9_types *t, const struct v9_dso *d)
{
	Dwarf *dwarf;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	struct v9_globals *g;

	for (size_t i = 0; i < t->nr; i++)
		if (t->of[i].dso == d)
			return &t->of[i];
	g = v9_vec_add(t->of, t->nr);
	g->dso = d;
	dwarf = v9_lines_dwarf(t->lines, d);
	g->cfi = dwarf ? dwarf_getcfi_elf(dwarf_getelf(dwarf)) : NULL;
	while (dwarf && !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL) &&
	       v9_lines_sound(t->lines, d, &die))
		add_globals(g, &die, 0);
	if (g->nr)
		qsort(g->var, g->nr, sizeof(*g->var), global_order);
	return g;
}

bool v9_types_global(struct v9_types *t, const struct v9_dso *d, uint64_t addr, struct v9_type_hit *hit)
{
	const struct v9_globals *g = globals_of(t, d);
	const size_t n = v9_first_entries(i, g->nr, g->var[i].start <= addr);

	if (!n || addr >= g->var[n - 1].end)
		return false;
	resolve(t, g->var[n - 1].type, addr - g->var[n - 1].start, false, hit);
	return hit->why == V9_TYPE_FOUND;
}

/* ---- variables in registers */

/* Returns true if the variable @die is, at @pc, the value of register @base plus *@add. */
static bool in_register(Dwarf_Die *die, uint64_t pc, unsigned int base, int64_t *add)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;

	if (dwarf_getlocation_addr(dwarf_attr_integrate(die, DW_AT_location, &attr), pc, &op, &n, 1) != 1)
		return false;
	*add = 0;
	if (n == 1)
		return op[0].atom == DW_OP_regx ? op[0].number == base : op[0].atom == DW_OP_reg0 + base;
	if (n != 2 || op[1].atom != DW_OP_stack_value)
		return false;		/* an empty one says that the value is not available */
	*add = (int64_t)op[0].number;
	return op[0].atom == DW_OP_breg0 + base;
}

/* Replaces a pointer or reference by the type that it points to. Returns false for other types. */
static bool pointed(Dwarf_Die *type)
{
	int tag;

	if (!peel(type))
		return false;
	tag = dwarf_tag(type);
	return (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
		tag == DW_TAG_rvalue_reference_type) && type_of(type, type);
}

/* Looks for the field in the variables of @scope. */
static void look(struct v9_types *t, Dwarf_Die *scope, uint64_t pc, const struct v9_operand *a,
		 struct v9_type_hit *hit)
{
	Dwarf_Die die, type;
	int64_t add;

	if (dwarf_child(scope, &die))
		return;
	do {
		const int tag = dwarf_tag(&die);

		if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
		    !in_register(&die, pc, a->base, &add) || !type_of(&die, &type))
			continue;
		hit->why = V9_TYPE_NO_POINTER;
		if (!pointed(&type))
			continue;
		hit->why = V9_TYPE_OUTSIDE;
		if (a->offset >= add)
			resolve(t, type, (uint64_t)(a->offset - add), true, hit);
	} while (hit->why != V9_TYPE_FOUND && !dwarf_siblingof(&die, &die));
}

/* ---- variables on the stack */

/* Returns true if the canonical frame address (CFA) at @pc is register @base plus *@add. */
static bool cfa_at(struct v9_types *t, const struct v9_dso *d, uint64_t pc, unsigned int base, int64_t *add)
{
	Dwarf_CFI *cfi = globals_of(t, d)->cfi;
	Dwarf_Frame *frame;
	bool known = false;
	Dwarf_Op *op;
	size_t n;

	if (!cfi || dwarf_cfi_addrframe(cfi, pc, &frame))
		return false;
	if (dwarf_frame_cfa(frame, &op, &n))
		n = 0;
	if (n == 1 && op[0].atom == DW_OP_bregx) {
		*add = (int64_t)op[0].number2;
		known = op[0].number == base;
	} else if (n == 1) {
		*add = (int64_t)op[0].number;
		known = op[0].atom == DW_OP_breg0 + base;
	}
	free(frame);
	return known;
}

/*
 * Sets *@at to the offset of the access from the frame base of @function. The value of the stack pointer
 * is not known: the access and the frame base are both relative to it, or to the frame pointer.
 */
static bool from_frame_base(struct v9_types *t, const struct v9_dso *d, Dwarf_Die *function, uint64_t pc,
			    const struct v9_operand *a, int64_t *at)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	int64_t add;
	size_t n;

	if (dwarf_getlocation_addr(dwarf_attr_integrate(function, DW_AT_frame_base, &attr), pc, &op, &n,
				   1) != 1 || n != 1)
		return false;
	*at = a->offset;
	if (op[0].atom == DW_OP_reg0 + a->base)
		return true;
	if (op[0].atom != DW_OP_call_frame_cfa || !cfa_at(t, d, pc, a->base, &add))
		return false;
	*at -= add;
	return true;
}

/* Looks for a variable of @scope that has the byte at @at from the frame base. */
static void look_on_stack(struct v9_types *t, Dwarf_Die *scope, uint64_t pc, int64_t at,
			  struct v9_type_hit *hit)
{
	Dwarf_Attribute attr;
	Dwarf_Die die, type;
	uint64_t size;
	Dwarf_Op *op;
	size_t n;

	if (dwarf_child(scope, &die))
		return;
	do {
		const int tag = dwarf_tag(&die);

		if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
		    dwarf_getlocation_addr(dwarf_attr_integrate(&die, DW_AT_location, &attr), pc, &op, &n,
					   1) != 1 ||
		    n != 1 || op[0].atom != DW_OP_fbreg || !type_of(&die, &type) || !size_of(&type, &size) ||
		    at < (int64_t)op[0].number || (uint64_t)at - op[0].number >= size)
			continue;
		resolve(t, type, (uint64_t)at - op[0].number, false, hit);
		if (hit->why == V9_TYPE_FOUND)
			return;
		hit->why = V9_TYPE_STACK;
	} while (!dwarf_siblingof(&die, &die));
}

static void by_stack(struct v9_types *t, const struct v9_dso *d, uint64_t pc, const struct v9_operand *a,
		     struct v9_type_hit *hit)
{
	Dwarf_Die unit, *at_pc = NULL, *scopes = NULL;
	int n, function = 0;
	int64_t at;

	if (!v9_lines_unit(t->lines, d, &pc, &unit) || dwarf_getscopes(&unit, pc, &at_pc) <= 0)
		return;
	/* As in lines.c: the functions into which code was inlined, not those that define it */
	n = dwarf_getscopes_die(&at_pc[0], &scopes);
	free(at_pc);
	while (function < n && dwarf_tag(&scopes[function]) != DW_TAG_subprogram)
		function++;
	if (function < n && from_frame_base(t, d, &scopes[function], pc, a, &at))
		for (int i = 0; i <= function && hit->why != V9_TYPE_FOUND; i++)
			look_on_stack(t, &scopes[i], pc, at, hit);
	free(scopes);
}

void v9_types_access(struct v9_types *t, const struct v9_dso *d, uint64_t pc, uint32_t word,
		     struct v9_type_hit *hit)
{
	struct v9_operand a;
	Dwarf_Die unit, *scopes = NULL;
	int n;

	hit->why = V9_TYPE_INDEXED;
	if (!v9_access_of(word, &a))
		return;
	hit->why = V9_TYPE_STACK;
	if (a.base == SP || a.base == FP) {
		by_stack(t, d, pc, &a, hit);
		return;
	}
	hit->why = V9_TYPE_NO_DWARF;
	if (!v9_lines_unit(t->lines, d, &pc, &unit))
		return;
	hit->why = V9_TYPE_NO_VARIABLE;
	n = dwarf_getscopes(&unit, pc, &scopes);
	for (int i = 0; i < n && hit->why != V9_TYPE_FOUND; i++) {
		look(t, &scopes[i], pc, &a, hit);
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
	}
	free(scopes);
}

void v9_types_init(struct v9_types *t, struct v9_lines *lines)
{
	memset(t, 0, sizeof(*t));
	t->lines = lines;
}

void v9_types_free(struct v9_types *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		free(t->of[i].var);
		if (t->of[i].cfi)
			dwarf_cfi_end(t->of[i].cfi);
	}
	free(t->of);
	v9_strtab_free(&t->names);
	memset(t, 0, sizeof(*t));
}
