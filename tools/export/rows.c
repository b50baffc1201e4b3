// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rows.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>
#include <v9trace/gen/spe_pkt.h>

#include "../capture/trace.h"
#include "../lib/ete_text.h"
#include "../lib/spe_text.h"
#include "../report/kinds.h"
#include "../report/shard_view.h"

#define EVENT_SETS 256			/* entries of the cache of texts of events */
#define OPS	(4u << 8)		/* classes and operations */

/* ---- tables */

#define TASK_COLUMNS \
	{ "time", V9_ROW_NUMBER }, { "comm", V9_ROW_TEXT }, { "pid", V9_ROW_NUMBER }, \
	{ "tid", V9_ROW_NUMBER }
#define PLACE_COLUMNS	{ "symbol", V9_ROW_TEXT }, { "dso", V9_ROW_TEXT }
#define SPE_COLUMNS	TASK_COLUMNS, PLACE_COLUMNS

static const struct v9_rows_column ldst[] = {
	{ "cpu", V9_ROW_NUMBER }, { "op", V9_ROW_TEXT }, { "pc", V9_ROW_HEX },
	{ "el", V9_ROW_NUMBER }, { "atomic", V9_ROW_FLAG }, { "excl", V9_ROW_FLAG },
	{ "ar", V9_ROW_FLAG }, { "subclass", V9_ROW_TEXT }, { "sve_evl", V9_ROW_NUMBER },
	{ "sve_pred", V9_ROW_FLAG }, { "sve_sg", V9_ROW_FLAG }, { "event", V9_ROW_TEXT },
	{ "issue_lat", V9_ROW_NUMBER }, { "total_lat", V9_ROW_NUMBER }, { "vaddr", V9_ROW_HEX },
	{ "xlat_lat", V9_ROW_NUMBER }, { "paddr", V9_ROW_HEX }, { "data_source", V9_ROW_TEXT },
	{ "ts", V9_ROW_NUMBER }, { "context", V9_ROW_NUMBER },
	SPE_COLUMNS,
};

static const struct v9_rows_column br[] = {
	{ "cpu", V9_ROW_NUMBER }, { "op", V9_ROW_TEXT }, { "pc", V9_ROW_HEX },
	{ "el", V9_ROW_NUMBER }, { "condition", V9_ROW_FLAG }, { "indirect", V9_ROW_FLAG },
	{ "event", V9_ROW_TEXT }, { "issue_lat", V9_ROW_NUMBER }, { "total_lat", V9_ROW_NUMBER },
	{ "br_tgt", V9_ROW_HEX }, { "br_tgt_lvl", V9_ROW_NUMBER }, { "pbt", V9_ROW_HEX },
	{ "pbt_lvl", V9_ROW_NUMBER }, { "context", V9_ROW_NUMBER }, { "ts", V9_ROW_NUMBER },
	SPE_COLUMNS,
};

static const struct v9_rows_column other[] = {
	{ "cpu", V9_ROW_NUMBER }, { "op", V9_ROW_TEXT }, { "pc", V9_ROW_HEX },
	{ "el", V9_ROW_NUMBER }, { "subclass", V9_ROW_TEXT }, { "sve_evl", V9_ROW_NUMBER },
	{ "sve_pred", V9_ROW_FLAG }, { "sve_fp", V9_ROW_FLAG }, { "condition", V9_ROW_FLAG },
	{ "event", V9_ROW_TEXT }, { "issue_lat", V9_ROW_NUMBER }, { "total_lat", V9_ROW_NUMBER },
	{ "context", V9_ROW_NUMBER }, { "ts", V9_ROW_NUMBER },
	SPE_COLUMNS,
};

/* A call at its end. at: instructions that its thread had executed before; both sums with callees */
static const struct v9_rows_column calls[] = {
	TASK_COLUMNS, { "cpu", V9_ROW_NUMBER }, PLACE_COLUMNS, { "caller", V9_ROW_TEXT },
	{ "depth", V9_ROW_NUMBER }, { "enter", V9_ROW_TEXT }, { "leave", V9_ROW_TEXT },
	{ "at", V9_ROW_NUMBER }, { "instructions", V9_ROW_NUMBER }, { "cycles", V9_ROW_NUMBER },
	{ "duration", V9_ROW_NUMBER },
};

static const struct v9_rows_column ranges[] = {
	TASK_COLUMNS, { "cpu", V9_ROW_NUMBER }, { "el", V9_ROW_NUMBER }, { "start", V9_ROW_HEX },
	{ "end", V9_ROW_HEX }, { "instructions", V9_ROW_NUMBER }, { "taken", V9_ROW_FLAG },
	PLACE_COLUMNS,
};

static const struct v9_rows_column events[] = {
	TASK_COLUMNS, { "cpu", V9_ROW_NUMBER }, { "el", V9_ROW_NUMBER }, { "kind", V9_ROW_TEXT },
	{ "what", V9_ROW_TEXT }, { "address", V9_ROW_HEX }, { "value", V9_ROW_HEX },
};

static const struct v9_rows_column lost[] = {
	{ "kind", V9_ROW_TEXT }, { "count", V9_ROW_NUMBER }, { "what", V9_ROW_TEXT },
	{ "meaning", V9_ROW_TEXT },
};

/* Sums of a shard */
#define SOURCE_COLUMNS \
	{ "kind", V9_ROW_TEXT }, { "cpu_type", V9_ROW_TEXT }, { "event", V9_ROW_TEXT }, \
	{ "period", V9_ROW_NUMBER }
#define SUM_COLUMNS(of) \
	{ of "build_id", V9_ROW_TEXT }, { of "dso", V9_ROW_TEXT }, { of "symbol", V9_ROW_TEXT }, \
	{ of "addr", V9_ROW_HEX }

static const struct v9_rows_column samples[] = {
	SOURCE_COLUMNS, SUM_COLUMNS(""), { "op", V9_ROW_TEXT }, { "data_source", V9_ROW_TEXT },
	{ "samples", V9_ROW_NUMBER }, { "total_lat", V9_ROW_NUMBER }, { "issue_lat", V9_ROW_NUMBER },
	{ "xlat_lat", V9_ROW_NUMBER }, { "l1_misses", V9_ROW_NUMBER }, { "llc_misses", V9_ROW_NUMBER },
	{ "tlb_misses", V9_ROW_NUMBER }, { "mispredicts", V9_ROW_NUMBER },
};

/* What ran from the target of a branch up to the instruction at end_addr */
static const struct v9_rows_column branch_sums[] = {
	SOURCE_COLUMNS, SUM_COLUMNS("from_"), SUM_COLUMNS("to_"), { "end_addr", V9_ROW_HEX },
	{ "count", V9_ROW_NUMBER },
};

static const struct v9_rows_column paths[] = {
	SOURCE_COLUMNS, SUM_COLUMNS(""), { "depth", V9_ROW_NUMBER }, { "path", V9_ROW_TEXT },
	{ "instructions", V9_ROW_NUMBER }, { "cycles", V9_ROW_NUMBER }, { "calls", V9_ROW_NUMBER },
};

#define TABLE(t, k)	{ #t, k, t, V9_ARRAY_SIZE(t) }
#define SHARD_TABLE(t)	{ #t, V9_KIND_OTHER, t, V9_ARRAY_SIZE(t), true }
const struct v9_rows_table v9_rows_tables[V9_ROWS_TABLES] = {
	[V9_ROWS_LDST] = TABLE(ldst, V9_KIND_SPE),
	[V9_ROWS_BR] = TABLE(br, V9_KIND_SPE),
	[V9_ROWS_OTHER] = TABLE(other, V9_KIND_SPE),
	[V9_ROWS_CALLS] = TABLE(calls, V9_KIND_ETE),
	[V9_ROWS_RANGES] = TABLE(ranges, V9_KIND_ETE),
	[V9_ROWS_EVENTS] = TABLE(events, V9_KIND_ETE),
	[V9_ROWS_SAMPLES] = SHARD_TABLE(samples),
	[V9_ROWS_BRANCH_SUMS] = SHARD_TABLE(branch_sums),
	[V9_ROWS_PATHS] = SHARD_TABLE(paths),
	[V9_ROWS_LOST] = TABLE(lost, V9_KIND_OTHER),
};

bool v9_rows_has(const struct v9_export *x, enum v9_rows_id id)
{
	const enum v9_kind_id kind = v9_rows_tables[id].kind;

	if (id != V9_ROWS_LOST && v9_rows_tables[id].of_shard != !!x->r.shard)
		return false;
	return kind == V9_KIND_OTHER || !v9_kinds[kind].absent(&x->r.s);
}

/* ---- a row */

struct open_call {
	const char *symbol, *dso;
	uint64_t time, insns, cycles;
	bool has_time;
	enum v9_calls_enter how;
};

struct v9_rows {
	v9_rows_put *put;
	struct v9_rows_cell cell[V9_ROWS_COLUMNS];
	size_t nr;			/* cells that are filled */
	struct thread {
		struct open_call *call;
		size_t nr;
	} *thread;			/* functions that did not end yet */
	size_t nr_threads;
	/* Texts of SPE records, when they were needed: a capture has few different ones. */
	struct event_set {
		uint64_t events;
		char *text;
	} events[EVENT_SETS];
	char *subclass[OPS];		/* by class << 8 | operation */
};

struct v9_rows *v9_rows_new(struct v9_export *x, v9_rows_put *put)
{
	struct v9_rows *r = v9_alloc(sizeof(*r));

	(void)x;
	r->put = put;
	return r;
}

void v9_rows_free(struct v9_rows *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nr_threads; i++)
		free(r->thread[i].call);
	for (size_t i = 0; i < EVENT_SETS; i++)
		free(r->events[i].text);
	for (size_t i = 0; i < OPS; i++)
		free(r->subclass[i]);
	free(r->thread);
	free(r);
}

static struct v9_rows *rows_of(const struct v9_export *x)
{
	return *(struct v9_rows **)x->state;
}

static void number(struct v9_rows *r, bool set, uint64_t n)
{
	r->cell[r->nr++] = (struct v9_rows_cell){ .set = set, .n = n };
}

static void text(struct v9_rows *r, const char *s)
{
	r->cell[r->nr++] = (struct v9_rows_cell){ .set = s, .s = s };
}

static void task(struct v9_rows *r, const char *comm, uint32_t pid, uint32_t tid, bool has_time,
		 uint64_t time)
{
	number(r, has_time, time);
	text(r, comm);
	number(r, pid != V9_NO_TASK, pid);
	number(r, tid != V9_NO_TASK, tid);
}

static void done(struct v9_export *x, enum v9_rows_id id)
{
	struct v9_rows *r = rows_of(x);

	r->put(x, id, r->cell);
	r->nr = 0;
}

/* ---- SPE records */

static const char *upper(char *room, size_t size, const char *s)
{
	size_t i;

	for (i = 0; s[i] && i + 1 < size; i++)
		room[i] = s[i] == '_' ? '-' : (char)toupper((unsigned char)s[i]);
	room[i] = '\0';
	return room;
}

/* Names of events as perf and spe-parser have them. Others have their own name. */
static const char *const event_names[] = {
	[V9_SPE_EV_EXCEPTION] = "EXCEPTION-GEN", [V9_SPE_EV_TLB_WALK] = "TLB-REFILL",
	[V9_SPE_EV_MISPREDICTED] = "MISPRED", [V9_SPE_EV_LLC_MISS] = "LLC-REFILL",
	[V9_SPE_EV_MISALIGNED] = "ALIGNMENT", [V9_SPE_EV_TRANSACTION] = "TXN",
	[V9_SPE_EV_PARTIAL_PRED] = "SVE-PARTIAL-PRED", [V9_SPE_EV_EMPTY_PRED] = "SVE-EMPTY-PRED",
};

static char *events_text(uint64_t events)
{
	char room[1024] = "";
	size_t at = 0;

	for (unsigned int bit = 0; bit < V9_SPE_EVENT_BITS; bit++) {
		const char *name = bit < V9_ARRAY_SIZE(event_names) ? event_names[bit] : NULL;
		char own[32];

		if (!(events >> bit & 1))
			continue;
		if (!name && v9_spe_event_name(bit))
			name = upper(own, sizeof(own), v9_spe_event_name(bit));
		if (!name) {
			snprintf(own, sizeof(own), "E%u", bit);
			name = own;
		}
		at += (size_t)snprintf(room + at, sizeof(room) - at, "%s%s", at ? ":" : "", name);
	}
	return v9_format("%s", room);
}

static void put_events(struct v9_rows *r, const struct v9_spe_rec *rec)
{
	struct event_set *set = &r->events[(rec->events ^ rec->events >> 8 ^ rec->events >> 16) % EVENT_SETS];

	if (!(rec->has & V9_SPE_REC_EVENTS)) {
		text(r, NULL);
		return;
	}
	if (!set->text || set->events != rec->events) {
		free(set->text);
		*set = (struct event_set){ rec->events, events_text(rec->events) };
	}
	text(r, set->text);
}

/* Names of operations as spe-parser has them */
static const struct { const char *name, *theirs; } subclasses[] = {
	{ "GPR", "GP-REG" }, { "EXTENDED", "" }, { "SVE_SME", "SVE" }, { "UNSPECIFIED", "UNSPEC-REG" },
};

static char *subclass_text(unsigned int class, uint8_t op)
{
	char room[32];

#define OP(class, name, mask, value, ...)	{ class, #name, mask, value },
	static const struct { unsigned int class; const char *name; uint8_t mask, value; } ops[] = {
		V9_SPE_FOREACH_OP(OP)
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(ops); i++) {
		if (ops[i].class != class || (op & ops[i].mask) != ops[i].value)
			continue;
		for (size_t k = 0; k < V9_ARRAY_SIZE(subclasses); k++)
			if (!strcmp(ops[i].name, subclasses[k].name))
				return v9_format("%s", subclasses[k].theirs);
		return v9_format("%s", upper(room, sizeof(room), ops[i].name));
	}
	return v9_format("0x%02x", op);
}

static const char *subclass(struct v9_rows *r, const struct v9_spe_rec *rec)
{
	char **s = &r->subclass[(rec->op_class << 8 | rec->op) % OPS];

	if (!*s)
		*s = subclass_text(rec->op_class, rec->op);
	return *s;
}

/* Names of data sources of Arm's cores as spe-parser has them */
static const struct { const char *name, *theirs; } source_names[] = {
	{ "peer_core", "PEER-CPU" }, { "sys_cache", "LL-CACHE" },
};

static void put_source(struct v9_rows *r, const struct v9_line *l, char *room, size_t size)
{
	const char *name = v9_spe_source(l->at->sources, l->r->source);

	if (!(l->r->has & V9_SPE_REC_SOURCE)) {
		text(r, NULL);
		return;
	}
	for (size_t i = 0; name && i < V9_ARRAY_SIZE(source_names); i++)
		if (!strcmp(name, source_names[i].name))
			name = source_names[i].theirs;
	if (!name)
		snprintf(room, size, "0x%x", l->r->source);
	text(r, name ? upper(room, size, name) : room);
}

/* Bits of a vector: 32 << field. The last value means more than the one before. */
static unsigned int evl(uint8_t op)
{
	return 32u << V9_GET((unsigned int)V9_SPE_OP_SVE_EVL, (unsigned int)op);
}

static void put_latency(struct v9_rows *r, const struct v9_spe_rec *rec, enum v9_spe_latency which)
{
	number(r, rec->has & V9_SPE_REC_LAT(which), rec->lat[which]);
}

static void put_context(struct v9_rows *r, const struct v9_spe_rec *rec)
{
	const unsigned int el2 = !(rec->has & V9_SPE_REC_CTX_EL1);

	number(r, rec->has & (V9_SPE_REC_CTX_EL1 | V9_SPE_REC_CTX_EL2), rec->ctx[el2]);
}

static void put_code(struct v9_rows *r, bool set, const struct v9_spe_code *code)
{
	number(r, set, code->addr);
	number(r, set, code->el);
}

void v9_rows_record(struct v9_export *x, const struct v9_line *l)
{
	const struct v9_spe_rec *rec = l->r;
	struct v9_rows *r = rows_of(x);
	const enum v9_rows_id id = rec->op_class == V9_SPE_OP_CLASS_LDST ? V9_ROWS_LDST :
				   rec->op_class == V9_SPE_OP_CLASS_BRANCH ? V9_ROWS_BR :
									     V9_ROWS_OTHER;
	const bool has_op = rec->has & V9_SPE_REC_OP;
	const uint8_t op = rec->op;
	const char *name = subclass(r, rec);
	char source[32];
	const bool sve = has_op && (!strcmp(name, "SVE") || !strcmp(name, "SME"));
	const bool extended = has_op && !*name;
	const struct v9_place *place = v9_line_place(l);

	number(r, l->at->cpu != V9_NO_TASK, l->at->cpu);
	if (id == V9_ROWS_LDST)
		text(r, v9_spe_op_store(rec->op_class, op) ? "ST" : "LD");
	else
		text(r, !has_op ? NULL : id == V9_ROWS_BR ? "B" : "OTHER");
	put_code(r, rec->has & V9_SPE_REC_PC, &rec->pc);
	switch (id) {
	case V9_ROWS_LDST:
		number(r, true, extended && op & V9_SPE_OP_EXTENDED_ATOMIC);
		number(r, true, extended && op & V9_SPE_OP_EXTENDED_EXCL);
		number(r, true, extended && op & V9_SPE_OP_EXTENDED_ACQ_REL);
		text(r, *name ? name : NULL);
		number(r, sve, evl(op));
		number(r, true, sve && op & V9_SPE_OP_SVE_SME_PRED);
		number(r, true, sve && op & V9_SPE_OP_SVE_SME_GATHER);
		put_events(r, rec);
		put_latency(r, rec, V9_SPE_LAT_ISSUE);
		put_latency(r, rec, V9_SPE_LAT_TOTAL);
		number(r, rec->has & V9_SPE_REC_VA, rec->va);
		put_latency(r, rec, V9_SPE_LAT_XLAT);
		number(r, rec->has & V9_SPE_REC_PA, rec->pa);
		put_source(r, l, source, sizeof(source));
		number(r, rec->has & V9_SPE_REC_TS, rec->ts);
		put_context(r, rec);
		break;
	case V9_ROWS_BR:
		number(r, true, !!(op & V9_SPE_OP_BRANCH_COND));
		number(r, true, !!(op & V9_SPE_OP_BRANCH_INDIRECT));
		put_events(r, rec);
		put_latency(r, rec, V9_SPE_LAT_ISSUE);
		put_latency(r, rec, V9_SPE_LAT_TOTAL);
		put_code(r, rec->has & V9_SPE_REC_TARGET, &rec->target);
		put_code(r, rec->has & V9_SPE_REC_PREV_TARGET, &rec->prev_target);
		put_context(r, rec);
		number(r, rec->has & V9_SPE_REC_TS, rec->ts);
		break;
	default:
		text(r, has_op ? name : NULL);
		number(r, sve && !strcmp(name, "SVE"), evl(op));
		number(r, has_op, sve && !strcmp(name, "SVE") && op & V9_SPE_OP_SVE_PRED);
		number(r, has_op, sve && op & V9_SPE_OP_SVE_FP);
		number(r, has_op, !strcmp(name, "OTHER") && op & V9_SPE_OP_OTHER_COND);
		put_events(r, rec);
		put_latency(r, rec, V9_SPE_LAT_ISSUE);
		put_latency(r, rec, V9_SPE_LAT_TOTAL);
		put_context(r, rec);
		number(r, rec->has & V9_SPE_REC_TS, rec->ts);
	}
	task(r, l->at->comm, l->at->pid, l->at->tid, l->at->has_time, l->at->time);
	text(r, place->func ? place->func->name : NULL);
	text(r, place->dso ? place->dso_name : NULL);
	done(x, id);
}

/* ---- ETE */

static const char *const enter_names[] = {
	[V9_CALLS_CALL] = "call", [V9_CALLS_TAIL] = "tail", [V9_CALLS_EXCEPTION] = "exception",
	[V9_CALLS_HANDLER] = "handler", [V9_CALLS_ROOT] = "root", [V9_CALLS_PART] = "part",
	[V9_CALLS_RESUMED] = "resumed",
};

static const char *const leave_names[] = {
	[V9_CALLS_RETURNED] = "returned", [V9_CALLS_REPLACED] = "replaced",
	[V9_CALLS_LEFT] = "left", [V9_CALLS_LOST] = "lost",
};

void v9_rows_enter(struct v9_export *x, const struct v9_call_step *s)
{
	struct v9_rows *r = rows_of(x);
	struct thread *t;

	while (r->nr_threads <= s->thread)
		v9_vec_add(r->thread, r->nr_threads);
	t = &r->thread[s->thread];
	*v9_vec_add(t->call, t->nr) = (struct open_call){
		.symbol = s->level->func ? s->level->func->name : NULL,
		.dso = s->level->dso ? s->level->dso_name : NULL,
		.time = s->time, .has_time = s->has_time, .insns = s->insns, .cycles = s->cycles,
		.how = s->enter,
	};
}

void v9_rows_leave(struct v9_export *x, const struct v9_call_step *s)
{
	struct v9_rows *r = rows_of(x);
	struct thread *t = &r->thread[s->thread];
	const struct open_call *c = &t->call[--t->nr];

	task(r, s->comm, s->pid, s->tid, c->has_time, c->time);
	number(r, s->cpu != V9_NO_TASK, s->cpu);
	text(r, c->symbol);
	text(r, c->dso);
	text(r, t->nr ? t->call[t->nr - 1].symbol : NULL);
	number(r, true, t->nr);
	text(r, enter_names[c->how]);
	text(r, leave_names[s->leave]);
	number(r, true, c->insns);
	number(r, true, s->insns - c->insns);
	number(r, true, s->cycles - c->cycles);
	number(r, c->has_time, s->time - c->time);
	done(x, V9_ROWS_CALLS);
}

static void put_range(struct v9_export *x, const struct v9_flow_rec *rec,
		      const struct v9_sampled *at)
{
	struct v9_rows *r = rows_of(x);
	const struct v9_place *place = v9_place_cached(&x->places, at, rec->start);
	number(r, true, rec->ctx.el);
	number(r, true, rec->start);
	number(r, true, rec->end);
	number(r, true, rec->insns);
	number(r, true, rec->taken);
	text(r, place->func ? place->func->name : NULL);
	text(r, place->dso ? place->dso_name : NULL);
	done(x, V9_ROWS_RANGES);
}

/* What is not an event of the table has no row: time and cycle counts. */
static const char *event_kind(const struct v9_flow_rec *rec)
{
	static const char *const kinds[] = {
		[V9_FLOW_UNPLACED] = "unplaced", [V9_FLOW_EXCEPTION] = "exception",
		[V9_FLOW_GAP] = "gap", [V9_FLOW_EVENT] = "event",
		[V9_FLOW_INSTRUMENTATION] = "instrumentation", [V9_FLOW_TX_START] = "tx_start",
		[V9_FLOW_TX_COMMIT] = "tx_commit", [V9_FLOW_TX_FAILURE] = "tx_failure",
		[V9_FLOW_MARK] = "mark", [V9_FLOW_MARK_CUT] = "mark_cut",
	};

	return rec->kind < V9_ARRAY_SIZE(kinds) ? kinds[rec->kind] : NULL;
}

static void put_event(struct v9_export *x, const struct v9_flow_rec *rec)
{
	struct v9_rows *r = rows_of(x);
	const char *what = NULL;
	char room[32];

	if (rec->kind == V9_FLOW_EXCEPTION) {
		snprintf(room, sizeof(room), "type %u", rec->type);
		what = v9_ete_exception_text(rec->type);
		what = what ? what : room;
	} else if (rec->kind == V9_FLOW_GAP) {
		what = v9_flow_why[rec->why];
	}
	number(r, true, rec->kind == V9_FLOW_INSTRUMENTATION ? rec->type : rec->ctx.el);
	text(r, event_kind(rec));
	text(r, what);
	number(r, rec->addressed, rec->start);
	number(r, rec->kind == V9_FLOW_INSTRUMENTATION || rec->kind == V9_FLOW_EVENT ||
	       rec->kind == V9_FLOW_UNPLACED || rec->kind == V9_FLOW_MARK,
	       rec->kind == V9_FLOW_EVENT ? rec->type :
	       rec->kind == V9_FLOW_UNPLACED ? rec->insns : rec->value);
	done(x, V9_ROWS_EVENTS);
}

void v9_rows_flow(struct v9_export *x, const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	struct v9_rows *r = rows_of(x);

	if (rec->kind != V9_FLOW_RANGE && !event_kind(rec))
		return;
	task(r, at->comm, at->pid, at->tid, at->has_time, at->time);
	number(r, at->cpu != V9_NO_TASK, at->cpu);
	if (rec->kind == V9_FLOW_RANGE)
		put_range(x, rec, at);
	else
		put_event(x, rec);
}

void v9_rows_loss(struct v9_export *x, const struct v9_loss *l)
{
	struct v9_rows *r = rows_of(x);

	text(r, l->kind);
	number(r, true, l->n);
	text(r, l->what);
	text(r, l->meaning);
	done(x, V9_ROWS_LOST);
}

/* ---- a shard */

static void put_recorded(struct v9_rows *r, const struct v9_shard_view *v, uint64_t source)
{
	const struct v9_shard_source *s = v9_shard_row(&v->shard.sources, source);

	text(r, v9_shard_text(&v->shard, s->kind));
	text(r, v9_shard_text(&v->shard, s->cpu));
	text(r, v9_shard_text(&v->shard, s->event));
	number(r, s->period, s->period);
}

static bool has_address(const struct v9_shard_view *v, uint64_t place)
{
	const struct v9_shard_place *p = v9_shard_row(&v->shard.places, place);

	return p && !p->function && (v->level[place].addressed || v->dso[p->object]->build_id_size);
}

/* @place 0: not known */
static void put_place(struct v9_rows *r, const struct v9_shard_view *v, uint64_t place)
{
	const struct v9_shard_place *p = v9_shard_row(&v->shard.places, place);
	const struct v9_shard_object *o = p ? v9_shard_row(&v->shard.objects, p->object) : NULL;
	const struct v9_stack_level *l = &v->level[place];

	text(r, o ? v9_shard_text(&v->shard, o->id) : NULL);
	text(r, p ? l->dso_name : NULL);
	text(r, p && l->func ? l->func->name : NULL);
	number(r, has_address(v, place), l->addr);
}

/* The names of the functions of a path, outermost first. The caller frees it. */
static char *path_text(const struct v9_shard_view *v, const struct v9_shard_call *c)
{
	const size_t depth = (size_t)c->depth;
	const char *name[V9_SHARD_DEPTH];
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		v9_out_of_memory();
	for (size_t i = depth; i--; c = v9_shard_row(&v->shard.calls, c->parent))
		name[i] = v->level[c->place].name;
	for (size_t i = 0; i < depth; i++)
		fprintf(f, "%s%s", i ? ";" : "", name[i]);
	fclose(f);
	return text;
}

void v9_rows_shard(struct v9_export *x, const struct v9_shard_view *v)
{
	const struct v9_shard *s = &v->shard;
	struct v9_rows *r = rows_of(x);

	for (size_t i = 0; i < s->spe.used && !x->failed; i++) {
		const struct v9_shard_spe *row = v9_bins_get(&s->spe, i);

		put_recorded(r, v, row->source);
		put_place(r, v, row->place);
		text(r, v9_shard_text(s, row->op));
		text(r, v9_shard_text(s, row->from));
		for (unsigned int k = 0; k < V9_SHARD_SPE; k++)
			number(r, true, row->value[k]);
		done(x, V9_ROWS_SAMPLES);
	}
	for (size_t i = 0; i < s->branches.used && !x->failed; i++) {
		const struct v9_shard_branch *row = v9_bins_get(&s->branches, i);

		put_recorded(r, v, row->source);
		put_place(r, v, row->from);
		put_place(r, v, row->to);
		number(r, has_address(v, row->end), v->level[row->end].addr);
		number(r, true, row->n);
		done(x, V9_ROWS_BRANCH_SUMS);
	}
	for (size_t i = 0; i < s->calls.used && !x->failed; i++) {
		const struct v9_shard_call *row = v9_bins_get(&s->calls, i);
		char *path = path_text(v, row);

		put_recorded(r, v, row->source);
		put_place(r, v, row->place);
		number(r, true, row->depth);
		text(r, path);
		for (unsigned int k = 0; k < V9_SHARD_CALLS; k++)
			number(r, true, row->value[k]);
		done(x, V9_ROWS_PATHS);
		free(path);
	}
}
