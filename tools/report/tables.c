// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers of all reports, and the tables of SPE records in the order in which they are printed. */
#include "report.h"
#include "wait_tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/gen/spe_pkt.h>

#include "../capture/heap_read.h"
#include "../capture/wakes.h"
#include "../util.h"
#include "kinds.h"
#include "shard_view.h"

#define COUNTER12_MAX	0xfff	/* saturated value of a 12-bit counter */
#define COUNTER16_MAX	0xffff

const struct v9_col v9_rep_facts[V9_REP_COLS] = {
	{ "key", NULL, V9_TEXT, false },
	{ "what", "", V9_TEXT, false },
	{ "value", "", V9_TEXT, true },
	{ "number", NULL, V9_COUNT, false },
};

const struct v9_col v9_rep_lost[V9_REP_COLS] = {
	{ "count", "", V9_COUNT, false },
	{ "kind", NULL, V9_TEXT, false },
	{ "what", "", V9_TEXT, false },
	{ "meaning", "", V9_TEXT, true },
};

const char *const v9_rep_latencies[V9_SPE_LATENCIES] = { "total", "issue", "translation" };

/* Orders of the table of functions. The first is the default. */
static const struct v9_sort {
	const char *name;
	enum { BY_SAMPLES, BY_CYCLES, BY_MEAN, BY_SYMBOL, BY_DSO, BY_COMM } how;
	unsigned int lat;
} sorts[] = {
	{ "samples", BY_SAMPLES, 0 },
	{ "cycles", BY_CYCLES, V9_SPE_LAT_TOTAL },
	{ "latency", BY_MEAN, V9_SPE_LAT_TOTAL },
	{ "issue", BY_MEAN, V9_SPE_LAT_ISSUE },
	{ "translation", BY_MEAN, V9_SPE_LAT_XLAT },
	{ "symbol", BY_SYMBOL, 0 },
	{ "dso", BY_DSO, 0 },
	{ "comm", BY_COMM, 0 },
};

/* Events with a ratio to another event, besides the share of all samples. */
static const struct { uint8_t event, of; } shares[] = {
	{ V9_SPE_EV_L1D_REFILL, V9_SPE_EV_L1D_ACCESS },
	{ V9_SPE_EV_TLB_WALK, V9_SPE_EV_TLB_ACCESS },
	{ V9_SPE_EV_LLC_MISS, V9_SPE_EV_LLC_ACCESS },
	{ V9_SPE_EV_L2D_MISS, V9_SPE_EV_L2D_ACCESS },
};

const char *v9_rep_keep(struct v9_report *r, const char *fmt, ...)
{
	const char *kept;
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	kept = v9_strtab_put(&r->text, buf, sizeof(buf));
	return kept;
}

double v9_rep_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

const char *v9_rep_bar(struct v9_report *r, uint64_t n, uint64_t most)
{
	static const char full[] = "########################################";
	const uint64_t columns = sizeof(full) - 1;

	return v9_rep_keep(r, "%.*s", most ? (int)((n * columns + most - 1) / most) : 0, full);
}

void v9_rep_mean(struct v9_table *t, const struct v9_sum *s)
{
	if (s->n)
		v9_put_real(t, (double)s->sum / (double)s->n);
	else
		v9_put_unknown(t);
}

void v9_rep_share(struct v9_table *t, uint64_t part, uint64_t whole)
{
	if (whole)
		v9_put_real(t, v9_rep_percent(part, whole));
	else
		v9_put_unknown(t);
}

void v9_rep_table(struct v9_report *r, struct v9_table *t)
{
	if (r->part) {
		t->name = v9_rep_keep(r, "%s_%s", r->part->name, t->name);
		t->title = v9_rep_keep(r, "%s: %s", r->part->title, t->title);
	}
	if (r->tag) {
		t->name = v9_rep_keep(r, "%s_%s", r->tag, t->name);
		t->title = v9_rep_keep(r, "%s (%s)", t->title, r->tag);
	}
	r->out.format->table(&r->out, t);
	v9_table_free(t);
}

static const struct { const char *kind, *meaning; } skips[V9_SPE_SKIPS] = {
	[V9_SPE_SKIP_RESERVED] = { "skipped_reserved",
				   "not decodable; decoding went on at the next record" },
	[V9_SPE_SKIP_ENDLESS] = { "skipped_endless",
				  "not decodable; decoding went on at the next record" },
	[V9_SPE_SKIP_GAP] = { "skipped_gap", "the rest of the record is not in the file" },
	[V9_SPE_SKIP_LOSS] = { "skipped_loss", "the unit lost the rest of the record" },
	[V9_SPE_SKIP_CUT] = { "skipped_cut", "the data ends inside a record" },
};

void v9_rep_loss(struct v9_table *t, uint64_t n, const char *kind, const char *what,
		 const char *meaning)
{
	v9_table_row(t);
	v9_put_count(t, n);
	v9_put_text(t, kind);
	v9_put_text(t, what);
	v9_put_text(t, meaning);
}

void v9_rep_more(struct v9_report *r, struct v9_table *t, uint64_t all, uint64_t shown)
{
	if (all > shown)
		t->note = v9_rep_keep(r, "and %" PRIu64 " more (--limit 0 shows all)", all - shown);
}

const char *v9_rep_object(const struct v9_report *r, const char *path)
{
	return r->out.format->for_people && path ? v9_base_name(path) : path;
}

/* In the order from the unit to the file. */
void v9_rep_losses(struct v9_report *r, struct v9_table *t, const struct v9_aux_sum *aux,
		   const char *collision, const char *truncated)
{
	const struct v9_losses *l = &r->s.lost;

	if (aux) {
		v9_rep_loss(t, aux->collision, "aux_collision", "AUX records with collisions",
			    collision);
		v9_rep_loss(t, aux->truncated, "aux_truncated", "AUX records truncated", truncated);
		v9_rep_loss(t, aux->partial, "aux_partial", "AUX records partial",
			    "the unit dropped data");
		v9_rep_loss(t, aux->overwrite, "aux_overwrite", "AUX records overwritten",
			    "snapshot mode kept the latest data only");
	}
	v9_rep_loss(t, l->lost_records, "lost_records", "side-band records",
		    "the event ring was full: names and maps may be missing");
	v9_rep_loss(t, l->lost_samples, "lost_samples", aux ? "samples of other events" : "samples",
		    "the kernel dropped them");
	v9_rep_loss(t, l->unreadable, "unreadable_samples", "samples that cannot be read",
		    "they do not have the format of their event");
	v9_rep_loss(t, l->throttled, "throttled", "throttled",
		    "the kernel paused an event that came too often");
	v9_rep_loss(t, l->aux_errors, "recorder_errors", "errors of the recorder",
		    "it failed to read AUX data");
	if (aux)
		v9_rep_loss(t, aux->missing, "aux_missing", "AUX bytes beyond the end of the file",
			    "the file was cut short");
	v9_rep_loss(t, l->cpu_away, "cpu_away", "CPUs that were offline or came late",
		    v9_rep_keep(r, "not recorded until the recorder saw them: up to %s s",
				v9_rep_seconds(r, l->cpu_away_ns)));
	/* Of recordings that somebody has paused: of others there are no such rows. */
	if (l->paused) {
		v9_rep_loss(t, l->paused, "paused", "times that v9trace pause stopped the recording",
			    "another session had the unit, or could have it");
		v9_rep_loss(t, l->paused_ns / 1000000, "paused_ms", "ms that it was stopped",
			    "from the pause until all events were open again");
	}
	v9_rep_loss(t, r->s.file.missing + r->s.twin.missing, "file_missing", "bytes beyond the end of the file",
		    "the file was cut short");
}

/* What is not known of the heap, if its calls were recorded and read */
static void heap_losses(const struct v9_heap *h, struct v9_table *t)
{
	const struct { uint64_t n; const char *kind, *what, *meaning; } rows[] = {
		{ h->unreadable, "heap_unreadable", "calls of malloc() and others that cannot be read",
		  "they do not have the format of their event" },
		{ h->open, "heap_open", "calls of malloc() and others without a return",
		  "the return was lost, or the recording ended: a block is not known" },
		{ h->returns, "heap_returns", "returns of malloc() and others without their call",
		  "the call was lost, or was before the recording: a block is not known" },
		{ h->unplaced, "heap_unplaced", "results of posix_memalign() that are not known",
		  "its variable was not near the top of the stack: a block is not known" },
		{ h->unknown, "heap_unknown", "frees of blocks that are not known",
		  "allocated before the recording, by the C library for itself, or lost" },
		{ h->missed, "heap_missed", "blocks allocated again without a free()",
		  "the call that freed them was lost" },
	};

	for (size_t i = 0; h->recorded && i < V9_ARRAY_SIZE(rows); i++)
		v9_rep_loss(t, rows[i].n, rows[i].kind, rows[i].what, rows[i].meaning);
}

void v9_rep_spe_losses(struct v9_report *r)
{
	struct v9_table t = { .name = "lost", .title = "Lost", .shape = V9_LOSSES,
			      .cols = v9_rep_lost, .nr_cols = V9_REP_COLS,
			      .empty = "nothing: no collisions, no truncation, "
				       "every byte decoded" };

	v9_rep_losses(r, &t, &r->s.aux[V9_KIND_SPE],
		      "samples came due while one was in flight: use a longer period",
		      "the buffer was full or failed: use a larger one (-m) or a longer period");
	for (unsigned int i = 0; i < V9_SPE_SKIPS; i++)
		v9_rep_loss(&t, r->acc.skipped[i], skips[i].kind,
			    v9_rep_keep(r, "AUX bytes skipped: %s", v9_spe_skip_why[i]),
			    skips[i].meaning);
	v9_rep_loss(&t, r->unread, "unread_stopped", "AUX bytes not read: interrupted", "not decoded");
	if (r->parts_left)
		v9_rep_loss(&t, r->parts_left, "parts_stopped",
			    "parts of the cache lines not added up: interrupted", "lines and pages are missing");
	if (r->few_lines)
		v9_rep_loss(&t, r->few_lines, "few_lines", "records of cache lines that are left out",
			    "too many lines; --passes 0 or a larger --at-once shows all");
	if (r->few_pages)
		v9_rep_loss(&t, r->few_pages, "few_pages", "records of pages that are left out",
			    "too many pages; --passes 0 shows all");
	v9_rep_loss(&t, r->acc.no_events, "records_without_events", "records without events",
	     "each should have them: the data may be damaged");
	v9_rep_loss(&t, r->acc.unknown_packets, "unknown_packets", "packets without a known meaning",
	     "skipped inside their records");
	heap_losses(&r->s.heap, &t);
	v9_rep_table(r, &t);
}

static void put_known(struct v9_table *t, bool known, uint64_t n)
{
	if (known)
		v9_put_count(t, n);
	else
		v9_put_unknown(t);
}

void v9_rep_check(struct v9_report *r, enum v9_kind_id kind, uint64_t records)
{
	static const struct v9_col cols[] = {
		{ "event", "event", V9_TEXT, false },
		{ "counted", "counted", V9_COUNT, false },
		{ "recorded", "recorded", V9_COUNT, false },
		{ "least", "at least", V9_COUNT, V9_DROP(1) },
		{ "most", "at most", V9_COUNT, V9_DROP(1) },
		{ "verdict", "verdict", V9_TEXT, false },
		{ "what", "recorded are", V9_TEXT, V9_CUT | V9_DROP(2) },
		{ "why", NULL, V9_TEXT, false },
	};
	struct v9_table t = { .name = "check", .title = "Check", .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .of = "counted by the PMU, recorded, and what that allows a counter to have" };
	struct v9_check_unit u = { .unit = kind == V9_KIND_SPE ? PD_AUXTRACE_ARM_SPE : PD_AUXTRACE_CS_ETM,
				   .records = records, .collided = r->s.aux[kind].collision };
	struct v9_check_row row[V9_CHECK_EVENTS];
	size_t n;

	/* A part of a capture has counts of all of it. */
	if (!r->s.nr_counts || r->s.parts || r->s.stopped)
		return;
	for (size_t i = 0; i < r->s.nr_extents; i++)
		u.pieces += r->s.extents[i].kind == kind;
	n = v9_check_rows(&u, &r->s.counts, r->s.count, r->s.nr_counts, row);
	for (size_t i = 0; i < n; i++) {
		const struct v9_check_row *c = &row[i];
		const bool counted = !c->why;

		v9_table_row(&t);
		v9_put_text(&t, c->event->name);
		put_known(&t, counted, c->counted);
		put_known(&t, counted, c->recorded);
		put_known(&t, counted, c->least);
		put_known(&t, counted && c->most != UINT64_MAX, c->most);
		v9_put_text(&t, v9_check_verdicts[c->verdict]);
		v9_put_text(&t, counted || !r->out.format->for_people ? c->what : c->why);
		v9_put_text(&t, c->why);
	}
	v9_rep_table(r, &t);
}

/* Adds a fact as text. The caller may add the number for JSON and CSV. */
void v9_rep_fact(struct v9_table *t, const char *key, const char *what, const char *value)
{
	v9_table_row(t);
	v9_put_text(t, key);
	v9_put_text(t, what);
	v9_put_text(t, value);
}

void v9_rep_number(struct v9_report *r, struct v9_table *t, const char *key, const char *what,
		   uint64_t n, const char *unit)
{
	v9_rep_fact(t, key, what, v9_rep_keep(r, "%" PRIu64 "%s", n, unit));
	v9_put_count(t, n);
}

/* Adds a count. 0 is unknown: per-thread buffers, for example, have no CPU. */
void v9_rep_known(struct v9_report *r, struct v9_table *t, const char *key, const char *what,
		  uint64_t n)
{
	if (n)
		v9_rep_number(r, t, key, what, n, "");
	else
		v9_rep_fact(t, key, what, NULL);
}

const char *v9_rep_seconds(struct v9_report *r, uint64_t ns)
{
	return v9_rep_keep(r, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

void v9_rep_time(struct v9_report *r, struct v9_table *t, const char *key, const char *what,
		 uint64_t ns)
{
	v9_rep_fact(t, key, what, v9_rep_keep(r, "%s s", v9_rep_seconds(r, ns)));
	v9_put_count(t, ns);
}

static const char *exception_levels(struct v9_report *r)
{
	char buf[64];
	size_t at = 0;

	for (unsigned int el = 0; el < V9_ARRAY_SIZE(r->a.el); el++)
		if (r->a.el[el])
			at += (size_t)snprintf(buf + at, sizeof(buf) - at, "%sEL%u %.1f%%",
					       at ? ", " : "", el,
					       v9_rep_percent(r->a.el[el], r->a.with_pc));
	return v9_rep_keep(r, "%s", buf);
}

/* A number of members of the sample population; @behind: text behind it */
static void put_members(struct v9_report *r, struct v9_table *t, const char *key, const char *what,
			uint64_t n, const char *behind)
{
	static const char *const members[] = {
		[V9_POPULATION_UNKNOWN] = "operations",
		[V9_POPULATION_INSTRUCTIONS] = "instructions",
		[V9_POPULATION_OPERATIONS] = "micro-operations",
	};

	v9_rep_number(r, t, key, what, n,
		      v9_rep_keep(r, " %s%s", members[r->s.interval.population], behind));
}

void v9_rep_period(struct v9_report *r, struct v9_table *t)
{
	const struct v9_interval *v = &r->s.interval;

	if (r->s.period)
		put_members(r, t, "period", "period", r->s.period, v->mean ? " asked for" : "");
	if (v->mean)
		put_members(r, t, "interval", "interval", v->mean, !v->random ? "" :
			    v->unsure ? " in the mean, or 127 less: random" : " in the mean: random");
	if (v->least)
		put_members(r, t, "least_interval", "least interval", v->least,
			    v->shorter ? ": the unit advises no shorter one" : "");
}

static void print_summary(struct v9_report *r)
{
	struct v9_table t = { .name = "summary", .title = "Summary", .shape = V9_KEYED,
			      .cols = v9_rep_facts, .nr_cols = V9_REP_COLS };
	const struct v9_spe_account *acc = &r->acc;
	const struct v9_aggregate *a = &r->a;
	const uint64_t unretired = a->with_events - a->events[V9_SPE_EV_RETIRED];
	const uint64_t padding = acc->padding + r->s.aux[V9_KIND_SPE].rounding;
	const uint64_t skipped = r->s.aux[V9_KIND_SPE].bytes - acc->record_bytes - padding - r->unread;
	char room[16];

	v9_rep_number(r, &t, "records", "records", acc->records, "");
	if (a->samples != acc->records)
		v9_rep_number(r, &t, "selected", "selected", a->samples, "");
	v9_rep_period(r, &t);
	if (unretired)
		v9_rep_number(r, &t, "not_retired", "not retired", unretired,
			      ": wrong paths, exceptions, operations of no instruction; all shares have them");
	v9_rep_known(r, &t, "cpus", "cpus", a->cpus.used);
	v9_rep_known(r, &t, "tasks", "tasks", a->tasks.used);
	if (a->with_time) {
		v9_rep_time(r, &t, "first_ns", "first record", a->first);
		v9_rep_time(r, &t, "covered_ns", "time covered", a->last - a->first);
	}
	if (a->with_pc)
		v9_rep_fact(&t, "exception_levels", "exception levels", exception_levels(r));
	v9_rep_fact(&t, "aux_bytes", "aux data",
	     v9_rep_keep(r, "%s: %" PRIu64 " bytes in records, %" PRIu64 " padding, %" PRIu64 " skipped",
		  v9_bytes(room, r->s.aux[V9_KIND_SPE].bytes), acc->record_bytes, padding, skipped));
	v9_put_count(&t, r->s.aux[V9_KIND_SPE].bytes);
	v9_rep_table(r, &t);
}

static double mean(const struct v9_sum *s)
{
	return s->n ? (double)s->sum / (double)s->n : -1;
}

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static const char *symbol(const struct v9_hot *h)
{
	return h->func ? h->func->name : "[unknown]";
}

static int hot_order(const void *a, const void *b, const void *arg)
{
	const struct v9_hot *x = a, *y = b;
	const struct v9_sort *sort = arg;
	const struct v9_sum *sx = &x->lat[sort->lat], *sy = &y->lat[sort->lat];
	int r = 0;

	switch (sort->how) {
	case BY_SAMPLES:
		break;
	case BY_CYCLES:
		r = (sy->sum > sx->sum) - (sy->sum < sx->sum);
		break;
	case BY_MEAN:
		r = (mean(sy) > mean(sx)) - (mean(sy) < mean(sx));
		break;
	case BY_SYMBOL:
		r = text_order(symbol(x), symbol(y));
		break;
	case BY_DSO:
		r = text_order(x->dso, y->dso);
		break;
	case BY_COMM:
		r = text_order(x->comm, y->comm);
		break;
	}
	if (!r)
		r = (y->samples > x->samples) - (y->samples < x->samples);
	if (!r)
		r = text_order(symbol(x), symbol(y));
	if (!r)
		r = text_order(x->dso, y->dso);
	return r ? r : text_order(x->comm, y->comm);
}

static void print_functions(struct v9_report *r)
{
	static const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "latency_total", "latency", V9_MEAN, false },
		{ "latency_issue", "issue", V9_MEAN, V9_DROP(2) },
		{ "latency_translation", "transl", V9_MEAN, V9_DROP(1) },
		{ "comm", "command", V9_TEXT, V9_CUT | V9_DROP(3) },
		{ "dso", "object", V9_TEXT, true },
		{ "symbol", "symbol", V9_TEXT, true },
	};
	struct v9_table t = { .name = "functions", .title = "Hottest functions",
			      .of = "share of samples, mean latencies in cycles",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols),
			      .empty = "no record passed the filter" };
	const struct v9_aggregate *a = &r->a;
	void **hot;
	size_t n;

	hot = v9_bins_top(&a->hot, r->limit, NULL, hot_order, r->sort, &n);
	for (size_t i = 0; i < n; i++) {
		const struct v9_hot *h = hot[i];

		v9_table_row(&t);
		v9_put_real(&t, v9_rep_percent(h->samples, a->samples));
		v9_put_count(&t, h->samples);
		for (unsigned int k = 0; k < V9_SPE_LATENCIES; k++)
			v9_rep_mean(&t, &h->lat[k]);
		v9_put_text(&t, h->comm);
		v9_put_text(&t, v9_rep_object(r, h->dso));
		v9_put_text(&t, symbol(h));
	}
	v9_rep_more(r, &t, a->hot.used, n);
	free(hot);
	v9_rep_table(r, &t);
}

void v9_rep_histogram(struct v9_table *t, const uint64_t *h)
{
	static const unsigned int percents[] = { 50, 90, 99, 100 };
	struct v9_sum s = { 0 };
	uint64_t max;

	for (uint64_t v = 0; v < V9_LAT_VALUES; v++) {
		s.n += h[v];
		s.sum += h[v] * v;
	}
	max = v9_percentile(h, s.n, 100);
	v9_put_count(t, s.n);
	v9_rep_mean(t, &s);
	for (size_t k = 0; k < V9_ARRAY_SIZE(percents); k++) {
		if (s.n)
			v9_put_count(t, v9_percentile(h, s.n, percents[k]));
		else
			v9_put_unknown(t);
	}
	v9_put_count(t, h[max > COUNTER12_MAX ? COUNTER16_MAX : COUNTER12_MAX]);
}

static void print_latencies(struct v9_report *r)
{
	static const struct v9_col cols[] = {
		{ "latency", "", V9_TEXT, false },
		V9_REP_HISTOGRAM,
	};
	struct v9_table t = { .name = "latencies", .title = "Latencies, in cycles",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };

	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++) {
		v9_table_row(&t);
		v9_put_text(&t, v9_rep_latencies[i]);
		v9_rep_histogram(&t, r->a.lat[i]);
	}
	v9_rep_table(r, &t);
}

struct op_row {
	const char *text;
	uint64_t n;
	struct v9_sum lat;
};

static int op_order(const void *a, const void *b)
{
	const struct op_row *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->text, y->text);
}

static void print_operations(struct v9_report *r)
{
	static const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "latency_total", "latency", V9_MEAN, false },
		{ "operation", "operation", V9_TEXT, true },
	};
	struct v9_table t = { .name = "operations", .title = "Operations",
			      .of = "share of samples with one, mean latency in cycles",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	struct op_row *rows = v9_alloc(V9_OP_CLASSES * 256 * sizeof(*rows));
	size_t n = 0;
	char buf[128];

	for (unsigned int class = 0; class < V9_OP_CLASSES; class++)
		for (unsigned int op = 0; op < 256; op++)
			if (r->a.ops[class][op])
				rows[n++] = (struct op_row){
					.text = v9_rep_keep(r, "%s", v9_spe_op(buf, sizeof(buf), class,
									(uint8_t)op)),
					.n = r->a.ops[class][op],
					.lat = r->a.op_lat[class][op],
				};
	qsort(rows, n, sizeof(*rows), op_order);
	for (size_t i = 0; i < n; i++) {
		v9_table_row(&t);
		v9_put_real(&t, v9_rep_percent(rows[i].n, r->a.with_op));
		v9_put_count(&t, rows[i].n);
		v9_rep_mean(&t, &rows[i].lat);
		v9_put_text(&t, rows[i].text);
	}
	free(rows);
	v9_rep_table(r, &t);
}

/*
 * Returns the count and the name that the ratio of an event refers to: another event, branches, or
 * conditional operations. Returns false if the event has only a share of all samples.
 */
static bool share_of(struct v9_report *r, unsigned int bit, uint64_t *whole, const char **of)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(shares); i++)
		if (shares[i].event == bit) {
			*whole = r->a.events[shares[i].of];
			*of = v9_spe_event_name(shares[i].of);
			return true;
		}
	if (bit != V9_SPE_EV_MISPREDICTED && bit != V9_SPE_EV_NOT_TAKEN)
		return false;
	*whole = 0;
	*of = bit == V9_SPE_EV_MISPREDICTED ? "branches" : "conditional operations";
	for (unsigned int op = 0; op < 256; op++) {
		const bool cond = op & V9_SPE_OP_BRANCH_COND;

		if (bit == V9_SPE_EV_MISPREDICTED || cond)
			*whole += r->a.ops[V9_SPE_OP_CLASS_BRANCH][op];
		if (bit == V9_SPE_EV_NOT_TAKEN && op == V9_SPE_OP_OTHER_COND)
			*whole += r->a.ops[V9_SPE_OP_CLASS_OTHER][op];
	}
	return true;
}

static void print_events(struct v9_report *r)
{
	static const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "event", "event", V9_TEXT, false },
		{ "percent_of", "ratio", V9_PERCENT, false },
		{ "of", "of", V9_TEXT, false },
	};
	struct v9_table t = { .name = "events", .title = "Events",
			      .of = "share of samples with events, ratio to the event beside it",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };

	for (unsigned int bit = 0; bit < V9_SPE_EVENT_BITS; bit++) {
		const uint64_t n = r->a.events[bit];
		const char *of = NULL, *name = v9_spe_event_name(bit);
		uint64_t whole = 0;

		/* A count of 0 is also of interest, such as no refill in many accesses. */
		share_of(r, bit, &whole, &of);
		if (!n && !whole)
			continue;
		v9_table_row(&t);
		v9_put_real(&t, v9_rep_percent(n, r->a.with_events));
		v9_put_count(&t, n);
		v9_put_text(&t, name ? name : v9_rep_keep(r, "e%u", bit));
		v9_rep_share(&t, n, whole);
		v9_put_text(&t, of);
	}
	v9_rep_table(r, &t);
}

static void print_sources(struct v9_report *r)
{
	static const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "value", "value", V9_TEXT, false },
		{ "source", "source", V9_TEXT, false },
	};
	struct v9_table t = { .name = "data_sources", .title = "Data sources",
			      .of = "share of samples with one",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };

	for (unsigned int set = 0; set < V9_SPE_SETS; set++)
		for (unsigned int v = 0; r->a.sources[set] && v < 65536; v++) {
			const uint64_t n = r->a.sources[set][v];

			if (!n)
				continue;
			v9_table_row(&t);
			v9_put_real(&t, v9_rep_percent(n, r->a.with_source));
			v9_put_count(&t, n);
			v9_put_text(&t, v9_rep_keep(r, "0x%x", v));
			v9_put_text(&t, v9_spe_source(set, (uint16_t)v));
		}
	v9_rep_table(r, &t);
}

/* A socket with a node, both from the capture, and the sums of its CPUs */
struct place_row {
	int32_t socket, node;
	uint32_t cpus;
	struct v9_cpu_sum sum;
};

static int place_order(const void *a, const void *b)
{
	const struct place_row *x = a, *y = b;

	return x->socket != y->socket ? (x->socket > y->socket) - (x->socket < y->socket) :
	       (x->node > y->node) - (x->node < y->node);
}

static struct place_row *place_of(struct place_row *rows, size_t *n, int32_t socket, int32_t node)
{
	for (size_t i = 0; i < *n; i++)
		if (rows[i].socket == socket && rows[i].node == node)
			return &rows[i];
	rows[*n] = (struct place_row){ .socket = socket, .node = node };
	return &rows[(*n)++];
}

static void put_place(struct v9_table *t, int32_t id)
{
	if (id < 0)
		v9_put_unknown(t);
	else
		v9_put_count(t, (uint64_t)id);
}

/* Without rows unless the CPUs with samples, or all of the machine, are in more than one place */
static void print_places(struct v9_report *r)
{
	static const struct v9_col cols[] = {
		{ "socket", "socket", V9_COUNT, false },
		{ "node", "node", V9_COUNT, false },
		{ "cpus", "CPUs", V9_COUNT, false },
		{ "percent", "share", V9_PERCENT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "latency_total", "latency", V9_MEAN, false },
	};
	struct v9_table t = { .name = "places", .title = "Sockets and nodes",
			      .of = "share of samples, mean latency in cycles",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };
	const struct v9_topology *topology = &r->s.topology;
	struct place_row *rows = v9_alloc((r->a.nr_cpus + topology->cpus + 1) * sizeof(*rows));
	size_t n = 0;

	for (uint32_t cpu = 0; cpu < topology->cpus || cpu < r->a.nr_cpus; cpu++) {
		const struct v9_cpu_sum sum = cpu < r->a.nr_cpus ? r->a.cpu[cpu] :
					      (struct v9_cpu_sum){ 0 };
		const int32_t socket = v9_topology_socket(topology, cpu);
		const int32_t node = v9_topology_node(topology, cpu);
		struct place_row *row;

		if (socket < 0 && node < 0 && !sum.samples)
			continue;
		row = place_of(rows, &n, socket, node);
		row->cpus++;
		row->sum.samples += sum.samples;
		row->sum.lat.n += sum.lat.n;
		row->sum.lat.sum += sum.lat.sum;
	}
	qsort(rows, n, sizeof(*rows), place_order);
	for (size_t i = 0; i < n && n > 1; i++) {
		v9_table_row(&t);
		put_place(&t, rows[i].socket);
		put_place(&t, rows[i].node);
		v9_put_count(&t, rows[i].cpus);
		v9_put_real(&t, v9_rep_percent(rows[i].sum.samples, r->a.samples));
		v9_put_count(&t, rows[i].sum.samples);
		v9_rep_mean(&t, &rows[i].sum.lat);
	}
	free(rows);
	v9_rep_table(r, &t);
}

/* Prints objects with samples but without symbols, and the reason. */
static void print_nameless(struct v9_report *r)
{
	static const struct v9_col cols[] = {
		{ "samples", "samples", V9_COUNT, false },
		{ "dso", "object", V9_TEXT, true },
		{ "why", "why", V9_TEXT, true },
	};
	struct v9_table t = { .name = "nameless", .title = "Objects without symbols",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols) };

	for (size_t i = 0; i < r->s.syms.nr_dsos; i++) {
		const struct v9_dso *d = r->s.syms.dsos[i];

		if (!d->unresolved || !d->why)
			continue;
		v9_table_row(&t);
		v9_put_count(&t, d->unresolved);
		v9_put_text(&t, d->name);
		v9_put_text(&t, d->why);
	}
	v9_rep_table(r, &t);
}

static bool print_tables(struct v9_report *r, bool (*print)(struct v9_report *r))
{
	const struct v9_format *format = r->o.format;
	bool any;

	v9_out_init(&r->out, format, !r->o.no_color);
	if (r->o.wide)
		r->out.width = 0;
	if (format->begin)
		format->begin(&r->out);
	any = print(r);
	print_nameless(r);
	if (format->end)
		format->end(&r->out);
	return any;
}

int v9_report_run(struct v9_report *r, unsigned int shows, bool (*print)(struct v9_report *r))
{
	const bool shard = r->reads_shards && v9_shard_is(r->o.path);
	int status = shard ? v9_shard_open(r) : v9_capture_open(&r->s, &r->o, shows);

	if (!status) {
		const bool printed = print_tables(r, print);

		status = !shard ? v9_capture_status(&r->s, r->o.path, printed) :
			 printed ? V9_EXIT_OK : V9_EXIT_FAILED;
	}
	v9_shard_close(r);
	v9_session_close(&r->s);
	v9_strtab_free(&r->text);
	v9_filter_free(&r->o.filter);
	if (fflush(stdout) || ferror(stdout)) {
		v9_error("cannot write the report: %s", strerror(errno));
		return V9_EXIT_FAILED;
	}
	return status;
}

void v9_rep_percentiles(struct v9_table *t, const struct v9_hist *h)
{
	static const unsigned int percents[] = { 50, 90, 99, 100 };

	for (size_t i = 0; i < V9_ARRAY_SIZE(percents); i++)
		if (h->n)
			v9_put_count(t, v9_hist_percentile(h, percents[i]));
		else
			v9_put_unknown(t);
}

bool v9_report_kinds(struct v9_report *r)
{
	unsigned int present = 0;
	bool any = false;

	if (r->shard)
		return v9_shard_report(r);
	if (r->waits)
		v9_wakes_read(&r->s);
	if (r->waits && !r->s.waits.nr_threads) {
		v9_error("%s holds no switches between threads: record with v9trace record, or with perf "
			 "record --switch-events", r->o.path);
		return false;
	}
	v9_for_each_present(k, &r->s)
		present++;
	v9_for_each_present(k, &r->s) {
		r->part = present > 1 ? k : NULL;
		if (k->report(r))
			any = true;
		else if (!r->refused && !r->s.stopped)
			v9_kind_empty(k, &r->s, r->o.path);
	}
	r->part = NULL;
	if (any && r->o.filter.used && !r->selected && !r->s.stopped) {
		v9_filter_nothing(&r->o.filter, &r->s, r->o.path);
		return false;
	}
	return any;
}

static void print_all(struct v9_report *r)
{
	v9_rep_spe_losses(r);
	v9_rep_check(r, V9_KIND_SPE, r->acc.records);
	if (r->waits) {
		v9_rep_waits_alone(r);
		return;
	}
	print_summary(r);
	if (r->groups.nr)
		v9_groups_print(&r->groups, r, &(struct v9_groups_kind){
				.item = "samples", .latencies = true, .share = 100 });
	else
		print_functions(r);
	print_latencies(r);
	print_operations(r);
	print_events(r);
	print_sources(r);
	print_places(r);
}

/* The same, and by groups */
static void add_grouped(void *arg, struct v9_sampled *s, size_t n)
{
	struct v9_report *r = arg;

	v9_aggregate_add(&r->a, s, n);
	for (size_t i = 0; i < n; i++) {
		const bool has_pc = s[i].rec->has & V9_SPE_REC_PC;
		struct v9_place place = { .dso_name = NULL };

		if (r->groups.places && has_pc)
			v9_syms_find(&r->s.syms, s[i].pid, v9_sampled_time(&s[i]),
				     s[i].rec->pc.addr, &place);
		v9_groups_add(&r->groups, &r->s, &s[i], has_pc ? s[i].rec->pc.el : -1, &place,
			      r->groups.by_line ? v9_groups_line(&r->groups, &place) : NULL,
			      s[i].rec, 1);
	}
}

/* Two consumers of the same records */
struct both {
	struct v9_taker first, second;
};

static void take_both(void *arg, struct v9_sampled *s, size_t n)
{
	const struct both *b = arg;

	b->first.take(b->first.arg, s, n);
	b->second.take(b->second.arg, s, n);
}

/*
 * Decodes with @parts threads and adds up their results in the order of the buffers. @first: what takes
 * the records of the first one
 */
static void aggregate(struct v9_report *r, const struct v9_taker *first, unsigned int parts)
{
	struct v9_aggregate *more = v9_alloc(parts * sizeof(*more));
	struct v9_taker *listener = v9_alloc(parts * sizeof(*listener));

	listener[0] = *first;
	for (unsigned int i = 1; i < parts; i++) {
		v9_aggregate_init(&more[i], r->a.syms, r->a.lock);
		listener[i] = (struct v9_taker){ .take = v9_aggregate_add, .arg = &more[i] };
	}
	v9_report_parted(r, listener, parts, true);
	v9_aggregate_finish(&r->a);
	for (unsigned int i = 1; i < parts; i++) {
		v9_aggregate_finish(&more[i]);
		v9_aggregate_merge(&r->a, &more[i]);
		v9_aggregate_free(&more[i]);
	}
	free(listener);
	free(more);
}

bool v9_report_spe(struct v9_report *r)
{
	struct v9_taker listener = { .take = v9_aggregate_add, .arg = &r->a };
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const bool others = r->groups.nr || (r->more && r->more->records);
	struct both both;

	v9_aggregate_init(&r->a, &r->s.syms, &lock);
	v9_groups_init(&r->groups, &r->s.syms);
	if (r->groups.by_block)
		v9_heap_read(&r->s);
	if (r->groups.nr)
		listener = (struct v9_taker){ .take = add_grouped, .arg = r };
	if (r->more && r->more->records) {
		both = (struct both){ listener, *r->more->records };
		listener = (struct v9_taker){ .take = take_both, .arg = &both };
	}
	aggregate(r, &listener, others ? 1 : v9_report_parts(r));
	print_all(r);
	r->selected |= r->a.samples > 0;
	v9_aggregate_free(&r->a);
	v9_groups_free(&r->groups);
	return r->acc.records;
}

const char *v9_sort_name(const struct v9_sort *sort)
{
	return sort->name;
}

const struct v9_sort *v9_sort_find(const char *name)
{
	if (!name)
		return &sorts[0];
	for (size_t i = 0; i < V9_ARRAY_SIZE(sorts); i++)
		if (!strcmp(sorts[i].name, name))
			return &sorts[i];
	v9_error("--sort %s: samples, cycles, latency, issue, translation, symbol, dso or comm",
		 name);
	return NULL;
}
