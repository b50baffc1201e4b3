/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The calls of a thread, from the way its execution goes: events in, calls out. Functions are
 * numbers here; who makes the events knows symbols and addresses.
 *
 * An event says where execution goes on (v9_calls_arrive()) and, before that, by what: a branch, an
 * exception, a gap. The rules, first match first:
 *
 *	into the kernel			its code is called by what was interrupted
 *	out of the kernel		all kernel code on top of the stack is left. At the interrupted
 *					address what was interrupted goes on. At an address that an
 *					older frame waits for that frame goes on (sigreturn). At the
 *					first byte of a function, a signal handler is called
 *	call				a new frame
 *	return				the innermost frame that waits at this address goes on
 *	return, indirect jump		likewise; else the stack that was left and waits at this address
 *					(coroutines); else the innermost frame of this function
 *					(longjmp, landing pads of C++). Frames above it are left
 *	to the first byte		a tail call. An indirect jump looks for it first, and a return
 *					after frames that wait at this address
 *	into the middle			of a function that is not on the stack: another part of the same
 *					call (code behind a PLT, .cold); by a return: another stack; in
 *					the kernel all but its frames stay (a task switch)
 *	after trace was lost		the innermost frame of this function goes on; if there is none,
 *					nothing is known of callers
 */
#ifndef V9TRACE_REPORT_CALLS_H
#define V9TRACE_REPORT_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define V9_CALLS_DEPTH	65536	/* frames; deeper, the older half is dropped */
#define V9_CALLS_OWN	4096	/* frames that v9_calls_decides() permits */
#define V9_CALLS_STACKS	64	/* stacks that were left and may be resumed */

/* How a function came to run */
enum v9_calls_enter {
	V9_CALLS_CALL,		/* called */
	V9_CALLS_TAIL,		/* jumped to: it returns to the caller of the function before */
	V9_CALLS_EXCEPTION,	/* kernel code, by an exception */
	V9_CALLS_HANDLER,	/* signal handler, or what else the kernel starts */
	V9_CALLS_ROOT,		/* first in the trace, or after a gap: its callers are not known */
	V9_CALLS_PART,		/* jumped into: another part of the call before, not a call */
	V9_CALLS_RESUMED,	/* on a stack that was left before, not a call */
};

/* How a function ended */
enum v9_calls_leave {
	V9_CALLS_RETURNED,
	V9_CALLS_REPLACED,	/* by V9_CALLS_TAIL or V9_CALLS_PART */
	V9_CALLS_LEFT,		/* longjmp, C++ exception, switch of stacks; it may be resumed */
	V9_CALLS_LOST,		/* trace was lost, or the program replaced */
};

/**
 * struct v9_frame - a function that was called and did not return yet
 * @back: address at which its caller goes on after it; 0: not known
 * @func: number of the function
 * @user: for the consumer, which sets it in .enter
 * @kernel: it is kernel code
 * @final: its caller does not go on after it
 */
struct v9_frame {
	uint64_t back;
	size_t func, user;
	bool kernel, final;
};

struct v9_calls;

/* The consumer. .leave may be NULL. In .enter the callers of @f are c->frame[0 .. c->nr). */
struct v9_calls_sink {
	void (*enter)(void *arg, const struct v9_calls *c, struct v9_frame *f,
		      enum v9_calls_enter how);
	void (*leave)(void *arg, const struct v9_calls *c, struct v9_frame *f,
		      enum v9_calls_leave how);
	void *arg;
};

/* Values of v9_calls.pending: a branch, and flags. 0: nothing but sequence and direct jumps. */
enum {
	V9_CALLS_BY_CALL = 1, V9_CALLS_BY_RETURN, V9_CALLS_BY_JUMP,
	V9_CALLS_BRANCH = 3,
	V9_CALLS_TRAPPED = 4,	/* an exception, after the branch */
	V9_CALLS_HIDDEN = 8,	/* execution that was not traced: a filter */
	V9_CALLS_GAP = 16,	/* trace was lost */
	V9_CALLS_BEFORE = 32,	/* and what is not known: nothing arrived yet, see piece.h */
};

/* The stack of a thread. All members 0: a new thread. */
struct v9_calls {
	struct v9_frame now;		/* what runs; valid if @any */
	struct v9_frame *frame;		/* its callers, innermost last */
	size_t nr, room;
	uint64_t back;			/* return address of the pending call */
	uint64_t trap;			/* preferred return address of the pending exception */
	uint32_t pending;		/* V9_CALLS_* */
	bool any;
	uint64_t ambiguous;		/* times that several frames or stacks fitted */
	uint64_t dropped;		/* frames beyond V9_CALLS_DEPTH */
	struct v9_left {
		struct v9_frame *frame;
		size_t nr;
	} left[V9_CALLS_STACKS];	/* newest last */
	size_t nr_left;
};

/**
 * struct v9_arrival - where execution goes on
 * @addr: virtual address
 * @func: number of the function there
 * @first: @addr is the first byte of a function that is known
 * @kernel: @addr is in the kernel's half of the address space
 * @final: the function never returns to its caller, and its caller can go on elsewhere
 *	(_Unwind_Resume)
 */
struct v9_arrival {
	uint64_t addr;
	size_t func;
	bool first, kernel, final;
};

/* The last instruction is a taken branch: a call (@back: its return address), a return, or an
 * indirect jump. Nothing has to be said of other branches.
 */
static inline void v9_calls_branch(struct v9_calls *c, uint32_t by, uint64_t back)
{
	c->pending = by;
	c->back = back;
}

/*
 * An exception with the preferred return address @trap. A pending branch must be completed before:
 * with v9_calls_arrive() at @trap.
 */
static inline void v9_calls_exception(struct v9_calls *c, uint64_t trap)
{
	c->pending = V9_CALLS_TRAPPED;
	c->trap = trap;
}

/* Trace is missing: because of a filter, or lost. */
static inline void v9_calls_gap(struct v9_calls *c, bool filter)
{
	c->pending |= filter ? V9_CALLS_HIDDEN : V9_CALLS_GAP;
}

/* Execution goes on at @a. Need not be called within c->now.func if c->pending is 0. */
void v9_calls_arrive(struct v9_calls *c, const struct v9_calls_sink *sink,
		     const struct v9_arrival *a);

/* Does execution in function @func arrive there, or does what ran go on? */
static inline bool v9_calls_arrives(const struct v9_calls *c, uint64_t func)
{
	return c->pending || !c->any || c->now.func != func;
}

/*
 * Of a machine whose outermost frame has callers that are not known: do the frames that are here decide
 * what v9_calls_arrive() does? It may say no although they do.
 */
bool v9_calls_decides(const struct v9_calls *c, const struct v9_arrival *a);

/* Makes @f, called by what runs, the function that runs, and tells no consumer. */
void v9_calls_push(struct v9_calls *c, const struct v9_frame *f);

/* Adds a stack of @n frames, outermost first, to those that were left. */
void v9_calls_keep(struct v9_calls *c, const struct v9_frame *f, size_t n);

/* Drops the older half of a full stack. */
void v9_calls_shed(struct v9_calls *c);

/* All calls end: the end of the trace, or another program. */
void v9_calls_reset(struct v9_calls *c, const struct v9_calls_sink *sink);
void v9_calls_free(struct v9_calls *c);

#endif
