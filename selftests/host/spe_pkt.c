// SPDX-License-Identifier: GPL-2.0-only
/*
 * tools/lib/spe_pkt.c, compared with bytes typed from the packet pages, and with the rules of the
 * format about headers, sizes and alignment
 */
#include <dirent.h>
#include "v9trace/gen/spe_pkt.h"
#include "tap.h"

#define GOLDEN "../golden/spe"

static const char *const kinds[V9_SPE_KINDS] = {
	[V9_SPE_PADDING] = "PADDING", [V9_SPE_END] = "END", [V9_SPE_TIMESTAMP] = "TIMESTAMP",
	[V9_SPE_EVENTS] = "EVENTS", [V9_SPE_DATA_SOURCE] = "DATA_SOURCE",
	[V9_SPE_CONTEXT] = "CONTEXT", [V9_SPE_OP_TYPE] = "OP_TYPE", [V9_SPE_ADDRESS] = "ADDRESS",
	[V9_SPE_COUNTER] = "COUNTER", [V9_SPE_ALIGNMENT] = "ALIGNMENT",
	[V9_SPE_UNKNOWN] = "UNKNOWN",
};

static const struct {
	const char *name;
	uint8_t kind, index, payload_size;
	uint64_t payload;
	uint8_t n, bytes[V9_SPE_PKT_MAX];
} typed[] = {
	{ "padding", V9_SPE_PADDING, 0, 0, 0, 1, { 0x00 } },
	{ "end", V9_SPE_END, 0, 0, 0, 1, { 0x01 } },
	{ "timestamp", V9_SPE_TIMESTAMP, 0, 8, 0x0102030405060708, 9,
	  { 0x71, 8, 7, 6, 5, 4, 3, 2, 1 } },
	{ "events_1", V9_SPE_EVENTS, 0, 1, 0x13, 2, { 0x42, 0x13 } },
	{ "events_2", V9_SPE_EVENTS, 0, 2, 0x0113, 3, { 0x52, 0x13, 0x01 } },
	{ "events_4", V9_SPE_EVENTS, 0, 4, 0x80000113, 5, { 0x62, 0x13, 0x01, 0, 0x80 } },
	{ "events_8", V9_SPE_EVENTS, 0, 8, 0x8000000000000002, 9,
	  { 0x72, 2, 0, 0, 0, 0, 0, 0, 0x80 } },
	{ "data_source_1", V9_SPE_DATA_SOURCE, 0, 1, 0x0e, 2, { 0x43, 0x0e } },
	{ "data_source_2", V9_SPE_DATA_SOURCE, 0, 2, 0x1234, 3, { 0x53, 0x34, 0x12 } },
	{ "context_el1", V9_SPE_CONTEXT, 0, 4, 0xdeadbeef, 5, { 0x64, 0xef, 0xbe, 0xad, 0xde } },
	{ "context_el2", V9_SPE_CONTEXT, 1, 4, 0x00000539, 5, { 0x65, 0x39, 0x05, 0, 0 } },
	{ "op_other", V9_SPE_OP_TYPE, 0, 1, 0x01, 2, { 0x48, 0x01 } },
	{ "op_ldst", V9_SPE_OP_TYPE, 1, 1, 0x1f, 2, { 0x49, 0x1f } },
	{ "op_branch", V9_SPE_OP_TYPE, 2, 1, 0x02, 2, { 0x4a, 0x02 } },
	{ "address_pc", V9_SPE_ADDRESS, 0, 8, 0xa0ff800010203040, 9,
	  { 0xb0, 0x40, 0x30, 0x20, 0x10, 0x00, 0x80, 0xff, 0xa0 } },
	{ "address_target", V9_SPE_ADDRESS, 1, 8, 1, 9, { 0xb1, 1 } },
	{ "address_va", V9_SPE_ADDRESS, 2, 8, 0x5a, 9, { 0xb2, 0x5a } },
	{ "address_pa", V9_SPE_ADDRESS, 3, 8, 0x8000000040000000, 9,
	  { 0xb3, 0, 0, 0, 0x40, 0, 0, 0, 0x80 } },
	{ "address_prev_target", V9_SPE_ADDRESS, 4, 8, 3, 9, { 0xb4, 3 } },
	{ "address_short_7", V9_SPE_ADDRESS, 7, 8, 2, 9, { 0xb7, 2 } },
	{ "address_extended_8", V9_SPE_ADDRESS, 8, 8, 2, 10, { 0x21, 0xb0, 2 } },
	{ "address_extended_31", V9_SPE_ADDRESS, 31, 8, 2, 10, { 0x23, 0xb7, 2 } },
	{ "counter_total", V9_SPE_COUNTER, 0, 2, 0x0fff, 3, { 0x98, 0xff, 0x0f } },
	{ "counter_issue", V9_SPE_COUNTER, 1, 2, 0x0001, 3, { 0x99, 0x01, 0x00 } },
	{ "counter_translation", V9_SPE_COUNTER, 2, 2, 0xffff, 3, { 0x9a, 0xff, 0xff } },
	{ "counter_alternate_issue", V9_SPE_COUNTER, 4, 2, 0x0123, 3, { 0x9c, 0x23, 0x01 } },
	{ "counter_extended_16", V9_SPE_COUNTER, 16, 2, 9, 4, { 0x22, 0x98, 9, 0 } },
	{ "counter_extended_31", V9_SPE_COUNTER, 31, 2, 9, 4, { 0x23, 0x9f, 9, 0 } },
};

/* Decodes from a copy of exact size into poisoned memory, so that each overrun is found. */
static int decode(const uint8_t *p, size_t n, uint64_t offset, struct v9_spe_pkt *pkt)
{
	uint8_t *copy = malloc(n ? n : 1);
	int ret;

	memcpy(copy, p, n);
	memset(pkt, 0xcd, sizeof(*pkt));
	ret = v9_spe_pkt_decode(copy, n, offset, pkt);
	free(copy);
	return ret;
}

static int encode(uint8_t *p, size_t room, uint64_t offset, const struct v9_spe_pkt *pkt)
{
	uint8_t *copy = malloc(room ? room : 1);
	int ret;

	memset(copy, 0xcd, room);
	ret = v9_spe_pkt_encode(copy, room, offset, pkt);
	memcpy(p, copy, room);
	free(copy);
	return ret;
}

/* shows: SPE-PK1 SPE-PK6 */
static void test_typed(void)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(typed); i++) {
		struct v9_spe_pkt pkt;
		uint8_t out[V9_SPE_PKT_MAX];
		int n = typed[i].n, ret = decode(typed[i].bytes, n, 0, &pkt), cut;

		tap_ok(ret == n && pkt.size == (uint32_t)n && pkt.kind == typed[i].kind &&
		       pkt.index == typed[i].index && pkt.payload == typed[i].payload &&
		       pkt.payload_size == typed[i].payload_size &&
		       pkt.header_size == n - typed[i].payload_size, "decode_%s", typed[i].name);

		memset(&pkt, 0xcd, sizeof(pkt));
		pkt.kind = typed[i].kind;
		pkt.index = typed[i].index;
		pkt.payload = typed[i].payload;
		pkt.payload_size = typed[i].payload_size;
		ret = encode(out, sizeof(out), 0, &pkt);
		tap_ok(ret == n && !memcmp(out, typed[i].bytes, n), "encode_%s", typed[i].name);

		for (cut = 0; cut < n; cut++)
			if (decode(typed[i].bytes, cut, 0, &pkt) != -ENODATA)
				break;
		tap_eq(cut, n, "truncated_%s", typed[i].name);

		pkt.kind = typed[i].kind;
		pkt.index = typed[i].index;
		pkt.payload = typed[i].payload;
		pkt.payload_size = typed[i].payload_size;
		for (cut = 0; cut < n; cut++)
			if (encode(out, cut, 0, &pkt) != -ENOSPC)
				break;
		tap_eq(cut, n, "no_room_%s", typed[i].name);

		/* the size is ignored for a kind with one size */
		pkt.payload_size = 0xcd;
		ret = encode(out, sizeof(out), 0, &pkt);
		tap_eq(ret, pkt.kind == V9_SPE_EVENTS || pkt.kind == V9_SPE_DATA_SOURCE ? -EINVAL : n,
		       "size_not_given_%s", typed[i].name);
	}
}

/* The kind of a header byte by the format; -1: not defined */
static int known_kind(unsigned int b)
{
	switch (b) {
	case 0x00: return V9_SPE_PADDING;
	case 0x01: return V9_SPE_END;
	case 0x71: return V9_SPE_TIMESTAMP;
	case 0x42: case 0x52: case 0x62: case 0x72: return V9_SPE_EVENTS;
	case 0x43: case 0x53: return V9_SPE_DATA_SOURCE;
	case 0x64: case 0x65: return V9_SPE_CONTEXT;
	case 0x48: case 0x49: case 0x4a: return V9_SPE_OP_TYPE;
	case 0xb0 ... 0xb7: return V9_SPE_ADDRESS;
	case 0x98 ... 0x9f: return V9_SPE_COUNTER;
	default: return V9_SPE_UNKNOWN;
	}
}

/* shows: SPE-PK1 SPE-PK5 SPE-PK9 */
static void test_all_headers(void)
{
	static const uint8_t zero[16];
	struct v9_spe_pkt pkt;
	unsigned int b, c;

	for (b = 0; b < 256; b++) {
		uint8_t bytes[16] = { (uint8_t)b };
		int size = b < 0x20 ? 1 : 1 + (1 << (b >> 4 & 3));

		if (b >= 0x20 && b < 0x40)
			continue;
		if (decode(bytes, 16, 0, &pkt) != size || pkt.kind != known_kind(b) ||
		    pkt.payload_size != size - 1 || pkt.payload || pkt.header_size != 1)
			break;
	}
	tap_eq(b, 256, "all_one_byte_headers");

	for (b = 0x20; b < 0x40; b++)
		for (c = 0; c < 256; c++) {
			uint8_t bytes[16] = { (uint8_t)b, (uint8_t)c };
			int size = c < 0x20 ? 2 : 2 + (1 << (c >> 4 & 3));
			int kind = V9_SPE_UNKNOWN, ret = decode(bytes, 16, 0, &pkt);

			if (c >= 0x20 && c < 0x40) {
				if (ret != -EBADMSG)
					goto two_bytes;
				continue;
			}
			if (b < 0x24 && ((c >= 0xb0 && c <= 0xb7) || (c >= 0x98 && c <= 0x9f)))
				kind = known_kind(c);
			if (c == 0 && b > 0x20 && b < 0x30)
				continue;	/* Alignment: test_alignment */
			if (ret != size || pkt.kind != kind || pkt.payload ||
			    pkt.payload_size != size - 2 || pkt.header_size != 2 ||
			    pkt.index != (kind == V9_SPE_UNKNOWN ? 0 : (b & 3) << 3 | (c & 7)))
				goto two_bytes;
		}
two_bytes:
	tap_ok(b == 0x40, "all_two_byte_headers");

	for (b = 0x20; b < 0x40; b++)
		if (decode(&(uint8_t){ (uint8_t)b }, 1, 0, &pkt) != -ENODATA)
			break;
	tap_eq(b, 0x40, "lone_prefix_is_truncated");
	tap_eq(decode(zero, 0, 0, &pkt), -ENODATA, "nothing_is_truncated");
}

/* shows: SPE-PK8 */
static void test_alignment(void)
{
	static uint8_t buf[2 * 65536 + 16];
	struct v9_spe_pkt pkt;
	unsigned int size;

	for (size = 1; size <= 15; size++) {
		uint64_t to = UINT64_C(2) << size, step = to > 4096 ? to / 509 : 1, offset, end;
		bool good = true, room = true, cut = true;

		for (offset = 0; good && offset < 2 * to; offset += step) {
			uint64_t base = UINT64_C(0xffff800012340000) + offset;
			struct v9_spe_pkt in = { .kind = V9_SPE_ALIGNMENT, .payload = size };
			int ret;

			/* the filler is UNKNOWN: let it look like packets */
			memset(buf, 0x71, sizeof(buf));
			buf[0] = (uint8_t)(0x20 + size);
			buf[1] = 0;
			for (end = base + 2; end % to; end++)
				;
			ret = v9_spe_pkt_decode(buf, sizeof(buf), base, &pkt);
			good = ret > 0 && (uint64_t)ret == end - base &&
			       pkt.kind == V9_SPE_ALIGNMENT && pkt.payload == size &&
			       pkt.index == 0 && pkt.size == end - base && (unsigned int)ret < to + 2;
			cut = cut && v9_spe_pkt_decode(buf, end - base - 1, base, &pkt) == -ENODATA;

			room = room && v9_spe_pkt_encode(buf, end - base - 1, base, &in) == -ENOSPC;
			good = good && v9_spe_pkt_encode(buf, sizeof(buf), base, &in) == ret &&
			       buf[0] == 0x20 + size && buf[1] == 0 &&
			       (ret == 2 || (buf[2] == 0 && buf[ret - 1] == 0)) && buf[ret] == 0x71;
		}
		tap_ok(good, "alignment_%u_each_offset", 2u << size);
		tap_ok(room && cut, "alignment_%u_truncated", 2u << size);
	}
	buf[0] = 0x20;
	buf[1] = 0;
	tap_ok(v9_spe_pkt_decode(buf, 16, 0, &pkt) == 2 && pkt.kind == V9_SPE_UNKNOWN,
	       "alignment_size_0_is_unknown");
}

static void test_refused(void)
{
	static const struct {
		const char *name;
		struct v9_spe_pkt pkt;
	} bad[] = {
		{ "unknown", { .kind = V9_SPE_UNKNOWN } },
		{ "no_kind", { .kind = 200 } },
		{ "events_of_3", { .kind = V9_SPE_EVENTS, .payload_size = 3 } },
		{ "events_too_wide", { .kind = V9_SPE_EVENTS, .payload_size = 1, .payload = 0x100 } },
		{ "source_of_4", { .kind = V9_SPE_DATA_SOURCE, .payload_size = 4 } },
		{ "context_2", { .kind = V9_SPE_CONTEXT, .index = 2 } },
		{ "context_too_wide", { .kind = V9_SPE_CONTEXT, .payload = UINT64_C(1) << 32 } },
		{ "class_3", { .kind = V9_SPE_OP_TYPE, .index = 3 } },
		{ "op_too_wide", { .kind = V9_SPE_OP_TYPE, .payload = 0x100 } },
		{ "address_32", { .kind = V9_SPE_ADDRESS, .index = 32 } },
		{ "counter_32", { .kind = V9_SPE_COUNTER, .index = 32 } },
		{ "counter_too_wide", { .kind = V9_SPE_COUNTER, .payload = 0x10000 } },
		{ "padding_with_payload", { .kind = V9_SPE_PADDING, .payload = 1 } },
		{ "timestamp_1", { .kind = V9_SPE_TIMESTAMP, .index = 1 } },
		{ "alignment_0", { .kind = V9_SPE_ALIGNMENT, .payload = 0 } },
		{ "alignment_index_1", { .kind = V9_SPE_ALIGNMENT, .index = 1, .payload = 1 } },
		{ "alignment_16", { .kind = V9_SPE_ALIGNMENT, .payload = 16 } },
	};
	uint8_t out[16];

	for (size_t i = 0; i < V9_ARRAY_SIZE(bad); i++)
		tap_eq(v9_spe_pkt_encode(out, sizeof(out), 0, &bad[i].pkt), -EINVAL,
		       "refused_%s", bad[i].name);
}

/* One golden file as one stream: decode packet by packet, encode again. */
static void test_golden(const char *file)
{
	uint8_t bytes[1024], again[1024], line_start[64];
	struct { unsigned int index; uint64_t payload; char kind[16]; } want[64];
	unsigned int n = 0, lines = 0, at = 0, i, c;
	bool decoded = true, encoded = true;
	char path[512], name[128], line[256];
	struct v9_spe_pkt pkt;
	FILE *f;

	snprintf(path, sizeof(path), GOLDEN "/%s", file);
	f = fopen(path, "r");
	if (!f) {
		tap_ok(f, "golden_readable");
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		unsigned long long payload;
		char *p = line;
		int used;

		if (*p == '#' || *p == '\n')
			continue;
		line_start[lines] = (uint8_t)n;
		for (; sscanf(p, " %2x%n", &c, &used) == 1 && *p != '='; p += used)
			bytes[n++] = (uint8_t)c;
		if (sscanf(p, " = %15s %x %llx", want[lines].kind, &want[lines].index, &payload) != 3)
			decoded = false;
		want[lines++].payload = payload;
	}
	fclose(f);

	for (i = 0; i < lines && decoded && encoded; i++) {
		int ret = decode(bytes + at, n - at, at, &pkt);

		decoded = ret > 0 && at == line_start[i] && !strcmp(kinds[pkt.kind], want[i].kind) &&
			  pkt.index == want[i].index && pkt.payload == want[i].payload;
		if (!decoded) {
			tap_note("%s: packet %u: %d %u %u", file, i, ret, pkt.kind, pkt.index);
			break;
		}
		/*
		 * these are not encoded identically: a short index in a long header, unknown
		 * packets, fillers
		 */
		if (pkt.kind != V9_SPE_UNKNOWN &&
		    !(pkt.header_size == 2 && pkt.index < 8 && pkt.kind != V9_SPE_ALIGNMENT)) {
			int size = pkt.kind == V9_SPE_ALIGNMENT ? 2 : ret;

			encoded = encode(again, sizeof(again), at, &pkt) == ret &&
				  !memcmp(again, bytes + at, size);
		}
		at += ret;
	}
	for (i = 0; file[i] && file[i] != '.' && i < sizeof(name) - 1; i++)
		name[i] = file[i] == '-' ? '_' : file[i];
	name[i] = 0;
	tap_ok(decoded && at == n && lines, "golden_decode_%s", name);
	tap_ok(encoded, "golden_encode_%s", name);
}

static int txt(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');

	return dot && !strcmp(dot, ".txt");
}

/* Names and the manual's numbers. The generator checks that patterns do not overlap. */
static void test_names(void)
{
	static const struct { unsigned int cls, payload; const char *name; } ops[] = {
		{ 0, 0x00, "OTHER" }, { 0, 0x01, "OTHER" }, { 0, 0x08, "SVE" }, { 0, 0x7e, "SVE" },
		{ 0, 0x88, "SME" }, { 0, 0x09, "" }, { 0, 0x10, "" },
		{ 1, 0x00, "GPR" }, { 1, 0x01, "GPR" }, { 1, 0x04, "SIMD_FP" }, { 1, 0x05, "SIMD_FP" },
		{ 1, 0x02, "EXTENDED" }, { 1, 0x1f, "EXTENDED" }, { 1, 0x10, "UNSPECIFIED" },
		{ 1, 0x15, "MTE_TAG" }, { 1, 0x20, "MEMCPY" }, { 1, 0x25, "MEMSET" },
		{ 1, 0x24, "" }, { 1, 0x31, "NV_SYSREG" }, { 1, 0x44, "GCS" }, { 1, 0x88, "SVE_SME" },
		{ 1, 0x7d, "SVE_SME" }, { 1, 0x22, "" },
		{ 2, 0x00, "BRANCH" }, { 2, 0x03, "BRANCH" }, { 2, 0x12, "BRANCH" }, { 2, 0x20, "" },
	};
	size_t i;

	for (i = 0; i < V9_ARRAY_SIZE(ops); i++) {
		const char *name = "";

#define OP(cls_, name_, mask, value, since, needs, text) \
		if (ops[i].cls == cls_ && (ops[i].payload & mask) == value) \
			name = #name_;
		V9_SPE_FOREACH_OP(OP)
		if (strcmp(name, ops[i].name)) {
			tap_note("class %u payload %#x is %s", ops[i].cls, ops[i].payload, name);
			break;
		}
	}
	tap_eq(i, V9_ARRAY_SIZE(ops), "op_patterns");

	tap_ok(V9_SPE_EV_EXCEPTION == 0 && V9_SPE_EV_RETIRED == 1 && V9_SPE_EV_L1D_ACCESS == 2 &&
	       V9_SPE_EV_L1D_REFILL == 3 && V9_SPE_EV_TLB_ACCESS == 4 && V9_SPE_EV_TLB_WALK == 5 &&
	       V9_SPE_EV_NOT_TAKEN == 6 && V9_SPE_EV_MISPREDICTED == 7 &&
	       V9_SPE_EV_LLC_ACCESS == 8 && V9_SPE_EV_LLC_MISS == 9 &&
	       V9_SPE_EV_REMOTE_ACCESS == 10 && V9_SPE_EV_MISALIGNED == 11 &&
	       V9_SPE_EV_TRANSACTION == 16 && V9_SPE_EV_SNOOPED == 23, "event_numbers");
	/* 63:48, 31:24, 15:12, 7, 5, 3, 1; then 11; then 6; then 2, 4, 8, 9, 10, 19-23 */
	tap_eq(V9_SPE_FILTER_V1P0, UINT64_C(0xffff0000ff00f0aa), "filterable_v1p0");
	tap_eq(V9_SPE_FILTER_V1P1 & ~V9_SPE_FILTER_V1P0, 0x800, "filterable_v1p1");
	tap_eq(V9_SPE_FILTER_V1P2 & ~V9_SPE_FILTER_V1P1, 0x40, "filterable_v1p2");
	tap_eq(V9_SPE_FILTER_V1P4 & ~V9_SPE_FILTER_V1P3, 0xf80714, "filterable_v1p4");
	tap_eq(V9_SPE_FILTER_SVE, 0x60000, "filterable_sve");
	tap_eq(V9_SPE_FILTER_TME, 0x10000, "filterable_tme");
}

/* Random bytes: no read beyond the end, correct sizes, and decoded packets can be encoded. */
static void test_random(void)
{
	unsigned int i, j, state = 1, known = 0;
	uint8_t bytes[24], again[24];
	struct v9_spe_pkt pkt;

	for (i = 0; i < 300000; i++) {
		size_t n = i % (sizeof(bytes) + 1);
		int ret;

		for (j = 0; j < n; j++) {
			state = state * 1103515245 + 12345;
			bytes[j] = (uint8_t)(state >> 16);
		}
		ret = decode(bytes, n, i, &pkt);
		if (ret == -ENODATA || ret == -EBADMSG)
			continue;
		if (ret <= 0 || (size_t)ret > n || pkt.size != (uint32_t)ret ||
		    pkt.kind >= V9_SPE_KINDS)
			break;
		if (pkt.kind == V9_SPE_UNKNOWN)
			continue;
		known++;
		if (pkt.kind == V9_SPE_ALIGNMENT)
			memset(bytes + 2, 0, ret - 2);
		else if (pkt.header_size == 2 && pkt.index < 8)
			continue;	/* it has a shorter header */
		if (encode(again, sizeof(again), i, &pkt) != ret || memcmp(again, bytes, ret))
			break;
	}
	tap_eq(i, 300000, "random_bytes");
	tap_ok(known > 10000, "random_bytes_enough");
}

int main(void)
{
	struct dirent **list;
	int n, i;

	test_typed();
	test_all_headers();
	test_alignment();
	test_refused();
	test_names();
	test_random();
	n = scandir(GOLDEN, &list, txt, alphasort);
	tap_ok(n >= 6, "golden_files_found");
	for (i = 0; i < n; i++) {
		test_golden(list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return tap_done();
}
