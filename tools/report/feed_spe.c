// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SPE records for sinks. Records are added up by instruction first, because a symbol is looked up
 * more slowly than a bin; then, if the sink does not take addresses, by function.
 */
#include "sink.h"

#include <string.h>

#include <v9trace/gen/spe_pkt.h>

#include "feed_branches.h"
#include "kinds.h"
#include "spots.h"
#include "stack_lines.h"

#define MOST		(1u << 17)	/* spots before they are added up by function */
#define SPOT_WORDS	5
#define SUM_WORDS	8

/* spot.epoch: an epoch is the time between two changes of mappings. */
#define HAS_PC		1u
#define KERNEL		2u
#define EPOCH		2		/* shift */

/* .label: operation in bits [9:0], set of data sources in [31:24], source in [47:32], CPU above */
#define HAS_OP		(UINT64_C(1) << 16)
#define HAS_SOURCE	(UINT64_C(1) << 17)
#define SET		24
#define SOURCE		32
#define CPU		48
#define NO_CPU		0xffff

struct spot {
	union {
		struct {
			uint64_t pc, comm, task, epoch, label;
		};
		uint64_t key[SPOT_WORDS];
	};
	uint64_t value[V9_SPE_WEIGHTS];
};

struct sum {
	union {
		struct {
			uint64_t addr, func, dso, name, comm, task, label, lines;
		};
		uint64_t key[SUM_WORDS];
	};
	uint64_t value[V9_SPE_WEIGHTS];
	bool addressed, kernel;
};

struct feed {
	struct v9_export *x;
	struct v9_branches branches;
	struct v9_spots epochs;
	struct v9_bins spots, sums;
	struct v9_stack_lines lines;	/* if the sink takes them */
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

/* Looks up the functions of all spots, adds them up, and removes them. */
static void drain(struct feed *f)
{
	const bool apart = f->x->sink->takes[V9_KIND_SPE] & V9_SINK_ADDRESSES;
	const bool lines = f->x->sink->takes[V9_KIND_SPE] & V9_SINK_LINES;
	struct v9_syms *syms = &f->x->r.s.syms;

	for (size_t i = 0; i < f->spots.used; i++) {
		const struct spot *sp = v9_bins_get(&f->spots, i);
		const size_t epoch = sp->epoch >> EPOCH;
		struct v9_place place = { .dso_name = "[unknown]" };
		uint64_t key[SUM_WORDS] = { 0 };
		struct sum *sum;

		if (sp->epoch & HAS_PC)
			v9_syms_find(syms, (uint32_t)(sp->task >> 32),
				     epoch ? syms->changes[epoch - 1] : 0, sp->pc, &place);
		if (apart)
			key[0] = !place.dso ? sp->pc :
				 (place.func ? place.func->start : 0) + place.offset;
		else if (place.func)
			key[0] = place.func->start;
		key[1] = (uint64_t)(uintptr_t)place.func;
		key[2] = (uint64_t)(uintptr_t)place.dso;
		key[3] = (uint64_t)(uintptr_t)place.dso_name;
		key[4] = sp->comm;
		key[5] = sp->task;
		key[6] = sp->label;
		if (lines && place.dso && place.func)
			key[7] = v9_stack_lines_at(&f->lines, place.dso,
						   place.func->start + place.offset);
		sum = v9_bins_at(&f->sums, key, SUM_WORDS);
		sum->addressed = place.dso && (apart || place.func);
		sum->kernel = sp->epoch & KERNEL;
		for (unsigned int k = 0; k < V9_SPE_WEIGHTS; k++)
			sum->value[k] += sp->value[k];
	}
	v9_bins_clear(&f->spots);
}

static void add(struct feed *f, const struct v9_sampled *s)
{
	const struct v9_spe_rec *r = s->rec;
	const bool has_pc = r->has & V9_SPE_REC_PC;
	const uint64_t time = v9_sampled_time(s);
	const uint64_t kernel = has_pc && r->pc.addr & V9_KERNEL_HALF ? KERNEL : 0;
	const bool labels = f->x->sink->takes[V9_KIND_SPE] & V9_SINK_LABELS;
	const uint64_t key[SPOT_WORDS] = {
		has_pc ? r->pc.addr : 0, (uint64_t)(uintptr_t)s->comm,
		(uint64_t)s->pid << 32 | s->tid,
		(has_pc ? v9_spots_epoch(&f->epochs, time) << EPOCH | HAS_PC : 0) | kernel,
		labels ? label_of(s) : (uint64_t)NO_CPU << CPU,
	};
	struct spot *sp;

	if (f->spots.used == MOST)
		drain(f);
	sp = v9_bins_at(&f->spots, key, SPOT_WORDS);
	v9_weigh(r, sp->value);
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
		if (takes & V9_SINK_STACKS)
			add(f, &s[i]);
		if (takes & V9_SINK_BRANCHES)
			add_branches(f, &s[i]);
	}
}

/*
 * SPE has no call chain: the levels are the object, the function, what was inlined in it, and the
 * line.
 */
static void give(struct feed *f, const struct sum *sum)
{
	const struct v9_place place = {
		.dso = (struct v9_dso *)(uintptr_t)sum->dso,
		.dso_name = (const char *)(uintptr_t)sum->name,
		.func = (const struct v9_func *)(uintptr_t)sum->func,
	};
	struct v9_stack_level level[3 + V9_INLINED_MOST];
	struct v9_stack s = {
		.kind = &v9_kinds[V9_KIND_SPE], .comm = (const char *)(uintptr_t)sum->comm,
		.pid = (uint32_t)(sum->task >> 32), .tid = (uint32_t)sum->task,
		.cpu = V9_NO_TASK, .level = level, .nr = 2,
	};
	const uint64_t label = sum->label;
	char op[128];

	v9_level_of(&level[1], &place, sum->kernel);
	level[1].addr = sum->addr;
	level[1].addressed = sum->addressed;
	level[0] = (struct v9_stack_level){
		.what = V9_LEVEL_OBJECT, .name = level[1].dso_name, .dso = level[1].dso,
		.dso_name = level[1].dso_name, .kernel = sum->kernel,
	};
	s.nr += v9_stack_lines_put(&f->lines, (uint32_t)sum->lines, &level[1]);
	memcpy(s.value, sum->value, sizeof(sum->value));
	if (label >> CPU != NO_CPU)
		s.cpu = (uint32_t)(label >> CPU);
	if (label & HAS_OP)
		s.op = v9_spe_op(op, sizeof(op), label >> 8 & 3, (uint8_t)label);
	if (label & HAS_SOURCE) {
		const uint16_t value = (uint16_t)(label >> SOURCE);

		s.source = v9_spe_source(label >> SET & 0xff, value);
		if (!s.source)
			s.source = v9_rep_keep(&f->x->r, "0x%x", value);
	}
	f->x->sink->stack(f->x, &s);
}

static void sums(struct v9_export *x)
{
	struct feed f = { .x = x, .epochs = { .syms = &x->r.s.syms } };
	const struct v9_taker taker = { .take = take, .arg = &f };

	v9_bins_init(&f.spots, sizeof(struct spot));
	v9_bins_init(&f.sums, sizeof(struct sum));
	v9_branches_init(&f.branches);
	v9_stack_lines_init(&f.lines, &x->r);
	v9_report_records(&x->r, &taker, true);
	drain(&f);
	v9_bins_free(&f.spots);
	for (size_t i = 0; i < f.sums.used && !x->failed; i++)
		give(&f, v9_bins_get(&f.sums, i));
	v9_bins_free(&f.sums);
	v9_branches_give(&f.branches, V9_KIND_SPE, x);
	v9_branches_free(&f.branches);
	v9_stack_lines_free(&f.lines);
}

/* ---- records one by one */

static void take_records(void *arg, struct v9_sampled *s, size_t n)
{
	struct v9_export *x = arg;

	for (size_t i = 0; i < n && !x->failed; i++) {
		const uint64_t time = v9_sampled_time(&s[i]);
		struct v9_line l = { .s = &x->r.s, .r = s[i].rec, .at = &s[i],
				     .pc = { .dso_name = "[unknown]" } };

		l.target = l.pc;
		x->r.selected = true;
		if (s[i].has_time)
			v9_export_time(x, s[i].time, s[i].time);
		if (l.r->has & V9_SPE_REC_PC)
			v9_syms_find(&x->r.s.syms, s[i].pid, time, l.r->pc.addr, &l.pc);
		x->sink->record(x, &l);
	}
}

bool v9_feed_spe(struct v9_export *x)
{
	const unsigned int takes = x->sink->takes[V9_KIND_SPE];
	const struct v9_taker taker = { .take = take_records, .arg = x };

	if (takes & (V9_SINK_STACKS | V9_SINK_BRANCHES))
		sums(x);
	else
		v9_report_records(&x->r, &taker, true);
	v9_rep_spe_losses(&x->r);
	return x->r.acc.records;
}
