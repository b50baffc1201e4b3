/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The type, and the field of it, that a load or store accessed, from DWARF. A data address in a
 * global variable has the type of that variable. Else the type is that of the variable or parameter
 * which is in the base register at that instruction, or on the stack at that offset. A pointer that is
 * not in a variable, as in a->b->c, has no type.
 */
#ifndef V9TRACE_CAPTURE_TYPES_H
#define V9TRACE_CAPTURE_TYPES_H

#include "lines.h"

enum v9_type_why {
	V9_TYPE_FOUND,
	V9_TYPE_NO_CODE,		/* the instruction is not known */
	V9_TYPE_NO_DWARF,		/* the code has no debug information */
	V9_TYPE_STACK,			/* relative to the stack or frame pointer, at no variable */
	V9_TYPE_INDEXED,		/* an index register, vectors, or no base register */
	V9_TYPE_NO_VARIABLE,		/* no variable is in the base register */
	V9_TYPE_NO_POINTER,		/* the variable is no pointer to a type with a size */
	V9_TYPE_OUTSIDE,		/* beyond the end of the type */
	V9_TYPE_WHYS
};

struct v9_type_hit {
	enum v9_type_why why;
	const char *type;		/* "struct node"; equal names are equal pointers */
	const char *field;		/* "list.next", "" in padding; NULL: a type without fields */
	uint64_t offset;		/* of the field in the type */
	uint64_t size;			/* of the type */
};

/* Base register (31: the stack pointer) and offset of the address that an A64 load or store accesses. */
struct v9_operand {
	unsigned int base;
	int64_t offset;
};

/* Returns false if the address is not a base register and a constant. */
bool v9_access_of(uint32_t word, struct v9_operand *a);

struct v9_types {
	struct v9_lines *lines;
	struct v9_strtab names;
	struct v9_globals *of;		/* global variables of objects that were asked for */
	size_t nr;
};

void v9_types_init(struct v9_types *t, struct v9_lines *lines);
void v9_types_free(struct v9_types *t);

/* A global variable at @addr of the file. Returns false if there is none. */
bool v9_types_global(struct v9_types *t, const struct v9_dso *d, uint64_t addr,
		     struct v9_type_hit *hit);

/* The access of the instruction @word at @pc, an address in the file. */
void v9_types_access(struct v9_types *t, const struct v9_dso *d, uint64_t pc, uint32_t word,
		     struct v9_type_hit *hit);

#endif
