/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Code, read once: from an address up to and with the first instruction that an
 * atom stands for. Blocks know which block follows them, so a loop is followed
 * without looking anything up.
 */
#ifndef V9TRACE_LIB_BLOCK_H
#define V9TRACE_LIB_BLOCK_H

#include "a64.h"

#ifndef V9_BLOCKS
#define V9_BLOCKS	(1u << 15)	/* most that are kept; fuzz.sh says how few there may be */
#endif
#define V9_SPACES	64		/* contexts */
#define V9_LINE_MAX	(1u << 16)	/* no straight line is longer than so many instructions */

struct v9_blocks {
	v9_code_fn *code;
	void *arg;
	bool wfx;			/* TRCIDR2.WFXMODE */
	bool full, stale;
	uint32_t nr, nr_spaces, space;	/* space: of the context at hand, instruction set included */
	struct v9_ete_context spaces[V9_SPACES];
	struct v9_block **table;	/* by address, twice as many as blocks */
	struct v9_block *block;
};

/* 0, or -ENOMEM. The struct may hold anything. */
int v9_blocks_init(struct v9_blocks *b, bool wfx, v9_code_fn *code, void *arg);
void v9_blocks_free(struct v9_blocks *b);

/* Forgets all of them. */
void v9_blocks_flush(struct v9_blocks *b);

/* A straight line through code, as far as it went. */
struct v9_path {
	uint64_t start, end, last_addr;
	struct v9_insn last;
	uint32_t insns;
};

/*
 * From line->start until @stop, @insns instructions, or, if @to_p0, behind the first
 * instruction that an atom stands for.
 */
enum v9_stop v9_blocks_walk(const struct v9_blocks *b, const struct v9_ete_context *ctx,
			    enum v9_isa isa, struct v9_path *line, uint64_t stop, uint32_t insns,
			    bool to_p0);

/*
 * Which block is at an address depends on the context; say so before asking. There are only so
 * many of both: then this flushes, or v9_blocks_at() returns NULL with b->full set.
 */
void v9_blocks_in(struct v9_blocks *b, const struct v9_ete_context *ctx);

struct v9_block *v9_blocks_make(struct v9_blocks *b, uint64_t addr, bool half,
				struct v9_block **slot);

static inline enum v9_isa v9_isa_of(const struct v9_ete_context *ctx, bool half)
{
	return ctx->sf ? V9_ISA_A64 : half ? V9_ISA_T32 : V9_ISA_A32;
}

/* The block at @addr in the context said; @half: IS1. NULL: no room for it. */
static inline struct v9_block *v9_blocks_at(struct v9_blocks *b, uint64_t addr, bool half)
{
	const uint32_t space = b->space | half;
	uint32_t i = (uint32_t)(((addr >> 1) ^ space << 9) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
	struct v9_block *block;

	for (;; i++) {
		block = b->table[i & (2 * V9_BLOCKS - 1)];
		if (!block)
			break;
		if (block->start == addr && block->space == space)
			return block;
	}
	return v9_blocks_make(b, addr, half, &b->table[i & (2 * V9_BLOCKS - 1)]);
}

#endif
