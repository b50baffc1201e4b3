// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "order.h"

#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "../capture/strtab.h"
#include "../util.h"

/* A part of a text that belongs to one segment. */
struct slice {
	struct v9_text *text;
	size_t turn, from, to;		/* from, to: indexes of marks */
	uint64_t key;
	bool through;
};

struct v9_text {
	FILE *f;
	char *bytes;
	size_t len, out;		/* out: bytes written to stdout */
	struct v9_text_mark *mark;
	size_t nr_marks;
	struct slice *slice;
	size_t nr_slices, left;		/* left: slices not written yet */
	void *own;
};

struct v9_order_turn {
	struct slice **slice;
	size_t nr, done;
	bool through;
};

/* The kind of mark at the end of a slice. Kinds of the caller are less. */
#define MARK_END	UINT32_MAX

struct v9_text *v9_text_new(void)
{
	struct v9_text *t = v9_alloc(sizeof(*t));

	t->f = open_memstream(&t->bytes, &t->len);
	if (!t->f)
		v9_out_of_memory();
	/* Only one thread uses the stream at a time. */
	__fsetlocking(t->f, FSETLOCKING_BYCALLER);
	return t;
}

FILE *v9_text_file(struct v9_text *t)
{
	return t->f;
}

void v9_text_mark(struct v9_text *t, unsigned int kind, uint64_t a, uint64_t b)
{
	fflush(t->f);
	*v9_vec_add(t->mark, t->nr_marks) = (struct v9_text_mark){ t->len, kind, a, b };
	if (t->nr_slices)
		t->slice[t->nr_slices - 1].to = t->nr_marks;
}

void v9_text_turn(struct v9_text *t, size_t turn, uint64_t key)
{
	if (t->nr_slices)
		v9_text_mark(t, MARK_END, 0, 0);
	*v9_vec_add(t->slice, t->nr_slices) = (struct slice){
		.text = t, .turn = turn, .from = t->nr_marks, .to = t->nr_marks, .key = key };
}

void v9_text_through(struct v9_text *t)
{
	t->slice[t->nr_slices - 1].through = true;
}

void *v9_text_own(struct v9_text *t, size_t size)
{
	if (!t->own)
		t->own = v9_alloc(size);
	return t->own;
}

void v9_text_delete(struct v9_text *t)
{
	if (t->f)
		fclose(t->f);
	free(t->bytes);
	free(t->mark);
	free(t->slice);
	free(t->own);
	free(t);
}

void v9_order_init(struct v9_order *o, size_t turns)
{
	o->turn = v9_alloc(turns * sizeof(*o->turn));
	o->nr = turns;
}

void v9_order_free(struct v9_order *o)
{
	for (size_t i = 0; i < o->nr; i++)
		free(o->turn[i].slice);
	free(o->turn);
	memset(o, 0, sizeof(*o));
}

static void write_to(struct v9_order *o, struct v9_text *t, size_t at)
{
	fwrite(t->bytes + t->out, 1, at - t->out, stdout);
	o->held -= at - t->out;
	t->out = at;
}

static void write_slice(struct v9_order *o, struct slice *s)
{
	struct v9_text *t = s->text;

	for (size_t i = s->from; i < s->to; i++) {
		write_to(o, t, t->mark[i].at);
		if (t->mark[i].kind != MARK_END)
			o->mark(o->arg, &t->mark[i]);
	}
	if (--t->left)
		return;
	write_to(o, t, t->len);
	o->end(o->arg, t->own);
	v9_text_delete(t);
}

/* Inserts by key: a slice that ends in a segment comes before one that begins there. */
static void insert(struct v9_order_turn *turn, struct slice *s)
{
	size_t i = turn->nr;

	v9_vec_add(turn->slice, turn->nr);
	for (; i > turn->done && turn->slice[i - 1]->key > s->key; i--)
		turn->slice[i] = turn->slice[i - 1];
	turn->slice[i] = s;
	turn->through |= s->through;
}

void v9_order_add(struct v9_order *o, struct v9_text *t)
{
	fclose(t->f);
	t->f = NULL;
	o->held += t->len;
	t->left = t->nr_slices;
	for (size_t i = 0; i < t->nr_slices; i++)
		insert(&o->turn[t->slice[i].turn], &t->slice[i]);
	for (; o->next < o->nr; o->next++) {
		struct v9_order_turn *turn = &o->turn[o->next];

		while (turn->done < turn->nr)
			write_slice(o, turn->slice[turn->done++]);
		if (!turn->through)
			return;
	}
}
