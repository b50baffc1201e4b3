/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads a capture of both units at once: the blocks of the ETE flow and the SPE records of the same CPU
 * meet in a v9_joint_window. Memory grows with functions and call paths, not with the length of a capture.
 */
#ifndef V9TRACE_REPORT_JOINT_READ_H
#define V9TRACE_REPORT_JOINT_READ_H

#include "../joint/window.h"
#include "options.h"
#include "flow_sum.h"
#include "filter.h"
#include "passes.h"

/* What is taken of the machine, if the user does not say: see struct v9_joint_machine */
#define V9_JOINT_MHZ	300
#define V9_JOINT_MOST_MHZ	6000
#define V9_JOINT_ERROR	500
/*
 * Samples that the offset is measured from may contradict each other by so much, ns: a counter that is advanced in
 * steps, stamps that are far off. Then that is the spread of the stamps, and their error is at least as large.
 */
#define V9_JOINT_SPREAD	500
#define V9_JOINT_LEAST	20	/* samples that the offset of the clocks must be measured from */

/* What a sample of the reader is, besides its place */
struct v9_joint_record {
	struct v9_sampled at;		/* at.rec is not valid: .rec is */
	struct v9_spe_rec rec;
	const struct v9_queue *q;
};

struct v9_joint_read {
	struct v9_session *s;
	struct v9_record_filter *filter;	/* the call tree and counts are of what fits it */
	struct v9_spe_account acc;	/* of all SPE records */
	struct v9_trace t;
	struct v9_flow_sum sum;
	struct v9_joint_machine machine;
	/*
	 * Receives each sample that can be placed. @w, @s, @p: see struct v9_joint_user. A block's path is
	 * its node in .sum.call, its pass that of v9_passes_count(), its position the number of instructions
	 * that its thread had executed; that is UINT64_MAX if the filter does not select the thread.
	 */
	void (*take)(void *arg, const struct v9_joint_window *w, const struct v9_joint_record *x,
		     const struct v9_joint_sample *s, const struct v9_joint_place *p);
	void *arg;
	/* results */
	struct v9_joint_clocks clocks;
	uint64_t within;		/* ns: instructions that were executed once in that time */
	size_t measured;		/* samples that the offset was measured from */
	bool contradict;		/* they contradict each other */
	uint64_t counts;		/* counts of cycles in the trace */
	uint64_t records;		/* SPE records */
	uint64_t timeless;		/* of these, if they fit the filter: without a timestamp or latency, or with one at its limit */
	uint64_t alone;			/* likewise: of CPUs without a trace */
	uint64_t dropped, backwards;	/* see struct v9_joint_window */
	/* private */
	struct v9_lookup lookup;
	struct v9_passes passes;
	struct v9_call_hook hook;
	struct v9_joint_cpu *cpus;
	size_t nr_cpus;
	size_t *cpu_of;			/* by stream: index of .cpus + 1; 0: none */
};

/* Returns true if a sample can be exact by its time. */
static inline bool v9_joint_clocks_known(const struct v9_joint_read *x)
{
	return x->measured >= V9_JOINT_LEAST && !x->contradict;
}

/* Returns true if the samples of a capture can be placed. */
bool v9_joint_possible(const struct v9_session *s);

/* Returns false after an error message if the samples of a capture cannot be placed. */
bool v9_joint_fits(const struct v9_session *s, const char *path);

/* Parses a number of struct v9_joint_machine, of option --@name. Returns false after an error message. */
bool v9_joint_parse(const char *name, const char *arg, uint64_t *value);

/* Returns false after an error message if the frequencies contradict each other. */
bool v9_joint_agrees(const struct v9_joint_machine *m);

/* Prints an error and returns false if an option of struct v9_joint_machine was used, which is for --joint. */
bool v9_joint_unused(const struct v9_joint_machine *m);

/* Measures the offset of the clocks, then reads all. .s, .filter, .machine, .take and .arg are set. */
void v9_joint_read(struct v9_joint_read *x);
void v9_joint_read_free(struct v9_joint_read *x);

#endif
