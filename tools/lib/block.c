// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "v9mark.h"

_Static_assert(V9_BLOCKS <= UINT16_MAX + 1, "index of a mark");

int v9_blocks_init(struct v9_blocks *b, bool wfx, v9_code_fn *code, void *arg)
{
	memset(b, 0, sizeof(*b));
	b->wfx = wfx;
	b->code = code;
	b->arg = arg;
	/* Large, but pages that are never written use no memory. */
	b->table = calloc(2 * V9_BLOCKS, sizeof(struct v9_block *));
	b->block = calloc(V9_BLOCKS, sizeof(*b->block));
	b->mark = calloc(V9_BLOCKS, sizeof(*b->mark));
	if (b->table && b->block && b->mark)
		return 0;
	v9_blocks_free(b);
	return -ENOMEM;
}

void v9_blocks_free(struct v9_blocks *b)
{
	free(b->table);
	free(b->block);
	free(b->mark);
	b->table = NULL;
	b->block = NULL;
	b->mark = NULL;
}

void v9_blocks_flush(struct v9_blocks *b)
{
	if (b->before_flush)
		b->before_flush(b->arg);
	/* Clear only the used slots: they are often few, and the table is large. */
	for (uint32_t i = 0; i < b->nr; i++)
		b->table[b->block[i].slot] = NULL;
	memset(b->span, 0, sizeof(b->span));
	b->nr = 0;
	b->nr_marks = 0;
	b->nr_spaces = 0;
	b->full = false;
	b->stale = false;
}

/* Read bytes one at a time, as they can be in more than one piece of the program. */
static bool read_bytes(const struct v9_blocks *b, const struct v9_ete_context *ctx, uint64_t addr,
		       uint8_t *to, size_t n)
{
	while (n--) {
		size_t left;
		const uint8_t *p = b->code(b->arg, ctx, addr++, &left);

		if (!p || !left)
			return false;
		*to++ = *p;
	}
	return true;
}

/* Read one instruction: A64 and A32 have 4 bytes, T32 2 or 4. Returns false if there is no code. */
static bool fetch(const struct v9_blocks *b, const struct v9_ete_context *ctx, enum v9_isa isa,
		  uint64_t addr, const uint8_t *p, size_t left, uint32_t *word)
{
	uint8_t bytes[4] = { 0 };
	unsigned int first;

	if (left >= sizeof(bytes)) {
		*word = v9_load_le32(p);
		return true;
	}
	if (!read_bytes(b, ctx, addr, bytes, isa == V9_ISA_T32 ? 2 : 4))
		return false;
	first = (unsigned int)v9_load_le(bytes, 2);
	if (isa == V9_ISA_T32 && v9_t32_size((uint16_t)first) == 4 &&
	    !read_bytes(b, ctx, addr + 2, bytes + 2, 2))
		return false;
	*word = v9_load_le32(bytes);
	return true;
}

/*
 * Returns the word of the mark that the branch at the end of @line jumps over: see v9mark.h. 0: it jumps
 * over none, as nearly all branches, for which this reads nothing.
 */
static uint64_t mark_after(const struct v9_blocks *b, const struct v9_ete_context *ctx,
			   enum v9_isa isa, const struct v9_path *line)
{
	uint8_t tag[V9_MARK_TAG_SIZE];
	uint32_t kind;
	int32_t arg;

	if (isa != V9_ISA_A64 || line->last.kind != V9_INSN_DIRECT || line->last.flags ||
	    line->last.target - line->end != sizeof(tag))
		return 0;
	if (!read_bytes(b, ctx, line->end, tag, sizeof(tag)) || v9_load_le64(tag) != V9_MARK_MAGIC)
		return 0;
	kind = v9_load_le32(tag + 8);
	arg = (int32_t)v9_load_le32(tag + 12);
	if (kind == V9_MARK_ID && arg == V9_MARK_BITS)
		return v9_mark_word(V9_MARK_ID, 0);
	if (kind < V9_MARK_BEGIN || kind >= V9_MARK_ID)
		return 0;
	return v9_mark_word((enum v9_mark_kind)kind, line->end + 12 + (uint64_t)(int64_t)arg);
}

enum v9_stop v9_blocks_walk(const struct v9_blocks *b, const struct v9_ete_context *ctx,
			    enum v9_isa isa, struct v9_path *line, uint64_t stop, uint32_t insns,
			    bool to_p0)
{
	const uint8_t *p = NULL;
	size_t left = 0;
	uint32_t word;

	line->end = line->start;
	line->insns = 0;
	line->mark = 0;
	if (!to_p0 && stop - line->start > (uint64_t)insns * 4)
		return V9_STOP_LIMIT;
	for (; line->insns < insns; line->insns++) {
		if (line->end == stop && !to_p0)
			return V9_STOP_ADDRESS;
		if (left < 4)
			p = b->code(b->arg, ctx, line->end, &left);
		if (!p || !fetch(b, ctx, isa, line->end, p, left, &word))
			return V9_STOP_NO_CODE;
		line->last_addr = line->end;
		v9_insn_decode(isa, line->end, word, &line->last);
		line->end += line->last.size;
		p += left >= line->last.size ? line->last.size : left;
		left -= left >= line->last.size ? line->last.size : left;
		if (isa != V9_ISA_A64 && line->end > UINT32_MAX) {
			line->end &= UINT32_MAX;
			left = 0;
		}
		if (to_p0 && v9_insn_p0(&line->last, b->wfx)) {
			line->insns++;
			line->mark = mark_after(b, ctx, isa, line);
			return V9_STOP_P0;
		}
	}
	return line->end == stop && !to_p0 ? V9_STOP_ADDRESS : V9_STOP_LIMIT;
}

static bool same(const struct v9_ete_context *a, const struct v9_ete_context *b)
{
	return a->contextid == b->contextid && a->vmid == b->vmid && a->el == b->el &&
	       a->ns == b->ns && a->nse == b->nse && a->sf == b->sf;
}

void v9_blocks_in(struct v9_blocks *b, const struct v9_ete_context *ctx)
{
	uint32_t i = b->space >> 1;

	if (i < b->nr_spaces && same(&b->spaces[i], ctx))
		return;
	for (i = 0; i < b->nr_spaces; i++)
		if (same(&b->spaces[i], ctx))
			break;
	if (i == V9_SPACES) {
		v9_blocks_flush(b);
		i = 0;
	}
	if (i == b->nr_spaces)
		b->spaces[b->nr_spaces++] = *ctx;
	b->space = i << 1;
}

enum v9_stop v9_blocks_walk_to(const struct v9_blocks *b, const struct v9_ete_context *ctx, enum v9_isa isa,
			       struct v9_path *line, uint64_t addr)
{
	struct v9_path last = { .start = addr };
	enum v9_stop stop = v9_blocks_walk(b, ctx, isa, line, addr, V9_LINE_MAX, false);

	if (stop != V9_STOP_ADDRESS)
		return stop;
	stop = v9_blocks_walk(b, ctx, isa, &last, 0, 1, true);
	if (stop == V9_STOP_P0) {
		last.start = line->start;
		last.insns += line->insns;
		*line = last;
	}
	return stop;
}

/* Adds a block with the instructions of @line. @slot: its index in b->table; for a span, that of its first block */
static struct v9_block *new_block(struct v9_blocks *b, const struct v9_path *line, bool half, enum v9_stop stop,
				  uint32_t slot)
{
	struct v9_block *block = &b->block[b->nr++];
	const struct v9_ete_context *ctx = &b->spaces[b->space >> 1];

	*block = (struct v9_block){
		.start = line->start, .end = line->end, .last_addr = line->last_addr, .last = line->last,
		.ctx = *ctx, .insns = line->insns, .isa = (uint8_t)v9_isa_of(ctx, half), .stop = (uint8_t)stop,
		.space = b->space | half, .slot = slot,
	};
	return block;
}

struct v9_block *v9_blocks_make(struct v9_blocks *b, uint64_t addr, bool half,
				struct v9_block **slot)
{
	const struct v9_ete_context *ctx = &b->spaces[b->space >> 1];
	struct v9_path line = { .start = addr };
	struct v9_block *block;
	enum v9_stop stop;

	if (b->nr == V9_BLOCKS) {
		b->full = true;
		return NULL;
	}
	stop = v9_blocks_walk(b, ctx, v9_isa_of(ctx, half), &line, 0, V9_LINE_MAX, true);
	block = new_block(b, &line, half, stop, (uint32_t)(slot - b->table));
	if (line.mark) {
		/* The fast path leaves its blocks to the slow one. */
		block->stop = V9_STOP_MARK;
		block->mark = (uint16_t)b->nr_marks;
		b->mark[b->nr_marks++] = line.mark;
	}
	*slot = block;
	return block;
}

struct v9_block *v9_blocks_span(struct v9_blocks *b, const struct v9_block *from, uint64_t addr)
{
	const uint64_t key = (addr ^ (uint64_t)(from - b->block) << 20) * UINT64_C(0x9e3779b97f4a7c15);
	struct v9_span *span = &b->span[key >> 56];
	struct v9_path line = { .start = from->start };

	if (span->block && span->from == from && span->block->last_addr == addr)
		return span->block;
	if (b->nr == V9_BLOCKS || v9_blocks_walk_to(b, &from->ctx, (enum v9_isa)from->isa, &line, addr) != V9_STOP_P0 ||
	    line.mark)
		return NULL;
	span->from = from;
	span->block = new_block(b, &line, from->space & 1, V9_STOP_P0, from->slot);
	return span->block;
}
