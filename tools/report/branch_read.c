// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "branch_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../branch_filter.h"
#include "../capture/when.h"
#include "../util.h"
#include "report.h"

#define PROGRESS_EVERY	(1u << 14)	/* samples */
#define KNOWN_MOST	(1u << 18)	/* addresses: some 10 MB */
#define PRIV_USER	1		/* PERF_BR_PRIV_USER */

struct known {
	uint64_t key[2];		/* address; epoch of mappings << 32 | process */
	uint32_t place;
};

void v9_branch_places_init(struct v9_branch_places *p, struct v9_session *s)
{
	p->s = s;
	v9_bins_init(&p->places, sizeof(struct v9_branch_place));
	v9_bins_init(&p->funcs, sizeof(struct v9_branch_func));
	v9_bins_init(&p->known, sizeof(struct known));
}

void v9_branch_places_free(struct v9_branch_places *p)
{
	v9_bins_free(&p->places);
	v9_bins_free(&p->funcs);
	v9_bins_free(&p->known);
}

const struct v9_branch_place *v9_branch_place(const struct v9_branch_places *p, uint32_t number)
{
	return number ? v9_bins_get(&p->places, number - 1) : NULL;
}

const struct v9_branch_func *v9_branch_func(const struct v9_branch_places *p, uint32_t number)
{
	return number ? v9_bins_get(&p->funcs, number - 1) : NULL;
}

static uint64_t word_of(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static uint32_t func_number(struct v9_branch_places *p, const struct v9_place *found)
{
	const uint64_t key[2] = { word_of(found->func), word_of(found->dso_name) };
	struct v9_branch_func *func = v9_bins_at(&p->funcs, key, 2);

	if (!func->number)
		func->number = (uint32_t)p->funcs.used;
	return func->number;
}

static uint32_t place_number(struct v9_branch_places *p, const struct v9_place *found)
{
	const uint64_t key[2] = {
		word_of(found->dso_name), found->offset + (found->func ? found->func->start : 0)
	};
	struct v9_branch_place *place = v9_bins_at(&p->places, key, 2);

	if (!place->number) {
		place->number = (uint32_t)p->places.used;
		place->place = *found;
		place->func = func_number(p, found);
	}
	return place->number;
}

static uint32_t look_up(struct v9_branch_places *p, const struct v9_sampled *at, uint64_t addr,
			uint64_t time, size_t epoch)
{
	const bool kernel = addr & V9_KERNEL_HALF;
	const uint64_t key[2] = {
		addr, (uint64_t)epoch << 32 | (kernel ? V9_KERNEL_PID : at->pid)
	};
	struct v9_place found;
	struct known *known;

	if (!addr)
		return 0;
	if (p->known.used >= KNOWN_MOST)
		v9_bins_clear(&p->known);
	known = v9_bins_at(&p->known, key, 2);
	if (!known->place) {
		v9_syms_find(&p->s->syms, at->pid, time, addr, &found);
		known->place = place_number(p, &found);
	}
	return known->place;
}

unsigned int v9_branch_shows(uint64_t filter)
{
	const uint64_t both = V9_BRANCH_ANY_CALL | V9_BRANCH_ANY_RETURN;
	unsigned int shows = 0;

	if (filter & V9_BRANCH_CALL_STACK)
		return V9_STACK_NESTED;
	if (filter & V9_BRANCH_ANY)
		shows |= V9_STACK_JOINS;
	if (filter & V9_BRANCH_TYPE_SAVE && (filter & V9_BRANCH_ANY || (filter & both) == both))
		shows |= V9_STACK_CALLS;
	return shows;
}

int v9_branch_el(const struct v9_branch_rec *b)
{
	const uint64_t addr = b->from ? b->from : b->to;

	if (b->priv)
		return b->priv == PRIV_USER ? 0 : -1;
	return addr & V9_KERNEL_HALF ? -1 : 0;
}

bool v9_branch_passes(const struct v9_record_filter *f, const struct v9_branch_rec *b,
		      const struct v9_place *from, const struct v9_place *to)
{
	if (f->used & V9_FILTER_SPE)
		return false;
	return v9_filter_place(f, (unsigned int)v9_branch_el(b), b->from ? from : to);
}

static const struct v9_place *found(const struct v9_branch_places *p, uint32_t number)
{
	static const struct v9_place none = { .dso_name = "[unknown]" };
	const struct v9_branch_place *place = v9_branch_place(p, number);

	return place ? &place->place : &none;
}

static uint32_t func_of(const struct v9_branch_places *p, uint32_t number)
{
	const struct v9_branch_place *place = v9_branch_place(p, number);

	return place ? place->func : 0;
}

static void take_sample(struct v9_report *r, struct v9_branch_places *p, struct v9_step *step,
			const struct pd_sample *sample, struct v9_branch_sample *out)
{
	const uint64_t time = v9_sampled_time(&out->at);
	const size_t epoch = v9_when_epoch(&r->s, time);
	struct v9_record_filter *f = &r->o.filter;

	for (size_t i = 0; i < out->n; i++) {
		struct v9_step *to = &step[i];

		v9_branch_stack_decode(sample->branches + i * PD_BRANCH_BYTES, &to->b);
		to->from = look_up(p, &out->at, to->b.from, time, epoch);
		to->to = look_up(p, &out->at, to->b.to, time, epoch);
		to->from_func = func_of(p, to->from);
		to->to_func = func_of(p, to->to);
		to->counts = !(f->used & V9_FILTER_OF_TRACE) ||
			     v9_branch_passes(f, &to->b, found(p, to->from), found(p, to->to));
		if (!to->counts && v9_branch_el(&to->b) == 0)
			f->seen_el |= 1;
	}
	out->step = step;
}

void v9_branch_read(struct v9_report *r, struct v9_branch_places *places,
		    void (*take)(void *arg, const struct v9_branch_sample *s), void *arg)
{
	struct v9_step *step = v9_alloc(V9_STACK_MOST * sizeof(*step));
	struct pd_sample sample;
	struct pd_event e;

	for (size_t i = 0; i < r->s.nr_samples; i++) {
		struct v9_branch_sample s = { .n = 0 };

		if (!(i % PROGRESS_EVERY) && i)
			v9_progress("%zu of %zu samples", i, r->s.nr_samples);
		if (pd_at(&r->s.file, r->s.samples[i].offset, &e) <= 0 || pd_sample(&e, &sample) ||
		    !sample.has_branches)
			continue;
		v9_session_sampled(&r->s, &e, &s.at);
		if (!v9_filter_task(&r->o.filter, &s.at))
			continue;
		s.filter = e.attr->attr.branch_sample_type;
		s.shows = v9_branch_shows(s.filter);
		s.n = sample.nr_branches;
		take_sample(r, places, step, &sample, &s);
		take(arg, &s);
	}
	v9_progress_end();
	free(step);
}
