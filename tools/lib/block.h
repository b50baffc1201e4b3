/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Cache of decoded code. A block has the instructions from an address up to and including the first
 * P0 instruction. It points to the blocks that follow it, so that a loop needs no search.
 */
#ifndef V9TRACE_LIB_BLOCK_H
#define V9TRACE_LIB_BLOCK_H

#include "a64.h"

#ifndef V9_BLOCKS
#define V9_BLOCKS	(1u << 15)	/* blocks in the cache; a power of 2; fuzz.sh uses 64 */
#endif
#define V9_SPACES	64		/* contexts in the cache */
#define V9_LINE_MAX	(1u << 16)	/* instructions in a block or straight line */

/* A range of several blocks: no branch but its last is taken */
struct v9_span {
	const struct v9_block *from;	/* the first of them */
	struct v9_block *block;
};

struct v9_blocks {
	v9_code_fn *code;
	void (*before_flush)(void *arg);	/* or NULL: called before blocks are dropped; set after v9_blocks_init() */
	void *arg;			/* of both */
	bool wfx;			/* TRCIDR2.WFXMODE */
	bool full, stale;
	uint32_t nr, nr_spaces, space;	/* space: index of the current context, * 2 */
	struct v9_ete_context spaces[V9_SPACES];
	struct v9_block **table;	/* hash table of 2 * V9_BLOCKS slots */
	struct v9_block *block;
	uint64_t *mark;			/* words of marks; as many as blocks */
	uint32_t nr_marks;
	struct v9_span span[256];
};

/* Returns 0 or -ENOMEM. The memory may have any content. */
int v9_blocks_init(struct v9_blocks *b, bool wfx, v9_code_fn *code, void *arg);
void v9_blocks_free(struct v9_blocks *b);

/* Drop all blocks. */
void v9_blocks_flush(struct v9_blocks *b);

/* Instructions in sequence; @end is exclusive */
struct v9_path {
	uint64_t start, end, last_addr;
	struct v9_insn last;
	uint32_t insns;
	uint64_t mark;			/* the word of the mark that @last jumps over; 0: none */
};

/*
 * Decode in sequence from line->start. It ends after @insns instructions, after the first P0
 * instruction if @to_p0 is set, or else at address @stop. Sets line->mark if @to_p0 is set.
 */
enum v9_stop v9_blocks_walk(const struct v9_blocks *b, const struct v9_ete_context *ctx,
			    enum v9_isa isa, struct v9_path *line, uint64_t stop, uint32_t insns,
			    bool to_p0);

/*
 * Decode in sequence from line->start up to and including the P0 instruction at @addr. Returns V9_STOP_P0;
 * V9_STOP_NO_CODE if code is missing; V9_STOP_LIMIT if there is no P0 instruction at @addr.
 */
enum v9_stop v9_blocks_walk_to(const struct v9_blocks *b, const struct v9_ete_context *ctx, enum v9_isa isa,
			       struct v9_path *line, uint64_t addr);

/*
 * Select the context for v9_blocks_at(). If there are V9_SPACES other contexts, the cache is
 * flushed.
 */
void v9_blocks_in(struct v9_blocks *b, const struct v9_ete_context *ctx);

struct v9_block *v9_blocks_make(struct v9_blocks *b, uint64_t addr, bool half,
				struct v9_block **slot);

/*
 * The range from the first instruction of @from to the branch at @addr, as a block. Returns NULL if
 * v9_blocks_walk_to() finds none, if the branch jumps over a mark, or if the cache is full.
 */
struct v9_block *v9_blocks_span(struct v9_blocks *b, const struct v9_block *from, uint64_t addr);

static inline enum v9_isa v9_isa_of(const struct v9_ete_context *ctx, bool half)
{
	return ctx->sf ? V9_ISA_A64 : half ? V9_ISA_T32 : V9_ISA_A32;
}

/*
 * The block at @addr in the context of v9_blocks_in(). @half: the instruction set is IS1. Returns
 * NULL and sets b->full if the cache is full.
 */
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
