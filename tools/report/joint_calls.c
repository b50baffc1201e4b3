// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "joint_calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "call_path.h"

#define ROWS		5	/* of a call, for people */
#define OTHER		0	/* a call that is not among the longest */
#define NO_CALL		UINT64_MAX
#define NO_SOURCE	UINT64_MAX

/* Samples in a call by function and data source */
struct row {
	union {
		struct {
			uint64_t call;		/* from 1: index of v9_durations.longest + 1; or OTHER */
			uint64_t func;		/* index of .ran of the joint reader */
			uint64_t source;	/* with its encoding in bits 16 and up, or NO_SOURCE */
		};
		uint64_t key[3];
	};
	uint64_t n, latency, most;	/* samples; sum of their total latencies, and the greatest */
};

/* ---- the first pass */

static void take(void *arg, size_t stream, const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	struct v9_joint_calls *c = arg;

	(void)stream;
	if (!v9_filter_task(&c->r->o.filter, at))
		return;
	v9_flow_sum_add(&c->sum, at, rec);
	if (rec->kind != V9_FLOW_RANGE)
		v9_calls_of_take(&c->of, &c->sum, at, rec);
}

void v9_joint_calls_find(struct v9_joint_calls *c, struct v9_report *r)
{
	const struct v9_listener listener = { .take = take, .arg = c, .by_time = true };

	memset(c, 0, sizeof(*c));
	c->r = r;
	v9_lookup_init(&c->lookup, &r->s);
	v9_trace_init(&c->t, &r->s, &c->lookup);
	v9_trace_plan(&c->t);
	v9_flow_sum_init(&c->sum, &c->lookup, true);
	c->sum.counts_cycles = v9_session_counts_cycles(&r->s);
	v9_calls_of_init(&c->of, r, &c->sum);
	/* A request waits, too: cycles do not show that. */
	c->of.d.order = V9_BY_NS;
	v9_bins_init(&c->rows, sizeof(struct row));
	v9_trace_run(&c->t, &listener, NULL);
	v9_flow_sum_end(&c->sum);
	v9_flow_sum_finish(&c->sum);
}

void v9_joint_calls_free(struct v9_joint_calls *c)
{
	v9_bins_free(&c->rows);
	v9_calls_of_free(&c->of);
	v9_flow_sum_free(&c->sum);
	v9_trace_free(&c->t);
	v9_lookup_free(&c->lookup);
}

/* ---- samples */

static bool below(const struct v9_joint_calls *c, const struct v9_joint_read *in, size_t node)
{
	for (; node; node = in->sum.call[node].parent) {
		const struct v9_func *func = in->sum.ran[in->sum.call[node].func].func;

		if (func && v9_func_is(func, c->r->calls_of))
			return true;
	}
	return false;
}

/*
 * Returns the call that a block is in: one of the longest, OTHER or NO_CALL. It is in a call if its first
 * instruction is, because it does not reach beyond a function.
 */
static uint64_t call_of(struct v9_joint_calls *c, const struct v9_joint_read *in, const struct v9_joint_block *b)
{
	size_t found = 0;

	if (!c->thread || c->tid != b->tid)
		c->thread = v9_flow_sum_find(&c->sum, b->tid);
	if (c->path != b->path)
		c->below = below(c, in, b->path);
	c->tid = b->tid;
	c->path = b->path;
	if (c->thread)
		found = v9_durations_long_at(&c->of.d, v9_flow_sum_thread(&c->sum, c->thread), b->position);
	return found ? found : c->below ? OTHER : NO_CALL;
}

void v9_joint_calls_take(struct v9_joint_calls *c, const struct v9_joint_read *in,
			 const struct v9_joint_window *w, const struct v9_joint_record *x,
			 const struct v9_joint_sample *s, const struct v9_joint_place *p)
{
	const struct v9_spe_rec *rec = &x->rec;
	const bool sourced = rec->has & V9_SPE_REC_SOURCE;
	const uint64_t latency = rec->lat[V9_SPE_LAT_TOTAL];
	struct row *row;
	uint64_t call;

	if (!p->n || p->gaps || !v9_joint_clocks_known(in))
		return;
	call = call_of(c, in, &w->block[p->first]);
	for (size_t i = p->first + 1; i <= p->last && call != NO_CALL; i++)
		if (v9_joint_candidate(w->block, i, s, p) && call_of(c, in, &w->block[i]) != call)
			call = NO_CALL;
	if (call == NO_CALL)
		return;
	row = v9_bins_at(&c->rows, (const uint64_t[]){
		call, in->sum.call[w->block[p->first].path].func,
		sourced ? (uint64_t)x->at.sources << 16 | rec->source : NO_SOURCE }, 3);
	row->n++;
	row->latency += latency;
	row->most = latency > row->most ? latency : row->most;
}

/* ---- tables */

static void put_source(struct v9_report *r, struct v9_table *t, uint64_t source)
{
	const char *name = source == NO_SOURCE ? NULL : v9_spe_source((unsigned int)(source >> 16),
								      (uint16_t)source);

	v9_put_text(t, source == NO_SOURCE || name ? name : v9_rep_keep(r, "0x%" PRIx64, source & 0xffff));
}

static void put_function(struct v9_report *r, struct v9_table *t, const struct v9_joint_read *in, uint64_t func)
{
	const struct v9_ran *ran = &in->sum.ran[func];

	v9_put_text(t, v9_rep_object(r, ran->dso));
	v9_put_text(t, ran->func ? ran->func->name : "[unknown]");
}

static int by_call(const void *a, const void *b, const void *arg)
{
	const struct row *x = a, *y = b;
	const int r = V9_ORDER(x->call, y->call);

	(void)arg;
	return r ? r : V9_ORDER(y->latency, x->latency);
}

static bool is_long(const void *bin)
{
	return ((const struct row *)bin)->call != OTHER;
}

static void print_inside(struct v9_joint_calls *c, const struct v9_joint_read *in)
{
	static const struct v9_col cols[] = {
		{ "call", "call", V9_COUNT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "latency_total", "latency", V9_MEAN, false },
		{ "latency_most", "max", V9_COUNT, V9_DROP(2) },
		{ "source", "source", V9_TEXT, false },
		{ "dso", "object", V9_TEXT, V9_CUT | V9_DROP(1) },
		{ "symbol", "symbol", V9_TEXT, true },
	};
	struct v9_table t = { .name = "joint_call_samples", .title = "Samples inside the longest calls",
			      .of = "all that can only be in that call; latencies in cycles; most latency first",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols), .empty = "none" };
	const bool people = c->r->out.format->for_people;
	size_t n, of_call = 0, hidden = 0;
	struct row **row = (struct row **)v9_bins_top(&c->rows, 0, is_long, by_call, NULL, &n);

	for (size_t i = 0; i < n; i++) {
		of_call = i && row[i]->call == row[i - 1]->call ? of_call + 1 : 1;
		if (people && of_call > ROWS) {
			hidden++;
			continue;
		}
		v9_table_row(&t);
		v9_put_count(&t, row[i]->call);
		v9_put_count(&t, row[i]->n);
		v9_put_real(&t, (double)row[i]->latency / (double)row[i]->n);
		v9_put_count(&t, row[i]->most);
		put_source(c->r, &t, row[i]->source);
		put_function(c->r, &t, in, row[i]->func);
	}
	if (hidden)
		t.note = v9_rep_keep(c->r, "and %zu more with less latency (--json shows all)", hidden);
	free(row);
	v9_rep_table(c->r, &t);
}

/* Sums of the longest calls beside those of the others, by function and data source */
struct beside {
	union {
		struct {
			uint64_t func, source;
		};
		uint64_t key[2];
	};
	uint64_t n[2], latency[2];	/* [0]: in the longest calls */
};

/* How much more latency a long call has than another one, in sampled cycles; @arg: calls of both kinds */
static double extra(const struct beside *b, const double *calls)
{
	return (double)b->latency[0] / calls[0] - (double)b->latency[1] / calls[1];
}

static int by_extra(const void *a, const void *b, const void *arg)
{
	return V9_ORDER(extra(b, arg), extra(a, arg));
}

static void print_beside(struct v9_joint_calls *c, const struct v9_joint_read *in)
{
	static const struct v9_col cols[] = {
		{ "longest_per_1000_calls", "per 1000 long calls", V9_MEAN, false },
		{ "longest_latency_total", "latency", V9_MEAN, false },
		{ "other_per_1000_calls", "per 1000 others", V9_MEAN, false },
		{ "other_latency_total", "latency", V9_MEAN, false },
		{ "source", "source", V9_TEXT, false },
		{ "dso", "object", V9_TEXT, V9_CUT | V9_DROP(1) },
		{ "symbol", "symbol", V9_TEXT, true },
	};
	struct v9_table t = { .name = "joint_calls_beside", .title = "The longest calls beside the others",
			      .of = "samples, and their mean latency in cycles; the greatest difference of "
				    "latency by call first",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	const struct v9_durations *d = &c->of.d;
	/* There are samples of calls without a length, too. */
	const uint64_t all = d->hist[V9_BY_INSNS].n + d->left + d->lost + d->open + d->before;
	const uint64_t longest = d->nr_longest;
	const double calls[] = { (double)longest, (double)(all - longest) };
	struct v9_bins bins;
	struct beside **row;
	size_t n;

	if (all == longest)
		return;
	v9_bins_init(&bins, sizeof(struct beside));
	for (size_t i = 0; i < c->rows.used; i++) {
		const struct row *from = v9_bins_get(&c->rows, i);
		struct beside *to = v9_bins_at(&bins, &from->key[1], 2);

		to->n[from->call == OTHER] += from->n;
		to->latency[from->call == OTHER] += from->latency;
	}
	row = (struct beside **)v9_bins_top(&bins, 0, NULL, by_extra, calls, &n);
	for (size_t i = 0; i < n && (!c->r->limit || i < c->r->limit); i++) {
		v9_table_row(&t);
		for (unsigned int k = 0; k < 2; k++) {
			v9_put_real(&t, 1000 * (double)row[i]->n[k] / calls[k]);
			if (row[i]->n[k])
				v9_put_real(&t, (double)row[i]->latency[k] / (double)row[i]->n[k]);
			else
				v9_put_unknown(&t);
		}
		put_source(c->r, &t, row[i]->source);
		put_function(c->r, &t, in, row[i]->func);
	}
	if (c->r->limit)
		v9_rep_more(c->r, &t, n, c->r->limit);
	free(row);
	v9_bins_free(&bins);
	v9_rep_table(c->r, &t);
}

void v9_joint_calls_print(struct v9_joint_calls *c, const struct v9_joint_read *in)
{
	v9_calls_of_print(&c->of, c->r, &c->sum);
	print_inside(c, in);
	print_beside(c, in);
}
