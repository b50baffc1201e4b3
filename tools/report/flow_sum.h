/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a trace of instructions adds up to: how many of each kind, in which
 * functions, and by which calls they were reached.
 */
#ifndef V9TRACE_REPORT_FLOW_SUM_H
#define V9TRACE_REPORT_FLOW_SUM_H

#include "../decode/trace.h"

#define V9_EXCEPTIONS	32

/* A function that ran. */
struct v9_ran {
	const struct v9_func *func;	/* NULL: not known */
	struct v9_dso *object;		/* NULL: not known */
	const char *dso;
	uint64_t insns, entries;	/* entries: calls and other ways in through its first byte */
};

/* A node of the call tree: a function as reached by one path. The first is the root. */
struct v9_call {
	size_t func;			/* index into ran */
	size_t parent, child, next;	/* indexes; 0: none */
	uint64_t self, total, calls;	/* total: with what it called; after v9_flow_sum_finish() */
};

/* Where a thread is in the tree. */
struct v9_frames {
	uint32_t tid;
	size_t node;
	struct v9_frame { uint64_t back; size_t node; } *frame;	/* callers, the latest last */
	size_t nr;
	bool seen;			/* since what was counted was taken away */
	bool call, ret, trap;		/* how execution left where it was */
	uint64_t back;			/* where that call or exception returns to */
};

/* Numbers that simply add up. */
struct v9_flow_totals {
	uint64_t insns, ranges, unplaced_insns;
	uint64_t branches, taken, conditional, calls, returns, indirect, exception_returns;
	uint64_t exceptions[V9_EXCEPTIONS];
	uint64_t timestamps, cycle_counts, cycles, events, transactions, said;
	uint64_t el[4];
};

struct v9_flow_sum {
	struct v9_lookup *lookup;
	struct v9_flow_totals n;
	bool tree;			/* the call tree is wanted */
	uint64_t first, last;		/* ns, of what has a time */
	bool has_time;
	struct v9_ran *ran;		/* the first is the root */
	size_t nr_ran;
	struct v9_strtab ran_ids;
	struct v9_call *call;
	size_t nr_call;
	struct v9_frames *threads;
	size_t nr_threads, thread;	/* thread: the one seen last */
	uint32_t *cpus;			/* that were seen */
	size_t nr_cpus;
	struct v9_strtab threads_ids, cpu_ids;
	struct v9_spot *spots;		/* functions of addresses seen lately */
	uint64_t epoch_time;
	size_t epoch;			/* of that time */
	uint32_t last_cpu;
};

void v9_flow_sum_init(struct v9_flow_sum *f, struct v9_lookup *lookup, bool tree);
void v9_flow_sum_add(struct v9_flow_sum *f, const struct v9_sampled *at,
		     const struct v9_flow_rec *rec);
/* The same for ranges in brief; the blocks' notes are ours. */
void v9_flow_sum_hits(struct v9_flow_sum *f, const struct v9_sampled *at,
		      const struct v9_flow_batch *batch);

/*
 * What was counted since the last time, alone, and the sum begins at nothing again: of a
 * sum without a tree. The part is to be added to another sum; free() it.
 */
struct v9_flow_part *v9_flow_sum_part(struct v9_flow_sum *f);
void v9_flow_sum_join(struct v9_flow_sum *f, const struct v9_flow_part *part);

/* What is nameless is counted where it shows; and, if there is one, the tree is added up. */
void v9_flow_sum_finish(struct v9_flow_sum *f);
void v9_flow_sum_free(struct v9_flow_sum *f);

#endif
