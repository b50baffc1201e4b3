/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The calls of a thread in a part of a trace of which the begin is not known: what one machine decodes
 * of a capture (v9trace merge --part). A piece holds what the part does to the calls that are open at
 * its begin, whatever these are. Pieces that follow each other are joined; joined to a piece of which
 * the begin is known (.whole), a piece is resolved.
 *
 * A piece is a list of steps. A step begins with an arrival that the frames of the piece itself do not
 * decide (v9_calls_decides()): the first one, a return to a caller from before the piece, a longjmp to
 * one. What comes after it, up to the next step, depends on nothing before, and is kept as sums by path
 * below the function that runs after the arrival, as frames that are open at the end, and as stacks that
 * were left. So a piece grows with the depth of what it returns from, not with its length.
 *
 * Two pieces are joined as if the inputs of the second one came after those of the first one: the
 * result is that of all inputs in one piece. Therefore it does not matter which neighbours are joined
 * first.
 */
#ifndef V9TRACE_REPORT_PIECE_H
#define V9TRACE_REPORT_PIECE_H

#include "call_tree.h"
#include "calls.h"

/* Instructions of a node since the last cycle count */
struct v9_spent {
	size_t node;
	uint64_t insns;
};

/* What decides if execution arrives anywhere */
enum v9_piece_when {
	V9_PIECE_RANGE,		/* instructions are executed: if a branch or other event came before, or
				 * another function runs */
	V9_PIECE_PENDING,	/* an exception: if a branch came before */
	V9_PIECE_CUT,		/* as for a range, after all calls ended: too much would be kept */
	V9_PIECE_END,		/* nothing: the end of the piece, with what is pending there */
	V9_PIECE_WHENS
};

/*
 * A step. Its nodes are .base, .base + 1, up to those of the next step: the function that runs after the
 * arrival, the callers of it, and what was called by these. Of functions that replace the first one, only
 * the callers are the same.
 */
struct v9_piece_step {
	enum v9_piece_when when;
	uint32_t pending;		/* before it; with V9_CALLS_BEFORE: in addition to the step before */
	uint64_t back, trap;		/* as in struct v9_calls; 0 if they say nothing */
	struct v9_arrival at;
	uint64_t space;			/* number of the address space; see v9_piece_range() */
	size_t base;
	/* At the end of the step; the first frame is that of .base, or what replaced it. 0: nothing is known */
	struct v9_frame *frame;
	size_t nr;
	bool replaced;
	struct v9_left *left;		/* oldest first */
	size_t nr_left;
	size_t high;			/* most frames above the first one */
};

enum v9_piece_count { V9_PIECE_OPEN, V9_PIECE_COUNTED, V9_PIECE_UNKNOWN, V9_PIECE_COUNTS };

struct v9_calls_piece {
	bool whole;			/* nothing is before it */
	struct v9_call *call;		/* nodes; the first is the root of a whole piece */
	size_t nr_call;
	struct v9_piece_step *step;
	size_t nr;
	/* Until the first cycle count, which covers what is before the piece, too; then since the last */
	struct v9_spent *head, *spent;
	size_t nr_head, nr_spent;
	enum v9_piece_count count;	/* the first one */
	uint64_t cycles;		/* of it */
	bool unknown;			/* the next one covers what is not known */
	size_t most;			/* nodes and steps; 0: any number */
	uint64_t cut;			/* steps beyond that: what they arrived at has lost its callers */
	/* of the machine, until v9_piece_end() */
	struct v9_calls *calls;
	size_t root;			/* callers of the outermost frame */
	uint64_t space;
	bool has_space, alone;		/* alone: after V9_PIECE_CUT */
};

/* Shares @cycles among nodes by their instructions. */
void v9_share_cycles(struct v9_call *call, const struct v9_spent *spent, size_t nr, uint64_t cycles);

/* Adds to a list what a node executed. */
void v9_spend(struct v9_spent **spent, size_t *nr, size_t node, uint64_t insns);

/* @whole: nothing is before it */
void v9_piece_init(struct v9_calls_piece *p, bool whole);
void v9_piece_free(struct v9_calls_piece *p);

/* ---- inputs. Branches, exceptions and gaps are those of v9_calls_*() for p->calls. */

/*
 * Instructions are executed at @a. @space: number of the address space, which is another one after
 * execve(), at this time. It decides where the kernel may have begun another program.
 */
void v9_piece_range(struct v9_calls_piece *p, const struct v9_arrival *a, uint64_t space);

/* An exception occurs at @a; v9_calls_exception() follows. */
void v9_piece_exception(struct v9_calls_piece *p, const struct v9_arrival *a, uint64_t space);

/* The function that runs has executed @n instructions. @cycles: they are counted later */
void v9_piece_spend(struct v9_calls_piece *p, uint64_t n, bool cycles);

/* A cycle count, or V9_PIECE_UNKNOWN: what was executed since the last one is not known. */
void v9_piece_count(struct v9_calls_piece *p, enum v9_piece_count count, uint64_t cycles);

/* ---- */

/* The piece is complete: .step has all. No input may follow. */
void v9_piece_end(struct v9_calls_piece *p);

/* Adds @next, which has ended and follows @p, which has not. */
void v9_piece_join(struct v9_calls_piece *p, const struct v9_calls_piece *next);

#endif
