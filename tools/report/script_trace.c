// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "script_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../decode/ete_text.h"
#include <v9trace/base.h>

#include "../util.h"
#include "fields.h"

struct v9_pending {
	struct v9_sampled at;
	struct v9_insn insn;
	uint64_t from;
	uint8_t el;
	bool set;
};

static void place(struct v9_script_trace *x, const struct v9_sampled *at, uint64_t addr,
		  struct v9_place *p)
{
	v9_syms_find(&x->s->syms, at->pid, at->has_time ? at->time : UINT64_MAX, addr, p);
}

static void begin(struct v9_script_trace *x, struct v9_json *j, const struct v9_sampled *at,
		  const char *type)
{
	const struct v9_line l = { .s = x->s, .at = at };

	x->lines++;
	if (x->json) {
		v9_json_begin(j);
		v9_json_text(j, "type", type);
		v9_json_task(j, &l);
	} else {
		v9_text_task(stdout, &l);
	}
}

static void end(const struct v9_script_trace *x, struct v9_json *j)
{
	if (x->json)
		v9_json_end(j);
	else
		fputc('\n', stdout);
}

/* An address with the function it is in; @key names it in JSON. */
static void say_place(struct v9_script_trace *x, struct v9_json *j, const struct v9_sampled *at,
		      const char *key, uint64_t addr)
{
	char name[32];
	struct v9_place p;

	place(x, at, addr, &p);
	if (!x->json) {
		printf(" %16" PRIx64 " ", addr);
		v9_text_place(stdout, &p);
		return;
	}
	v9_json_hex(j, key, addr);
	snprintf(name, sizeof(name), "%s_symbol", key);
	if (p.func)
		v9_json_text(j, name, p.func->name);
	snprintf(name, sizeof(name), "%s_offset", key);
	v9_json_hex(j, name, p.offset);
	snprintf(name, sizeof(name), "%s_dso", key);
	v9_json_text(j, name, p.dso_name);
}

static void say_el(const struct v9_script_trace *x, struct v9_json *j, unsigned int el)
{
	if (x->json)
		v9_json_number(j, "el", el);
	else
		printf(" el%u", el);
}

static void say_word(const struct v9_script_trace *x, struct v9_json *j, const char *key,
		     const char *word)
{
	if (x->json)
		v9_json_text(j, key, word);
	else
		printf(" %s", word);
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

/* The branch that waits for its target; the target may be unknown. */
static void finish_branch(struct v9_script_trace *x, struct v9_pending *p, bool known, uint64_t to)
{
	struct v9_json j = { .f = stdout };

	if (!p->set)
		return;
	p->set = false;
	if (!v9_filter_pass(&x->o->filter, &p->at))
		return;
	if (!known && p->insn.kind == V9_INSN_DIRECT) {
		known = true;
		to = p->insn.target;
	}
	begin(x, &j, &p->at, "branch");
	say_el(x, &j, p->el);
	say_place(x, &j, &p->at, "from", p->from);
	if (!x->json)
		fputs(" ->", stdout);
	if (known)
		say_place(x, &j, &p->at, "to", to);
	else if (!x->json)
		fputs(" not known", stdout);
	say_word(x, &j, "kind", branch_kind(&p->insn));
	end(x, &j);
}

static void branches(struct v9_script_trace *x, struct v9_pending *p, const struct v9_sampled *at,
		     const struct v9_flow_rec *r)
{
	(void)x;
	if (r->taken && (r->last.kind == V9_INSN_DIRECT || r->last.kind == V9_INSN_INDIRECT))
		*p = (struct v9_pending){ .at = *at, .insn = r->last, .from = r->last_addr,
					  .el = r->ctx.el, .set = true };
}

static void ranges(struct v9_script_trace *x, struct v9_pending *p, const struct v9_sampled *at,
		   const struct v9_flow_rec *r)
{
	struct v9_json j = { .f = stdout };

	(void)p;
	begin(x, &j, at, "range");
	say_el(x, &j, r->ctx.el);
	if (x->json) {
		v9_json_hex(&j, "end", r->end);
		v9_json_number(&j, "instructions", r->insns);
		v9_json_number(&j, "taken", r->taken);
	} else {
		printf(" %5u%s", r->insns, r->taken ? "*" : " ");
	}
	say_place(x, &j, at, "start", r->start);
	end(x, &j);
}

static void instructions(struct v9_script_trace *x, struct v9_pending *p,
			 const struct v9_sampled *at, const struct v9_flow_rec *r)
{
	uint64_t addr = r->start;

	(void)p;
	for (uint32_t i = 0; i < r->insns && !ferror(stdout); i++) {
		struct v9_json j = { .f = stdout };
		unsigned int size = 4;
		size_t n;
		const uint8_t *code = v9_code_at(&x->t.code, at->pid,
						 at->has_time ? at->time : UINT64_MAX, addr, &n);

		if (r->isa == V9_ISA_T32 && code && n >= 2)
			size = v9_t32_size((uint16_t)v9_load_le(code, 2));
		begin(x, &j, at, "insn");
		say_el(x, &j, r->ctx.el);
		if (x->json) {
			if (code && n >= size)
				v9_json_hex(&j, "opcode", v9_load_le(code, size));
		} else if (code && n >= size) {
			printf(" %0*" PRIx64 "%*s", (int)(2 * size), v9_load_le(code, size),
			       (int)(8 - 2 * size), "");
		} else {
			printf(" %8s", "-");
		}
		say_place(x, &j, at, "pc", addr);
		end(x, &j);
		addr += size;
	}
}

static void (*const show_range[])(struct v9_script_trace *x, struct v9_pending *p,
				  const struct v9_sampled *at, const struct v9_flow_rec *r) = {
	[V9_SCRIPT_BRANCHES] = branches,
	[V9_SCRIPT_INSN] = instructions,
	[V9_SCRIPT_RANGES] = ranges,
};

static void exception(struct v9_script_trace *x, const struct v9_sampled *at,
		      const struct v9_flow_rec *r)
{
	const char *text = v9_ete_exception_text(r->type);
	struct v9_json j = { .f = stdout };
	char number[32];

	snprintf(number, sizeof(number), "type %u", r->type);
	begin(x, &j, at, "exception");
	say_el(x, &j, r->ctx.el);
	if (!x->json)
		fputs(" exception:", stdout);
	say_word(x, &j, "exception", text ? text : number);
	if (r->addressed)
		say_place(x, &j, at, "return_to", r->start);
	end(x, &j);
}

static void gap(struct v9_script_trace *x, const struct v9_sampled *at,
		const struct v9_flow_rec *r)
{
	struct v9_json j = { .f = stdout };

	begin(x, &j, at, "gap");
	if (!x->json)
		fputs(" gap:", stdout);
	say_word(x, &j, "why", v9_flow_why[r->why]);
	if (r->why == V9_FLOW_LOSS && r->type < V9_ETE_SKIPS)
		say_word(x, &j, "bytes", v9_ete_skip_why[r->type]);
	if (r->addressed)
		say_place(x, &j, at, "at", r->start);
	end(x, &j);
}

static void take(void *arg, size_t stream, const struct v9_sampled *at,
		 const struct v9_flow_rec *r)
{
	struct v9_script_trace *x = arg;
	struct v9_pending *p = &x->pending[stream];
	const bool pass = v9_filter_pass(&x->o->filter, at);

	if (ferror(stdout))
		return;
	if (at->has_time)
		x->others(x->arg, at->time);
	switch (r->kind) {
	case V9_FLOW_RANGE:
		finish_branch(x, p, true, r->start);
		if (pass)
			show_range[x->how](x, p, at, r);
		break;
	case V9_FLOW_EXCEPTION:
		finish_branch(x, p, r->addressed, r->start);
		if (pass)
			exception(x, at, r);
		break;
	case V9_FLOW_GAP:
	case V9_FLOW_UNPLACED:
		finish_branch(x, p, false, 0);
		if (pass && r->kind == V9_FLOW_GAP)
			gap(x, at, r);
		break;
	}
}

static void warn_losses(const struct v9_script_trace *x)
{
	const struct v9_aux_sum *l = &x->s->aux[V9_KIND_ETE];
	const uint64_t records = x->s->lost.lost_records;
	const uint64_t *gaps = x->t.counts.gaps;
	uint64_t skipped = 0, known = 0;

	for (unsigned int i = 0; i < V9_ETE_SKIPS; i++)
		skipped += x->t.acc.skipped[i];
	for (unsigned int i = 0; i < V9_TRACE_UNREADS; i++)
		skipped += x->t.unread[i];
	for (unsigned int i = 0; i < V9_FLOW_WHYS; i++)
		known += i == V9_FLOW_FILTER ? 0 : gaps[i];
	if (l->truncated || l->partial || l->collision || records || skipped || known)
		v9_warn("lost: %" PRIu64 " AUX records truncated, %" PRIu64 " partial, %" PRIu64
			" stopped early, %" PRIu64 " side-band records, %" PRIu64
			" AUX bytes not decoded, %" PRIu64 " gaps (see v9trace report)",
			l->truncated, l->partial, l->collision, records, skipped, known);
}

void v9_script_trace(struct v9_script_trace *x)
{
	x->pending = v9_alloc((x->s->nr_queues + 1) * sizeof(*x->pending));
	v9_trace_init(&x->t, x->s);
	v9_trace_run(&x->t, take, x);
	for (size_t i = 0; i < x->s->nr_queues; i++)
		finish_branch(x, &x->pending[i], false, 0);
	x->others(x->arg, UINT64_MAX);
	warn_losses(x);
	v9_trace_free(&x->t);
	free(x->pending);
}
