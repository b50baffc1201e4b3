// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace diff: what changed from one capture to another, by function, line or object. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../capture/lines.h"
#include "../commands.h"
#include "../util.h"
#include "compare.h"
#include "kinds.h"
#include "notes_read.h"

#define DEFAULT_LIMIT	25

enum by { BY_SYMBOL, BY_LINE, BY_DSO };

enum { BEFORE, AFTER, SIDES };

/* A function, line or object in both captures */
struct row {
	const char *name, *dso;		/* dso: NULL for lines */
	struct side {
		uint64_t samples, executed, entries;
		struct v9_sum lat;
	} side[SIDES];
};

struct diff {
	struct v9_report r[SIDES];
	struct v9_noted n[SIDES];
	struct v9_lines lines[SIDES];
	struct v9_strtab ids;
	struct row *rows;
	size_t nr_rows;
	enum by by;
	uint64_t confidence;		/* percent: rows of SPE with less are left out */
	bool kind[V9_KINDS];		/* both captures have it */
};

/* ---- sums */

static struct row *row_of(struct diff *d, const char *dso, const char *name)
{
	char *key = v9_format("%s\n%s", dso ? dso : "", name);
	size_t *index = v9_strtab_value(&d->ids, key);
	struct v9_strtab *text = &d->r[BEFORE].text;

	free(key);
	if (!*index) {
		struct row *new = v9_vec_add(d->rows, d->nr_rows);

		new->name = v9_strtab_put(text, name, strlen(name));
		new->dso = dso ? v9_strtab_put(text, dso, strlen(dso)) : NULL;
		*index = d->nr_rows;
	}
	return &d->rows[*index - 1];
}

/* Builds may lie in different directories: objects are compared by the last part of their path. */
static struct row *row_at(struct diff *d, unsigned int side, const struct v9_note *note,
			  const struct v9_func *func)
{
	const struct v9_dso *dso = note->object;
	const char *object = v9_base_name(func && func->dso ? func->dso : dso ? dso->name : "[unknown]");
	struct v9_src_line line;
	struct row *row;
	char *name;

	if (d->by == BY_DSO)
		return row_of(d, object, "");
	if (d->by == BY_SYMBOL)
		return row_of(d, object, func ? func->name : "[unknown]");
	if (!dso || !v9_lines_find(&d->lines[side], dso, note->addr, &line) || !line.line)
		return row_of(d, NULL, v9_rep_keep(&d->r[BEFORE], "[no line: %s]", object));
	name = v9_format("%s:%u", line.file, line.line);
	row = row_of(d, NULL, name);
	free(name);
	return row;
}

static void sum_up(struct diff *d, unsigned int which)
{
	struct v9_noted *n = &d->n[which];

	v9_lines_init(&d->lines[which], &d->r[which].s.syms);
	for (size_t i = 0; i < n->notes.notes.used; i++) {
		const struct v9_note *note = v9_bins_get(&n->notes.notes, i);
		const struct v9_func *func = v9_noted_func(n, note->object, note->addr);
		struct side *side;

		if (!v9_noted_wants(n, note->object, func))
			continue;
		side = &row_at(d, which, note, func)->side[which];
		side->samples += note->spe.samples;
		side->executed += note->executed;
		side->lat.n += note->spe.lat[V9_SPE_LAT_TOTAL].n;
		side->lat.sum += note->spe.lat[V9_SPE_LAT_TOTAL].sum;
		if (func && note->addr == func->start)
			side->entries += note->executed;
	}
}

/* ---- tables */

static double share(const struct diff *d, const struct row *row, unsigned int side)
{
	return v9_rep_percent(row->side[side].samples, d->n[side].samples);
}

static double change(const struct diff *d, const struct row *row)
{
	return share(d, row, AFTER) - share(d, row, BEFORE);
}

static double chance(const struct diff *d, const struct row *row)
{
	return v9_chance(row->side[BEFORE].samples, d->n[BEFORE].samples,
			 row->side[AFTER].samples, d->n[AFTER].samples);
}

static int order_of(double x, double y, const struct row *a, const struct row *b)
{
	int r;

	if (fabs(x) != fabs(y))
		return fabs(x) < fabs(y) ? 1 : -1;
	r = strcmp(a->name, b->name);
	return r ? r : strcmp(a->dso ? a->dso : "", b->dso ? b->dso : "");
}

static int sampled_order(const void *a, const void *b, void *arg)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;

	return order_of(change(arg, x), change(arg, y), x, y);
}

static int64_t more(const struct row *row)
{
	return (int64_t)(row->side[AFTER].executed - row->side[BEFORE].executed);
}

static int executed_order(const void *a, const void *b, void *arg)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;

	(void)arg;
	return order_of((double)more(x), (double)more(y), x, y);
}

static void put_name(const struct diff *d, struct v9_report *r, struct v9_table *t,
		     const struct row *row)
{
	v9_put_text(t, row->dso);
	v9_put_text(t, d->by == BY_DSO ? NULL : v9_rep_object(r, row->name));
}

static void name_columns(const struct diff *d, struct v9_col *cols)
{
	cols[0] = (struct v9_col){ "dso", d->by == BY_LINE ? NULL : "object", V9_TEXT, true };
	cols[1] = d->by == BY_LINE ? (struct v9_col){ "line", "line", V9_TEXT, true } :
				     (struct v9_col){ "symbol", d->by == BY_DSO ? NULL : "symbol",
						      V9_TEXT, true };
}

/* For people "+1.25", so that the direction is seen; else a number of the column change_type() */
static void put_signed(struct v9_report *r, struct v9_table *t, double x, const char *unit)
{
	if (r->out.format->for_people)
		v9_put_text(t, v9_rep_keep(r, "%+9.2f%s", x, unit));
	else
		v9_put_real(t, x);
}

static enum v9_type change_type(const struct v9_report *r)
{
	return r->out.format->for_people ? V9_TEXT : V9_PERCENT;
}

static void print_sampled(struct diff *d, const struct row **order)
{
	struct v9_report *r = &d->r[BEFORE];
	struct v9_col cols[10] = {
		{ "change", "change", change_type(r), false },
		{ "confidence", "confidence", V9_PERCENT, false },
		{ "percent_before", "before", V9_PERCENT, false },
		{ "percent_after", "after", V9_PERCENT, false },
		{ "samples_before", "samples", V9_COUNT, false },
		{ "samples_after", "after", V9_COUNT, false },
		{ "latency_before", "latency", V9_MEAN, false },
		{ "latency_after", "after", V9_MEAN, false },
	};
	struct v9_table t = { .name = "sampled", .title = "Changes of the share of samples", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols), .empty = "none" };
	uint64_t hidden = 0, shown = 0;

	name_columns(d, cols + 8);
	qsort_r(order, d->nr_rows, sizeof(*order), sampled_order, d);
	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct row *row = order[i];
		const struct side *b = &row->side[BEFORE], *a = &row->side[AFTER];
		double sure;

		if (!b->samples && !a->samples)
			continue;
		sure = 100 * (1 - chance(d, row));
		if ((r->limit && shown == r->limit) || sure < (double)d->confidence) {
			hidden++;
			continue;
		}
		shown++;
		v9_table_row(&t);
		put_signed(r, &t, change(d, row), "");
		v9_put_real(&t, sure);
		v9_put_real(&t, share(d, row, BEFORE));
		v9_put_real(&t, share(d, row, AFTER));
		v9_put_count(&t, b->samples);
		v9_put_count(&t, a->samples);
		v9_rep_mean(&t, &b->lat);
		v9_rep_mean(&t, &a->lat);
		put_name(d, r, &t, row);
	}
	if (hidden)
		t.note = v9_rep_keep(r, "and %" PRIu64 " more, or below --confidence (--limit 0 shows all)",
				     hidden);
	v9_rep_table(r, &t);
}

static void print_executed(struct diff *d, const struct row **order)
{
	struct v9_report *r = &d->r[BEFORE];
	const bool people = r->out.format->for_people;
	struct v9_col cols[8] = {
		{ "change", "change", people ? V9_TEXT : V9_MEAN, false },
		{ "change_percent", "", change_type(r), false },
		{ "instructions_before", "before", V9_COUNT, false },
		{ "instructions_after", "after", V9_COUNT, false },
		{ "entries_before", d->by == BY_SYMBOL ? "entered" : NULL, V9_COUNT, false },
		{ "entries_after", d->by == BY_SYMBOL ? "after" : NULL, V9_COUNT, false },
	};
	struct v9_table t = { .name = "executed", .title = "Changes of the executed instructions",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols), .empty = "none" };
	uint64_t hidden = 0, shown = 0;

	name_columns(d, cols + 6);
	qsort_r(order, d->nr_rows, sizeof(*order), executed_order, d);
	for (size_t i = 0; i < d->nr_rows; i++) {
		const struct row *row = order[i];
		const struct side *b = &row->side[BEFORE], *a = &row->side[AFTER];

		if (b->executed == a->executed && b->entries == a->entries)
			continue;
		if (r->limit && shown == r->limit) {
			hidden++;
			continue;
		}
		shown++;
		v9_table_row(&t);
		if (people)
			v9_put_text(&t, v9_rep_keep(r, "%+12" PRId64, more(row)));
		else
			v9_put_real(&t, (double)more(row));
		if (b->executed)
			put_signed(r, &t, 100.0 * (double)more(row) / (double)b->executed, "%");
		else
			v9_put_unknown(&t);
		v9_put_count(&t, b->executed);
		v9_put_count(&t, a->executed);
		v9_put_count(&t, b->entries);
		v9_put_count(&t, a->entries);
		put_name(d, r, &t, row);
	}
	if (hidden)
		t.note = v9_rep_keep(r, "and %" PRIu64 " more (--limit 0 shows all)", hidden);
	v9_rep_table(r, &t);
}

static void print_totals(struct diff *d)
{
	static const struct v9_col cols[] = {
		{ "capture", "capture", V9_TEXT, true },
		{ "samples", "samples", V9_COUNT, false },
		{ "instructions", "instructions", V9_COUNT, false },
		{ "unfollowed_branches", "branches not followed", V9_COUNT, false },
	};
	struct v9_table t = { .name = "captures", .title = "Captures", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols) };

	for (unsigned int side = 0; side < SIDES; side++) {
		const struct v9_noted *n = &d->n[side];
		uint64_t unfollowed = 0;

		for (unsigned int why = 0; why < V9_FLOW_WHYS; why++)
			unfollowed += n->unfollowed[why];
		v9_table_row(&t);
		v9_put_text(&t, d->r[side].o.path);
		if (n->has[V9_KIND_SPE])
			v9_put_count(&t, n->samples);
		else
			v9_put_unknown(&t);
		if (n->has[V9_KIND_ETE]) {
			v9_put_count(&t, n->executed);
			v9_put_count(&t, unfollowed);
		} else {
			v9_put_unknown(&t);
			v9_put_unknown(&t);
		}
	}
	v9_rep_table(&d->r[BEFORE], &t);
}

/* ---- all */

static int compare(struct diff *d)
{
	static const char *const tags[SIDES] = { "before", "after" };
	struct v9_report *r = d->r;
	const struct row **order;
	int status = V9_EXIT_OK;

	v9_out_init(&r[BEFORE].out, r[BEFORE].o.format, !r[BEFORE].o.no_color);
	if (r[BEFORE].out.format->begin)
		r[BEFORE].out.format->begin(&r[BEFORE].out);
	for (unsigned int side = 0; side < SIDES; side++) {
		r[side].out = r[BEFORE].out;
		r[side].tag = tags[side];
		v9_noted_read(&d->n[side], &r[side], true);
		r[side].tag = NULL;
		sum_up(d, side);
		if (!d->n[side].samples && !d->n[side].executed && r[side].o.filter.used)
			v9_filter_nothing(&r[side].o.filter, &r[side].s, r[side].o.path);
	}
	order = v9_alloc((d->nr_rows + 1) * sizeof(*order));
	for (size_t i = 0; i < d->nr_rows; i++)
		order[i] = &d->rows[i];
	print_totals(d);
	if (d->kind[V9_KIND_SPE])
		print_sampled(d, order);
	if (d->kind[V9_KIND_ETE])
		print_executed(d, order);
	free(order);
	if (r[BEFORE].out.format->end)
		r[BEFORE].out.format->end(&r[BEFORE].out);
	for (unsigned int side = 0; side < SIDES; side++) {
		const int s = v9_capture_status(&r[side].s, r[side].o.path,
						d->n[side].samples || d->n[side].executed);

		status = s ? s : status;
		v9_lines_free(&d->lines[side]);
		v9_noted_free(&d->n[side]);
	}
	return status;
}

/* Both captures must have a kind of trace in common. */
static bool comparable(struct diff *d)
{
	bool any = false;

	v9_for_each_kind(k) {
		const size_t id = (size_t)(k - v9_kinds);

		d->kind[id] = !k->absent(&d->r[BEFORE].s) && !k->absent(&d->r[AFTER].s);
		any |= d->kind[id];
	}
	if (!any)
		v9_error("%s and %s have no kind of trace in common: one has SPE records, the other a "
			 "trace of instructions", d->r[BEFORE].o.path, d->r[AFTER].o.path);
	return any;
}

static int run(struct diff *d)
{
	int status = v9_capture_open(&d->r[BEFORE].s, &d->r[BEFORE].o, V9_SHOWS_TABLES);

	if (!status)
		status = v9_capture_open(&d->r[AFTER].s, &d->r[AFTER].o, V9_SHOWS_TABLES);
	if (!status)
		status = comparable(d) ? compare(d) : V9_EXIT_FAILED;
	for (unsigned int side = 0; side < SIDES; side++) {
		v9_session_close(&d->r[side].s);
		v9_strtab_free(&d->r[side].text);
		v9_filter_free(&d->r[side].o.filter);
	}
	v9_strtab_free(&d->ids);
	free(d->rows);
	if (fflush(stdout) || ferror(stdout)) {
		v9_error("cannot write the report");
		return V9_EXIT_FAILED;
	}
	return status;
}

enum { OPT_BY = V9_OPT_OWN, OPT_LIMIT, OPT_CONFIDENCE, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "by", required_argument, NULL, OPT_BY },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "confidence", required_argument, NULL, OPT_CONFIDENCE },
	V9_FORMAT_OPTIONS,
	{ "no-color", no_argument, NULL, V9_OPT_NO_COLOR },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace diff [OPTIONS] BEFORE AFTER\n"
	       "Shows what changed from one capture to another: shares of samples with the confidence that\n"
	       "the change is no chance (SPE), executed instructions (ETE).\n"
	       "  --by KEY          symbol (default), line, dso\n"
	       "  --limit N         that many rows (default %d); 0: all\n"
	       "  --confidence N    only changes of samples with a confidence of N %% or more\n"
	       V9_FORMAT_HELP V9_COMMON_HELP, DEFAULT_LIMIT);
}

static bool parse_by(struct diff *d, const char *arg)
{
	static const char *const names[] = {
		[BY_SYMBOL] = "symbol", [BY_LINE] = "line", [BY_DSO] = "dso" };

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(names); i++)
		if (!strcmp(arg, names[i])) {
			d->by = (enum by)i;
			return true;
		}
	v9_error("--by %s: symbol, line or dso", arg);
	return false;
}

/* The options are parsed for each capture: a filter is changed to the times of its capture. */
static int parse(struct diff *d, unsigned int side, int argc, char **argv)
{
	struct v9_report *r = &d->r[side];
	int opt, status;

	r->limit = DEFAULT_LIMIT;
	v9_options_init(&r->o, argv, V9_TAKES_TABLES);
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT, longopts, NULL)) != -1) {
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			exit(V9_EXIT_OK);
		} else if (opt == OPT_LIMIT) {
			status = v9_parse_number("limit", optarg, UINT32_MAX, &r->limit) ?
				 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_CONFIDENCE) {
			status = v9_parse_number("confidence", optarg, 100, &d->confidence) ?
				 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_BY) {
			status = parse_by(d, optarg) ? 0 : V9_EXIT_USAGE;
		} else {
			status = v9_options_take(&r->o, opt, optarg);
		}
		if (status)
			return status;
	}
	if (argc - optind != SIDES || r->o.named) {
		v9_error("diff: name two captures, the one before and the one after");
		return v9_options_refuse(&r->o);
	}
	r->o.path = argv[optind + (int)side];
	return 0;
}

int cmd_diff(int argc, char **argv)
{
	struct diff d = { .by = BY_SYMBOL };
	int status = parse(&d, BEFORE, argc, argv);

	if (!status)
		status = parse(&d, AFTER, argc, argv);
	return status ? status : run(&d);
}
