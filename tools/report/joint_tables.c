// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "joint_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/gen/spe_pkt.h>

#include "../util.h"
#include "call_path.h"
#include "joint_calls.h"
#include "joint_read.h"
#include "kinds.h"

#define LEAST	30	/* samples that an estimate needs */
#define SURE	1.96	/* of a normal distribution: 95 % are within that many deviations */

/* Events of which there are estimates */
static const struct { uint8_t event; const char *name; } events[] = {
	{ V9_SPE_EV_L1D_REFILL, "L1D refill" },
	{ V9_SPE_EV_LLC_MISS, "LLC miss" },
	{ V9_SPE_EV_TLB_WALK, "TLB walk" },
	{ V9_SPE_EV_MISPREDICTED, "mispredicted" },
};

#define EVENTS	V9_ARRAY_SIZE(events)

/* Samples of a function or call path. One with several candidates counts for each by its weight. */
struct sums {
	uint64_t certain;		/* samples that can be nowhere else */
	double n, ambiguous;		/* all, and those that are not certain */
	double with_events, event[EVENTS];
	double lat[V9_SPE_LATENCIES], with_lat[V9_SPE_LATENCIES];
};

struct joint {
	struct v9_joint_read in;
	struct v9_report *r;
	uint64_t class[V9_JOINT_CLASSES];
	uint64_t selected, likely;
	struct sums *node;		/* by index of in.sum.call */
	size_t nr_nodes;
	struct sums all;
	struct v9_bins passes;		/* struct pass: of exact samples */
	struct v9_joint_calls calls;	/* of --calls-of */
	/* how many instructions were executed for each sample; 0: nothing can be estimated */
	double each;
	const char *why;		/* why not, or NULL */
	bool corrected;			/* .each includes what was lost */
};

/* --- reading ---------------------------------------------------------------------- */

/* Samples of a function by the power of two of their pass */
struct pass {
	union {
		struct {
			uint64_t func, bit;	/* index of in.sum.ran */
		};
		uint64_t key[2];
	};
	struct sums s;
};

static void add_to(struct sums *s, const struct v9_spe_rec *rec, double weight, bool certain)
{
	s->n += weight;
	s->certain += certain;
	s->ambiguous += certain ? 0 : weight;
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		if (rec->has & V9_SPE_REC_LAT(i)) {
			s->with_lat[i] += weight;
			s->lat[i] += weight * rec->lat[i];
		}
	if (!(rec->has & V9_SPE_REC_EVENTS))
		return;
	s->with_events += weight;
	for (size_t i = 0; i < EVENTS; i++)
		s->event[i] += rec->events >> events[i].event & 1 ? weight : 0;
}

static struct sums *node_of(struct joint *j, size_t node)
{
	while (j->nr_nodes <= node)
		(void)v9_vec_add(j->node, j->nr_nodes);
	return &j->node[node];
}

/* @b: the execution of an exact sample */
static void add_pass(struct joint *j, const struct v9_joint_block *b, const struct v9_spe_rec *rec)
{
	uint64_t key[2] = { j->in.sum.call[b->path].func, 0 };

	while (b->pass >> key[1] > 1)
		key[1]++;
	if (b->pass)
		add_to(&((struct pass *)v9_bins_at(&j->passes, key, 2))->s, rec, 1, true);
}

static void take(void *arg, const struct v9_joint_window *w, const struct v9_joint_record *x,
		 const struct v9_joint_sample *s, const struct v9_joint_place *p)
{
	struct joint *j = arg;
	const bool certain = p->class == V9_JOINT_EXACT || p->class == V9_JOINT_PATH;
	double weight;

	if (!v9_filter_record(&j->r->o.filter, &j->r->s, NULL, &x->at))
		return;
	j->selected++;
	j->class[p->class]++;
	j->likely += p->likely > 0;
	if (j->r->calls_of)
		v9_joint_calls_take(&j->calls, &j->in, w, x, s, p);
	if (!p->n)
		return;
	if (p->class == V9_JOINT_EXACT)
		add_pass(j, &w->block[p->first], &x->rec);
	if (certain) {
		add_to(node_of(j, w->block[p->first].path), &x->rec, 1, true);
		add_to(&j->all, &x->rec, 1, true);
		return;
	}
	weight = 1 / (double)(p->n + p->gaps);
	for (size_t i = p->first; i <= p->last; i++)
		if (w->block[i].n && v9_joint_candidate(w->block, i, s, p)) {
			add_to(node_of(j, w->block[i].path), &x->rec, weight, false);
			add_to(&j->all, &x->rec, weight, false);
		}
}

/* --- estimates --------------------------------------------------------------------- */

/* Does the SPE event choose its samples by what they are? Then others than the lost ones are missing. */
static bool chooses(const struct v9_session *s)
{
	for (size_t i = 0; i < s->file.nr_attrs; i++) {
		const struct perf_event_attr *a = &s->file.attrs[i].attr;

		if (s->pmu_type[V9_KIND_SPE] && a->type == s->pmu_type[V9_KIND_SPE] &&
		    (a->config >> 32 || a->config1 || a->config2 & 0xfff || a->config3))
			return true;
	}
	return false;
}

/* Returns true if SPE recorded each Exception level that ETE recorded. */
static bool samples_all_levels(const struct v9_session *s)
{
	unsigned int levels[V9_KINDS] = { 0 };

	for (size_t i = 0; i < s->file.nr_attrs; i++) {
		const struct perf_event_attr *a = &s->file.attrs[i].attr;

		for (unsigned int k = 0; k < V9_KINDS; k++)
			if (s->pmu_type[k] && a->type == s->pmu_type[k])
				levels[k] |= (a->exclude_user ? 0 : 1) | (a->exclude_kernel ? 0 : 2);
	}
	return !(levels[V9_KIND_ETE] & ~levels[V9_KIND_SPE]);
}

static void find_each(struct joint *j)
{
	const struct v9_session *s = &j->r->s;

	if (s->interval.population == V9_POPULATION_UNKNOWN)
		j->why = "the capture does not say whether the unit samples instructions or "
			 "micro-operations: record with v9trace record";
	else if (s->interval.population == V9_POPULATION_OPERATIONS)
		j->why = "the unit samples micro-operations, of which ETE counts none";
	else if (!j->all.certain && j->all.n < LEAST)
		j->why = "too few samples are in the trace";
	else if (!chooses(s) && samples_all_levels(s))
		j->corrected = true;
	else if (!s->interval.mean)
		j->why = "the capture does not say the interval, and its samples are chosen, or not of "
			 "each Exception level that was traced";
	if (j->why)
		return;
	j->each = j->corrected ? (double)j->in.sum.n.insns / j->all.n : (double)s->interval.mean;
}

/* The bounds of the mean of a Poisson distribution with @n events (Byar's approximation) */
static double least_mean(double n)
{
	const double root = 1 - 1 / (9 * n) - SURE / (3 * sqrt(n));

	return n > 0 && root > 0 ? n * root * root * root : 0;
}

static double most_mean(double n)
{
	const double m = n + 1, root = 1 - 1 / (9 * m) + SURE / (3 * sqrt(m));

	return m * root * root * root;
}

/* --- tables ------------------------------------------------------------------------- */

static void print_lost(struct joint *j)
{
	struct v9_report *r = j->r;

	r->part = &v9_kinds[V9_KIND_SPE];
	v9_rep_spe_losses(r);
	r->part = &v9_kinds[V9_KIND_ETE];
	v9_rep_trace_losses(r, &j->in.t, &j->in.sum);
	v9_rep_codeless(r, &j->in.t);
	r->part = NULL;
}

static void print_clocks(struct joint *j, struct v9_table *t)
{
	const struct v9_joint_read *in = &j->in;
	struct v9_report *r = j->r;
	const int64_t least = in->clocks.offset_least, most = in->clocks.offset_most;

	v9_rep_fact(t, "clock_samples", "clocks compared by",
		    v9_rep_keep(r, "%zu samples of instructions executed once within %" PRIu64 " us%s",
				in->measured, in->within / 1000,
				in->contradict ? ": they contradict each other" :
				in->measured < V9_JOINT_LEAST ? ": too few" : ""));
	v9_put_count(t, in->measured);
	if (!r->out.format->for_people)
		return;
	v9_rep_fact(t, "clock_offset", "clock of ETE less that of SPE", !v9_joint_clocks_known(in) ?
		    "not known: no sample is exact by its time" :
		    v9_rep_keep(r, "%" PRId64 " ns, +-%" PRId64 " ns", (least + most) / 2, (most - least + 1) / 2));
}

/* For programs: numbers that may be negative */
static void print_offset(struct joint *j)
{
	static const struct v9_col cols[] = {
		{ "offset_least_ns", NULL, V9_MEAN, false },
		{ "offset_most_ns", NULL, V9_MEAN, false },
	};
	struct v9_table t = { .name = "joint_clocks", .title = "Clock of ETE less that of SPE", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols) };

	if (v9_joint_clocks_known(&j->in)) {
		v9_table_row(&t);
		v9_put_real(&t, (double)j->in.clocks.offset_least);
		v9_put_real(&t, (double)j->in.clocks.offset_most);
	}
	v9_rep_table(j->r, &t);
}

static void print_summary(struct joint *j)
{
	struct v9_table t = { .name = "joint_summary", .title = "Samples on the traced path",
			      .shape = V9_KEYED, .cols = v9_rep_facts, .nr_cols = V9_REP_COLS };
	const struct v9_joint_read *in = &j->in;
	struct v9_report *r = j->r;

	v9_rep_number(r, &t, "records", "SPE records", in->records, "");
	if (r->o.filter.used)
		v9_rep_number(r, &t, "selected", "selected", j->selected, "");
	v9_rep_number(r, &t, "instructions", "instructions traced", in->sum.n.insns, "");
	print_clocks(j, &t);
	v9_rep_number(r, &t, "least_mhz", "latencies converted at", in->machine.least_mhz,
		      " MHz or more: --least-mhz");
	if (in->counts)
		v9_rep_number(r, &t, "cycle_counts", "counts of cycles", in->counts, " in the trace");
	if (in->counts)
		v9_rep_number(r, &t, "most_mhz", "cycle counts converted at", in->machine.most_mhz,
			      " MHz or less: --most-mhz");
	v9_rep_number(r, &t, "stamp_error", "error of a timestamp", in->machine.stamp_error,
		      " ns or less beyond that spread: --stamp-error");
	v9_rep_period(r, &t);
	if (j->each > 0) {
		v9_rep_fact(&t, "instructions_per_sample", "instructions for each sample",
			    v9_rep_keep(r, "%.1f%s", j->each, j->corrected ?
					": with what was lost" :
					": the interval; samples are chosen, so losses are not known"));
		v9_put_count(&t, (uint64_t)(j->each + 0.5));
	} else {
		v9_rep_fact(&t, "no_estimate", "no estimate", j->why);
	}
	if (j->likely)
		v9_rep_number(r, &t, "likely", "samples with a likely execution", j->likely,
			      ": by the interval between exact ones (v9trace script --joint)");
	if (in->dropped)
		v9_rep_number(r, &t, "too_long", "parts of the trace that are too large",
			      in->dropped, v9_joint_clocks_known(in) ? ": no timestamp for too long" :
								       ": the clocks are not known");
	if (in->backwards)
		v9_rep_number(r, &t, "backwards", "timestamps that go backwards", in->backwards, "");
	v9_rep_table(r, &t);
}

static void print_classes(struct joint *j)
{
	static const struct { const char *kind, *what, *meaning; } rows[V9_JOINT_CLASSES] = {
		[V9_JOINT_EXACT] = { "exact", "exact", "this execution of the instruction" },
		[V9_JOINT_PATH] = { "path_exact", "path exact", "one of several executions on one call path" },
		[V9_JOINT_AMBIGUOUS] = { "ambiguous", "ambiguous",
					 "one of several call paths, or a gap: each counts by its weight" },
		[V9_JOINT_NOT_EXECUTED] = { "not_executed", "not executed",
					    "the operation was not architecturally executed, or generated an exception" },
		[V9_JOINT_OUTSIDE] = { "outside", "not in the trace", "before its begin, or after its end" },
		[V9_JOINT_IN_GAP] = { "in_gap", "not in the trace",
				      "in a gap: what ran there was not traced, or was lost" },
		[V9_JOINT_NOWHERE] = { "nowhere", "not in the trace",
				       "nothing was lost at its time: clocks, frequency or program differ" },
	};
	static const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "class", NULL, V9_TEXT, false },
		{ "what", "class", V9_TEXT, false },
		{ "meaning", "", V9_TEXT, true },
	};
	struct v9_table t = { .name = "joint_classes", .title = "Where the samples are", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols), .of = "share of all records" };
	const bool people = j->r->out.format->for_people;
	const struct v9_joint_read *in = &j->in;
	const struct { uint64_t n; const char *kind, *meaning; } rest[] = {
		{ in->timeless, "no_time", "no timestamp or latency, or a latency at its limit" },
		{ in->alone, "other_cpu", "of a CPU that has no trace" },
	};
	uint64_t all = j->selected;

	for (size_t i = 0; i < V9_ARRAY_SIZE(rest); i++)
		all += rest[i].n;
	for (unsigned int i = 0; i < V9_JOINT_CLASSES; i++) {
		if (!j->class[i] && people)
			continue;
		v9_table_row(&t);
		v9_rep_share(&t, j->class[i], all);
		v9_put_count(&t, j->class[i]);
		v9_put_text(&t, rows[i].kind);
		v9_put_text(&t, rows[i].what);
		v9_put_text(&t, rows[i].meaning);
	}
	for (size_t i = 0; i < V9_ARRAY_SIZE(rest); i++) {
		if (!rest[i].n && people)
			continue;
		v9_table_row(&t);
		v9_rep_share(&t, rest[i].n, all);
		v9_put_count(&t, rest[i].n);
		v9_put_text(&t, rest[i].kind);
		v9_put_text(&t, "not placed");
		v9_put_text(&t, rest[i].meaning);
	}
	v9_rep_table(j->r, &t);
}

/* A function, or a call path */
struct row {
	const struct joint *j;
	size_t node;			/* a node of it */
	uint64_t calls, insns;
	struct sums s;
};

/* All of them, with most samples first */
struct rows {
	struct row *row;
	size_t nr;
};

static int row_order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	const struct v9_flow_sum *sum = &x->j->in.sum;
	int r = V9_ORDER(y->s.n, x->s.n);

	if (!r)
		r = V9_ORDER(y->insns, x->insns);
	if (!r)
		r = strcmp(v9_call_name(sum, x->node), v9_call_name(sum, y->node));
	return r ? r : V9_ORDER(x->node, y->node);
}

static void add_sums(struct sums *to, const struct sums *from)
{
	to->certain += from->certain;
	to->n += from->n;
	to->ambiguous += from->ambiguous;
	to->with_events += from->with_events;
	for (size_t i = 0; i < EVENTS; i++)
		to->event[i] += from->event[i];
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++) {
		to->lat[i] += from->lat[i];
		to->with_lat[i] += from->with_lat[i];
	}
}

/* Rows by call path or, if @functions, by function. The caller frees them. */
static struct rows rows_of(struct joint *j, bool functions)
{
	const struct v9_flow_sum *sum = &j->in.sum;
	struct row *row = v9_alloc((functions ? sum->nr_ran : sum->nr_call) * sizeof(*row));
	size_t n = 0;

	node_of(j, sum->nr_call - 1);
	for (size_t i = 1; i < sum->nr_call; i++) {
		struct row *at = &row[functions ? sum->call[i].func : i];

		if (!sum->call[i].self && j->node[i].n <= 0)
			continue;
		at->j = j;
		at->node = at->node ? at->node : i;
		at->calls += sum->call[i].calls;
		at->insns += sum->call[i].self;
		add_sums(&at->s, &j->node[i]);
	}
	for (size_t i = 0; i < (functions ? sum->nr_ran : sum->nr_call); i++)
		if (row[i].node)
			row[n++] = row[i];
	qsort(row, n, sizeof(*row), row_order);
	return (struct rows){ row, n };
}

static void put_latencies(struct v9_table *t, const struct sums *s)
{
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		if (s->with_lat[i] > 0)
			v9_put_real(t, s->lat[i] / s->with_lat[i]);
		else
			v9_put_unknown(t);
}

static void put_name(struct joint *j, struct v9_table *t, const struct row *row, bool functions)
{
	const struct v9_flow_sum *sum = &j->in.sum;

	v9_put_text(t, v9_rep_object(j->r, sum->ran[sum->call[row->node].func].dso));
	v9_put_text(t, v9_call_name(sum, row->node));
	v9_put_text(t, functions ? NULL : v9_call_path(j->r, sum, row->node));
}

static void print_rows(struct joint *j, const struct rows *rows, bool functions)
{
	const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "ambiguous", "ambiguous", V9_MEAN, V9_DROP(4) },
		{ "calls", "calls", V9_COUNT, V9_DROP(3) },
		{ "instructions", "instructions", V9_COUNT, V9_DROP(5) },
		{ "latency_total", "latency", V9_MEAN, false },
		{ "latency_issue", "issue", V9_MEAN, V9_DROP(1) },
		{ "latency_translation", "transl.", V9_MEAN, V9_DROP(2) },
		{ "dso", "object", V9_TEXT, V9_CUT | V9_DROP(6) },
		{ "symbol", "symbol", V9_TEXT, true },
		{ "callers", functions ? NULL : "called by", V9_TEXT, true },
	};
	struct v9_table t = {
		.name = functions ? "joint_functions" : "joint_paths",
		.title = functions ? "Functions, by samples" : "Call paths, by samples",
		.of = "samples that can be nowhere else, and the weight of ambiguous ones; calls and "
		      "instructions are exact; mean latencies in cycles",
		.cols = cols, .nr_cols = V9_ARRAY_SIZE(cols), .empty = "no sample is in the trace",
	};
	size_t shown = 0, some = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->row[i];
		const struct sums *s = &row->s;

		if (s->n <= 0)
			continue;
		some++;
		if (j->r->limit && shown == j->r->limit)
			continue;
		shown++;
		v9_table_row(&t);
		v9_put_real(&t, 100 * s->n / j->all.n);
		v9_put_count(&t, s->certain);
		v9_put_real(&t, s->ambiguous);
		v9_put_count(&t, row->calls);
		v9_put_count(&t, row->insns);
		put_latencies(&t, s);
		put_name(j, &t, row, functions);
	}
	v9_rep_more(j->r, &t, some, shown);
	v9_rep_table(j->r, &t);
}

static void put_estimate(struct v9_table *t, double n, double of, bool known)
{
	if (known && of > 0)
		v9_put_real(t, 1000 * n / of);
	else
		v9_put_unknown(t);
}

static int pass_order(const void *a, const void *b)
{
	const struct pass *const *x = a, *const *y = b;

	return V9_ORDER((*x)->bit, (*y)->bit);
}

/*
 * Functions of which exact samples are in several passes, those with most samples first: does a loop begin
 * with misses, or get slower?
 */
static void print_passes(struct joint *j, const struct rows *functions)
{
	static const struct v9_col cols[] = {
		{ "from", "from", V9_COUNT, false },
		{ "to", "to", V9_COUNT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "latency_total", "latency", V9_MEAN, false },
		{ "latency_issue", "issue", V9_MEAN, V9_DROP(2) },
		{ "latency_translation", "transl.", V9_MEAN, V9_DROP(3) },
		{ "l1_miss_percent", "L1D refill", V9_PERCENT, false },
		{ "llc_miss_percent", "LLC miss", V9_PERCENT, V9_DROP(4) },
		{ "walk_percent", "TLB walk", V9_PERCENT, V9_DROP(5) },
		{ "mispredicted_percent", "mispredicted", V9_PERCENT, V9_DROP(6) },
		{ "dso", "object", V9_TEXT, V9_CUT | V9_DROP(1) },
		{ "symbol", "symbol", V9_TEXT, true },
	};
	struct v9_table t = {
		.name = "joint_passes", .title = "Exact samples, by iteration",
		.of = "times that the block was executed since its function was called; mean latencies in "
		      "cycles; events: share of samples",
		.cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
	};
	const struct pass **at = v9_alloc((j->passes.used + 1) * sizeof(*at));
	uint64_t shown = 0, some = 0;

	for (size_t i = 0; i < functions->nr; i++) {
		const struct row *row = &functions->row[i];
		const size_t func = j->in.sum.call[row->node].func;
		size_t n = 0;

		for (size_t k = 0; k < j->passes.used; k++) {
			at[n] = v9_bins_get(&j->passes, k);
			n += at[n]->func == func;
		}
		some += n > 1;
		if (n < 2 || (j->r->limit && shown == j->r->limit))
			continue;
		shown++;
		qsort(at, n, sizeof(*at), pass_order);
		for (size_t k = 0; k < n; k++) {
			const struct sums *s = &at[k]->s;

			v9_table_row(&t);
			v9_put_count(&t, UINT64_C(1) << at[k]->bit);
			v9_put_count(&t, (UINT64_C(2) << at[k]->bit) - 1);
			v9_put_count(&t, s->certain);
			put_latencies(&t, s);
			for (size_t e = 0; e < EVENTS; e++)
				if (s->with_events > 0)
					v9_put_real(&t, 100 * s->event[e] / s->with_events);
				else
					v9_put_unknown(&t);
			v9_put_text(&t, v9_rep_object(j->r, j->in.sum.ran[func].dso));
			v9_put_text(&t, v9_call_name(&j->in.sum, row->node));
		}
	}
	v9_rep_more(j->r, &t, some, shown);
	free(at);
	v9_rep_table(j->r, &t);
}

/* What SPE saw, by what ETE counted */
static void print_estimates(struct joint *j, const struct rows *rows, bool functions)
{
	const struct v9_col cols[] = {
		{ "n", "n", V9_COUNT, false },
		{ "seen", "seen", V9_MEAN, V9_DROP(2) },
		{ "per_1000_calls", "per 1000 calls", V9_MEAN, false },
		{ "per_1000_calls_least", "from", V9_MEAN, V9_DROP(3) },
		{ "per_1000_calls_most", "to", V9_MEAN, V9_DROP(3) },
		{ "per_1000_instructions", "per 1000 instr.", V9_MEAN, V9_DROP(4) },
		{ "per_1000_instructions_least", "from", V9_MEAN, V9_DROP(5) },
		{ "per_1000_instructions_most", "to", V9_MEAN, V9_DROP(5) },
		{ "event", "event", V9_TEXT, false },
		{ "dso", "object", V9_TEXT, V9_CUT | V9_DROP(1) },
		{ "symbol", "symbol", V9_TEXT, true },
		{ "callers", functions ? NULL : "called by", V9_TEXT, true },
	};
	struct v9_table t = {
		.name = functions ? "joint_estimates" : "joint_path_estimates",
		.title = functions ? "Events by execution, estimated" : "The same by call path",
		.of = "n: samples; seen: those with the event; 95 % intervals; empty below 30 samples",
		.cols = cols, .nr_cols = V9_ARRAY_SIZE(cols), .blank = true,
	};
	size_t shown = 0, some = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->row[i];
		const struct sums *s = &row->s;
		const bool known = s->with_events >= LEAST && j->each > 0;
		const double calls = (double)row->calls, insns = (double)row->insns;

		some += s->with_events > 0;
		if (s->with_events <= 0 || (j->r->limit && shown == j->r->limit))
			continue;
		shown++;
		for (size_t k = 0; k < EVENTS; k++) {
			const double n = s->event[k];

			if (n <= 0)
				continue;
			v9_table_row(&t);
			v9_put_count(&t, (uint64_t)s->with_events);
			v9_put_real(&t, n);
			put_estimate(&t, n * j->each, calls, known);
			put_estimate(&t, least_mean(n) * j->each, calls, known);
			put_estimate(&t, most_mean(n) * j->each, calls, known);
			put_estimate(&t, n * j->each, insns, known);
			put_estimate(&t, least_mean(n) * j->each, insns, known);
			put_estimate(&t, most_mean(n) * j->each, insns, known);
			v9_put_text(&t, events[k].name);
			put_name(j, &t, row, functions);
		}
	}
	v9_rep_more(j->r, &t, some, shown);
	v9_rep_table(j->r, &t);
}

/* The bounds of a share of which @n of @all samples are (Wilson's interval) */
static double share_bound(double n, double all, double sign)
{
	const double z2 = SURE * SURE, p = n / all;

	return (p + z2 / (2 * all) + sign * SURE * sqrt((p * (1 - p) + z2 / (4 * all)) / all)) / (1 + z2 / all);
}

/* Shares of samples beside shares of executed instructions, by function */
static void print_sampling(struct joint *j, const struct rows *functions)
{
	const bool comparable = j->r->s.interval.population == V9_POPULATION_INSTRUCTIONS &&
				!chooses(&j->r->s) && samples_all_levels(&j->r->s);
	const struct v9_col cols[] = {
		{ "n", "n", V9_COUNT, false },
		{ "samples_percent", "of samples", V9_PERCENT, false },
		{ "samples_percent_least", "from", V9_PERCENT, V9_DROP(3) },
		{ "samples_percent_most", "to", V9_PERCENT, V9_DROP(3) },
		{ "instructions_percent", "of instructions", V9_PERCENT, false },
		{ "ratio_percent", comparable ? "ratio" : NULL, V9_PERCENT, false },
		{ "ratio_percent_least", comparable ? "from" : NULL, V9_PERCENT, V9_DROP(2) },
		{ "ratio_percent_most", comparable ? "to" : NULL, V9_PERCENT, V9_DROP(2) },
		{ "dso", "object", V9_TEXT, V9_CUT | V9_DROP(1) },
		{ "symbol", "symbol", V9_TEXT, true },
	};
	struct v9_table t = {
		.name = "joint_sampling", .title = "Sampling, beside what was executed",
		.of = comparable ? "shares; ratio 100 %: sampled as often as executed; 95 % intervals; empty below "
				   "30 samples" :
				   "shares; 95 % intervals; empty below 30 samples",
		.cols = cols, .nr_cols = V9_ARRAY_SIZE(cols), .blank = true,
	};
	const double insns = (double)j->in.sum.n.insns;
	size_t shown = 0, some = 0;

	for (size_t i = 0; i < functions->nr; i++) {
		const struct row *row = &functions->row[i];
		const double n = row->s.n, executed = (double)row->insns / insns;
		const double share[] = { n / j->all.n, share_bound(n, j->all.n, -1), share_bound(n, j->all.n, 1) };
		const bool known = n >= LEAST;

		some += n > 0;
		if (n <= 0 || (j->r->limit && shown == j->r->limit))
			continue;
		shown++;
		v9_table_row(&t);
		v9_put_count(&t, (uint64_t)n);
		for (unsigned int k = 0; k < 3; k++)
			known ? v9_put_real(&t, 100 * share[k]) : v9_put_unknown(&t);
		v9_put_real(&t, 100 * executed);
		for (unsigned int k = 0; k < 3; k++)
			known && comparable && row->insns ? v9_put_real(&t, 100 * share[k] / executed) :
							    v9_put_unknown(&t);
		v9_put_text(&t, v9_rep_object(j->r, j->in.sum.ran[j->in.sum.call[row->node].func].dso));
		v9_put_text(&t, v9_call_name(&j->in.sum, row->node));
	}
	v9_rep_more(j->r, &t, some, shown);
	v9_rep_table(j->r, &t);
}

static void print_functions(struct joint *j)
{
	struct rows functions = rows_of(j, true), paths = rows_of(j, false);

	print_rows(j, &functions, true);
	print_rows(j, &paths, false);
	print_passes(j, &functions);
	print_estimates(j, &functions, true);
	print_estimates(j, &paths, false);
	print_sampling(j, &functions);
	free(functions.row);
	free(paths.row);
}

bool v9_report_joint(struct v9_report *r)
{
	struct joint j = { .r = r, .in = { .s = &r->s, .filter = &r->o.filter, .take = take,
					   .machine = r->machine, .arg = &j } };
	bool any;

	if (!v9_joint_fits(&r->s, r->o.path))
		return false;
	v9_bins_init(&j.passes, sizeof(struct pass));
	if (r->calls_of)
		v9_joint_calls_find(&j.calls, r);
	v9_joint_read(&j.in);
	r->acc = j.in.acc;
	v9_trace_count_missed(&j.in.t);
	find_each(&j);
	print_lost(&j);
	print_summary(&j);
	if (!r->out.format->for_people)
		print_offset(&j);
	print_classes(&j);
	if (r->calls_of)
		v9_joint_calls_print(&j.calls, &j.in);
	else
		print_functions(&j);
	any = j.in.records;
	if (!any)
		v9_kind_empty(&v9_kinds[V9_KIND_SPE], &r->s, r->o.path);
	if (any && r->o.filter.used && !j.selected && !j.in.timeless && !j.in.alone) {
		v9_filter_nothing(&r->o.filter, &r->s, r->o.path);
		any = false;
	}
	if (r->calls_of) {
		any &= v9_calls_of_any(&j.calls.of, r);
		v9_joint_calls_free(&j.calls);
	}
	free(j.node);
	v9_bins_free(&j.passes);
	v9_joint_read_free(&j.in);
	return any;
}
