// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * speedscope's own JSON. SPE: a "sampled" profile for each thread, with the sums of its stacks.
 * ETE: an "evented" profile for each thread, with all calls; the axis is what the thread executed,
 * in instructions, or another weight. speedscope has no unit for instructions and cycles: "none".
 */
#include "export.h"

#include <inttypes.h>
#include <stdlib.h>

struct thread {
	char *name;
	uint64_t sum;			/* of weights; or the position of the last event */
	uint64_t first;			/* position of the first event */
	bool any;
};

/* Parts: frames, then two for each thread. */
enum { FRAMES, EVENTS, WEIGHTS };
#define PART(thread, which)	(2 * (thread) + (which))

struct speedscope {
	struct v9_parts *parts;
	struct v9_numbers frames, ids;
	struct thread *thread;
	size_t nr_threads;
	struct v9_export_note note;
};

static bool begin(struct v9_export *x)
{
	struct speedscope *s = v9_alloc(sizeof(*s));

	x->state = s;
	v9_numbers_init(&s->frames);
	v9_numbers_init(&s->ids);
	s->parts = v9_parts_new();
	return s->parts;
}

static size_t frame_of(struct speedscope *s, const struct v9_stack_level *l)
{
	uint64_t key[4];
	bool added;
	size_t n;

	v9_level_key(key, l);
	n = v9_number_of(&s->frames, key, &added);
	if (!added)
		return n;
	v9_parts_print(s->parts, FRAMES, "%s{\"name\":", n ? ",\n" : "");
	v9_parts_json(s->parts, FRAMES, l->name);
	if (l->what == V9_LEVEL_FUNCTION) {
		v9_parts_print(s->parts, FRAMES, ",\"file\":");
		v9_parts_json(s->parts, FRAMES, l->dso_name);
	}
	v9_parts_print(s->parts, FRAMES, "}");
	return n;
}

static struct thread *thread_of(struct speedscope *s, size_t n, const char *comm, uint32_t tid)
{
	char room[64];

	while (s->nr_threads <= n)
		v9_vec_add(s->thread, s->nr_threads);
	if (!s->thread[n].name)
		s->thread[n].name = v9_strdup(v9_thread_name(room, sizeof(room), comm, tid));
	return &s->thread[n];
}

static void stack(struct v9_export *x, const struct v9_stack *st)
{
	const uint64_t n = st->value[x->weight];
	const uint64_t key[4] = { (uint64_t)(uintptr_t)st->comm, st->tid, 0, 0 };
	struct speedscope *s = x->state;
	struct thread *t;
	size_t thread;
	bool added;

	if (!n)
		return;
	thread = v9_number_of(&s->ids, key, &added);
	t = thread_of(s, thread, st->comm, st->tid);
	v9_parts_print(s->parts, PART(thread, EVENTS), "%s[", t->any ? "," : "");
	for (size_t i = 0; i < st->nr; i++)
		v9_parts_print(s->parts, PART(thread, EVENTS), "%s%zu", i ? "," : "",
			       frame_of(s, &st->level[i]));
	v9_parts_put(s->parts, PART(thread, EVENTS), "]", 1);
	v9_parts_print(s->parts, PART(thread, WEIGHTS), "%s%" PRIu64, t->any ? "," : "", n);
	t->sum += n;
	t->any = true;
}

static uint64_t position(const struct v9_export *x, const struct v9_call_step *st)
{
	return x->weight == V9_W_TIME ? st->time :
	       x->weight == V9_W_CYCLES ? st->cycles : st->insns;
}

static void event(struct v9_export *x, struct thread *t, const struct v9_call_step *st, char type)
{
	struct speedscope *s = x->state;
	const uint64_t at = position(x, st);

	if (!t->any)
		t->first = at;
	v9_parts_print(s->parts, PART(st->thread, EVENTS),
		       "%s{\"type\":\"%c\",\"frame\":%zu,\"at\":%" PRIu64 "}", t->any ? ",\n" : "",
		       type, frame_of(s, st->level), at);
	t->any = true;
	t->sum = at;
}

static void enter(struct v9_export *x, const struct v9_call_step *st)
{
	event(x, thread_of(x->state, st->thread, st->comm, st->tid), st, 'O');
}

static void leave(struct v9_export *x, const struct v9_call_step *st)
{
	struct speedscope *s = x->state;

	event(x, &s->thread[st->thread], st, 'C');
}

static void loss(struct v9_export *x, const struct v9_loss *l)
{
	struct speedscope *s = x->state;

	v9_note_loss(&s->note, l);
}

static void end(struct v9_export *x)
{
	const bool evented = v9_weights[x->weight].kind == V9_KIND_ETE;
	struct speedscope *s = x->state;
	const char *more = "";

	fprintf(x->f, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		"\"exporter\":\"v9trace " V9TRACE_VERSION "\",\n\"name\":");
	v9_json_print(x->f, v9_note_text(&s->note, x));
	fprintf(x->f, ",\n\"profiles\":[");
	for (size_t i = 0; i < s->nr_threads && !x->failed; i++) {
		const struct thread *t = &s->thread[i];
		char *name;

		if (!t->any)
			continue;
		fprintf(x->f, "%s\n{\"type\":\"%s\",\"name\":", more,
			evented ? "evented" : "sampled");
		name = v9_format("%s (%s)", t->name, v9_weights[x->weight].name);
		v9_json_print(x->f, name);
		free(name);
		fprintf(x->f, ",\"unit\":\"%s\",\"startValue\":%" PRIu64 ",\"endValue\":%" PRIu64
			",\n\"%s\":[", x->weight == V9_W_TIME ? "nanoseconds" : "none", t->first,
			t->sum, evented ? "events" : "samples");
		x->failed = !v9_parts_copy(s->parts, PART(i, EVENTS), x->f);
		if (!evented && !x->failed) {
			fprintf(x->f, "],\n\"weights\":[");
			x->failed = !v9_parts_copy(s->parts, PART(i, WEIGHTS), x->f);
		}
		fprintf(x->f, "]}");
		more = ",";
	}
	fprintf(x->f, "],\n\"shared\":{\"frames\":[\n");
	if (!x->failed && v9_parts_number(s->parts))
		x->failed = !v9_parts_copy(s->parts, FRAMES, x->f);
	fprintf(x->f, "]}}\n");
}

static void free_state(struct v9_export *x)
{
	struct speedscope *s = x->state;

	for (size_t i = 0; i < s->nr_threads; i++)
		free(s->thread[i].name);
	free(s->thread);
	v9_numbers_free(&s->frames);
	v9_numbers_free(&s->ids);
	v9_note_free(&s->note);
	v9_parts_free(s->parts);
	free(s);
}

const struct v9_sink v9_sink_speedscope = {
	.name = "speedscope", .help = "speedscope's JSON: samples of SPE, calls of ETE",
	.takes = { [V9_KIND_SPE] = V9_SPE_STACKS, [V9_KIND_ETE] = V9_SINK_CALLS },
	.weights = ((1u << V9_W_CALLS) - 1) | 1u << V9_W_TIME,
	.begin = begin, .stack = stack, .enter = enter, .leave = leave, .loss = loss, .end = end,
	.free = free_state,
};
