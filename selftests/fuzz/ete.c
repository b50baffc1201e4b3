// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is a trace, decoded to packets, elements and flow. The result must not depend on the
 * sizes of feeds, so that the fast and the slow path agree, and each byte must be accounted for.
 */
#include "ete_input.h"

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
	struct sum whole, pieces, bytes;
	struct ete_input in;

	if (!ete_input(&in, data, size))
		return 0;
	whole = decode(&in.setup, in.trace, in.size, in.size ? in.size : 1, in.batch);
	pieces = decode(&in.setup, in.trace, in.size, 1 + in.cut, !in.batch);
	bytes = decode(&in.setup, in.trace, in.size, 1, false);
	REQUIRE(whole.bytes == in.size && pieces.bytes == in.size && bytes.bytes == in.size);
	REQUIRE(whole.records == bytes.records && pieces.records == bytes.records);
	REQUIRE(whole.hash == bytes.hash);
	REQUIRE(pieces.hash == bytes.hash);
	for (size_t at = 0, tries = 0; at < in.size && tries < 8; tries++, at++) {
		at += v9_ete_find_sync(in.trace + at, in.size - at);
		if (at < in.size)
			relay(&in.setup, in.trace, in.size, at, in.batch);
	}
	return 0;
}
