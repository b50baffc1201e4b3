// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "branch_filter.h"

#include <stdio.h>
#include <string.h>

#include <v9trace/base.h>

/* The words of perf's -j. "any" stands for all types of branches. */
static const struct { const char *word; uint64_t bit; } words[] = {
	{ "any", V9_BRANCH_ANY }, { "any_call", V9_BRANCH_ANY_CALL },
	{ "any_ret", V9_BRANCH_ANY_RETURN }, { "ind_call", V9_BRANCH_IND_CALL },
	{ "ind_jmp", V9_BRANCH_IND_JUMP }, { "call", V9_BRANCH_CALL }, { "cond", V9_BRANCH_COND },
	{ "stack", V9_BRANCH_CALL_STACK }, { "in_tx", V9_BRANCH_IN_TX },
	{ "abort_tx", V9_BRANCH_ABORT_TX }, { "no_tx", V9_BRANCH_NO_TX },
	{ "u", V9_BRANCH_USER }, { "k", V9_BRANCH_KERNEL }, { "hv", V9_BRANCH_HV },
	{ "no_flags", V9_BRANCH_NO_FLAGS }, { "no_cycles", V9_BRANCH_NO_CYCLES },
	{ "save_type", V9_BRANCH_TYPE_SAVE }, { "hw_index", V9_BRANCH_HW_INDEX },
	{ "priv", V9_BRANCH_PRIV_SAVE }, { "counter", V9_BRANCH_COUNTERS },
};

uint64_t v9_branch_word(const char *word, size_t n)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(words); i++)
		if (strlen(words[i].word) == n && !memcmp(words[i].word, word, n))
			return words[i].bit;
	return 0;
}

static const char *join(char *room, size_t size, uint64_t bits, const char *between)
{
	size_t at = 0;

	if (size)
		room[0] = '\0';
	for (size_t i = 0; i < V9_ARRAY_SIZE(words) && at < size; i++)
		if (words[i].bit & bits)
			at += (size_t)snprintf(room + at, size - at, "%s%s", at ? between : "",
					       words[i].word);
	return room;
}

const char *v9_branch_filter(char *room, size_t size, uint64_t filter)
{
	return join(room, size, filter, ",");
}

const char *v9_branch_words(char *room, size_t size)
{
	return join(room, size, UINT64_MAX, ", ");
}
