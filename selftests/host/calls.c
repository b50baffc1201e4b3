// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls of a thread, by typed sequences. Functions are letters; function a is at addresses
 * 0x1000 .. 0x1fff, b at 0x2000 and so on, and K .. Z are kernel code. A sequence has steps of one
 * branch or other event and the place that follows:
 *
 *	call:b+0  return:a+8  jump:b+0 (indirect)  direct:b+0 (or in sequence)
 *	trap       an exception at the last place given after it: trap:a+8
 *	return, hidden, gap, reset	no place
 *
 * The return address of a call is written before it: "call@8:b+0" returns to 8 in the function that
 * runs. The result is what the consumer heard: how a function came to run and its callers, then how
 * frames ended.
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/report/calls.h"

static char heard[4096];

static void hear(const char *s)
{
	if (strlen(heard) + strlen(s) + 2 < sizeof(heard)) {
		if (*heard)
			strcat(heard, " ");
		strcat(heard, s);
	}
}

static void enter(void *arg, const struct v9_calls *c, struct v9_frame *f,
		  enum v9_calls_enter how)
{
	static const char signs[] = {
		[V9_CALLS_CALL] = '(', [V9_CALLS_TAIL] = '>', [V9_CALLS_EXCEPTION] = '!',
		[V9_CALLS_HANDLER] = '?', [V9_CALLS_ROOT] = '=', [V9_CALLS_PART] = '~',
		[V9_CALLS_RESUMED] = '+',
	};
	char path[256];
	size_t n = 0;

	(void)arg;
	if (how != V9_CALLS_RESUMED)
		f->user = 100 + f->func;
	for (size_t i = 0; i < c->nr && n < 200; i++)
		path[n++] = (char)c->frame[i].func;
	path[n++] = signs[how];
	path[n++] = (char)f->func;
	path[n] = '\0';
	hear(path);
	if (f != &c->now || f->user != 100 + f->func)
		hear("BAD");
}

static void leave(void *arg, const struct v9_calls *c, struct v9_frame *f,
		  enum v9_calls_leave how)
{
	static const char signs[] = {
		[V9_CALLS_RETURNED] = ')', [V9_CALLS_REPLACED] = '<', [V9_CALLS_LEFT] = '^',
		[V9_CALLS_LOST] = '#',
	};

	(void)arg;
	(void)c;
	hear((const char []){ (char)f->func, signs[how], '\0' });
}

static const struct v9_calls_sink sink = { enter, leave, NULL };

static uint64_t place(const char *s)
{
	const uint64_t half = *s >= 'A' && *s <= 'Z' ? 0xffff000000000000ull : 0;

	return (half | (uint64_t)(*s & 31) << 12) + strtoull(s + 1, NULL, 16);
}

static void run(struct v9_calls *c, const char *steps)
{
	char copy[1024], *save = NULL;

	heard[0] = '\0';
	snprintf(copy, sizeof(copy), "%s", steps);
	for (char *s = strtok_r(copy, " ", &save); s; s = strtok_r(NULL, " ", &save)) {
		char *to = strchr(s, ':'), *at = strchr(s, '@');
		char here[2] = { (char)c->now.func, '\0' };
		struct v9_arrival a = { 0 };

		if (!strncmp(s, "call@", 5))
			v9_calls_branch(c, V9_CALLS_BY_CALL,
					place(here) + strtoull(at + 1, NULL, 16));
		else if (!strncmp(s, "return", 6))
			v9_calls_branch(c, V9_CALLS_BY_RETURN, 0);
		else if (!strncmp(s, "jump:", 5))
			v9_calls_branch(c, V9_CALLS_BY_JUMP, 0);
		else if (!strcmp(s, "hidden"))
			v9_calls_gap(c, true);
		else if (!strcmp(s, "gap"))
			v9_calls_gap(c, false);
		else if (!strcmp(s, "reset"))
			v9_calls_reset(c, &sink);
		if (!to)
			continue;
		a.addr = place(to + 1);
		a.func = (size_t)to[1];
		a.first = !(a.addr & 0xfff);
		a.kernel = a.addr >> 55 & 1;
		a.final = to[1] == 'z';
		if (!strncmp(s, "trap:", 5))
			v9_calls_exception(c, a.addr);
		else
			v9_calls_arrive(c, &sink, &a);
	}
}

static void is(const char *name, const char *steps, const char *want, unsigned int ambiguous)
{
	struct v9_calls c = { 0 };

	run(&c, steps);
	if (!tap_ok(!strcmp(heard, want), "%s", name))
		tap_note("%s: got %s", name, heard);
	tap_eq(c.ambiguous, ambiguous, "%s_ambiguous", name);
	v9_calls_free(&c);
}

static void calls_and_returns(void)
{
	is("call", "direct:a+0 call@8:b+0 call@4:c+0 return:b+4 return:a+8 call@c:b+0",
	   "=a a(b ab(c c) b) a(b", 0);
	is("recursion", "direct:a+0 call@8:a+0 call@8:a+0 return:a+8 return:a+8 call@c:b+0",
	   "=a a(a aa(a a) a) a(b", 0);
	is("tail_call",
	   "direct:a+0 call@8:b+0 direct:c+0 call@4:d+0 return:c+4 return:a+8 call@c:b+0",
	   "=a a(b b< a>c ac(d d) c) a(b", 0);
	is("tail_call_indirect",
	   "direct:a+0 call@8:b+0 jump:c+0 return:a+8",
	   "=a a(b b< a>c c)", 0);
	is("tail_call_to_a_caller", "direct:a+0 call@8:b+0 call@4:c+0 jump:b+0 return:b+4",
	   "=a a(b ab(c c< ab>b b)", 0);
	is("call_at_the_end", "direct:a+0 call@2000:b+0 return:c+0 direct:c+8", "=a a(b b) a< ~c", 0);
	is("in_sequence", "direct:a+0 call@8:b+0 direct:c+0 return:a+8", "=a a(b b< a>c c)", 0);
	is("switch_table", "direct:a+0 call@8:b+0 jump:b+40 jump:b+80 return:a+8", "=a a(b b)", 0);
	is("loop_to_the_first_byte", "direct:a+0 call@8:b+0 direct:b+0 jump:b+0 return:a+8",
	   "=a a(b b)", 0);
	is("return_as_a_jump", "direct:a+0 call@8:b+0 return:b+40 return:a+8", "=a a(b b)", 0);
	is("several_at_once", "direct:a+0 call@8:b+0 call@4:c+0 call@4:d+0 return:a+8 call@c:e+0",
	   "=a a(b ab(c abc(d d^ c^ b^ a(e", 0);
	is("several_at_once_in_recursion",
	   "direct:a+0 call@8:a+0 call@c:a+0 call@10:b+0 return:a+8 call@20:d+0",
	   "=a a(a aa(a aaa(b b^ a^ a^ a(d", 0);
}

static void parts(void)
{
	is("plt_into_the_middle",
	   "direct:a+0 call@8:b+0 jump:c+4 return:a+8",
	   "=a a(b b< a~c c)", 0);
	is("cold_part_and_back", "direct:a+0 call@8:b+0 direct:c+4 direct:b+20 return:a+8",
	   "=a a(b b< a~c c< a~b b)", 0);
	/* A direct jump never leaves frames: in a recursive function it would be the wrong one. */
	is("cold_part_in_recursion",
	   "direct:a+0 call@8:b+0 call@8:b+0 direct:c+4 direct:b+20 return:b+8 return:a+8",
	   "=a a(b ab(b b< ab~c c< ab~b b) b)", 0);
}

static void longjmps(void)
{
	/* setjmp returned to a+c; longjmp jumps there */
	is("longjmp",
	   "direct:a+0 call@c:s+0 return:a+c call@20:b+0 call@4:c+0 call@8:l+0 jump:a+c "
	   "call@30:d+0",
	   "=a a(s s) a(b ab(c abc(l l^ c^ b^ a(d", 0);
	is("longjmp_by_return", "direct:a+0 call@20:b+0 call@8:l+0 return:a+c call@30:d+0",
	   "=a a(b ab(l l^ b^ a(d", 0);
	is("longjmp_of_several",
	   "direct:a+0 call@8:b+0 call@8:b+0 call@4:l+0 jump:b+40 call@50:d+0",
	   "=a a(b ab(b abb(l l^ abb(d", 1);
	is("longjmp_through_the_address_that_waits",
	   "direct:a+0 call@8:b+0 call@8:b+0 call@4:l+0 jump:b+8 call@50:d+0",
	   "=a a(b ab(b abb(l l^ b^ ab(d", 0);
	/* z is _Unwind_Resume: what called it does not go on, so the next landing pad is older. */
	is("landing_pads",
	   "direct:a+0 call@8:b+0 call@8:b+0 call@4:t+0 jump:b+60 call@64:z+0 jump:b+60 "
	   "call@70:d+0",
	   "=a a(b ab(b abb(t t^ abb(z z^ b^ ab(d", 1);
}

static void stacks(void)
{
	/* w switches: a calls it, it jumps to co-routine b, that calls w, which jumps back to a */
	is("coroutine", "direct:a+0 call@8:w+0 jump:b+0 call@4:c+0 call@c:w+0 jump:a+8 "
	   "call@18:w+0 jump:c+c return:b+4 call@24:w+0 jump:a+18 call@20:d+0",
	   "=a a(w w< a>b ab(c abc(w w^ c^ b^ a(w w< a+b ab+c c) ab(w w^ b^ a(d", 0);
	/* a starts b, b starts c; c goes to a, a goes to b, b goes to a, a goes to c */
	is("coroutines_in_turn",
	   "direct:a+0 call@8:w+0 jump:b+0 call@4:w+0 jump:c+0 call@4:w+0 jump:a+8 "
	   "call@18:w+0 jump:b+4 call@24:w+0 jump:a+18 call@28:w+0 jump:c+4 call@30:d+0",
	   "=a a(w w< a>b ab(w w< ab>c abc(w w^ c^ b^ a(w w< a+b ab(w w^ b^ a(w w< "
	   "a+c ac(d", 0);
	/* The caller that waits for the co-routine is the one that resumed it last. */
	is("coroutine_in_recursion",
	   "direct:a+0 call@8:a+0 call@c:w+0 jump:b+0 call@4:w+0 jump:a+c call@18:w+0 "
	   "jump:b+4 jump:a+18 call@20:d+0",
	   "=a a(a aa(w w< aa>b aab(w w^ b^ aa(w w< aa+b b^ aa(d", 0);
	is("coroutine_by_return", "direct:a+0 call@8:w+0 jump:b+0 call@4:w+0 return:a+8 "
	   "call@18:w+0 return:b+4 call@20:d+0",
	   "=a a(w w< a>b ab(w w^ b^ a(w w< a+b ab(d", 0);
	/* two alike: which one goes on makes no difference */
	is("coroutines_alike", "direct:a+0 call@8:w+0 jump:b+0 call@4:w+0 jump:a+8 "
	   "call@18:w+0 jump:b+0 call@4:w+0 jump:a+18 call@28:w+0 jump:b+4 call@30:d+0",
	   "=a a(w w< a>b ab(w w^ b^ a(w w< a>b ab(w w^ b^ a(w w< a+b ab(d", 0);
	/* two that differ in their callers */
	is("coroutines_not_alike",
	   "direct:a+0 call@8:w+0 jump:b+0 call@4:y+0 call@4:w+0 jump:a+8 call@18:w+0 "
	   "jump:c+0 call@4:y+0 call@4:w+0 jump:a+18 call@28:w+0 jump:y+4 return:c+4",
	   "=a a(w w< a>b ab(y aby(w w^ y^ b^ a(w w< a>c ac(y acy(w w^ y^ c^ a(w w< "
	   "a+c ac+y y)", 1);
	is("another_stack", "direct:a+0 call@8:b+0 call@4:c+0 return:x+40 call@44:d+0 return:x+44",
	   "=a a(b ab(c c^ b^ a^ =x x(d d)", 0);
	is("caller_from_before", "direct:c+10 return:b+4 return:a+8 call@c:d+0",
	   "=c c^ =b b^ =a a(d", 0);
	/* 0 is no address that a frame waits at, but one that is not known. */
	is("null", "direct:a+0 hidden direct:K+400 return:b+0 call@4:c+0 return:@+0",
	   "=a a!K K) a?b ab(c c< ab>@", 0);
	is("null_and_a_stack", "direct:a+0 call@8:x+0 hidden direct:K+400 return:b+0 call@4:c+0 "
	   "jump:a+8 return:@+0",
	   "=a a(x ax!K K) ax?b axb(c c^ b^ x^ a< >@", 0);
}

static void exceptions(void)
{
	is("system_call",
	   "direct:a+0 trap:a+8 direct:K+400 call@4:L+0 return:K+4 return:a+8 call@c:b+0",
	   "=a a!K aK(L L) K) a(b", 0);
	is("interrupt_of_the_kernel",
	   "direct:a+0 trap:a+8 direct:K+400 trap:K+404 direct:K+200 return:K+404 "
	   "return:a+8",
	   "=a a!K aK!K K) K)", 0);
	is("fixup_in_the_kernel",
	   "direct:a+0 trap:a+8 direct:K+400 call@4:L+0 trap:L+8 direct:K+200 return:L+40 "
	   "return:K+4",
	   "=a a!K aK(L aKL!K K^ L)", 0);
	is("hidden_interrupt_of_the_kernel",
	   "direct:K+400 trap:K+408 hidden direct:K+408 call@c:L+0",
	   "=K K(L", 0);
	/* After a task switch the trace goes on in P, which Q called: both are not known to be callers. */
	is("task_switch",
	   "direct:a+0 call@8:b+0 trap:b+10 direct:K+400 call@4:L+0 hidden direct:P+40 return:Q+20 "
	   "return:K+4 return:b+10 return:a+8 call@c:d+0",
	   "=a a(b ab!K abK(L L< abK~P P^ K^ ab=Q Q< ab+K K) b) a(d", 0);
	is("task_switch_in_the_first_frame",
	   "direct:a+0 call@8:b+0 trap:b+10 direct:K+400 return hidden direct:P+40 return:b+10 "
	   "return:a+8", "=a a(b ab!K K< ab~P P) b)", 0);
	is("task_switch_of_a_kernel_thread",
	   "direct:K+0 call@4:L+0 hidden direct:P+40 return:Q+20 call@24:M+0",
	   "=K K(L L< K~P P^ K^ =Q Q(M", 0);
	is("hidden_system_call", "direct:a+0 trap:a+8 hidden direct:a+8 call@c:b+0", "=a a(b", 0);
	is("kernel_frames_end",
	   "direct:a+0 trap:a+8 direct:K+400 call@4:L+0 call@4:M+0 return:a+8 call@c:b+0",
	   "=a a!K aK(L aKL(M M) L) K) a(b", 0);
	is("signal",
	   "direct:a+0 call@8:b+0 trap:b+10 direct:K+400 return:h+0 call@4:c+0 return:h+4 "
	   "return:r+0 trap:r+8 direct:K+400 return:b+10 return:a+8",
	   "=a a(b ab!K K) ab?h abh(c c) h< ab>r abr!K K) r) b)", 0);
	is("hidden_signal", "direct:a+0 call@8:b+0 trap:b+10 hidden direct:h+0 return:r+0 trap:r+8 "
	   "hidden direct:b+10 return:a+8",
	   "=a a(b ab?h h< ab>r r) b)", 0);
	is("signal_restarts_a_system_call",
	   "direct:a+0 call@8:b+0 trap:b+10 hidden direct:h+0 return:r+0 trap:r+8 hidden "
	   "direct:b+c return:a+8",
	   "=a a(b ab?h h< ab>r r^ b)", 0);
	is("signal_at_the_first_byte",
	   "direct:a+0 call@8:b+0 trap:b+0 hidden direct:h+0 return:r+0 trap:r+8 hidden "
	   "direct:b+0 return:a+8",
	   "=a a(b ab?h h< ab>r r) b)", 0);
	is("signals_nested",
	   "direct:a+0 trap:a+10 hidden direct:h+0 trap:h+4 hidden direct:i+0 return:r+0 "
	   "trap:r+8 hidden direct:h+4 return:r+0 trap:r+8 hidden direct:a+10 call@14:b+0",
	   "=a a?h ah?i i< ah>r r) h< a>r r) a(b", 0);
	is("longjmp_from_a_handler",
	   "direct:a+0 call@8:b+0 trap:b+10 hidden direct:h+0 call@4:l+0 jump:a+4 "
	   "call@10:c+0",
	   "=a a(b ab?h abh(l l^ h^ b^ a(c", 0);
	is("handler_moves_the_place",
	   "direct:a+0 trap:a+10 hidden direct:h+0 return:r+0 trap:r+8 hidden direct:a+14 "
	   "call@18:b+0",
	   "=a a?h h< a>r r^ a(b", 0);
	is("jump_before_an_exception",
	   "direct:a+0 call@8:b+0 trap:c+0 hidden direct:c+0 return:a+8",
	   "=a a(b b< a>c c)", 0);
	is("task_begins_in_the_kernel", "direct:K+400 return:a+0 call@8:b+0", "=K K) =a a(b", 0);
	is("kernel_without_exception", "direct:a+0 hidden direct:K+400 return:a+8 call@c:b+0",
	   "=a a!K K) a(b", 0);
}

static void gaps(void)
{
	is("filter_hides_the_callee", "direct:a+0 hidden direct:a+8 call@c:b+0", "=a a(b", 0);
	is("filter_then_a_caller", "direct:a+0 call@8:b+0 hidden direct:a+40 call@44:d+0",
	   "=a a(b b^ a(d", 0);
	is("gap_in_a_function", "direct:a+0 call@8:b+0 gap direct:b+40 return:a+8", "=a a(b b)", 0);
	is("gap_to_a_caller", "direct:a+0 call@8:b+0 call@4:c+0 gap direct:a+40 call@44:d+0",
	   "=a a(b ab(c c# b# a(d", 0);
	is("gap_to_nowhere",
	   "direct:a+0 call@8:b+0 gap direct:c+0 call@4:d+0",
	   "=a a(b b# a# =c c(d", 0);
	is("gap_of_several", "direct:a+0 call@8:a+0 call@8:b+0 gap direct:a+40",
	   "=a a(a aa(b b#", 1);
	is("gap_ends_stacks",
	   "direct:a+0 call@8:w+0 jump:b+0 call@4:w+0 jump:a+8 gap direct:x+8 jump:b+4",
	   "=a a(w w< a>b ab(w w^ b^ a# =x x< ~b", 0);
	is("reset", "direct:a+0 call@8:b+0 reset direct:c+0", "=a a(b b# a# =c", 0);
}

/* After a call, a filter and the return address: what was called was not traced. */
static void filters(void)
{
	struct v9_calls c = { 0 };
	const struct v9_arrival back = { .addr = 0x1008, .func = 'a' };
	const struct v9_arrival in = { .addr = 0x1000, .func = 'a', .first = true };

	run(&c, "direct:a+0");
	v9_calls_branch(&c, V9_CALLS_BY_CALL, 0x1008);
	v9_calls_gap(&c, true);
	v9_calls_arrive(&c, &sink, &back);
	tap_eq(c.nr, 0, "untraced_callee");
	/* Its caller is not traced: at its first byte it is called again. */
	v9_calls_branch(&c, V9_CALLS_BY_RETURN, 0);
	v9_calls_gap(&c, true);
	v9_calls_arrive(&c, &sink, &in);
	tap_ok(!strcmp(heard, "=a a) =a"), "untraced_caller");
	v9_calls_branch(&c, V9_CALLS_BY_CALL, 0x1008);
	v9_calls_gap(&c, true);
	v9_calls_arrive(&c, &sink, &in);
	v9_calls_branch(&c, V9_CALLS_BY_RETURN, 0);
	v9_calls_gap(&c, true);
	v9_calls_arrive(&c, &sink, &in);
	tap_ok(!strcmp(heard, "=a a) =a a(a a) a(a"), "called_again_behind_a_filter");
	v9_calls_free(&c);
}

/* Deeper than the limit: the newer half stays, with the right callers. */
static void depth(void)
{
	struct v9_calls c = { 0 };
	struct v9_arrival a = { .func = 'a', .first = true };
	size_t least = SIZE_MAX;

	for (unsigned int i = 0; i < V9_CALLS_DEPTH + 10; i++) {
		heard[0] = '\0';
		a.addr = 0x100000 + 0x1000 * (uint64_t)i;
		v9_calls_branch(&c, V9_CALLS_BY_CALL, a.addr - 0x1000 + 8);
		v9_calls_arrive(&c, &sink, &a);
	}
	tap_ok(c.nr >= V9_CALLS_DEPTH / 2 && c.nr <= V9_CALLS_DEPTH, "depth_is_limited");
	tap_eq(c.dropped + c.nr, V9_CALLS_DEPTH + 9, "callers_are_dropped_or_kept");
	for (unsigned int i = V9_CALLS_DEPTH + 10; i-- > V9_CALLS_DEPTH / 2 + 20; ) {
		heard[0] = '\0';
		v9_calls_branch(&c, V9_CALLS_BY_RETURN, 0);
		a = (struct v9_arrival){ .func = 'a',
					 .addr = 0x100000 + 0x1000 * (uint64_t)(i - 1) + 8 };
		v9_calls_arrive(&c, &sink, &a);
		if (strcmp(heard, "a)"))
			break;
		least = i;
	}
	tap_eq(least, V9_CALLS_DEPTH / 2 + 20, "returns_from_the_depth");
	v9_calls_free(&c);
}

/* The older half of the depth is shed; of fewer callers all. Those that stay are the newer ones. */
static void shed(void)
{
	static const size_t half = V9_CALLS_DEPTH / 2;
	const struct { size_t nr, left; } rows[] = {
		{ 1, 0 }, { half - 1, 0 }, { half, 0 }, { half + 1, 1 }, { 2 * half, half },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_calls c = { 0 };

		for (size_t n = 0; n < rows[i].nr; n++) {
			c.now.func = n;
			v9_calls_push(&c, &c.now);
		}
		v9_calls_shed(&c);
		tap_ok(c.nr == rows[i].left && (!c.nr || (c.frame[0].func == rows[i].nr - c.nr &&
							  c.frame[c.nr - 1].func == rows[i].nr - 1)),
		       "shed_of_%zu", rows[i].nr);
		v9_calls_free(&c);
	}
}

/* More stacks than are kept: the oldest is forgotten, and all memory is freed. */
static void many_stacks(void)
{
	struct v9_calls c = { 0 };

	run(&c, "direct:a+0");
	for (unsigned int i = 0; i < V9_CALLS_STACKS + 5; i++)
		run(&c, "call@8:w+0 jump:b+0 call@4:w+0 jump:a+8");
	tap_eq(c.nr_left, V9_CALLS_STACKS, "stacks_kept");
	for (unsigned int i = 0; i < V9_CALLS_STACKS; i++)
		run(&c, "call@8:w+0 jump:b+4 return:a+8");
	tap_eq(c.nr_left, 0, "stacks_resumed");
	run(&c, "call@8:w+0 jump:b+4");
	tap_ok(!strcmp(heard, "a(w w< a~b"), "stack_forgotten");
	v9_calls_free(&c);
}

int main(void)
{
	calls_and_returns();
	parts();
	longjmps();
	stacks();
	exceptions();
	gaps();
	filters();
	depth();
	shed();
	many_stacks();
	return tap_done();
}
