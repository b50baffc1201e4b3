// SPDX-License-Identifier: GPL-2.0-only
/*
 * tools/lib/ete_pkt.c, compared with bytes typed from the packet pages (golden/ete), with the
 * definition of each header, and decoder with encoder
 */
#include <dirent.h>
#include "v9trace/gen/ete_pkt.h"
#include "tap.h"

#include "../../tools/lib/ete_text.h"
#include "../../tools/lib/ete.h"

#define GOLDEN "../golden/ete"

static const char *const names[V9_ETE_NAMES] = {
#define NAME(name, kind, text) [V9_ETE_P_##name] = #name,
	V9_ETE_FOREACH_PACKET(NAME)
};

static const uint8_t kind_of_name[V9_ETE_NAMES] = {
#define NAME_KIND(name, kind, text) [V9_ETE_P_##name] = V9_ETE_##kind,
	V9_ETE_FOREACH_PACKET(NAME_KIND)
};

static const char *const reasons[V9_ETE_REASONS] = {
#define REASON(name, text) #name,
	V9_ETE_FOREACH_REASON(REASON)
};

static const char *exception(unsigned int type)
{
	switch (type) {
#define EXCEPTION(value, name, text) case value: return #name;
	V9_ETE_FOREACH_EXCEPTION(EXCEPTION)
	default:
		return "RESERVED";
	}
}

/* tsmark: all optional packets except those of speculation and Realm */
static struct v9_ete_config config(uint32_t maxspec, bool commopt, bool tsmark, bool nse)
{
	struct v9_ete_config cfg;

	memset(&cfg, 0xcd, sizeof(cfg));
	v9_ete_config_init(&cfg, (commopt ? 1u << 29 : 0) | (tsmark ? 3u << 22 : 0), maxspec, nse);
	return cfg;
}

/* Decodes from a copy of exact size into poisoned memory, so that each overrun is found. */
static int decode(struct v9_ete_pktdec *dec, const uint8_t *p, size_t n, struct v9_ete_pkt *pkt)
{
	uint8_t *copy = malloc(n ? n : 1);
	int ret;

	memcpy(copy, p, n);
	memset(pkt, 0xcd, sizeof(*pkt));
	ret = v9_ete_pkt_decode(dec, copy, n, pkt);
	free(copy);
	return ret;
}

static int encode(struct v9_ete_pktenc *enc, uint8_t *p, size_t room, const struct v9_ete_pkt *pkt)
{
	uint8_t *copy = malloc(room ? room : 1);
	int ret;

	memset(copy, 0xcd, room);
	ret = v9_ete_pkt_encode(enc, copy, room, pkt);
	memcpy(p, copy, room);
	free(copy);
	return ret;
}

/* The content of a packet without its encoding, for the encoder */
static struct v9_ete_pkt meaning(const struct v9_ete_pkt *pkt)
{
	struct v9_ete_pkt m = *pkt;

	m.name = m.inner = V9_ETE_P_ANY;
	m.raw_bits = m.ahb = m.plctl = m.header = 0;
	m.raw = 0;
	m.size = 0;
	m.has &= ~(V9_ETE_HAS_CONTEXTID | V9_ETE_HAS_VMID);
	return m;
}

static bool same_context(const struct v9_ete_context *a, const struct v9_ete_context *b)
{
	return a->contextid == b->contextid && a->vmid == b->vmid && a->el == b->el &&
	       a->ns == b->ns && a->nse == b->nse && a->sf == b->sf;
}

static bool same_base(const struct v9_ete_base *a, const struct v9_ete_base *b)
{
	for (int i = 0; i < 3; i++)
		if (a->ahb[i].addr != b->ahb[i].addr || a->ahb[i].isa != b->ahb[i].isa)
			return false;
	return a->timestamp == b->timestamp && same_context(&a->ctx, &b->ctx) &&
	       a->threshold == b->threshold && a->started == b->started;
}

static bool same_meaning(const struct v9_ete_pkt *a, const struct v9_ete_pkt *b)
{
	struct v9_ete_pkt x = meaning(a), y = meaning(b);

	return x.addr == y.addr && x.value == y.value && x.isa == y.isa && x.timestamp == y.timestamp &&
	       same_context(&x.ctx, &y.ctx) && x.count == y.count && x.commit == y.commit &&
	       x.cancel == y.cancel && x.spec == y.spec && x.threshold == y.threshold &&
	       x.atoms == y.atoms && x.natoms == y.natoms && x.kind == y.kind && x.has == y.has &&
	       x.type == y.type && x.events == y.events && x.target_first == y.target_first &&
	       x.mispredict == y.mispredict && x.transaction == y.transaction &&
	       x.cycle_counting == y.cycle_counting;
}

/* The bits that the packet has are those of the full value. */
static bool raw_agrees(const struct v9_ete_pkt *p)
{
	const uint64_t full = p->kind == V9_ETE_TIMESTAMP ? p->timestamp : p->addr;

	return p->raw == (p->raw_bits < 64 ? full & ((UINT64_C(1) << p->raw_bits) - 1) : full);
}

static void describe(char *s, size_t n, const struct v9_ete_pkt *p)
{
	size_t at = 0;

#define ADD(...) (at += snprintf(s + at, n - at, __VA_ARGS__))
	ADD("%s", p->name < V9_ETE_NAMES ? names[p->name] : "?");
	if (p->kind == V9_ETE_INFO)
		ADD(" plctl=%x", p->plctl);
	if (p->kind == V9_ETE_EXCEPTION) {
		ADD(" type=%s%s", exception(p->type), p->target_first ? " target_first" : "");
		if (p->inner)
			ADD(" inner=%s", names[p->inner]);
	}
	if (p->has & V9_ETE_HAS_ADDR)
		ADD(" addr=%llx isa=%u", (unsigned long long)p->addr, p->isa);
	if (p->kind == V9_ETE_TIMESTAMP)
		ADD(" ts=%llx", (unsigned long long)p->timestamp);
	if ((p->has & V9_ETE_HAS_ADDR) || p->inner || p->kind == V9_ETE_TIMESTAMP)
		ADD(" bits=%u", p->raw_bits);
	if (strstr(names[p->inner ? p->inner : p->name], "EXACT"))
		ADD(" ahb=%u", p->ahb);
	if (p->has & V9_ETE_HAS_CTX)
		ADD(" el=%u ns=%u nse=%u sf=%u cid=%x vmid=%x", p->ctx.el, p->ctx.ns, p->ctx.nse,
		    p->ctx.sf, p->ctx.contextid, p->ctx.vmid);
	if (p->has & (V9_ETE_HAS_CONTEXTID | V9_ETE_HAS_VMID))
		ADD(" sent=%s%s", p->has & V9_ETE_HAS_CONTEXTID ? "c" : "",
		    p->has & V9_ETE_HAS_VMID ? "v" : "");
	if (p->kind == V9_ETE_INSTRUMENTATION)
		ADD(" el=%u value=%llx", p->ctx.el, (unsigned long long)p->value);
	if (p->cycle_counting)
		ADD(" cc");
	if (p->transaction)
		ADD(" t");
	if (p->spec)
		ADD(" spec=%u", p->spec);
	if (p->threshold)
		ADD(" threshold=%u", p->threshold);
	if (p->commit)
		ADD(" commit=%u", p->commit);
	if (p->has & V9_ETE_HAS_COUNT)
		ADD(" count=%u", p->count);
	if (p->cancel)
		ADD(" cancel=%u", p->cancel);
	if (p->mispredict)
		ADD(" mispredict");
	if (p->events)
		ADD(" events=%x", p->events);
	if (p->natoms) {
		ADD(" atoms=");
		for (unsigned int i = 0; i < p->natoms; i++)
			ADD("%c", p->atoms >> i & 1 ? 'E' : 'N');
	}
#undef ADD
}

/* One golden file: what each line shows, and where it failed */
struct golden {
	struct v9_ete_pktdec dec;
	struct v9_ete_pktenc named, any;
	bool decoded, encoded, shortest, cuts, refused;
	unsigned int lines, bad;
};

static void cut(struct golden *g, const uint8_t *bytes, size_t n)
{
	struct v9_ete_pktdec dec = g->dec;
	struct v9_ete_pkt pkt;

	for (size_t i = 0; i < n; i++)
		if (decode(&dec, bytes, i, &pkt) != -ENODATA ||
		    !same_base(&dec.base, &g->dec.base)) {
			tap_note("cut after %zu of %zu", i, n);
			g->cuts = false;
		}
}

static void packet_line(struct golden *g, const uint8_t *bytes, size_t n, char how,
			const char *want)
{
	uint8_t out[64];
	struct v9_ete_pkt pkt, m;
	char got[256];
	int ret;

	cut(g, bytes, n);
	ret = decode(&g->dec, bytes, n, &pkt);
	if (ret < 0) {
		tap_note("refused with %d: %s", ret, reasons[g->dec.reason]);
		g->decoded = false;
		return;
	}
	describe(got, sizeof(got), &pkt);
	if ((size_t)ret != n || pkt.size != n || strcmp(got, want) || pkt.header != bytes[0] ||
	    pkt.kind != kind_of_name[pkt.name]) {
		tap_note("%d of %zu bytes, %s", ret, n, got);
		g->decoded = false;
	}
	if (how == '!') {
		g->named.base = g->any.base = g->dec.base;
		return;
	}
	for (size_t room = 0; room < n; room++)
		if (encode(&g->named, out, room, &pkt) != -ENOSPC)
			g->encoded = false;
	ret = encode(&g->named, out, sizeof(out), &pkt);
	if (ret != (int)n || memcmp(out, bytes, n) || !same_base(&g->named.base, &g->dec.base)) {
		tap_note("encoded as %d bytes, %02x %02x %02x", ret, out[0], out[1], out[2]);
		g->encoded = false;
	}
	m = meaning(&pkt);
	ret = encode(&g->any, out, sizeof(out), &m);
	if (ret < 0 || !same_base(&g->any.base, &g->dec.base) ||
	    (ret != (int)n || memcmp(out, bytes, n) ? how == '=' : how == '~')) {
		tap_note("chosen: %d bytes, %02x %02x %02x", ret, out[0], out[1], out[2]);
		g->shortest = false;
	}
}

static void refused_line(struct golden *g, const uint8_t *bytes, size_t n, const char *reason,
			 unsigned int at)
{
	struct v9_ete_base before = g->dec.base;
	uint8_t more[64];
	struct v9_ete_pkt pkt;

	g->lines++;
	g->dec.reason = g->dec.bad_at = 0xcd;
	for (int longer = 0; longer < 2; longer++) {
		/* following bytes have no effect */
		memset(more, 0x5a, sizeof(more));
		memcpy(more, bytes, n);
		if (decode(&g->dec, more, longer ? sizeof(more) : n, &pkt) != -EBADMSG ||
		    strcmp(reasons[g->dec.reason], reason) || g->dec.bad_at != at ||
		    !same_base(&g->dec.base, &before)) {
			tap_note("%s at %u", reasons[g->dec.reason], g->dec.bad_at);
			g->refused = false;
		}
	}
}

/*
 * shows: ETE-I_LBSZF ETE-R_QWBLT ETE-R_VHQYV ETE-R_MKPFJ ETE-R_NRJGC ETE-R_RHDMW
 * shows: ETE-R_BTWGD ETE-R_ZMQLT ETE-R_JNSWW ETE-R_PFZXK ETE-R_TKBW ETE-R_SJPYH
 * shows: ETE-R_LMHFW ETE-R_BPRDC ETE-I_QMVNP ETE-R_KJNMB ETE-R_EXKEZ ETE-R_VVFQZ
 */
static void golden(const char *file)
{
	struct golden g = { .decoded = true, .encoded = true, .shortest = true, .cuts = true,
			    .refused = true };
	char path[512], name[128], line[512];
	unsigned int i, c, number = 0;
	FILE *f;

	snprintf(path, sizeof(path), GOLDEN "/%s", file);
	f = fopen(path, "r");
	if (!f) {
		tap_ok(f, "golden_readable");
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		bool was = g.decoded && g.encoded && g.shortest && g.cuts && g.refused;
		unsigned int maxspec = 0, commopt = 0, tsmark = 0, nse = 0, at;
		uint8_t bytes[64];
		char *p = line, reason[32];
		size_t n = 0;
		int used;

		number++;
		line[strcspn(line, "\n")] = 0;
		if (*p == '#' || !*p)
			continue;
		if (!strncmp(line, "config", 6)) {
			struct v9_ete_config cfg;

			for (p = strtok(line + 6, " "); p; p = strtok(NULL, " ")) {
				sscanf(p, "maxspec=%u", &maxspec);
				sscanf(p, "commopt=%u", &commopt);
				sscanf(p, "tsmark=%u", &tsmark);
				sscanf(p, "nse=%u", &nse);
			}
			cfg = config(maxspec, commopt, tsmark, nse);
			memset(&g.dec, 0xcd, sizeof(g.dec));
			memset(&g.named, 0xcd, sizeof(g.named));
			memset(&g.any, 0xcd, sizeof(g.any));
			v9_ete_pktdec_init(&g.dec, &cfg);
			v9_ete_pktenc_init(&g.named, &cfg);
			v9_ete_pktenc_init(&g.any, &cfg);
			continue;
		}
		for (; sscanf(p, " %2x%n", &c, &used) == 1; p += used)
			bytes[n++] = (uint8_t)c;
		p += strspn(p, " ");
		if (*p == '?') {
			if (sscanf(p, "? %31s %u", reason, &at) == 2)
				refused_line(&g, bytes, n, reason, at);
			else
				g.refused = false;
		} else if (strchr("=~!", *p)) {
			g.lines++;
			packet_line(&g, bytes, n, *p, p + 2);
		} else {
			g.decoded = false;
		}
		if (was && !(g.decoded && g.encoded && g.shortest && g.cuts && g.refused))
			tap_note("%s:%u", file, number);
	}
	fclose(f);

	for (i = 0; file[i] && file[i] != '.' && i < sizeof(name) - 1; i++)
		name[i] = file[i] == '-' ? '_' : file[i];
	name[i] = 0;
	if (!strcmp(name, "refused")) {
		tap_ok(g.refused && g.decoded && g.lines > 50, "golden_refused");
		return;
	}
	tap_ok(g.decoded && g.lines, "golden_decode_%s", name);
	tap_ok(g.encoded, "golden_encode_%s", name);
	tap_ok(g.shortest, "golden_shortest_%s", name);
	tap_ok(g.cuts, "golden_cuts_%s", name);
}

static int txt(const struct dirent *e)
{
	const char *dot = strrchr(e->d_name, '.');

	return dot && !strcmp(dot, ".txt");
}

/* The kind of a header by the manual; -1 reserved, -2 only with MAXSPEC or TSMARK */
static int known_kind(unsigned int b, bool commopt)
{
	switch (b) {
	case 0x00: return V9_ETE_ASYNC;
	case 0x01: return V9_ETE_INFO;
	case 0x02: case 0x03: return V9_ETE_TIMESTAMP;
	case 0x04: return V9_ETE_TRACE_ON;
	case 0x06: return V9_ETE_EXCEPTION;
	case 0x09: return V9_ETE_INSTRUMENTATION;
	case 0x0a: return V9_ETE_TX_START;
	case 0x0b: return V9_ETE_TX_COMMIT;
	case 0x0c: return commopt ? -1 : V9_ETE_CYCLES;
	case 0x0d: case 0x0e: case 0x0f: case 0x10 ... 0x13: return V9_ETE_CYCLES;
	case 0x14 ... 0x1f: return commopt ? -1 : V9_ETE_CYCLES;
	case 0x2d: return V9_ETE_COMMIT;
	case 0x2e: case 0x2f: case 0x34 ... 0x3f: return V9_ETE_CANCEL;
	case 0x30 ... 0x33: return V9_ETE_MISPREDICT;
	case 0x70: return V9_ETE_IGNORE;
	case 0x71 ... 0x7f: return V9_ETE_EVENT;
	case 0x80: case 0x81: return V9_ETE_CONTEXT;
	case 0x88: return V9_ETE_MARKER;
	case 0x82: case 0x83: case 0x85: case 0x86:
	case 0x90 ... 0x92: case 0x95: case 0x96: case 0x9a: case 0x9b: case 0x9d: case 0x9e:
		return V9_ETE_ADDRESS;
	case 0xa0 ... 0xa2: case 0xa5: case 0xa6: case 0xaa: case 0xab: case 0xac: case 0xaf:
		return V9_ETE_Q;
	case 0xb0 ... 0xb2: case 0xb4 ... 0xb9: return V9_ETE_SOURCE;
	case 0xc0 ... 0xff: return V9_ETE_ATOMS;
	default: return -1;
	}
}

/* A valid payload for each header, mostly zeros */
static size_t follow(unsigned int b, bool commopt, uint8_t *p)
{
	memset(p, 0, 24);
	p[0] = (uint8_t)b;
	switch (b) {
	case 0x00: p[1] = 0x03; return 2;
	case 0x01: case 0x02: return 2;
	case 0x03: return 3;
	case 0x06: p[1] = 0x1d; p[2] = 0x90; return 3;
	case 0x09: return 10;
	case 0x0c: return 2;
	case 0x0d: p[1] = 0xf0; return 2;
	case 0x0e: return commopt ? 2 : 3;
	case 0x0f: return commopt ? 1 : 2;
	case 0x2d: case 0x2e: case 0x2f: p[1] = 1; return 2;
	case 0x81: return 2;
	case 0x82: case 0x83: return 6;
	case 0x85: case 0x86: return 10;
	case 0x95: case 0x96: case 0xb4: case 0xb5: return 2;
	case 0x9a: case 0x9b: case 0xb6: case 0xb7: return 5;
	case 0x9d: case 0x9e: case 0xb8: case 0xb9: return 9;
	case 0xa0 ... 0xa2: case 0xac: p[1] = 1; return 2;
	case 0xa5: case 0xa6: p[2] = 1; return 3;
	case 0xaa: case 0xab: p[5] = 1; return 6;
	default: return 1;
	}
}

/* shows: ETE-R_BVTNX */
static void test_all_headers(void)
{
	for (int mode = 0; mode < 4; mode++) {
		bool commopt = mode & 1, all = mode & 2;
		struct v9_ete_config cfg = config(commopt ? 0 : 20, commopt, all, false);
		unsigned int b;

		if (commopt && all)
			cfg = config(20, true, true, false);
		for (b = 0; b < 256; b++) {
			int kind = known_kind(b, commopt), ret;
			bool absent = (kind == V9_ETE_MARKER && !cfg.tsmark) ||
				      (kind == V9_ETE_INSTRUMENTATION && !cfg.ite) ||
				      ((kind == V9_ETE_COMMIT || kind == V9_ETE_CANCEL) &&
				       !cfg.maxspec);
			bool other = kind < 0 && known_kind(b, !commopt) >= 0;
			struct v9_ete_pktdec dec;
			struct v9_ete_pkt pkt;
			uint8_t bytes[24];
			size_t n = follow(b, commopt, bytes);

			v9_ete_pktdec_init(&dec, &cfg);
			ret = decode(&dec, bytes, sizeof(bytes), &pkt);
			if (kind < 0 || absent) {
				if (ret != -EBADMSG || dec.bad_at != 0 ||
				    dec.reason != (absent || other ? V9_ETE_BAD_HEADER_HERE :
						   V9_ETE_BAD_HEADER))
					break;
				continue;
			}
			if (b == 0)
				kind = V9_ETE_DISCARD;
			if (ret != (int)n || pkt.kind != kind || pkt.header != b || pkt.size != n)
				break;
		}
		tap_eq(b, 256, "all_headers_commopt%d_%s", commopt, all ? "all" : "least");
	}
}

/* Atoms: each sequence of up to 24 that a packet can have, and no other; shows: ETE-I_QMVNP */
static void test_atoms(void)
{
	struct v9_ete_config cfg = config(0, true, false, false);
	unsigned int n, v, headers = 0, wrong = 0, cut_short = 0;
	bool seen[256] = { false };

	for (n = 0; n <= V9_ETE_ATOMS_MAX + 1; n++)
		for (v = 0; v < (n <= 5 ? 1u << n : 4); v++) {
			/* all E but the last two */
			uint32_t atoms = n <= 5 ? v : ((1u << (n - 2)) - 1) | v << (n - 2);
			int header = v9_ete_atoms_header(atoms, n);
			struct v9_ete_pktdec dec;
			struct v9_ete_pkt pkt;

			if (header < 0)
				continue;
			v9_ete_pktdec_init(&dec, &cfg);
			headers++;
			if (decode(&dec, &(uint8_t){ (uint8_t)header }, 1, &pkt) != 1 ||
			    pkt.kind != V9_ETE_ATOMS || pkt.natoms != n || pkt.atoms != atoms ||
			    seen[header])
				wrong++;
			seen[header] = true;
			/* each prefix of a valid sequence must be valid */
			if (n > 1 && v9_ete_atoms_header(atoms & ((1u << (n - 1)) - 1), n - 1) < 0)
				cut_short++;
		}
	tap_ok(headers == 64 && !wrong, "atoms_each_header_once");
	tap_eq(cut_short, 0, "atoms_each_beginning_fits");
	tap_ok(v9_ete_atoms_header(0, 0) == -EINVAL && v9_ete_atoms_header(1, 25) == -EINVAL &&
	       v9_ete_atoms_header(2, 1) == -EINVAL && v9_ete_atoms_header(0, 6) == -EINVAL &&
	       v9_ete_atoms_header(0x1d, 5) == -EINVAL && v9_ete_atoms_header(0x0e, 4) > 0 &&
	       v9_ete_atoms_header(0x1ffffff, 25) == -EINVAL, "atoms_refused");
}

/* shows: ETE-R_FSWRC */
static void test_refused(struct v9_ete_config cfg, const char *name, const struct v9_ete_pkt *pkt)
{
	struct v9_ete_pktenc enc, before;
	uint8_t out[32];

	v9_ete_pktenc_init(&enc, &cfg);
	before = enc;
	tap_ok(encode(&enc, out, sizeof(out), pkt) == -EINVAL && same_base(&enc.base, &before.base),
	       "refused_%s", name);
}

static void test_encoder_refuses(void)
{
	static const struct {
		const char *name;
		struct v9_ete_pkt pkt;
	} bad[] = {
		{ "no_kind", { .kind = V9_ETE_KINDS } },
		{ "kind_200", { .kind = 200 } },
		{ "name_too_large", { .kind = V9_ETE_IGNORE, .name = V9_ETE_NAMES } },
		{ "name_of_another_kind", { .kind = V9_ETE_IGNORE, .name = V9_ETE_P_TRACE_ON } },
		{ "sync_of_another_kind", { .kind = V9_ETE_IGNORE, .name = V9_ETE_P_DISCARD } },
		{ "name_of_other_commit_mode", { .kind = V9_ETE_CYCLES, .has = V9_ETE_HAS_COUNT,
		  .count = 1, .name = V9_ETE_P_CYCLE_COUNT_F3_0 } },
		{ "no_events", { .kind = V9_ETE_EVENT } },
		{ "event_4", { .kind = V9_ETE_EVENT, .events = 16 } },
		{ "no_atoms", { .kind = V9_ETE_ATOMS } },
		{ "atoms_no_packet", { .kind = V9_ETE_ATOMS, .natoms = 4, .atoms = 9 } },
		{ "atoms_too_many", { .kind = V9_ETE_ATOMS, .natoms = 25, .atoms = 0xffffff } },
		{ "instrumentation_absent", { .kind = V9_ETE_INSTRUMENTATION } },
		{ "marker_absent", { .kind = V9_ETE_MARKER } },
		{ "commit_without_speculation", { .kind = V9_ETE_COMMIT, .commit = 1 } },
		{ "cancel_without_speculation", { .kind = V9_ETE_CANCEL, .cancel = 1 } },
		{ "commit_with_count_in_mode_1", { .kind = V9_ETE_CYCLES, .commit = 1,
		  .has = V9_ETE_HAS_COUNT, .count = 9 } },
		{ "count_0", { .kind = V9_ETE_CYCLES, .has = V9_ETE_HAS_COUNT } },
		{ "count_too_large", { .kind = V9_ETE_CYCLES, .has = V9_ETE_HAS_COUNT,
		  .count = 0x100000 } },
		{ "timestamp_count_too_large", { .kind = V9_ETE_TIMESTAMP, .has = V9_ETE_HAS_COUNT,
		  .count = 0x100000 } },
		{ "odd_address", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR, .addr = 1 } },
		{ "halfword_in_a64", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR, .addr = 2 } },
		{ "odd_in_t32", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR, .addr = 1, .isa = 1 } },
		{ "isa_2", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR, .isa = 2 } },
		{ "no_match", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR, .addr = 4,
		  .name = V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH } },
		{ "short_too_far", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR,
		  .addr = 0x20000, .name = V9_ETE_P_TARGET_ADDRESS_SHORT_IS0 } },
		{ "short_1_too_far", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR, .isa = 1,
		  .addr = 0x10000, .name = V9_ETE_P_TARGET_ADDRESS_SHORT_IS1 } },
		{ "long_too_far", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR,
		  .addr = UINT64_C(1) << 32, .name = V9_ETE_P_TARGET_ADDRESS_32_IS0 } },
		{ "form_of_other_isa", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR,
		  .addr = 4, .name = V9_ETE_P_TARGET_ADDRESS_32_IS1 } },
		{ "context_lost", { .kind = V9_ETE_ADDRESS, .has = V9_ETE_HAS_ADDR | V9_ETE_HAS_CTX,
		  .addr = 4, .name = V9_ETE_P_TARGET_ADDRESS_32_IS0 } },
		{ "context_not_same", { .kind = V9_ETE_CONTEXT, .has = V9_ETE_HAS_CTX,
		  .ctx = { .el = 1 }, .name = V9_ETE_P_CONTEXT_SAME } },
		{ "el_4", { .kind = V9_ETE_CONTEXT, .has = V9_ETE_HAS_CTX, .ctx = { .el = 4 } } },
		{ "no_realm", { .kind = V9_ETE_CONTEXT, .has = V9_ETE_HAS_CTX,
		  .ctx = { .nse = true } } },
		{ "q_64_bit", { .kind = V9_ETE_Q, .has = V9_ETE_HAS_ADDR | V9_ETE_HAS_COUNT,
		  .count = 1, .addr = UINT64_C(1) << 32 } },
		{ "q_address_without_count", { .kind = V9_ETE_Q, .has = V9_ETE_HAS_ADDR, .addr = 4 } },
		{ "q_of_nothing", { .kind = V9_ETE_Q, .has = V9_ETE_HAS_COUNT } },
		{ "reserved_exception", { .kind = V9_ETE_EXCEPTION, .type = 5,
		  .has = V9_ETE_HAS_ADDR } },
		{ "exception_32", { .kind = V9_ETE_EXCEPTION, .type = 32, .has = V9_ETE_HAS_ADDR } },
		{ "exception_without_address", { .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_IRQ } },
		{ "exception_in_exception", { .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_IRQ,
		  .has = V9_ETE_HAS_ADDR, .inner = V9_ETE_P_EXCEPTION } },
		{ "source_in_exception", { .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_IRQ,
		  .has = V9_ETE_HAS_ADDR, .inner = V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH } },
		{ "inner_too_large", { .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_IRQ,
		  .has = V9_ETE_HAS_ADDR, .inner = 255 } },
		{ "reset_with_address", { .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_RESET,
		  .inner = V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH } },
		{ "threshold_too_large", { .kind = V9_ETE_INFO, .cycle_counting = true,
		  .threshold = 4096 } },
		{ "threshold_without_counting", { .kind = V9_ETE_INFO, .threshold = 1 } },
		{ "plctl_2", { .kind = V9_ETE_INFO, .plctl = 2 } },
		{ "mispredict_atoms", { .kind = V9_ETE_MISPREDICT, .natoms = 2, .atoms = 1 } },
		{ "cycles_16_in_four_bits", { .kind = V9_ETE_CYCLES, .has = V9_ETE_HAS_COUNT, .count = 16,
		  .name = V9_ETE_P_CYCLE_COUNT_F2_1 } },
	};
	/* Format 2 has four bits each for cycles and commits. */
	static const struct {
		const char *name;
		uint32_t count, commit;
		uint8_t form;
	} nibbles[] = {
		{ "cycles_16_with_commit", 16, 1, V9_ETE_P_CYCLE_COUNT_F2_0_SMALL },
		{ "commit_0_small", 1, 0, V9_ETE_P_CYCLE_COUNT_F2_0_SMALL },
		{ "commit_17_small", 1, 17, V9_ETE_P_CYCLE_COUNT_F2_0_SMALL },
		{ "commit_24_large", 1, 24, V9_ETE_P_CYCLE_COUNT_F2_0_LARGE },
		{ "commit_41_large", 1, 41, V9_ETE_P_CYCLE_COUNT_F2_0_LARGE },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(bad); i++)
		test_refused(config(0, true, false, false), bad[i].name, &bad[i].pkt);
	for (size_t i = 0; i < V9_ARRAY_SIZE(nibbles); i++) {
		const struct v9_ete_pkt pkt = { .kind = V9_ETE_CYCLES, .has = V9_ETE_HAS_COUNT,
						.count = nibbles[i].count, .commit = nibbles[i].commit,
						.name = nibbles[i].form };

		test_refused(config(40, false, false, false), nibbles[i].name, &pkt);
	}
}

/* shows: ETE-R_BXZZJ */
static void test_find_sync(void)
{
	uint8_t buf[64];
	size_t i, n;

	for (i = 0; i <= sizeof(buf) - 12; i++) {
		memset(buf, 0x80, sizeof(buf));
		memset(buf + i, 0, 11);
		if (v9_ete_find_sync(buf, sizeof(buf)) != i)
			break;
		for (n = 0; n < i + 12; n++)
			if (v9_ete_find_sync(buf, n) != n)
				break;
		if (n != i + 12)
			break;
	}
	tap_eq(i, sizeof(buf) - 11, "find_sync_everywhere");
	memset(buf, 0, sizeof(buf));
	tap_eq(v9_ete_find_sync(buf, sizeof(buf)), sizeof(buf), "find_sync_zeros_only");
	buf[40] = 0x80;
	tap_eq(v9_ete_find_sync(buf, sizeof(buf)), 29, "find_sync_after_many_zeros");
	buf[35] = 1;
	tap_eq(v9_ete_find_sync(buf, sizeof(buf)), sizeof(buf), "find_sync_too_few_zeros");
	tap_eq(v9_ete_find_sync(buf, 0), 0, "find_sync_in_nothing");
}

/* Zeroed memory is not decoded as an endless packet. */
static void test_zeros(void)
{
	struct v9_ete_config cfg = config(0, true, false, false);
	static uint8_t zeros[1 << 17];
	struct v9_ete_pktdec dec;
	struct v9_ete_pkt pkt;

	v9_ete_pktdec_init(&dec, &cfg);
	tap_eq(v9_ete_pkt_decode(&dec, zeros, 4096, &pkt), -ENODATA, "zeros_may_go_on");
	tap_ok(v9_ete_pkt_decode(&dec, zeros, sizeof(zeros), &pkt) == -EBADMSG &&
	       dec.reason == V9_ETE_BAD_ASYNC, "zeros_not_for_ever");
	tap_eq(v9_ete_pkt_decode(&dec, zeros, 0, &pkt), -ENODATA, "nothing_is_truncated");
}

static void test_config(void)
{
	struct v9_ete_config c;

	memset(&c, 0xcd, sizeof(c));
	v9_ete_config_init(&c, 0x28000ea1, 0, false);
	tap_ok(c.maxspec == 0 && c.commopt && !c.commtrans && !c.tsmark && !c.nse && !c.ite, "config_plain");
	v9_ete_config_init(&c, 0x00000001, 0, true);
	tap_ok(c.commopt && c.nse, "config_no_speculation_is_mode_1");
	v9_ete_config_init(&c, 0x40c00001, 7, false);
	tap_ok(c.maxspec == 7 && !c.commopt && c.commtrans && c.tsmark && c.ite,
	       "config_everything");
}

static uint64_t state;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* A random number with a random number of bits */
static uint64_t any_number(void)
{
	return rnd() >> (rnd() % 64);
}

static void any_address(struct v9_ete_pkt *p, const struct v9_ete_base *base)
{
	p->isa = rnd() & 1;
	switch (rnd() % 3) {
	case 0:
		p->addr = base->ahb[rnd() % 3].addr;
		break;
	case 1:
		p->addr = base->ahb[0].addr ^ any_number();
		break;
	default:
		p->addr = any_number();
		break;
	}
	p->addr &= p->isa ? ~UINT64_C(1) : ~UINT64_C(3);
	p->has |= V9_ETE_HAS_ADDR;
}

static void any_context(struct v9_ete_pkt *p, const struct v9_ete_base *base, bool nse)
{
	p->ctx = base->ctx;
	if (rnd() & 1)
		p->ctx.el = rnd() & 3;
	if (rnd() & 1)
		p->ctx.ns = !p->ctx.ns;
	if (!(rnd() & 3))
		p->ctx.contextid = (uint32_t)any_number();
	if (!(rnd() & 3))
		p->ctx.vmid = (uint32_t)any_number();
	p->ctx.sf = rnd() & 1;
	p->ctx.nse = nse && (rnd() & 1);
	p->has |= V9_ETE_HAS_CTX;
}

/* A random packet that this trace unit can generate. Returns false to try again. */
static bool any_packet(struct v9_ete_pkt *p, const struct v9_ete_pktenc *enc)
{
	const struct v9_ete_base *base = &enc->base;
	static const uint8_t types[] = { 0, 1, 2, 3, 4, 6, 7, 10, 11, 12, 14, 15, 16, 23, 24 };

	memset(p, 0, sizeof(*p));
	p->kind = rnd() % V9_ETE_KINDS;
	switch (p->kind) {
	case V9_ETE_INFO:
		if (rnd() & 15)
			return false;
		p->transaction = rnd() & 1;
		p->cycle_counting = rnd() & 1;
		p->threshold = p->cycle_counting ? rnd() & 0xfff : 0;
		p->spec = rnd() & 1 ? (uint32_t)any_number() : 0;
		return true;
	case V9_ETE_TIMESTAMP:
		p->timestamp = rnd() & 1 ? any_number() : base->timestamp + any_number() / 3;
		if (rnd() & 1) {
			p->has |= V9_ETE_HAS_COUNT;
			p->count = (uint32_t)any_number() & 0xfffff;
		}
		return true;
	case V9_ETE_MARKER:
		return enc->cfg.tsmark;
	case V9_ETE_INSTRUMENTATION:
		p->ctx.el = rnd() & 3;
		p->value = any_number();
		return enc->cfg.ite;
	case V9_ETE_EXCEPTION:
		p->type = types[rnd() % sizeof(types)];
		p->target_first = rnd() & 1;
		if (p->type != V9_ETE_EXC_RESET && p->type != V9_ETE_EXC_TX_FAILURE) {
			any_address(p, base);
			if (rnd() & 1)
				any_context(p, base, enc->cfg.nse);
		}
		return true;
	case V9_ETE_CYCLES:
		p->commit = enc->cfg.commopt ? 0 : (uint32_t)any_number();
		if (rnd() & 7) {
			p->has |= V9_ETE_HAS_COUNT;
			p->count = base->threshold + ((uint32_t)any_number() & 0xfffff);
			return p->count;
		}
		return true;
	case V9_ETE_COMMIT:
		p->commit = (uint32_t)any_number();
		return enc->cfg.maxspec && p->commit;
	case V9_ETE_CANCEL:
		p->cancel = (uint32_t)any_number();
		p->mispredict = rnd() & 1;
		if (p->mispredict && p->cancel >= 1 && p->cancel <= 5)
			p->natoms = rnd() & 1;
		p->atoms = p->natoms;
		return enc->cfg.maxspec && p->cancel;
	case V9_ETE_MISPREDICT:
		p->mispredict = true;
		p->natoms = rnd() % 3;
		p->atoms = (1u << p->natoms) - 1;
		return true;
	case V9_ETE_EVENT:
		p->events = rnd() & 15;
		return p->events;
	case V9_ETE_CONTEXT:
		any_context(p, base, enc->cfg.nse);
		return true;
	case V9_ETE_ADDRESS:
		any_address(p, base);
		if (rnd() & 1)
			any_context(p, base, enc->cfg.nse);
		return true;
	case V9_ETE_Q:
		if (rnd() & 1) {
			p->has |= V9_ETE_HAS_COUNT;
			p->count = (uint32_t)any_number();
			if (!p->count)
				return false;
			if (rnd() & 1) {
				any_address(p, base);
				p->addr = (p->addr & 0xffffffff) |
					  (base->ahb[0].addr & ~UINT64_C(0xffffffff));
			}
		}
		return true;
	case V9_ETE_SOURCE:
		any_address(p, base);
		return true;
	case V9_ETE_ATOMS:
		p->natoms = rnd() % 24 + 1;
		p->atoms = p->natoms <= 5 ? rnd() & ((1u << p->natoms) - 1) :
			   (rnd() & 1 ? 1u << (p->natoms - 1) : 0) | ((1u << (p->natoms - 1)) - 1);
		return v9_ete_atoms_header(p->atoms, p->natoms) > 0;
	default:
		return true;
	}
}

/*
 * Streams of random packets: the decoder returns what was encoded, with the same base address on
 * both sides; encoding the result gives the same bytes. shows: ETE-R_JBGCR ETE-R_SJPYH
 */
static void test_round_trip(unsigned int seed, const char *name, struct v9_ete_config cfg)
{
	static uint8_t stream[1 << 20];
	static struct v9_ete_pkt sent[60000];
	struct v9_ete_pktenc enc, again;
	struct v9_ete_pktdec dec;
	unsigned int i, kinds = 0, longest = 0;
	bool kind_seen[V9_ETE_KINDS] = { false };
	size_t n = 0, at = 0;

	state = seed * UINT64_C(0x9e3779b97f4a7c15);
	memset(&enc, 0xcd, sizeof(enc));
	memset(&dec, 0xcd, sizeof(dec));
	memset(&again, 0xcd, sizeof(again));
	v9_ete_pktenc_init(&enc, &cfg);
	v9_ete_pktenc_init(&again, &cfg);
	v9_ete_pktdec_init(&dec, &cfg);
	for (i = 0; i < V9_ARRAY_SIZE(sent); ) {
		int ret;

		if (!any_packet(&sent[i], &enc))
			continue;
		ret = v9_ete_pkt_encode(&enc, stream + n, V9_ETE_PKT_MAX, &sent[i]);
		if (ret <= 0) {
			tap_note("packet %u of kind %u: %d", i, sent[i].kind, ret);
			break;
		}
		if ((unsigned int)ret > longest)
			longest = ret;
		n += ret;
		i++;
	}
	tap_ok(i == V9_ARRAY_SIZE(sent) && longest <= V9_ETE_PKT_MAX, "random_encode_%s", name);

	for (i = 0; i < V9_ARRAY_SIZE(sent) && at < n; i++) {
		struct v9_ete_pkt pkt;
		uint8_t out[V9_ETE_PKT_MAX];
		int ret;

		memset(&pkt, 0xcd, sizeof(pkt));
		ret = v9_ete_pkt_decode(&dec, stream + at, n - at, &pkt);
		if (ret <= 0 || !same_meaning(&pkt, &sent[i]) || !raw_agrees(&pkt)) {
			tap_note("packet %u of kind %u: %d", i, sent[i].kind, ret);
			break;
		}
		kind_seen[pkt.kind] = true;
		if (v9_ete_pkt_encode(&again, out, sizeof(out), &pkt) != ret ||
		    memcmp(out, stream + at, ret) || !same_base(&again.base, &dec.base)) {
			tap_note("packet %u of kind %u is another when encoded again", i, pkt.kind);
			break;
		}
		at += ret;
	}
	tap_ok(i == V9_ARRAY_SIZE(sent) && at == n && same_base(&enc.base, &dec.base),
	       "random_decode_%s", name);
	for (i = 0; i < V9_ETE_KINDS; i++)
		kinds += kind_seen[i];
	tap_eq(kinds, V9_ETE_KINDS - (cfg.maxspec ? 0 : 2) - (cfg.tsmark ? 0 : 2),
	       "random_kinds_%s", name);
}

/* Random bytes: no read beyond the end, correct sizes, and decoded packets can be encoded. */
static void test_random_bytes(void)
{
	struct v9_ete_config cfgs[] = { config(0, true, false, false), config(20, false, true, true) };
	unsigned int i, known = 0;
	uint8_t bytes[32] = { 0 };
	size_t j, n = 0;
	int ret = 0;

	state = 4711;
	for (i = 0; i < 400000; i++) {
		struct v9_ete_config *cfg = &cfgs[i & 1];
		struct v9_ete_pktdec dec, second;
		struct v9_ete_pktenc enc;
		struct v9_ete_pkt pkt, twin;
		uint8_t out[V9_ETE_PKT_MAX];
		int len;

		n = rnd() % sizeof(bytes);
		for (j = 0; j < n; j++)
			bytes[j] = (uint8_t)(rnd() & 1 ? rnd() : rnd() & 0x81);
		v9_ete_pktdec_init(&dec, cfg);
		dec.base.ahb[0].addr = rnd() & ~UINT64_C(3);
		dec.base.timestamp = rnd();
		dec.base.threshold = 1;
		second = dec;
		v9_ete_pktenc_init(&enc, cfg);
		enc.base = dec.base;
		ret = decode(&dec, bytes, n, &pkt);
		if (ret == -ENODATA)
			continue;
		if (ret == -EBADMSG) {
			if (dec.bad_at >= n || !dec.reason || dec.reason >= V9_ETE_REASONS)
				break;
			continue;
		}
		if (ret <= 0 || (size_t)ret > n || pkt.size != (uint32_t)ret ||
		    pkt.kind >= V9_ETE_KINDS || !pkt.name || pkt.name >= V9_ETE_NAMES)
			break;
		known++;
		if (pkt.kind == V9_ETE_EXCEPTION && pkt.type == V9_ETE_EXC_RESET && pkt.inner)
			continue;	/* decoded, but never encoded */
		len = encode(&enc, out, sizeof(out), &pkt);
		if (len <= 0 || len > ret)
			break;
		/*
		 * With numbers longer than necessary, and with reserved bits of Trace
		 * Info, the bytes differ and the content is equal.
		 */
		if (decode(&second, out, len, &twin) != len || !same_meaning(&pkt, &twin) ||
		    !same_base(&dec.base, &second.base))
			break;
		if (len == ret && memcmp(out, bytes, len) && pkt.kind != V9_ETE_INFO)
			break;
	}
	if (i < 400000)
		tap_note("%02x %02x %02x %02x %02x %02x of %zu: %d", bytes[0], bytes[1], bytes[2],
			 bytes[3], bytes[4], bytes[5], n, ret);
	tap_eq(i, 400000, "random_bytes");
	tap_ok(known > 50000, "random_bytes_enough");
}

/*
 * The same packet alone and with bytes after it: far from the end the decoder uses its fast path,
 * which must give the same result, and must not accept invalid packets.
 */
static void test_lanes(void)
{
	static const uint8_t headers[] = {
		0x06, 0x06, 0x06, 0x80, 0x81, 0x82, 0x83, 0x85, 0x86, 0x90, 0x91, 0x92, 0x95, 0x96,
		0x9a, 0x9b, 0x9d, 0x9e, 0x02 };
	struct v9_ete_config cfgs[] = { config(0, true, false, false), config(20, false, true, true) };
	unsigned int i, known = 0, refused = 0;
	uint8_t bytes[48] = { 0 };

	state = 815;
	for (i = 0; i < 400000; i++) {
		struct v9_ete_pktdec near, far;
		struct v9_ete_pkt a, b;
		int ret, alone;

		for (size_t j = 0; j < sizeof(bytes); j++)
			bytes[j] = (uint8_t)(rnd() & 3 ? rnd() & 0x7f : rnd());
		bytes[0] = headers[rnd() % sizeof(headers)];
		if (bytes[0] == 0x06) {
			bytes[1] = (uint8_t)(rnd() & 7 ? bytes[1] : 0x40 | (rnd() & 0x1f) << 1);
			bytes[2] = headers[rnd() % sizeof(headers)];
		}
		v9_ete_pktdec_init(&far, &cfgs[i & 1]);
		for (unsigned int k = 0; k < 3; k++)
			far.base.ahb[k] = (struct v9_ete_address){ rnd() & ~UINT64_C(3), rnd() & 1 };
		far.base.timestamp = rnd();
		far.base.ctx.contextid = (uint32_t)rnd();
		far.base.ctx.vmid = (uint32_t)rnd();
		near = far;
		ret = decode(&far, bytes, sizeof(bytes), &a);
		if (ret == -EBADMSG) {
			refused++;
			if (decode(&near, bytes, far.bad_at + 1, &b) != ret ||
			    near.reason != far.reason || near.bad_at != far.bad_at)
				break;
			continue;
		}
		known++;
		alone = ret > 0 ? decode(&near, bytes, (size_t)ret, &b) : 0;
		if (ret <= 0 || alone != ret || memcmp(&a, &b, sizeof(a)) ||
		    !same_base(&far.base, &near.base))
			break;
	}
	if (i < 400000)
		tap_note("%02x %02x %02x %02x %02x %02x", bytes[0], bytes[1], bytes[2], bytes[3],
			 bytes[4], bytes[5]);
	tap_eq(i, 400000, "lanes_agree");
	tap_ok(known > 100000 && refused > 10000, "lanes_enough");
}

/*
 * Exception types as numbered in D5.3.26. The unit maps exceptions to types (D4.4.4, R_GZQKS,
 * R_GPYBB); a Profiling exception has the type Debug.
 */
static void test_exception_texts(void)
{
	static const char *const want[32] = {
		"PE reset", "debug halt", "call", "trap", "system error", NULL, "instruction debug",
		"data debug", NULL, NULL, "alignment", "instruction fault", "data fault", NULL,
		"IRQ", "FIQ", "implementation defined 0", "implementation defined 1",
		"implementation defined 2", "implementation defined 3", "implementation defined 4",
		"implementation defined 5", "implementation defined 6", "implementation defined 7",
		"transaction failure",
	};
	unsigned int bad = 0;

	for (unsigned int type = 0; type < 32; type++) {
		const char *text = v9_ete_exception_text(type);

		if (!want[type])
			bad += text && strcmp(text, "-");
		else
			bad += !text || strcmp(text, want[type]);
	}
	tap_eq(bad, 0, "exception_texts");
}

/* The element of a Source Address packet; what a text is of a packet that has no name */
static void test_element(void)
{
	const struct v9_ete_config cfg = config(0, true, false, false);
	const struct v9_ete_pkt packets[] = {
		{ .kind = V9_ETE_ASYNC }, { .kind = V9_ETE_INFO },
		{ .kind = V9_ETE_SOURCE, .has = V9_ETE_HAS_ADDR, .addr = 0x1002, .isa = 1 },
		{ .kind = V9_ETE_SOURCE, .has = V9_ETE_HAS_ADDR, .addr = 0x2004 },
	};
	struct v9_ete_elem e[2] = { 0 };
	struct v9_ete_pktenc enc;
	struct v9_ete_dec dec = { 0 };
	uint8_t stream[4 * V9_ETE_PKT_MAX];
	size_t n = 0;
	char *text;
	size_t size;
	FILE *f;

	v9_ete_pktenc_init(&enc, &cfg);
	for (size_t i = 0; i < V9_ARRAY_SIZE(packets); i++)
		n += (size_t)v9_ete_pkt_encode(&enc, stream + n, V9_ETE_PKT_MAX, &packets[i]);
	v9_ete_dec_reset(&dec, &cfg);
	v9_ete_dec_feed(&dec, stream, n, 0);
	for (unsigned int i = 0; i < 2 && v9_ete_dec_next(&dec, &e[i]) == 1; )
		i += e[i].kind == V9_EL_SOURCE;
	tap_ok(e[0].kind == V9_EL_SOURCE && e[0].addr == 0x1002 && e[0].isa == 1, "source_of_t32");
	tap_ok(e[1].kind == V9_EL_SOURCE && e[1].addr == 0x2004 && !e[1].isa, "source_of_a64");
	v9_ete_dec_free(&dec);

	f = open_memstream(&text, &size);
	v9_ete_pkt_text(f, &(struct v9_ete_pkt){ .kind = V9_ETE_COMMIT, .name = V9_ETE_NAMES });
	fclose(f);
	tap_ok(!strncmp(text, "packet", 6), "packet_without_a_name");
	free(text);
}

int main(void)
{
	struct dirent **list;
	int n, i;

	test_config();
	test_all_headers();
	test_atoms();
	test_encoder_refuses();
	test_find_sync();
	test_zeros();
	test_exception_texts();
	test_element();
	n = scandir(GOLDEN, &list, txt, alphasort);
	tap_ok(n >= 12, "golden_files");
	for (i = 0; i < n; i++) {
		golden(list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	test_round_trip(1, "plain", config(0, true, false, false));
	test_round_trip(2, "mode_0", config(20, false, true, true));
	test_round_trip(3, "mode_1", config(0x80000000, true, true, false));
	test_round_trip(4, "deep", config(UINT32_MAX, false, false, false));
	test_random_bytes();
	test_lanes();
	return tap_done();
}
