/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A shard: sums of one capture or of many, without the captures. Shards are merged by reading one
 * after the other: a sum is over equal keys, so neither their order nor how they are grouped has an
 * effect on the file that is written, not even on a byte of it.
 *
 * What differs between machines is in no key: processes, threads, CPUs, addresses of run time. An
 * object is known by its build-id, a place by its offset in the file, which is known without the file.
 * Where code is in no file, in kernel modules and generated code, a place is an offset in a function.
 */
#ifndef V9TRACE_REPORT_SHARD_H
#define V9TRACE_REPORT_SHARD_H

#include <stdio.h>

#include "../capture/strtab.h"
#include "bins.h"
#include "piece.h"

#define V9_SHARD_SPE	8	/* sums of SPE records: V9_W_SAMPLES to V9_W_MISPREDICTS */
#define V9_SHARD_CALLS	3	/* sums of call paths: V9_W_INSTRUCTIONS to V9_W_CALLS */
#define V9_SHARD_DEPTH	512	/* most functions of a call path */

/*
 * Rows are bins. Strings, objects, places, sources and call paths have numbers, from 1; 0 is none. A
 * number is the index of the bin, + 1.
 */
struct v9_shard_object {
	union {
		struct {
			uint64_t id;	/* build-id as text */
			uint64_t path;	/* without a build-id: the name; else 0 */
			uint64_t kernel;
		};
		uint64_t key[3];
	};
	uint64_t number;
	uint64_t name;			/* of several names of a build-id the first in order */
};

/* A segment of an object: bytes of the file from @offset on are linked at @addr. */
struct v9_shard_segment {
	union {
		struct {
			uint64_t object, offset, size, addr;
		};
		uint64_t key[4];
	};
};

struct v9_shard_function {
	union {
		struct {
			uint64_t object, start;
		};
		uint64_t key[2];
	};
	uint64_t end;			/* both are offsets in the file */
	uint64_t name;			/* linkage name */
};

struct v9_shard_place {
	union {
		struct {
			uint64_t object;
			uint64_t function;	/* linkage name; then .offset is in the function */
			uint64_t offset;	/* in the file of the object; in the kernel: from _text */
		};
		uint64_t key[3];
	};
	uint64_t number;
};

/* What was recorded where: sums of different sources do not add up. */
struct v9_shard_source {
	union {
		struct {
			uint64_t kind;	/* name of the kind of trace */
			uint64_t event;	/* its options, as text */
			uint64_t cpu;	/* CPU type, as text */
			uint64_t period;	/* requested; 0: none */
		};
		uint64_t key[4];
	};
	uint64_t number;
	uint64_t captures;
};

struct v9_shard_spe {
	union {
		struct {
			uint64_t source, place;
			uint64_t op, from;	/* operation, data source as text */
		};
		uint64_t key[4];
	};
	uint64_t value[V9_SHARD_SPE];
};

/* A taken branch, and the instructions that ran from its target to @end; see v9_branch_count */
struct v9_shard_branch {
	union {
		struct {
			uint64_t source, from, to, end;
		};
		uint64_t key[4];
	};
	uint64_t n;
};

/* A function as it was called by the path @parent; or the root of all paths of @source */
struct v9_shard_call {
	union {
		struct {
			uint64_t source, parent, place;
		};
		uint64_t key[3];
	};
	uint64_t number;
	uint64_t depth;			/* 0: root */
	uint64_t value[V9_SHARD_CALLS];
};

struct v9_shard_loss {
	union {
		struct {
			uint64_t kind, what, meaning;
		};
		uint64_t key[3];
	};
	uint64_t n;
};

/* A part of a capture: @part of @parts, from 1. A whole capture is part 1 of 1. */
struct v9_shard_capture {
	union {
		struct {
			uint64_t id, part;
		};
		uint64_t key[2];
	};
	uint64_t parts;
	uint64_t paths;			/* 1: call paths of an ETE trace are kept for all parts, as pieces */
};

/* A function of pieces. Of functions in generated code the place is not enough. */
struct v9_shard_code {
	union {
		struct {
			uint64_t place, start;	/* address, as linked */
		};
		uint64_t key[2];
	};
	uint64_t number;
};

/*
 * The calls of a thread from one place of a part of a capture to another, until all parts are here. What
 * is before a place in the trace is at an earlier time; at the same time in a lower stream, or at a lower
 * offset, or part, of the same one.
 */
struct v9_shard_piece {
	uint64_t capture;		/* id */
	uint64_t part, tid, time, stream, offset;
	uint64_t until;			/* time of its last place */
	uint64_t source;
	struct v9_calls_piece calls;	/* functions are numbers of .codes */
};

struct v9_shard {
	struct v9_strtab text;
	const char **strings;		/* by number - 1 */
	size_t nr_strings;
	struct v9_bins objects, segments, functions, places, sources, spe, branches, calls, losses,
		captures;
	struct v9_bins whole;		/* id of a capture -> number of parts, parts that are here */
	struct v9_bins codes;
	struct v9_shard_piece *pieces;
	size_t nr_pieces;
	bool resolved;			/* call paths were made of pieces */
	uint64_t first, last;		/* ns; valid if .has_time */
	bool has_time;
};

void v9_shard_init(struct v9_shard *s);
void v9_shard_free(struct v9_shard *s);

/* ---- add. A sum that exceeds 64 bits stays at UINT64_MAX. */

/* NULL has number 0. */
uint64_t v9_shard_string(struct v9_shard *s, const char *text);
/* @id: the build-id as hexadecimal digits, or NULL */
uint64_t v9_shard_object(struct v9_shard *s, const char *id, const char *name, bool kernel);
void v9_shard_segment(struct v9_shard *s, uint64_t object, uint64_t offset, uint64_t size,
		      uint64_t addr);
/* Of two functions with one start the later end is kept, then the later name in order. */
void v9_shard_function(struct v9_shard *s, uint64_t object, uint64_t start, uint64_t end,
		       const char *name);
/* @function NULL: @offset is in the object */
uint64_t v9_shard_place(struct v9_shard *s, uint64_t object, const char *function, uint64_t offset);
uint64_t v9_shard_source(struct v9_shard *s, const char *kind, const char *event, const char *cpu,
			 uint64_t period, uint64_t captures);
void v9_shard_spe(struct v9_shard *s, uint64_t source, uint64_t place, const char *op,
		  const char *from, const uint64_t value[V9_SHARD_SPE]);
/* The same of the key of a row, for callers with many sums of few operations and data sources */
void v9_shard_spe_row(struct v9_shard *s, const uint64_t key[4], const uint64_t value[V9_SHARD_SPE]);
void v9_shard_branch(struct v9_shard *s, uint64_t source, uint64_t from, uint64_t to, uint64_t end,
		     uint64_t n);
/* @place 0: the root of the source. Returns 0 if the path is too deep. */
uint64_t v9_shard_call(struct v9_shard *s, uint64_t source, uint64_t parent, uint64_t place);
void v9_shard_called(struct v9_shard *s, uint64_t call, const uint64_t value[V9_SHARD_CALLS]);
void v9_shard_loss(struct v9_shard *s, const char *kind, const char *what, const char *meaning,
		   uint64_t n);
void v9_shard_time(struct v9_shard *s, uint64_t first, uint64_t last);
/*
 * Returns false after an error message that begins with @path if that part, or another division of
 * the capture, is here already: it would count twice. @paths: the part has pieces of call paths, if it
 * has any ETE trace; so must all others.
 */
bool v9_shard_capture(struct v9_shard *s, const char *path, const char *id, uint64_t part,
		      uint64_t parts, bool paths);
uint64_t v9_shard_code(struct v9_shard *s, uint64_t place, uint64_t start);
/* @p->calls, which has ended, belongs to the shard then. */
void v9_shard_piece(struct v9_shard *s, const struct v9_shard_piece *p);
/* Makes call paths of the pieces of captures of which all parts are here. */
void v9_shard_resolve(struct v9_shard *s);
/* The order in the trace of pieces of one capture and thread; 0 if both have one place */
int v9_shard_piece_order(const struct v9_shard_piece *a, const struct v9_shard_piece *b);

/* ---- files */

/* Is the file at @path a shard, by its first line? */
bool v9_shard_is(const char *path);

/*
 * Adds a file to the shard. Returns false after an error message if it cannot be read, is damaged, or
 * has a capture that is here already; then the shard is of no use.
 */
bool v9_shard_read(struct v9_shard *s, const char *path);

/* Errors are those of @f. */
void v9_shard_write(const struct v9_shard *s, FILE *f);

/* ---- read rows */

/* NULL for number 0 */
const char *v9_shard_text(const struct v9_shard *s, uint64_t string);

static inline void *v9_shard_row(const struct v9_bins *b, uint64_t number)
{
	return number ? v9_bins_get(b, number - 1) : NULL;
}

/* Does it have parts with call paths, of captures that lack others? */
bool v9_shard_divided(const struct v9_shard *s);

/* Number of captures of which all parts are here, and of those that lack some */
void v9_shard_count(const struct v9_shard *s, uint64_t *complete, uint64_t *incomplete);

#endif
