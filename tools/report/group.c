// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../util.h"
#include "report.h"

#define RANGE_SIZE	4096	/* bytes of a range of addresses by default */

enum { COMM, PID, TID, CPU, SOCKET, NODE, EL, DSO, SYMBOL, LINE, INLINED, OP, SOURCE, RANGE, CGROUP,
       DATA_NODE, ALLOC, ALLOC_LINE, ALLOC_SIZE, BLOCK };

static const struct v9_col columns[V9_GROUP_KEYS] = {
	[COMM] = { "comm", "command", V9_TEXT, true },
	[PID] = { "pid", "process", V9_COUNT, false },
	[TID] = { "tid", "thread", V9_COUNT, false },
	[CPU] = { "cpu", "CPU", V9_COUNT, false },
	[SOCKET] = { "socket", "socket", V9_COUNT, false },
	[NODE] = { "node", "node", V9_COUNT, false },
	[EL] = { "el", "EL", V9_COUNT, false },
	[DSO] = { "dso", "object", V9_TEXT, true },
	[SYMBOL] = { "symbol", "symbol", V9_TEXT, true },
	[LINE] = { "line", "line", V9_TEXT, true },
	[INLINED] = { "inlined", "inlined", V9_TEXT, true },
	[OP] = { "op", "operation", V9_TEXT, true },
	[SOURCE] = { "source", "data source", V9_TEXT, true },
	[RANGE] = { "range", "data address", V9_TEXT, false },
	[CGROUP] = { "cgroup", "control group", V9_TEXT, true },
	[DATA_NODE] = { "data_node", "data at node", V9_COUNT, false },
	[ALLOC] = { "alloc", "allocated by", V9_TEXT, true },
	[ALLOC_LINE] = { "alloc_line", "allocated at", V9_TEXT, true },
	[ALLOC_SIZE] = { "alloc_size", "size", V9_COUNT, false },
	[BLOCK] = { "block", "heap block", V9_TEXT, false },
};

#define UNKNOWN	UINT64_MAX

struct group {
	uint64_t key[V9_GROUP_KEYS + 2];	/* those used; a symbol and a line take two */
	uint64_t n;
	struct v9_sum lat[V9_SPE_LATENCIES];
	struct v9_hist hist;
};

/* The source line at an address, as it was looked up */
struct line_at {
	uint64_t key[2];		/* object, address */
	bool sought;
	struct v9_group_line line;
};

bool v9_groups_parse(struct v9_groups *g, const char *list)
{
	const char *names[V9_GROUP_KEYS];
	char room[256];
	size_t n;

	g->nr = 0;
	for (const char *s = list; ; s += n + 1) {
		unsigned int k = 0;

		n = strcspn(s, ",");
		while (k < V9_GROUP_KEYS && (strlen(columns[k].name) != n ||
					     strncmp(columns[k].name, s, n)))
			k++;
		for (unsigned int i = 0; i < g->nr; i++)
			if (g->key[i] == k)
				k = V9_GROUP_KEYS;
		if (k == V9_GROUP_KEYS)
			break;
		g->key[g->nr++] = k;
		g->places |= k == DSO || k == SYMBOL || k == LINE || k == INLINED;
		g->by_line |= k == LINE || k == INLINED;
		g->by_block |= k >= ALLOC && k <= BLOCK;
		if (!s[n])
			return true;
	}
	for (unsigned int k = 0; k < V9_GROUP_KEYS; k++)
		names[k] = columns[k].name;
	v9_error("--group-by %s: a list, each once, of %s", list,
		 v9_one_of(room, sizeof(room), names, V9_GROUP_KEYS));
	return false;
}

bool v9_groups_histogram(struct v9_groups *g, const char *latency)
{
	char room[64];

	g->histogram = true;
	for (g->latency = 0; latency && g->latency < V9_SPE_LATENCIES; g->latency++)
		if (!strcmp(latency, v9_rep_latencies[g->latency]))
			return true;
	if (latency)
		v9_error("--histogram=%s: %s", latency, v9_one_of(room, sizeof(room), v9_rep_latencies,
								  V9_SPE_LATENCIES));
	return !latency;
}

void v9_groups_init(struct v9_groups *g, struct v9_syms *syms)
{
	g->sum = 0;
	g->range = g->range ? g->range : RANGE_SIZE;
	if (!g->nr)
		return;
	v9_bins_init(&g->bins, sizeof(struct group));
	v9_bins_init(&g->line_at, sizeof(struct line_at));
	v9_lines_init(&g->lines, syms);
}

void v9_groups_free(struct v9_groups *g)
{
	if (!g->nr)
		return;
	for (size_t i = 0; i < g->bins.used; i++)
		v9_hist_free(&((struct group *)v9_bins_get(&g->bins, i))->hist);
	v9_bins_free(&g->bins);
	v9_bins_free(&g->line_at);
	v9_lines_free(&g->lines);
	v9_strtab_free(&g->files);
}

static void seek_line(struct v9_groups *g, const struct v9_dso *d, uint64_t addr,
		      struct v9_group_line *to)
{
	struct v9_src_line line;
	char text[400];

	if (v9_lines_find(&g->lines, d, addr, &line)) {
		to->file = v9_strtab_put(&g->files, line.file, strlen(line.file));
		to->line = line.line;
	}
	if (v9_lines_inlined_text(&g->lines, d, addr, text, sizeof(text)))
		to->inlined = v9_strtab_put(&g->files, text, strlen(text));
}

const struct v9_group_line *v9_groups_line(struct v9_groups *g, const struct v9_place *place)
{
	const uint64_t addr = place->func ? place->func->start + place->offset : place->offset;
	const uint64_t key[2] = { (uint64_t)(uintptr_t)place->dso, addr };
	struct line_at *at = v9_bins_at(&g->line_at, key, 2);

	if (!at->sought && place->dso)
		seek_line(g, place->dso, addr, &at->line);
	at->sought = true;
	return &at->line;
}

static uint64_t known(uint32_t id)
{
	return id == V9_NO_TASK ? UNKNOWN : id;
}

static uint64_t pointer(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/* The heap block that holds the data, or NULL */
static const struct v9_heap_block *block_of(const struct v9_groups *g, const struct v9_session *s,
					    const struct v9_sampled *at, const struct v9_spe_rec *rec)
{
	if (!g->by_block || !rec || !(rec->has & V9_SPE_REC_VA))
		return NULL;
	return v9_heap_find(&s->heap, g->lines.syms, at->pid, v9_sampled_time(at), rec->va);
}

/* Names are stored once: equal names are equal pointers. */
static unsigned int key_of(const struct v9_groups *g, const struct v9_session *s,
			   const struct v9_sampled *at, int el, const struct v9_place *place,
			   const struct v9_group_line *line, const struct v9_spe_rec *rec,
			   uint64_t *key)
{
	const struct v9_heap_block *block = block_of(g, s, at, rec);
	unsigned int n = 0;

	for (unsigned int i = 0; i < g->nr; i++)
		switch (g->key[i]) {
		case COMM:
			key[n++] = pointer(at->comm);
			break;
		case PID:
			key[n++] = known(at->pid);
			break;
		case TID:
			key[n++] = known(at->tid);
			break;
		case CPU:
			key[n++] = known(at->cpu);
			break;
		case SOCKET:
			key[n++] = (uint64_t)(int64_t)v9_topology_socket(&s->topology, at->cpu);
			break;
		case NODE:
			key[n++] = (uint64_t)(int64_t)v9_topology_node(&s->topology, at->cpu);
			break;
		case EL:
			key[n++] = (uint64_t)(int64_t)el;
			break;
		case DSO:
			key[n++] = pointer(place->dso_name);
			break;
		case SYMBOL:
			key[n++] = pointer(place->func);
			key[n++] = place->func ? 0 : pointer(place->dso_name);
			break;
		case LINE:
			key[n++] = pointer(line ? line->file : NULL);
			key[n++] = line ? line->line : 0;
			break;
		case INLINED:
			key[n++] = pointer(line ? line->inlined : NULL);
			break;
		case SOURCE:
			key[n++] = rec && rec->has & V9_SPE_REC_SOURCE ?
				   (uint64_t)at->sources << 16 | rec->source : UNKNOWN;
			break;
		case RANGE:
			key[n++] = rec && rec->has & V9_SPE_REC_VA ?
				   rec->va - rec->va % g->range : UNKNOWN;
			break;
		case DATA_NODE:
			key[n++] = rec && rec->has & V9_SPE_REC_PA ?
				   (uint64_t)(int64_t)v9_topology_node_of(&s->topology, rec->pa) : UNKNOWN;
			break;
		case ALLOC:
			key[n++] = pointer(block ? block->site.name : NULL);
			break;
		case ALLOC_LINE:
			key[n++] = pointer(block ? block->site.line : NULL);
			break;
		case ALLOC_SIZE:
			key[n++] = block ? block->size : UNKNOWN;
			break;
		case BLOCK:
			key[n++] = pointer(block);
			break;
		case CGROUP:
			key[n++] = pointer(v9_cgroups_path(&s->cgroups, at->tid,
							   v9_sampled_time(at)));
			break;
		case OP:
			key[n++] = rec && rec->has & V9_SPE_REC_OP ?
				   (uint64_t)rec->op_class << 8 | rec->op : UNKNOWN;
			break;
		}
	return n;
}

void v9_groups_add(struct v9_groups *g, const struct v9_session *s, const struct v9_sampled *at,
		   int el, const struct v9_place *place, const struct v9_group_line *line,
		   const struct v9_spe_rec *rec, uint64_t n)
{
	uint64_t key[V9_GROUP_KEYS + 2];
	const unsigned int words = key_of(g, s, at, el, place, line, rec, key);
	struct group *to = v9_bins_at(&g->bins, key, words);

	to->n += n;
	g->sum += n;
	for (unsigned int i = 0; rec && i < V9_SPE_LATENCIES; i++)
		if (rec->has & V9_SPE_REC_LAT(i)) {
			to->lat[i].n++;
			to->lat[i].sum += rec->lat[i];
		}
	if (g->histogram && rec && rec->has & V9_SPE_REC_LAT(g->latency))
		v9_hist_add(&to->hist, rec->lat[g->latency], 1);
}

static int group_order(const void *a, const void *b, const void *arg)
{
	const struct group *x = a, *y = b;

	(void)arg;
	return (y->n > x->n) - (y->n < x->n);
}

/* For people the name of the file without its directories */
static const char *line_text(struct v9_report *r, const char *file, uint64_t line)
{
	return v9_rep_keep(r, "%s:%" PRIu64, v9_rep_object(r, file), line);
}

static const char *block_text(struct v9_report *r, const struct v9_heap_block *b)
{
	return b ? v9_rep_keep(r, "0x%" PRIx64 " at %s s", b->start, v9_rep_seconds(r, b->begin)) : NULL;
}

static void put_key(struct v9_report *r, struct v9_table *t, unsigned int kind, const uint64_t **at)
{
	const uint64_t key = *(*at)++;
	const struct v9_func *func;
	const char *name;
	uint64_t number;
	char buf[128];

	switch (kind) {
	case COMM:
	case CGROUP:
	case INLINED:
	case ALLOC:
		v9_put_text(t, (const char *)(uintptr_t)key);
		break;
	case BLOCK:
		v9_put_text(t, block_text(r, (const struct v9_heap_block *)(uintptr_t)key));
		break;
	case ALLOC_LINE:
	case DSO:
		v9_put_text(t, v9_rep_object(r, (const char *)(uintptr_t)key));
		break;
	case SYMBOL:
		func = (const struct v9_func *)(uintptr_t)key;
		(*at)++;
		v9_put_text(t, func ? func->name : "[unknown]");
		break;
	case LINE:
		number = *(*at)++;
		v9_put_text(t, key ? line_text(r, (const char *)(uintptr_t)key, number) : NULL);
		break;
	case SOURCE:
		name = key == UNKNOWN ? NULL : v9_spe_source((unsigned int)(key >> 16), (uint16_t)key);
		v9_put_text(t, key == UNKNOWN || name ? name :
			    v9_rep_keep(r, "0x%x", (unsigned int)(key & 0xffff)));
		break;
	case RANGE:
		v9_put_text(t, key == UNKNOWN ? NULL :
			    v9_rep_keep(r, "0x%" PRIx64, key));
		break;
	case OP:
		v9_put_text(t, key == UNKNOWN ? NULL :
			    v9_rep_keep(r, "%s", v9_spe_op(buf, sizeof(buf), key >> 8,
							   (uint8_t)key)));
		break;
	default:
		if (key == UNKNOWN)
			v9_put_unknown(t);
		else
			v9_put_count(t, key);
	}
}

/* ---- distributions */

/* Powers of two: less than 4, from 4 on, from 8 on and so on; the last has all that is greater. */
#define BUCKETS	12

static uint64_t bucket(const struct v9_hist *h, unsigned int i)
{
	return v9_hist_between(h, i ? UINT64_C(2) << i : 0,
			       i + 1 < BUCKETS ? (UINT64_C(4) << i) - 1 : UINT64_MAX);
}

/* A character for each bucket, darker for more: ' ' is none, '@' the most. */
static const char *shades(struct v9_report *r, const struct v9_hist *h)
{
	static const char levels[] = ".:-=+*#%@";
	char text[BUCKETS + 1] = "";
	uint64_t most = 0;

	for (unsigned int i = 0; i < BUCKETS; i++)
		most = bucket(h, i) > most ? bucket(h, i) : most;
	for (unsigned int i = 0; i < BUCKETS; i++) {
		const uint64_t n = bucket(h, i);

		text[i] = n ? levels[(n * (sizeof(levels) - 1) - 1) / most] : ' ';
	}
	return v9_rep_keep(r, "[%s]", text);
}

static void put_distribution(struct v9_report *r, struct v9_table *t, const struct v9_hist *h)
{
	v9_rep_percentiles(t, h);
	v9_put_text(t, h->n && r->out.format->for_people ? shades(r, h) : NULL);
}

static void put_keys(const struct v9_groups *g, struct v9_report *r, struct v9_table *t,
		     const struct group *group)
{
	const uint64_t *key = group->key;

	for (unsigned int k = 0; k < g->nr; k++)
		put_key(r, t, g->key[k], &key);
}

/* Bucket @b has the values from *@from to *@to: 0 and 1, 2 and 3, 4 to 7 and so on. Returns false behind the largest value. */
static bool bounds(const struct v9_hist *h, unsigned int b, uint64_t *from, uint64_t *to)
{
	*from = b ? UINT64_C(1) << b : 0;
	*to = (UINT64_C(2) << b) - 1;
	return *from <= h->most;	/* a latency has 16 bits */
}

/* The buckets of each group; for people only if there is one group. */
static void print_histograms(struct v9_groups *g, struct v9_report *r, void *const *top, size_t n)
{
	const bool people = r->out.format->for_people;
	struct v9_col cols[5 + V9_GROUP_KEYS] = {
		{ "from", "from", V9_COUNT, false },
		{ "to", "to", V9_COUNT, false },
		{ "samples", "samples", V9_COUNT, false },
		{ "percent", "share", V9_PERCENT, false },
		{ "bar", people ? "" : NULL, V9_TEXT, false },
	};
	struct v9_table t = { .name = "group_histograms", .cols = cols, .nr_cols = 5,
			      .title = v9_rep_keep(r, "Latencies (%s) of this group",
						   v9_rep_latencies[g->latency]) };

	for (unsigned int i = 0; i < g->nr; i++) {
		cols[t.nr_cols] = columns[g->key[i]];
		if (people)
			cols[t.nr_cols].title = NULL;
		t.nr_cols++;
	}
	for (size_t i = 0; i < n && (!people || n == 1); i++) {
		const struct group *group = top[i];
		uint64_t most = 0, from, to;

		for (unsigned int b = 0; bounds(&group->hist, b, &from, &to); b++) {
			const uint64_t k = v9_hist_between(&group->hist, from, to);

			most = k > most ? k : most;
		}
		for (unsigned int b = 0; group->hist.n && bounds(&group->hist, b, &from, &to); b++) {
			const uint64_t k = v9_hist_between(&group->hist, from, to);

			if (to < group->hist.least)
				continue;
			v9_table_row(&t);
			v9_put_count(&t, from);
			v9_put_count(&t, to);
			v9_put_count(&t, k);
			v9_put_real(&t, v9_rep_percent(k, group->hist.n));
			v9_put_text(&t, people ? v9_rep_bar(r, k, most) : NULL);
			put_keys(g, r, &t, group);
		}
	}
	v9_rep_table(r, &t);
}

/* Returns where control groups, nodes of data and blocks come from, for the title; "" if no key is one. */
static const char *origin(const struct v9_groups *g, struct v9_report *r)
{
	const struct v9_cgroups *c = &r->s.cgroups;

	if (g->by_block && !r->s.heap.recorded)
		return "; no calls of malloc(): record with --heap";
	for (unsigned int k = 0; k < g->nr; k++)
		if (g->key[k] == CGROUP && !(c->nr_sampled + c->nr_read))
			return "; no control groups: record with --all-cgroups";
		else if (g->key[k] == DATA_NODE)
			return r->s.topology.blocks ?
			       "; without a physical address (pa_enable=1 of SPE) the node is not known" :
			       "; the capture does not say which memory is at which node";
		else if (g->key[k] == CGROUP)
			return v9_rep_keep(r, "; control groups: %" PRIu64 " samples of the kernel, %" PRIu64
					   " read in /proc", c->nr_sampled, c->nr_read);
	return "";
}

void v9_groups_print(struct v9_groups *g, struct v9_report *r, const struct v9_groups_kind *kind)
{
	const bool spread = g->histogram && kind->latencies;
	struct v9_col cols[2 + V9_SPE_LATENCIES + 5 + V9_GROUP_KEYS] = {
		{ "percent", "share", V9_PERCENT, false },
		{ kind->item, kind->item, V9_COUNT, false },
		{ "latency_total", "latency", V9_MEAN, false },
		{ "latency_issue", "issue", V9_MEAN, V9_DROP(2) },
		{ "latency_translation", "transl", V9_MEAN, V9_DROP(1) },
		{ "p50", "p50", V9_COUNT, false },
		{ "p90", "p90", V9_COUNT, false },
		{ "p99", "p99", V9_COUNT, false },
		{ "max", "max", V9_COUNT, false },
		{ "shades", r->out.format->for_people ? "<4 to >=4096" : NULL, V9_TEXT, false },
	};
	struct v9_table t = { .name = "groups", .title = v9_rep_keep(r, "Groups, by %s", kind->item),
			      .cols = cols, .nr_cols = kind->latencies ? 2 + V9_SPE_LATENCIES : 2,
			      .of = kind->latencies ?
				    v9_rep_keep(r, "share of samples, mean latencies in cycles%s",
						origin(g, r)) :
				    v9_rep_keep(r, "share of all %s%s", kind->item, origin(g, r)),
			      .empty = "no record passed the filter" };
	void **top;
	size_t n;

	if (spread)
		t.nr_cols += 5;
	for (unsigned int i = 0; i < g->nr; i++)
		cols[t.nr_cols++] = columns[g->key[i]];
	if (kind->first)
		kind->first(kind->arg, &t);
	top = v9_bins_top(&g->bins, r->limit, NULL, group_order, NULL, &n);
	for (size_t i = 0; i < n; i++) {
		const struct group *group = top[i];

		v9_table_row(&t);
		v9_put_real(&t, v9_rep_percent(group->n, g->sum) * kind->share / 100);
		v9_put_count(&t, group->n);
		for (unsigned int k = 0; kind->latencies && k < V9_SPE_LATENCIES; k++)
			v9_rep_mean(&t, &group->lat[k]);
		if (spread)
			put_distribution(r, &t, &group->hist);
		put_keys(g, r, &t, group);
	}
	v9_rep_more(r, &t, g->bins.used, n);
	v9_rep_table(r, &t);
	if (spread)
		print_histograms(g, r, top, n);
	free(top);
}
