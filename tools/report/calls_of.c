// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "calls_of.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "call_path.h"

#define LONGEST	10	/* calls to show unless --limit says another number */

static const struct { const char *name, *unit; } measures[V9_MEASURES] = {
	[V9_BY_INSNS] = { "instructions", "instructions" },
	[V9_BY_CYCLES] = { "cycles", "cycles" },
	[V9_BY_NS] = { "time", "ns" },
};

static bool watched(const struct v9_calls_of *c, const struct v9_flow_sum *f, size_t node)
{
	const struct v9_func *func = f->ran[f->call[node].func].func;

	return func && v9_func_is(func, c->name);
}

static void enter(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *t,
		  const struct v9_sampled *at, size_t node, enum v9_calls_enter how)
{
	struct v9_calls_of *c = arg;

	(void)at;
	/* Of others the begin is not known, or they are no calls. */
	if (how != V9_CALLS_ROOT && how != V9_CALLS_PART && how != V9_CALLS_RESUMED &&
	    watched(c, f, node))
		v9_durations_enter(&c->d, v9_flow_sum_thread(f, t), t->insns, node);
}

static void leave(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *t,
		  const struct v9_sampled *at, size_t node, enum v9_calls_leave how)
{
	static const enum v9_call_end ends[] = {
		[V9_CALLS_RETURNED] = V9_CALL_ENDED, [V9_CALLS_REPLACED] = V9_CALL_ENDED,
		[V9_CALLS_LEFT] = V9_CALL_LEFT, [V9_CALLS_LOST] = V9_CALL_LOST };
	struct v9_calls_of *c = arg;

	/* At the end of the trace nothing is lost: the call did not end. */
	if (at && watched(c, f, node))
		v9_durations_leave(&c->d, v9_flow_sum_thread(f, t), t->insns, node, ends[how]);
}

void v9_calls_of_init(struct v9_calls_of *c, struct v9_report *r, struct v9_flow_sum *sum)
{
	const unsigned int clocks = (sum->counts_cycles ? 1u << V9_BY_CYCLES : 0) |
				    (v9_session_has_times(&r->s) ? 1u << V9_BY_NS : 0);

	memset(c, 0, sizeof(*c));
	v9_durations_init(&c->d, clocks, r->limited && r->limit ? (size_t)r->limit : LONGEST);
	c->name = r->calls_of;
	c->s = &r->s;
	c->hook = (struct v9_call_hook){ .enter = enter, .leave = leave, .arg = c };
	sum->hook = &c->hook;
}

void v9_calls_of_take(struct v9_calls_of *c, struct v9_flow_sum *sum, const struct v9_sampled *at,
		      const struct v9_flow_rec *rec)
{
	const struct v9_thread_calls *t = v9_flow_sum_find(sum, at->tid);
	size_t thread;
	uint64_t ns;

	if (!t)
		return;
	thread = v9_flow_sum_thread(sum, t);
	if (rec->kind == V9_FLOW_CYCLES && rec->counted)
		v9_durations_clock(&c->d, thread, t->insns, V9_BY_CYCLES, t->cycles);
	else if (rec->kind == V9_FLOW_TIME && c->d.clocks & 1u << V9_BY_NS && rec->value &&
		 v9_session_time(c->s, rec->value, &ns))
		v9_durations_clock(&c->d, thread, t->insns, V9_BY_NS, ns);
	else if (rec->kind == V9_FLOW_UNPLACED ||
		 (rec->kind == V9_FLOW_GAP && rec->why != V9_FLOW_FILTER))
		v9_durations_gap(&c->d, thread);
}

/* ---- tables */

static void print_summary(const struct v9_calls_of *c, struct v9_report *r)
{
	static const struct v9_col cols[] = {
		{ "measure", "", V9_TEXT, false },
		{ "calls", "calls", V9_COUNT, false },
		{ "total", "total", V9_COUNT, false },
		{ "mean", "mean", V9_MEAN, false },
		{ "min", "min", V9_COUNT, false },
		{ "p50", "p50", V9_COUNT, false },
		{ "p90", "p90", V9_COUNT, false },
		{ "p99", "p99", V9_COUNT, false },
		{ "max", "max", V9_COUNT, false },
	};
	struct v9_table t = { .name = "call_durations",
			      .title = v9_rep_keep(r, "Calls of %s", c->name),
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };

	for (unsigned int m = 0; m < V9_MEASURES; m++) {
		const struct v9_hist *h = &c->d.hist[m];

		if (m != V9_BY_INSNS && !(c->d.clocks & 1u << m))
			continue;
		v9_table_row(&t);
		v9_put_text(&t, measures[m].unit);
		v9_put_count(&t, h->n);
		v9_put_count(&t, h->sum);
		v9_rep_mean(&t, &(struct v9_sum){ h->n, h->sum });
		if (h->n)
			v9_put_count(&t, h->least);
		else
			v9_put_unknown(&t);
		v9_rep_percentiles(&t, h);
	}
	v9_rep_table(r, &t);
}

static void print_uncounted(const struct v9_calls_of *c, struct v9_report *r)
{
	struct v9_table t = { .name = "uncounted_calls", .title = "Calls that are not counted above",
			      .shape = V9_LOSSES, .cols = v9_rep_lost, .nr_cols = V9_REP_COLS };

	v9_rep_loss(&t, c->d.open, "open", "did not end", "the trace ended before");
	v9_rep_loss(&t, c->d.before, "before", "ended, but began before",
		    "their begin was not traced");
	v9_rep_loss(&t, c->d.left, "left", "left in another way",
		    "longjmp, an exception of C++, a switch of stacks");
	v9_rep_loss(&t, c->d.lost, "lost", "lost", "trace is missing before they ended");
	v9_rep_table(r, &t);
}

/* Powers of two, of cycles if they were counted, else of time if it is known */
static void print_histogram(const struct v9_calls_of *c, struct v9_report *r)
{
	const enum v9_measure by = c->d.hist[c->d.order].n ? c->d.order : V9_BY_INSNS;
	const struct v9_hist *h = &c->d.hist[by];
	const struct v9_col cols[] = {
		{ "from", "from", V9_COUNT, false },
		{ "to", "to", V9_COUNT, false },
		{ "calls", "calls", V9_COUNT, false },
		{ "percent", "share", V9_PERCENT, false },
		{ "bar", r->out.format->for_people ? "" : NULL, V9_TEXT, false },
	};
	struct v9_table t = { .name = "call_histogram", .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .title = v9_rep_keep(r, "Calls by %s", measures[by].unit) };
	uint64_t most = 0;

	for (unsigned int k = 0; k < 2; k++)
		for (unsigned int bit = 0; bit < 64 && h->n; bit++) {
			const uint64_t from = bit ? UINT64_C(1) << bit : 0;
			const uint64_t to = (UINT64_C(2) << bit) - 1;
			const uint64_t n = v9_hist_between(h, from, to);

			if (!k || to < h->least || from > h->most) {
				most = !k && n > most ? n : most;
				continue;
			}
			v9_table_row(&t);
			v9_put_count(&t, from);
			v9_put_count(&t, to);
			v9_put_count(&t, n);
			v9_put_real(&t, v9_rep_percent(n, h->n));
			v9_put_text(&t, r->out.format->for_people ? v9_rep_bar(r, n, most) : NULL);
		}
	v9_rep_table(r, &t);
}

static void put_length(struct v9_table *t, const struct v9_long_call *l, enum v9_measure m)
{
	if (l->known & 1u << m)
		v9_put_count(t, l->length[m]);
	else
		v9_put_unknown(t);
}

static void print_longest(const struct v9_calls_of *c, struct v9_report *r,
			  const struct v9_flow_sum *f)
{
	const unsigned int clocks = c->d.clocks;
	const struct v9_col cols[] = {
		{ "call", "call", V9_COUNT, false },
		{ "ns", clocks & 1u << V9_BY_NS ? "ns" : NULL, V9_COUNT, false },
		{ "cycles", clocks & 1u << V9_BY_CYCLES ? "cycles" : NULL, V9_COUNT, false },
		{ "instructions", "instructions", V9_COUNT, false },
		{ "begin_ns", NULL, V9_COUNT, false },
		{ "begin", clocks & 1u << V9_BY_NS ? "begin, s" : NULL, V9_TEXT, false },
		{ "tid", "thread", V9_COUNT, false },
		{ "callers", "called by", V9_TEXT, true },
	};
	struct v9_table t = { .name = "longest_calls", .title = "Longest calls", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols) };

	for (size_t i = 0; i < c->d.nr_longest; i++) {
		const struct v9_long_call *l = &c->d.longest[i];
		const bool timed = l->known & 1u << V9_BY_NS;

		v9_table_row(&t);
		v9_put_count(&t, i + 1);
		put_length(&t, l, V9_BY_NS);
		put_length(&t, l, V9_BY_CYCLES);
		put_length(&t, l, V9_BY_INSNS);
		if (timed)
			v9_put_count(&t, l->begin);
		else
			v9_put_unknown(&t);
		v9_put_text(&t, timed ? v9_rep_seconds(r, l->begin) : NULL);
		if (f->threads[l->thread].tid == V9_NO_TASK)
			v9_put_unknown(&t);
		else
			v9_put_count(&t, f->threads[l->thread].tid);
		v9_put_text(&t, v9_call_path(r, f, l->node));
	}
	v9_rep_table(r, &t);
}

void v9_calls_of_print(struct v9_calls_of *c, struct v9_report *r, const struct v9_flow_sum *sum)
{
	v9_durations_finish(&c->d);
	print_summary(c, r);
	print_uncounted(c, r);
	print_histogram(c, r);
	print_longest(c, r, sum);
}

bool v9_calls_of_any(const struct v9_calls_of *c, const struct v9_report *r)
{
	if (c->d.hist[V9_BY_INSNS].n || c->d.open || c->d.before || c->d.left || c->d.lost || r->s.stopped)
		return true;
	v9_error("--calls-of %s: %s has no call of it (v9trace report names the functions)", c->name,
		 r->o.path);
	return false;
}

void v9_calls_of_free(struct v9_calls_of *c)
{
	v9_durations_free(&c->d);
}
