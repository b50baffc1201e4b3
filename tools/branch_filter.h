/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which branches a stack has, and what it says of each: the bits of perf (uapi.h), and the words of -j. */
#ifndef V9TRACE_TOOLS_BRANCH_FILTER_H
#define V9TRACE_TOOLS_BRANCH_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include <v9trace/uapi.h>

/* Types of branches. Without one of these perf refuses a filter. */
#define V9_BRANCH_SELECTS \
	(V9_BRANCH_ANY | V9_BRANCH_ANY_CALL | V9_BRANCH_ANY_RETURN | V9_BRANCH_IND_CALL | \
	 V9_BRANCH_ABORT_TX | V9_BRANCH_IN_TX | V9_BRANCH_NO_TX | V9_BRANCH_COND | \
	 V9_BRANCH_CALL_STACK | V9_BRANCH_IND_JUMP | V9_BRANCH_CALL)

/*
 * Writes the words of a filter (V9_BRANCH_*), as -j of v9trace record takes them. Returns @room.
 */
const char *v9_branch_filter(char *room, size_t size, uint64_t filter);

/* Returns the bits of one word of a filter of @n bytes; 0 if there is no such word. */
uint64_t v9_branch_word(const char *word, size_t n);

/* The words that there are, separated by ", ". Returns @room. */
const char *v9_branch_words(char *room, size_t size);

#endif
