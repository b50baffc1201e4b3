// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An ETE trace for sinks: the call tree by thread, functions that begin and end, the flow. */
#include "sink.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../capture/part.h"
#include "../capture/walk.h"
#include "../util.h"
#include "feed_branches.h"
#include "flow_sum.h"
#include "kinds.h"
#include "stack_lines.h"

struct feed {
	struct v9_export *x;
	struct v9_trace t;
	struct v9_flow_sum sum;
	struct v9_branches branches;	/* if the sink takes them */
	/* of .enter and .leave, by thread */
	struct thread {
		uint64_t time;		/* of its last step */
		size_t *open, nr_open;	/* numbers of functions that began and did not end yet */
		struct v9_sampled at;	/* of its last step */
	} *threads;
	size_t nr_threads;
	bool other;			/* what follows is of another part: see v9_part_listener */
	bool ordered;			/* see v9_trace_has_order() */
	bool stamps;			/* the trace has timestamps that can be converted */
	struct v9_stack_level *level;
	/* What was executed by inlined function and line, if the sink takes that */
	struct v9_bins runs;			/* struct v9_ran_run */
	struct v9_ran_run **run;		/* by node, then address */
	struct v9_stack_lines lines;
};

/* A function that runs in the kernel or has no name has no address as linked. */
static void level_of(struct v9_stack_level *l, const struct v9_ran *ran)
{
	const struct v9_place place = { .dso = ran->object, .dso_name = ran->dso,
					.func = ran->func };

	v9_level_of(l, &place, false);
	l->addressed = ran->object && ran->func;
	l->kernel = ran->func && ran->func->start & V9_KERNEL_HALF;
}

/* ---- functions that begin and end */

static struct thread *thread_of(struct feed *f, const struct v9_thread_calls *t)
{
	const size_t i = (size_t)(t - f->sum.threads);

	while (f->nr_threads <= i)
		v9_vec_add(f->threads, f->nr_threads);
	return &f->threads[i];
}

/*
 * Returns a time of the thread, which never goes back. Before the first timestamp of an AUX record
 * its end is known, which is later than what follows: the thread has the last timestamp before it,
 * or the time at which the capture begins.
 */
static uint64_t time_of(const struct feed *f, const struct thread *t)
{
	const uint64_t time = !f->stamps || t->at.stamped ? t->at.time :
			      t->time ? t->time : f->x->r.s.first_time;

	return t->at.has_time && time > t->time ? time : t->time;
}

/* Sets what .enter and .leave share. @at NULL: at the end. */
static struct thread *step_of(struct feed *f, const struct v9_thread_calls *t,
			      const struct v9_sampled *at, struct v9_call_step *s)
{
	struct thread *thread = thread_of(f, t);

	if (at)
		thread->at = *at;
	thread->time = time_of(f, thread);
	*s = (struct v9_call_step){
		.comm = thread->at.comm, .pid = thread->at.pid, .tid = thread->at.tid,
		.cpu = thread->at.cpu, .thread = (size_t)(t - f->sum.threads),
		.time = thread->time, .has_time = thread->at.has_time,
		.insns = t->insns, .cycles = t->cycles,
	};
	return thread;
}

static void left(struct feed *f, const struct v9_thread_calls *t, const struct v9_sampled *at,
		 enum v9_calls_leave how)
{
	struct v9_stack_level level;
	struct v9_call_step s;
	struct thread *thread = step_of(f, t, at, &s);

	s.function = thread->open[--thread->nr_open];
	s.leave = how;
	s.level = &level;
	level_of(&level, &f->sum.ran[s.function]);
	if (!f->x->failed)
		f->x->sink->leave(f->x, &s);
}

static void leave(void *arg, const struct v9_flow_sum *sum, const struct v9_thread_calls *t,
		  const struct v9_sampled *at, size_t node, enum v9_calls_leave how)
{
	(void)sum;
	(void)node;
	left(arg, t, at, how);
}

static void enter(void *arg, const struct v9_flow_sum *sum, const struct v9_thread_calls *t,
		  const struct v9_sampled *at, size_t node, enum v9_calls_enter how)
{
	struct feed *f = arg;
	struct v9_stack_level level;
	struct v9_call_step s;
	struct thread *thread;

	/*
	 * Nothing is known of its callers. What did not end yet is the outer half of a very deep
	 * stack, which the machine that finds calls has dropped.
	 */
	while (how == V9_CALLS_ROOT && thread_of(f, t)->nr_open)
		left(f, t, at, V9_CALLS_LOST);
	thread = step_of(f, t, at, &s);
	*v9_vec_add(thread->open, thread->nr_open) = sum->call[node].func;
	s.function = sum->call[node].func;
	s.enter = how;
	s.level = &level;
	level_of(&level, &sum->ran[s.function]);
	if (!f->x->failed)
		f->x->sink->enter(f->x, &s);
}

static void mark(struct feed *f, const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	const struct v9_thread_calls *t;
	struct v9_call_step s;
	struct v9_mark m;

	if (!f->x->sink->mark || !v9_mark_read(f->t.lookup, at, rec, &m))
		return;
	t = v9_flow_sum_find(&f->sum, at->tid);
	if (!t)
		return;
	step_of(f, t, at, &s);
	f->x->sink->mark(f->x, &s, &m);
}

/* Functions that did not end, see enter() */
static void leave_rest(struct feed *f)
{
	for (size_t i = 0; i < f->nr_threads; i++)
		while (f->threads[i].nr_open)
			left(f, &f->sum.threads[i], NULL, V9_CALLS_LOST);
}

/* ---- sums by stack */

/* Gives a stack whose levels are @level[0 .. nr), the last of which has @below levels below it. */
static void give_levels(struct feed *f, struct v9_stack *s, const struct v9_stack_level *level, size_t nr,
			size_t below)
{
	struct v9_stack_level some[V9_LEVELS + V9_INLINED_MOST + 1];
	char text[64];

	s->level = level;
	s->nr = nr + below;
	if (nr > V9_LEVELS) {
		const size_t outer = V9_LEVELS / 2, inner = V9_LEVELS - outer - 1;

		memcpy(some, level, outer * sizeof(*some));
		snprintf(text, sizeof(text), "[%zu callers left out]", nr - outer - inner);
		some[outer] = (struct v9_stack_level){ .what = V9_LEVEL_LOST, .name = text,
						       .dso_name = "[unknown]" };
		memcpy(some + outer + 1, level + nr - inner, (inner + below) * sizeof(*some));
		s->level = some;
		s->nr = V9_LEVELS + below;
	}
	f->x->sink->stack(f->x, s);
}

/* Instructions of a node that have the same inlined functions and line */
struct same_line {
	uint64_t key[1];	/* number of v9_stack_lines_at() */
	uint64_t first, n;	/* the first of their addresses; times executed */
};

/* Adds the instructions of a run, each to its line. */
static void add_run(struct feed *f, struct v9_bins *same, struct v9_dso *d, const struct v9_ran_run *r)
{
	/* In T32 code each counts for the first one's. */
	const uint64_t size = r->size == r->insns * UINT64_C(4) ? 4 : 0;

	for (uint32_t i = 0; i < r->insns; i++) {
		const uint64_t addr = r->start + i * size;
		const uint64_t key[1] = { v9_stack_lines_at(&f->lines, d, addr) };
		struct same_line *l = v9_bins_at(same, key, 1);

		if (!l->n || addr < l->first)
			l->first = addr;
		l->n += r->n;
	}
}

/*
 * Gives what node @i executed, by inlined function and line. Nodes come in the order of a walk through the
 * tree, so their runs are looked for. Returns how many instructions that are.
 */
static uint64_t give_lines(struct feed *f, struct v9_stack *s, size_t i, size_t nr)
{
	struct v9_stack_level *level = &f->level[nr - 1];
	const struct v9_stack_level function = *level;
	size_t lo = 0, hi = f->runs.used;
	struct v9_bins same;
	uint64_t sum = 0;

	if (!function.func || !function.dso)
		return 0;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (f->run[mid]->node < i)
			lo = mid + 1;
		else
			hi = mid;
	}
	v9_bins_init(&same, sizeof(struct same_line));
	for (; lo < f->runs.used && f->run[lo]->node == i; lo++)
		add_run(f, &same, function.dso, f->run[lo]);
	for (size_t k = 0; k < same.used; k++) {
		const struct same_line *l = v9_bins_get(&same, k);

		level->addr = l->first;
		s->value[V9_W_INSTRUCTIONS] = l->n;
		give_levels(f, s, f->level, nr,
			    v9_stack_lines_put(&f->lines, (uint32_t)l->key[0], level));
		*level = function;
		sum += l->n;
	}
	v9_bins_free(&same);
	return sum;
}

/* Gives the stack of node @i, whose levels are f->level[0 .. nr). @thread: node of the thread */
static void give(struct feed *f, size_t i, size_t nr, size_t thread)
{
	const struct v9_call *c = &f->sum.call[i];
	struct v9_stack s = {
		.kind = &v9_kinds[V9_KIND_ETE], .pid = V9_NO_TASK, .tid = f->sum.call[thread].tid,
		.cpu = V9_NO_TASK,
	};
	uint64_t given = 0;

	if (!c->self && !c->cycles && !c->calls)
		return;
	s.comm = v9_lookup_comm(f->t.lookup, s.tid, f->sum.has_time ? f->sum.last : UINT64_MAX,
				&s.pid);
	if (f->x->sink->takes[V9_KIND_ETE] & V9_SINK_CGROUPS)
		s.cgroup = v9_cgroups_only(&f->x->r.s.cgroups, s.tid);
	if (f->run && nr && c->self)
		given = give_lines(f, &s, i, nr);
	if (c->self == given && !c->cycles && !c->calls)
		return;
	s.value[V9_W_INSTRUCTIONS] = c->self - given;
	s.value[V9_W_CYCLES] = c->cycles;
	s.value[V9_W_CALLS] = c->calls;
	give_levels(f, &s, f->level, nr, 0);
}

/* Gives the stacks of a thread, depth first. Not recursive, because the depth is not limited. */
static void give_thread(struct feed *f, size_t thread)
{
	const struct v9_call *call = f->sum.call;
	size_t nr = 0, room = 0, i = call[thread].child;

	give(f, thread, 0, thread);
	while (i && !f->x->failed) {
		if (nr + V9_INLINED_MOST + 2 > room) {
			room = room ? 2 * room : 256;
			f->level = v9_realloc(f->level, room * sizeof(*f->level));
		}
		level_of(&f->level[nr++], &f->sum.ran[call[i].func]);
		give(f, i, nr, thread);
		if (call[i].child) {
			i = call[i].child;
			continue;
		}
		while (i != thread && !call[i].next) {
			i = call[i].parent;
			nr--;
		}
		if (i == thread)
			break;
		nr--;
		i = call[i].next;
	}
}

static void give_stacks(struct feed *f)
{
	if (f->sum.runs) {
		f->run = (struct v9_ran_run **)v9_bins_sorted(&f->runs, 3);
		v9_stack_lines_init(&f->lines, &f->x->r);
	}
	for (size_t i = f->sum.call[0].child; i; i = f->sum.call[i].next)
		give_thread(f, i);
	free(f->level);
	if (f->sum.runs) {
		v9_stack_lines_free(&f->lines);
		free(f->run);
	}
}

/* ---- contexts of calls */

/* Gives each node. Parents have smaller indexes. */
static void give_contexts(struct feed *f)
{
	const struct v9_loss cut = {
		.n = f->sum.cut, .kind = "contexts_cut", .what = "calls with too many callers",
		.meaning = "they are given without callers",
	};
	size_t at = 0;

	f->run = (struct v9_ran_run **)v9_bins_sorted(&f->runs, 3);
	for (size_t i = 1; i < f->sum.nr_call && !f->x->failed; i++) {
		const struct v9_call *call = &f->sum.call[i];
		const struct v9_ran *ran = &f->sum.ran[call->func];
		struct v9_context c = {
			.number = i, .parent = call->parent, .site = call->site, .calls = call->calls,
			.run = (const struct v9_ran_run *const *)f->run + at,
		};

		while (at < f->runs.used && f->run[at]->node == i) {
			at++;
			c.nr_runs++;
		}
		if (ran->func) {
			c.dso = ran->object;
			c.entry = ran->func->start;
		}
		f->x->sink->context(f->x, &c);
	}
	free(f->run);
	if (cut.n && f->x->sink->loss)
		f->x->sink->loss(f->x, &cut);
}

/* ---- reading */

static void take(void *arg, size_t stream, const struct v9_sampled *at,
		 const struct v9_flow_rec *rec)
{
	struct feed *f = arg;

	if (f->other) {
		v9_branches_flow(&f->branches, &f->x->r.s, stream, at, rec);
		return;
	}
	if (rec->kind == V9_FLOW_EVENT)
		f->sum.n.triggers += rec->type & 1;
	if (f->x->failed || !v9_rep_trace_passes(&f->x->r, f->t.lookup, at, rec))
		return;
	v9_flow_sum_add(&f->sum, at, rec);
	mark(f, at, rec);
	if (f->x->sink->takes[V9_KIND_ETE] & V9_SINK_FLOW)
		f->x->sink->flow(f->x, at, rec);
	if (f->x->sink->takes[V9_KIND_ETE] & V9_SINK_BRANCHES)
		v9_branches_flow(&f->branches, &f->x->r.s, stream, at, rec);
}

static void take_hits(void *arg, size_t stream, const struct v9_sampled *at,
		      const struct v9_flow_batch *batch)
{
	struct feed *f = arg;
	const bool apart = f->x->sink->takes[V9_KIND_ETE] & V9_SINK_FLOW ||
			   f->x->r.o.filter.used & V9_FILTER_OF_TRACE;
	struct v9_flow_rec rec;

	if (apart) {
		for (size_t i = 0; i < batch->n; i++) {
			v9_flow_expand(batch, &batch->hits[i], &rec);
			take(arg, stream, at, &rec);
		}
	} else if (f->other) {
		v9_branches_hits(&f->branches, &f->x->r.s, stream, at, batch);
	} else if (!f->x->failed && v9_filter_task(&f->x->r.o.filter, at)) {
		v9_flow_sum_hits(&f->sum, at, batch);
		if (f->x->sink->takes[V9_KIND_ETE] & V9_SINK_BRANCHES)
			v9_branches_hits(&f->branches, &f->x->r.s, stream, at, batch);
	}
}

/* ---- a part of a capture: of its sums, branches and calls go over a border */

static void enter_part(void *arg, size_t stream)
{
	v9_branches_enter(&((struct feed *)arg)->branches, stream);
}

static void leave_part(void *arg, size_t stream)
{
	v9_branches_leave(&((struct feed *)arg)->branches, stream);
}

static bool left_part(void *arg, size_t stream)
{
	return v9_branches_left(&((struct feed *)arg)->branches, stream);
}

static void own_part(void *arg, bool own)
{
	((struct feed *)arg)->other = !own;
}

static void place_part(void *arg, uint64_t time, size_t stream, uint64_t offset)
{
	((struct feed *)arg)->sum.place = (struct v9_flow_place){ time, stream, offset };
}

/*
 * Has a thread done nothing else between two places? So much is sure if no other place is between these,
 * or if the buffer has one thread alone.
 */
static bool stays(void *arg, uint32_t tid, const struct v9_flow_place *from, const struct v9_flow_place *to)
{
	const struct feed *f = arg;
	const struct v9_queue *q = f->t.streams[to->stream].q;

	if (from->stream != to->stream)
		return false;
	return (q->cpu == V9_NO_TASK && q->tid == tid) || from->time == to->time ||
	       (!f->ordered && from->time + 1 == to->time);
}

static void give_pieces(struct feed *f)
{
	struct v9_stack_level *level = v9_alloc(f->sum.nr_ran * sizeof(*level));
	struct v9_loss l = {
		.kind = "calls_cut", .what = "places from which on callers are lost",
		.meaning = "the part has too many calls that depend on the parts before",
	};

	for (size_t i = 1; i < f->sum.nr_ran; i++)
		level_of(&level[i], &f->sum.ran[i]);
	for (size_t i = 0; i < f->sum.nr_pieces; i++)
		l.n += f->sum.piece[i].calls.cut;
	f->x->sink->pieces(f->x, f->sum.piece, f->sum.nr_pieces, level, f->sum.nr_ran);
	if (l.n && f->x->sink->loss)
		f->x->sink->loss(f->x, &l);
	free(level);
}

/* Sets x->failed after an error message if the part does not fit its neighbours. */
static void run_part(struct feed *f, const struct v9_listener *listener)
{
	const struct v9_part_listener l = {
		listener, enter_part, leave_part, left_part, own_part, f,
		f->sum.pieces ? place_part : NULL
	};
	const char *why;

	if (f->x->r.s.part > 1) {
		/* The first part counts what is not in any AUX record. */
		memset(f->t.unread, 0, sizeof(f->t.unread));
		f->t.missing = 0;
	}
	why = v9_trace_run_part(&f->t, &l);
	if (why)
		v9_error("%s %s: it cannot be divided into %u parts", f->x->r.o.path, why,
			 f->x->r.s.parts);
	f->x->failed |= why != NULL;
}

/* What was executed but not followed is a loss, by the reason. */
static void lose_unfollowed(struct feed *f)
{
	for (unsigned int why = 0; why < V9_FLOW_WHYS; why++) {
		const struct v9_loss l = {
			.kind = "unfollowed_branches", .n = f->t.sums.counts.unfollowed[why],
			.what = "branches not followed", .meaning = v9_flow_why[why],
		};

		if (l.n && f->x->sink->loss)
			f->x->sink->loss(f->x, &l);
	}
}

static void lose_cut_marks(struct feed *f)
{
	const struct v9_loss l = {
		.kind = "marks_cut", .n = f->t.sums.counts.marks_cut,
		.what = "numbers of marks that are cut",
		.meaning = "an exception or a gap came between their branches",
	};

	if (l.n && f->x->sink->loss)
		f->x->sink->loss(f->x, &l);
}

bool v9_feed_trace(struct v9_export *x)
{
	const unsigned int takes = x->sink->takes[V9_KIND_ETE];
	const bool calls = takes & (V9_SINK_STACKS | V9_SINK_CALLS | V9_SINK_CONTEXTS);
	struct feed f = { .x = x, .stamps = v9_session_has_times(&x->r.s) };
	/* Calls of a thread that moved between CPUs depend on its order. */
	const struct v9_listener listener = { take, take_hits, &f, calls };
	const struct v9_call_hook hook = { .enter = enter, .leave = leave, .arg = &f };
	struct v9_lookup lookup;
	uint64_t bytes;
	bool any;

	if (calls && x->r.o.filter.used & V9_FILTER_OF_TRACE) {
		v9_error("--to %s of a trace of instructions: stacks need all that a thread "
			 "executes: not with --el, --dso, --symbol or options of SPE", x->sink->name);
		x->r.refused = x->failed = true;
		return false;
	}
	v9_lookup_init(&lookup, &x->r.s);
	v9_place_cache_init(&x->places, &lookup, V9_PLACES_ORDER);
	v9_trace_init(&f.t, &x->r.s, &lookup);
	v9_trace_plan(&f.t);
	v9_flow_sum_init(&f.sum, &lookup, calls);
	f.sum.by_site = takes & V9_SINK_CONTEXTS;
	f.sum.by_thread = !f.sum.by_site;
	f.sum.counts_cycles = v9_session_counts_cycles(&x->r.s);
	if (takes & V9_SINK_CALLS)
		f.sum.hook = &hook;
	v9_bins_init(&f.runs, sizeof(struct v9_ran_run));
	if (takes & (V9_SINK_LINES | V9_SINK_CONTEXTS))
		f.sum.runs = &f.runs;
	v9_branches_init(&f.branches);
	f.ordered = v9_trace_has_order(&f.t);
	f.sum.pieces = takes & V9_SINK_STACKS && x->r.s.parts > 1;
	f.sum.stays = stays;
	f.sum.stays_arg = &f;
	/* Sums by stack do not need the session: another thread can add them up. */
	f.t.apart = takes & V9_SINK_STACKS && !(takes & (V9_SINK_CALLS | V9_SINK_FLOW | V9_SINK_BRANCHES)) &&
		    x->r.o.threads > 1;
	if (x->r.s.parts > 1)
		run_part(&f, &listener);
	else
		v9_trace_run(&f.t, &listener, NULL);
	v9_flow_sum_end(&f.sum);
	v9_flow_sum_finish(&f.sum);
	leave_rest(&f);
	if (f.sum.has_time)
		v9_export_time(x, f.sum.first, f.sum.last);
	if (f.sum.pieces && !x->failed)
		give_pieces(&f);
	else if (takes & V9_SINK_STACKS)
		give_stacks(&f);
	if (takes & V9_SINK_BRANCHES)
		v9_branches_give(&f.branches, V9_KIND_ETE, x);
	if (takes & V9_SINK_CONTEXTS)
		give_contexts(&f);
	v9_branches_free(&f.branches);
	v9_bins_free(&f.runs);
	bytes = v9_trace_bytes(&f.t);
	if (bytes != x->r.s.aux[V9_KIND_ETE].bytes && x->r.s.parts < 2)
		v9_warn("%" PRIu64 " AUX bytes of %" PRIu64 " are not accounted for: please report "
			"it", x->r.s.aux[V9_KIND_ETE].bytes - bytes, x->r.s.aux[V9_KIND_ETE].bytes);
	v9_rep_trace_losses(&x->r, &f.t, &f.sum);
	lose_unfollowed(&f);
	lose_cut_marks(&f);
	v9_rep_codeless(&x->r, &f.t);
	any = f.t.sums.acc.packets;
	x->r.selected |= f.sum.n.insns || f.sum.n.ranges || f.sum.n.unplaced_insns;
	for (size_t i = 0; i < f.nr_threads; i++)
		free(f.threads[i].open);
	free(f.threads);
	v9_flow_sum_free(&f.sum);
	v9_trace_free(&f.t);
	v9_lookup_free(&lookup);
	v9_place_cache_free(&x->places);
	return any;
}
