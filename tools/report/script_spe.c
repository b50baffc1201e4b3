// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace script: SPE records. */
#include <inttypes.h>

#include "../util.h"
#include "kinds.h"
#include "script_batch.h"

#define BATCH_MOST	512u	/* records that a thread reads and prints at a time */
#define BATCH_LEAST	64u
#define BATCHES		32768u	/* records in the current batches of all buffers, about */

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

#define PLACES	14		/* log2 of the entries of caches */
#define TARGETS	10

void v9_record_printer_init(struct v9_record_printer *x, struct v9_script *s, struct v9_put *put,
			    struct v9_lookup *lookup)
{
	const struct v9_field *const *end = s->chosen + s->nr_chosen;

	x->s = s;
	x->put = put;
	x->nr_parts = 0;
	for (const struct v9_field *const *from = s->chosen, *const *to; from < end; from = to) {
		struct v9_record_part *part = &x->part[x->nr_parts++];
		const struct v9_field *f = *from;

		for (to = from + 1; f->key && to < end && (*to)->key == f->key && (*to)->has == f->has; to++)
			;
		*part = (struct v9_record_part){ .from = from, .to = to, .has = f->has };
		if (f->brief)
			part->brief = s->json ? f->brief->json : f->brief->text;
		if (f->key) {
			part->key = f->key;
			v9_text_cache_init(&part->texts, f->key->order);
		}
	}
	v9_place_cache_init(&x->places, lookup, PLACES);
	v9_place_cache_init(&x->targets, lookup, TARGETS);
}

void v9_record_printer_free(struct v9_record_printer *x)
{
	for (size_t i = 0; i < x->nr_parts; i++)
		v9_text_cache_free(&x->part[i].texts);
	v9_place_cache_free(&x->places);
	v9_place_cache_free(&x->targets);
}

/* Prints the fields of a part. @k: the key with which their text is kept; NULL: it is not kept */
static void print_fields(struct v9_record_part *part, struct v9_json *j, bool json, const struct v9_line *l,
			 const struct v9_text_key *k)
{
	const struct v9_text_begin begin = v9_text_begin(j->put);

	for (const struct v9_field *const *f = part->from; f < part->to; f++) {
		if (json) {
			(*f)->json(j, l);
			continue;
		}
		if (f > part->from)
			v9_put_char(j->put, ' ');
		(*f)->text(j->put, l);
	}
	if (k)
		v9_text_keep(&part->texts, k, j->put, begin);
}

_Static_assert(V9_SCRIPT_FIELDS * V9_TEXT_MOST < V9_PUT_BYTES && V9_BRIEF_MOST <= V9_TEXT_MOST, "a line has room");

void v9_record_print(struct v9_record_printer *x, const struct v9_script_record *r, struct v9_json *j)
{
	const struct v9_line l = { .s = &x->s->s, .places = &x->places, .targets = &x->targets, .q = r->q,
				   .r = r->at->rec, .at = r->at, .raw = r->raw, .nr_raw = r->nr_raw };
	struct v9_record_part *const last = x->part + x->nr_parts;
	const size_t gap = !x->s->json, room = x->nr_parts * V9_TEXT_MOST;
	char *to = v9_put_room(x->put, room);
	size_t more = 0;

	for (struct v9_record_part *part = x->part; part < last; part++) {
		const struct v9_kept_text *kept = NULL;
		struct v9_text_key key;
		char *end;

		if (part->has && !(part->has & l.r->has))
			continue;
		*to = ' ';
		to += more;
		more = gap;
		if (part->brief) {
			end = part->brief(to, &l);
			if (end) {
				to = end;
				continue;
			}
		} else if (part->key && part->key->word) {
			const uint64_t word = part->key->word(&l);

			kept = v9_text_find_word(&part->texts, word);
			if (!kept)
				key = (struct v9_text_key){ { word } };
		} else if (part->key) {
			part->key->of(&key, &l);
			kept = v9_text_find(&part->texts, &key);
		}
		if (kept) {
			to = v9_copy_words(to, kept->text, kept->n);
			continue;
		}
		v9_put_to(x->put, to);
		print_fields(part, j, !gap, &l, part->key ? &key : NULL);
		to = v9_put_room(x->put, room);
	}
	v9_put_to(x->put, to);
}

void v9_record_line(struct v9_record_printer *x, const struct v9_script_record *r)
{
	struct v9_json j = { .put = x->put, .more = true };

	if (x->s->json)
		v9_put_str(x->put, "{\"type\":\"spe\"");
	v9_record_print(x, r, &j);
	if (x->s->json)
		v9_put_char(x->put, '}');
	v9_put_end(x->put);
}

static void print_record(struct v9_script *s, const struct v9_source *source)
{
	const struct head *h = (const struct head *)source;
	struct v9_script_record r = { .q = h->q, .at = &h->at };

	s->seen++;
	if (s->o.filter.used && !v9_filter_record(&s->o.filter, &s->s, &s->lookup, &h->at))
		return;
	s->selected = true;
	if (s->need_raw)
		r.nr_raw = v9_spe_dec_raw(h->q->dec, &r.raw);
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

static bool is_spe(const struct v9_queue *q)
{
	return q->kind == V9_KIND_SPE;
}

/* Returns the number of records of a batch. A size of pieces (-j) is its limit. */
static size_t batch_size(const struct v9_script *s)
{
	size_t buffers = 1, n;

	for (size_t i = 0; i < s->s.nr_queues; i++)
		buffers += is_spe(&s->s.queues[i]);
	n = BATCHES / buffers;
	if (n < BATCH_LEAST)
		n = BATCH_LEAST;
	if (n > BATCH_MOST)
		n = BATCH_MOST;
	return s->o.grain && s->o.grain / V9_BATCH_RECORD < n ? s->o.grain / V9_BATCH_RECORD + 1 : n;
}

void v9_script_spe_begin(struct v9_script *s)
{
	s->beside = has_trace(s);
	if (is_sequential(s))
		v9_record_printer_init(&s->records, s, &s->put, &s->lookup);
	else
		s->batches = v9_batches_new(s, batch_size(s));
	for (size_t i = 0; i < s->s.nr_queues; i++) {
		struct head *h;

		if (!is_spe(&s->s.queues[i]))
			continue;
		if (s->batches) {
			v9_batches_buffer(s->batches, &s->s.queues[i]);
			continue;
		}
		h = v9_alloc(sizeof(*h));
		h->source = (struct v9_source){ .print = print_record, .next = next_record };
		h->q = &s->s.queues[i];
		v9_script_add(s, &h->source);
	}
	if (s->batches)
		v9_batches_start(s->batches);
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
