// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The instructions of a block: those executed from one P0 element to the next. Instructions of A64 and A32
 * have four bytes. Of T32 the emulator tells which ones have, before they execute (v9_trace_wide()).
 */
#include "private.h"

static unsigned int half_word(const struct v9_ete_model *e, uint64_t pc)
{
	return (pc - e->start) / 2;
}

void v9_block_begin(struct v9_ete_model *e, uint64_t pc)
{
	e->cur = e->start = pc;
	memset(e->wide, 0, e->wide_words * sizeof(e->wide[0]));
	e->wide_words = 0;
}

void v9_block_wide(struct v9_ete_model *e, uint64_t pc)
{
	const unsigned int n = half_word(e, pc);

	if (e->code != V9_CODE_T32 || pc - e->start > V9_ETE_BLOCK_MAX)
		return;
	e->wide[n / 64] |= V9_BIT(n % 64);
	if (e->wide_words <= n / 64)
		e->wide_words = n / 64 + 1;
}

unsigned int v9_block_size(const struct v9_ete_model *e, uint64_t pc)
{
	const unsigned int n = half_word(e, pc);

	if (e->code != V9_CODE_T32)
		return 4;
	return n / 64 < e->wide_words && (e->wide[n / 64] >> n % 64 & 1) ? 4 : 2;
}

uint64_t v9_block_next(const struct v9_ete_model *e, uint64_t pc)
{
	return pc + v9_block_size(e, pc);
}

unsigned int v9_block_insns(const struct v9_ete_model *e, uint64_t start, uint64_t end)
{
	unsigned int n;

	if (e->code != V9_CODE_T32)
		return (end - start) / 4;
	for (n = 0; start < end; n++)
		start = v9_block_next(e, start);
	return n;
}

uint64_t v9_block_last(const struct v9_ete_model *e, uint64_t end)
{
	if (e->code != V9_CODE_T32)
		return end - 4;
	return end - (v9_block_is_insn(e, end - 2) ? 2 : 4);
}

bool v9_block_is_insn(const struct v9_ete_model *e, uint64_t pc)
{
	if (e->code != V9_CODE_T32)
		return !(pc & 3);
	return !(pc & 1) && (pc - e->cur < 2 || v9_block_size(e, pc - 2) == 2);
}
