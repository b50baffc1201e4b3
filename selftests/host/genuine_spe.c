// SPDX-License-Identifier: GPL-2.0-only
/*
 * SPE records that were published from real machines (selftests/genuine). The decoded packets are
 * compared with the text that perf printed; records that are complete in that text are decoded.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include <v9trace/gen/spe_pkt.h>

#include "../../tools/util.c"
#include "../../tools/lib/spe.h"
#include "../../tools/lib/spe_text.h"

/* perf's name of each event, by bit */
static const char *const events[] = {
	"EXCEPTION-GEN", "RETIRED", "L1D-ACCESS", "L1D-REFILL", "TLB-ACCESS", "TLB-REFILL",
	"NOT-TAKEN", "MISPRED", "LLC-ACCESS", "LLC-REFILL", "REMOTE-ACCESS",
};

/* Gets the number after @word in @text. Returns false if @word is not there. */
static bool number(const char *text, const char *word, uint64_t *v)
{
	const char *at = strstr(text, word);

	if (!at)
		return false;
	at += strlen(word);
	*v = strtoull(at, NULL, 0);
	return true;
}

/* Address packets: 56 bits of the address, exception level, security state. */
static bool address_is(const struct v9_spe_pkt *p, const char *text, const char *word,
		       unsigned int index)
{
	/* Windows' tool prints addresses without 0x. */
	uint64_t want = strtoull(text + strlen(word), NULL, 16), el, ns;

	if (p->kind != V9_SPE_ADDRESS || p->index != index)
		return false;
	/* perf prints all bytes of data addresses, and seven bytes of code addresses. */
	if (index == 2)
		return want == (p->payload & (want >> 56 ? ~UINT64_C(0) : (UINT64_C(1) << 56) - 1));
	if ((p->payload & ((UINT64_C(1) << 56) - 1)) != want)
		return false;
	if (number(text, " el", &el) && index != 3 && (p->payload >> 61 & 3) != el)
		return false;
	return !number(text, "ns=", &ns) || p->payload >> 63 == ns;
}

static bool events_are(const struct v9_spe_pkt *p, const char *text)
{
	uint64_t want = 0;

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (strstr(text, events[i]))
			want |= UINT64_C(1) << i;
	return p->kind == V9_SPE_EVENTS && p->payload == want;
}

static bool is_printed_as(const struct v9_spe_pkt *p, const char *text)
{
	static const char *const counters[] = { "TOT", "ISSUE", "XLAT" };
	uint64_t v;

	if (!strncmp(text, "PAD", 3))
		return p->kind == V9_SPE_PADDING;
	if (!strncmp(text, "PC ", 3))
		return address_is(p, text, "PC ", 0);
	if (!strncmp(text, "TGT ", 4))
		return address_is(p, text, "TGT ", 1);
	if (!strncmp(text, "VA ", 3))
		return address_is(p, text, "VA ", 2);
	if (!strncmp(text, "PA ", 3))
		return address_is(p, text, "PA ", 3);
	if (number(text, "CONTEXT ", &v))
		return p->kind == V9_SPE_CONTEXT && p->payload == v &&
		       p->index == !!strstr(text, "el2");
	if (number(text, "DATA-SOURCE ", &v))
		return p->kind == V9_SPE_DATA_SOURCE && p->payload == v;
	if (number(text, "TS ", &v))
		return p->kind == V9_SPE_TIMESTAMP && p->payload == v;
	if (number(text, "LAT ", &v)) {
		if (p->kind != V9_SPE_COUNTER || p->payload != v || p->index > 2)
			return false;
		return strstr(text, counters[p->index]);
	}
	if (!strncmp(text, "LD", 2))
		return p->kind == V9_SPE_OP_TYPE && p->index == V9_SPE_OP_CLASS_LDST &&
		       !(p->payload & V9_SPE_OP_GPR_STORE);
	if (!strncmp(text, "ST", 2))
		return p->kind == V9_SPE_OP_TYPE && p->index == V9_SPE_OP_CLASS_LDST &&
		       p->payload & V9_SPE_OP_GPR_STORE;
	if (!strncmp(text, "B COND", 6))
		return p->kind == V9_SPE_OP_TYPE && p->index == V9_SPE_OP_CLASS_BRANCH &&
		       p->payload & V9_SPE_OP_BRANCH_COND;
	if (!strncmp(text, "INSN-OTHER", 10))
		return p->kind == V9_SPE_OP_TYPE && p->index == V9_SPE_OP_CLASS_OTHER;
	if (!strncmp(text, "EV ", 3) || !strncmp(text, "RETIRED", 7))
		return events_are(p, text);
	return false;
}

static size_t bytes_of(const char *line, uint8_t *to)
{
	unsigned int b;
	size_t n = 0;
	int used;

	while (sscanf(line, " %2x%n", &b, &used) == 1) {
		to[n++] = (uint8_t)b;
		line += used;
	}
	return n;
}

/* A line is one packet, or padding bytes. */
static void packet(const uint8_t *p, size_t n, const char *text, unsigned int line)
{
	struct v9_spe_pkt pkt;
	size_t at = 0;
	bool ok = true;

	while (at < n) {
		int used = v9_spe_pkt_decode(p + at, n - at, at, &pkt);

		if (used <= 0 || !is_printed_as(&pkt, text)) {
			ok = false;
			break;
		}
		at += (size_t)used;
		if (pkt.kind != V9_SPE_PADDING && at != n)
			ok = false;
	}
	tap_ok(ok, "packet_of_line_%u", line);
}

/* The published bytes of a record, decoded as a stream */
static void record(const uint8_t *p, size_t n, unsigned int group, unsigned int packets)
{
	struct v9_spe_dec *d = v9_spe_dec_new();
	const struct v9_spe_account *a;
	struct v9_spe_rec r;
	unsigned int records = 0;

	if (!d || !packets)
		exit(1);
	v9_spe_dec_feed(d, p, n, 0);
	while (v9_spe_dec_next(d, &r) > 0) {
		records++;
		tap_eq(r.unknown, 0, "group_%u_is_known", group);
	}
	v9_spe_dec_end(d, V9_SPE_SKIP_CUT);
	a = v9_spe_dec_account(d);
	tap_eq(a->skipped[V9_SPE_SKIP_RESERVED] + a->skipped[V9_SPE_SKIP_ENDLESS], 0,
	       "group_%u_is_followed", group);
	tap_eq(v9_spe_account_bytes(a), n, "group_%u_is_counted", group);
	tap_ok(records <= 1, "group_%u_is_one_record", group);
	v9_spe_dec_delete(d);
}

/* The first record of the Neoverse N1, with padding between its packets: all of its fields */
static void whole(const uint8_t *p, size_t n)
{
	struct v9_spe_dec *d = v9_spe_dec_new();
	struct v9_spe_rec r = { 0 };

	if (!d)
		exit(1);
	v9_spe_dec_feed(d, p, n, 0);
	tap_eq(v9_spe_dec_next(d, &r), 1, "n1_record");
	tap_eq(r.size, 64, "n1_size");
	tap_eq(r.pc.addr, UINT64_C(0xffffba66eda1c2d0), "n1_pc");
	tap_eq(r.pc.el, 2, "n1_el");
	tap_eq(r.has & (V9_SPE_REC_CTX_EL1 | V9_SPE_REC_CTX_EL2), V9_SPE_REC_CTX_EL2, "n1_context");
	tap_eq(r.ctx[1], 0x5f80, "n1_context_value");
	tap_eq(r.events, 0x16, "n1_events");
	tap_eq(r.lat[V9_SPE_LAT_ISSUE], 4, "n1_issue");
	tap_eq(r.lat[V9_SPE_LAT_TOTAL], 12, "n1_total");
	tap_eq(r.lat[V9_SPE_LAT_XLAT], 1, "n1_translation");
	tap_eq(r.va, UINT64_C(0xffff0e3703096b28), "n1_va");
	tap_eq(r.source, 0, "n1_source");
	tap_eq(r.ts, UINT64_C(44731163950), "n1_timestamp");
	v9_spe_dec_delete(d);
}

int main(void)
{
	FILE *f = fopen("../genuine/spe_records.txt", "r");
	unsigned int line = 0, group = 0, packets = 0;
	static uint8_t all[4096];
	char text[512];
	size_t n = 0;

	if (!f) {
		tap_ok(false, "file");
		return tap_done();
	}
	while (fgets(text, sizeof(text), f)) {
		uint8_t bytes[128];
		char *what = strchr(text, '|');
		size_t got;

		line++;
		if (text[0] == '#')
			continue;
		if (!what) {
			if (packets) {
				record(all, n, ++group, packets);
				if (group == 1)
					whole(all, n);
			}
			n = packets = 0;
			continue;
		}
		*what++ = '\0';
		what += *what == ' ';
		got = bytes_of(text, bytes);
		packet(bytes, got, what, line);
		memcpy(all + n, bytes, got);
		n += got;
		packets++;
	}
	if (packets)
		record(all, n, ++group, packets);
	fclose(f);
	tap_eq(group, 9, "groups");
	return tap_done();
}
