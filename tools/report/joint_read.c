// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "joint_read.h"

#include <stdlib.h>
#include <string.h>

#include <v9trace/gen/regs.h>
#include <v9trace/gen/spe_pkt.h>

#include "../capture/walk.h"
#include "../util.h"
#include "options.h"

#define BLOCKS		(1u << 19)		/* in memory, of all CPUs */
#define FEW_BLOCKS	(1u << 12)		/* of each CPU, at least */
#define FIRST_BYTES	(UINT64_C(4) << 20)	/* of trace that the clocks are measured in */
#define SLOTS		(V9_JOINT_BATCH + 2)
#define KERNELS		(V9_JOINT_ANY & ~1u)	/* levels above EL0 */

/* A CPU with a trace, and its samples */
struct v9_joint_cpu {
	struct v9_joint_read *x;
	uint32_t cpu;
	struct v9_joint_window w;
	struct v9_joint_user user;
	const struct v9_trace_unit *unit;
	struct v9_queue *q;		/* of samples, or NULL */
	struct v9_joint_record *slot;	/* of samples that are not placed yet: a ring */
	size_t got, placed;		/* numbers of samples */
	uint64_t read;			/* records */
	/* the trace */
	size_t stream, segment;		/* the segment that is read, by number in its stream */
	uint64_t index;			/* instructions so far */
	uint64_t restarted;		/* time before which the decoder was reset; UINT64_MAX: not known */
	bool begun, from_user;		/* the last element is an exception from EL0 */
	size_t jump;			/* the last block, if its target is not known yet; else 0 */
};

/* --- samples ---------------------------------------------------------------------- */

/* The counter of a latency does not go beyond its limit. Which one it has is not in the capture. */
static bool at_limit(uint16_t latency)
{
	return latency == 0xfff || latency == 0xffff;
}

static void convert(const struct v9_joint_record *from, struct v9_joint_sample *s)
{
	const struct v9_spe_rec *r = &from->rec;

	*s = (struct v9_joint_sample){
		.pc = r->pc.addr, .el = r->pc.el, .time = from->at.time,
		.latency = r->lat[V9_SPE_LAT_TOTAL], .has = V9_JOINT_TIME,
		/* One that generated an exception may be executed again, and is traced then. */
		.retired = r->has & V9_SPE_REC_EVENTS && r->events >> V9_SPE_EV_RETIRED & 1 &&
			   !(r->events >> V9_SPE_EV_EXCEPTION & 1),
	};
	/* In the kernel the register changes while a task is switched. */
	if (r->has & V9_SPE_REC_CTX_EL1 && !r->pc.el)
		s->has |= V9_JOINT_CTX1;
	if (r->has & V9_SPE_REC_CTX_EL2 && !r->pc.el)
		s->has |= V9_JOINT_CTX2;
	/* A target at another level is compared with nothing: addresses of blocks are of this level. */
	if (r->has & V9_SPE_REC_PREV_TARGET && r->prev_target.el == r->pc.el) {
		s->has |= V9_JOINT_BEFORE;
		s->before = r->prev_target.addr;
	}
	s->ctx[0] = r->ctx[0];
	s->ctx[1] = r->ctx[1];
	if (!(r->has & V9_SPE_REC_OP) || r->op_class != V9_SPE_OP_CLASS_BRANCH)
		return;
	s->has |= V9_JOINT_BRANCH;
	if (!(r->events >> V9_SPE_EV_NOT_TAKEN & 1))
		s->has |= V9_JOINT_TAKEN;
	if (r->has & V9_SPE_REC_TARGET)
		s->has |= V9_JOINT_TARGET;
	s->target = r->target.addr;
}

static bool next_sample(void *arg, struct v9_joint_sample *s)
{
	struct v9_joint_cpu *c = arg;
	struct v9_joint_record *slot = &c->slot[c->got % SLOTS];

	while (c->q && v9_session_next(c->x->s, c->q, &slot->rec)) {
		const struct v9_spe_rec *r = &slot->rec;

		c->x->records++;
		c->read++;
		v9_session_place(c->x->s, c->q, r, &slot->at);
		if (!(r->has & V9_SPE_REC_TS) || !slot->at.has_time || !(r->has & V9_SPE_REC_PC) ||
		    !(r->has & V9_SPE_REC_LAT_TOTAL) || at_limit(r->lat[V9_SPE_LAT_TOTAL])) {
			slot->at.rec = r;
			c->x->timeless += v9_filter_record(c->x->filter, c->x->s, &c->x->lookup, &slot->at);
			continue;
		}
		convert(slot, s);
		s->number = c->read;
		c->got++;
		return true;
	}
	return false;
}

static void placed(void *arg, const struct v9_joint_window *w, const struct v9_joint_sample *s,
		   const struct v9_joint_place *p)
{
	struct v9_joint_cpu *c = arg;
	struct v9_joint_record *slot = &c->slot[c->placed++ % SLOTS];
	struct v9_joint_place unsure = *p;

	slot->at.rec = &slot->rec;
	slot->q = c->q;
	if (!v9_joint_clocks_known(c->x)) {
		unsure.likely = 0;
		if (p->class == V9_JOINT_EXACT || p->class == V9_JOINT_PATH)
			unsure.class = V9_JOINT_AMBIGUOUS;
	}
	c->x->take(c->x->arg, w, slot, s, &unsure);
}

/* --- CPUs -------------------------------------------------------------------------- */

static struct v9_queue *samples_of(struct v9_session *s, uint32_t cpu)
{
	for (size_t i = 0; i < s->nr_queues; i++)
		if (s->queues[i].kind == V9_KIND_SPE && s->queues[i].cpu == cpu)
			return &s->queues[i];
	return NULL;
}

static void add_cpu(struct v9_joint_read *x, size_t stream)
{
	const uint32_t cpu = x->t.streams[stream].q->cpu;

	*v9_vec_add(x->cpus, x->nr_cpus) = (struct v9_joint_cpu){
		.x = x, .cpu = cpu, .stream = stream, .unit = v9_unit_of(x->s, cpu),
		.q = samples_of(x->s, cpu), .slot = v9_alloc(SLOTS * sizeof(struct v9_joint_record)),
	};
	x->cpu_of[stream] = x->nr_cpus;
}

/* Begins a pass over the capture. @measured: see struct v9_joint_window */
static void begin(struct v9_joint_read *x, const struct v9_joint_clocks *clocks,
		  struct v9_joint_clocks *measured)
{
	size_t most;

	v9_trace_init(&x->t, x->s, &x->lookup);
	v9_trace_plan(&x->t);
	x->cpu_of = v9_alloc((x->t.nr_streams + 1) * sizeof(*x->cpu_of));
	for (size_t i = 0; i < x->t.nr_streams; i++)
		if (x->t.streams[i].q->cpu != V9_NO_TASK && x->t.streams[i].nr_segments)
			add_cpu(x, i);
	most = BLOCKS / (x->nr_cpus ? x->nr_cpus : 1);
	/* Each sample could be in all of a large part. */
	if (!measured && !v9_joint_clocks_known(x))
		most = FEW_BLOCKS;
	for (size_t i = 0; i < x->nr_cpus; i++) {
		struct v9_joint_cpu *c = &x->cpus[i];

		c->user = (struct v9_joint_user){ next_sample, placed, c };
		v9_joint_window_init(&c->w, clocks, most < FEW_BLOCKS ? FEW_BLOCKS : most, &c->user);
		c->w.measured = measured;
		c->w.marks = c->unit && c->unit->word[PD_ETE_TRCIDR0] & V9_TRCIDR0_TSMARK;
		if (c->q)
			v9_session_rewind(c->q);
	}
}

static void end(struct v9_joint_read *x)
{
	for (size_t i = 0; i < x->nr_cpus; i++) {
		struct v9_joint_cpu *c = &x->cpus[i];

		v9_joint_window_end(&c->w);
		x->dropped += c->w.dropped;
		x->backwards += c->w.backwards;
	}
}

static void free_cpus(struct v9_joint_read *x)
{
	for (size_t i = 0; i < x->nr_cpus; i++) {
		v9_joint_window_free(&x->cpus[i].w);
		free(x->cpus[i].slot);
	}
	free(x->cpus);
	free(x->cpu_of);
	x->cpus = NULL;
	x->cpu_of = NULL;
	x->nr_cpus = 0;
}

static struct v9_joint_cpu *cpu_of(struct v9_joint_read *x, size_t stream)
{
	return x->cpu_of[stream] ? &x->cpus[x->cpu_of[stream] - 1] : NULL;
}

/* --- the trace ----------------------------------------------------------------------- */

static void add_gap(struct v9_joint_cpu *c, uint8_t hides)
{
	v9_joint_window_gap(&c->w, hides);
	c->jump = 0;
	c->from_user = false;
}

/*
 * What may have been executed without trace where the decoder was reset. Between two AUX records that
 * follow each other without a loss the kernel had switched the unit off, and SPE with it, for another task.
 */
static uint8_t hidden_between(const struct v9_segment *a, const struct v9_segment *b)
{
	static const uint8_t sync[V9_ETE_ASYNC_SIZE - 1];
	const bool whole = a && a->at + a->n == b->at && b->first && b->n >= sizeof(sync) &&
			   !memcmp(b->p, sync, sizeof(sync)) &&
			   a->st->offset + a->st->size == b->st->offset;
	const uint64_t lossy = PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_OVERWRITE | PERF_AUX_FLAG_PARTIAL |
			       PERF_AUX_FLAG_COLLISION;

	return whole && !(a->st->flags & lossy) ? KERNELS : V9_JOINT_ANY;
}

static void follow_segments(struct v9_joint_cpu *c, uint64_t offset)
{
	const struct v9_trace *t = &c->x->t;
	const struct v9_stream *m = &t->streams[c->stream];

	while (!c->begun || c->segment + 1 < m->nr_segments) {
		const size_t n = c->begun ? c->segment + 1 : 0;
		const struct v9_segment *g = &t->segments[m->segment[n]], *before = NULL;

		if (c->begun && offset < g->at)
			break;
		if (n)
			before = &t->segments[m->segment[n - 1]];
		if (g->restart || !n) {
			add_gap(c, hidden_between(before, g));
			v9_joint_window_marker(&c->w, false);
			c->restarted = before && before->st->has_time ? before->st->time : UINT64_MAX;
		}
		c->segment = n;
		c->begun = true;
	}
}

/* Sets position, path and pass of a block that was added to the sums. */
static void find_path(struct v9_joint_read *x, uint32_t tid, struct v9_joint_block *b)
{
	const struct v9_thread_calls *t = v9_flow_sum_find(&x->sum, tid);

	if (!t)
		return;
	b->tid = tid;
	b->position = t->insns - b->n;
	if (!t->calls.any)
		return;
	b->path = (uint32_t)t->calls.now.user;
	b->pass = v9_passes_count(&x->passes, v9_flow_sum_thread(&x->sum, t), b->pc);
}

static struct v9_joint_block *add_block(struct v9_joint_cpu *c, const struct v9_flow_rec *rec)
{
	const uint64_t config = c->unit ? c->unit->word[PD_ETE_TRCCONFIGR] : 0;
	struct v9_joint_block b = {
		.pc = rec->start, .n = rec->insns, .el = rec->ctx.el & 3, .index = c->index,
		.position = UINT64_MAX, .ctx = { rec->ctx.contextid, rec->ctx.vmid },
	};

	if (config & V9_TRCCONFIGR_CID)
		b.has |= V9_JOINT_CTX1;
	if (config & V9_TRCCONFIGR_VMID && config & V9_TRCCONFIGR_VMIDOPT)
		b.has |= V9_JOINT_CTX2;
	if (rec->last.kind == V9_INSN_DIRECT || rec->last.kind == V9_INSN_INDIRECT) {
		b.has |= V9_JOINT_BRANCH;
		if (rec->taken)
			b.has |= V9_JOINT_TAKEN;
		if (rec->last.kind == V9_INSN_DIRECT)
			b.has |= V9_JOINT_TARGET;
		b.target = rec->last.target;
	}
	c->index += rec->insns;
	return v9_joint_window_add(&c->w, &b);
}

/* Execution goes on at @addr, which is where a branch went whose target was not known. */
static void arrive(struct v9_joint_cpu *c, uint64_t addr)
{
	struct v9_joint_block *last = c->jump ? &c->w.block[c->w.nr - 1] : NULL;

	if (last && last->n) {
		last->target = addr;
		last->has |= V9_JOINT_TARGET;
	}
	c->jump = 0;
}

/* A range is divided where a function ends, so that each block has one path. */
static void take_range(struct v9_joint_cpu *c, const struct v9_sampled *at, const struct v9_flow_rec *rec,
		       bool selected)
{
	struct v9_joint_read *x = c->x;
	struct v9_flow_rec left = *rec;

	arrive(c, rec->start);
	if (rec->isa != V9_ISA_A64) {
		if (selected && !c->w.measured)
			v9_flow_sum_add(&x->sum, at, rec);
		c->index += rec->insns;
		add_gap(c, (uint8_t)(1 << (rec->ctx.el & 3)));
		return;
	}
	while (left.insns) {
		struct v9_flow_rec part = left;
		struct v9_joint_block *b;
		uint64_t end = c->w.measured ? UINT64_MAX :
			       v9_flow_sum_end_of_function(&x->sum, at, left.start);

		if (end > left.start && end < left.end && !((end - left.start) % 4)) {
			part.insns = (uint32_t)((end - left.start) / 4);
			part.end = end;
			part.last = (struct v9_insn){ .kind = V9_INSN_OTHER, .size = 4 };
			part.last_addr = end - 4;
			part.taken = false;
		}
		if (selected && !c->w.measured)
			v9_flow_sum_add(&x->sum, at, &part);
		b = add_block(c, &part);
		if (selected && !c->w.measured)
			find_path(x, at->tid, b);
		left.start = part.end;
		left.insns -= part.insns;
	}
	c->from_user = false;
	c->jump = rec->taken && rec->last.kind == V9_INSN_INDIRECT;
}

/* What is not traced after an exception is its handler, and what that returns to is traced. */
static bool enters_kernel(const struct v9_flow_rec *rec)
{
	return !(rec->ctx.el & 3) && rec->type >= V9_ETE_EXC_CALL && rec->type <= V9_ETE_EXC_FIQ;
}

static void take_time(struct v9_joint_cpu *c, const struct v9_flow_rec *rec)
{
	uint64_t time;

	if (!c->unit || c->unit->word[PD_ETE_TS_SOURCE] == UINT64_MAX || !rec->value ||
	    !v9_session_time(c->x->s, rec->value, &time)) {
		v9_joint_window_marker(&c->w, false);
		return;
	}
	/* It was taken after the unit had been started again. */
	if (c->restarted != UINT64_MAX && time > c->restarted)
		v9_joint_window_element(&c->w);
	c->restarted = UINT64_MAX;
	v9_joint_window_time(&c->w, time, rec->counted, rec->cycles);
}

static void lose_passes(struct v9_joint_read *x, uint32_t tid, const struct v9_flow_rec *rec)
{
	const struct v9_thread_calls *t;

	if (rec->kind != V9_FLOW_UNPLACED && rec->kind != V9_FLOW_TX_FAILURE &&
	    (rec->kind != V9_FLOW_GAP || rec->why == V9_FLOW_FILTER))
		return;
	t = v9_flow_sum_find(&x->sum, tid);
	if (t)
		v9_passes_gap(&x->passes, v9_flow_sum_thread(&x->sum, t));
}

static void enter(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *t,
		  const struct v9_sampled *at, size_t node, enum v9_calls_enter how)
{
	struct v9_joint_read *x = arg;

	(void)at;
	(void)node;
	v9_passes_enter(&x->passes, v9_flow_sum_thread(f, t), how);
}

static void leave(void *arg, const struct v9_flow_sum *f, const struct v9_thread_calls *t,
		  const struct v9_sampled *at, size_t node, enum v9_calls_leave how)
{
	struct v9_joint_read *x = arg;

	(void)at;
	(void)node;
	(void)how;
	v9_passes_leave(&x->passes, v9_flow_sum_thread(f, t));
}

static void take(void *arg, size_t stream, const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	struct v9_joint_read *x = arg;
	struct v9_joint_cpu *c = cpu_of(x, stream);
	const bool selected = v9_filter_task(x->filter, at);

	if (!c)
		return;
	follow_segments(c, rec->offset);
	if (rec->kind == V9_FLOW_RANGE) {
		take_range(c, at, rec, selected);
		return;
	}
	if (selected && !c->w.measured) {
		v9_flow_sum_add(&x->sum, at, rec);
		lose_passes(x, at->tid, rec);
	}
	switch (rec->kind) {
	case V9_FLOW_EXCEPTION:
		if (rec->addressed)
			arrive(c, rec->start);
		v9_joint_window_element(&c->w);
		c->jump = 0;
		c->from_user = enters_kernel(rec);
		break;
	case V9_FLOW_GAP:
		if (rec->why == V9_FLOW_OVERFLOW || rec->why == V9_FLOW_DISCARD)
			v9_joint_window_marker(&c->w, false);
		add_gap(c, rec->why == V9_FLOW_FILTER && c->from_user ? KERNELS : V9_JOINT_ANY);
		break;
	case V9_FLOW_UNPLACED:
	case V9_FLOW_TX_FAILURE:
		add_gap(c, V9_JOINT_ANY);
		break;
	case V9_FLOW_MARKER:
		v9_joint_window_marker(&c->w, true);
		break;
	case V9_FLOW_TIME:
		take_time(c, rec);
		break;
	case V9_FLOW_CYCLES:
		x->counts += rec->counted && !c->w.measured;
		v9_joint_window_count(&c->w, rec->counted ? rec->cycles : 0);
		break;
	case V9_FLOW_EVENT:
	case V9_FLOW_INSTRUMENTATION:
		v9_joint_window_element(&c->w);
		break;
	}
}

/* --- passes -------------------------------------------------------------------------- */

/* Micro-operations, and a random part of the interval, say nothing of a distance in instructions. */
static uint64_t interval_of(const struct v9_session *s)
{
	const struct v9_interval *i = &s->interval;

	return i->population == V9_POPULATION_INSTRUCTIONS && !i->random && !i->unsure ? i->mean : 0;
}

static uint64_t step_of(const struct v9_session *s)
{
	return s->has_conv ? ((uint64_t)s->conv.mult >> s->conv.shift) + 1 : 1;
}

/* Leaves only the first bytes of the trace. */
static void shorten(struct v9_trace *t, uint64_t bytes)
{
	size_t n = 0;

	for (; n < t->nr_segments && bytes; n++) {
		struct v9_segment *g = &t->segments[n];

		g->n = g->n < bytes ? g->n : (size_t)bytes;
		bytes -= g->n;
	}
	for (size_t i = 0; i < t->nr_streams; i++) {
		struct v9_stream *m = &t->streams[i];

		while (m->nr_segments && m->segment[m->nr_segments - 1] >= n)
			m->nr_segments--;
	}
	t->nr_segments = n;
}

/* The bounds of the offset that was found cross each other if samples contradict each other. */
static void set_offset(struct v9_joint_read *x, const struct v9_joint_clocks *wide, const struct v9_joint_clocks *found)
{
	const bool cross = found->offset_least > found->offset_most;
	const int64_t error = (int64_t)x->machine.stamp_error;
	const int64_t late = cross && error < V9_JOINT_SPREAD ? V9_JOINT_SPREAD : error;
	int64_t least = cross ? found->offset_most : found->offset_least;
	int64_t most = cross ? found->offset_least : found->offset_most;

	x->contradict = cross && most - least > V9_JOINT_SPREAD;
	if (x->contradict) {
		least = wide->offset_least;
		most = wide->offset_most;
	}
	x->clocks.offset_least = least - late;
	x->clocks.offset_most = most + late;
}

/* Measures the offset of the clocks, if it is within @within ns. */
static void measure(struct v9_joint_read *x, uint64_t within)
{
	const struct v9_listener listener = { .take = take, .arg = x, .by_time = true };
	struct v9_joint_clocks wide = x->clocks, found;

	wide.offset_least = -(int64_t)within;
	wide.offset_most = (int64_t)within;
	found = wide;
	x->within = within;
	x->measured = 0;
	begin(x, &wide, &found);
	shorten(&x->t, FIRST_BYTES);
	v9_trace_run(&x->t, &listener, NULL);
	end(x);
	for (size_t i = 0; i < x->nr_cpus; i++)
		x->measured += x->cpus[i].w.used;
	set_offset(x, &wide, &found);
	free_cpus(x);
	v9_trace_free(&x->t);
}

/* Counts samples that no trace was recorded beside. */
static void read_alone(struct v9_joint_read *x)
{
	struct v9_spe_rec rec;
	struct v9_sampled at;

	for (size_t i = 0; i < x->s->nr_queues; i++) {
		struct v9_queue *q = &x->s->queues[i];
		bool alone = true;

		if (q->kind != V9_KIND_SPE)
			continue;
		for (size_t k = 0; k < x->nr_cpus; k++)
			alone &= x->cpus[k].q != q;
		if (alone)
			v9_session_rewind(q);
		while (alone && v9_session_next(x->s, q, &rec)) {
			x->records++;
			v9_session_place(x->s, q, &rec, &at);
			x->alone += v9_filter_record(x->filter, x->s, &x->lookup, &at);
		}
		v9_account_add(&x->acc, v9_spe_dec_account(q->dec), 1);
	}
}

static const char *absent(const struct v9_session *s)
{
	if (!s->has_conv)
		return "does not say how the units' timestamps become times: record with v9trace record";
	for (size_t i = 0; i < s->nr_queues; i++)
		if (s->queues[i].cpu == V9_NO_TASK && s->queues[i].kind != V9_KIND_OTHER)
			return "has buffers of threads, not of CPUs: record without --per-thread";
	return NULL;
}

bool v9_joint_possible(const struct v9_session *s)
{
	return !v9_session_no_spe(s) && !v9_session_no_ete(s) && !absent(s);
}

bool v9_joint_parse(const char *name, const char *arg, uint64_t *value)
{
	if (!v9_parse_number(name, arg, 100000, value))
		return false;
	if (!*value)
		v9_error("--%s 0: at least 1", name);
	return *value;
}

bool v9_joint_agrees(const struct v9_joint_machine *m)
{
	const uint64_t least = m->least_mhz ? m->least_mhz : V9_JOINT_MHZ;
	const uint64_t most = m->most_mhz ? m->most_mhz : V9_JOINT_MOST_MHZ;

	if (least > most)
		v9_error("--least-mhz %llu is above --most-mhz %llu", (unsigned long long)least,
			 (unsigned long long)most);
	return least <= most;
}

bool v9_joint_unused(const struct v9_joint_machine *m)
{
	const char *used = m->least_mhz ? "least-mhz" : m->most_mhz ? "most-mhz" :
			   m->stamp_error ? "stamp-error" : NULL;

	if (used)
		v9_error("--%s: only with --joint", used);
	return !used;
}

bool v9_joint_fits(const struct v9_session *s, const char *path)
{
	const char *spe = v9_session_no_spe(s), *ete = v9_session_no_ete(s), *why;

	if (spe || ete)
		v9_error("--joint: %s %s; both at once: v9trace record -e arm_spe_0//u,cs_etm//u", path,
			 ete ? ete : spe);
	if (spe || ete)
		return false;
	why = absent(s);
	if (why)
		v9_error("--joint: %s %s", path, why);
	return !why;
}

void v9_joint_read(struct v9_joint_read *x)
{
	static const uint64_t within[] = { 1000000, 100000, 10000 };
	const struct v9_listener listener = { .take = take, .arg = x, .by_time = true };

	if (!x->machine.least_mhz)
		x->machine.least_mhz = V9_JOINT_MHZ;
	if (!x->machine.most_mhz)
		x->machine.most_mhz = V9_JOINT_MOST_MHZ;
	if (!x->machine.stamp_error)
		x->machine.stamp_error = V9_JOINT_ERROR;
	v9_lookup_init(&x->lookup, x->s);
	x->clocks = (struct v9_joint_clocks){
		.trace_step = step_of(x->s), .sample_step = step_of(x->s),
		.least_hz = x->machine.least_mhz * 1000000, .most_hz = x->machine.most_mhz * 1000000,
		.count_error = x->machine.stamp_error, .ordered = true, .interval = interval_of(x->s),
	};
	v9_flow_sum_init(&x->sum, &x->lookup, true);
	v9_passes_init(&x->passes, V9_PASSES_MOST);
	x->hook = (struct v9_call_hook){ .enter = enter, .leave = leave, .arg = x };
	x->sum.hook = &x->hook;
	for (size_t i = 0; i < V9_ARRAY_SIZE(within); i++) {
		measure(x, within[i]);
		/* In a short trace, or where it is too much for the memory, less time may do. */
		if (x->measured >= V9_JOINT_LEAST)
			break;
	}
	x->dropped = x->backwards = x->records = x->timeless = 0;
	begin(x, &x->clocks, NULL);
	v9_trace_run(&x->t, &listener, NULL);
	end(x);
	read_alone(x);
	v9_flow_sum_end(&x->sum);
	v9_flow_sum_finish(&x->sum);
}

void v9_joint_read_free(struct v9_joint_read *x)
{
	free_cpus(x);
	v9_flow_sum_free(&x->sum);
	v9_passes_free(&x->passes);
	v9_trace_free(&x->t);
	v9_lookup_free(&x->lookup);
}
