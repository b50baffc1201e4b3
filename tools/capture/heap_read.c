// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "heap_read.h"

#include <stddef.h>
#include <string.h>

#include "tp.h"

/* The event of a sample, and where its fields go */
struct reading {
	struct v9_heap *h;
	struct v9_heap_call call;
};

static const struct { const char *name; size_t at; } words[] = {
	{ "sp", offsetof(struct v9_heap_call, sp) },
	{ "old", offsetof(struct v9_heap_call, old) },
	{ "n", offsetof(struct v9_heap_call, n) },
	{ "size", offsetof(struct v9_heap_call, size) },
	{ "out", offsetof(struct v9_heap_call, out) },
	{ "caller", offsetof(struct v9_heap_call, caller[0]) },
	{ "caller2", offsetof(struct v9_heap_call, caller[1]) },
	{ "caller3", offsetof(struct v9_heap_call, caller[2]) },
	{ "result", offsetof(struct v9_heap_call, result) },
};

static void take_field(void *arg, const struct v9_tp_field *f)
{
	struct reading *r = arg;

	if (f->kind == V9_TP_BYTES && !strcmp(f->name, "stack") && f->size == V9_HEAP_STACK) {
		memcpy(*v9_vec_add(r->h->stacks, r->h->nr_stacks), f->bytes, V9_HEAP_STACK);
		r->call.stack = r->h->nr_stacks;
		return;
	}
	for (size_t i = 0; f->kind <= V9_TP_ADDRESS && i < V9_ARRAY_SIZE(words); i++)
		if (!strcmp(f->name, words[i].name))
			memcpy((char *)&r->call + words[i].at, &f->number, sizeof(f->number));
}

/* Splits "v9trace_heap_PID:FUNCTION_return". Returns false if it is another tracepoint. */
static bool take_name(struct v9_session *s, const char *name, struct v9_heap_call *call)
{
	const char *function = strchr(name, ':');
	size_t n, tail = strlen(PD_HEAP_RETURN);

	if (strncmp(name, PD_HEAP_SYSTEM, strlen(PD_HEAP_SYSTEM)) || !function)
		return false;
	n = strlen(++function);
	call->returns = n > tail && !strcmp(function + n - tail, PD_HEAP_RETURN);
	call->function = v9_strtab_put(&s->heap.text, function, call->returns ? n - tail : n);
	call->frees = !strcmp(call->function, "free");
	return true;
}

static void take_sample(struct v9_session *s, struct v9_tp *tp, const struct v9_seen *seen)
{
	struct reading r = { .h = &s->heap, .call = { .n = 1 } };
	struct pd_sample sample;
	struct pd_event e;
	const char *name;

	if (pd_at(&s->file, seen->offset, &e) <= 0 || e.attr->attr.type != PERF_TYPE_TRACEPOINT ||
	    pd_sample(&e, &sample))
		return;
	name = v9_tp_name(tp, &sample);
	if (!name || !take_name(s, name, &r.call))
		return;
	s->heap.recorded = true;
	if (!(e.has & PD_HAS_TIME) || !(e.has & PD_HAS_TASK) ||
	    !v9_tp_fields(tp, &sample, take_field, &r)) {
		s->heap.unreadable++;
		return;
	}
	r.call.time = e.time;
	r.call.pid = e.pid;
	r.call.tid = e.tid;
	v9_heap_add(&s->heap, &r.call);
}

void v9_heap_read(struct v9_session *s)
{
	struct v9_tp *tp;

	if (s->heap_read)
		return;
	s->heap_read = true;
	tp = v9_tp_open(&s->file, &s->syms);
	for (size_t i = 0; tp && i < s->nr_samples; i++)
		take_sample(s, tp, &s->samples[i]);
	v9_tp_close(tp);
	if (s->heap.recorded)
		v9_heap_seal(&s->heap, &s->syms);
}
