// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Marks of a program beside the calls of its threads: bars, which are phases and numbers, and flags. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "page.h"

/* What a bar of the page is; part of the format that page.js reads. */
enum bar { PHASE = 1, OPEN_PHASE, NUMBER, CUT_NUMBER };

struct v9_page_bar {
	uint64_t order;		/* of marks */
	uint64_t begin, end;	/* instructions of the thread before it began, ended */
	const char *text;	/* of a phase; NULL: a number */
	uint64_t id;
	uint32_t thread, depth;
	enum bar what;
};

struct v9_page_flag {
	uint64_t at;
	const char *text;
	uint32_t thread;
};

struct v9_page_marked {
	struct v9_page_bar *open;	/* outermost first */
	size_t nr_open;
	uint64_t bars_dropped, flags_dropped, unbegun;
};

static struct v9_page_marked *marked_of(struct v9_page_marks *p, uint32_t thread)
{
	while (p->nr_threads <= thread)
		v9_vec_add(p->thread, p->nr_threads);
	return &p->thread[thread];
}

/* Drops the shortest bars until half of the room is free. */
static void drop_short(struct v9_page_marks *p)
{
	size_t n = p->nr_bars, kept = 0;

	while (n > V9_PAGE_BARS / 2) {
		p->least = p->least ? 2 * p->least : 1;
		n = 0;
		for (size_t i = 0; i < p->nr_bars; i++)
			n += p->bar[i].end - p->bar[i].begin >= p->least;
	}
	for (size_t i = 0; i < p->nr_bars; i++) {
		if (p->bar[i].end - p->bar[i].begin >= p->least)
			p->bar[kept++] = p->bar[i];
		else
			p->thread[p->bar[i].thread].bars_dropped++;
	}
	p->nr_bars = kept;
}

/* Ends the open bar @i of a thread. Those inside stay open: phases need not be nested. */
static void end_bar(struct v9_page_marks *p, struct v9_page_marked *t, size_t i, uint64_t at, bool open)
{
	struct v9_page_bar bar = t->open[i];

	memmove(&t->open[i], &t->open[i + 1], (t->nr_open - i - 1) * sizeof(*t->open));
	t->nr_open--;
	bar.end = at;
	if (open && bar.what == PHASE)
		bar.what = OPEN_PHASE;
	if (bar.end - bar.begin < p->least) {
		t->bars_dropped++;
		return;
	}
	*v9_vec_add(p->bar, p->nr_bars) = bar;
	if (p->nr_bars > V9_PAGE_BARS)
		drop_short(p);
}

static void begin_bar(struct v9_page_marks *p, struct v9_page_marked *t, uint32_t thread, uint64_t at,
		      const struct v9_mark *m)
{
	const uint32_t depth = t->nr_open ? t->open[t->nr_open - 1].depth + 1 : 0;

	*v9_vec_add(t->open, t->nr_open) = (struct v9_page_bar){
		.order = p->marks, .begin = at, .text = m->text, .id = m->id, .thread = thread,
		.depth = depth,
		.what = m->kind == V9_MARK_BEGIN ? PHASE : m->cut ? CUT_NUMBER : NUMBER,
	};
}

/* A number lasts until the next one, or until the end of the phase around it. */
static void end_number(struct v9_page_marks *p, struct v9_page_marked *t, uint64_t at)
{
	if (t->nr_open && !t->open[t->nr_open - 1].text)
		end_bar(p, t, t->nr_open - 1, at, false);
}

static void end_phase(struct v9_page_marks *p, struct v9_page_marked *t, uint64_t at, const char *text)
{
	size_t i = t->nr_open;

	while (i && (!t->open[i - 1].text || strcmp(t->open[i - 1].text, text)))
		i--;
	if (!i) {
		t->unbegun++;
		return;
	}
	if (i < t->nr_open && !t->open[i].text)
		end_bar(p, t, i, at, false);
	end_bar(p, t, i - 1, at, false);
}

/* Flags are as far apart as room for them demands: each second one is dropped. */
static void put_flag(struct v9_page_marks *p, struct v9_page_marked *t, uint32_t thread, uint64_t at,
		     const char *text)
{
	size_t kept = 0;

	if (p->flags++ % p->apart) {
		t->flags_dropped++;
		return;
	}
	*v9_vec_add(p->flag, p->nr_flags) = (struct v9_page_flag){ at, text, thread };
	if (p->nr_flags <= V9_PAGE_FLAGS)
		return;
	for (size_t i = 0; i < p->nr_flags; i++) {
		if (i % 2)
			p->thread[p->flag[i].thread].flags_dropped++;
		else
			p->flag[kept++] = p->flag[i];
	}
	p->nr_flags = kept;
	p->apart *= 2;
}

void v9_page_marks_init(struct v9_page_marks *p)
{
	*p = (struct v9_page_marks){ .apart = 1 };
}

void v9_page_marks_take(struct v9_page_marks *p, uint32_t thread, uint64_t at, const struct v9_mark *m)
{
	struct v9_page_marked *t = marked_of(p, thread);

	p->marks++;
	switch (m->kind) {
	case V9_MARK_BEGIN:
		begin_bar(p, t, thread, at, m);
		break;
	case V9_MARK_END:
		end_phase(p, t, at, m->text);
		break;
	case V9_MARK_POINT:
		put_flag(p, t, thread, at, m->text);
		break;
	case V9_MARK_ID:
		end_number(p, t, at);
		begin_bar(p, t, thread, at, m);
		break;
	}
}

void v9_page_marks_end(struct v9_page_marks *p, uint32_t thread, uint64_t at)
{
	struct v9_page_marked *t = marked_of(p, thread);

	while (t->nr_open)
		end_bar(p, t, t->nr_open - 1, at, true);
}

static int bar_order(const void *a, const void *b)
{
	const struct v9_page_bar *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

void v9_page_marks_sort(struct v9_page_marks *p)
{
	if (p->nr_bars)
		qsort(p->bar, p->nr_bars, sizeof(*p->bar), bar_order);
}

/* "bars": depth, what, name or number, begin, instructions for each; "flags": name, instructions before it */
void v9_page_marks_write(struct v9_page_marks *p, uint32_t thread, struct v9_page_names *names, FILE *f)
{
	const struct v9_page_marked *t = marked_of(p, thread);
	const char *comma = "";

	fputs(",\"bars\":[", f);
	for (size_t i = 0; i < p->nr_bars; i++) {
		const struct v9_page_bar *b = &p->bar[i];

		if (b->thread != thread)
			continue;
		fprintf(f, "%s%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64, comma, b->depth, b->what,
			b->text ? v9_page_name(names, b->text) : b->id, b->begin, b->end - b->begin);
		comma = ",";
	}
	fputs("],\"flags\":[", f);
	comma = "";
	for (size_t i = 0; i < p->nr_flags; i++) {
		if (p->flag[i].thread != thread)
			continue;
		fprintf(f, "%s%zu,%" PRIu64, comma, v9_page_name(names, p->flag[i].text), p->flag[i].at);
		comma = ",";
	}
	fprintf(f, "],\"bars_dropped\":%" PRIu64 ",\"flags_dropped\":%" PRIu64 ",\"unbegun\":%" PRIu64,
		t->bars_dropped, t->flags_dropped, t->unbegun);
}

void v9_page_marks_free(struct v9_page_marks *p)
{
	for (size_t i = 0; i < p->nr_threads; i++)
		free(p->thread[i].open);
	free(p->thread);
	free(p->bar);
	free(p->flag);
}
