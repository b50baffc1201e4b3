/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A sink takes what a capture holds and writes it for another program: v9trace export. It declares
 * what it takes; the feed of a kind of trace (v9_kind.feed) makes that, and nothing else. Memory
 * grows with what is distinct (functions, stacks), not with the length of a capture: a sink that
 * keeps each record writes it at once, or to a file without a name.
 */
#ifndef V9TRACE_REPORT_SINK_H
#define V9TRACE_REPORT_SINK_H

#include "../capture/mark.h"
#include "calls.h"
#include "fields.h"
#include "report.h"
#include "weights.h"

enum v9_sink_takes {
	V9_SINK_STACKS = 1,		/* sums by stack: .stack */
	V9_SINK_ADDRESSES = 2,		/* .. of SPE records by instruction, not only by function */
	V9_SINK_LABELS = 4,		/* .. of SPE records by CPU, operation, data source */
	V9_SINK_CALLS = 8,		/* functions that begin and end, by time: .enter, .leave */
	V9_SINK_RECORDS = 16,		/* SPE records one by one, by buffer: .record */
	V9_SINK_BRANCHES = 64,		/* sums of taken branches, and what ran after: .branch */
	V9_SINK_FLOW = 32,		/* ETE: ranges, exceptions, gaps, events: .flow */
	V9_SINK_LINES = 128,		/* sums by inlined function and line of the instruction, too */
	V9_SINK_CONTEXTS = 256,		/* ETE: what each function executed, by its calls: .context */
	V9_SINK_CGROUPS = 512,		/* sums by stack and control group */
};

extern const struct v9_weight_row {
	const char *name, *unit;
	enum v9_kind_id kind;
} v9_weights[V9_WEIGHTS];

/* One level of a stack. Strings are those of the capture: a format escapes them. */
struct v9_stack_level {
	enum {
		V9_LEVEL_OBJECT,	/* an object file */
		V9_LEVEL_FUNCTION,
		V9_LEVEL_INLINED,	/* in the level before, of the same object and address */
		V9_LEVEL_LINE,		/* of the level before: FILE:LINE, the last level */
		V9_LEVEL_LOST,		/* levels that are left out, because there are too many */
	} what;
	const char *name;		/* never NULL; may be "[unknown]" */
	const struct v9_func *func;	/* NULL: not known */
	struct v9_dso *dso;		/* NULL: not known */
	const char *dso_name;		/* never NULL; may be "[unknown]" */
	uint64_t addr;			/* in the object, as linked; that of the function if the
					 * sink takes no addresses; valid if @addressed */
	bool addressed;
	bool kernel;
	const char *file;		/* source file; NULL: not known */
	unsigned int line;		/* in .file; 0: not known */
};

#define V9_LEVELS	512		/* most of a stack; those in its middle are left out */

/* A stack of a thread, outermost level first, with its sums */
struct v9_stack {
	const struct v9_kind *kind;
	const char *comm;		/* NULL: not known */
	uint32_t pid, tid, cpu;		/* V9_NO_TASK: not known, or not asked for */
	const struct v9_stack_level *level;
	size_t nr;
	uint64_t value[V9_WEIGHTS];
	const char *op, *source;	/* NULL: not known, or not asked for. They last as .comm does */
	const char *cache_line;		/* address of that of the data; NULL: the same */
	const char *event, *cpu_type;	/* of a shard, which knows no threads; else NULL */
	const char *cgroup;		/* path of the control group; NULL: not known, or not asked for */
	/*
	 * Stacks with one .place have the same levels, .comm, .pid, .tid and .cgroup; with one .labels the same
	 * .cpu, .op and .source: a sink can keep what it made of these. 0: no number; both have one or none.
	 */
	uint64_t place, labels;		/* .place: from 1 on, without gaps */
};

/* A function that begins or ends, at what its thread has executed before */
struct v9_call_step {
	const char *comm;		/* NULL: not known */
	uint32_t pid, tid, cpu;		/* V9_NO_TASK: not known */
	size_t thread;			/* number of the thread, from 0 */
	uint64_t time;			/* ns; that of the last timestamp. Never less than before */
	uint64_t insns, cycles;		/* executed and counted by the thread before it */
	bool has_time;
	size_t function;		/* number of the function, from 0 */
	const struct v9_stack_level *level;	/* that function; NULL: a mark */
	enum v9_calls_enter enter;
	enum v9_calls_leave leave;
};

/* A side of a branch. @addr is in the object, as linked; without one that of run time. */
struct v9_branch_end {
	struct v9_dso *dso;		/* NULL: not known */
	uint64_t addr;
	bool known;			/* false: nothing is known */
};

/*
 * A branch, and the instructions that ran from its target to that at @end, which is the next taken
 * branch or what was interrupted. Without @from: what ran after a gap or an exception. Without @end: only
 * the branch is known. Without @to: neither object nor address.
 */
struct v9_branch_count {
	struct v9_branch_end from, to, end;
	uint64_t n;
	enum v9_kind_id kind;
	uint64_t midr;			/* of the CPUs; 0: not known */
};

/*
 * A function, with the calls that led to it. They are known up to the context that has no @parent.
 * Addresses are in the object, as linked.
 */
struct v9_context {
	struct v9_dso *dso;		/* NULL: not known */
	size_t number, parent;		/* number: from 1 on; parent: of the caller, given before; 0: none */
	uint64_t site;			/* address of the branch that called it; valid if .parent */
	uint64_t entry, calls;		/* times that its first instruction was called */
	const struct v9_ran_run *const *run;	/* what it executed */
	size_t nr_runs;
};

struct v9_loss {
	const char *kind;		/* a word, as in the JSON of report */
	const char *what, *meaning;	/* for people */
	uint64_t n;
};

struct v9_export;
struct v9_export_object;
struct v9_shard_view;
struct v9_flow_piece;

/* A format of export. Functions that it does not take, .check and .end may be NULL. */
struct v9_sink {
	const char *name, *help;
	unsigned int takes[V9_KINDS];	/* V9_SINK_* of each kind of trace; 0: not this kind */
	unsigned int weights;		/* 1 << V9_W_*: it holds one of these; 0: all */
	bool binary;			/* not for a terminal */
	bool many;			/* several files: -o names their directory */
	const char *next;		/* with .write: the command that reads FILE; or NULL */
	bool opens;			/* it opens .unfinished itself: not to standard output */
	/* Before the first call of the others. Returns false after an error message. */
	bool (*begin)(struct v9_export *x);
	void (*stack)(struct v9_export *x, const struct v9_stack *s);
	void (*enter)(struct v9_export *x, const struct v9_call_step *s);
	void (*leave)(struct v9_export *x, const struct v9_call_step *s);
	/* A mark of the program. @s: the call that wrote it */
	void (*mark)(struct v9_export *x, const struct v9_call_step *s, const struct v9_mark *m);
	/* @l: without its .q */
	void (*record)(struct v9_export *x, const struct v9_line *l);
	void (*branch)(struct v9_export *x, const struct v9_branch_count *s);
	void (*flow)(struct v9_export *x, const struct v9_sampled *at,
		     const struct v9_flow_rec *rec);
	void (*context)(struct v9_export *x, const struct v9_context *c);
	/* ETE, of a part of a capture, in place of .stack; they are freed. @level: of each function but 0 */
	void (*pieces)(struct v9_export *x, struct v9_flow_piece *piece, size_t n,
		       const struct v9_stack_level *level, size_t nr_levels);
	/* A format of one object (--binary) has this. It is called after the last capture. */
	void (*write)(struct v9_export *x, const struct v9_export_object *o);
	/* After everything was read */
	void (*loss)(struct v9_export *x, const struct v9_loss *l);
	void (*end)(struct v9_export *x);
	/* In place of all that is given of a capture, if it is a shard and the sink has this */
	void (*shard)(struct v9_export *x, const struct v9_shard_view *v);
	void (*free)(struct v9_export *x);
};

struct v9_export {
	struct v9_report r;
	const struct v9_sink *sink;
	enum v9_weight weight;		/* valid if the sink has .weights */
	bool weighted;			/* --weight was given */
	const char *binary;		/* --binary, or NULL */
	const char *path;		/* -o; NULL: standard output */
	char *volatile unfinished;	/* name of the file until it is complete, or NULL */
	FILE *f;			/* NULL: the sink writes its own files */
	struct v9_place_cache places;	/* while records are read */
	void *state;			/* of the sink */
	size_t kinds;			/* kinds of trace that were read */
	uint64_t first, last;		/* time of what was read, ns; valid if .has_time */
	bool has_time;
	bool more;			/* v9trace fdo: .end keeps the sums and does not write */
	bool failed;			/* after an error message */
};

/* The feeds: v9_kind.feed. They return false if there is nothing of that kind. */
bool v9_feed_spe(struct v9_export *x);
bool v9_feed_trace(struct v9_export *x);
bool v9_feed_stacks(struct v9_export *x);

/* Fills @l with the function at @place. */
void v9_level_of(struct v9_stack_level *l, const struct v9_place *place, bool kernel);

/* Adds a time to those that were read. */
void v9_export_time(struct v9_export *x, uint64_t first, uint64_t last);

#endif
