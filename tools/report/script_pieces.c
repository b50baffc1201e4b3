// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "script_pieces.h"

#include <pthread.h>
#include <stdio_ext.h>
#include <stdlib.h>

#include "../util.h"

#define AHEAD	4		/* pieces for each thread */
#define FEW	64		/* records that no other thread is worth */

struct piece {
	struct entry {
		struct v9_spe_rec rec;
		struct v9_sampled at;
		const struct v9_queue *q;
	} *entry;
	size_t n;
	FILE *f;			/* writes to text */
	char *text;
	size_t len;
	bool made;			/* the text is complete */
};

/*
 * A ring of pieces: [written, taken) are being made, or made and not written, [taken, begun) wait for a
 * thread, piece number begun is being filled.
 */
struct v9_script_pieces {
	struct v9_script *s;
	struct piece *piece;
	size_t nr, records;
	size_t written;			/* of the first thread alone, as begun without the lock */
	size_t begun, taken;
	bool ends;
	pthread_mutex_t lock;		/* of begun, taken, ends and piece.made */
	pthread_cond_t work, made;
	pthread_t *thread;
	unsigned int nr_threads;
};

static void make(struct v9_record_printer *printer, struct piece *p)
{
	rewind(p->f);
	v9_put_begin(printer->put, p->f);
	for (size_t i = 0; i < p->n; i++)
		v9_record_line(printer, p->entry[i].q, &p->entry[i].at);
	v9_put_flush(printer->put);
	fflush(p->f);
}

static void *make_texts(void *arg)
{
	struct v9_script_pieces *x = arg;
	struct v9_put *put = v9_alloc(sizeof(*put));
	struct v9_record_printer printer;

	v9_record_printer_init(&printer, x->s, put, &x->s->lookup);
	pthread_mutex_lock(&x->lock);
	for (;;) {
		struct piece *p;

		while (x->taken == x->begun && !x->ends)
			pthread_cond_wait(&x->work, &x->lock);
		if (x->taken == x->begun)
			break;
		p = &x->piece[x->taken++ % x->nr];
		pthread_mutex_unlock(&x->lock);
		make(&printer, p);
		pthread_mutex_lock(&x->lock);
		p->made = true;
		pthread_cond_signal(&x->made);
	}
	pthread_mutex_unlock(&x->lock);
	v9_record_printer_free(&printer);
	free(put);
	return NULL;
}

struct v9_script_pieces *v9_script_pieces_begin(struct v9_script *s, unsigned int threads, size_t records)
{
	struct v9_script_pieces *x = v9_alloc(sizeof(*x));

	*x = (struct v9_script_pieces){ .s = s, .nr = threads * AHEAD + 1, .records = records };
	pthread_mutex_init(&x->lock, NULL);
	pthread_cond_init(&x->work, NULL);
	pthread_cond_init(&x->made, NULL);
	x->piece = v9_alloc(x->nr * sizeof(*x->piece));
	for (size_t i = 0; i < x->nr; i++) {
		struct piece *p = &x->piece[i];

		p->entry = v9_alloc(records * sizeof(*p->entry));
		p->f = open_memstream(&p->text, &p->len);
		if (!p->f)
			v9_out_of_memory();
		/* Only one thread uses the stream at a time. */
		__fsetlocking(p->f, FSETLOCKING_BYCALLER);
	}
	x->thread = v9_alloc(threads * sizeof(*x->thread));
	/* Fewer threads than requested are no error. */
	while (x->nr_threads < threads && !pthread_create(&x->thread[x->nr_threads], NULL, make_texts, x))
		x->nr_threads++;
	if (x->nr_threads)
		return x;
	v9_script_pieces_end(x);
	return NULL;
}

/* Writes the texts that are next, until @left pieces are not written; after that those that are complete. */
static void write_texts(struct v9_script_pieces *x, size_t left)
{
	while (x->written < x->begun) {
		struct piece *p = &x->piece[x->written % x->nr];
		bool made;

		pthread_mutex_lock(&x->lock);
		while (!p->made && x->begun - x->written > left)
			pthread_cond_wait(&x->made, &x->lock);
		made = p->made;
		p->made = false;
		pthread_mutex_unlock(&x->lock);
		if (!made)
			return;
		v9_put_flush(&x->s->put);
		fwrite(p->text, 1, p->len, stdout);
		p->n = 0;
		x->written++;
	}
}

static void hand_over(struct v9_script_pieces *x)
{
	pthread_mutex_lock(&x->lock);
	x->begun++;
	pthread_cond_signal(&x->work);
	pthread_mutex_unlock(&x->lock);
	write_texts(x, x->nr - 1);	/* one is free for what comes next */
}

void v9_script_pieces_add(struct v9_script_pieces *x, const struct v9_queue *q, const struct v9_sampled *at)
{
	struct piece *p = &x->piece[x->begun % x->nr];
	struct entry *e = &p->entry[p->n++];

	e->rec = *at->rec;
	e->at = *at;
	e->at.rec = &e->rec;
	e->q = q;
	if (p->n == x->records)
		hand_over(x);
}

void v9_script_pieces_flush(struct v9_script_pieces *x)
{
	struct piece *p = &x->piece[x->begun % x->nr];

	if (p->n > FEW)
		hand_over(x);
	write_texts(x, 0);
	/* Between the samples of other events there are often few records. */
	p = &x->piece[x->begun % x->nr];
	for (size_t i = 0; i < p->n; i++)
		v9_record_line(&x->s->records, p->entry[i].q, &p->entry[i].at);
	p->n = 0;
}

void v9_script_pieces_end(struct v9_script_pieces *x)
{
	if (!x)
		return;
	pthread_mutex_lock(&x->lock);
	x->ends = true;
	pthread_cond_broadcast(&x->work);
	pthread_mutex_unlock(&x->lock);
	for (unsigned int i = 0; i < x->nr_threads; i++)
		pthread_join(x->thread[i], NULL);
	for (size_t i = 0; i < x->nr; i++) {
		fclose(x->piece[i].f);
		free(x->piece[i].text);
		free(x->piece[i].entry);
	}
	free(x->piece);
	free(x->thread);
	free(x);
}
