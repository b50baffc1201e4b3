// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "script_batch.h"

#include <pthread.h>
#include <stdlib.h>

#include "../capture/strtab.h"
#include "../util.h"

#define AHEAD	3u	/* batches of a buffer: one that is written, others that are decoded or wait */

/* A record to print, with its packets without a meaning */
struct item {
	struct v9_spe_rec rec;
	struct v9_sampled at;
	size_t raw, nr_raw;	/* in .raw of the worker */
};

struct line {
	uint64_t key;		/* time */
	size_t end;		/* of its text in that of the batch */
	bool selected;
};

struct batch {
	struct line *line;
	size_t nr;
	struct v9_blob text;
	bool printed;
};

/*
 * Batch i of a buffer is batch[i % ahead]. The caller writes the lines of number .written; those up to .read - 1 are
 * printed or being printed, and a thread decodes the next if .reading is set.
 */
struct buffer {
	struct v9_queue *q;
	struct batch *batch;
	uint64_t written, read;
	uint64_t key;		/* of the last record: one without a time has it, too */
	bool reading, ended;	/* ended: there is no batch .read */
};

/* What each thread has for itself */
struct worker {
	struct v9_batches *all;
	struct v9_session own;	/* the capture's, with other caches */
	struct v9_record_printer records;
	struct v9_put put;
	struct v9_blob *text;	/* where the text of ->put goes */
	struct item *item;
	struct v9_spe_raw *raw;
	size_t nr_raw;
	pthread_t thread;
	bool runs;
};

struct v9_batches {
	struct v9_script *s;
	size_t records, ahead;
	struct buffer *buffer;
	size_t nr_buffers;
	struct worker *worker;		/* the first is the caller's */
	size_t nr_workers;
	pthread_mutex_t lock;		/* of what the threads have in common, except: */
	pthread_mutex_t filter;		/* of the filter, which notes what it sees */
	pthread_cond_t waits, printed;
	bool end;
};

/* The lines of a buffer */
struct reader {
	struct v9_source source;
	struct v9_batches *all;
	struct buffer *b;
	const struct batch *batch;	/* .written of the buffer; NULL: none is read */
	size_t at;			/* line to write next */
	size_t from;			/* its begin in the text */
};

static ssize_t write_text(void *cookie, const char *text, size_t n)
{
	const struct worker *w = cookie;

	v9_blob_put(w->text, text, n);
	return (ssize_t)n;
}

static void worker_init(struct worker *w)
{
	struct v9_batches *all = w->all;
	FILE *f = fopencookie(w, "w", (cookie_io_functions_t){ .write = write_text });

	if (!f)
		v9_out_of_memory();
	setvbuf(f, NULL, _IONBF, 0);
	w->item = v9_alloc(all->records * sizeof(*w->item));
	v9_put_begin(&w->put, f);
	v9_record_printer_init(&w->records, all->s, &w->put, &all->s->lookup);
}

static void worker_free(struct worker *w)
{
	v9_record_printer_free(&w->records);
	fclose(w->put.f);
	free(w->item);
	free(w->raw);
}

/* Decodes the next records of a buffer. Returns their number. */
static size_t read_batch(struct worker *w, struct buffer *b, struct batch *batch)
{
	const size_t most = w->all->records;
	size_t n = 0;

	w->nr_raw = 0;
	while (n < most && v9_session_next(&w->own, b->q, &w->item[n].rec)) {
		struct item *x = &w->item[n];
		const struct v9_spe_raw *raw;

		v9_session_place(&w->own, b->q, &x->rec, &x->at);
		if (x->at.has_time)
			b->key = x->at.time;
		batch->line[n++].key = b->key;
		if (!w->all->s->need_raw)
			continue;
		x->nr_raw = v9_spe_dec_raw(b->q->dec, &raw);
		x->raw = w->nr_raw;
		for (size_t i = 0; i < x->nr_raw && i < V9_SPE_RAWS; i++)
			*v9_vec_add(w->raw, w->nr_raw) = raw[i];
	}
	return n;
}

static bool selects(struct v9_batches *all, const struct v9_sampled *at)
{
	struct v9_script *s = all->s;
	bool selected;

	if (!s->o.filter.used)
		return true;
	pthread_mutex_lock(&all->filter);
	selected = v9_filter_record(&s->o.filter, &s->s, &s->lookup, at);
	pthread_mutex_unlock(&all->filter);
	return selected;
}

static void print_batch(struct worker *w, const struct buffer *b, struct batch *batch)
{
	w->text = &batch->text;
	batch->text.len = 0;
	for (size_t i = 0; i < batch->nr; i++) {
		const struct item *x = &w->item[i];
		struct line *line = &batch->line[i];

		line->selected = selects(w->all, &x->at);
		if (line->selected)
			v9_record_line(&w->records, &(struct v9_script_record){ b->q, &x->at, w->raw + x->raw, x->nr_raw });
		line->end = batch->text.len + w->put.n;
	}
	v9_put_flush(&w->put);
}

static bool is_waiting(const struct v9_batches *all, const struct buffer *b)
{
	return !b->reading && !b->ended && b->read - b->written < all->ahead;
}

/* Returns the buffer to read: that of which the fewest batches are read, or NULL. */
static struct buffer *next_buffer(const struct v9_batches *all)
{
	struct buffer *found = NULL;

	for (struct buffer *b = all->buffer; b < all->buffer + all->nr_buffers; b++)
		if (is_waiting(all, b) && (!found || b->read - b->written < found->read - found->written))
			found = b;
	return found;
}

/* Decodes and prints the next batch of a buffer. Call it with the lock. */
static void work(struct worker *w, struct buffer *b)
{
	struct v9_batches *all = w->all;
	struct batch *batch = &b->batch[b->read % all->ahead];

	b->reading = true;
	batch->printed = false;
	pthread_mutex_unlock(&all->lock);
	batch->nr = read_batch(w, b, batch);
	pthread_mutex_lock(&all->lock);
	b->reading = false;
	b->ended = batch->nr < all->records;
	b->read++;
	pthread_cond_signal(&all->waits);
	pthread_mutex_unlock(&all->lock);
	print_batch(w, b, batch);
	pthread_mutex_lock(&all->lock);
	batch->printed = true;
	pthread_cond_signal(&all->printed);
}

static void *run(void *arg)
{
	struct worker *w = arg;
	struct v9_batches *all = w->all;

	worker_init(w);
	pthread_mutex_lock(&all->lock);
	while (!all->end) {
		struct buffer *b = next_buffer(all);

		if (b)
			work(w, b);
		else
			pthread_cond_wait(&all->waits, &all->lock);
	}
	pthread_mutex_unlock(&all->lock);
	worker_free(w);
	return NULL;
}

/* Returns the batch of a buffer to write next, when it is printed. NULL: there is none. The caller helps meanwhile. */
static const struct batch *await(struct v9_batches *all, struct buffer *b)
{
	const struct batch *batch = &b->batch[b->written % all->ahead];

	for (;;) {
		struct buffer *next;

		if (b->read > b->written && batch->printed)
			return batch;
		if (b->read == b->written && b->ended)
			return NULL;
		next = is_waiting(all, b) && b->read == b->written ? b : next_buffer(all);
		if (next)
			work(&all->worker[0], next);
		else
			pthread_cond_wait(&all->printed, &all->lock);
	}
}

static bool next_line(struct v9_script *s, struct v9_source *source)
{
	struct reader *r = (struct reader *)source;
	struct v9_batches *all = r->all;

	(void)s;
	if (r->batch) {
		r->from = r->batch->line[r->at].end;
		r->at++;
	}
	while (!r->batch || r->at == r->batch->nr) {
		pthread_mutex_lock(&all->lock);
		if (r->batch) {
			r->b->written++;
			pthread_cond_signal(&all->waits);
		}
		r->batch = await(all, r->b);
		pthread_mutex_unlock(&all->lock);
		if (!r->batch)
			return false;
		r->at = r->from = 0;
	}
	source->key = r->batch->line[r->at].key;
	return true;
}

static void print_line(struct v9_script *s, const struct v9_source *source)
{
	const struct reader *r = (const struct reader *)source;
	const struct line *line = &r->batch->line[r->at];

	s->seen++;
	s->selected |= line->selected;
	v9_put_bytes(&s->put, (const char *)r->batch->text.data + r->from, line->end - r->from);
}

struct v9_batches *v9_batches_new(struct v9_script *s, size_t records)
{
	struct v9_batches *all = v9_alloc(sizeof(*all));

	all->s = s;
	all->records = records;
	pthread_mutex_init(&all->lock, NULL);
	pthread_mutex_init(&all->filter, NULL);
	pthread_cond_init(&all->waits, NULL);
	pthread_cond_init(&all->printed, NULL);
	return all;
}

void v9_batches_buffer(struct v9_batches *all, struct v9_queue *q)
{
	v9_vec_add(all->buffer, all->nr_buffers)->q = q;
}

void v9_batches_start(struct v9_batches *all)
{
	const uint64_t batches = all->s->s.aux[V9_KIND_SPE].bytes / (all->records * V9_BATCH_RECORD) + 1;

	all->nr_workers = batches < all->s->o.threads ? batches : all->s->o.threads;
	/* With fewer buffers than threads, several threads print batches of the same buffer. */
	all->ahead = AHEAD + (all->nr_buffers ? all->nr_workers / all->nr_buffers : 0);
	for (size_t i = 0; i < all->nr_buffers; i++) {
		struct buffer *b = &all->buffer[i];

		b->batch = v9_alloc(all->ahead * sizeof(*b->batch));
		for (size_t k = 0; k < all->ahead; k++)
			b->batch[k].line = v9_alloc(all->records * sizeof(*b->batch[k].line));
	}
	all->worker = v9_alloc(all->nr_workers * sizeof(*all->worker));
	for (size_t i = 0; i < all->nr_workers; i++) {
		all->worker[i].all = all;
		all->worker[i].own = all->s->s;
	}
	worker_init(&all->worker[0]);
	/* If a thread cannot be created, the others do its work. */
	for (size_t i = 1; i < all->nr_workers; i++) {
		struct worker *w = &all->worker[i];

		w->runs = !pthread_create(&w->thread, NULL, run, w);
	}
	for (size_t i = 0; i < all->nr_buffers; i++) {
		struct reader *r = v9_alloc(sizeof(*r));

		*r = (struct reader){ .source = { .print = print_line, .next = next_line }, .all = all,
				      .b = &all->buffer[i] };
		v9_script_add(all->s, &r->source);
	}
}

void v9_batches_free(struct v9_batches *all)
{
	pthread_mutex_lock(&all->lock);
	all->end = true;
	pthread_cond_broadcast(&all->waits);
	pthread_mutex_unlock(&all->lock);
	for (size_t i = 1; i < all->nr_workers; i++)
		if (all->worker[i].runs)
			pthread_join(all->worker[i].thread, NULL);
	worker_free(&all->worker[0]);
	free(all->worker);
	for (size_t i = 0; i < all->nr_buffers; i++) {
		for (size_t k = 0; k < all->ahead; k++) {
			free(all->buffer[i].batch[k].line);
			v9_blob_free(&all->buffer[i].batch[k].text);
		}
		free(all->buffer[i].batch);
	}
	free(all->buffer);
	pthread_cond_destroy(&all->waits);
	pthread_cond_destroy(&all->printed);
	pthread_mutex_destroy(&all->lock);
	pthread_mutex_destroy(&all->filter);
	free(all);
}
