// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of an ETE trace: losses, then what was executed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../capture/workers.h"
#include "../lib/ete_text.h"
#include "../util.h"
#include "calls_of.h"
#include "flow_sum.h"
#include "phases.h"
#include "report.h"
#include "wait_tables.h"

#define TREE_LEAST	0.5	/* percent: paths below it are not printed */

struct trace_report {
	struct v9_report *r;
	struct v9_trace t;
	struct v9_flow_sum sum;
	struct v9_calls_of of;		/* --calls-of */
	struct v9_wait_paths paths;	/* --waits */
};

bool v9_rep_trace_passes(const struct v9_report *r, struct v9_lookup *lookup,
			 const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	const struct v9_record_filter *f = &r->o.filter;
	struct v9_place p = { .dso_name = NULL };

	if (f->used & V9_FILTER_SPE || !v9_filter_task(f, at))
		return false;
	if (f->used & V9_FILTER_PLACES && (rec->kind == V9_FLOW_RANGE || rec->addressed))
		v9_lookup_place(lookup, at->pid, v9_sampled_time(at), rec->start, &p);
	return v9_filter_place(f, rec->ctx.el, &p);
}

/* Each instruction counts for its line. In T32 code all count for the first one's. */
static void add_by_line(struct trace_report *tr, const struct v9_sampled *at,
			const struct v9_flow_rec *rec, const struct v9_place *p)
{
	const uint64_t size = rec->isa == V9_ISA_T32 ? 0 : 4;
	struct v9_groups *g = &tr->r->groups;
	struct v9_place here = *p;
	uint64_t same = 0;

	for (uint32_t i = 0; i < rec->insns; i++) {
		const struct v9_group_line *line = v9_groups_line(g, &here), *next = NULL;

		here.offset += size;
		same++;
		if (i + 1 < rec->insns)
			next = v9_groups_line(g, &here);
		if (next && next->file == line->file && next->line == line->line &&
		    next->inlined == line->inlined)
			continue;
		v9_groups_add(g, &tr->r->s, at, rec->ctx.el, p, line, NULL, same);
		same = 0;
	}
}

/* A range is one of the function at its begin. */
static void add_to_group(struct trace_report *tr, const struct v9_sampled *at,
			 const struct v9_flow_rec *rec)
{
	struct v9_place p = { .dso_name = NULL };

	if (tr->r->groups.places)
		v9_lookup_place(tr->t.lookup, at->pid, v9_sampled_time(at), rec->start, &p);
	if (tr->r->groups.by_line && p.dso) {
		add_by_line(tr, at, rec, &p);
		return;
	}
	v9_groups_add(&tr->r->groups, &tr->r->s, at, rec->ctx.el, &p, NULL, NULL, rec->insns);
}

/* A timestamp in an overwritten buffer, of which each chunk is a snapshot */
static void add_time(struct trace_report *tr, size_t stream, const struct v9_sampled *at,
		     const struct v9_flow_rec *rec)
{
	const struct v9_queue *q = v9_trace_queue(&tr->t, stream);
	const size_t n = v9_first_entries(i, q->nr_chunks, q->chunks[i].offset <= rec->offset);

	if (n)
		v9_flow_sum_times(&tr->sum, &(struct v9_chunk_times){ stream, n - 1, at->time, at->time });
}

static void take(void *arg, size_t stream, const struct v9_sampled *at,
		 const struct v9_flow_rec *rec)
{
	struct trace_report *tr = arg;

	if (rec->kind == V9_FLOW_EVENT)
		tr->sum.n.triggers += rec->type & 1;
	if (rec->kind == V9_FLOW_TIME && rec->value && at->stamped && tr->r->s.aux[V9_KIND_ETE].overwrite)
		add_time(tr, stream, at, rec);
	if (!v9_rep_trace_passes(tr->r, tr->t.lookup, at, rec))
		return;
	if (tr->r->waits)
		v9_wait_paths_runs(&tr->paths, &tr->sum, at);
	v9_flow_sum_add(&tr->sum, at, rec);
	if (tr->r->waits && rec->kind != V9_FLOW_RANGE)
		v9_wait_paths_take(&tr->paths, &tr->sum, at, rec);
	if (tr->r->calls_of && rec->kind != V9_FLOW_RANGE)
		v9_calls_of_take(&tr->of, &tr->sum, at, rec);
	if (tr->r->groups.nr && rec->kind == V9_FLOW_RANGE)
		add_to_group(tr, at, rec);
}

static void take_hits(void *arg, size_t stream, const struct v9_sampled *at,
		      const struct v9_flow_batch *batch)
{
	struct trace_report *tr = arg;

	(void)stream;
	if (tr->r->o.filter.used & V9_FILTER_OF_TRACE || tr->r->groups.nr) {
		struct v9_flow_rec rec;

		for (size_t i = 0; i < batch->n; i++) {
			v9_flow_expand(batch, &batch->hits[i], &rec);
			take(arg, stream, at, &rec);
		}
	} else if (v9_filter_task(&tr->r->o.filter, at)) {
		if (tr->r->waits)
			v9_wait_paths_runs(&tr->paths, &tr->sum, at);
		v9_flow_sum_hits(&tr->sum, at, batch);
	}
}

/* Gaps in the flow, in the order from the trace unit to the decoder. */
static const struct { enum v9_flow_why why; const char *kind, *meaning; } gaps[] = {
	{ V9_FLOW_OVERFLOW, "gap_overflow", "the trace unit lost trace: its buffer overflowed" },
	{ V9_FLOW_DISCARD, "gap_discard", "what was in flight when tracing stopped is not known" },
	{ V9_FLOW_LOSS, "gap_loss", "bytes of trace are missing or damaged" },
	{ V9_FLOW_NO_CODE, "gap_no_code", "the program there is not known (see below)" },
	{ V9_FLOW_NO_ADDRESS, "gap_no_address", "the trace does not say where execution went on" },
	{ V9_FLOW_NO_COUNT, "gap_no_count", "the trace does not say how much was executed" },
	{ V9_FLOW_ASTRAY, "gap_astray", "trace and program contradict each other: other files ran" },
};

void v9_rep_trace_losses(struct v9_report *r, const struct v9_trace *trace,
			 const struct v9_flow_sum *sum)
{
	static const char *const skips[V9_ETE_SKIPS] = {
		[V9_ETE_SKIP_START] = "skipped_start",
		[V9_ETE_SKIP_RESERVED] = "skipped_reserved",
		[V9_ETE_SKIP_PROTOCOL] = "skipped_protocol",
		[V9_ETE_SKIP_NO_INFO] = "skipped_no_info",
		[V9_ETE_SKIP_GAP] = "skipped_gap",
		[V9_ETE_SKIP_CUT] = "skipped_cut",
	};
	static const char *const unread[V9_TRACE_UNREADS] = {
		[V9_TRACE_UNCLAIMED] = "unread_unclaimed",
		[V9_TRACE_FRAMED] = "unread_framed",
		[V9_TRACE_NO_UNIT] = "unread_no_unit",
		[V9_TRACE_STOPPED] = "unread_stopped",
	};
	struct v9_table t = { .name = "lost", .title = "Lost", .shape = V9_LOSSES,
			      .cols = v9_rep_lost, .nr_cols = V9_REP_COLS,
			      .empty = "nothing: no truncation, no overflow, every byte decoded, "
				       "every instruction found" };
	struct v9_aux_sum aux = r->s.aux[V9_KIND_ETE];

	/* A trigger stops the buffer with that flag. */
	if (r->s.trigger)
		aux.truncated -= sum->n.triggers < aux.stopped ? sum->n.triggers : aux.stopped;
	v9_rep_losses(r, &t, &aux,
		      "the buffer was stopped while instructions ran: use a larger one (-m)",
		      "the buffer was full or failed: use a larger one (-m)");
	v9_rep_loss(&t, trace->missing, "aux_absent", "AUX bytes that are not in the file",
		    "AUX records speak of them");
	for (unsigned int i = 0; i < V9_TRACE_UNREADS; i++)
		v9_rep_loss(&t, trace->unread[i], unread[i],
			    v9_rep_keep(r, "AUX bytes %s", v9_trace_unread_why[i]), "not decoded");
	for (unsigned int i = 0; i < V9_ETE_SKIPS; i++)
		v9_rep_loss(&t, trace->sums.acc.skipped[i], skips[i],
			    v9_rep_keep(r, "AUX bytes skipped: %s", v9_ete_skip_why[i]),
			    "decoding went on at the next synchronization");
	for (size_t i = 0; i < V9_ARRAY_SIZE(gaps); i++)
		v9_rep_loss(&t, trace->sums.counts.gaps[gaps[i].why], gaps[i].kind,
			    v9_rep_keep(r, "gaps: %s", v9_flow_why[gaps[i].why]), gaps[i].meaning);
	v9_rep_loss(&t, trace->sums.counts.no_path, "no_path",
		    "Q elements on an unknown path",
		    "the trace says how much was executed, not which way (q_elements)");
	v9_rep_loss(&t, trace->sums.counts.unplaced, "unplaced", "branches without a place",
		    "after a gap, until an address was sent");
	v9_rep_loss(&t, trace->sums.acc.uncommitted, "uncommitted", "branches that may not have happened",
		    "the trace ends before it says");
	v9_rep_loss(&t, trace->sums.counts.impossible, "impossible", "branches that cannot go that way",
		    "trace and program contradict each other: other files ran");
	v9_rep_loss(&t, trace->sums.counts.marks_cut, "marks_cut", "numbers of marks that are cut",
		    "an exception or a gap came between their branches");
	if (v9_rep_wants_tree(r))
		v9_rep_loss(&t, sum->ambiguous, "ambiguous_calls",
			    "jumps to one of several calls of a function",
			    "the call tree takes the innermost: it may be another");
	if (sum->dropped)
		v9_rep_loss(&t, sum->dropped, "deep_calls", "callers of calls that are too deep",
			    v9_rep_keep(r, "the call tree has %d at most: the outer ones are missing", V9_CALLS_DEPTH));
	v9_rep_table(r, &t);
}

/* ---- what could not be followed */

/*
 * Instructions that were executed but not followed are not counted, only their branches. So a share
 * is one of all branches, and what was followed shares the rest by its instructions; those on an
 * unknown path are among them. With a filter nothing is known: the gaps are those of the whole capture.
 */
static uint64_t unfollowed(const struct trace_report *tr)
{
	uint64_t sum = 0;

	for (unsigned int why = 0; why < V9_FLOW_WHYS; why++)
		sum += tr->t.sums.counts.unfollowed[why];
	return sum;
}

/* Returns the share of instructions of all that was executed, in percent. */
static double share_of(const struct trace_report *tr, uint64_t insns)
{
	const uint64_t followed = tr->t.sums.counts.ranges;
	const double share = v9_rep_percent(insns, tr->sum.n.insns + tr->sum.n.unplaced_insns);

	return !tr->r->o.filter.used ? share * v9_rep_percent(followed, followed + unfollowed(tr)) / 100 :
				     share;
}

/* Adds a row for each reason why branches could not be followed. @put adds the other cells. */
static void put_unfollowed(struct trace_report *tr, struct v9_table *t,
			   void (*put)(struct v9_table *t, const char *what, uint64_t branches))
{
	const struct v9_flow_counts *c = &tr->t.sums.counts;

	for (unsigned int why = 0; why < V9_FLOW_WHYS; why++) {
		if (!c->unfollowed[why])
			continue;
		v9_table_row(t);
		if (!tr->r->o.filter.used)
			v9_put_real(t, v9_rep_percent(c->unfollowed[why],
						      c->ranges + unfollowed(tr)));
		else
			v9_put_unknown(t);
		put(t, tr->r->out.format->for_people ?
		    v9_rep_keep(tr->r, "[not followed: %s; %" PRIu64 " branches]",
				v9_flow_why[why], c->unfollowed[why]) :
		    v9_rep_keep(tr->r, "[not followed: %s]", v9_flow_why[why]),
		    c->unfollowed[why]);
	}
}

/* What became of the trigger of a flight recorder */
static void print_trigger(struct trace_report *tr, struct v9_table *t)
{
	const bool people = tr->r->out.format->for_people;
	const struct v9_aux_sum *aux = &tr->r->s.aux[V9_KIND_ETE];
	const char *value = "fired";

	if (!tr->sum.n.triggers)
		value = !aux->stopped ? people ? "did not fire" : "never" :
			people ? "did not fire: the buffer had no room, or failed" : "stopped";
	v9_rep_fact(t, "trigger", "trigger", value);
}

static void print_summary(struct trace_report *tr)
{
	struct v9_table t = { .name = "summary", .title = "Summary", .shape = V9_KEYED,
			      .cols = v9_rep_facts, .nr_cols = V9_REP_COLS };
	const struct v9_ete_account *acc = &tr->t.sums.acc;
	const struct v9_flow_counts *c = &tr->t.sums.counts;
	const struct v9_flow_sum *f = &tr->sum;
	struct v9_report *r = tr->r;
	const uint64_t padding = acc->padding + r->s.aux[V9_KIND_ETE].rounding;
	const uint64_t lost = unfollowed(tr);
	uint64_t exceptions = 0;
	char room[16];

	for (unsigned int i = 0; i < V9_EXCEPTIONS; i++)
		exceptions += f->n.exceptions[i];
	v9_rep_number(r, &t, "instructions", "instructions", f->n.insns, "");
	if (f->n.unplaced_insns)
		v9_rep_number(r, &t, "unplaced_instructions", "  on an unknown path",
			      f->n.unplaced_insns, "");
	if (lost) {
		v9_rep_fact(&t, "unfollowed_branches", "branches not followed",
			    v9_rep_keep(r, "%" PRIu64 ": %.2f%% of all%s", lost,
					v9_rep_percent(lost, c->ranges + lost),
					!r->o.filter.used ? "" : ", in the whole capture"));
		v9_put_count(&t, lost);
	}
	v9_rep_fact(&t, "branches", "branches",
		    v9_rep_keep(r, "%" PRIu64 ": %" PRIu64 " taken, %" PRIu64 " conditional, %" PRIu64
				" taken indirect", f->n.branches, f->n.taken, f->n.conditional,
				f->n.indirect));
	v9_put_count(&t, f->n.branches);
	v9_rep_fact(&t, "calls", "calls", v9_rep_keep(r, "%" PRIu64 " and %" PRIu64 " returns",
						      f->n.calls, f->n.returns));
	v9_put_count(&t, f->n.calls);
	v9_rep_number(r, &t, "exceptions", "exceptions", exceptions, "");
	if (f->n.exception_returns)
		v9_rep_number(r, &t, "exception_returns", "exception returns",
			      f->n.exception_returns, "");
	v9_rep_number(r, &t, "traced_again", "times tracing began", tr->t.sums.counts.gaps[V9_FLOW_FILTER],
		      "");
	/* For the whole capture: with a filter, bytes and instructions would not match. */
	if (tr->t.sums.counts.insns)
		v9_rep_fact(&t, "bits_per_instruction", "bits per instruction",
			    v9_rep_keep(r, "%.3f", 8.0 * (double)acc->packet_bytes /
							 (double)tr->t.sums.counts.insns));
	if (f->n.cycle_counts || f->n.cycles)
		v9_rep_number(r, &t, "cycles", "cycles counted", f->n.cycles, "");
	if (f->n.timestamps)
		v9_rep_number(r, &t, "timestamps", "timestamps", f->n.timestamps, "");
	if (f->n.events)
		v9_rep_number(r, &t, "events", "event packets", f->n.events, "");
	if (r->s.trigger)
		print_trigger(tr, &t);
	if (tr->t.sums.counts.marks)
		v9_rep_number(r, &t, "marks_by_branches", "marks by branches (v9mark.h)",
			      tr->t.sums.counts.marks, "");
	if (f->n.instrumentation)
		v9_rep_number(r, &t, "instrumentation", "values written by software (TRCIT)", f->n.instrumentation, "");
	v9_rep_known(r, &t, "cpus", "cpus", f->nr_cpus);
	v9_rep_known(r, &t, "tasks", "tasks", f->nr_threads);
	if (f->has_time) {
		v9_rep_time(r, &t, "first_ns", "first record", f->first);
		v9_rep_time(r, &t, "covered_ns", "time covered", f->last - f->first);
	}
	v9_rep_number(r, &t, "packets", "packets", acc->packets, "");
	v9_rep_fact(&t, "aux_bytes", "aux data",
		    v9_rep_keep(r, "%s: %" PRIu64 " bytes in packets, %" PRIu64 " padding, %" PRIu64
				" not decoded", v9_bytes(room, r->s.aux[V9_KIND_ETE].bytes), acc->packet_bytes,
				padding, r->s.aux[V9_KIND_ETE].bytes - acc->packet_bytes - padding));
	v9_put_count(&t, r->s.aux[V9_KIND_ETE].bytes);
	v9_rep_table(r, &t);
}

static void print_snapshots(struct trace_report *tr)
{
	static const struct v9_col cols[] = {
		{ "cpu", "cpu", V9_COUNT, false },
		{ "bytes", "bytes", V9_COUNT, false },
		{ "until_ns", "until ns", V9_COUNT, V9_DROP(1) },
		{ "history_ns", "history ns", V9_COUNT, false },
	};
	struct v9_table t = { .name = "snapshots", .title = "Snapshots: how far the trace goes back", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols),
			      .of = "history: from the first to the last timestamp" };

	if (!tr->r->s.aux[V9_KIND_ETE].overwrite)
		return;
	for (size_t i = 0; i < tr->t.nr_streams; i++) {
		const struct v9_queue *q = v9_trace_queue(&tr->t, i);

		for (size_t k = 0; k < q->nr_chunks; k++) {
			const struct v9_chunk_times *c = NULL;

			for (size_t n = 0; n < tr->sum.nr_times && !c; n++)
				if (tr->sum.times[n].stream == i && tr->sum.times[n].chunk == k)
					c = &tr->sum.times[n];
			v9_table_row(&t);
			q->cpu == V9_NO_TASK ? v9_put_unknown(&t) : v9_put_count(&t, q->cpu);
			v9_put_count(&t, q->chunks[k].size);
			c ? v9_put_count(&t, c->last) : v9_put_unknown(&t);
			c ? v9_put_count(&t, c->last - c->first) : v9_put_unknown(&t);
		}
	}
	v9_rep_table(tr->r, &t);
}

static void print_exceptions(struct trace_report *tr)
{
	static const struct v9_col cols[] = {
		{ "count", "count", V9_COUNT, false },
		{ "exception", "exception", V9_TEXT, false },
	};
	struct v9_table t = { .name = "exceptions", .title = "Exceptions",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };

	for (unsigned int i = 0; i < V9_EXCEPTIONS; i++) {
		const char *text = v9_ete_exception_text(i);

		if (!tr->sum.n.exceptions[i])
			continue;
		v9_table_row(&t);
		v9_put_count(&t, tr->sum.n.exceptions[i]);
		v9_put_text(&t, text ? text : v9_rep_keep(tr->r, "type %u", i));
	}
	v9_rep_table(tr->r, &t);
}

/* Phases and moments that the program marked */
static void print_phases(struct trace_report *tr)
{
	static const struct v9_col cols[] = {
		{ "total_ns", "total ns", V9_COUNT, false },
		{ "mean_ns", "mean ns", V9_COUNT, false },
		{ "longest_ns", "longest ns", V9_COUNT, V9_DROP(1) },
		{ "begun", "begun", V9_COUNT, false },
		{ "open", "open", V9_COUNT, V9_DROP(2) },
		{ "points", "points", V9_COUNT, V9_DROP(3) },
		{ "text", "mark", V9_TEXT, true },
	};
	struct v9_table t = { .name = "marks", .title = "Marks of the program: phases and moments",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	size_t n;
	struct v9_phase *p = v9_phases(tr->sum.marks, tr->sum.nr_marks, &n);

	for (size_t i = 0; i < n; i++) {
		v9_table_row(&t);
		if (p[i].timed) {
			v9_put_count(&t, p[i].total);
			v9_put_count(&t, p[i].total / p[i].timed);
			v9_put_count(&t, p[i].longest);
		} else {
			v9_put_unknown(&t);
			v9_put_unknown(&t);
			v9_put_unknown(&t);
		}
		v9_put_count(&t, p[i].begun);
		v9_put_count(&t, p[i].open);
		v9_put_count(&t, p[i].points);
		v9_put_text(&t, p[i].text);
	}
	if (n)
		v9_rep_table(tr->r, &t);
	free(p);
}

static const char *symbol(const struct v9_ran *x)
{
	return x->func ? x->func->name : "[unknown]";
}

static int ran_order(const void *a, const void *b)
{
	const struct v9_ran *x = *(const struct v9_ran *const *)a;
	const struct v9_ran *y = *(const struct v9_ran *const *)b;
	int r;

	if (x->insns != y->insns)
		return x->insns < y->insns ? 1 : -1;
	r = strcmp(symbol(x), symbol(y));
	if (!r)
		r = strcmp(x->dso ? x->dso : "", y->dso ? y->dso : "");
	/* Same name: by address. The order in which they were added is not deterministic. */
	if (!r && x->func && y->func)
		r = (x->func->start > y->func->start) - (x->func->start < y->func->start);
	return r;
}

static int symbol_order(const void *a, const void *b)
{
	const struct v9_ran *x = *(const struct v9_ran *const *)a;
	const struct v9_ran *y = *(const struct v9_ran *const *)b;
	const int r = strcmp(symbol(x), symbol(y));

	return r ? r : ran_order(a, b);
}

static int dso_order(const void *a, const void *b)
{
	const struct v9_ran *x = *(const struct v9_ran *const *)a;
	const struct v9_ran *y = *(const struct v9_ran *const *)b;
	const int r = strcmp(x->dso ? x->dso : "", y->dso ? y->dso : "");

	return r ? r : ran_order(a, b);
}

/* Orders that a trace of instructions has. NULL: it has no such numbers. */
static int (*order_of(const struct v9_report *r))(const void *a, const void *b)
{
	const char *name = v9_sort_name(r->sort);

	if (!r->sorted)
		return ran_order;
	return !strcmp(name, "symbol") ? symbol_order : !strcmp(name, "dso") ? dso_order : NULL;
}

static void put_unfollowed_function(struct v9_table *t, const char *what, uint64_t branches)
{
	v9_put_unknown(t);
	v9_put_unknown(t);
	v9_put_count(t, branches);
	v9_put_unknown(t);
	v9_put_text(t, what);
}

static void print_functions(struct trace_report *tr)
{
	static const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "instructions", "instructions", V9_COUNT, false },
		{ "entries", "entered", V9_COUNT, V9_DROP(1) },
		{ "unfollowed_branches", NULL, V9_COUNT, false },
		{ "dso", "object", V9_TEXT, true },
		{ "symbol", "symbol", V9_TEXT, true },
	};
	struct v9_table t = { .name = "functions",
			      .title = "Hottest functions, by instructions executed",
			      .of = "share of all that was executed",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .empty = "no instruction could be decoded" };
	const struct v9_flow_sum *f = &tr->sum;
	const struct v9_ran **order = v9_alloc(f->nr_ran * sizeof(*order));
	int (*by)(const void *a, const void *b) = order_of(tr->r);
	struct v9_report *r = tr->r;
	size_t n = 0;

	for (size_t i = 1; i < f->nr_ran; i++)
		if (f->ran[i].insns)
			order[n++] = &f->ran[i];
	qsort(order, n, sizeof(*order), by ? by : ran_order);
	put_unfollowed(tr, &t, put_unfollowed_function);
	for (size_t i = 0; i < n && (!r->limit || i < r->limit); i++) {
		v9_table_row(&t);
		v9_put_real(&t, share_of(tr, order[i]->insns));
		v9_put_count(&t, order[i]->insns);
		v9_put_count(&t, order[i]->entries);
		v9_put_unknown(&t);
		v9_put_text(&t, v9_rep_object(r, order[i]->dso));
		v9_put_text(&t, symbol(order[i]));
	}
	if (r->limit)
		v9_rep_more(r, &t, n, r->limit);
	free(order);
	v9_rep_table(r, &t);
}

/* ---- the call tree and its inverse, child with most instructions first */

struct tree {
	struct trace_report *tr;
	struct v9_call *call;
	struct v9_table t;
	uint64_t left;		/* lines that may still be printed */
	uint64_t hidden;
};

/* Merges two sorted lists of children. Of equal ones, those of @a come first. */
static size_t merged(struct v9_call *call, size_t a, size_t b)
{
	size_t first = 0, *end = &first;

	while (a && b) {
		size_t *const list = call[b].total > call[a].total ? &b : &a;

		*end = *list;
		end = &call[*list].next;
		*list = *end;
	}
	*end = a ? a : b;
	return first;
}

/* Sorts the children of a node by .total; equal ones keep their order. */
static void sort_children(struct v9_call *call, size_t node)
{
	size_t run[33] = { 0 };		/* run[k]: a sorted list of 1 << k children */
	size_t sorted = 0, next, k;

	for (size_t i = call[node].child; i; i = next) {
		size_t list = i;

		next = call[i].next;
		call[i].next = 0;
		for (k = 0; run[k]; run[k++] = 0)
			list = merged(call, run[k], list);
		run[k] = list;
	}
	for (k = 0; k < V9_ARRAY_SIZE(run); k++)
		sorted = merged(call, run[k], sorted);
	call[node].child = sorted;
}

static void print_node(struct tree *tree, size_t i, unsigned int depth)
{
	const struct v9_flow_sum *f = &tree->tr->sum;
	const struct v9_call *c = &tree->call[i];
	const struct v9_ran *ran = &f->ran[c->func];
	struct v9_report *r = tree->tr->r;

	/* --limit 0 shows all */
	if (!tree->left || (r->limit && v9_rep_percent(c->total, f->n.insns) < TREE_LEAST)) {
		tree->hidden++;
		return;
	}
	tree->left--;
	v9_table_row(&tree->t);
	v9_put_real(&tree->t, share_of(tree->tr, c->total));
	v9_put_count(&tree->t, c->total);
	v9_put_count(&tree->t, c->self);
	if (f->n.cycles) {
		v9_put_count(&tree->t, c->total_cycles);
		v9_put_count(&tree->t, c->cycles);
	} else {
		v9_put_unknown(&tree->t);
		v9_put_unknown(&tree->t);
	}
	v9_put_count(&tree->t, c->calls);
	v9_put_unknown(&tree->t);
	v9_put_count(&tree->t, depth);
	v9_put_text(&tree->t, v9_rep_object(r, ran->dso));
	v9_put_text(&tree->t, r->out.format->for_people ?
		    v9_rep_keep(r, "%*s%s", (int)(2 * depth), "", symbol(ran)) : symbol(ran));
}

static void put_unfollowed_call(struct v9_table *t, const char *what, uint64_t branches)
{
	for (unsigned int i = 0; i < 5; i++)
		v9_put_unknown(t);
	v9_put_count(t, branches);
	v9_put_count(t, 0);
	v9_put_unknown(t);
	v9_put_text(t, what);
}

/* Prints the tree depth first. Not recursive, because the depth is not limited. */
static void print_tree(struct tree *tree)
{
	struct v9_call *call = tree->call;
	unsigned int depth = 0;
	size_t i;

	put_unfollowed(tree->tr, &tree->t, put_unfollowed_call);
	sort_children(call, 0);
	for (i = call[0].child; i; ) {
		const uint64_t before = tree->left;

		print_node(tree, i, depth);
		if (tree->left != before && call[i].child) {
			sort_children(call, i);
			i = call[i].child;
			depth++;
			continue;
		}
		while (i && !call[i].next) {
			i = call[i].parent;
			depth -= !!i;
		}
		i = i ? call[i].next : 0;
	}
	if (tree->hidden)
		tree->t.note = v9_rep_keep(tree->tr->r, "and %" PRIu64 " paths colder than %.1f%% or "
					   "beyond --limit (--limit 0 shows all)", tree->hidden,
					   TREE_LEAST);
	v9_rep_table(tree->tr->r, &tree->t);
}

/* @inverse: callers below the functions that they call */
static void print_calls(struct trace_report *tr, bool inverse)
{
	const char *cycles = tr->sum.n.cycles ? "cycles" : NULL;
	const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "total", "instructions", V9_COUNT, false },
		{ "self", inverse ? NULL : "self", V9_COUNT, V9_DROP(3) },
		{ "cycles", cycles, V9_COUNT, V9_DROP(4) },
		{ "self_cycles", inverse || !cycles ? NULL : "self", V9_COUNT, V9_DROP(2) },
		{ "calls", "calls", V9_COUNT, V9_DROP(1) },
		{ "unfollowed_branches", NULL, V9_COUNT, false },
		{ "depth", NULL, V9_COUNT, false },
		{ "dso", "object", V9_TEXT, V9_CUT | V9_DROP(5) },
		{ "symbol", inverse ? "function, called by" : "called", V9_TEXT, true },
	};
	struct tree tree = {
		.tr = tr, .call = tr->sum.call,
		.t = { .name = "calls", .title = "Call tree, hottest path first",
		       .of = "share of all that was executed",
		       .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
		       .empty = "no call was traced" },
		.left = tr->r->limit ? tr->r->limit : UINT64_MAX,
	};
	size_t nr;

	if (inverse) {
		tree.t.name = "callers";
		tree.t.title = "Callers, hottest function first, by its own instructions";
		tree.call = v9_call_invert(tr->sum.call, tr->sum.nr_call, &nr);
	}
	print_tree(&tree);
	if (inverse)
		free(tree.call);
}

/* Prints objects whose code was needed to decode the trace but was not found. */
void v9_rep_codeless(struct v9_report *r, const struct v9_trace *trace)
{
	static const struct v9_col cols[] = {
		{ "lookups", "asked for", V9_COUNT, false },
		{ "dso", "object", V9_TEXT, true },
		{ "why", "why", V9_TEXT, true },
	};
	struct v9_table t = { .name = "codeless", .title = "Objects without code",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	const struct v9_syms *s = &r->s.syms;

	if (trace->lookup->code.unmapped) {
		v9_table_row(&t);
		v9_put_count(&t, trace->lookup->code.unmapped);
		v9_put_text(&t, "[unknown]");
		v9_put_text(&t, "no record says what was mapped there");
	}
	for (size_t i = 0; i < s->nr_dsos; i++) {
		const struct v9_dso *d = s->dsos[i];

		if (!d->code.missed)
			continue;
		v9_table_row(&t);
		v9_put_count(&t, d->code.missed);
		v9_put_text(&t, d->name);
		v9_put_text(&t, d->code.why ? d->code.why : "the file is shorter than what was mapped");
	}
	v9_rep_table(r, &t);
}

/* The reason is in the first column of text. */
static void put_unfollowed_group(struct v9_table *t, const char *what, uint64_t branches)
{
	(void)branches;
	for (size_t i = 1; i < t->nr_cols; i++) {
		v9_put_text(t, t->cols[i].type == V9_TEXT ? what : NULL);
		if (t->cols[i].type == V9_TEXT)
			what = NULL;
	}
}

static void put_unfollowed_groups(void *arg, struct v9_table *t)
{
	put_unfollowed(arg, t, put_unfollowed_group);
}

static void print_groups(struct trace_report *tr)
{
	const struct v9_groups_kind kind = {
		.item = "instructions", .share = share_of(tr, tr->sum.n.insns),
		.first = put_unfollowed_groups, .arg = tr,
	};

	v9_groups_print(&tr->r->groups, tr->r, &kind);
}

static void print_all(struct trace_report *tr)
{
	struct v9_report *r = tr->r;

	v9_rep_trace_losses(r, &tr->t, &tr->sum);
	v9_rep_check(r, V9_KIND_ETE, 0);
	if (r->waits) {
		v9_rep_waits(r, &tr->sum);
		v9_rep_codeless(r, &tr->t);
		return;
	}
	print_summary(tr);
	print_snapshots(tr);
	if (r->calls_of) {
		v9_calls_of_print(&tr->of, r, &tr->sum);
		v9_rep_codeless(r, &tr->t);
		return;
	}
	print_exceptions(tr);
	print_phases(tr);
	if (r->groups.nr)
		print_groups(tr);
	else
		print_functions(tr);
	if (r->calls)
		print_calls(tr, false);
	if (r->callers)
		print_calls(tr, true);
	v9_rep_codeless(r, &tr->t);
}

/* ---- several threads, each with a sum of its own */

struct hand {
	struct trace_report tr;
	struct v9_listener listener;
};

static struct v9_listener *create(void *arg)
{
	const struct trace_report *all = arg;
	struct hand *h = v9_alloc(sizeof(*h));

	h->tr.r = all->r;
	h->tr.t.lookup = all->t.lookup;
	h->tr.t.streams = all->t.streams;
	v9_flow_sum_init(&h->tr.sum, all->t.lookup, false);
	h->listener = (struct v9_listener){ take, take_hits, &h->tr, false };
	return &h->listener;
}

static struct hand *hand_of(struct v9_listener *listener)
{
	return (struct hand *)((char *)listener - offsetof(struct hand, listener));
}

static void *result(struct v9_listener *listener)
{
	return v9_flow_sum_part(&hand_of(listener)->tr.sum);
}

static void merge(void *arg, void *result)
{
	v9_flow_sum_join(&((struct trace_report *)arg)->sum, result);
	free(result);
}

static void destroy(struct v9_listener *listener)
{
	struct hand *h = hand_of(listener);

	v9_flow_sum_free(&h->tr.sum);
	free(h);
}

bool v9_report_trace(struct v9_report *r)
{
	struct trace_report tr = { .r = r };
	/* Calls of a thread that moved between CPUs depend on its order. */
	const bool tree = v9_rep_wants_tree(r);
	const struct v9_listener listener = { take, take_hits, &tr, tree };
	const struct v9_workers workers = {
		.threads = r->o.threads, .grain = r->o.grain, .arg = &tr, .create = create,
		.result = result, .merge = merge, .discard = free, .destroy = destroy,
	};
	struct v9_lookup lookup;
	uint64_t bytes;
	bool any;

	if (!order_of(r) && !r->part) {
		v9_error("--sort %s: a trace of instructions has none of it; symbol or dso, or by "
			 "instructions without --sort", v9_sort_name(r->sort));
		r->refused = true;
		return false;
	}
	if (!order_of(r))
		v9_warn("--sort %s: functions of ETE are by instructions", v9_sort_name(r->sort));
	v9_lookup_init(&lookup, &r->s);
	v9_trace_init(&tr.t, &r->s, &lookup);
	v9_trace_plan(&tr.t);
	v9_flow_sum_init(&tr.sum, &lookup, tree);
	tr.sum.counts_cycles = tree && v9_session_counts_cycles(&r->s);
	if (r->calls_of)
		v9_calls_of_init(&tr.of, r, &tr.sum);
	if (r->waits)
		v9_wait_paths_init(&tr.paths, &r->s);
	if (r->more && r->more->hook)
		tr.sum.hook = r->more->hook;
	/* Use one thread for a call tree, and for groups, which have one table. */
	v9_groups_init(&r->groups, &r->s.syms);
	tr.t.apart = tree && r->o.threads > 1 && !r->groups.nr && !r->waits;
	v9_trace_run(&tr.t, &listener, tree || r->groups.nr ? NULL : &workers);
	if (tr.sum.hook)
		v9_flow_sum_end(&tr.sum);
	v9_flow_sum_finish(&tr.sum);
	bytes = v9_trace_bytes(&tr.t);
	if (bytes != r->s.aux[V9_KIND_ETE].bytes)
		v9_warn("%" PRIu64 " AUX bytes of %" PRIu64 " are not accounted for: please report it",
			r->s.aux[V9_KIND_ETE].bytes - bytes, r->s.aux[V9_KIND_ETE].bytes);
	print_all(&tr);
	if (r->more && r->more->calls)
		r->more->calls(r->more->arg, &tr.sum);
	any = tr.t.sums.acc.packets;
	r->selected |= tr.sum.n.insns || tr.sum.n.ranges || tr.sum.n.unplaced_insns;
	if (r->calls_of) {
		r->refused |= !v9_calls_of_any(&tr.of, r);
		any &= !r->refused;
		v9_calls_of_free(&tr.of);
	}
	if (r->waits)
		v9_wait_paths_free(&tr.paths);
	v9_groups_free(&r->groups);
	v9_flow_sum_free(&tr.sum);
	v9_trace_free(&tr.t);
	v9_lookup_free(&lookup);
	return any;
}
