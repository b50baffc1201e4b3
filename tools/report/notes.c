// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "notes.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define SINCE_MOST	(1u << 20)	/* blocks that share a count; more: none gets it */

void v9_notes_init(struct v9_notes *n)
{
	memset(n, 0, sizeof(*n));
	v9_bins_init(&n->notes, sizeof(struct v9_note));
	v9_bins_init(&n->blocks, sizeof(struct v9_note_block));
}

void v9_notes_free(struct v9_notes *n)
{
	v9_bins_free(&n->notes);
	v9_bins_free(&n->blocks);
	free(n->since);
	memset(n, 0, sizeof(*n));
}

void v9_note_spe_add(struct v9_note_spe *to, const struct v9_note_spe *from)
{
	uint64_t sum[sizeof(*to) / sizeof(uint64_t)], more[sizeof(*to) / sizeof(uint64_t)];

	memcpy(sum, to, sizeof(sum));
	memcpy(more, from, sizeof(more));
	for (size_t i = 0; i < sizeof(sum) / sizeof(sum[0]); i++)
		sum[i] += more[i];
	memcpy(to, sum, sizeof(sum));
}

static struct v9_note *note_at(struct v9_notes *n, const void *object, uint64_t addr)
{
	const uint64_t key[2] = { (uint64_t)(uintptr_t)object, addr };

	return v9_bins_at(&n->notes, key, 2);
}

void v9_notes_sample(struct v9_notes *n, const void *object, uint64_t addr,
		     const struct v9_note_spe *sums)
{
	v9_note_spe_add(&note_at(n, object, addr)->spe, sums);
}

size_t v9_notes_block(struct v9_notes *n, const void *object, uint64_t start, uint64_t end,
		      uint32_t size, bool branch)
{
	const uint64_t key[3] = { (uint64_t)(uintptr_t)object, start, end };
	struct v9_note_block *b = v9_bins_at(&n->blocks, key, 3);

	if (!b->number) {
		b->number = n->blocks.used;
		b->size = size;
		b->branch = branch;
	}
	return b->number - 1;
}

/* ---- cycles */

void v9_notes_since(struct v9_notes *n, size_t i)
{
	if (n->nr_since == SINCE_MOST) {
		v9_notes_gap(n);
		return;
	}
	if (n->nr_since == n->room_since) {
		n->room_since = n->room_since ? 2 * n->room_since : 256;
		n->since = v9_realloc(n->since, n->room_since * sizeof(*n->since));
	}
	n->since[n->nr_since++] = i;
}

static uint64_t insns_of(const struct v9_note_block *b)
{
	return b->size ? (b->end - b->start) / b->size : 1;
}

void v9_notes_cycles(struct v9_notes *n, uint64_t cycles)
{
	uint64_t insns = 0;

	n->cycles += cycles;
	for (size_t i = 0; i < n->nr_since; i++)
		insns += insns_of(v9_bins_get(&n->blocks, n->since[i]));
	if (n->unknown || !insns)
		n->lost_cycles += cycles;
	for (size_t i = 0; i < n->nr_since && !n->unknown && insns; i++) {
		struct v9_note_block *b = v9_bins_get(&n->blocks, n->since[i]);

		b->cycles += (double)cycles * (double)insns_of(b) / (double)insns;
	}
	n->nr_since = 0;
	n->unknown = false;
}

void v9_notes_gap(struct v9_notes *n)
{
	n->nr_since = 0;
	n->unknown = true;
}

/* ---- the end */

void v9_notes_join(struct v9_notes *to, const struct v9_notes *from)
{
	for (size_t i = 0; i < from->blocks.used; i++) {
		const struct v9_note_block *b = v9_bins_get(&from->blocks, i);
		struct v9_note_block *sum = v9_bins_get(&to->blocks,
							v9_notes_block(to, b->object, b->start, b->end,
								       b->size, b->branch));

		sum->executed += b->executed;
		sum->taken += b->taken;
	}
}

void v9_notes_spread(struct v9_notes *n)
{
	for (size_t i = 0; i < n->blocks.used; i++) {
		const struct v9_note_block *b = v9_bins_get(&n->blocks, i);
		const double cycles = b->cycles / (double)insns_of(b);
		struct v9_note *note = NULL;

		if (!b->size) {
			n->odd += b->executed;
			continue;
		}
		for (uint64_t addr = b->start; addr < b->end; addr += b->size) {
			note = note_at(n, b->object, addr);
			note->executed += b->executed;
			note->cycles += cycles;
		}
		if (note && b->branch) {
			note->branched += b->executed;
			note->taken += b->taken;
		}
	}
}

const struct v9_note *v9_notes_at(const struct v9_notes *n, const void *object, uint64_t addr)
{
	const uint64_t key[2] = { (uint64_t)(uintptr_t)object, addr };

	return v9_bins_find(&n->notes, key, 2);
}
