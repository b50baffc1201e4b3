/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which branches a stack has, and what it says of each: the bits of perf, and the words of -j. */
#ifndef V9TRACE_TOOLS_BRANCH_FILTER_H
#define V9TRACE_TOOLS_BRANCH_FILTER_H

#include <stddef.h>
#include <stdint.h>

/* PERF_SAMPLE_BRANCH_*, which older headers have in part only */
#define V9_BRANCH_USER		(UINT64_C(1) << 0)
#define V9_BRANCH_KERNEL	(UINT64_C(1) << 1)
#define V9_BRANCH_HV		(UINT64_C(1) << 2)
#define V9_BRANCH_ANY		(UINT64_C(1) << 3)
#define V9_BRANCH_ANY_CALL	(UINT64_C(1) << 4)
#define V9_BRANCH_ANY_RETURN	(UINT64_C(1) << 5)
#define V9_BRANCH_IND_CALL	(UINT64_C(1) << 6)
#define V9_BRANCH_ABORT_TX	(UINT64_C(1) << 7)
#define V9_BRANCH_IN_TX		(UINT64_C(1) << 8)
#define V9_BRANCH_NO_TX		(UINT64_C(1) << 9)
#define V9_BRANCH_COND		(UINT64_C(1) << 10)
#define V9_BRANCH_CALL_STACK	(UINT64_C(1) << 11)
#define V9_BRANCH_IND_JUMP	(UINT64_C(1) << 12)
#define V9_BRANCH_CALL		(UINT64_C(1) << 13)
#define V9_BRANCH_NO_FLAGS	(UINT64_C(1) << 14)
#define V9_BRANCH_NO_CYCLES	(UINT64_C(1) << 15)
#define V9_BRANCH_TYPE_SAVE	(UINT64_C(1) << 16)
#define V9_BRANCH_HW_INDEX	(UINT64_C(1) << 17)
#define V9_BRANCH_PRIV_SAVE	(UINT64_C(1) << 18)
#define V9_BRANCH_COUNTERS	(UINT64_C(1) << 19)

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
