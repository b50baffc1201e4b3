// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace script --calls-timeline: a line for each begin and end of a call, by thread and time. */
#include <stdlib.h>

#include "../capture/strtab.h"
#include "../util.h"
#include "fields.h"
#include "flow_sum.h"
#include "script.h"

#define INDENT_MOST	40	/* levels; deeper calls are printed at this one */

/* The calls of a thread that did not end, innermost last */
struct stack {
	struct open { size_t node; uint64_t insns; } *open;
	size_t nr;
};

struct timeline {
	struct v9_script *s;
	struct v9_trace t;
	struct v9_flow_sum sum;
	struct stack *stacks;		/* by thread */
	size_t nr_stacks;
};

static const char *const enters[] = {
	[V9_CALLS_CALL] = "call", [V9_CALLS_TAIL] = "tail call", [V9_CALLS_EXCEPTION] = "exception",
	[V9_CALLS_HANDLER] = "handler", [V9_CALLS_ROOT] = "begins in",
	[V9_CALLS_PART] = "jump into", [V9_CALLS_RESUMED] = "resumed",
};

static const char *const leaves[] = {
	[V9_CALLS_RETURNED] = "return", [V9_CALLS_REPLACED] = "replaced", [V9_CALLS_LEFT] = "left",
	[V9_CALLS_LOST] = "trace lost",
};

static struct stack *stack_of(struct timeline *x, size_t thread)
{
	while (x->nr_stacks <= thread)
		(void)v9_vec_add(x->stacks, x->nr_stacks);
	return &x->stacks[thread];
}

static void indent(struct v9_put *put, size_t depth)
{
	for (size_t i = 0; i <= 2 * (depth < INDENT_MOST ? depth : INDENT_MOST); i++)
		v9_put_char(put, ' ');
}

/* @insns: NULL at a begin; else the instructions of the call that ends */
static void print(struct timeline *x, const struct v9_sampled *at, size_t depth, size_t node,
		  const char *how, const uint64_t *insns)
{
	const struct v9_line l = { .s = &x->s->s, .at = at, .cgroup = x->s->need_cgroup };
	const struct v9_ran *ran = &x->sum.ran[x->sum.call[node].func];
	const char *name = ran->func ? ran->func->name : "[unknown]";
	struct v9_put *put = &x->s->put;
	struct v9_json j = { .put = put };

	x->s->selected = true;
	if (x->s->json) {
		v9_json_begin(&j);
		v9_json_text(&j, "type", insns ? "call_end" : "call_begin");
		v9_json_task(&j, &l);
		v9_json_text(&j, "how", how);
		v9_json_number(&j, "depth", depth);
		v9_json_number(&j, "path", node);
		v9_json_text(&j, "symbol", name);
		v9_json_text(&j, "dso", ran->dso);
		if (insns)
			v9_json_number(&j, "instructions", *insns);
		v9_json_end(&j);
		return;
	}
	v9_text_task(put, &l);
	indent(put, depth);
	v9_put_str(put, insns ? "<- " : "-> ");
	v9_text_clean(put, name, 0);
	if (insns) {
		v9_put_char(put, ' ');
		v9_put_number(put, *insns, 0);
		v9_put_str(put, " instructions");
	}
	if (insns ? how != leaves[V9_CALLS_RETURNED] : how != enters[V9_CALLS_CALL]) {
		v9_put_str(put, " [");
		v9_put_str(put, how);
		v9_put_char(put, ']');
	}
	v9_put_end(put);
}

static void enter(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *t,
		  const struct v9_sampled *at, size_t node, enum v9_calls_enter how)
{
	struct timeline *x = arg;
	struct stack *stack = stack_of(x, v9_flow_sum_thread(f, t));

	print(x, at, stack->nr, node, enters[how], NULL);
	*v9_vec_add(stack->open, stack->nr) = (struct open){ node, t->insns };
}

static void leave(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *t,
		  const struct v9_sampled *at, size_t node, enum v9_calls_leave how)
{
	struct timeline *x = arg;
	struct stack *stack = stack_of(x, v9_flow_sum_thread(f, t));
	uint64_t insns;

	/* At the end of the trace calls do not end. The oldest of a very deep stack are forgotten. */
	if (!at || !stack->nr)
		return;
	stack->nr--;
	insns = t->insns - stack->open[stack->nr].insns;
	print(x, at, stack->nr, node, leaves[how], &insns);
}

/* Returns false if @at is not to be shown. Else prints the lines of other events before it. */
static bool reaches(const struct timeline *x, const struct v9_sampled *at)
{
	if (ferror(stdout) || !v9_filter_task(&x->s->o.filter, at))
		return false;
	if (at->has_time)
		v9_script_until(x->s, at->time);
	return true;
}

/* Prints a record that is a mark of the program, at the depth of the call that wrote it. */
static void mark(struct timeline *x, const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	const struct v9_line l = { .s = &x->s->s, .at = at, .cgroup = x->s->need_cgroup };
	const struct v9_thread_calls *t;
	struct v9_put *put = &x->s->put;
	struct v9_json j = { .put = put };
	struct v9_mark m;
	size_t depth;

	if (!v9_mark_read(x->t.lookup, at, rec, &m))
		return;
	t = v9_flow_sum_find(&x->sum, at->tid);
	depth = t ? stack_of(x, v9_flow_sum_thread(&x->sum, t))->nr : 0;
	x->s->selected = true;
	if (x->s->json) {
		v9_json_begin(&j);
		v9_json_text(&j, "type", "mark");
		v9_json_task(&j, &l);
		v9_json_text(&j, "kind", v9_mark_kinds[m.kind]);
		v9_json_number(&j, "depth", depth);
		v9_json_mark(&j, &m);
		v9_json_end(&j);
		return;
	}
	v9_text_task(put, &l);
	indent(put, depth);
	v9_print_mark(put, &m);
	v9_put_end(put);
}

static void take(void *arg, size_t stream, const struct v9_sampled *at,
		 const struct v9_flow_rec *rec)
{
	struct timeline *x = arg;

	(void)stream;
	if (!reaches(x, at))
		return;
	v9_flow_sum_add(&x->sum, at, rec);
	mark(x, at, rec);
}

static void take_hits(void *arg, size_t stream, const struct v9_sampled *at,
		      const struct v9_flow_batch *batch)
{
	struct timeline *x = arg;

	(void)stream;
	if (reaches(x, at))
		v9_flow_sum_hits(&x->sum, at, batch);
}

void v9_script_calls(struct v9_script *s)
{
	struct timeline x = { .s = s };
	const struct v9_call_hook hook = { .enter = enter, .leave = leave, .arg = &x };
	/* Calls of a thread that moved between CPUs depend on its order. */
	const struct v9_listener listener = { take, take_hits, &x, true };

	v9_trace_init(&x.t, &s->s, &s->lookup);
	v9_trace_plan(&x.t);
	v9_flow_sum_init(&x.sum, &s->lookup, true);
	x.sum.hook = &hook;
	v9_trace_run(&x.t, &listener, NULL);
	v9_script_until(s, UINT64_MAX);
	v9_script_trace_losses(s, &x.t, 0);
	s->seen += x.t.sums.acc.packets;
	for (size_t i = 0; i < x.nr_stacks; i++)
		free(x.stacks[i].open);
	free(x.stacks);
	v9_flow_sum_free(&x.sum);
	v9_trace_free(&x.t);
}
