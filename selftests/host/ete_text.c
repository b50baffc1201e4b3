// SPDX-License-Identifier: GPL-2.0-only
/* The text of ETE packets, with each value that a packet can have */
#include <string.h>

#include <v9trace/gen/ete_pkt.h>

#include "tap.h"
#include "../../tools/lib/ete_text.h"

static void is(const struct v9_ete_pkt *p, const char *want, const char *name)
{
	char got[512] = "";
	FILE *f = fmemopen(got, sizeof(got), "w");

	if (!f)
		abort();
	v9_ete_pkt_text(f, p);
	fclose(f);
	if (!tap_ok(!strcmp(got, want), "%s", name))
		tap_note("%s", got);
}

#define IS(test, want, ...) is(&(struct v9_ete_pkt){ .name = V9_ETE_NAMES, ##__VA_ARGS__ }, want, test)

int main(void)
{
	struct v9_ete_pktdec dec;
	struct v9_ete_config cfg;
	struct v9_ete_pkt p;

	IS("unnamed", "packet");
	IS("atoms", "packet ENE", .natoms = 3, .atoms = 0xd);
	IS("no_values", "packet", .count = 7, .addr = 7, .ctx = { .el = 1 }, .timestamp = 7, .value = 7, .threshold = 7);
	IS("info", "packet", .kind = V9_ETE_INFO, .threshold = 7);
	IS("info_values", "packet cycle counting, threshold 4 3 not resolved in a transaction", .kind = V9_ETE_INFO,
	   .cycle_counting = true, .threshold = 4, .spec = 3, .transaction = true);
	IS("exception", "packet IRQ", .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_IRQ);
	IS("exception_at_target", "packet FIQ, at the target 0xffff800080001000", .kind = V9_ETE_EXCEPTION,
	   .type = V9_ETE_EXC_FIQ, .target_first = true, .has = V9_ETE_HAS_ADDR, .addr = 0xffff800080001000);
	IS("reserved_exception", "packet of a reserved type", .kind = V9_ETE_EXCEPTION, .type = 0x8);
	IS("timestamp", "packet 18446744073709551615 count 4294967295", .kind = V9_ETE_TIMESTAMP, .timestamp = UINT64_MAX,
	   .has = V9_ETE_HAS_COUNT, .count = UINT32_MAX);
	IS("context", "packet 0x1000 el2 ns 64 contextid 0xabc vmid 0xdef",
	   .has = V9_ETE_HAS_ADDR | V9_ETE_HAS_CTX | V9_ETE_HAS_CONTEXTID | V9_ETE_HAS_VMID, .addr = 0x1000,
	   .ctx = { .el = 2, .ns = true, .sf = true, .contextid = 0xabc, .vmid = 0xdef });
	IS("context_without_ids", "packet el1 s nse 32", .has = V9_ETE_HAS_CTX,
	   .ctx = { .el = 1, .nse = true, .contextid = 0xabc, .vmid = 0xdef });
	IS("speculation", "packet commit 5 cancel 6 mispredict", .commit = 5, .cancel = 6, .mispredict = true);
	IS("instrumentation", "packet el1 0x123456789abcdef0", .kind = V9_ETE_INSTRUMENTATION, .ctx = { .el = 1 },
	   .value = 0x123456789abcdef0);
	IS("events", "packet events 0xf", .kind = V9_ETE_EVENT, .events = 15);
	tap_ok(!v9_ete_exception_text(0x8) && !strcmp(v9_ete_exception_text(V9_ETE_EXC_IRQ), "IRQ"), "exceptions");
	tap_ok(!strcmp(v9_ete_reason_text(V9_ETE_REASONS), "not a packet") &&
	       !strcmp(v9_ete_reason_text(UINT32_MAX), "not a packet"), "no_reason");

	/* Each name is that of the decoder: bytes of a packet, and the text. */
	static const struct { const char *name, *text; size_t n; uint8_t bytes[12]; } packets[] = {
		{ "trace_on", "Trace On", 1, { 0x04 } },
		{ "two_groups", "Timestamp 257", 3, { 0x02, 0x81, 0x02 } },
	};

	v9_ete_config_init(&cfg, 0x28000ea1, 0, false);
	v9_ete_pktdec_init(&dec, &cfg);
	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++) {
		tap_eq(v9_ete_pkt_decode(&dec, packets[i].bytes, packets[i].n, &p), packets[i].n, "bytes_of_%s", packets[i].name);
		is(&p, packets[i].text, packets[i].name);
	}
	tap_ok(p.raw == 257 && p.raw_bits == 14, "bits_that_a_packet_has");
	return tap_done();
}
