// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packets to records: bytes typed from the format, compared with the fields of the record. Then
 * other input: packets in any order, of unknown kind, split over two feeds, damaged, missing.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include <v9trace/gen/spe_source.h>

#include "../../tools/util.c"
#include "../../tools/lib/spe.h"
#include "../../tools/lib/spe_text.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* A load at EL0, Non-secure, with all packets */
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
	0xb4, 0x00, 0x20, 0x08, 0x80, 0x00, 0x80, 0xff, 0xc0,	/* previous branch target */
	0x4a, 0x02, 0x42, 0x02, 0x01,
};

static struct v9_spe_dec dec;

/* Decodes all records, in feeds of @step bytes. Returns their number. */
static size_t decode(const uint8_t *p, size_t n, size_t step, uint64_t offset,
		     struct v9_spe_rec *out, size_t room)
{
	size_t got = 0, at = 0;
	struct v9_spe_rec rec;

	memset(&dec, 0xcd, sizeof(dec));
	v9_spe_dec_reset(&dec);
	while (at < n) {
		size_t part = n - at < step ? n - at : step;
		/* A copy of exact size, so that sanitizers find reads beyond it */
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
	tap_eq(r.has, V9_SPE_REC_PC | V9_SPE_REC_VA | V9_SPE_REC_PA | V9_SPE_REC_EVENTS |
	       V9_SPE_REC_OP | V9_SPE_REC_LAT_TOTAL | V9_SPE_REC_LAT_ISSUE | V9_SPE_REC_LAT_XLAT |
	       V9_SPE_REC_SOURCE | V9_SPE_REC_CTX_EL1 | V9_SPE_REC_CTX_EL2 | V9_SPE_REC_TS,
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
	tap_eq(r.has, V9_SPE_REC_PC | V9_SPE_REC_TARGET | V9_SPE_REC_PREV_TARGET |
	       V9_SPE_REC_EVENTS | V9_SPE_REC_OP, "branch_has");
	tap_eq(r.pc.addr, 0xffff800080081000, "branch_pc_canonical");
	tap_eq(r.pc.el, 2, "branch_pc_el");
	tap_eq(r.target.addr, 0x11223344, "branch_target");
	tap_eq(r.target.el, 0, "branch_target_el");
	tap_eq(r.prev_target.addr, 0xffff800080082000, "branch_target_before");
}

/* Counter 4 is a field, on both paths of the decoder; 3 and 5 are reserved. */
static void test_alternate_clock(void)
{
	static const uint8_t one[] = {
		0xb0, 0x34, 0x12, 0xaa, 0xaa, 0xaa, 0xaa, 0x00, 0x80,
		0x48, 0x88, 0x42, 0x02, 0x98, 0x2c, 0x01, 0x99, 0x05, 0x00,
		0x9c, 0x34, 0x12,			/* issue, by the alternate clock */
		0x9b, 0x01, 0x00, 0x9d, 0x02, 0x00, 0x01 };
	static const uint8_t plain[] = { 0x98, 0x2c, 0x01, 0x99, 0x05, 0x00, 0x9c, 0x78, 0x56, 0x01 };
	static uint8_t bytes[64 * 16];
	static struct v9_spe_rec r[64 * 2];
	size_t n, bad = 0;

	tap_eq(decode(one, sizeof(one), sizeof(one), 0, r, 1), 1, "alternate_clock_one_record");
	tap_eq(r[0].has, V9_SPE_REC_PC | V9_SPE_REC_OP | V9_SPE_REC_EVENTS | V9_SPE_REC_LAT_TOTAL |
	       V9_SPE_REC_LAT_ISSUE | V9_SPE_REC_LAT_ALT, "alternate_clock_has");
	tap_eq(r[0].lat_alt, 0x1234, "alternate_clock_value");
	tap_eq(r[0].lat[V9_SPE_LAT_ISSUE], 5, "alternate_clock_beside_issue");
	tap_eq(r[0].unknown, 2, "alternate_clock_3_and_5_reserved");
	/* Every other record has it: without it the field is 0. */
	for (size_t i = 0; i < 64; i++)
		memcpy(bytes + 16 * i, plain, sizeof(plain));
	for (size_t i = 1; i < 64; i += 2)
		memset(bytes + 16 * i + 6, 0, 3);
	for (size_t step = 1; step <= sizeof(bytes); step += step < 100 ? 1 : 333) {
		n = decode(bytes, sizeof(bytes), step, 0, r, LEN(r));
		bad += n != 64;
		for (size_t i = 0; i < n && i < LEN(r); i++)
			bad += r[i].lat_alt != (i % 2 ? 0 : 0x5678) || r[i].unknown ||
			       (r[i].has & V9_SPE_REC_LAT_ALT) != (i % 2 ? 0 : V9_SPE_REC_LAT_ALT);
	}
	tap_eq(bad, 0, "alternate_clock_each_lane");
}

/*
 * Byte 7 of a data address is a tag if it is neither 0 nor the sign extension of the address.
 * shows: SPE-CD7
 */
static void test_tag(void)
{
	static const struct { const char *name; uint8_t byte6, byte7; uint64_t va; bool tag; } rows[] = {
		{ "user", 0x00, 0x00, 0x0000111111111111, false },
		{ "user_tag", 0x00, 0x5a, 0x0000111111111111, true },
		{ "user_tag_ff", 0x00, 0xff, 0x0000111111111111, true },
		{ "kernel_address_bits", 0xff, 0xff, 0xffff111111111111, false },
		{ "kernel_zero", 0xff, 0x00, 0xffff111111111111, false },
		{ "kernel_tag", 0xff, 0xf3, 0xffff111111111111, true },
	};

	for (size_t i = 0; i < LEN(rows); i++) {
		const uint8_t bytes[] = { 0xb2, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, rows[i].byte6,
					  rows[i].byte7, 0x01 };
		struct v9_spe_rec r;

		decode(bytes, sizeof(bytes), sizeof(bytes), 0, &r, 1);
		tap_ok(r.va == rows[i].va && r.va_tag == rows[i].byte7 &&
		       v9_spe_tagged(&r) == rows[i].tag, "tag_%s", rows[i].name);
	}
}

/* A field without a packet is marked as absent. shows: SPE-CD9 SPE-CD14 SPE-PK7 */
static void test_absent(void)
{
	static const struct { const char *name; uint32_t has; uint8_t bytes[16]; size_t n; } rows[] = {
		{ "events_only", V9_SPE_REC_EVENTS, { 0x42, 0x02, 0x01 }, 3 },
		{ "nothing", 0, { 0x01 }, 1 },
		{ "timestamp_only", V9_SPE_REC_TS, { 0x71, 1, 2, 3, 4, 5, 6, 7, 8 }, 9 },
		{ "source_zero", V9_SPE_REC_SOURCE, { 0x43, 0x00, 0x01 }, 3 },
		{ "issue_zero", V9_SPE_REC_LAT_ISSUE, { 0x99, 0x00, 0x00, 0x01 }, 4 },
		/* a gather whose element was not active, an SVE load likewise */
		{ "gather_address", V9_SPE_REC_OP, { 0x49, 0x8c, 0x01 }, 3 },
		{ "sve_address", V9_SPE_REC_OP, { 0x49, 0x0c, 0x01 }, 3 },
		{ "context_el1", V9_SPE_REC_CTX_EL1, { 0x64, 0, 0, 0, 0, 0x01 }, 6 },
		{ "context_el2", V9_SPE_REC_CTX_EL2, { 0x65, 0, 0, 0, 0, 0x01 }, 6 },
	};

	for (size_t i = 0; i < LEN(rows); i++) {
		struct v9_spe_rec r;
		size_t n = decode(rows[i].bytes, rows[i].n, rows[i].n, 0, &r, 1);

		tap_ok(n == 1 && r.has == rows[i].has && r.size == rows[i].n, "absent_%s",
		       rows[i].name);
		tap_eq(dec.acc.no_events, !(rows[i].has & V9_SPE_REC_EVENTS),
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
	       a->va_tag == b->va_tag && a->pa_top == b->pa_top && a->unknown == b->unknown &&
	       a->lat_alt == b->lat_alt;
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
	tap_eq(r.has, V9_SPE_REC_EVENTS | V9_SPE_REC_LAT_TOTAL, "unknown_leaves_no_field");
	tap_eq(r.lat[V9_SPE_LAT_TOTAL], 5, "unknown_skipped_by_size");
}

/* The bytes of such packets are kept, for each size of feeds. shows: SPE-PK5 SPE-PK9 */
static void test_raw(void)
{
	static const uint8_t bytes[] = {
		0x42, 0x02,
		0x4b, 0x11,
		0x67, 0x04, 0x03, 0x02, 0x01,
		0x02,
		0x22, 0xb5, 8, 7, 6, 5, 4, 3, 2, 1,		/* address 21 */
		0x9f, 0x34, 0x12,				/* counter 7 */
		0x01,
		0x42, 0x02, 0x01,
	};
	static const struct v9_spe_raw want[] = {
		{ 0x11, { 0x4b, 0 }, 1, 1 },
		{ 0x01020304, { 0x67, 0 }, 1, 4 },
		{ 0, { 0x02, 0 }, 1, 0 },
		{ 0x0102030405060708, { 0x22, 0xb5 }, 2, 8 },
		{ 0x1234, { 0x9f, 0 }, 1, 2 },
	};
	size_t bad = 0, bad_next = 0;

	for (size_t step = 1; step <= sizeof(bytes); step++) {
		const struct v9_spe_raw *raw;
		struct v9_spe_rec r;
		size_t at = 0, got = 0, n;

		v9_spe_dec_reset(&dec);
		for (; at < sizeof(bytes); at += step) {
			v9_spe_dec_feed(&dec, bytes + at,
					sizeof(bytes) - at < step ? sizeof(bytes) - at : step, at);
			while (v9_spe_dec_next(&dec, &r)) {
				n = v9_spe_dec_raw(&dec, &raw);
				if (got++) {
					bad_next += n != 0;
					continue;
				}
				bad += n != LEN(want) || r.unknown != LEN(want);
				for (size_t i = 0; i < LEN(want) && i < n; i++)
					bad += raw[i].payload != want[i].payload ||
					       memcmp(raw[i].header, want[i].header, 2) ||
					       raw[i].header_size != want[i].header_size ||
					       raw[i].payload_size != want[i].payload_size;
			}
		}
		v9_spe_dec_free(&dec);
		bad += got != 2;
	}
	tap_eq(bad, 0, "raw_kept");
	tap_eq(bad_next, 0, "raw_of_its_record_only");
}

static void test_raw_many(void)
{
	uint8_t bytes[1003];
	const struct v9_spe_raw *raw;
	struct v9_spe_rec r;

	memset(bytes, 0x02, sizeof(bytes));
	memcpy(bytes, "\x42\x02", 2);
	bytes[sizeof(bytes) - 1] = 0x01;
	tap_eq(decode(bytes, sizeof(bytes), sizeof(bytes), 0, &r, 1), 1, "raw_many_one_record");
	tap_eq(v9_spe_dec_raw(&dec, &raw), 1000, "raw_many_counted");
	tap_eq(r.unknown, 255, "raw_many_do_not_wrap");
	tap_eq(dec.acc.unknown_packets, 1000, "raw_many_in_the_account");
}

/* Payloads of Operation Type packets and their meaning, typed. shows: SPE-PK5 */
static void test_ops(void)
{
	static const struct { uint8_t class, op; const char *text; } rows[] = {
		{ 0, 0x00, "other" }, { 0, 0x01, "other cond" }, { 0, 0x02, "other fp" },
		{ 0, 0x04, "other ase" }, { 0, 0x07, "other cond fp ase" },
		{ 0, 0x08, "other sve evl=32" }, { 0, 0x0a, "other sve evl=32 fp" },
		{ 0, 0x2c, "other sve evl=128 pred" }, { 0, 0x7e, "other sve evl>2048 pred fp" },
		{ 0, 0x88, "other sme ets=128" }, { 0, 0x8c, "other sme ets=256" },
		{ 0, 0x98, "other sme ets=512" }, { 0, 0xba, "other sme ets=8192 fp" },
		{ 0, 0xdc, "other sme ets=262144" }, { 0, 0xe8, "other sme ets=0xc" },
		{ 0, 0xec, "other sme ets=0xd" }, { 0, 0xf8, "other sme ets=0xe" },
		{ 0, 0xfc, "other sme ets=za" }, { 0, 0xfe, "other sme ets=za fp" },
		{ 0, 0x80, "other 0x80" }, { 0, 0x09, "other 0x09" },
		{ 1, 0x00, "load" }, { 1, 0x01, "store" },
		{ 1, 0x04, "load simd_fp" }, { 1, 0x05, "store simd_fp" },
		{ 1, 0x06, "load atomic" }, { 1, 0x07, "store atomic" },
		{ 1, 0x0a, "load excl" }, { 1, 0x13, "store acq_rel" },
		{ 1, 0x1e, "load atomic excl acq_rel" },
		{ 1, 0x10, "load unspecified" }, { 1, 0x11, "store unspecified" },
		{ 1, 0x14, "load mte_tag" }, { 1, 0x15, "store mte_tag" },
		{ 1, 0x20, "load memcpy" }, { 1, 0x21, "store memcpy" }, { 1, 0x25, "store memset" },
		{ 1, 0x30, "load nv_sysreg" }, { 1, 0x31, "store nv_sysreg" },
		{ 1, 0x40, "load gcs" }, { 1, 0x45, "store gcs common" },
		{ 1, 0x08, "load sve_sme evl=32" }, { 1, 0x1d, "store sve_sme pred evl=64" },
		{ 1, 0x88, "load sve_sme evl=32 gather" }, { 1, 0x69, "store sve_sme evl=2048" },
		{ 1, 0x78, "load sve_sme evl>2048" }, { 1, 0x7d, "store sve_sme pred evl>2048" },
		{ 1, 0x24, "load 0x24" }, { 1, 0xc1, "store 0xc1" },
		{ 2, 0x00, "branch" }, { 2, 0x01, "branch cond" }, { 2, 0x02, "branch indirect" },
		{ 2, 0x0a, "branch indirect call" }, { 2, 0x12, "branch indirect return" },
		{ 2, 0x16, "branch indirect gcs return" }, { 2, 0x18, "branch other_cr" },
		{ 2, 0x20, "branch 0x20" },
		{ 3, 0x01, "class3 0x01" },
	};
	char text[128];

	for (size_t i = 0; i < LEN(rows); i++) {
		v9_spe_op(text, sizeof(text), rows[i].class, rows[i].op);
		tap_ok(!strcmp(text, rows[i].text), "op_%u_%02x", rows[i].class, rows[i].op);
	}
}

static void test_events(void)
{
	static const char *const names[64] = {
		"exception", "retired", "l1d_access", "l1d_refill", "tlb_access", "tlb_walk",
		"not_taken", "mispredicted", "llc_access", "llc_miss", "remote_access", "misaligned",
		[16] = "transaction", "partial_pred", "empty_pred", "l2d_access", "l2d_miss",
		"data_modified", "recently_fetched", "snooped", "streaming", "smcu",
	};
	static const struct { uint8_t header, size; } headers[] = {
		{ 0x42, 1 }, { 0x52, 2 }, { 0x62, 4 }, { 0x72, 8 } };
	size_t bad = 0, bad_names = 0;
	char text[1024], number[16];
	struct v9_spe_rec r;

	/* Each event bit in each size of packet sets exactly that bit. */
	for (unsigned int bit = 0; bit < 64; bit++) {
		for (size_t k = 0; k < LEN(headers); k++) {
			uint8_t bytes[10] = { headers[k].header };

			if (bit >= 8u * headers[k].size)
				continue;
			bytes[1 + bit / 8] = (uint8_t)(1 << bit % 8);
			bytes[1 + headers[k].size] = 0x01;
			bad += decode(bytes, 2u + headers[k].size, sizeof(bytes), 0, &r, 1) != 1 ||
			       r.events != UINT64_C(1) << bit || r.has != V9_SPE_REC_EVENTS;
		}
		snprintf(number, sizeof(number), "e%u", bit);
		v9_spe_events(text, sizeof(text), UINT64_C(1) << bit);
		if (names[bit])
			bad_names += strcmp(text, names[bit]) != 0;
		else if (bit >= 32 && bit < 48)
			bad_names += strcmp(text, number) != 0;
		else
			bad_names += strncmp(text, "impdef", 6) || (unsigned int)atoi(text + 6) != bit;
	}
	tap_eq(bad, 0, "events_each_bit");
	tap_eq(bad_names, 0, "events_names");
	/* Of a withdrawn feature; of SVE and SME; of loads */
	tap_ok(strstr(v9_spe_event_text(16), "withdrawn"), "event_text_16");
	tap_ok(!v9_spe_event_text(64) && !v9_spe_event_name(64), "no_event_64");
	for (unsigned int bit = 17; bit < 24; bit++)
		tap_ok(strstr(v9_spe_event_text(bit), bit < 19 ? "SVE or SME" : "load:"),
		       "event_text_%u", bit);
	v9_spe_events(text, sizeof(text), ~UINT64_C(0));
	tap_ok(strstr(text, "exception retired") == text && strstr(text, "e47") &&
	       strstr(text, "impdef63"), "events_all");
}

/* The meaning of a data source depends on the core. */
static void test_sources(void)
{
	static const struct { uint64_t midr; uint16_t source; const char *name; } rows[] = {
		{ 0x414fd0c1, 0x0, "l1d" },			/* Neoverse N1 */
		{ 0x411fd400, 0x8, "l2d" },			/* V1 */
		{ 0x410fd490, 0x9, "peer_core" },		/* N2 */
		{ 0x410fd4f0, 0xa, "local_cluster" },		/* V2 */
		{ 0x410fd8e0, 0xb, "sys_cache" },		/* N3 */
		{ 0x410fd840, 0xc, "peer_cluster" },		/* V3 */
		{ 0x4e0f0100, 0xd, "remote" },			/* Olympus */
		{ 0x410fd850, 0xe, "dram" },			/* Cortex-X925 */
		{ 0xc00fac40, 0x0, "local_chip" },		/* AmpereOne */
		{ 0xc00fac40, 0x7, "dram" }, { 0xc00fac40, 0x8, "l1d" },
		{ 0x480fd060, 0x8, "dram" }, { 0x480fd060, 0x12, "l1d" },	/* HIP12 */
		{ 0x480fd060, 0x5, "peer_cluster_modified" },
		{ 0x410fd4f0, 0x1, NULL },			/* not used */
		{ 0x410fd030, 0x0, NULL },			/* a core that is not known */
		{ 0x510f8000, 0x8, NULL },
	};

	for (size_t i = 0; i < LEN(rows); i++) {
		const unsigned int set = v9_spe_source_set(rows[i].midr);
		const char *name = v9_spe_source(set, rows[i].source);

		tap_ok(rows[i].name ? name && !strcmp(name, rows[i].name) : !name,
		       "source_%08llx_%x", (unsigned long long)rows[i].midr, rows[i].source);
	}
	tap_eq(v9_spe_source_set(0), V9_SPE_SET_UNKNOWN, "source_no_midr");
}

/*
 * Each core whose numbers are known, by MIDR_EL1 as its manual gives it, and the name of one number
 * that no other set has. No other combination of implementer and part has a set.
 */
static void test_source_cores(void)
{
	static const struct { uint32_t midr; uint16_t source; const char *name, *core; } rows[] = {
		{ 0x000f0510, 0xa, "local_cluster", "qemu_max" },
		{ 0x413fd0c1, 0xa, "local_cluster", "neoverse_n1" },
		{ 0x411fd402, 0xa, "local_cluster", "neoverse_v1" },
		{ 0x410fd493, 0xa, "local_cluster", "neoverse_n2" },
		{ 0x410fd4c2, 0xa, "local_cluster", "cortex_x1c" },
		{ 0x411fd4e0, 0xa, "local_cluster", "cortex_x3" },
		{ 0x410fd4f2, 0xa, "local_cluster", "neoverse_v2" },
		{ 0x410fd811, 0xa, "local_cluster", "cortex_a720" },
		{ 0x410fd821, 0xa, "local_cluster", "cortex_x4" },
		{ 0x410fd830, 0xa, "local_cluster", "neoverse_v3ae" },
		{ 0x410fd841, 0xa, "local_cluster", "neoverse_v3" },
		{ 0x410fd851, 0xa, "local_cluster", "cortex_x925" },
		{ 0x410fd871, 0xa, "local_cluster", "cortex_a725" },
		{ 0x410fd890, 0xa, "local_cluster", "cortex_a720ae" },
		{ 0x410fd8e0, 0xa, "local_cluster", "neoverse_n3" },
		{ 0x4e0f0100, 0xa, "local_cluster", "olympus" },
		{ 0x6d0fd490, 0xa, "local_cluster", "cobalt_100" },
		{ 0xc00fac40, 0x3, "sys_cache", "ampere1a" },
		{ 0x480fd060, 0xd, "device", "hip12" },
	};
	unsigned int known = 0;

	for (size_t i = 0; i < LEN(rows); i++) {
		const char *name = v9_spe_source(v9_spe_source_set(rows[i].midr), rows[i].source);

		tap_ok(name && !strcmp(name, rows[i].name), "source_of_%s", rows[i].core);
	}
	for (uint64_t implementer = 0; implementer < 256; implementer++)
		for (uint64_t part = 0; part < 4096; part++)
			known += v9_spe_source_set(implementer << 24 | 0xf0000 | part << 4) !=
				 V9_SPE_SET_UNKNOWN;
	tap_eq(known, LEN(rows), "source_of_no_other_core");
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

	/* The same bytes at another offset: the alignment, and so the padding, is longer. */
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
	tap_eq(v9_spe_dec_next(&dec, &r), 1, "gap_continues");
	tap_eq(r.has, V9_SPE_REC_EVENTS, "gap_mixes_nothing");
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
		bad += decode(two, n, n, 0, r, 2) != 1 || r[0].has != V9_SPE_REC_EVENTS;
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

	/*
	 * Record 6 begins with an invalid header: decoding continues at the next multiple of the
	 * size.
	 */
	bytes[6 * 128] = 0x20;
	bytes[6 * 128 + 1] = 0x20;
	got = decode(bytes, n, n, 0x4000, r, 16);
	tap_eq(got, 9, "damage_one_record_lost");
	tap_ok(got == 9 && r[6].offset == 0x4000 + 7 * 128 && same(&r[6], &r[1]),
	       "damage_next_is_whole");
	tap_eq(dec.acc.skipped[V9_SPE_SKIP_RESERVED], 128, "damage_bytes");
	tap_eq(v9_spe_account_bytes(&dec.acc), n, "damage_accounts");

	/* The next record begins in the next feed, or in the one after it. */
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
	tap_eq(bad, 0, "damage_ends_before_later_records");

	/* Unaligned records: decoding continues after the next end of a record. */
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
 * Random bytes: decoding ends, each byte is accounted for, and the result does not depend on the
 * sizes of feeds. Feeds of one byte use the slow path only, one feed uses the fast path if
 * possible.
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

#define SHAPES	(2 * V9_SPE_SHAPES)	/* more than the decoder remembers */
#define MANY	4000

/*
 * Records with a few sequences of packets and random values. The decoder caches sequences; the
 * result must be the same as without the cache, which feeds of one byte do not use. Records begin
 * at multiples of @align, in the last quarter not always: then the cached padding is wrong.
 */
static void test_shapes(size_t align)
{
	static const struct { uint8_t header, size; } packets[] = {
		{ 0xb0, 8 }, { 0xb1, 8 }, { 0xb2, 8 }, { 0xb3, 8 }, { 0xb4, 8 }, { 0x64, 4 },
		{ 0x65, 4 }, { 0x48, 1 }, { 0x49, 1 }, { 0x4a, 1 }, { 0x42, 1 }, { 0x52, 2 },
		{ 0x62, 4 }, { 0x72, 8 }, { 0x98, 2 }, { 0x99, 2 }, { 0x9a, 2 }, { 0x43, 1 },
		{ 0x53, 2 }, { 0x9c, 2 }, { 0x00, 0 },
	};
	static uint8_t bytes[MANY * 160];
	static struct v9_spe_rec whole[MANY], split[MANY];
	struct v9_spe_account acc;
	uint8_t shape[SHAPES][16];
	size_t n = 0, bad = 0;

	srand((unsigned int)align);
	for (size_t i = 0; i < SHAPES; i++)
		for (size_t k = 0; k < sizeof(shape[i]); k++)
			shape[i][k] = (uint8_t)((size_t)rand() % LEN(packets));
	for (size_t i = 0; i < MANY; i++) {
		/* the frequent sequences change */
		const uint8_t *s = shape[((size_t)rand() % 12 + i / 1000 * 8) % SHAPES];
		const size_t start = n, most = 20 + s[0] * 2u;

		for (size_t k = 0; k < 16 && n - start < most; k++) {
			bytes[n++] = packets[s[k]].header;
			for (size_t b = 0; b < packets[s[k]].size; b++)
				bytes[n++] = (uint8_t)rand();
		}
		bytes[n++] = s[1] % 2 ? 0x01 : 0x71;
		for (size_t b = 0; b < 8 && !(s[1] % 2); b++)
			bytes[n++] = (uint8_t)rand();
		if (i < MANY / 2 || rand() % 8)
			while (n % align)
				bytes[n++] = 0;
	}
	decode(bytes, n, 1, 0, split, MANY);
	acc = dec.acc;
	tap_eq(decode(bytes, n, n, 0, whole, MANY), dec.acc.records, "shapes_records_%zu", align);
	tap_ok(!memcmp(&acc, &dec.acc, sizeof(acc)), "shapes_account_%zu", align);
	tap_eq(dec.nr_shapes, V9_SPE_SHAPES, "shapes_remembered_%zu", align);
	for (size_t i = 0; i < MANY && i < dec.acc.records; i++)
		bad += !same(&whole[i], &split[i]) || whole[i].offset != split[i].offset;
	tap_eq(bad, 0, "shapes_give_the_same_%zu", align);
}

int main(void)
{
	test_full();
	test_branch();
	test_alternate_clock();
	test_tag();
	test_absent();
	test_order();
	test_unknown();
	test_raw();
	test_raw_many();
	test_ops();
	test_events();
	test_sources();
	test_source_cores();
	test_between();
	test_split();
	test_gap();
	test_cut();
	test_damage();
	test_random();
	test_shapes(4);
	test_shapes(32);
	test_shapes(64);
	return tap_done();
}
