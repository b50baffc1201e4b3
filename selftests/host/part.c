// SPDX-License-Identifier: GPL-2.0-only
/*
 * tools/capture/part.c: the SPE records and the losses of all parts are those of the whole, with
 * incomplete records before data that is missing or lost. A part that ends within a record says so.
 */
#include <string.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/capture/part.h"

#define RECORDS_MOST	400
#define RECORD		10	/* bytes: Address packet, End packet */

static uint64_t seed;

static unsigned int any(unsigned int n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned int)(seed >> 33) % n;
}

enum { INTACT, GAP, LOSS, SPLIT };

static uint8_t bytes[RECORDS_MOST * RECORD];

/* Makes a buffer of AUX records. Some end within a record: before a gap, a loss or, SPLIT, nothing. */
static void make(struct v9_session *s, unsigned int kinds, bool by_chunk)
{
	struct v9_queue *q = v9_alloc(sizeof(*q));
	uint64_t offset = 64;
	size_t n = 0;

	memset(s, 0, sizeof(*s));
	s->queues = q;
	s->nr_queues = 1;
	*q = (struct v9_queue){ .kind = V9_KIND_SPE, .tid = V9_NO_TASK, .dec = v9_spe_dec_new(),
				.end_why = V9_SPE_SKIP_CUT };
	while (n + 12 * RECORD < sizeof(bytes)) {
		const unsigned int records = any(9) + 1, how = any(3) ? INTACT : any(kinds + 1);
		uint8_t *p = bytes + n;
		size_t size = 0;

		for (unsigned int i = 0; i < records; i++, size += RECORD) {
			const uint64_t pc = UINT64_C(0x400000) + 4 * any(64);

			p[size] = 0xb0;
			memcpy(p + size + 1, &pc, 8);
			p[size + 9] = 0x01;
		}
		if (how != INTACT)
			size -= 3;
		*v9_vec_add(s->extents, s->nr_extents) = (struct v9_extent){
			.kind = V9_KIND_SPE, .offset = offset, .size = size, .tid = V9_NO_TASK };
		if (q->nr_chunks && !by_chunk &&
		    q->chunks[q->nr_chunks - 1].offset + q->chunks[q->nr_chunks - 1].size == offset)
			q->chunks[q->nr_chunks - 1].size += size;
		else
			*v9_vec_add(q->chunks, q->nr_chunks) = (struct v9_chunk){ p, size, offset };
		n += size;
		offset += size + (how == GAP ? 100 : 0);
		if (how == LOSS)
			*v9_vec_add(q->cuts, q->nr_cuts) = offset;
		s->aux[V9_KIND_SPE].bytes += size;
	}
}

struct sums {
	uint64_t records, pcs, skipped[V9_SPE_SKIPS], bytes;
};

static void add(struct v9_session *s, struct sums *sums)
{
	struct v9_queue *q = s->queues;
	const struct v9_spe_account *a;
	struct v9_spe_rec rec;

	while (v9_session_next(s, q, &rec)) {
		sums->records++;
		sums->pcs += rec.pc.addr * rec.pc.addr;
	}
	a = v9_spe_dec_account(q->dec);
	for (unsigned int i = 0; i < V9_SPE_SKIPS; i++)
		sums->skipped[i] += a->skipped[i];
	sums->bytes += v9_spe_account_bytes(a);
}

static void clean(struct v9_session *s)
{
	v9_spe_dec_delete(s->queues->dec);
	free(s->queues->chunks);
	free(s->queues->cuts);
	free(s->queues);
	free(s->extents);
}

/* Returns false if a part is torn. */
static bool divided(uint64_t which, unsigned int kinds, unsigned int parts, struct sums *sums)
{
	bool whole = true;

	memset(sums, 0, sizeof(*sums));
	for (unsigned int part = 1; part <= parts; part++) {
		struct v9_session s;

		seed = which;
		make(&s, kinds, which & 1);
		if (parts > 1)
			v9_session_part(&s, part, parts);
		add(&s, sums);
		tap_eq(sums->bytes <= sizeof(bytes), true, "bytes_of_a_part");
		whole &= !v9_session_part_torn(&s);
		clean(&s);
	}
	return whole;
}

static void parts_are_the_whole(void)
{
	unsigned int gaps = 0, losses = 0, torn = 0;

	for (uint64_t which = 1; which < 60; which++) {
		struct sums want, got;

		divided(which, LOSS, 1, &want);
		gaps += want.skipped[V9_SPE_SKIP_GAP] > 0;
		losses += want.skipped[V9_SPE_SKIP_LOSS] > 0;
		for (unsigned int parts = 2; parts < 12; parts += 3) {
			tap_ok(divided(which, LOSS, parts, &got), "not_torn");
			tap_ok(!memcmp(&got, &want, sizeof(got)), "sums_of_parts");
		}
		/* A record that goes from one AUX record to the next may be at a border. */
		divided(which, SPLIT, 1, &want);
		for (unsigned int parts = 2; parts < 12; parts += 3) {
			if (!divided(which, SPLIT, parts, &got))
				torn++;
			else
				tap_ok(!memcmp(&got, &want, sizeof(got)), "sums_if_not_torn");
		}
	}
	tap_ok(gaps > 20 && losses > 20, "gaps_and_losses");
	tap_ok(torn > 5, "torn");
}

static void shares(void)
{
	unsigned int before = 0, wrong = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		const unsigned int part = v9_part_of(i, 1000, 7);

		wrong += part < before || part > before + 1 || part > 7;
		before = part;
	}
	tap_ok(!wrong && before == 7 && v9_part_of(0, 1000, 7) == 1, "shares");
	tap_eq(v9_part_of(0, 0, 7), 1, "part_of_nothing");
	tap_eq(v9_part_of(UINT64_MAX - 1, UINT64_MAX, 100000), 100000, "large_file");
}

int main(void)
{
	shares();
	parts_are_the_whole();
	return tap_done();
}
