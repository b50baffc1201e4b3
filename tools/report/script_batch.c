// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "script_batch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../capture/strtab.h"
#include "../util.h"

#define AHEAD	2u	/* batches for each thread: one that it prints, one that waits */

struct item {
	struct v9_spe_rec rec;
	struct v9_sampled at;
	const struct v9_queue *q;
	size_t raw, nr_raw;	/* in .raw of the batch */
};

/* A sample of another event, before the record number .before of the batch */
struct mark {
	size_t before;
	size_t at;		/* bytes of text before it */
	uint64_t offset;
};

struct batch {
	struct item *item;
	size_t nr;
	struct v9_spe_raw *raw;
	size_t nr_raw;
	struct mark *mark;
	size_t nr_marks;
	struct v9_blob text;
	bool printed;
};

/* Prints batches. Each thread has one. */
struct printer {
	struct v9_batches *all;
	struct v9_record_printer records;
	struct v9_put put;
	struct v9_blob *text;	/* where the text of ->put goes */
	pthread_t thread;
	bool runs;
};

/*
 * The batches are a ring. Batch i of all is batch[i % nr_batches]. Those from .written to .taken - 1 are printed
 * or being printed, those up to .filled - 1 wait for a thread, and that one is filled.
 */
struct v9_batches {
	struct v9_script *s;
	size_t records;
	void (*sample)(struct v9_script *s, uint64_t offset);
	struct batch *batch;
	size_t nr_batches;
	struct printer *printer;	/* the first is the caller's */
	size_t nr_printers;
	uint64_t written, taken, filled;	/* .taken and .filled: with .lock */
	pthread_mutex_t lock;
	pthread_cond_t waits, printed;
	bool started, end;
};

static ssize_t write_text(void *cookie, const char *text, size_t n)
{
	const struct printer *p = cookie;

	v9_blob_put(p->text, text, n);
	return (ssize_t)n;
}

static void printer_init(struct printer *p, struct v9_batches *all)
{
	FILE *f = fopencookie(p, "w", (cookie_io_functions_t){ .write = write_text });

	if (!f)
		v9_out_of_memory();
	setvbuf(f, NULL, _IONBF, 0);
	p->all = all;
	v9_put_begin(&p->put, f);
	v9_record_printer_init(&p->records, all->s, &p->put, &all->s->lookup);
}

static void printer_free(struct printer *p)
{
	v9_record_printer_free(&p->records);
	fclose(p->put.f);
}

static void print_batch(struct printer *p, struct batch *b)
{
	size_t mark = 0;

	p->text = &b->text;
	b->text.len = 0;
	for (size_t i = 0; i <= b->nr; i++) {
		while (mark < b->nr_marks && b->mark[mark].before == i) {
			v9_put_flush(&p->put);
			b->mark[mark++].at = b->text.len;
		}
		if (i < b->nr) {
			struct item *x = &b->item[i];

			x->at.rec = &x->rec;
			v9_record_line(&p->records, &(struct v9_script_record){ x->q, &x->at, b->raw + x->raw, x->nr_raw });
		}
	}
	v9_put_flush(&p->put);
}

/* Prints the next batch that waits. Call it with the lock. */
static void print_next(struct printer *p)
{
	struct v9_batches *all = p->all;
	struct batch *b = &all->batch[all->taken++ % all->nr_batches];

	pthread_mutex_unlock(&all->lock);
	print_batch(p, b);
	pthread_mutex_lock(&all->lock);
	b->printed = true;
	pthread_cond_signal(&all->printed);
}

static void *run(void *arg)
{
	struct printer *p = arg;
	struct v9_batches *all = p->all;

	printer_init(p, all);
	pthread_mutex_lock(&all->lock);
	for (;;) {
		if (all->taken < all->filled)
			print_next(p);
		else if (all->end)
			break;
		else
			pthread_cond_wait(&all->waits, &all->lock);
	}
	pthread_mutex_unlock(&all->lock);
	printer_free(p);
	return NULL;
}

/* Starts the threads. With fewer than wanted, the others do their work. */
static void start(struct v9_batches *all)
{
	for (size_t i = 1; i < all->nr_printers; i++) {
		struct printer *p = &all->printer[i];

		p->all = all;
		p->runs = !pthread_create(&p->thread, NULL, run, p);
	}
	all->started = true;
}

static void write_batch(struct v9_batches *all, struct batch *b)
{
	size_t from = 0;

	for (size_t i = 0; i < b->nr_marks; i++) {
		fwrite(b->text.data + from, 1, b->mark[i].at - from, stdout);
		from = b->mark[i].at;
		all->sample(all->s, b->mark[i].offset);
		v9_put_flush(&all->s->put);
	}
	fwrite(b->text.data + from, 1, b->text.len - from, stdout);
	b->nr = b->nr_raw = b->nr_marks = 0;
	b->printed = false;
}

/* Writes what is printed and next, and prints more, until at most @left batches are not written. */
static void advance(struct v9_batches *all, size_t left)
{
	pthread_mutex_lock(&all->lock);
	for (;;) {
		struct batch *b = &all->batch[all->written % all->nr_batches];

		if (all->written < all->taken && b->printed) {
			pthread_mutex_unlock(&all->lock);
			write_batch(all, b);
			pthread_mutex_lock(&all->lock);
			all->written++;
		} else if (all->filled - all->written <= left) {
			break;
		} else if (all->taken < all->filled) {
			print_next(&all->printer[0]);
		} else {
			pthread_cond_wait(&all->printed, &all->lock);
		}
	}
	pthread_mutex_unlock(&all->lock);
}

/* Returns the batch to add to: it has room for one more. */
static struct batch *filling(struct v9_batches *all)
{
	return &all->batch[all->filled % all->nr_batches];
}

static void end_batch(struct v9_batches *all)
{
	pthread_mutex_lock(&all->lock);
	all->filled++;
	pthread_cond_signal(&all->waits);
	pthread_mutex_unlock(&all->lock);
	if (!all->started)
		start(all);
	advance(all, all->nr_batches - 1);
}

void v9_batches_record(struct v9_batches *all, const struct v9_script_record *r)
{
	struct batch *b = filling(all);
	struct item *x = &b->item[b->nr++];

	x->rec = *r->at->rec;
	x->at = *r->at;
	x->q = r->q;
	x->raw = b->nr_raw;
	x->nr_raw = r->nr_raw;
	for (size_t i = 0; i < r->nr_raw && i < V9_SPE_RAWS; i++)
		*v9_vec_add(b->raw, b->nr_raw) = r->raw[i];
	if (b->nr == all->records)
		end_batch(all);
}

void v9_batches_sample(struct v9_batches *all, uint64_t offset)
{
	struct batch *b = filling(all);

	*v9_vec_add(b->mark, b->nr_marks) = (struct mark){ .before = b->nr, .offset = offset };
	if (b->nr_marks == all->records)
		end_batch(all);
}

struct v9_batches *v9_batches_new(struct v9_script *s, size_t records,
				  void (*sample)(struct v9_script *s, uint64_t offset))
{
	struct v9_batches *all = v9_alloc(sizeof(*all));

	all->s = s;
	all->records = records;
	all->sample = sample;
	all->nr_printers = s->o.threads;
	all->printer = v9_alloc(all->nr_printers * sizeof(*all->printer));
	printer_init(&all->printer[0], all);
	all->nr_batches = AHEAD * all->nr_printers + 1;
	all->batch = v9_alloc(all->nr_batches * sizeof(*all->batch));
	for (size_t i = 0; i < all->nr_batches; i++)
		all->batch[i].item = v9_alloc(records * sizeof(*all->batch[i].item));
	pthread_mutex_init(&all->lock, NULL);
	pthread_cond_init(&all->waits, NULL);
	pthread_cond_init(&all->printed, NULL);
	return all;
}

void v9_batches_free(struct v9_batches *all)
{
	pthread_mutex_lock(&all->lock);
	all->filled++;
	pthread_mutex_unlock(&all->lock);
	advance(all, 0);
	pthread_mutex_lock(&all->lock);
	all->end = true;
	pthread_cond_broadcast(&all->waits);
	pthread_mutex_unlock(&all->lock);
	for (size_t i = 1; i < all->nr_printers; i++)
		if (all->printer[i].runs)
			pthread_join(all->printer[i].thread, NULL);
	printer_free(&all->printer[0]);
	free(all->printer);
	for (size_t i = 0; i < all->nr_batches; i++) {
		free(all->batch[i].item);
		free(all->batch[i].raw);
		free(all->batch[i].mark);
		v9_blob_free(&all->batch[i].text);
	}
	free(all->batch);
	pthread_cond_destroy(&all->waits);
	pthread_cond_destroy(&all->printed);
	pthread_mutex_destroy(&all->lock);
	free(all);
}
