// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Trace Event Format: functions that begin (B) and end (E) of an ETE trace, SPE records as
 * instants (i), marks of programs as asynchronous slices (b, e) and instants. Times are
 * microseconds with three decimals. The axis of an ETE trace is instructions: one is shown as a
 * nanosecond. --weight time or cycles chooses another axis. Records of SPE have their time.
 */
#include "export.h"

#include <inttypes.h>
#include <stdlib.h>

#include "../lib/spe_text.h"

struct chrome {
	struct v9_numbers threads;
	struct v9_export_note note;
	bool any;
	uint64_t untimed;
};

static bool begin(struct v9_export *x)
{
	struct chrome *c = v9_alloc(sizeof(*c));

	x->state = c;
	v9_numbers_init(&c->threads);
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", x->f);
	return true;
}

/* Begins an event. A thread that is new is named before. */
static void event(struct v9_export *x, char phase, const char *comm, uint32_t pid, uint32_t tid,
		  uint64_t ns)
{
	const uint64_t key[4] = { (uint64_t)(uintptr_t)comm, pid, tid };
	struct chrome *c = x->state;
	struct v9_put put;
	char room[64];
	bool added;

	v9_number_of(&c->threads, key, &added);
	if (pid == V9_NO_TASK)
		pid = tid;
	if (added) {
		fprintf(x->f, "%s\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":%u,\"tid\":%u,"
			"\"args\":{\"name\":", c->any ? "," : "", pid, tid);
		v9_json_print(x->f, v9_thread_name(room, sizeof(room), comm, tid));
		fputs("}}", x->f);
		c->any = true;
	}
	v9_put_begin(&put, x->f);
	v9_put_str(&put, c->any ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
	v9_put_char(&put, phase);
	v9_put_str(&put, "\",\"pid\":");
	v9_put_number(&put, pid, 0);
	v9_put_str(&put, ",\"tid\":");
	v9_put_number(&put, tid, 0);
	v9_put_str(&put, ",\"ts\":");
	v9_put_number(&put, ns / 1000, 0);
	v9_put_char(&put, '.');
	v9_put_number0(&put, ns % 1000, 3);
	v9_put_flush(&put);
	c->any = true;
}

static uint64_t position(const struct v9_export *x, const struct v9_call_step *s)
{
	return x->weight == V9_W_TIME ? s->time :
	       x->weight == V9_W_CYCLES ? s->cycles : s->insns;
}

static const char *const how[] = {
	[V9_CALLS_CALL] = "call", [V9_CALLS_TAIL] = "tail call", [V9_CALLS_EXCEPTION] = "exception",
	[V9_CALLS_HANDLER] = "handler", [V9_CALLS_ROOT] = "callers not known",
	[V9_CALLS_PART] = "part", [V9_CALLS_RESUMED] = "resumed",
};

/* An end has the name, too: the Firefox Profiler refuses events without one. */
static void call_event(struct v9_export *x, char phase, const struct v9_call_step *s)
{
	event(x, phase, s->comm, s->pid, s->tid, position(x, s));
	fputs(",\"name\":", x->f);
	v9_json_print(x->f, s->level->name);
}

static void enter(struct v9_export *x, const struct v9_call_step *s)
{
	call_event(x, 'B', s);
	fputs(",\"cat\":", x->f);
	v9_json_print(x->f, s->level->dso_name);
	fprintf(x->f, ",\"args\":{\"how\":\"%s\"", how[s->enter]);
	if (s->cpu != V9_NO_TASK)
		fprintf(x->f, ",\"cpu\":%u", s->cpu);
	fputs("}}", x->f);
}

static const char *const end_of[] = {
	[V9_CALLS_RETURNED] = NULL, [V9_CALLS_REPLACED] = "replaced", [V9_CALLS_LEFT] = "left",
	[V9_CALLS_LOST] = "lost",
};

static void leave(struct v9_export *x, const struct v9_call_step *s)
{
	call_event(x, 'E', s);
	if (end_of[s->leave])
		fprintf(x->f, ",\"args\":{\"end\":\"%s\"}", end_of[s->leave]);
	fputc('}', x->f);
}

/* Phases are asynchronous slices (b, e), because a phase need not end in the call that began it. */
static void mark(struct v9_export *x, const struct v9_call_step *s, const struct v9_mark *m)
{
	static const char phase[] = { [V9_MARK_BEGIN] = 'b', [V9_MARK_END] = 'e',
				      [V9_MARK_POINT] = 'i', [V9_MARK_ID] = 'i' };
	char text[32];

	event(x, phase[m->kind], s->comm, s->pid, s->tid, position(x, s));
	if (m->kind == V9_MARK_ID)
		snprintf(text, sizeof(text), m->cut ? "id [cut]" : "id %" PRIu64, m->id);
	fputs(",\"name\":", x->f);
	v9_json_print(x->f, m->kind == V9_MARK_ID ? text : m->text);
	if (phase[m->kind] == 'i')
		fputs(",\"s\":\"t\"", x->f);
	else
		fprintf(x->f, ",\"id\":%u", s->tid);
	fputs(",\"cat\":\"mark\"}", x->f);
}

static void record(struct v9_export *x, const struct v9_line *l)
{
	static const char *const latency[V9_SPE_LATENCIES] = {
		"latency", "issue", "translation" };
	const struct v9_spe_rec *r = l->r;
	struct chrome *c = x->state;
	char text[1024];
	struct v9_put put;
	struct v9_json j = { .put = &put };
	const struct v9_place *place = v9_line_place(l);

	if (!l->at->has_time) {
		c->untimed++;
		return;
	}
	event(x, 'i', l->at->comm, l->at->pid, l->at->tid, l->at->time);
	v9_put_begin(&put, x->f);
	v9_put_str(&put, ",\"s\":\"t\",\"name\":");
	v9_json_string(&put, place->func ? place->func->name : "[unknown]");
	v9_put_str(&put, ",\"cat\":");
	v9_json_string(&put, place->dso_name);
	v9_put_str(&put, ",\"args\":");
	v9_json_begin(&j);
	if (l->at->cpu != V9_NO_TASK)
		v9_json_number(&j, "cpu", l->at->cpu);
	if (r->has & V9_SPE_REC_PC)
		v9_json_hex(&j, "pc", r->pc.addr);
	if (r->has & V9_SPE_REC_OP)
		v9_json_text(&j, "operation", v9_spe_op(text, sizeof(text), r->op_class, r->op));
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		if (r->has & V9_SPE_REC_LAT(i))
			v9_json_number(&j, latency[i], r->lat[i]);
	if (r->has & V9_SPE_REC_EVENTS)
		v9_json_text(&j, "events", v9_spe_events(text, sizeof(text), r->events));
	if (r->has & V9_SPE_REC_SOURCE && v9_spe_source(l->at->sources, r->source))
		v9_json_text(&j, "source", v9_spe_source(l->at->sources, r->source));
	if (r->has & V9_SPE_REC_VA)
		v9_json_hex(&j, "address", r->va);
	v9_put_str(&put, "}}");
	v9_put_flush(&put);
}

static void loss(struct v9_export *x, const struct v9_loss *l)
{
	struct chrome *c = x->state;

	v9_note_loss(&c->note, l);
}

static void end(struct v9_export *x)
{
	struct chrome *c = x->state;
	const struct v9_loss untimed = {
		.kind = "untimed", .n = c->untimed, .what = "records without a time",
		.meaning = "a timeline has no place for them",
	};

	if (c->untimed)
		v9_note_loss(&c->note, &untimed);
	fputs("],\n\"otherData\":{\"exporter\":\"v9trace " V9TRACE_VERSION "\",\"axis\":", x->f);
	v9_json_print(x->f, v9_weights[x->weight].kind == V9_KIND_ETE ?
		       v9_weights[x->weight].name : "time");
	fputs(",\"note\":", x->f);
	v9_json_print(x->f, v9_note_text(&c->note, x));
	fputs("}}\n", x->f);
}

static void free_state(struct v9_export *x)
{
	struct chrome *c = x->state;

	v9_numbers_free(&c->threads);
	v9_note_free(&c->note);
	free(c);
}

const struct v9_sink v9_sink_chrome = {
	.name = "chrome", .help = "Trace Event Format: chrome://tracing, Perfetto, speedscope",
	.takes = { [V9_KIND_SPE] = V9_SINK_RECORDS, [V9_KIND_ETE] = V9_SINK_CALLS },
	.weights = 1u << V9_W_SAMPLES | 1u << V9_W_INSTRUCTIONS | 1u << V9_W_CYCLES |
		   1u << V9_W_TIME,
	.begin = begin, .enter = enter, .leave = leave, .mark = mark, .record = record,
	.loss = loss, .end = end, .free = free_state,
};
