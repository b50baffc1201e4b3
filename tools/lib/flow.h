/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Elements -> what was executed. The top of the staircase: walks the program
 * from element to element and says which instructions ran, what interrupted
 * them, and where nothing is known and why. It goes on behind each gap.
 */
#ifndef V9TRACE_LIB_FLOW_H
#define V9TRACE_LIB_FLOW_H

#include "block.h"
#include "ete.h"

#define V9_FLOW_STACK	15	/* R_HNDJJ: as deep as any unit's */

#define V9_FLOW_HITS	1024	/* at a time */

struct v9_atoms {
	uint32_t bits;
	uint8_t n;
};

struct v9_flow {
	struct v9_ete_dec ete;
	struct v9_flow_counts counts;
	struct v9_blocks blocks;
	bool stacked;		/* TRCCONFIGR.RS */
	/* where execution is */
	uint64_t addr;
	struct v9_ete_context ctx;
	uint8_t half;		/* IS1: half words, T32 */
	bool has_addr, has_ctx;
	bool awaiting;		/* a taken indirect branch was the last thing seen */
	bool lost;		/* and that was said */
	struct v9_ete_address stack[V9_FLOW_STACK];
	uint8_t top, entries;	/* of the stack: where the next goes, how many */
	struct v9_flow_rec *out;
	size_t head, tail, room;
	size_t held;		/* out[held]: a branch that a Mispredict may still turn round */
	/* a Q element, until its address tells whether a straight line can be meant */
	struct v9_path line;
	uint64_t line_offset;
	bool q, straight, line_known;
	/* the fast lane: what it made, before everything in out[] */
	struct v9_flow_hit *hits;
	size_t hit, nr_hits;
	const uint8_t *hits_from;
	uint64_t hits_at;
	struct v9_atoms atoms[64];
	struct v9_block no_block[2], *awaits, *nowhere;
	int err;
	struct v9_flow_rec spill;	/* there was no memory for it */
};

/**
 * v9_flow_reset - start a stream. The struct may hold anything.
 * @wfx: TRCIDR2.WFXMODE
 * @stack: TRCCONFIGR.RS
 *
 * Returns 0 or -ENOMEM; that is then also what v9_flow_next() returns.
 */
int v9_flow_reset(struct v9_flow *f, const struct v9_ete_config *cfg, bool wfx, bool stack,
		   v9_code_fn *code, void *arg);
void v9_flow_free(struct v9_flow *f);

/* The other verbs are those of v9ete.h. */

#endif
