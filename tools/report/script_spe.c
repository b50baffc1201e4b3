// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace script: SPE records. */
#include <inttypes.h>

#include "../util.h"
#include "fields.h"
#include "script.h"

/* A buffer and its next record. */
struct head {
	struct v9_source source;
	struct v9_queue *q;
	struct v9_spe_rec rec;
	struct v9_sampled at;
};

/* Reads the next record of a buffer. One without a time keeps the key of the record before it. */
static bool next_record(struct v9_script *s, struct v9_source *source)
{
	struct head *h = (struct head *)source;

	if (!v9_session_next(&s->s, h->q, &h->rec))
		return false;
	v9_session_place(&s->s, h->q, &h->rec, &h->at);
	h->at.rec = &h->rec;
	if (h->at.has_time)
		source->key = h->at.time;
	return true;
}

void v9_script_record(struct v9_script *s, const struct v9_queue *q, const struct v9_sampled *at,
		      struct v9_json *j)
{
	struct v9_line l = { .s = &s->s, .q = q, .r = at->rec, .at = at,
			  .pc = { .dso_name = "[unknown]" } };
	const uint64_t time = v9_sampled_time(at);
	bool more = false;

	l.target = l.pc;
	if (s->need_sym && l.r->has & V9_SPE_REC_PC)
		v9_syms_find(&s->s.syms, at->pid, time, l.r->pc.addr, &l.pc);
	if (s->need_target && l.r->has & V9_SPE_REC_TARGET)
		v9_syms_find(&s->s.syms, at->pid, time, l.r->target.addr, &l.target);
	for (size_t i = 0; i < s->nr_chosen; i++) {
		const struct v9_field *f = s->chosen[i];

		if (s->json) {
			f->json(j, &l);
			continue;
		}
		if (f->has && !(f->has & l.r->has))
			continue;
		if (more)
			v9_put_char(&s->put, ' ');
		f->text(&s->put, &l);
		more = true;
	}
}

static void print_record(struct v9_script *s, const struct v9_source *source)
{
	const struct head *h = (const struct head *)source;
	struct v9_json j = { .put = &s->put };

	s->seen++;
	if (!v9_filter_record(&s->o.filter, &s->s, &h->at))
		return;
	s->selected = true;
	if (s->json) {
		v9_json_begin(&j);
		v9_json_text(&j, "type", "spe");
	}
	v9_script_record(s, h->q, &h->at, &j);
	if (s->json)
		v9_json_end(&j);
	else
		v9_put_end(&s->put);
}

void v9_script_spe_begin(struct v9_script *s)
{
	for (size_t i = 0; i < s->s.nr_queues; i++) {
		struct head *h;

		if (s->s.queues[i].kind != V9_KIND_SPE)
			continue;
		h = v9_alloc(sizeof(*h));
		h->source = (struct v9_source){ .print = print_record, .next = next_record };
		h->q = &s->s.queues[i];
		v9_script_add(s, &h->source);
	}
}

void v9_script_spe_end(struct v9_script *s)
{
	const struct v9_aux_sum *l = &s->s.aux[V9_KIND_SPE];
	uint64_t skipped = 0;

	for (size_t i = 0; i < s->s.nr_queues; i++)
		for (unsigned int k = 0; k < V9_SPE_SKIPS; k++)
			skipped += v9_spe_dec_account(s->s.queues[i].dec)->skipped[k];
	if (l->truncated || l->partial || l->collision || s->s.lost.lost_records || skipped)
		v9_warn("lost: %" PRIu64 " AUX records truncated, %" PRIu64 " partial, %" PRIu64
			" with collisions, %" PRIu64 " side-band records, %" PRIu64
			" AUX bytes skipped (see v9trace report)",
			l->truncated, l->partial, l->collision, s->s.lost.lost_records, skipped);
}
