/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Blocks of the heap: which one holds an address of a process at a time, and which call allocated it.
 * From the calls of malloc() and others that v9trace record --heap records.
 *
 * A block is live from the call that allocates it, whose own stores belong to it, to the call that frees
 * it. A process that forks gives its child a copy of its blocks; exec ends all.
 */
#ifndef V9TRACE_CAPTURE_HEAP_H
#define V9TRACE_CAPTURE_HEAP_H

#include "lines.h"
#include "sym.h"

#define V9_HEAP_CALLERS	3	/* return addresses of a call, innermost first */

/* The begin of a call, or its return */
struct v9_heap_call {
	uint64_t time;
	uint32_t pid, tid, seq;
	bool returns;
	const char *function;		/* equal names are equal pointers */
	bool frees;			/* free(): its return is not recorded */
	uint64_t sp;
	/* begin */
	uint64_t old, n, size;		/* old: to free; n: of elements of @size bytes */
	uint64_t out;			/* address of the variable that gets the result; 0: none */
	uint64_t caller[V9_HEAP_CALLERS];	/* 0: not known */
	/* return */
	uint64_t result;
	size_t stack;			/* index in v9_heap.stacks of the stack at the return, + 1; 0: none */
};

#define V9_HEAP_STACK	256	/* bytes of a stack */

/* A call that allocates */
struct v9_heap_site {
	const char *name;		/* function and offset, else address and object */
	const char *line;		/* "file:line"; NULL: not known */
};

struct v9_heap_block {
	uint64_t start, size;
	uint64_t begin, end;		/* ns; end UINT64_MAX: not freed */
	size_t space;			/* index in v9_syms.spaces */
	uint64_t caller[V9_HEAP_CALLERS];
	struct v9_heap_site site;
};

struct v9_heap {
	bool recorded;			/* the capture has such calls */
	struct v9_heap_call *calls;	/* until v9_heap_seal() */
	size_t nr_calls;
	uint8_t (*stacks)[V9_HEAP_STACK];
	size_t nr_stacks;
	struct v9_heap_block *blocks;
	size_t nr;
	struct v9_heap_space {		/* blocks of a space, by index of it */
		size_t space;
		struct v9_map *maps;	/* .pgoff: index of the block, or V9_HEAP_FREED */
		size_t nr_maps;
		struct v9_layers layers;
	} *spaces;
	size_t nr_spaces;
	/* what could not be followed */
	uint64_t unreadable;		/* samples that do not match their format */
	uint64_t open;			/* calls without a return */
	uint64_t returns;		/* returns without a call */
	uint64_t unplaced;		/* results that were not in the recorded part of the stack */
	uint64_t unknown;		/* frees of blocks that were allocated before, or not seen */
	uint64_t missed;		/* blocks that were allocated again without having been freed */
	struct v9_strtab text;
};

/* Adds a call. The order of calls has no effect: v9_heap_seal() sorts them. */
void v9_heap_add(struct v9_heap *h, const struct v9_heap_call *call);

/* Turns the calls into blocks. */
void v9_heap_seal(struct v9_heap *h, struct v9_syms *syms);

/* Returns the block that holds @addr at @time, or NULL. */
const struct v9_heap_block *v9_heap_find(const struct v9_heap *h, struct v9_syms *syms, uint32_t pid,
					 uint64_t time, uint64_t addr);
void v9_heap_free(struct v9_heap *h);

#endif
