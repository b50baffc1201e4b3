// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace script: ETE traces. */
#include "script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/ete_text.h"
#include <v9trace/base.h>

#include "../capture/place_cache.h"
#include "../capture/trace.h"
#include "../capture/workers.h"
#include "../util.h"
#include "fields.h"
#include "order.h"

#define GRAIN		(UINT64_C(8) << 10)	/* bytes of trace in a piece: a few MiB of text */
#define TASKS		6	/* log2 of the entries of caches of texts */
#define PLACES		12
#define HELD_MOST	(UINT64_C(8) << 20)	/* bytes of text in memory: no new piece above it */

struct script_trace {
	struct v9_script *script;
	struct v9_trace t;
	struct v9_order order;
	bool broken;			/* writing to stdout failed */
	uint64_t triggers;		/* Event 0 */
};

struct v9_pending_line {
	struct v9_sampled at;
	struct v9_insn insn;
	uint64_t from;
	uint8_t el;
	bool set;
};

/* An output: standard output, or with several threads the memory of one of them. */
struct printer {
	struct script_trace *all;
	struct v9_put *put;
	struct v9_pending_line *pending;	/* one for each stream */
	struct v9_text *text;		/* NULL: stdout */
	bool begun, finished;		/* the text has MARK_FINISH*, MARK_OTHERS */
	size_t stream;
	uint64_t latest;
	struct v9_place_cache places;
	struct v9_text_cache tasks, texts;	/* begins of lines; places */
	struct v9_listener listener;
};

static void init_caches(struct printer *x)
{
	v9_place_cache_init(&x->places, x->all->t.lookup, V9_PLACES_ORDER);
	v9_text_cache_init(&x->tasks, TASKS);
	v9_text_cache_init(&x->texts, PLACES);
}

static void free_caches(struct printer *x)
{
	v9_place_cache_free(&x->places);
	v9_text_cache_free(&x->tasks);
	v9_text_cache_free(&x->texts);
}

/*
 * Prints the task and the time, which many lines have in common. The control group follows from thread and time.
 */
static void print_task(struct printer *x, struct v9_json *j, const struct v9_sampled *at)
{
	const struct v9_line l = { .s = &x->all->script->s, .at = at,
				  .cgroup = x->all->script->need_cgroup };
	const struct v9_text_key key = { {
		(uint64_t)(uintptr_t)at->comm, (uint64_t)at->pid << 32 | at->tid, at->time,
		(uint64_t)at->has_time << 32 | at->cpu } };
	struct v9_text_begin begin;

	if (v9_text_again(&x->tasks, &key, x->put))
		return;
	begin = v9_text_begin(x->put);
	if (x->all->script->json)
		v9_json_task(j, &l);
	else
		v9_text_task(x->put, &l);
	v9_text_keep(&x->tasks, &key, x->put, begin);
}

static void begin(struct printer *x, struct v9_json *j, const struct v9_sampled *at,
		  const char *type)
{
	if (x->all->script->json) {
		v9_json_begin(j);
		v9_json_text(j, "type", type);
	}
	print_task(x, j, at);
}

static void end(const struct printer *x, struct v9_json *j)
{
	if (x->all->script->json)
		v9_json_end(j);
	else
		v9_put_end(x->put);
}

static void put_place(struct printer *x, struct v9_json *j, const struct v9_sampled *at, const char *key,
		      uint64_t addr)
{
	const struct v9_place *p = v9_place_cached(&x->places, at, addr);
	char name[32];

	if (!x->all->script->json) {
		v9_put_char(x->put, ' ');
		v9_put_hex(x->put, addr, 16);
		v9_put_char(x->put, ' ');
		v9_text_place(x->put, p);
		return;
	}
	v9_json_hex(j, key, addr);
	snprintf(name, sizeof(name), "%s_symbol", key);
	if (p->func)
		v9_json_text(j, name, p->func->name);
	snprintf(name, sizeof(name), "%s_offset", key);
	v9_json_hex(j, name, p->offset);
	snprintf(name, sizeof(name), "%s_dso", key);
	v9_json_text(j, name, p->dso_name);
}

/* Prints an address and its function. @key is the name of the member in JSON: a constant. */
static void print_place(struct printer *x, struct v9_json *j, const struct v9_sampled *at, const char *key,
			uint64_t addr)
{
	const struct v9_place_key place = v9_place_key(&x->places, at, addr);
	const struct v9_text_key k = { { place.addr, place.epoch, place.pid, (uint64_t)(uintptr_t)key } };
	struct v9_text_begin begin;

	if (v9_text_again(&x->texts, &k, x->put))
		return;
	begin = v9_text_begin(x->put);
	put_place(x, j, at, key, addr);
	v9_text_keep(&x->texts, &k, x->put, begin);
}

static void print_el(const struct printer *x, struct v9_json *j, unsigned int el)
{
	if (x->all->script->json) {
		v9_json_number(j, "el", el);
	} else {
		v9_put_str(x->put, " el");
		v9_put_number(x->put, el, 0);
	}
}

static void print_word(const struct printer *x, struct v9_json *j, const char *key,
		     const char *word)
{
	if (x->all->script->json) {
		v9_json_text(j, key, word);
	} else {
		v9_put_char(x->put, ' ');
		v9_put_str(x->put, word);
	}
}

static const char *branch_kind(const struct v9_insn *i)
{
	if (i->flags & V9_INSN_ERET)
		return "exception-return";
	if (i->flags & V9_INSN_LINK)
		return i->kind == V9_INSN_INDIRECT ? "indirect-call" : "call";
	if (i->flags & V9_INSN_RET)
		return "return";
	if (i->flags & V9_INSN_COND)
		return "conditional";
	return i->kind == V9_INSN_INDIRECT ? "indirect-jump" : "jump";
}

/* Prints the pending branch, if there is one. @to is its target if @known is true. */
static void finish_branch(struct printer *x, struct v9_pending_line *p, bool known, uint64_t to)
{
	struct v9_json j = { .put = x->put };

	if (!p->set)
		return;
	p->set = false;
	if (!known && p->insn.kind == V9_INSN_DIRECT) {
		known = true;
		to = p->insn.target;
	}
	begin(x, &j, &p->at, "branch");
	print_el(x, &j, p->el);
	print_place(x, &j, &p->at, "from", p->from);
	if (!x->all->script->json)
		v9_put_str(x->put, " ->");
	if (known)
		print_place(x, &j, &p->at, "to", to);
	else if (!x->all->script->json)
		v9_put_str(x->put, " not known");
	print_word(x, &j, "kind", branch_kind(&p->insn));
	end(x, &j);
}

static void branches(struct printer *x, struct v9_pending_line *p, const struct v9_sampled *at,
		     const struct v9_flow_rec *r)
{
	(void)x;
	if (r->taken && (r->last.kind == V9_INSN_DIRECT || r->last.kind == V9_INSN_INDIRECT))
		*p = (struct v9_pending_line){ .at = *at, .insn = r->last, .from = r->last_addr,
					  .el = r->ctx.el, .set = true };
}

static void ranges(struct printer *x, struct v9_pending_line *p, const struct v9_sampled *at,
		   const struct v9_flow_rec *r)
{
	struct v9_json j = { .put = x->put };

	(void)p;
	begin(x, &j, at, "range");
	print_el(x, &j, r->ctx.el);
	if (x->all->script->json) {
		v9_json_hex(&j, "end", r->end);
		v9_json_number(&j, "instructions", r->insns);
		v9_json_number(&j, "taken", r->taken);
	} else {
		v9_put_char(x->put, ' ');
		v9_put_number(x->put, r->insns, 5);
		v9_put_char(x->put, r->taken ? '*' : ' ');
	}
	print_place(x, &j, at, "start", r->start);
	end(x, &j);
}

static void instructions(struct printer *x, struct v9_pending_line *p,
			 const struct v9_sampled *at, const struct v9_flow_rec *r)
{
	uint64_t addr = r->start;

	(void)p;
	for (uint32_t i = 0; i < r->insns && !ferror(x->put->f); i++) {
		struct v9_json j = { .put = x->put };
		unsigned int size = 4;
		size_t n;
		const uint8_t *code = v9_lookup_code(x->all->t.lookup, at->pid,
						     v9_sampled_time(at), addr, &n);

		if (r->isa == V9_ISA_T32 && code && n >= 2)
			size = v9_t32_size((uint16_t)v9_load_le(code, 2));
		begin(x, &j, at, "insn");
		print_el(x, &j, r->ctx.el);
		if (x->all->script->json) {
			if (code && n >= size)
				v9_json_hex(&j, "opcode", v9_load_le(code, size));
		} else if (code && n >= size) {
			v9_put_char(x->put, ' ');
			v9_put_hex0(x->put, v9_load_le(code, size), 2 * size);
			v9_put_right(x->put, "", 8 - 2 * size);
		} else {
			v9_put_right(x->put, "-", 9);
		}
		print_place(x, &j, at, "pc", addr);
		end(x, &j);
		addr += size;
	}
}

static void (*const show_range[])(struct printer *x, struct v9_pending_line *p,
				  const struct v9_sampled *at, const struct v9_flow_rec *r) = {
	[V9_SCRIPT_BRANCHES] = branches,
	[V9_SCRIPT_INSN] = instructions,
	[V9_SCRIPT_RANGES] = ranges,
};

static void exception(struct printer *x, const struct v9_sampled *at,
		      const struct v9_flow_rec *r)
{
	const char *text = v9_ete_exception_text(r->type);
	struct v9_json j = { .put = x->put };
	char number[32];

	snprintf(number, sizeof(number), "type %u", r->type);
	begin(x, &j, at, "exception");
	print_el(x, &j, r->ctx.el);
	if (!x->all->script->json)
		v9_put_str(x->put, " exception:");
	print_word(x, &j, "exception", text ? text : number);
	if (r->addressed)
		print_place(x, &j, at, "return_to", r->start);
	end(x, &j);
}

/* Also for instructions on an unknown path, whose number is known */
static void gap(struct printer *x, const struct v9_sampled *at,
		const struct v9_flow_rec *r)
{
	const bool counted = r->kind == V9_FLOW_UNPLACED;
	struct v9_json j = { .put = x->put };

	begin(x, &j, at, "gap");
	if (!x->all->script->json)
		v9_put_str(x->put, " gap:");
	print_word(x, &j, "why", counted ? "path not known" : v9_flow_why[r->why]);
	if (counted && x->all->script->json) {
		v9_json_number(&j, "instructions", r->insns);
	} else if (counted) {
		v9_put_str(x->put, ": ");
		v9_put_number(x->put, r->insns, 0);
		v9_put_str(x->put, " instructions");
	}
	if (r->why == V9_FLOW_LOSS && r->type < V9_ETE_SKIPS)
		print_word(x, &j, "bytes", v9_ete_skip_why[r->type]);
	if (r->addressed)
		print_place(x, &j, at, "at", r->start);
	end(x, &j);
}

/* Prints a mark of the program. Returns false if the value is none. */
static bool mark(struct printer *x, const struct v9_sampled *at, const struct v9_flow_rec *r)
{
	struct v9_json j = { .put = x->put };
	struct v9_mark m;

	if (!v9_mark_read(x->all->t.lookup, at, r, &m))
		return false;
	begin(x, &j, at, "mark");
	print_el(x, &j, r->type);
	if (x->all->script->json) {
		v9_json_text(&j, "kind", v9_mark_kinds[m.kind]);
		v9_json_mark(&j, &m);
	} else {
		v9_put_char(x->put, ' ');
		v9_print_mark(x->put, &m);
	}
	end(x, &j);
	return true;
}

/* Prints a value of instrumentation. A pending branch stays pending: its target may follow. */
static void instrumentation(struct printer *x, const struct v9_sampled *at, const struct v9_flow_rec *r)
{
	struct v9_json j = { .put = x->put };

	begin(x, &j, at, "instrumentation");
	print_el(x, &j, r->type);
	if (x->all->script->json) {
		v9_json_hex(&j, "value", r->value);
	} else {
		v9_put_str(x->put, " instrumentation: 0x");
		v9_put_hex(x->put, r->value, 0);
	}
	end(x, &j);
}

/* Prints an event of the trace unit. Event 0 is the trigger of a flight recorder. */
static void unit_event(struct printer *x, const struct v9_sampled *at, const struct v9_flow_rec *r)
{
	const bool trigger = r->type & 1 && x->all->script->s.trigger;
	struct v9_json j = { .put = x->put };

	begin(x, &j, at, "unit_event");
	if (x->all->script->json) {
		v9_json_number(&j, "events", r->type);
		v9_json_number(&j, "trigger", trigger);
	} else {
		v9_put_str(x->put, trigger ? " trigger: event" : " event:");
		for (unsigned int i = 0; i < 8; i++) {
			if (!(r->type >> i & 1))
				continue;
			v9_put_char(x->put, ' ');
			v9_put_number(x->put, i, 0);
		}
	}
	end(x, &j);
}

/* ---- the order of the output */

enum { MARK_OTHERS, MARK_FINISH_AT, MARK_FINISH };

/* Marks the place in the text of a thread that has been reached. */
static void mark_place(struct printer *x, unsigned int kind, uint64_t a, uint64_t b)
{
	v9_put_flush(x->put);
	v9_text_mark(x->text, kind, a, b);
}

/* Prints other records up to @time, or marks the place in the text. */
static void tell_others(struct printer *x, uint64_t time)
{
	if (!x->text) {
		v9_script_until(x->all->script, time);
	} else if (!x->finished || time > x->latest) {
		mark_place(x, MARK_OTHERS, time, 0);
		x->latest = time;
		x->finished = true;
	}
}

/* Ends the pending branch. The first in a piece may be pending from the piece before: mark it. */
static void finish(struct printer *x, size_t stream, bool known, uint64_t to)
{
	if (x->text && !x->begun) {
		mark_place(x, known ? MARK_FINISH_AT : MARK_FINISH, stream, to);
		x->begun = true;
		x->stream = stream;
		return;
	}
	finish_branch(x, &x->pending[stream], known, to);
}

/* Ranges are selected by their begin; what has no place fits no option about places. */
static bool passes(struct printer *x, const struct v9_sampled *at, const struct v9_flow_rec *r)
{
	const struct v9_record_filter *f = &x->all->script->o.filter;
	const bool placed = r->kind == V9_FLOW_RANGE || r->addressed;
	struct v9_place p = { .dso_name = NULL };

	if (!f->used)
		return true;
	if (f->used & V9_FILTER_SPE || !v9_filter_task(f, at))
		return false;
	if (f->used & V9_FILTER_PLACES && placed)
		p = *v9_place_cached(&x->places, at, r->start);
	if (!v9_filter_place(f, r->ctx.el, &p))
		return false;
	/* Several threads may write the same value. */
	if (!__atomic_load_n(&x->all->script->selected, __ATOMIC_RELAXED))
		__atomic_store_n(&x->all->script->selected, true, __ATOMIC_RELAXED);
	return true;
}

static void take(void *arg, size_t stream, const struct v9_sampled *at,
		 const struct v9_flow_rec *r)
{
	struct printer *x = arg;
	struct v9_pending_line *p = &x->pending[stream];
	const bool pass = passes(x, at, r);

	if (ferror(x->put->f) || __atomic_load_n(&x->all->broken, __ATOMIC_RELAXED))
		return;
	if (at->has_time)
		tell_others(x, at->time);
	switch (r->kind) {
	case V9_FLOW_RANGE:
		finish(x, stream, true, r->start);
		if (pass)
			show_range[x->all->script->how](x, p, at, r);
		break;
	case V9_FLOW_EXCEPTION:
		finish(x, stream, r->addressed, r->start);
		if (pass)
			exception(x, at, r);
		break;
	case V9_FLOW_GAP:
	case V9_FLOW_UNPLACED:
		finish(x, stream, false, 0);
		if (pass)
			gap(x, at, r);
		break;
	case V9_FLOW_INSTRUMENTATION:
		if (pass && !mark(x, at, r))
			instrumentation(x, at, r);
		break;
	case V9_FLOW_MARK:
	case V9_FLOW_MARK_CUT:
		if (pass)
			mark(x, at, r);
		break;
	case V9_FLOW_EVENT:
		__atomic_fetch_add(&x->all->triggers, r->type & 1, __ATOMIC_RELAXED);
		if (pass)
			unit_event(x, at, r);
		break;
	}
}

/* ---- several threads */

/* The pending branch at the end of a piece, which the next piece ends. */
struct ending {
	bool begun;
	size_t stream;
	struct v9_pending_line pending;
};

static void start_text(struct printer *x)
{
	x->text = v9_text_new();
	v9_put_begin(x->put, v9_text_file(x->text));
	x->begun = false;
	x->finished = false;
	memset(x->pending, 0, x->all->t.nr_streams * sizeof(*x->pending));
}

static struct v9_listener *create(void *arg)
{
	struct script_trace *all = arg;
	struct printer *x = v9_alloc(sizeof(*x));

	x->all = all;
	x->put = v9_alloc(sizeof(*x->put));
	x->pending = v9_alloc((all->t.nr_streams + 1) * sizeof(*x->pending));
	init_caches(x);
	x->listener = (struct v9_listener){ .take = take, .arg = x };
	start_text(x);
	return &x->listener;
}

static void begin_segment(struct v9_listener *listener, size_t begin_segment, uint64_t key)
{
	struct printer *x = listener->arg;

	v9_put_flush(x->put);
	v9_text_turn(x->text, begin_segment, key);
}

static void end_segment(struct v9_listener *listener)
{
	struct printer *x = listener->arg;

	v9_put_flush(x->put);
	v9_text_through(x->text);
}

static void *result(struct v9_listener *listener)
{
	struct printer *x = listener->arg;
	struct v9_text *text = x->text;
	struct ending *e = v9_text_own(text, sizeof(*e));

	v9_put_flush(x->put);
	e->begun = x->begun;
	e->stream = x->stream;
	e->pending = x->pending[x->begun ? x->stream : 0];
	start_text(x);
	return text;
}

static void merge(void *arg, void *result)
{
	struct script_trace *all = arg;

	v9_put_flush(&all->script->put);
	v9_order_add(&all->order, result);
	__atomic_store_n(&all->broken, ferror(stdout) != 0, __ATOMIC_RELAXED);
}

static void discard(void *result)
{
	v9_text_delete(result);
}

static void destroy(struct v9_listener *listener)
{
	struct printer *x = listener->arg;

	v9_text_delete(x->text);
	free(x->put);
	free(x->pending);
	free_caches(x);
	free(x);
}

static bool full(void *arg)
{
	return ((struct script_trace *)arg)->order.held > HELD_MOST;
}

/* Called when the text before the mark was written. */
static void at_mark(void *arg, const struct v9_text_mark *m)
{
	struct printer *loud = arg;

	if (m->kind == MARK_OTHERS)
		tell_others(loud, m->a);
	else
		finish(loud, m->a, m->kind == MARK_FINISH_AT, m->b);
	/* More text of the piece follows, by another way. */
	v9_put_flush(loud->put);
}

static void at_end(void *arg, void *own)
{
	struct printer *loud = arg;
	const struct ending *e = own;

	if (e->begun)
		loud->pending[e->stream] = e->pending;
}

void v9_script_trace_losses(const struct v9_script *s, const struct v9_trace *t, uint64_t triggers)
{
	const struct v9_aux_sum *l = &s->s.aux[V9_KIND_ETE];
	const uint64_t records = s->s.lost.lost_records;
	const uint64_t *gaps = t->sums.counts.gaps;
	uint64_t skipped = 0, known = 0, truncated = l->truncated;

	/* A trigger stops the buffer with that flag. */
	if (s->s.trigger)
		truncated -= triggers < l->stopped ? triggers : l->stopped;

	for (unsigned int i = 0; i < V9_ETE_SKIPS; i++)
		skipped += t->sums.acc.skipped[i];
	for (unsigned int i = 0; i < V9_TRACE_UNREADS; i++)
		skipped += t->unread[i];
	for (unsigned int i = 0; i < V9_FLOW_WHYS; i++)
		known += i == V9_FLOW_FILTER ? 0 : gaps[i];
	if (truncated || l->partial || l->collision || records || skipped || known)
		v9_warn("lost: %" PRIu64 " AUX records truncated, %" PRIu64 " partial, %" PRIu64
			" stopped early, %" PRIu64 " side-band records, %" PRIu64
			" AUX bytes not decoded, %" PRIu64 " gaps (see v9trace report)",
			truncated, l->partial, l->collision, records, skipped, known);
}

/*
 * Is the text of a piece too large for memory? True for --insn if --jobs has no size of a piece: a
 * line for each instruction between two synchronizations can be 30 MiB of text.
 */
static bool too_much(const struct v9_script *s)
{
	return s->how == V9_SCRIPT_INSN && !s->o.grain;
}

void v9_script_trace(struct v9_script *s)
{
	struct script_trace x = { .script = s };
	struct printer loud = { .all = &x, .put = &s->put };
	const struct v9_listener listener = { .take = take, .arg = &loud };
	const struct v9_workers workers = {
		.threads = s->o.threads, .grain = s->o.grain ? s->o.grain : GRAIN, .arg = &x,
		.create = create, .begin_segment = begin_segment, .end_segment = end_segment,
		.result = result, .merge = merge,
		.discard = discard, .full = full, .destroy = destroy,
	};

	if (s->how == V9_SCRIPT_CALLS) {
		v9_script_calls(s);
		return;
	}
	v9_trace_init(&x.t, &s->s, &s->lookup);
	v9_trace_plan(&x.t);
	init_caches(&loud);
	loud.pending = v9_alloc((x.t.nr_streams + 1) * sizeof(*loud.pending));
	v9_order_init(&x.order, x.t.nr_segments);
	x.order.mark = at_mark;
	x.order.end = at_end;
	x.order.arg = &loud;
	v9_trace_run(&x.t, &listener, too_much(s) ? NULL : &workers);
	for (size_t i = 0; i < x.t.nr_streams; i++)
		finish_branch(&loud, &loud.pending[i], false, 0);
	v9_script_until(s, UINT64_MAX);
	v9_script_trace_losses(s, &x.t, x.triggers);
	s->seen += x.t.sums.acc.packets;
	v9_order_free(&x.order);
	v9_trace_free(&x.t);
	free(loud.pending);
	free_caches(&loud);
}
