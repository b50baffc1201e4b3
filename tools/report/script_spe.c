// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace script: SPE records. */
#include <inttypes.h>

#include "../util.h"
#include "kinds.h"
#include "script_batch.h"

#define BATCH	2048u	/* records that a thread prints at a time; with a size of pieces: of that size */
#define RECORD	64u	/* bytes of a record, about */

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
	/* Threads that decode an instruction trace look up tasks, too. */
	if (s->beside)
		pthread_mutex_lock(&s->lookup.lock);
	v9_session_place(&s->s, h->q, &h->rec, &h->at);
	if (s->beside)
		pthread_mutex_unlock(&s->lookup.lock);
	h->at.rec = &h->rec;
	if (h->at.has_time)
		source->key = h->at.time;
	return true;
}

#define TEXTS	8		/* log2 of the entries of the cache of texts */
#define OURS	56		/* shift: our byte in .word[3] of its keys */

void v9_record_printer_init(struct v9_record_printer *x, struct v9_script *s, struct v9_put *put,
			    struct v9_lookup *lookup)
{
	x->s = s;
	x->put = put;
	x->nr_parts = 0;
	for (size_t i = 0, to; i < s->nr_chosen; i = to) {
		const struct v9_field *f = s->chosen[i];

		for (to = i + 1; f->key && to < s->nr_chosen && s->chosen[to]->key == f->key; to++)
			;
		x->part[x->nr_parts++] = (struct v9_record_part){ i, to, f->key };
	}
	v9_text_cache_init(&x->texts, TEXTS);
	v9_place_cache_init(&x->places, lookup);
}

void v9_record_printer_free(struct v9_record_printer *x)
{
	v9_text_cache_free(&x->texts);
	v9_place_cache_free(&x->places);
}

static bool omits(const struct v9_record_printer *x, const struct v9_field *f, const struct v9_line *l)
{
	return !x->s->json && f->has && !(f->has & l->r->has);
}

/* Prints the fields of a part. @more: the line has text before them. Returns it for the next. */
static bool print_fields(struct v9_record_printer *x, struct v9_json *j, const struct v9_line *l,
			 const struct v9_record_part *part, bool more)
{
	for (size_t i = part->from; i < part->to; i++) {
		const struct v9_field *f = x->s->chosen[i];

		if (omits(x, f, l))
			continue;
		if (x->s->json) {
			f->json(j, l);
			continue;
		}
		if (more)
			v9_put_char(x->put, ' ');
		f->text(x->put, l);
		more = true;
	}
	return more;
}

/* Prints the fields of a part that has a key, as above. The text of a value of the key is made once, and kept. */
static bool print_again(struct v9_record_printer *x, struct v9_json *j, const struct v9_line *l,
			const struct v9_record_part *part, bool more)
{
	struct v9_text_key key = { { 0 } };
	const struct v9_kept_text *kept;
	struct v9_text_begin begin;

	x->s->chosen[part->from]->key(&key, l);
	key.word[3] |= (uint64_t)(part->from << 1 | more) << OURS;
	kept = v9_text_again(&x->texts, &key, x->put);
	if (kept)
		return more || kept->n;
	begin = v9_text_begin(x->put);
	more = print_fields(x, j, l, part, more);
	v9_text_keep(&x->texts, &key, x->put, begin);
	return more;
}

void v9_record_print(struct v9_record_printer *x, const struct v9_script_record *r, struct v9_json *j)
{
	const struct v9_line l = { .s = &x->s->s, .places = &x->places, .q = r->q, .r = r->at->rec, .at = r->at,
				   .raw = r->raw, .nr_raw = r->nr_raw };
	bool more = x->s->json;		/* each line of JSON begins with the type */

	for (size_t i = 0; i < x->nr_parts; i++) {
		const struct v9_record_part *part = &x->part[i];

		if (part->to == part->from + 1 && omits(x, x->s->chosen[part->from], &l))
			continue;
		if (part->keyed)
			more = print_again(x, j, &l, part, more);
		else
			more = print_fields(x, j, &l, part, more);
	}
}

void v9_record_line(struct v9_record_printer *x, const struct v9_script_record *r)
{
	struct v9_json j = { .put = x->put };

	if (x->s->json) {
		v9_json_begin(&j);
		v9_json_text(&j, "type", "spe");
	}
	v9_record_print(x, r, &j);
	if (x->s->json)
		v9_json_end(&j);
	else
		v9_put_end(x->put);
}

static void print_record(struct v9_script *s, const struct v9_source *source)
{
	const struct head *h = (const struct head *)source;
	struct v9_script_record r = { .q = h->q, .at = &h->at };

	s->seen++;
	if (!v9_filter_record(&s->o.filter, &s->s, &s->lookup, &h->at))
		return;
	s->selected = true;
	if (s->need_raw)
		r.nr_raw = v9_spe_dec_raw(h->q->dec, &r.raw);
	if (s->batches)
		v9_batches_record(s->batches, &r);
	else
		v9_record_line(&s->records, &r);
}

/* Are there lines of another kind of trace in between? */
static bool has_trace(const struct v9_script *s)
{
	v9_for_each_present(k, &s->s)
		if (k->script)
			return true;
	return false;
}

/* Returns true if one thread must do all, or is enough. */
static bool is_sequential(const struct v9_script *s)
{
	/* Blocks of the heap are looked up without a lock. On a terminal each line is to appear at once. */
	return s->beside || s->o.threads < 2 || (s->need_heap && s->s.heap.nr) || s->put.eager;
}

void v9_script_spe_begin(struct v9_script *s)
{
	s->beside = has_trace(s);
	if (is_sequential(s))
		v9_record_printer_init(&s->records, s, &s->put, &s->lookup);
	else
		s->batches = v9_batches_new(s, s->o.grain && s->o.grain / RECORD < BATCH ?
					       s->o.grain / RECORD + 1 : BATCH, v9_script_sample);
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

	v9_record_printer_free(&s->records);
	for (size_t i = 0; i < s->s.nr_queues; i++)
		for (unsigned int k = 0; k < V9_SPE_SKIPS; k++)
			skipped += v9_spe_dec_account(s->s.queues[i].dec)->skipped[k];
	if (l->truncated || l->partial || l->collision || s->s.lost.lost_records || skipped)
		v9_warn("lost: %" PRIu64 " AUX records truncated, %" PRIu64 " partial, %" PRIu64
			" with collisions, %" PRIu64 " side-band records, %" PRIu64
			" AUX bytes skipped (see v9trace report)",
			l->truncated, l->partial, l->collision, s->s.lost.lost_records, skipped);
}
