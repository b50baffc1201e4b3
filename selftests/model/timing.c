// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Caches are direct-mapped tag arrays of blocks larger than a cache line. They see sampled
 * accesses only. The larger block represents the neighbouring lines that unsampled accesses would
 * have brought in.
 */
#include "timing.h"

#define EMPTY UINT64_MAX

uint64_t v9_mix(uint64_t a, uint64_t b)
{
	uint64_t z = a + b * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void v9_timing_reset(struct v9_timing *t)
{
	memset(t, 0xff, sizeof(*t));		/* tags empty */
	v9_predictor_reset(&t->branches);
}

void v9_predictor_reset(struct v9_predictor *p)
{
	memset(p->target, 0xff, sizeof(p->target));	/* empty */
	memset(p->counter, 1, sizeof(p->counter));	/* weakly not taken */
}

/* Returns true if @block was present, and makes it present. */
static bool touch(uint64_t *tags, unsigned int n, uint64_t block)
{
	uint64_t *tag = &tags[block % n];
	bool hit = *tag == block;

	*tag = block;
	return hit;
}

void v9_timing_data(struct v9_timing *t, uint64_t va, uint64_t pa, struct v9_happened *h)
{
	bool l1 = touch(t->l1, V9_L1_BLOCKS, pa >> 8);
	bool l2 = touch(t->l2, V9_L2_BLOCKS, pa >> 10);
	bool llc = touch(t->llc, V9_LLC_BLOCKS, pa >> 12);

	h->data = true;
	h->walk = !touch(t->tlb, V9_TLB_ENTRIES, va >> 12);
	h->level = l1 ? V9_LEVEL_L1 : l2 ? V9_LEVEL_L2 : llc ? V9_LEVEL_LLC : V9_LEVEL_DRAM;
}

bool v9_predictor_branch(struct v9_predictor *p, uint32_t flags, uint64_t pc, bool taken,
			 uint64_t target)
{
	uint8_t *counter = &p->counter[(pc >> 2) % V9_BP_COUNTERS];
	uint64_t *last = &p->target[(pc >> 2) % V9_BP_TARGETS];
	bool wrong = false;

	if (flags & V9_OP_COND) {
		wrong = (*counter >= 2) != taken;
		if (taken && *counter < 3)
			++*counter;
		else if (!taken && *counter > 0)
			--*counter;
	} else if ((flags & V9_OP_IND) && !(flags & (V9_OP_RET | V9_OP_ERET))) {
		/* returns use a return stack, assumed perfect */
		wrong = *last != target;
		*last = target;
	}
	return wrong;
}

static unsigned int level_cycles(unsigned int level, unsigned int dram)
{
	switch (level) {
	case V9_LEVEL_L1:
		return 4;
	case V9_LEVEL_L2:
		return 12;
	case V9_LEVEL_LLC:
		return 40;
	case V9_LEVEL_PEER:
		return 60;
	default:
		return dram;
	}
}

struct v9_latency v9_timing_latency(uint64_t noise, const struct v9_class *c,
				    const struct v9_happened *h, unsigned int dram)
{
	unsigned int issue = 1 + noise % 8, xlat = 0, work, total;

	if (h->data) {
		xlat = h->walk ? 20 + (noise >> 8) % 16 : 1;
		work = level_cycles(h->level, dram);
		if (h->level == V9_LEVEL_DRAM)
			work += (noise >> 16) % 64;
		if (!(c->flags & V9_OP_LD))
			work = 1;	/* a store need not complete (SPE-CD20) */
		if (c->flags & (V9_OP_ATOMIC | V9_OP_EXCL))
			work += 8;
	} else if (c->flags & V9_OP_BRANCH) {
		work = h->mispredicted ? 12 : 1;
	} else if (c->flags & (V9_OP_BARRIER | V9_OP_WAIT)) {
		work = 24;
	} else if (c->flags & (V9_OP_SIMD | V9_OP_SVE)) {
		work = 3;
	} else {
		work = 1;
	}
	total = issue + xlat + work;
	return (struct v9_latency){
		.total = total > 0xffff ? 0xffff : total,
		.issue = issue,
		.xlat = xlat,
	};
}
