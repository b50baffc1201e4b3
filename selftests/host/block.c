// SPDX-License-Identifier: GPL-2.0-only
/* Decoded code and its cache (tools/lib/block.c): where a walk ends, pieces of code, contexts, marks. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "../../tools/lib/block.h"
#include "../../tools/lib/v9mark.h"

#define BASE	UINT64_C(0x1000)

#define NOP	0xd503201f		/* A64 */
#define A32_NOP	0xe320f000
#define A32_B	0xea000000		/* to 8 bytes further */
#define T32_NOP	0xbf00

static uint8_t code[256];
static size_t size, piece;		/* bytes of code; bytes that one call returns */
static uint64_t base;

static const uint8_t *get(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	const uint64_t at = (uint32_t)addr - (uint32_t)base;

	(void)arg, (void)ctx;
	if (at >= size || (addr > UINT32_MAX && base <= UINT32_MAX))
		return NULL;
	*n = size - at < piece ? size - at : piece;
	return code + at;
}

static void begin(uint64_t at, size_t each)
{
	base = at;
	piece = each;
	size = 0;
}

static void put(uint32_t word, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		code[size++] = (uint8_t)(word >> 8 * i);
}

static const struct v9_ete_context a64 = { .sf = true };
static struct v9_blocks blocks;
static struct v9_path path;

static enum v9_stop walk(enum v9_isa isa, uint64_t start, uint64_t stop, uint32_t insns, bool to_p0)
{
	path = (struct v9_path){ .start = start };
	return v9_blocks_walk(&blocks, &a64, isa, &path, stop, insns, to_p0);
}

/* Six NOPs and a branch */
static void test_ends(size_t each)
{
	begin(BASE, each);
	for (int i = 0; i < 6; i++)
		put(NOP, 4);
	put(0x14000004, 4);	/* B +16 */
	tap_ok(walk(V9_ISA_A64, BASE, BASE + 8, 10, false) == V9_STOP_ADDRESS && path.insns == 2 &&
	       path.end == BASE + 8 && path.last_addr == BASE + 4, "address_in_pieces_of_%zu", each);
	tap_ok(walk(V9_ISA_A64, BASE, BASE + 8, 2, false) == V9_STOP_ADDRESS && path.insns == 2,
	       "address_at_the_limit_in_pieces_of_%zu", each);
	tap_ok(walk(V9_ISA_A64, BASE, BASE + 12, 2, false) == V9_STOP_LIMIT && !path.insns && path.end == BASE,
	       "beyond_the_limit_in_pieces_of_%zu", each);
	tap_ok(walk(V9_ISA_A64, BASE, BASE + 6, 2, false) == V9_STOP_LIMIT && path.insns == 2 && path.end == BASE + 8,
	       "between_instructions_in_pieces_of_%zu", each);
	tap_ok(walk(V9_ISA_A64, BASE, BASE, 2, false) == V9_STOP_ADDRESS && !path.insns, "nothing_in_pieces_of_%zu", each);
	tap_ok(walk(V9_ISA_A64, BASE, BASE + 8, 10, true) == V9_STOP_P0 && path.insns == 7 && path.end == BASE + 28 &&
	       path.last_addr == BASE + 24 && path.last.target == BASE + 40 && !path.mark, "p0_in_pieces_of_%zu", each);
	tap_ok(walk(V9_ISA_A64, BASE, 0, 7, true) == V9_STOP_P0, "p0_at_the_limit_in_pieces_of_%zu", each);
	tap_ok(walk(V9_ISA_A64, BASE, BASE + 24, 6, true) == V9_STOP_LIMIT && path.insns == 6,
	       "p0_behind_the_limit_in_pieces_of_%zu", each);
	size -= 2;
	tap_ok(walk(V9_ISA_A64, BASE, 0, 10, true) == V9_STOP_NO_CODE && path.insns == 6 && path.end == BASE + 24,
	       "no_code_in_pieces_of_%zu", each);
}

/* T32: 2 bytes, 4 bytes, 2 bytes; A32 */
static void test_aarch32(size_t each)
{
	begin(BASE, each);
	put(T32_NOP, 2);
	put(0xf3af, 2);
	put(0x8000, 2);		/* NOP.W */
	put(T32_NOP, 2);
	put(0xe7fe, 2);		/* B . */
	tap_ok(walk(V9_ISA_T32, BASE, BASE + 8, 5, false) == V9_STOP_ADDRESS && path.insns == 3 &&
	       path.last_addr == BASE + 6, "t32_in_pieces_of_%zu", each);
	tap_ok(walk(V9_ISA_T32, BASE, BASE + 8, 2, false) == V9_STOP_LIMIT && path.insns == 2 && path.end == BASE + 6,
	       "t32_limit_in_pieces_of_%zu", each);
	tap_ok(walk(V9_ISA_T32, BASE, 0, 9, true) == V9_STOP_P0 && path.insns == 4 && path.end == BASE + 10 &&
	       path.last.target == BASE + 8, "t32_p0_in_pieces_of_%zu", each);
	size = 4;
	tap_ok(walk(V9_ISA_T32, BASE, 0, 9, true) == V9_STOP_NO_CODE && path.insns == 1, "half_an_instruction_in_pieces_of_%zu",
	       each);

	/* From the last word to address 0 */
	begin(UINT32_MAX - 3, each);
	put(A32_NOP, 4);
	put(A32_B, 4);
	tap_ok(walk(V9_ISA_A32, base, 0, 9, true) == V9_STOP_P0 && path.insns == 2 && path.end == 4 &&
	       path.last_addr == 0 && path.last.target == 8, "end_of_aarch32_in_pieces_of_%zu", each);
}

/* A branch over a tag: kind, argument, the word of the mark that it is; 0: none */
static void test_marks(void)
{
	static const struct {
		const char *name;
		uint32_t branch, kind, arg;
		uint64_t mark;
	} rows[] = {
		{ "begin", 0x14000005, 1, 16, UINT64_C(0x561) << 52 | (BASE + 0x28 - 8) },
		{ "end", 0x14000005, 2, 0, UINT64_C(0x562) << 52 | (BASE + 0x18 - 8) },
		{ "point", 0x14000005, 3, (uint32_t)-16, UINT64_C(0x563) << 52 | (BASE + 0x08 - 8) },
		{ "number", 0x14000005, 4, 52, UINT64_C(0x564) << 52 },
		{ "number_of_51_bits", 0x14000005, 4, 51, 0 }, { "kind_0", 0x14000005, 0, 16, 0 },
		{ "kind_5", 0x14000005, 5, 52, 0 }, { "further", 0x14000006, 1, 16, 0 }, { "nearer", 0x14000004, 1, 16, 0 },
		{ "call", 0x94000005, 1, 16, 0 }, { "conditional", 0x540000a0, 1, 16, 0 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		begin(BASE, 4);
		put(rows[i].branch, 4);
		put((uint32_t)V9_MARK_MAGIC, 4);
		put((uint32_t)(V9_MARK_MAGIC >> 32), 4);
		put(rows[i].kind, 4);
		put(rows[i].arg, 4);
		tap_ok(walk(V9_ISA_A64, BASE, 0, 9, true) == V9_STOP_P0 && path.mark == rows[i].mark, "mark_%s", rows[i].name);
	}
	/* Other data, and a tag that is not complete */
	begin(BASE, 4);
	put(0x14000005, 4);
	put((uint32_t)V9_MARK_MAGIC ^ 1, 4);
	put((uint32_t)(V9_MARK_MAGIC >> 32), 4);
	put(1, 4);
	put(16, 4);
	tap_ok(walk(V9_ISA_A64, BASE, 0, 9, true) == V9_STOP_P0 && !path.mark, "mark_without_magic");
	code[4] ^= 1;
	tap_ok(walk(V9_ISA_A64, BASE, 0, 9, true) == V9_STOP_P0 && path.mark, "mark_with_magic");
	size--;
	tap_ok(walk(V9_ISA_A64, BASE, 0, 9, true) == V9_STOP_P0 && !path.mark, "mark_that_is_cut");
}

static void test_cache(void)
{
	struct v9_ete_context ctx = { .sf = true };
	struct v9_block *one, *other;

	begin(BASE, 4);
	for (int i = 0; i < 7; i++)
		put(0x14000000, 4);
	v9_blocks_in(&blocks, &ctx);
	one = v9_blocks_at(&blocks, BASE, false);
	tap_ok(one && one->start == BASE && one->end == BASE + 4 && one->insns == 1 && one->stop == V9_STOP_P0 &&
	       one->last_addr == BASE && one->isa == V9_ISA_A64, "block");
	tap_ok(v9_blocks_at(&blocks, BASE, false) == one, "same_block");
	tap_ok(v9_blocks_at(&blocks, BASE + 4, false) != one && blocks.nr == 2, "block_of_another_address");
	tap_ok(v9_blocks_at(&blocks, BASE, true) != one && blocks.nr == 3, "block_of_another_instruction_set");

	/* Each member makes another context; an equal one is the same. */
#define OTHER(member, value, name) do {							\
		ctx = (struct v9_ete_context){ .sf = true };				\
		ctx.member = (value);							\
		v9_blocks_in(&blocks, &ctx);						\
		other = v9_blocks_at(&blocks, BASE, false);				\
		tap_ok(other != one && !memcmp(&other->ctx, &ctx, sizeof(ctx)), name);	\
		v9_blocks_in(&blocks, &a64);						\
		tap_ok(v9_blocks_at(&blocks, BASE, false) == one, name);		\
	} while (0)
	OTHER(contextid, 1, "other_context_id");
	OTHER(vmid, 1, "other_vmid");
	OTHER(el, 1, "other_exception_level");
	OTHER(ns, true, "other_ns");
	OTHER(nse, true, "other_nse");
	OTHER(sf, false, "aarch32");
	tap_eq(blocks.nr_spaces, 7, "contexts");

	/* As many contexts as there may be, and one more */
	ctx = a64;
	for (uint32_t i = 2; blocks.nr_spaces < V9_SPACES; i++) {
		ctx.contextid = i;
		v9_blocks_in(&blocks, &ctx);
	}
	v9_blocks_in(&blocks, &a64);
	tap_ok(v9_blocks_at(&blocks, BASE, false) == one && blocks.nr == 9, "all_contexts");
	ctx.contextid = 0x12345678;
	v9_blocks_in(&blocks, &ctx);
	tap_ok(!blocks.nr && blocks.nr_spaces == 1, "one_context_more");
	other = v9_blocks_at(&blocks, BASE, false);
	tap_ok(other && other->ctx.contextid == 0x12345678 && blocks.nr == 1, "first_block_again");

	/* As many blocks as there may be, and one more */
	v9_blocks_flush(&blocks);
	v9_blocks_in(&blocks, &a64);
	size = 0;			/* without code each address is a block */
	for (uint32_t i = 0; i < V9_BLOCKS; i++)
		if (!v9_blocks_at(&blocks, BASE + 4 * i, false))
			break;
	tap_ok(blocks.nr == V9_BLOCKS && !blocks.full, "all_blocks");
	tap_ok(!v9_blocks_at(&blocks, BASE + 4 * V9_BLOCKS, false) && blocks.full, "one_block_more");
	tap_ok(v9_blocks_at(&blocks, BASE, false)->stop == V9_STOP_NO_CODE, "block_without_code");
	v9_blocks_flush(&blocks);
	v9_blocks_in(&blocks, &a64);
	tap_ok(!blocks.full && v9_blocks_at(&blocks, BASE + 4 * V9_BLOCKS, false), "after_a_flush");
}

/* Blocks that end in a mark have its word. */
static void test_blocks_with_marks(void)
{
	struct v9_block *block;

	begin(BASE, 256);
	put(NOP, 4);
	for (uint32_t kind = 1; kind < 3; kind++) {
		put(0x14000005, 4);
		put((uint32_t)V9_MARK_MAGIC, 4);
		put((uint32_t)(V9_MARK_MAGIC >> 32), 4);
		put(kind, 4);
		put(0, 4);
	}
	v9_blocks_flush(&blocks);
	v9_blocks_in(&blocks, &a64);
	block = v9_blocks_at(&blocks, BASE, false);
	tap_ok(block->stop == V9_STOP_MARK && block->insns == 2 &&
	       blocks.mark[block->mark] == (UINT64_C(0x561) << 52 | (BASE + 0x14)), "block_of_a_mark");
	block = v9_blocks_at(&blocks, BASE + 0x18, false);
	tap_ok(block->stop == V9_STOP_MARK && block->insns == 1 &&
	       blocks.mark[block->mark] == (UINT64_C(0x562) << 52 | (BASE + 0x28)), "block_of_the_next_mark");
	v9_blocks_flush(&blocks);
	tap_eq(blocks.nr_marks, 0, "no_mark_after_a_flush");
}

int main(void)
{
	static const size_t pieces[] = { 1, 2, 3, 4, 6, 256 };

	if (v9_blocks_init(&blocks, false, get, NULL))
		return 1;
	for (size_t i = 0; i < V9_ARRAY_SIZE(pieces); i++) {
		test_ends(pieces[i]);
		test_aarch32(pieces[i]);
	}
	test_marks();
	test_cache();
	test_blocks_with_marks();
	v9_blocks_free(&blocks);
	return tap_done();
}
