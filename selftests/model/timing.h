/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The timing model. It does not describe a real machine, but it is deterministic for a seed, and
 * a test can predict it. Documentation/trace/model.rst has the formulas.
 */
#ifndef V9_MODEL_TIMING_H
#define V9_MODEL_TIMING_H

#include "classify.h"

#define V9_TLB_ENTRIES	64
#define V9_L1_BLOCKS	128	/* of 256 bytes: 32 KiB */
#define V9_L2_BLOCKS	512	/* of 1 KiB: 512 KiB */
#define V9_LLC_BLOCKS	1024	/* of 4 KiB: 4 MiB */
#define V9_BP_COUNTERS	256
#define V9_BP_TARGETS	64

/* Branch predictor: direction by two-bit counters, target of indirect branches by the last one */
struct v9_predictor {
	uint8_t counter[V9_BP_COUNTERS];
	uint64_t target[V9_BP_TARGETS];
};

struct v9_timing {
	uint64_t tlb[V9_TLB_ENTRIES];
	uint64_t l1[V9_L1_BLOCKS];
	uint64_t l2[V9_L2_BLOCKS];
	uint64_t llc[V9_LLC_BLOCKS];
	struct v9_predictor branches;
};

/* Data Source values, as Arm's own cores use them */
enum v9_level {
	V9_LEVEL_L1 = 0x0,
	V9_LEVEL_L2 = 0x8,
	V9_LEVEL_PEER = 0x9,
	V9_LEVEL_LLC = 0xb,
	V9_LEVEL_DRAM = 0xe
};

/**
 * struct v9_happened - what occurred while an operation executed
 * @data: it accessed data memory
 * @walk: its translation was not in the TLB
 * @mispredicted: it is a branch that was mispredicted
 * @level: enum v9_level: where the data was found
 */
struct v9_happened {
	bool data;
	bool walk;
	bool mispredicted;
	uint8_t level;
};

struct v9_latency {
	uint16_t total, issue, xlat;
};

/* splitmix64's finaliser over two words */
uint64_t v9_mix(uint64_t a, uint64_t b);

void v9_timing_reset(struct v9_timing *t);
/* A data access at @va, translated to @pa: updates the tags and sets ->walk and ->level. */
void v9_timing_data(struct v9_timing *t, uint64_t va, uint64_t pa, struct v9_happened *h);
void v9_predictor_reset(struct v9_predictor *p);
/*
 * A branch with these V9_OP_* flags: updates the predictor. Returns true if it was mispredicted or
 * not predicted. Targets of returns are always predicted.
 */
bool v9_predictor_branch(struct v9_predictor *p, uint32_t flags, uint64_t pc, bool taken,
			 uint64_t target);
struct v9_latency v9_timing_latency(uint64_t noise, const struct v9_class *c,
				    const struct v9_happened *h, unsigned int dram);

#endif
