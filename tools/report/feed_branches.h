/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sums of taken branches and of what ran after them, for sinks. Addresses of run time are added up;
 * objects are looked up once for each sum.
 */
#ifndef V9TRACE_REPORT_FEED_BRANCHES_H
#define V9TRACE_REPORT_FEED_BRANCHES_H

#include "sink.h"

/* Addresses that are not known. No instruction of the two address ranges is there. */
#define V9_NO_ADDR	UINT64_MAX

struct v9_flow_batch;

struct v9_branches {
	struct v9_branch_type {		/* sums of the CPUs of one type */
		uint64_t midr;		/* 0: not known */
		struct v9_bins bins;
	} *type;
	size_t nr_types;
	uint32_t cpu;			/* the last one that was looked up, and its type */
	size_t cpu_type;
	struct v9_epochs epochs;
	/* what each stream executes: from its last taken branch on */
	struct v9_branch_path {
		uint64_t from, to;	/* the branch; V9_NO_ADDR: not known */
		uint64_t last;		/* address of the last instruction; valid if @any */
		uint64_t next;		/* where execution goes on; V9_NO_ADDR: not known */
		uint32_t pid;
		size_t epoch, type;
		bool open, any;
		bool skip;		/* up to the next taken branch: another part has it */
		bool leaving, left;	/* at the next taken branch; what follows is of another part */
	} *path;
	size_t nr_paths;
	uint64_t targetless;		/* branches of which the target is not known */
};

void v9_branches_init(struct v9_branches *b);
void v9_branches_free(struct v9_branches *b);

/* Adds @n times a branch, and execution from its target to the instruction at @end. */
void v9_branches_add(struct v9_branches *b, size_t type, uint32_t pid, size_t epoch, uint64_t from,
		     uint64_t to, uint64_t end, uint64_t n);

/* Returns the number of the type of a CPU. */
size_t v9_branches_type(struct v9_branches *b, const struct v9_session *s, uint32_t cpu);

/*
 * A part of a stream begins and ends at its first taken branch: from there on, what follows shows all
 * that is known. The part before adds the branch. v9_branches_left(): the part has ended.
 */
void v9_branches_enter(struct v9_branches *b, size_t stream);
void v9_branches_leave(struct v9_branches *b, size_t stream);
bool v9_branches_left(const struct v9_branches *b, size_t stream);

/* The epoch of a time. */
size_t v9_branches_epoch(struct v9_branches *b, const struct v9_session *s, uint64_t time);

/* Adds a record of an ETE trace. */
void v9_branches_flow(struct v9_branches *b, const struct v9_session *s, size_t stream,
		      const struct v9_sampled *at, const struct v9_flow_rec *rec);
void v9_branches_hits(struct v9_branches *b, const struct v9_session *s, size_t stream,
		      const struct v9_sampled *at, const struct v9_flow_batch *batch);

/* Looks up the objects and gives the sums to the sink. */
void v9_branches_give(struct v9_branches *b, enum v9_kind_id kind, struct v9_export *x);

#endif
