/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Text in the format of /proc/kallsyms: lines of "ADDRESS TYPE NAME" for the kernel itself, and of
 * "ADDRESS TYPE NAME	[OWNER]" for modules, BPF programs and trampolines. The text may have any
 * content, and need not end in a zero byte.
 */
#ifndef V9TRACE_CAPTURE_KALLSYMS_H
#define V9TRACE_CAPTURE_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util.h"

struct v9_ksym {
	uint64_t addr;
	char type;
	const char *name, *owner;	/* not zero-terminated; @owner has its brackets, or is NULL */
	size_t name_len, owner_len;
};

/* Parses the next line that is a symbol, and advances @text. Returns false at @end. */
bool v9_ksym_next(const char **text, const char *end, struct v9_ksym *sym);

/* Types of symbols, as nm prints them */
bool v9_ksym_is_function(const struct v9_ksym *sym);
bool v9_ksym_is_object(const struct v9_ksym *sym);

/* Finds the address of a symbol of the kernel itself. Returns false if it is not there. */
bool v9_kallsyms_find(const char *text, size_t n, const char *name, uint64_t *addr);

/* Returns true if any symbol has an address: the kernel shows 0 to those who may not see it. */
bool v9_kallsyms_usable(const char *text, size_t n);

/* Symbols of @owner (NULL: of the kernel itself) in [start, end) are @shift higher elsewhere. */
struct v9_ksym_move {
	const char *owner;		/* with brackets */
	uint64_t start, end, shift;
	bool functions;			/* functions only */
};

/* Appends the symbols that a move applies to, with their new addresses, to @out. */
void v9_kallsyms_move(struct v9_blob *out, const char *text, size_t n,
		      const struct v9_ksym_move *moves, size_t nr);

#endif
