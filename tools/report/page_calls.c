// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Charts of an instruction trace: the flame graph, and the calls of each thread in their order. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "page.h"

#define MOST_NODES	40000	/* of the flame graph, in the page */
#define MOST_TIMES	1024	/* of a thread */

struct v9_page_call {
	uint32_t thread, depth;
	size_t node;		/* index into v9_flow_sum.call */
	uint64_t begin, end;	/* instructions of the thread before it began, ended */
};

/* That many instructions were executed at that time. */
struct when {
	uint64_t insns, time;
};

struct v9_page_thread {
	uint32_t tid;
	struct open { size_t node; uint64_t begin; } *open;	/* calls, outermost first */
	size_t nr_open;
	struct when *when;
	size_t nr_when;
	uint64_t apart;		/* ns between two of .when, at least */
	uint64_t insns;
	uint64_t dropped;	/* calls */
};

static size_t thread_of(struct v9_page_calls *p, uint32_t tid)
{
	/* There are few, and mostly it is the last one. */
	for (size_t i = p->nr_threads; i--; )
		if (p->thread[i].tid == tid)
			return i;
	v9_vec_add(p->thread, p->nr_threads)->tid = tid;
	return p->nr_threads - 1;
}

static void note_time(struct v9_page_thread *t, uint64_t insns, const struct v9_sampled *at)
{
	size_t n = 0;

	t->insns = insns;
	if (!at || !at->has_time)
		return;
	if (t->nr_when && at->time < t->when[t->nr_when - 1].time + t->apart + 1)
		return;
	*v9_vec_add(t->when, t->nr_when) = (struct when){ insns, at->time };
	if (t->nr_when < MOST_TIMES)
		return;
	t->apart = (t->when[t->nr_when - 1].time - t->when[0].time) / (MOST_TIMES / 2);
	for (size_t i = 0; i < t->nr_when; i++)
		if (!n || t->when[i].time > t->when[n - 1].time + t->apart)
			t->when[n++] = t->when[i];
	t->nr_when = n;
}

/* Drops the shortest calls until half of the room is free. */
static void drop_short(struct v9_page_calls *p)
{
	size_t n = p->nr_calls, kept;

	while (n > p->most / 2) {
		p->least = p->least ? 2 * p->least : 1;
		n = 0;
		for (size_t i = 0; i < p->nr_calls; i++)
			n += p->call[i].end - p->call[i].begin >= p->least;
	}
	kept = 0;
	for (size_t i = 0; i < p->nr_calls; i++) {
		if (p->call[i].end - p->call[i].begin >= p->least)
			p->call[kept++] = p->call[i];
		else
			p->thread[p->call[i].thread].dropped++;
	}
	p->nr_calls = kept;
}

static void enter(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *from,
		  const struct v9_sampled *at, size_t node, enum v9_calls_enter how)
{
	struct v9_page_calls *p = arg;
	const size_t i = thread_of(p, from->tid);
	struct v9_page_thread *t = &p->thread[i];

	(void)f;
	(void)how;
	note_time(t, from->insns, at);
	*v9_vec_add(t->open, t->nr_open) = (struct open){ node, from->insns };
}

static void leave(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *from,
		  const struct v9_sampled *at, size_t node, enum v9_calls_leave how)
{
	struct v9_page_calls *p = arg;
	const size_t i = thread_of(p, from->tid);
	struct v9_page_thread *t = &p->thread[i];

	(void)f;
	(void)node;
	(void)how;
	note_time(t, from->insns, at);
	if (!t->nr_open)
		return;
	t->nr_open--;
	if (from->insns - t->open[t->nr_open].begin < p->least) {
		t->dropped++;
		return;
	}
	*v9_vec_add(p->call, p->nr_calls) = (struct v9_page_call){
		.thread = (uint32_t)i, .depth = (uint32_t)t->nr_open, .node = t->open[t->nr_open].node,
		.begin = t->open[t->nr_open].begin, .end = from->insns };
	if (p->nr_calls >= p->most)
		drop_short(p);
}

static void mark(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *from,
		 const struct v9_sampled *at, const struct v9_mark *m)
{
	struct v9_page_calls *p = arg;
	const size_t i = thread_of(p, from->tid);

	(void)f;
	note_time(&p->thread[i], from->insns, at);
	v9_page_marks_take(&p->marks, (uint32_t)i, from->insns, m);
}

void v9_page_calls_init(struct v9_page_calls *p, size_t most)
{
	*p = (struct v9_page_calls){ .hook = { enter, leave, mark, p }, .most = most };
	v9_page_marks_init(&p->marks);
}

void v9_page_calls_free(struct v9_page_calls *p)
{
	for (size_t i = 0; i < p->nr_threads; i++) {
		free(p->thread[i].open);
		free(p->thread[i].when);
	}
	free(p->thread);
	free(p->call);
	v9_page_marks_free(&p->marks);
}

/* ---- functions of a chart */

struct funcs {
	struct v9_page_names names;
	size_t *number;		/* of v9_flow_sum.ran, + 1; 0: not used yet */
	size_t *used;		/* indexes into v9_flow_sum.ran */
	size_t nr;
};

static size_t func_number(struct funcs *f, size_t ran)
{
	if (!f->number[ran]) {
		*v9_vec_add(f->used, f->nr) = ran;
		f->number[ran] = f->nr;
	}
	return f->number[ran] - 1;
}

/* "funcs": name, object for each; "names" */
static void write_names(struct funcs *funcs, const struct v9_flow_sum *sum, FILE *f)
{
	fputs("\"funcs\":[", f);
	for (size_t i = 0; i < funcs->nr; i++) {
		const struct v9_ran *ran = &sum->ran[funcs->used[i]];

		fprintf(f, "%s%zu,%zu", i ? "," : "",
			v9_page_name(&funcs->names, ran->func ? ran->func->name : "[unknown]"),
			v9_page_name(&funcs->names, ran->dso ? ran->dso : "[unknown]"));
	}
	fputs("],", f);
	v9_page_names_write(&funcs->names, f);
	v9_page_names_free(&funcs->names);
	free(funcs->number);
	free(funcs->used);
}

/* ---- the flame graph */

/* Nodes with at least that many instructions are few enough for the page. */
static uint64_t least_insns(const struct v9_flow_sum *sum)
{
	uint64_t least = 0;
	size_t n;

	do {
		least = least ? 2 * least : 1;
		n = 0;
		for (size_t i = 1; i < sum->nr_call; i++)
			n += sum->call[i].total >= least;
	} while (n > MOST_NODES);
	return least;
}

static void write_flame(const struct v9_flow_sum *sum, FILE *f)
{
	struct funcs funcs = { .number = v9_alloc(sum->nr_ran * sizeof(*funcs.number)) };
	size_t *number = v9_alloc(sum->nr_call * sizeof(*number));
	const uint64_t least = least_insns(sum);
	size_t n = 0;

	v9_page_open(f, "flame");
	fputs("{\"nodes\":[", f);
	for (size_t i = 1; i < sum->nr_call; i++) {
		const struct v9_call *c = &sum->call[i];

		if (c->total < least)
			continue;
		number[i] = ++n;
		fprintf(f, "%s%zu,%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64, n > 1 ? ",\n" : "",
			number[c->parent], func_number(&funcs, c->func), c->self, c->total, c->calls);
	}
	fputs("],", f);
	write_names(&funcs, sum, f);
	fprintf(f, "\"least\":%" PRIu64 ",\"dropped\":%zu,\"total\":%" PRIu64 "}", least,
		sum->nr_call - 1 - n, sum->call[0].total);
	v9_page_close(f);
	free(number);
}

/* ---- the timeline */

static int call_order(const void *a, const void *b)
{
	const struct v9_page_call *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->depth > y->depth) - (x->depth < y->depth);
}

static void write_thread(const struct v9_page_thread *t, struct v9_session *s, FILE *f)
{
	const uint64_t last = t->nr_when ? t->when[t->nr_when - 1].time : UINT64_MAX;
	uint32_t pid = V9_NO_TASK;
	const char *comm = v9_session_comm(s, t->tid, last, &pid);

	fprintf(f, "{\"tid\":%" PRId64 ",\"pid\":%" PRId64 ",\"comm\":",
		t->tid == V9_NO_TASK ? -1 : (int64_t)t->tid, pid == V9_NO_TASK ? -1 : (int64_t)pid);
	v9_page_text(f, comm ? comm : "");
	fprintf(f, ",\"insns\":%" PRIu64 ",\"dropped\":%" PRIu64 ",\"time\":\"%" PRIu64 "\",\"times\":[",
		t->insns, t->dropped, t->nr_when ? t->when[0].time : 0);
	for (size_t i = 0; i < t->nr_when; i++)
		fprintf(f, "%s%" PRIu64 ",%" PRIu64, i ? "," : "", t->when[i].insns,
			t->when[i].time - t->when[0].time);
	fputs("],\"calls\":[", f);
}

void v9_page_calls_write(struct v9_page_calls *p, struct v9_session *s, const struct v9_flow_sum *sum,
			 FILE *f)
{
	struct funcs funcs = { .number = v9_alloc(sum->nr_ran * sizeof(*funcs.number)) };
	size_t k = 0;

	write_flame(sum, f);
	if (p->nr_calls)
		qsort(p->call, p->nr_calls, sizeof(*p->call), call_order);
	for (size_t i = 0; i < p->nr_threads; i++)
		v9_page_marks_end(&p->marks, (uint32_t)i, p->thread[i].insns);
	v9_page_marks_sort(&p->marks);
	v9_page_open(f, "timeline");
	fprintf(f, "{\"least\":%" PRIu64 ",\"least_bar\":%" PRIu64 ",\"threads\":[", p->least, p->marks.least);
	for (size_t i = 0; i < p->nr_threads; i++) {
		fputs(i ? ",\n" : "", f);
		write_thread(&p->thread[i], s, f);
		for (bool any = false; k < p->nr_calls && p->call[k].thread == i; k++, any = true)
			fprintf(f, "%s%u,%zu,%" PRIu64 ",%" PRIu64, any ? "," : "", p->call[k].depth,
				func_number(&funcs, sum->call[p->call[k].node].func),
				p->call[k].begin, p->call[k].end - p->call[k].begin);
		fputs("]", f);
		v9_page_marks_write(&p->marks, (uint32_t)i, &funcs.names, f);
		fputs("}", f);
	}
	fputs("],", f);
	write_names(&funcs, sum, f);
	fputs("\"end\":0}", f);
	v9_page_close(f);
}
