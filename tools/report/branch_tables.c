// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables of branch stacks: what is missing, then branches, blocks with cycles, and callers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../branch_filter.h"
#include "../util.h"
#include "branch_read.h"
#include "report.h"
#include "wait_tables.h"

#define TAIL_BLOCKS	5	/* blocks whose callers are printed, without --limit 0 */
#define TAIL_CALLERS	5	/* of each */
#define TREE_LEAST	0.5	/* percent: callers below it are not printed */

struct branch_report {
	struct v9_report *r;
	struct v9_branch_places places;
	struct v9_branch_sum sum;
	uint64_t filter;		/* of all events: what any of them records */
	unsigned int shows;		/* likewise: V9_STACK_* */
	struct v9_bins cpus, tasks;	/* that occurred */
	uint64_t first, last, with_time;	/* times of samples, ns */
	/* branches of which an event should have said it */
	uint64_t no_pred, no_cycles, no_type;
	struct v9_lines lines;
};

static void note(struct v9_bins *seen, uint32_t id)
{
	const uint64_t key = id;

	if (id != V9_NO_TASK)
		v9_bins_at(seen, &key, 1);
}

static void add_to_group(struct branch_report *br, const struct v9_branch_sample *s,
			 const struct v9_branch_rec *b, const struct v9_place *place)
{
	struct v9_groups *g = &br->r->groups;
	const struct v9_group_line *line = g->by_line && place->dso ? v9_groups_line(g, place) : NULL;

	v9_groups_add(g, &br->r->s, &s->at, v9_branch_el(b), place, line, NULL, 1);
}

static void take(void *arg, const struct v9_branch_sample *s)
{
	static const struct v9_place none = { .dso_name = NULL };
	struct branch_report *br = arg;

	br->filter |= s->filter;
	br->shows |= s->shows;
	note(&br->cpus, s->at.cpu);
	note(&br->tasks, s->at.tid);
	if (s->at.has_time) {
		if (!br->with_time++ || s->at.time < br->first)
			br->first = s->at.time;
		if (s->at.time > br->last)
			br->last = s->at.time;
	}
	for (size_t i = 0; i < s->n; i++) {
		const struct v9_branch_rec *b = &s->step[i].b;
		const uint32_t number = b->from ? s->step[i].from : s->step[i].to;
		const struct v9_branch_place *p = v9_branch_place(&br->places, number);

		if (!s->step[i].counts)
			continue;
		br->no_pred += !(s->filter & V9_BRANCH_NO_FLAGS) && b->pred == V9_BRANCH_NOT_KNOWN;
		br->no_cycles += !(s->filter & V9_BRANCH_NO_CYCLES) && !b->cycles;
		br->no_type += s->filter & V9_BRANCH_TYPE_SAVE && b->type == V9_BRANCH_T_UNKNOWN;
		if (p && p->place.dso && !p->place.func)
			p->place.dso->unresolved++;
		if (br->r->groups.nr)
			add_to_group(br, s, b, p ? &p->place : &none);
	}
	v9_branch_sum_add(&br->sum, s->step, s->n, s->shows);
}

/* ---- cells */

static bool arm(const struct branch_report *br)
{
	const char *arch = br->r->s.arch;

	return !arch[0] || !strcmp(arch, "aarch64") || !strcmp(arch, "arm64");
}

static const char *place_text(struct branch_report *br, uint32_t number)
{
	const struct v9_branch_place *p = v9_branch_place(&br->places, number);

	if (!p)
		return "[not recorded]";
	if (!p->place.func)
		return v9_rep_keep(br->r, "0x%" PRIx64, p->key[1]);
	return p->place.offset ? v9_rep_keep(br->r, "%s+0x%" PRIx64, p->place.func->name,
					     p->place.offset) : p->place.func->name;
}

static const char *place_dso(struct branch_report *br, uint32_t number)
{
	const struct v9_branch_place *p = v9_branch_place(&br->places, number);

	return p ? v9_rep_object(br->r, p->place.dso_name) : NULL;
}

/* The line of the source, or NULL */
static const char *place_line(struct branch_report *br, uint32_t number)
{
	const struct v9_branch_place *p = v9_branch_place(&br->places, number);
	struct v9_src_line line;

	if (!p || !p->place.dso || !v9_lines_find(&br->lines, p->place.dso, p->key[1], &line) || !line.line)
		return NULL;
	return v9_rep_keep(br->r, "%s:%u", v9_rep_object(br->r, line.file), line.line);
}

/* Without debug information a column of lines would be empty: as text it is left out. */
static void show_lines(const struct v9_table *t, struct v9_col *cols)
{
	for (size_t c = 0; c < t->nr_cols; c++) {
		bool any = !strstr(cols[c].name, "line");

		for (size_t i = 0; i < t->nr_rows && !any; i++)
			any = t->cells[i * t->nr_cols + c].set;
		if (!any)
			cols[c].title = NULL;
	}
}

/* For programs: the address in the file of the object */
static const char *place_address(struct branch_report *br, uint32_t number)
{
	const struct v9_branch_place *p = v9_branch_place(&br->places, number);

	return p ? v9_rep_keep(br->r, "0x%" PRIx64, p->key[1]) : NULL;
}

static uint64_t sum3(const uint64_t n[3])
{
	return n[V9_BRANCH_NOT_KNOWN] + n[V9_BRANCH_PREDICTED] + n[V9_BRANCH_MISPREDICTED];
}

/* The share of those mispredicted of those of which it is known */
static void put_missed(struct v9_table *t, const uint64_t n[3])
{
	v9_rep_share(t, n[V9_BRANCH_MISPREDICTED],
		     n[V9_BRANCH_PREDICTED] + n[V9_BRANCH_MISPREDICTED]);
}

static const char *type_text(struct branch_report *br, uint64_t type)
{
	return type == V9_BRANCH_T_UNKNOWN ? NULL : v9_branch_type((unsigned int)type, arm(br));
}

/* ---- what is missing */

static void print_losses(struct branch_report *br)
{
	struct v9_table t = { .name = "lost", .title = "Lost", .shape = V9_LOSSES,
			      .cols = v9_rep_lost, .nr_cols = V9_REP_COLS,
			      .empty = "nothing: no sample, and all of each branch is known" };
	const struct v9_branch_sum *s = &br->sum;
	struct v9_report *r = br->r;

	v9_rep_losses(r, &t, NULL, NULL, NULL);
	v9_rep_loss(&t, r->s.lost.longer, "longer_samples", "samples with more than their event says",
		    "the recorder is newer than this program, or the file is damaged");
	v9_rep_loss(&t, s->empty, "empty_stacks", "samples without a branch",
		    "none was recorded before them");
	v9_rep_loss(&t, s->longest ? s->lengths[s->longest] : 0, "full_stacks",
		    v9_rep_keep(r, "samples with the most branches, %u", s->longest),
		    "older branches are not known");
	v9_rep_loss(&t, s->half, "half_branches", "branches without source or target",
		    "the other side is where nothing may be recorded");
	v9_rep_loss(&t, br->no_pred, "unknown_prediction", "branches without prediction",
		    "not in the shares of mispredicted branches");
	v9_rep_loss(&t, br->no_cycles, "unknown_cycles", "branches without cycles",
		    "their blocks have no latency");
	v9_rep_loss(&t, s->limit, "saturated_cycles", "branches with cycles at the limit",
		    "their blocks took longer than the counter can say");
	v9_rep_loss(&t, br->no_type, "unknown_type", "branches without type",
		    "callers may be missing");
	v9_rep_loss(&t, s->holes, "holes", "neighbours that do not join",
		    "a branch between them is missing: no block, and no caller from before");
	v9_rep_loss(&t, s->misfits, "misfits", "returns to another place than the call",
		    "no caller from before them: longjmp, another stack, or a missing branch");
	v9_rep_loss(&t, s->wrong_path, "wrong_path", "branches of a wrong path",
		    "they were speculative: counted, but not executed");
	v9_rep_table(r, &t);
}

/* ---- summary */

/* The events that have a branch stack: name, or type and config, and period */
static void put_events(struct branch_report *br, struct v9_table *t)
{
	const struct pd_file *f = &br->r->s.file;
	struct v9_report *r = br->r;
	char room[256];

	for (size_t i = 0; i < f->nr_attrs; i++) {
		const struct perf_event_attr *a = &f->attrs[i].attr;
		const char *name = f->attrs[i].name, *period = "";

		if (!(a->sample_type & PERF_SAMPLE_BRANCH_STACK))
			continue;
		if (!name[0])
			name = v9_rep_keep(r, "type %u config 0x%" PRIx64, a->type, (uint64_t)a->config);
		if (a->sample_period)
			period = v9_rep_keep(r, a->freq ? ", %" PRIu64 " Hz" : ", period %" PRIu64,
					     (uint64_t)a->sample_period);
		v9_rep_fact(t, "event", "event",
			    v9_rep_keep(r, "%s%s: %s", name, period,
					v9_branch_filter(room, sizeof(room), a->branch_sample_type)));
	}
}

static void print_summary(struct branch_report *br)
{
	struct v9_table t = { .name = "summary", .title = "Summary", .shape = V9_KEYED,
			      .cols = v9_rep_facts, .nr_cols = V9_REP_COLS };
	const struct v9_branch_sum *s = &br->sum;
	const uint64_t known = s->pred[V9_BRANCH_PREDICTED] + s->pred[V9_BRANCH_MISPREDICTED];
	struct v9_report *r = br->r;

	v9_rep_number(r, &t, "samples", "samples", s->stacks + s->empty, "");
	if (s->stacks + s->empty != r->s.nr_stacks)
		v9_rep_number(r, &t, "all_samples", "  before the filter", r->s.nr_stacks, "");
	v9_rep_number(r, &t, "branches", "branches", s->n, "");
	if (s->n != s->records)
		v9_rep_number(r, &t, "all_branches", "  in these samples", s->records, "");
	put_events(br, &t);
	if (s->stacks) {
		v9_rep_fact(&t, "mean_length", "branches in a sample",
			    v9_rep_keep(r, "%.1f in the mean, %u at most",
					(double)s->records / (double)(s->stacks + s->empty),
					s->longest));
	}
	if (known) {
		v9_rep_fact(&t, "mispredicted", "mispredicted",
			    v9_rep_keep(r, "%" PRIu64 ": %.2f%% of %" PRIu64
					" branches of which it is known", s->pred[V9_BRANCH_MISPREDICTED],
					v9_rep_percent(s->pred[V9_BRANCH_MISPREDICTED], known), known));
		v9_put_count(&t, s->pred[V9_BRANCH_MISPREDICTED]);
	}
	if (s->timed)
		v9_rep_number(r, &t, "timed", "branches with cycles", s->timed, "");
	if (s->not_taken)
		v9_rep_number(r, &t, "not_taken", "not taken", s->not_taken, "");
	if (s->in_tx)
		v9_rep_number(r, &t, "in_transaction", "in transactions", s->in_tx, "");
	if (s->aborts)
		v9_rep_number(r, &t, "aborts", "aborts of transactions", s->aborts, "");
	v9_rep_known(r, &t, "cpus", "cpus", br->cpus.used);
	v9_rep_known(r, &t, "tasks", "tasks", br->tasks.used);
	if (br->with_time) {
		v9_rep_time(r, &t, "first_ns", "first sample", br->first);
		v9_rep_time(r, &t, "covered_ns", "time covered", br->last - br->first);
	}
	v9_rep_table(r, &t);
}

/* ---- branches */

enum order { BY_COUNT, BY_SYMBOL, BY_DSO };

static int address_order(const struct branch_report *br, uint64_t x, uint64_t y)
{
	const struct v9_branch_place *a = v9_branch_place(&br->places, (uint32_t)x);
	const struct v9_branch_place *b = v9_branch_place(&br->places, (uint32_t)y);
	int r = !!a - !!b;

	if (r || !a)
		return r;
	r = strcmp(a->place.dso_name, b->place.dso_name);
	return r ? r : (a->key[1] > b->key[1]) - (a->key[1] < b->key[1]);
}

static const char *symbol_of(const struct branch_report *br, uint64_t number)
{
	const struct v9_branch_place *p = v9_branch_place(&br->places, (uint32_t)number);

	return p && p->place.func ? p->place.func->name : "[unknown]";
}

static bool by_name(const struct branch_report *br, const char *name)
{
	return br->r->sorted && !strcmp(v9_sort_name(br->r->sort), name);
}

static int branch_order(const void *a, const void *b, const void *arg)
{
	const struct v9_branch_bin *x = a, *y = b;
	const struct branch_report *br = arg;
	const uint64_t nx = sum3(x->n), ny = sum3(y->n);
	int r = 0;

	if (by_name(br, "symbol"))
		r = strcmp(symbol_of(br, x->key[0] >> 32), symbol_of(br, y->key[0] >> 32));
	else if (by_name(br, "dso"))
		r = address_order(br, x->key[0] >> 32, y->key[0] >> 32);
	if (!r)
		r = (ny > nx) - (ny < nx);
	if (!r)
		r = address_order(br, x->key[0] >> 32, y->key[0] >> 32);
	if (!r)
		r = address_order(br, (uint32_t)x->key[0], (uint32_t)y->key[0]);
	return r ? r : (x->key[1] > y->key[1]) - (x->key[1] < y->key[1]);
}

static void print_branches(struct branch_report *br)
{
	struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "branches", "branches", V9_COUNT, false },
		{ "mispredicted_percent", "mispred.", V9_PERCENT, false },
		{ "mispredicted", NULL, V9_COUNT, false },
		{ "unknown_prediction", NULL, V9_COUNT, false },
		{ "cycles_mean", "cycles", V9_MEAN, false },
		{ "type", "type", V9_TEXT, false },
		{ "from", "from", V9_TEXT, true },
		{ "from_dso", "object", V9_TEXT, true },
		{ "from_address", NULL, V9_TEXT, false },
		{ "from_line", "line", V9_TEXT, true },
		{ "to", "to", V9_TEXT, true },
		{ "to_dso", "object", V9_TEXT, true },
		{ "to_address", NULL, V9_TEXT, false },
		{ "to_line", "line", V9_TEXT, true },
	};
	struct v9_table t = { .name = "branches", .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .title = v9_rep_keep(br->r, "Hottest branches: share of %" PRIu64
						   " branches; mispredicted, of those of which it is known",
						   br->sum.n),
			      .empty = "no branch passed the filter" };
	const struct v9_branch_sum *s = &br->sum;
	void **top;
	size_t n;

	top = v9_bins_top(&s->branches, br->r->limit, NULL, branch_order, br, &n);
	for (size_t i = 0; i < n; i++) {
		const struct v9_branch_bin *b = top[i];
		const uint32_t from = (uint32_t)(b->key[0] >> 32), to = (uint32_t)b->key[0];

		v9_table_row(&t);
		v9_put_real(&t, v9_rep_percent(sum3(b->n), s->n));
		v9_put_count(&t, sum3(b->n));
		put_missed(&t, b->n);
		v9_put_count(&t, b->n[V9_BRANCH_MISPREDICTED]);
		v9_put_count(&t, b->n[V9_BRANCH_NOT_KNOWN]);
		v9_rep_mean(&t, &(struct v9_sum){ b->timed, b->cycles });
		v9_put_text(&t, type_text(br, b->key[1]));
		v9_put_text(&t, place_text(br, from));
		v9_put_text(&t, place_dso(br, from));
		v9_put_text(&t, place_address(br, from));
		v9_put_text(&t, place_line(br, from));
		v9_put_text(&t, place_text(br, to));
		v9_put_text(&t, place_dso(br, to));
		v9_put_text(&t, place_address(br, to));
		v9_put_text(&t, place_line(br, to));
	}
	v9_rep_more(br->r, &t, s->branches.used, n);
	free(top);
	show_lines(&t, cols);
	v9_rep_table(br->r, &t);
}

/* A branch instruction, whatever its targets */
struct source_bin {
	uint64_t key[2];		/* place, type */
	uint64_t n[3];
	uint64_t targets;
};

static bool missed(const void *bin)
{
	return ((const struct source_bin *)bin)->n[V9_BRANCH_MISPREDICTED];
}

static int missed_order(const void *a, const void *b, const void *arg)
{
	const struct source_bin *x = a, *y = b;
	const uint64_t nx = x->n[V9_BRANCH_MISPREDICTED], ny = y->n[V9_BRANCH_MISPREDICTED];
	int r = (ny > nx) - (ny < nx);

	if (!r)
		r = address_order(arg, x->key[0], y->key[0]);
	return r ? r : (x->key[1] > y->key[1]) - (x->key[1] < y->key[1]);
}

static void print_mispredicts(struct branch_report *br)
{
	struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "mispredicted", "mispred.", V9_COUNT, false },
		{ "mispredicted_percent", "rate", V9_PERCENT, false },
		{ "branches", "branches", V9_COUNT, false },
		{ "targets", "targets", V9_COUNT, false },
		{ "type", "type", V9_TEXT, false },
		{ "from", "from", V9_TEXT, true },
		{ "from_dso", "object", V9_TEXT, true },
		{ "from_address", NULL, V9_TEXT, false },
		{ "from_line", "line", V9_TEXT, true },
	};
	const struct v9_branch_sum *s = &br->sum;
	struct v9_table t = { .name = "mispredicts", .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .title = v9_rep_keep(br->r, "Mispredicted branches: share of %" PRIu64
						   " mispredicted; rate: of those of which it is known",
						   s->pred[V9_BRANCH_MISPREDICTED]) };
	struct v9_bins sources;
	size_t n, wanted = 0;
	void **top;

	v9_bins_init(&sources, sizeof(struct source_bin));
	for (size_t i = 0; i < s->branches.used; i++) {
		const struct v9_branch_bin *b = v9_bins_get(&s->branches, i);
		const uint64_t key[2] = { b->key[0] >> 32, b->key[1] };
		struct source_bin *to = v9_bins_at(&sources, key, 2);

		wanted += !missed(to) && b->n[V9_BRANCH_MISPREDICTED];
		for (unsigned int k = 0; k < 3; k++)
			to->n[k] += b->n[k];
		to->targets++;
	}
	top = v9_bins_top(&sources, br->r->limit, missed, missed_order, br, &n);
	for (size_t i = 0; i < n; i++) {
		const struct source_bin *b = top[i];
		const uint32_t from = (uint32_t)b->key[0];

		v9_table_row(&t);
		v9_put_real(&t, v9_rep_percent(b->n[V9_BRANCH_MISPREDICTED],
					       s->pred[V9_BRANCH_MISPREDICTED]));
		v9_put_count(&t, b->n[V9_BRANCH_MISPREDICTED]);
		put_missed(&t, b->n);
		v9_put_count(&t, sum3(b->n));
		v9_put_count(&t, b->targets);
		v9_put_text(&t, type_text(br, b->key[1]));
		v9_put_text(&t, place_text(br, from));
		v9_put_text(&t, place_dso(br, from));
		v9_put_text(&t, place_address(br, from));
		v9_put_text(&t, place_line(br, from));
	}
	v9_rep_more(br->r, &t, wanted, n);
	free(top);
	v9_bins_free(&sources);
	show_lines(&t, cols);
	v9_rep_table(br->r, &t);
}

static void print_types(struct branch_report *br)
{
	static const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "branches", "branches", V9_COUNT, false },
		{ "mispredicted_percent", "mispred.", V9_PERCENT, false },
		{ "mispredicted", NULL, V9_COUNT, false },
		{ "unknown_prediction", NULL, V9_COUNT, false },
		{ "type", "type", V9_TEXT, false },
	};
	const struct v9_branch_sum *s = &br->sum;
	struct v9_table t = { .name = "types", .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .title = v9_rep_keep(br->r, "Types: share of %" PRIu64 " branches", s->n) };

	for (unsigned int type = 0; type < V9_BRANCH_TYPES; type++) {
		const uint64_t *n = s->by_type[type];

		/* Without types there is nothing to say. */
		if (!sum3(n) || sum3(s->by_type[V9_BRANCH_T_UNKNOWN]) == s->n)
			continue;
		v9_table_row(&t);
		v9_put_real(&t, v9_rep_percent(sum3(n), s->n));
		v9_put_count(&t, sum3(n));
		put_missed(&t, n);
		v9_put_count(&t, n[V9_BRANCH_MISPREDICTED]);
		v9_put_count(&t, n[V9_BRANCH_NOT_KNOWN]);
		v9_put_text(&t, v9_branch_type(type, arm(br)));
	}
	v9_rep_table(br->r, &t);
}

/* ---- blocks */

static int block_order(const void *a, const void *b, const void *arg)
{
	const struct v9_block_bin *x = a, *y = b;
	int r = (y->cycles > x->cycles) - (y->cycles < x->cycles);

	if (!r)
		r = (y->n > x->n) - (y->n < x->n);
	if (!r)
		r = address_order(arg, x->key[0] >> 32, y->key[0] >> 32);
	return r ? r : address_order(arg, (uint32_t)x->key[0], (uint32_t)y->key[0]);
}

#define LATENCY_COLUMNS \
	{ "mean", "mean", V9_MEAN, false }, \
	{ "p50", "p50", V9_COUNT, false }, \
	{ "p90", "p90", V9_COUNT, false }, \
	{ "p99", "p99", V9_COUNT, false }, \
	{ "max", "max", V9_COUNT, false }

static void put_latencies(struct v9_table *t, const struct v9_lat_run *run)
{
	static const unsigned int percents[] = { 50, 90, 99, 100 };
	struct v9_sum sum = { .n = run->sum };

	for (size_t i = 0; i < run->n; i++)
		sum.sum += run->lat[i]->n * run->lat[i]->key[2];
	v9_rep_mean(t, &sum);
	for (size_t i = 0; i < V9_ARRAY_SIZE(percents); i++) {
		if (run->n)
			v9_put_count(t, v9_lat_percentile(run, percents[i]));
		else
			v9_put_unknown(t);
	}
}

static const char *end_text(struct branch_report *br, uint64_t key)
{
	const struct v9_branch_place *from = v9_branch_place(&br->places, (uint32_t)(key >> 32));
	const struct v9_branch_place *to = v9_branch_place(&br->places, (uint32_t)key);

	return from && to && from->func == to->func && to->place.func ?
	       v9_rep_keep(br->r, "+0x%" PRIx64, to->place.offset) :
	       place_text(br, (uint32_t)key);
}

static uint64_t cycles_of(const struct v9_branch_sum *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->blocks.used; i++)
		sum += ((const struct v9_block_bin *)v9_bins_get(&s->blocks, i))->cycles;
	return sum;
}

static void print_blocks(struct branch_report *br, void **top, size_t n)
{
	struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "cycles", "cycles", V9_COUNT, false },
		{ "times", "times", V9_COUNT, false },
		{ "timed", NULL, V9_COUNT, false },
		LATENCY_COLUMNS,
		{ "saturated", "at limit", V9_COUNT, false },
		{ "block", "block", V9_TEXT, true },
		{ "end", "to", V9_TEXT, true },
		{ "dso", "object", V9_TEXT, true },
		{ "address", NULL, V9_TEXT, false },
		{ "end_address", NULL, V9_TEXT, false },
		{ "line", "line", V9_TEXT, true },
	};
	const struct v9_branch_sum *s = &br->sum;
	const uint64_t cycles = cycles_of(s);
	struct v9_table t = { .name = "blocks", .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .title = v9_rep_keep(br->r, "Blocks: share of %" PRIu64
						   " cycles in blocks; latency of a block, in cycles",
						   cycles),
			      .empty = br->shows & V9_STACK_JOINS ?
				       "no two branches that join passed the filter" :
				       "the events do not record all branches: what is between two is not "
				       "known (record with -j any)" };
	struct v9_lat_bin **lats = v9_branch_lats(s, false);

	for (size_t i = 0; i < n; i++) {
		const struct v9_block_bin *b = top[i];
		const struct v9_lat_run run = v9_lat_run(s, lats, b->key[0], NULL);
		const uint32_t start = (uint32_t)(b->key[0] >> 32);

		v9_table_row(&t);
		v9_rep_share(&t, b->cycles, cycles);
		v9_put_count(&t, b->cycles);
		v9_put_count(&t, b->n);
		v9_put_count(&t, b->timed);
		put_latencies(&t, &run);
		v9_put_count(&t, b->limit);
		v9_put_text(&t, place_text(br, start));
		v9_put_text(&t, end_text(br, b->key[0]));
		v9_put_text(&t, place_dso(br, start));
		v9_put_text(&t, place_address(br, start));
		v9_put_text(&t, place_address(br, (uint32_t)b->key[0]));
		v9_put_text(&t, place_line(br, start));
	}
	v9_rep_more(br->r, &t, s->blocks.used, n);
	free(lats);
	show_lines(&t, cols);
	v9_rep_table(br->r, &t);
}

/* The latencies of a block by one caller */
struct tail {
	uint32_t caller;
	struct v9_lat_run run;
	uint64_t slow;			/* times above the 90th percentile of the block */
};

static int tail_order(const void *a, const void *b)
{
	const struct tail *x = a, *y = b;

	if (x->slow != y->slow)
		return x->slow < y->slow ? 1 : -1;
	if (x->run.sum != y->run.sum)
		return x->run.sum < y->run.sum ? 1 : -1;
	return (x->caller > y->caller) - (x->caller < y->caller);
}

static size_t tails_of(const struct v9_branch_sum *s, struct v9_lat_bin **lats, uint64_t key,
		       uint64_t limit, struct tail *tail)
{
	struct v9_lat_run all = v9_lat_run(s, lats, key, &(uint64_t){ 0 });
	struct v9_lat_bin *const *end = lats + s->lats.used;
	size_t n = 0;

	/* No place has a number below 0, also if it has no latencies. */
	for (struct v9_lat_bin *const *at = all.lat; at < end && (*at)->key[0] == key; n++) {
		tail[n] = (struct tail){ .caller = (uint32_t)(*at)->key[1],
					 .run = v9_lat_run(s, lats, key, &(*at)->key[1]) };
		for (size_t i = 0; i < tail[n].run.n; i++)
			if (tail[n].run.lat[i]->key[2] > limit)
				tail[n].slow += tail[n].run.lat[i]->n;
		at += tail[n].run.n;
	}
	qsort(tail, n, sizeof(*tail), tail_order);
	return n;
}

static void print_tails(struct branch_report *br, void **top, size_t n)
{
	static const struct v9_col cols[] = {
		{ "percent", "slow", V9_PERCENT, false },
		{ "slow", NULL, V9_COUNT, false },
		{ "limit", "above", V9_COUNT, false },
		{ "times", "times", V9_COUNT, false },
		LATENCY_COLUMNS,
		{ "block", "block", V9_TEXT, true },
		{ "end", "to", V9_TEXT, true },
		{ "address", NULL, V9_TEXT, false },
		{ "end_address", NULL, V9_TEXT, false },
		{ "caller", "called from", V9_TEXT, true },
		{ "caller_address", NULL, V9_TEXT, false },
	};
	struct v9_table t = { .name = "block_callers",
			      .title = "Callers of slow blocks: share of the times of the block above "
				       "its 90th percentile",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	const struct v9_branch_sum *s = &br->sum;
	struct v9_lat_bin **by_block = v9_branch_lats(s, false), **lats = v9_branch_lats(s, true);
	struct tail *tail = v9_alloc((s->lats.used + 1) * sizeof(*tail));

	if (!(br->shows & V9_STACK_CALLS))
		n = 0;
	for (size_t i = 0; i < n && (!br->r->limit || i < TAIL_BLOCKS); i++) {
		const struct v9_block_bin *b = top[i];
		const struct v9_lat_run all = v9_lat_run(s, by_block, b->key[0], NULL);
		const uint64_t limit = v9_lat_percentile(&all, 90);
		const size_t callers = tails_of(s, lats, b->key[0], limit, tail);
		uint64_t slow = 0;

		for (size_t k = 0; k < callers; k++)
			slow += tail[k].slow;
		for (size_t k = 0; k < callers && (!br->r->limit || k < TAIL_CALLERS); k++) {
			v9_table_row(&t);
			v9_rep_share(&t, tail[k].slow, slow);
			v9_put_count(&t, tail[k].slow);
			v9_put_count(&t, limit);
			v9_put_count(&t, tail[k].run.sum);
			put_latencies(&t, &tail[k].run);
			v9_put_text(&t, place_text(br, (uint32_t)(b->key[0] >> 32)));
			v9_put_text(&t, end_text(br, b->key[0]));
			v9_put_text(&t, place_address(br, (uint32_t)(b->key[0] >> 32)));
			v9_put_text(&t, place_address(br, (uint32_t)b->key[0]));
			v9_put_text(&t, tail[k].caller != V9_NO_CALLER ?
				    place_text(br, tail[k].caller) : "[before the stack]");
			v9_put_text(&t, tail[k].caller != V9_NO_CALLER ?
				    place_address(br, tail[k].caller) : NULL);
		}
	}
	free(tail);
	free(lats);
	free(by_block);
	v9_rep_table(br->r, &t);
}

static void print_all_blocks(struct branch_report *br)
{
	size_t n;
	void **top = v9_bins_top(&br->sum.blocks, br->r->limit, NULL, block_order, br, &n);

	print_blocks(br, top, n);
	print_tails(br, top, n);
	free(top);
}

/* ---- callers */

struct node {
	const struct v9_caller_bin *bin;
	uint32_t child, next;		/* indexes + 1 */
};

static int node_order(const void *a, const void *b)
{
	const struct v9_caller_bin *x = *(const struct v9_caller_bin *const *)a;
	const struct v9_caller_bin *y = *(const struct v9_caller_bin *const *)b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return (x->index < y->index) - (x->index > y->index);
}

static void put_node(struct branch_report *br, struct v9_table *t, uint64_t n, unsigned int depth,
		     const char *dso, const char *name)
{
	struct v9_report *r = br->r;

	v9_table_row(t);
	v9_put_real(t, v9_rep_percent(n, br->sum.chains));
	v9_put_count(t, n);
	v9_put_count(t, depth);
	v9_put_text(t, dso);
	v9_put_text(t, r->out.format->for_people ?
		    v9_rep_keep(r, "%*s%s", (int)(2 * depth), "", name) : name);
}

/* The functions at the end of stacks with their callers, most samples first, depth first */
static void print_callers(struct branch_report *br)
{
	static const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "depth", NULL, V9_COUNT, false },
		{ "dso", "object", V9_TEXT, false },
		{ "symbol", "function, below it its callers", V9_TEXT, true },
	};
	const bool calls = br->shows & (V9_STACK_CALLS | V9_STACK_NESTED);
	const struct v9_bins *bins = &br->sum.callers;
	struct v9_table t = { .name = "callers", .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .title = v9_rep_keep(br->r, "Callers that the stacks show: share of %" PRIu64
						   " samples", br->sum.chains),
			      .empty = calls ? "no stack passed the filter" :
				       "the events do not record calls and returns with their types "
				       "(record with -j any,save_type)" };
	struct node *node = v9_alloc((bins->used + 1) * sizeof(*node));
	const struct v9_caller_bin **order = v9_alloc((bins->used + 1) * sizeof(*order));
	uint32_t *path = v9_alloc((V9_STACK_MOST + 2) * sizeof(*path));
	uint64_t left = br->r->limit ? br->r->limit : UINT64_MAX, hidden = 0;
	unsigned int depth = 0;

	for (size_t i = 0; i < bins->used; i++)
		order[i] = v9_bins_get(bins, i);
	/* Least first: each goes before those of its parent that are there. node[0] is the root. */
	qsort(order, bins->used, sizeof(*order), node_order);
	for (size_t i = 0; i < bins->used; i++) {
		const uint32_t at = order[i]->index + 1, parent = (uint32_t)(order[i]->key[0] >> 32);

		node[at].bin = order[i];
		node[at].next = node[parent].child;
		node[parent].child = at;
	}
	path[0] = node[0].child;
	while (path[0]) {
		const struct node *at = path[depth] ? &node[path[depth]] : NULL;
		const struct v9_branch_func *f;

		if (!at) {
			depth--;
			path[depth] = node[path[depth]].next;
			continue;
		}
		if (!left || (br->r->limit &&
			      v9_rep_percent(at->bin->n, br->sum.chains) < TREE_LEAST)) {
			hidden++;
			path[depth] = at->next;
			continue;
		}
		left--;
		f = v9_branch_func(&br->places, (uint32_t)at->bin->key[0]);
		put_node(br, &t, at->bin->n, depth,
			 f ? v9_rep_object(br->r, (const char *)(uintptr_t)f->key[1]) : NULL,
			 !f ? "[not recorded]" : f->key[0] ?
			 ((const struct v9_func *)(uintptr_t)f->key[0])->name : "[unknown]");
		if (at->bin->ends)
			put_node(br, &t, at->bin->ends, depth + 1, NULL, "[before the stack]");
		path[++depth] = at->child;
	}
	if (hidden)
		t.note = v9_rep_keep(br->r, "and %" PRIu64 " callers colder than %.1f%% or beyond --limit "
				     "(--limit 0 shows all)", hidden, TREE_LEAST);
	free(path);
	free(order);
	free(node);
	v9_rep_table(br->r, &t);
}

static void print_all(struct branch_report *br)
{
	struct v9_report *r = br->r;

	print_losses(br);
	if (r->waits) {
		v9_rep_waits_alone(r);
		return;
	}
	print_summary(br);
	if (r->groups.nr)
		v9_groups_print(&r->groups, r, &(struct v9_groups_kind){
				.item = "branches", .share = 100 });
	else
		print_branches(br);
	print_mispredicts(br);
	print_types(br);
	print_all_blocks(br);
	if (r->calls || r->callers)
		print_callers(br);
}

bool v9_report_branches(struct v9_report *r)
{
	struct branch_report br = { .r = r };
	bool any;

	if (r->sorted && !by_name(&br, "symbol") && !by_name(&br, "dso") && !by_name(&br, "samples")) {
		if (!r->part) {
			v9_error("--sort %s: branch stacks have none of it; symbol or dso, or by number "
				 "without --sort", v9_sort_name(r->sort));
			r->refused = true;
			return false;
		}
		v9_warn("--sort %s: branches are by number", v9_sort_name(r->sort));
	}
	v9_branch_places_init(&br.places, &r->s);
	v9_branch_sum_init(&br.sum);
	v9_bins_init(&br.cpus, sizeof(uint64_t));
	v9_bins_init(&br.tasks, sizeof(uint64_t));
	v9_groups_init(&r->groups, &r->s.syms);
	v9_lines_init(&br.lines, &r->s.syms);
	v9_branch_read(r, &br.places, take, &br);
	any = r->s.nr_branches;
	if (any)
		print_all(&br);
	r->selected |= br.sum.n > 0;
	v9_groups_free(&r->groups);
	v9_lines_free(&br.lines);
	v9_bins_free(&br.cpus);
	v9_bins_free(&br.tasks);
	v9_branch_sum_free(&br.sum);
	v9_branch_places_free(&br.places);
	return any;
}
