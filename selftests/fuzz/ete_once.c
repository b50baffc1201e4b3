// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is a trace, decoded once to flow: some twenty times as many inputs a second as ete, which compares
 * decodings. Each byte must be accounted for, each range must be one of instructions in sequence, and the
 * counters must be the sums of the records.
 */
#include "ete_input.h"

static void take(struct v9_flow_counts *sums, const struct v9_flow_rec *r, size_t size)
{
	/* AArch32: addresses are modulo 2^32. */
	const uint64_t mask = r->isa == V9_ISA_A64 ? UINT64_MAX : UINT32_MAX;
	const uint64_t bytes = (r->end - r->start) & mask;

	REQUIRE(r->offset <= size);
	switch (r->kind) {
	case V9_FLOW_RANGE:
		REQUIRE(bytes <= 4ull * r->insns && bytes >= (r->isa == V9_ISA_T32 ? 2ull : 4ull) * r->insns);
		REQUIRE(!r->insns || ((r->last_addr - r->start) & mask) < bytes);
		sums->ranges++;
		sums->insns += r->insns;
		break;
	case V9_FLOW_EXCEPTION:
		sums->exceptions++;
		break;
	case V9_FLOW_GAP:
		REQUIRE(r->why < V9_FLOW_WHYS);
		sums->gaps[r->why]++;
		break;
	case V9_FLOW_MARK:
		sums->marks++;
		break;
	case V9_FLOW_MARK_CUT:
		sums->marks_cut++;
		break;
	}
}

static void drain(struct v9_flow *f, struct v9_flow_counts *sums, const struct ete_input *in)
{
	struct v9_flow_batch b;
	struct v9_flow_rec r;

	while (!in->batch && v9_flow_next(f, &r) > 0)
		take(sums, &r, in->size);
	while (in->batch && v9_flow_batch(f, &b) > 0) {
		for (size_t i = 0; i < b.n; i++) {
			v9_flow_expand(&b, &b.hits[i], &r);
			take(sums, &r, in->size);
		}
		if (!b.n)
			take(sums, &b.rec, in->size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct v9_flow_counts sums = { 0 };
	const struct v9_flow_counts *c;
	struct ete_input in;
	struct v9_flow *f;

	if (!ete_input(&in, data, size))
		return 0;
	f = v9_flow_new(&in.setup);
	REQUIRE(f);
	/* libFuzzer's copy of the input ends where the trace does: a read beyond it is found. */
	v9_flow_feed(f, in.trace, in.size, 0);
	drain(f, &sums, &in);
	v9_flow_end(f);
	drain(f, &sums, &in);
	c = v9_flow_sums(f);
	REQUIRE(v9_ete_account_bytes(v9_flow_account(f)) == in.size);
	REQUIRE(c->ranges == sums.ranges && c->insns == sums.insns && c->exceptions == sums.exceptions);
	REQUIRE(!memcmp(c->gaps, sums.gaps, sizeof(sums.gaps)));
	REQUIRE(c->marks == sums.marks && c->marks_cut == sums.marks_cut);
	v9_flow_delete(f);
	return 0;
}
