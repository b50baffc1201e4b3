// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* qsort_r(), strcasestr() */
#endif
#include "rows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../report/json.h"
#include "../util.h"

const char *const v9_top_by_name[V9_TOP_BYS] = {
	[V9_TOP_FUNCTION] = "function", [V9_TOP_SRCLINE] = "line", [V9_TOP_OBJECT] = "object",
	[V9_TOP_DATA] = "data", [V9_TOP_SOURCE] = "source", [V9_TOP_LATENCY] = "latency",
};

const char *const v9_top_sort_name[V9_TOP_SORTS] = {
	[V9_TOP_SAMPLES] = "samples", [V9_TOP_CYCLES] = "latency", [V9_TOP_AVERAGE] = "average",
	[V9_TOP_L1] = "l1", [V9_TOP_LLC] = "llc", [V9_TOP_TLB] = "tlb", [V9_TOP_BRANCH] = "branch",
};

/* What is shared out by an order, and the title of its column of samples with that event */
static const struct {
	enum v9_weight weight;
	const char *what, *title;
} sorts[V9_TOP_SORTS] = {
	[V9_TOP_SAMPLES] = { V9_W_SAMPLES, "samples", "L1miss" },
	[V9_TOP_CYCLES] = { V9_W_LATENCY, "cycles of latency", "L1miss" },
	[V9_TOP_AVERAGE] = { V9_W_SAMPLES, "samples", "L1miss" },
	[V9_TOP_L1] = { V9_W_L1_MISSES, "L1 misses", "L1miss" },
	[V9_TOP_LLC] = { V9_W_LLC_MISSES, "last level misses", "LLmiss" },
	[V9_TOP_TLB] = { V9_W_TLB_MISSES, "TLB walks", "walks" },
	[V9_TOP_BRANCH] = { V9_W_MISPREDICTS, "mispredictions", "mispr." },
};

/* Columns for wide terminals: all events, whatever the order is */
static const struct {
	enum v9_weight weight;
	const char *title;
} events[] = {
	{ V9_W_L1_MISSES, "L1miss" }, { V9_W_LLC_MISSES, "LLmiss" }, { V9_W_TLB_MISSES, "walks" },
	{ V9_W_MISPREDICTS, "mispr." },
};

#define WIDE		100	/* columns of a terminal that has room for all events */
#define OBJECT		16	/* columns of an object */
#define OBJECT_WIDE	24
#define TARGET		24	/* columns of what a recorder records */

size_t v9_top_find(const char *const *names, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && strcmp(names[i], name))
		i++;
	return i;
}

/* ---- rows */

void v9_top_rows_init(struct v9_top_rows *r)
{
	*r = (struct v9_top_rows){ .nr = 0 };
	v9_bins_init(&r->bins, sizeof(struct v9_top_row));
}

void v9_top_rows_free(struct v9_top_rows *r)
{
	v9_bins_free(&r->bins);
	free(r->row);
	r->row = NULL;
}

/* The shortest period; 0: none is known */
static uint64_t shortest(const struct v9_live_copy *s)
{
	uint64_t least = 0;

	for (size_t i = 0; i < s->nr_types; i++)
		if (s->types[i].period && (!least || s->types[i].period < least))
			least = s->types[i].period;
	return least;
}

/* Samples of a longer period count as so many of the shortest one. */
static void add(struct v9_top_rows *r, const struct v9_top_place *place, const uint64_t value[V9_SPE_WEIGHTS],
		uint64_t period)
{
	struct v9_top_row *row = v9_bins_at(&r->bins, place->key, V9_ARRAY_SIZE(place->key));

	row->object = place->object;
	row->name = place->name;
	for (unsigned int i = 0; i < V9_SPE_WEIGHTS; i++) {
		const uint64_t n = period && r->period ? v9_weigh_period(value[i], period, r->period) : value[i];

		row->value[i] += n;
		r->total[i] += n;
	}
}

static void add_classes(struct v9_top_rows *r, const struct v9_live_copy *s, enum v9_live_what what,
			v9_top_class_fn class, void *arg)
{
	struct v9_top_place place;

	for (size_t i = 0; i < s->nr_classes; i++) {
		if (s->classes[i].what != what)
			continue;
		class(arg, &s->classes[i], &place);
		add(r, &place, s->classes[i].value, s->classes[i].period);
	}
}

void v9_top_group(struct v9_top_rows *r, const struct v9_live_copy *s, enum v9_top_by by, v9_top_place_fn place_of,
		  v9_top_class_fn class, void *arg)
{
	struct v9_top_place place;

	v9_bins_clear(&r->bins);
	memset(r->total, 0, sizeof(r->total));
	r->period = shortest(s);
	r->nr = 0;
	if (by == V9_TOP_SOURCE || by == V9_TOP_LATENCY) {
		add_classes(r, s, by == V9_TOP_SOURCE ? V9_LIVE_SOURCE : V9_LIVE_LATENCY, class, arg);
		return;
	}
	for (size_t i = 0; i < s->nr_sums; i++) {
		if (by == V9_TOP_DATA && s->sums[i].line == V9_LIVE_NO_LINE)
			continue;
		place_of(arg, &s->sums[i], &place);
		add(r, &place, s->sums[i].value, s->sums[i].period);
	}
	place = (struct v9_top_place){ .key = { UINT64_MAX, UINT64_MAX }, .object = "", .name = "[evicted]" };
	for (size_t i = 0; i < s->nr_types; i++)
		if (s->types[i].evicted[V9_W_SAMPLES])
			add(r, &place, s->types[i].evicted, s->types[i].period);
}

double v9_top_average(const struct v9_top_row *row)
{
	const uint64_t n = row->value[V9_W_SAMPLES];

	return n ? (double)row->value[V9_W_LATENCY] / (double)n : 0;
}

double v9_top_share(const struct v9_top_rows *r, const struct v9_top_row *row, enum v9_top_sort sort)
{
	const enum v9_weight w = sorts[sort].weight;

	return r->total[w] ? 100 * (double)row->value[w] / (double)r->total[w] : 0;
}

/* Largest first; equal ones by name, so that rows do not change places without a reason */
static int in_order(const void *a, const void *b, void *arg)
{
	const struct v9_top_row *x = *(const struct v9_top_row *const *)a, *y = *(const struct v9_top_row *const *)b;
	const struct v9_top_choice *c = arg;
	const enum v9_weight w = sorts[c->sort].weight;
	int order;

	if (c->by == V9_TOP_LATENCY)
		return V9_ORDER(x->key[1], y->key[1]);
	order = c->sort == V9_TOP_AVERAGE ? V9_ORDER(v9_top_average(y), v9_top_average(x)) :
					    V9_ORDER(y->value[w], x->value[w]);
	if (!order)
		order = V9_ORDER(y->value[V9_W_SAMPLES], x->value[V9_W_SAMPLES]);
	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = strcmp(x->object, y->object);
	return order ? order : V9_ORDER(x->key[0], y->key[0]);
}

void v9_top_order(struct v9_top_rows *r, const struct v9_top_choice *c)
{
	r->row = v9_realloc(r->row, (r->bins.used + 1) * sizeof(*r->row));
	r->nr = 0;
	for (size_t i = 0; i < r->bins.used; i++) {
		const struct v9_top_row *row = v9_bins_get(&r->bins, i);

		if (!*c->filter || strcasestr(row->name, c->filter) || strcasestr(row->object, c->filter))
			r->row[r->nr++] = row;
	}
	qsort_r(r->row, r->nr, sizeof(*r->row), in_order, (void *)c);
}

/* ---- text */

/* A line that is cut at its width, in characters */
struct text {
	char *s;
	size_t n, room;			/* bytes */
	unsigned int width, used;	/* characters; .width 0: any */
};

static void put_char(struct text *t, const char *s, size_t n)
{
	if (t->width && t->used >= t->width)
		return;
	if (t->n + n + 1 > t->room) {
		t->room = 2 * t->room + n + 64;
		t->s = v9_realloc(t->s, t->room);
	}
	memcpy(t->s + t->n, s, n);
	t->n += n;
	t->s[t->n] = '\0';
	t->used++;
}

/* At least and, if @most is not 0, at most so many characters. '~' at the end: the rest was cut. */
static void put_name(struct text *t, const char *s, unsigned int least, unsigned int most)
{
	const unsigned int room = t->width ? t->width - t->used : 0;
	unsigned int n = 0;

	if (room && (!most || room < most))
		most = room;
	while (*s && (!most || n < most)) {
		const unsigned int bytes = v9_utf8(s);
		const bool plain = bytes > 1 || ((unsigned char)*s >= ' ' && *s != 0x7f && bytes);
		const char *next = s + (bytes ? bytes : 1);

		if (most && n + 1 == most && *next)
			put_char(t, "~", 1);
		else
			put_char(t, plain ? s : "?", plain ? bytes : 1);
		s = next;
		n++;
	}
	while (n++ < least)
		put_char(t, " ", 1);
}

static void __attribute__((format(printf, 2, 3))) put(struct text *t, const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		v9_out_of_memory();
	va_end(ap);
	put_name(t, s, 0, 0);
	free(s);
}

static char *text_of(struct text *t)
{
	return t->s ? t->s : v9_strdup("");
}

/* At most 7 characters: 9999999, 9999.9k and so on */
static void put_count(struct text *t, uint64_t n)
{
	static const char unit[] = "kMGTPE";
	double v = (double)n;
	size_t i = 0;

	if (n < 10000000) {
		put(t, "%7" PRIu64, n);
		return;
	}
	for (v /= 1000; v >= 99999.5 && unit[i + 1]; v /= 1000)
		i++;
	put(t, v >= 9999.95 ? "%6.0f%c" : "%6.1f%c", v, unit[i]);
}

static bool is_wide(unsigned int width)
{
	return !width || width >= WIDE;
}

static bool has_object(enum v9_top_by by)
{
	return by == V9_TOP_FUNCTION || by == V9_TOP_SRCLINE || by == V9_TOP_DATA;
}

static void put_rate(struct text *t, const struct v9_top_row *row, enum v9_weight w)
{
	const uint64_t n = row->value[V9_W_SAMPLES];

	put(t, " %5.1f%%", n ? 100 * (double)row->value[w] / (double)n : 0);
}

static enum v9_weight event_of(enum v9_top_sort sort)
{
	return sorts[sort].weight == V9_W_SAMPLES || sorts[sort].weight == V9_W_LATENCY ? V9_W_L1_MISSES :
										      sorts[sort].weight;
}

char *v9_top_line(const struct v9_top_rows *r, const struct v9_top_row *row, const struct v9_top_choice *c,
		  unsigned int width)
{
	const unsigned int object = is_wide(width) ? OBJECT_WIDE : OBJECT;
	struct text t = { .width = width };

	put(&t, "%6.2f%% ", v9_top_share(r, row, c->sort));
	put_count(&t, row->value[V9_W_SAMPLES]);
	put(&t, " %8.1f", v9_top_average(row));
	for (size_t i = 0; i < V9_ARRAY_SIZE(events) && is_wide(width); i++)
		put_rate(&t, row, events[i].weight);
	if (!is_wide(width))
		put_rate(&t, row, event_of(c->sort));
	put(&t, "  ");
	if (has_object(c->by)) {
		put_name(&t, row->object, object, object);
		put(&t, "  ");
	}
	put_name(&t, row->name, 0, 0);
	return text_of(&t);
}

static char *titles(const struct v9_top_choice *c, unsigned int width)
{
	static const char *const names[V9_TOP_BYS] = {
		[V9_TOP_FUNCTION] = "symbol", [V9_TOP_SRCLINE] = "source line", [V9_TOP_OBJECT] = "object",
		[V9_TOP_DATA] = "data", [V9_TOP_SOURCE] = "data source", [V9_TOP_LATENCY] = "latency, cycles",
	};
	struct text t = { .width = width };

	put(&t, "%7s %7s %8s", "share", "samples", "latency");
	for (size_t i = 0; i < V9_ARRAY_SIZE(events) && is_wide(width); i++)
		put(&t, " %6s", events[i].title);
	if (!is_wide(width))
		put(&t, " %6s", sorts[c->sort].title);
	put(&t, "  ");
	if (has_object(c->by)) {
		put_name(&t, c->by == V9_TOP_DATA ? "process" : "object", is_wide(width) ? OBJECT_WIDE : OBJECT, 0);
		put(&t, "  ");
	}
	put(&t, "%s", names[c->by]);
	return text_of(&t);
}

static char *lost(const struct v9_live_copy *s, unsigned int width)
{
	struct text t = { .width = width };

	for (unsigned int i = 0; i < V9_LIVE_LOSSES; i++)
		if (s->lost[i])
			put(&t, "%s %" PRIu64 " %s", t.n ? "," : "lost:", s->lost[i], v9_live_loss_name[i].text);
	return t.s;
}

static char *recorded(const struct v9_top_head *h, unsigned int width)
{
	const uint64_t up = (uint64_t)h->up;
	struct text t = { .width = width };

	put(&t, "%s", h->paused ? "PAUSED; " : "");
	if (h->why) {
		put(&t, "%s; waiting for one", h->why);
		return text_of(&t);
	}
	if (h->pid) {
		put(&t, "attached to PID %d (", h->pid);
		put_name(&t, h->target, 0, TARGET);
		put(&t, ")%s; ", h->stopped ? ", which is paused" : "");
	}
	put(&t, "%.0f records/s; ", h->rate);
	if (h->pid)
		put(&t, "cost %.1f%% CPU, own %.1f%%", h->recorder, h->cost);
	else
		put(&t, "own cost %.1f%% CPU", h->cost);
	put(&t, "; %" PRIu64 ":%02u:%02u; %s", up / 3600, (unsigned int)(up / 60 % 60), (unsigned int)(up % 60), h->event);
	if (h->period)
		put(&t, " 1/%" PRIu64, h->period);
	if (h->budget)
		put(&t, "; overhead %.2f%%, budget %.2f%%", h->spent / 1e4, h->budget / 1e4);
	if (!h->pid)
		put(&t, ", %s", h->target);
	return text_of(&t);
}

static char *shown(const struct v9_live_copy *s, const struct v9_top_rows *r, const struct v9_top_choice *c,
		   unsigned int width)
{
	struct text t = { .width = width };

	put(&t, "%" PRIu64 " records by %s; share of %s", s->records, v9_top_by_name[c->by], sorts[c->sort].what);
	if (c->sort == V9_TOP_AVERAGE)
		put(&t, "; by average latency");
	if (s->evicted)
		put(&t, "; evicted %" PRIu64 " sums", s->evicted);
	if (*c->filter) {
		put(&t, "; filter ");
		put_name(&t, c->filter, 0, 0);
	}
	put(&t, "; %zu rows", r->nr);
	return text_of(&t);
}

size_t v9_top_head(char *line[V9_TOP_HEAD], const struct v9_top_head *h, const struct v9_live_copy *s,
		   const struct v9_top_rows *r, const struct v9_top_choice *c, unsigned int width)
{
	size_t n = 0;

	line[n] = lost(s, width);
	n += !!line[n];
	line[n++] = recorded(h, width);
	line[n++] = shown(s, r, c, width);
	line[n++] = titles(c, width);
	return n;
}
