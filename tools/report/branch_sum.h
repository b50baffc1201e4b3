/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sums of branch stacks: branches, the blocks between them with their cycles, and the callers that
 * a stack shows. Places and functions are numbers that the caller gives; equal numbers are the same
 * instruction, the same function. Memory grows with what is distinct, not with the number of
 * samples.
 */
#ifndef V9TRACE_REPORT_BRANCH_SUM_H
#define V9TRACE_REPORT_BRANCH_SUM_H

#include "../capture/branch.h"
#include "bins.h"

#define V9_STACK_MOST	2731	/* records that a sample has room for: 65535 bytes, 24 each */
#define V9_BLOCK_MOST	65536	/* bytes: what is longer is no code without a branch */

/* What a stack can show, by the filter of its event */
enum {
	V9_STACK_JOINS	= 1,	/* all branches are recorded: code between two records is one block */
	V9_STACK_CALLS	= 2,	/* calls and returns are, with their types */
	V9_STACK_NESTED	= 4,	/* the hardware removes calls that returned: each record is a caller */
};

/* A record. Places and functions: 0: not known */
struct v9_step {
	struct v9_branch_rec b;
	uint32_t from, to;		/* places of b.from, b.to */
	uint32_t from_func, to_func;	/* their functions */
	bool counts;			/* the filter of the report selects it */
};

/* A branch instruction with one target */
struct v9_branch_bin {
	uint64_t key[2];		/* from << 32 | to, type */
	uint64_t n[3];			/* by enum v9_branch_pred */
	uint64_t timed, cycles;		/* records with cycles, and their sum */
};

/* Code from the target of a record to the source of the next one */
struct v9_block_bin {
	uint64_t key[1];		/* start << 32 | end */
	uint64_t n;			/* times that it was recorded */
	uint64_t timed, cycles;		/* those of which cycles are known, and their sum */
	uint64_t limit;			/* those at the limit of the counter: they took longer */
};

#define V9_NO_CALLER	UINT32_MAX	/* the call is older than the stack */

/* Times that a block took so many cycles, by the place it was called from */
struct v9_lat_bin {
	uint64_t key[3];		/* start << 32 | end, place of the call or V9_NO_CALLER, cycles */
	uint64_t n;
};

/* A function with the functions that called it, in one order: a node of a tree of callers */
struct v9_caller_bin {
	uint64_t key[1];		/* parent << 32 | function; parent: index + 1, or 0 */
	uint64_t n;			/* stacks that show it */
	uint64_t ends;			/* those of which no further caller is known */
	uint32_t index;			/* of this node */
};

struct v9_branch_sum {
	struct v9_bins branches, blocks, lats, callers;
	uint64_t stacks;		/* samples with one record or more */
	uint64_t empty;			/* samples with none */
	uint64_t records;		/* records, of which these were selected: */
	uint64_t n;
	uint64_t pred[3];
	uint64_t by_type[V9_BRANCH_TYPES][3];
	uint64_t half;			/* taken, without source or target */
	uint64_t not_taken;
	uint64_t timed, limit;		/* with cycles; at the limit of the counter */
	uint64_t in_tx, aborts, wrong_path;
	uint64_t holes;			/* neighbours with no block between them that can be */
	uint64_t misfits;		/* returns that do not go behind the call before them */
	uint64_t chains;		/* stacks in the tree of callers */
	uint64_t lengths[V9_STACK_MOST + 1];	/* stacks by their number of records */
	unsigned int longest;
	struct v9_open { uint32_t place, func; uint64_t from; uint8_t type; } *open;	/* calls */
};

void v9_branch_sum_init(struct v9_branch_sum *s);
void v9_branch_sum_free(struct v9_branch_sum *s);

/*
 * Adds the stack of a sample: @n records, youngest first, at most V9_STACK_MOST. @shows: V9_STACK_*
 */
void v9_branch_sum_add(struct v9_branch_sum *s, const struct v9_step *step, size_t n,
		       unsigned int shows);

/* The latencies of one block, or of one block by one caller: cycles ascending */
struct v9_lat_run {
	struct v9_lat_bin *const *lat;
	size_t n;			/* bins */
	uint64_t sum;			/* of .n of all bins */
};

/*
 * Returns all bins of latencies, by block, then caller, then cycles, or for @by_caller false by
 * block, then cycles. The caller frees the array; it has .lats.used elements.
 */
struct v9_lat_bin **v9_branch_lats(const struct v9_branch_sum *s, bool by_caller);

/* The bins of block @key (and of @caller, unless NULL) in such an array of that order. */
struct v9_lat_run v9_lat_run(const struct v9_branch_sum *s, struct v9_lat_bin **lats, uint64_t key,
			     const uint64_t *caller);

/* The smallest number of cycles such that @percent of the times are not greater. 0: no times */
uint64_t v9_lat_percentile(const struct v9_lat_run *run, unsigned int percent);

#endif
