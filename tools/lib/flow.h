/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Elements -> executed instructions. This is the top layer. It follows the program from element to
 * element. It produces records of executed instructions, of exceptions, and of gaps with their
 * reason. Decoding continues after each gap.
 */
#ifndef V9TRACE_LIB_FLOW_H
#define V9TRACE_LIB_FLOW_H

#include "block.h"
#include "ete.h"

#define V9_FLOW_STACK	15	/* R_HNDJJ: maximum depth of a return stack, in entries */

#define V9_FLOW_HITS	1024	/* maximum number of hits in a batch */

struct v9_flow {
	struct v9_ete_dec ete;
	struct v9_flow_counts counts;
	struct v9_blocks blocks;
	bool stacked;		/* TRCCONFIGR.RS */
	/* position of the execution */
	uint64_t addr;
	struct v9_ete_context ctx;
	uint8_t half;		/* 1: IS1 (T32); 0: IS0 */
	bool has_addr, has_ctx;
	bool awaiting;		/* target of a taken indirect branch is not known yet */
	bool source;		/* the last hit is of a Source Address element */
	bool entered;		/* the last P0 element is an exception; its target is not known yet */
	bool lost;		/* the unknown address was reported in a record */
	uint8_t why;		/* enum v9_flow_why of the last gap */
	uint8_t doubt;		/* after a doubtful Trace On: 1 + addresses since, 3 at most; else 0 */
	struct v9_ete_address resume;	/* the last of them */
	struct v9_ete_address stack[V9_FLOW_STACK];
	uint8_t top, entries;	/* of the stack: next index, number of entries */
	struct v9_flow_rec *out;
	size_t head, tail, room;
	size_t held;		/* out[held]: a branch that a Mispredict may still invert */
	uint64_t mark;		/* word of the mark that out[held] jumps over; 0: none */
	/* The number of a mark, of which bits are missing: see v9mark.h */
	struct {
		uint64_t value, at, branch;	/* at: of the next bit; branch: of the mark */
		uint32_t left;			/* bits; 0: no number */
	} number;
	/* A Q element with a count. The address after it can show which instructions were executed. */
	struct {
		uint64_t offset, start;
		struct v9_ete_context ctx;
		uint32_t insns;
		uint8_t half;
		bool pending, known;	/* @known: @start and what depends on it */
	} q;
	/* output of the fast path; precedes all of out[] */
	struct v9_flow_hit *hits;
	size_t hit, nr_hits;
	const uint8_t *hits_from;
	uint64_t hits_at;
	struct v9_block no_block[2], *awaits, *nowhere;
	int err;
	struct v9_flow_rec spill;	/* written instead of out[] after -ENOMEM */
};

/**
 * v9_flow_reset - start a stream. The memory may have any content.
 * @wfx: TRCIDR2.WFXMODE
 * @stack: TRCCONFIGR.RS
 *
 * Returns 0, or -ENOMEM; v9_flow_next() then returns -ENOMEM, too.
 */
int v9_flow_reset(struct v9_flow *f, const struct v9_ete_config *cfg, bool wfx, bool stack,
		   v9_code_fn *code, void *arg);
void v9_flow_free(struct v9_flow *f);

/* v9ete.h declares the other functions. */

#endif
