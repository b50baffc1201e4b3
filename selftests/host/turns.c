// SPDX-License-Identifier: GPL-2.0-only
/*
 * tools/capture/turns.c: the parts of a stream in which one task ran, and their times. A stream
 * with a part for each reason, whole and in pieces of each size.
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/capture/turns.h"

#define SYNC		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define INFO		0x01, 0x00
#define ON		0x04
/* Address 0x1000 with context: Non-secure EL0, A64; with a context ID of 8 bits besides */
#define AT		0x82, 0x00, 0x08, 0x00, 0x00, 0x30
#define AT_OF(id)	0x82, 0x00, 0x08, 0x00, 0x00, 0xb0, (id), 0x00, 0x00, 0x00
#define E		0xf7
#define STAMP(t)	0x02, (t)	/* the low 7 bits of the timestamp */

/* ns = 1000 + (count << 4) */
static const struct v9_session session = {
	.has_conv = true, .conv = { .shift = 4, .mult = 256, .zero = 1000, .zero_valid = 1 },
};

static const uint8_t bytes[] = {
	SYNC, INFO,				/* 0 */
	ON, AT, E, STAMP(1), E, STAMP(2),	/* 14 */
	ON, AT, E,				/* 27: without a timestamp */
	ON, AT, E, STAMP(3), E,			/* 35 */
	AT_OF(9), E, STAMP(4),			/* 46 */
	AT_OF(9), E, STAMP(5),			/* 59: the same id */
	AT_OF(7), E,				/* 72: to the end, 83 */
};

static const struct v9_turn want[] = {
	{ 14, 1016 },		/* the time of the part after it */
	{ 27, 1016 }, { 35, 1048 }, { 46, 1048 }, { 72, 1064 }, { 83, 5000 },
};

static void feed(struct v9_turns *t, size_t from, size_t n)
{
	uint8_t *copy = malloc(n);	/* so that sanitizers find reads beyond it */

	memcpy(copy, bytes + from, n);
	v9_turns_feed(t, copy, n, from, 5000);
	free(copy);
}

static const struct v9_ete_setup setup = {
	.size = sizeof(setup), .trcidr0 = 0x28000ea1, .trcidr2 = 0xd0001088,
	.trcdevarch = 0x47725a13, .trcconfigr = 1 << 6 | 1 << 11,	/* CID, TS */
};

/* Parts of the bytes from @at on, as "END:TIME END:TIME" */
static void expect(struct v9_turns *t, const uint8_t *p, size_t n, size_t at, const char *parts, const char *name)
{
	char got[256] = "";
	size_t len = 0;

	v9_turns_feed(t, p, n, at, 5000);
	for (size_t i = 0; i < t->nr && len < sizeof(got); i++)
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%llu:%llu", len ? " " : "",
					(unsigned long long)t->turn[i].end, (unsigned long long)t->turn[i].time);
	if (!tap_ok(!strcmp(got, parts), "%s", name))
		tap_note("%s", got);
}

/* Behind a gap, and behind a reserved header (0x55), nothing is decoded up to the next synchronization. */
static void losses(void)
{
	static const uint8_t gap[] = { INFO, ON, AT_OF(8), E, STAMP(6), SYNC, INFO, ON, AT_OF(7), E, STAMP(7) };
	static const uint8_t bad[] = { SYNC, INFO, ON, AT, E, STAMP(1), 0x55, INFO, ON, AT_OF(8), E, STAMP(2),
				       SYNC, INFO, ON, AT_OF(7), E, STAMP(3) };
	static const uint8_t cut[] = { SYNC, INFO, ON, AT_OF(8), E, STAMP(1), 0x82, 0, 0, 0, 0 };
	static const uint8_t zeros[] = { 0, 0, 0, 0, 0, 0, 0, 0x80, INFO, ON, AT_OF(7), E, STAMP(2) };
	/* A packet that begins with 0, of a kind that is reserved, and one that goes on in a third piece */
	static const uint8_t one[] = { SYNC, INFO, ON, AT_OF(8), E, STAMP(1), 0 };
	static const uint8_t two[] = { E, ON, AT_OF(9), E, STAMP(6), SYNC, INFO, ON, AT_OF(7), E, STAMP(7) };
	static const uint8_t none[7], end[] = { 0x80, INFO, ON, AT_OF(7), E, STAMP(3) };
	struct v9_turns t = { 0 };

	v9_turns_start(&t, &session, &setup);
	expect(&t, bytes, 35, 0, "14:1016 27:1016 35:5000", "before_a_gap");
	expect(&t, gap, sizeof(gap), 100, "130:1112 131:1112 144:1112", "behind_a_gap");
	v9_turns_free(&t);

	v9_turns_start(&t, &session, &setup);
	expect(&t, bad, sizeof(bad), 0, "14:1016 55:1016 56:1048 69:1048", "behind_a_reserved_header");
	v9_turns_free(&t);

	/* What was held before a gap is no part of what follows. */
	v9_turns_start(&t, &session, &setup);
	expect(&t, cut, sizeof(cut), 0, "14:1016 15:1016 33:1016", "before_a_gap_in_a_packet");
	expect(&t, gap, sizeof(gap), 100, "130:1016 131:1112 144:1112", "behind_a_gap_in_a_packet");
	v9_turns_free(&t);
	v9_turns_start(&t, &session, &setup);
	expect(&t, cut, sizeof(cut), 0, "14:1016 15:1016 33:1016", "before_a_gap_in_zeros");
	expect(&t, zeros, sizeof(zeros), 100, "124:1016", "zeros_before_a_gap_do_not_count");
	v9_turns_free(&t);

	v9_turns_start(&t, &session, &setup);
	expect(&t, one, sizeof(one), 0, "14:1016 15:1016 29:1016", "before_a_reserved_packet");
	expect(&t, two, sizeof(two), 29, "58:1016 59:1112 72:1112", "behind_a_reserved_packet");
	v9_turns_free(&t);

	/* 12 zeros, of which the last 11 are the beginning of a synchronization */
	v9_turns_start(&t, &session, &setup);
	expect(&t, none, 5, 0, "5:5000", "first_zeros");
	expect(&t, none, 7, 5, "12:5000", "more_zeros");
	expect(&t, end, sizeof(end), 12, "15:1048 16:1048 29:1048", "end_of_the_synchronization");
	v9_turns_free(&t);
}

int main(void)
{
	struct v9_turns t = { 0 };
	bool right = true, cut = true;

	tap_eq(sizeof(bytes), 83, "stream");
	v9_turns_start(&t, &session, &setup);
	feed(&t, 0, sizeof(bytes));
	tap_eq(t.nr, V9_ARRAY_SIZE(want), "turns");
	for (size_t i = 0; i < t.nr && i < V9_ARRAY_SIZE(want); i++) {
		tap_eq(t.turn[i].end, want[i].end, "turn_%zu_end", i);
		tap_eq(t.turn[i].time, want[i].time, "turn_%zu_time", i);
	}
	/* Each piece is covered by parts up to its end, in ascending order. */
	for (size_t step = 1; step < sizeof(bytes); step++) {
		unsigned int ons = 0;
		uint64_t at = 0;

		v9_turns_free(&t);
		v9_turns_start(&t, &session, &setup);
		for (size_t from = 0; from < sizeof(bytes); from += step) {
			const size_t n = sizeof(bytes) - from < step ? sizeof(bytes) - from : step;

			feed(&t, from, n);
			for (size_t i = 0; i < t.nr; i++) {
				right &= t.turn[i].end > at && t.turn[i].time;
				at = t.turn[i].end;
				/* where Trace On is */
				ons += at == 14 || at == 27 || at == 35;
			}
			right &= at == from + n;
		}
		cut &= ons == 3;
	}
	tap_ok(right, "pieces_are_covered");
	tap_ok(cut, "pieces_are_cut_where_the_whole_is");
	v9_turns_free(&t);
	losses();
	return tap_done();
}
