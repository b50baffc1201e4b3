/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sums of an instruction trace: totals, instructions by function, and the call tree. */
#ifndef V9TRACE_REPORT_FLOW_SUM_H
#define V9TRACE_REPORT_FLOW_SUM_H

#include "../capture/mark.h"
#include "../capture/trace.h"
#include "bins.h"
#include "call_tree.h"
#include "calls.h"
#include "piece.h"

#define V9_EXCEPTIONS	32

/* An executed function. */
struct v9_ran {
	const struct v9_func *func;	/* NULL: unknown */
	struct v9_dso *object;		/* NULL: unknown */
	const char *dso;
	uint64_t insns, entries;	/* entries: ranges that begin at its first byte */
	size_t whole;			/* index of the function that it is a part of: NAME.cold */
	bool final;			/* see struct v9_arrival */
};

/* A thread, and its calls. */
struct v9_thread_calls {
	uint32_t tid;
	bool seen;			/* since the last v9_flow_sum_part() */
	const struct v9_space *space;	/* in which the calls began */
	struct v9_calls calls;
	uint64_t insns, cycles;		/* so far: the position of the thread, its cycle counts */
	size_t root;			/* its node in the call tree; 0: the root of all */
	size_t replaced;		/* the node that was left last */
	uint64_t site;			/* of the last instruction, if it is a taken branch; else 0 */
	struct v9_spent *spent;		/* since the last count */
	size_t nr_spent;
	bool unknown;			/* the next count covers what is not known */
	size_t piece;			/* of v9_flow_sum.piece: index + 1; 0: none */
};

/* The place of what is decoded in the order of the whole capture: by .time, .stream, .offset */
struct v9_flow_place {
	uint64_t time, stream, offset;
};

/* What a thread did from one place to another, without a break. Functions are indexes of v9_flow_sum.ran. */
struct v9_flow_piece {
	uint32_t tid;
	struct v9_flow_place from, upto;
	struct v9_calls_piece calls;
};

/* Instructions in sequence that a node of the call tree executed. */
struct v9_ran_run {
	union {
		struct {
			uint64_t node;		/* index of v9_flow_sum.call */
			uint64_t start;		/* as linked, if the function is known */
			uint64_t size;		/* bytes */
		};
		uint64_t key[3];
	};
	size_t number;			/* index + 1 */
	uint32_t insns;
	uint64_t n;			/* times */
};

struct v9_flow_sum;

/*
 * Called at each begin and end of a call, and at each mark. @at: NULL at the end of the trace. @node: index of
 * v9_flow_sum.call
 */
struct v9_call_hook {
	void (*enter)(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *t,
		      const struct v9_sampled *at, size_t node, enum v9_calls_enter how);
	void (*leave)(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *t,
		      const struct v9_sampled *at, size_t node, enum v9_calls_leave how);
	/* A mark of the program, written in a call of @t; may be NULL */
	void (*mark)(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *t,
		     const struct v9_sampled *at, const struct v9_mark *m);
	void *arg;
};

/* Counters. All members are uint64_t: add_totals() depends on it. */
struct v9_flow_totals {
	uint64_t insns, ranges, unplaced_insns;
	uint64_t branches, taken, conditional, calls, returns, indirect, exception_returns;
	uint64_t exceptions[V9_EXCEPTIONS];
	uint64_t timestamps, cycle_counts, cycles, events, instrumentation;
	uint64_t triggers;		/* Event 0, also of what no filter selects */
	uint64_t el[4];
};

/* A mark of a program, and where it was written */
struct v9_marked {
	struct v9_mark mark;
	uint64_t time, offset;		/* ns; in the stream of its CPU */
	uint32_t tid;
	bool has_time;
};

/* Timestamps in a chunk of a stream (v9_queue.chunks): that of a snapshot in an overwritten buffer */
struct v9_chunk_times {
	uint64_t stream, chunk;		/* indexes */
	uint64_t first, last;		/* ns */
};

struct v9_flow_sum {
	struct v9_lookup *lookup;
	struct v9_flow_totals n;
	bool tree;			/* build the call tree */
	bool by_thread;			/* each thread has a node of its own below the root, of function 0 */
	uint64_t first, last;		/* ns; valid if has_time */
	bool has_time;
	struct v9_ran *ran;		/* the first is that of the root */
	size_t nr_ran;
	struct v9_strtab ran_ids;
	struct v9_call *call;
	size_t nr_call;
	struct v9_calls_sink sink;
	const struct v9_call_hook *hook;	/* NULL, or set before the first record */
	bool counts_cycles;		/* add cycles to the tree; set before the first record */
	/*
	 * A node of the tree is a function called at one place: v9_call_at(). The place is as linked. A
	 * tail call is a call, and .calls counts those to the first byte. Set before the first record.
	 */
	bool by_site;
	bool entered;			/* execution has arrived at the first byte of a function */
	uint64_t cut;			/* calls with too many callers */
	/*
	 * A part of a capture: pieces in place of the call tree. .place: of what follows. .stays: has the thread
	 * done nothing else between two places?
	 */
	bool pieces;
	struct v9_flow_place place;
	bool (*stays)(void *arg, uint32_t tid, const struct v9_flow_place *from,
		      const struct v9_flow_place *to);
	void *stays_arg;
	struct v9_flow_piece *piece;
	size_t nr_pieces, kept;		/* kept: nodes and steps of those that have ended */
	struct v9_bins *runs;		/* of struct v9_ran_run; NULL, or set before the first record */
	struct v9_run_at *run_at;	/* cache: block and node -> run */
	uint32_t nr_noted;		/* blocks that were new */
	const struct v9_sampled *at;	/* of the record that is added */
	struct v9_marked *marks;	/* in no order */
	size_t nr_marks;
	struct v9_chunk_times *times;	/* by v9_flow_sum_times() */
	size_t nr_times;
	uint64_t ambiguous, dropped;	/* see struct v9_calls; set by v9_flow_sum_finish() */
	struct v9_thread_calls *threads;
	size_t nr_threads, thread;	/* thread: index of the last one */
	uint32_t *cpus;			/* CPUs that occurred */
	size_t nr_cpus;
	struct v9_strtab threads_ids, cpu_ids;
	struct v9_ran_at *spots;		/* cache: address -> function */
	struct v9_epochs epochs;
	uint32_t last_cpu;
};

void v9_flow_sum_init(struct v9_flow_sum *f, struct v9_lookup *lookup, bool tree);
void v9_flow_sum_add(struct v9_flow_sum *f, const struct v9_sampled *at,
		     const struct v9_flow_rec *rec);
/* Adds a batch of ranges. Writes note and note_flags of their blocks. */
void v9_flow_sum_hits(struct v9_flow_sum *f, const struct v9_sampled *at,
		      const struct v9_flow_batch *batch);

/* Adds times of a chunk to those that it has. */
void v9_flow_sum_times(struct v9_flow_sum *f, const struct v9_chunk_times *t);

/*
 * Returns what was counted since the last call and resets the sum. Only for a sum without a call
 * tree. v9_flow_sum_join() adds the part to another sum. The caller frees it with free().
 */
struct v9_flow_part *v9_flow_sum_part(struct v9_flow_sum *f);
void v9_flow_sum_join(struct v9_flow_sum *f, const struct v9_flow_part *part);

/* Returns the address behind the function at @addr, or UINT64_MAX if that is not known. */
uint64_t v9_flow_sum_end_of_function(struct v9_flow_sum *f, const struct v9_sampled *at, uint64_t addr);

/* Returns a thread of .threads, or NULL. The thread of the last record is found at once. */
const struct v9_thread_calls *v9_flow_sum_find(const struct v9_flow_sum *f, uint32_t tid);

/* Returns the index in .threads of one of them. */
static inline size_t v9_flow_sum_thread(const struct v9_flow_sum *f, const struct v9_thread_calls *t)
{
	return (size_t)(t - f->threads);
}

/* Ends all calls, for .hook. Before v9_flow_sum_finish(). */
void v9_flow_sum_end(struct v9_flow_sum *f);

/* Adds instructions of unknown functions to their objects, and computes the call tree's totals. */
void v9_flow_sum_finish(struct v9_flow_sum *f);
void v9_flow_sum_free(struct v9_flow_sum *f);

#endif
