// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../util.h"
#include "report.h"

enum { COMM, PID, TID, CPU, SOCKET, NODE, EL, DSO, SYMBOL, OP };

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
	[OP] = { "op", "operation", V9_TEXT, true },
};

#define UNKNOWN	UINT64_MAX

struct group {
	uint64_t key[V9_GROUP_KEYS + 2];	/* those used; a symbol takes two: function, object */
	uint64_t n;
	struct v9_sum lat[V9_SPE_LATENCIES];
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
		g->places |= k == DSO || k == SYMBOL;
		if (!s[n])
			return true;
	}
	for (unsigned int k = 0; k < V9_GROUP_KEYS; k++)
		names[k] = columns[k].name;
	v9_error("--group-by %s: a list, each once, of %s", list,
		 v9_one_of(room, sizeof(room), names, V9_GROUP_KEYS));
	return false;
}

void v9_groups_init(struct v9_groups *g)
{
	if (g->nr)
		v9_bins_init(&g->bins, sizeof(struct group));
	g->sum = 0;
}

void v9_groups_free(struct v9_groups *g)
{
	if (g->nr)
		v9_bins_free(&g->bins);
}

static uint64_t known(uint32_t id)
{
	return id == V9_NO_TASK ? UNKNOWN : id;
}

static uint64_t pointer(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/* Names are stored once: equal names are equal pointers. */
static unsigned int key_of(const struct v9_groups *g, const struct v9_session *s,
			   const struct v9_sampled *at, int el, const struct v9_place *place,
			   const struct v9_spe_rec *rec, uint64_t *key)
{
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
		case OP:
			key[n++] = rec && rec->has & V9_SPE_REC_OP ?
				   (uint64_t)rec->op_class << 8 | rec->op : UNKNOWN;
			break;
		}
	return n;
}

void v9_groups_add(struct v9_groups *g, const struct v9_session *s, const struct v9_sampled *at,
		   int el, const struct v9_place *place, const struct v9_spe_rec *rec, uint64_t n)
{
	uint64_t key[V9_GROUP_KEYS + 2];
	const unsigned int words = key_of(g, s, at, el, place, rec, key);
	struct group *to = v9_bins_at(&g->bins, key, words);

	to->n += n;
	g->sum += n;
	for (unsigned int i = 0; rec && i < V9_SPE_LATENCIES; i++)
		if (rec->has & V9_SPE_REC_LAT(i)) {
			to->lat[i].n++;
			to->lat[i].sum += rec->lat[i];
		}
}

static int group_order(const void *a, const void *b, const void *arg)
{
	const struct group *x = a, *y = b;

	(void)arg;
	return (y->n > x->n) - (y->n < x->n);
}

static void put_key(struct v9_report *r, struct v9_table *t, unsigned int kind, const uint64_t **at)
{
	const uint64_t key = *(*at)++;
	const struct v9_func *func;
	char buf[128];

	switch (kind) {
	case COMM:
		v9_put_text(t, (const char *)(uintptr_t)key);
		break;
	case DSO:
		v9_put_text(t, v9_rep_object(r, (const char *)(uintptr_t)key));
		break;
	case SYMBOL:
		func = (const struct v9_func *)(uintptr_t)key;
		(*at)++;
		v9_put_text(t, func ? func->name : "[unknown]");
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

void v9_groups_print(struct v9_groups *g, struct v9_report *r, const struct v9_groups_kind *kind)
{
	struct v9_col cols[2 + V9_SPE_LATENCIES + V9_GROUP_KEYS] = {
		{ "percent", "share", V9_PERCENT, false },
		{ kind->item, kind->item, V9_COUNT, false },
		{ "latency_total", "latency", V9_MEAN, false },
		{ "latency_issue", "issue", V9_MEAN, V9_DROP(2) },
		{ "latency_translation", "transl", V9_MEAN, V9_DROP(1) },
	};
	struct v9_table t = { .name = "groups", .title = v9_rep_keep(r, "Groups, by %s", kind->item),
			      .cols = cols, .nr_cols = kind->latencies ? 2 + V9_SPE_LATENCIES : 2,
			      .of = !kind->latencies ? "share of all that was executed" :
				    "share of samples, mean latencies in cycles",
			      .empty = "no record passed the filter" };
	void **top;
	size_t n;

	for (unsigned int i = 0; i < g->nr; i++)
		cols[t.nr_cols++] = columns[g->key[i]];
	if (kind->first)
		kind->first(kind->arg, &t);
	top = v9_bins_top(&g->bins, r->limit, NULL, group_order, NULL, &n);
	for (size_t i = 0; i < n; i++) {
		const struct group *group = top[i];
		const uint64_t *key = group->key;

		v9_table_row(&t);
		v9_put_real(&t, v9_rep_percent(group->n, g->sum) * kind->share / 100);
		v9_put_count(&t, group->n);
		for (unsigned int k = 0; kind->latencies && k < V9_SPE_LATENCIES; k++)
			v9_rep_mean(&t, &group->lat[k]);
		for (unsigned int k = 0; k < g->nr; k++)
			put_key(r, &t, g->key[k], &key);
	}
	if (g->bins.used > n)
		t.note = v9_rep_keep(r, "and %zu more (--limit 0 shows all)", g->bins.used - n);
	free(top);
	v9_rep_table(r, &t);
}
