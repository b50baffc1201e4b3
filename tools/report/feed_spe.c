// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SPE records for sinks. An instruction is looked up once; a record is added up by what was found for it
 * (its code) and its labels.
 */
#include "sink.h"

#include <string.h>

#include <v9trace/gen/spe_pkt.h>

#include "feed_branches.h"
#include "kinds.h"
#include "spots.h"
#include "stack_lines.h"

#define MOST		(1u << 17)	/* spots that are kept */
#define SPOT_WORDS	5	/* 4 without control groups */
#define CODE_WORDS	8
#define SUM_WORDS	2
#define AHEAD		8	/* sums, of what is given */

/* spot.epoch: an epoch is the time between two changes of mappings. */
#define HAS_PC		1u
#define KERNEL		2u
#define EPOCH		2		/* shift */

/* .label: operation in bits [9:0], set of data sources in [31:24], source in [47:32], CPU above */
#define HAS_OP		(UINT64_C(1) << 16)
#define HAS_SOURCE	(UINT64_C(1) << 17)
#define NUMBERED	(UINT64_C(1) << 18)	/* always set in v9_stack.labels */
#define SET		24
#define SOURCE		32
#define CPU		48
#define NO_CPU		0xffff

#define OPS		0x400		/* operation with its class */

_Static_assert(V9_BATCH <= V9_BINS_MANY, "the keys of a batch are found by one call");

/* An instruction of a task */
struct spot {
	union {
		struct {
			uint64_t pc, comm, task, epoch, cgroup;
		};
		uint64_t key[SPOT_WORDS];
	};
	uint64_t code;			/* index of its code, + 1; 0: not looked up yet */
};

/* Code of a task: an instruction or, if the sink does not take addresses, a function */
struct code {
	union {
		struct {
			uint64_t addr, func, dso, name, comm, task, lines, cgroup;
		};
		uint64_t key[CODE_WORDS];
	};
	uint64_t index;
	bool addressed, kernel;
};

struct sum {
	union {
		struct {
			uint64_t code, label;
		};
		uint64_t key[SUM_WORDS];
	};
	uint64_t value[V9_SPE_WEIGHTS];
};

struct feed {
	struct v9_export *x;
	struct v9_branches branches;
	struct v9_epochs epochs;
	struct v9_bins spots, codes, sums;
	struct v9_stack_lines lines;	/* if the sink takes them */
	const struct v9_cgroups *cgroups;	/* if the sink takes them and the capture has some */
	const char *op[OPS];		/* text, when it was needed */
};

static uint64_t label_of(const struct v9_sampled *s)
{
	const struct v9_spe_rec *r = s->rec;
	uint64_t label = 0;

	if (r->has & V9_SPE_REC_OP)
		label |= HAS_OP | (uint64_t)(r->op_class & 3) << 8 | r->op;
	if (r->has & V9_SPE_REC_SOURCE)
		label |= HAS_SOURCE | (uint64_t)r->source << SOURCE | (uint64_t)s->sources << SET;
	return label | (uint64_t)(s->cpu < NO_CPU ? s->cpu : NO_CPU) << CPU;
}

/* Looks up the code of a spot and returns its index. */
static uint64_t find_code(struct feed *f, const struct spot *sp)
{
	const bool apart = f->x->sink->takes[V9_KIND_SPE] & V9_SINK_ADDRESSES;
	const bool lines = f->x->sink->takes[V9_KIND_SPE] & V9_SINK_LINES;
	struct v9_syms *syms = &f->x->r.s.syms;
	const size_t epoch = sp->epoch >> EPOCH;
	struct v9_place place = { .dso_name = "[unknown]" };
	uint64_t key[CODE_WORDS] = { 0 };
	const size_t before = f->codes.used;
	struct code *code;

	if (sp->epoch & HAS_PC)
		v9_syms_find(syms, (uint32_t)(sp->task >> 32), epoch ? syms->changes[epoch - 1] : 0, sp->pc,
			     &place);
	if (apart)
		key[0] = !place.dso ? sp->pc : (place.func ? place.func->start : 0) + place.offset;
	else if (place.func)
		key[0] = place.func->start;
	key[1] = (uint64_t)(uintptr_t)place.func;
	key[2] = (uint64_t)(uintptr_t)place.dso;
	key[3] = (uint64_t)(uintptr_t)place.dso_name;
	key[4] = sp->comm;
	key[5] = sp->task;
	if (lines && place.dso && place.func)
		key[6] = v9_stack_lines_at(&f->lines, place.dso, place.func->start + place.offset);
	key[7] = sp->cgroup;
	code = v9_bins_at(&f->codes, key, CODE_WORDS);
	if (f->codes.used > before)
		code->index = before;
	code->addressed = place.dso && (apart || place.func);
	code->kernel = sp->epoch & KERNEL;
	return code->index;
}

static void spot_key(struct feed *f, const struct v9_sampled *s, uint64_t key[SPOT_WORDS])
{
	const struct v9_spe_rec *r = s->rec;
	const bool has_pc = r->has & V9_SPE_REC_PC;

	key[0] = has_pc ? r->pc.addr : 0;
	key[1] = (uint64_t)(uintptr_t)s->comm;
	key[2] = (uint64_t)s->pid << 32 | s->tid;
	key[3] = has_pc ? v9_epochs_at(&f->epochs, v9_sampled_time(s)) << EPOCH | HAS_PC |
			  (r->pc.addr & V9_KERNEL_HALF ? KERNEL : 0) : 0;
	if (f->cgroups)
		key[4] = (uint64_t)(uintptr_t)v9_cgroups_path(f->cgroups, s->tid, v9_sampled_time(s));
}

static void add(struct feed *f, const struct v9_sampled *s, size_t n)
{
	const bool labels = f->x->sink->takes[V9_KIND_SPE] & V9_SINK_LABELS;
	const unsigned int words = f->cgroups ? SPOT_WORDS : SPOT_WORDS - 1;
	uint64_t key[V9_BATCH * SPOT_WORDS], pair[V9_BATCH][SUM_WORDS];
	void *bin[V9_BATCH];

	/* Sums do not depend on which spots are kept. */
	if (f->spots.used + n > MOST)
		v9_bins_clear(&f->spots);
	for (size_t i = 0; i < n; i++)
		spot_key(f, &s[i], key + i * words);
	v9_bins_at_many(&f->spots, key, words, n, bin);
	for (size_t i = 0; i < n; i++) {
		struct spot *sp = bin[i];

		if (!sp->code)
			sp->code = find_code(f, sp) + 1;
		pair[i][0] = sp->code - 1;
		pair[i][1] = labels ? label_of(&s[i]) : (uint64_t)NO_CPU << CPU;
	}
	v9_bins_at_many(&f->sums, pair[0], SUM_WORDS, n, bin);
	for (size_t i = 0; i < n; i++)
		v9_weigh(s[i].rec, ((struct sum *)bin[i])->value);
}

/*
 * A record of a taken branch has both its sides. What ran before it, from the target of the branch
 * before, is known if the unit records that.
 */
static void add_branches(struct feed *f, const struct v9_sampled *s)
{
	const struct v9_spe_rec *r = s->rec;
	const bool branch = r->has & V9_SPE_REC_OP && r->op_class == V9_SPE_OP_CLASS_BRANCH &&
			    r->has & V9_SPE_REC_TARGET &&
			    !(r->has & V9_SPE_REC_EVENTS && r->events >> V9_SPE_EV_NOT_TAKEN & 1);
	size_t epoch, type;

	if (!(r->has & V9_SPE_REC_PC) || (!branch && !(r->has & V9_SPE_REC_PREV_TARGET)))
		return;
	epoch = v9_branches_epoch(&f->branches, &f->x->r.s, v9_sampled_time(s));
	type = v9_branches_type(&f->branches, &f->x->r.s, s->cpu);
	if (r->has & V9_SPE_REC_PREV_TARGET)
		v9_branches_add(&f->branches, type, s->pid, epoch, V9_NO_ADDR, r->prev_target.addr,
				r->pc.addr, 1);
	if (branch)
		v9_branches_add(&f->branches, type, s->pid, epoch, r->pc.addr, r->target.addr,
				V9_NO_ADDR, 1);
}

static void take(void *arg, struct v9_sampled *s, size_t n)
{
	struct feed *f = arg;
	const unsigned int takes = f->x->sink->takes[V9_KIND_SPE];

	for (size_t i = 0; i < n; i++) {
		if (s[i].has_time)
			v9_export_time(f->x, s[i].time, s[i].time);
		f->x->r.selected = true;
		if (takes & V9_SINK_BRANCHES)
			add_branches(f, &s[i]);
	}
	if (takes & V9_SINK_STACKS)
		add(f, s, n);
}

static const char *op_text(struct feed *f, unsigned int op)
{
	char text[128];

	if (!f->op[op])
		f->op[op] = v9_rep_keep(&f->x->r, "%s", v9_spe_op(text, sizeof(text), op >> 8, (uint8_t)op));
	return f->op[op];
}

/*
 * SPE has no call chain: the levels are the object, the function, what was inlined in it, and the
 * line.
 */
static void give(struct feed *f, const struct sum *sum)
{
	const struct code *code = v9_bins_get(&f->codes, sum->code);
	const struct v9_place place = {
		.dso = (struct v9_dso *)(uintptr_t)code->dso,
		.dso_name = (const char *)(uintptr_t)code->name,
		.func = (const struct v9_func *)(uintptr_t)code->func,
	};
	struct v9_stack_level level[3 + V9_INLINED_MOST];
	struct v9_stack s = {
		.kind = &v9_kinds[V9_KIND_SPE], .comm = (const char *)(uintptr_t)code->comm,
		.pid = (uint32_t)(code->task >> 32), .tid = (uint32_t)code->task,
		.cpu = V9_NO_TASK, .level = level, .nr = 2,
		.cgroup = (const char *)(uintptr_t)code->cgroup,
		.place = sum->code + 1, .labels = sum->label | NUMBERED,
	};
	const uint64_t label = sum->label;

	v9_level_of(&level[1], &place, code->kernel);
	level[1].addr = code->addr;
	level[1].addressed = code->addressed;
	level[0] = (struct v9_stack_level){
		.what = V9_LEVEL_OBJECT, .name = level[1].dso_name, .dso = level[1].dso,
		.dso_name = level[1].dso_name, .kernel = code->kernel,
	};
	s.nr += v9_stack_lines_put(&f->lines, (uint32_t)code->lines, &level[1]);
	memcpy(s.value, sum->value, sizeof(sum->value));
	if (label >> CPU != NO_CPU)
		s.cpu = (uint32_t)(label >> CPU);
	if (label & HAS_OP)
		s.op = op_text(f, label & (OPS - 1));
	if (label & HAS_SOURCE) {
		const uint16_t value = (uint16_t)(label >> SOURCE);

		s.source = v9_spe_source(label >> SET & 0xff, value);
		if (!s.source)
			s.source = v9_rep_keep(&f->x->r, "0x%x", value);
	}
	f->x->sink->stack(f->x, &s);
}

/* Sums are in the order of their first records, their codes are anywhere. */
static void code_soon(const struct feed *f, const struct sum *sum)
{
	const unsigned char *code = v9_bins_get(&f->codes, sum->code);

	__builtin_prefetch(code);
	__builtin_prefetch(code + sizeof(struct code) - 1);
}

static void sums(struct v9_export *x)
{
	struct feed f = { .x = x, .epochs = { .syms = &x->r.s.syms } };
	const struct v9_taker taker = { .take = take, .arg = &f };

	v9_bins_init(&f.spots, sizeof(struct spot));
	v9_bins_init(&f.codes, sizeof(struct code));
	v9_bins_init(&f.sums, sizeof(struct sum));
	v9_branches_init(&f.branches);
	v9_stack_lines_init(&f.lines, &x->r);
	if (x->sink->takes[V9_KIND_SPE] & V9_SINK_CGROUPS && x->r.s.cgroups.nr)
		f.cgroups = &x->r.s.cgroups;
	v9_report_records(&x->r, &taker, true);
	v9_bins_free(&f.spots);
	for (size_t i = 0; i < f.sums.used && !x->failed; i++) {
		if (i + AHEAD < f.sums.used)
			code_soon(&f, v9_bins_get(&f.sums, i + AHEAD));
		give(&f, v9_bins_get(&f.sums, i));
	}
	v9_bins_free(&f.sums);
	v9_bins_free(&f.codes);
	v9_branches_give(&f.branches, V9_KIND_SPE, x);
	v9_branches_free(&f.branches);
	v9_stack_lines_free(&f.lines);
}

/* ---- records one by one */

static void take_records(void *arg, struct v9_sampled *s, size_t n)
{
	struct v9_export *x = arg;

	for (size_t i = 0; i < n && !x->failed; i++) {
		const struct v9_line l = { .s = &x->r.s, .places = &x->places, .r = s[i].rec, .at = &s[i] };

		x->r.selected = true;
		if (s[i].has_time)
			v9_export_time(x, s[i].time, s[i].time);
		x->sink->record(x, &l);
	}
}

bool v9_feed_spe(struct v9_export *x)
{
	const unsigned int takes = x->sink->takes[V9_KIND_SPE];
	const struct v9_taker taker = { .take = take_records, .arg = x };
	struct v9_lookup lookup;

	if (takes & (V9_SINK_STACKS | V9_SINK_BRANCHES)) {
		sums(x);
	} else {
		v9_lookup_init(&lookup, &x->r.s);
		v9_place_cache_init(&x->places, &lookup, V9_PLACES_ORDER);
		v9_report_records(&x->r, &taker, true);
		v9_place_cache_free(&x->places);
		v9_lookup_free(&lookup);
	}
	v9_rep_spe_losses(&x->r);
	return x->r.acc.records;
}
