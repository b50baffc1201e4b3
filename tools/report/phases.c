// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "phases.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

static int mark_order(const void *a, const void *b)
{
	const struct v9_marked *x = a, *y = b;
	int r = V9_ORDER(x->tid, y->tid);

	r = r ? r : V9_ORDER(x->time, y->time);
	return r ? r : V9_ORDER(x->offset, y->offset);
}

static int phase_order(const void *a, const void *b)
{
	const struct v9_phase *x = a, *y = b;
	int r = V9_ORDER(y->total, x->total);

	r = r ? r : V9_ORDER(y->begun + y->points, x->begun + x->points);
	return r ? r : strcmp(x->text, y->text);
}

struct phases {
	struct v9_phase *phase;
	size_t nr;
	struct v9_strtab ids;		/* text -> index + 1 */
	struct open { size_t phase; uint64_t time; bool has_time; } *open;	/* of a thread */
	size_t nr_open;
};

static size_t phase_of(struct phases *p, const char *text)
{
	size_t *index = v9_strtab_value(&p->ids, text);

	if (*index)
		return *index - 1;
	*index = p->nr + 1;
	v9_vec_add(p->phase, p->nr)->text = text;
	return p->nr - 1;
}

static void end_phase(struct phases *p, size_t phase, const struct v9_marked *m)
{
	struct v9_phase *of = &p->phase[phase];
	size_t i = p->nr_open;

	while (i && p->open[i - 1].phase != phase)
		i--;
	if (!i) {
		of->open++;
		return;
	}
	if (p->open[i - 1].has_time && m->has_time) {
		const uint64_t ns = m->time - p->open[i - 1].time;

		of->timed++;
		of->total += ns;
		if (ns > of->longest)
			of->longest = ns;
	}
	memmove(&p->open[i - 1], &p->open[i], (p->nr_open - i) * sizeof(*p->open));
	p->nr_open--;
}

static void end_thread(struct phases *p)
{
	while (p->nr_open)
		p->phase[p->open[--p->nr_open].phase].open++;
}

struct v9_phase *v9_phases(struct v9_marked *marks, size_t nr, size_t *n)
{
	struct phases p = { .nr = 0 };

	if (nr)
		qsort(marks, nr, sizeof(*marks), mark_order);
	for (size_t i = 0; i < nr; i++) {
		const struct v9_marked *m = &marks[i];
		size_t phase;

		if (i && m->tid != marks[i - 1].tid)
			end_thread(&p);
		if (m->mark.kind == V9_MARK_ID)
			continue;
		phase = phase_of(&p, m->mark.text);
		if (m->mark.kind == V9_MARK_END) {
			end_phase(&p, phase, m);
		} else if (m->mark.kind == V9_MARK_POINT) {
			p.phase[phase].points++;
		} else {
			p.phase[phase].begun++;
			*v9_vec_add(p.open, p.nr_open) = (struct open){ phase, m->time, m->has_time };
		}
	}
	end_thread(&p);
	if (p.nr)
		qsort(p.phase, p.nr, sizeof(*p.phase), phase_order);
	v9_strtab_free(&p.ids);
	free(p.open);
	*n = p.nr;
	return p.phase;
}
