// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "wait_tables.h"

#include <stdlib.h>

#include <v9trace/base.h>

#include "../util.h"
#include "call_path.h"

/* ---- paths */

/* Where a thread left its CPU */
struct v9_wait_stop {
	size_t node;			/* of the call tree; 0: not known */
	size_t next;			/* index of its first wait without a path */
	size_t wake, wakes_end;		/* indices in .by_waker: its first wake-up without a path, the end */
	size_t before;			/* .node of the exception before the last one */
	size_t entries;			/* exceptions since the last time in its trace */
	bool inside;			/* nothing was traced since the last exception */
};

static int waker_order(const void *a, const void *b, void *arg)
{
	const struct v9_wake *wake = arg, *x = &wake[*(const size_t *)a], *y = &wake[*(const size_t *)b];

	if (x->waker != y->waker)
		return V9_ORDER(x->waker, y->waker);
	return x->time == y->time ? V9_ORDER(x->seq, y->seq) : V9_ORDER(x->time, y->time);
}

/* Sorts the wake-ups by who woke, and finds those of each thread. */
static void find_wakers(struct v9_wait_paths *p)
{
	const struct v9_waits *w = &p->s->waits;

	p->by_waker = v9_alloc((w->nr_wakes + 1) * sizeof(*p->by_waker));
	for (size_t i = 0; i < w->nr_wakes; i++)
		p->by_waker[i] = i;
	qsort_r(p->by_waker, w->nr_wakes, sizeof(*p->by_waker), waker_order, w->wake);
	for (size_t i = 0; i < w->nr_threads; i++) {
		const uint32_t tid = w->thread[i].tid;

		p->stop[i].wake = v9_first_entries(k, w->nr_wakes, w->wake[p->by_waker[k]].waker < tid);
		p->stop[i].wakes_end = v9_first_entries(k, w->nr_wakes,
							w->wake[p->by_waker[k]].waker <= tid);
	}
}

void v9_wait_paths_init(struct v9_wait_paths *p, struct v9_session *s)
{
	p->s = s;
	p->stop = v9_alloc((s->waits.nr_threads + 1) * sizeof(*p->stop));
	p->last = s->waits.nr_threads;
	p->clocked = v9_session_has_times(s);
	find_wakers(p);
}

void v9_wait_paths_free(struct v9_wait_paths *p)
{
	free(p->stop);
	free(p->by_waker);
}

static size_t node_of(const struct v9_flow_sum *f, uint32_t tid)
{
	const struct v9_thread_calls *t = v9_flow_sum_find(f, tid);

	return t && t->calls.any ? t->calls.now.user : 0;
}

/* Returns the index of the thread in the waits; nr_threads: it has none. */
static size_t index_of(struct v9_wait_paths *p, uint32_t tid)
{
	const struct v9_waits *w = &p->s->waits;
	const struct v9_wait_thread *t;

	if (p->last < w->nr_threads && w->thread[p->last].tid == tid)
		return p->last;
	t = v9_waits_thread(w, tid);
	return t ? (size_t)(t - w->thread) : w->nr_threads;
}

void v9_wait_paths_runs(struct v9_wait_paths *p, const struct v9_flow_sum *sum,
			const struct v9_sampled *at)
{
	const size_t i = index_of(p, at->tid);

	/* The thread runs again. Its calls are still those at which it left its CPU. */
	if (i != p->last && i < p->s->waits.nr_threads)
		p->stop[i].node = node_of(sum, at->tid);
	p->last = i;
}

/*
 * Sets the paths of the waits of a thread that ended by @ns, and of the wake-ups that it did: where it
 * left its CPU, or user space, last.
 */
static void reach(struct v9_wait_paths *p, size_t i, uint64_t ns)
{
	const struct v9_wait_thread *t = &p->s->waits.thread[i];
	struct v9_wait_stop *stop = &p->stop[i];
	/* A time right after an exception is before what the kernel does then. */
	const size_t node = stop->inside ? stop->before : stop->node;
	const size_t entries = stop->entries - (stop->inside && stop->entries);

	for (; stop->next < t->nr && p->s->waits.wait[t->first + stop->next].end <= ns; stop->next++)
		p->s->waits.wait[t->first + stop->next].user = node;
	for (; stop->wake < stop->wakes_end; stop->wake++) {
		struct v9_wake *wake = &p->s->waits.wake[p->by_waker[stop->wake]];

		if (wake->time > ns)
			break;
		/* If it entered the kernel several times, it is not known in which it did that. */
		wake->user = entries == 1 ? node : 0;
	}
}

void v9_wait_paths_take(struct v9_wait_paths *p, const struct v9_flow_sum *sum,
			const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	const size_t i = index_of(p, at->tid);
	uint64_t ns;

	if (i == p->s->waits.nr_threads)
		return;
	if (rec->kind == V9_FLOW_EXCEPTION) {
		p->stop[i].before = p->stop[i].node;
		p->stop[i].entries++;
	}
	if (rec->kind == V9_FLOW_EXCEPTION || rec->kind == V9_FLOW_GAP)
		p->stop[i].inside = rec->kind == V9_FLOW_EXCEPTION;
	if (rec->kind == V9_FLOW_EXCEPTION || (rec->kind == V9_FLOW_GAP && rec->why == V9_FLOW_FILTER))
		p->stop[i].node = node_of(sum, at->tid);
	else if (rec->kind == V9_FLOW_GAP || rec->kind == V9_FLOW_UNPLACED)
		p->stop[i].node = 0;
	else if (rec->kind == V9_FLOW_TIME && p->clocked && rec->value &&
		 v9_session_time(p->s, rec->value, &ns)) {
		reach(p, i, ns);
		p->stop[i].entries = p->stop[i].inside;
	}
}

/* ---- sums of what the filter selects */

/* The lengths of the waits of a path, a thread, or of a thread that another one woke */
struct waits_by {
	/* Path: node, runnable, 0; thread: its index, 0, 0; wake-up: index of the thread, waker, its node */
	uint64_t key[3];
	struct v9_hist hist;
	uint64_t asleep, runnable;	/* ns */
};

struct sums {
	struct v9_bins paths, threads, wakers;
	uint64_t total, asleep, pathless, pathless_ns, open, unpaired, unwoken;
};

static bool selects(struct v9_report *r, const struct v9_wait_thread *t, uint64_t time, uint32_t cpu)
{
	struct v9_sampled at = { .time = time, .has_time = true, .cpu = cpu, .pid = t->pid,
				 .tid = t->tid };

	at.comm = v9_session_comm(&r->s, t->tid, time, &at.pid);
	return v9_filter_task(&r->o.filter, &at);
}

static void add(struct waits_by *to, const struct v9_wait *wait, uint64_t woken)
{
	v9_hist_add(&to->hist, wait->end - wait->begin, 1);
	to->asleep += woken - wait->begin;
	to->runnable += wait->end - woken;
}

static void sum_up(struct v9_report *r, struct sums *s)
{
	const struct v9_waits *w = &r->s.waits;

	for (size_t i = 0; i < w->nr_threads; i++) {
		const struct v9_wait_thread *t = &w->thread[i];
		struct waits_by *of = NULL;

		for (size_t k = 0; k < t->nr; k++) {
			const struct v9_wait *wait = &w->wait[t->first + k];
			const struct v9_wake *wake = wait->wake ? &w->wake[wait->wake - 1] : NULL;
			const uint64_t woken = v9_wait_woken(w, wait);

			if (!selects(r, t, wait->begin, wait->cpu))
				continue;
			of = v9_bins_at(&s->threads, (uint64_t[]){ i, 0, 0 }, 3);
			add(of, wait, woken);
			s->total += wait->end - wait->begin;
			s->asleep += woken - wait->begin;
			s->unwoken += w->woken && !wake && !wait->runnable;
			if (wake)
				add(v9_bins_at(&s->wakers, (uint64_t[]){ i, wake->waker, wake->user }, 3),
				    wait, woken);
			if (!wait->user) {
				s->pathless++;
				s->pathless_ns += wait->end - wait->begin;
				continue;
			}
			add(v9_bins_at(&s->paths, (uint64_t[]){ wait->user, wait->runnable, 0 }, 3), wait,
			    woken);
		}
		if (!of && !(t->turns && selects(r, t, r->s.last_time, V9_NO_TASK)))
			continue;
		v9_bins_at(&s->threads, (uint64_t[]){ i, 0, 0 }, 3);
		s->open += t->open;
		s->unpaired += t->unpaired;
	}
}

/* ---- tables */

static int longest_first(const void *a, const void *b, const void *arg)
{
	const struct waits_by *x = a, *y = b;

	(void)arg;
	return (y->hist.sum > x->hist.sum) - (y->hist.sum < x->hist.sum);
}

/* Columns of lengths */
#define LENGTHS \
	{ "waits", "waits", V9_COUNT, false }, \
	{ "total_ns", "total", V9_COUNT, V9_DROP(2) }, \
	{ "p50", "p50", V9_COUNT, false }, \
	{ "p90", "p90", V9_COUNT, V9_DROP(1) }, \
	{ "p99", "p99", V9_COUNT, false }, \
	{ "max", "max", V9_COUNT, false }

static void put_lengths(struct v9_table *t, const struct v9_hist *h)
{
	v9_put_count(t, h->n);
	v9_put_count(t, h->sum);
	v9_rep_percentiles(t, h);
}

static void print_losses(struct v9_report *r, const struct sums *s, bool traced)
{
	struct v9_table t = { .name = "uncounted_waits", .title = "Waits that are not known",
			      .shape = V9_LOSSES, .cols = v9_rep_lost, .nr_cols = V9_REP_COLS };

	v9_rep_loss(&t, r->s.lost.lost_records, "lost_switches", "records lost",
		    "switches may be among them: waits are missing or too long");
	v9_rep_loss(&t, s->unpaired, "unpaired", "switches without their other end",
		    "it was not recorded: that time is in no sum");
	v9_rep_loss(&t, s->open, "open", "threads that did not come back",
		    "they ended, or were still waiting: that wait is in no sum");
	if (r->s.waits.woken)
		v9_rep_loss(&t, s->unwoken, "unwoken", "waits without a wake-up",
			    "it was not recorded: all of such a wait counts as asleep");
	if (traced)
		v9_rep_loss(&t, s->pathless, "pathless", "waits without a path",
			    "the thread was not traced then, or trace was lost");
	v9_rep_table(r, &t);
}

static void print_threads(struct v9_report *r, const struct sums *s, bool traced)
{
	static const struct v9_col cols[] = {
		{ "on_cpu_percent", "on CPU", V9_PERCENT, false },
		{ "runnable_percent", "runnable", V9_PERCENT, false },
		{ "asleep_percent", "asleep", V9_PERCENT, false },
		{ "on_cpu_ns", NULL, V9_COUNT, false },
		{ "runnable_ns", NULL, V9_COUNT, false },
		{ "asleep_ns", NULL, V9_COUNT, false },
		LENGTHS,
		{ "tid", "thread", V9_COUNT, false },
		{ "comm", "command", V9_TEXT, true },
	};
	struct v9_table t = { .name = "thread_times", .title = "Threads, longest waits first",
			      .of = "share of the time that switches show of the thread; lengths of waits "
				    "in ns",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .empty = "no thread passed the filter" };
	size_t n;
	void **top = v9_bins_top(&s->threads, r->limit, NULL, longest_first, NULL, &n);

	for (size_t i = 0; i < n; i++) {
		const struct waits_by *of = top[i];
		const struct v9_wait_thread *x = &r->s.waits.thread[of->key[0]];
		const uint64_t all = x->on_cpu + x->runnable + x->asleep;

		v9_table_row(&t);
		v9_rep_share(&t, x->on_cpu, all);
		v9_rep_share(&t, x->runnable, all);
		v9_rep_share(&t, x->asleep, all);
		v9_put_count(&t, x->on_cpu);
		v9_put_count(&t, x->runnable);
		v9_put_count(&t, x->asleep);
		put_lengths(&t, &of->hist);
		v9_put_count(&t, x->tid);
		v9_put_text(&t, v9_session_comm(&r->s, x->tid, UINT64_MAX, NULL));
	}
	v9_rep_more(r, &t, s->threads.used, n);
	if (!t.note && !traced)
		t.note = "paths into waits: only a trace of instructions has them (-e cs_etm//u)";
	v9_rep_table(r, &t);
	free(top);
}

static void print_paths(struct v9_report *r, const struct sums *s, const struct v9_flow_sum *f)
{
	const bool woken = r->s.waits.woken;
	const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		LENGTHS,
		{ "asleep_ns", woken ? "asleep" : NULL, V9_COUNT, V9_DROP(3) },
		{ "runnable_ns", woken ? "runnable" : NULL, V9_COUNT, V9_DROP(3) },
		{ "state", "state", V9_TEXT, false },
		{ "symbol", "in", V9_TEXT, true },
		{ "callers", "called by", V9_TEXT, true },
	};
	struct v9_table t = { .name = "waits", .title = "Waits by path, longest first",
			      .of = "share of the time of all waits; lengths in ns",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .empty = "no wait was found" };
	size_t n;
	void **top = v9_bins_top(&s->paths, r->limit, NULL, longest_first, NULL, &n);

	if (s->pathless) {
		v9_table_row(&t);
		v9_rep_share(&t, s->pathless_ns, s->total);
		v9_put_count(&t, s->pathless);
		v9_put_count(&t, s->pathless_ns);
		for (unsigned int i = 0; i < 7; i++)
			v9_put_text(&t, NULL);
		v9_put_text(&t, "[path not known]");
		v9_put_text(&t, NULL);
	}
	for (size_t i = 0; i < n; i++) {
		const struct waits_by *by = top[i];

		v9_table_row(&t);
		v9_rep_share(&t, by->hist.sum, s->total);
		put_lengths(&t, &by->hist);
		v9_put_count(&t, by->asleep);
		v9_put_count(&t, by->runnable);
		v9_put_text(&t, by->key[1] ? "runnable" : "asleep");
		v9_put_text(&t, v9_call_name(f, by->key[0]));
		v9_put_text(&t, v9_call_path(r, f, by->key[0]));
	}
	v9_rep_more(r, &t, s->paths.used, n);
	v9_rep_table(r, &t);
	free(top);
}

static int longest_asleep(const void *a, const void *b, const void *arg)
{
	const struct waits_by *x = a, *y = b;

	if (x->asleep != y->asleep)
		return V9_ORDER(y->asleep, x->asleep);
	return longest_first(a, b, arg);
}

/* Who ended the sleep of whom, and where */
static void print_wakers(struct v9_report *r, const struct sums *s, const struct v9_flow_sum *f)
{
	const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "wakeups", "wake-ups", V9_COUNT, false },
		{ "asleep_ns", "asleep", V9_COUNT, false },
		{ "runnable_ns", "runnable", V9_COUNT, V9_DROP(1) },
		{ "tid", "thread", V9_COUNT, V9_DROP(2) },
		{ "comm", "command", V9_TEXT, false },
		{ "waker_tid", "waker", V9_COUNT, V9_DROP(2) },
		{ "waker", "woken by", V9_TEXT, !f },
		{ "symbol", f ? "in" : NULL, V9_TEXT, true },
		{ "callers", f ? "called by" : NULL, V9_TEXT, true },
	};
	struct v9_table t = { .name = "wakers", .title = "Wake-ups, longest sleep first",
			      .of = "share of the time asleep of all waits; times in ns",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .empty = "no wake-up was found" };
	size_t n;
	void **top = v9_bins_top(&s->wakers, r->limit, NULL, longest_asleep, NULL, &n);

	for (size_t i = 0; i < n; i++) {
		const struct waits_by *by = top[i];
		const uint32_t tid = r->s.waits.thread[by->key[0]].tid, waker = (uint32_t)by->key[1];

		v9_table_row(&t);
		v9_rep_share(&t, by->asleep, s->asleep);
		v9_put_count(&t, by->hist.n);
		v9_put_count(&t, by->asleep);
		v9_put_count(&t, by->runnable);
		v9_put_count(&t, tid);
		v9_put_text(&t, v9_session_comm(&r->s, tid, UINT64_MAX, NULL));
		if (waker == V9_NO_TASK) {
			v9_put_unknown(&t);
			v9_put_text(&t, "[interrupt]");
		} else {
			v9_put_count(&t, waker);
			v9_put_text(&t, v9_session_comm(&r->s, waker, UINT64_MAX, NULL));
		}
		v9_put_text(&t, by->key[2] ? v9_call_name(f, by->key[2]) : NULL);
		v9_put_text(&t, by->key[2] ? v9_call_path(r, f, by->key[2]) : NULL);
	}
	v9_rep_more(r, &t, s->wakers.used, n);
	v9_rep_table(r, &t);
	free(top);
}

static void free_bins(struct v9_bins *b)
{
	for (size_t i = 0; i < b->used; i++)
		v9_hist_free(&((struct waits_by *)v9_bins_get(b, i))->hist);
	v9_bins_free(b);
}

void v9_rep_waits_alone(struct v9_report *r)
{
	if (v9_session_no_ete(&r->s) && !r->waits_shown)
		v9_rep_waits(r, NULL);
	r->waits_shown = true;
}

void v9_rep_waits(struct v9_report *r, const struct v9_flow_sum *sum)
{
	struct sums s = { .total = 0 };

	v9_bins_init(&s.paths, sizeof(struct waits_by));
	v9_bins_init(&s.threads, sizeof(struct waits_by));
	v9_bins_init(&s.wakers, sizeof(struct waits_by));
	sum_up(r, &s);
	r->selected |= s.threads.used > 0;
	print_losses(r, &s, sum);
	print_threads(r, &s, sum);
	if (sum)
		print_paths(r, &s, sum);
	if (r->s.waits.woken)
		print_wakers(r, &s, sum);
	free_bins(&s.paths);
	free_bins(&s.threads);
	free_bins(&s.wakers);
}
