// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is SPE data. The records must not depend on the sizes of feeds, so that the fast and
 * the slow path agree, and each byte must be accounted for. Input: a byte for the sizes of feeds,
 * data.
 */
#include "fuzz.h"

#include "../../tools/lib/spe.h"

struct sum {
	uint64_t hash, records, bytes;
};

static uint64_t code(uint64_t h, const struct v9_spe_code *c)
{
	return fuzz_hash(fuzz_hash(h, c->addr), c->el | (uint64_t)c->ns << 8 | (uint64_t)c->nse << 9);
}

static uint64_t add(uint64_t h, const struct v9_spe_rec *r)
{
	h = fuzz_hash(h, r->offset);
	h = fuzz_hash(h, (uint64_t)r->size << 32 | r->has);
	h = fuzz_hash(h, r->va);
	h = fuzz_hash(h, r->pa);
	h = fuzz_hash(h, r->events);
	h = fuzz_hash(h, r->ts);
	h = code(code(code(h, &r->pc), &r->target), &r->prev_target);
	h = fuzz_hash(h, (uint64_t)r->ctx[0] << 32 | r->ctx[1]);
	h = fuzz_hash(h, (uint64_t)r->lat[0] << 32 | (uint64_t)r->lat[1] << 16 | r->lat[2]);
	h = fuzz_hash(h, (uint64_t)r->source << 32 | (uint64_t)r->op_class << 8 | r->op);
	h = fuzz_hash(h, r->lat_alt);
	return fuzz_hash(h, (uint64_t)r->va_tag << 16 | (uint64_t)r->pa_top << 8 | r->unknown);
}

static struct sum decode(const uint8_t *p, size_t n, size_t step)
{
	struct v9_spe_dec *d = v9_spe_dec_new();
	struct sum s = { 0 };
	struct v9_spe_rec r;

	REQUIRE(d);
	for (size_t at = 0; at < n; at += step) {
		const size_t part = n - at < step ? n - at : step;
		uint8_t *copy = fuzz_copy(p + at, part);

		v9_spe_dec_feed(d, copy, part, at);
		while (v9_spe_dec_next(d, &r) > 0) {
			s.hash = add(s.hash, &r);
			s.records++;
		}
		free(copy);
	}
	v9_spe_dec_end(d, V9_SPE_SKIP_CUT);
	s.bytes = v9_spe_account_bytes(v9_spe_dec_account(d));
	s.hash = fuzz_hash(s.hash, v9_spe_dec_account(d)->padding);
	v9_spe_dec_delete(d);
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sum whole, pieces, bytes;

	if (!size || size > 1 << 17)
		return 0;
	whole = decode(data + 1, size - 1, size);
	pieces = decode(data + 1, size - 1, 1 + data[0]);
	bytes = decode(data + 1, size - 1, 1);
	REQUIRE(whole.bytes == size - 1 && pieces.bytes == size - 1 && bytes.bytes == size - 1);
	REQUIRE(whole.records == bytes.records && pieces.records == bytes.records);
	REQUIRE(whole.hash == bytes.hash && pieces.hash == bytes.hash);
	return 0;
}
