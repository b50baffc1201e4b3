// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define NONE	SIZE_MAX

static void leave(struct v9_calls *c, const struct v9_calls_sink *sink, struct v9_frame *f,
		  enum v9_calls_leave how)
{
	if (sink->leave)
		sink->leave(sink->arg, c, f, how);
}

/* ---- the stack */

static void push(struct v9_calls *c, const struct v9_frame *f)
{
	if (c->nr == V9_CALLS_DEPTH) {
		c->nr /= 2;
		c->dropped += c->nr;
		memmove(c->frame, c->frame + c->nr, c->nr * sizeof(*c->frame));
	}
	if (c->nr == c->room) {
		c->room = c->room ? 2 * c->room : 64;
		c->frame = v9_realloc(c->frame, c->room * sizeof(*c->frame));
	}
	c->frame[c->nr++] = *f;
}

/* Makes @a the function that runs. Its callers are on the stack already. */
static void start(struct v9_calls *c, const struct v9_calls_sink *sink, const struct v9_arrival *a,
		  uint64_t back, enum v9_calls_enter how)
{
	c->now = (struct v9_frame){ .back = back, .func = a->func, .kernel = a->kernel,
				    .final = a->final };
	c->any = true;
	sink->enter(sink->arg, c, &c->now, how);
}

static void call(struct v9_calls *c, const struct v9_calls_sink *sink, const struct v9_arrival *a,
		 uint64_t back, enum v9_calls_enter how)
{
	push(c, &c->now);
	start(c, sink, a, back, how);
}

static void replace(struct v9_calls *c, const struct v9_calls_sink *sink,
		    const struct v9_arrival *a, enum v9_calls_enter how)
{
	const uint64_t back = c->now.back;

	leave(c, sink, &c->now, V9_CALLS_REPLACED);
	start(c, sink, a, back, how);
}

/* The function that runs has ended; its caller goes on, if it is known. */
static void pop(struct v9_calls *c, const struct v9_calls_sink *sink, enum v9_calls_leave how)
{
	leave(c, sink, &c->now, how);
	c->any = c->nr;
	if (c->nr)
		c->now = c->frame[--c->nr];
}

static void forget_left(struct v9_calls *c, size_t i)
{
	free(c->left[i].frame);
	c->nr_left--;
	memmove(&c->left[i], &c->left[i + 1], (c->nr_left - i) * sizeof(c->left[0]));
}

/* Makes room for a stack of @n frames that may be resumed. Returns them, outermost first. */
static struct v9_frame *keep_left(struct v9_calls *c, size_t n)
{
	struct v9_left *l;

	if (c->nr_left == V9_CALLS_STACKS)
		forget_left(c, 0);
	l = &c->left[c->nr_left++];
	l->nr = n;
	l->frame = v9_alloc(n * sizeof(*l->frame));
	return l->frame;
}

/* Leaves all frames above the callers [0 .. @n). With @n 0 nothing runs. */
static void abandon(struct v9_calls *c, const struct v9_calls_sink *sink, size_t n)
{
	const size_t above = c->nr - n;

	/* A frame alone cannot be resumed: nothing waits for it. */
	if (above) {
		struct v9_frame *f = keep_left(c, above + 1);

		memcpy(f, c->frame + n, above * sizeof(*f));
		f[above] = c->now;
	}
	while (c->nr > n)
		pop(c, sink, V9_CALLS_LEFT);
	pop(c, sink, V9_CALLS_LEFT);
}

/* ---- which frame goes on */

/* Returns the frame that waits for a return to @addr: an index of c->frame, or NONE. */
static size_t waits_at(const struct v9_calls *c, uint64_t addr)
{
	if (!addr)
		return NONE;
	if (c->now.back == addr)
		return c->nr ? c->nr - 1 : NONE;
	for (size_t i = c->nr; i-- > 1; )
		if (c->frame[i].back == addr)
			return i - 1;
	return NONE;
}

/* Returns the innermost caller that is function @func and can go on, or NONE. */
static size_t caller_in(struct v9_calls *c, size_t func)
{
	size_t found = NONE;

	for (size_t i = c->nr; i--; ) {
		if (c->frame[i].func != func || (i + 1 < c->nr ? &c->frame[i + 1] : &c->now)->final)
			continue;
		if (found != NONE) {
			c->ambiguous++;
			break;
		}
		found = i;
	}
	return found;
}

/* The caller with index @i goes on. @how: how the frame that runs has ended. */
static void go_on(struct v9_calls *c, const struct v9_calls_sink *sink, size_t i,
		  enum v9_calls_leave how)
{
	if (i + 1 == c->nr)
		pop(c, sink, how);
	else
		abandon(c, sink, i + 1);
}

static bool same_frames(const struct v9_left *a, const struct v9_left *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a->frame[i].func != b->frame[i].func || a->frame[i].user != b->frame[i].user)
			return false;
	return true;
}

/* Returns the frame of @l whose caller, in @l, too, waits at @addr; or 0. */
static size_t waits_in(const struct v9_left *l, uint64_t addr)
{
	size_t i = l->nr;

	while (i && l->frame[--i].back != addr)
		;
	return i;
}

/* Goes on with the newest of the stacks that were left and wait at @addr. */
static bool resume(struct v9_calls *c, const struct v9_calls_sink *sink, uint64_t addr)
{
	struct v9_left l;
	size_t n = 0, k;

	for (k = c->nr_left; addr && !n && k; )
		n = waits_in(&c->left[--k], addr);
	if (!n)
		return false;
	l = c->left[k];
	for (size_t i = k, m; i--; ) {
		m = waits_in(&c->left[i], addr);
		if (m && (m != n || !same_frames(&l, &c->left[i], n))) {
			c->ambiguous++;
			break;
		}
	}
	c->nr_left--;
	memmove(&c->left[k], &c->left[k + 1], (c->nr_left - k) * sizeof(c->left[0]));
	/* What runs on that stack returns to whom the function returns that switched to it. */
	leave(c, sink, &c->now, V9_CALLS_REPLACED);
	l.frame[0].back = c->now.back;
	for (size_t i = 0; i < n; i++) {
		if (i)
			push(c, &c->now);
		c->now = l.frame[i];
		sink->enter(sink->arg, c, &c->now, V9_CALLS_RESUMED);
	}
	if (n + 1 < l.nr)
		memcpy(keep_left(c, l.nr - n), l.frame + n, (l.nr - n) * sizeof(*l.frame));
	free(l.frame);
	return true;
}

/* ---- the rules */

/* A jump, or what else can go anywhere. @indirect: it may leave frames. */
static void jumped(struct v9_calls *c, const struct v9_calls_sink *sink, const struct v9_arrival *a,
		   bool indirect)
{
	size_t i;

	if (a->func == c->now.func)
		return;
	if (a->first) {
		replace(c, sink, a, V9_CALLS_TAIL);
		return;
	}
	if (indirect) {
		i = waits_at(c, a->addr);
		if (i == NONE && resume(c, sink, a->addr))
			return;
		if (i == NONE)
			i = caller_in(c, a->func);
		if (i != NONE) {
			go_on(c, sink, i, V9_CALLS_LEFT);
			return;
		}
	}
	replace(c, sink, a, V9_CALLS_PART);
}

/* Returns the number of callers up to the user function that the kernel interrupted; 0: none is known. */
static size_t user_frames(const struct v9_calls *c)
{
	size_t n = c->nr;

	if (!c->now.kernel)
		return 0;
	while (n && c->frame[n - 1].kernel)
		n--;
	return n;
}

static void returned(struct v9_calls *c, const struct v9_calls_sink *sink,
		     const struct v9_arrival *a)
{
	size_t i = waits_at(c, a->addr);
	uint64_t trap;

	if (i != NONE) {
		go_on(c, sink, i, V9_CALLS_RETURNED);
		return;
	}
	if (c->pending & V9_CALLS_HIDDEN && user_frames(c) == c->nr && c->nr) {
		/* The first kernel function after an exception has no caller in the kernel. */
		replace(c, sink, a, V9_CALLS_PART);
		return;
	}
	if (c->pending & V9_CALLS_HIDDEN) {
		/* Its caller is not traced, and may have called again. */
		pop(c, sink, V9_CALLS_RETURNED);
		if (!c->any)
			start(c, sink, a, 0, V9_CALLS_ROOT);
		else if (a->first)
			call(c, sink, a, 0, V9_CALLS_CALL);
		else
			jumped(c, sink, a, true);
		return;
	}
	if (resume(c, sink, a->addr))
		return;
	if (a->func == c->now.func)
		return;
	if (a->first) {
		replace(c, sink, a, V9_CALLS_TAIL);
		return;
	}
	i = caller_in(c, a->func);
	if (i != NONE) {
		go_on(c, sink, i, V9_CALLS_LEFT);
		return;
	}
	/* To a caller from before the trace, or on another stack */
	i = user_frames(c);
	if (!i) {
		abandon(c, sink, 0);
		start(c, sink, a, 0, V9_CALLS_ROOT);
		return;
	}
	/*
	 * After a task switch the kernel returns to callers of which no call was traced. What it
	 * interrupted in user space still waits.
	 */
	trap = (i < c->nr ? &c->frame[i] : &c->now)->back;
	abandon(c, sink, i);
	call(c, sink, a, trap, V9_CALLS_ROOT);
}

/* From the kernel, or from an exception whose handling was not traced, which began at @trap */
static void interrupted(struct v9_calls *c, const struct v9_calls_sink *sink,
			const struct v9_arrival *a, uint64_t trap)
{
	size_t i;

	if (a->addr == trap) {
		/* A direct jump may have come before the exception. */
		jumped(c, sink, a, false);
		return;
	}
	i = waits_at(c, a->addr);
	if (i != NONE)
		go_on(c, sink, i, V9_CALLS_RETURNED);
	else if (a->first)
		call(c, sink, a, trap, V9_CALLS_HANDLER);
	else
		jumped(c, sink, a, true);
}

static void out_of_kernel(struct v9_calls *c, const struct v9_calls_sink *sink,
			  const struct v9_arrival *a)
{
	uint64_t trap = 0;

	while (c->any && c->now.kernel) {
		trap = c->now.back;
		pop(c, sink, V9_CALLS_RETURNED);
	}
	if (c->any)
		interrupted(c, sink, a, trap);
	else
		start(c, sink, a, 0, V9_CALLS_ROOT);
}

static void after_gap(struct v9_calls *c, const struct v9_calls_sink *sink,
		      const struct v9_arrival *a)
{
	size_t i;

	if (a->func == c->now.func)
		return;
	i = caller_in(c, a->func);
	if (i == NONE) {
		v9_calls_reset(c, sink);
		start(c, sink, a, 0, V9_CALLS_ROOT);
		return;
	}
	while (c->nr > i)
		pop(c, sink, V9_CALLS_LOST);
}

void v9_calls_arrive(struct v9_calls *c, const struct v9_calls_sink *sink,
		     const struct v9_arrival *a)
{
	const uint32_t pending = c->pending, by = pending & V9_CALLS_BRANCH;
	const bool trapped = pending & V9_CALLS_TRAPPED;

	if (!c->any)
		start(c, sink, a, 0, V9_CALLS_ROOT);
	else if (pending & V9_CALLS_GAP)
		after_gap(c, sink, a);
	else if (a->kernel && (trapped ? a->addr != c->trap : !c->now.kernel))
		call(c, sink, a, trapped ? c->trap : 0, V9_CALLS_EXCEPTION);
	else if (!a->kernel && c->now.kernel)
		out_of_kernel(c, sink, a);
	else if (trapped)
		interrupted(c, sink, a, c->trap);
	else if (by == V9_CALLS_BY_RETURN)
		returned(c, sink, a);
	else if (by != V9_CALLS_BY_CALL)
		jumped(c, sink, a, by || pending);
	/* At the return address after a filter, what was called is not traced. */
	else if (!(pending & V9_CALLS_HIDDEN) || a->addr != c->back)
		call(c, sink, a, c->back, V9_CALLS_CALL);
	/* A call at the end of a function returns to the next one: what runs is always that of the place. */
	if (c->now.func != a->func || c->now.kernel != a->kernel)
		replace(c, sink, a, V9_CALLS_PART);
	c->pending = 0;
}

/* ---- frames whose callers are not known */

/* Returns the number of frames up to the innermost one in user space, without what runs. */
static size_t upto_user(const struct v9_calls *c)
{
	size_t n = c->nr;

	while (n && c->frame[n - 1].kernel)
		n--;
	return n;
}

/* Does one of the frames up to what was called by frame @n - 1 wait at @addr? */
static bool one_waits(const struct v9_calls *c, size_t n, uint64_t addr)
{
	for (size_t i = n; addr && i; i--)
		if ((i < c->nr ? &c->frame[i] : &c->now)->back == addr)
			return true;
	return false;
}

bool v9_calls_decides(const struct v9_calls *c, const struct v9_arrival *a)
{
	const uint32_t pending = c->pending, by = pending & V9_CALLS_BRANCH;
	const bool trapped = pending & V9_CALLS_TRAPPED, room = c->nr < V9_CALLS_OWN;
	size_t n;

	if (!c->any)
		return false;
	if (pending & V9_CALLS_GAP)
		return a->func == c->now.func;
	if (a->kernel && (trapped ? a->addr != c->trap : !c->now.kernel))
		return room;
	if (!a->kernel && c->now.kernel) {
		n = upto_user(c);
		/* What runs after the kernel is frame n - 1, and its callers wait for those below. */
		return n && (a->addr == (n < c->nr ? &c->frame[n] : &c->now)->back ||
			     one_waits(c, n - 1, a->addr));
	}
	if (trapped)
		return a->addr == c->trap || one_waits(c, c->nr, a->addr);
	if (by == V9_CALLS_BY_CALL)
		return room;
	if (by == V9_CALLS_BY_RETURN)
		return one_waits(c, c->nr, a->addr);
	return a->func == c->now.func || a->first || !pending || one_waits(c, c->nr, a->addr);
}

void v9_calls_push(struct v9_calls *c, const struct v9_frame *f)
{
	push(c, &c->now);
	c->now = *f;
}

void v9_calls_keep(struct v9_calls *c, const struct v9_frame *f, size_t n)
{
	memcpy(keep_left(c, n), f, n * sizeof(*f));
}

void v9_calls_shed(struct v9_calls *c)
{
	const size_t n = c->nr < V9_CALLS_DEPTH / 2 ? c->nr : V9_CALLS_DEPTH / 2;

	c->nr -= n;
	memmove(c->frame, c->frame + n, c->nr * sizeof(*c->frame));
}

void v9_calls_reset(struct v9_calls *c, const struct v9_calls_sink *sink)
{
	while (c->any)
		pop(c, sink, V9_CALLS_LOST);
	while (c->nr_left)
		forget_left(c, c->nr_left - 1);
	c->pending = 0;
}

void v9_calls_free(struct v9_calls *c)
{
	while (c->nr_left)
		forget_left(c, c->nr_left - 1);
	free(c->frame);
	memset(c, 0, sizeof(*c));
}
