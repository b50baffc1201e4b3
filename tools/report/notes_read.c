// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "notes_read.h"

#include <stdlib.h>
#include <string.h>

#include <v9trace/gen/spe_pkt.h>

#include "../capture/workers.h"
#include "../util.h"
#include "flow_sum.h"
#include "kinds.h"

/* ---- SPE */

struct spot {
	struct v9_spot spot;
	struct v9_note_spe sums;
};

static enum v9_note_mix mix_of(const struct v9_spe_rec *r, bool *predicated)
{
	const uint8_t op = r->op;

	*predicated = false;
	switch (r->op_class) {
	case V9_SPE_OP_CLASS_OTHER:
		if ((op & 0x89) == V9_SPE_OP_SVE || (op & 0x89) == V9_SPE_OP_SME) {
			*predicated = (op & 0x89) == V9_SPE_OP_SVE && op & V9_SPE_OP_SVE_PRED;
			return V9_MIX_SVE;
		}
		return op & V9_SPE_OP_OTHER_ASE ? V9_MIX_SIMD :
		       op & V9_SPE_OP_OTHER_FP ? V9_MIX_FP : V9_MIX_SCALAR;
	case V9_SPE_OP_CLASS_LDST:
		if ((op & 0x0a) == V9_SPE_OP_SVE_SME) {
			*predicated = op & V9_SPE_OP_SVE_SME_PRED;
			return V9_MIX_SVE;
		}
		return (op & 0xfe) == V9_SPE_OP_SIMD_FP ? V9_MIX_SIMD : V9_MIX_SCALAR;
	default:
		return V9_MIX_SCALAR;
	}
}

static void add_op(struct v9_note_spe *to, const struct v9_spe_rec *r, uint64_t events)
{
	const bool branch = r->op_class == V9_SPE_OP_CLASS_BRANCH;
	const bool cond = branch ? r->op & V9_SPE_OP_BRANCH_COND :
			  r->op_class == V9_SPE_OP_CLASS_OTHER && r->op == V9_SPE_OP_OTHER_COND;
	bool predicated;

	to->mix[mix_of(r, &predicated)]++;
	to->predicated += predicated;
	to->branches += branch;
	to->mispredicted += branch && events >> V9_SPE_EV_MISPREDICTED & 1;
	to->conditional += cond;
	to->not_taken += cond && events >> V9_SPE_EV_NOT_TAKEN & 1;
}

static void add_record(struct v9_note_spe *to, const struct v9_spe_rec *r)
{
	const uint64_t events = r->has & V9_SPE_REC_EVENTS ? r->events : 0;

	to->samples++;
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		if (r->has & V9_SPE_REC_LAT(i)) {
			to->lat[i].n++;
			to->lat[i].sum += r->lat[i];
		}
	to->accesses += events >> V9_SPE_EV_L1D_ACCESS & 1;
	to->refills += events >> V9_SPE_EV_L1D_REFILL & 1;
	to->llc_accesses += events >> V9_SPE_EV_LLC_ACCESS & 1;
	to->llc_misses += events >> V9_SPE_EV_LLC_MISS & 1;
	to->tlb_accesses += events >> V9_SPE_EV_TLB_ACCESS & 1;
	to->walks += events >> V9_SPE_EV_TLB_WALK & 1;
	to->partial += events >> V9_SPE_EV_PARTIAL_PRED & 1;
	to->empty += events >> V9_SPE_EV_EMPTY_PRED & 1;
	if (r->has & V9_SPE_REC_OP)
		add_op(to, r, events);
}

struct spe {
	struct v9_noted *n;
	struct v9_spots spots;
};

static uint64_t address_of(const struct v9_place *p)
{
	return p->func ? p->func->start + p->offset : p->offset;
}

static void take_spot(void *arg, void *bin)
{
	const struct spot *from = bin;
	struct spe *spe = arg;
	struct v9_place place;

	v9_spot_place(&spe->n->r->s.syms, &from->spot, &place);
	if (!place.dso) {
		spe->n->placeless += from->sums.samples;
		return;
	}
	if (!place.func && spe->n->first)
		place.dso->unresolved += from->sums.samples;
	v9_notes_sample(&spe->n->notes, place.dso, address_of(&place), &from->sums);
}

static void take_samples(void *arg, struct v9_sampled *s, size_t n)
{
	struct spe *spe = arg;
	void *spots[V9_BATCH];

	v9_spots_of(&spe->spots, s, n, spots);
	for (size_t i = 0; i < n; i++)
		add_record(&((struct spot *)spots[i])->sums, s[i].rec);
	spe->n->samples += n;
}

static void read_spe(struct v9_noted *n)
{
	struct spe spe = { .n = n };
	const struct v9_taker taker = { .take = take_samples, .arg = &spe };

	v9_spots_init(&spe.spots, sizeof(struct spot), &n->r->s.syms, take_spot, &spe);
	v9_report_records(n->r, &taker, n->first);
	v9_spots_drain(&spe.spots);
	v9_spots_free(&spe.spots);
	if (!n->first)
		return;
	if (!n->r->acc.records)
		v9_kind_empty(&v9_kinds[V9_KIND_SPE], &n->r->s, n->r->o.path);
	v9_rep_spe_losses(n->r);
}

/* ---- ETE */

/* What a thread counts. The notes of several are joined. */
struct ete {
	struct v9_noted *n;
	struct v9_notes notes;
	uint64_t executed, triggers;
	struct v9_listener listener;
};

static size_t block_of(struct ete *e, const struct v9_sampled *at, uint64_t start, uint64_t end,
		       uint32_t insns, uint8_t kind)
{
	const uint64_t size = end - start;
	struct v9_place place;
	uint64_t addr;

	v9_lookup_place(&e->n->lookup, at->pid, v9_sampled_time(at), start, &place);
	addr = place.dso ? address_of(&place) : start;
	return v9_notes_block(&e->notes, place.dso, addr, addr + size,
			      insns && size == insns * UINT64_C(4) ? 4 : 0,
			      kind == V9_INSN_DIRECT || kind == V9_INSN_INDIRECT);
}

static bool passes(const struct ete *e, const struct v9_sampled *at, const struct v9_flow_rec *rec)
{
	const struct v9_record_filter *f = &e->n->r->o.filter;
	const struct v9_place nowhere = { .dso_name = NULL };

	return !(f->used & V9_FILTER_SPE) && v9_filter_task(f, at) &&
	       v9_filter_place(f, rec->ctx.el, &nowhere);
}

static void take(void *arg, size_t stream, const struct v9_sampled *at,
		 const struct v9_flow_rec *rec)
{
	struct ete *e = arg;

	(void)stream;
	if (rec->kind == V9_FLOW_EVENT)
		e->triggers += rec->type & 1;
	if (rec->kind == V9_FLOW_GAP || rec->kind == V9_FLOW_UNPLACED)
		v9_notes_gap(&e->notes);
	if (rec->kind == V9_FLOW_CYCLES) {
		if (rec->counted)
			v9_notes_cycles(&e->notes, rec->cycles);
		else
			v9_notes_gap(&e->notes);
	}
	if (rec->kind != V9_FLOW_RANGE || !passes(e, at, rec))
		return;
	e->executed += rec->insns;
	v9_notes_hit(&e->notes, block_of(e, at, rec->start, rec->end, rec->insns, rec->last.kind),
		     rec->taken);
}

static void take_hits(void *arg, size_t stream, const struct v9_sampled *at,
		      const struct v9_flow_batch *batch)
{
	struct ete *e = arg;
	uint64_t executed = 0;

	if (e->n->r->o.filter.used & V9_FILTER_OF_TRACE) {
		struct v9_flow_rec rec;

		for (size_t i = 0; i < batch->n; i++) {
			v9_flow_expand(batch, &batch->hits[i], &rec);
			take(arg, stream, at, &rec);
		}
		return;
	}
	if (!v9_filter_task(&e->n->r->o.filter, at))
		return;
	for (size_t i = 0; i < batch->n; i++) {
		struct v9_block *b = batch->hits[i].block;

		if (!b->note)
			b->note = (uint32_t)block_of(e, at, b->start, b->end, b->insns,
						     b->last.kind) + 1;
		executed += b->insns;
		v9_notes_hit(&e->notes, b->note - 1, batch->hits[i].taken);
	}
	e->executed += executed;
}

static struct ete *new_ete(struct v9_noted *n)
{
	struct ete *e = v9_alloc(sizeof(*e));

	e->n = n;
	v9_notes_init(&e->notes);
	e->listener = (struct v9_listener){ take, take_hits, e, false };
	return e;
}

static struct v9_listener *create(void *arg)
{
	return &new_ete(((struct ete *)arg)->n)->listener;
}

/* Copies what is not 0, and resets it: the blocks of a decoder name the notes of its thread. */
static void *result(struct v9_listener *listener)
{
	struct ete *from = listener->arg, *part = new_ete(from->n);

	v9_notes_join(&part->notes, &from->notes);
	for (size_t i = 0; i < from->notes.blocks.used; i++) {
		struct v9_note_block *b = v9_bins_get(&from->notes.blocks, i);

		b->executed = b->taken = 0;
	}
	part->executed = from->executed;
	part->triggers = from->triggers;
	from->executed = from->triggers = 0;
	return part;
}

static void discard(void *part)
{
	v9_notes_free(&((struct ete *)part)->notes);
	free(part);
}

static void merge(void *arg, void *part)
{
	struct ete *to = arg, *from = part;

	v9_notes_join(&to->notes, &from->notes);
	to->executed += from->executed;
	to->triggers += from->triggers;
	discard(part);
}

static void destroy(struct v9_listener *listener)
{
	discard(listener->arg);
}

static void read_ete(struct v9_noted *n)
{
	struct v9_report *r = n->r;
	struct ete *e = new_ete(n);
	const struct v9_workers workers = {
		.threads = r->o.threads, .grain = r->o.grain, .arg = e, .create = create,
		.result = result, .merge = merge, .discard = discard, .destroy = destroy,
	};
	struct v9_trace t;

	/* The ranges that share a count may be in two parts: one thread. */
	e->notes.counts_cycles = v9_session_counts_cycles(&r->s);
	v9_trace_init(&t, &r->s, &n->lookup);
	v9_trace_plan(&t);
	v9_trace_run(&t, &e->listener, e->notes.counts_cycles ? NULL : &workers);
	if (n->first)
		v9_rep_trace_losses(r, &t, &(struct v9_flow_sum){ .n.triggers = e->triggers });
	if (n->first && !t.sums.acc.packets)
		v9_kind_empty(&v9_kinds[V9_KIND_ETE], &r->s, r->o.path);
	n->executed = e->executed;
	n->followed = t.sums.counts.ranges;
	memcpy(n->unfollowed, t.sums.counts.unfollowed, sizeof(n->unfollowed));
	for (size_t i = 0; i < e->notes.blocks.used; i++) {
		const struct v9_note_block *b = v9_bins_get(&e->notes.blocks, i);
		struct v9_note_block *to;

		to = v9_bins_get(&n->notes.blocks, v9_notes_block(&n->notes, b->object, b->start,
								  b->end, b->size, b->branch));
		to->executed += b->executed;
		to->taken += b->taken;
		to->cycles += b->cycles;
	}
	n->notes.cycles += e->notes.cycles;
	n->notes.lost_cycles += e->notes.lost_cycles;
	v9_trace_free(&t);
	discard(e);
}

void v9_noted_read(struct v9_noted *n, struct v9_report *r, bool first)
{
	unsigned int kinds = 0;

	memset(n, 0, sizeof(*n));
	n->r = r;
	n->first = first;
	v9_notes_init(&n->notes);
	v9_lookup_init(&n->lookup, &r->s);
	n->places = r->o.filter.used & V9_FILTER_PLACES;
	r->o.filter.used -= n->places;
	v9_for_each_present(k, &r->s)
		kinds++;
	v9_for_each_present(k, &r->s) {
		const enum v9_kind_id id = (enum v9_kind_id)(k - v9_kinds);

		r->part = kinds > 1 ? k : NULL;
		n->has[id] = true;
		if (id == V9_KIND_SPE)
			read_spe(n);
		else if (id == V9_KIND_ETE)
			read_ete(n);
	}
	r->part = NULL;
	r->o.filter.used |= n->places;
	v9_notes_spread(&n->notes);
	r->selected |= n->samples || n->executed;
}

bool v9_noted_wants(const struct v9_noted *n, const struct v9_dso *d, const struct v9_func *func)
{
	const struct v9_place place = {
		.dso_name = func && func->dso ? func->dso : d ? d->name : "[unknown]", .func = func };
	struct v9_record_filter f = n->r->o.filter;

	f.used = n->places;
	return v9_filter_place(&f, 0, &place);
}

const struct v9_func *v9_noted_func(struct v9_noted *n, const void *object, uint64_t addr)
{
	struct v9_dso *d = (struct v9_dso *)object;

	if (!d)
		return NULL;
	v9_syms_load(&n->r->s.syms, d);
	return v9_dso_func(d, addr);
}

static uint64_t unfollowed(const struct v9_noted *n)
{
	uint64_t sum = 0;

	for (unsigned int why = 0; why < V9_FLOW_WHYS; why++)
		sum += n->unfollowed[why];
	return sum;
}

/* With a filter of tasks or times the gaps are those of the whole capture: nothing is known. */
static bool filtered(const struct v9_noted *n)
{
	return n->r->o.filter.used & ~(unsigned int)V9_FILTER_PLACES;
}

double v9_noted_share(const struct v9_noted *n, uint64_t executed)
{
	const double share = v9_rep_percent(executed, n->executed);

	return filtered(n) ? share :
	       share * v9_rep_percent(n->followed, n->followed + unfollowed(n)) / 100;
}

void v9_noted_unfollowed(struct v9_noted *n, void (*put)(void *arg, double percent,
							 const char *what, uint64_t branches),
			 void *arg)
{
	for (unsigned int why = 0; why < V9_FLOW_WHYS; why++)
		if (n->unfollowed[why] && !filtered(n))
			put(arg, v9_rep_percent(n->unfollowed[why], n->followed + unfollowed(n)),
			    v9_rep_keep(n->r, "[not followed: %s]", v9_flow_why[why]),
			    n->unfollowed[why]);
}

void v9_noted_free(struct v9_noted *n)
{
	v9_notes_free(&n->notes);
	v9_lookup_free(&n->lookup);
}
