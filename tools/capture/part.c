// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "part.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

unsigned int v9_part_of(uint64_t position, uint64_t all, unsigned int parts)
{
	return all ? (unsigned int)((unsigned __int128)position * parts / all) + 1 : 1;
}

/* ---- SPE */

/* The begins of the AUX records of a buffer, ascending */
struct begins {
	uint64_t *at;
	size_t nr;
};

static int u64_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return V9_ORDER(*x, *y);
}

static struct begins begins_of(const struct v9_session *s, const struct v9_queue *q)
{
	struct begins b = { .nr = 0 };

	for (size_t i = 0; i < s->nr_extents; i++) {
		const struct v9_extent *e = &s->extents[i];
		const bool of_queue = q->cpu != V9_NO_TASK ? e->cpu == q->cpu : e->tid == q->tid;

		if (e->kind == q->kind && of_queue && !(e->flags & PERF_AUX_FLAG_OVERWRITE))
			*v9_vec_add(b.at, b.nr) = e->offset;
	}
	if (b.nr)
		qsort(b.at, b.nr, sizeof(*b.at), u64_order);
	return b;
}

static uint64_t bytes_of(const struct v9_queue *q)
{
	uint64_t n = 0;

	for (size_t i = 0; i < q->nr_chunks; i++)
		n += q->chunks[i].size;
	return n;
}

/* Does a piece of a chunk continue where the one before ends? */
static bool joins(const struct v9_chunk *before, const struct v9_chunk *next)
{
	return before->offset + before->size == next->offset;
}

/*
 * Keeps the chunks of the part. A chunk is cut where an AUX record begins; a piece belongs to the part
 * of its first byte. @at: number of bytes before the buffer.
 */
static uint64_t keep_chunks(const struct v9_session *s, struct v9_queue *q, uint64_t at, uint64_t all)
{
	const struct begins b = begins_of(s, q);
	struct v9_chunk *kept = NULL, next = { .size = 0 };
	unsigned int owner = 0;
	uint64_t sum = 0;
	size_t nr = 0;

	for (size_t i = 0; i < q->nr_chunks && owner <= s->part; i++) {
		struct v9_chunk rest = q->chunks[i];

		while (rest.size && owner <= s->part) {
			const size_t k = v9_first_entries(j, b.nr, b.at[j] <= rest.offset);
			const bool begins = k && b.at[k - 1] == rest.offset;
			struct v9_chunk piece = rest;

			if (k < b.nr && b.at[k] - rest.offset < rest.size)
				piece.size = b.at[k] - rest.offset;
			if (begins || !owner)
				owner = v9_part_of(at, all, s->parts);
			next = piece;
			if (owner == s->part) {
				if (nr && joins(&kept[nr - 1], &piece) &&
				    kept[nr - 1].p + kept[nr - 1].size == piece.p)
					kept[nr - 1].size += piece.size;
				else
					*v9_vec_add(kept, nr) = piece;
				sum += piece.size;
			}
			rest.p += piece.size;
			rest.offset += piece.size;
			rest.size -= piece.size;
			at += piece.size;
		}
	}
	if (nr && owner > s->part) {
		const uint64_t end = kept[nr - 1].offset + kept[nr - 1].size;

		q->more = joins(&kept[nr - 1], &next);
		q->end_why = q->more ? V9_SPE_SKIP_CUT : V9_SPE_SKIP_GAP;
		while (q->nr_cuts && q->cuts[q->nr_cuts - 1] > end)
			q->nr_cuts--;
	}
	free(b.at);
	free(q->chunks);
	q->chunks = kept;
	q->nr_chunks = nr;
	return sum;
}

/* ---- all kinds */

/* The first part has what is counted once. */
static void drop_losses(struct v9_session *s)
{
	memset(&s->lost, 0, sizeof(s->lost));
	s->file.missing = 0;
	s->twin.missing = 0;
	for (unsigned int k = 0; k < V9_KINDS; k++)
		s->aux[k] = (struct v9_aux_sum){ .bytes = s->aux[k].bytes - s->aux[k].rounding };
}

const char *v9_session_part(struct v9_session *s, unsigned int part, unsigned int parts)
{
	const uint64_t samples = s->nr_samples;
	uint64_t all = 0, at = 0, kept = 0;
	size_t first, last;

	if (s->aux[V9_KIND_SPE].overwrite || s->aux[V9_KIND_ETE].overwrite)
		return "has overwritten buffers, which are small";
	s->part = part;
	s->parts = parts;
	for (size_t i = 0; i < s->nr_queues; i++)
		all += s->queues[i].kind == V9_KIND_SPE ? bytes_of(&s->queues[i]) : 0;
	for (size_t i = 0; i < s->nr_queues; i++) {
		struct v9_queue *q = &s->queues[i];
		const uint64_t n = bytes_of(q);

		if (q->kind != V9_KIND_SPE)
			continue;
		kept += keep_chunks(s, q, at, all);
		at += n;
	}
	first = v9_first_entries(i, samples, v9_part_of(i, samples, parts) < part);
	last = v9_first_entries(i, samples, v9_part_of(i, samples, parts) <= part);
	s->nr_samples = last - first;
	if (s->nr_samples)
		memmove(s->samples, s->samples + first, s->nr_samples * sizeof(*s->samples));
	if (part > 1)
		drop_losses(s);
	s->aux[V9_KIND_SPE].bytes = kept + s->aux[V9_KIND_SPE].rounding;
	return NULL;
}

const char *v9_session_part_torn(const struct v9_session *s)
{
	for (size_t i = 0; s->parts > 1 && i < s->nr_queues; i++) {
		const struct v9_queue *q = &s->queues[i];
		const struct v9_spe_account *a = q->kind == V9_KIND_SPE ? v9_spe_dec_account(q->dec) : NULL;

		if (a && (a->skips[V9_SPE_SKIP_RESERVED] || a->skips[V9_SPE_SKIP_ENDLESS]))
			return "is damaged, and it is not clear where its SPE records begin";
		if (a && q->more && a->skips[V9_SPE_SKIP_CUT])
			return "has an SPE record that goes from one AUX record to the next";
	}
	return NULL;
}
