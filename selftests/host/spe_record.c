// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packets to records: bytes typed from the format, fields out. Then what a
 * decoder meets in life: packets in any order, of unknown kind, split over two
 * stretches, damaged, missing.
 */
// link: tools/decode/spe.c lib/spe_pkt.c
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "../../tools/util.c"
#include "../../tools/decode/spe.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* A load at EL0, Non-secure, with all that a record can say. */
static const uint8_t full[] = {
	0xb0, 0x34, 0x12, 0xaa, 0xaa, 0xaa, 0xaa, 0x00, 0x80,	/* PC, NS, EL0 */
	0x65, 0x78, 0x56, 0x00, 0x00,				/* CONTEXTIDR_EL2 */
	0x64, 0x21, 0x43, 0x00, 0x00,				/* CONTEXTIDR_EL1 */
	0x49, 0x00,						/* load, general-purpose */
	0x52, 0x16, 0x01,					/* retired, L1D, TLB, LLC access */
	0x98, 0x2c, 0x01,					/* total 300 */
	0x99, 0x00, 0x00,					/* issue 0 */
	0x9a, 0x07, 0x00,					/* translation 7 */
	0xb2, 0x08, 0x00, 0xbb, 0xbb, 0xff, 0xff, 0x00, 0xf3,	/* data VA, tag 0xf3 */
	0xb3, 0x08, 0x50, 0x03, 0x40, 0x00, 0x00, 0x00, 0x80,	/* data PA, NS */
	0x43, 0x0e,						/* data source */
	0x71, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01,	/* timestamp */
};

static const uint8_t tiny[] = { 0x42, 0x02, 0x01 };	/* events, end */

/* A taken branch from the kernel at EL2 to EL0. */
static const uint8_t eret[] = {
	0xb0, 0x00, 0x10, 0x08, 0x80, 0x00, 0x80, 0xff, 0xc0,	/* PC, NS, EL2 */
	0xb1, 0x44, 0x33, 0x22, 0x11, 0x00, 0x00, 0x00, 0x80,	/* target, NS, EL0 */
	0xb4, 0x00, 0x20, 0x08, 0x80, 0x00, 0x80, 0xff, 0xc0,	/* target before */
	0x4a, 0x02, 0x42, 0x02, 0x01,
};

static struct v9_spe_dec dec;

/* All records of the bytes, fed in stretches of @step. Returns how many. */
static size_t decode(const uint8_t *p, size_t n, size_t step, uint64_t offset,
		     struct v9_spe_rec *out, size_t room)
{
	size_t got = 0, at = 0;
	struct v9_spe_rec rec;

	memset(&dec, 0xcd, sizeof(dec));
	v9_spe_dec_reset(&dec);
	while (at < n) {
		size_t part = n - at < step ? n - at : step;
		/* An exact copy, so that reading beyond it shows. */
		uint8_t *copy = malloc(part);

		memcpy(copy, p + at, part);
		v9_spe_dec_feed(&dec, copy, part, offset + at);
		while (v9_spe_dec_next(&dec, &rec)) {
			if (got < room)
				out[got] = rec;
			got++;
		}
		free(copy);
		at += part;
	}
	v9_spe_dec_end(&dec, V9_SPE_SKIP_CUT);
	v9_spe_dec_free(&dec);
	return got;
}

/* shows: SPE-PK2 SPE-CD1 SPE-CD7 SPE-CD16 */
static void test_full(void)
{
	struct v9_spe_rec r;

	tap_eq(decode(full, sizeof(full), sizeof(full), 0x1000, &r, 1), 1, "full_one_record");
	tap_eq(r.has, V9_SPE_HAS_PC | V9_SPE_HAS_VA | V9_SPE_HAS_PA | V9_SPE_HAS_EVENTS |
	       V9_SPE_HAS_OP | V9_SPE_HAS_LAT_TOTAL | V9_SPE_HAS_LAT_ISSUE | V9_SPE_HAS_LAT_XLAT |
	       V9_SPE_HAS_SOURCE | V9_SPE_HAS_CTX_EL1 | V9_SPE_HAS_CTX_EL2 | V9_SPE_HAS_TS,
	       "full_has");
	tap_eq(r.offset, 0x1000, "full_offset");
	tap_eq(r.size, sizeof(full), "full_size");
	tap_eq(r.pc.addr, 0xaaaaaaaa1234, "full_pc");
	tap_ok(r.pc.el == 0 && r.pc.ns && !r.pc.nse, "full_pc_state");
	tap_eq(r.op_class, 1, "full_class");
	tap_eq(r.op, 0, "full_op");
	tap_eq(r.events, 0x116, "full_events");
	tap_eq(r.lat[V9_SPE_LAT_TOTAL], 300, "full_total");
	tap_eq(r.lat[V9_SPE_LAT_ISSUE], 0, "full_issue");
	tap_eq(r.lat[V9_SPE_LAT_XLAT], 7, "full_translation");
	tap_eq(r.va, 0xffffbbbb0008, "full_va");
	tap_eq(r.va_tag, 0xf3, "full_tag");
	tap_eq(r.pa, 0x40035008, "full_pa");
	tap_eq(r.pa_top, 0x80, "full_pa_space");
	tap_eq(r.source, 0xe, "full_source");
	tap_eq(r.ctx[0], 0x4321, "full_context_el1");
	tap_eq(r.ctx[1], 0x5678, "full_context_el2");
	tap_eq(r.ts, 0x0123456789abcdef, "full_timestamp");
}

/* shows: SPE-CD5 */
static void test_branch(void)
{
	struct v9_spe_rec r;

	tap_eq(decode(eret, sizeof(eret), sizeof(eret), 0, &r, 1), 1, "branch_one_record");
	tap_eq(r.has, V9_SPE_HAS_PC | V9_SPE_HAS_TARGET | V9_SPE_HAS_PREV_TARGET |
	       V9_SPE_HAS_EVENTS | V9_SPE_HAS_OP, "branch_has");
	tap_eq(r.pc.addr, 0xffff800080081000, "branch_pc_canonical");
	tap_eq(r.pc.el, 2, "branch_pc_el");
	tap_eq(r.target.addr, 0x11223344, "branch_target");
	tap_eq(r.target.el, 0, "branch_target_el");
	tap_eq(r.prev_target.addr, 0xffff800080082000, "branch_target_before");
}

/* A field that is not there is absent, not zero. shows: SPE-CD9 SPE-CD14 SPE-PK7 */
static void test_absent(void)
{
	static const struct { const char *name; uint32_t has; uint8_t bytes[16]; size_t n; } rows[] = {
		{ "events_only", V9_SPE_HAS_EVENTS, { 0x42, 0x02, 0x01 }, 3 },
		{ "nothing", 0, { 0x01 }, 1 },
		{ "timestamp_only", V9_SPE_HAS_TS, { 0x71, 1, 2, 3, 4, 5, 6, 7, 8 }, 9 },
		{ "source_zero", V9_SPE_HAS_SOURCE, { 0x43, 0x00, 0x01 }, 3 },
		{ "issue_zero", V9_SPE_HAS_LAT_ISSUE, { 0x99, 0x00, 0x00, 0x01 }, 4 },
		{ "context_el1", V9_SPE_HAS_CTX_EL1, { 0x64, 0, 0, 0, 0, 0x01 }, 6 },
		{ "context_el2", V9_SPE_HAS_CTX_EL2, { 0x65, 0, 0, 0, 0, 0x01 }, 6 },
	};

	for (size_t i = 0; i < LEN(rows); i++) {
		struct v9_spe_rec r;
		size_t n = decode(rows[i].bytes, rows[i].n, rows[i].n, 0, &r, 1);

		tap_ok(n == 1 && r.has == rows[i].has && r.size == rows[i].n, "absent_%s",
		       rows[i].name);
		tap_eq(dec.acc.no_events, !(rows[i].has & V9_SPE_HAS_EVENTS),
		       "absent_%s_counted", rows[i].name);
	}
}

static bool same_code(const struct v9_spe_code *a, const struct v9_spe_code *b)
{
	return a->addr == b->addr && a->el == b->el && a->ns == b->ns && a->nse == b->nse;
}

static bool same(const struct v9_spe_rec *a, const struct v9_spe_rec *b)
{
	return a->size == b->size && a->has == b->has && a->va == b->va &&
	       a->pa == b->pa && a->events == b->events && a->ts == b->ts &&
	       same_code(&a->pc, &b->pc) && same_code(&a->target, &b->target) &&
	       same_code(&a->prev_target, &b->prev_target) &&
	       !memcmp(a->ctx, b->ctx, sizeof(a->ctx)) && !memcmp(a->lat, b->lat, sizeof(a->lat)) &&
	       a->source == b->source && a->op_class == b->op_class && a->op == b->op &&
	       a->va_tag == b->va_tag && a->pa_top == b->pa_top && a->unknown == b->unknown;
}

/* shows: SPE-PK2 */
static void test_order(void)
{
	/* start and size of each packet of the full record but the last */
	size_t start[16], size[16], n = 0, at = 0, bad = 0;
	uint8_t shuffled[sizeof(full)];
	struct v9_spe_rec want, r;

	decode(full, sizeof(full), sizeof(full), 0, &want, 1);
	while (full[at] != 0x71) {
		struct v9_spe_pkt pkt;

		start[n] = at;
		size[n] = (size_t)v9_spe_pkt_decode(full + at, sizeof(full) - at, at, &pkt);
		at += size[n++];
	}
	srand(1);
	for (int round = 0; round < 5000; round++) {
		size_t to = 0;

		for (size_t i = n; i > 1; i--) {
			size_t k = (size_t)rand() % i, s = start[i - 1], z = size[i - 1];

			start[i - 1] = start[k];
			size[i - 1] = size[k];
			start[k] = s;
			size[k] = z;
		}
		for (size_t i = 0; i < n; i++) {
			memcpy(shuffled + to, full + start[i], size[i]);
			to += size[i];
		}
		memcpy(shuffled + to, full + to, sizeof(full) - to);
		bad += decode(shuffled, sizeof(full), sizeof(full), 0, &r, 1) != 1 ||
		       !same(&r, &want);
	}
	tap_eq(bad, 0, "order_does_not_matter");
}

/* shows: SPE-PK5 SPE-PK9 */
static void test_unknown(void)
{
	static const uint8_t bytes[] = {
		0x42, 0x02,
		0x4b, 0x11,					/* reserved operation class */
		0x66, 0x01, 0x01, 0x01, 0x01,			/* reserved context */
		0x02,						/* no payload */
		0x9e, 0x71, 0x01,				/* counter 6 */
		0xb6, 1, 1, 1, 1, 1, 1, 1, 1,			/* address 6 */
		0x22, 0xb0, 1, 1, 1, 1, 1, 1, 1, 1,		/* address 16 */
		0x22, 0x98, 0x01, 0x01,				/* counter 16 */
		0x98, 0x05, 0x00,
		0x01,
	};
	struct v9_spe_rec r;

	tap_eq(decode(bytes, sizeof(bytes), sizeof(bytes), 0, &r, 1), 1, "unknown_one_record");
	tap_eq(r.unknown, 7, "unknown_counted");
	tap_eq(r.has, V9_SPE_HAS_EVENTS | V9_SPE_HAS_LAT_TOTAL, "unknown_leaves_no_field");
	tap_eq(r.lat[V9_SPE_LAT_TOTAL], 5, "unknown_skipped_by_size");
}

/* shows: SPE-PK3 SPE-PK8 */
static void test_between(void)
{
	uint8_t bytes[128];
	struct v9_spe_rec r[3];
	size_t n;

	/* Padding; at 0x7a an Alignment to 16 that leads to 0x80, with filler like an End. */
	memset(bytes, 0x01, sizeof(bytes));
	memset(bytes, 0x00, 7);
	memcpy(bytes + 7, tiny, 3);
	bytes[10] = 0x23;
	bytes[11] = 0x00;
	memcpy(bytes + 16, tiny, 3);
	n = decode(bytes, 19, 19, 0x70, r, 3);
	tap_eq(n, 2, "between_records");
	tap_ok(n == 2 && r[0].offset == 0x77 && r[1].offset == 0x80, "between_offsets");
	tap_eq(dec.acc.padding, 7 + 6, "between_counted");
	tap_eq(dec.acc.record_bytes, 6, "between_record_bytes");

	/* The same bytes elsewhere in the buffer: the filler is longer, the address decides. */
	n = decode(bytes, 128, 128, 0x71, r, 3);
	tap_ok(n >= 1 && r[0].offset == 0x78, "alignment_is_of_the_buffer");
	tap_eq(v9_spe_account_bytes(&dec.acc), 128, "alignment_accounts");
}

static size_t build(uint8_t *p, unsigned int records)
{
	size_t n = 0;

	for (unsigned int i = 0; i < records; i++) {
		memset(p + n, 0, 128);
		if (i % 3 == 0)
			memcpy(p + n, eret, sizeof(eret));
		else
			memcpy(p + n, full, sizeof(full));
		n += 128;
	}
	return n;
}

static void test_split(void)
{
	static uint8_t bytes[20 * 128 + 70000];
	static struct v9_spe_rec want[32], got[32];
	struct v9_spe_account acc;
	size_t n = build(bytes, 12), records, bad = 0;

	/* An Alignment command to 64 KiB among them, split in all places, too. */
	bytes[n] = 0x2f;
	bytes[n + 1] = 0x00;
	memset(bytes + n + 2, 0x5a, 65536 - n - 2);
	n = 65536 + build(bytes + 65536, 3);
	records = decode(bytes, n, n, 0, want, 32);
	acc = dec.acc;
	tap_eq(records, 15, "split_whole");
	for (size_t step = 1; step < 300; step++) {
		memset(got, 0, sizeof(got));
		bad += decode(bytes, n, step, 0, got, 32) != records ||
		       memcmp(&acc, &dec.acc, sizeof(acc));
		for (size_t i = 0; i < records; i++)
			bad += !same(&got[i], &want[i]) || got[i].offset != want[i].offset;
	}
	tap_eq(bad, 0, "split_anywhere");
}

static void test_gap(void)
{
	struct v9_spe_rec r;

	v9_spe_dec_reset(&dec);
	v9_spe_dec_feed(&dec, full, 20, 0);
	tap_eq(v9_spe_dec_next(&dec, &r), 0, "gap_waits");
	v9_spe_dec_feed(&dec, tiny, sizeof(tiny), 0x1000);
	tap_eq(v9_spe_dec_next(&dec, &r), 1, "gap_goes_on");
	tap_eq(r.has, V9_SPE_HAS_EVENTS, "gap_mixes_nothing");
	tap_eq(dec.acc.skipped[V9_SPE_SKIP_GAP], 20, "gap_bytes");
	tap_eq(dec.acc.skips[V9_SPE_SKIP_GAP], 1, "gap_once");
	v9_spe_dec_free(&dec);
}

/* Truncated is not corrupt. shows: SPE-ME12 */
static void test_cut(void)
{
	struct v9_spe_rec r[2];
	uint8_t two[sizeof(tiny) + sizeof(full)];
	size_t bad = 0;

	memcpy(two, tiny, sizeof(tiny));
	memcpy(two + sizeof(tiny), full, sizeof(full));
	for (size_t n = sizeof(tiny); n < sizeof(two); n++) {
		bad += decode(two, n, n, 0, r, 2) != 1 || r[0].has != V9_SPE_HAS_EVENTS;
		bad += dec.acc.skipped[V9_SPE_SKIP_CUT] != n - sizeof(tiny);
		bad += v9_spe_account_bytes(&dec.acc) != n;
	}
	tap_eq(bad, 0, "cut_anywhere");
}

static void test_damage(void)
{
	static uint8_t bytes[16 * 128];
	struct v9_spe_rec r[16];
	size_t n = build(bytes, 10), got, bad = 0;

	/* Record 6 begins with a pair that has no size: the padded length leads on. */
	bytes[6 * 128] = 0x20;
	bytes[6 * 128 + 1] = 0x20;
	got = decode(bytes, n, n, 0x4000, r, 16);
	tap_eq(got, 9, "damage_one_record_lost");
	tap_ok(got == 9 && r[6].offset == 0x4000 + 7 * 128 && same(&r[6], &r[1]),
	       "damage_next_is_whole");
	tap_eq(dec.acc.skipped[V9_SPE_SKIP_RESERVED], 128, "damage_bytes");
	tap_eq(v9_spe_account_bytes(&dec.acc), n, "damage_accounts");

	/* The record to go on with begins in the next stretch, or in the one behind that. */
	for (size_t cut = 6 * 128 + 2; cut <= 7 * 128; cut++) {
		uint64_t end = 0x4000 + cut + (7 * 128 - cut) / 2;

		v9_spe_dec_reset(&dec);
		v9_spe_dec_feed(&dec, bytes, cut, 0x4000);
		for (got = 0; v9_spe_dec_next(&dec, &r[got]); got++)
			;
		v9_spe_dec_feed(&dec, bytes + cut, end - 0x4000 - cut, 0x4000 + cut);
		bad += v9_spe_dec_next(&dec, &r[15]);
		v9_spe_dec_feed(&dec, bytes + (end - 0x4000), n - (end - 0x4000), end);
		for (; v9_spe_dec_next(&dec, &r[got]); got++)
			;
		v9_spe_dec_end(&dec, V9_SPE_SKIP_CUT);
		v9_spe_dec_free(&dec);
		bad += got != 9 || r[6].offset != 0x4000 + 7 * 128 || !same(&r[6], &r[1]) ||
		       dec.acc.skipped[V9_SPE_SKIP_RESERVED] != 128 ||
		       v9_spe_account_bytes(&dec.acc) != n;
	}
	tap_eq(bad, 0, "damage_up_to_a_later_stretch");

	/* Unaligned records: the way back is the next end of a record. */
	memcpy(bytes, "\x42\x02\x01\x42\x02\x20\x20\x01\x42\x02\x01", 11);
	got = decode(bytes, 11, 11, 0, r, 16);
	tap_eq(got, 2, "damage_unaligned");
	tap_eq(dec.acc.skipped[V9_SPE_SKIP_RESERVED], 5, "damage_unaligned_bytes");

	/* Packets without an end. */
	for (size_t i = 0; i < sizeof(bytes); i += 2)
		memcpy(bytes + i, "\x42\x02", 2);
	got = decode(bytes, sizeof(bytes), 100, 0, r, 16);
	tap_eq(got, 0, "endless_gives_none");
	got = decode(bytes, sizeof(bytes), 2, 0, r, 16);
	tap_ok(!got && v9_spe_account_bytes(&dec.acc) == sizeof(bytes), "endless_accounts");
}

#define KEPT	16

/*
 * Whatever the bytes: it ends, each byte is accounted for, stretches make no difference. One byte
 * at a time is the careful lane alone, all at once the fast one where that can be.
 */
static void test_random(void)
{
	static struct v9_spe_rec whole[KEPT], split[KEPT];
	size_t bad_records = 0;
	static const uint8_t likely[] = { 0x00, 0x01, 0x20, 0x21, 0x2f, 0x42, 0x49, 0x64, 0x71, 0x98,
					  0xb0, 0xb2 };
	uint8_t bytes[600];
	struct v9_spe_account acc;
	size_t bad_sum = 0, bad_split = 0;

	srand(2);
	for (int round = 0; round < 20000; round++) {
		size_t n = 1 + (size_t)rand() % sizeof(bytes);
		size_t step = 1 + (size_t)rand() % n, records;

		for (size_t i = 0; i < n; i++)
			bytes[i] = rand() % 2 ? (uint8_t)rand() :
						likely[(size_t)rand() % LEN(likely)];
		records = decode(bytes, n, n, 0x40, whole, KEPT);
		acc = dec.acc;
		bad_sum += v9_spe_account_bytes(&acc) != n || acc.records != records;
		bad_split += decode(bytes, n, step, 0x40, NULL, 0) != records ||
			     memcmp(&acc, &dec.acc, sizeof(acc));
		if (round % 8)
			continue;
		decode(bytes, n, 1, 0x40, split, KEPT);
		for (size_t i = 0; i < records && i < KEPT; i++)
			bad_records += !same(&whole[i], &split[i]) ||
				       whole[i].offset != split[i].offset;
	}
	tap_eq(bad_sum, 0, "random_accounts");
	tap_eq(bad_split, 0, "random_split");
	tap_eq(bad_records, 0, "random_both_lanes_agree");
}

int main(void)
{
	test_full();
	test_branch();
	test_absent();
	test_order();
	test_unknown();
	test_between();
	test_split();
	test_gap();
	test_cut();
	test_damage();
	test_random();
	return tap_done();
}
