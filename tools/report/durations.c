// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "durations.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/strtab.h"
#include "../util.h"

/* The two ends of a call */
enum { BEGIN, END, ENDS };

/* The value of a clock at an end of a call */
struct reading {
	uint64_t value;
	enum { UNREAD, KNOWN, NEVER } state;
};

struct call {
	uint64_t position[ENDS];
	size_t node, next;			/* next: free one, index + 1 */
	struct reading reading[ENDS][V9_MEASURES];
	bool ended;
};

struct v9_duration_thread {
	struct call *calls;			/* not ended, or clocks are not known yet; and free ones */
	size_t nr_calls, free;			/* free: index + 1 */
	size_t *open;				/* calls that did not end, innermost last */
	size_t nr_open;
	struct clock {
		struct wait { size_t call; unsigned int end; } *waits;	/* for the next value */
		size_t nr_waits;
		uint64_t position, value;	/* the last one */
		bool known;
	} clock[V9_MEASURES];
};

void v9_durations_init(struct v9_durations *d, unsigned int clocks, size_t most)
{
	memset(d, 0, sizeof(*d));
	d->clocks = clocks;
	d->order = clocks & 1u << V9_BY_CYCLES ? V9_BY_CYCLES :
		   clocks & 1u << V9_BY_NS ? V9_BY_NS : V9_BY_INSNS;
	d->most_longest = most;
	d->longest = v9_alloc((most + 1) * sizeof(*d->longest));
}

void v9_durations_free(struct v9_durations *d)
{
	for (size_t i = 0; i < d->nr_threads; i++) {
		free(d->threads[i].calls);
		free(d->threads[i].open);
		for (unsigned int m = 0; m < V9_MEASURES; m++)
			free(d->threads[i].clock[m].waits);
	}
	for (unsigned int m = 0; m < V9_MEASURES; m++)
		v9_hist_free(&d->hist[m]);
	free(d->threads);
	free(d->longest);
	memset(d, 0, sizeof(*d));
}

static struct v9_duration_thread *thread_of(struct v9_durations *d, size_t thread)
{
	while (d->nr_threads <= thread)
		(void)v9_vec_add(d->threads, d->nr_threads);
	return &d->threads[thread];
}

/* ---- calls that are complete */

/* Longer first; calls whose length is not known come last, by their instructions. */
static bool longer(const struct v9_durations *d, const struct v9_long_call *a,
		   const struct v9_long_call *b)
{
	const unsigned int bit = 1u << d->order;

	if ((a->known ^ b->known) & bit)
		return a->known & bit;
	if (!(a->known & bit))
		return a->length[V9_BY_INSNS] > b->length[V9_BY_INSNS];
	return a->length[d->order] > b->length[d->order];
}

static void keep(struct v9_durations *d, const struct v9_long_call *c)
{
	size_t i = d->nr_longest;

	while (i && longer(d, c, &d->longest[i - 1]))
		i--;
	memmove(&d->longest[i + 1], &d->longest[i], (d->nr_longest - i) * sizeof(*c));
	d->longest[i] = *c;
	d->nr_longest += d->nr_longest < d->most_longest;
}

static void forget(struct v9_duration_thread *t, size_t i)
{
	t->calls[i].next = t->free;
	t->free = i + 1;
}

/* Counts a call if all is known of it that can be. */
static void complete(struct v9_durations *d, size_t thread, size_t i)
{
	struct v9_duration_thread *t = &d->threads[thread];
	const struct call *c = &t->calls[i];
	struct v9_long_call l = { .position = c->position[BEGIN], .thread = thread, .node = c->node,
				  .known = 1u << V9_BY_INSNS };

	if (!c->ended)
		return;
	l.length[V9_BY_INSNS] = c->position[END] - c->position[BEGIN];
	l.begin = c->reading[BEGIN][V9_BY_NS].value;
	for (unsigned int m = V9_BY_CYCLES; m < V9_MEASURES; m++) {
		const struct reading *begin = &c->reading[BEGIN][m], *end = &c->reading[END][m];

		if (d->clocks & 1u << m && (begin->state == UNREAD || end->state == UNREAD))
			return;
		if (begin->state == KNOWN && end->state == KNOWN) {
			l.known |= 1u << m;
			l.length[m] = end->value - begin->value;
		}
	}
	for (unsigned int m = 0; m < V9_MEASURES; m++)
		if (l.known & 1u << m)
			v9_hist_add(&d->hist[m], l.length[m], 1);
	keep(d, &l);
	forget(t, i);
}

/* ---- clocks */

static void wait_for_clocks(const struct v9_durations *d, struct v9_duration_thread *t, size_t call,
			    unsigned int end)
{
	for (unsigned int m = V9_BY_CYCLES; m < V9_MEASURES; m++) {
		struct clock *c = &t->clock[m];

		if (d->clocks & 1u << m)
			*v9_vec_add(c->waits, c->nr_waits) = (struct wait){ call, end };
	}
}

/* The value between two that are known, by the position */
static uint64_t between(const struct clock *c, uint64_t position, uint64_t value, uint64_t at)
{
	if (position == c->position)
		return value;
	return c->value + (uint64_t)((double)(value - c->value) * (double)(at - c->position) /
				     (double)(position - c->position) + 0.5);
}

static void settle(struct v9_durations *d, size_t thread, enum v9_measure m, bool known,
		   uint64_t position, uint64_t value)
{
	struct v9_duration_thread *t = &d->threads[thread];
	struct clock *c = &t->clock[m];

	for (size_t i = 0; i < c->nr_waits; i++) {
		const struct wait *w = &c->waits[i];
		struct call *call = &t->calls[w->call];
		struct reading *r = &call->reading[w->end][m];

		r->state = known ? KNOWN : NEVER;
		if (known)
			r->value = between(c, position, value, call->position[w->end]);
	}
	/* Of a call that ended since, both ends may be in the list: it is complete once. */
	for (size_t i = 0; i < c->nr_waits; i++)
		if (c->waits[i].end == END)
			complete(d, thread, c->waits[i].call);
	c->nr_waits = 0;
}

void v9_durations_clock(struct v9_durations *d, size_t thread, uint64_t position,
			enum v9_measure clock, uint64_t value)
{
	struct v9_duration_thread *t = thread_of(d, thread);
	struct clock *c = &t->clock[clock];

	/* A clock that goes back says nothing. */
	settle(d, thread, clock, c->known && value >= c->value, position, value);
	c->position = position;
	c->value = value;
	c->known = true;
}

void v9_durations_gap(struct v9_durations *d, size_t thread)
{
	struct v9_duration_thread *t = thread_of(d, thread);

	for (unsigned int m = V9_BY_CYCLES; m < V9_MEASURES; m++) {
		settle(d, thread, m, false, 0, 0);
		t->clock[m].known = false;
	}
}

/* ---- calls */

void v9_durations_enter(struct v9_durations *d, size_t thread, uint64_t position, size_t node)
{
	struct v9_duration_thread *t = thread_of(d, thread);
	size_t i = t->free;

	if (i) {
		t->free = t->calls[i - 1].next;
	} else {
		(void)v9_vec_add(t->calls, t->nr_calls);
		i = t->nr_calls;
	}
	t->calls[--i] = (struct call){ .position = { position }, .node = node };
	*v9_vec_add(t->open, t->nr_open) = i;
	wait_for_clocks(d, t, i, BEGIN);
}

/* The clocks need not be asked any more for the begin of a call that is not counted. */
static void drop(struct v9_duration_thread *t, size_t call)
{
	for (unsigned int m = V9_BY_CYCLES; m < V9_MEASURES; m++) {
		struct clock *c = &t->clock[m];
		size_t n = 0;

		for (size_t i = 0; i < c->nr_waits; i++)
			if (c->waits[i].call != call)
				c->waits[n++] = c->waits[i];
		c->nr_waits = n;
	}
	forget(t, call);
}

void v9_durations_leave(struct v9_durations *d, size_t thread, uint64_t position, size_t node,
			enum v9_call_end how)
{
	struct v9_duration_thread *t = thread_of(d, thread);
	size_t k = t->nr_open, i;

	while (k && t->calls[t->open[k - 1]].node != node)
		k--;
	if (!k) {
		d->before++;
		return;
	}
	i = t->open[k - 1];
	memmove(&t->open[k - 1], &t->open[k], (t->nr_open - k) * sizeof(*t->open));
	t->nr_open--;
	if (how == V9_CALL_ENDED) {
		t->calls[i].ended = true;
		t->calls[i].position[END] = position;
		wait_for_clocks(d, t, i, END);
		complete(d, thread, i);
		return;
	}
	d->left += how == V9_CALL_LEFT;
	d->lost += how == V9_CALL_LOST;
	drop(t, i);
}

size_t v9_durations_long_at(const struct v9_durations *d, size_t thread, uint64_t position)
{
	size_t found = 0;

	for (size_t i = 0; i < d->nr_longest; i++) {
		const struct v9_long_call *l = &d->longest[i];

		if (l->thread == thread && position >= l->position &&
		    position - l->position < l->length[V9_BY_INSNS] &&
		    (!found || l->position > d->longest[found - 1].position))
			found = i + 1;
	}
	return found;
}

void v9_durations_finish(struct v9_durations *d)
{
	for (size_t i = 0; i < d->nr_threads; i++) {
		v9_durations_gap(d, i);
		d->open += d->threads[i].nr_open;
	}
}
