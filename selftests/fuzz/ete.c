// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is a trace, decoded to packets, elements and flow. The result must not depend on the
 * sizes of feeds, so that the fast and the slow path agree, and each byte must be accounted for.
 *
 * Input: a byte of options, a byte for the sizes of feeds, bytes of code, which repeat at all
 * addresses, trace.
 */
#include "fuzz.h"

#include "../../tools/lib/flow.h"

#define PROGRAM 64

static const uint8_t *code(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	static const uint8_t none;

	(void)ctx;
	*n = PROGRAM - addr % PROGRAM;
	/* Some addresses have no code. */
	if ((addr >> 8) % 16 == 15)
		return NULL;
	return arg ? (const uint8_t *)arg + addr % PROGRAM : &none;
}

struct sum {
	uint64_t hash, records, bytes;
};

static uint64_t add(uint64_t h, const struct v9_flow_rec *r)
{
	h = fuzz_hash(h, r->offset);
	h = fuzz_hash(h, (uint64_t)r->kind << 32 | (uint64_t)r->why << 16 | (uint64_t)r->type << 8 |
		      (uint64_t)r->taken << 2 | (uint64_t)r->addressed << 1 | r->counted);
	h = fuzz_hash(h, r->start ^ r->value);
	h = fuzz_hash(h, r->end ^ r->last_addr << 1);
	return fuzz_hash(h, (uint64_t)r->insns << 32 | r->cycles);
}

static void drain(struct v9_flow *f, struct sum *s, bool batch)
{
	struct v9_flow_batch b;
	struct v9_flow_rec r;

	while (!batch && v9_flow_next(f, &r) > 0) {
		s->hash = add(s->hash, &r);
		s->records++;
	}
	while (batch && v9_flow_batch(f, &b) > 0) {
		for (size_t i = 0; i < b.n; i++) {
			v9_flow_expand(&b, &b.hits[i], &r);
			s->hash = add(s->hash, &r);
		}
		if (!b.n)
			s->hash = add(s->hash, &b.rec);
		s->records += b.n ? b.n : 1;
	}
}

static struct sum decode(const struct v9_ete_setup *setup, const uint8_t *p, size_t n, size_t step,
			 bool batch)
{
	struct v9_flow *f = v9_flow_new(setup);
	struct sum s = { 0 };

	REQUIRE(f);
	for (size_t at = 0; at < n; at += step) {
		const size_t part = n - at < step ? n - at : step;
		uint8_t *copy = fuzz_copy(p + at, part);

		v9_flow_feed(f, copy, part, at);
		drain(f, &s, batch);
		free(copy);
	}
	v9_flow_end(f);
	drain(f, &s, batch);
	s.bytes = v9_ete_account_bytes(v9_flow_account(f));
	for (unsigned int i = 0; i < V9_ETE_KINDS; i++)
		s.hash = fuzz_hash(s.hash, v9_flow_account(f)->kinds[i]);
	s.hash = fuzz_hash(s.hash, v9_flow_sums(f)->insns);
	s.hash = fuzz_hash(s.hash, v9_flow_sums(f)->impossible);
	s.hash = fuzz_hash(s.hash, v9_flow_sums(f)->marks << 32 | v9_flow_sums(f)->marks_cut);
	v9_flow_delete(f);
	return s;
}

static uint64_t counted(const struct v9_flow *f)
{
	const struct v9_flow_counts *c = v9_flow_sums(f);

	return v9_ete_account_bytes(v9_flow_account(f)) + c->ranges + c->insns + c->exceptions +
	       c->unplaced + c->impossible + c->marks + c->marks_cut + v9_flow_account(f)->packets;
}

/*
 * A decoder that starts at a synchronization, and at some offset has the same state as one that
 * started earlier, must give the same records and counters from that offset.
 */
static void relay(const struct v9_ete_setup *setup, const uint8_t *p, size_t n, size_t from,
		  bool batch)
{
	struct v9_flow *old = v9_flow_new(setup), *new = v9_flow_new(setup);
	struct v9_flow_mark a, b;
	struct sum s = { 0 }, t = { 0 };
	uint64_t already[2];
	size_t at = from;
	bool marked = false;

	REQUIRE(old && new);
	while (at < n && !marked) {
		v9_flow_feed(new, p + at, 1, at);
		drain(new, &t, batch);
		at++;
		marked = v9_flow_mark(new, &b);
	}
	v9_flow_feed(old, p, at, 0);
	drain(old, &s, batch);
	if (marked && v9_flow_mark(old, &a) && v9_flow_same_state(&a, &b)) {
		memset(&s, 0, sizeof(s));
		memset(&t, 0, sizeof(t));
		already[0] = counted(old);
		already[1] = counted(new);
		v9_flow_feed(old, p + at, n - at, at);
		v9_flow_feed(new, p + at, n - at, at);
		for (int last = 0; last < 2; last++) {
			drain(old, &s, batch);
			drain(new, &t, batch);
			if (!last) {
				v9_flow_end(old);
				v9_flow_end(new);
			}
		}
		REQUIRE(s.hash == t.hash && s.records == t.records);
		REQUIRE(counted(old) - already[0] == counted(new) - already[1]);
	}
	v9_flow_delete(old);
	v9_flow_delete(new);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct v9_ete_setup setup = { .size = sizeof(setup), .code = code };
	struct sum whole, pieces, bytes;
	uint8_t options, cut;
	uint8_t program[PROGRAM];

	if (size < 2 + PROGRAM || size > 1 << 14)
		return 0;
	options = data[0];
	cut = data[1];
	memcpy(program, data + 2, PROGRAM);
	data += 2 + PROGRAM;
	size -= 2 + PROGRAM;
	setup.arg = program;
	setup.trcidr0 = (options & 1 ? 1u << 29 : 0) | (options & 2 ? 1u << 30 : 0) |
			(options & 4 ? 3u << 22 : 0);
	setup.trcidr2 = options & 8 ? 1u << 31 : 0;
	setup.trcidr8 = options & 16 ? 8 : 0;
	setup.trcconfigr = options & 32 ? 1u << 12 : 0;
	setup.trcdevarch = options & 64 ? 2u << 16 : 0;
	whole = decode(&setup, data, size, size ? size : 1, options & 128);
	pieces = decode(&setup, data, size, 1 + cut, !(options & 128));
	bytes = decode(&setup, data, size, 1, false);
	REQUIRE(whole.bytes == size && pieces.bytes == size && bytes.bytes == size);
	REQUIRE(whole.records == bytes.records && pieces.records == bytes.records);
	REQUIRE(whole.hash == bytes.hash);
	REQUIRE(pieces.hash == bytes.hash);
	for (size_t at = 0, tries = 0; at < size && tries < 8; tries++, at++) {
		at += v9_ete_find_sync(data + at, size - at);
		if (at < size)
			relay(&setup, data, size, at, options & 128);
	}
	return 0;
}
